"""Kernels that MLIR's own passes make of drawn `linalg.generic`: tiled, vectorized, with masks where tiles do not fit,
mapped to blocks and threads; compiled by weft, and compared with NumPy."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.codegen.support import MLIR_TYPES, compiled, launch
from tests.conftest import llvm_tool

_LAUNCH = re.compile(r"gpu\.launch_func\s+@\w+::@(\w+) blocks in \(([^)]*)\) threads in \(([^)]*)\)\s+args\(([^)]*)\)")
_CONSTANT = re.compile(r"(%\S+) = arith\.constant (\d+) : index")
_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "add": np.add, "mul": np.multiply, "sub": np.subtract, "max": np.maximum, "min": np.minimum,
}  # fmt: skip
_FLOAT = {"add": "addf", "mul": "mulf", "sub": "subf", "max": "maximumf", "min": "minimumf"}
_INTEGER = {"add": "addi", "mul": "muli", "sub": "subi", "max": "maxsi", "min": "minsi"}


class _Drawn:
    """An operation over two or three loops, the last of which may reduce; its numbers are small integers, so that the
    order of sums does not matter."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = Random(f"vectorized {seed}")
        self.dtype = np.dtype(rng.choice(("float32", "float32", "float64", "float16", "int32", "int8")))
        self.rank = rng.choice((2, 2, 3))
        self.reduces = rng.random() < 0.5
        self.exact = rng.random() < 0.6
        self.tiles = [rng.choice((1, 2, 3, 4, 8)) for _ in range(self.rank)]
        self.sizes = [tile * rng.choice((1, 2, 4, 6)) for tile in self.tiles]
        if not self.exact:
            self.sizes = [max(1, size - rng.randrange(tile)) for size, tile in zip(self.sizes, self.tiles, strict=True)]
        parallel = self.rank - self.reduces
        self.maps = [sorted(rng.sample(range(self.rank), rng.randrange(1, self.rank + 1))) for _ in range(2)]
        if parallel < self.rank and self.rank - 1 not in self.maps[0] + self.maps[1]:  # Every loop reads something.
            self.maps[0].append(self.rank - 1)
        for one in self.maps:
            rng.shuffle(one)
        self.maps.append(list(range(parallel)))
        rng.shuffle(self.maps[-1])
        self.operations = [rng.choice(tuple(_BINARY)) for _ in range(2)]
        self.sums = rng.choice(("add", "max", "min"))

    def source(self) -> str:
        """The function and the script that transforms it."""
        t = MLIR_TYPES[self.dtype.name]
        names = _FLOAT if self.dtype.kind == "f" else _INTEGER
        loops = ", ".join(f"d{n}" for n in range(self.rank))
        maps = ", ".join(f"affine_map<({loops}) -> ({', '.join(f'd{n}' for n in one)})>" for one in self.maps)
        kinds = ['"parallel"'] * (self.rank - self.reduces) + ['"reduction"'] * self.reduces
        types = [f"memref<{'x'.join(str(self.sizes[n]) for n in one)}x{t}>" for one in self.maps]
        first, second = self.operations
        last = self.sums if self.reduces else second
        tiles = ", ".join(map(str, [*self.tiles[: self.rank - self.reduces], *[0] * self.reduces]))
        vector = self.tiles[: self.rank - self.reduces] + ([self.sizes[-1]] if self.reduces else [])
        sizes = "" if self.exact else f" vector_sizes [{', '.join(map(str, vector))}]"
        return f"""
        module attributes {{transform.with_named_sequence}} {{
          func.func @f(%a: {types[0]}, %b: {types[1]}, %c: {types[2]}) {{
            linalg.generic {{indexing_maps = [{maps}], iterator_types = [{", ".join(kinds)}]}}
                ins(%a, %b : {types[0]}, {types[1]}) outs(%c : {types[2]}) {{
            ^bb0(%x: {t}, %y: {t}, %z: {t}):
              %0 = arith.{names[first]} %x, %y : {t}
              %1 = arith.{names[last]} %0, %z : {t}
              linalg.yield %1 : {t}
            }}
            return
          }}
          transform.named_sequence @__transform_main(%m: !transform.any_op {{transform.readonly}}) {{
            %0 = transform.structured.match ops{{["linalg.generic"]}} in %m : (!transform.any_op) -> !transform.any_op
            %t, %l = transform.structured.tile_using_forall %0 tile_sizes [{tiles}]
                : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
            transform.structured.vectorize %t{sizes} : !transform.any_op
            transform.yield
          }}
        }}"""

    def lowered(self) -> tuple[str, list[int], list[int], list[Any]]:
        """A module with the kernel `k`; its grid, its block and its arguments, memrefs by their names."""
        counts = [-(-size // tile) for size, tile in zip(self.sizes, self.tiles, strict=True)]
        threads = [self.rng.choice([n for n in range(1, c + 1) if c % n == 0]) for c in counts][
            : self.rank - self.reduces
        ]
        mapped = (
            f"func.func(scf-forall-to-parallel,scf-parallel-loop-tiling{{parallel-loop-tile-sizes="
            f"{','.join(map(str, threads))}}},gpu-map-parallel-loops,convert-parallel-loops-to-gpu)"
        )
        passes = f"builtin.module(transform-interpreter,{mapped},lower-affine,gpu-kernel-outlining,canonicalize,cse)"
        tool = [llvm_tool("mlir-opt"), f"--pass-pipeline={passes}"]
        text = subprocess.run(tool, input=self.source(), capture_output=True, text=True, check=True).stdout
        found = _LAUNCH.search(text)
        assert found is not None, text
        numbers = {name: int(value) for name, value in _CONSTANT.findall(text.partition("gpu.module")[0])}
        grid, block = ([numbers[one.strip()] for one in part.split(",")] for part in found.group(2, 3))
        given = [one.partition(" ")[0] for one in found[4].split(", ")]
        kernel = text[text.index("gpu.module") : text.index("transform.named_sequence")]
        maps = "\n".join(re.findall(r"^#.*$", text, re.MULTILINE))
        kernel = kernel.replace(f"gpu.func @{found[1]}(", "gpu.func @k(", 1)
        return f"{maps}\nmodule attributes {{gpu.container_module}} {{\n{kernel}}}", grid, block, [
            numbers.get(name, name) for name in given
        ]  # fmt: skip

    def expected(self, a: Any, b: Any, c: Any) -> Any:
        """What the operation leaves in its output."""
        x, y, z = (self._spread(one, at) for one, at in zip((a, b, c), self.maps, strict=True))
        with np.errstate(all="ignore"):
            found = _BINARY[self.operations[0]](x, y)
            if self.reduces:
                by: Any = _BINARY[self.sums]
                found = by(by.reduce(np.broadcast_to(found, self.sizes), axis=-1, dtype=self.dtype), z[..., 0])
            else:
                found = np.broadcast_to(_BINARY[self.operations[1]](found, z), self.sizes)
        return np.transpose(found, self.maps[2]).astype(self.dtype)

    def _spread(self, array: Any, at: list[int]) -> Any:
        """An operand over all loops."""
        order = np.argsort(at)
        shape = [self.sizes[n] if n in at else 1 for n in range(self.rank)]
        return np.transpose(array, order).reshape(shape)


@pytest.mark.sample(5)
@pytest.mark.parametrize("seed", range(150))
def test_vectorized(seed: int) -> None:
    drawn = _Drawn(seed)
    random = np.random.default_rng(seed)
    shapes = [[drawn.sizes[n] for n in one] for one in drawn.maps]
    a, b, c = (random.integers(-3, 4, shape).astype(drawn.dtype) for shape in shapes)
    wanted = drawn.expected(a, b, c)
    text, grid, block, given = drawn.lowered()
    arrays = {"%arg0": a, "%arg1": b, "%arg2": c}
    launch(compiled(text), "k", grid, block, [arrays.get(one, one) for one in given])
    np.testing.assert_array_equal(c, wanted)
