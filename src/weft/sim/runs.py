"""The runs that a launch consists of: the one that counts, and others that find what it may have missed.

Before it the kernel runs with other schedules, if that is asked for.  Where it ends at a load of unwritten bytes, it is
made again in a way that forgives those that nothing uses.  After it CTAs, or warps, run one after the other.  A `Scene`
gives the kernel ready to run as often as it takes; each of these runs starts from what memory held before the launch.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

from weft.sim.budget import MORE, Budget, Overdue
from weft.sim.counters import Counting
from weft.sim.doubts import RUNS, Doubts, may_be_idle
from weft.sim.engines import patience, spend, suspect
from weft.sim.faults import KernelFault, Unlike
from weft.sim.findings import chosen, concerns, merged_findings
from weft.sim.lanes import Array
from weft.sim.machine import Machine
from weft.sim.prepare import Options
from weft.sim.program import Program
from weft.sim.result import Result, result_of
from weft.sim.schedules import Schedule, Turns
from weft.sim.trace import Trace, Tracing
from weft.sim.watch import Watcher
from weft.sim.witness import FILLS, STEPS, Witness

FEW = (0, 1, 2, 3, 5, 8)
"""Numbers of changes of a random schedule that are tried to find a fault again."""
SMALL = 3000
"""Steps of a run that is short enough to be followed by others, in which CTAs come one after the other."""
MOST_BYTES = 64 << 20
"""Bytes of memory that are kept for runs after the first at most."""
MOST_LASTING = 256 << 20
"""The same where it is kept so that a use of what nothing has written can be looked into: for arrays of libraries."""
_ENDING = ("cp.", "mbarrier", "call")
"""Instructions that may end compiled runs of kernels in which nothing is wrong, as updates of local memory do."""
_UNWRITTEN = ("uninitialised-memory", "uninitialised-register")

Undo = Callable[[], None]
"""Gives memory back what it held when this was made."""


class Ready(Protocol):
    """A kernel bound to registers and memory, which holds what the launch finds there."""

    machine: Machine

    @property
    def storable(self) -> int:
        """The bytes of memory that the kernel may store to."""
        ...

    def save(self) -> Undo:
        """Keep what they hold now."""
        ...

    def execute(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Run all CTAs.  Raises KernelFault."""
        ...

    def left(self) -> list[Array]:
        """What it has left in memory."""
        ...

    def left_alike(self, others: Sequence[list[Array]], fault: KernelFault) -> bool:
        """Whether it has left in memory what other runs did, save where only kernels look: they get the `fault`."""
        ...

    def finish(self) -> None:
        """The run that counts has ended, well or not: the arguments get what it left in memory."""
        ...

    def release(self) -> None:
        """All runs have ended well."""
        ...

    def drop(self) -> None:
        """It is not to be used again."""
        ...


class Scene(Protocol):
    """A kernel, its arguments, and the memory of the launch."""

    @property
    def lasting(self) -> bool:
        """Whether memory holds what earlier runs left there; otherwise each starts from the arguments."""
        ...

    def ready(self, options: Options, watchers: Sequence[Watcher] = ()) -> Ready:
        """The kernel made ready.  Raises SimulationError for a launch that does not fit it."""
        ...


def carry_out(
    scene: Scene,
    options: Options,
    *,
    others: bool = True,
    counters: bool = False,
    trace: Trace | None = None,
    progress: Callable[[int, int], None] | None = None,
    explored: Iterable[Sequence[KernelFault]] = (),
) -> Result:
    """The run that counts, and those that follow it; without `others` no turns of CTAs are tried.

    `explored` is what earlier runs have found.  Raises KernelFault unless findings are kept.
    """
    counting, tracing = Counting() if counters else None, Tracing(trace) if trace is not None else None
    watchers = [watcher for watcher in (counting, tracing) if watcher is not None]

    def ended(ready: Ready) -> Result:
        return result_of(ready.machine, counting, tracing)

    def interpret(ready: Ready, options: Options, seconds: float | None) -> Result | None:
        ready.machine.budget.patience = seconds
        others_too = others and not watchers
        done = _interpreted(scene, ready, options, progress, ended, again=not watchers, others=others_too)
        return None if done is None else _told(*done, explored)

    ready = scene.ready(options, watchers)
    machine = ready.machine
    if machine.native is None:
        result = interpret(ready, options, patience(options, watchers, machine.program, machine.launch))
        if result is not None:
            return result
        ready = scene.ready(options, watchers)
    if ready.machine.native is not None:
        good = _compiled(scene, ready, progress)
        if good:
            return _told(ready, ended(ready), explored)
        if ready.machine.strict:
            suspect(ready.machine.program, strict=True)
        options = replace(options, engine="numpy")
        ready = scene.ready(options, watchers)
        if good is None:
            interpret(ready, options, None)
            message = "compiled code accessed memory outside every buffer, and the rerun in NumPy does not"
            raise KernelFault("out-of-bounds", message, hint="use engine='numpy' to see where")
    result = interpret(ready, options, None)
    assert result is not None, "no run without a limit is overdue"
    return result


def _interpreted(
    scene: Scene,
    ready: Ready,
    options: Options,
    progress: Callable[[int, int], None] | None,
    ended: Callable[[Ready], Result],
    *,
    again: bool,
    others: bool,
) -> tuple[Ready, Result] | None:
    """A run of the NumPy tier, and those that follow it; None where it is overdue, and memory is what it was.

    With `again` what it faults at may be looked into, with `others` turns of CTAs are tried.
    """
    try:
        machine, hasty = ready.machine, ready.machine.budget.patience is not None
        turns = others and _turns_matter(ready)
        again = again and options.report != "all" and machine.strict and (scene.lasting or machine.program.loads)
        most = MOST_LASTING if again else MOST_BYTES
        keeps = turns or (scene.lasting and (again or hasty) and ready.storable <= most)
        undo = ready.save() if keeps else None
        if undo is None and scene.lasting:
            machine.budget.patience = None
        start = time.thread_time()
        late = False
        try:
            ready.execute(progress)
            spend(machine.program, time.thread_time() - start, strict=machine.strict)
        except Overdue:
            late = True
            spend(machine.program, time.thread_time() - start, strict=machine.strict)
            if undo is not None:
                undo()
        except KernelFault as fault:
            forgiven = None
            if again and (undo or not scene.lasting) and _may_be_forgiven(machine.program, fault):
                back = ready.save() if scene.lasting else None
                forgiven = _forgiven(scene, options, fault, undo, machine.program)
                if isinstance(forgiven, KernelFault) and back is not None:
                    back()
            if forgiven is None or isinstance(forgiven, KernelFault):
                ready.machine.findings.end(forgiven or fault)
            else:
                ready.drop()
                ready, undo = forgiven
        finally:
            if not late:
                ready.finish()
        if late:
            ready.drop()
            return None
        result = ended(ready)
        # A run that was forgiven has left what the host may not copy, which other runs would write over.
        machine = ready.machine
        if turns and undo is not None and not (machine.witness or machine.doubts) and machine.steps <= SMALL:
            _take_turns(ready, undo)
    except BaseException:
        ready.drop()
        raise
    return ready, result


def _told(ready: Ready, result: Result, explored: Iterable[Sequence[KernelFault]]) -> Result:
    """The result of runs that have ended well, with what was found."""
    ready.release()
    findings = merged_findings([ready.machine.findings.found, *explored])
    return replace(result, findings=findings) if findings else result


def _compiled(scene: Scene, ready: Ready, progress: Callable[[int, int], None] | None) -> bool | None:
    """Run compiled code; False where it faults: then all is as before, and the NumPy tier says what is wrong.

    So it does where there are too many steps, as it counts others.  None where it faults and memory has not been kept.
    """
    undo = ready.save() if scene.lasting and not _is_spared(ready) else None
    try:
        ready.execute(progress)
    except (KernelFault, Unlike) as fault:
        limited = isinstance(fault, KernelFault) and fault.kind == "limit" and ready.machine.budget.late
        if limited:
            ready.finish()
        elif undo is not None:
            undo()
        ready.drop()
        if limited:
            raise
        return None if undo is None and scene.lasting else False
    except BaseException:
        ready.drop()
        raise
    ready.finish()
    return True


def _is_spared(ready: Ready) -> bool:
    """Whether memory is too large to be kept for a run that counts on being right, and that only faults end early."""
    machine = ready.machine
    if machine.strict or machine.budget.limited or ready.storable <= MOST_BYTES:
        return False
    opcodes = machine.program.opcodes
    return not any(
        one.stem.startswith(_ENDING) or (one.stem in ("atom", "red") and not one.get("ss")) for one in opcodes
    )


def _may_be_forgiven(program: Program, fault: KernelFault) -> bool:
    """Whether it may be that what is wrong makes no difference."""
    return fault.kind in _UNWRITTEN or (fault.kind == "race" and may_be_idle(program, fault))


def _forgiven(
    scene: Scene, options: Options, fault: KernelFault, undo: Undo | None, program: Program
) -> tuple[Ready, Undo | None] | KernelFault:
    """The run made again in ways that forgive what makes no difference; what is wrong if it faults all the same."""
    if fault.kind == "race":
        return _unused(scene, options, fault, undo)
    found = _unneeded(scene, options, fault, undo)
    if isinstance(found, KernelFault) and found is not fault and may_be_idle(program, found):
        return _unused(scene, options, found, undo)
    return found


def _unused(
    scene: Scene, options: Options, fault: KernelFault, undo: Undo | None
) -> tuple[Ready, Undo | None] | KernelFault:
    """The run made again, where plain loads may race as long as nothing comes of what they load; or the fault."""
    doubts, steps = Doubts(), min(options.max_steps or STEPS, STEPS)
    doubtful = replace(options, deferred=True, doubts=doubts, max_steps=steps)
    for _ in range(RUNS):
        doubts.begin()
        found = _again(scene, doubtful, undo)
        if isinstance(found, KernelFault):
            return fault
        if not doubts.more:
            return found
        found[0].drop()
        undo = found[1]
    return fault


def _unneeded(
    scene: Scene, options: Options, fault: KernelFault, undo: Undo | None
) -> tuple[Ready, Undo | None] | KernelFault:
    """The run made again, where unwritten bytes may be loaded, or kept in shared memory; what is wrong if it faults.

    If what it faults at needs unwritten bytes, further runs show whether it makes a difference what they hold.
    Its memory is not that of the first run: with `undo` comes what makes it what it was before.
    """
    found = _again(scene, replace(options, deferred=True), undo)
    if not isinstance(found, KernelFault):
        return found
    if found.kind not in _UNWRITTEN:
        if found.kind == "race":
            found.hint += f"; there may be another at line {fault.position.line}: {fault.message}"
            return found
        fault.hint += f"; once this is fixed, there is another at line {found.position.line}: {found.message}"
        return fault
    if found.position.line != fault.position.line:
        fault.hint += f"; the value matters at line {found.position.line}: {found.message}"
    witness, kept = Witness(), list[list[Array]]()
    checks, steps = chosen(options.checks) - {"uninitialised"}, min(options.max_steps or STEPS, STEPS)
    doubtful = replace(options, deferred=True, witness=witness, checks=checks, max_steps=steps)
    spoilt = False
    for kind in FILLS:
        witness.begin(kind)
        found = _again(scene, doubtful, undo)
        if isinstance(found, KernelFault):  # With other bytes there it may come to the store that races.
            if concerns(fault, found):
                return found
            spoilt = True
            continue
        ready, undo = found
        if spoilt or not ready.left_alike(kept, fault):
            ready.drop()
            return fault
        if kind == FILLS[-1]:
            return found
        if not witness.recording:
            kept.append(ready.left())
        ready.drop()
    return fault


def _again(scene: Scene, options: Options, undo: Undo | None) -> tuple[Ready, Undo | None] | KernelFault:
    """A run from what memory was before the launch, and what makes it that again; or the fault that has ended it."""
    if undo is not None:
        undo()
    ready = scene.ready(options)
    try:
        again = None if undo is None else ready.save()
        ready.execute()
    except KernelFault as fault:
        ready.drop()
        return fault
    except BaseException:
        ready.drop()
        raise
    return ready, again


def _turns_matter(ready: Ready) -> bool:
    """Whether other orders of a launch's CTAs are worth a look, and can be afforded."""
    machine = ready.machine
    return (
        machine.clocks is not None
        and machine.schedule is None
        and machine.program.order_matters
        and ready.storable <= MOST_BYTES
    )


def _orders(machine: Machine) -> Iterator[tuple[str, Callable[[], Schedule]]]:
    """The orders of CTAs, and of warps, in which a kernel runs after its first run."""
    units = ("CTAs",) if machine.batch.ctas > 1 else ()
    if machine.launch.warps > 1 and (not units or machine.program.warps_matter):
        units = *units, "warps"
    for unit in units:
        order = partial(Turns, machine, warps=unit == "warps")
        for backwards, first in ((False, "the first one first"), (True, "the last one first")):
            yield f"{unit} run one after the other, {first}", partial(order, backwards=backwards)
        if machine.flags is not None:
            yield f"{unit} take turns at each strong write", partial(order, backwards=True, yields=True)
    yield "all run together", partial(Schedule, machine, 0)


def _take_turns(ready: Ready, undo: Undo) -> None:
    """Run a launch again from what its memory was: CTAs or warps one after the other, from either end, and together.

    In these runs copies come, and flags are seen, as soon as they may.
    """
    machine = ready.machine
    budget, steps = machine.budget, machine.steps
    done = ready.save()
    try:
        for shows, schedule in _orders(machine):
            machine.restart(0)
            undo()
            machine.schedule = schedule()
            machine.prompt = True
            machine.budget = Budget(MORE + 2 * steps)
            try:
                ready.execute()
            except KernelFault as fault:
                if fault.kind != "limit":
                    fault.hint += f"{'; ' if fault.hint else ''}shows when {shows}"
                    machine.findings.end(fault)
    finally:
        machine.schedule, machine.budget, machine.prompt = None, budget, False
        done()


def explore(scene: Scene, options: Options, seeds: Iterable[int]) -> list[list[KernelFault]]:
    """Run a kernel with random schedules, after each of which memory is what it was; what each run has found."""
    found: list[list[KernelFault]] = []
    for seed in seeds:
        random = replace(options, async_="random", seed=seed)
        machine, fault = _attempt(scene, random)
        findings = machine.findings
        if fault is not None:
            fault.seed, fault.changes = seed, _least(scene, random, fault)
            changes = "" if fault.changes is None else f", changes={fault.changes}"
            fault.hint += f"{'; ' if fault.hint else ''}found with a random schedule: seed={seed}{changes}"
            findings.end(fault)
        for each in findings.found:
            each.seed = seed
        found.append(findings.found)
    return found


def _least(scene: Scene, options: Options, fault: KernelFault) -> int | None:
    """With how few changes of its schedule a random run finds a fault again; None when it takes more."""
    for changes in FEW if options.report == "first" else ():
        again = _attempt(scene, replace(options, changes=changes))[1]
        if again is not None and (again.kind, again.position.line) == (fault.kind, fault.position.line):
            return changes
    return None


def _attempt(scene: Scene, options: Options) -> tuple[Machine, KernelFault | None]:
    """A run that leaves memory as it was, and the fault that has ended it."""
    ready = scene.ready(options)
    undo, machine = ready.save(), ready.machine
    try:
        ready.execute()
    except KernelFault as fault:
        ready.drop()
        if options.report == "all" or not machine.strict or not _may_be_forgiven(machine.program, fault):
            return machine, fault
        forgiven = _forgiven(scene, options, fault, undo, machine.program)
        if isinstance(forgiven, KernelFault):
            return machine, forgiven
        forgiven[0].drop()
        return machine, None
    except BaseException:
        ready.drop()
        raise
    finally:
        undo()
    ready.release()
    return machine, None
