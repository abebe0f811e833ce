"""One walk that lowers every nvgpu operation of a module, family by family."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from weft.dialects import narrow
from weft.dialects.nvgpu.floors import refusal
from weft.dialects.nvgpu.types import DeviceAsyncTokenType, MBarrierGroupType
from weft.mlir.positions import compile_error
from weft.transforms.nvgpu_to_nvvm.builder import Builder
from weft.transforms.nvgpu_to_nvvm.fragments import Fragment
from weft.transforms.nvgpu_to_nvvm.layout import array_type, converted

_FAMILIES = {
    "async_copy": "device_async_copy device_async_create_group device_async_wait",
    "convert": "cvt_fpext cvt_fptrunc fma.packed.f32x2 mul.packed.f32x2",
    "ldmatrix": "ldmatrix stmatrix",
    "mma": "mma.sync mma.sp.sync",
    "mbarrier": (
        "mbarrier.create mbarrier.get mbarrier.init mbarrier.inval mbarrier.test.wait mbarrier.arrive "
        "mbarrier.arrive.nocomplete mbarrier.arrive.expect_tx mbarrier.try_wait.parity"
    ),
    "rcp": "rcp",
    "tma": "tma.fence.descriptor tma.prefetch.descriptor tma.async.load tma.async.store tma.async.reduce",
    "tensor_map": (
        "tma.create.descriptor tensormap.create.descriptor tensormap.update.global_address tensormap.update.box_dim "
        "tensormap.update.element_stride"
    ),
    "warpgroup": ("warpgroup.generate.descriptor warpgroup.mma warpgroup.mma.store warpgroup.mma.init.accumulator"),
}
_MODULE_OF = {f"nvgpu.{name}": module for module, names in _FAMILIES.items() for name in names.split()}
_HOST_ONLY = ("nvgpu.tma.create.descriptor",)
"""What is left alone when a module is compiled: it runs on the host."""


class Lowering(Builder):
    """A builder that knows the module's fragments and what nvgpu values have become."""

    def __init__(self, module: ModuleOp, *, shared: bool = True) -> None:
        super().__init__(module, shared=shared)
        self._fragments: dict[SSAValue, Fragment] = {}
        self.original_types: dict[Operation, tuple[object, ...]] = {}
        """The operand types of an operation before any nvgpu type was converted."""

    def fragment(self, value: SSAValue) -> Fragment:
        """The registers of a vector of two dimensions."""
        known = self._fragments.get(value)
        if known is None:
            vector = narrow.vector(value.type)
            if vector is None or vector.get_num_dims() != 2:
                raise compile_error(self.anchor, f"expected a vector of two dimensions, got {value.type}")
            array = self.cast(value, array_type(vector))
            assert isinstance(array.owner, Operation)
            known = self._fragments[value] = Fragment(self, vector, array.owner, array=array)
        return known

    def prepare(self, value: SSAValue) -> None:
        """Cast an operand to its `llvm` type, unless it is a fragment already."""
        if value not in self._fragments:
            self.cast(value)

    def define(self, value: SSAValue, fragment: Fragment) -> None:
        """`value`, a result of the operation being lowered, is held by the registers of `fragment`."""
        self._fragments[value] = fragment

    def substitute(self, value: SSAValue, new: SSAValue) -> None:
        """Use `new` for `value`, whose nvgpu type is gone; an operation that insists on that type gets a cast."""
        old_type = value.type
        for use in tuple(value.uses):
            converts = use.operation.name.startswith(("nvgpu.", "scf.", "cf.", "builtin.unrealized"))
            use.operation.operands[use.index] = new if converts else self.cast(new, old_type)

    def finish(self, op: Operation) -> None:
        """Put vectors back together for users that are not nvgpu operations, and drop the operation."""
        for result in op.results:
            if result.first_use is not None:
                fragment = self._fragments.get(result)
                if fragment is None:
                    raise compile_error(op, "the result was not lowered")
                result.replace_all_uses_with(fragment.value())
        op.detach()
        op.erase()


Lower: TypeAlias = Callable[[Lowering, Any], None]
"""Emit the replacement of an operation before it, and replace its results (or `define` their fragments)."""


def lower_module(module: ModuleOp, *, shared: bool = True, target: str | None = None) -> bool:
    """Lower every nvgpu operation of a module in place; whether there was one.

    With `shared`, what several operations need (constants, base pointers, the registers of a fragment) is made once;
    without it, the operations are those of MLIR's pass, one by one and in its order.

    Raises:
        CompileError: an operation has no lowering, or does not exist on `target` (`sm_80`), with its place.
    """
    operations: list[Operation] = []
    retyped: list[SSAValue] = []
    for op in module.walk():
        if op.name.startswith("nvgpu."):
            operations.append(op)
        else:
            _collect_retyped(op, retyped)
    if not operations and not retyped:
        return False
    lowering = Lowering(module, shared=shared)
    for op in operations:
        lowering.original_types[op] = tuple(op.operand_types)
    for value in retyped:
        _retype(lowering, value)
    lowered: list[Operation] = []
    for op in operations:
        if shared and op.name in _HOST_ONLY:
            continue
        missing = refusal(op, target) if target is not None else None
        if missing is not None:
            raise compile_error(op, missing)
        lowering.place(op)
        _convert_operands(lowering, op)
        _lowering_of(op)(lowering, op)
        op.operands = ()
        lowered.append(op)
    for op in lowered:
        lowering.finish(op)
    lowering.drop_unused_casts()
    return True


def _convert_operands(lowering: Lowering, op: Operation) -> None:
    """Cast what still has an nvgpu type, the argument of a function say; a group of barriers is taken as it is.

    MLIR casts all operands, the first one first, and drops the casts that turn out to have no user.
    """
    for index, operand in enumerate(op.operands):
        if isinstance(operand.type, DeviceAsyncTokenType):
            continue
        if not lowering.shared:
            lowering.prepare(operand)
        target = converted(operand.type)
        if target is not None and not isinstance(operand.type, MBarrierGroupType):
            op.operands[index] = lowering.cast(operand, target)


def _collect_retyped(op: Operation, retyped: list[SSAValue]) -> None:
    """Results and block arguments of control flow whose nvgpu type becomes another."""
    if not op.name.startswith(("scf.", "cf.")):
        return
    retyped += [result for result in op.results if converted(result.type) is not None]
    for region in op.regions:
        for block in region.blocks:
            retyped += [argument for argument in block.args if converted(argument.type) is not None]


def _retype(lowering: Lowering, value: SSAValue) -> None:
    old_type = value.type
    target = converted(old_type)
    assert target is not None
    new = Rewriter.replace_value_with_new_type(value, target)
    for use in tuple(new.uses):
        if not use.operation.name.startswith(("nvgpu.", "scf.", "cf.")):
            use.operation.operands[use.index] = lowering.cast(new, old_type)


def _lowering_of(op: Operation) -> Lower:
    family = _MODULE_OF.get(op.name)
    if family is None:
        raise compile_error(op, "weft cannot lower this operation to nvvm")
    table: dict[str, Lower] = import_module(f"weft.transforms.nvgpu_to_nvvm.{family}").LOWERINGS
    return table[op.name]
