"""`gpu` exchanges between lanes and threads: shuffles, broadcasts, reductions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.graph import B32, PRED, Const, PairOut, Value
from weft.codegen.linear import Lin
from weft.codegen.ops.arith_cast import from_bits, to_bits
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar, layout
from weft.isa import opcode

if TYPE_CHECKING:
    from weft.dialects.rows import gpu

ALL_LANES = -1
WARP = 32
_MODES = {"xor": "bfly", "up": "up", "down": "down", "idx": "idx"}


@handles("gpu.shuffle")
def select_shuffle(s: Selector, op: gpu.ShuffleOp) -> None:
    """A value of another of the first `width` lanes of the warp, and whether there is one."""
    value, offset, width = op.operands
    mode = _MODES[op.mode.data.value]
    kinds = layout(value.type).scalars
    parts, valid = among(s, s.flatten(s.get(value)), kinds, mode, s.int(offset), s.int(width))
    s.values[op.results[0]] = s.unflatten(value.type, tuple(parts))
    s.values[op.results[1]] = valid


def among(
    s: Selector, scalars: tuple[Any, ...], kinds: tuple[Scalar, ...], mode: str, offset: Lin, width: Lin
) -> tuple[list[Any], Value]:
    """Scalars of another of the first `width` lanes, and whether this lane and that one are among them.

    Only these lanes take part: only they have to come.  What the others get is unspecified: their own.  The offset of
    `shfl` counts modulo 32; a larger one leads to no lane, but `shfl` would say that it does.
    """
    from weft.codegen.ops.gpu import special

    if width.is_const and width.const >= WARP and offset.is_const and 0 <= offset.const < WARP:
        return moved(s, scalars, kinds, mode, offset)
    width, offset = (linear.of(s.int_value(a)) if a.terms else a for a in (width, offset))
    here = special(s, "%laneid", 0, WARP - 1)
    part: Value | None = None
    lanes, last = linear.const32(ALL_LANES), linear.const32(WARP - 1)
    if not (width.is_const and width.const >= WARP):
        part = s.register(s.compare("lt", here, width, signed=True), PRED)
        lanes = s.shift_right(lanes, s.sub(linear.const32(WARP), width), signed=False)
        last = linear.offset(width, -1)
    clamp = linear.const32(0) if mode == "up" else last
    parts, valid = moved(s, scalars, kinds, mode, offset, clamp=clamp, lanes=s.operand(lanes), part=part)
    if not (offset.is_const and 0 <= offset.const < WARP):
        near = s.compare("lt", offset, linear.const32(WARP), signed=False)
        valid = s.register(s.logic("and", valid, near), PRED)
    return parts, valid


def moved(
    s: Selector,
    scalars: tuple[Any, ...],
    kinds: tuple[Scalar, ...],
    mode: str,
    offset: Lin,
    *,
    clamp: Lin | None = None,
    lanes: Any = ALL_LANES,
    part: Value | None = None,
) -> tuple[list[Any], Value]:
    """Scalars of another lane of the warp, 32 bits at a time, and whether it was in range.

    `clamp` is the last lane that may be read (the first one for `up`), `lanes` the mask of those that take part.  With
    `part` only the lanes where it holds do it; the others keep what they have.
    """
    if clamp is None:
        clamp = linear.const32(0 if mode == "up" else WARP - 1)
    rest = (s.operand(offset), s.operand(clamp), lanes)
    text = opcode("shfl", mode=mode, type="b32")
    out: list[Any] = []
    valid: Value | None = None
    for scalar, kind in zip(scalars, kinds, strict=True):
        words: list[Lin] = []
        bits = _word(s, scalar, kind)
        for word in [bits] if bits.bits == 32 else halves(s, bits):
            got, valid = s.value(B32), s.value(PRED)
            source = s.int_value(word)
            inst = s.emit(text, PairOut(got, valid), source, *rest, outs=(got, valid), guard=part)
            if part is not None:
                inst.ties = ((got, source), (valid, Const(PRED, 0)))
            words.append(linear.of(got))
        whole = words[0] if len(words) == 1 else joined(s, words[0], words[1])
        out.append(_unword(s, whole, kind))
    assert valid is not None
    return out, valid


def _word(s: Selector, scalar: Any, kind: Scalar) -> Lin:
    if kind.kind == "packed":
        return linear.of(s.register(scalar, B32))
    return to_bits(s, scalar, kind)


def _unword(s: Selector, word: Lin, kind: Scalar) -> Any:
    return s.int_value(word) if kind.kind == "packed" else from_bits(s, word, kind)


def halves(s: Selector, a: Lin) -> list[Lin]:
    """The low and the high 32 bits of a 64-bit integer."""
    low, high = s.pure_many(opcode("mov", type="b64"), (B32, B32), s.int_value(a))
    return [linear.of(low), linear.of(high)]


def joined(s: Selector, low: Lin, high: Lin) -> Lin:
    """The 64-bit integer of two halves."""
    return linear.of(s.pure(opcode("mov", type="b64"), "b64", (s.int_value(low), s.int_value(high))))


@handles("gpu.rotate")
def select_rotate(s: Selector, op: gpu.RotateOp) -> None:
    """The value of lane (lane + offset) mod width, in the first `width` lanes."""
    from weft.codegen.ops.gpu import special

    value = op.operands[0]
    offset, width = op.offset.value.data, op.width.value.data
    lane = special(s, "%laneid", 0, WARP - 1)
    source = s.bitwise("and", linear.offset(lane, offset), linear.const32(width - 1))
    kinds = layout(value.type).scalars
    parts, valid = among(s, s.flatten(s.get(value)), kinds, "idx", source, linear.const32(width))
    s.values[op.results[0]] = s.unflatten(value.type, tuple(parts))
    s.values[op.results[1]] = valid


@handles("gpu.subgroup_broadcast")
def select_broadcast(s: Selector, op: Operation) -> None:
    """The value of one lane in every lane."""
    value = op.operands[0]
    lane = s.int(op.operands[1]) if len(op.operands) > 1 else linear.const32(0)
    parts, _ = moved(s, s.flatten(s.get(value)), layout(value.type).scalars, "idx", lane)
    s.values[op.results[0]] = s.unflatten(value.type, tuple(parts))
