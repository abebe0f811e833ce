"""Kernels run as compiled code do what they do in NumPy: memory, counts and faults."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.harness import INDEX, REGISTERS, Array, kernel, launch
from tests.sim.tiers import counted
from weft.sim import KernelFault, Result, SimulationError, engines
from weft.sim.launch import Arrays
from weft.sim.prepare import Options

pytest.importorskip("llvmlite")

from weft.sim.native import jit, kept
from weft.sim.native.engine import Compiled

call = Compiled._call

OWN = INDEX + "ld.param.u64 %rd0, [p0]; mad.wide.u32 %rd1, %r0, 4, %rd0;\n"

COLLATZ = (
    OWN
    + """
ld.global.u32 %r1, [%rd1]; mov.u32 %r2, 0;
next: setp.le.u32 %p0, %r1, 1; @%p0 bra done; and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0; @%p1 bra even;
mad.lo.u32 %r1, %r1, 3, 1; add.u32 %r2, %r2, 1; bra next;
even: shr.u32 %r1, %r1, 1; add.u32 %r2, %r2, 1; bra next;
done: st.global.u32 [%rd1], %r2; ret;
"""
)
REVERSE = (
    OWN
    + """
.shared .align 16 .b32 tile[64]; mov.u32 %r1, tile; mov.u32 %r2, %tid.x; mad.lo.u32 %r3, %r2, 4, %r1;
ld.global.u32 %r4, [%rd1]; st.shared.u32 [%r3], %r4; bar.sync 0; sub.u32 %r5, 63, %r2; mad.lo.u32 %r3, %r5, 4, %r1;
cvt.u64.u32 %rd3, %r3; cvta.shared.u64 %rd3, %rd3; setp.lt.u32 %p0, %r2, 40; selp.b64 %rd4, %rd3, %rd1, %p0;
ld.u32 %r6, [%rd4]; bar.sync 0; @%p0 st.global.u32 [%rd1], %r6; ret;
"""
)
VECTORS = (
    OWN
    + """
mad.wide.u32 %rd2, %r0, 16, %rd0; ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd2]; .local .align 16 .b8 mine[16];
st.local.v2.u32 [mine], {%r4, %r3}; st.local.v2.u32 [mine+8], {%r2, %r1}; ld.local.u16 %rs1, [mine+6];
cvt.u32.u16 %r5, %rs1; ld.local.v4.u32 {%r1, %r2, %r3, %r4}, [mine]; xor.b32 %r1, %r1, %r5;
st.global.v4.u32 [%rd2], {%r1, %r2, %r3, %r4}; ret;
"""
)
SHUFFLE = (
    OWN
    + """
ld.global.u32 %r1, [%rd1]; setp.lt.u32 %p0, %r0, 48; @!%p0 bra other;
add.u32 %r1, %r1, 5; bra join; other: mul.lo.u32 %r1, %r1, 3;
join: shfl.sync.bfly.b32 %r2|%p1, %r1, 3, 31, -1; vote.sync.ballot.b32 %r3, %p0, -1; add.u32 %r2, %r2, %r3;
atom.global.add.u32 %r4, [%rd0+2048], %r2; mul.hi.u32 %r2, %r2, 77777777; st.global.u32 [%rd1+1024], %r2; ret;
"""
)
KERNELS = {"loop": COLLATZ, "shared": REVERSE, "vectors": VECTORS, "warp": SHUFFLE}


def ran(body: str, arrays: list[Array], engine: str, **more: Any) -> Result | tuple[str, str]:
    try:
        return launch(body, arrays, 64, 3, target="sm_90", check="fast", engine=engine, **more)
    except KernelFault as fault:
        return fault.kind, str(fault)


LOCK = """lock: atom.acquire.gpu.global.cas.b32 %r2, [%rd0], 0, 1; setp.ne.u32 %p0, %r2, 0; @%p0 bra lock;
ld.volatile.global.u32 %r3, [%rd0+4]; add.u32 %r3, %r3, 1; st.volatile.global.u32 [%rd0+4], %r3; {free} ret;"""
FREE = "atom.release.gpu.global.exch.b32 %r2, [%rd0], 0;"
CHAIN = """mov.u32 %r1, %ctaid.x; mad.wide.u32 %rd3, %r1, 4, %rd0; setp.eq.u32 %p2, %r1, 2; mov.u32 %r2, 1; @%p2 bra put;
wait: ld.acquire.gpu.global.u32 %r2, [%rd3+4]; setp.eq.u32 %p0, %r2, 0; @%p0 nanosleep.u32 9; @%p0 bra wait; add.u32 %r2, %r2, 1;
put: st.release.gpu.global.u32 [%rd3], %r2; ret;"""
"""A CTA waits for the next one."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("body", [LOCK.format(free=FREE), CHAIN])
def test_threads_wait_for_each_other_in_code(monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    calls = counted(monkeypatch)
    both = [np.zeros(512, np.uint32) for _ in range(2)]
    for array, engine in zip(both, ("numpy", "native"), strict=True):
        ran(OWN + body, [array], engine)
    assert (both[0] == both[1]).all()
    assert both[0].max() in (3, 192)
    assert len(calls) < 20


@pytest.mark.sample(1)
@pytest.mark.parametrize("engine", ["numpy", "native"])
def test_a_lock_that_is_kept(engine: str) -> None:
    """The threads that wait for it are found."""
    with pytest.raises(KernelFault, match="2 threads wait in atom.acquire.gpu.global.cas.b32"):
        launch(OWN + LOCK.format(free=""), [np.zeros(8, np.uint32)], 3, target="sm_90", check="fast", engine=engine)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", KERNELS)
def test_kernels_do_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(monkeypatch)
    data = np.random.default_rng(1).integers(0, 1 << 16, 1024).astype(np.uint32)
    both = [data.copy(), data.copy()]
    numpy, native = (
        ran(KERNELS[name], [array], engine) for array, engine in zip(both, ("numpy", "native"), strict=True)
    )
    assert numpy == native
    assert (both[0] == both[1]).all()
    assert (both[0] != data).any()
    assert len(calls) == 1


def test_threads_do_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    data = np.random.default_rng(2).integers(0, 1 << 16, 64 * 300).astype(np.uint32)
    pools: list[int] = []

    def pool(count: int) -> ThreadPoolExecutor:
        pools.append(count)
        return engines.pool(count)

    monkeypatch.setattr("weft.sim.native.engine.pool", pool)
    module = kernel(REGISTERS + COLLATZ, ["u64"], "sm_80")
    found: list[tuple[Array, Result]] = []
    for threads in ("1", "3"):  # The kernel that stays bound after the first launch has one thread.
        monkeypatch.setenv("WEFT_THREADS", threads)
        array = data.copy()
        found.append((array, weft.run(module, "k", 300, 64, [array], check="fast", engine="native")))
    assert set(pools) == {3}
    assert (found[0][0] == found[1][0]).all()
    assert found[0][1] == found[1][1]
    monkeypatch.setenv("WEFT_THREADS", "all")
    with pytest.raises(SimulationError, match="WEFT_THREADS"):
        launch(COLLATZ, [data], 64, 3, check="fast", engine="native")


UPDATES = {
    "add": ("u32", "u64", "f32", "f64"), "min": ("s32", "u64"), "max": ("u32", "s64"), "and": ("b32",), "xor": ("b64",),
    "exch": ("b32", "b64"), "cas": ("b32", "b64"), "inc": ("u32",), "dec": ("u32",),
    "add.noftz": ("f16", "f16x2", "bf16", "bf16x2"),
}  # fmt: skip


@pytest.mark.sample(2)
@pytest.mark.parametrize("space", [".global", ".shared", ""])
@pytest.mark.parametrize(("op", "type_"), [(op, type_) for op, types in UPDATES.items() for type_ in types])
def test_updates_do_the_same(op: str, type_: str, space: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lanes of a warp take turns at eight words; some do not take part."""
    calls = counted(monkeypatch)
    register, bits = ("%rd5", 64) if type_.endswith("64") else ("%r5", 32)
    word = "%half" if type_.endswith("f16") else register
    body = f"""{OWN} .reg .b16 %half; .shared .align 8 .b64 tile[8]; mov.u32 %r8, tile; mov.u64 %rd2, {"tile" if not space else "%rd0"};
    and.b32 %r7, %r0, 7; mad.lo.u32 %r8, %r7, 8, %r8; {"cvta.shared.u64 %rd2, %rd2;" if not space else ""}
    mad.wide.u32 %rd2, %r7, 8, %rd2; mov.u64 %rd3, 0x3F8000003F800000; st.shared.u64 [%r8], %rd3; bar.sync 0;
    ld.global.u32 %r5, [%rd1]; setp.lt.u32 %p0, %r5, 0xD0000000; cvt.u64.u32 %rd5, %r5; mul.lo.u64 %rd5, %rd5, 0x100000001;
    cvt.u16.u32 %half, %r5;
    @%p0 atom{space}.{op}.{type_} {word}, [{"%r8" if space == ".shared" else "%rd2"}], {word}{f", {word}" * (op == "cas")};
    {"cvt.u32.u16 %r5, %half;" if word == "%half" else ""}
    mad.wide.u32 %rd1, %r0, 8, %rd0; st.global.b{bits} [%rd1+256], {register}; bar.sync 0; ld.shared.u64 %rd3, [%r8];
    st.global.u64 [%rd1+512], %rd3; ret;"""
    data = np.random.default_rng(1).integers(0, 1 << 32, 256, np.uint32)
    data[:32] = np.where(
        np.arange(32) % 3, np.random.default_rng(2).standard_normal(32).astype(np.float32).view("u4"), data[:32]
    )
    data[3] = 5
    both = [data.copy(), data.copy()]
    numpy, native = (
        launch(body, [array], 32, 1, target="sm_90", check="fast", engine=engine)
        for array, engine in zip(both, ("numpy", "native"), strict=True)
    )
    assert numpy == native
    assert (both[0] == both[1]).all()
    assert len(calls) == 1


ROUNDS = """
{own} .shared .align 16 .b32 tile[64]; mov.u32 %r1, tile; mov.u32 %r2, %tid.x; mad.lo.u32 %r3, %r2, 4, %r1;
st.shared.u32 [%r3], %r0; mov.u32 %r4, 0; {early}
next: bar.sync 0; add.u32 %r5, %r2, %r4; and.b32 %r5, %r5, 31; mad.lo.u32 %r5, %r5, 4, %r1; ld.shared.u32 %r6, [%r5];
bar.sync 1; st.shared.u32 [%r3], %r6; add.u32 %r4, %r4, 1; setp.lt.u32 %p0, %r4, {rounds}; @%p0 bra next;
st.global.u32 [%rd1], %r6; ret;
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("check", ["fast", "strict"])
@pytest.mark.parametrize(
    ("threads", "rounds", "early", "calls"),
    [
        (64, 9, "", 1),
        (64, 700, "", 1),
        (64, 9, "setp.ge.u32 %p0, %r0, 64; @%p0 exit;", None),
        (48, 9, "", 1),
        (64, 9, "setp.ge.u32 %p0, %r0, 64; @%p0 bra there; there:", None),
    ],
)
def test_barriers_are_passed_in_code(
    monkeypatch: pytest.MonkeyPatch, check: Any, threads: int, rounds: int, early: str, calls: int | None
) -> None:
    seen = counted(monkeypatch)
    body = ROUNDS.format(own=OWN, rounds=rounds, early=early)
    found: list[tuple[Array, Result]] = []
    for engine in ("numpy", "native"):
        array = np.zeros(256, np.uint32)
        result = launch(body, [array], threads, 3, target="sm_90", check=check, engine=engine, resident=128)
        found.append((array, result))
    assert (found[0][0] == found[1][0]).all()
    assert found[0][1] == found[1][1]
    assert seen
    assert calls is None or len(seen) == 2 * calls


VOTES = {
    "popc": "bar.red.popc.u32 %r6, 0, {p};",
    "and": "barrier.red.and.pred %p1, 3, {p}; selp.u32 %r6, 5, 7, %p1;",
    "or": "bar.red.or.pred %p1, 2, {count}, {p}; selp.u32 %r6, 5, 7, %p1;",
    "counted": "bar.sync 4, {count}; add.u32 %r6, %r2, {count};",
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("check", ["fast", "strict"])
@pytest.mark.parametrize("negated", ["", "!"])
@pytest.mark.parametrize("threads", [64, 50])
@pytest.mark.parametrize("way", VOTES)
def test_votes_at_barriers(monkeypatch: pytest.MonkeyPatch, way: str, threads: int, negated: str, check: Any) -> None:
    """Rounds of votes of which the results decide how the threads go on, in one call of compiled code."""
    seen = counted(monkeypatch)
    vote = VOTES[way].format(p=f"{negated}%p0", count=64)
    body = f"""{OWN} mov.u32 %r2, %tid.x; mov.u32 %r4, 0; mov.u32 %r5, 0;
next: setp.ge.u32 %p0, %r2, %r4; {vote} mad.lo.u32 %r5, %r5, 3, %r6; add.u32 %r4, %r4, 9; setp.lt.u32 %p0, %r4, 80;
@%p0 bra next; st.global.u32 [%rd1], %r5; ret;"""
    found: list[tuple[Array, Result]] = []
    for engine in ("numpy", "native"):
        array = np.zeros(256, np.uint32)
        found.append((array, launch(body, [array], threads, 3, target="sm_90", check=check, engine=engine)))
    assert (found[0][0] == found[1][0]).all()
    assert found[0][1] == found[1][1]
    assert len(seen) == 1


def test_votes_at_barriers_that_numpy_passes() -> None:
    """Threads come there in parts, and what they get is looked at only behind other code."""
    body = f"""{OWN} mov.u32 %r2, %tid.x; mov.u32 %r6, 7; mov.u32 %r7, 1; setp.ge.u32 %p0, %r2, 11; setp.eq.u32 %p1, %r2, 9;
rem.u32 %r5, %r2, 3; ways: .branchtargets A, B, C; brx.idx %r5, ways; A: add.u32 %r7, %r7, 1; bra D; B: shl.b32 %r7, %r7, 3; bra D;
C: xor.b32 %r7, %r7, 9; D: barrier.red.popc.u32 %r6, 8, !%p0; add.u32 %r7, %r7, %r2; @%p1 exit; nanosleep.u32 1; mad.lo.u32 %r6, %r6, 100, %r7;
st.global.u32 [%rd1], %r6; ret;"""
    found = [np.zeros(256, np.uint32) for _ in range(2)]
    for engine, array in zip(("numpy", "native"), found, strict=True):
        launch(body, [array], 50, 3, target="sm_90", check="fast", engine=engine)
    assert (found[0] == found[1]).all()


GROUPS = {
    "halves": "and.b32 %r5, %r2, 16; mov.u32 %r6, 0xffff; shl.b32 %r6, %r6, %r5; {op}",
    "ways": "setp.lt.u32 %p0, %r2, 16; @%p0 bra A; mov.u32 %r6, 0xffff0000; {op} bra B; A: mov.u32 %r6, 0xffff; {op} B:",
    "chosen": "and.b32 %r5, %r4, 3; setp.eq.u32 %p0, %r5, 0; vote.sync.ballot.b32 %r6, %p0, -1; @!%p0 bra B; {op} B:",
    "named": "setp.lt.u32 %p0, %r2, 16; mov.u32 %r6, 0xffff; @!%p0 bra B; {fixed} B:",
}
TOGETHER = {
    "shuffle": "shfl.sync.bfly.b32 %r9, %r4, {lane}, 0x1f, {m};",
    "active": "activemask.b32 %r9;",
    "vote": "setp.lt.u32 %p2, %r4, 0x80000000; vote.sync.ballot.b32 %r9, %p2, {m}; vote.sync.all.pred %p3, %p2, {m};"
    "selp.u32 %r8, 3, 5, %p3; mul.lo.u32 %r9, %r9, %r8;",
    "match": "and.b32 %r9, %r4, 1; match.any.sync.b32 %r9, %r9, {m};",
    "sum": "redux.sync.add.u32 %r9, %r4, {m};",
    "meeting": "bar.warp.sync {m}; mov.u32 %r9, %r4;",
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("check", ["fast", "strict"])
@pytest.mark.parametrize("threads", [64, 50])
@pytest.mark.parametrize("together", TOGETHER)
@pytest.mark.parametrize("group", GROUPS)
def test_parts_of_warps_work_together(
    monkeypatch: pytest.MonkeyPatch, group: str, together: str, threads: int, check: Any
) -> None:
    """Without leaving code, where lanes take values of those that they name, and these are all there."""
    seen = counted(monkeypatch)
    op = TOGETHER[together].replace("{lane}", "0" if group == "chosen" else "1")
    work = GROUPS[group].format(op=op.format(m="%r6"), fixed=op.format(m="0xffff"))
    body = (
        f"{OWN} ld.global.u32 %r4, [%rd1]; mov.u32 %r2, %laneid; mov.u32 %r9, 0; {work} st.global.u32 [%rd1], %r9; ret;"
    )
    found: list[tuple[Array, Result]] = []
    for engine in ("numpy", "native"):
        array = np.random.default_rng(3).integers(0, 1 << 32, 192, np.uint32)
        found.append((array, launch(body, [array], threads, 3, target="sm_90", check=check, engine=engine)))
    assert (found[0][0] == found[1][0]).all()
    assert found[0][1] == found[1][1]
    if check == "fast" and (group != "chosen" or threads == 64):
        assert len(seen) == 1


@pytest.mark.parametrize("group", GROUPS)
def test_lanes_that_do_not_take_part_give_nothing(group: str) -> None:
    """Who takes their value, which is undefined, has its own, whatever they hold."""
    op = TOGETHER["shuffle"].replace("{lane}", "17")
    work = GROUPS[group].format(op=op.format(m="%r6"), fixed=op.format(m="0xffff"))
    body = (
        f"{OWN} ld.global.u32 %r4, [%rd1]; mov.u32 %r2, %laneid; mov.u32 %r9, 0; {work} st.global.u32 [%rd1], %r9; ret;"
    )
    found = [np.random.default_rng(3).integers(0, 1 << 32, 192, np.uint32) for _ in range(2)]
    given = found[0].reshape(-1, 32).copy()
    for engine, array in zip(("numpy", "native"), found, strict=True):
        launch(body, [array], 64, 3, target="sm_90", check="fast", engine=engine)
    assert (found[0] == found[1]).all()
    if group != "chosen":  # Lanes 0 to 15 ask lanes of the other half.
        assert (found[0].reshape(-1, 32)[:, :16] == given[:, :16]).all()


@pytest.mark.slow
def test_products_are_the_same() -> None:
    text = (Path(__file__).parents[2] / "examples/gemm_sm80.mlir").read_text(encoding="utf-8")
    module = weft.compile(text, target="sm_80")
    rng = np.random.default_rng(3)
    a, b = (rng.standard_normal((64, 64)).astype(np.float16) for _ in range(2))
    found: list[tuple[Array, Result]] = []
    for engine in ("numpy", "native"):
        c = np.zeros((64, 64), np.float32)
        arguments = [v for x in (a, b, c) for v in (x, x, 0, 64, 64, 64, 1)]
        found.append((c, weft.run(module, "gemm", 1, 128, arguments, check="fast", engine=engine)))
    assert (found[0][0] == found[1][0]).all()
    assert found[0][1] == found[1][1]
    assert np.abs(found[0][0] - a.astype(np.float32) @ b.astype(np.float32)).max() < 1e-2


FAULTS = {
    "out-of-bounds": OWN + "setp.eq.u32 %p0, %r0, 70; @%p0 add.u64 %rd1, %rd1, 0x7000; st.global.u32 [%rd1], %r0; ret;",
    "misaligned": OWN + "st.global.u64 [%rd1], %rd0; ret;",
    "past a variable": f".local .b8 some[16]; {OWN} shl.b32 %r5, %r0, 28; shr.u32 %r5, %r5, 24; setp.eq.u32 %p0, %r0, 70; @%p0 mov.u32 %r5, 16;"
    "mov.u32 %r6, some; and.b32 %r5, %r5, 28; add.u32 %r6, %r6, %r5; st.local.u32 [%r6], %r0; ret;",
    "read-only": ".const .b32 c[4]; mov.u64 %rd1, c; cvta.const.u64 %rd1, %rd1; st.u32 [%rd1], %r1; ret;",
    "deadlock": INDEX + "setp.lt.u32 %p0, %r102, 32; @%p0 bra wait; spin: bra spin; wait: bar.sync 0; ret;",
    "divergent-collective": INDEX
    + "setp.lt.u32 %p0, %r102, 7; @%p0 bra one; bar.warp.sync 0xff; ret; one: bar.warp.sync 0x7f; ret;",
    "trap": INDEX + "setp.eq.u32 %p0, %r0, 99; @%p0 trap; ret;",
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", FAULTS)
def test_faults_are_the_same(kind: str) -> None:
    arrays = [np.zeros(192, np.uint32) for _ in range(2)]
    numpy, native = (
        ran(FAULTS[kind], [array], engine) for array, engine in zip(arrays, ("numpy", "native"), strict=True)
    )
    assert numpy == native
    assert isinstance(numpy, tuple)
    assert (arrays[0] == arrays[1]).all()


def is_native(monkeypatch: pytest.MonkeyPatch, **options: Any) -> bool:
    module = weft.parse((Path(__file__).parents[2] / "docs/ptx/transpose.ptx").read_text(encoding="utf-8"))
    array = np.zeros((64, 64), np.float32)
    every: dict[str, Any] = {"check": "fast", "engine": "native", **options}
    ready = Arrays(module, [array, array, 64]).ready(Options("transpose", (2, 2), (32, 8), **every))
    return ready.machine.native is not None


def test_what_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WEFT_ENGINE", raising=False)
    assert is_native(monkeypatch)
    assert not is_native(monkeypatch, engine="numpy")
    assert is_native(monkeypatch, check="strict")
    assert not is_native(monkeypatch, check="strict", report="all")
    assert not is_native(monkeypatch, engine="auto")  # Too short to pay.
    monkeypatch.setenv("WEFT_ENGINE", "native")
    assert is_native(monkeypatch, engine="auto")
    monkeypatch.setattr("weft.sim.engines.available", lambda: False)
    with pytest.raises(SimulationError, match="llvmlite"):
        is_native(monkeypatch)


def test_what_runs_often_is_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("WEFT_ENGINE", raising=False)
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path))
    kept._LOADED.clear()  # pyright: ignore[reportPrivateUsage]
    module = weft.parse((Path(__file__).parents[2] / "docs/ptx/transpose.ptx").read_text(encoding="utf-8"))
    array = np.zeros((64, 64), np.float32)
    ready = Arrays(module, [array, array, 64]).ready(Options("transpose", (2, 2), (32, 8)))
    found: list[bool] = []
    for seconds in (0.0, 0.05, 0.2):
        engines.spend(ready.program, seconds, strict=True)
        again = Arrays(module, [array, array, 64]).ready(Options("transpose", (2, 2), (32, 8)))
        found.append(again.machine.native is not None)
    assert found == [False, False, True]
    engines._SPENT.clear()  # pyright: ignore[reportPrivateUsage]
    kept._LOADED.clear()  # pyright: ignore[reportPrivateUsage]
    engines.spend(ready.program, 0.02, strict=True)  # What is on disk pays sooner.
    assert Arrays(module, [array, array, 64]).ready(Options("transpose", (2, 2), (32, 8))).machine.native is not None


LONG = """
ld.param.u64 %rd0, [p0]; mov.u32 %r1, 0; ld.global.u32 %r2, [%rd0]; add.u32 %r2, %r2, 1; st.global.u32 [%rd0], %r2;
next: mad.lo.u32 %r2, %r2, 5, %r1; add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, 60000; @%p0 bra next;
st.global.u32 [%rd0+4], %r2; ret;
"""
"""A loop that goes round far more often than one would think, in a kernel that changes what it has loaded."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("check", ["fast", "strict"])
@pytest.mark.parametrize("where", ["host", "device"])
def test_compiled_code_takes_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, where: str, check: Any) -> None:
    monkeypatch.delenv("WEFT_ENGINE", raising=False)
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path))
    # Not 1: the wait of a short kernel leaves out what each instruction costs, and what was spent may then not pay.
    monkeypatch.setattr("weft.sim.engines._PATIENCE", 2)
    found: list[tuple[list[int], int, bool]] = []
    compiled = list[bool]()
    monkeypatch.setattr(Compiled, "_call", lambda *words: (compiled.append(True), call(*words))[1])
    for engine in ("numpy", "auto"):
        compiled.clear()
        array = np.array([7, 0], np.uint32)
        if where == "host":
            result = launch(LONG, [array], 1, 1, target="sm_90", check=check, engine=engine)
        else:
            device = weft.Device("sm_90", checks=check, engine=engine)
            loaded = device.load(kernel(REGISTERS + LONG, ["u64"], "sm_90")).kernel("k")
            result = loaded.launch(1, 1, [array])
        found.append((array.tolist(), result.thread_instructions, bool(compiled)))
    assert found[0][:2] == found[1][:2]
    assert [each[2] for each in found] == [False, True]


def test_code_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is on disk is used: nothing is written again, and what was cut off is made anew."""
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path))
    data = np.arange(192, dtype=np.uint32)
    found: list[tuple[set[str], Array]] = []
    for cut in (None, None, 100):
        for path in tmp_path.iterdir():
            path.write_bytes(path.read_bytes()[:cut])
        kept._LOADED.clear()  # pyright: ignore[reportPrivateUsage]
        jit.kept_object.cache_clear()
        if found and cut is None:
            monkeypatch.setattr(kept, "recipe_of", None)
        array = data.copy()
        ran(COLLATZ, [array], "native")
        monkeypatch.undo()
        monkeypatch.setenv("WEFT_CACHE", str(tmp_path))
        found.append(({path.name for path in tmp_path.iterdir()}, array))
    assert all(names == found[0][0] and (array == found[0][1]).all() for names, array in found)
    assert (found[0][1] != data).any()


def test_what_numpy_writes_for_compiled_code_comes_back() -> None:
    text = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) { .reg .b64 %a; ld.param.u64 %a, [p]; discard.global.L2 [%a], 128; ret; }
"""
    found = [np.zeros(64, np.uint32) for _ in range(2)]
    for engine, array in zip(("numpy", "native"), found, strict=True):
        weft.run(weft.parse(text), "k", 1, 1, [array], engine=engine, check="fast")  # pyright: ignore[reportArgumentType]
    assert found[0].tolist() == found[1].tolist() == [0xFFFFFFFF] * 32 + [0] * 32
