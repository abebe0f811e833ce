"""Changes to a PTX text: bytes flipped, cut or repeated, tokens moved, hostile pieces put in."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

_TOKEN = re.compile(rb'[%\w$.:]+|\s+|"[^"]*"|.', re.DOTALL)

_HOSTILE: tuple[bytes, ...] = (
    *(bytes([code]) for code in b"{}()[];,|-+!~@<>?:\\_%\x00\x0c\r\"'#/*"),
    *(b"\xff\xfe", b"\xed\xa0\x80", b"\xef\xbb\xbf", "é".encode()),
    *(b"/*", b"*/", b"//", b'#line 1 "x"', b'#line 99999999999999 "', b"\n\n", b" . ", b"::"),
    *(b"0x", b"0f", b"0f3F80000", b"0d", b"1e999", b"-1e-999", b"0b", b"08", b"1.", b".5", b"9" * 5000, b"0x" + b"F" * 400),
    *(b"x" * 3000, b"%r" + b"9" * 300, b"%r4294967295", b"a." * 500, b".b32" * 200, b".sat.sat", b"%r1.x.y"),
    *(b"(" * 3000, b"{" * 3000, b"[" * 3000, b"-" * 3000, b"!" * 3000, b"~(" * 1000, b"1?" * 1000, b"{}" * 1000),
    *(b"{{{{1}}}}", b"= {" + b"{" * 500, b"1+" * 2000 + b"1", b"1<<" * 500 + b"63", b"generic(" * 100),
    *(b"%r<5>", b"<4294967296>", b"<0>", b"[0]", b"[4294967296]", b"[-1]", b"[][]", b".align 3", b".align 4294967296"),
    *(b".reg ", b".reg .b32 %r<99999999>;", b".entry ", b".func ", b".section .x {", b".loc 1 2 3", b".file 1 \"a\""),
    *(b".version 99.99", b".target sm_1, sm_2", b".branchtargets", b".callprototype _ ()", b'.pragma "', b".alias a, b;"),
    *(b"call (a), f, (b), p;", b"bra L;", b"L: L: L:", b"@%p", b"@!", b"ret", b"WARP_SZ", b"%tid.x", b"(.s64)", b"1/0"),
    *(b"mov.b64 {%r1, _}, %rd1;", b"add.s32 %r1, (3+4), %r2;", b"ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1+-8];"),
    *(b"tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;", b"tex.2d.v4.f32.f32 {%f1}, [t, {%f1, %f2}];"),
)  # fmt: skip


def _truncate(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _flip(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randrange(1, 6)):
        changed[chance.randrange(len(changed))] = chance.randrange(256 if chance.random() < 0.3 else 128)
    return bytes(changed)


def _cut(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    start = chance.randrange(len(data))
    return data[:start] + data[start + chance.randrange(1, 80) :]


def _repeat(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    start = chance.randrange(len(data))
    piece = data[start : start + chance.randrange(1, 60)]
    return data[:start] + piece * chance.choice((2, 3, 50)) + data[start + len(piece) :]


def _put_hostile(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    start = chance.randrange(len(data) + 1)
    return data[:start] + chance.choice(_HOSTILE) + data[start + chance.choice((0, 0, 1, 5)) :]


def _splice(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    other = chance.choice(others)
    start, end = chance.randrange(len(data)), chance.randrange(len(other))
    return data[:start] + other[end : end + chance.randrange(1, 400)] + data[start:]


def _tokens(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """Tokens swapped, replaced, doubled or dropped."""
    tokens: list[bytes] = _TOKEN.findall(data)
    for _ in range(chance.choice((1, 1, 2, 4))):
        here, there = chance.randrange(len(tokens)), chance.randrange(len(tokens))
        kind = chance.randrange(5)
        if kind == 0:
            tokens[here], tokens[there] = tokens[there], tokens[here]
        elif kind == 1:
            tokens[here] = tokens[there]
        elif kind == 2:
            tokens.insert(here, tokens[there])
        elif kind == 3:
            tokens[here] = chance.choice(_HOSTILE)
        elif len(tokens) > 1:
            del tokens[here]
    return b"".join(tokens)


_CHANGES: tuple[Callable[[bytes, list[bytes], random.Random], bytes], ...] = (
    _truncate,
    _flip,
    _cut,
    _repeat,
    _put_hostile,
    _splice,
    *(_tokens,) * 5,
)


def mutated(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """A text with one to three random changes."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        data = chance.choice(_CHANGES)(data, others, chance) or b" "
    return data
