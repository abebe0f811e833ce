"""Parse operations of foreign dialects by the formats of their rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FloatAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    TensorType,
    UnitAttr,
    UnregisteredAttr,
    VectorType,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.parser import Parser, UnresolvedOperand

from weft.dialects.foreign.format import AnyOrder, Directive, Element, Group, Literal, Space, Variable
from weft.dialects.foreign.rows import Inherent, Row, Values
from weft.dialects.foreign.types import kept

INTEGERS = {"i64": i64, "i32": i32, "i16": i16, "i8": i8, "index": IndexType()}
DENSE = {"i64s": i64, "i32s": i32, "bools": i1}


class Reading:
    """What was read of an operation: values without types, types, attributes, regions and successors."""

    def __init__(self, parser: Parser, row: Row) -> None:
        self.parser = parser
        self.row = row
        self.start = parser.pos
        self.operands: dict[str, list[UnresolvedOperand]] = {}
        self.types: dict[str, Sequence[Attribute]] = {}
        self.properties: dict[str, Attribute] = {}
        self.attributes: dict[str, Attribute] = {}
        self.regions: dict[str, list[Region]] = {}
        self.successors: list[Block] = []
        self._groups = {group.name: group for group in (*row.operands, *row.results)}
        self._operand_names = {group.name for group in row.operands}

    # Elements

    def all(self, given: Sequence[Element]) -> None:
        """Read elements that must be there."""
        for element in given:
            self.one(element)

    def one(self, element: Element) -> None:
        """Read an element that must be there."""
        parser = self.parser
        if isinstance(element, Literal):
            if element.text[0].isalpha() or element.text[0] == "_":
                parser.parse_keyword(element.text)
            else:
                parser.parse_punctuation(cast("Any", element.text))
        elif isinstance(element, Space):
            pass
        elif isinstance(element, Variable):
            self._variable(element.name)
        elif isinstance(element, Group):
            self._group(element)
        elif isinstance(element, AnyOrder):
            while any(self._optional(clause) for clause in element.clauses):
                pass
        else:
            self._directive(element)

    def _group(self, group: Group) -> None:
        if self._optional(group.elements):
            anchor = group.anchor
            if isinstance(anchor, Variable) and self._kind(anchor.name) == "unit":
                self.properties[anchor.name] = UnitAttr()
        elif group.otherwise:
            self._optional(group.otherwise)

    def _optional(self, given: Sequence[Element]) -> bool:
        """Read elements if the first is there."""
        rest = [element for element in given if not isinstance(element, Space)]
        first, *others = rest
        if not self._begins(first):
            return False
        # A unit attribute alone behind its word says that the word is there.
        for element in others:
            if isinstance(element, Variable) and self._kind(element.name) == "unit":
                self.properties[element.name] = UnitAttr()
            else:
                self.one(element)
        return True

    def _begins(self, first: Element) -> bool:
        parser = self.parser
        if isinstance(first, Literal):
            text = first.text
            if text[0].isalpha() or text[0] == "_":
                return parser.parse_optional_keyword(text) is not None
            return parser.parse_optional_punctuation(cast("Any", text)) is not None
        if isinstance(first, Variable):
            name = first.name
            if name in self._operand_names:
                found = parser.parse_optional_unresolved_operand()
                if found is None:
                    return False
                self.operands[name] = [found]
                if self._groups[name].count == "*":
                    while parser.parse_optional_punctuation(","):
                        self.operands[name].append(parser.parse_unresolved_operand())
                return True
            if name in self.row.attributes:
                return self._optional_attribute(self.row.attributes[name])
            region = parser.parse_optional_region()
            if region is not None:
                self.regions[name] = [region]
            return region is not None
        self.one(first)
        return True

    # Variables

    def _kind(self, name: str) -> str:
        found = self.row.attributes.get(name)
        return found.kind if found is not None else ""

    def _variable(self, name: str) -> None:
        if name in self._operand_names:
            self._operand(self._groups[name])
        elif name in self.row.attributes:
            inherent = self.row.attributes[name]
            self.properties[name] = self._attribute(inherent)
        elif name in self.row.regions or f"{name}*" in self.row.regions:
            self.regions[name] = [self.parser.parse_region()]
        else:
            self.successors.append(self.parser.parse_successor())

    def _operand(self, group: Values) -> None:
        parser = self.parser
        if not group.count:
            self.operands[group.name] = [parser.parse_unresolved_operand()]
            return
        found: list[UnresolvedOperand] = []
        value = parser.parse_optional_unresolved_operand()
        while value is not None:
            found.append(value)
            more = group.count == "*" and parser.parse_optional_punctuation(",")
            value = parser.parse_unresolved_operand() if more else None
        self.operands[group.name] = found

    def _attribute(self, inherent: Inherent) -> Attribute:
        parser, kind = self.parser, inherent.kind
        if kind in INTEGERS:
            return IntegerAttr(parser.parse_integer(allow_boolean=False), cast("Any", INTEGERS[kind]))
        if kind == "bool":
            return IntegerAttr(int(parser.parse_boolean()), i1)
        if kind == "str":
            return StringAttr(parser.parse_str_literal())
        if kind == "sym":
            return parser.parse_symbol_name()
        if kind == "type":
            return parser.parse_type()
        if kind in DENSE:
            values = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
            return DenseArrayBase.from_list(cast("Any", DENSE[kind]), values)
        if kind == "words":
            return self._word(inherent)
        if kind == "f64":
            return FloatAttr(parser.parse_float(), f64)
        if kind == "angle":
            name = inherent.words[0]
            return cast("Any", kept(name, is_type=False))(name, False, False, self.parameters())
        return parser.parse_attribute()

    def _word(self, inherent: Inherent) -> Attribute:
        parser = self.parser
        start = parser.pos
        found = parser.parse_optional_str_literal() or parser.parse_optional_identifier()
        if found not in inherent.words:
            message = "expected string or keyword containing one of the following enum values for attribute"
            parser.raise_error(f"{message} '{inherent.name}' [{', '.join(inherent.words)}]", start, start)
        return StringAttr(found or "")

    def _optional_attribute(self, inherent: Inherent) -> bool:
        parser = self.parser
        text = parser.lexer.input.content
        if inherent.kind == "words":
            if not any(text.startswith((word, f'"{word}"'), parser.pos) for word in inherent.words):
                return False
            self.properties[inherent.name] = self._word(inherent)
            return True
        if inherent.kind == "str":
            found = parser.parse_optional_str_literal()
            given: Attribute | None = None if found is None else StringAttr(found)
        elif inherent.kind == "ref":
            given = parser.parse_attribute() if text.startswith("@", parser.pos) else None
        else:
            given = parser.parse_optional_attribute()
        if given is not None:
            self.properties[inherent.name] = given
        return given is not None

    # Directives

    def _directive(self, directive: Directive) -> None:
        parser, name = self.parser, directive.name
        if name == "attr-dict":
            self._dictionary(parser.parse_optional_attr_dict())
        elif name == "attr-dict-with-keyword":
            found = parser.parse_optional_attr_dict_with_keyword()
            self._dictionary(dict(found.data) if found is not None else {})
        elif name == "prop-dict":
            self._dictionary(parser.parse_optional_properties_dict())
        elif name in ("type", "qualified"):
            self._types(directive.arguments[0])
        elif name == "functional-type":
            self._function_type(*directive.arguments)
        elif name == "operands":
            found = self.operands
            values = parser.parse_optional_undelimited_comma_separated_list(
                parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
            )
            found[self.row.operands[0].name] = list(values or [])
        elif name == "regions":
            region = parser.parse_optional_region()
            listed: list[Region] = []
            while region is not None:
                listed.append(region)
                region = parser.parse_region() if parser.parse_optional_punctuation(",") else None
            self.regions[self.row.regions[0].rstrip("*")] = listed
        else:
            from weft.dialects.foreign.directives import READ

            READ[name.removeprefix("custom<").removesuffix(">")](self, directive.arguments)

    def _dictionary(self, given: dict[str, Attribute]) -> None:
        for name, value in given.items():
            (self.properties if name in self.row.attributes else self.attributes)[name] = value

    def _types(self, given: Element) -> None:
        if isinstance(given, Directive) and given.name == "type":
            given = given.arguments[0]
        parser = self.parser
        if isinstance(given, Directive):
            names = self.row.results if given.name == "results" else self.row.operands
            group = names[0]
        else:
            assert isinstance(given, Variable)
            group = self._groups[given.name]
        if group.count == "*":
            listed = parser.parse_optional_undelimited_comma_separated_list(
                parser.parse_optional_type, parser.parse_type
            )
            self.types[group.name] = list(listed or [])
        elif group.count == "?":
            found = parser.parse_optional_type()
            self.types[group.name] = [] if found is None else [found]
        else:
            self.types[group.name] = [self.type_of(group)]

    def type_of(self, group: Values) -> Attribute:
        """Parse the type of a value, which may stand without its name where only one class is possible."""
        parser = self.parser
        if group.type.startswith(":<") and parser.lexer.input.content.startswith("<", parser.pos):
            cls: Any = parser.ctx.get_optional_type(group.type[2:-1])
            return cls(group.type[2:-1], True, False, self.parameters())
        return parser.parse_type()

    def parameters(self) -> str:
        """Parse `<...>` to what is between the brackets."""
        parser = self.parser
        depth, start, end = 0, parser.pos, parser.pos
        text = parser.lexer.input.content
        if not text.startswith("<", start):
            parser.raise_error("expected '<'")
        for match in re.compile(r"->|[<>]").finditer(text, start):
            depth += {"<": 1, ">": -1}.get(match[0], 0)
            if not depth:
                end = match.end()
                break
        parser._resume_from(end)  # pyright: ignore[reportPrivateUsage]
        return text[start + 1 : end - 1]

    def _function_type(self, operands: Element, results: Element) -> None:
        parser = self.parser
        inputs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        parser.parse_punctuation("->")
        outputs = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        self._spread(self._named(operands, self.row.operands), inputs, operand=True)
        listed = [parser.parse_type()] if outputs is None else list(outputs)
        self._spread(self._named(results, self.row.results), listed, operand=False)

    def _named(self, given: Element, every: Sequence[Values]) -> Sequence[Values]:
        return [self._groups[given.name]] if isinstance(given, Variable) else every

    def _spread(self, groups: Sequence[Values], types: Sequence[Attribute], *, operand: bool) -> None:
        """Give types to groups in order."""
        rest = list(types)
        loose = sum(group.count != "" for group in groups)
        more = len(types) - (len(groups) - loose)
        for group in groups:
            if operand:
                size = len(self.operands.get(group.name, []))
            else:
                size = max(0, more - loose + 1 if loose > 1 else more) if group.count else 1
                more -= size if group.count else 0
            if len(rest) < size:
                self.parser.raise_error(f"{len(types)} types present, but more operands or results", self.start)
            self.types[group.name], rest = rest[:size], rest[size:]
        if rest:
            self.parser.raise_error("more types than operands or results", self.start)

    # The operation

    def build(self, cls: type[Operation]) -> Operation:
        """The operation that was read."""
        parser, row = self.parser, self.row
        operands: list[SSAValue] = []
        sizes: list[int] = []
        for group in row.operands:
            values = self.operands.get(group.name, [])
            operands += parser.resolve_operands(values, self._resolved(group, len(values)), parser.pos)
            sizes.append(len(values))
        results: list[Attribute] = []
        for group in row.results:
            count = 0 if group.count == "?" else 1
            results += self._resolved(group, count)
        if "segments" in row.traits:
            self.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)
        regions = [self.regions.get(name.rstrip("*"), [] if "*" in name else [Region()]) for name in row.regions]
        return cls.create(
            operands=operands,
            result_types=results,
            properties=self.properties,
            attributes=self.attributes,
            regions=[region for group in regions for region in group],
            successors=self.successors,
        )

    def _resolved(self, group: Values, count: int) -> Sequence[Attribute]:
        """The types of a group, of which as many were read or follow from a rule."""
        known = self.types.get(group.name)
        if known is not None:
            return known
        rule = group.type
        if rule.startswith(":<") or not rule:
            return []
        if rule.startswith(":"):
            return [self.fixed(rule[1:])] * count
        match = re.fullmatch(r"=(?:(\w+)\()?(\w+)\)?", rule)
        assert match is not None
        if match[1] == "conditions":
            return [i1] * len(self.operands.get(match[2], []))
        if match[1] == "attribute":
            return [cast("Any", self.properties[match[2]]).type]
        source = self._resolved(self._groups[match[2]], 1)
        if not source:
            return []
        if match[1] == "elements":
            kind = cast("Any", source[0])
            return [kind.element_type] * count
        found = source[0]
        if match[1] == "inner" and isinstance(found, UnregisteredAttr):
            found = self._inner(found)
        else:
            found = derived(match[1], found)
        if match[1] is None and len(source) > 1:
            return source
        return [found] * count

    def _inner(self, kind: UnregisteredAttr) -> Attribute:
        """The type that another one holds, which is kept as text."""
        parser: Any = self.parser
        inner = type(parser)(parser.ctx, kind.value.data, "")
        inner.attribute_aliases = parser.attribute_aliases
        return inner.parse_type()

    def fixed(self, name: str) -> Attribute:
        """The type of a name."""
        if name in ("index", "i1"):
            return IndexType() if name == "index" else i1
        cls: Any = self.parser.ctx.get_optional_type(name[1:])
        return cls(name[1:], True, False, "") if issubclass(cls, UnregisteredAttr) else cls()


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
