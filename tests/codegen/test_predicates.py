"""Comparisons that a loop leaves alone: before it while the machine has predicates for them, else inside of it."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import weft
from tests.effort import draws

LOOP = """gpu.module @m {{ gpu.func @k(%out: memref<32xi32>, %n: index) kernel {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %thread = gpu.thread_id x
  %t = arith.index_cast %thread : index to i32
  {tests}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v0 = %t) -> i32 {{
    %turn = arith.index_cast %i : index to i32
    {body}
    scf.yield %v{last} : i32 }} {{llvm.loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}}
  {after}
  memref.store %r{more}, %out[%thread] : memref<32xi32>
  gpu.return }} }}"""
_KINDS = ("slt", "sge", "eq", "ne", "sgt")
TURNS = 5


def _drawn(rng: Random, count: int, *, again: int = 0) -> tuple[str, np.ndarray]:
    """A kernel with so many comparisons that its loop reads, of which some are read behind it too; the results."""
    threads = np.arange(32, dtype=np.int64)
    lines: list[str] = []
    tests: list[np.ndarray] = []
    for number in range(count):
        kind, bound = rng.choice(_KINDS), rng.randrange(32)
        lines.append(f"%k{number} = arith.constant {bound} : i32")
        lines.append(f"%p{number} = arith.cmpi {kind}, %t, %k{number} : i32")
        compare = {"slt": np.less, "sge": np.greater_equal, "eq": np.equal, "ne": np.not_equal, "sgt": np.greater}[kind]
        tests.append(compare(threads, bound))
    body: list[str] = []
    steps: list[tuple[int, int]] = []
    order = [*range(count), *(rng.randrange(count) for _ in range(rng.randrange(4)))]
    rng.shuffle(order)
    for at, number in enumerate(order):
        by = rng.randrange(1, 99)
        steps.append((number, by))
        body.append(f"%b{at} = arith.constant {by} : i32")
        moved = f"%m{at} = arith.muli %v{at}, %b{at} : i32\n%a{at} = arith.addi %m{at}, %turn : i32"
        if rng.random() < 0.3:
            body.append(
                f"%v{at + 1} = scf.if %p{number} -> i32 {{ {moved}\n scf.yield %a{at} : i32 }} else {{"
                f" scf.yield %v{at} : i32 }}"
            )
        else:
            body.append(f"{moved}\n%v{at + 1} = arith.select %p{number}, %a{at}, %v{at} : i32")
    after = [f"%r{'x' * (i + 1)} = arith.select %p{i}, %t, %r{'x' * i} : i32" for i in range(again)]
    text = LOOP.format(
        tests="\n".join(lines), body="\n".join(body), last=len(order), after="\n".join(after), more="x" * again
    )
    values = threads.copy()
    for turn in range(TURNS):
        for number, by in steps:
            values = np.where(tests[number], values * by + turn, values) & 0xFFFFFFFF
    for test in tests[:again]:
        values = np.where(test, threads, values)
    return text, values.astype(np.uint32)


def _ptx(text: str) -> str:
    return weft.compile(text, "sm_80", bare_pointers=True).to_ptx()


@pytest.mark.parametrize("seed", range(draws(8, 120)))
def test_random_loops(seed: int) -> None:
    rng = Random(f"predicates {seed}")
    count = rng.randrange(1, 20)
    text, expected = _drawn(rng, count, again=rng.randrange(min(count, 4)))
    out = np.zeros(32, np.uint32)
    weft.run(weft.parse(_ptx(text)), "k", grid=1, block=32, args=[out, TURNS])
    assert out.tolist() == expected.tolist()


def _inside(ptx: str) -> int:
    """Comparisons in the loop."""
    lines = ptx.splitlines()
    end = max(at for at, line in enumerate(lines) if "bra $L" in line and "@%p" in line)
    label = lines[end].split("bra ")[1].rstrip(";") + ":"
    return sum("setp" in line for line in lines[lines.index(label) : end])


@pytest.mark.parametrize("seed", range(3))
def test_few_stay_before_the_loop(seed: int) -> None:
    assert _inside(_ptx(_drawn(Random(seed), 3)[0])) == 1


@pytest.mark.parametrize("seed", range(3))
def test_many_are_made_in_the_loop(seed: int) -> None:
    text = _drawn(Random(seed), 16)[0]
    assert _inside(_ptx(text)) >= 6
    # What is read behind the loop too stays where it is.
    assert _inside(_ptx(_drawn(Random(seed), 16, again=15)[0])) < 5
