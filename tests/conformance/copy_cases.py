"""Answer a table of copy cases: `copy_cases.py CASES.json ANSWERS.json`.

The schema of cases and answers is that of the judge's header, which `test_copy_cases.py` finds beside the checkout.
With `--ours`, the answers are those of the lowering's own choices instead of the published algorithm's.
"""

from __future__ import annotations

import ast
import json
import operator
import sys
import traceback
from collections.abc import Iterator
from functools import reduce
from math import gcd
from typing import Any

from weft.errors import WeftError
from weft.layout import Axis, ComposeLayout, Iter, Layout, SwizzleLayout, TileLayout, m
from weft.transforms.copy_dispatch import Address, Copy, CopyError, Guard, Instruction, Operand, Plan, dispatch

ELEMENTS = {
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "float8_e4m3fn": "f8E4M3FN",
    "float8_e5m2": "f8E5M2",
    **{f"{'u' * unsigned}int{bits}": f"{'u' * unsigned}i{bits}" for bits in (8, 16, 32, 64) for unsigned in (0, 1)},
}


def layout_of(described: dict[str, Any], shape: tuple[int, ...]) -> Layout:
    shard, replica = (
        [Iter(extent, stride, Axis(axis)) for extent, stride, axis in described[key]] for key in ("shard", "replica")
    )
    tile = TileLayout(shard, replica, {Axis(axis): value for axis, value in described["offset"].items()})
    if not described["swizzle"]:
        return tile
    swizzle = SwizzleLayout(*described["swizzle"])
    size = reduce(operator.mul, shape, 1)
    bare = tile.size() != size and len(tile.shard) == 1 and tile.shard[0].stride == 1
    return swizzle.over(shape) if bare else ComposeLayout(swizzle, tile)


def operand_of(described: dict[str, Any], dtype: str, step: int) -> Operand:
    """The operand in step `step` of the case's loop."""

    def edge(value: int | str) -> int:
        return value if isinstance(value, int) else int(number(ast.parse(value, mode="eval").body, {"k": step}))

    shape = tuple(described["shape"])
    region = tuple((edge(begin), edge(end)) for begin, end in described["region"])
    return Operand(described["mem"], ELEMENTS[dtype], shape, layout_of(described["layout"], shape), region)


_OPERATORS: dict[type, Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
}


def number(node: ast.expr, names: dict[str, int]) -> int:
    """The value of an expression over integers; raises KeyError for anything that is not understood."""
    match node:
        case ast.Constant(value=int() as value):
            return value
        case ast.Name(id=name):
            return names[name]
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATORS[type(op)](number(left, names), number(right, names))
        case ast.UnaryOp(op=op, operand=operand):
            return _OPERATORS[type(op)](number(operand, names))
        case ast.BoolOp(op=op, values=values):
            results = [number(value, names) for value in values]
            return all(results) if isinstance(op, ast.And) else any(results)
        case ast.Compare(left=left, ops=ops, comparators=rest):
            values = [number(value, names) for value in (left, *rest)]
            return all(_OPERATORS[type(op)](a, b) for op, a, b in zip(ops, values, values[1:], strict=False))
        case _:
            raise KeyError(ast.unparse(node))


def guard_of(text: str | None, threads: int) -> Guard | None:
    """The threads that meet a condition over `tid`, `lane` and `warp`."""
    if not text:
        return None
    tree = ast.parse(text, mode="eval").body
    active = 0
    try:
        for thread in range(threads):
            names = {"tid": thread, "lane": thread % 32, "warp": thread // 32}
            active |= bool(number(tree, names)) << thread
    except KeyError as error:
        return Guard(None, f"'{text}' depends on {error}")
    return Guard(active)


def answer(case: dict[str, Any], faithful: bool = True) -> dict[str, Any]:
    try:
        steps = range(case.get("loop") or 1)
        copies = [request(case, step, faithful) for step in steps]
        displaced = moved(copies)
        if displaced is None:
            plans = [(dispatch(copy), copy, (0, 0)) for copy in copies]
        else:
            first = displaced.pop(0)[0]
            plans = [(dispatch(first), first, offsets) for _, offsets in [(first, (0, 0)), *displaced]]
        instructions = [each for plan, copy, offsets in plans for each in performed(plan, copy, offsets)]
        return {"variant": plans[0][0].variant, "instrs": instructions}
    except CopyError as error:
        return {"rejected": str(error)}
    except WeftError as error:
        return {"rejected": f"{type(error).__name__}: {error}"}


def request(case: dict[str, Any], step: int, faithful: bool) -> Copy:
    return Copy(
        operand_of(case["dst"], case["dtype"], step),
        operand_of(case["src"], case["dtype"], step),
        case["scope"],
        case["nthreads"],
        case["arch"],
        variant=case.get("dispatch"),
        guard=guard_of(case.get("guard"), case["nthreads"]),
        faithful=faithful,
    )


def moved(copies: list[Copy]) -> list[tuple[Copy, tuple[int, int]]] | None:
    """A loop's first copy, knowing what divides the later steps' displacements, with each of these.

    None without a loop, and where steps differ in more than displacements.
    """
    if len(copies) == 1:
        return None
    offsets: list[list[int]] = []
    for side in ("dst", "src"):
        slices = [tile_of(getattr(copy, side)) for copy in copies]
        if any(each is None or each.shard != slices[0].shard or each.replica != slices[0].replica for each in slices):
            return None
        if getattr(copies[0], side).space == "local" and any(each.offset != slices[0].offset for each in slices):
            return None
        offsets.append([each.offset_on(m) - slices[0].offset_on(m) for each in slices])
    first = copies[0]
    dst, src = (
        Operand(side.space, side.element, side.shape, side.layout, side.region, side.alignment, gcd(*values))
        for side, values in zip((first.dst, first.src), offsets, strict=True)
    )
    copy = Copy(
        dst, src, first.scope, first.threads, first.target, first.variant, guard=first.guard, faithful=first.faithful
    )
    return [(copy, (a, b)) for a, b in zip(*offsets, strict=True)]


def tile_of(operand: Operand) -> Any:
    part = operand.layout.slice(operand.shape, operand.region)
    return part.tile_layout if isinstance(part, ComposeLayout) else part


def performed(plan: Plan, copy: Copy, offsets: tuple[int, int]) -> Iterator[dict[str, Any]]:
    """The instructions of a plan, for each run of threads that carry them out."""
    for each in plan.instructions:
        threads = taking_part(plan, each, copy)
        for low, high in runs(threads):
            found: dict[str, Any] = {"op": each.opcode.text}
            if (low, high) != (0, copy.threads):
                found["active"] = [low, high]
            for address, operand, offset in ((each.dst, copy.dst, offsets[0]), (each.src, copy.src, offsets[1])):
                if address is not None:
                    key = {"shared": "smem", "global": "gmem"}[operand.space]
                    found[key] = [byte(address, operand, thread, offset) for thread in range(low, high)]
            if each.registers:
                found["reg"] = list(each.registers)
            yield found


def byte(address: Address, operand: Operand, thread: int, offset: int) -> int:
    element = address.on("m", thread) + offset
    return (operand.swizzle.place(element) if operand.swizzle is not None else element) * operand.bits // 8


def taking_part(plan: Plan, instruction: Instruction, copy: Copy) -> list[int]:
    active = copy.guard.active if copy.guard is not None and copy.guard.active is not None else -1
    conditions = (*plan.conditions, *instruction.conditions)
    return [
        thread
        for thread in range(copy.threads)
        if active >> thread & 1 and all(condition.holds(thread) for condition in conditions)
    ]


def runs(threads: list[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for thread in threads:
        if found and found[-1][1] == thread:
            found[-1] = (found[-1][0], thread + 1)
        else:
            found.append((thread, thread + 1))
    return found


def main(arguments: list[str]) -> int:
    faithful = "--ours" not in arguments
    names = [each for each in arguments if not each.startswith("--")]
    if len(names) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with open(names[0], encoding="utf-8") as file:
        cases = [entry.get("case", entry) for entry in json.load(file)]
    answers: dict[str, Any] = {}
    for case in cases:
        try:
            answers[case["id"]] = answer(case, faithful)
        except Exception:  # One case's failure leaves the others their answers.
            print(case["id"], traceback.format_exc(), file=sys.stderr)
    with open(names[1], "w", encoding="utf-8") as file:
        json.dump(answers, file)
    return 0 if len(answers) == len(cases) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
