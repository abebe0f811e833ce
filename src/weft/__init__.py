"""weft: a toolchain for NVIDIA PTX.

It goes both ways over the same language: MLIR becomes a `weft.ptx.Module`, PTX text becomes one, and a module is
printed, verified, inspected and assembled.

Importing `weft` loads nothing; each name below is loaded when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.codegen.front import compile as compile
    from weft.errors import BuildError as BuildError
    from weft.errors import BytesError as BytesError
    from weft.errors import CompileError as CompileError
    from weft.errors import Diagnostic as Diagnostic
    from weft.errors import IsaError as IsaError
    from weft.errors import JsonError as JsonError
    from weft.errors import LayoutError as LayoutError
    from weft.errors import MlirError as MlirError
    from weft.errors import Position as Position
    from weft.errors import PtxSyntaxError as PtxSyntaxError
    from weft.errors import Severity as Severity
    from weft.errors import ToolError as ToolError
    from weft.errors import WeftError as WeftError
    from weft.gpu import Device as Device
    from weft.gpu import DeviceError as DeviceError
    from weft.isa.tensor_map import TensorMap as TensorMap
    from weft.isa.tensor_map_words import TensorMapError as TensorMapError
    from weft.mc.reader import from_bytes as from_bytes
    from weft.ptx.ast import Module as Module
    from weft.ptx.difference import diff as diff
    from weft.ptx.formatter import format_text as format_text
    from weft.ptx.parser import parse as parse
    from weft.ptx.requirements import requires as requires
    from weft.ptx.tree_json import from_json as from_json
    from weft.ptx.verifier import verify as verify
    from weft.sim import Sampler as Sampler
    from weft.sim import Surface as Surface
    from weft.sim import Texture as Texture
    from weft.sim import run as run
    from weft.tile import kernel as kernel
    from weft.toolchain import assemble as assemble
    from weft.toolchain import disassemble as disassemble
    from weft.toolchain import link as link
    from weft.tracing import Trace as Trace
    from weft.tracing import trace as trace

__version__ = "0.1.0"

_HOME = {
    "BuildError": "weft.errors",
    "BytesError": "weft.errors",
    "CompileError": "weft.errors",
    "Device": "weft.gpu",
    "DeviceError": "weft.gpu",
    "Diagnostic": "weft.errors",
    "IsaError": "weft.errors",
    "JsonError": "weft.errors",
    "LayoutError": "weft.errors",
    "MlirError": "weft.errors",
    "Module": "weft.ptx.ast",
    "Position": "weft.errors",
    "PtxSyntaxError": "weft.errors",
    "Sampler": "weft.sim",
    "Severity": "weft.errors",
    "Surface": "weft.sim",
    "TensorMap": "weft.isa.tensor_map",
    "TensorMapError": "weft.isa.tensor_map_words",
    "Texture": "weft.sim",
    "ToolError": "weft.errors",
    "Trace": "weft.tracing",
    "WeftError": "weft.errors",
    "assemble": "weft.toolchain",
    "compile": "weft.codegen.front",
    "diff": "weft.ptx.difference",
    "disassemble": "weft.toolchain",
    "format_text": "weft.ptx.formatter",
    "from_bytes": "weft.mc.reader",
    "from_json": "weft.ptx.tree_json",
    "kernel": "weft.tile",
    "link": "weft.toolchain",
    "parse": "weft.ptx.parser",
    "requires": "weft.ptx.requirements",
    "run": "weft.sim",
    "trace": "weft.tracing",
    "verify": "weft.ptx.verifier",
}


def __getattr__(name: str) -> object:
    """Load a public name from the package it lives in, once."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
