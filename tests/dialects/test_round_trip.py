"""Snippets in upstream syntax: weft reads what mlir-opt reads, and each reads what the other prints."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from weft.mlir import parse_mlir, print_mlir

SNIPPETS = sorted((Path(__file__).parent / "snippets").glob("*.mlir"))


def normalised(mlir_opt: str, text: str) -> str:
    """What mlir-opt prints for a text."""
    done = subprocess.run([mlir_opt], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", SNIPPETS, ids=lambda path: path.stem)
def test_mlir_opt_sees_the_same_module(path: Path, mlir_opt: str) -> None:
    text = path.read_text()
    ours = print_mlir(parse_mlir(text, path.name))
    assert normalised(mlir_opt, ours) == normalised(mlir_opt, text)


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", SNIPPETS, ids=lambda path: path.stem)
def test_reads_what_mlir_opt_prints(path: Path, mlir_opt: str) -> None:
    theirs = normalised(mlir_opt, path.read_text())
    ours = print_mlir(parse_mlir(theirs, path.name))
    assert normalised(mlir_opt, ours) == theirs


# xDSL's `llvm.getelementptr` drops `noWrapFlags`, the generic form's spelling of `inbounds`.
@pytest.mark.sample(1)
@pytest.mark.parametrize("path", [path for path in SNIPPETS if path.stem != "llvm"], ids=lambda path: path.stem)
def test_reads_the_generic_form(path: Path, mlir_opt: str) -> None:
    done = subprocess.run([mlir_opt, "-mlir-print-op-generic", str(path)], capture_output=True, text=True, check=True)
    ours = print_mlir(parse_mlir(done.stdout, path.name))
    assert normalised(mlir_opt, ours) == normalised(mlir_opt, path.read_text())


@pytest.mark.parametrize("path", SNIPPETS, ids=lambda path: path.stem)
def test_reads_what_it_prints(path: Path) -> None:
    module = parse_mlir(path.read_text(), path.name)
    assert parse_mlir(print_mlir(module), path.name).is_structurally_equivalent(module)


def test_generic_globals(mlir_opt: str) -> None:
    text = "llvm.mlir.global internal @x(0 : i32) {addr_space = 3 : i32} : i32\n"
    command = [mlir_opt, "-mlir-print-op-generic"]
    generic = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    assert normalised(mlir_opt, print_mlir(parse_mlir(generic))) == normalised(mlir_opt, text)
