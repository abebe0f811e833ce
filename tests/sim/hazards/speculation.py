"""Kernels that load what others store meanwhile, in threads that do nothing with it; and wrong ones, which do.

Of two warps the second stores to its half of an array.  Each thread loads an element of the other half, so that only the
loads of the first warp race; a condition says who uses what it has loaded, in one of several ways.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

_USES = {
    "a branch": "@!%use bra skip;\n st.global.u32 [%out], %v;\nskip:",
    "a guard": "@%use st.global.u32 [%out], %v;",
    "a choice": "selp.u32 %v, %v, 7, %use;\n st.global.u32 [%out], %v;",
    "arithmetic": "mad.lo.u32 %v, %v, 3, %t;\n cvt.rn.f32.u32 %f, %v;\n cvt.rzi.u32.f32 %v, %f;\n @!%use bra skip;\n st.global.u32 [%out], %v;\nskip:",
    "a loop of no turns": "mov.u32 %n, 0;\n selp.u32 %m, 2, 0, %use;\n mov.u32 %s, 0;\nnext:\n setp.ge.u32 %p, %n, %m;\n @%p bra end;\n add.u32 %s, %s, %v;\n add.u32 %n, %n, 1;\n bra next;\nend:\n st.global.u32 [%out], %s;",
    "its own memory": "st.local.u32 [kept], %v;\n mov.u32 %v, 9;\n @!%use bra skip;\n ld.local.u32 %v, [kept];\nskip:\n st.global.u32 [%out], %v;",
    "a branch that others decide": "setp.ne.u32 %p, %t, 99;\n @!%p bra skip;\n @!%use bra skip;\n red.global.add.u32 [%out], %v;\nskip:",
    "an address": "and.b32 %v, %v, 3;\n mul.wide.u32 %x, %v, 256;\n add.u64 %x, %x, %out;\n @%use st.global.u32 [%x+1024], %t;",
    "a decision": "@!%use bra skip;\n setp.gt.u32 %p, %v, 50;\n @%p st.global.u32 [%out], %t;\nskip:",
}
"""How a value is used where `%use` holds."""
_WHO = {
    "": "setp.ge.u32 %use, %t, 32;",
    "used by one who races": "setp.ge.u32 %use, %t, 31;",
    "used by all": "setp.ge.u32 %use, %t, 0;",
    "used by the wrong half": "setp.lt.u32 %use, %t, 32;",
}
"""Who uses it: the threads whose loads race with nothing, or (wrong) others."""
_LOADS = {
    "": "ld{ss}.u32 %v, [%from];",
    "a vector": "and.b64 %x, %from, -8;\n ld{ss}.v2.u32 {{%v, %m}}, [%x];",
    "four times": "ld{ss}.u32 %v, [%from];\n ld{ss}.u32 %n, [%from];\n add.u32 %v, %v, %n;\n ld{ss}.u32 %n, [%from];\n add.u32 %v, %v, %n;\n ld{ss}.u32 %n, [%from];\n add.u32 %v, %v, %n;",
}
_STORE = "setp.lt.u32 %p, %t, 32;\n @%p bra stored;\n add.u32 %n, %t, 100;\n st{ss}.u32 [%mine], %n;\nstored:"


@dataclass(frozen=True)
class Speculation:
    """A kernel `k` for two warps, which takes `data` and `out`; `bug` is empty where it is right."""

    name: str
    bug: str
    text: str


def all_kernels() -> Iterator[Speculation]:
    """Every kernel."""
    for space in ("shared", "global"):
        for order in ("before", "after"):
            for how in _LOADS:
                for use in _USES:
                    if how and use not in ("a branch", "a choice"):
                        continue
                    for bug in _WHO:
                        name = f"{how or 'a load'} of {space} memory {order} the store, {use}"
                        yield Speculation(name, bug, _text(space, order, how, use, bug))


def _text(space: str, order: str, how: str, use: str, bug: str) -> str:
    ss = f".{space}"
    base = "mov.u64 %x, tile;" if space == "shared" else "ld.param.u64 %x, [data];"
    parts = [_LOADS[how].format(ss=ss), _STORE.format(ss=ss)]
    body = "\n ".join(parts if order == "before" else reversed(parts))
    return f"""
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 out)
{{
 .reg .b64 %x, %from, %mine, %out; .reg .b32 %t, %v, %n, %m, %s, %i; .reg .f32 %f; .reg .pred %p, %use;
 .shared .align 16 .b8 tile[256]; .local .align 4 .b8 kept[4];
 ld.param.u64 %out, [out]; mov.u32 %t, %tid.x; {base}
 mul.wide.u32 %mine, %t, 4; add.u64 %out, %out, %mine; add.u64 %mine, %mine, %x;
 xor.b32 %i, %t, 32; mul.wide.u32 %from, %i, 4; add.u64 %from, %from, %x;
 st{ss}.u32 [%mine], %t;
 bar.sync 0;
 {_WHO[bug]}
 {body}
 {_USES[use]}
 ret;
}}
"""
