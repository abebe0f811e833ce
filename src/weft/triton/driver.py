"""The driver that Triton talks to in place of CUDA's: one simulated device for each target."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from weft.gpu.resources import resources
from weft.isa.tensor_map_words import of_driver
from weft.sim.result import Result
from weft.triton.arrays import zeros
from weft.triton.descriptors import im2col, tiled
from weft.triton.events import Event
from weft.triton.execution import Argument, Geometry, launch
from weft.triton.faults import Source
from weft.triton.launcher import Launcher
from weft.triton.loading import LEAST, Loaded, load
from weft.triton.seam import DRIVER, DriverBase, GPUTarget

if TYPE_CHECKING:
    from weft.triton.activation import Activation


class DeviceInterface:
    """What Triton's benchmarks ask `torch.cuda` for."""

    Event = Event

    def __init__(self, driver: SimulatedDriver) -> None:
        self._driver = driver

    def synchronize(self, device: object = None) -> None:
        """Launches are over when they return."""

    def current_device(self) -> int:
        """The number of the device."""
        return self._driver.get_current_device()

    def get_device_capability(self, device: object = None) -> tuple[int, int]:
        """The compute capability."""
        return self._driver.get_device_capability(device)


class Utilities:
    """Triton's native helpers: loading, device properties, tensor maps."""

    def __init__(self, driver: SimulatedDriver) -> None:
        self._driver = driver

    def load_binary(self, name: str, binary: bytes, shared: int, device: int) -> tuple[Loaded, Loaded, int, int, int]:
        """A kernel from its PTX: module, function, registers, spills, and the threads that a CTA may have."""
        found = load(name, binary, shared)
        self._driver.activation.kernel(found)
        used = resources(found.module, name, self._driver.activation.device.target)
        registers, spills = (LEAST, 0) if used is None else (used.registers, used.spill_store_bytes // 4)
        return found, found, registers, spills, self._driver.properties["max_threads"]

    def unload_module(self, module: Loaded) -> None:
        """Give back the memory of the module's variables."""
        self._driver.activation.forget(module)

    def get_device_properties(self, device: object = None) -> dict[str, int]:
        """What kernels are fitted to."""
        return self._driver.properties

    def get_device_capability(self, device: object = None) -> tuple[int, int]:
        """The compute capability."""
        return self._driver.get_device_capability(device)

    def get_current_device(self) -> int:
        """The number of the device."""
        return self._driver.get_current_device()

    def set_current_device(self, device: int) -> None:
        """There is one device."""

    def get_default_stream(self, device: object = None) -> int:
        """The one stream."""
        return 0

    def is_stream_capturing(self, stream: int) -> bool:
        """Launches are never recorded."""
        return False

    def set_printf_fifo_size(self, size: int) -> None:
        """What is printed is never dropped."""

    def cuOccupancyMaxActiveClusters(self, function: Loaded, shared: int, ctas: int) -> int:  # noqa: N802
        """The clusters of so many CTAs that could run at once: one on each group of multiprocessors."""
        properties = self._driver.activation.device.properties
        return 0 if ctas > properties.max_cluster else properties.multiprocessors // ctas

    def fill_tma_descriptor_tiled(
        self, address: int, swizzle: int, element_size: int, data_type: int, *rest: Any
    ) -> Any:
        """A tensor map; `data_type` is CUDA's number."""
        return tiled(address, swizzle, element_size, of_driver(data_type), *rest)

    def fill_tma_descriptor_im2col(
        self, address: int, swizzle: int, element_size: int, data_type: int, *rest: Any
    ) -> Any:
        """A tensor map for convolutions; `data_type` is CUDA's number."""
        return im2col(address, swizzle, element_size, of_driver(data_type), *rest)


class SimulatedDriver(DriverBase):
    """A device of one target; Triton takes it for an NVIDIA GPU, so that its own compiler makes the PTX."""

    launcher_cls = Launcher

    def __init__(self, activation: Activation) -> None:
        self.activation = activation
        self.utils = Utilities(self)

    @property
    def properties(self) -> dict[str, int]:
        """The device's properties by Triton's names."""
        found = self.activation.device.properties
        return {
            "max_shared_mem": found.shared_per_block_optin,
            "max_num_regs": found.registers_per_block,
            "multiprocessor_count": found.multiprocessors,
            "warpSize": found.warp_size,
            "sm_clock_rate": found.clock_khz,
            "mem_clock_rate": found.memory_clock_khz,
            "mem_bus_width": found.bus_width,
            "max_threads": found.max_threads_per_block,
        }

    @classmethod
    def is_active(cls) -> bool:
        """Whether there is such a device: always."""
        return True

    def map_python_to_cpp_type(self, ty: str) -> str:
        """The C type of an argument, as compilers of launchers ask for it."""
        return str(import_module("triton.backends.nvidia.driver").ty_to_cpp(ty))

    def get_current_target(self) -> Any:
        """The target that Triton compiles for."""
        major, minor = self.get_device_capability()
        return GPUTarget("cuda", 10 * major + minor, 32)

    def get_device_capability(self, device: object = None) -> tuple[int, int]:
        """The compute capability, major and minor."""
        return self.activation.device.properties.capability

    def get_current_device(self) -> int:
        """The number of the device: one for each target, as kernels are kept by it."""
        return self.activation.number

    def set_current_device(self, device: int) -> None:
        """There is one device."""

    def get_current_stream(self, device: object = None) -> int:
        """The one stream."""
        return 0

    def get_active_torch_device(self) -> Any:
        """Where PyTorch's tensors on the host say that they are, which programs compare it with."""
        torch: Any = import_module("torch")
        return torch.empty(0, device="cpu").device

    def get_device_interface(self) -> DeviceInterface:
        """What benchmarks use in place of `torch.cuda`."""
        return DeviceInterface(self)

    def get_benchmarker(self) -> Callable[..., list[float]]:
        """What the autotuner measures with: one call, as time on a simulator says nothing about a GPU's."""
        return _once

    def get_empty_cache_for_benchmark(self) -> None:
        """There is no cache to be cleared."""

    def clear_cache(self, cache: object) -> None:
        """There is no cache to be cleared."""

    def allocate_default_profile_scratch(self, size: int, alignment: int, stream: Any) -> Any:
        """Memory for profiling."""
        return zeros(size, "int8")

    def assemble_tensormap_to_arg(self, tensormaps_info: object, args: Any) -> Any:
        """Descriptors are arguments like others."""
        return args

    def launch(
        self, loaded: Loaded, geometry: Geometry, arguments: Sequence[Argument], source: Source | None
    ) -> Result:
        """Run a kernel; see `weft.triton.execution.launch`."""
        kernel = self.activation.kernel(loaded)
        result = launch(self.activation.device, kernel, geometry, arguments, source)
        self.activation.note(kernel, result)
        return result


class Afterwards:
    """What is active once a device is closed, where nothing was before: Triton's own choice, made when it is needed.

    Kernels that are collected then are still unloaded, for which no driver has to be there.
    """

    class utils:  # noqa: N801
        """Triton's native helpers."""

        @staticmethod
        def unload_module(module: Loaded) -> None:
            """The device has taken the module with it."""

    def __getattr__(self, name: str) -> Any:
        DRIVER._active = None
        return getattr(DRIVER.active, name)


def _once(call: Callable[[], object], *, quantiles: Sequence[float] | None = None, **_: object) -> list[float]:
    start = time.perf_counter()
    call()
    taken = 1000 * (time.perf_counter() - start)
    return [taken] * len(quantiles or (0.5, 0.2, 0.8))
