"""The documented spellings: what is on the left is refused, what is on the right is PTX."""

from __future__ import annotations

import re

import pytest

import weft
from tests.conftest import ROOT
from weft.errors import Severity, ToolError
from weft.toolchain import Tool, assemble

ROWS = re.findall(r"^\| `(\w[^`]* [^`]*)` \| `([^`]*)` \|$", (ROOT / "docs" / "mc.md").read_text(), re.MULTILINE)
HEAD = """.version 9.0
.target sm_100a
.address_size 64
.visible .entry k()
{
.reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %fd<9>;
"""


def refused(statement: str) -> bool:
    """Whether ptxas's parser refuses a statement: not only the one after it, which stops it there."""
    text = f"{HEAD}{statement};\nadd.u32 %poison;\n}}\n"
    with pytest.raises(ToolError) as caught:
        assemble(text, target="compute_100a")
    return re.search(r"line 7; (error|fatal)", caught.value.output) is not None


def test_there_are_rows() -> None:
    assert len(ROWS) >= 11


@pytest.mark.sample(3)
@pytest.mark.parametrize(("notes", "ours"), ROWS)
def test_spelling(notes: str, ours: str, ptxas: Tool) -> None:
    for statement, wrong in ((notes, True), (ours, False)):
        found = weft.verify(weft.parse(f"{HEAD}{statement};\nret;\n}}\n"))
        assert any(d.severity is Severity.ERROR for d in found) is wrong
        assert refused(statement) is wrong
