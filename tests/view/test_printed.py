"""What is printed of modules, graphs, instructions and traces, whole; and every word of a line in its colour."""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import Any

import click
import pytest
from pygments.lexer import RegexLexer

import weft
from weft.errors import WeftError
from weft.isa import families
from weft.isa.directives import DIRECTIVES
from weft.isa.registers import SPECIAL_REGISTERS
from weft.ptx.analysis import cfg
from weft.ptx.analysis.calls import call_graph
from weft.ptx.analysis.sources import LineIndex
from weft.tracing import Trace
from weft.tracing.model import Links, Span, Stage
from weft.view import catalog, manual, server
from weft.view.calls import call_lines
from weft.view.flow import flow_lines, flow_svg
from weft.view.layers import Box, layout
from weft.view.lexers import MlirLexer, PtxLexer, SassLexer
from weft.view.summary import print_summary, summarize
from weft.view.traces import holders, machine_lines, ptx_lines, terminal

HERE = Path(__file__).parent

# -- modules ---------------------------------------------------------------------------------------------------------

MODULE = """// nvcc
.version 8.0
.target sm_80
.address_size 64
.global .b32 g[4]; .shared .align 16 .b8 s[128];
.extern .func (.param .b32 r) ext(.param .b32 a);
.func (.reg .b32 r) rec(.reg .b32 a) { call (r), rec, (a); ret; }
.visible .entry k(.param .u64 .ptr .global p, .param .u32 n) .maxntid 128, 1, 1
{
	.reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .f32 %f<3>;
	.local .b8 buf[16];
	.loc 1 3 0
	ld.param.u64 %rd1, [p];
	ld.global.v2.f32 {%f1, %f2}, [%rd1];
	ld.global.nc.b32 %r7, [%rd1];
L:	add.u32 %r1, %r1, 1;
	.loc 1 7 0
	st.shared.b32 [s], %r1;
	ld.b32 %r2, [%rd1];
	setp.lt.u32 %p1, %r1, 10;
	@%p1 bra L;
	call (%r3), rec, (%r2);
	{ .param .b32 q; .param .b32 w; call (q), ext, (w); }
	frob.x %r1;
	call %rd2, P;
	P: .callprototype _ ();
	ret;
}
.visible .entry _Z1fPf(.param .u64 _Z1fPf_param_0) { .local .b8 b[1]; .shared .b8 c[2]; .const .b8 d[3]; ret; }
.file 1 "k.cu"
"""
SUMMARY = """k.ptx: PTX 8.0 for sm_80
needs PTX 3.1 or newer and sm_32 or later
variables: global g[4]: b32; shared s[128]: align 16 b8
not in the ISA table: frob.x
called, defined elsewhere: ext
may call themselves: rec

function ext (declared only)
  parameters    a: b32
  returns       r: b32

function rec
  parameters      a: b32
  returns         r: b32
  live at once    1 32-bit register at line 7
  instructions    2 instructions, 1 basic block
  mix             call 1, ret 1
  calls           rec 1

kernel k
  source          k.cu:3-7
  parameters      p: u64, n: u32
  directives      .maxntid 128, 1, 1
  registers       2 pred, 9 b32, 4 b64, 3 f32
  live at once    7 32-bit registers at line 14 (k.cu:3), 1 predicate
  local memory    16 bytes
  instructions    13 instructions, 3 basic blocks, 1 loop
  mix             ld 4, call 3, add 1, st 1, setp 1, bra 1, frob.x 1, ret 1
  traffic         1 load param: 8 bytes per thread
                  2 load global: 12 bytes per thread
                  1 store shared: 4 bytes per thread
                  1 load generic: 4 bytes per thread
  calls           rec 1, ext 1, unknown 1

kernel _Z1fPf
  in C++           f(float*)
  parameters       param_0: u64
  shared memory    2 bytes
  local memory     1 bytes
  const memory     3 bytes
  instructions     1 instruction, 1 basic block
  mix              ret 1
"""


def printed(text: str, capsys: pytest.CaptureFixture[str], columns: int, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("COLUMNS", str(columns))
    print_summary(summarize(weft.parse(text, filename="k.ptx")))
    return click.unstyle(capsys.readouterr().out)


def test_a_summary(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert printed(MODULE, capsys, 120, monkeypatch) == SUMMARY


def test_a_summary_is_as_wide_as_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Values go on below themselves, in 20 columns at least; of many variables and parameters eight are named."""
    names = "".join(f".global .b32 g{n};\n" for n in range(9))
    parameters = ", ".join(f".param .b32 p{n}" for n in range(9))
    head = ".version 8.0\n.target sm_80\n.address_size 64\n"
    text = f"{head}{names}.entry k({parameters}) {{ ret; }}\n.func f({parameters.rpartition(',')[0]});\n"
    assert printed(text, capsys, 42, monkeypatch) == (
        "k.ptx: PTX 8.0 for sm_80\n"
        "needs PTX 2.0 or newer and sm_20 or later\n"
        "variables: 9: global g0: b32; global g1:\n"
        "b32; global g2: b32; global g3: b32;\n"
        "global g4: b32; global g5: b32; global g6:\n"
        "b32; global g7: b32, ...\n"
        "\nkernel k\n"
        "  parameters      9: p0: b32, p1: b32, p2:\n"
        "                  b32, p3: b32, p4: b32,\n"
        "                  p5: b32, p6: b32, p7:\n"
        "                  b32, ...\n"
        "  instructions    1 instruction, 1 basic\n"
        "                  block\n"
        "  mix             ret 1\n"
        "\nfunction f (declared only)\n"
        "  parameters    p0: b32, p1: b32, p2: b32,\n"
        "                p3: b32, p4: b32, p5: b32,\n"
        "                p6: b32, p7: b32\n"
    )
    narrow = printed(text, capsys, 10, monkeypatch).splitlines()
    assert "  parameters    p0: b32, p1: b32, p2:" not in narrow and "  parameters    p0: b32, p1: b32," in narrow


def test_a_call_graph() -> None:
    module = weft.parse(MODULE)
    names = [function.name for function in module.functions]
    assert list(call_lines(call_graph(module), [*names, "k"], lambda name: f"<{name}>")) == [
        "<rec> (may call itself)",
        "  <rec>: 1",
        "<k>",
        "  <rec>: 1",
        "  <ext>: 1, defined elsewhere",
        "  a function known at run time: 1",
    ]
    assert list(call_lines(call_graph(module), ["ext", "_Z1fPf"], str)) == []


# -- control flow ----------------------------------------------------------------------------------------------------

FLOW = """.version 8.0
.target sm_80
.address_size 64
.entry k()
{
.reg .pred %p; .reg .b32 %r;
mov.u32 %r, 1;
L:
add.u32 %r, %r, 1;
@%p bra L;
ts: .branchtargets M, N;
brx.idx %r, ts;
M:
@!%p bra N;
exit;
N: trap;
D: ret;
}
.func f() { E: }
.func long() {
.reg .pred %p; .reg .b32 %r;
A: B: bra M;
N: mov.u32 %r, 1234567 + 1234567 + 1234567 + 1234567 + 1234567 + 1234567 + 1234567;
mov.u32 %r, 2; mov.u32 %r, 3; mov.u32 %r, 4; mov.u32 %r, 5; mov.u32 %r, 6; mov.u32 %r, 7; mov.u32 %r, 8;
mov.u32 %r, 9; mov.u32 %r, 10; mov.u32 %r, 11; @%p bra M; call f; @%p bra N;
ret;
M: mov.u32 %r, 2; mov.u32 %r, 3; mov.u32 %r, 4; mov.u32 %r, 5; mov.u32 %r, 6; mov.u32 %r, 7; mov.u32 %r, 8;
mov.u32 %r, 9; mov.u32 %r, 10; mov.u32 %r, 11; mov.u32 %r, 12; mov.u32 %r, 13; @%p bra N;
@%p bra A;
}
"""


def test_a_graph_in_words() -> None:
    module = weft.parse(FLOW)
    line = LineIndex(module.source).line
    assert [list(flow_lines(cfg(function), line)) for function in module.functions[:2]] == [
        [
            "kernel k: 7 blocks, 1 loop",
            "  #0  line 7, 1 instruction -> L (next)",
            "  L   lines 9-10, 2 instructions -> L (taken), #2 (next)",
            "  #2  line 12, 1 instruction -> M (table), N (table)",
            "  M   line 14, 1 instruction -> N (taken), #4 (next)",
            "  #4  line 15, 1 instruction -> exit",
            "  N   line 16, 1 instruction -> trap",
            "  #6  line 17, 1 instruction, never reached -> ret",
            "  loop L: 1 block, back from L",
        ],
        ["function f: 1 block, 0 loops", "  #0  0 instructions -> end"],
    ]
    assert list(flow_lines(cfg(module.functions[2]), line)) == [
        "function long: 6 blocks, 3 loops",
        "  A   line 22, 1 instruction -> M (jump)",
        "  N   lines 23-25, 12 instructions -> M (taken), #2 (next)",
        "  #2  line 25, 2 instructions -> N (taken), #3 (next)",
        "  #3  line 26, 1 instruction -> ret",
        "  M   lines 27-28, 13 instructions -> N (taken), #5 (next)",
        "  #5  line 29, 1 instruction -> A (taken)",
        "  loop A: 5 blocks, back from #5",
        "  loop N: 2 blocks, back from #2",
        "  loop M: 3 blocks, back from N",
    ]
    called = weft.parse(FLOW.partition(".entry")[0] + ".func f() { ret; }\n.func g() { call f; }\n").functions[1]
    assert list(flow_lines(cfg(called), line)) == [
        "function g: 1 block, 0 loops",
        "  #0  line 6, 1 instruction -> end",
    ]
    assert list(flow_lines(cfg(module.functions[0]), lambda offset: 0))[1] == "  #0  1 instruction -> L (next)"


def test_a_drawing() -> None:
    """Of a small graph, whole: `drawn.svg`, which WEFT_PICTURES=1 writes."""
    found = flow_svg([cfg(function) for function in weft.parse(FLOW).functions])
    if os.environ.get("WEFT_PICTURES"):
        (HERE / "drawn.svg").write_text(found)
    assert found == (HERE / "drawn.svg").read_text()


def test_where_boxes_and_edges_go() -> None:
    """28 between boxes, 44 between layers, each layer around the middle; straight past the boxes of other layers."""
    sizes = [(40.0, 20.0), (30.0, 10.0), (50.0, 30.0), (20.0, 10.0)]
    plan = layout(sizes, [(0, 1), (0, 2), (1, 3), (2, 3), (0, 3), (3, 0), (1, 1)], range(4))
    assert plan.boxes == (Box(53, 0, 40, 20), Box(0, 64, 30, 10), Box(58, 64, 50, 30), Box(63, 138, 20, 10))
    assert plan.routes == (
        ((73, 20), (15, 64)),
        ((73, 20), (83, 64)),
        ((15, 74), (15, 94), (73, 138)),
        ((83, 94), (73, 138)),
        ((73, 20), (141, 64), (141, 94), (73, 138)),
        ((83, 145.5), (160, 145.5), (160, 5), (93, 5)),
        ((30, 71.5), (174, 71.5), (174, 66.5), (30, 66.5)),
    )
    assert (plan.around, plan.width, plan.height) == (frozenset([5, 6]), 188, 148)
    assert layout([], [], []) == layout([], [], ()) and layout([], [], []).height == 0
    tall = layout([(10.0, 100.0)], [(0, 0)], [0])
    assert tall.routes == (((10, 75), (24, 75), (24, 12), (10, 12)),)


def test_edges_over_many_layers_go_around() -> None:
    for count, around in ((25, set[int]()), (26, {25})):
        chain = [(n, n + 1) for n in range(count - 1)]
        plan = layout([(10.0, 10.0)] * count, [*chain, (0, count - 1)], range(count))
        assert plan.around == around
    late = layout([(10.0, 10.0)] * 3, [(0, 1), (1, 2)], [0, 2, 1])
    assert late.around == {1} and late.boxes[0].y < late.boxes[1].y and late.boxes[2].y == 0


def test_crossings_are_taken_out() -> None:
    """Of a graph that can be drawn without any, in whatever order its boxes are given."""
    edges = [(0, 1), (0, 2), (0, 3), (1, 4), (2, 5), (3, 6)]
    for middle in itertools.permutations((1, 2, 3)):
        for last in ((4, 5, 6), (6, 5, 4), (5, 6, 4)):
            plan = layout([(10.0, 10.0)] * 7, edges, [0, *middle, *last])
            x = [box.x for box in plan.boxes]
            pairs = list(zip((x[1], x[2], x[3]), (x[4], x[5], x[6]), strict=True))
            assert [b for _, b in sorted(pairs)] == sorted(b for _, b in pairs)


# -- pages -----------------------------------------------------------------------------------------------------------

AT = "https://docs.nvidia.com/cuda/parallel-thread-execution/#"
PAGES = {
    "prmt": f"""prmt - Select four bytes from two words, each by a 4-bit selector or by a fixed pattern.
d.byte[i] = [b,a].byte[c.nibble[i] & 7], or its sign bit replicated when c.nibble[i] & 8

prmt.type{{.mode}} d, a, b, c
    .type = .b32
    .mode = .f4e, .b4e, .rc8, .ecl, .ecr, .rc16
    always: PTX 2.0 and sm_20 or later
    prmt.b32 %r0, %r1, %r2, %r3;

{AT}data-movement-and-conversion-instructions-prmt
""",
    "elect.sync": f"""elect.sync - Choose one lane of the mask; the predicate is true in that lane only.
d = the chosen lane;  p = lane == d
executed by all threads of a warp together

elect.sync d|p, membermask
    always: PTX 8.0 and sm_90 or later
    elect.sync %r0|%p0, %r1;

{AT}parallel-synchronization-and-communication-instructions-elect-sync
""",
    "nvvm.barrier0": f"""bar - Wait at or arrive at one of the 16 barriers of the CTA, or reduce a predicate across it, in whole warps.
sync: arrive(a); wait until b threads (default: all of the CTA) arrived
arrive: arrive(a)        red: sync, then d = op of c over the threads
executed by all threads of a cta together; orders memory or execution

bar{{.cta}}.action a{{, b}}
    .action = .sync
    always: PTX 1.0
    .cta needs PTX 7.8
    bar.sync %r0;

bar{{.cta}}.action a, b
    .action = .arrive
    always: PTX 2.0 and sm_20 or later
    .cta needs PTX 7.8 and sm_20 or later
    bar.arrive %r0, %r1;

bar{{.cta}}.action.op.type d, a{{, b}}, !c
    .action = .red
    .op = .popc, .and, .or
    .type = .u32, .pred
    .popc, .u32: PTX 2.0 and sm_20 or later
    .and or .or, .pred: PTX 2.0 and sm_20 or later
    .cta needs PTX 7.8 and sm_20 or later
    bar.red.popc.u32 %r0, %r1, %p0;
    bar.red.and.pred %p0, %r0, %p1;

{AT}parallel-synchronization-and-communication-instructions-bar
see also bar.warp.sync
""",
    "setp.lt.f32": f"""setp.lt.f32 - Compare two values, optionally join the result with a predicate, and write it and its complement to
predicates.
setp.cmp{{.ftz}}.type p{{|q}}, a, b

    .cmp = .lt
    .type = .f32
    p: pair .pred, written
    a: register .f32, read
    b: register .f32, read
    exists from PTX 1.0

{AT}comparison-and-selection-instructions-setp
""",
    "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32": f"""wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 - Start multiplying two matrices and adding the product to the
accumulators of a warpgroup.
wgmma.mma_async.sync.aligned.shape.dtype.atype.btype {{d}}, a_desc, b_desc, !scale_d, imm_scale_a, imm_scale_b

    .shape = .m64n8k8
    .dtype = .f32
    .atype = .tf32
    .btype = .tf32
    d: vector 4 x .f32, read and written
    a_desc: register .u64, read
    b_desc: register .u64, read
    scale_d: predicate .pred, read
    imm_scale_a: register .s32, read
    imm_scale_b: register .s32, read
    exists from PTX 8.0 and sm_90a

{AT}asynchronous-warpgroup-level-matrix-instructions-wgmma-mma-async
""",
    "cp.async.ca.shared.global": f"""cp.async.ca.shared.global - Start a copy of 4, 8 or 16 bytes from global to shared memory; bytes past src_size are
filled with zeros.
cp.async.cop.dst.src{{.cache_hint}}{{.prefetch_size}} [d], [a], cp_size{{, src_size}}{{, policy}}

    .cop = .ca
    .dst = .shared
    .src = .global
    d: address, written
    a: address, read
    cp_size: register .u32, read
    src_size: register .u32, optional, read
    policy: register .u64, optional, read
    exists from PTX 7.0 and sm_80 or later

{AT}data-movement-and-conversion-instructions-cp-async
""",
    "%clusterid": """%clusterid - cluster index in the grid
    type .u32
    %clusterid.x, %clusterid.y, %clusterid.z, %clusterid.w
    exists from PTX 7.8 and sm_90 or later
""",
    ".maxntid": """.maxntid - maximum number of threads of a CTA
    .maxntid x, y, z
    allowed in: function
    exists from PTX 1.3
""",
    "nvvm.read.ptx.sreg.ctaid.x": """nvvm.read.ptx.sreg.ctaid.x - reads %ctaid.x: CTA index in the grid
    exists from PTX 1.0
""",
}


@pytest.mark.parametrize(("name", "text"), PAGES.items())
def test_pages(name: str, text: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    manual.print_page(catalog.look_up(name))
    assert click.unstyle(capsys.readouterr().out) == text


def test_effects_in_words() -> None:
    """Of each kind an instruction that has it."""
    for stem, said in (
        ("ld", "reads memory"),
        ("st", "writes memory"),
        ("atom", "reads and writes memory"),
        ("add", ""),
        ("ret", "return"),
        ("fence", "orders memory or execution"),
        ("ldmatrix", "reads memory; executed by all threads of a warp together"),
        ("bar", "executed by all threads of a cta together; orders memory or execution"),
    ):
        assert catalog.look_up(stem)["effects"] == said


def test_operations_of_dialects() -> None:
    assert catalog.look_up("nvgpu.ldmatrix") == {"name": "nvgpu.ldmatrix", "instructions": [manual.page("ldmatrix")]}
    assert catalog.look_up("nvvm.read.ptx.sreg.laneid") == {
        "name": "nvvm.read.ptx.sreg.laneid",
        "reads": "%laneid",
        "summary": SPECIAL_REGISTERS["%laneid"].summary,
        "exists": [str(SPECIAL_REGISTERS["%laneid"].window)],
    }
    for name, hint in (
        ("nvgpu.ldmatrx", "did you mean nvgpu.ldmatrix, nvgpu.stmatrix or nvgpu.rcp?"),
        ("nvvm.mappa", "did you mean nvvm.mapa, nvvm.wmma.mma or nvvm.wmma.load?"),
        ("nvgpu.zzzzzz", ""),
        ("nvvm.zzzzzz", ""),
    ):
        with pytest.raises(WeftError) as caught:
            catalog.look_up(name)
        assert (caught.value.message, caught.value.hint) == (f"'{name}' corresponds to no instruction", hint)


def test_a_listing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    manual.print_listing({"[a]": "one two three four five six", "long.name": "x"})
    assert (
        click.unstyle(capsys.readouterr().out) == "[a]        one two three four\n           five six\nlong.name  x\n"
    )


# -- the catalog -----------------------------------------------------------------------------------------------------


def test_what_names_stand_for() -> None:
    """A pattern is for all names; a start with a dot comes before one without."""
    everything = catalog.everything()
    assert set(everything) == {*families(), *DIRECTIVES, *(n for n, r in SPECIAL_REGISTERS.items() if n == r.name)}
    assert list(catalog.matching("cp.*.TENSOR")) == [
        "cp.async.bulk.prefetch.tensor", "cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor",
    ]  # fmt: skip
    assert list(catalog.matching("%ctai?")) == ["%ctaid"] and list(catalog.matching("[l]d*x")) == ["ldmatrix"]
    assert list(catalog.matching("%ClusterI")) == ["%clusterid", *(f"%clusterid.{axis}" for axis in "xyzw")]
    assert list(catalog.matching(".maxn")) == [name for name in DIRECTIVES if name.startswith(".maxn")]
    assert list(catalog.matching("mma")) == ["mma.sp", "mma.sp::ordered_metadata"] == list(catalog.matching("mma."))
    assert list(catalog.matching("ldm")) == ["ldmatrix"] and catalog.matching("ldmatrix") == {}
    assert list(catalog.matching("barrier.")) == ["barrier.cluster"]
    assert catalog.matching("%zz") == catalog.matching("zz") == catalog.matching("zz*") == {}
    assert {name: everything[name] for name in catalog.matching("wmma")} == catalog.matching("wmma")


def test_what_a_name_is() -> None:
    register = SPECIAL_REGISTERS["%laneid"]
    assert catalog.look_up("%LaneID") == {
        "name": "%laneid", "summary": register.summary, "type": ".u32", "components": [], "exists": [str(register.window)],
    }  # fmt: skip
    directive = DIRECTIVES[".reqntid"]
    assert catalog.look_up(".REQNTID") == {
        "name": ".reqntid", "summary": directive.summary, "syntax": directive.syntax, "place": directive.place,
        "exists": [str(directive.window)],
    }  # fmt: skip
    assert catalog.look_up("MMA") == manual.page("mma") and catalog.look_up("wmma") == {
        "matches": catalog.matching("wmma")
    }
    assert (
        catalog.look_up("ADD.F32") == manual.page("add.f32") and catalog.look_up("max.NaN.f32")["name"] == "max.NaN.f32"
    )
    for name, message, hint in (
        ("%clusterdi", "nothing named '%clusterdi'", "did you mean %clusterid, %nclusterid or %clusterid.z?"),
        ("zz*", "nothing named 'zz*'", ""),
        ("Frobnicate", "unknown instruction 'frobnicate'", ""),
    ):
        with pytest.raises(WeftError) as caught:
            catalog.look_up(name)
        assert (caught.value.message, caught.value.hint) == (message, hint)


def test_what_targets_have() -> None:
    assert catalog.of_target("sm_90a", "wgmma") == {"target": "sm_90a", "matches": catalog.matching("wgmma")}
    assert list(catalog.of_target("sm_80", "ldmatrix")["matches"]) == ["ldmatrix"]
    assert set(catalog.of_target("sm_80", "mma")["matches"]) == {"mma", "mma.sp", "mma.sp::ordered_metadata"}
    assert (
        "%clusterid" not in catalog.of_target("sm_80")["matches"]
        and "%clusterid" in catalog.of_target("sm_90")["matches"]
    )
    for target, name, hint in (("sm_80", "wgmma", ""), ("sm_90", "ldmatirx", "did you mean ldmatrix")):
        with pytest.raises(WeftError) as caught:
            catalog.of_target(target, name)
        assert caught.value.message == f"{target} has nothing named '{name}'" and caught.value.hint.startswith(hint)
        assert bool(caught.value.hint) == bool(hint)


def test_what_only_one_of_two_targets_has() -> None:
    """Each line of one is not there for the other, and the other way round."""
    found = catalog.difference("sm_89", "sm_90")["only"]
    assert found["sm_89"] == []
    lines = found["sm_90"]
    assert "elect.sync d|p, membermask" in lines and "%clusterid" in lines and len(lines) == len(set(lines))
    assert ".explicitcluster" in lines and not any(line.startswith("wgmma") for line in lines)
    assert catalog.difference("sm_90", "sm_89") == {"only": {"sm_90": lines, "sm_89": []}}
    both = catalog.difference("sm_90a", "sm_100a")["only"]
    assert any(line.startswith("wgmma") for line in both["sm_90a"]) and any(
        line.startswith("tcgen05") for line in both["sm_100a"]
    )
    assert catalog.difference("sm_80", "sm_80")["only"] == {"sm_80": []}


# -- words of a line -------------------------------------------------------------------------------------------------


def coloured(lexer: type[RegexLexer], text: str) -> str:
    """Each word behind the kind that it has the colour of."""
    found = lexer(stripnl=False, ensurenl=False).get_tokens(text)
    return " ".join(
        f"{'.'.join(kind[-2:]) if len(kind) > 2 else kind[-1]}:{word.strip()}" for kind, word in found if word.strip()
    )


LINES: list[tuple[type[RegexLexer], str, str]] = [
    (PtxLexer, ".version 8.0", "Declaration:.version Number:8.0"),
    (
        PtxLexer,
        ".entry k(.param .u64 p, a[3])",
        (
            "Declaration:.entry Name:k Punctuation:( Declaration:.param Type:.u64 Name:p Punctuation:, Name:a Punctuation:[ Number:3 "
            "Punctuation:] Punctuation:)"
        ),
    ),
    (
        PtxLexer,
        "L_1: @!%p1 bra.uni L;",
        "Label:L_1 Punctuation:: Operator:@ Operator:! Variable:%p1 Keyword:bra Attribute:.uni Name:L Punctuation:;",
    ),
    (
        PtxLexer,
        "ld.global.v4.f32 {%f1, _}, [%rd1+-4]",
        (
            "Keyword:ld Attribute:.global Attribute:.v4 Type:.f32 Punctuation:{ Variable:%f1 Punctuation:, Name:_ Punctuation:} Punctuation:, "
            "Punctuation:[ Variable:%rd1 Operator:+ Operator:- Number:4 Punctuation:]"
        ),
    ),
    (
        PtxLexer,
        "mov.u32 %r1, %tid.x;",
        "Keyword:mov Type:.u32 Variable:%r1 Punctuation:, Variable.Magic:%tid Attribute:.x Punctuation:;",
    ),
    (PtxLexer, "0f3F800000 0x1F 1.5e3 017 0b1", "Number:0f3F800000 Number:0x1F Number:1.5e3 Number:017 Number:0b1"),
    (PtxLexer, "mma.sp::2:4.m16n8k16 %r", "Keyword:mma Attribute:.sp::2:4 Attribute:.m16n8k16 Variable:%r"),
    (PtxLexer, "frob.u32 x", "Name:frob Type:.u32 Name:x"),
    (
        PtxLexer,
        "ret; ret\texit %ret retx",
        "Keyword:ret Punctuation:; Keyword:ret Keyword:exit Variable:%ret Name:retx",
    ),
    (PtxLexer, '"text" // c', 'String:"text" Comment:// c'),
    (PtxLexer, "/* a b */ .loc 1", "Comment:/* a b */ Declaration:.loc Number:1"),
    (PtxLexer, "tex.1d %r$a WARP_SZ", "Keyword:tex Attribute:.1d Variable:%r$a Name:WARP_SZ"),
    (
        PtxLexer,
        "a::b %laneid %my.x .foo .u32",
        "Name:a Punctuation:: Punctuation:: Name:b Variable.Magic:%laneid Variable:%my Attribute:.x Attribute:.foo Type:.u32",
    ),
    (PtxLexer, "\u00e4 ~%r %p|%q", "Text:\u00e4 Operator:~ Variable:%r Variable:%p Operator:| Variable:%q"),
    (
        SassLexer,
        "/*0770*/ @!P0 HMMA.16816.F32 R4, R40.reuse, c[0x0][0x160], RZ ; /* 0x0 */",
        (
            "Comment:/*0770*/ Decorator:@!P0 Keyword:HMMA Attribute:.16816 Attribute:.F32 Variable:R4 Punctuation:, Variable:R40.reuse "
            "Punctuation:, Constant:c[0x0] Punctuation:[ Number:0x160 Punctuation:] Punctuation:, Variable:RZ Punctuation:; Comment:/* 0x0 */"
        ),
    ),
    (SassLexer, ".L_x_2:\nk:\n", "Label:.L_x_2 Punctuation:: Label:k Punctuation::"),
    (
        SassLexer,
        "  0770  B-1----:R-:W2:Y:S08  62 \u2503 @UPT IMAD R1, -R2, desc[UR4][R2.64], SR_TID.X",
        (
            "Number:0770 Special:B-1----:R-:W2:Y:S08 Number:62 Punctuation:\u2503 Decorator:@UPT Keyword:IMAD Variable:R1 Punctuation:, "
            "Variable:-R2 Punctuation:, Constant:desc Punctuation:[ Variable:UR4 Punctuation:] Punctuation:[ Variable:R2.64 Punctuation:] "
            "Punctuation:, Variable.Magic:SR_TID.X"
        ),
    ),
    (
        SassLexer,
        "PTX 12  add.u32 x\n PTX 3    ld\nPTX",
        "Special:PTX 12 Comment:add.u32 x Special:PTX 3 Comment:ld Keyword:PTX",
    ),
    (SassLexer, "BAR.SYNC 0x1 // c", "Keyword:BAR Attribute:.SYNC Number:0x1 Comment:// c"),
    (
        SassLexer,
        "FADD R1, -1.5e+3, +INF, -QNAN, cx[0x3][R1]",
        (
            "Keyword:FADD Variable:R1 Punctuation:, Number:-1.5e+3 Punctuation:, Number:+INF Punctuation:, Number:-QNAN Punctuation:, "
            "Constant:cx[0x3] Punctuation:[ Variable:R1 Punctuation:]"
        ),
    ),
    (SassLexer, "BRA `(.L_x_1)", "Keyword:BRA Punctuation:` Punctuation:( Attribute:.L_x_1 Punctuation:)"),
    (
        SassLexer,
        '"x" B0 SB5 UP2 U ? \\ \u00e4',
        'String:"x" Variable:B0 Variable:SB5 Variable:UP2 Name:U Operator:? Operator:\\ Text:\u00e4',
    ),
    (
        MlirLexer,
        "#map = affine_map<(d0) -> (d0)>",
        (
            "Constant:#map Operator:= Builtin:affine_map Operator:< Punctuation:( Name:d0 Punctuation:) Operator:-> Punctuation:( Name:d0 "
            "Punctuation:) Operator:>"
        ),
    ),
    (MlirLexer, 'module @"a b" { // x', 'Keyword:module Function:@"a b" Punctuation:{ Single:// x'),
    (
        MlirLexer,
        "%0:2 = scf.for %i to %n step %c iter_args(%a = %b#1) -> (memref<4x?xf32, 3>)",
        (
            "Variable:%0 Punctuation:: Number:2 Operator:= Keyword:scf.for Variable:%i Keyword:to Variable:%n Keyword:step Variable:%c "
            "Keyword:iter_args Punctuation:( Variable:%a Operator:= Variable:%b#1 Punctuation:) Operator:-> Punctuation:( Type:memref "
            "Operator:< Number:4x Number:?x Type:f32 Punctuation:, Number:3 Operator:> Punctuation:)"
        ),
    ),
    (
        MlirLexer,
        "^bb0(%x: i32, !llvm.ptr<3>)",
        "Label:^bb0 Punctuation:( Variable:%x Punctuation:: Type:i32 Punctuation:, Constant:!llvm.ptr Operator:< Number:3 Operator:> Punctuation:)",
    ),
    (
        MlirLexer,
        '"a\\"b" = dense<-1.5e3> : tensor<?x!x.y>',
        'String:"a\\"b" Operator:= Builtin:dense Operator:< Number:-1.5e3 Operator:> Punctuation:: Type:tensor Operator:< Number:?x Constant:!x.y Operator:>',
    ),
    (
        MlirLexer,
        "func.func private @f.g() {a.b = unit, c = 0x1F} loc(x)",
        "Keyword:func.func Keyword:private Function:@f.g Punctuation:( Punctuation:) Punctuation:{ Keyword:a.b Operator:= Keyword:unit Punctuation:, Name:c Operator:= Number:0x1F Punctuation:} Builtin:loc Punctuation:( Name:x Punctuation:)",
    ),
    (
        MlirLexer,
        "tf32 bf16 f64 si8 ui8 index none f4E2M1FN f8E4M3FN i1x",
        "Type:tf32 Type:bf16 Type:f64 Type:si8 Type:ui8 Type:index Type:none Type:f4E2M1FN Type:f8E4M3FN Name:i1x",
    ),
    (
        MlirLexer,
        "x :: \\ \u00e4 memref dense 4x",
        "Name:x Operator::: Punctuation:\\ Text:\u00e4 Name:memref Name:dense Number:4 Name:x",
    ),
]


@pytest.mark.parametrize(("lexer", "text", "words"), LINES)
def test_words_of_lines(lexer: type[RegexLexer], text: str, words: str) -> None:
    assert coloured(lexer, text) == words


# -- traces ----------------------------------------------------------------------------------------------------------

PTX_TEXT = ".version 8.0\n\n  ld.global.b32 %r1, [%rd1];\n  add.b32 %r2, %r1, 1;\n  ret;\n"
SASS_TEXT = "f:\n    RET\nk:\n    LDG R1\n.L_x_1:\n    FADD R2\n    BRA\n    EXIT"


def traced(**columns: list[Any]) -> Trace:
    """Machine code of two functions; the loads come from line 3 of the PTX, the rest from line 5."""
    ptx = Stage("ptx", "ptx", PTX_TEXT, (Span(3, 3, "k"), Span(4, 4, "k"), Span(5, 5, "k")))
    held = {
        "address": [0, 0, 16, 32, 0x1230],
        "control": [f"C{n}" for n in range(5)],
        "live": [[0], [3], [12], [1], [123]],
        "loop": [0, 0, 2, 1, 0],
    }
    sass = Stage("sass", "sass", SASS_TEXT, (Span(2, 2, "f"), *(Span(n, n, "k") for n in (4, 6, 7, 8))), held | columns)
    return Trace("n", "t", (ptx, sass), (Links(0, 1, ((0, 1), (0, 2), (2, 2), (2, 3), (2, 4))),))


def test_machine_code_with_its_ptx() -> None:
    trace = traced()
    assert ptx_lines(trace) == {1: 3, 2: 3, 3: 5, 4: 5}
    code = [
        "  0000  C1    3   LDG R1",
        " .L_x_1:",
        "  0010  C2   12 \u2503\u2503 FADD R2",
        "  0020  C3    1 \u2503 BRA",
        "  1230  C4  123   EXIT",
    ]
    assert machine_lines(trace, [1, 2, 3, 4], "k", with_ptx=False) == ["k:", *code]
    places = [" PTX 3     ld.global.b32 %r1, [%rd1];", " PTX 5     ret;"]
    assert machine_lines(trace, [1, 2, 3, 4], "k", with_ptx=True) == ["k:", places[0], *code[:3], places[1], *code[3:]]
    assert machine_lines(trace, [0], "f", with_ptx=True) == ["f:", "  0000  C0    0   RET"]
    assert terminal(trace, 1, 5) == [
        " PTX 1     .version 8.0", places[0], *code[:3], " PTX 4     add.b32 %r2, %r1, 1;    (no code)", places[1], *code[3:],
    ]  # fmt: skip
    assert terminal(trace, 4, 4) == [" PTX 4     add.b32 %r2, %r1, 1;    (no code)"]
    for first, last in ((2, 2), (6, 9)):
        with pytest.raises(WeftError) as caught:
            terminal(trace, first, last)
        assert caught.value.message == f"the PTX has no statements on lines {first} to {last}"
        assert caught.value.hint == "use lines from 3 to 5"
    alone = Trace("n", "t", trace.stages[1:], ())
    assert ptx_lines(alone) == {} and machine_lines(alone, [1], "k", with_ptx=True) == ["k:", code[0]]
    assert ptx_lines(Trace("n", "t", (Stage("mlir", "", "", ()), trace.stages[1]), trace.links)) == {}


def test_who_holds_the_registers(monkeypatch: pytest.MonkeyPatch) -> None:
    """By what wrote them, those that hold most first; runs of registers as such."""
    held = {0: None, 4: 0, 5: 0, 6: 0, 8: 0, 9: 16, 2: 0x1230, 3: 0x1230, 1: 999}
    asked: list[tuple[str, int]] = []
    monkeypatch.setattr(Trace, "held", lambda self, function, address: asked.append((function, address)) or held)
    assert holders(traced(), "k", 4) == [
        {"what": "PTX 3: ld.global.b32 %r1, [%rd1];", "count": 5, "registers": ["R4-R6", "R8-R9"]},
        {"what": "set before", "count": 2, "registers": ["R0-R1"]},
        {"what": "PTX 5: ret;", "count": 2, "registers": ["R2-R3"]},
    ]
    assert asked == [("k", 0x1230)]
    alone = Trace("n", "t", traced().stages[1:], ())
    assert [(one["what"], one["registers"]) for one in holders(alone, "k", 1)] == [
        ("LDG R1", ["R4-R6", "R8"]), ("set before", ["R0-R1"]), ("EXIT", ["R2-R3"]), ("FADD R2", ["R9"]),
    ]  # fmt: skip


def test_the_page_of_files_that_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is made once for each state of them; a function of a Python file is of that file."""
    one, two = tmp_path / "k.ptx", tmp_path / "k.py"
    one.touch()
    made: list[int] = []

    def make() -> list[Trace]:
        made.append(1)
        if len(made) == 2:
            raise WeftError("a < b")
        if len(made) == 3:
            raise OSError("none & such")
        return [traced()]

    monkeypatch.setattr(server, "page", lambda traces, stamp: f"{len(traces)} at {stamp}")
    maker = server.Maker(make, [str(one), f"{two}:kernel"])
    os.utime(one, ns=(5, 5))
    assert maker.stamp() == "5-0" and maker.page() == maker.page() == "1 at 5-0"
    two.touch()
    os.utime(two, ns=(7, 7))
    head = '<!doctype html><meta http-equiv="refresh" content="2"><title>weft explore</title>'
    assert maker.stamp() == "5-7" and maker.page() == maker.page() == f"{head}<pre>error: a &lt; b</pre>"
    os.utime(two, ns=(8, 8))
    assert maker.page() == f"{head}<pre>none &amp; such</pre>" and len(made) == 3


def test_a_port_that_is_taken() -> None:
    import socket

    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        port = held.getsockname()[1]
        with pytest.raises(WeftError) as caught:
            server.serve(list, [], port)
    assert caught.value.message == f"port {port} cannot be used: Address already in use"
    assert caught.value.hint == "use another port with --port"
