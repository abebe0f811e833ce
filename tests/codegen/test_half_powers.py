"""Powers with the literal exponents 0.5, 1.5 and 2.5 are roots and products."""

from __future__ import annotations

import numpy as np
import pytest

import weft

SPECIAL = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    np.inf,
    -np.inf,
    np.nan,
    -2.5,
    1e-45,
    -1e-45,
    1e-38,
    3e-16,
    3e15,
    2.7e15,
    3.4e38,
    1e-26,
)


@pytest.mark.parametrize("exponent", [0.5, 1.5, 2.5])
def test_half_powers(exponent: float) -> None:
    text = f"""gpu.module @m {{ gpu.func @k(%x: memref<4096xf32>, %o: memref<4096xf32>) kernel {{
      %y = arith.constant {exponent} : f32
      %d = gpu.block_dim x
      %b = gpu.block_id x
      %p = arith.muli %b, %d : index
      %t = gpu.thread_id x
      %g = arith.addi %p, %t : index
      %v = memref.load %x[%g] : memref<4096xf32>
      %r = math.powf %v, %y : f32
      memref.store %r, %o[%g] : memref<4096xf32>
      gpu.return }} }}"""
    module = weft.compile(text, "sm_80", bare_pointers=True)
    assert "sqrt.rn.f32" in (ptx := module.to_ptx())
    assert "ex2" not in ptx
    bits = np.random.default_rng(7).integers(0, 1 << 31, 4096, dtype=np.uint32)
    x = bits.view(np.float32).copy()
    x[: len(SPECIAL)] = SPECIAL
    out = np.zeros_like(x)
    weft.run(module, "k", grid=(16,), block=(256,), args=[x, out])
    with np.errstate(all="ignore"):
        exact = np.abs(np.power(x.astype(np.float64), exponent))  # As C has it for -0.
        exact[np.isneginf(x)] = np.inf
        near = exact.astype(np.float32)
        unit = np.spacing(np.abs(near))
        wrong = (
            np.abs(out.astype(np.float64) - exact) > (0.51 + round(exponent)) * unit
        )  # Each rounding before the last one is up to one unit of the power.
    finite = np.isfinite(near) & np.isfinite(out)
    assert not (wrong & finite).any(), (x[wrong & finite], out[wrong & finite], exact[wrong & finite])
    assert np.array_equal(np.isnan(near), np.isnan(out))
    assert np.array_equal(np.signbit(near[~np.isnan(near)]), np.signbit(out[~np.isnan(near)]))
    assert np.array_equal(np.isinf(near), np.isinf(out))
