"""Operations of MLIR 22's `arith` that xDSL lacks, or has for scalars only; the others are xDSL's."""
