"""The constraints of inline PTX: which register or immediate an operand is, and its bits in and out of it.

A letter names a class of registers, whatever the operand's type: its bits are cut off or extended by zeros to the
class's width on the way in, and on the way out to the type's width, as LLVM has it.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.access import generic
from weft.codegen.bitcast import kind_width, recast
from weft.codegen.graph import B16, B32, B64, B128, BITS, PRED, Value
from weft.codegen.linear import Lin
from weft.codegen.ops.arith_cast import from_bits, to_bits
from weft.codegen.provenance import is_generic
from weft.codegen.selector import Selector
from weft.codegen.types import Scalar, element_types, is_vector, is_wide, layout
from weft.dataclass import dataclass
from weft.isa import opcode
from weft.mlir import compile_error

CLASSES = {
    "b": PRED, "c": B16, "h": B16, "r": B32, "f": B32, "l": B64, "N": B64, "d": B64, "q": B128,
}  # fmt: skip
"""The register class of each letter: LLVM's for NVPTX."""
IMMEDIATES = "ni"
_HALF = Scalar("float", B16, 16, "f16")
"""What has the bits of a register of 16."""
_OTHERS = {"m": "memory", "o": "memory", "s": "a symbol", "X": "anything", "g": "anything", "p": "an address"}


@dataclass(frozen=True, slots=True)
class Constraint:
    """One operand of inline assembly: a register class (or none), whether a constant will do, or the output it is."""

    cls: str
    immediate: bool = False
    tied: int | None = None


def parse(op: Operation, text: str) -> tuple[list[Constraint], list[Constraint]]:
    """The outputs and inputs of a constraint string; raises CompileError at the operation."""
    outputs: list[Constraint] = []
    inputs: list[Constraint] = []
    for part in filter(None, text.split(",")):
        if part[0] == "~":
            continue
        if part[0] == "=":
            outputs.append(_one(op, part[1:].lstrip("&%")))
            if outputs[-1].cls == "":
                raise compile_error(op, f"the output '{part}' needs a register", f"use one of {' '.join(CLASSES)}")
        elif part.isdecimal():
            if int(part) >= len(outputs):
                raise compile_error(op, f"the input '{part}' is tied to an output that does not exist")
            inputs.append(Constraint(outputs[int(part)].cls, tied=int(part)))
        else:
            inputs.append(_one(op, part.lstrip("%")))
    return outputs, inputs


def _one(op: Operation, letters: str) -> Constraint:
    """The first alternative: a constant where one will do, else the first register."""
    if "*" in letters:
        raise compile_error(op, f"the memory constraint '{letters}' has no lowering", "pass the pointer in a register")
    if "{" in letters or "!" in letters:
        raise compile_error(op, f"the constraint '{letters}' has no lowering", f"use one of {' '.join(CLASSES)} n i")
    letters = letters.partition("|")[0]
    found = next((CLASSES[letter] for letter in letters if letter in CLASSES), "")
    immediate = any(letter in IMMEDIATES for letter in letters)
    if not found and not immediate:
        what = next((f" ({_OTHERS[letter]})" for letter in letters if letter in _OTHERS), "")
        message = f"the constraint '{letters}'{what} has no register class"
        raise compile_error(op, message, f"use one of {' '.join(CLASSES)} n i")
    return Constraint(found, immediate)


def members(type_: Any) -> tuple[Any, ...]:
    """The types of the outputs of assembly with a result of this type."""
    if type_.name == "llvm.void":
        return ()
    return element_types(type_) if type_.name == "llvm.struct" else (type_,)


def _width(op: Operation, type_: Any) -> int:
    """The bits of a type that goes through registers: at most 128."""
    kinds = layout(type_).scalars
    if is_wide(type_):
        return 128
    if is_vector(type_):
        width = kind_width(type_)
        total = len(kinds) * (32 if kinds[0].kind == "packed" else width)
        if width % 8 == 0 and total in (16, 32, 64, 128):
            return total
    elif len(kinds) == 1:
        return kinds[0].width
    raise compile_error(op, f"{type_} does not fit a register of inline PTX", "pass its elements one by one")


def class_of(op: Operation, type_: Any) -> str:
    """The class that holds all the bits of a type of several registers."""
    return {16: B16, 32: B32, 64: B64, 128: B128}[_width(op, type_)]


def into(s: Selector, op: Operation, value: Any, type_: Any, cls: str, *, exact: bool = True) -> Value:
    """A value in a register of a class, with zeros above it if it has to be `exact`."""
    kinds = layout(type_).scalars
    scalars = s.flatten(value)
    if len(kinds) == 1:
        # A generic pointer is the generic address to PTX text, whatever is known of its state space.
        scalar = generic(s, scalars[0]) if is_generic(kinds[0]) else scalars[0]
        if kinds[0].cls == cls and not isinstance(scalar, Lin):
            return s.register(scalar, cls)
        bits = to_bits(s, scalar, kinds[0])
        words = [_narrow(s, bits, kinds[0]) if exact else bits]
    else:
        words = _words(s, value, type_, _width(op, type_))
    if cls == B128:
        low = s.extended(words[0], signed=False)
        high = words[1] if len(words) > 1 else linear.const(0)
        return s.pure(opcode("mov", type="b128"), B128, (s.int_value(low), s.int_value(high)))
    low = words[0]
    if cls == PRED:
        return s.register(s.to_test(low), PRED)
    if cls == B64:
        return s.int_value(s.extended(low, signed=False))
    low = s.truncated(low)
    return s.register(from_bits(s, low, _HALF), B16) if cls == B16 else s.int_value(low)


def _narrow(s: Selector, word: Lin, kind: Scalar) -> Lin:
    """An integer narrower than its register with zeros above it."""
    return s.exactly(word, kind.width, signed=False) if kind.kind == "int" and kind.width not in (32, 64) else word


def _words(s: Selector, value: Any, type_: Any, width: int) -> list[Lin]:
    if is_wide(type_):
        return list(value)
    found = recast(s, value, type_, IntegerType(width))
    return list(found) if width == 128 else [found]


def out_of(s: Selector, op: Operation, register: Value, type_: Any) -> Any:
    """The value of a type in a register, whatever its class."""
    kinds = layout(type_).scalars
    single = len(kinds) == 1
    first = kinds[0]
    if single and first.cls == register.cls and first.kind in ("float", "test", "packed"):
        return s.unflatten(type_, (register,))
    width = _width(op, type_)
    match register.cls:
        case "pred":
            words = [s.from_test(register, 32, signed=True)]
        case "b16":
            words = [linear.of(s.pure(opcode("cvt", type="u32", atype="u16"), B32, register, lo=0, hi=0xFFFF))]
        case "b128":
            words = [linear.of(half) for half in s.pure_many(opcode("mov", type="b128"), (B64, B64), register)]
        case _:
            words = [linear.of(register)]
    if width == 128:
        whole = (s.extended(words[0], signed=False), words[1] if len(words) > 1 else linear.const(0))
        return whole if is_wide(type_) else recast(s, whole, IntegerType(128), type_)
    word = s.extended(words[0], signed=False) if width > 32 else s.truncated(words[0])
    if not single or first.kind == "packed":
        return recast(s, word, IntegerType(width), type_)
    if first.kind == "pointer" and BITS[first.cls] == 32:
        word = s.truncated(word)
    return s.unflatten(type_, (from_bits(s, word, first),))
