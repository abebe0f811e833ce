"""The handles of textures, samplers and surfaces: what a kernel holds in place of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from weft.ptx.operands import Address, Operand, Symbol
from weft.sim.lanes import Array, Lanes
from weft.sim.site import Site
from weft.sim.textures import HANDLE_BASE, HANDLE_STEP, Sampler, Surface, Texture

Opaque = Texture | Sampler | Surface


_OBJECTS = HANDLE_BASE + (1 << 36)
"""The handles of objects start here, apart from those of arguments."""


class Objects:
    """Opaque things that outlive launches: those of a device, by handle."""

    def __init__(self) -> None:
        self._things: dict[int, Opaque] = {}
        self._next = _OBJECTS

    def add(self, thing: Opaque) -> int:
        """A new handle, which no other thing will have."""
        handle, self._next = self._next, self._next + HANDLE_STEP
        self._things[handle] = thing
        return handle

    def get(self, handle: int) -> Opaque | None:
        """What a handle stands for."""
        return self._things.get(handle)

    def drop(self, handle: int) -> None:
        """Forget a handle."""
        del self._things[handle]

    def known(self) -> list[Opaque]:
        """All of them."""
        return list(self._things.values())

    def renew(self) -> None:
        """A launch begins: textures read what lies in their memory now."""
        for thing in self._things.values():
            if isinstance(thing, Texture):
                thing.forget()


class Handles:
    """The opaque arguments of a launch, by handle, and the objects of its device."""

    def __init__(self, objects: Objects | None = None) -> None:
        self.things: list[Opaque] = []
        self._objects = objects

    def add(self, thing: Opaque) -> int:
        """The handle of a thing, the same for the same one."""
        for number, known in enumerate(self.things):
            if known is thing:
                return HANDLE_BASE + number * HANDLE_STEP
        self.things.append(thing)
        return HANDLE_BASE + (len(self.things) - 1) * HANDLE_STEP

    def known(self) -> list[Opaque]:
        """All things that a kernel may hold a handle of."""
        return self.things if self._objects is None else [*self.things, *self._objects.known()]

    def get(self, handle: int) -> Opaque | None:
        """What a handle stands for, None for a number that is no handle."""
        if handle >= _OBJECTS and self._objects is not None:
            return self._objects.get(handle)
        number, rest = divmod(handle - HANDLE_BASE, HANDLE_STEP)
        return self.things[number] if rest == 0 and 0 <= number < len(self.things) else None


def reader(site: Site, operand: Operand) -> Callable[[Lanes], Array]:
    """What reads handles: from a register, or from a parameter of an opaque type."""
    base = operand.base if isinstance(operand, Address) else operand
    if not isinstance(base, Symbol):
        return site.read(base, "b64")
    place = site.names.place(base.name)
    if place is None or place.space != "global":
        site.malformed(f"'{base.name}' is {'not declared' if place is None else 'no texture, sampler or surface'}")
    arena = site.machine.memory.arena
    return lambda lanes: np.full(lanes.count, arena.contents(place.address, 8).view(np.uint64)[0])


def each(site: Site, handles: Array, lanes: Lanes) -> Iterator[tuple[Opaque, Array]]:
    """The things that lanes hold handles of, and positions of the lanes; faults on numbers that are no handles."""
    for handle in np.unique(handles).tolist():
        chosen = np.flatnonzero(handles == handle)
        thing = site.machine.program.handles.get(handle)
        if thing is None:
            lane = int(lanes.index[int(chosen[0])])
            raise site.fault("descriptor", f"{handle:#x} is not the handle of a texture, sampler or surface", lane)
        yield thing, chosen
