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
    """Compile an MLIR module to PTX.

    Kernels are functions of `gpu.func` marked `kernel`, and functions with `nvvm.kernel`.  If the module contains a
    `gpu.module`, only such modules are compiled, because the code around them is the host's.

    Args:
        mlir: MLIR text, or an xDSL `ModuleOp`.
        target: the architecture, such as `sm_80` or `sm_90a`.
        ptx_version: the PTX version, as `"8.0"` or `(8, 0)`; by default the oldest that the code needs on the target.
        filename: what messages call the text.
        bare_pointers: pass a memref, which must have a static shape, as one pointer.  Otherwise its parameters are
            MLIR's: two pointers, the offset, the sizes and the strides.
        strict_atomics: give an `llvm.atomicrmw` without a scope the ordering it states; LLVM makes it relaxed
            (docs/codegen.md).
        naming: `bits` keeps floats in `%r` and `%rd`, as LLVM does; `classic` in `%f` and `%fd`.
        debug: `lines` for `.loc` directives, which `Module.locations` reads; `full` also for DWARF.
        timer: called with the name of each stage and its seconds.
        cache: a directory that keeps compiled modules by their text; processes may share it.

    Returns: The PTX module, which `weft.verify` finds no error in.

    Raises:
        MlirError: the text does not parse or verify.
        CompileError: the target or the version lacks what an operation needs, or weft cannot lower it; with its
            position.
        IsaError: the target, the version or the naming is unknown.
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
