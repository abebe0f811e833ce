"""Performance and cluster directives of a kernel, from the attributes of its function."""

from __future__ import annotations

from typing import Any

from weft.ptx.emit import KernelLimits


def _numbers(attribute: Any) -> tuple[int, ...]:
    if hasattr(attribute, "get_values"):
        return tuple(attribute.get_values())
    if hasattr(attribute, "value"):
        return (attribute.value.data,)
    return tuple(entry.value.data for entry in attribute.data)


def dimensions(attribute: Any) -> tuple[int, int, int] | None:
    """Three extents of an array attribute; missing ones are 1."""
    if attribute is None:
        return None
    x, y, z, *_ = (*_numbers(attribute), 1, 1)
    return (x, y, z)


def find(op: Any, *names: str) -> Any:
    """The first of these attributes or properties that the operation has."""
    for name in names:
        found = op.attributes.get(name) or op.properties.get(name)
        if found is not None:
            return found
    return None


def limits(op: Any) -> KernelLimits:
    """What the kernel's attributes demand of its launch.

    `.reqntid` says more than `.maxntid`, and ptxas refuses both together, so the latter is then left out.
    """
    block = _extents(op, "nvvm.reqntid", "known_block_size", "gpu.known_block_size")
    cluster = _extents(op, "nvvm.cluster_dim", "known_cluster_size")
    return KernelLimits(
        reqntid=block,
        maxntid=() if block else _extents(op, "nvvm.maxntid"),
        minnctapersm=_number(op, "nvvm.minctasm"),
        maxnreg=_number(op, "nvvm.maxnreg"),
        explicitcluster=bool(cluster) or find(op, "nvvm.explicit_cluster") is not None,
        reqnctapercluster=cluster,
        blocksareclusters=find(op, "nvvm.blocksareclusters", "nvvm.blocks_are_clusters") is not None,
        maxclusterrank=_number(op, "nvvm.cluster_max_blocks"),
    )


def _extents(op: Any, *names: str) -> tuple[int, ...]:
    found = find(op, *names)
    return _numbers(found) if found is not None else ()


def _number(op: Any, name: str) -> int:
    found = find(op, name)
    return _numbers(found)[0] if found is not None else 0
