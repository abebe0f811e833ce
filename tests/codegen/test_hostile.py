"""No input makes the compiler explode: a clear error, or a result, in time and memory in proportion to mlir-opt's.

Limits are in CPU time, of a child process that has weft imported already.
"""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import weft
from tests.codegen import hostile_more, hostile_values  # noqa: F401  (register their cases)
from tests.codegen.hostile import CASES
from tests.conftest import llvm_tool
from weft.transforms.chunks import run_chunks

FACTOR, SECONDS, START = 5, 1.0, 0.3
"""Of mlir-opt's CPU time, what is allowed; what is allowed beyond that; and of that, what starting weft takes."""
MEGABYTES = 1000
SLOWER = (
    "llvm_struct_of_many", "llvm_inserted", "llvm_switch", "text_long_string", "vector_inserted", "vector_loaded",
    "vector_sines",
)  # fmt: skip
"""Of the cases below, those that take longer: they have their turn in the slow run."""
QUICK = [
    name
    for name in CASES
    if name.startswith(
        (
            "shared_",
            "vector_",
            "global_splat",
            "global_llvm",
            "llvm_",
            "deep_",
            "text_",
            "twenty_",
            "nest_of_",
            "sharing_",
            "large_a",
            "large_m",
        )
    )
    and name not in SLOWER
]
"""Cases of which each takes a moment."""


class Outcome(NamedTuple):
    """What came of a case in a process of its own: a word and what it says, CPU seconds, and its own megabytes."""

    said: str
    seconds: float
    megabytes: float


def in_child(work: Callable[[], str], seconds: int) -> Outcome:
    """Do something in a child process."""
    reading, writing = os.pipe()
    shared = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    child = os.fork()
    if not child:
        os.close(reading)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        try:
            said = work()
        except weft.WeftError as error:
            said = f"error: {error.message}"
        except BaseException as error:
            said = f"internal error: {type(error).__name__}: {error}"
        os.write(writing, said.encode()[:1000])
        os._exit(0)
    os.close(writing)
    _, _, used = os.wait4(child, 0)
    with os.fdopen(reading, encoding="utf-8", errors="replace") as pipe:
        said = pipe.read() or "killed"
    return Outcome(said, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024 - shared / (1 << 20))


def compiled(text: str) -> str:
    module = weft.compile(text, "sm_90a", filename="k.mlir")
    return f"lines: {module.to_ptx().count(chr(10))}"


def held(found: Outcome, seconds: float) -> None:
    assert found.said.startswith(("lines: ", "error: ")), found.said
    assert found.megabytes <= MEGABYTES, found
    assert found.seconds <= seconds, found


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """What is imported once is no part of any case."""
    for name in ("many_aliases_of_a_function", "a_long_chain_of_maps", "two_hundred_regions"):
        try:
            weft.compile(CASES[name](), "sm_90a")
        except weft.WeftError:
            continue


def test_there_are_many() -> None:
    assert len(CASES) >= 100


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", QUICK)
def test_quick_cases(name: str) -> None:
    held(in_child(lambda: compiled(CASES[name]()), 5), SECONDS)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_in_proportion_to_mlir_opt(name: str, tmp_path: Path) -> None:
    text = CASES[name]()
    path = tmp_path / "k.mlir"
    path.write_text(text)
    tool = llvm_tool("mlir-opt")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (3, 3))  # noqa: E731
    subprocess.run(
        [tool, str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    theirs = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    held(in_child(lambda: compiled(text), 20), FACTOR * theirs + SECONDS - START)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_reading_and_printing(name: str) -> None:
    from weft.mlir import parse_mlir, print_mlir

    found = in_child(lambda: f"lines: {print_mlir(parse_mlir(CASES[name](), 'k.mlir')).count(chr(10))}", 20)
    assert found.said.startswith(("lines: ", "error: ")), found.said
    assert found.megabytes <= MEGABYTES, found


def test_loops_are_unrolled_to_what_they_multiply_to() -> None:
    for name in ("convolution_of_six_loops", "convolution_of_affine_loops", "twelve_loops_of_two", "many_short_loops"):
        lines = weft.compile(CASES[name](), "sm_90a").to_ptx().count("\n")
        assert lines < 12_000, (name, lines)
    lines = weft.compile(CASES["convolution_of_six_loops"](), "sm_90a").to_ptx().count("\n")
    assert lines < 400


BROKEN = ["vector_of_a_million", "shared_60_arrays", "deep_tuples", "text_zeros", "text_no_end_of_string"]


@pytest.mark.parametrize("name", BROKEN)
def test_one_broken_part_does_not_take_the_others(name: str) -> None:
    good = "func.func @good{}() {{\n  return\n}}\n"
    text = good.format(1) + "// -----\n" + CASES[name]() + "\n// -----\n" + good.format(2)
    outcome = run_chunks(text, "", filename="k.mlir", chunked=True, verify_diagnostics=False)
    assert "@good1" in outcome.text
    assert "@good2" in outcome.text
    assert all("internal error" not in error.message for error in outcome.errors)
