"""Tensor memory accelerator (`cp.async.bulk.tensor`), sm_90 and up."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, MemRefType, UnrankedMemRefType, i1, i16, i64
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    var_operand_def,
)

from weft.dialects import narrow
from weft.dialects.engine.attributes import attr_class
from weft.dialects.formats import BareType
from weft.dialects.nvgpu import verify
from weft.dialects.nvgpu.types import MBarrierGroupType, TensorMapDescriptorType


@irdl_op_definition
class TmaFenceOp(IRDLOperation):
    """`nvgpu.tma.fence.descriptor`: make a descriptor written in global memory visible to TMA."""

    name = "nvgpu.tma.fence.descriptor"

    tensor_map_descriptor = operand_def(TensorMapDescriptorType)

    custom_directives = (BareType,)
    assembly_format = "$tensor_map_descriptor attr-dict `:` custom<BareType>(type($tensor_map_descriptor))"


@irdl_op_definition
class TmaPrefetchOp(IRDLOperation):
    """`nvgpu.tma.prefetch.descriptor`: bring the descriptor into the cache."""

    name = "nvgpu.tma.prefetch.descriptor"

    tensor_map_descriptor = operand_def(TensorMapDescriptorType)
    predicate = opt_operand_def(i1)

    custom_directives = (BareType,)
    assembly_format = (
        "$tensor_map_descriptor (`,` `predicate` `=` $predicate^)? attr-dict `:` "
        "custom<BareType>(type($tensor_map_descriptor))"
    )


@irdl_op_definition
class TmaAsyncLoadOp(IRDLOperation):
    """`nvgpu.tma.async.load`: copy the box at `coordinates` into `dst` in shared memory.

    `barriers[mbar_id]` counts the bytes. Coordinates are in elements, innermost first; `multicast_mask` has one bit
    for each CTA of the cluster.
    """

    name = "nvgpu.tma.async.load"

    dst = operand_def(MemRefType)
    barriers = operand_def(MBarrierGroupType)
    tensor_map_descriptor = operand_def(TensorMapDescriptorType)
    coordinates = var_operand_def(IndexType())
    mbar_id = operand_def(IndexType())
    multicast_mask = opt_operand_def(i16)
    predicate = opt_operand_def(i1)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (BareType,)
    assembly_format = (
        "$tensor_map_descriptor `[` $coordinates `]` `,` $barriers `[` $mbar_id `]` `to` $dst "
        "(`multicast_mask` `=` $multicast_mask^)? (`,` `predicate` `=` $predicate^)? attr-dict `:` "
        "custom<BareType>(type($tensor_map_descriptor)) `,` custom<BareType>(type($barriers)) `->` type($dst)"
    )

    def verify_(self) -> None:
        """The descriptor's box must be the destination."""
        descriptor = self.tensor_map_descriptor.type
        assert isinstance(descriptor, TensorMapDescriptorType)
        verify.tensor_map(descriptor, narrow.memref(self.dst.type))
        verify.tma_coordinates(descriptor, len(self.coordinates))


@irdl_op_definition
class TmaAsyncStoreOp(IRDLOperation):
    """`nvgpu.tma.async.store`: copy `src` in shared memory to the box at `coordinates`."""

    name = "nvgpu.tma.async.store"

    src = operand_def(MemRefType)
    tensor_map_descriptor = operand_def(TensorMapDescriptorType)
    coordinates = var_operand_def(IndexType())
    predicate = opt_operand_def(i1)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (BareType,)
    assembly_format = (
        "$src `to` $tensor_map_descriptor `[` $coordinates `]` (`,` `predicate` `=` $predicate^)? attr-dict `:` "
        "type($src) `->` custom<BareType>(type($tensor_map_descriptor))"
    )

    def verify_(self) -> None:
        """The descriptor's box must be the source."""
        descriptor = self.tensor_map_descriptor.type
        assert isinstance(descriptor, TensorMapDescriptorType)
        verify.tensor_map(descriptor, narrow.memref(self.src.type))
        verify.tma_coordinates(descriptor, len(self.coordinates))


@irdl_op_definition
class TmaAsyncReduceOp(IRDLOperation):
    """`nvgpu.tma.async.reduce`: combine a box in shared memory with the tensor's, element by element (`redop`).

    MLIR 22 lacks it; its format is that of `nvgpu.tma.async.store`, with the operation in the dictionary.
    """

    name = "nvgpu.tma.async.reduce"

    src = operand_def(MemRefType)
    tensor_map_descriptor = operand_def(TensorMapDescriptorType)
    coordinates = var_operand_def(IndexType())
    l2_cache_hint = opt_operand_def(i64)
    redop = prop_def(attr_class("nvvm.tma_redux_kind"))

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    custom_directives = (BareType,)
    assembly_format = (
        "$src `to` $tensor_map_descriptor `[` $coordinates `]` (`l2_cache_hint` `=` $l2_cache_hint^)? attr-dict "
        "`:` type($src) `->` custom<BareType>(type($tensor_map_descriptor))"
    )

    def verify_(self) -> None:
        """The source must be the box of the descriptor, with one coordinate for each dimension."""
        descriptor = self.tensor_map_descriptor.type
        assert isinstance(descriptor, TensorMapDescriptorType)
        verify.tensor_map(descriptor, narrow.memref(self.src.type))
        verify.tma_coordinates(descriptor, len(self.coordinates))


@irdl_op_definition
class TmaCreateDescriptorOp(IRDLOperation):
    """`nvgpu.tma.create.descriptor`: encode a descriptor for `tensor`; runs on the host."""

    name = "nvgpu.tma.create.descriptor"

    tensor = operand_def(UnrankedMemRefType)
    box_dimensions = var_operand_def(IndexType())
    tensor_map = result_def(TensorMapDescriptorType)

    custom_directives = (BareType,)
    assembly_format = (
        "$tensor `box` `[` $box_dimensions `]` attr-dict `:` type($tensor) `->` custom<BareType>(type($tensor_map))"
    )

    def verify_(self) -> None:
        """At most five dimensions, and a box that TMA can copy."""
        descriptor = self.tensor_map.type
        assert isinstance(descriptor, TensorMapDescriptorType)
        verify.tma_box(len(self.box_dimensions))
        verify.tensor_map(descriptor, None)
