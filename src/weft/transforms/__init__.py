"""Passes over MLIR modules, in xDSL's pass framework."""
