"""Numbers as a module's bytes have them: columns that are made small, and streams of integers of any size."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

import weft
from weft.errors import BytesError
from weft.mc.columns import fold, narrow, pack_deltas, pack_references, unfold, unpack_deltas, unpack_references
from weft.mc.stream import StreamReader, StreamWriter
from weft.mc.strings import Strings
from weft.ptx.ast import Function, Label, Module
from weft.ptx.operands import Address

LEAST, MOST = -(1 << 63), (1 << 63) - 1


def test_signs_go_to_the_lowest_bit() -> None:
    values = [0, -1, 1, -2, 2, MOST, LEAST]
    folded = fold(np.array(values, np.int64))
    assert folded.tolist() == [0, 1, 2, 3, 4, (1 << 64) - 2, (1 << 64) - 1] and folded.dtype == np.dtype("<u8")
    assert unfold(folded).tolist() == values
    assert unfold(np.array([0, 1, 2, 255], np.uint8)).tolist() == [0, -1, 1, -128]


@pytest.mark.parametrize(
    ("most", "width"), [(0, 1), (255, 1), (256, 2), (65535, 2), (65536, 4), ((1 << 32) - 1, 4), (1 << 32, 8), (MOST, 8)]
)
def test_the_narrowest_type_that_holds_all(most: int, width: int) -> None:
    found = narrow(np.array([0, most, 1], np.uint64))
    assert (found.dtype, found.tolist()) == (np.dtype(f"<u{width}"), [0, most, 1])
    assert narrow(np.array([], np.int64)).dtype == np.dtype("<u1")


def test_references_are_small_where_they_are_near() -> None:
    """The distance to the number that comes next: the next new one is 0, and the one that was new last 1."""
    assert pack_references(np.array([0, 1, 2, 2, 3, 1], np.int64)).tolist() == [0, 0, 0, 2, 0, 6]
    assert pack_references(np.array([2, 0], np.int64)).tolist() == [3, 6]
    rng = random.Random(2)
    for size in (0, 1, 2, 50):
        for _ in range(20):
            ids = np.array([rng.choice((rng.randrange(5), rng.randrange(2**31))) for _ in range(size)], np.int64)
            packed = pack_references(ids)
            assert packed.dtype == np.dtype("<u8") and unpack_references(packed).tolist() == ids.tolist()


def test_differences_may_wrap_around() -> None:
    values = np.array([5, 7, 6, LEAST, MOST, -1, 0], np.int64)
    packed = pack_deltas(values)
    assert packed[:3].tolist() == [10, 4, 1] and unpack_deltas(packed).tolist() == values.tolist()
    assert pack_deltas(values[:0]).tolist() == unpack_deltas(packed[:0]).tolist() == []


WIDE = 1 << 62


@pytest.mark.parametrize("value", [0, -1, WIDE - 1, -WIDE, WIDE, -WIDE - 1, 1 << 63, -(1 << 100), 1 << 100])
def test_integers_of_any_size(value: int) -> None:
    """Those of up to 62 bits and a sign as they are, others as the number of a string."""
    strings = Strings()
    strings.number("first")
    writer = StreamWriter(strings)
    writer.number(value)
    writer.number(3)
    small = -WIDE <= value < WIDE
    assert writer.numbers == [value if small else WIDE + 1, 3] and all(LEAST <= one <= MOST for one in writer.numbers)
    texts = strings.pool().decode().split("\0")[:-1]
    assert texts == (["first"] if small else ["first", str(value)])
    reader = StreamReader(texts, writer.numbers)
    assert (reader.number(), reader.number(), reader.position) == (value, 3, 2)
    assert StreamReader(texts, writer.numbers).integers(2) == [value, 3]


def test_lists_and_texts() -> None:
    strings = Strings()
    writer = StreamWriter(strings)
    writer.items(["a", "", "a"], writer.text)
    writer.items([], writer.text)
    writer.text("b")
    assert writer.numbers == [3, 0, 1, 0, 0, 2]
    reader = StreamReader(["a", "", "b"], writer.numbers)
    assert (reader.items(reader.text), reader.items(reader.text), reader.text()) == (["a", "", "a"], [], "b")
    assert list(StreamReader(["a", "b"], [1, 0, 1]).texts(3)) == ["b", "a", "b"]
    assert StreamReader([], [4, 5], 1).raw() == 5 and StreamReader([], [0]).natural() == 0


@pytest.mark.parametrize(
    ("numbers", "ask", "message"),
    [
        ([1], lambda r: r.integers(2), "a number beyond the end"),
        ([-1], lambda r: r.natural(), "a negative count"),
        ([-1], lambda r: r.text(), "a negative string"),
        ([0, -1], lambda r: r.texts(2), "a string beyond the end"),
        ([0], lambda r: r.texts(2), "a string beyond the end"),
        ([2, 0], lambda r: r.items(r.text), "a count beyond the end"),
        ([-1], lambda r: r.items(r.text), "a count beyond the end"),
    ],
)
def test_streams_that_end_too_early(numbers: list[int], ask: object, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        ask(StreamReader(["a"], numbers))  # type: ignore[operator]


@pytest.mark.parametrize(("position", "good"), [(MOST, True), (LEAST, True), (MOST + 1, False), (LEAST - 1, False)])
def test_positions_have_64_bits(position: int, good: bool) -> None:
    module = Module((8, 0), ("sm_80",), items=[Function("k", kernel=True, body=[Label("L", position)])])
    if good:
        (label,) = weft.from_bytes(module.to_bytes()).kernels[0].body or ()
        assert label.pos == position
    else:
        with pytest.raises(BytesError, match="the module is too large"):
            module.to_bytes()


@pytest.mark.parametrize("value", [LEAST, LEAST + 1, -1, MOST - 1, MOST, MOST + 1, (1 << 64) - 1])
def test_operands_and_offsets_of_64_bits(value: int) -> None:
    """Integers of any size come back; offsets have 64 bits and a sign."""
    frame = (
        ".version 9.0\n.target sm_90\n.address_size 64\n.entry k() {{ .reg .b64 %r<3>; st.global.b64 [%r1+{}], {}; }}\n"
    )
    module = weft.parse(frame.format(8, value))
    assert weft.from_bytes(module.to_bytes()) == module
    module = weft.parse(frame.format(0, 7))
    statement = next(iter(module.functions[0].instructions()))
    address = statement.operands[0]
    assert isinstance(address, Address)
    statement.operands = (replace(address, offset=value), statement.operands[1])
    if value <= MOST:
        assert weft.from_bytes(module.to_bytes()) == module
    else:
        with pytest.raises(BytesError, match=f"the offset {value} has more than 64 bits"):
            module.to_bytes()
