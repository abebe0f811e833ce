"""Loads and stores of all widths in every space, however their addresses lie, against bytes in Python; and their faults."""

from __future__ import annotations

import random
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

import weft
from tests.sim.harness import Array
from weft.ptx.ast import Module
from weft.sim import KernelFault, run

pytest.importorskip("llvmlite")

LANES, ROOM, OWN = 32, 1024, 64
"""Lanes; bytes of global and of shared memory, and of each lane's local memory."""


class Kind(NamedTuple):
    """The words of an access: how many of so many bits."""

    words: int
    bits: int

    @property
    def size(self) -> int:
        return self.words * self.bits // 8

    @property
    def type(self) -> str:
        return f"{f'v{self.words}.' if self.words > 1 else ''}u{self.bits}"

    @property
    def registers(self) -> str:
        names = [f"%{'h' if self.bits < 32 else 'r' if self.bits == 32 else 'd'}{n}" for n in range(self.words)]
        return f"{{{', '.join(names)}}}" if self.words > 1 else names[0]


KINDS = [
    Kind(1, 8),
    Kind(1, 16),
    Kind(1, 32),
    Kind(1, 64),
    Kind(2, 8),
    Kind(4, 16),
    Kind(2, 32),
    Kind(4, 32),
    Kind(2, 64),
]
SPACES = {"global": "global", "shared": "shared", "local": "local", "": "generic", "const": "constant"}
_OPENED = """.version 8.0
.target sm_90
.address_size 64
.const .align 16 .b8 fixed[1024] = {FIXED};
.visible .entry k(.param .u64 data, .param .u64 more, .param .u64 offsets, .param .u64 values, .param .u64 out, .param .u32 which) {
.reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<8>; .reg .b64 %d<4>; .reg .b32 %lane, %which, %at, %i; .reg .b64 %a, %x<8>;
.shared .align 16 .b8 tile[1024]; .local .align 16 .b8 mine[64];
mov.u32 %lane, %tid.x; ld.param.u64 %x0, [data]; ld.param.u64 %x1, [more]; ld.param.u64 %x2, [offsets];
ld.param.u64 %x3, [values]; ld.param.u64 %x4, [out]; ld.param.u32 %which, [which];
mad.wide.u32 %x2, %lane, 8, %x2; ld.global.v2.u32 {%at, %r7}, [%x2]; mad.wide.u32 %x3, %lane, 16, %x3; mad.wide.u32 %x4, %lane, 16, %x4;
mov.u32 %i, 0; mul.wide.u32 %x5, %lane, 32; mov.u64 %x6, tile; add.u64 %x6, %x6, %x5; add.u64 %x5, %x5, %x1;
"""


@cache
def kernel(space: str) -> Module:
    copies_in = copies_out = ""
    for n in (0, 16):
        copies_in += f"ld.global.v2.u64 {{%d0, %d1}}, [%x5+{n}]; st.shared.v2.u64 [%x6+{n}], {{%d0, %d1}};\n"
        copies_out += f"ld.shared.v2.u64 {{%d0, %d1}}, [%x6+{n}]; st.global.v2.u64 [%x5+{n}], {{%d0, %d1}};\n"
    own = "mad.wide.u32 %x7, %lane, 64, %x1; add.u64 %x7, %x7, 1024;\n"
    local_in = local_out = own
    for n in (0, 16, 32, 48):
        local_in += f"ld.global.v2.u64 {{%d0, %d1}}, [%x7+{n}]; st.local.v2.u64 [mine+{n}], {{%d0, %d1}};\n"
        local_out += f"ld.local.v2.u64 {{%d0, %d1}}, [mine+{n}]; st.global.v2.u64 [%x7+{n}], {{%d0, %d1}};\n"
    base = {
        "global": "mov.u64 %a, %x0;", "shared": "mov.u64 %a, tile;", "local": "mov.u64 %a, mine;", "const": "mov.u64 %a, fixed;",
        "": "mov.u64 %a, %x0; setp.eq.u32 %p1, %r7, 3; setp.eq.u32 %p2, %r7, 5; mov.u64 %x7, tile; cvta.shared.u64 %x7, %x7;"
            "selp.b64 %a, %x7, %a, %p1; mov.u64 %x7, mine; cvta.local.u64 %x7, %x7; selp.b64 %a, %x7, %a, %p2;",
    }[space]  # fmt: skip
    dot = f".{space}" if space else ""
    jobs = [
        text
        for kind in KINDS
        for text in (
            f"@%p0 ld{dot}.{kind.type} {kind.registers}, [%a]; @%p0 st.global.{kind.type} [%x4], {kind.registers};",
            f"ld.global.{kind.type} {kind.registers}, [%x3]; @%p0 st{dot}.{kind.type} [%a], {kind.registers};",
        )
    ]
    if space == "const":
        jobs = jobs[::2]
    labels = ", ".join(f"L{n}" for n in range(len(jobs)))
    listed = "\n".join(f"L{n}: {job}\nbra done;" for n, job in enumerate(jobs))
    fixed = ", ".join(str(byte) for byte in constant())
    return weft.parse(f"""{_OPENED.replace("FIXED", fixed)}{copies_in}{local_in}bar.sync 0;
{base} cvt.s64.s32 %x7, %at; add.s64 %a, %a, %x7; setp.ne.u32 %p0, %r7, 0;
ways: .branchtargets {labels}; brx.idx %which, ways;
{listed}
done: bar.sync 0;
{copies_out}{local_out}ret;
}}""")


@cache
def constant() -> bytes:
    return np.random.default_rng(3).integers(0, 256, ROOM, np.uint8).tobytes()


class Job(NamedTuple):
    """What each lane accesses: a place of its space, which is 0 where it does nothing, and what it stores."""

    kind: Kind
    store: bool
    at: list[int]
    space: list[int]


def patterns(kind: Kind, room: int, rng: random.Random) -> list[list[int]]:
    """Places side by side, all the same, apart, in another order, and anywhere."""
    size, count = kind.size, room // kind.size
    start = rng.randrange(max(1, count - LANES + 1))
    row = [size * ((start + lane) % count) for lane in range(LANES)]
    one = size * rng.randrange(count)
    apart = [size * (3 * lane % count) for lane in range(LANES)]
    mixed = rng.sample(row, LANES)
    return [row, [one] * LANES, apart, mixed, [size * rng.randrange(count) for _ in range(LANES)]]


class Memory:
    """The bytes before a launch: buffers, shared memory and that of each lane."""

    def __init__(self, rng: random.Random) -> None:
        data = np.random.default_rng(rng.randrange(1 << 30))
        self.data, self.tile = (data.integers(0, 256, ROOM, np.uint8) for _ in range(2))
        self.own = data.integers(0, 256, (LANES, OWN), np.uint8)
        self.values = data.integers(0, 256, (LANES, 16), np.uint8)
        self.out = np.zeros((LANES, 16), np.uint8)

    def of(self, lane: int, space: str, number: int) -> Array:
        if space == "const":
            return np.frombuffer(constant(), np.uint8)
        where = {"": {1: "global", 3: "shared", 5: "local"}.get(number, "")}.get(space, space)
        return {"global": self.data, "shared": self.tile, "local": self.own[lane]}[where]

    def does(self, job: Job, space: str) -> None:
        """The job, lane after lane."""
        size = job.kind.size
        for lane, (at, number) in enumerate(zip(job.at, job.space, strict=True)):
            if number:
                memory = self.of(lane, space, number)
                if job.store:
                    memory[at : at + size] = self.values[lane, :size]
                else:
                    self.out[lane, :size] = memory[at : at + size]

    def arrays(self) -> list[Array]:
        return [self.data, np.concatenate([self.tile, self.own.reshape(-1)]), self.out]


def launched(space: str, job: Job, memory: Memory, engine: Any, check: Any) -> list[Array] | KernelFault:
    data, more, out = (array.copy() for array in memory.arrays())
    offsets = np.array([job.at, job.space], np.int32).T.copy()
    number = KINDS.index(job.kind) * (1 if space == "const" else 2) + job.store
    try:
        run(
            *(kernel(space), "k", 1, LANES, [data, more, offsets, memory.values, out, np.uint32(number)]),
            engine=engine,
            check=check,
        )
    except KernelFault as fault:
        return fault
    return [data, more, out]


def job(space: str, rng: random.Random, *, apart: bool) -> Job:
    """A random one; stores of different lanes to one place only where they need not be `apart`."""
    kind, store = rng.choice(KINDS), space != "const" and rng.random() < 0.5
    room = OWN if space in ("local", "") else ROOM
    way = rng.choice([0, 2, 3] if apart and store and space != "local" else range(5))
    if apart and store and space == "":
        kind = KINDS[rng.randrange(3)]
        way = 0
    spaces = [rng.choice((1, 3, 5)) if rng.random() < 0.8 else 0 for _ in range(LANES)]
    if rng.random() < 0.4:
        spaces = [rng.choice((1, 3, 5))] * LANES
    at = patterns(kind, room, rng)[way]
    if apart and store and space == "":
        at, spaces = [kind.size * (lane % (OWN // kind.size)) for lane in range(LANES)], [5 if n else 0 for n in spaces]
    return Job(kind, store, at, spaces)


@pytest.mark.sample(1)
@pytest.mark.parametrize("check", ["fast", "strict"])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("space", SPACES, ids=SPACES.values())
def test_bytes_move(space: str, seed: int, check: str) -> None:
    rng = random.Random(f"{space} {seed} {check}")
    for _ in range(8):
        some = job(space, rng, apart=check == "strict")
        memory = Memory(rng)
        found = [launched(space, some, memory, engine, check) for engine in ("numpy", "native")]
        memory.does(some, space)
        for arrays in found:
            assert isinstance(arrays, list), (some, arrays)
            for one, other in zip(arrays, memory.arrays(), strict=True):
                assert np.array_equal(one, other), some


def wrong(space: str, rng: random.Random) -> tuple[Job, int]:
    """A job that is right but for one lane's place: the lane."""
    kind, store = rng.choice(KINDS), space != "const" and rng.random() < 0.5
    room = OWN if space == "local" else ROOM
    lane, size = rng.randrange(LANES), kind.size
    ways = [
        -size,
        room,
        room - size + 1,
        room - 1,
        room + rng.randrange(16),
        -1,
        *([rng.randrange(1, size)] if size > 1 else []),
    ]
    at = [size * n for n in range(LANES)] if space != "local" else [0] * LANES
    at[lane] = rng.choice([way for way in ways if way % size or not 0 <= way <= room - size])
    return Job(kind, store, at, [1] * LANES), lane


def said(space: str, some: Job, lane: int, fault: KernelFault) -> str:
    """What is wrong with a lane's place."""
    at, size, room = some.at[lane], some.kind.size, OWN if space == "local" else ROOM
    address = fault.address or 0
    stem, where = (
        f"{'st' if some.store else 'ld'}.{space}.{some.kind.type}",
        f"CTA (0, 0, 0), thread ({lane}, 0, 0) (warp 0, lane {lane})",
    )
    if 0 <= at <= room - size:
        name = "global" if space == "const" else space
        return f"{stem}: {name} address {address:#x} is not a multiple of the access size of {size} bytes, in {where}"
    if space == "local" and at >= 0:
        return f"{stem}: {size} bytes at local address {address:#x} lie past the end of 'mine', which ends at 0x40, in {where}"
    if space in ("shared", "local"):
        return f"{stem}: {size} bytes at {space} address {address:#x} lie outside its {room if space == 'shared' else 256} bytes, in {where}"
    buffer = "argument data" if space == "global" else "variable fixed"
    near = f"{-at} bytes before {buffer}" if at < 0 else f"offset {at} of {buffer}, which has {room} bytes"
    return f"{stem}: {size} bytes at global address {address:#x} lie outside every buffer ({near}), in {where}"


@pytest.mark.sample(1)
@pytest.mark.parametrize("check", ["fast", "strict"])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("space", ["global", "shared", "local", "const"])
def test_places_outside_are_faults(space: str, seed: int, check: str) -> None:
    """Just before, just behind and between: the lane, the address and what lies there are told, by both tiers."""
    rng = random.Random(f"{space} {seed} {check}")
    for _ in range(7):
        some, lane = wrong(space, rng)
        memory = Memory(rng)
        for engine in ("numpy", "native"):
            fault = launched(space, some, memory, engine, check)
            assert isinstance(fault, KernelFault), some
            inside = 0 <= some.at[lane] <= (OWN if space == "local" else ROOM) - some.kind.size
            assert (fault.kind, fault.thread and fault.thread.lane) == (
                "misaligned" if inside else "out-of-bounds",
                lane,
            )
            assert fault.message == said(space, some, lane, fault)
            assert fault.address is not None
            assert (fault.address - some.at[lane]) % 16 == 0
