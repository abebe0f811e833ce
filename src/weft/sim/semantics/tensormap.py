"""`tensormap.replace`, `tensormap.cp_fenceproxy`: changing tensor maps in memory."""

from __future__ import annotations

import numpy as np

from weft.isa.tensor_map_fields import replace_field
from weft.isa.tensor_map_words import SIZE, TensorMapError
from weft.sim.lanes import WARP, Lanes
from weft.sim.maps import touch
from weft.sim.semantics import step
from weft.sim.semantics.bulk import each
from weft.sim.site import Pointer, Site, Step
from weft.sim.space import WRITTEN, Space
from weft.sim.stamps import scope_of


def _place(site: Site, pointer: Pointer, one: Lanes, write: bool) -> tuple[Space, int]:
    """The space and byte index of the map that a lane names."""
    ((space, index, _),) = pointer(one, 16, write)
    start = int(index[0])
    if not space.holds(start, SIZE, int(one.index[0])):
        message = f"the {SIZE} bytes of a tensor map do not lie in {space.name} memory there"
        raise site.fault("out-of-bounds", message, int(one.index[0]))
    return space, start


def _put(site: Site, space: Space, start: int, lane: int, data: bytes, level: int | None = None) -> None:
    proxies = site.machine.proxies
    if proxies is not None and space is site.machine.memory.arena:
        proxies.maps.change(start, lane, level)
    space.bytes[start : start + SIZE] = np.frombuffer(data, np.uint8)
    space.mark(np.arange(start, start + SIZE, 8), 8, WRITTEN)


@step("tensormap.replace")
def replace(site: Site) -> Step:
    """Change one field; each lane changes the map that it names."""
    slots, operands = site.slots(), site.operands
    pointer = site.pointer(operands[0], slots["ss"])
    value = site.read(operands[-1], "b64" if slots["type"] == "b64" else "b32")
    field = slots["field"]
    number = site.constant(operands[1], "the dimension") if len(operands) == 3 else 0

    def run(lanes: Lanes) -> None:
        for one in each(lanes):
            space, start = _place(site, pointer, one, True)
            touch(site, space, start, one, write=False)
            touch(site, space, start, one, write=True)
            old = space.bytes[start : start + SIZE].tobytes()
            try:
                _put(site, space, start, int(one.index[0]), replace_field(old, field, int(value(one)[0]), number))
            except TensorMapError as error:
                raise site.fault("tensor-map", error.message, int(one.index[0])) from None
        site.machine.change()

    return run


@step("tensormap.cp_fenceproxy")
def cp_fenceproxy(site: Site) -> Step:
    """Copy a map from shared to global memory, where tensor copies may then use it."""
    to, come = site.pointer(site.operands[0], "global"), site.pointer(site.operands[1], "shared")
    level = min(2, scope_of(site.slots()))

    def run(lanes: Lanes) -> None:
        for warp in np.unique(lanes.index // WARP).tolist():
            one = Lanes.one(int(lanes.index[lanes.index // WARP == warp][0]))
            source, origin = _place(site, come, one, False)
            target, into = _place(site, to, one, True)
            touch(site, source, origin, one, write=False)
            touch(site, target, into, one, write=True)
            _put(site, target, into, int(one.index[0]), source.bytes[origin : origin + SIZE].tobytes(), level)
        site.machine.change()

    return run
