"""xDSL's errors in MLIR's words, at MLIR's places."""

from __future__ import annotations

import re
from collections.abc import Callable

from xdsl.utils.exceptions import ParseError
from xdsl.utils.str_enum import StrEnum

from weft.errors import MlirError, meant, near_names, position_at

BUGS = (ImportError, NameError, MemoryError)
"""Exceptions that no input can cause: they are let through."""

_UNDEFINED = re.compile(r"values used but not defined: \[(%[^,\]]+)")
_MISMATCH = re.compile(r"operand is used with type (.*), but has been previously used or defined with type (.*)")
_EXPECTED = re.compile(r"('[^']+') expected( in [\w ]+)?$")
_COUNTED = re.compile(r"Expected .* operand types?, but got (\d+)")
_MISMATCHED = re.compile(r"expected (\d+) operand types but had (\d+)")
_DEFINED_AGAIN = re.compile(r"SSA value (%[\w$.-]+) is already defined")
_NAMED = re.compile(r"(?<![\w#!@%\".$])(?:[a-z_]+\.[\w.$]+|call|return)(?![\w.$])")
_GENERIC = re.compile(r'"[\w$.-]+"\s*\(')
_PLACED_AT_NAME = ("llvm.getelementptr", "llvm.call", "llvm.call_intrinsic")
"""Operations with parsers of their own, which place wrong numbers of operands at their names."""
_UNREGISTERED = re.compile(r"'([\w$]+\.[\w.$]+)' is not registered")
_ALIAS_UNKNOWN = re.compile(r"undefined symbol alias '[#!](.*)'")
_ALIAS_AGAIN = re.compile(r"re-declaration of alias '([#!])(.*)'")
_OUT_OF_RANGE = re.compile(r"Integer value (-?\d+) is out of range for type .*|Exceeds the limit \(\d+ digits\) for .*")
"""What xDSL and Python say of numbers that are too large."""
_SPACE = re.compile(r"(memref<[^<>]*(?:strided<[^<>]*>)?, -?\d+) : i64>")
_QUOTED_OPERATION = re.compile(r'^"[a-z_]+\.[\w.$]+" ')
_OPERATION = re.compile(r"(?<![\w#!@%\".$])[a-z_]+\.[\w.$]+")
_WORDING = {
    "Could not parse entire input!": "expected operation name in quotes",
    "Expected region!": "expected '{' to begin a region",
    "expect symbol name": "expected valid '@'-identifier for symbol name",
    "in block definition": "expected operation name in quotes",
    "operand expected": "expected SSA operand",
    "Expected bare-id or string-literal here as part of attribute entry!": "expected attribute name",
    "Expected vector element type": "expected non-function type",
    "expected ':'function type signature expected": "expected ':' followed by operation type",
    "function type expected": "expected function type",
    "expected '>' in dense attribute": "expected '>'",
    "expected '<' in dense attribute": "expected '<' after 'dense'",
    "expected ':' in dense attribute": "expected ':'",
    "Expected either a float, integer, or complex literal": "expected element literal of primitive type",
    "Expected integer as SSA value tuple index": "invalid SSA value result number",
    "expected '=' after operation result list": "expected '=' after SSA name",
    "Expected integer literal": "expected attribute value",
    "attribute expected": "expected attribute value",
    "type expected": "expected non-function type",
    "expected a type": "expected non-function type",
    "Expected shape type.": "expected non-function type",
    "Expected block argument!": "expected SSA operand",
    "block argument expected": "expected SSA operand",
    "Expected suffix identifier after {first_char}": "invalid attribute name",
    "expected ':' after block argument name!": "expected ':'",
    "Expected SSA value tuple size": "expected integer number of results",
    "Expected result SSA value!": "expected valid ssa identifier",
    "successor expected": "expected block name",
    "block-id expected": "expected block name",
    "operation name expected": "expected operation name in quotes",
}
_BRACKET = re.compile(r"expected '([<>])' after builtin (?:name|parameter list)")
_BUILTIN = re.compile(r"(?:\b|\dx|\?x)(vector|memref|tensor|complex|tuple)\b")
_PLACES = (
    (re.compile(r"Expected integer literal in shape dimension, got .*"), "", "invalid dimension"),
    (re.compile(r"Expected 'x' in shape delimiter, got .*"), "", "expected 'x' in dimension list"),
    (re.compile(r"expected '\]'"), r"\bvector<[^<>]*\[\d+\Z", "missing ']' closing scalable dimension"),
    (re.compile(r"expected '\('"), r"\bcallsite\s*\Z", "expected '(' in callsite location"),
    (re.compile(r"expected '>'"), r"\bfused<[^<>]*\Z", "expected '>' after fused location metadata"),
    (re.compile(r"expected '\['"), r"\bfused(?:<[^<>]*>)?\s*\Z", "expected '[' in fused location"),
    (re.compile(r"expected '\]'"), r"\bfused(?:<[^<>]*>)?\[[^\[\]]*\Z", "expected ']' in fused location"),
    (re.compile(r"expected '\('(?: in operation argument list)"), "", "expected '(' to start operand list"),
    (re.compile(r"expected '\)'(?: in operation argument list)"), "", "expected ')' to end operand list"),
    (re.compile(r"expected SSA operand"), r'"[\w.$]+"\(\Z', "expected ')' to end operand list"),
    (re.compile(r"expected '->'"), r"(?:: |= )\([^()]*\)\s*\Z", "expected '->' in function type"),
    (re.compile(r"expected '\}'"), "", "expected '}' in attribute dictionary"),
    (re.compile(r"expected '\)'"), r"\baffine_map<[^<>]* -> \([^()<>]*\Z", "expected ')' in affine map range"),
)
"""What is said at some places in other words: of xDSL, what is before the place, and of MLIR."""
_BEHIND_THE_LAST_TOKEN = re.compile(
    r"expected (?!'== affine-expr')('.+'( .*)?|SSA operand|operation name in quotes|non-function type|valid keyword|"
    r"attribute value|attribute name|integer number of results|valid ssa identifier|block name)$"
)

_NAMESPACES = {"nvvm": "NVVM", "llvm": "LLVM"}
_SUMMARIES = {
    "GridDepActionKind": "Action kind for grid dependency control",
    "CacheEvictionPriority": "NVVM Cache Eviction Priority",
    "PrefetchCacheLevel": "NVVM Prefetch Cache Level",
    "ClusterLaunchControlQueryType": "NVVM ClusterLaunchControlQueryType",
    "UWTableKind": "LLVM Unwind Behavior",
}
"""What MLIR calls the enums whose parsers speak of themselves so; of the others it gives the name of the class."""


_SELECTED = re.compile(r"\barith\.select\s+((?:%[\w$.\-]+(?:#\d+)?\s*,\s*)*%[\w$.\-]+(?:#\d+)?)\s*\Z")
"""What is read of `arith.select` when it does not have three operands: MLIR counts a list."""


_UNKNOWN_OPERATION = re.compile(r"custom op '((\w+)\.[\w.$-]+)' is unknown\Z")
_NAME = re.compile(r"\s*([A-Za-z]\w*)")


def syntax_error(error: ParseError, text: str, filename: str, undeclared: int | None = None) -> MlirError:
    """xDSL's parse error at its place; a missing token where it would be, an undefined value at its first use.

    `undeclared` is where the operation begins that uses an undefined value first, if that is known.
    """
    message, start = error.msg.strip(), error.span.start
    undefined = _UNDEFINED.match(message)
    if undefined is not None:
        use = re.compile(re.escape(undefined[1]) + r"(?![a-zA-Z0-9$._\-])").search(text, undeclared or 0)
        message, start = "use of undeclared SSA value name", start if use is None else use.start()
    mismatch = _MISMATCH.fullmatch(message)
    if mismatch is not None:
        wanted, found = mismatch.groups()
        message = f"use of value '{error.span.text}' expects different type than prior uses: '{wanted}' vs '{found}'"
        message = message.replace(" : i64>", ">")
    counted = _COUNTED.fullmatch(message)
    if counted is not None:
        message, start = _counts(text, start, counted[1])
    mismatched = _MISMATCHED.fullmatch(message)
    if mismatched is not None:
        message, start = _mismatched(text, start, mismatched[2], mismatched[1])
    again = _DEFINED_AGAIN.fullmatch(message)
    if again is not None:
        message = _defined_again(text, start, again[1])
    alias = _ALIAS_UNKNOWN.fullmatch(message)
    if alias is not None:
        message = f"undefined symbol alias id '{alias[1]}'"
    twice = _ALIAS_AGAIN.fullmatch(message)
    if twice is not None:
        start = max(text.rfind(twice[1] + twice[2], 0, start), 0)
        message = f"redefinition of {'attribute' if twice[1] == '#' else 'type'} alias id '{twice[2]}'"
    if message.startswith("Unexpected character: "):
        message = "unexpected character"
    if message.startswith("SSA value tuple index out of bounds"):
        message = "reference to invalid result number"
    unregistered = _UNREGISTERED.fullmatch(message)
    if unregistered is not None:
        message, start = _unknown(text, start, unregistered[1])
    message = _TOO_LARGE if _OUT_OF_RANGE.fullmatch(message) else _WORDING.get(message, message)
    message = _EXPECTED.sub(lambda match: f"expected {match[1]}{match[2] or ''}", message)
    message = _placed(message, text, start)
    listed = _SELECTED.search(text, 0, start) if message.startswith("expected") else None
    if listed is not None:
        return MlirError("custom op 'arith.select' expected 3 operands", position_at(text, listed.start(1), filename))
    if _BEHIND_THE_LAST_TOKEN.match(message):
        # At the end of a file, MLIR steps back one; before the first token there is nothing to step back to.
        start = _end_of_last_token(text, min(start, len(text) - 1)) or start
    return MlirError(message, position_at(text, start, filename), _hint(message, text, start))


def _placed(message: str, text: str, start: int) -> str:
    """What is said of a place, in words that depend on what is before it."""
    bracket = _BRACKET.fullmatch(message)
    behind = _end_of_last_token(text, min(start, len(text) - 1)) or start
    line = text[text.rfind("\n", 0, behind) + 1 : behind]
    if bracket is not None:
        names = _BUILTIN.findall(_open(line) if bracket[1] == ">" else line)
        name = names[-1] if names else "vector"
        other = "',' or " if (name, bracket[1]) == ("memref", ">") else ""
        return f"expected {other}'{bracket[1]}' in {name} type"
    for said, before, wanted in _PLACES:
        if said.fullmatch(message) and re.search(before, line):
            return wanted
    return message


def _open(text: str) -> str:
    """What is before the last bracket that is still open at the end of a text."""
    while (inner := re.sub(r"<[^<>]*>", "", text.replace("->", ""))) != text:
        text = inner
    return text[: text.rfind("<") + 1]


def _hint(message: str, text: str, start: int) -> str:
    """What upstream does not say: operations with a name like one that is unknown, or the word that is not a type."""
    unknown = _UNKNOWN_OPERATION.match(message)
    if unknown is not None:
        from weft.dialects.context import context
        from weft.dialects.lazy import operation_names

        dialect = context().get_optional_dialect(unknown[2])
        known = {*operation_names(unknown[2]), *(op.name for op in (dialect.operations if dialect else ()))}
        return meant(near_names(unknown[1], sorted(known), 3))
    word = _NAME.match(text, start) if message == "expected non-function type" else None
    return f"unknown type '{word[1]}'" if word is not None else ""


def _counts(text: str, start: int, types: str) -> tuple[str, int]:
    """That the last operation before a place has another number of operands than of types, and where it is."""
    if types == "0":
        return "expected non-function type", start
    name = list(_OPERATION.finditer(text, 0, start))[-1]
    operands = len(re.findall(r"%[\w.$-]+", text[name.end() : start]))
    counts = f"got {operands} operands and {types} types"
    return f"custom op '{name[0]}' number of operands and types do not match: {counts}", name.start()


def _mismatched(text: str, start: int, operands: str, types: str) -> tuple[str, int]:
    """As `_counts`; placed at the first operand, or at the name of an operation that parses its operands itself."""
    counts = f"got {operands} operands and {types} types"
    names = list(_NAMED.finditer(text, 0, start))
    generic = list(_GENERIC.finditer(text, names[-1].end() if names else 0, start))
    if generic or not names:
        return f"expected {operands} operand types but had {types}", start
    name = names[-1]
    full = {"call": "func.call", "return": "func.return"}.get(name[0], name[0])
    first = text.find("%", name.end(), start)
    if first == -1 and full == "func.call":
        first = text.find("(", name.end(), start) + 1
    place = name.start() if full in _PLACED_AT_NAME or first == -1 else first
    return f"custom op '{full}' number of operands and types do not match: {counts}", place


def _defined_again(text: str, start: int, name: str) -> str:
    """That a value has a name that another has; arguments of functions have words of their own."""
    line = text[text.rfind("\n", 0, start) + 1 : start].lstrip()
    if text.startswith(":", start + len(name)) and not line.startswith("^"):
        return f"region entry argument '{name}' is already in use"
    return f"redefinition of SSA value '{name}'"


_WITHOUT_ATTRIBUTES = frozenset(("affine", "builtin", "cf", "func", "math", "memref", "scf"))
_WITHOUT_TYPES = frozenset(
    ("affine", "arith", "builtin", "cf", "complex", "func", "index", "math", "memref", "nvvm", "scf", "ub", "vector")
)
_UNLIKE = {"gpu": "unknown gpu type: ", "quant": "unknown quantized type ", "transform": "unknown type mnemonic: "}
"""How dialects say it that have a sentence of their own."""


def _unknown(text: str, end: int, name: str) -> tuple[str, int]:
    """That a dialect has no such attribute or type, and where its name is after the dialect's."""
    start = text.rfind(name, 0, end)
    dialect, _, word = name.partition(".")
    start = end if start == -1 else start + len(dialect) + 1
    if dialect == "llvm" and not text.startswith("#", start - len(dialect) - 2):
        return f"unknown LLVM type: {word}", start
    if text.startswith("!", start - len(dialect) - 2):
        from weft.dialects.foreign.types import TYPES

        if dialect in _UNLIKE:
            return f"{_UNLIKE[dialect]}{word}", start
        if dialect in _WITHOUT_TYPES or TYPES.get(dialect) == frozenset():
            return f"dialect '{dialect}' provides no type parsing hook", start
        return f"unknown  type `{word}` in dialect `{dialect}`", start
    if dialect in _WITHOUT_ATTRIBUTES:
        return f"dialect '{dialect}' provides no attribute parsing hook", start
    return f"unknown attribute `{word}` in dialect `{dialect}`", start


def _end_of_last_token(text: str, place: int) -> int:
    """The end of what is before a place, which is where MLIR says that a token is missing."""
    place = len(text[:place].rstrip())
    line = text.rfind("\n", 0, place) + 1
    comment = text.find("//", line, place)
    return place if comment < 0 else _end_of_last_token(text, comment)


_FLAGS = {"FastMathFlag": ("FastMathFlags", ", fast"), "IntegerOverflowFlag": ("IntegerOverflowFlags", "")}
"""What MLIR calls the flags of `arith`, and the words for several of them."""


_ENUMS = {"CombiningKindFlag": "CombiningKind"}
"""What MLIR calls enums of xDSL's."""


def wrong_keyword(enum: type[StrEnum], found: str) -> str:
    """That a word is none of an enum's."""
    summary = _SUMMARIES.get(enum.__name__)
    if not (found[:1].isalpha() or found.startswith(("_", '"'))):
        return "expected valid keyword or string" if summary is None else f"expected keyword for {summary}"
    words = ", ".join(member.value for member in enum)
    if enum.__name__ == "OverflowFlag" and enum.__module__ == "xdsl.dialects.llvm":
        return f"expected one of [none, {words}] for LLVM integer overflow flags, got: {found}"
    flags = _FLAGS.get(enum.__name__)
    if flags is not None and enum.__module__.startswith("xdsl.dialects") and "llvm" not in enum.__module__:
        return f"expected ::mlir::arith::{flags[0]} to be one of: none, {words}{flags[1]}"
    if summary is not None:
        plain = found.strip('"')
        return f"expected one of [{words}] for {summary}, got: {plain}"
    dialect = enum.__module__.removeprefix("weft.").removeprefix("xdsl.").split(".")[1]
    name = _ENUMS.get(enum.__name__, enum.__name__)
    return f"expected ::mlir::{_NAMESPACES.get(dialect, dialect)}::{name} to be one of: {words}"


def not_a_value(error: ValueError) -> str:
    """What Python says of a word that xDSL makes an enum's without a look; empty where it says something else."""
    from xdsl.dialects.vector import CombiningKindFlag

    return wrong_keyword(CombiningKindFlag, "word") if str(error).endswith("valid CombiningKindFlag") else ""


def out_of_range(message: str) -> int | None:
    """The number that xDSL says is out of range; None where it says something else, or not which one."""
    found = _OUT_OF_RANGE.fullmatch(message)
    return int(found[1]) if found is not None and found[1] else None


_TOO_LARGE = "integer constant out of range for attribute"
_REGIONS = {"true_region": "thenRegion", "false_region": "elseRegion"}
"""What MLIR calls regions that xDSL has other names for."""
_TRAITS: list[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]] = [
    (_OUT_OF_RANGE, lambda _: _TOO_LARGE),
    (re.compile(r"'[\w.]+' (expects parent op '[\w.]+')"), lambda match: match[1]),
    (
        re.compile(r"'[\w.]+' expects parent op to be one of (.*)"),
        lambda match: (
            f"expects parent op to be one of '{', '.join(sorted(match[1].replace(chr(39), '').split(', ')))}'"
        ),
    ),
    (
        re.compile(r"'[\w.]+' terminates with operation ([\w.]+) instead of ([\w.]+)"),
        lambda match: f"expects regions to end with '{match[2]}', found '{match[1]}'",
    ),
    (
        re.compile(r"Region '(\w+)(?:\[\d+\])?' at position (\d+) expected a single block, but got 0 blocks"),
        lambda match: (
            f"region #{match[2]} ('{_REGIONS.get(match[1]) or _camel(match[1])}') failed to verify constraint: region "
            "with 1 blocks"
        ),
    ),
    (
        re.compile(r"Region '\w+(?:\[\d+\])?' at position (\d+) expected a single block, but got \d+ blocks"),
        lambda match: f"expects region #{match[1]} to have 0 or 1 blocks",
    ),
    (
        re.compile(r"'[\w.]+' must be the last operation in its parent block"),
        lambda _: "must be the last operation in the parent block",
    ),
    (
        re.compile(r"'@(\w+)' (?:could not be found in symbol table|does not reference a valid function)"),
        lambda match: f"'{match[1]}' does not reference a valid function",
    ),
    (
        re.compile(r"Expected (\d+) regions?, but got \d+"),
        lambda match: {"0": "requires zero regions", "1": "requires one region"}.get(
            match[1], f"expected {match[1]} regions"
        ),
    ),
]
"""What xDSL says of traits and regions, and MLIR's words for it."""


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def memory_spaces(text: str) -> str:
    """A text with the memory spaces of memrefs as MLIR writes them: `memref<4xf32, 3>`."""
    return _SPACE.sub(r"\1>", text)


def message_of(error: Exception) -> str:
    """The text of an xDSL error without what it says about xDSL."""
    text = str(error.args[0]) if error.args else type(error).__name__
    text = _QUOTED_OPERATION.sub("", text.removeprefix("Operation does not verify: ")).replace(" : i64>", ">")
    for pattern, said in _TRAITS:
        match = pattern.fullmatch(text)
        if match is not None:
            return said(match)
    return text if "\n" not in text else " ".join(line.strip() for line in text.splitlines())
