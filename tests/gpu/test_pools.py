"""Memory pools by what a place is: a device, or the host."""

from __future__ import annotations

import struct

import pytest

from tests.gpu.calls import INVALID_DEVICE, INVALID_HANDLE, OK, Program, Words

DEVICE, HOST, PINNED = 1, 2, 1


def location(kind: int, number: int = 0) -> Words:
    return Words.of(struct.pack("<2i", kind, number))


@pytest.mark.parametrize("current", [0, 1])
def test_pools_of_places(current: int) -> None:
    """Those of the host are the current device's."""
    cu = Program(2)
    assert cu("cuCtxSetCurrent", cu.get("cuDevicePrimaryCtxRetain", current)) == OK
    defaults = [cu.get("cuDeviceGetDefaultMemPool", number) for number in (0, 1)]
    for name in ("cuMemGetDefaultMemPool", "cuMemGetMemPool"):
        assert [cu.get(name, location(DEVICE, number), PINNED) for number in (0, 1)] == defaults
        assert cu.get(name, location(HOST, 7), PINNED) == defaults[current]
        assert cu(name, Words(), location(DEVICE, 2), PINNED) == INVALID_DEVICE
    own = cu.get("cuMemPoolCreate", Words.of(struct.pack("<4i48x", 1, 0, DEVICE, 1)))
    assert cu("cuMemSetMemPool", location(DEVICE, 2), PINNED, own) == INVALID_DEVICE
    assert cu("cuMemSetMemPool", location(DEVICE, 1), PINNED, 1234) == INVALID_HANDLE
    assert cu("cuMemSetMemPool", location(DEVICE, 1), PINNED, own) == OK
    for number, pool in ((0, defaults[0]), (1, own)):
        assert cu.get("cuMemGetMemPool", location(DEVICE, number), PINNED) == pool
        assert cu.get("cuDeviceGetMemPool", number) == pool
        assert cu.get("cuMemGetDefaultMemPool", location(DEVICE, number), PINNED) == defaults[number]
    assert cu("cuMemSetMemPool", location(HOST), PINNED, own) == OK
    assert cu.get("cuDeviceGetMemPool", current) == own
