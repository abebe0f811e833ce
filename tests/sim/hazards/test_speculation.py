"""Loads whose values the threads that make them never use: no race, whoever stores there meanwhile."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.hazards.speculation import Speculation, all_kernels
from weft.sim import KernelFault

_EVERY = list(all_kernels())
_MODES: list[dict[str, Any]] = [{}, {"async_": "eager"}, *({"async_": "random", "seed": seed} for seed in range(3))]


def _fault(kernel: Speculation, **options: Any) -> KernelFault | None:
    data, out = np.zeros(64, np.uint32), np.zeros(512, np.uint32)
    try:
        weft.run(weft.parse(kernel.text), "k", 1, 64, [data, out], **options)
    except KernelFault as fault:
        return fault
    return None


@pytest.mark.sample(2)
@pytest.mark.parametrize("kernel", [one for one in _EVERY if not one.bug], ids=lambda one: one.name)
def test_values_that_are_not_used_do_not_race(kernel: Speculation) -> None:
    for mode in _MODES:
        assert _fault(kernel, **mode) is None, mode
    assert _fault(kernel, schedules=4) is None


@pytest.mark.sample(3)
@pytest.mark.parametrize("kernel", [one for one in _EVERY if one.bug], ids=lambda one: f"{one.name}, {one.bug}")
def test_values_that_are_used_race(kernel: Speculation) -> None:
    fault = _fault(kernel)
    assert fault is not None
    assert fault.kind == "race"


def test_an_unrolled_loop_loads_past_the_end() -> None:
    """All threads load the last element again and again; only the one whose it is stores it."""
    loads = "\n".join(
        f"mad.lo.u32 %i, {u}, 64, %t; min.u32 %j, %i, 149; mul.wide.u32 %x, %j, 4; add.u64 %x, %x, %d; "
        f"ld.global.u32 %v{u}, [%x];"
        for u in range(4)
    )
    stores = "\n".join(
        f"mad.lo.u32 %i, {u}, 64, %t; setp.ge.u32 %p, %i, 150; @%p bra past{u}; mul.wide.u32 %x, %i, 4; "
        f"add.u64 %x, %x, %d; shl.b32 %v{u}, %v{u}, 1; st.global.u32 [%x], %v{u};\npast{u}:"
        for u in range(4)
    )
    text = f""".version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data)
{{ .reg .b64 %x, %d; .reg .b32 %t, %i, %j, %v<4>; .reg .pred %p;
ld.param.u64 %d, [data]; mov.u32 %t, %tid.x;
{loads}
{stores}
ret; }}"""
    data = np.arange(150, dtype=np.uint32)
    weft.run(weft.parse(text), "k", 1, 64, [data])
    assert (data == 2 * np.arange(150)).all()
