"""Operations of MLIR 22's `math` that xDSL lacks, and the signatures of all; the other operations are xDSL's."""
