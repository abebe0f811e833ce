"""Sorting along a dimension: a bitonic network over registers and lanes."""

from __future__ import annotations

from typing import Any

from weft.tile.buffers import Buffer, register, tile_of
from weft.tile.digits import WARP, Digit, Key, Line, replaced
from weft.tile.functions import dimension_of, where
from weft.tile.ids import thread_id
from weft.tile.trace import error
from weft.tile.warps import shuffle_xor


def sort(tile: Any, axis: int = -1, *, values: Any = None, descending: bool = False) -> Any:
    """Sort elements along a dimension in ascending order.

    With `values`, a pair is returned: the values move with the elements.  The extent must be a power of two, within a
    warp.  The order of equal elements is not kept.  Rows with NaNs are permuted, but not sorted.

        largest, places = sort(scores, 1, values=coordinates(scores, 1), descending=True)

    Raises:
        CompileError: the tiles are not in registers or differ in shape or layout, or the extent is not a power of two
            or is distributed over warps.
    """
    tile = tile_of(tile)
    tiles = [tile] if values is None else [tile, tile_of(values)]
    for each in tiles:
        if not isinstance(each, Buffer):
            raise error(f"{each!r} is not a tile in registers")
        if (each.shape, each.layout) != (tile.shape, tile.layout):
            raise error("tiles sorted together must have the same shape and layout")
    axis = dimension_of(tile, axis)
    line = Line(tile, axis)
    line.within_a_warp("a sort")
    extent = tile.shape[axis]
    if extent & (extent - 1):
        raise error(
            f"cannot sort {extent} elements: their number must be a power of two",
            "pad with where(inside, x, LARGEST)",
        )
    held = {key: tuple(each.storage[place] for each in tiles) for key, place in line.places.items()}
    bits = _bits(line.digits)
    for size in range(1, len(bits) + 1):
        for step in reversed(range(size)):
            held = _step(held, bits, size, step, descending=descending)
    results = [register(each.shape, each.dtype, each.layout) for each in tiles]
    for key, place in line.places.items():
        for result, value in zip(results, held[key], strict=True):
            result.storage[place] = value
    return results[0] if values is None else tuple(results)


class _Bit:
    """A bit of the coordinate: of a digit in registers, or of the thread's number."""

    def __init__(self, digit: Digit, bit: int) -> None:
        self.digit, self.bit = digit, bit

    def of(self, key: Key) -> Any:
        """Whether it is set, for an element of the thread: a constant, or a condition."""
        if self.digit.threads:
            return (thread_id() & self.digit.threads) != 0
        return bool(key[self.digit.at] >> self.bit & 1)

    def flipped(self, key: Key) -> Key:
        """The element of the same thread whose bit is the other one."""
        return replaced(key, self.digit, key[self.digit.at] ^ 1 << self.bit)


def _bits(digits: list[Digit]) -> list[_Bit]:
    return [_Bit(digit, bit) for digit in digits for bit in range(digit.extent.bit_length() - 1)]


Held = dict[Key, tuple[Any, ...]]


def _step(held: Held, bits: list[_Bit], size: int, step: int, *, descending: bool) -> Held:
    """Compare elements that differ in one bit; runs of 2^size elements become ordered, up and down in turn."""
    bit = bits[step]
    turned = bits[size] if size < len(bits) else None
    found: Held = {}
    for key, mine in held.items():
        downwards: Any = turned.of(key) if turned is not None else False
        if descending:
            downwards = not downwards if isinstance(downwards, bool) else downwards ^ True
        if bit.digit.threads:
            assert bit.digit.threads < WARP
            other = tuple(shuffle_xor(x, bit.digit.threads) for x in mine)
            keeps_large = _differ(bit.of(key), downwards)
            less, more = mine[0] < other[0], mine[0] > other[0]
            swap = where(keeps_large, less, more)
            found[key] = tuple(where(swap, b, a) for a, b in zip(mine, other, strict=True))
        elif not bit.of(key):
            partner = bit.flipped(key)
            other = held[partner]
            if isinstance(downwards, bool):
                swap = mine[0] < other[0] if downwards else mine[0] > other[0]
            else:
                swap = where(downwards, mine[0] < other[0], mine[0] > other[0])
            found[key] = tuple(where(swap, b, a) for a, b in zip(mine, other, strict=True))
            found[partner] = tuple(where(swap, a, b) for a, b in zip(mine, other, strict=True))
    return found


def _differ(a: Any, b: Any) -> Any:
    """Whether one of two conditions holds and the other does not."""
    if isinstance(b, bool):
        return a ^ True if b else a
    return a ^ b
