"""A kernel made ready to run: what it can reach, where its variables lie, and its functions bound to registers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

import numpy as np

from weft.errors import Position
from weft.isa.opcode import Opcode
from weft.isa.registers import ELEMENT_NAMES, ELEMENTS, plain_element
from weft.ptx.ast import Block as Scope
from weft.ptx.ast import (
    Function,
    Instruction,
    Label,
    LabelledDirective,
    Module,
    Parameter,
    RegisterDeclaration,
    Statement,
    Variable,
)
from weft.ptx.directive_nodes import Alias, File
from weft.ptx.lines import Location, locations
from weft.ptx.operands import Address, Arguments, Operand, Register, Symbol
from weft.ptx.values import symbols as symbols_in
from weft.sim import bind, image
from weft.sim.block import Block
from weft.sim.faults import KernelFault, SimulationError
from weft.sim.handles import Handles
from weft.sim.lanes import Array
from weft.sim.plain import plain_function, plain_module
from weft.sim.registers import Names, Place, Row
from weft.sim.reuse import Reuse
from weft.sim.runtime import HEAP_USERS, Runtime
from weft.sim.site import Site
from weft.sim.stamps import access_of
from weft.sim.stores import stored_parameters

if TYPE_CHECKING:
    from weft.sim.arena import Arena
    from weft.sim.machine import Machine

Answer = TypeVar("Answer")

FUNCTION_BASE = 0x0F00_0000
FUNCTION_STEP = 0x100
MAX_DEPTH = 96
"""Calls that may be nested."""
SHARED_GAP = 128
"""Bytes between shared variables, which nothing may access: all banks, so that conflicts are as without them."""


def function_address(defined: Mapping[str, Function], name: str) -> int | None:
    """The address that stands for a function of a module, the same in all its kernels; None for one not defined."""
    return next((FUNCTION_BASE + n * FUNCTION_STEP for n, known in enumerate(defined) if known == name), None)


def defined_functions(module: Module) -> dict[str, Function]:
    """The functions of a module that have bodies, by name and by alias."""
    found = {f.name: f for f in module.functions if f.body is not None}
    for item in module.items:
        if isinstance(item, Alias):
            found.setdefault(item.alias, found[item.target])
    return found


def origin_of(known: Mapping[str, Sequence[Location | None]], place: tuple[str, int] | None) -> Position | None:
    """Where the instruction at a place (function and number) comes from, by what `.loc` says."""
    places = known.get(place[0], ()) if place is not None else ()
    found = places[place[1]] if place is not None and place[1] < len(places) else None
    return None if found is None or not found.line else Position(found.line, found.column, found.file)


def symbols(operand: Operand) -> Iterator[str]:
    """The names of variables, functions and labels in an operand."""
    if isinstance(operand, Symbol):
        yield operand.name
    elif isinstance(operand, Address):
        yield from symbols(operand.base)
    elif isinstance(operand, Arguments):
        for element in operand.elements:
            yield from symbols(element)


def _looks(opcode: Opcode) -> bool:
    """Whether an instruction looks at what other threads may change meanwhile."""
    return opcode.stem == "atom" or (access_of(opcode) == "ld" and opcode.get("sem") not in ("", "weak"))


def _instructions(program: Program) -> tuple[Instruction, ...]:
    return tuple(one for function in program.functions.values() for one in function.instructions())


def _calls_an_address(call: Instruction) -> bool:
    """Whether a call names a register: the callee comes first, or behind the results."""
    callee = call.operands[1 if isinstance(call.operands[0], Arguments) else 0]
    return isinstance(callee, Register)


class Resident(Protocol):
    """A module that is loaded on a device: its variables and the device's heap outlive launches."""

    @property
    def runtime(self) -> Runtime:
        """The heap, and what kernels print."""
        ...

    def place(self, variable: Variable) -> Place:
        """Where a `.global` or `.const` variable lies; it has its initial value."""
        ...


class Program:
    """A kernel and all that it can reach, with addresses for the module's variables.

    `shared_size` is where the dynamic shared memory starts: after the static one with its gaps, which without them has
    `static_shared` bytes.  `shared_ends` are the starts of gaps, their ends, and the variables before them.  The
    variables of a `resident` module have their places, and are not initialised again.
    """

    def __init__(
        self,
        module: Module,
        kernel: Function,
        arena: Arena,
        handles: Handles | None = None,
        resident: Resident | None = None,
    ) -> None:
        self.module = module
        self.arena = arena
        self.defined = defined_functions(module)
        self.variables = {v.name: v for v in module.variables}
        self.kernel = plain_function(kernel, self.variables)
        self.functions: dict[str, Function] = {}
        self.mentioned: set[str] = set()
        self._reach(self.kernel)
        self.numbers = {name: number for number, name in enumerate(self.functions)}
        self.globals = Names()
        self.shared_size = self.static_shared = 0
        self.shared_ends: list[tuple[int, int, str]] = []
        self.static_places: dict[int, Place] = {}
        self._last_shared = ""
        self._answers: dict[object, object] = {}
        self._origins: Mapping[str, Sequence[Location | None]] | None = None
        self._dynamic: list[tuple[Place, Variable]] = []
        self._initialised: list[tuple[Place, Variable]] = []
        self._resident = resident
        self._place_variables()
        self.runtime = Runtime() if resident is None else resident.runtime
        self.handles = handles or Handles()
        if (HEAP_USERS & self.mentioned) - self.functions.keys():
            self.runtime.reserve(arena)

    def once(self, question: Callable[[Program], Answer]) -> Answer:
        """The answer to a question that the instructions alone decide; it is asked once."""
        if question not in self._answers:
            self._answers[question] = question(self)
        return cast("Answer", self._answers[question])

    @cached_property
    def stored_parameters(self) -> frozenset[str] | None:
        """See `weft.sim.stores.stored_parameters`."""
        return stored_parameters(self)

    @cached_property
    def order_matters(self) -> bool:
        """Whether what the kernel does may depend on the order of threads: it looks at what others change."""
        return any(map(_looks, self.opcodes))

    @cached_property
    def warps_matter(self) -> bool:
        """Whether it may depend on the order of a CTA's warps: it looks at what these may change in shared memory."""
        return any(_looks(one) and not one.get("ss").startswith("global") for one in self.opcodes)

    @cached_property
    def loads(self) -> bool:
        """Whether it may load bytes that nothing has written."""
        return any(one.stem == "ld" and not one.get("ss").startswith(("param", "const")) for one in self.opcodes)

    @cached_property
    def ends_mbarriers(self) -> bool:
        """Whether it may put an end to mbarriers."""
        return any(instruction.opcode.stem == "mbarrier.inval" for instruction in self.instructions())

    @cached_property
    def asks(self) -> bool:
        """Whether it may take the work of clusters that have not started."""
        return any(one.stem == "clusterlaunchcontrol.try_cancel" for one in self.opcodes)

    @cached_property
    def depends(self) -> bool:
        """Whether it may wait for an earlier grid."""
        return any(one.get("action") == "wait" for one in self.opcodes)

    @cached_property
    def launches_dependents(self) -> bool:
        """Whether a later grid may start before it has ended."""
        return any(one.get("action") == "launch_dependents" for one in self.opcodes)

    def instructions(self) -> tuple[Instruction, ...]:
        """The instructions of all functions."""
        return self.once(_instructions)

    @cached_property
    def opcodes(self) -> frozenset[Opcode]:
        """What they are, each once."""
        return frozenset(one.opcode for one in self.instructions())

    def _reach(self, kernel: Function) -> None:
        todo = [kernel.name]
        self.functions[kernel.name] = kernel
        anywhere = False
        while todo:
            for instruction in self.functions[todo.pop()].instructions():
                for operand in instruction.operands:
                    for symbol in symbols(operand):
                        self._mention(symbol, todo)
                if not anywhere and instruction.opcode.stem == "call" and _calls_an_address(instruction):
                    anywhere = True
                    for name in self._addressed():
                        self._mention(name, todo)

    def _addressed(self) -> list[str]:
        """The functions whose address is taken: the host, and other kernels, may have put it anywhere."""
        kept = (used.name for variable in self.module.variables for used in symbols_in(variable.initializer))
        taken = (
            symbol
            for function in self.defined.values()
            for instruction in function.instructions()
            if instruction.opcode.stem == "mov"
            for operand in instruction.operands
            for symbol in symbols(operand)
        )
        return [name for name in dict.fromkeys((*kept, *taken)) if name in self.defined]

    def _mention(self, symbol: str, todo: list[str]) -> None:
        if symbol in self.mentioned:
            return
        self.mentioned.add(symbol)
        if symbol in self.defined and symbol not in self.functions:
            self.functions[symbol] = plain_function(self.defined[symbol], self.variables)
            todo.append(symbol)
        variable = self.variables.get(symbol)
        if variable is not None:
            for used in symbols_in(variable.initializer):
                self._mention(used.name, todo)

    def _place_variables(self) -> None:
        """Give every variable but the `.local` and `.param` ones its address; dynamic shared arrays come last."""
        for variable in self.variables.values():
            if variable.name in self.mentioned:
                self.globals.places[variable.name] = self._place(variable)
        for function in self.functions.values():
            for statement in function.walk():
                if isinstance(statement, Variable) and statement.space not in ("local", "param"):
                    place = self.static_places[id(statement)] = self._place(statement)
                    self._initialised.append((place, statement))
        if self._dynamic:
            self._begin_shared(max(16, *(image.alignment_of(variable) for _, variable in self._dynamic)))
        for place, _ in self._dynamic:
            place.address = self.shared_size

    def _place(self, variable: Variable) -> Place:
        size, align = image.size_of(variable), image.alignment_of(variable)
        if variable.space.startswith("shared"):
            if variable.dims and variable.dims[0] < 0:  # One of known size that is .extern is as good as here.
                place = Place("shared", 0, 0)
                self._dynamic.append((place, variable))
                return place
            self._begin_shared(align)
            place = Place("shared", self.shared_size, size)
            self.shared_size += size
            self.static_shared += size
            self._last_shared = variable.name
            return place
        if variable.space not in ("global", "const"):
            raise SimulationError(f"variable '{variable.name}': .{variable.space} variables are not simulated")
        if self._resident is not None:
            return self._resident.place(variable)
        if variable.linkage == "extern":
            raise SimulationError(f"'{variable.name}' is declared but not defined in the module")
        writable = variable.space == "global"
        address = self.arena.allocate(f"variable {variable.name}", size, max(align, 16), writable)
        return Place("global", address, size)

    def _begin_shared(self, align: int) -> None:
        """Leave a gap after the last shared variable, up to where one of an alignment may start."""
        end = self.shared_size
        if end:
            self.shared_size += SHARED_GAP
            self.static_shared = -(-self.static_shared // align) * align
        self.shared_size = -(-self.shared_size // align) * align
        if end:
            self.shared_ends.append((end, self.shared_size, self._last_shared))

    def name_source(self, fault: KernelFault) -> None:
        """Tell a fault where its instructions come from, where the module says so by `.loc`."""
        if fault.origin or fault.other_origin or not any(isinstance(item, File) for item in self.module.items):
            return
        if self._origins is None:
            self._origins = locations(plain_module(self.module, self.functions))
        origins = [origin_of(self._origins, place) for place in (fault.place, fault.other_place)]
        fault.came_from(origins[0], origins[1])

    def initialise(self) -> None:
        """Write the initial values of the module's variables."""
        if self._resident is not None:
            return
        module_level = [(place, self.variables[name]) for name, place in self.globals.places.items()]
        for place, variable in (*module_level, *self._initialised):
            if place.space == "global" and variable.initializer is not None:
                self.arena.contents(place.address, place.size)[:] = image.initial_bytes(variable, self._address)

    def _address(self, name: str) -> int:
        place = self.globals.place(name)
        address = place.address if place else self.function_address(name)
        if address is None:
            raise SimulationError(f"'{name}' in an initialiser is not defined in the module")
        return address

    def function_address(self, name: str) -> int | None:
        """The address that stands for a function, None when there is none of that name."""
        return function_address(self.defined, name) if name in self.functions else None

    def function_at(self, address: int) -> Function | None:
        """The function that an address stands for."""
        number, rest = divmod(address - FUNCTION_BASE, FUNCTION_STEP)
        names = list(self.defined)
        return self.functions.get(names[number]) if rest == 0 and 0 <= number < len(names) else None


class Activation:
    """A function at one depth of calls: its registers, variables and blocks.

    A lane has at most one activation at a depth, so all lanes share these rows.
    """

    def __init__(self, machine: Machine, function: Function, depth: int) -> None:
        self.machine = machine
        self.function = function
        self.depth = depth
        self.names = Names(machine.program.globals)
        self.carry = Row("CC.CF", "pred", machine.batch.lanes)
        self.return_to: Array = np.zeros(machine.batch.lanes, np.int64)
        self.stack_before: Array = np.zeros(machine.batch.lanes, np.int64)
        self.items: list[tuple[Instruction, Names]] = []
        self._received = {parameter.name for parameter in function.parameters}
        for parameter in (*function.returns, *function.parameters):
            self._parameter(parameter)
        self._flatten(function.body or [], self.names)
        self.sites: list[Site] = []
        self.blocks: dict[int, Block] = {}
        self.inner_blocks: list[Block] = []
        self.watched: list[Row] = []
        self.reuse = Reuse()
        self._rows: list[Row] | None = None
        self._number = machine.program.numbers[function.name]
        bind.bind_blocks(self)

    @property
    def entry(self) -> Block:
        """Where the function starts."""
        return self.blocks[0]

    def block_order(self, index: int) -> int:
        """The order of the block at instruction `index`: deeper calls first, then by place in the text."""
        return (MAX_DEPTH - self.depth) << 48 | self._number << 32 | index

    def every_block(self) -> Iterator[Block]:
        """All blocks, those behind a guard included."""
        yield from self.blocks.values()
        yield from self.inner_blocks

    def rows(self) -> Iterator[Row]:
        """All registers, those of nested scopes included."""
        yield self.carry
        scopes = {id(names): names for names in (self.names, *(names for _, names in self.items))}
        for names in scopes.values():
            yield from names.rows.values()

    def begin(self, select: slice | Array) -> None:
        """Lanes enter the function: its registers hold nothing yet."""
        stack = self.machine.memory.stack
        if stack is not None:
            if self.function.kernel:
                stack.pointer[select] = stack.top
            self.stack_before[select] = stack.pointer[select]
        for row in self.watched:
            if row.defined is not None and row.name not in self._received:
                row.defined[select] = 0
                if self.machine.witness is not None:
                    self._doubt(row, select)

    def _doubt(self, row: Row, select: slice | Array) -> None:
        """A register holds what the witness wants where nothing has written it."""
        assert self.machine.witness is not None
        held = np.empty_like(row.array[..., select])
        self.machine.witness.fill(held)
        row.array[..., select] = held

    def restart(self) -> None:
        """Registers hold nothing again, and no block has run."""
        if self._rows is None:
            self._rows = list(self.rows())
        for row in self._rows:
            row.fill()
        for block in self.every_block():
            block.lanes_run = 0

    def target(self, names: Names, label: str) -> Block | None:
        """The block that a label names."""
        index = names.label(label)
        return None if index is None else self.blocks[index]

    def _parameter(self, parameter: Parameter) -> None:
        size = image.size_of(parameter)
        if parameter.space == "reg":
            self.names.types[parameter.name] = parameter.type
        elif self.function.kernel:
            self.names.places[parameter.name] = self.machine.parameters[parameter.name]
        else:
            self.names.places[parameter.name] = self._local(
                "param", parameter.name, size, image.alignment_of(parameter)
            )

    def _local(self, space: str, name: str, size: int, align: int) -> Place:
        return Place(space, self.machine.reserve_local(size, align, variable=name if space == "local" else ""), size)

    def _flatten(self, body: list[Statement], names: Names) -> None:
        # A stack of its own: programs may nest scopes deeper than Python calls.
        scopes = [(iter(body), names)]
        while scopes:
            rest, names = scopes[-1]
            inner = self._flat_part(rest, names)
            if inner is None:
                scopes.pop()
            else:
                scopes.append((iter(inner.body), Names(names)))

    def _flat_part(self, rest: Iterator[Statement], names: Names) -> Scope | None:
        """Takes statements up to the next inner scope, which it returns; None at the end."""
        for statement in rest:
            if isinstance(statement, Instruction):
                self.items.append((statement, names))
            elif isinstance(statement, Label):
                names.labels[statement.name] = len(self.items)
            elif isinstance(statement, RegisterDeclaration):
                _declare_registers(names, statement)
            elif isinstance(statement, Variable):
                self._variable(names, statement)
            elif isinstance(statement, LabelledDirective):
                names.lists[statement.label] = statement
            elif isinstance(statement, Scope):
                return statement
        return None

    def _variable(self, names: Names, variable: Variable) -> None:
        if variable.space in ("local", "param"):
            names_ = [variable.name] if not variable.count else [f"{variable.name}{i}" for i in range(variable.count)]
            for name in names_:
                size, align = image.size_of(variable), image.alignment_of(variable)
                names.places[name] = self._local(variable.space, name, size, align)
            return
        names.places[variable.name] = self.machine.program.static_places[id(variable)]


def _declare_registers(names: Names, declaration: RegisterDeclaration) -> None:
    elements = ELEMENTS[: int(declaration.vector[1:])] if declaration.vector else ""
    members = [name for name in ELEMENT_NAMES if plain_element(f".{name}")[1:] in elements]
    for name, count in declaration.names:
        each = [f"{name}{i}" for i in range(count)] if members and count else [name]
        if members:
            for one in each:
                names.types.update({f"{one}.{member}": declaration.type for member in members})
        elif count:
            names.ranges[name] = (declaration.type, count)
        else:
            names.types[name] = declaration.type
