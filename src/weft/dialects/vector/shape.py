"""Operations of `vector` that only move elements: slices, casts of the shape, transposition, (de)composition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import I64, ArrayAttr, DenseArrayBase, IndexType, IntegerAttr, VectorType, i64
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.verification import Described

if TYPE_CHECKING:
    from xdsl.ir import Attribute
    from xdsl.parser import Parser
    from xdsl.printer import Printer


def _integers(values: ArrayAttr[IntegerAttr[I64]]) -> tuple[int, ...]:
    return tuple(value.value.data for value in values)


def _confined(what: str, values: Sequence[int], low: int, high: Sequence[int]) -> None:
    """Refuse a value outside `low` and its own bound.

    Raises:
        VerifyException: it is.
    """
    for dim, (value, end) in enumerate(zip(values, high, strict=False)):
        if not low <= value < end:
            raise VerifyException(f"expected {what} dimension {dim} to be confined to [{low}, {end})")


@irdl_op_definition
class ExtractStridedSliceOp(IRDLOperation):
    """`vector.extract_strided_slice`: the box of `sizes` at `offsets` in the leading dimensions of a vector."""

    name = "vector.extract_strided_slice"

    source = operand_def(VectorType)
    offsets = prop_def(ArrayAttr[IntegerAttr[I64]])
    sizes = prop_def(ArrayAttr[IntegerAttr[I64]])
    strides = prop_def(ArrayAttr[IntegerAttr[I64]])
    result = result_def(VectorType)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    def verify_(self) -> None:
        """Offsets, sizes and strides must fit the source, and give the result's shape."""
        offsets, sizes, strides = _integers(self.offsets), _integers(self.sizes), _integers(self.strides)
        source = narrow.vector(self.source.type)
        result = narrow.vector(self.result.type)
        assert source is not None
        assert result is not None
        if not len(offsets) == len(sizes) == len(strides):
            raise VerifyException("expected offsets, sizes and strides attributes of same size")
        shape = source.get_shape()
        if len(offsets) > len(shape):
            raise VerifyException("expected offsets attribute of rank no greater than vector rank")
        _confined("offsets", offsets, 0, shape)
        _confined("sizes", sizes, 1, [extent + 1 for extent in shape])
        if any(stride != 1 for stride in strides):
            raise VerifyException("expected strides to be confined to [1, 2)")
        ends = [offset + size for offset, size in zip(offsets, sizes, strict=True)]
        _confined("sum(offsets, sizes)", ends, 1, [extent + 1 for extent in shape])
        expected = VectorType(source.element_type, [*sizes, *shape[len(sizes) :]])
        if result != expected:
            raise VerifyException(f"expected result type to be '{expected}'")


@irdl_op_definition
class InsertStridedSliceOp(IRDLOperation):
    """`vector.insert_strided_slice`: `dest` with the box at `offsets` replaced by `value_to_store`."""

    name = "vector.insert_strided_slice"

    T: ClassVar = VarConstraint("T", base(VectorType))

    value_to_store = operand_def(VectorType)
    dest = operand_def(T)
    offsets = prop_def(ArrayAttr[IntegerAttr[I64]])
    strides = prop_def(ArrayAttr[IntegerAttr[I64]])
    res = result_def(T)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$value_to_store `,` $dest attr-dict `:` type($value_to_store) `into` type($dest)"

    def verify_(self) -> None:
        """The box must lie inside the destination."""
        source, dest = narrow.vector(self.value_to_store.type), narrow.vector(self.dest.type)
        assert source is not None
        assert dest is not None
        offsets, shape = _integers(self.offsets), dest.get_shape()
        if len(offsets) != len(shape):
            raise VerifyException("expected offsets of same size as destination vector rank")
        if len(self.strides) != source.get_num_dims():
            raise VerifyException("expected strides of same size as source vector rank")
        if source.get_num_dims() > len(shape):
            raise VerifyException("expected source rank to be no greater than destination rank")
        sizes = (1,) * (len(shape) - source.get_num_dims()) + source.get_shape()
        _confined("offsets", offsets, 0, shape)
        ends = [offset + size for offset, size in zip(offsets, sizes, strict=True)]
        if any(stride != 1 for stride in _integers(self.strides)):
            raise VerifyException("expected strides to be confined to [1, 2)")
        _confined("sum(offsets, source vector shape)", ends, 1, [extent + 1 for extent in shape])


@irdl_op_definition
class ShapeCastOp(IRDLOperation):
    """`vector.shape_cast`: the same elements in row-major order under another shape."""

    name = "vector.shape_cast"

    source = operand_def(VectorType)
    result = result_def(VectorType)

    traits = traits_def(Pure())
    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    def verify_(self) -> None:
        """Both shapes must have the same number of elements of the same type."""
        source, result = narrow.vector(self.source.type), narrow.vector(self.result.type)
        assert source is not None
        assert result is not None
        if source.element_type != result.element_type:
            raise VerifyException("has different source and result element types")
        if source.element_count() != result.element_count():
            raise VerifyException(
                f"has different number of elements at source ({source.element_count()}) "
                f"and result ({result.element_count()})"
            )
        scalable = [sum(dim.value.data != 0 for dim in kind.scalable_dims) for kind in (source, result)]
        if scalable[0] != scalable[1]:
            raise VerifyException(
                f"has different number of scalable dims at source ({scalable[0]}) and result ({scalable[1]})"
            )


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """`vector.transpose %v, [1, 0]`: dimension `i` of the result is dimension `permutation[i]` of the source."""

    name = "vector.transpose"

    vector = operand_def(VectorType)
    permutation = prop_def(DenseArrayBase.constr(i64))
    result = result_def(VectorType)

    traits = traits_def(Pure())
    assembly_format = "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)"

    def verify_(self) -> None:
        """The permutation must be one, and the result have the permuted shape."""
        source, result = narrow.vector(self.vector.type), narrow.vector(self.result.type)
        assert source is not None
        assert result is not None
        order: tuple[int, ...] = self.permutation.get_values()
        shape = source.get_shape()
        if result.get_num_dims() != len(shape):
            raise VerifyException(f"vector result rank mismatch: {result.get_num_dims()}")
        if len(order) != len(shape):
            raise VerifyException(f"transposition length mismatch: {len(order)}")
        for place, dim in enumerate(order):
            if not 0 <= dim < len(shape):
                raise VerifyException(f"transposition index out of range: {dim}")
            if dim in order[:place]:
                raise VerifyException(f"duplicate position index: {dim}")
            if result.get_shape()[place] != shape[dim]:
                raise VerifyException(f"dimension size mismatch at: {dim}")


@irdl_op_definition
class FromElementsOp(IRDLOperation):
    """`vector.from_elements %a, %b, ...`: a vector of scalars in row-major order."""

    name = "vector.from_elements"

    elements = var_operand_def()
    dest = result_def(VectorType)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> FromElementsOp:
        """Parse everything after the operation's name."""
        position = parser.pos
        elements = (
            parser.parse_optional_undelimited_comma_separated_list(
                parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
            )
            or []
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        dest = narrow.vector(parser.parse_type())
        if dest is None:
            parser.raise_error("expected a vector type")
        if len(elements) != dest.element_count():
            parser.raise_error(
                f"number of elements must be {dest.element_count()}, but got {len(elements)}", position, parser.pos
            )
        operands = [parser.resolve_operand(element, dest.element_type) for element in elements]
        return cls.create(operands=operands, result_types=[dest], attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_list(self.elements, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.dest.type)


@irdl_op_definition
class ToElementsOp(IRDLOperation):
    """`vector.to_elements %v`: all scalars of a vector, in row-major order."""

    name = "vector.to_elements"

    source = operand_def(VectorType)
    elements = var_result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> ToElementsOp:
        """Parse everything after the operation's name."""
        source = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source_type = narrow.vector(parser.parse_type())
        if source_type is None:
            parser.raise_error("expected a vector type")
        results: list[Attribute] = [source_type.element_type] * source_type.element_count()
        operand = parser.resolve_operand(source, source_type)
        return cls.create(operands=[operand], result_types=results, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)


@irdl_op_definition
class ConstantMaskOp(IRDLOperation):
    """`vector.constant_mask [2, 3]`: a mask that is set in the leading box."""

    name = "vector.constant_mask"

    mask_dim_sizes = prop_def(DenseArrayBase.constr(i64))
    result = result_def(VectorType)

    traits = traits_def(Pure())
    assembly_format = "$mask_dim_sizes attr-dict `:` type(results)"


@irdl_op_definition
class StepOp(IRDLOperation):
    """`vector.step`: 0, 1, 2, ... as `vector<nxindex>`."""

    name = "vector.step"

    result = result_def(Described(VectorType.constr(IndexType()), "vector of index values of ranks 1"))

    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result)"


@irdl_op_definition
class InterleaveOp(IRDLOperation):
    """`vector.interleave %a, %b`: a0, b0, a1, b1, ... along the last dimension."""

    name = "vector.interleave"

    T: ClassVar = VarConstraint("T", base(VectorType))

    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(VectorType)

    traits = traits_def(Pure())
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)"


@irdl_op_definition
class DeinterleaveOp(IRDLOperation):
    """`vector.deinterleave %v`: the even and the odd elements of the last dimension."""

    name = "vector.deinterleave"

    T: ClassVar = VarConstraint("T", base(VectorType))

    source = operand_def(VectorType)
    res1 = result_def(T)
    res2 = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$source attr-dict `:` type($source) `->` type($res1)"
