"""The notation of layouts, `S[(8,4,2,2):(4@laneid,1@laneid,2,1)] + R[2:4@warpid] + 5@warpid`: Python and text.

In Python, `S[extents:strides]` is a shard, `R[...]` a replica, `n @ axis` an offset, and `swz(3, 3, 3) @ S[...]` a tile
through a swizzle.  `parse` reads the same as text, and a layout's `str` is what `parse` and Python read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from operator import index
from typing import TYPE_CHECKING

from weft.errors import LayoutError
from weft.layout.axis import Axis, Term, m
from weft.layout.iters import Iter, Run
from weft.layout.reading import Reader
from weft.layout.swizzle import ComposeLayout, Layout, SwizzleLayout
from weft.layout.tile import Replica, TileLayout, row_major

Stride = int | str | Axis | Term | tuple[int, str | Axis]
"""A stride: `4` (on `m`), `4 @ laneid`, `(4, "laneid")`, or `"laneid"` for `1 @ laneid`."""
Extents = int | Sequence[int]
Strides = Stride | Sequence[Stride]

swz = SwizzleLayout

if TYPE_CHECKING:
    Key = Extents | slice[Extents, Strides, None]


class _Shards:
    """`S`: `S[extents:strides]`, and `S[e0, e1, ...]` for row-major memory."""

    def __getitem__(self, key: Key) -> TileLayout:
        if isinstance(key, slice):
            return TileLayout(_run(key))
        return row_major(_extents(key))


class _Replicas:
    """`R`: `R[extents:strides]`, to be added to a layout."""

    def __getitem__(self, key: slice[Extents, Strides, None]) -> Replica:
        return Replica(_run(key))


S = _Shards()
R = _Replicas()


def _extents(extents: Extents) -> tuple[int, ...]:
    return tuple(index(each) for each in extents) if isinstance(extents, Sequence) else (index(extents),)


def _run(key: slice[Extents, Strides, None]) -> Run:
    extents, strides = _extents(key.start), key.stop
    all_ = _strides(strides, len(extents))
    if len(extents) != len(all_):
        raise LayoutError(f"{len(extents)} extents and {len(all_)} strides")
    return tuple(Iter(extent, *_stride(each)) for extent, each in zip(extents, all_, strict=True))


def _strides(strides: Strides, count: int) -> Sequence[Stride]:
    match strides:
        case int() | str() | Axis() | Term():
            return (strides,)
        case (int() as value, (str() | Axis()) as axis) if count == 1:  # the stride `(4, "laneid")`, not two
            return ((value, axis),)
        case _:
            return strides


def _stride(stride: Stride) -> Term:
    match stride:
        case str():
            return Term(1, Axis(stride))
        case Axis():
            return Term(1, stride)
        case (value, axis):
            return Term(index(value), axis if isinstance(axis, Axis) else Axis(axis))
        case _:
            return Term(index(stride), m)


# -- reading ----------------------------------------------------------------------------------------------------------

_TOKENS = re.compile(r"\s*(-?[0-9]+|[A-Za-z_]\w*|[][():,@+∘])")


@lru_cache(maxsize=1 << 12)
def parse(text: str) -> Layout:
    """The layout that a text denotes, in the notation; `o` may stand for the `@` after a swizzle.

    Raises LayoutError with the position of what is wrong.
    """
    return _LayoutReader(text, _TOKENS).layout()


class _LayoutReader(Reader):
    """Reads the notation."""

    def layout(self) -> Layout:
        start = self.at
        try:
            swizzle = self.swizzle() if self.token in ("swz", "SwizzleLayout") else None
            if swizzle is not None and not self.skip("@", "o", "∘"):
                self.take("")
                return swizzle
            tile = self.tile()
            return tile if swizzle is None else ComposeLayout(swizzle, tile)
        except LayoutError as error:
            if error.position.line:
                raise
            self.fail(error.message, start, error.hint)

    def swizzle(self) -> SwizzleLayout:
        self.take("swz", "SwizzleLayout")
        self.take("(")
        per_element = self.number()
        self.take(",")
        swizzle_len = self.number()
        self.take(",")
        atom_len = self.number()
        inner = True
        if self.skip(","):
            inner = self.take("inner", "outer", "True", "False") in ("inner", "True")
        self.take(")")
        return SwizzleLayout(per_element, swizzle_len, atom_len, inner)

    def tile(self) -> TileLayout:
        self.take("S")
        layout = TileLayout(self.run())
        while self.skip("+"):
            layout += Replica(self.run()) if self.skip("R") else self.term()
        self.take("")
        return layout

    def run(self) -> Run:
        """`[extents:strides]`, or `[e0, e1, ...]`."""
        self.take("[")
        at = self.at
        extents = self.numbers()
        if self.skip("]"):
            return row_major(extents).shard
        self.take(":")
        strides = self.terms()
        if len(extents) != len(strides):
            self.fail(f"{len(extents)} extents and {len(strides)} strides", at)
        self.take("]")
        return tuple(Iter(extent, *stride) for extent, stride in zip(extents, strides, strict=True))

    def numbers(self) -> list[int]:
        numbers: list[int] = []
        inside = self.skip("(")
        while self.token not in (")", ":", "]"):
            numbers.append(self.number())
            if not self.skip(","):
                break
        if inside:
            self.take(")")
        return numbers

    def terms(self) -> list[Term]:
        if not self.skip("("):
            return [self.term()]
        terms: list[Term] = []
        while self.token != ")":
            terms.append(self.term())
            if not self.skip(","):
                break
        self.take(")")
        return terms

    def term(self) -> Term:
        if self.token.isidentifier():
            return Term(1, Axis(self.name("an axis")))
        value = self.number()
        return Term(value, Axis(self.name("an axis")) if self.skip("@") else m)
