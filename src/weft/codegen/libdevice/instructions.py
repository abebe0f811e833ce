"""Functions of libdevice that are one PTX instruction."""

from __future__ import annotations

from functools import partial

from weft.isa import Opcode, deferred

_MODES = {"rn": ("rn", "rni"), "rz": ("rz", "rzi"), "rd": ("rm", "rmi"), "ru": ("rp", "rpi")}
"""How libdevice calls a rounding: to a float, to an integer."""
_INTEGERS = {"int": "s32", "uint": "u32", "ll": "s64", "ull": "u64"}
_FLOATS = {"float": "f32", "double": "f64"}

_PLAIN = {
    "clz": deferred("clz", type="b32"),
    "clzll": deferred("clz", type="b64"),
    "popc": deferred("popc", type="b32"),
    "popcll": deferred("popc", type="b64"),
    "brev": deferred("brev", type="b32"),
    "brevll": deferred("brev", type="b64"),
    "min": deferred("min", type="s32"),
    "umin": deferred("min", type="u32"),
    "llmin": deferred("min", type="s64"),
    "ullmin": deferred("min", type="u64"),
    "max": deferred("max", type="s32"),
    "umax": deferred("max", type="u32"),
    "llmax": deferred("max", type="s64"),
    "ullmax": deferred("max", type="u64"),
    "mulhi": deferred("mul", mode="hi", type="s32"),
    "umulhi": deferred("mul", mode="hi", type="u32"),
    "mul64hi": deferred("mul", mode="hi", type="s64"),
    "umul64hi": deferred("mul", mode="hi", type="u64"),
    "mul24": deferred("mul24", mode="lo", type="s32"),
    "umul24": deferred("mul24", mode="lo", type="u32"),
    "sad": deferred("sad", type="s32"),
    "usad": deferred("sad", type="u32"),
    "abs": deferred("abs", type="s32"),
    "llabs": deferred("abs", type="s64"),
    "fabsf": deferred("abs", type="f32"),
    "fabs": deferred("abs", type="f64"),
    "fminf": deferred("min", type="f32"),
    "fmin": deferred("min", type="f64"),
    "fmaxf": deferred("max", type="f32"),
    "fmax": deferred("max", type="f64"),
    "fmaf": deferred("fma", rnd="rn", type="f32"),
    "fma": deferred("fma", rnd="rn", type="f64"),
    "saturatef": deferred("cvt", sat=True, type="f32", atype="f32"),
    "sqrtf": deferred("sqrt", rnd="rn", type="f32"),
    "sqrt": deferred("sqrt", rnd="rn", type="f64"),
    "rsqrtf": deferred("rsqrt", rnd="approx", type="f32"),
    "rsqrt": deferred("rsqrt", rnd="approx", type="f64"),
    "rcp64h": deferred("rcp", rnd="approx", ftz=True, type="f64"),
    "exp2f": deferred("ex2", type="f32"),
    "int2double_rn": deferred("cvt", rnd="rn", type="f64", atype="s32"),
    "uint2double_rn": deferred("cvt", rnd="rn", type="f64", atype="u32"),
    "fast_fdividef": deferred("div", rnd="approx", type="f32"),
}


def _rounded() -> dict[str, partial[Opcode]]:
    """Arithmetic and conversions with a rounding in the name."""
    rows: dict[str, partial[Opcode]] = {}
    for suffix, (mode, whole) in _MODES.items():
        for letter, type_ in (("f", "f32"), ("d", "f64")):
            for stem in ("add", "sub", "mul", "div", "rcp", "sqrt"):
                rows[f"{letter}{stem}_{suffix}"] = deferred(stem, rnd=mode, type=type_)
        rows[f"fmaf_{suffix}"] = rows[f"fmaf_ieee_{suffix}"] = deferred("fma", rnd=mode, type="f32")
        rows[f"fma_{suffix}"] = deferred("fma", rnd=mode, type="f64")
        rows[f"double2float_{suffix}"] = deferred("cvt", rnd=mode, type="f32", atype="f64")
        for name, type_ in _FLOATS.items():
            for other, integer in _INTEGERS.items():
                rows[f"{name}2{other}_{suffix}"] = deferred("cvt", rnd=whole, type=integer, atype=type_)
                if (name, other) not in (("double", "int"), ("double", "uint")):
                    rows[f"{other}2{name}_{suffix}"] = deferred("cvt", rnd=mode, type=type_, atype=integer)
    return rows


def _whole() -> dict[str, partial[Opcode]]:
    """Roundings to an integer."""
    rows: dict[str, partial[Opcode]] = {}
    for stem, mode in (("floor", "rmi"), ("ceil", "rpi"), ("trunc", "rzi"), ("rint", "rni"), ("nearbyint", "rni")):
        rows[f"{stem}f"] = deferred("cvt", rnd=mode, type="f32", atype="f32")
        rows[stem] = deferred("cvt", rnd=mode, type="f64", atype="f64")
    return rows | {
        "llrintf": deferred("cvt", rnd="rni", type="s64", atype="f32"),
        "llrint": deferred("cvt", rnd="rni", type="s64", atype="f64"),
    }


INSTRUCTIONS: dict[str, partial[Opcode]] = _PLAIN | _rounded() | _whole()
"""The instructions by the names of the functions, without `__nv_`; operands are in the same order."""
