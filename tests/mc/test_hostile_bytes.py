"""Bytes that are no module's: one kind of error, no crash, no more memory than the budget, nothing executed."""

from __future__ import annotations

import random
import struct
import tracemalloc
import zlib
from typing import Any

import numpy as np
import pytest

import weft
from tests.effort import draws
from tests.mc.hostile import NUMBERS, SEEDS, attempt, mutate, reseal
from weft.errors import BytesError
from weft.mc.container import BUDGET, FORMAT, Container, pack

GOOD = SEEDS[0]


def refused(data: Any, message: str) -> None:
    with pytest.raises(BytesError, match=message) as caught:
        weft.from_bytes(data, filename="k.weft")
    assert str(caught.value).startswith("k.weft: error: ")


def test_what_is_no_module() -> None:
    refused(b"", "too short")
    refused(b".version 8.0\n.target sm_80\n.address_size 64\n", "not a module in weft's binary format")
    refused("text", "str is not bytes")
    refused(None, "NoneType is not bytes")


@pytest.mark.parametrize("length", [*range(64), len(GOOD) // 2, len(GOOD) - 1])
def test_truncated(length: int) -> None:
    with pytest.raises(BytesError):
        weft.from_bytes(GOOD[:length])
    with pytest.raises(BytesError):
        weft.from_bytes(GOOD + b"\0" * (length + 1))


def test_every_single_bit_counts() -> None:
    for bit in random.Random(1).sample(range(len(GOOD) * 8), 400):
        data = bytearray(GOOD)
        data[bit >> 3] ^= 1 << (bit & 7)
        with pytest.raises(BytesError):
            weft.from_bytes(data)


def test_another_format() -> None:
    data = bytearray(GOOD)
    struct.pack_into("<H", data, 8, FORMAT + 1)
    refused(data, f"unknown format {FORMAT + 1}")


def test_sections_that_inflate_without_end() -> None:
    bomb = zlib.compress(bytes(200 << 20), 9)
    head = struct.Struct("<4sBBHQQQ").pack(b"STRS", 1, 1, 0, 56, len(bomb), 200 << 20)
    data = struct.pack("<8sHHIQ", b"\x89WEFT\r\n\x1a", FORMAT, 1, zlib.crc32(head + bomb), 56 + len(bomb)) + head + bomb
    tracemalloc.start()
    refused(data, "more than it may hold")
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()
    lying = bytearray(data)
    struct.pack_into("<Q", lying, 24 + 24, 100)
    tracemalloc.start()
    refused(reseal(lying), "does not have its stated length")
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


@pytest.mark.slow
def test_very_regular_modules_stay_within_the_budget() -> None:
    sections = {b"STRS": bytes(BUDGET[0] * 2)}
    data = pack(sections)
    assert len(data) > BUDGET[0]
    assert bytes(Container(data, "x").bytes_of(b"STRS")) == sections[b"STRS"]


@pytest.mark.parametrize(
    ("tag", "change"),
    [
        (b"WORD", lambda a: a | 0xF000_0000),
        (b"WORD", lambda a: a + 1000),
        (b"OPID", lambda a: a + 4001),
        (b"HEAD", lambda a: a + 5000),
        (b"DIRS", lambda a: a + 5000),
        (b"DECO", lambda a: a + 5000),
        (b"DECL", lambda a: a - 1000),
        (b"MODU", lambda a: a + 1),
        (b"MEMB", lambda a: a * 0),
        (b"MEMB", lambda a: a + 5000),
        (b"POSN", lambda a: a[:-1]),
        (b"LITS", lambda a: a + 5000),
        (b"LINE", lambda a: a + 5000),
        (b"LINE", lambda a: a[:-1]),
        (b"LINE", lambda a: np.append(a, a)),
    ],
)
def test_columns_that_point_nowhere(tag: bytes, change: Any) -> None:
    container = Container(GOOD, "x")
    widths = {b"MODU": "<i8", b"DECL": "<i8"}
    sections: dict[bytes, Any] = {name: bytes(container.bytes_of(name)) for name in container.tags}
    sections |= {name: container.numbers(name).astype("<u8") for name in NUMBERS}
    column = sections[tag] if tag in NUMBERS else np.frombuffer(sections[tag], widths.get(tag, "<u4"))
    assert len(column)
    sections[tag] = change(column.copy())
    with pytest.raises(BytesError):
        weft.from_bytes(pack(sections))


@pytest.mark.parametrize("tag", Container(GOOD, "x").tags)
def test_missing_sections(tag: bytes) -> None:
    container = Container(GOOD, "x")
    sections = {
        name: container.numbers(name) if name in NUMBERS else bytes(container.bytes_of(name))
        for name in container.tags
        if name != tag
    }
    if tag == b"SRCE":
        assert weft.from_bytes(pack(sections)).source is None
    else:
        refused(pack(sections), "is missing")


def test_mutations() -> None:
    """A short run of the fuzzer; `python -m tests.mc.hostile N` makes a long one."""
    rng = random.Random(0)
    outcomes = {attempt(mutate(rng.choice(SEEDS), rng)) for _ in range(draws(200, 600))}
    assert outcomes <= {"refused", "module"}
