"""`affine.load`, `store`, `vector_load`, `vector_store` and `prefetch`: memory at indices that an affine map gives."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import cast

from xdsl.dialects import affine
from xdsl.dialects.builtin import I32, AffineMapAttr, BoolAttr, IndexType, IntegerAttr, MemRefType, VectorType, i1, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap, AffineSymExpr
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.affine.syntax import OperandExpressions, expression
from weft.dialects.formats import operation_place
from weft.dialects.redefinition import redefinition


def parse_indices(parser: Parser) -> tuple[AffineMapAttr, list[SSAValue]]:
    """`[%i + 1, 7]`: the map, and its operands.

    Raises:
        ParseError: an expression is not affine.
    """
    found = OperandExpressions(parser)
    results = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, found.expression)
    return AffineMapAttr(found.map(results)), [*found.dims, *found.symbols]


def print_expressions(
    printer: Printer, results: Sequence[AffineExpr], map_: AffineMap, operands: Sequence[SSAValue]
) -> None:
    """Print results of a map, its operands in place of dimensions and symbols."""

    def named(expr: AffineDimExpr | AffineSymExpr) -> str:
        if isinstance(expr, AffineDimExpr):
            return _text(printer, operands[expr.position])
        return f"symbol({_text(printer, operands[map_.num_dims + expr.position])})"

    printer.print_list(results, lambda result: printer.print_string(expression(result, named)))


def _text(printer: Printer, value: SSAValue) -> str:
    stream, printer.stream = printer.stream, StringIO()
    printer.print_ssa_value(value)
    text: str = printer.stream.getvalue()
    printer.stream = stream
    return text


def print_access(printer: Printer, memref: SSAValue, map_: AffineMapAttr, indices: Sequence[SSAValue]) -> None:
    """Print a memref and its indices."""
    printer.print_ssa_value(memref)
    with printer.in_square_brackets():
        print_expressions(printer, map_.data.results, map_.data, indices)


def _verify_access(memref: SSAValue, map_: AffineMapAttr, indices: Sequence[SSAValue]) -> None:
    kind = narrow.memref(memref.type)
    assert kind is not None
    if len(map_.data.results) != kind.get_num_dims():
        raise VerifyException("affine map num results must equal memref rank")
    if map_.data.num_dims + map_.data.num_symbols != len(indices):
        raise VerifyException("expects as many subscripts as affine map inputs")


def _verify_elements(memref: SSAValue, vector: SSAValue) -> None:
    buffer, lanes = narrow.memref(memref.type), narrow.vector(vector.type)
    assert buffer is not None
    assert lanes is not None
    if buffer.element_type != lanes.element_type:
        raise VerifyException("requires memref and vector types of the same elemental type")


def _memref(parser: Parser) -> narrow.MemRef:
    place = parser.pos
    kind = narrow.memref(parser.parse_type())
    if kind is None:
        parser.raise_error("expected a memref type", place, place)
    return kind


@redefinition()
class LoadOp(affine.LoadOp):
    """`affine.load %m[%i + 1] : memref`."""

    name = "affine.load"

    def verify_(self) -> None:
        """An index for each dimension."""
        _verify_access(self.memref, self.map, self.indices)

    @classmethod
    def parse(cls, parser: Parser) -> LoadOp:
        """Parse everything after the operation's name."""
        memref = parser.parse_unresolved_operand()
        map_, indices = parse_indices(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kind = _memref(parser)
        operands = [parser.resolve_operand(memref, kind), *indices]
        results = [kind.element_type]
        return cls.create(operands=operands, result_types=results, properties={"map": map_}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        print_access(printer, self.memref, self.map, self.indices)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)


@redefinition()
class StoreOp(affine.StoreOp):
    """`affine.store %x, %m[%i + 1] : memref`."""

    name = "affine.store"

    def verify_(self) -> None:
        """An index for each dimension."""
        _verify_access(self.memref, self.map, self.indices)

    @classmethod
    def parse(cls, parser: Parser) -> StoreOp:
        """Parse everything after the operation's name."""
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        memref = parser.parse_unresolved_operand()
        map_, indices = parse_indices(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kind = _memref(parser)
        operands = [parser.resolve_operand(value, kind.element_type), parser.resolve_operand(memref, kind), *indices]
        return cls.create(operands=operands, properties={"map": map_}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        print_access(printer, self.memref, self.map, self.indices)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)


def _types(parser: Parser) -> tuple[narrow.MemRef, Attribute]:
    """`: memref, vector`."""
    parser.parse_punctuation(":")
    kind = _memref(parser)
    parser.parse_punctuation(",")
    place = parser.pos
    lanes = parser.parse_type()
    if not isinstance(lanes, VectorType):
        parser.raise_error("expected vector type", place, place)
    return kind, cast("Attribute", lanes)


def _print_rows(printer: Printer, op: VectorLoadOp | VectorStoreOp, lanes: Attribute) -> None:
    """`%m[%i + 1] {...} : memref, vector`."""
    print_access(printer, op.memref, op.map, op.indices)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_list((op.memref.type, lanes), printer.print_attribute)


@redefinition()
class VectorLoadOp(affine.VectorLoadOp):
    """`affine.vector_load %m[%i + 1] : memref, vector`."""

    name = "affine.vector_load"

    def verify_(self) -> None:
        """An index for each dimension, the memref's elements."""
        _verify_access(self.memref, self.map, self.indices)
        _verify_elements(self.memref, self.result)

    @classmethod
    def parse(cls, parser: Parser) -> VectorLoadOp:
        """Parse everything after the operation's name."""
        memref = parser.parse_unresolved_operand()
        map_, indices = parse_indices(parser)
        attributes = parser.parse_optional_attr_dict()
        kind, lanes = _types(parser)
        operands = [parser.resolve_operand(memref, kind), *indices]
        return cls.create(operands=operands, result_types=[lanes], properties={"map": map_}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        _print_rows(printer, self, self.result.type)


@redefinition()
class VectorStoreOp(affine.VectorStoreOp):
    """`affine.vector_store %v, %m[%i + 1] : memref, vector`."""

    name = "affine.vector_store"

    def verify_(self) -> None:
        """An index for each dimension, the memref's elements."""
        _verify_access(self.memref, self.map, self.indices)
        _verify_elements(self.memref, self.value)

    @classmethod
    def parse(cls, parser: Parser) -> VectorStoreOp:
        """Parse everything after the operation's name."""
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        memref = parser.parse_unresolved_operand()
        map_, indices = parse_indices(parser)
        attributes = parser.parse_optional_attr_dict()
        kind, lanes = _types(parser)
        operands = [parser.resolve_operand(value, lanes), parser.resolve_operand(memref, kind), *indices]
        return cls.create(operands=operands, properties={"map": map_}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        _print_rows(printer, self, self.value.type)


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """`affine.prefetch %m[%i], read, locality<3>, data : memref`."""

    name = "affine.prefetch"

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    is_write = prop_def(BoolAttr.constr(i1), prop_name="isWrite")
    locality_hint = prop_def(IntegerAttr[I32], prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr.constr(i1), prop_name="isDataCache")
    map = prop_def(AffineMapAttr)

    def verify_(self) -> None:
        """An index for each dimension."""
        if not 0 <= self.locality_hint.value.data <= 3:
            raise VerifyException(
                "attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose "
                "minimum value is 0 whose maximum value is 3"
            )
        kind = narrow.memref(self.memref.type)
        assert kind is not None
        if len(self.map.data.results) != kind.get_num_dims():
            raise VerifyException("affine.prefetch affine map num results must equal memref rank")
        if self.map.data.num_dims + self.map.data.num_symbols != len(self.indices):
            raise VerifyException("too few operands")

    @classmethod
    def parse(cls, parser: Parser) -> PrefetchOp:
        """Parse everything after the operation's name."""
        memref = parser.parse_unresolved_operand()
        map_, indices = parse_indices(parser)
        parser.parse_punctuation(",")
        access = parser.parse_identifier()
        start = operation_place(parser)
        if access not in ("read", "write"):
            parser.raise_error(f"custom op '{cls.name}' rw specifier has to be 'read' or 'write'", start, start)
        parser.parse_punctuation(",")
        parser.parse_keyword("locality")
        with parser.in_angle_brackets():
            hint = parser.parse_integer(allow_boolean=False)
        parser.parse_punctuation(",")
        cache = parser.parse_identifier()
        if cache not in ("data", "instr"):
            parser.raise_error(f"custom op '{cls.name}' cache type has to be 'data' or 'instr'", start, start)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        operands = [parser.resolve_operand(memref, _memref(parser)), *indices]
        properties: dict[str, Attribute] = {
            "isWrite": IntegerAttr(int(access == "write"), i1),
            "localityHint": IntegerAttr(hint, i32),
            "isDataCache": IntegerAttr(int(cache == "data"), i1),
            "map": map_,
        }
        return cls.create(operands=operands, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        print_access(printer, self.memref, self.map, self.indices)
        access = "write" if self.is_write.value.data else "read"
        cache = "data" if self.is_data_cache.value.data else "instr"
        printer.print_string(f", {access}, locality<{self.locality_hint.value.data}>, {cache}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)
