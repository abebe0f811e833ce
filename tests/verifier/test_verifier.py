"""The verifier against ptxas: what it refuses we refuse, with our code and hint; what it accepts we accept."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

import weft
from weft import ptx
from weft.errors import IsaError, Severity, ToolError
from weft.toolchain import Tool, assemble

REGISTERS = """\
.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .f32 %f<20>; .reg .f64 %fd<9>;
.reg .u32 %u<9>; .reg .u16 %uh<9>; .reg .f16 %hf<9>; .reg .f16x2 %hx<9>; .reg .v4 .b32 %v<9>; .reg .v2 .f32 %vf;
.local .align 16 .b8 lmem[64];
"""
GLOBALS = """\
.extern .shared .align 128 .b8 smem[]; .global .align 128 .b8 gmem[1024]; .const .align 16 .b8 cmem[64];
.func (.param .b32 r) f1(.param .b32 a, .param .b64 b) { .reg .b32 %x; ld.param.b32 %x, [a]; st.param.b32 [r], %x; ret; }
.func f0() { ret; }
.func (.reg .b32 r) fr(.reg .b32 a) { mov.b32 r, a; ret; }
"""


def module(statements: Sequence[str], target: str = "sm_90a", version: str = "8.4") -> tuple[str, int]:
    """A module with one statement a line, and the number of lines before the first."""
    head = f".version {version}\n.target {target}\n.address_size 64\n{GLOBALS}"
    head += f".visible .entry k(.param .b64 kp0, .param .b32 kp1)\n{{\n{REGISTERS}"
    return head + "\n".join(statements) + "\nL1:\nret;\n}\n", head.count("\n")


def refused_by_ptxas(statements: Sequence[str], target: str = "sm_90a", version: str = "8.4") -> set[int]:
    """The indices of the statements that ptxas reports an error for."""
    text, before = module(statements, target, version)
    try:
        assemble(text)
    except ToolError as error:
        lines = [int(n) for n in re.findall(r"line (\d+); (?:error|fatal)", error.output)]
        assert lines, error.output
        return {line - before - 1 for line in lines}
    return set()


ACCEPTED = """\
ld.u32 %r1, [gmem];
ld.global.u32 %r1, [%rd1+2];
ld.param.u32 %r1, [kp1];
ld.local.u32 %r1, [4];
ld.global.v4.u32 %v1, [gmem];
ld.global.v2.u32 {%r1, _}, [gmem];
ld.global.u8 %rd1, [gmem];
st.global.v2.u32 [gmem], {%r1, 2};
st.global.f32 [gmem], 0f3F800000;
mov.u32 %r1, smem;
mov.u64 %rd1, gmem+8;
mov.u64 %rd1, f0;
mov.u32 %r1, WARP_SZ;
mov.u32 %r1, %tid.x;
mov.b32 %r1, 0f3F800000;
mov.b32 %r1, %v1.x;
mov.b64 %rd1, {%f1, %r2};
mov.b64 {%r1, %r2}, %fd1;
mov.b32 {%h1, _}, %r1;
mov.pred %p1, 1;
cvt.u16.u32 %h1, %tid.x;
cvt.rn.f16.f32 %r1, %f1;
cvta.global.u64 %rd1, gmem;
add.f32 %f1, %f2, 0d3FF0000000000000;
add.f32 %r1, %r2, %f1;
add.u32 %u1, %r1, 0x1FFFFFFFF;
add.f16x2 %r1, %r2, %hx1;
and.b32 %f1, %hx2, %r1;
selp.b32 %r1, %r2, %r3, !%p1;
setp.eq.and.u32 %p1|%p2, %r1, 0, !%p3;
mul.wide.u32 %rd1, %r1, %r2;
bar.sync %r1, %r2;
@!%p1 bra L1;
shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1;
ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r5];
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f4, %f5, %f6, %f7};
cp.async.cg.shared.global [%r1], [%rd1], 16;
atom.global.add.f32 %f1, [gmem], 1.0;
call (%r1), fr, (5);
{ .param .b32 p0; .param .b64 p1; .param .b32 q; call.uni (q), f1, (p0, p1); }
call f0;
""".splitlines()

REFUSED = """\
state-space     ld.global.u32 %r1, [smem];
state-space     ld.u32 %r1, [kp1];
state-space     st.param.u32 [kp1], %r1;
address         ld.global.u32 %r1, [%f1];
address         ld.global.u32 %r1, [16];
opcode          addd.u32 %r1, %r2, %r3;
modifier        add.u33 %r1, %r2, %r3;
modifier        ldmatrix.sync.m8n8.x1.shared.b16 {%r1}, [%r5];
modifier        cp.async.shared.global [%r1], [%rd1], 16;
combination     ldmatrix.sync.aligned.m16n16.x1.b8 {%r1, %r2}, [%r5];
combination     ldmatrix.sync.aligned.m8n16.x1.trans.b8x16.b6x16_p32 {%r1}, [%r5];
combination     mma.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f4, %f5, %f6, %f7};
window          ldmatrix.sync.aligned.m16n16.x1.trans.b8 {%r1, %r2}, [%r5];
operand-type    add.f32 %f1, %f2, 1;
operand-type    add.u32 %r1, %r2, 1.5;
operand-type    add.u32 %f1, %r2, 1;
operand-type    add.f16 %h1, %h2, %uh1;
operand-type    mul.wide.u32 %r1, %r1, %r2;
operand-type    setp.eq.u32 %p1, %r1, %f1;
operand-type    mov.u32 %r1, %clock64;
operand-type    shl.b32 %r1, %r2, %h1;
operand-type    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%fd0, %fd1, %fd2, %fd3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f4, %f5, %f6, %f7};
operand-kind    add.u32 _, %r1, %r2;
operand-kind    mov.u32 _, %r1;
vector-width    ld.global.v2.u32 {_, _}, [gmem];
operand-kind    add.u32 %r1, %tid.x, %r2;
operand-kind    cvta.to.global.u64 %rd1, gmem;
operand-count   add.u32 %r1, %r2;
operand-count   atom.global.add.u32 [gmem], %r1;
vector-width    ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2}, [%r5];
vector-width    ld.global.v4.u32 {%r1, %r2}, [gmem];
vector-width    ld.global.u32 %v1, [gmem];
immediate       cp.async.cg.shared.global [%r1], [%rd1], 8;
undeclared      mov.u32 %r1, %x9;
undeclared      mov.u32 %r1, nosuch;
undeclared      mov.u32 %r1, %r77;
guard           @%r1 add.u32 %r1, %r1, 1;
label           bra nosuch;
label           bra f0;
call            { .param .b32 p0; .param .b32 q; call (q), f1, (p0); }
call            { .param .b64 p0; .param .b64 p1; .param .b32 q; call (q), f1, (p0, p1); }
call            call k;
""".splitlines()


def test_accepts_what_ptxas_accepts(ptxas: Tool) -> None:
    assert refused_by_ptxas(ACCEPTED) == set()
    text, _ = module(ACCEPTED)
    assert [str(d) for d in weft.verify(weft.parse(text))] == []


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.split(None, 1)[1][:48])
def test_refuses_with_a_code_and_a_position(case: str) -> None:
    code, statement = case.split(None, 1)
    text, before = module([statement])
    found = [d for d in weft.verify(weft.parse(text)) if d.severity is Severity.ERROR]
    assert [d.code for d in found] == [code]
    assert found[0].line == before + 1
    assert found[0].render().splitlines()[1] == statement


def test_ptxas_refuses_the_same(ptxas: Tool) -> None:
    statements = [case.split(None, 1)[1] for case in REFUSED]
    # Some errors are only reported when nothing else is wrong, or end the run: these are asked one by one.
    alone = [s for s in statements if s.startswith(("bra ", "@")) or " _," in s]
    assert all(refused_by_ptxas([s]) for s in alone)
    together = [s for s in statements if s not in alone]
    assert refused_by_ptxas(together) == set(range(len(together)))


@pytest.mark.parametrize(
    ("statement", "target", "version", "words"),
    [
        ("ldmatrix.sync.aligned.m16n16.x1.trans.b8 {%r1, %r2}, [%r5];", "sm_90a", "8.0", ["PTX 8.6", "sm_100a", "the module is PTX 8.0, sm_90a"]),
        ("stmatrix.sync.aligned.m8n8.x1.b16 [%r1], {%r2};", "sm_80", "8.0", ["PTX 7.8", "sm_90 or later"]),
        ("ldmatrix.sync.aligned.m8n8.x1.shared::cta.b16 {%r1}, [%r5];", "sm_80", "7.0", ["needs PTX 7.8", "the module is PTX 7.0"]),
    ],
)  # fmt: skip
def test_a_window_names_what_would_do(statement: str, target: str, version: str, words: list[str]) -> None:
    text, _ = module([statement], target, version)
    (found,) = weft.verify(weft.parse(text))
    assert found.code == "window"
    for word in words:
        assert word in found.message


def test_the_nearest_fix_is_named() -> None:
    text, _ = module(["ldmatrix.sync.aligned.m16n16.x1.b8 {%r1, %r2}, [%r5];"])
    (found,) = weft.verify(weft.parse(text))
    assert "needs '.trans'" in found.message


FRAGMENT = "{" + ", ".join(["%f0"] * 64) + "}"
COUNTS = [
    ("add.u32 %r1, %r2;", "takes 3 operands, 2 given", "operands: d, a, b"),
    ("bar.sync 1, 2, 3;", "takes 1 or 2 operands, 3 given", "operands: a, b"),
    ("exit 1;", "takes no operands, 1 given", ""),
    (
        "atom.relaxed.cta.shared.add.u32 [smem], %r1;",
        "takes 3 operands, 2 given",
        "use 'red.relaxed.cta.shared.add.u32', which has no destination",
    ),
    ("atom.global.cas.b32 [gmem], %r1, %r2;", "takes 4 operands, 3 given", "operands: d, a, b, c"),
    (
        f"wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {FRAGMENT}, %rd1, %rd2, 1, 1, 0, 0;",
        "takes 8 operands, 7 given",
        "operands: d, a_desc, b_desc, scale_d, imm_scale_a, imm_scale_b, imm_trans_a, imm_trans_b",
    ),
]


@pytest.mark.parametrize(("statement", "message", "hint"), COUNTS)
def test_a_wrong_number_of_operands(statement: str, message: str, hint: str, ptxas: Tool) -> None:
    assert refused_by_ptxas([statement]) == {0}
    found = [d for d in weft.verify(weft.parse(module([statement])[0])) if d.severity is Severity.ERROR]
    assert [d.code for d in found] == ["operand-count"]
    assert found[0].message.endswith(message)
    assert found[0].hint.startswith(hint)


PLACES = {
    "add.s32 %r1, %r2, %f1;": "%f1",
    "add.u33 %r1, %r2, 1;": ".u33",
    "ldmatrix.sync.aligned.m8n8.x8.b16 {%r1}, [%r5];": ".x8",
    "ld.shared.shared::cluster.u32 %r1, [%r5];": ".shared::cluster",
    "cp.async.cg.shared.global [%r1], [%rd1], 8;": "8",
    "@%r1 add.s32 %r1, %r2,\n  %f1x;": "%f1x",
    "add.s32 %r1, %r2, %r11x;": "%r11x",
    "ldmatrix.sync.aligned.m8n8.x2.b16 {%r1}, [%r5];": "{%r1}",
    "bra nowhere;": "nowhere",
    "add.s32 %r1, %r2;": "add.s32",
    "foo.bar %r1;": "foo",
}


@pytest.mark.parametrize("statement", PLACES)
def test_the_caret_points_at_the_piece(statement: str) -> None:
    text, _ = module([statement])
    found = [d for d in weft.verify(weft.parse(text)) if d.severity is Severity.ERROR][-1]
    line = text.splitlines()[found.line - 1]
    assert line[found.column - 1 :].startswith(PLACES[statement])
    assert found.position.caret().splitlines()[1] == " " * (found.column - 1) + "^"


def test_target_and_version_override_the_header() -> None:
    text, _ = module(["stmatrix.sync.aligned.m8n8.x1.b16 [%r1], {%r2};"])
    parsed = weft.parse(text)
    assert weft.verify(parsed) == []
    assert [d.code for d in weft.verify(parsed, target="sm_80")] == ["window"]
    assert [d.code for d in weft.verify(parsed, version="7.0")] == ["target-version"]
    with pytest.raises(IsaError):
        weft.verify(parsed, version="new")


def test_order_is_a_warning(ptxas: Tool) -> None:
    statement = "ldmatrix.aligned.sync.x2.m8n8.b16.shared.trans {%r1, %r2}, [%r5];"
    assert refused_by_ptxas([statement]) == set()
    text, _ = module([statement])
    (found,) = weft.verify(weft.parse(text))
    assert found.severity is Severity.WARNING and found.code == "modifier-order"
    assert "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16" in found.hint


@pytest.mark.parametrize(
    ("directives", "code"),
    [
        (".reqntid 128 .maxntid 256", "directive"),
        (".reqnctapercluster 2 .maxclusterrank 8", "directive"),
        (".blocksareclusters", "directive"),
        (".maxntid 128 .minnctapersm 2 .maxnreg 64", None),
        (".reqntid 128 .reqnctapercluster 2 .explicitcluster", None),
    ],
)
def test_function_directives(ptxas: Tool, directives: str, code: str | None) -> None:
    text = f".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{directives}\n{{ ret; }}\n"
    found = weft.verify(weft.parse(text))
    assert [d.code for d in found] == ([code] if code else [])
    try:
        assemble(text)
        accepted = True
    except ToolError:
        accepted = False
    assert accepted == (code is None)


def test_a_number_of_blocks_needs_their_size(ptxas: Tool) -> None:
    text = ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k()\n.minnctapersm 2\n{ ret; }\n"
    (found,) = weft.verify(weft.parse(text))
    assert (found.code, found.severity, found.line) == ("directive", Severity.WARNING, 5)
    assemble(text)


def test_declared_twice(ptxas: Tool) -> None:
    for statement in (".reg .b32 %r<4>;", ".reg .b32 one, one;", "L1:"):
        text, _ = module([statement])
        assert [d.code for d in weft.verify(weft.parse(text))] == ["redeclared"]
        assert refused_by_ptxas([statement])


def test_a_declaration_hides_a_special_register(ptxas: Tool) -> None:
    for statement, code in (("mov.u32 %r1, %tid;", None), ("mov.u32 %r1, %tid.x;", "operand-kind")):
        statements = ["{ .reg .b32 %tid;", "mov.u32 %tid, 1;", statement, "}"]
        text, _ = module(statements)
        assert [d.code for d in weft.verify(weft.parse(text))] == ([code] if code else [])
        assert refused_by_ptxas(statements) == ({2} if code else set())


@pytest.mark.parametrize(
    ("statement", "at", "said"),
    [
        ("@%p1 atom.global.gpu.relaxed.add.u32 %r1, [%rd1,4], %r2;", "[%rd1,4]", "wrong number of parts"),
        ("mov.b64 %rd1, { %r1 ,%r2, %r1 };", "{ %r1", "found '{%r1, %r2, %r1}'"),
        ("bra [x];", "[x]", "must be a label"),
        ("brx.idx %r1, [x];", "[x]", "the label of a .branchtargets"),
        ("st.global.ca.b32 [%rd1], %r1;", ".ca", "one of .cg, .cs, .wb, .wt"),
        ("setp.eq.and.e2m1x2 %p1, %f1, %f2, %p2;", ".e2m1x2", "one of .b16, .b32"),
    ],
)
def test_where_it_is_and_what_could_be_there(statement: str, at: str, said: str) -> None:
    declared = ".reg .b32 %r<3>; .reg .b64 %rd<2>; .reg .pred %p<3>; .reg .f32 %f<3>;"
    text = f".version 9.0\n.target sm_90a\n.address_size 64\n.entry k() {{ {declared}\n{statement}\n}}\n"
    found = next(found for found in weft.verify(weft.parse(text)) if found.severity is Severity.ERROR)
    assert (found.line, found.column) == (5, statement.index(at) + 1)
    assert said in f"{found.message}\n{found.hint}"


def test_what_was_not_in_the_text_is_nowhere_in_it() -> None:
    edited = weft.parse(module(["ret;"])[0], filename="k.ptx")
    with ptx.edit(edited.kernels[0]) as e:
        e.at_start("mov.u33 %r1, 5;")
    found = next(found for found in weft.verify(edited) if found.severity is Severity.ERROR)
    assert (found.line, str(found.position)) == (0, "k.ptx")
