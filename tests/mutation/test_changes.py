"""What is changed, and what is left alone."""

from __future__ import annotations

import ast

from tests.mutation.changes import changes

TABLE = """
_SEMANTICS = "d = bits of a"
FAMILY = Family("stem", "Count the bits.", forms=(form("a.type d", types="u32 s32"),), semantics="d = bits of a")
OTHER = _helper("other", "Shift left", manual="an-anchor", effects=Effects(reads="shared"))
"""


def test_documentation_is_left_alone() -> None:
    found = {change.what.partition(" -> ")[0] for change in changes(ast.parse(TABLE))}
    assert found == {"'stem'", "'a.type d'", "'u32 s32'", "'other'", "'shared'"}
