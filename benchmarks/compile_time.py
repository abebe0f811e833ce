"""How long compiling takes: the examples cold (a process from its start) and warm, by stage, beside LLVM's tools.

Cold is `python -m weft compile`, warm a second compilation in one process. The peer is `mlir-opt`, always a process.
Other compilers that are Python packages stand in a table of their own: numba-cuda-mlir (`pip install numba-cuda-mlir`),
whose MLIR takes the same files, and Triton and TVM (`pip install triton apache-tvm`) on the same computations. The
scaling table compiles one kernel of ever more operations. Times are processor time (user and system), the best of
several runs, so that a busy machine does not spoil them; cold shows the wall time too.
"""

from __future__ import annotations

import argparse
import functools
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import peer
import report
from generate import straight_line_mlir
from rich.table import Table
from sass_vs_llvm import target_of
from timing import best_of, kept_bytecode, processes_time

import weft

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


class Stages:
    """Collects the processor time of each stage, as `weft.compile` tells when one ends."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.process_time()

    def __call__(self, stage: str, wall: float = 0.0) -> None:
        now = time.process_time()
        self.seconds[stage] = now - self._last
        self._last = now


def stages_of(text: str, target: str, runs: int = 5) -> dict[str, float]:
    """Seconds by stage of the fastest of some warm compilations, printing included."""
    fastest: dict[str, float] = {}
    for _ in range(runs + 1):  # The first one is not warm.
        stages = Stages()
        weft.compile(text, target=target, timer=stages).to_ptx()
        stages("print")
        if not fastest or sum(stages.seconds.values()) < sum(fastest.values()):
            fastest = stages.seconds
    return fastest


def example_table(paths: list[Path], default: str) -> Table:
    """A row for each example: cold, warm, the peer's two ways."""
    table = Table(title=f"Compiling for {default}, milliseconds", title_justify="left")
    titles = ("kernel", "weft cold (wall)", "weft warm", "mlir-opt, LLVM O3", "mlir-opt, llc -O3", "of the warm time")
    for title in titles:
        table.add_column(title, justify="left" if title in ("kernel", "of the warm time") else "right")
    for path in paths:
        target = target_of(path, default)
        command = [sys.executable, "-m", "weft", "compile", str(path), "--target", target, "-o", "/dev/null"]
        run = partial(subprocess.run, command, check=True, env=cold_environment())
        run()
        cold, wall = best_of(run, processes_time), best_of(run, time.perf_counter)
        stages = stages_of(path.read_text(encoding="utf-8"), target)
        warm = sum(stages.values())
        theirs = ["not here", "not here"]
        if peer.available():
            ways = (peer.with_optimizer, peer.without_optimizer)
            theirs = [_peer_time(partial(way, path, target)) for way in ways]
        split = ", ".join(f"{stage} {seconds * 1e3:.1f}" for stage, seconds in stages.items())
        table.add_row(path.stem, f"{cold * 1e3:.0f} ({wall * 1e3:.0f})", f"{warm * 1e3:.0f}", *theirs, split)
    return table


def _peer_time(run: Callable[[], object]) -> str:
    """Milliseconds, or that the peer does not take the kernel."""
    try:
        return f"{best_of(run, processes_time) * 1e3:.0f}"
    except peer.PeerError:
        return "refused"


HERE = Path(__file__).resolve().parent


@functools.cache
def cold_environment() -> dict[str, str]:
    """The environment of a cold run: Python keeps bytecode, and nothing else is kept."""
    environment = kept_bytecode()
    folder = environment["PYTHONPYCACHEPREFIX"]
    return environment | {"TRITON_ALWAYS_COMPILE": "1", "TRITON_CACHE_DIR": folder}


def in_a_process(*arguments: str) -> tuple[float, float] | None:
    """Processor seconds of a script in a process of its own, and those that it prints for a warm compilation."""
    outputs: list[str] = []

    def run() -> None:
        done = subprocess.run(
            [sys.executable, *arguments], capture_output=True, text=True, check=True, env=cold_environment()
        )
        outputs.append(done.stdout)

    try:
        run()  # Writes the bytecode.
        cold = best_of(run, processes_time, runs=10, enough=10.0)
    except subprocess.CalledProcessError:
        return None
    return cold, float(outputs[-1].split()[-1]) if outputs[-1] else 0.0


def python_table(names: list[str], target: str) -> Table:
    """A row for each kernel: compilers that are Python packages, cold and warm."""
    table = Table(title=f"Compilers in Python for {target}, milliseconds cold / warm", title_justify="left")
    titles = (
        "kernel",
        "weft",
        "numba-cuda-mlir",
        "its MLIR bindings alone",
        "Triton (ptxas included)",
        "TVM (CUDA C++ only)",
    )
    for title in titles:
        table.add_column(title, justify="left" if title == "kernel" else "right")
    for name in names:
        path = EXAMPLES / f"{name}.mlir"
        ours = in_a_process("-m", "weft", "compile", str(path), "--target", target, "-o", os.devnull)
        assert ours is not None
        warm = sum(stages_of(path.read_text(encoding="utf-8"), target).values())
        numba = [in_a_process(str(HERE / "numba_mlir.py"), str(path), target, way) for way in ("package", "core")]
        others = [in_a_process(str(HERE / f"{peer}_kernels.py"), name) for peer in ("triton", "tvm")]
        shown = [f"{found[0] * 1e3:.0f} / {found[1] * 1e3:.0f}" if found else "not here" for found in (*numba, *others)]
        table.add_row(name, f"{ours[0] * 1e3:.0f} / {warm * 1e3:.0f}", *shown)
    return table


def scaling_table(sizes: list[int], target: str) -> Table:
    """A row for each size: seconds in all, microseconds an operation, by stage."""
    table = Table(title="One straight-line kernel, microseconds an operation", title_justify="left")
    for title in ("operations", "in all", "an operation", "by stage"):
        table.add_column(title, justify="left" if title == "by stage" else "right")
    weft.compile(straight_line_mlir(10), target=target)
    for size in sizes:
        stages = stages_of(straight_line_mlir(size), target, runs=2 if size <= 10_000 else 0)
        total = sum(stages.values())
        split = ", ".join(f"{stage} {seconds / size * 1e6:.1f}" for stage, seconds in stages.items())
        table.add_row(f"{size:,}", f"{total:.2f} s", f"{total / size * 1e6:.0f}", split)
    return table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="*", type=Path, default=sorted(EXAMPLES.glob("*.mlir")))
    parser.add_argument("--target", default="sm_80")
    parser.add_argument("--sizes", type=int, nargs="*", default=[1_000, 10_000, 100_000])
    arguments = parser.parse_args()
    console = report.console()
    console.print(example_table(arguments.sources, arguments.target))
    console.print(python_table(["saxpy", "softmax"], arguments.target))
    console.print(scaling_table(arguments.sizes, arguments.target))
    return 0


if __name__ == "__main__":
    sys.exit(main())
