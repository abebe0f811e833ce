"""`suld`, `sust`, `sured`: unformatted and formatted accesses to surfaces.

Unformatted coordinates count bytes along x.  Formatted values are 32-bit words, converted to the surface's elements.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.isa.types import TYPES
from weft.ptx.operands import Address, Operand
from weft.sim.handles import each, reader
from weft.sim.lanes import Array, Lanes
from weft.sim.semantics import step
from weft.sim.site import Site, Step
from weft.sim.textures import AXES, LAYERED, Surface, arranged
from weft.sim.types import DTYPES, WORDS

_OPERATIONS: dict[str, Any] = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
}


class _Place:
    """Where lanes access surfaces."""

    def __init__(self, site: Site, operand: Operand) -> None:
        assert isinstance(operand, Address)
        slots = site.slots()
        self.site, self.geometry, self.clamp = site, slots["geom"], slots["clamp"]
        self.formatted = slots["format"] == "p"
        self.handle = reader(site, operand)
        parts = list(site.vector(operand.rest[0]))
        self.layer = site.read(parts.pop(0), "u32") if self.geometry in LAYERED else None
        self.coordinates = [site.read(part, "s32") for part in parts[: AXES[self.geometry]]]

    def find(self, lanes: Lanes, size: int) -> list[tuple[Array, Array, Array, Array]]:
        """For each surface its bytes (rows by bytes of x), positions of lanes, their rows, and their bytes.

        Of lanes that are outside, those that read zero and write nothing are left out.
        """
        found: list[tuple[Array, Array, Array, Array]] = []
        zero = np.zeros(lanes.count, np.int64)
        layer = zero if self.layer is None else self.layer(lanes).astype(np.int64)
        x, y, z = (*(c(lanes).astype(np.int64) for c in self.coordinates), zero, zero)[:3]
        for thing, chosen in each(self.site, self.handle(lanes), lanes):
            lane = int(lanes.index[int(chosen[0])])
            if not isinstance(thing, Surface):
                raise self.site.fault("descriptor", f"the handle is that of a {type(thing).__name__.lower()}", lane)
            try:
                texels = arranged(thing.array, self.geometry)
            except ValueError as error:
                raise self.site.fault("descriptor", f"the surface does not match: {error}", lane) from None
            layers, depth, height, width, channels = texels.shape
            pixel = channels * texels.itemsize
            at = x * pixel if self.formatted else x
            grain = pixel if self.formatted else size
            limits = [(layer, layers - 1), (z, depth - 1), (y, height - 1), (at, width * pixel - grain)]
            inside = np.logical_and.reduce([(v >= 0) & (v <= most) for v, most in limits])[chosen]
            odd = at[chosen] % size != 0
            if not self.formatted and odd.any():
                where = int(chosen[int(odd.argmax())])
                message = f"byte {int(at[where])} is not a multiple of {size}"
                raise self.site.fault("misaligned", message, int(lanes.index[where]))
            if not inside.all() and self.clamp == "trap":
                where = int(chosen[int(inside.argmin())])
                place = f"({int(x[where])}, {int(y[where])}, {int(z[where])})"
                raise self.site.fault("out-of-bounds", f"{place} lies outside the surface", int(lanes.index[where]))
            use = chosen[inside] if self.clamp == "zero" else chosen
            layer_, z_, y_, at_ = (np.clip(v[use], 0, most) for v, most in limits)
            row = (layer_ * depth + z_) * height + y_
            found.append((texels.reshape(-1, width * channels), use, row, at_))
        return found


def _watch(
    site: Site, surface: Array, lanes: Lanes, where: tuple[Array, Array, Array], size: int, values: Array | None = None
) -> None:
    """Look for races of loads or stores: `where` are positions of lanes, rows, and bytes in these."""
    surfaces = site.machine.surfaces
    if surfaces is not None and surface.flags.c_contiguous:
        chosen, row, at = where
        index = (row * (surface.shape[1] * surface.itemsize) + at)[:, None] + np.arange(size)
        surfaces.access(site, surface, index, lanes.index[chosen], None if values is None else values.view(np.uint8))


@step("suld")
def suld(site: Site) -> Step:
    """Read bytes."""
    slots = site.slots()
    place = _Place(site, site.operands[1])
    bits = TYPES[slots["type"]].bits
    rows = [site.destination(element, slots["type"]) for element in site.vector(site.operands[0])]
    each_, size = bits // 8, bits // 8 * int(slots["vec"][1:] or 1)

    def run(lanes: Lanes) -> None:
        words = np.zeros((lanes.count, size // each_), WORDS[bits])
        for surface, chosen, row, at in place.find(lanes, size):
            _watch(site, surface, lanes, (chosen, row, at), size)
            data = surface.view(np.uint8)[row[:, None], at[:, None] + np.arange(size)]
            words[chosen] = np.ascontiguousarray(data).view(WORDS[bits])
        for number, target in enumerate(rows):
            if target is not None:
                target[lanes.select] = words[:, number]

    return run


@step("sust")
def sust(site: Site) -> Step:
    """Write bytes, or values converted to the surface's format."""
    slots = site.slots()
    place = _Place(site, site.operands[0])
    sources = [site.read(element, slots["type"]) for element in site.vector(site.operands[1])]
    bits = TYPES[slots["type"]].bits
    size = bits // 8 * len(sources)

    def run(lanes: Lanes) -> None:
        words = np.stack([source(lanes) for source in sources], axis=1)
        for surface, chosen, row, at in place.find(lanes, size):
            if place.formatted:
                first = at // surface.itemsize
                channels = min(words.shape[1], surface.shape[1])
                values = np.ascontiguousarray(_converted(words[chosen, :channels], surface.dtype))
                _watch(site, surface, lanes, (chosen, row, at), values.shape[1] * surface.itemsize, values)
                surface[row[:, None], first[:, None] + np.arange(channels)] = values
            else:
                data = np.ascontiguousarray(words[chosen]).view(np.uint8)
                _watch(site, surface, lanes, (chosen, row, at), size, data)
                surface.view(np.uint8)[row[:, None], at[:, None] + np.arange(size)] = data
        site.machine.change()

    return run


def _converted(words: Array, dtype: np.dtype[Any]) -> Array:
    """32-bit words as elements: floats as they are, integers clamped."""
    if dtype.kind == "f":
        return words.view(np.float32).astype(dtype)
    limits = np.iinfo(dtype)
    return np.clip(words.view(f"{dtype.kind}4").astype(np.int64), limits.min, limits.max).astype(dtype)


@step("sured")
def sured(site: Site) -> Step:
    """Combine values into elements, one lane after the other."""
    slots = site.slots()
    place = _Place(site, site.operands[0])
    dtype = DTYPES[slots["type"]]
    source = site.read(site.operands[1], slots["type"])
    operation = _OPERATIONS[slots["op"]]

    def run(lanes: Lanes) -> None:
        values = source(lanes)
        for surface, chosen, row, at in place.find(lanes, dtype.itemsize):
            own = surface.dtype if place.formatted and surface.itemsize == dtype.itemsize else dtype
            operation.at(surface.view(own), (row, at // own.itemsize), values[chosen].view(own))
        site.machine.change()

    return run
