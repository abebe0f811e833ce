"""Attributes of `gpu` that xDSL lacks: address spaces and shuffle modes."""

from __future__ import annotations

from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import OpaqueSyntaxAttribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.str_enum import StrEnum

from weft.dialects.formats import AngleBrackets, Keyword


class AddressSpace(StrEnum):
    """Where a memref lives: the grid's memory, the block's shared memory, or one thread's own memory."""

    GLOBAL = "global"
    WORKGROUP = "workgroup"
    PRIVATE = "private"


class ShuffleMode(StrEnum):
    """How `gpu.shuffle` picks the source lane."""

    XOR = "xor"
    UP = "up"
    DOWN = "down"
    IDX = "idx"


class BroadcastType(StrEnum):
    """Which lane `gpu.subgroup_broadcast` reads."""

    FIRST_ACTIVE_LANE = "first_active_lane"
    SPECIFIC_LANE = "specific_lane"


class AllReduceOperation(StrEnum):
    """Combining operation of `gpu.all_reduce` and `gpu.subgroup_reduce`."""

    ADD = "add"
    MUL = "mul"
    MINUI = "minui"
    MINSI = "minsi"
    MINNUMF = "minnumf"
    MAXUI = "maxui"
    MAXSI = "maxsi"
    MAXNUMF = "maxnumf"
    AND = "and"
    OR = "or"
    XOR = "xor"
    MINIMUMF = "minimumf"
    MAXIMUMF = "maximumf"


@irdl_attr_definition
class AddressSpaceAttr(AngleBrackets, EnumAttribute[AddressSpace]):
    """`#gpu.address_space<workgroup>`."""

    name = "gpu.address_space"


@irdl_attr_definition
class ShuffleModeAttr(Keyword, EnumAttribute[ShuffleMode], OpaqueSyntaxAttribute):
    """`#gpu<shuffle_mode xor>`."""

    name = "gpu.shuffle_mode"


@irdl_attr_definition
class BroadcastTypeAttr(Keyword, EnumAttribute[BroadcastType], OpaqueSyntaxAttribute):
    """`#gpu<broadcast first_active_lane>`."""

    name = "gpu.broadcast"


@irdl_attr_definition
class AllReduceOperationAttr(Keyword, EnumAttribute[AllReduceOperation], OpaqueSyntaxAttribute):
    """`#gpu<all_reduce_op add>`."""

    name = "gpu.all_reduce_op"


class Dimension(StrEnum):
    """An axis of the launch grid."""

    X = "x"
    Y = "y"
    Z = "z"


@irdl_attr_definition
class DimensionAttr(Keyword, EnumAttribute[Dimension], OpaqueSyntaxAttribute):
    """`#gpu<dim x>`."""

    name = "gpu.dim"


@irdl_attr_definition
class AsyncTokenType(ParametrizedAttribute, TypeAttribute):
    """`!gpu.async.token`: orders asynchronous host operations."""

    name = "gpu.async.token"
