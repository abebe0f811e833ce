"""Our machine code beside LLVM's on kernels that are drawn: `python -m quality --seed 7` in the folder above.

Each generator draws shapes, types, strides and literals by the seed. Both sides' PTX is assembled by the same ptxas at
O3 and run on the simulator; executed machine instructions are the headline. The peer is measured with exact division
and square root, and, for kernels with functions or divisions, with approximations (`afn`).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from subprocess import SubprocessError

import peer
import report

import weft
from quality import compilers, foreign
from quality.emitter import Kernel
from quality.errors import error
from quality.kernels import GROUPS, draw
from quality.measure import measure
from quality.report import GROUP, Row, geomean, save, show

FAILURES = (weft.WeftError, peer.PeerError, ValueError, SubprocessError)
TARGETS = ("sm_80", "sm_90a", "sm_100a")


def compared(kernel: Kernel, target: str, mine: str, theirs: str, way: str) -> Row:
    """Both sides of a kernel on a target."""
    row = Row(kernel.group, kernel.name, target, way)
    a, b = measure(mine, kernel, target), measure(theirs, kernel, target)
    row.ours, row.peers = a.executed, b.executed
    row.executed, row.cycles = a.executed / b.executed, a.cycles / b.cycles
    row.registers, row.warps = a.registers / b.registers, a.warps / b.warps
    row.spills = max(0, a.spills + a.stack - b.spills - b.stack)
    row.static, row.length = a.static / b.static, a.static
    row.accesses = (sum(a.accesses.values()) + 1) / (sum(b.accesses.values()) + 1)
    row.misfit = max(a.misfit, b.misfit)
    row.error = error(a, b)
    if row.error > _bound(kernel, way):
        row.failed = f"results differ by {row.error:g} of their size"
    return row


def _bound(kernel: Kernel, way: str) -> float:
    return 2e-2 if way == "fast" or "f16" in kernel.text or " half" in kernel.text else 1e-4


def rows(arguments: argparse.Namespace) -> Iterator[Row]:
    """All kernels that were asked for, on all targets."""
    for kernel, way in _kernels(arguments):
        for target in arguments.targets:
            yield _row(kernel, way, target)
    for kernel, target, mine, theirs in foreign.kernels(arguments.targets, arguments.seed, arguments.groups):
        try:
            yield compared(kernel, target, mine(), theirs(), "exact")
        except FAILURES as failure:
            yield Row(kernel.group, kernel.name, target, "exact", failed=f"{type(failure).__name__}: {failure}"[:300])


def _kernels(arguments: argparse.Namespace) -> Iterator[tuple[Kernel, str]]:
    for group, makers in GROUPS.items():
        for name in makers:
            if arguments.groups and group not in arguments.groups and name not in arguments.groups:
                continue
            for number in range(arguments.draws):
                for way in arguments.ways:
                    kernel = draw(group, name, f"{arguments.seed}.{number}", fast=way == "fast")
                    if kernel is not None:
                        yield kernel, way


def _row(kernel: Kernel, way: str, target: str) -> Row:
    try:
        theirs = compilers.by_llvm(kernel.text, target, fast=way == "fast")
        return compared(kernel, target, compilers.by_weft(kernel.text, target), theirs, way)
    except FAILURES as failure:
        return Row(kernel.group, kernel.name, target, way, failed=f"{type(failure).__name__}: {failure}"[:300])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*", help="groups or kernels; all by default")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--draws", type=int, default=1, help="how often each generator draws")
    parser.add_argument("--targets", type=lambda text: text.split(","), default=TARGETS)
    parser.add_argument("--ways", type=lambda text: text.split(","), default=("exact", "fast"))
    parser.add_argument("--json", help="where to write all figures")
    parser.add_argument("--limit", action="store_true", help="exit with 1 when a group is above its bound")
    arguments = parser.parse_args()
    began = time.process_time()
    found: list[Row] = []
    for row in rows(arguments):
        found.append(row)
        said = row.failed or f"{row.executed:.3f} static {row.static:.2f} registers {row.registers:.2f}"
        print(f"{row.group} {row.name} {row.target} {row.way}: {said}", file=sys.stderr, flush=True)
    console = report.console()
    for way in arguments.ways:
        some = [row for row in found if row.way == way]
        if some:
            show(console, some, f"weft by LLVM, {way}, seed {arguments.seed}, {', '.join(arguments.targets)}")
    console.print(f"{time.process_time() - began:.0f} s of our processor time")
    if arguments.json:
        save(arguments.json, found)
    groups = {row.group for row in found}
    above = [g for g in groups if geomean(r.executed for r in found if r.group == g and not r.failed) > GROUP]
    return int(bool(arguments.limit and above))


if __name__ == "__main__":
    sys.exit(main())
