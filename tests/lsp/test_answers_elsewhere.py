"""What an editor is answered about MLIR and about PTX in C++, in this process."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("pygls", reason="pygls is not here")

from lsprotocol import types as lsp

from tests.lsp.asking import CURSOR, Editor, opened
from weft.dialects.nvgpu.floors import STEMS
from weft.dialects.nvvm.instructions import INSTRUCTIONS
from weft.errors import WeftError

CUDA = """\
__device__ void f(int* p, unsigned a, double b) {
  unsigned d; // asm("x")
  asm volatile("{ .reg .u32 t, %%u;\\n"
               "mov.u32 t, %1; add.u33 %0, t, %[n]; }" // %0
               : "=r"(d)
               : "r"(a + 1), [n] "n"(3), "d"(b));
  asm("bra %9; // %0" : "=l"(p));
}
"""


def test_what_is_said_of_ptx_in_cpp() -> None:
    """Of operands, their expressions and registers; of all else in a template, what is said of PTX; outside nothing."""
    editor = Editor(CUDA, "k.cu")
    told: list[tuple[str, str]] = []
    for offset in range(len(CUDA) + 1):
        found = editor.hover(offset)
        if found is not None and (not told or found != told[-1]):
            told.append(found)
    said = [(piece, what.rpartition("\n")[2]) for piece, what in told]
    assert said == [
        (".reg", "exists from PTX 1.0"),
        (".u32", "**.u32** type of 32 bits"),
        ("t", "register `t`, used 2 times"),
        ("%u", "register `%u`, not used"),
        ("mov.u32", said[4][1]),
        ("t", "register `t`, used 2 times"),
        ("%1", '`%1`: `"r"(a+1)`, a .b32 register'),
        ("add.u33", said[7][1]),
        ("%0", '`%0`: `"=r"(d)`, a .b32 register'),
        ("t", "register `t`, used 2 times"),
        ("%[n]", '`%[n]`: `"n"(3)`, a constant'),
        ("bra", said[11][1]),
        ("%0", '`%0`: `"=l"(p)`, a .b64 register'),
    ]
    assert told[4][1].startswith("**mov.u32**") and told[7][1].startswith("'.u33' is not")


def test_names_of_ptx_in_cpp() -> None:
    editor = Editor(CUDA, "k.cu")
    places = [(match.start(), match.end()) for match in re.finditer(r"\bt\b(?=,)", CUDA)]
    assert len(places) == 3
    for start, end in places:
        assert editor.references(start, declaration=True) == places
        assert editor.definition(end) == places[0]
    assert editor.renamed(places[1][0], "%s") == re.sub(r"\bt\b(?=,)", "%s", CUDA)
    for outside in ("unsigned d", "%0", '"r"(', "f(int"):
        assert editor.definition(CUDA.index(outside)) is None


@pytest.mark.parametrize(
    ("written", "labels"), [("mma.sync.aligned.m16n8k16.row.col.f32.", "f16 bf16 e4m3 e5m2"), ("bra ", "L")]
)
def test_completion_of_ptx_in_cpp(written: str, labels: str) -> None:
    editor, cursor = opened(CUDA.replace("mov.u32", f"L: {written}{CURSOR}"), "k.cuh")
    assert [one.label for one in editor.completions(cursor)] == labels.split()
    editor, cursor = opened(CUDA.replace("unsigned d", f"unsigned {CURSOR} d"), "k.cuh")
    assert editor.completions(cursor) == []


def test_there_is_no_outline_of_cpp() -> None:
    editor = Editor(CUDA, "k.cu")
    none = lsp.DocumentSymbolParams(editor.identifier), lsp.FoldingRangeParams(editor.identifier)
    assert editor.ask(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, none[0]) == []
    assert editor.ask(lsp.TEXT_DOCUMENT_FOLDING_RANGE, none[1]) == []
    assert editor.ask(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, lsp.SemanticTokensParams(editor.identifier)).data == []
    span = lsp.Range(lsp.Position(0, 0), lsp.Position(9, 0))
    assert editor.ask(lsp.TEXT_DOCUMENT_INLAY_HINT, lsp.InlayHintParams(editor.identifier, span)) == []
    options = lsp.FormattingOptions(8, False)
    assert editor.ask(lsp.TEXT_DOCUMENT_FORMATTING, lsp.DocumentFormattingParams(editor.identifier, options)) == []


MLIR = """\
#map = affine_map<(d0) -> (d0)>
func.func @f(%x: i32, %y: i32) -> i32 {
  %z = arith.addi %x, %y : i32
  cf.br ^next(%z : i32)
^next(%w: i32):
  nvvm.barrier0
  return %w : i32
}
func.func @g(%x: i32) -> i32 {
  %z = func.call @f(%x, %x) : (i32, i32) -> i32
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %m = affine.apply #map (%i)
  return %z : i32
}
"""
FINISHED = MLIR.replace("%m = affine.apply #map (%i)", "%i = arith.constant {a = #map} 1 : i32")
VALUES = {"@f": 2, "@g": 1, "^next": 2, "%w": 2, "%y": 2, "%t": 1, "#map": 2}
"""Names that mean one thing each, and how often they are there."""


@pytest.mark.parametrize("text", [MLIR, FINISHED], ids=["unfinished", "whole"])
def test_names_of_mlir(text: str) -> None:
    editor = Editor(text, "k.mlir")
    first, second = text.split("func.func @g")
    lines = text.split("\n")
    cases = [(name, text, 0, count) for name, count in VALUES.items()]
    cases += [("%x", first, 0, 2), ("%z", first, 0, 2), ("%x", second, len(text) - len(second), 3)]
    cases += [("%z", second, len(text) - len(second), 2)]
    for name, part, begin, count in cases:
        places = [(begin + m.start(), begin + m.end()) for m in re.finditer(rf"{re.escape(name)}\b", part)]
        assert len(places) == count, name
        declared = places[1] if name == "^next" else places[0]
        line = lines[text.count("\n", 0, declared[0])].strip()
        kind = {"@": "symbol", "^": "block", "#": "alias", "%": "value"}[name[0]]
        times = {1: "not used", 2: "used once"}.get(count, f"used {count - 1} times")
        for start, end in places:
            assert editor.references(start, declaration=True) == editor.highlights(end) == places
            assert editor.references(end, declaration=False) == [place for place in places if place != declared]
            assert editor.definition(start) == declared
            assert editor.renamable(end) == (start, end)
            assert editor.hover(start) == (name, f"```mlir\n{line}\n```\n{kind} `{name}`, {times}")
            renamed = text
            for place in reversed(places):
                renamed = renamed[: place[0] + 1] + "new" + renamed[place[1] :]
            assert editor.renamed(start, "new") == editor.renamed(start, f"{name[0]}new") == renamed
    with pytest.raises(WeftError, match="'%z' is already declared"):
        editor.renamed(text.index("%x"), "z")


def test_operations_have_pages() -> None:
    editor = Editor(MLIR, "k.mlir")
    start = MLIR.index("cf.br")
    assert [editor.hover(start + behind) for behind in (0, 5)] == [("cf.br", "**cf.br**\n\nBranch operation")] * 2
    read = "nvvm.read.ptx.sreg.tid.x"
    assert editor.hover(MLIR.index(read)) == (read, f"**{read}** reads `%tid.x`\n\nthread index in the CTA")
    found = editor.hover(MLIR.index("nvvm.barrier0"))
    assert found is not None and found[1].startswith("**nvvm.barrier0** becomes\n\n**bar**\n\nWait at")
    for nothing in ("return", "i32", "= arith", "{", " cf.br"):
        assert editor.hover(MLIR.index(nothing)) is None


def test_outline_of_mlir() -> None:
    editor = Editor(MLIR, "k.mlir")
    found = editor.ask(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, lsp.DocumentSymbolParams(editor.identifier))
    kinds = {"#map": lsp.SymbolKind.Constant, "@f": lsp.SymbolKind.Function, "@g": lsp.SymbolKind.Function}
    assert {one.name: one.kind for one in found} == kinds
    for one in found:
        start = MLIR.index(one.name)
        assert editor.offsets(one.range) == editor.offsets(one.selection_range) == (start, start + len(one.name))
    folds = editor.ask(lsp.TEXT_DOCUMENT_FOLDING_RANGE, lsp.FoldingRangeParams(editor.identifier))
    assert [(one.start_line, one.end_line) for one in folds] == [(1, 6), (8, 12)]


@pytest.mark.parametrize(
    ("written", "labels"),
    [
        ("%", "%x %y %z %w %t"), ("%z", "%x %y %z %w %t"), ("@", "@f @g"), ("^ne", "^next"), ("#m", "#map"), ("!", ""),
    ],
)  # fmt: skip
def test_names_are_offered_in_mlir(written: str, labels: str) -> None:
    """Those that begin with the sign, and are declared before."""
    editor, cursor = opened(MLIR.replace("  %m =", f"  {written}{CURSOR}\n  %m ="), "k.mlir")
    items = editor.completions(cursor)
    assert sorted(one.label for one in items) == sorted(labels.split())
    assert {(one.kind, one.detail) for one in items} <= {(lsp.CompletionItemKind.Variable, None)}
    assert {editor.offsets(one.text_edit.range) for one in items} <= {(cursor - len(written), cursor)}


@pytest.mark.parametrize("written", ["", "nvv", "nvgpu.m"])
def test_operations_are_offered_in_mlir(written: str) -> None:
    editor, cursor = opened(MLIR.replace("  %m =", f"  {written}{CURSOR}\n  %m ="), "k.mlir")
    items = editor.completions(cursor)
    expected = [(name, ", ".join(stems)) for name, stems in INSTRUCTIONS.items()]
    expected += [(f"nvgpu.{name}", stem) for name, stem in STEMS.items()]
    assert [(one.label, one.detail) for one in items] == expected
    assert {editor.offsets(one.text_edit.range) for one in items} == {(cursor - len(written), cursor)}
