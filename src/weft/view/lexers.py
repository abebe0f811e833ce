"""Pygments lexers for PTX, SASS and MLIR, made from the tables: for documents, terminals and notebooks.

They are entry points of Pygments. It asks its own lexers for a name first, and has others called `ptx` and `sass` (of
style sheets); those of this module are `weft-ptx`, with priority for files `*.ptx`, `weft-sass` and `mlir`. Sphinx
takes them for the short names through `app.add_lexer`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups, words  # pyright: ignore[reportUnknownVariableType]
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Whitespace,
    _TokenType,  # pyright: ignore[reportPrivateUsage] - Pygments has no other name for its type.
)

from weft.isa.directives import DIRECTIVES
from weft.isa.registers import SPECIAL_REGISTERS
from weft.isa.registry import stems
from weft.isa.types import TYPES
from weft.ptx.lexical import COMMENT, IDENTIFIER, MODIFIER, NUMBER, STRING

Found = Iterator[tuple[int, _TokenType, str]]

MNEMONICS = frozenset(stem.partition(".")[0] for stem in stems())
"""The first words of all opcodes."""

_PARTS = re.compile(r"\.[^.]+")


def _modified(lexer: RegexLexer, match: re.Match[str], context: Any = None) -> Found:
    """An opcode: its mnemonic, and each of its modifiers by what it is."""
    mnemonic = match[1]
    yield match.start(1), Keyword if mnemonic in MNEMONICS else Name, mnemonic
    for part in _PARTS.finditer(match[2]):
        yield match.start(2) + part.start(), Keyword.Type if part[0][1:] in TYPES else Name.Attribute, part[0]


def _dotted(lexer: RegexLexer, match: re.Match[str], context: Any = None) -> Found:
    """A word with a dot that stands alone: a directive, a type, or a component of a register."""
    word = match[0]
    kind = Keyword.Declaration if word in DIRECTIVES else Keyword.Type if word[1:] in TYPES else Name.Attribute
    yield match.start(), kind, word


def _percent(lexer: RegexLexer, match: re.Match[str], context: Any = None) -> Found:
    word = match[0]
    yield match.start(), Name.Variable.Magic if word in SPECIAL_REGISTERS else Name.Variable, word


class PtxLexer(RegexLexer):
    """NVIDIA PTX."""

    name = "PTX"
    url = "https://docs.nvidia.com/cuda/parallel-thread-execution/"
    aliases: ClassVar[Sequence[str]] = ["weft-ptx", "ptx"]
    filenames: ClassVar[Sequence[str]] = ["*.ptx"]
    mimetypes: ClassVar[Sequence[str]] = ["text/x-ptx"]
    priority = 1.0
    flags = re.MULTILINE | re.ASCII

    tokens: ClassVar[dict[str, list[Any]]] = {
        "root": [
            (r"[ \t\r\n\f\x1a]+", Whitespace),
            (COMMENT.pattern, Comment),
            (STRING, String),
            (rf"({IDENTIFIER})(:)(?!:)", bygroups(Name.Label, Punctuation)),
            # `.sp::2:4` goes on behind its last colon.
            (rf"(?!%)({IDENTIFIER})((?:{MODIFIER}(?::\d)?|\.\d\w*)+)", _modified),
            (words(sorted(MNEMONICS, key=len, reverse=True), prefix=r"(?<![%$\w.])", suffix=r"(?=[ \t;])"), Keyword),
            (rf"%{IDENTIFIER}|%[\w$]+", _percent),
            (NUMBER, Number),
            (rf"{MODIFIER}|\.\d\w*", _dotted),
            (rf"{IDENTIFIER}|WARP_SZ|_", Name),
            (r"[{}()\[\],;:]", Punctuation),
            (r"[-+*/~!<>&|^?=@.]", Operator),
            (r".", Text),  # What is not PTX: the verifier says so, not a colour.
        ]
    }


_CONTROL = r"B[-\d]{6}:R[-\d]:W[-\d]:[-Y]:S\d\d"


class SassLexer(RegexLexer):
    """Machine code of NVIDIA's GPUs as nvdisasm, cuobjdump and `weft sass` print it."""

    name = "SASS"
    aliases: ClassVar[Sequence[str]] = ["weft-sass", "nvsass"]
    filenames: ClassVar[Sequence[str]] = ["*.nvsass"]
    mimetypes: ClassVar[Sequence[str]] = ["text/x-sass"]
    flags = re.MULTILINE | re.ASCII

    tokens: ClassVar[dict[str, list[Any]]] = {
        "root": [
            (r"^([ \t]*)(PTX[ \t]+\d+)([^\n]*)", bygroups(Whitespace, Comment.Special, Comment)),
            (r"\n|[^\S\n]+", Whitespace),
            (r"/\*[\s\S]*?\*/|//[^\n]*", Comment),
            (_CONTROL, Comment.Special),
            (r'"[^"\n]*"', String),
            (r"(\.[\w.$@]+|[\w.$]+)(:)(?=\s|$)", bygroups(Name.Label, Punctuation)),
            (r"@!?U?P(?:\d+|T)\b", Name.Decorator),
            (r"\bSR_[\w.]+", Name.Variable.Magic),
            (r"[!~|-]?\b(?:U?R(?:\d+|Z)|U?P(?:\d+|T)|SB\d|B\d+)(?:\.\w+)*\b", Name.Variable),
            (r"\bc?x?\[0x[0-9a-f]+\](?=\[)|\bc\b(?=\[)|\bdesc\b", Name.Constant),
            (r"-?\b0x[0-9a-fA-F]+\b|(?<![\w.])[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\b|[-+]?(?:INF|QNAN)\b", Number),
            (r"\b[A-Z][A-Z0-9_]+(?=[. ;\n]|$)", Keyword),
            (r"\.[\w:@$]+", Name.Attribute),
            (r"[\w$]+", Name),
            (r"[{}()\[\],;:┃`]", Punctuation),
            (r"[-+*/~!<>&|^?=@.#%\\]", Operator),
            (r".", Text),
        ]
    }


class MlirLexer(RegexLexer):
    """MLIR in the syntax of its dialects and in the generic one."""

    name = "MLIR"
    url = "https://mlir.llvm.org/"
    aliases: ClassVar[Sequence[str]] = ["mlir"]
    filenames: ClassVar[Sequence[str]] = ["*.mlir"]
    mimetypes: ClassVar[Sequence[str]] = ["text/x-mlir"]
    flags = re.MULTILINE

    tokens: ClassVar[dict[str, list[Any]]] = {
        "root": [
            (r"\s+", Whitespace),
            (r"//[^\n]*", Comment.Single),
            (r'"(?:[^"\\\n]|\\.)*"', String),
            (r"%[\w$.-]+(?:#\d+)?", Name.Variable),
            (r"\^[\w$.-]+", Name.Label),
            (r'@(?:"(?:[^"\\\n]|\\.)*"|[\w$.-]+)', Name.Function),
            (r"[#!][A-Za-z_][\w$.]*", Name.Constant),
            (
                r"\b(?:dense|dense_resource|sparse|affine_map|affine_set|loc|opaque|strided|array)\b(?=<|\()",
                Name.Builtin,
            ),
            (r"\b(?:memref|tensor|vector|tuple|complex)\b(?=<)", Keyword.Type),
            (r"(?:\b|(?<=[\d?]x))(?:[su]?i\d+|b?f\d+|tf32|f8\w+|f[46]E\w+|index|none)\b", Keyword.Type),
            (r"(?<=[<x*])(?:\d+|\?)x(?=[\d?]+x|[a-z!])", Number),
            (r"\b[a-z_]\w*(?:\.\w+)+", Keyword),
            (
                r"\b(?:module|func|return|to|step|iter_args|attributes|private|public|ins|outs|else|true|false|unit)\b",
                Keyword,
            ),
            (r"-?0x[0-9a-fA-F]+|-?\d+(?:\.\d*(?:[eE][-+]?\d+)?)?", Number),
            (r"[A-Za-z_][\w$]*", Name),
            (r"->|::|[-+*/~!<>&|^?=@.#%]", Operator),
            (r"[{}()\[\],;:\\]", Punctuation),
            (r".", Text),
        ]
    }
