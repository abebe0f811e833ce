"""Outside of `weft.isa` an opcode is an object with slots: no source spells one, nor puts one together."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from weft.isa import decode
from weft.isa.registry import compiled_forms, stem_of, stems

SOURCE = Path(__file__).resolve().parents[1] / "src" / "weft"
BY_SLOTS = {"available", "deferred", "legal_opcode", "opcode"}
"""Functions that take the stem of an opcode and its slots."""
NAMED_ALIKE = ("layout/fragments.py", "layout/wgmma.py", "tile/layouts.py", "dialects/nvvm/ops.py")
"""Where fragments of a product have its name, as in `mma.m16n8k16.f16.a`, and operations of nvvm one that may be an
opcode's.
"""


def _is_opcode(text: str) -> bool:
    return "." in text and text not in stems() and decode(text).valid


def _is_beginning(text: str) -> bool:
    """Whether a text, to which something is added, begins like an opcode: a stem and a part of a modifier of it."""
    stem = stem_of(text) or stem_of(text.rpartition(".")[0])
    if stem is None or " " in text or not text.startswith(f"{stem}."):
        return False
    *whole, last = text[len(stem) + 1 :].split(".")
    tokens = {token for form in compiled_forms(stem) for element in form.elements for token in element.tokens}
    return tokens.issuperset(whole) and any(token.startswith(last) for token in tokens)


def spelled(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Lines of a module and the opcodes that are written there, wholly or in part."""
    passed = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and node.args
        and getattr(node.func, "id", getattr(node.func, "attr", "")) in BY_SLOTS
        for part in ast.walk(node.args[0])
    }  # fmt: skip
    passed |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if id(node) in passed:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_opcode(node.value):
            yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            beginning = str(node.values[0].value)
            if _is_beginning(beginning):
                yield node.lineno, beginning


_TYPED = re.compile(r"\.[bsuf]\Z")
"""What stands before the bits of a type: `f"{stem}.b{bits}"`."""
APART = {"endswith", "partition", "removeprefix", "removesuffix", "rpartition", "rsplit", "split", "startswith"}
BUILDING = ("codegen", "dialects", "mc", "sim", "tile", "transforms")
"""The rooms where an opcode is asked for its slots. Others read what somebody has written."""


def _is_text(node: ast.expr) -> bool:
    """`inst.opcode.text`, say, or `opcode.text`."""
    if not isinstance(node, ast.Attribute) or node.attr != "text":
        return False
    return getattr(node.value, "id", getattr(node.value, "attr", "")) == "opcode"


def handled(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Lines where the text of an opcode is taken apart or looked into, or where one is put together of its parts."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in APART and _is_text(node.func.value):
                yield node.lineno, ast.unparse(node)
        elif isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            if any(map(_is_text, sides)) and any(isinstance(side, ast.Constant) for side in sides):
                yield node.lineno, ast.unparse(node)
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.FormattedValue):
            said = [str(part.value) for part in node.values if isinstance(part, ast.Constant)]
            if " " not in "".join(said) and any(map(_TYPED.search, said)):
                yield node.lineno, ast.unparse(node)


@cache
def _suspicious() -> re.Pattern[str]:
    """A text that begins like an opcode: few files have one, and only these are parsed."""
    return re.compile(rf"[\"'](?:{'|'.join(sorted({stem.partition('.')[0] for stem in stems()}))})\.")


@pytest.mark.parametrize("room", sorted({path.relative_to(SOURCE).parts[0] for path in SOURCE.rglob("*.py")}))
def test_opcodes_are_given_by_slots(room: str) -> None:
    if room == "isa":
        return
    paths = [SOURCE / room] if room.endswith(".py") else sorted((SOURCE / room).rglob("*.py"))
    found = [
        f"{path}:{line}: {text}"
        for path in paths
        if not str(path.relative_to(SOURCE)).startswith(NAMED_ALIKE)
        if _suspicious().search(source := path.read_text(encoding="utf-8"))
        for line, text in spelled(ast.parse(source))
    ]
    assert found == []


@pytest.mark.parametrize("room", BUILDING)
def test_opcodes_are_asked_for_slots(room: str) -> None:
    found = [
        f"{path}:{line}: {text}"
        for path in sorted((SOURCE / room).rglob("*.py"))
        if "opcode" in (source := path.read_text(encoding="utf-8"))
        for line, text in handled(ast.parse(source))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ('inst.opcode.text.endswith("8")', 1),
        ('".param" in inst.opcode.text', 1),
        ('opcode.text == "ld"', 1),
        ('{f"{stem}{space}.b{8 * size}": 1}', 1),
        ('inst.opcode["atype"] == "s8"', 0),
        ("inst.opcode.text in RULES", 0),
        ('f"{name}.b is {size}"', 0),
    ],
)
def test_what_is_found_of_texts(code: str, count: int) -> None:
    assert len(list(handled(ast.parse(code)))) == count


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ('s.pure("add.s32", x)', 1),
        ('s.pure(f"add.s{bits}", x)', 1),
        ('s.pure(f"{stem}.s32", x)', 0),
        ('s.pure(opcode("add", type="s32"), x)', 0),
        ('s.emit(opcode(f"tcgen05.wait::{kind}"))', 0),
        ('print(f"add {x}")', 0),
    ],
)
def test_what_is_found(code: str, count: int) -> None:
    assert len(list(spelled(ast.parse(code)))) == count
