"""What compiled code keeps between instructions, turns, launches and batches: rings of copies, phases, kept code, counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import weft
from tests.sim.harness import INDEX, REGISTERS, Array, kernel, launch
from tests.sim.tiers import counted
from weft.sim import Result, run
from weft.sim.engines import Engine
from weft.sim.native import kept

OWN = f"{INDEX} mov.u32 %r2, %tid.x; ld.param.u64 %rd0, [p0]; mad.wide.u32 %rd1, %r0, 4, %rd0;"
ENGINES: tuple[Engine, ...] = ("numpy", "native")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One for each call of compiled code, which does not give up."""
    return counted(monkeypatch)


def both(
    body: str, arrays: list[Array], block: int, grid: int, *, looks: bool = False, **more: Any
) -> tuple[list[Array], Result]:
    """What both engines leave in memory, and count: not alike where threads look for something again and again."""
    found: list[tuple[list[Array], Result]] = []
    for engine in ENGINES:
        own = [array.copy() for array in arrays]
        found.append((own, launch(body, own, block, grid, target="sm_90", engine=engine, **more)))
    assert all((one == other).all() for one, other in zip(found[0][0], found[1][0], strict=True))
    assert looks or found[0][1] == found[1][1]
    return found[1]


# -- copies ---------------------------------------------------------------------------------------------------


@pytest.mark.sample(1)
@pytest.mark.parametrize("under_way", [63, 64, 65])
def test_copies_under_way(under_way: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty-four instructions of a warp may be at a time; more are NumPy's."""
    calls = counted(monkeypatch, gives_up=under_way > 64)
    starts = "".join(f"cp.async.ca.shared.global [%r3+{128 * n}], [%rd1+{128 * n}], 4;\n" for n in range(under_way))
    body = f""".shared .align 16 .b8 tile[{128 * under_way}]; {OWN} ld.param.u64 %rd2, [p1]; mov.u32 %r1, tile;
    mad.lo.u32 %r3, %r2, 4, %r1; {starts} cp.async.wait_all; ld.shared.u32 %r5, [%r3];
    ld.shared.u32 %r6, [%r3+{128 * (under_way - 1)}]; mad.lo.u32 %r5, %r5, 1000, %r6; mad.wide.u32 %rd2, %r0, 4, %rd2;
    st.global.u32 [%rd2], %r5; ret;"""
    data = np.arange(32 * under_way, dtype=np.uint32)
    (_, out), _ = both(body, [data, np.zeros(32, np.uint32)], 32, 1, check="fast")
    assert (out == data[:32] * 1001 + 32 * (under_way - 1)).all()
    assert len(calls) == 1


@pytest.mark.sample(1)
@pytest.mark.parametrize("check", ["fast", "strict"])
@pytest.mark.parametrize("ahead", [0, 1, 3])
def test_rings_of_copies_come_around(ahead: int, check: str, calls: list[int]) -> None:
    """A loop that starts two copies each time, of words and of parts of sixteen bytes, and waits for older ones."""
    body = f""".shared .align 16 .b8 words[2048]; .shared .align 16 .b8 rows[8192]; {OWN} ld.param.u64 %rd2, [p1];
    mov.u32 %r1, words; mad.lo.u32 %r1, %r2, 4, %r1; mov.u32 %r3, rows; mad.lo.u32 %r3, %r2, 16, %r3; mov.u32 %r4, 0; mov.u32 %r5, 0;
    mad.wide.u32 %rd3, %r0, 16, %rd0;
    next: and.b32 %r6, %r4, 7; mad.lo.u32 %r7, %r6, 256, %r1; mad.lo.u32 %r8, %r6, 1024, %r3; and.b32 %r9, %r4, 15;
    cp.async.ca.shared.global [%r7], [%rd1], 4; cp.async.cg.shared.global [%r8], [%rd3], 16, %r9; cp.async.commit_group;
    add.u64 %rd1, %rd1, 4; setp.lt.u32 %p1, %r4, {ahead}; @%p1 bra later; cp.async.wait_group {ahead};
    sub.u32 %r6, %r4, {ahead}; and.b32 %r6, %r6, 7; mad.lo.u32 %r7, %r6, 256, %r1; mad.lo.u32 %r8, %r6, 1024, %r3;
    ld.shared.u32 %r7, [%r7]; ld.shared.u32 %r8, [%r8+4]; mad.lo.u32 %r5, %r5, 31, %r7; mad.lo.u32 %r5, %r5, 31, %r8;
    later: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 90; @%p1 bra next; cp.async.wait_all;
    mad.wide.u32 %rd2, %r0, 4, %rd2; st.global.u32 [%rd2], %r5; ret;"""
    data = np.random.default_rng(5).integers(0, 1 << 32, 512, np.uint32)
    (_, out), _ = both(body, [data, np.zeros(64, np.uint32)], 64, 1, check=check)
    wanted = np.zeros(64, np.uint32)
    bytes_ = data.view(np.uint8)
    for turn in range(90 - ahead):
        for thread in range(64):
            row = np.where(np.arange(16) < turn % 16, bytes_[16 * thread : 16 * thread + 16], 0).astype(np.uint8)
            for word in (data[thread + turn], row.view(np.uint32)[1]):
                wanted[thread] = (int(wanted[thread]) * 31 + int(word)) & 0xFFFF_FFFF
    assert (out == wanted).all()
    assert len(calls) == 1


# -- mbarriers ------------------------------------------------------------------------------------------------


@pytest.mark.sample(2)
@pytest.mark.parametrize("check", ["fast", "strict"])
@pytest.mark.parametrize("wait", ["%p1, [bar], %rd4", ".parity %p1, [bar], %r4"])
def test_phases_that_a_state_or_a_parity_names(wait: str, check: str, calls: list[int]) -> None:
    """Each round threads take what another one has put, some of which arrive for two."""
    parity, operands = wait.split(" ", 1) if wait.startswith(".") else ("", wait)
    body = f""".shared .align 8 .b64 bar; .shared .b32 tile[96]; {OWN} mov.u32 %r1, tile; mad.lo.u32 %r3, %r2, 4, %r1;
    mov.u32 %r4, 0; mov.u32 %r5, 0; setp.eq.u32 %p0, %r2, 0; @%p0 mbarrier.init.shared.b64 [bar], 112; bar.sync 0; mov.u32 %r8, 0;
    sub.u32 %r7, 95, %r2; mad.lo.u32 %r7, %r7, 4, %r1; setp.lt.u32 %p3, %r2, 16; selp.u32 %r10, 2, 1, %p3;
    next: mad.lo.u32 %r9, %r8, 100, %r2; st.shared.u32 [%r3], %r9; mbarrier.arrive.shared.b64 %rd4, [bar], %r10;
    w: mbarrier.try_wait{parity}.shared.b64 {operands}; @!%p1 bra w; ld.shared.u32 %r6, [%r7]; mad.lo.u32 %r5, %r5, 3, %r6;
    xor.b32 %r4, %r4, 1; bar.sync 0; add.u32 %r8, %r8, 1; setp.lt.u32 %p2, %r8, 11; @%p2 bra next;
    st.global.u32 [%rd1], %r5; ret;"""
    (out,), _ = both(body, [np.zeros(192, np.uint32)], 96, 2, looks=True, check=check)
    wanted = np.zeros(96, np.uint64)
    for turn in range(11):
        wanted = (wanted * np.uint64(3) + (100 * turn + 95 - np.arange(96)).astype(np.uint64)) & np.uint64(0xFFFF_FFFF)
    assert (out.reshape(2, 96) == wanted).all()
    assert len(calls) <= 2


def test_bytes_that_are_expected_and_come(calls: list[int]) -> None:
    """Of each lane as many as it says: a phase ends when all have arrived and all bytes have come."""
    body = f""".shared .align 8 .b64 bar; .shared .b32 tile[64]; {OWN} mov.u32 %r1, tile; mad.lo.u32 %r3, %r2, 4, %r1; mov.u32 %r4, 0;
    setp.eq.u32 %p0, %r2, 0; @%p0 mbarrier.init.shared.b64 [bar], 32; bar.sync 0; setp.lt.u32 %p3, %r2, 32; mov.u32 %r8, 0;
    mad.lo.u32 %r10, %r2, 3, 1; mov.u32 %r5, 0; and.b32 %r9, %r2, 31; mad.lo.u32 %r11, %r9, 3, 1; add.u32 %r12, %r9, 32;
    mad.lo.u32 %r7, %r12, 4, %r1; bar.sync 0;
    next: @!%p3 st.shared.u32 [%r3], %r8; @%p3 mbarrier.arrive.expect_tx.shared.b64 _, [bar], %r10;
    @!%p3 mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], %r11;
    w: mbarrier.try_wait.parity.shared.b64 %p1, [bar], %r4; @!%p1 bra w; @%p3 ld.shared.u32 %r6, [%r7]; @%p3 add.u32 %r5, %r5, %r6;
    xor.b32 %r4, %r4, 1; bar.sync 0; add.u32 %r8, %r8, 1; setp.lt.u32 %p2, %r8, 9; @%p2 bra next;
    @%p3 st.global.u32 [%rd1], %r5; ret;"""
    (out,), _ = both(body, [np.zeros(64, np.uint32)], 64, 1, check="fast")
    assert (out[:32] == sum(range(9))).all()
    assert len(calls) <= 2


# -- code that is kept ----------------------------------------------------------------------------------------


def test_kept_code_is_that_of_the_launch() -> None:
    """A barrier that counts all threads of small CTAs counts some of those of larger ones."""
    body = f""".shared .b32 tile[128]; {OWN} mov.u32 %r1, tile; mad.lo.u32 %r3, %r2, 4, %r1; st.shared.u32 [%r3], %r0;
    setp.lt.u32 %p0, %r2, 64; @%p0 bra low; bar.sync 2, 64; bra met; low: bar.sync 1, 64; met: xor.b32 %r4, %r2, 63;
    mad.lo.u32 %r4, %r4, 4, %r1; ld.shared.u32 %r5, [%r4]; st.global.u32 [%rd1], %r5; ret;"""
    module = kernel(REGISTERS + body, ["u64"], "sm_90")
    for block in (64, 128, 64):
        out = np.zeros(2 * block, np.uint32)
        run(module, "k", 2, block, [out], engine="native", check="fast")
        assert (out == np.arange(2 * block) ^ 63).all()


def test_code_that_was_not_used_for_longest_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where two functions may stay loaded, a third one takes the place of the one that was used before the other."""
    monkeypatch.setattr(kept, "MOST", 2)
    monkeypatch.setattr(kept, "_LOADED", type(kept._LOADED)())  # pyright: ignore[reportPrivateUsage]
    loaded: list[int] = []
    code = kept.Code
    monkeypatch.setattr(kept, "Code", lambda objects: (loaded.append(1), code(objects))[1])
    found: list[int] = []
    for number in (1, 2, 1, 3, 1, 3, 2, 1):
        out = np.zeros(32, np.uint32)
        launch(f"{OWN} st.global.u32 [%rd1], {number}; ret;", [out], engine="native", check="fast")
        assert (out == number).all()
        found.append(len(loaded))
    assert found == [1, 2, 2, 3, 3, 3, 4, 5]


@pytest.mark.parametrize("async_", ["lazy", "eager"])
def test_kept_code_copies_as_asked_for(async_: Any) -> None:
    """Words that nobody waits for have come at once, or have not come."""
    body = f""".shared .b32 tile[32]; {OWN} mov.u32 %r1, tile; mad.lo.u32 %r3, %r2, 4, %r1; ld.param.u64 %rd2, [p1];
    cp.async.ca.shared.global [%r3], [%rd1], 4; ld.shared.u32 %r5, [%r3]; mad.wide.u32 %rd2, %r0, 4, %rd2; st.global.u32 [%rd2], %r5;
    cp.async.wait_all; ret;"""
    data = np.arange(7, 39, dtype=np.uint32)
    (_, out), _ = both(body, [data, np.zeros(32, np.uint32)], 32, 1, check="fast", async_=async_)
    assert (out == (data if async_ == "eager" else 0xFFFF_FFFF)).all()


# -- turns ----------------------------------------------------------------------------------------------------


@pytest.mark.sample(1)
@pytest.mark.parametrize("between", ["", "fma.rz.f64 %fd1, %fd1, %fd1, %fd1;"])
@pytest.mark.parametrize("rounds", [3, 40, 700])
def test_ctas_that_take_turns(rounds: int, between: str) -> None:
    """For longer than hangs take to be found, inside of code or with an instruction that only NumPy has."""
    body = f"""{OWN} mov.u32 %r3, %ctaid.x; mov.u32 %r8, 0; mov.f64 %fd1, 0d0000000000000000;
    next: ld.acquire.gpu.global.u32 %r4, [%rd0]; and.b32 %r5, %r4, 1; setp.ne.u32 %p0, %r5, %r3; @%p0 bra next; {between}
    add.u32 %r4, %r4, 1; st.release.gpu.global.u32 [%rd0], %r4; add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, {rounds}; @%p1 bra next; ret;"""
    for engine in ENGINES:
        out = np.zeros(4, np.uint32)
        launch(body, [out], 1, 2, target="sm_90", check="fast", engine=engine)
        assert out[0] == 2 * rounds


@pytest.mark.parametrize("threads", ["1", "3"])
def test_parts_of_a_batch_count_together(threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lanes that leave code at several places, in CTAs that several threads of this process run, with the last batch smaller."""
    monkeypatch.setenv("WEFT_THREADS", threads)
    body = f"""{OWN} mov.f64 %fd1, 0d3FF0000000000000; and.b32 %r4, %r0, 3; setp.eq.u32 %p0, %r4, 0; @%p0 bra one; setp.eq.u32 %p0, %r4, 1;
    @%p0 exit; fma.rz.f64 %fd1, %fd1, %fd1, %fd1; add.u32 %r4, %r4, 10; bra put; one: fma.rz.f64 %fd1, %fd1, %fd1, 0d4000000000000000;
    put: cvt.rzi.u32.f64 %r5, %fd1; mad.lo.u32 %r5, %r5, 100, %r4; st.global.u32 [%rd1], %r5; ret;"""
    (out,), result = both(body, [np.full(64 * 201, 7, np.uint32)], 64, 201, check="fast", resident=64 * 160)
    assert (out.reshape(-1, 4) == [300, 7, 212, 213]).all()
    assert result.bytes_stored["global"] == 3 * 4 * 16 * 201
    assert result.instructions["exit"] == 16 * 201
    assert result.instructions["fma"] == 48 * 201


def test_the_same_kernel_on_other_memory() -> None:
    """One that stays bound: buffers of other sizes, elsewhere, some of which are read only in the second launch."""
    body = f"""{OWN} ld.param.u64 %rd2, [p1]; mad.wide.u32 %rd2, %r0, 4, %rd2; ld.global.u32 %r4, [%rd1]; add.u32 %r4, %r4, 1;
    st.global.u32 [%rd2], %r4; ret;"""
    module = kernel(REGISTERS + body, ["u64", "u64"], "sm_90")
    for check in ("fast", "strict", "fast"):
        for count in (64, 640, 192):
            one, other = np.arange(count, dtype=np.uint32), np.zeros(count, np.uint32)
            run(module, "k", count // 64, 64, [one, other], engine="native", check=check)
            run(module, "k", count // 64, 64, [other, one], engine="native", check=check)
            assert (one == np.arange(count) + 2).all()
            assert (other == np.arange(count) + 1).all()
    with pytest.raises(weft.sim.KernelFault, match=r"\b64\b|outside|past"):
        run(module, "k", 2, 64, [np.zeros(64, np.uint32)] * 2, engine="native", check="fast")


@pytest.mark.sample(2)
@pytest.mark.parametrize("check", ["fast", "strict"])
@pytest.mark.parametrize(
    ("type_", "count"), [("u8", 1), ("u32", 1), ("u64", 1), ("u32", 2), ("u16", 4), ("u32", 4), ("u64", 2)]
)
def test_generic_addresses_of_several_spaces(type_: str, count: int, check: str, calls: list[int]) -> None:
    """Lanes of one instruction load from, and store to, global, shared and local memory, without leaving code."""
    bits = int(type_[1:])
    size, register = bits // 8 * count, {8: "%rs", 16: "%rs", 32: "%r1", 64: "%rd1"}[bits]
    names = [f"{register}{n}" for n in range(count)]
    listed = f"{{{', '.join(names)}}}" if count > 1 else names[0]
    vector = f".v{count}" if count > 1 else ""
    more = "".join(f"add.{'u16' if bits < 32 else type_} {name}, {name}, {n + 1};" for n, name in enumerate(names))
    body = f""".shared .align 16 .b8 tile[{32 * size}]; .local .align 16 .b8 mine[{size}]; {OWN} mul.wide.u32 %rd2, %r2, {size};
    add.u64 %rd3, %rd0, %rd2; ld.global{vector}.{type_} {listed}, [%rd3]; mov.u32 %r3, tile; cvt.u32.u64 %r4, %rd2; add.u32 %r3, %r3, %r4;
    st.shared{vector}.{type_} [%r3], {listed}; st.local{vector}.{type_} [mine], {listed}; cvt.u64.u32 %rd4, %r3; cvta.shared.u64 %rd4, %rd4;
    mov.u64 %rd5, mine; cvta.local.u64 %rd5, %rd5; rem.u32 %r5, %r2, 3; setp.eq.u32 %p1, %r5, 0; selp.b64 %rd6, %rd4, %rd5, %p1;
    setp.eq.u32 %p1, %r5, 1; selp.b64 %rd6, %rd3, %rd6, %p1; setp.ne.u32 %p2, %r2, 7; @%p2 ld{vector}.{type_} {listed}, [%rd6]; {more}
    @%p2 st{vector}.{type_} [%rd6], {listed}; @%p2 ld{vector}.{type_} {listed}, [%rd6]; st.global{vector}.{type_} [%rd3], {listed}; ret;"""
    data = np.random.default_rng(1).integers(0, 256, 32 * size).astype(np.uint8)
    (out,), _ = both(body, [data], 32, 1, check=check)
    word = np.dtype(f"u{bits // 8}")
    wanted = data.view(word).reshape(32, count) + np.arange(1, count + 1).astype(word)
    assert (out.view(word).reshape(32, count) == wanted).all()
    assert len(calls) == 1
