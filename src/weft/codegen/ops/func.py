"""Calls between device functions."""

from __future__ import annotations

from typing import Any

from weft.codegen.selector import Selector, handles
from weft.codegen.types import layout
from weft.mlir import compile_error


@handles("func.call", "llvm.call")
def select_call(s: Selector, op: Any) -> None:
    """A call: arguments and results go through parameters in the order of their scalars."""
    callee = op.properties.get("callee")
    if callee is None:
        raise compile_error(op, "an indirect call has no lowering")
    name = callee.root_reference.data
    arguments = [(x, k) for v in op.operands for x, k in zip(s.flatten(s.get(v)), layout(v.type).scalars, strict=True)]
    kinds = [kind for result in op.results for kind in layout(result.type).scalars]
    from weft.codegen.calls import call

    values = call(s, name, arguments, kinds)
    at = 0
    for result in op.results:
        count = len(layout(result.type).scalars)
        s.values[result] = s.unflatten(result.type, tuple(values[at : at + count]))
        at += count
