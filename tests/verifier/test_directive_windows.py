"""Where directives and declarations exist: the verifier beside ptxas at both sides of every floor."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.verifier.matrices.kept import accepted_by_ptxas, accepted_by_us
from tests.verifier.matrices.probe import probe
from weft.isa.target import TARGETS, VERSIONS, Target, Version
from weft.toolchain import Tool

ITEMS = """
.entry e() .maxntid 32 { ret; }
.entry e() .reqntid 32 { ret; }
.entry e() .maxnreg 32 { ret; }
.entry e() .maxntid 32 .minnctapersm 2 { ret; }
.entry e() .maxntid 32 .maxnctapersm 2 { ret; }
.entry e() .local_maxnreg 32 { ret; }
.func f() .noreturn { ret; }
.func f() .abi_preserve 8 { ret; }
.entry e() .explicitcluster { ret; }
.entry e() .reqnctapercluster 2 { ret; }
.entry e() .reqntid 32 .reqnctapercluster 2 .blocksareclusters { ret; }
.entry e() { B: .branchtargets L; L: ret; }
.func f() { ret; } .entry e() { C: .calltargets f; ret; }
.entry e() { P: .callprototype _ (); ret; }
.entry e() { .pragma "frequency 3"; ret; }
.entry e() { .pragma "enable_smem_spilling"; ret; }
.entry e(.param .b64 x) { ret; }
.entry e(.param .u64 .ptr .global .align 4 x) { ret; }
.func f(.param .b64 x) { ret; }
.func f(.param .b8 x[]) { ret; }
.common .global .b32 x;
.weak .global .b32 x;
.global .attribute(.managed) .b32 x;
.global .b32 y; .global .u64 x = y;
.global .b32 y; .global .u64 x = generic(y);
.global .b32 y; .global .u8 x = 0xFF(y);
.func f() { .reg .f16x2 %q; ret; }
.func f() { .reg .b128 %q; ret; }
.func f() { ret; } .func g(); .alias g, f;
.global .texref t;
""".strip().splitlines()


def _targets(version: Version) -> list[Target]:
    plain = (target for target in TARGETS.values() if target.name[-1] not in "af" and target.least <= version)
    return sorted(plain, key=lambda target: target.number)


def _at_floors(item: str) -> Iterator[str]:
    """Modules with the item where the verifier's verdict changes: before and after."""
    newest = [(version, _targets(version)[-1]) for version in VERSIONS]
    last = [(VERSIONS[-1], target) for target in _targets(VERSIONS[-1])]
    for walk in (newest, last):
        before, verdict = "", False
        for version, target in walk:
            text = probe(item, str(version), target.name).text
            now = accepted_by_us(text)
            if before and now != verdict:
                yield from (before, text)
            before, verdict = text, now
    yield probe(item, str(VERSIONS[0]), "sm_10").text


def check(item: str) -> None:
    texts = list(_at_floors(item))
    theirs = [accepted_by_ptxas(text) for text in texts]
    wrong = [t for t, answer in zip(texts, theirs, strict=True) if answer not in (None, accepted_by_us(t))]
    assert wrong == []


def test_one(ptxas: Tool) -> None:
    check(ITEMS[2])


@pytest.mark.slow
@pytest.mark.parametrize("item", ITEMS)
def test_floors(ptxas: Tool, item: str) -> None:
    check(item)


TARGETS_LINES = (
    ".target sm_90, sm_80",
    ".target sm_80\n.target sm_90",
    ".target sm_80, texmode_independent, sm_90",
    ".target compute_90",
    ".target debug, sm_90",
    ".target sm_90, sm_77",
)


@pytest.mark.sample(2)
@pytest.mark.parametrize("lines", TARGETS_LINES)
def test_the_last_architecture_governs(ptxas: Tool, lines: str) -> None:
    text = f".version 8.6\n{lines}\n.address_size 64\n.entry k() {{ %s ret; }}"
    texts = [text % statement for statement in ("", "barrier.cluster.arrive;", "wgmma.fence.sync.aligned;")]
    assert [accepted_by_us(text) for text in texts] == [accepted_by_ptxas(text) for text in texts]
