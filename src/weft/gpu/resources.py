"""What kernels take: shared memory, and what ptxas says where `WEFT_REGISTERS=1` asks: that costs an assembly."""

from __future__ import annotations

import os
import re

from weft.errors import ToolError
from weft.ptx.analysis.calls import call_graph
from weft.ptx.ast import Function, Module, Variable
from weft.ptx.printer import print_function
from weft.sim import image
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


def static_shared(module: Module, kernel: Function) -> int:
    """Bytes of a kernel's shared variables: its own, and those of the module that it mentions, or what it calls."""
    reached = call_graph(module).reachable(kernel.name)
    functions = [f for f in module.functions if f.name in reached and f.body is not None]
    mentioned = {name for function in functions for name in _NAME.findall(print_function(function))}
    every = [v for v in module.variables if v.name in mentioned]
    every += [s for function in functions for s in function.walk() if isinstance(s, Variable)]
    return sum(image.size_of(v) for v in every if v.space.startswith("shared"))


_NAME = re.compile(r"[\w$%]+")
