"""Attributes of matrix operations of `nvvm`, one enum and one class each, spelled as in MLIR 22."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from weft.dialects.formats import AngleBrackets, parse_number


def _parse_sizes(parser: AttrParser, names: Sequence[str]) -> list[IntAttr]:
    """Parse `<m = 16, n = 8, k = 16>`."""
    sizes: list[IntAttr] = []
    with parser.in_angle_brackets():
        for index, name in enumerate(names):
            if index:
                parser.parse_punctuation(",")
            parser.parse_keyword(name)
            parser.parse_punctuation("=")
            sizes.append(IntAttr(parse_number(parser)))
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


class MMATypes(StrEnum):
    """Element types of `mma` operands."""

    F16 = "f16"
    F32 = "f32"
    TF32 = "tf32"
    BF16 = "bf16"
    S8 = "s8"
    U8 = "u8"
    S32 = "s32"
    S4 = "s4"
    U4 = "u4"
    B1 = "b1"
    F64 = "f64"
    E4M3 = "e4m3"
    E5M2 = "e5m2"
    E3M2 = "e3m2"
    E2M3 = "e2m3"
    E2M1 = "e2m1"


@irdl_attr_definition
class MMATypeAttr(AngleBrackets, EnumAttribute[MMATypes]):
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


class WGMMATypes(StrEnum):
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
class WGMMATypeAttr(AngleBrackets, EnumAttribute[WGMMATypes]):
    """`#nvvm.wgmma_type<f16>`."""

    name = "nvvm.wgmma_type"


class WGMMAScaleIn(StrEnum):
    """The sign of a `wgmma` operand."""

    ONE = "one"
    NEG = "neg"


@irdl_attr_definition
class WGMMAScaleInAttr(AngleBrackets, EnumAttribute[WGMMAScaleIn]):
    """`#nvvm.wgmma_scale_in<one>`."""

    name = "nvvm.wgmma_scale_in"


class WGMMAScaleOut(StrEnum):
    """Whether `wgmma` adds to the accumulator."""

    ZERO = "zero"
    ONE = "one"


@irdl_attr_definition
class WGMMAScaleOutAttr(AngleBrackets, EnumAttribute[WGMMAScaleOut]):
    """`#nvvm.wgmma_scale_out<zero>`."""

    name = "nvvm.wgmma_scale_out"


class ScaleVecSize(StrEnum):
    """How many scales a row of a block-scaled matrix has."""

    X1 = "x1"
    X2 = "x2"
    X4 = "x4"


@irdl_attr_definition
class ScaleVecSizeAttr(AngleBrackets, EnumAttribute[ScaleVecSize]):
    """`#nvvm.scale_vec_size<x1>`."""

    name = "nvvm.scale_vec_size"


class BlockScaleFormat(StrEnum):
    """Formats of the scales of blocks."""

    UE8M0 = "ue8m0"
    UE4M3 = "ue4m3"


@irdl_attr_definition
class BlockScaleFormatAttr(AngleBrackets, EnumAttribute[BlockScaleFormat]):
    """`#nvvm.block_scale_format<ue8m0>`."""

    name = "nvvm.block_scale_format"
