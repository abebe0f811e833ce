"""What MLIR demands in the name of `nvvm` beyond the definitions of its operations.

Attributes of kernels and of their arguments stand on functions of other dialects; the target of a module decides which
operations may be in it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, partial
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, DictionaryAttr, IntegerAttr, UnitAttr, i32
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.verification import PlainVerifyException
from weft.isa import Opcode, deferred

_KERNEL = "nvvm.kernel"
_GRID_CONSTANT = "nvvm.grid_constant"
_EXTENTS = ("nvvm.maxntid", "nvvm.reqntid", "nvvm.cluster_dim")
_NUMBERS = ("nvvm.minctasm", "nvvm.maxnreg", "nvvm.cluster_max_blocks")
_BLOCKS = "nvvm.blocksareclusters"


def verify(op: Operation) -> None:
    """Check everything that MLIR demands in the name of `nvvm` of an operation.

    Raises:
        VerifyException: something is not so.
    """
    if op.attributes:
        verify_attributes(op)
    verify_arguments(op)
    verify_target(op)


def verify_attributes(op: Operation) -> None:
    """Check the attributes `nvvm.*` of an operation.

    Raises:
        VerifyException: one has another form, stands on another operation, or lacks one that it goes with.
    """
    for name, value in sorted(op.attributes.items()):
        if name == _KERNEL and op.name != "llvm.func":
            raise PlainVerifyException(f"'{_KERNEL}' attribute attached to unexpected op")
        if name in _EXTENTS and not _is_extents(value):
            raise PlainVerifyException(f"'\"{name}\"' attribute must be integer array with maximum 3 index")
        if name in _NUMBERS and not isinstance(value, IntegerAttr):
            raise PlainVerifyException(f"'\"{name}\"' attribute must be integer constant")
        if name == _BLOCKS and not {"nvvm.reqntid", "nvvm.cluster_dim"} <= op.attributes.keys():
            message = f"'\"{name}\"' attribute must be used along with 'nvvm.reqntid' and 'nvvm.cluster_dim'"
            raise PlainVerifyException(message)


def _is_extents(value: Attribute) -> bool:
    if not isinstance(value, DenseArrayBase):
        return False
    array = cast("DenseArrayBase[Any]", value)
    return array.elt_type == i32 and 1 <= len(array) <= 3


def verify_arguments(op: Operation) -> None:
    """Check the attributes `nvvm.*` of a function's arguments.

    Raises:
        VerifyException: `nvvm.grid_constant` is on no kernel, has a value, or is on no argument passed by value.
    """
    arguments = op.properties.get("arg_attrs")
    if not isinstance(arguments, ArrayAttr):
        return
    for argument in cast("ArrayAttr[Attribute]", arguments).data:
        if isinstance(argument, DictionaryAttr) and _GRID_CONSTANT in argument.data:
            _verify_grid_constant(op, argument.data)


def _verify_grid_constant(op: Operation, argument: Mapping[str, Attribute]) -> None:
    name = f"'\"{_GRID_CONSTANT}\"'"
    if _KERNEL not in op.attributes:
        raise PlainVerifyException(f"{name} attribute must be present only on kernel arguments")
    if not isinstance(argument[_GRID_CONSTANT], UnitAttr):
        raise PlainVerifyException(f"{name} must be a unit attribute")
    if "llvm.byval" not in argument:
        raise PlainVerifyException(f"{name} attribute requires the argument to also have attribute 'llvm.byval'")


_TCGEN05 = deferred("tcgen05.fence::before_thread_sync")
_WGMMA = deferred("wgmma.fence")
_ROUNDED = deferred("cvt", rnd="rs", satfinite=True, type="e2m1x4", atype="f32")
_CLUSTER = deferred("barrier.cluster", action="wait")
_INSTRUCTIONS: dict[str, partial[Opcode]] = {
    **{f"nvvm.read.ptx.sreg.cluster.ctaid.{axis}": _CLUSTER for axis in "xyz"},
    "nvvm.read.ptx.sreg.aggr.smem.size": _CLUSTER,
    "nvvm.read.ptx.sreg.cluster.nctaid.x": _CLUSTER,
    "nvvm.read.ptx.sreg.cluster.nctaid.y": _CLUSTER,
    "nvvm.read.ptx.sreg.cluster.ctarank": _CLUSTER,
    "nvvm.read.ptx.sreg.clusterid.x": _CLUSTER,
    "nvvm.cluster.arrive.relaxed": _CLUSTER,
    "nvvm.cluster.wait": _CLUSTER,
    "nvvm.cp.async.bulk.tensor.shared.cluster.global": deferred("cp.async.bulk.wait_group"),
    "nvvm.cp.async.bulk.wait_group": deferred("cp.async.bulk.wait_group"),
    "nvvm.mapa": deferred("mapa", ss="shared::cluster", type="u32"),
    "nvvm.clusterlaunchcontrol.query.cancel": deferred(
        "clusterlaunchcontrol.query_cancel", query="is_canceled", type="pred", response="b128"
    ),
    "nvvm.clusterlaunchcontrol.try.cancel": deferred(
        "clusterlaunchcontrol.query_cancel", query="is_canceled", type="pred", response="b128"
    ),
    **{f"nvvm.convert.f32x4.to.f{bits}x4": _ROUNDED for bits in (4, 6, 8)},
    "nvvm.redux.sync": deferred("redux", op="add", type="s32"),
    **{f"nvvm.tcgen05.{name}": _TCGEN05 for name in ("alloc", "commit", "cp", "dealloc", "fence", "ld", "st", "wait")},
    "nvvm.tcgen05.relinquish_alloc_permit": _TCGEN05,
    "nvvm.tcgen05.shift": deferred("tcgen05.shift", cta_group="cta_group::1"),
    **{f"nvvm.tcgen05.mma{kind}": _TCGEN05 for kind in ("", ".sp", ".block_scale", ".sp.block_scale", ".ws", ".ws.sp")},
    **{f"nvvm.wgmma.{name}.aligned": _WGMMA for name in ("fence", "commit.group.sync", "wait.group.sync")},
}
"""The operations that MLIR 22 compares with their module's target, and the instructions that decide for them."""


@cache
def _targets(instruction: partial[Opcode]) -> frozenset[str]:
    return frozenset(name for window in instruction().variants[0].windows() for name in window.targets)


@cache
def _supported(name: str, chip: str) -> bool:
    """Whether an operation exists on a chip; a chip that is newer than the tables may have any."""
    from weft.isa.target import TARGETS

    number = re.match(r"sm_(\d+)", chip)
    newer = number is not None and int(number[1]) > max(target.number for target in TARGETS.values())
    return newer or chip in _targets(_INSTRUCTIONS[name])


def verify_target(op: Operation) -> None:
    """Refuse an operation that one of the targets of the module around it does not have.

    Raises:
        VerifyException: it does not exist there.
    """
    if op.name not in _INSTRUCTIONS:
        return
    module = op.parent_op()
    while module is not None and module.name != "gpu.module":
        module = module.parent_op()
    if module is None or module.properties.get("targets") is None:
        return
    for target in cast("ArrayAttr[Attribute]", module.properties["targets"]).data:
        if target.name == "nvvm.target":
            chip, checked = cast("Any", target).chip, cast("Any", target).verified
            if checked and not _supported(op.name, chip):
                raise VerifyException(f"is not supported on {chip}")
