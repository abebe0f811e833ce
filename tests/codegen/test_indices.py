"""Indices that are sums of 32 bits: they lie where the sum says, even where parts of it wrap, and share an address."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import weft

SIZE = 64


def _wrapped(value: int) -> int:
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


def _sum(rng: Random, at: int, number: int, counted: str) -> str:
    """Operations that give %at.. = p + q + counted + number in a drawn order."""
    terms = ["%p", "%q", counted, f"%n{at}"]
    rng.shuffle(terms)
    lines, held = [f"%n{at} = arith.constant {number} : i32"], terms[0]
    for step, term in enumerate(terms[1:]):
        lines.append(f"%s{at}_{step} = arith.addi {held}, {term} : i32")
        held = f"%s{at}_{step}"
    return "\n  ".join([*lines, f"%i{at} = arith.index_cast {held} : i32 to index"])


def _access(rng: Random, at: int, number: int, guarded: bool) -> str:
    """%t.. = %t.. before + (at + 1) * a[index], where the index lies in the memref if that is asked for."""
    before = f"%t{at - 1}" if at else "%sum"
    load = f"""%x{at} = memref.load %a[%i{at}] : memref<?xi32>
  %m{at} = arith.constant {at + 1} : i32
  %y{at} = arith.muli %x{at}, %m{at} : i32
  %z{at} = arith.addi {before}, %y{at} : i32"""
    if not guarded:
        return f"{_sum(rng, at, number, '%k2')}\n  {load}\n  %t{at} = arith.addi %z{at}, %zero : i32\n"
    return f"""{_sum(rng, at, number, "%k2")}
  %in{at} = arith.cmpi ult, %i{at}, %size : index
  %t{at} = scf.if %in{at} -> (i32) {{
  {load}
  scf.yield %z{at} : i32
  }} else {{
  scf.yield {before} : i32
  }}
"""


@pytest.mark.sample(5)
@pytest.mark.parametrize("seed", range(40))
def test_accesses_lie_where_their_sums_say(seed: int) -> None:
    rng = Random(f"indices {seed}")
    start, trips, scale = rng.choice((0, 0, 3, -4)), rng.randrange(1, 12), rng.choice((1, 1, 2))
    numbers = [rng.choice((0, 1, 2, 7, -1, -3, rng.randrange(-9, 10))) for _ in range(rng.randrange(2, 6))]
    base = rng.randrange(-12, 30)
    p = rng.choice((0, 5, (1 << 31) - 2, -(1 << 31), rng.randrange(-(1 << 31), 1 << 31)))
    q = _wrapped(base - p)
    turns = range(start, start + trips)

    def places(number: int) -> list[int]:
        return [_wrapped(base + scale * k + number) for k in turns]

    guards = [any(not 0 <= place < SIZE for place in places(n)) or rng.random() < 0.2 for n in numbers]
    body = "".join(_access(rng, at, n, guard) for at, (n, guard) in enumerate(zip(numbers, guards, strict=True)))
    bounds = "%from to %to step %one" if rng.random() < 0.5 else "%low to %high step %by"
    text = f"""
gpu.module @m {{
gpu.func @k(%a: memref<?xi32>, %out: memref<1xi32>, %p: i32, %q: i32, %from: i32, %to: i32) kernel {{
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %scale = arith.constant {scale} : i32
  %low = arith.constant {start} : i32
  %high = arith.constant {start + trips} : i32
  %by = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %size = arith.constant {SIZE} : index
  %all = scf.for %k = {bounds} iter_args(%sum = %zero) -> (i32) : i32 {{
  %k2 = arith.muli %k, %scale : i32
  {body}
  scf.yield %t{len(numbers) - 1} : i32
  }}
  memref.store %all, %out[%c0] : memref<1xi32>
  gpu.return
}}}}"""
    data = np.random.default_rng(seed).integers(0, 1 << 20, SIZE).astype(np.int32)
    out = np.zeros(1, np.int32)
    ends = [np.int32(start), np.int32(start + trips)]
    given = [data, data, 0, SIZE, 1, out, out, 0, 1, 1, np.int32(p), np.int32(q), *ends]
    weft.run(weft.compile(text, "sm_80"), "k", 1, 1, given)
    want = sum((at + 1) * int(data[place]) for at, n in enumerate(numbers) for place in places(n) if 0 <= place < SIZE)
    assert int(out[0]) == _wrapped(want)


def test_neighbours_share_an_address() -> None:
    text = """
gpu.module @m {
gpu.func @k(%a: memref<?xf32>, %b: memref<?xf32>, %p: i32) kernel {
  %one = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %l = arith.addi %p, %minus : i32
  %r = arith.addi %p, %one : i32
  %li = arith.index_cast %l : i32 to index
  %pi = arith.index_cast %p : i32 to index
  %ri = arith.index_cast %r : i32 to index
  %x = memref.load %a[%pi] : memref<?xf32>
  %y = memref.load %a[%li] : memref<?xf32>
  %z = memref.load %a[%ri] : memref<?xf32>
  %s = arith.addf %x, %y : f32
  %t = arith.addf %s, %z : f32
  memref.store %t, %b[%pi] : memref<?xf32>
  gpu.return
}}"""
    ptx = weft.compile(text, "sm_80").to_ptx()
    assert ptx.count("mul.wide.s32") == 1
    assert "+4]" in ptx and "+-4]" in ptx


def _stencil(rng: Random, step: str) -> str:
    """Loads beside each other in an array of unknown strides, in a loop or not; `step` writes an index and a number."""
    rank, looped = rng.choice((2, 2, 3)), rng.random() < 0.5
    names = ["%i", "%j", "%k"][:rank]
    if looped:
        names[rng.randrange(rank)] = "%n"
    lines: list[str] = []
    total = "%zero"
    for at in range(rng.randint(2, 5)):
        indices = list(names)
        for axis in range(rank):
            if rng.random() < 0.5:
                size = rng.randint(1, 3)
                minus = rng.random() < 0.7
                number = -size if minus and step == "addi" else size
                lines.append(f"%c{at}_{axis} = arith.constant {number} : index")
                written = "subi" if minus and step == "subi" else "addi"
                lines.append(f"%p{at}_{axis} = arith.{written} {names[axis]}, %c{at}_{axis} : index")
                indices[axis] = f"%p{at}_{axis}"
        lines.append(f"%x{at} = memref.load %a[{', '.join(indices)}] : memref<{'?x' * rank}f32>")
        lines.append(f"%s{at} = arith.addf {total}, %x{at} : f32")
        total = f"%s{at}"
    store = f"memref.store {total}, %out[{names[-1]}] : memref<?xf32>"
    body = "\n".join([*lines, store])
    if looped:
        body = f"scf.for %n = %from to %to step %one {{\n{body}\n}}"
    return f"""
gpu.module @m {{
gpu.func @k(%a: memref<{"?x" * rank}f32>, %out: memref<?xf32>, %i: index, %j: index, %k: index, %from: index, %to: index) kernel {{
%zero = arith.constant 0.0 : f32
%one = arith.constant 1 : index
{body}
gpu.return
}}}}"""


def test_a_number_may_be_subtracted_or_its_negative_added() -> None:
    """The same code, whichever it is."""
    for seed in range(24):
        added, subtracted = (_stencil(Random(f"stencil {seed}"), step) for step in ("addi", "subi"))
        assert weft.compile(added, "sm_80").to_ptx() == weft.compile(subtracted, "sm_80").to_ptx(), added
