"""The walking XOR of the string pools: byte `i` is combined with `3 * i` modulo 256."""

from __future__ import annotations

PERIOD = 256
"""The key schedule repeats after so many bytes: 3 and 256 have no common divisor."""

KEYS = bytes(3 * index % PERIOD for index in range(PERIOD))
"""One period of the key schedule."""


def xor3(data: bytes) -> bytes:
    """Encode a pool, or decode one: the operation is its own inverse."""
    whole = (KEYS * (len(data) // PERIOD + 1))[: len(data)]
    return (int.from_bytes(data, "big") ^ int.from_bytes(whole, "big")).to_bytes(len(data), "big")
