"""`python -m tests.differential.prices`: note what random kernels, examples and tile kernels cost now, in `prices.txt`.

The price of a kernel is the number of its instructions, where those of many cycles count more: it is compared with what it
was, so that it needs no model of a machine.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from tests.differential.generator import generate
from weft import compile as compile_text
from weft import parse
from weft.ptx.ast import Instruction, Module

KNOWN = Path(__file__).with_name("prices.txt")
ROOT = Path(__file__).resolve().parents[2]
COUNT, PARTS = 20, 12
TARGET, TILES = "sm_100a", "sm_90a"
EXAMPLES = [*sorted((ROOT / "examples").glob("*.mlir")), *sorted((ROOT / "benchmarks/kernels").glob("*.mlir"))]
KERNELS = "norms.layer_norm_backward softmax.softmax running.cumulative_sum running.top_k gemm_tma.gemm_tma"
"""Tile kernels that are quickly compiled, and differ in what they do."""
_DEAR = {"div": 20, "rem": 20, "sqrt": 10, "ld": 4, "st": 4, "atom": 8, "bar": 8, "call": 20, "mad": 2, "mul": 2}


def price(instruction: Instruction) -> int:
    """What an instruction counts: more where it takes long, and twice where it is of 64 bits."""
    opcode = instruction.opcode
    wide = any(opcode.get(slot).endswith("64") for slot in ("type", "atype"))
    return _DEAR.get(opcode.stem, 1) * (2 if wide and opcode.stem not in ("mov", "ld", "st") else 1)


def price_of(module: Module) -> int:
    """The price of all functions."""
    return sum(price(one) for function in module.functions for one in function.instructions())


def random_prices(part: int) -> dict[str, int]:
    """The prices of kernels of a fixed seed, so many in each part."""
    found: dict[str, int] = {}
    for number in range(part * COUNT, (part + 1) * COUNT):
        name = f"k{number}"
        text = f"gpu.module @m {{\n{generate(name, f'price {number}').text()}}}\n"
        found[name] = price_of(compile_text(text, TARGET))
    return found


def written_prices() -> dict[str, int]:
    """The prices of the examples and of tile kernels."""
    found = {path.name: price_of(compile_text(path.read_text(encoding="utf-8"), TILES)) for path in EXAMPLES}
    for name in KERNELS.split():
        module, kernel = name.split(".")
        found[name] = price_of(parse(getattr(import_module(f"weft.tile.kernels.{module}"), kernel).ptx(TILES)))
    return found


def known() -> dict[str, int]:
    """What they were when they were noted."""
    return {name: int(number) for name, number in map(str.split, KNOWN.read_text(encoding="utf-8").splitlines())}


if __name__ == "__main__":
    before, now = known() if KNOWN.exists() else {}, written_prices()
    for part in range(PARTS):
        now |= random_prices(part)
    KNOWN.write_text("".join(f"{name} {number}\n" for name, number in now.items()), encoding="utf-8")
    sys.exit(f"dearer: {worse}" if (worse := [name for name in now if now[name] > before.get(name, now[name])]) else 0)
