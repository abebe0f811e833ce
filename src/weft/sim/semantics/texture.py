"""`tex`, `tld4`, `txq`, `istypep`: reads of textures, and questions about textures and samplers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from weft.ptx.operands import Address, Operand, Vector
from weft.sim import textures
from weft.sim.handles import each, reader
from weft.sim.lanes import Array, Lanes
from weft.sim.semantics import step
from weft.sim.site import Site, Step
from weft.sim.textures import AXES, Image, Sampler, Surface, Texture
from weft.sim.types import DTYPES

_CHANNELS = "rgba"


class _Read:
    """The operands that `tex` and `tld4` share: texture, sampler, coordinates, texel offset."""

    def __init__(self, site: Site) -> None:
        slots = site.slots()
        self.site, self.geometry = site, slots["geom"]
        if self.geometry in ("2dms", "a2dms"):
            site.unsupported("multisampled textures")
        named = {spec.name: o for spec, o in zip(site.variant().compiled.operands, site.operands, strict=False)}
        if "f" in named:
            site.unsupported("comparisons of depths")
        address = named["a"]
        assert isinstance(address, Address)
        *sampler, coordinates = address.rest
        self.texture = reader(site, address)
        self.sampler = reader(site, sampler[0]) if sampler else None
        parts = list(site.vector(coordinates))
        self.layer = site.read(parts.pop(0), "u32") if self.geometry in ("a1d", "a2d", "acube") else None
        self.axes = AXES[self.geometry]
        directions = 3 if "cube" in self.geometry else self.axes
        self.coordinates = [site.read(part, slots["ctype"]) for part in parts[:directions]]
        self.offsets = [site.read(part, "s32") for part in self._elements(named.get("e"))][: self.axes]
        self.level = site.read(site.vector(named["lod"])[0], slots["ctype"]) if "lod" in named else None
        self.gradients = [
            [site.read(part, "f32") for part in self._elements(named.get(name))] for name in ("dpdx", "dpdy")
        ]

    def _elements(self, operand: Operand | None) -> tuple[Operand, ...]:
        if operand is None:
            return ()
        return operand.elements if isinstance(operand, Vector) else self.site.vector(operand)

    def run(
        self, lanes: Lanes, read: Callable[[Image, Sampler, Array, list[Array], list[Array]], Array]
    ) -> tuple[Array, bool]:
        """Read for each lane: lanes by channels; and whether the texels are integers."""
        result: Array | None = None
        handles = self.texture(lanes)
        own = None if self.sampler is None else self.sampler(lanes)
        points = [c(lanes).astype(np.float64) for c in self.coordinates]
        layer = np.zeros(lanes.count, np.int64) if self.layer is None else self.layer(lanes).astype(np.int64)
        offsets = [o(lanes).astype(np.int64) for o in self.offsets] or [np.zeros(lanes.count, np.int64)] * self.axes
        level = None if self.level is None else self.level(lanes).astype(np.float64)
        slopes = [[part(lanes).astype(np.float64) for part in gradient] for gradient in self.gradients]
        if "cube" in self.geometry:
            face, *points = textures.on_face(*points)
            layer = 6 * layer + face
        for thing, sampler, chosen in self._alike(handles, own, lanes):
            lane = int(lanes.index[int(chosen[0])])
            try:
                images = thing.images(self.geometry)
            except ValueError as error:
                raise self.site.fault("descriptor", f"the texture does not match: {error}", lane) from None
            here = self._levels(images, sampler, level, slopes, chosen)

            def at(image: Image, part: Array, sampler: Sampler = sampler, chosen: Array = chosen) -> Array:
                pick = chosen[part]
                return read(image, sampler, layer[pick], [p[pick] for p in points], [o[pick] for o in offsets])

            self._check_stored(thing, sampler, here, at, lanes.index[chosen])
            values = textures.across_levels(thing, self.geometry, here, at, sampler.mipmap_filter_mode)
            if result is None:
                result = np.zeros((lanes.count, 4), values.dtype)
                result[:, 3] = 1
            result[chosen, : values.shape[1]] = values
        assert result is not None
        return result, result.dtype.kind == "i"

    def _check_stored(self, texture: Texture, sampler: Sampler, here: Array, at: Any, lanes: Array) -> None:
        """Fault when lanes read texels that the kernel has stored."""
        surfaces = self.site.machine.surfaces
        stored = None if surfaces is None else surfaces.stored(texture)
        if surfaces is None or stored is None:
            return
        mode = sampler.mipmap_filter_mode
        plain = Sampler(sampler.address_mode, sampler.filter_mode, sampler.normalized_coords, mode)
        marks = textures.across_levels(stored, self.geometry, here, partial(at, sampler=plain), mode).any(axis=1)
        if marks.any():
            surfaces.blame(self.site, int(lanes[int(marks.argmax())]))

    def _alike(self, handles: Array, own: Array | None, lanes: Lanes) -> Iterator[tuple[Texture, Sampler, Array]]:
        """The textures and samplers of lanes, and the positions of those that hold both."""
        for texture, chosen in each(self.site, handles, lanes):
            if not isinstance(texture, Texture):
                what, lane = type(texture).__name__.lower(), int(lanes.index[int(chosen[0])])
                raise self.site.fault("descriptor", f"the handle is that of a {what}", lane)
            if own is None:
                yield texture, self._sampler(texture.sampler), chosen
                continue
            for sampler, others in each(self.site, own, lanes):
                both = np.intersect1d(chosen, others, assume_unique=True)
                if not both.size:
                    continue
                if not isinstance(sampler, Sampler):
                    lane = int(lanes.index[int(both[0])])
                    raise self.site.fault("descriptor", "the second handle is not that of a sampler", lane)
                yield texture, self._sampler(sampler), both

    def _sampler(self, sampler: Sampler) -> Sampler:
        """A sampler as the instruction uses it."""
        if "cube" in self.geometry:
            return Sampler("clamp", sampler.filter_mode, True, sampler.mipmap_filter_mode, sampler.border_color)
        if self.site.slots()["ctype"] == "s32":  # Whole numbers name texels.
            return Sampler(sampler.address_mode, "point", False, sampler.mipmap_filter_mode, sampler.border_color)
        return sampler

    def _levels(
        self, images: list[Image], sampler: Sampler, level: Array | None, slopes: list[list[Array]], chosen: Array
    ) -> Array:
        if level is not None:
            return level[chosen]
        if slopes[0]:
            dx, dy = ([part[chosen] for part in gradient[: self.axes]] for gradient in slopes)
            return textures.lowest_level(images[0], dx, dy, sampler.normalized_coords)
        return np.zeros(len(chosen))


def _results(site: Site) -> tuple[list[Array | None], Callable[[Lanes], None]]:
    """The rows of the result, and what sets the predicate: all texels are resident."""
    vector, predicate = site.pair(site.operands[0])
    type_ = site.slots()["dtype"]
    rows = [site.destination(element, type_) for element in site.vector(vector)]
    resident = site.destination(predicate, "pred")

    def mark(lanes: Lanes) -> None:
        if resident is not None:
            resident[lanes.select] = True

    return rows, mark


def _write(site: Site, rows: list[Array | None], lanes: Lanes, values: Array, whole: bool) -> None:
    type_ = site.slots()["dtype"]
    if whole != (type_ in ("u32", "s32")):
        what = "integers" if whole else "floats"
        raise site.fault("descriptor", f"texels are {what}, which .{type_} cannot read", int(lanes.index[0]))
    if type_ == "f16x2":
        halves = values.astype(np.float16).view(np.uint16).astype(np.uint32)
        words: Any = halves[:, ::2] | halves[:, 1::2] << np.uint32(16)
    else:
        words = values.astype(DTYPES[type_])
    for number, row in enumerate(rows):
        if row is not None:
            row[lanes.select] = words[:, number]


@step("tex")
def tex(site: Site) -> Step:
    """Read and filter a texture."""
    operands = _Read(site)
    rows, mark = _results(site)

    def run(lanes: Lanes) -> None:
        values, whole = operands.run(lanes, textures.sample)
        _write(site, rows, lanes, values, whole)
        mark(lanes)

    return run


@step("tld4")
def tld4(site: Site) -> Step:
    """One channel of the four texels that a bilinear filter would blend."""
    operands = _Read(site)
    rows, mark = _results(site)
    channel = _CHANNELS.index(site.slots()["comp"])

    def read(image: Image, sampler: Sampler, layer: Array, points: list[Array], offsets: list[Array]) -> Array:
        return textures.gather(image, sampler, layer, points, offsets, channel)

    def run(lanes: Lanes) -> None:
        values, whole = operands.run(lanes, read)
        _write(site, rows, lanes, values, whole)
        mark(lanes)

    return run


@step("txq", "suq")
def query(site: Site) -> Step:
    """A property of a texture, sampler or surface."""
    slots = site.slots()
    target, address, *rest = site.operands
    handle, write = reader(site, address), site.write(target, "b32")
    level = site.read(rest[0], "u32") if rest else None

    def run(lanes: Lanes) -> None:
        found = np.zeros(lanes.count, np.uint32)
        numbers = np.zeros(lanes.count, np.int64) if level is None else level(lanes)
        for thing, chosen in each(site, handle(lanes), lanes):
            found[chosen] = [textures.property_of(thing, slots["query"], int(n)) for n in numbers[chosen]]
        write(lanes, found)

    return run


@step("istypep")
def istypep(site: Site) -> Step:
    """Whether a register holds the handle of a texture, sampler or surface."""
    kind = {"texref": Texture, "samplerref": Sampler, "surfref": Surface}[site.slots()["type"]]
    write, read = site.write(site.operands[0], "pred"), site.read(site.operands[1], "u64")
    handles = site.machine.program.handles
    return lambda lanes: write(lanes, np.array([isinstance(handles.get(h), kind) for h in read(lanes).tolist()]))
