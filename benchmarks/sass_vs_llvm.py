"""Our machine code beside LLVM's: the same MLIR through weft and through the peer, both through the same ptxas.

Prints SASS instructions (padding left out), registers and spills of every example and of the kernels in `kernels/`.
The ratio is to the peer's better one of its two ways (with and without LLVM's optimizer). Exits with 1 when --limit is
given and a ratio exceeds it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import peer
import report
from rich.markup import escape
from rich.table import Table

import weft
from weft.toolchain import find

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
KERNELS = Path(__file__).resolve().parent / "kernels"


@dataclass(frozen=True)
class Figures:
    """One kernel, assembled."""

    instructions: int
    registers: int
    spills: int

    def __str__(self) -> str:
        spilled = f", {self.spills} B spilled" if self.spills else ""
        return f"{self.instructions} / {self.registers}{spilled}"


def measure(ptx: str, target: str) -> Figures:
    """Assemble a module of one kernel and count."""
    cubin = weft.assemble(ptx, target)
    kernel = cubin.kernel()
    return Figures(weft.disassemble(cubin)[kernel.name].count, kernel.registers, kernel.spills)


def ours(path: Path, target: str) -> str:
    """PTX by way of weft."""
    return weft.compile(path.read_text(encoding="utf-8"), target=target, filename=path.name).to_ptx()


def attempt(make: Callable[[Path, str], str], path: Path, target: str) -> Figures | str:
    """The figures of what `make` makes of a file, or why there are none."""
    try:
        return measure(make(path, target), target)
    except (weft.WeftError, peer.PeerError) as error:
        return "refused" if isinstance(error, peer.PeerError) else f"failed: {error.message[:60]}"


def sources() -> list[Path]:
    """The examples, then the kernels that are there to be measured."""
    return [*sorted(EXAMPLES.glob("*.mlir")), *sorted(KERNELS.glob("*.mlir"))]


def target_of(path: Path, default: str) -> str:
    """The target of a kernel: the one in its name (`gemm_sm90a`), if there is one."""
    name = path.stem.rpartition("_")[2]
    return f"sm_{name[2:]}" if name[:2] == "sm" and name[2:4].isdigit() else default


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="*", type=Path, default=sources())
    parser.add_argument("--target", default="sm_80")
    parser.add_argument("--limit", type=float, help="the highest ratio of instructions that is allowed")
    arguments = parser.parse_args()
    console = report.console()
    missing = [name for name in ("ptxas", "nvdisasm") if find(name) is None]
    if missing:
        console.print(f"{' and '.join(missing)} not found: nothing to measure with")
        return 0
    if not peer.available():
        console.print("mlir-opt-22 and llc-22 not found: only our own figures")

    ptxas = escape(str(find("ptxas")))
    table = Table(title=f"SASS instructions / registers, {arguments.target}, {ptxas}", title_justify="left")
    for title in ("kernel", "weft", "mlir-opt, LLVM O3", "mlir-opt, llc -O3 alone", "ratio", "registers"):
        table.add_column(title, justify="left" if title == "kernel" else "right")
    worst = 0.0
    for path in arguments.sources:
        target = target_of(path, arguments.target)
        mine = attempt(ours, path, target)
        theirs: list[Figures | str] = ["not here", "not here"]
        if peer.available():
            ways = (peer.with_optimizer, peer.without_optimizer)
            theirs = [attempt(way, path, target) for way in ways]
        ratio, registers = "", ""
        known = [figures for figures in theirs if isinstance(figures, Figures)]
        if isinstance(mine, str):
            worst = float("inf")
        elif known:
            best = min(known, key=lambda figures: figures.instructions)
            ratio = f"{mine.instructions / best.instructions:.2f}"
            registers = f"{mine.registers - best.registers:+d}"
            worst = max(worst, mine.instructions / best.instructions)
        table.add_row(path.stem, *(escape(str(item)) for item in (mine, *theirs)), ratio, registers)
    console.print(table)
    return int(arguments.limit is not None and worst > arguments.limit)


if __name__ == "__main__":
    sys.exit(main())
