"""Random functions of integers, traced and run on the simulator, against Python itself."""

from __future__ import annotations

import linecache
import random
from types import FunctionType

import numpy as np
import pytest

import weft
from weft.tile import Global, function, i32, thread_id

THREADS = 32
NAMES = ("a", "b", "c")


class Writer:
    """Writes a function of `n` (a loop bound, 0 to 6), `t` (the thread's number) and the names `NAMES`."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines = ["def body(n, t):", "    a, b, c = t, 3, n", "    d = False"]
        self.loops = 0

    def text(self) -> str:
        for _ in range(3):
            self.statement(1, [], 3)
        self.lines.append("    return a * 3 + b * 5 + c * 7 + (1 if d else 0)")
        return "\n".join(self.lines) + "\n"

    def add(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def number(self, indices: list[str], depth: int = 2) -> str:
        pick = self.random.random()
        if depth == 0 or pick < 0.3:
            return self.random.choice([*NAMES, "t", "n", *indices, str(self.random.randint(-5, 9))])
        left, right = (self.number(indices, depth - 1) for _ in range(2))
        if pick < 0.4:
            return f"({left} if {self.condition(indices, 1)} else {right})"
        operator = self.random.choice(["+", "-", "*", "//", "%", "&", "|", "^"])
        if operator in ("//", "%"):
            return f"({left} {operator} {self.random.choice([2, 3, 7, -4])})"
        return f"(({left} {operator} {right}) % {self.random.choice([11, 64, 1000])})"

    def condition(self, indices: list[str], depth: int = 2) -> str:
        pick = self.random.random()
        if depth == 0 or pick < 0.5:
            left, right = (self.number(indices, 1) for _ in range(2))
            return f"{left} {self.random.choice(['<', '<=', '>', '>=', '==', '!='])} {right}"
        if pick < 0.6:
            return f"{self.number(indices, 0)} < {self.number(indices, 0)} <= {self.number(indices, 1)}"
        if pick < 0.7:
            return f"(not ({self.condition(indices, depth - 1)}))"
        if pick < 0.75:
            return "d"
        joined = self.random.choice(["and", "or"])
        return f"({self.condition(indices, depth - 1)} {joined} {self.condition(indices, depth - 1)})"

    def block(self, depth: int, indices: list[str], left: int, *, leaves: bool = False) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(depth, indices, left)
        if leaves and self.random.random() < 0.5:
            self.add(depth, self.random.choice(["break", "continue"]))

    def statement(self, depth: int, indices: list[str], left: int) -> None:
        pick = self.random.random()
        if left == 0 or pick < 0.4:
            name = self.random.choice(NAMES)
            operator = self.random.choice(["=", "=", "+=", "-="])
            self.add(depth, f"{name} {operator} {self.number(indices)}")
        elif pick < 0.45:
            self.add(depth, f"d = {self.condition(indices)}")
        elif pick < 0.5:
            self.add(
                depth, f"{', '.join(self.random.sample(NAMES, 2))} = {self.number(indices)}, {self.number(indices)}"
            )
        elif pick < 0.72:
            self.add(depth, f"if {self.condition(indices)}:")
            self.block(depth + 1, indices, left - 1, leaves=bool(self.loops))
            if self.random.random() < 0.5:
                self.add(depth, "else:")
                self.block(depth + 1, indices, left - 1, leaves=bool(self.loops))
            if depth == 1 and self.random.random() < 0.1:
                self.add(depth, f"if {self.condition(indices)}:")
                self.add(depth + 1, f"return {self.number(indices)}")
        else:
            self.loop(depth, indices, left)

    def loop(self, depth: int, indices: list[str], left: int) -> None:
        index = f"i{depth}_{len(self.lines)}"
        self.loops += 1
        if self.random.random() < 0.6:
            bounds = self.random.choice(["n", "1, n", "n, -1, -1", "0, n, 2", "n + 1, 0, -2", "3", "t % 4"])
            self.add(depth, f"for {index} in range({bounds}):")
            self.block(depth + 1, [*indices, index], left - 1)
        else:
            self.add(depth, f"{index} = {self.random.randint(0, 4)}")
            self.add(depth, f"while {index} < n and ({self.condition(indices, 1)}):")
            self.add(depth + 1, f"{index} += 1")
            self.block(depth + 1, [*indices, index], left - 1)
        self.loops -= 1


def made(text: str, name: str) -> FunctionType:
    """The function that a text defines, its lines where tracebacks and `inspect` find them."""
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    found: dict[str, FunctionType] = {}
    exec(compile(text, file, "exec"), found)
    return found["body"]


def check(seed: int) -> None:
    text = Writer(seed).text()
    body = made(text, f"random program {seed}")
    traced = function(body)

    @weft.kernel(threads=THREADS, grid=1)
    def kernel(out: Global(i32, THREADS), n: i32):
        t = thread_id()
        out[t] = traced(n, t)

    for n in (0, 1, 4):
        out = np.zeros(THREADS, np.int32)
        kernel.run(out, n, target="sm_80")
        assert out.tolist() == [body(n, t) for t in range(THREADS)], f"n = {n}\n{text}"


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(12))
def test_random_programs(seed: int) -> None:
    check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12, 60))
def test_more_random_programs(seed: int) -> None:
    check(seed)
