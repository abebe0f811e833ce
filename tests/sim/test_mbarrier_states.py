"""An mbarrier that one thread uses in any order, against its four numbers: phase, expected and pending arrivals, bytes."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import weft
from weft.sim import run

pytest.importorskip("llvmlite")


class Model:
    """An mbarrier by the PTX manual; a state is the phase and the pending arrivals before an arrival."""

    def __init__(self, count: int) -> None:
        self.phase, self.expected, self.pending, self.bytes = 0, count, count, 0

    def arrive(self, count: int) -> tuple[int, int]:
        state = self.phase, self.pending
        self.pending -= count
        self.turn()
        return state

    def turn(self) -> None:
        if not self.pending and not self.bytes:
            self.phase, self.pending = self.phase + 1, self.expected


def program(rng: random.Random, size: int, *, plain: bool) -> tuple[str, list[int]]:
    """Instructions, and the words that they store; `plain` ones move no bytes."""
    lines, wanted, states = list[str](), list[int](), list[tuple[int, int]]()
    model = Model(rng.randrange(1, 9))
    lines.append(f"mbarrier.init.shared.b64 [bar], {model.expected};")

    def tell(text: str, value: int) -> None:
        lines.append(f"{text} st.global.u32 [%out+{4 * len(wanted)}], %r;")
        wanted.append(value)

    kinds = ["arrive", "many", "state", "parity", "count"]
    kinds += [] if plain else ["part", "expect", "complete", "both", "drop", "again"]
    while len(lines) < size:
        kind, space = rng.choice(kinds), rng.choice(["shared", "shared::cta"])
        state = f"%s{len(states)}"
        if kind in ("arrive", "many", "part", "drop", "both"):
            most = model.pending - (kind == "part")
            if most < 1 or len(states) > 60 or (kind == "drop" and model.expected < 2):
                continue
            count = rng.randrange(1, most + 1) if kind in ("many", "part") else 1
            if kind == "drop":
                model.expected -= 1
            if kind == "both":
                moved = rng.randrange(0, 64)
                model.bytes += moved
                lines.append(f"mbarrier.arrive.expect_tx.{space}.b64 {state}, [bar], {moved};")
            else:
                opcode = {"part": "arrive.noComplete", "drop": "arrive_drop"}.get(kind, "arrive")
                more = f", {count}" if kind in ("many", "part") else ""
                lines.append(f"mbarrier.{opcode}.{space}.b64 {state}, [bar]{more};")
            states.append(model.arrive(count))
        elif kind == "expect" and model.pending:
            moved = rng.randrange(1, 64)
            model.bytes += moved
            lines.append(f"mbarrier.expect_tx.relaxed.cta.{space}.b64 [bar], {moved};")
        elif kind == "complete" and model.bytes:
            moved = rng.choice([model.bytes, rng.randrange(1, model.bytes + 1)])
            model.bytes -= moved
            lines.append(f"mbarrier.complete_tx.relaxed.cta.{space}.b64 [bar], {moved};")
            model.turn()
        elif kind == "state" and states:
            # A wait names the phase under way, or the one just before it.
            recent = [n for n, (phase, _) in enumerate(states) if phase >= model.phase - 1]
            if recent:
                which = rng.choice(recent)
                text = f"mbarrier.test_wait.{space}.b64 %p, [bar], %s{which}; selp.u32 %r, 1, 0, %p;"
                tell(text, int(states[which][0] != model.phase))
        elif kind == "parity":
            parity = rng.randrange(2)
            text = f"mbarrier.test_wait.parity.{space}.b64 %p, [bar], {parity}; selp.u32 %r, 1, 0, %p;"
            tell(text, int(model.phase % 2 != parity))
        elif kind == "count" and states:
            which = rng.randrange(len(states))
            tell(f"mbarrier.pending_count.b64 %r, %s{which};", states[which][1])
        elif kind == "again" and not model.bytes and rng.random() < 0.3:
            model = Model(rng.choice([1, 2, 77, (1 << 20) - 1]))
            states = [(-5, pending) for _, pending in states]
            lines.append(f"mbarrier.inval.shared.b64 [bar]; mbarrier.init.shared.b64 [bar], {model.expected};")
    return "\n".join(lines), wanted


@pytest.mark.sample(1)
@pytest.mark.parametrize("check", ["fast", "strict"])
@pytest.mark.parametrize("seed", range(12))
def test_states(seed: int, check: Any) -> None:
    rng = random.Random(seed)
    body, wanted = program(rng, 60, plain=seed % 3 == 0)
    text = f""".version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) {{
.reg .pred %p; .reg .b32 %r; .reg .b64 %s<64>, %out; .shared .align 8 .b64 bar; ld.param.u64 %out, [p];
{body}
ret; }}"""
    for engine in ("numpy", "native"):
        out = np.full(len(wanted) + 1, 9, np.uint32)
        run(weft.parse(text), "k", 1, 1, [out], check=check, engine=engine)
        assert out[:-1].tolist() == wanted, body
