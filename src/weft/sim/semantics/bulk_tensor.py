"""`cp.async.bulk.tensor`, `cp.reduce.async.bulk.tensor`: copies of boxes of tensors, by tensor maps.

Boxes, swizzles and fills are those of `weft.sim.tensors`; what completes when is as for `cp.async.bulk`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from weft.isa.tensor_map import SIZE, Fields, TensorMapError, check, decode
from weft.ptx.operands import Address, Operand, Vector
from weft.sim import tensors
from weft.sim.bulk import Transfer
from weft.sim.faults import KernelFault
from weft.sim.lanes import Array, Lanes
from weft.sim.memory import ARENA_BASE
from weft.sim.semantics import step
from weft.sim.semantics.bulk import Reduce, destinations, each, reduction, signalled
from weft.sim.site import Pointer, Site, Step
from weft.sim.tensors import Box

_ALIGN = 128
"""What the shared address of a box is a multiple of."""
_MAP_ALIGN = 64
_REDUCTIONS = {
    "add": ("u32", "s32", "u64", "f32", "f32.ftz", "f16", "bf16"),
    "min": ("u32", "s32", "u64", "s64", "f16", "bf16"),
    "max": ("u32", "s32", "u64", "s64", "f16", "bf16"),
    "inc": ("u32",),
    "dec": ("u32",),
    "and": ("u32", "s32", "u64", "s64"),
    "or": ("u32", "s32", "u64", "s64"),
    "xor": ("u32", "s32", "u64", "s64"),
}


@step("cp.async.bulk.tensor")
def cp_async_bulk_tensor(site: Site) -> Step:
    """Start copying a box for each lane."""
    return _load(site) if site.slots()["src"] == "global" else _store(site, None)


@step("cp.reduce.async.bulk.tensor")
def cp_reduce_async_bulk_tensor(site: Site) -> Step:
    """Start combining a box in shared memory into a tensor for each lane."""
    return _store(site, site.slots()["redop"])


class _Map:
    """The tensor map operand: the map that a lane names, and the coordinates of its box."""

    def __init__(self, site: Site, operand: Operand) -> None:
        assert isinstance(operand, Address)
        vector = operand.rest[0]
        if not isinstance(vector, Vector):
            site.malformed("the coordinates are no vector")
        self.site = site
        self.rank = int(site.slots()["dim"][0])
        self.pointer = site.pointer(operand, "")
        self.reads = [site.read(element, "s32") for element in vector.elements]

    def coordinates(self, one: Lanes) -> tuple[int, ...]:
        """The coordinates, innermost dimension first."""
        return tuple(int(read(one)[0]) for read in self.reads)

    def fields(self, one: Lanes) -> Fields:
        """The map, which the driver would accept."""
        site, lane = self.site, int(one.index[0])
        ((space, index, _),) = self.pointer(one, 16, False)
        start = int(index[0])
        if space is not site.machine.memory.arena:
            raise site.fault("tensor-map", f"the tensor map lies in {space.name} memory", lane)
        if (start + ARENA_BASE) % _MAP_ALIGN or not space.holds(start, SIZE, lane):
            raise site.fault("misaligned", f"a tensor map is {SIZE} bytes, aligned to {_MAP_ALIGN}", lane)
        if site.machine.proxies is not None:
            site.machine.proxies.check_map(site, lane, start)
        fields = _decode(site, lane, space.bytes[start : start + SIZE].tobytes())
        if fields.rank != self.rank:
            message = f"the tensor map has {fields.rank} dimensions, the instruction {self.rank}"
            raise site.fault("tensor-map", message, lane)
        return fields


def _decode(site: Site, lane: int, data: bytes) -> Fields:
    try:
        return _checked(data)
    except TensorMapError as error:
        raise _fault(site, lane, error) from None


@lru_cache(maxsize=256)
def _checked(data: bytes) -> Fields:
    fields = decode(data)
    check(fields)
    return fields


def _fault(site: Site, lane: int, error: TensorMapError) -> KernelFault:
    found = site.fault("tensor-map", error.message, lane)
    found.hint = error.hint
    return found


class _Boxes:
    """The boxes that an instruction moves: by its load mode, from the map, the coordinates and the offsets."""

    def __init__(self, site: Site, operand: Operand, offsets: Operand | None) -> None:
        self.site = site
        self.map = _Map(site, operand)
        self.mode = site.slots()["load_mode"] or "tile"
        self.offsets = [site.read(element, "u16") for element in site.vector(offsets)] if offsets is not None else []

    def box(self, one: Lanes, base: int) -> tuple[Fields, Box]:
        """The map and the box of a lane, for a shared address `base`."""
        site, lane = self.site, int(one.index[0])
        fields, coordinates = self.map.fields(one), self.map.coordinates(one)
        if base % _ALIGN:
            message = f"the shared address {base:#x} of a tensor copy is not a multiple of {_ALIGN}"
            raise site.fault("misaligned", message, lane, base)
        try:
            return fields, self._make(fields, coordinates, base, [int(read(one)[0]) for read in self.offsets])
        except TensorMapError as error:
            raise _fault(site, lane, error) from None

    def _make(self, fields: Fields, at: tuple[int, ...], base: int, offsets: list[int]) -> Box:
        tiled = self.mode.startswith("tile")
        if tiled != (fields.mode == "tiled"):
            raise TensorMapError(f"the tensor map is of mode {fields.mode}, the instruction of .{self.mode}")
        if self.mode == "tile":
            return tensors.tile(fields, at, base)
        if tiled:
            return tensors.rows(fields, at[0], at[1:], base)
        if self.mode in ("im2col", "im2col_no_offs"):
            return tensors.columns(fields, at, base, offsets)
        halo, shift = offsets
        return tensors.columns(fields, at, base, [shift], halo, self.mode)

    def place(self, pointer: Pointer, one: Lanes) -> tuple[int, int]:
        """The byte index of the box in shared memory, and its address in the CTA that it belongs to."""
        ((space, index, _),) = pointer(one, 16, True)
        shared = self.site.machine.memory.shared
        if space is not shared:
            raise self.site.fault("out-of-bounds", "the box does not lie in shared memory", int(one.index[0]))
        return int(index[0]), int(index[0]) % shared.stride

    def inside(self, one: Lanes, box: Box, base: int, write: bool) -> Array:
        """Byte indices of the tensor's pieces, after the checks that they and the box lie in memory."""
        machine, lane = self.site.machine, int(one.index[0])
        last = base + int(box.offsets.max()) + box.dtype.itemsize
        if base + int(box.offsets.min()) < 0 or last > machine.memory.shared.size:
            size = machine.memory.shared.size
            message = f"a box of {box.size} bytes at shared address {base:#x} does not fit the CTA's {size} bytes"
            raise self.site.fault("out-of-bounds", message, lane, base)
        pieces = box.addresses if box.inside is None else box.addresses[box.inside]
        if pieces.size:
            ends = np.array([pieces.min(), pieces.max()])
            machine.memory.arena.locate(self.site, ends, np.full(2, lane), box.dtype.itemsize, write)
        return box.addresses - ARENA_BASE


def _load(site: Site) -> Step:
    slots, operands, machine = site.slots(), list(site.operands), site.machine
    to, barrier = site.pointer(operands[0], slots["dst"]), site.pointer(operands[2], slots["dst"])
    rest = operands[3:]
    boxes = _Boxes(site, operands[1], rest.pop(0) if slots["load_mode"].startswith("im2col") else None)
    multicast = site.read(rest.pop(0), "u16") if slots["multicast"] else None
    pair = slots["cta_group"] == "cta_group::2"

    def run(lanes: Lanes) -> None:
        for one in each(lanes):
            index, base = boxes.place(to, one)
            fields, box = boxes.box(one, base)
            transfer = Transfer(
                site,
                int(one.index[0]),
                machine.memory.arena,
                boxes.inside(one, box, base, False),
                machine.memory.shared,
                index + box.offsets,
                box.dtype,
                box.inside,
                tensors.filler(fields, box.dtype),
                convert=tensors.conversion(fields),
            )
            targets = destinations(site, one, index, multicast)
            for copy in signalled(site, one, transfer, barrier, targets, box.size, pair):
                machine.bulk.start(copy)

    return run


def _store(site: Site, op: str | None) -> Step:
    operands, machine = site.operands, site.machine
    boxes = _Boxes(site, operands[0], None)
    come = site.pointer(operands[1], "shared")

    def run(lanes: Lanes) -> None:
        for one in each(lanes):
            lane = int(one.index[0])
            index, base = boxes.place(come, one)
            fields, box = boxes.box(one, base)
            _check_store(site, one, fields, boxes.map.coordinates(one))
            transfer = Transfer(
                site,
                lane,
                machine.memory.shared,
                index + box.offsets,
                machine.memory.arena,
                boxes.inside(one, box, base, True),
                box.dtype,
                box.inside,
                load=False,
                reduce=None if op is None else _reduce(site, lane, op, fields),
            )
            machine.bulk.start(transfer)

    return run


def _check_store(site: Site, one: Lanes, fields: Fields, coordinates: tuple[int, ...]) -> None:
    """What the manual forbids for copies to global memory."""
    lane = int(one.index[0])
    starts = coordinates[: fields.rank] if "scatter4" not in site.slots()["load_mode"] else coordinates[:1]
    if min(starts) < 0:
        raise site.fault("tensor-map", f"the box to store starts at {coordinates}: not below 0", lane)
    if fields.swizzle == "128B_ATOM_32B_FLIP_8B" or fields.element.stored > fields.element.packed:
        what = fields.swizzle if not fields.element.packed else f".{fields.element.ptx}"
        raise site.fault("tensor-map", f"{what} goes with copies to shared memory only", lane)
    if any(low < 0 for low in fields.pixel_box_lower_corner) or any(top > 0 for top in fields.pixel_box_upper_corner):
        raise site.fault("tensor-map", "the pixel box of a store leaves the tensor", lane)


def _reduce(site: Site, lane: int, op: str, fields: Fields) -> Reduce:
    element = fields.element.ptx
    if element not in _REDUCTIONS[op]:
        raise site.fault("tensor-map", f"there is no reduction .{op} of .{element} tensors", lane)
    bitwise = op in ("and", "or", "xor")
    return _reductions(op, f"b{fields.element.bits}" if bitwise else element.removesuffix(".ftz"))


_reductions: Callable[[str, str], Reduce] = lru_cache(maxsize=64)(reduction)
