"""Loops whose tests follow from constants: they are copied as often as Python says that they turn, if that is not often."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from random import Random

from tests.effort import draws
from weft.codegen import compile_module

MOST = 16
"""So many turns of a small loop are copied at most."""
Function = Callable[[int, int, int], int | None]
"""What an operation makes of two numbers with a sign of so many bits; None where that is not defined."""


def signed(x: int, w: int) -> int:
    x %= 1 << w
    return x - (1 << w) if x >> w - 1 else x


def cut(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


OPERATIONS: dict[str, Function] = {
    "addi": lambda a, b, w: a + b, "subi": lambda a, b, w: a - b, "muli": lambda a, b, w: a * b,
    "andi": lambda a, b, w: a & b, "ori": lambda a, b, w: a | b, "xori": lambda a, b, w: a ^ b,
    "minsi": lambda a, b, w: min(a, b), "maxsi": lambda a, b, w: max(a, b),
    "shli": lambda a, b, w: a << b if 0 <= b < w else None, "shrsi": lambda a, b, w: a >> b if 0 <= b < w else None,
    "shrui": lambda a, b, w: a % (1 << w) >> b if 0 <= b < w else None,
    "divsi": lambda a, b, w: cut(a, b) if b else None,
    "divui": lambda a, b, w: a % (1 << w) // (b % (1 << w)) if b else None,
    "remui": lambda a, b, w: a % (1 << w) % (b % (1 << w)) if b else None,
}  # fmt: skip
LLVM = {
    "addi": "add", "subi": "sub", "muli": "mul", "andi": "and", "ori": "or", "xori": "xor", "shli": "shl",
    "shrsi": "ashr", "shrui": "lshr", "divsi": "sdiv", "divui": "udiv", "remui": "urem", "extsi": "sext",
    "extui": "zext", "trunci": "trunc",
}  # fmt: skip
COMPARED: dict[str, Callable[[int, int], bool]] = {
    "eq": int.__eq__, "ne": int.__ne__, "lt": int.__lt__, "le": int.__le__, "gt": int.__gt__, "ge": int.__ge__,
}  # fmt: skip
PREDICATES = ["eq", "ne", *(s + r for s in "su" for r in ("lt", "le", "gt", "ge"))]


def holds(predicate: str, a: int, b: int, w: int) -> bool:
    if predicate[0] == "u":
        a, b = a % (1 << w), b % (1 << w)
    return COMPARED[predicate[-2:]](a, b)


class Program:
    """A loop over x that starts at a constant, and how often it turns."""

    def __init__(self, name: str, predicate: str, seed: int) -> None:
        self.name, self.predicate = name, predicate
        self.rng = rng = Random(f"{name} {predicate} {seed}")
        self.type = rng.choice(("i8", "i32", "i64", "index"))
        self.width = 64 if self.type == "index" else int(self.type[1:])
        self.llvm = self.type != "index" and rng.random() < 0.5
        self.start, self.by, self.other, self.limit = (self.number() for _ in range(4))
        self.form = rng.choice(("plain", "plain", "wider", "chosen")) if self.type != "index" else "plain"
        self.wide = rng.choice([w for w in (16, 32, 64) if w > self.width] or [0])
        self.extension = rng.choice(("extsi", "extui"))
        if self.form == "wider" and not self.wide:
            self.form = "plain"

    def number(self) -> int:
        return signed(self.rng.choice((0, 1, 2, 3, 5, 7, 12, 20, 40, -1, -2, -5, -30, 100, 90)), self.width)

    def following(self, x: int) -> int | None:
        w = self.width
        if self.form == "wider":
            given = signed(x, w) if self.extension == "extsi" else x % (1 << w)
            found = OPERATIONS[self.name](given, self.by, self.wide)
        else:
            found = OPERATIONS[self.name](x, self.by, w)  # What is not chosen must be defined, too.
            if found is not None and self.form == "chosen" and not holds("slt", x, self.other, w):
                found = x + 1
        return None if found is None else signed(found, w)

    def turns(self) -> int | None:
        """How often it turns; None where that is not defined, or more than it can be followed."""
        x: int | None = self.start
        for turn in range(200):
            if x is None:
                return None
            if not holds(self.predicate, x, self.limit, self.width):
                return turn
            x = self.following(x)
        return 200

    def _op(self, to: str, name: str, a: str, b: str, type_: str) -> str:
        return f"{to} = {'llvm.' + LLVM[name] if self.llvm and name in LLVM else 'arith.' + name} {a}, {b} : {type_}"

    def _cast(self, to: str, name: str, a: str, types: str) -> str:
        return f"{to} = {'llvm.' + LLVM[name] if self.llvm else 'arith.' + name} {a} : {types}"

    def _compare(self, to: str, predicate: str, a: str, b: str) -> str:
        if self.llvm:
            return f'{to} = llvm.icmp "{predicate}" {a}, {b} : {self.type}'
        return f"{to} = arith.cmpi {predicate}, {a}, {b} : {self.type}"

    def text(self, name: str) -> str:
        t, body = self.type, list[str]()
        if self.form == "wider":
            w = f"i{self.wide}"
            body += [self._cast("%e", self.extension, "%y", f"{t} to {w}"), self._op("%f", self.name, "%e", "%wide", w)]
            body.append(self._cast("%z", "trunci", "%f", f"{w} to {t}"))
        elif self.form == "chosen":
            body += [self._op("%e", self.name, "%y", "%by", t), self._op("%f", "addi", "%y", "%one", t)]
            body.append(self._compare("%c", "slt", "%y", "%other"))
            body.append(f"%z = {'llvm.select %c, %e, %f : i1, ' if self.llvm else 'arith.select %c, %e, %f : '}{t}")
        else:
            body.append(self._op("%z", self.name, "%y", "%by", t))
        lines = "\n".join(body)
        return f"""gpu.func @{name}() kernel {{
          %start = arith.constant {self.start} : {t}
          %by = arith.constant {self.by} : {t}
          %one = arith.constant 1 : {t}
          %other = arith.constant {self.other} : {t}
          %limit = arith.constant {self.limit} : {t}
          {f"%wide = arith.constant {self.by} : i{self.wide}" if self.form == "wider" else ""}
          %r = scf.while (%x = %start) : ({t}) -> {t} {{
            {self._compare("%g", self.predicate, "%x", "%limit")}
            scf.condition(%g) %x : {t}
          }} do {{
          ^bb0(%y: {t}):
            llvm.inline_asm has_side_effects "nanosleep.u32 7;", "" : () -> ()
            {lines}
            scf.yield %z : {t}
          }}
          gpu.return }}"""


def programs() -> Iterator[Program]:
    """For each operation and comparison, some that turn so often that they are copied, and one of others."""
    for name, predicate in product(OPERATIONS, PREDICATES):
        copied = others = 0
        for seed in range(40):
            program = Program(name, predicate, seed)
            turns = program.turns()
            if turns in range(1, MOST + 1) and copied < draws(1, 10):
                copied += 1
                yield program
            elif turns is not None and not others:
                others += 1
                yield program


def test_copies_are_turns() -> None:
    named = {f"k{i}": program for i, program in enumerate(programs())}
    kernels = "\n".join(program.text(name) for name, program in named.items())
    ptx = compile_module(f"gpu.module @m {{ {kernels} }}", "sm_80").to_ptx()
    bodies = dict(re.findall(r"\.entry (k\d+)\(\)\s*\{(.*?)\n\}", ptx, re.DOTALL))
    assert len(bodies) == len(named) > 200
    for name, program in named.items():
        turns, found = program.turns(), bodies[name].count("nanosleep")
        wanted = turns if turns in range(1, MOST + 1) else 1
        assert found == wanted or (not turns and not found), (turns, program.text(name))
