"""Bad input to every command that reads: a message with a position, status 1, and nothing written."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.command import weft
from tests.conftest import ROOT

GEMM = (ROOT / "examples" / "gemm_sm80.mlir").read_text()


def kernel(body: str, arguments: str = "%p: memref<?xf32>") -> str:
    return f"gpu.module @m {{\n  gpu.func @k({arguments}) kernel {{\n{body}\n    gpu.return\n  }}\n}}\n"


SHARED = "memref<16x16xf16, #gpu.address_space<workgroup>>"
MLIR = {
    "truncated": (GEMM[: len(GEMM) // 2], None, ""),
    "empty region": ("gpu.module @m {", 1, ""),
    "unknown op of a dialect": (kernel("    nvgpu.frobnicate %p : memref<?xf32>"), 3, "nvgpu.frobnicate"),
    "unknown dialect": (kernel("    quantum.entangle"), 3, "quantum"),
    "undefined value": (kernel("    %i = arith.addi %a, %a : index"), 3, "%?a"),
    "wrong type": (kernel("    %c = arith.constant 1.0 : f32\n    %i = arith.addi %c, %c : f32"), 4, ""),
    "ldmatrix from global memory": (
        kernel(
            "    %c0 = arith.constant 0 : index\n"
            "    %a = nvgpu.ldmatrix %p[%c0, %c0] {numTiles = 4 : i32, transpose = false}"
            " : memref<16x16xf16> -> vector<4x2xf16>",
            "%p: memref<16x16xf16>",
        ),
        4,
        "(?i)workgroup|shared|memory space",
    ),
    "mma of a shape that does not exist": (
        kernel(
            "    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 15]}"
            " : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>",
            "%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf32>",
        ),
        3,
        "",
    ),
}


def refused(done: subprocess.CompletedProcess[str], path: Path, line: int | None, words: str) -> None:
    """The message names the place and says what is wrong, without a traceback."""
    assert done.returncode == 1, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr
    place = re.match(rf"{re.escape(str(path))}:(\d+):(\d+): error: .+", done.stderr)
    assert place, done.stderr
    assert line is None or int(place[1]) == line, done.stderr
    assert re.search(words, done.stderr), done.stderr
    assert re.search(r"^ *\^", done.stderr, re.MULTILINE), done.stderr


@pytest.mark.parametrize("name", MLIR)
def test_bad_mlir(name: str, tmp_path: Path) -> None:
    text, line, words = MLIR[name]
    path, output = tmp_path / "bad.mlir", tmp_path / "out.ptx"
    path.write_text(text)
    refused(weft("compile", str(path), "--target", "sm_80", "-o", str(output)), path, line, words)
    assert list(tmp_path.iterdir()) == [path]


def test_target_too_old_for_an_op(tmp_path: Path) -> None:
    path, output = tmp_path / "gemm.mlir", tmp_path / "out.ptx"
    path.write_text(GEMM)
    refused(weft("compile", str(path), "--target", "sm_75", "-o", str(output)), path, None, "sm_75|sm_80")
    assert list(tmp_path.iterdir()) == [path]


def test_target_that_does_not_exist(tmp_path: Path) -> None:
    path = tmp_path / "gemm.mlir"
    path.write_text(GEMM)
    done = weft("compile", str(path), "--target", "sm_8O", "-o", str(tmp_path / "out.ptx"))
    assert done.returncode == 2
    assert "error: --target: unknown target 'sm_8O': did you mean sm_8" in done.stderr
    assert list(tmp_path.iterdir()) == [path]


PTX = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
    .reg .b32 %r<5>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p];
    ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%rd1];
    ret;
}
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        (".x4", ".x3", 9, r"\.x3.*\n(.*\n)*hint"),
        ("%r4}", "%r9}", 9, "%r9"),
        ("ldmatrix.sync", "ldmatrx.sync", 9, "ldmatrix"),
        ("[p]", "[q]", 8, "q"),
        ("sm_80", "sm_70", 9, "sm_75"),
        ("{%r1, %r2, %r3, %r4}", "{%r1, %r2}", 9, "4"),
        ("%rd1, [p]", "%r1, [p]", 8, "%r1|64"),
    ],
)
def test_bad_ptx(old: str, new: str, line: int, words: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.ptx"
    path.write_text(PTX.replace(old, new))
    refused(weft("verify", str(path)), path, line, words)


def test_the_ptx_without_the_defect_is_fine(tmp_path: Path) -> None:
    path = tmp_path / "good.ptx"
    path.write_text(PTX)
    done = weft("verify", str(path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
