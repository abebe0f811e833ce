"""Write docs/math.md: how long weft's elementary functions are beside libdevice's, and how exact.

Needs ptxas, nvcc and a C compiler.  `--count 24` takes 2^24 bit patterns for each function of f32 (default 24).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import check_points  # pyright: ignore[reportImplicitRelativeImport]
import check_singles  # pyright: ignore[reportImplicitRelativeImport]
import measure_special  # pyright: ignore[reportImplicitRelativeImport]

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import weft  # noqa: E402
from tests.codegen import cuda_bounds  # noqa: E402
from tests.codegen.functions import SINGLE  # noqa: E402
from weft.toolchain.find import need, run  # noqa: E402

POINTS = 1 << 21
"""Functions of f64, and of several arguments, are tried with so many where no longer run is recorded."""


def kernel(operation: str, kind: str, count: int) -> str:
    """A kernel that applies an operation to elements."""
    text = SINGLE[operation].text().replace("f32", kind) if operation else f"%r = arith.bitcast %a : {kind} to {kind}"
    loads = "".join(f"%{x} = llvm.load %p{x} : !llvm.ptr -> {kind}\n" for x in "ab"[:count])
    places = "".join(f"%p{x} = llvm.getelementptr %m{x}[%i] : (!llvm.ptr, i32) -> !llvm.ptr, {kind}\n" for x in "abo")
    return f"""llvm.func @k(%ma: !llvm.ptr, %mb: !llvm.ptr, %mo: !llvm.ptr) attributes {{nvvm.kernel}} {{
        %i = nvvm.read.ptx.sreg.tid.x : i32
        {places}{loads}{text}
        llvm.store %r, %po : {kind}, !llvm.ptr
        llvm.return }}"""


def ours(operation: str, kind: str) -> int:
    """SASS instructions of weft's code, without what a kernel without it has."""
    count = SINGLE[operation].operands if operation else 1
    cubin = weft.assemble(weft.compile(kernel(operation, kind, count), target="sm_80"))
    return weft.disassemble(cubin)["k"].count


def theirs() -> dict[tuple[str, str], int]:
    """The same of nvcc's, for all functions at once."""
    lines: list[str] = []
    for kind, suffix in (("float", "f"), ("double", "")):
        for name, function in [*SINGLE.items(), *((name, None) for name in ("none", *measure_special.FUNCTIONS))]:
            pair = function is not None and function.operands == 2
            call = "x" if name == "none" else f"{name}{suffix}({'x, y' if pair else 'x'})"
            lines.append(
                f'extern "C" __global__ void k_{name}_{kind}(const {kind}* a, const {kind}* b, {kind}* o) {{'
                f" int i = threadIdx.x; {kind} x = a[i]{', y = b[i]' if pair else ''}; o[i] = {call}; }}"
            )
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder, "k.cu"), Path(folder, "k.cubin")
        source.write_text("\n".join(lines))
        run([str(need("nvcc").path), "-arch=sm_80", "-cubin", "-o", str(cubin), str(source)])
        found = weft.disassemble(cubin.read_bytes())
    out: dict[tuple[str, str], int] = {}
    for kind, name in (("float", "f32"), ("double", "f64")):
        base = found[f"k_none_{kind}"].count
        out |= {(f, name): found[f"k_{f}_{kind}"].count - base for f in (*SINGLE, *measure_special.FUNCTIONS)}
    return out


def single_error(name: str, bits: int) -> str:
    """The largest errors of a function of f32 over all arguments, or so many bits of them; of two over fewer."""
    if SINGLE[name].operands > 1:
        return points(f"{name}f")
    found = check_singles.recorded(name) or check_singles.worst(name, bits)
    return measure_special.told(found, found.of)


def points(name: str) -> str:
    """The largest errors of a function of f64, or of several arguments, and over how many."""
    found = check_points.recorded(name) or check_points.worst(name, POINTS)
    return measure_special.told(found, f"{found.of / 1e6:.0f} M")


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=24)
    bits: int = parser.parse_args().count
    peer = theirs()
    base = {kind: ours("", kind) for kind in ("f32", "f64")}
    rows: list[str] = list(measure_special.HEADS)
    for name in SINGLE:
        lengths = [f"{ours(name, k) - base[k]} | {peer[name, k]}" for k in ("f32", "f64")]
        bound = cuda_bounds.F64[name]
        rows.append(
            f"| {name} | {cuda_bounds.F32[name]} | {single_error(name, bits)} | {lengths[0]} |"
            f" {bound} | {points(name)} | {lengths[1]} |"
        )
    print(
        TEXT.format(
            table="\n".join(rows),
            special=measure_special.table(peer, bits, points),
        )
    )


TEXT = """# Elementary functions

weft has its own code for the functions of `math`, for the intrinsics of `llvm` of the same meaning, and for the
functions of libdevice: nothing is linked. Functions of f32 are computed in f32, those of f64 in f64, those of f16 and
bf16 in f32. Coefficients are derived by `scripts/derive_coefficients.py`; each function says beside its code how it
works (`weft.codegen.elementary`, `weft.codegen.doubles`).

The table is written by `scripts/measure_math.py`. `ulp` is the largest error seen, in units in the last place of the
exact result, and `apart` the largest distance from the correctly rounded one, which is what `CUDA ulp`, CUDA's bound,
counts: an error up to half a unit more than it is within it. `of` says over how many arguments: all 2^32 of f32
(`scripts/check_singles.py`); of f64, and of several operands, millions of ordinary, small, large and random ones and of
hard ones (neighbours of multiples of pi/2, of ends of ranges, of whole powers, of ties), against quadruple precision
(`scripts/check_points.py`). Those of f16 and bf16 are checked over all their arguments (`scripts/check_halves.py`). The
simulator rounds the hardware's approximations correctly, so that on a GPU an error may be an ulp larger where one is
used. `SASS` counts static instructions for sm_80, slow paths
included, without those of a kernel that only copies; `libdevice` is nvcc's code for the same function.

{table}

The functions that only libdevice has (of f64, `lgamma` from -10 to -2.2 is left out, and near its zeros below it is as
far off as libdevice's; Bessel functions of the first and second kind up to 8, from where on CUDA bounds their absolute
error by 2.2e-6 and 5e-12: weft's is 1e-7 and 1e-15).

{special}

With `fastmath<afn>` exp, exp2, exp10, log, log2, log10, sin, cos, tan, tanh, pow, sqrt, rsqrt and division of f32 are
the hardware's approximations; all others stay as they are.
"""

if __name__ == "__main__":
    main()
