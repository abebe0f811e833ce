"""How fast the CPU simulator runs: thread-instructions a second of processor time, binding included.

Beside it, on the same algorithms in the same run, Numba's CUDA simulator (`pip install numba`): its time is turned into
thread-instructions by what ours counts for the same launch.  Every result is compared with NumPy's.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import report
import simulated
from rich.table import Table
from timing import best_of, own_time

from weft.sim import Check

PEER_SIZE = (2, 4, 1, 32)
"""CTAs and rounds of saxpy, side and depth of the product, for a simulator that is four orders of magnitude slower."""


def rate(case: simulated.Case, check: Check) -> float:
    """Thread-instructions a second."""
    result = case.launch(check)
    if not case.correct():
        raise AssertionError(f"{case.name} is wrong")
    return result.thread_instructions / best_of(lambda: case.launch(check), own_time)


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


def main() -> int:
    """Print the table."""
    peers = peer_rates()
    table = Table(title="Simulator, millions of thread-instructions a second of processor time")
    for heading in ("kernel", "CTAs", "fast", "strict", "Numba CUDASIM", "fast is faster by"):
        table.add_column(heading, justify="left" if heading == "kernel" else "right")
    for case in simulated.cases():
        fast, strict = rate(case, "fast"), rate(case, "strict")
        peer = peers.get(case.name)
        other = (f"{peer / 1e6:.3f}", f"{fast / peer:,.0f}") if peer else ("-", "-")
        table.add_row(case.name, str(case.ctas), f"{fast / 1e6:.1f}", f"{strict / 1e6:.1f}", *other)
    console = report.console()
    console.print(table)
    if not peers:
        console.print("Numba is not here: pip install numba")
    return 0


if __name__ == "__main__":
    sys.exit(main())
