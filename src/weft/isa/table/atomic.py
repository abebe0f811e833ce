"""`atom`, `red`: atomic read-modify-write on global and shared memory, with and without the old value."""

from __future__ import annotations

from typing import Any

from weft.isa.form import Arg, Effects, Family, Form, forbid, need, row
from weft.isa.table import _memory as m

_SHARED = m.SHARED.replace(" ", "|")
_NEEDS = (
    *m.SPACE_NEEDS,
    need(ss="", ptx="2.0", sm="20+"),
    need(sm="11+"),
    need(ss=_SHARED, sm="12+"),
    need(type="u64|s64|b64", ptx="1.2", sm="12+"),
    need(ss=_SHARED, type="u64|s64|b64", ptx="2.0", sm="20+"),
    need(op="min|max", type="u64|s64", ptx="3.1", sm="32+"),
    need(op="and|or|xor", type="b64", ptx="3.1", sm="32+"),
    need(type="f32", ptx="2.0", sm="20+"),
    *m.SCOPE_NEEDS,
    need(scope=True, ptx="5.0", sm="60+"),
    need(sem=True, ptx="6.0", sm="70+"),
    need(cache_hint=True, ptx="7.4", sm="80+"),
    need(type="b128", scope="sys", ptx="8.4"),
    need(type="f32", noftz=True, ptx="9.4", sm="90+"),
)
_HINT_SPACE = forbid(
    "'.L2::cache_hint' is allowed only for global and generic addresses",
    cache_hint=True,
    ss=f"{m.SHARED}".replace(" ", "|"),
)

SCALAR: dict[str, Any] = {"vec": False, "noftz": False}
SCALAR_ROWS = (
    row(op="add", type="u32|s32|u64", **SCALAR),
    row(op="add", type="f32", vec=False),
    row(op="add", type="f64", **SCALAR, ptx="5.0", sm="60+"),
    row(op="add", type="f16x2", vec=False, noftz=True, ptx="6.2", sm="60+"),
    row(op="add", type="f16", vec=False, noftz=True, ptx="6.3", sm="70+"),
    row(op="add", type="bf16|bf16x2", vec=False, noftz=True, ptx="7.8", sm="90+"),
    row(op="min|max", type="u32|s32|u64|s64", **SCALAR),
    row(op="inc|dec", type="u32", **SCALAR),
    row(op="and|or|xor", type="b32|b64", **SCALAR),
)
_VECTOR: dict[str, Any] = {"ss": m.GENERIC_OR_GLOBAL, "ptx": "8.1", "sm": "90+"}
VECTOR_ROWS = (
    row(op="add", vec="v2|v4", type="f32", **_VECTOR),
    row(op="add|min|max", vec="v2|v4|v8", type="f16|bf16", noftz=True, **_VECTOR),
    row(op="add|min|max", vec="v2|v4", type="f16x2|bf16x2", noftz=True, **_VECTOR),
)
TYPES = "b16 b32 b64 b128 u32 s32 u64 s64 f16 bf16 f16x2 bf16x2 f32 f64"

ATOM = Family(
    "atom",
    "Atomically update a value in memory and return the old value.",
    manual="parallel-synchronization-and-communication-instructions-atom",
    semantics="d = *a;  *a = op(*a, b)        cas: *a = (*a == b) ? c : *a        exch: *a = b\n"
    "inc: *a = (*a >= b) ? 0 : *a + 1        dec: *a = (*a == 0 || *a > b) ? b : *a - 1",
    effects=Effects(memory="rw", space="ss"),
    forms=(
        Form(
            "atom{.sem}{.scope}{.ss}.op{.noftz}{.cache_hint}{.vec}.type d, [a], b{, policy}",
            slots={
                "sem": "relaxed acquire release acq_rel",
                "scope": m.SCOPES,
                "ss": f"global {m.SHARED}",
                "op": "add min max inc dec and or xor exch",
                "cache_hint": m.CACHE_HINT,
                "vec": "v2 v4 v8",
                "type": TYPES,
            },
            args={
                "d": Arg(count=m.lanes, sink=True),
                "a": Arg(space="ss", access="rw", wide=True),
                "b": Arg(count=m.lanes, kindred=True),
                "policy": Arg(type="u64", when="cache_hint"),
            },
            rows=(
                *SCALAR_ROWS,
                *VECTOR_ROWS,
                row(op="exch", type="b32|b64", **SCALAR),
                row(op="exch", type="b128", **SCALAR, ptx="8.3", sm="90+"),
            ),
            needs=_NEEDS,
            rules=(_HINT_SPACE,),
        ),
        Form(
            "atom{.sem}{.scope}{.ss}.op.type d, [a], b, c",
            slots={
                "sem": "relaxed acquire release acq_rel",
                "scope": m.SCOPES,
                "ss": f"global {m.SHARED}",
                "op": "cas",
                "type": "b16 b32 b64 b128",
            },
            args={"d": Arg(sink=True), "a": Arg(space="ss", access="rw", wide=True)},
            rows=(row(type="b32|b64"), row(type="b16", ptx="6.3", sm="70+"), row(type="b128", ptx="8.3", sm="90+")),
            needs=_NEEDS,
        ),
    ),
)

RED = Family(
    "red",
    "Atomically update a value in memory without returning the old value.",
    manual="parallel-synchronization-and-communication-instructions-red",
    semantics="*a = op(*a, b)",
    effects=Effects(memory="rw", space="ss"),
    forms=(
        Form(
            "red{.sem}{.scope}{.ss}.op{.noftz}{.cache_hint}{.vec}.type [a], b{, policy}",
            slots={
                "sem": "relaxed release",
                "scope": m.SCOPES,
                "ss": f"global {m.SHARED}",
                "op": "add min max inc dec and or xor",
                "cache_hint": m.CACHE_HINT,
                "vec": "v2 v4 v8",
                "type": TYPES,
            },
            args={
                "a": Arg(space="ss", access="rw", wide=True),
                "b": Arg(count=m.lanes, kindred=True),
                "policy": Arg(type="u64", when="cache_hint"),
            },
            rows=(*SCALAR_ROWS, *VECTOR_ROWS),
            needs=_NEEDS,
            rules=(_HINT_SPACE,),
        ),
    ),
)

FAMILIES = (ATOM, RED)
