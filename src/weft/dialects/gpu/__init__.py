"""The device side of MLIR 22's `gpu` dialect for xDSL, one module a family (xDSL's own `gpu` has no syntax)."""
