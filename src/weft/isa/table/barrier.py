"""`bar`, `barrier`, `barrier.cluster`, `bar.warp.sync`: execution barriers of a CTA, a cluster and a warp."""

from __future__ import annotations

from weft.isa.form import Arg, Effects, Family, Form, need, row

_CTA = need(cta=True, ptx="7.8")
_RED_ROWS = (row(op="popc", type="u32"), row(op="and|or", type="pred"))
_EFFECTS = Effects(collective="cta", barrier=True)


def _forms(stem: str, aligned: str, ptx: str, sm: str, others: str) -> tuple[Form, ...]:
    """The forms that `bar` (always aligned) and `barrier` (`aligned` is an optional slot) share.

    `ptx` and `sm` say where `sync` exists, `others` from which PTX version and sm_20 on the rest does.
    """
    whole = stem == "barrier"
    barrier = Arg(type="u32", values=range(16), lenient="wraps", whole=whole)
    threads = Arg(type="u32", values=range(0, 1 << 32, 32), lenient="wraps", whole=whole)
    some_threads = Arg(type="u32", values=range(32, 1 << 32, 32), lenient="wraps more", whole=whole)
    return (
        Form(
            f"{stem}{{.cta}}.action{aligned} a{{, b}}",
            slots={"action": "sync"},
            args={"a": barrier, "b": threads},
            needs=(_CTA,),
            ptx=ptx,
            sm=sm,
        ),
        Form(
            f"{stem}{{.cta}}.action{aligned} a, b",
            slots={"action": "arrive"},
            args={"a": barrier, "b": some_threads},
            needs=(_CTA,),
            ptx=others,
            sm=sm or "20+",
        ),
        Form(
            f"{stem}{{.cta}}.action.op{aligned}.type d, a{{, b}}, !c",
            slots={"action": "red", "op": "popc and or", "type": "u32 pred"},
            args={"d": Arg(type="type"), "a": barrier, "b": threads, "c": Arg(type="pred", imm=True)},
            rows=_RED_ROWS,
            needs=(_CTA,),
            ptx=others,
            sm=sm or "20+",
        ),
    )


BAR = Family(
    "bar",
    "Wait at or arrive at one of the 16 barriers of the CTA, or reduce a predicate across it, in whole warps.",
    manual="parallel-synchronization-and-communication-instructions-bar",
    leading="cta arrive red",
    semantics="sync: arrive(a); wait until b threads (default: all of the CTA) arrived\n"
    "arrive: arrive(a)        red: sync, then d = op of c over the threads",
    effects=_EFFECTS,
    forms=_forms("bar", "", "1.0", "", "2.0"),
)

BARRIER = Family(
    "barrier",
    "Wait at or arrive at one of the 16 barriers of the CTA, or reduce a predicate across it.",
    manual="parallel-synchronization-and-communication-instructions-bar",
    leading="cta arrive red",
    semantics="as bar; without .aligned the threads of a warp need not execute it together",
    effects=_EFFECTS,
    forms=_forms("barrier", "{.aligned}", "6.0", "30+", "6.0"),
)

BAR_WARP_SYNC = Family(
    "bar.warp.sync",
    "Wait until every thread named in the mask has executed the same barrier.",
    manual="parallel-synchronization-and-communication-instructions-bar-warp-sync",
    effects=Effects(collective="warp", barrier=True),
    forms=(Form("bar.warp.sync membermask", args={"membermask": Arg(type="u32", whole=True)}, ptx="6.0", sm="30+"),),
)

BARRIER_CLUSTER = Family(
    "barrier.cluster",
    "Wait at or arrive at the hardware barrier of the cluster.",
    manual="parallel-synchronization-and-communication-instructions-barrier-cluster",
    leading="arrive wait",
    semantics="arrive: mark this thread arrived (default .release)\nwait: until all threads of the cluster arrived",
    effects=Effects(collective="cluster", barrier=True),
    forms=(
        Form(
            "barrier.cluster.action{.sem}{.aligned}",
            slots={"action": "arrive wait", "sem": "release relaxed acquire"},
            rows=(row(action="arrive", sem="|release|relaxed"), row(action="wait", sem="|acquire")),
            needs=(need(sem=True, ptx="8.0"),),
            ptx="7.8",
            sm="90+",
        ),
    ),
)

FAMILIES = (BAR, BARRIER, BAR_WARP_SYNC, BARRIER_CLUSTER)
