"""What an editor asks about a place in PTX: hover, completion, symbols, tokens, hints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from weft.isa.continuations import continuations
from weft.isa.directives import DIRECTIVES
from weft.isa.registers import SPECIAL_REGISTERS
from weft.isa.registry import families, stems
from weft.isa.target import describe_targets
from weft.isa.types import TYPES
from weft.lsp.manual import opcode_page, word_page
from weft.ptx.occurrences import Declared, Occurrences

_OPCODE_BEFORE = re.compile(r"(?:^|[;{}:\n]|@!?[%\w$]+[ \t])[ \t]*([a-z](?:[\w.]|::)*)\Z", re.ASCII)
_WORD_BEFORE = re.compile(r"(?:[%$.\w]|::)*\Z", re.ASCII)
_MOST_LINE = 2000


class Hover(NamedTuple):
    """Markdown about the text between two offsets."""

    start: int
    end: int
    markdown: str


class Item(NamedTuple):
    """One completion: what it is called, its kind, a short word about it, and the offset it replaces text from."""

    label: str
    kind: str
    detail: str
    start: int


def hover(names: Occurrences, offset: int) -> Hover | None:
    """What is at an offset: an opcode, a name, a special register, a directive or a type."""
    text = names.text
    for call in names.opcodes:
        if call.start <= offset <= call.end:
            page = opcode_page(call.opcode)
            return Hover(call.start, call.end, page) if page else None
    use = names.uses.at(offset)
    if use is not None and use.declared is not None:
        return Hover(use.start, use.end, described(names, use.declared, text[use.start : use.end]))
    for token in names.tokens:
        if token.start <= offset < token.end:
            page = word_page(token.text)
            return Hover(token.start, token.end, page) if page else None
    return None


def described(names: Occurrences, declared: Declared, name: str) -> str:
    """What a name is, as it is declared, and how often it is used."""
    text = names.text
    if declared.kind in ("kernel", "function", "table"):
        written = text[declared.whole[0] : declared.whole[1]].partition("{")[0].strip()
    elif declared.kind == "label":
        written = f"{name}:"
    elif declared.count:
        written = f"{declared.words} {declared.name}<{declared.count}>"
    else:
        written = f"{declared.words} {name}"
    return f"```ptx\n{written[:600]}\n```\n{declared.kind} `{name}`, {used(len(names.of(declared, name)) - 1)}"


def used(times: int) -> str:
    """How often a name is used."""
    return {0: "not used", 1: "used once"}.get(times, f"used {times} times")


# -- completion ---------------------------------------------------------------------------------------------------


def completions(names: Occurrences, offset: int) -> list[Item]:
    """What may be at an offset: the rest of an opcode, a name, a special register or a directive."""
    text = names.text
    before = text[max(text.rfind("\n", 0, offset) + 1, offset - _MOST_LINE) : offset]
    opcode = _OPCODE_BEFORE.search(before)
    if opcode is not None:
        return list(opcode_words(opcode[1], offset))
    written = _WORD_BEFORE.search(before)
    word = written[0] if written is not None else ""
    start = offset - len(word)
    behind = before[: len(before) - len(word)].rstrip()
    if word.startswith("."):
        return [Item(name, "directive", facts.summary, start) for name, facts in DIRECTIVES.items()] + [
            Item(f".{name}", "type", f"{type_.bits} bits", start) for name, type_ in TYPES.items()
        ]
    if re.search(r"\bbra(?:\.uni)?$", behind):
        return [Item(one.name, "label", "label", start) for one in names.visible(offset) if one.kind == "label"]
    if re.search(r"\.target$", behind):
        from weft.isa.target import TARGETS

        return [Item(name, "target", f"from PTX {found.least}", start) for name, found in TARGETS.items()]
    if re.search(r"\.version\s*$", behind):
        from weft.isa.target import VERSIONS

        return [Item(str(version), "version", "", start) for version in reversed(VERSIONS)]
    if re.search(r"(?:^|[;{}:]|@!?[%\w$]+)$", behind):
        return list(opcode_words(word, offset))
    return list(_names(names, offset, start, word))


def opcode_words(written: str, offset: int) -> Iterator[Item]:
    """Instructions that begin so, or the modifiers that may follow a dot."""
    beginning, dot, part = written.rpartition(".")
    if not dot:
        start = offset - len(written)
        for stem, summary in _instructions().items():
            yield Item(stem, "instruction", summary, start)
        return
    for token, what in continuations(beginning).items():
        yield Item(token, "type" if token in TYPES else "modifier", what, offset - len(part))


@lru_cache(maxsize=1)
def _instructions() -> dict[str, str]:
    first: dict[str, str] = {}
    known = families()
    for stem in stems():
        word = stem.partition(".")[0]
        first.setdefault(word, known[stem].summary)
        if stem == word:
            first[word] = known[stem].summary
    return first


def _names(names: Occurrences, offset: int, start: int, word: str) -> Iterator[Item]:
    text = names.text
    for declared in names.visible(offset):
        if declared.count:
            used = {text[use.start : use.end] for use in names.uses if use.declared is declared}
            for name in sorted(used - {declared.name, word}, key=lambda one: (len(one), one)):
                yield Item(name, "register", declared.type, start)
        elif declared.kind != "label":
            yield Item(declared.name, declared.kind, f"{declared.words}", start)
    for name, register in SPECIAL_REGISTERS.items():
        if name == register.name:
            yield Item(name, "special", register.summary, start)


# -- symbols and tokens -------------------------------------------------------------------------------------------


class Symbol(NamedTuple):
    """A function or variable of a document, with the labels and variables inside of it."""

    declared: Declared
    children: tuple[Declared, ...]


def symbols(names: Occurrences) -> list[Symbol]:
    """The outline of a text."""
    found: list[Symbol] = []
    inner: dict[int, list[Declared]] = {}
    for one in names.declared:
        if one.function >= 0 and one.kind in ("label", "variable", "parameter", "table"):
            inner.setdefault(one.function, []).append(one)
    for one in names.declared:
        if one.function < 0:
            found.append(Symbol(one, tuple(inner.get(one.start, ())) if one.kind in ("kernel", "function") else ()))
    return found


TOKEN_KINDS = (
    "keyword", "type", "modifier", "variable", "parameter", "function", "label", "number", "string", "comment",
    "macro", "property",
)  # fmt: skip
"""The kinds of tokens: opcodes are keywords, directives macros, and components of vectors properties."""

_NAME_KINDS = {
    "register": "variable",
    "variable": "variable",
    "parameter": "parameter",
    "function": "function",
    "kernel": "function",
    "label": "label",
    "table": "label",
}


def semantic_tokens(names: Occurrences) -> Iterator[tuple[int, int, str]]:
    """Each token that has a colour, in text order: offset, length, one of `TOKEN_KINDS`."""
    uses = {use.start: use for use in names.uses}
    opcodes = {call.start for call in names.opcodes}
    end_of_opcode = {call.start: call.end for call in names.opcodes}
    inside = 0
    for token in names.tokens:
        kind = ""
        if token.kind in ("comment", "string", "number"):
            kind = token.kind
        elif token.start in opcodes:
            kind, inside = "keyword", end_of_opcode[token.start]
        elif token.kind in ("dot", "member"):
            if token.text[1:] in TYPES:
                kind = "type"
            elif token.start < inside:
                kind = "modifier"
            else:
                kind = "property" if token.kind == "member" else "macro"
        elif token.kind == "name":
            use = uses.get(token.start)
            kind = _NAME_KINDS[use.declared.kind] if use is not None and use.declared is not None else ""
            kind = kind or ("variable" if token.text.startswith("%") else "")
        if kind:
            yield token.start, len(token.text), kind


def hints(text: str) -> Iterator[tuple[int, str]]:
    """What is said behind the line that names each kernel: where it runs, and the registers that are live at once."""
    from weft.errors import WeftError
    from weft.ptx.analysis.live import liveness
    from weft.ptx.parser import parse
    from weft.ptx.requirements import requires

    try:
        module = parse(text)
        need = requires(module)
    except WeftError:
        return
    names = Occurrences(text)
    functions = {one.name: one for one in names.declared if one.kind in ("kernel", "function")}
    where = (
        f"PTX {need.version}, {describe_targets(frozenset(need.targets))}" if need.targets else "no target supports all"
    )
    for function in module.functions:
        declared = functions.get(function.name)
        if declared is None or not function.defined:
            continue
        try:
            pressure = liveness(function).pressure
        except WeftError:
            continue
        end = text.find("\n", declared.end)
        yield end if end >= 0 else len(text), f"{where}; {pressure.registers} live registers"
