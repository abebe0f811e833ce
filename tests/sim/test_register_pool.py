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
    said = {
        "takes fewer": "the warp has 168 registers per thread: setmaxnreg.inc to 160 is impossible",
        "gives back more": "the warp has 168 registers per thread: setmaxnreg.dec to 176 is impossible",
    }
    # Of twelve warps four give back, and eight take.
    owed = {"too many": 8 * (248 - 168) - 4 * (168 - 24)}.get(name, 8 * (240 - 168))
    wanted = said.get(name, f"deadlocks: the CTA's warps request {owed} registers more than they release")
    warp = 0 if name == "gives back more" else 4
    thread = f"CTA (0, 0, 0), thread ({32 * warp}, 0, 0) (warp {warp}, lane 0)"
    assert (found.value.kind, found.value.message.partition(": ")[2]) == (kind, f"{wanted}, in {thread}")
    hint = "execute setmaxnreg.dec in other warps, or request fewer: threads start with .maxnreg registers"
    assert found.value.hint == ("" if name in said else hint)


def test_pools_are_those_of_their_ctas() -> None:
    """What the warps of another CTA give back is no use; one that gets by is not accused."""
    text = ROLES.replace("setp.lt.u32 %p, %t, 128;", "mov.u32 %t, %ctaid.x; setp.eq.u32 %p, %t, 0;").replace(
        "240", "176"
    )
    for block in (32, 128, 160):
        with pytest.raises(KernelFault, match="deadlocks") as found:
            run(text, block)
        owed = 8 * (-(-block // 32))
        assert f"request {owed} registers more" in found.value.message
        assert found.value.thread is not None and found.value.thread.cta == (1, 0, 0)
        assert run(text.replace("176", "168"), block).findings == ()


def test_warps_of_a_group_apart_are_noted() -> None:
    """The ISA asks for the whole warpgroup; kernels whose roles are single warps do otherwise."""
    for bound in (32, 64):
        (note,) = run(ROLES.replace("%t, 128", f"%t, {bound}").replace("240", "168")).findings
        assert (note.kind, note.severity) == ("registers", Severity.NOTE)
        told = "not all warps of the warpgroup execute this instruction, as the ISA requires"
        assert note.message.partition(": ")[2].partition(", in ")[0] == told
        assert note.thread is not None and note.thread.warp == bound // 32


@pytest.mark.parametrize("name", APART)
def test_two_without_a_barrier_are_noted(name: str) -> None:
    """Triton's roles do so, and run."""
    text, old, new = APART[name]
    assert text.count(old) == 1
    (note,) = run(text.replace(old, new)).findings
    first = 4 if "256" in old else 0
    told = f"warp {first + 1} of the warpgroup may not have executed the previous setmaxnreg yet"
    assert (note.kind, note.severity) == ("registers", Severity.NOTE)
    assert note.message.partition(": ")[2].partition(", in ")[0] == told
    assert note.thread is not None and note.thread.warp == first
    assert note.hint == "put a barrier for the warps of the warpgroup between two setmaxnreg"
