"""A module imports only from floors below its own, not in circles, and the PTX side never loads xDSL."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "weft"

FLOORS = {
    "dataclass": 0,
    "checked": 0,
    "collecting": 0,
    "lazily": 0,
    "errors": 0,
    "made": 0,
    "report": 0,
    "patterns": 0,
    "places": 0,
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
    "fatbin": 1,
    "gpu": 4,
    "pytest_plugin": 5,
    "triton": 5,
    "tracing": 4,
    "toolchain": 3,
    "tile": 4,
    "lsp": 5,
    "cli": 5,
    "view": 5,
}
WITHOUT_XDSL = {
    "checked",
    "collecting",
    "lazily",
    "dataclass",
    "errors",
    "made",
    "patterns",
    "places",
    "isa",
    "layout",
    "ptx",
    "mc",
    "sim",
    "toolchain",
    "lint",
    "gpu",
    "fatbin",
}
# What is beside another room on one floor and may still use it.
NEIGHBOURS = {
    ("codegen", "transforms"),
    ("mlir", "dialects"),
    ("cli", "view"),
    ("cli", "lsp"),
    ("lsp", "view"),
    ("mc", "ptx"),
    ("ptx", "mc"),
    ("layout", "isa"),
    ("pytest_plugin", "triton"),
    ("tile", "tracing"),
}

FILES = sorted(SOURCE.rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def name_of(path: Path) -> str:
    """A module's name without `weft`, which is that of the package itself."""
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix("__init__").removesuffix(".")


MODULES = {name_of(path): path for path in FILES}


_IMPORT = re.compile(
    r"^(?P<type>if (?:typing\.)?TYPE_CHECKING:)|"
    r"^[ \t]*(?:from (?P<module>[\w.]+) import (?P<names>\([^)]*\)|[^\n]*)|import (?P<modules>[\w.]+(?:, [\w.]+)*))|"
    r"import_module\(\"(?P<literal>[\w.]+)\"\)|"
    r"^(?P<top>[\w@])",
    re.MULTILINE,
)
"""What matters of a source: its imports, and where those that are for types only begin and end."""


@cache
def imports(path: Path) -> tuple[tuple[str, int, bool], ...]:
    """Each imported module with its line, in functions and by a literal name too; whether it is for types only.

    By a pattern: to parse every file takes a hundred times as long.
    """
    text = path.read_text(encoding="utf-8")
    found: list[tuple[str, int, bool]] = []
    only = False
    for match in _IMPORT.finditer(text):
        if match["type"] or match["top"]:
            only = bool(match["type"])
            continue
        line = text.count("\n", 0, match.start()) + 1
        if not match[0][0].isspace():
            only = False
        if match["module"]:
            assert not match["module"].startswith("."), f"{path}:{line}: relative import"
            names = re.sub(r"#.*|[()\\]", "", match["names"]).split(",")
            inner = [name.split()[0] for name in names if name.strip()]
            found += ((_imported(match["module"], name), line, only) for name in inner)
        else:
            modules = match["modules"] or match["literal"]
            found += ((name.strip(), line, only) for name in modules.split(","))
    return tuple(found)


def _imported(module: str, name: str) -> str:
    """The module that `from module import name` loads."""
    inner = f"{module}.{name}"
    return inner if module == "weft" or inner.removeprefix("weft.") in MODULES else module


def test_imports_point_down() -> None:
    problems: list[str] = []
    for path in FILES:
        here = room(path)
        if here in ("__init__", "__main__"):
            continue
        assert here in FLOORS, f"{here} stands on no floor: name it in FLOORS"
        for module, line, _ in imports(path):
            parts = module.split(".")
            if parts[0] == "xdsl" and here in WITHOUT_XDSL:
                problems.append(f"{path}:{line}: {here} never imports xdsl")
            if parts[0] != "weft" or len(parts) < 2 or parts[1] in (here, "__version__"):
                continue
            there = parts[1]
            lower = FLOORS.get(there, -1) < FLOORS[here]
            same_ground = FLOORS[here] == 0 and there in ("checked", "dataclass", "errors", "made")
            if not (lower or same_ground or (here, there) in NEIGHBOURS):
                problems.append(f"{path}:{line}: {here} (floor {FLOORS[here]}) imports {there}")
    assert problems == []


def circles(edges: dict[str, set[str]]) -> list[set[str]]:
    """The sets of modules that import each other, directly or not."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []

    def visit(module: str) -> None:
        number[module] = lowest[module] = len(number)
        stack.append(module)
        for other in edges[module]:
            if other not in number:
                visit(other)
            if other in stack:
                lowest[module] = min(lowest[module], lowest[other])
        if lowest[module] == number[module]:
            at = stack.index(module)
            if len(stack) - at > 1:
                found.append(set(stack[at:]))
            del stack[at:]

    for module in edges:
        if module not in number:
            visit(module)
    return found


def test_no_module_imports_itself_in_a_circle() -> None:
    edges = {
        name: {module.removeprefix("weft.") for module, _, only in imports(path) if not only}
        & MODULES.keys() - {name, ""}
        for name, path in MODULES.items()
        if name
    }
    assert circles(edges) == []


@pytest.mark.parametrize("module", ["weft", "weft.isa", "weft.ptx", "weft.toolchain", "weft.cli"])
def test_xdsl_is_not_loaded(module: str) -> None:
    """What the imports say is also what happens: a fresh interpreter that loads the module has no xdsl."""
    check = f"import sys, {module}; sys.exit('xdsl' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_importing_weft_loads_nothing_else() -> None:
    check = "import sys, weft; sys.exit(any(name.startswith('weft.') or name == 'numpy' for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
