"""Passes over MLIR modules, in xDSL's pass framework, and `run`: text in, passes, text out."""

from weft.transforms.pipeline import available_passes, parse_passes, run, run_passes

__all__ = ["available_passes", "parse_passes", "run", "run_passes"]
