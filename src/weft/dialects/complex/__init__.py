"""What MLIR 22's `complex` has and xDSL's lacks; the other operations are xDSL's."""
