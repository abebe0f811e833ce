"""A fuzzer for `weft.from_bytes`: truncation, flipped bits, and crafted columns under a right checksum.

`python -m tests.mc.hostile COUNT [SEED]` runs it alone and says how many inputs were refused. Whatever is not refused
is printed, walked and written again: nothing may fail later.
"""

from __future__ import annotations

import random
import resource
import struct
import sys
import zlib
from collections import Counter
from typing import Any

import numpy as np

import weft
from tests.ptx.constructs import everything
from weft.errors import BytesError
from weft.mc.container import Container, pack

NUMBERS = (b"OPID", b"POSN", b"LINE")
"""The sections that are written as wide as their numbers are."""


def _seeds() -> list[bytes]:
    texts = everything()
    wanted = ("integers", "more floats", "block", "branch", "vector", "call", "address", "param", "pragma", "init")
    chosen = [text for name, text in texts.items() if any(word in name for word in wanted)]
    whole = max(texts.values(), key=len)
    header, bodies = ".version 8.4\n.target sm_90\n.address_size 64\n", []
    for name, text in texts.items():
        if name.startswith("statement"):
            function = text.partition("texref tt;\n")[2].replace(" k(", f" k{len(bodies)}(")
            bodies.append(function)
    together = header + ".global .align 16 .b32 gg[64];\n.global .texref tt;\n" + "\n".join(bodies)
    together += "\n.section .debug_str { a: .b8 1, 2 .b32 a .b64 a+4 }\n.section .debug_loc { }\n"
    return [weft.parse(text).to_bytes() for text in (together, whole, *chosen[:40])]


SEEDS = _seeds()


def reseal(data: bytes | bytearray) -> bytes:
    """The same bytes with a length and a checksum that fit."""
    changed = bytearray(data)
    if len(changed) >= 24:
        struct.pack_into("<Q", changed, 16, len(changed))
        struct.pack_into("<I", changed, 12, zlib.crc32(changed[24:]))
    return bytes(changed)


def _damage(data: bytearray, rng: random.Random) -> bytearray:
    for _ in range(rng.choice((1, 1, 1, 2, 4, 16))):
        if not data:
            break
        at = rng.randrange(len(data))
        match rng.randrange(4):
            case 0:
                data[at] ^= 1 << rng.randrange(8)
            case 1:
                data[at] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
            case 2:
                del data[at : at + rng.choice((1, 2, 4, 8))]
            case _:
                data[at:at] = bytes(rng.randrange(256) for _ in range(rng.choice((1, 2, 4, 8))))
    return data


def mutate(data: bytes, rng: random.Random) -> bytes:
    """Hostile bytes made from good ones."""
    match rng.randrange(8):
        case 0:
            return data[: rng.randrange(len(data))]
        case 1:
            return bytes(_damage(bytearray(data), rng))
        case 2:
            return reseal(_damage(bytearray(data), rng))
        case _:
            return _crafted(data, rng)


def _crafted(data: bytes, rng: random.Random) -> bytes:
    """Good sections with one or two changed inside, sealed as the writer seals them."""
    container = Container(data, "seed")
    sections: dict[bytes, Any] = {tag: bytes(container.bytes_of(tag)) for tag in container.tags}
    widths = {b"STRS": 1, b"SRCE": 1, b"MODU": 8, b"DECL": 8}
    widths |= {tag: container.numbers(tag).itemsize for tag in NUMBERS}
    for _ in range(rng.choice((1, 1, 2))):
        tag = rng.choice(list(sections))
        held = sections[tag]
        width = widths.get(tag, 4)
        if rng.random() < 0.3 or len(held) < width or len(held) % width:
            sections[tag] = bytes(_damage(bytearray(held), rng))
            continue
        column = np.frombuffer(held, f"<u{width}").copy()
        for _ in range(rng.choice((1, 1, 3))):
            at = rng.randrange(len(column))
            old = int(column[at])
            new = rng.choice(
                (old + 1, old - 1, 0, 1, old ^ 1 << rng.randrange(8 * width), (1 << 8 * width) - 1, 1 << 62)
            )
            column[at] = new % (1 << 8 * width)
        sections[tag] = column.tobytes()
    for tag in NUMBERS:
        width = rng.choice((1, 2, 4, 8)) if rng.random() < 0.05 else widths[tag]
        held = sections[tag]
        sections[tag] = np.frombuffer(held[: len(held) // width * width], f"<u{width}")
    return pack(sections)


def attempt(data: bytes) -> str:
    """What becomes of hostile bytes: `refused`, or `module` when they are one, which then must work throughout."""
    try:
        module = weft.from_bytes(data)
    except BytesError:
        return "refused"
    text = module.to_ptx()
    again = weft.from_bytes(module.to_bytes(source=False))
    assert again.to_ptx() == text
    return "module"


def main() -> None:
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    rng = random.Random(seed)
    outcomes: Counter[str] = Counter()
    for done in range(count):
        data = mutate(rng.choice(SEEDS), rng)
        try:
            outcomes[attempt(data)] += 1
        except BaseException:
            print(f"input {done} of seed {seed}: {data.hex()}", file=sys.stderr)
            raise
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"seed {seed}: {count} inputs, {dict(outcomes)}, at most {peak} MiB")


if __name__ == "__main__":
    main()
