"""The functions of libdevice: their signatures, and calls of them in MLIR and in CUDA."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

SIGNATURES = """
i=i: clz popc brev abs ffs
i=l: clzll popcll ffsll
i=iii: byte_perm sad usad
i=ii: min umin max umax mulhi umulhi mul24 umul24 hadd rhadd uhadd urhadd
l=ll: llmin ullmin llmax ullmax mul64hi umul64hi
l=l: brevll llabs
f=f: floorf fabsf rsqrtf exp2f truncf ceilf saturatef frcp_rn frcp_rz frcp_rd frcp_ru fsqrt_rn fsqrt_rz fsqrt_rd
    fsqrt_ru sqrtf fast_sinf fast_cosf fast_log2f fast_logf fast_expf fast_tanhf tanhf fast_tanf fast_exp10f
    fast_log10f frsqrt_rn rintf nearbyintf sinf cosf sinpif cospif tanf log2f expf exp10f coshf sinhf atanf asinf
    acosf logf log10f log1pf acoshf asinhf atanhf expm1f cbrtf rcbrtf j0f j1f y0f y1f cyl_bessel_i0f cyl_bessel_i1f
    erff erfinvf erfcf erfcxf erfcinvf normcdfinvf normcdff lgammaf tgammaf roundf logbf
d=d: floor fabs rcp64h rsqrt ceil trunc drcp_rn drcp_rz drcp_rd drcp_ru dsqrt_rn dsqrt_rz dsqrt_rd dsqrt_ru sqrt
    rint nearbyint sin cos sinpi cospi tan log log2 log10 log1p exp exp2 exp10 expm1 cosh sinh tanh atan asin acos
    acosh asinh atanh cbrt rcbrt j0 j1 y0 y1 cyl_bessel_i0 cyl_bessel_i1 erf erfinv erfcinv normcdfinv erfc erfcx
    normcdf tgamma lgamma round logb
f=ff: fminf fmaxf fast_fdividef fdiv_rn fdiv_rz fdiv_rd fdiv_ru fadd_rd fadd_ru fmul_rd fmul_ru fadd_rn fadd_rz
    fmul_rn fmul_rz fast_powf fsub_rn fsub_rz fsub_rd fsub_ru copysignf nextafterf atan2f hypotf rhypotf fmodf
    remainderf powf fdimf
d=dd: fmin fmax ddiv_rn ddiv_rz ddiv_rd ddiv_ru dadd_rn dadd_rz dadd_rd dadd_ru dmul_rn dmul_rz dmul_rd dmul_ru
    copysign atan2 hypot rhypot pow fmod remainder nextafter dsub_rn dsub_rz dsub_ru dsub_rd fdim
f=fff: fmaf_rn fmaf_rz fmaf_rd fmaf_ru fmaf_ieee_rn fmaf_ieee_rz fmaf_ieee_rd fmaf_ieee_ru norm3df rnorm3df fmaf
d=ddd: fma_rn fma_rz fma_rd fma_ru norm3d rnorm3d fma
f=d: double2float_rn double2float_rz double2float_rd double2float_ru
i=d: double2int_rn double2int_rz double2int_rd double2int_ru double2uint_rn double2uint_rz double2uint_rd
    double2uint_ru double2loint double2hiint signbitd isfinited isinfd isnand ilogb
d=i: int2double_rn uint2double_rn
i=f: float2int_rn float2int_rz float2int_rd float2int_ru float2uint_rn float2uint_rz float2uint_rd float2uint_ru
    float_as_int float_as_uint isnanf signbitf finitef isinff ilogbf
f=i: int2float_rn int2float_rz int2float_rd int2float_ru uint2float_rn uint2float_rz uint2float_rd uint2float_ru
    int_as_float uint_as_float
d=ii: hiloint2double
l=f: float2ll_rn float2ll_rz float2ll_rd float2ll_ru float2ull_rn float2ull_rz float2ull_rd float2ull_ru llrintf
    llroundf
l=d: double2ll_rn double2ll_rz double2ll_rd double2ll_ru double2ull_rn double2ull_rz double2ull_rd double2ull_ru
    double_as_longlong llrint llround
f=l: ll2float_rn ll2float_rz ll2float_rd ll2float_ru ull2float_rn ull2float_rz ull2float_rd ull2float_ru
d=l: ll2double_rn ll2double_rz ll2double_rd ll2double_ru ull2double_rn ull2double_rz ull2double_rd ull2double_ru
    longlong_as_double
h=f: float2half_rn
f=h: half2float
v=fpp: fast_sincosf sincosf sincospif
f=p: nanf
f=ffff: norm4df rnorm4df
f=ip: normf rnormf
f=if: ynf jnf
f=fi: ldexpf scalbnf powif
f=fp: frexpf modff
f=ffp: remquof
d=di: powi ldexp scalbn
v=dpp: sincos sincospi
d=dddd: norm4d rnorm4d
d=ip: norm rnorm
d=id: yn jn
d=dp: frexp modf
d=ddp: remquo
d=p: nan
"""
"""`result=operands: names`, with i, l, h for integers of 32, 64 and 16 bits, f and d for floats, p for pointers."""

MLIR = {"i": "i32", "l": "i64", "h": "i16", "f": "f32", "d": "f64", "p": "!llvm.ptr"}
CUDA = {"i": "int", "l": "long long", "h": "unsigned short", "f": "float", "d": "double"}
DTYPES: dict[str, Any] = {"i": np.int32, "l": np.int64, "h": np.uint16, "f": np.float32, "d": np.float64}
STORED = {"sincos": "rr", "sincospi": "rr", "fast_sincos": "rr", "modf": "r", "frexp": "i", "remquo": "i"}
"""What the functions with pointers store there: floats of their own kind (`r`), or integers."""
TEXT, ARRAYS = ("nan",), ("norm", "rnorm")
"""Functions of a text, and of an array of any length: their pointers are operands."""


@dataclass(frozen=True, slots=True)
class Case:
    """A function, with its result first among `outputs` if it has one."""

    name: str
    result: str
    operands: str
    stored: str

    @property
    def outputs(self) -> str:
        """The kinds of all that it gives."""
        return self.result.replace("v", "") + self.stored

    def mlir(self) -> str:
        """A module whose kernel calls the function on each element."""
        pointers = ", ".join(f"%p{i}: !llvm.ptr" for i in range(len(self.operands) + len(self.outputs)))
        kinds = [MLIR[k] for k in self.operands] + ["!llvm.ptr"] * len(self.stored)
        lines: list[str] = []
        for i, kind in enumerate(self.operands):
            lines.append(f"%a{i} = llvm.getelementptr %p{i}[%i] : (!llvm.ptr, i32) -> !llvm.ptr, {MLIR[kind]}")
            lines.append(f"%x{i} = llvm.load %a{i} : !llvm.ptr -> {MLIR[kind]}")
        first = len(self.operands)
        for j, kind in enumerate(self.outputs):
            lines.append(f"%o{j} = llvm.getelementptr %p{first + j}[%i] : (!llvm.ptr, i32) -> !llvm.ptr, {MLIR[kind]}")
        kept = len(self.outputs) - len(self.stored)
        arguments = ", ".join([f"%x{i}" for i in range(first)] + [f"%o{kept + j}" for j in range(len(self.stored))])
        result = MLIR.get(self.result)
        call = f"llvm.call @__nv_{self.name}({arguments}) : ({', '.join(kinds)}) -> {result or '()'}"
        lines.append(f"%r = {call}" if result else call)
        if result:
            lines.append(f"llvm.store %r, %o0 : {result}, !llvm.ptr")
        body = "\n".join(lines)
        return f"""
            llvm.func @__nv_{self.name}({", ".join(kinds)}){" -> " + result if result else ""}
            llvm.func @k({pointers}) attributes {{nvvm.kernel}} {{
              %t = nvvm.read.ptx.sreg.tid.x : i32
              %b = nvvm.read.ptx.sreg.ctaid.x : i32
              %n = nvvm.read.ptx.sreg.ntid.x : i32
              %m = llvm.mul %b, %n : i32
              %i = llvm.add %m, %t : i32
              {body}
              llvm.return
            }}"""

    def cuda(self) -> str:
        """The same kernel in CUDA C."""
        kinds = [CUDA[k] for k in self.operands] + [f"{CUDA[k]}*" for k in self.stored]
        parameters = [f"const {CUDA[k]}* p{i}" for i, k in enumerate(self.operands)]
        parameters += [f"{CUDA[k]}* o{j}" for j, k in enumerate(self.outputs)]
        kept = len(self.outputs) - len(self.stored)
        arguments = [f"p{i}[i]" for i in range(len(self.operands))] + [
            f"o{kept + j} + i" for j in range(len(self.stored))
        ]
        call = f"__nv_{self.name}({', '.join(arguments)});"
        return f"""
            extern "C" __device__ {CUDA.get(self.result, "void")} __nv_{self.name}({", ".join(kinds)});
            extern "C" __global__ void k_{self.name}({", ".join(parameters)}) {{
              int i = blockIdx.x * blockDim.x + threadIdx.x;
              {"o0[i] = " if kept else ""}{call}
            }}"""


def _cases() -> Iterable[Case]:
    rows = re.sub(r"\n +", " ", SIGNATURES).split("\n")
    for row in filter(None, rows):
        signature, names = row.split(": ")
        result, operands = signature.split("=")
        for name in names.split():
            stem = name.removesuffix("f")
            if stem in TEXT + ARRAYS:
                continue
            stored = STORED.get(name if name in STORED else stem, "") if "p" in operands else ""
            own = next((k for k in operands if k in "fd"), "f")
            yield Case(name, result, operands.replace("p", ""), stored.replace("r", own))


CASES = {case.name: case for case in _cases()}


def values(kind: str, count: int, seed: int) -> np.ndarray:
    """Operands: special values and neighbours of them, ordinary numbers, and bit patterns at random."""
    random = np.random.default_rng(seed)
    dtype = np.dtype(DTYPES[kind])
    if kind in "ilh":
        info = np.iinfo(dtype)
        special = np.array(
            [0, 1, 2, 3, 7, 8, 31, 32, 33, info.max, info.min, info.max - 1, info.min + 1, info.max // 2 + 1], dtype
        )
        small = random.integers(-40 if kind != "h" else 0, 40, count).astype(dtype)
        wide = random.integers(info.min, info.max, count, dtype=dtype, endpoint=True)
        return np.where(
            random.random(count) < 0.3, random.choice(special, count), np.where(random.random(count) < 0.5, small, wide)
        )
    integer = np.uint32 if kind == "f" else np.uint64
    special = np.array(
        [
            0,
            0.5,
            1,
            1.5,
            2,
            2.5,
            3,
            4,
            8,
            1e-3,
            100,
            np.inf,
            np.nan,
            np.finfo(dtype).max,
            np.finfo(dtype).tiny,
            np.finfo(dtype).smallest_subnormal,
            2.0**31,
            2.0**32,
            2.0**63,
            2.0**23 + 0.5,
            2.0**52 + 0.5,
        ],
        dtype,
    )
    special = np.concatenate(
        [special, -special, np.nextafter(special, dtype.type(0)), np.nextafter(special, dtype.type(9e9))]
    )
    patterns = random.integers(0, 2 ** (8 * dtype.itemsize) - 1, count, dtype=integer, endpoint=True).view(dtype)
    patterns = np.where(np.isnan(patterns), dtype.type(np.nan), patterns)
    ordinary = random.uniform(-10, 10, count).astype(dtype)
    which = random.random(count)
    return np.where(which < 0.3, random.choice(special, count), np.where(which < 0.7, ordinary, patterns)).astype(dtype)
