"""Operations of MLIR 22's `memref` that xDSL lacks, or has without upstream's syntax; the others are xDSL's."""
