"""Attributes of arithmetic and conversions of `nvvm`, one enum and one class each, spelled as in MLIR 22."""

from __future__ import annotations

from xdsl.dialects.utils import EnumAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.str_enum import StrEnum

from weft.dialects.formats import AngleBrackets


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


class DotAccumulateType(StrEnum):
    """How the bytes of a dot product's operand are extended."""

    SIGNED = "signed"
    UNSIGNED = "unsigned"


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
