"""Readers of what holds code: modules and functions of `builtin`, `func` and `gpu`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.parser import Parser

from weft.mlir.reader.attributes import attribute
from weft.mlir.reader.tokens import Unread

if TYPE_CHECKING:
    from weft.mlir.reader.formatted import Make
    from weft.mlir.reader.reader import Read, Reader

_UNIT = UnitAttr()
_Dictionary = dict[str, Attribute]


def _symbol(token: str) -> StringAttr:
    """The name behind an `@`."""
    if token[0] != "@" or len(token) == 1:
        raise Unread
    return StringAttr(token[1:])


def _attributes(reader: Reader, index: int, reserved: frozenset[str] = frozenset()) -> tuple[_Dictionary, int]:
    """`attributes {...}`, if it is there."""
    if reader.tokens[index] != "attributes":
        return {}, index
    if reader.tokens[index + 1] != "{":
        raise Unread
    found, index = reader.dictionary(index + 1)
    if not reserved.isdisjoint(found):
        raise Unread
    return found, index


def _dictionaries(attributes: Sequence[_Dictionary]) -> ArrayAttr[DictionaryAttr]:
    return ArrayAttr([DictionaryAttr(entry) for entry in attributes])


# Modules


def _with_a_block(region: Region) -> Region:
    """The region of a module, which has a block even if there is nothing in it."""
    if not region.blocks:
        region.add_block(Block())
    return region


def _module(cls: type[Operation]) -> Read:
    """`@name? (attributes {...})? { ... }`."""

    def read(reader: Reader, index: int) -> Operation:
        properties: _Dictionary = {}
        if reader.tokens[index][0] == "@":
            properties["sym_name"] = _symbol(reader.tokens[index])
            index += 1
        attributes, index = _attributes(reader, index)
        region, index = reader.region(cls, index)
        return reader.finish(cls, index, (), (), properties, attributes, [_with_a_block(region)])

    return read


def _gpu_module(cls: type[Operation]) -> Read:
    """`@name ([targets])? (attributes {...})? { ... }`."""

    def read(reader: Reader, index: int) -> Operation:
        tokens = reader.tokens
        properties: _Dictionary = {"sym_name": _symbol(tokens[index])}
        index += 1
        if tokens[index] == "[":
            targets: list[Attribute] = []
            while tokens[index] != "]":
                target, index = attribute(reader, index + 1)
                targets.append(target)
                if tokens[index] not in "],":
                    raise Unread
            properties["targets"] = ArrayAttr(targets)
            index += 1
        attributes, index = _attributes(reader, index)
        region, index = reader.region(cls, index)
        return reader.finish(cls, index, (), (), properties, attributes, [_with_a_block(region)])

    return read


# Functions


class _Arguments(NamedTuple):
    """What is between the parentheses of a function."""

    named: list[Parser.Argument]
    types: list[Attribute]
    attributes: list[_Dictionary]


def _arguments(reader: Reader, index: int, *, unnamed: bool = False) -> tuple[_Arguments, int]:
    """`(%name: type {attributes}, ...)`; the names may be missing from all if `unnamed`."""
    tokens = reader.tokens
    found = _Arguments([], [], [])
    index = reader.expect(index, "(")
    if tokens[index] == ")":
        return found, index + 1
    unnamed = unnamed and tokens[index][0] != "%"
    while True:
        name = index
        if not unnamed and tokens[index + 1] != ":":
            raise Unread
        kind, index = reader.type(index if unnamed else index + 2)
        if not unnamed:
            found.named.append(reader.argument(name, kind))
        found.types.append(kind)
        attributes, index = reader.dictionary(index)
        found.attributes.append(attributes)
        if tokens[index] == ")":
            return found, index + 1
        index = reader.expect(index, ",")


def _results(reader: Reader, index: int) -> tuple[list[Attribute], list[_Dictionary], int]:
    """`-> type` or `-> (type {attributes}, ...)`, if it is there."""
    tokens = reader.tokens
    if tokens[index] != "->":
        return [], [], index
    if tokens[index + 1] != "(":
        kind, index = reader.type(index + 1)
        return [kind], [], index
    types: list[Attribute] = []
    attributes: list[_Dictionary] = []
    index += 2
    if tokens[index] == ")":
        return types, attributes, index + 1
    while True:
        kind, index = reader.type(index)
        types.append(kind)
        found, index = reader.dictionary(index)
        attributes.append(found)
        if tokens[index] == ")":
            return types, attributes, index + 1
        index = reader.expect(index, ",")


_RESERVED = frozenset(("sym_name", "function_type", "sym_visibility"))


def _notes(arguments: _Arguments, results: Sequence[_Dictionary]) -> _Dictionary:
    """`arg_attrs` and `res_attrs`, where there are any."""
    named = (("arg_attrs", arguments.attributes), ("res_attrs", results))
    return {name: _dictionaries(attributes) for name, attributes in named if any(attributes)}


def _function(cls: type[Operation]) -> Read:
    """`visibility? @name(arguments) (-> results)? (attributes {...})? ({ ... })?`."""

    def read(reader: Reader, index: int) -> Operation:
        tokens = reader.tokens
        visibility = tokens[index] if tokens[index] in ("public", "nested", "private") else None
        index += visibility is not None
        properties: _Dictionary = {} if visibility is None else {"sym_visibility": StringAttr(visibility)}
        properties["sym_name"] = _symbol(tokens[index])
        arguments, index = _arguments(reader, index + 1, unnamed=True)
        outputs, output_attributes, index = _results(reader, index)
        attributes, index = _attributes(reader, index, _RESERVED)
        properties["function_type"] = FunctionType.from_lists(arguments.types, outputs)
        properties |= _notes(arguments, output_attributes)
        region = Region()
        if tokens[index] == "{":
            region, index = reader.region(cls, index, arguments.named or None)
            if not region.blocks:
                raise Unread
        return reader.finish(cls, index, (), (), properties, attributes, [region])

    return read


def llvm_function(cls: type[Operation]) -> Read:
    """`linkage? @name(arguments) (-> result)? (attributes {...})? ({ ... })?`."""
    from xdsl.dialects.llvm import CallingConventionAttr, LinkageAttr, LLVMFunctionType, LLVMVoidType

    from weft.dialects.engine.definitions import kept
    from weft.dialects.llvm.function import LINKAGES
    from weft.dialects.llvm.kinds import is_compatible

    zero = IntegerAttr(0, i64)
    convention = CallingConventionAttr("ccc")
    linkages = {word: LinkageAttr(word) for word in LINKAGES}

    def read(reader: Reader, index: int) -> Operation:
        tokens = reader.tokens
        linkage = linkages.get(tokens[index])
        properties: _Dictionary = {"linkage": linkage or linkages["external"], "visibility_": zero}
        properties |= {"unnamed_addr": zero, "CConv": convention}
        index += linkage is not None
        properties["sym_name"] = _symbol(tokens[index])
        arguments, index = _arguments(reader, index + 1, unnamed=True)
        outputs, output_attributes, index = _results(reader, index)
        if len(outputs) > 1 or not all(map(is_compatible, (*arguments.types, *outputs))):
            raise Unread
        if tokens[index] in ("vscale_range", "comdat"):
            raise Unread
        output = outputs[0] if outputs else LLVMVoidType()
        properties["function_type"] = LLVMFunctionType(arguments.types, output)
        properties |= _notes(arguments, output_attributes)
        written, index = _attributes(reader, index)
        found, attributes = kept(cls.name, written)
        properties |= found
        region = Region()
        if tokens[index] == "{":
            region, index = reader.region(cls, index, arguments.named or None)
        return reader.finish(cls, index, (), (), properties, attributes, [region])

    return read


_GPU_RESERVED = frozenset(("sym_name", "function_type", "gpu.kernel"))


def _gpu_function(cls: type[Operation]) -> Read:
    """`@name(arguments) (-> results)? workgroup(...)? private(...)? kernel? (attributes {...})? { ... }`."""

    def read(reader: Reader, index: int) -> Operation:
        tokens = reader.tokens
        attributes: _Dictionary = {"sym_name": _symbol(tokens[index])}
        arguments, index = _arguments(reader, index + 1)
        outputs, output_attributes, index = _results(reader, index)
        values = arguments.named
        named = [("arg_attrs", arguments.attributes), ("res_attrs", output_attributes)]
        shared = 0
        for word in ("workgroup", "private"):
            if tokens[index] == word:
                buffers, index = _arguments(reader, index + 1)
                values = [*values, *buffers.named]
                named.append((f"{word}_attrib_attrs", buffers.attributes))
                shared += len(buffers.named) if word == "workgroup" else 0
        if tokens[index] == "kernel":
            attributes["gpu.kernel"] = _UNIT
            index += 1
        attributes["workgroup_attributions"] = IntegerAttr(shared, i64)
        extra, index = _attributes(reader, index, _GPU_RESERVED)
        attributes |= extra
        properties: _Dictionary = {"function_type": FunctionType.from_lists(arguments.types, outputs)}
        properties |= {name: _dictionaries(found) for name, found in named if any(found)}
        for name in ("known_block_size", "known_grid_size"):
            if name in attributes:
                properties[name] = attributes.pop(name)
        region, index = reader.region(cls, index, values)
        if len(region.blocks) == 1 and region.block.is_empty:
            raise Unread
        return reader.finish(cls, index, (), (), properties, attributes, [region])

    return read


READERS: Mapping[str, Make] = {
    "builtin.module": _module,
    "func.func": _function,
    "gpu.func": _gpu_function,
    "gpu.module": _gpu_module,
}
"""What makes the reader of an operation from its class."""
