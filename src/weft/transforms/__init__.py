"""Passes over MLIR modules, in xDSL's pass framework, and `run`: text in, passes, text out."""

from weft.transforms.chunks import Outcome, run_chunks
from weft.transforms.pipeline import available_passes, parse_passes, run, run_passes

__all__ = ["Outcome", "available_passes", "parse_passes", "run", "run_chunks", "run_passes"]
