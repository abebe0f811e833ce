"""Attributes that are one word of several, or none, as rows of a table; a class is made when somebody asks for it.

    mnemonic syntax Enum words... | upstream's summary

A row begins in the first column, and what is indented goes on with it; several mnemonics have commas between them. The
syntax is `<>` for a word in angle brackets (`#nvvm.mem_scope<cta>`), `-` for a bare one (`#nvvm<shfl_kind up>`); what
has no words is a type, `!` (`!gpu.async.token`), or an attribute, `#` (`#llvm.zero`). The enumeration's name is
upstream's, which says it in errors.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import new_class
from typing import Any, cast

from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, OpaqueSyntaxAttribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.str_enum import StrEnum

from weft.dialects.formats import AngleBrackets, Keyword

Word = EnumAttribute[Any]
"""An attribute that is one word."""


DIALECTS = ("gpu", "index", "llvm", "nvgpu", "nvvm", "vector")
"""The dialects that have such rows."""


@cache
def rows(dialect: str) -> Mapping[str, str]:
    """The rows of a dialect's attributes, by the mnemonic."""
    table: str = import_module(f"weft.dialects.{dialect}.attributes").ROWS
    split = (row.split(None, 1) for row in re.split(r"\n(?=\S)", table.strip()))
    return {name: row for names, row in split for name in names.split(",")}


def is_row(name: str) -> bool:
    """Whether an attribute of this full name is a row."""
    dialect, _, mnemonic = name.partition(".")
    return dialect in DIALECTS and mnemonic in rows(dialect)


def is_type(name: str) -> bool:
    """Whether an attribute of this full name is a row, and that of a type."""
    dialect, _, mnemonic = name.partition(".")
    return is_row(name) and rows(dialect)[mnemonic].startswith("!")


def summary(name: str) -> str | None:
    """What upstream calls an attribute by its full name (`nvvm.mem_scope`); None when no row says it."""
    dialect, _, mnemonic = name.partition(".")
    return " ".join(rows(dialect)[mnemonic].partition("|")[2].split()) or None if is_row(name) else None


@cache
def attr_class(name: str) -> type[Any]:
    """The class of an attribute by its full name.

    Raises:
        KeyError: no row is of it.
    """
    dialect, _, mnemonic = name.partition(".")
    syntax, *words = rows(dialect)[mnemonic].partition("|")[0].split()
    module = f"weft.dialects.{dialect}.attributes"
    if syntax in ("!", "#"):
        kinds = (ParametrizedAttribute, TypeAttribute) if syntax == "!" else (ParametrizedAttribute,)
        called = "".join(part.capitalize() for part in re.split(r"[._]", mnemonic))
        return irdl_attr_definition(
            new_class(called, kinds, exec_body=lambda s: s.update(name=name, __module__=module))
        )
    enum, *words = words
    members = StrEnum(enum, {word.upper().replace(".", "_"): word for word in words}, module=module)
    bases = (
        (AngleBrackets, EnumAttribute[members])
        if syntax == "<>"
        else (Keyword, EnumAttribute[members], OpaqueSyntaxAttribute)
    )
    made = new_class(f"{enum}Attr", bases, exec_body=lambda space: space.update(name=name, __module__=module))
    return irdl_attr_definition(made)


def plain(name: str) -> Attribute:
    """The type, or the attribute, without parameters of this full name: `gpu.async.token`.

    Raises:
        KeyError: no row is of it.
    """
    return attr_class(name)()


@cache
def attr(name: str, word: str) -> Word:
    """The attribute with this word: `attr("nvvm.mem_scope", "cta")`.

    Raises:
        KeyError: no row is of it.
        ValueError: it has no such word.
    """
    made = attr_class(name)
    return made(made.enum_type(word))


def word_of(attribute: object, name: str) -> str | None:
    """The word of an attribute of this name; None of any other."""
    made = attr_class(name)
    return str(cast("Any", attribute).data.value) if isinstance(attribute, made) else None
