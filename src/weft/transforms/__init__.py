"""Passes over MLIR modules, in xDSL's pass framework, and `run`: text in, passes, text out."""

from weft.transforms.pipeline import parse_passes, run, run_passes

__all__ = ["parse_passes", "run", "run_passes"]
