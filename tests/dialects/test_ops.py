"""Every operation, valid and invalid, beside mlir-opt: the same text, or the same error at the same place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.dialects import oracle
from tests.dialects.telling import is_telling, name_of
from weft.mlir.printer import Style
from weft.transforms import run_chunks

FILES = oracle.FILES
STORED_FILES = oracle.STORED_FILES
_PLACE = re.compile(r"\d+:\d+: ")
OTHER_MISTAKES = {
    "written/affine": 4, "written/arith": 3, "written/general": 14, "written/gpu": 4, "written/llvm": 8,
    "written/memref": 9, "written/others": 1, "written/scf": 3, "written/vector": 4,
}  # fmt: skip
"""How many cases of a file are refused for another of their mistakes, or in other words, than mlir-opt refuses them."""


def differing(path: Path, *, telling: bool) -> list[str]:
    """The cases of a file, the telling ones or the others, that weft prints, or refuses, otherwise than mlir-opt."""
    given = [
        (case, theirs)
        for case, theirs in zip(oracle.cases(path), oracle.stored(path), strict=True)
        if is_telling(path, case) == telling
    ]
    found = oracle.ours([case for case, _ in given], allow_unregistered=bool(oracle.options(path)))
    outcomes = [(case, ours, theirs) for (case, theirs), ours in zip(given, found, strict=True) if ours != theirs]
    taken = [f"{path.name}:{case.line}" for case, *both in outcomes if not all(map(_PLACE.match, both))]
    assert not taken, "taken by one of the two, or printed otherwise"
    return [f"{path.name}:{case.line}" for case, *_ in outcomes]


@pytest.mark.parametrize(
    ("path", "telling"),
    [
        *(pytest.param(path, True, id=name_of(path)) for path in STORED_FILES),
        *(pytest.param(path, False, id=f"others of {name_of(path)}", marks=pytest.mark.slow) for path in STORED_FILES),
    ],
)
def test_as_mlir_opt(path: Path, telling: bool) -> None:
    found = differing(path, telling=telling)
    assert len(found) == (0 if telling else OTHER_MISTAKES.get(name_of(path), 0)), found


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", STORED_FILES, ids=name_of)
def test_stored_outcomes_are_those_of_mlir_opt(path: Path, mlir_opt: str) -> None:
    assert oracle.stored(path) == oracle.upstream(mlir_opt, oracle.cases(path), *oracle.options(path))


# Where the generic form shows a number for weft's word, more zeros, or another length of vectors.
_OTHERWISE = re.compile(r'comdat|branch_weights|shufflevector|dbg|failures\(|"llvm\.mlir\.global"')


@pytest.mark.sample(4)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_generic_form_as_mlir_opt(path: Path, mlir_opt: str) -> None:
    outcomes = zip(oracle.cases(path), oracle.stored(path), strict=True)
    valid = [case for case, outcome in outcomes if _PLACE.match(outcome) is None]
    given = [case for case in valid if _OTHERWISE.search(case.text) is None]
    theirs = oracle.upstream(mlir_opt, given, "--mlir-print-op-generic")
    text = f"{oracle.MARKER}\n".join(case.text for case in given)
    outcome = run_chunks(text, "", filename="-", chunked=True, verify_diagnostics=False, style=Style(generic=True))
    for case, ours, expected in zip(given, outcome.text.split(oracle.MARKER), theirs, strict=True):
        assert oracle.plain(ours) == expected, f"{path.name}:{case.line}"
