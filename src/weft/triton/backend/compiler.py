"""The compiler of the entry point: none, as kernels are compiled by Triton's own for NVIDIA GPUs."""

from __future__ import annotations

from importlib import import_module
from typing import Any

BaseBackend: Any = import_module("triton.backends.compiler").BaseBackend


class NoCompiler(BaseBackend):
    """A compiler for no target."""

    @staticmethod
    def supports_target(target: Any) -> bool:
        """Whether it compiles for a target: never."""
        return False


NoCompiler.__abstractmethods__ = frozenset()  # Triton takes concrete classes only, and nothing is ever asked of it
