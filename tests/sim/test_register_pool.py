"""`setmaxnreg`: what warps give back is what others may take, and a warpgroup goes together."""

from __future__ import annotations

import pytest

import weft
from weft.errors import Severity
from weft.sim import KernelFault, Result

HEAD = ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k() .maxnreg 168\n{\n"
HEAD += ".reg .pred %p; .reg .b32 %t; mov.u32 %t, %tid.x; setp.lt.u32 %p, %t, 128; @%p bra producer;\n"
ROLES = (
    HEAD
    + """setmaxnreg.inc.sync.aligned.u32 240; bra end;
producer: setmaxnreg.dec.sync.aligned.u32 24;
end: ret; }"""
)
TWICE = (
    HEAD
    + """setmaxnreg.dec.sync.aligned.u32 40; bar.sync 1, 256; setmaxnreg.inc.sync.aligned.u32 152; bra end;
producer: setmaxnreg.dec.sync.aligned.u32 24; bar.sync 2, 128; setmaxnreg.inc.sync.aligned.u32 40;
end: ret; }"""
)
WRONG = {
    "too many": (ROLES, "inc.sync.aligned.u32 240", "inc.sync.aligned.u32 248", "deadlock"),
    "none given back": (ROLES, "dec.sync.aligned.u32 24", "dec.sync.aligned.u32 168", "deadlock"),
    "not given back at all": (ROLES, "setmaxnreg.dec.sync.aligned.u32 24;", "", "deadlock"),
    "takes fewer": (ROLES, "inc.sync.aligned.u32 240", "inc.sync.aligned.u32 160", "registers"),
    "gives back more": (ROLES, "dec.sync.aligned.u32 24", "dec.sync.aligned.u32 176", "registers"),
}


APART = {
    "no barrier between two": (TWICE, "bar.sync 1, 256;", ""),
    "no barrier between two of the producer": (TWICE, "bar.sync 2, 128;", ""),
    "a barrier of the warp only": (TWICE, "bar.sync 2, 128;", "bar.warp.sync -1;"),
}


def run(text: str, block: int = 384) -> Result:
    return weft.run(weft.parse(text), "k", 2, block, [])


@pytest.mark.parametrize("text", [ROLES, TWICE, ROLES.replace(" .maxnreg 168", "").replace("240", "248")])
def test_right(text: str) -> None:
    assert run(text).findings == ()


@pytest.mark.parametrize("name", WRONG)
def test_wrong(name: str) -> None:
    text, old, new, kind = WRONG[name]
    assert text.count(old) == 1
    with pytest.raises(KernelFault) as found:
        run(text.replace(old, new))
    assert found.value.kind == kind


def test_warps_of_a_group_apart_are_noted() -> None:
    """The ISA asks for the whole warpgroup; kernels whose roles are single warps do otherwise."""
    for bound in (32, 64):
        (note,) = run(ROLES.replace("%t, 128", f"%t, {bound}").replace("240", "168")).findings
        assert (note.kind, note.severity) == ("registers", Severity.NOTE)


@pytest.mark.parametrize("name", APART)
def test_two_without_a_barrier_are_noted(name: str) -> None:
    """Triton's roles do so, and run."""
    text, old, new = APART[name]
    assert text.count(old) == 1
    found = run(text.replace(old, new)).findings
    assert found and all((note.kind, note.severity) == ("registers", Severity.NOTE) for note in found)
