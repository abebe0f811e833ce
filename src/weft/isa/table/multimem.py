"""`multimem.*`: loads, stores and reductions on a multicast address, which stands for memory on several devices."""

from __future__ import annotations

from typing import Any

from weft.isa.form import Arg, Effects, Family, Form, need, row
from weft.isa.table import _memory as m
from weft.isa.table.bulk import REDUCTION_TYPES, REDUCTIONS, SIZE

FP8 = "e4m3 e5m2 e4m3x2 e5m2x2 e4m3x4 e5m2x4"
FP8_TARGETS = "100f+ 120a 121a"
_WHOLE = "u32 s32 b32 u64 s64 b64 f64"
_PACKED = "f16x2 bf16x2"
_FP8_NEED = need(type=FP8.replace(" ", "|"), ptx="8.6", sm=FP8_TARGETS)

_GLOBAL = Arg(space="global", wide=True)
_WRITTEN = Arg(space="global", access="rw", wide=True, narrow=False)

# Vectors: 32 to 128 bits of halves, packed halves or .f32; the same of the 8-bit floats.
_HALVES: tuple[dict[str, Any], ...] = (
    {"vec": False, "type": "f16x2|bf16x2"},
    {"vec": "v2|v4", "type": "f16|bf16|f16x2|bf16x2"},
    {"vec": "v8", "type": "f16|bf16"},
)
_EIGHTS: tuple[dict[str, Any], ...] = (
    {"vec": False, "type": "e4m3x4|e5m2x4"},
    {"vec": "v2", "type": "e4m3x2|e5m2x2|e4m3x4|e5m2x4"},
    {"vec": "v4", "type": "e4m3|e5m2|e4m3x2|e5m2x2|e4m3x4|e5m2x4"},
    {"vec": "v8", "type": "e4m3|e5m2|e4m3x2|e5m2x2"},
)
_INTEGER_ROWS = (
    row(op="add", vec=False, acc=False, type="u32|s32|u64|f32|f64"),
    row(op="min|max", vec=False, acc=False, type="u32|s32|u64|s64"),
    row(op="and|or|xor", vec=False, acc=False, type="b32|b64"),
    row(op="add", vec="v2|v4", acc=False, type="f32"),
)

LD_REDUCE = Family(
    "multimem.ld_reduce",
    "Load from all copies behind a multicast address and reduce the values.",
    manual="data-movement-and-conversion-instructions-multimem-ld-reduce-multimem-st-multimem-red",
    semantics="d = op over the copies of *a;  .acc:: names the precision of the additions",
    effects=Effects(memory="r", space="global"),
    forms=(
        Form(
            "multimem.ld_reduce{.sem}{.scope}{.ss}.op{.acc}{.vec}.type d, [a]",
            slots={
                "sem": "weak relaxed acquire",
                "scope": m.SCOPES,
                "ss": "global",
                "op": "add min max and or xor",
                "acc": "acc::f32 acc::f16",
                "vec": "v2 v4 v8",
                "type": f"{_WHOLE} f32 f16 bf16 {_PACKED} {FP8}",
            },
            args={"d": Arg(count=m.lanes), "a": _GLOBAL},
            rows=(
                *_INTEGER_ROWS,
                *(row(op="add|min|max", acc=False, **shape) for shape in (*_HALVES, *_EIGHTS)),
                *(row(op="add", acc="acc::f32", **shape) for shape in _HALVES),
                *(row(op="add", acc="acc::f16", **shape) for shape in _EIGHTS),
            ),
            needs=(need(acc="acc::f32", ptx="8.2"), _FP8_NEED),
            rules=m.ORDER_RULES,
            ptx="8.1",
            sm="90+",
        ),
    ),
)

ST = Family(
    "multimem.st",
    "Store to all copies behind a multicast address.",
    manual="data-movement-and-conversion-instructions-multimem-ld-reduce-multimem-st-multimem-red",
    semantics="each copy of *a = b",
    effects=Effects(memory="w", space="global"),
    forms=(
        Form(
            "multimem.st{.sem}{.scope}{.ss}{.vec}.type [a], b",
            slots={
                "sem": "weak relaxed release",
                "scope": m.SCOPES,
                "ss": "global",
                "vec": "v2 v4 v8",
                "type": f"{_WHOLE} f32 f16 bf16 {_PACKED} {FP8}",
            },
            args={"a": Arg(space="global", access="w", wide=True), "b": Arg(count=m.lanes)},
            rows=(
                row(vec=False, type=f"{_WHOLE} f32".replace(" ", "|")),
                row(vec="v2|v4", type="f32"),
                *(row(**shape) for shape in (*_HALVES, *_EIGHTS)),
            ),
            needs=(_FP8_NEED,),
            rules=m.ORDER_RULES,
            ptx="8.1",
            sm="90+",
        ),
    ),
)

RED = Family(
    "multimem.red",
    "Combine a value into all copies behind a multicast address.",
    manual="data-movement-and-conversion-instructions-multimem-ld-reduce-multimem-st-multimem-red",
    semantics="each copy of *a = op(*a, b)",
    effects=Effects(memory="rw", space="global"),
    forms=(
        Form(
            "multimem.red{.sem}{.scope}{.ss}.op{.vec}.type [a], b",
            slots={
                "sem": "relaxed release",
                "scope": m.SCOPES,
                "ss": "global",
                "op": "add min max and or xor",
                "vec": "v2 v4 v8",
                "type": f"{_WHOLE} f32 f16 bf16 {_PACKED}",
            },
            args={"a": _WRITTEN, "b": Arg(count=m.lanes, kindred=True)},
            rows=(
                *_INTEGER_ROWS,
                row(op="add", vec=False, type="f16x2|bf16x2"),
                *(row(op="add|min|max", **shape) for shape in _HALVES[1:]),
            ),
            rules=m.ORDER_RULES,
            ptx="8.1",
            sm="90+",
        ),
    ),
)

_BULK_SLOTS = {"dst": "global", "src": "shared::cta", "completion_mechanism": "bulk_group"}
_BULK_ARGS = {
    "d": Arg(space="dst", access="w"),
    "a": Arg(space="src"),
    "size": SIZE,
    "byte_mask": Arg(type="u16", when="cp_mask"),
}

CP_ASYNC_BULK = Family(
    "multimem.cp.async.bulk",
    "Start a copy of a byte range of shared memory to all copies behind a multicast address.",
    manual="data-movement-and-conversion-instructions-multimem-cp-async-bulk",
    effects=Effects(memory="rw", space="dst"),
    forms=(
        Form(
            "multimem.cp.async.bulk.dst.src.completion_mechanism{.cp_mask} [d], [a], size{, byte_mask}",
            slots=_BULK_SLOTS,
            args=_BULK_ARGS,
            needs=(need(cp_mask=True, sm="100+"),),
            ptx="9.1",
            sm="90+",
        ),
    ),
)

CP_REDUCE_ASYNC_BULK = Family(
    "multimem.cp.reduce.async.bulk",
    "Start an element-wise reduction of a byte range of shared memory into all copies behind a multicast address.",
    manual="data-movement-and-conversion-instructions-multimem-cp-reduce-async-bulk",
    effects=Effects(memory="rw", space="dst"),
    forms=(
        Form(
            "multimem.cp.reduce.async.bulk.dst.src.completion_mechanism.op{.noftz}.type [d], [a], size",
            slots={**_BULK_SLOTS, "op": "and or xor add inc dec min max", "type": REDUCTION_TYPES},
            args=_BULK_ARGS,
            rows=REDUCTIONS,
            ptx="9.1",
            sm="90+",
        ),
    ),
)

FAMILIES = (LD_REDUCE, ST, RED, CP_ASYNC_BULK, CP_REDUCE_ASYNC_BULK)
