"""The largest errors of functions of f32 over all 2^32 arguments: `python scripts/check_singles.py exp log`.

`--bits 24` takes one argument at random of each 2^8 neighbours instead, `--bits 24 --all-of -13 7` all those with sizes
from 2^-13 to 2^7 and one of each 2^8 others. References are computed in f64, by
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
from collections.abc import Iterator
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

    of: str
    ulp: float
    at: str
    apart: int
    absolute: float = 0.0


@cache
def kernel_of(function: str, kind: str, operands: int = 1) -> Any:
    """A kernel that applies an operation of `math` or a function of libdevice to the elements of arrays."""
    kinds, values = ", ".join([kind] * operands), ", ".join(f"%x{i}" for i in range(operands))
    declared, call = "", f"{function} {values} : {kind}"
    if function.startswith("__nv_"):
        declared = f"llvm.func @{function}({kinds}) -> {kind}"
        call = f"llvm.call @{function}({values}) : ({kinds}) -> {kind}"
    loads = "\n".join(
        f"%p{i} = llvm.getelementptr %m{i}[%i] : (!llvm.ptr, i32) -> !llvm.ptr, {kind}\n"
        f"%x{i} = llvm.load %p{i} : !llvm.ptr -> {kind}"
        for i in range(operands)
    )
    parameters = ", ".join(f"%m{i}: !llvm.ptr" for i in range(operands))
    return compile_module(
        f"""{declared}
        llvm.func @k({parameters}, %o: !llvm.ptr) attributes {{nvvm.kernel}} {{
        %t = nvvm.read.ptx.sreg.tid.x : i32
        %b = nvvm.read.ptx.sreg.ctaid.x : i32
        %n = nvvm.read.ptx.sreg.ntid.x : i32
        %q = llvm.mul %b, %n : i32
        %i = llvm.add %q, %t : i32
        {loads}
        %po = llvm.getelementptr %o[%i] : (!llvm.ptr, i32) -> !llvm.ptr, {kind}
        %r = {call}
        llvm.store %r, %po : {kind}, !llvm.ptr
        llvm.return }}""",
        "sm_80",
    )


def kernel(name: str) -> Any:
    """The kernel of a function of f32."""
    return kernel_of("math.rsqrt" if name == "rsqrt" else f"__nv_{name}f", "f32")


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


def place(array: np.ndarray) -> ctypes.c_void_p:
    """Where an array's elements are."""
    return array.ctypes.data_as(ctypes.c_void_p)


BINADE = 1 << 23


def arguments_of(bits: int, inside: tuple[int, int]) -> Iterator[np.ndarray]:
    """One argument of each 2^(32 - bits) neighbours, all with sizes between two powers of two; `CHUNK` at a time."""
    random, step = np.random.default_rng(bits), 1 << (32 - bits)
    dense = (
        [s << 31 | (127 + e) << 23 for s in (0, 1) for e in range(*inside)] if step > 1 else range(0, 1 << 32, BINADE)
    )
    for first in dense:
        for chunk in range(first, first + BINADE, CHUNK):
            yield np.arange(chunk, chunk + CHUNK, dtype=np.uint64).astype(np.uint32).view(np.float32)
    for first in range(0, 1 << 32, CHUNK * step) if step > 1 else ():
        patterns = np.arange(first, first + CHUNK * step, step, dtype=np.uint64).astype(np.uint32)
        yield (patterns + random.integers(0, step, CHUNK, dtype=np.uint32)).view(np.float32)


def worst(name: str, bits: int, inside: tuple[int, int] = (0, 0)) -> Found:
    """The largest errors over these arguments."""
    module = kernel(name)
    reference = getattr(library(), f"reference_{name}")
    out, wanted = np.zeros(CHUNK, np.float32), np.zeros(CHUNK)
    error, at, absolute = ctypes.c_double(), ctypes.c_float(), ctypes.c_double()
    apart = ctypes.c_int64()
    low, high = (-10.001, -2.264) if name == "lgamma" else (0.0, 0.0)
    border = BESSEL if name in ("j0", "j1", "y0", "y1") else float("inf")
    for x in arguments_of(bits, inside):
        run(module, "k", CHUNK // THREADS, THREADS, [x, out], check="fast", engine="native")
        reference(place(x), place(out), place(wanted), ctypes.c_long(CHUNK))
        library().compare(
            *map(place, (x, out, wanted)), ctypes.c_long(CHUNK), *map(ctypes.c_double, (low, high, border)),
            *map(ctypes.byref, (error, at, apart, absolute)),
        )  # fmt: skip
    of = f"2^{bits}" if inside == (0, 0) else f"2^{bits}, all from 2^{inside[0]} to 2^{inside[1]}"
    return Found(of, error.value, repr(at.value), apart.value, absolute.value)


def recorded(name: str) -> Found | None:
    """What a run has found, if the code is still the same."""
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
    parser.add_argument("--all-of", type=int, nargs=2, default=(0, 0))
    parser.add_argument("--record", action="store_true")
    arguments = parser.parse_args()
    for name in arguments.names:
        found = worst(name, arguments.bits, tuple(arguments.all_of))
        if arguments.record:
            _record(name, found)
        far = f", absolute {found.absolute:.3g} beyond {BESSEL}" if found.absolute else ""
        print(
            f"{name}: {found.ulp:.3f} ulp at {found.at}, {found.apart} from the rounded result"
            f" (CUDA {DOCUMENTED[name]}){far}, of {found.of}",
            flush=True,
        )


if __name__ == "__main__":
    main()
