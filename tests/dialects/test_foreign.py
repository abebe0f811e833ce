"""Files as kernels stand in them beside other dialects: `transform`, `tensor`, `linalg`, ...: printed as mlir-opt prints.

A text that mlir-opt has printed is printed by it as it is; so the files of `foreign` hold what it prints of them too.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.dialects import oracle
from weft.dialects.foreign.formats import read_format
from weft.dialects.foreign.operation import ForeignOp
from weft.dialects.foreign.tables import DIALECTS, operation, table
from weft.transforms.chunks import run_chunks

FILES = sorted((Path(__file__).parent / "foreign").glob("*.mlir"))
OPTION = "--allow-unregistered-dialect"


def printed(text: str) -> list[str]:
    outcome = run_chunks(text, "", filename="-", chunked=True, verify_diagnostics=False, allow_unregistered=True)
    assert not outcome.errors, outcome.errors[0].render()
    return [oracle.plain(part) for part in outcome.text.split(oracle.MARKER)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_printed_as_mlir_opt_prints(path: Path, mlir_opt: str) -> None:
    given = oracle.cases(path)
    text = f"{oracle.MARKER}\n".join(case.text for case in given)
    theirs = oracle.upstream(mlir_opt, given, OPTION)
    assert printed(text) == theirs
    again = f"{oracle.MARKER}\n".join(theirs)
    assert printed(again) == theirs


def test_every_row_makes_a_class_and_a_format() -> None:
    for dialect in DIALECTS:
        for name in table(dialect).names:
            found = operation(f"{dialect}.{name}")
            assert found is not None and found.name == f"{dialect}.{name}"
            assert issubclass(found, ForeignOp)
            definition = found.get_irdl_definition()
            if definition.assembly_format is not None:
                assert read_format(found, definition.assembly_format, definition).stmts
