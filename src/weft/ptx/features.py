"""What a module uses outside its instructions and does not find everywhere: types, attributes, values, directives.

The windows are ptxas's own answers, and the PTX manual's where they lie below what ptxas still assembles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import prod
from typing import NamedTuple

from weft.isa.directives import DIRECTIVES
from weft.isa.target import TARGETS, Version, Window, window
from weft.isa.types import size_of
from weft.ptx.ast import (
    Directive,
    Function,
    Instruction,
    Label,
    Module,
    Parameter,
    RegisterDeclaration,
    Section,
    Statement,
    Variable,
)
from weft.ptx.debug import DIFFERENCE, contents
from weft.ptx.directive_nodes import Alias, Attribute, CallPrototype, File, Loc, Pragma, TargetList
from weft.ptx.header import find_header
from weft.ptx.values import AddressByte, Value, ValueList


class Feature(NamedTuple):
    """One use: what it is, where it exists, and its offset in the text."""

    text: str
    window: Window
    pos: int


FUNCTION_DIRECTIVES = {
    name: DIRECTIVES[f".{name}"].window
    for name in (
        *("maxntid", "maxnreg", "maxnctapersm", "minnctapersm", "reqntid", "pragma", "local_maxnreg", "noreturn"),
        *("abi_preserve", "abi_preserve_control"),
        *("explicitcluster", "reqnctapercluster", "maxclusterrank", "blocksareclusters"),
    )
}
"""The directives of functions, and of prototypes, that do not exist everywhere."""

FEW_PARAMETER_BYTES = 4352
"""What a kernel's parameters may take everywhere."""

MANY_PARAMETERS = window("8.1", "70+")
"""Where they may take more."""

NARROW = Window(
    Version(2, 3), frozenset(name for name, target in TARGETS.items() if target.number < 75), until=Version(7, 8)
)
"""Where addresses may have 32 bits: no ptxas that knows PTX 8.0 assembles such code."""

_BANK = window("1.0", until="2.1")
_BANKS = window("1.5", until="2.1")
_OPAQUE = window("1.5")
_TYPES = {
    "b128": window("8.3", "70+"),
    "f16x2": window("4.2", "53+"),
    **dict.fromkeys(("texref", "samplerref", "surfref"), _OPAQUE),
}
_POINTER = window("2.2")
_UNSIZED = window("6.0", "30+")
_KERNEL_PARAMETER = window("1.4")
_FUNCTION_PARAMETER = window("2.0", "20+")
_BODY_PARAMETER = window("2.0")
_LINKAGES = {"common": window("5.0"), "weak": window("3.1")}
_ATTRIBUTES = {"managed": window("4.0", "30+"), "unified": window("8.0", "90+")}
_PRAGMAS = {
    "used_bytes_mask": window("8.3", "50+"),
    "frequency": window("9.0"),
    "enable_smem_spilling": window("8.7", "75+"),
}
_LABELLED = {name: DIRECTIVES[f".{name}"].window for name in ("branchtargets", "calltargets", "callprototype")}
_ADDRESS_SIZE = window("2.3")
_KERNEL_PROTOTYPE = window("3.0")
_STAMPED = window("3.2")
_SECTION = window("2.0")
_SECTION_LABEL = window("7.0")
_SECTION_SIGN = window("7.5")
_SECTION_SUM = window("3.2")
_ALIAS = window("6.3", "30+")
_MASKS = window("7.1")
_ADDRESSES = window("2.1")
_GENERIC = window("3.1")
INLINED = window("7.0")
INLINED_AT = ".loc with inlined_at"
_PRAGMA = re.compile(r"(\w+)", re.ASCII)
_NAME = re.compile(r"(?<![\w.])(?!WARP_SZ)[A-Za-z_$%]", re.ASCII)
_OPAQUE_TYPES = ("texref", "samplerref", "surfref")
_NO_TWINS: Mapping[int, Function] = {}


def features(module: Module, twins: Mapping[int, Function] = _NO_TWINS) -> Iterator[Feature]:
    """Everything in a module, outside its instructions, that does not exist everywhere.

    `twins` has, by identity of functions, others whose statements stand for theirs.
    """
    if module.address_size is not None and (module.address_size == 32 or module.version < (2, 3)):
        header = find_header(module.source or "")
        pos = header.address_size if header is not None else -1
        yield Feature(".address_size", _ADDRESS_SIZE, pos)
        if module.address_size == 32:
            yield Feature(".address_size 32", NARROW, pos)
    for item in module.items:
        if isinstance(item, Function):
            yield from function_features(item)
            yield from statements_features(twins.get(id(item), item))
        elif isinstance(item, Section):
            yield from _section(item)
        else:
            yield from statement_features(item)


def statements_features(function: Function) -> Iterator[Feature]:
    """What the declarations and directives in a body use."""
    for statement in function.walk():
        if type(statement) is not Instruction and type(statement) is not Label:
            yield from statement_features(statement)


def function_features(function: Function) -> Iterator[Feature]:
    """What a function's directives, attributes and parameters use."""
    for directive in function.directives:
        yield from _known(FUNCTION_DIRECTIVES, directive.name, directive.pos)
    if function.kernel and not function.defined:
        yield Feature("a kernel without a body", _KERNEL_PROTOTYPE, function.pos)
    yield from _attributes(function.attributes, function.pos)
    yield from _known(_LINKAGES, function.linkage, function.pos)
    for parameter in (*function.returns, *function.parameters):
        yield from _parameter(parameter, kernel=function.kernel, outside=function.linkage == "extern")
    size = parameter_bytes(function.parameters) if function.kernel else 0
    if size > FEW_PARAMETER_BYTES:
        yield Feature(f"{size} bytes of parameters", MANY_PARAMETERS, function.pos)


def _parameter(parameter: Parameter, *, kernel: bool, outside: bool = False) -> Iterator[Feature]:
    """What a parameter of a function, or of one that is `outside` the module, uses."""
    yield from _type(parameter, parameter.pos, outside=outside)
    if parameter.pointer is not None:
        yield Feature(".ptr", _POINTER, parameter.pos)
    if any(extent < 0 for extent in parameter.dims):
        yield Feature("a parameter without extent", _UNSIZED, parameter.pos)
    if parameter.space == "param" and not kernel:
        yield Feature("a function's .param", _FUNCTION_PARAMETER, parameter.pos)
    elif kernel:
        yield Feature("a kernel's parameter", _KERNEL_PARAMETER, parameter.pos)


def _type(declared: Variable | Parameter, pos: int, *, outside: bool = False) -> Iterator[Feature]:
    """The type of a variable or parameter, where ptxas looks at it: of arrays and functions `outside` at `.f16x2`."""
    seldom = declared.type == "f16x2"
    if not declared.vector and (seldom or not (declared.dims or outside)):
        yield from _known(_TYPES, declared.type, pos)


def parameter_bytes(parameters: list[Parameter]) -> int:
    """The bytes that a kernel's parameters take."""
    end = 0
    for parameter in parameters:
        size = size_of(parameter.type)
        end += -end % (parameter.align or size or 1) + size * prod(parameter.dims)
    return end


def _known(windows: dict[str, Window], name: str, pos: int) -> Iterator[Feature]:
    found = windows.get(name)
    if found is not None:
        yield Feature(f".{name}", found, pos)


def _attributes(attributes: tuple[Attribute, ...], pos: int) -> Iterator[Feature]:
    for attribute in attributes:
        yield from _known(_ATTRIBUTES, attribute.name, pos)


def statement_features(statement: Statement) -> Iterator[Feature]:
    """What a declaration or directive uses."""
    if isinstance(statement, RegisterDeclaration):
        if not statement.vector:
            yield from _known(_TYPES, statement.type, statement.pos)
    elif isinstance(statement, Variable):
        yield from _type(statement, statement.pos)
        yield from _known(_LINKAGES, statement.linkage, statement.pos)
        yield from _attributes(statement.attributes, statement.pos)
        if statement.space == "param":
            yield Feature(".param in a body", _BODY_PARAMETER, statement.pos)
        if "[" in statement.space:
            banks = _BANKS if int(statement.space[6:-1]) else _BANK
            yield Feature(f".{statement.space}", banks, statement.pos)
        if statement.initializer is not None:
            yield from _initial(statement)
    elif isinstance(statement, Directive):
        yield from _directive(statement)
    elif isinstance(statement, TargetList):
        yield from _known(_LABELLED, statement.name, statement.pos)
    elif isinstance(statement, CallPrototype):
        yield from _known(_LABELLED, statement.name, statement.pos)
        for parameter in (*statement.returns, *statement.parameters):
            for text, window, _ in _parameter(parameter, kernel=False, outside=True):
                yield Feature(text, window, statement.pos)
        for directive in statement.directives:
            yield from _known(FUNCTION_DIRECTIVES, directive.name, statement.pos)


def _section(section: Section) -> Iterator[Feature]:
    yield Feature(".section", _SECTION, section.pos)
    found = contents(section)
    lines = found.odd
    if any(line[-1] == ":" for line in lines):
        yield Feature("a label in .section", _SECTION_LABEL, section.pos)
    if any(" -" in line for line in lines):
        yield Feature("a negative number in .section", _SECTION_SIGN, section.pos)
    if any("-" in line and DIFFERENCE.fullmatch(line) for line in lines):
        yield Feature("a difference of labels in .section", _SECTION_SIGN, section.pos)
    if found.has_sums():
        yield Feature("a label and a number in .section", _SECTION_SUM, section.pos)


def _directive(directive: Directive) -> Iterator[Feature]:
    if isinstance(directive, Loc):
        if directive.location.inlined is not None:
            yield Feature(INLINED_AT, INLINED, directive.pos)
    elif isinstance(directive, Alias):
        yield Feature(".alias", _ALIAS, directive.pos)
    elif isinstance(directive, File):
        if directive.timestamp is not None:
            yield Feature(".file with a time stamp", _STAMPED, directive.pos)
    elif isinstance(directive, Pragma):
        yield from _known(FUNCTION_DIRECTIVES, "pragma", directive.pos)
        for text in directive.texts:
            word = _PRAGMA.match(text)
            if word is not None and word[1] in _PRAGMAS:
                yield Feature(f'.pragma "{word[1]}"', _PRAGMAS[word[1]], directive.pos)


def _initial(variable: Variable) -> Iterator[Feature]:
    """What the addresses in an initial value need."""
    text = str(variable.initializer)
    if _NAME.search(text) is None or variable.type in _OPAQUE_TYPES:
        return
    yield Feature("an address as a value", _ADDRESSES, variable.pos)
    if "generic(" in text:
        yield Feature("generic()", _GENERIC, variable.pos)
    if _has_address_byte(variable.initializer):
        yield Feature("a byte of an address as a value", _MASKS, variable.pos)


def _has_address_byte(value: Value | None) -> bool:
    if isinstance(value, ValueList):
        return "(" in str(value) and any(isinstance(leaf, AddressByte) for leaf in value.leaves())
    return isinstance(value, AddressByte)
