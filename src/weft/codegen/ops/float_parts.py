"""The parts of floats: what class they are of, and fraction and exponent apart."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation

from weft.codegen import floats, linear, wide
from weft.codegen.formats import FORMATS, Format
from weft.codegen.graph import B32, B64, PRED
from weft.codegen.integers import FALSE, Test
from weft.codegen.linear import Lin
from weft.codegen.ops.arith_cast import from_bits, refloated, to_bits
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar, element_types, scalar
from weft.codegen.vectors import elementwise, several
from weft.dialects import narrow
from weft.isa import opcode

_LEAST = {"f8E4M3FN": 2.0**-6, "f8E5M2": 2.0**-14, "f6E2M3FN": 1.0, "f6E3M2FN": 0.25, "f4E2M1FN": 1.0}
"""The least normal numbers."""
_CLASSES = {"math.isinf": "infinite", "math.isfinite": "finite", "math.isnan": "notanumber", "math.isnormal": "normal"}


@handles(*_CLASSES)
def select_class(s: Selector, op: Operation) -> None:
    """What kind of float it is."""

    def apply(x: Any, kind: Scalar) -> Any:
        if kind.name == "f16" and op.name == "math.isnormal":  # What is subnormal is a normal number of f32.
            return _is_of(s, x, kind, sum(_SIGNED["normal"]))
        wide, form = (x, kind) if kind.width > 16 else (refloated(s, x, kind, floats.F32), floats.F32)
        test = s.pure(opcode("testp", op=_CLASSES[op.name], type=form.name), PRED, s.register(wide, form.cls))
        if op.name != "math.isnormal" or kind.name not in _LEAST:
            return test
        size = floats.unary(s, "abs", wide, form)
        return s.logic("and", test, floats.compare(s, "oge", size, floats.constant(_LEAST[kind.name], form), form))

    elementwise(s, op, apply)


_SIGNALING, _QUIET, _NAN = 1, 2, 3
_SIGNED = {"infinite": (4, 512), "normal": (8, 256), "subnormal": (16, 128), "zero": (32, 64)}
"""The bits of `llvm.intr.is.fpclass` for negative and positive numbers of a class."""
_ALL = 1023


@handles("llvm.intr.is.fpclass")
def select_is_class(s: Selector, op: Operation) -> None:
    """Whether it is of one of several classes."""
    wanted = narrow.number(op.properties["bit"]) & _ALL
    elementwise(s, op, lambda x, kind: _is_of(s, x, kind, wanted))  # pyright: ignore[reportUnknownArgumentType, reportUnknownLambdaType]


def _is_of(s: Selector, x: Any, kind: Scalar, wanted: int) -> Test:
    if wanted.bit_count() > 5:
        return s.inverted(_is_of(s, x, kind, _ALL & ~wanted))
    form = FORMATS[kind.name]
    bits = to_bits(s, x, kind)
    size = s.bitwise("and", bits, linear.const(form.sign - 1, bits.bits))
    negative = s.to_test(s.shift_right(bits, form.width - 1, signed=False))
    found: Test = FALSE
    for name, (below, above) in _SIGNED.items():
        if wanted & (below | above):
            test = _size_is(s, size, form, name)
            if not wanted & below:
                test = s.logic("and", test, s.inverted(negative))
            elif not wanted & above:
                test = s.logic("and", test, negative)
            found = s.logic("or", found, test)
    if wanted & _NAN:
        found = s.logic("or", found, _is_nan(s, size, form, wanted & _NAN))
    return found


def _size_is(s: Selector, size: Lin, form: Format, name: str) -> Test:
    """Whether a pattern without its sign is infinite, normal, subnormal or zero."""
    if name in ("infinite", "zero"):
        return s.compare("eq", size, linear.const(form.infinity if name == "infinite" else 0, size.bits))
    first, end = (form.normal, form.infinity) if name == "normal" else (1, form.normal)
    return s.compare("lt", linear.offset(size, -first), linear.const(end - first, size.bits), signed=False)


def _is_nan(s: Selector, size: Lin, form: Format, wanted: int) -> Test:
    """Whether a pattern without its sign is a NaN, of any kind or of one."""
    if wanted & _SIGNALING:
        test = s.compare("gt", size, linear.const(form.infinity, size.bits), signed=False)
        if wanted & _QUIET:
            return test
        return s.logic("and", test, s.compare("lt", size, linear.const(form.quiet, size.bits), signed=False))
    return s.compare("ge", size, linear.const(form.quiet, size.bits), signed=False)


def fraction_and_exponent(s: Selector, x: Any, kind: Scalar) -> tuple[Any, Lin]:
    """A fraction of at least one half and below 1, and an exponent; 0, infinities and NaNs stay, with exponent 0."""
    if kind.width == 16:
        fraction, exponent = fraction_and_exponent(s, refloated(s, x, kind, floats.F32), floats.F32)
        return refloated(s, fraction, floats.F32, kind), exponent
    form, zero = FORMATS[kind.name], linear.const32(0)
    above = form.significand % 32
    field = (form.infinity >> form.significand) << above
    small = s.compare("eq", s.bitwise("and", _upper(s, x, kind), linear.const32(field)), zero)
    scaled = floats.binary(s, "mul", x, floats.constant(2.0**form.width, kind), kind)
    found = s.pure(opcode("selp", type=kind.cls), kind.cls, scaled, x, small)
    upper = _upper(s, found, kind)
    power = s.shift_right(s.bitwise("and", upper, linear.const32(field)), above, signed=False)
    # Only that of 0 is 0 now.
    whole = s.compare("lt", linear.offset(power, -1), linear.const32((field >> above) - 1), signed=False)
    kept = s.bitwise("and", upper, linear.const32(~field))
    fraction = s.bitwise("or", kept, linear.const32(form.bias - 1 << above))
    result = _with_upper(s, found, s.choose(whole, fraction, upper), kind)
    shift = s.choose(small, linear.const32(1 - form.bias - form.width), linear.const32(1 - form.bias))
    return result, s.choose(whole, s.add(power, shift), zero)


def _upper(s: Selector, x: Any, kind: Scalar) -> Lin:
    """The bits, or their upper half of f64."""
    if kind.width == 32:
        return to_bits(s, x, kind)
    return linear.of(s.pure_many(opcode("mov", type="b64"), (B32, B32), s.register(x, B64))[1])


def _with_upper(s: Selector, x: Any, upper: Lin, kind: Scalar) -> Any:
    """The float with these upper bits, and the others of x."""
    if kind.width == 32:
        return from_bits(s, upper, kind)
    low = s.pure_many(opcode("mov", type="b64"), (B32, B32), s.register(x, B64))[0]
    return s.pure(opcode("mov", type="b64"), B64, (low, s.int_value(upper)))


@handles("llvm.intr.frexp")
def select_fraction(s: Selector, op: Operation) -> None:
    """A fraction of at least one half and below 1, and an exponent; 0, infinities and NaNs stay, with exponent 0."""
    struct: Any = op.results[0].type
    whole_kind = scalar(narrow.element(element_types(struct)[1]))

    def apply(x: Any, kind: Scalar) -> tuple[Any, Any]:
        fraction, exponent = fraction_and_exponent(s, x, kind)
        return fraction, wide.of_number(s, exponent, whole_kind)

    several(s, op, apply)
