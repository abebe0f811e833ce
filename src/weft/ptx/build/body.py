"""A function's body, built statement by statement."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from weft.errors import Severity, WeftError, nearest
from weft.isa.opcode import Opcode, opcode
from weft.isa.types import TYPES, size_of
from weft.ptx.ast import Block, Function, Guard, Instruction, Label, RegisterDeclaration, Statement, Variable
from weft.ptx.build import operands as given_operands
from weft.ptx.build.errors import at_caller, finding, mistake
from weft.ptx.build.families import Results, Statements
from weft.ptx.build.operands import Given, operand, types_of
from weft.ptx.operands import Address, Arguments, Operand, Register, Symbol, Vector
from weft.ptx.signature import choose
from weft.ptx.verifier.body import check_instructions
from weft.ptx.verifier.context import Context, Name, Scope
from weft.ptx.verifier.scopes import declare_parameters, declare_variable

if TYPE_CHECKING:
    from weft.ptx.build.module import ModuleBuilder

_PREFIXES = {"pred": "%p", "b16": "%rs", "b32": "%r", "f32": "%f", "b64": "%rd", "f64": "%fd", "b128": "%rq"}
_LEAVING = frozenset({"branch", "return", "exit", "trap"})


def declaration_type(type_: str) -> str:
    """The type that a register for values of a type is declared with: `b32` for `u32`, `b16` for `f16` and `u8`."""
    found = TYPES.get(type_)
    if found is None:
        raise mistake(f"unknown type '{type_}'", nearest(type_, sorted(TYPES)))
    if type_ in _PREFIXES:
        return type_
    return f"b{max(16, found.bits)}"


class BodyBuilder(Statements):
    """Builds one function. Every family of instructions is a method: `k.fma(d, a, b, c, rnd="rn", type="f32")`.

    Families with dots have underscores (`k.cp_async`), `and`, `or` and `not` one after them. The operands come first,
    in PTX's order; then the slots by name, flags as True; `guard=p` or `guard=no(p)` guards the instruction.
    `k.new.fma(a, b, c, ...)` makes the destination and returns it. Each statement is checked when it is added.
    """

    def __init__(self, module: ModuleBuilder, function: Function, context: Context, outer: Scope) -> None:
        self.function = function
        self.new = NewRegister(self)
        self._module = module
        self._context = context
        self._body: list[Statement] = []
        self._holders: list[list[Statement]] = [self._body]
        self._scope = Scope(outer)
        self._counts: dict[str, int] = {}
        self._variables: list[Statement] = []
        self._labels: dict[str, Label] = {}
        self._placed: set[str] = set()
        self._guards: list[Guard] = []
        self._checked(lambda: declare_parameters(context, self._scope, function))

    # ---- names ----

    def reg(self, type_: str) -> Register:
        """A new register for values of a type (`"f32"`, `"u32"`, `"pred"`)."""
        kind = declaration_type(type_)
        number = self._counts.get(kind, 0)
        self._counts[kind] = number + 1
        register = Register(f"{_PREFIXES[kind]}{number}")
        self._scope.put(register.name, Name("reg", kind))
        return register

    def regs(self, type_: str, count: int) -> tuple[Register, ...]:
        """So many new registers."""
        return tuple(self.reg(type_) for _ in range(count))

    def vector(self, type_: str, count: int) -> Vector:
        """A vector of so many new registers."""
        return Vector(self.regs(type_, count))

    def param(self, name: str) -> Register:
        """A new register with the value of a parameter."""
        parameters = {parameter.name: parameter for parameter in self.function.parameters}
        found = parameters.get(name)
        if found is None:
            raise mistake(f"'{self.function.name}' has no parameter '{name}'", nearest(name, list(parameters)))
        register = self.reg(found.type)
        self.emit("ld", register, given_operands.at(name), ss="param", type=_moved(found.type))
        return register

    def label(self, name: str = "") -> Label:
        """A new label, which branches may name before `place` says where it is."""
        label = Label(name or self._unused("$L"))
        if not self._scope.declare(label.name, Name("label")):
            raise mistake(f"'{label.name}' is already declared")
        self._labels[label.name] = label
        return label

    def place(self, label: Label) -> None:
        """Put a label here; each stands once."""
        if label.name in self._placed or label.name not in self._labels:
            raise mistake(f"label '{label.name}' is not an unplaced label of this function")
        self._placed.add(label.name)
        self._holders[-1].append(label)

    def shared(self, name: str, type_: str, *dims: int, align: int = 0) -> Variable:
        """A variable in shared memory, of the given extents; `align` is in bytes."""
        return self.variable(Variable("shared", type_, name, align, dims=dims))

    def local(self, name: str, type_: str, *dims: int, align: int = 0) -> Variable:
        """A variable in the thread's own memory."""
        return self.variable(Variable("local", type_, name, align, dims=dims))

    def variable(self, variable: Variable) -> Variable:
        """Declare a variable at the start of the function."""
        self._checked(lambda: declare_variable(self._context, self._scope, variable))
        self._variables.append(variable)
        return variable

    @staticmethod
    def at(base: Given, offset: int = 0, *rest: Given) -> Address:
        """The address `[base+offset, rest...]`; the offset is in bytes."""
        return given_operands.at(base, offset, *rest)

    def _unused(self, start: str) -> str:
        number = 0
        while self._scope.find(f"{start}_{number}") is not None:
            number += 1
        return f"{start}_{number}"

    # ---- instructions ----

    def emit(
        self, family: str, /, *operands: Given, guard: Register | Guard | None = None, **slots: str | bool
    ) -> Instruction:
        """Add an instruction of a family (`"cp.async"`); raises BuildError when it is not legal here."""
        return self._add(self._opcode(family, slots), operands, guard)

    def _opcode(self, family: str, slots: dict[str, str | bool]) -> Opcode:
        try:
            return opcode(family, **slots)
        except WeftError as error:
            raise at_caller(error) from None

    def _add(self, code: Opcode, given: tuple[Given, ...], guard: Register | Guard | None) -> Instruction:
        types = types_of(code, len(given)) or [""] * len(given)
        try:
            operands = tuple(operand(value, type_) for value, type_ in zip(given, types, strict=True))
        except TypeError as error:
            raise mistake(f"'{code.text}': {error}") from None
        if isinstance(guard, Register):
            guard = Guard(guard)
        if guard is None and self._guards:
            guard = self._guards[-1]
        instruction = Instruction(code, operands, guard)
        self._checked(lambda: check_instructions(self._context, self._scope, [instruction]))
        self._holders[-1].append(instruction)
        return instruction

    def append(self, statement: Statement) -> None:
        """Add a statement as it is: a `Pragma`, a `Loc`, an instruction that was made elsewhere."""
        if isinstance(statement, Instruction):
            self._checked(lambda: check_instructions(self._context, self._scope, [statement]))
        elif isinstance(statement, Label | Block | RegisterDeclaration | Variable):
            raise mistake(
                f"{statement!r} cannot be appended", "use the builder's method: label, place, reg or variable"
            )
        self._holders[-1].append(statement)

    def _checked(self, check: Callable[[], object]) -> None:
        located = self._context.located
        located.clear()
        check()
        errors = [found for _, found in located if found.severity is Severity.ERROR]
        if errors:
            raise finding(errors[0])

    # ---- control ----

    @contextmanager
    def when(self, guard: Register | Guard) -> Generator[None]:
        """Guard every instruction inside that has no guard of its own: `with k.when(p): ...`."""
        self._guards.append(Guard(guard) if isinstance(guard, Register) else guard)
        try:
            yield
        finally:
            self._guards.pop()

    @contextmanager
    def if_(self, guard: Register | Guard) -> Generator[None]:
        """Branch over what is inside unless the guard holds."""
        guard = Guard(guard) if isinstance(guard, Register) else guard
        end = self.label()
        self.bra(end, guard=Guard(guard.register, not guard.negated))
        yield
        self.place(end)

    @contextmanager
    def loop(self) -> Generator[Label]:
        """Repeat what is inside; `k.bra(out, guard=p)` leaves, where `out` is the label that it gives."""
        top, out = self.label(), self.label()
        self.place(top)
        yield out
        self.bra(top)
        self.place(out)

    def call(self, callee: Function, *arguments: Given) -> tuple[Register, ...]:
        """Call a function as the ABI has it, through `.param` variables; returns a new register for each result."""
        if len(arguments) != len(callee.parameters):
            raise mistake(f"'{callee.name}' takes {len(callee.parameters)} arguments, got {len(arguments)}")
        block = Block([])
        self._holders[-1].append(block)
        outer, self._scope = self._scope, Scope(self._scope)
        results = tuple(Register("") for _ in callee.returns)
        try:
            self._holders.append(block.body)
            passed = [self._argument(Variable("param", p.type, f"param{i}", p.align, p.vector, p.dims))
                      for i, p in enumerate(callee.parameters)]  # fmt: skip
            returned = [self._argument(Variable("param", p.type, f"retval{i}", p.align, p.vector, p.dims))
                        for i, p in enumerate(callee.returns)]  # fmt: skip
            for variable, value in zip(passed, arguments, strict=True):
                self.emit("st", given_operands.at(variable), value, ss="param", type=_moved(variable.type))
            lists: list[Operand] = [Symbol(callee.name), Arguments(tuple(Symbol(v.name) for v in passed))]
            if returned:
                lists.insert(0, Arguments(tuple(Symbol(v.name) for v in returned)))
            self.emit("call", *lists, uni=True)
            inner, self._scope = self._scope, outer
            results = self._results(returned)
            self._scope = inner
            for register, variable in zip(results, returned, strict=True):
                self.emit("ld", register, given_operands.at(variable), ss="param", type=_moved(variable.type))
        finally:
            self._scope = outer
            self._holders.pop()
        return results

    def _results(self, returned: list[Variable]) -> tuple[Register, ...]:
        return tuple(self.reg(variable.type) for variable in returned)

    def _argument(self, variable: Variable) -> Variable:
        self._checked(lambda: declare_variable(self._context, self._scope, variable))
        self._holders[-1].append(variable)
        return variable

    # ---- the end ----

    def finish(self) -> Function:
        """The function, with its declarations and a `ret` at its end where control would fall off it."""
        missing = self._labels.keys() - self._placed
        if missing:
            raise mistake(f"label '{sorted(missing)[0]}' is never placed", "place it with place(label)")
        last = self._body[-1] if self._body else None
        leaves = isinstance(last, Instruction) and last.guard is None and last.opcode.effects.control in _LEAVING
        if not leaves:
            self.emit("ret")
        declarations: list[Statement] = [
            RegisterDeclaration(kind, ((prefix, self._counts[kind]),))
            for kind, prefix in _PREFIXES.items()
            if kind in self._counts
        ]
        self.function.body = [*self._variables, *declarations, *self._body]
        return self.function


_LOADED = ("u32", "s32", "f32", "u64", "s64", "f64")


def _moved(type_: str) -> str:
    """The type to load and store a parameter with: bits for what `ld` does not have."""
    return type_ if type_ in _LOADED else f"b{8 * size_of(type_)}"


class NewRegister(Results):
    """`k.new.fma(a, b, c, ...)`: the instruction with a new register as its destination, which is returned."""

    def __init__(self, body: BodyBuilder) -> None:
        self._builder = body

    def emit(
        self, family: str, /, *operands: Given, guard: Register | Guard | None = None, **slots: str | bool
    ) -> Register:
        """An instruction of a family by its name, as `BodyBuilder.emit`, and its new destination."""
        builder = self._builder
        code = builder._opcode(family, slots)  # pyright: ignore[reportPrivateUsage]
        register = builder.reg(self._type(code, len(operands) + 1))
        builder._add(code, (register, *operands), guard)  # pyright: ignore[reportPrivateUsage]
        return register

    @staticmethod
    def _type(code: Opcode, count: int) -> str:
        for variant in code.variants:
            specs = choose(variant.compiled.operands, variant.slots, count)
            if specs is None or "w" not in (specs[0].arg.access or "") or specs[0].kind == "address":
                continue
            if specs[0].kind == "vector" or specs[0].count(variant.slots) > 1:
                raise mistake(
                    f"the destination of '{code.text}' must be a vector",
                    "create it with vector(type, count) and pass it",
                )
            return specs[0].type(variant.slots)
        syntax = code.variants[0].compiled.form.syntax if code.variants else code.text
        raise mistake(f"no form of '{code.text}' takes a destination and {count - 1} operands", f"syntax: {syntax}")
