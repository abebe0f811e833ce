"""`nvgpu-optimize-shared-memory`: swizzle accesses to shared memory so that rows do not meet in the same banks.

MLIR's pass: where a `memref.alloc` in shared memory is written and read, the last index of each access is xored with
bits of the index before it, so that the 16-byte vectors of a column fall into different banks.  MLIR's crashes on
arrays of one dimension or of unknown size and permutes behind casts; here such arrays stay as they are.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from weft.dataclass import dataclass
from weft.dialects.narrow import MemRef
from weft.dialects.narrow import memref as as_memref
from weft.dialects.verification import element_bits, is_shared

_LINE_BITS = 128 * 8
"""What all banks hold together."""
_VECTOR_BITS = 128
_VECTORS = _LINE_BITS // _VECTOR_BITS

_READS = ("nvgpu.ldmatrix", "memref.load", "vector.load")
_WRITES = ("nvgpu.device_async_copy", "nvgpu.stmatrix", "memref.store", "vector.store")
_MEMREFS = {"memref.store": 1, "vector.store": 1, "nvgpu.stmatrix": 1}
"""Which operand the memref is whose indices follow it, where it is not the first."""


@dataclass(frozen=True)
class OptimizeSharedMemory(ModulePass):
    """Permute the vectors in the rows of arrays in shared memory."""

    name = "nvgpu-optimize-shared-memory"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Transform a module."""
        del ctx
        for found in list(op.walk()):
            if isinstance(found, memref.AllocOp):
                kind = as_memref(found.memref.type)
                if kind is not None and is_shared(kind.memory_space) and _is_worth_it(kind):
                    _permute(found.memref, kind)


def _is_worth_it(kind: MemRef) -> bool:
    """Whether rows are a power of two long and so long that fewer than eight of them fill a line of the banks."""
    shape, bits = kind.get_shape(), element_bits(kind.element_type)
    if len(shape) < 2 or bits is None or bits > _VECTOR_BITS:
        return False
    row = shape[-1]
    return row > 0 and not row & (row - 1) and _LINE_BITS // bits // row < _VECTORS


def _permute(array: SSAValue, kind: MemRef) -> None:
    """Permute all accesses to an array, if it is only read, written and freed, and the former two both happen."""
    accesses: list[Operation] = []
    for use in array.uses:
        op = use.operation
        if op.name == "memref.dealloc":
            continue
        if op.name not in _READS + _WRITES or use.index != _MEMREFS.get(op.name, 0):
            return
        accesses.append(op)
    names = {op.name for op in accesses}
    if names.isdisjoint(_READS) or names.isdisjoint(_WRITES):
        return
    for op in accesses:
        last = _MEMREFS.get(op.name, 0) + len(kind.get_shape())
        op.operands[last] = _permuted(op, op.operands[last - 1], op.operands[last], kind)


def _permuted(op: Operation, row: SSAValue, column: SSAValue, kind: MemRef) -> SSAValue:
    """The column with the number of its vector xored with low bits of the row, in front of an access."""
    bits = element_bits(kind.element_type)
    assert bits is not None
    columns = kind.get_shape()[-1]
    repeat = (max(1, _LINE_BITS // (columns * bits))).bit_length() - 1
    vector = (_VECTOR_BITS // bits).bit_length() - 1
    mask = ((1 << (columns.bit_length() - 1 - vector)) - 1) << repeat
    masked = _emit(op, arith.AndIOp, row, mask)
    shift = vector - repeat
    if shift > 0:
        masked = _emit(op, arith.ShLIOp, masked, shift)
    elif shift < 0:
        masked = _emit(op, arith.ShRUIOp, masked, -shift)
    permuted = arith.XOrIOp(column, masked)
    _before(op, permuted)
    return permuted.result


def _emit(op: Operation, made: type[arith.SignlessIntegerBinaryOperation], value: SSAValue, number: int) -> SSAValue:
    """An operation of a value and a number, in front of another operation."""
    constant = arith.ConstantOp(IntegerAttr.from_index_int_value(number))
    found = made(value, constant.result)
    _before(op, constant)
    _before(op, found)
    return found.result


def _before(op: Operation, new: Operation) -> None:
    block = op.parent
    assert block is not None
    block.insert_op_before(new, op)
