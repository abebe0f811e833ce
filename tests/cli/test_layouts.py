"""`weft layout --banks` and `weft requires`, whole: conflicts, and advice that keeps its word."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command import weft

MATRIX = """\
S[(8,64):(64,1)]
ldmatrix.x4, 16 bytes per lane: 2 instructions, 8 phases, 64 wavefronts: 56 too many, up to 8-way conflicts
instruction 0:
32 wavefronts in 4 phases: 8-way conflicts
phase 0, lanes 0-7: 8 wavefronts, as in bank 0 for lanes 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7
phase 1, lanes 8-15: 8 wavefronts, as in bank 4 for lanes 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
phase 2, lanes 16-23: 8 wavefronts, as in bank 8 for lanes 16 | 17 | 18 | 19 | 20 | 21 | 22 | 23
phase 3, lanes 24-31: 8 wavefronts, as in bank 12 for lanes 24 | 25 | 26 | 27 | 28 | 29 | 30 | 31
without conflicts: swz(3,3,3) @ S[(8,64):(64,1)]
"""


def test_conflicts_of_matrices() -> None:
    done = weft("layout", "S[8,64]", "--banks", "ldmatrix.x4")
    assert (done.returncode, done.stdout, done.stderr) == (0, MATRIX, "")


@pytest.mark.parametrize(
    ("layout", "arguments"),
    [
        ("S[8,64]", ["ldmatrix.x4"]),
        ("S[16,32]", ["ldmatrix.x2"]),
        ("S[8,64]", ["ldmatrix"]),
        ("S[8,64]", ["stmatrix.x1", "--bits", "16"]),
        ("swz(3,1,3) @ S[8,64]", ["ldmatrix.x4"]),
        ("S[32,32]", ["S[(32,32):(1@laneid,1)]", "--bits", "32"]),
        ("S[32,64]", ["S[(32,64):(1@laneid,1)]", "--bits", "8", "--store"]),
        ("S[64,8]", ["S[(8,8,8):(1@laneid,1,4@laneid)]"]),
        ("S[16,16]", ["mma.m16n8k16.A.f16"]),
    ],
)
def test_advice_takes_conflicts_away(layout: str, arguments: list[str]) -> None:
    """What is advised has none; a layout of which nothing is said has none itself."""
    done = weft("layout", layout, "--banks", *arguments)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    if not lines[-1].startswith("without conflicts: "):
        assert lines[1].endswith("no conflicts")
        return
    assert "too many" in lines[1]
    better = weft("layout", lines[-1].removeprefix("without conflicts: "), "--banks", *arguments)
    assert better.returncode == 0 and better.stdout.splitlines()[1].endswith("no conflicts")


def test_no_advice() -> None:
    """Where all lanes need one bank, whatever is swizzled inside of a row; and none is needed without conflicts."""
    done = weft("layout", "S[32,2]", "--banks", "S[(32,2):(1@laneid,1)]")
    assert done.stdout == (
        "S[(32,2):(2,1)]\n"
        "S[(32,2):(1@laneid,1)], 4 bytes per lane: 1 instruction, 1 phase, 1 wavefront: no conflicts\n"
        "1 wavefront in 1 phase: no conflicts\n"
        "phase 0, lanes 0-31: 1 wavefront\n"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["S[8,8]", "--banks", "swz(1,1,1) @ S[8,8]"], "unknown instruction 'swz(1,1,1) @ S[8,8]'"),
        (["S[8,8]", "--banks", "ldmatrix.x3"], "unknown instruction 'ldmatrix.x3'"),
        (["S[8,8]", "--banks", "ldmatrix", "--cute"], "--banks, --cute and --memref cannot be combined"),
        (["S[8,8]", "--store"], "--store needs --banks"),
        (["S[8,8]", "--shape", "8x8"], "write a shape like 16,64"),
        (["S[8,8]", "-o", "x.png"], "drawings are SVG, so its name must end in .svg"),
        (["--fragment", "mma.m16n8k16.A.f16", "--bits", "8"], "a fragment has its own shape and bits"),
        (
            ["swz(3,3,3)", "--shape", "8,64", "--banks", "stmatrix.x2.trans"],
            "the 16 bytes of a matrix row are not contiguous in swz(3,3,3)",
        ),
    ],
)
def test_wrong_options_of_layout(arguments: list[str], said: str) -> None:
    done = weft("layout", *arguments)
    assert done.returncode and done.stdout == "" and said in done.stderr


def test_what_a_module_needs(tmp_path: Path) -> None:
    """Also what nobody knows, each on a line."""
    path = tmp_path / "k.ptx"
    path.write_text(
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".visible .entry k() { .reg .b32 %r; foo.bar %r, 1; call nothing; ret; }\n"
    )
    done = weft("requires", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "PTX 1.0 and any target\n  not in the ISA table: foo.bar\n  not declared: nothing\n"
