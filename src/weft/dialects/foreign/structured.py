"""Structured operations of `linalg`: `linalg.NAME {...} ins(%a : T) outs(%b : U) -> U`, and `linalg.generic`."""

from __future__ import annotations

from functools import cache
from typing import Any, Self, cast

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, DictionaryAttr, StringAttr, UnregisteredAttr, i32, i64
from xdsl.ir import Attribute, Operation, OpTraits, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.definitions import segments
from weft.dialects.foreign.linalg import maps_of, named, own_maps
from weft.dialects.foreign.payload import body_of, parse_payload, payload_of, print_payload
from weft.dialects.foreign.types import kept
from weft.dialects.formats import parse_results, parse_typed, print_results, print_typed


class StructuredOp(Operation):
    """A named operation: its inputs, its outputs, and results of the types of outputs that are tensors."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse everything after the operation's name."""
        properties: dict[str, Attribute] = {}
        while (word := parser.parse_optional_keyword_in(("kind", "indexing_maps"))) is not None:
            parser.parse_punctuation("=")
            properties[word] = parser.parse_attribute()
        attributes = parser.parse_optional_attr_dict()
        inputs, outputs = _operands(parser)
        attributes |= parser.parse_optional_attr_dict()
        results = parse_results(parser)
        return cls.create(
            operands=[*inputs, *outputs],
            result_types=results,
            properties=properties | _segments(len(inputs), len(outputs)),
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        own = self.name != "linalg.contract" and maps_of(self) == own_maps(self)
        for name in ("kind",) if own else ("kind", "indexing_maps"):
            if name in self.properties:
                printer.print_string(f" {name}=" if name == "kind" else f" {name} = ")
                printer.print_attribute(self.properties[name])
        shown = {**self.attributes, **self.properties}
        for name in ("kind", "indexing_maps", "operandSegmentSizes"):
            shown.pop(name, None)
        printer.print_op_attributes(shown)
        _print_operands(self, printer)
        print_results(printer, self)


class GenericOp(Operation):
    """`linalg.generic {indexing_maps = ..., iterator_types = [...]} ins(...) outs(...) { ... } -> T`."""

    def argument_names(self, place: int) -> str:
        """What the arguments of the body are named for."""
        return "in" if place < segments(self)[0] else "out"

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse everything after the operation's name."""
        start = parser.pos
        given = parser.parse_attribute()
        if not isinstance(given, DictionaryAttr):
            parser.raise_error("custom op 'linalg.generic' invalid kind of attribute specified", start, start)
        properties = dict(given.data)
        attributes: dict[str, Attribute] = {}
        iterators = properties.get("iterator_types")
        if not isinstance(iterators, ArrayAttr):
            parser.raise_error("custom op 'linalg.generic' expected \"iterator_types\" array attribute", start, start)
        for kind in cast("ArrayAttr[Any]", iterators):
            if isinstance(kind, StringAttr) and kind.data not in {"parallel", "reduction", "window"}:
                parser.raise_error(f"custom op 'linalg.generic' unexpected iterator_type ({kind.data})")
        properties["iterator_types"] = ArrayAttr([_iterator(kind) for kind in cast("ArrayAttr[Any]", iterators)])
        inputs, outputs = _operands(parser)
        if parser.parse_optional_keyword("attrs"):
            parser.parse_punctuation("=")
            attributes = parser.parse_optional_attr_dict()
        region = parser.parse_region()
        return cls.create(
            operands=[*inputs, *outputs],
            result_types=parse_results(parser),
            properties=properties | _segments(len(inputs), len(outputs)),
            attributes=attributes,
            regions=[region],
        )

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        shown: dict[str, Attribute] = {}
        for name in ("doc", "indexing_maps", "iterator_types", "library_call"):
            if name in self.properties:
                shown[name] = self.properties[name]
        iterators = shown.get("iterator_types")
        if isinstance(iterators, ArrayAttr):
            shown["iterator_types"] = ArrayAttr([_word(kind) for kind in cast("ArrayAttr[Attribute]", iterators)])
        printer.print_string(" ")
        printer.print_attr_dict(shown)
        _print_operands(self, printer)
        if self.attributes:
            printer.print_string(" attrs = ")
            printer.print_attr_dict(self.attributes)
        printer.print_string(" ")
        printer.print_region(self.regions[0])
        print_results(printer, self)


class MovedOp(Operation):
    """`linalg.transpose ins(...) outs(...) permutation = [1, 0]`, and `linalg.broadcast` with `dimensions`."""

    numbers = "permutation"

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse everything after the operation's name."""
        inputs, outputs = _operands(parser)
        parser.parse_keyword(cls.numbers)
        parser.parse_punctuation("=")
        values = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        attributes = parser.parse_optional_attr_dict()
        results = [value.type for value in outputs if value.type.name == "tensor"]
        return cls.create(
            operands=[*inputs, *outputs],
            result_types=results,
            properties={cls.numbers: DenseArrayBase.from_list(i64, values)},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        _print_operands(self, printer, inputs=1)
        values = cast("Any", self.properties[self.numbers]).get_values()
        printer.print_string(f" {self.numbers} = [{', '.join(map(str, values))}]")
        printer.print_op_attributes(self.attributes)


class BroadcastOp(MovedOp):
    """`linalg.broadcast`."""

    numbers = "dimensions"


class MappedOp(Operation):
    """`linalg.map ins(...) outs(...) (%a: T, ...) { ... }`, and `linalg.reduce` with `dimensions`."""

    numbers = ""

    def argument_names(self, place: int) -> str:
        """What the arguments of the body are named for."""
        inputs = len(self.operands) // 2 if self.numbers else len(self.operands) - 1
        return "in" if place < inputs else "init"

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse everything after the operation's name."""
        start = parser.pos
        payload = parse_payload(parser)
        inputs, outputs = _operands(parser)
        properties: dict[str, Attribute] = {}
        if cls.numbers:
            parser.parse_keyword(cls.numbers)
            parser.parse_punctuation("=")
            values = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
            properties[cls.numbers] = DenseArrayBase.from_list(i64, values)
        attributes = parser.parse_optional_attr_dict()
        if payload is not None:
            if not outputs:
                parser.raise_error(f"'{cls.name}' op expected 1 or more operands behind 'outs'", start, start)
            region = body_of(payload, inputs, outputs, start_first=bool(cls.numbers))
        else:
            arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)
            region = parser.parse_region(arguments)
        return cls.create(
            operands=[*inputs, *outputs],
            result_types=[value.type for value in outputs if value.type.name == "tensor"],
            properties=properties,
            attributes=attributes,
            regions=[region],
        )

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        outputs = len(self.operands) // 2 if self.numbers else 1
        payload = payload_of(self.regions[0], outputs, start_first=bool(self.numbers))
        if payload is not None:
            print_payload(payload, printer)
        _print_operands(self, printer, inputs=len(self.operands) - outputs)
        if self.numbers:
            values = cast("Any", self.properties[self.numbers]).get_values()
            printer.print_string(f" {self.numbers} = [{', '.join(map(str, values))}]")
        printer.print_op_attributes(self.attributes)
        if payload is not None:
            return
        region = self.regions[0]
        printer.print_string("\n", indent=printer._indent + 1)  # pyright: ignore[reportPrivateUsage]
        with printer.in_parens():
            printer.print_list(region.blocks[0].args, printer.print_block_argument)
        printer.print_string(" ")
        printer._indent += 1  # pyright: ignore[reportPrivateUsage]
        printer.print_region(region, print_entry_block_args=False)
        printer._indent -= 1  # pyright: ignore[reportPrivateUsage]


class ReducedOp(MappedOp):
    """`linalg.reduce`."""

    numbers = "dimensions"


def _iterator(kind: Attribute) -> Attribute:
    if not isinstance(kind, StringAttr):
        return kind
    name = "linalg.iterator_type"
    return cast("Any", kept(name, is_type=False))(name, False, False, kind.data)


def _word(kind: Attribute) -> Attribute:
    return StringAttr(kind.value.data) if isinstance(kind, UnregisteredAttr) else kind


def _segments(inputs: int, outputs: int) -> dict[str, Attribute]:
    return {"operandSegmentSizes": DenseArrayBase.from_list(i32, [inputs, outputs])}


def _operands(parser: Parser) -> tuple[list[SSAValue], list[SSAValue]]:
    return tuple(_group(parser, word) for word in ("ins", "outs"))  # pyright: ignore[reportReturnType]


def _group(parser: Parser, word: str) -> list[SSAValue]:
    if parser.parse_optional_keyword(word) is None:
        return []
    parser.parse_punctuation("(")
    values = parse_typed(parser)
    parser.parse_punctuation(")")
    return values


def _print_operands(op: Operation, printer: Printer, inputs: int | None = None) -> None:
    first = segments(op)[0] if inputs is None else inputs
    for word, values in (("ins", op.operands[:first]), ("outs", op.operands[first:])):
        if values:
            printer.print_string(f" {word}(")
            print_typed(printer, values)
            printer.print_string(")")


_OTHERS: dict[str, type[Operation]] = {
    "generic": GenericOp,
    "transpose": MovedOp,
    "broadcast": BroadcastOp,
    "map": MappedOp,
    "reduce": ReducedOp,
}


@cache
def structured(name: str) -> type[Operation] | None:
    """The class of a structured operation by its full name; None if there is none."""
    dialect, _, rest = name.partition(".")
    if dialect != "linalg":
        return None
    base = StructuredOp if rest in named() or rest == "contract" else _OTHERS.get(rest)
    return None if base is None else type(name, (base,), {"name": name, "traits": OpTraits(tuple)})
