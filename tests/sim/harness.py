"""Runs single instructions and small kernels in the simulator, and rounds exactly with fractions."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

import weft
from weft.ptx.ast import Module
from weft.sim import Result, run

Array = np.ndarray[Any, np.dtype[Any]]

HEADER = ".version 9.2\n.target {target}\n.address_size 64\n"
_REG = {8: "b16", 16: "b16", 32: "b32", 64: "b64"}


def module(text: str, target: str = "sm_80") -> Module:
    return weft.parse(HEADER.format(target=target) + text)


def kernel(body: str, parameters: Sequence[str], target: str = "sm_80", extra: str = "") -> Module:
    """A module with one kernel `k`; pointer and scalar parameters are named `p0`, `p1`, ... with the given types."""
    listed = ", ".join(f".param .{type_} p{i}" for i, type_ in enumerate(parameters))
    return module(f"{extra}\n.visible .entry k({listed})\n{{\n{body}\n}}\n", target)


REGISTERS = """
.reg .pred %p<32>; .reg .b16 %rs<64>; .reg .b32 %r<128>; .reg .b64 %rd<64>; .reg .f32 %f<64>; .reg .f64 %fd<64>;
"""
INDEX = """
mov.u32 %r100, %ctaid.x; mov.u32 %r101, %ntid.x; mov.u32 %r102, %tid.x; mad.lo.u32 %r0, %r100, %r101, %r102;
"""


def launch(
    body: str,
    arguments: Sequence[Any],
    block: int = 32,
    grid: int | tuple[int, ...] = 1,
    target: str = "sm_80",
    **more: Any,
) -> Result:
    """Run a body whose registers are those of `REGISTERS`; arrays are pointers, NumPy scalars their own type."""
    types = ["u64" if isinstance(a, np.ndarray) else _scalar_type(a) for a in arguments]
    extra = more.pop("extra", "")
    return run(kernel(REGISTERS + body, types, target, extra), "k", grid, block, arguments, **more)


def _scalar_type(value: Any) -> str:
    return {"i": "s", "u": "u", "f": "f"}[value.dtype.kind] + str(value.dtype.itemsize * 8)


def apply(
    instruction: str,
    result: Array,
    *sources: Array,
    types: Sequence[str] = (),
    target: str = "sm_100a",
    prelude: str = "",
) -> Array:
    """Run `instruction` once for each element: `{d}` is its destination, `{a}`, `{b}`, `{c}`, `{e}` its sources.

    Arrays of booleans are predicates.  `result` gives the destination's dtype; sources may be scalars of text.
    """
    count = len(sources[0])
    lines = [REGISTERS, ".reg .pred %src<8>, %dst;", INDEX, prelude]
    names: dict[str, str] = {}
    for number, (letter, source) in enumerate(zip("abce", sources, strict=False)):
        size = source.dtype.itemsize
        lines.append(f"ld.param.u64 %rd40, [p{number}]; mul.wide.u32 %rd41, %r0, {size}; add.u64 %rd40, %rd40, %rd41;")
        bits = 8 * size
        register = f"%x{letter}"
        lines.append(f".reg .{_REG[bits]} {register};")
        lines.append(f"ld.global.b{bits} {register}, [%rd40];")
        if source.dtype == np.bool_:
            lines.append(f"setp.ne.b16 %src{number}, {register}, 0;")
            register = f"%src{number}"
        names[letter] = register
    bits = 8 * result.dtype.itemsize
    names["d"] = "%dst" if result.dtype == np.bool_ else "%xd"
    lines.append(f".reg .{_REG[bits]} %xd;")
    lines.append(instruction.format(**names))
    if result.dtype == np.bool_:
        lines.append("selp.b16 %xd, 1, 0, %dst;")
    number = len(sources)
    lines.append(f"ld.param.u64 %rd40, [p{number}]; mul.wide.u32 %rd41, %r0, {result.dtype.itemsize};")
    lines.append(f"add.u64 %rd40, %rd40, %rd41; st.global.b{bits} [%rd40], %xd; ret;")
    padded = -(-count // 32) * 32
    arrays = [np.concatenate([s, np.repeat(s[-1:], padded - count)]) for s in sources]
    out = np.zeros(padded, result.dtype)
    run(kernel("\n".join(lines), ["u64"] * (number + 1), target), "k", padded // 32, 32, [*arrays, out])
    return out[:count]


# -- exact rounding -------------------------------------------------------------------------------------------

FORMATS = {"f16": (11, -14, 15), "bf16": (8, -126, 127), "f32": (24, -126, 127), "f64": (53, -1022, 1023)}
"""Precision in bits, least and greatest exponent."""


def round_exactly(value: Fraction, format_: str, mode: str = "rn") -> float:
    """The nearest value of a format (`rn`: ties to even; `rz`, `rm`, `rp`), by integer arithmetic only."""
    precision, low, high = FORMATS[format_]
    if value == 0:
        return 0.0
    magnitude = abs(value)
    exponent = max(_exponent(magnitude), low)
    unit = Fraction(2) ** (exponent - precision + 1)
    steps, rest = divmod(magnitude, unit)
    up = {
        "rn": rest * 2 > unit or (rest * 2 == unit and steps % 2 == 1),
        "rz": False,
        "rm": rest != 0 and value < 0,
        "rp": rest != 0 and value > 0,
    }[mode]
    rounded = (steps + up) * unit
    greatest = (2 - Fraction(2) ** (1 - precision)) * Fraction(2) ** high
    sign = -1.0 if value < 0 else 1.0
    if rounded > greatest:
        to_infinity = mode == "rn" or (mode == "rp" and value > 0) or (mode == "rm" and value < 0)
        return sign * math.inf if to_infinity else sign * float(greatest)
    return sign * float(rounded)


def _exponent(value: Fraction) -> int:
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    return exponent if Fraction(2) ** exponent <= value else exponent - 1


def bits32(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0]


INTERESTING_F32 = np.array(
    [0.0, -0.0, 1.0, -1.0, 1.5, 3.4e38, -3.4e38, 1e-38, -1e-40, 1e-45, 2.0**-126, 2.0**-149, 0.1, 1 / 3, 16777216.0,
     16777217.0, 255.5, -2.5, 0.5, 1e10, np.inf, -np.inf, np.nan, 65504.0, 65520.0, 6e-8, 2147483648.0, 4294967296.0],
    np.float32,
)  # fmt: skip


def floats(dtype: Any, count: int = 400, seed: int = 0, special: bool = True) -> Array:
    """Random floats of all magnitudes, with the interesting ones."""
    rng = np.random.default_rng(seed)
    info = np.finfo(dtype)
    exponents = rng.integers(info.minexp - info.nmant, info.maxexp, count)
    near = rng.integers(-4, 5, count // 2)
    exponents[: count // 2] = near
    values = np.ldexp(rng.uniform(1, 2, count), exponents) * rng.choice([-1.0, 1.0], count)
    with np.errstate(all="ignore"):
        out = values.astype(dtype)
        if special:
            out[: len(INTERESTING_F32)] = rng.permutation(INTERESTING_F32).astype(dtype)
    return out


def integers(dtype: Any, count: int = 400, seed: int = 0) -> Array:
    """Random integers with the extremes and small ones."""
    rng = np.random.default_rng(seed)
    info = np.iinfo(dtype)
    out = rng.integers(info.min, info.max, count, dtype=dtype, endpoint=True)
    out[: count // 4] = rng.integers(0, 70, count // 4)
    out[-6:] = [info.min, info.max, 0, 1, info.max - 1, info.max // 2]
    return rng.permutation(out)


def same(a: Array, b: Array) -> bool:
    """Equal bit by bit, except that all NaNs are alike."""
    word = f"u{a.dtype.itemsize}"
    if a.dtype.kind == "f":
        nan = np.isnan(a) & np.isnan(b)
        return bool(((a.view(word) == b.view(word)) | nan).all())
    return bool((a == b).all())
