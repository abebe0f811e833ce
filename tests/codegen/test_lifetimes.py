"""Allocations that are never in use at the same time share a place, and no others do."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import weft
from tests.effort import draws

HEAD = """gpu.module @m {{ gpu.func @k(%out: !llvm.ptr<1>, %n: i32) kernel {{
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %three = llvm.mlir.constant(3 : i32) : i32
  {arrays}
  {body}
  %place = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store {result}, %place : i32, !llvm.ptr<1>
  gpu.return }} }}"""
THREADS = 8
TURNS = 3

Program = list[tuple[Any, ...]]
"""`scope` with an array, a number, and what is inside; `if` with a bit of the thread's number and both sides; `repeat`
with what is inside.
"""


def _drawn(rng: Random, free: list[int], depth: int) -> Program:
    found: Program = []
    for _ in range(rng.randrange(1, 4)):
        kind = rng.choice(("scope", "scope", "scope", "if", "repeat"))
        if kind == "scope" and free:
            array = rng.choice(free)
            inside = (
                _drawn(rng, [one for one in free if one != array], depth - 1) if depth and rng.random() < 0.6 else []
            )
            found.append(("scope", array, rng.randrange(99), inside))
        elif kind == "if" and depth:
            found.append(("if", rng.randrange(3), _drawn(rng, free, depth - 1), _drawn(rng, free, depth - 1)))
        elif kind == "repeat" and depth:
            found.append(("repeat", _drawn(rng, free, depth - 1)))
    return found


class _Writer:
    """The text of a program; each statement takes the sum so far and gives the next one."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._names = 0

    def name(self) -> str:
        self._names += 1
        return f"v{self._names}"

    def op(self, text: str) -> str:
        name = self.name()
        self.lines.append(f"%{name} = {text}")
        return f"%{name}"

    def element(self, array: int, index: str) -> str:
        at = self.op(f"llvm.and {index}, %three : i32")
        return self.op(
            f"llvm.getelementptr %a{array}[%zero, {at}] : (!llvm.ptr, i32, i32) -> !llvm.ptr, !llvm.array<4 x i32>"
        )

    def write(self, program: Program, value: str) -> str:
        for statement in program:
            value = getattr(self, f"_{statement[0]}")(value, *statement[1:])
        return value

    def _scope(self, value: str, array: int, number: int, inside: Program) -> str:
        self.lines.append(f"llvm.intr.lifetime.start %a{array} : !llvm.ptr")
        for at in range(4):
            added = self.op(f"llvm.mlir.constant({number + 5 * at} : i32) : i32")
            moved = self.op(f"llvm.add {value}, {added} : i32")
            place = self.element(array, self.op(f"llvm.add {moved}, %t : i32"))
            self.lines.append(f"llvm.store {moved}, {place} : i32, !llvm.ptr")
        value = self.write(inside, value)
        read = self.op(f"llvm.load {self.element(array, value)} : !llvm.ptr -> i32")
        self.lines.append(f"llvm.intr.lifetime.end %a{array} : !llvm.ptr")
        return self.op(f"llvm.add {value}, {read} : i32")

    def _if(self, value: str, bit: int, then: Program, otherwise: Program) -> str:
        a, b, end, result = (self.name() for _ in range(4))
        by = self.op(f"llvm.mlir.constant({bit} : i32) : i32")
        test = self.op(f"llvm.trunc {self.op(f'llvm.lshr %t, {by} : i32')} : i32 to i1")
        self.lines += [f"llvm.cond_br {test}, ^{a}, ^{b}", f"^{a}:"]
        self.lines += [f"llvm.br ^{end}({self.write(then, value)} : i32)", f"^{b}:"]
        self.lines += [f"llvm.br ^{end}({self.write(otherwise, value)} : i32)", f"^{end}(%{result}: i32):"]
        return f"%{result}"

    def _repeat(self, value: str, inside: Program) -> str:
        head, end, turn, result = (self.name() for _ in range(4))
        self.lines += [f"llvm.br ^{head}({value}, %zero : i32, i32)", f"^{head}(%{result}: i32, %{turn}: i32):"]
        found = self.write(inside, f"%{result}")
        later = self.op(f"llvm.add %{turn}, %one : i32")
        test = self.op(f'llvm.icmp "slt" {later}, %n : i32')
        self.lines += [f"llvm.cond_br {test}, ^{head}({found}, {later} : i32, i32), ^{end}", f"^{end}:"]
        return found


def _expected(program: Program, value: int, thread: int) -> int:
    for statement in program:
        match statement:
            case ("scope", _, number, inside):
                held = [0] * 4
                for at in range(4):
                    moved = value + number + 5 * at
                    held[moved + thread & 3] = moved
                value = _expected(inside, value, thread)
                value = value + held[value & 3] & 0xFFFFFFFF
            case ("if", bit, then, otherwise):
                value = _expected(then if thread >> bit & 1 else otherwise, value, thread)
            case (_, inside):
                for _ in range(TURNS):
                    value = _expected(inside, value, thread)
    return value


def _compiled(program: Program, arrays: int) -> str:
    writer = _Writer()
    result = writer.write(program, "%t")
    made = "\n".join(
        f"%a{one} = llvm.alloca %one x !llvm.array<4 x i32> {{alignment = 4 : i64}} : (i32) -> !llvm.ptr"
        for one in range(arrays)
    )
    text = HEAD.format(arrays=made, body="\n".join(writer.lines), result=result)
    return weft.compile(text, "sm_80").to_ptx()


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", range(draws(12, 150)))
def test_random_scopes(seed: int) -> None:
    rng = Random(f"scopes {seed}")
    arrays = rng.randrange(2, 6)
    program = _drawn(rng, list(range(arrays)), 3)
    out = np.zeros(THREADS, np.uint32)
    weft.run(weft.parse(_compiled(program, arrays)), "k", grid=1, block=THREADS, args=[out, TURNS])
    assert out.tolist() == [_expected(program, thread, thread) for thread in range(THREADS)]


def _bytes(program: Program, arrays: int) -> int:
    (found,) = (line for line in _compiled(program, arrays).splitlines() if "__local_depot0[" in line)
    return int(found.partition("__local_depot0[")[2].partition("]")[0])


def test_scopes_one_after_another_share() -> None:
    one, other, third = (("scope", number, 3 * number, []) for number in range(3))
    assert _bytes([one, other, third], 3) == 16
    assert _bytes([("repeat", [one, other]), third], 3) == 16
    assert _bytes([("if", 0, [one], [other])], 2) == 16


def test_one_scope_in_another_does_not_share_with_it() -> None:
    inner, last = ("scope", 1, 7, []), ("scope", 2, 9, [])
    assert _bytes([("scope", 0, 1, [inner, last])], 3) == 32
    assert _bytes([("scope", 0, 1, [("repeat", [inner])]), last], 3) == 32


UNMARKED = """gpu.module @m { gpu.func @k(%out: !llvm.ptr<1>, %i: i32) kernel {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x !llvm.array<6 x i32> : (i32) -> !llvm.ptr
  START
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %i, %p : i32, !llvm.ptr
  llvm.intr.lifetime.end %a : !llvm.ptr
  llvm.intr.lifetime.start %b : !llvm.ptr
  %q = llvm.getelementptr %b[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %i, %q : i32, !llvm.ptr
  AGAIN
  %v = llvm.load %q : !llvm.ptr -> i32
  llvm.store %v, %out : i32, !llvm.ptr<1>
  gpu.return } }"""


@pytest.mark.parametrize(
    ("start", "again", "size"),
    [
        ("llvm.intr.lifetime.start %a : !llvm.ptr", "", 24),
        ("", "", 40),  # Nothing says where its use begins.
        ("llvm.intr.lifetime.start %a : !llvm.ptr", "llvm.store %one, %p : i32, !llvm.ptr", 40),
    ],
)
def test_what_is_used_without_marks_keeps_its_place(start: str, again: str, size: int) -> None:
    ptx = weft.compile(UNMARKED.replace("START", start).replace("AGAIN", again), "sm_80").to_ptx()
    assert f"__local_depot0[{size}]" in ptx
