"""The largest errors of functions of f32 over all 2^32 arguments: `python scripts/check_singles.py exp log`.

`--bits 24` takes one argument at random of each 2^8 neighbours instead. References are computed in f64; the worst case
is computed again with mpmath by `measure_math`'s functions. The simulator runs weft's code, with the hardware's
approximations correctly rounded.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.codegen.functions import SINGLE, errors  # noqa: E402
from weft.codegen import compile_module  # noqa: E402
from weft.ptx.ast import Module  # noqa: E402
from weft.sim import run  # noqa: E402

CHUNK = 1 << 19
THREADS = 1024


def kernel(name: str) -> Module:
    """A kernel that applies the function to the words of an array."""
    return compile_module(
        f"""llvm.func @k(%m: !llvm.ptr, %o: !llvm.ptr) attributes {{nvvm.kernel}} {{
        %t = nvvm.read.ptx.sreg.tid.x : i32
        %b = nvvm.read.ptx.sreg.ctaid.x : i32
        %n = nvvm.read.ptx.sreg.ntid.x : i32
        %q = llvm.mul %b, %n : i32
        %i = llvm.add %q, %t : i32
        %p = llvm.getelementptr %m[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %po = llvm.getelementptr %o[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %a = llvm.load %p : !llvm.ptr -> f32
        {SINGLE[name].text()}
        llvm.store %r, %po : f32, !llvm.ptr
        llvm.return }}""",
        "sm_80",
    )


def worst(name: str, bits: int) -> tuple[float, float]:
    """The largest error in ulp of the exact result, and where it is."""
    module, random = kernel(name), np.random.default_rng(bits)
    step = 1 << (32 - bits)
    found = (0.0, 0.0)
    for first in range(0, 1 << 32, CHUNK * step):
        patterns = first + step * np.arange(CHUNK, dtype=np.uint64)
        if step > 1:
            patterns += random.integers(0, step, CHUNK, dtype=np.uint64)
        x = patterns.astype(np.uint32).view(np.float32)
        out = np.zeros_like(x)
        run(module, "k", CHUNK // THREADS, THREADS, [x, out], check="fast")
        with np.errstate(all="ignore"):
            off = errors(out, np.asarray(SINGLE[name].reference(x.astype(np.float64))))
        at = int(np.argmax(off))
        found = max(found, (float(off[at]), float(x[at])))
    return found


def main() -> None:
    """Check and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[name for name, f in SINGLE.items() if f.operands == 1])
    parser.add_argument("--bits", type=int, default=32)
    arguments = parser.parse_args()
    for name in arguments.names:
        error, at = worst(name, arguments.bits)
        print(f"{name}: {error:.3f} ulp at {at!r} (CUDA {SINGLE[name].documented})", flush=True)


if __name__ == "__main__":
    main()
