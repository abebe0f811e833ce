"""Random C programs without undefined behaviour: the same one for the same seed."""

from __future__ import annotations

from random import Random

from tests.differential.c.families import FAMILIES
from tests.differential.c.together import TOGETHER
from tests.differential.c.writer import Program, Writer


def generate(name: str, seed: str) -> Program:
    """A random program."""
    threads = Random(f"threads {seed}").choice((32, 32, 64))
    writer = Writer(name, seed, threads, FAMILIES, TOGETHER)
    for i in range(writer.rng.randint(0, 3)):
        writer.function(i)
    writer.kernel()
    return Program(name, seed, threads, writer.declarations, writer.functions, writer.portable)
