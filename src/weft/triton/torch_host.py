"""PyTorch without a GPU: what a program asks to be on `cuda` is on the host, where the simulator finds it.

`torch.cuda` answers for the simulated device (`weft.triton.torch_cuda`).  PyTorch's own operations run on the CPU.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from weft.gpu.properties import Properties
from weft.triton.torch_cuda import always, answers, replaced


def _host(value: Any, device: Any) -> Any:
    """What names a device, with the CPU in the place of the one GPU.

    Raises:
        RuntimeError: it names another GPU.
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        if not value.startswith("cuda") or value[4:5] not in ("", ":"):
            return value
        value = device(value)
    if isinstance(value, int):
        value = device("cuda", value)
    if isinstance(value, device):
        named: Any = value
        if named.type == "cuda":
            if named.index:
                raise RuntimeError(f"CUDA error: invalid device ordinal ({named}; there is one virtual GPU)")
            return device("cpu")
    return value


def _places(args: tuple[Any, ...], device: Any, number: int | None) -> Iterator[Any]:
    """Arguments by position: where one may name a device, the host; a number names one in one place at most."""
    for n, value in enumerate(args):
        named = isinstance(value, (str, device)) or (n == number and isinstance(value, int))
        yield _host(value, device) if named else value


def _mode(torch: Any) -> Any:
    tensor: Any = torch.Tensor
    device: Any = torch.device
    base: Any = import_module("torch.overrides").TorchFunctionMode
    numbers = {tensor.to: 1, torch._C._nn._parse_to: 0}
    """Functions that take a number for a device, and the place of that argument."""
    already = (tensor.cuda, tensor.pin_memory)

    class OnHost(base):
        """Sends what is asked to be on a GPU to the host."""

        def __torch_function__(
            self, function: Any, types: object, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
        ) -> Any:
            named = dict(kwargs or {})
            if function in already:
                return args[0]
            if function is device:
                return function(*args, **named)
            if function == tensor.is_cuda.__get__:
                return args[0].is_cpu
            if function == tensor.get_device:
                return 0 if args[0].is_cpu else function(*args)
            if function == tensor.device.__get__:  # Programs assert it, and put other tensors beside it.
                return device("cuda", 0) if args[0].is_cpu else function(*args)
            named.pop("pin_memory", None)
            for name, value in named.items():
                if name in ("device", "map_location") or isinstance(value, device):
                    named[name] = _host(value, device)
            return function(*_places(args, device, numbers.get(function)), **named)

    return OnHost()


def _generator(torch: Any) -> Any:
    """`torch.Generator`, with the host's for `cuda`; what it makes, and the others, are instances of it."""
    native: Any = torch.Generator

    class Meta(type):
        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, native)

        def __call__(cls, device: Any = "cpu") -> Any:
            return native(_host(device, torch.device))

    return Meta("Generator", (), {"__module__": "torch", "__doc__": native.__doc__})


def _default_device(torch: Any) -> Iterator[tuple[Any, str, Any]]:
    """The default device of new tensors, which PyTorch itself would look for on the GPU."""
    set_, get = torch.set_default_device, torch.get_default_device
    chosen: list[Any] = []

    def set_default_device(device: Any) -> None:
        chosen[:] = [] if device is None else [torch.device(device)]
        set_(_host(device, torch.device))

    yield torch, "set_default_device", set_default_device
    yield torch, "get_default_device", lambda: chosen[0] if chosen and chosen[0].type == "cuda" else get()


@contextmanager
def on_host(torch: Any, properties: Properties) -> Generator[None]:
    """While it lasts, PyTorch takes the host for the GPU."""

    def all_answers() -> Iterator[tuple[Any, str, Any]]:
        yield from answers(torch, properties)
        yield from _default_device(torch)
        yield torch, "Generator", _generator(torch)
        yield torch.Tensor, "record_stream", always(None)  # The native one takes native streams only.

    with replaced(all_answers()), _mode(torch):
        yield
