"""Variables of every kind of type in every space and place: our verdict beside ptxas's."""

from __future__ import annotations

from itertools import product

import pytest

from tests.verifier.matrices.kept import accepted_by_ptxas, accepted_by_us
from weft.toolchain import Tool

HEADER = ".version 8.0\n.target sm_90{mode}\n.address_size 64\n"
TYPES = ["b32", "f64", "b8", "pred", "f16x2", "texref", "samplerref", "surfref"]
SPACES = ["global", "const", "const[1]", "shared", "local", "param", "tex", "reg"]
LINKAGES = ["", ".extern ", ".visible ", ".common "]
SHAPES = ["{}", "{}[4]", "{}[]", "{} = 0", ".v2"]


def declared(linkage: str, space: str, type_: str, shape: str) -> str:
    name = shape.format("v") if "{}" in shape else "v"
    return f"{linkage}.{space} {'.v2 ' if shape == '.v2' else ''}.{type_} {name};"


def wrong(space: str, type_: str, linkages: list[str], shapes: list[str]) -> list[str]:
    found: list[str] = []
    for linkage, shape, inside in product(linkages, shapes, (False, True)):
        line = declared(linkage, space, type_, shape)
        text = HEADER.format(mode=", texmode_independent" if len(line) % 2 else "")
        text += f".entry k() {{ {line} ret; }}\n" if inside else f"{line}\n.entry k() {{ ret; }}\n"
        theirs = accepted_by_ptxas(text)
        if theirs is not None and theirs != accepted_by_us(text):
            found.append(f"{text} ptxas: {theirs}")
    return found


@pytest.mark.sample(2)
@pytest.mark.parametrize("space", ["global", "const", "shared", "param"])
def test_handles(ptxas: Tool, space: str) -> None:
    assert [text for type_ in TYPES[-3:] for text in wrong(space, type_, [""], ["{}", "{}[4]"])] == []


@pytest.mark.slow
@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("type_", TYPES)
def test_declarations(ptxas: Tool, space: str, type_: str) -> None:
    assert wrong(space, type_, LINKAGES, SHAPES) == []
