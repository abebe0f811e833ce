"""The functions of libdevice by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from weft.codegen import doubles, linear
from weft.codegen.access import store_places
from weft.codegen.elementary import ACCURATE, APPROXIMATE
from weft.codegen.floats import F32, F64
from weft.codegen.graph import B32, B64
from weft.codegen.libdevice import arrays, bessel, functions, lengths, parts, special
from weft.codegen.libdevice.arithmetic import Arithmetic
from weft.codegen.libdevice.instructions import INSTRUCTIONS
from weft.codegen.linear import Lin
from weft.codegen.selector import Selector, handler_of
from weft.codegen.types import GENERIC, Scalar, scalar
from weft.dataclass import dataclass
from weft.isa import Opcode, opcode

Rule = Callable[[Selector, Any], None]
Body = Callable[..., Any]
_I32 = Scalar("int", B32, 32, "i32")


def _operand(s: Selector, value: Any) -> Any:
    """An operand of a call as a register, or a `Lin` for integers and pointers."""
    kind = scalar(value.type)
    found = s.get(value)
    if isinstance(found, Lin):
        return s.exactly(found, kind.width, signed=False) if kind.kind == "int" and kind.width < 32 else found
    return s.register(found, kind.cls)


def _finish(s: Selector, call: Any, found: Any) -> None:
    """The result of the call."""
    kind = scalar(call.results[0].type)
    if not isinstance(found, Lin) and kind.kind == "int":
        found = linear.of(found)
    s.values[call.results[0]] = found


def _instruction(code: Callable[[], Opcode]) -> Rule:
    def rule(s: Selector, call: Any) -> None:
        operands = [s.as_operand(_operand(s, value)) for value in call.operands]
        # `clz` and `popc` of 64 bits have a 32-bit result, as the call has.
        cls = scalar(call.results[0].type).cls
        _finish(s, call, s.pure(code(), cls, *(s.register(x, x.cls) if hasattr(x, "pattern") else x for x in operands)))

    return rule


def _written(kind: Scalar, body: Body) -> Rule:
    def rule(s: Selector, call: Any) -> None:
        _finish(s, call, body(Arithmetic(s, kind), *(_operand(s, value) for value in call.operands)))

    return rule


def _through_pointers(kind: Scalar, body: Body, stored: Sequence[Scalar]) -> Rule:
    """A body with several results, of which the last ones go where the last operands point."""

    def rule(s: Selector, call: Any) -> None:
        operands = [_operand(s, value) for value in call.operands]
        pointers = operands[len(operands) - len(stored) :]
        found = body(Arithmetic(s, kind), *operands[: len(operands) - len(stored)])
        kept = found[len(found) - len(stored) :]
        for pointer, value, type_ in zip(pointers, kept, stored, strict=True):
            store_places(s, pointer, [value], [(0, type_)], GENERIC, type_.bytes)
        if call.results:
            _finish(s, call, found[0])

    return rule


@dataclass(frozen=True, slots=True)
class _Operation:
    """A call seen as another operation."""

    name: str
    call: Any
    operands: Sequence[Any]
    results: Sequence[Any]
    properties: Mapping[str, Any]
    attributes: Mapping[str, Any]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.call, name)


def _operation(name: str) -> Rule:
    def rule(s: Selector, call: Any) -> None:
        handler = handler_of(name)
        assert handler is not None
        handler(s, _Operation(name, call, call.operands, call.results, {}, {}))

    return rule


def _single(function: Body) -> Body:
    def body(a: Arithmetic, *operands: Any) -> Any:
        return function(a.m, *operands)

    return body


def _both(stem: str, body: Body) -> dict[str, Rule]:
    """A function of f32 and f64: `hypotf`, `hypot`."""
    return {f"{stem}f": _written(F32, body), stem: _written(F64, body)}


def _elementary() -> dict[str, Rule]:
    """The functions of `math`: of f32 as `weft.codegen.elementary` has them, of f64 as `weft.codegen.doubles`."""
    rows: dict[str, Rule] = {}
    for name, body in ACCURATE.items():
        stem = "pow" if name == "power" else name
        rows[f"{stem}f"] = _written(F32, _single(body))
        if name in doubles.ACCURATE:
            rows[stem] = _written(F64, _single(doubles.ACCURATE[name]))
    for name in ("cos", "exp", "exp10", "log", "log10", "log2", "power", "sin", "tan", "tanh"):
        stem = "pow" if name == "power" else name
        rows[f"fast_{stem}f"] = _written(F32, _single(APPROXIMATE[name]))
    return rows


def _halves() -> dict[str, Rule]:
    rows: dict[str, Rule] = {}
    for prefix, signed in (("", True), ("u", False)):
        rows[f"{prefix}hadd"] = _written(F32, partial(parts.halfway, signed=signed, up=False))
        rows[f"{prefix}rhadd"] = _written(F32, partial(parts.halfway, signed=signed, up=True))
    return rows


def _bits() -> dict[str, Rule]:
    """Patterns as floats and back, and the halves of f64."""

    def join(a: Arithmetic, high: Lin, low: Lin) -> Any:
        return a.s.pure(opcode("mov", type="b64"), B64, (a.s.int_value(low), a.s.int_value(high)))

    def low(a: Arithmetic, x: Any) -> Lin:
        return a.s.truncated(a.bits(x))

    def high(a: Arithmetic, x: Any) -> Lin:
        return a.s.truncated(a.s.shift_right(a.bits(x), 32, signed=False))

    def to_bits(a: Arithmetic, x: Any) -> Lin:
        return a.bits(x)

    def of_bits(a: Arithmetic, x: Lin) -> Any:
        return a.s.int_value(x)

    rows = {
        "hiloint2double": _written(F64, join),
        "double2loint": _written(F64, low),
        "double2hiint": _written(F64, high),
    }
    for integer in ("int", "uint"):
        rows |= {f"{integer}_as_float": _written(F32, of_bits), f"float_as_{integer}": _written(F32, to_bits)}
    return rows | {"longlong_as_double": _written(F64, of_bits), "double_as_longlong": _written(F64, to_bits)}


def _tests() -> dict[str, Rule]:
    return {
        "isnanf": _written(F32, parts.isnan), "isnand": _written(F64, parts.isnan),
        "isinff": _written(F32, parts.isinf), "isinfd": _written(F64, parts.isinf),
        "finitef": _written(F32, parts.isfinite), "isfinited": _written(F64, parts.isfinite),
        "signbitf": _written(F32, parts.signbit), "signbitd": _written(F64, parts.signbit),
    }  # fmt: skip


def _with_pointers() -> dict[str, Rule]:
    rows: dict[str, Rule] = {}
    for suffix, kind in (("f", F32), ("", F64)):
        rows[f"sincos{suffix}"] = _through_pointers(kind, functions.sincos, (kind, kind))
        rows[f"sincospi{suffix}"] = _through_pointers(kind, functions.sincospi, (kind, kind))
        rows[f"modf{suffix}"] = _through_pointers(kind, parts.modf, (kind,))
        rows[f"frexp{suffix}"] = _through_pointers(kind, parts.frexp, (_I32,))
        rows[f"remquo{suffix}"] = _through_pointers(kind, parts.quotient, (_I32,))

    def fast(a: Arithmetic, x: Any) -> tuple[Any, Any]:
        return a.m.op("sin", x), a.m.op("cos", x)

    return rows | {"fast_sincosf": _through_pointers(F32, fast, (F32, F32))}


def _array(kind: Scalar, inverse: bool) -> Rule:
    """`norm(n, p)` of the n floats from p on."""

    def rule(s: Selector, call: Any) -> None:
        count, pointer = (_operand(s, value) for value in call.operands)
        _finish(s, call, arrays.norm(Arithmetic(s, kind), count, pointer, inverse=inverse))

    return rule


def _special() -> dict[str, Rule]:
    names = "erfcx normcdf erfinv erfcinv normcdfinv tgamma lgamma cyl_bessel_i0 cyl_bessel_i1"
    found = {stem: getattr(special, stem) for stem in names.split()}
    found |= {stem: getattr(bessel, stem) for stem in ("j0", "j1", "jn", "y0", "y1", "yn")}
    return {name: rule for stem, body in found.items() for name, rule in _both(stem, body).items()}


FUNCTIONS: dict[str, Rule] = {
    **_elementary(),
    **{name: _instruction(code) for name, code in INSTRUCTIONS.items()},
    **_bits(),
    **_halves(),
    **_tests(),
    **_with_pointers(),
    **{f"powi{suffix}": _operation("math.fpowi") for suffix in ("f", "")},
    **{f"fmod{suffix}": _operation("arith.remf") for suffix in ("f", "")},
    **{f"{stem}{suffix}": _operation("llvm.intr.ldexp") for stem in ("ldexp", "scalbn") for suffix in ("f", "")},
    **_both("copysign", parts.copysign),
    **_both("fdim", parts.fdim),
    **_both("round", parts.round_away),
    **_both("llround", parts.llround),
    **_both("nextafter", parts.nextafter),
    **_both("ilogb", parts.ilogb),
    **_both("logb", parts.logb),
    **_both("remainder", parts.remainder_nearest),
    **_both("hypot", lengths.norm),
    **_both("rhypot", lengths.rnorm),
    **{f"norm{n}d{suffix}": _written(kind, lengths.norm) for n in "34" for suffix, kind in (("f", F32), ("", F64))},
    **{f"rnorm{n}d{suffix}": _written(kind, lengths.rnorm) for n in "34" for suffix, kind in (("f", F32), ("", F64))},
    **_both("rcbrt", functions.rcbrt),
    **{
        f"{prefix}norm{suffix}": _array(kind, inverse)
        for prefix, inverse in (("", False), ("r", True))
        for suffix, kind in (("f", F32), ("", F64))
    },
    **_special(),
    **_both("sinpi", functions.sinpi),
    **_both("cospi", functions.cospi),
    **_both("nan", parts.not_a_number),
    "frsqrt_rn": _written(F32, parts.inverse_root),
    "byte_perm": _written(F32, parts.byte_perm),
    "ffs": _written(F32, parts.first_set),
    "ffsll": _written(F32, parts.first_set),
    "float2half_rn": _written(F32, parts.half),
    "half2float": _written(F32, parts.of_half),
}
"""What selects a call, by the name of the function without `__nv_`."""
