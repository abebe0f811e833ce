"""`st.async`, `red.async`, `st.bulk`: stores and reductions that complete later, and the filling of shared memory."""

from __future__ import annotations

from dataclasses import replace

from weft.isa.form import Arg, Effects, Family, Form, Slots, forbid, need, row
from weft.isa.table import _memory as m

MBARRIER = "mbarrier::complete_tx::bytes"


def _in_cluster(slots: Slots) -> bool:
    return bool(slots.get("ss"))


_MBAR = Arg(space="shared", access="rw", narrow=_in_cluster, lenient="absent")
_UNTYPED, _TYPED = "b32 b64", "u32 s32 f32 u64 s64 f64"
_SIGNALLING = {"ss": "shared::cluster", "completion_mechanism": MBARRIER}
_RELEASED = Arg(whole=lambda slots: slots["sem"] == "release")
_TO = Arg(space="ss", access="w", narrow=False)

ST_ASYNC = Family(
    "st.async",
    "Start a store to the shared memory of a cluster or to global memory.",
    manual="data-movement-and-conversion-instructions-st-async",
    semantics="later: *a = b;  then mbar.tx -= bytes",
    effects=Effects(memory="w", space="ss"),
    forms=(
        Form(
            "st.async{.weak}{.ss}.completion_mechanism.vec.type [a], b, [mbar]",
            slots={"vec": "v2 v4", "type": f"{_UNTYPED} {_TYPED}", **_SIGNALLING},
            args={"a": _TO, "b": Arg(count=m.lanes, lenient="scalar"), "mbar": replace(_MBAR, lenient="")},
            rows=(row(vec="v2"), row(type="b32|u32|s32|f32", vec="v4")),
            ptx="8.1",
            sm="90+",
        ),
        Form(
            "st.async{.weak}{.ss}.completion_mechanism.type [a], b{, [mbar]}",
            slots={"type": f"{_UNTYPED} b128", **_SIGNALLING},
            args={"a": _TO, "mbar": _MBAR},
            needs=(need(type="b128", ptx="9.2"),),
            ptx="8.1",
            sm="90+",
        ),
        Form(
            "st.async{.weak}{.ss}.completion_mechanism.type [a], b{, [mbar]}",
            slots={"type": _TYPED, **_SIGNALLING},
            args={"a": _TO, "b": Arg(lenient="longer"), "mbar": _MBAR},
            ptx="8.1",
            sm="90+",
        ),
        Form(
            "st.async{.mmio}{.sem}{.scope}{.ss}.type [a], b",
            slots={"sem": "weak release", "scope": "gpu sys", "ss": "global", "type": m.INTEGER_AND_FLOAT},
            args={"a": Arg(space="ss", access="w", narrow=False), "b": _RELEASED},
            rows=(
                row(sem=False, mmio=False),
                row(sem="weak", scope=False, mmio=False),
                row(sem="release", scope=True, mmio=False, ptx="8.7", sm="100+"),
                row(sem="release", scope="sys", mmio=True, ptx="8.7", sm="100+"),
            ),
            needs=(need(ss="global", ptx="8.7", sm="100+"),),
            ptx="8.1",
            sm="90+",
        ),
    ),
)

_REDUCTIONS = (
    row(op="add", type="u32|s32|u64|s64"),
    row(op="min|max", type="u32|s32"),
    row(op="inc|dec", type="u32"),
    row(op="and|or|xor", type="b32"),
)
_OPS = {"op": "inc dec min max add and or xor", "type": "b32 u32 s32 u64 s64"}

RED_ASYNC = Family(
    "red.async",
    "Start a reduction into the shared memory of a cluster or into global memory.",
    manual="parallel-synchronization-and-communication-instructions-red-async",
    semantics="later: *a = op(*a, b);  then mbar.tx -= bytes",
    effects=Effects(memory="rw", space="ss"),
    forms=(
        Form(
            "red.async.sem.scope{.ss}.completion_mechanism.op.type [a], b{, [mbar]}",
            slots={
                "sem": "relaxed",
                "scope": "cluster",
                "ss": "shared::cluster",
                "completion_mechanism": MBARRIER,
                **_OPS,
            },
            args={"a": Arg(space="ss", access="rw", narrow=False), "mbar": _MBAR},
            rows=_REDUCTIONS,
            ptx="8.1",
            sm="90+",
        ),
        Form(
            "red.async{.mmio}.sem.scope{.ss}.op.type [a], b",
            slots={"sem": "release relaxed", "scope": "gpu sys", "ss": "global", **_OPS},
            args={"a": Arg(space="ss", access="rw", narrow=False), "b": _RELEASED},
            rows=_REDUCTIONS,
            needs=(need(ss="global", ptx="8.7", sm="100+"), need(sem="release", ptx="8.7", sm="100+")),
            rules=(
                forbid("'.mmio' goes with .release.sys only", mmio=True, scope="gpu"),
                forbid("'.mmio' goes with .release.sys only", mmio=True, sem="relaxed"),
            ),
            ptx="8.1",
            sm="90+",
        ),
    ),
)

ST_BULK = Family(
    "st.bulk",
    "Fill a range of shared memory with zeros.",
    manual="data-movement-and-conversion-instructions-st-bulk",
    semantics="a[0:size] = 0",
    effects=Effects(memory="w", space="shared"),
    forms=tuple(
        Form(
            "st.bulk{.weak}{.ss} [a], size, initval",
            slots={"ss": "shared::cta"},
            args={
                "a": Arg(space="ss", access="w", narrow=False),
                "size": Arg(type=type_, imm=type_ == "u64", values=range(0, 1 << 32, 8)),
                "initval": Arg(type="u64", reg=False, values=(0,)),
            },
            ptx=ptx,
            sm="100+",
        )
        for type_, ptx in (("u64", "8.6"), ("u32", "9.0"))
    ),
)

FAMILIES = (ST_ASYNC, RED_ASYNC, ST_BULK)
