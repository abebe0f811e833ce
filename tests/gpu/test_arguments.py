"""What public functions are given wrongly, of every kind at every place: errors of ours, each with a hint."""

from __future__ import annotations

import contextlib
import ctypes
import inspect
import io
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft
import weft.triton as weft_triton
from weft.errors import WeftError
from weft.gpu.streams import elapsed
from weft.triton.activation import Activation

PTX = """
.version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 total[4];
.visible .entry k(.param .u64 out, .param .u32 n) { ret; }
"""
Entry = Callable[[Any], object]


class Scene:
    """A device with what lives on it, another one and a closed one."""

    def __init__(self) -> None:
        self.device, self.other = (weft.Device(target, memory=1 << 22) for target in ("sm_90a", "sm_80"))
        self.closed = weft.Device("sm_90a", memory=1 << 20)
        self.closed.close()
        self.module = self.device.load(PTX)
        self.kernel, self.symbol = self.module.kernel("k"), self.module.symbol("total")
        self.array = self.device.zeros((64, 64))
        self.place = self.device.alloc(64, "x")

    def wrong(self) -> Iterator[Any]:
        """Values of every kind; most are wrong wherever they are given."""
        yield from (None, True, -1, 0, 3, 2**31, 2**63, 2**64, 10**30, 1.5, float("nan"), float("inf"), 1e300, 1j)
        yield from ("", "x", "sm_90", "lazy", "\0", "é" * 5, "f4", "nonsense", "i4,i4", "O", b"", b"abc", bytearray(3))
        yield from ([], [1], (1, 2, 3, 4), (0,), (-1, 1), ("a",), (None,), {}, {"a": 1}, set[int](), {1}, range(3))
        yield from (object(), int, np.float32, ..., slice(1), NotImplemented, Exception("x"), iter([1]))
        yield from (np.zeros(0), np.zeros(3), np.array(5), np.array([1, 2]), np.array([object()]), np.zeros(2, "U3"))
        yield from (np.zeros(2, [("a", "i4")]), np.float32(2), np.int64(3), np.int64(-3), np.datetime64(3, "s"))
        yield from (np.dtype("O"), np.dtype("V0"), memoryview(b"abcd"), ctypes.c_int(3), ctypes.c_char_p(b"a"))
        yield from (Path("nowhere"), Path("/"), self.device, self.other, self.closed, self.module, self.kernel)
        yield from (self.symbol, self.array[::2], self.array.T, self.other.default_stream, self.device.event())

    def entries(self) -> Iterator[tuple[str, Entry]]:
        """The public functions, each as a function of one of its arguments; the others are right."""
        device, ptx = self.device, weft.parse(PTX)
        start, stream = device.event(), device.stream()
        start.record()
        rights: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
            "Device": (_closing(weft.Device), {"memory": 1 << 20}),
            "alloc": (lambda *a, **b: device.free(device.alloc(*a, **b)), {"size": 4, "name": "y", "align": 64}),
            "free": (device.free, {"place": self.place}),
            "empty": (device.empty, {"shape": 4, "dtype": "f4", "name": ""}),
            "zeros": (device.zeros, {"shape": 4, "dtype": "f4", "name": ""}),
            "array": (device.array, {"contents": [1], "name": ""}),
            "address": (device.address, {"place": self.place}),
            "find": (device.find, {"place": self.place}),
            "view": (device.view, {"place": self.place, "size": 8, "dtype": "u1"}),
            "upload": (device.upload, {"to": self.place, "data": b"abcd"}),
            "download": (device.download, {"place": self.place, "size": 8}),
            "copy": (device.copy, {"to": self.place, "source": self.place, "size": 8}),
            "memset": (device.memset, {"place": self.place, "value": 0, "size": 8}),
            "load": (device.load, {"source": PTX}),
            "load of several": (lambda one: device.load([PTX, one]), {"one": PTX}),
            "kernel": (device.kernel, {"source": PTX, "name": "k"}),
            "stream": (device.stream, {"blocking": True}),
            "Module.kernel": (self.module.kernel, {"name": "k"}),
            "Module.symbol": (self.module.symbol, {"name": "total"}),
            "Symbol.view": (self.symbol.view, {"dtype": "u4"}),
            "Symbol.write": (self.symbol.write, {"data": b"abcd", "offset": 4}),
            "launch": (self.kernel.launch, {"grid": 1, "block": 32, "args": [None, 1]}),
            "a pointer": (lambda one: self.kernel.launch(1, 32, [one, 1]), {"one": None}),
            "a number": (lambda one: self.kernel.launch(1, 32, [None, one]), {"one": 1}),
            "wait": (stream.wait, {"event": start}),
            "record": (start.record, {"stream": stream}),
            "elapsed": (elapsed, {"start": start, "end": start}),
            "run": (weft.run, {"module": ptx, "kernel": "k", "grid": 1, "block": 32, "args": [0, 1]}),
            "activate": (_closing(weft_triton.activate), {}),
        }
        for name, (function, right) in rights.items():
            for argument in dict.fromkeys((*right, *(p for p in _names(function) if p != "options"))):
                yield f"{name}({argument})", partial(_called, function, right, argument)


def _closing(function: Callable[..., weft.Device | Activation]) -> Callable[..., None]:
    def call(**options: Any) -> None:
        function(**options).close()

    call.__dict__["__wrapped__"] = function
    return call


def _names(function: Callable[..., object]) -> list[str]:
    return [] if getattr(function, "__name__", "") == "<lambda>" else list(inspect.signature(function).parameters)


def _called(function: Callable[..., object], right: dict[str, Any], argument: str, value: Any) -> None:
    given = {} if argument == "parameters" else right
    given = {name: given.get(name, right[name]) for name in right if name != "args" or argument != "parameters"}
    function(**{**given, argument: value})


def test_wrong_arguments() -> None:
    scene, tried, problems = Scene(), 0, list[str]()
    for name, entry in scene.entries():
        for value in scene.wrong():
            if callable(value) and name == "run(progress)":  # What it raises is its own.
                continue
            tried += 1
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    entry(value)
            except WeftError as error:
                if not error.message or not error.hint:
                    problems.append(f"{name} of {value!r:.40}: no hint: {error.message}")
            except Exception as error:
                problems.append(f"{name} of {value!r:.40}: {error!r:.100}")
    assert tried > 5000
    assert problems == []


def test_messages() -> None:
    with pytest.raises(TypeError, match="Device: target is None\nhint: it takes a string"):
        weft.Device(None)  # pyright: ignore[reportArgumentType]
    with pytest.raises(WeftError, match="Device has no argument 'chekcs'\nhint: did you mean checks"):
        weft.Device(chekcs="fast")  # pyright: ignore[reportCallIssue]
    kernel = Scene().kernel
    with pytest.raises(WeftError, match=r"Kernel.launch: grid is 'a', of type str\nhint: .* a sequence of integers"):
        kernel.launch("a", 32)  # pyright: ignore[reportArgumentType]
    with pytest.raises(WeftError, match="Module.kernel: name is 3, of type int"):
        kernel.module.kernel(3)  # pyright: ignore[reportArgumentType]
