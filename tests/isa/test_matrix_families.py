"""The matrix, tensor and tensor-copy families: what ptxas takes and refuses, spelling, and explanations."""

from __future__ import annotations

import random

import pytest

from tests.isa.statements import legal_statements, refusals, somewhere, statement
from weft.isa import decode, families
from weft.isa.compiled import CompiledForm
from weft.isa.registry import compiled_forms
from weft.isa.target import NEWEST, TARGETS, VERSIONS, Version
from weft.toolchain import Tool

STEMS = [
    "ldmatrix",
    "stmatrix",
    "movmatrix",
    "mma",
    "mma.sp",
    "mma.sp::ordered_metadata",
    "wmma.load",
    "wmma.store",
    "wmma.mma",
    "wgmma.mma_async",
    "wgmma.mma_async.sp",
    "wgmma.fence",
    "wgmma.commit_group",
    "wgmma.wait_group",
    "cp.async.bulk.tensor",
    "cp.reduce.async.bulk.tensor",
    "cp.async.bulk.prefetch.tensor",
    "tensormap.replace",
    "tensormap.cp_fenceproxy",
    *sorted(stem for stem in families() if stem.startswith("tcgen05.")),
]


@pytest.mark.sample(3)
@pytest.mark.parametrize("stem", STEMS)
def test_ptxas_takes_what_the_table_calls_legal(ptxas: Tool, stem: str) -> None:
    rng = random.Random(stem)
    asked: dict[tuple[str, Version], list[str]] = {}
    for made in legal_statements(stem, 12, rng):
        asked.setdefault(somewhere(made.windows, rng), []).append(made.text)
    assert asked
    for (name, version), texts in asked.items():
        refused = refusals(texts, name, version)
        assert not refused, [(name, version, texts[i], message) for i, message in refused.items()]


def neighbours(form: CompiledForm, rng: random.Random, wanted: int) -> list[str]:
    """Statements one modifier away from a legal one that the table calls illegal everywhere."""
    keys = [element for element in form.elements if element.slot]
    made: dict[str, str] = {}
    legal: list[dict[str, str]] = []
    for _ in range(wanted * 40):
        if len(made) >= wanted:
            break
        base = rng.choice(legal) if legal and rng.random() < 0.9 else {e.slot: rng.choice(e.tokens) for e in keys}
        slots = dict(base)
        if keys:
            element = rng.choice(keys)
            slots[element.slot] = rng.choice([*element.tokens, *([""] if element.optional else [])])
        if form.windows(slots):
            legal.append(slots)
        elif base in legal and not decode(form.spell(slots)).valid:
            spelled = statement(form, slots, rng)
            if spelled is not None:
                made[spelled.opcode] = spelled.text
    return list(made.values())


# Combinations outside the manual that ptxas's parser lets pass; its code generator has no instruction for them.
LENIENT = (
    "m16n8k16.row.col.f32.tf32.tf32.f32",
    ".m16n8k16.row.col.kind::f8f6f4",
    "wmma.",
)


@pytest.mark.sample(2)
@pytest.mark.parametrize("stem", STEMS)
def test_ptxas_refuses_what_the_table_calls_illegal(ptxas: Tool, stem: str) -> None:
    rng = random.Random(stem)
    texts = [text for form in compiled_forms(stem) for text in neighbours(form, rng, 6)]
    texts = [text for text in texts if not any(part in text for part in LENIENT)]
    for name in ("sm_90a", "sm_100a", "sm_103a", "sm_120a"):
        refused = refusals(texts, name, NEWEST)
        assert len(refused) == len(texts), [(name, text) for i, text in enumerate(texts) if i not in refused]


FLOORS = [
    ("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", "sm_70", "6.4"),
    ("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", "sm_75", "6.5"),
    ("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "sm_80", "7.0"),
    ("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc", "sm_80", "7.1"),
    ("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", "sm_90", "7.8"),
    ("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", "sm_89", "8.4"),
    ("mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e5m2.f16", "sm_89", "8.7"),
    ("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "sm_80", "7.1"),
    ("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "sm_80", "8.5"),
    ("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8", "sm_90a", "8.4"),
    ("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16", "sm_90a", "8.2"),
    ("tensormap.replace.tile.rank.global.b1024.b32", "sm_90a", "8.3"),
    ("tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.block32", "sm_100a", "8.8"),
]


@pytest.mark.sample(3)
@pytest.mark.parametrize(("text", "target", "version"), FLOORS)
def test_least_versions(ptxas: Tool, text: str, target: str, version: str) -> None:
    least = Version.parse(version)
    below = VERSIONS[VERSIONS.index(least) - 1]
    code = decode(text)
    assert min(w.least(target) or NEWEST for w in code.windows) == least
    variant = code.variants[0]
    made = statement(variant.compiled, variant.slots, random.Random(0))
    assert made is not None
    assert refusals([made.text], target, least) == {}
    if below >= TARGETS[target].least:
        assert refusals([made.text], target, below)


@pytest.mark.sample(8)
@pytest.mark.parametrize("stem", STEMS)
def test_spelling_and_decoding_are_inverse(stem: str) -> None:
    rng = random.Random(stem)
    for made in legal_statements(stem, 20, rng):
        code = decode(made.opcode)
        assert code.valid
        assert code.canonical
        assert code.stem == stem
        assert made.opcode in {v.compiled.spell(v.slots) for v in code.variants}


@pytest.mark.parametrize("stem", STEMS)
def test_families_are_documented(stem: str) -> None:
    family = families()[stem]
    assert family.manual
    assert family.summary.endswith(".")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("ldmatrix.sync.aligned.m16n16.x1.b8", "'.trans'"),
        ("ldmatrix.sync.aligned.m8n16.x1.trans.b8x16.b6x16_p32", "no '.trans'"),
        ("ldmatrix.sync.aligned.m8n8.x8.b16", "'.x8' is not a modifier"),
        ("ldmatrix.sync.aligned.row.m8n8.x1.b16", "'.row'"),
        ("mma.sync.aligned.m16n8k16.f32.f16.f16.f32", "lacks"),
        ("mma.sync.aligned.m16n8k16.col.row.f32.f16.f16.f32", "'.m8n8k4'"),
        ("mma.sync.aligned.m16n16k16.row.col.f32.f16.f16.f32", "'.m16n16k16' is not a modifier"),
        ("mma.sync.aligned.m16n8k16.row.col.f16.f16.f32.f32", "'.f32' is not allowed in"),
        ("mma.sync.aligned.m8n8k16.row.col.s8.s32.s8.s32", "is not allowed in"),
        ("mma.m16n8k32.row.col.f32.e4m3.e4m3.f32", "'.sync'"),
        ("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16.scaleD", "'.scaleD' is not a modifier"),
        ("tcgen05.mma.kind::f16", "lacks one of .cta_group::1"),
        ("tcgen05.cp.cta_group::1.64x128b", "needs"),
        ("cp.async.bulk.tensor.2d.global.shared::cta.tile", "lacks '.bulk_group'"),
        ("cp.async.bulk.tensor.1d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes", "'.3d'"),
        ("cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes.multicast::cluster", "multicast"),
    ],
)
def test_wrong_modifiers_are_explained(text: str, part: str) -> None:
    problem = decode(text).problem
    assert problem is not None
    assert part in problem.message, problem


def test_permuted_modifiers_keep_types_and_layouts_in_order() -> None:
    assert decode("ldmatrix.aligned.sync.x2.m8n8.b16.shared.trans").text == (
        "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16"
    )
    assert decode("mma.sync.aligned.row.col.m16n8k16.f32.f16.f16.f32").valid
    assert not decode("mma.sync.aligned.m8n8k16.col.row.s32.s8.s8.s32").valid
    assert not decode("mma.sync.aligned.m16n8k32.row.col.s8.s32.s8.s32").valid
