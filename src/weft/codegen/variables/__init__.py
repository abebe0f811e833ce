"""Memory as values: what `memref.alloca` and `llvm.alloca` keep is passed on by blocks, loops and branches instead.

Compilers of languages with variables write each as an `alloca`, a store at each assignment and a load at each use, and
rely on LLVM to make values of them. Here it is done on MLIR (Cytron et al.'s construction over the blocks of a region),
before loops are looked at: what they count is in memory otherwise. A variable is a part of the memory that is only
loaded and stored as a whole, in blocks of the region that allocates it, or inside of structured operations there
(`scf.for`, `scf.while`, `scf.if`, `scf.index_switch`, `affine.for`, `affine.if`). All others stay in memory.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from weft.codegen.variables.blocks import promote_in
from weft.codegen.variables.memory import find


def promote(module: ModuleOp, *, declared: bool) -> None:
    """Make values of all variables of a module that can be, in place; memory that is `declared` to debuggers stays."""
    for region, memory in find(module, declared=declared).items():
        promote_in(region, memory)
