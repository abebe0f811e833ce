"""Operations of MLIR 22's `scf` that xDSL lacks, or has without upstream's syntax; the others are xDSL's."""
