"""Triton's compiler for NVIDIA GPUs as far as PTX: what it gives as the binary is the PTX itself."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import weft
from weft.errors import Severity, WeftError
from weft.triton.seam import NVIDIA, PTXASError

PTX_VERSION = 90
"""The PTX version, times ten, that is asked for where Triton's ptxas is not there to say which it reads."""


class PtxCompiler(NVIDIA.CUDABackend):
    """The passes of Triton's own backend, without ptxas: weft reads the PTX and says whether ptxas would take it."""

    def parse_options(self, opts: dict[str, Any]) -> Any:
        """See `BaseBackend.parse_options`; the PTX version is that of Triton's ptxas, where it is."""
        if opts.get("ptx_version") is None:
            opts = {**opts, "ptx_version": _ptx_version(self.target.arch)}
        options: Any = NVIDIA.CUDABackend.parse_options(self, opts)
        return options

    def make_cubin(self, src: str, metadata: dict[str, Any], opt: Any, capability: int) -> bytes:
        """The PTX, once it is known to be legal.  Raises `PTXASError`, as ptxas would make Triton do."""
        try:
            found = weft.verify(weft.parse(src, filename=f"{metadata['name']}.ptx"))
        except WeftError as error:
            raise PTXASError(f"weft cannot read the PTX\n{error}") from None
        errors = [diagnostic for diagnostic in found if diagnostic.severity is Severity.ERROR]
        if errors:
            raise PTXASError("ptxas would reject the PTX\n" + "\n".join(map(str, errors)))
        return src.encode()

    def hash(self) -> str:
        """What the cache keeps apart: this is never what ptxas has made."""
        return f"weft-{weft.__version__}-{_ptx_version(self.target.arch)}-{self.target.arch}"


@lru_cache
def _ptx_version(arch: int) -> int:
    try:
        return int(NVIDIA.ptx_get_version(NVIDIA.get_ptxas(arch).version))
    except (RuntimeError, OSError, AttributeError):
        return PTX_VERSION
