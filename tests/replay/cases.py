"""The inputs: MLIR of tests, examples and benchmarks, tile kernels, random kernels, and what tests were seen to compile."""

from __future__ import annotations

import ast
import json
import random
from collections.abc import Iterator
from pathlib import Path

from weft.dataclass import dataclass

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("tests", "examples", "benchmarks", "docs")
CAPTURED = ROOT / "build" / "replay" / "captured.jsonl"
"""What `python -m pytest -p tests.replay.capture ...` leaves: outside of git, added to by every run."""
MARKER = "// -----"
_STARTS = ("func.func", "llvm.func", "gpu.func", "gpu.module", "llvm.mlir.global", "nvvm.")
SEED = "replay"


@dataclass(frozen=True)
class Case:
    """A text of MLIR and its target, or (`kernel` not empty) the tile kernel of that name in the file `text`."""

    name: str
    text: str
    target: str = "sm_100a"
    kernel: str = ""

    def json(self) -> str:
        """One line, for the process that compiles it."""
        return json.dumps([self.name, self.text, self.target, self.kernel])


def _of_file(path: Path) -> Iterator[Case]:
    name = str(path.relative_to(ROOT))
    for number, chunk in enumerate(path.read_text(encoding="utf-8").split(MARKER)):
        yield Case(f"{name}#{number}", chunk)


def _strings(path: Path) -> Iterator[Case]:
    """The string literals of a Python file that are MLIR, as far as one can see."""
    name = str(path.relative_to(ROOT))
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and any(s in node.value for s in _STARTS):
            for number, chunk in enumerate(node.value.split(MARKER)):
                yield Case(f"{name}:{node.lineno}.{node.col_offset}#{number}", chunk)


def _kernels(path: Path) -> Iterator[Case]:
    """The tile kernels that are in a file at module level, for an older and a newer target."""
    name = str(path.relative_to(ROOT))
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and any("kernel" in ast.unparse(d) for d in node.decorator_list):
            for target in ("sm_80", "sm_90a"):
                yield Case(f"{name}:{node.name} {target}", str(path), target, node.name)


def written() -> Iterator[Case]:
    """The modules and kernels that are in files."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.mlir")):
            yield from _of_file(path)
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path.parent != Path(__file__).parent:
                yield from _strings(path)
                yield from _kernels(path)
    for path in sorted((ROOT / "src" / "weft" / "tile" / "kernels").glob("*.py")):
        yield from _kernels(path)


def generated(count: int) -> Iterator[Case]:
    """The first so many random kernels of a fixed seed."""
    from tests.differential.generator import generate

    for number in range(count):
        kernel = generate(f"k{number}", f"{SEED} {number}")
        target = ("sm_80", "sm_90a", "sm_100a")[number % 3]
        yield Case(f"generated {number}", f"gpu.module @m {{\n{kernel.text()}}}\n", target)


def captured() -> Iterator[Case]:
    """What tests were seen to compile."""
    if not CAPTURED.exists():
        return
    for line in CAPTURED.read_text(encoding="utf-8").splitlines():
        yield Case(*json.loads(line))


def cases(count: int, sample: float) -> list[Case]:
    """All cases, or a part of them that is the same in every run."""
    found = [*written(), *captured(), *generated(count)]
    distinct = {(case.text, case.target, case.kernel): case for case in reversed(found)}
    everything = list(reversed(distinct.values()))
    return everything if sample >= 1 else [c for c in everything if random.Random(c.name).random() < sample]
