"""Write docs/math.md: how long weft's elementary functions are beside libdevice's, and how exact.

Needs ptxas, nvcc and mpmath.  `--count 24` takes 2^24 bit patterns for each function of f32 (default 24).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import check_singles  # pyright: ignore[reportImplicitRelativeImport]
import measure_special  # pyright: ignore[reportImplicitRelativeImport]
import mpmath  # pyright: ignore[reportMissingTypeStubs]
import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import weft  # noqa: E402
from tests.codegen.functions import SINGLE, errors, operands  # noqa: E402
from tests.codegen.support import elementwise  # noqa: E402
from weft.toolchain.find import need, run  # noqa: E402

mp: Any = mpmath.mp  # pyright: ignore[reportUnknownMemberType]
mp.prec = 120
POINTS = 2048
EXACT: dict[str, Callable[..., Any]] = {
    "cbrt": lambda x: mp.sign(x) * mp.root(abs(x), 3),
    "exp2": lambda x: mp.mpf(2) ** x,
    "exp10": lambda x: mp.mpf(10) ** x,
    "log2": lambda x: mp.log(x) / mp.log(2),
    "log10": lambda x: mp.log(x) / mp.log(10),
    "pow": mp.power,
}
DOMAINS: dict[str, tuple[float, float]] = {
    "acos": (-1, 1), "acosh": (1, 20), "asin": (-1, 1), "atanh": (-1, 1), "cosh": (-710, 710), "erf": (-6, 6),
    "erfc": (-6, 27), "exp": (-745, 709), "exp10": (-323, 308), "exp2": (-1074, 1023), "expm1": (-40, 709),
    "log": (0, 10), "log10": (0, 10), "log1p": (-0.999, 50), "log2": (0, 10), "pow": (0, 30), "sinh": (-710, 710),
    "tanh": (-20, 20),
}  # fmt: skip
CUDA = {"pow": "pow(p[i], p[i + 1])"}


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


def single_error(name: str, count: int) -> str:
    """The largest errors of a function of f32 over all arguments, or `count` of them; of two operands over fewer."""
    function, worst = SINGLE[name], 0.0
    if function.operands == 1:
        found = check_singles.recorded(name) or check_singles.worst(name, count.bit_length() - 1)
        return f"{found.ulp:.2f} | {found.apart} | {found.of}"
    for seed in range(4):
        values = operands(min(count, 1 << 20), function.operands, seed)
        with np.errstate(all="ignore"):
            wanted = np.asarray(function.reference(*(v.astype(np.float64) for v in values)))
            found = elementwise(function.text(), *values, result=np.float32)
        worst = max(worst, float(errors(found, wanted).max()))
    return f"{worst:.2f} | | 2^22"


def double_error(name: str) -> float:
    """The largest error of a function of f64 over a sample, against 120 bits."""
    random = np.random.default_rng(5)
    low, high = DOMAINS.get(name, (-30.0, 30.0))
    near = np.clip(random.choice([-1.0, 1.0], POINTS // 2) * 2.0 ** random.uniform(-40, 1, POINTS // 2), low, high)
    x = np.concatenate([random.uniform(low, high, POINTS - POINTS // 2), near])
    values = [x, random.uniform(-200, 200, POINTS)][: SINGLE[name].operands]
    found = elementwise(SINGLE[name].text().replace("f32", "f64"), *values, result=np.float64)
    exact = EXACT.get(name) or getattr(mp, name)
    worst = 0.0
    for i in range(POINTS):
        arguments = [mp.mpf(float(v[i])) for v in values]
        if not np.isfinite(found[i]) or (name.startswith(("log", "pow")) and arguments[0] <= (name == "log1p") * -1):
            continue
        wanted = exact(*arguments)
        unit = max(abs(float(np.spacing(float(wanted)))), 5e-324)
        worst = max(worst, float(abs(mp.mpf(float(found[i])) - wanted) / mp.mpf(unit)))
    return worst


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=24)
    count = 1 << parser.parse_args().count
    peer = theirs()
    base = {kind: ours("", kind) for kind in ("f32", "f64")}
    rows = [
        "| function | CUDA ulp | f32 ulp | apart | of | f32 SASS | libdevice | f64 ulp | f64 SASS | libdevice |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, function in SINGLE.items():
        lengths = [f"{ours(name, k) - base[k]} | {peer[name, k]}" for k in ("f32", "f64")]
        rows.append(
            f"| {name} | {function.documented} | {single_error(name, count)} | {lengths[0]} |"
            f" {double_error(name):.2f} | {lengths[1]} |"
        )
    print(
        TEXT.format(
            count=f"2^{count.bit_length() - 1}",
            points=POINTS,
            table="\n".join(rows),
            special=measure_special.table(peer),
        )
    )


TEXT = """# Elementary functions

weft has its own code for the functions of `math`, for the intrinsics of `llvm` of the same meaning, and for the
functions of libdevice: nothing is linked. Functions of f32 are computed in f32, those of f64 in f64, those of f16 and
bf16 in f32. Coefficients are derived by `scripts/derive_coefficients.py`; each function says beside its code how it
works (`weft.codegen.elementary`, `weft.codegen.doubles`).

The table is written by `scripts/measure_math.py`. `ulp` is the largest error seen, in units in the last place of the
exact result, and `apart` the largest distance from the correctly rounded one, which is what `CUDA ulp`, CUDA's bound
for f32, counts. `of` says over how many arguments of f32: all 2^32, or one at random of each 2^10 or 2^8 neighbours,
with all of some sizes where it says so (`scripts/check_singles.py`; of two operands: mixtures of special, ordinary and
random ones); of f64 there are {points}, against 120 bits (`scripts/check_doubles.py` takes millions, against quadruple
precision). The simulator rounds the hardware's approximations correctly, so that on a GPU an error may be an ulp larger
where one is used. `SASS` counts static instructions for sm_80, slow paths included, without those of a kernel that only
copies; `libdevice` is nvcc's code for the same function.

{table}

The functions that only libdevice has, of f64 against 150 bits (`lgamma` outside of its zeros below -2.2; Bessel
functions of the first and second kind up to 8, from where on CUDA bounds their absolute error by 2.2e-6 and 5e-12:
weft's is 1e-7 and 1e-15).

{special}

With `fastmath<afn>` exp, exp2, exp10, log, log2, log10, sin, cos, tan, tanh, pow, sqrt, rsqrt and division of f32 are
the hardware's approximations; all others stay as they are.
"""

if __name__ == "__main__":
    main()
