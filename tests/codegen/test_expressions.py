"""What expressions of integers cost: the instructions of each, whose results are those of Python's integers."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from tests.codegen.test_linear import decide, evaluate
from weft.codegen import linear
from weft.codegen.graph import B32, B64, Block, Const, If, Inst, Value, values_in
from weft.codegen.integers import Integers
from weft.codegen.linear import Lin


class Exact:
    """An integer of a width, as Python has it: what an expression means."""

    def __init__(self, number: int, bits: int) -> None:
        self.bits = bits
        self.signed = linear.wrap(number, bits)
        self.plain = number & (1 << bits) - 1

    def _of(self, other: Exact | int) -> Exact:
        return other if isinstance(other, Exact) else Exact(other, self.bits)

    def _made(self, number: int) -> Exact:
        return Exact(number, self.bits)

    def __add__(self, other: Exact | int) -> Exact:
        return self._made(self.plain + self._of(other).plain)

    def __sub__(self, other: Exact | int) -> Exact:
        return self._made(self.plain - self._of(other).plain)

    def __rsub__(self, other: int) -> Exact:
        return self._of(other) - self

    def __mul__(self, other: Exact | int) -> Exact:
        return self._made(self.plain * self._of(other).plain)

    def __and__(self, other: Exact | int) -> Exact:
        return self._made(self.plain & self._of(other).plain)

    def __or__(self, other: Exact | int) -> Exact:
        return self._made(self.plain | self._of(other).plain)

    def __xor__(self, other: Exact | int) -> Exact:
        return self._made(self.plain ^ self._of(other).plain)

    def __floordiv__(self, other: Exact | int) -> Exact:
        return self._made(self.plain // self._of(other).plain)

    def __mod__(self, other: Exact | int) -> Exact:
        return self._made(self.plain % self._of(other).plain)

    def __lshift__(self, other: Exact | int) -> Exact:
        return self._made(self.plain << min(self._of(other).plain, self.bits))

    def __rshift__(self, other: Exact | int) -> Exact:
        return self._made(self.plain >> self._of(other).plain)

    def sar(self, other: Exact | int) -> Exact:
        return self._made(self.signed >> self._of(other).plain)

    def sdiv(self, other: Exact | int) -> Exact:
        a, b = self.signed, self._of(other).signed
        return self._made(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1))

    def srem(self, other: Exact | int) -> Exact:
        return self - self.sdiv(other) * other

    def high(self, other: Exact | int) -> Exact:
        return self._made(self.plain * self._of(other).plain >> self.bits)

    def shigh(self, other: Exact | int) -> Exact:
        return self._made(self.signed * self._of(other).signed >> self.bits)

    def min(self, other: Exact | int) -> Exact:
        return self._made(min(self.signed, self._of(other).signed))

    def max(self, other: Exact | int) -> Exact:
        return self._made(max(self.signed, self._of(other).signed))

    def umin(self, other: Exact | int) -> Exact:
        return self._made(min(self.plain, self._of(other).plain))

    def umax(self, other: Exact | int) -> Exact:
        return self._made(max(self.plain, self._of(other).plain))

    def abs(self) -> Exact:
        return self._made(abs(self.signed))

    def is_(self, relation: str, other: Exact | int) -> Exact:
        """A comparison, signed but for a `u` in front."""
        a, b = self, self._of(other)
        name = relation.lstrip("u")
        given = (a.plain, b.plain) if relation[0] == "u" else (a.signed, b.signed)
        return Exact(int(getattr(int, f"__{name}__")(*given)), 1)

    def choose(self, a: Exact, b: Exact | int) -> Exact:
        return a if self.plain else a._of(b)

    def sext(self) -> Exact:
        return Exact(self.signed, 64)

    def zext(self) -> Exact:
        return Exact(self.plain, 64)

    def low(self) -> Exact:
        return Exact(self.plain, 32)

    def kept(self, width: int) -> Exact:
        return self._made(Exact(self.plain, width).plain)

    def skept(self, width: int) -> Exact:
        return self._made(Exact(self.plain, width).signed)


class Made:
    """The same as the builder makes it."""

    def __init__(self, s: Integers, lin: Any) -> None:
        self.s = s
        self.lin = lin

    def _of(self, other: Made | int) -> Lin:
        return other.lin if isinstance(other, Made) else linear.const(other, self.lin.bits)

    def _made(self, lin: Any) -> Made:
        return Made(self.s, lin)

    def __add__(self, other: Made | int) -> Made:
        return self._made(self.s.add(self.lin, self._of(other)))

    def __sub__(self, other: Made | int) -> Made:
        return self._made(self.s.sub(self.lin, self._of(other)))

    def __rsub__(self, other: int) -> Made:
        return self._made(self.s.sub(self._of(other), self.lin))

    def __mul__(self, other: Made | int) -> Made:
        return self._made(self.s.mul(self.lin, self._of(other)))

    def __and__(self, other: Made | int) -> Made:
        return self._made(self.s.bitwise("and", self.lin, self._of(other)))

    def __or__(self, other: Made | int) -> Made:
        return self._made(self.s.bitwise("or", self.lin, self._of(other)))

    def __xor__(self, other: Made | int) -> Made:
        return self._made(self.s.bitwise("xor", self.lin, self._of(other)))

    def __floordiv__(self, other: Made | int) -> Made:
        return self._made(self.s.div(self.lin, self._of(other), signed=False))

    def __mod__(self, other: Made | int) -> Made:
        return self._made(self.s.rem(self.lin, self._of(other), signed=False))

    def __lshift__(self, other: Made | int) -> Made:
        return self._made(self.s.shift_left(self.lin, self._of(other)))

    def __rshift__(self, other: Made | int) -> Made:
        return self._made(self.s.shift_right(self.lin, self._of(other), signed=False))

    def sar(self, other: Made | int) -> Made:
        return self._made(self.s.shift_right(self.lin, self._of(other), signed=True))

    def sdiv(self, other: Made | int) -> Made:
        return self._made(self.s.div(self.lin, self._of(other), signed=True))

    def srem(self, other: Made | int) -> Made:
        return self._made(self.s.rem(self.lin, self._of(other), signed=True))

    def high(self, other: Made | int) -> Made:
        return self._made(self.s.mul_high(self.lin, self._of(other), signed=False))

    def shigh(self, other: Made | int) -> Made:
        return self._made(self.s.mul_high(self.lin, self._of(other), signed=True))

    def min(self, other: Made | int) -> Made:
        return self._made(self.s.extreme("min", self.lin, self._of(other), signed=True))

    def max(self, other: Made | int) -> Made:
        return self._made(self.s.extreme("max", self.lin, self._of(other), signed=True))

    def umin(self, other: Made | int) -> Made:
        return self._made(self.s.extreme("min", self.lin, self._of(other), signed=False))

    def umax(self, other: Made | int) -> Made:
        return self._made(self.s.extreme("max", self.lin, self._of(other), signed=False))

    def abs(self) -> Made:
        return self._made(self.s.magnitude(self.lin))

    def is_(self, relation: str, other: Made | int) -> Made:
        signed = relation[0] != "u"
        return self._made(self.s.compare(relation.lstrip("u"), self.lin, self._of(other), signed=signed))

    def choose(self, a: Made, b: Made | int) -> Made:
        return self._made(self.s.choose(self.lin, a.lin, a._of(b)))

    def sext(self) -> Made:
        return self._made(self.s.extended(self.lin, signed=True))

    def zext(self) -> Made:
        return self._made(self.s.extended(self.lin, signed=False))

    def low(self) -> Made:
        return self._made(self.s.truncated(self.lin))

    def kept(self, width: int) -> Made:
        return self._made(self.s.exactly(self.lin, width, signed=False))

    def skept(self, width: int) -> Made:
        return self._made(self.s.exactly(self.lin, width, signed=True))


class Inputs:
    """A builder and registers, each `name: i32`, `i64` or `low..high`, of 64 bits with a `w` behind; in a loop with `@`."""

    def __init__(self, declared: str) -> None:
        self.s = Integers()
        self.body = Block(self.s.root, loop=True)
        self.values: dict[str, Value] = {}
        self.inside = "@" in declared
        for name, kind in re.findall(r"(\w+@?):(\S+)", declared):
            low, high, wide = 0, -1, kind in ("i64",) or kind.endswith("w")
            if ".." in kind:
                low, high = (int(end, 0) for end in kind.rstrip("w").split(".."))
            block = self.body if name.endswith("@") else self.s.root
            self.values[name.rstrip("@")] = Value(B64 if wide else B32, block, None, low, high)

    def made(self, text: str) -> list[Any]:
        """The operands that hold the results of expressions, one after another."""
        names: dict[str, Any] = {name: Made(self.s, linear.of(value)) for name, value in self.values.items()}
        found: list[Any] = []
        with self.s.at(self.body if self.inside else self.s.root):
            for name, expression in _steps(text):
                names[name] = eval(expression, names)
                lin = names[name].lin
                found.append(self.s.operand(lin) if isinstance(lin, Lin) else lin)
        return found

    def exact(self, text: str, given: dict[str, int]) -> list[Exact]:
        """What expressions are of numbers."""
        names: dict[str, Any] = {
            name: Exact(number, 64 if self.values[name].cls == B64 else 32) for name, number in given.items()
        }
        for name, expression in _steps(text):
            names[name] = eval(expression, names)
        return [names[name] for name, _ in _steps(text)]

    def drawn(self, rng: random.Random) -> dict[str, int]:
        """A number for each register: its ends, near zero, or any."""
        found: dict[str, int] = {}
        for name, value in self.values.items():
            near = [
                n for n in (*range(-2, 3), value.lo, value.hi, value.lo + 1, value.hi - 1) if value.lo <= n <= value.hi
            ]
            found[name] = rng.choice([*near, *(rng.randint(value.lo, value.hi) for _ in range(len(near)))])
        return found

    def codes(self, results: list[Any]) -> str:
        """The instructions that results need, those of the loop behind a bar."""
        needed, work = set[Value](), [one for one in results if isinstance(one, Value)]
        merged = {merge.value: (item.test, *merge.values) for item in self.s.root.items if isinstance(item, If) for merge in item.merges}  # fmt: skip
        while work:
            value = work.pop()
            if value not in needed:
                needed.add(value)
                args = merged.get(value) or (value.inst.args[1:] if value.inst is not None else ())
                work += [one for arg in args for one in values_in(arg)]
        parts = [self.s.root, self.body] if self.inside else [self.s.root]
        return " | ".join(" ".join(_codes(block, needed)) for block in parts)


def _steps(text: str) -> list[tuple[str, str]]:
    """The expressions and their names; those without have a number."""
    found: list[tuple[str, str]] = []
    for place, step in enumerate(text.split(";")):
        named = re.match(r"\s*(\w+) = (.*)", step)
        found.append((named[1], named[2]) if named else (f"_{place}", step.strip()))
    return found


def _codes(block: Block, needed: set[Value]) -> list[str]:
    found: list[str] = []
    for item in block.items:
        if isinstance(item, If):
            sides = (" ".join(_codes(side, needed)) for side in (item.then, item.otherwise))
            found.append("{" + "} {".join(sides) + "}")
        elif isinstance(item, Inst) and not needed.isdisjoint(item.outs):
            found.append(item.opcode.text)
    return found


def _sections() -> dict[str, list[str]]:
    """The lines of the table by what stands over them."""
    found: dict[str, list[str]] = {}
    for line in (Path(__file__).parent / "expressions.txt").read_text().splitlines():
        if line.startswith("# "):
            found[line[2:]] = []
        elif line:
            found[list(found)[-1]].append(line)
    return found


SECTIONS = _sections()


def check(case: str) -> None:
    """An expression makes these instructions, which give what it means."""
    declared, text, wanted = (part.strip() for part in re.split(" :: |=>", case))
    inputs = Inputs(declared)
    found = inputs.made(text)
    assert inputs.codes(found).strip() == wanted, case
    rng = random.Random(text)
    for _ in range(12):
        given = inputs.drawn(rng)
        env: dict[Value, int] = {
            value: given[name] & (1 << (64 if value.cls == B64 else 32)) - 1 for name, value in inputs.values.items()
        }
        try:
            exact = inputs.exact(text, given)
        except ZeroDivisionError:
            continue
        decide(inputs.s.root, env)
        results = [operand.pattern if isinstance(operand, Const) else evaluate(operand, env) for operand in found]
        for number, result in zip(exact, results, strict=True):
            assert result & (1 << number.bits) - 1 == number.plain, (given, case)


@pytest.mark.parametrize("section", SECTIONS)
def test_instructions_of_expressions(section: str) -> None:
    for case in SECTIONS[section]:
        check(case)
