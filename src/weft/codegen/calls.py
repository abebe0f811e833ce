"""The calling convention of device functions: LLVM's for NVPTX.

Integers, f32, f64 and pointers are parameters by themselves, everything else is passed as bytes.  The results of a
function are one parameter: one value, or the struct of several.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.ir import Attribute, Operation

from weft.codegen import linear
from weft.codegen.access import alignment_of, generic, load_places, space_of, store_places
from weft.codegen.blocks import move_block
from weft.codegen.graph import B32, B64, Addr, Value
from weft.codegen.linear import Lin
from weft.codegen.records import passed_directly, record
from weft.codegen.selector import Selector
from weft.codegen.types import Scalar, align_of, is_memref, is_unranked, layout, padded_size, pointer_space
from weft.dialects import narrow
from weft.isa import opcode
from weft.ptx.ast import Parameter
from weft.ptx.directive_nodes import CallPrototype
from weft.ptx.operands import Arguments, Symbol

RESULT = "func_retval0"


def parameter(type_: Attribute, name: str) -> Parameter:
    """The declaration of the parameter that carries a value (not a memref)."""
    bits = passed_directly(type_)
    if bits:
        return Parameter(f"b{bits}", name)
    found = record([type_])
    return Parameter("b8", name, align=found.alignment, dims=(found.size,))


def parameters(types: Sequence[Attribute], prefix: str) -> list[Parameter]:
    """The parameters of a function; memrefs are passed as the members of their descriptors."""
    found: list[Parameter] = []
    for type_ in types:
        if is_memref(type_) or is_unranked(type_):
            count = len(layout(type_).scalars)
            found += [Parameter("b64", f"{prefix}_param_{len(found) + i}") for i in range(count)]
        else:
            found.append(parameter(type_, f"{prefix}_param_{len(found)}"))
    return found


def results(types: Sequence[Attribute]) -> list[Parameter]:
    """The declaration of a function's results."""
    if not types:
        return []
    if len(types) == 1 and not is_memref(types[0]):
        return [parameter(types[0], RESULT)]
    found = record(types)
    return [Parameter("b8", RESULT, align=found.alignment, dims=(found.size,))]


def passed(s: Selector, scalar: Any, kind: Scalar) -> Value:
    """A scalar in the register that carries it."""
    if kind.kind == "test":
        return s.int_value(s.from_test(scalar, 32))
    if kind.kind == "pointer":
        return s.int_value(s.extended(generic(s, scalar), signed=False))
    return s.as_register(scalar, kind.cls)


def received(s: Selector, value: Value, kind: Scalar) -> Any:
    """A scalar from the register that carries it."""
    if kind.kind == "test":
        return s.to_test(linear.of(value))
    if kind.kind == "pointer" and kind.cls == B32:
        return s.truncated(linear.of(value))
    return s.wrapped(value, kind)


def carrier(kind: Scalar) -> str:
    """The class of the register that carries a scalar by itself."""
    return B64 if kind.kind == "pointer" else B32 if kind.kind == "test" else kind.cls


def bytes_at(s: Selector, symbol: str) -> Lin:
    """The place of a parameter of bytes."""
    value = s.pure(opcode("mov", type="b64"), B64, Symbol(symbol))
    value.space = "param"
    return linear.of(value)


def store_results(s: Selector, types: Sequence[Attribute], values: Sequence[Any]) -> None:
    """Store the results of the function being selected."""
    if not types:
        return
    scalars = [scalar for value in values for scalar in s.flatten(value)]
    if len(types) == 1 and not is_memref(types[0]) and (bits := passed_directly(types[0])):
        kind = layout(types[0]).scalars[0]
        s.emit(opcode("st", ss="param", type=f"b{bits}"), Addr(Symbol(RESULT)), passed(s, scalars[0], kind))
        return
    found = record(types)
    store_places(s, bytes_at(s, RESULT), scalars, found.places, "param", found.alignment)


def call(
    s: Selector,
    callee: str | Lin,
    arguments: Sequence[tuple[Any, Attribute]],
    types: Sequence[Attribute],
    copied: Mapping[int, Parameter] | None = None,
) -> list[Any]:
    """Call a function, by name or by address, and give its results.

    `copied` declares the parameters of those arguments (by number) whose bytes are passed in place of their address.
    """
    copied = copied or {}
    operands: list[Any] = []
    for index, (value, type_) in enumerate(arguments):
        if index in copied:
            operands.append(_copied_bytes(s, value, type_, copied[index]))
        elif is_memref(type_) or is_unranked(type_) or passed_directly(type_):
            kinds = layout(type_).scalars
            operands += [passed(s, scalar, kind) for scalar, kind in zip(s.flatten(value), kinds, strict=True)]
        else:
            operands.append(_stored_bytes(s, value, type_))
    target: tuple[Any, ...]
    if isinstance(callee, str):
        s.module.calls(callee)
        target, last = (Symbol(callee),), ()
    else:
        target = (s.int_value(generic(s, callee)),)
        listed = [
            copied.get(index, found) for index, (_, type_) in enumerate(arguments) for found in parameters([type_], "")
        ]
        last = (Symbol(_prototype(s, listed, types)),)
    given = (Arguments(tuple(operands)),) if operands or last or types else ()
    call = opcode("call", uni=not last)
    if not types:
        s.emit(call, *target, *given, *last)
        return []
    declared = results(types)[0]
    returned = Symbol(s.call_buffer(declared))
    s.emit(call, Arguments((returned,)), *target, *given, *last)
    return _results(s, types, declared, returned)


def by_value(type_: Attribute, alignment: int, name: str = "") -> Parameter:
    """The declaration of the parameter that carries what an argument points to."""
    return Parameter("b8", name, align=max(alignment, align_of(type_)), dims=(padded_size(type_),))


def copied(op: Operation) -> dict[int, Parameter]:
    """The parameters of the arguments that are passed by value, by their numbers."""
    found: dict[int, Parameter] = {}
    for index, note in enumerate(narrow.dictionaries(op, "arg_attrs")):
        type_ = note.get("llvm.byval")
        if type_ is not None:
            alignment = note.get("llvm.align")
            found[index] = by_value(type_, narrow.number(alignment) if alignment is not None else 1)
    return found


def _copied_bytes(s: Selector, address: Lin, type_: Attribute, declared: Parameter) -> Symbol:
    """A parameter of bytes that holds what a pointer points to, for one call."""
    symbol = s.call_buffer(declared)
    start = (address, space_of(s, address, pointer_space(type_)))
    alignment = min(declared.align, alignment_of(s, address, declared.align))
    move_block(s, (bytes_at(s, symbol), "param"), start, declared.dims[0], alignment)
    return Symbol(symbol)


def _stored_bytes(s: Selector, value: Any, type_: Attribute) -> Symbol:
    """A parameter of bytes that holds a value, for one call."""
    found = record([type_])
    symbol = s.call_buffer(parameter(type_, ""))
    store_places(s, bytes_at(s, symbol), s.flatten(value), found.places, "param", found.alignment)
    return Symbol(symbol)


def _results(s: Selector, types: Sequence[Attribute], declared: Parameter, returned: Symbol) -> list[Any]:
    if not declared.dims:
        kind = layout(types[0]).scalars[0]
        value = s.value(carrier(kind))
        s.read(opcode("ld", ss="param", type=declared.type), value, Addr(returned), outs=(value,))
        return [received(s, value, kind)]
    found = record(types)
    scalars = load_places(s, bytes_at(s, returned.name), found.places, "param", found.alignment)
    values: list[Any] = []
    at = 0
    for type_ in types:
        count = len(layout(type_).scalars)
        values.append(s.unflatten(type_, tuple(scalars[at : at + count])))
        at += count
    return values


def _prototype(s: Selector, arguments: Sequence[Parameter], types: Sequence[Attribute]) -> str:
    """The label of a `.callprototype` for functions of these parameters and results."""

    def unnamed(declarations: Sequence[Parameter]) -> list[Parameter]:
        return [Parameter("b8", "_", p.align, (p.dims[0],)) if p.dims else Parameter(p.type, "_") for p in declarations]

    returned = unnamed(results(types)) if types else []
    return s.call_prototype(lambda label: CallPrototype(label, returned, unnamed(arguments)))
