"""The choice of instructions for a copy between layouts: variants in order, each of which declines with a reason.

    plan = dispatch(Copy(dst, src, "warp", 32, "sm_90a"))
    plan.variant, plan.num, plan.trans, plan.instructions, plan.trail

Pure: layouts and integers in, instructions with addresses out.  The lowering of `tile.copy` emits plans.
"""

from weft.transforms.copy_dispatch.dispatch import VARIANTS, dispatch
from weft.transforms.copy_dispatch.plan import Address, Attempt, Condition, Digit, Instruction, Plan, Sum
from weft.transforms.copy_dispatch.request import Copy, CopyError, Guard, Operand

__all__ = [
    "VARIANTS",
    "Address",
    "Attempt",
    "Condition",
    "Copy",
    "CopyError",
    "Digit",
    "Guard",
    "Instruction",
    "Operand",
    "Plan",
    "Sum",
    "dispatch",
]
