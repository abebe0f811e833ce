"""A fence, wait, commit or arrival orders only the lane that executes it: one lane that goes past it is found."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.sim.hazards.skipped import PROTOCOLS, Protocol
from weft.sim import KernelFault

EACH = pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)


def fault(protocol: Protocol, text: str, **options: object) -> str:
    out = np.arange(2048, dtype=np.uint32)
    out[:256] = 0
    try:
        weft.run(weft.parse(text), "k", protocol.grid, protocol.block, [out], cluster=protocol.cluster,
                 max_steps=20_000, **options)  # fmt: skip
    except KernelFault as found:
        return found.kind
    return ""


@EACH
def test_some_lanes_that_skip_are_found(protocol: Protocol) -> None:
    assert [name for name, text in [*protocol.wrong()][::11] if not fault(protocol, text)] == []


@EACH
def test_some_lanes_need_not_take_part(protocol: Protocol) -> None:
    assert [name for name, text in [*protocol.right()][1::5] if fault(protocol, text)] == []


@pytest.mark.slow
@EACH
def test_lanes_that_skip_are_found(protocol: Protocol) -> None:
    assert [name for name, text in protocol.wrong() if not fault(protocol, text)] == []


@pytest.mark.slow
@EACH
@pytest.mark.parametrize(
    "mode", [{}, {"async_": "eager"}, *({"async_": "random", "seed": seed} for seed in range(3))], ids=str
)
def test_right_ones_in_every_mode(protocol: Protocol, mode: dict[str, object]) -> None:
    assert [name for name, text in protocol.right() if fault(protocol, text, **mode)] == []
