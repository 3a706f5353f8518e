"""The command line: `wattman`, or `python -m wattman`."""
import sys


def main() -> None:
    """Run it. Ctrl-C ends it in one line even while it is loaded, which takes a moment; later `wattman.cli.main` sees to that."""
    try:
        from wattman.cli.main import app
    except KeyboardInterrupt:
        print("wattman: interrupted", file=sys.stderr)
        sys.exit(130)
    app()


if __name__ == "__main__":
    main()
