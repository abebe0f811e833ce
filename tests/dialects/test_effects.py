"""Memory effects and purity of every operation, as mlir-opt has them.

Each valid case of `ops` stands twice in a function and goes through `--cse`, with its results used and not, with an
operation between that may do anything, and once through `--canonicalize`, unused: as many are left as mlir-opt leaves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO

import pytest

from tests.dialects import oracle
from tests.dialects.arguments import CRASH, upstream
from weft.errors import MlirError
from weft.mlir import parse_mlir
from weft.mlir.printer import MlirPrinter

OPTION = "--allow-unregistered-dialect"
_BOUND = re.compile(r"\s*(?:%[\w:]+(?:, )?)+ = ")

# What a pattern of canonicalization takes away, which is no effect; and what folding makes of values used twice.
_FOLDED = ("gpu.wait", "memref.copy", "memref.realloc")


@dataclass(frozen=True)
class Twice:
    """An operation, as the first line of a function, and the types of its results."""

    name: str
    head: str
    line: str
    types: tuple[str, ...]

    def again(self, number: int) -> str:
        names = ", ".join(f"%r{number}_{place}" for place in range(len(self.types)))
        bare = _BOUND.sub("", self.line, count=1).strip()
        return f"  {names} = {bare}\n" if names else f"  {bare}\n"

    def use(self) -> str:
        names = [f"%r{number}_{place}" for number in range(2) for place in range(len(self.types))]
        return f'  "test.use"({", ".join(names)}) : ({", ".join(self.types * 2)}) -> ()\n'

    def text(self, *lines: str) -> str:
        return f"{self.head}\n{''.join(lines)}  return\n}}\n"


def operations(files: str = "*") -> Iterator[Twice]:
    for path in sorted(oracle.FOLDER.glob(f"{files}.ops")):
        for case, outcome in zip(oracle.cases(path), oracle.stored(path), strict=True):
            if re.match(r"\d+:\d+: ", outcome):
                continue
            head, *body, _, _ = case.text.splitlines()
            try:
                module = parse_mlir(case.text)
            except MlirError:
                continue
            op = next(iter(next(iter(module.body.block.ops)).regions[0].block.ops))
            if len(body) == 1:
                stream = StringIO()
                printer = MlirPrinter(stream, module)
                printer.print_list(op.result_types, printer.print_attribute, ";; ")
                types = tuple(stream.getvalue().split(";; ")) if op.results else ()
                yield Twice(op.name, head, body[0], types)


def left(text: str, name: str) -> int:
    return len(re.findall(rf'(?m)^ +(?:%\S.* = )?"?{re.escape(name)}\b', text))


UNKNOWN = '  "test.unknown"() : () -> ()\n'
SHAPES = {
    "unused": ("cse", lambda op: op.text(op.again(0), op.again(1))),
    "used": ("cse", lambda op: op.text(op.again(0), op.again(1), op.use())),
    "apart": ("cse", lambda op: op.text(op.again(0), UNKNOWN, op.again(1), op.use())),
    "alone": ("canonicalize", lambda op: op.text(op.again(0))),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("files", sorted(path.stem for path in oracle.FOLDER.glob("*.ops")))
def test_as_mlir_opt_has_them(files: str, shape: str, mlir_opt: str) -> None:
    check(shape, files, mlir_opt, step=8 if files == "nvvm_sregs" else 1)


def check(shape: str, files: str, mlir_opt: str, step: int = 1) -> None:
    passes, make = SHAPES[shape]
    given = [op for op in [*operations(files)][::step] if shape != "alone" or op.name not in _FOLDED]
    cases = [oracle.Case(make(op), 0) for op in given]
    wrong: dict[str, str] = {}
    for start in range(0, len(cases), 300):
        some = cases[start : start + 300]
        theirs = upstream(mlir_opt, some, f"--{passes}", OPTION)
        for op, outcome, found in zip(given[start:], theirs, ours(some, passes), strict=False):
            if (
                outcome != CRASH
                and not re.match(r"\d+:\d+: ", outcome)
                and left(outcome, op.name) != left(found, op.name)
            ):
                wrong.setdefault(op.name, f"{op.line}: {left(outcome, op.name)}, not {left(found, op.name)}")
    assert not wrong, "\n".join(wrong.values())


def ours(given: list[oracle.Case], passes: str) -> list[str]:
    from weft.transforms.chunks import run_chunks

    text = f"{oracle.MARKER}\n".join(case.text for case in given)
    outcome = run_chunks(text, passes, filename="-", chunked=True, verify_diagnostics=False, allow_unregistered=True)
    return outcome.text.split(oracle.MARKER)
