"""The command line from outside: what it prints, its exit status, and that a failure writes nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import weft
from weft.cli import execute

PTX = """\
.version 8.0
.target sm_80
.address_size 64

.visible .entry copy(
    .param .u64 .ptr .global .align 4 copy_dst,
    .param .u32 copy_n
)
.maxntid 128, 1, 1
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<3>;
    .shared .align 4 .b8 tile[512];
    ld.param.u64 %rd1, [copy_dst];
    ld.param.u32 %r1, [copy_n];
    mov.u32 %r2, %tid.x;
    setp.ge.u32 %p1, %r2, %r1;
    @%p1 bra $L_end;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd2, %rd1, %rd2;
    st.global.u32 [%rd2], %r2;
$L_end:
    ret;
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "copy.ptx"
    path.write_text(PTX)
    return path


def test_help_lists_every_command() -> None:
    done = weft("--help")
    assert done.returncode == 0
    for command in ("compile", "diff", "doctor", "fmt", "grep", "inspect", "isa", "opt", "requires", "run", "verify"):
        assert f"  {command} " in done.stdout
        assert weft(command, "--help").returncode == 0


def test_help_imports_nothing_heavy() -> None:
    check = (
        "import sys, weft.cli; status = weft.cli.execute(['--help']);"
        "heavy = {'xdsl', 'numpy', 'rich', 'weft.isa', 'weft.ptx'} & set(sys.modules); sys.exit(bool(heavy) or status)"
    )
    assert subprocess.run([sys.executable, "-c", check], stdout=subprocess.DEVNULL, check=False).returncode == 0


def test_wrong_usage_is_status_2() -> None:
    for arguments in (["frobnicate"], ["compile"], ["fmt", "--no-such-option"], ["fmt", "-", "-i"]):
        done = weft(*arguments)
        assert done.returncode == 2
        assert "error: " in done.stderr


READERS = [
    "compile",
    "explore",
    "extract",
    "fmt",
    "inspect",
    "lint",
    "occupancy",
    "opt",
    "registers",
    "requires",
    "run",
    "sass",
    "verify",
]


@pytest.mark.parametrize("command", READERS)
def test_a_missing_file_is_status_2(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert execute([command, "/no/such/file.ptx"]) == 2
    assert capsys.readouterr().err.startswith("/no/such/file.ptx: error: No such file or directory")


def test_text_that_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "latin.ptx"
    path.write_bytes(b".version 8.0\n// gr\xfc\xdfe\n")
    done = weft("fmt", str(path))
    assert done.returncode == 1
    assert done.stderr.startswith(f"{path}:2:6: error: invalid UTF-8: byte 0xfc")


def test_fmt_is_stable(source: Path) -> None:
    once = weft("fmt", str(source))
    assert once.returncode == 0, once.stderr
    assert weft("fmt", "-", stdin=once.stdout).stdout == once.stdout
    assert weft("fmt", "--check", "-", stdin=once.stdout).returncode == 0


def test_fmt_in_place(source: Path) -> None:
    source.chmod(0o640)
    assert weft("fmt", "-i", str(source)).returncode == 0
    assert source.stat().st_mode & 0o777 == 0o640
    assert weft("fmt", "--check", str(source)).returncode == 0
    assert list(source.parent.iterdir()) == [source]


def test_a_syntax_error_writes_nothing(source: Path, tmp_path: Path) -> None:
    source.write_text(PTX.replace("setp.ge.u32 %p1, %r2, %r1;", "setp.ge.u32 %p1, %r2 %r1;"))
    output = tmp_path / "out.ptx"
    output.write_text("as it was")
    done = weft("fmt", str(source), "-o", str(output))
    assert done.returncode == 1
    first, line, caret, *_ = done.stderr.splitlines()
    assert first.startswith(f"{source}:18:")
    assert ": error: " in first
    assert "setp.ge.u32 %p1, %r2 %r1;" in line
    assert caret.strip() == "^"
    assert "Traceback" not in done.stderr
    assert output.read_text() == "as it was"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.ptx", "out.ptx"]


@pytest.mark.parametrize("cut", range(0, len(PTX), 61))
def test_a_truncated_file_is_an_error_or_a_module(cut: int) -> None:
    done = weft("fmt", "-", stdin=PTX[:cut])
    assert done.returncode in (0, 1)
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr
    if done.returncode:
        assert done.stderr.startswith("<stdin>:")
        assert done.stdout == ""


def test_fmt_keeps_comments(source: Path) -> None:
    source.write_text(PTX.replace("    ret;", "    ret;  // the end"))
    done = weft("fmt", str(source))
    assert "ret;" in done.stdout
    assert "// the end" in done.stdout


def test_diff(source: Path, tmp_path: Path) -> None:
    renamed, changed = tmp_path / "renamed.ptx", tmp_path / "changed.ptx"
    renamed.write_text(PTX.replace("%rd", "%address").replace("%r", "%x"))
    changed.write_text(PTX.replace("setp.ge.u32", "setp.gt.u32"))
    done = weft("diff", str(source), str(renamed))
    assert (done.stdout, done.returncode) == ("", 0)
    done = weft("diff", str(source), str(changed))
    assert done.returncode == 1
    assert "- setp.ge.u32" in done.stdout
    assert "+ setp.gt.u32" in done.stdout


def test_inspect(source: Path) -> None:
    done = weft("inspect", str(source))
    assert done.returncode == 0, done.stderr
    for text in ("kernel copy", "copy_dst: u64", "4 b32", "512 bytes", ".maxntid 128, 1, 1", "PTX 8.0", "sm_80"):
        assert text in done.stdout


def test_inspect_as_json(source: Path) -> None:
    found = json.loads(weft("inspect", "--json", str(source)).stdout)
    (kernel,) = found["functions"]
    assert (kernel["name"], kernel["kernel"], kernel["shared_bytes"], kernel["labels"]) == ("copy", True, 512, 1)
    assert kernel["registers"] == {"pred": 2, "b32": 4, "b64": 3}
    assert kernel["mix"]["ld"] == 2
    assert kernel["instructions"] == 9
    assert "sm_80" in found["runs_on"]
    assert "sm_75" in found["runs_on"]


def test_inspect_as_tree(source: Path) -> None:
    done = weft("inspect", "--tree", str(source))
    assert done.returncode == 0, done.stderr
    for text in ("kernel copy", "parameter copy_n: u32", ".reg .b32 %r<4>", "@%p1 bra $L_end", "$L_end", "ret"):
        assert text in done.stdout
    assert weft("inspect", "--tree", "--json", str(source)).returncode == 2


def test_verify(source: Path) -> None:
    assert weft("verify", str(source)).returncode == 0
    source.write_text(PTX.replace("mov.u32 %r2, %tid.x;", "mov.u32 %r9, %tid.x;"))
    done = weft("verify", str(source))
    assert done.returncode == 1
    assert f"{source}:17:" in done.stderr
    assert "%r9" in done.stderr


def test_verify_for_another_target(source: Path) -> None:
    source.write_text(PTX.replace("    ret;", "    cp.async.wait_all;\n    ret;"))
    assert weft("verify", str(source)).returncode == 0
    done = weft("verify", "--target", "sm_75", "--ptx-version", "7.8", str(source))
    assert done.returncode == 1
    assert "sm_80" in done.stderr
    assert weft("verify", "--target", "sm_1", str(source)).returncode == 2


def test_requires(source: Path) -> None:
    source.write_text(PTX.replace("    ret;", "    cp.async.wait_all;\n    ret;"))
    done = weft("requires", str(source))
    assert done.returncode == 0, done.stderr
    first, *reasons = done.stdout.splitlines()
    assert first == "PTX 7.0 and sm_80 or later"
    assert any("line 24: cp.async.wait_all" in reason for reason in reasons)
    found = json.loads(weft("requires", "--json", str(source)).stdout)
    assert found["version"] == "7.0"
    assert found["targets"]["sm_90"] == "7.8"
    assert "sm_75" not in found["targets"]


def test_isa_page() -> None:
    done = weft("isa", "ldmatrix")
    assert done.returncode == 0
    for text in ("ldmatrix.sync.aligned.shape.num", ".shape = .m8n8", "PTX 6.5 and sm_75 or later", "https:"):
        assert text in done.stdout
    (form, *_) = json.loads(weft("isa", "ldmatrix", "--json").stdout)["forms"]
    assert form["slots"]["num"] == [".x1", ".x2", ".x4"]
    assert form["examples"][0] == "ldmatrix.sync.aligned.m8n8.x1.b16 {%r0}, [%rd0];"


def test_isa_page_has_what_the_manual_has() -> None:
    assert "ignored" not in weft("isa", "tex").stdout + weft("isa", "tcgen05.mma").stdout


def test_isa_of_an_opcode() -> None:
    done = weft("isa", "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16")
    assert done.returncode == 0
    for text in (".num = .x4", "r: vector 4 x .b32, written", "PTX 6.5 and sm_75 or later"):
        assert text in done.stdout


def test_isa_of_nothing() -> None:
    done = weft("isa", "ldmatrics")
    assert done.returncode == 1
    assert "error: unknown instruction 'ldmatrics'" in done.stderr
    assert "hint: did you mean ldmatrix?" in done.stderr


def test_isa_listing() -> None:
    assert "ldmatrix" in weft("isa").stdout


def test_doctor() -> None:
    done = weft("doctor", "--json")
    assert done.returncode == 0
    python = json.loads(done.stdout)[0]
    assert (python["name"], python["present"]) == ("python", True)


def test_a_closed_pipe_is_silent(source: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "weft", "fmt", str(source)]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert done.returncode == 1
    assert done.stderr == b""
