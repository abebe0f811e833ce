"""Parts of buffers and tensors by offsets, sizes and strides, and dimensions joined or split: what MLIR verifies."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.definitions import segments
from weft.dialects.traits import inherent
from weft.dialects.verification import PlainVerifyException

Lists = tuple[Sequence[int], Sequence[int], Sequence[int]]
"""Offsets, sizes and strides; `DYNAMIC_INDEX` for those that are operands."""

_NAMES = ("offset", "size", "stride")


def lists(op: Operation, ranks: tuple[int, int, int]) -> Lists:
    """The offsets, sizes and strides of an operation, of which there are as many as `ranks` says.

    Raises:
        VerifyException: there are others, or they are no others' parts.
    """
    found = cast("Lists", tuple(cast("Any", inherent(op, f"static_{name}s")).get_values() for name in _NAMES))
    counted = list(zip(_NAMES, found, segments(op)[-3:], strict=True))
    for name, values, given in (*counted[1:], counted[0]):
        wanted = values.count(DYNAMIC_INDEX)
        if given != wanted:
            raise PlainVerifyException(
                f"expected the number of '{name}s' to match the number of dynamic entries in 'static_{name}s' "
                f"({given} vs {wanted})"
            )
    offsets, sizes, strides = map(len, found)
    if not offsets == ranks[0] == 1 and offsets != sizes:
        _unlike("offsets", offsets, "sizes", sizes)
    if sizes != strides:
        _unlike("sizes", sizes, "strides", strides)
    for name, values, rank in zip(_NAMES, found, ranks, strict=True):
        if len(values) != rank:
            raise PlainVerifyException(f"expected {rank} {name} values, got {len(values)}")
    for name, values in (("sizes", found[1]), ("offsets", found[0])):
        negative = [number for number in values if number < 0 and number != DYNAMIC_INDEX]
        if negative:
            raise PlainVerifyException(f"expected {name} to be non-negative, but got {negative[0]}")
    return found


def _unlike(one: str, first: int, other: str, second: int) -> None:
    raise PlainVerifyException(
        f"expected mixed {one} rank to match mixed {other} rank ({first} vs {second}) so the rank of the result type "
        "is well-formed."
    )


def within(shape: Sequence[int], parts: Lists) -> None:
    """Refuse a part of static extents that leaves the whole.

    Raises:
        VerifyException: it does.
    """
    for dim, (extent, start, size, step) in enumerate(zip(shape, *parts, strict=True)):
        if extent == DYNAMIC_INDEX or start == DYNAMIC_INDEX:
            continue
        if start >= extent:
            raise PlainVerifyException(f"offset {dim} is out-of-bounds: {start} >= {extent}")
        last = start + (size - 1) * step
        if size and DYNAMIC_INDEX not in (size, step) and last >= extent:
            raise PlainVerifyException(f"slice along dimension {dim} runs out-of-bounds: {last} >= {extent}")


def kept(shape: Sequence[int], reduced: Sequence[int]) -> list[int] | None:
    """The dimensions of `shape` that make up `reduced` when others, of one element, are dropped."""
    found: list[int] = []
    for dim, extent in enumerate(shape):
        if len(found) < len(reduced) and reduced[len(found)] == extent:
            found.append(dim)
        elif extent != 1:
            return None
    return found if len(found) == len(reduced) else None


def verify_tensor_groups(op: Operation, collapsed: Sequence[int], expanded: Sequence[int]) -> None:
    """Check the groups of dimensions by which a tensor is collapsed or expanded.

    Raises:
        VerifyException: the shapes are not so related.
    """
    groups: list[list[int]] = [
        [index.value.data for index in group] for group in cast("Any", inherent(op, "reassociation"))
    ]
    if len(groups) != len(collapsed):
        raise VerifyException(
            f"expected collapsed rank ({len(collapsed)}) to equal the number of reassociation maps ({len(groups)})."
        )
    total = sum(map(len, groups))
    if groups and total != len(expanded):
        raise VerifyException(
            f"expected reassociation map #0 to have size equal to the expanded rank ({len(expanded)}), but it is  "
            f"{total}."
        )
    start = 0
    for place, group in enumerate(groups):
        if group != list(range(start, start + len(group))):
            raise VerifyException(f"expected reassociation map #{place} to be valid and contiguous.")
        start += len(group)
    for dim, (size, group) in enumerate(zip(collapsed, groups, strict=True)):
        extents = [expanded[inner] for inner in group]
        if DYNAMIC_INDEX in extents:
            if size != DYNAMIC_INDEX:
                raise VerifyException(
                    f"expected dimension {dim} of collapsed type to be dynamic since one or more of the corresponding "
                    "dimensions in the expanded type is dynamic"
                )
        elif size != prod(extents):
            raise VerifyException(f"expected dimension {dim} of collapsed type to be static value of {prod(extents)}")
