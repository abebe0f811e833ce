"""Bytes that a launch begins with: variables by their initialisers, arguments by the types of parameters, C structures."""

from __future__ import annotations

import random
import re
import struct
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import weft
from tests.sim.harness import HEADER
from weft.sim import SimulationError, Surface, Texture, engines, image
from weft.sim.arena import Arena
from weft.sim.arguments import Arguments
from weft.sim.earlier import Touched, buffers
from weft.sim.handles import Handles, Objects


def variable(declaration: str) -> Any:
    (found,) = weft.parse(f"{HEADER.format(target='sm_90')}.global {declaration};\n").variables
    return found


@pytest.mark.parametrize(
    ("declaration", "align", "dtype", "values"),
    [
        (".u8 a", 1, "u1", [0]),
        (".s16 a = -2", 2, "i2", [-2]),
        (".b32 a = 0xFFFFFFFF", 4, "u4", [0xFFFF_FFFF]),
        (".u64 a = 18446744073709551615", 8, "u8", [(1 << 64) - 1]),
        (".s64 a[3] = {-1, 2}", 8, "i8", [-1, 2, 0]),
        (".align 32 .b8 a[4] = {1, 2, 3}", 32, "u1", [1, 2, 3, 0]),
        (".b8 a[] = {1, 2, 3}", 1, "u1", [1, 2, 3]),
        (".u16 a[][2] = {{1}, {2, 3}}", 2, "u2", [1, 0, 2, 3]),
        (".u32 a[2][3] = {{1}, {2, 3}}", 4, "u4", [1, 0, 0, 2, 3, 0]),
        (".u32 a[2][2][2] = {{{1}, {2}}, {{3, 4}}}", 4, "u4", [1, 0, 2, 0, 3, 4, 0, 0]),
        (".u32 a[2][3]", 4, "u4", [0] * 6),
        (".v4 .f32 a = {1.0, 0f40000000, -3.0}", 16, "f4", [1, 2, -3, 0]),
        (".v2 .u16 a[2]", 4, "u2", [0] * 4),
        (".f32 a = 7", 4, "f4", [7]),
        (".f64 a[2] = {0d3FF8000000000000, -0.0}", 8, "f8", [1.5, -0.0]),
        (".f64 a = 0f3FC00000", 8, "u8", [0x3FC0_0000]),  # As ptxas has it: those bits.
        (".f32 a = 0d3FF8000000000000", 4, "f4", [1.5]),
        (".u32 a = 3 * (4 + 1)", 4, "u4", [15]),
    ],
)  # fmt: skip
def test_variables_begin_as_their_initialisers_say(
    declaration: str, align: int, dtype: str, values: list[float]
) -> None:
    """Braces of inner extents begin a row each; what is not listed is zero."""
    one = variable(declaration)
    wanted = np.array(values, dtype)
    assert (image.size_of(one), image.alignment_of(one)) == (wanted.nbytes, align)
    assert image.initial_bytes(one, lambda name: 0).tobytes() == wanted.tobytes()


def test_variables_that_hold_addresses() -> None:
    """In words, with an offset, as generic addresses, and byte by byte."""
    place = {"x": 0x1234_5678_9ABC, "y": 0x7000_0000_0040}
    text = ".global .u32 x; .global .u32 y; .global .u64 a[4] = {x, y+8, generic(x)+4, y+16}; .global .b8 b[4] = {0xFF(y), 0xFF00(x), 0xFF0000(x+1), 7};"
    found = {one.name: one for one in weft.parse(HEADER.format(target="sm_90") + text).variables}
    words = image.initial_bytes(found["a"], place.__getitem__).view(np.uint64).tolist()
    assert words == [place["x"], place["y"] + 8, place["x"] + 4, place["y"] + 16]
    assert image.initial_bytes(found["b"], place.__getitem__).tolist() == [0x40, 0x9A, 0x78, 7]


def encoded(type_: str, value: Any) -> bytes:
    module = weft.parse(f"{HEADER.format(target='sm_90')}.entry k(.param {type_}) {{ ret; }}\n")
    return Arguments(module.kernels[0], [value], Arena())._bytes["p"]  # pyright: ignore[reportPrivateUsage]


def wrong(type_: str, value: Any) -> str:
    with pytest.raises(SimulationError) as caught:
        encoded(type_, value)
    assert caught.value.hint.startswith("k(.") or "NumPy scalars" in caught.value.hint
    return caught.value.message


@pytest.mark.parametrize("letter", "usb")
@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_integers_as_arguments(letter: str, bits: int) -> None:
    """From the least signed to the greatest unsigned one of the width, whatever the type; NumPy's by their value."""
    type_ = f"{letter}{bits}"
    least, most = -(1 << bits - 1), (1 << bits) - 1
    for value in (least, least + 1, -1, 0, 1, most - 1, most):
        assert encoded(f".{type_} p", value) == (value % (1 << bits)).to_bytes(bits // 8, "little")
    for value in (least - 1, most + 1):
        assert wrong(f".{type_} p", value) == f"parameter 'p' is .{type_}: {value} does not fit"
    assert encoded(f".{type_} p", True) == encoded(f".{type_} p", np.bool_(True)) == (1).to_bytes(bits // 8, "little")
    for number in (np.int8(-3), np.int64(-3)):
        assert encoded(f".{type_} p", number) == ((1 << bits) - 3).to_bytes(bits // 8, "little")
    assert encoded(f".{type_} p", np.uint8(200)) == (200).to_bytes(bits // 8, "little")
    if letter != "b":
        assert wrong(f".{type_} p", 2.0) == f"parameter 'p' is .{type_}: the float 2.0 does not fit"
    assert wrong(f".{type_} p", "2") == f"parameter 'p' is .{type_}: str does not fit"


def test_floats_as_arguments() -> None:
    """Untyped parameters take those of their width; formats that Python lacks come as NumPy's scalars."""
    for bits, code in ((16, "e"), (32, "f"), (64, "d")):
        for letter in "fb":
            type_ = f"{letter}{bits}"
            for value in (0.1, -2.5, float("inf"), 1e-8):
                assert encoded(f".{type_} p", value) == struct.pack(f"<{code}", np.array(value, f"f{bits // 8}").item())
        assert encoded(f".f{bits} p", 3) == struct.pack(f"<{code}", 3.0)
        assert encoded(f".b{bits} p", 3) == (3).to_bytes(bits // 8, "little")
        assert encoded(f".b{bits} p", np.dtype(f"f{bits // 8}").type(1.5)) == struct.pack(f"<{code}", 1.5)
    assert wrong(".b8 p", 1.5) == "parameter 'p' is .b8: the float 1.5 does not fit"
    assert encoded(".b16 p", ml_dtypes.bfloat16(1.5)) == (0x3FC0).to_bytes(2, "little")
    assert encoded(".b32 p", np.float64(1.5)) == struct.pack("<f", 1.5)
    assert encoded(".f64 p", np.float32(0.5)) == struct.pack("<d", 0.5)


def test_structures_lie_as_in_c() -> None:
    """Each field at a multiple of its size; the whole is a multiple of the parameter's alignment."""
    rng = random.Random(3)
    for _ in range(40):
        kinds = [np.dtype(rng.choice(("i1", "u2", "i4", "f4", "f8", "u8"))) for _ in range(rng.randint(1, 6))]
        layout = np.dtype([(f"f{n}", kind) for n, kind in enumerate(kinds)], align=True)
        values = [kind.type(rng.randint(0, 100)) for kind in kinds]
        wanted = np.zeros(1, layout)
        for n, value in enumerate(values):
            wanted[f"f{n}"] = value
        found = encoded(f".align {layout.alignment} .b8 p[{layout.itemsize}]", tuple(values))
        assert found == wanted.tobytes()
        assert encoded(f".align {layout.alignment} .b8 p[{layout.itemsize}]", wanted[0]) == wanted.tobytes()
        assert encoded(f".align {layout.alignment} .b8 p[{layout.itemsize}]", wanted.view(np.uint8)) == wanted.tobytes()
        message = f"parameter 'p' has {layout.itemsize + layout.alignment} bytes, but {layout.itemsize} are given"
        assert wrong(f".align {layout.alignment} .b8 p[{layout.itemsize + layout.alignment}]", tuple(values)) == message
    assert encoded(".align 8 .b8 p[8]", (np.uint8(1), b"ab", np.uint32(7))) == b"\x01ab\0\x07\0\0\0"
    assert wrong(".align 4 .b8 p[8]", 3) == "parameter 'p' is a structure of 8 bytes: pass bytes or a tuple"
    assert wrong(".align 4 .b8 p[8]", (1, 2)) == "int has no fixed size in the structure 'p'"
    assert wrong(".u32 p", np.zeros(2)) == "parameter 'p' is .u32: pass a scalar, not an array"


def test_arrays_lie_apart_unless_they_are_the_same() -> None:
    module = weft.parse(
        f"{HEADER.format(target='sm_90')}.entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n, .param .align 64 .b8 s[70]) {{ ret; }}\n"
    )
    one, two, arena = np.arange(10, dtype=np.uint8), np.arange(3, dtype=np.float64), Arena()
    two.flags.writeable = False
    made = Arguments(module.kernels[0], [one, two, one, 5, bytes(70)], arena)
    arena.build()
    made.copy_in()
    assert [(buffer.names, buffer.address % 256) for buffer in made.buffers] == [(["a", "c"], 0), (["b"], 0)]
    regions = {region.name: (region.end - region.start, region.writable) for region in arena.regions}
    assert regions == {
        "argument a": (10, True), "argument b": (24, False), **{f"parameter {name}": (size, False) for name, size in zip("abcns", (8, 8, 8, 4, 70), strict=True)}
    }  # fmt: skip
    assert {region.name for region in arena.regions if region.parameter} == {f"parameter {name}" for name in "abcns"}
    assert all(region.watched for region in arena.regions)
    assert all(later.start >= before.end + 256 for before, later in zip(arena.regions, arena.regions[1:], strict=False))
    assert all(place.address % (64 if name == "s" else 16) == 0 for name, place in made.places.items())
    assert arena.contents(made.places["c"].address, 8).view(np.uint64)[0] == made.buffers[0].address
    assert made.spans([two, one]) == [
        (b.address - arena.base, b.address - arena.base + b.array.nbytes) for b in reversed(made.buffers)
    ]
    for buffer in made.buffers:
        assert arena.contents(buffer.address, buffer.array.nbytes).tobytes() == buffer.array.tobytes()
        arena.contents(buffer.address, buffer.array.nbytes)[:] = 1
    before = one.copy()
    made.copy_out({made.buffers[0].address})
    assert np.array_equal(one, before)
    made.copy_out()
    assert one.tolist() == [1] * 10 and two.tolist() == [0, 1, 2]
    data = np.zeros(8, np.uint32)
    for other in (data[2:], data[:4], data[::2]):
        with pytest.raises(SimulationError) as caught:
            Arguments(module.kernels[0], [data, 0, other, 5, bytes(70)], Arena())
        assert caught.value.message == "the arrays for 'c' and 'a' overlap but are not the same array"


def test_copies_by_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """By as many threads as are asked for and worth it; each byte once."""
    counts: list[int] = []
    pool = engines.pool
    monkeypatch.setattr(engines, "pool", lambda count: counts.append(count) or pool(count))
    for told, size, count in (("1", 4, []), ("2", 1, []), ("2", 2, [2]), ("3", 2, [2]), ("3", 7, [3]), ("3", 3, [3])):
        monkeypatch.setenv(engines.THREADS, told)
        of = np.random.default_rng(1).integers(0, 255, (size * 8 + (size == 7), engines.PIECE // 8), np.uint8)
        to = np.zeros_like(of)
        engines.copy(to, of)
        assert np.array_equal(to, of) and counts == count, (told, size)
        counts.clear()
    for told in ("0", "-1", "257", "two", "1.5", "²"):
        monkeypatch.setenv(engines.THREADS, told)
        with pytest.raises(SimulationError, match=re.escape(f"WEFT_THREADS={told!r} must be a number from 1 to 256")):
            engines.threads()
    for told, count in (("1", 1), ("256", 256), ("", 1)):
        monkeypatch.setenv(engines.THREADS, told)
        assert engines.threads() == count


def test_bytes_that_earlier_grids_may_still_use() -> None:
    """Accesses meet those cells that any of their bytes lies in: first what was written, else what was read."""
    rng = random.Random(5)
    for _ in range(60):
        shift, cells = rng.randint(0, 4), 24
        marked = rng.random() < 0.5
        mask, value = (0xF0, 0x30) if marked else (0, 0)
        written, read = (
            np.array([rng.choice((0, 0, 0x35, 0x45 if marked else 1)) for _ in range(cells)], np.uint64)
            for _ in range(2)
        )
        alive = rng.choice((None, 40))
        one = Touched(
            "k", written, read, shift, None if alive is None else lambda index: index < 40, mask=mask, value=value
        )
        size = 1 << rng.randint(0, 4)
        index = np.array([size * rng.randrange(cells * 24 // size) for _ in range(9)])
        for write in (False, True):
            found = [part.tolist() for part in one.hits(index, size, write=write)]
            for number, first in enumerate(index.tolist()):
                here = {byte >> shift for byte in range(first, first + size) if byte >> shift < cells}
                lives = alive is None or first < alive
                met = [
                    lives and any(int(table[cell]) & mask == value if marked else table[cell] for cell in here)
                    for table in (written, read)
                ]
                assert (found[0][number], found[1][number]) == (met[0], write and met[1] and not met[0])
    ranges = buffers([(8, 12), (33, 41)], 100)
    whole = np.arange(100)
    assert np.flatnonzero(ranges.hits(whole, 1, write=False)[0]).tolist() == [*range(8, 12), *range(32, 44)]
    assert not ranges.hits(whole, 1, write=True)[1].any()


def test_handles_stand_for_the_same_things() -> None:
    """Those of a launch, and those of a device, which are never given again."""
    one, two = Texture(np.zeros(4, np.float32)), Surface(np.zeros(4, np.float32))
    objects = Objects()
    kept = objects.add(two)
    handles = Handles(objects)
    first, second = handles.add(one), handles.add(two)
    assert handles.add(one) == first != second and len({first, second, kept}) == 3
    assert [handles.get(number) for number in (first, second, kept)] == [one, two, two]
    assert handles.known() == [one, two, two]
    for number in (0, first + 1, first - 1, second + (second - first), kept + 1):
        assert handles.get(number) is None
    assert Handles().get(kept) is None and Handles().get(first) is None
    objects.drop(kept)
    assert objects.get(kept) is None and objects.add(one) != kept and objects.known() == [one]


@pytest.mark.parametrize(
    ("declaration", "most"),
    [
        ("a[][2] = {1, 2, 3}", 4),
        ("a[2] = {1, 2, 3}", 2),
        ("a[2][2] = {{1, 2}, {1}, {3}}", 4),
        ("a[2][2] = {{1}, {1, 2, 3}}", 4),
    ],
)
def test_initialisers_of_too_many_values(declaration: str, most: int) -> None:
    """What ptxas refuses is refused in words of the variable, not of its bytes."""
    text = f"{HEADER.format(target='sm_90')}.global .u32 {declaration};\n.visible .entry k() {{ .reg .b32 %r; ld.global.u32 %r, [a]; ret; }}\n"
    with pytest.raises(SimulationError, match="the initialiser of 'a' has too many values") as found:
        weft.run(weft.parse(text), "k", 1, 1, [])
    assert found.value.hint == f"list {most} at most"
