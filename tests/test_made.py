"""Files that are made of the sources: made once, and anew when the sources are others."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.test_recipes import run
from weft import made


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(made, "_PACKAGE", tmp_path)
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "a.py").write_text("1")
    return tmp_path


def asked(package: Path) -> bool:
    """Whether the file is made for who asks for it now."""
    calls: list[int] = []

    def make() -> bytes:
        calls.append(1)
        return b"made of " + b" ".join(path.read_bytes() for path in sorted((package / "table").glob("*.py")))

    assert made.kept("file", ("table",), make) == make()
    return len(calls) == 2


@pytest.mark.parametrize("checkout", [True, False])
def test_it_is_made_when_the_sources_change(package: Path, monkeypatch: pytest.MonkeyPatch, checkout: bool) -> None:
    monkeypatch.setattr(made, "_CHECKOUT", checkout)
    assert asked(package) and not asked(package)
    (package / "table" / "b.py").write_text("2")
    assert asked(package) and not asked(package)
    (package / "table" / "b.py").write_text("22")
    assert asked(package) and not asked(package)
    (package / "table" / "b.py").rename(package / "table" / "c.py")
    assert asked(package) and not asked(package)
    (package / "table" / "notes.txt").write_text("no source")
    assert not asked(package)
    assert [path.name for path in package.iterdir() if path.name.startswith(".")] == []


def test_a_checkout_looks_at_times_too(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made, "_CHECKOUT", True)
    assert asked(package)
    (package / "table" / "a.py").write_text("2")
    os.utime(package / "table" / "a.py", (10**9, 10**9))
    assert asked(package) and not asked(package)


def test_a_folder_that_cannot_be_written(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(made, "_write", refused)
    assert asked(package) and asked(package)


def test_a_new_file_of_the_table_is_seen(tmp_path: Path) -> None:
    """By the index and by the print tables, without a step between."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "src/weft/isa/table/frob.py").write_text(
        "from weft.isa.form import Family, Form\n"
        'FAMILIES = (Family("frob", "Frob.", forms=(Form("frob.type d, a", slots={"type": "b32"}, ptx="7.0", sm="80+"),)),)\n'
    )
    run(
        tmp_path,
        "-c",
        "from weft.mc.explain import explain; assert explain('frob.b32')['line'] == 'frob.b32 %r0, %r1;'",
    )
