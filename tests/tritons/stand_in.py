"""What weft uses of PyTorch, for where it is not installed: devices, tensors that know where they are, and modes.

As in PyTorch, a mode is asked first whenever a function is called, and what it calls is not asked of it again.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

_MODES: list[Any] = []
NO_GPU = "no NVIDIA driver"
"""What the function of PyTorch that is meant to be replaced raises."""


def _dispatched(function: Any, *args: Any, **kwargs: Any) -> Any:
    if not _MODES:
        return function.plain(*args, **kwargs) if hasattr(function, "plain") else function(*args, **kwargs)
    mode = _MODES.pop()
    try:
        return mode.__torch_function__(function, (), args, kwargs)
    finally:
        _MODES.append(mode)


class TorchFunctionMode:
    """A mode while it is entered."""

    def __enter__(self) -> TorchFunctionMode:
        _MODES.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _MODES.remove(self)


class Device:
    """`torch.device`: of a text with a number behind it, or of a type and a number."""

    def __init__(self, type: Any, index: int | None = None) -> None:
        if isinstance(type, Device):
            type, index = type.type, type.index
        name, colon, number = type.partition(":")
        if name not in ("cpu", "cuda", "meta", "xla", "cudaish"):
            raise RuntimeError(f"unknown device {type}")
        self.type, self.index = name, int(number) if colon else index

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __repr__(self) -> str:
        return f"{self.type}{'' if self.index is None else f':{self.index}'}"


def _method(plain: Callable[..., Any]) -> Callable[..., Any]:
    """A method that modes hear of, as the function that is found in the class."""

    def method(*args: Any, **kwargs: Any) -> Any:
        return _dispatched(method, *args, **kwargs)

    method.plain = plain  # type: ignore[attr-defined]
    method.__name__ = plain.__name__
    return method


class _Attribute:
    """An attribute that modes hear of, as its `__get__`."""

    def __init__(self, plain: Callable[[Any], Any]) -> None:
        self.plain = plain
        self.busy = False

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        return _dispatched(_Getter(self), instance) if _MODES else self.plain(instance)


class _Getter:
    """`attribute.__get__` as an object: two of one attribute are equal."""

    def __init__(self, attribute: _Attribute) -> None:
        self.attribute = attribute
        self.plain = attribute.plain

    def __call__(self, instance: Any, owner: Any = None) -> Any:
        return self.plain(instance)

    def __eq__(self, other: object) -> bool:
        return getattr(other, "__self__", None) is self.attribute

    def __hash__(self) -> int:
        return id(self.attribute)


class Tensor:
    """A tensor: where it lies, and the call that made it."""

    def __init__(self, place: Device, made: tuple[Any, ...] = ()) -> None:
        self.place, self.made = place, made

    device = _Attribute(lambda self: self.place)
    is_cuda = _Attribute(lambda self: self.place.type == "cuda")

    @property
    def is_cpu(self) -> bool:
        return self.place.type == "cpu"

    @_method
    def get_device(self) -> int:
        return -1 if self.place.type == "cpu" else (self.place.index or 0)

    @_method
    def to(self, *args: Any, **kwargs: Any) -> Tensor:
        return Tensor(_placed(kwargs.get("device"), *args[:1]), ("to", args, kwargs))

    @_method
    def cuda(self, *args: Any, **kwargs: Any) -> Tensor:
        raise RuntimeError(NO_GPU)

    @_method
    def pin_memory(self, *args: Any) -> Tensor:
        raise RuntimeError(NO_GPU)

    @_method
    def sum(self, *args: Any) -> Tensor:
        return Tensor(self.place, ("sum", args))

    def record_stream(self, stream: object) -> None:
        raise RuntimeError(NO_GPU)


def _placed(*names: Any) -> Device:
    for name in names:
        if isinstance(name, (Device, str)):
            found = Device(name)
            if found.type == "cuda":
                raise RuntimeError(NO_GPU)
            return found
    return Device("cpu")


class Generator:
    """`torch.Generator`: a state and where it is."""

    def __init__(self, device: Any = "cpu") -> None:
        self.device, self.state = _placed(device), 0

    def get_state(self) -> int:
        return self.state

    def set_state(self, state: int) -> None:
        self.state = state

    def manual_seed(self, seed: int) -> Generator:
        assert type(seed) is int
        self.state = seed
        return self

    def initial_seed(self) -> int:
        return 67280421310721

    def seed(self) -> int:
        self.state = 99
        return 99


def _raising(*_: object, **__: object) -> Any:
    raise RuntimeError(NO_GPU)


def made() -> Any:
    """A new `torch` that sees no GPU."""
    torch: Any = ModuleType("torch")
    torch.Tensor, torch.device, torch.Generator = Tensor, Device, Generator
    for name in ("Float", "Double", "Half", "BFloat16", "Byte", "Char", "Short", "Int", "Long", "Bool"):
        setattr(torch, f"{name}Tensor", type(f"{name}Tensor", (), {}))
    torch.default_generator = Generator()

    @_method
    def empty(*args: Any, **kwargs: Any) -> Tensor:
        places = [kwargs.get("device"), *(arg for arg in args if isinstance(arg, (Device, str)))]
        return Tensor(_placed(*places), ("empty", args, kwargs))

    @_method
    def load(*args: Any, **kwargs: Any) -> Tensor:
        return Tensor(_placed(kwargs.get("map_location")), ("load", args, kwargs))

    @_method
    def parse_to(*args: Any, **kwargs: Any) -> Device:
        return _placed(kwargs.get("device"), *args)

    torch.empty, torch.load = empty, load
    torch._C = SimpleNamespace(_nn=SimpleNamespace(_parse_to=parse_to))
    for name in ("_cuda_getCurrentRawStream", "_cuda_getDevice"):
        setattr(torch._C, name, _raising)
    torch.default = [Device("cpu")]

    def set_default_device(device: Any) -> None:
        torch.default[0] = _placed(device)

    torch.set_default_device, torch.get_default_device = set_default_device, lambda: torch.default[0]
    torch.version = SimpleNamespace(cuda=None)
    torch.accelerator = SimpleNamespace(is_available=lambda: False)
    torch.cuda = SimpleNamespace(
        is_available=lambda: False, synchronize=_raising, Stream=object, device_count=lambda: 0,
        nvtx=SimpleNamespace(range_push=_raising), profiler=SimpleNamespace(start=_raising),
    )  # fmt: skip
    overrides: Any = ModuleType("torch.overrides")
    overrides.TorchFunctionMode = TorchFunctionMode
    torch.overrides = overrides
    return torch
