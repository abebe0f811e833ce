"""`vector.transfer_read` and `vector.transfer_write`: their text, and what upstream's verifiers ask of them.

The map says which dimension of the source each of the vector's goes along; 0 where it is repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn, TypeAlias, cast

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, BoolAttr, IndexType, MemRefType, TensorType, VectorType, i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.building import segment_sizes
from weft.dialects.narrow import Vector, known_vector
from weft.dialects.vector.masks import Extents, extents, mask_extents, spelled
from weft.dialects.verification import element_bits

if TYPE_CHECKING:
    from xdsl.dialects.vector import TransferReadOp, TransferWriteOp
    from xdsl.parser import Parser, UnresolvedOperand
    from xdsl.printer import Printer

_Shaped: TypeAlias = "MemRefType[Attribute] | TensorType[Attribute]"
_MAP, _BOUNDS = "permutation_map", "in_bounds"
_NO_PROJECTION = "requires a projected permutation_map (at most one dim or the zero constant can appear in each result)"
_REGISTER_BITS = 64
"""Of an `index` and a pointer, as upstream counts them here."""


def parse_transfer_read(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `%source[%i, %j], %padding (, %mask)? {attributes} : source, vector`."""
    source = parser.parse_unresolved_operand()
    indices = _indices(parser)
    parser.parse_punctuation(",")
    padding = parser.parse_unresolved_operand()
    rest = _Rest(cls, parser, vector_first=False)
    operands = [
        parser.resolve_operand(source, rest.shaped),
        *parser.resolve_operands(indices, [IndexType()] * len(indices), parser.pos),
        parser.resolve_operand(padding, rest.shaped.element_type),
        *rest.masks(),
    ]
    sizes = (1, len(indices), 1, len(operands) - len(indices) - 2)
    return rest.operation(operands, sizes, [rest.vector])


def parse_transfer_write(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `%vector, %target[%i, %j] (, %mask)? {attributes} : vector, target`."""
    vector = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    source = parser.parse_unresolved_operand()
    indices = _indices(parser)
    rest = _Rest(cls, parser, vector_first=True)
    operands = [
        parser.resolve_operand(vector, rest.vector),
        parser.resolve_operand(source, rest.shaped),
        *parser.resolve_operands(indices, [IndexType()] * len(indices), parser.pos),
        *rest.masks(),
    ]
    sizes = (1, 1, len(indices), len(operands) - len(indices) - 2)
    return rest.operation(operands, sizes, [rest.shaped] if isinstance(rest.shaped, TensorType) else [])


def _indices(parser: Parser) -> list[UnresolvedOperand]:
    return parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_unresolved_operand)


class _Rest:
    """What both have behind the operands: a mask, attributes and types, from which the map and the bounds follow."""

    def __init__(self, cls: type[Operation], parser: Parser, *, vector_first: bool) -> None:
        self._cls, self._parser = cls, parser
        has_mask = parser.parse_optional_punctuation(",") is not None
        self._mask_place = parser.pos
        self._mask = parser.parse_unresolved_operand() if has_mask else None
        self._attributes = parser.parse_optional_attr_dict()
        self._place = parser.pos
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        if len(types) != 2:
            self._refuse("requires two types")
        shaped, vector = reversed(types) if vector_first else types
        if not isinstance(shaped, MemRefType | TensorType):
            self._refuse("requires memref or ranked tensor type")
        found = narrow.vector(vector)
        if found is None:
            self._refuse("requires vector type")
        self.shaped: _Shaped = shaped
        self.vector = found
        self._properties: dict[str, Attribute] = {}
        self._map = self._known_map()

    def _refuse(self, message: str, place: int | None = None) -> NoReturn:
        place = self._place if place is None else place
        self._parser.raise_error(f"custom op '{self._cls.name}' {message}", place, place)

    def _known_map(self) -> AffineMap | None:
        """The map; none where the text has something else in its place, which the verifier refuses."""
        given = self._attributes.pop(_MAP, None)
        if given is None:
            own = _inner_rank(self.shaped)
            rank, wanted = self.shaped.get_num_dims(), self.vector.get_num_dims() - own
            if not 0 <= wanted <= rank:
                self._refuse(f"expected a custom {_MAP} when rank(source) != rank(destination)")
            given = AffineMapAttr(AffineMap.minor_identity(rank, wanted))
        known = given.data if isinstance(given, AffineMapAttr) else None
        bounds = self._attributes.pop(_BOUNDS, None)
        if bounds is None:
            bounds = ArrayAttr([BoolAttr.from_bool(False)] * (len(known.results) if known is not None else 0))
        if isinstance(given, AffineMapAttr):
            self._properties[_MAP] = given
        if isinstance(bounds, ArrayAttr):
            self._properties[_BOUNDS] = bounds
        return known

    def masks(self) -> Sequence[SSAValue]:
        """The mask, whose type follows from the vector's and the map."""
        if self._mask is None:
            return ()
        if _inner_rank(self.shaped):
            self._refuse("does not support masks with vector element type", self._mask_place)
        if self._map is None or self.vector.get_num_dims() != len(self._map.results):
            self._refuse("expected the same rank for the vector and the results of the permutation map")
        wanted = mask_extents(self._map, self.vector)
        if wanted is None:
            self._refuse(_NO_PROJECTION)
        return (self._parser.resolve_operand(self._mask, _mask_type(wanted)),)

    def operation(self, operands: Sequence[SSAValue], sizes: Sequence[int], results: Sequence[Attribute]) -> Operation:
        """What was parsed."""
        return self._cls.create(
            operands=operands,
            result_types=results,
            properties={"operandSegmentSizes": segment_sizes(tuple(sizes)), **self._properties},
            attributes=self._attributes,
        )


def print_transfer_read(op: TransferReadOp, printer: Printer) -> None:
    """Print what `parse_transfer_read` parses."""
    printer.print_string(" ")
    _print_place(op, printer)
    printer.print_string(", ")
    printer.print_ssa_value(op.padding)
    _print_rest(op, printer, (op.source.type, op.result.type))


def print_transfer_write(op: TransferWriteOp, printer: Printer) -> None:
    """Print what `parse_transfer_write` parses."""
    printer.print_string(" ")
    printer.print_ssa_value(op.vector)
    printer.print_string(", ")
    _print_place(op, printer)
    _print_rest(op, printer, (op.vector.type, op.source.type))


def _print_place(op: TransferReadOp | TransferWriteOp, printer: Printer) -> None:
    printer.print_ssa_value(op.source)
    with printer.in_square_brackets():
        printer.print_list(op.indices, printer.print_ssa_value)


def _print_rest(op: TransferReadOp | TransferWriteOp, printer: Printer, types: Sequence[Attribute]) -> None:
    if op.mask is not None:
        printer.print_string(", ")
        printer.print_ssa_value(op.mask)
    shown: dict[str, Attribute] = {}
    if any(op.in_bounds):
        shown[_BOUNDS] = op.in_bounds
    if not op.permutation_map.data.is_minor_identity():
        shown[_MAP] = op.permutation_map
    printer.print_op_attributes({**shown, **op.attributes})
    printer.print_string(" : ")
    printer.print_list(types, printer.print_attribute)


def transfer_read(op: TransferReadOp) -> None:
    """A box that fits the source, with a padding that is one of its elements."""
    _check_indices(op)
    _check_transfer(op, known_vector(op.result.type))
    element = _shaped(op).element_type
    if element != op.padding.type:
        raise VerifyException(
            "requires source element type and padding type to match."
            if isinstance(element, VectorType)
            else "requires formal padding and source of the same elemental type"
        )
    _check_map(op.permutation_map.data)


def transfer_write(op: TransferWriteOp) -> None:
    """A box that fits the target, of which no element is written twice."""
    _check_indices(op)
    if any(isinstance(expr, AffineConstantExpr) and expr.value == 0 for expr in op.permutation_map.data.results):
        raise VerifyException("should not have broadcast dimensions")
    _check_transfer(op, known_vector(op.vector.type))
    _check_map(op.permutation_map.data)


def _mask_type(shape: Extents) -> Vector:
    return VectorType(i1, [size for size, _ in shape], ArrayAttr([BoolAttr.from_bool(grows) for _, grows in shape]))


def _inner_rank(shaped: _Shaped) -> int:
    element = narrow.vector(shaped.element_type)
    return 0 if element is None else element.get_num_dims()


def _shaped(op: TransferReadOp | TransferWriteOp) -> _Shaped:
    found: Attribute = op.source.type
    if not isinstance(found, MemRefType | TensorType):
        raise VerifyException("requires source to be a memref or ranked tensor type")
    return cast("_Shaped", found)


def _check_indices(op: TransferReadOp | TransferWriteOp) -> None:
    rank = _shaped(op).get_num_dims()
    if len(op.indices) != rank:
        raise VerifyException(f"requires {rank} indices")


def _check_transfer(op: TransferReadOp | TransferWriteOp, vector: Vector) -> None:
    """What both ask, in upstream's order."""
    if "masked" in op.attributes:
        raise VerifyException("masked attribute has been removed. Use in_bounds instead.")
    shaped, map_, mask = _shaped(op), op.permutation_map.data, op.mask
    _check_ranks(shaped.element_type, vector, map_)
    if isinstance(shaped.element_type, VectorType) and mask is not None:
        raise VerifyException("does not support masks with vector element type")
    if map_.num_symbols:
        raise VerifyException("requires permutation_map without symbols")
    if map_.num_dims != shaped.get_num_dims():
        raise VerifyException("requires a permutation_map with input dims of the same rank as the source type")
    if mask is not None:
        wanted = mask_extents(map_, vector)
        if wanted is None:
            raise VerifyException(_NO_PROJECTION)
        if extents(known_vector(mask.type)) != wanted:
            raise VerifyException(
                f"inferred mask type ('{spelled(wanted, i1)}') and mask operand type ('{mask.type}') don't match"
            )
    if len(op.in_bounds) != len(map_.results):
        raise VerifyException(
            f"expects the in_bounds attr of same rank as permutation_map results: {op.permutation_map} vs inBounds of "
            f"size: {len(op.in_bounds)}"
        )


def _check_ranks(element: Attribute, vector: Vector, map_: AffineMap) -> None:
    """The vector's last dimension has whole elements of the source, and each other dimension a result of the map."""
    inner, rank = narrow.vector(element), vector.get_num_dims()
    source = "minor 1-D vector of the source" if inner is not None else "source element type"
    if _minor_bits(vector) % (_minor_bits(inner) if inner is not None else _bits(element)):
        raise VerifyException(
            f"requires the bitwidth of the minor 1-D vector to be an integral multiple of the bitwidth of the {source}"
        )
    own = inner.get_num_dims() if inner is not None else 0
    if own > rank:
        raise VerifyException("requires source vector element and vector result ranks to match.")
    if len(map_.results) != rank - own:
        raise VerifyException("requires a permutation_map with result dims of the same rank as the vector type")


def _minor_bits(vector: Vector) -> int:
    shape = vector.get_shape()
    return _bits(vector.element_type) * (shape[-1] if shape else 1)


def _bits(element: Attribute) -> int:
    bits = element_bits(element)
    return _REGISTER_BITS if bits is None else bits


def _check_map(map_: AffineMap) -> None:
    """Each result is a dimension that no other is, or 0."""
    seen: set[int] = set()
    for expr in map_.results:
        if isinstance(expr, AffineConstantExpr) and expr.value == 0:
            continue
        if not isinstance(expr, AffineDimExpr):
            raise VerifyException(_NO_PROJECTION)
        if expr.position in seen:
            raise VerifyException(
                "requires a permutation_map that is a permutation (found one dim used more than once)"
            )
        seen.add(expr.position)
