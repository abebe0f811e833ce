"""`cp.async` and its groups: copies of 4, 8 or 16 bytes from global to shared memory, finished later."""

from __future__ import annotations

from weft.isa.form import Arg, Effects, Family, Form, Slots, need
from weft.isa.table import _memory as m

_SLOTS = {
    "cop": "ca cg",
    "dst": "shared shared::cta",
    "src": "global",
    "cache_hint": m.CACHE_HINT,
    "prefetch_size": "L2::64B L2::128B L2::256B",
}
_SIZES = (16, 8, 4)
"""Bytes of one copy; past L1 (`.cg`) only 16."""


def _in_shared(slots: Slots) -> bool:
    return bool(slots["ss"])


def _args(size: int) -> dict[str, Arg]:
    return {
        "d": Arg(space="dst", access="w"),
        "a": Arg(space="src"),
        "cp_size": Arg(type="u32", reg=False, values=(size,)),
        "src_size": Arg(type="u32", values=range(size + 1)),
        "ignore_src": Arg(type="pred"),
        "policy": Arg(type="u64", when="cache_hint"),
    }


_NEEDS = (need(cache_hint=True, ptx="7.4"), need(prefetch_size=True, ptx="7.4"))
_OPCODE = "cp.async.cop.dst.src{.cache_hint}{.prefetch_size}"

CP_ASYNC = Family(
    "cp.async",
    "Start a copy of 4, 8 or 16 bytes from global to shared memory; bytes past src_size are filled with zeros.",
    manual="data-movement-and-conversion-instructions-cp-async",
    semantics="later: d[0:src_size] = a[0:src_size];  d[src_size:cp_size] = 0;  ignore_src: src_size = 0",
    effects=Effects(memory="rw", space="dst"),
    forms=tuple(
        Form(
            f"{_OPCODE} [d], [a], cp_size{tail}{{, policy}}",
            slots=_SLOTS if size == 16 else {**_SLOTS, "cop": "ca"},
            args=_args(size),
            needs=_NEEDS,
            ptx=ptx,
            sm="80+",
        )
        for tail, ptx in (("{, src_size}", "7.0"), (", !ignore_src", "7.5"))
        for size in _SIZES
    ),
)

COMMIT_GROUP = Family(
    "cp.async.commit_group",
    "Make a group of the thread's copies since the last one.",
    manual="data-movement-and-conversion-instructions-cp-async-commit-group",
    effects=Effects(barrier=True),
    forms=(Form("cp.async.commit_group", ptx="7.0", sm="80+"),),
)

WAIT_GROUP = Family(
    "cp.async.wait_group",
    "Wait until at most n of the thread's newest groups of copies are pending.",
    manual="data-movement-and-conversion-instructions-cp-async-wait-group-cp-async-wait-all",
    effects=Effects(barrier=True),
    forms=(Form("cp.async.wait_group n", args={"n": Arg(type="u32", reg=False)}, ptx="7.0", sm="80+"),),
)

WAIT_ALL = Family(
    "cp.async.wait_all",
    "Wait until all of the thread's copies are complete.",
    manual="data-movement-and-conversion-instructions-cp-async-wait-group-cp-async-wait-all",
    effects=Effects(barrier=True),
    forms=(Form("cp.async.wait_all", ptx="7.0", sm="80+"),),
)

MBARRIER_ARRIVE = Family(
    "cp.async.mbarrier.arrive",
    "Arrive at an mbarrier once the thread's copies so far are complete.",
    manual="parallel-synchronization-and-communication-instructions-cp-async-mbarrier-arrive",
    semantics="pending += 1 unless .noinc;  when the copies are complete: arrive",
    effects=Effects(memory="rw", space="shared", barrier=True),
    forms=(
        Form(
            "cp.async.mbarrier.arrive{.noinc}{.ss}.type [a]",
            slots={"ss": "shared shared::cta", "type": "b64"},
            args={"a": Arg(space="ss", access="rw", narrow=_in_shared)},
            needs=(need(ss="shared::cta", ptx="7.8"),),
            ptx="7.0",
            sm="80+",
        ),
    ),
)

FAMILIES = (CP_ASYNC, COMMIT_GROUP, WAIT_GROUP, WAIT_ALL, MBARRIER_ARRIVE)
