"""The grammars of the VS Code extension are those that the table gives, and its manifest names what there is."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest

from weft.isa.directives import DIRECTIVES
from weft.isa.registers import SPECIAL_REGISTERS
from weft.isa.registry import compiled_forms, stems
from weft.ptx.sample import sample_statement, sample_variants
from weft.view.grammar import ptx_grammar

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "editors" / "vscode"


def rule(name: str) -> re.Pattern[str]:
    return re.compile(ptx_grammar()["repository"][name]["match"])


def test_the_files_are_what_the_script_writes() -> None:
    spec = importlib.util.spec_from_file_location("editor_grammar", ROOT / "scripts" / "editor_grammar.py")
    assert spec is not None and spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for path, text in module.grammars().items():
        assert path.read_text() == text, "run scripts/editor_grammar.py"


def test_every_instruction_is_one_match() -> None:
    pattern = rule("opcode")
    for stem in stems():
        for form in compiled_forms(stem):
            for variant in sample_variants(form):
                opcode = sample_statement(variant).split()[0]
                found = pattern.fullmatch(opcode)
                assert found is not None and found[1] == stem.partition(".")[0], opcode


@pytest.mark.parametrize(("name", "words"), [("special", SPECIAL_REGISTERS), ("directive", DIRECTIVES)])
def test_every_word(name: str, words: dict[str, object]) -> None:
    pattern = rule(name)
    assert all(pattern.fullmatch(word) for word in words)


def test_words_inside_of_others_are_not_opcodes() -> None:
    for text in ("%add", "my.add", "added", "add_x", "_add"):
        assert rule("opcode").search(text) is None, text


def test_the_manifest() -> None:
    manifest = json.loads((EXTENSION / "package.json").read_text())
    contributed = manifest["contributes"]
    for grammar in contributed["grammars"]:
        assert json.loads((EXTENSION / grammar["path"]).read_text())["scopeName"] == grammar["scopeName"]
    configuration = next(one["configuration"] for one in contributed["languages"] if "configuration" in one)
    re.compile(json.loads((EXTENSION / configuration).read_text())["wordPattern"])
    source = (EXTENSION / "src" / "extension.ts").read_text()
    for command in contributed["commands"]:
        assert f'"{command["command"]}"' in source
    for setting in contributed["configuration"]["properties"]:
        assert f'configured("{setting.removeprefix("weft.")}"' in source
    import weft

    assert manifest["version"] == weft.__version__
