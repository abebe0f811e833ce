"""The formats of foreign operations: their attributes by kinds, and types that follow from others.

The rule for the type of an operand or a result stands behind its kind: `value:valued=result` has the type of another,
`=element(dest)` one that follows from it, and `=<ptr.ptr>` is the only class, of which a text has the parameters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import IndexType, MemRefType, TensorType, UnregisteredAttr, VectorType, i1
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import AttrSizedOperandSegments, IRDLOperation, OpDef, VariadicDef
from xdsl.irdl.declarative_assembly_format import (
    FormatDirective,
    FormatProgram,
    FunctionalTypeDirective,
    OptionalUnitAttrVariable,
    ParsingState,
    PrintingState,
    TypeableDirective,
    TypeDirective,
    VariableDirective,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.building import segment_sizes
from weft.dialects.engine.formats import Formats
from weft.dialects.engine.rows import Group
from weft.dialects.foreign.inherent import Inherent, default_of
from weft.dialects.foreign.operation import ForeignOp, counts_of, terminate
from weft.dialects.foreign.types import kept, parameters

_NAME = re.compile(r"\$(\w+)")
_RULE = re.compile(r"(?:(\w+)\()?(\w+)\)?")


class BareType(TypeDirective):
    """The type of a value that can have one class only, which may stand without its name."""

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse `<...>`, or the whole type."""
        if not parser.lexer.input.content.startswith("<", parser.pos):
            self.set(state, [parser.parse_type()])
            return
        cls, inner = state.op_type, cast("VariableDirective", self.inner)
        assert issubclass(cls, ForeignOp)
        groups = {group.name: group for group in (*cls.operand_groups, *cls.result_groups)}
        name = groups[inner.name].rule[1:-1]
        made: Any = kept(name, is_type=True)
        self.set(state, [made(name, True, False, parameters(parser))])

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print `<...>`."""
        (kind,) = self.get(op)
        if isinstance(kind, UnregisteredAttr):
            state.print_whitespace(printer)
            printer.print_string(f"<{kind.value.data}>")
        else:
            super().print(printer, state, op)


class FunctionType(FunctionalTypeDirective):
    """`(types) -> types`, of some groups of values or of all."""

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the types and deal them out."""
        cls, given = state.op_type, (self.operand_typeable_directive, self.result_typeable_directive)
        assert issubclass(cls, ForeignOp) and isinstance(state, Reading)
        inputs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        parser.parse_punctuation("->")
        outputs = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        listed = [parser.parse_type()] if outputs is None else list(outputs)
        places = _places(given[0], cls.operand_groups)
        state.deal(parser, inputs, state.operand_types, places, [len(state.operands[at] or ()) for at in places])
        places = _places(given[1], cls.result_groups)
        counts = counts_of([cls.result_groups[at] for at in places], len(listed))
        state.deal(parser, listed, state.result_types, places, counts)


def _places(given: TypeableDirective, groups: Sequence[Group]) -> Sequence[int]:
    return [given.index] if isinstance(given, VariableDirective) else range(len(groups))


class ForeignFormats(Formats):
    """Reads the text of a format of a foreign operation."""

    def __init__(self, text: str, definition: OpDef, cls: type[ForeignOp]) -> None:
        super().__init__(text, definition)
        self._groups = {group.name: group for group in (*cls.operand_groups, *cls.result_groups)}
        self._inherent = cls.inherent

    def parse_format(self) -> FormatProgram:
        """The elements of the whole format."""
        return ForeignProgram(super().parse_format().stmts)

    def parse_optional_variable(self, inside_ref: bool, *, qualified: bool = False) -> FormatDirective | None:
        """A variable; attributes are read and printed by their kinds."""
        found = _NAME.match(self.lexer.input.content, self.pos)
        given = None if found is None else self._inherent.get(found[1])
        if given is None:
            return super().parse_optional_variable(inside_ref, qualified=qualified)
        self._consume_token()
        self._consume_token()
        self.seen_properties.add(given.name)
        if given.kind == "unit":
            return OptionalUnitAttrVariable(given.name, True)
        return Inherent(given.name, True, given.optional, default_of(given), given)

    def parse_type_directive(self, inside_ref: bool) -> FormatDirective:
        """The type of a value, or of the first group of all operands or results."""
        with self.in_parens():
            inner = self.parse_typeable_directive(True)
        if isinstance(inner, VariableDirective) and self._groups[inner.name].rule.startswith("<"):
            return BareType(inner)
        return TypeDirective(inner)

    def parse_functional_type_directive(self, inside_ref: bool) -> FormatDirective:
        """The types of operands and results as a type of a function."""
        with self.in_parens():
            operands = self.parse_typeable_directive(True)
            self.parse_punctuation(",")
            return FunctionType(operands, self.parse_typeable_directive(True))

    def parse_qualified_directive(self, inside_ref: bool) -> FormatDirective:
        """`qualified(type($x))`: the whole type."""
        with self.in_parens():
            self.parse_keyword("type")
            with self.in_parens():
                return TypeDirective(self.parse_typeable_directive(True))


class Reading(ParsingState):
    """What was read of an operation."""

    def __init__(self, op_type: type[IRDLOperation], start: int) -> None:
        super().__init__(op_type)
        self.start = start

    def deal(
        self,
        parser: Parser,
        given: Sequence[Attribute],
        types: list[Sequence[Attribute] | None],
        places: Sequence[int],
        counts: Sequence[int],
    ) -> None:
        """Give types to groups in order.

        Raises:
            ParseError: there are more, or fewer.
        """
        rest = given
        for at, count in zip(places, counts, strict=True):
            if len(rest) < count:
                parser.raise_error(f"{len(given)} types present, but more operands or results", self.start)
            types[at], rest = rest[:count], rest[count:]
        if rest:
            parser.raise_error("more types than operands or results", self.start)


class ForeignProgram(FormatProgram):
    """A format, and the types that follow from others."""

    def parse(self, parser: Parser, op_type: type[Any]) -> Any:
        """Parse everything after the operation's name."""
        state = Reading(op_type, parser.pos)
        for element in self.stmts:
            element.parse(parser, state)
        types = _Types(parser, op_type, state)
        operands: list[SSAValue] = []
        for group, values in zip(op_type.operand_groups, state.operands, strict=True):
            given = values or ()
            operands += parser.resolve_operands(given, types.of(group.name, len(given)), parser.pos)
        results = [kind for group in op_type.result_groups for kind in types.of(group.name, int(group.count != "?"))]
        definition = op_type.get_irdl_definition()
        if definition.options and any(isinstance(option, AttrSizedOperandSegments) for option in definition.options):
            sizes = tuple(len(values or ()) for values in state.operands)
            state.properties[AttrSizedOperandSegments.attribute_name] = segment_sizes(sizes)
        regions = [
            region
            for (_, rule), found in zip(definition.regions, state.regions, strict=True)
            for region in (found if found is not None else () if isinstance(rule, VariadicDef) else (Region(),))
        ]
        op = op_type.create(
            operands=operands,
            result_types=results,
            properties=state.properties,
            attributes=state.attributes,
            regions=regions,
            successors=[block for found in state.successors for block in found or ()],
        )
        terminate(op, parser)
        return op


class _Types:
    """The types of groups: those that were read, and those that follow."""

    def __init__(self, parser: Parser, cls: type[ForeignOp], state: Reading) -> None:
        self._parser = parser
        self._state = state
        self._groups = {group.name: group for group in (*cls.operand_groups, *cls.result_groups)}
        self._read = dict(zip(self._groups, (*state.operand_types, *state.result_types), strict=True))
        self._values = dict(zip((group.name for group in cls.operand_groups), state.operands, strict=True))

    def of(self, name: str, count: int) -> Sequence[Attribute]:
        """The types of so many values of a group."""
        known = self._read[name]
        if known is not None:
            return known
        group = self._groups[name]
        if not group.rule:
            return [self._fixed(group.kind)] * count if is_fixed(group) else ()
        match = _RULE.fullmatch(group.rule)
        if match is None:  # `<ptr.ptr>`: the text has it.
            return ()
        how, source = match.groups()
        if how == "conditions":
            return [i1] * len(self._values[source] or ())
        if how == "attribute":
            return [cast("Any", self._state.properties[source]).type]
        found = self.of(source, 1)
        if not found:
            return ()
        if how == "elements":
            return [cast("Any", found[0]).element_type] * count
        if how is None and len(found) > 1:
            return found
        if how == "inner" and isinstance(found[0], UnregisteredAttr):
            return [self._inner(found[0])] * count
        return [derived(how, found[0])] * count

    def _inner(self, kind: UnregisteredAttr) -> Attribute:
        """The type that another one holds, which is kept as text."""
        parser: Any = self._parser
        inner = type(parser)(parser.ctx, kind.value.data, "")
        inner.attribute_aliases = parser.attribute_aliases
        return inner.parse_type()

    def _fixed(self, name: str) -> Attribute:
        """The type of a name."""
        if name in ("index", "i1"):
            return IndexType() if name == "index" else i1
        cls: Any = self._parser.ctx.get_optional_type(name[1:])
        return cls(name[1:], True, False, "") if issubclass(cls, UnregisteredAttr) else cls()


def is_fixed(group: Group) -> bool:
    """Whether values of a group have one type, by its name."""
    return group.kind in ("index", "i1") or group.kind.startswith("!")


def derived(how: str | None, kind: Attribute) -> Attribute:
    """A type that follows from another."""
    if how == "element" and isinstance(kind, TensorType | VectorType | MemRefType):
        return cast("Attribute", cast("Any", kind).element_type)
    if how == "mask" and isinstance(kind, TensorType | VectorType):
        shaped = cast("Any", kind)
        if isinstance(kind, VectorType):
            return VectorType(i1, shaped.get_shape(), shaped.scalable_dims)
        return TensorType(i1, shaped.get_shape())
    if how == "metadata":
        cls: Any = kept("ptr.ptr_metadata", is_type=True)
        return cls("ptr.ptr_metadata", True, False, str(kind))
    return kind


def read_format(cls: type[ForeignOp], text: str, definition: OpDef) -> FormatProgram:
    """The program of the format of a class."""
    return ForeignFormats(text, definition, cls).parse_format()
