"""The signatures of libdevice's functions, and whether a call has the one that it should have."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from weft.mlir import compile_error

_TEXT = """
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
_TYPES = {"i": "i32", "l": "i64", "h": "i16", "f": "f32", "d": "f64", "p": "!llvm.ptr"}


@cache
def signatures() -> dict[str, tuple[str, str]]:
    """(the result, the operands) by the name of the function without `__nv_`; v for no result."""
    found: dict[str, tuple[str, str]] = {}
    for row in filter(None, re.sub(r"\n +", " ", _TEXT).split("\n")):
        signature, names = row.split(": ")
        result, operands = signature.split("=")
        found |= dict.fromkeys(names.split(), (result, operands))
    return found


def check(call: Any, name: str) -> None:
    """Raise CompileError if a call of `__nv_<name>` has operands or results of other types."""
    result, operands = signatures()[name]
    wanted = [_TYPES[kind] for kind in operands], [_TYPES[kind] for kind in result.replace("v", "")]
    given = tuple([_spelled(value.type) for value in values] for values in (call.operands, call.results))
    if given != wanted:
        told = f"libdevice's '__nv_{name}' has type {_arrow(*wanted)}, not {_arrow(*given)}"
        raise compile_error(call, told, "give a function of your own another name, or a body")


def _spelled(type_: Any) -> str:
    """The name of a type; pointers of all spaces are one."""
    return "!llvm.ptr" if type_.name == "llvm.ptr" else str(type_)


def _arrow(operands: list[str], results: list[str]) -> str:
    return f"({', '.join(operands)}) -> {results[0] if len(results) == 1 else '(' + ', '.join(results) + ')'}"
