"""A stand-in for `libnvJitLink.so`, which keeps the PTX that it is given instead of making a cubin of it.

LTO-IR is left to NVIDIA's own library, which is asked for PTX.
"""

from __future__ import annotations

import ctypes
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from weft.errors import WeftError
from weft.fatbin import FatbinError, best, entries, holds_ptx
from weft.gpu.driver.nvrtc import found_library
from weft.gpu.driver.places import data_at, object_at, store
from weft.gpu.driver.state import put, text_at
from weft.gpu.driver.status import Refused
from weft.gpu.sources import ptx_of
from weft.isa.target import target as target_called

NAMES = (
    *("nvJitLinkCreate", "nvJitLinkDestroy", "nvJitLinkAddData", "nvJitLinkAddFile", "nvJitLinkComplete"),
    *("nvJitLinkGetLinkedCubinSize", "nvJitLinkGetLinkedCubin", "nvJitLinkGetLinkedPtxSize", "nvJitLinkGetLinkedPtx"),
    *("nvJitLinkGetErrorLogSize", "nvJitLinkGetErrorLog", "nvJitLinkGetInfoLogSize", "nvJitLinkGetInfoLog"),
    "nvJitLinkVersion",
)
_MISSING_ARCH, _INVALID_INPUT, _PTX_COMPILE, _INTERNAL, _NULL_INPUT = 2, 3, 4, 6, 10
CUBIN, PTX, LTOIR = 1, 2, 3
_BINARIES = (4, 5, 6, 10)
"""Fatbins, objects, libraries, and what may be anything."""


class _Link:
    """One linking: what it is given, and what comes of it."""

    def __init__(self, options: list[str]) -> None:
        self.options = options
        self.inputs: list[tuple[int, bytes, str]] = []
        self.linked = b""
        self.log = b""

    @property
    def target(self) -> str:
        """The architecture that is linked for, nothing where the options do not say it."""
        for option in self.options:
            name, _, value = option.partition("=")
            if name in ("-arch", "--gpu-architecture"):
                return value.replace("compute_", "sm_").removeprefix("lto_")
        return ""

    def usable(self, data: bytes, name: str) -> bool:
        """Whether a binary has PTX for the target; libraries that have none are asked for nothing."""
        if not holds_ptx(data):
            return True
        try:
            return bool(best(entries(data, name), target_called(self.target), name))
        except FatbinError:
            return False


_LINKS: dict[int, tuple[_Link, Any]] = {}


def _create(handle: int, count: int, options: int, *_: int) -> int:
    given = [text_at(object_at(ctypes.c_uint64, options + 8 * n).value) for n in range(count & 0xFFFF_FFFF)]
    link, block = _Link(given), ctypes.create_string_buffer(64)
    if not link.target:
        return _MISSING_ARCH
    if not handle:
        return _NULL_INPUT
    _LINKS[ctypes.addressof(block)] = (link, block)
    put(handle, ctypes.addressof(block))
    return 0


def _destroy(handle: int, *_: int) -> int:
    found = _LINKS.pop(object_at(ctypes.c_uint64, handle).value, None)
    return 0 if found is not None else _INVALID_INPUT


def _add_data(handle: int, kind: int, data: int, size: int, name: int, *_: int) -> int:
    _LINKS[handle][0].inputs.append((kind & 0xFFFF_FFFF, data_at(data, size), text_at(name)))
    return 0


def _add_file(handle: int, kind: int, path: int, *_: int) -> int:
    file = Path(text_at(path))
    if not file.is_file():
        return _INVALID_INPUT
    _LINKS[handle][0].inputs.append((kind & 0xFFFF_FFFF, file.read_bytes(), str(file)))
    return 0


def _complete(handle: int, *_: int) -> int:
    link = _LINKS[handle][0]
    try:
        texts: list[str | bytes] = [
            data for kind, data, name in link.inputs if kind == PTX or (kind in _BINARIES and link.usable(data, name))
        ]
        optimized = [(data, name) for kind, data, name in link.inputs if kind == LTOIR]
        if any(kind == CUBIN for kind, _, _ in link.inputs):
            raise WeftError("a cubin cannot be linked; PTX is needed")
        if optimized:
            texts.append(_optimized(link, optimized))
        link.linked = ptx_of(texts, link.target).to_ptx().encode() + b"\0"
    except WeftError as error:
        link.log = error.render().encode() + b"\0"
        return _PTX_COMPILE
    return 0


def real_library() -> str | None:
    """NVIDIA's own library, from its wheel or where WEFT_NVJITLINK says."""
    return os.environ.get("WEFT_NVJITLINK") or found_library("libnvJitLink.so.1*", sys.executable)


def _optimized(link: _Link, inputs: list[tuple[bytes, str]]) -> bytes:
    """The PTX of LTO-IR.  Raises WeftError where the library is missing or refuses it."""
    path = real_library()
    if path is None:
        raise WeftError("LTO-IR needs NVIDIA's nvJitLink", hint="pip install nvidia-nvjitlink")
    library = ctypes.CDLL(path, mode=os.RTLD_LOCAL | getattr(os, "RTLD_DEEPBIND", 0))
    options = [*(option for option in link.options if option not in ("-lto", "-ptx")), "-lto", "-ptx"]
    row = (ctypes.c_char_p * len(options))(*[option.encode() for option in options])
    handle = ctypes.c_void_p()

    def check(status: int) -> None:
        if status:
            raise WeftError(f"nvJitLink returns status {status} for LTO-IR")

    check(library.nvJitLinkCreate(ctypes.byref(handle), len(options), row))
    for data, name in inputs:
        check(library.nvJitLinkAddData(handle, LTOIR, data, ctypes.c_size_t(len(data)), (name or "input").encode()))
    check(library.nvJitLinkComplete(handle))
    size = ctypes.c_size_t()
    check(library.nvJitLinkGetLinkedPtxSize(handle, ctypes.byref(size)))
    out = ctypes.create_string_buffer(size.value)
    check(library.nvJitLinkGetLinkedPtx(handle, out))
    library.nvJitLinkDestroy(ctypes.byref(handle))
    return out.raw


def _give(out: int, size: int) -> int:
    if not out:
        return _NULL_INPUT
    put(out, size)
    return 0


def _size(handle: int, out: int, *_: int) -> int:
    return _give(out, len(_LINKS[handle][0].linked))


def _linked(handle: int, out: int, *_: int) -> int:
    data = _LINKS[handle][0].linked
    store(out, data)
    return 0


def _log_size(handle: int, out: int, *_: int) -> int:
    return _give(out, len(_LINKS[handle][0].log))


def _log(handle: int, out: int, *_: int) -> int:
    data = _LINKS[handle][0].log
    store(out, data)
    return 0


def _none(handle: int, out: int, *_: int) -> int:
    return _give(out, 0)


def _nothing(*_: int) -> int:
    return 0


def _version(major: int, minor: int, *_: int) -> int:
    put(major, 13, ctypes.c_uint)
    put(minor, 0, ctypes.c_uint)
    return 0


_FUNCTIONS: tuple[Callable[..., int], ...] = (
    *(_create, _destroy, _add_data, _add_file, _complete, _size, _linked, _size, _linked),
    *(_log_size, _log, _none, _nothing, _version),
)
_WITHOUT_LINK = (_create, _destroy, _version)


def dispatch(number: int, words: Any) -> int:
    """Do what a function of the library does; its status."""
    function = _FUNCTIONS[number]
    if function not in _WITHOUT_LINK and words[0] not in _LINKS:
        return _INVALID_INPUT if words[0] else _NULL_INPUT
    try:
        return function(*(words[n] for n in range(6)))
    except Refused:
        return _NULL_INPUT
    except Exception:
        print(f"weft: internal error in {NAMES[number]}", file=sys.stderr)
        traceback.print_exc()
        return _INTERNAL
