"""How fast the CPU simulator runs: thread-instructions a second of processor time, binding included.

Beside it, on the same algorithms in the same run, Numba's CUDA simulator (`pip install numba`): its time is turned into
thread-instructions by what ours counts for the same launch.  Every result is compared with NumPy's.  Further tables:
products by `mma.sync` and `wgmma`, launches of small kernels, what each check costs, and two processes; with
`--compiled` only two of compiled code.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import report
import simulated
from rich.table import Table
from timing import best_of, own_time

from weft.sim import Check
from weft.sim.engines import Engine, available

PEER_SIZE = (2, 4, 1, 32)
"""CTAs and rounds of saxpy, side and depth of the product, for a simulator that is four orders of magnitude slower."""


def rate(case: simulated.Case, check: Check, engine: Engine = "numpy") -> float:
    """Thread-instructions a second."""
    result = case.launch(check, engine=engine)
    if not case.correct():
        raise AssertionError(f"{case.name} is wrong")
    return result.thread_instructions / best_of(lambda: case.launch(check, engine=engine), own_time)


def peer_rates() -> dict[str, float]:
    """Thread-instructions a second of Numba's simulator, by kernel; empty where it is not installed."""
    command = [sys.executable, str(Path(__file__).with_name("cudasim.py")), *map(str, PEER_SIZE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return {}
    ctas, rounds, side, k = PEER_SIZE
    same = {case.name: case for case in (simulated.saxpy(ctas, rounds), simulated.matmul(side, k))}
    seconds: dict[str, float] = json.loads(done.stdout)
    return {name: same[name].launch("fast").thread_instructions / time for name, time in seconds.items()}


CHECKS: dict[str, dict[str, Any]] = {
    "all": {},
    "eager": {"async_": "eager"},
    "races, proxy": {"checks": ["races", "proxy"]},
    "uninitialised": {"checks": ["uninitialised"]},
    "fast": {"check": "fast"},
}
"""Options of which the costs are compared; the first ones are the default."""


def checks() -> Table:
    """What each check costs in NumPy: processor time beside that of fast runs."""
    table = Table(title="Checks: processor time beside that of fast runs")
    for heading in ("kernel", *(name for name in CHECKS if name != "fast")):
        table.add_column(heading, justify="left" if heading == "kernel" else "right")
    for case in (simulated.saxpy(1024, 16), simulated.matmul(32, 256), simulated.gemm(2048, 2048, 256),
                 simulated.pipeline(1024, 30), simulated.gemm_hopper(1024, 1024, 512)):  # fmt: skip
        times = {
            name: best_of(lambda o=o, case=case: case.launch(**{"check": "strict", "engine": "numpy", **o}), own_time)
            for name, o in CHECKS.items()
        }
        table.add_row(case.name, *(f"{times[name] / times['fast']:.2f}" for name in CHECKS if name != "fast"))
    return table


def products() -> Table:
    """Products of one size by `mma.sync` and by `wgmma`, seconds."""
    table = Table(title="GEMM of 1024 x 1024 x 1024, seconds of processor time")
    for heading in ("instructions", "fast", "strict"):
        table.add_column(heading, justify="left" if heading == "instructions" else "right")
    for case in (simulated.gemm(1024, 1024, 1024), simulated.gemm_hopper(1024, 1024, 1024)):
        times = [best_of(lambda check=check, case=case: case.launch(check), own_time) for check in ("fast", "strict")]
        if not case.correct():
            raise AssertionError(f"{case.name} is wrong")
        table.add_row(case.name, *(f"{time:.2f}" for time in times))
    return table


def launches() -> Table:
    """Launches of a kernel of 25 instructions that is bound already, in milliseconds."""
    table = Table(title="A launch after the first, milliseconds of processor time")
    for heading in ("threads", "fast", "strict"):
        table.add_column(heading, justify="right")
    for ctas in (1, 4):
        case = simulated.saxpy(ctas, 1)

        def many(check: Check, case: simulated.Case = case) -> None:
            for _ in range(50):
                case.launch(check)

        times = [best_of(lambda check=check: many(check), own_time) / 50 for check in ("fast", "strict")]
        table.add_row(str(128 * ctas), *(f"{1e3 * time:.2f}" for time in times))
    return table


def compiled() -> Table:
    """NumPy beside compiled code, fast and strict."""
    table = Table(title="Compiled, millions of thread-instructions a second of processor time")
    for heading in ("kernel", "CTAs", "fast: NumPy", "compiled", "strict: NumPy", "compiled", "strict / fast"):
        table.add_column(heading, justify="left" if heading == "kernel" else "right")
    for case in simulated.cases():
        rates = [rate(case, check, engine) for check in ("fast", "strict") for engine in ("numpy", "native")]
        cells = [f"{one / 1e6:.1f}" for one in rates]
        table.add_row(case.name, str(case.ctas), *cells, f"{rates[1] / rates[3]:.2f}")
    return table


def triad(size: int, threads: int) -> Callable[[], None]:
    """y = 2.5 x + y for f32 arrays of so many bytes, ten times, in NumPy: what memory gives one thread, and several."""
    x, y = np.ones((2, size // 4), np.float32)
    parts = [slice(len(x) * n // threads, len(x) * (n + 1) // threads) for n in range(threads)]

    def part(place: slice) -> None:
        for _ in range(10):
            for start in range(place.start, place.stop, 4096):  # A piece stays in the cache between the two.
                piece = slice(start, min(start + 4096, place.stop))
                np.add(np.multiply(x[piece], np.float32(2.5)), y[piece], out=y[piece])

    executor = ThreadPoolExecutor(threads)

    def all_parts() -> None:
        list(executor.map(part, parts))

    return all_parts


def threaded() -> Table:
    """How much faster two threads are than one, by the clock on the wall, and how much faster memory is then."""
    table = Table(title="Compiled, fast: two threads beside one: faster by")
    for heading in ("kernel", "faster by"):
        table.add_column(heading, justify="left" if heading == "kernel" else "right")
    for case in (simulated.saxpy(1024, 16), simulated.saxpy(1024, 64), simulated.matmul(32, 256),
                 simulated.gemm(2048, 2048, 256)):  # fmt: skip
        times: list[float] = []
        for count in ("1", "2"):
            os.environ["WEFT_THREADS"] = count
            case.launch("fast", engine="native")
            times.append(best_of(lambda case=case: case.launch("fast", engine="native"), time.perf_counter, runs=9))
        table.add_row(f"{case.name}, {case.ctas} CTAs", f"{times[0] / times[1]:.2f}")
    for size in (8 << 20, 32 << 20):
        alone, both = (best_of(triad(size, count), time.perf_counter, runs=9) for count in (1, 2))
        table.add_row(f"NumPy, a x + y, arrays of {size >> 20} MiB", f"{alone / both:.2f}")
    return table


def processes() -> Table:
    """How much faster two processes are than one, by the clock on the wall."""
    table = Table(title="Two processes beside one, 1024 CTAs, strict: faster by")
    for heading in ("kernel", "faster by"):
        table.add_column(heading, justify="left" if heading == "kernel" else "right")
    with ProcessPoolExecutor(2) as executor:
        for case in (simulated.matmul(32, 1024), simulated.gemm(2048, 2048, 256)):
            case.launch("strict", executor)
            alone = best_of(lambda case=case: case.launch("strict"), time.perf_counter, runs=2)
            both = best_of(lambda case=case: case.launch("strict", executor), time.perf_counter, runs=2)
            table.add_row(case.name, f"{alone / both:.2f}")
    return table


def main() -> int:
    """Print the tables."""
    if "--compiled" in sys.argv[1:]:
        report.console().print(compiled())
        report.console().print(threaded())
        return 0
    peers = peer_rates()
    table = Table(title="Simulator, millions of thread-instructions a second of processor time")
    for heading in ("kernel", "CTAs", "fast", "strict", "native", "Numba CUDASIM", "fast is faster by"):
        table.add_column(heading, justify="left" if heading == "kernel" else "right")
    for case in simulated.cases():
        fast, strict = rate(case, "fast"), rate(case, "strict")
        native = f"{rate(case, 'fast', 'native') / 1e6:.1f}" if available() else "-"
        peer = peers.get(case.name)
        other = (f"{peer / 1e6:.3f}", f"{fast / peer:,.0f}") if peer else ("-", "-")
        table.add_row(case.name, str(case.ctas), f"{fast / 1e6:.1f}", f"{strict / 1e6:.1f}", native, *other)
    console = report.console()
    console.print(table)
    for more in (products(), launches(), checks(), processes()):
        console.print(more)
    if not peers:
        console.print("Numba is not here: pip install numba")
    return 0


if __name__ == "__main__":
    sys.exit(main())
