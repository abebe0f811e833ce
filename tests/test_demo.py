"""`make demo` with and without ptxas."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

import pytest

from tests.conftest import ROOT
from weft.toolchain import Tool


@pytest.fixture
def demo() -> ModuleType:
    spec = importlib.util.spec_from_file_location("demo", ROOT / "scripts" / "demo.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_with_ptxas(
    demo: ModuleType, ptxas: Tool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["demo.py"])
    assert demo.main() == 0
    printed = capsys.readouterr().out
    for text in ("registers", "shared memory", "spills", "the same module", "kernel gemm", "mma 16"):
        assert text in printed


def test_without_ptxas(demo: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["demo.py"])
    monkeypatch.setattr(demo, "find", lambda name: None)
    assert demo.main() == 0
    printed = capsys.readouterr().out
    for text in ("no ptxas here", "the same module", "kernel gemm"):
        assert text in printed


def test_bad_input(demo: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["demo.py", "--target", "sm_75"])
    assert demo.main() == 1
    assert "examples/gemm_sm80.mlir:64:13: error: " in capsys.readouterr().err
