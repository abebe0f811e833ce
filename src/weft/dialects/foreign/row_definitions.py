"""Definitions of the operations that are rows: what `async`, `linalg`, `ptr` and `transform` demand of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    UnregisteredAttr,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, TypeAttribute
from xdsl.utils.exceptions import VerifyException

from weft.dialects import traits
from weft.dialects.definitions import AttributeKind, Definition, Region, Values, segments
from weft.dialects.engine.operations import Group, Property, Row, groups
from weft.dialects.foreign import linalg
from weft.dialects.foreign.formats import derived
from weft.dialects.foreign.handles import HANDLES, PARAMETERS, VALUES, check_handles
from weft.dialects.foreign.operation import counts_of
from weft.dialects.foreign.tables import table
from weft.dialects.foreign.tiles import check_tiles
from weft.dialects.gpu.binary import name_of
from weft.dialects.kinds import ANY, Kind, Trait, element, is_signless
from weft.dialects.symbols import lookup
from weft.dialects.verification import PlainVerifyException


def _named(summary: str, *names: str) -> Kind:
    return Kind(summary, lambda kind: name_of(kind) in names)


def _valued(summary: str, holds: Callable[[Attribute], bool]) -> Kind:
    """A vector or ranked tensor of what holds."""
    return Kind(
        f"A shaped type with value semantics and rank. of {summary} values",
        lambda kind: isinstance(kind, VectorType | TensorType) and holds(element(cast("Attribute", kind))),
    )


def _either(*kinds: Kind) -> Kind:
    return Kind(" or ".join(kind.summary for kind in kinds), lambda kind: any(one.holds(kind) for one in kinds))


def _is_pointer(kind: Attribute) -> bool:
    return name_of(kind) == "ptr.ptr"


def _is_integer(kind: Attribute) -> bool:
    return is_signless(kind) or isinstance(kind, IndexType)


def _tensors(rank: int) -> Kind:
    return Kind(
        f"{rank}D tensor of any type values",
        lambda kind: isinstance(kind, TensorType) and len(cast("Any", kind).get_shape()) == rank,
    )


_BUFFERS = (MemRefType, UnrankedMemRefType)
_RANKED = Kind("ranked tensor of any type values", lambda kind: isinstance(kind, TensorType))
_HANDLE = _named("TransformHandleTypeInterface instance", *HANDLES)
_POINTER, _INTEGER = Kind("pointer type", _is_pointer), Kind("signless integer or index", _is_integer)
_FUTURE, _TOKEN = _named("async value type", "async.value"), _named("async token type", "async.token")
_GROUP = _named("async group type", "async.group")
_KINDS: Mapping[str, Kind] = {
    "any": ANY,
    "handle": _HANDLE,
    "param": _named("TransformParamTypeInterface instance", *PARAMETERS),
    "value": _named("TransformValueHandleTypeInterface instance", *VALUES),
    "handle_or_value": _named("transform operation or value handle", *HANDLES, *VALUES),
    "some_handle": _named("any transform handle", *HANDLES, *VALUES),
    "handle_or_map": _named("transform operation or value handle or ", *HANDLES, *VALUES, "transform.affine_map"),
    "handle_or_param": _named("transform any param type or any handle type", *HANDLES, *PARAMETERS),
    "something": _named("any transform handle or parameter", *HANDLES, *PARAMETERS, *VALUES),
    "group": _GROUP,
    "future": _FUTURE,
    "awaited": _either(_FUTURE, _TOKEN),
    "counted": _either(_FUTURE, _TOKEN, _GROUP),
    "tensor4": _tensors(4),
    "tensor6": _tensors(6),
    "shaped": Kind("shaped of any type values", lambda kind: isinstance(kind, (TensorType, VectorType, *_BUFFERS))),
    "ranked": _RANKED,
    "buffer_or_ranked": _either(Kind("memref of any type values", lambda kind: isinstance(kind, MemRefType)), _RANKED),
    "pointer": _POINTER,
    "like": Kind("PtrLikeTypeInterface instance", lambda kind: _is_pointer(kind) or isinstance(kind, _BUFFERS)),
    "metadata": _named("Pointer metadata type", "ptr.ptr_metadata"),
    "valued": _valued("any type", lambda _: True),
    "mask": _valued("1-bit signless integer", lambda kind: kind == i1),
    "pointers": _valued("pointer type", _is_pointer),
    "some_pointers": _either(_valued("pointer type", _is_pointer), _POINTER),
    "some_integers": _either(_valued("signless integer or index", _is_integer), _INTEGER),
    "integer": _INTEGER,
    "index": Kind("index", lambda kind: isinstance(kind, IndexType)),
    "i1": Kind("1-bit signless integer", lambda kind: kind == i1),
    "!async.token": _TOKEN,
    "!async.group": _GROUP,
    "!async.coro.id": _named("switched-resume coroutine identifier", "async.coro.id"),
    "!async.coro.handle": _named("coroutine handle", "async.coro.handle"),
    "!async.coro.state": _named("saved coroutine state", "async.coro.state"),
    "!transform.any_op": _HANDLE,
    "!transform.any_value": _named("TransformValueHandleTypeInterface instance", *VALUES),
}


def _kind(group: Group) -> Kind:
    if group.kind.startswith("op("):
        text = group.kind[3:-1]
        return Kind(
            f"Transform IR handle to {text} operations",
            lambda kind: name_of(kind) == "transform.op" and cast("Any", kind).value.data.strip('"') == text,
        )
    return _KINDS[group.kind]


def _dense(width: str, of: Attribute) -> AttributeKind:
    return AttributeKind(
        f"{width} dense array attribute",
        lambda value: isinstance(value, DenseArrayBase) and cast("Any", value).elt_type == of,
    )


def _number(summary: str, of: Attribute) -> AttributeKind:
    return AttributeKind(
        summary, lambda value: isinstance(value, IntegerAttr), lambda value: cast("Any", value).type == of
    )


def _array(summary: str, holds: Callable[[Attribute], bool]) -> AttributeKind:
    return AttributeKind(
        summary, lambda value: isinstance(value, ArrayAttr), lambda value: all(map(holds, cast("Any", value).data))
    )


def _is_long(value: Attribute) -> bool:
    return isinstance(value, IntegerAttr) and cast("Any", value).type == i64


_ANYTHING = AttributeKind("any attribute", lambda _: True)
_STRING = AttributeKind("string attribute", lambda value: isinstance(value, StringAttr))
_ATTRIBUTES: Mapping[str, AttributeKind] = {
    "i64": _number("64-bit signless integer attribute", i64),
    "bool": _number("bool attribute", i1),
    "str": _STRING,
    "sym": _STRING,
    "unit": AttributeKind("unit attribute", lambda value: isinstance(value, UnitAttr)),
    "i64s": _dense("i64", i64),
    "i32s": _dense("i32", i32),
    "bools": _dense("i1", i1),
    "ref": AttributeKind("symbol reference attribute", lambda value: isinstance(value, SymbolRefAttr)),
    "type": AttributeKind("any type attribute", lambda value: isinstance(value, TypeAttribute)),
    "array": AttributeKind("array attribute", lambda value: isinstance(value, ArrayAttr)),
    "dict": AttributeKind("dictionary of named attribute values", lambda value: isinstance(value, DictionaryAttr)),
    "flat": AttributeKind(
        "flat symbol reference attribute",
        lambda value: isinstance(value, SymbolRefAttr) and not value.nested_references.data,
    ),
    "ftype": AttributeKind("type attribute of function type", lambda value: isinstance(value, FunctionType)),
    "notes": AttributeKind(
        "Array of dictionary attributes",
        lambda value: isinstance(value, ArrayAttr),
        lambda value: all(isinstance(one, DictionaryAttr) for one in cast("Any", value).data),
    ),
    "strs": _array("string array attribute", lambda one: isinstance(one, StringAttr)),
    "refs": _array("symbol ref array attribute", lambda one: isinstance(one, SymbolRefAttr)),
    "types": _array("type array attribute", lambda one: isinstance(one, TypeAttribute)),
    "longs": _array("64-bit integer array attribute", _is_long),
    "flags": _array(
        "1-bit boolean array attribute", lambda one: isinstance(one, IntegerAttr) and cast("Any", one).type == i1
    ),
    "orders": _array(
        "array of arrays of i64", lambda one: isinstance(one, ArrayAttr) and all(map(_is_long, cast("Any", one).data))
    ),
}


def _attribute(given: Property, row: Row) -> tuple[AttributeKind, bool]:
    kind = _ATTRIBUTES.get(given.kind, _ANYTHING)
    if given.kind == "words":
        kind = AttributeKind("enum attribute", partial(_is_word, given.words))
    for trait, (said, holds) in _CONFINED.items():
        if f"{trait}({given.name})" in row.words:
            kind = AttributeKind(f"{kind.summary} {said}", kind.stored, holds)
    return kind, not given.optional


def _is_word(words: Sequence[str], value: Attribute) -> bool:
    """An enumeration's value: a word as it was read, its number, or the attribute that it is upstream."""
    if isinstance(value, IntegerAttr):
        return cast("Any", value).type == i32 and 0 <= cast("Any", value).value.data < len(words)
    return value.data in words if isinstance(value, StringAttr) else isinstance(value, UnregisteredAttr)


def _numbers(value: Attribute) -> Sequence[int]:
    """The elements of a dense array, or the number."""
    return cast("Any", value).get_values() if isinstance(value, DenseArrayBase) else (cast("Any", value).value.data,)


_CONFINED: Mapping[str, tuple[str, Callable[[Attribute], bool]]] = {
    "positive": ("whose value is positive", lambda value: all(number > 0 for number in _numbers(value))),
    "natural": ("whose value is non-negative", lambda value: all(number >= 0 for number in _numbers(value))),
    "three": ("with exactly 3 elements", lambda value: len(_numbers(value)) == 3),
    "none_or_three": ("with 0 or 3 elements", lambda value: len(_numbers(value)) in (0, 3)),
}
"""What rows demand of an attribute by a trait."""


def _failed(said: str) -> VerifyException:
    return VerifyException(f"failed to verify that {said}")


Groups = tuple[Sequence[Group], Sequence[Group]]
"""The operands and the results of a row."""


def _types(given: Groups, op: Operation) -> dict[str, list[Attribute]]:
    """The types of each group of an operation's values."""
    found: dict[str, list[Attribute]] = {}
    sizes = segments(op) if sum(group.count != "" for group in given[0]) > 1 else ()
    for listed, values, known in zip(given, (op.operands, op.results), (sizes, ()), strict=True):
        rest = [value.type for value in values]
        for group, size in zip(listed, known or counts_of(listed, len(rest)), strict=False):
            found[group.name], rest = rest[:size], rest[size:]
    return found


_SAID: Mapping[str, Callable[[str, str], str]] = {
    "mask": lambda name, source: f"{source} and {name} must be compatible",
    "metadata": lambda _name, _source: "metadata type",
    "inner": lambda name, source: (
        f"type of '{'value' if name == 'result' else name}' matches element type of '{source}'"
    ),
    "": lambda name, source: f"{name} type matches type of {source}",
}


def _follow(given: Groups, name: str, how: str, source: str, op: Operation) -> None:
    """The values of a group are of the type that follows from another."""
    types = _types(given, op)
    if not types[source]:
        return
    whole: Any = types[source][0]
    if how == "inner":  # A type that is kept as text, in which an alias may be.
        text = whole.value.data
        right = "!" in text or all(str(found) == text for found in types[name])
    else:
        right = all(found == derived(how or None, whole) for found in types[name])
    if not right:
        raise _failed(_SAID[how](name, source))


def _match(given: Groups, names: Sequence[str], op: Operation) -> None:
    types = _types(given, op)
    types |= {name: [cast("Any", op.properties[name]).type] for name in names if name in op.properties}
    several = {group.name for listed in given for group in listed if group.count == "*"}
    if len({tuple(types[name]) for name in names if types.get(name) or name in several}) > 1:
        raise _failed(f"all of {{{', '.join(names)}}} have same type")


def _same(op: Operation) -> None:
    if not op.operands:
        raise VerifyException("expected 1 or more operands, but found 0")
    if len({value.type for value in (*op.operands, *op.results)}) > 1:
        raise VerifyException("requires the same type for all operands and results")


def _parent(name: str, op: Operation) -> None:
    parent = op.parent_op()
    if parent is None or parent.name != name:
        raise VerifyException(f"expects parent op '{name}'")


def _function(op: Operation) -> None:
    traits.symbol(op)
    if op.name == "async.func":
        traits.public_declaration(op)
    kind = cast("FunctionType", traits.inherent(op, "function_type"))
    traits.check_function(op, kind.inputs.data, kind.outputs.data)
    if op.name == "async.func":
        _check_results(kind.outputs.data)


def _check_results(kinds: Sequence[Attribute]) -> None:
    """What an asynchronous function returns is a token, values, or a token and then values."""
    if not kinds:
        raise VerifyException("result is expected to be at least of size 1, but got 0")
    for place, kind in enumerate(kinds):
        if not (_TOKEN.holds(kind) or _FUTURE.holds(kind)):
            raise VerifyException(f"result type must be async value type or async token type, but got '{kind}'")
        if place and _TOKEN.holds(kind):
            said = "results' (optional) async token type is expected to appear as the 1st return value"
            raise VerifyException(f" {said}, but got {place + 1}")


def _returned(op: Operation) -> None:
    """What a function returns is what its values hold."""
    around = op.parent_op()
    assert around is not None
    kinds = cast("FunctionType", traits.inherent(around, "function_type")).outputs.data
    held = [cast("Any", kind).value.data for kind in kinds if _FUTURE.holds(kind)]
    if held != [str(value.type) for value in op.operands]:
        raise VerifyException("operand types do not match the types returned from the parent FuncOp")


def _called(op: Operation) -> None:
    callee = cast("SymbolRefAttr", traits.inherent(op, "callee"))
    found = lookup(op, callee)
    if found is None or found.name != "async.func":
        raise VerifyException(f"'{callee.root_reference.data}' does not reference a valid async function")


def _awaited(op: Operation) -> None:
    """What a value holds is the result; a token gives none."""
    source = op.operands[0].type
    if _FUTURE.holds(source):
        held, found = cast("Any", source).value.data, [str(value.type) for value in op.results]
        if found and found != [held]:
            raise VerifyException(f"result type '{found[0]}' does not match async value type '{held}'")
    elif op.results:
        raise VerifyException("awaiting on a token must have empty result")


def _changed(op: Operation) -> None:
    """One side of a cast is no `!ptr.ptr`."""
    if op.name == "ptr.from_ptr" and _is_pointer(op.results[0].type):
        raise PlainVerifyException("the result type cannot be `!ptr.ptr`")
    if op.name == "ptr.to_ptr" and _is_pointer(op.operands[0].type):
        raise PlainVerifyException("the input value cannot be of type `!ptr.ptr`")


_OWN: Mapping[str, Trait] = {
    "async.await": _awaited,
    "async.call": _called,
    "async.func": _function,
    "async.return": _returned,
    "linalg.index": linalg.check_index,
    "linalg.pack": check_tiles,
    "linalg.unpack": check_tiles,
    "linalg.yield": linalg.check_yield,
    "ptr.from_ptr": _changed,
    "ptr.to_ptr": _changed,
    "transform.named_sequence": _function,
}
"""What single operations demand beside their row."""


def _traits(name: str, row: Row, given: Groups) -> Sequence[Trait]:
    found: list[Trait] = [
        partial(_parent, word.removeprefix("parent=")) for word in row.words if word.startswith("parent=")
    ]
    if "terminator" in row.words:
        found.append(traits.terminator)
    if "same" in row.words:
        found.append(_same)
    matched: set[str] = set()
    for word in row.words:
        if word.startswith("match("):
            names = word[6:-1].split(",")
            matched.update(names)
            found.append(partial(_match, given, names))
    for group in (*given[0], *given[1]):
        rule = re.fullmatch(r"(?:(mask|metadata|inner)\()?(\w+)\)?", group.rule)
        if rule is not None and "same" not in row.words and not (group.name in matched and rule[1] is None):
            found.append(partial(_follow, given, group.name, rule[1] or "", rule[2]))
    if name.startswith("transform."):
        found.append(check_handles)
    return [*found, _OWN[name]] if name in _OWN else found


def definition(name: str) -> Definition:
    """What the operation of a row must look like, by its full name."""
    dialect, _, rest = name.partition(".")
    row = table(dialect).row(rest)
    whole = "any" if "single" not in row.words else "most" if "no_terminator" in row.words else "single"
    whole = "one" if "one" in row.words else whole
    parts, results = [*groups(row.operands)], [*groups(row.results)]
    operands = [group for group in parts if not group.is_part]
    return Definition(
        tuple(Values(_kind(group), group.count) for group in operands),
        tuple(Values(_kind(group), group.count) for group in results),
        dict(sorted((found.name, _attribute(found, row)) for found in table(dialect).properties(rest))),
        tuple(Region(group.name + group.count, whole) for group in parts if group.kind == "region"),
        [group.name for group in parts if group.kind == "block"],
        _traits(name, row, (operands, results)),
        segments=sum(group.count != "" for group in operands) > 1,
    )
