"""`nvvm` operations: the instruction that each becomes, judged by ptxas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.codegen.support import compiled
from weft.sim import run

ARGUMENTS = (
    "%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %f: f32, %q: !llvm.ptr<3>, %l: i64, %c: !llvm.ptr<7>"
)


def lines(body: str, target: str) -> str:
    """The PTX of a kernel with this body, without what the arguments need."""
    text = f"""module {{ llvm.func @k({ARGUMENTS}) attributes {{nvvm.kernel}} {{
      %zero = llvm.mlir.constant(0 : i32) : i32
      %t = llvm.icmp "eq" %i, %zero : i32
      {body}
      llvm.return }} }}"""
    return compiled(text, target).to_ptx()


def stored(value: str, type_: str) -> str:
    return f"llvm.store {value}, %p : {type_}, !llvm.ptr"


CASES: list[tuple[str, str, str]] = [
    ("sm_80", "nvvm.barrier0", "bar.sync 0;"),
    ("sm_80", "nvvm.barrier id = %i number_of_threads = %i", "bar.sync %r"),
    ("sm_80", "nvvm.barrier.arrive id = %i number_of_threads = %i", "bar.arrive %r"),
    ("sm_80", "nvvm.bar.warp.sync %i : i32", "bar.warp.sync %r"),
    ("sm_80", "%r = nvvm.shfl.sync bfly %i, %f, %i, %i : f32 -> f32\n" + stored("%r", "f32"), "shfl.sync.bfly.b32 %r"),
    ("sm_80", "%r = nvvm.vote.sync ballot %i, %t -> i32\n" + stored("%r", "i32"), "vote.sync.ballot.b32"),
    ("sm_80", "%r = nvvm.redux.sync add %i, %i : i32 -> i32\n" + stored("%r", "i32"), "redux.sync.add.s32"),
    ("sm_80", "%r = nvvm.match.sync any %i, %i : i32 -> i32\n" + stored("%r", "i32"), "match.any.sync.b32"),
    ("sm_90", "%r = nvvm.elect.sync -> i1\n%x = llvm.zext %r : i1 to i32\n" + stored("%x", "i32"), "elect.sync %r"),
    ("sm_80", "nvvm.cp.async.shared.global %s, %g, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>", "cp.async.cg.shared.global ["),
    ("sm_80", "nvvm.cp.async.shared.global %s, %g, 8, cache = ca, %i : !llvm.ptr<3>, !llvm.ptr<1>, i32", "], 8, %r"),
    ("sm_80", "nvvm.cp.async.commit.group\nnvvm.cp.async.wait.group 2", "cp.async.wait_group 2;"),
    ("sm_80", "nvvm.mbarrier.init %s, %i : !llvm.ptr<3>, i32", "mbarrier.init.shared.b64 ["),
    ("sm_80", "nvvm.mbarrier.inval %s : !llvm.ptr<3>", "mbarrier.inval.shared.b64 ["),
    ("sm_90", "nvvm.mbarrier.arrive.expect_tx %s, %i, predicate = %t : !llvm.ptr<3>, i32, i1", "mbarrier.arrive.expect_tx.shared.b64 %rd"),
    ("sm_90", "nvvm.mbarrier.try_wait.parity %s, %i, %i : !llvm.ptr<3>, i32, i32", "mbarrier.try_wait.parity.shared.b64 %p"),
    ("sm_90", "nvvm.fence.mbarrier.init\nnvvm.fence.sc.cluster", "fence.mbarrier_init.release.cluster;"),
    ("sm_90", "nvvm.cluster.arrive {aligned}\nnvvm.cluster.wait {aligned}", "barrier.cluster.wait.aligned;"),
    ("sm_90", "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}", "fence.proxy.async.shared::cta;"),
    ("sm_90a", "nvvm.setmaxregister increase 232", "setmaxnreg.inc.sync.aligned.u32 232;"),
    ("sm_90a", "nvvm.wgmma.fence.aligned\nnvvm.wgmma.commit.group.sync.aligned\nnvvm.wgmma.wait.group.sync.aligned 1", "wgmma.wait_group.sync.aligned 1;"),
    ("sm_90", "nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %p, %s, box[%i, %i] : !llvm.ptr<7>, !llvm.ptr",
     "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes ["),
    ("sm_90", "nvvm.cp.async.bulk.tensor.global.shared.cta %p, %s, box[%i] : !llvm.ptr, !llvm.ptr<3>",
     "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group ["),
    ("sm_90", "nvvm.cp.async.bulk.commit.group\nnvvm.cp.async.bulk.wait_group 0 {read}", "cp.async.bulk.wait_group.read 0;"),
    ("sm_90", "nvvm.cp.async.bulk.global.shared.cta %g, %s, %i : !llvm.ptr<1>, !llvm.ptr<3>", "cp.async.bulk.global.shared::cta.bulk_group ["),
    ("sm_90", "nvvm.prefetch tensormap, %p : !llvm.ptr", "prefetch.tensormap [%rd"),
    ("sm_80", "nvvm.prefetch level = L2, %g : !llvm.ptr<1>", "prefetch.global.L2 ["),
    ("sm_90", "%r = nvvm.mapa %s, %i : !llvm.ptr<3> -> !llvm.ptr<7>\n%v = llvm.load %r : !llvm.ptr<7> -> f32\n" + stored("%v", "f32"),
     "mapa.shared::cluster.u32"),
    ("sm_80", "%r = nvvm.rcp.approx.ftz.f %f : f32\n" + stored("%r", "f32"), "rcp.approx.ftz.f32"),
    ("sm_80", "%r = nvvm.read.ptx.sreg.laneid : i32\n" + stored("%r", "i32"), "%laneid;"),
    ("sm_80", "%r = nvvm.read.ptx.sreg.clock64 : i64\n" + stored("%r", "i64"), "mov.u64 %rd"),
    ("sm_90", "%r = nvvm.read.ptx.sreg.cluster.ctaid.x : i32\n" + stored("%r", "i32"), "%cluster_ctaid.x;"),
    ("sm_80", "%r = nvvm.ldmatrix %s {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> i32\n" + stored("%r", "i32"),
     "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r"),
    ("sm_90", "nvvm.stmatrix %s, %i, %i {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32",
     "stmatrix.sync.aligned.m8n8.x2.shared.b16 ["),
    ("sm_80", "llvm.fence syncscope(\"block\") acq_rel", "fence.acq_rel.cta;"),
    ("sm_80", "%r = llvm.atomicrmw add %g, %i monotonic : !llvm.ptr<1>, i32\n" + stored("%r", "i32"), "atom.global.add.u32"),
]  # fmt: skip


def test_descriptors_have_their_fields_where_hardware_looks_for_them() -> None:
    """Fourteen bits of an address and of two distances, and what is beside these; other bits are cut off."""
    text = """llvm.func @k(%i: i32, %j: i32, %k: i32, %b: i8, %x: i1, %b2: i8, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
      %r = nvvm.tcgen05.mma_smem_desc (%i, %j, %k, %b, %x, %b2) : (i32, i32, i32, i8, i1, i8) -> i64
      llvm.store %r, %out : i64, !llvm.ptr<1>
      llvm.return }"""
    module = compiled(text, "sm_100a")
    for fields in (
        (0, 0, 0, 0, 0, 0),
        (-1, -1, -1, -1, 1, -1),
        (0x12345, 0x23456, 0x34567, 5, 0, 6),
        (1, 2, 4, 8, 1, 1),
    ):
        out = np.zeros(1, np.uint64)
        run(module, "k", 1, 1, [*fields, out])
        wanted = 1 << 46
        for value, bits, place in zip(fields, (14, 14, 14, 3, 1, 3), (0, 16, 32, 49, 52, 61), strict=True):
            wanted |= (value & (1 << bits) - 1) << place
        assert int(out[0]) == wanted


PLAIN = [
    ("sm_90", "nvvm.barrier id = %i {aligned = false}", "barrier.sync %r0;"),
    ("sm_90", "nvvm.barrier id = %i {aligned = true}", "bar.sync %r0;"),
    ("sm_90", "%r = nvvm.barrier #nvvm.reduction<popc> %i -> i32 {aligned = false}\n" + stored("%r", "i32"), "barrier.red.popc.u32 %r1, 0, %p0;"),
    ("sm_90", "%r = nvvm.barrier #nvvm.reduction<or> %i -> i32 {aligned = false}\n" + stored("%r", "i32"), "barrier.red.or.pred %p1, 0, %p0;"),
    ("sm_90", "%r = nvvm.barrier #nvvm.reduction<and> %i -> i32\n" + stored("%r", "i32"), "bar.red.and.pred %p1, 0, %p0;"),
]  # fmt: skip
"""What upstream has no words for yet."""


@pytest.mark.parametrize(("target", "body", "wanted"), PLAIN)
def test_barriers_in_divergent_code_are_not_aligned(target: str, body: str, wanted: str) -> None:
    assert wanted in lines(body, target)


@pytest.mark.parametrize("stated", ["", " range <i32, 0, 0>", " range <i32, 64, 3>", " range <i32, 0, 5>"])
def test_ranges_that_hold_all_numbers_or_none_say_nothing(stated: str) -> None:
    """A range ends before its end, and may go over the largest number."""
    body = f"""%r = nvvm.read.ptx.sreg.laneid{stated} : i32
      %five = llvm.mlir.constant(5 : i32) : i32
      %b = llvm.icmp "ult" %r, %five : i32
      %x = llvm.zext %b : i1 to i32
      """
    ptx = lines(body + stored("%x", "i32"), "sm_80")
    assert ("setp" in ptx) == (stated != " range <i32, 0, 5>")


@pytest.mark.sample(3)
@pytest.mark.parametrize(("target", "body", "wanted"), CASES, ids=[body.split("\n")[0][:40] for _, body, _ in CASES])
def test_instruction(target: str, body: str, wanted: str) -> None:
    assert wanted in lines(body, target)


def test_special_register_needs_its_target() -> None:
    from weft.errors import CompileError

    with pytest.raises(CompileError, match="cluster_ctaid"):
        lines("%r = nvvm.read.ptx.sreg.cluster.ctaid.x : i32\n" + stored("%r", "i32"), "sm_80")


def test_hopper_product(hopper: str) -> None:
    """Accumulators of wgmma stay in their registers: no copy stands between two products."""
    module = compiled(hopper, "sm_90a")
    text = module.to_ptx()
    inside = text[text.index("wgmma.fence") : text.index("wgmma.commit_group")]
    assert "mov." not in inside
    assert "mov.b32" not in text[text.index("$L__BB0_1:") : text.index("wgmma.fence")]


def test_hopper_product_is_not_serialised(hopper: str, ptxas: Any) -> None:
    """ptxas says C7514 when it must run the products one after another."""
    from weft.toolchain import assemble

    cubin = assemble(compiled(hopper, "sm_90a"))
    assert not [d for d in cubin.remarks if "C7514" in d.message]


@pytest.fixture
def hopper() -> str:
    tile = "memref<64x64xf16, #gpu.address_space<workgroup>>"
    accumulator = "<fragmented = vector<64x64xf32>>"
    tensor = (
        "!nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, "
        "oob = zero, interleave = none>"
    )
    bytes_ = "memref<?xi8, #gpu.address_space<workgroup>>"
    return f"""
    !bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 1>
    !map = {tensor}
    gpu.module @m {{
      gpu.func @k(%a: !map, %b: !map, %C: memref<64x64xf32>, %n: index) kernel
          attributes {{known_block_size = array<i32: 128, 1, 1>}} {{
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %c8192 = arith.constant 8192 : index
        %bytes = arith.constant 16384 : index
        %ticks = arith.constant 10000000 : index
        %false = arith.constant false
        %true = arith.constant true
        %t = gpu.thread_id x
        %p = arith.cmpi eq, %t, %c0 : index
        %bar = nvgpu.mbarrier.create -> !bar
        nvgpu.mbarrier.init %bar[%c0], %c1, predicate = %p : !bar
        gpu.barrier
        %d = gpu.dynamic_shared_memory : {bytes_}
        %sA = memref.view %d[%c0][] : {bytes_} to {tile}
        %sB = memref.view %d[%c8192][] : {bytes_} to {tile}
        %zero = nvgpu.warpgroup.mma.init.accumulator -> !nvgpu.warpgroup.accumulator{accumulator}
        %r:2 = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero, %ph = %false)
            -> (!nvgpu.warpgroup.accumulator{accumulator}, i1) {{
          nvgpu.mbarrier.arrive.expect_tx %bar[%c0], %bytes, predicate = %p : !bar
          nvgpu.tma.async.load %a[%i, %c0], %bar[%c0] to %sA, predicate = %p : !map, !bar -> {tile}
          nvgpu.tma.async.load %b[%c0, %i], %bar[%c0] to %sB, predicate = %p : !map, !bar -> {tile}
          nvgpu.mbarrier.try_wait.parity %bar[%c0], %ph, %ticks : !bar
          %dA = nvgpu.warpgroup.generate.descriptor %sA, %a : {tile}, !map -> !nvgpu.warpgroup.descriptor<tensor = {tile}>
          %dB = nvgpu.warpgroup.generate.descriptor %sB, %b : {tile}, !map -> !nvgpu.warpgroup.descriptor<tensor = {tile}>
          %next = nvgpu.warpgroup.mma %dA, %dB, %acc {{transposeB}}
            : <tensor = {tile}>, <tensor = {tile}>, {accumulator} -> {accumulator}
          %other = arith.xori %ph, %true : i1
          scf.yield %next, %other : !nvgpu.warpgroup.accumulator{accumulator}, i1
        }}
        nvgpu.warpgroup.mma.store %r#0, %C : {accumulator} to memref<64x64xf32>
        gpu.return
      }}
    }}
    """


def test_inline_assembly() -> None:
    body = """%a = llvm.inline_asm has_side_effects "add.s32 $0, $1, $2;", "=r,r,n" %i, %zero : (i32, i32) -> i32
      %b = llvm.inline_asm "{ .reg .pred p; setp.ne.b32 p, $1, 0; @p add.f32 $0, $2, $2; @!p mov.f32 $0, $2; }",
        "=f,r,f" %a, %f : (i32, f32) -> f32
      %x = llvm.inline_asm "mad.lo.s32 $0, $1, $2, $0;", "=r,r,r,0" %a, %i, %i : (i32, i32, i32) -> i32
      llvm.store %x, %g : i32, !llvm.ptr<1>
      """ + stored("%b", "f32")
    text = lines(body, "sm_80")
    assert ", 0;" in text
    assert "@!p mov.f32" in text
    assert "mad.lo.s32" in text


def test_inline_ptx() -> None:
    body = """%r = nvvm.inline_ptx "ex2.approx.ftz.f32 $0, $1;" ro(%f : f32) -> f32
      nvvm.inline_ptx "prefetch.global.L2 [$0];" ro(%g : !llvm.ptr<1>), predicate = %t
      """ + stored("%r", "f32")
    text = lines(body, "sm_80")
    assert "ex2.approx.ftz.f32 %r" in text
    assert "@%p0 prefetch.global.L2 [%rd" in text


@pytest.mark.parametrize(
    ("code", "message"),
    [("add.s32 $0, $0;;; ?", "cannot parse"), ("addd.s32 $0, $0, $0;", "addd"), ("mov.b32 $0, $9;", "$9")],
)
def test_bad_inline_assembly(code: str, message: str) -> None:
    from weft.errors import CompileError

    with pytest.raises(CompileError) as caught:
        lines(f'%r = llvm.inline_asm has_side_effects "{code}", "=r" : () -> i32\n' + stored("%r", "i32"), "sm_80")
    assert message in caught.value.message
    assert caught.value.position.line


@pytest.mark.parametrize(
    ("name", "types", "given", "result", "wanted"),
    [
        ("shfl.sync.bfly.i32", "i32, i32, i32, i32", "%m, %i, %k, %k", "i32", "shfl.sync.bfly.b32 %r1, %r0, 3, 3, -1;"),
        ("vote.ballot.sync", "i32, i1", "%m, %t", "i32", "vote.sync.ballot.b32 %r1, %p0, -1;"),
        ("redux.sync.add", "i32, i32", "%i, %m", "i32", "redux.sync.add.s32 %r1, %r0, -1;"),
        ("prmt", "i32, i32, i32", "%i, %i, %k", "i32", "prmt.b32 %r1, %r0, %r0, 3;"),
        ("fma.rn.f", "f32, f32, f32", "%f, %f, %f", "f32", "fma.rn.f32 %r1, %r0, %r0, %r0;"),
    ],
)
def test_operands_of_intrinsics(name: str, types: str, given: str, result: str, wanted: str) -> None:
    """Integers that are known stand in the instruction, tests in predicates, floats in registers."""
    text = lines(
        f"""%k = llvm.mlir.constant(3 : i32) : i32
        %m = llvm.mlir.constant(-1 : i32) : i32
        %r = llvm.call_intrinsic "llvm.nvvm.{name}"({given}) : ({types}) -> {result}
        {stored("%r", result)}""",
        "sm_80",
    )
    assert f"\t{wanted}\n" in text
