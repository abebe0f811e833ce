"""C++ types that are the same in every program: how many bits, and whether they may be in a register."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Type(NamedTuple):
    """A type: its bits, what sort of value it is (`integer`, `float`, `pointer`, `class`), and what it points to.

    `varies`: a variable has it that is no constant.
    """

    bits: int
    sort: str = "integer"
    to: Type | None = None
    name: str = ""
    varies: bool = False

    def __str__(self) -> str:
        if self.sort in ("pointer", "class"):
            return f"a {self.sort}" + (f" of {self.bits} bits" if self.sort == "pointer" else "")
        return f"{self.name or ('an integer' if self.sort == 'integer' else 'a float')}, of {self.bits} bits"


INT, BOOL, SIZE, DOUBLE = Type(32, name="int"), Type(8, name="bool"), Type(64), Type(64, "float", name="double")
CLASS = Type(0, "class")
_BITS = {
    "char": 8, "bool": 8, "int8_t": 8, "uint8_t": 8, "short": 16, "int16_t": 16, "uint16_t": 16, "char16_t": 16,
    "int": 32, "unsigned": 32, "signed": 32, "int32_t": 32, "uint32_t": 32, "char32_t": 32, "int64_t": 64,
    "uint64_t": 64, "size_t": 64, "uintptr_t": 64, "intptr_t": 64, "ptrdiff_t": 64, "long long": 64, "__int128": 128,
    "__int128_t": 128, "__uint128_t": 128,
}  # fmt: skip
"""Widths of the integers that are the same on every host: `long` is not."""
_FLOATS = {"float": 32, "double": 64}
_VECTORS = {
    f"{name}{count}"
    for name in (
        "float",
        "double",
        *(f"{u}{one}" for u in ("", "u") for one in ("char", "short", "int", "long", "longlong")),
    )
    for count in (1, 2, 3, 4)
} | {"dim3", "__half", "__half2", "__nv_bfloat16", "__nv_bfloat162"}
_IGNORED = {"const", "volatile", "constexpr", "static", "register", "__restrict__", "__restrict", "restrict"}
_SCOPES = ("::", "cuda::std::", "std::")


def named(words: Sequence[str]) -> Type | None:
    """The type that words name, `const unsigned long long *`, say; None for one that is not built in."""
    first = next((at for at, word in enumerate(words) if word in ("*", "&")), len(words))
    signs = [word for word in words[first:] if word not in _IGNORED]
    if any(sign not in ("*", "&") for sign in signs) or "&" in signs[:-1]:
        return None
    found = _plain([word for word in words[:first] if word not in _IGNORED])
    for _ in range(signs.count("*")):
        found = Type(64, "pointer", found)
    return found


def _plain(words: Sequence[str]) -> Type | None:
    name = "".join(words) if "::" in words else " ".join(words)
    for scope in _SCOPES:
        name = name.removeprefix(scope)
    if name in _FLOATS:
        return Type(_FLOATS[name], "float", name=name)
    if name in _VECTORS:
        return CLASS._replace(name=name)
    core = " ".join(word for word in name.split() if word not in ("unsigned", "signed"))
    core = core or ("int" if name else "")
    if core.startswith(("short", "long long")):
        core = core.removesuffix(" int")
    bits = _BITS.get(core, 0)
    return Type(bits, name=name) if bits else None


def promoted(one: Type | None) -> Type | None:
    """What arithmetic makes of a value: integers shorter than `int` become one."""
    return INT if one is not None and one.sort == "integer" and one.bits < 32 else one


def common(one: Type | None, other: Type | None) -> Type | None:
    """The type of a sum of two numbers; None where one is not known or is no number."""
    one, other = promoted(one), promoted(other)
    if one is None or other is None or not {one.sort, other.sort} <= {"integer", "float"}:
        return None
    if one.sort != other.sort:
        return one if one.sort == "float" else other
    return one if one.bits >= other.bits else other
