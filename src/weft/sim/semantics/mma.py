"""`mma.sync`, dense, sparse and block-scaled: warp-wide products of fragments in registers.

The layouts are those of `weft.isa.fragments`.  Products are exact; sums are taken in double precision (integers
exactly) and rounded once to the type of D.  Tensor cores align the products of a few columns and truncate, so that a
GPU's f32 results differ in the last bits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from weft.isa.fragments import Fragment, fragment
from weft.isa.opcode import Opcode
from weft.isa.table._matrix import extents, tile
from weft.ptx.operands import Operand, Vector
from weft.sim.elements import decode, elements_of, finisher, values_of
from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.reuse import use_of
from weft.sim.semantics import step
from weft.sim.semantics.matrix_copy import gather, scatter, whole_warps
from weft.sim.site import Site, Step
from weft.sim.sparsity import codes_of, expand
from weft.sim.types import WORDS


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
        self.type = site.opcode.get(f"{name}type")
        word = "b64" if self.found.bits == 64 else "b32"
        vector = site.vector(operand)
        if len(vector) != self.found.registers:
            site.malformed(f"fragment {name} has {self.found.registers} registers, but {len(vector)} are given")
        lanes = site.machine.batch.lanes
        self.rows = [np.broadcast_to(site.value(element, word), (lanes,)) for element in vector]
        self.table = place_table(self.found).reshape(-1)
        self.use = use_of(site, vector, self.type, self.found)

    def codes(self, lanes: Lanes, warps: Array | None) -> Array:
        """The codes of the elements as they lie in registers: warps by elements."""
        words = gather(self.rows, lanes, warps)
        return elements_of(words.reshape(len(words), -1), self.found.bits)

    def read(self, lanes: Lanes, warps: Array | None) -> Array:
        """The matrices, as doubles."""
        value = self.use and self.use.get(lanes)
        if value is not None:
            return value
        elements, found = self.codes(lanes, warps), self.found
        chosen = decode(np.take(elements, self.table, axis=1), self.type)
        value = chosen.reshape(len(elements), found.matrices, found.rows, found.columns)
        if self.use is not None:
            self.use.put(lanes, value)
        return value


class Target:
    """The fragment that receives D."""

    def __init__(self, site: Site, operand: Operand) -> None:
        self.found = fragment(site.opcode, "d")
        self.type = site.opcode.get("dtype")
        word = "b64" if self.found.bits == 64 else "b32"
        self.rows = [site.destination(element, word) for element in site.vector(operand)]
        if len(self.rows) != self.found.registers:
            site.malformed(f"fragment d has {self.found.registers} registers, but {len(self.rows)} are given")
        self.order = np.argsort(place_table(self.found).reshape(-1))

    def add(self, product: Array, other: Array) -> Array:
        """Matrices (warps by matrices by rows by columns) plus elements as they lie in registers, as those do."""
        return np.take(product.reshape(len(product), -1), self.order, axis=1) + other

    def write(self, lanes: Lanes, warps: Array | None, words: Array) -> None:
        """Write elements, given as words: warps by matrices by rows by columns."""
        self.put(lanes, warps, np.take(words.reshape(len(words), -1), self.order, axis=1))

    def put(self, lanes: Lanes, warps: Array | None, flat: Array) -> None:
        """Write elements, given as words as they lie in registers."""
        register = WORDS[64] if self.found.bits == 64 else WORDS[32]
        scatter(self.rows, lanes, warps, flat.view(register).reshape(len(flat), len(self.rows), WARP))


class Sparsity:
    """The metadata operand and selector of a sparse A."""

    def __init__(self, site: Site, metadata: Operand, selector: Operand) -> None:
        self.site = site
        self.row = site.row(site.vector(metadata)[0]).array
        self.selector = site.constant(selector, f"the sparsity selector '{selector}'")
        self.bits = fragment(site.opcode, "a").bits
        self.columns = tile("a", site.opcode.get("shape"))[1]
        self.ordered = site.opcode.stem.endswith("ordered_metadata")

    def expand(self, stored: Array, lanes: Lanes, warps: Array | None) -> Array:
        """A with its zeros."""
        codes = codes_of(gather([self.row], lanes, warps), self.columns, self.bits, self.selector)
        lane = int(lanes.index[0])
        return expand(self.site, stored[:, 0], codes, self.bits, lane, ordered=self.ordered)[:, None]


class Scales:
    """The scales of the rows of A or the columns of B, one for each block along K.

    A byte of a thread's register is the scale of its first block; the blocks that follow have the bytes above.  For A
    pairs of threads of a quad hold rows `g` and `g + 8`, and for B single threads column `g`, of group `g`.
    """

    def __init__(self, site: Site, operands: tuple[Operand, ...], matrix: str) -> None:
        data, selectors = operands
        assert isinstance(selectors, Vector)
        lanes = site.machine.batch.lanes
        self.site, self.row = site, site.row(site.vector(data)[0]).array
        self.byte, self.thread = (
            np.broadcast_to(site.value(element, "b16"), (lanes,)) for element in selectors.elements
        )
        opcode = site.opcode
        default = {"kind::mxf8f6f4": 1, "kind::mxf4": 2}.get(opcode.get("kind"), 4)
        written = opcode.get("scale_vec")
        self.blocks = int(written[-2]) if written else default
        self.type = opcode.get("stype")
        self.repeat = extents(opcode.get("shape"))[2] // self.blocks
        group = np.arange(8) * 4
        self.holders = np.concatenate([group, group + 1]) if matrix == "a" else group
        self.step = 2 if matrix == "a" else 1

    def read(self, lanes: Lanes, warps: Array | None) -> Array:
        """The scale of each element: warps by rows (of A, or columns of B) by K."""
        words = gather([self.row], lanes, warps)[:, 0]
        byte, thread = (gather([row], lanes, warps)[:, 0, :1].astype(np.intp) for row in (self.byte, self.thread))
        if byte.max() + self.blocks > 4 or (thread.max() + 1) * self.step > 4:
            raise self.site.fault(
                "descriptor", "a scale selector does not select a byte or thread", int(lanes.index[0])
            )
        found = np.take_along_axis(words, self.holders + self.step * thread, axis=1)
        shift = (8 * (byte + np.arange(self.blocks))).astype(np.uint32)
        codes = (found[..., None] >> shift[:, None, :]) & np.uint32(0xFF)
        table = values_of(self.type)
        assert table is not None
        return np.repeat(np.take(table, codes), self.repeat, axis=2)


def product_of(opcode: Opcode) -> Callable[[Array, Array], Array]:
    """The product of matrices; of bit matrices the number of ones."""
    if opcode.get("bitop") == "xor":
        return lambda a, b: a @ (1.0 - b) + (1.0 - a) @ b
    return np.matmul


@step("mma", "mma.sp", "mma.sp::ordered_metadata")
def mma(site: Site) -> Step:
    """`D = A * B + C`, with A expanded where it is sparse, and A and B scaled where they have scales."""
    opcode = site.opcode
    if opcode.get("rnd") not in ("", "rn"):
        site.unsupported(f"rounding by .{opcode.get('rnd')}")
    a, b, c = (Source(site, operand, name) for operand, name in zip(site.operands[1:4], "abc", strict=True))
    d = Target(site, site.operands[0])
    rest = list(site.operands[4:])
    sparsity = Sparsity(site, rest.pop(0), rest.pop(0)) if opcode.stem != "mma" else None
    scale_a = Scales(site, (rest[0], rest[1]), "a") if rest else None
    scale_b = Scales(site, (rest[2], rest[3]), "b") if rest else None
    finish = finisher(opcode.get("dtype"), bool(opcode.get("satfinite")))
    multiply = product_of(opcode)
    plain = not rest and sparsity is None and not opcode.get("bitop")
    core = site.core(opcode.get("atype"), opcode.get("btype"), opcode.get("dtype")) if plain else None
    same_layout = np.array_equal(c.table, place_table(d.found).reshape(-1))

    def run(lanes: Lanes) -> None:
        warps = whole_warps(site, lanes)
        left, right = a.read(lanes, warps), b.read(lanes, warps)
        if sparsity is not None:
            left = sparsity.expand(left, lanes, warps)
        if scale_a is not None and scale_b is not None:
            left = left * scale_a.read(lanes, warps)[:, None]
            right = right * scale_b.read(lanes, warps).transpose(0, 2, 1)[:, None]
        if core is not None:
            d.write(lanes, warps, finish(core(left, right, c.read(lanes, warps))))
            return
        product = multiply(left, right)
        if same_layout:
            d.put(lanes, warps, finish(d.add(product, decode(c.codes(lanes, warps), c.type))))
        else:
            d.write(lanes, warps, finish(product + c.read(lanes, warps)))

    return run
