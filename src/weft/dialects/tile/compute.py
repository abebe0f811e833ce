"""What tiles are computed with: single elements, fills, element-wise functions, reductions, matrix products.

A tile in registers is a buffer of space `local`; the first operand of an operation that writes one is the buffer it
writes.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import I64, IntAttr, IntegerAttr, StringAttr, UnitAttr, i32, i64
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from weft.dialects.tile.arithmetic import FUNCTIONS
from weft.dialects.tile.memory import buffer_type, verify_product
from weft.dialects.tile.types import LOCAL, SHARED, BufferType

REDUCTIONS = ("add", "mul", "max", "min", "and", "or", "xor")
"""How elements are combined."""


def _local(value: SSAValue, what: str) -> BufferType:
    type = buffer_type(value)
    if type.space.data != LOCAL:
        raise VerifyException(f"expected {what} in registers, found one in {type.space.data} memory")
    return type


@irdl_op_definition
class AddressOp(IRDLOperation):
    """`tile.address %buffer[%i, %j] : i32, i32 : !tile.buffer -> !llvm.ptr<3>`: where an element of a buffer is, or
    (without coordinates) where the buffer begins.
    """

    name = "tile.address"

    buffer = operand_def(BufferType)
    indices = var_operand_def(i32)
    pointer = result_def(LLVMPointerType)

    assembly_format = "$buffer (`[` $indices^ `]`)? attr-dict `:` type($buffer) `->` type($pointer)"

    @staticmethod
    def of(buffer: SSAValue, indices: Sequence[SSAValue] = ()) -> AddressOp:
        """The address of a shared buffer, or of an element of it."""
        return AddressOp.create(operands=[buffer, *indices], result_types=[LLVMPointerType(IntAttr(3))])

    def verify_(self) -> None:
        """The buffer is in shared memory; a coordinate for each dimension, or none."""
        type = buffer_type(self.buffer)
        if type.space.data != SHARED:
            raise VerifyException("expected a buffer in shared memory")
        if self.indices and len(self.indices) != len(type.shape):
            raise VerifyException(f"expected {len(type.shape)} coordinates, found {len(self.indices)}")


@irdl_op_definition
class LoadOp(IRDLOperation):
    """`tile.load %buffer[%i, %j] : i32, i32 : !tile.buffer -> f16`: one element of a buffer in memory."""

    name = "tile.load"

    buffer = operand_def(BufferType)
    indices = var_operand_def(i32)
    element = result_def()

    assembly_format = "$buffer `[` $indices `]` attr-dict `:` type($buffer) `->` type($element)"

    @staticmethod
    def of(buffer: SSAValue, indices: Sequence[SSAValue]) -> LoadOp:
        """The element at these coordinates."""
        return LoadOp.create(operands=[buffer, *indices], result_types=[buffer_type(buffer).element])

    def verify_(self) -> None:
        """A coordinate for each dimension of a buffer in memory."""
        _verify_element(self.buffer, self.indices, self.element.type)


@irdl_op_definition
class StoreOp(IRDLOperation):
    """`tile.store %value, %buffer[%i, %j]`: write one element of a buffer in memory."""

    name = "tile.store"

    element = operand_def()
    buffer = operand_def(BufferType)
    indices = var_operand_def(i32)

    assembly_format = "$element `,` $buffer `[` $indices `]` attr-dict `:` type($element) `,` type($buffer)"

    @staticmethod
    def of(element: SSAValue, buffer: SSAValue, indices: Sequence[SSAValue]) -> StoreOp:
        """Write at these coordinates."""
        return StoreOp.create(operands=[element, buffer, *indices])

    def verify_(self) -> None:
        """A coordinate for each dimension of a buffer in memory."""
        _verify_element(self.buffer, self.indices, self.element.type)


def _verify_element(buffer: SSAValue, indices: Sequence[SSAValue], element: Attribute) -> None:
    type = buffer_type(buffer)
    if type.space.data == LOCAL:
        raise VerifyException("expected a buffer in memory: elements in registers are read with tile.extract")
    if len(indices) != len(type.shape):
        raise VerifyException(f"expected {len(type.shape)} coordinates, found {len(indices)}")
    if element != type.element:
        raise VerifyException(f"expected an element of type {type.element}, found {element}")


@irdl_op_definition
class ExtractOp(IRDLOperation):
    """`tile.extract %buffer {index = 3}`: the element in a place of the thread's own registers of a buffer."""

    name = "tile.extract"

    buffer = operand_def(BufferType)
    index = prop_def(IntegerAttr[I64])
    element = result_def()

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$buffer attr-dict `:` type($buffer) `->` type($element)"

    @staticmethod
    def of(buffer: SSAValue, index: int) -> ExtractOp:
        """The element in place `index` of the thread's storage."""
        result = buffer_type(buffer).element
        return ExtractOp.create(operands=[buffer], properties={"index": IntegerAttr(index, i64)}, result_types=[result])

    def verify_(self) -> None:
        """A place that there is."""
        _verify_place(_local(self.buffer, "a buffer"), self.index.value.data)


@irdl_op_definition
class InsertOp(IRDLOperation):
    """`tile.insert %buffer, %value {index = 3}`: write a place of the thread's own registers of a buffer."""

    name = "tile.insert"

    buffer = operand_def(BufferType)
    element = operand_def()
    index = prop_def(IntegerAttr[I64])

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$buffer `,` $element attr-dict `:` type($buffer) `,` type($element)"

    @staticmethod
    def of(buffer: SSAValue, element: SSAValue, index: int) -> InsertOp:
        """Write place `index` of the thread's storage."""
        return InsertOp.create(operands=[buffer, element], properties={"index": IntegerAttr(index, i64)})

    def verify_(self) -> None:
        """A place that there is."""
        _verify_place(_local(self.buffer, "a buffer"), self.index.value.data)


def _verify_place(type: BufferType, index: int) -> None:
    if not 0 <= index < type.span:
        raise VerifyException(f"expected a place in 0 to {type.span - 1}, found {index}")


@irdl_op_definition
class ReshapeOp(IRDLOperation):
    """`tile.reshape %buffer : A to B`: a tile in registers or shared memory with other extents, its elements in order.

    The storage is the same: what is written through one is read through the other.
    """

    name = "tile.reshape"

    source = operand_def(BufferType)
    buffer = result_def(BufferType)

    assembly_format = "$source attr-dict `:` type($source) `to` type($buffer)"

    @staticmethod
    def of(source: SSAValue, shape: Sequence[int]) -> ReshapeOp:
        """The tile with these extents."""
        type = buffer_type(source)
        result = BufferType.of(shape, type.element, type.space.data, type.layout)
        return ReshapeOp.create(operands=[source], result_types=[result])

    def verify_(self) -> None:
        """The same elements in the same layout, in registers or shared memory."""
        source, result = buffer_type(self.source), buffer_type(self.buffer)
        if source.space.data not in (LOCAL, SHARED):
            raise VerifyException(f"expected a tile in registers or shared memory, found one in {source.space.data}")
        if (source.element, source.space, source.layout) != (result.element, result.space, result.layout):
            raise VerifyException("expected the same elements and the same layout")


@irdl_op_definition
class FillOp(IRDLOperation):
    """`tile.fill %buffer, %value`: the same value in every element of a tile in registers."""

    name = "tile.fill"

    dst = operand_def(BufferType)
    element = operand_def()

    assembly_format = "$dst `,` $element attr-dict `:` type($dst) `,` type($element)"

    @staticmethod
    def of(dst: SSAValue, element: SSAValue) -> FillOp:
        """Fill a buffer."""
        return FillOp.create(operands=[dst, element])

    def verify_(self) -> None:
        """The value is of the element type."""
        type = _local(self.dst, "a buffer")
        if self.element.type != type.element:
            raise VerifyException(f"expected a value of type {type.element}, found {self.element.type}")


@irdl_op_definition
class IotaOp(IRDLOperation):
    """`tile.iota %buffer {dimension = 1}`: every element is its coordinate in a dimension."""

    name = "tile.iota"

    dst = operand_def(BufferType)
    dimension = prop_def(IntegerAttr[I64])

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$dst attr-dict `:` type($dst)"

    @staticmethod
    def of(dst: SSAValue, dimension: int) -> IotaOp:
        """Fill a buffer with coordinates."""
        return IotaOp.create(operands=[dst], properties={"dimension": IntegerAttr(dimension, i64)})

    def verify_(self) -> None:
        """A dimension that there is, of a buffer of 32-bit integers."""
        type = _local(self.dst, "a buffer")
        if type.element != i32:
            raise VerifyException(f"expected elements of type i32, found {type.element}")
        if not 0 <= self.dimension.value.data < len(type.shape):
            raise VerifyException(f"expected a dimension in 0 to {len(type.shape) - 1}")


@irdl_op_definition
class ElementwiseOp(IRDLOperation):
    """`tile.elementwise %dst, %a, %b {function = "add"}`: a function of the elements at the same coordinates.

    Operands are tiles in registers, whose extents are the destination's or 1, or single values; each thread must hold
    the elements it needs.  `unsigned` integers are compared, divided, shifted and converted as such; signed ones divide
    towards minus infinity.
    """

    name = "tile.elementwise"

    dst = operand_def(BufferType)
    sources = var_operand_def()
    function = prop_def(StringAttr)
    unsigned = opt_prop_def(Attribute)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$dst `,` $sources attr-dict `:` type($dst) `,` type($sources)"

    @staticmethod
    def of(
        dst: SSAValue, sources: Sequence[SSAValue], function: str, unsigned: Attribute | None = None
    ) -> ElementwiseOp:
        """Apply a function of `FUNCTIONS`."""
        properties: dict[str, Attribute] = {"function": StringAttr(function)}
        if unsigned is not None:
            properties["unsigned"] = unsigned
        return ElementwiseOp.create(operands=[dst, *sources], properties=properties)

    def verify_(self) -> None:
        """A function that there is, of as many operands, whose shapes broadcast to the destination's."""
        type = _local(self.dst, "a destination")
        count = FUNCTIONS.get(self.function.data)
        if count is None:
            raise VerifyException(f"expected a function of {', '.join(FUNCTIONS)}, found '{self.function.data}'")
        if len(self.sources) != count:
            raise VerifyException(f"expected {count} operands of '{self.function.data}', found {len(self.sources)}")
        for source in self.sources:
            if isinstance(source.type, BufferType):
                shape = _local(source, "an operand").shape
                if len(shape) != len(type.shape) or any(
                    a not in (1, b) for a, b in zip(shape, type.shape, strict=True)
                ):
                    raise VerifyException(f"expected an operand of shape {list(type.shape)}, found {list(shape)}")


@irdl_op_definition
class ReduceOp(IRDLOperation):
    """`tile.reduce %dst, %src {function = "add", dimension = 1}`: combine the elements along a dimension.

    The destination has extent 1 there; each thread that holds one of its elements gets the result.  `unsigned`
    integers are compared as such.  Where the dimension is spread over warps, they meet in shared memory, and all
    threads of the block must come.
    """

    name = "tile.reduce"

    dst = operand_def(BufferType)
    src = operand_def(BufferType)
    function = prop_def(StringAttr)
    dimension = prop_def(IntegerAttr[I64])
    unsigned = opt_prop_def(Attribute)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$dst `,` $src attr-dict `:` type($dst) `,` type($src)"

    @staticmethod
    def of(dst: SSAValue, src: SSAValue, function: str, dimension: int, unsigned: Attribute | None = None) -> ReduceOp:
        """Combine by a function of `REDUCTIONS`."""
        properties: dict[str, Attribute] = {"function": StringAttr(function), "dimension": IntegerAttr(dimension, i64)}
        if unsigned is not None:
            properties["unsigned"] = unsigned
        return ReduceOp.create(operands=[dst, src], properties=properties)

    def verify_(self) -> None:
        """Tiles of one element type; the destination is the source with extent 1 in the dimension."""
        dst, src = _local(self.dst, "a destination"), _local(self.src, "a source")
        if self.function.data not in REDUCTIONS:
            raise VerifyException(f"expected a function of {', '.join(REDUCTIONS)}, found '{self.function.data}'")
        dimension = self.dimension.value.data
        if not 0 <= dimension < len(src.shape):
            raise VerifyException(f"expected a dimension in 0 to {len(src.shape) - 1}")
        expected = (*src.shape[:dimension], 1, *src.shape[dimension + 1 :])
        if dst.shape != expected or dst.element != src.element:
            raise VerifyException(f"expected a destination of shape {list(expected)} and type {src.element}")


@irdl_op_definition
class GemmOp(IRDLOperation):
    """`tile.gemm %d, %a, %b`: d += a * b by `mma.sync`, on tiles in a warp's registers.

    `a` is M x K, `b` is K x N, `d` is M x N; their layouts must be those of `mma.sync`'s fragments, tile by tile.
    `unsigned_a` and `unsigned_b` say that integers are, `types` ("e2m3,e4m3") what bytes are that have no type of their
    own.  With `metadata`, words in registers, `a` is the half of M x K that is stored.
    """

    name = "tile.gemm"

    d = operand_def(BufferType)
    a = operand_def(BufferType)
    b = operand_def(BufferType)
    metadata = opt_operand_def(BufferType)
    unsigned_a = opt_prop_def(UnitAttr)
    unsigned_b = opt_prop_def(UnitAttr)
    types = opt_prop_def(StringAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$d `,` $a `,` $b (`metadata` $metadata^ `:` type($metadata))? attr-dict `:` type($d) `,` type($a) `,` type($b)"
    )

    @staticmethod
    def of(
        d: SSAValue,
        a: SSAValue,
        b: SSAValue,
        metadata: SSAValue | None = None,
        *,
        unsigned_a: bool = False,
        unsigned_b: bool = False,
        types: str = "",
    ) -> GemmOp:
        """Multiply and add."""
        unsigned = {"unsigned_a": unsigned_a, "unsigned_b": unsigned_b}
        properties: dict[str, Attribute] = {name: UnitAttr() for name, holds in unsigned.items() if holds}
        operands = [d, a, b, *([metadata] if metadata is not None else [])]
        return GemmOp.create(operands=operands, properties=properties | ({"types": StringAttr(types)} if types else {}))

    def verify_(self) -> None:
        """Matrices whose extents meet."""
        d, a, b = (_local(value, f"'{name}'") for value, name in ((self.d, "d"), (self.a, "a"), (self.b, "b")))
        if not len(d.shape) == len(a.shape) == len(b.shape) == 2:
            raise VerifyException("expected matrices")
        if self.metadata is not None:
            _local(self.metadata, "'metadata'")
        verify_product(d, a, b, stored=2 if self.metadata is not None else 1)
