"""Vectors against an operand signature: how many elements, and which registers and literals go together in one."""

from __future__ import annotations

from itertools import pairwise

from weft.isa.compiled import OperandSpec
from weft.isa.registers import SPECIAL_REGISTERS
from weft.isa.types import TYPES, compatible
from weft.ptx.operands import Expression, Float, Integer, Operand, Register, Sink, Vector
from weft.ptx.verifier.addresses import Addresses
from weft.ptx.verifier.mismatch import Mismatch, undeclared, wrong_width

_MOVE = "read it with mov first"


class Vectors(Addresses):
    """Checks vectors against one variant's signature; their elements are checked as scalars are."""

    def scalar(self, spec: OperandSpec, operand: Operand, type_: str, *, element: bool = False) -> Mismatch | None:
        """Checks one register, literal or name."""
        raise NotImplementedError

    def special(self, spec: OperandSpec, operand: Register, type_: str, count: int = 0) -> Mismatch | None:
        """Checks a special register of some components."""
        raise NotImplementedError

    def fits(self, spec: OperandSpec, operand: Register, have: str, want: str) -> Mismatch | None:
        """Checks the type that a register is declared as."""
        raise NotImplementedError

    def vector(self, spec: OperandSpec, operand: Operand, count: int, type_: str) -> Mismatch | None:
        """Checks a vector of so many elements, or of any number; a vector register is one too."""
        if isinstance(operand, Register):
            declared = self.scope.find(operand.name)
            if declared is None:
                if operand.name in SPECIAL_REGISTERS:
                    alone = "scalar" in spec.lenient(self.slots) and not SPECIAL_REGISTERS[operand.name].components
                    if alone:
                        self.tolerate(Mismatch("vector-width", f"{operand} is not a vector", str(operand)))
                    return self.special(spec, operand, type_, 0 if alone else count)
                return undeclared(operand.name)
            if declared.kind == "reg" and declared.vector:
                if count and declared.vector != count:
                    return wrong_width(spec, operand, count, declared.vector)
                return self.fits(spec, operand, declared.type, type_)
        if isinstance(operand, Sink) and spec.sink(self.slots) and "w" in (spec.arg.access or ""):
            self.present.add("_")
            return None
        if not isinstance(operand, Vector):
            return self._no_vector(spec, operand, count, type_)
        if count and len(operand.elements) != count:
            problem = wrong_width(spec, operand, count, len(operand.elements))
            lenient, given = spec.lenient(self.slots).split(), len(operand.elements)
            longer = "longer" in lenient and count < given in (2, 4)
            if not longer and not ("shorter" in lenient and given in (1, 2)):
                return problem
            self.tolerate(problem)
        if all(isinstance(element, Sink) for element in operand.elements):
            return Mismatch("vector-width", f"operand {spec.name} cannot discard every element", str(operand))
        problem = self._replaced(spec, operand, type_)
        problem = problem or (self._uniform(spec, operand) if spec.arg.uniform else None) or self._mixed(spec, operand)
        problem = problem or self._literals(spec, operand, type_)
        if problem is not None:
            return problem
        return self._elements(spec, operand, type_)

    def _replaced(self, spec: OperandSpec, vector: Vector, type_: str) -> Mismatch | None:
        """What does not fit a function that ptxas calls, or an instruction that takes registers alone."""
        strict = self.strict(spec)
        if not strict and not self.called(spec):
            return None
        for element in vector.elements:
            declared = self.scope.find(element.base) if isinstance(element, Register) else None
            if isinstance(element, Register) and declared is None and element.name in SPECIAL_REGISTERS:
                special = SPECIAL_REGISTERS[element.name]
                if strict or "." in element.name or TYPES[special.type].bits == 64:
                    return Mismatch("operand-kind", f"operand {spec.name} cannot be {element}", str(element), _MOVE)
            elif declared is not None and declared.type == "pred":
                return Mismatch(
                    "operand-type", f"{element} is a predicate, but {spec.name} needs .{type_}", str(element)
                )
            elif strict and not isinstance(element, Register):
                return Mismatch("operand-kind", f"operand {spec.name} needs registers, found {element}", str(element))
            elif strict and (problem := self.scalar(spec, element, type_, element=True)) is not None:
                return problem
        return None

    def _elements(self, spec: OperandSpec, operand: Vector, type_: str) -> Mismatch | None:
        """Each element by itself, or with what ptxas lets pass because of the others."""
        if spec.arg.kindred and any(map(_is_number, operand.elements)):
            return self._kindred(spec, operand, type_)
        several = len(operand.elements) > 1
        freely = self.called(spec) and "literals" in spec.lenient(self.slots)
        untyped = "bus" if "scalar" in spec.lenient(self.slots) else "b"  # What ptxas moves by its width.
        for element in operand.elements:
            problem = self.scalar(spec, element, type_, element=several)
            if problem is not None:
                if problem.code == "immediate":  # What others let pass is a type; a value is looked at in any company.
                    return problem
                passed = several and self._literal_element(spec, operand, element, type_)
                passed = passed or (freely and _is_integer(element))
                if not self.whole(spec) or (spec.arg.access == "r" and TYPES[type_].kind in untyped):
                    passed = passed or self._special_element(element, type_)
                if not self.whole(spec):
                    passed = passed or (
                        self._outvoted(spec, operand, element, type_)
                        or self._predicate_element(spec, operand, element, type_)
                        or (several and self._behind_literal(spec, operand, element))
                    )
                if not passed:
                    return problem
                self.tolerate(problem)
        return self._same_width(spec, operand, type_) if spec.arg.loose else None

    def _no_vector(self, spec: OperandSpec, operand: Operand, count: int, type_: str) -> Mismatch | None:
        """Another operand in the place of a vector, which ptxas takes in some."""
        of = f" of {count}" if count else ""
        message = f"operand {spec.name} must be a vector{of}, found '{operand}'"
        problem = Mismatch("vector-width", message, str(operand))
        lenient = spec.lenient(self.slots)
        if "scalar" not in lenient and not ("literal" in lenient and isinstance(operand, Integer)):
            return problem
        if "literal" not in lenient and isinstance(operand, Integer) and self.whole(spec):
            return problem
        self.tolerate(problem)
        return self.scalar(spec, operand, type_)

    def _uniform(self, spec: OperandSpec, vector: Vector) -> Mismatch | None:
        """A vector of registers of one kind, none of them twice where they are written; literals beside them."""
        problem = next(filter(None, (self._uniform_element(spec, element) for element in vector.elements)), None)
        if problem is not None:
            return problem
        if spec.arg.access == "w" and len(set(vector.elements)) < len(vector.elements):
            return Mismatch("operand-kind", f"operand {spec.name} contains a register twice", str(vector))
        return None

    def _literals(self, spec: OperandSpec, vector: Vector, type_: str) -> Mismatch | None:
        """Literals alone where lanes act together, and those that do not fit what ptxas puts in the place of some
        instructions: doubles for 32 bits, integers for doubles.
        """
        alone = all(isinstance(element, Integer | Float) for element in vector.elements)
        freely = self.called(spec) and "literals" in spec.lenient(self.slots)
        if (self.collective or spec.arg.uniform) and alone and not freely and any(map(_is_integer, vector.elements)):
            return Mismatch("operand-kind", f"operand {spec.name} needs at least one register", str(vector))
        if not self.whole(spec):
            return None
        want = TYPES[type_]
        wrong = _is_integer if want.bits == 64 or want.kind == "f" else _is_double if want.bits <= 32 else None
        if want.kind == "x":
            wrong = _is_number
        if want.kind in "us":
            wrong = _is_float
        found = next(filter(wrong, vector.elements), None) if wrong is not None else None
        if found is None:
            return None
        hint = "write it as a double" if wrong is _is_integer else "write it as an integer of the same bits"
        return Mismatch(
            "operand-type", f"literal {found} does not fit .{type_} in operand {spec.name}", str(found), hint
        )

    def _mixed(self, spec: OperandSpec, vector: Vector) -> Mismatch | None:
        """Neighbours that are an integer and a float, or what else ptxas takes no more: a literal behind `_`, say."""
        elements, text = vector.elements, str(vector)
        for one, other in pairwise(map(self._kind, elements)):
            if one and other and one != other:
                what = "predicates and others" if "p" in one + other else "integers and floats"
                return Mismatch("operand-type", f"operand {spec.name} mixes {what}", text, "declare the registers .b32")
        literals = [element for element in elements if _is_number(element)]
        if literals and isinstance(elements[0], Sink):
            named = next(element for element in elements if not isinstance(element, Sink))
            if _is_number(named):
                return Mismatch("operand-kind", f"a literal follows '_' in operand {spec.name}", text)
        if literals and any(map(self._is_narrow, elements)):
            return Mismatch("operand-kind", f"a literal and a special register in operand {spec.name}", text)
        return None

    def _kind(self, element: Operand) -> str:
        """Whether an element is an integer (`u`), a float (`f`) or a predicate (`p`), or none of them."""
        if _is_number(element):
            return "u" if _is_integer(element) else "f"
        declared = self.scope.find(element.name) if isinstance(element, Register) else None
        kind = TYPES[declared.type].kind if declared is not None and declared.type in TYPES else ""
        return kind.replace("s", "u").strip("bx")

    def _is_narrow(self, element: Operand) -> bool:
        """Whether an element is a special register that may be read as a narrower one."""
        if not isinstance(element, Register) or self.scope.find(element.base) is not None:
            return False
        special = SPECIAL_REGISTERS.get(element.name)
        return special is not None and bool(special.narrow)

    def _behind_literal(self, spec: OperandSpec, vector: Vector, element: Operand) -> bool:
        """Whether a register is after an integer literal that leads: ptxas then looks at no widths."""
        if spec.arg.access != "r" or self.collective or spec.arg.exact or not _is_integer(vector.elements[0]):
            return False
        declared = self.scope.find(element.name) if isinstance(element, Register) else None
        return declared is not None and declared.kind == "reg" and TYPES[declared.type].kind in "bus"

    def _uniform_element(self, spec: OperandSpec, element: Operand) -> Mismatch | None:
        if isinstance(element, Sink):
            return Mismatch("operand-kind", f"operand {spec.name} cannot discard elements", "_", "name a register")
        if not isinstance(element, Register):
            return None
        declared = self.scope.find(element.name)
        if declared is None and element.name in SPECIAL_REGISTERS:
            message = f"special register {element} is not allowed in operand {spec.name}"
            return Mismatch("operand-kind", message, str(element), _MOVE)
        if declared is not None and declared.type == "pred":
            message = f"{element} is a predicate, but operand {spec.name} needs .b32"
            return Mismatch("operand-type", message, str(element), "use selp.b32 to convert a predicate to a number")
        return None

    def _kindred(self, spec: OperandSpec, vector: Vector, type_: str) -> Mismatch | None:
        """Registers beside literals: ptxas holds them to the literals' kind, and to the width if a register leads.

        An integer may lead registers of .f32 and .f16, a float only those of .f32; beside `0f...` is no .f32 register
        in a vector of pairs.
        """
        elements, first = vector.elements, str(vector.elements[0])
        integer, leads = any(map(_is_integer, elements)), _is_number(elements[0])
        led = ("f32", "f16") if _is_integer(elements[0]) else ("f32",)
        if leads and (type_ not in led or (integer and all(map(_is_number, elements)))):
            return Mismatch("operand-type", f"literal {first} cannot come first in operand {spec.name}", first)
        kinds = "bus" if integer else "bf"
        pairs = TYPES[type_].kind == "x" and TYPES[type_].bits == 32
        singles = {i for i, element in enumerate(elements) if pairs and str(element)[:2].lower() == "0f"}
        for index, element in enumerate(elements):
            declared = self.scope.find(element.name) if isinstance(element, Register) else None
            problem = self.scalar(spec, element, type_, element=True)
            if declared is not None and declared.kind == "reg" and not declared.vector:
                have = TYPES[declared.type]
                beside = "b" if {index - 1, index + 1} & singles else kinds
                if have.kind not in beside or not (leads or have.bits == TYPES[type_].bits):
                    what = "an integer" if integer else "a float"
                    message = f"register {element} is .{declared.type}, but operand {spec.name} also contains {what}"
                    return problem or Mismatch("operand-type", message, str(element))
            elif problem is not None and not _is_number(element):
                return problem
            if problem is not None:
                self.tolerate(problem)
        return None

    def _predicate_element(self, spec: OperandSpec, vector: Vector, element: Operand, type_: str) -> bool:
        """Whether an element is a predicate where ptxas takes one, beside others, for 32 bits."""
        if "predicates" not in spec.lenient(self.slots) or TYPES[type_].bits != 32:
            return False
        if set(self._register_types(vector)) == {"pred"} and (len(vector.elements) > 1 or TYPES[type_].kind != "b"):
            return False
        declared = self.scope.find(element.name) if isinstance(element, Register) else None
        return declared is not None and declared.type == "pred" and not declared.vector

    def _outvoted(self, spec: OperandSpec, vector: Vector, element: Operand, type_: str) -> bool:
        """Whether an untyped register of the vector decides for all: ptxas then looks at the others' widths only."""
        types = self._register_types(vector)
        untyped = next((name for name in types if TYPES[name].kind == "b"), "")
        declared = self.scope.find(element.name) if isinstance(element, Register) else None
        if not untyped or declared is None or declared.vector:
            return False
        fits = compatible(untyped, type_, wider=spec.arg.wider, loose=spec.arg.loose)
        if "pred" in types and (self.collective or spec.arg.exact or (self.writes and spec.arg.access == "r")):
            return False
        return fits and all(_vector_bits(name) == TYPES[untyped].bits for name in types)

    def _literal_element(self, spec: OperandSpec, vector: Vector, element: Operand, type_: str) -> bool:
        """Whether an element is a literal beside registers: ptxas takes any there, but no integers among floats."""
        if spec.arg.access != "r" or not _is_number(element):
            return False
        types = self._register_types(vector)
        return any(compatible(name, type_, wider=spec.arg.wider, loose=spec.arg.loose) for name in types)

    def _special_element(self, element: Operand, type_: str) -> bool:
        """Whether an element is a special register of the right width: ptxas takes those in any vector."""
        if not isinstance(element, Register) or self.scope.find(element.base) is not None:
            return False
        special, want = SPECIAL_REGISTERS.get(element.name), TYPES.get(type_)
        if special is None or want is None or special.components or TYPES[special.type].bits != want.bits:
            return False
        return special.window.admits(self.context.target, self.context.version)

    def _register_types(self, vector: Vector) -> list[str]:
        """The types of the registers in a vector."""
        declared = [self.scope.find(e.name) for e in vector.elements if isinstance(e, Register)]
        return [name.type for name in declared if name is not None and name.kind == "reg" and name.type in TYPES]

    def _same_width(self, spec: OperandSpec, operand: Vector, type_: str) -> Mismatch | None:
        """The registers of a vector may exceed the type, but must be equally wide, unless an integer leads.

        Behind a float, those of an untyped vector must not exceed it.
        """
        first, widths = operand.elements[0], set(map(_vector_bits, self._register_types(operand)))
        if spec.arg.access == "r" and _is_number(first):
            if _is_integer(first) or TYPES[type_].kind != "b":
                return None
            widths.add(TYPES[type_].bits)
        if len(widths) < 2:
            return None
        return Mismatch("operand-type", f"the registers of operand {spec.name} differ in width", str(operand))


def _is_integer(element: Operand) -> bool:
    """Whether an element is an integer of known value."""
    return isinstance(element, Integer) or (isinstance(element, Expression) and not isinstance(element.value, float))


def _is_double(element: Operand) -> bool:
    """Whether an element is a number in double precision: `1.0`, `0d...` or a constant expression of such."""
    single = isinstance(element, Float) and element.text[:2].lower() == "0f"
    return _is_float(element) and not single


def _is_float(element: Operand) -> bool:
    """Whether an element is a number in floating point."""
    return isinstance(element, Float | Expression) and isinstance(element.value, float)


def _is_number(element: Operand) -> bool:
    """Whether an element is an integer or a float of known value."""
    return isinstance(element, Float | Expression) or _is_integer(element)


def _vector_bits(type_: str) -> int:
    """The width of a register as an element of a vector; ptxas counts a predicate as 32 bits there."""
    return 32 if type_ == "pred" else TYPES[type_].bits
