"""What structured operations of `linalg` demand: operands that agree with the maps by which they are indexed.

A named operation is a line of its operands' letters, the outputs' last: `ac cb ab` is a product of matrices, `(b+d)` a
window, along which `strides` and `dilations` count; `-` is a scalar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    MemRefType,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.utils.exceptions import VerifyException

from weft.dialects.definitions import AttributeKind, Definition, Region, Values
from weft.dialects.foreign.linalg_contract import check_contract
from weft.dialects.foreign.linalg_moves import MOVES
from weft.dialects.foreign.linalg_operands import (
    check_body,
    check_destinations,
    element_of,
    inputs_of,
    is_scalar,
    shape_of,
    unlike,
)
from weft.dialects.foreign.linalg_products import PRODUCTS, check_product_maps, check_projections
from weft.dialects.kinds import ANY, Kind
from weft.dialects.verification import PlainVerifyException

_LINES = """
abs ceil copy erf exp floor log negf reciprocal round rsqrt sqrt square tanh: same
add div div_unsigned max min mul powf sub: same same
select: same same same
elementwise: same
fill: - same
fill_rng_2d: - - - ab
dot: a a -
matvec: ab b a
vecmat: b ba a
batch_matvec: abc ac ab
batch_vecmat: ac acb ab
matmul: ac cb ab
batch_matmul: abd adc abc
batch_reduce_matmul: abd adc bc
quantized_matmul: ac cb - - ab
quantized_batch_matmul: abd adc - - abc
mmt4d: acdf bcef abde
batch_mmt4d: abdeg acdfg abcef
conv_1d: (a+b) b a
conv_2d: (a+c)(b+d) cd ab
conv_3d: (a+d)(b+e)(c+f) def abc
conv_1d_nwc_wcf: a(b+d)e dec abc
conv_1d_ncw_fcw: ad(c+e) bde abc
conv_2d_nhwc_hwcf: a(b+e)(c+f)g efgd abcd
conv_2d_nhwc_hwcf_q: a(b+e)(c+f)g efgd - - abcd
conv_2d_nhwc_fhwc: a(b+e)(c+f)g defg abcd
conv_2d_nhwc_fhwc_q: a(b+e)(c+f)g defg - - abcd
conv_2d_nchw_fchw: ae(c+f)(d+g) befg abcd
conv_2d_nchw_fchw_q: ae(c+f)(d+g) befg - - abcd
conv_2d_ngchw_fgchw: abf(d+g)(e+h) cbfgh abcde
conv_2d_ngchw_gfchw: abf(d+g)(e+h) bcfgh abcde
conv_2d_ngchw_gfchw_q: abf(d+g)(e+h) bcfgh - - abcde
conv_2d_nhwgc_gfhwc: a(b+f)(c+g)dh defgh abcde
conv_2d_nhwgc_gfhwc_q: a(b+f)(c+g)dh defgh - - abcde
conv_3d_ndhwc_dhwcf: a(b+f)(c+g)(d+h)i fghie abcde
conv_3d_ndhwc_dhwcf_q: a(b+f)(c+g)(d+h)i fghie - - abcde
conv_3d_ncdhw_fcdhw: af(c+g)(d+h)(e+i) bfghi abcde
depthwise_conv_1d_nwc_wc: a(b+d)c dc abc
depthwise_conv_1d_ncw_cw: ac(b+d) cd acb
depthwise_conv_1d_nwc_wcm: a(b+e)c ecd abcd
depthwise_conv_2d_nhwc_hwc: a(b+e)(c+f)d efd abcd
depthwise_conv_2d_nhwc_hwc_q: a(b+e)(c+f)d efd - - abcd
depthwise_conv_2d_nchw_chw: ad(b+e)(c+f) def adbc
depthwise_conv_2d_nhwc_hwcm: a(b+f)(c+g)d fgde abcde
depthwise_conv_2d_nhwc_hwcm_q: a(b+f)(c+g)d fgde - - abcde
depthwise_conv_3d_ndhwc_dhwc: a(b+e)(c+f)(d+g)h efgh abcdh
depthwise_conv_3d_ncdhw_cdhw: ah(b+e)(c+f)(d+g) hefg ahbcd
depthwise_conv_3d_ndhwc_dhwcm: a(b+f)(c+g)(d+h)i fghie abcdie
pooling_nwc_sum pooling_nwc_max pooling_nwc_max_unsigned pooling_nwc_min pooling_nwc_min_unsigned: a(b+d)c d abc
pooling_ncw_sum pooling_ncw_max: ab(c+d) d abc
pooling_nhwc_sum pooling_nhwc_max pooling_nhwc_max_unsigned pooling_nhwc_min: a(b+e)(c+f)d ef abcd
pooling_nhwc_min_unsigned: a(b+e)(c+f)d ef abcd
pooling_nchw_sum pooling_nchw_max: ab(c+e)(d+f) ef abcd
pooling_ndhwc_sum pooling_ndhwc_max pooling_ndhwc_min: a(b+f)(c+g)(d+h)e fgh abcde
"""


@cache
def named() -> Mapping[str, Sequence[str]]:
    """The letters of each named operation's operands; those of an elementwise one are all `same`."""
    lines = [line.split(":", 1) for line in _LINES.strip().splitlines()]
    return {name: tuple(letters.split()) for names, letters in lines for name in names.split()}


def _numbers(op: Operation, name: str, count: int) -> Sequence[int]:
    """The strides or dilations of an operation, 1 each where it has none."""
    given = op.properties.get(name, op.attributes.get(name))
    return tuple(cast("Any", given).get_values()) if given is not None else (1,) * count


def maps_of(op: Operation) -> Sequence[AffineMap]:
    """The map by which each operand is indexed."""
    given = op.properties.get("indexing_maps", op.attributes.get("indexing_maps"))
    if isinstance(given, ArrayAttr):
        return [cast("AffineMapAttr", one).data for one in cast("ArrayAttr[Attribute]", given)]
    return own_maps(op)


def own_maps(op: Operation) -> Sequence[AffineMap]:
    """The map by which each operand is indexed where the operation has none of its own."""
    letters = named()[op.name.removeprefix("linalg.")]
    if "same" in letters:
        rank = len(shape_of(op.operands[-1].type))
        scalar = AffineMap(rank, 0, ())
        return [
            scalar if is_scalar(value) or not shape_of(value.type) else AffineMap.identity(rank)
            for value in op.operands
        ]
    return [
        AffineMap(len({*"".join(letters)} & {*"abcdefghi"}), 0, tuple(results)) for results in _results(op, letters)
    ]


def _results(op: Operation, letters: Sequence[str]) -> Iterator[list[AffineExpr]]:
    """What each operand is indexed by, of its letters."""

    def dim(letter: str) -> AffineExpr:
        return AffineExpr.dimension(ord(letter) - ord("a"))

    windows = letters[0].count("(")
    strides, dilations = (_numbers(op, name, windows) for name in ("strides", "dilations"))
    for text in letters:
        found: list[AffineExpr] = []
        count = 0
        for one in re.findall(r"\(\w\+\w\)|\w", text):
            if len(one) == 1:
                found.append(dim(one))
            else:
                found.append(dim(one[1]) * strides[count] + dim(one[3]) * dilations[count])
                count += 1
        yield found


def _check_maps(op: Operation) -> None:
    """Each operand has the rank of its map, and the extents that the loops, known from all operands, run over."""
    maps, shapes = maps_of(op), [shape_of(value.type) for value in op.operands]
    if len(maps) != len(shapes):
        raise VerifyException(
            f"expected the number of indexing_map ({len(maps)}) to be equal to the number of input/output operands "
            f"({len(shapes)})"
        )
    for place, (map_, shape) in enumerate(zip(maps, shapes, strict=True)):
        if map_.num_symbols:
            raise VerifyException(f"unexpected symbols in indexing_map #{place}")
        if len(map_.results) != len(shape):
            raise VerifyException(
                f"expected operand #{place} rank ({len(shape)}) to match the result rank of indexing_map "
                f"({len(map_.results)})"
            )
    loops: dict[int, int] = {}
    for map_, shape in zip(maps, shapes, strict=True):
        for result, extent in zip(map_.results, shape, strict=True):
            if isinstance(result, AffineDimExpr):
                loops.setdefault(result.position, extent)
    count = max((map_.num_dims for map_ in maps), default=0)
    if len(loops) != count:
        whole = AffineMap(count, 0, tuple(result for map_ in maps for result in map_.results))
        raise VerifyException(f"invalid indexing maps are non-invertible: ({whole})")
    extents = [loops[place] for place in range(count)]
    if -1 not in extents:
        for place, (map_, shape) in enumerate(zip(maps, shapes, strict=True)):
            _check_extents(place, map_, shape, extents)


def _check_extents(place: int, map_: AffineMap, shape: Sequence[int], loops: Sequence[int]) -> None:
    first = map_.eval([0] * map_.num_dims, [])
    last = map_.eval([extent - 1 for extent in loops[: map_.num_dims]], [])
    for axis, (low, high, extent) in enumerate(zip(first, last, shape, strict=True)):
        if extent in (-1, 0):
            continue
        if min(low, high) < 0:
            raise VerifyException(f"unexpected result less than 0 at expression #{axis} in {map_}")
        wanted = max(low, high) + 1
        plain = isinstance(map_.results[axis], AffineDimExpr)
        if wanted > extent or (plain and wanted != extent):
            what = "to be" if plain else "to be greater than or equal to"
            where = f"inferred input/output operand #{place} has shape's dimension #{axis}"
            raise VerifyException(f"{where} {what} {wanted}, but found {extent}")


def _class(kind: Attribute) -> str:
    if isinstance(kind, ComplexType):
        return "complex"
    if isinstance(kind, IndexType):
        return "index"
    return "float" if isinstance(kind, AnyFloat) else "integer" if isinstance(kind, IntegerType) else ""


_TAKEN = {
    "float": ("float", "integer"),
    "integer": ("float", "integer", "index"),
    "complex": ("complex", "float", "integer"),
}
"""From which kinds of elements those of an output are converted."""
_UNARY = frozenset(_LINES.strip().partition(":")[0].split()) - {"copy"}


def _check_elements(op: Operation) -> None:
    """The elements that the operation's body can be made for."""
    name, kinds = op.name.removeprefix("linalg."), [element_of(value.type) for value in op.operands]
    if name == "elementwise" and len(kinds) > 1 and kinds[-2] != kinds[-1]:
        raise PlainVerifyException(f"'linalg.yield' op {unlike(1, kinds[-2], kinds[-1])}")
    if name == "elementwise":
        return
    if "indexing_maps" in op.properties:
        _check_product(name, kinds)
        return
    wanted = len(named()[name]) + ("same" in named()[name])
    if name == "fill":
        wanted -= 1
    if len(kinds) != wanted:
        raise VerifyException(
            f"[parseNamedStructuredOpRegion] ods-gen generated region expects {wanted} args, got {len(kinds)}"
        )
    if name == "fill":
        if kinds[0] != kinds[1]:
            raise VerifyException(
                f"expected fill value type ('{kinds[0]}') to match output element type ('{kinds[1]}')"
            )
    elif name == "fill_rng_2d":
        if kinds[:3] != [f64, f64, i32]:
            raise VerifyException(_mixed(kinds[2], kinds[0]))
    elif "same" not in named()[name]:
        _check_product(name, kinds)
    elif name == "copy":
        if kinds[0] != kinds[1] and _class(kinds[0]) not in _TAKEN.get(_class(kinds[1]), ()):
            raise PlainVerifyException(f"'linalg.yield' op {unlike(1, kinds[0], kinds[1])}")
    else:
        _check_alike(name, kinds)


def _check_product(name: str, kinds: Sequence[Attribute]) -> None:
    """Elements of a product or a pooling, which converts what it reads."""
    read, written = kinds[:1] if name.startswith("pooling") else kinds[:-1], kinds[-1]
    converted = [written if _class(kind) in _TAKEN.get(_class(written), ()) else kind for kind in read]
    if any(kind != written for kind in converted) or _class(written) not in _TAKEN:
        first, second = converted if len(converted) == 2 else (written, converted[0])
        raise VerifyException(_mixed(first, second))
    if _class(written) == "complex":
        if re.search("max|min", name):
            raise VerifyException(_mixed(written, written))
        if name == "contract" and any(_class(kind) != "complex" for kind in read):
            raise PlainVerifyException("expected add/mul op in the body")


def _check_alike(name: str, kinds: Sequence[Attribute]) -> None:
    """Elements of an elementwise operation, which converts none."""
    if name == "select":
        if kinds[0] != i1:
            raise PlainVerifyException(f"'arith.select' op operand #0 must be bool-like, but got '{kinds[0]}'")
        kinds = kinds[1:]
    elif name in _UNARY:
        if _class(kinds[0]) != "float":
            raise VerifyException("unsupported non numeric type")
    elif (_class(kinds[0]), name) in {("complex", "max"), ("complex", "min"), ("complex", "powf")} or (
        _class(kinds[0]) in ("", "index") or _class(kinds[0]) != _class(kinds[1])
    ):
        raise VerifyException(_mixed(kinds[0], kinds[1]))
    elif name == "div_unsigned" and _class(kinds[0]) != "integer":
        raise VerifyException("unsupported operation: unsigned div not on uint")
    elif name == "powf" and _class(kinds[0]) != "float":
        raise PlainVerifyException(f"'math.powf' op operand #0 must be floating-point-like, but got '{kinds[0]}'")
    for kind in kinds[:-1]:
        if kind != kinds[-1]:
            raise PlainVerifyException(f"'linalg.yield' op {unlike(1, kind, kinds[-1])}")


def _mixed(first: Attribute, second: Attribute) -> str:
    said = "Cannot build binary Linalg operation: expects allComplex, allFloatingPoint, or allInteger"
    return f"{said}, got '{first}' and '{second}'"


def _check_loops(op: Operation) -> None:
    """`linalg.generic` has as many loops as its iterators say."""
    count = len(cast("ArrayAttr[Attribute]", op.properties["iterator_types"]).data)
    for place, map_ in enumerate(maps_of(op)):
        if map_.num_dims != count:
            raise VerifyException(f"expected indexing_map #{place} to have {count} dim(s) to match the number of loops")


def _structured(op: Operation) -> None:
    if op.name == "linalg.generic":
        check_destinations(op)
        _check_maps(op)
        _check_loops(op)
        check_body(op)
        return
    _check_elements(op)
    if op.name == "linalg.contract":
        check_contract(op, maps_of(op))
    given = op.name in PRODUCTS and "indexing_maps" in op.properties
    if given:
        check_product_maps(op, maps_of(op), named()[op.name.removeprefix("linalg.")])
    check_destinations(op)
    _check_maps(op)
    if given:
        check_projections(maps_of(op))
    check_body(op)


def check_yield(op: Operation) -> None:
    """`linalg.yield` gives an element for each output of the operation around it.

    Raises:
        VerifyException: it does not, in upstream's words.
    """
    outer = op.parent_op()
    if outer is None or not is_structured(outer.name):
        return
    outputs = outer.operands[inputs_of(outer) :]
    if len(op.operands) != len(outputs):
        raise VerifyException(
            f"expected number of yield values ({len(op.operands)}) to match the number of inits / outs operands of the "
            f"enclosing LinalgOp ({len(outputs)})"
        )
    for place, (value, output) in enumerate(zip(op.operands, outputs, strict=True), 1):
        if value.type != element_of(output.type):
            raise VerifyException(unlike(place, value.type, element_of(output.type)))


def check_index(op: Operation) -> None:
    """`linalg.index` names a loop of the operation around it.

    Raises:
        VerifyException: there is none, in upstream's words.
    """
    outer = op.parent_op()
    if outer is None or not is_structured(outer.name):
        raise VerifyException("expected parent op with LinalgOp interface")
    dim = cast("Any", op.properties["dim"]).value.data
    loops = len(shape_of(outer.operands[0].type)) if outer.name in MOVES else maps_of(outer)[0].num_dims
    if dim >= loops:
        raise VerifyException(
            f"expected dim ({dim}) to be lower than the number of loops ({loops}) of the enclosing LinalgOp"
        )


_SHAPED = Kind(
    "shaped of any type values",
    lambda kind: (
        isinstance(kind, MemRefType | TensorType | UnrankedMemRefType | UnrankedTensorType) or kind.name == "vector"
    ),
)
_RANKED = Kind("ranked tensor of any type values", lambda kind: isinstance(kind, TensorType))


def _is_maps(value: Attribute) -> bool:
    return isinstance(value, ArrayAttr) and all(
        isinstance(one, AffineMapAttr) for one in cast("ArrayAttr[Attribute]", value)
    )


def _strided(count: int) -> AttributeKind:
    return AttributeKind(
        f"64-bit signless int elements attribute of shape [{count}]",
        lambda value: (
            isinstance(value, DenseIntOrFPElementsAttr)
            and cast("Any", value).type.element_type == i64
            and tuple(cast("Any", value).type.get_shape()) == (count,)
        ),
    )


_MAPS = AttributeKind("AffineMap array attribute", _is_maps)


def is_structured(name: str) -> bool:
    """Whether an operation is a structured one, by its full name."""
    rest = name.removeprefix("linalg.")
    return name == "linalg.generic" or name == "linalg.contract" or name in MOVES or (rest != name and rest in named())


def definition(name: str) -> Definition:
    """What a structured operation must look like."""
    rest = name.removeprefix("linalg.")
    attributes: dict[str, tuple[AttributeKind, bool]] = {}
    if rest in {"generic", "contract", "elementwise", "matmul", "batch_matmul", "batch_reduce_matmul"}:
        attributes["indexing_maps"] = (_MAPS, rest in {"generic", "contract"})
    windows = named()[rest][0].count("(") if rest in named() and not re.fullmatch(r"conv_\dd", rest) else 0
    if windows:
        attributes |= {word: (_strided(windows), False) for word in ("dilations", "strides")}
    blocks = "single" if rest in {"generic", "map", "reduce"} else "any"
    region = "region" if blocks == "single" else "region*"
    groups = (Values(ANY, "*"), Values(_SHAPED, "*")) if name not in MOVES else (Values(_SHAPED, "*"),)
    return Definition(
        groups,
        (Values(_RANKED, "*"),),
        attributes,
        (Region(region, blocks),),
        traits=(MOVES.get(name, _structured),),
        segments=name not in MOVES,
        more=True,
    )
