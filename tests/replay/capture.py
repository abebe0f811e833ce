"""A plug-in for pytest (`-p tests.replay.capture`): keeps each module that the tests compile, as a case of the replay."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.replay.cases import CAPTURED

_SEEN: dict[tuple[str, str], str] = {}
_TEST = [""]
_LONGEST = 200_000


def pytest_configure(config: pytest.Config) -> None:
    """Listen at the one function that every compilation goes through."""
    import weft.codegen.compile as compiler

    real = compiler.compile_mlir

    def listening(mlir: Any, target: Any, *arguments: Any, **options: Any) -> Any:
        if isinstance(mlir, str):
            text = mlir
        else:
            from weft.mlir.printer import print_mlir

            try:
                text = print_mlir(mlir)
            except Exception:  # A module that cannot be printed is compiled all the same.
                text = ""
        if text and len(text) < _LONGEST:
            _SEEN.setdefault((text, target.name), _TEST[0])
        return real(mlir, target, *arguments, **options)

    compiler.compile_mlir = listening


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A case is called after the first test that compiles it."""
    _TEST[0] = item.nodeid


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Add to what was kept before."""
    CAPTURED.parent.mkdir(parents=True, exist_ok=True)
    known = {tuple(json.loads(line)[1:3]) for line in _lines()}
    with CAPTURED.open("a", encoding="utf-8") as file:
        for number, ((text, target), test) in enumerate(_SEEN.items()):
            if (text, target) not in known:
                file.write(json.dumps([f"{test} {number}", text, target, ""]) + "\n")


def _lines() -> list[str]:
    return CAPTURED.read_text(encoding="utf-8").splitlines() if CAPTURED.exists() else []
