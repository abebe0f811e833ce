"""`weft isa`: what a name stands for, and what targets have."""

from __future__ import annotations

import json
from typing import Any

import pytest

from weft.cli import execute
from weft.dialects.nvgpu.floors import STEMS
from weft.isa import families
from weft.isa.directives import DIRECTIVES
from weft.isa.registers import SPECIAL_REGISTERS
from weft.ptx.features import FUNCTION_DIRECTIVES
from weft.view import catalog


@pytest.fixture
def isa(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: str) -> Any:
        assert execute(["isa", "--json", *arguments]) == 0
        return json.loads(capsys.readouterr().out)

    return run


def test_everything_has_a_page(isa: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("ldmatrix", "LDMatrix", "mma", "%clusterid", "%TID.x", ".maxntid", "nvgpu.ldmatrix", "max.NaN.f32"):
        assert isa(name)["name"]
        assert execute(["isa", name]) == 0
        assert name.lower().rpartition("nvgpu.")[2] in capsys.readouterr().out.lower()
    for name in (*SPECIAL_REGISTERS, *DIRECTIVES):
        assert catalog.look_up(name)["exists"]


def test_starts_and_patterns(isa: Any) -> None:
    assert set(isa("tcgen05")["matches"]) == {stem for stem in families() if stem.startswith("tcgen05.")}
    assert isa("TCGEN05.") == isa("tcgen05")
    assert {"%clusterid", "%cluster_ctaid.x"} <= set(isa("%cluster")["matches"])
    assert "cp.async.bulk.tensor" in isa("cp.*.tensor")["matches"]
    assert set(isa("*ntid")["matches"]) >= {"%ntid", ".maxntid", ".reqntid"}
    assert "cp.async.bulk" in isa("cp.async")["related"]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("ldmatirx", "ldmatrix"),
        ("%clusterdi", "%clusterid"),
        (".maxntd", ".maxntid"),
        ("nvgpu.ldmatrx", "nvgpu.ldmatrix"),
        ("nvvm.mappa", "nvvm.mapa"),
        ("mma.snc", "sync"),
    ],
)
def test_a_misspelt_name_gets_the_nearest(name: str, near: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["isa", name]) == 1
    assert near in capsys.readouterr().err


def test_what_a_target_has(isa: Any) -> None:
    blackwell, turing = isa("--target", "sm_100a")["matches"], isa("-t", "75")["matches"]
    assert "tcgen05.mma" in blackwell
    assert "wgmma.mma_async" not in blackwell
    assert "cp.async" not in turing
    assert {"ldmatrix", "%tid.x", ".maxntid"} <= set(turing)
    assert "%clusterid" not in turing
    assert set(isa("--target", "sm_90a", "wgmma")["matches"]) == set(isa("wgmma")["matches"])
    assert execute(["isa", "--target", "sm_75", "tcgen05"]) == 1


def test_targets_and_their_differences_agree(isa: Any) -> None:
    only = isa("--diff", "sm_90a", "sm_100a")["only"]
    assert all(line.startswith("wgmma") for line in only["sm_90a"])
    assert any(line.startswith("tcgen05.mma") for line in only["sm_100a"])
    for name in ("sm_75", "sm_90a", "sm_103f"):
        assert catalog.difference(name, name) == {"only": {name: []}}
        assert "add" in catalog.of_target(name)["matches"]
    mirrored = catalog.difference("sm_100a", "sm_90a")["only"]
    assert {target: only[target] for target in sorted(only)} == {t: mirrored[t] for t in sorted(mirrored)}
    assert execute(["isa", "--diff", "sm_90a"]) == 2
    assert execute(["isa", "--diff", "sm_90a", "sm_80", "mma"]) == 2


def test_every_operation_of_nvgpu_that_is_an_instruction_has_a_family() -> None:
    assert set(STEMS.values()) <= set(families())


def test_the_directives_of_functions_are_those_that_the_verifier_knows() -> None:
    assert {f".{name}" for name in FUNCTION_DIRECTIVES} <= set(DIRECTIVES)
