"""One instruction in one activation, with its operands bound to register rows and state spaces."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from weft.errors import Position, Severity, position_at
from weft.isa.form import Slots
from weft.isa.opcode import Opcode, Variant
from weft.isa.registers import ELEMENTS, SPECIAL_REGISTERS
from weft.isa.types import TYPES
from weft.ptx.ast import Instruction
from weft.ptx.constants import evaluate
from weft.ptx.operands import (
    Address,
    Expression,
    Float,
    Integer,
    Negated,
    Operand,
    Pair,
    Register,
    Sink,
    Symbol,
    Vector,
)
from weft.sim.arena import Arena
from weft.sim.batch import RESERVED_SHARED
from weft.sim.constants import float_word
from weft.sim.faults import KernelFault, SimulationError, UnsupportedInstruction
from weft.sim.lanes import Array, Lanes
from weft.sim.memory import CTA_SHIFT, LOCAL_WINDOW, RANKED, Part
from weft.sim.plan import Plan, plan_of
from weft.sim.registers import Names, Row
from weft.sim.space import Space
from weft.sim.types import BOOL, DTYPES, register_dtype
from weft.sim.used import is_used

if TYPE_CHECKING:
    from weft.sim.block import Block
    from weft.sim.definite import Uses
    from weft.sim.machine import Machine
    from weft.sim.program import Activation
    from weft.sim.spots import Spots
    from weft.sim.tensor_core import Sum

Step = Callable[[Lanes], None]
"""Executes one instruction for a set of lanes."""

Value = Any
"""A typed array with one element per lane of the batch, or a NumPy scalar that all lanes share."""

Pointer = Callable[[Lanes, int, bool], Iterable[Part]]
"""Gives the byte indices of an access: lanes, size in bytes, whether it writes."""


def _may_defer(instruction: Instruction) -> bool:
    """Whether an instruction gives what is in memory and decides nothing by it: a load, or an exchange."""
    stem = instruction.opcode.stem
    return stem in ("ld", "tcgen05.ld") or (stem == "atom" and instruction.opcode.slots["op"] == "exch")


class Site:
    """An instruction where it is: gives its semantics the operands as arrays, and faults with a position.

    `activation` is the bound function it belongs to, `here` its block, and `after` the block that follows; `uses` are
    the registers of its operands once they have been collected; `stamp` is what the stamps of its accesses share;
    `spared` counts how often what it waits for was made to seem not to have happened yet.  `deferred` says that it may
    load what nothing has written, where only use is a fault: `unwritten` are the lanes that have, and the bytes that
    are written, `masks` those of what it computes, or which of a tile's registers, by lanes, are written in tensor
    memory.  `spots` are where in shared memory it has been.
    """

    def __init__(self, machine: Machine, instruction: Instruction, names: Names) -> None:
        self.machine = machine
        self.instruction = instruction
        self.names = names
        self.operands = instruction.operands
        self._plan: Plan | None = None
        self.uses: Uses | None = None
        self.stamp = -1
        self.spared = 0
        self.deferred = machine.deferred and _may_defer(instruction)
        self.unwritten: list[tuple[Array, Array]] = []
        self.masks: Array | None = None
        self.spots: Spots | None = None
        self.activation: Activation
        self.here: Block
        self.after: Block

    @cached_property
    def overwrites(self) -> bool:
        """Whether it is an exchange, and nobody looks at what it finds."""
        exchanges = self.opcode.stem == "atom" and self.opcode.slots["op"] == "exch"
        return exchanges and not is_used(self)

    @property
    def opcode(self) -> Opcode:
        """The opcode."""
        return self.instruction.opcode

    # -- what is wrong ----------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The line of the instruction in its source."""
        module = self.machine.module
        if module.source is None or self.instruction.pos == -1:
            return Position(file=module.filename)
        return position_at(module.source, self.instruction.pos, module.filename)

    def fault(self, kind: str, message: str, lane: int | None = None, address: int | None = None) -> KernelFault:
        """The fault of this instruction, in the thread that lane number `lane` stands for."""
        thread = None if lane is None else self.machine.batch.thread(lane)
        fault = KernelFault(kind, message, self.position, instruction=self.opcode.text, thread=thread, address=address)
        fault.place = self.place
        return fault

    @property
    def place(self) -> tuple[str, int] | None:
        """The function, and the number of the instruction there."""
        function = self.activation.function
        numbers = (number for number, one in enumerate(function.instructions()) if one is self.instruction)
        return next(((function.name, number) for number in numbers), None)

    def against(self, fault: KernelFault, other: Site | None) -> None:
        """Note the instruction of the other access of a fault."""
        if other is not None:
            fault.other, fault.other_place = other.position, other.place

    def report(
        self, fault: KernelFault, severity: Severity = Severity.ERROR, *, named: bool = True, held: bool = False
    ) -> None:
        """Report a fault of this instruction after which the run can go on: it is raised, or kept with others.

        One that is no error is always kept.  Addresses are `named`, save those in tensor memory.  One that is `held`
        is raised at the end, unless what comes says more of it.
        """
        fault.severity = severity
        where = self._place_of(fault.address) if named else ""
        if where:
            fault.hint = f"{fault.hint}{'; ' if fault.hint else ''}the address is {where}"
        self.machine.program.name_source(fault)
        if held and self.machine.findings.hold(self, fault):
            self.machine.budget.hurry(self.machine.steps)
        else:
            self.machine.findings.add(self, fault)

    def _place_of(self, address: int | None) -> str:
        """The variable or argument of an address of global memory, or of an offset in shared memory."""
        if address is None:
            return ""
        arena = self.machine.memory.arena
        if address >= arena.base:
            region = next((one for one in arena.regions if one.start <= address < one.end), None)
            return "" if region is None else f"byte {address - region.start} of {region.name}"
        for scope in self.names.outwards():
            for name, place in scope.places.items():
                if place.space == "shared" and 0 <= address - place.address < place.size:
                    return f"{name} + {address - place.address}" if address > place.address else name
        return ""

    def unsupported(self, what: str = "") -> NoReturn:
        """Refuse the instruction before anything runs."""
        detail = f" ({what})" if what else ""
        raise UnsupportedInstruction(f"'{self.opcode.written}' is not simulated{detail}", self.position)

    def constant(self, operand: Operand, what: str) -> int:
        """The number that an operand must be; `what` names it where it is none."""
        if not isinstance(operand, Integer):
            self.malformed(f"{what} is not a constant")
        return operand.value

    def malformed(self, message: str) -> NoReturn:
        """Refuse an instruction that does not fit its form."""
        raise SimulationError(f"'{self.opcode.written}': {message}", self.position, "weft.verify explains why")

    # -- which form -------------------------------------------------------------------------------------------

    def plan(self) -> Plan:
        """The form that the written operands fit, by their number and kinds, with what follows from it."""
        if self._plan is None:
            self._plan = plan_of(self.instruction.opcode, self.operands)
            if self._plan is None:
                self.malformed("no form of the instruction takes these operands")
        return self._plan

    def variant(self) -> Variant:
        """That form."""
        return self.plan().variant

    def slots(self) -> Slots:
        """The slots of that form; a slot that it does not have is empty."""
        return self.plan().slots

    def core(self, atype: str, btype: str, dtype: str) -> Sum | None:
        """How the tensor cores of the module's target sum this instruction's products; None to round sums once."""
        if self.machine.mma == "exact":
            return None
        from weft.sim.tensor_core import core

        return core(self.machine.module.target, self.opcode.stem.split(".")[0], atype, btype, dtype)

    # -- registers --------------------------------------------------------------------------------------------

    def row(self, operand: Operand) -> Row:
        """The row of a register operand."""
        if isinstance(operand, Register):
            row = self.names.row(operand.name, self.machine.batch.lanes)
            if row is not None:
                return row
        self.malformed(f"'{operand}' is not a declared register")

    def vector(self, operand: Operand) -> tuple[Operand, ...]:
        """The elements of a vector operand; a vector register gives its members, a scalar itself."""
        if isinstance(operand, Vector):
            return operand.elements
        if isinstance(operand, Register) and self.names.declared(operand.name) is None:
            members = [Register(f"{operand.name}.{member}") for member in ELEMENTS]
            known = tuple(member for member in members if self.names.declared(member.name))
            if known:
                return known
        return (operand,)

    def value(self, operand: Operand, type_: str) -> Value:
        """A source operand as a typed array of all lanes, or as a scalar for constants.

        Registers wider than the type give their low bits.  Negated predicates are not handled here (`predicate`).
        """
        if isinstance(operand, Register):
            row = self.names.row(operand.name, self.machine.batch.lanes)
            if row is None:
                return self._special(operand, type_)
            return typed(row, type_)
        return self._constant(operand, type_)

    def _special(self, operand: Register, type_: str) -> Value:
        special = SPECIAL_REGISTERS.get(operand.name)
        if special is None:
            self.malformed(f"'{operand}' is not a declared register")
        array = self.machine.batch.special(operand.name)
        if array is None:
            self.unsupported(f"special register {operand}")
        if operand.name.startswith("%reserved_smem"):
            self.machine.batch.reserves = True
            self.machine.memory.shared.grow(self.machine.batch.reserved + RESERVED_SHARED)
        return array if array.dtype == BOOL else self.machine.batch.viewed(operand.name, DTYPES[type_])

    def _constant(self, operand: Operand, type_: str) -> Value:
        dtype = DTYPES.get(type_)
        if dtype is None:
            self.unsupported(f"a constant of type .{type_}")
        if isinstance(operand, Symbol):
            return self._address(operand).astype(dtype)[()]
        number: Float | int | float | None = operand if isinstance(operand, Float) else None
        if isinstance(operand, Integer):
            number = operand.value
        elif isinstance(operand, Expression):
            number = evaluate(operand.text)
        if number is None:
            self.malformed(f"'{operand}' is not a value")
        if dtype == BOOL:
            return np.bool_(bool(number.value if isinstance(number, Float) else number))
        if dtype.kind == "f" or not isinstance(number, int):
            word = float_word(number, 8 * dtype.itemsize)
        else:
            word = number & ((1 << dtype.itemsize * 8) - 1)
        return np.array(word, np.uint64).astype(f"u{dtype.itemsize}").view(dtype)[()]

    def predicate(self, operand: Operand) -> tuple[Value, bool]:
        """A predicate source and whether it is negated."""
        if isinstance(operand, Negated):
            return self.value(operand.operand, "pred"), True
        return self.value(operand, "pred"), False

    def read(self, operand: Operand, type_: str) -> Callable[[Lanes], Array]:
        """What reads a source for the lanes of a set, one element per lane in ascending order."""
        value = self.value(operand, type_)
        if np.ndim(value) == 0:
            return lambda lanes: np.full(lanes.count, value)
        return lambda lanes: value[lanes.select]

    def destination(self, operand: Operand, type_: str) -> Array | None:
        """The row to write, as the dtype to assign in; None for `_`."""
        if isinstance(operand, Sink):
            return None
        row = self.row(operand)
        return row.array.view(register_dtype(type_, row.bits))

    def write(self, operand: Operand, type_: str) -> Callable[[Lanes, Array], None]:
        """What writes a destination: values are one per lane of the set, in ascending order."""
        row = self.destination(operand, type_)
        if row is None:
            return lambda lanes, values: None

        def write(lanes: Lanes, values: Array) -> None:
            row[lanes.select] = values

        return write

    def pair(self, operand: Operand) -> tuple[Operand, Operand]:
        """The halves of `d|p`; the second is a sink when it is not written."""
        return (operand.first, operand.second) if isinstance(operand, Pair) else (operand, Sink())

    # -- memory -----------------------------------------------------------------------------------------------

    def address_of(self, symbol: Symbol) -> int:
        """The address of a variable or function, as `mov` gives it: in its own state space.

        That of a device function's parameter is one in local memory, where the parameter then lies.
        """
        place = self.names.place(symbol.name)
        if place is not None:
            return place.address + symbol.offset
        function = self.machine.program.function_address(symbol.name)
        declared = self.names.declared(symbol.name) if function is None else None
        if declared is not None:  # Sums of integers are written out before (`weft.sim.plain`).
            self.malformed(f"'{symbol}' adds a number to a register of type .{declared[1]}; ptxas drops such code")
        if function is None:
            self.malformed(f"'{symbol.name}' is not declared")
        return function

    def _address(self, symbol: Symbol) -> Array:
        """The address of a variable or function; in a cluster that of a shared variable differs between the CTAs."""
        address = np.array(self.address_of(symbol), np.int64)
        place = self.names.place(symbol.name)
        cluster = self.machine.launch.cluster_ctas
        if place is None or place.space != "shared" or cluster == 1:
            return address
        return address + RANKED + (self.machine.batch.cta % cluster << CTA_SHIFT)

    def pointer(self, operand: Operand, space: str) -> Pointer:
        """The address operand `[a]` in a state space (empty: generic)."""
        pointer = self._pointer(operand, space)
        for watcher in self.machine.watchers:
            pointer = watcher.pointer(self, pointer)
        return pointer

    def _pointer(self, operand: Operand, space: str) -> Pointer:
        if not isinstance(operand, Address):
            self.malformed(f"'{operand}' is not an address")
        base, offset, memory = operand.base, operand.offset, self.machine.memory
        if isinstance(base, Symbol):
            place = self.names.place(base.name)
            if place is None:
                self.malformed(f"'{base.name}' is not declared")
            return self._fixed(place.address + base.offset + offset, memory.space(_home(place.space)))
        if isinstance(base, Register):
            address = self._register_address(base, offset)
        else:
            address = _everywhere(int(self._constant(base, "s64")) + offset)
        if space.startswith("param"):
            return lambda lanes, size, write: memory.generic(self, _parameters(address(lanes)), lanes, size, write)
        if not space:
            return lambda lanes, size, write: memory.generic(self, address(lanes), lanes, size, write)
        home = memory.space(space)
        return lambda lanes, size, write: ((home, home.locate(self, address(lanes), lanes.select, size, write), None),)

    def _register_address(self, base: Register, offset: int) -> Callable[[Lanes], Array]:
        array = self.value(base, f"b{self.row(base).bits}")
        if array.dtype.itemsize == 8:
            array = array.view(np.int64)
            return (lambda lanes: array[lanes.select] + offset) if offset else (lambda lanes: array[lanes.select])
        step = array.dtype.type(offset & ((1 << 8 * array.itemsize) - 1))  # Addresses of 32 bits wrap around.
        return lambda lanes: (array[lanes.select] + step).astype(np.int64)

    def _fixed(self, address: int, space: Space) -> Pointer:
        if isinstance(space, Arena):
            return self._constant_place(address, space)

        def locate(lanes: Lanes, size: int, write: bool) -> Iterable[Part]:
            where = np.full(lanes.count, address, np.int64)
            return ((space, space.locate(self, where, lanes.select, size, write), None),)

        return locate

    def _constant_place(self, address: int, arena: Arena) -> Pointer:
        """The same byte for all lanes: located once."""
        known: dict[tuple[int, int, bool], Array] = {}

        def locate(lanes: Lanes, size: int, write: bool) -> Iterable[Part]:
            key = lanes.count, size, write
            index = known.get(key)
            if index is None:
                place = arena.locate(self, np.array([address], np.int64), lanes.index[:1], size, write)
                index = np.full(lanes.count, place[0])
                if lanes.mask is None:
                    known[key] = index
            return ((arena, index, None),)

        return locate


def _everywhere(address: int) -> Callable[[Lanes], Array]:
    return lambda lanes: np.full(lanes.count, address, np.int64)


def _parameters(address: Array) -> Array:
    """Generic addresses of parameters, which in a device function are local ones."""
    return np.where((address >= 0) & (address < LOCAL_WINDOW), address + LOCAL_WINDOW, address)


def _home(space: str) -> str:
    return "local" if space == "param" else space


def typed(row: Row, type_: str) -> Array:
    """A row as the dtype of a type; the low bits where the register is wider."""
    if row.bits == 128:
        return row.array
    dtype = DTYPES[type_]
    if row.array.dtype == BOOL or dtype.itemsize * 8 >= row.bits:
        return row.array.view(dtype) if dtype.itemsize * 8 == row.bits else row.array
    return row.array.view(dtype)[:: row.bits // (8 * dtype.itemsize)]


def bits_of(type_: str) -> int:
    """The width of a type in bits."""
    return TYPES[type_].bits
