"""How `sparse<indices, values> : type` is read."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType, i64
from xdsl.ir import Attribute
from xdsl.parser import AttrParser

from weft.dialects.dense import check_shaped
from weft.dialects.sparse_elements import SparseElementsAttr

if TYPE_CHECKING:
    from xdsl.utils.lexer import Position


def _dense(parser: AttrParser, literal: tuple[list[Any], list[int]] | None, kind: Any) -> DenseIntOrFPElementsAttr[Any]:
    elements, shape = ([], [0]) if literal is None else literal
    data: Any = [element.to_type(parser, kind) for element in elements]
    return DenseIntOrFPElementsAttr.from_list(TensorType(kind, shape or [1]), data)


def parse_sparse(parser: Any, start: Position) -> SparseElementsAttr:
    """Parse what is behind `sparse`, which is at `start`.

    Raises:
        ParseError: the indices do not fit the values, or the type.
    """
    parser.parse_punctuation("<")
    indices = values = None
    place = start
    if parser.parse_optional_punctuation(">") is None:
        indices = parser._parse_tensor_literal()
        parser.parse_punctuation(",")
        values = parser._parse_tensor_literal()
        parser.parse_punctuation(">")
    parser.parse_punctuation(":")
    kind: Any = parser.parse_type()
    check_shaped(parser, kind, place)
    shape = list(kind.get_shape())
    found = SparseElementsAttr(_dense(parser, indices, i64), _dense(parser, values, kind.element_type), kind)
    if indices is not None and values is not None:
        listed = indices[1] or [1]
        count = values[1] or ([listed[0]] if len(values[0]) == 1 else [1])
        rank = listed[1] if len(listed) > 1 else 1 if indices[1] else len(shape)
        if rank != len(shape) or (values[1] and count[0] != listed[0]) or len(listed) > 2:
            parser.raise_error(
                f"expected shape ({shape}); inferred shape of indices literal ({indices[1]}); inferred shape of values "
                f"literal ({values[1]})",
                place, place,
            )  # fmt: skip
        _check_inside(parser, [element.to_type(parser, i64) for element in indices[0]], rank, shape, kind, place)
    return found


def _check_inside(parser: Any, flat: list[int], rank: int, shape: list[int], kind: Attribute, place: Position) -> None:
    if len(flat) % max(rank, 1) or prod(shape) == 0:
        return
    for number in range(len(flat) // max(rank, 1)):
        index = flat[number * rank : (number + 1) * rank]
        if any(not 0 <= at < extent for at, extent in zip(index, shape, strict=True)):
            parser.raise_error(
                f"sparse index #{number} is not contained within the value shape, with index={index}, and "
                f"type='{kind}'", place, place,
            )  # fmt: skip
