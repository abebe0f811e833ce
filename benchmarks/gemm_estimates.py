"""What GEMMs with roles would reach by the static model, weft's beside those of CuTe DSL: TFLOP/s without a GPU.

    python benchmarks/gemm_estimates.py KIND:TARGET:BLOCKS:FILE.cubin ...

Peers are cubins of 128 x 256 tiles and 128 bytes along K (a pair of blocks, BLOCKS 2 on sm_100a: 256 x 256), as
`dense_gemm_persistent.py` of CuTe DSL's examples makes them (`CUTE_DSL_ARCH`, `CUTE_DSL_KEEP_CUBIN`).

A step along K takes as long as its busiest unit: tensor cores, shared memory (operands read by descriptors and what TMA
writes), the schedulers, or the chain of one warp.  On sm_90a the warpgroups that multiply also store, so what they do
between two tiles is added; on sm_100a it runs beside.  Tiles are dealt out evenly, the last round counts whole.  No
factor for the clock under load, which published runs put at about 0.8.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

from report import console
from rich.table import Table

import weft
from weft.tile import DType, e4m3, f16, kernels
from weft.toolchain import Cubin
from weft.tracing.loops import SHARED_BYTES, LoopModel, TensorProduct, loops_of
from weft.tracing.machine import read_machine

ROW, ROWS, COLUMNS, STORED = 128, 128, 256, 32
"""Bytes along K of a step, the rows and columns of a block's tile, the columns that sm_100a reads at a time."""
GPUS = {"sm_90a": (132, 1.83, 4096), "sm_100a": (148, 1.85, 8192)}
"""Multiprocessors, nominal GHz, multiply-adds of bytes of a multiprocessor in a cycle: f16 has half of it."""


@dataclass
class Estimate:
    """Cycles of a step by unit, and of what a tile needs besides: `after` it, or `beside` it."""

    units: dict[str, float]
    after: float
    beside: float

    @property
    def turn(self) -> float:
        """Cycles of a step."""
        return max(self.units.values())

    def share(self, target: str, size: int, width: int) -> float:
        """The part of the peak of the tensor cores for a product of `size` in each dimension."""
        processors, _, rate = GPUS[target]
        tiles = ceil(size / ROWS) * ceil(size / COLUMNS)
        tile = max(ceil(size * width / ROW) * self.turn + self.after, self.beside)
        return size**3 / (rate / width) / (ceil(tiles / processors) * tile * processors)


def around(inner: LoopModel, loops: Iterable[LoopModel]) -> float:
    """The chain of the smallest loop around one, without it."""
    holding = [x for x in loops if x.first <= inner.first and x.last >= inner.last and x is not inner]
    found = min(holding, key=lambda x: x.instructions, default=None)
    return 0.0 if found is None else max(found.cycles["chain"] - inner.cycles["chain"], 0.0)


def estimate(cubin: Cubin, target: str, blocks: int) -> Estimate:
    """The estimate of a kernel's machine code."""
    warps = 12 if target == "sm_90a" else 6
    pair = target == "sm_100a" and blocks == 2
    columns = COLUMNS // 2 if pair else COLUMNS
    product = TensorProduct(ROWS * COLUMNS * 16, (ROWS + columns) * ROW / 4)
    ((_, code),) = read_machine(cubin.data).functions.items()
    loops = loops_of(code, target, warps, tensor=product, groups=2)
    inner = [x for x in loops if x.innermost]
    main = min((x for x in inner if x.counts.get("tensor")), key=lambda x: x.instructions)
    feed = min((x for x in inner if x.feeds), key=lambda x: x.instructions)
    steps = main.counts["tensor"] / 4
    units = {name: cycles / steps for name, cycles in main.cycles.items()}
    units["shared"] += (ROWS + columns) * ROW / SHARED_BYTES
    units["chain"] = max(units["chain"], feed.cycles["chain"] / feed.counts["tensor copy"] * 2)
    if target == "sm_90a":
        return Estimate(units, around(main, loops), 0.0)
    readers = [x for x in loops if "LDTM" in {each.opcode.partition(".")[0] for each in body(code, x)}]
    reader = min((x for x in readers if not x.counts.get("tensor")), key=lambda x: x.instructions)
    reads = reader.counts["tensor memory"]
    turns = COLUMNS // STORED / reads
    return Estimate(units, 0.0, reader.cycles["chain"] * turns + (around(reader, readers) if turns > 1 else 0.0))


def body(code: Any, loop: LoopModel) -> Any:
    """The instructions of a loop."""
    return code.instructions[loop.first : loop.last + 1]


def row(table: Table, name: str, target: str, kind: str, blocks: int, cubin: Cubin) -> None:
    """A row of figures."""
    found = estimate(cubin, target, blocks)
    width = 2 if kind == "f16" else 1
    processors, clock, rate = GPUS[target]
    peak = 2 * processors * clock * rate / width / 1000
    figures = [f"{share:.1%} {share * peak:.0f}" for share in (found.share(target, n, width) for n in (4096, 8192))]
    units = ", ".join(f"{name} {x:g}" for name, x in sorted(found.units.items(), key=lambda x: -x[1]) if x)
    table.add_row(target, kind, name, units, f"{found.after or found.beside:g}", *figures)


def ours() -> Iterable[tuple[str, str, str, int, Any, dict[str, Any]]]:
    """The kernels of weft: f16 from the examples, fp8 with scales from those that are shipped."""
    hopper, blackwell, pairs = (__import__(name).gemm for name in ("gemm_sm90a", "gemm_sm100a", "gemm_pair_sm100a"))
    fp8: dict[str, DType] = {"kind": e4m3, "result": f16}
    yield "weft", "sm_90a", "f16", 1, hopper, {}
    yield "weft, scaled", "sm_90a", "fp8", 1, kernels.scaled_gemm_tma, fp8
    yield "weft", "sm_100a", "f16", 1, blackwell, {}
    yield "weft, pairs", "sm_100a", "f16", 2, pairs, {}
    yield "weft, scaled", "sm_100a", "fp8", 1, kernels.scaled_gemm_tma, fp8


def main() -> None:
    """Compile, read the peers, print the table."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
    table = Table(title="GEMMs by the static model: part of the tensor cores' peak, TFLOP/s at the nominal clock")
    for column in ("target", "type", "kernel", "cycles a step", "of a tile besides", "4096³", "8192³"):
        table.add_column(column)
    for name, target, kind, blocks, kernel, options in ours():
        cubin = weft.assemble(kernel.module(target, multiples={"K": 16, "N": 8}, **options))
        row(table, name, target, kind, blocks, cubin)
    for given in sys.argv[1:]:
        kind, target, blocks, path = given.split(":", 3)
        name = "CuTe DSL" + (", two blocks" if blocks == "2" else "")
        row(table, name, target, kind, int(blocks), Cubin(Path(path).read_bytes(), target))
    console().print(table)


if __name__ == "__main__":
    main()
