"""The verifier beside ptxas on every kind of operand in every place: statements of all forms, operand by operand.

benchmarks/verifier.md says what is left.
"""

from __future__ import annotations

import random
import re
from itertools import count

import pytest

from tests.effort import one_in
from tests.isa.replaced import LITERALS, replaced, replacements
from tests.isa.statements import all_stems, legal_statements, somewhere
from tests.isa.swept import CHANGES, swept
from tests.isa.test_table_against_ptxas import differing, refused_by_us
from weft.isa.registry import compiled_forms
from weft.isa.target import NEWEST
from weft.toolchain import Tool

PARTS = 8


def test_samples_agree(ptxas: Tool) -> None:
    rng = random.Random(3)
    groups = replaced(all_stems()[::4], 1, rng)
    drawn = {point: rng.sample(texts, max(1, len(texts) // 120)) for point, texts in groups.items()}
    total, alarms, misses = differing(drawn)
    assert total > 80
    assert len(alarms) + len(misses) <= 2, [*alarms, *misses]


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("part", range(PARTS))
def test_all_replacements(ptxas: Tool, part: int) -> None:
    total, alarms, misses = differing(replaced(all_stems()[part::PARTS], 1, random.Random(part)))
    assert total > 5000
    assert len(alarms) + len(misses) <= total * 0.02, [*alarms, *misses]


REPLACED = (
    "sm_80 mma.sync.aligned.m16n8k64.row.col.s32.s4.u4.s32 {4}, {4}, {2}, {4};",
    "sm_90 mma.sync.aligned.m16n8k32.row.col.s32.s4.u4.s32 {4}, {2}, {1}, {4};",
    "sm_100a mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc {4}, {2}, {1}, {4};",
    "sm_90 mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e4m3.f32 {4}, {2}, {1}, {4};",
    "sm_100a mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16 {2}, {4}, {2}, {2};",
    "sm_100a mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {4}, {4}, {4}, {4}, %r90, 1;",
    "sm_90 mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {4}, {4}, {4}, {4}, %r90, 1;",
    "sm_90 wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32 {2}, {1}, {1}, {2};",
    "sm_90 wmma.mma.sync.aligned.row.row.m8n32k16.s32.u8.u8.s32 {8}, {1}, {4}, {8};",
    "sm_75 wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32 {8}, {2}, {2}, {8};",
    "sm_107a wmma.store.d.sync.aligned.row.m8n32k16.f16 [%rd1], {4}, %r90;",
    "sm_90 wmma.load.c.sync.aligned.col.m16n16k16.f32 {8}, [%rd1];",
    "sm_121a tex.grad.2d.v4.f32.f32 {4}, [%rd1, {2}], {2}, {2}, %r90;",
    "sm_121a tex.grad.acube.v4.f32.f32 {4}, [%rd1, {4}], {4}, {4}, %r90;",
    "sm_121a tex.level.acube.v4.u32.f32 {4}, [%rd1, {4}], %r90, %r91;",
    "sm_110a tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%rd1], 0, %r90;",
    "sm_100a tcgen05.mma.cta_group::2.kind::i8 [%r90], %rd1, %rd2, %r91, %p3, %p1, 1;",
    "sm_110f tcgen05.mma.sp.cta_group::2.kind::f16 [%r90], %rd1, %rd2, [%r91], %r92, %p1, 10;",
    "sm_90a wgmma.wait_group.sync.aligned 3;",
    "sm_107a mbarrier.arrive.multicast::cluster::32b.b64 _, [%rd1], %r90;",
    "sm_90 mbarrier.arrive.noComplete.b64 %rd1, [%rd2], 3;",
)
"""Statements that ptxas replaces by others, or takes more of than the manual says; `{4}` is a vector of four registers."""


def _written(text: str) -> str:
    numbers = count(1)
    return re.sub(r"\{(\d)\}", lambda m: "{" + ", ".join(f"%r{next(numbers)}" for _ in range(int(m[1]))) + "}", text)


@pytest.mark.sample(2)
@pytest.mark.parametrize("statement", REPLACED)
def test_what_ptxas_writes_anew(ptxas: Tool, statement: str) -> None:
    target, _, text = statement.partition(" ")
    texts = list(replacements(_written(text)))
    drawn = random.Random(statement).sample(texts, max(1, len(texts) // one_in(4)))
    _, alarms, misses = differing({(target, NEWEST): drawn})
    assert [*alarms, *misses] == []


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("kind", CHANGES)
def test_other_changes(ptxas: Tool, kind: str) -> None:
    groups = swept(CHANGES[kind], all_stems()[::8], random.Random(kind))
    total, alarms, misses = differing(groups)
    assert total > 200
    assert len(alarms) + len(misses) <= total * 0.005, [*alarms, *misses]


def test_literals_beyond_wide_ranges_are_judged_at_once() -> None:
    """However many values a literal may have, none of them is looked at one by one."""
    wide = 1 << 16
    texts = [
        (text, *somewhere(made.windows, random.Random(1)))
        for stem in all_stems()
        if any(
            isinstance(values := spec.arg.values, range) and len(values) > wide
            for form in compiled_forms(stem)
            for spec in form.operands
        )
        for made in legal_statements(stem, 1, random.Random(1))
        for text in replacements(made.text, LITERALS)
    ]
    assert len(texts) > 500
    assert sum(bool(refused_by_us(*each)) for each in texts) > 100
