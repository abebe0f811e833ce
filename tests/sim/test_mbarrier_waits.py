"""Waits at mbarriers: what they return before a phase ends, and what is told of those that are wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.sim.harness import launch
from weft.sim import KernelFault

START = """.shared .align 16 .b8 s[128]; .shared .align 8 .b8 bar[16]; mov.u32 %r0, %tid.x; ld.param.u64 %rd1, [p0];
setp.eq.u32 %p1, %r0, 0; @%p1 mbarrier.init.shared.b64 [bar+8], {count}; fence.proxy.async; bar.sync 0; mov.u32 %r1, 0;
"""


def ran(text: str, out: Any, *, count: int = 1, **more: Any) -> None:
    launch(START.format(count=count) + text + "ret;", [out], block=64, target="sm_90", engine="numpy", **more)


@pytest.mark.sample(2)
@pytest.mark.parametrize("policy", ["eager", "lazy"])
@pytest.mark.parametrize("state", [False, True])
def test_every_other_wait_ends_early(policy: Any, state: bool) -> None:
    """As the ISA lets it: the first wait returns false, the next one sleeps until the phase ends; eagerly all sleep."""
    out = np.zeros(64, np.uint32)
    test = "try_wait.shared.b64 %p2, [bar+8], %rd3" if state else "try_wait.parity.shared.b64 %p2, [bar+8], 0"
    text = f"""setp.lt.u32 %p3, %r0, 32; mov.u64 %rd3, {1 | 1 << 20}; @%p3 bra waiting;
    mov.u32 %r2, 0; busy: add.u32 %r2, %r2, 1; setp.lt.u32 %p4, %r2, 60; @%p4 bra busy;
    setp.eq.u32 %p4, %r0, 32; @%p4 mbarrier.arrive.shared.b64 _, [bar+8]; bra done;
    waiting: mbarrier.{test}; @%p2 bra done; add.u32 %r1, %r1, 1; bra waiting;
    done: mad.wide.u32 %rd2, %r0, 4, %rd1; st.global.u32 [%rd2], %r1;"""
    ran(text, out, async_=policy)
    assert len(set(out[:32].tolist())) == 1 and not out[32:].any()
    assert out[0] == 0 if policy == "eager" else 1 <= out[0] <= 3


COPY = """@!%p1 bra skip; mbarrier.arrive.expect_tx.shared.b64 _, [bar+8], {expected};
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd1], 64, [bar+8]; skip:
mbarrier.{wait}.parity.shared.b64 %p2, [bar+8], {parity};"""
REST = """@!%p1 bra past; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s+64], [%rd1], 64, [bar+8]; past:
again: mbarrier.try_wait.parity.shared.b64 %p2, [bar+8], 0; @!%p2 bra again;"""


@pytest.mark.parametrize("wait", ["test_wait", "try_wait"])
def test_waits_for_the_phase_before_the_one_that_is_under_way(wait: str) -> None:
    """Its copy may end the next phase first: the wait would then last until the phase after it."""
    with pytest.raises(KernelFault) as caught:
        ran(COPY.format(wait=wait, parity=1, expected=64), np.zeros(32, np.uint32), async_="lazy")
    fault = caught.value
    message = (
        "waits for a phase that has ended, while all that ends the next one is in flight: "
        "if that comes first, the wait lasts until the phase after it"
    )
    assert fault.kind == "race"
    assert message in fault.message and fault.instruction.startswith(f"mbarrier.{wait}")
    assert (
        fault.hint
        == "check the parity; let every thread wait for a phase before what ends the next one is started; the address is bar + 8"
    )
    assert fault.thread is not None and fault.thread.tid == (0, 0, 0)


@pytest.mark.parametrize("wait", ["test_wait", "try_wait"])
def test_waits_for_the_phase_before_one_that_lacks_more(wait: str) -> None:
    """Bytes that nothing copies yet, or an arrival, still have to come after the wait."""
    ran(COPY.format(wait=wait, parity=1, expected=128) + REST, np.zeros(32, np.uint32), async_="lazy")
    more = "@!%p1 bra past; mbarrier.arrive.shared.b64 _, [bar+8]; past: " + REST.partition("past:")[2]
    ran(COPY.format(wait=wait, parity=1, expected=64) + more, np.zeros(32, np.uint32), async_="lazy", count=2)


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("mbarrier.arrive.b64 _, [%rd1];", "out-of-bounds", "the mbarrier does not lie in shared memory"),
        ("mbarrier.test_wait.parity.b64 %p2, [%rd1], 0;", "out-of-bounds", "the mbarrier does not lie in shared memory"),
        ("mbarrier.arrive.shared.b64 _, [bar];", "uninitialised-memory", "reads 8 bytes of shared memory"),
        ("mbarrier.inval.shared.b64 [bar+8]; mbarrier.arrive.shared.b64 _, [bar+8];", "uninitialised-memory", "that nothing has written"),
        ("mbarrier.arrive.shared.b64 _, [bar+8], 2;", "barrier", "2 arrivals exceed the mbarrier's pending count"),
        ("mbarrier.arrive.shared.b64 _, [bar+4];", "misaligned", ""),
    ],
)  # fmt: skip
def test_mbarriers_that_are_none(text: str, kind: str, message: str) -> None:
    with pytest.raises(KernelFault) as caught:
        ran(f"@!%p1 bra past; {text} past: ", np.zeros(32, np.uint32))
    assert caught.value.kind == kind and message in caught.value.message
    assert caught.value.thread is not None and caught.value.thread.tid == (0, 0, 0)
