"""Attributes of `nvvm.tcgen05`: one enum and one attribute class each, spelled as in MLIR 22."""

from __future__ import annotations

from xdsl.dialects.utils import EnumAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.str_enum import StrEnum

from weft.dialects.formats import AngleBrackets


class CTAGroupKind(StrEnum):
    """How many blocks of a cluster take part."""

    CTA_1 = "cta_1"
    CTA_2 = "cta_2"


@irdl_attr_definition
class CTAGroupKindAttr(AngleBrackets, EnumAttribute[CTAGroupKind]):
    """`#nvvm.cta_group<cta_1>`."""

    name = "nvvm.cta_group"


class Tcgen05FenceKind(StrEnum):
    """On which side of a thread synchronisation the fence stands."""

    BEFORE = "before"
    AFTER = "after"


@irdl_attr_definition
class Tcgen05FenceKindAttr(AngleBrackets, EnumAttribute[Tcgen05FenceKind]):
    """`#nvvm.tcgen05_fence<before>`."""

    name = "nvvm.tcgen05_fence"


class Tcgen05WaitKind(StrEnum):
    """Which accesses of tensor memory are waited for."""

    LOAD = "load"
    STORE = "store"


@irdl_attr_definition
class Tcgen05WaitKindAttr(AngleBrackets, EnumAttribute[Tcgen05WaitKind]):
    """`#nvvm.tcgen05_wait<load>`."""

    name = "nvvm.tcgen05_wait"


class Tcgen05CpShape(StrEnum):
    """Shapes of `tcgen05.cp`: lanes by bits."""

    SHAPE_128X256B = "shape_128x256b"
    SHAPE_4X256B = "shape_4x256b"
    SHAPE_128X128B = "shape_128x128b"
    SHAPE_64X128B = "shape_64x128b"
    SHAPE_32X128B = "shape_32x128b"


@irdl_attr_definition
class Tcgen05CpShapeAttr(AngleBrackets, EnumAttribute[Tcgen05CpShape]):
    """`#nvvm.tcgen05_cp_shape<shape_128x256b>`."""

    name = "nvvm.tcgen05_cp_shape"


class Tcgen05CpMulticast(StrEnum):
    """Which warps' lanes get copies."""

    NONE = "none"
    WARPX2_02_13 = "warpx2_02_13"
    WARPX2_01_23 = "warpx2_01_23"
    WARPX4 = "warpx4"


@irdl_attr_definition
class Tcgen05CpMulticastAttr(AngleBrackets, EnumAttribute[Tcgen05CpMulticast]):
    """`#nvvm.tcgen05_cp_multicast<none>`."""

    name = "nvvm.tcgen05_cp_multicast"


class Tcgen05CpSrcFormat(StrEnum):
    """Packed source formats of `tcgen05.cp`, unpacked to bytes."""

    B6X16_P32 = "b6x16_p32"
    B4X16_P64 = "b4x16_p64"


@irdl_attr_definition
class Tcgen05CpSrcFormatAttr(AngleBrackets, EnumAttribute[Tcgen05CpSrcFormat]):
    """`#nvvm.tcgen05_cp_src_fmt<b6x16_p32>`."""

    name = "nvvm.tcgen05_cp_src_fmt"


class Tcgen05LdStShape(StrEnum):
    """Shapes of `tcgen05.ld` and `tcgen05.st`: lanes by bits."""

    SHAPE_16X64B = "shape_16x64b"
    SHAPE_16X128B = "shape_16x128b"
    SHAPE_16X256B = "shape_16x256b"
    SHAPE_32X32B = "shape_32x32b"
    SHAPE_16X32BX2 = "shape_16x32bx2"


@irdl_attr_definition
class Tcgen05LdStShapeAttr(AngleBrackets, EnumAttribute[Tcgen05LdStShape]):
    """`#nvvm.tcgen05_ldst_shape<shape_16x64b>`."""

    name = "nvvm.tcgen05_ldst_shape"


class Tcgen05MMAKind(StrEnum):
    """Element types of `tcgen05.mma`."""

    F8F6F4 = "f8f6f4"
    I8 = "i8"
    F16 = "f16"
    TF32 = "tf32"


@irdl_attr_definition
class Tcgen05MMAKindAttr(AngleBrackets, EnumAttribute[Tcgen05MMAKind]):
    """`#nvvm.tcgen05_mma_kind<f8f6f4>`."""

    name = "nvvm.tcgen05_mma_kind"


class Tcgen05MMACollectorOp(StrEnum):
    """What happens to the collector buffer."""

    DISCARD = "discard"
    LASTUSE = "lastuse"
    FILL = "fill"
    USE = "use"


@irdl_attr_definition
class Tcgen05MMACollectorOpAttr(AngleBrackets, EnumAttribute[Tcgen05MMACollectorOp]):
    """`#nvvm.tcgen05_mma_collectorop<discard>`."""

    name = "nvvm.tcgen05_mma_collectorop"


class Tcgen05MMACollectorBBuffer(StrEnum):
    """The collector buffer of matrix B."""

    B0 = "b0"
    B1 = "b1"
    B2 = "b2"
    B3 = "b3"


@irdl_attr_definition
class Tcgen05MMACollectorBBufferAttr(AngleBrackets, EnumAttribute[Tcgen05MMACollectorBBuffer]):
    """`#nvvm.tcgen05_mma_collectorb<b0>`."""

    name = "nvvm.tcgen05_mma_collectorb"


class Tcgen05MMABlockScale(StrEnum):
    """How many elements share a scale."""

    DEFAULT = "default"
    BLOCK16 = "block16"
    BLOCK32 = "block32"


@irdl_attr_definition
class Tcgen05MMABlockScaleAttr(AngleBrackets, EnumAttribute[Tcgen05MMABlockScale]):
    """`#nvvm.tcgen05_mma_block_scale<default>`."""

    name = "nvvm.tcgen05_mma_block_scale"


class MMABlockScaleKind(StrEnum):
    """Formats of products with block scales."""

    MXF8F6F4 = "mxf8f6f4"
    MXF4 = "mxf4"
    MXF4NVF4 = "mxf4nvf4"


@irdl_attr_definition
class MMABlockScaleKindAttr(AngleBrackets, EnumAttribute[MMABlockScaleKind]):
    """`#nvvm.block_scale_kind<mxf8f6f4>`."""

    name = "nvvm.block_scale_kind"
