"""A module imports only from floors below its own, and the PTX side never loads xDSL."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "weft"

FLOORS = {
    "dataclass": 0,
    "collecting": 0,
    "errors": 0,
    "report": 0,
    "isa": 0,
    "layout": 0,
    "ptx": 1,
    "mc": 1,
    "dialects": 1,
    "mlir": 1,
    "transforms": 2,
    "codegen": 2,
    "sim": 2,
    "lint": 2,
    "tracing": 4,
    "toolchain": 3,
    "tile": 4,
    "cli": 5,
    "view": 5,
}
WITHOUT_XDSL = {"collecting", "dataclass", "errors", "isa", "layout", "ptx", "mc", "sim", "toolchain", "lint"}
# What stands beside another room on one floor and may still use it.
NEIGHBOURS = {
    ("codegen", "transforms"),
    ("mlir", "dialects"),
    ("cli", "view"),
    ("mc", "ptx"),
    ("ptx", "mc"),
    ("layout", "isa"),
}

FILES = sorted(SOURCE.rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """Each imported module with its line, those inside functions and `TYPE_CHECKING` blocks included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            assert node.module is not None
            if node.module == "weft":
                yield from ((f"weft.{alias.name}", node.lineno) for alias in node.names)
            else:
                yield node.module, node.lineno


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_down(path: Path) -> None:
    here = room(path)
    if here in ("__init__", "__main__"):
        return
    assert here in FLOORS, f"{here} stands on no floor: name it in FLOORS"
    for module, line in imports(path):
        parts = module.split(".")
        if parts[0] == "xdsl":
            assert here not in WITHOUT_XDSL, f"{path}:{line}: {here} never imports xdsl"
        if parts[0] != "weft" or len(parts) < 2 or parts[1] in (here, "__version__"):
            continue
        there = parts[1]
        lower = FLOORS.get(there, -1) < FLOORS[here]
        same_ground = FLOORS[here] == 0 and there in ("dataclass", "errors")
        assert lower or same_ground or (here, there) in NEIGHBOURS, (
            f"{path}:{line}: {here} (floor {FLOORS[here]}) imports {there} (floor {FLOORS.get(there)})"
        )


@pytest.mark.parametrize("module", ["weft", "weft.isa", "weft.ptx", "weft.toolchain", "weft.cli"])
def test_xdsl_is_not_loaded(module: str) -> None:
    """What the imports say is also what happens: a fresh interpreter that loads the module has no xdsl."""
    check = f"import sys, {module}; sys.exit('xdsl' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_importing_weft_loads_nothing_else() -> None:
    check = "import sys, weft; sys.exit(any(name.startswith('weft.') or name == 'numpy' for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
