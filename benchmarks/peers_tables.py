"""What peers.py measured, as Markdown."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a Markdown table; all columns but the first to the right."""
    line = "| " + " | ".join(head) + " |"
    return [line, "| --- |" + " ---: |" * (len(head) - 1), *("| " + " | ".join(row) + " |" for row in rows), ""]


def shown(values: dict[str, float], layout: str = "{:.2f}") -> str:
    """Median, and the range in parentheses."""
    return f"{layout.format(values['median'])} ({layout.format(values['min'])}–{layout.format(values['max'])})"


def thousands(values: dict[str, float]) -> str:
    return f"{values['median'] / 1e3:,.0f}"


def search_tables(rows: list[dict[str, Any]]) -> list[str]:
    names = ("openspiel", "wattman_ucb", "wattman", "wattman_agent")
    lines = ["**Search on Leduc**, thousand simulations a second of processor time, and Wattman : OpenSpiel:", ""]
    lines += table(
        ("decision", "simulations", "OpenSpiel", "Wattman, same rule", "Wattman", "its agent", "ratio, same rule", "ratio"),
        [
            (row["decision"], f"{budget['simulations']:,}", *(thousands(budget["simulations_per_s"][name]) for name in names),
             shown(budget["same_rule"], "{:.1f}"), shown(budget["own_rule"], "{:.1f}"))
            for row in rows
            for budget in row["budgets"]
        ],
    )  # fmt: skip

    def each(value: Callable[[str], str]) -> str:
        return " / ".join(value(name) for name in names[:3])

    def ns(row: dict[str, Any], name: str) -> float:
        """Nanoseconds a step at the greatest budget."""
        return 1e9 / row["budgets"][-1]["simulations_per_s"][name]["median"] / row["work"][name]["steps"]

    lines += [f"**The work in it**, OpenSpiel / Wattman, same rule / Wattman, in searches of {rows[0]['counted']:,} simulations:", ""]
    lines += table(
        ("decision", "steps a simulation", "nodes", "ns a step"),
        [
            (
                row["decision"],
                each(lambda name, row=row: f"{row['work'][name]['steps']:.2f}"),
                each(lambda name, row=row: f"{row['work'][name]['nodes']:,.0f}"),
                each(lambda name, row=row: f"{ns(row, name):,.0f}"),
            )
            for row in rows
        ],
    )
    lines += [f"**Visits of the root's moves** under the same rule, {rows[0]['shares_after']:,} simulations:", ""]
    return lines + table(
        ("decision", "moves", "OpenSpiel", "Wattman"),
        [(row["decision"], *(" / ".join(map(str, row["root_shares"][key])) for key in ("moves", "openspiel", "wattman"))) for row in rows],
    )


def playout_tables(result: dict[str, Any]) -> list[str]:
    lines = ["**Uniformly random playouts** from the first decision:", ""]
    lines += table(
        ("game", "steps a playout", "thousand playouts/s", "million steps/s", "ns a step"),
        [
            (
                f"{row['system']} {row['game']}",
                f"{row['steps_per_playout']:.1f}",
                f"{row['playouts_per_s']['median'] / 1e3:,.1f}",
                f"{row['steps_per_s']['median'] / 1e6:.2f}",
                shown(row["ns_per_step"], "{:.1f}"),
            )
            for row in result["games"]
        ],
    )
    return lines + table(
        ("steps/s", "ratio"), [(f"{row['above']} : {row['below']}", shown(row["steps_per_s"], "{:.1f}")) for row in result["ratios"]]
    )


def clone_tables(rows: list[dict[str, Any]]) -> list[str]:
    return ["**Copies of a state**:", ""] + table(
        ("what", "million/s", "ns each"),
        [(row["what"], f"{row['clones_per_s']['median'] / 1e6:.2f}", shown(row["ns"], "{:.1f}")) for row in rows],
    )


def thread_tables(result: dict[str, Any]) -> list[str]:
    lines = [
        f"**Threads**, Trambahn midgame, simulations a second; load average {result['load_before']:.1f} before, "
        f"{result['load_after']:.1f} after, {os.cpu_count()} cores (wall time says little unless they are idle):",
        "",
    ]
    rows = [("wall time", result["simulations_per_s"], result["ratio"])]
    if result["ratio_with_cores"] is not None:
        rows.append(("without waiting for a core", result["simulations_per_s_with_cores"], result["ratio_with_cores"]))
    lines += table(
        ("time", "one thread", "two threads", "ratio"),
        [(name, shown(rates["1"], "{:,.0f}"), shown(rates["2"], "{:,.0f}"), shown(ratios)) for name, rates, ratios in rows],
    )
    return lines + [f"Processor time a simulation, two threads : one = {result['processor_time_per_simulation']:.2f}.", ""]


TABLES: dict[str, Callable[[Any], list[str]]] = {
    "search": search_tables,
    "playouts": playout_tables,
    "clones": clone_tables,
    "threads": thread_tables,
}


def markdown(result: dict[str, Any]) -> str:
    """The whole result as Markdown tables."""
    about, load = result["machine"], result["load"]
    lines = [
        f"{about['cpu']}, {about['cores']} cores, {about['system']}; load average {load[0]:.1f} before, {load[1]:.1f} after. "
        f"Python {about['python']}, Wattman {about['wattman']}, open_spiel {about['open_spiel']}; {result['repeats']} repeats.",
        "",
    ]
    for part, tables in TABLES.items():
        if part in result:
            lines += tables(result[part])
    return "\n".join(lines).rstrip()
