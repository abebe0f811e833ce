"""User objects: counted references to memory of the host, which graphs and what is instantiated of them hold."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable

from weft.gpu.driver.runtime_table import both
from weft.gpu.driver.state import Driver, put
from weft.gpu.driver.status import INVALID_VALUE
from weft.gpu.driver.work import Graph, UserObject

_NO_DESTRUCTOR_SYNC = _MOVE = 1


def retain(objects: Iterable[UserObject]) -> list[UserObject]:
    """One reference more to each of some objects."""
    kept = list(objects)
    for one in kept:
        one.count += 1
    return kept


def release(objects: list[UserObject]) -> None:
    """Give references back; who gives the last one calls the destructor."""
    while objects:
        one = objects.pop()
        one.count -= 1
        if not one.count:
            ctypes.CFUNCTYPE(None, ctypes.c_void_p)(one.destructor)(one.value)


@both("UserObjectCreate", "p p p u u")
def _create(driver: Driver, out: int, value: int, destructor: int, count: int, flags: int) -> int:
    if not destructor or not count or flags != _NO_DESTRUCTOR_SYNC:
        return INVALID_VALUE
    put(out, driver.add(UserObject(value, destructor, count)))
    return 0


@both("UserObjectRetain", "p u")
def _retain(driver: Driver, handle: int, count: int) -> int:
    driver.get(handle, UserObject).count += count
    return 0 if count else INVALID_VALUE


@both("UserObjectRelease", "p u")
def _release(driver: Driver, handle: int, count: int) -> int:
    one = driver.get(handle, UserObject)
    if not 0 < count <= one.count:
        return INVALID_VALUE
    release([one] * count)
    return 0


@both("GraphRetainUserObject", "p p u u")
def _hold(driver: Driver, graph: int, handle: int, count: int, flags: int) -> int:
    one, held = driver.get(handle, UserObject), driver.get(graph, Graph).held
    if not count or flags not in (0, _MOVE):
        return INVALID_VALUE
    if flags != _MOVE:
        one.count += count
    held += [one] * count
    return 0


@both("GraphReleaseUserObject", "p p u")
def _give_back(driver: Driver, graph: int, handle: int, count: int) -> int:
    one, held = driver.get(handle, UserObject), driver.get(graph, Graph).held
    if not 0 < count <= held.count(one):
        return INVALID_VALUE
    for _ in range(count):
        held.remove(one)
    release([one] * count)
    return 0
