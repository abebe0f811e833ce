"""Nests of loops whose bounds and steps are known as they run: addresses that step with each of them, guards left out."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import weft

SIZE = 400


class _Nest:
    """A drawn nest: its text, and what it does in Python."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.arguments = {f"%n{i}": rng.choice((0, 1, 1, 2, 3, 4, 5)) for i in range(3)}
        self.arguments |= {f"%s{i}": rng.choice((1, 1, 2, 3)) for i in range(2)}
        self.lines: list[str] = []
        self.code: list[str] = []
        self.count = 0
        self.loops(rng.randrange(2, 5), [], 1)

    def name(self, kind: str) -> str:
        self.count += 1
        return f"%{kind}{self.count}"

    def put(self, depth: int, line: str, code: str = "") -> None:
        self.lines.append(line)
        if code:
            self.code.append("  " * depth + code.replace("%", "v_"))

    def start(self, counters: list[str], depth: int) -> str:
        rng = self.rng
        plain = [*self.arguments, "%c0", "%c0", "%c1"]
        first = rng.choice([*plain, *counters])
        if rng.random() < 0.6:
            return first
        result, other = self.name("b"), rng.choice([*plain, *counters])
        self.put(depth, f"{result} = arith.addi {first}, {other} : index", f"{result} = {first} + {other}")
        return result

    def access(self, counters: list[str], depth: int) -> None:
        rng, total = self.rng, "%c0"
        for counter in counters:
            by, next_ = rng.choice((1, 2, 3, 5)), self.name("t")
            factor = "%s1" if rng.random() < 0.3 else f"{next_}c"
            self.put(depth, f"{next_}c = arith.constant {by} : index", f"{next_}c = {by}")
            self.put(depth, f"{next_}m = arith.muli {counter}, {factor} : index")
            self.put(
                depth, f"{next_} = arith.addi {total}, {next_}m : index", f"{next_} = {total} + {factor} * {counter}"
            )
            total = next_
        which, x = rng.choice("ab"), self.name("x")
        self.put(depth, f"{x} = memref.load %{which}[{total}] : memref<?xi32>", f"{x} = {which}[{total}]")
        old, new = self.name("o"), self.name("p")
        self.put(depth, f"{old} = memref.load %out[%c0] : memref<1xi32>")
        self.put(depth, f"{old}m = arith.muli {old}, %three : i32")
        self.put(depth, f"{new} = arith.addi {old}m, {x} : i32", f"total = wrapped(3 * total + {x})")
        self.put(depth, f"memref.store {new}, %out[%c0] : memref<1xi32>")

    def loops(self, left: int, counters: list[str], depth: int) -> None:
        rng = self.rng
        low = self.start(counters, depth)
        high, step = rng.choice([*list(self.arguments)[:3], "%n0"]), rng.choice(("%s0", "%s1", "%c1"))
        if rng.random() < 0.3:
            high = self.start(counters, depth)
        counter = self.name("k")
        self.put(
            depth,
            f"scf.for {counter} = {low} to {high} step {step} {{",
            f"for {counter} in range({low}, {high}, {step}):",
        )
        self.code.append("  " * (depth + 1) + "pass")
        inside = [*counters, counter]
        if left == 1 or rng.random() < 0.2:
            for _ in range(rng.randrange(1, 4)):
                self.access(rng.sample(inside, rng.randrange(1, len(inside) + 1)), depth + 1)
        if left > 1:
            for _ in range(rng.choice((1, 1, 2))):
                self.loops(left - 1, inside, depth + 1)
        self.lines.append("}")


@pytest.mark.sample(5)
@pytest.mark.parametrize("seed", [*range(40), "6 8"])  # The last has a loop of some turns at once that never runs.
def test_nests_do_what_they_say(seed: int | str) -> None:
    nest = _Nest(Random(f"nests {seed}"))
    head = ", ".join(f"{name}: index" for name in nest.arguments)
    body = "\n  ".join(nest.lines)
    text = f"""
gpu.module @m {{
gpu.func @k(%a: memref<?xi32>, %b: memref<?xi32>, %out: memref<1xi32>, {head}) kernel {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i32
  {body}
  gpu.return
}}}}"""
    rng = np.random.default_rng(7)
    a, b = (rng.integers(-1000, 1000, SIZE).astype(np.int32) for _ in range(2))

    def wrapped(value: int) -> int:
        return (value + (1 << 31)) % (1 << 32) - (1 << 31)

    held = {name.replace("%", "v_"): value for name, value in nest.arguments.items()}
    scope = {"a": a.tolist(), "b": b.tolist(), "v_c0": 0, "v_c1": 1, "total": 0, "wrapped": wrapped, **held}
    exec("if True:\n" + "\n".join(nest.code), scope)
    out = np.zeros(1, np.int32)
    numbers = [np.int64(value) for value in nest.arguments.values()]
    weft.run(weft.compile(text, "sm_80"), "k", 1, 1, [a, a, 0, SIZE, 1, b, b, 0, SIZE, 1, out, out, 0, 1, 1, *numbers])
    assert int(out[0]) == scope["total"]
