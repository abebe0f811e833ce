"""Queries: what they find, against plain searches of the text, and what is wrong with bad ones."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import weft
from tests.effort import one_in
from weft.errors import WeftError
from weft.isa import decode, families
from weft.isa.registry import compiled_forms
from weft.ptx.analysis import compile_query, vocabulary
from weft.ptx.analysis.memory import access_of
from weft.ptx.sample import sample_variants

BODY = """\
mov.u32 %r1, %tid.x;
setp.lt.u32 %p1, %r1, 64;
@%p1 ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1+16];
@!%p1 ld.shared.u32 %r2, [tile];
ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r2, %r3, %r4, %r5}, [%rd2];
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r6, %r7, %r8, %r9}, {%r2, %r3, %r4, %r5}, {%r2, %r3}, {%r6, %r7, %r8, %r9};
mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r6, %r7, %r8, %r9}, {%r2, %r3}, {%r4}, {%r6, %r7, %r8, %r9};
cp.async.cg.shared.global [tile], [%rd1], 16;
st.global.u32 [%rd1], %r6;
bra END;
"""
MODULE = weft.parse(
    ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n.reg .b32 %r<10>; .reg .b64 %rd<4>; .reg .pred %p<2>;\n"
    f".shared .align 16 .b8 tile[64];\n{BODY}END: ret;\n}}\n"
)
INSTRUCTIONS = list(MODULE.kernels[0].instructions())
LINES = BODY.splitlines()


def found(query: str) -> list[int]:
    predicate = compile_query(query)
    return [n for n, instruction in enumerate(INSTRUCTIONS) if predicate(instruction)]


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("mma.sync & shape=m16n8k16", [5]),
        ("mma", [5, 6]),
        ('"mma.s"', []),
        ("ld", [2, 3]),
        ("ld*", [2, 3, 4]),
        ("ld.*.v4", [2]),
        (".trans", [4]),
        (".m16*", [5, 6]),
        ("trans=trans", [4]),
        ("d=%r1", [0]),
        ("reads=%r6", [5, 6, 8]),
        ("reads=%rd1", [2, 7, 8]),
        ("reads=%p*", [2, 3]),
        ("writes=%r6", [5, 6]),
        ("writes=%p1", [1]),
        ("uses=tile", [3, 7]),
        ("uses=END", [9]),
        ("space=shared", [3, 4, 7]),
        ("space=global & !memory=load", [7, 8]),
        ("guard=%p1", [2]),
        ("guard=!%p1", [3]),
        ('guard="!%p1"', [3]),
        ("guard=*", [2, 3]),
        ("guard!=*", [0, 1, 4, 5, 6, 7, 8, 9, 10]),
        ("family=cp.async", [7]),
        ("cp.async", [7]),
        ("cp_size=16", [7]),
        ("a=[%rd1+16]", [2]),
        ("mma | ldmatrix", [4, 5, 6]),
        ("(mma | ldmatrix) & !shape=m16*", [4]),
        ("mma & shape=m16n8k8 | mov", [0, 6]),
        ("!!mov", [0]),
    ],
)
def test_what_is_found(query: str, numbers: list[int]) -> None:
    assert found(query) == numbers


@pytest.mark.parametrize("register", ["%r1", "%r5", "%rd2", "%p1"])
def test_uses_is_what_the_text_says(register: str) -> None:
    words = [line.translate(str.maketrans("@![]{},;+", " " * 9)).split() for line in LINES]
    assert found(f"uses={register}") == [n for n, line in enumerate(words) if register in line]


@pytest.mark.parametrize(
    ("query", "column", "words"),
    [
        ("", 1, "expected an opcode, .modifier or key=value, found the end"),
        ("mma &", 6, "expected an opcode"),
        ("mma mma", 5, "expected '&', '|' or the end, found 'mma'"),
        ("(mma", 5, r"expected '\)'"),
        ("mma)", 4, r"found '\)'"),
        ("shape=", 7, "expected a value for 'shape'"),
        ("shap=m16n8k16", 1, "no instruction has 'shap'"),
        ('mma & "oops', 7, "quotation mark"),
        ("(" * 500 + "mma", 101, "too deeply"),
    ],
)
def test_bad_queries(query: str, column: int, words: str) -> None:
    with pytest.raises(WeftError, match=words) as caught:
        compile_query(query)
    assert caught.value.position.column == column


def test_a_misspelt_key_gets_a_hint() -> None:
    with pytest.raises(WeftError) as caught:
        compile_query("spase=shared")
    assert "space" in caught.value.hint


@given(st.lists(st.sampled_from(["mma", "shape", "=", "!=", "&", "|", "!", "(", ")", '"', " ", ".x", "*", "[", "%r1"])))
@example(["[", "!", "*"])
def test_any_text_is_a_query_or_an_error_of_ours(parts: list[str]) -> None:
    try:
        predicate = compile_query("".join(parts))
    except WeftError:
        return
    for instruction in INSTRUCTIONS:
        predicate(instruction)


@pytest.mark.parametrize(
    ("query", "near"),
    [
        ("mma.snc", ".sync"),
        ("mmma.sync", "mma"),
        (".trns", ".trans"),
        ("famly=ld", "family"),
        ("family=cp.asinc", "cp.async"),
        ("space=sharred", "shared"),
        ("memory=laod", "load"),
        ("shape=m16n8k61", "m16n8k16"),
        ("!(type!=u23)", "u32"),
    ],
)
def test_what_no_instruction_has_is_misspelt(query: str, near: str) -> None:
    with pytest.raises(WeftError) as caught:
        compile_query(query)
    assert near in caught.value.hint


def test_quoted_words_are_searched_for_whatever_they_are() -> None:
    for query in ('"mmma.sync"', '".trns"', 'family="cp.asinc"', 'type="u23"'):
        assert not any(map(compile_query(query), MODULE.functions[0].instructions()))


def test_what_some_instruction_has_is_not() -> None:
    for stem in list(families())[:: one_in(4)]:
        compile_query(stem)
        compile_query(f"family={stem}")
        for form in compiled_forms(stem):
            for variant in sample_variants(form):
                opcode = form.spell(variant.slots)
                compile_query(opcode)
                compile_query(opcode.rpartition(".")[0] or opcode)
                access = access_of(decode(opcode))
                if access is not None:
                    compile_query(f'memory={access[0]} & space="{access[1]}"')
                    assert vocabulary.misspelt_value("space", access[1], access[1].__eq__) is None
                for slot, token in variant.slots.items():
                    if token:
                        compile_query(f"{slot}={token} | .{token}")
