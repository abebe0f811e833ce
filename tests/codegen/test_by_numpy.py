"""Operations that LLVM's pipeline refuses or gets wrong, against Python's integers and NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from tests.codegen.support import compiled, descriptors, elementwise
from weft.sim import run

RNG = np.random.default_rng(12)


def powers(a: int, b: int, bits: int) -> int:
    """a to the b, as `math.ipowi` says; 0 to a negative one is left out."""
    if b < 0:
        whole = {1: 1, -1: 1 if b % 2 == 0 else -1}.get(a, 0)
    else:
        whole = pow(a, b, 1 << bits)
    whole &= (1 << bits) - 1
    return whole - (1 << bits) if whole >> bits - 1 else whole


@pytest.mark.sample(2)
@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_integer_powers(bits: int) -> None:
    low, high = -(1 << bits - 1), (1 << bits - 1) - 1
    a = np.concatenate([[1, -1, 2, -2, 3, low, high, 7], RNG.integers(low, high, 56)]).astype(f"int{bits}")
    b = RNG.choice([0, 1, 2, 3, 5, 31, 62, 100, -1, -2, -3, low], 64).astype(f"int{bits}")
    a[(a == 0) & (b < 0)] = 1
    found = elementwise(f"%r = math.ipowi %a, %b : i{bits}", a, b, result=a.dtype)
    assert found.tolist() == [powers(int(x), int(y), bits) for x, y in zip(a, b, strict=True)]


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_normal_numbers(bits: int) -> None:
    info = np.finfo(f"float{bits}")
    edges = [0.0, -0.0, info.smallest_normal, info.smallest_subnormal, -info.smallest_subnormal, info.max, np.inf, -np.inf, np.nan]  # fmt: skip
    x = np.array([*edges, *RNG.normal(size=23)], info.dtype)
    found = elementwise(f"%t = math.isnormal %a : f{bits}\n%r = arith.extui %t : i1 to i32", x, result=np.int32)
    want = np.isfinite(x) & (np.abs(x) >= info.smallest_normal)
    assert found.astype(bool).tolist() == want.tolist()


def test_normal_numbers_of_bf16() -> None:
    x = np.array([0, 1, 0x7F, 0x80, 0x8001, 0x8080, 0x3F80, 0x7F7F, 0x7F80, 0x7FC0, 0xFF80, 0xBF80], np.uint16)
    text = "%h = arith.bitcast %a : i16 to bf16\n%t = math.isnormal %h : bf16\n%r = arith.extui %t : i1 to i32"
    want = [0 < bits >> 7 & 255 < 255 for bits in x.tolist()]
    assert elementwise(text, x.view(np.int16), result=np.int32).astype(bool).tolist() == want


@pytest.mark.parametrize("bits", [32, 64])
def test_clamped_numbers(bits: int) -> None:
    x = (RNG.normal(size=64) * 3).astype(f"float{bits}")
    low, high = np.full_like(x, -1.5), np.full_like(x, 2.0)
    found = elementwise(f"%r = math.clampf %a to [%b, %c] : f{bits}", x, low, high, result=x.dtype)
    assert (found == np.clip(x, -1.5, 2.0)).all()


@pytest.mark.sample(4)
@pytest.mark.parametrize("size", [1, 2, 8, 16, 32])
@pytest.mark.parametrize("type_", ["i64", "f64"])
def test_reductions_of_wide_numbers(type_: str, size: int) -> None:
    """`gpu.subgroup_reduce` of 64 bits, of a warp or of clusters of lanes."""
    cluster = "" if size == 32 else f" cluster(size = {size})"
    text = f"""gpu.module @m {{
      gpu.func @k(%in: memref<32x{type_}>, %out: memref<32x{type_}>) kernel attributes {{known_block_size = array<i32: 32, 1, 1>}} {{
        %i = gpu.thread_id x
        %x = memref.load %in[%i] : memref<32x{type_}>
        %r = gpu.subgroup_reduce add %x{cluster} : ({type_}) -> {type_}
        memref.store %r, %out[%i] : memref<32x{type_}>
        gpu.return
      }}
    }}"""
    values = RNG.integers(-(1 << 40), 1 << 40, 32).astype(np.int64 if type_ == "i64" else np.float64)
    out = np.zeros_like(values)
    run(compiled(text), "k", 1, 32, descriptors([values, out]))
    want = np.repeat(values.reshape(-1, size).sum(axis=1), size)
    assert (out == want).all()
