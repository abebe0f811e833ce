"""`shl`, `shr`, `shf`, `prmt`."""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.isa.form import Slots
from weft.isa.types import TYPES
from weft.sim.abstract import asarray
from weft.sim.lanes import Array
from weft.sim.semantics import Compute, alu
from weft.sim.types import DTYPES


@alu("shl")
def shl(slots: Slots) -> Compute:
    """`d = a << b`; amounts past the width give 0."""
    bits, dtype = TYPES[slots["type"]].bits, DTYPES[slots["type"]]

    def run(a: Array, b: Any) -> Array:
        if np.ndim(b) == 0:
            return np.left_shift(a, dtype.type(b)) if b < bits else np.zeros_like(a)
        return np.where(b < bits, np.left_shift(a, (b & np.uint32(bits - 1)).astype(dtype)), dtype.type(0))

    return run


@alu("shr")
def shr(slots: Slots) -> Compute:
    """`d = a >> b`; amounts past the width count as the width."""
    type_ = slots["type"]
    bits, dtype = TYPES[type_].bits, DTYPES[type_]
    arithmetic = TYPES[type_].kind == "s"

    def run(a: Array, b: Any) -> Array:
        if arithmetic:
            return np.right_shift(a, np.minimum(b, np.uint32(bits - 1)).astype(dtype))
        if np.ndim(b) == 0:
            return np.right_shift(a, dtype.type(b)) if b < bits else np.zeros_like(a)
        return np.where(b < bits, np.right_shift(a, (b & np.uint32(bits - 1)).astype(dtype)), dtype.type(0))

    return run


@alu("shf")
def shf(slots: Slots) -> Compute:
    """Shift the pair `[b, a]`; keep the high word (`.l`) or the low one (`.r`)."""
    left, wrap = slots["dir"] == "l", slots["mode"] == "wrap"
    word = np.uint64(32)

    def run(a: Array, b: Array, c: Any) -> Array:
        n = (c & np.uint32(31)) if wrap else np.minimum(c, np.uint32(32))
        n = asarray(n).astype(np.uint64)
        pair = (asarray(b).astype(np.uint64) << word) | asarray(a).astype(np.uint64)
        shifted = ((pair << n) >> word) if left else (pair >> n)
        return shifted.astype(np.uint32)

    return run


_FIXED: dict[str, list[list[int]]] = {
    "f4e": [[i + j for j in range(4)] for i in range(4)],
    "b4e": [[(i - j) % 8 for j in range(4)] for i in range(4)],
    "rc8": [[i] * 4 for i in range(4)],
    "ecl": [[max(i, j) for j in range(4)] for i in range(4)],
    "ecr": [[min(i, j) for j in range(4)] for i in range(4)],
    "rc16": [[0, 1, 0, 1], [2, 3, 2, 3], [0, 1, 0, 1], [2, 3, 2, 3]],
}
"""Mode to the source byte of each result byte, for each value of the selector's low two bits."""


@alu("prmt")
def prmt(slots: Slots) -> Compute:
    """Pick four bytes of the pair `[b, a]`."""
    mode = slots["mode"]

    def run(a: Array, b: Array, c: Any) -> Array:
        pair = (asarray(b).astype(np.uint64) << np.uint64(32)) | asarray(a).astype(np.uint64)
        selector = asarray(c).astype(np.uint64)
        result: Any = np.uint32(0)
        for place in range(4):
            if mode:
                source = np.array([row[place] for row in _FIXED[mode]], np.uint64)[
                    (selector & np.uint64(3)).astype(int)
                ]
                sign: Any = np.bool_(False)
            else:
                nibble = selector >> np.uint64(4 * place)
                source, sign = nibble & np.uint64(7), (nibble & np.uint64(8)) != 0
            byte = ((pair >> (source * np.uint64(8))) & np.uint64(0xFF)).astype(np.uint32)
            spread = np.where(byte & np.uint32(0x80), np.uint32(0xFF), np.uint32(0))
            result = result | (np.where(sign, spread, byte) << np.uint32(8 * place))
        return result

    return run
