"""`alloca`, `stacksave`, `stackrestore`: the thread's stack in local memory."""

from __future__ import annotations

from weft.isa.form import Arg, Effects, Family, Form

_STACK = Effects(memory="w", space="local", volatile=True)
ALIGNMENTS = tuple(1 << n for n in range(24))

ALLOCA = Family(
    "alloca",
    "Reserve bytes of local memory until the function returns.",
    manual="stack-manipulation-instructions-alloca",
    semantics="sp -= size, rounded down to the alignment;  d = sp",
    effects=_STACK,
    forms=(
        Form(
            "alloca.type d, size{, alignment}",
            slots={"type": "u32 u64"},
            args={"alignment": Arg(type="u32", reg=False, values=ALIGNMENTS, lenient="wraps")},
            ptx="7.3",
            sm="52+",
        ),
    ),
)

STACKSAVE = Family(
    "stacksave",
    "Read the stack pointer.",
    manual="stack-manipulation-instructions-stacksave",
    effects=Effects(volatile=True),
    forms=(Form("stacksave.type d", slots={"type": "u32 u64"}, ptx="7.3", sm="52+"),),
)

STACKRESTORE = Family(
    "stackrestore",
    "Set the stack pointer to one that stacksave read.",
    manual="stack-manipulation-instructions-stackrestore",
    effects=_STACK,
    forms=(
        Form(
            "stackrestore.type a",
            slots={"type": "u32 u64"},
            args={"a": Arg(imm=False, whole=True)},
            ptx="7.3",
            sm="52+",
        ),
    ),
)

FAMILIES = (ALLOCA, STACKSAVE, STACKRESTORE)
