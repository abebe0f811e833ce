"""`weft verify`: what it prints, in which format, and with which status."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import weft
from tests.conftest import ROOT
from weft.cli import execute
from weft.ptx.verifier import CODES
from weft.report import Policy

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"
MISPLACED = "    ld.u32.global %r1, [%rd1];\n"
WRONG = "    add.f32 %r1, %rd1, %r1;\n"


def module(*lines: str, head: str = HEAD) -> str:
    return f"{head}.entry k()\n{{\n    .reg .b32 %r<3>; .reg .b64 %rd<3>;\n{''.join(lines)}}}\n"


def file(folder: Path, text: str, name: str = "k.ptx") -> str:
    path = folder / name
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("code", sorted(CODES.keys() - {"file"}))
def test_the_example_of_a_code_gives_rise_to_it(code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    execute(["verify", "--json", file(tmp_path, CODES[code].example)])
    assert [found["code"] for found in json.loads(capsys.readouterr().out)["findings"]] == [code]
    assert execute(["verify", "--explain", code]) == 0
    assert CODES[code].summary[1:] in capsys.readouterr().out


def test_every_code_that_a_check_reports_is_documented() -> None:
    source = "".join(path.read_text() for path in (ROOT / "src/weft/ptx/verifier").glob("*.py"))
    written = set(re.findall(r'(?:report|Mismatch)\(\s*"([a-z-]+)"', source))
    assert len(written) > 12
    assert written <= set(CODES)


def test_text_is_one_finding_of_each_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = file(tmp_path, module(*[MISPLACED] * 9))
    assert execute(["verify", name]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == f"{name}:7:5: warning: 'ld.u32.global' is not in the manual's order [modifier-order] and 8 more"
    assert lines[-1] == "1 file: 9 warnings"
    assert execute(["verify", "--all", name]) == 0
    assert capsys.readouterr().err.count("[modifier-order]") == 9


def test_folders_and_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file(tmp_path, module(WRONG), "a/b/c.ptx")
    file(tmp_path, module(WRONG), "d.ptx")
    file(tmp_path, "no ptx", "notes.txt")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(module(WRONG).encode("utf-8-sig"))))
    assert execute(["verify", "--json", str(tmp_path), "-"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["files"] == 3
    assert [Path(one["file"]).name for one in found["findings"]] == ["c.ptx", "d.ptx", "<stdin>"]
    (tmp_path / "empty").mkdir()
    assert execute(["verify", str(tmp_path / "empty")]) == 2


def test_a_file_that_is_no_ptx_keeps_no_other_from_its_turn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [file(tmp_path, "ld", "a.ptx"), str(tmp_path / "none.ptx"), file(tmp_path, module(WRONG), "c.ptx")]
    (tmp_path / "d.ptx").write_bytes(b".version \xff")
    assert execute(["verify", "--json", *names, str(tmp_path / "d.ptx")]) == 2
    codes = [one["code"] for one in json.loads(capsys.readouterr().out)["findings"]]
    assert codes == ["syntax", "file", "operand-type", "syntax"]


def test_quiet_strict_and_disabled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = file(tmp_path, module(MISPLACED))
    assert execute(["verify", "-q", name]) == 0
    assert execute(["verify", "-q", "-W", "error", name]) == 1
    assert execute(["verify", "-W", "error", "--disable", "modifier-order", name]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("options", "near"),
    [
        (["--target", "sm_91"], "sm_90"),
        (["--ptx-version", "8.9"], "8.8"),
        (["--ptx-version", "x"], "8.6"),
        (["--disable", "windw"], "window"),
        (["--explain", "opcodes"], "opcode"),
        (["--formt", "json"], "--format"),
        (["--format", "sarf"], "sarif"),
    ],
)
def test_what_is_not_known_is_wrong_usage(options: list[str], near: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["verify", *options, "k.ptx"]) == 2
    assert near in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (module(WRONG.replace("\n", " // weft: disable=operand-type\n")), []),
        (module(WRONG.replace("\n", " // weft: disable=opcode, operand-type why not\n")), []),
        (module("    // weft: disable=all\n", WRONG, WRONG), ["operand-type"]),
        (module(WRONG, WRONG, head="// weft: disable=operand-type\n" + HEAD), []),
        (module(WRONG.replace("\n", " // weft: disable=opcode\n")), ["operand-type"]),
        (module(WRONG.replace("\n", " // weft: disable=operand-typ\n")), ["operand-type", "suppression"]),
        (module(WRONG.replace("\n", " // weft: disable-next-line=operand-type\n")), ["operand-type", "suppression"]),
        (module("    // weft: disable=suppression\n", "    ret; // weft: disable=nothing\n"), []),
        (module("    ret; // weft: disable=\n"), []),
    ],
)
def test_comments_disable_codes(text: str, codes: list[str]) -> None:
    found = weft.verify(weft.parse(text))
    assert [one.code for one in Policy(CODES).apply(found, text, "k.ptx")] == codes


def test_a_finding_ends_after_its_piece(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    execute(["verify", "--json", file(tmp_path, module(WRONG))])
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert (found["line"], found["column"], found["end_column"], found["token"]) == (7, 18, 22, "%rd1")


SARIF: dict[str, Any] = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "$schema": {"type": "string", "format": "uri"},
        "runs": {"type": "array", "items": {"$ref": "#/$defs/run"}},
    },
    "additionalProperties": False,
    "$defs": {
        "message": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}},
        "run": {
            "type": "object",
            "required": ["tool", "results"],
            "properties": {
                "tool": {
                    "type": "object",
                    "required": ["driver"],
                    "properties": {
                        "driver": {
                            "type": "object",
                            "required": ["name"],
                            "properties": {
                                "name": {"type": "string"},
                                "semanticVersion": {"type": "string"},
                                "rules": {"type": "array", "uniqueItems": True, "items": {"$ref": "#/$defs/rule"}},
                            },
                            "additionalProperties": False,
                        }
                    },
                    "additionalProperties": False,
                },
                "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                "results": {"type": "array", "items": {"$ref": "#/$defs/result"}},
            },
            "additionalProperties": False,
        },
        "rule": {
            "type": "object",
            "required": ["id"],
            "properties": {
                "id": {"type": "string"},
                "shortDescription": {"$ref": "#/$defs/message"},
                "fullDescription": {"$ref": "#/$defs/message"},
                "help": {"$ref": "#/$defs/message"},
            },
            "additionalProperties": False,
        },
        "result": {
            "type": "object",
            "required": ["message"],
            "properties": {
                "ruleId": {"type": "string"},
                "ruleIndex": {"type": "integer", "minimum": -1},
                "level": {"enum": ["none", "note", "warning", "error"]},
                "message": {"$ref": "#/$defs/message"},
                "locations": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "physicalLocation": {
                                "type": "object",
                                "required": ["artifactLocation"],
                                "properties": {
                                    "artifactLocation": {
                                        "type": "object",
                                        "properties": {"uri": {"type": "string", "pattern": "^[!-~]+$"}},
                                    },
                                    "region": {
                                        "type": "object",
                                        "required": ["startLine"],
                                        "properties": {
                                            "startLine": {"type": "integer", "minimum": 1},
                                            "startColumn": {"type": "integer", "minimum": 1},
                                            "endColumn": {"type": "integer", "minimum": 1},
                                        },
                                        "additionalProperties": False,
                                    },
                                },
                                "additionalProperties": False,
                            }
                        },
                        "additionalProperties": False,
                    },
                },
            },
            "additionalProperties": False,
        },
    },
}
"""The parts of the schema of SARIF 2.1.0 (OASIS) that weft writes, with what it demands of them."""


def test_sarif_is_what_the_standard_demands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [file(tmp_path, CODES[code].example, f"é {code}.ptx") for code in CODES]
    assert execute(["verify", "--format", "sarif", *names, str(tmp_path / "none.ptx")]) == 2
    log = json.loads(capsys.readouterr().out)
    jsonschema.validate(log, SARIF)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    assert set(rules) == set(CODES)
    regions = [result["locations"][0]["physicalLocation"].get("region") for result in run["results"]]
    assert all(region["endColumn"] > region["startColumn"] for region in regions if region and "endColumn" in region)


def test_github_lines_hold_one_finding_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = file(tmp_path, module(WRONG, MISPLACED), "a,b:c.ptx")
    execute(["verify", "--format", "github", name])
    lines = capsys.readouterr().out.splitlines()
    escaped = name.replace(":", "%3A").replace(",", "%2C")
    start = f"::error file={escaped},line=7,col=18,endColumn=22,title=weft operand-type::"
    assert lines[0].startswith(start)
    assert lines[1].startswith("::warning file=")
    assert len(lines) == 2


def hooks() -> dict[str, dict[str, str]]:
    """The hooks for pre-commit; the file is simple enough to be read without a YAML reader."""
    found: dict[str, dict[str, str]] = {}
    for entry in re.split(r"^- ", (ROOT / ".pre-commit-hooks.yaml").read_text(), flags=re.MULTILINE)[1:]:
        facts = dict(line.strip().split(": ", 1) for line in entry.splitlines())
        found[facts["id"]] = facts
    return found


def test_the_hooks_run(tmp_path: Path) -> None:
    assert set(hooks()) == {"weft-verify", "weft-fmt", "weft-lint"}
    good, bad = module("    ret;\n"), module(WRONG)
    for name, text, status in (("good.ptx", good, 0), ("bad.ptx", bad, 1)):
        path = file(tmp_path, text, name)
        for hook, expected in (("weft-verify", status), ("weft-fmt", 0)):
            assert re.search(hooks()[hook]["files"], path)
            program, *options = hooks()[hook]["entry"].split()
            assert program == "weft"
            command = [sys.executable, "-m", "weft", *options, path]
            assert subprocess.run(command, capture_output=True, check=False).returncode == expected
        assert weft.format_text(text) == Path(path).read_text()
    hook = hooks()["weft-lint"]
    assert hook["types_or"] == "[c++, cuda, c]"
    header = file(tmp_path, 'asm("add.u33 %0, 1, 1;" : "=r"(d));', "bad.cuh")
    command = [sys.executable, "-m", *hook["entry"].split(), header]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 1


def test_the_page_of_codes_is_that_of_the_registry(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["verify", "--explain", "all"]) == 0
    page = (ROOT / "docs/verifier-codes.md").read_text()
    assert capsys.readouterr().out == page, "weft verify --explain all > docs/verifier-codes.md"
