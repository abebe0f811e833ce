"""Operations of MLIR 22's `cf` that xDSL has without upstream's syntax; the others are xDSL's."""
