"""Lowering the tile dialect of one function to `llvm`, `nvvm`, `arith` and `scf`.

Operations are replaced where they are.  A tile in registers is a list of SSA words, which loops carry and branches
yield; a tile in shared memory is a pointer, a global buffer a pointer and its runtime strides.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from xdsl.builder import Builder
from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import i8, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from weft.dataclass import dataclass
from weft.dialects.engine.making import new
from weft.dialects.llvm.pointers import element_pointer
from weft.dialects.rows import tile
from weft.dialects.tile.arithmetic import Arithmetic
from weft.dialects.tile.memory import buffer_type, byte_alignment, runtime_strides
from weft.dialects.tile.types import LOCAL, BufferType
from weft.errors import LayoutError, WeftError
from weft.isa.target import Target
from weft.mlir import compile_error
from weft.transforms.tile_lowering.copy_guards import record_guards
from weft.transforms.tile_lowering.outside import keeping_others
from weft.transforms.tile_lowering.shared import SharedMemory, block_size
from weft.transforms.tile_lowering.words import integer, word_count, word_type

Handler = Callable[["Lowering", Any], None]
_HANDLERS: dict[str, Handler] = {}
_MODULES = (
    "memory",
    "elements",
    "elementwise",
    "reduce",
    "gemm",
    "wgmma",
    "tensor_copies",
    "tensor_memory",
    "scaled",
    "control",
    "copies",
)


_FILLING = frozenset(f"tile.{name}" for name in ("copy", "fill", "iota", "elementwise", "tensor_read"))
"""Operations that write what a layout says, into the tile that is their first operand."""


def _in_registers(value: SSAValue) -> bool:
    return isinstance(value.type, BufferType) and value.type.space.data == LOCAL


def handles(*names: str) -> Callable[[Handler], Handler]:
    """Register the decorated function as the lowering of the named operations."""

    def register(handler: Handler) -> Handler:
        for name in names:
            _HANDLERS[name] = handler
        return handler

    return register


def load_handlers() -> None:
    """Import the modules that register handlers."""
    for module in _MODULES:
        import_module(f"weft.transforms.tile_lowering.{module}")


@dataclass
class Place:
    """Where a buffer in memory is: the pointer to its storage, what a subview moved it by, its runtime strides."""

    pointer: SSAValue
    offset: SSAValue | None
    strides: dict[str, tuple[SSAValue, int]]
    alignment: int
    divisor: int = 0


class Lowering:
    """The lowering of one function: what its buffers have become, and where new operations go."""

    def __init__(self, function: Operation, target: Target) -> None:
        self.function = function
        self.target = target
        self.block_size = block_size(function)
        self.entry: Block = function.regions[0].blocks[0]
        self.registers: dict[SSAValue, list[SSAValue | None]] = {}
        self.places: dict[SSAValue, Place] = {}
        self._aliases: dict[SSAValue, SSAValue] = {}
        self._anchor: Operation = self.entry.first_op or function
        self._first: Operation = self._anchor
        self._once: dict[object, SSAValue] = {}
        self._constants: dict[Attribute, SSAValue] = {}
        self._undefined: dict[Attribute, SSAValue] = {}
        self.arithmetic = Arithmetic(self.emit, self.literal)
        self.shared = SharedMemory({}, 0, 1)
        self.shared_symbol = ""

    def run(self) -> None:
        """Lower every operation of the function."""
        load_handlers()
        record_guards(self.function, self.block_size)
        marker = arith.ConstantOp.create(properties={"value": integer(0)}, result_types=[i32])
        self.entry.insert_ops_before([marker], self._first)
        self._first = marker
        self.block(self.entry)
        marker.detach()

    def block(self, block: Block) -> None:
        """Lower the operations of a block, in order."""
        op = block.first_op
        while op is not None:
            following = op.next_op
            handler = _HANDLERS.get(op.name)
            if handler is not None:
                self._anchor = op
                self._lower(handler, op)
            op = following

    def _lower(self, handler: Handler, op: Operation) -> None:
        try:
            if op.name in _FILLING and _in_registers(op.operands[0]):
                keeping_others(self, op, handler)
            else:
                handler(self, op)
        except LayoutError as failure:
            raise compile_error(op, failure.message, failure.hint) from None
        except WeftError as failure:
            if failure.position.line:
                raise
            raise compile_error(op, failure.message, failure.hint) from None

    # -- new operations -----------------------------------------------------------------------------------------

    @property
    def builder(self) -> Builder:
        """A builder before the operation that is being lowered."""
        return Builder(InsertPoint.before(self._anchor))

    def emit(self, op: Operation) -> SSAValue:
        """Put an operation in front of the one that is being lowered: its first result."""
        self.add(op)
        return op.results[0]

    def add(self, op: Operation) -> Operation:
        """Put an operation in front of the one that is being lowered."""
        anchor = self._anchor
        op.location = anchor.location
        block = anchor.parent
        assert block is not None
        block.insert_ops_before([op], anchor)
        return op

    def replace(self, op: Operation, values: list[SSAValue]) -> None:
        """Put values in the place of an operation's results, and remove it."""
        for result, value in zip(op.results, values, strict=True):
            result.replace_all_uses_with(value)
        self.remove(op)

    @staticmethod
    def remove(op: Operation) -> None:
        """Remove an operation; buffers that it defined are known by their values from here on."""
        op.detach()

    def move_to(self, block: Block) -> Operation:
        """New operations go to the end of a block from here on; the way back is `resume`."""
        before = self._anchor
        end = block.last_op
        assert end is not None
        self._anchor = end
        return before

    def resume(self, anchor: Operation) -> None:
        """New operations go in front of an operation again."""
        self._anchor = anchor

    def once(self, key: object, build: Callable[[], SSAValue]) -> SSAValue:
        """A value that is computed at the function's beginning, the first time that it is asked for.

        What `build` uses must be arguments, constants or such values.
        """
        found = self._once.get(key)
        if found is None:
            before, self._anchor = self._anchor, self._first
            try:
                found = self._once[key] = build()
            finally:
                self._anchor = before
        return found

    def constant(self, value: int, bits: int = 32) -> SSAValue:
        """An integer constant."""
        return self.literal(integer(value, bits))

    def literal(self, value: Attribute) -> SSAValue:
        """A constant given as an attribute."""
        found = self._constants.get(value)
        if found is None:
            op = arith.ConstantOp.create(properties={"value": value}, result_types=[value.type])  # type: ignore[attr-defined]
            self.entry.insert_ops_before([op], self._first)
            found = self._constants[value] = op.results[0]
        return found

    def undefined(self, kind: Attribute) -> SSAValue:
        """A value of a type that nothing depends on."""
        found = self._undefined.get(kind)
        if found is None:
            op = llvm.UndefOp.create(result_types=[kind])
            self.entry.insert_ops_before([op], self._first)
            found = self._undefined[kind] = op.results[0]
        return found

    # -- tiles in registers -------------------------------------------------------------------------------------

    def root(self, buffer: SSAValue) -> SSAValue:
        """The allocated tile that a tile in registers is part of."""
        return self._aliases.get(buffer, buffer)

    def words(self, buffer: SSAValue) -> list[SSAValue | None]:
        """The words of the thread's storage of a tile in registers; None where nothing was written yet."""
        return self.registers[self.root(buffer)]

    def set_word(self, buffer: SSAValue, index: int, value: SSAValue) -> None:
        """Write a word of a tile in registers."""
        self.registers[self.root(buffer)][index] = value

    def set_words(self, buffer: SSAValue, values: list[SSAValue | None]) -> None:
        """Write all words of a tile in registers."""
        self.registers[self.root(buffer)] = values

    def word_type(self, buffer: SSAValue) -> Attribute:
        """The type of a tile's words."""
        return word_type(buffer_type(self.root(buffer)))

    # -- tiles in memory ----------------------------------------------------------------------------------------

    def pointer(self, buffer: SSAValue) -> SSAValue:
        """The pointer to the storage of a buffer in memory."""
        return self.places[buffer].pointer

    def offset(self, buffer: SSAValue) -> SSAValue | None:
        """How many elements (i32) a subview begins behind what its layout says; None for none."""
        return self.places[buffer].offset

    def runtime_stride(self, buffer: SSAValue, axis: str) -> SSAValue:
        """The value of a runtime stride of a global buffer."""
        return self.places[buffer].strides[axis][0]

    # -- threads ------------------------------------------------------------------------------------------------

    def thread(self, axis: str) -> SSAValue:
        """A thread index (i32) of the running thread: ``laneid``, ``warpid``, ``tid_in_wg``, ``wid_in_wg``,
        ``wgid``, ``tx``.
        """
        return self.once(("thread", axis), lambda: self._thread(axis))

    def _thread(self, axis: str) -> SSAValue:
        if axis == "tx":
            from xdsl.dialects.builtin import IndexType

            op = new("gpu.thread_id", results=[IndexType()], dimension="x")
            wide = self.emit(op)
            return self.emit(arith.IndexCastOp.create(operands=[wide], result_types=[i32]))
        made, base, by = {
            "laneid": (arith.RemUIOp, "tx", 32),
            "warpid": (arith.DivUIOp, "tx", 32),
            "tid_in_wg": (arith.RemUIOp, "tx", 128),
            "wgid": (arith.DivUIOp, "tx", 128),
            "wid_in_wg": (arith.RemUIOp, "warpid", 4),
        }[axis]
        operand = self.thread(base)
        if base == "tx" and made is arith.RemUIOp and self.block_size <= by:
            return operand
        return self.emit(made.create(operands=[operand, self.constant(by)], result_types=[i32]))

    # -- what buffers are ---------------------------------------------------------------------------------------

    def bind_alloc(self, op: tile.AllocOp, pointer: SSAValue | None) -> None:
        """A new buffer: undefined words, or a pointer into shared memory."""
        type = buffer_type(op.buffer)
        if type.space.data == LOCAL:
            self.registers[op.buffer] = [None] * word_count(type)
        else:
            assert pointer is not None
            self.places[op.buffer] = Place(pointer, None, {}, byte_alignment(op))

    def bind_view(self, op: tile.ViewOp) -> None:
        """A pointer seen as a buffer."""
        self.places[op.buffer] = Place(op.pointer, None, runtime_strides(op), byte_alignment(op))

    def bind_alias(self, op: tile.SubviewOp | tile.ReshapeOp) -> None:
        """A tile in registers seen otherwise: the same words, read through another layout or with other extents."""
        self._aliases[op.buffer] = self.root(op.source)

    def advanced(self, pointer: SSAValue, elements: SSAValue, type: BufferType) -> SSAValue:
        """The pointer some elements (i32 or i64) on."""
        element = type.element if type.element_bits >= 16 else i8
        return self.emit(element_pointer(pointer, elements, element))

    def byte_advanced(self, pointer: SSAValue, by: int) -> SSAValue:
        """The pointer a constant number of bytes on."""
        return self.emit(element_pointer(pointer, by, i8))
