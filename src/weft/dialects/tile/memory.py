"""Buffers: allocated, a pointer seen as one, a region of another."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import I64, ArrayAttr, DenseArrayBase, IntAttr, IntegerAttr, IntegerType, StringAttr, i64
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from weft.dialects.tile.regions import DynamicTerm, region_layout, runtime_axes
from weft.dialects.tile.types import GLOBAL, LOCAL, SHARED, TENSOR, BufferType

DYNAMIC = -(2**63)
"""Stands in `static_offsets` of a `tile.subview` for an operand, as in MLIR."""


@irdl_op_definition
class AllocOp(IRDLOperation):
    """`tile.alloc {alignment} : !tile.buffer`: a buffer in the block's shared memory, or in each thread's registers.

    `alignment`, in bytes, is of the storage of a shared buffer; 128 where it is left out (1024 for a swizzled layout).
    """

    name = "tile.alloc"

    alignment = opt_prop_def(IntegerAttr[I64])
    buffer = result_def(BufferType)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict `:` type($buffer)"

    @staticmethod
    def of(type: BufferType, alignment: int | None = None) -> AllocOp:
        """An allocation of a buffer of this type."""
        properties = {} if alignment is None else {"alignment": IntegerAttr(alignment, i64)}
        return AllocOp.create(properties=properties, result_types=[type])

    @property
    def byte_alignment(self) -> int:
        """Alignment of the storage in bytes."""
        if self.alignment is not None:
            return self.alignment.value.data
        type = buffer_type(self.buffer)
        return 1024 if type.swizzled else 128

    def verify_(self) -> None:
        """Shared or local; the alignment a power of two."""
        space = buffer_type(self.buffer).space.data
        if space == GLOBAL:
            raise VerifyException("expected a shared or a local buffer: global memory is viewed, not allocated")
        if self.alignment is not None:
            verify_alignment(self.alignment.value.data)
            if space == LOCAL:
                raise VerifyException("registers have no alignment")


@irdl_op_definition
class ViewOp(IRDLOperation):
    """`tile.view %ptr strides [%ld : "ld"] {divisors, alignment} : (...) -> !tile.buffer`: what a pointer points to.

    A layout may have axes that are bound here (`S[(128,32):(1@ld,1)]`): axis `axes[i]` is worth `strides[i]` elements,
    known to be a multiple of `divisors[i]` (1 where `divisors` is left out).  `alignment` is of the pointer, in bytes;
    where it is left out, the pointer is a multiple of the element's size.
    """

    name = "tile.view"

    pointer = operand_def(LLVMPointerType)
    strides = var_operand_def(base(IntegerType))
    axes = prop_def(ArrayAttr[StringAttr], default_value=ArrayAttr[StringAttr]([]))
    divisors = opt_prop_def(DenseArrayBase.constr(i64))
    alignment = opt_prop_def(IntegerAttr[I64])
    buffer = result_def(BufferType)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$pointer (`strides` `[` $strides^ `:` type($strides) `]`)? attr-dict `:` type($pointer) `->` type($buffer)"
    )

    @staticmethod
    def of(
        pointer: SSAValue,
        type: BufferType,
        strides: Sequence[tuple[str, SSAValue, int]] = (),
        alignment: int | None = None,
    ) -> ViewOp:
        """A view; `strides` are the name of an axis, its value and what divides the value."""
        properties: dict[str, Attribute] = {
            "axes": ArrayAttr([StringAttr(name) for name, _, _ in strides]),
            "divisors": DenseArrayBase.from_list(i64, [divisor for _, _, divisor in strides]),
        }
        if alignment is not None:
            properties["alignment"] = IntegerAttr(alignment, i64)
        operands = [pointer, *(value for _, value, _ in strides)]
        return ViewOp.create(operands=operands, properties=properties, result_types=[type])

    @property
    def runtime_strides(self) -> dict[str, tuple[SSAValue, int]]:
        """The value of each axis that is bound here, with what divides it."""
        names = [name.data for name in self.axes]
        divisors = self.divisors.get_values() if self.divisors is not None and len(self.divisors) else [1] * len(names)
        return {name: (value, divisor) for name, value, divisor in zip(names, self.strides, divisors, strict=True)}

    @property
    def byte_alignment(self) -> int:
        """Alignment of the pointer in bytes."""
        if self.alignment is not None:
            return self.alignment.value.data
        return max(1, buffer_type(self.buffer).element_bits // 8)

    def verify_(self) -> None:
        """The pointer is of the buffer's space; every axis of the layout that is not memory or threads is bound."""
        type = buffer_type(self.buffer)
        assert isinstance(self.pointer.type, LLVMPointerType)
        spaces = {GLOBAL: (0, 1), SHARED: (3,), TENSOR: (6,)}.get(type.space.data)
        if spaces is None:
            raise VerifyException("expected a global or a shared buffer: registers have no address")
        number = self.pointer.type.addr_space
        if (number.data if isinstance(number, IntAttr) else 0) not in spaces:
            raise VerifyException(f"expected a pointer to {type.space.data} memory")
        if self.alignment is not None:
            verify_alignment(self.alignment.value.data)
        if len(self.axes) != len(self.strides):
            raise VerifyException(f"expected one axis for each of the {len(self.strides)} strides")
        if self.divisors is not None and len(self.divisors) not in (0, len(self.axes)):
            raise VerifyException(f"expected one divisor for each of the {len(self.axes)} strides")
        bound, used = set(self.runtime_strides), runtime_axes(type.layout)
        if bound != used:
            raise VerifyException(
                f"expected the strides to bind the axes {sorted(used)} of the layout, found {sorted(bound)}"
            )


@irdl_op_definition
class SubviewOp(IRDLOperation):
    """`tile.subview %buffer[offsets] {sizes, divisors}`: a region of a buffer, as a buffer.

    Offsets are constants (`static_offsets`) or values (`DYNAMIC` there), each of which is known to be a multiple of its
    entry in `divisors` and in range.  A value must move the region by a fixed number of elements a step: the offset of
    a dimension of several iters must be a multiple of what all of them but the first hold.
    """

    name = "tile.subview"

    source = operand_def(BufferType)
    offsets = var_operand_def()
    static_offsets = prop_def(DenseArrayBase.constr(i64))
    sizes = prop_def(DenseArrayBase.constr(i64))
    divisors = opt_prop_def(DenseArrayBase.constr(i64))
    buffer = result_def(BufferType)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$source `[` ($offsets^ `:` type($offsets))? `]` attr-dict `:` type($source) `->` type($buffer)"

    @staticmethod
    def of(
        source: SSAValue, offsets: Sequence[int | SSAValue], sizes: Sequence[int], divisors: Sequence[int] | None = None
    ) -> SubviewOp:
        """A region; `divisors` has an entry for each offset that is a value.  Raises VerifyException."""
        values = [offset for offset in offsets if isinstance(offset, SSAValue)]
        static = [DYNAMIC if isinstance(offset, SSAValue) else offset for offset in offsets]
        known = list(divisors) if divisors is not None else [1] * len(values)
        type = buffer_type(source)
        layout, _ = region_layout(type.layout, type.shape, regions(static, sizes, known))
        properties = {
            "static_offsets": DenseArrayBase.from_list(i64, static),
            "sizes": DenseArrayBase.from_list(i64, sizes),
            "divisors": DenseArrayBase.from_list(i64, known),
        }
        result = BufferType.of(sizes, type.element, type.space.data, layout)
        return SubviewOp.create(operands=[source, *values], properties=properties, result_types=[result])

    @property
    def dynamic_terms(self) -> list[tuple[SSAValue, DynamicTerm]]:
        """Each offset that is a value, with what a step of it is worth."""
        type = buffer_type(self.source)
        _, terms = region_layout(type.layout, type.shape, self._regions())
        return list(zip(self.offsets, terms, strict=True))

    def _regions(self) -> list[tuple[int | None, int, int]]:
        static, sizes = self.static_offsets.get_values(), self.sizes.get_values()
        dynamic = static.count(DYNAMIC)
        known = self.divisors.get_values() if self.divisors is not None and len(self.divisors) else [1] * dynamic
        if len(static) != len(sizes) or len(known) != dynamic or len(self.offsets) != dynamic:
            raise VerifyException(
                f"expected as many offsets as sizes and a divisor for each value, found {len(static)} offsets, "
                f"{len(sizes)} sizes, {len(self.offsets)} values and {len(known)} divisors"
            )
        return regions(static, sizes, known)

    def verify_(self) -> None:
        """The region lies within the buffer and has the type that `of` gives it."""
        type, result = buffer_type(self.source), buffer_type(self.buffer)
        layout, terms = region_layout(type.layout, type.shape, self._regions())
        if type.space.data == LOCAL and terms:
            raise VerifyException("registers have no address: expected constant offsets")
        expected = BufferType.of(self.sizes.get_values(), type.element, type.space.data, layout)
        if result != expected:
            raise VerifyException(f"expected a result of type {expected}")


def buffer_type(value: SSAValue) -> BufferType:
    """The type of a value that is a buffer; raises VerifyException for another."""
    if not isinstance(value.type, BufferType):
        raise VerifyException(f"expected a !tile.buffer, found {value.type}")
    return value.type


def matrix_shape(type: BufferType) -> tuple[int, int]:
    """The extents of a matrix, dimensions of extent 1 before them left out; raises VerifyException for others."""
    *front, rows, columns = (1, 1, *type.shape)
    if len(type.shape) < 2 or any(extent != 1 for extent in front):
        raise VerifyException(f"expected a matrix, found a buffer of shape {list(type.shape)}")
    return rows, columns


def verify_product(d: BufferType, a: BufferType, b: BufferType, halves: int = 1, stored: int = 1) -> None:
    """Raises VerifyException unless the extents of matrices meet in d += a * b, where `b` is one of so many parts, and
    of so many elements of `a` one is stored.
    """
    (m, k), (depth, n) = matrix_shape(a), matrix_shape(b)
    if matrix_shape(d) != (m, n * halves) or k * stored != depth:
        raise VerifyException(
            f"expected extents that meet, found {list(a.shape)} times {list(b.shape)} for {list(d.shape)}"
        )


def regions(static: Sequence[int], sizes: Sequence[int], divisors: Sequence[int]) -> list[tuple[int | None, int, int]]:
    """Offset (None for a value), size and divisor of the offset for each dimension."""
    known = iter(divisors)
    return [
        (None, size, next(known)) if offset == DYNAMIC else (offset, size, 1)
        for offset, size in zip(static, sizes, strict=True)
    ]


def verify_alignment(alignment: int) -> None:
    """Raise VerifyException unless an alignment is a power of two."""
    if alignment < 1 or alignment & (alignment - 1):
        raise VerifyException(f"expected an alignment that is a power of two, found {alignment}")
