"""`registers`: from registers to registers, where each thread has what it needs, or a transpose in the warp brings it.

Two layouts that give the same elements to the same threads differ in registers only: each thread renames its own.
Where one is the transposed fragment of the other, `movmatrix` transposes an 8x8 matrix of 16-bit elements at a time.
"""

from __future__ import annotations

from weft.isa import opcode
from weft.layout import Iter, TileLayout, m
from weft.transforms.copy_dispatch import checks, refinement
from weft.transforms.copy_dispatch.plan import Instruction, Plan
from weft.transforms.copy_dispatch.refinement import dealt_within
from weft.transforms.copy_dispatch.request import LOCAL, SCOPES, Copy, Decline

MOVMATRIX = opcode("movmatrix", shape="m8n8", type="b16")
Pair = tuple[Iter, Iter]
"""An iter of the destination and the one of the source over the same digits of the logical index."""

_TRANSPOSED = {(4, 8, 1), (2, 4, 0), (4, 1, 8), (2, 0, 4)}
"""The digits of a transposed matrix: extent, stride over lanes in the destination and in the source (0: the pair)."""


def predicate(copy: Copy) -> str | None:
    """Registers on both sides, distributed over threads of the scope at most."""
    reason = checks.scope_in(copy, SCOPES) or checks.valid_copy(copy) or checks.pair_in(copy, ((LOCAL, LOCAL),))
    return reason or dealt_within(copy, copy.dst) or dealt_within(copy, copy.src)


def plan(copy: Copy) -> Plan:
    """Moves or transposes; raises Decline where elements would have to change threads in another way."""
    dst, src = checks.sliced(copy.dst, "dst"), checks.sliced(copy.src, "src")
    if dst.replica != src.replica and (dst.replica or any(each.axis is m for each in src.replica)):
        raise Decline(f"the destination has replicas {list(dst.replica)}, the source {list(src.replica)}")
    pairs = list(zip(*refinement.together(dst.shard, src.shard), strict=True))
    displaced = [axis for axis in {*dst.axes, *src.axes} if axis.thread and dst.offset_on(axis) != src.offset_on(axis)]
    if displaced:
        raise Decline(f"the sides start at different indices of '{displaced[0]}'")
    held = [pair for pair in pairs if pair[0].axis.thread or pair[1].axis.thread]
    other = [pair for pair in held if pair[0] != pair[1]]
    own = [pair for pair in pairs if pair not in held]
    if not other:
        return Plan("registers", _moves(copy, dst, src, own), "moves", rounds=1)
    return _transposes(copy, dst, src, other, own)


def _moves(copy: Copy, dst: TileLayout, src: TileLayout, own: list[Pair]) -> tuple[Instruction, ...]:
    count = copy.dst.bits // 8
    repeats = refinement.ladder(each for each in dst.replica if each.axis is m)
    return tuple(
        Instruction(
            opcode("mov", type=f"b{max(copy.dst.bits, 16)}"),  # Bytes have no registers of their own.
            count,
            registers=((dst.offset_on(m) + to + copied.get("m", 0)) * count,),
            sources=((src.offset_on(m) + origin) * count,),
        )
        for to, origin in _places(own)
        for copied in repeats
    )


def _places(own: list[Pair]) -> list[tuple[int, int]]:
    to, origin = (refinement.ladder(run) for run in ([a for a, _ in own], [b for _, b in own]))
    return [(a.get("m", 0), b.get("m", 0)) for a, b in zip(to, origin, strict=True)]


def _transposes(copy: Copy, dst: TileLayout, src: TileLayout, other: list[Pair], own: list[Pair]) -> Plan:
    """Pairs whose lanes differ must be the digits of a transposed matrix; the rest is a matrix after another."""
    digits = {_digit(pair) for pair in other}
    if digits != _TRANSPOSED or len(other) != len(digits):
        raise Decline("elements change threads in other ways than movmatrix moves them: copy through shared memory")
    if copy.dst.bits != 16:
        raise Decline(f"movmatrix transposes 16-bit elements, not {copy.dst.element}")
    if dst.replica:
        raise Decline("a transposed matrix cannot be replicated")
    reason = checks.all_active(copy) or checks.not_on(MOVMATRIX, copy.target)
    if reason:
        raise Decline(reason)
    words = [dst.offset_on(m), src.offset_on(m), *(each.stride for pair in own for each in pair)]
    if any(value % 2 for value in words):
        raise Decline("pairs of elements do not fill whole registers")
    found = tuple(
        Instruction(MOVMATRIX, 4, registers=(2 * (dst.offset_on(m) + to),), sources=(2 * (src.offset_on(m) + origin),))
        for to, origin in _places(own)
    )
    return Plan("registers", found, "movmatrix", num=1, trans=True, rounds=len(found))


def _digit(pair: Pair) -> tuple[int, int, int]:
    """Extent and the strides over lanes of a pair; 0 for the two elements of a register, -1 for anything else."""
    strides = [
        each.stride if each.axis.name in ("laneid", "tid_in_wg", "tx") else 0 if each == Iter(2, 1) else -1
        for each in pair
    ]
    return pair[0].extent, strides[0], strides[1]
