"""Variables of every type of C++ and CUDA in registers of every kind: what nvcc takes, by the sizes that types have."""

from __future__ import annotations

import pytest

from weft.lint import lint

INTEGERS = {
    8: "char|signed char|unsigned char|bool|int8_t|uint8_t",
    16: "short|short int|unsigned short|signed short|unsigned short int|int16_t|uint16_t|char16_t|std::uint16_t",
    32: "int|unsigned|signed|unsigned int|signed int|int32_t|uint32_t|char32_t|::uint32_t|cuda::std::int32_t",
    64: "long long|unsigned long long|signed long long|long long int|unsigned long long int|int64_t|uint64_t|size_t"
    "|uintptr_t|intptr_t|ptrdiff_t|std::size_t",
    128: "__int128|unsigned __int128|__int128_t|__uint128_t",
}
FLOATS = {"float": 32, "double": 64}
POINTERS = ["int*", "const void *", "float **", "Foo *", "volatile int* const", "int *__restrict__", "char* restrict"]
UNKNOWN = ["long", "unsigned long", "Foo", "auto", "std::foo", "half", "Foo<int>"]
CLASSES = [f"{name}{count}" for name in ("float", "double", "char", "uchar", "short", "ushort", "int", "uint", "longlong", "ulonglong") for count in (1, 2, 3, 4)]  # fmt: skip
CLASSES += ["dim3", "__half", "__half2", "__nv_bfloat16", "__nv_bfloat162", "long2", "ulong4"]
LETTERS = {"h": 16, "r": 32, "l": 64, "q": 128, "b": 8, "f": 32, "d": 64}
WANTED = {"h": "b16", "r": "b32", "l": "b64", "q": "b128", "b": "pred", "f": "f32", "d": "f64"}


def refused(type_: str) -> dict[str, str]:
    """What is said of a variable of a type, by the constraints that do not fit."""
    statements = "\n".join(f'asm volatile("// %0" :: "{letter}"(v));' for letter in LETTERS)
    found = lint(f"__device__ void f() {{ {type_} v = g();\n{statements}\n}}").findings
    assert all(one.code == "constraint" and one.column == 25 and one.end_column == 28 for one in found)
    return {[*LETTERS][one.line - 2]: one.message for one in found}


def said(what: str, letters: str) -> dict[str, str]:
    return {one: f"'v' is {what}; constraint \"{one}\" is a .{WANTED[one]} register" for one in letters}


@pytest.mark.parametrize("bits", INTEGERS)
def test_integers_go_into_registers_of_their_size(bits: int) -> None:
    fits = "".join(letter for letter in "hrlqb" if LETTERS[letter] == bits)
    for name in INTEGERS[bits].split("|"):
        plain = name.removeprefix("cuda::").removeprefix("std::").removeprefix("::")
        expected = said(f"{plain}, of {bits} bits", "".join(letter for letter in LETTERS if letter not in fits))
        assert refused(name) == refused(f"const {name}") == expected, name


@pytest.mark.parametrize(("name", "letter"), [("float", "f"), ("double", "d")])
def test_floats_go_into_registers_of_floats(name: str, letter: str) -> None:
    expected = said(f"{name}, of {FLOATS[name]} bits", "".join(one for one in LETTERS if one != letter))
    assert refused(name) == refused(f"volatile {name}") == expected


def test_pointers_are_integers_of_64_bits() -> None:
    for name in POINTERS:
        assert refused(name) == said("a pointer of 64 bits", "hrqbfd"), name


def test_classes_go_into_no_register() -> None:
    for name in CLASSES:
        assert refused(name) == said("a class", "hrlqbfd"), name


def test_nothing_is_said_of_types_that_are_not_known() -> None:
    for name in UNKNOWN:
        assert refused(name) == {}, name


@pytest.mark.parametrize(
    "word", ["return", "delete", "new", "throw", "else", "case", "goto", "typename", "sizeof", "using", "namespace"]
)
def test_a_keyword_is_no_type(word: str) -> None:
    """`return *v;` declares nothing: the declaration before it still counts."""
    text = f'__device__ void f() {{ int v; {word} *v; asm("mov.b64 %0, 1;" : "=l"(v)); }}'
    assert [one.message for one in lint(text).findings] == [
        "'v' is int, of 32 bits; constraint \"=l\" is a .b64 register"
    ]
