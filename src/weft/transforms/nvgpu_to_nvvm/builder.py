"""Building the replacement of an operation in place: values, addresses, constants.

A builder that shares makes once what MLIR's pass emits again for each use: a buffer's base pointer stands right behind
the buffer, a constant at the start of the function.  One that does not emits what MLIR's pass does, in its order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    DenseArrayBase,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    UnrealizedConversionCastOp,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import IsolatedFromAbove

from weft.dialects import narrow
from weft.dialects.engine.making import Given, new
from weft.dialects.engine.operations import op_class
from weft.dialects.llvm.pointers import element_pointer
from weft.dialects.narrow import MemRef
from weft.dialects.nvgpu.types import MBarrierGroupType
from weft.mlir.positions import compile_error
from weft.transforms.nvgpu_to_nvvm.layout import address_space, barrier_buffer, llvm_type, pointer_type, storage_type

_NO_FLAGS = IntegerAttr(0, i32)


class Builder:
    """Emits operations before an anchor, with its location; shares what many replacements need."""

    def __init__(self, module: ModuleOp, *, shared: bool = True) -> None:
        self.module = module
        self.shared = shared
        """Whether values that MLIR's pass makes several times are made once."""
        self._anchor: Operation = module
        self._block = module.body.block
        self._casts: dict[tuple[SSAValue, Attribute], SSAValue] = {}
        self._bases: dict[SSAValue, SSAValue] = {}
        self._constants: dict[tuple[Operation, int | float, Attribute, Attribute], SSAValue] = {}
        self._starts: dict[Block, Operation] = {}
        self._positions: dict[tuple[int, ...], Attribute] = {}

    # Placing

    @property
    def anchor(self) -> Operation:
        """The operation before which the builder emits."""
        return self._anchor

    def place(self, op: Operation) -> Operation:
        """From now on emit before `op`; gives back the operation before which it emitted until now."""
        before = self._anchor
        assert op.parent is not None
        self._anchor, self._block = op, op.parent
        return before

    def emit(
        self,
        cls: type[Operation],
        operands: Sequence[SSAValue] = (),
        results: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] | None = None,
    ) -> Operation:
        """Make an operation and put it before the anchor."""
        op = cls.create(
            operands=operands, result_types=results, properties=properties or {}, location=self._anchor.location
        )
        self._block.insert_op_before(op, self._anchor)
        return op

    def new(self, name: str, *operands: Given, results: Sequence[Attribute] = (), **properties: Any) -> Operation:
        """Make an operation that is a row, as `new` of `weft.dialects.engine.making`, and put it before the anchor."""
        return self.insert(new(name, *operands, results=results, **properties))

    def insert(self, op: Operation) -> Operation:
        """Put an operation before the anchor."""
        op.location = self._anchor.location
        self._block.insert_op_before(op, self._anchor)
        return op

    def value(
        self,
        cls: type[Operation],
        operands: Sequence[SSAValue],
        result: Attribute,
        properties: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:
        """Make an operation with one result and give back the result."""
        return self.emit(cls, operands, (result,), properties).results[0]

    def _insert_behind(self, value: SSAValue, op: Operation) -> None:
        owner = value.owner
        if isinstance(owner, Operation):
            assert owner.parent is not None
            owner.parent.insert_op_after(op, owner)
        elif self.shared:
            owner.insert_op_before(op, self._body_start(owner))
        else:
            assert owner.first_op is not None
            owner.insert_op_before(op, owner.first_op)

    def _body_start(self, block: Block) -> Operation:
        """The operation that a block began with: constants stand before it, then casts of the block's arguments."""
        start = self._starts.get(block)
        if start is None:
            assert block.first_op is not None
            start = self._starts[block] = block.first_op
        return start

    # Values

    def cast(self, value: SSAValue, type: Attribute | None = None) -> SSAValue:
        """`value` as its `llvm` type (or another), through a cast right behind its definition."""
        target = llvm_type(value.type) if type is None else type
        if value.type == target:
            return value
        known = self._casts.get((value, target))
        if known is None:
            op = UnrealizedConversionCastOp.create(operands=[value], result_types=[target])
            self._insert_behind(value, op)
            known = self._casts[value, target] = op.results[0]
        return known

    def drop_unused_casts(self) -> None:
        """Remove casts that nobody came to use."""
        for cast in self._casts.values():
            owner = cast.owner
            if cast.first_use is None and isinstance(owner, Operation):
                owner.detach()
                owner.erase()

    def constant(
        self, value: int, type: IntegerType = i64, attribute: IntegerType | IndexType | None = None
    ) -> SSAValue:
        """`llvm.mlir.constant`, at the start of the function; `attribute` is the type of its attribute."""
        attr_type = type if attribute is None else attribute
        return self._constant(value, type, attr_type, IntegerAttr(value, attr_type))

    def float_constant(self, value: float, type: Attribute) -> SSAValue:
        """`llvm.mlir.constant` of a floating-point type."""
        return self._constant(value, type, type, FloatAttr(value, type))  # pyright: ignore

    def _constant(self, value: float, type: Attribute, attr_type: Attribute, attr: Attribute) -> SSAValue:
        if not self.shared:
            return self.new("llvm.mlir.constant", results=[type], value=attr).results[0]
        function = self._function()
        key = (function, value, type, attr_type)
        known = self._constants.get(key)
        if known is None:
            op = new("llvm.mlir.constant", results=[type], value=attr)
            entry = function.regions[0].blocks[0]
            self._body_start(entry)
            assert entry.first_op is not None
            entry.insert_op_before(op, entry.first_op)
            known = self._constants[key] = op.results[0]
        return known

    def _function(self) -> Operation:
        op = self._anchor
        while not op.has_trait(IsolatedFromAbove):
            parent = op.parent_op()
            assert parent is not None
            op = parent
        return op

    def position(self, *indices: int) -> Attribute:
        """The position attribute of `llvm.extractvalue` and `llvm.insertvalue`."""
        known = self._positions.get(indices)
        if known is None:
            known = self._positions[indices] = DenseArrayBase.from_list(i64, indices)
        return known

    def extract_value(self, container: SSAValue, type: Attribute, *indices: int) -> SSAValue:
        """A field of a struct or an element of an array."""
        return self.value(llvm.ExtractValueOp, [container], type, {"position": self.position(*indices)})

    def insert_value(self, container: SSAValue, value: SSAValue, *indices: int) -> SSAValue:
        """A struct or array with one field replaced."""
        return self.value(llvm.InsertValueOp, [container, value], container.type, {"position": self.position(*indices)})

    def extract_element(self, vector: SSAValue, index: int, type: Attribute) -> SSAValue:
        """An element of a one-dimensional vector."""
        return self.new("llvm.extractelement", vector, self.constant(index), results=[type]).results[0]

    def pack_vector(self, type: Attribute, elements: Iterable[SSAValue]) -> SSAValue:
        """A one-dimensional vector of scalars."""
        return self.fill(self.poison(type), elements)

    def fill(self, vector: SSAValue, elements: Iterable[SSAValue]) -> SSAValue:
        """A one-dimensional vector with its elements replaced."""
        for index, element in enumerate(elements):
            place = self.constant(index, i32)
            vector = self.value(llvm.InsertElementOp, [vector, element, place], vector.type)
        return vector

    def pack(self, type: Attribute, fields: Iterable[SSAValue]) -> SSAValue:
        """A struct or array of its fields."""
        return self.put(self.poison(type), fields)

    def put(self, container: SSAValue, fields: Iterable[SSAValue]) -> SSAValue:
        """A struct or array with its fields replaced."""
        for index, field in enumerate(fields):
            container = self.insert_value(container, field, index)
        return container

    def poison(self, type: Attribute) -> SSAValue:
        """A value nobody may look at, to insert fields into."""
        return self.new("llvm.mlir.poison", results=[type]).results[0]

    def inline_ptx(
        self, code: str, operands: Sequence[SSAValue], results: Sequence[Attribute] = ()
    ) -> Sequence[SSAValue]:
        """`nvvm.inline_ptx`, for what nvvm has no operation for: `$0`, ... are the results, then operands."""
        properties: dict[str, Attribute] = {
            "ptxCode": StringAttr(code),
            "operandSegmentSizes": DenseArrayBase.from_list(i32, [len(operands), 0, 0]),
        }
        return self.emit(op_class("nvvm.inline_ptx"), operands, results, properties).results

    def bitcast(self, value: SSAValue, type: Attribute) -> SSAValue:
        """The same bits as another type."""
        return value if value.type == type else self.value(llvm.BitcastOp, [value], type)

    def trunc(self, value: SSAValue, type: IntegerType) -> SSAValue:
        """The low bits of an integer."""
        return self.new("llvm.trunc", value, results=[type], overflow_flags=_NO_FLAGS).results[0]

    def zext(self, value: SSAValue, type: IntegerType) -> SSAValue:
        """An unsigned integer, wider."""
        return self.value(llvm.ZExtOp, [value], type)

    def binary(self, cls: type[Operation], lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """An integer operation of two operands."""
        flagged = cls in (llvm.AddOp, llvm.MulOp, llvm.ShlOp)
        return self.value(cls, [lhs, rhs], lhs.type, {"overflowFlags": _NO_FLAGS} if flagged else None)

    def add(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """Integer sum."""
        return self.binary(llvm.AddOp, lhs, rhs)

    def mul(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """Integer product."""
        return self.binary(llvm.MulOp, lhs, rhs)

    def index_as_i32(self, value: SSAValue) -> SSAValue:
        """An `index` as i32."""
        return self.trunc(self.cast(value), i32)

    # Addresses

    def gep(self, base: SSAValue, index: SSAValue, element: Attribute) -> SSAValue:
        """The address of `base[index]`."""
        return self.insert(element_pointer(base, index, storage_type(element))).results[0]

    def memref_type(self, buffer: SSAValue) -> MemRef:
        """The ranked memref type of a value.

        Raises:
            CompileError: it has another type.
        """
        if isinstance(buffer.type, MBarrierGroupType):
            return barrier_buffer(buffer.type)
        memref = narrow.memref(buffer.type)
        if memref is None:
            raise compile_error(self._anchor, f"expected a ranked memref, got {buffer.type}")
        return memref

    def base_pointer(self, buffer: SSAValue) -> SSAValue:
        """The address of a buffer's first element: the aligned pointer plus the offset; made once for a buffer."""
        known = self._bases.get(buffer)
        if known is not None:
            return known
        if not self.shared:
            return self._make_base_pointer(buffer, self.cast(buffer))
        descriptor = self.cast(buffer)
        cast_op = descriptor.owner
        assert isinstance(cast_op, Operation)
        assert cast_op.next_op is not None
        anchor = self.place(cast_op.next_op)
        pointer = self._bases[buffer] = self._make_base_pointer(buffer, descriptor)
        self.place(anchor)
        return pointer

    def _make_base_pointer(self, buffer: SSAValue, descriptor: SSAValue) -> SSAValue:
        memref = self.memref_type(buffer)
        _, offset = self._layout(memref)
        pointer = self.extract_value(descriptor, pointer_type(address_space(memref.memory_space)), 1)
        if offset is None:
            return self.gep(pointer, self.extract_value(descriptor, i64, 2), memref.element_type)
        if offset:
            return self.gep(pointer, self.constant(offset, i64, IndexType()), memref.element_type)
        return pointer

    def element_pointer(self, buffer: SSAValue, indices: Sequence[SSAValue]) -> SSAValue:
        """The address of an element of a buffer."""
        memref = self.memref_type(buffer)
        base = self.base_pointer(buffer)
        strides, _ = self._layout(memref)
        total: SSAValue | None = None
        for dimension, (index, stride) in enumerate(zip(indices, strides, strict=True)):
            term = self.cast(index)
            if stride is None:
                term = self.mul(term, self.extract_value(self.cast(buffer), i64, 4, dimension))
            elif stride != 1:
                term = self.mul(term, self.constant(stride, i64, IndexType()))
            total = term if total is None else self.add(total, term)
        return base if total is None else self.gep(base, total, memref.element_type)

    def _layout(self, memref: MemRef) -> tuple[Sequence[int | None], int | None]:
        """Strides and offset in elements; None for one that is known at run time only."""
        layout = strides_and_offset(memref)
        if layout is None:
            raise compile_error(self._anchor, f"{memref} has no strides")
        return layout


@cache
def strides_and_offset(memref: MemRef) -> tuple[Sequence[int | None], int | None] | None:
    """Strides and offset in elements, None where known at run time only; None when the layout is not strided."""
    strides = memref.get_strides()
    return None if strides is None else (strides, memref.get_offset())
