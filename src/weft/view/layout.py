"""Pictures of layouts, fragments and shared accesses, for notebooks and for `weft layout`."""

from __future__ import annotations

from weft.layout import ComposeLayout, SwizzleLayout, TileLayout
from weft.layout.banks import Access, wavefronts
from weft.layout.fragments import FragmentLayout
from weft.view.layout_grid import Grid, fragment_grid, layout_grid
from weft.view.layout_svg import banks_svg, grid_svg

Drawable = TileLayout | SwizzleLayout | ComposeLayout | FragmentLayout | Access


def grid(drawn: TileLayout | SwizzleLayout | ComposeLayout | FragmentLayout) -> Grid:
    """The grid of a layout over its own shape, or of a fragment."""
    return fragment_grid(drawn) if isinstance(drawn, FragmentLayout) else layout_grid(drawn)


def html(drawn: Drawable) -> str:
    """The drawing of a layout, of a fragment, or of an access (the first of its worst instructions), for a page."""
    if not isinstance(drawn, Access):
        return grid_svg(grid(drawn))
    number, one = worst(drawn)
    count = f"instruction {number} of {len(drawn)}" if len(drawn) > 1 else "shared memory"
    return banks_svg(one, count)


def worst(access: Access) -> tuple[int, Access]:
    """The first of the instructions with the most wavefronts, and its number."""
    number = int(wavefronts(access).argmax())
    return number, list(access)[number]
