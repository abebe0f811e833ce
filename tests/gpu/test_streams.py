"""Streams that nothing orders: who uses memory that the other writes is told so, where it is looked for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import weft
from weft.gpu.modules import Module
from weft.gpu.streams import Stream
from weft.sim import KernelFault

PTX = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry add(.param .u64 out, .param .u64 in)
{
  .reg .b64 %p, %q, %i; .reg .b32 %t, %v;
  ld.param.u64 %p, [out]; ld.param.u64 %q, [in]; mov.u32 %t, %tid.x;
  mul.wide.u32 %i, %t, 4; add.u64 %p, %p, %i; add.u64 %q, %q, %i;
  ld.global.u32 %v, [%q]; add.u32 %v, %v, 1; st.global.u32 [%p], %v; ret;
}
"""


class Scene:
    """A device that looks at streams, three buffers, and two streams that do not wait for the default one."""

    def __init__(self) -> None:
        self.device = weft.Device("sm_80", streams=True)
        self.module: Module = self.device.load(PTX)
        self.x, self.y, self.z = (self.device.alloc(256, name) for name in "xyz")
        for place in (self.x, self.y, self.z):
            self.device.memset(place, 0, 256)
        self.one, self.two = (self.device.stream(blocking=False) for _ in range(2))

    def add(self, out: int, source: int, stream: Stream | None) -> None:
        self.module.kernel("add").launch(1, 32, [out, source], stream=stream)


def event(scene: Scene) -> None:
    scene.two.wait(scene.one.record())


def late(scene: Scene) -> None:
    scene.two.wait(scene.device.event())


def of_the_host(scene: Scene) -> None:
    scene.one.record().synchronize()


def through_a_third(scene: Scene) -> None:
    third = scene.device.stream(blocking=False)
    third.wait(scene.one.record())
    scene.two.wait(third.record())


ORDERED: list[Callable[[Scene], None]] = [
    event,
    of_the_host,
    through_a_third,
    lambda scene: scene.one.synchronize(),
    lambda scene: scene.device.synchronize(),
]
UNORDERED: list[Callable[[Scene], None]] = [late, lambda scene: scene.two.synchronize(), lambda scene: None]
USES = [("y", "x"), ("x", "z"), ("z", "x")]
"""What the second kernel writes and reads; the first one writes x and reads y."""


@pytest.mark.parametrize("number", range(len(ORDERED)))
@pytest.mark.parametrize(("out", "source"), USES)
def test_what_is_ordered_is_right(number: int, out: str, source: str) -> None:
    scene = Scene()
    scene.add(int(scene.x), int(scene.y), scene.one)
    ORDERED[number](scene)
    scene.add(int(getattr(scene, out)), int(getattr(scene, source)), scene.two)


@pytest.mark.parametrize("number", range(len(UNORDERED)))
@pytest.mark.parametrize(("out", "source"), USES)
def test_what_is_not_ordered_is_a_race(number: int, out: str, source: str) -> None:
    scene = Scene()
    scene.add(int(scene.x), int(scene.y), scene.one)
    UNORDERED[number](scene)
    with pytest.raises(KernelFault, match=r"what kernel 'add' in another stream (reads|writes)") as found:
        scene.add(int(getattr(scene, out)), int(getattr(scene, source)), scene.two)
    assert found.value.kind == "race"


def test_parts_and_readers_are_apart() -> None:
    scene = Scene()
    scene.add(int(scene.x), int(scene.y), scene.one)
    scene.add(int(scene.x) + 128, int(scene.y) + 128, scene.two)
    scene.add(int(scene.z), int(scene.y), scene.two)


def test_the_default_stream_and_others_wait_for_each_other() -> None:
    scene = Scene()
    blocking = scene.device.stream()
    scene.add(int(scene.x), int(scene.y), blocking)
    scene.add(int(scene.z), int(scene.x), None)
    scene.add(int(scene.x), int(scene.z), blocking)
    assert scene.device.download(scene.x, 4) == b"\3\0\0\0"
    scene.add(int(scene.x), int(scene.y), scene.one)
    with pytest.raises(KernelFault):
        scene.add(int(scene.z), int(scene.x), None)


def test_copies_of_the_host_wait_for_the_default_stream_only() -> None:
    scene = Scene()
    scene.add(int(scene.x), int(scene.y), scene.one)
    with pytest.raises(
        weft.DeviceError, match="copy from the device: reads what kernel 'add' in another stream writes"
    ):
        scene.device.download(scene.x, 16)
    with pytest.raises(weft.DeviceError, match="writes what kernel 'add' in another stream reads"):
        scene.device.upload(scene.y, np.zeros(4, np.int32))
    scene.one.synchronize()
    assert scene.device.download(scene.x, 4) == b"\1\0\0\0"


def test_nothing_is_looked_for_where_nobody_asks() -> None:
    with weft.Device("sm_80") as device:
        module, place = device.load(PTX), device.alloc(128)
        for stream in (device.stream(blocking=False), device.stream(blocking=False)):
            module.kernel("add").launch(1, 32, [place, place], stream=stream)
        assert device.download(place, 128) is not None
