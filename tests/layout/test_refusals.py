"""What layouts refuse beside shapes: axes, fragments, descriptors, accesses and memrefs that there are not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from weft.errors import LayoutError
from weft.layout import S, laneid, m, swz, warpid
from weft.layout.access import Access
from weft.layout.axis import AXES, Axis
from weft.layout.banks import matrix_accesses, vector_accesses
from weft.layout.boxes import boxes
from weft.layout.conflicts import report
from weft.layout.descriptors import Descriptor, descriptor
from weft.layout.fragments import fragment_layout, named_fragment
from weft.layout.grid import fragment_grid, layout_grid
from weft.layout.memref import DEEPEST, from_memref, infer_layout
from weft.layout.notebook import access_html, fragment_html, layout_html
from weft.layout.swizzle import ComposeLayout, shared_layout


def accesses(count: int) -> Access:
    return Access(np.zeros((count, 32), np.int64), 4, active=np.ones((count, 32), np.bool_))


@pytest.mark.parametrize(
    ("call", "message", "hint"),
    [
        (lambda: Axis("no axis"), "unknown axis 'no axis'", None),
        (lambda: Axis("my").check_known(), "axis 'my' is not a memory or thread axis", "known: "),
        (lambda: m.of_thread(3), "'m' cannot be computed from a thread's index in its CTA", None),
        (lambda: fragment_layout("mma.m16n8k99.f16", "a"), "unknown instruction 'mma.m16n8k99.f16'", None),
        (
            lambda: fragment_layout("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", "a"),
            "the layout of wmma fragments is undocumented",
            "use mma, wgmma, ldmatrix or stmatrix",
        ),
        (
            lambda: fragment_layout("tcgen05.ld.sync.aligned.32x32b.x1.b32", "a"),
            "'tcgen05.ld.sync.aligned.32x32b.x1.b32' has no fragment 'a'",
            "fragments: r",
        ),
        (lambda: report(accesses(0)), "expected one instruction, got 0", None),
        (lambda: report(accesses(2)), "expected one instruction, got 2", None),
        (
            lambda: vector_accesses(S[8, 8], S[(8, 8) : (8, 1)], (8, 8), 16),
            "does not map elements to threads and registers",
            None,
        ),
        (lambda: layout_grid(S[4, 4], (4, 5)), "shape (4, 5) has 20 elements, but the layout has 16", None),
        (
            lambda: descriptor(S[(64, 16) : (16 @ laneid, 1)], (64, 16), 16, 64, k_first=False),
            "an operand of wgmma must have each element in one place in shared memory",
            None,
        ),
        (
            lambda: descriptor(S[(4, 48, 16) : (832, 16, 1)], (192, 16), 16, 64, k_first=False),
            "the operands of the products have different layouts",
            None,
        ),
        (
            lambda: descriptor(shared_layout(16, 32, (64, 32)), (64, 32), 16, 64, k_first=False, steps=2),
            "wgmma needs contiguous blocks of 8 rows of 32 bytes along K, or along M or N",
            "use shared_layout(16, 32, shape), with rows of 16 elements",
        ),
        (
            lambda: descriptor(
                ComposeLayout(shared_layout(16, 128, (64, 64)).swizzle, S[4096:1] + 64), (64, 64), 16, 64, k_first=False
            ),
            "products must begin at a multiple of 8 rows of the swizzle",
            None,
        ),
        (
            lambda: boxes(S[(65, 8) : (16, 1)], (65, 8), 16),
            "the tile would need 65 boxes",
            "use a layout with longer contiguous runs",
        ),
        (lambda: descriptor(S[64, 24], (64, 24), 16, 64, k_first=False), "64 x 24 is not a multiple of 64 x 16", None),
        (lambda: descriptor(S[32, 16], (32, 16), 16, 64, k_first=False), "32 x 16 is not a multiple of 64 x 16", None),
        (
            lambda: descriptor(S[(2, 64, 16) : (5000, 8, 512)], (128, 16), 16, 64, k_first=False, other=False),
            "wgmma needs contiguous blocks of 8 rows of 16 bytes along K",
            "use shared_layout(16, 128, shape), with rows of 64 elements",
        ),
        (
            lambda: descriptor(S[(2, 64, 16) : (5000, 8, 512)], (128, 16), 16, 64, k_first=False),
            "wgmma needs contiguous blocks of 8 rows of 16 bytes along K, or along M or N",
            "use shared_layout(16, 128, shape), with rows of 64 elements",
        ),
        (
            lambda: descriptor(S[(64, 32) : (64, 2)], (64, 32), 8, 64, k_first=False),
            "along K (elements of 8 bits are not transposed)",
            "use shared_layout(8, 128, shape), with rows of 128 elements",
        ),
        *(
            (lambda text=text: from_memref(text), message, None)
            for text, message in (
                ("memref<4xf16, strided<4>>", "expected strided<[...], offset: n>"),
                ("memref<4xf16, strided<[x]>>", "expected a number, found 'x'"),
                ("memref<4xf16, strided<[1], offset: 1-2>>", "expected a number, found '1-2'"),
                ("memref<4xf16, strided<[1, 2]>>", "2 strides for 1 dimensions"),
                ("memref<4xf16, strided<[?]>>", "a layout needs static strides, but these are dynamic"),
                ("memref<4xf16, strided<[1]>", "unterminated memref type"),
                (
                    f"memref<4xf16, affine_map<(a) -> ({'(' * DEEPEST}a{')' * DEEPEST})>>",
                    "expression nested too deeply",
                ),
                ("memref<4xf16, affine_map<(a) -> (a, a)>>", "must have a single result"),
            )
        ),
        (lambda: infer_layout(np.array([[0, 1], [2, 4]])), "the places are not a sum over the dimensions", None),
        (
            lambda: infer_layout(np.array([0, 1, 5, 7])),
            "the places of dimension 0 are not a sum over digits",
            None,
        ),
    ],
)
def test_refusals(call: Callable[[], object], message: str, hint: str | None) -> None:
    with pytest.raises(LayoutError) as refused:
        call()
    assert message in refused.value.message
    assert hint is None or (refused.value.hint or "").startswith(hint)


def test_nested_expressions_are_read_as_deep_as_they_may_be() -> None:
    deep = DEEPEST - 1
    found = from_memref(f"memref<4xf16, affine_map<(a) -> ({'(' * deep}a{')' * deep})>>")
    assert found.layout.apply_all()[m].tolist() == [0, 1, 2, 3]


def test_words_of_descriptors() -> None:
    """The fields of the manual: distances in sixteens at bits 16 and 32, the swizzle at 62."""
    for span, mode in ((0, 0), (128, 1), (64, 2), (32, 3)):
        found = Descriptor(0x1230, 0x4560, span, True, ((0,),))
        word = found.constant
        assert (word & 0xFFFF, word >> 16 & 0x3FFF, word >> 32 & 0x3FFF, word >> 62) == (0, 0x123, 0x456, mode)
        assert found.alignment == (span * 8 or 16)


def test_operands_that_do_not_begin_with_a_pattern() -> None:
    """Blocks of eight rows of a swizzle begin where the pattern does."""
    whole = shared_layout(16, 128, (64, 64))
    assert descriptor(whole, (64, 64), 16, 64, k_first=False).corners == ((0, 32, 64, 96),)
    assert isinstance(whole, ComposeLayout)


def test_groups_of_swizzled_layouts() -> None:
    layout = swz(3, 3, 3) @ S[16, 64]
    grouped, seps = layout.group((4, 4, 64))
    assert grouped.swizzle == layout.swizzle and seps == (0, 1, 2, 3)
    assert grouped.tile_layout == layout.tile_layout.group((4, 4, 64)).layout
    assert grouped.apply_all()[m].reshape(-1).tolist() == layout.apply_all()[m].reshape(-1).tolist()


def test_notebooks_show_drawings() -> None:
    access = matrix_accesses(S[8, 64], (8, 64), 16, 4)
    for html in (
        layout_html(S[4, 8]),
        fragment_html(fragment_layout("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "a")),
        access_html(access),
    ):
        assert html.startswith("<svg") and html.rstrip().endswith("</svg>")
    assert len(access) > 1 and "instruction " in access_html(access) and f" of {len(access)}" in access_html(access)
    one = matrix_accesses(S[8, 8], (8, 8), 16, 1)
    assert len(one) == 1 and "shared memory" in access_html(one)


def test_facts_of_matrices_in_memory() -> None:
    grid = fragment_grid(fragment_layout("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "r"))
    assert "row i of matrix j is where the address of lane 8 j + i points" in grid.facts
    other = fragment_grid(fragment_layout("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "a"))
    assert not any("row i" in fact for fact in other.facts)


def test_names_of_axes() -> None:
    for axis in AXES:
        assert Axis(axis.name) is axis
        axis.check_known()
        assert axis.thread == (axis.scope is not None)
    assert warpid.of_thread(65) == 2 and laneid.of_thread(65) == 1


def test_operands_and_boxes_at_their_limits() -> None:
    """64 boxes; rows of a whole product, beside a sparse operand too; patterns that begin behind others."""
    assert len(boxes(S[(64, 8) : (16, 1)], (64, 8), 16).starts) == 64
    found = descriptor(shared_layout(16, 64, (64, 32)), (64, 32), 16, 64, k_first=False, steps=2)
    assert found == Descriptor(0, 512, 64, True, ((0,),))
    later = ComposeLayout(shared_layout(16, 128, (64, 64)).swizzle, S[4096:1] + 512)
    found = descriptor(later, (64, 64), 16, 64, k_first=False)
    assert found == Descriptor(0, 1024, 128, True, ((1024, 1056, 1088, 1120),))


def test_stored_operands_of_sparse_products() -> None:
    """They have half of the columns along K."""
    for stored, dense in (("sp.m64n8k32.A.f16", "m64n8k16.A.f16"), ("sp.m64n8k64.A.e4m3", "m64n8k32.A.e4m3")):
        found, same = named_fragment(f"wgmma.{stored}"), named_fragment(f"wgmma.{dense}")
        assert (found.shape, found.layout) == (same.shape, same.layout)
