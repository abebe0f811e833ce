"""Modules that ptxas compiles without the ABI: those with a function of several results.

One such declaration is enough, called or not.  ptxas then looks at the call graph as a whole (it warns "disabling
ABI"): it passes registers of any type, and refuses recursion, calls of functions of its own, and functions whose
address is taken, where kernels reach them.  A function that is missing is as in other modules: it may be linked.
"""

from __future__ import annotations

from collections.abc import Iterator

from weft.ptx.analysis.calls import CallGraph, call_graph
from weft.ptx.ast import Function
from weft.ptx.operands import Operand, Register, Symbol
from weft.ptx.verifier.calls import BUILT_IN
from weft.ptx.verifier.context import Context


def check_without_abi(context: Context) -> None:
    """Reports what only the ABI allows, in a module that ptxas compiles without it."""
    several = context.without_abi
    if several is None:
        return
    every = {f.name: context.twins.get(id(f), f) for f in context.module.functions if f.body is not None}
    graph = call_graph(every.values())
    used = {name for function in every.values() if function.kernel for name in graph.reachable(function.name)}
    for name, function in every.items():
        if name in used:
            _check_function(context, function, graph, several.name)


def _check_function(context: Context, function: Function, graph: CallGraph, several: str) -> None:
    def report(problem: str, pos: int, token: str) -> None:
        message = f"{problem}, which needs the ABI: ptxas gives it up because '{several}' returns several values"
        context.report("call", message, pos, token=token, hint="return one value, or an array in .param")

    if function.name in graph.recursive:
        report(f"'{function.name}' is recursive", function.pos, function.name)
    for instruction in function.instructions():
        callee = instruction.named.get("f") if instruction.opcode.effects.control == "call" else None
        if isinstance(callee, Register):
            report(f"'{callee}' is called indirectly", instruction.pos, callee.name)
        elif isinstance(callee, Symbol) and callee.name in graph.external & BUILT_IN:
            report(f"'{callee}' is called", instruction.pos, callee.name)
        elif callee is None:
            for name in _taken(context, instruction.operands):
                report(f"the address of '{name}' is taken", instruction.pos, name)


def _taken(context: Context, operands: tuple[Operand, ...]) -> Iterator[str]:
    """The functions that an instruction takes the address of."""
    for operand in operands:
        if isinstance(operand, Symbol) and (found := context.functions.get(operand.name)) and not found.kernel:
            yield operand.name
