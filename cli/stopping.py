"""Being stopped from outside."""
from __future__ import annotations

import contextlib
import signal
import threading

EXIT_INTERRUPT = 130  # as shells report Ctrl-C


@contextlib.contextmanager
def ctrl_c_later():
    """Ctrl-C takes effect at the end of the block. While PyTorch is imported it would abort the process, in C++."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt


def stop_like_ctrl_c() -> None:
    """Being told to end (by `kill`, or as the terminal closes) is the same as Ctrl-C: what is there is shown and kept."""

    def stop(*_: object) -> None:  # not by raising SIGINT: a shell has programs in the background ignore that
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) != signal.SIG_IGN:  # as under nohup
            with contextlib.suppress(ValueError):  # not in the main thread
                signal.signal(getattr(signal, name), stop)
