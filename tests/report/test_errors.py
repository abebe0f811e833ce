"""Positions, findings and errors, and how they are printed."""

from __future__ import annotations

import pytest

from weft import errors
from weft.errors import (
    BuildError,
    BytesError,
    Diagnostic,
    Position,
    PtxSyntaxError,
    Severity,
    ToolError,
    VerifyError,
    WeftError,
    counted,
    meant,
    near_names,
    nearest,
    position_at,
    positions_at,
)


@pytest.mark.parametrize(
    ("position", "printed"),
    [
        (Position(), "<string>"),
        (Position(0, 4, "k.ptx"), "k.ptx"),
        (Position(3, 0, "k.ptx"), "k.ptx:3"),
        (Position(3, 4, "k.ptx"), "k.ptx:3:4"),
        (Position(1, 1), "<string>:1:1"),
    ],
)
def test_positions_as_printed(position: Position, printed: str) -> None:
    assert str(position) == printed


@pytest.mark.parametrize(
    ("source", "column", "shown"),
    [
        (None, 1, ""),
        ("", 1, ""),
        (" \t", 2, ""),
        ("ab", 0, "ab"),
        ("ab", 1, "ab\n^"),
        ("ab", 3, "ab\n  ^"),
        ("\ta\tb", 4, " a b\n   ^"),
    ],
)
def test_the_line_with_a_caret(source: str | None, column: int, shown: str) -> None:
    """The column counts characters, so a tabulator is shown as one."""
    assert Position(1, column, source=source).caret() == shown


LONG = "".join(chr(ord("a") + i % 26) for i in range(1000))


@pytest.mark.parametrize(
    ("length", "column", "first", "last", "caret"),
    [
        (240, 240, 0, 240, 239),
        (241, 1, 0, 240, 0),
        (241, 120, 0, 240, 119),
        (241, 121, 1, 241, 122),
        (1000, 120, 0, 240, 119),
        (1000, 121, 1, 241, 122),
        (1000, 500, 380, 620, 122),
        (1000, 880, 760, 1000, 122),
        (1000, 879, 759, 999, 122),
        (1000, 1000, 760, 1000, 242),
    ],
)
def test_of_a_long_line_what_is_around_the_caret(length: int, column: int, first: int, last: int, caret: int) -> None:
    """240 characters, 120 before the caret where there are so many; dots where something is left out."""
    shown = ("..." if first else "") + LONG[first:last] + ("..." if last < length else "")
    assert Position(1, column, source=LONG[:length]).caret() == f"{shown}\n{' ' * caret}^"
    assert shown[caret] == LONG[column - 1]


def test_positions_in_a_text() -> None:
    """As counted one character after the other; what lies outside counts as the nearest inside."""
    text = "ab\r\n\ncd\ne"
    lines = text.split("\n")
    expected = [
        Position(n, column, "f", line.rstrip("\r"))
        for n, line in enumerate(lines, 1)
        for column in range(1, len(line) + 2)
    ]
    assert list(positions_at(text, range(len(text) + 1), "f")) == expected
    assert [position_at(text, n, "f") for n in range(len(text) + 1)] == expected
    assert list(positions_at(text, (-3, 4, 4, 99))) == [
        Position(1, 1, "<string>", "ab"),
        Position(2, 1, "<string>", ""),
        Position(2, 1, "<string>", ""),
        Position(4, 2, "<string>", "e"),
    ]


@pytest.mark.parametrize(
    ("source", "column", "token", "width", "end"),
    [
        ("ld %r1", 4, "%r1", 0, 7),
        ("ld %r1", 4, "%r1", 2, 6),
        ("ld %r1", 3, "%r1", 0, 3),
        ("ld %r1", 3, "%r1", 5, 8),
        ("ld %r1", 1, "ld", 0, 3),
        ("%r1", 0, "%r1", 0, 0),
        (None, 4, "%r1", 0, 4),
        ("ld %r1", 4, "", 0, 4),
    ],
)
def test_where_the_piece_of_a_finding_ends(source: str | None, column: int, token: str, width: int, end: int) -> None:
    one = Diagnostic("c", "m", position=Position(2, column, source=source), token=token, width=width)
    assert (one.line, one.column, one.end_column) == (2, column, end)


def test_a_finding_as_printed() -> None:
    at = Position(2, 4, "k.ptx", "ld %r1")
    one = Diagnostic("c", "wrong", hint="right")
    assert (one.severity, one.position, one.width, one.related, one.facts) == (Severity.ERROR, Position(), 0, None, ())
    assert one.render() == "<string>: error: wrong\nhint: right"
    for severity in Severity:
        found = Diagnostic("c", "wrong", severity, hint="right").at(at)
        assert str(found) == f"k.ptx:2:4: {severity.value}: wrong\nld %r1\n   ^\nhint: right"
        assert found == Diagnostic("c", "wrong", severity, at, hint="right")
    assert [one.value for one in Severity] == ["error", "warning", "note"]


@pytest.mark.parametrize(
    ("error", "printed"),
    [
        (WeftError("wrong"), "error: wrong"),
        (WeftError("wrong", hint="right"), "error: wrong\nhint: right"),
        (WeftError("wrong", Position(file="k.ptx"), "right"), "k.ptx: error: wrong\nhint: right"),
        (WeftError("wrong", Position(2, 1, "", "ab")), ":2:1: error: wrong\nab\n^"),
        (BytesError("wrong", "k.weft", "right"), "k.weft: error: wrong\nhint: right"),
        (BytesError("wrong"), "error: wrong"),
        (BuildError("wrong", Position(2, 0, "k.py", "ab")), "k.py:2: error: wrong\nab"),
        (
            VerifyError([Diagnostic("c", "wrong", position=Position(3), hint="right"), Diagnostic("d", "too")]),
            "<string>:3: error: wrong\nhint: right",
        ),
    ],
)
def test_an_error_as_printed(error: WeftError, printed: str) -> None:
    assert (error.render(), str(error), error.args) == (printed, printed, ("wrong",))


def test_what_else_errors_say() -> None:
    syntax = PtxSyntaxError("wrong", Position(2), "right", found="x", expected="y")
    assert (syntax.message, syntax.position, syntax.hint, syntax.found, syntax.expected) == (
        "wrong",
        Position(2),
        "right",
        "x",
        "y",
    )
    tool = ToolError("wrong", hint="right", diagnostics=(Diagnostic("c", "m"),), output="said", crashed=True)
    assert (tool.hint, tool.diagnostics, tool.output, tool.crashed) == ("right", (Diagnostic("c", "m"),), "said", True)
    plain = ToolError("wrong")
    assert (plain.diagnostics, plain.output, plain.crashed) == ((), "", False)
    several = VerifyError([Diagnostic("c", "m"), Diagnostic("d", "n")])
    assert [one.code for one in several.diagnostics] == ["c", "d"]


def test_hints() -> None:
    assert [counted(n, "error") for n in (0, 1, 2)] == ["0 errors", "1 error", "2 errors"]
    assert [meant(names, "none") for names in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "none",
        "did you mean a?",
        "did you mean a or b?",
        "did you mean a, b or c?",
    ]
    assert meant([]) == ""
    known = ["shared", "global", "globals", "local"]
    assert near_names("globl", known) == ["global"]
    assert near_names("globl", iter(known), most=2) == ["global", "globals"]
    assert near_names("xyz", known) == []
    assert nearest("SHARD", known) == "did you mean shared?"
    assert nearest("xyz", known) == "expected one of shared, global, globals, local"


def test_every_error_is_one_of_weft() -> None:
    named = [each for name, each in vars(errors).items() if name.endswith("Error")]
    assert len(named) > 9 and all(issubclass(each, WeftError) and each.severity is Severity.ERROR for each in named)
