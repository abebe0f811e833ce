"""`gpu.all_reduce`: values combined over all threads of a block."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from weft.codegen import linear
from weft.codegen.access import load, store
from weft.codegen.combine import combine
from weft.codegen.graph import If
from weft.codegen.linear import Lin
from weft.codegen.ops.merging import guard_store, merge_all
from weft.codegen.ops.warp import WARP, moved
from weft.codegen.ops.warp_reduce import at_once
from weft.codegen.selector import Selector, handles
from weft.codegen.types import SHARED, align_of, layout, padded_size
from weft.isa import opcode

if TYPE_CHECKING:
    from weft.dialects.rows import gpu

Combine = Callable[[Any, Any], Any]
_FEW_WARPS = 8
"""Up to so many warps, each thread combines the results of all of them, which spares a barrier."""


@handles("gpu.all_reduce")
def select_all_reduce(s: Selector, op: gpu.AllReduceOp) -> None:
    """A value combined over all threads of the block: in each warp by shuffles, then across warps in shared memory."""
    s.values[op.results[0]] = _Reduction(s, op).over_block(s.get(op.operands[0]))


class _Reduction:
    """A type and how two of its values combine."""

    def __init__(self, s: Selector, op: gpu.AllReduceOp) -> None:
        self._s = s
        self._op = op
        self._type: Any = op.operands[0].type
        self._kinds = layout(self._type).scalars
        self._name = op.op.data.value if op.op is not None else ""

    def _merge(self, a: Any, b: Any) -> Any:
        s = self._s
        if self._name:
            return combine(s, self._op, self._name, a, b, self._type)
        (block,) = self._op.regions[0].blocks
        for argument, value in zip(block.args, (a, b), strict=True):
            s.values[argument] = value
        last = s.select_block(block)
        s.source = self._op
        return s.get(last.operands[0])

    def over_block(self, value: Any) -> Any:
        """The value combined over all threads of the block, in every thread.

        Each warp combines by shuffles, and lane 0 of each puts its result into shared memory.
        """
        from weft.codegen.ops.gpu import linear_thread, position

        s = self._s
        threads = 1
        for extent in s.block_size or (0,):
            threads *= extent
        thread = linear_thread(s)
        if threads and threads % WARP == 0:
            total = self._over_whole_warp(value)
            warps = linear.const32(threads // WARP)
        else:
            x, y, z = (position(s, "ntid", axis) for axis in range(3))
            present = s.mul(s.mul(x, y), z)
            # The block may end inside a warp: lanes that do not exist have nothing to give, and shuffles from them
            # would be undefined.
            total = self._over_warp(value, s.sub(present, s.bitwise("and", thread, linear.const32(-WARP))))
            warps = s.shift_right(linear.offset(present, WARP - 1), 5, signed=False)
        if warps.is_const and warps.const == 1 and threads:
            return total if threads == WARP else self._from_first(total, (1 << threads) - 1)
        if warps.is_const and warps.const <= _FEW_WARPS:
            return self._over_few_warps(total, thread, warps.const)
        return self._over_warps(total, thread, warps)

    # -- in a warp ----------------------------------------------------------------------------------------------

    def _over_warp(self, value: Any, left: Lin) -> Any:
        """The value combined over the lanes that exist, in lane 0: `left` of them, or all if these are 32 or more."""
        s = self._s
        if left.hi < WARP:
            return self._over_part_of_warp(value, left)
        branch = If(s.compare("ge", left, linear.const32(WARP), signed=True), s.child(), s.child(), source=s.source)
        with s.at(branch.then):
            whole = s.flatten(self._over_whole_warp(value))
        with s.at(branch.otherwise):
            part = s.flatten(self._over_part_of_warp(value, left))
        return s.unflatten(self._type, tuple(merge_all(s, branch, whole, part, self._kinds)))

    def _over_whole_warp(self, value: Any) -> Any:
        """The value combined over the 32 lanes, in all of them."""
        s = self._s
        found = at_once(s, self._name, value, self._kinds)
        if found is not None:
            return found
        total = value
        for step in (16, 8, 4, 2, 1):
            parts, _ = moved(s, s.flatten(total), self._kinds, "bfly", linear.const32(step))
            total = self._merge(total, s.unflatten(self._type, tuple(parts)))
        return total

    def _over_part_of_warp(self, value: Any, lanes: Lin) -> Any:
        """The value combined over the first `lanes` lanes, in lane 0; others hold what is of no use."""
        from weft.codegen.ops.arith_int import choose_scalar

        s = self._s
        lanes = linear.of(s.int_value(lanes)) if lanes.terms else lanes
        ones = s.shift_right(linear.const32(-1), s.sub(linear.const32(WARP), lanes), signed=False)
        mask = s.operand(ones)
        last = s.add(lanes, linear.const32(-1))  # A lane that does not exist is not even read: its value is undefined.
        total = value
        for step in (1, 2, 4, 8, 16):
            parts, there = moved(s, s.flatten(total), self._kinds, "down", linear.const32(step), clamp=last, lanes=mask)
            merged = self._merge(total, s.unflatten(self._type, tuple(parts)))
            chosen = [choose_scalar(s, there, x, y) for x, y in zip(s.flatten(merged), s.flatten(total), strict=True)]
            total = s.unflatten(self._type, tuple(chosen))
        return total

    def _from_first(self, total: Any, lanes: int) -> Any:
        """What lane 0 holds, in all `lanes` (a mask)."""
        s = self._s
        parts, _ = moved(s, s.flatten(total), self._kinds, "idx", linear.const32(0), lanes=lanes)
        return s.unflatten(self._type, tuple(parts))

    # -- across warps -------------------------------------------------------------------------------------------

    def _load(self, place: Lin) -> Any:
        return load(self._s, place, self._type, SHARED, align_of(self._type))

    def _store(self, test: Any, place: Lin, value: Any) -> None:
        s = self._s
        branch = If(test, s.child(), s.child(), source=s.source)
        with s.at(branch.then):
            store(s, place, value, self._type, SHARED, align_of(self._type))
        guard_store(s, branch)

    def _put(self, base: Lin, total: Any, thread: Lin) -> None:
        """Let lane 0 of each warp store its result, and wait for all of them."""
        s = self._s
        warp = s.shift_right(thread, 5, signed=False)
        lane = s.bitwise("and", thread, linear.const32(WARP - 1))
        place = s.add(base, linear.scaled(warp, padded_size(self._type)))
        self._store(s.compare("eq", lane, linear.const32(0)), place, total)
        s.emit(opcode("bar", action="sync"), 0)

    def _over_few_warps(self, total: Any, thread: Lin, warps: int) -> Any:
        """The results of a known number of warps combined by every thread."""
        s, size = self._s, padded_size(self._type)
        base = s.shared_buffer(size * warps, max(align_of(self._type), 4))
        # Before the stores, too: slower warps may still read what an earlier turn has stored.
        s.emit(opcode("bar", action="sync"), 0)
        self._put(base, total, thread)
        found = self._load(base)
        for index in range(1, warps):
            found = self._merge(found, self._load(linear.offset(base, index * size)))
        return found

    def _over_warps(self, total: Any, thread: Lin, warps: Lin) -> Any:
        """The results of all warps combined by as many threads of the first warp.

        Their result has a place of its own: whoever stores again, in a later turn, comes by a barrier before.
        """
        s, size = self._s, padded_size(self._type)
        base = s.shared_buffer(size * (WARP + 1), max(align_of(self._type), 4))
        self._put(base, total, thread)
        result = linear.offset(base, size * WARP)
        branch = If(s.compare("lt", thread, warps, signed=False), s.child(), s.child(), source=s.source)
        with s.at(branch.then):
            part = self._load(s.add(base, linear.scaled(thread, size)))
            found = self._over_part_of_warp(part, warps)
            self._store(s.compare("eq", thread, linear.const32(0)), result, found)
        s.block.items.append(branch)
        s.emit(opcode("bar", action="sync"), 0)
        return self._load(result)
