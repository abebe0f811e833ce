"""Atomics on 128 bits, vectors and halves."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.sim.harness import INDEX, Array, launch


def test_exchange_of_128_bits() -> None:
    """Threads exchange their number for what the one before them left; whole pairs, never halves."""
    cell, out = np.array([7, 70], np.uint64), np.zeros((64, 2), np.uint64)
    body = f""".reg .b128 %q<4>; {INDEX} ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1];
    mad.wide.u32 %rd2, %r0, 16, %rd2; cvt.u64.u32 %rd3, %r0; add.u64 %rd3, %rd3, 100; mul.lo.u64 %rd4, %rd3, 10;
    mov.b128 %q0, {{%rd3, %rd4}}; atom.global.exch.b128 %q1, [%rd1], %q0; mov.b128 {{%rd5, %rd6}}, %q1;
    st.global.v2.u64 [%rd2], {{%rd5, %rd6}}; ret;"""
    launch(body, [cell, out], block=64, target="sm_90")
    assert (out[:, 1] == out[:, 0] * 10).all()
    assert sorted([*out[:, 0].tolist(), int(cell[0])]) == sorted([7, *range(100, 164)])


def test_compare_and_swap_of_128_bits() -> None:
    """A counter in both halves; each thread retries until it has added one to both."""
    cell = np.array([5, 1 << 40], np.uint64)
    body = f""".reg .b128 %q<4>; {INDEX} ld.param.u64 %rd1, [p0]; ld.global.v2.u64 {{%rd5, %rd6}}, [%rd1];
    again: mov.b128 %q0, {{%rd5, %rd6}}; add.u64 %rd7, %rd5, 1; add.u64 %rd8, %rd6, 2; mov.b128 %q1, {{%rd7, %rd8}};
    atom.global.cas.b128 %q2, [%rd1], %q0, %q1; mov.b128 {{%rd9, %rd10}}, %q2;
    setp.eq.u64 %p1, %rd9, %rd5; setp.eq.and.u64 %p1, %rd10, %rd6, %p1; mov.u64 %rd5, %rd9; mov.u64 %rd6, %rd10;
    @!%p1 bra again; ret;"""
    launch(body, [cell], block=64, target="sm_90")
    assert cell.tolist() == [69, (1 << 40) + 128]


TYPES: dict[str, tuple[Any, str]] = {
    "f16": (np.float16, "b16"), "bf16": (ml_dtypes.bfloat16, "b16"), "f32": (np.float32, "b32"),
    "f16x2": (np.float16, "b32"), "bf16x2": (ml_dtypes.bfloat16, "b32"),
}  # fmt: skip

CASES = [
    *[("add", f"v{n}", "f32") for n in (2, 4)],
    *[(op, f"v{n}", t) for op in ("add", "min", "max") for n in (2, 4, 8) for t in ("f16", "bf16")],
    *[(op, f"v{n}", t) for op in ("add", "min", "max") for n in (2, 4) for t in ("f16x2", "bf16x2")],
]


@pytest.mark.sample(13)
@pytest.mark.parametrize("stem", ["atom", "red"])
@pytest.mark.parametrize(("op", "vec", "type_"), CASES)
def test_vectors(stem: str, op: str, vec: str, type_: str) -> None:
    dtype, register = TYPES[type_]
    count = int(vec[1:])
    each = count * (2 if type_.endswith("x2") else 1)
    rng = np.random.default_rng(count)
    data = rng.integers(-8, 9, (32, each)).astype(dtype)
    cells = rng.integers(-8, 9, (4, each)).astype(dtype)
    old = cells.astype(np.float64)
    size = np.dtype(dtype).itemsize * each
    names = ", ".join(f"%v{i}" for i in range(count))
    step = size // count
    loads = "".join(f"ld.global.{register} %v{i}, [%rd2+{i * step}];" for i in range(count))
    noftz = "" if type_ == "f32" else ".noftz"
    kept = f"{{{', '.join(f'%w{i}' for i in range(count))}}}, " if stem == "atom" else ""
    body = f""".reg .{register} %v<8>; .reg .{register} %w<8>; {INDEX} ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1];
    and.b32 %r1, %r0, 3; mad.wide.u32 %rd1, %r1, {size}, %rd1; mad.wide.u32 %rd2, %r0, {size}, %rd2; {loads}
    {stem}.global.{op}{noftz}.{vec}.{type_} {kept}[%rd1], {{{names}}}; ret;"""

    def aligned(array: Array) -> Array:
        return array.view(np.uint8)

    launch(body, [aligned(cells), aligned(data)], target="sm_90")
    values = data.astype(np.float64).reshape(8, 4, each)
    want = {
        "add": old + values.sum(axis=0),
        "min": np.minimum(old, values.min(axis=0)),
        "max": np.maximum(old, values.max(axis=0)),
    }[op]
    assert (cells.astype(np.float64) == want).all()


@pytest.mark.parametrize(("op", "want"), [("min", [1.0, -0.0, 2.0]), ("max", [1.0, 0.0, 3.0])])
def test_extremes_of_halves_pass_over_nan(op: str, want: list[float]) -> None:
    cells = np.array([np.nan, 0.0, 2.0, 0, 0, 0, 0, 0], np.float16)
    data = np.array([1.0, -0.0, 3.0, 0, 0, 0, 0, 0], np.float16)
    names = ", ".join(f"%v{i}" for i in range(8))
    body = ".reg .b16 %v<8>; ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1];"
    body += "".join(f"ld.global.b16 %v{i}, [%rd2+{2 * i}];" for i in range(8))
    launch(f"{body} red.global.{op}.noftz.v8.f16 [%rd1], {{{names}}}; ret;", [cells, data], block=1, target="sm_90")
    assert (cells[:3].view(np.uint16) == np.array(want, np.float16).view(np.uint16)).all()


@pytest.mark.sample(4)
@pytest.mark.parametrize("engine", ["numpy", "native"])
@pytest.mark.parametrize("space", [".global", ".shared", ""])
@pytest.mark.parametrize("lanes", [1, 3])
def test_sums_of_small_floats(space: str, lanes: int, engine: Any) -> None:
    """In global memory subnormal numbers, and sums, are zeros of their sign; in shared memory they are numbers."""
    if engine == "native":
        pytest.importorskip("llvmlite")
    tiny, small = 2.0**-149, 2.0**-126
    cases = [(tiny, 0.0), (-tiny, -0.0), (small, tiny), (small, -1.5 * small), (tiny, tiny), (1.0, -tiny), (0.0, -3 * tiny),
             (1.5 * small, -small), (-small, small), (small, small), (-2.0, 0.5), (np.inf, tiny)]  # fmt: skip
    cells, by = (np.array(column, np.float32) for column in zip(*cases, strict=True))
    count = len(cases)
    words = np.concatenate([cells, by, np.zeros(count * lanes, np.float32)])
    body = f""".shared .b32 tile[{count}]; .reg .f32 %v, %w; {INDEX} ld.param.u64 %rd1, [p0]; rem.u32 %r1, %r0, {count};
    mad.wide.u32 %rd2, %r1, 4, %rd1; mov.u32 %r2, tile; mad.lo.u32 %r2, %r1, 4, %r2; ld.global.f32 %v, [%rd2];
    st.shared.f32 [%r2], %v; bar.sync 0; ld.global.f32 %v, [%rd2+{4 * count}]; mov.u64 %rd3, %rd2;
    atom{space}.add.f32 %w, [{"%r2" if space == ".shared" else "%rd3"}], %v; bar.sync 0; mad.wide.u32 %rd4, %r0, 4, %rd1;
    st.global.f32 [%rd4+{8 * count}], %w; ld.shared.f32 %w, [%r2]; setp.lt.u32 %p1, %r0, {count};
    {"@%p1 st.global.f32 [%rd2], %w;" if space == ".shared" else ""} ret;"""
    launch(body, [words], block=count * lanes, target="sm_90", check="fast", engine=engine)

    def flushed(x: Any) -> Any:
        return np.where(np.abs(x) < small, np.copysign(np.float32(0), x), x) if space != ".shared" else x

    now = cells.copy()
    for turn in range(lanes):
        assert words[(2 + turn) * count :][:count].tobytes() == now.tobytes()
        now = flushed(flushed(now) + flushed(by)).astype(np.float32)
    assert words[:count].tobytes() == now.tobytes()
