"""`cp.async.bulk.tensor`, `cp.reduce.async.bulk.tensor`: copies of boxes of tensors, by tensor maps.

Boxes, swizzles and fills are those of `weft.sim.tensors`; what completes when is as for `cp.async.bulk`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import lru_cache

import numpy as np

from weft.isa.tensor_map_checks import check
from weft.isa.tensor_map_fields import Fields, decode
from weft.isa.tensor_map_words import SIZE, TensorMapError
from weft.ptx.operands import Address, Operand, Vector
from weft.sim import tensors
from weft.sim.arrivals import update
from weft.sim.bulk import Bundle, Transfer
from weft.sim.faults import KernelFault
from weft.sim.lanes import Array, Lanes
from weft.sim.places import Places
from weft.sim.semantics import step
from weft.sim.semantics.bulk import Reduce, completion, destinations, each, reduction, signalled
from weft.sim.semantics.mbarrier import use
from weft.sim.site import Pointer, Site, Step
from weft.sim.spots import Spot
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
    return _Loads(site).run if site.slots()["src"] == "global" else _store(site, None)


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
            site.malformed("the coordinates are not a vector")
        self.site = site
        self.rank = int(site.slots()["dim"][0])
        self.pointer = site.pointer(operand, "")
        self.reads = [site.read(element, "s32") for element in vector.elements]

    def every(self, lanes: Lanes) -> tuple[list[Fields], list[tuple[int, ...]]]:
        """The maps and coordinates of lanes, read together: they mostly share a map."""
        coordinates = list(zip(*(read(lanes).tolist() for read in self.reads), strict=True))
        ((space, index, _),) = self.pointer(lanes, 16, False)
        if (index != index[0]).any() or space is not self.site.machine.memory.arena:
            return [self.fields(one) for one in each(lanes)], coordinates
        fields = self.fields(Lanes.one(int(lanes.index[0])))
        if self.site.machine.proxies is not None:
            self.site.machine.proxies.maps.check_all(self.site, lanes.index, int(index[0]))
        return [fields] * lanes.count, coordinates

    def coordinates(self, one: Lanes) -> tuple[int, ...]:
        """The coordinates, innermost dimension first."""
        return tuple(int(read(one)[0]) for read in self.reads)

    def fields(self, one: Lanes) -> Fields:
        """The map, which the driver would accept."""
        site, lane = self.site, int(one.index[0])
        ((space, index, _),) = self.pointer(one, 16, False)
        start = int(index[0])
        arena = site.machine.memory.arena
        if space is not arena:
            raise site.fault("tensor-map", f"the tensor map lies in {space.name} memory", lane)
        if (start + arena.base) % _MAP_ALIGN or not space.holds(start, SIZE, lane):
            raise site.fault("misaligned", f"a tensor map is {SIZE} bytes, aligned to {_MAP_ALIGN}", lane)
        if site.machine.proxies is not None:
            site.machine.proxies.maps.check(site, lane, start)
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
        self._kept = Places[tuple[Array, "Spot | None", Box]]()

    def shifts(self, lanes: Lanes) -> list[list[int]]:
        """The offsets of lanes, which the im2col modes have."""
        if not self.offsets:
            return [[]] * lanes.count
        return [list(map(int, row)) for row in zip(*(read(lanes).tolist() for read in self.offsets), strict=True)]

    def alike(self, maps: list[Fields], starts: list[tuple[int, ...]], places: list[int]) -> tuple[Box, Array] | None:
        """A box, and by how many bytes those of lanes are moved from it; None where some need a look each."""
        fields, shared = maps[0], self.site.machine.memory.shared
        if self.mode != "tile" or fields.mode != "tiled" or any(one is not fields for one in maps):
            return None
        bases = np.array(places) % shared.stride
        found = None if (bases % _ALIGN).any() else tensors.tiles(fields, np.array(starts, np.int64), bases)
        if found is None:
            return None
        low, high = int(found[0].offsets.min()), int(found[0].offsets.max()) + found[0].dtype.itemsize
        return found if bases.min() + low >= 0 and bases.max() + high <= shared.size else None

    def bundle(
        self,
        lanes: Lanes,
        found: tuple[Box, Array],
        places: list[int],
        *,
        write: bool,
        tell: Callable[[Array, Array], None] | None = None,
    ) -> Bundle:
        """The byte indices of boxes that are shifted copies of one; the tensor's are checked."""
        box, moved = found
        arena = self.site.machine.memory.arena
        ends = moved[:, None] + np.array([box.addresses.min(), box.addresses.max()])
        arena.locate(self.site, ends.reshape(-1), np.repeat(lanes.index, 2), box.dtype.itemsize, write)
        far = box.addresses + (moved - arena.base)[:, None]
        near, spot = self._near(lanes, box, places)
        return Bundle(near, far, spot, tell) if write else Bundle(far, near, spot, tell)

    def _near(self, lanes: Lanes, box: Box, places: list[int]) -> tuple[Array, Spot | None]:
        """The byte indices of boxes in shared memory, and who accesses them; stages of rings come back."""
        shared = self.site.machine.memory.shared
        key = id(box), tuple(places), lanes.index.tobytes(), shared.stride
        found = self._kept.get(key)
        if found is None:
            near, spot = np.array(places)[:, None] + box.offsets, None
            if shared.guarded:
                shared.last = None
                spot = shared.spot(near.reshape(-1), np.repeat(lanes.index, len(box.offsets)))
                spot.kept = True
            found = self._kept.keep(key, (near, spot, box), near.size)
        return found[:2]

    def box_of(self, lane: int, fields: Fields, at: tuple[int, ...], base: int, offsets: list[int]) -> Box:
        """The box of a lane at coordinates of a map, for a shared address `base`."""
        site = self.site
        if base % _ALIGN:
            message = f"the shared address {base:#x} of a tensor copy is not a multiple of {_ALIGN}"
            raise site.fault("misaligned", message, lane, base)
        try:
            return self._make(fields, at, base, offsets)
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

    def places(self, pointer: Pointer, lanes: Lanes, size: int, what: str) -> Array:
        """The byte indices in shared memory that lanes point to."""
        parts = list(pointer(lanes, size, True))
        if len(parts) != 1 or parts[0][0] is not self.site.machine.memory.shared:
            raise self.site.fault("out-of-bounds", f"the {what} does not lie in shared memory", int(lanes.index[0]))
        return parts[0][1]

    def inside(self, lane: int, box: Box, base: int, write: bool) -> Array:
        """Byte indices of the tensor's pieces, after the checks that they and the box lie in memory."""
        machine = self.site.machine
        last = base + int(box.offsets.max()) + box.dtype.itemsize
        if base + int(box.offsets.min()) < 0 or last > machine.memory.shared.size:
            size = machine.memory.shared.size
            message = f"a box of {box.size} bytes at shared address {base:#x} does not fit the CTA's {size} bytes"
            raise self.site.fault("out-of-bounds", message, lane, base)
        pieces = box.addresses if box.inside is None else box.addresses[box.inside]
        if pieces.size:
            ends = np.array([pieces.min(), pieces.max()])
            machine.memory.arena.locate(self.site, ends, np.full(2, lane), box.dtype.itemsize, write)
        return box.addresses - machine.memory.arena.base


class _Loads:
    """An instruction that copies boxes of tensors to shared memory, of its own CTA or of several."""

    def __init__(self, site: Site) -> None:
        slots, operands = site.slots(), list(site.operands)
        self.site, self.machine = site, site.machine
        self.to, self.barrier = site.pointer(operands[0], slots["dst"]), site.pointer(operands[2], slots["dst"])
        rest = operands[3:]
        self.boxes = _Boxes(site, operands[1], rest.pop(0) if slots["load_mode"].startswith("im2col") else None)
        self.multicast = site.read(rest.pop(0), "u16") if slots["multicast"] else None
        self.pair = slots["cta_group"] == "cta_group::2"

    def run(self, lanes: Lanes) -> None:
        """Start the copies of lanes, after what is checked of their mbarriers."""
        site, shared = self.site, self.machine.memory.shared
        places = self.boxes.places(self.to, lanes, 16, "box").tolist()
        barriers = self.boxes.places(self.barrier, lanes, 8, "mbarrier")
        if shared.shadow is not None:
            shared.check_written(site, barriers, lanes.select, 8)
            far = barriers // shared.stride != self.machine.batch.cta[lanes.index]
            if far.any():
                use(site, barriers[far], lanes.index[far])
        with nullcontext() if shared.races is None else shared.races.apart(lanes.index):
            self._start(lanes, places, barriers)

    def _start(self, lanes: Lanes, places: list[int], barriers: Array) -> None:
        maps, starts = self.boxes.map.every(lanes)
        # CTAs in step mostly load boxes of one map at other coordinates: one box and its shifts say where all lie.
        if self.multicast is None and (found := self.boxes.alike(maps, starts, places)) is not None:
            self.machine.bulk.start_all(self._bundled(lanes, maps[0], found, places, barriers))
            return
        shifts = self.boxes.shifts(lanes)
        copies: list[Transfer] = []
        for number, lane in enumerate(lanes.index.tolist()):
            transfer, size = self._single(lane, maps[number], starts[number], places[number], shifts[number])
            mask = None if self.multicast is None else int(self.multicast(Lanes.one(lane))[0])
            targets = destinations(self.site, lane, places[number], mask)
            copies.extend(signalled(self.site, transfer, int(barriers[number]), targets, size, self.pair))
        self.machine.bulk.start_all(copies)

    def _single(
        self, lane: int, fields: Fields, start: tuple[int, ...], place: int, shifts: list[int]
    ) -> tuple[Transfer, int]:
        """The transfer of one lane's box, and the bytes that its mbarrier counts."""
        memory, base = self.machine.memory, place % self.machine.memory.shared.stride
        box = self.boxes.box_of(lane, fields, start, base, shifts)
        transfer = Transfer(
            self.site,
            lane,
            memory.arena,
            self.boxes.inside(lane, box, base, False),
            memory.shared,
            place + box.offsets,
            box.dtype,
            box.inside,
            tensors.filler(fields, box.dtype) if box.inside is not None else 0,
            convert=tensors.conversion(fields),
            folded=(box.base, box.moved - memory.arena.base) if box.base is not None else None,
        )
        return transfer, box.size

    def _bundled(
        self, lanes: Lanes, fields: Fields, found: tuple[Box, Array], places: list[int], barriers: Array
    ) -> list[Transfer]:
        """The transfers of boxes that are shifted copies of one."""
        site, (box, moved) = self.site, found
        arena, shared, numbers = self.machine.memory.arena, self.machine.memory.shared, lanes.index
        size = box.dtype.itemsize
        first, last = ((int(part.min()), int(part.max())) for part in (box.addresses, box.offsets))
        filled = last[1] - last[0] == (len(box.offsets) - 1) * size
        shifts = moved - arena.base

        def tell(signals: Array, counts: Array) -> None:
            update(site, shared, signals, int(numbers[0]), np.zeros(len(signals), np.int64), -counts)

        bundle = self.boxes.bundle(lanes, found, places, write=False, tell=tell)
        convert, own = tensors.conversion(fields), self.machine.batch.cta[numbers]
        near = bool((barriers // shared.stride == own).all() and (np.array(places) // shared.stride == own).all())
        parts = zip(numbers.tolist(), barriers.tolist(), shifts.tolist(), bundle.origin, bundle.into, strict=True)
        copies: list[Transfer] = []
        for number, (lane, barrier, shift, origin, into) in enumerate(parts):
            transfer = Transfer(site, lane, arena, origin, shared, into, box.dtype, convert=convert)
            transfer.folded, transfer.bundle, transfer.number = (box.addresses, shift), bundle, number
            transfer.bounds = first[0] + shift, first[1] + shift + size - 1
            if filled:
                transfer.filled = slice(places[number] + last[0], places[number] + last[1] + size)
            if near:
                transfer.signal, transfer.count = barrier, box.size
                transfer.then = completion(site, barrier, lane, box.size)
                copies.append(transfer)
                continue
            targets = destinations(site, lane, places[number], None)
            copies.extend(signalled(site, transfer, barrier, targets, box.size, self.pair))
        # A bundle tells its mbarriers of all its bytes at once: each of them may be told once.
        if len(set(barriers.tolist())) < len(copies):
            for transfer in copies:
                transfer.bundle = None
        return copies


def _store(site: Site, op: str | None) -> Step:
    operands, machine = site.operands, site.machine
    boxes = _Boxes(site, operands[0], None)
    come = site.pointer(operands[1], "shared")

    def bundled(lanes: Lanes, found: tuple[Box, Array], places: list[int]) -> list[Transfer]:
        """The transfers of boxes that are shifted copies of one."""
        box, bundle = found[0], boxes.bundle(lanes, found, places, write=True)
        rows = zip(lanes.index.tolist(), bundle.origin, bundle.into, strict=True)
        return [
            Transfer(
                site, lane, machine.memory.shared, origin, machine.memory.arena, into, box.dtype, load=False,
                bundle=bundle, number=number,
            )
            for number, (lane, origin, into) in enumerate(rows)
        ]  # fmt: skip

    def run(lanes: Lanes) -> None:
        places = boxes.places(come, lanes, 16, "box").tolist()
        maps, starts = boxes.map.every(lanes)
        if op is None and lanes.count > 1 and (found := boxes.alike(maps, starts, places)) is not None:
            _check_store(site, int(lanes.index[0]), maps[0], starts[0])
            machine.bulk.start_all(bundled(lanes, found, places))
            return
        shifts = boxes.shifts(lanes)
        for number, lane in enumerate(lanes.index.tolist()):
            fields, base = maps[number], places[number] % machine.memory.shared.stride
            box = boxes.box_of(lane, fields, starts[number], base, shifts[number])
            _check_store(site, lane, fields, starts[number])
            transfer = Transfer(
                site,
                lane,
                machine.memory.shared,
                places[number] + box.offsets,
                machine.memory.arena,
                boxes.inside(lane, box, base, True),
                box.dtype,
                box.inside,
                load=False,
                reduce=None if op is None else _reduce(site, lane, op, fields),
            )
            machine.bulk.start(transfer)

    return run


def _check_store(site: Site, lane: int, fields: Fields, coordinates: tuple[int, ...]) -> None:
    """What the manual forbids for copies to global memory."""
    starts = coordinates[: fields.rank] if "scatter4" not in site.slots()["load_mode"] else coordinates[:1]
    if min(starts) < 0:
        raise site.fault(
            "tensor-map", f"the box to store starts at {coordinates}; coordinates of a store must not be negative", lane
        )
    if fields.swizzle == "128B_ATOM_32B_FLIP_8B" or fields.element.stored > fields.element.packed:
        what = fields.swizzle if not fields.element.packed else f".{fields.element.ptx}"
        raise site.fault("tensor-map", f"{what} is allowed on copies to shared memory only", lane)
    if any(low < 0 for low in fields.pixel_box_lower_corner) or any(top > 0 for top in fields.pixel_box_upper_corner):
        raise site.fault("tensor-map", "the pixel box of a store lies partly outside the tensor", lane)


def _reduce(site: Site, lane: int, op: str, fields: Fields) -> Reduce:
    element = fields.element.ptx
    if element not in _REDUCTIONS[op]:
        raise site.fault("tensor-map", f"unsupported reduction .{op} of .{element} tensors", lane)
    bitwise = op in ("and", "or", "xor")
    return _reductions(op, f"b{fields.element.bits}" if bitwise else element.removesuffix(".ftz"))


_reductions: Callable[[str, str], Reduce] = lru_cache(maxsize=64)(reduction)
