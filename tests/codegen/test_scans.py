"""`vector.scan` on the simulator, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from tests.codegen.support import compiled, launch
from weft.errors import CompileError

KINDS = {"add": np.cumsum, "mul": np.cumprod, "maxsi": np.maximum.accumulate}


def kernel(body: str) -> str:
    return f"""gpu.module @m {{ gpu.func @k(%A: memref<3x4xi32>, %I: memref<?xi32>, %B: memref<3x4xi32>) kernel {{
      %c0 = arith.constant 0 : index
      %a = vector.load %A[%c0, %c0] : memref<3x4xi32>, vector<3x4xi32>
      {body}
      gpu.return
    }} }}"""


@pytest.mark.sample(3)
@pytest.mark.parametrize("inclusive", [True, False])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("kind", KINDS)
def test_scan(kind: str, axis: int, inclusive: bool) -> None:
    values = np.random.default_rng(axis).integers(-9, 9, (3, 4)).astype(np.int32)
    initial = np.arange(2, 6 - axis, dtype=np.int32)
    first, count = initial.copy(), len(initial)
    text = kernel(f"""%i = vector.load %I[%c0] : memref<?xi32>, vector<{count}xi32>
      %r, %last = vector.scan <{kind}>, %a, %i {{inclusive = {str(inclusive).lower()}, reduction_dim = {axis} : i64}}
        : vector<3x4xi32>, vector<{count}xi32>
      vector.store %r, %B[%c0, %c0] : memref<3x4xi32>, vector<3x4xi32>
      vector.store %last, %I[%c0] : memref<?xi32>, vector<{count}xi32>""")
    found = np.zeros_like(values)
    launch(compiled(text), "k", 1, 1, [values, initial, found])
    shifted = values
    if not inclusive:
        start = np.expand_dims(first, axis)
        shifted = np.concatenate([start, np.delete(values, -1, axis)], axis)
    wanted = KINDS[kind](shifted, axis)
    assert np.array_equal(found, wanted)
    assert np.array_equal(initial, np.take(wanted, -1, axis))


def test_vectors_are_not_printed() -> None:
    with pytest.raises(CompileError, match="printed on the host") as caught:
        compiled(kernel("vector.print %a : vector<3x4xi32>"))
    assert "gpu.printf" in caught.value.hint
