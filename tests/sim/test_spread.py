"""A grid over an executor: the same arrays as without one, or a refusal; never something else."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.harness import INDEX, REGISTERS, kernel, launch
from weft.ptx.ast import Module
from weft.sim import KernelFault, SimulationError, run
from weft.sim.prepare import Prepared

FOLDER = Path(__file__).with_name("kernels")


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        yield executor


@pytest.fixture(scope="module", params=["threads", "processes"])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    if request.param == "processes":
        yield request.getfixturevalue("processes")
        return
    with ThreadPoolExecutor(2) as threads:
        yield threads


@pytest.fixture(scope="module")
def nvcc() -> Module:
    return weft.parse((FOLDER / "nvcc_sm_80.ptx").read_text())


def test_stores_of_all_chunks(executor: Executor, nvcc: Module) -> None:
    x, y = np.random.default_rng(0).random((2, 5000), np.float32)
    want = y.copy()
    alone = run(nvcc, "saxpy", 20, 256, [5000, 2.5, x, want], counters=True)
    done: list[tuple[int, int]] = []
    result = run(
        *(nvcc, "saxpy", 20, 256, [5000, 2.5, x, y]),
        executor=executor,
        chunks=3,
        counters=True,
        progress=lambda *now: done.append(now),
    )
    assert (y == want).all()
    assert result.instructions == alone.instructions
    assert result.bytes_stored == alone.bytes_stored
    assert result.counters is not None
    assert alone.counters is not None
    assert result.counters.to_json() == alone.counters.to_json()
    assert [now[0] for now in done] == sorted(now[0] for now in done)
    assert done[-1] == (20, 20)


@pytest.mark.sample(5)
@pytest.mark.parametrize("operation", ["add", "min", "max", "and", "or", "xor", "inc"])
def test_atomics_whose_result_is_not_used(operation: str, executor: Executor) -> None:
    start = np.arange(1, 9, dtype=np.uint32) * 1000003
    body = (
        INDEX
        + f"""ld.param.u64 %rd1, [p0]; and.b32 %r1, %r0, 7; mad.wide.u32 %rd1, %r1, 4, %rd1;
    mad.lo.u32 %r2, %r0, 2654435761, 12345; atom.global.{operation}.TYPE %r3, [%rd1], %r2; ret;""".replace(
            "TYPE", "b32" if operation in ("and", "or", "xor") else "u32"
        )
    )
    want, out = start.copy(), start.copy()
    launch(body, [want], 64, 6)
    launch(body, [out], 64, 6, executor=executor, chunks=4)
    if operation != "inc":
        assert (out == want).all()
        return
    body = body.replace("mad.lo.u32 %r2, %r0, 2654435761, 12345", "mov.u32 %r2, 4")
    want, out = np.zeros(8, np.uint32), np.zeros(8, np.uint32)
    launch(body, [want], 64, 6)
    launch(body, [out], 64, 6, executor=executor, chunks=4)
    assert (out == want).all()
    assert (out == 384 // 8 % 5).all()


@pytest.mark.sample(1)
def test_float_sums(executor: Executor, nvcc: Module) -> None:
    x, out = np.random.default_rng(1).random(20_000, np.float32), np.full(1, 1e30, np.float32)
    run(nvcc, "reduce", 8, 256, [x, out, x.size], executor=executor, chunks=2)
    assert out[0] == np.float32(1e30)
    out[0] = 3
    run(nvcc, "reduce", 8, 256, [x, out, x.size], executor=executor, chunks=2)
    assert abs(out[0] / (3 + x.sum(dtype=np.float64)) - 1) < 1e-5


def refused(body: str, message: str, executor: Executor, block: int = 32, **more: Any) -> None:
    out = np.zeros(64, np.uint32)
    with pytest.raises(SimulationError, match=message):
        launch(body, [out], block, 4, executor=executor, chunks=2, **more)
    assert (out == 0).all()
    launch(body, [out], block, 4, executor=executor, chunks=1, **more)
    assert out.any()


STORE = INDEX + "ld.param.u64 %rd1, [p0];"


def test_what_cannot_be_put_together_is_refused(processes: Executor) -> None:
    differs = STORE + "st.global.u32 [%rd1+8], %r100; ret;"
    refused(differs, "store different values at offset 8 of argument p0", processes, check="fast")
    tickets = (
        STORE + "atom.global.add.u32 %r1, [%rd1], 1; mad.wide.u32 %rd2, %r1, 4, %rd1; st.global.u32 [%rd2+4], %r0;"
    )
    refused(tickets + "ret;", "use results of atomics", processes, block=1)
    both = STORE + "setp.eq.u32 %p1, %r0, 0; @%p1 st.global.u32 [%rd1], 7; red.global.add.u32 [%rd1], 1; ret;"
    refused(both, "use results of atomics", processes, check="fast")


def test_surfaces_are_refused(processes: Executor) -> None:
    text = """.reg .b64 %s; ld.param.u64 %s, [p0]; mov.u32 %r1, %tid.x; sust.b.1d.b32.trap [%s, {%r1}], {%r1}; ret;"""
    surface = weft.Surface(np.zeros(32, np.uint32))
    with pytest.raises(SimulationError, match=r"'sust\.b\.1d.*cannot be merged"):
        run(kernel(REGISTERS + text, ["u64"]), "k", 2, 8, [surface], executor=processes, chunks=2)


def test_updates_that_are_not_noted_cannot_be_put_together() -> None:
    """Bulk reductions change bytes that other chunks change; of tensors and surfaces nobody knows which bytes they are."""
    start = (
        INDEX
        + ".shared .align 16 .b8 s[16]; ld.param.u64 %rd1, [p0]; setp.ne.u32 %p1, %r102, 0; @%p1 ret; st.shared.v4.u32 [s], {1, 2, 3, 4}; fence.proxy.async;"
    )
    end = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;"
    bulk = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [s], 16;"
    tensor = "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group [%rd1, {%r102}], [s];"
    surface = "sured.b.add.1d.u32.trap [%rd1, {%r102}], %r102;"

    def run_in_chunks(body: str, value: Any, chunks: int) -> None:
        with ThreadPoolExecutor(1) as threads:
            run(
                kernel(REGISTERS + start + body + end, ["u64"], "sm_90"),
                "k",
                2,
                32,
                [value],
                executor=threads,
                chunks=chunks,
            )

    out = np.zeros(8, np.uint32)
    with pytest.raises(SimulationError, match="use results of atomics at offset 0 of argument p0"):
        run_in_chunks(bulk, out, 2)
    assert not out.any()
    run_in_chunks(bulk, out, 1)
    assert out.tolist() == [2, 4, 6, 8, 0, 0, 0, 0]
    image = np.zeros((1, 4), np.uint32)
    for body, value, opcode in (
        (tensor, weft.TensorMap(np.zeros(4, np.uint32), (4,)), "cp.reduce.async.bulk.tensor.1d"),
        (surface, weft.Surface(image[0]), "sured.b.add.1d"),
    ):
        for chunks in (1, 2):
            with pytest.raises(SimulationError, match=f"the effects of '{opcode}") as caught:
                run_in_chunks(body, value, chunks)
            assert caught.value.hint == "run the kernel without an executor"


def test_same_values_may_be_stored_by_all(processes: Executor) -> None:
    out = np.zeros(64, np.uint32)
    launch(STORE + "st.global.u32 [%rd1+4], 9; ret;", [out], 32, 4, executor=processes, chunks=2)
    assert out.tolist() == [0, 9] + [0] * 62


def test_a_cta_that_waits_for_another_chunk() -> None:
    body = (
        STORE
        + """setp.eq.u32 %p1, %r100, 0; @%p1 st.release.gpu.global.u32 [%rd1], 1; @%p1 ret;
    again: ld.acquire.gpu.global.u32 %r1, [%rd1]; setp.eq.u32 %p2, %r1, 0; @%p2 bra again; ret;"""
    )
    with ThreadPoolExecutor(2) as threads, pytest.raises(KernelFault, match="a CTA cannot wait") as caught:
        launch(body, [np.zeros(4, np.uint32)], 32, 2, executor=threads, check="fast")
    assert caught.value.kind == "deadlock"
    alone = STORE + "again: ld.acquire.gpu.global.u32 %r1, [%rd1]; setp.eq.u32 %p2, %r1, 0; @%p2 bra again; ret;"
    for chunks, other in ((1, False), (2, True)):
        with ThreadPoolExecutor(1) as threads, pytest.raises(KernelFault) as caught:
            launch(alone, [np.zeros(4, np.uint32)], 32, 2, executor=threads, check="fast", chunks=chunks)
        assert ("a CTA cannot wait for one of another chunk" in caught.value.hint) == other


@pytest.mark.parametrize("type_", ["u32", "u64", "s64"])
def test_updates_of_words_of_any_width_are_put_together(type_: str) -> None:
    """Whether they are reductions or atomics at whose results nobody looks; of what was stored besides nothing is lost."""
    size = int(type_[1:]) // 8
    dtype, register = np.dtype(f"u{size}"), {4: "%r2", 8: "%rd3"}[size]
    body = (
        STORE
        + f"""cvt.u64.u32 %rd3, %r0; add.u32 %r2, %r0, 0; and.b32 %r1, %r0, 3; mad.wide.u32 %rd2, %r1, {size}, %rd1; red.global.{{}}.{type_} [%rd2], {register};
atom.global.{{}}.{type_} _, [%rd2+{4 * size}], {register}; mad.wide.u32 %rd2, %r0, {size}, %rd1; st.global.u32 [%rd2+{8 * size}], %r0; ret;"""
    )
    for op in {"u32": ("add",), "u64": ("add", "max"), "s64": ("min",)}[type_]:
        out, want = (np.full(8 + 128, 50, dtype) for _ in range(2))
        with ThreadPoolExecutor(1) as threads:
            launch(body.format(op, op), [out], 32, 4, executor=threads, chunks=3)
        launch(body.format(op, op), [want], 32, 4)
        assert (out == want).all()
        combined = {"max": max, "min": min, "add": lambda *each: sum(each)}[op]
        assert out[:8].tolist() == [combined(50, *range(n % 4, 128, 4)) for n in range(8)]


def test_read_only_and_shared_arrays(processes: Executor) -> None:
    text = (
        STORE
        + """ld.param.u64 %rd2, [p1]; mad.wide.u32 %rd1, %r0, 4, %rd1; mad.wide.u32 %rd2, %r0, 4, %rd2;
    ld.global.u32 %r1, [%rd1]; add.u32 %r1, %r1, 5; st.global.u32 [%rd2], %r1; ret;"""
    )
    module = kernel(REGISTERS + text, ["u64", "u64"])
    a, b = np.arange(64, dtype=np.uint32), np.zeros(64, np.uint32)
    a.flags.writeable = False
    run(module, "k", 2, 32, [a, b], executor=processes, chunks=2)
    assert (b == a + 5).all()
    with pytest.raises(KernelFault) as caught:
        run(module, "k", 2, 32, [b, a], executor=processes, chunks=2)
    assert caught.value.kind == "read-only"
    run(module, "k", 2, 32, [b, b], executor=processes, chunks=2)
    assert (b == a + 10).all()
    with pytest.raises(SimulationError, match="share memory"):
        run(module, "k", 2, 32, [b, b[:]], executor=processes, chunks=2)


def test_faults_come_back_whole(processes: Executor) -> None:
    text = REGISTERS + STORE + "\nmad.wide.u32 %rd1, %r0, 4, %rd1;\nst.global.u32 [%rd1], 1; ret;"
    module = kernel(text, ["u64"])
    with pytest.raises(KernelFault) as alone:
        run(module, "k", 4, 32, [np.zeros(100, np.uint32)])
    with pytest.raises(KernelFault) as spread:
        run(module, "k", 4, 32, [np.zeros(100, np.uint32)], executor=processes, chunks=2)
    for fault in (spread.value, pickle.loads(pickle.dumps(alone.value))):
        assert str(fault) == str(alone.value)
        assert (fault.kind, fault.thread, fault.address) == (
            alone.value.kind,
            alone.value.thread,
            alone.value.address,
        )


@pytest.mark.slow
def test_clusters_stay_together(processes: Executor) -> None:
    body = (
        STORE
        + """.shared .align 4 .b8 s[4]; setp.eq.u32 %p1, %r102, 0; @%p1 st.shared.u32 [s], %r100;
    barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; mov.u32 %r1, %cluster_ctarank; xor.b32 %r1, %r1, 1;
    mov.u32 %r2, s; mapa.shared::cluster.u32 %r2, %r2, %r1; ld.shared::cluster.u32 %r3, [%r2];
    mad.wide.u32 %rd2, %r0, 4, %rd1; st.global.u32 [%rd2], %r3;
    barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; ret;"""
    )
    out = np.zeros((6, 32), np.uint32)
    launch(body, [out], 32, 6, target="sm_90", cluster=2, executor=processes, chunks=2)
    assert out[:, 0].tolist() == [1, 0, 3, 2, 5, 4]


@pytest.mark.slow
def test_random_completion_depends_on_the_seed_only(processes: Executor) -> None:
    copy = """.shared .align 16 .b8 s[512]; ld.param.u64 %rd1, [p0]; mov.u32 %r1, s; mad.lo.u32 %r1, %r102, 16, %r1;
    cp.async.cg.shared.global [%r1], [%rd1], 16; ld.shared.u32 %r2, [%r1]; mad.wide.u32 %rd2, %r0, 4, %rd1;
    st.global.u32 [%rd2+16], %r2; cp.async.wait_all; ret;"""

    def once(seed: int) -> Any:
        out = np.arange(132, dtype=np.uint32)
        launch(INDEX + copy, [out], 32, 4, executor=processes, chunks=2, async_="random", check="fast", seed=seed)
        return out.tolist()

    assert once(1) == once(1)
    assert once(1) != once(2)


def test_a_worker_has_room_for_the_ctas_of_its_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more of them run together than it was given, whole clusters also."""
    rooms: list[tuple[int, int]] = []

    class Noted(Prepared):
        def execute_some(self, first: int, last: int, progress: Any = None) -> None:
            rooms.append((last - first, self.batch))
            super().execute_some(first, last, progress)

    monkeypatch.setattr("weft.sim.spread.Prepared", Noted)
    body = STORE + "mad.wide.u32 %rd1, %r0, 4, %rd1; st.global.u32 [%rd1], %r0; ret;"
    for ctas, chunks, cluster in ((12, 3, 1), (12, 5, 1), (12, 3, 2), (10, 10, 1), (10, 1, 1)):
        rooms.clear()
        out = np.zeros(32 * ctas, np.uint32)
        with ThreadPoolExecutor(1) as threads:
            launch(body, [out], 32, ctas, target="sm_90", executor=threads, chunks=chunks, cluster=cluster)
        assert (out == np.arange(32 * ctas)).all()
        assert len(rooms) == chunks and sum(count for count, _ in rooms) == ctas
        assert all(count == room for count, room in rooms), rooms
