"""Operations of MLIR 22's `vector` that xDSL lacks, or has without upstream's syntax; the others are xDSL's."""
