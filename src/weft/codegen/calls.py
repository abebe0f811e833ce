"""The calling convention of device functions: one parameter for each scalar."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.access import generic
from weft.codegen.graph import B32, Addr
from weft.codegen.selector import Selector
from weft.codegen.types import Scalar
from weft.ptx.ast import Parameter
from weft.ptx.operands import Arguments, Symbol


def parameter_type(kind: Scalar) -> str:
    """The type of the parameter that carries a scalar; integers below 32 bits are passed in 32."""
    return "b64" if kind.cls == "b64" else "b32" if kind.cls in ("b32", "pred") else "b16"


def result_offsets(kinds: list[Scalar]) -> tuple[list[int], int, int]:
    """Where each of several results lies in the aggregate that carries them; its size and alignment in bytes."""
    offsets: list[int] = []
    end = 0
    for kind in kinds:
        size = int(parameter_type(kind)[1:]) // 8
        end = -(-end // size) * size
        offsets.append(end)
        end += size
    return offsets, end, 8


def result_parameters(kinds: list[Scalar]) -> list[Parameter]:
    """The declaration of a function's results: one parameter, an aggregate if there are several."""
    if len(kinds) < 2:
        return [Parameter(parameter_type(kind), RESULT) for kind in kinds]
    _, size, alignment = result_offsets(kinds)
    return [Parameter("b8", RESULT, align=alignment, dims=(size,))]


RESULT = "func_retval0"


def passed(s: Selector, scalar: Any, kind: Scalar) -> Any:
    """A scalar as it is passed."""
    if kind.kind == "test":
        return s.int_value(s.from_test(scalar, 32))
    if kind.kind == "pointer":
        scalar = generic(s, scalar)
    return s.as_register(scalar, kind.cls)


def store_results(s: Selector, scalars: list[Any], kinds: list[Scalar]) -> None:
    """Store the results of the function being selected."""
    offsets, _, _ = result_offsets(kinds)
    for scalar, kind, offset in zip(scalars, kinds, offsets, strict=True):
        s.emit(f"st.param.{parameter_type(kind)}", Addr(Symbol(RESULT), offset), passed(s, scalar, kind))


def arguments_of(operands: tuple[Any, ...]) -> Arguments:
    """The parenthesised list of a call; its registers are still values of the graph."""
    return Arguments(operands)


def call(s: Selector, name: str, arguments: list[tuple[Any, Scalar]], results: list[Scalar]) -> list[Any]:
    """Call a function and give its results."""
    s.module.calls(name)
    operands = tuple(passed(s, scalar, kind) for scalar, kind in arguments)
    callee = Symbol(name)
    rest = (callee, arguments_of(operands)) if operands else (callee,)
    outs = tuple(s.value(B32 if kind.kind == "test" else kind.cls) for kind in results)
    if not outs:
        s.emit("call.uni", *rest)
    else:
        offsets, size, alignment = result_offsets(results)
        type_ = parameter_type(results[0]) if len(outs) == 1 else "b8"
        returned = Symbol(s.call_buffer(type_, size, alignment))
        s.emit("call.uni", Arguments((returned,)), callee, arguments_of(operands))
        for out, kind, offset in zip(outs, results, offsets, strict=True):
            s.read(f"ld.param.{parameter_type(kind)}", out, Addr(returned, offset), outs=(out,))
    return [
        s.to_test(linear.of(value)) if kind.kind == "test" else s.wrapped(value, kind)
        for value, kind in zip(outs, results, strict=True)
    ]
