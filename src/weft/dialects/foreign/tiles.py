"""What `linalg.pack` and `linalg.unpack` demand: a shape, its tiles, and the shape that they make of it."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.definitions import segments
from weft.dialects.verification import PlainVerifyException


def _numbers(op: Operation, name: str) -> list[int]:
    given = op.properties.get(name)
    return [] if given is None else [max(number, -1) for number in cast("Any", given).get_values()]


def check_tiles(op: Operation) -> None:
    """The tiles fit the dimensions, and the packed shape is what they make of the other.

    Raises:
        VerifyException: they do not, in upstream's words.
    """
    packing = op.name == "linalg.pack"
    source, dest = cast("Any", op.operands[0].type), cast("Any", op.operands[1].type)
    whole, packed = (source, dest) if packing else (dest, source)
    extents, found = ([max(extent, -1) for extent in kind.get_shape()] for kind in (whole, packed))
    tiles, axes, order = (_numbers(op, name) for name in ("static_inner_tiles", "inner_dims_pos", "outer_dims_perm"))
    rank = len(extents)
    if 0 in tiles:
        raise PlainVerifyException("invalid zero tile factor")
    if len({*axes}) != len(axes) or any(not 0 <= axis < rank for axis in axes):
        raise PlainVerifyException("invalid inner_dims_pos vector")
    if order and sorted(order) != [*range(rank)]:
        raise PlainVerifyException("invalid outer_dims_perm vector")
    if len(tiles) != len(axes):
        raise PlainVerifyException("tiling factors must equal the number of dimensions to tile")
    if len(found) != rank + len(tiles):
        said = f"packed rank != (unpacked rank + num tiling factors), got {len(found)} != {rank + len(tiles)}"
        raise PlainVerifyException(said)
    if found[rank:] != tiles:
        raise PlainVerifyException(
            "mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type"
        )
    outer = [_count(extent, tiles[axes.index(axis)] if axis in axes else 1) for axis, extent in enumerate(extents)]
    wanted = [*(outer[axis] for axis in order or range(rank)), *tiles]
    if any(-1 not in pair and pair[0] != pair[1] for pair in zip(wanted, found, strict=True)):
        shape = [-(1 << 63) if extent == -1 else extent for extent in wanted]
        kind = TensorType(packed.element_type, shape)
        raise PlainVerifyException(f"expected '{kind}' for the packed domain value, got '{packed}'")
    if packing:
        _check_padding(op, [(extents[axis], tile) for axis, tile in zip(axes, tiles, strict=True)])


def _count(extent: int, tile: int) -> int:
    return -1 if -1 in (extent, tile) else -(-extent // tile)


def _check_padding(op: Operation, tiled: list[tuple[int, int]]) -> None:
    element = cast("Any", op.operands[0].type).element_type
    if not segments(op)[2]:
        if any(-1 not in pair and pair[0] % pair[1] for pair in tiled):
            why = "Only full tiles are supported when padding_value is not set"
            raise VerifyException(f"invalid tile factor or output size provided. {why}")
    elif op.operands[2].type != element:
        raise VerifyException(f"expected padding_value has '{element}' but got: '{op.operands[2].type}'")
