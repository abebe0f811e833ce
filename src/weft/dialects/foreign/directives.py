"""The custom directives in the formats of foreign dialects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, SymbolRefAttr, UnitAttr, i1, i64
from xdsl.ir import Attribute
from xdsl.parser import UnresolvedOperand

from weft.dialects.foreign.format import DYNAMIC, Directive, Element, Variable

if TYPE_CHECKING:
    from weft.dialects.foreign.reading import Reading
    from weft.dialects.foreign.writing import Writing


def _name(given: Element) -> str:
    if isinstance(given, Directive):
        return _name(given.arguments[0])
    assert isinstance(given, Variable)
    return given.name


# [%x, 3, [4]]


def _read_indices(state: Reading, arguments: Sequence[Element]) -> None:
    parser = state.parser
    values: list[UnresolvedOperand] = []
    numbers: list[int] = []
    scalable: list[int] = []

    def one() -> None:
        value = parser.parse_optional_unresolved_operand()
        marked = value is None and parser.parse_optional_punctuation("[") is not None
        if value is not None:
            values.append(value)
            numbers.append(DYNAMIC)
        else:
            number = parser.parse_optional_integer(allow_boolean=False)
            if number is None:
                parser.raise_error("expected SSA value or integer")
            numbers.append(number)
        if marked:
            parser.parse_punctuation("]")
        scalable.append(int(marked))

    parser.parse_comma_separated_list(parser.Delimiter.SQUARE, one)
    state.operands[_name(arguments[0])] = values
    state.properties[_name(arguments[1])] = DenseArrayBase.from_list(i64, numbers)
    if len(arguments) > 2:
        state.properties[_name(arguments[2])] = DenseArrayBase.from_list(i1, scalable)


def _write_indices(state: Writing, arguments: Sequence[Element]) -> None:
    values = iter(state.values[_name(arguments[0])])
    numbers = _numbers(state.attribute(_name(arguments[1])))
    scalable = _numbers(state.attribute(_name(arguments[2]))) if len(arguments) > 2 else ()
    printer = state.printer
    printer.print_string("[")
    for place, number in enumerate(numbers):
        printer.print_string(", " if place else "")
        marked = place < len(scalable) and scalable[place]
        printer.print_string("[" if marked else "")
        if number == DYNAMIC:
            printer.print_ssa_value(next(values))
        else:
            printer.print_string(str(number))
        printer.print_string("]" if marked else "")
    printer.print_string("]")


def _numbers(given: Attribute | None) -> Sequence[int]:
    return cast("Sequence[int]", cast("Any", given).get_values()) if isinstance(given, DenseArrayBase) else ()


def _read_packed(state: Reading, arguments: Sequence[Element]) -> None:
    if state.parser.parse_optional_punctuation("*"):
        state.parser.parse_punctuation("(")
        state.operands[_name(arguments[0])] = [state.parser.parse_unresolved_operand()]
        state.parser.parse_punctuation(")")
    else:
        _read_indices(state, arguments[1:])


def _write_packed(state: Writing, arguments: Sequence[Element]) -> None:
    packed = state.values[_name(arguments[0])]
    if not packed:
        _write_indices(state, arguments[1:])
        return
    state.text("*(")
    state.printer.print_ssa_value(packed[0])
    state.text(")")


# T, or (T) -> U


def _read_semi(state: Reading, arguments: Sequence[Element]) -> None:
    parser = state.parser
    first, *results = (_name(argument) for argument in arguments if not _is_word(argument))
    if parser.parse_optional_punctuation("(") is None:
        state.types[first] = [parser.parse_type()]
        for name in results:
            state.types[name] = []
        return
    state.types[first] = [parser.parse_type()]
    parser.parse_punctuation(")")
    parser.parse_punctuation("->")
    listed = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    types = [parser.parse_type()] if listed is None else list(listed)
    if len(results) == 1:
        state.types[results[0]] = types
        return
    # Some have one type for all.
    for name, kind in zip(results, types * len(results) if len(types) == 1 else types, strict=False):
        state.types[name] = [kind]


def _is_word(given: Element) -> bool:
    return not isinstance(given, Variable | Directive)


def _write_semi(state: Writing, arguments: Sequence[Element]) -> None:
    first, *results = (_name(argument) for argument in arguments if not _is_word(argument))
    kinds = [value.type for name in results for value in state.values[name]]
    if not kinds:
        state.printer.print_attribute(state.values[first][0].type)
        return
    state.function_type([state.values[first][0].type], kinds)


def _write_semi_once(state: Writing, arguments: Sequence[Element]) -> None:
    first, *results = (_name(argument) for argument in arguments)
    state.function_type([state.values[first][0].type], [state.values[results[0]][0].type])


# all, except(0, 1), or numbers


def _read_dims(state: Reading, arguments: Sequence[Element]) -> None:
    parser = state.parser
    numbers, inverted, every = (_name(argument) for argument in arguments)
    state.properties[numbers] = DenseArrayBase.from_list(i64, [])
    if parser.parse_optional_keyword("all"):
        state.properties[every] = UnitAttr()
        return
    delimiter = parser.Delimiter.NONE
    if parser.parse_optional_keyword("except"):
        state.properties[inverted] = UnitAttr()
        delimiter = parser.Delimiter.PAREN
    found = parser.parse_comma_separated_list(delimiter, parser.parse_integer)
    state.properties[numbers] = DenseArrayBase.from_list(i64, found)


def _write_dims(state: Writing, arguments: Sequence[Element]) -> None:
    numbers, inverted, every = (_name(argument) for argument in arguments)
    if state.attribute(every) is not None:
        state.text("all")
        return
    listed = ", ".join(map(str, _numbers(state.attribute(numbers))))
    state.text(f"except({listed})" if state.attribute(inverted) is not None else listed)


# @matcher -> @action, ...


def _read_pairs(state: Reading, arguments: Sequence[Element]) -> None:
    parser = state.parser
    matchers: list[Attribute] = []
    actions: list[Attribute] = []

    def one() -> None:
        matchers.append(parser.parse_attribute())
        parser.parse_punctuation("->")
        actions.append(parser.parse_attribute())

    parser.parse_comma_separated_list(parser.Delimiter.NONE, one)
    state.properties[_name(arguments[0])] = ArrayAttr(matchers)
    state.properties[_name(arguments[1])] = ArrayAttr(actions)


def _write_pairs(state: Writing, arguments: Sequence[Element]) -> None:
    printer = state.printer
    matchers, actions = (cast("ArrayAttr[SymbolRefAttr]", state.attribute(_name(given))) for given in arguments)
    indent = printer._indent  # pyright: ignore[reportPrivateUsage]
    for place, (matcher, action) in enumerate(zip(matchers.data, actions.data, strict=True)):
        printer.print_string(",\n" if place else "\n", indent=indent + 2)
        printer.print_attribute(matcher)
        printer.print_string(" -> ")
        printer.print_attribute(action)


# %root, %more : T, U


def _read_bindings(state: Reading, arguments: Sequence[Element]) -> None:
    parser = state.parser
    root, extra = _name(arguments[0]), _name(arguments[2])
    first = parser.parse_optional_unresolved_operand()
    if first is None:
        return
    state.operands[root], state.operands[extra] = [first], []
    while parser.parse_optional_punctuation(","):
        state.operands[extra].append(parser.parse_unresolved_operand())
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    state.types[root], state.types[extra] = types[:1], types[1:]


def _write_bindings(state: Writing, arguments: Sequence[Element]) -> None:
    values = [*state.values[_name(arguments[0])], *state.values[_name(arguments[2])]]
    if values:
        state.printer.print_list(values, state.printer.print_ssa_value)
        state.text(" : ")
        state.printer.print_list([value.type for value in values], state.printer.print_attribute)


# {"key" = value}


def _read_options(state: Reading, arguments: Sequence[Element]) -> None:
    parser = state.parser
    state.operands[_name(arguments[1])] = []
    start = parser.pos
    found = parser.parse_optional_attr_dict()
    if not found and not parser.lexer.input.content.startswith("{", start):
        parser.raise_error("expected '{'")
    from xdsl.dialects.builtin import DictionaryAttr

    state.properties[_name(arguments[0])] = DictionaryAttr(found)


def _write_options(state: Writing, arguments: Sequence[Element]) -> None:
    given = cast("Any", state.attribute(_name(arguments[0])))
    printer = state.printer
    printer.print_string("{ ")
    for place, (name, value) in enumerate(sorted(given.data.items())):
        printer.print_string(", " if place else "")
        printer.print_string(f'"{name}" = ')
        printer.print_attribute(value)
    printer.print_string(" }")


# %token : !async.value<T>


def _read_awaited(state: Reading, arguments: Sequence[Element]) -> None:
    operand, result = (_name(argument) for argument in arguments)
    kind = state.parser.parse_type()
    state.types[operand] = [kind]
    inner = _awaited(state, kind)
    state.types[result] = [] if inner is None else [inner]


def _awaited(state: Reading, kind: Attribute) -> Attribute | None:
    if getattr(kind, "attr_name", None) is None or cast("Any", kind).attr_name.data != "async.value":
        return None
    from weft.dialects.foreign.types import parsed

    return parsed(state.parser, cast("Any", kind).value.data)


def _write_awaited(state: Writing, arguments: Sequence[Element]) -> None:
    state.types(cast("Directive", arguments[0]).arguments[0])


READ: dict[str, Callable[[Reading, Sequence[Element]], None]] = {
    "ApplyRegisteredPassOptions": _read_options,
    "AwaitResultType": _read_awaited,
    "ContinuousTileSizeTypes": _read_semi,
    "DynamicIndexList": _read_indices,
    "ForeachMatchSymbols": _read_pairs,
    "MultitileSizesTypes": _read_semi,
    "PackedOrDynamicIndexList": _read_packed,
    "SemiFunctionType": _read_semi,
    "SequenceOpOperands": _read_bindings,
    "TransformMatchDims": _read_dims,
}
"""What reads each directive."""
WRITTEN: dict[str, Callable[[Writing, Sequence[Element]], None]] = {
    "ApplyRegisteredPassOptions": _write_options,
    "AwaitResultType": _write_awaited,
    "ContinuousTileSizeTypes": _write_semi_once,
    "DynamicIndexList": _write_indices,
    "ForeachMatchSymbols": _write_pairs,
    "MultitileSizesTypes": _write_semi_once,
    "PackedOrDynamicIndexList": _write_packed,
    "SemiFunctionType": _write_semi,
    "SequenceOpOperands": _write_bindings,
    "TransformMatchDims": _write_dims,
}
"""What prints each directive."""
