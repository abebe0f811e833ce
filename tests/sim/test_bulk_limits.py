"""Bulk copies at their limits: sizes, places, masks and mbarriers that the manual allows, and those that it does not."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import weft
from tests.sim.harness import kernel, launch
from tests.sim.test_async_stores import LOCAL
from tests.sim.test_tensor_copies import halves, load, random_array, store
from weft.isa.tensor_map_words import DATA_TYPES
from weft.sim import KernelFault, run
from weft.sim.lanes import Lanes
from weft.sim.semantics import bulk, bulk_tensor, load_all

load_all()

GROUP = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;"
STORE = "@%p1 cp.async.bulk.global.shared::cta.bulk_group"
LOAD = "@%p1 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes"


def local(text: str, **more: Any) -> Any:
    """Run copies of one thread between 128 bytes of global memory, `a` and `out`, and 256 of shared memory, twice `a`."""
    a, out = np.arange(1, 129, dtype=np.uint8), np.zeros(128, np.uint8)
    launch(LOCAL + text + GROUP, [a.view(np.uint32), out.view(np.uint32)], target="sm_100a", **more)
    return out


@pytest.mark.sample(1)
@pytest.mark.parametrize("policy", ["eager", "lazy"])
def test_copies_of_any_multiple_of_16_bytes(policy: Any) -> None:
    text = f"{STORE} [%rd2], [s+16], 0; {STORE} [%rd2+16], [s+32], 16; {STORE} [%rd2+64], [s+128], 48;"
    want = np.zeros(128, np.uint8)
    want[16:32], want[64:112] = np.arange(33, 49), np.arange(1, 49)
    assert (local(text, async_=policy) == want).all()


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        (f"{STORE} [%rd2], [s], 24;", "misaligned", "a size of 24 bytes is not a multiple of 16"),
        (f"{STORE} [%rd2], [s], 8;", "misaligned", "a size of 8 bytes is not a multiple of 16"),
        (f"{STORE} [%rd2], [s+8], 16;", "misaligned", ""),
        (f"{STORE} [%rd2+8], [s], 16;", "misaligned", ""),
        (f"{STORE} [%rd2+112], [s], 32;", "out-of-bounds", "the 32 bytes there do not all lie in global memory"),
        (f"{STORE} [%rd2], [s+240], 48;", "out-of-bounds", "the 48 bytes there do not all lie in shared memory"),
        (f"{LOAD}.ignore_oob [s], [%rd1], 64, 16, 0, [bar];", "out-of-bounds", "a copy of 64 bytes cannot ignore 16 and 0 bytes"),
        (f"{LOAD}.ignore_oob [s], [%rd1], 64, 0, 16, [bar];", "out-of-bounds", "a copy of 64 bytes cannot ignore 0 and 16 bytes"),
        (f"{LOAD}.ignore_oob [s], [%rd1], 16, 8, 8, [bar];", "out-of-bounds", "a copy of 16 bytes cannot ignore 8 and 8 bytes"),
    ],
)  # fmt: skip
def test_copies_that_are_wrong(text: str, kind: str, message: str) -> None:
    with pytest.raises(KernelFault) as caught:
        local(text)
    assert caught.value.kind == kind and message in caught.value.message
    assert caught.value.thread is not None and caught.value.thread.tid == (0, 0, 0)


def test_bytes_that_are_ignored() -> None:
    """Up to 15 on either side, of no less than one more byte; those are not read, and hold anything then."""
    wait = "again: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra again;"
    back = "ld.shared.u32 %r5, [%r1]; st.global.u32 [%rd4], %r5;"
    for size, left, right in ((16, 7, 8), (32, 15, 15), (48, 0, 15), (16, 15, 0)):
        text = f"@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], {size};"
        text += f"{LOAD}.ignore_oob [s], [%rd1+16], {size}, {left}, {right}, [bar]; {wait} {back}"
        out = local(text, check="fast")
        assert (out[left : size - right] == np.arange(17 + left, 17 + size - right)).all()
        assert (out[size:] == np.arange(size + 1, 129)).all()


@pytest.mark.sample(1)
@pytest.mark.parametrize("mask", [0x0001, 0x8000, 0xA5C3])
def test_bytes_that_a_mask_picks(mask: int) -> None:
    """A bit for each byte of sixteen."""
    out = local(f"mov.u16 %rs1, {mask}; {STORE}.cp_mask [%rd2+16], [s], 32, %rs1;", async_="lazy")
    kept = [mask >> byte % 16 & 1 for byte in range(32)]
    assert out.tolist() == [0] * 16 + [(byte + 1) * kept[byte] for byte in range(32)] + [0] * 80


def picked(size: int, ignored: list[int], mask: int | None = None) -> Any:
    """Which bytes of a range are copied, by the numbers that are ignored on either side, or by a mask."""
    site: Any = SimpleNamespace(fault=lambda kind, message, lane: KernelFault(kind, f"{message} {lane}"))
    reads: Any = [lambda _, count=count: np.array([count]) for count in ignored]
    by: Any = None if mask is None else lambda _: np.array([mask])
    return bulk._kept(site, Lanes.one(5), size, reads, by)  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize("size", [16, 32])
def test_how_many_bytes_may_be_ignored(size: int) -> None:
    """Fifteen on either side at most, and not all."""
    assert picked(size, []) is None
    for left, right in product((0, 1, 7, 8, 9, 15, 16), repeat=2):
        if max(left, right) > 15 or left + right >= size:
            with pytest.raises(KernelFault) as caught:
                picked(size, [left, right])
            assert caught.value.kind == "out-of-bounds"
            assert caught.value.message == f"a copy of {size} bytes cannot ignore {left} and {right} bytes 5"
        else:
            assert np.flatnonzero(picked(size, [left, right])).tolist() == [*range(left, size - right)]
    assert np.flatnonzero(picked(size, [], 0x8005)).tolist() == [
        byte for byte in range(size) if byte % 16 in (0, 2, 15)
    ]


# -- clusters -------------------------------------------------------------------------------------------------

CLUSTER = """.shared .align 128 .b8 s[128]; .shared .align 8 .b8 bar[8]; mov.u32 %r0, %tid.x; mov.u32 %r9, %cluster_ctarank;
ld.param.u64 %rd1, [p0]; setp.eq.u32 %p1, %r0, 0; @%p1 mbarrier.init.shared.b64 [bar], 1; setp.eq.and.u32 %p3, %r9, 0, %p1;
barrier.cluster.arrive; barrier.cluster.wait; mov.u32 %r2, s; mov.u32 %r3, bar;
mapa.shared::cluster.u32 %r4, %r2, 1; mapa.shared::cluster.u32 %r5, %r3, 1; mapa.shared::cluster.u32 %r6, %r3, 2;"""


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("dst", "places", "mask", "message"),
    [
        ("shared::cluster", "[%r4], [%rd1], 64, [%r3]", None, "the mbarrier lies in another CTA than the destination"),
        ("shared::cluster", "[%r2], [%rd1], 64, [%r5]", None, "the mbarrier lies in another CTA than the destination"),
        ("shared::cta", "[%r4], [%rd1], 64, [%r5]", None, "the destination of .shared::cta lies in another CTA"),
        ("shared::cluster", "[%r2], [%rd1], 64, [%r3]", 0x10, "mask 0x10 selects CTAs outside the cluster of 4"),
        ("shared::cluster", "[%r2], [%rd1], 64, [%r3]", 0x8001, "mask 0x8001 selects CTAs outside the cluster of 4"),
    ],
)
def test_where_a_copy_must_not_go(dst: str, places: str, mask: int | None, message: str) -> None:
    several = "" if mask is None else ".multicast::cluster"
    text = f"""{CLUSTER} mov.u16 %rs1, {mask or 0};
    @%p3 cp.async.bulk.{dst}.global.mbarrier::complete_tx::bytes{several} {places}{"" if mask is None else ", %rs1"};
    barrier.cluster.arrive; barrier.cluster.wait; ret;"""
    with pytest.raises(KernelFault) as caught:
        launch(text, [np.zeros(64, np.uint32)], grid=8, cluster=4, target="sm_100a", check="fast")
    assert caught.value.kind == "out-of-bounds" and message in caught.value.message
    assert caught.value.thread is not None and caught.value.thread.cta == (0, 0, 0)


TENSOR = """.reg .b16 %rs<9>; .reg .pred %p<9>; .reg .b32 %r<32>; .reg .b64 %rd<9>;
.shared .align 128 .b8 s[256]; .shared .align 8 .b8 bar[8]; mov.u32 %r0, %tid.x; mov.u32 %r9, %cluster_ctarank;
mov.u64 %rd1, p0; cvta.param.u64 %rd1, %rd1; ld.param.u64 %rd2, [p1]; mad.wide.u32 %rd2, %r9, 256, %rd2; mad.wide.u32 %rd2, %r0, 4, %rd2;
setp.eq.u32 %p1, %r0, 0; @%p1 mbarrier.init.shared.b64 [bar], 1; setp.eq.and.u32 %p3, %r9, 0, %p1; mul.lo.u32 %r8, %r0, 4;
mov.u32 %r2, s; add.u32 %r7, %r2, %r8; st.shared.u32 [%r7], 9; fence.proxy.async; barrier.cluster.arrive; barrier.cluster.wait;
"""


@pytest.mark.sample(2)
@pytest.mark.parametrize("home", [0, 1, 2, 3])
@pytest.mark.parametrize(("group", "mask"), [(1, 0b1010), (2, 0b1010), (2, 0b1111)])
def test_which_mbarriers_hear_of_a_box(group: int, mask: int, home: int) -> None:
    """That at the same place of each CTA that gets it, or of a pair that whose rank is even or odd as the mbarrier's is."""
    a, out = random_array((4, 32), np.uint32), np.zeros((4, 64), np.uint32)
    hears = [rank & ~1 | home & 1 if group == 2 else rank for rank in range(4) if mask >> rank & 1]
    to = home if group == 1 and mask >> home & 1 else 1
    expect = "".join(
        f"setp.eq.and.u32 %p4, %r9, {rank}, %p1; @%p4 mbarrier.arrive.expect_tx.shared.b64 _, [bar], {128 * hears.count(rank)};"
        for rank in set(hears)
    )
    waits = "".join(
        f"setp.ne.u32 %p5, %r9, {rank}; @%p5 bra skip{rank}; again{rank}: mbarrier.try_wait.parity.shared.b64 %p6, [bar], 0;"
        f"@!%p6 bra again{rank}; skip{rank}:"
        for rank in set(hears)
    )
    body = f"""{TENSOR} {expect} mapa.shared::cluster.u32 %r4, %r2, {to}; mov.u32 %r3, bar; mapa.shared::cluster.u32 %r5, %r3, {home};
    mov.u16 %rs1, {mask}; barrier.cluster.arrive; barrier.cluster.wait;
    @%p3 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.cta_group::{group}
    [%r4], [%rd1, {{0, 2}}], [%r5], %rs1; {waits} barrier.cluster.arrive; barrier.cluster.wait;
    ld.shared.u32 %r10, [%r7]; st.global.u32 [%rd2], %r10; ret;"""
    text = kernel(body, ["align 64 .b8", "u64"], "sm_100a").to_ptx().replace("p0,", "p0[128],")

    def go() -> None:
        run(weft.parse(text), "k", 4, 32, [weft.TensorMap(a, (1, 32)), out], cluster=4)

    if home >> (group - 1) != to >> (group - 1):
        with pytest.raises(KernelFault, match="the mbarrier lies in another CTA than the destination"):
            go()
        return
    go()
    for rank in range(4):
        assert (out[rank, :32] == (a[2] if mask >> rank & 1 else 9)).all()


# -- tensors --------------------------------------------------------------------------------------------------


def test_rows_of_a_scatter_that_lie_before_the_tensor() -> None:
    """They are left out, as those behind it are; the column must not be negative."""
    a, new = random_array((12, 32), np.uint16), random_array((4, 32), np.uint16, 1)
    want = a.copy()
    want[[0, 11]] = new[[1, 3]]
    store(weft.TensorMap(a, (1, 32)), [0, -1, 0, -12, 11], new, mode=".tile::scatter4")
    assert (a == want).all()
    with pytest.raises(KernelFault, match=r"starts at \(-8, 0, 1, 2, 3\); coordinates of a store must not be negative"):
        store(weft.TensorMap(a, (1, 32)), [-8, 0, 1, 2, 3], new, mode=".tile::scatter4")


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("make", "at", "mode", "message"),
    [
        (lambda: weft.TensorMap(halves(16, 64), (8, 64)), [-8, 0], "", "the box to store starts at (-8, 0)"),
        (lambda: weft.TensorMap(halves(16, 64), (8, 64)), [0, -1], "", "the box to store starts at (0, -1)"),
        (lambda: weft.TensorMap(halves(16, 64), (8, 64), swizzle="128B_ATOM_32B_FLIP_8B"), [0, 0], "", "128B_ATOM_32B_FLIP_8B is allowed on copies to"),
        (
            lambda: weft.TensorMap(np.zeros((4, 64), np.uint8), (2, 128), data_type="16U4_ALIGN16B", swizzle="128B"), [0, 0], "",
            ".b4x16_p64 is allowed on copies to shared memory only",
        ),
        (
            lambda: weft.TensorMap.encode_im2col(halves(2, 5, 6, 8), (-1, 0), (0, 0), 8, 8), [0, 0, 0, 0], ".im2col_no_offs",
            "the pixel box of a store lies partly outside the tensor",
        ),
        (
            lambda: weft.TensorMap.encode_im2col(halves(2, 5, 6, 8), (0, 0), (0, 1), 8, 8), [0, 0, 0, 0], ".im2col_no_offs",
            "the pixel box of a store lies partly outside the tensor",
        ),
    ],
)  # fmt: skip
def test_stores_of_boxes_that_are_wrong(make: Any, at: list[int], mode: str, message: str) -> None:
    with pytest.raises(KernelFault) as caught:
        store(make(), at, halves(16, 64), mode=mode)
    assert caught.value.kind == "tensor-map" and message in caught.value.message


@pytest.mark.sample(1)
@pytest.mark.parametrize(("mode", "extra"), [("", ""), (".im2col", ", {0, 0}"), (".im2col::w", ", {0, 0}")])
def test_maps_of_another_mode(mode: str, extra: str) -> None:
    flat = weft.TensorMap(halves(2, 4, 4, 8), (1, 4, 4, 8))
    columns = weft.TensorMap.encode_im2col(halves(2, 4, 4, 8), (0, 0), (0, 0), 8, 8)
    tensor_map, kind = (flat, "tiled") if mode.startswith(".im2col") else (columns, "im2col")
    with pytest.raises(KernelFault) as caught:
        load(tensor_map, [0] * 4, 128, mode=mode, extra=extra)
    said = f"the tensor map is of mode {kind}, the instruction of {mode or '.tile'}"
    assert caught.value.kind == "tensor-map" and said in caught.value.message


@pytest.mark.parametrize("check", ["fast", "strict"])
def test_boxes_for_no_cta(check: Any) -> None:
    """A mask that names none: nothing moves, and no mbarrier hears of anything."""
    a, out = random_array((4, 32), np.uint32), np.zeros((4, 64), np.uint32)
    body = f"""{TENSOR} mov.u32 %r3, bar; mov.u16 %rs1, 0;
    @%p3 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster
    [%r2], [%rd1, {{0, 2}}], [%r3], %rs1; barrier.cluster.arrive; barrier.cluster.wait;
    ld.shared.u32 %r10, [%r7]; st.global.u32 [%rd2], %r10; ret;"""
    text = kernel(body, ["align 64 .b8", "u64"], "sm_100a").to_ptx().replace("p0,", "p0[128],")
    run(weft.parse(text), "k", 4, 32, [weft.TensorMap(a, (1, 32)), out], cluster=4, check=check)
    assert (out[:, :32] == 9).all()


@pytest.mark.sample(2)
@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("room", [512, 496])
def test_boxes_of_several_threads_at_the_end_of_shared_memory(room: int, own: bool) -> None:
    """Four threads load a row each, the last one up to the last byte or a little beyond, at one mbarrier or one each."""
    a, out = random_array((8, 32), np.uint32), np.zeros((4, 32), np.uint32)
    body = f""".reg .pred %p<9>; .reg .b32 %r<32>; .reg .b64 %rd<9>; .shared .align 128 .b8 bar[128];
    mov.u32 %r0, %tid.x; mov.u64 %rd1, p0; cvta.param.u64 %rd1, %rd1; ld.param.u64 %rd2, [p1]; mov.u32 %r1, bar; mov.u32 %r2, s;
    setp.ge.u32 %p1, %r0, 4; mad.lo.u32 %r3, %r0, 8, %r1; mad.lo.u32 %r4, %r0, 128, %r2; add.u32 %r5, %r0, 3;
    {"" if own else "mov.u32 %r3, %r1;"} setp.eq.u32 %p2, %r0, 0; {"not.pred %p2, %p1;" if own else ""}
    @%p2 mbarrier.init.shared.b64 [%r3], {1 if own else 4}; fence.proxy.async; bar.sync 0; @%p1 bra done;
    mbarrier.arrive.expect_tx.shared.b64 _, [%r3], 128;
    cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%r4], [%rd1, {{0, %r5}}], [%r3];
    again: mbarrier.try_wait.parity.shared.b64 %p3, [%r3], 0; @!%p3 bra again; mad.wide.u32 %rd2, %r0, 128, %rd2; mov.u32 %r6, 0;
    copy: add.u32 %r7, %r4, %r6; ld.shared.u32 %r8, [%r7]; cvt.u64.u32 %rd3, %r6; add.u64 %rd3, %rd3, %rd2; st.global.u32 [%rd3], %r8;
    add.u32 %r6, %r6, 4; setp.lt.u32 %p4, %r6, 128; @%p4 bra copy; done: ret;"""
    text = (
        kernel(body, ["align 64 .b8", "u64"], "sm_100a", ".extern .shared .align 128 .b8 s[];")
        .to_ptx()
        .replace("p0,", "p0[128],")
    )

    def go() -> None:
        run(weft.parse(text), "k", 1, 32, [weft.TensorMap(a, (1, 32)), out], shared_bytes=room)

    if room == 512:
        go()
        assert (out == a[3:7]).all()
        return
    with pytest.raises(KernelFault) as caught:
        go()
    address = caught.value.address or 0  # That of the last box, of which a few bytes are too many.
    message = f"a box of 128 bytes at shared address {address:#x} does not fit the CTA's {address + 112} bytes"
    assert caught.value.kind == "out-of-bounds"
    assert message in caught.value.message and caught.value.thread is not None and caught.value.thread.tid == (3, 0, 0)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("dst", "to", "home", "message"),
    [
        ("shared::cluster", 1, 0, "the mbarrier lies in another CTA than the destination"),
        ("shared::cluster", 0, 1, "the mbarrier lies in another CTA than the destination"),
        ("shared::cta", 1, 1, "the destination of .shared::cta lies in another CTA"),
        ("shared::cluster", 1, 1, ""),
        ("shared::cluster", 2, 2, ""),
        ("shared::cluster.cta_group::2", 0, 1, ""),
        ("shared::cluster.cta_group::2", 1, 2, "the mbarrier lies in another CTA than the destination"),
    ],
)
def test_a_box_and_its_mbarrier_in_clusters(dst: str, to: int, home: int, message: str) -> None:
    """They lie in one CTA, whichever that is, or in one pair."""
    a, out = random_array((4, 32), np.uint32), np.zeros((4, 64), np.uint32)
    dst, _, group = dst.partition(".")
    body = f"""{TENSOR} setp.eq.and.u32 %p4, %r9, {home}, %p1; @%p4 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 128;
    mapa.shared::cluster.u32 %r4, %r2, {to}; mov.u32 %r3, bar; mapa.shared::cluster.u32 %r5, %r3, {home};
    barrier.cluster.arrive; barrier.cluster.wait;
    @%p3 cp.async.bulk.tensor.2d.{dst}.global.tile.mbarrier::complete_tx::bytes{"." * bool(group)}{group} [%r4], [%rd1, {{0, 2}}], [%r5];
    setp.ne.u32 %p5, %r9, {home}; @%p5 bra skip; again: mbarrier.try_wait.parity.shared.b64 %p6, [bar], 0; @!%p6 bra again; skip:
    barrier.cluster.arrive; barrier.cluster.wait; ld.shared.u32 %r10, [%r7]; st.global.u32 [%rd2], %r10; ret;"""
    text = kernel(body, ["align 64 .b8", "u64"], "sm_100a").to_ptx().replace("p0,", "p0[128],")

    def go() -> None:
        run(weft.parse(text), "k", 4, 32, [weft.TensorMap(a, (1, 32)), out], cluster=4)

    if not message:
        go()
        assert (out[:, :32] == [a[2] if rank == to else [9] * 32 for rank in range(4)]).all()
        return
    with pytest.raises(KernelFault) as caught:
        go()
    assert caught.value.kind == "out-of-bounds" and message in caught.value.message


REDUCED: dict[str, tuple[str, Any]] = {
    "add": ("u32 s32 u64 f16 bf16 f32 f32.ftz", np.add),
    "min": ("u32 s32 u64 s64 f16 bf16", np.minimum),
    "max": ("u32 s32 u64 s64 f16 bf16", np.maximum),
    "inc": ("u32", lambda old, new: np.where(old >= new, 0, old + 1)),
    "dec": ("u32", lambda old, new: np.where((old == 0) | (old > new), new, old - 1)),
    "and": ("u32 s32 u64 s64", np.bitwise_and),
    "or": ("u32 s32 u64 s64", np.bitwise_or),
    "xor": ("u32 s32 u64 s64", np.bitwise_xor),
}
"""Operations, the elements of tensors that the manual has them for, and what they do."""


@pytest.mark.parametrize("op", REDUCED)
def test_which_elements_are_reduced(op: str) -> None:
    types, combine = REDUCED[op]
    told = list[str]()
    site: Any = SimpleNamespace(fault=lambda _, message, lane: told.append(f"{message} {lane}") or KernelFault("", ""))
    for element in DATA_TYPES:
        fields: Any = SimpleNamespace(element=element)
        if element.ptx not in types.split():
            with pytest.raises(KernelFault):
                bulk_tensor._reduce(site, 5, op, fields)  # pyright: ignore[reportPrivateUsage]
            assert told.pop() == f"unsupported reduction .{op} of .{element.ptx} tensors 5"
            continue
        kind, bits = element.ptx[0], element.bits
        dtype: Any = ml_dtypes.bfloat16 if kind == "b" else np.dtype(f"{'i' if kind == 's' else kind}{bits // 8}")
        old, new = (np.array(some).astype(dtype) for some in ([0, 5, 7, 3, 12, 9, 8, 1], [4, 5, 2, 9, 6, 3, 0, 1]))
        if kind in "sf":
            old, new = -old, new - np.array(4).astype(dtype)
        words = f"u{bits // 8}"
        reduced = bulk_tensor._reduce(site, 5, op, fields)(old.view(words), new.view(words))  # pyright: ignore[reportPrivateUsage]
        assert (reduced.view(dtype) == np.asarray(combine(old, new)).astype(dtype)).all(), element
