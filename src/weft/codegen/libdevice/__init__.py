"""Calls of NVIDIA's libdevice, `__nv_expf` and the like, where a module only declares the function.

MLIR's conversion from `gpu` to `nvvm`, Triton and Numba call these functions and leave it to LLVM to link a library of
them.  weft knows them by name: each is an instruction, an operation of `math`, or a sequence of its own.  The meaning
is libdevice's without the options that flush denormals or approximate division and square roots.
"""

from __future__ import annotations

from typing import Any

from weft.codegen.libdevice import reflect
from weft.codegen.selector import Selector

PREFIX = "__nv_"  # The table imports all of them: only when a module has such a name.


def is_known(name: str) -> bool:
    """Whether a function of this name is one of libdevice that weft has code for."""
    if not name.startswith(PREFIX):
        return name in reflect.NAMES
    from weft.codegen.libdevice.table import FUNCTIONS

    return name.removeprefix(PREFIX) in FUNCTIONS


def select(s: Selector, call: Any, name: str) -> None:
    """Select a call of one of these functions; raises CompileError for other operands or results than libdevice's."""
    if name in reflect.NAMES:
        reflect.select(s, call)
        return
    from weft.codegen.libdevice import signatures
    from weft.codegen.libdevice.table import FUNCTIONS

    signatures.check(call, name.removeprefix(PREFIX))
    FUNCTIONS[name.removeprefix(PREFIX)](s, call)
