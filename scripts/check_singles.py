"""The largest errors of functions of f32 over all 2^32 arguments: `python scripts/check_singles.py exp log`.

`--bits 24` takes one argument at random of each 2^8 neighbours instead. References are computed in f64, by
`references.c`, which a C compiler makes of libm; weft's code runs on the simulator, compiled, with the hardware's
approximations correctly rounded. `--record` keeps what is found in `singles.json`, from which `measure_math` takes it
as long as the function's PTX is the same.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import json
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.codegen.functions import SINGLE  # noqa: E402
from weft.codegen import compile_module  # noqa: E402
from weft.dataclass import dataclass  # noqa: E402
from weft.sim import run  # noqa: E402

CHUNK = 1 << 21
THREADS = 1024
RECORD = Path(__file__).with_name("singles.json")
BESSEL = 8.0
"""From here on CUDA bounds the absolute error of Bessel functions of the first and second kind."""
ONLY_LIBDEVICE = {
    "cospi": 2, "cyl_bessel_i0": 6, "cyl_bessel_i1": 6, "erfcinv": 4, "erfcx": 4, "erfinv": 2, "j0": 9, "j1": 9,
    "lgamma": 6, "normcdf": 5, "normcdfinv": 5, "rcbrt": 1, "rsqrt": 2, "sinpi": 2, "sqrt": 0, "tgamma": 11, "y0": 9,
    "y1": 9,
}  # fmt: skip
"""CUDA's bounds for the functions of one argument that only libdevice has, or that `math` takes as instructions."""
DOCUMENTED = {name: f.documented for name, f in SINGLE.items() if f.operands == 1} | ONLY_LIBDEVICE


@dataclass(frozen=True, slots=True)
class Found:
    """The largest error in ulp of the exact result, where it is, and the largest distance from the rounded result.

    `absolute` is the largest error of Bessel functions beyond `BESSEL`, where the others are not counted.
    """

    bits: int
    ulp: float
    at: str
    apart: int
    absolute: float = 0.0


def text(name: str) -> str:
    """A kernel that applies the function to the words of an array."""
    call = "" if name == "rsqrt" else f"llvm.func @__nv_{name}f(f32) -> f32\n"
    apply = "math.rsqrt %a : f32" if name == "rsqrt" else f"llvm.call @__nv_{name}f(%a) : (f32) -> f32"
    return f"""{call}llvm.func @k(%m: !llvm.ptr, %o: !llvm.ptr) attributes {{nvvm.kernel}} {{
        %t = nvvm.read.ptx.sreg.tid.x : i32
        %b = nvvm.read.ptx.sreg.ctaid.x : i32
        %n = nvvm.read.ptx.sreg.ntid.x : i32
        %q = llvm.mul %b, %n : i32
        %i = llvm.add %q, %t : i32
        %p = llvm.getelementptr %m[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %po = llvm.getelementptr %o[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %a = llvm.load %p : !llvm.ptr -> f32
        %r = {apply}
        llvm.store %r, %po : f32, !llvm.ptr
        llvm.return }}"""


@cache
def kernel(name: str) -> Any:
    """The kernel as a module of PTX."""
    return compile_module(text(name), "sm_80")


def fingerprint(name: str) -> str:
    """What changes with the function's code."""
    return hashlib.sha256(str(kernel(name)).encode()).hexdigest()[:16]


@cache
def library() -> ctypes.CDLL:
    """`references.c`, compiled."""
    folder = tempfile.mkdtemp(prefix="weft-references-")
    target = Path(folder, "references.so")
    flags = ["-O3", "-fno-math-errno", "-fno-trapping-math", "-march=native", "-shared", "-fPIC"]
    source = Path(__file__).with_name("references.c")
    subprocess.run(["cc", *flags, "-o", target, source, "-lmvec", "-lm"], check=True)
    return ctypes.CDLL(str(target))


def _place(array: np.ndarray) -> ctypes.c_void_p:
    return array.ctypes.data_as(ctypes.c_void_p)


def worst(name: str, bits: int) -> Found:
    """The largest errors over one argument of each 2^(32 - bits) neighbours."""
    module, random, step = kernel(name), np.random.default_rng(bits), 1 << (32 - bits)
    reference = getattr(library(), f"reference_{name}")
    out, wanted = np.zeros(CHUNK, np.float32), np.zeros(CHUNK)
    error, at, absolute = ctypes.c_double(), ctypes.c_float(), ctypes.c_double()
    apart = ctypes.c_int64()
    low, high = (-10.001, -2.264) if name == "lgamma" else (0.0, 0.0)
    border = BESSEL if name in ("j0", "j1", "y0", "y1") else float("inf")
    patterns = np.arange(0, CHUNK * step, step, dtype=np.uint32)
    for first in range(0, 1 << 32, CHUNK * step):
        if first:
            patterns += np.uint32(CHUNK * step)
        x = (patterns if step == 1 else patterns + random.integers(0, step, CHUNK, dtype=np.uint32)).view(np.float32)
        run(module, "k", CHUNK // THREADS, THREADS, [x, out], check="fast", engine="native")
        reference(_place(x), _place(out), _place(wanted), ctypes.c_long(CHUNK))
        library().compare(
            *map(_place, (x, out, wanted)), ctypes.c_long(CHUNK), *map(ctypes.c_double, (low, high, border)),
            *map(ctypes.byref, (error, at, apart, absolute)),
        )  # fmt: skip
    return Found(bits, error.value, repr(at.value), apart.value, absolute.value)


def recorded(name: str) -> Found | None:
    """What a run over all arguments has found, if the code is still the same."""
    rows: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    row = dict(rows.get(name, {}))
    return Found(**row) if row.pop("code", None) == fingerprint(name) else None


def _record(name: str, found: Found) -> None:
    rows = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    rows[name] = {field: getattr(found, field) for field in Found.__slots__} | {"code": fingerprint(name)}
    lines = [f"  {json.dumps(key)}: {json.dumps(rows[key])}" for key in sorted(rows)]
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def main() -> None:
    """Check and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(DOCUMENTED))
    parser.add_argument("--bits", type=int, default=32)
    parser.add_argument("--record", action="store_true")
    arguments = parser.parse_args()
    for name in arguments.names:
        found = worst(name, arguments.bits)
        if arguments.record:
            _record(name, found)
        far = f", absolute {found.absolute:.3g} beyond {BESSEL}" if found.absolute else ""
        print(
            f"{name}: {found.ulp:.3f} ulp at {found.at}, {found.apart} from the rounded result"
            f" (CUDA {DOCUMENTED[name]}){far}",
            flush=True,
        )


if __name__ == "__main__":
    main()
