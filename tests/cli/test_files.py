"""How commands read, find and write files, what they colour, and their bars of progress, in this process."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import rich.console

from tests.fatbin.test_fatbin import entry, fatbin
from weft.cli import colour, files, inspect, run
from weft.errors import Position, WeftError

PTX = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_reading(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Text without its mark; PTX of binary files by number; what is no text, by line and column."""
    Path("marked").write_bytes(b"\xef\xbb\xbfa\n")
    assert files.read("marked") == ("a\n", "marked")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"b\n")))
    assert files.read("-") == ("b\n", "<stdin>")
    Path("both").write_bytes(fatbin(entry(PTX), entry(PTX.replace("k()", "other()"))))
    assert "other" in files.read("both#2")[0] and files.read("both#1")[1] == "both#1"
    with pytest.raises(WeftError, match="this is a text file: #N selects a module") as refused:
        files.read("marked#1")
    assert refused.value.position == Position(file="marked")
    Path("marked#1").write_text("its own")
    assert files.read("marked#1") == ("its own", "marked#1"), "a file of that name"
    for data, line, column, byte in ((b"ab\xff", 1, 3, "ff"), (b"a\n\nbc\x80d", 3, 3, "80"), (b"\xc3\n", 1, 1, "c3")):
        Path("wrong").write_bytes(data)
        with pytest.raises(WeftError, match=f"invalid UTF-8: byte 0x{byte}") as refused:
            files.read("wrong")
        assert refused.value.position == Position(line, column, "wrong")


def test_finding(folder: Path) -> None:
    for name in ("b.ptx", "a.ptx", "deep/er/c.ptx", "d.txt"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(PTX)
    Path("deep/e.ptx").mkdir()
    Path("one").write_bytes(fatbin(entry(PTX)))
    Path("two").write_bytes(fatbin(entry(PTX), entry(PTX)))
    assert files.expand(".", ".ptx") == ["a.ptx", "b.ptx", "deep/er/c.ptx"]
    for name in ("-", "d.txt", "missing", "one", "two#2"):
        assert files.expand(name, ".ptx") == [name]
    assert files.expand("two", ".ptx") == ["two#1", "two#2"]
    with pytest.raises(click.UsageError, match=r"deep: no file in this directory ends in \.cu"):
        files.expand("deep", ".cu")
    found = {"a.ptx": False, "-": False, "one": True, "two#1": True, "missing#3": True, "missing": False, "deep": False}
    assert {name: files.binary(name) for name in found} == found


def test_writing(folder: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """All or nothing: a file keeps its mode and its names, and its contents where it cannot be written."""
    for name in (None, "-"):
        files.write(name, "é")
        files.write(name, b"\xff")
    assert capfdbinary.readouterr().out == "é".encode() + b"\xff" + "é".encode() + b"\xff"
    before = os.umask(0o027)
    try:
        files.write("new", "1")
        assert Path("new").stat().st_mode & 0o7777 == 0o640 and os.umask(0o027) == 0o027
    finally:
        os.umask(before)
    os.chmod("new", 0o751)
    files.write("new", "2")
    assert Path("new").read_text() == "2" and Path("new").stat().st_mode & 0o7777 == 0o751
    os.link("new", "same")
    files.write("new", "3")
    assert Path("same").read_text() == "3" and Path("same").stat().st_ino == Path("new").stat().st_ino
    os.symlink("kept", "link")
    files.write("link", "4")
    assert Path("link").is_symlink() and Path("kept").read_text() == "4"

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device", ".kept.temporary")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="No space left on device: 'kept'"):
        files.write("kept", "5")
    assert Path("kept").read_text() == "4" and sorted(os.listdir()) == ["kept", "link", "new", "same"]
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(PermissionError, match="Permission denied: 'kept'"):
        files.write("kept", "6")
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(OSError, match="standard output is closed: '<stdout>'"):
        files.write(None, "7")


def test_trouble(capsys: pytest.CaptureFixture[str]) -> None:
    """Status 2, and why; what is no trouble of files is somebody else's."""
    for error, said in (
        (FileNotFoundError(2, "No such file", "a"), "a: error: No such file\n"),
        (OSError("odd"), "weft: error: odd\n"),
        (WeftError("bad", Position(2, 3, "f"), "do"), "f:2:3: error: bad\nhint: do\n"),
    ):
        assert files.trouble(error) == 2
        assert capsys.readouterr() == ("", said)
    with pytest.raises(ZeroDivisionError):
        files.trouble(ZeroDivisionError())


# -- colours ------------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def __init__(self, here: bool) -> None:
        super().__init__()
        self.here = here

    def isatty(self) -> bool:
        return self.here


def test_who_gets_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Terminals, each stream for itself; NO_COLOR is heard before FORCE_COLOR; a closed stream gets none."""
    for no, force, out, err, expected in (
        ("", "", True, False, (True, False)),
        ("", "", False, True, (False, True)),
        ("1", "1", True, True, (False, False)),
        ("", "1", False, False, (True, True)),
        ("1", "", True, True, (False, False)),
    ):
        monkeypatch.setenv("NO_COLOR", no)
        monkeypatch.setenv("FORCE_COLOR", force)
        monkeypatch.setattr(sys, "stdout", Terminal(out))
        monkeypatch.setattr(sys, "stderr", Terminal(err))
        assert (colour.wanted(), colour.wanted(err=True)) == expected
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.delenv("FORCE_COLOR")
    monkeypatch.setattr(sys, "stderr", None)
    assert not colour.wanted(err=True)


def test_colours_of_differences_and_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "@@ -1 +1 @@\n-a\n+b\n c"
    monkeypatch.setenv("NO_COLOR", "1")
    assert colour.change(text) == text
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("FORCE_COLOR", "1")
    end = "\x1b[0m"
    assert colour.change(text) == f"\x1b[36m@@ -1 +1 @@{end}\n\x1b[31m-a{end}\n\x1b[32m+b{end}\n c{end}"
    found = colour.findings("f:1: error: x\n  a\n  ^~~\nhint: y\nwarning: z\nnote: w\nmy error: v\nhint of\n")
    red, yellow, blue, bold = "\x1b[31m\x1b[1m", "\x1b[33m\x1b[1m", "\x1b[34m\x1b[1m", "\x1b[1m"
    assert found == (
        f"{bold}f:1: {end}{red}error{end}: x\n  a\n{red}  ^~~{end}\n\x1b[36m\x1b[1mhint{end}: y\n"
        f"{bold}{end}{yellow}warning{end}: z\n{bold}{end}{blue}note{end}: w\nmy error: v\nhint of\n"
    )


# -- progress -----------------------------------------------------------------------------------------------------


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """A terminal of 100 columns."""
    out = io.StringIO()
    real = rich.console.Console

    def console(**_: Any) -> rich.console.Console:
        return real(file=out, force_terminal=True, width=100, color_system=None)

    monkeypatch.setattr(rich.console, "Console", console)
    return out


def test_bars_of_runs(screen: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is none until a run has taken a second; then the kernel and its CTAs."""
    with run._progress("quick") as step:
        assert step is not None
        step(1, 4)
    assert "quick" not in screen.getvalue()
    monkeypatch.setattr(run, "_PATIENCE", -1.0)
    with run._progress("slow") as step:
        assert step is not None
        step(1, 4)
        step(3, 4)
    assert re.search(r"slow .*3/4 +CTAs", screen.getvalue())


def test_bars_of_large_texts(screen: io.StringIO) -> None:
    with inspect._progress(999_999) as step:
        step("small", 3)()
    assert screen.getvalue() == ""
    with inspect._progress(1_000_000) as step:
        on = step("reading", 3)
        on()
        step("counting", None)()
    assert "counting" in screen.getvalue()


def test_no_terminal_no_bars() -> None:
    with run._progress("slow") as step:
        assert step is None
    with inspect._progress(1 << 30) as stage:
        stage("reading", 3)()
