"""Pictures of layouts: every cell says what the layout says, and the drawings are well-formed."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner, Result

from tests.conftest import ROOT
from weft.cli.layout import command
from weft.errors import LayoutError
from weft.layout import Layout, R, S, TCol, TLane, laneid, m, parse, swz, tid_in_wg, warpid
from weft.layout.access import Access
from weft.layout.banks import matrix_accesses
from weft.layout.colours import fill, oklch
from weft.layout.conflicts import report
from weft.layout.fragments import named_fragment
from weft.layout.grid import default_shape, fragment_grid, layout_grid
from weft.layout.svg import banks_svg, grid_svg, lanes_text
from weft.view.layout_text import bank_lines, grid_lines

SVG = "{http://www.w3.org/2000/svg}"


def stories(svg: str) -> list[str]:
    """What the cells of a drawing say."""
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    return [title.text or "" for title in root.iter(f"{SVG}title")]


def test_cells_of_threads() -> None:
    layout = S[(8, 4, 2, 2) : (4 @ laneid, 1 @ laneid, 2, 1)]
    grid = layout_grid(layout, (8, 16))
    told = stories(grid_svg(grid))
    assert len(told) == 128
    for row in range(8):
        for column in range(16):
            places = layout.apply(row, column, shape=(8, 16))
            cell = grid.cells[row][column]
            assert (cell.top, cell.bottom) == (f"T{places[laneid]}", f"v{places[m]}")
            assert cell.story == told[16 * row + column]
            assert cell.story == f"row {row}, column {column}: laneid {places[laneid]}, element {places[m]}"
    lines = list(grid_lines(grid))
    assert lines[0] == str(layout)
    table = [line.split() for line in lines[-9:]]
    assert table[0] == [str(column) for column in range(16)]
    assert table[4] == ["3", *(cell.top + cell.bottom for cell in grid.cells[3])]


def test_cells_of_fragments() -> None:
    found = named_fragment("mma.m16n8k16.A.f16")
    grid = fragment_grid(found)
    assert [cell.top + cell.bottom for cell in grid.cells[8][8:11]] == ["T0a6", "T0a7", "T1a6"]
    assert [cell.joined for cell in grid.cells[0][:4]] == [True, False, True, False]
    assert grid.cells[8][9].story == "row 8, column 9: laneid 0, element 7 (register 3, place 1)"
    assert "4 registers of 2 x 16 bits" in grid.facts[1]
    assert "1 register of 64 bits" in fragment_grid(named_fragment("mma.m8n8k4.A.f64")).facts[1]
    assert not any(cell.joined for row in fragment_grid(named_fragment("mma.m16n8k16.C.f32")).cells for cell in row)
    below = fragment_grid(named_fragment("mma.m16n8k16.B.f16"))
    assert not any(cell.joined for row in below.cells for cell in row)
    assert [row[0].joined_below for row in below.cells[:4]] == [True, False, True, False]
    heights = [float(rect.get("height", 0)) for rect in ElementTree.fromstring(grid_svg(below)).iter(f"{SVG}rect")]
    assert heights[1:] == [31.0] * 128


def test_cells_of_memory() -> None:
    layout = swz(3, 3, 3) @ S[8, 64]
    grid = layout_grid(layout, (8, 64), 16)
    assert (grid.across, len(grid.cells), len(grid.cells[0])) == (8, 8, 8)
    places = layout.apply_all((8, 64))[m]
    for row in range(8):
        for chunk in range(8):
            cell, place = grid.cells[row][chunk], int(places[row, 8 * chunk])
            assert cell.top == str(place)
            assert cell.hue * 8 == 2 * place // 16 % 8
            assert cell.story.endswith(f"m {place}, byte {2 * place}, bank {2 * place // 4 % 32}")
    assert [row[0].hue for row in grid.cells] == [each / 8 for each in range(8)]
    assert layout_grid(S[8, 8], (8, 8)).across == 1
    assert layout_grid(S[(8, 64) : (1, 8)], (8, 64), 16).across == 1


def test_shapes_that_are_found() -> None:
    for text, shape in {
        "S[(8,4,2,2):(4@laneid,1@laneid,2,1)]": (8, 16),
        "S[(2,8,2,4,2):(2,4@laneid,4,1@laneid,1)]": (16, 16),
        "S[(64,4,64):(64,4096,1)]": (64, 256),
        "swz(3,2,3)": (4, 64),
        "swz(3,3,3) @ S[(8,64):(64,1)]": (8, 64),
        "S[():()] + 3": (1, 1),
    }.items():
        assert default_shape(parse(text)) == shape
    row = layout_grid(S[128 : 1 @ tid_in_wg], (128,))
    assert (row.rows, row.columns) == (4, 32)
    assert row.cells[2][3].top == "T67"


def test_large_and_odd_layouts() -> None:
    grid = layout_grid(S[128, 256], (128, 256), 32)
    assert grid.left_out == ""  # drawn by 16 bytes
    assert layout_grid(S[256, 512], (256, 512)).left_out == "drawn: the first 128 of 256 rows, 64 of 512 columns"
    several = layout_grid(S[(2, 32, 4) : (1 @ warpid, 1 @ laneid, 1)] + R[2:4], (64, 4))
    assert several.cells[33][2].top == "T1.1"
    assert "2 copies" in several.facts[0]
    with pytest.raises(LayoutError, match="2 memory axes"):
        layout_grid(S[(8, 4) : (1 @ TLane, 1 @ TCol)])
    with pytest.raises(LayoutError, match="too large"):
        layout_grid(S[(2**30, 2**30) : (2**30, 1)])
    assert layout_grid(S[(2**20, 2**20) : (2**20, 1)]).cells[2][3].top == str(2**21 + 3)
    with pytest.raises(LayoutError, match="invalid swizzle"):
        swz(10**9, 3, 3)
    with pytest.raises(LayoutError, match="has 64 elements"):
        layout_grid(S[8, 4], (8, 8))


def test_banks() -> None:
    access = matrix_accesses(S[16, 32], (16, 32), 16)
    _, one = next(enumerate(access))
    told = stories(banks_svg(one, "ldmatrix"))
    assert len(told) == 32
    assert told[0] == "banks 0 to 3: lanes 0"
    lines = list(bank_lines(report(one)))
    assert lines[0] == "16 wavefronts in 4 phases: 4-way conflicts"
    assert lines[3] == "phase 2, lanes 16-23: 4 wavefronts, as in bank 4 for lanes 16 | 18 | 20 | 22"
    broadcast = stories(banks_svg(Access(np.zeros(32), 4), "all of one word"))
    assert broadcast == ["bank 0: lanes 0-31"]
    assert lanes_text((0, 1, 2, 5, 7, 8)) == "0-2, 5, 7-8"


@pytest.mark.parametrize(
    "drawn",
    [
        S[(8, 4) : (4 @ laneid, 1)],
        swz(3, 3, 3),
        swz(3, 2, 3) @ S[16, 32],
        named_fragment("wgmma.m64n16k16.D.f32"),
        matrix_accesses(S[16, 32], (16, 32), 16),
    ],
    ids=str,
)
def test_notebooks(drawn: Layout) -> None:
    assert stories(drawn._repr_html_())


@pytest.mark.parametrize("per", range(7))
def test_banks_of_swizzles(per: int) -> None:
    """Where a swizzle moves 16 bytes, the size of an element is known, and so is its bank."""
    for drawn in (swz(per, 2, 3), swz(per, 2, 3) @ S[4, 8 << per]):
        story = layout_grid(drawn, (4, 8 << per)).cells[0][1].story
        place, size = int(re.findall(r"m (\d+)", story)[0]), 16 >> per
        if size:
            assert story.endswith(f"byte {place * size}, bank {place * size // 4 % 32}"), story
        assert ("byte" in story) == (per <= 4), per


def test_accesses_without_conflicts() -> None:
    svg = banks_svg(Access(4 * np.arange(32), 4), "a row")
    texts = ["".join(text.itertext()) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    assert texts[:2] == ["a row", "4 bytes per lane: 1 wavefront in 1 phase: no conflicts"]
    assert "phase 0, lanes 0-31: 1 wavefront" in texts and "bad" not in svg.partition("</style>")[2]
    assert texts[-33:] == ["0", *(f"T{lane}" for lane in range(32))] and "stroke=" not in svg.partition("</style>")[2]
    half = banks_svg(Access(4 * np.arange(32), 4, active=np.arange(32) % 2 == 0), "half of them")
    assert "lanes 0, 2, 4, 6" in half and "1 wavefront" in half
    wide = banks_svg(Access(16 * np.arange(32), 16, matrix=True), "rows")
    assert "16 bytes per lane, rows of matrices: " in wide and wide.count('class="rule"') == 4


def test_styles_are_for_the_drawing_alone() -> None:
    style = S[8, 8]._repr_html_().partition("<style>")[2].partition("</style>")[0]
    assert all(line.startswith("svg.weft ") for line in style.strip().splitlines())


def test_layouts_draw_nothing_until_asked() -> None:
    check = "import sys, weft.layout; sys.exit(any(name in sys.modules for name in ('numpy', 'weft.view', 'weft.isa')))"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_colours() -> None:
    assert (oklch(1, 0, 0), oklch(0, 0, 0)) == ("#ffffff", "#000000")
    assert oklch(0.62796, 0.25768, 29.2339 / 360) == "#ff0000"
    assert oklch(0.86644, 0.29483, 142.495 / 360) == "#00ff00"
    assert oklch(0.45201, 0.31321, 264.052 / 360) == "#0000ff"
    for hue in range(32):
        for depth in (0.0, 0.5, 1.0):
            colour = fill(hue / 32, depth)
            red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
            assert 0.299 * red + 0.587 * green + 0.114 * blue > 140  # dark text is read on it


# -- the command ------------------------------------------------------------------------------------------------------


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def test_command_draws(tmp_path: Path) -> None:
    text, fragment, banks = "S[(8,4,2,2):(4@laneid,1@laneid,2,1)]", tmp_path / "f.svg", tmp_path / "b.svg"
    assert run(text, "--shape", "8,16", "-o", str(fragment)).exit_code == 0
    assert len(stories(fragment.read_text())) == 128
    assert run("S[(16,32):(32,1)]", "--banks", "ldmatrix", "-o", str(banks)).exit_code == 0
    assert "4-way conflict" in banks.read_text()
    assert run(text, "--shape", "8,16").output.splitlines()[-1].split()[-1] == "T31v3"
    assert run("--fragment", "mma.m16n8k16.A.f16").output.splitlines()[-1].split()[-1] == "T31a7"


DRAWINGS = {
    "mma_a.svg": ["--fragment", "mma.m16n8k16.A.f16"],
    "swizzle.svg": ["swz(3,3,3) @ S[(8,64):(64,1)]"],
    "banks.svg": ["S[(16,32):(32,1)]", "--banks", "ldmatrix"],
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_the_documents_show_what_is_drawn(name: str, tmp_path: Path) -> None:
    drawn, shown = tmp_path / name, ROOT / "docs" / "layout" / name
    assert run(*DRAWINGS[name], "-o", str(drawn)).exit_code == 0
    assert drawn.read_text() == shown.read_text(), f"weft layout {shlex.join(DRAWINGS[name])} -o {shown} draws it anew"


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (["S[(64,4,64):(64,4096,1)]", "--shape", "64,256", "--cute"], "(64,(64,4)):(64,(1,4096))"),
        (["(64,(64,4)):(64,(1,4096))", "--cute"], "(64,(64,4)):(64,(1,4096))"),
        (["memref<8x8xf32, strided<[16, 1]>>", "--cute"], "(8,8):(16,1)"),
        (["(8,8):(16,1)", "--memref", "--bits", "32"], "memref<8x8xf32, strided<[16, 1]>>"),
        (["memref<8x8xbf16, affine_map<(i, j) -> (j * 8 + i)>>", "--memref"], "memref<8x8xbf16, strided<[1, 8]>>"),
        (["--fragment", "mma.m16n8k16.A.f16", "--cute"], "((4,8),(2,2,2)):((32,1),(16,8,128))"),
        (["S[(2,8,2,4,2):(2,4@laneid,4,1@laneid,1)]", "--cute"], "((4,8),(2,2,2)):((32,1),(16,8,128))"),
        (["Sw<3,4,3> o 0 o (8,128):(128,1)", "--cute"], "Sw<3,4,3> o 0 o (8,128):(128,1)"),
    ],
)
def test_command_converts(arguments: list[str], output: str) -> None:
    assert run(*arguments).output == output + "\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ["S[(16,32):(32,1)]", "--banks", "ldmatrix"],
            r"24 too many.*\nwithout conflicts: swz\(3,2,3\) @ S\[\(16,32\)",
        ),
        (["swz(3,2,3) @ S[(16,32):(32,1)]", "--banks", "ldmatrix.x2"], r"8 phases, 8 wavefronts: no conflicts"),
        (["swz(3,1,3) @ S[(16,32):(32,1)]", "--banks", "stmatrix"], r"without conflicts: swz\(3,2,3\) @ S\["),
        (["S[(16,8):(8,1)]", "--banks", "mma.m16n8k16.C.f32", "--store"], r"8 bytes per lane.*no conflicts"),
        (["S[(32,32):(32,1)]", "--banks", "S[(32,32):(1@laneid,1)]", "--bits", "32"], r"swz\(2,3,3\) @"),
        (["swz(3,2,3)", "--shape", "16,64", "--banks", "ldmatrix"], r"without conflicts: swz\(3,3,3\) @"),
    ],
)
def test_command_counts(arguments: list[str], expected: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 0
    assert re.search(expected, done.output, re.DOTALL), done.output


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["S[8:1]", "--fragment", "movmatrix.a"],
        ["S[8:1]", "--cute", "--memref"],
        ["S[8:1]", "--store"],
        ["S[8:1]", "--shape", "8x1"],
        ["--fragment", "movmatrix.a", "--banks", "ldmatrix"],
    ],
)
def test_wrong_usage(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


def test_bad_input() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "weft", "layout", "S[(8,4):(4@laneid)]"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("<layout>:1:3: error: 2 extents and 1 strides\n")
    for arguments in (
        ["S[(8,8):(8,1)]", "--banks", "swz(3,3,3)"],
        ["S[(8,8):(8,1)]", "--banks", "mma.m16n8k16.C.f32"],
        ["S[(8,8):(8@laneid,1)]", "--memref"],
        ["--fragment", "frobnicate"],
    ):
        assert isinstance(run(*arguments).exception, LayoutError), arguments
