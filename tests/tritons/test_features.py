"""What surrounds kernels in Triton: forms of launches, hooks, caches, heuristics, autotuning, options of compilation."""

# pyright: basic, reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportGeneralTypeIssues=false

from __future__ import annotations

import math
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import triton
import triton.language as tl
from triton import knobs
from triton.language.extra import libdevice

from weft.triton import TritonFault, asarray


def _launch_metadata(grid: Any, kernel: Any, args: Any) -> dict[str, Any]:
    return {"name": f"{kernel.name}<{args['n']}>", "bytes": 4 * args["n"]}


@triton.constexpr_function
def log2(n):
    return n.bit_length() - 1


@triton.jit(noinline=True)
def part(x, i, B: tl.constexpr):
    return tl.sum(tl.load(x + i * B + tl.arange(0, B)), 0)


@triton.jit
def add(x, y, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


@triton.jit(launch_metadata=_launch_metadata, repr=lambda made: f"fill_{made.constants['B']}")
def fill(x, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + i, B, mask=i < n)


@triton.heuristics({"B": lambda args: triton.next_power_of_2(args["n"]), "EVEN": lambda args: args["n"] % 2 == 0})
@triton.jit
def guessed(x, n, B: tl.constexpr, EVEN: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, 2 if EVEN else 3, mask=i < n)


@triton.jit
def several(pair, rows, out, none, FLAG: tl.constexpr, NAME: tl.constexpr, KIND: tl.constexpr, B: tl.constexpr):
    LOG: tl.constexpr = log2(B)
    tl.static_assert(LOG == 6)
    i = tl.arange(0, B)
    value = tl.load(pair.x + i, mask=i < pair.n, other=0) * pair.scale
    if none is None:
        value += 1
    if FLAG:
        value += rows[0][1]
    if NAME == "abc":
        value += LOG
    tl.store(out + i, value.to(KIND))


@triton.jit(do_not_specialize=["n", "one"], do_not_specialize_on_alignment=["x"])
def plain(x, n, one, flag, large, small, real):
    tl.store(x, n + one + flag + large + small + real)


@triton.jit(debug=True)
def twice(x, out):
    tl.store(out, tl.load(x) + tl.load(x))


@triton.jit
def asserted(x, out):
    tl.device_assert(tl.load(x) < 0, "negative")
    tl.store(out, 1)


@triton.jit
def called(x, out, B: tl.constexpr):
    tl.store(out, part(x, 0, B))
    tl.store(out + 1, part(x, 1, B))


@triton.jit
def foreign(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    value = tl.load(x + i)
    power = tl.inline_asm_elementwise("ex2.approx.ftz.f32 $0, $1;", "=f,f", [value], tl.float32, is_pure=True, pack=1)
    tl.store(out + i, power + libdevice.erf(value))


@triton.jit
def loops(
    x, out, n, STAGES: tl.constexpr, UNROLL: tl.constexpr, FLAT: tl.constexpr, ONE: tl.constexpr, B: tl.constexpr
):
    i = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    for row in tl.range(
        0, n, num_stages=STAGES, loop_unroll_factor=UNROLL, disallow_acc_multi_buffer=ONE, disable_licm=ONE
    ):
        for column in tl.range(0, 2, flatten=FLAT):
            total += tl.load(x + row * B + i) * (column + 1)
    for step in tl.static_range(3):
        total += step
    tl.store(out + i, total)


def numbers(n: int = 1000) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.random(n, np.float32), rng.random(n, np.float32), np.zeros(n, np.float32)


@pytest.mark.parametrize("grid", [(8,), (8, 1), [8], (np.int64(8),), lambda meta: (triton.cdiv(1000, meta["B"]),)])
def test_grids(hopper: None, grid: Any) -> None:
    x, y, out = numbers()
    add[grid](x, y, out, 1000, B=128)
    assert np.allclose(out, x + y)


@pytest.mark.parametrize("options", [{"num_warps": 1}, {"num_warps": 16}, {"maxnreg": 64}, {"num_ctas": 2}])
def test_options(hopper: None, options: dict[str, int]) -> None:
    x, y, out = numbers()
    add[(4,)](x, y, out, 1000, B=256, **options)
    assert np.allclose(out, x + y)


def test_kernels_compiled_ahead(hopper: None) -> None:
    x, y, out = numbers()
    warm = add.warmup(x, y, out, 1000, B=128, grid=(8,))
    warm[(8, 1, 1)](x, y, out, 1000, 128)
    assert np.allclose(out, x + y)
    mock = triton.runtime.jit.MockTensor(tl.float32)
    assert "ptx" in add.warmup(mock, mock, mock, 1000, B=64, grid=(8,)).asm
    with triton.AsyncCompileMode(ThreadPoolExecutor(2)):
        for size in (32, 64):
            fill.warmup(mock, 100, B=size, grid=(1,))
    fill[(2,)](out, 100, B=64)
    assert (out[:100] == 64).all()


def test_hooks_of_launches(hopper: None) -> None:
    seen: list[Any] = []

    def enter(made: Any) -> None:
        seen.append(made.get())

    def leave(made: Any) -> None:
        seen.append("left")

    knobs.runtime.launch_enter_hook.add(enter)
    knobs.runtime.launch_exit_hook.add(leave)
    try:
        fill[(1,)](np.zeros(50, np.float32), 50, B=64)
    finally:
        knobs.runtime.launch_enter_hook.remove(enter)
        knobs.runtime.launch_exit_hook.remove(leave)
    assert (seen[0]["name"], seen[0]["bytes"], seen[1:]) == ("fill_64<50>", 200, ["left"])


def test_hooks_of_compilation(hopper: None, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(knobs.runtime, "jit_cache_hook", lambda **told: seen.append(told["fn"].name))
    monkeypatch.setattr(knobs.runtime, "jit_post_compile_hook", lambda **told: seen.append("compiled"))

    @triton.jit
    def once(x):
        tl.store(x, 7)

    x = np.zeros(1, np.float32)
    for _ in range(2):
        once[(1,)](x)
    assert x[0] == 7 and len(seen) == 2 and seen[1] == "compiled"


def test_heuristics(hopper: None) -> None:
    for n in (99, 100):
        x = np.zeros(n, np.float32)
        guessed[(1,)](x, n)
        assert (x == 3 - (n % 2 == 0)).all()


def test_autotuning(hopper: None) -> None:
    seen: list[str] = []

    def prune(configs: list[Any], _: dict[str, Any], **__: Any) -> list[Any]:
        seen.append("pruned")
        return [one for one in configs if one.kwargs["B"] < 1024]

    configs = [triton.Config({"B": b}, num_warps=1, pre_hook=lambda _: seen.append("hook")) for b in (64, 256, 1024)]

    @triton.autotune(
        configs, key=["n"], prune_configs_by={"early_config_prune": prune}, reset_to_zero=["count"], restore_value=["x"]
    )
    @triton.jit
    def counted(x, count, n, B: tl.constexpr):
        i = tl.program_id(0) * B + tl.arange(0, B)
        tl.store(x + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)
        tl.atomic_add(count, 1)

    x, count = np.ones(500, np.float32), np.zeros(1, np.int32)
    for turn in (1, 2):
        counted[lambda meta: (triton.cdiv(500, meta["B"]),)](x, count, 500)
        assert (x == 1 + turn).all() and count[0] == turn * triton.cdiv(500, counted.best_config.kwargs["B"])
    assert seen[0] == "pruned" and "hook" in seen and counted.best_config.kwargs["B"] != 1024


def test_arguments(hopper: None) -> None:
    pair = namedtuple("pair", "x n scale")
    x, out = np.arange(64, dtype=np.float32), np.zeros(64, np.float16)
    several[(1,)](pair(x, 50, 2.0), ((1, 5),), out, None, True, "abc", tl.float16, B=64)
    assert (out == np.where(np.arange(64) < 50, 2 * x, 0) + 1 + 5 + 6).all()
    result = np.zeros(1, np.float64)
    for given in ((1, 0, True, 1 << 40, -5, 2.5), (16, 17, False, (1 << 62) + 5, -(1 << 40), 0.0)):
        plain[(1,)](result, *given)
        assert np.isclose(result[0], sum(map(float, given)))


def test_checks_of_the_program(hopper: None) -> None:
    x, out = np.array([1 << 30], np.int32), np.zeros(1, np.int32)
    with pytest.raises(TritonFault, match="overflow"):
        twice[(1,)](x, out)
    asserted[(1,)](x, out)
    assert out[0] == 1
    with pytest.raises(TritonFault, match="negative"):
        asserted[(1,)](x, out, debug=True)


def test_functions(hopper: None) -> None:
    x, out = np.random.default_rng(0).random(64, np.float32), np.zeros(64, np.float32)
    called[(1,)](x, out, B=32)
    assert np.allclose(out[:2], [x[:32].sum(), x[32:].sum()])
    foreign[(1,)](x, asarray(out), B=64)
    assert np.allclose(out, 2**x + np.array([math.erf(value) for value in x]), rtol=1e-4)


@pytest.mark.parametrize("options", [(1, 1, False, False), (3, 1, False, True), (2, 2, True, False)])
def test_loops(hopper: None, options: tuple[Any, ...]) -> None:
    x, out = np.random.default_rng(0).random((7, 64), np.float32), np.zeros(64, np.float32)
    loops[(1,)](x, out, 7, *options, B=64)
    assert np.allclose(out, 3 * x.sum(0) + 3, rtol=1e-4)
