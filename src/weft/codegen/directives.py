"""Performance and cluster directives of a kernel, from the attributes of its function."""

from __future__ import annotations

from typing import Any

from weft.mlir import compile_error
from weft.ptx.ast import Directive


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


def kernel_directives(op: Any) -> list[Directive]:
    """The directives in their canonical order; conflicts are refused."""
    block = find(op, "nvvm.reqntid", "known_block_size", "gpu.known_block_size")
    most = find(op, "nvvm.maxntid")
    cluster = find(op, "nvvm.cluster_dim", "known_cluster_size")
    rank = find(op, "nvvm.cluster_max_blocks")
    are_clusters = find(op, "nvvm.blocksareclusters", "nvvm.blocks_are_clusters")
    if cluster is not None and rank is not None:
        raise compile_error(op, "nvvm.cluster_dim and nvvm.cluster_max_blocks exclude each other")
    if are_clusters is not None and (block is None or cluster is None):
        raise compile_error(op, "blocksareclusters needs both nvvm.reqntid and nvvm.cluster_dim")
    out: list[Directive] = []

    def add(name: str, attribute: Any) -> None:
        if attribute is not None:
            out.append(Directive(name, ", ".join(map(str, _numbers(attribute)))))

    if block is not None:
        # .reqntid says more than .maxntid, and ptxas refuses both together.
        out.append(Directive("reqntid", ", ".join(map(str, dimensions(block) or ()))))
    else:
        add("maxntid", most)
    add("minnctapersm", find(op, "nvvm.minctasm"))
    add("maxnreg", find(op, "nvvm.maxnreg"))
    add("maxclusterrank", rank)
    if cluster is not None:
        out.append(Directive("reqnctapercluster", ", ".join(map(str, dimensions(cluster) or ()))))
        out.append(Directive("explicitcluster"))
    if are_clusters is not None:
        out.append(Directive("blocksareclusters"))
    return out
