"""Operations on integers of 65 to 128 bits.

Where what lies above the width counts, the operands are extended first, by the sign or by zeros.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Block, Operation

from weft.codegen import linear, wide
from weft.codegen.graph import B32, B64, BITS, Const, Value
from weft.codegen.integers import Test
from weft.codegen.linear import Lin
from weft.codegen.ops.applied import Applied
from weft.codegen.selector import WIDE, Selector, handles
from weft.codegen.types import Scalar, is_vector, is_wide, scalar
from weft.codegen.vectors import elements, pack
from weft.codegen.wide import Wide
from weft.codegen.wide_division import divide, divide_down, divide_up
from weft.dialects import narrow
from weft.dialects.arith.predicates import INTEGER_PREDICATES
from weft.isa import opcode
from weft.mlir import compile_error


def _extreme(relation: str, *, signed: bool) -> Callable[[Selector, Wide, Wide], Wide]:
    return lambda s, a, b: wide.choose(s, wide.compare(s, relation, a, b, signed=signed), a, b)


def _quotient(*, signed: bool) -> Callable[[Selector, Wide, Wide], Wide]:
    return lambda s, a, b: divide(s, a, b, signed=signed)[0]


def _remainder(*, signed: bool) -> Callable[[Selector, Wide, Wide], Wide]:
    return lambda s, a, b: divide(s, a, b, signed=signed)[1]


def _right(*, signed: bool) -> Callable[[Selector, Wide, Wide], Wide]:
    return lambda s, a, b: wide.shift_right(s, a, b, signed=signed)


# -- overflow and saturation ------------------------------------------------------------------------------------


def overflow(s: Selector, name: str, a: Wide, b: Wide, width: int, *, signed: bool) -> tuple[Wide, Test]:
    """The result of `add`, `sub` or `mul` modulo 2^width, and whether it wrapped; the operands are exact."""
    ring = {"add": wide.add, "sub": wide.subtract, "mul": wide.multiply}[name](s, a, b)
    if name == "mul":
        # The product of a * 2^(128 - width) and b wraps in 128 bits where that of a and b does in fewer.
        raised = wide.shift_left(s, a, wide.constant(128 - width))
        high = wide.multiply_high(s, raised, b, signed=signed)
        low = wide.multiply(s, raised, b)
        return ring, wide.compare(s, "ne", high, wide.sign(s, low) if signed else wide.ZERO)
    if width < 128:
        return ring, wide.is_more(s, ring, width, signed=signed)
    if not signed:
        return ring, wide.compare(s, "lt", *((ring, a) if name == "add" else (a, b)), signed=False)
    changed = s.bitwise("xor", a[1], ring[1])
    other = s.bitwise("xor", b[1], ring[1] if name == "add" else a[1])
    return ring, s.compare("lt", s.bitwise("and", changed, other), linear.const(0), signed=True)


def _limit(s: Selector, a: Wide, width: int) -> Wide:
    """The end of the signed range on a's side of 0."""
    least, most = wide.constant(-1 << width - 1), wide.constant((1 << width - 1) - 1)
    return wide.choose(s, wide.is_negative(s, a), least, most)


def _saturated(s: Selector, name: str, a: Wide, b: Wide, width: int, *, signed: bool) -> Wide:
    if name == "shl":
        return _saturated_shift(s, a, b, width, signed=signed)
    ring, wrapped = overflow(s, name, a, b, width, signed=signed)
    end = _limit(s, a, width) if signed else wide.constant(-1 if name == "add" else 0)
    return wide.choose(s, wrapped, end, ring)


def _saturated_shift(s: Selector, a: Wide, b: Wide, width: int, *, signed: bool) -> Wide:
    shifted = wide.shift_left(s, a, b)
    kept = wide.exactly(s, shifted, width, signed=signed)
    same = wide.compare(s, "eq", wide.shift_right(s, kept, b, signed=signed), a)
    return wide.choose(s, same, shifted, _limit(s, a, width) if signed else wide.constant(-1))


_SATURATED = {f"intr.{letter}{name}.sat": (name, letter == "s") for letter in "su" for name in ("add", "sub", "shl")}


# -- bits -------------------------------------------------------------------------------------------------------


def _count(s: Selector, a: Wide, width: int) -> Wide:
    """The number of ones."""
    low, high = (linear.of(s.pure(opcode("popc", type="b64"), B32, s.int_value(x), lo=0, hi=64)) for x in a)
    return s.extended(s.add(low, high), signed=False), linear.const(0)


def _leading(s: Selector, a: Wide, width: int = 128) -> Wide:
    """The number of leading zeros."""
    low, high = (linear.of(s.pure(opcode("clz", type="b64"), B32, s.int_value(x), lo=0, hi=64)) for x in a)
    empty = s.compare("eq", a[1], linear.const(0))
    count = linear.offset(s.choose(empty, linear.offset(low, 64), high), width - 128)
    return s.extended(s.add(count, linear.const32(0)), signed=False), linear.const(0)


def _trailing(s: Selector, a: Wide, width: int) -> Wide:
    """The number of trailing zeros: a one above the width ends them."""
    return _leading(s, _all_reversed(s, wide.bitwise("or")(s, a, wide.constant(1 << width))))


def _all_reversed(s: Selector, a: Wide) -> Wide:
    high, low = (linear.of(s.pure(opcode("brev", type="b64"), B64, s.int_value(x))) for x in a)
    return low, high


def _reversed(s: Selector, a: Wide, width: int) -> Wide:
    """The bits in reverse order."""
    return wide.shift_right(s, _all_reversed(s, a), wide.constant(128 - width), signed=False)


def _byte_swapped(s: Selector, a: Wide, width: int) -> Wide:
    """The bytes in reverse order."""
    from weft.codegen.ops.llvm_intrinsics import byte_swapped

    swapped = byte_swapped(s, a[1], 64), byte_swapped(s, a[0], 64)
    return wide.shift_right(s, swapped, wide.constant(128 - width), signed=False)


def _funnel(s: Selector, a: Wide, b: Wide, by: Wide, width: int, *, left: bool) -> Wide:
    """The upper (lower) half of a and b side by side, shifted left (right)."""
    if width == 128:
        amount = s.bitwise("and", by[0], linear.const(127))
    else:
        amount = wide.held(s, divide(s, by, wide.constant(width), signed=False)[1][0])
    by, rest = (amount, wide.ZERO[0]), (linear.add(linear.const(width), amount, -1), wide.ZERO[0])
    up, down = (by, rest) if left else (rest, by)
    return wide.bitwise("or")(s, wide.shift_left(s, a, up), wide.shift_right(s, b, down, signed=False))


# -- floats -----------------------------------------------------------------------------------------------------


def _to_float(s: Selector, a: Wide, target: Scalar, *, signed: bool) -> Value:
    """The float next to an integer: its leading 64 bits, the last of them set if more follow, times a power of two."""
    from weft.codegen.ops.arith_cast import from_int, refloated

    size = wide.absolute(s, a) if signed else a
    if target.name == "f16":  # What needs more than 17 bits is too large for it.
        large = s.logic("or", s.compare("ne", size[1], linear.const(0)),
                        s.compare("ge", size[0], linear.const(1 << 17), signed=False))  # fmt: skip
        low = s.truncated(s.choose(large, linear.const(1 << 17), size[0]))
        found = from_int(s, low, Scalar("int", B32, 32, "i32"), target, signed=False)
    else:
        zeros = s.truncated(_leading(s, size)[0])
        some = s.compare("lt", zeros, linear.const32(64), signed=True)
        over = s.choose(some, linear.add(linear.const32(64), zeros, -1), linear.const32(0))
        over = wide.held(s, over)
        amount = s.extended(over, signed=False), linear.const(0)
        top = wide.shift_right(s, size, amount, signed=False)[0]
        back = wide.shift_left(s, (top, linear.const(0)), amount)
        lost = s.from_test(wide.compare(s, "ne", back, size), 64)
        sticky = s.bitwise("or", top, lost)
        whole = from_int(s, sticky, Scalar("int", B64, 64, "i64"), target, signed=False)
        bits, bias = {"f64": (52, 1023), "f32": (23, 127), "bf16": (23, 127)}[target.name]
        kind = Scalar("float", B64, 64, "f64") if bits == 52 else Scalar("float", B32, 32, "f32")
        exponent = linear.add(over, linear.const32(bias))
        exponent = s.extended(exponent, signed=False) if bits == 52 else exponent
        power = s.int_value(s.shift_left(exponent, linear.const(bits)))
        if target.name == "bf16":
            whole = refloated(s, whole, target, kind)
        found = s.pure(opcode("mul", rnd="rn", type=kind.name), kind.cls, s.register(whole, kind.cls), power)
        if target.name == "bf16":
            found = refloated(s, found, kind, target)
    if not signed:
        return found
    bits = BITS[target.cls]
    negative = s.pure(
        opcode("xor", type=f"b{bits}"), target.cls, s.register(found, target.cls), Const(target.cls, 1 << bits - 1)
    )
    return s.pure(opcode("selp", type=f"b{bits}"), target.cls, negative, found, wide.is_negative(s, a))


def _to_integer(s: Selector, x: Any, kind: Scalar, *, signed: bool) -> Wide:
    """A float as an integer, rounded towards zero; f64 holds any other."""
    from weft.codegen.ops.arith_cast import refloated

    double = Scalar("float", B64, 64, "f64")
    value = s.register(x if kind == double else refloated(s, x, kind, double), B64)
    size = s.pure(opcode("abs", type="f64"), B64, value)
    scaled = s.pure(opcode("mul", rnd="rn", type="f64"), B64, size, Const(B64, 0x3BF0000000000000))  # 2^-64
    high = s.pure(opcode("cvt", rnd="rzi", type="u64", atype="f64"), B64, scaled)
    above = s.pure(opcode("cvt", rnd="rn", type="f64", atype="u64"), B64, high)
    rest = s.pure(opcode("fma", rnd="rn", type="f64"), B64, above, Const(B64, 0xC3F0000000000000), size)  # -2^64
    low = s.pure(opcode("cvt", rnd="rzi", type="u64", atype="f64"), B64, rest)
    whole = linear.of(low), linear.of(high)
    if not signed:
        return whole
    sign = s.compare("lt", linear.of(value), linear.const(0), signed=True)  # The bits of a negative float.
    return wide.choose(s, sign, wide.negate(s, whole), whole)


_BINARY: dict[str, Callable[[Selector, Wide, Wide], Wide]] = {
    "addi": wide.add, "add": wide.add, "subi": wide.subtract, "sub": wide.subtract,
    "muli": wide.multiply, "mul": wide.multiply,
    "andi": wide.bitwise("and"), "and": wide.bitwise("and"), "ori": wide.bitwise("or"), "or": wide.bitwise("or"),
    "xori": wide.bitwise("xor"), "xor": wide.bitwise("xor"), "shli": wide.shift_left, "shl": wide.shift_left,
    "shrui": _right(signed=False), "lshr": _right(signed=False),
    "shrsi": _right(signed=True), "ashr": _right(signed=True),
    "divui": _quotient(signed=False), "udiv": _quotient(signed=False),
    "divsi": _quotient(signed=True), "sdiv": _quotient(signed=True),
    "remui": _remainder(signed=False), "urem": _remainder(signed=False),
    "remsi": _remainder(signed=True), "srem": _remainder(signed=True),
    "ceildivui": lambda s, a, b: divide_up(s, a, b, signed=False),
    "ceildivsi": lambda s, a, b: divide_up(s, a, b, signed=True), "floordivsi": divide_down,
    "minsi": _extreme("lt", signed=True), "intr.smin": _extreme("lt", signed=True),
    "maxsi": _extreme("gt", signed=True), "intr.smax": _extreme("gt", signed=True),
    "minui": _extreme("lt", signed=False), "intr.umin": _extreme("lt", signed=False),
    "maxui": _extreme("gt", signed=False), "intr.umax": _extreme("gt", signed=False),
}  # fmt: skip
_UNARY: dict[str, Callable[[Selector, Wide, int], Wide]] = {
    "absi": lambda s, a, _: wide.absolute(s, a), "intr.abs": lambda s, a, _: wide.absolute(s, a),
    "ctpop": _count, "intr.ctpop": _count, "ctlz": _leading, "intr.ctlz": _leading,
    "cttz": _trailing, "intr.cttz": _trailing, "intr.bitreverse": _reversed, "intr.bswap": _byte_swapped,
}  # fmt: skip
_RING = frozenset({"addi", "add", "subi", "sub", "muli", "mul", "andi", "and", "ori", "or", "xori", "xor"})
"""What gives the same lower bits whatever is above."""
_SIGNED = frozenset(
    {"divsi", "sdiv", "remsi", "srem", "ceildivsi", "floordivsi", "minsi", "intr.smin", "maxsi", "intr.smax", "absi",
     "intr.abs", "shrsi", "ashr", "extsi", "sext", "index_cast", "intr.scmp", "mulsi_extended", "sitofp"}
)  # fmt: skip
_WIDENING = {"extsi": True, "sext": True, "extui": False, "zext": False, "index_cast": True, "index_castui": False,
             "casts": True, "castu": False}  # fmt: skip
_NARROWING = ("trunci", "trunc", "index_cast", "index_castui", "casts", "castu")
_OVERFLOW = {f"intr.{sign}{name}.with.overflow": (name, sign == "s") for sign in "su" for name in ("add", "sub", "mul")}


_FLOATS = {"sitofp": True, "uitofp": False}
_INTEGERS = {"fptosi": True, "fptoui": False}


def _is_signed(op: Operation, name: str) -> bool:
    """Whether an operation takes its operands as signed numbers."""
    if name in ("cmpi", "icmp"):
        return _predicate(op)[0] == "s"
    return name in _SIGNED or (name in _SATURATED and _SATURATED[name][1]) or (name in _OVERFLOW and _OVERFLOW[name][1])


def _predicate(op: Operation) -> str:
    index = narrow.number(op.properties["predicate"])
    return INTEGER_PREDICATES[index]


def _operands(s: Selector, op: Operation, name: str, *, exact: bool) -> list[Any]:
    """The operands; `exact` ones are extended to 128 bits as the operation takes them."""
    values: list[Any] = [s.get(v) for v in op.operands]
    if not exact:
        return values
    signed = _is_signed(op, name)
    return [
        wide.exactly(s, value, scalar(of.type).width, signed=signed and (at == 0 or name not in ("shrsi", "ashr")))
        if is_wide(of.type)
        else value
        for at, (value, of) in enumerate(zip(values, op.operands, strict=True))
    ]


@handles(WIDE)
def select_wide(s: Selector, op: Operation) -> None:
    """An integer operation on 65 to 128 bits, or on vectors of such integers; raises CompileError."""
    if any(is_vector(value.type) for value in (*op.operands, *op.results)):
        _select_elements(s, op)
    else:
        _select_one(s, op)


def _select_one(s: Selector, op: Operation) -> None:
    name = op.name.partition(".")[2]
    result = op.results[0]
    kinds = [operand.type for operand in op.operands]
    width = next(kind.width for kind in (scalar(x) for x in (*kinds, result.type)) if kind.kind == "wide")
    values = _operands(s, op, name, exact=width < 128 and name not in _RING)
    if name in _BINARY:
        s.values[result] = _BINARY[name](s, values[0], values[1])
    elif name in _UNARY:
        s.values[result] = _UNARY[name](s, values[0], width)
    elif name in _SATURATED:
        which, signed = _SATURATED[name]
        s.values[result] = _saturated(s, which, values[0], values[1], width, signed=signed)
    elif name in ("intr.fshl", "intr.fshr"):
        s.values[result] = _funnel(s, values[0], values[1], values[2], width, left=name.endswith("l"))
    elif name in ("cmpi", "icmp"):
        predicate = _predicate(op)
        s.values[result] = wide.compare(s, predicate[-2:], values[0], values[1], signed=predicate[0] != "u")
    elif name in ("intr.scmp", "intr.ucmp"):
        s.values[result] = _three_way(s, op, signed=name == "intr.scmp")
    elif name in _OVERFLOW:
        which, signed = _OVERFLOW[name]
        ring, wrapped = overflow(s, which, values[0], values[1], width, signed=signed)
        s.values[result] = (*ring, wrapped)
    elif name in ("mulsi_extended", "mului_extended"):
        low = s.values[result] = wide.multiply(s, values[0], values[1])
        high = wide.multiply_high(s, values[0], values[1], signed=name.startswith("muls"))
        s.values[op.results[1]] = _funnel(s, high, low, wide.constant(128 - width), 128, left=True)
    elif name == "addui_extended":
        s.values[result], s.values[op.results[1]] = overflow(s, "add", values[0], values[1], width, signed=False)
    elif name in _FLOATS:
        s.values[result] = _to_float(s, values[0], scalar(result.type), signed=_FLOATS[name])
    elif name in _INTEGERS:
        s.values[result] = _to_integer(s, values[0], scalar(kinds[0]), signed=_INTEGERS[name])
    elif name in (*_WIDENING, *_NARROWING) and is_wide(kinds[0]) and is_wide(result.type):
        s.values[result] = values[0]
    elif name in _WIDENING and is_wide(result.type):
        s.values[result] = _extended(s, values[0], scalar(kinds[0]).width, signed=_WIDENING[name])
    elif name in _NARROWING:
        s.values[result] = _narrowed(s, values[0][0], scalar(result.type).width)
    else:
        raise compile_error(op, "integers of more than 64 bits have no lowering here")


def _select_elements(s: Selector, op: Operation) -> None:
    """Each element of vectors by itself: the operation of scalars, of operands that are bound to the elements."""
    if not all(is_vector(value.type) for value in (*op.operands, *op.results)):
        raise compile_error(op, "vectors of integers of more than 64 bits have no lowering here")
    kinds: Any = [value.type for value in op.operands]
    results: Any = [value.type for value in op.results]
    block = Block(arg_types=[kind.element_type for kind in (*kinds, *results)])
    count = len(kinds)
    one: Any = Applied(op.name, block.args[:count], block.args[count:], op.properties, op.attributes, op.location)
    found: list[list[Any]] = [[] for _ in results]
    for row in zip(*(elements(s, s.get(v), v.type) for v in op.operands), strict=True):
        s.values.update(zip(one.operands, row, strict=True))
        _select_one(s, one)
        for column, result in zip(found, one.results, strict=True):
            column.append(s.get(result))
    for result, column in zip(op.results, found, strict=True):
        s.values[result] = pack(s, column, result.type)


def _three_way(s: Selector, op: Operation, *, signed: bool) -> Any:
    """-1, 0 or 1: less, equal, greater."""
    kind = scalar(op.results[0].type)
    bits = 32 if kind.cls == B32 else 64
    values = [
        wide.exactly(s, s.get(v), scalar(v.type).width, signed=signed)
        if is_wide(v.type)
        else _extended(s, s.get(v), scalar(v.type).width, signed=signed)
        for v in op.operands
    ]
    tests = (wide.compare(s, relation, values[0], values[1], signed=signed) for relation in ("lt", "gt"))
    less, more = (s.from_test(test, bits) for test in tests)
    return wide.of_number(s, s.sub(more, less), kind)


def _narrowed(s: Selector, low: Lin, width: int) -> Any:
    return s.to_test(low) if width == 1 else low if width > 32 else s.truncated(low)


def _extended(s: Selector, value: Any, width: int, *, signed: bool) -> Wide:
    if width == 1:
        low = s.from_test(value, 64, signed=signed)
    else:
        low = s.extended(s.exactly(value, width, signed=signed), signed=signed)
    return low, s.shift_right(low, 63, signed=True) if signed else linear.const(0)
