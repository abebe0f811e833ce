"""`ldstmatrix`: between registers and shared memory by `ldmatrix` and `stmatrix`, a warp's fragment at a time.

Both layouts are brought into one order, threads first, and compared with the fragment of the instruction: eight rows of
four lanes with a pair of 16-bit elements each, `num` such matrices, and the rest of the registers one instruction after
another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from weft.isa import Opcode, opcode
from weft.layout import Iter, m
from weft.layout.iters import Run, size
from weft.transforms.copy_dispatch import checks, matrices
from weft.transforms.copy_dispatch.fragment_sides import SCOPES, Sides, off_rows, ordered
from weft.transforms.copy_dispatch.plan import Address, Digit, Instruction, Place, Plan, constants, place
from weft.transforms.copy_dispatch.refinement import groups, spread
from weft.transforms.copy_dispatch.request import LOCAL, SHARED, Copy, Decline

PAIRS = ((LOCAL, SHARED), (SHARED, LOCAL))
ROW = 8
"""16-bit elements of a row of a matrix, 16 bytes: every row's address is a multiple of it."""


class Fit(NamedTuple):
    """How layouts fit `num` matrices: their groups, whether transposed, and the stride between rows."""

    r: tuple[Run, ...]
    s: tuple[Run, ...]
    trans: bool
    row: int
    num: int


def predicate(copy: Copy) -> str | None:
    """Warps that come as a whole, registers and shared memory."""
    return checks.common(copy, SCOPES, PAIRS)


def plan(copy: Copy) -> Plan:
    """The matrix instructions of a copy; raises Decline where the layouts are no fragments."""
    if not copy.faithful:
        return matrices.plan(copy)
    load = copy.dst.space == LOCAL
    if copy.dst.bits != 16:
        raise Decline(f".b16 matrices need 16-bit elements, found {copy.dst.element}")
    missing = checks.not_on(matrix_copy(load, 1, False), copy.target)
    if missing:
        raise Decline(missing)
    registers, shared = (copy.dst, copy.src) if load else (copy.src, copy.dst)
    sides = ordered(copy, registers, shared)
    fit = best_fit(sides, copy)
    return Plan(
        "ldstmatrix",
        tuple(instructions(fit, sides, load)),
        "ldstmatrix",
        num=fit.num,
        trans=fit.trans,
        rounds=size(fit.r[3]),
    )


def matrix_copy(load: bool, num: int, trans: bool) -> Opcode:
    """The opcode."""
    stem = "ldmatrix" if load else "stmatrix"
    return opcode(stem, shape="m8n8", num=f"x{num}", trans=trans, ss="shared", type="b16")


def best_fit(sides: Sides, copy: Copy) -> Fit:
    """The first fit of 4, 2 or 1 matrices, in one of the orders that `orders` gives; raises Decline."""
    threads = size(tuple(each for each in sides.r if each.axis is not m))
    registers = size(sides.r) // threads
    reasons: list[str] = []
    for num in (4, 2, 1):
        if registers % (2 * num):
            continue
        for r, s in orders(sides, threads, registers):
            found = fit(r, s, threads, registers, num)
            if isinstance(found, Fit):
                reason = misaligned(found, sides, copy)
                if reason is None:
                    return found
                reasons.append(f"x{num}: {reason}")
            else:
                reasons.append(f"x{num}: {found}")
    detail = f" ({'; '.join(dict.fromkeys(reasons))})" if reasons else ""
    raise Decline(f"layout doesn't fit any num in {{4, 2, 1}}{detail}")


def orders(sides: Sides, threads: int, registers: int) -> Iterator[tuple[Run, Run]]:
    """Register tiles in the order of their strides in shared memory, where that is another order; then as they are."""
    shape = (threads // 32, 8, 4, registers // 2, 2)
    found = _sorted_by_memory(sides, shape) if registers % 2 == 0 else None
    if found is not None:
        yield found
    yield sides.r, sides.s


def _sorted_by_memory(sides: Sides, shape: Sequence[int]) -> tuple[Run, Run] | None:
    r, s = groups(sides.r, shape), groups(sides.s, shape)
    if r is None or s is None:
        return None
    parts = groups(r[3], [each.extent for each in s[3]])
    if parts is None:
        return None
    order = sorted(range(len(s[3])), key=lambda at: -s[3][at].stride)
    if order == list(range(len(order))):
        return None
    tiles = tuple(each for at in order for each in parts[at])
    return ((*_flat(r[:3]), *tiles, *r[4]), (*_flat(s[:3]), *(s[3][at] for at in order), *s[4]))


def _flat(parts: Iterable[Run]) -> Run:
    return tuple(each for part in parts for each in part)


def fit(r: Run, s: Run, threads: int, registers: int, num: int) -> Fit | str:
    """The fit of `num` matrices, or the reason why there is none."""
    shape = (threads // 32, 8, 4, registers // (2 * num), num, 2)
    r_parts, s_parts = groups(r, shape), groups(s, shape)
    if r_parts is None or s_parts is None:
        return f"{'R' if r_parts is None else 'S'} cannot be grouped by {list(shape)}"
    if [each.stride for each in r_parts[0] if each.extent > 1] not in ([], [32]):
        return "R's warps are not 32 threads apart"
    if any(len(parts[at]) != 1 for parts in (r_parts, s_parts) for at in (1, 2, 5)):
        return "rows, lanes or pairs have more than one stride"
    if [r_parts[at][0].stride for at in (1, 2, 5)] != [4, 1, 1]:
        return f"R's rows, lanes, pairs have strides {[r_parts[at][0].stride for at in (1, 2, 5)]}, not [4, 1, 1]"
    if num > 1 and any(each.stride < ROW or each.stride % ROW for each in s_parts[4]):
        return f"matrices are {[each.stride for each in s_parts[4]]} elements apart"
    if any(each.extent > 1 and each.stride % ROW for each in s_parts[3]):
        return f"instructions are {[each.stride for each in s_parts[3]]} elements apart"
    # Lane 4i + j holds elements 2j and 2j + 1 of row i: in memory beside each other, or a row apart where transposed.
    s8, s4, s2 = (s_parts[at][0].stride for at in (1, 2, 5))
    if s4 == 2 and s2 == 1 and s8 >= ROW and s8 % ROW == 0:
        trans, row = False, s8
    elif s8 == 1 and s2 >= ROW and s2 % ROW == 0 and s4 == 2 * s2:
        trans, row = True, s2
    else:
        return f"S's rows, lanes, pairs have strides [{s8}, {s4}, {s2}]"
    if len(r_parts[4]) > 1:
        r_parts, s_parts = _in_register_order(r_parts, s_parts)
    return Fit(r_parts, s_parts, trans, row, num)


def _in_register_order(r: tuple[Run, ...], s: tuple[Run, ...]) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """The matrices of an instruction by the registers' strides, descending, so that the registers are consecutive."""
    parts = groups(s[4], [each.extent for each in r[4]])
    assert parts is not None
    order = sorted(range(len(r[4])), key=lambda at: -r[4][at].stride)
    return ((*r[:4], tuple(r[4][at] for at in order), r[5]), (*s[:4], _flat(parts[at] for at in order), s[5]))


def misaligned(fit: Fit, sides: Sides, copy: Copy) -> str | None:
    """The reason why a row is not at a multiple of 16 bytes, or a register not a whole word; None where all are."""
    shared = copy.src if copy.dst.space == LOCAL else copy.dst
    reason = off_rows(sides, shared, [each.stride * shared.bits for each in fit.s[0] if each.extent > 1])
    if reason is not None:
        return reason
    words = [sides.r_offset, *(each.stride for part in fit.r[3:5] for each in part if each.extent > 1)]
    if any(each % 2 for each in words):
        return "pairs of R do not fill whole registers"
    return None


def instructions(fit: Fit, sides: Sides, load: bool) -> Iterator[Instruction]:
    """One instruction for each step of the outer registers."""
    code = matrix_copy(load, fit.num, fit.trans)
    thread = row_addresses(fit, sides.axis)
    tiles = [value for (value,) in offsets(fit.r[4])]
    for r_value, s_value in offsets(fit.r[3], fit.s[3]):
        address = Address(thread, constants([("m", sides.s_offset + s_value)]))
        words = tuple(2 * (sides.r_offset + r_value + tile) for tile in tiles)
        yield Instruction(
            code, 4 * fit.num, dst=None if load else address, src=address if load else None, registers=words
        )


def row_addresses(fit: Fit, axis: str) -> Place:
    """Where the row of a thread begins: row `lane % 8` of matrix `lane / 8`, of the matrices of its warp."""
    terms: list[tuple[str, int, Digit]] = [("m", fit.row, Digit(axis, 1, 8))]
    if fit.num > 1:
        terms += spread(axis, fit.s[4], 8, 0 if axis == "laneid" else 4)
    if size(fit.s[0]) > 1:
        terms += spread(axis, fit.s[0], 32)
    return place(terms)


def offsets(*runs: Run) -> list[tuple[int, ...]]:
    """What each run adds for every combination of digits, the last iter the fastest; runs are of one size."""
    columns = [_ladder(run) for run in runs]
    return list(zip(*columns, strict=True))


def _ladder(run: Sequence[Iter]) -> list[int]:
    values = [0]
    for extent, stride, _ in run:
        values = [value + digit * stride for value in values for digit in range(extent)]
    return values
