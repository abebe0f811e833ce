"""Which threads come to an operation: the conditions around it, worked out for every thread of a block.

A value is known when it is made of thread indices and constants; it is uniform when all threads of a block have the same
one (arguments, block indices, and what is made of them).  A condition that is neither is not understood, and then it is
not known who comes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import DenseArrayBase, DictionaryAttr, IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from weft.layout import Axis
from weft.transforms.copy_dispatch import Guard

Threads = NDArray[np.int64]

UNIFORM = "uniform"
UNKNOWN = "unknown"
Known = Threads | str
"""A number for each thread, `UNIFORM` or `UNKNOWN`."""

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
) + (
    np.less,
    np.less_equal,
    np.greater,
    np.greater_equal,
)
_SAME = frozenset({"arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui", "arith.trunci"})
_BLOCK_WIDE = ("gpu.block_id", "gpu.grid_dim", "gpu.block_dim", "gpu.cluster_id", "gpu.cluster_dim")
_SREG = "nvvm.read.ptx.sreg."
_UNIFORM_REGISTERS = ("ctaid", "nctaid", "ntid", "clusterid", "nclusterid", "cluster_ctaid", "smid", "gridid")


def guard_of(op: Operation, threads: int) -> Guard | None:
    """The threads of a block of `threads` that come to an operation; None where all or none do."""
    active: Threads | None = None
    unclear = ""
    inner: Operation = op
    parent = op.parent_op()
    while parent is not None and not parent.name.endswith(".func"):
        condition = _condition(parent, inner, threads)
        if isinstance(condition, str):
            unclear = unclear or (f"the condition of {parent.name}" if condition == UNKNOWN else "")
        else:
            active = condition if active is None else active & condition
        inner, parent = parent, parent.parent_op()
    if unclear:
        return _stated(op, threads) or Guard(None, f"{unclear} differs between threads")
    if active is None or bool(active.all()):
        return None
    return Guard(sum(1 << int(thread) for thread in np.flatnonzero(active)))


def _stated(op: Operation, threads: int) -> Guard | None:
    """The threads that attribute `active` names, as ranges of thread indices."""
    given = op.attributes.get("active")
    if not isinstance(given, DictionaryAttr) or "unknown" in given.data:
        return None
    mask = 0
    ranges: list[tuple[Axis, int, int]] = []
    for name, attribute in given.data.items():
        assert isinstance(attribute, DenseArrayBase)
        low, high = attribute.get_values()  # pyright: ignore
        ranges.append((Axis(name), int(low), int(high)))  # pyright: ignore
    for thread in range(threads):
        mask |= all(low <= axis.of_thread(thread) < high for axis, low, high in ranges) << thread
    return Guard(mask)


def _condition(op: Operation, inner: Operation, threads: int) -> Known:
    """Whether each thread comes to `inner` inside `op`, if it comes to `op`."""
    block = inner.parent
    region = block.parent if block is not None else None
    if op.name == "scf.if":
        value = evaluated(op.operands[0], threads)
        if isinstance(value, str):
            return value
        return (value != 0) if region is op.regions[0] else (value == 0)
    if op.name == "scf.for":
        bounds = [evaluated(operand, threads) for operand in op.operands[:3]]
        if all((isinstance(bound, str) and bound == UNIFORM) or _constant(bound) for bound in bounds):
            return UNIFORM
        return UNKNOWN
    if op.name in ("builtin.module", "gpu.module"):
        return UNIFORM
    return UNKNOWN


def _constant(value: Known) -> bool:
    return not isinstance(value, str) and bool((value == value[0]).all())


def evaluated(value: SSAValue, threads: int) -> Known:
    """What is known of a value."""
    owner = value.owner
    if isinstance(owner, Block):
        return _argument(value, owner, threads)
    name = owner.name
    if name == "arith.constant":
        attribute = owner.properties["value"]
        return np.full(threads, attribute.value.data) if isinstance(attribute, IntegerAttr) else UNIFORM
    if name == "gpu.thread_id" or name.startswith(_SREG + "tid."):
        return _index(owner, threads)
    if name == "gpu.lane_id" or name == _SREG + "laneid":
        return np.arange(threads) % 32
    if name in _BLOCK_WIDE or name.startswith(_SREG):
        register = name.removeprefix(_SREG).partition(".")[0]
        return UNIFORM if name in _BLOCK_WIDE or register in _UNIFORM_REGISTERS else UNKNOWN
    operands = [evaluated(operand, threads) for operand in owner.operands]
    if name in _SAME:
        return operands[0]
    if all(_constant(operand) or (isinstance(operand, str) and operand == UNIFORM) for operand in operands) and (
        name.startswith(("arith.", "math."))
    ):
        known = [operand for operand in operands if not isinstance(operand, str)]
        return _computed(owner, known) if len(known) == len(operands) else UNIFORM
    if any(isinstance(operand, str) for operand in operands):
        return _partly(name, operands)
    return _computed(owner, [operand for operand in operands if not isinstance(operand, str)])


def _partly(name: str, operands: list[Known]) -> Known:
    """Of a condition that all threads have in common and one that they do not, the latter says who comes."""
    if name != "arith.andi" or UNKNOWN in [operand for operand in operands if isinstance(operand, str)]:
        return UNKNOWN
    (known,) = [operand for operand in operands if not isinstance(operand, str)]
    return known


def _computed(op: Operation, operands: list[Threads]) -> Known:
    if op.name in _BINARY:
        if op.name in _NONNEGATIVE and any(bool((operand < 0).any()) for operand in operands):
            return UNKNOWN
        if op.name.startswith(("arith.div", "arith.rem")) and bool((operands[1] == 0).any()):
            return UNKNOWN
        return _BINARY[op.name](*operands)
    if op.name == "arith.cmpi":
        predicate: Any = op.properties["predicate"]
        number = predicate.value.data
        if number > 5 and any(bool((operand < 0).any()) for operand in operands):
            return UNKNOWN
        return np.asarray(_COMPARE[number](*operands), np.int64)
    if op.name == "arith.select":
        return np.where(operands[0] != 0, operands[1], operands[2])
    return UNKNOWN


def _index(op: Operation, threads: int) -> Known:
    """The thread's number along x in a block of one dimension; there is one thread along y and z."""
    along_x = op.name.endswith(".x")
    if op.name == "gpu.thread_id":
        dimension: Any = op.properties["dimension"]
        along_x = str(dimension.data.value) == "x"
    return np.arange(threads) if along_x else np.zeros(threads, np.int64)


def _argument(value: SSAValue, block: Block, threads: int) -> Known:
    """Arguments of the kernel and counters of loops that all threads run alike are the same in all threads."""
    parent = block.parent_op()
    if parent is None or parent.name.endswith(".func"):
        return UNIFORM
    if parent.name == "scf.for" and value is block.args[0]:
        return _condition(parent, next(iter(block.ops)), threads)
    return UNKNOWN
