"""MLIR's `index` dialect: arithmetic of `index` values, without vectors and without flags."""
