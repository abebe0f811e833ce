"""`membar`, `fence`, `fence.proxy`: lanes see each other's stores at once; only the checks of strict runs heed them."""

from __future__ import annotations

from weft.sim.clock_rows import FENCED, FENCED_GLOBAL
from weft.sim.lanes import Lanes
from weft.sim.maps import TensorMaps
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
    flags, level = site.machine.flags, min(2, scope_of(site.slots()))
    total = site.opcode.stem == "membar" or site.slots()["sem"] == "sc"
    return (lambda lanes: None) if flags is None else lambda lanes: flags.fence(lanes, level, total=total)


@step("fence.proxy")
def fence_proxy(site: Site) -> Step:
    """Let the async proxy see what the threads have stored to shared memory."""
    slots, proxies = site.slots(), site.machine.proxies
    if proxies is not None and slots["proxykind"].startswith("tensormap"):
        level, maps = min(2, scope_of(slots)), proxies.maps
        return _acquire_map(site, maps, level) if len(site.operands) else lambda lanes: maps.release(lanes, level)
    both = slots["proxykind"] == "async" or slots["sem"] == "release"
    if proxies is None or not slots["proxykind"].startswith("async") or not both:
        return lambda lanes: None
    planes = [FENCED] if slots["ss"] not in ("", "global") or slots["proxykind"] != "async" else [FENCED, FENCED_GLOBAL]
    return lambda lanes: proxies.fence(lanes, planes[-1:] if slots["ss"] == "global" else planes)


def _acquire_map(site: Site, maps: TensorMaps, level: int) -> Step:
    pointer = site.pointer(site.operands[0], "")

    def run(lanes: Lanes) -> None:
        for _, index, where in pointer(lanes, 16, False):
            maps.acquire(site, lanes.index if where is None else lanes.index[where], index, level)

    return run
