"""PyTorch without a GPU: what a program asks to be on `cuda` is on the host, where the simulator finds it.

`torch.cuda` answers for the simulated device as far as programs ask before they launch kernels of their own: is there a
GPU, what can it do, wait for it, measure time.  PyTorch's own operations run on the CPU.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from types import SimpleNamespace
from typing import Any, cast

from weft.gpu.properties import Properties
from weft.triton.events import Event


def _on_host(value: Any, device: type) -> Any:
    """An argument, with the CPU in the place of a GPU."""
    if isinstance(value, str) and (value == "cuda" or value.startswith("cuda:")):
        return "cpu"
    if isinstance(value, device):
        named: Any = value
        return cast(Any, device)("cpu") if named.type == "cuda" else named
    return value


def _mode(torch: Any) -> Any:
    tensor: Any = torch.Tensor
    base: Any = import_module("torch.overrides").TorchFunctionMode

    class OnHost(base):
        """Sends what is asked to be on a GPU to the host."""

        def __torch_function__(
            self, function: Any, types: object, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
        ) -> Any:
            if function is tensor.cuda:
                return args[0]
            if function is torch.device:
                return function(*args, **(kwargs or {}))
            if function == tensor.is_cuda.__get__:
                return args[0].is_cpu
            if function == tensor.get_device:
                return 0 if args[0].is_cpu else function(*args)
            if function == tensor.device.__get__:  # Programs assert it, and put other tensors beside it.
                return torch.device("cuda", 0) if args[0].is_cpu else function(*args)
            named = {name: _on_host(value, torch.device) for name, value in (kwargs or {}).items()}
            named.pop("pin_memory", None)
            return function(*(_on_host(value, torch.device) for value in args), **named)

    return OnHost()


class Stream:
    """The one stream."""

    cuda_stream = 0

    def __init__(self, *_: object, **__: object) -> None:
        self.device_index = 0

    def synchronize(self) -> None:
        """Nothing is under way."""

    wait_event = wait_stream = record_event = synchronize

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def _answers(properties: Properties) -> dict[str, Any]:
    """What `torch.cuda` says of the device."""
    told = SimpleNamespace(
        name=properties.name,
        major=properties.major,
        minor=properties.minor,
        total_memory=properties.memory,
        multi_processor_count=properties.multiprocessors,
        warp_size=properties.warp_size,
        max_threads_per_multi_processor=properties.threads_per_multiprocessor,
        regs_per_multiprocessor=properties.registers_per_multiprocessor,
        shared_memory_per_block=properties.shared_per_block,
        shared_memory_per_block_optin=properties.shared_per_block_optin,
        shared_memory_per_multiprocessor=properties.shared_per_multiprocessor,
        L2_cache_size=properties.l2_bytes,
        is_integrated=False,
    )

    def made(make: Callable[[], object]) -> Callable[..., object]:
        # One function a name: PyTorch's compiler keeps functions by identity, and refuses one that has two names.
        return lambda *_, **__: make()

    def always(value: object) -> Callable[..., object]:
        return made(lambda: value)

    return {
        "is_available": always(True),
        "is_initialized": always(True),
        "init": always(None),
        "device_count": always(1),
        "current_device": always(0),
        "set_device": always(None),
        "device": made(nullcontext),
        "device_of": made(nullcontext),
        "get_device_capability": always(properties.capability),
        "get_device_name": always(properties.name),
        "get_device_properties": always(told),
        "mem_get_info": always((properties.memory, properties.memory)),
        "synchronize": always(None),
        "empty_cache": always(None),
        "reset_peak_memory_stats": always(None),
        "memory_allocated": always(0),
        "max_memory_allocated": always(0),
        "manual_seed": always(None),
        "manual_seed_all": always(None),
        "is_current_stream_capturing": always(False),
        "current_stream": made(Stream),
        "default_stream": made(Stream),
        "Stream": Stream,
        "stream": made(nullcontext),
        "Event": Event,
    }


@contextmanager
def on_host(torch: Any, properties: Properties) -> Generator[None]:
    """While it lasts, PyTorch takes the host for the GPU."""
    before: dict[str, Callable[..., Any]] = {}
    for name, answer in _answers(properties).items():
        before[name] = getattr(torch.cuda, name)
        setattr(torch.cuda, name, answer)
    try:
        with _mode(torch):
            yield
    finally:
        for name, answer in before.items():
            setattr(torch.cuda, name, answer)
