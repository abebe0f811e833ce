"""The `nvgpu` dialect of MLIR 22 for xDSL: all 24 operations, one module a family."""
