"""What follows for operations of foreign dialects from rules of their rows: how types depend on each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    UnregisteredAttr,
    i32,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.definitions import AttributeKind, segments
from weft.dialects.engine.rows import Group, Property, Row, groups
from weft.dialects.foreign.formats import derived
from weft.dialects.foreign.operation import counts_of
from weft.dialects.kinds import Trait


def _failed(said: str) -> VerifyException:
    return VerifyException(f"failed to verify that {said}")


Groups = tuple[Sequence[Group], Sequence[Group]]
"""The operands and the results of a row."""


def _types(given: Groups, op: Operation) -> dict[str, list[Attribute]]:
    """The types of each group of an operation's values."""
    found: dict[str, list[Attribute]] = {}
    sizes = segments(op) if sum(group.count != "" for group in given[0]) > 1 else ()
    for listed, values, known in zip(given, (op.operands, op.results), (sizes, ()), strict=True):
        rest = [value.type for value in values]
        for group, size in zip(listed, known or counts_of(listed, len(rest)), strict=False):
            found[group.name], rest = rest[:size], rest[size:]
    return found


_SAID: Mapping[str, Callable[[str, str], str]] = {
    "mask": lambda name, source: f"{source} and {name} must be compatible",
    "metadata": lambda _name, _source: "metadata type",
    "inner": lambda name, source: (
        f"type of '{'value' if name == 'result' else name}' matches element type of '{source}'"
    ),
    "": lambda name, source: f"{name} type matches type of {source}",
}


def _follow(given: Groups, name: str, how: str, source: str, op: Operation) -> None:
    """The values of a group are of the type that follows from another."""
    types = _types(given, op)
    if not types[source]:
        return
    whole: Any = types[source][0]
    if how == "inner":  # A type that is kept as text, in which an alias may be.
        text = whole.value.data
        right = "!" in text or all(str(found) == text for found in types[name])
    else:
        right = all(found == derived(how or None, whole) for found in types[name])
    if not right:
        raise _failed(_SAID[how](name, source))


def _match(given: Groups, names: Sequence[str], op: Operation) -> None:
    types = _types(given, op)
    types |= {name: [cast("Any", op.properties[name]).type] for name in names if name in op.properties}
    several = {group.name for listed in given for group in listed if group.count == "*"}
    if len({tuple(types[name]) for name in names if types.get(name) or name in several}) > 1:
        raise _failed(f"all of {{{', '.join(names)}}} have same type")


def attribute(known: Mapping[str, AttributeKind], given: Property, row: Row) -> tuple[AttributeKind, bool]:
    """What an attribute must be, and whether it must be there."""
    kind = known.get(given.kind) or known.get(given.name) or known["any"]
    if given.kind == "words" and given.name not in known:
        kind = AttributeKind("enum attribute", partial(_is_word, given.words))
    for trait, (said, holds) in _CONFINED.items():
        if f"{trait}({given.name})" in row.words:
            kind = AttributeKind(f"{kind.summary} {said}", kind.stored, holds)
    return kind, not given.optional


def _is_word(words: Sequence[str], value: Attribute) -> bool:
    """An enumeration's value: a word as it was read, its number, or the attribute that it is upstream."""
    if isinstance(value, IntegerAttr):
        number: int = cast("Any", value).value.data
        return cast("Any", value).type == i32 and 0 <= number < len(words) and words[number] != ""
    return value.data in words if isinstance(value, StringAttr) else isinstance(value, UnregisteredAttr)


def _numbers(value: Attribute) -> Sequence[int]:
    """The elements of a dense array, or the number."""
    return cast("Any", value).get_values() if isinstance(value, DenseArrayBase) else (cast("Any", value).value.data,)


_CONFINED: Mapping[str, tuple[str, Callable[[Attribute], bool]]] = {
    "positive": ("whose value is positive", lambda value: all(number > 0 for number in _numbers(value))),
    "natural": ("whose value is non-negative", lambda value: all(number >= 0 for number in _numbers(value))),
    "three": ("with exactly 3 elements", lambda value: len(_numbers(value)) == 3),
    "none_or_three": ("with 0 or 3 elements", lambda value: len(_numbers(value)) in (0, 3)),
}
"""What rows demand of an attribute by a trait."""


def following(row: Row) -> Iterator[Trait]:
    """The checks that a row states by rules and by `match`."""
    given = [group for group in groups(row.operands) if not group.is_part], list(groups(row.results))
    matched: set[str] = set()
    for word in row.words:
        if word.startswith("match("):
            names = word[6:-1].split(",")
            matched.update(names)
            yield partial(_match, given, names)
    for group in (*given[0], *given[1]):
        rule = re.fullmatch(r"(?:(mask|metadata|inner)\()?(\w+)\)?", group.rule)
        if rule is not None and "same" not in row.words and not (group.name in matched and rule[1] is None):
            yield partial(_follow, given, group.name, rule[1] or "", rule[2])
