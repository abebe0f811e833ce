"""Functions of libdevice that are one PTX instruction."""

from __future__ import annotations

_MODES = {"rn": ("rn", "rni"), "rz": ("rz", "rzi"), "rd": ("rm", "rmi"), "ru": ("rp", "rpi")}
"""How libdevice calls a rounding: to a float, to an integer."""
_INTEGERS = {"int": "s32", "uint": "u32", "ll": "s64", "ull": "u64"}
_FLOATS = {"float": "f32", "double": "f64"}

_PLAIN = {
    "clz": "clz.b32", "clzll": "clz.b64", "popc": "popc.b32", "popcll": "popc.b64", "brev": "brev.b32",
    "brevll": "brev.b64", "min": "min.s32", "umin": "min.u32", "llmin": "min.s64",
    "ullmin": "min.u64", "max": "max.s32", "umax": "max.u32", "llmax": "max.s64", "ullmax": "max.u64",
    "mulhi": "mul.hi.s32", "umulhi": "mul.hi.u32", "mul64hi": "mul.hi.s64", "umul64hi": "mul.hi.u64",
    "mul24": "mul24.lo.s32", "umul24": "mul24.lo.u32", "sad": "sad.s32", "usad": "sad.u32", "abs": "abs.s32",
    "llabs": "abs.s64", "fabsf": "abs.f32", "fabs": "abs.f64", "fminf": "min.f32", "fmin": "min.f64",
    "fmaxf": "max.f32", "fmax": "max.f64", "fmaf": "fma.rn.f32", "fma": "fma.rn.f64", "saturatef": "cvt.sat.f32.f32",
    "sqrtf": "sqrt.rn.f32", "sqrt": "sqrt.rn.f64", "rsqrtf": "rsqrt.approx.f32", "rsqrt": "rsqrt.approx.f64",
    "rcp64h": "rcp.approx.ftz.f64", "exp2f": "ex2.approx.f32", "int2double_rn": "cvt.rn.f64.s32",
    "uint2double_rn": "cvt.rn.f64.u32", "fast_fdividef": "div.approx.f32",
}  # fmt: skip


def _rounded() -> dict[str, str]:
    """Arithmetic and conversions with a rounding in the name."""
    rows: dict[str, str] = {}
    for suffix, (mode, whole) in _MODES.items():
        for letter, type_ in (("f", "f32"), ("d", "f64")):
            for stem in ("add", "sub", "mul", "div", "rcp", "sqrt"):
                rows[f"{letter}{stem}_{suffix}"] = f"{stem}.{mode}.{type_}"
        rows[f"fmaf_{suffix}"] = rows[f"fmaf_ieee_{suffix}"] = f"fma.{mode}.f32"
        rows[f"fma_{suffix}"] = f"fma.{mode}.f64"
        rows[f"double2float_{suffix}"] = f"cvt.{mode}.f32.f64"
        for name, type_ in _FLOATS.items():
            for other, integer in _INTEGERS.items():
                rows[f"{name}2{other}_{suffix}"] = f"cvt.{whole}.{integer}.{type_}"
                if (name, other) not in (("double", "int"), ("double", "uint")):
                    rows[f"{other}2{name}_{suffix}"] = f"cvt.{mode}.{type_}.{integer}"
    return rows


def _whole() -> dict[str, str]:
    """Roundings to an integer."""
    rows: dict[str, str] = {}
    for stem, mode in (("floor", "rmi"), ("ceil", "rpi"), ("trunc", "rzi"), ("rint", "rni"), ("nearbyint", "rni")):
        rows[f"{stem}f"] = f"cvt.{mode}.f32.f32"
        rows[stem] = f"cvt.{mode}.f64.f64"
    return rows | {"llrintf": "cvt.rni.s64.f32", "llrint": "cvt.rni.s64.f64"}


INSTRUCTIONS: dict[str, str] = _PLAIN | _rounded() | _whole()
"""The opcodes by the names of the functions, without `__nv_`; operands are in the same order."""
