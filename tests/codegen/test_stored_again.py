"""Loops that load what the turn before has stored: random bodies over arrays that overlap, against Python."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import weft

SIZE = 40
TYPES = {"a": "memref<?xi32>", "b": "memref<?xi32, strided<[1], offset: ?>>", "c": "memref<?xi32>"}
APART = 2
"""How many elements behind the first array the second one begins, in the same memory."""


class Body:
    """Loads, stores and sums of a loop's turn; places are the loop's own or those of a counter."""

    def __init__(self, random: Random) -> None:
        self.steps: list[tuple[str, str, str, int]] = []
        places = [(random.choice("abc"), random.choice(("%p", "%q", "%k")), random.randrange(3)) for _ in range(3)]
        for _ in range(random.randrange(2, 7)):
            self.steps.append((random.choice(("load", "load", "store")), *random.choice(places)))
        if random.random() < 0.8:  # As sums are written that memory holds.
            place = (random.choice("abc"), "%p", 0)
            self.steps = [("load", *place), *self.steps, ("store", *place)]

    def text(self) -> str:
        lines: list[str] = []
        value = "%first"
        for n, (what, memory, index, more) in enumerate(self.steps):
            lines.append(f"%o{n} = arith.constant {more} : index\n%i{n} = arith.addi {index}, %o{n} : index")
            if what == "load":
                lines.append(f"%l{n} = memref.load %{memory}[%i{n}] : {TYPES[memory]}")
                lines.append(f"%m{n} = arith.muli {value}, %factor : i32\n%v{n} = arith.addi %m{n}, %l{n} : i32")
                value = f"%v{n}"
            else:
                lines.append(f"memref.store {value}, %{memory}[%i{n}] : {TYPES[memory]}")
        lines.append(f"scf.yield {value} : i32")
        return "\n".join(lines)

    def run(self, memory: dict[str, list[int]], bounds: tuple[int, int, int], at: dict[str, int]) -> int:
        value = 7
        for counter in range(*bounds):
            for what, name, index, more in self.steps:
                held, place = memory["a" if name == "b" else name], (at | {"%k": counter})[index] + more
                place += APART * (name == "b")
                if what == "load":
                    value = (value * 5 + held[place]) & 0xFFFFFFFF
                else:
                    held[place] = value
        return value


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(60))
def test_sums_in_memory(seed: int) -> None:
    random = Random(seed)
    body, step = Body(random), random.choice(("%one", "%by"))
    text = f"""gpu.module @m {{ gpu.func @k(%a: {TYPES["a"]}, %b: {TYPES["b"]}, %c: {TYPES["c"]}, %lower: index,
        %upper: index, %by: index, %p: index, %q: index, %out: memref<1xi32>) kernel {{
      %factor = arith.constant 5 : i32
      %seven = arith.constant 7 : i32
      %one = arith.constant 1 : index
      %zero = arith.constant 0 : index
      %r = scf.for %k = %lower to %upper step {step} iter_args(%first = %seven) -> (i32) {{
        {body.text()}
      }}
      memref.store %r, %out[%zero] : memref<1xi32>
      gpu.return }} }}"""
    module = weft.compile(text, random.choice(("sm_80", "sm_100a")))
    for lower, upper, by in ((0, 9, 1), (3, 4, 2), (2, 15, 3), (5, 5, 1)):
        at = {"%p": random.randrange(12), "%q": random.randrange(12)}
        if lower == upper:  # What is not there must not be loaded where the loop does not run.
            at = {"%p": 1 << 40, "%q": 1 << 40}
        whole, c, out = (np.array([random.randrange(1 << 16) for _ in range(n)], np.int32) for n in (SIZE, SIZE, 1))
        memory = {"a": whole.tolist(), "c": c.tolist()}
        wanted = body.run(memory, (lower, upper, by if step == "%by" else 1), at)
        arguments: list[object] = []
        for array, offset in ((whole, 0), (whole, APART), (c, 0)):
            arguments += [array, array, offset, SIZE - offset, 1]
        arguments += [lower, upper, by, at["%p"], at["%q"], out, out, 0, 1, 1]
        weft.run(module, "k", (1,), (1,), arguments)
        assert out.view(np.uint32)[0] == wanted
        for name, array in (("a", whole), ("c", c)):
            assert [int(x) & 0xFFFFFFFF for x in array] == [x & 0xFFFFFFFF for x in memory[name]], (lower, upper)


def test_sum_is_carried() -> None:
    text = """gpu.module @m { gpu.func @k(%a: memref<?xf32>, %c: memref<?xf32>, %n: index, %i: index) kernel {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      scf.for %k = %zero to %n step %one {
        %x = memref.load %a[%k] : memref<?xf32>
        %s = memref.load %c[%i] : memref<?xf32>
        %t = arith.addf %s, %x : f32
        memref.store %t, %c[%i] : memref<?xf32>
      }
      gpu.return } }"""
    ptx = weft.compile(text, "sm_80").to_ptx()
    # In four turns at once, and in those that are left, a load for each turn; one before each of the two loops.
    assert (ptx.count("ld.global"), ptx.count("st.global")) == (7, 5)
