"""What operations of `transform` demand beside their rows, in upstream's words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr
from xdsl.ir import Operation
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from weft.dialects.definitions import segments
from weft.dialects.gpu.binary import name_of
from weft.dialects.scf.edges import check_edge

HANDLES = ("transform.any_op", "transform.op", "pdl.operation")
"""The types that are handles of operations."""
PARAMETERS = ("transform.any_param", "transform.param", "transform.type", "transform.affine_map")
"""Those that are parameters."""
VALUES = ("transform.any_value",)
"""Those that are handles of values."""
Check = Callable[[Operation], Iterator[str]]
"""Says what is wrong with an operation; the first counts."""


def _numbers(op: Operation, name: str) -> list[int]:
    """The elements of a dense array or an array of numbers, nothing where there is none."""
    given: Any = op.properties.get(name)
    if isinstance(given, ArrayAttr):
        return [one.value.data for one in cast("ArrayAttr[Any]", given).data]
    return [] if given is None else [*given.get_values()]


def _has(op: Operation, name: str) -> bool:
    return name in op.properties


def _is_permutation(found: Sequence[int]) -> bool:
    return sorted(found) == [*range(len(found))]


def _permutes(name: str) -> Check:
    def check(op: Operation) -> Iterator[str]:
        found = _numbers(op, name)
        if not _is_permutation(found):
            yield f"expects {name} to be a permutation, found {', '.join(map(str, found))}"

    return check


def _listed(op: Operation) -> Iterator[str]:
    """A list of positions, or all of them."""
    name = "raw_dim_list" if _has(op, "raw_dim_list") else "raw_position_list"
    found = _numbers(op, name)
    if _has(op, "is_all"):
        if _has(op, "is_inverted"):
            yield "cannot request both 'all' and 'inverted' values in the list"
        if found:
            yield "cannot both request 'all' and specific values in the list"
    elif not found:
        yield "must request specific values in the list if 'all' is not specified"
    if len({*found}) != len(found):
        yield "expected the listed values to be unique"


def _overflowing(op: Operation) -> Iterator[str]:
    given: Any = op.properties.get("overflow_result")
    if given is not None and not 0 <= given.value.data < len(op.results):
        yield "overflow_result is not a valid result index"


def _pack_transposed(op: Operation) -> Iterator[str]:
    names = ("inner_perm", "outer_perm")
    for name in names:
        if not _is_permutation(_numbers(op, name)):
            yield f'"{name}" is not a valid permutation'
    if not any(_numbers(op, name) for name in names):
        yield ' at least one of "inner_perm" or "outer_perm" must be specified'


def _scaled(what: str, name: str) -> Check:
    def check(op: Operation) -> Iterator[str]:
        sizes, scalable = _numbers(op, name), _numbers(op, "scalable_sizes")
        if len(sizes) != len(scalable):
            yield f"expected same number of {what} ({len(sizes)}) and scalable sizes ({len(scalable)})"

    return check


def _tiled(op: Operation) -> Iterator[str]:
    yield from _scaled("sizes", "static_sizes")(op)
    loops = sum(size != 0 for size in _numbers(op, "static_sizes"))
    if loops != len(op.results) - 1:
        yield f"expected number of loops to tile ({loops}) to match number of `loops` results ({len(op.results) - 1})"


def _fused(op: Operation) -> Iterator[str]:
    sizes, order = _numbers(op, "static_tile_sizes"), _numbers(op, "static_tile_interchange")
    known = [place for place in order if place != DYNAMIC_INDEX]
    for at, place in enumerate(known):
        if not 0 <= place < len(sizes):
            yield f"expects interchange values to be in range [0, {len(sizes)}), found: {place}"
        if place in known[:at]:
            yield f"found duplicate interchange value: {place}"
    loops = 1 if _has(op, "use_forall") else sum(size != 0 for size in sizes)
    if loops != len(op.results) - 1:
        yield f"expects {loops} loop results"


def _padded(op: Operation) -> Iterator[str]:
    folded, padded = _numbers(op, "nofold_flags"), _numbers(op, "padding_dimensions")
    if any(flag not in (0, 1) for flag in folded):
        yield f"expects nofold_flags to contain booleans (0/1), found {folded}"
    if any(place < 0 for place in padded):
        yield f"expects padding_dimensions to contain positive integers, found {padded}"
    multiples = _numbers(op, "static_pad_to_multiple_of")
    if _has(op, "static_pad_to_multiple_of") and len(multiples) not in (0, len(padded)):
        yield "expects as many multiples as padding_dimensions"
    given: Any = op.properties.get("transpose_paddings")
    for one in given.data if given is not None else ():
        places = [place.value.data for place in one.data]
        if not _is_permutation(places):
            yield f"expects transpose_paddings to be a permutation, found {places}"
    back: Any = op.properties.get("copy_back_op")
    if back is not None and back.data not in ("bufferization.materialize_in_destination", "linalg.copy", "none"):
        yield "invalid copy_back_op"


def _divided(op: Operation) -> Iterator[str]:
    static = cast("Any", op.properties["static_chunk_sizes"]).value.data
    if (static == DYNAMIC_INDEX) != (len(op.operands) == 2):
        yield "expects either a dynamic or a static split point to be provided"


def _dealt(op: Operation) -> Iterator[str]:
    sizes = segments(op)
    said: list[bool] = []
    for name, packed in (("num_threads", sizes[3]), ("tile_sizes", sizes[4])):
        mixed = bool(_numbers(op, f"static_{name}"))
        if mixed and packed:
            yield f"{name} and packed_{name} are mutually exclusive"
        said.append(mixed or bool(packed))
    if not any(said):
        yield "either (packed_)num_threads or (packed_)tile_sizes must be specified"


def _bounded(op: Operation) -> Iterator[str]:
    for side in ("lower", "upper"):
        found, wanted = len(_numbers(op, f"{side}_bounds")), len(op.operands) - 1
        if found != wanted:
            yield f"incorrect number of {side} bounds, expected {wanted} but found {found}"


def _called(op: Operation) -> Iterator[str]:
    handle = segments(op)[3]
    if handle and _has(op, "function_name"):
        yield "function handle and name are mutually exclusive"
    if not handle and not _has(op, "function_name"):
        yield "expected a function handle or name to call"
    inside = [inner for block in op.regions[0].blocks for inner in block.ops]
    if any(not inner.name.startswith("transform.type_conversion.") for inner in inside):
        yield "expected children ops to implement TypeConverterBuilderOpInterface"


def _converted(op: Operation) -> Iterator[str]:
    if len(op.regions) > 1 and sum(1 for block in op.regions[1].blocks for _ in block.ops) != 1:
        yield "expected exactly one op in default type converter region"


def _alike(op: Operation) -> Iterator[str]:
    if len({result.type for result in op.results}) > 1:
        yield "expects all results type to be the same"


def _spread(op: Operation) -> Iterator[str]:
    if len(_numbers(op, "grid_dims")) not in (0, 3):
        yield "transform requires empty or size-3 grid_dims"


def _compared(op: Operation) -> Iterator[str]:
    if len({operand.type for operand in op.operands}) > 1:
        yield "requires all operands to have the same type"


def _sequence(op: Operation) -> Iterator[str]:
    """The arguments of the body are handles of what is given, and what its end hands on are the results."""
    entry = op.regions[0].blocks[0]
    kinds, roots = [argument.type for argument in entry.args], segments(op)[0]
    if not kinds:
        yield "expects the entry block to have at least one argument"
    elif name_of(kinds[0]) not in HANDLES:
        yield "expects the first entry block argument to be of type implementing TransformHandleTypeInterface"
    if any(name_of(kind) not in (*HANDLES, *PARAMETERS, *VALUES) for kind in kinds):
        interfaces = ", ".join(f"Transform{what}TypeInterface" for what in ("Handle", "ValueHandle"))
        yield (
            f"expects trailing entry block arguments to be of type implementing {interfaces} or "
            "TransformParamTypeInterface"
        )
    if roots and op.operands[0].type != kinds[0]:
        yield "expects the type of the block argument to match the type of the operand"
    if roots:
        check_edge(None, op.operands, "Region #0", kinds)
    last = entry.last_op
    if last is None or not last.has_trait(IsTerminator, value_if_unregistered=False):
        yield "expects to have a terminator in the body"
    elif list(last.operand_types) != list(op.result_types):
        yield "expects the types of the terminator operands to match the types of the result"


_CHECKS: Mapping[str, Check] = {
    "affine.simplify_bounded_affine_ops": _bounded,
    "apply_conversion_patterns": _converted,
    "func.cast_and_call": _called,
    "get_operand": _listed,
    "get_result": _listed,
    "sequence": _sequence,
    "gpu.map_forall_to_blocks": _spread,
    "match.param.cmpi": _compared,
    "match.structured.dim": _listed,
    "match.structured.init": _listed,
    "match.structured.input": _listed,
    "split_handle": _overflowing,
    "structured.continuous_tile_sizes": _alike,
    "structured.fuse": _fused,
    "structured.hoist_pad": _permutes("transpose"),
    "structured.hoist_pad.build_packing_loop_nest": _permutes("transpose"),
    "structured.interchange": _permutes("iterator_interchange"),
    "structured.multitile_sizes": _alike,
    "structured.pack_transpose": _pack_transposed,
    "structured.pad": _padded,
    "structured.split": _divided,
    "structured.tile_using_for": _tiled,
    "structured.tile_using_forall": _dealt,
    "structured.vectorize": _scaled("vector sizes", "static_vector_sizes"),
}


def check_handles(op: Operation) -> None:
    """What single operations of `transform` demand.

    Raises:
        VerifyException: the operation does not hold to it.
    """
    for said in _CHECKS.get(op.name.removeprefix("transform."), lambda _: iter(()))(op):
        raise VerifyException(said)
