"""What `torch.cuda` answers on the virtual GPU: of the device, its memory, streams, events and random numbers.

Everything has run when a call returns, so that streams and events have nothing to wait for.  Memory is the host's,
which is not counted.  Random numbers come from PyTorch's generator for the CPU, which makes those of `cuda` tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from weft.gpu.properties import Properties
from weft.triton.events import Event

CUDA = "13.0"
"""The version of CUDA that PyTorch says it was built with."""

_NOTHING = (
    *("init", "set_device", "set_stream", "synchronize", "empty_cache", "ipc_collect", "set_sync_debug_mode"),
    *("reset_peak_memory_stats", "reset_max_memory_allocated", "reset_max_memory_cached", "_lazy_init", "_sleep"),
    *("reset_accumulated_memory_stats", "reset_peak_host_memory_stats", "reset_accumulated_host_memory_stats"),
    *("set_per_process_memory_fraction",),
)
"""Functions of `torch.cuda` that have nothing to do."""
_BYTES = ("memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved", "get_sync_debug_mode")
_TYPES = ("Float", "Double", "Half", "BFloat16", "Byte", "Char", "Short", "Int", "Long", "Bool")


class Stream:
    """The one stream, by whatever name a program makes it."""

    cuda_stream = 0
    device_index = 0

    def __init__(self, device: object = None, priority: int = 0, **_: object) -> None:
        self.priority = priority

    def synchronize(self) -> None:
        """Nothing is under way."""

    def query(self) -> bool:
        """Whether all its work is done: always."""
        return True

    def wait_event(self, event: object) -> None:
        """Nothing is under way."""

    def wait_stream(self, stream: object) -> None:
        """Nothing is under way."""

    def record_event(self, event: Event | None = None) -> Event:
        """An event, made where none is given, at this moment."""
        found = Event() if event is None else event
        found.record(self)
        return found

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class DeviceGuard:
    """The current device while it lasts, which is the one that there is."""

    prev_idx = 0

    def __init__(self, device: object = None) -> None:
        self.idx = 0

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass


class StreamGuard:
    """The current stream while it lasts, which is the one that there is."""

    def __init__(self, stream: Stream | None) -> None:
        self.stream = stream

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass


def _told(properties: Properties) -> SimpleNamespace:
    """`torch.cuda.get_device_properties`."""
    return SimpleNamespace(
        name=properties.name,
        major=properties.major,
        minor=properties.minor,
        total_memory=properties.memory,
        multi_processor_count=properties.multiprocessors,
        warp_size=properties.warp_size,
        max_threads_per_multi_processor=properties.threads_per_multiprocessor,
        max_threads_per_block=properties.max_threads_per_block,
        regs_per_multiprocessor=properties.registers_per_multiprocessor,
        shared_memory_per_block=properties.shared_per_block,
        shared_memory_per_block_optin=properties.shared_per_block_optin,
        shared_memory_per_multiprocessor=properties.shared_per_multiprocessor,
        L2_cache_size=properties.l2_bytes,
        clock_rate=properties.clock_khz,
        memory_clock_rate=properties.memory_clock_khz,
        memory_bus_width=properties.bus_width,
        uuid=UUID(int=0),
        gcnArchName="",
        is_integrated=False,
        is_multi_gpu_board=False,
    )


def _made(make: Callable[[], object]) -> Callable[..., object]:
    # One function a name: PyTorch's compiler keeps functions by identity, and refuses one that has two names.
    return lambda *_, **__: make()


def always(value: object) -> Callable[..., object]:
    """A function of any arguments with this result."""
    return _made(lambda: value)


def answers(torch: Any, properties: Properties) -> Iterator[tuple[Any, str, Any]]:
    """Modules of PyTorch, names in them, and what these are on the virtual GPU."""
    for name, answer in _of_cuda(torch, properties):
        yield torch.cuda, name, answer
    for name in ("range_push", "range_pop", "range_start", "range_end", "mark"):
        yield torch.cuda.nvtx, name, always(0)
    for name in ("start", "stop"):
        yield torch.cuda.profiler, name, always(0)
    yield torch.version, "cuda", CUDA
    for name in ("_cuda_getCurrentRawStream", "_cuda_getDevice"):
        yield torch._C, name, always(0)
    if accelerator := getattr(torch, "accelerator", None):
        yield accelerator, "is_available", always(True)
        yield accelerator, "device_count", always(1)
        yield accelerator, "current_accelerator", _made(lambda: torch.device("cuda"))
        yield accelerator, "current_stream", _made(Stream)
        for name in ("current_device_index", "current_device_idx"):
            yield accelerator, name, always(0)
        for name in ("synchronize", "set_device_index", "set_device_idx", "set_stream", "empty_cache"):
            yield accelerator, name, always(None)


def _of_cuda(torch: Any, properties: Properties) -> Iterator[tuple[str, Any]]:
    """The names in `torch.cuda`."""
    told = _told(properties)
    free = (properties.memory, properties.memory)
    for name in _NOTHING:
        yield name, always(None)
    for name in _BYTES:
        yield name, always(0)
    for name in _TYPES:
        yield f"{name}Tensor", getattr(torch, f"{name}Tensor")
    yield from {
        "is_available": always(True),
        "is_initialized": always(True),
        "is_bf16_supported": always(properties.major >= 8),
        "device_count": always(1),
        "current_device": always(0),
        "device": DeviceGuard,
        "device_of": DeviceGuard,
        "can_device_access_peer": always(False),
        "get_device_capability": always(properties.capability),
        "get_device_name": always(properties.name),
        "get_device_properties": always(told),
        "get_arch_list": _made(lambda: [f"sm_{properties.major}{properties.minor}"]),
        "mem_get_info": always(free),
        "memory_stats": _made(dict),
        "memory_summary": always(""),
        "memory_snapshot": _made(list),
        "get_allocator_backend": always("native"),
        "is_current_stream_capturing": always(False),
        "current_stream": _made(Stream),
        "default_stream": _made(Stream),
        "Stream": Stream,
        "stream": StreamGuard,
        "Event": Event,
        "cudart": _made(_Runtime),
    }.items()
    yield from _random_numbers(torch)


def _random_numbers(torch: Any) -> Iterator[tuple[str, Any]]:
    """The generator of the device, which is that of the host."""
    generator = torch.default_generator

    def get(device: object = "cuda") -> Any:
        return generator.get_state()

    def set_(new_state: Any, device: object = "cuda") -> None:
        generator.set_state(new_state)

    def set_all(new_states: Any) -> None:
        generator.set_state(new_states[0])

    def seed(seed: Any) -> None:
        generator.manual_seed(int(seed))

    def seed_all(seed: Any) -> None:
        generator.manual_seed(int(seed))

    yield "default_generators", (generator,)
    yield "get_rng_state", get
    yield "get_rng_state_all", _made(lambda: [generator.get_state()])
    yield "set_rng_state", set_
    yield "set_rng_state_all", set_all
    yield "initial_seed", _made(generator.initial_seed)
    yield "manual_seed", seed
    yield "manual_seed_all", seed_all
    yield "seed", _made(generator.seed)
    yield "seed_all", _made(generator.seed)


class _Runtime:
    """`torch.cuda.cudart()`, as far as programs call it: what starts and stops profilers."""

    def __getattr__(self, name: str) -> Callable[..., int]:
        if name.startswith("cudaProfiler"):
            return lambda *_: 0
        raise AttributeError(f"torch.cuda.cudart() has no {name} on the virtual GPU")


@contextmanager
def replaced(answers: Iterator[tuple[Any, str, Any]]) -> Generator[None]:
    """While it lasts, names of modules stand for other things."""
    missing = object()
    before: list[tuple[Any, str, Any]] = []
    try:
        for owner, name, answer in answers:
            before.append((owner, name, getattr(owner, name) if name in vars(owner) else missing))
            setattr(owner, name, answer)
        yield
    finally:
        for owner, name, value in reversed(before):
            if value is missing:
                delattr(owner, name)
            else:
                setattr(owner, name, value)
