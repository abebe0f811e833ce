"""`cp.async.bulk`, `cp.reduce.async.bulk`: asynchronous copies and reductions of byte ranges, and their groups."""

from __future__ import annotations

from dataclasses import replace

from weft.isa.form import Arg, Effects, Family, Form, Slots, need, row
from weft.isa.table import _memory as m
from weft.isa.table.common import RUBIN

MBARRIER = "mbarrier::complete_tx::bytes"
SIZE = Arg(type="u32", values=range(0, 1 << 20, 16))
"""Bytes: a multiple of 16 below 1 MiB."""


def _with_more(slots: Slots) -> bool:
    return bool(slots.get("cache_hint") or slots.get("ignore_oob") or slots.get("multicast"))


def _loose(slots: Slots) -> str:
    return "" if _with_more(slots) else "literal"


_COPY = Effects(memory="rw", space="dst")
_ARGS = {
    "d": Arg(space="dst", access="w"),
    "a": Arg(space="src"),
    "size": SIZE,
    "mbar": Arg(space="shared", access="rw", narrow=_with_more, lenient=_loose),
    "cta_mask": m.CTA_MASK,
    "policy": Arg(type="u64", when="cache_hint"),
    "byte_mask": Arg(type="u16", when="cp_mask"),
    "ignore_left": Arg(type="u32", values=range(16)),
    "ignore_right": Arg(type="u32", values=range(16)),
}

CP_ASYNC_BULK = Family(
    "cp.async.bulk",
    "Start a copy of a byte range between global memory, shared memory and the shared memory of a cluster.",
    manual="data-movement-and-conversion-instructions-cp-async-bulk",
    semantics="later: d[0:size] = a[0:size];  then mbar.tx -= size, or the bulk group counts it",
    effects=_COPY,
    forms=(
        Form(
            "cp.async.bulk.dst.src.completion_mechanism{.multicast}{.cache_hint}{.report} "
            "[d], [a], size, [mbar]{, cta_mask}{, policy}",
            slots={
                "dst": "shared::cluster shared::cta",
                "src": "global shared::cta",
                "completion_mechanism": MBARRIER,
                "multicast": m.MULTICAST,
                "cache_hint": m.CACHE_HINT,
                "report": m.REPORTS,
            },
            args=_ARGS,
            rows=(
                row(dst="shared::cluster", src="global"),
                row(dst="shared::cluster", src="shared::cta", multicast=False, cache_hint=False, report=False),
                row(dst="shared::cta", src="global", multicast=False, ptx="8.6"),
            ),
            needs=m.REPORT_NEEDS,
            ptx="8.0",
            sm="90+",
        ),
        Form(
            "cp.async.bulk.dst.src.completion_mechanism.ignore_oob{.cache_hint} "
            "[d], [a], size, ignore_left, ignore_right, [mbar]{, policy}",
            slots={
                "dst": "shared::cta",
                "src": "global",
                "completion_mechanism": MBARRIER,
                "ignore_oob": "ignore_oob",
                "cache_hint": m.CACHE_HINT,
            },
            args=_ARGS,
            ptx="9.2",
            sm="90+",
        ),
        Form(
            "cp.async.bulk.dst.src.completion_mechanism{.cache_hint}{.cp_mask} [d], [a], size{, policy}{, byte_mask}",
            slots={
                "dst": "global",
                "src": "shared::cta",
                "completion_mechanism": "bulk_group",
                "cache_hint": m.CACHE_HINT,
            },
            args=_ARGS,
            needs=(need(cp_mask=True, ptx="8.6", sm="100+"),),
            ptx="8.0",
            sm="90+",
        ),
    ),
)

REDUCTIONS = (
    row(op="add", type="u32|s32|u64|f32|f64", noftz=False),
    row(op="add", type="f32", noftz=True, ptx="9.4"),
    row(op="add", type="f16|bf16", noftz=True),
    row(op="min|max", type="u32|s32|u64|s64|f16|bf16", noftz=False),
    row(op="inc|dec", type="u32", noftz=False),
    row(op="and|or|xor", type="b32|b64", noftz=False),
)
"""Reductions of global memory; those of shared memory are 32-bit integer ones and `.add.u64`."""

REDUCTION_TYPES = "f16 bf16 b32 u32 s32 b64 u64 s64 f32 f64"

CP_REDUCE_ASYNC_BULK = Family(
    "cp.reduce.async.bulk",
    "Start an element-wise reduction of a byte range of shared memory into global memory or a cluster's shared memory.",
    manual="data-movement-and-conversion-instructions-cp-reduce-async-bulk",
    semantics="later: for each element: d[i] = op(d[i], a[i])",
    effects=_COPY,
    forms=(
        Form(
            "cp.reduce.async.bulk.dst.src.completion_mechanism.op.type [d], [a], size, [mbar]",
            slots={
                "dst": "shared::cluster",
                "src": "shared::cta",
                "completion_mechanism": MBARRIER,
                "op": "and or xor add inc dec min max",
                "type": "b32 u32 s32 u64",
            },
            args={**_ARGS, "mbar": replace(_ARGS["mbar"], narrow=True)},
            rows=(
                row(op="add", type="u32|s32|u64"),
                row(op="min|max", type="u32|s32"),
                row(op="inc|dec", type="u32"),
                row(op="and|or|xor", type="b32"),
            ),
            ptx="8.0",
            sm="90+",
        ),
        Form(
            "cp.reduce.async.bulk.dst.src.completion_mechanism{.cache_hint}.op{.noftz}.type [d], [a], size{, policy}",
            slots={
                "dst": "global",
                "src": "shared::cta",
                "completion_mechanism": "bulk_group",
                "cache_hint": m.CACHE_HINT,
                "op": "and or xor add inc dec min max",
                "type": REDUCTION_TYPES,
            },
            args=_ARGS,
            rows=REDUCTIONS,
            ptx="8.0",
            sm="90+",
        ),
    ),
)

BULK_PREFETCH = Family(
    "cp.async.bulk.prefetch",
    "Start loading a byte range of global memory into L2.",
    manual="data-movement-and-conversion-instructions-cp-async-bulk-prefetch",
    effects=Effects(volatile=True),
    forms=(
        Form(
            "cp.async.bulk.prefetch.level.src{.cache_hint} [a], size{, policy}",
            slots={"level": "L2", "src": "global", "cache_hint": m.CACHE_HINT},
            args=_ARGS,
            ptx="8.0",
            sm="90+",
        ),
        Form(
            "cp.async.bulk.prefetch.level.src.priority [a], size",
            slots={"level": "L2", "src": "global", "priority": "L2::evict_last"},
            args=_ARGS,
            **RUBIN,
        ),
    ),
)

BULK_COMMIT_GROUP = Family(
    "cp.async.bulk.commit_group",
    "Make a bulk group of the thread's bulk copies since the last one.",
    manual="data-movement-and-conversion-instructions-cp-async-bulk-commit-group",
    effects=Effects(barrier=True),
    forms=(Form("cp.async.bulk.commit_group", ptx="8.0", sm="90+"),),
)

BULK_WAIT_GROUP = Family(
    "cp.async.bulk.wait_group",
    "Wait until at most n of the thread's newest bulk groups are pending; with .read, until their sources are read.",
    manual="data-movement-and-conversion-instructions-cp-async-bulk-wait-group",
    effects=Effects(barrier=True),
    forms=(
        Form("cp.async.bulk.wait_group{.read} n", args={"n": Arg(type="u32", reg=False)}, ptx="8.0", sm="90+"),
        Form(
            "cp.async.bulk.wait_group.sync_restrict n",
            slots={"sync_restrict": "sync_restrict::proxy::async"},
            args={"n": Arg(type="u32", reg=False)},
            ptx="9.5",
            sm="90+",
        ),
    ),
)

FAMILIES = (CP_ASYNC_BULK, CP_REDUCE_ASYNC_BULK, BULK_PREFETCH, BULK_COMMIT_GROUP, BULK_WAIT_GROUP)
