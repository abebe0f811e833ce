"""Random programs of tcgen05 that wait for what they read: products, loads, stores and copies to tensor memory give in
every mode of asynchrony and of checking what they give where all is done at once, and nothing is accused.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from tests.sim.harness import Array
from tests.sim.test_tcgen05 import WAIT, descriptor, fill, idesc, kernel, numbers, stage

pytestmark = pytest.mark.usefixtures("products")

N, BLOCKS, IN_TENSOR_MEMORY = 16, 3, 64
"""Columns of a matrix of sums, how many of these there are, and where an A of 8 columns lies behind them."""
SIZE = 1 << 16
_A, _B = (0, 4096), (8192, 8192 + 512)
_WORDS = ", ".join(f"%w{i}" for i in range(N))
_MORE = ", ".join(f"%w{i}" for i in range(32, 32 + N))
_EIGHT = ", ".join(f"%w{i}" for i in range(64, 72))


class _Program:
    """Writes a program, and knows what is under way: products, and accesses that no later product is ordered behind."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        self.phase = self.steps = 0
        self.issued = False
        self.accessed = False

    def text(self, steps: int) -> str:
        for block in range(BLOCKS):
            self.store(block)
        self.store_a()
        choices = (self.products, self.load, self.two_loads, self.change, self.store_a, self.refill)
        for _ in range(steps):
            self.rng.choices(choices, (6, 3, 1, 2, 1, 1))[0]()
        self.wait()
        for block in range(BLOCKS):
            self.load(block)
        return "\n".join(self.lines)

    def products(self) -> None:
        """Some products in a row, of one thread."""
        if self.accessed:
            self.lines.append("tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;")
        self.accessed = False
        self.steps += 1
        self.lines.append(f"@!%leader bra started{self.steps};")
        for _ in range(self.rng.randrange(1, 4)):
            block = self.rng.randrange(BLOCKS)
            a = self.rng.choice(["%rd5", "%rd6", "[%r11]"])
            self.lines.append(
                f"add.u32 %r10, %r4, {N * block}; setp.ne.u32 %p3, {self.rng.randrange(3)}, 0; "
                f"tcgen05.mma.cta_group::1.kind::f16 [%r10], {a}, {self.rng.choice(['%rd7', '%rd8'])}, %r9, %p3;"
            )
        self.lines.append(f"started{self.steps}:")
        self.issued = True
        if self.rng.random() < 0.3:
            self.wait()

    def wait(self) -> None:
        """For all products so far."""
        if not self.issued:
            return
        self.steps += 1
        again = WAIT.format(n=self.phase % 2).replace("again", f"again{self.steps}x")
        self.lines.append(f"@!%leader bra last{self.steps};")
        self.lines.append("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r2];")
        self.lines.append(f"last{self.steps}: {again}")
        self.phase += 1
        self.issued = False

    def load(self, block: int | None = None) -> None:
        """Add a matrix of sums to the thread's totals."""
        self.wait()
        block = self.rng.randrange(BLOCKS) if block is None else block
        self.lines.append(f"tcgen05.ld.sync.aligned.32x32b.x{N}.b32 {{{_WORDS}}}, [%r6+{N * block}];")
        self.lines.append("tcgen05.wait::ld.sync.aligned;")
        self.lines += [f"add.rn.f32 %t{i}, %t{i}, %w{i};" for i in range(N)]
        self.accessed = True

    def two_loads(self) -> None:
        """Two matrices under way at a time."""
        self.wait()
        one, other = self.rng.sample(range(BLOCKS), 2)
        self.lines.append(f"tcgen05.ld.sync.aligned.32x32b.x{N}.b32 {{{_WORDS}}}, [%r6+{N * one}];")
        self.lines.append(f"tcgen05.ld.sync.aligned.32x32b.x{N}.b32 {{{_MORE}}}, [%r6+{N * other}];")
        self.lines.append("tcgen05.wait::ld.sync.aligned;")
        self.lines += [f"sub.rn.f32 %t{i}, %w{i}, %w{32 + i};" for i in range(N)]
        self.accessed = True

    def change(self) -> None:
        """Half of the totals into a matrix of sums."""
        self.wait()
        self.lines += [f"mul.rn.f32 %t{i}, %t{i}, 0f3F000000;" for i in range(N)]
        self.store(self.rng.randrange(BLOCKS))

    def store(self, block: int) -> None:
        totals = ", ".join(f"%t{i}" for i in range(N))
        self.lines.append(f"tcgen05.st.sync.aligned.32x32b.x{N}.b32 [%r6+{N * block}], {{{totals}}};")
        self.lines.append("tcgen05.wait::st.sync.aligned;")
        self.accessed = True

    def store_a(self) -> None:
        """The A of tensor memory."""
        self.wait()
        self.lines += [f"ld.global.u32 %w{64 + i}, [%rd9+{4 * i}];" for i in range(8)]
        self.lines.append("add.u64 %rd9, %rd9, 32;" if self.rng.random() < 0.5 else "")
        self.lines.append(
            f"tcgen05.st.sync.aligned.32x32b.x8.b32 [%r6+{IN_TENSOR_MEMORY}], {{{_EIGHT}}}; "
            "tcgen05.wait::st.sync.aligned;"
        )
        self.accessed = True

    def refill(self) -> None:
        """Each thread writes 16 bytes of an A in shared memory anew."""
        self.wait()
        self.lines.append(
            f"shl.b32 %r12, %r0, 4; add.u32 %r12, %r12, %r1; ld.shared.v4.u32 {{%w64, %w65, %w66, %w67}}, "
            f"[%r12+{self.rng.choice(_A)}]; bar.sync 0; "
            f"st.shared.v4.u32 [%r12+{self.rng.choice(_A)}], {{%w67, %w64, %w66, %w65}}; fence.proxy.async; bar.sync 0;"
        )


def _run(seed: int, **more: Any) -> Array:
    a, b = numbers((256, 16), "f16", seed), numbers((2 * N, 16), "f16", seed + 1)
    images = np.zeros(SIZE, np.uint8)
    for rows, places in ((a, _A), (b, _B)):
        size = len(rows) // 2
        for number, at in enumerate(places):
            half = np.ascontiguousarray(rows[size * number :][:size].astype(np.float16)).view(np.uint8)
            staged = stage(half, 0)[0]
            images[at : at + 16 * size] = staged[: 16 * size]
            images[at + (1 << 15) : at + (1 << 15) + 16 * size] = staged[8192 : 8192 + 16 * size]
    in_registers = np.random.default_rng(seed).integers(-4, 5, (128, 256)).astype(np.float16)
    out = np.zeros((128, N), np.float32)
    words = {5: descriptor(_A[0], 1 << 15, 128, 0), 6: descriptor(_A[1], 1 << 15, 128, 0)}
    words |= {7: descriptor(_B[0], 1 << 15, 128, 0), 8: descriptor(_B[1], 1 << 15, 128, 0)}
    body = (
        fill(SIZE)
        + f".reg .b32 %t<{N}>; ld.param.u64 %rd9, [p1]; mad.wide.u32 %rd9, %r0, 512, %rd9;\n"
        + f"mov.u32 %r9, {idesc('f16', 'f16', 'f16', 'f32', 128, N)}; add.u32 %r11, %r4, {IN_TENSOR_MEMORY};\n"
        + "\n".join(f"mov.u64 %rd{number}, {word};" for number, word in words.items())
        + "\n".join(f"add.u32 %r12, %r0, {i}; cvt.rn.f32.u32 %t{i}, %r12;" for i in range(N))
        + _Program(seed).text(16)
        + f"ld.param.u64 %rd3, [p2]; mad.wide.u32 %rd3, %r0, {4 * N}, %rd3;"
        + "\n".join(f"st.global.f32 [%rd3+{4 * i}], %t{i};" for i in range(N))
    )
    kernel(body, [images, in_registers, out], size=SIZE, **more)
    return out


@pytest.mark.sample(3)
@pytest.mark.parametrize("check", ["strict", "fast"])
@pytest.mark.parametrize("asynchrony", ["lazy", "random"])
@pytest.mark.parametrize("seed", range(60))
def test_waiting_is_enough(seed: int, asynchrony: str, check: str) -> None:
    want = _run(seed, async_="eager", check="fast")
    assert np.isfinite(want).all() and want.any()
    assert np.array_equal(want, _run(seed, async_=asynchrony, check=check))
