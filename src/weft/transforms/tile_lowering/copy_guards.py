"""Which threads come to an operation: the conditions around it, worked out for every thread of a block.

A value is known when it is made of thread indices and constants; it is uniform when all threads of a block have the
same one (arguments, block indices, and what is made of them).  A condition that is neither is not understood, and then
it is not known who comes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from weft.layout import Axis
from weft.mlir.walking import operations_in
from weft.transforms.copy_dispatch import Guard

Threads = NDArray[np.int64]

COPIES = ("tile.copy", "tile.copy_async")
COME = "come"
"""The attribute of a copy that records who comes: all (unit), runs of threads, or why that is not known."""

UNIFORM = "uniform"
PER_WARP = "per warp"
UNKNOWN = "unknown"
Known = Threads | str
"""A number for each thread, `UNIFORM`, `PER_WARP` (the same in all threads of a warp) or `UNKNOWN`."""

_BINARY: dict[str, Callable[[Threads, Threads], Threads]] = {
    "arith.addi": np.add,
    "arith.subi": np.subtract,
    "arith.muli": np.multiply,
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor,
    "arith.divui": np.floor_divide,
    "arith.remui": np.mod,
    "arith.divsi": np.floor_divide,
    "arith.remsi": np.mod,
    "arith.shrui": np.right_shift,
    "arith.shrsi": np.right_shift,
    "arith.shli": np.left_shift,
}
_NONNEGATIVE = frozenset({"arith.divui", "arith.remui", "arith.divsi", "arith.remsi", "arith.shrui"})
"""Operations that are as Python has them where nothing is negative."""
_COMPARE: tuple[Callable[[Threads, Threads], NDArray[np.bool_]], ...] = (
    np.equal,
    np.not_equal,
    np.less,
    np.less_equal,
    np.greater,
    np.greater_equal,
) + (np.less, np.less_equal, np.greater, np.greater_equal)
_SAME = frozenset({"arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui", "arith.trunci"})
_BLOCK_WIDE = ("gpu.block_id", "gpu.grid_dim", "gpu.block_dim", "gpu.cluster_id", "gpu.cluster_dim")
_SREG = "nvvm.read.ptx.sreg."
_UNIFORM_REGISTERS = ("ctaid", "nctaid", "ntid", "clusterid", "nclusterid", "cluster", "smid", "gridid")


def record_guards(function: Operation, threads: int) -> None:
    """Say on each copy of a function which threads of a block come to it, before its surroundings are taken apart."""
    values = Values(threads)
    for op in operations_in(function.regions):
        if op.name in COPIES:
            guard = guard_of(op, threads, values)
            if guard is None:
                op.attributes[COME] = UnitAttr()
            elif guard.active is None:
                op.attributes[COME] = StringAttr(guard.reason)
            else:
                op.attributes[COME] = DenseArrayBase.from_list(i64, _runs(guard.active))


def recorded_guard(op: Operation, threads: int) -> Guard | None:
    """The threads that come to a copy: as recorded, or as its surroundings say."""
    match op.attributes.get(COME):
        case UnitAttr():
            return None
        case StringAttr(data=reason):
            return Guard(None, reason)
        case DenseArrayBase() as runs:
            edges = [int(edge) for edge in runs.get_values()]  # pyright: ignore
            return Guard(sum((1 << high) - (1 << low) for low, high in zip(edges[::2], edges[1::2], strict=True)))
        case _:
            return guard_of(op, threads, Values(threads))


def _runs(active: int) -> list[int]:
    """Begin and end of each run of ones."""
    edges = active ^ (active << 1)
    return [at for at in range(edges.bit_length()) if edges >> at & 1]


def guard_of(op: Operation, threads: int, values: Values) -> Guard | None:
    """The threads of a block of `threads` that come to an operation; None where all or none do."""
    active: Threads | None = None
    unclear = ""
    inner: Operation = op
    parent = op.parent_op()
    while parent is not None and not parent.name.endswith(".func"):
        condition = values.condition(parent, inner)
        if isinstance(condition, str):
            whole = condition == UNIFORM or (condition == PER_WARP and _within_warps(op))
            unclear = unclear or ("" if whole else f"the condition of {parent.name}")
        else:
            active = condition if active is None else active & condition
        inner, parent = parent, parent.parent_op()
    if not _comes_first(inner):
        unclear = unclear or "a branch"
    if parent is None:
        return Guard(None, "the copy is outside of a function")
    if unclear:
        return _stated(op, threads) or Guard(None, f"{unclear} may differ between threads")
    if active is None or bool(active.all()):
        return None
    return Guard(sum(1 << int(thread) for thread in np.flatnonzero(active)))


def _within_warps(op: Operation) -> bool:
    """Whether an operation is of threads or warps, each for itself."""
    scope = op.properties.get("scope")
    return isinstance(scope, StringAttr) and scope.data in ("thread", "warp")


def _comes_first(op: Operation) -> bool:
    """Whether an operation is in the first block of its region, to which no branch leads."""
    block = op.parent
    return block is not None and block.parent is not None and block.parent.blocks[0] is block


def _stated(op: Operation, threads: int) -> Guard | None:
    """The threads that attribute `active` names, as ranges of thread indices."""
    given = op.attributes.get("active")
    if not isinstance(given, DictionaryAttr) or "unknown" in given.data:
        return None
    ranges: list[tuple[Axis, int, int]] = []
    for name, attribute in given.data.items():
        assert isinstance(attribute, DenseArrayBase)
        low, high = attribute.get_values()  # pyright: ignore
        ranges.append((Axis(name), int(low), int(high)))  # pyright: ignore
    mask = 0
    for thread in range(threads):
        mask |= all(low <= axis.of_thread(thread) < high for axis, low, high in ranges) << thread
    return Guard(mask)


class Values:
    """What is known of values in a block of `threads` threads along x."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._known: dict[SSAValue, Known] = {}

    def of(self, value: SSAValue) -> Known:
        """What is known of a value."""
        found = self._known.get(value)
        if found is None:
            if isinstance(value, BlockArgument):
                found = self._argument(value)
            else:
                assert isinstance(value, OpResult)
                nested = value.op.name in ("scf.for", "scf.if", "scf.while")
                found = self._left(value.op)[value.index] if nested else self._result(value.op)
            self._known[value] = found
        return found

    def _left(self, op: Operation) -> list[str]:
        """What a loop or a branch leaves: the same in all threads where they take it alike."""
        if op.name == "scf.while":
            self._turns(op)
            taken, *values = self._yielded(op.regions[0])
            return [_alike([taken, value]) for value in values]
        if op.name == "scf.for":
            taken, ends = _alike([self.of(bound) for bound in op.operands[:3]]), [self._carried(op)]
        else:
            taken, ends = _alike([self.of(op.operands[0])]), [self._yielded(region) for region in op.regions]
        return [_alike([taken, *each]) for each in zip(*ends, strict=True)]

    def _yielded(self, region: Region) -> list[Known]:
        last = region.blocks[0].last_op
        return [self.of(operand) for operand in last.operands] if last is not None else []

    def _carried(self, loop: Operation) -> list[str]:
        """What is known of the values that a loop carries, in all its turns."""
        block = loop.regions[0].blocks[0]
        taken = _alike([self.of(bound) for bound in loop.operands[:3]])
        first = [_alike([taken, self.of(value)]) for value in loop.operands[3:]]
        return self._settled(block.args[1:], first, lambda: self._yielded(loop.regions[0]))

    def _turns(self, loop: Operation) -> list[str]:
        """The same of a loop with a condition: also of what its condition hands on to its body."""
        head, body = (region.blocks[0] for region in loop.regions)

        def turn() -> list[Known]:
            taken, *values = self._yielded(loop.regions[0])
            self._known.update(zip(body.args, (_alike([taken, value]) for value in values), strict=True))
            return self._yielded(loop.regions[1])

        return self._settled(head.args, [_alike([self.of(value)]) for value in loop.operands], turn)

    def _settled(self, carried: Sequence[SSAValue], found: list[str], turn: Callable[[], list[Known]]) -> list[str]:
        """What is known of carried values before each turn.

        They are taken to be the same in all threads until a turn, so taken, makes them differ; what was found on the
        way is forgotten then.
        """
        while True:
            before = dict(self._known)
            self._known.update(zip(carried, found, strict=True))
            after = [_alike([a, b]) for a, b in zip(found, turn(), strict=True)]
            if after == found:
                return found
            self._known, found = before, after

    def condition(self, op: Operation, inner: Operation) -> Known:
        """Whether each thread comes to `inner` inside `op`, if it comes to `op`."""
        block = inner.parent
        region = block.parent if block is not None else None
        if op.name == "scf.if":
            taken = region is op.regions[0]
            value = self._all_of(op.operands[0]) if taken else self.of(op.operands[0])
            return value if isinstance(value, str) else np.asarray((value != 0) == taken, np.int64)
        if op.name == "scf.for":
            return _alike([self.of(operand) for operand in op.operands[:3]])
        if op.name == "scf.while":
            self._turns(op)
            return _alike(self._yielded(op.regions[0])[:1])
        return UNKNOWN

    def _result(self, op: Operation) -> Known:
        name = op.name
        if name == "arith.constant":
            attribute = op.properties["value"]
            if not isinstance(attribute, IntegerAttr):
                return UNIFORM
            number = attribute.value.data
            return np.full(self.threads, number & 1 if op.results[0].type == i1 else number)
        if name == "gpu.thread_id" or name.startswith(_SREG + "tid."):
            return self._index(op)
        if name == "gpu.lane_id" or name == _SREG + "laneid":
            return np.arange(self.threads) % 32
        if name == "nvvm.clusterlaunchcontrol.query.cancel":
            return UNIFORM  # Threads read the same answers, in the same order.
        if name in _BLOCK_WIDE or name.startswith(_SREG):
            register = name.removeprefix(_SREG).partition(".")[0]
            return UNIFORM if name in _BLOCK_WIDE or register in _UNIFORM_REGISTERS else UNKNOWN
        operands = [self.of(operand) for operand in op.operands]
        if name == "llvm.getelementptr" or _is_plain_load(op):
            return _alike(operands)
        if name in _SAME:
            return _converted(op, operands[0])
        known = [operand for operand in operands if not isinstance(operand, str)]
        if len(known) == len(operands):
            return _computed(op, known)
        return _alike(operands) if name.startswith(("arith.", "math.")) else UNKNOWN

    def _all_of(self, value: SSAValue) -> Known:
        """Who meets a condition, if anyone does: conjuncts that all threads have in common do not matter."""
        found = self.of(value)
        owner = value.owner
        if not isinstance(found, str) or found == UNIFORM or isinstance(owner, Block) or owner.name != "arith.andi":
            return found
        a, b = (self._all_of(operand) for operand in owner.operands)
        if isinstance(a, str) and a == UNIFORM:
            return b
        if isinstance(b, str) and b == UNIFORM:
            return a
        return _of_warps([a, b]) if isinstance(a, str) or isinstance(b, str) else a & b

    def _index(self, op: Operation) -> Known:
        """The thread's number along x in a block of one dimension; there is one thread along y and z."""
        along_x = op.name.endswith(".x")
        if op.name == "gpu.thread_id":
            dimension: Any = op.properties["dimension"]
            along_x = str(dimension.data.value) == "x"
        return np.arange(self.threads) if along_x else np.zeros(self.threads, np.int64)

    def _argument(self, value: BlockArgument) -> Known:
        """Arguments of the kernel and counters of loops that all threads run alike are the same in all threads."""
        block = value.block
        parent = block.parent_op()
        if parent is None:
            return UNKNOWN
        if parent.name.endswith(".func"):
            return UNIFORM
        if parent.name == "scf.while":
            self._turns(parent)
            return self._known[value]
        if parent.name != "scf.for":
            return UNKNOWN
        if value.index == 0:
            assert block.first_op is not None
            return self.condition(parent, block.first_op)
        return self._carried(parent)[value.index - 1]


def _same(value: Known) -> bool:
    """Whether all threads have the same value."""
    return value == UNIFORM if isinstance(value, str) else bool((value == value[0]).all())


def _is_plain_load(op: Operation) -> bool:
    """Whether an operation is a load whose value depends on its place only: threads that read one place read one value,
    as what is written there at that time would be a race.
    """
    ordering = op.properties.get("ordering")
    return (
        op.name == "llvm.load"
        and "volatile_" not in op.properties
        and (not isinstance(ordering, IntegerAttr) or ordering.value.data == 0)
    )


def _alike(operands: list[Known]) -> str:
    """Among which threads all of these values are the same."""
    return UNIFORM if all(_same(operand) for operand in operands) else _of_warps(operands)


def _of_warps(operands: list[Known]) -> str:
    """What is made of values: the same in all threads of a warp where these are."""
    return PER_WARP if all(_same_in_warps(operand) for operand in operands) else UNKNOWN


def _same_in_warps(value: Known) -> bool:
    if isinstance(value, str):
        return value != UNKNOWN
    return bool((value == np.repeat(value[::32], 32)[: len(value)]).all())


def _converted(op: Operation, value: Known) -> Known:
    """A value as another integer type, if it is the same number there."""
    if isinstance(value, str):
        return value
    if op.name == "arith.extsi" and op.operands[0].type == i1:
        return -value
    if op.name not in ("arith.extsi", "arith.index_cast") and bool((value < 0).any()):
        return UNKNOWN
    return _held(op, value)


def _held(op: Operation, value: Threads) -> Known:
    """Numbers, if the operation's type has them all: arithmetic on a narrow type wraps, and NumPy's here does not."""
    kind = op.results[0].type
    if not isinstance(kind, IntegerType) or kind.bitwidth >= 64:
        return value
    low, high = (0, 2) if kind == i1 else (-1 << kind.bitwidth - 1, 1 << kind.bitwidth - 1)
    return value if bool(((value >= low) & (value < high)).all()) else UNKNOWN


def _computed(op: Operation, operands: list[Threads]) -> Known:
    if op.name in _BINARY:
        if op.name in _NONNEGATIVE and any(bool((operand < 0).any()) for operand in operands):
            return UNKNOWN
        if op.name.startswith(("arith.div", "arith.rem")) and bool((operands[1] == 0).any()):
            return UNKNOWN
        return _held(op, _BINARY[op.name](*operands))
    if op.name == "arith.cmpi":
        predicate: Any = op.properties["predicate"]
        number = predicate.value.data
        if number > 5 and any(bool((operand < 0).any()) for operand in operands):
            return UNKNOWN
        return np.asarray(_COMPARE[number](*operands), np.int64)
    if op.name == "arith.select":
        return np.where(operands[0] != 0, operands[1], operands[2])
    return UNKNOWN
