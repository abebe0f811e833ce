"""Numbers, tiles and tensors at the ends of what they may be, against NumPy or what Python's rules say."""

from __future__ import annotations

import re
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from weft.errors import CompileError, WeftError
from weft.tile import (
    Global,
    S,
    address,
    cta,
    dtype,
    f32,
    function,
    i8,
    i32,
    i64,
    inline_ptx,
    kernel,
    lane_id,
    loop,
    pipeline,
    register,
    role,
    thread_id,
    tile,
    u32,
    u64,
    where,
)

LINE = S[4:1]


@pytest.mark.parametrize("kind", ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"])
def test_constants_of_integers(kind: str) -> None:
    """The smallest and the largest of the type, and those beside them; beyond what is signed they wrap around."""
    bits = dtype(kind).bits
    values = [0, 1, (1 << bits - 1) - 1, 1 << bits - 1, (1 << bits) - 1, -1, -(1 << bits - 1)]

    @kernel(threads=32, grid=1)
    def store(out: Global(kind, len(values))):
        for at, value in enumerate(values):
            out[at] = value

    out = np.zeros(len(values), dtype(kind).numpy)
    store.run(out)
    assert out.tolist() == np.array([x % (1 << bits) for x in values], f"u{bits // 8}").view(out.dtype).tolist()


def test_choices_of_conditions() -> None:
    """`where` of conditions is a condition, of which all and any are known; where numbers are meant it counts as one."""

    @kernel(threads=32, grid=1)
    def chosen(x: Global(i32, 4), out: Global(i32, (4, 4))):
        held = register(4, i32, LINE)
        for at in range(4):
            held.storage[at] = x[at]
        picked = where(held > 2, held < 9, held == 1)
        for at in range(4):
            out[0, at] = where(picked, 7, 8).storage[at]
            out[1, at] = (picked + picked).storage[at]
            out[2, at] = (picked * held).storage[at]
            out[3, at] = where(picked & (held > 1), 1, 0).storage[at]

    out = np.zeros((4, 4), np.int32)
    chosen.run(np.array([1, 2, 5, 11], np.int32), out)
    assert out.tolist() == [[7, 8, 7, 8], [2, 0, 2, 0], [1, 0, 5, 0], [0, 0, 1, 0]]


def test_results_of_ptx_by_hand() -> None:
    """No result is None, one is a number, several are a tuple."""
    found: list[object] = []

    @kernel(threads=32, grid=1)
    def by_hand(out: Global(u32, 4)):
        found.append(inline_ptx("membar.cta;"))
        one = inline_ptx("mov.u32 {$w0}, 5;", results=(u32,))
        two = inline_ptx("mov.u32 {$w0}, {$r0}; mov.u32 {$w1}, 7;", one, results=(u32, u32))
        found.append(len(two))
        out[0], out[1], out[2] = one, two[0], two[1]

    out = np.zeros(4, np.uint32)
    by_hand.run(out)
    assert (found, out.tolist()) == ([None, 2], [5, 5, 7, 0])


def test_addresses_of_tensors() -> None:
    """Without coordinates that of the first element."""

    @kernel(threads=32, grid=1)
    def addresses(x: Global(f32, (3, 4, 5)), out: Global(u64, 4)):
        out[0] = address(x) - address(x, 0, 0, 0)
        out[1] = address(x, 2, 0, 0) - address(x)
        out[2] = address(x, 1, 2, 3) - address(x, 0, 0, 0)
        out[3] = address(x, -1, -1, -1) - address(x)

    out = np.zeros(4, np.uint64)
    addresses.run(np.zeros((3, 4, 5), np.float32), out)
    assert out.tolist() == [0, 160, 132, 236]


@pytest.mark.parametrize("kind", ["i32", "i64", "u32"])
def test_loops_over_64_bits(kind: str) -> None:
    """A bound of 64 bits makes the counter one; of 32 bits it stays so."""

    @kernel(threads=32, grid=1)
    def counted(start: Global(kind, 1), out: Global(i64, 4)):
        place = thread_id() * 0
        for number in loop(start[0], start[0] + 3):
            out[place] = number
            place += 1
        for number in loop(start[0] + 1, start[0], -1):
            out[3] = number

    first = (1 << 40) - 1 if kind == "i64" else 5
    out = np.zeros(4, np.int64)
    counted.run(np.array([first], dtype(kind).numpy), out)
    assert out.tolist() == [first, first + 1, first + 2, first + 1]


def test_ranges_without_end_are_refused_with_a_step_that_is_not_known() -> None:
    """A step that the kernel computes counts up."""

    @kernel(threads=32, grid=1)
    def counted(out: Global(i32, 4)):
        for number in loop(1, 4, thread_id() // 64 + 2):
            out[number] = number

    out = np.zeros(4, np.int32)
    counted.run(out)
    assert out.tolist() == [0, 1, 0, 3]


@pytest.mark.parametrize("shape", [(3, 1), (1, 3), (1, 1), (2, 3)])
def test_parts_of_tensors_whose_rows_are_apart(shape: tuple[int, int]) -> None:
    """Regions of one row and of several, of a tensor whose stride the call tells."""

    @kernel(threads=32, grid=1)
    def copied(x: Global(f32, ("M", "N"), ("L", 1)), y: Global(f32, shape)):
        from weft.tile import ds, thread

        held = register(shape, f32, S[shape : (shape[1], 1)])
        thread.copy(held, x[ds(1, shape[0]), ds(2, shape[1])])
        if thread_id() == 0:
            thread.copy(y, held)

    whole = np.arange(70, dtype=np.float32).reshape(7, 10)
    y = np.zeros(shape, np.float32)
    copied.run(whole[:, 1:8], y)
    np.testing.assert_array_equal(y, whole[1 : 1 + shape[0], 3 : 3 + shape[1]])


def test_arrays_that_repeat_a_row_and_ones_that_run_backwards() -> None:
    """NumPy's stride 0 is a stride like others; a negative one is refused, as the array's memory starts at its end."""

    @kernel(threads=32, grid=1)
    def read(x: Global(f32, ("M", "N"), ("L", 1)), y: Global(f32, (3, 4))):
        t = thread_id()
        if t < 12:
            y[t // 4, t % 4] = x[t // 4, t % 4]

    y = np.zeros((3, 4), np.float32)
    read.run(np.broadcast_to(np.arange(4, dtype=np.float32), (3, 4)), y)
    np.testing.assert_array_equal(y, [[0, 1, 2, 3]] * 3)
    with pytest.raises(WeftError, match="an array with negative strides starts at its end"):
        read.run(np.zeros((3, 4), np.float32)[::-1], y)


def test_numbers_beside_what_is_none() -> None:
    """Python's own error, not a crash: an operation of a number with what is none does not exist."""

    def wrong(body: Any) -> str:
        @kernel(threads=32, grid=1)
        def of(n: i32):
            body(n)

        with pytest.raises(CompileError) as caught:
            of.mlir()
        return caught.value.message

    assert wrong(lambda n: n + "a") == "TypeError: unsupported operand type(s) for +: 'Scalar' and 'str'"
    assert wrong(lambda n: None - n) == "TypeError: unsupported operand type(s) for -: 'NoneType' and 'Scalar'"
    assert re.search("'<' not supported between instances of 'Scalar' and 'list'", wrong(lambda n: n < [1]))


@pytest.mark.parametrize(("kind", "value"), [("i8", -7), ("u8", 250), ("i16", -300), ("u16", 65000), ("i32", -5),
    ("u32", 1 << 31), ("i64", -(1 << 40)), ("u64", (1 << 63) + 1), ("f16", 1.5), ("f32", -2.25), ("f64", 0.125)])  # fmt: skip
def test_print_of_each_type(kind: str, value: Any) -> None:
    """A kernel prints a number as Python does."""

    @kernel(threads=1, grid=1)
    def tells(x: Global(kind, 1)):
        print("x =", x[0], x[0] > 3, sep="|", end="%\n")

    x = np.array([value], dtype(kind).numpy)
    assert "".join(tells.run(x).output) == f"x =|{value}|{int(value > 3)}%\n"


def test_turns_of_pythons_own_loops() -> None:
    """`continue` and `break` of a loop that Python runs, in a branch that Python decides; a `while` that ends so."""

    @function
    def of(limit: int) -> list[int]:
        found = []
        for at in range(6):
            if at == 2:
                continue
            if at == limit:
                break
            found.append(at)
        count = 0
        while count < 9:
            count += 1
            if count == 7:
                break
        for at in range(6):
            with nullcontext(at) as number:
                if number == 1:
                    continue
                if number == limit:
                    break
                found.append(200 + number)
        return [*found, 100 + count]

    @kernel(threads=32, grid=1)
    def turns(out: Global(i32, 18)):
        for at, value in enumerate([*of(4), *of(9)]):
            out[at] = value

    out = np.zeros(18, np.int32)
    turns.run(out)
    assert out.tolist()[:17] == [0, 1, 3, 200, 202, 203, 107, 0, 1, 3, 4, 5, 200, 202, 203, 204, 205]


@pytest.mark.parametrize(
    ("shape", "strides", "wide"),
    [
        ((1 << 16, 1 << 15), None, False),  # the last element is 2^31 - 1 on
        ((1 << 16, (1 << 15) + 1), None, True),
        ((3, 4), (1 << 30, 1), True),
        ((2, 4), (1 << 30, 1), False),
        ((2, 1), ((1 << 31) - 1, 1), False),
        ((2, 2), ((1 << 31) - 1, 1), True),
        ((1, 4), (1 << 40, 1), True),
        (("N", 4), None, True),
    ],
)
def test_distances_that_32_bits_hold_are_computed_in_32(shape: Any, strides: Any, wide: bool) -> None:
    """And no others: the distance of the last element tells, and each stride, by which a coordinate is multiplied."""

    @kernel(threads=32, grid=1)
    def touched(x: Global(i8, shape, strides), n: i32):
        x[n, n] = 1

    text = touched.mlir()
    assert ("arith.extsi" in text, "i64" in text) == (wide, wide)


def test_names_that_have_no_value_yet() -> None:
    """What a function around the kernel binds later has none where it is traced, and then the one that it has."""

    @kernel(threads=32, grid=1)
    def reads(out: Global(i32, 1)):
        out[0] = later

    with pytest.raises(CompileError, match="later"):
        reads.mlir()
    later = 5
    out = np.zeros(1, np.int32)
    reads.run(out)
    assert out.tolist() == [later]


def test_a_slot_that_is_left_early_is_full() -> None:
    """As at the end of its `with`, whether the turn of Python's loop ends there or the loop."""

    @kernel(grid=1)
    def through(x: Global(f32, (3, 32)), y: Global(f32, (3, 32))):
        ring = pipeline(2, t=tile(f32, 32))
        with role(warps=1):
            for at in range(9):
                with ring.fill() as slot:
                    cta.copy_async(slot.t, x[at, :])
                    if at < 2:
                        continue
                    break
        with role(warps=1):
            for at in range(3):
                with ring.take() as slot:
                    y[at, lane_id()] = slot.t[lane_id()]

    x, y = np.arange(96, dtype=np.float32).reshape(3, 32), np.zeros((3, 32), np.float32)
    through.run(x, y, target="sm_90a", check="strict", async_="lazy")
    np.testing.assert_array_equal(y, x)
