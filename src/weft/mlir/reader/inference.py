"""The types that a format leaves out, from those that are written: worked out once for the same types.

xDSL's constraints decide; a class remembers what they said, by the identity of the types, which the table keeps alive.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, TypeAlias

from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import OpDef, OptionalDef
from xdsl.irdl.constraints import VerificationContext
from xdsl.utils.exceptions import VerifyException

from weft.mlir.reader.tokens import Unread

Types: TypeAlias = tuple[tuple[Attribute, ...], tuple[Sequence[Attribute], ...]]
"""The types of all operands in order, and those of the results of each definition."""

_MOST = 512


class Inference:
    """The types of the operations of one class."""

    def __init__(self, definition: OpDef) -> None:
        self._operands = [rule for _, rule in definition.operands]
        self._results = [rule for _, rule in definition.results]
        self._attributes = [*_that_tell_types(definition.properties), *_that_tell_types(definition.attributes)]
        self._known: dict[tuple[Any, ...], tuple[Types, Any]] = {}
        self._singles: dict[tuple[int, ...], tuple[tuple[Attribute, ...], tuple[Attribute, ...], Any]] = {}

    def single_types(
        self, written: Sequence[Any], properties: dict[str, Attribute], attributes: dict[str, Attribute]
    ) -> tuple[tuple[Attribute, ...], tuple[Attribute, ...]]:
        """The types of all operands and of all results, where each definition is of one.

        Args:
            written: the type of each operand definition, then of each result definition; None where not written.
            properties: the properties that were read.
            attributes: the attributes that were read.

        Raises:
            Unread: the definition does not allow the types.
        """
        key = tuple(map(id, written))
        given: list[Attribute | None] = []
        if self._attributes:
            given = [properties.get(name, attributes.get(name)) for name, _ in self._attributes]
            key += tuple(map(id, given))
        found = self._singles.get(key)
        if found is None:
            groups = [None if kind is None else (kind,) for kind in written]
            places: Any = [(None,)] * len(self._operands)
            operands, results = self._allowed(places, groups, properties | attributes)
            if len(self._singles) > _MOST:
                self._singles.clear()
            found = self._singles[key] = operands, tuple(kind for (kind,) in results), (list(written), given)
        return found[0], found[1]

    def types(
        self,
        operands: Sequence[Sequence[SSAValue]],
        written: Sequence[Sequence[Attribute] | None],
        properties: dict[str, Attribute],
        attributes: dict[str, Attribute],
    ) -> Types:
        """The types of all operands and results.

        Args:
            operands: the values of each operand definition.
            written: the types of each operand definition, then of each result definition; None where not written.
            properties: the properties that were read.
            attributes: the attributes that were read.

        Raises:
            Unread: there are not as many types as operands, or the definition does not allow them.
        """
        given = [properties.get(name, attributes.get(name)) for name, _ in self._attributes]
        key = (
            *map(len, operands),
            *[None if types is None else tuple(map(id, types)) for types in written],
            *map(id, given),
        )
        found = self._known.get(key)
        if found is None:
            found = self._allowed(operands, written, properties | attributes), (list(written), given)
            if len(self._known) > _MOST:
                self._known.clear()
            self._known[key] = found
        return found[0]

    def _allowed(
        self,
        operands: Sequence[Sequence[SSAValue]],
        written: Sequence[Sequence[Attribute] | None],
        given: dict[str, Attribute],
    ) -> Types:
        try:
            return self._infer(operands, written, given)
        except VerifyException as error:
            raise Unread from error

    def _infer(
        self,
        operands: Sequence[Sequence[SSAValue]],
        written: Sequence[Sequence[Attribute] | None],
        given: dict[str, Attribute],
    ) -> Types:
        context = VerificationContext()
        count = len(self._operands)
        for values, types, rule in zip(operands, written[:count], self._operands, strict=True):
            rule.constr.verify_length(len(values), context)
            if types is not None:
                rule.constr.verify(types, context)
        for types, rule in zip(written[count:], self._results, strict=True):
            if types is not None:
                rule.constr.verify(types, context)
        for name, rule in self._attributes:
            value = given.get(name, rule.default_value)
            if value is not None:
                rule.constr.verify(value, context)
        groups = [
            rule.constr.infer(context, length=len(values)) if types is None else types
            for values, types, rule in zip(operands, written[:count], self._operands, strict=True)
        ]
        if any(len(types) != len(values) for types, values in zip(groups, operands, strict=True)):
            raise Unread
        results = [
            rule.constr.infer(context, length=None) if types is None else types
            for types, rule in zip(written[count:], self._results, strict=True)
        ]
        return tuple(chain.from_iterable(groups)), tuple(results)


def _that_tell_types(rules: dict[str, Any]) -> list[tuple[str, Any]]:
    """The attributes from which a type may be inferred."""
    return [
        (name, rule)
        for name, rule in rules.items()
        if rule.constr.variables() and (rule.default_value is not None or not isinstance(rule, OptionalDef))
    ]
