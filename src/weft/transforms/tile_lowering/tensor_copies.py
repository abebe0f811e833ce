"""`tile.tensor_load` and `tile.tensor_store`: a tensor copy for each box of the tile."""

from __future__ import annotations

from math import gcd, prod

from xdsl.ir import SSAValue

from weft.dialects.engine.making import new
from weft.dialects.rows import tile
from weft.dialects.tile.memory import buffer_type
from weft.errors import CompileError
from weft.layout import m
from weft.layout.boxes import Boxes, boxes, parts
from weft.transforms.tile_lowering.integers import plus
from weft.transforms.tile_lowering.lowering import Lowering, handles

ALIGNMENT = 128
"""Bytes that a box's place in shared memory is a multiple of."""


@handles("tile.tensor_load")
def lower_load(env: Lowering, op: tile.TensorLoadOp) -> None:
    """Loads of boxes, which count their bytes at the barrier."""
    found = _boxes(env, op.dst)
    for coordinates, place in _places(env, op, op.dst, found):
        offsets = op.offsets[::-1]
        mode, group = "im2col" if offsets else "tile", "cta_2" if op.pair is not None else None
        operands = (place, op.map, coordinates, op.barrier, offsets, op.mask, None, op.predicate)
        name = "nvvm.cp.async.bulk.tensor.shared.cluster.global"
        env.add(new(name, *operands, mode=mode, is_cta_only=False, group=group))
    env.remove(op)


@handles("tile.tensor_store")
def lower_store(env: Lowering, op: tile.TensorStoreOp) -> None:
    """Stores of boxes."""
    found = _boxes(env, op.src)
    for coordinates, place in _places(env, op, op.src, found):
        operands = (op.map, place, coordinates)
        if op.reduction is None:
            env.add(new("nvvm.cp.async.bulk.tensor.global.shared.cta", *operands, mode="tile"))
        else:
            env.add(new("nvvm.cp.async.bulk.tensor.reduce", *operands, red_kind=op.reduction.data, mode="tile"))
    env.remove(op)


def _boxes(env: Lowering, tile: SSAValue) -> Boxes:
    """The boxes of a tile, which begins where the hardware can begin one."""
    type = buffer_type(tile)
    found = boxes(type.layout, type.shape, type.element_bits)
    place = env.places[tile]
    size = type.element_bits // 8
    steps = [at * size for _, at in found.starts]
    constant = parts(type.layout, type.shape)[0].offset_on(m) * size
    known = gcd(*steps, constant, *([place.divisor * size] if place.offset is not None else []))
    if place.alignment % ALIGNMENT or known % ALIGNMENT:
        raise CompileError(
            f"a tensor copy must start at a multiple of {ALIGNMENT} bytes in shared memory, but only an alignment of "
            f"{gcd(place.alignment, known)} is known here",
            hint="copy whole tiles, or regions of whole rows of the swizzle's pattern",
        )
    return found


def _places(
    env: Lowering, op: tile.TensorLoadOp | tile.TensorStoreOp, tile: SSAValue, found: Boxes
) -> list[tuple[list[SSAValue], SSAValue]]:
    """For each box the coordinates, innermost first, and the pointer to its place in shared memory."""
    type = buffer_type(tile)
    constant = parts(type.layout, type.shape)[0].offset_on(m)
    base, offset = env.pointer(tile), env.offset(tile)
    if offset is not None:
        base = env.advanced(base, offset, type)
    dimensions = op.dimensions.get_values()
    result: list[tuple[list[SSAValue], SSAValue]] = []
    for start, at in found.starts:
        moved = {at: by for at, by in zip(dimensions, start, strict=True) if at >= 0}
        coordinates = [
            plus(env, value, env.constant(moved[number])) if moved.get(number) else value
            for number, value in enumerate(op.coordinates)
        ]
        by = (constant + at) * type.element_bits // 8
        result.append((coordinates[::-1], env.byte_advanced(base, by) if by else base))
    return result


def explain_tensor_copy(op: tile.TensorLoadOp | tile.TensorStoreOp) -> str:
    """What a tensor copy moves, in the form in which other copies are explained."""
    load = isinstance(op, tile.TensorLoadOp)
    type = buffer_type(op.dst if load else op.src)
    found = boxes(type.layout, type.shape, type.element_bits)
    shape = "x".join(map(str, type.shape))
    held, tensor = f"shared {shape}x{type.element} {type.layout}", f"global tensor of {len(op.coordinates)} dimensions"
    way = f"{tensor} -> {held}" if load else f"{held} -> {tensor}"
    count = len(found.starts)
    box = "x".join(map(str, found.extents))
    facts = [
        f"{count} box{'es' * (count != 1)} of {box}",
        f"swizzle {found.swizzle} bytes" if found.swizzle else "plain",
    ]
    facts.append(f"{prod(type.shape) * type.element_bits // 8} bytes")
    if load and op.mask is not None:
        facts.append("to all blocks of a mask")
    if not load and op.reduction is not None:
        facts.append(f"combined by {op.reduction.data}")
    name = (
        ("tma_im2col" if op.offsets else "tma") if load else "tma_reduce" if op.reduction is not None else "tma_store"
    )
    return f"copy {way}, by one thread\n  {name}  chosen\n  {', '.join(facts)}"
