"""What may be in a vector beside registers, in an element of what is no array, and behind a kernel's declaration: as ptxas."""

from __future__ import annotations

from itertools import product

import pytest

from tests.effort import one_in
from tests.verifier.matrices.kept import accepted_by_ptxas, accepted_by_us
from weft.errors import ToolError
from weft.toolchain import Tool, assemble

HEADER = ".version 8.7\n.target sm_90a\n.address_size 64\n"
MODULE = (
    HEADER
    + """.visible .entry k(.param .u64 kp, .param .align 8 .b8 ks[16])
{{
.reg .pred %p<4>; .reg .b32 %r<40>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .u32 %u<2>; .reg .b16 %h<2>; .reg .b128 %q<2>; .shared .align 16 .b32 sh[32]; .shared .b32 one;
{0};
ret;
}}
"""
)
_F, _R = "{{%f0, %f1, %f2, %f3}}", "{{%r0, %r1, %r2, %r3}}"
VECTORS = (
    "st.shared.v4.b32 [sh], {{%r1, {0}, %r2, %r3}}",
    "st.shared.v2.f32 [sh], {{%f1, {0}}}",
    "st.shared.b32 [sh], {{{0}}}",
    f"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {_F}, {{{{%r0, %r1}}}}, {{{{{{0}}}}}}, {_F}",
    f"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {_F}, {{{{%r0, {{0}}, %r2, %r3}}}}, {{{{%r4, %r5}}}}, {_F}",
    f"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {_F}, {_R}, {{{{%r4, %r5}}}}, {{{{%f0, {{0}}, %f2, %f3}}}}",
    "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd1, {{%r1, {0}}}], [%r2]",
    "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r1], {{%r2, {0}}}",
    "ld.shared.v4.b32 {{%r1, {0}, %r2, %r3}}, [sh]",
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{%f0, {0}, %f2, %f3}}, %rd1, %rd2, 1, 1, 1, 0, 0",
)
ELEMENTS = ("_", "255", "1.0", "0f3F800000", "WARP_SZ", "%rd1", "%r9")
PAIRS = (
    "ld.shared.v4.b32 {{{0}, %r1, %r2}}, [sh]",
    "mov.b128 {{%r1, %r2, {0}}}, %q1",
    "mov.b128 %q1, {{{0}, %r1, %r2}}",
    "suld.b.2d.v2.b32.trap {{{0}}}, [%rd1, {{%r1, %r2}}]",
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{%r1, {0}, %r2}}, [%r1]",
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{%f1, %f2, %f3, %f4}}, {{{0}, %r1, %r2}}, {{%r1, %r2}}, {{%f1, %f2, %f3, %f4}}",
)
LEADING = ("mov.b32 %r2, {{{0}}}", "mov.b64 %rd2, {{{0}}}", "mov.b128 %q1, {{{0}}}")
PLACES = ("one[0]", "sh[1]", "kp[0]", "ks[8]", "sh[%r1]")


@pytest.mark.sample(1)
@pytest.mark.parametrize("vector", VECTORS)
def test_elements(ptxas: Tool, vector: str) -> None:
    texts = {element: MODULE.format(vector.format(element)) for element in ELEMENTS}
    ours = {element: accepted_by_us(text) for element, text in texts.items()}
    assert ours == {element: accepted_by_ptxas(text) for element, text in texts.items()}


@pytest.mark.sample(2)
@pytest.mark.parametrize("vector", [*PAIRS, *LEADING])
def test_neighbours(ptxas: Tool, vector: str) -> None:
    """Integers and floats stand in no vector side by side; behind a literal widths do not count."""
    mixed = [", ".join(pair) for pair in product(("%u1", "%f1", "%r1", "%p1"), repeat=2)]
    leading = ["99, %r1", "99, %rd1", "99, %h1", "%h1, 99", "_, 99", "99, _", "_, %h1", "99, %f1", "%tid.x, 99"]
    texts = [MODULE.format(vector.format(pair)) for pair in (mixed if vector in PAIRS else leading)]
    wrong = [text for text in texts if accepted_by_us(text) != accepted_by_ptxas(text)]
    assert [text for text in wrong if not dies(text)] == []


def dies(text: str) -> bool:
    """Whether ptxas dies of a module without optimization, as 13.5 does of predicates beside a product's registers."""
    try:
        assemble(text, options=("-O0",))
    except ToolError as error:
        return "Internal compiler error" in error.output
    return False


@pytest.mark.sample(1)
@pytest.mark.parametrize("type_", ["b32", "u32", "s32"])
def test_one_in_braces(ptxas: Tool, type_: str) -> None:
    pairs = [("{%r1}", "%r2"), ("{%r1}", "%tid.x"), ("%r1", "{%r2}"), ("%r1", "{5}"), ("%r1", "%r2")]
    texts = [MODULE.format(f"mov.{type_} {to}, {what}") for to, what in pairs]
    assert [accepted_by_us(text) for text in texts] == [accepted_by_ptxas(text) for text in texts]


COPIES = (
    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [sh], [%rd1, {{{0}}}], [%r1]",
    "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%rd1, {{{0}}}], [sh]",
    "cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%rd1, {{{0}}}]",
)


@pytest.mark.slow
@pytest.mark.parametrize("copy", COPIES)
def test_coordinates(ptxas: Tool, copy: str) -> None:
    """Behind a literal, the widths of coordinates count, as nowhere else."""
    pairs = ("1, %rd1", "1, %q1", "-1, %h1", "%r1, %p1", "%p1, %p2", "1, %r1", "%r1, 1", "%f1, %r1", "1.0, %r1")
    texts = [MODULE.format(copy.format(pair)) for pair in pairs]
    assert [accepted_by_us(text) for text in texts] == [accepted_by_ptxas(text) for text in texts]


@pytest.mark.sample(1)
@pytest.mark.parametrize("types", ["b8.b2", "b8.b4", "b16.b2", "b16.b4"])
def test_compression(ptxas: Tool, types: str) -> None:
    module = MODULE.replace(HEADER, ".version 9.4\n.target sm_107a\n.address_size 64\n")
    given = "%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17"
    texts = [
        module.format(f"spcompress.x4.sp::2:4.{types} {{{places}}}, {{{kept}}}, {{{given}}}, {last}")
        for places, kept, last in product(("%r1", "%r1, %r2"), ("%r3, %r4, %r5, %r6", "%r3, %r4"), ("%r7", "1"))
    ]
    assert [accepted_by_us(text) for text in texts] == [accepted_by_ptxas(text) for text in texts]


def test_predicates_are_no_elements_of_matrices() -> None:
    assert not accepted_by_us(MODULE.format(VECTORS[2].format("%p1")))


@pytest.mark.parametrize("statement", ["mov.b64 %rd1, {0}", "ld.b32 %r1, {0}"])
def test_places_in_arrays(ptxas: Tool, statement: str) -> None:
    texts = [MODULE.format(statement.format(place)) for place in PLACES]
    assert [accepted_by_us(text) for text in texts] == [accepted_by_ptxas(text) for text in texts]


@pytest.mark.parametrize("directives", ["", " .reqntid 128", " .maxntid 128, 1, 1"])
@pytest.mark.parametrize("linkage", [".visible ", ".extern "])
def test_declared_kernels(ptxas: Tool, linkage: str, directives: str) -> None:
    declared = f"{HEADER}{linkage}.entry k(.param .u64 a){directives};\n"
    defined = "" if "extern" in linkage else f"{linkage}.entry k(.param .u64 a){directives} {{ ret; }}\n"
    assert accepted_by_us(declared + defined) == accepted_by_ptxas(declared + defined)


@pytest.mark.slow
@pytest.mark.parametrize("type_", ["b16", "u16", "b32", "u32", "s32", "f32", "b64", "f64", "pred", "b128"])
def test_one_operand_in_braces(ptxas: Tool, type_: str) -> None:
    pairs = product(("%h1", "%r1", "%u1", "%f1", "%rd1", "%q1"), ("%h0", "%r2", "%f2", "%rd2", "3"))
    operands = [text for d, a in pairs for text in (f"{{{d}}}, {{{a}}}", f"{d}, {{{a}}}", f"{{{d}}}, {a}")]
    texts = [MODULE.format(f"mov.{type_} {text}") for text in operands[:: one_in(4)]]
    assert [text for text in texts if accepted_by_us(text) != accepted_by_ptxas(text)] == []


def test_special_registers_for_all_elements(ptxas: Tool) -> None:
    texts = [
        MODULE.format(f"mov.{vector}.{type_} {{{d}}}, {a}")
        for (vector, type_, d), a in product(
            (("v2", "u32", "%r1, %r2"), ("v4", "b32", "%r1, %r2, %r3, %r4"), ("v2", "u64", "%rd1, %rd2")),
            ("%tid", "%tid.x", "%laneid", "%clock64", "7", "%r5"),
        )
    ]
    assert [text for text in texts if accepted_by_us(text) != accepted_by_ptxas(text)] == []


ATOMIC = {
    "f32": ("", "%f1 %r1 %rd1 %h1 %u1"),
    "f16": (".noftz", "%h1 %r1 %rd1 %f1"),
    "bf16x2": (".noftz", "%r1 %f1 %h1"),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("type_", ATOMIC)
def test_literals_in_vectors_of_atomics(ptxas: Tool, type_: str) -> None:
    noftz, registers = ATOMIC[type_]
    lists = [("1", "1"), ("1.0", "1.0")]
    for register in registers.split():  # ptxas crashes over integers behind registers.
        lists += [
            ("1", register),
            ("1.0", register),
            ("0f3F800000", register),
            (register, "1.0"),
            (register, "0f3F800000"),
        ]
    texts = [MODULE.format(f"red.global.add{noftz}.v2.{type_} [%rd1], {{{a}, {b}}}") for a, b in lists]
    assert [text for text in texts if accepted_by_us(text) != accepted_by_ptxas(text)] == []
