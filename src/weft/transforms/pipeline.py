"""Run passes over MLIR text: what `weft opt` does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException

from weft.dialects.context import context
from weft.errors import CompileError, WeftError
from weft.mlir.parser import parse_mlir
from weft.mlir.positions import position
from weft.mlir.printer import print_mlir
from weft.mlir.verification import verify_module

PassFactory = Callable[[], type[ModulePass]]


def _nvgpu_to_nvvm() -> type[ModulePass]:
    from weft.transforms.nvgpu_to_nvvm import ConvertNVGPUToNVVM

    return ConvertNVGPUToNVVM


def _outlining() -> type[ModulePass]:
    from weft.transforms.kernel_outlining import GpuKernelOutlining

    return GpuKernelOutlining


OWN_PASSES: dict[str, PassFactory] = {
    "convert-nvgpu-to-nvvm": _nvgpu_to_nvvm,
    "gpu-kernel-outlining": _outlining,
}
"""The passes that weft adds to xDSL's, as thunks."""

_ALIASES = {"loop-invariant-code-motion": "licm"}
"""mlir-opt's names of passes that xDSL calls otherwise."""


def available_passes() -> dict[str, PassFactory]:
    """All passes by name: weft's and xDSL's, with mlir-opt's names where they differ."""
    from xdsl.transforms import get_all_passes

    passes: dict[str, PassFactory] = {**get_all_passes(), **OWN_PASSES}
    passes |= {alias: passes[name] for alias, name in _ALIASES.items()}
    return passes


def parse_passes(pipeline: str) -> list[ModulePass]:
    """The passes of a pipeline in textual form, `canonicalize,cse` or `name{option=value}`.

    Raises:
        WeftError: the text is no pipeline, or a pass is unknown or does not take an option.
    """
    passes = available_passes()
    built: list[ModulePass] = []
    try:
        specs: list[ArgSpec] = list(parse_pipeline(pipeline))
    except ArgSpecParseError as error:
        reason = str(error).strip().splitlines()[-1].strip()
        raise WeftError(f"{pipeline!r} is not a pass pipeline: {reason}") from error
    for spec in specs:
        factory = passes.get(spec.name)
        if factory is None:
            raise WeftError(f"there is no pass {spec.name!r}", hint=_nearest(spec.name, passes))
        try:
            own_name = _ALIASES.get(spec.name, spec.name)
            built.append(factory().from_spec(replace(spec, name=own_name)))
        except Exception as error:
            raise WeftError(f"pass {spec.name!r}: {error}") from error
    return built


def _nearest(name: str, passes: dict[str, Any]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, passes, n=3)
    return "did you mean " + " or ".join(close) + "?" if close else ""


def run_passes(module: ModuleOp, passes: list[ModulePass]) -> None:
    """Run passes over a module in place, verifying it after each.

    Raises:
        CompileError: a pass gives up.
        MlirError: a pass leaves the module invalid.
    """
    ctx = context()
    for module_pass in passes:
        try:
            module_pass.apply(ctx, module)
        except DiagnosticException as error:
            raise CompileError(f"pass '{module_pass.name}' failed: {error}", position(module)) from error
        verify_module(module)


def run(mlir: str, passes: str, *, filename: str = "<string>") -> str:
    """Parse MLIR text, run a pipeline of passes over it, and print it.

    Raises:
        MlirError: the text does not parse or verify.
        CompileError: a pass gives up.
        WeftError: there is no such pass.
    """
    pipeline = parse_passes(passes) if passes.strip() else []
    module = parse_mlir(mlir, filename)
    run_passes(module, pipeline)
    return print_mlir(module)
