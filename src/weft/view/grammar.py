"""TextMate grammars for PTX, MLIR and SASS, made from the tables and lexers: for VS Code and all that takes such."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from pygments.token import Comment, Keyword, Name, Number, String

from weft.isa.directives import DIRECTIVES
from weft.isa.registers import ELEMENT_NAMES, SPECIAL_REGISTERS
from weft.isa.registry import stems
from weft.isa.types import TYPES
from weft.view.lexers import MlirLexer, SassLexer

_ELEMENT = rf"(?:\.[{ELEMENT_NAMES}](?!\w))?"
_HEXADECIMAL = r"0[xX][0-9A-Fa-f]+U?|0[fF][0-9A-Fa-f]{8}|0[dD][0-9A-Fa-f]{16}|0[bB][01]+U?"


def _any(words: Iterable[str]) -> str:
    """A pattern for words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


def _repository() -> dict[str, Any]:
    special = [name for name in SPECIAL_REGISTERS if "." not in name]
    mnemonics = {stem.partition(".")[0] for stem in stems()}
    modifiers = [
        {"match": rf"\.(?:{_any(TYPES)})(?![\w:])", "name": "storage.type.ptx"},
        {"match": r"\.[\w:]+", "name": "support.constant.modifier.ptx"},
    ]
    return {
        "comment": {
            "patterns": [
                {"match": r"//.*$", "name": "comment.line.double-slash.ptx"},
                {"begin": r"/\*", "end": r"\*/", "name": "comment.block.ptx"},
            ]
        },
        "string": {"match": r'"[^"]*"', "name": "string.quoted.double.ptx"},
        "label": {"match": r"^\s*([A-Za-z_$%][\w$]*)\s*:(?!:)", "captures": {"1": {"name": "entity.name.label.ptx"}}},
        "function": {
            "match": r"(\.(?:entry|func))\s+(?:\([^)]*\)\s*)?([A-Za-z_$%][\w$]*)",
            "captures": {"1": {"name": "keyword.other.directive.ptx"}, "2": {"name": "entity.name.function.ptx"}},
        },
        "opcode": {
            "match": rf"(?<![%$\w.])({_any(mnemonics)})((?:\.[\w:]+)*)(?![\w$])",
            "captures": {"1": {"name": "keyword.operator.opcode.ptx"}, "2": {"patterns": modifiers}},
        },
        "special": {"match": rf"(?:{_any(special)}){_ELEMENT}(?![\w$])", "name": "variable.language.ptx"},
        "register": {"match": rf"%[\w$]+{_ELEMENT}", "name": "variable.other.register.ptx"},
        "directive": {"match": rf"(?:{_any(DIRECTIVES)})(?![\w:])", "name": "keyword.other.directive.ptx"},
        "type": {"match": rf"\.(?:{_any(TYPES)})(?![\w:])", "name": "storage.type.ptx"},
        "number": {
            "match": rf"(?<![\w$%.])(?:{_HEXADECIMAL}|\d+\.\d*(?:[eE][-+]?\d+)?|\d+U?)(?![\w$])",
            "name": "constant.numeric.ptx",
        },
        "guard": {"match": r"@!?", "name": "keyword.control.guard.ptx"},
    }


_ORDER = (
    *("comment", "string", "function", "label", "opcode", "special", "register"),
    *("directive", "type", "number", "guard"),
)


def ptx_grammar() -> dict[str, Any]:
    """The grammar of `source.ptx`."""
    return {
        "name": "PTX",
        "scopeName": "source.ptx",
        "fileTypes": ["ptx"],
        "patterns": [{"include": f"#{name}"} for name in _ORDER],
        "repository": _repository(),
    }


def inline_grammar() -> dict[str, Any]:
    """The grammar that colours PTX inside the strings of `asm` in C++ and CUDA."""
    kept = ("opcode", "special", "register", "directive", "type", "number", "guard")
    repository = {name: rule for name, rule in _repository().items() if name in kept}
    operand = {"match": r"%(?:\d+|\[\w+\]|%)", "name": "variable.parameter.operand.ptx"}
    return {
        "name": "PTX in asm strings",
        "scopeName": "inline.ptx",
        "injectionSelector": "L:meta.asm string.quoted.double",
        "patterns": [{"include": "#operand"}, *({"include": f"#{name}"} for name in kept)],
        "repository": {"operand": operand, **repository},
    }


_SCOPES: dict[object, str] = {
    Comment: "comment.line",
    Comment.Single: "comment.line.double-slash",
    Comment.Special: "comment.line.control",
    String: "string.quoted.double",
    Name.Variable: "variable.other",
    Name.Variable.Magic: "variable.language",
    Name.Label: "entity.name.label",
    Name.Function: "entity.name.function",
    Name.Constant: "entity.name.type",
    Name.Builtin: "support.function",
    Name.Attribute: "support.constant.modifier",
    Name.Decorator: "keyword.control.guard",
    Keyword.Type: "storage.type",
    Keyword: "keyword.other",
    Number: "constant.numeric",
}


def lexed_grammar(lexer: type[MlirLexer | SassLexer], scope: str) -> dict[str, Any]:
    """The grammar `source.<scope>`: the rules of a Pygments lexer that give a whole match one colour."""
    rules = [(pattern, _SCOPES.get(token)) for pattern, token in lexer.tokens["root"]]
    return {
        "name": lexer.name,
        "scopeName": f"source.{scope}",
        "patterns": [{"match": pattern, "name": f"{name}.{scope}"} for pattern, name in rules if name],
    }
