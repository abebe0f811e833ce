"""Linking: texts that become one module."""

from __future__ import annotations

import ctypes
from pathlib import Path

from weft.gpu.driver.modules import CUBIN, HINT
from weft.gpu.driver.places import data_at
from weft.gpu.driver.state import Driver, put, text_at
from weft.gpu.driver.status import NO_BINARY_FOR_GPU
from weft.gpu.driver.table import call
from weft.gpu.errors import DeviceError
from weft.gpu.sources import ptx_of


class Linker:
    """Texts that are going to be one module."""

    def __init__(self) -> None:
        self.inputs: list[bytes] = []
        self.linked: ctypes.Array[ctypes.c_char] | None = None


_TEXTS = (1, 2, 3, 4)
"""Kinds of inputs in which PTX may be: PTX, fatbins, objects, libraries."""


@call("cuLinkCreate_v2", "u p p p")
def _link(driver: Driver, count: int, options: int, values: int, out: int) -> None:
    put(out, driver.add(Linker()))


@call("cuLinkAddData_v2", "p i p p p u p p")
def _link_data(driver: Driver, state: int, kind: int, image: int, size: int, *rest: int) -> int:
    if kind not in _TEXTS:
        raise DeviceError("no-binary", CUBIN, HINT)
    driver.get(state, Linker).inputs.append(data_at(image, size))
    return 0


@call("cuLinkAddFile_v2", "p i p u p p")
def _link_file(driver: Driver, state: int, kind: int, path: int, *rest: int) -> int:
    file = Path(text_at(path))
    if not file.is_file():
        return 301
    driver.get(state, Linker).inputs.append(file.read_bytes())
    return 0


@call("cuLinkComplete", "p p p")
def _link_complete(driver: Driver, state: int, out: int, size: int) -> int:
    linker = driver.get(state, Linker)
    if not linker.inputs:
        return NO_BINARY_FOR_GPU
    text = ptx_of(linker.inputs, driver.device.target).to_ptx().encode()
    linker.linked = ctypes.create_string_buffer(text)
    put(out, ctypes.addressof(linker.linked))
    put(size, len(text) + 1)
    return 0


@call("cuLinkDestroy", "p")
def _link_destroy(driver: Driver, state: int) -> None:
    driver.drop(state, Linker)
