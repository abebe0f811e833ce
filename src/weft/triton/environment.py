"""The virtual GPU as environment variables ask for it: `WEFT_TRITON=sm_90a` and those beside it.

Processes that a program starts have the environment of the program, and so the same device.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from weft.triton.activation import Activation

TARGET = "WEFT_TRITON"
"""The variable that names the target."""
_WORDS = {"checks": "WEFT_CHECKS", "asynchrony": "WEFT_ASYNCHRONY", "autotune": "WEFT_AUTOTUNE"}
_BOUNDS = "WEFT_BOUNDS"
_FOR_GOOD = ExitStack()
"""What lasts as long as the process."""


def activation() -> Activation:
    """The activation that the variables describe.

    Raises:
        SimulationError: one of them has no such value.
    """
    from weft.sim.faults import SimulationError
    from weft.triton.activation import activate

    options: dict[str, Any] = {name: os.environ[word] for name, word in _WORDS.items() if os.environ.get(word)}
    if "," in options.get("checks", ""):
        options["checks"] = options["checks"].split(",")
    if bounds := os.environ.get(_BOUNDS):
        if not bounds.isdecimal():
            raise SimulationError(f"{_BOUNDS}={bounds!r} is not a number of bytes", hint="512, say")
        options["bounds"] = int(bounds)
    return activate(os.environ.get(TARGET) or "sm_90a", **options)


@contextmanager
def passed_on(target: str, options: dict[str, Any]) -> Generator[None]:
    """While it lasts, processes that are started have a device of this kind; `options` are those of `activate`."""
    wanted = {TARGET: target}
    for name, word in {**_WORDS, "bounds": _BOUNDS}.items():
        value = options.get(name)
        if value is not None:
            wanted[word] = value if isinstance(value, str) else ",".join(value) if name == "checks" else str(value)
    before = {word: os.environ.get(word) for word in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for word, value in before.items():
            if value is None:
                os.environ.pop(word, None)
            else:
                os.environ[word] = value


def prepare_torch() -> None:
    """Let PyTorch take the host for the GPU, now or once it is imported: programs put tensors on it before they launch.

    Triton's driver, which does that for an activation, is made by the first launch.
    """
    torch = sys.modules.get("torch")
    if torch is None:
        sys.meta_path.insert(0, _Finder())
    elif not getattr(torch.__spec__, "_initializing", False):
        _take(torch)


def _take(torch: Any) -> None:
    from weft.gpu.device import MEMORY
    from weft.gpu.properties import properties_of
    from weft.triton.torch_host import on_host

    if not torch.cuda.is_available():
        _FOR_GOOD.enter_context(on_host(torch, properties_of(os.environ[TARGET], MEMORY)))


class _Taking(Loader):
    """Loads PyTorch as another loader does, then lets it take the host for the GPU."""

    def __init__(self, loader: Loader) -> None:
        self.loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self.loader.exec_module(module)
        _take(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)


class _Finder(MetaPathFinder):
    """Finds PyTorch as it is found otherwise, once."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != "torch":
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Taking(spec.loader)
        return spec
