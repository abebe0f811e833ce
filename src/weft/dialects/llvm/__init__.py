"""Operations of MLIR 22's `llvm` that xDSL lacks, or has without upstream's syntax; the others are xDSL's."""
