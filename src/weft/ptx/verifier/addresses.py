"""Addresses against an operand signature: registers of the right width, names in the right state space."""

from __future__ import annotations

from weft.isa.compiled import OperandSpec
from weft.isa.form import PURE, WORD_SPACES, Effects, Slots
from weft.isa.registers import SPECIAL_REGISTERS
from weft.isa.target import window
from weft.isa.types import TYPES, compatible
from weft.ptx.operands import Address, Element, Expression, Float, Integer, Operand, Register, Symbol
from weft.ptx.verifier.context import Context, Name, Scope
from weft.ptx.verifier.mismatch import Mismatch, not_an_array, undeclared, wrong_kind

_KINDS = {"label": "label", "func": "function", "directive": "directive's label"}
_HANDLES = ("texture", "surface")
_WORDS = {"tmem": "tensor memory", "fabric": "a fabric"}
"""What an address may be a handle of: 64 bits, in no state space."""

OPAQUE = ("texref", "samplerref", "surfref")
_SAMPLED = ("filter_mode", "addr_mode")
_HANDLES_IN_REGISTERS = window("3.1", "20+")


class Addresses:
    """Checks addresses against one variant's signature; what follows the base is checked as operands are.

    `present` collects the optional operands that are written, a sink by its spelling `_`; `tolerated` what the manual
    forbids and ptxas accepts; `valued` says that the value of a literal was looked at, not its class only.
    `collective` says that the lanes of a warp act together, `writes` that memory is written: ptxas lets fewer
    predicates pass in vectors there.
    """

    def __init__(self, context: Context, scope: Scope, slots: Slots, effects: Effects = PURE) -> None:
        self.collective = effects.collective == "warp"
        self.writes = "w" in effects.memory
        self.context = context
        self.scope = scope
        self.slots = slots
        self.present: set[str] = set()
        self.tolerated: list[Mismatch] = []
        self.valued = False

    def operand(self, spec: OperandSpec, operand: Operand) -> Mismatch | None:
        """Checks one operand."""
        raise NotImplementedError

    def address(self, spec: OperandSpec, operand: Operand) -> Mismatch | None:
        """Checks an address with what is after its base."""
        if isinstance(operand, Element):
            return self._element_address(spec, operand)
        if not isinstance(operand, Address):
            problem = wrong_kind(spec, operand, "an address in brackets")
            return self.tolerate(problem) if self._passes_bare(spec, operand) else problem
        base, space = operand.base, self.space_of(spec)
        if isinstance(base, Register):
            problem = self._address_register(spec, base)
        elif isinstance(base, Symbol):
            problem = self._address_symbol(spec, base, space)
        elif isinstance(base, Integer | Expression):
            immediate = f"an immediate address needs .local, not {'.' + space if space else 'generic'}"
            problem = None if space == "local" else Mismatch("address", immediate, str(base))
            if problem is not None and "number" in spec.lenient(self.slots).split():
                problem = self.tolerate(problem)
        else:
            problem = Mismatch("address", f"'{base}' is not an address", str(base))
        if problem is None and operand.unified and not (spec.arg.unified and space in ("", "global")):
            problem = Mismatch("address", "'.unified' is allowed on loads from global memory only", ".unified")
        if problem is None and (operand.offset or operand.zero) and (spec.arg.space in _HANDLES or operand.rest):
            problem = Mismatch("address", f"the first part of {operand} cannot have an offset", str(operand))
        if problem is not None:
            return problem
        required = [rest for rest in spec.rest if not rest.optional]
        if not len(required) <= len(operand.rest) <= len(spec.rest):
            return Mismatch("operand-count", f"address {operand} has the wrong number of parts", str(operand))
        if spec.arg.space == "texture" and len(operand.rest) < len(spec.rest) and self.context.independent:
            message = f"address {operand} needs a sampler: the target is texmode_independent"
            return Mismatch("operand-count", message, str(operand))
        for rest, part in zip(spec.rest[len(spec.rest) - len(operand.rest) :], operand.rest, strict=False):
            problem = self._coordinate(spec, part) or self.operand(rest, part)
            if problem is not None:
                return problem
        return None

    def _handle(self, spec: OperandSpec) -> str:
        """The type of a name in the place of a texture or a surface; samplers have properties of their own."""
        query = self.slots.get("query", "")
        if spec.arg.space == "surface":
            return "surfref"
        sampler = query == "force_unnormalized_coords" or (self.context.independent and query.startswith(_SAMPLED))
        return "samplerref" if sampler else "texref" if spec.arg.space == "texture" else ""

    def _coordinate(self, spec: OperandSpec, part: Operand) -> Mismatch | None:
        """A number in the place of a coordinate, which ptxas reads in braces only."""
        if not isinstance(part, Integer | Float | Expression) or spec.arg.space not in _HANDLES:
            return None
        return Mismatch("operand-kind", f"coordinate {part} needs braces", str(part), f"write {{{part}}}")

    def whole(self, spec: OperandSpec) -> bool:
        """Whether ptxas puts an operand into a text of its own."""
        return spec.whole(self.slots, self.context.target, self.context.version)

    def called(self, spec: OperandSpec) -> bool:
        """Whether ptxas passes an operand to a function of its own."""
        return spec.called(self.slots, self.context.target, self.context.version)

    def replaced(self, spec: OperandSpec) -> bool:
        """Whether ptxas puts an operand into a text or a call of its own."""
        return self.whole(spec) or self.called(spec)

    def strict(self, spec: OperandSpec) -> bool:
        """Whether ptxas takes registers alone."""
        return spec.strict(self.slots, self.context.target, self.context.version)

    def _passes_bare(self, spec: OperandSpec, operand: Operand) -> bool:
        """Whether ptxas takes something without brackets for an address."""
        lenient = spec.lenient(self.slots).split()
        declared = self.scope.find(operand.name) if isinstance(operand, Register | Symbol) else None
        if "bare" in lenient and declared is not None and declared.kind == "var":
            return declared.space == self.space_of(spec)
        register = declared is not None and declared.kind == "reg" and not declared.vector
        if "bare" in lenient:
            return isinstance(operand, Float) or (register and declared is not None and declared.type != "pred")
        known = TYPES.get(declared.type) if register and declared is not None else None
        if "register" in lenient:
            return known is not None and known.bits in (32, 64) and (known.kind in "bus" or known.bits == 64)
        if "literal" not in lenient:
            return False
        widths = (64,) if spec.narrow(self.slots) else (16, 64)
        return isinstance(operand, Integer) or (known is not None and known.kind in "bus" and known.bits in widths)

    def space_of(self, spec: OperandSpec) -> str:
        """The state space of an address operand; empty for a generic address and for handles."""
        space = spec.arg.space or ""
        return "" if space in _HANDLES else self.slots.get(space, space).partition("::")[0]

    def _address_register(self, spec: OperandSpec, base: Register) -> Mismatch | None:
        declared = self.scope.find(base.name)
        if declared is not None and declared.kind == "constant":
            local = self.space_of(spec) == "local"
            return None if local else Mismatch("address", f"an immediate address needs .local: {base}", str(base))
        if declared is None:
            special = SPECIAL_REGISTERS.get(base.name)
            if special is None or special.components or base.member or TYPES[special.type].kind == "p":
                return undeclared(base.name)
            problem = Mismatch("address", f"special register {base} cannot be an address", str(base))
            if spec.arg.space in (*_HANDLES, *WORD_SPACES) or self.whole(spec):
                return problem
            if not special.window.admits(self.context.target, self.context.version):
                return Mismatch("window", f"special register {base} needs {special.window}", str(base))
            return self.tolerate(problem)
        if self.context.kernel and self.slots.get(spec.arg.space or "") == "param::func":
            return Mismatch("state-space", f"a kernel cannot access .param::func at {base}", str(base))
        if declared.vector:
            return Mismatch("address", f"vector register {base} cannot be an address", str(base), f"use {base}.x")
        if declared.kind == "label":
            return Mismatch("address", f"'{base}' is a label and has no address", base.name)
        return self._address_type(spec, base, declared.type) if declared.kind == "reg" else None

    def _address_type(self, spec: OperandSpec, base: Register, declared: str) -> Mismatch | None:
        """Addresses are 32 or 64 bits wide; ptxas extends narrower ones, and looks at no type of a tensor map's."""
        message, type_ = f"register {base} of type .{declared} cannot be an address", TYPES.get(declared)
        bits = type_.bits if type_ is not None and type_.kind in "bus" else 0
        if bits in (32, 64):
            if spec.arg.space in WORD_SPACES and not _holds_tensor_address(declared, spec):
                return Mismatch("address", f"{message} in {_WORDS[spec.arg.space]}", str(base), "use .b32")
            if spec.arg.space in _HANDLES:
                return self._handle_register(spec, base, declared)
            return self._narrow_address(spec, base) if bits == 32 and spec.arg.wide else None
        problem = Mismatch("address", message, str(base), "use .b64 or .b32")
        narrow = bits in (8, 16) and spec.arg.space not in (*WORD_SPACES, *_HANDLES) and spec.narrow(self.slots)
        width = bits if type_ is None else type_.bits
        most = 256 if "wide" in spec.lenient(self.slots).split() else 128
        any_type = "type" in spec.lenient(self.slots) and (width == 64 if spec.arg.wide else width < most)
        return self.tolerate(problem) if narrow or any_type else problem

    def _element_address(self, spec: OperandSpec, operand: Element) -> Mismatch | None:
        """`array[1]`, the place of an element in memory."""
        declared = self.scope.find(operand.array)
        if declared is None:
            return undeclared(operand.array)
        if declared.kind not in ("var", "param") or spec.arg.space in _HANDLES or spec.rest:
            return wrong_kind(spec, operand, "an address in brackets")
        if not declared.dims:
            return not_an_array(operand)
        return self.index(operand) or self._address_symbol(spec, Symbol(operand.array), self.space_of(spec))

    def index(self, operand: Element) -> Mismatch | None:
        """Checks the index of an element: a number, an integer register, whole, or a variable, whatever its type."""
        index = operand.index
        if not isinstance(index, Register | Symbol):
            return None
        declared, special = self.scope.find(index.name), SPECIAL_REGISTERS.get(index.name)
        if declared is None and special is None:
            return undeclared(index.name)
        if declared is not None and declared.kind in ("var", "param", "constant") and declared.type not in OPAQUE:
            return None
        type_ = TYPES.get(declared.type if declared is not None else special.type if special is not None else "")
        one = declared.kind == "reg" and not declared.vector if declared is not None else "." not in index.name
        if special is not None and declared is None:
            one = one and not special.components
        if one and type_ is not None and type_.kind in "bus" and type_.bits < 128:
            return None
        return Mismatch("operand-type", f"index '{index}' of '{operand.array}' is not an integer", str(index))

    def _handle_register(self, spec: OperandSpec, base: Register, declared: str) -> Mismatch | None:
        if TYPES[declared].bits != 64:
            message = f"register {base} of type .{declared} cannot be an address of a {spec.arg.space}"
            return Mismatch("address", message, str(base), "use .b64")
        if not _HANDLES_IN_REGISTERS.admits(self.context.target, self.context.version):
            return Mismatch("window", f"a {spec.arg.space} in a register needs {_HANDLES_IN_REGISTERS}", str(base))
        return None

    def _narrow_address(self, spec: OperandSpec, base: Register) -> Mismatch | None:
        """ptxas's code generator has no 32-bit generic and global addresses in a 64-bit module."""
        space = self.space_of(spec)
        if space not in ("", "global") or self.context.module.address_size == 32:
            return None
        message = f"register {base} is 32 bits wide, but {'.global' if space else 'generic'} addresses have 64"
        return Mismatch("address", message, str(base), "widen it with cvt.u64.u32")

    def tolerate(self, problem: Mismatch) -> None:
        """Note what ptxas lets pass."""
        self.tolerated.append(problem)

    def _address_symbol(self, spec: OperandSpec, base: Symbol, space: str) -> Mismatch | None:
        declared = self.scope.find(base.name)
        if declared is None:
            return undeclared(base.name)
        if declared.kind in ("label", "func", "directive"):
            message = f"'{base.name}' is a {_KINDS[declared.kind]} and has no address"
            return Mismatch("address", message, base.name)
        if declared.type in OPAQUE:
            right = declared.type == self._handle(spec)
            return None if right else Mismatch("address", f"'{base.name}' is a .{declared.type}", base.name)
        if declared.kind == "var" and spec.arg.space in _HANDLES:
            if declared.space == "tex" and spec.arg.space == "texture":
                return None
            message = f"'{base.name}' is not a {spec.arg.space}"
            return Mismatch("address", message, base.name, f"a .{declared.type} variable is not a handle")
        space = space or spec.arg.within
        allowed = declared.space == space if space else declared.space not in ("param", "const")
        if declared.kind in ("var", "param") and not allowed:
            wanted = f".{space}" if space else "generic"
            message = f"'{base.name}' is in .{declared.space}, but the instruction's address is {wanted}"
            return Mismatch("state-space", message, base.name)
        wanted = self.slots.get(spec.arg.space or "", "")
        if wanted.startswith("param::") and (wanted == "param::entry") != declared.entry:
            whose = "a kernel's" if declared.entry else "not a kernel's"
            problem = Mismatch(
                "state-space", f"'{base.name}' is {whose} parameter, but the address is .{wanted}", base.name
            )
            if not (wanted == "param::entry" and declared.kind == "param" and not declared.writable):
                return problem
            self.tolerate(problem)  # A function's own argument.
        return _against_direction(spec, base, declared)


def _against_direction(spec: OperandSpec, base: Symbol, declared: Name) -> Mismatch | None:
    """Writing input and reading results; ptxas goes by the name, whatever hides the parameter."""
    formal = declared if declared.kind == "param" else declared.hides
    hidden = " (ptxas looks at the function's parameter of this name)" if formal is not declared else ""
    if formal is not None and not formal.writable and "w" in (spec.arg.access or "r"):
        return Mismatch("state-space", f"input parameter '{base.name}' cannot be written{hidden}", base.name)
    if formal is not None and formal.writable and "r" in (spec.arg.access or "r"):
        return Mismatch("state-space", f"return value '{base.name}' cannot be read{hidden}", base.name)
    return None


def _holds_tensor_address(declared: str, spec: OperandSpec) -> bool:
    """Whether a register can address tensor memory: 32 bits wide, and untyped where the operand's type is `.b32`."""
    return declared == "b32" or (spec.arg.type != "b32" and compatible(declared, "u32"))
