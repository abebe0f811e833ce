"""What a program may pass to the virtual GPU by mistake: arguments of all kinds, of other devices, freed, too large."""

from __future__ import annotations

import ctypes
import inspect
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import weft

PTX = """.version 8.0
.target sm_80
.address_size 64
.global .align 4 .b32 counter[4] = {1, 2, 3, 4};
.visible .entry scale(.param .u64 x, .param .f32 a, .param .u32 n)
{
  .reg .b64 %p, %i; .reg .b32 %t, %n; .reg .f32 %a, %v; .reg .pred %g;
  ld.param.u64 %p, [x]; ld.param.f32 %a, [a]; ld.param.u32 %n, [n]; mov.u32 %t, %tid.x;
  setp.ge.u32 %g, %t, %n; @%g ret;
  mul.wide.u32 %i, %t, 4; add.u64 %p, %p, %i; ld.global.f32 %v, [%p]; mul.f32 %v, %v, %a; st.global.f32 [%p], %v; ret;
}
"""
_INTERNAL = frozenset(
    ["accesses", "after_launch", "before_launch", "forget", "leave", "place", "ready", "running", "share"]
)
"""Methods for other parts of weft."""
_ENDS = frozenset(["close", "unload"])
"""Methods that end what the calls after them need."""


class Odd:
    """What has no methods that anybody asks for."""


class Half:
    """An interface of arrays that lacks some of it."""

    def __init__(self, **told: object) -> None:
        self.__array_interface__ = told


class Fields(ctypes.Structure):
    """A structure."""

    _fields_ = (("a", ctypes.c_int32), ("b", ctypes.c_double))


def numbers() -> list[Any]:
    """Numbers, among them such as no size and no address can be."""
    found: list[Any] = [0, 1, -1, 3, 64, 255, 4096, 1 << 20, 1 << 31, (1 << 32) - 1, 1 << 33, 1 << 40, 1 << 63]
    found += [-(1 << 63), 1 << 64, 1 << 200, True, 0.5, 1e300, float("nan"), float("inf"), 1j]
    return [*found, np.int8(-3), np.float16(2), np.uint64(1 << 63), np.bool_(True)]


def arrays(x: Any) -> list[Any]:
    """Views of an array of a device, and arrays of the host of all dtypes and strides."""
    y = np.arange(64, dtype=np.float32)
    still = y.copy()
    still.flags.writeable = False
    found: list[Any] = [x, x[1:], x[::2], x[::-1], x[:0], x.reshape(8, 8).T, y, y[3:], y[::-3], y[:0], np.float32(3)]
    found += [np.zeros((), np.float32), np.zeros((2, 0, 3)), np.zeros(3, "M8[s]"), np.zeros(3, object), still]
    found += [np.zeros(3, "S5"), np.zeros(3, [("a", "i4"), ("b", "f8")]), np.zeros(3, ">f4"), np.zeros(3, "c8")]
    found += [np.broadcast_to(y, (3, 64)), np.zeros(3, "U2"), np.zeros(3, "g"), np.ma.masked_array(y, y > 3)]
    return [*found, np.lib.stride_tricks.as_strided(y, (60, 4), (4, 4)), y.data, bytearray(64)]


def plain() -> list[Any]:
    """Texts, paths, dtypes and series."""
    still = np.zeros(4, np.float32)
    found: list[Any] = [None, "", "scale", "counter", "k\0", "strict", "\udc80", b"", b"\x7fELF", PTX, PTX.encode()]
    found += [Path("/nonexistent"), Path("/"), Path("\0"), "float99", np.float32, np.dtype("V7"), "f4", Odd(), Odd, ...]
    found += [np.dtype(("f4", (2, 2))), (), [], (1,), (1, 1, 1), (1, 2, 3, 4), (0,), (-1, 1), (1 << 40, 1, 1), (1.5, 2)]
    found += [("a",), [None], [[1]], {}, {"x": 1}, {1, 2}, range(3), iter([1]), [[]], ((), ()), [still, still]]
    found += [Half(), Half(shape=(4,), typestr="<f4", data=(0, False), version=3, strides=(1, 2))]
    found += [Half(shape="x", typestr=7), Fields(1, 2.0), (ctypes.c_int32 * 4)(), ctypes.c_void_p(), ctypes.c_int8(-1)]
    return [*found, ctypes.pointer(Fields()), lambda: None, Exception, print]


def values(device: weft.Device, other: weft.Device) -> list[Any]:
    """All of them, and what belongs to a device, to another one, or to none any longer."""
    module, theirs, unloaded = device.load(PTX), other.load(PTX), device.load(PTX)
    freed, foreign = device.alloc(64), other.alloc(64)
    device.free(freed)
    lost: list[Any] = [unloaded.symbol("counter"), unloaded.kernel("scale"), unloaded]
    unloaded.unload()
    x = device.zeros(64)
    places: list[Any] = [device.alloc(256, "a"), freed, foreign, module.symbol("counter"), theirs.symbol("counter")]
    places += [x.ctypes.data, x.ctypes.data + 3, x.ctypes.data + (1 << 20), freed.address, foreign.address]
    things: list[Any] = [device.stream(), other.stream(), device.event(), other.event(), device.stream().record()]
    things += [module.kernel("scale"), theirs.kernel("scale"), module, device]
    return [*numbers(), *arrays(x), *plain(), *places, *things, *lost]


def calls(device: weft.Device) -> Iterator[tuple[str, Callable[..., object]]]:
    """The public methods of a device and of all that it gives, and functions beside them."""
    module = device.load(PTX)
    owners = [device, module, module.kernel("scale"), module.symbol("counter"), device.stream(), device.event()]
    for owner in (*owners, device.alloc(16)):
        for name in sorted(set(dir(type(owner))) - _INTERNAL - _ENDS):
            if not name.startswith("_") and callable(getattr(type(owner), name)):
                yield f"{type(owner).__name__}.{name}", getattr(owner, name)
    yield "weft.run", weft.run
    yield "weft.Device", weft.Device


def good(device: weft.Device) -> dict[str, list[Any]]:
    """Right arguments by the names of parameters, so that a call has one or two wrong ones."""
    return {
        "grid": [1, (1, 1)],
        "block": [64, (8, 8)],
        "args": [[device.zeros(64), 2.0, 64], [np.zeros(64, np.float32), 2.0, 64]],
        "size": [4, 64],
        "place": [device.zeros(64)],
        "source": [PTX, device.zeros(64)],
        "name": ["scale", "counter"],
        "to": [device.zeros(64)],
        "data": [b"1234", np.zeros(4, np.float32)],
        "value": [1],
        "shape": [4, (2, 2)],
        "dtype": [np.float32, "i2"],
        "stream": [device.stream()],
        "event": [device.event()],
        "module": [weft.parse(PTX)],
        "kernel": ["scale"],
        "target": ["sm_80"],
        "memory": [1 << 20],
        "checks": ["strict", "fast", "races"],
    }


def arguments(
    function: Callable[..., object], pool: list[Any], right: dict[str, list[Any]], rng: random.Random
) -> tuple[list[Any], dict[str, Any]]:
    """Arguments for a function: right or wrong ones, and half of those that may be left out."""
    given: list[Any] = []
    named: dict[str, Any] = {}
    for parameter in inspect.signature(function).parameters.values():
        optional = parameter.default is not parameter.empty
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) or (optional and rng.random() < 0.5):
            continue
        value = rng.choice(right[parameter.name] if parameter.name in right and rng.random() < 0.6 else pool)
        if parameter.name == "args" and isinstance(value, list):
            value = [rng.choice(pool) if rng.random() < 0.3 else one for one in value]
        if parameter.kind is parameter.KEYWORD_ONLY or optional:
            named[parameter.name] = value
        else:
            given.append(value)
    return given, named
