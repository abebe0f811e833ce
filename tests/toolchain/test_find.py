"""Finding tools: the environment variable wins, then the newest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from weft.toolchain import examine, find


def program(folder: Path, name: str, version: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\necho 'Cuda compilation tools, release {version}, V{version}.7'\n")
    path.chmod(0o755)
    return path


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    find.cache_clear()
    yield
    find.cache_clear()


def test_newest_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "old", "ptxas", "1.2")
    newest = program(tmp_path / "new" / "bin", "ptxas", "99.1")
    monkeypatch.setenv("PATH", str(tmp_path / "old"), prepend=":")
    monkeypatch.setenv("CUDA_HOME", str(tmp_path / "new"))
    tool = find("ptxas")
    assert tool is not None
    assert (tool.path, tool.version, tool.source) == (str(newest), (99, 1, 7), "CUDA_HOME")


def test_environment_variable_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_PTXAS", str(program(tmp_path, "ptxas", "1.2")))
    tool = find("ptxas")
    assert tool is not None
    assert tool.version == (1, 2, 7)


def test_unknown_tool() -> None:
    assert find("no-such-tool-of-nvidia") is None


def test_doctor_names_everything() -> None:
    findings = {finding.name: finding for finding in examine()}
    assert findings["weft"].present
    assert findings["xdsl"].detail.startswith("0.74")
    assert {"ptxas", "nvdisasm", "GPU", "mlir-opt", "llc", "triton", "llvmlite"} <= findings.keys()
