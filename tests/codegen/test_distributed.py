"""Loops as compilers distribute tiles over threads: at most one turn, sums kept in memory, places taken apart and put
together again; drawn, in structured loops and in blocks, against Python."""

from __future__ import annotations

from collections.abc import Callable
from operator import add, xor
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.codegen.support import compiled, launch

_PYTHON: dict[str, Callable[[int, int], int]] = {"addi": add, "maxsi": max, "xori": xor}


class _Drawn:
    """A kernel over rows of `a`: each thread sums up its rows in memory, `w` weighs them, `o` gets what is permuted.

    With `shared` the sums lie in the row that is summed up, where the loop reads them, too.
    """

    def __init__(self, form: str, seed: int) -> None:
        self.rng = rng = Random(f"{form} {seed}")
        self.form = form
        self.block = rng.choice((8, 16, 32))
        self.tile = rng.choice((self.block // 2, self.block - 1, self.block, 2 * self.block + 3))
        self.grid = rng.randrange(1, 4)
        self.rows = self.tile * self.grid - rng.randrange(self.tile)
        self.step = rng.choice((1, 1, 2, 3, 4))
        self.columns = self.step * rng.choice((1, 5, 8, 30, rng.randrange(250, 700)))
        self.shared = rng.random() < 0.4
        self.at = rng.randrange(self.columns)
        self.operation = rng.choice(("addi", "maxsi", "xori"))
        self.weighed = rng.random() < 0.6
        bases = [rng.randrange(1, 6) for _ in range(3)]
        self.bases = (*bases, -(-self.rows // (bases[0] * bases[1] * bases[2])))[::-1]
        self.order = rng.sample(range(4), 4)
        if rng.random() < 0.4:
            self.order = [0, 1, 2, 3]

    # -- text ---------------------------------------------------------------------------------------------------

    def _loop(self, name: str, lower: str, upper: str, step: str, body: str) -> str:
        """A loop without results; blocks compare in 32 bits, and their additions do not say that they do not wrap."""
        if self.form == "scf":
            return f"scf.for %{name} = {lower} to {upper} step {step} {{\n{body}\n}}\n"
        return f"""
          %{name}_lower = arith.index_castui {lower} : index to i32
          %{name}_upper = arith.index_castui {upper} : index to i32
          %{name}_step = arith.index_castui {step} : index to i32
          cf.br ^{name}(%{name}_lower : i32)
        ^{name}(%{name}_: i32):
          %{name}_goes = arith.cmpi slt, %{name}_, %{name}_upper : i32
          cf.cond_br %{name}_goes, ^{name}_turn, ^{name}_end
        ^{name}_turn:
          %{name} = arith.index_castui %{name}_ : i32 to index
          {body}
          %{name}_next = arith.addi %{name}_, %{name}_step : i32
          cf.br ^{name}(%{name}_next : i32)
        ^{name}_end:
        """

    def _summing(self) -> str:
        weigh = "%x = arith.addi %y, %z : i32" if self.weighed else "%x = arith.ori %y, %y : i32"
        where = "%a[%row, %at] : memref<?x?xi32>" if self.shared else "%s[%row] : memref<?xi32>"
        return f"""
          %y = memref.load %a[%row, %j] : memref<?x?xi32>
          %z = memref.load %w[%row] : memref<?xi32>
          {weigh}
          %old = memref.load {where}
          %new = arith.{self.operation} %old, %x : i32
          memref.store %new, {where}
        """

    def _permuted(self) -> str:
        """Take a row's number apart, and store at the number made of its parts in another order."""
        b = self.bases
        places = ", ".join(f"%p#{n}" for n in self.order)
        by = ", ".join(str(b[n]) for n in self.order)
        return f"""
          %p:4 = affine.delinearize_index %row into ({b[0]}, {b[1]}, {b[2]}, {b[3]}) : index, index, index, index
          %flat = affine.linearize_index disjoint [{places}] by ({by}) : index
          %short = arith.index_castui %row : index to i32
          memref.store %short, %o[%flat] : memref<?xi32>
        """

    def text(self) -> str:
        """The module."""
        inner = self._loop("j", "%c0", "%columns", "%step", self._summing())
        turn = f"%row = affine.apply affine_map<(i)[b] -> (i + b * {self.tile})>(%i)[%b]\n{inner}{self._permuted()}"
        outer = self._loop("i", "%t", "%last", "%threads", turn)
        alone = "" if self.shared else " {llvm.noalias}"
        return f"""
        module attributes {{gpu.container_module}} {{
          gpu.module @m {{
            gpu.func @k(%a: memref<?x?xi32>{alone}, %w: memref<?xi32>{alone}, %s: memref<?xi32>{alone},
                        %o: memref<?xi32>{alone})
                kernel attributes {{known_block_size = array<i32: {self.block}, 1, 1>}} {{
              %c0 = arith.constant 0 : index
              %at = arith.constant {self.at} : index
              %columns = arith.constant {self.columns} : index
              %step = arith.constant {self.step} : index
              %threads = arith.constant {self.block} : index
              %t = gpu.thread_id x
              %b = gpu.block_id x upper_bound {self.grid}
              %last = affine.min affine_map<()[b] -> (b * {-self.tile} + {self.rows}, {self.tile})>()[%b]
              {outer}
              gpu.return
            }}
          }}
        }}"""

    # -- what it means ------------------------------------------------------------------------------------------

    def expected(self, a: Any, w: Any, s: Any, o: Any) -> None:
        """Change arrays as the kernel does."""
        by = _PYTHON[self.operation]
        for row in range(self.rows):
            for column in range(0, self.columns, self.step):
                x = int(a[row, column]) + (int(w[row]) if self.weighed else 0)
                if self.shared:
                    a[row, self.at] = by(int(a[row, self.at]), x)
                else:
                    s[row] = by(int(s[row]), x)
            places = np.unravel_index(row, self.bases)
            flat = np.ravel_multi_index([places[n] for n in self.order], [self.bases[n] for n in self.order])
            o[flat] = row


@pytest.mark.sample(12)
@pytest.mark.parametrize("seed", range(120))
@pytest.mark.parametrize("form", ["scf", "cf"])
def test_distributed(form: str, seed: int) -> None:
    drawn = _Drawn(form, seed)
    random = np.random.default_rng(seed)
    a = random.integers(-100, 100, (drawn.rows, drawn.columns), np.int32)
    w, s = (random.integers(-100, 100, drawn.rows, np.int32) for _ in range(2))
    o = np.full(int(np.prod(drawn.bases)), -1, np.int32)
    wanted = [one.copy() for one in (a, w, s, o)]
    drawn.expected(*wanted)
    launch(compiled(drawn.text()), "k", (drawn.grid,), (drawn.block,), [a, w, s, o])
    for found, want in zip((a, w, s, o), wanted, strict=True):
        np.testing.assert_array_equal(found, want)


_SHORT = """
module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    gpu.func @k(%a: memref<100xi32> {{llvm.noalias}}, %s: memref<1xi32> {{llvm.noalias}})
        kernel attributes {{known_block_size = array<i32: 32, 1, 1>}} {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c100 = arith.constant 100 : index
      %t = gpu.thread_id x
      %b = gpu.block_id x upper_bound 4
      {}
      gpu.return
    }}
  }}
}}"""


def _instructions(body: str) -> list[str]:
    module = compiled(_SHORT.format(body))
    return [str(one).strip() for one in module.functions[0].instructions()]


def test_a_loop_over_enough_threads_is_a_branch() -> None:
    """The tile's last row bounds the thread's number by one comparison, and nothing jumps back."""
    found = _instructions(
        """
        %last = affine.min affine_map<()[b] -> (b * -32 + 100, 32)>()[%b]
        scf.for %i = %t to %last step %c32 {
          %row = affine.apply affine_map<(i)[b] -> (i + b * 32)>(%i)[%b]
          memref.store %c1_, %a[%row] : memref<100xi32>
        }""".replace("%c1_", "%one").replace("%last = ", "%one = arith.constant 1 : i32\n%last = ", 1)
    )
    assert sum("bra" in one for one in found) == 1
    assert not any("min" in one for one in found)


def test_a_sum_in_memory_is_stored_once() -> None:
    """Where nothing else sees it: loaded before the loop, stored behind it."""
    found = _instructions("""
        scf.for %i = %c0 to %c100 step %c1 {
          %x = memref.load %a[%i] : memref<100xi32>
          %old = memref.load %s[%c0] : memref<1xi32>
          %new = arith.addi %old, %x : i32
          memref.store %new, %s[%c0] : memref<1xi32>
        }""")
    at = {name: [n for n, one in enumerate(found) if name in one] for name in ("bra", "st.", "ld.global")}
    assert len(at["st."]) == 1
    assert at["st."][0] > at["bra"][-1]
    assert at["ld.global"][0] < at["bra"][0] and len(at["ld.global"]) == 2


def test_a_number_put_together_again_is_the_number() -> None:
    """Neither divisions nor products are left of what takes a number apart and puts it together again."""
    found = _instructions("""
        %p:3 = affine.delinearize_index %t into (2, 3, 7) : index, index, index
        %flat = affine.linearize_index [%p#0, %p#1, %p#2] by (2, 3, 7) : index
        %short = arith.index_castui %t : index to i32
        memref.store %short, %a[%flat] : memref<100xi32>""")
    assert not any(one.startswith(("mul.hi", "mad", "div", "rem", "shr")) for one in found)
