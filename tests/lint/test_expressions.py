"""The types of C++ expressions: by the rules of the language, and unknown wherever the text does not say."""

from __future__ import annotations

import pytest

from weft.lint.expressions import Said, said_of
from weft.lint.tokens import tokens
from weft.lint.types import CLASS, Type

VARIABLES = {
    "i": Type(32, name="int", varies=True), "s": Type(16, name="short"), "c": Type(8, name="char"), "l": Type(64, name="int64_t"),
    "f": Type(32, "float", name="float"), "d": Type(64, "float", name="double"), "p": Type(64, "pointer", Type(32, name="int")),
    "q": Type(64, "pointer", Type(64, "pointer", Type(16, name="short"))), "v": Type(64, "pointer"), "k": CLASS,
}  # fmt: skip


def said(text: str) -> Said:
    return said_of(list(tokens(text, 0)), VARIABLES.get)


def kind(text: str) -> str:
    """The type in letters: `i32`, `f64`, `p` with what it points to; `?` where it is not known."""

    def letters(one: Type | None) -> str:
        if one is None:
            return "?"
        return (
            f"p{letters(one.to)}"
            if one.sort == "pointer"
            else "class"
            if one.sort == "class"
            else f"{one.sort[0]}{one.bits}"
        )

    return letters(said(text).type)


KINDS = """
i32: i  -s  ~c  +c  c+c  i*s  i%s  i^s  i|s  i&s  i<<l  s<<l  s>>i  s?c:i  f?i:s  1  017  2147483647  0xFFFFFFFF  1u
i32: 4294967295u  0b11  1'000  warpSize  (int)d  int(d)  (unsigned int)l  static_cast<int>(d)  *p  p[i]  p[i+1]  *(p+i)  *&i
i32: (i)  ((i))  i=l  i+=l  i<<=l  ++i  i++  --i  i--  threadIdx.x  blockIdx.y  threadIdx.x+1  __float_as_int(f)
i32: __float_as_uint(1)  __activemask()  (s,i)  i,i  s&&1?i:i  (int&)l  (const int)l  -2147483647  U'a'  char32_t(1)
i8: c  int8_t(i)  (int8_t)i  true  false  i<l  i==s  f&&i  !i  !p  i>l  i>=l  i<=l  i!=l  i||s  p<p  (bool)i  'a'
i8: static_cast<char>(i)  i<s==c  ++c  c=i
i16: s  (short)i  **q  q[0][1]  u'a'  (unsigned short)l  static_cast<std::uint16_t>(i)  s?s:s
i64: l  l+i  i+l  l<<1  -l  l?l:i  4294967296  2147483648  0x100000000  4294967296u  1ll  1ull  1LLU  sizeof(i)  sizeof i
i64: p-p  (q[0](i),l)  (q[i](i)(s)(),l)  (p)(i),l  (size_t)p  i*l  ~l  (unsigned long long)i  (long long)1  l=i  sizeof i+1
i64: __cvta_generic_to_shared(p)  clock64()  __double_as_longlong(d)  reinterpret_cast<uintptr_t>(p)
f32: 1e-5f  f  f+i  i+f  -f  f*f  1.f  1.5f  .5f  1e5f  0x1p3f  f=d  __int_as_float(i)  (float)i  f?f:i  f/l
f64: 1e-5  1E+5  d  d+f  f+d  d*l  1.  1.5  .5  1e5  0x1p-3  1'0.5  (double)i  d?i:f+d
pi32: p?p:p  p  p+1  1+p  p-1  &i  &p[0]  &*p  (int*)l  reinterpret_cast<int*>(l)  p=p  p++
p?: v  "abc"  &x  (Foo*)p  v+1
ppi32: &p
pi16: *q  q[1]  &s
?: x  x+i  f(i)  x.y  k.x  p->x  i.x  k&&i  f<<1  1l  1ul  1lu  1q  08  1.5l  ::i  std::x(i)  A<int>(i)  x{1}  *i  *v
?: k+1  nullptr+1  i?k:i  i?x:i  p+x  i%k  x<i  (Foo)i  (int)x y  i+  *)i  i)  (i  [i]  i?i  p[x  i:i  i;i  1..2  @
?: 'ab'  ''  L'a'  u8'a'  i i  s s
class: k  threadIdx  nullptr  blockDim
"""
"""Expressions of each type, two blanks apart: `p` is a pointer, `?` what is not known."""


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (line.partition(": ")[0], text)
        for line in KINDS.strip().split("\n")
        for text in line.partition(": ")[2].split("  ")
    ],
)
def test_types(wanted: str, text: str) -> None:
    assert kind(text) == wanted


VALUES = """
i+1  1  'a'  "a"  -i  !i  ~i  +i  i++  i--  &i  sizeof(i)  sizeof i  clock64()  i?1:i  i?i:1  static_cast<int>(i)  threadIdx  true
nullptr  i<l  i&&s  (i+1)  i,1  p+1  int(1)?1:i  __activemask()
"""
PLACES = """
i  x  p[i]  *p  (i)  x.y  p->x  i=1  i+=1  ++i  --i  (int)i  static_cast<int&>(i)  i?i:s  f(i)  threadIdx.x  warpSize  1,i  x[1]  (i)=2
*&i  x(1)[2]  i?x:i
"""


def test_values_and_places() -> None:
    """What can be no output, as far as the text says."""
    assert [text for text in VALUES.strip().replace("\n", "  ").split("  ") if not said(text).value] == []
    assert [text for text in PLACES.strip().replace("\n", "  ").split("  ") if said(text).value] == []


def test_what_varies() -> None:
    """What can be no constant: variables that are none, coordinates and what CUDA's functions return."""
    for text in (
        "i",
        "i+1",
        "p[i]",
        "threadIdx.x",
        "clock64()",
        "__activemask()+1",
        "(i)",
        "s?i:1",
        "sizeof(s)+i",
        "-i",
    ):
        assert said(text).varies, text
    for text in (
        "1",
        "s",
        "s+c",
        "sizeof(i)",
        "sizeof i",
        "sizeof(i)+1",
        "f(i)",
        "x",
        "true",
        "warpSize",
        "threadIdx",
        "x[i",
        "i+",
    ):
        assert not said(text).varies, text


def test_long_expressions() -> None:
    """Of more than 200 tokens nothing is said."""
    assert kind("+".join("i" * 100)) == "i32" and kind("-" + "+".join("i" * 100)) == "i32"
    assert said("-" + "+".join("i" * 101)) == said("(" * 5000) == Said(None, False, False)


def test_operators_of_several_signs() -> None:
    """Only where the signs touch."""
    assert kind("i<<l") == "i32" and kind("i< <l") == "?" and kind("i&&s") == "i8" and kind("s& &s") == "?"
    assert kind("i>>=l") == "i32" and kind("i> >=l") == "?" and kind("i- -s") == "i32" and kind("i-- -s") == "i32"
