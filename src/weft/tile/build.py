"""From a Python function to a module of the tile dialect, and from there to PTX."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FunctionType,
    IntAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i32,
)
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Block, Region, SSAValue

from weft.dialects.gpu.function import GPUFuncOp, GPUModuleOp, ReturnOp
from weft.errors import CompileError, Position
from weft.tile.inlined import surroundings
from weft.tile.interpret import run
from weft.tile.kernel import Global, Kernel, Specialization
from weft.tile.scalars import Scalar
from weft.tile.tensors import Tensor
from weft.tile.trace import Trace, tracing, with_source

if TYPE_CHECKING:
    from weft.ptx.ast import Module

GLOBAL = LLVMPointerType(IntAttr(1))


class Built:
    """A traced kernel: its module of the tile dialect, its block size and its dynamic shared memory in bytes."""

    def __init__(self, module: ModuleOp, threads: int, again: Callable[[], ModuleOp]) -> None:
        from weft.transforms.tile_lowering import dynamic_shared_bytes

        self.threads = threads
        self.shared_bytes = dynamic_shared_bytes(module)
        self._module: ModuleOp | None = module
        self._again = again

    @property
    def module(self) -> ModuleOp:
        """The module, to be looked at."""
        if self._module is None:
            self._module = self._again()
        return self._module

    def take(self) -> ModuleOp:
        """The module, to be lowered in place: who asks next gets one that is traced anew."""
        module, self._module = self.module, None
        return module


def build(kernel: Kernel, to: Specialization) -> Built:
    """Trace a kernel.

    Raises:
        CompileError: the function does something that a kernel cannot; with its Python line.
    """
    options = dict(to.options)
    return Built(_traced(kernel, to), kernel.threads(options), lambda: _traced(kernel, to))


def _traced(kernel: Kernel, to: Specialization) -> ModuleOp:
    source = kernel.source
    options = dict(to.options)
    threads = kernel.threads(options)
    block = Block()
    trace = Trace(block)
    arguments = _Arguments(kernel, to, block)
    with tracing(trace):
        returned = run(source, surroundings(kernel.function), {**arguments.values(), **options})
    if returned is not None:
        place = with_source(Position(source.line, 0, source.file))
        raise CompileError("a kernel returns nothing", place, "write results into its tensors")
    block.add_op(ReturnOp.create())
    return _module(kernel, threads, block)


class _Arguments:
    """The kernel's parameters: block arguments, and what the function gets for them."""

    def __init__(self, kernel: Kernel, to: Specialization, block: Block) -> None:
        self._kernel = kernel
        self._block = block
        self._constants = dict(to.sizes)
        self._multiples = dict(to.multiples)
        self._sizes: dict[str, Any] = {}

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
                result[name] = self._tensor(raw[name], parameter)
        return result

    def _argument(self, name: str, kind: Any) -> SSAValue:
        value = self._block.insert_arg(kind, len(self._block.args))
        value.name_hint = name
        return value

    def _size(self, name: str, value: SSAValue) -> Scalar:
        from weft.tile.kernel import INDEX

        return Scalar(value, INDEX, nonnegative=True, divisor=self._multiples.get(name, 1))

    def _tensor(self, pointer: SSAValue, parameter: Global) -> Tensor:
        shape = [self._sizes[x] if isinstance(x, str) else x for x in parameter.shape]
        if parameter.strides is not None:
            strides = [self._sizes[x] if isinstance(x, str) else x for x in parameter.strides]
        else:
            strides = [_product(shape[at + 1 :]) for at in range(len(shape))]
        return Tensor(pointer, parameter.dtype, shape, strides)


def _product(extents: list[Any]) -> Any:
    result: Any = 1
    for extent in extents:
        result = extent if isinstance(result, int) and result == 1 else result * extent
    return result


def _module(kernel: Kernel, threads: int, block: Block) -> ModuleOp:
    function = GPUFuncOp.create(
        properties={
            "function_type": FunctionType.from_lists([argument.type for argument in block.args], []),
            "known_block_size": DenseArrayBase.from_list(i32, [threads, 1, 1]),
        },
        attributes={"sym_name": StringAttr(kernel.name), "gpu.kernel": UnitAttr()},
        regions=[Region([block])],
    )
    inner = GPUModuleOp.create(properties={"sym_name": StringAttr("kernels")}, regions=[Region([Block([function])])])
    return ModuleOp([inner])


def compile_built(built: Built, target: str) -> Module:
    """Lower a traced kernel and select its instructions; raises CompileError with the Python line."""
    from weft.codegen.front import compile_module
    from weft.transforms.tile_lowering import lower_module

    module = built.take()
    try:
        lower_module(module, target)
        return compile_module(module, target)
    except CompileError as failure:
        failure.position = with_source(failure.position)
        raise


def explain_built(built: Built, target: str) -> str:
    """What was tried for every copy, as text."""
    from weft.transforms.tile_lowering import explain_module

    return explain_module(built.module, target)
