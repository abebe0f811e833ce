"""Accesses in code at the end of what they may reach, and past it: of all widths, however lanes lie, in each space."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from tests.sim.harness import INDEX, REGISTERS, Array, kernel
from tests.sim.tiers import counted
from weft.sim import KernelFault, run

SIZE = 1024
WIDTHS = {"u8": (1, "%rs1"), "u16": (2, "%rs1"), "u32": (4, "%r20"), "u64": (8, "%rd20"), "v2.u16": (4, "{%rs1, %rs2}"),
          "v2.u32": (8, "{%r20, %r21}"), "v4.u32": (16, "{%r20, %r21, %r22, %r23}"), "v2.u64": (16, "{%rd20, %rd21}")}  # fmt: skip
LANES = {"side by side": "sub.u32 %r5, 32, %r4;", "at one place": "mov.u32 %r5, 1;", "apart": "sub.u32 %r5, 32, %r4; mad.lo.u32 %r5, %r5, 2, -1;",
         "some": "sub.u32 %r5, 32, %r4; and.b32 %r6, %r4, 1; setp.eq.u32 %p9, %r6, 1; @!%p9 bra end;"}  # fmt: skip
"""How many accesses from the end on a lane's lies."""
PLACES = {"global": "[%rd5]", "shared": "[%r7]", "local": "[%r7]", "generic": "[%rd5]"}


def body(space: str, width: str) -> str:
    """A kernel that loads or stores: numbers say which, how lanes lie, and how many bytes further on."""
    way = "".join(f"w{n}: {text} bra go; " for n, text in enumerate(LANES.values()))
    size, value = WIDTHS[width]
    where, place = "" if space == "generic" else f".{space}", PLACES[space]
    accesses = f"a0: ld{where}.{width} {value}, {place}; bra done; a1: st{where}.{width} {place}, {value};"
    base = {
        "global": "ld.param.u64 %rd4, [p0]; mov.u32 %r8, 0;",
        "generic": "ld.param.u64 %rd4, [p0]; mov.u32 %r8, 0;",
        "shared": "mov.u32 %r8, tile; mov.u64 %rd4, 0;",
        "local": "mov.u32 %r8, mine; mov.u64 %rd4, 0;",
    }[space]
    return f"""{REGISTERS} {INDEX} .shared .align 16 .b8 tile[{SIZE}]; .local .align 16 .b8 mine[{SIZE}]; mov.u32 %r4, %laneid; {base}
    mov.u16 %rs1, 9; mov.u16 %rs2, 9; mov.u32 %r20, 9; mov.u32 %r21, 9; mov.u32 %r22, 9; mov.u32 %r23, 9; mov.u64 %rd20, 9; mov.u64 %rd21, 9;
    ld.param.u32 %r1, [p1]; ld.param.u32 %r2, [p2]; ld.param.u32 %r3, [p3];
    ways: .branchtargets w0, w1, w2, w3; brx.idx.uni %r2, ways; {way}
    go: mul.lo.u32 %r5, %r5, {size}; sub.u32 %r6, {SIZE}, %r5; add.u32 %r6, %r6, %r3; add.u32 %r7, %r8, %r6; cvt.u64.u32 %rd5, %r6;
    add.u64 %rd5, %rd4, %rd5; all: .branchtargets a0, a1; brx.idx.uni %r1, all; {accesses}
    done: end: ret;"""


@pytest.mark.sample(2)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("space", PLACES)
def test_the_last_bytes_and_the_next(space: str, width: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is inside stays in code; what is not is told by NumPy, and nothing is written."""
    module = kernel(body(space, width), ["u64", "u32", "u32", "u32"], "sm_90")
    given: Array = np.random.default_rng(3).integers(10, 200, SIZE).astype(np.uint8)
    size, each = WIDTHS[width][0], int(width.rpartition("u")[2]) // 8
    for stores, way, past in product((0, 1), range(len(LANES)), (0, size, 1)):
        memory, kind = given.copy(), ""
        with monkeypatch.context() as patched:
            calls = counted(patched, gives_up=past > 0)
            try:
                words = (np.uint32(word) for word in (stores, way, past))
                run(module, "k", 1, 32, [memory, *words], check="fast", engine="native")
            except KernelFault as fault:
                kind = fault.kind
        assert calls
        assert kind in {0: ("",), size: ("out-of-bounds",)}.get(past, ("misaligned", "out-of-bounds")), (way, past)
        if stores and not past and space in ("global", "generic"):
            assert (memory[SIZE - size :].view(f"u{each}") == 9).all()
        else:
            assert (memory == given).all()
