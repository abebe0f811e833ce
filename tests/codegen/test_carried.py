"""Loops that carry values of all kinds of types at once, vectors and structures among them, each in its own order."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

import weft

SCALARS = ("i8", "i16", "i32", "i64", "f16", "f32", "f64")
VECTORS = ("vector<1xi32>", "vector<2xf16>", "vector<3xf32>", "vector<4xi8>", "vector<4xi32>", "vector<2xi64>")
STRUCTURES = ("!llvm.struct<(i32, f64)>", "!llvm.struct<(i8, i64, f32)>", "complex<f32>")


def elements(type_: str) -> list[str]:
    """The types of the scalars that a value consists of."""
    if type_.startswith("vector"):
        count, element = type_[7:-1].split("x")
        return [element] * int(count)
    if type_.startswith("!llvm"):
        return type_.partition("(")[2].rstrip(")>").split(", ")
    return ["f32", "f32"] if type_ == "complex<f32>" else [type_]


class Writer:
    """Writes operations."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._count = 0

    def op(self, text: str) -> str:
        """The result of an operation."""
        self._count += 1
        self.lines.append(f"%x{self._count} = {text}")
        return f"%x{self._count}"

    def of_number(self, number: str, kind: str) -> str:
        """A scalar of a 32-bit integer."""
        if kind == "i32":
            return number
        step = {"f": "arith.sitofp", "i": "arith.extsi" if kind == "i64" else "arith.trunci"}[kind[0]]
        return self.op(f"{step} {number} : i32 to {kind}")

    def number(self, scalar: str, kind: str) -> str:
        """And back."""
        if kind == "i32":
            return scalar
        step = {"f": "arith.fptosi", "i": "arith.trunci" if kind == "i64" else "arith.extsi"}[kind[0]]
        return self.op(f"{step} {scalar} : {kind} to i32")

    def parts(self, value: str, type_: str) -> list[str]:
        """The scalars of a value."""
        kinds = range(len(elements(type_)))
        if type_.startswith("vector"):
            return [self.op(f"vector.extract {value}[{n}] : {elements(type_)[n]} from {type_}") for n in kinds]
        if type_.startswith("!llvm"):
            return [self.op(f"llvm.extractvalue {value}[{n}] : {type_}") for n in kinds]
        if type_ == "complex<f32>":
            return [self.op(f"complex.{part} {value} : {type_}") for part in ("re", "im")]
        return [value]

    def whole(self, parts: Sequence[str], type_: str) -> str:
        """A value of its scalars."""
        if type_.startswith("vector"):
            return self.op(f"vector.from_elements {', '.join(parts)} : {type_}")
        if type_.startswith("!llvm"):
            value = self.op(f"llvm.mlir.undef : {type_}")
            for n, part in enumerate(parts):
                value = self.op(f"llvm.insertvalue {part}, {value}[{n}] : {type_}")
            return value
        return self.op(f"complex.create {parts[0]}, {parts[1]} : {type_}") if type_ == "complex<f32>" else parts[0]


def updated(
    w: Writer, values: Sequence[str], types: Sequence[str], order: Sequence[int], adds: Sequence[int]
) -> list[str]:
    """The values of the next turn: in another order, each scalar with a number added."""
    found: list[str] = []
    for at, type_ in zip(order, types, strict=True):
        new: list[str] = []
        for part, kind in zip(w.parts(values[at], type_), elements(type_), strict=True):
            add = adds[len(found)]
            constant = w.op(f"arith.constant {add}{'.0' if kind[0] == 'f' else ''} : {kind}")
            new.append(w.op(f"arith.add{kind[0]} {part}, {constant} : {kind}"))
        found.append(w.whole(new, type_))
    return found


def loop(w: Writer, form: str, starts: list[str], types: list[str], order: list[int], adds: list[int]) -> list[str]:
    """What is left of values after %turns turns."""
    named, all_types = [f"%v{n}" for n in range(len(types))], ", ".join(types)
    if form == "for":
        carried = ", ".join(f"{name} = {start}" for name, start in zip(named, starts, strict=True))
        w.lines.append(
            f"%r:{len(types)} = scf.for %i = %zero to %turns step %one iter_args({carried}) -> ({all_types}) : i32 {{"
        )
        w.lines.append(f"scf.yield {', '.join(updated(w, named, types, order, adds))} : {all_types} }}")
        return [f"%r#{n}" for n in range(len(types))]
    if form == "while":
        carried = ", ".join(f"{name} = {start}" for name, start in zip(["%i", *named], ["%zero", *starts], strict=True))
        w.lines.append(f"%r:{len(types) + 1} = scf.while ({carried}) : (i32, {all_types}) -> (i32, {all_types}) {{")
        w.lines.append("%c = arith.cmpi slt, %i, %turns : i32")
        w.lines.append(f"scf.condition(%c) %i, {', '.join(named)} : i32, {all_types} }} do {{")
        after = [f"%w{n}" for n in range(len(types))]
        w.lines.append(
            f"^body(%j: i32, {', '.join(f'{name}: {type_}' for name, type_ in zip(after, types, strict=True))}):"
        )
        w.lines.append("%next = arith.addi %j, %one : i32")
        w.lines.append(f"scf.yield %next, {', '.join(updated(w, after, types, order, adds))} : i32, {all_types} }}")
        return [f"%r#{n + 1}" for n in range(len(types))]
    given = ", ".join(f"{name}: {type_}" for name, type_ in zip(named, types, strict=True))
    w.lines.append(f"cf.br ^head(%zero, {', '.join(starts)} : i32, {all_types})")
    w.lines.append(f"^head(%i: i32, {given}):")
    w.lines.append("%c = arith.cmpi slt, %i, %turns : i32")
    w.lines.append("cf.cond_br %c, ^body, ^end")
    w.lines.append("^body:")
    w.lines.append("%next = arith.addi %i, %one : i32")
    w.lines.append(f"cf.br ^head(%next, {', '.join(updated(w, named, types, order, adds))} : i32, {all_types})")
    w.lines.append("^end:")
    return named


@pytest.mark.sample(12)
@pytest.mark.parametrize("form", ["for", "while", "blocks"])
@pytest.mark.parametrize("seed", range(12))
def test_all_types_together(form: str, seed: int) -> None:
    rng = Random(f"carried {seed}")
    types = [*rng.sample(VECTORS, 2), *rng.sample(STRUCTURES, 1), *rng.sample(SCALARS, 2)]
    types += rng.choices(types, k=2)
    rng.shuffle(types)
    order = list(range(len(types)))
    for type_ in set(types):  # Values of one type change places.
        places = [n for n, each in enumerate(types) if each == type_]
        for place, at in zip(places, [*places[1:], places[0]], strict=True):
            order[place] = at
    adds = [rng.randint(-2, 3) for _ in types]
    w = Writer()
    want: list[list[int]] = []
    starts: list[str] = []
    number, turns = rng.randint(-5, 5), rng.randint(0, 5)
    for type_ in types:
        first = rng.randint(-9, 9)
        parts: list[str] = []
        for n, kind in enumerate(elements(type_)):
            offset = w.op(f"arith.constant {first + n} : i32")
            parts.append(w.of_number(w.op(f"arith.addi %n, {offset} : i32"), kind))
        starts.append(w.whole(parts, type_))
        want.append([number + first + n for n in range(len(parts))])
    for _ in range(turns):
        want = [[part + add for part in want[at]] for at, add in zip(order, adds, strict=True)]
    stores = [
        w.number(part, kind)
        for value, type_ in zip(loop(w, form, starts, types, order, adds), types, strict=True)
        for part, kind in zip(w.parts(value, type_), elements(type_), strict=True)
    ]
    body = "\n".join(w.lines)
    written = "\n".join(
        f"%at{n} = arith.constant {n} : index\nmemref.store {part}, %out[%at{n}] : memref<{len(stores)}xi32>"
        for n, part in enumerate(stores)
    )
    text = f"""gpu.module @m {{
gpu.func @k(%out: memref<{len(stores)}xi32>, %n: i32, %turns: i32) kernel {{
%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
{body}
{written}
gpu.return
}}}}"""
    out = np.full(len(stores), 99, np.int32)
    given = [out, out, 0, len(stores), 1, np.int32(number), np.int32(turns)]
    weft.run(weft.compile(text, "sm_80"), "k", 1, 1, given)
    assert out.tolist() == [part for value in want for part in value]
