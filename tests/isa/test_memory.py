"""Loads, stores, atomics, cache hints, addresses, multimem and the stack: windows, refusals and explanations."""

from __future__ import annotations

import pytest

from tests.isa.edges import check_edges, check_illegal
from weft.isa import decode, families, opcode
from weft.isa.opcode import Opcode
from weft.toolchain import Tool

STEMS = [
    *("ld", "ldu", "st", "atom", "red", "st.async", "red.async", "st.bulk"),
    *("prefetch", "prefetchu", "discard", "applypriority", "createpolicy"),
    *("cvta", "isspacep", "istypep", "mapa", "getctarank", "stacksave", "stackrestore"),
    *sorted(stem for stem in families() if stem.startswith("multimem.")),
]

LENIENT = (".v8.b8", ".v8.u8", ".v8.s8", ".v8.b16", ".v8.u16", ".v8.s16")
"""Vectors of eight narrow elements: the parser takes them in loads, code generation does not."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("stem", STEMS)
def test_windows_begin_where_ptxas_says(ptxas: Tool, stem: str) -> None:
    check_edges(stem)


def test_ptxas_refuses_what_the_table_does(ptxas: Tool) -> None:
    assert sum(check_illegal(stem, LENIENT if stem == "ld" else ()) for stem in STEMS) > 150


def spelled_window(text: str) -> list[str]:
    return [str(w) for w in decode(text).windows]


@pytest.mark.parametrize(
    ("text", "window"),
    [
        ("ld.global.u32", "PTX 1.0"),
        ("ld.weak.global.u32", "PTX 6.0 and sm_70 or later"),
        ("ld.volatile.local.u32", "PTX 9.1"),
        ("ld.acquire.cluster.global.u32", "PTX 7.8 and sm_90 or later"),
        ("ld.mmio.relaxed.sys.global.u32", "PTX 8.2 and sm_70 or later"),
        ("ld.global.L2::256B.v4.f32", "PTX 7.4 and sm_80 or later"),
        ("ld.global.L1::evict_last.L2::evict_last.v8.b32", "PTX 8.8 and sm_100 or later"),
        ("ld.relaxed.sys.global.b128", "PTX 8.4 and sm_70 or later"),
        ("st.shared::cluster.u32", "PTX 7.8 and sm_90 or later"),
        ("atom.global.add.f64", "PTX 5.0 and sm_60 or later"),
        ("atom.global.add.noftz.f32", "PTX 9.4 and sm_90 or later"),
        ("atom.global.add.v4.f32", "PTX 8.1 and sm_90 or later"),
        ("atom.sys.global.exch.b128", "PTX 8.4 and sm_90 or later"),
        ("red.async.release.gpu.global.add.u32", "PTX 8.7 and sm_100 or later"),
        ("cvta.to.param::entry.u64", "PTX 8.3 and sm_70 or later"),
    ],
)
def test_pinned_windows(text: str, window: str) -> None:
    assert spelled_window(text) == [window]


def test_fp8_multimem_has_family_targets_on_100_and_only_a_on_120() -> None:
    (window,) = decode("multimem.ld_reduce.global.add.v2.e4m3x4").windows
    assert {"sm_100a", "sm_103f", "sm_110f", "sm_120a", "sm_121a"} <= window.targets
    assert not window.targets & {"sm_100", "sm_120f", "sm_121f", "sm_90a"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ld.relaxed.global.u32", "with .relaxed, .global it needs '.cta' or '.cluster' or '.gpu' or '.sys'"),
        ("ld.relaxed.gpu.global.ca.u32", "it needs no '.ca'"),
        ("ld.global.v4.b128", "a vector holds at most 128 bits"),
        ("ld.shared.L1::evict_last.u32", "is allowed only for global and generic addresses"),
        ("ld.global.L2::evict_last.u32", "eviction priorities need a 256-bit vector"),
        ("atom.global.add.f16", "it needs '.noftz'"),
        ("atom.global.and.u32", "'.b32' or '.b64'"),
        ("red.acquire.gpu.global.add.u32", "'.acquire'"),
        ("ld.global.f16", "'.f16' is not a modifier of 'ld'"),
        ("st.global.ca.u32", "'.ca'"),
    ],
)
def test_explanations(text: str, said: str) -> None:
    problem = decode(text).problem
    assert problem is not None
    assert said in problem.message


def test_opcodes_by_slot() -> None:
    made = opcode("ld", sem="acquire", scope="gpu", ss="global", type="b32")
    assert str(made) == "ld.acquire.gpu.global.b32"
    assert str(opcode("ld", ss="global", nc=True, cache_hint=True, vec="v4", type="f32")) == (
        "ld.global.nc.L2::cache_hint.v4.f32"
    )
    assert str(opcode("atom", ss="global", op="cas", type="b64")) == "atom.global.cas.b64"
    assert str(opcode("cvta", ss="global", size="u64")) == "cvta.global.u64"
    assert str(opcode("cvta", to=True, ss="shared", size="u64")) == "cvta.to.shared.u64"


def test_any_order_is_read_and_the_manuals_order_printed() -> None:
    made: Opcode = decode("atom.global.relaxed.gpu.add.u32")
    assert made.text == "atom.relaxed.gpu.global.add.u32"
    assert not made.canonical
    assert made == decode("atom.relaxed.gpu.global.add.u32")


def test_effects() -> None:
    load, store, add = decode("ld.shared.u32"), decode("st.global.u32"), decode("atom.shared.add.u32")
    assert (load.effects.memory, store.effects.memory, add.effects.memory) == ("r", "w", "rw")
    assert load[load.effects.space] == "shared"
    assert decode("cvta.global.u64").effects.memory == ""
