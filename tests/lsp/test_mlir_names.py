"""Names of MLIR in an editor: whatever is renamed everywhere that the editor says, the module stays the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="pygls is not here")

from weft.errors import MlirError
from weft.lsp.mlir_names import MlirNames
from weft.mlir import print_mlir
from weft.mlir.module import parse_mlir

ROOT = Path(__file__).resolve().parents[2]
FILES = [*sorted((ROOT / "tests").rglob("*.mlir")), *sorted((ROOT / "examples").glob("*.mlir"))]
MOST = 40
"""Modules of one file."""


def renamed(text: str) -> str:
    """Every value, block and alias by another name, at each place where the editor finds it."""
    names = MlirNames(text)
    parts, position = [], 0
    for use in names.uses:
        declared, written = use.declared, text[use.start : use.end]
        assert declared is not None or written[0] in "@#!", f"nothing declares {written}"
        if declared is not None and declared.kind != "symbol":
            written = f"{written[0]}renamed{names.declared.index(declared)}"
        parts += [text[position : use.start], written]
        position = use.end
    return "".join(parts) + text[position:]


@pytest.mark.sample(8)
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_renaming_keeps_the_module(path: Path) -> None:
    for text in re.split(r"^// -----.*$", path.read_text(), flags=re.MULTILINE)[:MOST]:
        try:
            expected = print_mlir(parse_mlir(text))
        except MlirError:
            continue
        assert print_mlir(parse_mlir(renamed(text))) == expected, text


UNFINISHED = """\
func.func @f(%n: index, %a: f32) {
  %sum = scf.for %i = %n to %n step %n iter_args(%part = %a) -> (f32) {
    %more = arith.addf %part, %a : f32
    scf.yield %more : f32
  }
  arith.addf %sum,
}
"""


def test_of_an_unfinished_text_they_are_guessed() -> None:
    names = MlirNames(UNFINISHED)
    for name, count in (("%part", 2), ("%more", 2), ("%sum", 2), ("%i", 1), ("%a", 3), ("%n", 4)):
        (declared,) = [one for one in names.declared if one.name == name]
        assert len(names.of(declared)) == count, name
