"""Options by their long names, and commands that read, write and serve: exact results of small inputs."""

from __future__ import annotations

import json
import re
import sys
import zipfile
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import weft as package
from tests.cli.test_exact import MLIR, PTX
from tests.command import weft
from tests.fatbin.test_fatbin import entry, fatbin, in_library
from weft.cli import kernels, traces
from weft.tracing.model import Kernel, Span, Stage, Trace


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a text."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "k.ptx").write_text(PTX)
    return tmp_path


def said(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
    done = weft(*arguments, stdin=stdin)
    return done.returncode, done.stdout, done.stderr


# -- files --------------------------------------------------------------------------------------------------------


def test_files_are_formatted_in_place(folder: Path) -> None:
    wanted = said("fmt", "k.ptx")[1]
    assert wanted != PTX and said("fmt", "--in-place", "k.ptx") == (0, "", "") and Path("k.ptx").read_text() == wanted
    for more in (("--output", "x.ptx"), ("--check",), ("--diff",), ("-",)):
        status, _, err = said("fmt", "--in-place", "k.ptx", *more)
        assert status == 2 and err.endswith("cannot be combined with --output, --check and --diff\n")
    Path("more").mkdir()
    Path("more/m.ptx").write_text(PTX)
    status, out, err = said("fmt", "--check", "k.ptx", "more")
    assert (status, out, err) == (1, "", "more/m.ptx: not formatted\n") and Path("more/m.ptx").read_text() == PTX
    status, out, _ = said("fmt", "--diff", "more")
    assert status == 0 and out.startswith("--- more/m.ptx\n+++ more/m.ptx (formatted)\n@@ -1,")
    assert said("fmt", "k.ptx", "more")[2].endswith("several files need --in-place, --check or --diff\n")
    Path("bad.ptx").write_text("nonsense")
    assert said("fmt", "--check", "bad.ptx", "k.ptx")[0] == 1 and said("fmt", "--check", "none.ptx", "k.ptx")[0] == 2
    assert said("fmt", "--check", "k.ptx")[0] == 0 and said("fmt", "--diff", "k.ptx") == (0, "", "")


def test_finds_by_file(folder: Path) -> None:
    Path("m.ptx").write_text(PTX.replace("membar", "x"))
    Path("none.ptx").write_text(PTX.partition(".visible")[0])
    assert said("grep", "--files-with-matches", "add", "k.ptx", "none.ptx", "m.ptx") == (0, "k.ptx\nm.ptx\n", "")
    assert said("grep", "-c", "add", "k.ptx", "none.ptx")[1] == "k.ptx:3\nnone.ptx:0\n"
    status, out, _ = said("grep", "st", "k.ptx")
    assert (status, out) == (0, "k.ptx:21:1: st.global.u32 [%rd5], %r4;\n")
    status, out, _ = said("grep", "st", "k.ptx", "--json")
    assert json.loads(out) == {"query": "st", "found": [{
        "file": "k.ptx", "line": 21, "column": 1, "function": "add", "instruction": "st.global.u32 [%rd5], %r4;",
        "text": "st.global.u32 [%rd5], %r4;",
    }]}  # fmt: skip
    assert said("grep", "mma", "k.ptx") == (1, "", "") and said("grep", "mma", "none.ptx", "no.ptx")[0] == 2
    for option in ("-c", "-l", "-q"):
        assert said("grep", "st", "k.ptx", "--json", option)[2].endswith(
            "--json cannot be combined with -c, -l and -q\n"
        )


def test_ptx_of_libraries(folder: Path) -> None:
    """One is printed, those of a target or a kernel are listed, and all are written to files."""
    one, two = PTX, PTX.replace("sm_80", "sm_90").replace("entry add", "entry _Z3mulif")
    Path("libk.so").write_bytes(in_library(fatbin(entry(one), entry(two))))
    status, out, _ = said("extract", "libk.so")
    size = len(one.encode())
    assert status == 0 and out.splitlines() == [
        f"1  sm_80    PTX 8.0  {size:,} bytes  add, other", f"2  sm_90    PTX 8.0  {size + 5:,} bytes  mul(int, float), other"
    ]  # fmt: skip
    assert said("extract", "libk.so", "--number", "2")[1] == two == said("extract", "libk.so", "-n", "2")[1]
    for options in (("--target", "sm_90"), ("--kernel", "mul(int"), ("--kernel", "_Z3mul")):
        status, out, _ = said("extract", "libk.so", *options)
        assert out.splitlines() == [f"2  sm_90    PTX 8.0  {size + 5:,} bytes  mul(int, float), other"], options
    status, out, _ = said("extract", "libk.so", "--json")
    first, second = json.loads(out)
    assert [first[name] for name in ("number", "target", "version", "bytes", "compression", "kernels")] == [
        *(1, "sm_80", "8.0", size, "none", ["add", "other"])
    ]
    assert second["offset"] > first["offset"] >= 104 and first["where"] == "libk.so"
    status, out, _ = said("extract", "libk.so", "--output", "made/here")
    assert out == "made/here/libk.1.sm_80.ptx\nmade/here/libk.2.sm_90.ptx\n"
    assert Path("made/here/libk.2.sm_90.ptx").read_text() == two
    for options, message, hint in (
        *(
            (("-n", "3"), "this file has no PTX module #3", "it has 2"),
            (("-n", "0"), "this file has no PTX module #0", "it has 2"),
        ),
        (("--kernel", "zz"), "this file contains no PTX of that kind", ""),
    ):
        assert said("extract", "libk.so", *options) == (
            1,
            "",
            f"libk.so: error: {message}\n" + (f"hint: {hint}\n" if hint else ""),
        )
    many = PTX + "".join(f".entry k{n}() {{ ret; }}\n" for n in range(3))
    Path("many.so").write_bytes(in_library(fatbin(entry(many))))
    assert said("extract", "many.so")[1].endswith("add, other, k0 and 2 more\n")
    with zipfile.ZipFile("a.whl", "w") as wheel:
        wheel.writestr("b/one.so", in_library(fatbin(entry(many.replace(".entry k2() { ret; }\n", "")))))
        wheel.writestr("two.so", in_library(fatbin(entry("// nothing here"), entry(many))))
    assert [line.partition("bytes  ")[2] for line in said("extract", "a.whl")[1].splitlines()] == [
        *("add, other, k0 and 1 more  b/one.so", "no kernels  two.so", "add, other, k0 and 2 more  two.so")
    ]
    three = many.replace(".entry k1() { ret; }\n", "").replace(".entry k2() { ret; }\n", "")
    Path("three.so").write_bytes(in_library(fatbin(entry(three))))
    assert said("extract", "three.so")[1].endswith("bytes  add, other, k0\n")
    Path("empty.so").write_bytes(b"\x7fELF" + bytes(100))
    assert said("extract", "empty.so")[2].startswith(
        "empty.so: error: this file contains no PTX\nhint: extract reads libraries"
    )


def test_targets_that_a_module_needs(folder: Path) -> None:
    Path("n.ptx").write_text(
        PTX.replace("$L:", "redux.sync.add.u32 %r4, %r4, -1; redux.sync.add.u32 %r4, %r4, -1;\n$L:")
    )
    status, out, _ = said("requires", "n.ptx")
    assert (
        status == 0 and out.splitlines()[0] == "PTX 7.0 and sm_80 or later" and "  line 22: redux.sync.add.u32" in out
    )
    found = json.loads(said("requires", "--json", "n.ptx")[1])
    assert (found["version"], found["targets"]["sm_80"], found["unknown"], found["undeclared"]) == (
        "7.0",
        "7.0",
        [],
        [],
    )
    assert "sm_75" not in found["targets"] and found["forced_by"]
    status, out, err = said("requires", "n.ptx", "--retarget", "sm_75")
    assert (status, out) == (1, "") and err.startswith(
        "n.ptx: error: the module cannot be moved to sm_75\n  line 22: redux"
    )
    assert "(2 uses)" in err
    assert said("requires", "n.ptx", "--retarget", "sm_90", "--ptx-version", "7.0")[2].startswith(
        "n.ptx: error: the module cannot be moved to sm_90 at PTX 7.0\n"
    )
    status, out, _ = said("requires", "n.ptx", "--retarget", "90")
    version = re.findall(r"^\.version (\S+)$", out, re.MULTILINE)
    assert status == 0 and ".target sm_90\n" in out and version == ["8.0"]
    assert said("requires", "n.ptx", "--retarget", "sm_90", "--output", "o.ptx") == (0, "", "")
    assert Path("o.ptx").read_text() == out
    way = json.loads(said("requires", "n.ptx", "--json", "--retarget", "sm_75")[1])
    assert (way["target"], way["free"]) == ("sm_75", False) and way["obstacles"]
    for options in (("--ptx-version", "8.0"), ("--output", "x")):
        assert said("requires", "n.ptx", *options)[2].endswith("--ptx-version and --output need --retarget\n")
    assert said("requires", "n.ptx", "--json", "--retarget", "sm_90", "-o", "x")[2].endswith("cannot be combined\n")


# -- compiling ----------------------------------------------------------------------------------------------------


def test_stages_and_debug_information_of_compilations(folder: Path) -> None:
    Path("k.mlir").write_text(MLIR)
    status, plain, err = said("compile", "k.mlir", "--time")
    stages = dict(re.findall(r"^(\S.*?) +(\d+\.\d) ms$", err, re.MULTILINE))
    assert status == 0 and {"imports", "print"} <= set(stages) and ".loc" not in plain and ".file" not in plain
    assert all(re.fullmatch(r".{20} +\d+\.\d ms", line) for line in err.splitlines())
    for options in (("-lineinfo",), ("--lineinfo",)):
        lines = said("compile", "k.mlir", *options)[1]
        assert ".loc" in lines and ".debug_info" not in lines
    for options in (("--debug",), ("-g",), ("-g", "-lineinfo")):
        assert ".debug_info" in said("compile", "k.mlir", *options)[1]
    assert (
        said("compile", "k.mlir", "--ptx-version", "8.0", "-t", "90")[1].count("\n.version 8.0\n.target sm_90\n") == 1
    )
    assert "%f" in said("compile", "k.mlir", "--naming", "classic")[1] and "%f" not in plain
    assert said("compile", "k.mlir", "--output", "k.out") == (0, "", "") and Path("k.out").read_text() == plain
    assert said("compile", "k.mlir", "--emit", "mlir")[1] == MLIR
    status, _, err = said("compile", "k.mlir", "k.mlir")
    assert status == 2 and err.endswith("several files are linked: use --emit cubin or --emit obj\n")
    assert said("compile", "k.mlir", "--set", "M=1")[2].endswith("are for kernels written in Python\n")
    status, out, err = said("compile", "k.ptx")
    assert (status, out) == (0, PTX), "it is passed on as it is"
    Path("bad.ptx").write_text(PTX.replace("%r4, %r4, %r1", "%r9, %r4, %r1"))
    status, out, err = said("compile", "bad.ptx")
    assert (status, out) == (1, "") and err.startswith("bad.ptx:19:") and "%r9" in err
    found = json.loads(said("compile", "bad.ptx", "--json")[1])
    assert (found["errors"], found["findings"][0]["line"]) == (1, 19)


def test_passes_by_any_spelling(folder: Path) -> None:
    Path("k.mlir").write_text(
        "func.func @f() -> i32 { %0 = arith.constant 1 : i32\n%1 = arith.constant 1 : i32\nreturn %0 : i32 }"
    )
    plain, canonical = said("opt", "k.mlir")[1], said("opt", "k.mlir", "--passes", "canonicalize")[1]
    assert plain.count("constant") == 2 and canonical.count("constant") == 1
    for options in (
        ("-p", "canonicalize"),
        ("--canonicalize",),
        ("-canonicalize",),
        ("--pass-pipeline=canonicalize",),
        ("-cse", "--canonicalize"),
    ):
        assert said("opt", *options, "k.mlir")[1] == canonical, options
    status, _, err = said("opt", "--canonicalise", "k.mlir")
    assert status == 2 and "--canonicalize" in err
    listed = said("opt", "--list")[1].splitlines()
    assert listed == sorted(listed) and {"cse", "canonicalize"} <= set(listed)
    dumped = said("opt", "k.mlir", "--canonicalize", "--mlir-print-ir-after-all")[2]
    assert dumped == f"// -----// IR Dump After canonicalize //----- //\n{canonical}\n\n"
    assert said("opt", "k.mlir", "-o", "o.mlir") == (0, "", "") and Path("o.mlir").read_text() == plain
    assert said("opt", "--", "k.mlir")[1] == plain and said("opt", stdin=Path("k.mlir").read_text())[1] == plain


# -- kernels in Python --------------------------------------------------------------------------------------------

KERNELS = """from weft import tile as T

@T.kernel
def first(a: T.Tensor[("n",), T.f32], n: T.i32):
    pass

second = 5
"""


def test_modules_of_kernels(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a file or by a module's name; what is not there is said."""
    assert kernels.is_kernel("k.py:first") and kernels.is_kernel("a.b:first")
    assert not any(map(kernels.is_kernel, ("k.ptx", "k.py:", ":first", "k.py:1x")))
    Path("a:b").touch()
    assert not kernels.is_kernel("a:b")
    rms = Path(__file__).resolve().parents[2] / "examples/rms_norm.py"
    monkeypatch.syspath_prepend(str(rms.parent))
    assert kernels.load(f"{rms}:rms_norm") and kernels.load("rms_norm:rms_norm")
    for source, message, hint in (
        *(
            (f"{rms}:zz", f"{rms}: error: no kernel named 'zz'", "its kernels: rms_norm"),
            ("json:dumps", "json: error: no kernel named 'dumps'", "its kernels: none"),
        ),
        (
            "no_such_module_here:k",
            "error: unknown module 'no_such_module_here'",
            "write file.py:kernel for a kernel in a file",
        ),
    ):
        assert said("compile", source) == (1, "", f"{message}\nhint: {hint}\n")
    Path("asks.py").write_text("import no_such_module_here")
    Path("fails.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(str(folder))
    for name, message in (
        ("asks", "importing it raises ModuleNotFoundError: No module named 'no_such_module_here'"),
        ("fails", "importing it raises ZeroDivisionError: division by zero"),
    ):
        for source, called in ((f"{name}:k", name), (f"{name}.py:k", f"{name}.py")):
            status, _, err = said("compile", source)
            assert (
                status == 1
                and f"{called}: error: {message}" in err
                and err.startswith("Traceback (most recent call last):\n")
            )
    assert said("compile", "none.py:k") == (2, "", "none.py: error: No such file or directory\n")
    for wrong in ("M", "M=x", "=3", "M=1.5"):
        assert said("compile", f"{rms}:rms_norm", "--set", wrong)[2].endswith(f"error: {wrong!r} is not NAME=NUMBER\n")
    assert kernels._numbers(["M=3", "N=-4"]) == {"M": 3, "N": -4}


# -- machine code -------------------------------------------------------------------------------------------------


def traced(name: str = "k", *names: str) -> Trace:
    """A trace of three instructions of PTX and four of machine code, of which two are in a loop."""
    ptx = Stage("ptx", "ptx", "mov;\nadd;\nret;", tuple(Span(n, n, "k") for n in (1, 2, 3)))
    text = "k:\n    MOV R1\n.L:\n    @P0 IADD3 R2\n    IADD3.X R3\n    BRA `(.L)"
    columns: dict[str, list[Any]] = {
        "address": [0, 16, 32, 48], "control": ["B------:R-:W-:-:S01"] * 4, "stall": [1, 2, 3, 4],
        "live": [[1, 0, 0, 0], [2, 1, 0, 0], [3, 1, 0, 0], [2, 0, 0, 0]], "waits": [[], [], [], []], "loop": [0, 1, 1, 0],
    }  # fmt: skip
    sass = Stage("sass", "sass", text, tuple(Span(n, n, "k") for n in (2, 4, 5, 6)), columns)
    from weft.tracing.model import Links

    found = tuple(Kernel(one, 24, 3, threads=128) for one in (names or ("k",)))
    return Trace(name, "sm_80", (ptx, sass), (Links(0, 1, ((0, 0), (1, 1), (1, 2), (2, 3))),), found)


def test_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []

    def load(source: str, target: str | None, **more: Any) -> Trace:
        asked.append((source, target, more))
        return traced()

    monkeypatch.setattr(traces, "load", load)
    status, out, _ = said("sass", "k.ptx", "-t", "80", "--mix", "--set", "M=3")
    assert status == 0 and asked == [("k.ptx", "sm_80", {"settings": ("M=3",)})]
    assert out == (
        "k:\n  0000-0000  outside loops, 1 instructions, 1 cycles of stalls\n    MOV 1\n"
        "  0010-0020  in 1 loop, 2 instructions, 5 cycles of stalls\n    IADD3 2\n"
        "  0030-0030  outside loops, 1 instructions, 4 cycles of stalls\n    BRA 1\n"
    )
    mix = json.loads(said("sass", "k.ptx", "--mix", "--json")[1])
    assert mix["k"][1] == {"loops": 1, "first": 16, "counts": {"IADD3": 2}, "stalls": 5, "last": 32}
    rows = json.loads(said("sass", "k.ptx", "--json")[1])
    assert [(row["function"], row["text"], row["ptx_line"], row["address"], row["stall"]) for row in rows] == [
        *(
            ("k", "MOV R1", 1, 0, 1),
            ("k", "@P0 IADD3 R2", 2, 16, 2),
            ("k", "IADD3.X R3", 2, 32, 3),
            ("k", "BRA `(.L)", 3, 48, 4),
        )
    ]
    for chosen, status in (("k", 0), ("zz", 1)):
        assert said("sass", "k.ptx", "-k", chosen)[0] == status


def test_kernels_of_traces() -> None:
    found = traced("t", "first", "second", "firstly")
    assert [one.name for one in traces.chosen(found, None)] == ["first", "second", "firstly"]
    assert [one.name for one in traces.chosen(found, "first")] == ["first"]
    assert [one.name for one in traces.chosen(found, "irst")] == ["first", "firstly"]
    assert traces.targets(None) == [None] == traces.targets("") and traces.targets(" 80, sm_90a ,") == [
        "sm_80",
        "sm_90a",
    ]


def test_traces_of_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    import weft.tracing

    seen: list[tuple[Any, ...]] = []

    def trace(source: Any, target: str | None = None, **more: Any) -> Trace:
        seen.append((Path(source).name, Path(source).read_bytes(), target, more))
        return traced()

    monkeypatch.setattr(weft.tracing, "trace", trace)
    assert said("sass", "-", "-t", "sm_80", stdin="text")[0] == 0
    assert seen == [("<stdin>", b"text", "sm_80", {"threads": None, "dynamic_shared": 0})]
    assert said("occupancy", "k.ptx", "--threads", "64", "--dynamic-shared", "9", "-t", "sm_80,sm_90")[0] == 0
    assert [one[0::2] for one in seen[1:]] == [("k.ptx", "sm_80"), ("k.ptx", "sm_90")]
    assert seen[2][3] == {"threads": 64, "dynamic_shared": 9}


def test_what_explore_shows(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    import weft.view.server as server

    served: list[tuple[Any, ...]] = []
    monkeypatch.setattr(traces, "load", lambda source, target, **more: traced(source))
    monkeypatch.setattr(
        server, "serve", lambda made, sources, port: served.append(([one.name for one in made()], sources, port))
    )
    assert (
        said("explore", "k.ptx", "--port", "81") == (0, "", "")
        and said("explore", "k.ptx", "-t", "sm_80,sm_90")[0] == 0
    )
    assert served == [(["k.ptx"], ("k.ptx",), 81), (["k.ptx"] * 2, ("k.ptx",), 8080)]
    assert said("explore", "k.ptx#2", "none.ptx")[0] == 2 and len(served) == 2
    assert json.loads(said("explore", "k.ptx", "--json")[1])["name"] == "k.ptx"
    assert said("explore", "k.ptx", "k.ptx", "--json")[2].endswith(
        "--json prints one trace: give one file and one target\n"
    )
    assert (
        said("explore", "k.ptx", "--html", "o.html")[0] == 0
        and "<title>k.ptx - weft explore</title>" in Path("o.html").read_text()
    )
    lines = said("explore", "k.ptx", "--lines", "2")[1]
    assert "add;" in lines and "IADD3.X R3" in lines and "mov;" not in lines and "for sm_80" not in lines
    assert said("explore", "k.ptx", "k.ptx", "--lines", "1:2")[1].count("k.ptx for sm_80:\n") == 2
    for wrong, message in (
        ("x", "expected A:B, such as 146:162"),
        ("3:2", "line 2 is before line 3"),
        ("1:2:3", "expected A:B"),
    ):
        assert f"error: --lines {wrong}: {message}" in said("explore", "k.ptx", "--lines", wrong)[2]
    for options in (("--json", "--html", "x"), ("--lines", "1", "--json"), ("--lines", "1", "--html", "x")):
        assert said("explore", "k.ptx", *options)[2].endswith("--html, --lines and --json cannot be combined\n")


# -- the rest -----------------------------------------------------------------------------------------------------


def test_the_language_server_by_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[Any, ...]] = []
    server = SimpleNamespace(start_tcp=lambda *where: started.append(where), start_io=lambda: started.append(()))
    module: Any = ModuleType("weft.lsp.server")
    module.server = server
    monkeypatch.setitem(sys.modules, "weft.lsp.server", module)
    assert [said("lsp", *options)[0] for options in ((), ("--stdio",), ("--tcp", "70"))] == [0] * 3
    assert started == [(), (), ("127.0.0.1", 70)]
    assert said("lsp", "--stdio", "--tcp", "70")[2].endswith("--stdio and --tcp cannot be combined\n")
    for port, status in (("0", 2), ("1", 0), ("65535", 0), ("65536", 2)):
        assert said("lsp", "--tcp", port)[0] == status
    for name, told in (("pygls", True), ("lsprotocol.types", True), ("nothere", False)):
        error = ModuleNotFoundError(f"No module named '{name}'", name=name)
        monkeypatch.setitem(sys.modules, "weft.lsp.server", _Missing(error))
        status, _, err = said("lsp")
        assert (status, "pip install 'weft[lsp]'" in err, "internal error" in err) == (1, told, not told)


class _Missing(ModuleType):
    """A module whose import fails."""

    def __init__(self, error: ImportError) -> None:
        super().__init__("weft.lsp.server")
        self.error = error

    def __getattr__(self, name: str) -> Any:
        if name == "server":
            raise self.error
        raise AttributeError(name)


def test_what_the_doctor_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    import weft.toolchain
    from weft.toolchain.doctor import Finding

    found = [Finding("python", True, "3.11", "weft"), Finding("ptxas", False, "", "assembling PTX")]
    monkeypatch.setattr(weft.toolchain, "examine", lambda: iter(found))
    assert json.loads(said("doctor", "--json")[1]) == [
        {"name": "python", "present": True, "detail": "3.11", "purpose": "weft"},
        {"name": "ptxas", "present": False, "detail": "", "purpose": "assembling PTX"},
    ]
    status, out, _ = said("doctor")
    assert status == 0 and [line.split() for line in out.splitlines()] == [
        *(["what", "version", "for"], ["yes", "python", "3.11", "weft"], ["no", "ptxas", "assembling", "PTX"])
    ]
    assert package.__version__
