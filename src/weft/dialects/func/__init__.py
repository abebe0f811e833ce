"""Operations of MLIR 22's `func` that xDSL lacks; the others are xDSL's."""
