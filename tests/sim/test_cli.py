"""`weft run` from outside: arguments, outputs, counters, traces, faults and their exit status."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from weft import cli
from weft.cli import arrays

SAXPY = """\
.version 7.0
.target sm_80
.address_size 64
.visible .entry saxpy(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y)
{
    .reg .pred %p<2>; .reg .b32 %r<5>; .reg .f32 %f<4>; .reg .b64 %rd<5>;
    ld.param.u32 %r1, [n]; ld.param.f32 %f1, [a]; ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y];
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r2, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r2, %r1; @%p1 bra done;
    mad.wide.u32 %rd1, %r2, 4, %rd1; mad.wide.u32 %rd2, %r2, 4, %rd2;
    ld.global.f32 %f2, [%rd1];
    ld.global.f32 %f3, [%rd2];
    fma.rn.f32 %f3, %f1, %f2, %f3;
    st.global.f32 [%rd2], %f3;
done:
    ret;
}
"""


@dataclass
class Done:
    """What a command has printed, and its exit status."""

    returncode: int
    stdout: str
    stderr: str


def weft(*arguments: str, cwd: Path) -> Done:
    """Run the command in this process: starting another costs more than what is tested."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(cwd), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = cli.execute(["run", *arguments])
    return Done(status, out.getvalue(), err.getvalue())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "saxpy.ptx").write_text(SAXPY)
    return tmp_path


LAUNCH = ["saxpy.ptx", "--grid", "4", "--block", "64"]


@pytest.mark.slow
def test_the_command_by_itself(folder: Path) -> None:
    command = [sys.executable, "-m", "weft", "run", "saxpy.ptx", "-a", "u32=1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 1
    assert "hint: saxpy(.u32 n, .f32 a, .u64 x, .u64 y)" in done.stderr


def test_files_in_and_out(folder: Path) -> None:
    x = np.random.default_rng(0).random(200, np.float32)
    np.save(folder / "x.npy", x)
    done = weft(
        *LAUNCH, "-a", "u32=200", "-a", "f32=0.5", "-a", "@x.npy", "-a", "f32[200]=arange", "-o", "3=y.npy", cwd=folder
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert (np.load(folder / "y.npy") == (0.5 * x.astype(np.float64) + np.arange(200)).astype(np.float32)).all()


def test_summary_counters_and_trace(folder: Path) -> None:
    arguments = ["-a", "u32=8", "-a", "f32=2", "-a", "f32[8]=arange", "-a", "f32[8]=ones"]
    done = weft(*LAUNCH, *arguments, "--counters", "--trace", "t.jsonl", "--trace-warp", "0", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "3: float32[8] min 1 max 15: 1 3 5 7 9 11 13 15 (7 of 8 elements changed)" in done.stdout
    assert "(unchanged)" in done.stdout
    assert "st.global.f32  1 sector, 1.0 a request" in done.stdout
    events = [json.loads(line) for line in (folder / "t.jsonl").read_text().splitlines()]
    assert {event["warp"] for event in events} == {0}
    assert [e["mask"] for e in events if e["opcode"] == "st.global.f32"] == ["0x000000ff"]


def test_tensor_maps_and_printing() -> None:
    kernels = Path(__file__).with_name("kernels")

    def described(array: str, rows: int, columns: int) -> list[str]:
        shape = f"f16[{rows},{columns}]={array}"
        return [f"tensormap[64,64;128B]:{shape}", f"u32={rows}", f"u32={columns}", f"u64={columns}", "u64=1"]

    arguments = [
        *described("full(0.5)", 64, 64),
        *described("full(2)", 64, 128),
        *described("zeros", 64, 128),
        "u32=64",
    ]
    given = [part for argument in [*arguments, "u8[1]=zeros", "u8[1]=zeros"] for part in ("-a", argument)]
    done = weft("triton_tma_matmul_sm_90.ptx", "--shared-bytes", "73752", "--async", "lazy", *given, cwd=kernels)
    assert done.returncode == 0, done.stderr
    assert "10: float16[64,128] min 64 max 64" in done.stdout
    done = weft("more_sm_80.ptx", "-k", "says", "-b", "4", "-a", "s32[4]=1,2,3,4", "-a", "u32=4", cwd=kernels)
    assert done.stdout.startswith("thread 0 has 1, half of it 0.50\nthread 2 has 3, half of it 1.50\n")


def test_jobs(folder: Path) -> None:
    arguments = ["-a", "u32=250", "-a", "f32=2", "-a", "f32[250]=arange", "-a", "f32[250]=ones"]
    done = weft(*LAUNCH, *arguments, "--jobs", "2", "-o", "3=y.npy", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert (np.load(folder / "y.npy") == 2 * np.arange(250) + 1).all()
    assert weft(*LAUNCH, *arguments, "--jobs", "2", "--trace", "t", cwd=folder).returncode == 1


def test_a_fault_names_its_place(folder: Path) -> None:
    done = weft(*LAUNCH, "-a", "u32=9", "-a", "f32=2", "-a", "f32[8]=arange", "-a", "f32[9]=ones", cwd=folder)
    assert done.returncode == 1
    assert done.stderr.startswith("saxpy.ptx:11:5: error: ld.global.f32: 4 bytes at global address 0x")
    assert "(offset 32 of argument x, which has 32 bytes)" in done.stderr
    assert "in CTA (0, 0, 0), thread (8, 0, 0) (warp 0, lane 8)" in done.stderr
    assert "\n    ld.global.f32 %f2, [%rd1];\n    ^\n" in done.stderr


def test_the_signature_is_shown(folder: Path) -> None:
    done = weft(*LAUNCH, "-a", "u32=9", cwd=folder)
    assert done.returncode == 1
    assert done.stderr.startswith("saxpy.ptx:4:1: error: kernel 'saxpy' takes 4 arguments, got 1")
    assert "hint: saxpy(.u32 n, .f32 a, .u64 x, .u64 y)" in done.stderr
    done = weft(*LAUNCH, "-a", "u32=9", "-a", "f32[2]=ones", "-a", "f32[2]=ones", "-a", "same(2)", cwd=folder)
    assert "parameter 'a' is .f32: pass a scalar, not an array" in done.stderr


def test_mlir_is_compiled_first(examples: Path) -> None:
    done = weft(
        *("saxpy.mlir", "-a", "f32=2", "-a", "memref:f32[8]=arange", "-a", "memref:f32[8]=ones", "-a", "u64=8"),
        cwd=examples,
    )
    assert done.returncode == 0, done.stderr
    assert "2: float32[8] min 1 max 15" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["-a", "f32[8]=arrange"], 1, "'arrange' is not a number of type float32"),
        (["-a", "q32=1"], 1, "unknown type 'q32'"),
        (["-a", "object[4]=zeros"], 1, "unknown type 'object'"),
        (["-a", "f16=1e9"], 1, "1e9 does not fit float16"),
        (["-a", "f32[99999999999999]=zeros"], 1, "does not fit in memory"),
        (["-a", "tensormap[4;77B]:f32[4]=ones"], 1, "unknown swizzle '77B'"),
        (["-a", "u8=300"], 1, "300 does not fit uint8"),
        (["-a", "f32[3]=1,2"], 1, "2 values are given for 3 elements"),
        (["-a", "same(0)"], 1, "no earlier array argument 0"),
        (["-a", "nonsense"], 1, "not TYPE=NUMBER"),
        (["-a", "tensormap[8]:u32=1"], 1, "write a tensor map with the array that it describes"),
        (["-a", "@missing.npy"], 2, "missing.npy: error: No such file"),
        (["-a", "@saxpy.ptx"], 1, "saxpy.ptx: error: not a .npy file"),
        (["-a", "u32=1", "-o", "0=x.npy"], 2, "argument 0 is not an array"),
        (["-o", "x.npy"], 2, "is not N=FILE.npy"),
        (["--grid", "0"], 2, "is not one to three positive numbers"),
        (["--trace-values"], 2, "need --trace"),
        (["-k", "nothing"], 1, "hint: the module has saxpy"),
    ],
)
def test_bad_arguments(folder: Path, arguments: list[str], status: int, message: str) -> None:
    done = weft("saxpy.ptx", *arguments, cwd=folder)
    assert (done.returncode, done.stdout) == (status, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_contents_of_arrays(tmp_path: Path) -> None:
    random = np.random.default_rng(0)

    def one(text: str) -> np.ndarray:
        (found,) = arrays.parse(text, [], random)
        return found

    assert one("f16[2,3]=arange").tolist() == [[0, 1, 2], [3, 4, 5]]
    assert one("bf16[2]=full(1.5)").dtype == ml_dtypes.bfloat16
    assert one("e4m3[4]=1,2,-3,0.5").astype(float).tolist() == [1, 2, -3, 0.5]
    assert one("s8[1000]=random").min() < -100
    assert 0 <= one("f64[9]=random").min() <= one("float32[9]=random").max() < 1
    assert one("u64=0xffffffffffffffff") == np.uint64(2**64 - 1)
    for name in ("bf16", "e5m2", "f32"):
        written = one(f"{name}[2,5]=normal")
        arrays.save(str(tmp_path / "a.npy"), written)
        read = one(f"{name}[2,5]=@{tmp_path / 'a.npy'}")
        assert read.dtype == written.dtype
        assert read.tobytes() == written.tobytes()


@pytest.mark.parametrize(("option", "near"), [(("--check", "strickt"), "strict"), (("--async", "lasy"), "lazy")])
def test_misspelt_options(folder: Path, option: tuple[str, str], near: str) -> None:
    done = weft("saxpy.ptx", *option, cwd=folder)
    assert done.returncode == 2
    assert f"Did you mean {near}?" in done.stderr


RACY = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry racy(.param .u64 out)
{
    .shared .align 4 .b8 s[256]; .reg .b64 %d; .reg .b32 %t, %a, %b, %v, %w;
    ld.param.u64 %d, [out]; mov.u32 %t, %tid.x; mov.u32 %a, s; mad.lo.u32 %b, %t, 4, %a;
    st.shared.u32 [%b], %t;
    xor.b32 %w, %t, 32; mad.lo.u32 %b, %w, 4, %a;
    ld.shared.u32 %v, [%b];
    mad.wide.u32 %d, %t, 4, %d; st.global.u32 [%d], %v; ret;
}
"""
RACES = ("racy.ptx", "--block", "64", "-a", "u32[64]=zeros")


@pytest.fixture
def racy(tmp_path: Path) -> Path:
    (tmp_path / "racy.ptx").write_text(RACY)
    return tmp_path


@pytest.mark.parametrize("report", ["first", "all"])
def test_findings_in_every_format(racy: Path, report: str) -> None:
    """Programs get the same document whether the run has gone on or not, and one without findings too."""
    for options, status in ((("--report", report), 1), (("--report", report, "--suppress", "s"), 0)):
        done = {name: weft(*RACES, *options, "--format", name, cwd=racy) for name in ("json", "sarif", "github")}
        assert {one.returncode for one in done.values()} == {status}
        found = json.loads(done["json"].stdout)
        assert (found["files"], found["errors"]) == (1, status)
        results = json.loads(done["sarif"].stdout)["runs"][0]["results"]
        assert len(results) == len(found["findings"]) == done["github"].stdout.count("::error file=racy.ptx,line=10")
    done = {name: weft(*RACES, "--report", report, "--format", name, cwd=racy) for name in ("json", "sarif", "text")}
    (one,) = json.loads(done["json"].stdout)["findings"]
    assert (one["file"], one["line"], one["code"], one["severity"]) == ("racy.ptx", 10, "race", "error")
    log = json.loads(done["sarif"].stdout)["runs"][0]
    assert log["tool"]["driver"]["rules"][0]["id"] == log["results"][0]["ruleId"] == "race"
    assert "without synchronization" in log["tool"]["driver"]["rules"][0]["shortDescription"]["text"]
    region = log["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region["startLine"] == 10
    text = done["text"].stdout + done["text"].stderr
    assert "racy.ptx:10:5: error: ld.shared.u32: reads what warp" in text


def test_notes_end_no_run(tmp_path: Path) -> None:
    change = "setmaxnreg.dec.sync.aligned.u32"
    text = f".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k() .maxnreg 64\n{{ {change} 40;\n{change} 24;\nret; }}\n"
    (tmp_path / "note.ptx").write_text(text)
    done = {f: weft("note.ptx", "--block", "128", "--format", f, cwd=tmp_path) for f in ("json", "sarif", "github")}
    assert {one.returncode for one in done.values()} == {0}
    found = json.loads(done["json"].stdout)
    assert (found["errors"], [one["severity"] for one in found["findings"]]) == (0, ["note"])
    (result,) = json.loads(done["sarif"].stdout)["runs"][0]["results"]
    assert (result["level"], result["ruleId"]) == ("note", "registers")
    assert "::notice file=note.ptx,line=6" in done["github"].stdout


@pytest.mark.parametrize("left_out", [("--suppress", "s"), ("--suppress", "8"), ("--suppress", "racy"),
                                      ("--checks", "limits,proxy"), ("--check", "fast")])  # fmt: skip
def test_what_is_left_out(racy: Path, left_out: tuple[str, str]) -> None:
    done = weft(*RACES, *left_out, cwd=racy)
    assert done.returncode == 0, done.stderr
    assert "0: uint32[64]" in done.stdout


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (("--checks", "race"), 2, "did you mean races?"),
        (("--checks", "nothing"), 2, "expected one of"),
        (("--report", "al"), 2, "Did you mean all?"),
        (("--format", "jso"), 2, "Did you mean json?"),
        (("--schedules", "0"), 2, "--schedules"),
        (("--max-steps", "-1"), 2, "--max-steps"),
        (("--timeout", "soon"), 2, "--timeout"),
        (("--registers", "many"), 2, "neither 'ptxas' nor a number"),
        (("--registers", "255", "--block", "512"), 1, "registers"),
        (("--max-steps", "1", "--check", "fast"), 1, "exceeds 1 steps"),
        (("--schedules", "3"), 1, "line 8"),
    ],
)
def test_options_of_checks(racy: Path, options: tuple[str, ...], status: int, message: str) -> None:
    done = weft(*RACES, *options, cwd=racy)
    assert done.returncode == status
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_outputs_are_written_beside_findings(racy: Path) -> None:
    done = weft(*RACES, "--report", "all", "--format", "json", "-o", "0=out.npy", cwd=racy)
    assert done.returncode == 1
    assert len(json.loads(done.stdout)["findings"]) == 1
    assert np.load(racy / "out.npy").shape == (64,)
