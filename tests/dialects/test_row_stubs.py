"""What type checkers see of operations that are rows, and that handlers, lowerings and checks say for which they are."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from xdsl.ir import Operation

from weft.dialects import lazy, rows
from weft.dialects.engine.operations import op_class, tables
from weft.mlir.module import shared_context

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src"


@cache
def _stub() -> ast.Module:
    spec = spec_from_file_location("row_stubs", ROOT / "scripts" / "row_stubs.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return ast.parse(module.stub())


def _annotated(node: ast.ClassDef) -> dict[str, str]:
    found = (part for part in node.body if isinstance(part, ast.AnnAssign))
    return {ast.unparse(part.target): ast.unparse(part.annotation) for part in found}


def test_the_stub_has_every_row_with_its_fields() -> None:
    """Editors and type checkers see what the tables say."""
    classes = {node.name: node for node in _stub().body if isinstance(node, ast.ClassDef)}
    for dialect in classes.keys() & set(lazy.TABLES):
        held = {node.name: node for node in classes[dialect].body if isinstance(node, ast.ClassDef)}
        names = {f"{dialect}.{name}" for table in tables(dialect) for name in table.titles.values()}
        assert held.keys() == {op_class(name).__name__ for name in names}
        for name in names:
            definition = op_class(name).get_irdl_definition()  # type: ignore[attr-defined]
            parts = (definition.operands, definition.results, definition.regions, definition.successors)
            values = [field for listed in parts for field, _ in listed]
            assert list(_annotated(held[op_class(name).__name__])) == [*values, *definition.accessor_names]


def test_the_stub_says_the_types_of_fields() -> None:
    """Of operands and results as values, of properties as attributes, and None where there may be none."""
    nvvm = next(node for node in _stub().body if isinstance(node, ast.ClassDef) and node.name == "nvvm")
    barrier = next(node for node in nvvm.body if isinstance(node, ast.ClassDef) and node.name == "BarrierOp")
    fields = _annotated(barrier)
    assert fields["barrier_id"] == "SSAValue[xdsl_dialects_builtin_IntegerType] | None"
    assert fields["res"] == "OpResult[xdsl_dialects_builtin_IntegerType] | None"
    assert fields["reduction_op"] == "nvvm_reduction | None"


def test_rows_are_there_at_run_time() -> None:
    """By the names that annotations have for them."""
    assert rows.memref.CopyOp is op_class("memref.copy")
    with pytest.raises(AttributeError, match="no row of 'memref' has the class 'LoadOp'"):
        getattr(rows.memref, "LoadOp")  # noqa: B009
    with pytest.raises(AttributeError, match="no operation of 'linalg' is a row"):
        getattr(rows, "linalg")  # noqa: B009


def _imported(tree: ast.Module) -> dict[str, Any]:
    """What a module imports, for type checkers too."""
    found: dict[str, Any] = {}
    guarded = [node for part in tree.body if isinstance(part, ast.If) for node in part.body]
    for node in (*tree.body, *guarded):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            module = import_module(node.module)
            for name in node.names:
                if not hasattr(module, name.name):
                    import_module(f"{node.module}.{name.name}")
                found[name.asname or name.name] = getattr(module, name.name)
    return found


def _registered(tree: ast.Module) -> dict[str, set[str]]:
    """The operations that the functions of a module are for, where it says them: in `handles`, or in a table."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for call in node.decorator_list:
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "handles":
                    found[node.name] |= {str(name.value) for name in call.args if isinstance(name, ast.Constant)}
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str) and isinstance(value, ast.Name):
                    found[value.id] |= {key.value} if "." in key.value else set()
    return found


def _checks() -> Iterator[tuple[str, str, str]]:
    """The modules and functions that rows name, and the row's operation."""
    for dialect in lazy.TABLES:
        for table in tables(dialect):
            for name in table.names:
                for word in table.row(name).words:
                    module, dot, function = word.partition(".")
                    if dot and module != "xdsl":
                        yield f"weft.dialects.{dialect}.{module}", function, f"{dialect}.{name}"


CONTEXT = shared_context()


def _class_of(name: str) -> type[Operation] | None:
    return lazy.operation(name) or CONTEXT.get_optional_op(name)


@pytest.mark.slow
def test_annotations_are_the_classes_of_the_operations_that_functions_are_for() -> None:
    """A type checker that reads `op: memref.CopyOp` reads what arrives."""
    checked: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for module, function, operation in _checks():
        checked[module][function].add(operation)
    seen = 0
    for folder in ("codegen/ops", "codegen/nvvm", "transforms/nvgpu_to_nvvm", "dialects"):
        for path in sorted((SOURCES / "weft" / folder).rglob("*.py")):
            module = ".".join(path.relative_to(SOURCES).with_suffix("").parts)
            tree = ast.parse(path.read_text(encoding="utf-8"))
            registered = _registered(tree)
            for function, operations in checked[module].items():
                registered[function] |= operations
            names: dict[str, Any] | None = None
            for node in tree.body:
                if not isinstance(node, ast.FunctionDef) or not registered.get(node.name):
                    continue
                said = next((a.annotation for a in node.args.args if a.arg == "op"), None)
                if said is None or ast.unparse(said) in ("Any", "Operation"):
                    continue
                names = names or _imported(tree)
                classes = tuple(eval(part, names) for part in ast.unparse(said).split(" | "))
                for operation in registered[node.name]:
                    made = _class_of(operation)
                    assert made is not None and issubclass(made, classes), f"{module}.{node.name}: {operation}"
                    seen += 1
    assert seen > 200
