"""Readers made of formats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from xdsl.ir import Operation
from xdsl.irdl import AttrSizedOperandSegments, AttrSizedResultSegments, IRDLOperation, OpDef, ParsePropInAttrDict

from weft.dialects.building import segment_sizes
from weft.mlir.reader.formats import Format, Unknown
from weft.mlir.reader.inference import Inference
from weft.mlir.reader.steps import Draft, Step
from weft.mlir.reader.tokens import Unread

if TYPE_CHECKING:
    from weft.mlir.reader.reader import Read, Reader


def reader_of_format(cls: type[Operation], text: str) -> Read | None:
    """Reads the operations of a class by its format; None when the format has something that is not known here."""
    assert issubclass(cls, IRDLOperation)
    definition = cls.get_irdl_definition()
    try:
        format_ = Format(cls, definition, text)
        parts = format_.steps()
        sizes = _sizes(definition)
    except Unknown:
        return None
    if format_.flat and not (sizes or definition.regions or definition.successors):
        return _read_flat(cls, parts, definition)
    return _read_grouped(cls, parts, sizes, definition)


Make: TypeAlias = "Callable[[type[Operation]], Read | None]"
"""Makes the reader of an operation from its class."""


def formatted(text: str) -> Make:
    """Makes readers of classes that parse by hand what a format can say."""
    return partial(reader_of_format, text=text)


def _read_flat(cls: type[Operation], parts: Sequence[Step], definition: OpDef) -> Read:
    """Reads operations of which every operand and result is a single one."""
    inference = Inference(definition)
    operand_count = len(definition.operands)
    type_count = operand_count + len(definition.results)

    def read(reader: Reader, index: int) -> Operation:
        draft = Draft(operand_count, type_count, 0, 0)
        for step in parts:
            index = step(reader, index, draft)
        operands: Any = draft.operands
        operand_types, result_types = inference.single_types(draft.types, draft.properties, draft.attributes)
        for value, kind in zip(operands, operand_types):  # noqa: B905 (both come from the definition)
            if value._type is not kind and value._type != kind:
                raise Unread
        return reader.finish(cls, index, operands, result_types, draft.properties, draft.attributes)

    return read


def _read_grouped(
    cls: type[Operation], parts: Sequence[Step], sizes: Sequence[tuple[bool, str, bool]], definition: OpDef
) -> Read:
    """Reads operations of which an operand or a result may be several, or which have regions or successors."""
    inference = Inference(definition)
    counts = (
        len(definition.operands),
        len(definition.operands) + len(definition.results),
        len(definition.regions),
        len(definition.successors),
    )

    def read(reader: Reader, index: int) -> Operation:
        draft = Draft(*counts)
        for step in parts:
            index = step(reader, index, draft)
        groups: Any = draft.operands
        operand_types, result_types = inference.types(groups, draft.types, draft.properties, draft.attributes)
        operands = [value for group in groups for value in group]
        for value, kind in zip(operands, operand_types, strict=True):
            if value.type is not kind and value.type != kind:
                raise Unread
        for is_property, name, of_operands in sizes:
            lengths = segment_sizes(tuple(map(len, groups if of_operands else result_types)))
            (draft.properties if is_property else draft.attributes)[name] = lengths
        results = [kind for group in result_types for kind in group]
        regions: Any = draft.regions
        successors: Any = draft.successors
        return reader.finish(
            cls,
            index,
            operands,
            results,
            draft.properties,
            draft.attributes,
            [region for group in regions for region in group],
            [name for group in successors for name in group],
        )

    return read


def _sizes(definition: OpDef) -> list[tuple[bool, str, bool]]:
    """The attributes that count operands or results: whether it is a property, its name, whether it is of operands."""
    sizes: list[tuple[bool, str, bool]] = []
    for option in definition.options:
        if isinstance(option, AttrSizedOperandSegments | AttrSizedResultSegments):
            sizes.append((option.as_property, option.attribute_name, isinstance(option, AttrSizedOperandSegments)))
        elif not isinstance(option, ParsePropInAttrDict):
            raise Unknown("options")
    return sizes
