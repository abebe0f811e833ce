"""Random copies between shared memory and fragments of matrices, and others that are no fragments by a little."""

from __future__ import annotations

from random import Random

from tests.tile.copy_kernels import Case
from weft.layout import Axis, ComposeLayout, Iter, SwizzleLayout, TileLayout
from weft.transforms.copy_dispatch import Copy, Operand

AXES = {"warp": "laneid", "warpgroup": "tid_in_wg", "cta": "tx"}
THREADS = {"warp": 32, "warpgroup": 128, "cta": 64}
ELEMENTS = {"f16": 16, "bf16": 16, "f32": 32, "i8": 8}


def tiles(random: Random, counts: tuple[int, int], held: int, apart: bool = False) -> tuple[list[Iter], list[Iter]]:
    """The registers of tiles below and beside each other: their digits in any order; `apart`: others are between them."""
    digits = [
        (side, factor)
        for side, count in enumerate(counts)
        for factor in ((2, 2) if count == 4 and random.random() < 0.5 else (count,))
    ]
    order = list(range(len(digits)))
    random.shuffle(order)
    strides, step = [0] * len(digits), held * (1 + apart)
    for at in order:
        strides[at] = step
        step *= digits[at][1] + apart
    found: tuple[list[Iter], list[Iter]] = ([], [])
    for (side, factor), stride in zip(digits, strides, strict=True):
        found[side].append(Iter(factor, stride))
    return found


def fragment_case(seed: int, faulty: bool = False, apart: bool = False) -> tuple[Case, int]:
    """A copy of rows of matrices, and how many 8x8 matrices of 32-bit words a warp holds.

    If they are `apart`, other registers are between theirs.  If it is `faulty`, a stride, an offset, the alignment or what takes part is off.
    """
    random = Random(seed)
    scope, element = random.choice(list(AXES)), random.choice(list(ELEMENTS))
    axis, bits = Axis(AXES[scope]), ELEMENTS[element]
    transposed = bits == 16 and random.random() < 0.4
    warps = THREADS[scope] // 32
    held = max(1, 32 // bits)
    below, beside = random.choice([1, 2, 4, 3]), random.choice([1, 2, 4, 3])
    rows_of, columns_of = tiles(random, (below, beside), held, apart)
    rows, columns = Iter(8, 4, axis), Iter(4, 1, axis)
    run = [*([Iter(warps, 32, axis)] if warps > 1 else []), *rows_of, rows, *columns_of, columns]
    run += [Iter(held, 1)] if held > 1 else []
    shape = (warps * below * 8, beside * 4 * held)
    own = Operand("local", element, shape, TileLayout(run), ((0, shape[0]), (0, shape[1])))
    return between(random, own, transposed, scope, faulty), below * beside


FAULTS = ("pad", "offset", "alignment", "divisor", "swizzle", "guard")


def between(random: Random, own: Operand, transposed: bool, scope: str, faulty: bool) -> Case:
    """The copy of registers from or to a window of shared memory, whose rows are 16 bytes and begin at such multiples."""
    chunk = 128 // own.bits
    fault = random.choice(FAULTS) if faulty else ""
    region = [
        (first, first + extent)
        for first, extent in zip(random.choice([(0, 0), (chunk, chunk)]), own.shape, strict=True)
    ]
    shape = [end for _, end in region]
    pitch = shape[0 if transposed else 1]
    pitch += -pitch % chunk + chunk * random.choice([0, 1]) + (random.choice([1, chunk // 2]) if fault == "pad" else 0)
    offset = {Axis("m"): random.choice([1, 2, chunk // 2] if fault == "offset" else [0, 0, chunk])}
    tile = TileLayout(
        [Iter(n, s) for n, s in zip(shape, (1, pitch) if transposed else (pitch, 1), strict=True)], (), offset
    )
    least = chunk.bit_length() - 1
    swizzle = SwizzleLayout(least - (fault == "swizzle"), random.choice([1, 3]), 3)
    layout = ComposeLayout(swizzle, tile) if fault == "swizzle" or random.random() < 0.3 else tile
    alignment = random.choice([8, 4]) if fault == "alignment" else random.choice([16, 128])
    divisor = random.choice([1, chunk // 2]) if fault == "divisor" else random.choice([0, chunk])
    shared = Operand("shared", own.element, tuple(shape), layout, tuple(region), alignment, divisor)
    sides = [own, shared] if fault == "guard" or random.random() < 0.5 else [shared, own]
    copy = Copy(sides[0], sides[1], scope, THREADS[scope], random.choice(["sm_90a", "sm_100a"]))
    return Case(copy, "lane < 16" if fault == "guard" else "")
