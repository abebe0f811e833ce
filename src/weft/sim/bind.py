"""Functions to blocks: where blocks begin and end, and what executes each instruction."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.isa.opcode import Opcode
from weft.ptx.ast import Guard, Instruction
from weft.ptx.operands import Symbol
from weft.sim import alu, definite, product_steps, semantics, tensor_loads
from weft.sim.block import Block, Gate, Ways
from weft.sim.lanes import Array, Lanes
from weft.sim.registers import Names
from weft.sim.site import Site, Step

if TYPE_CHECKING:
    from weft.sim.program import Activation

_POLLING = frozenset({"atom", "mbarrier.test_wait", "nanosleep"})

_UNSIMULATED = (
    *("mbarrier::report::validity", "phase_type::", "layout::v1", "exclusive", "multicast::cluster::32b", "override::"),
    *("fabric::", "generic::fabric", "sync_restrict::read", "sync_restrict::proxy", "sync_restrict::shared::read"),
)
"""How the tokens begin that give a known instruction a meaning that is not simulated."""


def is_gated(opcode: Opcode) -> bool:
    """Whether an instruction needs other lanes of its warp.

    `setmaxnreg` does not: the ISA asks for all warps of a warpgroup, but kernels whose roles are single warps reach it
    at different places, and it changes no value.
    """
    stem = opcode.stem
    return opcode.effects.collective in ("warp", "warpgroup") and stem in semantics.STEPS and stem != "setmaxnreg"


def _is_aligned_barrier(opcode: Opcode) -> bool:
    """Whether an instruction is a barrier that the threads of a warp execute together."""
    return opcode.stem == "bar" or (opcode.stem in ("barrier", "barrier.cluster") and bool(opcode.get("aligned")))


def _ends(instruction: Instruction) -> bool:
    return instruction.opcode.stem in semantics.ENDS


def _splits(instruction: Instruction) -> bool:
    """A guarded instruction that must become a branch around it."""
    if instruction.guard is None or instruction.opcode.stem == "bra":
        return False
    return _ends(instruction) or is_gated(instruction.opcode)


def _tells(opcode: Opcode) -> bool:
    """Whether an instruction stores strongly, or updates what others may look at."""
    return opcode.stem in ("atom", "red") or (opcode.stem == "st" and opcode.get("sem") not in ("", "weak"))


def _leaders(activation: Activation) -> tuple[list[int], set[int]]:
    """Indices of instructions that start a block, and those of them that control does not reach from the one before."""
    starts = {0, len(activation.items)}
    scopes: dict[int, Names] = {id(names): names for _, names in activation.items}
    for names in (activation.names, *scopes.values()):
        for scope in names.outwards():
            starts.update(scope.labels.values())
    joins = set(starts)
    for index, (instruction, _) in enumerate(activation.items):
        opcode = instruction.opcode
        if is_gated(opcode) or opcode.effects.barrier:
            starts.add(index)
        if activation.machine.schedule is not None and _tells(opcode):  # Others may see it before what follows.
            starts.add(index + 1)
        if _splits(instruction):  # Lanes with a false guard go on after it.
            starts.add(index + 1)
            joins.add(index + 1)
        if _ends(instruction):
            starts.add(index + 1)
            joins.add(index + 1)
            if opcode.stem != "bra":
                starts.add(index)
    return sorted(starts), joins


def bind_blocks(activation: Activation) -> None:
    """Fill `activation.blocks`: one block per leader, and one at the end of the text, which returns."""
    semantics.load_all()
    sites = [Site(activation.machine, instruction, names) for instruction, names in activation.items]
    for site in sites:
        site.activation = activation
        _check(site)
    activation.sites = sites
    uses = definite.watch(activation, sites) if activation.machine.strict else [definite.Uses() for _ in sites]
    for use, steps in zip(uses, product_steps.watch(activation, sites), strict=True):
        use.before.extend(steps)
    for use, steps in zip(uses, tensor_loads.watch(activation, sites), strict=True):
        use.before.extend(steps)
    leaders, joins = _leaders(activation)
    for index in leaders:
        activation.blocks[index] = Block(activation, activation.block_order(2 * index))
    for start, stop in pairwise(leaders):
        if start in joins:
            activation.reuse.forget()
        _fill(activation, sites[start:stop], uses[start:stop], start, stop)
    last = activation.blocks[leaders[-1]]
    last.end = _falls_off(activation)


def _falls_off(activation: Activation) -> semantics.End:
    """The end of the text acts as `ret`."""
    from weft.isa import decode

    site = Site(activation.machine, Instruction(decode("ret")), activation.names)
    site.activation, site.here = activation, activation.blocks[max(activation.blocks)]
    return semantics.ENDS["ret"](site)


def _fill(activation: Activation, sites: list[Site], uses: list[definite.Uses], start: int, stop: int) -> None:
    block, after = activation.blocks[start], activation.blocks[stop]
    if _splits(sites[0].instruction):
        block.steps.extend(definite.guarded(sites[0], uses[0]))
        block = _branch_around(activation, start, sites[0], block, after)
    for site, use in zip(sites, uses, strict=True):
        instruction = site.instruction
        site.here, site.after = block, after
        block.sites.append(site)
        if block is activation.blocks[start]:
            block.steps.extend(definite.guarded(site, use))
        block.polls = block.polls or polls(instruction.opcode)
        if _ends(instruction):
            if _is_aligned_barrier(instruction.opcode):
                block.gate = Gate(site, None)
            block.steps.extend((*use.before, *definite.checked(site, use), *definite.marked(site, use)))
            block.end = semantics.ENDS[instruction.opcode.stem](site)
            for watcher in activation.machine.watchers:
                block.end = watcher.end(site, block.end)
            return
        if is_gated(instruction.opcode):
            block.gate = _gate(site)
        block.starts.append(len(block.steps))
        block.plain.append(not (use.before or use.reads or use.writes or use.guards))
        block.steps.append(_step(site, use))
        if not activation.reuse.empty:
            activation.reuse.after(site, definite.uses_of(site).writes)
    block.end, block.ways = lambda lanes: (after, lanes), Ways(after)


def polls(opcode: Opcode) -> bool:
    """Whether an instruction looks at what other threads change."""
    return opcode.stem in _POLLING or (opcode.stem == "ld" and opcode.get("sem") in ("volatile", "relaxed", "acquire"))


def _branch_around(activation: Activation, index: int, site: Site, outer: Block, after: Block) -> Block:
    """Make `outer` a branch on the guard of its instruction; the block that the lanes with a true guard run."""
    guard = site.instruction.guard
    assert guard is not None
    inner = Block(activation, activation.block_order(2 * index + 1))
    activation.inner_blocks.append(inner)
    outer.end = branch(activation, _guard(site, guard), inner, after)
    machine = activation.machine
    past = machine.exits.skipped(site) if machine.strict else []
    if past:
        row, negated = _guard(site, guard)
        outer.end = counted(outer.end, past, (row, not negated), machine.batch.role)
    else:
        outer.ways = Ways(inner, after, site.row(guard.register), guard.negated)
    return inner


def counted(go: semantics.End, past: list[Array], guard: tuple[Array, bool], role: int) -> semantics.End:
    """An end that also counts, in each array of `past`, the lanes with a true guard."""
    row, negated = guard

    def run(lanes: Lanes) -> tuple[Block, Lanes] | None:
        chosen, _ = split(lanes, row, negated, role, rest=False)
        if chosen is not None:
            for counts in past:
                counts[chosen.select] += 1
        return go(lanes)

    return run


def _check(site: Site) -> None:
    opcode = site.opcode
    if not any(opcode.stem in table for table in (semantics.ALU, semantics.STEPS, semantics.ENDS)):
        site.unsupported()
    if any(token.startswith(_UNSIMULATED) for token in opcode.slots.values()):
        site.unsupported()
    if opcode.problem is not None:
        site.malformed(opcode.problem.message)


def _step(site: Site, use: definite.Uses) -> Step:
    stem = site.opcode.stem
    guard = site.instruction.guard
    guarded = guard is not None and not is_gated(site.opcode)
    build = semantics.STEPS.get(stem)
    step = build(site) if build else alu.bind(site)
    for watcher in site.machine.watchers:
        step = watcher.step(site, step)
    watching = (*use.before, *definite.checked(site, use), step, *definite.marked(site, use))
    if len(watching) > 1:
        step = _in_turn(watching)
    if not guarded:
        return step
    assert guard is not None
    return _guarded(step, _guard(site, guard), site.machine.batch.role)


def _in_turn(steps: tuple[Step, ...]) -> Step:
    def run(lanes: Lanes) -> None:
        for step in steps:
            step(lanes)

    return run


def _guard(site: Site, guard: Guard) -> tuple[Array, bool]:
    return site.row(guard.register).array, guard.negated


def _guarded(step: Step, guard: tuple[Array, bool], role: int) -> Step:
    row, negated = guard

    def run(lanes: Lanes) -> None:
        chosen, _ = split(lanes, row, negated, role, rest=False)
        if chosen is not None:
            step(chosen)

    return run


def split(lanes: Lanes, row: Array, negated: bool, role: int, rest: bool = True) -> tuple[Lanes | None, Lanes | None]:
    """The lanes where a predicate holds, and (with `rest`) those where it does not."""
    holds = row[lanes.lo : lanes.hi]
    true = np.count_nonzero(holds) if lanes.mask is None else np.count_nonzero(holds & lanes.mask)
    if true in (0, lanes.count):
        return (lanes, None) if (true == 0) == negated else (None, lanes)
    if negated:
        holds = ~holds
    taken = holds if lanes.mask is None else holds & lanes.mask
    other = None
    if rest:
        other = Lanes.where(~holds if lanes.mask is None else lanes.mask & ~holds, lanes.lo, role)
    return Lanes.where(taken.copy() if taken is holds and not negated else taken, lanes.lo, role), other


def branch(activation: Activation, guard: tuple[Array, bool], taken: Block, other: Block) -> semantics.End:
    """The end that sends the lanes with a true guard to `taken` and the rest to `other`."""
    row, negated = guard
    machine = activation.machine
    role = machine.batch.role

    def run(lanes: Lanes) -> tuple[Block, Lanes] | None:
        yes, no = split(lanes, row, negated, role)
        if no is None:
            assert yes is not None
            return taken, yes
        if yes is None:
            return other, no
        return machine.diverge(((taken, yes), (other, no)))

    return run


def _gate(site: Site) -> Gate:
    """The gate of a collective: its membermask, or the whole warp."""
    specs = site.variant().compiled.operands
    for spec, operand in zip(specs, site.operands, strict=False):
        if spec.name == "membermask":
            return Gate(site, site.value(operand, "b32"))
    return Gate(site, None)


def label_block(site: Site, operand: Any) -> Block:
    """The block of a branch target."""
    found = site.activation.target(site.names, operand.name) if isinstance(operand, Symbol) else None
    if found is None:
        site.malformed(f"'{operand}' is not a label of the function")
    return found
