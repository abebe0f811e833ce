"""Operations that are rows, made of values, numbers and words: `new("nvvm.stmatrix", pointer, words, layout="row")`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, BoolAttr, DenseArrayBase, IndexType, IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import AttrSizedOperandSegments, IRDLOperation

from weft.dialects.building import segment_sizes
from weft.dialects.engine import attributes
from weft.dialects.engine.operations import op_class, properties_of

Given = SSAValue | Sequence[SSAValue] | None
"""What is given for an operand: a value, any number of them, or none."""
_Made = Callable[[Any], Attribute | None]


@lru_cache(1024)
def _integer(bits: int, number: int) -> Attribute:
    return IntegerAttr(number, bits)


_MADE: Mapping[str, _Made] = {
    "array": lambda numbers: DenseArrayBase.from_list(i64, numbers),
    "bool": BoolAttr.from_bool,
    "count": partial(_integer, 32),  # Of `nvvm`: one that is not negative.
    "i16": partial(_integer, 16),
    "i32": partial(_integer, 32),
    "i64": partial(_integer, 64),
    "index": lambda number: IntegerAttr(number, IndexType()),
    "string": StringAttr,
    "strings": lambda words: ArrayAttr([StringAttr(word) for word in words]),
    "unit": lambda holds: UnitAttr() if holds else None,
}


class _Maker:
    """What makes the operations of one row."""

    def __init__(self, name: str) -> None:
        cls = op_class(name)
        assert issubclass(cls, IRDLOperation)
        self._class = cls
        definition = cls.get_irdl_definition()
        self._sized = any(isinstance(option, AttrSizedOperandSegments) for option in definition.options)
        self._groups = len(definition.operands)
        self._properties = {found.field: (found.name, self._made(name, found.kind)) for found in properties_of(name)}

    def _made(self, name: str, kind: str) -> _Made:
        made = _MADE.get(kind)
        full = kind if "." in kind else f"{name.partition('.')[0]}.{kind}"
        # Upstream's enums that are kept as numbers have 64 bits.
        return made or (lambda given: _integer(64, given) if isinstance(given, int) else attributes.attr(full, given))

    def __call__(
        self,
        operands: Sequence[Given],
        results: Sequence[Attribute],
        named: Mapping[str, Any],
    ) -> Operation:
        groups = [[given] if isinstance(given, SSAValue) else given or () for given in operands]
        properties: dict[str, Attribute] = {}
        for field, (written, made) in self._properties.items():
            given = named.get(field)
            value = made(given) if given is not None and not isinstance(given, Attribute) else given
            if value is not None:
                properties[written] = value
        if self._sized:
            missing = [0] * (self._groups - len(groups))
            properties["operandSegmentSizes"] = segment_sizes((*map(len, groups), *missing))
        assert named.keys() <= self._properties.keys(), named.keys() - self._properties.keys()
        values = [value for group in groups for value in group]
        return self._class.create(operands=values, result_types=results, properties=properties)


_maker = cache(_Maker)


def new(name: str, *operands: Given, results: Sequence[Attribute] = (), **properties: Any) -> Operation:
    """An operation by its full name: what its row has for operands, in order, and for properties, by their fields.

    Operands at the end that may be absent need not be given. A property is an attribute, or what makes one of its kind:
    a number, a word, a list of them, True for a unit attribute; with None it is left out.

    Raises:
        KeyError: no row is of it.
    """
    return _maker(name)(operands, results, properties)
