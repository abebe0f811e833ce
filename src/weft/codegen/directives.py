"""What the attributes of a function say: whether it is a kernel, and its performance and cluster directives."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, cast

from xdsl.ir import Operation

from weft.errors import CompileError
from weft.ptx.emit import KernelLimits

if TYPE_CHECKING:
    from xdsl.dialects.llvm import CallingConventionAttr

FUNCTIONS = ("gpu.func", "func.func", "llvm.func")
KERNEL_CONVENTION = "ptx_kernelcc"


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


def is_kernel(op: Operation) -> bool:
    """Whether a function is a kernel: by its kind, an attribute, or its calling convention."""
    if op.name == "gpu.func":
        return "gpu.kernel" in op.attributes
    convention = op.properties.get("CConv")
    held = None if convention is None else cast("CallingConventionAttr", convention).convention.data
    return held == KERNEL_CONVENTION or find(op, "nvvm.kernel") is not None


def find(op: Operation, *names: str) -> Any:
    """The first of these attributes or properties that the operation has."""
    for name in names:
        found = op.attributes.get(name) or op.properties.get(name)
        if found is not None:
            return found
    return None


def passed_through(op: Operation) -> dict[str, str]:
    """The attributes of LLVM's function that `passthrough` lists, as clang's come in: names with their texts."""
    found: dict[str, str] = {}
    for entry in getattr(find(op, "passthrough"), "data", ()):
        if hasattr(entry, "data") and isinstance(entry.data, str):
            found[entry.data] = ""
        else:
            name, value = entry.data
            found[name.data] = value.data
    return found


def never_returns(op: Operation) -> bool:
    """Whether a function without results is known never to return."""
    return "noreturn" in passed_through(op)


def limits(op: Operation) -> KernelLimits:
    """What the kernel's attributes demand of its launch.

    `known_block_size` and `known_cluster_size` are exact, so they become `.reqntid` and `.reqnctapercluster`; an upper
    bound that they keep says nothing more and is left out. Raises CompileError where attributes contradict each other.
    """
    given = passed_through(op)
    block = _agreed("block size", _extents(op, given, "nvvm.reqntid"), _known(op, "block_size"))
    cluster = _agreed("cluster size", _extents(op, given, "nvvm.cluster_dim"), _known(op, "cluster_size"))
    most = _extents(op, given, "nvvm.maxntid")
    if most and block and not _extents(op, given, "nvvm.reqntid"):
        if prod(block) > prod(most):
            raise CompileError(f"nvvm.maxntid {_shown(most)} is less than the known block size {_shown(block)}")
        most = ()
    return KernelLimits(
        reqntid=block,
        maxntid=most,
        minnctapersm=_number(op, given, "nvvm.minctasm"),
        maxnreg=_number(op, given, "nvvm.maxnreg"),
        explicitcluster=bool(cluster) or find(op, "nvvm.explicit_cluster") is not None,
        reqnctapercluster=cluster,
        blocksareclusters="nvvm.blocksareclusters" in given
        or find(op, "nvvm.blocksareclusters", "nvvm.blocks_are_clusters") is not None,
        maxclusterrank=_number(op, given, "nvvm.cluster_max_blocks") or _number(op, given, "nvvm.maxclusterrank"),
    )


def _agreed(what: str, required: tuple[int, ...], known: tuple[int, ...]) -> tuple[int, ...]:
    """What is required, or known, of a size; raises CompileError when the two differ."""
    if required and known and (*required, 1, 1)[:3] != (*known, 1, 1)[:3]:
        raise CompileError(f"the required {what} {_shown(required)} contradicts the known {what} {_shown(known)}")
    return required or known


def _shown(extents: tuple[int, ...]) -> str:
    return " x ".join(map(str, extents))


def _known(op: Operation, name: str) -> tuple[int, ...]:
    found = find(op, f"known_{name}", f"gpu.known_{name}")
    return _numbers(found) if found is not None else ()


def _extents(op: Operation, passed: dict[str, str], name: str) -> tuple[int, ...]:
    found = find(op, name)
    if found is not None:
        return _numbers(found)
    return _texts(name, passed[name]) if name in passed else ()


def _number(op: Operation, passed: dict[str, str], name: str) -> int:
    found = find(op, name)
    if found is not None:
        return _numbers(found)[0]
    return _texts(name, passed[name])[0] if name in passed else 0


def _texts(name: str, text: str) -> tuple[int, ...]:
    """The numbers of an attribute that is text: `128,1,1`."""
    words = [word.strip() for word in text.split(",")]
    if not all(word.isdecimal() for word in words):
        raise CompileError(f"'{name}' takes numbers, not '{text}'")
    return tuple(map(int, words))
