"""`weft opt --split-input-file --verify-diagnostics` beside mlir-opt's: status, output, and every message."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from weft.transforms.chunks import run_chunks

FINE = "  nvvm.setmaxregister increase 32\n"
ODD = "  nvvm.setmaxregister increase 3\n"
SMALL = "  nvvm.setmaxregister increase 8\n"


def function(body: str, name: str = "f") -> str:
    return f"func.func @{name}() {{\n{body}  return\n}}\n"


CASES = {
    "met above, below, and beside": function("  // expected-error@+1 {{must be multiple of 8}}\n" + ODD, "a")
    + function("  // expected-error @below {{'nvvm.setmaxregister' op new register}}\n" + ODD, "b")
    + function(ODD + "  // expected-error@above {{multiple}}\n", "c")
    + function(ODD[:-1] + " // expected-error {{multiple}}  \n", "d")
    + function(SMALL + "  // expected-error   @-1   {{in between 24 to 256}}\n", "e"),
    "not expected": function(ODD),
    "another text": function("  // expected-error@below {{must be multiple of 9}}\n" + ODD),
    "not produced": function("  // expected-error {{no}}\n  // expected-remark@+3 {{no}}\n" + FINE),
    "another kind": function("  // expected-warning@+1 {{must be multiple}}\n" + ODD),
    "each designator once": function(
        "  // expected-error@below {{new register}}\n  // expected-error@below {{multiple}}\n" + ODD
    ),
    "no designator behind text": function("  // expected-error@+1 {{multiple}} of 8\n" + ODD),
    "a blank line below": function("  // expected-error@below {{multiple}}\n\n" + ODD),
    "regular expression": function("  // expected-error-re@below {{must {{[a-z]+ mul}}tiple {{.*$}}}}\n" + ODD),
    "two expressions, and none": function("  // expected-error-re@+2 {{{{new}} register {{s?}}ize}}\n" + FINE + ODD)
    + function("  // expected-error-re@below {{plain [text]}}\n" + ODD, "g"),
    "above others": function(ODD + "  // expected-note@above {{x}}\n  // expected-error@above {{new}}\n"),
    "expression without an end": function("  // expected-error-re@below {{must {{be}}\n" + ODD),
    "syntax error": "func.func @f() {\n  // expected-error@below {{is unknown}}\n  gpu.nothing\n}\n",
    "first error of each function": function(ODD + SMALL, "a") + function(SMALL + ODD, "b"),
    "nothing": "",
}
CHUNKS = {
    "each by itself": function(FINE) + "// -----\n" + function(ODD) + "  // -----\n" + function(FINE),
    "values by line of the file": "\n// -----\n" + function("  // expected-error@+1 {{8}}\n" + ODD) + "// -----\n",
    "text behind the marker": function(FINE) + "// ----- func.func @g() { return }\n",
    "all cases": "// -----\n".join(CASES.values()),
}


def findings(text: str) -> list[tuple[str, str]]:
    return [
        (match[1], match[2])
        for match in re.finditer(r"^(?:<stdin>|<unknown>):(\d+(?::\d+)?): error: (.*)$", text, re.M)
    ]


def compare(mlir_opt: str, text: str, *options: str) -> None:
    theirs = subprocess.run([mlir_opt, *options], input=text, capture_output=True, text=True, check=False)
    command = [sys.executable, "-m", "weft", "opt", "-", *options]
    ours = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert ours.returncode == theirs.returncode
    assert sorted(findings(ours.stderr)) == sorted(findings(theirs.stderr))
    assert ours.stdout.split() == theirs.stdout.split()


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", CASES)
def test_expected_diagnostics(name: str, mlir_opt: str) -> None:
    compare(mlir_opt, CASES[name], "--verify-diagnostics")


def test_all_cases_in_one_file(mlir_opt: str) -> None:
    text = CHUNKS["all cases"]
    command = [mlir_opt, "--split-input-file", "--verify-diagnostics"]
    theirs = subprocess.run(command, input=text, capture_output=True, text=True, check=False).stderr
    ours = run_chunks(text, "", filename="-", chunked=True, verify_diagnostics=True).errors
    places = [(error.position, error.message) for error in ours]
    assert sorted((f"{at.line}:{at.column}", said) for at, said in places) == sorted(findings(theirs))


@pytest.mark.slow
@pytest.mark.parametrize("name", CHUNKS)
def test_chunks(name: str, mlir_opt: str) -> None:
    compare(mlir_opt, CHUNKS[name], "--split-input-file", "--verify-diagnostics")
    if "expected-" not in CHUNKS[name]:  # mlir-opt 22 reads designators behind a split even where it is not asked to.
        compare(mlir_opt, CHUNKS[name], "--split-input-file")


def test_no_regular_expression() -> None:
    text = function("  // expected-error-re@below {{a{{(}}b}}\n" + FINE)
    (error,) = run_chunks(text, "", filename="-", chunked=True, verify_diagnostics=True).errors
    assert (error.position.line, error.position.column) == (2, 6)
    assert error.message.startswith("invalid regex: ")


def test_unknown_place() -> None:
    command = [sys.executable, "-m", "weft", "opt", "-", "--verify-diagnostics"]
    text = "// expected-error@unknown {{lost}}\n"
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == '<unknown>: error: expected error "lost" was not produced\n'


def test_cases_of_this_folder() -> None:
    path = Path(__file__).parent / "invalid.mlir"
    command = [sys.executable, "-m", "weft", "opt", str(path), "--split-input-file"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count(": error: ") == path.read_text().count("// -----\n") + 1


@pytest.mark.parametrize(
    ("text", "place"), [("\n\n}\n", (3, 1)), ("  }\n", (1, 3)), ("// c\n }\n", (2, 2)), ('\n"x\n', (2, 3))]
)
def test_errors_at_the_first_token_stand_there(text: str, place: tuple[int, int]) -> None:
    """As mlir-opt 22.1.8 has it: in a file, and in the second chunk of one."""
    for before in ("", "func.func private @f()\n// -----\n"):
        outcome = run_chunks(before + text, "", filename="-", chunked=True, verify_diagnostics=False)
        found = outcome.errors[0].position
        assert (found.line - before.count("\n"), found.column) == place
