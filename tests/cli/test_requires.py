"""`weft requires --retarget`: the module with another header, or what is in the way."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.command import weft

TEXT = """\
.version 7.0
.target sm_80   // Ampere
.address_size 64
.entry k()
{
    cp.async.wait_all;
    cp.async.wait_all;
    ret;
}
"""


def requires(*arguments: str) -> subprocess.CompletedProcess[str]:
    return weft("requires", *arguments)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "k.ptx"
    path.write_text(TEXT)
    return path


def test_the_way_is_free(source: Path, tmp_path: Path) -> None:
    done = requires("--retarget", "sm_90", str(source))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == TEXT.replace("7.0", "7.8").replace("sm_80 ", "sm_90 ")
    output = tmp_path / "out.ptx"
    done = requires("--retarget", "sm_90", "--ptx-version", "8.3", "-o", str(output), str(source))
    assert (done.returncode, done.stdout) == (0, "")
    assert output.read_text() == TEXT.replace("7.0", "8.3").replace("sm_80 ", "sm_90 ")


def test_something_stands_in_the_way(source: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.ptx"
    done = requires("--retarget", "sm_75", "-o", str(output), str(source))
    assert (done.returncode, done.stdout) == (1, "")
    assert "  line 6: cp.async.wait_all needs PTX 7.0 and sm_80 or later (2 uses)" in done.stderr
    assert not output.exists()
    found = json.loads(requires("--retarget", "sm_75", "--json", str(source)).stdout)
    assert found["free"] is False
    assert [(o["text"], o["line"], o["uses"]) for o in found["obstacles"]] == [("cp.async.wait_all", 6, 2)]


def test_wrong_usage(source: Path) -> None:
    assert requires("-o", "x.ptx", str(source)).returncode == 2
    assert requires("--ptx-version", "8.0", str(source)).returncode == 2
    done = requires("--retarget", "sm_81", str(source))
    assert done.returncode == 2
    assert "unknown target 'sm_81'" in done.stderr


def test_names_that_nothing_declares(tmp_path: Path) -> None:
    path = tmp_path / "k.ptx"
    path.write_text(TEXT.replace("ret;", ".reg .pred %p; @%p bra away; st.b32 [%rd1+4], %tid.x; ret;"))
    assert "  not declared: away\n  not declared: %rd1\n" in requires(str(path)).stdout
    assert json.loads(requires("--json", str(path)).stdout)["undeclared"] == ["away", "%rd1"]
