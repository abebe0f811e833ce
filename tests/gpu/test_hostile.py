"""Public functions of the virtual GPU, called wrongly at random: an error of weft's, never another, and nothing lost."""

# pyright: basic, reportArgumentType=false

from __future__ import annotations

import random

import numpy as np
import pytest

import weft
from tests.gpu.hostile import PTX, arguments, calls, good, values
from weft.errors import WeftError


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize(
    ("seed", "draws"), [(0, 6), *(pytest.param(seed, 100, marks=pytest.mark.slow) for seed in range(1, 5))]
)
def test_what_is_wrong_is_said(seed: int, draws: int, streams: bool, capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(seed)
    options = {"memory": 1 << 26, "max_steps": 10_000, "streams": streams, "uninitialised_memory": streams}
    with weft.Device("sm_80", **options) as device, weft.Device("sm_90a", memory=1 << 24) as other:
        pool, right = values(device, other), good(device)
        for name, function in calls(device):
            for _ in range(draws * (5 if name in ("Kernel.launch", "weft.run", "weft.Device") else 1)):
                given, named = arguments(function, pool, right, rng)
                try:
                    function(*given, **named)
                except WeftError as error:
                    assert str(error), name
                except Exception as error:
                    raise AssertionError(f"{name}: {error!r} for {given!r}, {named!r}") from error
        x = device.array(np.ones(64, np.float32))
        device.load(PTX).kernel("scale").launch(1, 64, [x, 2.0, 64])
        assert (x == 2).all()


def test_integers_of_numpy_are_integers() -> None:
    """They do not overflow on the way: sizes are computed with."""
    with weft.Device("sm_80", memory=1 << 26) as device:
        place = device.alloc(np.uint8(200), align=np.uint8(128))
        device.memset(place, np.int8(-1), np.uint8(200))
        assert device.download(place, np.uint8(200)) == b"\xff" * 200
        device.copy(np.uint64(place.address + 100), np.uint64(place.address), np.int8(100))
        with pytest.raises(weft.DeviceError, match="room|memory"):
            device.alloc(16, align=np.uint64(1 << 63))


def test_sizes_are_looked_at_before_streams() -> None:
    """A table of what a copy uses has the size that it says."""
    with weft.Device("sm_80", memory=1 << 26, streams=True) as device:
        place = device.alloc(64)
        for size in (-1, 1 << 50, 1 << 63):
            for call in (
                lambda size=size: device.memset(place, 0, size),
                lambda size=size: device.copy(place, place, size),
                lambda size=size: device.download(place, size),
            ):
                with pytest.raises(weft.DeviceError):
                    call()
