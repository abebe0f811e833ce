"""Branches, divergence, calls, barriers, and the exchange between lanes of a warp."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.effort import draws
from tests.sim.harness import INDEX, REGISTERS, integers, launch, module
from weft.sim import run

OUT = INDEX + "ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %r0, 4, %rd1;"


def test_divergent_loop() -> None:
    out = np.zeros(300, np.uint32)
    body = (
        OUT
        + """
    mov.u32 %r1, 0; and.b32 %r2, %r0, 15;
    again: setp.ge.u32 %p1, %r1, %r2; @%p1 bra done; add.u32 %r1, %r1, 1; bra again;
    done: mul.lo.u32 %r1, %r1, %r1; st.global.u32 [%rd1], %r1; ret;"""
    )
    launch(body, [out], block=100, grid=3)
    assert (out == (np.arange(300) % 16) ** 2).all()


def test_nested_branches_and_early_exit() -> None:
    out = np.zeros(128, np.uint32)
    body = (
        OUT
        + """
    setp.gt.u32 %p1, %r0, 99; @%p1 exit; mov.u32 %r9, 0;
    and.b32 %r1, %r0, 1; setp.eq.u32 %p2, %r1, 0; @%p2 bra even;
    and.b32 %r1, %r0, 2; setp.eq.u32 %p3, %r1, 0; @!%p3 bra other; add.u32 %r9, %r9, 10; bra join;
    other: add.u32 %r9, %r9, 20; bra join;
    even: add.u32 %r9, %r9, 1;
    join: add.u32 %r9, %r9, %r0; st.global.u32 [%rd1], %r9; ret;"""
    )
    launch(body, [out], block=128)
    lane = np.arange(128)
    want = lane + np.where(lane % 2 == 0, 1, np.where(lane & 2, 20, 10))
    assert (out == np.where(lane > 99, 0, want)).all()


def test_branch_table() -> None:
    out = np.zeros(64, np.uint32)
    body = (
        OUT
        + """
    and.b32 %r1, %r0, 3; targets: .branchtargets zero, one, two, zero;
    brx.idx %r1, targets;
    zero: mov.u32 %r2, 100; bra done; one: mov.u32 %r2, 101; bra done; two: mov.u32 %r2, 102;
    done: st.global.u32 [%rd1], %r2; ret;"""
    )
    launch(body, [out], grid=2)
    assert (out == np.array([100, 101, 102, 100])[np.arange(64) % 4]).all()


FUNCTIONS = """
.func (.param .b32 r) fib(.param .b32 n) {
  .reg .b32 %r<9>; .reg .pred %p<2>; ld.param.b32 %r1, [n]; setp.lt.u32 %p1, %r1, 2; @%p1 bra base;
  add.u32 %r2, %r1, -1;
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r2; call.uni (b), fib, (a); ld.param.b32 %r3, [b]; }
  add.u32 %r2, %r1, -2;
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r2; call.uni (b), fib, (a); ld.param.b32 %r4, [b]; }
  add.u32 %r1, %r3, %r4; base: st.param.b32 [r], %r1; ret; }
.func (.reg .b32 r) twice(.reg .b32 n) { add.u32 r, n, n; ret; }
.func (.reg .b32 r) thrice(.reg .b32 n) { mul.lo.u32 r, n, 3; ret; }
.func (.param .b32 r) sum4(.param .align 4 .b8 s[16]) {
  .reg .b32 %r<9>; .reg .b64 %rd<2>; mov.b64 %rd1, s; ld.param.b32 %r1, [s]; ld.param.v2.b32 {%r2, %r3}, [s+8]; ld.param.b32 %r4, [%rd1+4];
  add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; add.u32 %r1, %r1, %r4; st.param.b32 [r], %r1; ret; }
"""


def test_recursion() -> None:
    out = np.zeros(64, np.uint32)
    body = (
        OUT
        + """rem.u32 %r1, %r0, 10;
    { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), fib, (a); ld.param.b32 %r2, [b]; }
    st.global.u32 [%rd1], %r2; ret;"""
    )
    launch(body, [out], block=64, extra=FUNCTIONS)
    fib = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]
    assert out.tolist() == [fib[i % 10] for i in range(64)]


def test_indirect_calls_and_register_parameters() -> None:
    out = np.zeros(64, np.uint32)
    body = (
        OUT
        + """
    mov.u64 %rd2, twice; mov.u64 %rd3, thrice; and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 1; selp.b64 %rd4, %rd3, %rd2, %p1;
    list: .calltargets twice, thrice; call (%r2), %rd4, (%r0), list; call (%r2), twice, (%r2);
    st.global.u32 [%rd1], %r2; ret;"""
    )
    launch(body, [out], block=64, extra=FUNCTIONS)
    lane = np.arange(64)
    assert (out == np.where(lane % 2, 6 * lane, 4 * lane)).all()


TABLE = """.version 8.0
.target sm_80
.address_size 64
.func (.reg .b32 %o) twice(.reg .b32 %i) { add.u32 %o, %i, %i; ret; }
.func (.reg .b32 %o) thrice(.reg .b32 %i) { mul.lo.u32 %o, %i, 3; ret; }
.visible .global .align 8 .u64 first = twice;
.visible .global .align 8 .u64 second;
.visible .global .align 8 .u64 table[2];
.visible .entry other() { .reg .b64 %p; mov.u64 %p, thrice; st.global.u64 [second], %p; ret; }
.visible .entry k(.param .u64 out) {
  .reg .b64 %p, %i; .reg .b32 %t, %v;
  mov.u32 %t, %tid.x; and.b32 %v, %t, 1; mul.wide.u32 %i, %v, 8; mov.u64 %p, table; add.u64 %p, %p, %i;
  ld.global.u64 %i, [%p]; type: .callprototype (.reg .b32 _) _ (.reg .b32 _); call (%v), %i, (%t), type;
  ld.param.u64 %p, [out]; mul.wide.u32 %i, %t, 4; add.u64 %p, %p, %i; st.global.u32 [%p], %v; ret;
}
"""


def test_functions_whose_addresses_the_host_and_other_kernels_put_into_a_table() -> None:
    with weft.Device("sm_80", memory=1 << 22) as device:
        module, out = device.load(TABLE), device.zeros(32, np.uint32)
        module.kernel("other").launch(1, 1, [])
        addresses = [bytes(module.symbol(name).view(np.uint8)) for name in ("first", "second")]
        module.symbol("table").write(b"".join(addresses))
        module.kernel("k").launch(1, 32, [out])
        assert (out == np.arange(32) * np.where(np.arange(32) % 2, 3, 2)).all()


@pytest.mark.parametrize("argument", ["%r0", "5"])
@pytest.mark.parametrize("how", ["call", "call.uni"])
def test_a_result_in_a_register(how: str, argument: str) -> None:
    """Its only writer is the call."""
    out = np.zeros(64, np.uint32)
    body = OUT + f"{how} (%r7), twice, ({argument}); st.global.u32 [%rd1], %r7; ret;"
    launch(body, [out], block=64, extra=FUNCTIONS)
    assert (out == 2 * (np.arange(64) if argument == "%r0" else 5)).all()


def test_structure_parameters() -> None:
    out = np.zeros(32, np.uint32)
    body = (
        OUT
        + """
    { .param .align 4 .b8 s[16]; .param .b32 b; st.param.b32 [s], %r0; st.param.b32 [s+4], 1; st.param.v2.b32 [s+8], {2, %r0};
    call.uni (b), sum4, (s); ld.param.b32 %r2, [b]; }
    st.global.u32 [%rd1], %r2; ret;"""
    )
    launch(body, [out], extra=FUNCTIONS)
    assert (out == 2 * np.arange(32) + 3).all()


# -- barriers -------------------------------------------------------------------------------------------------


def test_barrier_orders_warps() -> None:
    """Each thread reads what the opposite thread of the CTA has written."""
    out = np.zeros(512, np.uint32)
    body = (
        OUT
        + """.shared .align 4 .b8 s[512];
    mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.u32 %r2, %r2, %r3; st.shared.u32 [%r2], %r0;
    bar.sync 0; sub.u32 %r4, 127, %r1; shl.b32 %r4, %r4, 2; add.u32 %r4, %r4, %r3; ld.shared.u32 %r5, [%r4];
    st.global.u32 [%rd1], %r5; ret;"""
    )
    launch(body, [out], block=128, grid=4)
    assert (out.reshape(4, 128) == np.arange(512).reshape(4, 128)[:, ::-1]).all()


def test_producer_and_consumer_warps_on_named_barriers() -> None:
    """Warp 0 fills, warp 1 reads, through bar.arrive and bar.sync with counts, three times round."""
    out = np.zeros(96, np.uint32)
    body = (
        INDEX
        + """.shared .align 4 .b8 s[128]; .reg .b32 %i;
    ld.param.u64 %rd1, [p0]; and.b32 %r1, %r0, 31; shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.u32 %r3, %r3, %r2;
    mov.u32 %i, 0; setp.ge.u32 %p1, %r0, 32; @%p1 bra consumer;
    producer: setp.eq.u32 %p2, %i, 0; @!%p2 bar.sync 2, 64; mad.lo.u32 %r4, %i, 1000, %r1; st.shared.u32 [%r3], %r4; bar.arrive 1, 64;
    add.u32 %i, %i, 1; setp.lt.u32 %p3, %i, 3; @%p3 bra producer; ret;
    consumer: bar.sync 1, 64; ld.shared.u32 %r5, [%r3]; mad.lo.u32 %r6, %i, 32, %r1; mad.wide.u32 %rd2, %r6, 4, %rd1;
    st.global.u32 [%rd2], %r5; add.u32 %i, %i, 1; setp.lt.u32 %p3, %i, 3; @!%p3 ret; bar.arrive 2, 64; bra consumer;"""
    )
    launch(body, [out], block=64)
    assert (out.reshape(3, 32) == np.arange(3)[:, None] * 1000 + np.arange(32)).all()


def test_barriers_numbered_by_the_threads() -> None:
    """Pairs of warps meet at a barrier of their own; the instruction is the same."""
    out = np.zeros(256, np.uint32)
    body = (
        OUT
        + """.shared .align 4 .b8 s[512]; mov.u32 %r1, %tid.x; mov.u32 %r2, s; mad.lo.u32 %r3, %r1, 4, %r2; st.shared.u32 [%r3], %r0;
    shr.u32 %r4, %r1, 6; add.u32 %r4, %r4, 1; barrier.sync %r4, 64; xor.b32 %r5, %r1, 32; mad.lo.u32 %r5, %r5, 4, %r2;
    ld.shared.u32 %r6, [%r5]; st.global.u32 [%rd1], %r6; ret;"""
    )
    launch(body, [out], block=128, grid=2)
    assert (out == np.arange(256) ^ 32).all()


def test_barrier_reductions() -> None:
    out = np.zeros((2, 96, 3), np.uint32)
    body = (
        INDEX
        + """ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %r0, 12, %rd1;
    and.b32 %r1, %r0, 3; setp.eq.u32 %p1, %r1, 0; bar.red.popc.u32 %r2, 0, %p1;
    mov.u32 %r3, %ctaid.x; setp.eq.u32 %p2, %r3, 1; or.pred %p3, %p1, %p2; bar.red.and.pred %p4, 0, %p3; bar.red.or.pred %p5, 0, !%p3;
    selp.u32 %r4, 1, 0, %p4; selp.u32 %r5, 1, 0, %p5; st.global.u32 [%rd1], %r2; st.global.u32 [%rd1+4], %r4; st.global.u32 [%rd1+8], %r5; ret;"""
    )
    launch(body, [out], block=96, grid=2)
    assert (out[:, :, 0] == 24).all()
    assert (out[0, :, 1:] == [0, 1]).all()
    assert (out[1, :, 1:] == [1, 0]).all()


def test_barrier_does_not_wait_for_exited_threads() -> None:
    out = np.zeros(64, np.uint32)
    body = OUT + "setp.ge.u32 %p1, %r0, 32; @%p1 exit; bar.sync 0; st.global.u32 [%rd1], 1; ret;"
    launch(body, [out], block=64)
    assert out.sum() == 32


def test_spinning_lanes_do_not_starve_the_one_they_wait_for() -> None:
    """A spin lock taken by threads of a warp in turn, and a flag that a later warp sets."""
    total, flag, lock = np.zeros(1, np.uint32), np.zeros(1, np.uint32), np.zeros(1, np.uint32)
    count = draws(10, 32)
    body = (
        INDEX
        + f"""ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2];
    setp.ge.u32 %p1, %r0, 32; @%p1 bra setter; setp.ge.u32 %p4, %r0, {count}; @%p4 ret;
    wait: ld.volatile.global.u32 %r1, [%rd2]; setp.eq.u32 %p2, %r1, 0; @%p2 bra wait;
    take: atom.global.cas.b32 %r2, [%rd3], 0, 1; setp.ne.u32 %p3, %r2, 0; @%p3 bra take;
    membar.gl; ld.global.u32 %r3, [%rd1]; add.u32 %r3, %r3, %r0; st.global.u32 [%rd1], %r3; membar.gl; atom.global.exch.b32 %r4, [%rd3], 0; ret;
    setter: st.volatile.global.u32 [%rd2], 1; ret;"""
    )
    launch(body, [total, flag, lock], block=64)
    assert total[0] == sum(range(count))


# -- warps ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["up", "down", "bfly", "idx"])
@pytest.mark.parametrize("width", [32, 8])
def test_shuffles(mode: str, width: int) -> None:
    a, b = integers(np.uint32, 64), np.random.default_rng(1).integers(0, 32, 64, dtype=np.uint32)
    out, valid = np.zeros(64, np.uint32), np.zeros(64, np.uint32)
    clamp = (0 if mode == "up" else 31 & (width - 1) | 0x1F) | (32 - width) << 8
    clamp = ((32 - width) << 8) | (0 if mode == "up" else 0x1F)
    body = (
        INDEX
        + f"""ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2]; ld.param.u64 %rd4, [p3];
    mad.wide.u32 %rd1, %r0, 4, %rd1; mad.wide.u32 %rd2, %r0, 4, %rd2; mad.wide.u32 %rd3, %r0, 4, %rd3; mad.wide.u32 %rd4, %r0, 4, %rd4;
    ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd2]; shfl.sync.{mode}.b32 %r3|%p1, %r1, %r2, {clamp}, 0xffffffff;
    selp.u32 %r4, 1, 0, %p1; st.global.u32 [%rd3], %r3; st.global.u32 [%rd4], %r4; ret;"""
    )
    launch(body, [a, b, out, valid], block=64)
    for thread in range(64):
        warp, lane = divmod(thread, 32)
        first = lane // width * width
        shift = int(b[thread])
        source = {"up": lane - shift, "down": lane + shift, "bfly": lane ^ shift, "idx": first + shift % width}[mode]
        inside = source >= first if mode == "up" else source <= first + width - 1
        assert valid[thread] == inside
        assert out[thread] == a[warp * 32 + (source if inside else lane)]


def test_votes_and_matches() -> None:
    a = np.random.default_rng(5).integers(0, 3, 64, dtype=np.uint32)
    a[32:] = 1
    out = np.zeros((64, 8), np.uint32)
    body = (
        INDEX
        + """ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mad.wide.u32 %rd1, %r0, 4, %rd1; mad.wide.u32 %rd2, %r0, 32, %rd2;
    ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 1;
    vote.sync.ballot.b32 %r2, %p1, -1; vote.sync.any.pred %p2, !%p1, -1; vote.sync.all.pred %p3, %p1, -1; vote.sync.uni.pred %p4, %p1, -1;
    match.any.sync.b32 %r3, %r1, -1; match.all.sync.b32 %r4|%p5, %r1, -1; redux.sync.add.u32 %r5, %r1, -1;
    activemask.b32 %r6; selp.u32 %r7, 1, 0, %p2; selp.u32 %r8, 1, 0, %p3; selp.u32 %r9, 1, 0, %p4;
    st.global.v4.u32 [%rd2], {%r2, %r7, %r8, %r9}; st.global.v4.u32 [%rd2+16], {%r3, %r4, %r5, %r6}; ret;"""
    )
    launch(body, [a, out], block=64, target="sm_80")
    for warp in range(2):
        v = a[32 * warp : 32 * warp + 32]
        ballot = sum(1 << i for i in range(32) if v[i] == 1)
        for lane in range(32):
            same = sum(1 << i for i in range(32) if v[i] == v[lane])
            every = int((v == v[0]).all())
            row = [ballot, int((v != 1).any()), int((v == 1).all()), int((v == 1).all() or (v != 1).all())]
            assert out[32 * warp + lane].tolist() == [*row, same, 0xFFFFFFFF * every, int(v.sum()), 0xFFFFFFFF]


def test_collectives_on_part_of_a_warp_gather_their_lanes() -> None:
    """Lanes that come to one shuffle by different ways; and two halves of a warp with masks of their own."""
    out = np.zeros((32, 2), np.uint32)
    body = (
        INDEX
        + """ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %r0, 8, %rd1; mov.u32 %r1, %r0;
    and.b32 %r2, %r0, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra slow; bra meet;
    slow: mov.u32 %r3, 0; more: add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, %r0; @%p2 bra more;
    meet: shfl.sync.bfly.b32 %r4, %r1, 1, 31, -1;
    setp.lt.u32 %p3, %r0, 16; selp.b32 %r5, 0xffff, 0xffff0000, %p3; redux.sync.add.u32 %r6, %r0, %r5;
    st.global.v2.u32 [%rd1], {%r4, %r6}; ret;"""
    )
    launch(body, [out])
    assert (out[:, 0] == (np.arange(32) ^ 1)).all()
    assert (out[:, 1] == np.where(np.arange(32) < 16, sum(range(16)), sum(range(16, 32)))).all()


def test_elect() -> None:
    out = np.zeros(32, np.uint32)
    body = (
        OUT
        + """setp.lt.u32 %p1, %r0, 5; @%p1 bra skip; elect.sync %r1|%p2, 0xffffffe0; selp.u32 %r2, 1, 0, %p2;
    mad.lo.u32 %r2, %r2, 100, %r1; st.global.u32 [%rd1], %r2; skip: ret;"""
    )
    launch(body, [out], target="sm_90")
    assert out.tolist() == [0] * 5 + [105] + [5] * 26


def test_local_memory_is_per_thread_and_labels_are_scoped() -> None:
    text = (
        """.visible .entry k(.param .u64 p0) { .local .align 4 .b8 depot[40];"""
        + REGISTERS
        + INDEX
        + """
    ld.param.u64 %rd1, [p0]; mov.u64 %rd2, depot;
    { .reg .u32 x; mov.u32 x, 0; again: mad.wide.u32 %rd3, x, 4, %rd2; mad.lo.u32 %r1, x, 100, %r0; st.local.u32 [%rd3], %r1;
      add.u32 x, x, 1; setp.lt.u32 %p1, x, 10; @%p1 bra again; }
    { .reg .u32 x; mov.u32 x, 0; again: add.u32 x, x, 1; setp.lt.u32 %p1, x, 5; @%p1 bra again; mad.wide.u32 %rd3, x, 4, %rd2; }
    ld.local.u32 %r2, [%rd3]; mad.wide.u32 %rd1, %r0, 4, %rd1; st.global.u32 [%rd1], %r2; ret; }"""
    )
    out = np.zeros(64, np.uint32)
    run(module(text), "k", 2, 32, [out])
    assert (out == 500 + np.arange(64)).all()


def test_lanes_behind_a_guarded_collective() -> None:
    """What follows a collective that some warps skip is executed by all of them."""
    out = np.zeros(64, np.uint32)
    body = f"""{INDEX} ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %r0, 4, %rd1; setp.lt.u32 %p1, %r0, 32; mov.u32 %r1, 5;
    @%p1 shfl.sync.idx.b32 %r1, %r0, 3, 31, -1; add.u32 %r2, %r1, 1; st.global.u32 [%rd1], %r2; ret;"""
    launch(body, [out], block=64)
    assert (out == [*[4] * 32, *[6] * 32]).all()


def test_the_address_of_a_function_parameter_is_a_local_one() -> None:
    # ptxas reads it back with LDL for ld.local and for ld.param alike, and needs cvta.local for a generic load.
    text = """.version 8.0
.target sm_80
.address_size 64
.func (.param .b32 r) third(.param .align 4 .b8 s[16]) {
  .reg .b32 %r<4>; .reg .b64 %rd<3>;
  mov.b64 %rd1, s; ld.local.b32 %r1, [%rd1+8]; cvta.local.u64 %rd2, %rd1; ld.b32 %r2, [%rd2+8];
  add.u32 %r1, %r1, %r2; st.param.b32 [r], %r1; ret; }
.visible .entry k(.param .u64 p) {
  .reg .b32 %r<4>; .reg .b64 %rd<3>; .param .align 4 .b8 s[16]; .param .b32 b;
  st.param.b32 [s+8], 21; call (b), third, (s); ld.param.b32 %r2, [b];
  ld.param.u64 %rd1, [p]; st.global.b32 [%rd1], %r2; ret; }
"""
    out = np.zeros(1, np.uint32)
    run(weft.parse(text), "k", (1,), (1,), [out])
    assert out[0] == 42
