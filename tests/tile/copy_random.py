"""Random copies: any distribution of registers over threads, any strides, pads, swizzles and regions of memory."""

from __future__ import annotations

from random import Random

from tests.tile.copy_kernels import Case
from weft.layout import Axis, ComposeLayout, Iter, Layout, SwizzleLayout, TileLayout
from weft.transforms.copy_dispatch import Copy, Operand

THREADS = {"thread": 1, "warp": 32, "warpgroup": 128, "cta": 64}
AXES = {"thread": [], "warp": ["laneid"], "warpgroup": ["laneid", "tid_in_wg"], "cta": ["laneid", "tx", "warpid"]}


def factors(number: int, random: Random, count: int) -> list[int]:
    found: list[int] = []
    while number > 1 and len(found) < count - 1:
        found.append(random.choice([each for each in range(2, number + 1) if number % each == 0]))
        number //= found[-1]
    return found + [number] * (number > 1)


def memory(shape: list[int], random: Random, swizzle: bool) -> Layout:
    """Iters in any order of strides, with gaps, an offset, a swizzle."""
    order = list(range(len(shape)))
    if random.random() < 0.5:
        random.shuffle(order)
    strides, reached = [0] * len(shape), 1
    for at in reversed(order):
        strides[at] = reached
        reached *= shape[at]
        if random.random() < 0.15:
            reached += random.choice([1, 2, 4, 8, 16])
    offset = {Axis("m"): random.choice([1, 2, 8, 16])} if random.random() < 0.15 else {}
    tile = TileLayout((Iter(e, s) for e, s in zip(shape, strides, strict=True)), (), offset)
    if not swizzle or random.random() < 0.7:
        return tile
    return ComposeLayout(
        SwizzleLayout(random.choice([1, 2, 3]), random.choice([0, 1, 3]), 3, random.random() < 0.8), tile
    )


def region(extents: list[int], random: Random) -> tuple[list[int], tuple[tuple[int, int], ...]]:
    """A shape that the extents are a region of, and where."""
    shape: list[int] = []
    box: list[tuple[int, int]] = []
    for extent in extents:
        pad = random.choice([0, 0, 0, extent, 4, 8])
        begin = random.choice([0, pad])
        shape.append(extent + pad)
        box.append((begin, begin + extent))
    return shape, tuple(box)


def held(scope: str, random: Random) -> tuple[TileLayout, list[int]]:
    """A tile in registers: digits of a thread index, some left out or repeated, and registers."""
    iters: list[Iter] = []
    replica: list[Iter] = []
    offset: dict[Axis, int] = {}
    if AXES[scope] and random.random() < 0.9:
        axis = Axis(random.choice(AXES[scope]))
        step = {"laneid": 32, "tid_in_wg": 128, "tx": THREADS[scope], "warpid": THREADS[scope] // 32}[axis.name]
        for extent in factors(step, random, 3):
            step //= extent
            chance = random.random()
            if chance < 0.1:
                replica.append(Iter(extent, step, axis))
            elif chance < 0.2:
                part = random.randint(1, extent)
                iters.append(Iter(part, step, axis))
                offset[axis] = offset.get(axis, 0) + step * random.randint(0, extent - part)
            else:
                iters.append(Iter(extent, step, axis))
    count = random.choice([1, 2, 3, 4, 8])
    step = count
    for extent in factors(count, random, 3):
        step //= extent
        iters.append(Iter(extent, step))
    if random.random() < 0.1:
        replica.append(Iter(2, count))
    random.shuffle(iters)
    iters = iters or [Iter(1, 1)]
    return TileLayout(iters, replica, offset), [each.extent for each in iters]


def random_case(seed: int) -> Case:
    random = Random(seed)
    scope = random.choice(["thread", "warp", "warp", "warpgroup", "cta"])
    threads = THREADS[scope]
    element = random.choice(["f16", "bf16", "f32", "i8", "f64"])
    if random.random() < 0.4:
        extents = factors(threads * random.choice([1, 2, 3, 4]) if random.random() < 0.8 else 60, random, 3) or [1]
        operands = [
            memory_operand("global", element, extents, random),
            memory_operand("shared", element, extents, random),
        ]
    else:
        layout, extents = held(scope, random)
        own = Operand("local", element, tuple(extents), layout, tuple((0, extent) for extent in extents))
        operands = [own, memory_operand(random.choice(["global", "shared"]), element, extents, random)]
    random.shuffle(operands)
    condition = random.choice(["", "", "", "", "lane < 16", "tid % 2 == 0", "warp == 0"]) if threads > 1 else ""
    return Case(Copy(operands[0], operands[1], scope, threads, random.choice(["sm_90a", "sm_80"])), condition)


def memory_operand(space: str, element: str, extents: list[int], random: Random) -> Operand:
    shape, box = region(extents, random)
    return Operand(space, element, tuple(shape), memory(shape, random, space == "shared"), box)
