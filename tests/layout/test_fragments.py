"""Fragments as layouts: against the ISA table's fact for every opcode, and against formulas of the manual."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.isa.test_fragments import legal
from weft.errors import WeftError
from weft.isa.fragments import fragment
from weft.isa.registry import compiled_forms
from weft.layout import S, laneid, m, tid_in_wg
from weft.layout.fragments import FragmentLayout, fragment_layout, named_fragment
from weft.sim.sparsity import holders

OPERANDS = {"mma": "abcd", "mma.sp": "abcd", "ldmatrix": "r", "stmatrix": "r", "movmatrix": "ad"}


@pytest.mark.sample(1)
@pytest.mark.parametrize("stem", OPERANDS)
def test_every_fragment_is_a_layout(stem: str) -> None:
    seen: set[object] = set()
    for form in compiled_forms(stem):
        for code in legal(form):
            for operand in OPERANDS[stem]:
                key = (*(code.get(slot) for slot in ("shape", f"{operand}type", "num", "trans")), operand, code.get("alayout"), code.get("blayout"))  # fmt: skip
                if key in seen:
                    continue
                seen.add(key)
                held, found = fragment(code, operand), fragment_layout(code, operand)
                assert (found.registers, found.bits, found.packed) == (held.registers, held.bits, held.packed)
                places = found.layout.apply_all(found.shape)
                for lane, register, at, (matrix, row, column) in held.elements():
                    cell = row, matrix * held.columns + column
                    index = places[m][cell] if m in places else 0
                    assert (places[laneid][cell], index) == (lane, register * held.packed + at)


def cells(found: FragmentLayout) -> dict[tuple[int, int], tuple[int, int]]:
    """Thread and element in the thread to row and column."""
    places = found.layout.apply_all(found.shape)
    thread = places.get(tid_in_wg, places.get(laneid))
    assert thread is not None
    return {
        (int(thread[row, column]), int(places[m][row, column]) if m in places else 0): (row, column)
        for row in range(found.shape[0])
        for column in range(found.shape[1])
    }


def test_the_layouts_of_the_front_end() -> None:
    assert named_fragment("mma.m16n8k16.A.f16").layout == S[(2, 8, 2, 4, 2) : (2, 4 @ laneid, 4, 1 @ laneid, 1)]
    assert named_fragment("mma.m16n8k16.B.bf16").layout == S[(2, 4, 2, 8) : (2, 1 @ laneid, 1, 4 @ laneid)]
    assert named_fragment("mma.m16n8k16.C.f32").layout == S[(2, 8, 4, 2) : (2, 4 @ laneid, 1 @ laneid, 1)]
    assert named_fragment("ldmatrix.m8n8.x4.b16").layout == S[(8, 4, 4, 2) : (4 @ laneid, 2, 1 @ laneid, 1)]


Formula = Callable[[int, int], tuple[int, int]]
# Thread t and element i to row and column, as the manual writes them: groupID is t % 32 / 4, threadID_in_group t % 4.
MANUAL: dict[str, Formula] = {
    "mma.m16n8k16.A.f16": lambda t, i: (t // 4 + (8 if i % 4 >= 2 else 0), t % 4 * 2 + (i & 1) + (8 if i >= 4 else 0)),
    "mma.m16n8k16.B.f16": lambda t, i: (t % 4 * 2 + (i & 1) + (8 if i >= 2 else 0), t // 4),
    "mma.m16n8k8.A.tf32": lambda t, i: (t // 4 + 8 * (i % 2), t % 4 + 4 * (i // 2)),
    "mma.m16n8k32.A.s8": lambda t, i: (t // 4 + (8 if 4 <= i < 8 or i >= 12 else 0), t % 4 * 4 + (i & 3) + (16 if i >= 8 else 0)),
    "mma.m8n8k4.A.f64": lambda t, i: (t // 4, t % 4),
    "mma.sp.m16n8k32.A.f16": lambda t, i: (t // 4 + (8 if i % 4 >= 2 else 0), t % 4 * 2 + (i & 1) + (8 if i >= 4 else 0)),
    "wgmma.m64n40k16.D.f32": lambda t, i: (
        t // 32 * 16 + t % 32 // 4 + 8 * (i // 2 % 2),
        i // 4 * 8 + t % 4 * 2 + i % 2,
    ),
    "wgmma.m64n256k16.D.f16": lambda t, i: (
        t // 32 * 16 + t % 32 // 4 + 8 * (i // 2 % 2),
        i // 4 * 8 + t % 4 * 2 + i % 2,
    ),
    "wgmma.m64n8k16.A.bf16": lambda t, i: (
        t // 32 * 16 + t % 32 // 4 + (8 if i % 4 >= 2 else 0),
        t % 4 * 2 + (i & 1) + (8 if i >= 4 else 0),
    ),
    "wgmma.m64n8k8.A.tf32": lambda t, i: (t // 32 * 16 + t % 32 // 4 + 8 * (i % 2), t % 4 + 4 * (i // 2)),
    "wgmma.m64n8k32.A.u8": lambda t, i: (
        t // 32 * 16 + t % 32 // 4 + (8 if i // 4 % 2 else 0),
        t % 4 * 4 + i % 4 + 16 * (i // 8),
    ),
    "wgmma.m64n24k32.D.s32": lambda t, i: (
        t // 32 * 16 + t % 32 // 4 + 8 * (i // 2 % 2),
        i // 4 * 8 + t % 4 * 2 + i % 2,
    ),
    "tcgen05.ld.32x32b.x8": lambda t, i: (t, i),
    "tcgen05.ld.16x64b.x4": lambda t, i: (t // 4 + 8 * (t % 2), 2 * i + t // 2 % 2),
    "tcgen05.st.16x128b.x4": lambda t, i: (t // 4 + 8 * (i % 2), i // 2 * 4 + t % 4),
    "tcgen05.ld.16x256b.x2": lambda t, i: (t // 4 + 8 * (i // 2 % 2), i // 4 * 8 + t % 4 * 2 + i % 2),
    "tcgen05.ld.16x32bx2.x4": lambda t, i: (t % 16, t // 16 * 4 + i),
    "ldmatrix.m8n8.x2.b16": lambda t, i: (t // 4, i // 2 * 8 + t % 4 * 2 + i % 2),
    "ldmatrix.m8n8.x2.trans.b16": lambda t, i: (t % 4 * 2 + i % 2, i // 2 * 8 + t // 4),
    "movmatrix.d": lambda t, i: (t % 4 * 2 + i, t // 4),
}  # fmt: skip


@pytest.mark.parametrize("name", MANUAL)
def test_formulas(name: str) -> None:
    found = named_fragment(name)
    held = cells(found)
    assert len(held) == found.shape[0] * found.shape[1]
    assert held == {(thread, index): MANUAL[name](thread, index) for thread, index in held}


@pytest.mark.parametrize(
    ("name", "columns", "bits", "selectors"),
    [
        ("mma.sp.m16n8k16.E.f16", 16, 16, 4),
        ("mma.sp.m16n8k32.E.bf16", 32, 16, 2),
        ("mma.sp.m16n8k8.E.tf32", 8, 32, 4),
        ("mma.sp.m16n8k16.E.tf32", 16, 32, 2),
        ("mma.sp.m16n8k32.E.s8", 32, 8, 2),
        ("mma.sp.m16n8k64.E.s8", 64, 8, 1),
        ("mma.sp.m16n8k64.E.u4", 64, 4, 2),
        ("mma.sp.m16n8k128.E.u4", 128, 4, 1),
        ("wgmma.sp.m64n8k32.E.f16", 32, 16, 2),
        ("wgmma.sp.m64n8k64.E.e4m3", 64, 8, 1),
    ],
)
def test_metadata(name: str, columns: int, bits: int, selectors: int) -> None:
    """As the simulator reads them, which has its own formulas; those of a chunk are 4 bits."""
    for selector in range(selectors):
        found = named_fragment(name.replace(".E.", f".E{selector}."))
        lanes, first = holders(columns, bits, selector)
        places = found.layout.apply_all(found.shape)
        threads = places[tid_in_wg] if name.startswith("wgmma") else places[laneid]
        for warp in range(found.shape[0] // 16):
            rows = slice(16 * warp, 16 * warp + 16)
            assert (threads[rows] == lanes + 32 * warp).all()
            assert (places[m][rows] * 4 == first).all()
    with pytest.raises(WeftError, match="no sparsity selector"):
        named_fragment(name.replace(".E.", f".E{selectors}."))


def test_names() -> None:
    full = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
    assert named_fragment(f"{full}:a") == fragment_layout(full, "a")
    assert named_fragment("mma.m16n8k16.a.bf16").layout == fragment_layout(full, "a").layout
    assert str(named_fragment("mma.m16n8k32.A.s8").opcode) == "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"
    for bad, message in {
        "mma.m16n8k17.A.f16": "unknown instruction",
        "mma.m16n8k16.E.f16": "no fragment 'e'",
        "wmma.m16n16k16.a.f16": "the layout of wmma fragments is undocumented",
        "frobnicate.A": "unknown instruction",
        "mma.sync.aligned.m1n1k1.f16:a": "unknown instruction",
        "wgmma.m64n8k16.B.f16": "no fragment 'b'",
    }.items():
        with pytest.raises(WeftError, match=message):
            named_fragment(bad)
