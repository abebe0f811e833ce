"""The figures of all kernels by group: geometric means, the worst, and how many are worse."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.table import Table

GROUP, KERNEL = 1.05, 1.25
"""No group may be above the first on executed instructions and cycles, no kernel above the second."""
STATIC = 1.5


@dataclass
class Row:
    """A kernel on a target: our figures by those of the peer's, and what went wrong instead."""

    group: str
    name: str
    target: str
    way: str
    executed: float = 0.0
    cycles: float = 0.0
    registers: float = 0.0
    warps: float = 0.0
    spills: int = 0
    static: float = 0.0
    length: int = 0
    accesses: float = 0.0
    error: float = 0.0
    peer_error: float = 0.0
    misfit: float = 0.0
    ours: float = 0.0
    peers: float = 0.0
    failed: str = ""


def geomean(values: Iterable[float]) -> float:
    logs = [math.log(value) for value in values if value > 0]
    return math.exp(sum(logs) / len(logs)) if logs else 1.0


def show(console: Console, rows: Sequence[Row], title: str) -> None:
    """A table by group, then the kernels above the bound."""
    table = Table(title=title, title_justify="left")
    heads = ("group", "n", "executed", "worst", "> 1", "cycles", "registers", "spills", "static", "accesses", "failed")
    for head in heads:
        table.add_column(head, justify="left" if head == "group" else "right")
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.group].append(row)
    for group, found in [*groups.items(), ("all", list(rows))]:
        good = [row for row in found if not row.failed]
        worst = max(good, key=lambda row: row.executed, default=None)
        table.add_row(
            group, str(len(good)), f"{geomean(r.executed for r in good):.3f}",
            f"{worst.executed:.2f} {worst.name}" if worst else "", str(sum(r.executed > 1.005 for r in good)),
            f"{geomean(r.cycles for r in good):.3f}", f"{geomean(r.registers for r in good):.3f}",
            str(sum(r.spills > 0 for r in good)), f"{geomean(r.static for r in good):.2f}",
            f"{geomean(r.accesses for r in good):.2f}", str(len(found) - len(good)),
        )  # fmt: skip
    console.print(table)
    for row in sorted(rows, key=lambda row: -row.executed):
        if row.failed:
            console.print(f"{row.group}/{row.name} {row.target} {row.way}: {row.failed}", markup=False)
        elif row.executed > KERNEL or (row.static > STATIC and row.length > 64) or row.misfit > 0.02 or row.spills > 0:
            console.print(
                f"{row.group}/{row.name} {row.target} {row.way}: executed {row.ours:.0f} by {row.peers:.0f}, "
                f"static {row.static:.2f} of {row.length}, misfit {row.misfit:.2f}, spills {row.spills}",
                markup=False,
            )


def save(path: str, rows: Sequence[Row]) -> None:
    """The rows as JSON."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump([asdict(row) for row in rows], file, indent=0)
