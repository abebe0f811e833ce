"""What a kernel tells its host: `gpu.printf` and `cf.assert`, through the functions that the driver provides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weft.codegen import linear
from weft.codegen.access import generic, store
from weft.codegen.floats import F64
from weft.codegen.graph import B32, B64, BITS, Addr, Const, If
from weft.codegen.ops.arith_cast import refloated
from weft.codegen.selector import Selector, handles
from weft.codegen.types import LOCAL, Scalar, layout
from weft.isa import opcode
from weft.mlir import position
from weft.ptx.ast import Parameter
from weft.ptx.operands import Arguments, Symbol

if TYPE_CHECKING:
    from xdsl.dialects.cf import AssertOp

    from weft.dialects.rows import gpu

_VPRINTF = ("vprintf", ("b64", "b64"), ("b32",))
_CHARACTER = 1
"""The bytes of a character of an assertion's message."""
_ASSERTFAIL = ("__assertfail", ("b64", "b64", "b32", "b64", "b64"), ())


def _external(s: Selector, function: tuple[str, tuple[str, ...], tuple[str, ...]]) -> Symbol:
    """Declare a function of the driver's."""
    name, parameters, results = function
    s.module.external(
        name,
        [Parameter(type_, f"{name}_param_{i}") for i, type_ in enumerate(parameters)],
        [Parameter(type_, "func_retval0") for type_ in results],
    )
    return Symbol(name)


def text(s: Selector, content: str) -> Any:
    """The generic address of a text that ends with a zero byte."""
    name = s.module.constant_data(content.encode() + b"\0")
    place = s.pure(opcode("mov", type="b64"), B64, Symbol(name))
    return s.pure(opcode("cvta", ss="global", size="u64"), B64, place)


def _promoted(s: Selector, scalar: Any, kind: Scalar) -> tuple[Any, Scalar]:
    """An argument as C passes it to a function of variable arguments."""
    if kind.floating:
        return (scalar, kind) if kind.width == 64 else (refloated(s, scalar, kind, F64), F64)
    if kind.kind == "test":
        return s.from_test(scalar, 32), Scalar("int", B32, 32, "i32")
    if kind.width < 32:
        return s.exactly(scalar, kind.width, signed=True), Scalar("int", B32, 32, "i32")
    return scalar, kind


@handles("gpu.printf")
def select_printf(s: Selector, op: gpu.PrintfOp) -> None:
    """Format the values on the host, through `vprintf` and a buffer with the arguments."""
    parts: list[tuple[Any, Scalar]] = []
    for value in op.operands:
        for scalar, kind in zip(s.flatten(s.get(value)), layout(value.type).scalars, strict=True):
            parts.append(_promoted(s, scalar, kind))
    arguments: Any = 0
    if parts:
        offsets: list[int] = []
        size = 0
        for _, kind in parts:
            size = -(-size // kind.bytes) * kind.bytes
            offsets.append(size)
            size += kind.bytes
        buffer = s.local_buffer(size, 8)
        for (scalar, kind), offset in zip(parts, offsets, strict=True):
            store(s, linear.offset(buffer, offset), scalar, _type(kind), LOCAL, 8)
        arguments = s.int_value(generic(s, buffer))
    format_ = text(s, op.format.data)
    _call(s, _external(s, _VPRINTF), format_, s.register(arguments, B64), returns=True)


def _type(kind: Scalar) -> Any:
    from xdsl.dialects.builtin import f64, i32, i64

    return f64 if kind.kind == "float" else i32 if kind.width == 32 else i64


def _call(s: Selector, function: Symbol, *operands: Any, returns: bool) -> None:
    """Call one of the driver's functions; arguments and result lie in parameter variables."""
    arguments: list[Symbol] = []
    for operand in operands:
        kind = f"b{BITS[operand.cls]}"
        arguments.append(Symbol(s.call_buffer(Parameter(kind, ""))))
        s.emit(opcode("st", ss="param", type=kind), Addr(arguments[-1]), operand)
    result = (Arguments((Symbol(s.call_buffer(Parameter("b32", ""))),)),) if returns else ()
    s.emit(opcode("call", uni=True), *result, function, Arguments(tuple(arguments)))


@handles("cf.assert")
def select_assert(s: Selector, op: AssertOp) -> None:
    """Tell the host and stop the kernel if the condition is false."""
    test = s.test(op.operands[0])
    if isinstance(test, Const) and test.pattern:
        return
    branch = If(test, s.child(), s.child(), source=s.source)
    with s.at(branch.otherwise):
        message = text(s, op.msg.data)
        place = position(op)
        where = [text(s, name) for name in (place.file, s.name)]
        operands = (message, where[0], s.register(place.line, B32), where[1], s.register(_CHARACTER, B64))
        _call(s, _external(s, _ASSERTFAIL), *operands, returns=False)
    if isinstance(test, Const):
        s.block.items += branch.otherwise.items
    else:
        s.block.items.append(branch)
