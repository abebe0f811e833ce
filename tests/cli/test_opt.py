"""`weft opt` beside mlir-opt: what it prints, mlir-opt reads; what it refuses, it refuses with a place."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import weft
from tests.conftest import ROOT

EXAMPLES = sorted(path for path in (ROOT / "examples").glob("*.mlir") if not path.stem.endswith("sm90a"))
EVERY = [*sorted((ROOT / "examples").glob("*.mlir")), *sorted((ROOT / "tests/dialects/snippets").glob("*.mlir"))]


def opt(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return weft("opt", *arguments, stdin=stdin)


def reprint(mlir_opt: str, text: str) -> str:
    command = [mlir_opt, "-mlir-print-op-generic"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_means_the_same_to_mlir_opt(path: Path, mlir_opt: str) -> None:
    done = opt(str(path))
    assert done.returncode == 0, done.stderr
    assert reprint(mlir_opt, done.stdout) == reprint(mlir_opt, path.read_text())


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", EVERY, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_files_flow_both_ways(path: Path, mlir_opt: str) -> None:
    ours = opt(str(path)).stdout
    theirs = subprocess.run([mlir_opt], input=path.read_text(), capture_output=True, text=True, check=True).stdout
    assert plain(ours) == plain(theirs)
    assert opt("-", stdin=ours).stdout == ours
    assert opt("-", stdin=theirs).stdout == ours


def plain(text: str) -> str:
    """A text without second spaces, and without any at its end and at the ends of its lines."""
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_passes_give_what_mlir_opt_reads(path: Path, mlir_opt: str) -> None:
    done = opt(str(path), "-p", "convert-nvgpu-to-nvvm,canonicalize,cse")
    assert done.returncode == 0, done.stderr
    assert "nvgpu." not in done.stdout
    reprint(mlir_opt, done.stdout)


def test_unknown_pass() -> None:
    done = opt("-", "-p", "canonicalise", stdin="module {}\n")
    assert done.returncode == 1
    assert "error: unknown pass 'canonicalise'" in done.stderr
    assert "hint: did you mean canonicalize" in done.stderr


def test_pipeline_that_does_not_parse() -> None:
    done = opt("-", "-p", "cse{", stdin="module {}\n")
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")


def test_list() -> None:
    names = opt("--list").stdout.split()
    assert {"canonicalize", "cse", "convert-nvgpu-to-nvvm"} <= set(names)


@pytest.mark.slow
def test_without_a_file() -> None:
    text = "func.func @f() {\n  return\n}\n"
    done = subprocess.run(
        [sys.executable, "-m", "weft", "opt"], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert done.stdout == "module {\n  func.func @f() {\n    return\n  }\n}\n"


def test_an_error_for_each_function(tmp_path: Path) -> None:
    path = tmp_path / "two.mlir"
    wrong = '(%x: i32) {\n  %0 = "arith.addi"(%x) : (i32) -> i32\n  return\n}\n'
    path.write_text(f"func.func @f{wrong}func.func @g{wrong}")
    done = opt(str(path))
    assert done.returncode == 1
    assert done.stderr.count("error: ") == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["--convert-nvgpu-to-nvvm", "--canonicalize", "--cse"],
        ["-convert-nvgpu-to-nvvm", "-canonicalize", "-cse"],
        ["-p", "convert-nvgpu-to-nvvm", "--canonicalize", "-p", "cse"],
        ["--pass-pipeline=builtin.module(convert-nvgpu-to-nvvm,canonicalize,cse)"],
        ["-pass-pipeline", "builtin.module(gpu.module(convert-nvgpu-to-nvvm,canonicalize,cse))"],
    ],
    ids=" ".join,
)
def test_passes_as_mlir_opt_takes_them(arguments: list[str]) -> None:
    source = str(ROOT / "examples/gemm_sm80.mlir")
    done = opt(source, *arguments)
    assert done.returncode == 0, done.stderr
    assert "nvgpu." not in done.stdout
    assert (
        done.stdout
        == opt(*arguments, source).stdout
        == opt(source, "-p", "convert-nvgpu-to-nvvm,canonicalize,cse").stdout
    )


def test_a_pass_with_an_option() -> None:
    loop = (
        "func.func @f(%m: memref<8xf32>, %v: f32, %a: index, %b: index, %c: index) {\n"
        "  scf.for %i = %a to %b step %c {\n    memref.store %v, %m[%i] : memref<8xf32>\n  }\n  return\n}\n"
    )
    done = opt("-", "--arith-add-fastmath=flags=fast", stdin=loop)
    assert done.returncode == 0, done.stderr


def test_unknown_options() -> None:
    done = opt("-", "--canonicalise", stdin="module {}\n")
    assert done.returncode == 2
    assert "No such option '--canonicalise'. Did you mean '--canonicalize'?" in done.stderr


def test_dump_after_each_pass() -> None:
    done = opt("-", "-canonicalize", "-cse", "-mlir-print-ir-after-all", stdin="module {}\n")
    assert done.stdout == "module {\n}\n"
    dumps = [f"// -----// IR Dump After {name} //----- //\nmodule {{\n}}\n\n\n" for name in ("canonicalize", "cse")]
    assert done.stderr == "".join(dumps)
