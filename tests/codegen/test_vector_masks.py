"""Masks of vectors: true where every position is below its bound, whatever the bound."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tests.codegen.support import compiled, launch

SHAPES = [(1,), (3,), (5,), (2, 3), (1, 4), (2, 2, 2)]


def kernel(shape: tuple[int, ...]) -> str:
    extents, count = "x".join(map(str, shape)), int(np.prod(shape))
    names = [f"%b{axis}" for axis in range(len(shape))]
    return f"""gpu.module @m {{
      gpu.func @k({", ".join(f"{name}: index" for name in names)}, %out: memref<{count}xi32>) kernel {{
        %zero = arith.constant 0 : index
        %mask = vector.create_mask {", ".join(names)} : vector<{extents}xi1>
        %flat = vector.shape_cast %mask : vector<{extents}xi1> to vector<{count}xi1>
        %wide = arith.extui %flat : vector<{count}xi1> to vector<{count}xi32>
        vector.store %wide, %out[%zero] : memref<{count}xi32>, vector<{count}xi32>
        gpu.return
      }}
    }}"""


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_positions_below_all_bounds(shape: tuple[int, ...]) -> None:
    module = compiled(kernel(shape))
    positions = np.indices(shape)
    for bounds in product(*({-(1 << 40), -1, 0, 1, extent - 1, extent, extent + 1} for extent in shape)):
        out = np.full(int(np.prod(shape)), 7, np.int32)
        launch(module, "k", 1, 1, [*bounds, out])
        expected = np.all([positions[axis] < bound for axis, bound in enumerate(bounds)], axis=0)
        assert out.tolist() == expected.astype(int).reshape(-1).tolist(), bounds
