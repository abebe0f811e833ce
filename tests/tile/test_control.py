"""Control flow of traced kernels, run on the simulator and compared with what Python itself computes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import weft
from weft.errors import CompileError
from weft.tile import (
    Global,
    S,
    convert,
    f32,
    full,
    function,
    i32,
    laneid,
    loop,
    register,
    thread_id,
    warp,
    where,
    zeros,
)

OUT = Global(i32, (32,))


def collatz(n: int) -> int:
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@weft.kernel(threads=32, grid=1)
def steps_of_collatz(out: OUT):
    n = thread_id() + 1
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    out[thread_id()] = steps


@weft.kernel(threads=32, grid=1)
def nested(out: OUT, n: i32):
    total, last = 0, -1
    for i in range(n):
        for j in loop(i, n, 2):
            if (i + j) % 3 == 0 and not (j == 4 and i >= 0):
                total = total + i * j
                last = j
            elif 1 <= j < 3 or i == 5:
                total -= j
        total += 1
    out[thread_id()] = total * 100 + last


def nested_in_python(n: int) -> int:
    total, last = 0, -1
    for i in range(n):
        for j in range(i, n, 2):
            if (i + j) % 3 == 0 and not (j == 4 and i >= 0):
                total = total + i * j
                last = j
            elif 1 <= j < 3 or i == 5:
                total -= j
        total += 1
    return total * 100 + last


@weft.kernel(threads=32, grid=1)
def unrolled(out: OUT):
    values = [thread_id() * k for k in range(4)]
    total = 0
    for at, value in enumerate(values):
        if at == 2:
            continue
        if at == 9:
            break
        total = total + value
    out[thread_id()] = total


def test_while_and_conditional_expressions() -> None:
    out = np.zeros(32, np.int32)
    steps_of_collatz.run(out)
    assert out.tolist() == [collatz(n) for n in range(1, 33)]


@pytest.mark.parametrize("n", [0, 1, 7, 12])
def test_nested_loops_and_branches(n: int) -> None:
    out = np.zeros(32, np.int32)
    nested.run(out, n)
    assert out.tolist() == [nested_in_python(n)] * 32


def test_loops_over_constants_are_pythons_own() -> None:
    out = np.zeros(32, np.int32)
    unrolled.run(out)
    assert out.tolist() == [t * (0 + 1 + 3) for t in range(32)]
    assert "bra" not in unrolled.ptx()


@weft.kernel(threads=32, grid=1)
def carried_tiles(x: Global(f32, (32, 4)), y: Global(f32, (32, 4)), n: i32):
    layout = S[(32, 4) : (1 @ laneid, 1)]
    tile = register((32, 4), f32, layout)
    for i in range(4):
        tile.storage[i] = x[thread_id(), i]
    before = tile
    for k in range(n):
        tile = tile * 2.0 + before
        if k == 1:
            tile = tile - 1.0
    for i in range(4):
        y[thread_id(), i] = tile.storage[i]


@pytest.mark.parametrize("n", [0, 1, 4])
def test_a_name_for_a_tile_is_carried_by_value(n: int) -> None:
    x = np.arange(128, dtype=np.float32).reshape(32, 4)
    y = np.zeros_like(x)
    carried_tiles.run(x, y, n)
    expected = x
    for k in range(n):
        expected = expected * 2 + x
        if k == 1:
            expected = expected - 1
    np.testing.assert_array_equal(y, expected)


@weft.kernel(threads=32, grid=1)
def selected(out: OUT, n: i32):
    t = thread_id()
    a = where(t < n, t, -t)
    b = 7 if n > 3 else 9
    c = convert(t, f32) * 1.5
    out[t] = a * 10 + b + convert(c, i32)


def test_selection_and_conversion() -> None:
    out = np.zeros(32, np.int32)
    selected.run(out, 5)
    assert out.tolist() == [(t if t < 5 else -t) * 10 + 7 + int(t * 1.5) for t in range(32)]


@weft.kernel(threads=32, grid=1)
def divided(out: OUT, n: i32, by: i32):
    t = thread_id() - 16
    out[thread_id()] = (t // by) * 1000 + t % by + n // 3


@pytest.mark.parametrize("by", [3, -5, 7])
def test_division_rounds_as_pythons(by: int) -> None:
    out = np.zeros(32, np.int32)
    divided.run(out, -8, by)
    assert out.tolist() == [(t // by) * 1000 + t % by + (-8 // 3) for t in range(-16, 16)]


@function
def falling(n, k: int):
    if k == 0:
        return n * 0 + 1
    return (n - k + 1) * falling(n, k - 1)


def leaving(factor: int) -> weft.tile.Kernel:
    """A kernel in a function, with functions in it that leave loops early."""

    @weft.kernel(threads=32, grid=1)
    def kernel(x: OUT, y: OUT, n: i32, *, twice: bool = False):
        t = thread_id()

        @function
        def grown(v, *, bias=2):
            for i in range(n):
                if v > 100:
                    break
                v = v * 2 + i
            return v, bias

        a, b = grown(x[t])
        c, _ = grown(b, bias=1) if twice else (0, 0)
        w = 0
        while True:
            w += 1
            if w * w > x[t]:
                break
        pair = (a, b)
        if t % 2 == 0:
            pair = (b, a)
        y[t] = a * factor + c + w * 10000 + falling(x[t] % 5, 2) + pair[0] - pair[1]

    return kernel


@pytest.mark.parametrize("twice", [False, True])
def test_functions_and_leaving_early(twice: bool) -> None:
    def expected(x: int, t: int, n: int) -> int:
        def grown(v: int) -> int:
            for i in range(n):
                if v > 100:
                    break
                v = v * 2 + i
            return v

        a, b, w = grown(x), 2, math.isqrt(x) + 1
        difference = a - b if t % 2 else b - a
        return a * 5 + (grown(b) if twice else 0) + w * 10000 + (x % 5) * (x % 5 - 1) + difference

    x, y = np.arange(32, dtype=np.int32), np.zeros(32, np.int32)
    leaving(5).run(x, y, 4, options={"twice": twice})
    assert y.tolist() == [expected(int(v), t, 4) for t, v in enumerate(x)]


@weft.kernel(threads=32, grid=1)
def swapped_tiles(x: Global(f32, (32, 4)), y: Global(f32, (32, 4)), n: i32):
    p = register((32, 4), f32, S[(32, 4) : (1 @ laneid, 1)])
    warp.copy(p, x)
    q, first = p * 10.0, p
    for i in range(n):
        p, q = q, p + q
        if i == 1:
            p = p + 1.0
    r = p if n > 2 else first
    while n > 0:
        r = r + 1.0
        n = n - 1
    warp.copy(y, r + q - first)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_tiles_change_names(n: int) -> None:
    x = np.arange(128, dtype=np.float32).reshape(32, 4)
    y = np.zeros_like(x)
    swapped_tiles.run(x, y, n)
    p, q = x, x * 10
    for i in range(n):
        p, q = q, p + q
        if i == 1:
            p = p + 1
    np.testing.assert_array_equal(y, (p if n > 2 else x) + n + q - x)


@weft.kernel(threads=32, grid=1)
def guarded(x: Global(i32, "N"), out: OUT):
    t = thread_id()
    n = x.shape[0]
    out[t] = (x[t] if t < n else -1) + (1 if t < n and x[t] > 3 else 0) + (0 if t >= n or x[t] == 2 else 10)


def test_conditions_are_lazy() -> None:
    x, out = np.arange(20, dtype=np.int32), np.zeros(32, np.int32)
    guarded.run(x, out, check="strict")
    inside = [v + (v > 3) + (0 if v == 2 else 10) for v in range(20)]
    assert out.tolist() == [*inside, *[-1] * 12]


# -- what is refused, at the Python line ------------------------------------------------------------------------------


@weft.kernel(threads=32)
def leaves_a_loop(out: OUT, n: i32):
    for i in range(n):
        with_nothing = out
        for k in range(3):
            if k == i:
                return
        with_nothing[i] = i


@weft.kernel(threads=32)
def uses_what_one_side_has(out: OUT, n: i32):
    if n > 3:
        a = 1
    out[0] = a


@weft.kernel(threads=32)
def changes_its_type(out: OUT, n: i32):
    x = 0
    for i in range(n):
        x = x + 0.5 * i
    out[0] = x


@weft.kernel(threads=32)
def decides_in_python(out: OUT, n: i32):
    out[0] = sorted((n, 3))[1]


@weft.kernel(threads=32)
def adds_unlike_tiles(out: OUT):
    a = zeros((32, 4), f32, S[(32, 4) : (1 @ laneid, 1)])
    b = full((32, 4), 1.0, f32, S[(4, 8, 4) : (1 @ laneid, 4 @ laneid, 1)])
    a = a + b
    out[0] = a.storage[0]


@pytest.mark.parametrize(
    ("kernel", "line", "message"),
    [
        (leaves_a_loop, "return", "'return' cannot leave the statement at line"),
        (uses_what_one_side_has, "out[0] = a", "'a' is defined only|differs between the two sides"),
        (changes_its_type, "for i in range(n)", "'x' is i32 before this loop and f32 after"),
        (decides_in_python, "sorted((n, 3))", "cannot be tested here"),
        (adds_unlike_tiles, "a = a + b", "another thread holds"),
    ],
    ids=lambda x: getattr(x, "name", ""),
)
def test_refused_with_the_python_line(kernel: weft.tile.Kernel, line: str, message: str) -> None:
    with pytest.raises(CompileError, match=message) as caught:
        kernel.ptx()
    position = caught.value.position
    assert position.file == __file__
    assert line in (position.source or "")


@weft.kernel(threads=32, grid=1)
def digits_of_counters(out: Global(i32, (4, 64)), start: i32, stop: i32, *, step: int = 1):
    at = 0
    for i in range(start, stop, step):
        if thread_id() == 0:
            out[0, at] = i // 3
            out[1, at] = i % 4
            out[2, at] = i // 8
            out[3, at] = i % 5
        at = at + 1


@pytest.mark.parametrize("step", [1, 3, -2])
def test_counters_below_zero_are_divided_as_python_divides(step: int) -> None:
    """What a start is not known to be, no number of the loop is known to be, whatever the step is."""
    start, stop = (-9, 14) if step > 0 else (14, -9)
    out = np.full((4, 64), 99, np.int32)
    digits_of_counters.run(out, start, stop, options={"step": step})
    numbers = range(start, stop, step)
    assert out[:, : len(numbers)].tolist() == [[f(i) for i in numbers] for f in (
        lambda i: i // 3, lambda i: i % 4, lambda i: i // 8, lambda i: i % 5)]  # fmt: skip
    assert (out[:, len(numbers) :] == 99).all()
