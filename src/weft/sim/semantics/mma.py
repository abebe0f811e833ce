"""`mma.sync`: warp-wide matrix products of fragments in registers, with the layouts of `weft.isa.fragments`.

Products are exact; sums are taken in double precision (integers exactly) and rounded once to the type of D.  Tensor
cores align the products of a few columns and truncate, so that a GPU's f32 results differ in the last bits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from weft.isa.fragments import Fragment, fragment
from weft.isa.opcode import Opcode
from weft.isa.types import TYPES
from weft.ptx.operands import Operand
from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.semantics import step
from weft.sim.semantics.convert import round_to
from weft.sim.semantics.matrix_copy import gather, scatter, whole_warps
from weft.sim.site import Site, Step
from weft.sim.types import DTYPES, WORDS
from weft.sim.values import small_dtype, widen


@cache
def values_of(type_: str) -> Array | None:
    """The double of every code of a type of at most 16 bits, None for wider ones."""
    bits = TYPES[type_].bits
    if bits > 16:
        return None
    codes = np.arange(1 << bits, dtype=np.uint32)
    if type_ in ("f16", "bf16"):
        words = codes.astype(np.uint16)
        return widen(words.view(np.float16) if type_ == "f16" else words, type_).astype(np.float64)
    if TYPES[type_].kind in "us":
        values = codes.astype(np.float64)
        return np.where((TYPES[type_].kind == "s") & (values >= 1 << (bits - 1)), values - (1 << bits), values)
    if type_ == "b1":
        return codes.astype(np.float64)
    return codes.astype(np.uint8).view(small_dtype(type_)).astype(np.float64)


def elements_of(words: Array, bits: int) -> Array:
    """The codes of the elements, `bits` apart, that register words hold: along the last axis of both."""
    if bits >= 8:
        return np.ascontiguousarray(words).view(WORDS[bits])
    shifts = np.arange(0, 32, bits, dtype=np.uint32)
    apart = (words[..., None] >> shifts) & np.uint32((1 << bits) - 1)
    return apart.reshape(*words.shape[:-1], -1)


def decode(elements: Array, type_: str) -> Array:
    """Codes of elements as doubles."""
    table = values_of(type_)
    if table is not None:
        narrow = len(table) < 1 << 8 * elements.itemsize
        return np.take(table, elements & elements.dtype.type(len(table) - 1) if narrow else elements)
    if type_ == "tf32":  # The low 13 bits are not part of the value.
        return (elements & np.uint32(0xFFFF_E000)).view(np.float32).astype(np.float64)
    return elements.view(DTYPES[type_]).astype(np.float64)


@cache
def place_table(found: Fragment) -> Array:
    """For each matrix, row and column the element's number among registers by lanes by positions."""
    table = np.empty((found.matrices, found.rows, found.columns), np.intp)
    for lane, register, position, at in found.elements():
        table[at.matrix, at.row, at.column] = (register * WARP + lane) * found.packed + position
    return table


class Source:
    """A fragment operand: reads it as matrices, warps by matrices by rows by columns."""

    def __init__(self, site: Site, operand: Operand, name: str) -> None:
        self.found = fragment(site.opcode, name)
        self.type = site.opcode[f"{name}type"]
        if self.found.bits != TYPES[self.type].bits:
            site.unsupported(f".{self.type} in wider containers")
        word = "b64" if self.found.bits == 64 else "b32"
        vector = site.vector(operand)
        if len(vector) != self.found.registers:
            site.malformed(f"fragment {name} has {self.found.registers} registers, {len(vector)} are given")
        lanes = site.machine.batch.lanes
        self.rows = [np.broadcast_to(site.value(element, word), (lanes,)) for element in vector]
        self.table = place_table(self.found).reshape(-1)

    def read(self, lanes: Lanes, warps: Array | None) -> Array:
        """The matrices, as doubles."""
        words = gather(self.rows, lanes, warps)
        found = self.found
        elements = elements_of(words.reshape(len(words), -1), found.bits)
        chosen = decode(np.take(elements, self.table, axis=1), self.type)
        return chosen.reshape(len(words), found.matrices, found.rows, found.columns)


class Target:
    """The fragment that receives D."""

    def __init__(self, site: Site, operand: Operand) -> None:
        self.found = fragment(site.opcode, "d")
        self.type = site.opcode["dtype"]
        word = "b64" if self.found.bits == 64 else "b32"
        self.rows = [site.destination(element, word) for element in site.vector(operand)]
        if len(self.rows) != self.found.registers:
            site.malformed(f"fragment d has {self.found.registers} registers, {len(self.rows)} are given")
        self.order = np.argsort(place_table(self.found).reshape(-1))

    def write(self, lanes: Lanes, warps: Array | None, words: Array) -> None:
        """Write elements, given as words: warps by matrices by rows by columns."""
        flat = np.take(words.reshape(len(words), -1), self.order, axis=1)
        register = WORDS[64] if self.found.bits == 64 else WORDS[32]
        scatter(self.rows, lanes, warps, flat.view(register).reshape(len(words), len(self.rows), WARP))


def _integers(clamp: bool) -> Callable[[Array], Array]:
    def finish(exact: Array) -> Array:
        whole = exact.astype(np.int64)
        if clamp:
            whole = np.clip(whole, -(1 << 31), (1 << 31) - 1)
        return whole.astype(np.uint32)

    return finish


def _floats(type_: str) -> Callable[[Array], Array]:
    word = WORDS[TYPES[type_].bits]
    return lambda exact: np.ascontiguousarray(round_to(exact, type_, "rn")).view(word)


def finisher(dtype: str, clamp: bool) -> Callable[[Array], Array]:
    """What rounds exact sums to words of the type of D."""
    return _integers(clamp) if dtype == "s32" else _floats(dtype)


def _multiply(opcode: Opcode) -> Callable[[Array, Array], Array]:
    """The product of matrices; of bit matrices the number of ones."""
    if opcode["bitop"] == "xor":
        return lambda a, b: a @ (1.0 - b) + (1.0 - a) @ b
    return np.matmul


@step("mma")
def mma(site: Site) -> Step:
    """`D = A * B + C`."""
    opcode = site.opcode
    if len(site.operands) != 4 or opcode["scale_vec"]:
        site.unsupported("block scaling")
    a, b, c = (Source(site, operand, name) for operand, name in zip(site.operands[1:], "abc", strict=True))
    d = Target(site, site.operands[0])
    finish = finisher(opcode["dtype"], bool(opcode["satfinite"]))
    multiply = _multiply(opcode)

    def run(lanes: Lanes) -> None:
        warps = whole_warps(site, lanes)
        product = multiply(a.read(lanes, warps), b.read(lanes, warps))
        d.write(lanes, warps, finish(product + c.read(lanes, warps)))

    return run
