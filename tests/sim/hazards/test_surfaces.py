"""Surfaces and textures of one memory: stores that nothing orders, and texels that the same kernel has stored."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.hazards.case import ptx
from weft.sim import KernelFault

STORE = "sust.b.2d.b32.trap [%rd1, {%r1, %r2}], {%t};"
LOAD = "suld.b.2d.b32.trap {%r5}, [%rd1, {%r3, %r4}];"
SAMPLE = "tex.2d.v4.u32.s32 {%r5, %r6, %r7, %r8}, [%rd2, {%r9, %r10}];"


def body(*steps: str) -> str:
    """Thread (x, y) has `%r1` bytes and `%r2`, its opposite `%r3` and `%r4`, in texels `%r9` and `%r10`."""
    return ptx(
        "ld.param.u64 %rd1, [surface]; ld.param.u64 %rd2, [texture]; ld.param.u64 %rd3, [out]; ld.param.u64 %rd4, [memory];\n"
        "and.b32 %r1, %t, 7; shl.b32 %r1, %r1, 2; shr.u32 %r2, %t, 3; xor.b32 %r3, %r1, 28; xor.b32 %r4, %r2, 7;\n"
        "shr.u32 %r9, %r3, 2; mov.u32 %r10, %r4; mad.wide.u32 %rd3, %t, 4, %rd3; mov.u32 %r5, 0;\n"
        + "\n".join(steps)
        + "\nst.global.u32 [%rd3], %r5; ret;",
        "surface texture out memory",
        "sm_90",
    )


def fault(text: str, apart: bool = False) -> str:
    memory = np.zeros((8, 8), np.uint32)
    other = np.ones((8, 8), np.uint32) if apart else memory
    arguments: list[Any] = [weft.Surface(memory), weft.Texture(other), np.zeros(64, np.uint32), np.zeros(4, np.uint32)]
    try:
        weft.run(weft.parse(text), "k", 1, 64, arguments)
    except KernelFault as found:
        return found.kind
    return ""


@pytest.mark.parametrize(
    ("steps", "apart", "kind"),
    [
        ((STORE, "bar.sync 0;", LOAD), False, ""),
        ((STORE, LOAD), False, "race"),
        ((STORE, "bar.warp.sync 0xffffffff;", LOAD), False, "race"),
        ((LOAD, "bar.sync 0;", STORE), False, ""),
        ((LOAD, STORE), False, "race"),
        (("mov.u32 %r1, 0;", STORE), False, "race"),
        (("mov.u32 %r1, 0; mov.u32 %t, 3;", STORE), False, ""),
        ((SAMPLE,), False, ""),
        ((SAMPLE, "bar.sync 0;", STORE), False, ""),
        ((STORE, "bar.sync 0;", SAMPLE), False, "race"),
        ((STORE, "bar.sync 0;", SAMPLE), True, ""),
        (("setp.lt.u32 %p1, %r2, 4; @%p1", STORE, "bar.sync 0; @%p1 bra over;", SAMPLE, "over:"), False, "race"),
        (("setp.lt.u32 %p1, %r2, 4; @%p1", STORE, "bar.sync 0; @!%p1 bra over;", SAMPLE, "over:"), False, ""),
    ],
)
def test_surfaces(steps: tuple[str, ...], apart: bool, kind: str) -> None:
    assert fault(body(*steps), apart) == kind
