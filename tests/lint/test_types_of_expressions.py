"""Expressions drawn at random by the grammar of C++: their types are what g++ says they are."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from weft.lint.expressions import said_of
from weft.lint.tokens import tokens
from weft.lint.types import Type, named

DECLARED = {
    "l": "int", "u": "unsigned", "h": "short", "uh": "unsigned short", "c": "char", "sc": "signed char", "b": "bool",
    "q": "long long", "uq": "unsigned long long", "f": "float", "d": "double", "w": "__int128", "pi": "int *",
    "pf": "const float *", "pp": "double **", "pq": "long long *", "pc": "char *",
}  # fmt: skip
NUMBERS = ["1", "0", "7u", "2ll", "3ull", "0x7fffffff", "0xffffffff", "4294967295u", "1.5", "2.f", "1e3", ".5f",
           "0x1p3", "1'000", "0b101", "017", "037777777777", "'x'", "true", "false", "0xfu", "5LLU"]  # fmt: skip
CASTS = ["int", "unsigned", "short", "unsigned long long", "float", "double", "char", "const int", "signed", "bool"]
INTEGERS = {"%", "&", "|", "^", "<<", ">>"}
JUDGE = """
template <class T> struct Pointed {{ enum {{ so = 0 }}; }};
template <class T> struct Pointed<T *> {{ enum {{ so = 1 }}; }};
template <class T> struct Bare {{ typedef T type; }};
template <class T> struct Bare<T &> {{ typedef T type; }};
template <class T> struct Bare<T &&> {{ typedef T type; }};
template <class T> struct Bare<const T> {{ typedef T type; }};
template <class T> struct Bare<const T &> {{ typedef T type; }};
template <class T> struct Floats {{ enum {{ so = 0 }}; }};
template <> struct Floats<float> {{ enum {{ so = 1 }}; }};
template <> struct Floats<double> {{ enum {{ so = 1 }}; }};
typedef double Function(...);
typedef Function *Maker(...);
extern Function *fs[9];
extern Maker *gs[9];
#define SAY(e) 8 * (int)sizeof(e), (int)Pointed<Bare<decltype((e))>::type>::so, (int)Floats<Bare<decltype((e))>::type>::so
{declared}
int said[][3] = {{ {said} }};
"""


class Drawn:
    """Draws right expressions: each method gives the text and whether it is a float, a pointer or neither."""

    def __init__(self, seed: int) -> None:
        self.pick = random.Random(seed)

    def any(self, depth: int) -> tuple[str, str]:
        if depth == 0 or self.pick.random() < 0.15:
            return self.leaf()
        ways = [
            self.two,
            self.two,
            self.two,
            self.one,
            self.cast,
            self.choice,
            self.pointer,
            self.assigned,
            self.called,
        ]
        return self.pick.choice(ways)(depth - 1)

    def number(self, depth: int) -> tuple[str, str]:
        while True:
            text, sort = self.any(depth)
            if sort != "pointer":
                return text, sort

    def integer(self, depth: int) -> str:
        text, sort = self.number(depth)
        return text if sort == "integer" else f"int({text})"

    def leaf(self) -> tuple[str, str]:
        if self.pick.random() < 0.35:
            text = self.pick.choice(NUMBERS)
            whole = text.startswith(("0x", "0b", "'")) and "p" not in text
            floats = not whole and any(sign in text for sign in ".ep") and not text.isalpha()
            return text, "float" if floats else "integer"
        name = self.pick.choice(list(DECLARED))
        type_ = DECLARED[name]
        return name, "pointer" if "*" in type_ else "float" if type_ in ("float", "double") else "integer"

    def two(self, depth: int) -> tuple[str, str]:
        sign = self.pick.choice(
            ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", ">=", "==", "!=", "&&", "||", ","]
        )
        if sign in INTEGERS:
            return f"({self.integer(depth)}) {sign} ({self.integer(depth)})", "integer"
        (left, one), (right, other) = self.number(depth), self.number(depth)
        truth = sign in ("<", ">=", "==", "!=", "&&", "||")
        sort = "integer" if truth else other if sign == "," else "float" if "float" in (one, other) else "integer"
        return f"({left}) {sign} ({right})", sort

    def bare(self, depth: int) -> tuple[str, str]:
        """Without parentheses: which operator binds closer shows."""
        words = [self.leaf() for _ in range(3)]
        text = words[0][0]
        for word, _ in words[1:]:
            text += f" {self.pick.choice(['+', '*', '<', '||', '==', '-'])} {word}"
        return text, "integer"

    def one(self, depth: int) -> tuple[str, str]:
        text, sort = self.number(depth)
        sign = self.pick.choice(["-", "+", "!", "~" if sort == "integer" else "-", "sizeof"])
        return f"{sign}({text})", "integer" if sign in ("!", "sizeof") else sort

    def cast(self, depth: int) -> tuple[str, str]:
        type_ = self.pick.choice(CASTS)
        sort = "float" if type_ in ("float", "double") else "integer"
        text, _ = self.number(depth)
        brackets = [f"({type_})({text})", f"static_cast<{type_}>({text})"] + [f"{type_}({text})"] * (" " not in type_)
        return self.pick.choice(brackets), sort

    def choice(self, depth: int) -> tuple[str, str]:
        (first, one), (second, other) = self.number(depth), self.number(depth)
        return f"{self.leaf()[0]} ? ({first}) : ({second})", "float" if "float" in (one, other) else "integer"

    def assigned(self, depth: int) -> tuple[str, str]:
        """The value is the variable, with its type."""
        name = self.pick.choice([name for name, type_ in DECLARED.items() if "*" not in type_])
        text = self.integer(depth)
        if DECLARED[name] in ("float", "double"):
            return f"({name} {self.pick.choice(['=', '+=', '-=', '*=', '/='])} ({text}))", "float"
        sign = self.pick.choice([f"{sign}=" for sign in ("", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")])
        return f"({name} {sign} ({text}))", "integer"

    def called(self, depth: int) -> tuple[str, str]:
        """A call of what an expression gives stands in front of an expression, whose type is known all the same."""
        call = self.pick.choice(["fs[{}]({})", "(fs[{}])({})", "(*fs[{}])({})", "gs[{}]({})(f)", "gs[{}](l, u)({})"])
        text, sort = self.any(depth)
        return f"({call.format(self.integer(0), self.integer(0))}, {text})", sort

    def pointer(self, depth: int) -> tuple[str, str]:
        name = self.pick.choice(["pi", "pf", "pq", "pc"])
        sort = "float" if name == "pf" else "integer"
        at = self.integer(depth)
        return self.pick.choice(
            [
                (f"{name}[{at}]", sort),
                (f"*({name} + ({at}))", sort),
                (f"*{name}", sort),
                (f"{name} - ({at})", "pointer"),
                (f"&{name}[{at}]", "pointer"),
                (f"{name} - {name}", "integer"),
                (f"**pp + {name}[0]", "float"),
                ("pp[1]", "pointer"),
                (f"*&{self.pick.choice(['l', 'h', 'c'])} + (short)1", "integer"),
            ]
        )


def lookup(name: str) -> Type | None:
    type_ = DECLARED.get(name)
    return named(type_.replace("*", " * ").split()) if type_ else None


def test_types_are_those_of_the_compiler(tmp_path: Path) -> None:
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("g++ is not here")
    drawn = Drawn(5)
    texts = [drawn.any(3)[0] for _ in range(400)]
    texts += [text for text in (drawn.bare(0)[0] for _ in range(150)) if "p" not in text]
    declared = "\n".join(f"extern {type_} {name};" for name, type_ in DECLARED.items())
    source = JUDGE.format(declared=declared, said=", ".join(f"{{ SAY(({text})) }}" for text in texts))
    (tmp_path / "said.cpp").write_text(source)
    done = subprocess.run(
        [compiler, "-std=c++17", "-w", "-fpermissive", "-S", "-o", "-", "said.cpp"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[:2000]
    body = done.stdout[done.stdout.index("\nsaid:") :]
    numbers: list[int] = []
    for line in body.splitlines():
        word = line.split()
        if word[:1] == [".long"]:
            numbers.append(int(word[1]))
        elif word[:1] == [".zero"]:
            numbers += [0] * (int(word[1]) // 4)
    rows = list(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True))
    assert len(rows) == len(texts)
    wrong: list[str] = []
    for text, (bits, pointer, floats) in zip(texts, rows, strict=True):
        sort = "pointer" if pointer else "float" if floats else "integer"
        found = said_of(list(tokens(text, 0)), lookup).type
        if found is None or (found.bits, found.sort) != (bits, sort):
            wrong.append(f"{text}: {found}, g++ {bits} {sort}")
    assert not wrong, "\n".join(sorted(wrong, key=len)[:30])
