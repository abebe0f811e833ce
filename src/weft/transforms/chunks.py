"""Files of several modules and of expected diagnostics, as mlir-opt's test options treat them.

`split` cuts a text at lines `// -----`; each chunk is read and transformed by itself, with the positions it has in the
whole file.  `run_chunks` goes on after a chunk that is refused, and can compare the errors with the designators of
`weft.mlir.expectations`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

from weft.dataclass import dataclass
from weft.errors import MlirError, WeftError
from weft.mlir import wording
from weft.mlir.expectations import expectations, mismatches, unmet
from weft.mlir.module import parse_mlir
from weft.mlir.positions import mlir_error
from weft.mlir.printer import Style, print_mlir
from weft.mlir.verification import verification_errors
from weft.transforms.pipeline import AfterPass, Pipeline, parse_passes, run_passes

MARKER = "// -----"
"""What is between two chunks, in the input and in the output."""


@dataclass(slots=True)
class Outcome:
    """What running over a file gave: the text of the modules that went through, and every error."""

    text: str = ""
    errors: list[WeftError] = field(default_factory=list[WeftError])


def split(text: str) -> Iterator[str]:
    """The chunks of a text, each behind as many empty lines and spaces as put it where it was."""
    start = 0
    for chunk in text.split(MARKER):
        line = text.rfind("\n", 0, start) + 1
        yield "\n" * text.count("\n", 0, start) + " " * (start - line) + chunk
        start += len(chunk) + len(MARKER)


def run_chunks(
    text: str,
    passes: str,
    *,
    filename: str,
    chunked: bool,
    verify_diagnostics: bool,
    after: AfterPass | None = None,
    style: Style | None = None,
    allow_unregistered: bool = False,
) -> Outcome:
    """Run a pipeline over each chunk of a text (over the whole, unless `chunked`); `after` as of `run_passes`.

    What comes out is printed in a style of `print_mlir`; `allow_unregistered` as of `parse_mlir`.

    With `verify_diagnostics` the errors are those of the comparison: diagnostics that no designator describes, and
    designators that nothing met.

    Raises:
        WeftError: there is no such pass.
    """
    pipeline = parse_passes(passes)
    outcome = Outcome()
    missing: list[WeftError] = []
    lines = text.splitlines()
    for index, chunk in enumerate(split(text) if chunked else (text,)):
        outcome.text += f"{MARKER}\n" if index else ""
        printed, produced = _run_one(chunk, pipeline, filename, after, style, allow_unregistered)
        outcome.text += printed + "\n" if printed and chunked else printed
        if verify_diagnostics:
            expected, malformed = expectations(chunk, filename)
            produced = malformed + mismatches(expected, produced)
            missing += unmet(expected)
        outcome.errors += produced
    outcome.errors += missing
    for error in outcome.errors:
        place = error.position
        if 0 < place.line <= len(lines):
            error.position = replace(place, source=lines[place.line - 1])
    return outcome


def _run_one(
    chunk: str,
    pipeline: Pipeline,
    filename: str,
    after: AfterPass | None,
    style: Style | None,
    allow_unregistered: bool,
) -> tuple[str, list[WeftError]]:
    """The printed module of one chunk, or its errors."""
    try:
        module = parse_mlir(chunk, filename, verify=False, allow_unregistered=allow_unregistered)
    except MlirError as error:
        return "", [error]
    errors: list[WeftError] = list(verification_errors(module))
    if errors:
        return "", errors
    try:
        run_passes(module, pipeline, after)
    except WeftError as error:
        return "", [error]
    try:
        return print_mlir(module, style), []
    except wording.BUGS:
        raise
    except Exception as error:
        # An attribute that was taken has a value that its own printer refuses: only this chunk is lost.
        return "", [mlir_error(module, f"cannot be printed: {error}")]
