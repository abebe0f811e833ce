"""MLIR to PTX: the stages from a module in MLIR to a `ptx.Module` that has been checked."""

from __future__ import annotations

from time import perf_counter

from xdsl.dialects.builtin import ModuleOp

from weft.codegen.check import check_module
from weft.codegen.module import ModuleCompiler
from weft.codegen.namesakes import collide, rename
from weft.codegen.options import FULL, Timer
from weft.isa.target import Target
from weft.mlir import parse_mlir
from weft.mlir.walking import operations_in
from weft.ptx.ast import Module


def compile_mlir(
    mlir: str | ModuleOp,
    target: Target,
    ptx_version: str | tuple[int, int] | None = None,
    *,
    filename: str = "<mlir>",
    bare_pointers: bool = False,
    strict_atomics: bool = False,
    debug: str = "",
    timer: Timer | None = None,
) -> Module:
    """Compile an MLIR module: `weft.codegen.front.compile_module` without its folder, and with the collector on."""
    clock = _Clock(timer)
    module = parse_mlir(mlir, filename) if isinstance(mlir, str) else mlir
    clock.tick("parse")
    names = {op.name for op in operations_in(module.regions)}
    dialects = {name.partition(".")[0] for name in names} & {"nvgpu", "tile"}
    launches = "gpu.launch" in names
    boxes = not names.isdisjoint(("scf.parallel", "scf.forall", "affine.parallel"))
    parts = any(name.startswith("complex.") for name in names)
    turns = not names.isdisjoint(("scf.while", "cf.cond_br", "llvm.cond_br"))
    variables = not names.isdisjoint(("memref.alloca", "llvm.alloca"))
    if (dialects or launches or boxes or parts or turns or variables) and module is mlir:
        module = module.clone()
    if launches:
        _outline(module)
    if "tile" in dialects:
        _lower_tile(module, target)
    if "nvgpu" in dialects:
        _lower_nvgpu(module, target)
    if boxes:
        _lower_boxes(module)
    if parts:
        _lower_complex(module)
    if variables:
        _promote(module, declared=debug == FULL)
    if turns:
        _count_loops(module)
    if collide(module):
        module = module.clone() if module is mlir else module
        rename(module)
    clock.tick("lower")
    compiler = ModuleCompiler(
        target, ptx_version, bare_pointers=bare_pointers, strict_atomics=strict_atomics, debug=debug
    )
    result = compiler.run(module)
    clock.tick("select")
    check_module(result, module)
    if isinstance(mlir, str):
        _forget(module)
    clock.tick("verify")
    return result


def _forget(module: ModuleOp) -> None:
    """Take apart what was read, which is one knot of references: the collector would take longer to find that."""
    for op in (module, *operations_in(module.regions)):
        for use in op._operand_uses:  # pyright: ignore[reportPrivateUsage]
            vars(use).clear()
        vars(op).clear()


class _Clock:
    def __init__(self, timer: Timer | None) -> None:
        self._timer = timer
        self._last = perf_counter()

    def tick(self, stage: str) -> None:
        now = perf_counter()
        if self._timer is not None:
            self._timer(stage, now - self._last)
        self._last = now


def _outline(module: ModuleOp) -> None:
    """Make kernels of the bodies of `gpu.launch`; imported here, for most modules have none."""
    from xdsl.context import Context

    from weft.transforms.kernel_outlining import GpuKernelOutlining

    GpuKernelOutlining().apply(Context(), module)


def _lower_nvgpu(module: ModuleOp, target: Target) -> None:
    """Run convert-nvgpu-to-nvvm; imported here, for most modules do not need it."""
    from weft.transforms.nvgpu_to_nvvm import lower_module

    lower_module(module, target=target.name)


def _lower_boxes(module: ModuleOp) -> None:
    """Make nests of loops of boxes; imported here, for most modules have none."""
    from weft.transforms.affine_boxes_to_for import lower_module as lower_affine
    from weft.transforms.scf_boxes_to_for import lower_module

    lower_module(module)
    lower_affine(module)


def _lower_complex(module: ModuleOp) -> None:
    """Compute with the parts of complex numbers; imported here, for most modules have none."""
    from weft.transforms.complex_to_standard import lower_module

    lower_module(module)


def _count_loops(module: ModuleOp) -> None:
    """Make `scf.for` of loops that count; imported here, for many modules have none."""
    from weft.codegen.counting import count_loops

    count_loops(module)


def _promote(module: ModuleOp, *, declared: bool) -> None:
    """Make values of variables; imported here, for most modules have none."""
    from weft.codegen.variables import promote

    promote(module, declared=declared)


def _lower_tile(module: ModuleOp, target: Target) -> None:
    """Lower tiles; imported here, for most modules have none."""
    from weft.transforms.tile_lowering import lower_module

    lower_module(module, target.name)
