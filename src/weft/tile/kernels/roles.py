"""What products with roles share, on Hopper (sm_90a, `wgmma`) and on Blackwell (sm_100a, `tcgen05`).

A kernel says what a tile of C is (a `Task`): how many steps along K it has, what brings a step's tiles of A and B, what
becomes of the sums, where they go.  `Products.run` is the rest: a role that brings, one that multiplies and, where
sums are in tensor memory, one that stores; each runs through the block's tiles and never waits for another at a tile's
end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.dataclass import dataclass
from weft.tile import (
    Buffer,
    DType,
    Region,
    Tensor,
    cta,
    ds,
    f32,
    function,
    i32,
    loop,
    pipeline,
    register,
    role,
    tensor_layout,
    tensor_memory,
    tile,
    warpgroup,
    wgmma_layout,
)

ROW = 1024
"""Bits along K of a tile: a row of the swizzle."""
Fetch = Callable[[Any, Any], None]
Finish = Callable[[Buffer, Any, int], Buffer]


@dataclass
class Task:
    """A tile of C, from `row` and `column` on: `fetch(slot, k)` brings tiles from an index along K on, from `first` for
    `steps` steps (none: the tile is left out); `finish(part, row, column)` is what some columns of sums become, of
    which the first row is that row of the tile.
    """

    C: Tensor
    row: Any
    column: Any
    fetch: Fetch
    steps: Any
    first: Any = 0
    finish: Finish = lambda part, _row, _column: part


class Products:
    """The tiles of a product of operands of type `kind`: `block_m` rows of A, `block_n` columns of B, 128 bytes of K.

    `sums` are added up and `result` is stored; with `turned`, B is N x K, and it must be for operands of 8 bits.
    `adds` adds to C instead of writing it.  The role that brings has `loaders` warps.
    """

    def __init__(
        self,
        target: str,
        kind: DType,
        block_m: int,
        block_n: int,
        stages: int,
        *,
        result: DType | None = None,
        turned: bool = False,
        adds: bool = False,
        loaders: int = 1,
    ) -> None:
        self.tensor_memory = target != "sm_90a"
        self.kind, self.result, self.turned = kind, result or kind, turned
        self.block_m, self.block_n, self.block_k = block_m, block_n, ROW // kind.bits
        self.reduce, self.loaders = "add" if adds else None, loaders
        self.registers = (40, 232) if loaders == 1 else (96, 208)
        self.sums = f32 if kind.is_float else i32
        b = (block_n, self.block_k) if turned else (self.block_k, block_n)
        self.ring = pipeline(stages, a=tile(kind, block_m, self.block_k), b=tile(kind, *b))
        self.width = 32 if self.tensor_memory else min(block_n, ROW // self.result.bits)
        if self.tensor_memory:
            turns = 2 if block_n <= 256 else 1
            self.done = pipeline(turns, d=tensor_memory((turns, block_m, block_n), self.sums))
        self.out = pipeline(2, c=tile(self.result, block_m, self.width), kind="store")

    @function
    def run(self, work: Any, task: Callable[[Any], Task]) -> None:
        """The roles, over all tiles of `work`."""
        with role(warps=self.loaders, registers=None if self.tensor_memory else self.registers[0]):
            for at in work:
                mine = task(at)
                for k in loop(mine.steps):
                    with self.ring.fill() as slot:
                        mine.fetch(slot, (mine.first + k) * self.block_k)
        if self.tensor_memory:
            self.multiply(work, task)
        else:
            self.multiply_and_store(work, task)

    @function
    def multiply_and_store(self, work: Any, task: Callable[[Any], Task]) -> None:
        """Warpgroups of 64 rows, whose sums are in their registers."""
        with role(warpgroups=self.block_m // 64, registers=self.registers[1]) as group:
            total = register((64, self.block_n), self.sums, wgmma_layout("d", (64, self.block_n), self.sums))
            row = group * 64
            for at in work:
                mine = task(at)
                for k in loop(mine.steps):
                    with self.ring.take(behind=1) as slot:  # gives back the slot before, whose products are done
                        warpgroup.gemm_async(total, slot.a[ds(row, 64), :], self.right(slot), add=k > 0)
                warpgroup.wait(0)
                if mine.steps > 0:
                    for j in range(0, self.block_n, self.width):
                        self.store(mine, total[:, ds(j, self.width)].tile(), row, j)

    @function
    def multiply(self, work: Any, task: Callable[[Any], Task]) -> None:
        """A warp that starts products, and a warpgroup of 128 rows that stores their sums."""
        with role(warps=1):
            for at in work:
                steps = task(at).steps
                if steps > 0:
                    with self.done.fill() as sums:
                        for k in loop(steps):
                            with self.ring.take() as slot:
                                cta.gemm_async(sums.d, slot.a, self.right(slot), add=k > 0)
        with role(warpgroups=1):
            for at in work:
                mine = task(at)
                if mine.steps > 0:
                    with self.done.take() as sums:
                        for j in range(0, self.block_n, self.width):
                            shape = self.block_m, self.width
                            part = register(shape, self.sums, tensor_layout(shape))
                            warpgroup.copy(part, sums.d[:, ds(j, self.width)])
                            self.store(mine, part, 0, j)

    def right(self, slot: Any) -> Region:
        """A slot's tile of B as K x N."""
        return slot.b.transpose() if self.turned else slot.b

    def store(self, mine: Task, part: Buffer, row: Any, column: int) -> None:
        """Store some columns of sums from a row of the tile on."""
        with self.out.fill() as slot:
            warpgroup.copy(slot.c[ds(row, part.shape[0]), :], mine.finish(part, row, column).to(self.result))
            to = mine.C[ds(mine.row, self.block_m), ds(mine.column + column, self.width)]
            cta.copy_async(to, slot.c, reduce=self.reduce)
