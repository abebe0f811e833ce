"""`python -m tests.differential.prices`: note what random kernels, examples and tile kernels cost now, in `prices.txt`.

The price of a kernel is the number of its instructions, where those of many cycles count more, and the most registers that
are alive at once: both are compared with what they were, so that they need no model of a machine.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from tests.differential.generator import generate
from tests.differential.grids import grids
from weft import compile as compile_text
from weft import parse
from weft.ptx.analysis.live import liveness
from weft.ptx.ast import Instruction, Module

KNOWN = Path(__file__).with_name("prices.txt")
ROOT = Path(__file__).resolve().parents[2]
COUNT, PARTS = 10, 24
TARGETS = ("sm_100a", "sm_80", "sm_90a")
GRIDS = 13
RANDOM = ("sm_100a", "sm_90a")
"""Random kernels have conversions that older ones lack."""
TILES = "sm_90a"
EXAMPLES = [*sorted((ROOT / "examples").glob("*.mlir")), *sorted((ROOT / "benchmarks/kernels").glob("*.mlir"))]
KERNELS = "norms.layer_norm_backward softmax.softmax running.cumulative_sum running.top_k gemm_tma.gemm_tma"
"""Tile kernels that are quickly compiled, and differ in what they do."""
BY_MLIR_OPT = ("lowered",)
"""Groups of the benchmarks whose kernels mlir-opt makes, which is not everywhere."""
_DEAR = {"div": 20, "rem": 20, "sqrt": 10, "ld": 4, "st": 4, "atom": 8, "bar": 8, "call": 20, "mad": 2, "mul": 2}

sys.path.insert(0, str(ROOT / "benchmarks"))
GROUPS: dict[str, dict[str, object]] = import_module("quality.kernels").GROUPS
"""The kernels that the code's quality is measured on: what people write, with sizes, types and steps by a seed."""


class Price(NamedTuple):
    """What a kernel costs."""

    instructions: int
    registers: int


def _weight(instruction: Instruction) -> int:
    """What an instruction counts: more where it takes long, and twice where it is of 64 bits."""
    opcode = instruction.opcode
    wide = any(opcode.get(slot).endswith("64") for slot in ("type", "atype"))
    return _DEAR.get(opcode.stem, 1) * (2 if wide and opcode.stem not in ("mov", "ld", "st") else 1)


def price_of(module: Module) -> Price:
    """The weights of all functions' instructions, and the most registers that one of them needs."""
    functions = [function for function in module.functions if function.body is not None]
    instructions = sum(_weight(one) for function in functions for one in function.instructions())
    return Price(instructions, max(liveness(function).pressure.registers for function in functions))


def _compiled(text: str, target: str) -> Price:
    return price_of(compile_text(text, target))


def random_prices(part: int) -> dict[str, Price]:
    """The prices of kernels of a fixed seed, so many in each part, for one target after the other."""
    found: dict[str, Price] = {}
    for number in range(part * COUNT, (part + 1) * COUNT):
        name = f"k{number}"
        text = f"gpu.module @m {{\n{generate(name, f'price {number}').text()}}}\n"
        found[name] = _compiled(text, RANDOM[number % len(RANDOM)])
    return found


def grid_prices(part: int) -> dict[str, Price]:
    """The prices of modules whose kernels differ by one number, each of them in one part."""
    some = list(grids().items())[part::GRIDS]
    return {name: _compiled(text, TARGETS[number % len(TARGETS)]) for number, (name, text) in enumerate(some)}


def written_prices() -> dict[str, Price]:
    """The prices of the examples and of tile kernels."""
    found = {path.name: _compiled(path.read_text(encoding="utf-8"), TILES) for path in EXAMPLES}
    for name in KERNELS.split():
        module, kernel = name.split(".")
        found[name] = price_of(parse(getattr(import_module(f"weft.tile.kernels.{module}"), kernel).ptx(TILES)))
    return found


def group_prices(group: str) -> dict[str, Price]:
    """The prices of two drawn kernels of each kind in a group of the benchmarks, for one target after the other."""
    draw = import_module("quality.kernels").draw
    found: dict[str, Price] = {}
    for number, name in enumerate(sorted(GROUPS[group])):
        for turn in range(2):
            text = draw(group, name, f"price {turn}").text
            found[f"{group}.{name} {turn}"] = _compiled(text, TARGETS[(number + turn) % len(TARGETS)])
    return found


def known() -> dict[str, Price]:
    """What they were when they were noted."""
    rows = [line.rsplit(" ", 2) for line in KNOWN.read_text(encoding="utf-8").splitlines()]
    return {name: Price(int(instructions), int(registers)) for name, instructions, registers in rows}


def changed(now: dict[str, Price]) -> dict[str, tuple[Price | None, Price]]:
    """What does not cost what was noted, with both prices."""
    before = known()
    return {name: (before.get(name), price) for name, price in now.items() if price != before.get(name)}


def main() -> None:
    """Note the prices of today, and show those that are others than they were."""
    now = written_prices()
    for part in range(PARTS):
        now |= random_prices(part)
    for part in range(GRIDS):
        now |= grid_prices(part)
    for group in GROUPS:
        now |= group_prices(group) if group not in BY_MLIR_OPT else {}
    others = changed(now) if KNOWN.exists() else {}
    for name, (before, price) in others.items():
        print(f"{name}: {tuple(before) if before else 'new'} -> {tuple(price)}")
    KNOWN.write_text("".join(f"{name} {price[0]} {price[1]}\n" for name, price in now.items()), encoding="utf-8")


if __name__ == "__main__":
    main()
