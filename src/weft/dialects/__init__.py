"""MLIR dialects for xDSL: `nvgpu`, `nvvm`, and the parts of `gpu`, `memref`, `vector`, `llvm` that xDSL lacks.

`weft.dialects.context.context()` is a context that parses MLIR 22 files; `weft.transforms.universe` offers the dialects
that xDSL does not have to `xdsl-opt`.
"""

from weft.dialects.startup import load_xdsl

load_xdsl()
