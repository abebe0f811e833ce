"""Passes over MLIR modules, in xDSL's pass framework, and `run`: text in, passes, text out.

Each name is loaded when it is first used: compiling needs some of the passes, and nothing of their command line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft import lazily

if TYPE_CHECKING:
    from weft.transforms.chunks import Outcome as Outcome
    from weft.transforms.chunks import run_chunks as run_chunks
    from weft.transforms.pipeline import available_passes as available_passes
    from weft.transforms.pipeline import parse_passes as parse_passes
    from weft.transforms.pipeline import run as run
    from weft.transforms.pipeline import run_passes as run_passes

_HOME = {
    "Outcome": "weft.transforms.chunks",
    "available_passes": "weft.transforms.pipeline",
    "parse_passes": "weft.transforms.pipeline",
    "run": "weft.transforms.pipeline",
    "run_chunks": "weft.transforms.chunks",
    "run_passes": "weft.transforms.pipeline",
}

__getattr__, __dir__ = lazily.named(__name__, _HOME)
