"""What is asked of the dispatch: a copy between two regions of buffers, by whom, for which target."""

from __future__ import annotations

import re
from functools import cache
from math import prod

from weft.dataclass import dataclass
from weft.errors import CompileError
from weft.layout import ComposeLayout, Layout, SwizzleLayout, parse

GLOBAL, SHARED, LOCAL = "global", "shared", "local"
SCOPES = ("thread", "warp", "warpgroup", "cta")
"""Who copies together, from one thread up."""

Box = tuple[tuple[int, int], ...]
"""Begin and end in each dimension."""


class CopyError(CompileError):
    """No variant can do a copy; the message has a line for each, with its reason."""


class Decline(Exception):
    """A variant cannot do a copy; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A region of a buffer.

    `element` is an element type by its MLIR name (`f16`, `i8`, `f8E4M3FN`); `layout` maps row-major positions of
    `shape` to elements of the buffer's storage, which begins at a multiple of `alignment` bytes.  `divisor` is not 0
    when the kernel adds an offset of its own, a multiple of so many elements; `strides` gives, for axes of the layout
    that stand for a stride known only to the kernel, what divides it.
    """

    space: str
    element: str
    shape: tuple[int, ...]
    layout: Layout
    region: Box
    alignment: int = 128
    divisor: int = 0
    strides: tuple[tuple[str, int], ...] = ()

    @staticmethod
    def of(
        space: str,
        element: str,
        shape: tuple[int, ...],
        layout: Layout | str,
        region: Box | None = None,
        alignment: int = 128,
        divisor: int = 0,
        strides: tuple[tuple[str, int], ...] = (),
    ) -> Operand:
        """An operand whose layout may be text; all of the buffer without a region.  Raises LayoutError."""
        placed = parse(layout) if isinstance(layout, str) else layout
        box = tuple((0, extent) for extent in shape) if region is None else region
        return Operand(space, element, shape, placed, box, alignment, divisor, strides)

    @property
    def bits(self) -> int:
        """Bits that an element is stored in."""
        return bits_of(self.element)

    @property
    def extents(self) -> tuple[int, ...]:
        """Extents of the region."""
        return tuple(end - begin for begin, end in self.region)

    @property
    def size(self) -> int:
        """Elements of the region."""
        return prod(self.extents)

    @property
    def swizzle(self) -> SwizzleLayout | None:
        """The swizzle of the layout, unless it swizzles nothing."""
        layout = self.layout
        swizzle = layout.swizzle if isinstance(layout, ComposeLayout) else layout
        return swizzle if isinstance(swizzle, SwizzleLayout) and swizzle.swizzle_len else None


@dataclass(frozen=True, slots=True)
class Guard:
    """The threads of the block that come to a copy, one bit each; None, with a reason, when that is not known."""

    active: int | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy: `dst[region][i] = src[region][i]` for every i.

    `scope` says whose threads do it together, in a block of `threads` threads of which `guard` come (all where it is
    None).  `variant` is the only one tried where it is given, `cache` qualifies loads from global memory.  `bounds` is
    given when only part of the global operand's region exists, and says for each dimension what divides the number of
    elements that do.  `faithful` keeps to the published algorithm, which takes one number of matrices for a whole copy,
    in the order of their strides in shared memory, of 16-bit elements only.
    """

    dst: Operand
    src: Operand
    scope: str
    threads: int
    target: str
    variant: str | None = None
    cache: str | None = None
    guard: Guard | None = None
    asynchronous: bool = False
    bounds: tuple[int, ...] | None = None
    faithful: bool = False

    @property
    def spaces(self) -> tuple[str, str]:
        """The spaces of source and destination."""
        return self.src.space, self.dst.space

    @property
    def scope_threads(self) -> int:
        """Threads of one instance of the scope."""
        return {"thread": 1, "warp": 32, "warpgroup": 128, "cta": self.threads}[self.scope]


@cache
def bits_of(element: str) -> int:
    """Bits that an element type is stored in, which its name says: 16 of `bf16`, 8 of `f8E4M3FN`; a byte at least."""
    found = re.search(r"\d+", element)
    assert found is not None, element
    return max(8, int(found[0]))
