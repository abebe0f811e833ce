"""Calls between device functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation

from weft.codegen import libdevice
from weft.codegen.calls import call, copied
from weft.codegen.inlining import inline
from weft.codegen.names import ptx_name
from weft.codegen.ops.variadic import unnamed
from weft.codegen.selector import Selector, handles
from weft.mlir import compile_error

if TYPE_CHECKING:
    from xdsl.dialects import func
    from xdsl.dialects.llvm import LLVMFunctionType

    from weft.dialects import rows


@handles("func.call", "llvm.call")
def select_call(s: Selector, op: func.CallOp | rows.llvm.CallOp) -> None:
    """A call, by name or (`llvm.call`) through a pointer."""
    callee = op.callee
    operands = list(op.operands)
    target = ptx_name(callee.root_reference.data) if callee is not None else s.int(operands.pop(0))
    if isinstance(target, str) and s.module.is_library(target):
        libdevice.select(s, op, target)
        return
    if isinstance(target, str) and inline(s, op, target):
        return
    arguments, by_value = [(s.get(v), v.type) for v in operands], copied(op)
    type_ = op.properties.get("var_callee_type")
    if type_ is not None and (kind := cast("LLVMFunctionType", type_)).is_variadic:
        first = len(kind.inputs)
        arguments[first:] = [unnamed(s, arguments, by_value, first)]
        by_value = {index: declared for index, declared in by_value.items() if index < first}
    values = call(s, target, arguments, [result.type for result in op.results], by_value)
    for result, value in zip(op.results, values, strict=True):
        s.values[result] = value


@handles("func.call_indirect")
def select_call_indirect(s: Selector, op: Operation) -> None:
    """A call through a function value."""
    arguments = [(s.get(v), v.type) for v in op.operands[1:]]
    values = call(s, s.int(op.operands[0]), arguments, [result.type for result in op.results])
    for result, value in zip(op.results, values, strict=True):
        s.values[result] = value


@handles("func.constant")
def select_function(s: Selector, op: rows.func.ConstantOp) -> None:
    """The address of a function."""
    name = ptx_name(op.value.root_reference.data)
    address = s.function_address(name)
    if address is None:
        raise compile_error(op, f"undefined function '{name}'")
    s.values[op.results[0]] = address
