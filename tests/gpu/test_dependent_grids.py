"""Grids that start before the one before them has ended: what that uses is its own until `griddepcontrol.wait`."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.sim import KernelFault, SimulationError

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b)\n{\n"
HEAD += """.reg .pred %p; .reg .b64 %a, %b, %i; .reg .b32 %t, %v, %c, %n; .shared .b32 s[128];
mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; mov.u32 %n, %ntid.x; mad.lo.u32 %v, %c, %n, %t; mul.wide.u32 %i, %v, 4;
ld.param.u64 %a, [a]; ld.param.u64 %b, [b]; add.u64 %a, %a, %i; add.u64 %b, %b, %i; setp.eq.u32 %p, %t, 0;
"""
EARLIER = HEAD + "ld.global.u32 %v, [%a]; griddepcontrol.launch_dependents; st.global.u32 [%b], %v; ret; }"
"""Reads `a`, writes `b`."""
RIGHT = {
    "all threads wait": "griddepcontrol.wait; ld.global.u32 %v, [%b]; st.global.u32 [%a], %v;",
    "one thread waits": "@%p griddepcontrol.wait; bar.sync 0; ld.global.u32 %v, [%b]; st.global.u32 [%a], %v;",
    "nothing of the other": "mov.u32 %v, s; st.shared.u32 [s], %v;",
    "what both only read": "ld.global.u32 %v, [%a]; griddepcontrol.wait; st.global.u32 [%b], %v;",
    "copies": "griddepcontrol.wait; mov.u32 %v, s; mad.lo.u32 %v, %t, 4, %v; cp.async.ca.shared.global [%v], [%b], 4; "
    "cp.async.wait_all; bar.sync 0; ld.shared.u32 %v, [%v]; st.global.u32 [%a], %v;",
}
WRONG = {
    "no wait": ("all threads wait", "griddepcontrol.wait;", ""),
    "launch_dependents for wait": ("all threads wait", "wait;", "launch_dependents;"),
    "wait after the load": ("all threads wait", "griddepcontrol.wait; ld.global.u32 %v, [%b];",
                            "ld.global.u32 %v, [%b]; griddepcontrol.wait;"),
    "one thread waits, no barrier": ("one thread waits", "bar.sync 0;", ""),
    "a barrier of one warp": ("one thread waits", "bar.sync 0;", "bar.warp.sync -1;"),
    "overwrites what is read": ("nothing of the other", "st.shared.u32 [s], %v;", "st.global.u32 [%a], %v;"),
    "overwrites what is written": ("what both only read", "griddepcontrol.wait;", ""),
    "copies without a wait": ("copies", "griddepcontrol.wait;", ""),
    "wait of the wrong threads": ("copies", "griddepcontrol.wait;", "setp.ge.u32 %p, %t, 32; @%p griddepcontrol.wait;"),
}  # fmt: skip


def fault(body: str, *, programmatic: bool = True, between: bool = False) -> KernelFault | None:
    """What is said of a kernel after one that reads `a` and writes `b`, or with another kernel between them."""
    with weft.Device("sm_90", memory=1 << 28) as device:
        a, b = device.array(np.arange(256, dtype=np.uint32)), device.zeros(256, np.uint32)
        stream = device.stream()
        device.kernel(EARLIER, "k").launch(2, 128, [a, b], stream=stream)
        if between:
            other = HEAD + "mov.u32 %v, s; ret; }"
            device.kernel(other, "k").launch(2, 128, [a, b], stream=stream, programmatic=True)
        try:
            kernel = device.kernel(HEAD + body + " ret; }", "k")
            kernel.launch(2, 128, [a, b], stream=stream, programmatic=programmatic)
        except KernelFault as found:
            return found
        return None


@pytest.mark.parametrize("name", RIGHT)
def test_right(name: str) -> None:
    assert fault(RIGHT[name]) is None


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", WRONG)
def test_wrong(name: str) -> None:
    right, old, new = WRONG[name]
    assert RIGHT[right].count(old) == 1
    wrong = RIGHT[right].replace(old, new)
    found = fault(wrong)
    assert found is not None and found.kind == "race" and "kernel 'k'" in found.message
    assert "griddepcontrol.wait" in found.hint
    assert fault(wrong, programmatic=False) is None


def test_a_grid_that_does_not_wait_hands_on_what_came_before() -> None:
    body = RIGHT["all threads wait"].replace("griddepcontrol.wait;", "")
    assert fault(body, between=True) is not None
    assert fault(RIGHT["all threads wait"], between=True) is None


def test_memory_that_is_given_out_again() -> None:
    """What the earlier grid has written and the host has freed belongs to nobody who comes after it."""
    body = RIGHT["all threads wait"].replace("griddepcontrol.wait;", "")
    with weft.Device("sm_90", memory=1 << 28) as device:
        first, second = device.kernel(EARLIER, "k"), device.kernel(HEAD + body + " ret; }", "k")
        places: set[int] = set()
        for kernel in (first, second):
            a, b = device.memory.allocate(1024), device.memory.allocate(1024)
            places |= {a.address, b.address}
            kernel.launch(2, 128, [a, b], programmatic=kernel is second)
            for one in (a, b):
                device.memory.free(one.address, quarantine=False)
        assert len(places) == 2


def test_arrays_of_an_earlier_grid() -> None:
    """`weft.run` has one grid: it is told what the one before may still write."""
    for name in ("all threads wait", "one thread waits"):
        for wait, expected in (("griddepcontrol.wait;", None), ("", "race")):
            text = HEAD + RIGHT[name].replace("griddepcontrol.wait;", wait).replace("@%p  bar", "bar") + " ret; }"
            text = text.replace("@%p bar", "bar")
            a, b = np.zeros(256, np.uint32), np.ones(256, np.uint32)
            try:
                weft.run(weft.parse(text), "k", 2, 128, [a, b], earlier=[b])
                said = None
            except KernelFault as found:
                said = found.kind
            assert said == expected
            weft.run(weft.parse(text), "k", 2, 128, [a, b])
    with pytest.raises(SimulationError, match="earlier"):
        weft.run(weft.parse(EARLIER), "k", 2, 128, [np.zeros(256, "u4")] * 2, earlier=[np.zeros(4, "u4")])
