"""The functions that only libdevice has beside nvcc's, their errors and lengths, for `measure_math`."""

from __future__ import annotations

from collections.abc import Callable

import check_points  # pyright: ignore[reportImplicitRelativeImport]
import check_singles  # pyright: ignore[reportImplicitRelativeImport]

import weft
from tests.codegen import cuda_bounds
from weft.codegen import compile_module
from weft.ptx.ast import Module

FUNCTIONS = (
    "cyl_bessel_i0", "cyl_bessel_i1", "erfcinv", "erfcx", "erfinv", "j0", "j1", "lgamma", "normcdf", "normcdfinv",
    "rcbrt", "tgamma", "y0", "y1",
)  # fmt: skip

_COLUMNS = " | ".join(f"CUDA ulp | {kind} ulp | apart | of | {kind} SASS | libdevice" for kind in ("f32", "f64"))
HEADS = (f"| function | {_COLUMNS} |", "|---" * 13 + "|")


def told(found: check_singles.Found | check_points.Found, of: str) -> str:
    """The cells of the largest errors."""
    return f"{found.ulp:.2f} | {found.apart} | {of}"


def kernel(name: str, kind: str) -> Module:
    """A kernel that calls the function (none for an empty name) on each element."""
    full = f"__nv_{name}{'f' if kind == 'f32' else ''}"
    call = f"%r = llvm.call @{full}(%x) : ({kind}) -> {kind}" if name else f"%r = llvm.freeze %x : {kind}"
    return compile_module(
        f"""llvm.func @{full}({kind}) -> {kind}
      llvm.func @k(%m: !llvm.ptr, %o: !llvm.ptr) attributes {{nvvm.kernel}} {{
        %t = nvvm.read.ptx.sreg.tid.x : i32
        %p = llvm.getelementptr %m[%t] : (!llvm.ptr, i32) -> !llvm.ptr, {kind}
        %po = llvm.getelementptr %o[%t] : (!llvm.ptr, i32) -> !llvm.ptr, {kind}
        %x = llvm.load %p : !llvm.ptr -> {kind}
        {call}
        llvm.store %r, %po : {kind}, !llvm.ptr
        llvm.return }}""",
        "sm_80",
    )


def length(name: str, kind: str) -> int:
    """SASS instructions for sm_80."""
    return weft.disassemble(weft.assemble(kernel(name, kind)))["k"].count


def table(theirs: dict[tuple[str, str], int], bits: int, points: Callable[[str], str]) -> str:
    """Rows for all of them: of so many bits of arguments of f32, and of what `points` gives; `theirs` is nvcc's."""
    rows: list[str] = list(HEADS)
    for name in FUNCTIONS:
        found = check_singles.recorded(name) or check_singles.worst(name, bits)
        single = f"{cuda_bounds.F32[name]} | {told(found, found.of)}"
        double = f"{cuda_bounds.F64[name]} | {points(name)}"
        lengths = [f"{length(name, kind) - length('', kind)} | {theirs[name, kind]}" for kind in ("f32", "f64")]
        rows.append(f"| {name} | {single} | {lengths[0]} | {double} | {lengths[1]} |")
    return "\n".join(rows)
