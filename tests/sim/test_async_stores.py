"""Asynchronous stores and reductions: of byte ranges and single values, into clusters and through multicast addresses."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import weft
from tests.sim.harness import INDEX, Array, kernel, launch
from weft.sim import Async, KernelFault, run

POLICIES = pytest.mark.parametrize("policy", ["eager", "lazy", "random"])
WAIT = "again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p9, [bar], 0; @!%p9 bra again;"
PAIR = (
    """.shared .align 16 .b8 s[1024]; .shared .align 16 .b8 t[1024]; .shared .align 8 .b8 bar[8]; .reg .b128 %q<2>;"""
    + INDEX
    + """ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mov.u32 %r1, %tid.x; mov.u32 %r2, %cluster_ctarank;
    mov.u32 %r3, s; mad.lo.u32 %r3, %r1, 4, %r3; mov.u32 %r4, t; mad.lo.u32 %r4, %r1, 4, %r4; mad.wide.u32 %rd3, %r0, 4, %rd1;
    ld.global.u32 %r5, [%rd3]; st.shared.u32 [%r3], %r5; mad.wide.u32 %rd4, %r0, 4, %rd2; ld.global.u32 %r6, [%rd4]; st.shared.u32 [%r4], %r6;
    xor.b32 %r7, %r2, 1; mov.u32 %r8, t; mapa.shared::cluster.u32 %r8, %r8, %r7; mov.u32 %r9, bar; mapa.shared::cluster.u32 %r9, %r9, %r7;
    setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [bar], 1; @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], {bytes};
    fence.proxy.async; barrier.cluster.arrive; barrier.cluster.wait; {start}
    """
    + WAIT
    + """ld.shared.u32 %r10, [%r4]; st.global.u32 [%rd4], %r10; barrier.cluster.arrive; barrier.cluster.wait; ret;"""
)
"""Two CTAs: each has a line of p0 in `s` and one of p1 in `t`; what the other starts ends in `t`, and goes to p1."""


def exchange(start: str, source: Array, target: Array, size: int = 256, policy: Async = "eager") -> Array:
    target = target.copy()
    body = PAIR.format(bytes=size, start=start)
    launch(
        body,
        [source.view(np.uint32), target.view(np.uint32)],
        block=64,
        grid=2,
        cluster=2,
        target="sm_100a",
        async_=policy,
    )
    return target


def words(seed: int, dtype: Any = np.uint32) -> Array:
    return np.random.default_rng(seed).integers(1, 100, 512, np.uint8).view(dtype).reshape(2, -1)


@POLICIES
def test_copies_to_the_other_cta(policy: Async) -> None:
    a, b = words(0), words(1)
    copy = "@%p1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r8+128], [s], 128, [%r9];"
    want = b.copy()
    want[:, 32:] = a[::-1, :32]
    assert (exchange(copy, a, b, 128, policy) == want).all()


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("op", "dtype", "combine"),
    [
        ("add.u32", np.uint32, np.add),
        ("add.s32", np.int32, np.add),
        ("add.u64", np.uint64, np.add),
        ("min.s32", np.int32, np.minimum),
        ("max.u32", np.uint32, np.maximum),
        ("and.b32", np.uint32, np.bitwise_and),
        ("or.b32", np.uint32, np.bitwise_or),
        ("xor.b32", np.uint32, np.bitwise_xor),
        ("inc.u32", np.uint32, lambda old, new: np.where(old >= new, 0, old + 1)),
        ("dec.u32", np.uint32, lambda old, new: np.where((old == 0) | (old > new), new, old - 1)),
    ],
)
@POLICIES
def test_reductions_in_the_other_cta(op: str, dtype: Any, combine: Any, policy: Async) -> None:
    a, b = words(2, dtype), words(3, dtype)
    copy = f"@%p1 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.{op} [%r8], [s], 256, [%r9];"
    want = combine(b, a[::-1])
    assert (exchange(copy, a, b, 256, policy).view(dtype) == want).all()
    if np.dtype(dtype).itemsize == 4:
        single = f"mov.u32 %r20, t; mad.lo.u32 %r21, %r1, 4, %r8; red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.{op} [%r21], %r5, [%r9];"
        assert (exchange(single, a, b, 256, policy).view(dtype) == want).all()


@pytest.mark.sample(3)
@POLICIES
@pytest.mark.parametrize(("form", "lanes", "value"), [("b32", 64, "%r5"), ("v2.b32", 32, "{%r5, 7}"), ("v4.s32", 16, "{%r5, 1, 2, %r1}"), ("b128", 16, "%q1")])  # fmt: skip
def test_asynchronous_stores(form: str, lanes: int, value: str, policy: Async) -> None:
    a, b = words(4), words(5)
    each = 64 // lanes
    store = f"""setp.lt.u32 %p3, %r1, {lanes}; mad.lo.u32 %r21, %r1, {4 * each}, %r8; cvt.u64.u32 %rd8, %r5; mov.b128 %q1, {{%rd8, 5}};
    @%p3 st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.{form} [%r21], {value}, [%r9];"""
    want = np.zeros((2, lanes, each), np.uint32)
    want[:, :, 0] = a[::-1, :lanes]
    if form == "v2.b32":
        want[:, :, 1] = 7
    if form == "v4.s32":
        want[:, :, 1:] = np.stack([np.full(16, 1), np.full(16, 2), np.arange(16)], axis=1)
    if form == "b128":
        want[:, :, 2] = 5
    assert (exchange(store, a, b, 256, policy) == want.reshape(2, 64)).all()


LOCAL = (
    """.shared .align 128 .b8 s[256]; .shared .align 8 .b8 bar[8];"""
    + INDEX
    + """ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mov.u32 %r1, s; mad.lo.u32 %r1, %r0, 4, %r1; mad.wide.u32 %rd3, %r0, 4, %rd1;
    mad.wide.u32 %rd4, %r0, 4, %rd2; ld.global.u32 %r2, [%rd3]; st.shared.u32 [%r1], %r2; st.shared.u32 [%r1+128], %r2; setp.eq.u32 %p1, %r0, 0;
    @%p1 mbarrier.init.shared.b64 [bar], 1; fence.proxy.async; bar.sync 0;
    """
)


def test_masks_of_bytes() -> None:
    a, out = np.arange(1, 129, dtype=np.uint8), np.zeros(128, np.uint8)
    body = "mov.u16 %rs1, 0x8421; @%p1 cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd2], [s], 64, %rs1; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;"
    launch(LOCAL + body, [a.view(np.uint32), out.view(np.uint32)], target="sm_100a", async_="lazy")
    kept = np.array([0x8421 >> i & 1 for i in range(16)] * 4 + [0] * 64)
    assert (out == a * kept).all()


def test_bytes_that_may_lie_outside() -> None:
    a, out = np.arange(1, 129, dtype=np.uint8), np.zeros(128, np.uint8)
    body = f"""@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 64;
    @%p1 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [s], [%rd1+80], 64, 3, {{}}, [bar];
    {WAIT} ld.shared.u32 %r5, [%r1]; st.global.u32 [%rd4], %r5; ret;"""
    arguments = [a.view(np.uint32), out.view(np.uint32)]
    with pytest.raises(KernelFault, match="do not all lie in global memory"):
        launch(LOCAL + body.format(15), arguments, target="sm_100a")
    launch(LOCAL + body.format(15).replace("%rd1+80", "%rd1+64"), arguments, target="sm_100a")
    assert (out[3:49] == a[67:113]).all()


def test_filling_shared_memory() -> None:
    a, out = np.arange(1, 33, dtype=np.uint32), np.zeros(32, np.uint32)
    body = "@%p1 st.bulk.weak.shared::cta [s+16], 32, 0; bar.sync 0; ld.shared.u32 %r5, [%r1]; st.global.u32 [%rd4], %r5; ret;"
    launch(LOCAL + body, [a, out], target="sm_100a")
    assert (out == np.where((np.arange(32) >= 4) & (np.arange(32) < 12), 0, a)).all()


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("multimem.ld_reduce.relaxed.gpu.global.add.u32 %r5, [%rd3]; multimem.st.relaxed.gpu.global.u32 [%rd4], %r5;", lambda a, b: a),
        ("multimem.red.relaxed.gpu.global.add.u32 [%rd4], %r2;", lambda a, b: a + b),
        ("multimem.red.relaxed.gpu.global.max.u32 [%rd4], %r2;", np.maximum),
        ("@%p1 multimem.cp.async.bulk.global.shared::cta.bulk_group [%rd2], [s], 128; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;", lambda a, b: a),
        ("@%p1 multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b32 [%rd2], [s], 128; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;", np.bitwise_xor),
    ],
)  # fmt: skip
def test_multicast_addresses_of_one_device(text: str, want: Any) -> None:
    a, b = words(6)[0, :32].copy(), words(7)[0, :32].copy()
    out = b.copy()
    launch(LOCAL + text + "ret;", [a, out], target="sm_90")
    assert (out == want(a, b)).all()


@pytest.mark.parametrize(
    ("op", "dtype"),
    [
        ("add.noftz.f16", np.float16),
        ("add.noftz.bf16", ml_dtypes.bfloat16),
        ("add.f32", np.float32),
        ("add.f64", np.float64),
    ],
)
@POLICIES
def test_float_reductions_in_global_memory(op: str, dtype: Any, policy: Async) -> None:
    count = 128 // np.dtype(dtype).itemsize
    rng = np.random.default_rng(8)
    a, b = rng.standard_normal(count).astype(dtype), rng.standard_normal(count).astype(dtype)
    out = b.copy()
    body = f"@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.{op} [%rd2], [s], 128; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;"
    launch(LOCAL + body, [a.view(np.uint32), out.view(np.uint32)], target="sm_90", async_=policy)
    assert (out == (a.astype(np.float64) + b.astype(np.float64)).astype(dtype)).all()


def test_waiting_for_the_reads_only() -> None:
    """After `wait_group.read` the source may be stored to; the destination need not be written yet."""
    a, out = np.arange(1, 33, dtype=np.uint32), np.zeros(64, np.uint32)
    body = """@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [s], 128; cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;
    bar.sync 0; st.shared.u32 [%r1], 0; {} bar.sync 0; ld.global.u32 %r5, [%rd4]; st.global.u32 [%rd4+128], %r5; ret;"""
    launch(LOCAL + body.format("cp.async.bulk.wait_group 0;"), [a, out], target="sm_90", async_="lazy")
    assert (out == np.concatenate([a, a])).all()
    out[:] = 0
    launch(LOCAL + body.format(""), [a, out], target="sm_90", async_="lazy", check="fast")
    assert (out == np.concatenate([a, 0 * a])).all()


def test_barriers_of_other_ctas() -> None:
    """The mbarrier belongs to the CTA of the destination, and `.shared::cta` to the thread's own."""
    a, b = words(0), words(1)
    copy = "@%p1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r8], [s], 128, [bar];"
    with pytest.raises(KernelFault, match="another CTA than the destination"):
        exchange(copy, a, b)
    store = "@%p1 st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r8], %r5, [bar];"
    with pytest.raises(KernelFault, match="another CTA than the destination"):
        exchange(store.replace("[bar]", "[%r20]").replace("@%p1", "mov.u32 %r20, bar; @%p1"), a, b)
    copy = "@%p1 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r8], [%rd1], 128, [%r9];"
    with pytest.raises(KernelFault, match=r"destination of \.shared::cta lies in another CTA"):
        exchange(copy, a, b)


# -- tensor maps made on the device, pairs of CTAs ----------------------------------------------------------------

FIELDS = [("global_address", "b64", "", "%rd2"), ("rank", "b32", "", "1"), ("box_dim", "b32", "0, ", "16"), ("box_dim", "b32", "1, ", "4"),
          ("global_dim", "b32", "0, ", "32"), ("global_dim", "b32", "1, ", "10"), ("global_stride", "b64", "0, ", "128"),
          ("element_stride", "b32", "0, ", "1"), ("element_stride", "b32", "1, ", "1"), ("elemtype", "b32", "", "2"),
          ("interleave_layout", "b32", "", "0"), ("swizzle_mode", "b32", "", "{swizzle}"), ("fill_mode", "b32", "", "0")]  # fmt: skip


@pytest.mark.parametrize(("swizzle", "mode"), [(0, "NONE"), (2, "64B")])
def test_tensor_maps_made_by_the_kernel(swizzle: int, mode: Any) -> None:
    """128 zero bytes in shared memory, every field filled in, copied to global memory, and used for a store."""
    a, memory, maps = words(9)[0], np.zeros((10, 32), np.uint32), np.zeros(64, np.uint32)
    a = np.concatenate([a, a])[:64].copy()
    fields = "".join(f"@%p2 tensormap.replace.tile.{name}.shared::cta.b1024.{type_} [m], {ordinal}{value.format(swizzle=swizzle)};\n"
                     for name, type_, ordinal, value in FIELDS)  # fmt: skip
    body = f""".shared .align 1024 .b8 s[1024]; .shared .align 128 .b8 m[128]; {INDEX} ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1];
    ld.param.u64 %rd5, [p2]; mad.wide.u32 %rd3, %r0, 8, %rd1; ld.global.v2.u32 {{%r2, %r3}}, [%rd3]; mov.u32 %r1, s; mad.lo.u32 %r1, %r0, 8, %r1;
    st.shared.v2.u32 [%r1], {{%r2, %r3}}; mov.u32 %r4, m; mad.lo.u32 %r4, %r0, 4, %r4; st.shared.u32 [%r4], 0; setp.eq.u32 %p2, %r0, 0;
    fence.proxy.async; bar.warp.sync -1; {fields} bar.warp.sync -1; cvt.u64.u32 %rd6, %r0; mov.u64 %rd7, m;
    tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd5], [%rd7], 128;
    fence.proxy.tensormap::generic.acquire.gpu [%rd5], 128; prefetch.tensormap [%rd5];
    @%p2 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd5, {{8, 3}}], [s]; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;"""
    launch(body, [a, memory, maps], target="sm_90a", async_="lazy")
    made = weft.TensorMap(np.zeros((10, 32), np.uint32), (4, 16), swizzle=mode)
    order = np.arange(64).reshape(4, 16)
    if mode == "64B":  # One 128-byte line holds two rows of the box: the pieces of the second line change places.
        order = order.reshape(4, 4, 4)[np.arange(4)[:, None], np.arange(4) ^ np.arange(4)[:, None] // 2].reshape(4, 16)
    want = np.zeros((10, 32), np.uint32)
    want[3:7, 8:24] = a[order]
    assert (memory == want).all()
    assert maps.tobytes()[:16] == made.encode(0)[:16]
    with pytest.raises(KernelFault, match=r"without a fence\.proxy\.tensormap") as caught:
        launch(
            body.replace("fence.proxy.tensormap::generic.acquire.gpu [%rd5], 128;", ""),
            [a, memory, maps],
            target="sm_90a",
        )
    assert caught.value.kind == "proxy-fence"


@POLICIES
@pytest.mark.parametrize("pair", ["", ".cta_group::2"])
def test_tensor_copies_to_several_ctas(pair: str, policy: Async) -> None:
    """Rank 0 loads a box for ranks 0, 1 and 3; pairs signal the mbarrier of the CTA with the parity of rank 0."""
    a, out = np.arange(32, dtype=np.uint32).reshape(1, 32), np.zeros((4, 32), np.uint32)
    expected = 128 if not pair else 0
    body = f""".reg .pred %p<10>; .reg .b16 %rs<4>; .reg .b32 %r<110>; .reg .b64 %rd<9>; .shared .align 128 .b8 s[128]; .shared .align 8 .b8 bar[8];
    {INDEX} ld.param.u64 %rd2, [p1]; mov.u64 %rd1, p0; cvta.param.u64 %rd1, %rd1; mov.u32 %r1, %tid.x; mov.u32 %r2, %cluster_ctarank;
    mov.u32 %r3, s; mad.lo.u32 %r3, %r1, 4, %r3; st.shared.u32 [%r3], 9; fence.proxy.async;
    setp.eq.u32 %p1, %r1, 0; setp.eq.and.u32 %p2, %r2, 0, %p1; and.b32 %r5, %r2, 1; setp.eq.u32 %p3, %r5, 0; selp.b32 %r6, 256, {expected}, %p3;
    setp.eq.u32 %p4, %r2, 2; selp.b32 %r6, 128, %r6, %p4; {"" if pair else "mov.u32 %r6, 128; selp.b32 %r6, 0, %r6, %p4;"}
    @%p1 mbarrier.init.shared.b64 [bar], 1; @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], %r6; barrier.cluster.arrive; barrier.cluster.wait;
    mov.u16 %rs1, 11;
    @%p2 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster{pair} [s], [%rd1, {{0, 0}}], [bar], %rs1;
    {WAIT} barrier.cluster.arrive; barrier.cluster.wait; ld.shared.u32 %r4, [%r3]; mad.wide.u32 %rd2, %r0, 4, %rd2; st.global.u32 [%rd2], %r4; ret;"""
    text = kernel(body, ["align 64 .b8", "u64"], "sm_100a").to_ptx().replace("p0,", "p0[128],")
    run(weft.parse(text), "k", 4, 32, [weft.TensorMap(a, (1, 32)), out], cluster=4, async_=policy)
    assert (out == np.where(np.arange(4)[:, None] == 2, 9, a)).all()


def test_taking_clusters_over() -> None:
    """Every CTA marks its own number, and those of the clusters that it takes over, until there are none."""
    ctas, out = 64, np.zeros((64, 2), np.uint32)
    body = (
        """.shared .align 16 .b8 answer[16]; .shared .align 8 .b8 bar[8]; .reg .b128 %q<2>;"""
        + INDEX
        + """
    ld.param.u64 %rd1, [p0]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mov.u32 %r5, 0; mov.u32 %r7, 1; setp.ne.u32 %p1, %r2, 0;
    @!%p1 mbarrier.init.shared.b64 [bar], 1; bar.sync 0;
    next: @%p1 bra ask; mad.wide.u32 %rd2, %r1, 8, %rd1; st.global.v2.u32 [%rd2], {%r7, %r100};
    mbarrier.arrive.expect_tx.shared.b64 _, [bar], 16; fence.proxy.async;
    clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [answer], [bar];
    ask: mbarrier.try_wait.parity.shared.b64 %p2, [bar], %r5; @!%p2 bra ask; xor.b32 %r5, %r5, 1;
    ld.shared.b128 %q1, [answer]; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p3, %q1;
    clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r1, %r10, %r11, %r12}, %q1; mov.u32 %r7, 2; bar.sync 0; @%p3 bra next; ret;"""
    )
    for policy in ("eager", "lazy"):
        out[:] = 0
        launch(body, [out], block=1024, grid=ctas, target="sm_100a", async_=policy, check="fast")
        assert (out[:, 0] > 0).all()
        assert (out[:16, 0] == 1).all()
        assert (out[out[:, 0] == 1, 1] == np.flatnonzero(out[:, 0] == 1)).all()
        assert (out[:, 0] == 2).sum() > 16
