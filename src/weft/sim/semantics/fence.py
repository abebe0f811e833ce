"""`membar`, `fence`, `fence.proxy`: lanes see each other's stores at once; only the checks of strict runs heed them."""

from __future__ import annotations

from weft.sim.clock_rows import FENCED, FENCED_GLOBAL
from weft.sim.flags import Fence, Flags, fence_of, one_way
from weft.sim.lanes import Lanes
from weft.sim.maps import TensorMaps
from weft.sim.proxies import Proxies
from weft.sim.semantics import step
from weft.sim.site import Site, Step
from weft.sim.stamps import scope_of


@step("membar", "fence")
def fence(site: Site) -> Step:
    """Order memory accesses; `membar.proxy.async` is the older spelling of `fence.proxy.async`."""
    if site.slots()["proxykind"]:
        return fence_proxy(site)
    if site.slots()["op_restrict"]:
        lifetimes = site.machine.lifetimes
        return (lambda lanes: None) if lifetimes is None else lifetimes.fence
    flags, does = site.machine.flags, fence_of(site.opcode)
    return (lambda lanes: None) if flags is None else lambda lanes: flags.fence(lanes, does)


@step("fence.proxy")
def fence_proxy(site: Site) -> Step:
    """Let the async proxy see what the threads have stored to shared memory."""
    slots, proxies = site.slots(), site.machine.proxies
    if proxies is not None and slots["proxykind"].startswith("tensormap"):
        level, maps = min(2, scope_of(slots)), proxies.maps
        return _acquire_map(site, maps, level) if len(site.operands) else lambda lanes: maps.release(lanes, level)
    flags, does = site.machine.flags, fence_of(site.opcode)
    if proxies is not None and flags is not None and one_way(site.opcode):
        return lambda lanes: _one_way(lanes, proxies, flags, does)
    if proxies is None or slots["proxykind"] != "async":
        return lambda lanes: None
    planes = [FENCED] if slots["ss"] not in ("", "global") else [FENCED, FENCED_GLOBAL]
    return lambda lanes: proxies.fence(lanes, planes[-1:] if slots["ss"] == "global" else planes)


def _one_way(lanes: Lanes, proxies: Proxies, flags: Flags, does: Fence) -> None:
    """What a release lets through, relaxed operations may tell; an acquire lets through what these have told."""
    if does.releases:
        proxies.fence(lanes, [FENCED])
    flags.fence(lanes, does)


def _acquire_map(site: Site, maps: TensorMaps, level: int) -> Step:
    pointer = site.pointer(site.operands[0], "")

    def run(lanes: Lanes) -> None:
        for _, index, where in pointer(lanes, 16, False):
            maps.acquire(site, lanes.index if where is None else lanes.index[where], index, level)

    return run
