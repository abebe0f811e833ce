"""What ptxas says that kernels take, where `WEFT_REGISTERS=1` asks for it: it costs an assembly of each module."""

from __future__ import annotations

import os

from weft.errors import ToolError
from weft.ptx.ast import Module
from weft.toolchain.ptxas import Resources, assemble


def resources(module: Module, kernel: str, target: str) -> Resources | None:
    """What a kernel takes on a target; None where nobody asks, or ptxas is missing or refuses the module."""
    if os.environ.get("WEFT_REGISTERS", "0") in ("", "0"):
        return None
    try:
        cubin = assemble(module.to_ptx(), target)
    except ToolError:
        return None
    return next((found for found in cubin.kernels if found.name == kernel), None)
