"""Layouts as matrices over F2: exact where all extents are powers of two, swizzles included.

`bits(layout)` maps the bits of an index to bits of places, lanes and warps: every bit of the index has an image, and an
index goes to the exclusive or of the images of its bits.  Then composition, inverses and factors are elimination.

Source: Zhou et al., *Linear Layouts* (arXiv 2505.23819).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from weft.errors import LayoutError
from weft.layout.axis import m
from weft.layout.boxes import parts
from weft.layout.iters import Iter
from weft.layout.swizzle import Layout

INDEX = "index"
"""The name of the bits of a tile's index."""
Ports = tuple[tuple[str, int], ...]
"""Names, and how many bits each has, the lowest first."""


class Linear(NamedTuple):
    """A linear map over F2: an image, packed, for each input bit.  Inputs and outputs are named groups of bits."""

    inputs: Ports
    outputs: Ports
    images: tuple[int, ...]

    def __call__(self, **given: int) -> dict[str, int]:
        """The outputs by name for inputs by name (0 where left out)."""
        return unpacked(self.outputs, self.packed(packed(self.inputs, given)))

    def packed(self, number: int) -> int:
        """The packed outputs for packed inputs."""
        return _combined(self.images, number)

    def __matmul__(self, inner: Linear) -> Linear:
        """The composition: first `inner`, whose outputs are named as this one's inputs (missing ones are 0).

        Raises:
            LayoutError: an output of `inner` has more bits than there are inputs for it.
        """
        images = tuple(self.packed(_moved(image, inner.outputs, self.inputs)) for image in inner.images)
        return Linear(inner.inputs, self.outputs, images)

    @property
    def rank(self) -> int:
        """The dimension of the image."""
        return len(basis(self.images))

    @property
    def injective(self) -> bool:
        """Whether different inputs have different outputs."""
        return self.rank == len(self.images)

    def inverse(self) -> Linear:
        """A map back: `a.inverse() @ a` is the identity where `a` is injective.

        Raises:
            LayoutError: two inputs have one output.
        """
        if not self.injective:
            raise LayoutError("the map has no inverse: two inputs have the same output")
        whole = identity(self.inputs)
        return solve(whole, self, swapped=True)

    def only(self, *names: str) -> Linear:
        """The map restricted to some inputs, the others being 0."""
        kept = [at for name in names for at in _range(self.inputs, name)]
        ports = tuple((name, width) for name, width in self.inputs if name in names)
        ordered = [at for name, _ in ports for at in _range(self.inputs, name)]
        assert sorted(kept) == sorted(ordered)
        return Linear(ports, self.outputs, tuple(self.images[at] for at in ordered))


def _combined(vectors: Sequence[int], chosen: int) -> int:
    """The exclusive or of the vectors whose bits are set."""
    total = 0
    for at, vector in enumerate(vectors):
        if chosen >> at & 1:
            total ^= vector
    return total


def identity(ports: Ports) -> Linear:
    """The map that changes nothing."""
    return Linear(ports, ports, tuple(1 << at for at in range(sum(width for _, width in ports))))


def packed(ports: Ports, given: Mapping[str, int]) -> int:
    """Numbers by name as one number; raises LayoutError for a name that there is not, or a number too large."""
    widths = dict(ports)
    found, at = 0, 0
    for name in given:
        if name not in widths or given[name] >> widths[name]:
            raise LayoutError(f"{name} = {given[name]} does not fit {widths.get(name, 0)} bits")
    for name, width in ports:
        found |= given.get(name, 0) << at
        at += width
    return found


def unpacked(ports: Ports, number: int) -> dict[str, int]:
    """One number as numbers by name."""
    found: dict[str, int] = {}
    for name, width in ports:
        found[name] = number & ((1 << width) - 1)
        number >>= width
    return found


def _moved(image: int, source: Ports, target: Ports) -> int:
    values = {name: value for name, value in unpacked(source, image).items() if value}
    return packed(target, values)


def _range(ports: Ports, wanted: str) -> range:
    at = 0
    for name, width in ports:
        if name == wanted:
            return range(at, at + width)
        at += width
    raise LayoutError(f"unknown '{wanted}': use one of {', '.join(name for name, _ in ports)}")


# -- from layouts -------------------------------------------------------------------------------------------------


def bits(layout: Layout, shape: Sequence[int] | None = None) -> Linear:
    """A layout as a linear map: from the bits of the index to those of its places on each axis.

    `shape` is needed for a bare swizzle only.

    Raises:
        LayoutError: an extent or a stride is no power of two, digits overlap, there are replicas or odd offsets.
    """
    tile, swizzle = parts(layout, shape or ())
    if tile.replica:
        raise LayoutError(f"{layout} is not a linear map: it has a replica")
    if any(value for _, value in tile.offset):
        raise LayoutError(f"{layout} is not a linear map: it has an offset")
    run = reversed(tile.canonicalize().shard)
    used: dict[str, int] = {}
    steps: list[tuple[str, int]] = []
    for each in run:
        for step in _steps(each):
            name = each.axis.name
            if used.get(name, 0) & step:
                raise LayoutError(f"the digits of {layout} overlap in bit {step.bit_length() - 1} of {name}")
            used[name] = used.get(name, 0) | step
            steps.append((name, step))
    widths = {name: value.bit_length() for name, value in used.items()}
    if swizzle is not None:
        steps = [(name, swizzle.place(step)) for name, step in steps]
        widths = {name: max(widths[name], *(step.bit_length() for _, step in steps)) for name in widths}
    outputs = tuple(sorted(widths.items(), key=lambda pair: (pair[0] != m.name, pair[0])))
    return Linear(((INDEX, len(steps)),), outputs, tuple(packed(outputs, {name: step}) for name, step in steps))


def _steps(each: Iter) -> list[int]:
    if each.extent & (each.extent - 1):
        raise LayoutError(f"the extent {each.extent} is not a power of two")
    if each.stride < 1 or each.stride & (each.stride - 1):
        raise LayoutError(f"the stride {each.stride} is not a power of two")
    return [each.stride << at for at in range(each.extent.bit_length() - 1)]


# -- elimination --------------------------------------------------------------------------------------------------


def basis(vectors: Iterable[int]) -> list[int]:
    """A reduced basis of the span of vectors, by descending leading bit."""
    found: list[int] = []
    for vector in vectors:
        for each in found:
            # The smaller of the two lacks the leading bit of `each`: elimination without looking for it.
            vector = min(vector, vector ^ each)
        if vector:
            found = sorted((min(each, each ^ vector) for each in found), reverse=True)
            found.append(vector)
            found.sort(reverse=True)
    return found


def intersect(a: Iterable[int], b: Iterable[int]) -> list[int]:
    """A basis of what two spans have in common."""
    left, right = basis(a), basis(b)
    relations = kernel([*left, *right])
    return basis(_combined(left, each) for each in relations)


def kernel(images: Sequence[int]) -> list[int]:
    """A basis of the inputs that go to 0."""
    found: list[int] = []
    rows: list[tuple[int, int]] = []
    for at, image in enumerate(images):
        combination = 1 << at
        for pivot, whose in rows:
            if image ^ pivot < image:
                image, combination = image ^ pivot, combination ^ whose
        if image:
            rows.append((image, combination))
            rows.sort(reverse=True)
        else:
            found.append(combination)
    return basis(found)


def basis_complement(vectors: Iterable[int], width: int) -> list[int]:
    """Unit vectors that, with the span of vectors, make all of `width` bits."""
    leading = {each.bit_length() - 1 for each in basis(vectors)}
    return [1 << at for at in range(width) if at not in leading]


def solve(a: Linear, b: Linear, *, swapped: bool = False) -> Linear:
    """c with b @ c = a, bits that are free being 0; with `swapped`, c with c @ b = a on b's images, 0 elsewhere.

    Raises:
        LayoutError: an image of a is none of b.
    """
    if swapped:
        return _solve_left(a, b)
    rows = _rows(b.images)
    outputs: list[int] = []
    for image in a.images:
        wanted = _moved(image, a.outputs, b.outputs)
        chosen = 0
        for pivot, whose in rows:
            if wanted ^ pivot < wanted:
                wanted, chosen = wanted ^ pivot, chosen ^ whose
        if wanted:
            raise LayoutError("one layout has a place that the other lacks")
        outputs.append(chosen)
    return Linear(a.inputs, b.inputs, tuple(outputs))


def _rows(images: Sequence[int]) -> list[tuple[int, int]]:
    """Independent images with the inputs that give them, by descending leading bit; earlier inputs are preferred."""
    rows: list[tuple[int, int]] = []
    for at, image in enumerate(images):
        combination = 1 << at
        for pivot, whose in rows:
            if image ^ pivot < image:
                image, combination = image ^ pivot, combination ^ whose
        if image:
            rows.append((image, combination))
            rows.sort(reverse=True)
    return rows


def _solve_left(a: Linear, b: Linear) -> Linear:
    """c with c(b(x)) = a(x), for injective b: unit outputs of b that are no images' leading bits go to 0."""
    rows = _rows(b.images)
    width = sum(bits for _, bits in b.outputs)
    found: dict[int, int] = {}
    # Ascending leading bits: all lower bits of a pivot have their images by the time it is its turn.
    for pivot, whose in sorted(rows):
        value = a.packed(whose)
        top = pivot.bit_length() - 1
        rest = pivot ^ (1 << top)
        found[top] = value ^ _combined([found.get(at, 0) for at in range(top)], rest)
    return Linear(b.outputs, a.outputs, tuple(found.get(at, 0) for at in range(width)))


# -- factors ------------------------------------------------------------------------------------------------------


def divide_left(a: Linear, tile: Linear) -> Linear | None:
    """c with a = tile beside c, block by block, or None: whether an instruction's tile fits a layout.

    The first input bits of each of a's inputs are the tile's, and so are the lowest bits of each output.
    """
    held, widths = dict(tile.inputs), dict(tile.outputs)
    own: list[int] = []
    others: list[int] = []
    at = 0
    for name, width in a.inputs:
        taken = held.pop(name, 0)
        if taken > width:
            return None
        own += range(at, at + taken)
        others += range(at + taken, at + width)
        at += width
    if held or any(width > dict(a.outputs).get(name, 0) for name, width in widths.items()):
        return None
    order = [name for name, _ in a.inputs]
    expected = [tile.images[i] for name in order if name in dict(tile.inputs) for i in _range(tile.inputs, name)]
    for bit, image in zip(own, expected, strict=True):
        if _moved(image, tile.outputs, a.outputs) != a.images[bit]:
            return None
    rest: list[int] = []
    outputs = tuple((name, width - widths.get(name, 0)) for name, width in a.outputs)
    for bit in others:
        values = unpacked(a.outputs, a.images[bit])
        if any(values[name] & ((1 << widths.get(name, 0)) - 1) for name in values):
            return None
        rest.append(packed(outputs, {name: value >> widths.get(name, 0) for name, value in values.items()}))
    inputs = tuple((name, width - dict(tile.inputs).get(name, 0)) for name, width in a.inputs)
    return Linear(inputs, outputs, tuple(rest))


def quotient(c: Linear, names: Sequence[str]) -> Linear | None:
    """c without the named inputs and outputs, on which it is the identity and which nothing else reaches, or None."""
    inside, outside = dict(c.inputs), dict(c.outputs)
    for name in names:
        if inside.get(name, 0) != outside.get(name, 0):
            return None
    kept: list[int] = []
    outputs = tuple((name, width) for name, width in c.outputs if name not in names)
    at = 0
    for name, width in c.inputs:
        for bit in range(width):
            values = unpacked(c.outputs, c.images[at + bit])
            if name in names:
                if values != {other: (1 << bit) * (other == name) for other in values}:
                    return None
            elif any(values.get(other) for other in names):
                return None
            else:
                kept.append(packed(outputs, {other: values[other] for other, _ in outputs}))
        at += width
    return Linear(tuple(port for port in c.inputs if port[0] not in names), outputs, tuple(kept))


def conversion(src: Layout, dst: Layout) -> Linear:
    """Where what a thread holds in `src` goes in `dst`: from place and threads to place and threads.

    Raises:
        LayoutError: one of them is no linear map, or holds what the other does not.
    """
    a, b = bits(src), bits(dst)
    return b @ a.inverse()
