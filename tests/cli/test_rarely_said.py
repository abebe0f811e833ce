"""What commands print of things that rarely happen, whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command import weft
from weft.isa.target import describe_targets
from weft.mlir import parse_mlir
from weft.transforms.tile_lowering import explain_module

HEAD = ".version 7.0\n.target sm_80\n.address_size 64\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")


def said(*arguments: str) -> tuple[int, str, str]:
    done = weft(*arguments)
    return done.returncode, done.stdout, done.stderr


def test_what_a_module_needs_that_nothing_knows() -> None:
    body = "frob.b32 %r1, nope;\nfrob.b32 %r1, nope;\nadd.u32 %r1, %r1, other;\nret;\n"
    Path("k.ptx").write_text(f"{HEAD}.entry k()\n{{\n{body}}}\n")
    unknown = "  not in the ISA table: frob.b32\n"
    undeclared = "".join(f"  not declared: {name}\n" for name in ("%r1", "nope", "other"))
    assert said("requires", "k.ptx") == (0, f"PTX 1.0 and any target\n{unknown}{undeclared}", "")
    status, out, _ = said("requires", "k.ptx", "--json")
    found = json.loads(out)
    assert (status, found["version"], found["forced_by"]) == (0, "1.0", [])
    assert (found["unknown"], found["undeclared"]) == (["frob.b32"], ["%r1", "nope", "other"])
    assert (found["targets"]["sm_10"], found["targets"]["sm_90a"], found["targets"]["sm_121a"]) == ("1.0", "8.0", "8.8")


def test_no_target_is_none() -> None:
    assert describe_targets(frozenset()) == "no target"


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"asm(\x80);"])
def test_lint_of_what_is_no_text(data: bytes) -> None:
    Path("k.cu").write_bytes(data)
    column = 1 if data[0] == 0xFF else 5
    message = f"invalid UTF-8: byte {data[column - 1]:#x}"
    counted = "1 file: 1 error\n0 asm statements\n"
    assert said("lint", "k.cu") == (1, "", f"k.cu:1:{column}: error: {message} [asm]\n{counted}")
    found = json.loads(said("lint", "--json", "k.cu")[1])
    (finding,) = found.pop("findings")
    assert found == {"files": 1, "errors": 1, "warnings": 0}
    assert (finding["code"], finding["line"], finding["column"], finding["message"]) == ("asm", 1, column, message)


def test_choices_of_a_compilation_are_explained() -> None:
    Path("k.mlir").write_text(text := "gpu.module @m { gpu.func @k() kernel { gpu.return } }\n")
    explained = explain_module(parse_mlir(text, "k.mlir"), "sm_80")
    assert said("compile", "k.mlir", "--target", "sm_80", "--explain") == (0, explained + "\n", "")


def test_an_option_of_the_target_may_stand_in_the_way() -> None:
    text = ".version 1.4\n.target sm_10, map_f64_to_f32\n.entry k()\n{\nret;\n}\n"
    Path("k.ptx").write_text(text)
    assert said("requires", "k.ptx", "--retarget", "sm_12") == (0, text.replace("sm_10", "sm_12"), "")
    found = "k.ptx:2:16: error: sm_75 does not support map_f64_to_f32: only sm_10 to sm_12 do\n"
    place = ".target sm_10, map_f64_to_f32\n               ^"
    moved = "k.ptx: error: the module cannot be moved to sm_75\n"
    assert said("requires", "k.ptx", "--retarget", "sm_75") == (1, "", f"{moved}{found}{place}\n")
    status, out, _ = said("requires", "k.ptx", "--retarget", "sm_75", "--json")
    way = {"target": "sm_75", "version": "6.3", "free": False, "obstacles": [], "complaints": [found + place]}
    assert (status, json.loads(out)) == (1, way)
