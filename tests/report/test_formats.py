"""Findings in each format, whole, and which of them count."""

from __future__ import annotations

import json
from typing import Any

import pytest

import weft
from weft.errors import Diagnostic, Position, Severity
from weft.report import FORMATS, Code, Policy, render, summary

CODES = {
    "wide": Code("A width.", "It is too wide.", "Write less.", "x"),
    "old": Code("An age.", "It was.", "Wait.", "y"),
}

WIDE = Diagnostic(
    "wide",
    "'ld.b64' is 8% too wide: 2, 3\r\nlines",
    Severity.ERROR,
    Position(2, 4, "a b\\k:1,2.ptx", "  ld.b64 %r1"),
    "d.b64",
    ("b32", "b16"),
    "write b32",
    related=Position(1, 2, "c d.ptx", "  x"),
    facts=(("lanes", 3), ("bank", "x")),
)
OLD = Diagnostic("old", "'x' of %r1 is 12", Severity.WARNING, Position(3, 1, "k.ptx", "x"))
ALIKE = Diagnostic("old", "'y' of %r$.2 is 7", Severity.WARNING, Position(9, 0, "k.ptx"))
FILE = Diagnostic("file", "no such file", Severity.NOTE, Position(0, 0, "k.ptx"))
FOUND = [WIDE, OLD, ALIKE, FILE, FILE]


def test_text_has_the_first_of_each_kind() -> None:
    """A kind is a message but for its names and numbers; what is said of a whole file is said of each."""
    wide = (
        "a b\\k:1,2.ptx:2:4: error: 'ld.b64' is 8% too wide: 2, 3\r [wide]\nlines\n"
        "  ld.b64 %r1\n   ^\nhint: write b32\n"
    )
    old, alike = "k.ptx:3:1: warning: 'x' of %r1 is 12 [old]", "k.ptx:9: warning: 'y' of %r$.2 is 7 [old]\n"
    files = "k.ptx: note: no such file [file]\n" * 2
    said = "4 files: 1 error, 2 warnings\n"
    assert render("text", FOUND, CODES, 4) == f"{wide}{old} and 1 more\nx\n^\n{files}{said}"
    assert render("text", FOUND, CODES, 4, every=True) == f"{wide}{old}\nx\n^\n{alike}{files}{said}"
    assert render("text", [], CODES, 4) == render("text", [], CODES, 4, every=True) == ""


@pytest.mark.parametrize(
    ("other", "lines"),
    [
        (Diagnostic("new", "'y' of %r1 is 12", Severity.WARNING, Position(4)), 2),
        (Diagnostic("old", "'y' of %r1 is 12", Severity.NOTE, Position(4)), 2),
        (Diagnostic("old", "'y' or %r1 is 12", Severity.WARNING, Position(4)), 2),
        (Diagnostic("old", "'y' of 12 is %rd", Severity.WARNING, Position(4)), 1),
        (Diagnostic("old", "'y' of %r1 is '12'", Severity.WARNING, Position(4)), 1),
    ],
)
def test_what_is_of_one_kind(other: Diagnostic, lines: int) -> None:
    one = Diagnostic("old", "'x' of %r1 is 12", Severity.WARNING, Position(3))
    assert len(render("text", [one, other], CODES, 1).splitlines()) == lines + 1


def test_summaries() -> None:
    assert [summary(found, files) for found, files in (([], 1), (FOUND, 3), ([OLD], 2), ([WIDE], 0), ([FILE], 1))] == [
        "1 file: nothing found",
        "3 files: 1 error, 2 warnings",
        "2 files: 1 warning",
        "0 files: 1 error",
        "1 file: nothing found",
    ]


def test_json() -> None:
    def plain(one: Diagnostic, **more: Any) -> dict[str, Any]:
        names = ("line", "column", "end_column", "code", "message", "token", "hint")
        said = {name: getattr(one, name) for name in names}
        return {"file": one.position.file, "severity": one.severity.value, "allowed": [*one.allowed], **said, **more}

    more = {"related": {"file": "c d.ptx", "line": 1, "column": 2}, "facts": {"lanes": 3, "bank": "x"}}
    printed = render("json", FOUND, CODES, 4, every=True)
    assert json.loads(printed) == {
        "files": 4,
        "errors": 1,
        "warnings": 2,
        "findings": [plain(WIDE, **more), *(plain(one) for one in FOUND[1:])],
    }
    assert WIDE.end_column == 9
    assert printed.startswith('{\n  "files": 4,\n') and printed.endswith("}\n")


def test_sarif() -> None:
    """SARIF 2.1.0: rules by their names, columns from 1 on, an end after the last, and places as URIs."""

    def result(rule: str, index: int, level: str, text: str, uri: str, region: object = None) -> dict[str, Any]:
        place = {"artifactLocation": {"uri": uri}} | ({"region": region} if region else {})
        where = [{"physicalLocation": place}]
        return {"ruleId": rule, "ruleIndex": index, "level": level, "message": {"text": text}, "locations": where}

    def rule(name: str) -> dict[str, Any]:
        said = {"shortDescription": "summary", "fullDescription": "detail", "help": "fix"}
        return {"id": name, **{key: {"text": getattr(CODES[name], field)} for key, field in said.items()}}

    other = {"artifactLocation": {"uri": "c%20d.ptx"}, "region": {"startLine": 1, "startColumn": 2, "endColumn": 3}}
    wide = result(
        "wide", 2, "error", f"{WIDE.message} (write b32)", "a%20b/k%3A1%2C2.ptx",
        {"startLine": 2, "startColumn": 4, "endColumn": 9},
    )  # fmt: skip
    wide["relatedLocations"] = [{"id": 1, "message": {"text": "the other side"}, "physicalLocation": other}]
    wide["properties"] = {"lanes": 3, "bank": "x"}
    old = result("old", 1, "warning", OLD.message, "k.ptx", {"startLine": 3, "startColumn": 1, "endColumn": 2})
    results = [
        wide,
        old,
        result("old", 1, "warning", ALIKE.message, "k.ptx", {"startLine": 9}),
        result("file", 0, "note", FILE.message, "k.ptx"),
        result("file", 0, "note", FILE.message, "k.ptx"),
    ]
    rules = [{"id": "file"}, rule("old"), rule("wide")]
    driver = {"name": "weft", "semanticVersion": weft.__version__, "rules": rules}
    printed = render("sarif", FOUND, CODES, 4)
    assert json.loads(printed) == {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }
    assert printed.startswith('{\n  "$schema"') and printed.endswith("}\n")


def test_commands_for_github() -> None:
    """As its runner reads them: in a message percent signs and ends of lines are escaped, in properties `:` and `,` too."""
    assert render("github", FOUND, CODES, 4) == (
        "::error file=a b\\k%3A1%2C2.ptx,line=2,col=4,endColumn=9,title=weft wide"
        "::'ld.b64' is 8%25 too wide: 2, 3%0D%0Alines (write b32)\n"
        "::warning file=k.ptx,line=3,col=1,endColumn=1,title=weft old::'x' of %25r1 is 12\n"
        "::warning file=k.ptx,line=9,title=weft old::'y' of %25r$.2 is 7\n"
        "::notice file=k.ptx,title=weft file::no such file\n"
        "::notice file=k.ptx,title=weft file::no such file\n"
    )
    assert list(FORMATS) == ["text", "json", "sarif", "github"]


PTX = ".version 8.0\n"


def kept(text: str, *found: tuple[int, str], begins: dict[int, int] | None = None, **policy: Any) -> list[str]:
    """The findings on some lines that count, and those about the comments."""
    some = [Diagnostic(code, "m", Severity.WARNING, Position(line, 1)) for line, code in found]
    counted = Policy(("wide", "old", "suppression"), **policy).apply(some, text, "k", begins)
    return [f"{one.line}:{one.column} {one.code}" for one in counted]


@pytest.mark.parametrize(
    ("comment", "others"),
    [
        ("// weft: disable=old", []),
        ("//weft:disable=old", []),
        ("//\t weft: \tdisable=\told\t, wide", []),
        ("// weft: disable=wide,old because", []),
        ("// weft: disable=all", []),
        ("// weft: disable=wide", ["2:1 old"]),
        ("// weft: disable=wide old", ["2:1 old"]),
        ("// weft: disable=, old", ["2:1 old"]),
        ("// weft disable=old", ["2:1 old"]),
        ("/* weft: disable=old */", ["2:1 old"]),
        ("// Weft: disable=old", ["2:1 old"]),
        ("// weft: disable=older", ["2:1 old", "2:23 suppression"]),
        ("// weft: disable=old, wider", ["2:28 suppression"]),
        ("// weft: disable=wider, suppression", ["2:1 old"]),
        ("// weft: disabled=old", ["2:1 old", "2:15 suppression"]),
        ("// weft: disable old", ["2:1 old", "2:15 suppression"]),
        ("// weft: ignore", ["2:1 old", "2:15 suppression"]),
        ("// weft: suppress=old", ["2:1 old", "2:15 suppression"]),
        ("// weft: enable=old", ["2:1 old", "2:15 suppression"]),
        ("// weft: see old", ["2:1 old"]),
    ],
)
def test_what_a_comment_disables(comment: str, others: list[str]) -> None:
    """The codes that it lists, on its line."""
    assert kept(f"{PTX}ret; {comment}\nret;", (2, "old")) == others


@pytest.mark.parametrize(
    ("text", "begins", "quiet"),
    [
        (f"{PTX}ret; // weft: disable=old\nret;\n", None, {2}),
        (f"{PTX}  // weft: disable=old\nret;\nret;\n", None, {3}),
        (f"// weft: disable=old\n{PTX}ret;\n", None, {1, 2, 3, 4}),
        (f"ret;\n// weft: disable=old\n \t{PTX}ret;\n", None, {1, 2, 3, 4}),
        (".versions 8.0\n// weft: disable=old\n", None, {1, 2, 3, 4}),
        ("int x; // weft: disable=old\n", {}, {1}),
        ("\n// a\n \t/* b\n * c */\n// weft: disable=old\nint x;\n", {}, {1, 2, 3, 4}),
        ("int x;\n// weft: disable=old\nint x;\n", {}, {3}),
        ("a(\n// weft: disable=old\nb,\nc);\n", {4: 3, 3: 3, 1: 2}, {3, 4}),
        ("a(b, // weft: disable=old\nc,\nd);\n", {2: 1, 3: 1}, {1, 2, 3}),
    ],
)
def test_where_a_comment_holds(text: str, begins: dict[int, int] | None, quiet: set[int]) -> None:
    """For its line, alone on it for the next; above `.version`, or in C++ above all code, for the file; in C++ for all of
    the statement that starts there.
    """
    found = kept(text, *((line, "old") for line in range(1, 5)), begins=begins)
    assert found == [f"{line}:1 old" for line in range(1, 5) if line not in quiet]


def test_codes_that_do_not_count() -> None:
    text = f"{PTX}ret; // weft: disable=older\n// weft: enable\n"
    some = [(1, "old"), (1, "wide")]
    assert kept(text, *some) == ["1:1 old", "1:1 wide", "2:23 suppression", "3:10 suppression"]
    assert kept(text, *some, disabled=frozenset(["old", "suppression"])) == ["1:1 wide"]
    assert kept(text.replace("weft:", "w:"), *some) == ["1:1 old", "1:1 wide"]
    above = "// weft: disable=suppression\n"
    assert kept(above + text, *some) == ["1:1 old", "1:1 wide"]


def test_findings_about_comments() -> None:
    text = f"{PTX}// weft: disable=olt\nret; // weft: disable-line=old\n// weft: disable=x"
    found = Policy(("wide", "old")).apply([], text, "k.ptx")
    assert [(one.code, one.message, one.severity, one.token, one.hint) for one in found] == [
        ("suppression", "unknown code 'olt'", Severity.WARNING, "olt", "did you mean old?"),
        (
            "suppression",
            "'disable-line' disables nothing",
            Severity.WARNING,
            "disable-line",
            "written // weft: disable=CODE",
        ),
        ("suppression", "unknown code 'x'", Severity.WARNING, "x", "expected one of wide, old"),
    ]
    lines = text.split("\n")
    assert [one.position for one in found] == [
        Position(2, 18, "k.ptx", lines[1]),
        Position(3, 15, "k.ptx", lines[2]),
        Position(4, 18, "k.ptx", lines[3]),
    ]


def test_warnings_as_errors() -> None:
    """All that counts, in the order of the places."""
    found = [FILE, OLD, WIDE, Diagnostic("old", "m", Severity.NOTE, Position(2, 3))]
    plain = Policy(CODES).apply(found, PTX, "k")
    assert [(one.line, one.column, one.severity.value) for one in plain] == [
        (0, 0, "note"),
        (2, 3, "note"),
        (2, 4, "error"),
        (3, 1, "warning"),
    ]
    errors = Policy(CODES, strict=True).apply(found, PTX, "k")
    assert [(one.at(Position()), one.severity) for one in errors] == [
        (strict.at(Position()), Severity.ERROR) for strict in errors
    ]
    assert [one.message for one in errors] == [one.message for one in plain]
