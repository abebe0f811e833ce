"""Sections of debug builds whose units do not fit them, beside ptxas."""

from __future__ import annotations

import pytest

from tests.verifier.matrices.kept import accepted_by_ptxas, accepted_by_us
from weft.toolchain import Tool

UNIT = ".b32 8 .b8 2, 0, 0, 0, 0, 0, 8, 0"
ABBREVIATIONS = ".section .debug_abbrev { .b8 0 }"


@pytest.mark.parametrize(
    ("data", "accepted"),
    [
        ("", True),
        (UNIT, True),
        (f"{UNIT} {UNIT}", True),
        (".b8 8, 0, 0, 0, 2, 0, 0, 0, 0, 0, 8, 0", True),
        (f"{UNIT} .b8 0", False),
        (UNIT.removesuffix(", 0"), False),
        (UNIT.replace("8", "7", 1), False),
        (f"{UNIT} {UNIT.replace('8', '9', 1)}", False),
        ("x: .b32 x .b8 2, 0, 0, 0, 0, 0, 8, 0", False),
    ],
)
def test_units(ptxas: Tool, data: str, accepted: bool) -> None:
    for target, sections in (("sm_90, debug", ABBREVIATIONS), ("sm_90, debug", ""), ("sm_90", ABBREVIATIONS)):
        text = f".version 8.0\n.target {target}\n.address_size 64\n{sections} .section .debug_info {{ {data} }}\n"
        expected = accepted or "debug" not in target or not sections
        assert accepted_by_us(text) == accepted_by_ptxas(text) == expected, text
