"""Registers of products under way where reads wait for them, as ptxas makes them: random programs give in every mode
of asynchrony what they give where products are done at once.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.sim.harness import INDEX, Array, launch
from tests.sim.test_wgmma import stage, word

pytestmark = pytest.mark.usefixtures("products")

_FRAGMENTS = ("d", "e")


def _registers(name: str) -> str:
    return f"{{{', '.join(f'%{name}{i}' for i in range(4))}}}"


def _step(rng: random.Random) -> str:
    """A product, the end of a group, a wait, or an instruction that uses one register of a fragment."""
    one, other, a = f"%{rng.choice(_FRAGMENTS)}{rng.randrange(4)}", f"%t{rng.randrange(4)}", f"%a{rng.randrange(4)}"
    product = (
        "wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
        f"{_registers(rng.choice(_FRAGMENTS))}, {_registers('a')}, %rd5, {rng.randrange(2)}, 1, 1, 0;"
    )
    uses = [
        f"add.f32 {other}, {other}, {one};",
        f"mov.b32 {other}, {one};",
        f"mov.b32 {one}, 0f3F800000;",
        f"mov.b32 {one}, {other};",
        f"fma.rn.f32 {one}, {one}, 0f3F000000, {other};",
        f"xor.b32 {a}, {a}, 0x80008000;",
        f"mov.b64 %rd7, {{{one}, {other}}}; mov.b64 {{{other}, {one}}}, %rd7;",
    ]
    groups = ["wgmma.commit_group.sync.aligned;", f"wgmma.wait_group.sync.aligned {rng.randrange(2)};"]
    return rng.choices((product, rng.choice(uses), rng.choice(groups)), (3, 5, 1))[0]


def _program(seed: int, staged: Array, b_word: int) -> str:
    rng = random.Random(seed)
    names = [f"%{name}{i}" for name in (*_FRAGMENTS, "t") for i in range(4)]
    lines = [
        f".reg .b32 {', '.join((*names, *(f'%a{i}' for i in range(4))))};{INDEX}",
        "ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2]; mov.u32 %r1, s;",
        "shl.b32 %r3, %r0, 2; cvt.u64.u32 %rd4, %r3; add.u64 %rd4, %rd4, %rd1; add.u32 %r5, %r1, %r3;",
        *(f"ld.global.u32 %r4, [%rd4+{at}]; st.shared.u32 [%r5+{at}], %r4;" for at in range(0, staged.nbytes, 4 * 128)),
        "fence.proxy.async; bar.sync 0; mad.wide.u32 %rd2, %r0, 48, %rd2; mad.wide.u32 %rd3, %r0, 16, %rd3;",
        *(f"ld.global.b32 %a{i}, [%rd3+{4 * i}];" for i in range(4)),
        *(f"cvt.rn.f32.u32 {name}, %r0;" for name in names),
        f"mov.u64 %rd5, {b_word};",
        *(_step(rng) for _ in range(24)),
        *(f"st.global.b32 [%rd2+{4 * i}], {name};" for i, name in enumerate(names)),
        "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; ret;",
    ]
    return "\n".join(lines)


@pytest.mark.sample(4)
@pytest.mark.parametrize("asynchrony", ["lazy", "random"])
@pytest.mark.parametrize("seed", range(100))
def test_reads_wait(seed: int, asynchrony: str) -> None:
    rng = np.random.default_rng(seed)
    b = rng.integers(-2, 3, (8, 16)).astype(np.float16)
    a = rng.integers(-2, 3, (128, 8)).astype(np.float16)
    staged, leading, stride = stage(b, 3, False)
    staged = staged[:1024]
    text = _program(seed, staged, word(0, leading, stride, 3))
    results: list[Array] = []
    for mode in ("eager", asynchrony):
        held = np.zeros((128, 12), np.float32)
        launch(
            text, [staged, held, a], block=128, target="sm_90a", async_=mode, checks=["races"],
            extra=".extern .shared .align 1024 .b8 s[];", shared_bytes=1024,
        )  # fmt: skip
        results.append(held)
    done, late = (result.view(np.uint32) for result in results)
    assert np.array_equal(done, late)
