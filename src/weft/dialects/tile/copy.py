"""Copies between buffers, at once or asynchronously."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import I32, I64, DenseArrayBase, IntegerAttr, StringAttr, i32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from weft.dialects.tile.memory import buffer_type
from weft.dialects.tile.types import GLOBAL, SHARED, BufferType

SCOPES = ("thread", "warp", "warpgroup", "cta")
"""Who copies together."""

Region = Sequence[tuple[int, int]]
"""Begin and end in each dimension."""


class AnyCopyOp(IRDLOperation, ABC):
    """What copies have in common: element i of one region goes to element i of the other.

    `scope` says whose threads copy together, all of which come to the copy.  Regions are begin and end of each
    dimension, all of the buffer where they are left out; without extents of 1, both have the same.  `bounds` has, for
    each dimension of the operand in global memory, how many elements of the region exist: others are read as zero, and
    not written; `bound_divisors` is what divides them (1 where it is left out).
    """

    dst = operand_def(BufferType)
    src = operand_def(BufferType)
    bounds = var_operand_def(i32)
    scope = prop_def(StringAttr)
    variant = opt_prop_def(StringAttr)
    cache = opt_prop_def(StringAttr)
    dst_region = opt_prop_def(DenseArrayBase.constr(i64))
    src_region = opt_prop_def(DenseArrayBase.constr(i64))
    bound_divisors = opt_prop_def(DenseArrayBase.constr(i64))
    note = opt_prop_def(StringAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$dst `,` $src (`bounds` `[` $bounds^ `]`)? attr-dict `:` type($dst) `,` type($src)"

    @classmethod
    def of(
        cls,
        dst: SSAValue,
        src: SSAValue,
        scope: str,
        *,
        variant: str | None = None,
        cache: str | None = None,
        dst_region: Region | None = None,
        src_region: Region | None = None,
        bounds: Sequence[SSAValue] = (),
        bound_divisors: Sequence[int] | None = None,
        note: str = "",
    ) -> Self:
        """A copy; `variant` is the only one tried where it is given, `note` is why it is no tensor copy."""
        properties: dict[str, Attribute] = {"scope": StringAttr(scope)}
        if variant is not None:
            properties["variant"] = StringAttr(variant)
        if cache is not None:
            properties["cache"] = StringAttr(cache)
        for name, region in (("dst_region", dst_region), ("src_region", src_region)):
            if region is not None:
                properties[name] = DenseArrayBase.from_list(i64, [edge for pair in region for edge in pair])
        if note:
            properties["note"] = StringAttr(note)
        if bound_divisors is not None:
            properties["bound_divisors"] = DenseArrayBase.from_list(i64, bound_divisors)
        return cls.create(operands=[dst, src, *bounds], properties=properties)

    @property
    def known_divisors(self) -> tuple[int, ...]:
        """What divides each bound."""
        return tuple(self.bound_divisors.get_values()) if self.bound_divisors is not None else (1,) * len(self.bounds)

    @property
    def boxes(self) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
        """The regions of destination and source."""
        return _region(self.dst_region, self.dst), _region(self.src_region, self.src)

    def verify_(self) -> None:
        """A scope that there is; regions in their buffers and of the same extents; bounds for global memory only."""
        if self.scope.data not in SCOPES:
            raise VerifyException(f"expected a scope of {', '.join(SCOPES)}, found '{self.scope.data}'")
        dst, src = buffer_type(self.dst), buffer_type(self.src)
        if dst.element != src.element:
            raise VerifyException(f"expected operands of one element type, found {dst.element} and {src.element}")
        extents: list[list[int]] = []
        for region, type in zip(self.boxes, (dst, src), strict=True):
            if len(region) != len(type.shape) or any(
                not 0 <= begin < end <= extent for (begin, end), extent in zip(region, type.shape, strict=False)
            ):
                raise VerifyException(f"expected a region of a buffer of shape {list(type.shape)}, found {region}")
            extents.append([end - begin for begin, end in region if end - begin > 1])
        if extents[0] != extents[1]:
            raise VerifyException(f"expected regions of the same extents, found {extents[0]} and {extents[1]}")
        if self.bounds:
            outside = [type for type in (dst, src) if type.space.data == GLOBAL]
            if len(outside) != 1:
                raise VerifyException("expected bounds of a copy with one operand in global memory")
            if len(self.bounds) != len(outside[0].shape):
                raise VerifyException(f"expected a bound for each of {len(outside[0].shape)} dimensions")
            if len(self.known_divisors) != len(self.bounds) or any(each < 0 for each in self.known_divisors):
                raise VerifyException(f"expected a divisor for each of {len(self.bounds)} bounds")


def _region(region: DenseArrayBase[I64] | None, buffer: SSAValue) -> tuple[tuple[int, int], ...]:
    if region is None:
        return tuple((0, extent) for extent in buffer_type(buffer).shape)
    edges = region.get_values()
    return tuple(zip(edges[::2], edges[1::2], strict=False))


@irdl_op_definition
class CopyOp(AnyCopyOp):
    """`tile.copy %dst, %src {scope = "warp"}`: when it is done, the threads that copied have copied."""

    name = "tile.copy"


@irdl_op_definition
class CopyAsyncOp(AnyCopyOp):
    """`tile.copy_async %dst, %src {scope = "cta"}`: global to shared memory by `cp.async`, done when waited for."""

    name = "tile.copy_async"

    def verify_(self) -> None:
        """From global to shared memory."""
        super().verify_()
        if (buffer_type(self.src).space.data, buffer_type(self.dst).space.data) != (GLOBAL, SHARED):
            raise VerifyException("expected an asynchronous copy from global to shared memory")


@irdl_op_definition
class AsyncCommitOp(IRDLOperation):
    """`tile.async_commit`: the asynchronous copies that a thread issued so far form a group."""

    name = "tile.async_commit"

    assembly_format = "attr-dict"


@irdl_op_definition
class AsyncWaitOp(IRDLOperation):
    """`tile.async_wait {groups = n}`: wait until at most n groups of the thread are in flight."""

    name = "tile.async_wait"

    groups = prop_def(IntegerAttr[I32], default_value=IntegerAttr(0, i32))

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict"

    @staticmethod
    def of(groups: int = 0) -> AsyncWaitOp:
        """Wait until at most `groups` groups are in flight."""
        return AsyncWaitOp.create(properties={"groups": IntegerAttr(groups, i32)})

    def verify_(self) -> None:
        """A number of groups."""
        if self.groups.value.data < 0:
            raise VerifyException("expected a number of groups, 0 or more")


@irdl_op_definition
class SyncOp(IRDLOperation):
    """`tile.sync {scope = "cta"}`: the threads of the scope wait for each other and see each other's writes."""

    name = "tile.sync"

    scope = prop_def(StringAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict"

    @staticmethod
    def of(scope: str) -> SyncOp:
        """A barrier of a warp, a warpgroup or the block."""
        return SyncOp.create(properties={"scope": StringAttr(scope)})

    def verify_(self) -> None:
        """A warp, a warpgroup or the block."""
        if self.scope.data not in SCOPES[1:]:
            raise VerifyException(f"expected a scope of {', '.join(SCOPES[1:])}, found '{self.scope.data}'")
