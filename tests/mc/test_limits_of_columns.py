"""Every number in the columns of a module's bytes, at its limits: what is just right, and what the first wrong one is called."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from itertools import accumulate, product
from typing import Any

import numpy as np
import pytest

import weft
from weft.errors import BytesError
from weft.mc.checks import load_tables
from weft.mc.columns import pack_deltas, pack_references
from weft.mc.container import BUDGET, FORMAT, MAGIC, Container, pack
from weft.mc.layout import GROUP, Group, Word
from weft.mc.records import OPERAND, Kind, TypeTag
from weft.mc.strings import Strings, read_pool

TEXT = """.version 8.4
.target sm_90
.address_size 64
.global .b32 g[4];
.func f();
.entry k(.param .u64 p)
{
.reg .pred %p<2>;
.reg .b32 %r<9>, %x;
.loc 1 2 3
.pragma "nounroll";
L:
@!%p1 add.s32 %r1, %r2, -4;
mov.b32 %x, 0x1F;
mov.f32 %x, 1.5;
mov.f32 %x, 0f3F800000;
mov.f64 %x, 0d3FF0000000000000;
mov.u64 %x, g+8;
mov.b32 %x, 1+2;
mov.b32 _, %x;
{
ld.v2.b32 {%r1, _}, [%r2+4];
ld.b32 %r1, g[1];
tex.1d.v4.f32.s32 {%r1, %r2, %r3, %r4}|%p1, [g, {%r1}];
}
vote.sync.any.pred %p1, !%p1, -1;
call (%x), f, (%r1);
ret;
}
.section .debug_str
{
a: .b8 1
}
"""
SIGNED = {b"MODU": "<i8", b"DECL": "<i8"}
TYPES: dict[bytes, Any] = {b"RECS": OPERAND, b"GRPS": GROUP, **SIGNED}
Sections = dict[bytes, Any]


def sections(text: str = TEXT) -> Sections:
    """The module's, as arrays that can be changed; references and positions as they are meant."""
    container = Container(weft.parse(text).to_bytes(), "x")
    found: Sections = {
        tag: np.frombuffer(container.bytes_of(tag), TYPES.get(tag, "<u4")).copy()
        for tag in container.tags
        if tag not in (b"STRS", b"SRCE", b"OPID", b"POSN", b"LINE")
    }
    tables = load_tables(container)
    found |= {b"OPID": tables.references.copy(), b"POSN": tables.positions.copy(), b"LINE": tables.lines.astype("<u4")}
    return found | {b"STRS": bytes(container.bytes_of(b"STRS")), b"SRCE": text.encode()}


GOOD = sections()
STRINGS = len(read_pool(GOOD[b"STRS"]))
RECORDS, HEADS, WORDS = len(GOOD[b"RECS"]), len(GOOD[b"HEAD"]) // 3, GOOD[b"WORD"]
KINDS, TAGS, VALUES = (GOOD[b"RECS"][name] for name in ("kind_flags", "type_tag", "value"))


def packed(held: Sections) -> bytes:
    references, positions = pack_references(held[b"OPID"].astype(np.int64)), pack_deltas(held[b"POSN"])
    return pack({**held, b"OPID": references, b"POSN": positions})


def said(changed: Sections, good: Sections = GOOD) -> str:
    """What is said of the sections with some of them changed; nothing where all is well."""
    held = {**good, **changed}
    try:
        weft.from_bytes(packed(held), filename="k.weft")
    except BytesError as error:
        assert error.position.file == "k.weft"
        return error.message
    return ""


def with_item(tag: bytes, index: int, value: Any, field: str = "") -> Sections:
    column = GOOD[tag].copy()
    (column[field] if field else column)[index] = value
    return {tag: column}


def record(kind: Kind, number: int = 0) -> int:
    """The index of a record of a kind."""
    return int(np.flatnonzero(KINDS == kind)[number])


def group(kind: Group) -> int:
    """The index of a group of a kind."""
    return int(np.flatnonzero(GOOD[b"GRPS"]["tag"] == kind)[0])


def word(kind: Word) -> int:
    return int(np.flatnonzero(WORDS >> 28 == kind)[0])


def test_the_module_has_all_there_is() -> None:
    assert said({}) == ""
    assert set(KINDS.tolist()) == set(Kind) and set((WORDS >> 28).tolist()) == set(Word)
    assert set(GOOD[b"GRPS"]["tag"].tolist()) == set(Group)
    loaded = weft.from_bytes(packed(GOOD))
    assert loaded == weft.parse(TEXT)


def named(kind: Word, number: int) -> Sections:
    return with_item(b"WORD", word(kind), kind << 28 | number)


@pytest.mark.parametrize(
    ("limit", "change", "what"),
    [
        (HEADS, lambda n: named(Word.INSTRUCTION, n), "instructions"),
        (STRINGS, lambda n: named(Word.LABEL, n), "labels"),
        (len(GOOD[b"DIRS"]) // 2, lambda n: named(Word.DIRECTIVE, n), "directives"),
        (len(GOOD[b"DECO"]), lambda n: named(Word.DECLARATION, n), "declarations"),
        (6, lambda n: with_item(b"WORD", word(Word.LABEL), n << 28), "words"),
        (RECORDS, lambda n: with_item(b"OPID", 0, n), "operands"),
        (STRINGS, lambda n: with_item(b"LINE", 0, n), "debug sections"),
        (STRINGS, lambda n: with_item(b"HEAD", 0, n), "opcodes"),
        (STRINGS, lambda n: with_item(b"HEAD", -3, n), "opcodes"),
        (8 << 28, lambda n: with_item(b"RECS", record(Kind.REGISTER), n, "value"), "registers"),
        (STRINGS + 1, lambda n: with_item(b"RECS", record(Kind.REGISTER), n, "value"), "register names"),
        (STRINGS, lambda n: with_item(b"RECS", record(Kind.SYMBOL), n, "value"), "symbols"),
        (STRINGS, lambda n: with_item(b"RECS", record(Kind.TEXT), n, "value"), "symbols"),
        (1 << 32, lambda n: with_item(b"RECS", int(np.flatnonzero(TAGS == TypeTag.F32)[0]), n, "value"), "floats"),
        (len(GOOD[b"LITS"]) // 2, lambda n: with_item(b"RECS", record(Kind.LITERAL, 1), n, "value"), "literals"),
        (STRINGS, lambda n: with_item(b"LITS", 1, n), "literals"),
        (7, lambda n: with_item(b"GRPS", group(Group.ADDRESS), n, "tag"), "groups"),
    ],
)
def test_numbers_point_to_what_there_is(limit: int, change: Callable[[int], Sections], what: str) -> None:
    """The last is not refused for itself (of something else it may be a wrong one); the first behind it is."""
    assert said(change(limit - 1)) != f"invalid {what}"
    assert said(change(limit)) == f"invalid {what}"


def test_names_and_arguments_of_directives() -> None:
    for place in range(len(GOOD[b"DIRS"])):
        assert said(with_item(b"DIRS", place, STRINGS)) == "invalid directives"
    location, pragma = 0, 2
    held = GOOD[b"DIRS"].copy()
    held[location + 1] = held[pragma + 1]
    assert said({b"DIRS": held}) == "invalid directives"  # No line and column.
    held = GOOD[b"DIRS"].copy()
    held[location : location + 2] = held[pragma : pragma + 2]
    assert said({b"DIRS": held}) == ""


@pytest.mark.parametrize("number", [STRINGS - 1, 0, 1])
def test_numbers_of_registers(number: int) -> None:
    """A number in class 0 is that of a name, from 1 on, and 0 none; class 7 is the last."""
    at = record(Kind.REGISTER)
    for value in (number, 7 << 28 | number):
        assert said(with_item(b"RECS", at, value, "value")) in ("", "invalid guards")


def test_sixty_four_bits_of_a_double() -> None:
    at = int(np.flatnonzero((KINDS == Kind.FP_IMMEDIATE) & (TAGS == TypeTag.F64))[0])
    assert said(with_item(b"RECS", at, (1 << 64) - 1, "value")) == ""


def test_guards_are_registers() -> None:
    head = int(np.flatnonzero(GOOD[b"HEAD"][1::3])[0])
    for index in range(RECORDS):
        register = KINDS[index] == Kind.REGISTER and VALUES[index] > 0
        for negated in (0, 1):
            changed = with_item(b"HEAD", 3 * head + 1, 2 * index + 1 + negated)
            assert said(changed) == ("" if register else "invalid guards")
    assert said(with_item(b"HEAD", 3 * head + 1, 2 * RECORDS + 1)) == "invalid guards"


def test_kinds_of_operands() -> None:
    for number in (*range(19), 0x20, 0x21, 0x22, 0x31, 0x40, 0x41, 0x80, 0x81, 0x83, 0xC0, 0xC1, 0xC3, 0xFF):
        found = said(with_item(b"RECS", record(Kind.IMMEDIATE), number, "kind_flags"))
        assert (found != "invalid operand kinds") == (number in set(Kind)), number


def test_types_of_floats() -> None:
    at = int(np.flatnonzero((KINDS == Kind.FP_IMMEDIATE) & (TAGS == TypeTag.F32))[0])
    for tag in range(30):
        found = said(with_item(b"RECS", at, tag, "type_tag"))
        assert found == ("" if tag in (TypeTag.F32, TypeTag.F64) else "invalid floats")


@pytest.mark.parametrize(
    ("tag", "what"),
    [
        (b"HEAD", "heads"),
        (b"DIRS", "directives"),
        (b"LITS", "literals"),
        (b"POSN", "positions"),
        (b"GRPS", "groups"),
        (b"MEMB", "members"),
    ],
)
def test_lengths_of_columns(tag: bytes, what: str) -> None:
    for column in (GOOD[tag][:-1], np.concatenate((GOOD[tag], GOOD[tag][:1]))):
        assert said({tag: column}) == f"invalid {what}"


@pytest.mark.parametrize(
    ("kind", "least", "most"),
    [
        (Group.OFFSET_SYMBOL, 1, 1),
        (Group.NEGATED, 1, 1),
        (Group.ELEMENT, 2, 2),
        (Group.VECTOR, 0, 65535),
        (Group.PAIR, 2, 2),
        (Group.ARGUMENTS, 0, 65535),
        (Group.ADDRESS, 1, 65535),
    ],
)
def test_how_many_members_a_group_has(kind: Group, least: int, most: int) -> None:
    for count in {0, 1, 2, 3, 65535, least, most}:
        found = said(with_item(b"GRPS", group(kind), count, "count"))
        assert (found != "invalid groups") == (least <= count <= most), count


RANKS = {
    Group.OFFSET_SYMBOL: 1, Group.NEGATED: 2, Group.ELEMENT: 2, Group.VECTOR: 3, Group.PAIR: 4, Group.ARGUMENTS: 4,
    Group.ADDRESS: 5,
}  # fmt: skip


@pytest.mark.parametrize("outer", Group)
@pytest.mark.parametrize("inner", Group)
def test_what_a_group_holds(outer: Group, inner: Group) -> None:
    """Symbols and negated ones may stand in what holds them, those in vectors, those in lists and pairs, and all of that in
    addresses; what has a name begins with it.
    """
    records, groups, members = GOOD[b"RECS"], GOOD[b"GRPS"], GOOD[b"MEMB"]
    least = {Group.ELEMENT: 2, Group.PAIR: 2}
    symbol = record(Kind.SYMBOL)
    first, count = len(records), len(groups)
    new = np.zeros(2, OPERAND)
    new["kind_flags"], new["value"] = Kind.GROUP, (count, count + 1)
    inside, outside = least.get(inner, 1), least.get(outer, 1)
    made = np.array([(inner, 0, inside, b"", 0), (outer, 0, outside, b"", 0)], GROUP)
    # The last member of the second is the first; all others are a symbol.
    more = [first - symbol] * inside + [first + 1 - symbol] * (outside - 1) + [1]
    changed = {
        b"RECS": np.concatenate((records, new)),
        b"GRPS": np.concatenate((groups, made)),
        b"MEMB": np.concatenate((members, np.array(more, "<u4"))),
    }
    if RANKS[inner] >= RANKS[outer]:
        assert said(changed) == "invalid members"
    else:
        assert said(changed) == ("invalid symbols" if outer is Group.OFFSET_SYMBOL else "")
    for distance, message in ((0, "invalid members"), (first + 2, "invalid members"), (first + 1 - symbol, "")):
        changed[b"MEMB"][-1] = distance
        assert said(changed) == message


@pytest.mark.parametrize("kind", [Group.OFFSET_SYMBOL, Group.ELEMENT])
def test_what_has_a_name_begins_with_a_symbol(kind: Group) -> None:
    starts = np.cumsum(GOOD[b"GRPS"]["count"].astype(np.int64)) - GOOD[b"GRPS"]["count"]
    owner = record(Kind.GROUP, group(kind))
    for index in range(owner):
        found = said(with_item(b"MEMB", int(starts[group(kind)]), owner - index))
        rank = RANKS[Group(int(GOOD[b"GRPS"]["tag"][int(VALUES[index])]))] if KINDS[index] == Kind.GROUP else 0
        expected = "members" if rank >= RANKS[kind] else "symbols"
        assert found == ("" if KINDS[index] == Kind.SYMBOL else f"invalid {expected}")


def test_groups_stand_in_the_order_of_their_records() -> None:
    first, second = record(Kind.GROUP), record(Kind.GROUP, 1)
    column = GOOD[b"RECS"].copy()
    column["value"][[first, second]] = column["value"][[second, first]]
    assert said({b"RECS": column}) == "invalid groups"


@pytest.mark.parametrize(
    ("tag", "text", "good"),
    [
        (TypeTag.I64, "0x10", False),
        (TypeTag.I64, "17", True),
        (TypeTag.F64, "0x1p-3", True),
        (TypeTag.F64, "z", False),
    ],
)
def test_values_of_literals(tag: TypeTag, text: str, good: bool) -> None:
    """Of integers decimal, of floats hexadecimal."""
    number = int(VALUES[int(np.flatnonzero((KINDS == Kind.LITERAL) & (TAGS == tag))[0])])
    strings = GOOD[b"STRS"] + text.encode() + b"\0"
    found = said({b"STRS": strings, **with_item(b"LITS", 2 * number, STRINGS)})
    assert found == ("" if good else "invalid literals")


def test_scopes() -> None:
    """They close where they were opened, in each function."""
    two = ".version 8.4\n.target sm_90\n.func a() { { { } { } } }\n.func b() { { } { } }\n"
    held = sections(two)
    assert len(held[b"WORD"]) == 10 and said({}, held) == ""
    for start, end in ((0, 6), (6, 10)):
        for body in product((Word.OPEN, Word.CLOSE), repeat=end - start):
            depths = list(accumulate(1 if each is Word.OPEN else -1 for each in body))
            column = held[b"WORD"].copy()
            column[start:end] = [each << 28 for each in body]
            good = min(depths) >= 0 == depths[-1]
            assert said({b"WORD": column}, held) == ("" if good else "unclosed scopes in a function")


def test_bodies_have_the_words_and_operands_of_the_module() -> None:
    for tag in (b"WORD", b"OPID", b"LINE"):
        column = np.concatenate((GOOD[tag], GOOD[tag][-1:]))
        changed: Sections = {tag: column}
        if tag == b"WORD":
            changed[b"POSN"] = np.append(GOOD[b"POSN"], 0)
            column[-1] = Word.LABEL << 28
        assert said(changed) == "invalid items: unexpected trailing data"


# -- the container ---------------------------------------------------------------------------------------------------


def sealed(
    count: int, body: bytes, *, magic: bytes = MAGIC, version: int = FORMAT, more: int = 0, wrong: int = 0
) -> bytes:
    """A container with its header; its length and its checksum are what they should be, and so much more."""
    return struct.pack("<8sHHIQ", magic, version, count, zlib.crc32(body) ^ wrong, 24 + len(body) + more) + body


def listed(
    tag: bytes = b"ABCD", codec: int = 0, width: int = 1, zero: int = 0, offset: int = 56, stored: int = 8, raw: int = 8
) -> bytes:
    """An entry of the table."""
    return struct.pack("<4sBBHQQQ", tag, codec, width, zero, offset, stored, raw)


def refused(data: bytes) -> str:
    try:
        held = Container(data, "k.weft")
        return f"{len(held.tags)} sections"
    except BytesError as error:
        return error.message


BODY = b"abcdefgh"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (sealed(0, b""), "0 sections"),
        (sealed(0, b"")[:-1], "too short for a module"),
        (sealed(0, b"", magic=b"\x89WEFT\r\n\x1b"), "not a module in weft's binary format"),
        (
            sealed(0, b"", version=FORMAT + 1),
            f"unknown format {FORMAT + 1}: this version of weft reads format {FORMAT}",
        ),
        (
            sealed(0, b"", version=FORMAT - 1),
            f"unknown format {FORMAT - 1}: this version of weft reads format {FORMAT}",
        ),
        (sealed(0, b"", more=1), "24 bytes, but 25 were written: truncated or extended"),
        (sealed(0, b"", more=-1), "24 bytes, but 23 were written: truncated or extended"),
        (sealed(0, b"", wrong=1), "checksum mismatch: the bytes were changed"),
        (sealed(1, listed() + BODY), "1 sections"),
        (sealed(1, listed(stored=0, raw=0)), "1 sections"),
        (sealed(1, listed()[:-1]), "1 sections do not fit"),
        (sealed(2, listed(offset=24) + listed(b"EFGH", offset=24)), "2 sections"),
        (sealed(2, listed(offset=24) * 2), "invalid section 1 in the table"),
        (sealed(1, listed(codec=2) + BODY), "1 sections"),
        (sealed(1, listed(codec=3) + BODY), "invalid section 0 in the table"),
        (sealed(1, listed(zero=1) + BODY), "invalid section 0 in the table"),
        (sealed(1, listed(width=0) + BODY), "invalid section 0 in the table"),
        (sealed(1, listed(width=8) + BODY), "1 sections"),
        (sealed(1, listed(width=3) + BODY), "invalid section 0 in the table"),
        (sealed(1, listed(offset=57) + BODY), "invalid section 0 in the table"),
        (sealed(1, listed(stored=9, raw=9) + BODY), "invalid section 0 in the table"),
        (sealed(1, listed(offset=64, stored=0, raw=0) + BODY), "1 sections"),
        (sealed(1, listed(offset=65, stored=0, raw=0) + BODY), "invalid section 0 in the table"),
        (sealed(1, listed(raw=7) + BODY), "section 0 is stored with a wrong length"),
        (sealed(1, listed(codec=1, raw=7) + BODY), "1 sections"),
        (sealed(64, b"".join(listed(str(n).zfill(4).encode(), offset=24) for n in range(64))), "64 sections"),
        (
            sealed(65, b"".join(listed(str(n).zfill(4).encode(), offset=24) for n in range(65))),
            "65 sections do not fit",
        ),
        (sealed(1, listed(codec=1, raw=BUDGET[0] + BUDGET[1] * 64) + BODY), "1 sections"),
        (
            sealed(1, listed(codec=1, raw=BUDGET[0] + BUDGET[1] * 64 + 1) + BODY),
            f"{BUDGET[0] + BUDGET[1] * 64 + 1} bytes in a container of 64 are more than it may hold",
        ),
    ],
)
def test_headers_and_tables_of_sections(data: bytes, message: str) -> None:
    assert refused(data) == message


def one(value: Any) -> Container:
    return Container(pack({b"ABCD": value, b"EFGH": b"xyz"}), "k.weft")


@pytest.mark.parametrize("kind", ["<u1", "<u2", "<u4", "<u8", "<i8"])
@pytest.mark.parametrize("length", [0, 1, 7, 8, 63, 64, 65, 1000])
def test_sections_come_back(kind: str, length: int) -> None:
    """As bytes and as arrays, stored or deflated, each at a multiple of eight."""
    column = (np.arange(length) % 100).astype(kind)
    held = one(column)
    assert held.tags == (b"ABCD", b"EFGH") and b"ABCD" in held and b"EFG" not in held
    assert bytes(held.bytes_of(b"ABCD")) == column.tobytes() and bytes(held.bytes_of(b"EFGH")) == b"xyz"
    assert held.column(b"ABCD", kind).tolist() == column.tolist()
    assert held.numbers(b"ABCD").dtype == np.dtype(f"<u{column.itemsize}")
    assert bytes(one(column.tobytes()).bytes_of(b"ABCD")) == column.tobytes()


def entries(data: bytes) -> list[tuple[Any, ...]]:
    (count,) = struct.unpack_from("<H", data, 10)
    return [struct.unpack_from("<4sBBHQQQ", data, 24 + 32 * n) for n in range(count)]


def test_what_is_written() -> None:
    """Sections stand behind the table, aligned; they are deflated where that is worth it, and they are not short."""
    noise = bytes(n * n * 31 % 251 for n in range(64))
    data = pack(
        {b"AAAA": b"x" * 63, b"BBBB": b"x" * 64, b"CCCC": noise, b"DDDD": np.arange(64, dtype="<u2"), b"EEEE": b""}
    )
    found = entries(data)
    assert [(tag, codec, width, zero, raw) for tag, codec, width, zero, _, _, raw in found] == [
        (b"AAAA", 0, 1, 0, 63), (b"BBBB", 1, 1, 0, 64), (b"CCCC", 0, 1, 0, 64), (b"DDDD", 2, 2, 0, 128), (b"EEEE", 0, 1, 0, 0),
    ]  # fmt: skip
    end = 24 + 32 * 5
    for tag, codec, _, _, offset, stored, raw in found:
        assert offset == end + -end % 8
        end = offset + stored
        assert stored == raw if codec == 0 else stored < raw, tag
    assert end == len(data)
    assert data[:12] == MAGIC + struct.pack("<HH", FORMAT, 5) and MAGIC == b"\x89WEFT\r\n\x1a"
    planes = zlib.decompress(data[found[3][4] : found[3][4] + found[3][5]])
    assert planes == bytes(range(64)) + bytes(64)
    assert zlib.decompress(data[found[1][4] : found[1][4] + found[1][5]]) == b"x" * 64


def problem(call: Callable[..., object], *arguments: object) -> str:
    with pytest.raises(BytesError) as caught:
        call(*arguments)
    assert caught.value.position.file == "k.weft"
    return caught.value.message


def test_sections_that_are_not_what_they_should_be() -> None:
    held = one(np.zeros(3, "<u4"))
    assert problem(held.bytes_of, b"NONE") == problem(held.numbers, b"NONE") == "section NONE is missing"
    assert problem(held.column, b"EFGH", "<u4") == "section EFGH is not an array of 4-byte items"
    wide = one(np.zeros(3, "V3"))
    assert problem(wide.numbers, b"ABCD") == "section ABCD is not an array of numbers"
    for data, raw, message in (
        (zlib.compress(BODY), 9, "does not have its stated length"),
        (zlib.compress(BODY), 7, "does not have its stated length"),
        (zlib.compress(BODY), 0, "does not have its stated length"),
        (zlib.compress(BODY)[:-5], 9, "does not have its stated length"),
        (b"\0" * 8, 8, "cannot be decompressed"),
    ):
        whole = Container(sealed(1, listed(codec=1, stored=len(data), raw=raw) + data), "k.weft")
        if raw:
            assert problem(whole.bytes_of, b"ABCD") == f"section ABCD {message}"
        else:
            assert whole.bytes_of(b"ABCD") == b""
    whole = Container(sealed(1, listed(codec=1, stored=16) + zlib.compress(BODY)), "k.weft")
    assert whole.bytes_of(b"ABCD") == BODY


def test_what_is_checked_stays_as_it_was() -> None:
    """Bytes that can be changed are copied; others are looked at in place."""
    data = pack({b"ABCD": BODY})
    changing = bytearray(data)
    held = Container(changing, "k.weft")
    changing[-1] ^= 1
    assert bytes(held.bytes_of(b"ABCD")) == BODY
    view = Container(data, "k.weft").bytes_of(b"ABCD")
    assert isinstance(view, memoryview) and view.obj is data


def test_strings() -> None:
    """Each once, with a NUL behind it."""
    strings = Strings()
    assert [strings.number(text) for text in ("a", "", "a", "\u00e4\ud800")] == [0, 1, 0, 2]
    assert strings.pool() == b"a\0\0\xc3\xa4\xed\xa0\x80\0" and read_pool(strings.pool()) == ["a", "", "\u00e4\ud800"]
    assert Strings().pool() == b"" and read_pool(b"") == [] and read_pool(b"\0") == [""]
    for pool in (b"a", b"\0a", b"\xff\0"):
        with pytest.raises(ValueError, match=r"the last string is not ended|invalid start byte"):
            read_pool(pool)
    strings.number("a\0b")
    with pytest.raises(BytesError, match="a name or text of the module holds a NUL character"):
        strings.pool()
