"""Names of MLIR in an editor: whatever is renamed everywhere that the editor says, the module stays the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="pygls is not here")

from weft.errors import MlirError
from weft.lsp import mlir_names
from weft.lsp.mlir_names import Defined, MlirNames
from weft.mlir import print_mlir
from weft.mlir.module import parse_mlir
from weft.places import Use

ROOT = Path(__file__).resolve().parents[2]
FILES = [*sorted((ROOT / "tests").rglob("*.mlir")), *sorted((ROOT / "examples").glob("*.mlir"))]
MOST = 40
"""Modules of one file."""


def renamed(text: str, names: MlirNames) -> str:
    """Every value, block and alias by another name, at each place where the editor finds it."""
    parts, position = [], 0
    for use in names.uses:
        declared, written = use.declared, text[use.start : use.end]
        assert declared is not None or written[0] in "@#!", f"nothing declares {written}"
        if declared is not None and declared.kind != "symbol":
            written = f"{written[0]}renamed{names.declared.index(declared)}"
        parts += [text[position : use.start], written]
        position = use.end
    return "".join(parts) + text[position:]


@pytest.mark.sample(4)
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_renaming_keeps_the_module(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And where the parser gives up, names are guessed to mean the same, of what is defined before."""
    for text in re.split(r"^// -----.*$", path.read_text(), flags=re.MULTILINE)[:MOST]:
        try:
            expected = print_mlir(parse_mlir(text))
        except MlirError:
            continue
        names = MlirNames(text)
        assert print_mlir(parse_mlir(renamed(text, names))) == expected, text
        if re.search(r"\bindirectbr\b|\bdimensions\b", text) is None:
            with monkeypatch.context() as unread:
                unread.setattr(mlir_names, "scopes_of", lambda text: None)
                assert differing(names, MlirNames(text)) == [], text


def differing(names: MlirNames, guessed: MlirNames) -> list[tuple[object, object]]:
    """Names that mean something else, but for those that are used before they are defined."""

    def told(use: Use[Defined]) -> tuple[int, str, str, int]:
        one = use.declared
        return (use.start, one.name, one.kind, one.start) if one is not None else (use.start, "", "", -1)

    pairs = [(told(a), told(b)) for a, b in zip(names.uses, guessed.uses, strict=True)]
    return [(a, b) for a, b in pairs if a != b and (a[3] <= a[0] or a[2] != "value")]


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


GUESSED = """\
#map = affine_map<(d0) -> (d0)>
func.func private @g(%m: (f32) -> f32, %k: tensor<4xf32>)
func.func @f(%n: index, %a: f32) -> (f32, f32) {
  %x, %y:2 = "some.op"(%n, %a) : (index, f32) -> (f32, f32, f32)
  %one:3, %two = "some.op"(%x, %y#1) ({
  ^inner(%p: f32, %q: f32):
    "some.end"(%p, %q)[^inner, ^later] : (f32, f32) -> ()
  ^later:
    "some.end"(%a) : (f32) -> ()
  }) : (f32, f32) -> (f32, f32, f32, f32)
  %z = call @g(%one#0, %two) : (f32, f32) -> f32
  %n : index, %z
}}
%lost = use %unknown, #map, #dialect.thing
#map"""


def test_what_is_guessed_of_definitions_of_several_values() -> None:
    """Each name means the definition that a reader would say, however many stand on a line; others mean none."""
    names = MlirNames(GUESSED)
    told = [
        (GUESSED[use.start : use.end], GUESSED.count("\n", 0, use.start) + 1,
         None if use.declared is None else GUESSED.count("\n", 0, use.declared.start) + 1)
        for use in names.uses
    ]  # fmt: skip
    assert told == [
        ("#map", 1, 1), ("@g", 2, 2), ("%m", 2, 2), ("%k", 2, 2), ("@f", 3, 3), ("%n", 3, 3), ("%a", 3, 3),
        ("%x", 4, 4), ("%y", 4, 4), ("%n", 4, 3), ("%a", 4, 3),
        ("%one", 5, 5), ("%two", 5, 5), ("%x", 5, 4), ("%y", 5, 4),
        ("^inner", 6, 6), ("%p", 6, 6), ("%q", 6, 6), ("%p", 7, 6), ("%q", 7, 6), ("^inner", 7, 6), ("^later", 7, 8),
        ("^later", 8, 8), ("%a", 9, 3), ("%z", 11, 11), ("@g", 11, 2), ("%one", 11, 5), ("%two", 11, 5),
        ("%n", 12, 3), ("%z", 12, 11), ("%lost", 14, 14), ("%unknown", 14, None), ("#map", 14, 1), ("#map", 15, 1),
    ]  # fmt: skip
