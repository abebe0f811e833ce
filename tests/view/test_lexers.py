"""The Pygments lexers: every character has a meaning, and what the tables know has its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from pygments.lexer import RegexLexer
from pygments.lexers._mapping import LEXERS
from pygments.token import Comment, Error, Keyword, Name, Number, Text, _TokenType

import weft
from tests.conftest import nvidia_tool
from tests.corpus.sources import OTHER_TARGETS, SOURCES, Source
from weft.isa.registry import compiled_forms, stems
from weft.ptx.sample import sample_statement, sample_variants
from weft.view.lexers import MlirLexer, PtxLexer, SassLexer

ROOT = Path(__file__).resolve().parents[2]


def tokens(lexer: PtxLexer | SassLexer | MlirLexer, text: str) -> list[tuple[_TokenType, str]]:
    found = list(lexer.get_tokens(text))
    assert "".join(word for _, word in found) == text
    return found


def unknown(found: list[tuple[_TokenType, str]]) -> list[str]:
    return [word for kind, word in found if kind in Error or kind is Text]


def kinds(found: list[tuple[_TokenType, str]]) -> dict[str, _TokenType]:
    return {word: kind for kind, word in found}


def check_ptx(text: str) -> None:
    lexer = PtxLexer(stripnl=False, ensurenl=False)
    found = tokens(lexer, text)
    assert unknown(found) == []
    module = weft.parse(text)
    opcodes = {
        str(instruction.opcode).partition(".")[0]
        for function in module.functions
        for instruction in function.instructions()
    }
    written = {word for kind, word in found if kind is Keyword}
    assert opcodes <= written


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.mlir")), ids=lambda path: path.name)
def test_examples(path: Path) -> None:
    text = path.read_text()
    found = tokens(MlirLexer(stripnl=False, ensurenl=False), text)
    assert unknown(found) == []
    assert {Keyword, Name.Variable, Keyword.Type} <= {kind for kind, _ in found}
    check_ptx(weft.compile(text, "sm_90a").to_ptx())


@pytest.mark.slow
@pytest.mark.parametrize("source", [*SOURCES, *OTHER_TARGETS], ids=str)
def test_corpus(source: Source) -> None:
    check_ptx(source.ptx())


@pytest.mark.slow
def test_every_instruction_of_the_table() -> None:
    lexer = PtxLexer(stripnl=False, ensurenl=False)
    for stem in stems():
        for form in compiled_forms(stem):
            for variant in sample_variants(form):
                found = tokens(lexer, f"@%p {sample_statement(variant)};\n")
                assert unknown(found) == [], found
                assert (Keyword, stem.partition(".")[0]) in found


def test_words() -> None:
    text = ".visible .entry k(.param .u64 p) { // x\nL: @!%p bra L; ld.global.v4.f32 {%f1, _, _, _}, [%rd1+-4];\nmov.u32 %r1, %tid.x; mov.b32 %r2, 0f3F800000; ret; }\n"
    found = kinds(tokens(PtxLexer(stripnl=False), text))
    assert found["ld"] is found["bra"] is found["ret"] is Keyword
    assert found[".global"] is found[".v4"] is Name.Attribute and found[".f32"] is Keyword.Type
    assert found["%tid"] is Name.Variable.Magic and found["%r1"] is Name.Variable
    assert found[".entry"] is Keyword.Declaration and found["L"] in (Name.Label, Name)
    assert found["0f3F800000"] in Number and found["// x"] in Comment


def test_sass() -> None:
    nvidia_tool("ptxas"), nvidia_tool("nvdisasm")
    trace = weft.trace(str(ROOT / "examples/gemm_sm80.mlir"), "sm_80")
    text = trace.stage("sass").text
    found = tokens(SassLexer(stripnl=False, ensurenl=False), text)
    assert unknown(found) == []
    assert {"HMMA", "LDSM", "BAR"} <= {word for kind, word in found if kind is Keyword}
    line = kinds(
        tokens(
            SassLexer(stripnl=False),
            "  0770  B-1----:R-:W-:-:S08  62 ┃ @!P0 HMMA.16816.F32 R4, R40.reuse, c[0x0][0x160], RZ\n",
        )
    )
    assert line["B-1----:R-:W-:-:S08"] is Comment.Special and line["@!P0"] is Name.Decorator
    assert line["HMMA"] is Keyword and line["RZ"] is Name.Variable and line["0x160"] is Number


def test_they_are_entry_points() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    for name in ("PtxLexer", "SassLexer", "MlirLexer"):
        assert f'"weft.view.lexers:{name}"' in text


@pytest.mark.parametrize("lexer", [PtxLexer, SassLexer, MlirLexer])
def test_a_name_of_each_is_not_one_of_pygments(lexer: type[RegexLexer]) -> None:
    """Pygments asks its own lexers first: a name that one of them has never leads here."""
    taken = {alias for _, _, aliases, _, _ in LEXERS.values() for alias in aliases}
    assert set(lexer.aliases) - taken
    assert lexer.aliases[0] not in taken


def test_editors_and_browsers_know_the_lexers_by_these_names() -> None:
    assert (PtxLexer.mimetypes, PtxLexer.filenames) == (["text/x-ptx"], ["*.ptx"])
    for lexer in (PtxLexer, SassLexer, MlirLexer):
        assert {lexer.name.lower(), f"weft-{lexer.name.lower()}"} & {*lexer.aliases}
