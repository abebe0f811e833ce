"""The bits of 2 / pi, for the reduction of large arguments."""

from __future__ import annotations


def two_over_pi_bits(count: int) -> int:
    """The first `count` bits of 2 / pi behind the point, as an integer (Machin's formula for pi)."""
    bits = count + 64

    def arctangent(n: int) -> int:
        total = term = (1 << bits) // n
        k = 1
        while term:
            term //= n * n
            k += 2
            total += (-term if k % 4 == 3 else term) // k
        return total

    pi = 4 * (4 * arctangent(5) - arctangent(239))
    return (2 << (2 * bits)) // pi >> 64
