"""Readers of `llvm`'s operations that have a syntax of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import IntegerAttr, IntegerType, i1, i32, i64
from xdsl.dialects.llvm import OverflowAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from weft.dialects.arith.predicates import WORDS
from weft.dialects.building import segment_sizes
from weft.dialects.llvm.kinds import is_compatible
from weft.mlir.reader.attributes import Remembered
from weft.mlir.reader.custom import Made, array, compared, index_list
from weft.mlir.reader.formatted import Make, formatted
from weft.mlir.reader.quick_containers import llvm_function
from weft.mlir.reader.steps import Draft, values
from weft.mlir.reader.tokens import Unread

if TYPE_CHECKING:
    from xdsl.irdl import OpDef

    from weft.mlir.reader.reader import Read, Reader

_OVERFLOW = Remembered(lambda parser: IntegerAttr(OverflowAttr.parse(parser).to_int(), i32))
_NO_FLAGS = IntegerAttr(0, i32)


def _flags(reader: Reader, index: int) -> tuple[Attribute, int]:
    """`overflow<...>`, if it is there, as a number."""
    if reader.tokens[index] != "overflow":
        return _NO_FLAGS, index
    flags, index = _OVERFLOW.read(reader, index)
    assert flags is not None
    return flags, index


def _wrapping(cls: type[Operation]) -> Read:
    """`%lhs, %rhs overflow<...>? : T`."""

    def read(reader: Reader, index: int) -> Operation:
        tokens = reader.tokens
        if tokens[index + 1] != ",":
            raise Unread
        lhs, rhs = tokens[index], tokens[index + 2]
        flags, index = _flags(reader, index + 3)
        attributes, index = reader.dictionary(index)
        kind, index = reader.type(reader.expect(index, ":"))
        operands = reader.typed(lhs, kind), reader.typed(rhs, kind)
        return reader.finish(cls, index, operands, (kind,), {"overflowFlags": flags}, attributes)

    return read


# Control


def _destination(reader: Reader, index: int) -> tuple[int, Sequence[SSAValue], int]:
    """`^block(%a, %b : T, U)`: the token that names the block, and what it is given."""
    tokens = reader.tokens
    if tokens[index][0] != "^" or len(tokens[index]) == 1:
        raise Unread
    if tokens[index + 1] != "(":
        return index, (), index + 1
    found, end = values(reader, index + 2)
    kinds, end = reader.types(reader.expect(end, ":"))
    if not found or [value.type for value in found] != kinds:
        raise Unread
    return index, found, reader.expect(end, ")")


def _conditional_branch(cls: type[Operation]) -> Read:
    """`%test, ^then(...), ^else(...)`."""

    def read(reader: Reader, index: int) -> Operation:
        test = reader.typed(reader.tokens[index], i1)
        then, first, index = _destination(reader, reader.expect(index + 1, ","))
        otherwise, second, index = _destination(reader, reader.expect(index, ","))
        attributes, index = reader.dictionary(index)
        properties: dict[str, Attribute] = {}
        if "loop_annotation" in attributes and cls.name == "llvm.cond_br":
            properties["loop_annotation"] = attributes.pop("loop_annotation")
        properties["operandSegmentSizes"] = segment_sizes((1, len(first), len(second)))
        operands = [test, *first, *second]
        return reader.finish(cls, index, operands, (), properties, attributes, successors=(then, otherwise))

    return read


# Directives


def _predicate(definition: OpDef, attribute: tuple[str, Any, bool]) -> Made:
    """A predicate in quotes."""
    numbers = {f'"{word}"': IntegerAttr(number, i64) for number, word in enumerate(WORDS[definition.name])}
    name = attribute[0]

    def step(reader: Reader, index: int, draft: Draft) -> int:
        found = numbers.get(reader.tokens[index])
        if found is None:
            raise Unread
        draft.properties[name] = found
        return index + 1

    return step, ()


def _compared(definition: OpDef, lhs: int, rhs: int, result: int) -> Made:
    """The type of what is compared, and of the bits that this gives."""
    return compared(is_compatible, lhs, rhs, result)


def _overflow(definition: OpDef, attribute: tuple[str, Any, bool]) -> Made:
    """`overflow<...>`, if it is there, as a number."""
    name = attribute[0]

    def step(reader: Reader, index: int, draft: Draft) -> int:
        draft.properties[name], index = _flags(reader, index)
        return index

    return step, ()


def _absent(word: str) -> Callable[..., Made]:
    """What is seldom there: xDSL's parser reads it then."""

    def made(definition: OpDef, *arguments: object) -> Made:
        def step(reader: Reader, index: int, draft: Draft) -> int:
            if reader.tokens[index] == word:
                raise Unread
            return index

        return step, ()

    return made


def _member(definition: OpDef, container: int, inner: int) -> Made:
    """The type of an aggregate, and that of the member at the position."""
    from weft.dialects.llvm.checks import member

    def step(reader: Reader, index: int, draft: Draft) -> int:
        types: list[Any] = draft.types
        types[container], index = reader.type(index)
        numbers: Any = draft.properties["position"]
        try:
            types[inner] = member(types[container], numbers.get_values())
        except VerifyException as error:
            raise Unread from error
        return index

    return step, ()


DIRECTIVES: Mapping[str, Callable[..., Made]] = {
    "Atomic": _absent("atomic"),
    "Compared": _compared,
    "Dereferenceable": _absent("dereferenceable"),
    "Member": _member,
    "Overflow": _overflow,
    "Predicate": _predicate,
}
"""What makes the step of a directive, in formats of which every operand and result is a single one."""


# Memory

_DYNAMIC = -(1 << 31)
_PROMISES = {"inbounds": 3, "nuw": 4, "nusw": 2}


@cache
def _promises(words: tuple[str, ...]) -> IntegerAttr[IntegerType]:
    """What words say of an address, as bits."""
    bits = 0
    for word in words:
        bits |= _PROMISES[word]
    return IntegerAttr(bits, i32)


def _get_element_pointer(cls: type[Operation]) -> Read:
    """`promises? %base[%i, 3] : (!llvm.ptr, i64) -> !llvm.ptr, T`."""

    def read(reader: Reader, index: int) -> Operation:
        tokens = reader.tokens
        words: tuple[str, ...] = ()
        while tokens[index] in _PROMISES:
            words += (tokens[index],)
            index += 1
            if tokens[index] != "|":
                break
            index += 1
        base = reader.operand(tokens[index])
        values, numbers, index = index_list(reader, index + 1, _DYNAMIC)
        attributes, index = reader.dictionary(index)
        if not numbers or tokens[index] != ":" or tokens[index + 1] != "(":
            raise Unread
        inputs, index = reader.types(index + 2)
        if tokens[index] != ")" or tokens[index + 1] != "->":
            raise Unread
        result, index = reader.type(index + 2)
        element, index = reader.type(reader.expect(index, ","))
        operands = [base, *values]
        if [value.type for value in operands] != inputs:
            raise Unread
        properties: dict[str, Attribute] = {
            "rawConstantIndices": array(i32, tuple(numbers)),
            "elem_type": element,
            "noWrapFlags": _promises(words),
        }
        return reader.finish(cls, index, operands, (result,), properties, attributes)

    return read


_BINARY = formatted("$lhs `,` $rhs attr-dict `:` type($res)")
_EXACT = formatted("(`exact` $isExact^)? $lhs `,` $rhs attr-dict `:` type($res)")
_CONVERSION = formatted("$arg attr-dict `:` type($arg) `to` type($res)")

READERS: Mapping[str, Make] = {
    **dict.fromkeys(("llvm.add", "llvm.sub", "llvm.mul", "llvm.shl"), _wrapping),
    **dict.fromkeys(("llvm.and", "llvm.xor", "llvm.urem", "llvm.srem"), _BINARY),
    **dict.fromkeys(("llvm.udiv", "llvm.sdiv", "llvm.lshr", "llvm.ashr"), _EXACT),
    "llvm.func": llvm_function,
    "llvm.sext": _CONVERSION,
    "cf.cond_br": _conditional_branch,
    "llvm.cond_br": _conditional_branch,
    "llvm.getelementptr": _get_element_pointer,
}
"""What makes the reader of an operation from its class."""
