"""`vec_auto` between registers and memory: each thread moves its own elements, in vectors.

Any distribution over threads will do: a thread's number gives the digits of its elements, lanes that hold nothing take
no part, and replicas are read by all that hold one.
"""

from __future__ import annotations

from typing import NamedTuple

from weft.layout import Iter, TileLayout
from weft.layout.iters import Run
from weft.transforms.copy_dispatch import checks, refinement, vectors
from weft.transforms.copy_dispatch.holders import one_holder
from weft.transforms.copy_dispatch.plan import Address, Condition, Digit, Instruction, Plan, Sum, constants, place
from weft.transforms.copy_dispatch.request import GLOBAL, LOCAL, SCOPES, SHARED, Copy, Decline, Operand
from weft.transforms.copy_dispatch.sub_bytes import against_registers

PAIRS = ((LOCAL, SHARED), (SHARED, LOCAL), (LOCAL, GLOBAL), (GLOBAL, LOCAL))


class Atom(NamedTuple):
    """Elements of one thread: how many, their stride in registers, the iter of memory, and that of coordinates."""

    extent: int
    register: int
    memory: Iter
    coordinate: Iter | None


class Sides(NamedTuple):
    """Registers and memory over one logical order: what threads contribute, the atoms, and offsets."""

    thread: refinement.Terms
    coordinates: refinement.Terms
    conditions: tuple[Condition, ...]
    holders: tuple[Condition, ...]
    steps: tuple[Iter, ...]
    atoms: tuple[Atom, ...]
    r_offset: int
    s_offset: tuple[tuple[str, int], ...]
    repeats: tuple[tuple[int, int], ...]


def predicate(copy: Copy) -> str | None:
    """Registers distributed over threads of the scope at most, and memory."""
    return checks.common(copy, SCOPES, PAIRS) or against_registers(copy) or thread_scope(copy)


def thread_scope(copy: Copy) -> str | None:
    """The registers' thread axes must number threads within the copy's scope."""
    return refinement.dealt_within(copy, copy.dst if copy.dst.space == LOCAL else copy.src)


def plan(copy: Copy) -> Plan:
    """Vector accesses of each thread's elements; raises Decline where layouts refine incompatibly."""
    load = copy.dst.space == LOCAL
    registers, memory = (copy.dst, copy.src) if load else (copy.src, copy.dst)
    sides = refined(copy, registers, memory)
    length, outer = vectorised(sides, registers, memory, copy)
    count = length * memory.bits // 8
    opcode = vectors.access(load, memory.space, min(count, 16), copy.cache)
    thread, within = place(sides.thread), place(sides.coordinates)
    found: list[Instruction] = []
    for r_value, s_value, coordinate in rounds(outer):
        for r_repeat, s_repeat in sides.repeats:
            address = Address(thread, constants([*sides.s_offset, ("m", s_repeat), *s_value.items()]))
            start = (sides.r_offset + r_value + r_repeat) * memory.bits // 8
            found.append(
                Instruction(
                    opcode,
                    count,
                    dst=None if load else address,
                    src=address if load else None,
                    registers=vectors.words(start, count),
                    coordinates=Address(within, constants(coordinate.items())) if copy.bounds else None,
                )
            )
    conditions = sides.conditions if load else (*sides.conditions, *sides.holders)
    return Plan("vec_auto", tuple(found), "reg", vector_bytes=count, rounds=len(found), conditions=conditions)


def refined(copy: Copy, registers: Operand, memory: Operand) -> Sides:
    """Both layouts in one order: threads first, then by the registers' strides, descending; raises Decline."""
    r, s = checks.sliced(registers, "R"), checks.sliced(memory, "S")
    s_groups = refinement.groups_or_decline("S", s, r.extents)
    domain = refinement.by_rows(memory.extents)
    c_groups = refinement.groups(domain.canonicalize().shard, r.extents) if copy.bounds else None
    assert c_groups is not None or not copy.bounds  # Both are groups of one region.
    order = sorted(range(len(r.shard)), key=lambda at: (not r.shard[at].axis.thread, -r.shard[at].stride))
    parts = [(r.shard[at], s_groups[at], c_groups[at] if c_groups else ()) for at in order]
    threads = [part for part in parts if part[0].axis.thread]
    own = [part for part in parts if not part[0].axis.thread]
    thread, coordinates, conditions, holders = _threads(copy, r, threads)
    atoms = tuple(atom for part in own for atom in _atoms(*part))
    return Sides(
        thread,
        coordinates,
        conditions,
        holders,
        tuple(each for _, run, _ in threads for each in run if each.extent > 1),
        atoms,
        sum(value for axis, value in r.offset if not axis.thread),
        tuple((axis.name, value) for axis, value in s.offset),
        _repeats(r, s, load=copy.dst.space == LOCAL),
    )


def _threads(
    copy: Copy, r: TileLayout, parts: list[tuple[Iter, Run, Run]]
) -> tuple[refinement.Terms, refinement.Terms, tuple[Condition, ...], tuple[Condition, ...]]:
    """What a thread contributes to the address and to the coordinates; who has elements; who has them first."""
    replica = tuple(each for each in r.replica if each.axis.thread)
    run = tuple(part[0] for part in parts) + replica
    offset = [value for axis, value in r.offset if axis.thread]
    if not run and not offset:
        return [], [], (), one_holder(copy, "")
    axes = {axis for axis in r.axes if axis.thread}
    if len(axes) != 1:
        raise Decline(f"R has the thread axes {sorted(axis.name for axis in axes)}")
    (axis,) = axes
    digits, conditions = refinement.thread_digits(
        run or (Iter(1, 1, axis),), checks.axis_extent(axis, copy), sum(offset)
    )
    terms: refinement.Terms = []
    coordinates: refinement.Terms = []
    for (source, divide, modulus), (_, s_run, c_run) in zip(digits, parts, strict=False):
        terms += refinement.spread(source, s_run, divide, modulus)
        coordinates += refinement.spread(source, c_run, divide, modulus)
    holders = one_holder(copy, axis.name)
    if copy.guard is None and not copy.faithful:
        replicas = digits[len(parts) :] if replica else []
        holders += tuple(Condition(Sum(((1, Digit(*digit)),)), 1) for digit in replicas)
    return terms, coordinates, conditions, holders


def _atoms(own: Iter, memory: Run, coordinates: Run) -> list[Atom]:
    """The iters of memory in one iter of registers, with the stride of each in registers."""
    if coordinates:
        memory, coordinates = refinement.together(memory, coordinates)
    atoms: list[Atom] = []
    inner = own.stride
    for at in range(len(memory) - 1, -1, -1):
        atoms.append(Atom(memory[at].extent, inner, memory[at], coordinates[at] if coordinates else None))
        inner *= memory[at].extent
    return [atom for atom in reversed(atoms) if atom.extent > 1]


def _repeats(r: TileLayout, s: TileLayout, load: bool) -> tuple[tuple[int, int], ...]:
    """Offsets of the copies in registers and memory that are to be written, or the first that is read."""
    own = [each for each in r.replica if not each.axis.thread]
    r_values = [value.get("m", 0) for value in refinement.ladder(own if load else ())]
    s_values = [value.get("m", 0) for value in refinement.ladder(() if load else s.replica)]
    return tuple((r_value, s_value) for r_value in r_values for s_value in s_values)


def vectorised(sides: Sides, registers: Operand, memory: Operand, copy: Copy) -> tuple[int, tuple[Atom, ...]]:
    """The longest vector, in elements, that both sides have in one piece, aligned, and the atoms left around it."""
    tail = contiguous(sides.atoms)
    swizzle = memory.swizzle
    for length in vectors.lengths(memory):
        if length == 1:
            break
        if swizzle is not None and length > 1 << swizzle.per_element:
            continue
        if tail % length or ((limit := vectors.bound_limit(copy)) and limit % length):
            continue
        outer = without_tail(sides.atoms, length)
        if outer is None:
            continue
        memory_values = [vectors.worth(memory, atom.memory) for atom in outer]
        memory_values += [vectors.worth(memory, each) for each in sides.steps]
        memory_values += [vectors.axis_worth(memory, axis, value) for axis, value in sides.s_offset]
        memory_values += [value for _, value in sides.repeats]
        own = [atom.register for atom in outer] + [sides.r_offset, *(value for value, _ in sides.repeats)]
        if vectors.fits(memory, length, memory_values) and all(value % length == 0 for value in own):
            return length, outer
    return 1, sides.atoms


def contiguous(atoms: tuple[Atom, ...]) -> int:
    """How many elements at the end are contiguous in registers and in memory."""
    reached = 1
    for atom in reversed(atoms):
        if atom.memory.axis.name != "m" or atom.memory.stride != reached or atom.register != reached:
            break
        reached *= atom.extent
    return reached


def without_tail(atoms: tuple[Atom, ...], length: int) -> tuple[Atom, ...] | None:
    """The atoms that are left when vectors of `length` elements are taken off the end; None where these cut an atom."""
    left = list(atoms)
    while length > 1:
        atom = left.pop()
        if length % atom.extent == 0:
            length //= atom.extent
            continue
        if atom.extent % length:
            return None
        memory = Iter(atom.extent // length, atom.memory.stride * length, atom.memory.axis)
        coordinate = atom.coordinate and Iter(memory.extent, atom.coordinate.stride * length, atom.coordinate.axis)
        left.append(Atom(memory.extent, atom.register * length, memory, coordinate))
        break
    return tuple(left)


def rounds(atoms: tuple[Atom, ...]) -> list[tuple[int, dict[str, int], dict[str, int]]]:
    """For every combination of digits, the last atom the fastest: offsets in registers, memory and coordinates."""
    own = [value.get("m", 0) for value in refinement.ladder(Iter(atom.extent, atom.register) for atom in atoms)]
    memory = refinement.ladder(atom.memory for atom in atoms)
    coordinates = refinement.ladder(atom.coordinate for atom in atoms if atom.coordinate is not None)
    if len(coordinates) < len(own):  # no bounds
        coordinates *= len(own)
    return list(zip(own, memory, coordinates, strict=True))
