"""Words of enums, as the syntax of `llvm`'s operations has them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import I64, IntegerAttr, i64
from xdsl.parser import Parser

from weft.dialects.signatures import subject

ORDERINGS = ("not_atomic", "unordered", "monotonic", "", "acquire", "release", "acq_rel", "seq_cst")
"""Memory orderings; the position in the tuple is the value of an `ordering` property."""

ATOMIC_OPERATIONS = (
    "xchg",
    "add",
    "sub",
    "_and",
    "nand",
    "_or",
    "_xor",
    "max",
    "min",
    "umax",
    "umin",
    "fadd",
    "fsub",
    "fmax",
    "fmin",
    "uinc_wrap",
    "udec_wrap",
    "usub_cond",
    "usub_sat",
    "fmaximum",
    "fminimum",
)
"""Operations of `llvm.atomicrmw`; the position in the tuple is the value of the `bin_op` property."""


def parse_word(parser: Parser, attribute: str, words: Sequence[str]) -> str:
    """Parse one of the words that an attribute can be, in quotes or not; an empty one is none.

    Raises:
        ParseError: another word stands there.
    """
    position = parser.pos
    found = parser.parse_optional_str_literal()
    if found is None:
        found = parser.parse_optional_identifier()
    if not found or found not in words:
        listed = ", ".join(word for word in words if word)
        parser.raise_error(
            f"{subject(parser)}expected string or keyword containing one of the following enum values for attribute "
            f"'{attribute}' [{listed}]",
            position,
            position,
        )
    return found


def parse_number(parser: Parser, attribute: str, words: Sequence[str]) -> IntegerAttr[I64]:
    """Parse a word of an enum that is stored as the place of the word.

    Raises:
        ParseError: another word stands there.
    """
    return IntegerAttr(words.index(parse_word(parser, attribute, words)), i64)
