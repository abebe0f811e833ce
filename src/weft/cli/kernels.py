"""Kernels written in Python, named on the command line as `file.py:kernel` or `module:kernel`."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import click

from weft.errors import Position, WeftError

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from weft.tile import Kernel


_USERS = (Exception, SystemExit)


class ImportFailure(WeftError):
    """A file of the user's that cannot be imported: shown with its own traceback."""

    def __init__(self, path: str, failure: BaseException) -> None:
        kind = "ends the program" if isinstance(failure, SystemExit) else f"raises {type(failure).__name__}"
        super().__init__(f"importing it {kind}: {failure}", Position(file=path))
        frames = traceback.extract_tb(failure.__traceback__)
        own = [frame for frame in frames if "importlib" not in frame.filename and frame.filename != __file__]
        lines = traceback.format_list(own) + traceback.format_exception_only(failure)
        self._shown = "Traceback (most recent call last):\n" + "".join(lines)

    def render(self) -> str:
        """The traceback through the user's code, then the message."""
        return self._shown + super().render()


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
        module = _executed(home)
    else:
        try:
            module = importlib.import_module(home)
        except ModuleNotFoundError as failure:
            if failure.name not in (home, home.partition(".")[0]):
                raise ImportFailure(home, failure) from failure
            raise WeftError(f"unknown module '{home}'", hint="write file.py:kernel for a kernel in a file") from failure
        except _USERS as failure:
            raise ImportFailure(home, failure) from failure
    found = getattr(module, name, None)
    if not isinstance(found, Kernel):
        raise WeftError(f"no kernel named '{name}'", Position(file=home), f"its kernels: {_listed(module)}")
    return found


def _executed(path: str) -> ModuleType:
    """The module of a file; what goes wrong in it is the file's."""
    specification = importlib.util.spec_from_file_location(Path(path).stem, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module
    try:
        specification.loader.exec_module(module)
    except WeftError:
        raise
    except _USERS as failure:
        raise ImportFailure(path, failure) from failure
    return module


def _listed(module: ModuleType) -> str:
    from weft.tile import Kernel

    return ", ".join(name for name, found in vars(module).items() if isinstance(found, Kernel)) or "none"


def refuse_file(source: str) -> None:
    """Refuse a Python file without a kernel's name: raises `WeftError` with the kernels that it has."""
    if source.endswith(".py") and Path(source).is_file():
        hint = f"its kernels: {_listed(_executed(source))}"
        raise WeftError("name the kernel of a Python file, as in file.py:kernel", Position(file=source), hint)


def traced(source: str, settings: Sequence[str], multiples: Sequence[str], target: str) -> ModuleOp:
    """The kernel in the tile dialect, for a target, and for options and sizes given as `name=number`."""
    kernel = load(source)
    given = _numbers(settings)
    options = {name: value for name, value in given.items() if name in kernel.options}
    sizes = {name: value for name, value in given.items() if name not in kernel.options}
    return kernel.build(kernel.specialize(sizes, _numbers(multiples), kernel.aimed(options, target))).module


def _numbers(given: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for each in given:
        name, _, value = each.partition("=")
        if not name or not value.lstrip("-").isdigit():
            raise click.UsageError(f"{each!r} is not NAME=NUMBER")
        found[name] = int(value)
    return found
