"""Reductions of tiles in registers: in each thread, by shuffles in a warp, in shared memory across warps."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import product

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerType, i32
from xdsl.ir import SSAValue

from weft.dialects.engine.making import new
from weft.dialects.rows import tile
from weft.dialects.tile.memory import buffer_type
from weft.dialects.tile.types import BufferType
from weft.layout import TileLayout
from weft.transforms.tile_lowering.lowering import Lowering, handles
from weft.transforms.tile_lowering.places import combined, exchanges
from weft.transforms.tile_lowering.shared import places_at_once, shared_pointer
from weft.transforms.tile_lowering.words import element_value, packed, packed_word, word_count


@handles("tile.reduce")
def lower_reduce(env: Lowering, op: tile.ReduceOp) -> None:
    """Combine in each thread, as a tree, then across lanes by butterflies, then across warps in shared memory."""
    src, dst = buffer_type(op.src), buffer_type(op.dst)
    assert isinstance(src.layout, TileLayout)
    assert isinstance(dst.layout, TileLayout)
    dimension = op.dimension.value.data
    groups = combined(src.layout, src.shape, dst.layout, dimension)
    threads = exchanges(src.layout, src.shape, dimension)
    words = env.words(op.src)

    def combine(values: list[SSAValue]) -> SSAValue:
        return _tree(env, op.function.data, values, unsigned=op.unsigned is not None)

    found: dict[int, SSAValue] = {}
    for at, places in enumerate(groups):
        if places:
            value = combine([element_value(env, src, words, place) for place in places])
            for step in threads.lanes:
                value = combine([value, _exchanged(env, value, step)])
            found[at] = value
    if threads.warps:
        found = _across_warps(env, op, found, threads.warps, combine)
    each = packed(dst)
    results = [found.get(at) or env.undefined(dst.element) for at in range(word_count(dst) * each)]
    env.set_words(op.dst, [packed_word(env, dst, results[at : at + each]) for at in range(0, len(results), each)])
    env.remove(op)


def _tree(env: Lowering, function: str, values: list[SSAValue], *, unsigned: bool) -> SSAValue:
    """Neighbours combined pairwise: as short a chain of dependent operations as there is."""
    while len(values) > 1:
        pairs = [
            env.arithmetic.apply(function, [values[at], values[at + 1]], unsigned=unsigned)
            for at in range(0, len(values) - 1, 2)
        ]
        values = pairs + ([values[-1]] if len(values) % 2 else [])
    return values[0]


def _across_warps(
    env: Lowering,
    op: tile.ReduceOp,
    values: dict[int, SSAValue],
    digits: tuple[tuple[int, int], ...],
    combine: Callable[[list[SSAValue]], SSAValue],
) -> dict[int, SSAValue]:
    """Each thread's values combined with those of the same lane of other warps, some places at a time."""
    kind = buffer_type(op.dst)
    first = env.once(("first warp", digits), lambda: _first(env, digits))
    steps = [sum(at) for at in product(*(range(0, stride * extent, stride) for stride, extent in digits))]
    scratch = env.once(("scratch", op), lambda: shared_pointer(env, env.shared.offsets[op]))
    own = env.advanced(scratch, env.thread("tx"), kind)
    others = env.advanced(scratch, first, kind)
    rounds = places_at_once(op, env.block_size)
    order, result = list(values), dict[int, SSAValue]()
    for begin in range(0, len(order), rounds):
        some = order[begin : begin + rounds]
        for at, place in enumerate(some):
            pointer = _further(env, own, at * env.block_size, kind)
            env.add(new("llvm.store", values[place], pointer, ordering=0))
        env.add(new("nvvm.barrier0"))
        for at, place in enumerate(some):
            result[place] = combine([_loaded(env, others, at * env.block_size + step, kind) for step in steps])
        env.add(new("nvvm.barrier0"))
    return result


def _first(env: Lowering, digits: tuple[tuple[int, int], ...]) -> SSAValue:
    """The number of the thread whose digits are 0, and which is otherwise the running one."""
    value = env.thread("tx")
    arithmetic, parts = env.arithmetic, [value]
    for stride, extent in digits:
        digit = arithmetic.apply("div", [value, env.constant(stride)], unsigned=True)
        digit = arithmetic.apply("rem", [digit, env.constant(extent)], unsigned=True)
        parts.append(arithmetic.apply("mul", [digit, env.constant(stride)], unsigned=True))
    return reduce(lambda a, b: arithmetic.apply("sub", [a, b], unsigned=True), parts)


def _further(env: Lowering, pointer: SSAValue, elements: int, type: BufferType) -> SSAValue:
    return env.byte_advanced(pointer, elements * type.element_bits // 8) if elements else pointer


def _loaded(env: Lowering, pointer: SSAValue, elements: int, type: BufferType) -> SSAValue:
    pointer = _further(env, pointer, elements, type)
    return env.emit(new("llvm.load", pointer, results=[type.element], ordering=0))


def _exchanged(env: Lowering, value: SSAValue, step: int) -> SSAValue:
    """The value of the lane whose number differs in one bit."""
    kind = value.type
    bits = getattr(kind, "bitwidth", 32)
    if bits == 64:
        return _exchanged_halves(env, value, step)
    word = value
    if bits < 32:
        half = IntegerType(bits)
        raw = value if kind == half else env.emit(llvm.BitcastOp.create(operands=[value], result_types=[half]))
        word = env.emit(llvm.ZExtOp.create(operands=[raw], result_types=[i32]))
    moved = _shuffle(env, word, step)
    if bits == 32:
        return moved
    half = IntegerType(bits)
    cut = env.emit(new("llvm.trunc", moved, results=[half]))
    return cut if kind == half else env.emit(llvm.BitcastOp.create(operands=[cut], result_types=[kind]))


def _exchanged_halves(env: Lowering, value: SSAValue, step: int) -> SSAValue:
    from xdsl.dialects.builtin import VectorType

    vector = VectorType(i32, [2])
    halves = env.emit(llvm.BitcastOp.create(operands=[value], result_types=[vector]))
    result = env.undefined(vector)

    for at in range(2):
        index = env.constant(at)
        half = env.emit(new("llvm.extractelement", halves, index, results=[i32]))
        result = env.emit(
            llvm.InsertElementOp.create(operands=[result, _shuffle(env, half, step), index], result_types=[vector])
        )
    return env.emit(llvm.BitcastOp.create(operands=[result], result_types=[value.type]))


def _shuffle(env: Lowering, word: SSAValue, step: int) -> SSAValue:
    return env.emit(
        new(
            "nvvm.shfl.sync",
            env.constant(-1),
            word,
            env.constant(step),
            env.constant(31),
            results=[word.type],
            kind="bfly",
        )
    )
