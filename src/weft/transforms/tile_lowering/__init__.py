"""The tile dialect lowered: copies by the dispatch's choice, products by `mma.sync`, tiles in registers as SSA
values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.isa.target import target as find_target

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


def lower_module(module: ModuleOp, target: str) -> int:
    """Lower every function of a module that has operations of the tile dialect, in place: the bytes of dynamic shared
    memory that a launch of its kernel must give, 0 where they are declared.

    Raises:
        CompileError: a copy that no variant takes, layouts that are no fragments, what the target does not have.
    """
    from weft.transforms.tile_lowering.functions import lower_functions

    return lower_functions(module, find_target(target))


def explain_module(module: ModuleOp, target: str) -> str:
    """For every copy of a module: which variants were tried, why they declined, what was chosen."""
    from weft.transforms.tile_lowering.functions import explained

    return explained(module, find_target(target))
