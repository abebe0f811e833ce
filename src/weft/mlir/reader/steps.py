"""What a format asks for, one function each: a step reads its part of an operation's text into a draft.

A step takes the reader, a token's number and the draft, and gives the number of the token behind what it read.  What it
does not expect raises `Unread`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute, Operation, Region, SSAValue

from weft.mlir.reader.attributes import Remembered
from weft.mlir.reader.attributes import attribute as read_attribute
from weft.mlir.reader.tokens import Unread

if TYPE_CHECKING:
    from weft.mlir.reader.reader import Reader


class Draft:
    """The parts of an operation that is being read: those of each definition, None where nothing was read yet."""

    __slots__ = ("attributes", "operands", "properties", "regions", "successors", "types")

    def __init__(self, operands: int, types: int, regions: int, successors: int) -> None:
        self.operands: list[Sequence[SSAValue] | None] = [None] * operands
        self.types: list[Sequence[Attribute] | None] = [None] * types
        """Of each operand definition, then of each result definition."""
        self.properties: dict[str, Attribute] = {}
        self.attributes: dict[str, Attribute] = {}
        self.regions: list[Sequence[Region] | None] = [None] * regions
        self.successors: list[Sequence[int] | None] = [None] * successors
        """The tokens that name the blocks."""


Step: TypeAlias = "Callable[[Reader, int, Draft], int]"

_UNIT = UnitAttr()


def literal(text: str) -> Step:
    """A keyword or a punctuation that must be there."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        if reader.tokens[index] != text:
            raise Unread
        return index + 1

    return step


def optional_literal(text: str) -> Step:
    """A keyword or a punctuation that begins an optional group."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        return index + 1 if reader.tokens[index] == text else index

    return step


def operand(at: int) -> Step:
    """A value."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        draft.operands[at] = (reader.operand(reader.tokens[index]),)
        return index + 1

    return step


def run(pattern: Sequence[tuple[str, int]]) -> Step:
    """Literals and single values, one behind the other: a literal and -1, or nothing and the place of the operand.

    The draft is one of `flat` operands: each is a value, not a list of one.
    """

    def step(reader: Reader, index: int, draft: Draft) -> int:
        tokens = reader.tokens
        known = reader.values
        operands: list[Any] = draft.operands
        for text, at in pattern:
            token = tokens[index]
            if at < 0:
                if token != text:
                    raise Unread
            elif token[0] == "%":
                found = known.get(token[1:])
                operands[at] = reader.operand(token) if found is None else found[0]
            else:
                raise Unread
            index += 1
        return index

    return step


def flat_type(at: int) -> Step:
    """A type, of a draft whose types are single ones, not lists of one."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        types: list[Any] = draft.types
        known = reader.parser.types.get(reader.tokens[index])
        if known is None:
            types[at], index = reader.type(index)
            return index
        types[at] = known
        return index + 1

    return step


def optional_operand(at: int) -> Step:
    """A value, or nothing."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        token = reader.tokens[index]
        if token[0] != "%":
            draft.operands[at] = ()
            return index
        draft.operands[at] = (reader.operand(token),)
        return index + 1

    return step


def values(reader: Reader, index: int) -> tuple[Sequence[SSAValue], int]:
    """Values with commas between them, or none, and the token after them."""
    tokens = reader.tokens
    if tokens[index][0] != "%":
        return (), index
    found = [reader.operand(tokens[index])]
    index += 1
    while tokens[index] == ",":
        found.append(reader.operand(tokens[index + 1]))
        index += 2
    return found, index


def operands(at: int) -> Step:
    """Values with commas between them, or none."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        draft.operands[at], index = values(reader, index)
        return index

    return step


def type_(at: int) -> Step:
    """A type."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        known = reader.parser.types.get(reader.tokens[index])
        if known is None:
            known, index = reader.type(index)
            draft.types[at] = (known,)
            return index
        draft.types[at] = (known,)
        return index + 1

    return step


def optional_type(at: int) -> Step:
    """A type, or nothing."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        found, index = reader.optional_type(index)
        draft.types[at] = () if found is None else (found,)
        return index

    return step


def types(at: int) -> Step:
    """Types with commas between them, or none."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        draft.types[at], index = reader.types(index)
        return index

    return step


def attribute(name: str, remembered: Remembered, *, is_property: bool) -> Step:
    """An attribute."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        found, index = remembered.read(reader, index)
        if found is not None:
            (draft.properties if is_property else draft.attributes)[name] = found
        return index

    return step


def any_attribute(name: str, *, is_property: bool) -> Step:
    """An attribute that may be any."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        (draft.properties if is_property else draft.attributes)[name], index = read_attribute(reader, index)
        return index

    return step


def unit(name: str, *, is_property: bool) -> Step:
    """A unit attribute: there by what is around it."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        (draft.properties if is_property else draft.attributes)[name] = _UNIT
        return index

    return step


def dictionary(reserved: frozenset[str], expected: frozenset[str]) -> Step:
    """The attribute dictionary; `reserved` names are elsewhere, `expected` ones are properties."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        if reader.tokens[index] != "{":
            return index
        found, index = reader.dictionary(index)
        if not reserved.isdisjoint(found):
            raise Unread
        if not expected.isdisjoint(found):
            for name in [name for name in found if name in expected]:
                draft.properties[name] = found.pop(name)
        draft.attributes |= found
        return index

    return step


def dictionary_before(dictionary: Step, text: str) -> Step:
    """The attribute dictionary, which most operations do without, and the literal behind it."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        tokens = reader.tokens
        if tokens[index] != text:
            index = dictionary(reader, index, draft)
            if tokens[index] != text:
                raise Unread
        return index + 1

    return step


def region(cls: type[Operation], at: int, *, optional: bool) -> Step:
    """A region; an optional one that is not there is empty."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        if optional and reader.tokens[index] != "{":
            draft.regions[at] = (Region(),)
            return index
        found, index = reader.region(cls, index)
        draft.regions[at] = (found,)
        return index

    return step


def successor(at: int) -> Step:
    """A block."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        token = reader.tokens[index]
        if token[0] != "^" or len(token) == 1:
            raise Unread
        draft.successors[at] = (index,)
        return index + 1

    return step


def functional_type(inputs: Step, outputs: Step, output: Step) -> Step:
    """`(types) -> (types)`, or `(types) -> type`."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        tokens = reader.tokens
        index = inputs(reader, reader.expect(index, "("), draft)
        if tokens[index] != ")" or tokens[index + 1] != "->":
            raise Unread
        if tokens[index + 2] != "(":
            return output(reader, index + 2, draft)
        return reader.expect(outputs(reader, index + 3, draft), ")")

    return step


def group(first: Step, then: Sequence[Step], empty: Sequence[Step]) -> Step:
    """An optional group: the rest of it is read when its first part is there, else `empty` stands for it."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        start, index = index, first(reader, index, draft)
        for part in then if index != start else empty:
            index = part(reader, index, draft)
        return index

    return step


def no_operands(at: int) -> Step:
    """The operands of a group that is not there."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        draft.operands[at] = ()
        return index

    return step


def no_types(at: int) -> Step:
    """The types of a group that is not there."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        draft.types[at] = ()
        return index

    return step


def no_region(at: int) -> Step:
    """The region of a group that is not there: it is empty."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        draft.regions[at] = (Region(),)
        return index

    return step
