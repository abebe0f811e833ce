"""Compiled code where an address space has room for its sections in pieces that are far apart only."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("llvmlite", reason="llvmlite is not installed")

PROGRAM = """
import ctypes
import numpy as np
import weft
from weft.sim.native import jit

C = ctypes.CDLL(None)
C.mmap.restype = ctypes.c_void_p
C.mmap.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long
C.munmap.argtypes = ctypes.c_void_p, ctypes.c_size_t
RESERVED, FIXED, PAGE, FAR = 0x4022, 0x100000, 1 << 12, 8 << 30

module = weft.compile(open("examples/saxpy.mlir").read(), target="sm_80")
x, y = np.arange(4096, dtype="f4"), np.ones(4096, "f4")
arguments = [2.0, x, x, 0, 4096, 1, y, y, 0, 4096, 1, 4096]
weft.run(module, "saxpy", grid=(16,), block=(256,), args=arguments, engine="numpy")
jit._jit()

ranges = [[int(end, 16) for end in line.split()[0].split("-")] for line in open("/proc/self/maps")]
gaps = [(after[0] - before[1], before[1]) for before, after in zip(ranges, ranges[1:])]
gaps = [gap for gap in gaps if gap[0] and 1 << 44 < gap[1] and sum(gap) < 0x7FFFF0000000]
for size, start in gaps:
    C.mmap(start, size, 0, RESERVED | FIXED, -1, 0)
size, start = max(gaps)
for number, pages in enumerate([1, 2, 3, 4, 5, 8, 16, 17, 20, 24, 32, 48, 64, 128, 256] * 2):
    C.munmap(start + size - (number + 1) * FAR, pages * PAGE)
C.munmap(start + size - 60 * FAR, 4 << 30)

weft.run(module, "saxpy", grid=(16,), block=(256,), args=arguments, engine="native")
print(y[:4].tolist())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reserves addresses as Linux does")
def test_sections_in_pieces_far_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """References between the sections of an object have 32 bits."""
    monkeypatch.setenv("WEFT_CACHE", "")
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert ran.stdout.split("\n")[0] == "[1.0, 5.0, 9.0, 13.0]", ran.stderr[-500:]
