"""Operations of MLIR 22's `affine` that xDSL lacks; the others are xDSL's."""
