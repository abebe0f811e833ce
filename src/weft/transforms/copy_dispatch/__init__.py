"""The choice of instructions for a copy between layouts: variants in order, each of which declines with a reason.

    s = Operand.of("shared", "f16", (8, 16), "S[8,16]")
    r = Operand.of("local", "f16", (8, 16), "S[(8,2,4,2):(4@laneid,2,1@laneid,1)]")
    plan = dispatch(Copy(r, s, "warp", 32, "sm_90a"))
    plan.variant, plan.num, plan.trans, plan.instructions, plan.trail

Pure: layouts and integers in, instructions with addresses out.  The lowering of `tile.copy` emits plans.
"""

from weft.transforms.copy_dispatch.dispatch import VARIANTS, dispatch
from weft.transforms.copy_dispatch.explain import explain
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
    "explain",
]
