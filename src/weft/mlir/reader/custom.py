"""The custom directives of formats: those of `weft.dialects.formats` and of xDSL that kernels use."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerAttr, IntegerType, i32, i64

from weft.dialects.arith.predicates import ROUNDING_MODES, WORDS
from weft.dialects.kinds import bits
from weft.mlir.reader.attributes import Remembered
from weft.mlir.reader.steps import Draft, Step, values
from weft.mlir.reader.tokens import Unread

if TYPE_CHECKING:
    from xdsl.ir import Attribute, SSAValue
    from xdsl.irdl import OpDef

    from weft.mlir.reader.reader import Reader

Made = tuple[Step, tuple[Step, ...]]
"""How a directive is read, and how its absence is noted."""


def _bare_type(definition: OpDef, at: int) -> Made:
    """The parameters of the only type that can be there, or a whole type."""
    from weft.dialects.formats import only_class

    count = len(definition.operands)
    rule = definition.operands[at][1] if at < count else definition.results[at - count][1]
    cls = only_class(rule.constr)
    assert cls is not None
    remembered = Remembered(lambda parser: cls.new(cls.parse_parameters(parser)))

    def step(reader: Reader, index: int, draft: Draft) -> int:
        found: Any
        if reader.tokens[index] == "<":
            found, index = remembered.read(reader, index)
        elif reader.tokens[index][0] == "!":
            found, index = reader.type(index)
        else:
            raise Unread
        draft.types[at] = (found,)
        return index

    return step, ()


def _operand_types(definition: OpDef, required: int, optional: int) -> Made:
    """As many types as there are operands."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        found, index = reader.types(index)
        first = 0
        for at, group in enumerate(draft.operands):
            count = len(group or ())
            draft.types[at] = found[first : first + count]
            first += count
        if first != len(found):
            raise Unread
        return index

    return step, ()


def _optional_enum(definition: OpDef, attribute: tuple[str, Any, bool]) -> Made:
    """A keyword of an enum, or nothing."""
    name, parse, is_property = attribute
    remembered = Remembered(parse)

    def step(reader: Reader, index: int, draft: Draft) -> int:
        if not (reader.tokens[index][0].isalpha() or reader.tokens[index][0] == "_"):
            return index
        found, index = remembered.read(reader, index)
        assert found is not None
        (draft.properties if is_property else draft.attributes)[name] = found
        return index

    return step, ()


def compared(accepts: Callable[[Attribute], bool], lhs: int, rhs: int, result: int) -> Made:
    """The type of what is compared, and of the bits that this gives, of a draft whose types are single ones."""
    known: dict[int, tuple[Attribute, Attribute]] = {}
    """The bits of a type, by its identity; it is kept, so that no other type gets its place."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        types: list[Any] = draft.types
        kind, index = reader.type(index)
        found = known.get(id(kind))
        if found is None:
            if not accepts(kind):
                raise Unread
            found = known[id(kind)] = kind, bits(kind)
        types[lhs] = types[rhs] = kind
        types[result] = found[1]
        return index

    return step, ()


def _async_dependencies(definition: OpDef, token: int, dependencies: int) -> Made:
    """`async`, and the tokens to wait for in brackets."""
    from weft.dialects.gpu.asynchronous import TOKEN

    def step(reader: Reader, index: int, draft: Draft) -> int:
        given = reader.tokens[index] == "async"
        draft.types[token] = (TOKEN,) if given else ()
        index += given
        draft.operands[dependencies] = ()
        if reader.tokens[index] != "[":
            return index
        draft.operands[dependencies], index = values(reader, index + 1)
        return reader.expect(index, "]")

    return step, ()


@lru_cache(1024)
def array(kind: IntegerType, numbers: tuple[int, ...]) -> DenseArrayBase[IntegerType]:
    """An array of numbers.

    Raises:
        Unread: one of them is too large.
    """
    limit = 1 << kind.width.data - 1
    if not all(-limit <= number < limit for number in numbers):
        raise Unread
    return DenseArrayBase.from_list(kind, numbers)


def number(token: str) -> int:
    """The number that a token is.

    Raises:
        Unread: it is none, or has more digits than Python reads.
    """
    if not token.isdecimal() or len(token) > 40:
        raise Unread
    return int(token)


def index_list(reader: Reader, index: int, dynamic: int) -> tuple[list[SSAValue], list[int], int]:
    """`[%a, 2]`: the values, the numbers with `dynamic` where a value is, and the token after it.

    Raises:
        Unread: something else stands there.
    """
    tokens = reader.tokens
    found: list[SSAValue] = []
    numbers: list[int] = []
    index = reader.expect(index, "[")
    if tokens[index] == "]":
        return found, numbers, index + 1
    while True:
        token = tokens[index]
        if token[0] == "%":
            found.append(reader.operand(token))
            numbers.append(dynamic)
        elif token == "-":
            index += 1
            numbers.append(-number(tokens[index]))
        else:
            numbers.append(number(token))
        index += 1
        if tokens[index] == "]":
            return found, numbers, index + 1
        index = reader.expect(index, ",")


def _dynamic_index_list(definition: OpDef, dynamic: int, static: tuple[str, Any, bool]) -> Made:
    """Numbers and values in brackets."""
    name, _, is_property = static

    def put(draft: Draft, found: list[SSAValue], numbers: tuple[int, ...]) -> None:
        draft.operands[dynamic] = found
        (draft.properties if is_property else draft.attributes)[name] = array(i64, numbers)

    def step(reader: Reader, index: int, draft: Draft) -> int:
        found, numbers, index = index_list(reader, index, DYNAMIC_INDEX)
        put(draft, found, tuple(numbers))
        return index

    def absent(reader: Reader, index: int, draft: Draft) -> int:
        put(draft, [], ())
        return index

    return step, (absent,)


def numbered_word(definition: OpDef, attribute: tuple[str, Any, bool]) -> Made:
    """A predicate or kind, or a rounding mode if there is one; it needs no operand and no type."""
    name, _, _ = attribute
    optional = name == "roundingmode"
    words = ROUNDING_MODES if optional else WORDS[definition.name]
    numbers = {word: IntegerAttr(number, i32 if optional else i64) for number, word in enumerate(words)}

    def step(reader: Reader, index: int, draft: Draft) -> int:
        found = numbers.get(reader.tokens[index])
        if found is None:
            if optional:
                return index
            raise Unread
        draft.properties[name] = found
        return index + 1

    return step, ()


CUSTOM: dict[str, Callable[..., Made]] = {
    "AsyncDependencies": _async_dependencies,
    "BareType": _bare_type,
    "DynamicIndexList": _dynamic_index_list,
    "PropertyWord": numbered_word,
    "OperandTypes": _operand_types,
    "OptionalEnum": _optional_enum,
}
"""What makes the step of a directive, from its arguments: places of operands and types, attributes."""
