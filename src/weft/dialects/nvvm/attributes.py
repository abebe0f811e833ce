"""Attributes of `nvvm`: one enum and one attribute class each, spelled as in MLIR 22."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, ParametrizedAttribute, SpacedOpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from weft.dialects.formats import AngleBrackets


def _parse_sizes(parser: AttrParser, names: Sequence[str]) -> list[IntAttr]:
    """Parse `<m = 16, n = 8, k = 16>`."""
    sizes: list[IntAttr] = []
    with parser.in_angle_brackets():
        for index, name in enumerate(names):
            if index:
                parser.parse_punctuation(",")
            parser.parse_keyword(name)
            parser.parse_punctuation("=")
            sizes.append(IntAttr(parser.parse_integer(allow_boolean=False)))
    return sizes


@irdl_attr_definition
class ShapeAttr(ParametrizedAttribute):
    """`#nvvm.shape<m = 16, n = 8, k = 16>`: the shape of a matrix product."""

    name = "nvvm.shape"

    m: IntAttr
    n: IntAttr
    k: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse the parameters, or the whole attribute where a format lets them stand alone."""
        if parser.lexer.input.content.startswith("#", parser.pos):
            attribute = parser.parse_attribute()
            if not isinstance(attribute, ShapeAttr):
                parser.raise_error("expected a #nvvm.shape attribute")
            return attribute.parameters
        return _parse_sizes(parser, ("m", "n", "k"))

    def print_parameters(self, printer: Printer) -> None:
        """Print `<m = 16, n = 8, k = 16>`."""
        printer.print_string(f"<m = {self.m.data}, n = {self.n.data}, k = {self.k.data}>")

    @property
    def sizes(self) -> tuple[int, int, int]:
        """(m, n, k)."""
        return self.m.data, self.n.data, self.k.data

    @classmethod
    def of(cls, m: int, n: int, k: int) -> ShapeAttr:
        """The attribute of a shape."""
        return cls(IntAttr(m), IntAttr(n), IntAttr(k))


@irdl_attr_definition
class LdStMatrixShapeAttr(ParametrizedAttribute):
    """`#nvvm.ld_st_matrix_shape<m = 8, n = 8>`: the shape of one tile of `ldmatrix` or `stmatrix`."""

    name = "nvvm.ld_st_matrix_shape"

    m: IntAttr
    n: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<m = 8, n = 8>`."""
        return _parse_sizes(parser, ("m", "n"))

    def print_parameters(self, printer: Printer) -> None:
        """Print `<m = 8, n = 8>`."""
        printer.print_string(f"<m = {self.m.data}, n = {self.n.data}>")

    @classmethod
    def of(cls, m: int, n: int) -> LdStMatrixShapeAttr:
        """The attribute of a shape."""
        return cls(IntAttr(m), IntAttr(n))


class MMAType(StrEnum):
    """Element types of `mma` operands."""

    F16 = "f16"
    F32 = "f32"
    TF32 = "tf32"
    U8 = "u8"
    S8 = "s8"
    S32 = "s32"
    B1 = "b1"
    U4 = "u4"
    S4 = "s4"
    BF16 = "bf16"
    F64 = "f64"
    E4M3 = "e4m3"
    E5M2 = "e5m2"
    E3M2 = "e3m2"
    E2M3 = "e2m3"
    E2M1 = "e2m1"


@irdl_attr_definition
class MMATypeAttr(AngleBrackets, EnumAttribute[MMAType]):
    """`#nvvm.mma_type<f16>`."""

    name = "nvvm.mma_type"


class MMALayout(StrEnum):
    """Row- or column-major order of a matrix operand."""

    ROW = "row"
    COL = "col"


@irdl_attr_definition
class MMALayoutAttr(AngleBrackets, EnumAttribute[MMALayout]):
    """`#nvvm.mma_layout<row>`."""

    name = "nvvm.mma_layout"


class MMAFrag(StrEnum):
    """Which operand a `wmma` fragment is."""

    A = "a"
    B = "b"
    C = "c"


@irdl_attr_definition
class MMAFragAttr(AngleBrackets, EnumAttribute[MMAFrag]):
    """`#nvvm.mma_frag<a>`."""

    name = "nvvm.mma_frag"


class MMAB1Op(StrEnum):
    """The bit operation of a single-bit `mma`."""

    NONE = "none"
    XOR_POPC = "xor_popc"
    AND_POPC = "and_popc"


@irdl_attr_definition
class MMAB1OpAttr(AngleBrackets, EnumAttribute[MMAB1Op]):
    """`#nvvm.mma_b1op<none>`."""

    name = "nvvm.mma_b1op"


class MMAIntOverflow(StrEnum):
    """What an integer accumulator does on overflow."""

    SATFINITE = "satfinite"
    WRAPPED = "wrapped"


@irdl_attr_definition
class MMAIntOverflowAttr(AngleBrackets, EnumAttribute[MMAIntOverflow]):
    """`#nvvm.mma_int_overflow<satfinite>`."""

    name = "nvvm.mma_int_overflow"


class MMAKind(StrEnum):
    """The kind of a product of narrow floating-point types."""

    F8F6F4 = "f8f6f4"


@irdl_attr_definition
class MMAKindAttr(AngleBrackets, EnumAttribute[MMAKind]):
    """`#nvvm.mma_kind<f8f6f4>`."""

    name = "nvvm.mma_kind"


class LdStMatrixEltType(StrEnum):
    """Element types of `ldmatrix` and `stmatrix`."""

    B16 = "b16"
    B8 = "b8"
    B8X16_B6X16_P32 = "b8x16.b6x16_p32"
    B8X16_B4X16_P64 = "b8x16.b4x16_p64"


@irdl_attr_definition
class LdStMatrixEltTypeAttr(AngleBrackets, EnumAttribute[LdStMatrixEltType]):
    """`#nvvm.ld_st_matrix_elt_type<b16>`."""

    name = "nvvm.ld_st_matrix_elt_type"


class LoadCacheModifier(StrEnum):
    """Cache operators of loads."""

    CA = "ca"
    CG = "cg"
    CS = "cs"
    LU = "lu"
    CV = "cv"


@irdl_attr_definition
class LoadCacheModifierAttr(EnumAttribute[LoadCacheModifier], SpacedOpaqueSyntaxAttribute):
    """`#nvvm<load_cache_modifier ca>`."""

    name = "nvvm.load_cache_modifier"


class ShflKind(StrEnum):
    """How `shfl.sync` picks the source lane."""

    BFLY = "bfly"
    UP = "up"
    DOWN = "down"
    IDX = "idx"


@irdl_attr_definition
class ShflKindAttr(EnumAttribute[ShflKind], SpacedOpaqueSyntaxAttribute):
    """`#nvvm<shfl_kind bfly>`."""

    name = "nvvm.shfl_kind"


class VoteSyncKind(StrEnum):
    """What `vote.sync` computes."""

    ANY = "any"
    ALL = "all"
    BALLOT = "ballot"
    UNI = "uni"


@irdl_attr_definition
class VoteSyncKindAttr(EnumAttribute[VoteSyncKind], SpacedOpaqueSyntaxAttribute):
    """`#nvvm<vote_sync_kind any>`."""

    name = "nvvm.vote_sync_kind"


class MatchSyncKind(StrEnum):
    """What `match.sync` computes."""

    ANY = "any"
    ALL = "all"


@irdl_attr_definition
class MatchSyncKindAttr(EnumAttribute[MatchSyncKind], SpacedOpaqueSyntaxAttribute):
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
class ReduxKindAttr(EnumAttribute[ReduxKind], SpacedOpaqueSyntaxAttribute):
    """`#nvvm<redux_kind add>`."""

    name = "nvvm.redux_kind"


class MemScope(StrEnum):
    """The set of threads that a memory operation is ordered for."""

    CTA = "cta"
    CLUSTER = "cluster"
    GPU = "gpu"
    SYS = "sys"


@irdl_attr_definition
class MemScopeKindAttr(AngleBrackets, EnumAttribute[MemScope]):
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

    INCREASE = "increase"
    DECREASE = "decrease"


@irdl_attr_definition
class SetMaxRegisterActionAttr(EnumAttribute[SetMaxRegisterAction], SpacedOpaqueSyntaxAttribute):
    """`#nvvm<action increase>`."""

    name = "nvvm.action"


class GridDepAction(StrEnum):
    """What `griddepcontrol` does."""

    WAIT = "wait"
    LAUNCH_DEPENDENTS = "launch_dependents"


@irdl_attr_definition
class GridDepActionAttr(EnumAttribute[GridDepAction], SpacedOpaqueSyntaxAttribute):
    """`#nvvm<grid_dep_action wait>`."""

    name = "nvvm.grid_dep_action"


class WgmmaType(StrEnum):
    """Element types of `wgmma`."""

    F16 = "f16"
    TF32 = "tf32"
    U8 = "u8"
    S8 = "s8"
    B1 = "b1"
    BF16 = "bf16"
    E4M3 = "e4m3"
    E5M2 = "e5m2"
    F32 = "f32"
    S32 = "s32"


@irdl_attr_definition
class WGMMATypeAttr(AngleBrackets, EnumAttribute[WgmmaType]):
    """`#nvvm.wgmma_type<f16>`."""

    name = "nvvm.wgmma_type"


class WgmmaScaleIn(StrEnum):
    """The sign of a `wgmma` operand."""

    ONE = "one"
    NEG = "neg"


@irdl_attr_definition
class WGMMAScaleInAttr(AngleBrackets, EnumAttribute[WgmmaScaleIn]):
    """`#nvvm.wgmma_scale_in<one>`."""

    name = "nvvm.wgmma_scale_in"


class WgmmaScaleOut(StrEnum):
    """Whether `wgmma` adds to the accumulator."""

    ZERO = "zero"
    ONE = "one"


@irdl_attr_definition
class WGMMAScaleOutAttr(AngleBrackets, EnumAttribute[WgmmaScaleOut]):
    """`#nvvm.wgmma_scale_out<zero>`."""

    name = "nvvm.wgmma_scale_out"


class TMALoadMode(StrEnum):
    """How a TMA load walks the tensor."""

    TILE = "tile"
    IM2COL = "im2col"
    IM2COL_W = "im2col_w"
    IM2COL_W_128 = "im2col_w_128"
    TILE_GATHER4 = "tile_gather4"


@irdl_attr_definition
class TMALoadModeAttr(AngleBrackets, EnumAttribute[TMALoadMode]):
    """`#nvvm.tma_load_mode<tile>`."""

    name = "nvvm.tma_load_mode"


class TMAStoreMode(StrEnum):
    """How a TMA store walks the tensor."""

    TILE = "tile"
    IM2COL = "im2col"
    TILE_SCATTER4 = "tile_scatter4"


@irdl_attr_definition
class TMAStoreModeAttr(AngleBrackets, EnumAttribute[TMAStoreMode]):
    """`#nvvm.tma_store_mode<tile>`."""

    name = "nvvm.tma_store_mode"


class TMAReduxKind(StrEnum):
    """The combining operation of a TMA reduction."""

    ADD = "add"
    MAX = "max"
    MIN = "min"
    INC = "inc"
    DEC = "dec"
    AND = "and"
    OR = "or"
    XOR = "xor"


@irdl_attr_definition
class TMAReduxKindAttr(AngleBrackets, EnumAttribute[TMAReduxKind]):
    """`#nvvm.tma_redux_kind<add>`."""

    name = "nvvm.tma_redux_kind"


class PrefetchCacheLevel(StrEnum):
    """The cache of `prefetch`."""

    L1 = "L1"
    L2 = "L2"


@irdl_attr_definition
class PrefetchCacheLevelAttr(EnumAttribute[PrefetchCacheLevel], SpacedOpaqueSyntaxAttribute):
    """`#nvvm<prefetch_cache_level L1>`."""

    name = "nvvm.prefetch_cache_level"


class EvictionPriority(StrEnum):
    """Eviction priorities of `prefetch`."""

    EVICT_NORMAL = "evict_normal"
    EVICT_FIRST = "evict_first"
    EVICT_LAST = "evict_last"
    EVICT_UNCHANGED = "evict_unchanged"
    NO_ALLOCATE = "no_allocate"


@irdl_attr_definition
class CacheEvictionPriorityAttr(EnumAttribute[EvictionPriority], SpacedOpaqueSyntaxAttribute):
    """`#nvvm<cache_eviction_priority evict_normal>`."""

    name = "nvvm.cache_eviction_priority"


class FPRoundingMode(StrEnum):
    """Rounding modes of conversions."""

    NONE = "none"
    RN = "rn"
    RM = "rm"
    RP = "rp"
    RZ = "rz"
    RNA = "rna"
    RS = "rs"


@irdl_attr_definition
class FPRoundingModeAttr(AngleBrackets, EnumAttribute[FPRoundingMode]):
    """`#nvvm.fp_rnd_mode<none>`."""

    name = "nvvm.fp_rnd_mode"


class SaturationMode(StrEnum):
    """Saturation of conversions."""

    NONE = "none"
    SATFINITE = "satfinite"


@irdl_attr_definition
class SaturationModeAttr(AngleBrackets, EnumAttribute[SaturationMode]):
    """`#nvvm.sat_mode<none>`."""

    name = "nvvm.sat_mode"


class MemOrder(StrEnum):
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
class MemOrderKindAttr(AngleBrackets, EnumAttribute[MemOrder]):
    """`#nvvm.mem_order<acquire>`."""

    name = "nvvm.mem_order"


class DotAccumulateType(StrEnum):
    """How the bytes of a dot product's operand are extended."""

    UNSIGNED = "unsigned"
    SIGNED = "signed"


@irdl_attr_definition
class DotAccumulateTypeAttr(AngleBrackets, EnumAttribute[DotAccumulateType]):
    """`#nvvm.dot_accumulate_type<signed>`."""

    name = "nvvm.dot_accumulate_type"


class PermuteMode(StrEnum):
    """How `prmt` picks bytes."""

    DEFAULT = "default"
    F4E = "f4e"
    B4E = "b4e"
    RC8 = "rc8"
    ECL = "ecl"
    ECR = "ecr"
    RC16 = "rc16"


@irdl_attr_definition
class PermuteModeAttr(AngleBrackets, EnumAttribute[PermuteMode]):
    """`#nvvm.permute_mode<default>`."""

    name = "nvvm.permute_mode"


class ClusterLaunchControlQueryType(StrEnum):
    """What `clusterlaunchcontrol.query.cancel` reads."""

    IS_CANCELED = "is_canceled"
    GET_FIRST_CTA_ID_X = "get_first_cta_id_x"
    GET_FIRST_CTA_ID_Y = "get_first_cta_id_y"
    GET_FIRST_CTA_ID_Z = "get_first_cta_id_z"


@irdl_attr_definition
class ClusterLaunchControlQueryTypeAttr(EnumAttribute[ClusterLaunchControlQueryType], SpacedOpaqueSyntaxAttribute):
    """`#nvvm<cluster_launch_control_query_type is_canceled>`."""

    name = "nvvm.cluster_launch_control_query_type"
