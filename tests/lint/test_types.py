"""The types of C++ that are the same on every host, by their names."""

from __future__ import annotations

from itertools import product

import pytest

from weft.lint.types import BOOL, CLASS, DOUBLE, INT, SIZE, Type, common, named, promoted

BITS = {
    8: "char, bool, signed char, unsigned char, int8_t, uint8_t",
    16: "short, short int, unsigned short, unsigned short int, signed short, int16_t, uint16_t, char16_t",
    32: "int, unsigned, signed, unsigned int, signed int, int32_t, uint32_t, char32_t",
    64: "long long, long long int, unsigned long long, unsigned long long int, signed long long, int64_t, uint64_t, size_t, "
    "uintptr_t, intptr_t, ptrdiff_t",
    128: "__int128, unsigned __int128, __int128_t, __uint128_t",
}


@pytest.mark.parametrize(("bits", "names"), BITS.items())
def test_integers(bits: int, names: str) -> None:
    """With qualifiers on any side, and as types of the standard library."""
    for name in names.split(", "):
        words = name.split()
        wanted = Type(bits, "integer", None, name)
        assert named(words) == wanted and str(wanted) == f"{name}, of {bits} bits"
        for word in ("const", "volatile", "constexpr", "static", "register"):
            assert named([word, *words]) == named([*words, word]) == wanted
    assert [named(words) for words in (["std", "::", "size_t"], ["::", "int"], ["cuda", "::", "std", "::", "int8_t"])] == [
        Type(64, name="size_t"), Type(32, name="int"), Type(8, name="int8_t"),
    ]  # fmt: skip


def test_other_types() -> None:
    assert named(["float"]) == Type(32, "float", name="float") and named(["double"]) == DOUBLE == Type(
        64, "float", name="double"
    )
    elements = [
        "float",
        "double",
        *(f"{u}{kind}" for u in ("", "u") for kind in ("char", "short", "int", "long", "longlong")),
    ]
    for name in [f"{each}{n}" for each in elements for n in (1, 2, 3, 4)] + [
        "dim3",
        "__half",
        "__half2",
        "__nv_bfloat16",
        "__nv_bfloat162",
    ]:
        found = named([name])
        assert found == CLASS._replace(name=name) and str(found) == "a class"
    for words in (
        ["long"],
        ["unsigned", "long"],
        ["long", "double"],
        ["Foo"],
        [],
        ["float5"],
        ["int", "x"],
        ["std", "::", "x"],
        ["uint"],
    ):
        assert named(words) is None


def test_pointers() -> None:
    """To what is known or not; a reference is as what it refers to."""
    integer = Type(32, name="int")
    assert named(["int", "*"]) == Type(64, "pointer", integer) and named(["int", "&"]) == integer
    assert (
        named(["int", "*", "*"]) == Type(64, "pointer", Type(64, "pointer", integer)) == named(["int", "*", "*", "&"])
    )
    for word in ("const", "__restrict__", "__restrict", "restrict", "volatile"):
        assert named(["int", "*", word]) == named([word, "int", "*"]) == Type(64, "pointer", integer)
    assert named(["Foo", "*"]) == Type(64, "pointer") and str(Type(64, "pointer")) == "a pointer of 64 bits"
    for words in (["int", "&", "*"], ["int", "&", "&"], ["int", "*", "x"]):
        assert named(words) is None


def test_what_arithmetic_makes_of_types() -> None:
    """Short integers become `int`; of two the wider, or the one with a point."""
    small = [Type(8, name="char"), Type(16, name="short"), BOOL]
    assert [promoted(one) for one in small] == [INT] * 3
    large = [INT, SIZE, Type(128), DOUBLE, Type(32, "float"), Type(64, "pointer"), CLASS, Type(16, "float")]
    assert [promoted(one) for one in large] == large and promoted(None) is None
    numbers = [*small, *large[:5]]
    for one, other in product(numbers, repeat=2):
        a, b = (INT if each in small else each for each in (one, other))
        floats = [each for each in (a, b) if each.sort == "float"]
        wanted = floats[0] if len(floats) == 1 else b if b.bits > a.bits else a
        assert common(one, other) == wanted
    for one in (None, CLASS, Type(64, "pointer")):
        assert common(one, INT) is None and common(INT, one) is None
    assert str(Type(64)) == "an integer, of 64 bits" and str(Type(32, "float")) == "a float, of 32 bits"
    assert Type(1) == Type(1, "integer", None, "", False)
