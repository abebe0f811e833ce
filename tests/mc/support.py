"""The benchmarks' generator of modules, which is no package."""

from __future__ import annotations

import importlib.util
from typing import Any

from tests.conftest import ROOT

_SPEC = importlib.util.spec_from_file_location("generate", ROOT / "benchmarks" / "generate.py")
assert _SPEC is not None
assert _SPEC.loader is not None
_GENERATE: Any = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(_GENERATE)


def ptx(count: int) -> str:
    """One kernel of about `count` instructions, as compilers emit them."""
    return _GENERATE.ptx(count)
