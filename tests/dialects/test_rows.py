"""A row whose words mean nothing, or two things, is refused where its table is compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from xdsl.dialects.builtin import IntegerAttr, StringAttr

import weft.dialects.gpu.attributes
from weft.dialects import engine
from weft.dialects.engine import attributes
from weft.dialects.engine.operations import TRAITS, Table, tables
from weft.dialects.engine.rows import RowError, split_rows
from weft.dialects.foreign import tables as foreign


def _table(rows: str, kinds: dict[str, Any] | None = None, vocabulary: str = "") -> Table:
    return Table("gpu", rows, {}, kinds or {}, vocabulary=vocabulary)


def _compile(table: Table) -> None:
    table.operation("a")
    table.definition("a")


@pytest.mark.parametrize(
    ("types", "kinds", "traits"),
    [({"index": StringAttr}, {}, {}), ({}, {"i32": StringAttr}, {}), ({}, {}, {"pure": TRAITS["reads"]})],
)
def test_no_table_gives_shared_words_another_meaning(
    types: dict[str, Any], kinds: dict[str, Any], traits: dict[str, Any]
) -> None:
    with pytest.raises(RowError, match="words that all tables have"):
        Table("gpu", "a | | | | | an operation", types, kinds, traits=traits)


def test_a_kind_of_property_is_not_an_attribute_too() -> None:
    made = _table("a | mode:dim | | | | an operation", {"dim": IntegerAttr})
    with pytest.raises(RowError, match=r"dim is a kind of property of gpu, and the attribute gpu\.dim"):
        made.operation("a")


def test_an_attribute_is_not_called_as_a_kind_of_all_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weft.dialects.gpu.attributes, "ROWS", "index <> Index a b |\n")
    attributes.rows.cache_clear()
    try:
        with pytest.raises(RowError, match=r"index is a kind of property of gpu, and the attribute gpu\.index"):
            _table("a | place:index | | | | an operation").operation("a")
    finally:
        attributes.rows.cache_clear()


def test_a_type_is_no_kind_of_property() -> None:
    with pytest.raises(RowError, match=r"gpu\.async\.token is a type"):
        _table("a | token:gpu.async.token | | | | an operation").operation("a")


@pytest.mark.parametrize("vocabulary", ["", "func", "gpu"])
@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("a x:any=nonesuch | | | | | an operation", "gpu has no type nonesuch"),
        ("a | x:nonesuch | | | | an operation", "kind of property nonesuch"),
    ],
)
def test_words_that_mean_nothing(row: str, message: str, vocabulary: str) -> None:
    made = _table(row, vocabulary=vocabulary)
    with pytest.raises(RowError, match=message):
        _compile(made)


@pytest.mark.parametrize("vocabulary", ["", "gpu"])
def test_types_that_are_in_no_table(vocabulary: str) -> None:
    with pytest.raises(RowError, match="gpu has no type nonesuch"):
        _compile(_table("a x:nonesuch | | | | | an operation", vocabulary=vocabulary))


def test_an_operation_has_one_row() -> None:
    with pytest.raises(RowError, match="b has two rows"):
        split_rows("a, b | | | | | an operation\nb | | | | | another")
    with pytest.raises(RowError, match="no name"):
        split_rows("a")


@pytest.mark.parametrize("word", ["pures", "reducedx", "endings!"])
def test_a_word_that_is_no_trait_is_refused(word: str) -> None:
    with pytest.raises(RowError, match=f"{word}, which a row says"):
        _compile(_table(f"a | | | {word} | | an operation"))


def test_every_row_of_every_table_has_a_definition() -> None:
    """All its words mean something."""
    folders = sorted(path.parent.name for path in Path(engine.__file__).parents[1].glob("*/ops.py"))
    every = [table for dialect in folders for table in tables(dialect)]
    every += [foreign.table(dialect) for dialect in foreign.DIALECTS]
    count = 0
    for table in every:
        for name in table.names:
            assert table.definition(name) is not None
            count += 1
    assert count > 1000
