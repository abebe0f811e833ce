"""Files of `benchmarks`, which is no package."""

from __future__ import annotations

import importlib.util
from functools import cache
from typing import Any

from tests.conftest import ROOT


@cache
def benchmark(name: str) -> Any:
    """A module of the benchmarks."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
