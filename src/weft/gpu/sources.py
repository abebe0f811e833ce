"""What can be loaded: PTX as text, as bytes, in files, in fatbins, as modules, and several of them linked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from weft.fatbin import best, entries, holds_ptx
from weft.gpu.device_runtime import with_runtime
from weft.gpu.errors import DeviceError
from weft.isa.target import target as target_called
from weft.ptx.ast import Module
from weft.ptx.linking import link_modules
from weft.ptx.parser import parse

Source = str | bytes | Path | Module


def ptx_of(source: Source | Sequence[Source], target: str) -> Module:
    """The one module that sources make for a target; of binaries the PTX for the latest architecture that it runs.

    Raises:
        PtxSyntaxError: a text is not PTX.
        FatbinError: a binary has no PTX for the target.
        LinkError: several modules do not make one.
    """
    given = [source] if isinstance(source, (str, bytes, Path, Module)) else list(source)
    modules = [module for one in given for module in _modules(one, target)]
    return with_runtime(modules[0] if len(modules) == 1 else link_modules(modules))


def _modules(source: Source, target: str) -> list[Module]:
    if isinstance(source, Module):
        return [source]
    if isinstance(source, str):
        return [parse(source.rstrip("\0"))]
    try:
        data, name = (source.read_bytes(), str(source)) if isinstance(source, Path) else (source, "<string>")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise DeviceError("not-found", f"{source}: {reason}", "pass PTX text or a path") from None
    if holds_ptx(data):
        chosen = best(entries(data, name), target_called(target), name)
        return [parse(entry.text(), filename=name) for entry in chosen]
    return [parse(data.rstrip(b"\0").decode("utf-8", errors="replace"), filename=name)]
