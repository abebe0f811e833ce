"""`weft fmt`: what it writes and what it leaves alone, and how commands write files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import weft
from weft.cli import execute, files

PLAIN = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { ret; }\n"
FORMATTED = weft.format_text(PLAIN)


def file(path: Path, text: str = PLAIN) -> str:
    path.write_text(text)
    return str(path)


def test_many_files_and_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in").mkdir()
    names = [file(tmp_path / "a.ptx"), file(tmp_path / "b.ptx", FORMATTED), file(tmp_path / "in/c.ptx")]
    assert execute(["fmt", "--check", *names[:2], str(tmp_path / "in")]) == 1
    assert capsys.readouterr().err.splitlines() == [f"{names[0]}: not formatted", f"{names[2]}: not formatted"]
    assert execute(["fmt", *names]) == 2
    capsys.readouterr()
    assert execute(["fmt", "-i", str(tmp_path)]) == 0
    assert {Path(name).read_text() for name in names} == {FORMATTED}
    assert execute(["fmt", "--check", *names]) == 0


def test_what_would_change_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = file(tmp_path / "a.ptx")
    assert execute(["fmt", "--diff", name]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[:2] == [f"--- {name}", f"+++ {name} (formatted)"]
    assert "-.entry k() { ret; }" in shown
    assert execute(["fmt", "--diff", "--check", name]) == 1
    assert Path(name).read_text() == PLAIN


def test_a_wrong_file_keeps_no_other_from_its_turn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong, right = file(tmp_path / "a.ptx", "ld"), file(tmp_path / "b.ptx")
    assert execute(["fmt", "-i", wrong, right]) == 1
    assert (Path(wrong).read_text(), Path(right).read_text()) == ("ld", FORMATTED)


def test_permissions_links_and_times_stay(tmp_path: Path) -> None:
    name = file(tmp_path / "a.ptx")
    os.chmod(name, 0o640)
    os.symlink("a.ptx", tmp_path / "link.ptx")
    os.link(name, tmp_path / "twin.ptx")
    assert execute(["fmt", "-i", str(tmp_path / "link.ptx")]) == 0
    assert (tmp_path / "link.ptx").is_symlink()
    assert (tmp_path / "twin.ptx").read_text() == FORMATTED
    assert Path(name).stat().st_mode & 0o777 == 0o640
    os.utime(name, (1, 1))
    assert execute(["fmt", "-i", name]) == 0
    assert Path(name).stat().st_mtime == 1


def test_a_file_that_may_not_be_written_is_not_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = file(tmp_path / "a.ptx")
    monkeypatch.setattr(files.os, "access", lambda *_: False)  # To the superuser everything is allowed.
    assert execute(["fmt", "-i", name]) == 2
    assert capsys.readouterr().err == f"{name}: error: Permission denied\n"
    assert Path(name).read_text() == PLAIN


@pytest.mark.parametrize("name", ["none/k.ptx", "a.ptx/k.ptx"])
def test_an_error_of_writing_names_the_file(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = file(tmp_path / "a.ptx"), str(tmp_path / name)
    assert execute(["fmt", source, "-o", target]) == 2
    assert capsys.readouterr().err.startswith(f"{target}: error: ")


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    name = tmp_path / "a.ptx"
    name.write_text(PLAIN, encoding="utf-8-sig")
    assert weft.parse(name.read_bytes()) == weft.parse(name.read_text()) == weft.parse(PLAIN)
    assert weft.format_text("\ufeff" + PLAIN) == FORMATTED
    for command in (["verify"], ["inspect"], ["requires"], ["grep", "ret"], ["diff", str(name)], ["fmt", "-i"]):
        assert execute([*command, str(name)]) == 0
    assert name.read_bytes() == FORMATTED.encode()


@pytest.mark.parametrize(("command", "near"), [("verfy", "verify"), ("ISA", "isa"), ("inspekt", "inspect")])
def test_a_misspelt_command_gets_the_nearest(command: str, near: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert execute([command]) == 2
    assert f"unknown command '{command}': did you mean {near}?" in capsys.readouterr().err
