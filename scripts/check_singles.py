"""The largest errors of functions of f32 over all 2^32 arguments: `python scripts/check_singles.py exp log floorf`.

`--bits 24` takes one argument of each 2^8 neighbours instead, in steps of 2^8 + 1 patterns.  References are computed in
f64 by `references.c`, or are exact by `exact.c`, which a C compiler makes of libm; weft's code runs on the simulator,
compiled, with the hardware's approximations correctly rounded.  `--record` keeps what is found in `singles.json`, from
which `measure_math` takes it as long as the function's PTX is the same; names that it has so are left out.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.codegen import cuda_bounds  # noqa: E402
from tests.codegen.functions import SINGLE  # noqa: E402
from tests.codegen.libdevice_cases import CASES, DTYPES, MLIR  # noqa: E402
from weft.codegen import compile_module  # noqa: E402
from weft.dataclass import dataclass  # noqa: E402
from weft.sim import run  # noqa: E402

CHUNK = 1 << 21
THREADS = 1024
CTAS = 32
RECORD = Path(__file__).with_name("singles.json")
ONLY_LIBDEVICE = [
    "cospi", "cyl_bessel_i0", "cyl_bessel_i1", "erfcinv", "erfcx", "erfinv", "j0", "j1", "lgamma", "normcdf",
    "normcdfinv", "rcbrt", "rsqrt", "sinpi", "tgamma", "y0", "y1",
]  # fmt: skip
"""The functions of one argument that only libdevice has, or that `math` takes as instructions."""
PARTS = {"sincos": ("sin", "cos"), "sincospi": ("sinpi", "cospi")}
"""Functions with two results, each of which is another function's."""
WITH_ERRORS = [*(name for name, f in SINGLE.items() if f.operands == 1), *ONLY_LIBDEVICE, *PARTS]
EXACT = [
    "floorf",
    "ceilf",
    "truncf",
    "rintf",
    "nearbyintf",
    "roundf",
    "fabsf",
    "saturatef",
    "sqrtf",
    "frsqrt_rn",
    "logbf",
    "frexpf",
    "modff",
    "llrintf",
    "llroundf",
    "float_as_int",
    "float_as_uint",
    "isnanf",
    "isinff",
    "finitef",
    "signbitf",
    "float2half_rn",
    "ilogbf",
    "frcp_rn",
    "frcp_rz",
    "frcp_rd",
    "frcp_ru",
    "fsqrt_rn",
    "fsqrt_rz",
    "fsqrt_rd",
    "fsqrt_ru",
    "float2int_rn",
    "float2int_rz",
    "float2int_rd",
    "float2int_ru",
    "float2uint_rn",
    "float2uint_rz",
    "float2uint_rd",
    "float2uint_ru",
    "float2ll_rn",
    "float2ll_rz",
    "float2ll_rd",
    "float2ll_ru",
    "float2ull_rn",
    "float2ull_rz",
    "float2ull_rd",
    "float2ull_ru",
]
"""Functions of libdevice that have one right result, by their own names."""
NAMES = [*EXACT, *WITH_ERRORS]


class Measured(ctypes.Structure):
    """What `references.c` has found so far."""

    _fields_ = (
        ("ulp", ctypes.c_double), ("absolute", ctypes.c_double), ("apart", ctypes.c_int64), ("at", ctypes.c_float),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found:
    """The largest error in ulp of the exact result, where it is, and the largest distance from the rounded result.

    `absolute` is the largest error of Bessel functions from `cuda_bounds.BESSEL` on, where the others are not counted;
    `wrong` says how many results of an exact function are others.
    """

    of: str
    ulp: float
    at: str
    apart: int
    absolute: float = 0.0
    wrong: int = 0


@cache
def kernel_of(function: str, kind: str, operands: int = 1) -> Any:
    """A kernel that applies an operation, an intrinsic or a function of libdevice to the elements of arrays."""
    kinds, values = ", ".join([kind] * operands), ", ".join(f"%x{i}" for i in range(operands))
    declared, call = "", f"{function} {values} : {kind}"
    if function.startswith("__nv_"):
        declared = f"llvm.func @{function}({kinds}) -> {kind}"
        call = f"llvm.call @{function}({values}) : ({kinds}) -> {kind}"
    if function.startswith("llvm."):
        call = f"{function}({values}) : ({kinds}) -> {kind}"
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


def function_of(name: str) -> str:
    """The name that libdevice has for a function."""
    return f"__nv_{name}" if name in EXACT else f"__nv_{name}f"


@cache
def scanner(name: str) -> Any:
    """A kernel that applies a function to the f32 with the patterns from a first one on, and stores all its results."""
    function = function_of(name)
    case = CASES[function.removeprefix("__nv_")]
    kinds = ", ".join(["f32"] + ["!llvm.ptr"] * len(case.stored))
    kept = len(case.outputs) - len(case.stored)
    places = "\n".join(
        f"%p{j} = llvm.getelementptr %o{j}[%i] : (!llvm.ptr, i32) -> !llvm.ptr, {MLIR[kind]}"
        for j, kind in enumerate(case.outputs)
    )
    outputs = "".join(f", %o{j}: !llvm.ptr" for j in range(len(case.outputs)))
    operands = ", ".join(["%x"] + [f"%p{kept + j}" for j in range(len(case.stored))])
    call = f"llvm.call @{function}({operands}) : ({kinds}) -> "
    call = (
        f"%r = {call}{MLIR[case.result]}\nllvm.store %r, %p0 : {MLIR[case.result]}, !llvm.ptr" if kept else f"{call}()"
    )
    return compile_module(
        f"""llvm.func @{function}({kinds}){" -> " + MLIR[case.result] if kept else ""}
        llvm.func @k(%first: i32, %end: i32{outputs}) attributes {{nvvm.kernel}} {{
        %t = nvvm.read.ptx.sreg.tid.x : i32
        %b = nvvm.read.ptx.sreg.ctaid.x : i32
        %n = nvvm.read.ptx.sreg.ntid.x : i32
        %g = nvvm.read.ptx.sreg.nctaid.x : i32
        %q = llvm.mul %b, %n : i32
        %start = llvm.add %q, %t : i32
        %step = llvm.mul %n, %g : i32
        llvm.br ^loop(%start : i32)
        ^loop(%i: i32):
        %w = llvm.add %i, %first : i32
        %x = llvm.bitcast %w : i32 to f32
        {places}
        {call}
        %next = llvm.add %i, %step : i32
        %more = llvm.icmp "slt" %next, %end : i32
        llvm.cond_br %more, ^loop(%next : i32), ^done
        ^done:
        llvm.return }}""",
        "sm_80",
    )


def fingerprint(name: str) -> str:
    """What changes with the function's code."""
    return hashlib.sha256(str(scanner(name)).encode()).hexdigest()[:16]


@cache
def library(source: str) -> ctypes.CDLL:
    """`references.c` or `exact.c`, compiled."""
    target = Path(tempfile.mkdtemp(prefix="weft-references-"), "references.so")
    flags = ["-O3", "-fno-math-errno", "-march=native", "-shared", "-fPIC"]
    flags.append("-frounding-math" if source == "exact.c" else "-fno-trapping-math")
    subprocess.run(["cc", *flags, "-o", target, Path(__file__).with_name(source), "-lmvec", "-lm"], check=True)
    return ctypes.CDLL(str(target))


def place(array: np.ndarray) -> ctypes.c_void_p:
    """Where an array's elements are."""
    return array.ctypes.data_as(ctypes.c_void_p)


class Scan:
    """The results of a function, a chunk at a time."""

    def __init__(self, name: str) -> None:
        self.module = scanner(name)
        self.kinds = CASES[function_of(name).removeprefix("__nv_")].outputs

    def results(self, first: int) -> list[np.ndarray]:
        """What the function gives for `CHUNK` patterns."""
        out = [np.zeros(CHUNK, DTYPES[kind]) for kind in self.kinds]
        run(self.module, "k", CTAS, THREADS, [first, CHUNK, *out], check="fast", engine="native")
        return out


def chunks(bits: int, signs: int) -> list[int]:
    """The first patterns of chunks that 2^bits arguments are in: all, or as many of each binade."""
    whole = range(0, 1 << 32 - (signs - 1), CHUNK)
    return list(whole)[:: 1 << 32 - bits] if bits < 32 else list(whole)


def worst(name: str, bits: int = 32) -> Found:
    """The largest errors over these arguments."""
    return _worst_exact(name, bits) if name in EXACT else _worst(name, bits)


def _worst_exact(name: str, bits: int) -> Found:
    lib, scan = library("exact.c"), Scan(name)
    parts = [f"{name}_{i}" for i in range(len(scan.kinds))] if len(scan.kinds) > 1 else [name]
    numbers = [lib.find(part.encode()) for part in parts]
    at, wrong = ctypes.c_float(), 0
    for first in chunks(bits, 1):
        for number, out in zip(numbers, scan.results(first), strict=True):
            wrong += lib.check(number, ctypes.c_uint32(first), place(out), ctypes.c_long(CHUNK), ctypes.byref(at))
    return Found(f"2^{bits}", 0.0, repr(at.value) if wrong else "", 0, wrong=wrong)


def _worst(name: str, bits: int) -> Found:
    lib, scan = library("references.c"), Scan(name)
    numbers = [lib.find(part.encode()) for part in PARTS.get(name, (name,))]
    low, high = cuda_bounds.LGAMMA["f32"] if name == "lgamma" else (0.0, 0.0)
    border = cuda_bounds.BESSEL if name in ("j0", "j1", "y0", "y1") else float("inf")
    measured = Measured()
    for first in chunks(bits, 2):
        both = zip(numbers, scan.results(first), scan.results(first | 1 << 31), strict=True)
        for number, found, mirrored in both:
            lib.check(
                number, ctypes.c_uint32(first), place(found), place(mirrored), ctypes.c_long(CHUNK),
                *map(ctypes.c_double, (low, high, border)), ctypes.byref(measured),
            )  # fmt: skip
    return Found(f"2^{bits}", measured.ulp, repr(measured.at), measured.apart, measured.absolute)


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
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--bits", type=int, default=32)
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    for name in given.names:
        if given.record and recorded(name):
            continue
        found = worst(name, given.bits)
        if given.record:
            _record(name, found)
        far = f", absolute {found.absolute:.3g} beyond {cuda_bounds.BESSEL}" if found.absolute else ""
        bound = cuda_bounds.F32.get(name)
        errors = f"{found.ulp:.3f} ulp at {found.at}, {found.apart} from the rounded result (CUDA {bound})"
        told = f"{found.wrong} wrong {found.at}" if name in EXACT else errors
        print(f"{name}: {told}{far}, of {found.of}, {time.process_time():.0f} s of processor time", flush=True)


if __name__ == "__main__":
    main()
