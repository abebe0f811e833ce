"""Declarative assembly formats, compiled to steps: `$lhs `,` $rhs attr-dict `:` type($result)`.

The language is that of MLIR's ODS as xDSL has it, and xDSL has checked the format when the class was defined (or will,
when it prints an operation); so nothing is checked here.  What is not known makes the format unreadable here, and
xDSL's parser reads the operations of the class.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from xdsl.dialects.builtin import UnitAttr
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedSegments,
    IRDLOperation,
    OpDef,
    OptionalDef,
    ParsePropInAttrDict,
    VariadicDef,
)

from weft.mlir.reader import steps
from weft.mlir.reader.attributes import Remembered
from weft.mlir.reader.custom import CUSTOM, Made
from weft.mlir.reader.format_attributes import ATTRIBUTE, parsing
from weft.mlir.reader.steps import Draft, Step
from weft.mlir.reader.tokens import Unread

if TYPE_CHECKING:
    from weft.mlir.reader.reader import Reader

_WORD = re.compile(r"`[^`]*`|\$\w+|[\w\-]+|[()<>,?:^]")


class Unknown(Exception):
    """A format has something that is not known here."""


class Part(NamedTuple):
    """A part of a format: how it is read, how its absence is noted, how it is tried as the first part of a group."""

    step: Step | None
    absent: tuple[Step, ...] = ()
    first: Step | None = None
    literal: str | None = None
    operand: int = -1
    """The place of the single operand that the part is, if it is one."""
    dictionary: bool = False
    """Whether it is the attribute dictionary."""


class Format:
    """Compiles the format of a class."""

    def __init__(self, cls: type[IRDLOperation], definition: OpDef, text: str) -> None:
        self._cls = cls
        self.definition = definition
        self._words: list[str] = _WORD.findall(text)
        self._at = 0
        self._named = {name[1:] for name in self._words if name[0] == "$"}
        self._operands = {name: at for at, (name, _) in enumerate(definition.operands)}
        self._results = {name: at for at, (name, _) in enumerate(definition.results)}
        self._regions = {name: at for at, (name, _) in enumerate(definition.regions)}
        self._successors = {name: at for at, (name, _) in enumerate(definition.successors)}
        self._single = _single_directives(definition)
        self.flat = _is_flat(definition, self._words, self._single)
        """Whether every operand and result is a single one, and read alone."""

    def steps(self) -> list[Step]:
        """The steps of the whole format.

        Raises:
            Unknown: there is something in it that is not known here.
        """
        parts: list[Part] = []
        while self._at < len(self._words):
            parts.append(self.part())
        return _joined(parts) if self.flat else _steps(parts)

    def part(self) -> Part:
        """The next part of the format."""
        word = self._next()
        if word[0] == "`":
            return self._literal(word[1:-1])
        if word[0] == "$":
            return self._variable(word[1:])
        if word == "(":
            return self._group()
        if word == "attr-dict":
            return self._dictionary()
        if word == "type":
            self._skip("(")
            whole, _, absent = self._typed()
            self._skip(")")
            return Part(whole, absent)
        if word == "functional-type":
            self._skip("(")
            inputs, _, _ = self._typed()
            self._skip(",")
            outputs, output, _ = self._typed()
            self._skip(")")
            return Part(steps.functional_type(inputs, outputs, output))
        if word == "operands":
            return Part(self._all_operands())
        if word == "qualified":
            self._skip("(")
            part = self._variable(self._next()[1:], qualified=True)
            self._skip(")")
            return part
        if word == "custom":
            return self._custom()
        raise Unknown(word)

    def _next(self) -> str:
        self._at += 1
        return self._words[self._at - 1]

    def _skip(self, word: str) -> None:
        if self._next() != word:
            raise Unknown(word)

    def _literal(self, text: str) -> Part:
        if not text.strip() or text == "\\n":
            return Part(None)
        return Part(steps.literal(text), first=steps.optional_literal(text), literal=text)

    def _group(self) -> Part:
        then = self._until_closed()
        self._skip("?")
        first, *rest = (part for part in then if part.step is not None or part.absent)
        entry = first.first or first.step
        assert entry is not None
        absent = [step for part in rest for step in part.absent]
        read = steps.group(entry, _joined(rest) if self.flat else _steps(rest), absent)
        return Part(read, (*first.absent, *absent))

    def _until_closed(self) -> list[Part]:
        parts: list[Part] = []
        while self._words[self._at] != ")":
            parts.append(self.part())
            if self._words[self._at] == "^":
                self._at += 1
        self._at += 1
        return parts

    def _dictionary(self) -> Part:
        definition = self.definition
        names = {name for name in self._named if name in definition.attributes or name in definition.properties}
        if any(
            name in self._operands and isinstance(dict(definition.operands)[name], VariadicDef) for name in self._named
        ):
            names.add(AttrSizedOperandSegments.attribute_name)
        properties = {name for name in definition.properties if name not in self._named}
        properties -= {
            option.attribute_name
            for option in definition.options
            if isinstance(option, AttrSizedSegments) and option.as_property
        }
        if properties and not any(isinstance(option, ParsePropInAttrDict) for option in definition.options):
            raise Unknown("properties outside the format")
        return Part(steps.dictionary(frozenset(names), frozenset(properties)), dictionary=True)

    # Variables

    def _variable(self, name: str, *, qualified: bool = False) -> Part:
        definition = self.definition
        at = self._operands.get(name)
        if at is not None:
            return _operand(definition.operands[at][1], at)
        at = self._regions.get(name)
        if at is not None:
            return self._region(definition.regions[at][1], at)
        at = self._successors.get(name)
        if at is not None:
            if isinstance(definition.successors[at][1], VariadicDef):
                raise Unknown(name)
            return Part(steps.successor(at))
        rule = definition.properties.get(name)
        if rule is not None:
            return _attribute(name, rule, is_property=True, qualified=qualified)
        rule = definition.attributes.get(name)
        if rule is None:
            raise Unknown(name)
        return _attribute(name, rule, is_property=False, qualified=qualified)

    def _region(self, rule: Any, at: int) -> Part:
        if isinstance(rule, VariadicDef):
            raise Unknown("regions")
        step, first = (steps.region(self._cls, at, optional=optional) for optional in (False, True))
        return Part(step, (steps.no_region(at),), first)

    def _typed(self) -> tuple[Step, Step, tuple[Step, ...]]:
        """How the types of an operand, a result, all operands or all results are read: all of them, or one."""
        word = self._next()
        definition = self.definition
        if word == "operands":
            read = _split_types(definition.operands, 0)
            return read, read, ()
        if word == "results":
            read = _split_types(definition.results, len(definition.operands))
            return read, read, ()
        name = word[1:]
        at = self._operands.get(name)
        if at is not None:
            return _types(definition.operands[at][1], at, flat=self.flat)
        at = self._results.get(name)
        if at is None:
            raise Unknown(word)
        return _types(definition.results[at][1], at + len(definition.operands), flat=self.flat)

    def _all_operands(self) -> Step:
        split = _splitter(self.definition.operands)

        def step(reader: Reader, index: int, draft: Draft) -> int:
            found, index = steps.values(reader, index)
            draft.operands[:] = split(found)
            return index

        return step

    # Custom directives

    def _custom(self) -> Part:
        self._skip("<")
        name = self._next()
        self._skip(">")
        made = (self._single if self.flat else CUSTOM).get(name)
        if made is None or name not in self.definition.custom_directives:
            raise Unknown(name)
        self._skip("(")
        arguments: list[Any] = []
        while True:
            arguments.append(self._argument())
            if self._next() == ")":
                break
        return Part(*made(self.definition, *arguments))

    def _argument(self) -> Any:
        """What a custom directive is given: the place of an operand, or of a type, or the name of an attribute."""
        word = self._next()
        typed = word == "type"
        if typed:
            self._skip("(")
            word = self._next()
            self._skip(")")
        name = word[1:]
        if name in self._operands:
            return self._operands[name]
        if name in self._results and typed:
            return self._results[name] + len(self.definition.operands)
        if name in self.definition.properties:
            return parsing(name, self.definition.properties[name], is_property=True)
        raise Unknown(word)


def _operand(rule: Any, at: int) -> Part:
    absent = (steps.no_operands(at),)
    if isinstance(rule, OptionalDef):
        return Part(steps.optional_operand(at), absent)
    if isinstance(rule, VariadicDef):
        return Part(steps.operands(at), absent)
    return Part(steps.operand(at), operand=at)


def _single_directives(definition: OpDef) -> Mapping[str, Callable[..., Made]]:
    """The directives of the operation's dialect, for formats of which every operand and result is a single one."""
    dialect = definition.name.partition(".")[0]
    return import_module(f"weft.mlir.reader.quick_{dialect}").DIRECTIVES if dialect in ("arith", "llvm") else {}


def _is_flat(definition: OpDef, words: Sequence[str], single: Mapping[str, Callable[..., Made]]) -> bool:
    rules = (*definition.operands, *definition.results)
    grouped = {"operands", "results", "functional-type"}
    custom = {words[at + 2] for at, word in enumerate(words) if word == "custom"}
    return (
        grouped.isdisjoint(words)
        and custom <= single.keys()
        and not any(isinstance(rule, VariadicDef) for _, rule in rules)
    )


def _steps(parts: Sequence[Part]) -> list[Step]:
    return [part.step for part in parts if part.step is not None]


def _joined(parts: Sequence[Part]) -> list[Step]:
    """The steps of parts, with literals and operands that follow each other in one step."""
    joined: list[Step] = []
    pattern: list[tuple[str, int]] = []
    dictionary: Step | None = None
    for part in parts:
        if part.step is None:
            continue
        before, dictionary = dictionary, None
        if before is not None and part.literal is not None:
            joined[-1] = steps.dictionary_before(before, part.literal)
            continue
        if part.literal is not None or part.operand >= 0:
            pattern.append((part.literal or "", part.operand))
            continue
        if pattern:
            joined.append(steps.run(pattern))
            pattern = []
        joined.append(part.step)
        dictionary = part.step if part.dictionary else None
    return [*joined, steps.run(pattern)] if pattern else joined


def _types(rule: Any, at: int, *, flat: bool) -> tuple[Step, Step, tuple[Step, ...]]:
    if flat:
        return steps.flat_type(at), steps.flat_type(at), ()
    absent = (steps.no_types(at),)
    if isinstance(rule, OptionalDef):
        return steps.optional_type(at), steps.type_(at), absent
    if isinstance(rule, VariadicDef):
        return steps.types(at), steps.type_(at), absent
    return steps.type_(at), steps.type_(at), absent


def _splitter(rules: Sequence[tuple[str, Any]]) -> Any:
    """Deals a list out to definitions of which at most one takes several."""
    variadic = [at for at, (_, rule) in enumerate(rules) if isinstance(rule, VariadicDef)]
    count = len(rules)
    if len(variadic) > 1:
        raise Unknown("several variadic definitions")
    optional = bool(variadic) and isinstance(rules[variadic[0]][1], OptionalDef)

    def split(found: Sequence[Any]) -> list[Sequence[Any]]:
        several = len(found) - count + 1
        if (not variadic and several != 1) or several < 0 or (optional and several > 1):
            raise Unread
        if not variadic:
            return [(one,) for one in found]
        at = variadic[0]
        behind = found[at + several :]
        return [*((one,) for one in found[:at]), found[at : at + several], *((one,) for one in behind)]

    return split


def _split_types(rules: Sequence[tuple[str, Any]], first: int) -> Step:
    split = _splitter(rules)
    last = first + len(rules)

    def step(reader: Reader, index: int, draft: Draft) -> int:
        found, index = reader.types(index)
        draft.types[first:last] = split(found)
        return index

    return step


# Attributes


def _attribute(name: str, rule: Any, *, is_property: bool, qualified: bool) -> Part:
    bases = None if qualified else rule.constr.get_bases()
    if bases is not None and len(bases) == 1 and bases == {UnitAttr}:
        return Part(steps.unit(name, is_property=is_property))
    _, parse, _ = parsing(name, rule, is_property=is_property, qualified=qualified)
    if parse is ATTRIBUTE:
        return Part(steps.any_attribute(name, is_property=is_property))
    return Part(steps.attribute(name, Remembered(parse), is_property=is_property))
