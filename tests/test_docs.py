"""What the documents show is what happens: console blocks are run, Python sessions are doctests.

In a ```console block, a line that starts with `$ ` is a command and the lines below it are its output (stderr included);
a line `...` stands for any lines, and times in milliseconds may differ. Figures that ptxas gave hold for that ptxas.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import groupby
from pathlib import Path

import pytest

from tests.conftest import ROOT, nvidia_tool
from weft.cli import COMMANDS
from weft.transforms import available_passes

DOCUMENTS = [
    ROOT / "README.md",
    *(
        path
        for path in sorted((ROOT / "docs").rglob("*.md"))
        if "generated" not in path.parts and "_build" not in path.parts
    ),
]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OUR_MAKE = {"demo": ["scripts/demo.py"]}


@dataclass(frozen=True)
class Example:
    """A command of a document with the output it shows."""

    document: Path
    line: int
    command: str
    output: str

    def __str__(self) -> str:
        return f"{self.document.name}:{self.line}"


def blocks(language: str) -> Iterator[tuple[Path, int, str]]:
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            if match[1] == language:
                yield document, text.count("\n", 0, match.start()) + 2, match[2]


def examples() -> Iterator[Example]:
    for document, line, text in blocks("console"):
        for number, chunk in enumerate(re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]):
            command, _, output = chunk.partition("\n")
            yield Example(document, line + number, command, output)


EXAMPLES = list(examples())
SESSIONS = list(dict.fromkeys(document for document, _, _ in blocks("pycon")))


def arguments(command: str) -> list[str]:
    """A command as it is run here: with this Python, and without `make`'s setting up."""
    first, *rest = shlex.split(command)
    if first == "make":
        return [sys.executable, *OUR_MAKE[rest[0]]]
    assert first == "weft", f"only weft and make are run: {command}"
    return [sys.executable, "-m", "weft", *rest]


def normalised(text: str) -> str:
    text = re.sub(r"\b\d+(\.\d+)? ms\b", "N ms", text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def matches(expected: str, found: str) -> bool:
    """Whether lines are those expected, with any lines in place of each `...`."""
    wanted, lines = normalised(expected).split("\n"), normalised(found).split("\n")
    groups = [list(group) for dots, group in groupby(wanted, lambda line: line == "...") if not dots]
    if "..." not in wanted:
        return wanted == lines
    if wanted[0] != "..." and (first := groups.pop(0)):
        if lines[: len(first)] != first:
            return False
        lines = lines[len(first) :]
    if groups and wanted[-1] != "...":
        last = groups.pop()
        if lines[-len(last) :] != last:
            return False
        lines = lines[: -len(last)]
    for group in groups:  # The first place for each leaves the most for those behind it.
        places = range(len(lines) - len(group) + 1)
        at = next((at for at in places if lines[at : at + len(group)] == group), None)
        if at is None:
            return False
        lines = lines[at + len(group) :]
    return True


def output_of(example: Example) -> str:
    """What the command prints now, to stdout and stderr."""
    return subprocess.run(
        arguments(example.command),
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    ).stdout


@pytest.mark.sample(1)
@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_console(example: Example) -> None:
    shown = re.search(r"\bptxas ([\d.]+)", example.output)
    if shown:
        nvidia_tool("nvdisasm")
        if shown[1] != ".".join(map(str, nvidia_tool("ptxas").version)):
            pytest.skip(f"ptxas {shown[1]}, whose figures the document shows, is not here")
    found = output_of(example)
    assert matches(example.output, found), f"`make refresh` would write:\n{found}"


@pytest.mark.sample(10)
@pytest.mark.parametrize("document", SESSIONS, ids=lambda document: document.name)
def test_python(document: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python of a document is one session: a block goes on with the names of those before it."""
    if "weft.triton" in document.read_text(encoding="utf-8"):
        pytest.importorskip("triton", reason="triton is not installed")
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    failures = 0
    for place, line, text in blocks("pycon"):
        if place == document:
            test = doctest.DocTestParser().get_doctest(text, {}, document.name, str(document), line)
            test.globs = names
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
            runner.run(test, clear_globs=False)
            failures += runner.failures
    assert failures == 0


def test_the_documents_have_examples() -> None:
    assert EXAMPLES
    assert list(blocks("pycon"))


def test_matching() -> None:
    assert matches("a\n...\nb 5 ms", "a\nx\ny\nb 17.3 ms")
    assert not matches("a\nb", "a\nx\nb")
    assert not matches("a\n...", "b")
    assert matches("...\nb\n...", "a\nb\nb\nc") and not matches("...\nb\nc\n...\nc", "a\nb\nc")
    many = "x\n" * 500
    assert not matches("...\nx\n...\nx\n...\nx\n...\ny", many)  # In no time, too.


COMMAND = re.compile(r"(?<![\w.-])weft ([a-z]+)((?: [^`\n\"';#|&]*)?)")
OPTION = re.compile(r"(?<!\S)(--[a-z][\w-]*|-[A-Za-z])(?!\w)")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_options_exist(document: Path) -> None:
    """Whatever a text writes behind the name of a command; those of `gpu-run` and `nvcc` are other programs' too."""
    for name, rest in COMMAND.findall(document.read_text(encoding="utf-8")):
        if name in COMMANDS and name != "nvcc":
            command = import_module(f"weft.cli.{name}").command
            known = {option for parameter in command.params for option in parameter.opts} | {"--help", "-h"}
            known |= {f"--{found}" for found in available_passes()} if name == "opt" else set()
            assert set(OPTION.findall(rest)) <= known, f"weft {name}{rest}"
