"""`weft layout`: pictures of tile layouts and fragments, bank conflicts, and other notations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import click

from weft.cli import files

if TYPE_CHECKING:
    from weft.layout import Layout, TileLayout
    from weft.layout.access import Access
    from weft.layout.fragments import FragmentLayout
    from weft.layout.grid import Grid

HELP = """Show where a layout puts the elements of a tile, as a table or (-o FILE.svg) as a drawing.

LAYOUT is in weft's notation, "S[(8,4,2,2):(4@laneid,1@laneid,2,1)]", in CuTe's, "(8,64):(64,1)", or a memref type.
--fragment shows an operand of an instruction instead: mma.m16n8k16.A.f16, ldmatrix.m8n8.x4.trans.b16,
wgmma.m64n128k16.D.f32.

--banks counts the bank conflicts of a warp's access to the layout in shared memory, and suggests a swizzle. ACCESS is
ldmatrix or stmatrix (.x1, .x2, .x4, .trans), or tells which lane holds which element in registers: a fragment's name,
or a layout to laneid and m.
"""


@click.command(name="layout", help=HELP)
@click.argument("text", metavar="[LAYOUT]", required=False)
@click.option("--fragment", metavar="NAME", help="Show an operand of an instruction.")
@click.option("--shape", metavar="R,C", help="The extents of the tile.")
@click.option("--bits", type=int, metavar="N", help="The size of an element (default: that of the fragment, or 16).")
@click.option("--banks", metavar="ACCESS", help="Count the bank conflicts of one access by a warp.")
@click.option("--store", is_flag=True, help="With --banks: a store instead of a load.")
@click.option("--cute", is_flag=True, help="Print it in CuTe's notation.")
@click.option("--memref", is_flag=True, help="Print it as a memref type.")
@click.option("-o", "--output", metavar="FILE", help="Where to write; a name ending in .svg gets a drawing.")
def command(
    text: str | None,
    fragment: str | None,
    shape: str | None,
    bits: int | None,
    banks: str | None,
    store: bool,
    cute: bool,
    memref: bool,
    output: str | None,
) -> None:
    """Print or draw one thing."""
    _drawable(output)
    if (text is None) == (fragment is None):
        raise click.UsageError("give a LAYOUT or a --fragment")
    if (banks is not None) + cute + memref > 1:
        raise click.UsageError("--banks, --cute and --memref cannot be combined")
    if store and banks is None:
        raise click.UsageError("--store needs --banks")
    extents = None if shape is None else _extents(shape)
    if fragment is not None:
        if extents is not None or bits is not None or banks is not None or memref:
            raise click.UsageError("a fragment has its own shape and bits, and lies in registers")
        _show_fragment(fragment, cute, output)
        return
    assert text is not None
    found = _read(text, extents, bits)
    if cute or memref:
        files.write(output, _converted(found, cute) + "\n")
    elif banks is not None:
        _show_banks(found, banks, store, output)
    else:
        from weft.layout.grid import layout_grid

        _show(layout_grid(found.layout, found.shape, bits or 0), output)


class _Tile(NamedTuple):
    """A layout, its shape if one is known, and the size of an element if it is."""

    layout: Layout
    shape: tuple[int, ...] | None
    bits: int | None
    element: str


def _extents(shape: str) -> tuple[int, ...]:
    if re.fullmatch(r"\d+(,\d+)*", shape) is None:
        raise click.BadParameter("write a shape like 16,64", param_hint="--shape")
    return tuple(map(int, shape.split(",")))


def _read(text: str, shape: tuple[int, ...] | None, bits: int | None) -> _Tile:
    """The layout of a text in any of the notations."""
    start = text.lstrip()
    element = {8: "i8", 16: "f16", 32: "f32", 64: "f64"}.get(bits or 16, f"i{bits}")
    if start.startswith("memref"):
        from weft.layout.memref import from_memref

        found = from_memref(text)
        width = re.search(r"\d+$", found.element)
        return _Tile(found.layout, shape or found.shape, bits or (int(width[0]) if width else None), found.element)
    if start.startswith(("S[", "swz")):
        from weft.layout import parse

        return _Tile(parse(text), shape, bits, element)
    from weft.layout.cute import from_cute

    layout, modes = from_cute(text)
    found_shape = modes if len(modes) > 1 else None
    return _Tile(layout, shape or found_shape, bits, element)


_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".pdf", ".webp", ".eps")


def _drawable(output: str | None) -> None:
    """Refuse a name that asks for a picture which is not SVG."""
    if output is not None and output.lower().endswith(_PICTURES):
        raise click.UsageError(f"--output {output}: drawings are SVG, so its name must end in .svg")


def _show(grid: Grid, output: str | None) -> None:
    if output is not None and output.endswith(".svg"):
        from weft.layout.svg import grid_svg

        files.write(output, grid_svg(grid))
        return
    from weft.view.layout_text import grid_lines

    files.write(output, "".join(f"{line}\n" for line in grid_lines(grid)))


def _show_fragment(name: str, cute: bool, output: str | None) -> None:
    from weft.layout.fragments import named_fragment

    found = named_fragment(name)
    if cute:
        from weft.layout.cute import thread_value_text

        files.write(output, thread_value_text(found.layout, found.shape) + "\n")
        return
    from weft.layout.grid import fragment_grid

    _show(fragment_grid(found), output)


def _converted(found: _Tile, cute: bool) -> str:
    from weft.layout import TileLayout
    from weft.layout.grid import default_shape

    if cute:
        from weft.layout.cute import thread_value_text, to_cute

        if isinstance(found.layout, TileLayout) and any(axis.thread for axis in found.layout.axes):
            return thread_value_text(found.layout, found.shape or default_shape(found.layout))
        return to_cute(found.layout, found.shape)
    from weft.layout.memref import to_memref

    return to_memref(found.layout, found.shape or default_shape(found.layout), found.element)


def _show_banks(found: _Tile, pattern: str, store: bool, output: str | None) -> None:
    from weft.layout.conflicts import report, totals, worst
    from weft.layout.grid import default_shape

    found = found._replace(shape=found.shape or default_shape(found.layout))
    access, bits = _access(found.layout, found, pattern, store)
    number, one = worst(access)
    if output is not None and output.endswith(".svg"):
        from weft.layout.svg import banks_svg

        which = f", instruction {number} of {len(access)}" if len(access) > 1 else ""
        files.write(output, banks_svg(one, f"{pattern} of {found.layout}{which}"))
        return
    from weft.view.layout_text import bank_lines

    lines = [f"{found.layout}", f"{pattern}, {access.width} bytes per lane: {totals(access)}"]
    if len(access) > 1:
        lines.append(f"instruction {number}:")
    lines += bank_lines(report(one))
    if totals(access).conflicts:
        lines.append(_advice(found, pattern, store, bits))
    files.write(output, "".join(f"{line}\n" for line in lines))


def _access(layout: Layout, found: _Tile, pattern: str, store: bool) -> tuple[Access, int]:
    """The accesses that a pattern stands for, and the size of an element."""
    from weft.layout.banks import matrix_accesses, vector_accesses

    assert found.shape is not None
    matrix = re.fullmatch(r"(ld|st)matrix(?:\.x([124]))?(\.trans)?", pattern)
    if matrix is not None:
        bits = found.bits or 16
        store = matrix[1] == "st"
        num = int(matrix[2] or 4)
        return matrix_accesses(layout, found.shape, bits, num, trans=bool(matrix[3]), store=store), bits
    held = _holder(pattern)
    bits = found.bits or held[1]
    return vector_accesses(layout, held[0], found.shape, bits, store=store), bits


def _holder(pattern: str) -> tuple[TileLayout, int]:
    """Who holds the tile in registers, and the size of an element."""
    from weft.errors import LayoutError
    from weft.layout import TileLayout, parse

    if pattern.lstrip().startswith("S["):
        layout = parse(pattern)
        if isinstance(layout, TileLayout):
            return layout, 16
        raise LayoutError(f"{layout} does not say which lane holds what")
    from weft.layout.fragments import named_fragment

    fragment: FragmentLayout = named_fragment(pattern)
    return fragment.layout, fragment.bits


def _advice(found: _Tile, pattern: str, store: bool, bits: int) -> str:
    """The layout with the smallest swizzle that takes all conflicts away."""
    from weft.layout import ComposeLayout, SwizzleLayout, row_major
    from weft.layout.banks import suggest_swizzle

    tile = found.layout
    if isinstance(tile, SwizzleLayout):
        tile = row_major(found.shape or ())
    elif isinstance(tile, ComposeLayout):
        tile = tile.tile_layout
    access, _ = _access(tile, found, pattern, store)
    swizzle = suggest_swizzle(access, bits=bits)
    if swizzle is None:
        return "no swizzle avoids all conflicts"
    better = tile if not swizzle.swizzle_len else swizzle @ tile
    return f"without conflicts: {better}"
