"""What may be as an address: kind of base by instruction and state space."""

from __future__ import annotations

from collections.abc import Iterator

from tests.verifier.matrices.probe import Probe, probe

MODULE = (
    ".global .align 16 .b32 gv[64]; .global .b8 gb; .const .align 16 .b32 cv[4]; .shared .align 16 .b32 sv[64]; "
    ".extern .shared .align 16 .b8 es[]; .global .texref tx; .global .surfref sf; .func fn() { ret; } "
)
FRAMES = (
    (".entry e(.param .b64 kp, .param .align 16 .b8 ka[64], .param .texref kt)", "kp ka kt ka+4 e"),
    (
        ".func (.param .align 16 .b8 fr[16]) f(.param .align 16 .b8 fp[64], .param .b32 fs, .reg .b64 fg)",
        "fr fp fs fg f",
    ),
)
LOCALS = (
    ".reg .b32 %r<20>; .reg .u32 %u<3>; .reg .s32 %s<3>; .reg .b64 %rd<20>; .reg .u64 %ud<3>; .reg .s64 %sd<3>; "
    ".reg .b16 %h<3>; .reg .u16 %uh<3>; .reg .b8 %c<3>; .reg .f32 %f<20>; .reg .f64 %fd<9>; .reg .f16 %hf<3>; "
    ".reg .pred %p<9>; .reg .b128 %q<3>; .reg .v2 .b32 %v; .reg .v2 .b64 %vd; .local .align 16 .b32 lv[4]; "
    ".param .align 16 .b32 pv[4]; "
)
_BASES = (
    "gv gv+4 gv+-4 gv-4 gv[1] gb cv cv+4 sv sv+4 es lv lv+4 lv[2] pv pv+4 tx sf fn L T %rd1 %rd1+4 %rd1+-4 %rd1-4 %rd1+0 "
    "%rd1+0x10 %rd1+%r1 %rd1+gv gv+%rd1 %rd1+2147483647 %rd1+2147483648 %rd1+-2147483649 %rd1+99999999999 "
    "%rd1+(4+4) %rd1+1.5 %r1 %r1+4 %u1 %s1 %ud1 %sd1 %h1 %uh1 %c1 %f1 %fd1 %hf1 %p1 %q1 %v %v.x %vd %vd.x %tid.x "
    "%clock64 0 8 -8 0x10 1.0 (4+4) WARP_SZ nowhere _ %rd1,4 4+%rd1 {%rd1} !%rd1 -%rd1"
)
BASES = _BASES.split()
_FEW = "gv cv sv lv pv kp fp fr fn L tx %rd1 %r1 %h1 %f1 %p1 %v 8 nowhere %rd1+8"
FEW = _FEW.split()

PLAIN = (
    *(f"ld{space}.b32 %r9, [{{a}}]" for space in ("", ".global", ".const", ".shared", ".local", ".param")),
    *(f"st{space}.b32 [{{a}}], %r9" for space in ("", ".global", ".shared", ".local", ".param")),
    "atom.add.u32 %r9, [{a}], %r8", "atom.global.add.u32 %r9, [{a}], %r8", "atom.shared.add.u32 %r9, [{a}], %r8",
    "ld.global.nc.b32 %r9, [{a}]", "mov.b64 %rd9, {a}", "mov.b32 %r9, {a}",
    "cvta.global.u64 %rd9, {a}", "cvta.shared.u64 %rd9, {a}",
)  # fmt: skip
OTHERS = (
    "ld.param::entry.b32 %r9, [{a}]", "ld.param::func.b32 %r9, [{a}]", "st.param::func.b32 [{a}], %r9",
    "ld.shared::cta.b32 %r9, [{a}]", "ld.shared::cluster.b32 %r9, [{a}]", "st.shared::cluster.b32 [{a}], %r9",
    "ld.volatile.b32 %r9, [{a}]", "ld.volatile.shared.b32 %r9, [{a}]", "ld.acquire.gpu.b32 %r9, [{a}]",
    "ld.global.v2.b32 {{%r9, %r8}}, [{a}]", "ld.v4.f32 {{%f9, %f8, %f7, %f6}}, [{a}]", "st.global.v2.b64 [{a}], {{%rd8, %rd7}}",
    "ldu.global.b32 %r9, [{a}]", "red.add.u32 [{a}], %r8", "red.global.add.f32 [{a}], %f8", "red.shared.add.u32 [{a}], %r8",
    "atom.cas.b64 %rd9, [{a}], %rd8, %rd7", "atom.shared::cluster.add.u32 %r9, [{a}], %r8",
    "prefetch.global.L1 [{a}]", "prefetch.local.L2 [{a}]", "prefetch.L1 [{a}]", "prefetchu.L1 [{a}]",
    "prefetch.tensormap [{a}]", "prefetch.const.tensormap [{a}]", "prefetch.param.tensormap [{a}]",
    "discard.global.L2 [{a}], 128", "applypriority.global.L2::evict_normal [{a}], 128",
    "isspacep.global %p2, {a}", "isspacep.shared %p2, {a}",
    "cvta.to.global.u64 %rd9, {a}", "cvta.local.u64 %rd9, {a}", "cvta.const.u64 %rd9, {a}", "cvta.param.u64 %rd9, {a}",
    "mapa.shared::cluster.u32 %r9, {a}, %r8", "mapa.u64 %rd9, {a}, %r8", "getctarank.shared::cluster.u32 %r9, {a}",
    "cp.async.ca.shared.global [{a}], [%rd9], 4", "cp.async.ca.shared.global [%r9], [{a}], 4",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [{a}], [%rd9], %r8, [%r7]",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r9], [{a}], %r8, [%r7]",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r9], [%rd9], %r8, [{a}]",
    "cp.async.bulk.global.shared::cta.bulk_group [{a}], [%r9], %r8",
    "cp.async.bulk.prefetch.L2.global [{a}], %r8",
    "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%r9], [{a}, {{%r8}}], [%r7]",
    "mbarrier.init.shared.b64 [{a}], %r8", "mbarrier.init.b64 [{a}], %r8", "mbarrier.arrive.shared.b64 %rd9, [{a}]",
    "mbarrier.test_wait.shared.b64 %p2, [{a}], %rd8", "mbarrier.try_wait.b64 %p2, [{a}], %rd8",
    "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{%r9}}, [{a}]", "ldmatrix.sync.aligned.m8n8.x1.b16 {{%r9}}, [{a}]",
    "stmatrix.sync.aligned.m8n8.x1.shared.b16 [{a}], {{%r9}}",
    "wmma.load.c.sync.aligned.row.m16n16k16.global.f16 {{%r5, %r6, %r7, %r8}}, [{a}]",
    "wmma.store.d.sync.aligned.row.m16n16k16.shared.f16 [{a}], {{%r5, %r6, %r7, %r8}}",
    "wmma.load.c.sync.aligned.row.m16n16k16.f16 {{%r5, %r6, %r7, %r8}}, [{a}]",
    "multimem.ld_reduce.relaxed.gpu.global.add.u32 %r9, [{a}]", "multimem.st.relaxed.gpu.global.u32 [{a}], %r9",
    "tensormap.replace.tile.global_address.global.b1024.b64 [{a}], %rd9",
    "fence.proxy.tensormap::generic.acquire.gpu [{a}], 128",
    "createpolicy.range.global.L2::evict_last.b64 %rd9, [{a}], 4, 8",
    "tex.1d.v4.f32.f32 {{%f6, %f7, %f8, %f9}}, [{a}, {{%f5}}]", "txq.width.b32 %r9, [{a}]",
    "suld.b.1d.b32.trap %r9, [{a}, {{%r8}}]", "sust.b.1d.b32.trap [{a}, {{%r8}}], %r9", "suq.width.b32 %r9, [{a}]",
    "istypep.texref %p2, {a}", "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [{a}], %r9, [%r8]",
    "call {a}", "call {a}, T", "call fn, ({a})", "bra {a}", "brx.idx {a}, B", "@%p2 bra {a}",
    "add.s64 %rd9, {a}, 4", "add.s32 %r9, {a}, 4", "add.f32 %f9, {a}, %f8", "setp.eq.u64 %p2, {a}, %rd8",
    "mov.u64 %rd9, {a}", "mov.u32 %r9, {a}", "mov.f32 %f9, {a}", "mov.pred %p2, {a}", "mov.b16 %h2, {a}", "mov.b128 %q2, {a}",
    "cvt.u64.u32 %rd9, {a}", "selp.b64 %rd9, {a}, %rd8, %p2", "mul.wide.u32 %rd9, {a}, 4", "shl.b32 %r9, {a}, 1",
    "bar.sync {a}", "nanosleep.u32 {a}", "mad.lo.s32 %r9, %r8, {a}, %r7", "not.pred %p2, {a}",
)  # fmt: skip


def asked(frame: str, statement: str) -> Probe:
    """A statement in a function that begins so, with variables and registers of all kinds around it."""
    labels = "T: .callprototype _ (); B: .branchtargets L; "
    found = probe(f"{MODULE}{frame} {{ {LOCALS}{labels}{statement}; L: ret; }}", "9.0", "sm_90a", kernel=False)
    return found._replace(label=f"{frame.partition('(')[0]} {statement}")


def addresses() -> Iterator[Probe]:
    """Every base for the plain memory instructions, the main ones for the rest."""
    for frame, own in FRAMES:
        for instructions, bases in ((PLAIN, BASES), (OTHERS, FEW if frame.startswith(".func") else BASES[::2] + FEW)):
            for instruction in instructions:
                for base in dict.fromkeys((*bases, *own.split())):
                    yield asked(frame, instruction.format(a=base))
