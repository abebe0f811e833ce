"""From a Python function to a module of the tile dialect, and from there to PTX."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IntAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i8,
    i32,
    i64,
)
from xdsl.dialects.llvm import LLVMArrayType, LLVMPointerType
from xdsl.ir import Attribute, Block, Region, SSAValue

from weft.collecting import paused
from weft.dialects.engine.making import new
from weft.dialects.engine.operations import op_class
from weft.errors import CompileError, Position, WeftError
from weft.tile.inlined import surroundings
from weft.tile.interpret import run
from weft.tile.parameters import INDEX, Global, Specialization
from weft.tile.roles import Team
from weft.tile.scalars import Scalar
from weft.tile.schedules import tiles_of
from weft.tile.tensor_copies import Map, Maps
from weft.tile.tensor_memory import Columns
from weft.tile.tensors import Tensor
from weft.tile.trace import Trace, tracing, with_source

if TYPE_CHECKING:
    from weft.ptx.ast import Module
    from weft.tile.kernel import Kernel

GLOBAL = LLVMPointerType(IntAttr(1))
_NOTHING = DictionaryAttr({})
_MAP = DictionaryAttr(
    {"llvm.byval": LLVMArrayType(128, i8), "llvm.align": IntegerAttr(64, i64), "tile.grid_constant": UnitAttr()}
)
"""A tensor map as a parameter: its 128 bytes.  MLIR has nvvm's `grid_constant` on functions of llvm only."""


class Built:
    """A traced kernel: its module of the tile dialect, its block size, its tensor maps, and for each target
    that it was compiled for, its dynamic shared memory in bytes (`shared`).  `loss` is what keeps it off a GPU,
    `roles` are first warp, warps and registers of each role.
    """

    def __init__(self, traced: Traced, again: Callable[[], Traced]) -> None:
        self.threads = traced.threads
        self.maps = traced.maps
        self._tiles = traced.tiles
        self._cluster = prod(traced.cluster)
        self._dynamic = traced.dynamic
        self.shared: dict[str, int] = {}
        self.loss = traced.loss
        self.roles = traced.roles
        self.tensor_columns = traced.tensor_columns
        self._module: ModuleOp | None = traced.module
        self._again = again

    @property
    def module(self) -> ModuleOp:
        """The module, to be looked at."""
        if self._module is None:
            self._module = self._again().module
        return self._module

    def blocks(self, sizes: Mapping[str, int], processors: int) -> tuple[int, ...]:
        """The grid of a persistent kernel on a GPU: whole clusters, no more than there are tiles for."""
        tiles = self._tiles(sizes) if self._tiles is not None else processors
        most = tiles if self._dynamic else processors // self._cluster
        clusters = max(1, min(most, -(-tiles // self._cluster)))
        return (clusters * self._cluster,)

    def tiles(self, sizes: Mapping[str, int]) -> int | None:
        """The tiles of the kernel's raster for sizes, None where it has none."""
        return None if self._tiles is None else self._tiles(sizes)

    def take(self) -> ModuleOp:
        """The module, to be lowered in place: who asks next gets one that is traced anew."""
        module, self._module = self.module, None
        return module


def build(kernel: Kernel, to: Specialization) -> Built:
    """Trace a kernel.

    Raises:
        CompileError: the function does something that a kernel cannot; with its Python line.
    """
    with paused():
        return Built(_traced(kernel, to), lambda: _traced(kernel, to))


class Traced(NamedTuple):
    """What tracing gives; `tiles` is how many tiles there are for sizes, where a raster says so."""

    module: ModuleOp
    threads: int
    maps: tuple[Map, ...]
    cluster: tuple[int, ...]
    tiles: Callable[[Mapping[str, int]], int] | None
    loss: CompileError | None
    roles: tuple[tuple[int, int, int | None], ...]
    tensor_columns: int
    dynamic: bool


THREADS = 128
"""Threads of a block, where nothing says how many."""


def _traced(kernel: Kernel, to: Specialization) -> Traced:
    source = kernel.source
    options = dict(to.options)
    cluster = kernel.cluster(options)
    block = Block()
    trace = Trace(block)
    arguments = _Arguments(kernel, to, block)
    trace.extra["cluster"], trace.extra["dynamic"] = cluster, kernel.dynamic
    with tracing(trace):
        returned = run(source, surroundings(kernel.function), {**arguments.values(), **options})
    if returned is not None:
        place = with_source(Position(source.line, 0, source.file))
        raise CompileError("a kernel cannot return a value", place, "write results into its tensors")
    with tracing(trace):
        trace.close()
    block.add_op(new("gpu.return"))
    threads, sets_registers = _threads(kernel, options, trace)
    module = _module(kernel, threads, block, trace, cluster, sets_registers=sets_registers)
    team = trace.extra.get(Team)
    roles = tuple((one.first, one.warps, one.registers) for one in team.roles) if team is not None else ()
    tiles = tiles_of(trace, arguments.named)
    columns = trace.extra[Columns].allocated if Columns in trace.extra else 0
    maps, loss = tuple(Maps.of(trace).found), _loss(trace)
    return Traced(module, threads, maps, cluster, tiles, loss, roles, columns, kernel.dynamic)


def _loss(trace: Trace) -> CompileError | None:
    """Why the kernel would be much slower on a GPU than it is written: products, and a function that it calls."""
    called = trace.extra.get("calls")
    if called is None or not trace.extra.get("products"):
        return None
    return CompileError(
        "print and assert are calls, and ptxas serializes all wgmma instructions of a kernel with calls (C7510)",
        called,
        "use print and assert only when the kernel runs on the simulator",
    )


def _threads(kernel: Kernel, options: Mapping[str, Any], trace: Trace) -> tuple[int, bool]:
    """The threads of a block, and whether its roles set their registers."""
    given = kernel.threads(options)
    team = trace.extra.get(Team)
    if team is None:
        return given or THREADS, False
    if given not in (None, team.threads):
        raise WeftError(
            f"'{kernel.name}' has {given} threads, but its roles have {team.threads}",
            hint="omit threads=: the roles determine it",
        )
    return team.threads, team.sets_registers


class _Arguments:
    """The kernel's parameters: block arguments, and what the function gets for them."""

    def __init__(self, kernel: Kernel, to: Specialization, block: Block) -> None:
        self._kernel = kernel
        self._block = block
        self._constants = dict(to.sizes)
        self._multiples = dict(to.multiples)
        self._options = dict(to.options)
        self._sizes: dict[str, Any] = {}
        self._names = {n for p in kernel.parameters.values() if isinstance(p, Global) for n in p.names}
        self.named: dict[SSAValue, str] = {}
        """The arguments that are sizes of tensors, which a launch knows by name."""

    def values(self) -> dict[str, Any]:
        """What each parameter of the function is."""
        parameters = self._kernel.parameters
        raw: dict[str, SSAValue] = {}
        for name, parameter in parameters.items():
            raw[name] = self._argument(name, GLOBAL if isinstance(parameter, Global) else parameter.mlir)
        for name in self._kernel.sizes:
            value = self._argument(name, i32)
            constant = self._constants.get(name)
            self._sizes[name] = constant if constant is not None else self._size(name, value)
        result: dict[str, Any] = {}
        for name, parameter in parameters.items():
            if not isinstance(parameter, Global):
                result[name] = self._sizes[name] = Scalar(raw[name], parameter)
        for name, parameter in parameters.items():
            if isinstance(parameter, Global):
                result[name] = self._tensor(raw[name], parameter, name)
        return result

    def _argument(self, name: str, kind: Any) -> SSAValue:
        value = self._block.insert_arg(kind, len(self._block.args))
        value.name_hint = name
        if name in self._names:
            self.named[value] = name
        return value

    def _size(self, name: str, value: SSAValue) -> Scalar:
        return Scalar(value, INDEX, nonnegative=True, divisor=self._multiples.get(name, 1))

    def _tensor(self, pointer: SSAValue, parameter: Global, name: str) -> Tensor:
        shape = [self._sizes[x] if isinstance(x, str) else x for x in parameter.shape]
        if parameter.strides is not None:
            strides = [self._sizes[x] if isinstance(x, str) else x for x in parameter.strides]
        else:
            strides = [_product(shape[at + 1 :]) for at in range(len(shape))]
        return Tensor(pointer, self._kernel.element(parameter, self._options), shape, strides, name)


def _product(extents: list[Any]) -> Any:
    result: Any = 1
    for extent in extents:
        result = extent if isinstance(result, int) and result == 1 else result * extent
    return result


def _module(
    kernel: Kernel, threads: int, block: Block, trace: Trace, cluster: tuple[int, ...], *, sets_registers: bool
) -> ModuleOp:
    properties: dict[str, Attribute] = {
        "function_type": FunctionType.from_lists([argument.type for argument in block.args], []),
        "known_block_size": DenseArrayBase.from_list(i32, [threads, 1, 1]),
    }
    if cluster:
        properties["known_cluster_size"] = DenseArrayBase.from_list(i32, [*cluster, 1, 1][:3])
    maps = set(Maps.of(trace).pointers)
    if maps:
        notes = [_MAP if argument in maps else _NOTHING for argument in block.args]
        properties["arg_attrs"] = ArrayAttr(notes)
    attributes: dict[str, Attribute] = {"sym_name": StringAttr(kernel.name), "gpu.kernel": UnitAttr()}
    if sets_registers:
        # Without the least number of blocks a multiprocessor, ptxas cannot tell the registers at entry, and drops
        # `setmaxnreg`.
        attributes["nvvm.minctasm"] = IntegerAttr(1, i32)
    function = op_class("gpu.func").create(properties=properties, attributes=attributes, regions=[Region([block])])
    held = Region([Block([function])])
    inner = op_class("gpu.module").create(properties={"sym_name": StringAttr("kernels")}, regions=[held])
    return ModuleOp([inner])


def compile_built(built: Built, target: str, *, debug: str | None = None) -> Module:
    """Lower a traced kernel and select its instructions; raises CompileError with the Python line.

    `debug` is that of `weft.compile`.
    """
    from weft.codegen.front import compile_module
    from weft.transforms.tile_lowering import lower_module

    module = built.take()
    try:
        with paused():
            built.shared[target] = lower_module(module, target)
            return compile_module(module, target, debug=debug)
    except CompileError as failure:
        failure.position = with_source(failure.position)
        raise


def explain_built(built: Built, target: str) -> str:
    """What was tried for every copy, as text."""
    from weft.transforms.tile_lowering import explain_module

    return explain_module(built.module, target)
