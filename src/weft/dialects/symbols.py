"""Symbols: what a table holds, what a reference names, and what upstream says where that goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.traits import SymbolTable
from xdsl.utils.exceptions import VerifyException

from weft.dialects.traits import inherent

User = Callable[[Operation], None]
"""Checks the symbols that an operation names; raises VerifyException."""

_USERS = {
    "func": "weft.dialects.func.vocabulary",
    "gpu": "weft.dialects.gpu.symbols",
    "llvm": "weft.dialects.llvm.symbols",
    "memref": "weft.dialects.memref.symbols",
}
"""The dialects whose operations name symbols, and the module of each that lists its users."""


def is_table(op: Operation) -> bool:
    """Whether an operation holds symbols."""
    return bool(op.regions) and _is_table_class(type(op))


@cache
def _is_table_class(cls: type[Operation]) -> bool:
    return cls.has_trait(SymbolTable)


def tables(op: Operation) -> Iterator[Operation]:
    """An operation, if it holds symbols, and those in it that do."""
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                if inner.regions:
                    yield from tables(inner)
    if is_table(op):
        yield op


def name_of(op: Operation) -> str | None:
    """The symbol that an operation defines; None when it defines none."""
    name = inherent(op, "sym_name")
    return name.data if isinstance(name, StringAttr) else None


def named(op: Operation) -> Iterator[str]:
    """What an operation and those in it name by one symbol each, as upstream walks them: by the attributes' names."""
    for inner in op.walk():
        for _, value in sorted({**inner.properties, **inner.attributes}.items()):
            yield from _named(value)


def _named(value: Attribute) -> Iterator[str]:
    if isinstance(value, SymbolRefAttr):
        if not value.nested_references.data:
            yield value.root_reference.data
    elif isinstance(value, ParametrizedAttribute):
        for part in value.parameters:
            yield from _named(part)
    elif isinstance(value, ArrayAttr | DictionaryAttr):
        parts = value.data.values() if isinstance(value, DictionaryAttr) else cast("ArrayAttr[Attribute]", value)
        for part in parts:
            yield from _named(part)


def redefined(table: Operation) -> Iterator[Operation]:
    """The operations of a table whose symbol stands there already."""
    seen: set[str] = set()
    for op in table.regions[0].block.ops:
        name = name_of(op)
        if name is None:
            continue
        if name in seen:
            yield op
        seen.add(name)


def users(table: Operation) -> Iterator[tuple[Operation, User]]:
    """The operations of a table that name symbols, outside the tables in it, and what checks each."""
    for region in table.regions:
        for block in region.blocks:
            for op in block.ops:
                found = _user(op.name)
                if found is not None:
                    yield op, found
                if op.regions and not is_table(op):
                    yield from users(op)


@cache
def _user(name: str) -> User | None:
    module = _USERS.get(name.partition(".")[0])
    return None if module is None else import_module(module).USERS.get(name)


def _in_table(table: Operation, name: str) -> Operation | None:
    if _indexed is None:
        return next((op for op in table.regions[0].block.ops if name_of(op) == name), None)
    found = _indexed.get(table)
    if found is None:
        found = _indexed[table] = {}
        for op in table.regions[0].block.ops:
            symbol = name_of(op)
            if symbol is not None:
                found.setdefault(symbol, op)
    return found.get(name)


_indexed: dict[Operation, dict[str, Operation]] | None = None
"""The symbols of the tables that were looked at, while all users of symbols are checked and nothing changes."""


def lookup(op: Operation, reference: Attribute | None) -> Operation | None:
    """What a reference names in the table around an operation; None when there is no such symbol."""
    table: Operation | None = op
    while table is not None and not is_table(table):
        table = table.parent_op()
    if table is None or not isinstance(reference, SymbolRefAttr):
        return None
    found = _in_table(table, reference.root_reference.data)
    for nested in reference.nested_references.data:
        if found is None or not is_table(found):
            return None
        found = _in_table(found, nested.data)
    return found


def check_users(table: Operation) -> tuple[Operation, VerifyException] | None:
    """The first operation of a table that names a symbol wrongly, and what is wrong."""
    global _indexed
    outer, _indexed = _indexed, {}
    try:
        for op, check in users(table):
            try:
                check(op)
            except VerifyException as error:
                return op, error
    finally:
        _indexed = outer
    return None
