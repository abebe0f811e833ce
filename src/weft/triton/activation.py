"""Switching Triton over to the simulator, and back."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from types import TracebackType
from typing import Any
from weakref import WeakKeyDictionary

from weft.checked import checked
from weft.errors import ToolError
from weft.gpu import Device
from weft.gpu.kernels import Kernel
from weft.gpu.policy import Checks
from weft.sim.result import Result
from weft.triton.arrays import taken_for_tensors
from weft.triton.faults import TritonFault, placed
from weft.triton.loading import Loaded
from weft.triton.torch_host import on_host
from weft.triton.tuning import Autotune, check_autotune, first_only

_CHECKED = ("races", "proxy", "uninitialised", "asynchronous", "limits")
"""The checks of `strict` but `registers` and `copies`, for what Triton's compiler does and hardware makes good."""

_NUMBERS: dict[str, int] = {}
_ACTIVE: list[Activation] = []


class Activation:
    """Triton on a simulated device until `close`; as a context manager, until the end of the block.

    `device` is the device, `last` the result of the last launch, `findings` what `report="all"` has let kernels go on
    after.  Activations nest: closing one gives Triton back what it had before.
    """

    def __init__(self, device: Device, own: bool) -> None:
        self.device = device
        self._own = own
        self._kernels: WeakKeyDictionary[Loaded, Kernel] = WeakKeyDictionary()
        self.number = _NUMBERS.setdefault(device.target, len(_NUMBERS))
        self.last: Result | None = None
        self.findings: list[TritonFault] = []
        self.driver: Any = None
        self._undo: list[Callable[[], object]] = []

    def install(self, torch: bool = True, autotune: Autotune = "all") -> Activation:
        """Put the device in the place of Triton's GPU, and with `torch` in that of PyTorch's.

        Raises:
            ToolError: Triton is not installed.
        """
        if importlib.util.find_spec("triton") is None:
            raise ToolError("triton is not installed", hint="pip install 'weft[triton]'")
        from weft.triton.compiler import PtxCompiler
        from weft.triton.driver import Afterwards, SimulatedDriver
        from weft.triton.seam import BACKENDS, DRIVER, JIT, Autotuner

        self.driver = SimulatedDriver(self)
        self._replace(DRIVER, "_active", self.driver, Afterwards())
        self._replace(DRIVER, "_default", self.driver)
        self._replace(JIT, "native_specialize_impl", _taking_arrays(JIT.native_specialize_impl))
        self._replace(JIT.KernelInterface, "__getitem__", _launching)
        before = BACKENDS.backends["nvidia"]
        BACKENDS.backends["nvidia"] = BACKENDS.Backend(PtxCompiler, SimulatedDriver)
        self._undo.append(lambda: BACKENDS.backends.__setitem__("nvidia", before))
        if autotune == "first":
            self._replace(Autotuner, "_bench", first_only(Autotuner._bench))
        if torch:
            self._take_torch()
        _ACTIVE.append(self)
        return self

    def _take_torch(self) -> None:
        """Let PyTorch take the host for the GPU, where it is installed and has none."""
        if importlib.util.find_spec("torch") is None:
            return
        torch: Any = importlib.import_module("torch")
        if hasattr(torch, "cuda") and not torch.cuda.is_available():  # Any folder may be called torch.
            host = on_host(torch, self.device.properties)
            host.__enter__()
            self._undo.append(lambda: host.__exit__(None, None, None))

    def close(self) -> None:
        """Give Triton back the driver that it had before."""
        while self._undo:
            self._undo.pop()()
        if self in _ACTIVE:
            _ACTIVE.remove(self)
        if self._own:
            self.device.close()

    def kernel(self, loaded: Loaded) -> Kernel:
        """A compiled kernel on the device.

        Raises:
            DeviceError: it is for another target.
        """
        found = self._kernels.get(loaded)
        if found is None:
            found = self._kernels[loaded] = self.device.load(loaded.module).kernel(loaded.name)
        return found

    def forget(self, loaded: Loaded) -> None:
        """Give back what a kernel has on the device."""
        found = self._kernels.pop(loaded, None)
        if found is not None:
            found.module.unload()

    def note(self, kernel: Kernel, result: Result) -> None:
        """A kernel has run."""
        self.last = result
        self.findings += [placed(fault, kernel.module.ptx) for fault in result.findings]

    def _replace(self, owner: object, name: str, value: object, otherwise: object = None) -> None:
        before = getattr(owner, name) or otherwise
        setattr(owner, name, value)
        self._undo.append(lambda: setattr(owner, name, before))

    def __enter__(self) -> Activation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@checked
def activate(
    target: str = "sm_90a",
    *,
    checks: Checks = "strict",
    asynchrony: str = "lazy",
    device: Device | None = None,
    torch: bool = True,
    autotune: Autotune = "all",
    **options: Any,
) -> Activation:
    """Let Triton compile for a target and launch on the simulator, until the result is closed.

    `checks`, `asynchrony` and further `options` are those of `weft.Device`, but that `strict` leaves out `registers`
    and `copies`; `device` is one to be used instead.  Kernels take NumPy arrays, `weft.triton` arrays, and CPU tensors
    of PyTorch; faults are `TritonFault`.  With `torch`, where PyTorch is installed and sees no GPU, what a program puts
    on `cuda` is on the host, and `torch.cuda` answers for the device.

    Autotuning calls each configuration once, or with `autotune="first"` only the first one that compiles and fits.

    Raises:
        ToolError: Triton is not installed.
        IsaError: there is no such target.
        SimulationError: a check, a mode or a way to autotune is unknown.
    """
    check_autotune(autotune)
    if device is not None:
        return Activation(device, own=False).install(torch, autotune)
    checks = _CHECKED if isinstance(checks, str) and checks == "strict" else checks
    return Activation(Device(target, checks=checks, asynchrony=asynchrony, **options), own=True).install(
        torch, autotune
    )


def active() -> Activation | None:
    """The activation that Triton launches on."""
    return _ACTIVE[-1] if _ACTIVE else None


def deactivate() -> None:
    """Close all activations: Triton has its own driver again."""
    while _ACTIVE:
        _ACTIVE[-1].close()


def _taking_arrays(native: Callable[..., Any]) -> Callable[..., Any]:
    """Triton's look at an argument, for plain arrays of NumPy too."""

    def specialise(backend: object, argument: Any, *rest: object) -> Any:
        return native(backend, taken_for_tensors(argument), *rest)

    return specialise


def _launching(kernel: Any, grid: object) -> Callable[..., Any]:
    """`kernel[grid]`: the autotuner and hooks find methods of tensors, too."""

    def launch(*args: Any, **kwargs: Any) -> Any:
        given = {name: taken_for_tensors(value) for name, value in kwargs.items()}
        return kernel.run(*map(taken_for_tensors, args), grid=grid, warmup=False, **given)

    return launch
