"""Every field of a fatbin's header and of its entries: what each says, and where its limits lie."""

from __future__ import annotations

import ctypes.util
import importlib
import io
import random
import struct
import zipfile
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest

from weft.fatbin import Entry, FatbinError, best, choose, decompress, entries, holds_ptx
from weft.isa.target import target

MAGIC = b"\x50\xed\x55\xba"
SOURCE = ".version 8.0\n.target sm_75\n.address_size 64\n"


def entry(
    body: bytes,
    *,
    kind: int = 1,
    size: int = 64,
    length: int | None = None,
    compressed: int = 0,
    version: tuple[int, int] = (8, 3),
    number: int = 80,
    flags: int = 0,
    plain: int = 0,
) -> bytes:
    """An entry; `length` is what it says of its payload's."""
    data = bytearray(size)
    struct.pack_into("<HHIQ", data, 0, kind, 0x101, size, len(body) if length is None else length)
    struct.pack_into("<I", data, 16, compressed)
    struct.pack_into("<HHI", data, 24, version[1], version[0], number)
    struct.pack_into("<Q", data, 40, flags)
    struct.pack_into("<Q", data, 56, plain)
    return bytes(data) + body


def fatbin(*parts: bytes, version: int = 1, size: int = 16, more: int = 0) -> bytes:
    """A fatbin whose header says that it is `more` bytes longer than it is."""
    data = b"".join(parts)
    return struct.pack("<4sHHQ", MAGIC, version, size, len(data) + more).ljust(size, b"\0") + data


def test_what_an_entry_says() -> None:
    """All fields: the version's minor part stands first, and the offset is that of the entry in the file."""
    body = b"abcdefgh"
    data = b"\x7fELF" + fatbin(
        entry(body, size=72, plain=9, version=(7, 2), number=75),
        entry(b"\xff" * 16, kind=2),
        entry(body, compressed=6, flags=0x2000, plain=300, version=(9, 1), number=120),
        entry(body, compressed=0, flags=0x8000, plain=4),
        entry(body, compressed=9, flags=0xA000, plain=5),
        entry(body, compressed=3, flags=0x5FFF, plain=5),
    )
    assert [
        (e.where, e.offset, e.architecture, e.version, e.compression, e.payload, e.size) for e in entries(data, "k.o")
    ] == [
        ("k.o", 20, 75, (7, 2), "none", body, 8),
        ("k.o", 180, 120, (9, 1), "lz4", body[:6], 300),
        ("k.o", 252, 80, (8, 3), "zstd", body, 4),
        ("k.o", 324, 80, (8, 3), "zstd", body, 5),
        ("k.o", 396, 80, (8, 3), "none", body, 8),
    ]


@pytest.mark.parametrize(("size", "found"), [(15, 0), (16, 1), (17, 1), (4096, 1), (4097, 0)])
def test_sizes_of_the_header_of_a_fatbin(size: int, found: int) -> None:
    data = fatbin(entry(b"x"), size=max(size, 16))
    assert len(entries(data[:6] + struct.pack("<H", size) + data[8:])) == found


@pytest.mark.parametrize(("size", "found"), [(63, 0), (64, 1), (65, 1), (4096, 1), (4097, 0)])
def test_sizes_of_the_header_of_an_entry(size: int, found: int) -> None:
    data = entry(b"x" * 8, size=max(size, 64))
    data = data[:4] + struct.pack("<I", size) + data[8:]
    assert len(entries(fatbin(data, entry(b"y")))) == (2 if found else 0)


@pytest.mark.parametrize(("version", "found"), [(0, 0), (1, 1), (2, 0)])
def test_versions_of_fatbins(version: int, found: int) -> None:
    assert len(entries(fatbin(entry(b"x"), version=version))) == found


@pytest.mark.parametrize(("more", "found"), [(-1, 1), (0, 2), (1, 0)])
def test_a_fatbin_does_not_end_behind_the_file(more: int, found: int) -> None:
    """One that ends within its last entry has those before."""
    assert len(entries(b"MZ" + fatbin(entry(b"x"), entry(b"y"), more=more))) == found


@pytest.mark.parametrize(("length", "found"), [(7, 1), (8, 1), (9, 0)])
def test_a_payload_does_not_end_behind_the_fatbin(length: int, found: int) -> None:
    assert [e.payload for e in entries(fatbin(entry(b"abcdefgh", length=length)) + b"xyz")] == [
        b"abcdefgh"[:length]
    ] * found


def test_the_shortest_entry_has_no_payload() -> None:
    assert [e.payload for e in entries(fatbin(entry(b""), entry(b"")))] == [b"", b""]
    assert entries(fatbin(entry(b"")[:-1])) == []


def test_fatbins_follow_one_another() -> None:
    """Each is looked for behind the first word of the one before, and that word alone is no fatbin."""
    one, two = fatbin(entry(b"x")), fatbin(entry(b"y"))
    assert [(e.offset, e.payload) for e in entries(one + two)] == [(16, b"x"), (97, b"y")]
    assert [(e.offset, e.payload) for e in entries(MAGIC + one + MAGIC + b"abcdefghijk")] == [(20, b"x")]


def test_the_target_of_an_entry() -> None:
    """Of its PTX; where that has none or cannot be read, that of the entry."""
    for body, name in (
        (b".version 8.0\n  .target\tsm_90a, debug\n", "sm_90a"),
        (b"// .target sm_50\n.target sm_61", "sm_61"),
        (b".version 8.0\n", "sm_80"),
        (b".target sm_90\xff", "sm_80"),
    ):
        assert entries(fatbin(entry(body)))[0].target == name
    assert entries(fatbin(entry(b"\x40", flags=0x2000, plain=9)))[0].target == "sm_80"


def test_the_text_ends_before_its_zeros() -> None:
    assert [e.text() for e in entries(fatbin(entry(b"a\0b\0\0\0")))] == ["a\0b"]


def problem(call: Callable[..., object], *arguments: object) -> tuple[str, str, str]:
    """The message, the file and the hint of what fails."""
    with pytest.raises(FatbinError) as caught:
        call(*arguments)
    return caught.value.message, caught.value.position.file, caught.value.hint


def test_text_that_is_none() -> None:
    bad = entries(fatbin(entry(b"ab\xffcd")), "k.o")[0]
    assert problem(bad.text) == ("invalid UTF-8 at byte 2 of the PTX", "k.o", "")
    most = 1 << 30
    for size, said in (
        (most, ("the LZ4 block has 3 bytes, not 1,073,741,824", "", "")),
        (most + 1, ("PTX of 1,073,741,825 bytes", "k.o", "")),
    ):
        one = entries(fatbin(entry(b"\x30abc", flags=0x2000, plain=size)), "k.o")[0]
        assert problem(one.text) == said


def blocks(rng: random.Random) -> Iterator[tuple[bytes, bytes]]:
    """LZ4 blocks of literals and matches around the lengths at which another byte is needed, and what they stand for."""
    lengths = (0, 1, 14, 15, 16, 269, 270, 271, 524, 525, 526)

    def extra(length: int) -> bytes:
        return b"" if length < 15 else b"\xff" * ((length - 15) // 255) + bytes([(length - 15) % 255])

    for first in lengths:
        for more in lengths:
            block, out = bytearray(), bytearray()
            for literals, match in ((max(first, 1), more), (more, first), (5, None)):
                piece = rng.randbytes(literals)
                block.append(min(literals, 15) << 4 | (0 if match is None else min(match, 15)))
                block += extra(literals) + piece
                out += piece
                if match is not None:
                    offset = rng.choice([1, len(out), rng.randint(1, len(out))])
                    block += struct.pack("<H", offset) + extra(match)
                    for _ in range(match + 4):
                        out.append(out[-offset])
            yield bytes(block), bytes(out)


def test_lz4_blocks() -> None:
    """As a decoder says that copies one byte after the other; any shorter block or other size is an error."""
    rng = random.Random(4)
    for block, out in blocks(rng):
        assert decompress.lz4(block, len(out)) == out
        assert decompress.lz4(block + b"\0\0\0", len(out)) == out
        assert problem(decompress.lz4, block, len(out) + 1) == (
            f"the LZ4 block has {len(out):,} bytes, not {len(out) + 1:,}",
            "",
            "",
        )
        assert problem(decompress.lz4, block, len(out) - 1)[0].endswith(f"not {len(out) - 1:,}")
        assert problem(decompress.lz4, block[: rng.randrange(len(block))], len(out))[0].startswith("the LZ4 block")


def test_an_lz4_block_refers_to_what_is_there() -> None:
    assert decompress.lz4(b"\x20ab\x02\x00", 6) == b"ababab"
    for offset in (0, 3, 0x102):
        said = f"the LZ4 block refers to {offset} bytes before its start"
        assert problem(decompress.lz4, b"\x20ab" + struct.pack("<H", offset), 6) == (said, "", "")
    assert problem(decompress.lz4, b"\x20ab\x02", 6) == ("the LZ4 block ends too early", "", "")


class Frame:
    """What stands for a package of zstd: it turns the bytes around."""

    def decompressobj(self) -> Frame:
        return self

    def decompress(self, data: bytes) -> bytes:
        if data == b"bad":
            raise ValueError("not a frame")
        return data[::-1]


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, object]]:
    """The packages that can be imported, of those that decode zstd."""
    there: dict[str, object] = {}

    def imported(name: str) -> object:
        if name in there:
            return there[name]
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", imported)
    decompress._decoder.cache_clear()
    yield there
    decompress._decoder.cache_clear()


OWN = SimpleNamespace(decompress=lambda data: b"own " + data)
PACKAGE = SimpleNamespace(ZstdDecompressor=Frame)


def test_who_decodes_zstd(packages: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Python itself, else the package, else the system's library, else nobody."""
    packages |= {"compression.zstd": OWN, "zstandard": PACKAGE}
    assert decompress.zstd(b"abc", 7) == b"own abc"
    del packages["compression.zstd"]
    decompress._decoder.cache_clear()
    assert decompress.zstd(b"abc", 3) == b"cba"
    assert problem(decompress.zstd, b"abc", 4) == ("the zstd frame has 3 bytes, not 4", "", "")
    assert problem(decompress.zstd, b"bad", 3) == ("the zstd frame is damaged: not a frame", "", "")
    packages.clear()
    decompress._decoder.cache_clear()
    monkeypatch.setattr(ctypes.util, "find_library", lambda name: None)
    monkeypatch.setattr(ctypes, "CDLL", lambda name: (_ for _ in ()).throw(OSError(name)))
    assert problem(decompress.zstd, b"abc", 3) == (
        "the PTX is compressed with zstd, which needs a library",
        "",
        "pip install 'weft[fatbin]', install libzstd, or use Python 3.14",
    )


FRAME = bytes.fromhex("28b52ffd2003190000616263")
"""A zstd frame (RFC 8878) of one raw block: magic, one segment of 3 bytes, the last block, `abc`."""


@pytest.mark.skipif(ctypes.util.find_library("zstd") is None, reason="needs libzstd")
def test_the_library_of_zstd(packages: dict[str, object]) -> None:
    assert packages == {}
    assert decompress.zstd(FRAME, 3) == b"abc"
    assert problem(decompress.zstd, FRAME, 4) == ("the zstd frame has 3 bytes, not 4", "", "")
    for data, size in ((FRAME, 2), (FRAME[:-1], 3), (b"\0" * 9, 3)):
        damaged = ("the zstd frame is damaged: libzstd rejects it", "", "")
        assert problem(decompress.zstd, data, size) == damaged
    assert [e.text() for e in entries(fatbin(entry(FRAME, flags=0x8000, plain=3)))] == ["abc"]


@pytest.mark.parametrize(("file", "names"), [("a", ["a"]), ("b", ["libzstd.so.1"]), ("c", ["libzstd.dylib"])])
def test_where_the_library_of_zstd_is_looked_for(
    packages: dict[str, object], monkeypatch: pytest.MonkeyPatch, file: str, names: list[str]
) -> None:
    """Where the system says that it is, and by its names on Linux and macOS."""
    assert packages == {}
    asked: list[str] = []

    def load(name: str) -> object:
        asked.append(name)
        if name != names[0]:
            raise OSError(name)
        return SimpleNamespace(ZSTD_decompress=SimpleNamespace(), ZSTD_isError=None)

    monkeypatch.setattr(ctypes.util, "find_library", lambda name: "a" if name == "zstd" and file == "a" else None)
    monkeypatch.setattr(ctypes, "CDLL", load)
    assert decompress._decoder() is not None and asked[-1:] == names


def listed(count: int) -> list[Entry]:
    return entries(fatbin(*(entry(SOURCE.encode(), number=n) for n in range(count))), "k.o")


def test_choosing_an_entry() -> None:
    """By its number, from 1 on; the only one needs none."""
    some = listed(5)
    assert choose(some, 1, "k.o") is some[0] and choose(some, 5, "k.o") is some[4]
    assert choose(some[:1], None, "k.o") is some[0] and choose(some[:1], 1, "k.o") is some[0]
    four = "k.o#1 (sm_75), k.o#2 (sm_75), k.o#3 (sm_75), k.o#4 (sm_75)"
    for found, number, said in (
        ([], None, ("this file contains no PTX", "k.o", "")),
        ([], 1, ("this file contains no PTX", "k.o", "")),
        (some[:2], None, ("the file contains 2 PTX modules", "k.o", "name one: k.o#1 (sm_75), k.o#2 (sm_75)")),
        (some[:4], None, ("the file contains 4 PTX modules", "k.o", f"name one: {four}")),
        (some, None, ("the file contains 5 PTX modules", "k.o", f"name one: {four} and 1 more: weft extract k.o")),
        (some[:1], 0, ("this file has no PTX module #0", "k.o", "there are k.o#1 (sm_75)")),
        (some, 6, ("this file has no PTX module #6", "k.o", f"there are {four} and 1 more: weft extract k.o")),
    ):
        assert problem(choose, found, number, "k.o") == said


def test_the_best_for_a_device() -> None:
    """All of the latest architecture that it runs; one with a suffix is later than one without."""
    names = ("sm_75", "sm_90", "sm_90a", "sm_75", "sm_90a", "sm_50", "sm_4")
    found = entries(fatbin(*(entry(f".target {name}\n".encode()) for name in names)), "k.o")
    for device, chosen in (("sm_90", [2, 4]), ("sm_80", [0, 3]), ("sm_70", [5]), ("sm_100", [1])):
        assert best(found, target(device), "k.o") == [found[n] for n in chosen], device
    said = ("this file contains no PTX for sm_30", "k.o", "it contains PTX for sm_75, sm_90, sm_90a, sm_50, sm_4")
    assert problem(best, found, target("sm_30"), "k.o") == said
    assert problem(best, [], target("sm_30"), "k.o")[2] == "it contains PTX for none"


def test_what_is_a_binary() -> None:
    """By its first bytes, or a fatbin in its first 64 KiB."""
    for start in (b"\x7fELF", b"!<arch>\n", b"!<thin>\n", b"PK\x03\x04", b"MZ", MAGIC):
        assert holds_ptx(start + b"x") and holds_ptx(start) and not holds_ptx(b" " + start[:-1])
    assert holds_ptx(b" " * 65532 + MAGIC) and not holds_ptx(b" " * 65533 + MAGIC)
    assert not holds_ptx(SOURCE.encode()) and not holds_ptx(b"")


def zipped(**members: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return packed.getvalue()


def test_files_in_archives() -> None:
    """Of binaries all bytes are looked at, and archives are opened in archives, to the third."""
    one = fatbin(entry(b"x"))
    far = bytes(1 << 16) + one
    prefix = ""
    inner = zipped(a=b"MZ" + far, b=far, c=one, d=b" " + one, e=b"text")
    for _ in range(3):
        found = [(e.where, e.offset) for e in entries(inner, "k")]
        prefix = found[0][0].removesuffix("!a")
        assert found == [(f"{prefix}!a", 65554), (f"{prefix}!c", 16), (f"{prefix}!d", 17)]
        inner = zipped(z=inner)
    assert prefix == "k!z!z" and entries(inner, "k") == []


def test_archives_that_cannot_be_read() -> None:
    data = bytearray(zipped(a=fatbin(entry(SOURCE.encode() * 9))))
    assert problem(entries, bytes(data[:-9]), "k")[:2] == (
        "the archive cannot be read: File is not a zip file",
        "k",
    )
    for place in (6, data.index(b"PK\x01\x02") + 8):
        data[place] |= 1
    message, file, _ = problem(entries, bytes(data), "k")
    assert (message.partition(":")[0], file) == ("the archive cannot be read", "k") and "encrypted" in message


def test_what_bytes_are_called() -> None:
    assert [e.where for e in entries(fatbin(entry(b"x")))] == ["<bytes>"]
