"""Kernels written in Python, named on the command line as `file.py:kernel` or `module:kernel`."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from weft.errors import WeftError

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from weft.tile import Kernel


def is_kernel(source: str) -> bool:
    """Whether an argument names a kernel written in Python rather than a file."""
    home, _, name = source.rpartition(":")
    return bool(home) and name.isidentifier() and not Path(source).exists()


def load(source: str) -> Kernel:
    """The kernel; its file or module is imported.

    Raises:
        WeftError: the file has no such kernel, or cannot be imported.
        OSError: there is no such file.
    """
    from weft.tile import Kernel

    home, _, name = source.rpartition(":")
    if home.endswith(".py"):
        Path(home).stat()
        specification = importlib.util.spec_from_file_location(Path(home).stem, home)
        assert specification is not None
        assert specification.loader is not None
        module = importlib.util.module_from_spec(specification)
        sys.modules[specification.name] = module
        specification.loader.exec_module(module)
    else:
        try:
            module = importlib.import_module(home)
        except ModuleNotFoundError as failure:
            raise WeftError(f"there is no module '{home}'", hint="file.py:kernel names a kernel of a file") from failure
    found = getattr(module, name, None)
    if not isinstance(found, Kernel):
        names = ", ".join(n for n, x in vars(module).items() if isinstance(x, Kernel)) or "none"
        raise WeftError(f"{home} has no kernel '{name}'", hint=f"its kernels: {names}")
    return found


def traced(source: str, settings: Sequence[str], multiples: Sequence[str]) -> ModuleOp:
    """The kernel in the tile dialect, for options and sizes given as `name=number`."""
    kernel = load(source)
    given = _numbers(settings)
    options = {name: value for name, value in given.items() if name in kernel.options}
    sizes = {name: value for name, value in given.items() if name not in kernel.options}
    return kernel.build(kernel.specialize(sizes, _numbers(multiples), options)).module


def _numbers(given: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for each in given:
        name, _, value = each.partition("=")
        if not name or not value.lstrip("-").isdigit():
            raise click.UsageError(f"{each!r} is not NAME=NUMBER")
        found[name] = int(value)
    return found
