"""How long a copy takes to be decided, lowered and written as PTX: `python benchmarks/copy_dispatch.py`.

The demonstration kernel of the published algorithm: a warp loads two 8x8 matrices of halves from shared memory.  Its
reference states 27 ms CPU for the dispatch and 57 ms to CUDA source (0.85 s to PTX through nvcc).
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import process_time

from xdsl.dialects.builtin import ModuleOp

import weft
from weft.mlir import parse_mlir
from weft.transforms.copy_dispatch import Copy, Operand, dispatch
from weft.transforms.copy_dispatch.dispatch import choose
from weft.transforms.tile_lowering import lower_module

SHAPE = (8, 4, 2, 2)
REGISTERS = "S[(8,4,2,2):(4@laneid,1@laneid,2,1)]"
MEMORY = "S[(8,4,2,2):(16,2,8,1)]"


def buffer(space: str, layout: str) -> str:
    return f'!tile.buffer<8x4x2x2xf16, "{space}", #tile.layout<"{layout}">>'


G, M, R = buffer("global", MEMORY), buffer("shared", MEMORY), buffer("local", REGISTERS)
KERNEL = f"""
gpu.module @m {{
  gpu.func @demo(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>) kernel attributes {{known_block_size = array<i32: 32, 1, 1>}} {{
    %g = tile.view %a {{alignment = 16 : i64}} : !llvm.ptr<1> -> {G}
    %h = tile.view %b {{alignment = 16 : i64}} : !llvm.ptr<1> -> {G}
    %s = tile.alloc : {M}
    %r = tile.alloc : {R}
    tile.copy %s, %g {{scope = "warp"}} : {M}, {G}
    tile.sync {{scope = "warp"}}
    tile.copy %r, %s {{scope = "warp"}} : {R}, {M}
    tile.copy %h, %r {{scope = "warp"}} : {G}, {R}
    gpu.return
  }}
}}
"""


def demo() -> Copy:
    r, s = Operand.of("local", "f16", SHAPE, REGISTERS), Operand.of("shared", "f16", SHAPE, MEMORY)
    return Copy(r, s, "warp", 32, "sm_90a")


def milliseconds(work: Callable[[], object], times: int = 40) -> float:
    """The median processor time of some runs, after a few to warm up."""
    taken: list[float] = []
    for _ in range(times + 5):
        start = process_time()
        work()
        taken.append(1000 * (process_time() - start))
    return median(taken[5:])


def written(module: ModuleOp) -> str:
    lower_module(module, "sm_90a")
    return weft.compile(module, target="sm_90a").to_ptx()


def main() -> None:
    copy = demo()
    modules = iter([parse_mlir(KERNEL) for _ in range(45)])
    rows = [
        ("choose a plan", milliseconds(lambda: choose(copy)), 27.0),
        ("the same, remembered", milliseconds(lambda: dispatch(demo())), 27.0),
        ("choose, lower, write PTX", milliseconds(lambda: written(next(modules))), 57.0),
        ("read MLIR, and all of that", milliseconds(lambda: written(parse_mlir(KERNEL))), 850.0),
    ]
    print(f"{'milliseconds':<28}{'weft':>8}{'reference':>11}{'':>9}")
    for name, ours, theirs in rows:
        print(f"{name:<28}{ours:>8.3f}{theirs:>11.0f}{theirs / ours:>8.0f}x")


if __name__ == "__main__":
    main()
