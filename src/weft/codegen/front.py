"""`weft.compile`: what was compiled before comes from a folder, without the compiler; the rest from the compiler."""

from __future__ import annotations

import sys
from os import PathLike
from typing import TYPE_CHECKING

from weft.codegen.options import FULL, LINES, Timer
from weft.collecting import paused
from weft.errors import IsaError
from weft.isa.target import target as find_target

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from weft.ptx.ast import Module


def compile_module(
    mlir: str | ModuleOp,
    target: str = "sm_90a",
    ptx_version: str | tuple[int, int] | None = None,
    *,
    filename: str = "<mlir>",
    bare_pointers: bool = False,
    strict_atomics: bool = False,
    naming: str = "bits",
    debug: str | None = None,
    timer: Timer | None = None,
    cache: str | PathLike[str] | None = None,
) -> Module:
    """Compile an MLIR module (text or xDSL) to PTX for a target.

    Kernels are the `gpu.func`s marked `kernel` and the functions with `nvvm.kernel`; when the module contains
    `gpu.module`s, only these are compiled, since the code around them is the host's.  A memref argument becomes
    upstream's parameters (two pointers, offset, sizes, strides), or one pointer with `bare_pointers`.  The PTX version
    is the least that the code needs on the target, unless `ptx_version` asks for another.  Registers are `%r` and `%rd`
    whatever they hold (`naming="bits"`, as LLVM has them), or `%f` and `%fd` for floats (`"classic"`).  `debug` is
    `"lines"` for `.loc` directives that say where instructions come from (`Module.locations` reads them), `"full"` for
    a debugger's sections too.  With `strict_atomics` an `llvm.atomicrmw` without a scope is ordered
    as it says, where LLVM's is relaxed (docs/codegen.md).  `timer` is told each stage's name and seconds.  `cache` is a
    folder that keeps what a module was compiled to, by its text; any number of processes may share it.

    Raises:
        MlirError: the text does not parse or verify.
        CompileError: something has no lowering, or not on this target or version; with its place.
        IsaError: the target, version or naming does not exist.
    """
    architecture = find_target(target)
    if debug not in (None, "", LINES, FULL):
        raise IsaError(f"unknown kind of debug information '{debug}'", hint="use lines or full")
    if naming != "bits":
        _refuse_naming(naming)
        from weft.codegen.naming import classic

        module = compile_module(
            mlir, target, ptx_version, filename=filename, bare_pointers=bare_pointers, strict_atomics=strict_atomics,
            debug=debug, timer=timer, cache=cache,
        )  # fmt: skip
        return classic(module)
    if cache is None:
        first = "weft.codegen.compile" not in sys.modules
        with paused(cyclic=not first, lasting=first):  # What xDSL makes of a module has cycles.
            from weft.dialects.startup import load_xdsl

            load_xdsl()  # Before anything imports it in the slow way.
            from weft.codegen.compile import compile_mlir

            return compile_mlir(
                mlir, architecture, ptx_version,
                filename=filename, bare_pointers=bare_pointers, strict_atomics=strict_atomics, debug=debug or "",
                timer=timer,
            )  # fmt: skip
    from weft.mc.cache import ModuleCache

    stored = ModuleCache(cache)
    key = stored.key(str(mlir), target, _options(ptx_version, bare_pointers, strict_atomics, debug, filename))
    found = stored.load(key)
    if found is None:
        found = compile_module(
            mlir, target, ptx_version, filename=filename, bare_pointers=bare_pointers, strict_atomics=strict_atomics,
            debug=debug, timer=timer,
        )  # fmt: skip
        stored.store(key, found)
    return found


def _options(
    ptx_version: str | tuple[int, int] | None,
    bare_pointers: bool,
    strict_atomics: bool,
    debug: str | None,
    filename: str,
) -> dict[str, object]:
    """What else than its text and target decides what a module is compiled to."""
    found: dict[str, object] = {"ptx_version": ptx_version, "bare_pointers": bare_pointers}
    if strict_atomics:
        found["strict_atomics"] = True
    if debug:  # Only then the name of the file stands in the result.
        found |= {"debug": debug, "filename": filename}
    return found


def _refuse_naming(naming: str) -> None:
    from weft.isa.registers import Naming

    if naming not in (known.value for known in Naming):
        raise IsaError(f"unknown naming of registers '{naming}'", hint="use bits or classic")


compile = compile_module
