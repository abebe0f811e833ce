"""A normal form of what `xor`, masks and shifts make of bit fields.

Addresses in shared memory are put together from fields of a thread's number by shifts, masks, `or` and `xor`.  All of
that is linear over bits: an expression is the `xor` of a constant and of fields, each some bits of a register, moved.
In this form equal fields cancel, parts of one field grow together again, and fields (and constants) that share no bit
with others are a sum, so that addresses that differ in a constant have a common register and immediate offsets.
"""

from __future__ import annotations

from weft.codegen import linear
from weft.codegen.graph import B32, Value
from weft.codegen.knownbits import possible
from weft.codegen.linear import Lin
from weft.codegen.sums import Sums
from weft.isa import opcode
from weft.ptx.operands import Register

_DEPTH = 8
_MOST = 6
"""Fields of an expression at most; what has more is a field of its own."""
_FULL = (1 << 32) - 1
_OFFSETS = 1 << 20
"""Constants above are no offsets in shared memory: their bits stay together."""


# -- fields -------------------------------------------------------------------------------------------------------


class Form:
    """The `xor` of a constant and of fields: (register, shift to the left) and which bits of that, of 32."""

    __slots__ = ("const", "fields")

    def __init__(self, const: int, fields: dict[tuple[Value, int], int]) -> None:
        self.const = const
        self.fields = fields

    def xor(self, other: Form) -> Form:
        """Both; what they have in common cancels."""
        fields = dict(self.fields)
        for key, bits in other.fields.items():
            left = fields.get(key, 0) ^ bits
            if left:
                fields[key] = left
            else:
                del fields[key]
        return Form(self.const ^ other.const, fields)

    def masked(self, mask: int) -> Form:
        """The bits of the mask."""
        fields = {key: left for key, bits in self.fields.items() if (left := bits & mask)}
        return Form(self.const & mask, fields)

    def shifted(self, by: int) -> Form:
        """Moved to the left (to the right by a negative number), with zeros in the places left."""

        def moved(bits: int) -> int:
            return bits << by & _FULL if by >= 0 else bits >> -by

        fields = {(value, shift + by): left for (value, shift), bits in self.fields.items() if (left := moved(bits))}
        return Form(moved(self.const), fields)

    @property
    def bits(self) -> int:
        """Those that may be set."""
        union = self.const
        for bits in self.fields.values():
            union |= bits
        return union


def of_value(value: Value, depth: int = _DEPTH) -> Form:
    """What a register of 32 bits is made of."""
    found = value.form
    if found is None:
        found = _expanded(value, depth) if depth and value.inst is not None else None
        if found is None or len(found.fields) > _MOST:
            found = _own(value)
        if depth == _DEPTH:
            value.form = found
    return found


def _own(value: Value) -> Form:
    bits = possible(value)
    return Form(0, {(value, 0): bits} if bits else {})


def _expanded(value: Value, depth: int) -> Form | None:
    inst = value.inst
    assert inst is not None
    step = _STEPS.get(inst.opcode.text, "")
    if not step:
        return None
    first, second, *more = inst.args[1:]
    if not isinstance(first, Value):
        return None
    a = of_value(first, depth - 1)
    if more:
        return a.shifted(-second).masked((1 << more[0]) - 1)
    if isinstance(second, int):
        match step:
            case "and":
                return a.masked(second & _FULL)
            case "shl":
                return a.shifted(second)
            case "shr":
                return a.shifted(-second)
            case _:
                b = Form(second & _FULL, {})
    elif isinstance(second, Value) and step in ("xor", "or", "add"):
        b = of_value(second, depth - 1)
    else:
        return None
    return a.xor(b) if step == "xor" or not a.bits & b.bits else None


_STEPS = {
    opcode(stem, type=type_).text: stem
    for stem, type_ in (
        ("and", "b32"),
        ("shl", "b32"),
        ("shr", "u32"),
        ("xor", "b32"),
        ("or", "b32"),
        ("add", "s32"),
        ("bfe", "u32"),
    )
}
_MOVE, _THREAD, _LANES = opcode("mov", type="u32"), Register("%tid.x"), 5


def of_lin(lin: Lin, *, deep: bool) -> Form | None:
    """A sum whose terms share no bits; `deep` looks into what the registers are made of, else they are fields."""
    const = seen = lin.const & _FULL
    fields: dict[tuple[Value, int], int] = {}
    for value, coefficient in lin.terms:
        shift = coefficient.bit_length() - 1
        if coefficient < 1 or coefficient != 1 << shift:
            if coefficient != -(1 << 31):
                return None
            shift = 31
        if deep:
            part = of_value(value)
            if shift:
                part = part.shifted(shift)
            bits = part.bits
        else:
            part, bits = None, possible(value) << shift & _FULL
        if bits & seen:
            return None
        seen |= bits
        if part is not None:
            const |= part.const
            for key, own in part.fields.items():
                fields[key] = fields.get(key, 0) | own
        elif bits:
            fields[value, shift] = bits
    return Form(const, fields)


def is_own(value: Value) -> bool:
    """Whether nothing is known of a register but which of its bits may be set."""
    form = of_value(value)
    return not form.const and len(form.fields) == 1 and (value, 0) in form.fields


def whole(s: Sums, form: Form) -> Lin:
    """The expression that a form stands for."""
    if (both := _two(form)) is not None:
        return linear.of(_xor(s, *both))
    seen = shared = 0
    for bits in form.fields.values():
        shared |= seen & bits
        seen |= bits
    flips = form.const & seen
    if flips and form.const > _OFFSETS:
        flips = form.const
    touched = shared | flips
    sum_ = linear.const32(form.const & ~flips)
    mixed: list[Value] = []
    for (value, shift), bits in form.fields.items():
        if bits & touched:
            mixed.append(_moved_field(s, value, shift, bits))
        else:
            sum_ = linear.add(sum_, _field(s, value, shift, bits))
    if not mixed:
        return sum_
    mixed.sort(key=lambda value: (value.block.depth, value.id))
    held = mixed[0]
    for value in mixed[1:]:
        held = _xor(s, *((held, value) if held.id > value.id else (value, held)))
    if flips:
        held = _xor(s, held, linear.wrap(flips, 32))
    return linear.add(sum_, linear.of(held))


def _two(form: Form) -> tuple[Value, Value] | None:
    """The registers where a form is two that share bits and nothing else, as most are; the newer first."""
    if form.const or len(form.fields) != 2:
        return None
    ((a, shift), bits), ((b, other), more) = form.fields.items()
    if shift or other or not bits & more or bits != possible(a) or more != possible(b):
        return None
    return (a, b) if a.id > b.id else (b, a)


def _xor(s: Sums, a: Value, b: Value | int) -> Value:
    bits = possible(a) | (possible(b) if isinstance(b, Value) else b & _FULL)
    bounds = {"lo": 0, "hi": bits} if bits < 1 << 31 else {}
    return s.pure(opcode("xor", type="b32"), B32, a, b, **bounds)


def _field(s: Sums, value: Value, shift: int, bits: int) -> Lin:
    """Some bits of a register, moved."""
    there = possible(value)
    there = there << shift & _FULL if shift >= 0 else there >> -shift
    if shift <= -_LANES and bits & (bits + 1) == 0 and bits != there and _is_thread(value):
        # Of a shift of the thread's number by the bits of its lane ptxas makes one value for the warp, whose way back
        # from the uniform registers costs more than it spares.
        return linear.of(s.pure(opcode("bfe", type="u32"), B32, value, -shift, bits.bit_length(), lo=0, hi=bits))
    if shift < 0:
        value = s.pure(opcode("shr", type="u32"), B32, value, -shift, lo=0, hi=possible(value) >> -shift)
    if bits != there:
        kept = bits >> max(shift, 0)
        bounds = {"lo": 0, "hi": kept} if kept < 1 << 31 else {}
        value = s.pure(opcode("and", type="b32"), B32, value, linear.wrap(kept, 32), **bounds)
    return linear.scaled(linear.of(value), 1 << shift) if shift > 0 else linear.of(value)


def _is_thread(value: Value) -> bool:
    inst = value.inst
    return inst is not None and inst.opcode is _MOVE and inst.args[1] == _THREAD


def _moved_field(s: Sums, value: Value, shift: int, bits: int) -> Value:
    """The same in a register, masked last: one instruction masks and joins it to others by `xor`."""
    if shift <= 0 or bits == possible(value) << shift & _FULL:
        return s.int_value(_field(s, value, shift, bits))
    value = s.int_value(Lin(32, ((value, linear.wrap(1 << shift, 32)),), 0))
    bounds = {"lo": 0, "hi": bits} if bits < 1 << 31 else {}
    return s.pure(opcode("and", type="b32"), B32, value, linear.wrap(bits, 32), **bounds)
