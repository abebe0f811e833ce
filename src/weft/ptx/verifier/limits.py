"""How much memory a module may take: constant memory in all, shared memory for each kernel.

The limits are those that ptxas names when a module is beyond them.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from weft.errors import Severity
from weft.isa.types import size_of
from weft.ptx.analysis.calls import CallGraph, call_graph
from weft.ptx.ast import Function, Variable
from weft.ptx.operands import Address, Arguments, Element, Operand, Symbol
from weft.ptx.verifier.calls import BUILT_IN
from weft.ptx.verifier.context import Context

MAX_CONSTANT_BYTES = 65_536
MAX_SHARED_BYTES = 49_152
MAX_SHARED_BYTES_OF = {
    **dict.fromkeys(("sm_90a", "sm_100a", "sm_103a", "sm_107a", "sm_110a"), 232_448),
    **dict.fromkeys(("sm_120a", "sm_121a"), 101_376),
}
"""Static shared memory of a kernel where a module is for one architecture only; elsewhere `MAX_SHARED_BYTES`."""


def check_memory(context: Context) -> None:
    """Reports a module beyond the limits."""
    placed = context.placed
    constants = [v for v in placed if v.space == "const" and v.linkage != "extern"]
    used = _end(constants)
    if used > MAX_CONSTANT_BYTES:
        message = f"the module's .const variables take {used} bytes; at most {MAX_CONSTANT_BYTES} are allowed"
        context.report("declaration", message, constants[-1].pos, token=constants[-1].name)
    else:
        _check_external(context, constants, [v for v in placed if v.linkage == "extern" and v.space == "const"])
    most = MAX_SHARED_BYTES_OF.get(context.target, MAX_SHARED_BYTES)
    if _end(list(filter(_is_shared, placed))) > most:
        _check_kernels(context, most)
    if context.spilling:
        _check_spilling(context)


def _check_external(context: Context, constants: list[Variable], external: list[Variable]) -> None:
    """Variables of other modules follow the module's own, each name once; ptxas counts them where it has no `-c`."""
    own = {v.name for v in constants}
    others = {v.name: v for v in external if v.name not in own}
    used = _end([*constants, *others.values()])
    if others and used > MAX_CONSTANT_BYTES:
        last = next(reversed(others.values()))
        message = f"with .extern ones, .const variables take {used} bytes; at most {MAX_CONSTANT_BYTES} are allowed"
        hint = "ptxas rejects this without -c"
        context.report("extern-memory", message, last.pos, token=last.name, hint=hint, severity=Severity.WARNING)


def _check_kernels(context: Context, most: int) -> None:
    """A kernel takes the shared variables of its body and of those of functions it calls, and what they name."""
    graph = call_graph(_functions(context))
    for kernel, taken in _kernels(context, graph):
        used = sum(map(_bytes, taken))
        own = sum(_bytes(variable) for variable in taken if variable.linkage != "extern")
        if used <= most:
            continue
        elsewhere = own <= most
        message = f"kernel '{kernel.name}' uses {used} bytes of shared memory, but {context.target} has {most}"
        if elsewhere and graph.external - BUILT_IN:  # To be linked: ptxas wants -c, and looks at no limit then.
            context.report("extern-memory", message, kernel.pos, token=kernel.name, severity=Severity.WARNING)
        elif used & 0xFFFF_FFFF <= most:
            message += " (ptxas wraps at 4 GB, and accepts it)"
            context.report("tolerated", message, kernel.pos, token=kernel.name, severity=Severity.WARNING)
        else:
            hint = "use dynamic shared memory" + (" (an .extern array without an extent)" if elsewhere else "")
            context.report("declaration", message, kernel.pos, token=kernel.name, hint=hint)


def _check_spilling(context: Context) -> None:
    """ptxas spills into shared memory where it sees all of a program, and how much of that memory the kernel takes."""
    graph = call_graph(_functions(context))
    taken = {kernel.name: variables for kernel, variables in _kernels(context, graph)}
    for kernel, pos in context.spilling.items():
        unsized = sorted(variable.name for variable in taken[kernel] if min(variable.dims, default=1) <= 0)
        if graph.external - BUILT_IN:
            why = "the module calls functions of other modules"
        elif "debug" in context.module.targets:
            why = "the module is compiled for debugging"
        elif unsized:
            why = f"the size of '{unsized[0]}' is known only at launch"
        else:
            continue
        message = f".pragma: registers cannot be spilled to shared memory here: {why}"
        context.report("directive", message, pos, token='"enable_smem_spilling"')


def _functions(context: Context) -> list[Function]:
    """The functions of a module, those that were checked without being read as what stands for them."""
    return [context.twins.get(id(function), function) for function in context.module.functions]


def _kernels(context: Context, graph: CallGraph) -> Iterator[tuple[Function, list[Variable]]]:
    """Each kernel with the shared variables that it takes."""
    functions = {function.name: function for function in _functions(context) if function.defined}
    found = [v for v in context.module.items if isinstance(v, Variable) and _is_shared(v)]
    common = {v.name: v for v in sorted(found, key=lambda variable: variable.linkage != "extern")}
    for kernel in functions.values():
        if kernel.kernel:
            reached = [functions[each] for each in graph.reachable(kernel.name) if each in functions]
            taken = [v for function in reached for v in function.walk() if isinstance(v, Variable) and _is_shared(v)]
            named = {name for function in reached for name in _named(function)} - {v.name for v in taken}
            yield kernel, [*taken, *(v for name, v in common.items() if name in named)]


def _is_shared(variable: Variable) -> bool:
    return variable.space == "shared"


def _bytes(variable: Variable) -> int:
    """What a variable takes of known size; of `name<8>` ptxas places those that are named, too few to matter."""
    if variable.count or not all(0 < extent < 1 << 63 for extent in variable.dims):
        return 0
    return size_of(variable.type) * (int(variable.vector[1:]) if variable.vector else 1) * prod(variable.dims)


def _end(variables: list[Variable]) -> int:
    """Where the last of some variables ends that follow one another as aligned as they ask to be."""
    end = 0
    for variable in variables:
        size = _bytes(variable)
        end += -end % (variable.align or size_of(variable.type) or 1) + size
    return end


def _named(function: Function) -> Iterator[str]:
    """The variables that a function's instructions name."""
    for instruction in function.instructions():
        for operand in instruction.operands:
            yield from _symbols(operand)


def _symbols(operand: Operand) -> Iterator[str]:
    if isinstance(operand, Symbol):
        yield operand.name
    elif isinstance(operand, Element):
        yield operand.array
    elif isinstance(operand, Address):
        yield from _symbols(operand.base)
    elif isinstance(operand, Arguments):
        for element in operand.elements:
            yield from _symbols(element)
