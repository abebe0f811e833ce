"""Which device Triton launches on, what else it asks it for, and what tensors of PyTorch lie in memory."""

from __future__ import annotations

import contextvars
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
import triton
from triton.runtime import _allocation

import weft.triton
from tests.tritons import stand_in
from weft.triton import seam
from weft.triton.activation import active
from weft.triton.mirrors import Mirrors
from weft.triton.seam import DRIVER


def test_activations_nest() -> None:
    """Each gives back what was before, in whichever order they are closed by hand; at the end it is Triton's own."""
    before = DRIVER._active, DRIVER._default
    assert active() is None
    outer = weft.triton.activate("sm_80")
    with weft.triton.activate("sm_90a") as inner:
        assert active() is inner and DRIVER.active is inner.driver
    assert active() is outer and DRIVER.active is outer.driver and inner.device.closed
    with weft.Device("sm_75", memory=1 << 20) as own:
        given = weft.triton.activate(device=own)
        assert active() is given and given.device is own
        weft.triton.deactivate()
        assert not own.closed, "it is the program's"
    assert active() is None and outer.device.closed
    assert before[1] is DRIVER._default and (before[0] is None or DRIVER._active is before[0])
    weft.triton.deactivate()


def test_memory_that_kernels_ask_for() -> None:
    """What the program has set, for profiling only where it has."""

    def own(size: int, alignment: int, stream: int | None) -> Any:
        raise AssertionError

    def inside() -> None:
        assert seam.scratch_allocator(False) is _allocation._NULL_ALLOCATOR and seam.scratch_allocator(True) is None
        triton.set_allocator(own)
        assert seam.scratch_allocator(False) is own and seam.scratch_allocator(True) is None
        _allocation.set_profile_allocator(own)
        assert seam.scratch_allocator(True) is own

    try:
        contextvars.Context().run(inside)
    finally:
        _allocation.set_profile_allocator(None)


def test_where_tensors_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs put others where Triton says that the device is: on the one that tensors of the host are on."""
    torch = stand_in.made()
    monkeypatch.setitem(sys.modules, "torch", torch)
    with weft.triton.activate("sm_80", torch=False) as made:
        assert made.driver.get_active_torch_device() == stand_in.Device("cpu")


class _Tensor:
    def __init__(self, array: np.ndarray[Any, Any], *, is_cpu: bool = True, layout: str = "strided") -> None:
        self.array, self.is_cpu, self.layout = array, is_cpu, layout

    def data_ptr(self) -> int:
        return int(self.array.ctypes.data)

    def untyped_storage(self) -> Any:
        return SimpleNamespace(data_ptr=self.data_ptr, nbytes=lambda: self.array.nbytes)


def test_addresses_of_tensors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all that lie in the host's memory, one after the other: kernels find their copies."""
    torch: Any = ModuleType("torch")
    torch.Tensor, torch.strided = _Tensor, "strided"
    monkeypatch.setitem(sys.modules, "torch", torch)
    arrays = [np.arange(16, dtype="u1") for _ in range(3)]
    tensors = [_Tensor(arrays[0]), _Tensor(arrays[1], is_cpu=False), _Tensor(arrays[2], layout="sparse")]
    with weft.Device("sm_80", memory=1 << 20) as device:
        mirrors = Mirrors(device.memory)
        mirrors.add_pointees(np.array([tensor.data_ptr() + 3 for tensor in tensors]))
        mirrors.copy_in([])
        moved = [mirrors.address(tensor.data_ptr() + 3) for tensor in tensors]
        assert [device.memory.holds(place) for place in moved] == [True, False, False]
        assert moved[1:] == [tensor.data_ptr() + 3 for tensor in tensors[1:]]
        assert device.memory.contents(moved[0], 13).tolist() == list(range(3, 16))
        mirrors.release()
