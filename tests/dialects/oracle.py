"""Cases for every operation, and what mlir-opt 22.1.8 makes of each.

A file `ops/NAME.ops` begins with `// Values: %i: i32, ...`; every other line that is neither empty nor a comment is a
case: one operation, in a function of these values.  Without that first line each line is a module, as in the files of
`near`: operations near valid ones, with something wrong or in another way.  A file `NAME.mlir` of `ops` and of `written`
(modules as one writes them) holds modules between lines `// -----`.  `NAME.expected` beside it holds mlir-opt's outcome
of each case: the text that it prints, or its errors as `line:column: message`.

`python -m tests.dialects.oracle NAME...` writes the expected files anew with the mlir-opt that is installed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from weft.transforms.chunks import run_chunks

HERE = Path(__file__).parent
FOLDER = HERE / "ops"
FILES = sorted(path for path in FOLDER.iterdir() if path.suffix != ".expected")
STORED_FILES = [*FILES, *sorted(path for path in HERE.glob("[nw]*/*") if path.suffix in (".mlir", ".ops"))]
"""All files of cases beside which the outcomes are."""
MARKER = "// -----"
STORED = "// What mlir-opt 22.1.8 prints for the cases of {name}, one by one.\n"
_ERROR = re.compile(r"^<stdin>:(\d+):(\d+): error: (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Case:
    """A text and the line of its file that it comes from."""

    text: str
    line: int


def cases(path: Path) -> list[Case]:
    """The cases of a file, as texts that stand alone."""
    if path.suffix == ".mlir":
        found: list[Case] = []
        line = 1
        for chunk in path.read_text().split(MARKER):
            found.append(Case(chunk.strip("\n") + "\n", line + len(chunk) - len(chunk.lstrip("\n"))))
            line += chunk.count("\n")
        return found
    values, found = "", []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("// Values: "):
            values = line.removeprefix("// Values: ")
        elif line and not line.startswith("//"):
            text = f"func.func @f({values}) {{\n  {line}\n  return\n}}\n" if values else f"{line}\n"
            found.append(Case(text, number))
    return found


def options(path: Path) -> list[str]:
    """What mlir-opt is told for the cases of a file: modules that are not of `ops` have operations of other dialects."""
    return [] if path.parent == FOLDER else ["--allow-unregistered-dialect"]


QUIET = {**os.environ, "LLVM_DISABLE_SYMBOLIZATION": "1", "LLVM_DISABLE_CRASH_REPORT": "1"}
"""Where mlir-opt crashes, it names the functions of its stack, which takes seconds."""


def upstream(mlir_opt: str, given: list[Case], *passes: str) -> list[str]:
    """mlir-opt's outcome of each case: printed text, or errors with their place in the case."""
    command = [mlir_opt, "--split-input-file", *passes]
    text = f"{MARKER}\n".join(case.text for case in given)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False, env=QUIET)
    assert done.returncode in (0, 1), done.stderr[-2000:]
    printed = [plain(part) for part in done.stdout.split(MARKER)]
    assert len(printed) == len(given)
    found = [(int(match[1]), int(match[2]), match[3]) for match in _ERROR.finditer(done.stderr)]
    # A place counts once, with what is said of it first; "failed to parse" follows the error that says why.
    wrong = {(line, column): text for line, column, text in reversed(found) if "failed to parse" not in text}
    errors = [(line, column, text) for (line, column), text in wrong.items()]
    return _merge(given, printed, errors)


FEW = 40
"""So many cases are put into a text: each stands behind as many empty lines as are before it."""


def ours(given: list[Case], passes: str = "", *, allow_unregistered: bool = False) -> list[str]:
    """The same of weft."""
    found: list[str] = []
    for start in range(0, len(given), FEW):
        some = given[start : start + FEW]
        text = f"{MARKER}\n".join(case.text for case in some)
        outcome = run_chunks(
            text, passes, filename="-", chunked=True, verify_diagnostics=False, allow_unregistered=allow_unregistered
        )
        printed = [plain(part) for part in outcome.text.split(MARKER)]
        errors = [(error.position.line, error.position.column, error.message) for error in outcome.errors]
        found += _merge(some, printed, errors)
    return found


def plain(text: str) -> str:
    """A printed text with single spaces: mlir-opt leaves two, or one at the end of a line, where a list is empty."""
    text = re.sub(r"(?<=\S) {2,}", " ", text.strip("\n"))
    return re.sub(r" +$", "", text, flags=re.MULTILINE)


def _merge(given: list[Case], printed: list[str], errors: list[tuple[int, int, str]]) -> list[str]:
    outcomes: list[str] = []
    start = 1
    for case, text in zip(given, printed, strict=True):
        end = start + case.text.count("\n") + 1
        own = sorted((line - start + 1, column, message) for line, column, message in errors if start <= line < end)
        outcomes.append("\n".join(f"{line}:{column}: {message}" for line, column, message in own) if own else text)
        start = end
    return outcomes


def stored(path: Path) -> list[str]:
    """The outcomes in the expected file of a file of cases."""
    text = path.with_suffix(".expected").read_text().partition("\n")[2]
    return [part.strip("\n") for part in text.split(MARKER)]


def main(names: list[str]) -> None:
    """Write expected files."""
    from tests.conftest import llvm_tool

    for path in STORED_FILES:
        if names and path.stem not in names:
            continue
        outcomes = upstream(llvm_tool("mlir-opt"), cases(path), *options(path))
        path.with_suffix(".expected").write_text(
            STORED.format(name=path.name) + f"{MARKER}\n".join(outcome + "\n" for outcome in outcomes)
        )


if __name__ == "__main__":
    main(sys.argv[1:])
