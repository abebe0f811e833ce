"""The calling convention of device functions: one parameter for each scalar."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.graph import B32, Addr
from weft.codegen.selector import Selector
from weft.codegen.types import Scalar
from weft.ptx.ast import Parameter
from weft.ptx.operands import Arguments, Symbol


def parameter_type(kind: Scalar) -> str:
    """The type of the parameter that carries a scalar; integers below 32 bits are passed in 32."""
    return "b64" if kind.cls == "b64" else "b32" if kind.cls in ("b32", "pred") else "b16"


def result_parameter(number: int, kind: Scalar) -> Parameter:
    """The declaration of a function's result."""
    return Parameter(parameter_type(kind), f"func_retval{number}")


def passed(s: Selector, scalar: Any, kind: Scalar) -> Any:
    """A scalar as it is passed."""
    from weft.codegen.access import generic

    if kind.kind == "test":
        return s.int_value(s.from_test(scalar, 32))
    if kind.kind == "pointer":
        scalar = generic(s, scalar)
    return s.as_register(scalar, kind.cls)


def store_parameter(s: Selector, name: str, scalar: Any, kind: Scalar) -> None:
    """Store a scalar into a parameter."""
    s.emit(f"st.param.{parameter_type(kind)}", Addr(Symbol(name)), passed(s, scalar, kind))


def call(s: Selector, name: str, arguments: list[tuple[Any, Scalar]], results: list[Scalar]) -> list[Any]:
    """Call a function and give its results."""
    outs = tuple(s.value(B32 if kind.kind == "test" else kind.cls) for kind in results)
    operands = tuple(passed(s, scalar, kind) for scalar, kind in arguments)
    callee = Symbol(name)
    if outs:
        s.emit("call.uni", Arguments(outs), callee, Arguments(operands), outs=outs)
    elif operands:
        s.emit("call.uni", callee, Arguments(operands))
    else:
        s.emit("call.uni", callee)
    return [
        s.to_test(linear.of(value)) if kind.kind == "test" else s.wrapped(value, kind)
        for value, kind in zip(outs, results, strict=True)
    ]
