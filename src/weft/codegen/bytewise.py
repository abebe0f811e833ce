"""Where the bytes of a register come from, and putting bytes together.

Packed values (a pair of f16, four i8) are made and taken apart by moves of whole bytes: shifts, masks, `prmt`, `mov` of
pairs, conversions of 16-bit registers.  What moves found where they come from, however often they were moved, is taken
from there: pack and unpack cancel, and what remains is one instruction for each register that is really new.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from weft.codegen import linear
from weft.codegen.builder import Builder
from weft.codegen.graph import B16, B32, B64, BITS, Const, Inst, Value
from weft.codegen.linear import Lin
from weft.isa import opcode
from weft.ptx.operands import Float

Byte = int | tuple[Value, int]
"""A constant, or a byte of a register (0 the lowest)."""
Bytes = tuple[Byte, ...]

_DEPTH = 12
"""Moves that are followed at most; those that were made from what they were found to be need no more than one."""


def of_value(value: Value, depth: int = _DEPTH) -> Bytes:
    """The bytes of a register, the lowest first."""
    found = value.bytes
    if found is None:
        moved = _moved(value, depth) if depth and value.inst is not None else None
        found = moved or _own(value)
        # A search that the depth cut short is not remembered: one from nearer may find more.
        if moved or depth:
            value.bytes = found
    return found


def of_lin(lin: Lin) -> Bytes | None:
    """The bytes of an expression whose terms are whole bytes side by side; None for others."""
    found = of_number(lin.const, lin.bits // 8)
    for value, coefficient in lin.terms:
        shift = coefficient.bit_length() - 1
        if coefficient < 1 or coefficient != 1 << shift or shift % 8:
            return None
        joined = summed(found, shifted(of_value(value), shift // 8))
        if joined is None:
            return None
        found = joined
    return found


def of_number(number: int, count: int) -> Bytes:
    """The bytes of a constant."""
    return tuple((number & (1 << 8 * count) - 1).to_bytes(count, "little"))


def of_part(part: Value | Const | Lin, count: int) -> Bytes | None:
    """The lowest bytes of a scalar, None where they are not bytes of registers."""
    if isinstance(part, Const):
        return of_number(part.pattern, count)
    found = of_value(part) if isinstance(part, Value) else of_lin(part)
    return found[:count] if found is not None else None


def register16(found: Bytes) -> Value | None:
    """The register of 16 bits that two bytes are, None where they are no such one."""
    first = found[0]
    if isinstance(first, tuple) and first[0].cls == B16 and found == ((first[0], 0), (first[0], 1)):
        return first[0]
    return None


# -- where bytes come from ----------------------------------------------------------------------------------------


def _own(value: Value) -> Bytes:
    """The bytes as they are in the register, but those that are known to be 0."""
    count = BITS[value.cls] // 8
    used = (value.hi.bit_length() + 7) // 8 if value.lo >= 0 else count
    return tuple((value, i) if i < used else 0 for i in range(count))


def is_whole(value: Value) -> bool:
    """Whether the bytes of a register come from nowhere else."""
    return of_value(value) == _own(value)


def _moved(value: Value, depth: int) -> Bytes | None:
    inst = value.inst
    assert inst is not None
    rule = _RULES.get(inst.opcode.text)
    return rule(inst, value, depth - 1) if rule is not None else None


def beside(a: Bytes, b: Bytes, result: Value | None = None) -> Bytes | None:
    """a | b where no byte is used by both; bytes that are have to be taken from the `result`."""
    out: list[Byte] = []
    for i, (x, y) in enumerate(zip(a, b, strict=True)):
        if isinstance(x, int) and isinstance(y, int):
            out.append(x | y)
        elif x == 0:
            out.append(y)
        elif y == 0:
            out.append(x)
        elif result is not None:
            out.append((result, i))
        else:
            return None
    return tuple(out)


def summed(a: Bytes, b: Bytes) -> Bytes | None:
    """a + b where no bit is set in both, and no byte is used by both."""
    carries = any(isinstance(x, int) and isinstance(y, int) and x & y for x, y in zip(a, b, strict=True))
    return None if carries else beside(a, b)


def shifted(a: Bytes, up: int) -> Bytes:
    """The bytes moved up or down, with zeros in the places left."""
    return (*(0,) * up, *a)[: len(a)] if up >= 0 else (*a[-up:], *(0,) * min(-up, len(a)))


def masked(a: Bytes, mask: int, result: Value | None = None) -> Bytes | None:
    """a & mask; where the mask cuts through a byte that is no constant, it has to be taken from the `result`."""
    out: list[Byte] = []
    for i, (x, kept) in enumerate(zip(a, (mask & (1 << 8 * len(a)) - 1).to_bytes(len(a), "little"), strict=True)):
        if isinstance(x, int):
            out.append(x & kept)
        elif kept in (0, 255):
            out.append(x if kept else 0)
        elif result is not None:
            out.append((result, i))
        else:
            return None
    return tuple(out)


def _of_operand(operand: Any, count: int, depth: int) -> Bytes | None:
    if isinstance(operand, Value):
        return of_value(operand, depth)
    if isinstance(operand, int):
        return of_number(operand, count)
    if isinstance(operand, Float) and operand.text[:2] in ("0f", "0d"):
        return of_number(int(operand.text[2:], 16), count)
    return None


def _move(inst: Inst, value: Value, depth: int) -> Bytes | None:
    source = inst.args[1]
    if len(inst.outs) > 1:
        parts = _of_operand(source, 0, depth)
        at = inst.outs.index(value) * (BITS[value.cls] // 8)
        return parts[at : at + BITS[value.cls] // 8] if parts else None
    if isinstance(source, tuple):
        parts = [_of_operand(part, 0, depth) if isinstance(part, Value) else None for part in source]  # type: ignore[misc]
        return tuple(byte for part in parts for byte in part) if None not in parts else None  # type: ignore[union-attr]
    return _of_operand(source, BITS[value.cls] // 8, depth)


def _permute(inst: Inst, value: Value, depth: int) -> Bytes | None:
    a, b, selector = inst.args[1:]
    sources = [_of_operand(x, 4, depth) for x in (a, b)]
    if not isinstance(selector, int) or None in sources:
        return None
    both = [byte for part in sources for byte in part or ()]
    picked = [selector >> 4 * i & 15 for i in range(4)]
    # Selectors from 8 on replicate a byte's sign: such a byte is the result's own.
    return tuple(both[at] if at < 8 else (value, i) for i, at in enumerate(picked))


def _shift(up: int) -> _Rule:
    def rule(inst: Inst, value: Value, depth: int) -> Bytes | None:
        source, amount = _of_operand(inst.args[1], 0, depth), inst.args[2]
        if not isinstance(amount, int) or amount % 8 or not source:
            return None
        return shifted(source, up * min(amount // 8, len(source)))

    return rule


def _and(inst: Inst, value: Value, depth: int) -> Bytes | None:
    source = _of_operand(inst.args[1], 0, depth)
    return masked(source, inst.args[2], value) if source and isinstance(inst.args[2], int) else None


def _or(inst: Inst, value: Value, depth: int) -> Bytes | None:
    a, b = (_of_operand(x, BITS[value.cls] // 8, depth) for x in inst.args[1:])
    return beside(a, b, value) if a and b else None


def _product_and_sum(inst: Inst, value: Value, depth: int) -> Bytes | None:
    """`mad` by a power of 256, which puts bytes beside others."""
    factor = inst.args[2]
    shift = factor.bit_length() - 1 if isinstance(factor, int) and factor > 0 and factor & factor - 1 == 0 else 1
    a, b = (_of_operand(x, 4, depth) for x in (inst.args[1], inst.args[3]))
    return summed(shifted(a, shift // 8), b) if a and b and shift % 8 == 0 else None


def _resized(inst: Inst, value: Value, depth: int) -> Bytes | None:
    source, count = _of_operand(inst.args[1], 0, depth), BITS[value.cls] // 8
    return (*source, *(0,) * count)[:count] if source else None


def _signed(inst: Inst, value: Value, depth: int) -> Bytes | None:
    source, kept = _of_operand(inst.args[1], 0, depth), 1 if inst.opcode["atype"] == "s8" else 2
    return (*source[:kept], *((value, i) for i in range(kept, BITS[value.cls] // 8))) if source else None


_Rule = Callable[[Inst, Value, int], Bytes | None]
_RULES: dict[str, _Rule] = {
    opcode("prmt", type="b32").text: _permute,
    **{opcode("mov", type=f"b{bits}").text: _move for bits in (16, 32, 64)},
    **{opcode("shl", type=f"b{bits}").text: _shift(1) for bits in (32, 64)},
    **{opcode("shr", type=f"u{bits}").text: _shift(-1) for bits in (32, 64)},
    **{opcode("and", type=f"b{bits}").text: _and for bits in (32, 64)},
    **{opcode("or", type=f"b{bits}").text: _or for bits in (32, 64)},
    opcode("mad", mode="lo", type="s32").text: _product_and_sum,
    **{
        opcode("cvt", type=to, atype=source).text: _resized
        for to, source in (("u32", "u16"), ("u16", "u32"), ("u64", "u32"), ("u32", "u64"))
    },
    **{opcode("cvt", type="s32", atype=source).text: _signed for source in ("s8", "s16")},
}


# -- registers of bytes -------------------------------------------------------------------------------------------

Wanted = Sequence[Byte | None]
"""Bytes of which None is one that means nothing."""


def registers(found: Wanted) -> list[Value]:
    """The registers that bytes come from, each once."""
    return list(dict.fromkeys(byte[0] for byte in found if isinstance(byte, tuple)))


def is_one_move(found: Wanted) -> bool:
    """Whether one instruction makes a word of these bytes."""
    return len(registers(found)) + any(isinstance(byte, int) for byte in found) <= 2


def word(s: Builder, wanted: Wanted) -> Lin:
    """A 32-bit integer of four bytes, or of fewer and any above them."""
    wanted = (*wanted, *(None,) * (4 - len(wanted)))
    found = [_narrow(s, byte) for byte in wanted]
    sources = registers(found)
    if not sources:
        return linear.const32(_number(wanted))
    first = sources[0]
    if len(sources) == 1 and first.cls == B32 and _fits(wanted, of_value(first)):
        return linear.of(first)
    if any(source.cls == B16 for source in sources):
        low, high = _half(s, found[:2]), _half(s, found[2:])
        if low is not None and high is not None:
            return _of_halves(s, low, high)
        found = [_wide(s, byte) for byte in found]
        sources = registers(found)
    if len(sources) == 1:
        shorter = _by_shift(s, found, sources[0])
        if shorter is not None:
            return shorter
    return linear.of(_permuted(s, found, sources))


def half(s: Builder, wanted: Wanted) -> Value | Const | None:
    """A 16-bit register of two bytes, None if they are not such a one, the half of a wider one, or constant."""
    return _half(s, [_narrow(s, byte) for byte in wanted])


def extended(s: Builder, wanted: Bytes) -> Lin | None:
    """One or two bytes as a signed number of 32 bits; None where `cvt` of the register that has them does it."""
    first, *rest = (_narrow(s, byte) for byte in wanted)
    if not isinstance(first, tuple):
        return None
    source, at = first
    if source.cls == B16 and not at and rest == [(source, 1)]:
        return linear.of(s.pure(opcode("cvt", type="s32", atype="s16"), B32, source, lo=-(1 << 15), hi=(1 << 15) - 1))
    if source.cls != B32 or not at:
        return None
    if rest == [(source, at + 1)] and at == 2:
        return linear.of(s.pure(opcode("shr", type="s32"), B32, source, 16, lo=-(1 << 15), hi=(1 << 15) - 1))
    if rest:
        return None
    # The selector takes the byte, and its sign (8 | at) for each of the three bytes above.
    return linear.of(s.pure(opcode("prmt", type="b32"), B32, source, 0, at | (8 | at) * 0x1110, lo=-128, hi=127))


def _fits(wanted: Wanted, found: Wanted) -> bool:
    return all(want is None or want == have for want, have in zip(wanted, found, strict=True))


def _number(wanted: Wanted) -> int:
    return int.from_bytes(bytes(byte if isinstance(byte, int) else 0 for byte in wanted), "little")


def _narrow(s: Builder, byte: Byte | None) -> Byte | None:
    """The byte as one of a register of at most 32 bits."""
    if not isinstance(byte, tuple) or byte[0].cls != B64:
        return byte
    halves = s.pure_many(opcode("mov", type="b64"), (B32, B32), byte[0])
    return halves[byte[1] // 4], byte[1] % 4


def _wide(s: Builder, byte: Byte | None) -> Byte | None:
    if not isinstance(byte, tuple) or byte[0].cls != B16:
        return byte
    return s.pure(opcode("cvt", type="u32", atype="u16"), B32, byte[0], lo=0, hi=0xFFFF), byte[1]


def _half(s: Builder, found: Wanted) -> Value | Const | None:
    low, high = found
    if not isinstance(low, tuple):
        return None if isinstance(high, tuple) else Const(B16, _number(found))
    source, at = low
    if high not in ((source, at + 1), None) or at % 2:
        return None
    return source if source.cls == B16 else s.pure_many(opcode("mov", type="b32"), (B16, B16), source)[at // 2]


def _of_halves(s: Builder, low: Value | Const, high: Value | Const) -> Lin:
    if isinstance(low, Value) and high == Const(B16, 0):
        return linear.of(s.pure(opcode("cvt", type="u32", atype="u16"), B32, low, lo=0, hi=0xFFFF))
    return linear.of(s.pure(opcode("mov", type="b32"), B32, (s.register(low, B16), s.register(high, B16))))


def _by_shift(s: Builder, found: Wanted, source: Value) -> Lin | None:
    """The word by a shift or a mask of one register, if it is one."""
    whole: Bytes = tuple((source, i) for i in range(4))
    if _fits(found, whole):
        return linear.of(source)
    for count in (1, 2, 3):
        top = (1 << 8 * (4 - count)) - 1
        if _fits(found, shifted(whole, -count)):
            return linear.of(s.pure(opcode("shr", type="u32"), B32, source, 8 * count, lo=0, hi=top))
        if _fits(found, shifted(whole, count)):
            return linear.of(s.pure(opcode("shl", type="b32"), B32, source, 8 * count))
        for mask in (top, ~top):
            if _fits(found, masked(whole, mask) or ()):
                bounds = {"lo": 0, "hi": top} if mask == top else {}
                return linear.of(s.pure(opcode("and", type="b32"), B32, source, linear.wrap(mask, 32), **bounds))
    return None


def _permuted(s: Builder, found: Wanted, sources: list[Value]) -> Value:
    """The word by `prmt`, of two registers at a time, the constants among the bytes being one of them."""
    constant = linear.wrap(_number(found), 32)
    operands: list[Value | int] = [*sources]
    if any(isinstance(byte, int) for byte in found) or len(sources) == 1:
        operands.append(constant)
    places: list[tuple[Value | int, int]] = [
        byte if isinstance(byte, tuple) else (operands[0] if byte is None else constant, i)
        for i, byte in enumerate(found)
    ]
    while len(operands) > 2:
        # Each byte moves to its own place, where the next step finds it.
        pair = operands[:2] if len(operands) == 3 else operands[-2:]
        joined = s.pure(opcode("prmt", type="b32"), B32, *pair, _selector(places, pair))
        places = [(joined, i) if _index(place[0], pair) is not None else place for i, place in enumerate(places)]
        operands = [*(operand for operand in operands if _index(operand, pair) is None), joined]
    used = 4 - next((i for i, byte in enumerate(reversed(found)) if byte != 0), 4)
    bounds = {"lo": 0, "hi": (1 << 8 * used) - 1} if used < 4 else {}
    return s.pure(opcode("prmt", type="b32"), B32, *operands, _selector(places, operands), **bounds)


def _index(operand: Value | int, pair: list[Value | int]) -> int | None:
    """Which of the two an operand is."""
    return next((i for i, one in enumerate(pair) if one is operand or (type(operand) is int and one == operand)), None)


def _selector(places: list[tuple[Value | int, int]], pair: list[Value | int]) -> int:
    selector = 0
    for i, (operand, at) in enumerate(places):
        index = _index(operand, pair)
        selector |= (4 * index + at if index is not None else 0) << 4 * i
    return selector
