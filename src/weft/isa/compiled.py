"""Forms made ready for use: the opcode pattern, the slot order and the operand signature, built once on first use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Literal

from weft.dataclass import dataclass
from weft.isa.form import Arg, Effects, Family, Form, Row, Slots, TypeOf, Where
from weft.isa.target import Version, Window
from weft.isa.types import TYPES

_REPEATABLE = frozenset({"NaN", "approx", "cc", "relu", "sat", "satfinite", "shiftamt", "sync", "uni"})
_ORDERED = {
    **dict.fromkeys(("row", "col"), "layout"),
    **dict.fromkeys(("and", "xor", "popc"), "operation"),
    **dict.fromkeys(("b8x16", "b6x16_p32", "b4x16_p64"), "format"),
    **dict.fromkeys(("b2", "b4"), "type"),
    "b1024": "",
}
_TOKEN = re.compile(r"(\{\.([^}]*)\})|\.([^.{}]+(?:\{::[^}]*\})?)")
Kind = Literal["register", "address", "vector", "pair", "predicate", "negatable", "arguments", "tuple"]


@dataclass(frozen=True, slots=True)
class Element:
    """One dotted place of an opcode: `slot` is empty for a literal."""

    slot: str
    tokens: tuple[str, ...]
    optional: bool


@dataclass(frozen=True, slots=True)
class OperandSpec:
    """One operand of a signature: its manual name, its kind, and the facts of its `Arg` with defaults filled in.

    `rest` are the operands inside the brackets after the address, or the elements of a tuple; `second` is the other
    half of a pair.
    """

    name: str
    kind: Kind
    arg: Arg
    optional: bool = False
    rest: tuple[OperandSpec, ...] = ()
    second: OperandSpec | None = None
    second_optional: bool = False

    def type(self, slots: Slots) -> str:
        """The operand's type for these slots (of each element, for vectors); empty when it has none."""
        return resolve_type(self.arg.type, slots)

    def count(self, slots: Slots) -> int:
        """The number of elements that a vector operand has for these slots (0: any)."""
        count = self.arg.count
        return count(slots) if callable(count) else count or 0

    def values(self, slots: Slots) -> Any:
        """The immediates that are allowed for these slots: None for any, else something with `in`."""
        return self.arg.values(slots) if callable(self.arg.values) else self.arg.values

    def sink(self, slots: Slots) -> bool:
        """Whether `_` may be here."""
        return self.arg.sink(slots) if callable(self.arg.sink) else self.arg.sink

    def narrow(self, slots: Slots) -> bool:
        """Whether ptxas takes registers of 8 and 16 bits as this address."""
        return self.arg.narrow(slots) if callable(self.arg.narrow) else self.arg.narrow

    def whole(self, slots: Slots, target: str, version: Version) -> bool:
        """Whether ptxas writes the operand into a text of its own, for a target and a version."""
        return _holds(self.arg.whole, slots, target, version)

    def called(self, slots: Slots, target: str, version: Version) -> bool:
        """Whether ptxas passes the operand to a function of its own, for a target and a version."""
        return _holds(self.arg.called, slots, target, version)

    def strict(self, slots: Slots, target: str, version: Version) -> bool:
        """Whether ptxas takes registers of the operand's type alone, for a target and a version."""
        return _holds(self.arg.strict, slots, target, version)

    def lenient(self, slots: Slots) -> str:
        """What ptxas takes here beyond the manual (see `Arg`)."""
        return self.arg.lenient(slots) if callable(self.arg.lenient) else self.arg.lenient

    def required(self, slots: Slots) -> bool | None:
        """Whether the operand must be written (True), may not be (False), or may be left out (None)."""
        if not self.optional:
            return True
        when = self.arg.when
        return bool(when(slots) if callable(when) else slots.get(when)) if when else None

    def demanded(self, slots: Slots) -> bool | None:
        """The same of the manual alone: what ptxas lets be absent must be written, what it ignores may not be."""
        words = self.lenient(slots).split() if self.optional else ()
        return True if "absent" in words else False if "present" in words else self.required(slots)


def _holds(where: Where, slots: Slots, target: str, version: Version) -> bool:
    if isinstance(where, bool):
        return where
    if callable(where):
        return where(slots)
    return any(row.matches(slots) and row.window.admits(target, version) for row in where)


def resolve_type(type_of: TypeOf | None, slots: Slots) -> str:
    """The type name that a `TypeOf` gives for these slots."""
    if type_of is None:
        return ""
    return type_of(slots) if callable(type_of) else slots.get(type_of, type_of)


def _ordered_kind(token: str) -> str:
    """The kind of a token whose order among its kind has a meaning for ptxas; else an empty string."""
    if token in _ORDERED:
        return _ORDERED[token]
    if token in TYPES:
        return "type"
    return "space" if token.partition("::")[0] in ("shared", "global", "local", "const", "param") else ""


class CompiledForm:
    """A form of a family with everything derived from its syntax line."""

    def __init__(self, family: Family, form: Form) -> None:
        self.family = family
        self.form = form
        opcode, _, operands = form.syntax.partition(" ")
        if not opcode.startswith(family.stem):
            raise ValueError(f"syntax {form.syntax!r} does not start with {family.stem!r}")
        self.elements = tuple(self._elements(opcode[len(family.stem) :]))
        self.leading = frozenset(family.leading.split())
        self._operands = operands.strip()

    def _elements(self, text: str) -> Iterator[Element]:
        end = 0
        for match in _TOKEN.finditer(text):
            if match.start() != end:
                raise ValueError(f"bad syntax {self.form.syntax!r}")
            end, optional = match.end(), match[2] is not None
            word = match[2] or match[3]
            tokens = self.form.slots.get(word)
            if tokens is not None:
                yield Element(word, tuple(tokens.split()), optional)
            else:
                yield Element(word if optional else "", (word,), optional)
        if end != len(text):
            raise ValueError(f"bad syntax {self.form.syntax!r}")

    @property
    def effects(self) -> Effects:
        """What the form does beyond its destinations."""
        return self.form.effects or self.family.effects

    @cached_property
    def pieces(self) -> tuple[str | Element, ...]:
        """What the opcode is printed of: the mnemonic, then slots and the literals between them."""
        found: list[str | Element] = [self.family.stem]
        for element in self.elements:
            if element.slot:
                found.append(element)
            elif isinstance(found[-1], str):
                found[-1] += f".{element.tokens[0]}"
            else:
                found.append(element.tokens[0])
        return tuple(found)

    def match(self, rest: str) -> dict[str, str] | None:
        """The slots of an opcode whose text after the stem is `rest` (`.sync.aligned...`) in canonical order."""
        found = self._match(rest.split(".")[1:], 0, 0)
        return None if found is None else self._slots(found)

    @cached_property
    def _tokens(self) -> list[dict[str, list[tuple[str, int]]]]:
        """The tokens of each element by their first word, with their numbers of words, the longest first."""
        found: list[dict[str, list[tuple[str, int]]]] = []
        for element in self.elements:
            tokens: dict[str, list[tuple[str, int]]] = {}
            for token in sorted(element.tokens, key=len, reverse=True):
                tokens.setdefault(token.partition(".")[0], []).append((token, token.count(".") + 1))
            found.append(tokens)
        return found

    def _match(self, words: list[str], position: int, index: int) -> list[str | None] | None:
        """The tokens from an element on, for the words from a position on.

        A regular expression would do, but compiling it takes longer than all that a module asks of it.
        """
        if index == len(self.elements):
            return [] if position == len(words) else None
        if position < len(words):
            for token, count in self._tokens[index].get(words[position], ()):
                end = position + count
                if count == 1 or ".".join(words[position:end]) == token:
                    found = self._match(words, end, index + 1)
                    if found is not None:
                        return [token, *found]
        if self.elements[index].optional:
            found = self._match(words, position, index + 1)
            if found is not None:
                return [None, *found]
        return None

    def _slots(self, tokens: Sequence[str | None]) -> dict[str, str]:
        return {e.slot: token or "" for e, token in zip(self.elements, tokens, strict=True) if e.slot}

    def match_any_order(self, tokens: Sequence[str]) -> tuple[dict[str, str], list[str], list[Element]]:
        """Places each token into the first free element that takes it, as ptxas does.

        Types, matrix layouts, state spaces and such keep their order among themselves; a few flags may be repeated;
        leading modifiers lead.
        Returns the slots, the tokens that no free element takes, and the mandatory elements left empty.
        """
        filled: list[str | None] = [None] * len(self.elements)
        last: dict[str, int] = {}
        unplaced: list[str] = []
        leading, ahead = self.leading, True
        for token in tokens:
            ahead = ahead and token in leading
            if not ahead and token in leading:
                unplaced.append(token)
                continue
            kind = "leading" if ahead else _ordered_kind(token)
            for index, element in enumerate(self.elements):
                if filled[index] is None and token in element.tokens and index > last.get(kind, -1):
                    filled[index] = token
                    if kind:
                        last[kind] = index
                    break
            else:
                if token not in _REPEATABLE or token not in filled:
                    unplaced.append(token)
        empty = [e for e, token in zip(self.elements, filled, strict=True) if token is None and not e.optional]
        missing = [e for e in empty if (e.slot or e.tokens[0]) != self.form.omissible]
        return self._slots(filled), unplaced, missing

    def spell(self, slots: Slots) -> str:
        """The canonical opcode text for these slots."""
        tokens = [slots.get(piece.slot) if isinstance(piece, Element) else piece for piece in self.pieces]
        return ".".join(filter(None, tokens))

    # -- legality ---------------------------------------------------------------------------------------------

    def broken_rules(self, slots: Slots) -> list[str]:
        """The reasons of the rules that these slots break."""
        return [rule.why for rule in self.form.rules if rule.broken_by(slots)]

    @cached_property
    def decisive(self) -> frozenset[str]:
        """The optional operands on which the windows depend."""
        return frozenset(name for item in self.form.needs for name in item.has)

    def windows(self, slots: Slots, present: frozenset[str] = frozenset()) -> tuple[Window, ...]:
        """Where the combination exists (empty: nowhere); `present` names the optional operands that are written."""
        if any(rule.broken_by(slots) for rule in self.form.rules):
            return ()
        base = self.form.window
        for item in self.form.needs:
            if (not item.has or item.has & present) and item.matches(slots):
                base &= item.window
        rows = self.form.rows
        if not rows:
            return (base,)
        found = [base & r.window for r in rows if r.matches(slots)]
        return tuple(dict.fromkeys(w for w in found if w.targets))

    def nearest_rows(self, slots: Slots) -> list[tuple[Row, list[str]]]:
        """The rows with the fewest mismatching slots, and those slots; empty when some row matches."""
        scored = [(r, r.mismatches(slots)) for r in self.form.rows]
        least = min((len(slots_) for _, slots_ in scored), default=0)
        return [] if least == 0 else [(r, names) for r, names in scored if len(names) == least]

    # -- operands ---------------------------------------------------------------------------------------------

    @cached_property
    def operands(self) -> tuple[OperandSpec, ...]:
        """The operand signature, in PTX order."""
        return tuple(_parse_operands(self._operands, self._arg))

    def _arg(self, name: str, kind: Kind, first: bool) -> Arg:
        given = self.form.args.get(name, Arg())
        written = first and kind in ("register", "pair", "vector") and name[0] in "drpq"
        access = given.access or ("w" if written else "r")
        default_type: TypeOf | None = "type" if "type" in self.form.slots else None
        if kind == "predicate" or name in ("p", "q"):
            default_type = "pred"
        if kind == "address":
            default_type = "b64"
        source = access == "r" and kind == "register"
        return Arg(
            type=given.type if given.type is not None else default_type,
            count=given.count,
            access=access,
            imm=given.imm if given.imm is not None else source,
            reg=given.reg if given.reg is not None else True,
            values=given.values,
            wider=given.wider,
            loose=given.loose,
            special=given.special,
            space=given.space,
            within=given.within,
            wide=given.wide,
            narrow=given.narrow,
            uniform=given.uniform,
            exact=given.exact,
            kindred=given.kindred,
            unified=given.unified,
            sink=given.sink,
            label=given.label,
            symbol=given.symbol,
            select=given.select,
            directive=given.directive,
            lenient=given.lenient,
            whole=given.whole,
            called=given.called,
            strict=given.strict,
            when=given.when,
        )


_OPERAND = re.compile(
    r"""\s*(?P<open>\{\s*,\s*)?(?:
        (?P<address>\[\s*(?P<base>\w+)(?P<rest>[^\]]*)\])
      | (?P<arguments>\(\s*(?P<args>\w+)\s*\))
      | \{(?P<vector>\w+)\}
      | \{(?P<tuple>\w+(?:\s*,\s*\w+)+)\}
      | (?P<negated>[!-])(?P<neg>\w+)
      | (?P<first>\w+)(?:\{\|(?P<opt>\w+)\}|\|(?P<second>\w+))?
    )\s*(?P<close>\}+)?\s*(?:,|$|(?=\{))""",
    re.VERBOSE,
)


def _parse_operands(text: str, arg: Callable[[str, Kind, bool], Arg]) -> Iterator[OperandSpec]:
    end, first, optional = 0, True, False
    while end < len(text):
        match = _OPERAND.match(text, end)
        if match is None or match.end() == end:
            raise ValueError(f"bad operand syntax {text[end:]!r}")
        end = match.end()
        optional = optional or match["open"] is not None
        yield _operand(match, arg, first, optional)
        optional = optional and match["close"] is None
        first = False


def _operand(match: re.Match[str], arg: Callable[[str, Kind, bool], Arg], first: bool, optional: bool) -> OperandSpec:
    if match["address"]:
        rest = tuple(_parse_operands(match["rest"].lstrip(" ,"), arg)) if match["rest"].strip() else ()
        return OperandSpec(match["base"], "address", arg(match["base"], "address", first), optional, rest)
    if match["tuple"]:
        names = [name.strip() for name in match["tuple"].split(",")]
        elements = tuple(OperandSpec(name, "register", arg(name, "register", False)) for name in names)
        return OperandSpec("_".join(names), "tuple", arg(names[0], "tuple", False), optional, elements)
    for group, kind in (("args", "arguments"), ("vector", "vector")):
        if match[group]:
            return OperandSpec(match[group], kind, arg(match[group], kind, first), optional)  # pyright: ignore[reportArgumentType]
    if match["neg"]:
        kind = "negatable" if match["negated"] == "-" else "predicate"
        return OperandSpec(match["neg"], kind, arg(match["neg"], kind, first), optional)
    other = match["opt"] or match["second"]
    if other is None:
        return OperandSpec(match["first"], "register", arg(match["first"], "register", first), optional)
    second = OperandSpec(other, "register", arg(other, "register", True))
    kind = "pair"
    return OperandSpec(
        match["first"], kind, arg(match["first"], kind, first), optional, (), second, match["opt"] is not None
    )
