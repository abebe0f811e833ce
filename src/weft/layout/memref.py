"""MLIR's memory layouts, both ways: `memref<8x16xf16, strided<[32, 1], offset: 4>, 3>`, and affine maps.

A layout in memory whose dimensions are one iter each is strided; one with more digits is an affine map with `floordiv`
and `mod`.  `infer_layout` reads the iters off any table of places, which is how affine maps are understood.

Source: MLIR, "Builtin Dialect", MemRefType and strided layouts; "Affine Dialect", affine expressions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from weft.errors import LayoutError, position_at
from weft.layout.axis import m
from weft.layout.iters import Iter, Run
from weft.layout.reading import LONGEST, Reader
from weft.layout.swizzle import Layout
from weft.layout.tile import TileLayout, row_major

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[Any]
    """An array of integers, of any size if they are objects."""

LIMIT = 1 << 20
"""Elements of the largest affine map that is read."""
DIMENSIONS = 32
"""The most dimensions of a memref that is read."""
DEEPEST = 50
"""How deep an affine expression may be nested."""


class Memref(NamedTuple):
    """A memref type: the layout over the shape, the element type's text, and the memory space's (empty: none)."""

    layout: TileLayout
    shape: tuple[int, ...]
    element: str
    space: str = ""


# -- writing ----------------------------------------------------------------------------------------------------------


def to_memref(layout: Layout, shape: Sequence[int], element: str = "f16", space: str = "") -> str:
    """The memref type of a layout over a shape: without a layout where it is row-major, strided, or an affine map.

    Raises LayoutError where memrefs have no such layout: swizzles, other axes than `m`, replicas, and shapes that the
    layout cannot be grouped by.
    """
    sizes = "".join(f"{extent}x" for extent in shape)
    tail = f", {space}" if space else ""
    tile = _plain(layout)
    if tile.group(shape).layout == row_major(shape):
        return f"memref<{sizes}{element}{tail}>"
    strided = to_strided(tile, shape)
    return f"memref<{sizes}{element}, {strided or to_affine_map(tile, shape)}{tail}>"


def _plain(layout: Layout) -> TileLayout:
    if not isinstance(layout, TileLayout):
        raise LayoutError(
            f"{layout} cannot be a memref layout", hint="use a layout without a swizzle, which is not affine"
        )
    others = [axis.name for axis in layout.axes if axis is not m]
    if others:
        raise LayoutError(f"a memref must be in memory, not on {', '.join(others)}")
    if layout.replica:
        raise LayoutError("an element of a memref must have one place, not several")
    return layout


def to_strided(layout: Layout, shape: Sequence[int]) -> str | None:
    """`strided<[strides], offset: n>`, or None where a dimension has several digits; raises as `to_memref`."""
    tile = _plain(layout)
    groups = tile.canonicalize().group(shape).groups
    if any(len(part) != 1 for part in groups):
        return None
    offset = tile.offset_on(m)
    strides = ", ".join(str(part[0].stride) for part in groups)
    return f"strided<[{strides}]{f', offset: {offset}' if offset else ''}>"


def to_affine_map(layout: Layout, shape: Sequence[int]) -> str:
    """`affine_map<(d0, d1) -> (...)>` with one result, the place; raises as `to_memref`."""
    tile = _plain(layout)
    terms: list[str] = []
    for dimension, part in enumerate(tile.canonicalize().group(shape).groups):
        inside = prod(extent for extent, _, _ in part)
        for at, (extent, stride, _) in enumerate(part):
            inside //= extent
            if extent > 1 and stride:
                terms.append(_scaled(_digit(f"d{dimension}", inside, 0 if at == 0 else extent), stride))
    offset = tile.offset_on(m)
    if offset or not terms:
        terms.append(str(offset))
    names = ", ".join(f"d{dimension}" for dimension in range(len(shape)))
    return f"affine_map<({names}) -> ({' + '.join(terms)})>"


def _digit(name: str, below: int, extent: int) -> str:
    """The digit of `extent` (0: all that is left) above `below` elements."""
    text = name if below == 1 else f"{name} floordiv {below}"
    if not extent:
        return text
    return f"{name} mod {extent}" if below == 1 else f"({text}) mod {extent}"


def _scaled(text: str, stride: int) -> str:
    if stride == 1:
        return text
    return f"({text}) * {stride}" if " " in text else f"{text} * {stride}"


# -- reading ----------------------------------------------------------------------------------------------------------

_MEMREF = re.compile(r"\s*memref\s*<\s*((?:(?:\d+|\?)\s*x\s*)*)")


def from_memref(text: str) -> Memref:
    """The layout of a memref type with a static shape.

    Raises LayoutError with the position for dynamic sizes and strides, for affine maps with several results or symbols,
    and for those that no iters say.
    """
    match = _MEMREF.match(text)
    if match is None:
        raise LayoutError("expected a memref type", position_at(text, 0, "<layout>"))
    sizes = re.findall(r"\d+|\?", match[1])
    if "?" in sizes:
        at = text.index("?")
        raise LayoutError(
            "a layout needs static sizes, but this memref has a dynamic one", position_at(text, at, "<layout>")
        )
    shape = tuple(map(int, (size if len(size) <= LONGEST else "0" for size in sizes)))
    if 0 in shape or len(shape) > DIMENSIONS:
        raise LayoutError(f"no {len(shape)}-dimensional layout has these sizes", position_at(text, 0, "<layout>"))
    element, *rest = _parameters(text, match.end())
    layout = row_major(shape)
    if rest and rest[0][0].startswith(("strided", "affine_map")):
        described, at = rest.pop(0)
        layout = _strided(text, described, at, shape) if described.startswith("s") else _affine(text, at, shape)
    return Memref(layout, shape, element[0], rest[0][0] if rest else "")


def _parameters(text: str, start: int) -> list[tuple[str, int]]:
    """The parts between the commas of a type's angle brackets, from the element type on, with their places."""
    parts: list[tuple[str, int]] = []
    depth, begin = 0, start
    for at in range(start, len(text)):
        sign = text[at]
        if sign in "<([":
            depth += 1
        elif sign in ")]" or (sign == ">" and text[at - 1] != "-"):
            depth -= 1
        if depth < 0 or (sign == "," and depth == 0):
            part = text[begin:at]
            parts.append((part.strip(), begin + len(part) - len(part.lstrip())))
            begin = at + 1
        if depth < 0:
            return parts
    raise LayoutError("unterminated memref type", position_at(text, len(text), "<layout>"))


_STRIDED = re.compile(r"strided\s*<\s*\[([^\]]*)\]\s*(?:,\s*offset\s*:\s*([-?\d]+)\s*)?>")


def _strided(text: str, described: str, at: int, shape: tuple[int, ...]) -> TileLayout:
    match = _STRIDED.fullmatch(described)
    if match is None:
        raise LayoutError("expected strided<[...], offset: n>", position_at(text, at, "<layout>"))
    strides = [each.strip() for each in match[1].split(",")] if match[1].strip() else []
    if "?" in (*strides, match[2]):
        raise LayoutError("a layout needs static strides, but these are dynamic", position_at(text, at, "<layout>"))
    if len(strides) != len(shape):
        found = f"{len(strides)} strides for {len(shape)} dimensions"
        raise LayoutError(found, position_at(text, at, "<layout>"))
    for number in (*strides, match[2] or "0"):
        if re.fullmatch(r"-?\d+", number) is None or len(number) > LONGEST:
            raise LayoutError(f"expected a number, found '{number}'", position_at(text, at, "<layout>"))
    offset = int(match[2] or 0)
    run = (Iter(extent, int(stride)) for extent, stride in zip(shape, strides, strict=True))
    return TileLayout(run, offset={m: offset} if offset else {})


def _affine(text: str, at: int, shape: tuple[int, ...]) -> TileLayout:
    import numpy as np

    reader = _AffineReader(text, _TOKENS, at)
    if prod(shape) > LIMIT:
        reader.fail(f"an affine map over {prod(shape)} elements is too large to read", at)
    table = np.broadcast_to(reader.places(np.indices(shape, np.dtype(object))), shape)  # numbers of any size
    try:
        return infer_layout(table)
    except LayoutError as error:
        reader.fail(error.message, at, error.hint)
    except OverflowError:
        reader.fail("the places are too far apart", at)


def infer_layout(table: Numbers) -> TileLayout:
    """The layout, over the table's shape, that puts each element into the place that the table says.

    Raises LayoutError where there is none: places that are no sum over the dimensions, or no sum over digits of one.
    """
    import numpy as np

    table = np.asarray(table, np.int64)
    origin = int(table[(0,) * table.ndim])
    run: list[Iter] = []
    total = np.full(table.shape, origin, np.int64)
    for dimension, extent in enumerate(table.shape):
        places = table[(*(0,) * dimension, slice(None), *(0,) * (table.ndim - dimension - 1))] - origin
        total = total + places.reshape([extent if dimension == at else 1 for at in range(table.ndim)])
        run += _infer_run([int(place) for place in places], dimension)
    if (total != table).any():
        raise LayoutError("the places are not a sum over the dimensions")
    return TileLayout(run, offset={m: origin} if origin else {})


def _infer_run(places: list[int], dimension: int) -> Run:
    """The iters of one dimension, from the places of its elements."""
    run: list[Iter] = []
    while len(places) > 1:
        stride = places[1]
        linear = next((at for at, place in enumerate(places) if place != at * stride), len(places))
        extent = linear
        if len(places) % extent or any(
            place != places[at - at % extent] + at % extent * stride for at, place in enumerate(places)
        ):
            raise LayoutError(f"the places of dimension {dimension} are not a sum over digits")
        run.append(Iter(extent, stride))
        places = places[::extent]
    return tuple(reversed(run)) or (Iter(1, 0),)


_TOKENS = re.compile(r"\s*(->|[A-Za-z_]\w*|[0-9]+|[-+*(),<>\[\]])")


class _AffineReader(Reader):
    """Reads `affine_map<(d0, d1) -> (expression)>` and computes it."""

    depth = 0

    def places(self, indices: Numbers) -> Numbers:
        """The map's result for the indices of each dimension."""
        start = self.at
        self.take("affine_map")
        self.take("<")
        self.take("(")
        names: list[str] = []
        while not self.skip(")"):
            names.append(self.name("a dimension"))
            self.skip(",")
        if self.token == "[":
            self.fail("a layout cannot have symbols")
        if len(names) != len(indices):
            self.fail(f"{len(names)} dimensions for a shape with {len(indices)}", start)
        self.values: dict[str, Numbers] = dict(zip(names, indices, strict=True))
        self.take("->")
        self.take("(")
        value = self.sum()
        if self.token == ",":
            self.fail("an affine map for a layout must have a single result")
        self.take(")")
        self.take(">")
        return value

    def sum(self) -> Numbers:
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail("expression nested too deeply")
        value = self.product()
        while self.token in ("+", "-"):
            value = value + self.product() if self.take("+", "-") == "+" else value - self.product()
        self.depth -= 1
        return value

    def product(self) -> Numbers:
        value = self.operand()
        while self.token in ("*", "floordiv", "ceildiv", "mod"):
            match self.take(self.token):
                case "*":
                    value = value * self.operand()
                case "mod":
                    value = value % self.divisor()
                case "floordiv":
                    value = value // self.divisor()
                case _:
                    value = -(-value // self.divisor())
        return value

    def divisor(self) -> int:
        at = self.at
        number = self.number()
        if number == 0:
            self.fail("expected a positive divisor", at)
        return number

    def operand(self) -> Numbers:
        import numpy as np

        if self.skip("("):
            inner = self.sum()
            self.take(")")
            return inner
        sign = 1
        while self.skip("-"):
            sign = -sign
        if self.token.isdecimal():
            return np.asarray(sign * self.number(), np.dtype(object))
        at = self.at
        name = self.name("a dimension")
        if name not in self.values:
            self.fail(f"'{name}' is not a dimension of the map", at)
        return sign * self.values[name]
