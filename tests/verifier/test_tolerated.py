"""What ptxas accepts and the manual does not: we warn, and do not refuse."""

from __future__ import annotations

import pytest

import weft
from tests.isa.statements import module_of
from weft.errors import Severity
from weft.isa.target import NEWEST
from weft.toolchain import Tool, assemble

TOLERATED = """\
sm_90a  ld.global.v2.u32 {%r1, %f2}, [%rd1];
sm_90a  ld.global.v2.f32 {%r1, %p2}, [%rd1];
sm_90a  mov.b64 {%r1, %p2}, %rd1;
sm_90a  mov.v4.u32 {%r1, %r2, %r3, %r4}, 7;
sm_90a  ld.global.u32 %r1, [%h1];
sm_90a  atom.global.add.u32 %r1, [%c1], %r2;
sm_90a  add.f64 %rd1, %rd2, 0f3F800000;
sm_90a  st.global.f64 [%rd1], 0F00000001;
sm_90a  cp.async.bulk.prefetch.tensor.1d.L2.global [%f1, {%r1}];
sm_90a  tex.2d.v4.s32.f32 {%r1, %r2, %r3, %r4}, [%rd1, %r5];
sm_90a  tex.1d.v4.s32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5, %r6, %r7, %r8}];
sm_90a  tex.2d.v4.s32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5, %r6}], 7;
sm_90a  tex.cube.v4.s32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5, %r6, %r7, %r8}], 7, %r1;
sm_90a  suld.b.2d.v4.b32.trap {%r1, %r2, %r3, %r4}, [%rd1, %r1];
sm_90a  sust.b.2d.v4.b32.trap [%rd1, {%r1, %r2}], 64;
sm_90a  red.async.relaxed.cluster.mbarrier::complete_tx::bytes.or.b32 [%rd1], %r1;
sm_90a  cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%rd1], [%rd2], %r1, 7;
sm_100a tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, 5, 1;
""".splitlines()

REORDERED = """\
sm_90a  mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64.rz {%rd1, %rd2}, {%rd3}, {%rd4}, {%rd1, %rd2};
sm_90a  wgmma.fence.sync;
sm_90a  wgmma.wait_group.sync 4;
sm_90a  add.sat.sat.s32 %r1, %r2, %r3;
sm_120a mma.sync.aligned.kind::mxf8f6f4.sp::ordered_metadata.block_scale.m16n8k64.row.col.f32.e4m3.e4m3.f32.ue8m0 \
{%r1, %r2, %r3, %r4}, {%r1, %r2, %r3, %r4}, {%r1, %r2, %r3, %r4}, {%r1, %r2, %r3, %r4}, {%r5}, 0, \
{%r6}, {%h1, %h2}, {%r6}, {%h1, %h2};
sm_90a  add.s32.cc %r1, %r2, %r3;
sm_90a  mma.sync.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd1, %rd2}, {%rd3}, {%rd4}, {%rd1, %rd2};
""".splitlines()

REFUSED = """\
sm_100a tcgen05.ld.sync.aligned.32x32b.x2.b32 {%p1, %r2}, [%r3];
sm_100a tcgen05.ld.sync.aligned.32x32b.x2.b32 {_, %r2}, [%r3];
sm_100a tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r2, %r2}, [%r3];
sm_100a tcgen05.st.sync.aligned.32x32b.x1.b32 [%r3], {1};
sm_100a tcgen05.st.sync.aligned.32x32b.x2.b32 [%r3], {%p1, %r2};
sm_100a tcgen05.alloc.cta_group::1.sync.aligned.b32 [%h1], 512;
sm_90a  st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%h1], %r1, [%rd2];
sm_90a  wmma.store.d.sync.aligned.row.m16n16k16.shared.f16 [%h1], {%r5, %r6, %r7, %r8};
sm_90a  mma.sync.aligned.m8n8k4.row.col.rna.f64.f64.f64.f64 {%rd1, %rd2}, {%rd3}, {%rd4}, {%rd1, %rd2};
sm_90a  ld.global.v2.u32 {%p1, %p2}, [%rd1];
sm_90a  ld.global.v2.u16 {%h1, %f2}, [%rd1];
sm_90a  ld.global.u32 %r1, [%f1];
sm_90a  tex.3d.v4.s32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5, %r6}];
sm_90a  tex.cube.v4.s32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5, %r6, %r7, %r8}], {%r5, %r6, %r7, %r8};
sm_90a  tex.1d.v4.s32.f32 {%r1, %r2, %r3, %r4}, [%r99, %r1];
sm_90a  mma.sync.m8n8k4.row.col.f64.f64.f64.f64 {%rd1, %rd2}, {%rd3}, {%rd4}, {%rd1, %rd2};
""".splitlines()

VARIADIC = """.version 8.0
.target sm_80
.address_size 64
.func f(.param .b64 x, .param .align 8 .b8 rest[]) {{ ret; }}
.visible .entry k() {{ .param .b64 p; .param {argument}; call.uni f, (p, a); ret; }}
"""


def findings(case: str) -> list[weft.Diagnostic]:
    target, statement = case.split(None, 1)
    return weft.verify(weft.parse(module_of([statement], target, NEWEST)[0]))


def assembles(case: str) -> bool:
    target, statement = case.split(None, 1)
    try:
        assemble(module_of([statement], target, NEWEST)[0], target=target)
    except weft.ToolError:
        return False
    return True


@pytest.mark.sample(4)
@pytest.mark.parametrize("case", TOLERATED)
def test_tolerated(ptxas: Tool, case: str) -> None:
    assert {(item.code, item.severity) for item in findings(case)} == {("tolerated", Severity.WARNING)}
    assert assembles(case)


@pytest.mark.sample(3)
@pytest.mark.parametrize("case", REORDERED)
def test_modifiers_repeated_or_left_out(ptxas: Tool, case: str) -> None:
    assert [(item.code, item.severity) for item in findings(case)] == [("modifier-order", Severity.WARNING)]
    assert assembles(case)


@pytest.mark.parametrize("case", REFUSED)
def test_still_refused(ptxas: Tool, case: str) -> None:
    assert [item for item in findings(case) if item.severity is Severity.ERROR]
    assert not assembles(case)


@pytest.mark.parametrize(
    ("argument", "fits"),
    [(".align 8 .b8 a[24]", True), (".align 8 .b32 a[4]", True), (".b8 a", False), (".b32 a", False)],
)
def test_arguments_of_variadic_functions(ptxas: Tool, argument: str, fits: bool) -> None:
    text = VARIADIC.format(argument=argument)
    assert (weft.verify(weft.parse(text)) == []) == fits
    try:
        assemble(text)
    except weft.ToolError:
        assert not fits
    else:
        assert fits


def test_a_float_of_32_bits_in_place_of_64() -> None:
    """ptxas takes `0f3F800000` for the low half of a .f64."""
    (found,) = findings("sm_80 add.f64 %rd1, %rd2, 0f3F800000;")
    assert "literal 0f3F800000 has 32 bits: as a .f64 it is 5.26354e-315, not 1" in found.message
    assert found.hint == "write 0d3FF0000000000000"
    assert not findings("sm_80 add.f64 %rd1, %rd2, 0d3FF0000000000000;")
    assert not findings("sm_80 mov.f32 %r1, 0f3F800000;")
