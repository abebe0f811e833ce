"""`gpu-kernel-outlining`: the body of each `gpu.launch` becomes a kernel in a `gpu.module`, the launch a call of it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import count

from xdsl.context import Context
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import (
    DenseArrayBase,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i32,
    i64,
)
from xdsl.dialects.llvm import FuncOp as LLVMFuncOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from weft.dataclass import dataclass
from weft.dialects.engine.attributes import attr
from weft.dialects.engine.making import new
from weft.dialects.engine.operations import op_class
from weft.dialects.gpu.kernels import WORKGROUP, positions, workgroup_count
from weft.dialects.rows import gpu
from weft.dialects.symbols import name_of, named

_POSITIONS = tuple(
    op_class(f"gpu.{name}") for name in ["block_id", "thread_id", "grid_dim", "block_dim", "cluster_id", "cluster_dim"]
)


@dataclass(frozen=True)
class GpuKernelOutlining(ModulePass):
    """Move kernels out of `gpu.launch`."""

    name = "gpu-kernel-outlining"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Transform a module."""
        del ctx
        functions = [found for found in op.body.block.ops if isinstance(found, func.FuncOp | LLVMFuncOp)]
        moved, numbers = False, count()
        for function in functions:
            place: Operation = function
            for launch in [found for found in function.walk() if isinstance(found, gpu.LaunchOp)]:
                place = _outline(op, function, launch, place, numbers)
                moved = True
        if moved:
            op.attributes["gpu.container_module"] = UnitAttr()


def _outline(
    module: ModuleOp, function: func.FuncOp | LLVMFuncOp, launch: gpu.LaunchOp, place: Operation, numbers: Iterator[int]
) -> Operation:
    """Outline one launch; returns the operation behind which the next kernel goes."""
    name = f"{function.sym_name.data}_kernel"
    kernel_name = launch.function.string_value() if launch.function is not None else name
    modules = {found.sym_name.data: found for found in module.body.block.ops if isinstance(found, gpu.ModuleOp)}
    wanted = launch.module.string_value() if launch.module is not None else kernel_name
    home = modules.get(wanted) if launch.module is not None else None
    if home is None:
        taken = {name_of(found) for found in module.body.block.ops}
        symbol = StringAttr(_unique(wanted, taken, numbers))
        home = gpu.ModuleOp.create(properties={"sym_name": symbol}, regions=[Region(Block())])
        module.body.block.insert_op_after(home, place)
        place = home
    arguments = captured(launch)
    kernel = _kernel(launch, kernel_name, arguments)
    held = {name_of(found) for found in home.body.block.ops}
    symbol = kernel.attributes["sym_name"] = StringAttr(_unique(kernel_name, held, count()))
    home.body.block.add_op(kernel)
    _bring(module, home, kernel)
    _replace(launch, SymbolRefAttr(home.sym_name, [symbol]), arguments)
    return place


def _bring(module: ModuleOp, home: gpu.ModuleOp, kernel: gpu.FuncOp) -> None:
    """Copy what a kernel names into its module: the functions that it calls, their globals, and what these name.

    Breadth first but for the newest, which is upstream's order of the copies.
    """
    theirs = {name: found for found in module.body.block.ops if (name := name_of(found))}
    held = {name_of(found) for found in home.body.block.ops}
    waiting: list[Operation] = [kernel]
    while waiting:
        for name in named(waiting.pop()):
            if name not in held and name in theirs:
                copy = theirs[name].clone()
                home.body.block.add_op(copy)
                held.add(name)
                waiting.append(copy)


def _unique(name: str, taken: Container[str | None], numbers: Iterator[int]) -> str:
    """A name, with the next free number behind it where it is taken; a table numbers all its symbols together."""
    found = name
    while found in taken:
        found = f"{name}_{next(numbers)}"
    return found


def captured(launch: gpu.LaunchOp) -> list[SSAValue]:
    """The values from outside that the body of a launch uses, in the order of their uses.

    An operation comes behind those of its regions, as in upstream's walk: the order is that of the kernel's parameters.
    """
    inside = set(launch.body.walk())
    found: dict[SSAValue, None] = {}
    for op in launch.body.walk(region_first=True):
        for operand in op.operands:
            owner = operand.owner
            within = owner in inside if isinstance(owner, Operation) else _stands_in(owner, launch)
            if not within:
                found[operand] = None
    return list(found)


def _stands_in(block: Block, launch: gpu.LaunchOp) -> bool:
    parent = block.parent_op()
    while parent is not None and parent is not launch:
        parent = parent.parent_op()
    return parent is launch


def _kernel(launch: gpu.LaunchOp, name: str, arguments: Sequence[SSAValue]) -> gpu.FuncOp:
    """The kernel, into which the body of the launch moves."""
    region = launch.detach_region(launch.body)
    entry = region.blocks[0]
    count = positions(launch)
    types = [value.type for value in arguments]
    ids = [
        cls.create(properties={"dimension": attr("gpu.dim", dimension)}, result_types=[entry.args[0].type])
        for cls in _POSITIONS[: count // 3]
        for dimension in ("x", "y", "z")
    ]
    first = entry.first_op
    for op in ids:
        if first is not None:
            entry.insert_op_before(op, first)
    for argument, op in zip(list(entry.args[:count]), ids, strict=True):
        argument.replace_all_uses_with(op.results[0])
        entry.erase_arg(argument)
    inside = set(region.walk())
    for index, value in enumerate(arguments):
        argument = entry.insert_arg(value.type, index)
        value.replace_uses_with_if(argument, lambda use: use.operation in inside)
    for op in list(region.walk()):
        if op.name == "gpu.terminator":
            parent = op.parent
            assert parent is not None
            parent.insert_op_before(new("gpu.return"), op)
            op.detach()
            op.erase()
    properties: dict[str, Attribute] = {"function_type": FunctionType.from_lists(types, [])}
    attributes: dict[str, Attribute] = {
        "sym_name": StringAttr(name),
        "gpu.kernel": UnitAttr(),
        WORKGROUP: IntegerAttr(workgroup_count(launch), i64),
    }
    for known, sizes in (
        ("known_block_size", (launch.block_size_x, launch.block_size_y, launch.block_size_z)),
        ("known_grid_size", (launch.grid_size_x, launch.grid_size_y, launch.grid_size_z)),
    ):
        constants = [_constant(size) for size in sizes]
        if None not in constants:
            properties[known] = DenseArrayBase.from_list(i32, [size for size in constants if size is not None])
    return gpu.FuncOp.create(properties=properties, attributes=attributes, regions=[region])


def _constant(value: SSAValue) -> int | None:
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value.data
    return None


def _replace(launch: gpu.LaunchOp, kernel: SymbolRefAttr, arguments: Sequence[SSAValue]) -> None:
    """Put the call of the kernel where the launch is."""
    clusters = 0 if launch.cluster_size_x is None else 1
    shared = 0 if launch.dynamic_shared_memory_size is None else 1
    segments = [len(launch.async_dependencies), *[1] * 6, *[clusters] * 3, shared]
    call = op_class("gpu.launch_func").create(
        operands=[*launch.operands, *arguments],
        result_types=[result.type for result in launch.results],
        properties={
            "kernel": kernel,
            "operandSegmentSizes": DenseArrayBase.from_list(i32, [*segments, len(arguments), 0]),
        },
    )
    parent = launch.parent
    assert parent is not None
    parent.insert_op_before(call, launch)
    for old, result in zip(launch.results, call.results, strict=True):
        old.replace_all_uses_with(result)
    launch.detach()
    launch.erase()
