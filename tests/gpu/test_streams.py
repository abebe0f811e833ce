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

    def add(self, out: int, source: int, stream: Stream | None, threads: int = 32) -> None:
        self.module.kernel("add").launch(1, threads, [out, source], stream=stream)


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
@pytest.mark.parametrize(("out", "source", "threads"), [*((*use, 32) for use in USES), (*USES[1], 1)])
def test_what_is_not_ordered_is_a_race(number: int, out: str, source: str, threads: int) -> None:
    scene = Scene()
    scene.add(int(scene.x), int(scene.y), scene.one)
    UNORDERED[number](scene)
    with pytest.raises(KernelFault, match=r"what kernel 'add' in another stream (reads|writes)") as found:
        scene.add(int(getattr(scene, out)), int(getattr(scene, source)), scene.two, threads)
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


def test_where_the_host_meets_other_streams() -> None:
    """The first address, of words that a kernel of another stream has written from byte 64 of a buffer on, or read."""
    scene = Scene()
    scene.add(int(scene.x) + 64, int(scene.y) + 128, scene.one)  # It writes x[64:192] and reads y[128:256].
    x, y, data = int(scene.x), int(scene.y), np.zeros(256, np.uint8)
    for at, size in ((0, 64), (0, 65), (60, 8), (64, 4), (188, 4), (192, 64), (120, 200 - 120), (0, 256)):
        meets = at + size > 64 and at < 192
        for does, call in (
            ("reads", lambda at=at, size=size: scene.device.download(x + at, size)),
            ("writes", lambda at=at, size=size: scene.device.upload(x + at, data[:size])),
        ):
            if meets:
                where = max(x + at, x + 64)
                with pytest.raises(
                    weft.DeviceError, match=f"{does} what kernel 'add' in another stream writes at {where:#x}"
                ):
                    call()
            else:
                call()
    for at, size in ((0, 128), (124, 8), (0, 256)):
        scene.device.download(y + at, size)
        if at + size > 128:
            with pytest.raises(
                weft.DeviceError, match=f"writes what kernel 'add' in another stream reads at {y + 128:#x}"
            ):
                scene.device.upload(y + at, data[:size])
        else:
            scene.device.upload(y + at, data[:size])
    scene.device.upload(x, data[:0])
    scene.one.synchronize()
    scene.device.upload(x, data)


def test_copies_in_streams_are_work_of_theirs() -> None:
    scene = Scene()
    x, y, z = map(int, (scene.x, scene.y, scene.z))
    order = scene.device.order
    assert order is not None
    with order.on(scene.one):
        scene.device.copy(y, x, 64)
        with order.on(scene.two):
            assert order.current is scene.two
            scene.device.copy(z, x, 64)
        assert order.current is scene.one
        with pytest.raises(weft.DeviceError, match=f"writes what copy.* in another stream writes at {z:#x}"):
            scene.device.memset(z, 0, 4)
    assert order.current is None
    with pytest.raises(weft.DeviceError, match=f"writes what copy.* in another stream reads at {x + 60:#x}"):
        scene.device.memset(x + 60, 0, 16)
    scene.device.memset(x + 64, 0, 16)
    with order.on(scene.two):
        scene.two.wait(scene.one.record())
        scene.device.memset(y, 0, 64)
    # A copy reads and writes; the default stream has filled three buffers, and a part of one.
    assert order.everything() == {scene.one.number: 2, scene.two.number: 3, 0: 4}
    scene.device.synchronize()
    scene.device.memset(y, 1, 256)
