"""Operands against an operand signature of the ISA table."""

from __future__ import annotations

import re
import struct
from collections.abc import Collection
from itertools import takewhile

from weft.isa.compiled import OperandSpec
from weft.isa.registers import ELEMENT_NAMES, SPECIAL_REGISTERS, SpecialRegister
from weft.isa.types import TYPES, compatible, literal_fits
from weft.ptx.operands import (
    Arguments,
    Element,
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
from weft.ptx.verifier.addresses import OPAQUE
from weft.ptx.verifier.context import Name
from weft.ptx.verifier.mismatch import Mismatch, not_an_array, undeclared, wrong_kind
from weft.ptx.verifier.vectors import Vectors


class Matcher(Vectors):
    """Checks operands against one variant's signature."""

    def match(self, specs: tuple[OperandSpec, ...], operands: tuple[Operand, ...]) -> Mismatch | None:
        """The first operand that does not fit, None when all do."""
        chosen = choose(specs, self.slots, len(operands))
        if chosen is None:
            return self._wrong_count(specs, operands)
        self.present.update(spec.name for spec in chosen if spec.optional)
        for spec in specs:
            written = spec in chosen
            if spec.lenient(self.slots) and ("present" if written else "absent") in spec.lenient(self.slots):
                problem = "is not allowed here" if written else "is missing"
                self.tolerate(Mismatch("operand-count", f"operand {spec.name} {problem}"))
        for index, (spec, operand) in enumerate(zip(chosen, operands, strict=True)):
            alone = self._first(spec, operand) if isinstance(operand, Pair) and not index else operand
            problem = self.operand(spec, alone)
            if problem is not None:
                return Mismatch(problem.code, problem.message, problem.token, problem.hint, index + 1)
        braced = [operand for operand in operands if isinstance(operand, Vector)]
        if len(braced) > 1 and all("braced" in spec.lenient(self.slots) for spec in chosen):
            return Mismatch("operand-kind", "at most one operand can be in braces", str(braced[1]))
        return None

    def _wrong_count(self, specs: tuple[OperandSpec, ...], operands: tuple[Operand, ...]) -> Mismatch:
        """Too few or too many operands; of several signatures, the one that more of them fit is meant."""
        possible = [spec for spec in specs if spec.required(self.slots) is not False]
        least, most = sum(spec.required(self.slots) is True for spec in specs), len(possible)
        count = str(most) if least == most else f"{least} {'or' if least + 1 == most else 'to'} {most}"
        takes = f"{count if most else 'no'} operand{'s' if most != 1 else ''}"
        fitting = takewhile(lambda pair: self.operand(*pair) is None, zip(possible, operands, strict=False))
        names = ", ".join(spec.name for spec in possible)
        message = f"takes {takes}, {len(operands)} given"
        return Mismatch("operand-count", message, hint=f"operands: {names}" if names else "", rank=len(list(fitting)))

    def operand(self, spec: OperandSpec, operand: Operand) -> Mismatch | None:
        """Checks one operand."""
        if spec.kind == "address":
            return self.address(spec, operand)
        if spec.kind == "vector":
            return self.vector(spec, operand, spec.count(self.slots), spec.type(self.slots))
        if spec.kind == "tuple":
            return self._tuple(spec, operand)
        if spec.kind == "pair":
            return self._pair(spec, operand)
        if spec.kind == "arguments":
            return None if isinstance(operand, Arguments) else wrong_kind(spec, operand, "a list in parentheses")
        if isinstance(operand, Negated) and (
            (spec.kind == "predicate" and operand.operator == "!")
            or (spec.kind == "negatable" and operand.operator == "-")
        ):
            operand = operand.operand
        return self._value(spec, operand)

    def _value(self, spec: OperandSpec, operand: Operand) -> Mismatch | None:
        """A scalar, or the vector that the operand's count asks for; one element may be in braces or not."""
        count = spec.count(self.slots)
        if count > 1:
            return self.vector(spec, operand, count, spec.type(self.slots))
        if isinstance(operand, Vector) and len(operand.elements) == 1:
            operand = self._single(spec, operand, count)
            alone = "scalar" in spec.lenient(self.slots) and self._special_element(operand, spec.type(self.slots))
            if alone or (isinstance(operand, Register) and self._is_as_wide(spec, operand)):
                self.tolerate(wrong_kind(spec, operand, f"a .{spec.type(self.slots)}"))
                return None
        if (
            isinstance(operand, Vector)
            and len(operand.elements) in (1, 2, 4)
            and "longer" in spec.lenient(self.slots)
            and not self.replaced(spec)
        ):
            self.tolerate(wrong_kind(spec, operand, "a scalar"))
            return self.vector(spec, operand, 0, spec.type(self.slots))
        return self.scalar(spec, operand, spec.type(self.slots))

    def _is_as_wide(self, spec: OperandSpec, operand: Register) -> bool:
        """Whether an integer register in braces is as wide as the float that is loaded or stored: ptxas takes it."""
        declared, type_ = self.scope.find(operand.name), TYPES[spec.type(self.slots)]
        if declared is None or declared.kind != "reg" or declared.vector or not spec.arg.loose or type_.kind != "f":
            return False
        have = TYPES[declared.type]
        return have.kind in "us" and have.bits == type_.bits

    def _single(self, spec: OperandSpec, operand: Vector, count: int) -> Operand:
        """The element of a vector of one, where ptxas takes it in braces: not where widths and lengths are exact."""
        lenient = spec.lenient(self.slots)
        literal = isinstance(operand.elements[0], Integer | Float)
        if count == 1 and (spec.arg.loose or lenient) and not (literal and self.collective):
            return operand.elements[0]
        if "braced" not in lenient:
            return operand
        self.tolerate(wrong_kind(spec, operand, "a scalar"))
        return operand.elements[0]

    def _first(self, spec: OperandSpec, pair: Pair) -> Operand:
        """What is before `|_` where no pair belongs: ptxas takes it after the first operand."""
        named = isinstance(pair.first, Register | Symbol)
        if spec.kind in ("pair", "address", "vector") or not named or not isinstance(pair.second, Sink):
            return pair
        self.tolerate(wrong_kind(spec, pair, "a register"))
        return pair.first

    # -- tuples and pairs ------------------------------------------------------------------------------------

    def _tuple(self, spec: OperandSpec, operand: Operand) -> Mismatch | None:
        """A vector whose elements have facts of their own, such as `{byte-id, thread-id}`."""
        names = ", ".join(rest.name for rest in spec.rest)
        problem = wrong_kind(spec, operand, f"{{{names}}}")
        if not isinstance(operand, Vector) or len(operand.elements) < len(spec.rest):
            return problem
        if len(operand.elements) > len(spec.rest):
            if "longer" not in spec.lenient(self.slots) or len(operand.elements) != 4:
                return problem
            self.tolerate(problem)
        for rest, part in zip(spec.rest, operand.elements, strict=False):
            problem = self.operand(rest, part)
            if problem is None and isinstance(part, Symbol):
                problem = wrong_kind(rest, part, "a register or a number")
            elif problem is not None and problem.code != "immediate" and self._passes(rest, operand, part):
                problem = self.tolerate(problem)
            if problem is not None:
                return problem
        return None

    def _passes(self, spec: OperandSpec, vector: Vector, element: Operand) -> bool:
        """Whether ptxas does not look at an element's type, and puts the element nowhere else."""
        if self.whole(spec):
            type_ = spec.type(self.slots)
            return TYPES[type_].kind != "f" and self._special_element(element, type_)
        return self._unseen(spec, vector, element)

    def _unseen(self, spec: OperandSpec, vector: Vector, element: Operand) -> bool:
        """Whether ptxas lets an element's type pass: another one decides, or a literal in front does."""
        if self._special_element(element, spec.type(self.slots)):
            return True
        if element is vector.elements[0]:
            type_ = spec.type(self.slots)
            untyped = isinstance(element, Float) and TYPES[type_].kind == "b"
            return untyped and self._literal_element(spec, vector, element, type_)
        if isinstance(vector.elements[0], Integer) and isinstance(element, Register):
            declared = self.scope.find(element.name)
            return declared is not None and declared.kind == "reg" and TYPES[declared.type].kind in "bus"
        type_ = spec.type(self.slots)
        return self._outvoted(spec, vector, element, type_) or self._literal_element(spec, vector, element, type_)

    def _pair(self, spec: OperandSpec, operand: Operand) -> Mismatch | None:
        second = spec.second
        assert second is not None
        if isinstance(operand, Pair):
            self.present.add(second.name)
            if isinstance(operand.first, Sink) and isinstance(operand.second, Sink):
                return Mismatch("operand-kind", f"one of {spec.name} and {second.name} must be a register", "_|_")
            return self._value(spec, operand.first) or self.scalar(second, operand.second, second.type(self.slots))
        if not spec.second_optional:
            return wrong_kind(spec, operand, f"{spec.name}|{second.name}")
        return self._value(spec, operand)

    # -- scalars ----------------------------------------------------------------------------------------------

    def scalar(self, spec: OperandSpec, operand: Operand, type_: str, *, element: bool = False) -> Mismatch | None:
        """Checks one register, literal or name, alone or as the element of a vector."""
        if isinstance(operand, Register):
            return self._register(spec, operand, type_, element=element)
        if isinstance(operand, Integer | Float | Expression):
            return self._literal(spec, operand, type_, element=element)
        if isinstance(operand, Symbol):
            return self._symbol(spec, operand, element=element)
        if isinstance(operand, Element):
            return self._element(spec, operand)
        if isinstance(operand, Sink):
            self.present.add("_")
            allowed = spec.sink(self.slots) or (element and spec.arg.access == "w" and not self.whole(spec))
            return None if allowed else Mismatch("operand-kind", f"operand {spec.name} cannot be '_'", "_")
        if isinstance(operand, Negated) and operand.operator == "!" and spec.arg.access == "r":
            if type_ == "pred":
                return self.scalar(spec, operand.operand, type_)
            if "predicate" in spec.lenient(self.slots).split() and not self.replaced(spec):
                return self.scalar(spec, operand.operand, "pred") or self.tolerate(
                    wrong_kind(spec, operand, "a number")
                )
        return wrong_kind(spec, operand, _wanted(spec))

    def _constant(self, spec: OperandSpec, operand: Register, type_: str, *, element: bool = False) -> Mismatch | None:
        """A name that stands for an integer literal of some value."""
        if not (spec.arg.imm or (element and spec.arg.access == "r" and spec.arg.imm is not False)):
            return Mismatch("operand-kind", f"operand {spec.name} cannot be an immediate", str(operand))
        if type_ and not literal_fits(type_, floating=False, text="1"):
            return Mismatch("operand-type", f"an integer literal does not fit .{type_}", str(operand))
        return None

    def _register(self, spec: OperandSpec, operand: Register, type_: str, *, element: bool = False) -> Mismatch | None:
        if spec.arg.label:
            declared = self.scope.find(operand.name)
            if declared is not None and declared.kind == "label":
                return None
            return Mismatch("label", f"operand {spec.name} must be a label, found '{operand}'", str(operand))
        if not spec.arg.reg:
            declared = self.scope.find(operand.name)
            if declared is not None and declared.kind == "constant":
                return self._constant(spec, operand, type_)
            problem = wrong_kind(spec, operand, "'_'" if spec.sink(self.slots) else "an immediate")
            fitting = declared is not None and declared.kind == "reg" and compatible(declared.type, type_)
            return self.tolerate(problem) if fitting and "register" in spec.lenient(self.slots) else problem
        declared = self.scope.find(operand.name)
        if declared is None:
            return self._member_or_special(spec, operand, type_)
        if declared.kind == "constant":
            return self._constant(spec, operand, type_, element=element)
        if declared.kind != "reg":
            return wrong_kind(spec, operand, "a register")
        if declared.vector:
            return Mismatch("vector-width", f"'{operand}' is a vector register", str(operand), f"use {operand}.x")
        return self.fits(spec, operand, declared.type, type_)

    def _member_or_special(self, spec: OperandSpec, operand: Register, type_: str) -> Mismatch | None:
        declared = self.scope.find(operand.base) if operand.member else None
        if declared is None:  # A register declared `%tid` hides the special one.
            if operand.name in SPECIAL_REGISTERS:
                return self.special(spec, operand, type_)
            return undeclared(operand.name)
        if declared.vector and operand.member in tuple(ELEMENT_NAMES):
            return self.fits(spec, operand, declared.type, type_)
        return self._selected(spec, operand, declared, type_)

    def _selected(self, spec: OperandSpec, operand: Register, declared: Name, type_: str) -> Mismatch | None:
        """A video selector such as `.b0` or `.h1` on a 32-bit register."""
        if not spec.arg.select:
            return Mismatch("operand-kind", f"'{operand}' selects a component of a scalar register", str(operand))
        if not re.fullmatch(spec.arg.select, operand.member):
            message = f"operand {spec.name} cannot select '.{operand.member}'"
            return Mismatch("operand-kind", message, f".{operand.member}", f"selectors match {spec.arg.select}")
        if declared.kind != "reg":
            return wrong_kind(spec, operand, "a register")
        return self.fits(spec, operand, declared.type, type_)

    def special(self, spec: OperandSpec, operand: Register, type_: str, count: int = 0) -> Mismatch | None:
        """Checks a special register, of which so many components are wanted."""
        special = SPECIAL_REGISTERS[operand.name]
        if not spec.arg.special:
            return Mismatch(
                "operand-kind",
                f"special register {operand} is not allowed here",
                str(operand),
                "read it with mov first",
            )
        if not special.window.admits(self.context.target, self.context.version):
            return Mismatch("window", f"special register {operand} needs {special.window}", str(operand))
        if len(special.components) != count:
            if not special.components:
                return Mismatch("vector-width", f"{operand} is not a vector", str(operand))
            return Mismatch("vector-width", f"{operand} is a vector of 4", str(operand), f"use {operand}.x")
        want = TYPES.get(type_)
        fits = compatible(special.type, type_, wider=spec.arg.wider)
        if not fits and not (want is not None and want.kind in "bus" and want.bits in special.narrow):
            return Mismatch("operand-type", f"{operand} is .{special.type}, not .{type_}", str(operand))
        return None

    def fits(self, spec: OperandSpec, operand: Register, have: str, want: str) -> Mismatch | None:
        """Checks what a register is declared as against the type that an instruction wants."""
        if not want or compatible(have, want, wider=spec.arg.wider, loose=spec.arg.loose):
            return None
        if have == "pred" and "predicate" in spec.lenient(self.slots).split() and not self.replaced(spec):
            return self.tolerate(Mismatch("operand-type", f"{operand} is a predicate, not .{want}", str(operand)))
        fits = [t for t in ("pred", "b16", "b32", "b64", "b128", "b8") if compatible(t, want)]
        hint = f"a .{fits[0]} register fits" if fits else ""
        return Mismatch(
            "operand-type", f"register {operand} is .{have}, but operand {spec.name} needs .{want}", str(operand), hint
        )

    def _literal(
        self, spec: OperandSpec, operand: Integer | Float | Expression, type_: str, *, element: bool
    ) -> Mismatch | None:
        arg = spec.arg
        if not (arg.imm or (element and arg.access == "r" and arg.imm is not False)):
            problem = Mismatch("operand-kind", f"operand {spec.name} cannot be an immediate", str(operand))
            lenient = spec.lenient(self.slots).split()
            word = "predicate" in lenient and arg.access == "r" and not self.whole(spec)
            word = word or "float" in lenient
            if "literal" not in lenient or not isinstance(operand, Integer):
                return self.tolerate(problem) if word and operand.text[:2].lower() == "0f" else problem
            self.tolerate(problem)
        value = operand.value
        if type_ and not literal_fits(type_, floating=isinstance(value, float), text=operand.text):
            return Mismatch("operand-type", f"literal {operand} does not fit .{type_}", str(operand))
        if type_ == "f64" and operand.text[:2].lower() == "0f":
            self.valued = True
            return self.tolerate(_short_double(operand))
        values = spec.values(self.slots)
        self.valued = self.valued or values is not None
        if values is not None and isinstance(value, float) and isinstance(values, Collection):
            return Mismatch("immediate", f"operand {spec.name} must be an integer, found {operand}", str(operand))
        seen = _seen(value) if isinstance(value, int) else value
        if values is not None and value not in values and seen not in values:
            problem = Mismatch("immediate", f"operand {spec.name} cannot be {operand}", str(operand), _allowed(values))
            lenient = spec.lenient(self.slots)
            wraps = "wraps" in lenient and isinstance(value, int) and value & 0xFFFF_FFFF in values
            more = "more" in lenient and _is_beyond(seen, values)
            return self.tolerate(problem) if wraps or more else problem
        return None

    def _symbol(self, spec: OperandSpec, operand: Symbol, *, element: bool = False) -> Mismatch | None:
        declared = self.scope.find(operand.name)
        if declared is None:
            special = SPECIAL_REGISTERS.get(operand.name)
            if special is not None and (operand.offset or operand.zero):
                return self._register_and_offset(spec, operand, special)
            return undeclared(operand.name, "label" if spec.arg.label else "undeclared")
        if declared.kind == "func" and (operand.offset or operand.zero):
            return Mismatch("operand-kind", f"write only the name of function '{operand.name}'", operand.name)
        if spec.arg.directive:
            if declared.kind == "directive" and declared.type in spec.arg.directive.split():
                return None
            wanted = " or ".join(f".{name}" for name in spec.arg.directive.split())
            return Mismatch("label", f"'{operand}' does not name a {wanted}", str(operand))
        if declared.kind == "reg":
            return self._register_and_offset(spec, operand, None)
        if spec.arg.label:
            if declared.kind != "label":
                return Mismatch("label", f"'{operand}' is not a label", str(operand))
            if operand.offset or operand.zero:
                return Mismatch("label", f"a label such as '{operand.name}' cannot have an offset", operand.name)
            return None
        if declared.type == "samplerref" and spec.name == "sampler" and self.context.independent:
            return None
        if spec.arg.symbol:
            return self._symbol_space(spec, operand, declared)
        problem = wrong_kind(spec, operand, "a register" + (" or an immediate" if spec.arg.imm else ""))
        function = declared.kind == "func" and element  # Not among the elements of a vector.
        return self.tolerate(problem) if not function and self._counts_as_number(spec, operand, declared) else problem

    def _counts_as_number(self, spec: OperandSpec, operand: Symbol, declared: Name) -> bool:
        """Whether ptxas takes a symbol for a constant: functions anywhere, variables with an offset for integers."""
        if not spec.arg.imm or spec.arg.access != "r":
            return False
        if declared.kind == "func":
            return not spec.arg.wider and spec.arg.type not in TYPES
        type_ = TYPES.get(spec.type(self.slots))
        moved = operand.offset != 0 or operand.zero
        return moved and declared.kind in ("var", "param") and type_ is not None and type_.kind in "bus"

    def _register_and_offset(
        self, spec: OperandSpec, operand: Symbol, special: SpecialRegister | None
    ) -> Mismatch | None:
        """`%rd1+4`, where ptxas looks at no type, unless it is to be a predicate.

        A special register may be here that is not allowed alone (`add.u32 %r1, %laneid+4, %r2`).
        """
        type_ = spec.type(self.slots)
        moved = operand.offset != 0 or operand.zero
        if moved and (problem := self._sum(spec, operand)) is not None:
            return problem
        if moved and "w" in (spec.arg.access or ""):
            message = f"operand {spec.name} is a result and must be a register, not '{operand}'"
            return Mismatch("operand-kind", message, operand.name)
        register = Register(operand.name)
        if special is None:
            problem = self._register(spec, register, type_)
        elif special.components:
            return Mismatch("vector-width", f"{operand.name} is a vector of 4", operand.name)
        elif not special.window.admits(self.context.target, self.context.version):
            return Mismatch("window", f"special register {operand.name} needs {special.window}", operand.name)
        else:
            problem = self.fits(spec, register, special.type, type_)
        untyped = moved and spec.arg.imm and type_ != "pred" and spec.arg.type not in TYPES
        misfit = problem is not None and problem.code == "operand-type"
        return self.tolerate(problem) if untyped and misfit and problem is not None else problem

    def _sum(self, spec: OperandSpec, operand: Symbol) -> Mismatch | None:
        """Checks that ptxas takes a register plus a number for an operand."""
        if not (spec.arg.select or self.whole(spec)):
            return None
        message = f"operand {spec.name} cannot be a register plus a number, found '{operand}'"
        return Mismatch("operand-kind", message, operand.name, "add the number first")

    def _element(self, spec: OperandSpec, operand: Element) -> Mismatch | None:
        """`array[1]`: an address, as `array+4` is, but not of 32 bits in global memory."""
        declared = self.scope.find(operand.array)
        if declared is None:
            return undeclared(operand.array)
        if declared.kind in ("var", "param") and not declared.dims:
            return not_an_array(operand)
        narrow = spec.type(self.slots) in ("b32", "u32", "s32") and declared.space == "global"
        if not spec.arg.symbol or declared.kind not in ("var", "param") or narrow:
            return wrong_kind(spec, operand, "a register" + (" or an immediate" if spec.arg.imm else ""))
        return self.index(operand) or self._symbol_space(spec, Symbol(operand.array), declared)

    def _symbol_space(self, spec: OperandSpec, operand: Symbol, declared: Name) -> Mismatch | None:
        """A variable whose address is taken must lie in the operand's state space, when it names one."""
        if declared.kind not in ("var", "param", "func") or (declared.kind == "var" and declared.space == "param"):
            return wrong_kind(spec, operand, "a register, a variable or a function")
        type_ = spec.type(self.slots)
        if declared.type in OPAQUE and type_ != "u64":
            return Mismatch("operand-type", f"'{operand}' is a .{declared.type}, whose address is a .u64", operand.name)
        if spec.arg.space is None:
            return self._narrow_symbol(operand, declared, type_)
        space = self.space_of(spec)
        if declared.kind in ("var", "param") and declared.space == space:
            return None
        if declared.kind == "func":
            problem = Mismatch("state-space", f"'{operand.name}' is a function and not in a state space", operand.name)
            return self.tolerate(problem) if space == "shared" and spec.arg.space == space else problem
        message = f"'{operand.name}' is in .{declared.space}, not .{space or 'generic'}"
        return Mismatch("state-space", message, operand.name)

    def _narrow_symbol(self, operand: Symbol, declared: Name, type_: str) -> Mismatch | None:
        """ptxas's code generator has no 32-bit addresses of global variables in a 64-bit module."""
        moved = operand.offset != 0 or operand.zero
        narrow = type_ in ("b32", "u32", "s32") and declared.kind == "var" and declared.space == "global" and not moved
        if not narrow or self.context.module.address_size == 32:
            return None
        return Mismatch("address", f"the address of '{operand.name}' has 64 bits, not 32", operand.name, "use mov.u64")


def _short_double(literal: Integer | Float | Expression) -> Mismatch:
    """What is said of `0f3F800000` in place of a .f64, which ptxas takes for the low 32 bits of one."""
    word = int(literal.text[2:], 16)
    meant, read = (struct.unpack(code, word.to_bytes(size, "little"))[0] for code, size in (("<f", 4), ("<d", 8)))
    message = f"literal {literal} has 32 bits: as a .f64 it is {read:.6g}, not {meant:.9g}"
    wide = int.from_bytes(struct.pack("<d", meant), "little")
    return Mismatch("operand-type", message, str(literal), f"write 0d{wide:016X}")


def _is_beyond(value: float, values: range | tuple[int, ...]) -> bool:
    """Whether a value is larger than the largest that is allowed, and in step with them."""
    if isinstance(values, range):
        return value > values[-1] and (value - values.start) % values.step == 0
    return value > max(values)


def _seen(value: int) -> int:
    """An integer as ptxas sees it: the low 64 bits, with a sign."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def _allowed(values: object) -> str:
    if isinstance(values, range):
        step = f" in steps of {values.step}" if values.step != 1 else ""
        return f"{values[0]} to {values[-1]}{step}"
    if isinstance(values, tuple | list | set | frozenset):
        return " or ".join(map(str, values))  # pyright: ignore[reportUnknownArgumentType]
    return str(values)


def _wanted(spec: OperandSpec) -> str:
    if spec.arg.directive:
        return f"the label of a {' or '.join(f'.{name}' for name in spec.arg.directive.split())}"
    if spec.arg.label:
        return "a label"
    return "a register" + (" or an immediate" if spec.arg.imm else " or a function" if spec.arg.symbol else "")
