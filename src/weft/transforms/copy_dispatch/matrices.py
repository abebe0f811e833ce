"""Matrix instructions tile by tile: every shape and element width that the target has, as many matrices at once as fit.

A layout is compared with the fragment of each format in units of 16 or 8 bits.  What is left of it, once lanes and the
parts of a register are taken off, is a list of matrices, each with its registers and its first row in memory; they are
gathered in the order of the registers, four, two or one at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import NamedTuple

from weft.isa import Opcode, opcode
from weft.layout import Iter
from weft.layout.iters import Run, fuse, size
from weft.transforms.copy_dispatch import checks
from weft.transforms.copy_dispatch.fragment_sides import Sides, off_rows, ordered
from weft.transforms.copy_dispatch.holders import one_holder
from weft.transforms.copy_dispatch.plan import Address, Digit, Instruction, Place, Plan, constants, place
from weft.transforms.copy_dispatch.refinement import Terms, groups, spread, together
from weft.transforms.copy_dispatch.request import LOCAL, Copy, Decline, Operand
from weft.transforms.copy_dispatch.sub_bytes import SOURCE_FORMATS


class Format(NamedTuple):
    """A kind of matrix: its name and type, bits of a unit, what a lane's register holds, and its rows in memory.

    `tail` are the extents of a register's units and `registers` their strides; `memory` are the strides in memory of
    the eight and the four parts of the lanes and of the tail, as (steps of one unit, rows).  `halves` matrices of
    registers, eight units apart in memory, are one matrix of the instruction.
    """

    shape: str
    trans: bool
    type: str
    unit: int
    tail: tuple[int, ...]
    registers: tuple[int, ...]
    memory: tuple[tuple[int, int], ...]
    rows: int = 8
    halves: int = 1
    most: int = 4

    def copy_of(self, load: bool, num: int) -> Opcode:
        """The opcode of `num` matrices."""
        stem = "ldmatrix" if load else "stmatrix"
        wide, _, narrow = self.type.partition(".")
        formats = {"dst_fmt": wide, "src_fmt": narrow} if narrow else {"type": wide}
        return opcode(stem, shape=self.shape, num=f"x{num}", trans=self.trans, ss="shared", **formats)


_PLAIN = Format("m8n8", False, "b16", 16, (2,), (1,), ((0, 1), (2, 0), (1, 0)))
_TRANS = Format("m8n8", True, "b16", 16, (2,), (1,), ((1, 0), (0, 2), (0, 1)))
_LOAD_BYTES = Format("m16n16", True, "b8", 8, (4,), (1,), ((1, 0), (0, 4), (0, 1)), 16, 2, 2)
_STORE_BYTES = Format("m16n8", True, "b8", 8, (2, 2), (2, 1), ((1, 0), (0, 2), (8, 0), (0, 1)))
_QUADS = Format("m8n16", False, "b8", 8, (4,), (1,), ((0, 1), (4, 0), (1, 0)))


class Tile(NamedTuple):
    """A matrix: byte offsets of its registers, and the unit of memory where its first row begins."""

    registers: tuple[int, ...]
    start: int


class Found(NamedTuple):
    """A fit: the format, units between rows, the matrices, and the warps' iters in memory."""

    format: Format
    row: int
    tiles: list[Tile]
    warps: Run


def formats(element: str, bits: int, load: bool) -> Iterator[Format]:
    """The formats that move elements of a type."""
    source = SOURCE_FORMATS.get(element[:3])
    if source is not None:
        if load:
            yield _QUADS._replace(type=source)
            yield _LOAD_BYTES._replace(type=source)
        return
    yield _PLAIN
    if bits == 16:
        yield _TRANS
    if bits == 8:
        yield _LOAD_BYTES if load else _STORE_BYTES


def plan(copy: Copy) -> Plan:
    """The matrix instructions of a copy, the fewest; raises Decline where the layouts are no fragments."""
    load = copy.dst.space == LOCAL
    registers, shared = (copy.dst, copy.src) if load else (copy.src, copy.dst)
    sides = ordered(copy, registers, shared)
    candidates: list[tuple[tuple[int, int, int], Found, list[list[Tile]]]] = []
    reasons: list[str] = []
    for format in formats(registers.element, registers.bits, load):
        missing = checks.not_on(format.copy_of(load, 1), copy.target)
        if missing:
            reasons.append(missing)
            continue
        for rank, order in enumerate(_orders(sides, registers.bits)):
            found = fit(order, format, shared)
            if isinstance(found, str):
                reasons.append(f"{format.shape}{'.trans' if format.trans else ''}: {found}")
                continue
            gathered = list(gather(found))
            places = {tuple(_steps(each) or ()) for each in gathered}
            candidates.append(((len(gathered), len(places), rank), found, gathered))
    if not candidates:
        detail = "; ".join(dict.fromkeys(reasons)) or f"no matrix instruction moves {registers.element}"
        raise Decline(f"layout is not a fragment of a matrix instruction ({detail})")
    _, found, gathered = min(candidates, key=lambda candidate: candidate[0])
    instructions = tuple(_instruction(found, tiles, sides, registers.bits, load) for tiles in gathered)
    return Plan(
        "ldstmatrix",
        instructions,
        "ldstmatrix",
        num=max(len(tiles) for tiles in gathered),
        trans=found.format.trans,
        rounds=len(instructions),
        conditions=() if load else one_holder(copy, sides.axis),
    )


def _orders(sides: Sides, bits: int) -> Iterator[Sides]:
    """Registers in their order, then in that of memory; the last iter is what one of them holds, if that is more."""
    yield sides
    own = [at for at, each in enumerate(sides.r) if not each.axis.thread]
    parts = groups(sides.s, [each.extent for each in sides.r])
    if parts is None:
        return
    moved = own if bits >= 32 else own[:-1]
    try:
        pairs = [together((sides.r[at],), parts[at]) for at in moved]
    except Decline:
        return
    tiles = [each for r, s in pairs for each in zip(r, s, strict=True)]
    ranked = sorted(tiles, key=lambda pair: -pair[1].stride)
    if ranked == tiles:
        return
    first, last = moved[0], moved[-1] + 1
    yield sides._replace(
        r=(*sides.r[:first], *(r for r, _ in ranked), *sides.r[last:]),
        s=(
            *(each for part in parts[:first] for each in part),
            *(s for _, s in ranked),
            *(each for part in parts[last:] for each in part),
        ),
    )


def in_units(run: Run, bits: int, unit: int) -> Run | None:
    """A run over elements as one over units; None where elements of a unit are not beside each other."""
    if bits >= unit:
        scale = bits // unit
        grown = tuple(each._replace(stride=each.stride * (1 if each.axis.thread else scale)) for each in run)
        return fuse((*grown, Iter(scale, 1))) if scale > 1 else grown
    pack = unit // bits
    *front, last = run
    if last.axis.thread or last.stride != 1 or last.extent % pack:
        return None
    if any(not each.axis.thread and each.stride % pack for each in front):
        return None
    shrunk = tuple(each._replace(stride=each.stride // (1 if each.axis.thread else pack)) for each in front)
    return (*shrunk, Iter(last.extent // pack, 1, last.axis))


def fit(sides: Sides, format: Format, shared: Operand) -> Found | str:
    """The matrices of a format that layouts consist of, or the reason why they do not."""
    unit, bits = format.unit, shared.bits
    r, s = in_units(sides.r, bits, unit), in_units(sides.s, bits, unit)
    if r is None or s is None:
        return f"elements do not come in groups of {unit} bits"
    # From here on both sides count in units of the instruction, so that one set of strides serves all formats.
    threads = size(tuple(each for each in r if each.axis.thread))
    held = size(r) // threads
    word = prod(format.tail)
    if held % word:
        return f"a thread holds {held * unit} bits, which do not fill whole registers"
    # A warp's lanes are 8 rows of 4; what a thread holds is the matrices' own registers behind the parts of one.
    shape = (threads // 32, 8, 4, held // word, *format.tail)
    r_parts, s_parts = groups(r, shape), groups(s, shape)
    if r_parts is None or s_parts is None:
        return f"{'R' if r_parts is None else 'S'} cannot be grouped by {list(shape)}"
    if [each.stride for each in r_parts[0] if each.extent > 1] not in ([], [32]):
        return "R's warps are not 32 threads apart"
    at = (1, 2, *range(4, len(shape)))
    if any(len(parts[index]) != 1 for parts in (r_parts, s_parts) for index in at):
        return "rows, lanes or a register's parts have more than one stride"
    strides = [r_parts[index][0].stride for index in at]
    if strides != [4, 1, *format.registers]:
        return f"R's rows, lanes, parts have strides {strides}, not {[4, 1, *format.registers]}"
    # The distance of rows is free, but the same for all digits: the first one that counts rows says it.
    chunk = 4 * word
    found = [s_parts[index][0].stride for index in at]
    row = next(stride // rows for stride, (_, rows) in zip(found, format.memory, strict=True) if rows)
    wanted = [units + rows * row for units, rows in format.memory]
    if found != wanted or row < chunk or row % chunk:
        return f"S's rows, lanes, parts have strides {found}"
    try:
        r_tiles, s_tiles = together(r_parts[3], s_parts[3])
    except Decline as reason:
        return str(reason)
    reason = off_rows(sides, shared, [each.stride * unit for each in s_parts[0] if each.extent > 1])
    if reason is not None:
        return reason
    starts = [sides.r_offset * bits // 8 + value * unit // 8 for value in _ladder(r_tiles)]
    if any(start % 4 for start in starts):
        return "the parts of R do not fill whole registers"
    tiles = [Tile((start,), value) for start, value in zip(starts, _ladder(s_tiles), strict=True)]
    whole = joined(tiles, format.halves)
    if whole is None:
        return "some matrices lack a half"
    if any(tile.start % chunk for tile in whole):
        return "matrices do not start at multiples of 16 bytes"
    return Found(format, row, whole, s_parts[0])


def joined(tiles: list[Tile], halves: int) -> list[Tile] | None:
    """Tiles with the one eight units on, where a matrix of the instruction has two; None where one is missing."""
    if halves == 1:
        return tiles
    by_start = {tile.start: tile for tile in tiles}
    found = [
        Tile((*tile.registers, *by_start[tile.start + 8].registers), tile.start)
        for tile in tiles
        if tile.start % 16 == 0 and tile.start + 8 in by_start
    ]
    return found if 2 * len(found) == len(tiles) else None


def gather(found: Found) -> Iterator[list[Tile]]:
    """The matrices of each instruction, as many as addresses in steps of their numbers' bits allow."""
    # Lanes compute the address of their row from bits of their number, which is a sum of one step for each bit: four
    # matrices at other places take more instructions.
    tiles, at = found.tiles, 0
    while at < len(tiles):
        for count in (4, 2, 1):
            group = tiles[at : at + count]
            if count <= found.format.most and len(group) == count and _steps(group) is not None:
                yield group
                at += count
                break


def _steps(group: Sequence[Tile]) -> list[int] | None:
    """What each bit of a matrix's number adds to its address; None where it is no such sum."""
    starts = [tile.start - group[0].start for tile in group]
    steps = [starts[1 << bit] for bit in range(len(group).bit_length() - 1)]
    for number, start in enumerate(starts):
        if start != sum(step for bit, step in enumerate(steps) if number >> bit & 1):
            return None
    return steps


def _instruction(found: Found, tiles: list[Tile], sides: Sides, bits: int, load: bool) -> Instruction:
    format = found.format
    count = 4 * format.halves * len(tiles)
    start = sides.s_offset + _elements(tiles[0].start, format, bits)
    address = Address(_rows(found, tiles, sides.axis, bits), constants([("m", start)]))
    return Instruction(
        format.copy_of(load, len(tiles)),
        count,
        dst=None if load else address,
        src=address if load else None,
        registers=tuple(start for tile in tiles for start in tile.registers),
    )


def _rows(found: Found, tiles: list[Tile], axis: str, bits: int) -> Place:
    """Where the row of a thread begins: row `lane % rows` of matrix `lane / rows`, of the matrices of its warp."""
    format = found.format
    terms: Terms = [("m", _elements(found.row, format, bits), Digit(axis, 1, format.rows))]
    for bit, step in enumerate(_steps(tiles) or []):
        terms.append(("m", _elements(step, format, bits), Digit(axis, format.rows << bit, 2)))
    warps = tuple(each._replace(stride=_elements(each.stride, format, bits)) for each in found.warps)
    if size(warps) > 1:
        terms += spread(axis, warps, 32)
    return place(terms)


def _elements(units: int, format: Format, bits: int) -> int:
    """Units as elements; addresses of rows are whole elements."""
    return units * format.unit // bits


def _ladder(run: Run) -> list[int]:
    values = [0]
    for extent, stride, _ in run:
        values = [value + digit * stride for value in values for digit in range(extent)]
    return values
