"""The table of operations says where each one really is, and xDSL's own tools can load weft's dialects."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from xdsl.dialects import get_all_dialects
from xdsl.ir import Attribute, TypeAttribute
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser

from weft.dialects import lazy
from weft.dialects.context import context
from weft.dialects.engine.operations import Table, tables
from weft.dialects.engine.rows import groups
from weft.dialects.foreign.tables import DIALECTS, table
from weft.errors import MlirError
from weft.mlir.module import parse_mlir
from weft.transforms.universe import UNIVERSE


@pytest.mark.parametrize("dialect", lazy.LAZY_DIALECTS)
def test_every_operation_is_found(dialect: str) -> None:
    names = lazy.operation_names(dialect)
    assert len(set(names)) == len(names)
    for name in names:
        found = lazy.operation(name)
        assert found is not None
        assert found.name == name
    assert {op.name for op in lazy.whole(dialect).operations} == set(names)


@pytest.mark.parametrize("dialect", lazy.LAZY_DIALECTS)
def test_every_attribute_is_found(dialect: str) -> None:
    """The table names all that its modules define, and a context finds it as what it is."""
    found = lazy.attributes(dialect)
    modules = {cls.__module__ for cls in found}
    defined = [value for module in modules for value in vars(sys.modules[module]).values() if isinstance(value, type)]
    for cls in defined:
        if issubclass(cls, Attribute) and "name" in vars(cls) and cls.__module__ in modules:
            assert cls in found or not cls.name.startswith(dialect + ".")
    for cls in found:
        if issubclass(cls, TypeAttribute):
            assert context().get_optional_attr(cls.name) is None
            assert context().get_type(cls.name) is (lazy.syntax_of_type(cls.name) or cls)
        else:
            assert context().get_optional_type(cls.name) is None
            assert context().get_attr(cls.name) is cls


@pytest.mark.parametrize("dialect", ["arith", "gpu", "memref", "nvgpu", "scf", "vector"])
def test_misspelt_names(dialect: str) -> None:
    """An operation whose name lacks a letter is among those that an error speaks of."""
    names = sorted({*lazy.operation_names(dialect), *(op.name for op in context().get_dialect(dialect).operations)})
    for name in names[:: len(names) // 5]:
        wrong = name[:-2] + name[-1]
        if wrong not in names:
            with pytest.raises(MlirError, match=f"custom op '{wrong}' is unknown") as caught:
                parse_mlir(f"{wrong} x")
            assert name in re.findall(r"[\w.]+", caught.value.hint)


def _tables() -> Iterator[Table]:
    for dialect in lazy.TABLES:
        yield from tables(dialect)
    yield from map(table, DIALECTS)


@pytest.mark.parametrize("found", [found for found in _tables() if found.definition(min(found.names)) is not None])
def test_a_row_is_a_whole_definition(found: Table) -> None:
    """Its words are in the vocabulary, and it says of each property what it is, or that the class does."""
    for name in found.names:
        definition = found.definition(name)
        assert definition is not None
        known = {given.name for given in found.properties(name)}
        assert definition.attributes.keys() == known or (definition.more and definition.attributes.keys() < known)


def test_rows_of_classes_that_exist_have_their_values() -> None:
    """The class that a row names has the operands and results, the regions and the blocks of the row."""
    for found in _tables():
        for name in found.names - set(found.titles.values()):
            row, made = found.row(name), found.operation(name)
            assert issubclass(made, IRDLOperation)
            stated = made.get_irdl_definition()
            assert made.name.partition(".")[2] == name
            parts = list(groups(row.operands))
            assert [group.name for group in parts if not group.is_part] == [key for key, _ in stated.operands]
            assert [group.name for group in groups(row.results)] == [key for key, _ in stated.results]
            assert [group.name for group in parts if group.kind.startswith("region")] == [
                key for key, _ in stated.regions
            ]
            assert sum(group.kind == "block" for group in parts) == len(stated.successors)


@pytest.mark.parametrize("word", ["f31", "int", "vectr"])
def test_words_that_are_not_types(word: str) -> None:
    with pytest.raises(MlirError, match="expected non-function type") as caught:
        parse_mlir(f"func.func private @f({word})")
    assert caught.value.hint == f"unknown type '{word}'"


def test_nvgpu_is_whole() -> None:
    """MLIR 22 has 24 operations; weft adds 11."""
    assert len(lazy.operation_names("nvgpu")) == 24 + 11


def test_nvvm_is_whole() -> None:
    assert len(lazy.operation_names("nvvm")) == 185


@pytest.mark.slow
def test_nothing_is_imported_before_it_is_used() -> None:
    check = (
        "import sys; from weft.mlir import parse_mlir; parse_mlir('module {}');"
        "sys.exit(any(name.startswith(('xdsl.dialects.llvm', 'xdsl.dialects.arith', 'weft.dialects.nv')) "
        "for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_universe_adds_to_xdsl() -> None:
    assert not UNIVERSE.all_dialects.keys() & get_all_dialects().keys()
    assert set(UNIVERSE.all_dialects) == {"nvgpu", "nvvm", "tile"}
    assert UNIVERSE.all_passes["convert-nvgpu-to-nvvm"]().name == "convert-nvgpu-to-nvvm"


def test_plain_xdsl_reads_nvgpu() -> None:
    from xdsl.context import Context

    ctx = Context()
    for name, factory in {**get_all_dialects(), **UNIVERSE.all_dialects}.items():
        ctx.register_dialect(name, factory)
    text = """
func.func @f(%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf32>) -> vector<2x2xf32> {
  %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]}
    : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  %t = nvvm.read.ptx.sreg.tid.x : i32
  nvvm.barrier0
  func.return %d : vector<2x2xf32>
}"""
    module = Parser(ctx, text).parse_module()
    module.verify()
    assert "nvgpu.mma.sync(%a, %b, %c)" in str(module)


def test_contexts_are_independent() -> None:
    first, second = context(), context()
    first.get_op("nvgpu.ldmatrix")
    assert "nvgpu.ldmatrix" in {op.name for op in first.loaded_ops}
    assert "nvgpu.ldmatrix" not in {op.name for op in second.loaded_ops}
