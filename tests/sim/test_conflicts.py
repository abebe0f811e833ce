"""Which two accesses conflict: every kind with every other, by threads near and far, held to a few lines of rules.

One kernel has all kinds of accesses behind a jump; a launch names a thread, kind and place for an access before what
orders threads, and for another one behind it.  Compiled code, which only suspects, must stay silent where nothing is
wrong.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

import weft
from weft.ptx.ast import Module
from weft.sim import KernelFault, engines, run
from weft.sim.faults import Thread

pytest.importorskip("llvmlite")

from weft.sim.native.engine import Compiled

BLOCK = 64


class Kind(NamedTuple):
    """An access: how it is written, its bits, whether it stores, and its scope where it is strong."""

    opcode: str
    bits: int
    stores: bool
    scope: str = ""

    @property
    def text(self) -> str:
        """Of the address in `%rd9` and the value in `%v`, with what is read in `%got`."""
        value = {8: "%h", 16: "%h", 32: "%v", 64: "%l"}[self.bits]
        before = {8: "cvt.u16.u32 %h, %v; ", 16: "cvt.u16.u32 %h, %v; ", 32: "", 64: "cvt.u64.u32 %l, %v; "}[self.bits]
        after = {
            8: "cvt.u32.u16 %got, %h;",
            16: "cvt.u32.u16 %got, %h;",
            32: "mov.u32 %got, %v;",
            64: "cvt.u32.u64 %got, %l;",
        }
        stem = self.opcode.partition(".")[0]
        operands = {"ld": f"{value}, [%rd9]", "st": f"[%rd9], {value}", "red": f"[%rd9], {value}"}.get(
            stem, f"{value}, [%rd9], {value}{', 77' if '.cas' in self.opcode else ''}"
        )
        return f"{before if stem != 'ld' else ''}{self.opcode} {operands}; {after[self.bits] if stem in ('ld', 'atom') else ''}"


PLAIN = [Kind(f"{stem}.SPACE.u{bits}", bits, stem == "st") for bits in (8, 16, 32, 64) for stem in ("ld", "st")]
VOLATILE = [
    *PLAIN[4:6],
    *(Kind(f"{stem}.volatile.SPACE.u{bits}", bits, stem == "st", "sys") for bits in (16, 32) for stem in ("ld", "st")),
]
UPDATES = [*PLAIN[4:], *(Kind(f"red.SPACE.{op}32", 32, True, "gpu") for op in ("add.u", "max.s", "and.b"))]
SWAPS = [
    *PLAIN[4:],
    Kind("atom.SPACE.add.u32", 32, True, "gpu"),
    Kind("atom.SPACE.exch.b32", 32, True, "gpu"),
    Kind("atom.SPACE.cas.b32", 32, True, "gpu"),
]
STRONG = [
    *PLAIN[4:6],
    Kind("ld.relaxed.cta.SPACE.u32", 32, False, "cta"),
    Kind("st.relaxed.cta.SPACE.u32", 32, True, "cta"),
    Kind("ld.relaxed.cluster.SPACE.u32", 32, False, "cluster"),
    Kind("st.relaxed.gpu.SPACE.u32", 32, True, "gpu"),
    Kind("ld.relaxed.sys.SPACE.u32", 32, False, "sys"),
    Kind("st.volatile.SPACE.u32", 32, True, "sys"),
    Kind("red.relaxed.cta.SPACE.add.u32", 32, True, "cta"),
    Kind("atom.relaxed.cluster.SPACE.add.u32", 32, True, "cluster"),
    Kind("st.relaxed.gpu.SPACE.u64", 64, True, "gpu"),
    Kind("red.SPACE.add.u64", 64, True, "gpu"),
]
KINDS = {"plain": PLAIN, "volatile": VOLATILE, "updates": UPDATES, "swaps": SWAPS, "strong": STRONG}
COMPILED = {"plain": ("global", "shared"), "volatile": ("shared",), "updates": ("global", "shared")}
"""The spaces where strict runs of these are compiled."""
ORDERS = {
    "nothing": ("", lambda x, y: False),
    "barrier": ("bar.sync 0;", lambda x, y: x // BLOCK == y // BLOCK),
    "counted": ("barrier.sync 3, 64;", lambda x, y: x // BLOCK == y // BLOCK),
    "warp": ("bar.warp.sync -1;", lambda x, y: x // 32 == y // 32),
    "lanes": (
        "and.b32 %t, %lin, 31; setp.gt.u32 %p, %t, 3; @%p bra alone; bar.warp.sync 15; alone:",
        lambda x, y: x // 32 == y // 32 and x % 32 < 4 and y % 32 < 4,
    ),
}
"""What comes between the accesses, and which threads it orders."""


def flag(write: str, read: str, after: str = "", bar: str = "bar.sync 0;") -> str:
    """Thread 0 tells the first thread of the other CTA by a flag, with barriers around."""
    return f"""{bar} ld.param.u64 %rd9, [out]; setp.ne.u32 %p, %me, 0; @%p bra told;
{write.replace("FLAG", "[%rd9+512]")}
told: setp.ne.u32 %p, %me, {BLOCK}; @%p bra heard;
again: {read.replace("FLAG", "[%rd9+512]")} setp.eq.u32 %p, %t, 0; @%p bra again; {after}
heard: {bar}"""


def _near(x: int, y: int) -> bool:
    return x // BLOCK == y // BLOCK


def _told(x: int, y: int) -> bool:
    return x // BLOCK <= y // BLOCK


_RELEASE, _ACQUIRE, _FENCE = (
    "st.release.gpu.global.u32 FLAG, 1;",
    "ld.acquire.gpu.global.u32 %t, FLAG;",
    "fence.acq_rel.gpu;",
)
_STORE, _LOAD = "st.relaxed.gpu.global.u32 FLAG, 1;", "ld.relaxed.gpu.global.u32 %t, FLAG;"
FLAGS = {
    "release and acquire": (flag(_RELEASE, _ACQUIRE), _told),
    "of two threads": (flag(_RELEASE, _ACQUIRE, bar=""), lambda x, y: (x, y) == (0, BLOCK)),
    "of warps": (flag(_RELEASE, _ACQUIRE, bar="bar.warp.sync -1;"), lambda x, y: x // 32 == y // 32 or (x // 32, y // 32) == (0, 2)),
    "the system": (flag(_RELEASE.replace("gpu", "sys"), _ACQUIRE.replace("gpu", "sys")), _told),
    "fences": (flag(_FENCE + _STORE, _LOAD, _FENCE), _told),
    "fences of all": (flag("fence.sc.gpu;" + _STORE, _LOAD, "fence.sc.gpu;"), _told),
    "old fences": (flag("membar.gl; st.volatile.global.u32 FLAG, 1;", "ld.volatile.global.u32 %t, FLAG;", "membar.sys;"), _told),
    "a fence of the CTA": (flag("fence.acq_rel.cta;" + _STORE, _LOAD, _FENCE), _near),
    "an old fence of the CTA": (flag("membar.cta;" + _STORE, _LOAD, _FENCE), _near),
    "a fence and an acquire": (flag(_FENCE + _STORE, _ACQUIRE), _told),
    "a release and a fence": (flag(_RELEASE, _LOAD, _FENCE), _told),
    "no release": (flag(_STORE, _ACQUIRE), _near),
    "no acquire": (flag(_RELEASE, _LOAD), _near),
    "the wrong fences": (flag("fence.acquire.sync_restrict::shared::cluster.cluster;" + _STORE, _LOAD, _FENCE), _near),
    "updates": (flag("red.release.gpu.global.add.u32 FLAG, 1;", "atom.acquire.gpu.global.add.u32 %t, FLAG, 0;"), _told),
    "an update without release": (flag("red.gpu.global.add.u32 FLAG, 1;", "atom.acquire.gpu.global.add.u32 %t, FLAG, 0;"), _near),
    "an exchange": (flag("atom.acq_rel.gpu.global.exch.b32 %t, FLAG, 1;", "atom.acq_rel.gpu.global.cas.b32 %t, FLAG, 1, 2;"), _told),
}  # fmt: skip
"""The same for flags in global memory, which order one way only."""
_WAIT = "wait: mbarrier.try_wait.parity.shared.b64 %p, [bar], 0; @!%p bra wait;"
_ARRIVE = "mbarrier.arrive.shared.b64 _, [bar];"
MBARRIERS = {
    "arrivals of all": (64, f"{_ARRIVE} {_WAIT}", _near),
    "arrivals of a warp": (32, f"setp.ge.u32 %p, %lin, 32; @%p bra wait; {_ARRIVE} {_WAIT}", lambda x, y: _near(x, y) and x % BLOCK < 32),
    "an arrival": (1, f"setp.ne.u32 %p, %lin, 33; @%p bra wait; {_ARRIVE} {_WAIT}", lambda x, y: _near(x, y) and x % BLOCK == 33),
    "a warp meets before": (1, f"bar.warp.sync -1; setp.ne.u32 %p, %lin, 33; @%p bra wait; {_ARRIVE} {_WAIT}", lambda x, y: _near(x, y) and (x % BLOCK >= 32 or x // 32 == y // 32)),
    "who waits tells the warp": (32, f"setp.ge.u32 %p, %lin, 32; @%p bra other; {_ARRIVE} bra met; other: setp.ne.u32 %p, %lin, 40; @%p bra met; {_WAIT} met: bar.warp.sync -1;", lambda x, y: _near(x, y) and (x % BLOCK < 32 or y % BLOCK >= 32)),
    "arrivals without a wait": (64, _ARRIVE, lambda x, y: False),
}  # fmt: skip
"""How many arrivals an mbarrier counts, what comes between, and which threads it orders."""
_MEET = "barrier.cluster.arrive; barrier.cluster.wait;"
CLUSTERS = {
    "clusters meet": (_MEET, lambda x, y: True),
    "clusters meet aligned": ("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;", lambda x, y: True),
    "a relaxed arrival": (_MEET.replace("arrive", "arrive.relaxed"), lambda x, y: x == y),
    "a fence and a relaxed arrival": ("fence.acq_rel.cluster; " + _MEET.replace("arrive", "arrive.relaxed"), lambda x, y: True),
    "a barrier of CTAs": ("bar.sync 0;", _near),
    "a flag of the cluster": (flag(_RELEASE.replace("gpu", "cluster"), _ACQUIRE.replace("gpu", "cluster")), _told),
    "only arrivals": ("barrier.cluster.arrive; bar.sync 0; barrier.cluster.wait; bar.sync 0;", lambda x, y: True),
}  # fmt: skip
"""What orders the threads of a cluster of two CTAs."""
BETWEEN = ORDERS | FLAGS | CLUSTERS | {name: each[1:] for name, each in MBARRIERS.items()}


class Access(NamedTuple):
    """What a thread does at a byte, with a value."""

    thread: int
    kind: Kind
    at: int
    value: int

    @property
    def bytes(self) -> set[int]:
        return {*range(self.at, self.at + self.kind.bits // 8)}


@cache
def kernel(kinds: str, order: str, space: str, cluster: bool = False) -> Module:
    def part(first: int) -> str:
        chosen = [f"L{first}_{number}" for number in range(len(KINDS[kinds]))]
        jobs = "\n".join(
            f"{label}:\n{kind.text.replace('SPACE', space)}\nbra end{first};"
            for label, kind in zip(chosen, KINDS[kinds], strict=True)
        )
        return f"""setp.ne.u32 %p, %me, %j{first}; @%p bra end{first};
cvt.u64.u32 %rd9, %j{first + 2}; add.u64 %rd9, %rd9, %base; mov.u32 %v, %j{first + 3};
T{first}: .branchtargets {", ".join(chosen)}; brx.idx %j{first + 1}, T{first};
{jobs}
end{first}:"""

    shared = """mov.u64 %base, s; mad.wide.u32 %rd9, %lin, 4, %base; setp.lt.u32 %p, %lin, 16;
@%p st.shared.u32 [%rd9], 0; bar.sync 0;"""
    made = f"""setp.ne.u32 %p, %lin, 0; @%p bra made; mbarrier.init.shared.b64 [bar], {MBARRIERS.get(order, (0,))[0]};
made: bar.sync 0;"""
    return weft.parse(f""".version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 jobs, .param .u64 out) {{
.reg .pred %p; .reg .b16 %h; .reg .b32 %v, %me, %got, %t, %lin; .reg .b32 %j<8>; .reg .b64 %rd9, %base, %jobs, %out, %l;
.shared .align 16 .b8 s[64]; .shared .align 8 .b64 bar; ld.param.u64 %base, [data]; ld.param.u64 %jobs, [jobs]; ld.param.u64 %out, [out];
mov.u32 %t, %ctaid.x; mov.u32 %lin, %tid.x; mad.lo.u32 %me, %t, {BLOCK}, %lin; mov.u32 %got, 0;
{shared if space.startswith("shared") else ""}
{f"{_MEET} mapa.u64 %base, %base, 0;" if space == "shared::cluster" else ""}
{made if order in MBARRIERS else ""}
ld.global.v4.u32 {{%j0, %j1, %j2, %j3}}, [%jobs]; ld.global.v4.u32 {{%j4, %j5, %j6, %j7}}, [%jobs+16];
{part(0)}
{BETWEEN[order][0]}
{part(4)}
mad.wide.u32 %out, %me, 4, %out; st.global.u32 [%out], %got; {_MEET if cluster else ""} ret;
}}""")


def stored(one: Access) -> bytes:
    """What memory, which is zero, holds when an access is done."""
    memory = bytearray(64)
    if one.kind.stores and not re.search(r"\.(cas|and)\.", one.kind.opcode):
        memory[one.at : one.at + one.kind.bits // 8] = one.value.to_bytes(one.kind.bits // 8, "little")
    return bytes(memory)


def meet(one: Access, two: Access, space: str) -> bool:
    """Whether two accesses are by different threads to the same bytes, of which one may store."""
    reach = space != "shared" or one.thread // BLOCK == two.thread // BLOCK
    return one.thread != two.thread and reach and bool(one.bytes & two.bytes) and (one.kind.stores or two.kind.stores)


def conflict(one: Access, two: Access, order: str, space: str, wide: tuple[str, ...] = ("gpu", "sys")) -> bool:
    """Whether two accesses, of which one comes first when they run, are a race."""
    a, b = one.kind, two.kind
    if not meet(one, two, space) or BETWEEN[order][1](one.thread, two.thread):
        return False
    if a.scope and b.scope and a.bits == b.bits:  # Morally strong: whole, and each in the scope of the other.
        return not (one.thread // BLOCK == two.thread // BLOCK or {a.scope, b.scope} <= {*wide})
    if (".cas." in a.opcode) != (".cas." in b.opcode):  # A swap looks whether what was loaded is still there.
        return not (b if ".cas." in a.opcode else a).opcode.startswith("ld.SPACE")
    kept = stored(one)[two.at : two.at + b.bits // 8] == two.value.to_bytes(b.bits // 8, "little")
    return not (b.opcode.startswith("st.") and kept)


THREADS = (0, 1, 2, 9, 33, 34, 64, 65, 97)


def jobs(kinds: str, count: int, seed: str) -> Iterator[tuple[Access, Access]]:
    rng = random.Random(seed)

    def access(thread: int, base: int, values: list[int]) -> Access:
        kind = rng.choice(KINDS[kinds])
        size = kind.bits // 8
        return Access(thread, kind, base + rng.randrange(0, 16 // size) * size, rng.choice(values))

    for _ in range(count):
        one = rng.choice(THREADS)
        two = rng.choice([one, rng.choice(THREADS), *(t for t in THREADS if t // 32 == one // 32)])
        values = rng.choice([[7], [7, 9]])
        base = rng.choice([0, 16, 48])
        first, second = access(one, base, values), access(two, base, values)
        if rng.random() < 0.5:  # The other half often shares no byte.
            size = second.kind.bits // 8
            second = second._replace(at=first.at // size * size)
        yield first, second


def found(
    module: Module, kinds: str, pair: tuple[Access, Access], engine: engines.Engine, **more: Any
) -> KernelFault | None:
    words = [word for one in pair for word in (one.thread, KINDS[kinds].index(one.kind), one.at, one.value)]
    data, out = np.zeros(64, np.uint8), np.zeros(2 * BLOCK + 1, np.uint32)
    try:
        run(module, "k", 2, BLOCK, [data, np.array(words, np.uint32), out], engine=engine, **more)
    except KernelFault as fault:
        return fault
    return None


def message(one: Access, two: Access, space: str, line: int, address: int) -> str:
    """What is said of the second of two accesses, of which the first is on a line."""
    said = "overwrites" if two.kind.stores else "reads"
    who, me = thread(one), thread(two)
    other = f"warp {who.warp}" if who.cta == me.cta else f"warp {who.warp} of CTA {who.cta}"
    if one.thread // 32 == two.thread // 32:
        other = f"lane {who.lane} of the same warp"
    return (
        f"{two.kind.opcode.replace('SPACE', space)}: {said} what {other} {'wrote' if one.kind.stores else 'read'} "
        f"(line {line}) at {space} address {address:#x}, without synchronization between them, in {me}"
    )


def thread(one: Access) -> Thread:
    """Who makes an access."""
    tid = one.thread % BLOCK
    return Thread((one.thread // BLOCK, 0, 0), (tid, 0, 0), tid // 32, tid % 32)


CASES = [
    (kinds, order, space, seed)
    for kinds in KINDS
    for order in ORDERS
    for space in ("global", "shared")
    for seed in range(3)
]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("kinds", "order", "space", "seed"), CASES)
def test_conflicts_are_races(kinds: str, order: str, space: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both tiers find those that the rules name, and no others, and say who made them, and where."""
    module, calls = kernel(kinds, order, space), list[Compiled]()
    call = Compiled._call  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(Compiled, "_call", lambda self, *given: calls.append(self) or call(self, *given))
    suspected = engines._SUSPECTED  # pyright: ignore[reportPrivateUsage]
    assert module.source is not None
    lines = [line.strip() for line in module.source.splitlines()]
    for pair in jobs(kinds, 10, f"{kinds} {order} {space} {seed}"):
        first, second = pair
        fault = found(module, kinds, pair, "numpy")
        suspected.clear()
        calls.clear()
        again = found(module, kinds, pair, "native")
        assert bool(calls) == (space in COMPILED.get(kinds, ()))
        assert (fault is not None) == conflict(first, second, order, space), (pair, fault)
        assert str(fault) == str(again)
        if fault is None:
            apart = not meet(first, second, space) or order not in ("nothing", "lanes")
            updates = kinds == "updates" and first.kind.scope and second.kind.scope
            assert not (calls and suspected and (apart or updates)), pair
            continue
        assert again is not None
        assert again.facts == fault.facts
        assert fault.other is not None
        assert fault.address is not None
        texts = [access.kind.text.replace("SPACE", space).strip() for access in pair]
        assert texts == [lines[at - 1] for at in (fault.other.line, fault.position.line)]
        assert fault.message == message(first, second, space, fault.other.line, fault.address)
        assert fault.address % 256 == second.at
        assert (fault.kind, fault.thread) == ("race", thread(second))
        same_warp = first.thread // 32 == second.thread // 32
        assert fault.other_thread == (None if same_warp else thread(first))
        size = second.kind.bits // 8
        assert fault.value == (second.value if second.kind.opcode.startswith("st") else None)
        if ".and." not in first.kind.opcode:
            held = int.from_bytes(stored(first)[second.at : second.at + size], "little")
            assert fault.other_value == held


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("order", "kinds", "seed"), [(order, kinds, n) for order in FLAGS for kinds in ("plain", "swaps") for n in (0, 1)]
)
def test_conflicts_around_flags(order: str, kinds: str, seed: int) -> None:
    """What a flag tells is known to those that it tells, and to those whom they meet: one way, and as far as scopes go."""
    module = kernel(kinds, order, "global")
    for first, second in jobs(kinds, 8, f"{kinds} {order} {seed}"):
        fault = found(module, kinds, (first, second), "numpy")
        assert (fault is not None) == conflict(first, second, order, "global"), (first, second, fault)
        assert fault is None or (fault.kind, fault.thread) == ("race", thread(second))


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("written", "read"),
    [("cta", "cta"), ("gpu", "cta"), ("cta", "gpu"), ("cluster", "gpu"), ("sys", "cluster"), ("gpu", "sys")],
)
def test_flags_of_narrow_scopes_are_races(written: str, read: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Strong accesses of which one is not in the scope of the other conflict themselves."""
    order = f"{written} and {read}"
    text = flag(_RELEASE.replace("gpu", written), _ACQUIRE.replace("gpu", read))
    monkeypatch.setitem(BETWEEN, order, (text, _told))
    calm = Access(0, PLAIN[4], 0, 7)
    fault = found(kernel("plain", order, "global"), "plain", (calm, calm), "numpy")
    if {written, read} == {"gpu", "sys"}:
        assert fault is None
        return
    assert fault is not None
    assert (fault.kind, fault.instruction) == ("race", f"ld.acquire.{read}.global.u32")
    assert (fault.thread, fault.other_thread) == (thread(calm._replace(thread=BLOCK)), thread(calm))
    assert "give both accesses a scope that includes both threads (.gpu, or .cluster within one cluster)" in fault.hint


@pytest.mark.sample(1)
@pytest.mark.parametrize("space", ["global", "shared"])
@pytest.mark.parametrize("order", MBARRIERS)
def test_conflicts_around_mbarriers(order: str, space: str) -> None:
    """Who waits knows what those knew who have arrived; both tiers see it."""
    module = kernel("plain", order, space)
    for first, second in jobs("plain", 14, f"{order} {space}"):
        fault = found(module, "plain", (first, second), "numpy")
        assert (fault is not None) == conflict(first, second, order, space), (first, second, fault)
        assert str(fault) == str(found(module, "plain", (first, second), "native"))


@pytest.mark.sample(1)
@pytest.mark.parametrize("kinds", ["plain", "strong", "swaps"])
@pytest.mark.parametrize("space", ["global", "shared::cluster"])
@pytest.mark.parametrize("order", CLUSTERS)
def test_conflicts_in_clusters(order: str, space: str, kinds: str) -> None:
    """Two CTAs access global memory, or the shared memory of the first."""
    module = kernel(kinds, order, space, cluster=True)
    for first, second in jobs(kinds, 10, f"{kinds} {order} {space}"):
        fault = found(module, kinds, (first, second), "numpy", cluster=2)
        wanted = conflict(first, second, order, space, ("cluster", "gpu", "sys"))
        assert (fault is not None) == wanted, (first, second, fault)
        if fault is None:
            continue
        assert (fault.kind, fault.thread) == ("race", thread(second))
        if space != "global":  # An address of another CTA's memory has a rank, here 0, and says so by a bit.
            assert fault.address == second.at + (0x1000_0000 if second.thread >= BLOCK else 0)


@pytest.mark.sample(1)
@pytest.mark.parametrize("order", ["nothing", "barrier"])
def test_conflicts_with_ctas_that_have_ended(order: str) -> None:
    """CTAs that do not run at once conflict as others do, and are told of as earlier ones."""
    module = kernel("plain", order, "global")
    for first, second in jobs("plain", 30, f"{order} ended"):
        if first.thread > second.thread:
            continue
        fault = found(module, "plain", (first, second), "numpy", resident=BLOCK)
        assert (fault is not None) == conflict(first, second, order, "global"), (first, second, fault)
        if fault is not None:
            assert (fault.kind, fault.thread) == ("race", thread(second))
            assert ("an earlier CTA" in fault.message) == (not _near(first.thread, second.thread))
