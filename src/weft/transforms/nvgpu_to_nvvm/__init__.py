"""`convert-nvgpu-to-nvvm`: rewrite every `nvgpu` operation into `nvvm` and `llvm`, one file a family.

The results are those of MLIR 22's pass of the same name, operation by operation.  `lower_module` can also share what
upstream emits again and again and folds later (constants, casts, packing a fragment and taking it apart): so `compile`
calls it.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from weft.transforms.nvgpu_to_nvvm.lowering import lower_module


class ConvertNVGPUToNVVM(ModulePass):
    """Lower `nvgpu` to `nvvm` and `llvm` in one walk."""

    name = "convert-nvgpu-to-nvvm"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Lower a module in place.

        Raises:
            CompileError: an operation has no lowering, with its place.
        """
        lower_module(op, shared=False)


__all__ = ["ConvertNVGPUToNVVM", "lower_module"]
