"""How long a copy takes to be decided, lowered and written as PTX: `python benchmarks/copy_dispatch.py`.

The demonstration kernel of the published algorithm: a warp loads two 8x8 matrices of halves from shared memory.  Its
reference states 27 ms CPU for the dispatch and 57 ms to CUDA source (0.85 s to PTX through nvcc).
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter

import weft
from weft.layout import S, laneid
from weft.mlir import parse_mlir
from weft.transforms.copy_dispatch import Copy, Operand, dispatch
from weft.transforms.copy_dispatch.dispatch import choose
from weft.transforms.tile_lowering import lower_module

REGION = ((0, 8), (0, 4), (0, 2), (0, 2))
SHAPE = (8, 4, 2, 2)
REGISTERS = "S[(8,4,2,2):(4@laneid,1@laneid,2,1)]"
MEMORY = "S[(8,4,2,2):(16,2,8,1)]"
KERNEL = f"""
gpu.module @m {{
  gpu.func @demo(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>) kernel attributes {{known_block_size = array<i32: 32, 1, 1>}} {{
    %g = tile.view %a {{alignment = 16 : i64}} : !llvm.ptr<1> -> !tile.buffer<8x16xf16, "global", #tile.layout<"S[(8,16):(16,1)]">>
    %h = tile.view %b {{alignment = 16 : i64}} : !llvm.ptr<1> -> !tile.buffer<8x4x2x2xf16, "global", #tile.layout<"{MEMORY}">>
    %s = tile.alloc : !tile.buffer<8x16xf16, "shared", #tile.layout<"S[(8,16):(16,1)]">>
    %v = tile.subview %s[] {{static_offsets = array<i64: 0, 0>, sizes = array<i64: 8, 16>}}
      : !tile.buffer<8x16xf16, "shared", #tile.layout<"S[(8,16):(16,1)]">> -> !tile.buffer<8x16xf16, "shared", #tile.layout<"S[(8,16):(16,1)]">>
    tile.copy %s, %g {{scope = "warp"}}
      : !tile.buffer<8x16xf16, "shared", #tile.layout<"S[(8,16):(16,1)]">>, !tile.buffer<8x16xf16, "global", #tile.layout<"S[(8,16):(16,1)]">>
    tile.sync {{scope = "warp"}}
    %m = tile.alloc : !tile.buffer<8x4x2x2xf16, "shared", #tile.layout<"{MEMORY}">>
    %r = tile.alloc : !tile.buffer<8x4x2x2xf16, "local", #tile.layout<"{REGISTERS}">>
    tile.copy %r, %m {{scope = "warp"}}
      : !tile.buffer<8x4x2x2xf16, "local", #tile.layout<"{REGISTERS}">>, !tile.buffer<8x4x2x2xf16, "shared", #tile.layout<"{MEMORY}">>
    tile.copy %h, %r {{scope = "warp"}}
      : !tile.buffer<8x4x2x2xf16, "global", #tile.layout<"{MEMORY}">>, !tile.buffer<8x4x2x2xf16, "local", #tile.layout<"{REGISTERS}">>
    gpu.return
  }}
}}
"""


def demo() -> Copy:
    r = Operand("local", "f16", SHAPE, S[SHAPE : (4 @ laneid, 1 @ laneid, 2, 1)], REGION)
    s = Operand("shared", "f16", SHAPE, S[SHAPE:(16, 2, 8, 1)], REGION)
    return Copy(r, s, "warp", 32, "sm_90a")


def milliseconds(work: Callable[[], object], times: int = 50) -> float:
    """The median of some runs, after a few to warm up."""
    taken: list[float] = []
    for _ in range(times + 5):
        start = perf_counter()
        work()
        taken.append(1000 * (perf_counter() - start))
    return median(taken[5:])


def compiled() -> str:
    module = parse_mlir(KERNEL)
    lower_module(module, "sm_90a")
    return weft.compile(module, target="sm_90a").to_ptx()


def main() -> None:
    copy = demo()
    rows = [
        ("choose a plan", milliseconds(lambda: choose(copy)), 27.0),
        ("the same, remembered", milliseconds(lambda: dispatch(demo())), 27.0),
        ("kernel text to PTX, all of it", milliseconds(compiled), 850.0),
    ]
    print(f"{'':<32}{'weft':>10}{'reference':>12}{'':>8}")
    for name, ours, theirs in rows:
        print(f"{name:<32}{ours:>7.3f} ms{theirs:>9.0f} ms{theirs / ours:>7.0f}x")


if __name__ == "__main__":
    main()
