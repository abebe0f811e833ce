"""Operands against an operand signature of the ISA table."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from weft.isa.compiled import OperandSpec
from weft.isa.form import Slots
from weft.isa.registers import SPECIAL_REGISTERS
from weft.isa.types import TYPES, compatible, literal_fits
from weft.ptx.constants import evaluate
from weft.ptx.operands import (
    Address,
    Arguments,
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
from weft.ptx.signature import choose
from weft.ptx.verifier.context import Context, Name, Scope

_KINDS = {"label": "label", "func": "function", "directive": "directive's label"}
_HANDLES = ("texture", "surface")
"""What an address may be a handle of: 64 bits, in no state space."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why an operand does not fit: a code of `CODES`, a message, the offending text and a hint."""

    code: str
    message: str
    token: str = ""
    hint: str = ""
    rank: int = 0  # How far the match got: the best variant is the one that fails last.


class Matcher:
    """Checks operands against one variant's signature; `present` collects the optional operands that are written.

    A sink counts as present by its spelling `_`.  `tolerated` collects what the manual forbids and ptxas accepts.
    """

    def __init__(self, context: Context, scope: Scope, slots: Slots) -> None:
        self.context = context
        self.scope = scope
        self.slots = slots
        self.present: set[str] = set()
        self.tolerated: list[Mismatch] = []

    def match(self, specs: tuple[OperandSpec, ...], operands: tuple[Operand, ...]) -> Mismatch | None:
        """The first operand that does not fit, None when all do."""
        chosen = choose(specs, self.slots, len(operands))
        if chosen is None:
            names = ", ".join(spec.name for spec in specs if spec.required(self.slots) is not False)
            found = f"{len(operands)} operand{'s' if len(operands) != 1 else ''} given"
            return Mismatch("operand-count", f"takes other operands, {found}", hint=f"operands: {names}")
        self.present.update(spec.name for spec in chosen if spec.optional)
        for spec in specs:
            written = spec in chosen
            if spec.lenient(self.slots) and ("present" if written else "absent") in spec.lenient(self.slots):
                problem = "does not belong here" if written else "is missing"
                self._tolerate(Mismatch("operand-count", f"operand {spec.name} {problem}"))
        for index, (spec, operand) in enumerate(zip(chosen, operands, strict=True)):
            problem = self.operand(spec, operand)
            if problem is not None:
                return Mismatch(problem.code, problem.message, problem.token, problem.hint, index + 1)
        return None

    def operand(self, spec: OperandSpec, operand: Operand) -> Mismatch | None:
        """Checks one operand."""
        if spec.kind == "address":
            return self._address(spec, operand)
        if spec.kind == "vector":
            return self._vector(spec, operand, spec.count(self.slots), spec.type(self.slots))
        if spec.kind == "tuple":
            return self._tuple(spec, operand)
        if spec.kind == "pair":
            return self._pair(spec, operand)
        if spec.kind == "arguments":
            return None if isinstance(operand, Arguments) else _wrong_kind(spec, operand, "a list in parentheses")
        if isinstance(operand, Negated) and (
            (spec.kind == "predicate" and operand.operator == "!")
            or (spec.kind == "negatable" and operand.operator == "-")
        ):
            operand = operand.operand
        return self._value(spec, operand)

    def _value(self, spec: OperandSpec, operand: Operand) -> Mismatch | None:
        """A scalar, or the vector that the operand's count asks for; one element may stand in braces or not."""
        count = spec.count(self.slots)
        if count > 1:
            return self._vector(spec, operand, count, spec.type(self.slots))
        if count == 1 and isinstance(operand, Vector) and len(operand.elements) == 1:
            operand = operand.elements[0]
        if isinstance(operand, Vector) and "longer" in spec.lenient(self.slots):
            self._tolerate(_wrong_kind(spec, operand, "a scalar"))
            return self._vector(spec, operand, 0, spec.type(self.slots))
        return self._scalar(spec, operand, spec.type(self.slots))

    # -- addresses --------------------------------------------------------------------------------------------

    def _address(self, spec: OperandSpec, operand: Operand) -> Mismatch | None:
        if not isinstance(operand, Address):
            problem = _wrong_kind(spec, operand, "an address in brackets")
            literal = "literal" in spec.lenient(self.slots) and isinstance(operand, Integer)
            return self._tolerate(problem) if literal else problem
        base, space = operand.base, self._space(spec)
        if isinstance(base, Register):
            problem = self._address_register(spec, base)
        elif isinstance(base, Symbol):
            problem = self._address_symbol(spec, base, space)
        elif isinstance(base, Integer):
            immediate = f"an immediate address needs .local, not {'.' + space if space else 'generic'}"
            problem = None if space == "local" else Mismatch("address", immediate, str(base))
        elif isinstance(base, Expression):
            problem = None
        else:
            problem = Mismatch("address", f"'{base}' is no address", str(base))
        if problem is None and operand.unified and not (spec.arg.unified and space in ("", "global")):
            problem = Mismatch("address", "'.unified' goes with loads from global memory only", ".unified")
        if problem is not None:
            return problem
        required = [rest for rest in spec.rest if not rest.optional]
        if not len(required) <= len(operand.rest) <= len(spec.rest):
            return Mismatch("operand-count", f"address {operand} has the wrong number of parts", str(operand))
        if spec.arg.space == "texture" and len(operand.rest) < len(spec.rest) and self.context.independent:
            message = f"address {operand} needs a sampler: the target is texmode_independent"
            return Mismatch("operand-count", message, str(operand))
        for rest, part in zip(spec.rest[len(spec.rest) - len(operand.rest) :], operand.rest, strict=False):
            problem = self.operand(rest, part)
            if problem is not None:
                return problem
        return None

    def _space(self, spec: OperandSpec) -> str:
        space = spec.arg.space or ""
        return "" if space in _HANDLES else self.slots.get(space, space).partition("::")[0]

    def _address_register(self, spec: OperandSpec, base: Register) -> Mismatch | None:
        declared = self.scope.find(base.name)
        if declared is None:
            return _undeclared(base.name)
        return self._address_type(spec, base, declared.type) if declared.kind == "reg" else None

    def _address_type(self, spec: OperandSpec, base: Register, declared: str) -> Mismatch | None:
        """Addresses are 32 or 64 bits wide; ptxas extends narrower ones, and looks at no type of a tensor map's."""
        message, type_ = f"register {base} of type .{declared} cannot be an address", TYPES.get(declared)
        bits = type_.bits if type_ is not None and type_.kind in "bus" else 0
        if bits in (32, 64):
            if spec.arg.space == "tmem" and not _holds_tensor_address(declared, spec):
                return Mismatch("address", f"{message} in tensor memory", str(base), "use .b32")
            if spec.arg.space in _HANDLES and bits != 64:
                return Mismatch("address", f"{message} of a {spec.arg.space}", str(base), "use .b64")
            return None
        problem = Mismatch("address", message, str(base), "use .b64 or .b32")
        narrow = 0 < bits < 32 and spec.arg.space not in ("tmem", *_HANDLES)
        return self._tolerate(problem) if narrow or "type" in spec.lenient(self.slots) else problem

    def _tolerate(self, problem: Mismatch) -> None:
        """Note what ptxas lets pass."""
        self.tolerated.append(problem)

    def _address_symbol(self, spec: OperandSpec, base: Symbol, space: str) -> Mismatch | None:
        declared = self.scope.find(base.name)
        if declared is None:
            return _undeclared(base.name)
        if declared.kind in ("label", "func", "directive"):
            message = f"'{base.name}' is a {_KINDS[declared.kind]}: it has no address to access"
            return Mismatch("address", message, base.name)
        if declared.type in ("texref", "samplerref", "surfref"):
            wrong = spec.arg.space == "surface" and declared.type != "surfref"
            return Mismatch("address", f"'{base.name}' is a .{declared.type}", base.name) if wrong else None
        if declared.kind == "var" and spec.arg.space in _HANDLES:
            message = f"'{base.name}' is no {spec.arg.space}"
            return Mismatch("address", message, base.name, f"a .{declared.type} variable is not a handle")
        space = space or spec.arg.within
        allowed = declared.space == space if space else declared.space not in ("param", "const")
        if declared.kind in ("var", "param") and not allowed:
            wanted = f".{space}" if space else "generic"
            message = f"'{base.name}' is in .{declared.space}, the instruction's address is {wanted}"
            return Mismatch("state-space", message, base.name)
        wanted = self.slots.get(spec.arg.space or "", "")
        if wanted.startswith("param::") and (wanted == "param::entry") != declared.entry:
            whose = "a kernel's" if declared.entry else "not a kernel's"
            return Mismatch("state-space", f"'{base.name}' is {whose} parameter, the address is .{wanted}", base.name)
        if declared.kind == "param" and not declared.writable and "w" in (spec.arg.access or "r"):
            return Mismatch("state-space", f"input parameter '{base.name}' cannot be written", base.name)
        if declared.kind == "param" and declared.writable and "r" in (spec.arg.access or "r"):
            return Mismatch("state-space", f"return value '{base.name}' cannot be read", base.name)
        return None

    # -- vectors and pairs ------------------------------------------------------------------------------------

    def _vector(self, spec: OperandSpec, operand: Operand, count: int, type_: str) -> Mismatch | None:
        if isinstance(operand, Register):
            declared = self.scope.find(operand.name)
            if declared is None:
                if operand.name in SPECIAL_REGISTERS:
                    return self._special(spec, operand, type_, count)
                return _undeclared(operand.name)
            if declared.kind == "reg" and declared.vector:
                if count and declared.vector != count:
                    return _wrong_width(spec, operand, count, declared.vector)
                return self._type(spec, operand, declared.type, type_)
        if isinstance(operand, Sink) and spec.sink(self.slots):
            self.present.add("_")
            return None
        if not isinstance(operand, Vector):
            of = f" of {count}" if count else ""
            message = f"operand {spec.name} must be a vector{of}, found '{operand}'"
            problem = Mismatch("vector-width", message, str(operand))
            if "scalar" not in spec.lenient(self.slots):
                return problem
            self._tolerate(problem)
            return self._scalar(spec, operand, type_)
        if count and len(operand.elements) != count:
            problem = _wrong_width(spec, operand, count, len(operand.elements))
            if "longer" not in spec.lenient(self.slots) or not count < len(operand.elements) in (2, 4):
                return problem
            self._tolerate(problem)
        if all(isinstance(element, Sink) for element in operand.elements):
            return Mismatch("vector-width", f"operand {spec.name} throws every element away", str(operand))
        for element in operand.elements:
            problem = self._scalar(spec, element, type_, element=True)
            if problem is not None:
                if not self._outvoted(spec, operand, element, type_):
                    return problem
                self._tolerate(problem)
        return self._same_width(spec, operand) if spec.arg.loose else None

    def _outvoted(self, spec: OperandSpec, vector: Vector, element: Operand, type_: str) -> bool:
        """Whether an untyped register of the vector decides for all: ptxas then looks at the others' widths only."""
        types = self._register_types(vector)
        untyped = next((name for name in types if TYPES[name].kind == "b"), "")
        if not untyped or not isinstance(element, Register) or self.scope.find(element.name) is None:
            return False
        fits = compatible(untyped, type_, wider=spec.arg.wider, loose=spec.arg.loose)
        return fits and all(_vector_bits(name) == TYPES[untyped].bits for name in types)

    def _register_types(self, vector: Vector) -> list[str]:
        """The types of the registers in a vector."""
        declared = [self.scope.find(e.name) for e in vector.elements if isinstance(e, Register)]
        return [name.type for name in declared if name is not None and name.kind == "reg" and name.type in TYPES]

    def _same_width(self, spec: OperandSpec, operand: Vector) -> Mismatch | None:
        """The registers of a vector may exceed the type, but must be equally wide."""
        if len(set(map(_vector_bits, self._register_types(operand)))) < 2:
            return None
        return Mismatch("operand-type", f"the registers of operand {spec.name} differ in width", str(operand))

    def _tuple(self, spec: OperandSpec, operand: Operand) -> Mismatch | None:
        """A vector whose elements have facts of their own, such as `{byte-id, thread-id}`."""
        names = ", ".join(rest.name for rest in spec.rest)
        problem = _wrong_kind(spec, operand, f"{{{names}}}")
        if not isinstance(operand, Vector) or len(operand.elements) < len(spec.rest):
            return problem
        if len(operand.elements) > len(spec.rest):
            if "longer" not in spec.lenient(self.slots):
                return problem
            self._tolerate(problem)
        for rest, part in zip(spec.rest, operand.elements, strict=False):
            problem = self.operand(rest, part)
            if problem is not None:
                if part is operand.elements[0] or not self._unseen(rest, operand, part):
                    return problem
                self._tolerate(problem)
        return None

    def _unseen(self, spec: OperandSpec, vector: Vector, element: Operand) -> bool:
        """Whether ptxas lets an element's type pass: another one decides, or a literal in front does."""
        if isinstance(vector.elements[0], Integer) and isinstance(element, Register):
            declared = self.scope.find(element.name)
            return declared is not None and declared.kind == "reg" and TYPES[declared.type].kind in "bus"
        return self._outvoted(spec, vector, element, spec.type(self.slots))

    def _pair(self, spec: OperandSpec, operand: Operand) -> Mismatch | None:
        second = spec.second
        assert second is not None
        if isinstance(operand, Pair):
            self.present.add(second.name)
            return self._value(spec, operand.first) or self._scalar(second, operand.second, second.type(self.slots))
        if not spec.second_optional:
            return _wrong_kind(spec, operand, f"{spec.name}|{second.name}")
        return self._value(spec, operand)

    # -- scalars ----------------------------------------------------------------------------------------------

    def _scalar(self, spec: OperandSpec, operand: Operand, type_: str, *, element: bool = False) -> Mismatch | None:
        if isinstance(operand, Register):
            return self._register(spec, operand, type_)
        if isinstance(operand, Integer | Float | Expression):
            return self._literal(spec, operand, type_, element=element)
        if isinstance(operand, Symbol):
            return self._symbol(spec, operand)
        if isinstance(operand, Sink):
            self.present.add("_")
            allowed = spec.sink(self.slots) or (element and "w" in (spec.arg.access or ""))
            return None if allowed else Mismatch("operand-kind", f"operand {spec.name} cannot be '_'", "_")
        if isinstance(operand, Negated) and type_ == "pred" and operand.operator == "!" and spec.arg.access == "r":
            return self._scalar(spec, operand.operand, type_)
        return _wrong_kind(spec, operand, "a register" + (" or an immediate" if spec.arg.imm else ""))

    def _register(self, spec: OperandSpec, operand: Register, type_: str) -> Mismatch | None:
        if spec.arg.label:
            return Mismatch("label", f"operand {spec.name} must be a label, found '{operand}'", str(operand))
        if not spec.arg.reg:
            return _wrong_kind(spec, operand, "an immediate")
        declared = self.scope.find(operand.name)
        if declared is None:
            return self._member_or_special(spec, operand, type_)
        if declared.kind != "reg":
            return _wrong_kind(spec, operand, "a register")
        if declared.vector:
            return Mismatch("vector-width", f"'{operand}' is a vector register", str(operand), f"use {operand}.x")
        return self._type(spec, operand, declared.type, type_)

    def _member_or_special(self, spec: OperandSpec, operand: Register, type_: str) -> Mismatch | None:
        special = SPECIAL_REGISTERS.get(operand.name)
        if special is not None:
            return self._special(spec, operand, type_)
        declared = self.scope.find(operand.base) if operand.member else None
        if declared is None:
            return _undeclared(operand.name)
        if declared.vector and operand.member in tuple("xyzwrgba"):
            return self._type(spec, operand, declared.type, type_)
        return self._selected(spec, operand, declared, type_)

    def _selected(self, spec: OperandSpec, operand: Register, declared: Name, type_: str) -> Mismatch | None:
        """A video selector such as `.b0` or `.h1` on a 32-bit register."""
        if not spec.arg.select:
            return Mismatch("operand-kind", f"'{operand}' selects a component of a scalar register", str(operand))
        if not re.fullmatch(spec.arg.select, operand.member):
            message = f"operand {spec.name} cannot select '.{operand.member}'"
            return Mismatch("operand-kind", message, f".{operand.member}", f"selectors match {spec.arg.select}")
        if declared.kind != "reg":
            return _wrong_kind(spec, operand, "a register")
        return self._type(spec, operand, declared.type, type_)

    def _special(self, spec: OperandSpec, operand: Register, type_: str, count: int = 0) -> Mismatch | None:
        special = SPECIAL_REGISTERS[operand.name]
        if not spec.arg.special:
            return Mismatch(
                "operand-kind", f"special register {operand} cannot stand here", str(operand), "read it with mov first"
            )
        if not special.window.admits(self.context.target, self.context.version):
            return Mismatch("window", f"special register {operand} needs {special.window}", str(operand))
        if len(special.components) != count:
            if not special.components:
                return Mismatch("vector-width", f"{operand} is no vector", str(operand))
            return Mismatch("vector-width", f"{operand} is a vector of 4", str(operand), f"use {operand}.x")
        want = TYPES.get(type_)
        fits = compatible(special.type, type_, wider=spec.arg.wider)
        if not fits and not (want is not None and want.kind in "bus" and want.bits in special.narrow):
            return Mismatch("operand-type", f"{operand} is .{special.type}, not .{type_}", str(operand))
        return None

    def _type(self, spec: OperandSpec, operand: Register, have: str, want: str) -> Mismatch | None:
        if not want or compatible(have, want, wider=spec.arg.wider, loose=spec.arg.loose):
            return None
        if have == "pred" and "predicate" in spec.lenient(self.slots):
            return self._tolerate(Mismatch("operand-type", f"{operand} is a predicate, not .{want}", str(operand)))
        fits = [t for t in ("pred", "b16", "b32", "b64", "b128", "b8") if compatible(t, want)]
        hint = f"a .{fits[0]} register fits" if fits else ""
        return Mismatch(
            "operand-type", f"register {operand} is .{have}, operand {spec.name} needs .{want}", str(operand), hint
        )

    def _literal(
        self, spec: OperandSpec, operand: Integer | Float | Expression, type_: str, *, element: bool
    ) -> Mismatch | None:
        arg = spec.arg
        if not (arg.imm or (element and arg.access == "r" and arg.imm is not False)):
            return Mismatch("operand-kind", f"operand {spec.name} cannot be an immediate", str(operand))
        value = evaluate(operand.text) if isinstance(operand, Expression) else operand.value
        if type_ and not literal_fits(type_, floating=isinstance(value, float), text=operand.text):
            return Mismatch("operand-type", f"literal {operand} does not fit .{type_}", str(operand))
        values = spec.values(self.slots)
        if values is not None and isinstance(operand, Float) and isinstance(values, Collection):
            return Mismatch("immediate", f"operand {spec.name} must be an integer, found {operand}", str(operand))
        if values is not None and isinstance(operand, Integer | Float) and operand.value not in values:
            problem = Mismatch("immediate", f"operand {spec.name} cannot be {operand}", str(operand), _allowed(values))
            more = "more" in spec.lenient(self.slots) and operand.value > max(values)
            return self._tolerate(problem) if more else problem
        return None

    def _symbol(self, spec: OperandSpec, operand: Symbol) -> Mismatch | None:
        if operand.name == "WARP_SZ":
            return None if spec.arg.imm else _wrong_kind(spec, operand, "a register")
        declared = self.scope.find(operand.name)
        if declared is None:
            return _undeclared(operand.name, "label" if spec.arg.label else "undeclared")
        if spec.arg.directive:
            if declared.kind == "directive" and declared.type in spec.arg.directive.split():
                return None
            wanted = " or ".join(f".{name}" for name in spec.arg.directive.split())
            return Mismatch("label", f"'{operand}' does not name a {wanted}", str(operand))
        if declared.kind == "reg":
            return self._register(spec, Register(operand.name), spec.type(self.slots))
        if spec.arg.label:
            return None if declared.kind == "label" else Mismatch("label", f"'{operand}' is not a label", str(operand))
        if declared.type == "samplerref" and spec.name == "sampler" and self.context.independent:
            return None
        if spec.arg.symbol:
            return self._symbol_space(spec, operand, declared)
        return _wrong_kind(spec, operand, "a register" + (" or an immediate" if spec.arg.imm else ""))

    def _symbol_space(self, spec: OperandSpec, operand: Symbol, declared: Name) -> Mismatch | None:
        """A variable whose address is taken must lie in the operand's state space, when it names one."""
        if declared.kind not in ("var", "param", "func") or (declared.kind == "var" and declared.space == "param"):
            return _wrong_kind(spec, operand, "a register, a variable or a function")
        space = self._space(spec)
        if spec.arg.space is None or declared.kind not in ("var", "param") or declared.space == space:
            return None
        message = f"'{operand.name}' is in .{declared.space}, not .{space or 'generic'}"
        return Mismatch("state-space", message, operand.name)


def _holds_tensor_address(declared: str, spec: OperandSpec) -> bool:
    """Whether a register can address tensor memory: 32 bits wide, and untyped where the operand's type is `.b32`."""
    return declared == "b32" or (spec.arg.type != "b32" and compatible(declared, "u32"))


def _vector_bits(type_: str) -> int:
    """The width of a register as an element of a vector; ptxas counts a predicate as 32 bits there."""
    return 32 if type_ == "pred" else TYPES[type_].bits


def _allowed(values: object) -> str:
    if isinstance(values, range):
        step = f" in steps of {values.step}" if values.step != 1 else ""
        return f"{values[0]} to {values[-1]}{step}"
    if isinstance(values, tuple | list | set | frozenset):
        return " or ".join(map(str, values))  # pyright: ignore[reportUnknownArgumentType]
    return str(values)


def _undeclared(name: str, code: str = "undeclared") -> Mismatch:
    return Mismatch(code, f"'{name}' is not declared", name, rank=100)


def _wrong_kind(spec: OperandSpec, operand: Operand, wanted: str) -> Mismatch:
    return Mismatch("operand-kind", f"operand {spec.name} must be {wanted}, found '{operand}'", str(operand))


def _wrong_width(spec: OperandSpec, operand: Operand, wanted: int, have: int) -> Mismatch:
    return Mismatch(
        "vector-width", f"operand {spec.name} must be a vector of {wanted}, found {have} elements", str(operand)
    )
