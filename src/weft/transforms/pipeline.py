"""Run passes over MLIR text: what `weft opt` does."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import parse_pipeline
from xdsl.utils.exceptions import DiagnosticException

from weft.dataclass import dataclass
from weft.dialects.context import context
from weft.errors import CompileError, WeftError, meant, near_names
from weft.mlir.module import parse_mlir
from weft.mlir.positions import position
from weft.mlir.printer import Style, print_mlir
from weft.mlir.verification import verify_module
from weft.transforms.pipeline_text import Anchored, PassText, read_pipeline

PassFactory = Callable[[], type[ModulePass]]
AfterPass = Callable[[str, ModuleOp], None]
"""What is told the name of a pass that ran, and the whole module as it left it."""


def _nvgpu_to_nvvm() -> type[ModulePass]:
    from weft.transforms.nvgpu_to_nvvm import ConvertNVGPUToNVVM

    return ConvertNVGPUToNVVM


def _outlining() -> type[ModulePass]:
    from weft.transforms.kernel_outlining import GpuKernelOutlining

    return GpuKernelOutlining


def _sinking() -> type[ModulePass]:
    from weft.transforms.launch_sinking import SinkIndexComputations

    return SinkIndexComputations


def _shared_memory() -> type[ModulePass]:
    from weft.transforms.optimize_shared_memory import OptimizeSharedMemory

    return OptimizeSharedMemory


def _scf_to_cf() -> type[ModulePass]:
    from weft.transforms.scf_to_cf import ConvertScfToCf

    return ConvertScfToCf


def _complex() -> type[ModulePass]:
    from weft.transforms.complex_to_standard import ConvertComplexToStandard

    return ConvertComplexToStandard


OWN_PASSES: dict[str, PassFactory] = {
    "convert-complex-to-standard": _complex,
    "convert-nvgpu-to-nvvm": _nvgpu_to_nvvm,
    "convert-scf-to-cf": _scf_to_cf,
    "gpu-kernel-outlining": _outlining,
    "gpu-launch-sink-index-computations": _sinking,
    "nvgpu-optimize-shared-memory": _shared_memory,
}
"""The passes that weft adds to xDSL's, as thunks."""

BORROWED = (
    "approximate-math-with-bitcast",
    "arith-add-fastmath",
    "canonicalize",
    "control-flow-hoist",
    "cse",
    "dce",
    "expand-math-to-polynomials",
    "licm",
    "loop-hoist-memref",
    "lower-affine",
    "reconcile-unrealized-casts",
    "scf-for-loop-flatten",
    "scf-for-loop-range-folding",
    "scf-for-loop-unroll",
    "scf-parallel-loop-tiling",
)
"""Those of xDSL's passes that have to do with the dialects of a kernel."""

_ALIASES = {"loop-invariant-code-motion": "licm"}
"""mlir-opt's names of passes that xDSL calls otherwise."""


def available_passes() -> dict[str, PassFactory]:
    """All passes by name: weft's, and of xDSL's those for kernels, with mlir-opt's names where they differ."""
    from xdsl.transforms import get_all_passes

    borrowed = get_all_passes()
    passes: dict[str, PassFactory] = {**{name: borrowed[name] for name in BORROWED}, **OWN_PASSES}
    return passes | {alias: passes[name] for alias, name in _ALIASES.items()}


@dataclass(frozen=True, slots=True)
class Nested:
    """Passes that run on each operation named `anchor` (`any`: on each) directly inside the operation around them."""

    anchor: str
    passes: Sequence[ModulePass | Nested]


Pipeline = Sequence[ModulePass | Nested]


def parse_passes(pipeline: str) -> Pipeline:
    """The passes of a pipeline in textual form: `canonicalize,cse`, `name{option=value}`, `gpu.module(cse)`.

    Raises:
        WeftError: the text is no pipeline, or a pass is unknown or does not take an option.
    """
    return _build(read_pipeline(pipeline), available_passes())


def _build(steps: Sequence[PassText | Anchored], passes: dict[str, PassFactory]) -> Pipeline:
    return [
        Nested(step.anchor, _build(step.steps, passes)) if isinstance(step, Anchored) else _build_pass(step, passes)
        for step in steps
    ]


def _build_pass(step: PassText, passes: dict[str, PassFactory]) -> ModulePass:
    factory = passes.get(step.name)
    if factory is None:
        raise WeftError(
            f"unknown pass {step.name!r}",
            hint=meant(near_names(step.name, passes, 3), "run weft opt --list to see all passes"),
        )
    try:
        (spec,) = parse_pipeline(_ALIASES.get(step.name, step.name) + step.options)
        return factory().from_spec(spec)
    except Exception as error:  # xDSL's complaints of options have no class of their own.
        reason = str(error).strip().splitlines()[-1].strip()
        raise WeftError(f"pass {step.name!r}: {reason}") from error


def run_passes(module: ModuleOp, passes: Pipeline, after: AfterPass | None = None) -> None:
    """Run passes over a module in place, verifying it after each; `after` is then told the pass's name.

    Raises:
        CompileError: a pass gives up.
        MlirError: a pass leaves the module invalid.
    """

    def run_on(op: Operation, steps: Pipeline) -> None:
        for step in steps:
            if isinstance(step, Nested):
                for nested in [inner for region in op.regions for block in region.blocks for inner in block.ops]:
                    if step.anchor in (nested.name, "any"):
                        run_on(nested, step.passes)
                continue
            try:
                with as_module(op) as scope, warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # reconcile-unrealized-casts warns of each cast that stays.
                    step.apply(ctx, scope)
            except DiagnosticException as error:
                raise CompileError(f"pass '{step.name}' failed: {error}", position(op)) from error
            verify_module(module)
            if after is not None:
                after(step.name, module)

    ctx = context()
    run_on(module, passes)


@contextmanager
def as_module(op: Operation) -> Generator[ModuleOp]:
    """A module to run a pass on: the operation itself, or one around it that is taken away again at the end."""
    if isinstance(op, ModuleOp):
        yield op
        return
    block = op.parent
    assert block is not None
    marker = ModuleOp([])  # Keeps the place.
    block.insert_op_before(marker, op)
    op.detach()
    scope = ModuleOp([op])
    try:
        yield scope
    finally:
        for moved in list(scope.body.block.ops):
            moved.detach()
            block.insert_op_before(moved, marker)
        marker.detach()
        marker.erase()


def run(
    mlir: str,
    passes: str,
    *,
    filename: str = "<string>",
    after: AfterPass | None = None,
    style: Style | None = None,
    allow_unregistered: bool = False,
) -> str:
    """Parse MLIR text, run a pipeline of passes over it, and print it; `after` as of `run_passes`.

    `style` and `allow_unregistered` are those of `print_mlir` and `parse_mlir`.

    Raises:
        MlirError: the text does not parse or verify.
        CompileError: a pass gives up.
        WeftError: there is no such pass.
    """
    pipeline = parse_passes(passes)
    module = parse_mlir(mlir, filename, allow_unregistered=allow_unregistered)
    run_passes(module, pipeline, after)
    return print_mlir(module, style)
