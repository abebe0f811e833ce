"""Special registers as operands of instructions of other types: of old PTX, which reads them as 16 bits, say."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sim.harness import module
from weft.sim import run
from weft.sim.engines import Engine
from weft.sim.lanes import Array

READ = {
    "cvt.u64.u16 %rd1, {0};": lambda v: v & 0xFFFF,
    "cvt.u64.u8 %rd1, {0};": lambda v: v & 0xFF,
    "cvt.u64.u32 %rd1, {0};": lambda v: v & 0xFFFF_FFFF,
    "cvt.s64.s32 %rd1, {0};": lambda v: v,
    "mul.wide.u16 %r8, {0}, 3; cvt.u64.u32 %rd1, %r8;": lambda v: (v & 0xFFFF) * 3,
    "mul.wide.s32 %rd1, {0}, 3;": lambda v: v * 3,
    "shr.s32 %r8, {0}, 31; cvt.s64.s32 %rd1, %r8;": lambda v: v >> 31,
    "setp.lt.s32 %p1, {0}, 1; selp.u64 %rd1, 1, 0, %p1;": lambda v: v < 1,
    "mov.u16 %h1, {0}; cvt.u64.u16 %rd1, %h1;": lambda v: v & 0xFFFF,
}
GRID, BLOCK = (3, 2), (4, 2)


def values(register: str, body: str, engine: Engine) -> Array:
    text = f"""
    .visible .entry k(.param .u64 out)
    {{ .reg .b64 %rd<4>; .reg .b32 %r<9>; .reg .b16 %h<2>; .reg .pred %p<2>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %nctaid.x; mad.lo.u32 %r1, %r2, %r3, %r1;
    mov.u32 %r4, %ntid.x; mov.u32 %r5, %ntid.y; mul.lo.u32 %r6, %r4, %r5; mov.u32 %r7, %tid.x; mov.u32 %r2, %tid.y;
    mad.lo.u32 %r7, %r2, %r4, %r7; mad.lo.u32 %r1, %r1, %r6, %r7;
    mul.wide.u32 %rd3, %r1, 8; ld.param.u64 %rd2, [out]; add.u64 %rd2, %rd2, %rd3;
    {body.format(register)} st.global.u64 [%rd2], %rd1; ret; }}"""
    out = np.zeros((*reversed(GRID), *reversed(BLOCK)), np.int64)
    run(module(text, "sm_90"), "k", GRID, BLOCK, [out], engine=engine, resident=32)
    return out


@pytest.mark.sample(2)
@pytest.mark.parametrize("engine", ["numpy", "native"])
@pytest.mark.parametrize("register", ["%ctaid.x", "%ctaid.y", "%tid.y", "%clusterid.x", "%lanemask_gt", "%laneid"])
def test_special_registers_of_other_types(register: str, engine: Engine) -> None:
    """One batch of CTAs after the other: what is read must be that of the CTA, however wide."""
    if engine == "native":
        pytest.importorskip("llvmlite")
    plain = values(register, "mov.u32 %r8, {0}; cvt.s64.s32 %rd1, %r8;", engine)
    if register.startswith("%ctaid"):
        assert len(np.unique(plain)) > 1
    for body, expected in READ.items():
        assert (values(register, body, engine) == expected(plain)).all(), body
