"""Random programs of wgmma that wait for what they read: warpgroups that go their own ways through loops and branches,
fragments that share registers.  They give in every mode of asynchrony and checking what they give where products are
done at once, and nothing is accused.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.sim.harness import INDEX, Array, launch
from tests.sim.test_wgmma import stage, word

pytestmark = pytest.mark.usefixtures("products")

GROUPS, COUNT = 2, 12
"""Warpgroups, and registers that may be accumulators."""
_FRAGMENTS = (
    (8, (0, 1, 2, 3)),
    (8, (4, 5, 6, 7)),
    (8, (3, 2, 1, 0)),
    (8, (2, 3, 8, 9)),
    (16, (0, 1, 2, 3, 8, 9, 10, 11)),
)
"""Numbers of columns, and registers: some fragments have registers of others, in another order."""
IMAGE = 1024


class _Program:
    """Writes a program, and knows which registers are those of products under way, or were written since a fence."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.labels = 0
        self.pending: set[int] = set()
        self.last: tuple[int, ...] = ()
        self.fenced = False
        self.moved = False

    def text(self, steps: int) -> str:
        for _ in range(steps):
            self.rng.choices(
                (self.product, self.use, self.move, self.wait, self.loop, self.branch), (6, 5, 3, 1, 1, 1)
            )[0]()
        self.wait()
        return "\n".join(self.lines)

    def product(self) -> None:
        """Products of one shape may follow each other in the same registers; others wait."""
        columns, registers = self.rng.choice(_FRAGMENTS)
        if self.pending.intersection(registers) and self.last != registers:
            self.wait()
        if not self.fenced:
            self.lines.append("wgmma.fence.sync.aligned;")
        self.fenced = True
        named = ", ".join(f"%d{i}" for i in registers)
        a = self.rng.choice(["{%a0, %a1, %a2, %a3}", "%rd6"])
        signs = f"{self.rng.choice([1, -1])}, {self.rng.choice([1, -1])}"
        self.lines.append(
            f"wgmma.mma_async.sync.aligned.m64n{columns}k16.f32.f16.f16 {{{named}}}, {a}, "
            f"{self.rng.choice(['%rd5', '%rd7'])}, {self.rng.randrange(2)}, {signs}{', 0, 0' if a == '%rd6' else ', 0'};"
        )
        self.pending |= set(registers)
        self.last = registers

    def wait(self) -> None:
        self.lines.append("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;")
        self.pending.clear()
        self.last = ()
        self.moved = False

    def move(self) -> None:
        """Copies of registers of products under way, also of parts and several together, which nothing uses before a wait."""
        if not self.pending or self.moved:
            return
        one, two = (f"%d{self.rng.choice(sorted(self.pending))}" for _ in range(2))
        free = [f"%d{i}" for i in sorted(set(range(COUNT)) - self.pending)]
        self.lines.append(
            self.rng.choice(
                [
                    f"mov.b32 %t2, {one}; mov.b32 %t3, %t2;",
                    f"mov.b64 %rd8, {{{one}, {self.rng.choice([two, *free])}}}; mov.b64 {{%t3, %t2}}, %rd8;",
                    f"mov.b32 {{%h0, %h1}}, {one}; mov.b32 %t2, {{%h1, %h0}};",
                    f"@%odd mov.b32 %t3, {one};",
                ]
            )
        )
        self.moved = True

    def use(self) -> None:
        """An instruction that reads or writes registers that no product has under way."""
        if len(self.pending) == COUNT:
            self.wait()
        free = sorted(set(range(COUNT)) - self.pending)
        one, other = f"%d{self.rng.choice(free)}", f"%t{self.rng.randrange(2 if self.moved else 4)}"
        kinds = [
            f"add.f32 {other}, {other}, {one};",
            f"mov.b32 {other}, {one};",
            f"mov.b32 {one}, 0f3F800000;",
            f"fma.rn.f32 {one}, {one}, 0f3F000000, {other};",
            f"mov.b64 %rd8, {{{one}, {other}}}; mov.b64 {{{other}, {one}}}, %rd8;",
            f"@%odd mul.f32 {one}, {one}, 0f3F000000;",
        ]
        kinds += [] if self.pending else [f"xor.b32 %a{self.rng.randrange(4)}, %a0, 0x80008000;"]
        self.lines.append(self.rng.choice(kinds))
        self.fenced = False

    def loop(self) -> None:
        """Products in a loop, in the same registers or in turns, with the wait in it or behind it."""
        self.wait()
        columns, registers = self.rng.choice(_FRAGMENTS)
        self.labels += 1
        counter, label = f"%n{self.labels}", f"loop_{self.labels}_{self.rng.getrandbits(30)}"
        named = ", ".join(f"%d{i}" for i in registers)
        inside = self.rng.random() < 0.5
        use = f"add.f32 %t0, %t0, %d{registers[0]};" if inside else ""
        self.lines.append(
            f"{{ .reg .b32 {counter}; .reg .pred %q; mov.u32 {counter}, 0; {label}: wgmma.fence.sync.aligned; "
            f"wgmma.mma_async.sync.aligned.m64n{columns}k16.f32.f16.f16 {{{named}}}, {{%a0, %a1, %a2, %a3}}, %rd5, "
            f"1, 1, 1, 0; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned {0 if inside else 1}; {use} "
            f"add.u32 {counter}, {counter}, 1; setp.lt.u32 %q, {counter}, {self.rng.choice(['3', '%rounds'])}; "
            f"@%q bra {label}; }}"
        )
        self.pending |= set(registers)
        self.last = registers
        self.fenced = False
        self.wait()

    def branch(self) -> None:
        """What only one of the warpgroups does."""
        self.wait()
        label = f"behind_{self.rng.getrandbits(40)}"
        inner = _Program(random.Random(self.rng.random()))
        self.lines.append(f"@%group{self.rng.randrange(GROUPS)} bra {label};")
        inner.product()
        inner.product()
        inner.wait()
        inner.use()
        self.lines += [*inner.lines, f"{label}:"]
        self.fenced = False


def _run(seed: int, asynchrony: str, check: str) -> Array:
    rng = np.random.default_rng(seed)
    staged = np.zeros(8 * IMAGE, np.uint8)
    b, more = rng.integers(-2, 3, (2, 16, 16)).astype(np.float16)
    a = rng.integers(-2, 3, (64, 16)).astype(np.float16)
    (bytes_b, leading, stride), (bytes_more, _, _), (bytes_a, _, _) = (stage(each, 3, False) for each in (b, more, a))
    staged[:IMAGE], staged[IMAGE : 2 * IMAGE], staged[4 * IMAGE :] = (
        bytes_b[:IMAGE], bytes_more[:IMAGE], bytes_a[: 4 * IMAGE],
    )  # fmt: skip
    fragments = rng.integers(-2, 3, (128 * GROUPS, 8)).astype(np.float16)
    held = np.zeros((128 * GROUPS, COUNT + 4), np.float32)
    names = [*(f"%d{i}" for i in range(COUNT)), *(f"%t{i}" for i in range(4))]
    threads = 128 * GROUPS
    lines = [
        f".reg .b16 %h<2>; .reg .pred %odd, {', '.join(f'%group{i}' for i in range(GROUPS))}; .reg .b32 %rounds;",
        f".reg .b32 {', '.join((*names, *(f'%a{i}' for i in range(4))))};{INDEX}",
        "ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2]; mov.u32 %r1, s;",
        "shl.b32 %r3, %r0, 2; cvt.u64.u32 %rd4, %r3; add.u64 %rd4, %rd4, %rd1; add.u32 %r5, %r1, %r3;",
        "and.b32 %r6, %r0, 1; setp.ne.u32 %odd, %r6, 0; shr.u32 %r6, %r0, 7; add.u32 %rounds, %r6, 2;",
        *(f"setp.eq.u32 %group{i}, %r6, {i};" for i in range(GROUPS)),
        *(
            f"ld.global.u32 %r4, [%rd4+{at}]; st.shared.u32 [%r5+{at}], %r4;"
            for at in range(0, staged.nbytes, 4 * threads)
        ),
        f"fence.proxy.async; bar.sync 0; mad.wide.u32 %rd2, %r0, {4 * len(names)}, %rd2;",
        "mad.wide.u32 %rd3, %r0, 16, %rd3;",
        *(f"ld.global.b32 %a{i}, [%rd3+{4 * i}];" for i in range(4)),
        *(f"add.u32 %r4, %r0, {i}; cvt.rn.f32.u32 {name}, %r4;" for i, name in enumerate(names)),
        f"mov.u64 %rd5, {word(0, leading, stride, 3)}; mov.u64 %rd7, {word(IMAGE, leading, stride, 3)};",
        f"mov.u64 %rd6, {word(4 * IMAGE, leading, stride, 3)};",
        _Program(random.Random(seed)).text(14),
        *(f"st.global.b32 [%rd2+{4 * i}], {name};" for i, name in enumerate(names)),
        "ret;",
    ]
    launch(
        "\n".join(lines), [staged, held, fragments], block=threads, target="sm_90a", async_=asynchrony, check=check,
        extra=".extern .shared .align 1024 .b8 s[];", shared_bytes=staged.nbytes,
    )  # fmt: skip
    return held


@pytest.mark.sample(2)
@pytest.mark.parametrize("check", ["strict", "fast"])
@pytest.mark.parametrize("asynchrony", ["lazy", "random"])
@pytest.mark.parametrize("seed", range(60))
def test_waiting_is_enough(seed: int, asynchrony: str, check: str) -> None:
    want = _run(seed, "eager", "fast")
    assert np.array_equal(want.view(np.uint32), _run(seed, asynchrony, check).view(np.uint32))
