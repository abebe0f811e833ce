"""How notebooks show layouts: as drawings, which are loaded when a notebook asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.layout.access import Access
    from weft.layout.fragments import FragmentLayout
    from weft.layout.swizzle import Layout


def layout_html(layout: Layout) -> str:
    """The drawing of a layout over its own shape."""
    from weft.layout.grid import layout_grid
    from weft.layout.svg import grid_svg

    return grid_svg(layout_grid(layout))


def fragment_html(fragment: FragmentLayout) -> str:
    """The drawing of a fragment."""
    from weft.layout.grid import fragment_grid
    from weft.layout.svg import grid_svg

    return grid_svg(fragment_grid(fragment))


def access_html(access: Access) -> str:
    """The drawing of the first of an access's worst instructions."""
    from weft.layout.conflicts import worst
    from weft.layout.svg import banks_svg

    number, one = worst(access)
    return banks_svg(one, f"instruction {number} of {len(access)}" if len(access) > 1 else "shared memory")
