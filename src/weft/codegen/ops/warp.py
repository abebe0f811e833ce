"""`gpu` exchanges between lanes and threads: shuffles, broadcasts, reductions."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.graph import B32, PRED, PairOut, Value
from weft.codegen.linear import Lin
from weft.codegen.ops.arith_cast import from_bits, to_bits
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar, layout

ALL_LANES = -1
_MODES = {"xor": "bfly", "up": "up", "down": "down", "idx": "idx"}


@handles("gpu.shuffle")
def select_shuffle(s: Selector, op: Any) -> None:
    """A value of another lane, and whether that lane was in range."""
    value, offset, width = op.operands
    mode = _MODES[op.properties["mode"].data.value]
    parts, valid = shuffled(s, s.flatten(s.get(value)), layout(value.type).scalars, mode, s.int(offset), s.int(width))
    s.values[op.results[0]] = s.unflatten(value.type, tuple(parts))
    s.values[op.results[1]] = valid


def shuffled(
    s: Selector,
    scalars: tuple[Any, ...],
    kinds: tuple[Scalar, ...],
    mode: str,
    offset: Lin,
    width: Lin,
    lanes: Any = ALL_LANES,
) -> tuple[list[Any], Value]:
    """Scalars of another lane, 32 bits at a time, and whether it was in range.

    The clamp operand holds the segment mask (32 - width) in bits 8 to 12 and the last lane of a segment below.
    """
    mask = linear.add(linear.const(32, 32), width, -1)
    clamp = linear.scaled(mask, 256) if mode == "up" else linear.offset(linear.scaled(mask, 256), 31)
    if not width.is_const and mode == "up":
        clamp = linear.scaled(mask, 256)
    rest = (s.operand(offset), s.operand(clamp), lanes)
    out: list[Any] = []
    valid: Value | None = None
    for scalar, kind in zip(scalars, kinds, strict=True):
        words: list[Lin] = []
        bits = _word(s, scalar, kind)
        for word in [bits] if bits.bits == 32 else halves(s, bits):
            moved, valid = s.value(B32), s.value(PRED)
            s.emit(f"shfl.sync.{mode}.b32", PairOut(moved, valid), s.int_value(word), *rest, outs=(moved, valid))
            words.append(linear.of(moved))
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
    low, high = s.pure_many("mov.b64", (B32, B32), s.int_value(a))
    return [linear.of(low), linear.of(high)]


def joined(s: Selector, low: Lin, high: Lin) -> Lin:
    """The 64-bit integer of two halves."""
    return linear.of(s.pure("mov.b64", "b64", (s.int_value(low), s.int_value(high))))


@handles("gpu.rotate")
def select_rotate(s: Selector, op: Any) -> None:
    """The value of lane (lane + offset) mod width."""
    from weft.codegen.ops.gpu import special

    value = op.operands[0]
    offset, width = (op.properties[name].value.data for name in ("offset", "width"))
    lane = special(s, "%laneid", 0, 31)
    target = s.bitwise("and", linear.offset(lane, offset), linear.const(width - 1, 32))
    base = s.bitwise("and", lane, linear.const(-width, 32))
    source = s.bitwise("or", base, target)
    parts, valid = shuffled(s, s.flatten(s.get(value)), layout(value.type).scalars, "idx", source, linear.const(32, 32))
    s.values[op.results[0]] = s.unflatten(value.type, tuple(parts))
    s.values[op.results[1]] = valid


@handles("gpu.subgroup_broadcast")
def select_broadcast(s: Selector, op: Any) -> None:
    """The value of one lane in every lane."""
    value = op.operands[0]
    lane = s.int(op.operands[1]) if len(op.operands) > 1 else linear.const(0, 32)
    parts, _ = shuffled(s, s.flatten(s.get(value)), layout(value.type).scalars, "idx", lane, linear.const(32, 32))
    s.values[op.results[0]] = s.unflatten(value.type, tuple(parts))


_REDUX = {"add": "add.s32", "minui": "min.u32", "minsi": "min.s32", "maxui": "max.u32", "maxsi": "max.s32",
          "and": "and.b32", "or": "or.b32", "xor": "xor.b32"}  # fmt: skip


@handles("gpu.subgroup_reduce")
def select_subgroup_reduce(s: Selector, op: Any) -> None:
    """A value combined over the warp, or over clusters of its lanes."""
    from weft.codegen.combine import combine

    value = op.operands[0]
    name = op.properties["op"].data.value
    size = op.properties.get("cluster_size")
    count = size.value.data if size is not None else 32
    stride = op.properties["cluster_stride"].value.data if "cluster_stride" in op.properties else 1
    kinds = layout(value.type).scalars
    if count == 32 and name in _REDUX and kinds[0].name == "i32" and s.module.has(f"redux.sync.{_REDUX[name]}"):
        out = s.value(B32)
        s.emit(f"redux.sync.{_REDUX[name]}", out, s.int_value(s.get(value)), ALL_LANES, outs=(out,))
        s.values[op.results[0]] = linear.of(out)
        return
    total = s.get(value)
    step = stride
    while step < count * stride:
        parts, _ = shuffled(s, s.flatten(total), kinds, "bfly", linear.const(step, 32), linear.const(32, 32))
        other = s.unflatten(value.type, tuple(parts))
        total = combine(s, op, name, total, other, value.type)
        step *= 2
    s.values[op.results[0]] = total


@handles("gpu.all_reduce")
def select_all_reduce(s: Selector, op: Any) -> None:
    """A value combined over all threads of the block: in each warp by shuffles, then across warps in shared memory."""
    from weft.codegen.combine import all_reduce, combine

    type_ = op.operands[0].type
    named = op.properties.get("op")

    def merge(a: Any, b: Any) -> Any:
        if named is not None:
            return combine(s, op, named.data.value, a, b, type_)
        (block,) = op.regions[0].blocks
        for argument, value in zip(block.args, (a, b), strict=True):
            s.values[argument] = value
        last = s.select_block(block)
        s.source = op
        return s.get(last.operands[0])

    s.values[op.results[0]] = all_reduce(s, op, s.get(op.operands[0]), merge)
