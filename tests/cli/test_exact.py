"""All that commands print of small inputs, and their exit status; no tool and no other process is needed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import weft as package
from tests.command import weft
from weft.cli import COMMANDS

PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry add(.param .u64 out, .param .u64 in, .param .u32 n)
.reqntid 4, 2
{
.reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<6>;
ld.param.u64 %rd1, [out];
ld.param.u64 %rd2, [in];
ld.param.u32 %r1, [n];
mov.u32 %r2, %tid.x;
mov.u32 %r3, %tid.y;
mad.lo.u32 %r2, %r3, 4, %r2;
setp.ge.u32 %p1, %r2, %r1;
@%p1 bra $L;
mul.wide.u32 %rd3, %r2, 4;
add.s64 %rd4, %rd2, %rd3;
ld.global.u32 %r4, [%rd4];
add.s32 %r4, %r4, %r1;
add.s64 %rd5, %rd1, %rd3;
st.global.u32 [%rd5], %r4;
$L:
ret;
}
.visible .entry other() { ret; }
"""
OTHER = (
    PTX.replace("add.s32 %r4, %r4, %r1", "sub.s32 %r4, %r4, %r1")
    .replace(".version 8.0", ".version 8.1")
    .replace("mov.u32 %r3, %tid.y;", "mov.u32 %r3, %tid.y; membar.gl;")
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with the two texts."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "k.ptx").write_text(PTX)
    (tmp_path / "m.ptx").write_text(OTHER)
    return tmp_path


def said(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
    done = weft(*arguments, stdin=stdin)
    return done.returncode, done.stdout, done.stderr


# -- diff ---------------------------------------------------------------------------------------------------------

SUMMARY = "3 differences (2 lines removed, 3 added): version, function add\n"
CHANGES = """@ version
- 8.0
+ 8.1
@ function add, statement 6
+ membar.gl
@ function add, statement 12
- add.s32 %r4, %r4, %r1
+ sub.s32 %r4, %r4, %r1
"""
COUNTS = "1 version, 1 instruction changed, 1 instruction added\n"
SEMANTIC = """@ version: version
- 8.0
+ 8.1
@ function add, instruction 12: instruction changed
- add.s32 %r4, %r4, %r1
+ sub.s32 %r4, %r4, %r1
@ function add, instruction 6 of the new: instruction added
+ membar.gl
"""


def test_differences() -> None:
    assert said("diff", "k.ptx", "m.ptx") == (1, CHANGES + SUMMARY, "")
    assert said("diff", "k.ptx", "m.ptx", "-q") == said("diff", "--brief", "k.ptx", "m.ptx") == (1, SUMMARY, "")
    assert said("diff", "k.ptx", "m.ptx", "--semantic") == (1, COUNTS + SEMANTIC, "")
    assert said("diff", "--semantic", "k.ptx", "m.ptx", "-q") == (1, COUNTS, "")
    for options in ((), ("--semantic",), ("-q",)):
        assert said("diff", "k.ptx", "k.ptx", *options) == (0, "", "")
    for options in ((), ("--semantic",)):
        status, out, _ = said("diff", "k.ptx", "k.ptx", "--json", *options)
        assert (status, json.loads(out)) == (0, {"same": True, "changes": []})
    status, out, _ = said("diff", "k.ptx", "m.ptx", "--json")
    changes = [
        {"where": "version", "removed": ["8.0"], "added": ["8.1"]},
        {"where": "function add, statement 6", "removed": [], "added": ["membar.gl"]},
        {
            "where": "function add, statement 12",
            "removed": ["add.s32 %r4, %r4, %r1"],
            "added": ["sub.s32 %r4, %r4, %r1"],
        },
    ]
    assert (status, json.loads(out)) == (1, {"same": False, "changes": changes})
    status, out, _ = said("diff", "k.ptx", "m.ptx", "--json", "--semantic")
    found = json.loads(out)
    assert status == 1 and not found["same"]
    assert [change["kind"] for change in found["changes"]] == ["version", "instruction changed", "instruction added"]
    assert [change["where"] for change in found["changes"]][1:] == [
        *("function add, instruction 12", "function add, instruction 6 of the new")
    ]
    (Path("bad.ptx")).write_text("nonsense")
    wrong = "bad.ptx:1:1: error: expected '.version', found 'nonsense' [syntax]\nnonsense\n^\n"
    for names in (("bad.ptx", "k.ptx"), ("k.ptx", "bad.ptx")):
        assert said("diff", *names) == (
            2,
            "",
            f"{wrong}hint: start the module with .version, .target and .address_size\n",
        )
    assert said("diff", "k.ptx", "none.ptx") == (2, "", "none.ptx: error: No such file or directory\n")


def test_differences_in_many_places() -> None:
    """The first five are named, and each once; one difference is one."""
    names = [f"k{number}" for number in range(7)]
    head = PTX.partition(".visible")[0]
    for file, body in (("a.ptx", "ret;"), ("b.ptx", "membar.gl; membar.gl; ret;")):
        Path(file).write_text(head + "".join(f".entry {name}() {{ {body} }}\n" for name in names))
    status, out, _ = said("diff", "-q", "a.ptx", "b.ptx")
    where = ", ".join(f"function {name}" for name in names[:5])
    assert (status, out) == (1, f"7 differences (0 lines removed, 14 added): {where} and 2 more places\n")
    Path("b.ptx").write_text(Path("a.ptx").read_text().replace("k0() { ret", "k0() { membar.gl; ret"))
    assert said("diff", "-q", "a.ptx", "b.ptx")[1] == "1 difference (0 lines removed, 1 added): function k0\n"
    assert said("diff", "-q", "--semantic", "a.ptx", "b.ptx")[1] == "1 instruction added\n"
    Path("b.ptx").write_text(Path("a.ptx").read_text().replace("ret", "membar.gl; membar.gl; ret", 1))
    assert said("diff", "-q", "--semantic", "a.ptx", "b.ptx")[1] == "2 instructions added\n"


# -- run ----------------------------------------------------------------------------------------------------------

RUN = ("run", "k.ptx", "-k", "add", "-a", "u32[8]=zeros", "-a", "u32[8]=arange", "-a", "u32=5")
SHOWN = """0: uint32[8] min 0 max 9: 5 6 7 8 9 0 0 0 (5 of 8 elements changed)
1: uint32[8] min 0 max 7: 0 1 2 3 4 5 6 7 (unchanged)
"""


def test_runs() -> None:
    """With the block that the kernel asks for, else a warp; a part of a name is enough."""
    status, out, err = said(*RUN)
    assert (status, out) == (0, SHOWN) and re.fullmatch(r"102 thread-instructions in \d+ ms\n", err)
    assert said(*[word if word != "add" else "dd" for word in RUN])[:2] == (0, SHOWN)
    status, out, err = said("run", "k.ptx", "-k", "other")
    assert (status, out) == (0, "") and err.startswith("32 thread-instructions in ")
    for block, grid, count in (("5", "1", 5), ("2,3", "1", 6), ("2x3x2", "2,1,2", 48), ("1", "3x2", 6)):
        assert said("run", "k.ptx", "-k", "other", "-b", block, "-g", grid)[2].startswith(
            f"{count} thread-instructions"
        )
    for options, message, hint in (
        *(
            ((), "which kernel? name one with --kernel", "add, other"),
            (("-k", "zz"), "no kernel named 'zz'", "add, other"),
        ),
        (("-k", ""), "several kernels match ''", "add, other"),
    ):
        assert said("run", "k.ptx", *options) == (1, "", f"k.ptx: error: {message}\nhint: the module has {hint}\n")
    Path("none.ptx").write_text(PTX.partition(".visible")[0])
    assert said("run", "none.ptx") == (1, "", "none.ptx: error: no kernels in this file\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-b", "0"), "'-b' / '--block': '0' is not one to three positive numbers, as in 4 or 16,16"),
        (("-b", "1,2,3,4"), "'-b' / '--block': '1,2,3,4' is not one to three positive numbers, as in 4 or 16,16"),
        (("-g", "x"), "'-g' / '--grid': 'x' is not one to three positive numbers, as in 4 or 16,16"),
        (("--registers", "0"), "'--registers': '0' is neither 'ptxas' nor a number from 1 to 255"),
        (("--registers", "256"), "'--registers': '256' is neither 'ptxas' nor a number from 1 to 255"),
        (("-o", "x=a.npy"), "'-o' / '--out': 'x=a.npy' is not N=FILE.npy"),
        (("-o", "0="), "'-o' / '--out': '0=' is not N=FILE.npy"),
        (("-o", "0"), "'-o' / '--out': '0' is not N=FILE.npy"),
        (("--shared-bytes", "1048577"), "'--shared-bytes': 1048577 is not in the range 0<=x<=1048576."),
        (("--schedules", "0"), "'--schedules': 0 is not in the range x>=1."),
        (("--changes", "-1"), "'--changes': -1 is not in the range x>=0."),
        (("--max-steps", "0"), "'--max-steps': 0 is not in the range x>=1."),
        (("--timeout", "-1"), "'--timeout': -1.0 is not in the range x>=0."),
        (("--resident", "0"), "'--resident': 0 is not in the range x>=1."),
        (("--jobs", "0"), "'-j' / '--jobs': 0 is not in the range x>=1."),
        (("--engine", "nativ"), "'--engine': 'nativ' is not one of 'auto', 'numpy', 'native'. Did you mean native?"),
    ],
    ids="".join,
)
def test_wrong_options_of_run(arguments: tuple[str, ...], message: str) -> None:
    status, out, err = said("run", "k.ptx", "-k", "other", *arguments)
    assert (status, out) == (2, "") and err.endswith(f"\nerror: Invalid value for {message}\n")


def test_limits_of_options_of_run() -> None:
    for option in (
        "--registers=1",
        "--registers=255",
        "--shared-bytes=0",
        "--changes=0",
        "--timeout=60",
        "--resident=1",
    ):
        assert said("run", "k.ptx", "-k", "other", option)[0] == 0, option
    assert said("run", "k.ptx", "-k", "other", "--schedules", "2", "--changes", "1", "--max-steps", "1")[0] in (0, 1)
    for option in ("--trace-warp=0", "--trace-line=3", "--trace-values"):
        status, _, err = said("run", "k.ptx", "-k", "other", option)
        assert status == 2 and err.endswith("error: --trace-warp, --trace-line and --trace-values need --trace\n")
    for number, argument in (("0", "u32=1"), ("1", "u32[2]=zeros")):
        status, _, err = said("run", "k.ptx", "-k", "other", "-a", argument, "-o", f"{number}=x.npy")
        assert status == 2 and err.endswith(f"error: --out {number}=...: argument {number} is not an array\n")
    status, _, err = said("run", "k.ptx", "--set", "M=3")
    assert status == 2 and err.endswith("error: --set is for kernels written in Python\n")
    assert said(*RUN, "--max-steps", "3")[0] == 1
    assert "races, proxy" in said("run", "k.ptx", "--checks", "racing")[2]


def test_arrays_are_written(folder: Path) -> None:
    """What is asked for is not shown as well; memrefs and what is passed twice are one array."""
    status, out, _ = said(*RUN, "-o", "0=x.npy", "--out", "1=y.npy")
    assert (status, out) == (0, "") and np.load("x.npy").tolist() == [5, 6, 7, 8, 9, 0, 0, 0]
    assert np.load("y.npy").tolist() == list(range(8))
    status, out, _ = said("run", "k.ptx", "-k", "add", "-a", "u32[8]=arange", "-a", "same(0)", "-a", "u32=5")
    assert out == "0: uint32[8] min 5 max 9: 5 6 7 8 9 5 6 7 (5 of 8 elements changed)\n"


def finding(line: int) -> str:
    return f"k.ptx:{line}:1: error: "


def test_faults(folder: Path) -> None:
    """In text, JSON, SARIF or as annotations; findings that a run goes on after are told, and arrays still written."""
    small = [word if word != "u32[8]=zeros" else "u32[4]=zeros" for word in RUN]
    status, out, err = said(*small)
    assert (status, out) == (1, "") and err.startswith(finding(21) + "st.global.u32: 4 bytes at global address 0x")
    assert "\nst.global.u32 [%rd5], %r4;\n^\n" in err and "offset 16 of argument out, which has 16 bytes" in err
    for option in (("--json",), ("--format", "json")):
        status, out, err = said(*small, *option)
        found = json.loads(out)
        assert (status, found["errors"], found["files"], err) == (1, 1, 1, "")
        (one,) = found["findings"]
        assert (one["line"], one["code"], one["facts"]["thread"]) == (21, "out-of-bounds", [0, 1, 0])
    status, out, _ = said(*small, "--format", "github")
    assert status == 1 and out.startswith("::error file=k.ptx,line=21,col=1,")
    status, out, _ = said(*small, "--format", "sarif")
    rules = json.loads(out)["runs"][0]["tool"]["driver"]["rules"]
    assert status == 1 and "out-of-bounds" in {rule["id"] for rule in rules}
    status, out, _ = said(*RUN, "--json")
    assert (status, json.loads(out)) == (0, {"files": 1, "errors": 0, "warnings": 0, "findings": []})
    racing = PTX.replace("add.s64 %rd5, %rd1, %rd3;", "mov.u64 %rd5, %rd1;")
    Path("race.ptx").write_text(racing)
    given = ["race.ptx" if word == "k.ptx" else word for word in RUN]
    status, out, _ = said(*given, "--report", "all", "-o", "0=x.npy")
    assert status == 1 and "race" in out and np.load("x.npy").size == 8
    for options in (("--check", "fast"), ("--checks", "uninitialised"), ("--suppress", "21"), ("--suppress", "add")):
        assert said(*given, *options)[0] == 0, options


def test_traces_and_counters(folder: Path) -> None:
    status, out, _ = said(*RUN, "--trace", "t.jsonl", "--trace-line", "19", "--trace-values", "--trace-warp", "0")
    (event,) = map(json.loads, Path("t.jsonl").read_text().splitlines())
    assert (status, out, event["line"], event["warp"]) == (0, SHOWN, 19, 0)
    assert said(*RUN, "--trace", "t.jsonl", "--trace-warp", "7")[0] == 0 and Path("t.jsonl").read_text() == ""
    status, out, _ = said(*RUN, "--trace", "-", "--trace-line", "23")
    assert out.count("\n") == 3 and json.loads(out.splitlines()[0])["line"] == 23
    assert "values" not in json.loads(out.splitlines()[0]) or not json.loads(out.splitlines()[0])["values"]
    status, out, _ = said(*RUN, "--counters")
    assert status == 0 and out.startswith(SHOWN) and "sectors" in out


MLIR = """gpu.module @m { gpu.func @k(%a: memref<4xf32>, %b: memref<4xf32>) kernel {
  %i = gpu.thread_id x
  %v = memref.load %a[%i] : memref<4xf32>
  %w = arith.addf %v, %v : f32
  memref.store %w, %b[%i] : memref<4xf32>
  gpu.return
} }"""


def test_mlir_is_compiled_and_run(folder: Path) -> None:
    Path("k.mlir").write_text(MLIR)
    memrefs = [part for contents in ("arange", "ones") for part in ("-a", f"memref:f32[4]={contents}")]
    status, out, _ = said("run", "k.mlir", "-b", "4", *memrefs, "-t", "sm_90")
    assert (status, out) == (0, (
        "0: float32[4] min 0 max 3: 0 1 2 3 (unchanged)\n1: float32[4] min 0 max 6: 0 2 4 6 (4 of 4 elements changed)\n"
    ))  # fmt: skip
    status, _, err = said("run", "k.mlir", "-b", "8", *memrefs)
    assert status == 1 and err.startswith("PTX of k.mlir:") and "lie outside every buffer" in err


# -- arguments of run ---------------------------------------------------------------------------------------------


def values(*arguments: str, seed: int = 0) -> list[list[object]]:
    from weft.cli import arrays

    random, found = np.random.default_rng(seed), list[list[object]]()
    for argument in arguments:
        found.append(arrays.parse(argument, found, random))
    return found


@pytest.mark.parametrize(
    "name", ["u8", "s16", "b32", "i64", "f16", "f32", "f64", "bf16", "e4m3", "e5m2", "float32", "int8"]
)
def test_contents_of_arrays(name: str) -> None:
    from weft.cli.arrays import dtype_of

    dtype = dtype_of(name)
    assert dtype is not None
    floats = dtype.kind == "f" or dtype.isbuiltin == 2
    for text, right in (
        *(("arange", [0, 1, 2, 3, 4, 5]), ("zeros", [0] * 6), ("ones", [1] * 6), ("full(3)", [3] * 6)),
        ("1,2, 3,4,5,6", [1, 2, 3, 4, 5, 6]),
    ):
        for shape in ("2,3", "2x3", " 2 , 3 "):
            ((array,),) = values(f"{name}[{shape}]={text}")
            assert isinstance(array, np.ndarray) and array.dtype == dtype and array.shape == (2, 3)
            assert array.astype(np.float64).reshape(-1).tolist() == right
    ((drawn,), (again,)) = values(f"{name}[4096]=random", f"{name}[4096]=random", seed=3)
    ((same,),) = values(f"{name}[4096]=random", seed=3)
    assert isinstance(drawn, np.ndarray) and isinstance(again, np.ndarray) and isinstance(same, np.ndarray)
    assert drawn.dtype == dtype and (drawn == same).all() and not (drawn == again).all()
    wide = drawn.astype(np.float64)
    if floats:
        assert 0 <= wide.min() and wide.max() <= 1 and 0.4 < wide.mean() < 0.6
    else:
        info = np.iinfo(dtype)
        span = float(info.max) - float(info.min)
        assert wide.min() < info.min + span / 50 and wide.max() > info.max - span / 50
    ((normal,),) = values(f"{name}[4096]=normal")
    assert isinstance(normal, np.ndarray) and (dtype.kind == "u" or abs(normal.astype(np.float64).mean()) < 0.1)
    ((scalar,),) = values(f"{name}=3")
    assert np.asarray(scalar).dtype == dtype and float(scalar) == 3  # type: ignore[arg-type]


def test_names_of_types() -> None:
    from weft.cli.arrays import dtype_of

    for name, right in (
        *(
            ("u8", "u1"),
            ("s64", "i8"),
            ("b16", "u2"),
            ("i32", "i4"),
            ("f64", "f8"),
            ("uint16", "u2"),
            ("complex64", "c8"),
        ),
        *(("bool", "?"), ("bfloat16", ml_dtypes.bfloat16), ("bf16", ml_dtypes.bfloat16), ("float8_e4m3fn", "e4m3")),
    ):
        expected = dtype_of(right) if right == "e4m3" else np.dtype(right)
        assert dtype_of(name) == expected, name
    for name in ("u7", "u128", "x", "U3", "O", "V4", "datetime64"):
        assert dtype_of(name) is None, name


def test_arguments_in_other_forms(folder: Path) -> None:
    from weft.isa.tensor_map import TensorMap

    np.save("a.npy", np.arange(6, dtype=np.float32).reshape(2, 3).T)
    np.save("b.npy", np.arange(4, dtype=np.uint16).view("V2"))
    found = values(
        *("@a.npy", "f32=@a.npy", "f32[3,2]=@a.npy", "same(1)", "memref:f32[2,3]=ones", "u32=0x1F", "f32=-2.5e1"),
        *("tensormap[2,16;32B]:f16[8,64]=ones", "tensormap[4,32]:same(7)", "bf16=@b.npy", "memref:same(1)"),
    )
    array = found[0][0]
    assert isinstance(array, np.ndarray) and array.flags.c_contiguous and array.tolist() == [[0, 3], [1, 4], [2, 5]]
    assert np.array_equal(found[1][0], array) and np.array_equal(found[2][0], array)  # type: ignore[arg-type]
    assert found[3][0] is found[1][0]
    first, second, *rest = found[4]
    assert first is second and rest == [0, 2, 3, 3, 1]
    assert found[5] == [31] and found[6] == [-25]
    ((made,), (other,)) = found[7:9]
    assert isinstance(made, TensorMap) and made.array.shape == (8, 64) and isinstance(other, TensorMap)
    assert (made.fields.box_dim, made.fields.swizzle) == ((16, 2), "32B") and other.fields.swizzle == "NONE"
    assert np.asarray(found[9][0]).dtype == ml_dtypes.bfloat16 and found[10][0] is found[1][0]


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("u8=256", "256 does not fit uint8"),
        ("u8=-1", "-1 does not fit uint8"),
        ("s8=-129", "-129 does not fit int8"),
        ("s8=128", "128 does not fit int8"),
        ("f16=70000", "70000 does not fit float16"),
        ("f32=x", "'x' is not a number of type float32"),
        ("u32=1.5", "'1.5' is not a number of type uint32"),
        ("u32[2]=1,2,3", "3 values are given for 2 elements"),
        ("u32[2]", "an array needs contents"),
        ("x32=1", "unknown type 'x32'"),
        ("nonsense", "not TYPE=NUMBER, TYPE[SHAPE]=CONTENTS or @FILE.npy"),
        ("same(0)", "there is no earlier array argument 0"),
        ("memref:u32=1", "write a memref with a type, a shape and contents"),
        ("tensormap[2]:u32=1", "write a tensor map with the array that it describes"),
        ("f32[99999999,99999999]=zeros", "the array does not fit in memory"),
        ("f32[2,3]=@a.npy", "a.npy has shape (2,)"),
        ("f16[2]=@a.npy", "the file contains float32, not float16"),
    ],
)
def test_wrong_arguments(argument: str, message: str) -> None:
    np.save("a.npy", np.zeros(2, np.float32))
    status, out, err = said("run", "k.ptx", "-k", "other", "-a", argument)
    assert (status, out) == (1, "") and f"error: --arg {argument}: {message}" in err


def test_files_that_hold_no_array() -> None:
    Path("a.npy").write_text("x")
    np.savez("b.npz", np.zeros(2))
    for name, message in (("a.npy", "not a .npy file of numbers: "), ("b.npz", "an archive of several arrays")):
        status, _, err = said("run", "k.ptx", "-k", "other", "-a", f"@{name}")
        assert status == 1 and err.startswith(f"{name}: error: {message}")
    assert said("run", "k.ptx", "-k", "other", "-a", "@none.npy")[0] == 2


def test_numbers_that_fit() -> None:
    assert values("u8=255", "s8=-128", "s8=127", "f16=65504", "f32=inf", "f16=-inf")[:4] == [
        [255],
        [-128],
        [127],
        [65504],
    ]


def test_arrays_on_one_line() -> None:
    from weft.cli.arrays import summary

    for array, text in (
        (np.arange(9, dtype=np.int32), "int32[9] min 0 max 8: 0 1 2 3 4 5 6 7 ..."),
        (np.arange(8, dtype=np.int32).reshape(2, 4), "int32[2,4] min 0 max 7: 0 1 2 3 4 5 6 7"),
        (np.array([0.5, -1e9], np.float32), "float32[2] min -1e+09 max 0.5: 0.5 -1e+09"),
        (np.array([1, 2], ml_dtypes.bfloat16), "bf16[2] min 1 max 2: 1 2"),
        (np.zeros((0, 3), np.uint8), "uint8[0,3]: "),
    ):
        assert summary(array) == text


def test_small_floats_are_written_as_bytes(folder: Path) -> None:
    from weft.cli.arrays import load, save

    save("x.npy", np.array([1, 2], ml_dtypes.bfloat16))
    assert load("x.npy").dtype == np.dtype("V2")
    save("y.npy", np.array([1, 2], np.float16))
    assert load("y.npy").dtype == np.float16


# -- occupancy ----------------------------------------------------------------------------------------------------

TABLE = """kernel  target  threads  registers  shared  blocks           warps  next  limited by
        sm_80       128         40    1024      12  48 of 64 (75%)    32  registers
        sm_90a      128         40    1024      12  48 of 64 (75%)    32  registers
"""


def test_occupancy_without_a_file() -> None:
    given = ("occupancy", "--threads", "128", "--registers", "40", "--shared", "1000", "--dynamic-shared", "24")
    assert said(*given, "-t", "sm_80, sm_90a,") == (0, TABLE, "")
    status, out, _ = said(*given, "-t", "sm_80", "--json")
    assert (status, json.loads(out)) == (0, [{
        "kernel": "", "target": "sm_80", "threads": 128, "registers": 40, "shared_bytes": 1024, "blocks": 12, "warps": 48,
        "most_warps": 64, "limited_by": ["registers"], "next": 32,
        "limits": json.loads(out)[0]["limits"],
    }])  # fmt: skip
    for missing in ("--threads", "--registers", "-t"):
        words = [*given, "-t", "sm_80"]
        at = words.index(missing)
        status, _, err = said(*words[:at], *words[at + 2 :])
        assert status == 2 and err.endswith("error: give FILE, or --target, --threads and --registers\n")
    assert said("occupancy", "-t", "sm_80", "--threads", "1024", "--registers", "255")[1].splitlines()[1] == (
        "        sm_80      1024        255       0       0  0 of 64 (0%)    64  registers"
    )
    assert said("occupancy", "-t", "sm_80", "--threads", "32", "--registers", "16")[1].splitlines()[1].split()[2:] == [
        *("16", "0", "32", "32", "of", "64", "(50%)", "-", "blocks")
    ]
    for option, most in (("--threads", 1024), ("--registers", 255)):
        for value, status in ((most, 0), (most + 1, 2)):
            words = [*given, "-t", "sm_80"]
            words[words.index(option) + 1] = str(value)
            assert said(*words)[0] == status


# -- the table of instructions, the machine layer -----------------------------------------------------------------


def test_what_only_one_of_two_targets_has() -> None:
    status, out, _ = said("isa", "--diff", "sm_89", "sm_90")
    lines = out.splitlines()
    assert status == 0 and lines[0] == "--- only sm_89: 0"
    assert lines[1] == f"+++ only sm_90: {len(lines) - 2}" and all(line.startswith("+ ") for line in lines[2:])
    status, out, _ = said("isa", "--diff", "90", "sm_89", "--json")
    found = json.loads(out)["only"]
    assert list(found) == ["sm_90", "sm_89"] and len(found["sm_90"]) == len(lines) - 2 and found["sm_89"] == []
    for more in (("ldmatrix",), ("-t", "sm_80")):
        assert said("isa", "--diff", "sm_89", "sm_90", *more)[2].endswith(
            "error: --diff takes two targets, and neither NAME nor --target\n"
        )
    assert "error: --diff: unknown target 'sm_1'" in said("isa", "--diff", "sm_89", "sm_1")[2]


EXPLAINED = r"""form      ld{.mmio}{.sem}{.scope}{.ss}{.cop}{.l1_evict}{.l2_evict}{.cache_hint}{.prefetch_size}{.vec}.type d, [a]{, policy}
opcode    \d+
jump      0x[0-9a-f]{8}: label \d+, flags 0x[0-9a-f]{4}
mnemonic  pool offset \d+, tail state \d+: ld
companion 0x[0-9a-f]{8}: load/store; F1: loads and stores: an address and data
load/store label 6: global load/store
body
"""


def test_an_instruction_through_every_layer() -> None:
    statement = "ld.global.v2.u32 {%r1,%r2}, [%rd1+4];"
    status, out, err = said("mc", "explain", statement)
    pattern = EXPLAINED
    for letter in "{}[]()":
        first = pattern.partition("\n")[0]
        pattern = pattern.replace(first, first.replace(letter, "\\" + letter), 1)
    assert (status, err) == (0, "") and re.match(pattern.replace(".mmio", r"\.mmio"), out)
    lines = out.splitlines()
    at = {title: lines.index(title) for title in ("body", "records", "groups")}
    assert lines[at["body"] + 1].split() == ["mnemonic", "offset", "table"]
    assert [line.split()[1] for line in lines if line.startswith("  modifier") and "." in line] == [
        ".global",
        ".v2",
        ".u32",
    ]
    assert [line.split()[-2:] for line in lines[at["records"] : at["groups"]] if "REGISTER" in line][:2] == [
        ["%r", "(b32)"]
    ] * 2
    assert lines[at["groups"] + 1 :] == [
        "  vector of 2, %r, I32: {%r1, %r2}", "  address of 1, %rd, I64: [%rd1+4]",
        "line      ld.global.v2.u32 {%r1, %r2}, [%rd1+4];",
    ]  # fmt: skip
    found = [
        json.loads(said(*words)[1])
        for words in (("mc", "--json", "explain", statement), ("mc", "explain", "--json", statement))
    ]
    assert found[0] == found[1] and found[0]["line"] == "ld.global.v2.u32 {%r1, %r2}, [%rd1+4];"
    simple = said("mc", "explain", "add.s32")[1]
    assert "load/store label" not in simple and "groups" not in simple


def test_families_of_the_machine_layer() -> None:
    status, out, _ = said("mc")
    listed = json.loads(said("mc", "--json")[1])
    assert status == 0 and out.splitlines()[0] == f"{'':30}{'here':>8}  in the notes"
    name, row = next(iter(listed["figures"].items()))
    assert f"{name:30}{row['here']:8,}  {row['notes']}".rstrip() == out.splitlines()[1]
    for row in listed["bodies"]:
        assert f"\n  label {row['label']:3}  {row['opcodes']:5,} opcodes, {row['forms']} forms\n" in out
    for title in ("shape families", "operand families", "load/store labels"):
        assert f"\n\n{title}\n" in out
        for name, members in listed[title].items():
            where = f"\n  {name}: " if ":" not in name else f"\n  {name}\n      "
            assert where + (" ".join(members) or "-") + "\n" in out, name


# -- the command line ---------------------------------------------------------------------------------------------


def test_the_command_itself() -> None:
    status, out, _ = said("--version")
    assert (status, out) == (0, f"weft {package.__version__}\n")
    for flag in ("-h", "--help"):
        status, out, _ = said(flag)
        listed = dict(re.findall(r"^  ([\w-]+)  +(\S.*)$", out.partition("Commands:")[2], re.MULTILINE))
        assert status == 0 and list(listed) == list(COMMANDS)
        assert all(text.startswith(listed[name]) for name, text in COMMANDS.items())
    status, out, err = said("insect")
    assert (status, out) == (2, "") and err == (
        "Usage: weft [OPTIONS] COMMAND [ARGS]...\nTry 'weft --help' for help.\n\n"
        "error: unknown command 'insect': did you mean inspect?\n"
    )
    assert "\nerror: No such option" in said("--nothing")[2]


def test_what_is_wrong_inside_is_said_to_be_our_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> object:
        raise ArithmeticError("unforeseen")

    monkeypatch.setattr(package, "parse", broken)
    monkeypatch.delenv("WEFT_TRACEBACK", raising=False)
    assert said("run", "k.ptx") == (1, "", (
        "error: internal error: ArithmeticError: unforeseen\n"
        "hint: this is a bug in weft; set WEFT_TRACEBACK=1 to see where\n"
    ))  # fmt: skip
    monkeypatch.setenv("WEFT_TRACEBACK", "1")
    with pytest.raises(ArithmeticError):
        said("run", "k.ptx")
    monkeypatch.setattr(package, "parse", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
    assert said("run", "k.ptx")[0] == 130
