"""Kernels that lack a wait or a fence: right by luck when copies and products complete at once, caught when they are late.

Each stands beside its twin that has the wait, which runs clean whatever the moment of completion.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.sim.harness import INDEX, Array, launch
from weft.sim import Async, KernelFault

POLICIES: tuple[Async, ...] = ("eager", "lazy", "random")


def check(
    text: str, right: dict[str, str], wrong: dict[str, str], kinds: set[str], arguments: Any, want: Any, **more: Any
) -> None:
    """`text` with `right` filled in is clean; with `wrong` eager completion hides what lazy completion shows."""
    for policy in POLICIES:
        given = arguments()
        launch(text.format(**right), given, async_=policy, **more)
        assert want(*given), policy
    given = arguments()
    launch(text.format(**right | wrong), given, check="fast", async_="eager", **more)
    assert want(*given)
    with pytest.raises(KernelFault) as caught:
        launch(text.format(**right | wrong), arguments(), async_="lazy", **more)
    assert caught.value.kind in kinds
    assert caught.value.position.line > 0
    assert caught.value.hint or caught.value.kind == "deadlock"


def copied() -> list[Array]:
    return [np.arange(128, dtype=np.uint32), np.zeros(128, np.uint32)]


def same(a: Array, out: Array) -> bool:
    return bool((a == out).all())


START = (
    """.shared .align 128 .b8 s[512]; .shared .align 8 .b8 bar[16]; .shared .align 16 .b8 t[512];"""
    + INDEX
    + """ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd3, %r0, 16, %rd1; mad.wide.u32 %rd4, %r0, 16, %rd2;
    mov.u32 %r2, s; mad.lo.u32 %r2, %r0, 16, %r2; setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [bar], {arrivals};
    @%p1 mbarrier.init.shared.b64 [bar+8], 1; fence.proxy.async; bar.sync 0;
    """
)
END = "ld.shared.v4.u32 {{%r10, %r11, %r12, %r13}}, [%r2]; st.global.v4.u32 [%rd4], {{%r10, %r11, %r12, %r13}}; ret;"
WAIT = "wait: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra wait;"

SMALL_COPIES = (
    START
    + """cp.async.cg.shared.global [%r2], [%rd3], 16; cp.async.commit_group;
    mov.u32 %r3, t; mad.lo.u32 %r3, %r0, 16, %r3; cp.async.cg.shared.global [%r3], [%rd3], 16; cp.async.commit_group; {wait} bar.sync 0;"""
    + END
)


@pytest.mark.parametrize("wait", ["cp.async.wait_group 2;", ""])
def test_wait_for_too_few_groups(wait: str) -> None:
    right = {"wait": "cp.async.wait_group 1;", "arrivals": "1"}
    check(SMALL_COPIES, right, {"wait": wait}, {"asynchronous-read"}, copied, same)


SIGNALLED = (
    START + "cp.async.cg.shared.global [%r2], [%rd3], 16; cp.async.mbarrier.arrive.noinc.shared.b64 [bar]; {wait}" + END
)


def test_copies_that_arrive_at_an_mbarrier() -> None:
    check(
        SIGNALLED, {"wait": WAIT, "arrivals": "32"}, {"wait": ""}, {"asynchronous-read"}, copied, same, target="sm_90"
    )


BULK = (
    START
    + """@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 512;
    @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd1], 512, [bar]; {wait}"""
    + END
)


@pytest.mark.parametrize("wait", ["bar.sync 0;", WAIT.replace("[bar], 0", "[bar+8], 1")])
def test_bulk_copy_without_its_wait(wait: str) -> None:
    """No wait, and one at another barrier, for the phase before its first."""
    check(BULK, {"wait": WAIT, "arrivals": "1"}, {"wait": wait}, {"asynchronous-read"}, copied, same, target="sm_90")


STORE = (
    START
    + """ld.global.v4.u32 {{%r10, %r11, %r12, %r13}}, [%rd3]; st.shared.v4.u32 [%r2], {{%r10, %r11, %r12, %r13}}; {fence} bar.sync 0;
    @%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [s], 512; {commit} {wait} bar.sync 0;
    mov.u32 %r14, 0; st.shared.v4.u32 [%r2], {{%r14, %r14, %r14, %r14}}; ret;"""
)
STORED = {
    "wait": "cp.async.bulk.wait_group.read 0;",
    "commit": "cp.async.bulk.commit_group;",
    "fence": "fence.proxy.async;",
    "arrivals": "1",
}


@pytest.mark.parametrize("wrong", [{"wait": ""}, {"wait": "cp.async.bulk.wait_group.read 1;"}, {"commit": ""}])
def test_source_of_a_bulk_store_that_is_reused(wrong: dict[str, str]) -> None:
    check(STORE, STORED, wrong, {"asynchronous-write"}, copied, same, target="sm_90")
    a, out = copied()
    launch(STORE.format(**STORED | wrong), [a, out], target="sm_90", async_="lazy", check="fast")
    assert (out == 0).all()


@pytest.mark.parametrize("fence", ["", "fence.proxy.async.global;", "fence.acq_rel.cta;"])
def test_bulk_store_without_a_proxy_fence(fence: str) -> None:
    check(STORE, STORED, {"fence": fence}, {"proxy-fence"}, copied, same, target="sm_90")


@pytest.mark.slow
def test_proxy_fence_by_the_thread_that_starts_the_copy() -> None:
    text = STORE.replace("{fence} bar.sync 0;", "bar.sync 0; {fence}")
    check(text, STORED, {"fence": ""}, {"proxy-fence"}, copied, same, target="sm_90")


def test_kernel_that_ends_too_early() -> None:
    text = STORE.replace("mov.u32 %r14, 0; st.shared.v4.u32 [%r2], {{%r14, %r14, %r14, %r14}};", "")
    check(text, STORED, {"wait": ""}, {"asynchronous-exit"}, copied, same, target="sm_90")
    check(BULK.replace(END, "ret;"), {"wait": WAIT, "arrivals": "1"}, {"wait": "bar.sync 0;"}, {"asynchronous-exit"},
          copied, lambda a, out: not out.any(), target="sm_90")  # fmt: skip


def test_destination_of_a_bulk_store_that_is_read_too_early() -> None:
    """`wait_group.read` says nothing about the destination: lazily the kernel reads what was there before."""
    text = STORE.replace(
        "{wait} bar.sync 0;", "{wait} bar.sync 0; ld.global.u32 %r20, [%rd4]; st.global.u32 [%rd3], %r20; bar.sync 0;"
    )
    for wait, policy, right in (
        ("cp.async.bulk.wait_group 0;", "lazy", True),
        (STORED["wait"], "eager", True),
        (STORED["wait"], "lazy", False),
    ):
        a, out = copied()
        launch(text.format(**STORED | {"wait": wait}), [a, out], target="sm_90", async_=policy, check="fast")
        assert (a[::4] == np.arange(0, 128, 4)).all() == right


REMOTE = (
    START
    + """mov.u32 %r3, %cluster_ctarank; xor.b32 %r4, %r3, 1; mov.u32 %r5, s; mapa.shared::cluster.u32 %r6, %r5, %r4; mov.u32 %r7, bar;
    mapa.shared::cluster.u32 %r8, %r7, %r4; @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 128; barrier.cluster.arrive; barrier.cluster.wait;
    mad.lo.u32 %r6, %r1, 4, %r6; st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r6], %r0, [%r8]; {wait}
    mad.lo.u32 %r5, %r1, 4, %r5; ld.shared.u32 %r9, [%r5]; mad.wide.u32 %rd5, %r0, 4, %rd2; st.global.u32 [%rd5], %r9;
    barrier.cluster.arrive; barrier.cluster.wait; ret;"""
)


def test_asynchronous_store_without_its_wait() -> None:
    right = {"wait": WAIT.replace("parity.", "parity.acquire.cluster."), "arrivals": "1"}
    check(REMOTE, right, {"wait": "barrier.cluster.arrive; barrier.cluster.wait;"}, {"asynchronous-read"}, copied,
          lambda a, out: (out[:64] == np.arange(64) ^ 32).all(), target="sm_90", block=32, grid=2, cluster=2)  # fmt: skip


# -- wgmma --------------------------------------------------------------------------------------------------------


def cores(matrix: Array) -> Array:
    """Rows by 16 halves as core matrices of 8 rows by 16 bytes, those of one group of rows side by side."""
    return matrix.reshape(-1, 8, 2, 8).transpose(0, 2, 1, 3).reshape(-1)


RNG = np.random.default_rng(5)
A, B = RNG.integers(-4, 5, (64, 16)).astype(np.float16), RNG.integers(-4, 5, (8, 16)).astype(np.float16)
DESCRIPTOR = 128 >> 4 << 16 | 256 >> 4 << 32
MMA = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{%f0, %f1, %f2, %f3}}, {a}, %rd6, 1, 1, 1{trans_a}, 0;"
PRODUCT = f""".shared .align 128 .b8 s[2304]; {INDEX} ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1];
    ld.param.u64 %rd8, [p2]; mov.u32 %r1, s; mad.lo.u32 %r2, %r0, 16, %r1; mad.wide.u32 %rd3, %r0, 16, %rd1; mad.wide.u32 %rd7, %r0, 16, %rd8;
    ld.global.v4.u32 {{{{%r10, %r11, %r12, %r13}}}}, [%rd3]; st.shared.v4.u32 [%r2], {{{{%r10, %r11, %r12, %r13}}}}; setp.lt.u32 %p1, %r0, 16;
    @%p1 ld.global.v4.u32 {{{{%r10, %r11, %r12, %r13}}}}, [%rd3+2048]; @%p1 st.shared.v4.u32 [%r2+2048], {{{{%r10, %r11, %r12, %r13}}}};
    {{proxy}} bar.sync 0; ld.global.v4.u32 {{{{%r20, %r21, %r22, %r23}}}}, [%rd7];
    mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;
    mov.u64 %rd5, {DESCRIPTOR}; mov.u64 %rd6, {DESCRIPTOR | 2048 >> 4};
    {{fence}} {MMA} {{commit}} {{between}} {{wait}} {{after}}
    mad.wide.u32 %rd2, %r0, 16, %rd2; st.global.v4.f32 [%rd2], {{{{%f0, %f1, %f2, %f3}}}}; ret;"""
GOOD = {
    "proxy": "fence.proxy.async;", "fence": "wgmma.fence.sync.aligned;", "commit": "wgmma.commit_group.sync.aligned;", "between": "",
    "wait": "wgmma.wait_group.sync.aligned 0;", "after": "", "a": "%rd5", "trans_a": ", 0",
}  # fmt: skip
REGISTERS = {"a": "{%r20, %r21, %r22, %r23}", "trans_a": ""}


def places() -> tuple[Array, Array]:
    thread, index = np.meshgrid(np.arange(128), np.arange(4), indexing="ij")
    return 16 * (thread // 32) + thread % 32 // 4 + 8 * (index // 2), 2 * (thread % 4) + index % 2


def matrices() -> list[Array]:
    fragment = np.zeros((128, 4, 2), np.float16)
    for t in range(128):
        for r in range(4):
            row, column = 16 * (t // 32) + t % 32 // 4 + 8 * (r % 2), 2 * (t % 4) + 8 * (r // 2)
            fragment[t, r] = A[row, column : column + 2]
    return [np.concatenate([cores(A), cores(B)]), np.zeros((128, 4), np.float32), fragment]


def multiplied(data: Array, out: Array, fragment: Array) -> bool:
    return bool((out == (A.astype(np.float64) @ B.astype(np.float64).T)[places()]).all())


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("wrong", "kinds"),
    [
        ({"wait": ""}, {"asynchronous-read"}),
        ({"wait": "wgmma.wait_group.sync.aligned 1;"}, {"asynchronous-read"}),
        ({"commit": ""}, {"asynchronous-read"}),
        ({"between": "add.f32 %f5, %f1, %f1;"}, {"asynchronous-read"}),
        ({"between": "mov.f32 %f6, %f1; add.f32 %f5, %f6, %f6;"}, {"asynchronous-read"}),
        ({"between": "st.shared.u32 [%r2], 0;"}, {"asynchronous-write"}),
        ({"proxy": ""}, {"proxy-fence"}),
        ({"fence": ""}, {"wgmma-fence"}),
    ],
)
def test_products(wrong: dict[str, str], kinds: set[str]) -> None:
    """No wait, one for too few groups, no group; accumulators and operands used before it; no fences."""
    check(PRODUCT, GOOD, wrong, kinds, matrices, multiplied, target="sm_90a", block=128)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("wrong", "kinds"),
    [
        ({"between": "mov.b32 %r20, 0;"}, {"asynchronous-write"}),
        ({"fence": "wgmma.fence.sync.aligned; and.b32 %r20, %r20, -1;"}, {"wgmma-fence"}),
        ({"fence": "wgmma.fence.sync.aligned; add.f32 %f0, %f0, 0f00000000;"}, {"wgmma-fence"}),
        ({"fence": "wgmma.fence.sync.aligned; mov.f32 %f0, 0f80000000;"}, {"wgmma-fence"}),
        ({"fence": "wgmma.fence.sync.aligned; add.f32 %f0, %f0, 0f00000000; mov.b32 %f0, %f0;"}, {"wgmma-fence"}),
    ],
)
def test_products_with_a_in_registers(wrong: dict[str, str], kinds: set[str]) -> None:
    check(PRODUCT, GOOD | REGISTERS, wrong, kinds, matrices, multiplied, target="sm_90a", block=128)


def test_products_of_copies() -> None:
    """LLVM places copies and constants behind the fence, ptxas before it: they are no writes."""
    again = "mov.f32 %f9, 0f00000000; mov.f32 %f9, 0f00000000; mov.b32 %f0, %f9;"
    for copies in ("mov.b32 %r20, %r20;", "mov.f32 %f9, 0f00000000; mov.b32 %f0, %f9;", again):
        given = matrices()
        fill = GOOD | REGISTERS | {"fence": "wgmma.fence.sync.aligned; " + copies}
        launch(PRODUCT.format(**fill), given, target="sm_90a", block=128)
        assert multiplied(*given)


@pytest.mark.parametrize(
    "fill",
    [
        {"between": "mov.f32 %f9, %f1;", "after": "mov.f32 %f1, %f9;"},
        {"after": "st.shared.u32 [%r2], 0; mov.b32 %r20, 0;"},
        {"commit": MMA.format(**GOOD) + "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1;",
         "after": "mul.f32 %f0, %f0, 0f3F000000; mul.f32 %f1, %f1, 0f3F000000; mul.f32 %f2, %f2, 0f3F000000; mul.f32 %f3, %f3, 0f3F000000;"},
    ],
)  # fmt: skip
def test_what_products_allow(fill: dict[str, str]) -> None:
    """Copies of accumulators, changes after the wait, products that add to the same accumulators."""
    for policy in POLICIES:
        given = matrices()
        launch(PRODUCT.format(**GOOD | fill), given, async_=policy, target="sm_90a", block=128)
        assert multiplied(*given)
    given = matrices()
    launch(PRODUCT.format(**GOOD | {"wait": ""}), given, async_="lazy", check="fast", target="sm_90a", block=128)
    assert np.isnan(given[1]).all()


def test_products_that_are_never_waited_for() -> None:
    """They end with their CTAs; the CTAs that run later start anew."""
    text = PRODUCT.split("mad.wide.u32 %rd2, %r0, 16, %rd2;")[0].format(**GOOD | {"wait": "", "commit": ""}) + "ret;"
    launch(
        text.replace(INDEX, INDEX + "mov.u32 %r0, %r102;"),
        matrices(),
        async_="lazy",
        target="sm_90a",
        block=128,
        grid=160,
    )
