"""Which bytes of a register are written: how instructions that only move bytes pass that on.

A mask has a bit for each byte of a register, lowest first; predicates have one.  What only computes passes on that it
has computed with nothing: compilers fill up vectors that way.  Moves, permutations, shifts, masks and what computes
with elements know it byte by byte.  Memory, branches, guards and other lanes get bytes that are written, or it is a
fault.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.isa.types import TYPES
from weft.ptx.operands import Integer, Negated, Operand, Pair, Register, Sink, Vector
from weft.sim import semantics
from weft.sim.lanes import Array, Lanes
from weft.sim.registers import Row
from weft.sim.site import Site, Step
from weft.sim.witness import Witness

Mask = Any
"""Masks of lanes, or one for all of them."""
Transfer = Callable[[list[Mask]], Mask]

_PACKED = frozenset({"add", "sub", "mul", "fma", "neg", "abs", "min", "max", "ex2", "tanh", "set"})
_UPWARD = frozenset({"add", "sub", "mul", "mad", "neg"})
"""Whole numbers: the low bytes of results come from the low bytes of sources."""
_BITWISE = frozenset({"lop3", "not"})
_ELEMENTS = {"f16x2": 2, "bf16x2": 2, "u16x2": 2, "s16x2": 2, "f32x2": 4}
"""The bytes of an element of packed types."""


def passes(site: Site) -> bool:
    """Whether an instruction may give bytes that are written though not all that it reads are."""
    if site.opcode.stem not in semantics.ALU:
        return site.opcode.stem in ("mov", "shfl")
    return not site.plan().variant.compiled.effects.carry


def full(bits: int) -> int:
    """The mask of a register that is written whole."""
    return (1 << max(1, bits // 8)) - 1


def _word(operand: Operand) -> int | None:
    return operand.value & 0xFFFF_FFFF_FFFF_FFFF if isinstance(operand, Integer) else None


def _up(mask: Mask, by: int, bits: int) -> Mask:
    """The mask after a shift to the left: a byte needs those that it is made of."""
    count, rest = divmod(by, 8)
    moved = (mask << count) | ((1 << count) - 1)
    return (moved & ((moved << 1) | 1) if rest else moved) & full(bits)


def _down(mask: Mask, by: int, bits: int, signed: bool) -> Mask:
    size = bits // 8
    top = full(bits) << size
    above = np.where((mask >> (size - 1)) & 1, top, 0) if signed else top
    wide = mask | above
    count, rest = divmod(min(by, bits), 8)
    moved = wide >> count
    return (moved & (moved >> 1) if rest else moved) & full(bits)


def _permuted(selector: int) -> Transfer:
    def run(masks: list[Mask]) -> Mask:
        both = masks[0] | (masks[1] << 4)
        result: Mask = 0
        for byte in range(4):
            result = result | (((both >> (selector >> 4 * byte & 7)) & 1) << byte)
        return result

    return run


def _logical(stem: str, constant: int | None, bits: int) -> Transfer:
    settled = 0
    if constant is not None and stem != "xor":
        known = 0 if stem == "and" else 0xFF
        settled = sum(1 << i for i in range(bits // 8) if constant >> 8 * i & 0xFF == known)
    return lambda masks: (masks[0] & masks[1]) | settled


def _converted(to: str, source: str) -> Transfer | None:
    """Integers that are cut off or extended."""
    if any(TYPES[type_].kind not in "us" for type_ in (to, source)):
        return None
    bits, signed = TYPES[source].bits, TYPES[source].kind == "s"
    high = full(64) & ~full(bits)

    def run(masks: list[Mask]) -> Mask:
        low = masks[0] & full(bits)
        above: Array = np.where((low >> (bits // 8 - 1)) & 1, high, 0) if signed else np.array(high)
        return (low | above) & full(TYPES[to].bits)

    return run


def _field(position: int, length: int, bits: int) -> int:
    """The bytes that a field touches."""
    return sum(1 << i for i in range(bits // 8) if 8 * i < position + length and 8 * i + 8 > position)


def _packed(size: int, bits: int) -> Transfer:
    """Elements of `size` bytes, each of which needs its bytes in all sources."""
    element = (1 << size) - 1

    def run(masks: list[Mask]) -> Mask:
        both: Mask = masks[0]
        for mask in masks[1:]:
            both = both & mask
        result: Mask = 0
        for start in range(0, bits // 8, size):
            part = element << start
            result = result | np.where((both & part) == part, part, 0)
        return result

    return run


def _joined(size: int, whole: int) -> Transfer:
    """Two values narrowed into one register: the first becomes its upper part."""
    part = (1 << size) - 1

    def run(masks: list[Mask]) -> Mask:
        upper, lower = (np.where((mask & whole) == whole, part, 0) for mask in masks[:2])
        return upper << size | lower

    return run


def _every(masks: list[Mask]) -> Mask:
    """Bytes that all sources have."""
    every: Mask = masks[0]
    for mask in masks[1:]:
        every = every & mask
    return every


def _upward(masks: list[Mask]) -> Mask:
    """Bytes up to the first one that a source lacks."""
    every = _every(masks)
    return (every ^ (every + 1)) >> 1


def transfer_of(site: Site) -> Transfer | None:
    """How masks pass through an instruction with one destination; None where it needs its sources whole."""
    stem, operands, slots = site.opcode.stem, site.operands, site.slots()
    type_ = slots["type"]
    if stem in _PACKED and type_ in _ELEMENTS:
        return _packed(_ELEMENTS[type_], TYPES[type_].bits)
    # Carries run upwards only: the low bytes of a sum or product need nothing above them, unless it saturates.
    if stem in _UPWARD and TYPES[type_].kind in "us" and slots.get("mode", "lo") in ("", "lo") and not slots.get("sat"):
        return _upward
    if stem in _BITWISE and type_ != "pred":
        return _every
    if stem == "prmt":
        selector = _word(operands[3])
        return None if selector is None or slots["mode"] else _permuted(selector)
    if stem in ("shl", "shr"):
        by, bits = _word(operands[2]), TYPES[type_].bits
        if by is None:
            return None
        signed = TYPES[type_].kind == "s"
        return (lambda masks: _up(masks[0], min(by, bits), bits)) if stem == "shl" else (
            lambda masks: _down(masks[0], by, bits, signed)
        )  # fmt: skip
    if stem in ("and", "or", "xor"):
        if type_ == "pred":
            return None
        first, second = _word(operands[1]), _word(operands[2])
        return _logical(stem, first if second is None else second, TYPES[type_].bits)
    if stem == "cvt" and type_.endswith("x2") and len(site.operands) > 2 and TYPES[slots["atype"]].bits == 32:
        return _joined(TYPES[type_].bits // 16, full(32))
    if stem == "cvt":
        return _converted(type_, slots["atype"]) if not slots["sat"] else None
    if stem == "bfe":
        position, length = _word(operands[2]), _word(operands[3])
        if position is None or length is None:
            return None
        bits = TYPES[type_].bits
        needs = _field(position, max(length, 1), bits)
        # The field is moved by bits, so its bytes are no bytes of the source: all of it is there, or nothing is known.
        return lambda masks: np.where((masks[0] & needs) == needs, full(bits), 0)
    if stem == "bfi":
        position, length = _word(operands[3]), _word(operands[4])
        bits = TYPES[type_].bits
        if position is None or length is None or position % 8 or length % 8:
            return None
        inside = _field(position, length, bits)
        return lambda masks: ((masks[0] << position // 8) & inside) | (masks[1] & ~inside & full(bits))
    return None


def passing(site: Site, reads: list[Row], writes: list[Row]) -> Step | None:
    """What notes the bytes that an instruction writes, where it passes them on; None where it needs them whole."""
    stem = site.opcode.stem
    if not passes(site):
        return None
    watched = {id(row) for row in writes}
    for row in writes:
        row.made_of += reads

    def mask_of(operand: Operand) -> Callable[[Lanes], Mask]:
        operand = operand.operand if isinstance(operand, Negated) else operand
        row = site.row(operand) if isinstance(operand, Register) and site.names.declared(operand.name) else None
        if row is None or row.defined is None:
            whole = full(64 if row is None else row.bits)
            return lambda lanes: np.uint16(whole)
        defined = row.defined
        return lambda lanes: defined[lanes.select]

    def put(operand: Operand) -> Row | None:
        row = None if isinstance(operand, Sink) else site.row(operand)
        return row if row is not None and id(row) in watched else None

    if stem == "mov":
        return _moved(site, mask_of, put)
    if stem == "selp":
        return _selected(site, mask_of, put)
    transfer = transfer_of(site)
    if transfer is None or isinstance(site.operands[0], Pair):
        return _whole(site, reads, writes)
    target = put(site.operands[0])
    several = stem in _PACKED or stem in _UPWARD or stem in _BITWISE
    sources = [mask_of(operand) for operand in (site.operands[1:] if several else site.operands[1:3])]

    def note(lanes: Lanes) -> None:
        if target is not None and target.defined is not None:
            mask = transfer([source(lanes).astype(np.int64) for source in sources])
            target.defined[lanes.select] = mask & full(target.bits)

    return note


def _whole(site: Site, reads: list[Row], writes: list[Row]) -> Step:
    """Results are written where all that they are computed from is."""
    if site.machine.witness is not None:
        return _doubtful(site.machine.witness, reads, writes)
    needs = [(row.defined, full(row.bits)) for row in reads if row.defined is not None]
    results = [(row.defined, full(row.bits)) for row in writes if row.defined is not None]

    def note(lanes: Lanes) -> None:
        known: Mask = True
        for defined, whole in needs:
            known = known & ((defined[lanes.select] & whole) == whole)
        for defined, whole in results:
            defined[lanes.select] = np.where(known, whole, 0)

    return note


def _doubtful(witness: Witness, reads: list[Row], writes: list[Row]) -> Step:
    """The same where what depends on unwritten bytes is looked for; such predicates may be anything."""
    places = [(witness.place(row), row) for row in reads if row.defined is not None]

    def note(lanes: Lanes) -> None:
        known: Array = np.ones(lanes.count, np.bool_)
        for place, row in places:
            whole = full(row.bits)
            assert row.defined is not None
            known &= place.confirmed(lanes, (row.defined[lanes.select] & whole) == whole)
        for row in writes:
            if row.defined is not None:
                row.defined[lanes.select] = np.where(known, full(row.bits), 0)
                witness.guess(row, lanes.index[~known])

    return note


def _moved(site: Site, mask_of: Callable[[Operand], Any], put: Callable[[Operand], Row | None]) -> Step:
    target, source = site.operands
    if isinstance(target, Vector):
        size = max(1, TYPES[site.opcode["type"]].bits // 8 // len(target.elements))
        rows = [put(element) for element in target.elements]
        whole = mask_of(source)

        def unpack(lanes: Lanes) -> None:
            mask = whole(lanes)
            for number, row in enumerate(rows):
                if row is not None and row.defined is not None:
                    row.defined[lanes.select] = (mask >> (number * size)) & full(8 * size)

        return unpack
    row = put(target)
    if isinstance(source, Vector):
        size = max(1, TYPES[site.opcode["type"]].bits // 8 // len(source.elements))
        parts = [mask_of(element) for element in source.elements]

        def pack(lanes: Lanes) -> None:
            if row is not None and row.defined is not None:
                mask: Mask = 0
                for number, part in enumerate(parts):
                    mask = mask | ((part(lanes).astype(np.int64) & full(8 * size)) << (number * size))
                row.defined[lanes.select] = mask

        return pack
    only = mask_of(source)

    def copy(lanes: Lanes) -> None:
        if row is not None and row.defined is not None:
            row.defined[lanes.select] = only(lanes) & full(row.bits)

    return copy


def _selected(
    site: Site, mask_of: Callable[[Operand], Callable[[Lanes], Array]], put: Callable[[Operand], Row | None]
) -> Step:
    target, first, second, predicate = site.operands
    row, a, b, p = put(target), mask_of(first), mask_of(second), mask_of(predicate)
    value = site.value(predicate, "pred")

    def select(lanes: Lanes) -> None:
        if row is not None and row.defined is not None:
            holds: Array = np.broadcast_to(value, (site.machine.batch.lanes,))[lanes.select]
            either: Array = np.where(holds, a(lanes), b(lanes))
            row.defined[lanes.select] = np.where(p(lanes) & 1, either & full(row.bits), 0)

    return select
