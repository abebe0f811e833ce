"""`fabric.*`: transfers between GPUs through the memory of a fabric, their groups and what waits for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from weft.isa.form import Arg, Effects, Family, Form, Row, demand, row
from weft.isa.table import _memory as m

_MANUAL = "data-movement-and-conversion-instructions-fabric"
_EFFECTS = Effects(barrier=True)

SUBMIT = Family(
    "fabric.submit",
    "Submit the thread's fabric transfers, or with .op_restrict::fetching only those that fetch.",
    manual=_MANUAL,
    effects=_EFFECTS,
    forms=(Form("fabric.submit{.op_restrict}", slots={"op_restrict": "op_restrict::fetching"}, ptx="9.3", sm="100+"),),
)

COMMIT_GROUP = Family(
    "fabric.submit.commit_group",
    "Submit the thread's fabric transfers as a new group.",
    manual=_MANUAL,
    effects=_EFFECTS,
    forms=(Form("fabric.submit.commit_group", ptx="9.5", sm="100+"),),
)

WAIT = Family(
    "fabric.wait",
    "Wait until the sources of the thread's fabric transfers, or of all but its n newest groups, have been read.",
    manual=_MANUAL,
    effects=_EFFECTS,
    forms=(
        Form("fabric.wait.sync_restrict", slots={"sync_restrict": "sync_restrict::reads"}, ptx="9.3", sm="100+"),
        Form(
            "fabric.wait.sync_restrict n",
            slots={"sync_restrict": "sync_restrict::read sync_restrict::reads"},
            args={"n": Arg(type="u32", reg=False)},
            rows=(row(sync_restrict="sync_restrict::read", ptx="9.5"), row(sync_restrict="sync_restrict::reads")),
            ptx="9.3",
            sm="100+",
        ),
    ),
)

_TRANSFER = Effects(memory="rw", space="shared")
_REPORT = "mbarrier::report::fabric"
_SCOPED = demand("'.relaxed' needs a scope", {"sem": True}, {"scope": True})
_SINCE: dict[str, Any] = {"ptx": "9.3", "sm": "100+"}
_SLOTS = {"sem": "relaxed", "scope": "sys", "cache_hint": m.CACHE_HINT}
_SHARED = Arg(space="shared", narrow=False, lenient="register")
_OFFSET = Arg(type="u64", imm=False)
_ARGS = {
    "endpoint": Arg(space="fabric", access="rw"),
    "offset": _OFFSET,
    "counter": _OFFSET,
    "a": _SHARED,
    "b": _SHARED,
    "d": Arg(space="shared", access="w", narrow=False, lenient="register"),
    "size": Arg(type="u32"),
    "mbar": Arg(space="shared", access="rw", narrow=False, lenient="register"),
    "byte_mask": Arg(type="u16", when="cp_mask"),
    "policy": Arg(type="u64", when="cache_hint"),
}

_COMPLETED = replace(_ARGS["mbar"], narrow=True, lenient="", whole=True)
"""An mbarrier that ptxas completes by an instruction of its own."""


def _sums(add: str, ordered: str, **more: Any) -> tuple[Row, ...]:
    """The reductions, with the types of sums and the floating-point ones of minima."""
    return (
        row(op="add", type=f"u32|u64|f16|bf16|{add}", **more),
        row(op="min|max", type=f"u32|s32|u64|s64|{ordered}", **more),
        row(op="and|or|xor", type="b32|b64", **more),
    )


_SUM_OPS = "add min max and or xor"
_SUM_TYPES = "b32 u32 s32 b64 u64 s64 f16 bf16 f32 f64"


def _transfer(name: str, summary: str, *forms: Form) -> Family:
    return Family(f"fabric.{name}.async", summary, manual=_MANUAL, effects=_TRANSFER, forms=forms)


def _sent(name: str, modifiers: str, operands: str, slots: dict[str, str], rows: tuple[Row, ...] = ()) -> list[Form]:
    """Transfers from shared memory, those that count too."""
    return [
        Form(
            f"fabric.{name}.async{{.multimem}}.shared::cta.mbarrier::complete_tx::16B.{_REPORT}{counted}{modifiers} "
            f"[endpoint, offset{counter}], [a], size, [mbar]{operands}{{, policy}}",
            slots={**_SLOTS, **slots},
            args=_ARGS,
            rows=rows,
            rules=(_SCOPED,),
            **_SINCE,
        )
        for counted, counter in (("", ""), (".counted::bytes", ", counter"))
        if not (counted and operands)
    ]


_ORDER = "{.cache_hint}{.sem}{.scope}"

TRY_PUT = _transfer(
    "try_put",
    "Start storing bytes of shared memory to a fabric endpoint, and report success to the mbarrier.",
    *_sent("try_put", f"{_ORDER}.b128", "", {}),
    *_sent("try_put", f".cp_mask{_ORDER}.b128", ", byte_mask", {"cp_mask": "cp_mask"}),
)

TRY_RED = _transfer(
    "try_red",
    "Start reducing elements of shared memory into those of a fabric endpoint.",
    *_sent("try_red", f"{_ORDER}.op.type", "", {"op": _SUM_OPS, "type": _SUM_TYPES}, _sums("f32|f64", "f16|bf16")),
)

TRY_GET = _transfer(
    "try_get",
    "Start loading bytes from a fabric endpoint into shared memory.",
    Form(
        f"fabric.try_get.async.shared::cta.mbarrier::complete_tx::bytes.{_REPORT}{_ORDER}.b128 "
        "[d], [endpoint, offset], size, [mbar]{, policy}",
        slots=_SLOTS,
        args=_ARGS,
        rules=(_SCOPED,),
        **_SINCE,
    ),
)

TRY_ATOM = _transfer(
    "try_atom",
    "Start an atomic operation at a fabric endpoint, with operands in shared memory.",
    Form(
        f"fabric.try_atom.async.shared::cta.mbarrier::complete_tx::16B.{_REPORT}{{.cache_hint}}.sem.scope.op.type "
        "[endpoint, offset], [a], [b], [mbar]{, policy}",
        slots={**_SLOTS, "op": f"{_SUM_OPS} exch cas", "type": f"{_SUM_TYPES} f16x2 bf16x2 b128"},
        args={**_ARGS, "mbar": _COMPLETED},
        rows=(*_sums("f16x2|bf16x2|f32|f64", "f16x2|bf16x2"), row(op="exch|cas", type="b32|b64|b128")),
        ptx="9.4",
        sm="100+",
    ),
)

TRY_PULLRED = _transfer(
    "try_pullred",
    "Start loading elements from all endpoints of a fabric multicast address, reduced, into shared memory.",
    Form(
        f"fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.{_REPORT}{{.sem}}{{.scope}}"
        ".op{.acc}.type.sync [d], [endpoint, offset], size, [mbar], membermask",
        slots={
            "sem": "relaxed",
            "scope": "sys",
            "op": _SUM_OPS,
            "acc": "acc::f32 acc::f16",
            "type": f"{_SUM_TYPES} e4m3 e5m2",
        },
        args={
            **_ARGS,
            "mbar": _COMPLETED,
            "membermask": Arg(type="u32", reg=False, values=(0xFFFFFFFF, -1, (1 << 64) - 1)),
        },
        rows=(
            *_sums("f32", "f16|bf16", acc=False),
            row(op="add", acc="acc::f32", type="f16|bf16|e4m3|e5m2", ptx="9.3", sm="100f+ 120f+"),
            row(op="add", acc="acc::f16", type="e4m3|e5m2", ptx="9.3", sm="100f+ 120f+"),
            row(op="min|max", acc=False, type="e4m3|e5m2", ptx="9.3", sm="100f+ 120f+"),
        ),
        rules=(_SCOPED,),
        **_SINCE,
    ),
)

FAMILIES = (SUBMIT, COMMIT_GROUP, WAIT, TRY_PUT, TRY_RED, TRY_GET, TRY_ATOM, TRY_PULLRED)
