"""`bra`, `brx.idx`, `call`, `ret`, `exit`, `trap`, `brkpt`: control flow."""

from __future__ import annotations

from weft.isa.form import Arg, Effects, Family, Form

_LABEL = Arg(label=True, imm=False, reg=False, type="")
_TARGETS = Arg(directive="branchtargets", imm=False, reg=False, type="")
_PROTOTYPE = Arg(directive="calltargets callprototype", imm=False, reg=False, type="")

BRA = Family(
    "bra",
    "Jump to a label; .uni asserts that all active threads of the warp do the same.",
    manual="control-flow-instructions-bra",
    semantics="pc = target",
    effects=Effects(control="branch"),
    forms=(Form("bra{.uni} target", args={"target": _LABEL}),),
)

BRX_IDX = Family(
    "brx.idx",
    "Jump to the label that an index selects from a .branchtargets list.",
    manual="control-flow-instructions-brx-idx",
    semantics="pc = targets[index]",
    effects=Effects(control="branch"),
    forms=(
        Form("brx.idx{.uni} index, targets", args={"index": Arg(type="u32"), "targets": _TARGETS}, ptx="6.0", sm="30+"),
    ),
)

_CALLEE = Arg(type="u64", symbol=True, imm=False)
_CALL_ARGS = {"f": _CALLEE, "targets": _PROTOTYPE}

CALL = Family(
    "call",
    "Call a function; an indirect call names its .calltargets or .callprototype.",
    manual="control-flow-instructions-call",
    semantics="(ret) = f(params)",
    effects=Effects(memory="rw", control="call"),
    forms=(
        Form("call{.uni} f{, targets}", args=_CALL_ARGS),
        Form("call{.uni} f, (params){, targets}", args=_CALL_ARGS),
        Form("call{.uni} (ret), f{, targets}", args={**_CALL_ARGS, "ret": Arg(access="w")}),
        Form("call{.uni} (ret), f, (params){, targets}", args={**_CALL_ARGS, "ret": Arg(access="w")}),
    ),
)

RET = Family(
    "ret",
    "Return from a function, or end the thread in a kernel.",
    manual="control-flow-instructions-ret",
    effects=Effects(control="return"),
    forms=(Form("ret{.uni}"),),
)

EXIT = Family(
    "exit",
    "End the thread.",
    manual="control-flow-instructions-exit",
    effects=Effects(control="exit"),
    forms=(Form("exit"),),
)

TRAP = Family(
    "trap",
    "Abort the kernel and raise an interrupt on the host.",
    manual="miscellaneous-instructions-trap",
    effects=Effects(control="trap"),
    forms=(Form("trap"),),
)

BRKPT = Family(
    "brkpt",
    "Suspend the thread for a debugger.",
    manual="miscellaneous-instructions-brkpt",
    effects=Effects(control="breakpoint"),
    forms=(Form("brkpt", sm="11+"),),
)

FAMILIES = (BRA, BRX_IDX, CALL, RET, EXIT, TRAP, BRKPT)
