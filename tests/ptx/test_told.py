"""How texts are read: as what they are printed, and where everything in them stands; or why not, and where: `told.txt`."""

from __future__ import annotations

from pathlib import Path
from typing import TypeGuard

import pytest

from tests.told import Told, differing, groups, place_of
from weft import ptx
from weft.errors import PtxSyntaxError

FILE = Path(__file__).with_name("told.txt")
HEADER = ".version 8.4\n.target sm_90\n.address_size 64\n"
AROUND = {
    "text": ("", ""),
    "module": (HEADER, "\n"),
    "body": (f"{HEADER}.entry k()\n{{\n.reg .b32 %r<9>, a, b;\n", "\n}\n"),
}


def judge(place: str, text: str) -> list[str]:
    """The text as it is printed, without what stands around it, and the offsets of its nodes; or the syntax error."""
    before, behind = AROUND[place]
    try:
        module = ptx.parse(before + text + behind, whole=True)
    except PtxSyntaxError as error:
        hint = f" | {error.hint}" if error.hint else ""
        wanted = "" if error.expected in error.message else f" for {error.expected!r}"
        return [f"{place_of(error.position, before.count(chr(10)))} {error.found!r}{wanted}: {error.message}{hint}"]
    empty = ptx.print_module(ptx.parse(before + behind)).splitlines() if before else []
    last = int(place == "body")
    printed = ptx.print_module(module).splitlines()
    lines = [line for line in printed[len(empty) - last : len(printed) - last] if line]
    places = [
        f"{type(node).__name__} {node.pos - len(before)}" for node in ptx.walk(module) if _is_in(node, before, text)
    ]
    return [*(f"> {line}" for line in lines), *([f"@ {', '.join(places)}"] if places else [])]


def _is_in(node: ptx.Node, before: str, text: str) -> TypeGuard[ptx.Statement]:
    """Whether a node stands in an input."""
    return len(before) <= getattr(node, "pos", -1) < len(before + text)


@pytest.mark.parametrize("some", groups(FILE), ids=lambda some: some[0].text[:40])
def test_how_texts_are_read(some: list[Told]) -> None:
    assert differing(some, judge) == ""
