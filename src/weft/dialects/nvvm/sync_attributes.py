"""Attributes of synchronisation and warps of `nvvm`, one enum and one class each, spelled as in MLIR 22."""

from __future__ import annotations

from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import OpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.str_enum import StrEnum

from weft.dialects.formats import AngleBrackets, Keyword


class ShflKind(StrEnum):
    """How `shfl.sync` picks the source lane."""

    BFLY = "bfly"
    UP = "up"
    DOWN = "down"
    IDX = "idx"


@irdl_attr_definition
class ShflKindAttr(Keyword, EnumAttribute[ShflKind], OpaqueSyntaxAttribute):
    """`#nvvm<shfl_kind bfly>`."""

    name = "nvvm.shfl_kind"


class VoteSyncKind(StrEnum):
    """What `vote.sync` computes."""

    ANY = "any"
    ALL = "all"
    BALLOT = "ballot"
    UNI = "uni"


@irdl_attr_definition
class VoteSyncKindAttr(Keyword, EnumAttribute[VoteSyncKind], OpaqueSyntaxAttribute):
    """`#nvvm<vote_sync_kind any>`."""

    name = "nvvm.vote_sync_kind"


class MatchSyncKind(StrEnum):
    """What `match.sync` computes."""

    ANY = "any"
    ALL = "all"


@irdl_attr_definition
class MatchSyncKindAttr(Keyword, EnumAttribute[MatchSyncKind], OpaqueSyntaxAttribute):
    """`#nvvm<match_sync_kind any>`."""

    name = "nvvm.match_sync_kind"


class ReduxKind(StrEnum):
    """The combining operation of `redux.sync`."""

    ADD = "add"
    AND = "and"
    MAX = "max"
    MIN = "min"
    OR = "or"
    UMAX = "umax"
    UMIN = "umin"
    XOR = "xor"
    FMIN = "fmin"
    FMAX = "fmax"


@irdl_attr_definition
class ReduxKindAttr(Keyword, EnumAttribute[ReduxKind], OpaqueSyntaxAttribute):
    """`#nvvm<redux_kind add>`."""

    name = "nvvm.redux_kind"


class MemScopeKind(StrEnum):
    """The set of threads that a memory operation is ordered for."""

    CTA = "cta"
    CLUSTER = "cluster"
    GPU = "gpu"
    SYS = "sys"


@irdl_attr_definition
class MemScopeKindAttr(AngleBrackets, EnumAttribute[MemScopeKind]):
    """`#nvvm.mem_scope<cta>`."""

    name = "nvvm.mem_scope"


class SharedSpace(StrEnum):
    """A shared-memory window."""

    CTA = "cta"
    CLUSTER = "cluster"


@irdl_attr_definition
class SharedSpaceAttr(AngleBrackets, EnumAttribute[SharedSpace]):
    """`#nvvm.shared_space<cta>`."""

    name = "nvvm.shared_space"


class ProxyKind(StrEnum):
    """The proxies of `fence.proxy`."""

    ALIAS = "alias"
    ASYNC = "async"
    ASYNC_GLOBAL = "async.global"
    ASYNC_SHARED = "async.shared"
    TENSORMAP = "tensormap"
    GENERIC = "generic"


@irdl_attr_definition
class ProxyKindAttr(AngleBrackets, EnumAttribute[ProxyKind]):
    """`#nvvm.proxy_kind<alias>`."""

    name = "nvvm.proxy_kind"


class BarrierReduction(StrEnum):
    """The reduction of `barrier.red`."""

    POPC = "popc"
    AND = "and"
    OR = "or"


@irdl_attr_definition
class BarrierReductionAttr(AngleBrackets, EnumAttribute[BarrierReduction]):
    """`#nvvm.reduction<popc>`."""

    name = "nvvm.reduction"


class SetMaxRegisterAction(StrEnum):
    """What `setmaxnreg` does."""

    DECREASE = "decrease"
    INCREASE = "increase"


@irdl_attr_definition
class SetMaxRegisterActionAttr(Keyword, EnumAttribute[SetMaxRegisterAction], OpaqueSyntaxAttribute):
    """`#nvvm<action increase>`."""

    name = "nvvm.action"


class GridDepActionKind(StrEnum):
    """What `griddepcontrol` does."""

    WAIT = "wait"
    LAUNCH_DEPENDENTS = "launch_dependents"


@irdl_attr_definition
class GridDepActionAttr(Keyword, EnumAttribute[GridDepActionKind], OpaqueSyntaxAttribute):
    """`#nvvm<grid_dep_action wait>`."""

    name = "nvvm.grid_dep_action"


class MemOrderKind(StrEnum):
    """Memory orders of fences."""

    WEAK = "weak"
    RELAXED = "relaxed"
    ACQUIRE = "acquire"
    RELEASE = "release"
    ACQ_REL = "acq_rel"
    SC = "sc"
    MMIO = "mmio"
    VOLATILE = "volatile"


@irdl_attr_definition
class MemOrderKindAttr(AngleBrackets, EnumAttribute[MemOrderKind]):
    """`#nvvm.mem_order<acquire>`."""

    name = "nvvm.mem_order"


class ClusterLaunchControlQueryType(StrEnum):
    """What `clusterlaunchcontrol.query.cancel` reads."""

    IS_CANCELED = "is_canceled"
    GET_FIRST_CTA_ID_X = "get_first_cta_id_x"
    GET_FIRST_CTA_ID_Y = "get_first_cta_id_y"
    GET_FIRST_CTA_ID_Z = "get_first_cta_id_z"


@irdl_attr_definition
class ClusterLaunchControlQueryTypeAttr(Keyword, EnumAttribute[ClusterLaunchControlQueryType], OpaqueSyntaxAttribute):
    """`#nvvm<cluster_launch_control_query_type is_canceled>`."""

    name = "nvvm.cluster_launch_control_query_type"
