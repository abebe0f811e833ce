"""Memory that a process takes for a launch beside the size of its arrays, with checks and without.

Each figure is of a process of its own: what it holds more than before the arrays were made, at most and in the end.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import weft
from weft.sim import Check

SAXPY = (Path(__file__).parents[1] / "docs" / "ptx" / "axpy.ptx").read_text("utf-8")
COUNT = 32 << 20


def resident() -> tuple[int, int]:
    """Bytes of memory that the process holds, and those of them that are no pages of files, such as LLVM's library."""
    with open("/proc/self/statm", encoding="ascii") as file:
        pages = [int(word) for word in file.read().split()]
    return pages[1] * resource.getpagesize(), (pages[1] - pages[2]) * resource.getpagesize()


def measure(checks: Check) -> None:
    with weft.Device("sm_80", checks=checks) as device:
        kernel = device.kernel(SAXPY, "axpy")
        before = resident()
        x, y = device.empty(COUNT), device.empty(COUNT)
        x[:], y[:] = 1, 2
        kernel.launch(COUNT // 1024, 1024, [COUNT, 1.0, x, y])
        size = x.nbytes + y.nbytes
        held, own = ((now - then) / size for now, then in zip(resident(), before, strict=True))
        most = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before[0]) / size
        print(f"{most:8.2f} {held:10.2f} {own:22.2f}")


def main() -> None:
    print(f"memory beside {COUNT >> 17} MiB of arrays          at most  in the end  without pages of files")
    with tempfile.TemporaryDirectory() as cache:
        for checks in ("fast", "strict"):
            for title, engine in (("compiled anew", "auto"), ("compiled before", "auto"), ("NumPy", "numpy")):
                variables = {**os.environ, "WEFT_CACHE": f"{cache}/{checks}", "WEFT_ENGINE": engine}
                print(f"{checks:8} {title:32}", end="", flush=True)
                subprocess.run([sys.executable, __file__, checks], check=True, env=variables)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure("fast" if sys.argv[1] == "fast" else "strict")
    else:
        main()
