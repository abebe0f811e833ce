"""What the commands say of a user's own mistakes: in Python files, in numbers, in names of files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from weft.cli import execute
from weft.errors import ToolError
from weft.toolchain import ptxas

ROOT = Path(__file__).resolve().parents[2]
NORM = ROOT / "examples/rms_norm.py"
KERNEL = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n"


@pytest.mark.parametrize("command", [["compile", "-t", "sm_80"], ["run"], ["sass", "-t", "sm_80"]])
@pytest.mark.parametrize(
    ("text", "raised"),
    [
        ("import nothere\n", "ModuleNotFoundError: No module named 'nothere'"),
        ("def f(:\n", "SyntaxError: invalid syntax"),
        ("def f():\n    raise ValueError('boom')\nf()\n", "ValueError: boom"),
        ("raise SystemExit('over')\n", "SystemExit: over"),
    ],
)
def test_what_is_wrong_in_a_file_of_the_users_is_shown_as_theirs(
    command: list[str], text: str, raised: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    assert execute([command[0], f"{path}:k", *command[1:]]) == 1
    said = capsys.readouterr().err
    assert said.startswith("Traceback (most recent call last):\n") and raised in said and str(path) in said
    assert "internal error" not in said and "importlib" not in said and "weft/cli" not in said


@pytest.mark.parametrize("command", [["compile", "-t", "sm_80"], ["run"], ["explore", "--json"]])
def test_a_python_file_without_a_kernel_lists_them(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert execute([command[0], str(NORM), *command[1:]]) == 1
    said = capsys.readouterr().err
    assert "file.py:kernel" in said and "its kernels: rms_norm" in said


def test_a_kernel_in_python_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "y.npy"
    arguments = ["f16[2,1024]=ones", "f32[1024]=ones", "f16[2,1024]=zeros", "f32=0", "u32=2"]
    given = [part for argument in arguments for part in ("-a", argument)]
    assert execute(["run", f"{NORM}:rms_norm", "-g", "2", *given, "-o", f"2={out}"]) == 0
    assert np.allclose(np.load(out), 1, atol=1e-2)
    assert execute(["run", "k.ptx", "--set", "M=2"]) == 2
    capsys.readouterr()


def test_numbers_out_of_range_are_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "k.ptx"
    path.write_text(KERNEL)
    for wrong in (["--seed", "-5"], ["--shared-bytes", "99999999999999"], ["--shared-bytes", "-1"], ["--jobs", "0"]):
        assert execute(["run", str(path), *wrong]) == 2
        assert "error: Invalid value for" in capsys.readouterr().err
    assert execute(["run", str(path), "--jobs", "100000"]) == 0


def test_a_drawing_is_svg(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "x.png"
    assert execute(["layout", "(8,4):(4,1)", "-o", str(picture)]) == 2
    assert "must end in .svg" in capsys.readouterr().err and not picture.exists()


def test_a_run_that_does_not_start_leaves_no_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, trace = tmp_path / "k.ptx", tmp_path / "t.jsonl"
    path.write_text(KERNEL)
    assert execute(["run", str(path), "--trace", str(trace), "-a", "u32=1"]) == 1
    assert not trace.exists()
    assert execute(["run", str(path), "--trace", str(trace)]) == 0
    assert trace.read_text().count("\n") == 1
    capsys.readouterr()


def test_a_closed_stdout_is_said(tmp_path: Path) -> None:
    path = tmp_path / "k.ptx"
    path.write_text(KERNEL)
    program = f"{sys.executable} -m weft fmt {path} >&-"
    done = subprocess.run(["sh", "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "<stdout>: error: standard output is closed\n")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("k.ptx", "hello\n", "k.ptx:1:1: error: expected '.version', found 'hello'"),
        ("k.cubin", "", "k.cubin: error: this is not a cubin"),
        ("k.mlir", "module {}\n", "k.mlir: error: MLIR needs a target"),
        (
            "k.ptx#2",
            KERNEL,
            "k.ptx: error: this is a text file: #N selects a module of a library, an executable or a fatbin",
        ),
    ],
)
def test_a_suffix_says_what_a_file_is(
    name: str, text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name.partition("#")[0]).write_text(text)
    assert execute(["sass" if "#" not in name else "inspect", name]) == 1
    assert said in capsys.readouterr().err


def test_nothing_is_served_of_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["explore", "nowhere.ptx"]) == 2
    assert capsys.readouterr().err == "nowhere.ptx: error: No such file or directory\n"


def test_a_module_without_kernels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from tests.conftest import nvidia_tool

    nvidia_tool("ptxas"), nvidia_tool("nvdisasm")
    path = tmp_path / "none.ptx"
    path.write_text(KERNEL.partition(".visible")[0])
    for command in ("sass", "registers", "run"):
        assert execute([command, str(path)]) == 1
        assert "none.ptx: error: no kernels in this file" in capsys.readouterr().err


def test_ptxas_may_not_take_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.conftest import nvidia_tool

    nvidia_tool("ptxas")
    tool = ptxas.need("ptxas")  # before: it is asked for its version
    monkeypatch.setattr(ptxas, "need", lambda _: tool)
    monkeypatch.setattr(sys.modules["weft.toolchain.find"], "LONGEST", 0.0001)
    with pytest.raises(ToolError, match="ptxas did not finish within"):
        ptxas.assemble(KERNEL)


WRONG = [["nothing"], ["verify"], ["fmt", "--nothing"], ["run"], ["isa", "--diff", "sm_80", "x"]]
TARGETED = (
    "compile",
    "explore",
    "extract",
    "gpu-run",
    "isa",
    "lint",
    "occupancy",
    "registers",
    "run",
    "sass",
    "verify",
)


@pytest.mark.parametrize(
    "arguments", [*WRONG, *([command, "--target", "x", "y"] for command in TARGETED)], ids="-".join
)
def test_wrong_usage_has_one_prefix_and_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith("Usage: weft") and "\nerror: " in said and "Error:" not in said


def test_completion() -> None:
    shell = {"_WEFT_COMPLETE": "bash_complete", "COMP_WORDS": "weft exp", "COMP_CWORD": "1"}
    command = [sys.executable, "-c", "from weft.cli import main; main()"]
    done = subprocess.run(command, env={**os.environ, **shell}, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["plain,explore"]
