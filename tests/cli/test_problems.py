"""What commands print as JSON, they print as JSON when the input is wrong, too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from weft.cli import execute

BAD = ".version 8.0\n.target sm_80\n.visible .entry k() {\n add.s32 %r1 %r2;\n}\n"


@pytest.mark.parametrize("command", [["requires", "--json"], ["run", "--json"], ["run", "--format", "json"]])
def test_errors_as_json(command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.ptx"
    bad.write_text(BAD)
    assert execute([*command, str(bad)]) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["errors"] == 1
    assert (said["findings"][0]["line"], said["findings"][0]["code"]) == (4, "syntax")


def test_errors_of_compilation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["compile", "--json", str(tmp_path / "none.mlir")]) == 2
    assert json.loads(capsys.readouterr().out)["findings"][0]["code"] == "file"
    mlir = tmp_path / "bad.mlir"
    mlir.write_text("gpu.module @m { nothing }")
    for format_ in ("json", "sarif", "github"):
        assert execute(["compile", "--format", format_, str(mlir)]) == 1
        assert "bad.mlir" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["requires", "inspect", "compile", "fmt"])
def test_errors_in_ptx_have_their_code(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.ptx"
    bad.write_text(BAD)
    assert execute([command, str(bad)]) == 1
    assert "bad.ptx:4:14: error: expected ',' or ';', found '%r2' [syntax]\n" in capsys.readouterr().err


@pytest.mark.parametrize("emit", ["ptx", "cubin"])
def test_ptx_that_is_passed_on_is_verified(emit: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad, out = tmp_path / "bad.ptx", tmp_path / "out"
    bad.write_text(BAD.replace("%r1 %r2", "%r1, %r2, 1"))
    assert execute(["compile", "--emit", emit, "-o", str(out), str(bad)]) == 1
    assert not out.exists()
    said = capsys.readouterr().err
    assert "bad.ptx:4:10: error: 'add.s32': '%r1' is not declared [undeclared]\n" in said
