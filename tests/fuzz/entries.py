"""The places where weft takes input, each with the inputs it grows from: what it raises must be weft's own.

`ENTRIES` maps a name to an `Entry`; one call is one input.  Statements are tried in a module of a few lines, and what
parses is printed and read again; where `grouped` is set, many can be tried at once (`tests.fuzz.groups`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import weft
from tests.fuzz.groups import Screen
from tests.ptx.constructs import STATEMENTS, everything
from weft.errors import WeftError
from weft.isa import decode, families
from weft.isa.registry import compiled_forms
from weft.ptx import parser
from weft.ptx.analysis.query import compile_query
from weft.ptx.analysis.semantic import semantic_diff
from weft.ptx.sample import sample_statement, sample_variants
from weft.view import catalog

_OPEN = """.version 9.0
.target sm_100a
.address_size 64
.global .align 16 .b32 gg[64];
.func (.param .b32 fr) f(.param .b32 fa);
.visible .entry k(.param .u64 p0, .param .u32 p1)
{
.reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<99>; .reg .b64 %rd<99>; .reg .f32 %f<9>; .reg .f64 %fd<9>; .reg .b128 %rq<9>;
.reg .b32 a, b; .reg .pred p, q; .shared .align 16 .b32 sh[32];
L:
"""
_CLOSE = "\nret;\n}\n"


SCREEN = Screen(("a", "b", "p", "q"))
"""Knows the registers of the module around statements."""


class Entry(NamedTuple):
    """One way in: what is done with an input, the inputs to start from, and how often it is chosen."""

    run: Callable[[str], object]
    seeds: Callable[[], list[str]]
    weight: int
    grouped: bool = False


@cache
def statements() -> list[str]:
    """A statement of each variant of each form, and those of the constructs."""
    found = [
        sample_statement(variant) + ";"
        for stem in sorted(families())
        for form in compiled_forms(stem)
        for variant in list(sample_variants(form))[:6]
    ]
    return [*found, *STATEMENTS.values()]


def _module(text: str) -> None:
    """A whole module: parse, verify, print, read again."""
    module = weft.parse(text)
    weft.verify(module)
    printed = module.to_ptx()
    again = weft.parse(printed)
    assert again == module
    assert again.to_ptx() == printed


def _statement(text: str) -> None:
    _module(f"{_OPEN}{text}{_CLOSE}")


def _syntax(text: str) -> None:
    """Only reading, which is quickest."""
    SCREEN.is_list(text)


def _format(text: str) -> None:
    formatted = weft.format_text(f"{_OPEN}{text}{_CLOSE}")
    assert weft.format_text(formatted) == formatted


def _opcode(text: str) -> None:
    found = decode(text)
    assert found.valid or found.problem is not None
    assert decode(found.text).text == found.text


def _bytes(text: str) -> None:
    """Bytes, each a character of the input."""
    module = weft.from_bytes(text.encode("latin-1", "replace"))
    module.to_ptx()


def _json(text: str) -> None:
    module = weft.from_json(text)
    assert weft.from_json(module.to_json()) == module


def _compare(text: str) -> None:
    """The two halves of the input, compared both ways."""
    one, _, other = text.partition("\f")
    old, new = (weft.parse(f"{_OPEN}{half}{_CLOSE}") for half in (one, other))
    weft.diff(old, new)
    semantic_diff(old, new)


def _unread(text: str) -> None:
    """A body that is put off, against the same one read at once."""
    module = weft.parse(f"{_OPEN}{text}{_CLOSE}")
    findings = sorted(item.render() for item in weft.verify(module))
    before = parser.TINY, parser.SMALL
    try:
        for parser.TINY, parser.SMALL in ((0, before[1]), (0, 0)):
            late = weft.parse(f"{_OPEN}{text}{_CLOSE}")
            assert sorted(item.render() for item in weft.verify(late)) == findings
            assert late == module
    finally:
        parser.TINY, parser.SMALL = before


def _requirements(text: str) -> None:
    weft.requires(weft.parse(f"{_OPEN}{text}{_CLOSE}"))


@cache
def _modules() -> list[str]:
    return list(everything().values())


@cache
def _small() -> list[weft.Module]:
    return [weft.parse(f"{_OPEN}{text}{_CLOSE}") for text in statements()[::40]]


@cache
def _written() -> list[str]:
    return [module.to_bytes(source=False).decode("latin-1") for module in _small()]


@cache
def _jsons() -> list[str]:
    return [module.to_json() for module in _small()]


@cache
def _queries() -> list[str]:
    return [
        *(
            "mma.sync",
            "ld.*.v4",
            ".trans",
            "shape=m16n8k16",
            "d=%r1",
            "reads=%r1 & !guard=%p1",
            "(ld | st) & space=shared",
        ),
        *("writes=%r*", "memory=write", "family=atom", "uses=%rd1", "guard=", "space=global | .ca & !.v2"),
    ]


@cache
def _names() -> list[str]:
    return [*families(), *list(catalog.everything())[::9], "tcgen05", "cp.*.tensor", "nvgpu.ldmatrix", "%clusterid"]


@cache
def _pairs() -> list[str]:
    texts = statements()
    return [f"{one}\f{other}" for one, other in zip(texts[::17], texts[5::17], strict=False)]


ENTRIES: dict[str, Entry] = {
    "statement": Entry(_statement, statements, 35, grouped=True),
    "syntax": Entry(_syntax, statements, 10),
    "unread": Entry(_unread, statements, 35, grouped=True),
    "module": Entry(_module, _modules, 2),
    "format": Entry(_format, statements, 10, grouped=True),
    "opcode": Entry(_opcode, lambda: [text.split(" ")[0] for text in statements()], 4),
    "bytes": Entry(_bytes, _written, 3),
    "json": Entry(_json, _jsons, 2),
    "query": Entry(lambda text: compile_query(text), _queries, 1),
    "name": Entry(lambda text: catalog.look_up(text), _names, 1),
    "compare": Entry(_compare, _pairs, 1),
    "requirements": Entry(_requirements, statements, 10, grouped=True),
}

_TOKEN = re.compile(r"[A-Za-z_$%][\w$]*|\d+|\s+|.", re.DOTALL)
_ODD = (
    *("%r1", "%rd2", "%p0", "%f1", "%tid.x", "%r1.x", "gg", "sh", "p0", "L", "a", "_", "WARP_SZ", "f", "k", "%r", "$L1", "é"),
    *("0", "1", "-1", "08", "0x", "0xFFFFFFFFF", "1.5", "1e400", "0f3F800000", "0f3", "0d0000000000000000", "9" * 30, "5U"),
    *("[", "]", "{", "}", "(", ")", ",", ";", "|", "+", "-", "!", "@", "@!%p1 ", ".", "::", ":", "/*", "*/", "//", "\n", "\t", '"'),
    *("[%rd1+4]", "[gg+-8]", "{%r1, %r2}", "{%r1, _, 5, %r2}", "%p1|%p2", "(1+2)", "1<<3", "~1", "gg+4", "gg[2]", "[sh, {%r1}]"),
    *(".b32", ".f32", ".v4", ".global", ".shared", ".sync", ".ftz", ".sat", ".x4", ".trans", "\0", "\x01", "\u2028", "\ud800"),
    *(".reg .b32 zz;", ".reg .b32 %r<5>;", "{ .reg .b32 a; }", "L2:", ".loc 1 2 3\n", '.pragma "nounroll";', "bra L;", "ret;"),
    *("call (%r1), f, (%r2);", ".param .b32 pp;", "t: .branchtargets L;", "bra $L__BB0_1;", "$L__BB0_1:", "bra $Lt_0_12;", "$Lt_0_12:", "// x\n", "/* x */"),
)  # fmt: skip


def changed(text: str, others: list[str], chance: random.Random) -> str:
    """A text with one to three tokens dropped, doubled, swapped, replaced by odd ones or by another input's."""
    tokens: list[str] = _TOKEN.findall(text) or [" "]
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        here, kind = chance.randrange(len(tokens)), chance.randrange(8)
        if kind == 0 and len(tokens) > 1:
            del tokens[here]
        elif kind == 1:
            tokens.insert(here, tokens[here])
        elif kind == 2:
            there = chance.randrange(len(tokens))
            tokens[here], tokens[there] = tokens[there], tokens[here]
        elif kind == 3:
            tokens[here] = chr(chance.randrange(256))
        elif kind == 4:
            tokens[here] = chance.choice(_TOKEN.findall(chance.choice(others)) or [" "])
        elif kind == 5:
            tokens.insert(here, chance.choice(_ODD))
        else:
            tokens[here] = chance.choice(_ODD)
    return "".join(tokens)


def attempt(name: str, text: str) -> bool:
    """Give one input to an entry; whether it was taken. Raises whatever is not weft's own error."""
    try:
        ENTRIES[name].run(text)
    except WeftError as error:
        str(error)
        return False
    return True
