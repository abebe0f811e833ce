"""Stages of a program: their statements and places, exactly; the links between them, and what is told of kernels."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import weft
from tests.conftest import nvidia_tool
from weft.errors import Diagnostic, JsonError, Position, Severity, WeftError
from weft.toolchain import assemble
from weft.toolchain.ptxas import Resources
from weft.tracing import build, stages
from weft.tracing.control import Control
from weft.tracing.lines import PTX_LINES, SOURCE_LINES, Row
from weft.tracing.machine import Code, Instruction, Machine
from weft.tracing.model import Kernel, Links, Span, Stage, Trace
from weft.tracing.occupancy import MULTIPROCESSORS, Occupancy, multiprocessor, occupancy, registers_for
from weft.tracing.page import page
from weft.tracing.stages import MachineStage, Place, Placed


def told(placed: Placed) -> list[tuple[int, list[tuple[str, int, int]]]]:
    """The line of each span, and its places."""
    assert all(span.line == span.end for span in placed.stage.spans)
    return [
        (span.line, [tuple(p) for p in places]) for span, places in zip(placed.stage.spans, placed.places, strict=True)
    ]  # type: ignore[misc]


def test_sources() -> None:
    """Every line that is not blank; of several files each begins with its path."""
    one = stages.source_stage([("/a/k.py", "x\n\n  \n y\n")])
    assert (one.stage.name, one.stage.language, one.stage.text, one.stage.columns) == (
        "source",
        "python",
        "x\n\n  \n y",
        {},
    )
    assert told(one) == [(1, [("k.py", 1, 0)]), (4, [("k.py", 4, 0)])]
    two = stages.source_stage([("C:\\a\\k.cu", "x\n"), ("b/l.cuh", "\ny")], "other")
    assert (two.stage.name, two.stage.text) == ("other", "==== C:\\a\\k.cu\nx\n==== b/l.cuh\n\ny")
    assert told(two) == [(2, [("k.cu", 1, 0)]), (5, [("l.cuh", 2, 0)])]
    assert [stages.source_stage([(name, "")]).stage.language for name in ("a.py", "a.cu", "a.cuh", "a.mlir", "a.ptx", "a.c")] == [
        "python", "cuda", "cuda", "mlir", "ptx", "text",
    ]  # fmt: skip
    assert stages.source_stage([]).stage == Stage("source", "text", "", (), {})


MLIR = """#loc = loc("a.mlir":1:1)
#loc1 = loc("dir/k.py":7:3)
#loc2 = loc(callsite(#loc1 at #loc4))
#loc3 = loc("x"(#loc1))
#loc4 = loc(fused["k.py":9:4, "C:\\z.py":2])
#loc5 = loc(#loc5)
module {
  // arith.comment
  tt.func public @k(%arg0: i32 loc("a.py":1:2)) {
    %0 = arith.constant 1 : i32 loc(#loc1)
    %1:2, %x = "tt.load"(%0) : (i32) -> i32 loc(#loc2)
    %2 = scf.for %i = %0 to %1 step %2 -> (i32) {
      scf.yield %0 : i32 loc(#loc3)
    } loc("b.py":5:6)
    return loc(#loc9)
    tt.return
    ^bb0:
    }
    %3 = arith.addi %0, %0 : i32 loc(#loc5)
  } loc(#loc)
} loc(#loc)
"""


def test_mlir() -> None:
    """An operation a line; the places at its end, aliases and call sites followed."""
    found = stages.mlir_stage(MLIR, "ttir")
    assert (found.stage.name, found.stage.language, found.stage.text) == ("ttir", "mlir", MLIR)
    assert [(line, sorted(places)) for line, places in told(found)] == [
        (7, []),
        (9, []),
        (10, [("k.py", 7, 3)]),
        (11, [("k.py", 7, 3), ("k.py", 9, 4), ("z.py", 2, 0)]),
        (12, []),
        (13, [("k.py", 7, 3)]),
        (15, []),
        (16, []),
        (19, []),
    ]
    own = stages.mlir_stage(MLIR, "mlir", "/x/a.mlir")
    assert told(own) == [(line, [("a.mlir", line, 0)]) for line, _ in told(found)]


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("return", True), ("  gpu.return", True), ("%0 = arith.addi %a, %b : i32", True), ('"tt.load"(%0)', True),
        ("%0:2 = scf.for %i", True), ("%0, %1 = a.b", True), ("module {", True), ("func.func @k", True), ("x@y", True),
        ("x%y", True), ("x<1>", True), ("x:i32", True), ("}", False), ("^bb0(%a: i32):", False), ("// x", False), ("#x = y", False),
        ("  // arith.addi %0", False), ("} else {", False), ("", False), ("Return", False), ("%0 =", False), ("x;", False),
    ],
)  # fmt: skip
def test_what_is_an_operation(line: str, is_one: bool) -> None:
    assert bool(stages.mlir_stage(f"{line}\n", "mlir").stage.spans) is is_one


LLVM = """define void @k() !dbg !1 {
  %a = add i32 1, 2, !dbg !3

entry:
  %b = mul i32 %a, 3, !dbg !4, !x !3
  %c = sub i32 %b, 4
  ret void, !dbg !6
}
!1 = distinct !DISubprogram(name: "k", scope: !2, file: !2, line: 1)
!2 = !DIFile(filename: "dir/k.py", directory: "/")
!3 = !DILocation(line: 7, column: 3, scope: !1)
!4 = distinct !DILocation(line: 8, column: 9, scope: !7, inlinedAt: !3)
!5 = !DIFile(filename: "l.py", directory: "/")
!6 = !DILocation(line: 9, column: 1, scope: !9, inlinedAt: !6)
!7 = !DILexicalBlockFile(scope: !8, file: !5, discriminator: 0)
!8 = distinct !DILexicalBlock(scope: !1, file: !2, line: 3)
"""


def test_llvm() -> None:
    """Indented lines; the place of an instruction, then those that it was inlined at."""
    found = stages.llvm_stage(LLVM)
    assert (found.stage.name, found.stage.language, found.stage.text) == ("llir", "llvm", LLVM)
    assert told(found)[:-1] == [
        (2, [("k.py", 7, 3)]),
        (5, [("l.py", 8, 9), ("k.py", 7, 3)]),
        (6, []),
    ]
    assert told(found)[-1] == (7, [("", 9, 1)] * 64)
    block = LLVM.replace("scope: !7", "scope: !8")
    assert told(stages.llvm_stage(block))[1] == (5, [("k.py", 8, 9), ("k.py", 7, 3)])


PTX = """.version 8.0
.target sm_80
.address_size 64
.entry k() .reqntid 8, 4
{
	.reg .b32 %r<3>;
	.loc 1 7 9
	mov.u32 %r0, 1;
	.loc 2 3 0, function_name $L_f, inlined_at 1 9 4
	mov.u32 %r1, 1; mov.u32 %r1, 2;
	.loc 1 0 0
	ret;
}
.func f() { ret; }
.file 1 "/d/k.py"
.file 2 "l.cu"
.section .debug_str
{
$L_f: .b8 102, 0
}
"""


def test_ptx() -> None:
    """An instruction a span, of its function; the places of its `.loc`, and what the verifier says of its line."""
    notes = [
        Diagnostic("c", "bad", Severity.WARNING, Position(10, 1)),
        Diagnostic("c", "worse", Severity.ERROR, Position(10, 2)),
        Diagnostic("c", "known", Severity.NOTE, Position(8, 1)),
    ]
    found = stages.ptx_stage(weft.parse(PTX), PTX, notes)
    assert (found.stage.name, found.stage.language, found.stage.text) == ("ptx", "ptx", PTX)
    assert [span.function for span in found.stage.spans] == ["k"] * 4 + ["f"]
    inlined = [("l.cu", 3, 0), ("k.py", 9, 4)]
    assert told(found) == [(8, [("k.py", 7, 9)]), (10, inlined), (10, inlined), (12, []), (14, [])]
    said = ["warning: bad", "error: worse"]
    assert found.stage.columns == {"diagnostics": [[], said, said, [], []]}
    assert stages.ptx_stage(weft.parse(PTX), PTX, notes[2:]).stage.columns == {}


def instruction(
    address: int,
    opcode: str,
    control: Control | None = None,
    live: dict[str, int] | None = None,
    target: int | None = None,
) -> Instruction:
    fields = control or Control(1, False, None, None, (), ())
    return Instruction(address, "", opcode, "", fields, live or {}, target)


def control(stall: int, write: int | None = None, waits: tuple[int, ...] = ()) -> Control:
    return Control(stall, False, write, None, waits, ())


MACHINE = Machine(
    "sm_80",
    {
        "f": Code("f", (instruction(0, "RET"),), {}),
        "k": Code(
            "k",
            (
                instruction(0, "LDG", control(2, write=0), {"GPR": 3, "UGPR": 1}),
                instruction(16, "FADD", control(4, waits=(0,)), {"GPR": 4, "PRED": 2}),
                instruction(32, "BRA", target=1),
                instruction(48, "EXIT", live={"UPRED": 7}),
            ),
            {1: ".L_x_1", 3: ".L_x_2"},
            registers=16,
        ),
    },
)
TABLES = {
    PTX_LINES: {"k": [Row(0, "k.ptx", 8, 0), Row(16, "k.ptx", 10, 0), Row(40, "k.ptx", 12, 0)]},
    SOURCE_LINES: {
        "k": [Row(8, "/d/k.py", 7, 9), Row(32, "l.cu", 3, 0), Row(48, "l.cu", 0, 0)],
        "f": [Row(0, "m.cu", 0, 0)],
    },
}


@pytest.fixture
def sass(monkeypatch: pytest.MonkeyPatch) -> MachineStage:
    monkeypatch.setattr(stages, "line_table", lambda cubin, section: TABLES[section] if cubin == b"cubin" else {})
    return stages.machine_stage(MACHINE, b"cubin")


def test_machine_code(sass: MachineStage) -> None:
    """An instruction a line, behind the names of functions and labels; the rows of the line tables begin at their addresses."""
    lines = ["f:", "    RET", "k:", "    LDG", ".L_x_1:", "    FADD", "    BRA", ".L_x_2:", "    EXIT"]
    stage = sass.stage
    assert (stage.name, stage.language, stage.text) == ("sass", "sass", "\n".join(lines))
    assert stage.spans == (Span(2, 2, "f"), *(Span(n, n, "k") for n in (4, 6, 7, 9)))
    assert sass.ptx_lines == (0, 8, 10, 10, 12)
    assert sass.places == ((), (), (Place("k.py", 7, 9),), (Place("l.cu", 3, 0),), ())
    assert sass.files == ("/d/k.py", "l.cu")
    nothing = "B------:R-:W-:-:S01"
    assert stage.columns == {
        "address": [0, 0, 16, 32, 48],
        "control": [nothing, "B------:R-:W0:-:S02", "B0-----:R-:W-:-:S04", nothing, nothing],
        "stall": [1, 2, 4, 1, 1],
        "live": [[0, 0, 0, 0], [3, 0, 1, 0], [4, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 7]],
        "waits": [[], [], [1], [], []],
        "loop": [0, 0, 1, 1, 0],
    }


def test_ptx_that_the_machine_code_places(sass: MachineStage) -> None:
    bare = "\n".join("" if ".loc" in line else line for line in PTX.split("\n"))
    found = stages.placed_by_machine(stages.ptx_stage(weft.parse(bare), bare), sass)
    both = [("k.py", 7, 9), ("l.cu", 3, 0)]
    assert told(found) == [(8, []), (10, both), (10, both), (12, []), (14, [])]


def test_machine_code_and_ptx_by_lines(sass: MachineStage) -> None:
    """All instructions of the line; where none is, the first behind it in the function, else its last; without a line none."""
    ptx = stages.ptx_stage(weft.parse(PTX), PTX).stage
    assert build._by_line(ptx, sass) == ((0, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 4))
    for line, owners in ((9, [1]), (1, [0]), (11, [3]), (13, [3]), (99, [3]), (0, [])):
        lines = (0, line, 8, 8, 8)
        moved = MachineStage(sass.stage, lines, sass.places)
        assert [owner for owner, number in build._by_line(ptx, moved) if number == 1] == owners
    other = MachineStage(sass.stage, (9, 8, 8, 8, 8), sass.places)
    assert [owner for owner, number in build._by_line(ptx, other) if number == 0] == [4]
    assert build._nearest((Span(3, 3, "k"),), 3, "g") == []


def placed(*places: tuple[Place, ...], name: str = "a") -> Placed:
    return Placed(Stage(name, "", "", tuple(Span(n, n) for n in range(len(places)))), places)


def test_statements_of_one_place() -> None:
    """Of the same column, where it has one that is there; else of the same line."""
    a, b, line, other = Place("k", 1, 2), Place("k", 1, 3), Place("k", 1, 0), Place("l", 1, 2)
    first = placed((a,), (b,), (line,), (other, a), ())
    for names, owners in (
        ((a,), [0, 3]), ((b,), [1]), ((line,), [2]), ((Place("k", 1, 9),), [0, 1, 2, 3]), ((other,), [3]), ((Place("l", 1, 0),), [3]),
        ((Place("l", 2, 2),), []), ((), []), ((a, b, a), [0, 1, 3]),
    ):  # fmt: skip
        assert build._edges(first, placed((), names)) == tuple((owner, 1) for owner in owners)
    many = placed(*[(a,)] * 201)
    assert build._edges(many, placed((a,))) == tuple((n, 0) for n in range(200))


def test_stages_are_linked_one_after_the_other(sass: MachineStage) -> None:
    a = Place("k.py", 7, 9)
    ptx = stages.ptx_stage(weft.parse(PTX), PTX)
    kernels = (Kernel("k", 16, 4),)
    found = build._joined("n", "sm_80", [placed((a,), name="source"), ptx], sass, kernels, b"c")
    assert (found.name, found.target, found.kernels, found.cubin) == ("n", "sm_80", kernels, b"c")
    assert [stage.name for stage in found.stages] == ["source", "ptx", "sass"]
    assert found.links == (Links(0, 1, ((0, 0),)), Links(1, 2, build._by_line(ptx.stage, sass)))
    direct = build._joined("n", "sm_80", [placed((a,), name="source")], sass, kernels, b"c")
    assert direct.links == (Links(0, 1, ((0, 2),)),)
    assert build._joined("n", "sm_80", [], sass, kernels, b"c").links == ()


def test_what_belongs_together() -> None:
    """By the links, in both directions, from any stage."""
    made = tuple(Stage(name, "", "", tuple(Span(n, n) for n in range(4))) for name in "abc")
    found = Trace("n", "t", made, (Links(0, 1, ((0, 1), (0, 2), (1, 3))), Links(1, 2, ((1, 0), (2, 0), (3, 3)))))
    assert found.related("a", [0]) == {"a": (0,), "b": (1, 2), "c": (0,)}
    assert found.related("b", [3, 0]) == {"a": (1,), "b": (0, 3), "c": (3,)}
    assert found.related("c", [0]) == {"a": (0,), "b": (1, 2), "c": (0,)}
    assert found.related("c", [1]) == {"a": (), "b": (), "c": (1,)}
    assert found.stage("b") is made[1]
    with pytest.raises(KeyError, match="the stages are a, b, c"):
        found.stage("d")


def test_counts_of_a_run() -> None:
    """Sums of all that ran for a line of a function; lanes as an average of warps."""

    def line(function: str, number: int, warps: int, lanes: int, *spaces: tuple[int, int]) -> Any:
        held = {n: SimpleNamespace(sectors=a, conflicts=b) for n, (a, b) in enumerate(spaces)}
        return SimpleNamespace(function=function, line=number, warps=warps, lanes=lanes, spaces=held)

    ptx = Stage("ptx", "ptx", "", (Span(1, 1, "k"), Span(2, 2, "k"), Span(2, 2, "f")), {"diagnostics": [[], [], []]})
    found = Trace("n", "t", (Stage("a", "", "", ()), ptx), ())
    counters: Any = SimpleNamespace(
        lines=[line("k", 1, 3, 64, (4, 1), (8, 2)), line("k", 1, 3, 64), line("f", 2, 1, 5, (1, 0))]
    )
    counted = found.counted(counters)
    assert counted.stages[0] is found.stages[0] and counted.stage("ptx").columns == {
        "diagnostics": [[], [], []],
        "executed": [6, 0, 1],
        "active": [21.33, 0.0, 5.0],
        "sectors": [12, 0, 1],
        "conflicts": [3, 0, 0],
    }


TRACE = Trace(
    "n",
    "sm_80",
    (Stage("ptx", "ptx", "a\nb", (Span(1, 2, "k"),), {"x": [1]}), Stage("sass", "sass", "c", (Span(1, 1, "k"),))),
    (Links(0, 1, ((0, 0),)),),
    (Kernel("k", 16, 4, 1, 2, 3, 32, {"blocks": 2}),),
)
DATA: dict[str, Any] = {
    "version": 1,
    "name": "n",
    "target": "sm_80",
    "stages": [
        {"name": "ptx", "language": "ptx", "text": "a\nb", "spans": [[1, 2, "k"]], "columns": {"x": [1]}},
        {"name": "sass", "language": "sass", "text": "c", "spans": [[1, 1, "k"]], "columns": {}},
    ],
    "links": [{"source": 0, "target": 1, "edges": [[0, 0]]}],
    "kernels": [
        {
            "name": "k", "registers": 16, "live": 4, "shared_bytes": 1, "spill_bytes": 2, "stack_bytes": 3, "threads": 32,
            "occupancy": {"blocks": 2},
        }
    ],
}  # fmt: skip


def test_json() -> None:
    assert json.loads(TRACE.to_json()) == DATA and " " not in TRACE.to_json()
    assert Trace.from_json(TRACE.to_json()) == TRACE == Trace.from_json(json.dumps(DATA))
    for version in (0, 2, "1", None):
        with pytest.raises(JsonError, match=f"this trace has version {version}, not 1"):
            Trace.from_json(json.dumps({**DATA, "version": version}))
    for key in DATA.keys() - {"version"}:
        with pytest.raises(JsonError, match="this is not a trace: "):
            Trace.from_json(json.dumps({name: value for name, value in DATA.items() if name != key}))
    with pytest.raises(JsonError, match="this is not a trace: "):
        Trace.from_json("[]")


def shown(text: str) -> dict[str, Any]:
    """The data in a page."""
    start = text.index('{"stamp":')
    return json.JSONDecoder().raw_decode(text[start:])[0]


def staged(*lines: str, name: str = "ptx") -> Trace:
    spans = tuple(Span(n, n) for n, line in enumerate(lines, 1) if line)
    return Trace("a<b", "t", (Stage(name, "", "\n".join(lines), spans),), ())


def test_pages() -> None:
    """The traces' JSON, which no `<` ends; statements that the first has not in that place are marked, registers aside."""
    text = page([staged("mov.b32 %r1, 1;", "</script>"), staged("x"), TRACE], "17")
    assert "<title>a&lt;b - weft explore</title>" in text and text.count("</script>") == 2
    assert not any(word in text for word in (">TITLE<", ">STYLE<", ">DATA<", ">SCRIPT<"))
    found = shown(text)
    assert found["stamp"] == "17" and [one["name"] for one in found["traces"]] == ["a<b", "a<b", "n"]
    assert found["traces"][0]["stages"][0]["text"] == "mov.b32 %r1, 1;\n</script>"
    assert [["changed" in stage for stage in one["stages"]] for one in found["traces"]] == [
        [False],
        [True],
        [True, False],
    ]


@pytest.mark.parametrize(
    ("first", "second", "changed"),
    [
        (["mov.b32 %r1, %tid.x;", "", "  ret;"], ["mov.b32 %r99, %ctaid.x;", "ret;"], []),
        (["IADD3 R1, UR4, P0 ;", "BRA `(.L_x_1)", "MOV 0x1f"], ["IADD3 R2, UR5, P1 ;", "BRA `(.L_x_2)", "MOV 0xa"], []),
        (["bra $L1;", "a", "b"], ["bra $L2;", "x", "b"], [1]),
        (["a", "b", "c"], ["b", "c", "d"], [2]),
        (["a"], ["a", "a"], [1]),
        (["MOV 31"], ["MOV 32"], [0]),
        (["XR1"], ["XR2"], [0]),
    ],
)
def test_what_has_changed(first: list[str], second: list[str], changed: list[int]) -> None:
    found = shown(page([staged(*first), staged(*second)]))
    assert found["traces"][1]["stages"][0]["changed"] == changed


def test_threads_of_blocks() -> None:
    text = (
        PTX + ".entry m() .maxntid 33 { ret; }\n.entry n() .maxnreg 8 { ret; }\n.entry o() .reqntid 2, 3, 4 { ret; }\n"
    )
    assert build._threads(weft.parse(text)) == {"k": 32, "m": 33, "o": 24}


def test_numbers_of_modules_in_files(tmp_path: Path) -> None:
    """Behind `#`, where there is no such file."""
    path = tmp_path / "a#1"
    assert build._numbered(path) == (tmp_path / "a", 1) and build._numbered("x#y#12") == (Path("x#y"), 12)
    path.touch()
    assert build._numbered(path) == (path, None)
    for name in ("a", "#1", "a#", "a#1x"):
        assert build._numbered(name) == (Path(name), None)


def test_resources_as_cuobjdump_tells_them(monkeypatch: pytest.MonkeyPatch) -> None:
    said = """
Resource usage:
 Common:
  GLOBAL:0
 Function k:
  REG:16 STACK:8 SHARED:1024 LOCAL:0 CONSTANT[0]:360 TEXTURE:0
 Function _Z1fv:
  REG:24 STACK:0 SHARED:0 LOCAL:0
"""
    asked: list[list[str]] = []

    def run(command: list[str]) -> Any:
        asked.append([*command[:2], Path(command[2]).read_bytes().decode()])
        return SimpleNamespace(stdout=said)

    monkeypatch.setattr(build, "find", lambda name: SimpleNamespace(path=f"/bin/{name}"))
    monkeypatch.setattr(build, "run", run)
    assert build._usage(b"cubin") == (Resources("k", 16, 1024, stack_bytes=8), Resources("_Z1fv", 24, 0))
    assert asked == [["/bin/cuobjdump", "-res-usage", "cubin"]]
    monkeypatch.setattr(build, "find", lambda name: None)
    assert build._usage(b"cubin") == ()


def test_kernels() -> None:
    """Registers of the code where nothing else is known; the occupancy where threads and target are, and a block fits."""
    known = [Resources("k", 40, 2048, 8, 4, 16, barriers=2)]
    bare, kernel = build._kernels(MACHINE, known, "sm_90", {"k": 256}, (None, 1024))
    assert bare == Kernel("f", 0, 0)
    facts = occupancy("sm_90", 256, 40, 3072, 2)
    assert (facts.blocks, facts.limited_by) == (6, ("registers",))
    assert kernel == Kernel(
        "k", 40, 4, 2048, 12, 16, 256,
        {
            "blocks": 6, "warps": 48, "most_warps": 64,
            "limits": {"blocks": 32, "warps": 8, "registers": 6, "shared memory": 57, "barriers": 32},
            "limited_by": ("registers",), "fraction": 0.75, "next": 32,
        },
    )  # fmt: skip
    assert build._kernels(MACHINE, [], "sm_80", {}, (None, 0))[1] == Kernel("k", 16, 4)
    given = build._kernels(MACHINE, [], "sm_80", {"k": 256}, (64, 0))[1]
    assert given.threads == 64 and given.occupancy is not None and given.occupancy["blocks"] == 32
    for target, threads in (("sm_60", 64), ("sm_x", 64), ("sm_80", 2048)):
        assert build._kernels(MACHINE, [], target, {"k": threads}, (None, 0))[1] == Kernel("k", 16, 4, threads=threads)


def test_files_that_cute_dumps(tmp_path: Path) -> None:
    for name in ("cute_dsl_k.mlir", "k.sm_90a.ptx", "k.sm_90a.cubin", "cute_dsl_l.mlir", "l.sm_80.cubin", "m.ptx"):
        (tmp_path / name).write_text(name)
    both = {
        "mlir": tmp_path / "cute_dsl_k.mlir",
        "ptx": tmp_path / "k.sm_90a.ptx",
        "cubin": tmp_path / "k.sm_90a.cubin",
    }
    assert build._dumped_by_cute(both["ptx"]) == build._dumped_by_cute(both["cubin"]) == both
    assert list(build._dumped_by_cute(tmp_path / "l.sm_80.ptx")) == ["mlir", "cubin"]
    for name in ("m.ptx", "cute_dsl_k.mlir", "k.sm_90a.txt"):
        assert build._dumped_by_cute(tmp_path / name) == {}


def problem(source: Any, *arguments: Any) -> tuple[str, str, str]:
    with pytest.raises(WeftError) as caught:
        weft.trace(source, *arguments)
    return caught.value.message, str(caught.value.position), caught.value.hint


def test_what_cannot_be_traced(tmp_path: Path) -> None:
    text = tmp_path / "k.txt"
    text.write_bytes(b"ab\ncd\xe9f")
    assert problem(text) == ("invalid UTF-8: byte 0xe9", f"{text}:2:3", "")
    cubin = tmp_path / "k.cubin"
    cubin.write_bytes(b"\x7fEL?")
    assert problem(cubin) == ("this is not a cubin", str(cubin), "")
    assert problem("module {\n}") == ("MLIR needs a target", "<text>", "give one (for commands: --target sm_80)")
    assert problem({"ttir": "", "other": 1}) == ("the trace has no PTX stage", "", "they are ttir, other")
    library = tmp_path / "k.so"
    library.write_bytes(b"\x7fELF" + bytes(60))
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "k.ttir").touch()
    said = (
        "this directory does not contain a Triton or CuTe DSL kernel",
        str(folder),
        "use a directory with a .ptx or .cubin file",
    )
    assert problem(folder) == said
    for name in "kl":
        (folder / f"cute_dsl_{name}.mlir").touch()
        (folder / f"{name}.sm_90a.cubin").touch()
    said = ("this directory has 2 kernels", str(folder), "give the file of one kernel, such as k.sm_90a.cubin")
    assert problem(folder) == said


def test_sources_that_are_read(tmp_path: Path) -> None:
    """At most eight, of at most two million bytes, which are text; each once."""
    paths = [tmp_path / f"{n}.py" for n in range(9)]
    for path in paths:
        path.write_text(path.name)
    names = [str(path) for path in paths]
    assert build._readable([names[0], names[0], "none.py", names[1]]) == [(names[0], "0.py"), (names[1], "1.py")]
    assert build._readable(names) == [(name, Path(name).name) for name in names[:8]]
    paths[0].write_bytes(b"\xff")
    paths[1].write_bytes(b"x" * 2_000_001)
    paths[2].write_bytes(b"x" * 2_000_000)
    assert [len(text) for _, text in build._readable(names[:3])] == [2_000_000]
    sources = [(names[2], "a"), (names[3], "b")]
    assert build._used(sources, [placed((Place("3.py", 1, 1),))]) == sources[1:]


SHARED = {75: (65536, 0), 80: (167936, 1024), 86: (102400, 1024), 87: (167936, 1024), 89: (102400, 1024), 90: (233472, 1024),
          100: (233472, 1024), 103: (233472, 1024), 120: (102400, 1024), 121: (102400, 1024)}  # fmt: skip
"""Of a multiprocessor, and what a block does not get of it: the programming guide's table of compute capabilities."""
RESIDENT = {75: (1024, 16), 80: (2048, 32), 86: (1536, 16), 87: (1536, 16), 89: (1536, 24), 90: (2048, 32), 100: (2048, 32),
            103: (2048, 32), 120: (1536, 24), 121: (1536, 24)}  # fmt: skip
"""Threads and blocks."""


@pytest.mark.parametrize("number", MULTIPROCESSORS)
def test_sizes_of_multiprocessors(number: int) -> None:
    target = f"sm_{number}"
    sm = multiprocessor(target)
    shared, reserved = SHARED[number]
    assert (sm.threads, sm.blocks, sm.shared, sm.reserved, sm.warps) == (
        *RESIDENT[number],
        shared,
        reserved,
        sm.threads // 32,
    )
    assert sm.shared_per_block == shared - reserved
    assert occupancy(target, 32, 16, sm.shared_per_block).blocks == 1
    with pytest.raises(WeftError, match=f"at most {sm.shared_per_block}$"):
        occupancy(target, 32, 16, sm.shared_per_block + 1)
    unit = 256 if number == 75 else 128
    for shared in (unit - 1, unit, unit + 1, 3 * unit):
        taken = -(-(shared + reserved) // unit) * unit
        assert occupancy(target, 32, 1, shared).limits["shared memory"] == sm.shared // taken


def test_limits_of_a_block() -> None:
    assert (
        occupancy("sm_80", 1024, 64).blocks == 1
        and occupancy("sm_80", 1, 255).warps == occupancy("sm_80", 32, 255).warps
    )
    assert occupancy("sm_80", 1024, 65).blocks == 0
    assert occupancy("sm_80", 33, 0).limits == {"blocks": 32, "warps": 32, "registers": 32, "shared memory": 164}
    assert occupancy("sm_75", 32, 0).limits["shared memory"] == 16
    assert occupancy("sm_90", 128, 255, barriers=16).limits["barriers"] == 4
    assert (
        "barriers" not in occupancy("sm_90", 128, 255).limits
        and "barriers" not in occupancy("sm_80", 128, 9, barriers=9).limits
    )
    assert [occupancy(f"sm_{n}", 32, 1, barriers=1).limits.get("barriers") for n in MULTIPROCESSORS] == [
        None, None, None, None, None, 64, 64, 32, 24, 24,
    ]  # fmt: skip
    found = Occupancy(3, 12, 48, {"a": 3, "b": 4, "c": 3})
    assert (found.fraction, found.limited_by) == (0.25, ("a", "c"))
    with pytest.raises(WeftError, match="0 bytes of shared memory"):
        occupancy("sm_90", 32, 1, barriers=-1)
    with pytest.raises(WeftError, match=r"-1 registers: a thread has at most 255"):
        occupancy("sm_90", 32, -1)
    assert occupancy("sm_80", 32, 255).blocks == 8 and registers_for("sm_80", 32, 0, 8) == 255
    assert registers_for("sm_80", 32, 0, 32) == 64 and registers_for("sm_80", 32, 0, 33) is None


def test_folders_of_kernels(tmp_path: Path) -> None:
    """Every stage that Triton keeps, by its suffix; the machine code is that of the cubin, or made for another target."""
    nvidia_tool("ptxas"), nvidia_tool("nvdisasm")
    text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n\tbar.sync 0;\n\tret;\n}\n"
    (tmp_path / "one.cubin").write_bytes(assemble(text, options=("-lineinfo",)).data)
    found = weft.trace(tmp_path)
    assert (found.name, found.target, [one.name for one in found.stages]) == ("one", "sm_80", ["ptx", "sass"])
    for suffix, content in (("ttir", "tt.return"), ("ttgir", "tt.return"), ("llir", "  ret void"), ("ptx", text)):
        (tmp_path / f"one.{suffix}").write_text(content)
    found = weft.trace(tmp_path)
    assert [one.name for one in found.stages] == ["ttir", "ttgir", "llir", "ptx", "sass"] and found.target == "sm_80"
    assert [one.text for one in found.stages[:4]] == ["tt.return", "tt.return", "  ret void", text]
    assert "BAR.SYNC" in found.stages[-1].text
    other = weft.trace(tmp_path, "sm_90")
    assert (other.target, other.cubin[:4]) == ("sm_90", b"\x7fELF") and other.cubin != found.cubin
    (tmp_path / "one.cubin").unlink()
    assert [one.name for one in weft.trace(tmp_path, "sm_80").stages] == [one.name for one in found.stages]
