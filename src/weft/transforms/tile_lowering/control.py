"""Loops and branches: tiles in registers that their bodies write are carried and yielded, word by word."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import scf
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from weft.dialects.tile.types import LOCAL, BufferType
from weft.mlir.walking import operations_in
from weft.transforms.tile_lowering.lowering import Lowering, handles

_WRITERS = frozenset(
    f"tile.{name}"
    for name in (
        *("copy", "insert", "fill", "iota", "elementwise", "reduce"),
        *("gemm", "gemm_scaled", "gemm_async", "tensor_read"),
    )
)


def _written(env: Lowering, regions: Any) -> list[SSAValue]:
    """The tiles in registers that regions write and that were there before."""
    found: dict[SSAValue, None] = {}
    aliases: dict[SSAValue, SSAValue] = {}
    for op in operations_in(regions):
        if op.name in ("tile.subview", "tile.reshape"):
            aliases[op.results[0]] = op.operands[0]
        if op.name not in _WRITERS:
            continue
        dst = op.operands[0]
        while dst in aliases:
            dst = aliases[dst]
        dst = env.root(dst)
        if isinstance(dst.type, BufferType) and dst.type.space.data == LOCAL and dst in env.registers:
            found[dst] = None
    return list(found)


def _current(env: Lowering, tiles: list[SSAValue]) -> list[SSAValue]:
    """The words of tiles; those that were not written yet are undefined."""
    return [env.undefined(env.word_type(tile)) if word is None else word for tile in tiles for word in env.words(tile)]


def _types(env: Lowering, tiles: list[SSAValue]) -> list[Attribute]:
    return [kind for tile in tiles for kind in [env.word_type(tile)] * len(env.words(tile))]


def _rebind(env: Lowering, tiles: list[SSAValue], values: Any) -> None:
    at = 0
    for tile in tiles:
        count = len(env.words(tile))
        env.set_words(tile, list(values[at : at + count]))
        at += count


def _saved(env: Lowering, tiles: list[SSAValue]) -> list[list[SSAValue | None]]:
    return [list(env.words(tile)) for tile in tiles]


def _inside(env: Lowering, block: Block) -> None:
    """Lower a block, with the way back to where the lowering stood."""
    terminator = block.last_op
    assert terminator is not None
    before = env.move_to(block)
    env.block(block)
    env.resume(before)


def _finish(env: Lowering, block: Block, tiles: list[SSAValue], made: type[Operation], first: int = 0) -> None:
    """Yield the words of tiles behind what a block yields already."""
    terminator = block.last_op
    assert terminator is not None
    before = env.move_to(block)
    words = _current(env, tiles)
    env.resume(before)
    if words:
        end = made.create(operands=[*terminator.operands, *words])
        terminator.detach()
        terminator.drop_all_references()
        block.add_op(end)


def _replaced(env: Lowering, op: Operation, new: Operation, tiles: list[SSAValue]) -> None:
    env.add(new)
    count = len(op.results)
    for result, value in zip(op.results, new.results[:count], strict=True):
        result.replace_all_uses_with(value)
    _rebind(env, tiles, new.results[count:])
    op.detach()
    op.drop_all_references()


def _taken(op: Operation) -> list[Region]:
    """The regions of an operation, taken from it."""
    return [op.detach_region(region) for region in list(op.regions)]


@handles("scf.for")
def lower_for(env: Lowering, op: Operation) -> None:
    """A loop with the words of the tiles that it writes as iteration arguments."""
    tiles = _written(env, op.regions)
    initial = _current(env, tiles)
    (region,) = _taken(op)
    block = region.blocks[0]
    arguments = [block.insert_arg(kind, len(block.args)) for kind in _types(env, tiles)]
    _rebind(env, tiles, arguments)
    _inside(env, block)
    _finish(env, block, tiles, scf.YieldOp)
    new = scf.ForOp.create(
        operands=[*op.operands, *initial],
        result_types=[*(r.type for r in op.results), *(v.type for v in initial)],
        regions=[region],
        attributes=op.attributes,
    )
    _replaced(env, op, new, tiles)


@handles("scf.if")
def lower_if(env: Lowering, op: Operation) -> None:
    """A branch whose sides yield the words of the tiles that one of them writes."""
    tiles = _written(env, op.regions)
    regions = _taken(op)
    saved = _saved(env, tiles)
    for region in regions:
        if not region.blocks:
            region.add_block(Block([scf.YieldOp.create()]))
        block = region.blocks[0]
        for tile, words in zip(tiles, saved, strict=True):
            env.set_words(tile, list(words))
        _inside(env, block)
        _finish(env, block, tiles, scf.YieldOp)
    new = scf.IfOp.create(
        operands=op.operands,
        result_types=[*(r.type for r in op.results), *_types(env, tiles)],
        regions=regions,
        attributes=op.attributes,
    )
    _replaced(env, op, new, tiles)


@handles("scf.while")
def lower_while(env: Lowering, op: Operation) -> None:
    """A loop whose condition and body both carry the words of the tiles that they write."""
    tiles = _written(env, op.regions)
    initial = _current(env, tiles)
    regions = _taken(op)
    for region, made in zip(regions, (scf.ConditionOp, scf.YieldOp), strict=True):
        block = region.blocks[0]
        arguments = [block.insert_arg(kind, len(block.args)) for kind in _types(env, tiles)]
        _rebind(env, tiles, arguments)
        _inside(env, block)
        _finish(env, block, tiles, made)
    new = scf.WhileOp.create(
        operands=[*op.operands, *initial],
        result_types=[*(r.type for r in op.results), *(v.type for v in initial)],
        regions=regions,
    )
    _replaced(env, op, new, tiles)
