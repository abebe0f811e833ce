"""CuTe's notation of layouts, both ways: `(8,(2,4)):(1,(64,8))`, and through a swizzle `Sw<3,4,3> o 0 o (8,64):(64,1)`.

A mode of CuTe is a dimension here; of a nested mode the first leaf is the fastest, of a group the last iter.  CuTe
counts places, so only layouts in memory have a text; fragments have CuTe's other form, thread and value to place
(`thread_value_text`).  `Sw<B,M,S>` is `swz(M, B, S)`, with a negative S for the outer form.

Source: CUTLASS documentation, "CuTe Layouts" and "CuTe Layout Algebra".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import prod
from typing import NamedTuple

from weft.errors import LayoutError
from weft.layout.axis import m
from weft.layout.iters import Iter
from weft.layout.reading import Reader
from weft.layout.swizzle import ComposeLayout, Layout, SwizzleLayout
from weft.layout.tile import TileLayout


class Shaped(NamedTuple):
    """A layout and the shape that it is over."""

    layout: Layout
    shape: tuple[int, ...]


Tree = int | tuple["Tree", ...]
"""A number, or the parts of a nested mode."""


def to_cute(layout: Layout, shape: Sequence[int] | None = None) -> str:
    """The layout as CuTe writes it; without a shape, each iter is a mode.

    Raises LayoutError where CuTe has no such layout: other axes than `m`, replicas, an offset without a swizzle, a
    shape that the layout cannot be grouped by.
    """
    if isinstance(layout, SwizzleLayout):
        return _swizzle_text(layout)
    tile = layout.tile_layout if isinstance(layout, ComposeLayout) else layout
    _check_expressible(tile)
    offset = tile.offset_on(m)
    grouped = tile.group(tile.extents if shape is None else shape)
    modes = [part[::-1] for part in grouped.groups]
    shapes = [[leaf.extent for leaf in mode] for mode in modes]
    strides = [[leaf.stride for leaf in mode] for mode in modes]
    single = len(modes) == 1 and len(modes[0]) == 1
    text = f"{shapes[0][0]}:{strides[0][0]}" if single else f"{_tree_text(shapes)}:{_tree_text(strides)}"
    if isinstance(layout, ComposeLayout):
        return f"{_swizzle_text(layout.swizzle)} o {offset} o {text}"
    if offset:
        raise LayoutError(
            f"CuTe's layouts cannot have an offset, but {layout} has {offset}", hint="offset the pointer instead"
        )
    return text


def _check_expressible(tile: TileLayout) -> None:
    others = [axis.name for axis in tile.axes if axis is not m]
    if others:
        raise LayoutError(
            f"CuTe's layouts map to memory, not to {', '.join(others)}",
            hint="use thread_value_text for the thread-value layout of a fragment",
        )
    if tile.replica:
        raise LayoutError("CuTe's layouts cannot have replicas")


def _swizzle_text(swizzle: SwizzleLayout) -> str:
    distance = swizzle.atom_len if swizzle.inner else -swizzle.atom_len
    return f"Sw<{swizzle.swizzle_len},{swizzle.per_element},{distance}>"


def _tree_text(modes: Sequence[Sequence[int]]) -> str:
    parts = (str(mode[0]) if len(mode) == 1 else f"({','.join(map(str, mode))})" for mode in modes)
    return f"({','.join(parts)})"


def thread_value_text(layout: TileLayout, shape: Sequence[int]) -> str:
    """A fragment as CuTe's thread-value layout: thread and value to the place in a column-major tile of `shape`.

    Raises LayoutError unless threads lie on one axis without gaps, values without gaps, and each element lies in one
    place.
    """
    threads = [axis for axis in layout.axes if axis.thread]
    if len(threads) != 1 or layout.replica or layout.offset or any(axis not in (*threads, m) for axis in layout.axes):
        raise LayoutError(f"{layout} is not one thread axis and registers, without replicas and offsets")
    leaves: dict[bool, list[tuple[int, int, int]]] = {True: [], False: []}
    weight = 1
    for extent, part in zip(shape, layout.group(shape).groups, strict=True):
        inside = weight
        for each in reversed(part):
            if each.extent > 1:
                leaves[each.axis.thread].append((each.stride, each.extent, inside))
            inside *= each.extent
        weight *= extent
    modes = [_ladder(sorted(leaves[thread]), layout) for thread in (True, False)]
    shapes, strides = (_tree_text([[leaf[field] for leaf in mode] for mode in modes]) for field in (0, 1))
    return f"{shapes}:{strides}"


def _ladder(leaves: list[tuple[int, int, int]], layout: TileLayout) -> list[tuple[int, int]]:
    """Extent and place of each leaf, the fastest first; raises LayoutError where numbers are left out or repeated."""
    step = 1
    for stride, extent, _ in leaves:
        if stride != step:
            raise LayoutError(f"threads or values of {layout} are not contiguous: a stride is {stride}, not {step}")
        step *= extent
    return [(extent, place) for _, extent, place in leaves] or [(1, 0)]


# -- reading ----------------------------------------------------------------------------------------------------------

DEEPEST = 50
"""How deep modes may be nested in each other."""
_TOKENS = re.compile(r"\s*_?(-?[0-9]+|Swizzle|Sw|S|[(),:<>o∘])")


def from_cute(text: str) -> Shaped:
    """The layout of a CuTe text, over the shape of its modes; `_8` is 8.

    Raises LayoutError with the position where the text is no layout of numbers.
    """
    return _CuteReader(text, _TOKENS).layout()


class _CuteReader(Reader):
    """Reads CuTe's notation."""

    def layout(self) -> Shaped:
        if self.token not in ("Sw", "Swizzle", "S"):
            shaped = self.plain()
            self.take("")
            return shaped
        swizzle = self.swizzle()
        if self.skip(""):
            return Shaped(swizzle, (swizzle.block,))
        self.take("o", "∘")
        offset = 0
        if self.followed_by("o", "∘"):
            offset = self.number()
            self.take("o", "∘")
        tile, shape = self.plain()
        self.take("")
        assert isinstance(tile, TileLayout)
        return Shaped(ComposeLayout(swizzle, tile + offset if offset else tile), shape)

    def followed_by(self, *wanted: str) -> bool:
        """Whether the token after this one is one of those wanted."""
        match = self.tokens.match(self.text, self.end)
        return match is not None and match[1] in wanted

    def swizzle(self) -> SwizzleLayout:
        at = self.at
        self.take("Sw", "Swizzle", "S")
        self.take("<")
        bits = self.number()
        self.take(",")
        base = self.number()
        self.take(",")
        distance = self.number()
        self.take(">")
        try:
            return SwizzleLayout(base, bits, abs(distance), inner=distance >= 0)
        except LayoutError as error:
            self.fail(error.message, at, error.hint)

    def plain(self) -> Shaped:
        at = self.at
        shape = self.tree()
        self.take(":")
        stride = self.tree()
        modes = shape if isinstance(shape, tuple) else (shape,)
        strides = stride if isinstance(shape, tuple) else (stride,)
        if not isinstance(strides, tuple) or len(modes) != len(strides):
            self.fail("shape and stride are not nested alike", at)
        run: list[Iter] = []
        sizes: list[int] = []
        for mode, steps in zip(modes, strides, strict=True):
            leaves = list(self.leaves(mode, steps, at))
            sizes.append(prod(leaf.extent for leaf in leaves))
            run += reversed(leaves)
        return Shaped(TileLayout(run), tuple(sizes))

    def leaves(self, extent: Tree, stride: Tree, at: int) -> Iterator[Iter]:
        """The iters of a mode, the fastest first."""
        if isinstance(extent, int) and isinstance(stride, int):
            if extent < 1:
                self.fail(f"an extent must be at least 1, not {extent}", at)
            yield Iter(extent, stride)
        elif isinstance(extent, tuple) and isinstance(stride, tuple) and len(extent) == len(stride):
            for part, step in zip(extent, stride, strict=True):
                yield from self.leaves(part, step, at)
        else:
            self.fail("shape and stride are not nested alike", at)

    def tree(self, depth: int = 0) -> Tree:
        if self.token != "(":
            return self.number()
        if depth > DEEPEST:
            self.fail("modes are nested too deeply")
        self.take("(")
        parts: list[Tree] = []
        while not self.skip(")"):
            parts.append(self.tree(depth + 1))
            if not self.skip(","):
                self.take(")")
                break
        return tuple(parts)
