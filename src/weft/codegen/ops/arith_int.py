"""`arith` on integers: arithmetic, bits, comparison, selection, constants."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue

from weft.codegen import linear, wide
from weft.codegen.access import generic
from weft.codegen.constants import constant, constant_of
from weft.codegen.graph import PRED, Const
from weft.codegen.integers import Test
from weft.codegen.knownbits import possible
from weft.codegen.linear import Lin
from weft.codegen.nowrap import sure
from weft.codegen.ops.merging import select_scalar
from weft.codegen.ops.moduli import DIFFERENCES, reduced
from weft.codegen.provenance import in_one_space, is_generic
from weft.codegen.selector import Selector, handles, or_wide
from weft.codegen.types import Scalar, is_vector, layout, scalar
from weft.codegen.vectors import each2, elements, elementwise, integers, integers2, lanewise, pack
from weft.dialects import narrow
from weft.dialects.arith.predicates import INTEGER_PREDICATES


@handles("arith.constant", "index.constant", "index.bool.constant")
def select_constant(s: Selector, op: Operation) -> None:
    """A constant: an immediate until something needs it in a register."""
    result = op.results[0]
    s.values[result] = constant(op.properties["value"], result.type)


@handles("index.sizeof")
def select_index_size(s: Selector, op: Operation) -> None:
    """The bits of an index."""
    s.values[op.results[0]] = linear.const(64)


def _binary(
    names: str,
    whole: Callable[[Selector, Lin, Lin], Lin],
    bit: Callable[[Selector, Test, Test], Test],
    *,
    bitwise: bool = False,
) -> None:
    """Operations for which the upper bits of narrow integers do not matter; packed ones need not be taken apart for a
    `bitwise` one.
    """

    def apply(s: Selector, op: Operation) -> None:
        a, b = op.operands
        type_ = a.type
        if type(type_) is IntegerType and 1 < type_.width.data <= 64:  # As most are: the shortest way.
            s.values[op.results[0]] = numbers(s, op, s.values[a], s.values[b], scalar(type_))
        else:
            others(s, op)

    def each(s: Selector, op: Operation) -> None:
        if bitwise and lanewise(s, op, lambda a, b: whole(s, a, b)):
            return
        each2(s, op, lambda a, b, kind: bit(s, a, b) if kind.kind == "test" else numbers(s, op, a, b, kind))

    def numbers(s: Selector, op: Operation, a: Lin, b: Lin, kind: Scalar) -> Lin:
        if op.name in DIFFERENCES and kind.width in (32, 64) and not is_vector(op.results[0].type):
            less = reduced(s, op, a)
            if less is not None:
                return less
        if op.name in _MIXES and (masked := _masked(s, op)) is not None:
            return masked
        result = whole(s, a, b)
        if kind.width != 32:
            return _in_one(s, op, result)
        if len(result.terms) < 3 or not _is_shared(s, op, result):
            return sure(op, a, b, result)
        return linear.offset(linear.of(s.int_value(Lin(32, result.terms, 0))), result.const)

    others = or_wide(each)
    handles(*names.split())(apply)


_binary("arith.addi llvm.add index.add", Selector.add, lambda s, a, b: s.logic("xor", a, b))
_binary("arith.subi llvm.sub index.sub", Selector.sub, lambda s, a, b: s.logic("xor", a, b))
_binary("arith.muli llvm.mul index.mul", Selector.mul, lambda s, a, b: s.logic("and", a, b))


def _bitwise(names: str, name: str) -> None:
    """Operations on bits, each for itself."""
    _binary(names, lambda s, a, b: s.bitwise(name, a, b), lambda s, a, b: s.logic(name, a, b), bitwise=True)


_bitwise("arith.andi llvm.and index.and", "and")
_bitwise("arith.ori index.or", "or")
_bitwise("arith.xori llvm.xor index.xor", "xor")
_binary("llvm.or", lambda s, a, b: _either(s, a, b), lambda s, a, b: s.logic("or", a, b), bitwise=True)


_MOST_ADDED = 3
"""Terms of a sum of 64 bits from which on it is worth a register of its own."""
_SUMS = frozenset(
    ("arith.addi", "arith.subi", "arith.muli", "arith.shli", "llvm.add", "llvm.sub", "llvm.mul", "llvm.shl")
)


def _is_shared(s: Selector, op: Operation, result: Lin) -> bool:
    """Whether several sums read a sum, each of which would add its terms again.

    Not where they are of several loops or step with one: addresses have their parts.
    """
    (value,) = op.results
    if op.name not in _SUMS or not value.has_more_than_one_use():
        return False
    depth = s.block.depth
    if any(term.block.depth != depth or term.induction is not None for term, _ in result.terms):
        return False
    return all(use.operation.name in _SUMS for use in islice(value.uses, _MOST_USES))


def _in_one(s: Selector, op: Operation, result: Lin) -> Lin:
    """A sum of 64 bits as one register, where several read it: each address would add all of its terms.

    Not where the terms are of several loops or step with one, nor where all of them are numbers of 32 bits, whose sums
    cost an instruction.
    """
    terms = result.terms
    if len(terms) < _MOST_ADDED or result.bits != 64 or not op.results[0].has_more_than_one_use():
        return result
    depth = terms[0][0].block.depth
    if any(term.block.depth != depth or term.induction is not None or term.space for term, _ in terms):
        return result
    if op.name not in _SUMS or all(term.narrow is not None for term, _ in terms):
        return result
    return linear.offset(linear.of(s.int_value(Lin(64, terms, 0))), result.const)


def _either(s: Selector, a: Lin, b: Lin) -> Lin:
    """a `or` b: a sum where the operation says that they share no bits and nothing else tells."""
    if a.bits == 32 and "isDisjoint" in s.source.properties and _possible(s, a) & _possible(s, b):
        return s.add(a, b)
    return s.bitwise("or", a, b)


_MASKS = ("arith.andi", "llvm.and")
_MIXES = {"arith.ori": "or", "arith.xori": "xor", "llvm.xor": "xor"}


def _masked(s: Selector, op: Operation) -> Lin | None:
    """a `or` b or a `xor` b where both are what one mask leaves of two values and nothing else reads them: the mask
    comes last.
    """
    x, y = op.operands
    first: Any = x.owner
    second: Any = y.owner
    if getattr(first, "name", "") not in _MASKS or getattr(second, "name", "") not in _MASKS or is_vector(x.type):
        return None
    if not (x.has_one_use() and y.has_one_use()):
        return None
    for mask, one in (first.operands, first.operands[::-1]):
        for same, other in (second.operands, second.operands[::-1]):
            if mask is same and constant_of(mask) is None:
                return s.bitwise("and", s.int(mask), s.bitwise(_MIXES[op.name], s.int(one), s.int(other)))
    return None


def _possible(s: Selector, a: Lin) -> int:
    return a.const if a.is_const else possible(s.int_value(a))


def _exact(names: str, apply: Callable[[Selector, Lin, Lin, bool], Lin], *, signed: bool) -> None:
    """Operations that read all bits of narrow integers: these are extended first."""

    def whole(s: Selector, a: Any, b: Any, kind: Scalar) -> Any:
        a, b = (s.exactly(x, kind.width, signed=signed) for x in (a, b))
        return apply(s, a, b, signed)

    def handler(s: Selector, op: Operation) -> None:
        integers2(s, op, lambda a, b, kind: whole(s, a, b, kind))

    handles(*names.split(), wide=True)(handler)


def _div(s: Selector, a: Lin, b: Lin, signed: bool) -> Lin:
    return s.div(a, b, signed=signed)


_QUOTIENTS = {
    "arith.remsi": "arith.divsi", "arith.remui": "arith.divui", "llvm.srem": "llvm.sdiv", "llvm.urem": "llvm.udiv",
    "index.rems": "index.divs", "index.remu": "index.divu",
}  # fmt: skip
_MOST_USES = 16


def _rem(s: Selector, a: Lin, b: Lin, signed: bool) -> Lin:
    if not b.is_const and _wants_quotient(s.source):
        s.div(a, b, signed=signed)  # The remainder then comes of the quotient.
    return s.rem(a, b, signed=signed)


def _wants_quotient(op: Operation) -> bool:
    """Whether another operation divides the same numbers."""
    wanted, (a, b) = _QUOTIENTS.get(op.name), op.operands[:2]
    others = (use.operation for use in islice(a.uses, _MOST_USES))
    return any(other.name == wanted and other.operands[1] is b for other in others)


def _shift_right(s: Selector, a: Lin, b: Lin, signed: bool) -> Lin:
    if not signed and b.is_const and (parts := _mixed(s.source, a.bits)) is not None:
        x, y, first = parts
        whole, moved = s.int(x), s.int(y)
        if b.const >= 0 and 0 <= first < a.bits - b.const and whole.bits == moved.bits == a.bits:
            low = s.shift_right(moved, first + b.const, signed=False)
            return s.bitwise("xor", s.shift_right(whole, b.const, signed=False), low)
    return s.shift_right(a, b, signed=signed)


def _mixed(op: Operation, width: int) -> tuple[Any, Any, int] | None:
    """x, y and n, where what is shifted is x ^ (y >> n) and nothing else reads the parts."""
    value = op.operands[0]
    mix: Any = value.owner
    if getattr(mix, "name", "") not in ("arith.xori", "llvm.xor") or not value.has_one_use():
        return None
    for x, shifted in (mix.operands, mix.operands[::-1]):
        shift = shifted.owner
        if getattr(shift, "name", "") in ("arith.shrui", "llvm.lshr") and shifted.has_one_use():
            number = constant_of(shift.operands[1])
            if number is not None and narrow.width(value.type) == width:
                return x, shift.operands[0], number
    return None


def _min(s: Selector, a: Lin, b: Lin, signed: bool) -> Lin:
    return s.extreme("min", a, b, signed=signed)


def _max(s: Selector, a: Lin, b: Lin, signed: bool) -> Lin:
    return s.extreme("max", a, b, signed=signed)


_exact("arith.divsi llvm.sdiv index.divs", _div, signed=True)
_exact("arith.divui llvm.udiv index.divu", _div, signed=False)
_exact("arith.remsi llvm.srem index.rems", _rem, signed=True)
_exact("arith.remui llvm.urem index.remu", _rem, signed=False)
_exact("arith.shrsi llvm.ashr index.shrs", _shift_right, signed=True)
_exact("arith.shrui llvm.lshr index.shru", _shift_right, signed=False)
_exact("arith.minsi llvm.intr.smin index.mins", _min, signed=True)
_exact("arith.minui llvm.intr.umin index.minu", _min, signed=False)
_exact("arith.maxsi llvm.intr.smax index.maxs", _max, signed=True)
_exact("arith.maxui llvm.intr.umax index.maxu", _max, signed=False)


@handles("arith.shli", "llvm.shl", "index.shl", wide=True)
def select_shift_left(s: Selector, op: Operation) -> None:
    """A shift by an amount below the width."""

    def apply(a: Any, b: Any, kind: Scalar) -> Any:
        if kind.kind == "test":
            return s.logic("and", a, s.inverted(b))
        result = s.shift_left(a, s.exactly(b, kind.width, signed=False))
        return sure(op, a, b, result) if kind.width == 32 else result

    elementwise(s, op, apply)


def _ceil_div(s: Selector, a: Lin, b: Lin, kind: Scalar) -> Lin:
    """ceil(a / b) of unsigned integers: a == 0 ? 0 : (a - 1) / b + 1."""
    a, b = (s.exactly(x, kind.width, signed=False) for x in (a, b))
    zero = linear.const(0, a.bits)
    if a.exact and b.is_const and b.const > 0 and a.lo >= 0:
        return s.div(linear.offset(a, b.const - 1), b, signed=False)
    inner = linear.offset(s.div(linear.offset(a, -1), b, signed=False), 1)
    return s.choose(s.compare("eq", a, zero), zero, inner)


def _signed_step(s: Selector, a: Lin, b: Lin, kind: Scalar, *, up: bool) -> Lin:
    """a / b rounded up or down: the truncated quotient, corrected where it was rounded the other way."""
    a, b = (s.exactly(x, kind.width, signed=True) for x in (a, b))
    quotient = s.div(a, b, signed=True)
    zero = linear.const(0, a.bits)
    rest = s.sub(a, s.mul(quotient, b))
    inexact = s.compare("ne", rest, zero)
    same = s.compare("ge" if up else "lt", s.bitwise("xor", a, b), zero, signed=True)
    return s.choose(s.logic("and", inexact, same), linear.offset(quotient, 1 if up else -1), quotient)


@handles("arith.ceildivui", "index.ceildivu", wide=True)
def select_ceildivui(s: Selector, op: Operation) -> None:
    """Unsigned division rounded up."""
    integers2(s, op, lambda a, b, kind: _ceil_div(s, a, b, kind))


@handles("arith.ceildivsi", "index.ceildivs", wide=True)
def select_ceildivsi(s: Selector, op: Operation) -> None:
    """Signed division rounded up."""
    integers2(s, op, lambda a, b, kind: _signed_step(s, a, b, kind, up=True))


@handles("arith.floordivsi", "index.floordivs", wide=True)
def select_floordivsi(s: Selector, op: Operation) -> None:
    """Signed division rounded down."""
    integers2(s, op, lambda a, b, kind: _signed_step(s, a, b, kind, up=False))


_EXTENDED = {"arith.mulsi_extended": True, "arith.mului_extended": False}


@handles(*_EXTENDED, wide=True)
def select_extended_product(s: Selector, op: Operation) -> None:
    """The low and the high half of a product."""
    signed = _EXTENDED[op.name]

    def apply(a: Lin, b: Lin, kind: Scalar) -> tuple[Lin, Lin]:
        if kind.width in (32, 64):
            return s.mul(a, b), s.mul_high(a, b, signed=signed)
        a, b = (s.exactly(x, kind.width, signed=signed) for x in (a, b))
        product = s.mul(a, b)
        if kind.width > 32:
            double = wide.multiply(
                s, *((x, s.shift_right(x, 63, signed=True) if signed else linear.const(0)) for x in (a, b))
            )
            amount = (linear.const(kind.width), linear.const(0))
            return product, wide.shift_right(s, double, amount, signed=signed)[0]
        if kind.width > 16:
            product = s.mul(*(s.extended(x, signed=signed) for x in (a, b)))
            return s.truncated(product), s.truncated(s.shift_right(product, kind.width, signed=signed))
        return product, s.shift_right(product, kind.width, signed=signed)

    integers(s, op, apply)


@handles("arith.addui_extended", wide=True)
def select_extended_sum(s: Selector, op: Operation) -> None:
    """A sum and its carry."""

    def apply(a: Lin, b: Lin, kind: Scalar) -> tuple[Lin, Test]:
        total = s.compared_sum(a, b)
        whole, first = (s.exactly(x, kind.width, signed=False) for x in (total, a))
        return total, s.compare("lt", whole, first, signed=False)

    integers(s, op, apply)


# -- comparison and selection -----------------------------------------------------------------------------------


def integer_predicate(op: Operation) -> str:
    """The name of a comparison's predicate: `slt`."""
    if op.name == "index.cmp":
        return narrow.word(op.properties["pred"])
    index = narrow.number(op.properties["predicate"])
    return INTEGER_PREDICATES[index]


def _masked_remainder(op: Operation) -> tuple[SSAValue, int, int] | None:
    """x, mask, rest: a signed remainder by a power of two is `rest` where `x and mask` is, which takes no quotient."""
    division: Any = op.operands[0].owner
    if getattr(division, "name", "") not in ("arith.remsi", "llvm.srem", "index.rems"):
        return None
    divisor, rest = constant_of(division.operands[1]), constant_of(op.operands[1])
    kind = layout(division.results[0].type).scalars[0]
    if divisor is None or rest is None or kind.kind != "int" or divisor < 2 or divisor & divisor - 1:
        return None
    if not 0 <= rest < divisor:
        return None
    sign = 1 << kind.width - 1 if rest else 0  # A negative number has no positive remainder.
    return division.operands[0], divisor - 1 | sign, rest


@handles("arith.cmpi", "llvm.icmp", "index.cmp", wide=True)
def select_compare(s: Selector, op: Operation) -> None:
    """An integer comparison."""
    name = integer_predicate(op)
    signed, relation = name[0] != "u", name[-2:]
    if relation in ("eq", "ne") and (masked := _masked_remainder(op)) is not None:
        value, mask, rest = masked
        x = s.int(value)
        bits = s.bitwise("and", x, linear.const(linear.wrap(mask, x.bits), x.bits))
        s.values[op.results[0]] = s.compare(relation, bits, linear.const(rest, x.bits), signed=True)
        return

    def apply(a: Any, b: Any, kind: Scalar) -> Test:
        if kind.kind == "test":
            if relation in ("eq", "ne"):
                different = s.logic("xor", a, b)
                return different if relation == "ne" else s.inverted(different)
            a, b = (s.from_test(x, 32, signed=signed) for x in (a, b))
            return s.compare(relation, a, b, signed=True)
        if is_generic(kind):
            a, b = generic(s, a), generic(s, b)
        by_sign = signed and not (name[0] in "en" and all(0 <= x.lo and x.hi < 1 << kind.width for x in (a, b)))
        a, b = (s.exactly(x, kind.width, signed=by_sign) for x in (a, b))
        return s.compare(relation, a, b, signed=by_sign)

    elementwise(s, op, apply)


@handles("arith.select", "llvm.select")
def select_select(s: Selector, op: Operation) -> None:
    """A choice between two values of any type, by one predicate or one for each element."""
    tests = s.get(op.operands[0])
    result = op.results[0]
    if layout(op.operands[0].type).composite:
        a, b = (elements(s, s.get(v), v.type) for v in op.operands[1:])
        out = [choose_scalar(s, t, x, y) for t, x, y in zip(tests, a, b, strict=True)]
        s.values[result] = pack(s, out, result.type)
        return
    a, b = (s.flatten(s.get(v)) for v in op.operands[1:])
    kinds = layout(result.type).scalars
    chosen = tuple(choose_scalar(s, tests, x, y, kind) for x, y, kind in zip(a, b, kinds, strict=True))
    s.values[result] = s.unflatten(result.type, chosen)


def choose_scalar(s: Selector, test: Test, a: Any, b: Any, kind: Scalar | None = None) -> Any:
    """a if test else b, for any scalars; pointers are generic ones unless the `kind` says otherwise."""
    if isinstance(a, tuple):
        return tuple(choose_scalar(s, test, *parts) for parts in zip(a, b, strict=True))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(a, Lin):
        return s.choose(test, *in_one_space(s, a, b, kind))
    return select_scalar(s, test, a, b)


def truth(value: bool) -> Const:
    """A constant predicate."""
    return Const(PRED, int(value))
