"""`weft occupancy`, `weft sass` and `weft registers`."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

import weft
from tests.conftest import nvidia_tool
from weft.cli import execute
from weft.toolchain.ptxas import Cubin
from weft.tracing.pressure import parse_ranges, ranges

ROOT = Path(__file__).resolve().parents[2]
GEMM = str(ROOT / "examples/gemm_sm80.mlir")


@pytest.fixture(autouse=True)
def _tools() -> None:
    nvidia_tool("ptxas"), nvidia_tool("nvdisasm")


def test_occupancy(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["occupancy", GEMM, "-t", "sm_80,sm_90a", "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)
    for row in (first, second):
        blocks = 65536 // (-(-row["registers"] // 8) * 8 * 128)  # Registers are given to warps in steps of 8 a thread.
        assert row["blocks"] == blocks and row["warps"] == 4 * blocks and "registers" in row["limited_by"]
    registers = str(first["registers"])
    assert (
        execute(
            ["occupancy", "-t", "sm_80", "--threads", "128", "--registers", registers, "--shared", "19456", "--json"]
        )
        == 0
    )
    (row,) = json.loads(capsys.readouterr().out)
    assert row["limits"] == first["limits"]
    assert execute(["occupancy", GEMM, "-t", "sm_80", "--dynamic-shared", "60000", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["blocks"] == 2 and row["limited_by"] == ["shared memory"]
    assert execute(["occupancy"]) == 2
    assert execute(["occupancy", GEMM, "-t", "sm_80", "--registers", "3"]) == 2
    assert execute(["occupancy", "-t", "sm_107", "--threads", "1", "--registers", "1"]) == 1
    assert "sm_107 are unknown" in capsys.readouterr().err


def test_a_kernel_without_a_block_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "k.ptx"
    path.write_text(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n")
    assert execute(["occupancy", str(path)]) == 0
    said = capsys.readouterr()
    assert "unknown" in said.out and "--threads" in said.err
    assert execute(["occupancy", str(path), "--threads", "64", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["blocks"] == 32


def test_sass(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["sass", GEMM, "-t", "sm_80", "--ptx"]) == 0
    listing = capsys.readouterr().out
    line = re.compile(r"^  [0-9a-f]{4}  B[-\d]{6}:R[-\d]:W[-\d]:[-Y]:S\d\d +\d+ [┃ ]+ \S", re.MULTILINE)
    count = len(line.findall(listing))
    assert count > 100
    assert " PTX " in listing
    assert execute(["sass", GEMM, "-t", "sm_80", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == count and all(row["ptx_line"] for row in rows)
    assert execute(["sass", GEMM, "-t", "sm_80", "--mix", "--json"]) == 0
    (runs,) = json.loads(capsys.readouterr().out).values()
    assert sum(sum(run["counts"].values()) for run in runs) == count
    (loop,) = [run for run in runs if run["loops"]]
    assert loop["counts"]["HMMA"] == 16
    assert execute(["sass", GEMM, "-t", "sm_80", "-k", "other"]) == 1
    assert "expected one of gemm" in capsys.readouterr().err


@cache
def gemm() -> Cubin:
    return weft.assemble(weft.compile(Path(GEMM).read_text(), "sm_80"))


def test_registers(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["registers", GEMM, "-t", "sm_80", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    allocated = gemm().kernel("gemm").registers
    assert found["allocated"] == allocated
    assert sum(holder["count"] for holder in found["holders"]) == found["peak"] in range(allocated - 8, allocated + 1)
    assert max(line["live"] for line in found["lines"]) == found["peak"]
    assert execute(["registers", GEMM, "-t", "sm_80"]) == 0
    assert f"{found['peak']} live at most" in capsys.readouterr().out


def test_kernels_in_python(capsys: pytest.CaptureFixture[str]) -> None:
    kernel = f"{ROOT / 'examples/rms_norm.py'}:rms_norm"
    assert execute(["sass", kernel]) == 2
    capsys.readouterr()


def test_who_wrote_a_register_is_an_instruction_that_names_it_first() -> None:
    (found,) = ranges(gemm().data).values()
    text = {16 * n: line.operands for n, line in enumerate(weft.disassemble(gemm())["gemm"].instructions)}
    seen = 0
    for place, holding in found.items():
        assert holding.address == place
        for number, writer in holding.registers.items():
            if writer is not None:
                seen += 1
                to = re.search(r"\bR(\d+)\b", text[writer])
                assert to is not None and 0 <= number - int(to[1]) < 4, (number, text[writer])
    assert seen > 1000


def test_ranges_of_nothing() -> None:
    assert parse_ranges("") == {}
    assert parse_ranges('\t.section\t.text.k,"ax"\n /*0000*/ NOP ; // | 1 : |\n') == {"k": {}}
