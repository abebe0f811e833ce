"""What the hardware of a module's target does not have: launches that a GPU would refuse."""

from __future__ import annotations

from collections.abc import Iterator

from weft.isa.limits import (
    CLUSTER_CTAS,
    CONSTANT_BYTES,
    CTA_EXTENTS,
    GRID_EXTENTS,
    LOCAL_BYTES,
    REGISTER_GRAIN,
    REGISTERS,
    STATIC_SHARED,
    Limits,
    limits_of,
)
from weft.isa.target import TARGETS, Version
from weft.ptx.ast import Function, Module, Variable
from weft.ptx.directive_nodes import FunctionDirective
from weft.sim import image
from weft.sim.batch import Extent, Launch
from weft.sim.faults import SimulationError
from weft.sim.lanes import WARP
from weft.sim.program import Program


def check_launch(module: Module, kernel: Function, launch: Launch) -> None:
    """Refuse extents and parameters that the target does not have.  Raises SimulationError."""
    _within("grid", launch.grid, GRID_EXTENTS)
    _within("block", launch.block, CTA_EXTENTS)
    limits = _limits(module)
    if limits is None:
        return
    if launch.cluster_ctas > limits.cluster:
        most = f"at most {CLUSTER_CTAS}" if limits.cluster > 1 else "no clusters before sm_90"
        raise SimulationError(
            f"a cluster of {launch.cluster_ctas} CTAs is too large", hint=f"{module.target} has {most}"
        )
    size = 0
    for parameter in kernel.parameters:
        align = image.alignment_of(parameter)
        size = -(-size // align) * align + image.size_of(parameter)
    if size > limits.parameters:
        raise SimulationError(
            f"kernel '{kernel.name}' has {size:,} bytes of parameters; at most {limits.parameters:,} are allowed",
            hint="PTX 8.1 allows 32,764 bytes from sm_70 on; pass a pointer to a structure instead",
        )


def check_registers(kernel: Function, launch: Launch, registers: int | None) -> None:
    """Refuse more registers than a multiprocessor has; `registers` are those of a thread, as ptxas counts them.

    Without a count nothing is known, save of kernels with `setmaxnreg`: they start with what `.maxnreg` says.  Raises
    SimulationError.
    """
    if registers is None:
        directives = {d.name: d.values for d in kernel.directives if isinstance(d, FunctionDirective)}
        if "maxnreg" not in directives or all(i.opcode.stem != "setmaxnreg" for i in kernel.instructions()):
            return
        registers = directives["maxnreg"][0]
    each = -(-registers // REGISTER_GRAIN) * REGISTER_GRAIN
    wanted = each * launch.warps * WARP
    if wanted > REGISTERS:
        most = REGISTERS // (launch.warps * WARP) // REGISTER_GRAIN * REGISTER_GRAIN
        raise SimulationError(
            f"a CTA of kernel '{kernel.name}' needs {wanted:,} registers: {each} per thread for {launch.warps} warps",
            hint=f"use at most {most} registers per thread (.maxnreg) or a smaller block: "
            f"a multiprocessor has {REGISTERS:,}",
        )


def check_memory(program: Program, launch: Launch) -> None:
    """Refuse more shared, local or constant memory than the target has.  Raises SimulationError."""
    name, limits = program.kernel.name, _limits(program.module)
    static = program.static_shared
    if static > STATIC_SHARED:
        raise SimulationError(
            f"kernel '{name}' declares {static:,} bytes of static shared memory; at most {STATIC_SHARED:,} are allowed",
            hint="declare it .extern without a size, and pass its size as shared_bytes",
        )
    if limits is not None and static + launch.dynamic_shared > limits.shared:
        raise SimulationError(
            f"kernel '{name}' needs {static + launch.dynamic_shared:,} bytes of shared memory "
            f"({static:,} static and {launch.dynamic_shared:,} dynamic)",
            hint=f"a CTA on {program.module.target} has at most {limits.shared:,} bytes",
        )
    local = sum(_sizes(program, "local"))
    if local > LOCAL_BYTES:
        raise SimulationError(
            f"kernel '{name}' has {local:,} bytes of local memory; a thread has at most {LOCAL_BYTES:,}"
        )
    constant = sum(
        image.size_of(program.variables[symbol])
        for symbol in program.globals.places
        if program.variables[symbol].space == "const"
    )
    if constant > CONSTANT_BYTES:
        raise SimulationError(
            f"kernel '{name}' has {constant:,} bytes of constants; at most {CONSTANT_BYTES:,} are allowed"
        )


def _sizes(program: Program, space: str) -> Iterator[int]:
    for function in program.functions.values():
        for statement in function.walk():
            if isinstance(statement, Variable) and statement.space == space:
                yield image.size_of(statement) * max(1, statement.count)


def _within(what: str, extent: Extent, most: Extent) -> None:
    for axis, value, limit in zip("xyz", extent, most, strict=True):
        if value > limit:
            raise SimulationError(f"the {what} has an extent of {value:,} along {axis}", hint=f"the limit is {limit:,}")


def _limits(module: Module) -> Limits | None:
    target = TARGETS.get(module.target)
    return None if target is None else limits_of(target, Version(*module.version))
