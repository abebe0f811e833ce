"""`bra`, `brx.idx`, `call`, `ret`, `exit`, `trap`, `brkpt`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from weft.ptx.ast import Function, Parameter
from weft.ptx.directive_nodes import TargetList
from weft.ptx.operands import Arguments, Integer, Operand, Register, Symbol
from weft.sim.bind import branch, counted, label_block
from weft.sim.block import Ways
from weft.sim.lanes import Array, Lanes
from weft.sim.memory import PerLane
from weft.sim.runtime import BUILTINS, Builtin, in_order
from weft.sim.semantics import End, end
from weft.sim.site import Site, typed

if TYPE_CHECKING:
    from weft.sim.block import Block
    from weft.sim.program import Activation

Next = "tuple[Block, Lanes] | None"


@end("bra")
def bra(site: Site) -> End:
    """Continue at a label."""
    target = label_block(site, site.operands[0])
    guard = site.instruction.guard
    if guard is None:
        site.here.ways = Ways(target)
        return lambda lanes: (target, lanes)
    row = site.row(guard.register)
    go = branch(site.activation, (row.array, guard.negated), target, site.after)
    passed = _passed(site)
    if not passed:
        site.here.ways = Ways(target, site.after, row, guard.negated)
        return go
    return counted(go, passed, (row.array, guard.negated), site.machine.batch.role)


def _passed(site: Site) -> list[Array]:
    """What counts the lanes that go past barriers by a branch."""
    label = site.operands[0]
    index = site.names.label(label.name) if site.machine.strict and isinstance(label, Symbol) else None
    return [] if index is None else site.machine.exits.passed(site, index)


@end("brx.idx")
def brx_idx(site: Site) -> End:
    """Continue at one of a list of labels."""
    index, listed = site.operands
    found = site.names.list_of(str(listed))
    if not isinstance(found, TargetList):
        site.malformed(f"'{listed}' is not a .branchtargets label")
    targets = [label_block(site, Symbol(label)) for label in found.names]
    read = site.read(index, "u32")

    def run(lanes: Lanes) -> tuple[Block, Lanes] | None:
        values = read(lanes)
        if int(values.max()) >= len(targets):
            which = int(values.argmax())
            raise site.fault("call", f"index {values[which]} of {len(targets)} targets", int(lanes.index[which]))
        return _spread(site, lanes, values, targets.__getitem__)

    return run


def _spread(site: Site, lanes: Lanes, values: Array, target: Callable[[int], Block]) -> tuple[Block, Lanes] | None:
    """Send the lanes to `target(value)`, by the value each has."""
    first = int(values[0])
    if (values == first).all():
        return target(first), lanes
    for value, part in lanes.groups(values, site.machine.batch.role):
        site.machine.enqueue(target(value), part)
    return None


@end("exit")
def exit_(site: Site) -> End:
    """End the thread."""

    def run(lanes: Lanes) -> None:
        site.machine.exits.note(site, lanes)
        site.machine.exit(lanes)

    return run


@end("ret")
def ret(site: Site) -> End:
    """Return to the caller; in a kernel end the thread."""
    activation = site.activation
    if activation.function.kernel:
        return exit_(site)

    def run(lanes: Lanes) -> tuple[Block, Lanes] | None:
        calls = activation.return_to[lanes.select]
        first = int(calls[0])
        if (calls == first).all():
            return activation.machine.calls[first].come_back(lanes)
        for number, part in lanes.groups(calls, activation.machine.batch.role):
            activation.machine.enqueue(*activation.machine.calls[number].come_back(part))
        return None

    return run


@end("trap", "brkpt")
def trap(site: Site) -> End:
    """Abort the kernel."""

    def run(lanes: Lanes) -> None:
        raise site.fault("trap", "the kernel stopped itself", int(lanes.index[0]))

    return run


# -- calls ----------------------------------------------------------------------------------------------------


class Call:
    """A call of one function from one place: copies arguments there and results back."""

    def __init__(
        self, site: Site, function: Function, results: tuple[Operand, ...], arguments: tuple[Operand, ...]
    ) -> None:
        self.site = site
        self.function = function
        self.results = results
        self.arguments = arguments
        self.number = len(site.machine.calls)
        site.machine.calls.append(self)
        if len(results) != len(function.returns) or len(arguments) != len(function.parameters):
            site.malformed(f"the call does not match the declaration of '{function.name}'")

    def enter(self, lanes: Lanes) -> tuple[Block, Lanes]:
        """Pass the arguments; where the callee starts."""
        caller = self.site.activation
        depth = caller.depth + 1
        if depth >= caller.machine.max_depth:
            raise self.site.fault("stack", f"calls nest more than {depth} levels deep", int(lanes.index[0]))
        callee = caller.machine.activation(self.function, depth)
        for operand, parameter in zip(self.arguments, self.function.parameters, strict=True):
            self._pass(operand, parameter, callee, lanes, back=False)
        callee.return_to[lanes.select] = self.number
        callee.begin(lanes.select)
        return callee.entry, lanes

    def come_back(self, lanes: Lanes) -> tuple[Block, Lanes]:
        """Hand the results to the caller; where it goes on."""
        caller = self.site.activation
        callee = caller.machine.activation(self.function, caller.depth + 1)
        stack = caller.machine.memory.stack
        if stack is not None:
            stack.pointer[lanes.select] = callee.stack_before[lanes.select]
        for operand, parameter in zip(self.results, self.function.returns, strict=True):
            self._pass(operand, parameter, callee, lanes, back=True)
        return self.site.after, lanes

    def _pass(self, operand: Operand, parameter: Parameter, callee: Activation, lanes: Lanes, *, back: bool) -> None:
        site, select = self.site, lanes.select
        theirs = callee.names.place(parameter.name)
        if theirs is None:
            row = callee.names.row(parameter.name, callee.machine.batch.lanes)
            assert row is not None
            if back:
                site.row(operand).array[select] = row.array[select]
            else:
                value = site.value(operand, parameter.type)
                typed(row, parameter.type)[select] = value if np.ndim(value) == 0 else value[select]
            return
        local = site.machine.memory.local
        inside = _window(local.bytes, local, theirs.address, theirs.size)
        ours = site.names.place(operand.name) if isinstance(operand, Symbol) else None
        if ours is not None:
            size = min(ours.size, theirs.size)
            to, from_ = (ours.address, theirs.address) if back else (theirs.address, ours.address)
            _window(local.bytes, local, to, size)[select] = _window(local.bytes, local, from_, size)[select]
            if site.machine.deferred and local.shadow is not None:
                local.clean.fill(False)
                _window(local.shadow, local, to, size)[select] = _window(local.shadow, local, from_, size)[select]
        elif back:
            target = site.destination(operand, parameter.type)
            if target is not None:
                target[select] = np.ascontiguousarray(inside[select]).view(target.dtype)[:, 0]
        else:
            values = np.broadcast_to(site.value(operand, parameter.type), (site.machine.batch.lanes,))[select]
            inside[select] = np.ascontiguousarray(values).view(np.uint8).reshape(len(values), -1)


def _window(whole: Array, local: PerLane, start: int, size: int) -> Array:
    """A part of every lane's local memory or of its shadow, as lanes by bytes."""
    return whole[: local.stride * local.parts].reshape(local.parts, local.stride)[:, start : start + size]


@end("call")
def call(site: Site) -> End:
    """Call a function by name, or by an address in a register."""
    operands = list(site.operands)
    results: tuple[Operand, ...] = ()
    arguments: tuple[Operand, ...] = ()
    if isinstance(operands[0], Arguments):
        results = operands[0].elements
        del operands[0]
    callee = operands.pop(0)
    if operands and isinstance(operands[0], Arguments):
        arguments = operands[0].elements
    program = site.machine.program
    if isinstance(callee, Register):
        return _indirect(site, callee, results, arguments)
    name = callee.name if isinstance(callee, Symbol) else ""
    function = program.functions.get(name)
    if function is None:
        builtin = BUILTINS.get(name)
        if builtin is None:
            site.unsupported(f"'{callee}' has no body in the module")
        return _runtime(site, builtin, results, arguments)
    direct = Call(site, function, results, arguments)
    return direct.enter


def _runtime(site: Site, builtin: Builtin, results: tuple[Operand, ...], arguments: tuple[Operand, ...]) -> End:
    """A call of a function of the device runtime, by one lane after the other."""
    local = site.machine.memory.local

    def window(operand: Operand) -> Array:
        place = site.names.place(operand.name) if isinstance(operand, Symbol) else None
        if place is None:
            site.malformed(f"'{operand}' is not a parameter")
        return _window(local.bytes, local, place.address, place.size)

    def number(operand: Operand) -> Callable[[int], int]:
        """What an argument is in a lane: a register, an immediate, or the bytes of a parameter."""
        if isinstance(operand, Integer):
            return lambda lane: operand.value
        if isinstance(operand, Register):
            array = site.value(operand, f"u{site.row(operand).bits}")
            return lambda lane: int(array[lane])
        window(operand)
        return lambda lane: int.from_bytes(window(operand)[lane].tobytes(), "little")

    for operand in results:
        window(operand)
    sources = [number(operand) for operand in arguments]

    def run(lanes: Lanes) -> tuple[Block, Lanes]:
        site.machine.change()
        index = lanes.index
        for lane in index[in_order(site, lanes)].tolist():
            result = builtin(site, lane, [source(lane) for source in sources])
            for operand in results:
                into = window(operand)
                into[lane] = np.frombuffer(result.to_bytes(into.shape[1], "little"), np.uint8)
        return site.after, lanes

    return run


def _indirect(site: Site, callee: Register, results: tuple[Operand, ...], arguments: tuple[Operand, ...]) -> End:
    read = site.read(callee, "b64")
    known: dict[int, Call] = {}

    def target(address: int, lanes: Lanes) -> Call:
        found = known.get(address)
        if found is None:
            function = site.machine.program.function_at(address)
            if function is None:
                raise site.fault("call", f"{address:#x} is not the address of a function", int(lanes.index[0]))
            found = known[address] = Call(site, function, results, arguments)
        return found

    def run(lanes: Lanes) -> tuple[Block, Lanes] | None:
        addresses = read(lanes)
        first = int(addresses[0])
        if (addresses == first).all():
            return target(first, lanes).enter(lanes)
        for address, part in lanes.groups(addresses, site.machine.batch.role):
            site.machine.enqueue(*target(address, part).enter(part))
        return None

    return run
