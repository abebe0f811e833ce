"""All that the builder makes, as the text that it prints; and what it says of mistakes, whole."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import weft
from weft.ptx import Float, Guard, Label, Parameter, Pragma, Register, statements
from weft.ptx.build import BodyBuilder, ModuleBuilder, at, no
from weft.ptx.emit import KernelLimits

MODULE = """\
.version 8.3
.target sm_90
.address_size 64

.visible .global .align 8 .u32 table[2][3];
.const .f64 factor = 0d3FE0000000000000;

.extern .func (.param .b8 r) other(
	.param .f16 a
);

.weak .func (.param .f64 r) pair(
	.param .u32 a
)
{
	st.param.f64 [r], 0d3FF0000000000000;
	ret;
}

.func nothing()
{
	ret;
}

.visible .entry k(
	.param .u64 p,
	.param .f16 h,
	.param .align 4 .b8 c[8]
)
.reqntid 32, 2
{
	.shared .align 16 .b8 sh[4][4];
	.local .f32 lo[8];
	.shared .u32 one;
	.reg .pred %p<2>;
	.reg .b16 %rs<6>;
	.reg .b32 %r<3>;
	.reg .f32 %f<5>;
	.reg .b64 %rd<2>;
	.reg .f64 %fd<2>;
	.reg .b128 %rq<1>;

	ld.param.u64 %rd0, [p];
	ld.param.b16 %rs0, [h];
START:
	setp.lt.u32 %p1, 1, 2;
	@%p1 mov.u32 %r0, 5;
	@!%p1 mov.u32 %r0, 6;
	@%p1 mov.u32 %r0, 7;
	@%p1 mov.u32 %r0, 8;
	@!%p1 mov.u32 %r0, 9;
	@!%p1 bra $L_2;
	@%p1 bra $L_3;
	bra START;
$L_3:
$L_2:
$L_4:
$L_6:
	@%p1 bra $L_5;
	bra $L_7;
	bra $L_6;
$L_7:
	bra $L_4;
$L_5:
$L_0:
$L_1:
	.pragma "nounroll";
	ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd0+16];
	ld.global.v4.f32 {%f1, %f2, _, %f3}, [%rd0+-16];
	st.global.v2.f32 [%rd0], {0f3F800000, 0f40200000};
	st.local.f32 [lo+4], 0f3F800000;
	and.b32 %r0, %r0, 255;
	not.b32 %r0, %r0;
	cvt.rn.f32.f64 %f1, %fd0;
	mov.u64 %rd1, pair;
	{
		.param .f16 param0;
		.param .b8 retval0;
		st.param.b16 [param0], %rs0;
		call.uni (retval0), other, (param0);
		ld.param.b8 %rs5, [retval0];
	}
	{
		call.uni nothing, ();
	}
	{
		.param .u32 param0;
		.param .f64 retval0;
		st.param.u32 [param0], 3;
		call.uni (retval0), pair, (param0);
		ld.param.f64 %fd1, [retval0];
	}
	exit;
}
"""
REGISTERS = {
    "pred": "%p0", "b8": "%rs1", "u8": "%rs2", "s16": "%rs3", "f16": "%rs4", "f16x2": "%r0", "b32": "%r1", "s32": "%r2",
    "f32": "%f0", "u64": "%rd1", "f64": "%fd0", "b128": "%rq0",
}  # fmt: skip
"""The registers for values of a type, one after another, where the first of 16 and of 64 bits are there already."""


def test_a_module_with_everything_of_a_builder() -> None:
    b = ModuleBuilder("sm_90", "8.3")
    b.variable("global", "u32", "table", 2, 3, align=8, linkage="visible")
    b.variable("const", "f64", "factor", initializer=Float.f64(0.5))
    other = b.extern("other", {"a": "f16"}, {"r": "b8"})
    pair = b.function("pair", {"a": "u32"}, {"r": "f64"}, linkage="weak")
    pair.st(at("r"), Float.f64(1.0), ss="param", type="f64")
    pair.ret()
    nothing = b.function("nothing")
    parameters = {"p": "u64", "h": "f16", "c": Parameter("b8", "c", 4, dims=(8,))}
    k = b.kernel("k", parameters, limits=KernelLimits(reqntid=(32, 2)))
    p, h = k.param("p"), k.param("h")
    assert {type_: k.reg(type_).name for type_ in REGISTERS} == REGISTERS
    k.shared("sh", "b8", 4, 4, align=16)
    local = k.local("lo", "f32", 8)
    k.shared("one", "u32")
    start, *ends = k.label("START"), k.label(), k.label()
    k.place(start)
    q = k.new.setp(1, 2, cmp="lt", type="u32")
    with k.when(q):
        k.mov("%r0", 5, type="u32")
        with k.when(no(q)):
            k.mov("%r0", 6, type="u32")
            k.mov("%r0", 7, type="u32", guard=q)
        k.mov("%r0", 8, type="u32")
    k.mov("%r0", 9, type="u32", guard=Guard(q, True))
    with k.if_(q), k.if_(no(q)):
        k.bra(start)
    with k.loop() as out, k.loop() as inner:
        k.bra(out, guard=q)
        k.bra(inner)
    for label in ends:
        k.place(label)
    k.append(Pragma(("nounroll",)))
    k.ld(k.vector("f32", 4), at(p, 16), ss="global", vec="v4", type="f32")
    k.ld(["%f1", "%f2", "_", Register("%f3")], at(p, -16), ss="global", vec="v4", type="f32")
    k.st(at(p), [1, 2.5], ss="global", vec="v2", type="f32")
    k.st(at(local, 4), 1, ss="local", type="f32")
    k.and_("%r0", "%r0", 255, type="b32")
    k.not_("%r0", "%r0", type="b32")
    k.emit("cvt", "%f1", "%fd0", rnd="rn", type="f32", atype="f64")
    k.mov("%rd1", pair.function, type="u64")
    assert k.call(other, h) == (Register("%rs5"),)
    assert k.call(nothing.function) == ()
    assert k.call(pair.function, 3) == (Register("%fd1"),)
    k.exit()
    module = b.build()
    assert module.to_ptx() == MODULE
    assert weft.parse(MODULE) == module


def test_the_oldest_version_of_a_target_is_taken() -> None:
    assert [ModuleBuilder(target).build().version for target in ("sm_75", "sm_90", "sm_100a")] == [
        (6, 3),
        (7, 8),
        (8, 6),
    ]


def kernel() -> BodyBuilder:
    k = ModuleBuilder("sm_80").kernel("k", {"p": "u64", "n": "u32"})
    k.reg("f32")
    return k


def placed_twice(k: BodyBuilder) -> None:
    label = k.label("x")
    k.place(label)
    k.place(label)


def never_placed() -> None:
    b = ModuleBuilder("sm_80")
    k = b.kernel("k")
    k.label("z")
    k.label("y")
    b.build()


def variables(*some: str) -> None:
    b = ModuleBuilder("sm_80")
    for space in some:
        b.variable(space, "b32", "v")


def declared_twice() -> None:
    b = ModuleBuilder("sm_80")
    b.extern("f", {"a": "b32"})
    b.function("f")


MISTAKES: list[tuple[Callable[[], object], str, str]] = [
    (lambda: kernel().add("%f0", "%f0", 1, type="s8"), "slot 'type' of 'add' cannot be 's8'", "did you mean s8x4?"),
    (lambda: kernel().add("%f0", "%f0", 1, ftz="yes"), "slot 'ftz' of 'add' cannot be 'yes'", "use ftz"),
    (lambda: kernel().append(statements("fma.rx.f32 %f0, %f0, %f0, %f0;")[0]), "'.rx' is not a modifier of 'fma'", "use one of .rn, .rz, .rm, .rp"),
    (lambda: kernel().reg("f31"), "unknown type 'f31'", "did you mean f32?"),
    (lambda: kernel().param("q"), "'k' has no parameter 'q'", "expected one of p, n"),
    (lambda: kernel().place(Label("x")), "label 'x' is not an unplaced label of this function", ""),
    (lambda: placed_twice(kernel()), "label 'x' is not an unplaced label of this function", ""),
    (lambda: kernel().label("p"), "'p' is already declared", ""),
    (never_placed, "label 'y' is never placed", "place it with place(label)"),
    (lambda: kernel().call(kernel().function, 1), "'k' takes 2 arguments, got 1", ""),
    (lambda: kernel().shared("x", "b32", 0), "'x': only an .extern array can omit its extent", ""),
    (lambda: kernel().local("x", "b32", align=3), "'x': alignment 3 is not a power of two", ""),
    (lambda: variables("global", "const"), "'v' is already declared", ""),
    (lambda: variables("local"), "'v': a variable in .local is not allowed at module level", ""),
    (declared_twice, "the declarations of 'f' differ: the number of parameters", ""),
    (lambda: kernel().append(Label("x")), "Label('x:') cannot be appended", "use the builder's method: label, place, reg or variable"),
    (lambda: kernel().mov("%f0", Pragma(("x",)), type="f32"), "'mov.f32': Pragma('.pragma \"x\";') cannot be an operand", ""),
    (lambda: kernel().new.membar(level="gl"), "no form of 'membar.gl' takes a destination and 0 operands", "syntax: membar.level"),
    (lambda: kernel().new.prefetch(at("p"), level="L1"), "no form of 'prefetch.L1' takes a destination and 1 operands", "syntax: prefetch{.ss}.level [a]"),
    *[
        (make, f"the destination of '{opcode}' must be a vector", "create it with vector(type, count) and pass it")
        for make, opcode in (
            (lambda: kernel().new.ld(at("p"), ss="param", vec="v2", type="f32"), "ld.param.v2.f32"),
            (lambda: kernel().new.ldmatrix(at("p"), shape="m8n8", num="x4", type="b16"), "ldmatrix.sync.aligned.m8n8.x4.b16"),
            (lambda: kernel().new.ldmatrix(at("p"), shape="m8n8", num="x1", type="b16"), "ldmatrix.sync.aligned.m8n8.x1.b16"),
        )
    ],
    (lambda: ModuleBuilder("sm_31"), "unknown target 'sm_31'", "did you mean sm_61, sm_53 or sm_37?"),
    (lambda: ModuleBuilder("sm_90", "7.7"), "PTX 7.7 does not support sm_90", "sm_90 needs PTX 7.8"),
    (lambda: ModuleBuilder("sm_90", "x"), "invalid PTX version 'x'", "write a PTX version like 8.6"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("mistake", "message", "hint"), MISTAKES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_mistakes_are_told_whole(mistake: Callable[[], object], message: str, hint: str) -> None:
    with pytest.raises(weft.BuildError) as caught:
        mistake()
    assert (caught.value.message, caught.value.hint) == (message, hint)
    assert caught.value.position.file == __file__


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("fmaa", "did you mean fma?"),
        ("wmma_load_a", "use the method 'wmma_load', with modifiers as slots"),
        ("cp_async_bulk_x", "use the method 'cp_async_bulk', with modifiers as slots"),
    ],
)
def test_methods_that_are_no_families(name: str, hint: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(kernel(), name)
    assert str(caught.value) == f"unknown instruction '{name}': {hint}"
    assert not hasattr(kernel(), "__len__")
