"""The examples in the documentation of MLIR's operations, types and attributes, made whole so that mlir-opt reads them.

`python -m tests.dialects.documented NAME` compares those of the `.td` files whose path has NAME in it with mlir-opt:
what both print, or report; `... NAME all` shows the differences.  The examples are fragments; values that they use and
do not define become arguments of a function around them, of the types that mlir-opt misses.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.dialects import oracle
from tests.dialects.arguments import CRASH, upstream
from tests.dialects.definitions import INCLUDE

_BLOCK = re.compile(r"^[ \t]*```(?:mlir)?[ \t]*\n(.*?)^[ \t]*```", re.DOTALL | re.MULTILINE)
_TYPED = re.compile(r"\d+:\d+: use of value '(%[\w.$-]+)' expects different type than prior uses: '(.*?)' vs 'none'$")
_ROUNDS = 24
_ELSEWHERE = re.compile(
    r"AMDGPU|AMX|Arm|EmitC|IRDL|MLProgram|MPI|OpenACC|OpenMP|PDL|Quant|ROCDL|SMT|SPIRV|Shape/|Shard|Sparse"
    r"|Tosa|VCIX|Wasm|X86|XeGPU|XeVM|amx|xevm|rocdl|amdgpu"
)
_WHOLE = re.compile(r"^\s*(?:module|func\.func|gpu\.module|builtin\.module|llvm\.func|memref\.global|[#!]\w+ =)", re.M)


@dataclass
class Example:
    """A fragment, and the arguments that it needs."""

    text: str
    whole: bool
    arguments: dict[str, str] = field(default_factory=dict[str, str])
    settled: bool = False

    def case(self) -> oracle.Case:
        """The fragment as a text that stands alone."""
        if self.whole:
            return oracle.Case(self.text + "\n", 0)
        arguments = ", ".join(f"{name}: {kind}" for name, kind in self.arguments.items())
        body = textwrap.indent(self.text, "  ")
        return oracle.Case(f"func.func @example({arguments}) {{\n{body}\n  return\n}}\n", 0)

    def mend(self, outcome: str) -> None:
        """Add the argument, or its type, that mlir-opt misses."""
        line = outcome.partition("\n")[0]
        typed = _TYPED.match(line)
        if typed is not None and self.arguments.get(typed[1]) == "none":
            self.arguments[typed[1]] = typed[2]
            return
        place = re.match(r"(\d+):(\d+): use of undeclared SSA value name", line)
        if place is None or self.whole:
            self.settled = True
            return
        at = self.case().text.splitlines()[int(place[1]) - 1][int(place[2]) - 1 :]
        name = re.match(r"%[\w.$-]+", at)
        if name is None or name[0] in self.arguments:
            self.settled = True
            return
        self.arguments[name[0]] = "none"


def files(name: str) -> list[Path]:
    """The installed `.td` files whose path has a name in it."""
    root = INCLUDE / "mlir"
    found = sorted(root.rglob("*.td"))
    return [path for path in found if name in str(path.relative_to(root)) and not _ELSEWHERE.search(str(path))]


def fragments(path: Path) -> Iterator[str]:
    """The examples of a file, and the paragraphs of each."""
    for match in _BLOCK.finditer(path.read_text()):
        block = textwrap.dedent(match[1]).strip("\n")
        if not re.search(r"[%@\"]|<", block):
            continue
        yield block
        parts = [part for part in re.split(r"\n\s*\n|\n(?=//)", block) if part.strip()]
        if len(parts) > 1 and not _WHOLE.search(block):
            yield from parts
        lines = [line for line in block.splitlines() if re.match(r"(?:%[\w:, ]+ = )?[a-z]\w*\.\w", line)]
        if len(lines) > 1 and "{\n" not in block:
            yield from lines


def examples(mlir_opt: str, name: str) -> list[Example]:
    """The examples of some files, with the arguments that they need."""
    # A fence that is left open would give the definitions after it, up to the next one.
    found = (text for path in files(name) for text in fragments(path) if not text.lstrip().startswith("}];"))
    texts = dict.fromkeys(text for text in found if oracle.MARKER not in text)
    given = [Example(text, bool(_WHOLE.search(text))) for text in texts]
    for _ in range(_ROUNDS):
        todo = [example for example in given if not example.settled]
        if not todo:
            break
        outcomes = outcomes_of(mlir_opt, [example.case() for example in todo])
        for example, outcome in zip(todo, outcomes, strict=True):
            example.mend(outcome)
    return given


def outcomes_of(mlir_opt: str, given: list[oracle.Case]) -> list[str]:
    """mlir-opt's outcomes, in portions that one crash does not cost much."""
    return [found for at in range(0, len(given), 100) for found in upstream(mlir_opt, given[at : at + 100])]


def main(name: str, shown: str = "") -> None:
    """Compare."""
    from tests.conftest import llvm_tool
    from tests.dialects.variants import verdict

    mlir_opt = llvm_tool("mlir-opt")
    given = [example.case() for example in examples(mlir_opt, name)]
    counts: Counter[str] = Counter()
    for case, ours, theirs in zip(given, oracle.ours(given), outcomes_of(mlir_opt, given), strict=True):
        if theirs == CRASH:
            continue
        said = verdict(theirs, ours)
        counts[said] += 1
        if (shown == "all" and not said.startswith("same")) or said == shown:
            print(f"==== {said}\n{case.text}  theirs: {theirs}\n  ours:   {ours}")
    print(name, len(given), dict(counts))


if __name__ == "__main__":
    main(*sys.argv[1:])
