"""Register classes, letters and names against the seeds' tables, and special registers against ptxas."""

from __future__ import annotations

import re
from itertools import product

import pytest

import weft
from weft.dialects.nvvm import sregs
from weft.errors import IsaError, ToolError
from weft.isa.registers import (
    B16,
    B32,
    B64,
    B128,
    CLASSES,
    F32,
    F64,
    PRED,
    SPECIAL,
    SPECIAL_REGISTERS,
    Naming,
    class_for_letter,
    class_for_prefix,
    register_declarations,
    register_name,
    subclasses,
    superclasses,
)
from weft.isa.target import TARGETS, VERSIONS, Version
from weft.isa.types import TYPES, compatible
from weft.toolchain import Tool, assemble


def test_class_ids_widths_types_and_prefixes() -> None:
    table = [(c.id, c.bits, c.declaration, c.prefix) for c in CLASSES]
    assert table == [
        (0, 1, "pred", "%p"),
        (1, 16, "b16", "%rs"),
        (2, 32, "", ""),
        (3, 32, "b32", "%r"),
        (4, 32, "", "%f"),
        (5, 64, "b64", "%rd"),
        (6, 128, "b128", "%rq"),
    ]


def test_float_views_share_storage() -> None:
    assert superclasses(F32) == (B32, SPECIAL)
    assert F32 in subclasses(B32) and F32 in subclasses(SPECIAL)
    assert superclasses(F64) == (B64,) and F64.id == B64.id


@pytest.mark.parametrize(
    ("letter", "prefix", "bits"),
    [
        ("b", "%p", 1),
        ("h", "%rs", 16),
        ("r", "%r", 32),
        ("l", "%rd", 64),
        ("f", "%f", 32),
        ("d", "%fd", 64),
        ("q", "%rq", 128),
    ],
)
def test_constraint_letters_both_ways(letter: str, prefix: str, bits: int) -> None:
    found = class_for_letter(letter)
    assert (found.prefix, found.bits) == (prefix, bits)
    assert class_for_prefix(prefix).letter == letter


def test_names_follow_the_naming() -> None:
    assert register_name(B32, 3) == "%r3"
    assert register_name(F32, 3) == "%r3"
    assert register_name(F64, 2) == "%rd2"
    assert register_name(F32, 3, Naming.CLASSIC) == "%f3"
    assert register_name(F64, 2, Naming.CLASSIC) == "%fd2"
    with pytest.raises(IsaError):
        register_name(SPECIAL, 0)


def test_one_declaration_per_class_that_is_not_empty() -> None:
    counts = {B64: 4, PRED: 2, F32: 7, B32: 5, B16: 0}
    assert register_declarations(counts) == [("pred", "%p", 2), ("b32", "%r", 7), ("b64", "%rd", 4)]
    assert register_declarations(counts, Naming.CLASSIC) == [
        ("pred", "%p", 2),
        ("b32", "%r", 5),
        ("f32", "%f", 7),
        ("b64", "%rd", 4),
    ]


@pytest.mark.parametrize("naming", Naming)
def test_ptxas_takes_the_declarations(ptxas: Tool, naming: Naming) -> None:
    counts = {PRED: 2, B16: 2, B32: 2, F32: 2, B64: 2, F64: 2, B128: 2}
    lines = [f".reg .{type_} {prefix}<{count}>;" for type_, prefix, count in register_declarations(counts, naming)]
    f32, f64 = (register_name(c, 0, naming) for c in (F32, F64))
    body = f"add.f32 {f32}, {f32}, {f32}; add.f64 {f64}, {f64}, {f64}; mov.b128 %rq0, %rq1;"
    assemble("\n".join([".version 8.4", ".target sm_80", ".visible .entry k() {", *lines, body, "ret; }"]))


def _accepted(version: Version, name: str) -> set[str]:
    """The special registers that ptxas lets `mov` read at a version and target."""
    moves = {"u64": "mov.u64 %b,", "pred": "mov.pred %c,"}
    names = [n for n, s in SPECIAL_REGISTERS.items() if not s.components]
    head = [f".version {version}", f".target {name}", ".visible .entry k() {"]
    head.append(".reg .b32 %a; .reg .b64 %b; .reg .pred %c;")
    lines = [f"{moves.get(SPECIAL_REGISTERS[n].type, 'mov.b32 %a,')} {n};" for n in names]
    try:
        assemble("\n".join([*head, *lines, "ret; }"]), target="sm_75" if TARGETS[name].number < 75 else name)
    except ToolError as error:
        refused = {int(line) - len(head) - 1 for line in re.findall(r"line (\d+);", error.output)}
        return {n for index, n in enumerate(names) if index not in refused}
    return set(names)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("name", "version"),
    [(t, v) for t in ("sm_50", "sm_80", "sm_90") for v in VERSIONS if v >= TARGETS[t].least][::3]
    + [("sm_100a", VERSIONS[-1])],
)
def test_special_registers_exist_where_ptxas_says(ptxas: Tool, name: str, version: Version) -> None:
    ours = {n for n, s in SPECIAL_REGISTERS.items() if not s.components and s.window.admits(name, version)}
    assert ours == _accepted(version, name)


def test_elements_of_special_registers_are_those_of_ptxas(ptxas: Tool) -> None:
    names = [name for name, special in SPECIAL_REGISTERS.items() if "." not in name and special.type != "pred"]
    reads = [(f"{name}.{part}", SPECIAL_REGISTERS[name].type[1:]) for name in names for part in (*"xyzwrgba", "xy")]
    head = [".version 8.1", ".target sm_90", ".address_size 64", ".entry k() {", ".reg .b32 %b<2>; .reg .b64 %d<2>;"]
    lines = [*head, *(f"mov.b{bits} %{'b' if bits == '32' else 'd'}1, {name};" for name, bits in reads), "ret; }"]
    with pytest.raises(ToolError) as error:
        assemble("\n".join(lines), target="sm_90")
    refused = set(re.findall(r"line (\d+);", error.value.output))
    assert refused == {str(found.line) for found in weft.verify(weft.parse("\n".join(lines)))}
    assert len(refused) < len(reads)


def test_operations_read_registers_that_there_are() -> None:
    assert {name for name in sregs.SPECIAL_REGISTERS.values() if name not in SPECIAL_REGISTERS} == {"WARP_SZ"}


def test_which_registers_an_instruction_takes() -> None:
    """Of all pairs of types: predicates for themselves alone, what is untyped for everything of its width."""
    for have, want, wider, loose in product(TYPES.values(), TYPES.values(), (False, True), (False, True)):
        fits = compatible(have.name, want.name, wider=wider, loose=loose)
        case = have.name, want.name, wider, loose
        if "p" in (have.kind, want.kind):
            assert fits == (have.kind == want.kind), case
            continue
        larger = have.bits > want.bits and (loose or (wider and have.kind != "f"))
        assert not fits or have.bits == want.bits or larger, case
        if have.bits == want.bits and (
            have == want or "b" in (have.kind, want.kind) or {have.kind, want.kind} == {"u", "s"}
        ):
            assert fits, case
        if {have.kind, want.kind} in ({"f", "u"}, {"f", "s"}):
            assert not fits, case
