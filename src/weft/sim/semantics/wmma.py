"""`wmma`: matrix products on fragments of no documented layout.

Here element `t` of a matrix, counted along its rows, is held by lane `t % 32`; of 4-bit and one-bit types element `t`
is a word of neighbours along K.  Of the two copies that `.f16` multiplicands have registers for, the first is read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.isa.table._matrix import tile
from weft.isa.types import TYPES
from weft.ptx.operands import Operand
from weft.sim.elements import decode, elements_of, finisher
from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.semantics import step
from weft.sim.semantics.matrix_copy import gather, scatter, whole_warps
from weft.sim.semantics.mma import product_of
from weft.sim.semantics.multiply import fma_in
from weft.sim.site import Pointer, Site, Step
from weft.sim.space import Space
from weft.sim.types import WORDS
from weft.sim.values import Call


class Fragment:
    """The registers of one matrix: `rows` by `columns` elements of `type_`, or words of `each` narrow ones along K."""

    def __init__(self, site: Site, vector: Operand, role: str, type_: str) -> None:
        bits = self.bits = TYPES[type_].bits
        self.type = type_
        self.role = role
        self.rows, self.columns = tile(role, site.opcode.get("shape"))
        self.each = 1
        if bits < 8:
            self.each, bits = 32 // bits, 32
            if role == "a":
                self.columns //= self.each
            else:
                self.rows //= self.each
        self.word, self.register = WORDS[bits], WORDS[max(32, bits)]
        self.packed = self.register.itemsize // self.word.itemsize
        self.used = self.rows * self.columns // (WARP * self.packed)
        self.vector = [site.row(element).array for element in site.vector(vector)]

    def read(self, lanes: Lanes, warps: Array | None) -> Array:
        """The codes of the elements: warps by rows by columns."""
        words = gather(self.vector[: self.used], lanes, warps)
        elements = words.view(self.word).reshape(len(words), self.used, WARP, self.packed)
        return elements.transpose(0, 1, 3, 2).reshape(len(words), self.rows, self.columns)

    def values(self, lanes: Lanes, warps: Array | None) -> Array:
        """The elements as doubles: warps by rows by columns, narrow ones apart."""
        codes = self.read(lanes, warps)
        if self.each == 1:
            return decode(codes, self.type)
        if self.role == "a":
            return decode(elements_of(codes, self.bits), self.type)
        return decode(elements_of(codes.transpose(0, 2, 1), self.bits), self.type).transpose(0, 2, 1)

    def write(self, lanes: Lanes, warps: Array | None, codes: Array) -> None:
        """Write the codes of the elements, given as `read` gives them."""
        elements = codes.reshape(len(codes), self.used, self.packed, WARP).transpose(0, 1, 3, 2)
        words = np.ascontiguousarray(elements).view(self.register).reshape(len(codes), self.used, WARP)
        rows: list[Any] = list(self.vector)
        for start in range(0, len(rows), self.used):
            scatter(rows[start : start + self.used], lanes, warps, words)


def _places(
    site: Site, pointer: Pointer, stride: Callable[[Lanes], Array] | None, fragment: Fragment, lanes: Lanes, write: bool
) -> tuple[Space, Array, Array]:
    """The space, the byte indices of all elements (warps by elements), and a lane of each warp."""
    mask = np.zeros(((lanes.hi - lanes.lo) // WARP, WARP), np.bool_)
    mask[:, 0] = True
    flat = mask.reshape(-1)
    first = Lanes(lanes.lo, lanes.hi, flat if lanes.mask is None else flat & lanes.mask)
    size = fragment.word.itemsize
    parts = list(pointer(first, size, write))
    if len(parts) != 1:
        raise site.fault("out-of-bounds", "the warps' matrices lie in different state spaces", int(first.index[0]))
    space, index, _ = parts[0]
    by_rows = site.opcode.get("layout") == "row"
    along = fragment.columns if by_rows else fragment.rows
    step_ = np.full(first.count, along) if stride is None else stride(first).astype(np.int64) // fragment.each
    row, column = np.divmod(np.arange(fragment.rows * fragment.columns), fragment.columns)
    major, minor = (row, column) if by_rows else (column, row)
    places = index[:, None] + (major * step_[:, None] + minor) * size
    for start, last, lane in zip(index.tolist(), places.max(axis=1).tolist(), first.index.tolist(), strict=True):
        if not space.holds(start, last + size - start, lane):
            raise site.fault("out-of-bounds", f"the matrix ends outside its {space.name} memory", lane)
    return space, places, first.index


@step("wmma.load")
def load(site: Site) -> Step:
    """Load a matrix."""
    slots = site.slots()
    fragment = Fragment(site, site.operands[0], slots["matrix"], slots["type"])
    pointer = site.pointer(site.operands[1], slots["ss"])
    stride = site.read(site.operands[2], "b32") if len(site.operands) > 2 else None

    def run(lanes: Lanes) -> None:
        warps = whole_warps(site, lanes)
        space, places, first = _places(site, pointer, stride, fragment, lanes, False)
        each = np.repeat(first, places.shape[1])
        space.before_load(site, places.reshape(-1), each, fragment.word.itemsize)
        fragment.write(lanes, warps, space.load(places, fragment.word))

    return run


@step("wmma.store")
def store(site: Site) -> Step:
    """Store a matrix."""
    slots = site.slots()
    fragment = Fragment(site, site.operands[1], "d", slots["type"])
    pointer = site.pointer(site.operands[0], slots["ss"])
    stride = site.read(site.operands[2], "b32") if len(site.operands) > 2 else None

    def run(lanes: Lanes) -> None:
        site.machine.change()
        codes = fragment.read(lanes, whole_warps(site, lanes))
        space, places, first = _places(site, pointer, stride, fragment, lanes, True)
        each = np.repeat(first, places.shape[1])
        space.before_store(site, places.reshape(-1), each, fragment.word.itemsize)
        space.store(places, codes.reshape(places.shape), fragment.word)

    return run


def _multiply_add(site: Site) -> Callable[[Array, Array, Array], Array]:
    """Products and sums of matrices of doubles; `.f64` with directed rounding adds one product after the other."""
    mode, bits = site.opcode.get("rnd") or "rn", site.opcode.get("bitop")
    if bits:
        multiply = product_of(site.opcode)
        return lambda a, b, c: multiply(a, b) + c
    if mode == "rn":
        return lambda a, b, c: a @ b + c
    fused: Call = fma_in("f64", mode)

    def directed(a: Array, b: Array, c: Array) -> Array:
        for k in range(a.shape[2]):
            c = fused(a[:, :, k, None], b[:, k, None, :], c)
        return c

    return directed


@step("wmma.mma")
def mma(site: Site) -> Step:
    """`D = A * B + C`."""
    opcode = site.opcode
    types = {role: opcode.get(f"{role}type") or "f16" for role in "abcd"}
    d, a, b, c = (
        Fragment(site, operand, role, types[role]) for operand, role in zip(site.operands, "dabc", strict=True)
    )
    finish = finisher(types["d"], bool(opcode.get("satfinite")))
    core = None if opcode.get("rnd") or opcode.get("bitop") else site.core(types["a"], types["b"], types["d"])
    compute = core or _multiply_add(site)

    def run(lanes: Lanes) -> None:
        warps = whole_warps(site, lanes)
        exact = compute(*(fragment.values(lanes, warps) for fragment in (a, b, c)))
        d.write(lanes, warps, finish(exact).view(d.word))

    return run
