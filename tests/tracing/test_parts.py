"""The parts of traces on small texts: listings, control fields, places, links, ranges, models of loops; no tool runs."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import weft
from weft.errors import Diagnostic, Position, Severity
from weft.tracing.build import _by_line, _dumped_by_cute, _edges, _nearest, _numbered, _threads
from weft.tracing.control import Control, decode, producers
from weft.tracing.loops import SCHEDULERS, TensorProduct, kind_of, loops_of
from weft.tracing.machine import Code, Instruction, parse_listing
from weft.tracing.model import Kernel, Links, Span, Stage, Trace
from weft.tracing.page import page
from weft.tracing.pressure import Holding, parse_ranges
from weft.tracing.stages import (
    MachineStage,
    Place,
    Placed,
    _row_at,
    llvm_stage,
    machine_stage,
    mlir_stage,
    placed_by_machine,
    ptx_stage,
    source_stage,
)

# -- machine code -------------------------------------------------------------------------------------------------


def encoded(stall: int, yields: bool, write: int, read: int, waits: int, reuse: int) -> int:
    """The 128 bits of an instruction that has these fields."""
    fields = ((stall, 41), (not yields, 45), (write, 46), (read, 49), (waits, 52), (reuse, 58))
    return sum(value << 64 + shift for value, shift in fields) | 0x1234


def test_control_fields() -> None:
    random_ = random.Random(1)
    for _ in range(200):
        stall, yields, waits, reuse = (
            random_.randrange(16),
            random_.random() < 0.5,
            random_.getrandbits(6),
            random_.getrandbits(4),
        )
        write, read = random_.choice([0, 1, 5, 7]), random_.choice([0, 2, 5, 7])
        found = decode(encoded(stall, yields, write, read, waits, reuse))
        assert found == Control(
            stall, yields, None if write == 7 else write, None if read == 7 else read,
            tuple(n for n in range(6) if waits >> n & 1), tuple(n for n in range(4) if reuse >> n & 1),
        )  # fmt: skip
        bits = "".join(str(n) if waits >> n & 1 else "-" for n in range(6))
        said = f"B{bits}:R{'-' if read == 7 else read}:W{'-' if write == 7 else write}:{'Y' if yields else '-'}:S{stall:02}"
        assert str(found) == said


def control(
    *, write: int | None = None, read: int | None = None, waits: tuple[int, ...] = (), stall: int = 1
) -> Control:
    return Control(stall, False, write, read, waits, ())


def test_what_instructions_wait_for() -> None:
    """All that set a barrier since it was last waited for; `DEPBAR` names one in its text."""
    controls = [
        control(write=0), control(read=0, write=1), control(waits=(0,)), control(waits=(0, 1)), control(write=2),
        control(), control(waits=(2,), write=2), control(waits=(2,)),
    ]  # fmt: skip
    texts = ["LDG", "STG", "FADD", "FMUL", "LDS", "DEPBAR.LE SB2, 0x0", "LDS", "EXIT"]
    assert producers(controls, texts) == [(), (), (0, 1), (1,), (), (4,), (4,), (6,)]


LISTING = """\t.headerflags\t@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)"
//--------------------- .text.first              --------------------------
\t.section\t.text.first,"ax",@progbits
\t.sectioninfo\t@"SHI_REGISTERS=24"
\t.align\t128
first:
.text.first:                                                  // |     GPR | PRED  |
        /*0000*/                   LDC R1, c[0x0][0x28] ;     /* 0x00000a00ff017b82 */  // |     |    |
                                                              /* 0x000fe20000000800 */  // |  1  |    |
.L_1:                                                                                   // +.....+....+
        /*0010*/              @!P0 FADD.FTZ R2, R1, R1 ;      /* 0x0000000101028221 */  // |     |    |
                                                              /* 0x004fca0000010000 */  // |  2  | 1  |
        /*0020*/               @P1 BRA `(.L_1) ;              /* 0xfffffffc00041947 */  // |     |    |
                                                              /* 0x000fea000383ffff */  // |  3  | 2  |
        /*0030*/                   CALL.REL.NOINC `($helper) ;  /* 0x0000000000047944 */  // |     |    |
                                                              /* 0x000fea0003c00000 */  // |  3  | 2  |
$helper:
        /*0040*/                   EXIT ;                     /* 0x000000000000794d */
                                                              /* 0x000fea0003800000 */
.L_2:
        /*0050*/                   BRA `(.L_2);               /* 0xfffffffc00fc7947 */
                                                              /* 0x000fc0000383ffff */
        /*0060*/                   NOP;                       /* 0x0000000000007918 */
                                                              /* 0x000fc00000000000 */
//--------------------- .nv.info --------------------------
//--------------------- .text.second --------------------------
\t.section\t.text.second,"ax",@progbits
        /*0000*/                   JMP `(.L_9) ;              /* 0x000000000000794d */
                                                              /* 0x000fea0003800000 */
"""


def test_listings() -> None:
    found = parse_listing(LISTING)
    assert (found.target, list(found.functions)) == ("sm_90", ["first", "second"])
    code = found.functions["first"]
    assert (code.name, code.registers) == ("first", 24)
    assert [(one.address, one.guard, one.opcode, one.operands, one.live, one.target) for one in code.instructions] == [
        (0x00, "", "LDC", "R1, c[0x0][0x28]", {"GPR": 1}, None),
        (0x10, "@!P0", "FADD.FTZ", "R2, R1, R1", {"GPR": 2, "PRED": 1}, None),
        (0x20, "@P1", "BRA", "`(.L_1)", {"GPR": 3, "PRED": 2}, 1),
        (0x30, "", "CALL.REL.NOINC", "`($helper)", {"GPR": 3, "PRED": 2}, None),
        (0x40, "", "EXIT", "", {}, None),
    ]
    assert [one.text for one in code.instructions][1:3] == ["@!P0 FADD.FTZ R2, R1, R1", "@P1 BRA `(.L_1)"]
    assert code.labels == {1: ".L_1"} and code.entries == {"$helper": 4} and code.loops() == [(1, 2)]
    assert code.instructions[1].control == decode(0x004FCA0000010000 << 64)
    second = found.functions["second"]
    assert (second.registers, second.instructions[0].target, second.labels) == (0, None, {})
    assert parse_listing("\t.target\tsm_80\n").target == "sm_80" and parse_listing("x").target == ""


def code(
    *given: tuple[str, str, Control] | tuple[str, str, Control, int], labels: dict[int, str] | None = None
) -> Code:
    """Code of opcodes, operands, control fields and, for branches, where they go."""
    made = [
        Instruction(16 * at, "", one[0], one[1], one[2], {"GPR": at, "UPRED": 1}, one[3] if len(one) > 3 else None)
        for at, one in enumerate(given)
    ]
    return Code("k", tuple(made), labels or {}, 32)


def test_loops_are_closed_by_branches_that_go_back() -> None:
    plain = ("FADD", "", control())
    found = code(
        plain,
        plain,
        ("BRA", "", control(), 1),
        ("BRA", "", control(), 0),
        ("BRA", "", control(), 0),
        plain,
        ("BRA", "", control(), 6),
        ("BRA", "", control(), 8),
        plain,
    )
    assert found.loops() == [(0, 4), (1, 2), (6, 6)]


# -- models of loops ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "opcodes"),
    [
        ("tensor", "HMMA IMMA DMMA QMMA OMMA BMMA HGMMA IGMMA QGMMA OGMMA BGMMA UTCHMMA UTCIMMA UTCQMMA UTCOMMA UTCMXQMMA"),
        ("tensor memory", "LDTM STTM UTCCP UTCBAR UTCATOMSWS UTCSHIFT"), ("tensor copy", "UTMALDG UTMASTG UBLKCP"),
        ("shared", "LDS STS LDSM STSM ATOMS MOVM"), ("copy", "LDGSTS LDGDEPBAR"),
        ("global", "LDG STG LD ST ATOM ATOMG RED REDG LDL STL CCTL"),
        ("synchronisation", "SYNCS BAR DEPBAR WARPGROUP WARPSYNC MEMBAR FENCE ERRBAR BSYNC BSSY ELECT UCGABAR_ARV ARRIVES"),
        ("special", "MUFU"), ("shuffle", "SHFL VOTE VOTEU REDUX MATCH CREDUX"),
        ("float", "FADD FMUL FFMA FMNMX FSEL FSET FSETP FCHK FSWZADD HADD2 HMUL2 HFMA2 HMNMX2 HSET2 HSETP2 DADD DMUL DFMA DSETP DMNMX"),
        ("conversion", "F2F F2I I2F I2FP FRND F2FP"),
        ("control", "BRA BRX JMP CALL RET EXIT BREAK BMOV YIELD NOP NANOSLEEP ACQBULK PREEXIT"),
        ("uniform", "UMOV UIADD3 R2UR S2UR"),
        ("integer", "IADD3 IMAD LOP3 SHF LEA PRMT POPC FLO BREV SGXT BMSK VIADD VIMNMX VABSDIFF PLOP3 P2R R2P SEL IABS"),
        ("move", "MOV CS2R S2R LDC LDCU"), ("other", "FROBNICATE LDSX XMUFU PREEXITS CS2RX"),
    ],
)  # fmt: skip
def test_what_instructions_are_for(kind: str, opcodes: str) -> None:
    """As NVIDIA's lists of instruction sets group them; what modifiers they have changes nothing."""
    for opcode in opcodes.split():
        assert kind_of(opcode) == kind_of(f"{opcode}.X.Y") == kind, opcode


def turn(
    *given: tuple[str, str, Control],
    target: str = "sm_90a",
    warps: int = 4,
    groups: int = 0,
    tensor: TensorProduct | None = None,
) -> dict[str, float]:
    """The cycles of a loop of these instructions and the branch that closes it."""
    body = code(*given, ("BRA", "", control(stall=1), 0))
    (loop,) = loops_of(body, target, warps, groups=groups, tensor=tensor)
    assert loop.instructions == len(given) + 1 and loop.innermost
    return {**loop.cycles, "waits": loop.waits, "warps": loop.warps, "feeds": loop.feeds}


def test_a_warp_waits_for_barriers() -> None:
    """Until results are there; what reads operands has read them 12 cycles later; a stall of 0 takes a cycle, too."""
    one = turn(("LDS", "", control(write=0, stall=2)), ("FADD", "", control(waits=(0,), stall=4)))
    assert (one["chain"], one["waits"]) == (30 + 4 + 1, 28)
    other = turn(("STS", "", control(read=3, stall=0)), ("FADD", "", control(waits=(3,), stall=4)))
    assert (other["chain"], other["waits"]) == (12 + 4 + 1, 11)
    both = turn(("LDG", "", control(write=0)), ("LDS", "", control(write=1)), ("FADD", "", control(waits=(0, 1))))
    assert both["chain"] == 260 + 1 + 1
    carried = turn(("FADD", "", control(waits=(0,))), ("MUFU", "", control(write=0, stall=5)))
    assert (carried["chain"], carried["waits"]) == (22 + 1, 22 - 6), "of the turn before"
    unknown = turn(("FROB", "", control(write=0)), ("FADD", "", control(waits=(0,))))
    assert unknown["chain"] == 20 + 1 + 1


def test_what_loops_take_of_the_units() -> None:
    idle = control()
    many = turn(*[("FADD", "", idle)] * 3, warps=8)
    assert many["issue"] == 4 * 8 / SCHEDULERS and turn(("FADD", "", idle), warps=2)["issue"] == 2
    assert turn(("MUFU.EX2", "", idle), ("MUFU.RCP", "", idle), warps=8)["special"] == 2 * 8 * 32 / 16
    for opcode, wavefronts in (
        *(("LDS", 1), ("LDS.64", 2), ("LDS.128", 4), ("STS.U16", 1), ("ATOMS.ADD", 1), ("LDSM.16.M88", 1)),
        *(
            ("LDSM.16.M88.2", 2),
            ("LDSM.16.M88.4", 4),
            ("STSM.16.M88.4", 4),
            ("LDGSTS.E.BYPASS.128", 4),
            ("LDGSTS.E.64", 2),
        ),
        *(("LDG.E.128", 0), ("LDGSTS.E", 1)),
    ):
        assert turn((opcode, "", idle), warps=4)["shared"] == 4 * wavefronts, opcode


@pytest.mark.parametrize(
    ("opcode", "products"),
    [
        ("HMMA.16816.F32", 2048), ("HMMA.1688.F32", 1024), ("HMMA.884.F32", 256), ("HMMA.1688.F32.TF32", 2048),
        ("HMMA.1684.F32.TF32", 1024), ("HMMA.SP.16832.F32", 2048), ("IMMA.16832.S8.S8", 2048), ("IMMA.16864.S4.S4", 2048),
        ("IMMA.16864.U4.U4", 2048), ("BMMA.168256.XOR.POPC", 2048), ("QMMA.SF.16832.F32.E4M3.E4M3.E8", 2048),
        ("OMMA.SF.16864.F32.E2M1.E2M1.E8", 2048), ("DMMA.884", 4096), ("DMMA.16x8x16", 32768), ("HMMA.4.F32", 0),
        ("LDS.16816", 0),
    ],
)  # fmt: skip
def test_what_products_cost(opcode: str, products: int) -> None:
    """In multiply-adds of f16, of which an SM of Hopper does 2048 in a cycle, one of Ampere 1024."""
    for target, rate in (("sm_80", 1024), ("sm_86", 512), ("sm_90a", 2048), ("sm_100a", 4096)):
        assert turn((opcode, "", control()), target=target, warps=8)["tensor"] == round(8 * products / rate, 1)


def test_products_of_warpgroups() -> None:
    """Four warps start one; it reads its right operand, and the left one where no registers hold it."""
    shape = "HGMMA.64x128x16.F32"
    both, left = "R24, gdesc[UR4], R24, gsb0", "R24, R8, gdesc[UR4], R24"
    found = turn((shape, both, control()), warps=9)
    assert (found["tensor"], found["warps"], found["shared"]) == (
        64 * 128 * 16 * 2 / 2048,
        8,
        2 * (64 + 128) * 32 / 128,
    )
    assert turn((shape, left, control()), warps=8)["shared"] == 2 * 128 * 32 / 128
    assert turn((shape, both, control()), warps=16, groups=1)["tensor"] == 64
    for wide in ("QGMMA.64x128x32.F32", "IGMMA.64x128x32"):
        assert turn((wide, both, control()), warps=4)["tensor"] == 64 * 128 * 16 / 2048
    given = TensorProduct(128 * 256 * 16, 12288)
    found = turn(("UTCHMMA", "", control()), ("UTCQMMA", "", control()), target="sm_100a", tensor=given)
    assert (found["tensor"], found["shared"], found["warps"]) == (2 * 128, 2 * 96, 1)


def test_who_runs_a_loop() -> None:
    assert turn(("LDTM.x32", "", control()), target="sm_100a", warps=12)["warps"] == 4
    assert turn(("FADD", "", control()), warps=12)["warps"] == 12
    feeding = turn(("UTMALDG.2D", "", control()), warps=12)
    assert feeding["warps"] == 1 and feeding["feeds"] and not turn(("FADD", "", control()))["feeds"]
    body = code(("UTMALDG", "", control()), ("BRA", "", control(), 0), ("BRA", "", control(), 0))
    outer, *_ = found = loops_of(
        code(("FADD", "", control()), ("FADD", "", control()), ("BRA", "", control(), 1), ("BRA", "", control(), 0)),
        "sm_80",
        1,
    )
    assert [(one.first, one.last, one.innermost) for one in found] == [(0, 3, False), (1, 2, True)]
    (loop,) = loops_of(body, "sm_90a", 4)
    assert loop.unknown == ("the bytes of tensor copies",)
    assert loops_of(code(("UTCHMMA", "", control()), ("BRA", "", control(), 0)), "sm_100a", 4)[0].unknown == (
        "the shape of products of tensor memory",
    )
    said = outer.to_json()
    assert said["bound"] == outer.bound == outer.order[0] and said["next"] == outer.order[1]
    assert list(said) == [
        *(
            "first",
            "last",
            "innermost",
            "instructions",
            "counts",
            "warps",
            "cycles",
            "waits",
            "bound",
            "next",
            "unknown",
        )
    ]
    assert list(outer.cycles) == ["tensor", "shared", "special", "issue", "chain"]


# -- stages -------------------------------------------------------------------------------------------------------


def lines_of(placed: Placed) -> list[tuple[str, tuple[Place, ...]]]:
    lines = placed.stage.text.splitlines()
    return [
        (lines[span.line - 1].strip(), places) for span, places in zip(placed.stage.spans, placed.places, strict=True)
    ]


def test_sources() -> None:
    one = source_stage([("/a/k.py", "def f():\n\n  pass\n")])
    assert (one.stage.name, one.stage.language) == ("source", "python")
    assert lines_of(one) == [("def f():", (Place("k.py", 1, 0),)), ("pass", (Place("k.py", 3, 0),))]
    two = source_stage([("C:\\a\\k.cu", "x"), ("b/m.cuh", "y")])
    assert two.stage.text == "==== C:\\a\\k.cu\nx\n==== b/m.cuh\ny"
    assert lines_of(two) == [("x", (Place("k.cu", 1, 0),)), ("y", (Place("m.cuh", 1, 0),))]
    for suffix, language in ((".cu", "cuda"), (".cuh", "cuda"), (".mlir", "mlir"), (".ptx", "ptx"), (".c", "text")):
        assert source_stage([(f"k{suffix}", "x")]).stage.language == language
    assert source_stage([]).stage.language == "text"


MLIR = """#loc1 = loc("/a/k.py":3:7)
#loc2 = loc(callsite(#loc1 at "m.py":9))
// a comment
module {
  %0:2 = "some.op"(%a) : (i32) -> (i32, i32) loc(#loc1)
  %x, %y = arith.constant 5 : i32 loc(fused[#loc2, "n.py":1:2])
  tt.return loc("q\\"/r.py":4)
  ^bb0:
  } loc(#loc)
  scf.yield
}
"""


def test_operations_of_mlir() -> None:
    own = mlir_stage(MLIR, "mlir", "/b/k.mlir")
    assert [places for _, places in lines_of(own)] == [(Place("k.mlir", line, 0),) for line in (4, 5, 6, 7, 10)]
    named = mlir_stage(MLIR, "ttir")
    assert named.stage.name == "ttir"
    python = Place("k.py", 3, 7)
    assert [places for _, places in lines_of(named)] == [
        (), (python,), (Place("n.py", 1, 2), Place("m.py", 9, 0), python), (Place("r.py", 4, 0),), ()
    ]  # fmt: skip


LLVM = """define void @k() !dbg !1 {
  %a = add i32 1, 2, !dbg !3
  %b = mul i32 %a, 3

  ret void, !dbg !7
}
!1 = distinct !DISubprogram(name: "k", file: !2)
!2 = !DIFile(filename: "a/k.py", directory: "/")
!4 = !DILexicalBlock(scope: !1, file: !5)
!5 = !DIFile(filename: "m.py", directory: "/")
!3 = !DILocation(line: 7, column: 3, scope: !4, inlinedAt: !6)
!6 = distinct !DILocation(line: 9, column: 1, scope: !1)
!7 = !DILocation(line: 8, column: 2, scope: !9)
"""


def test_instructions_of_llvm() -> None:
    found = llvm_stage(LLVM)
    assert (found.stage.name, found.stage.language) == ("llir", "llvm")
    assert [places for _, places in lines_of(found)] == [
        (Place("m.py", 7, 3), Place("k.py", 9, 1)), (), (Place("", 8, 2),)
    ]  # fmt: skip


PTX = """.version 8.0
.target sm_80
.address_size 64
.file 1 "/a/k.py"
.file 2 "m.py"
.entry first() .reqntid 4, 2, 3
{
.reg .b32 %r<3>;
.loc 1 7 9
mov.u32 %r0, 1; mov.u32 %r1, 2;
.loc 2 5 1, function_name $s, inlined_at 1 8 2
mov.u32 %r2, 1;
ret;
}
.entry second() .maxntid 64
{
ret;
}
.entry third() { ret; }
.section .debug_str
{
$s:
.b8 102, 0
}
"""


def test_instructions_of_ptx() -> None:
    module = weft.parse(PTX, "k.ptx")
    said = [
        Diagnostic("x", "odd", Severity.WARNING, Position(12, 1, "k.ptx")),
        Diagnostic("y", "wrong", Severity.ERROR, Position(12, 1, "k.ptx")),
        Diagnostic("z", "aside", Severity.NOTE, Position(17, 1, "k.ptx")),
    ]
    found = ptx_stage(module, PTX, said)
    assert [(span.line, span.function) for span in found.stage.spans] == [
        *((10, "first"), (10, "first"), (12, "first"), (13, "first"), (17, "second"), (19, "third"))
    ]
    inner = (Place("m.py", 5, 1), Place("k.py", 8, 2))
    assert list(found.places) == [(Place("k.py", 7, 9),)] * 2 + [inner] * 2 + [(), ()]
    assert found.stage.columns == {"diagnostics": [[], [], ["warning: odd", "error: wrong"], [], [], []]}
    assert ptx_stage(module, PTX).stage.columns == {} == ptx_stage(module, PTX, said[2:]).stage.columns
    assert _threads(module) == {"first": 24, "second": 64}


def test_rows_that_addresses_lie_in() -> None:
    from weft.tracing.lines import Row

    rows = [Row(address, "k", line, 0) for address, line in ((16, 1), (32, 2), (32, 3), (64, 4))]
    found = [_row_at(rows, address) for address in (0, 15, 16, 31, 32, 63, 64, 1000)]
    assert [row.line if row is not None else None for row in found] == [None, None, 1, 1, 3, 3, 4, 4]
    assert _row_at([], 5) is None


def test_machine_code_as_a_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    from weft.tracing import stages
    from weft.tracing.lines import Row
    from weft.tracing.machine import Machine

    tables = {
        stages.PTX_LINES: {"k": [Row(0, "", 10, 0), Row(32, "", 12, 0)]},
        stages.SOURCE_LINES: {"k": [Row(16, "/a/k.py", 7, 3), Row(32, "/a/k.py", 0, 0)]},
    }
    monkeypatch.setattr(stages, "line_table", lambda cubin, section: tables[section])
    first = code(
        ("LDG", "R1", control(write=0, stall=2)),
        ("FADD", "R2", control(waits=(0,))),
        ("BRA", "`(.L)", control(), 1),
        labels={1: ".L"},
    )
    second = Code("m", (first.instructions[0], first.instructions[1]), {}, 8)
    found = machine_stage(Machine("sm_80", {"k": first, "m": second}), b"")
    assert found.stage.text == "k:\n    LDG R1\n.L:\n    FADD R2\n    BRA `(.L)\nm:\n    LDG R1\n    FADD R2"
    assert [(span.line, span.end, span.function) for span in found.stage.spans] == [
        *((2, 2, "k"), (4, 4, "k"), (5, 5, "k"), (7, 7, "m"), (8, 8, "m"))
    ]
    assert found.ptx_lines == (10, 10, 12, 0, 0) and found.files == ("/a/k.py",)
    assert found.places == ((), (Place("k.py", 7, 3),), (), (), ())
    assert found.stage.columns == {
        "address": [0, 16, 32, 0, 16], "control": [str(one.control) for one in (*first.instructions, *second.instructions)],
        "stall": [2, 1, 1, 2, 1], "live": [[0, 0, 0, 1], [1, 0, 0, 1], [2, 0, 0, 1], [0, 0, 0, 1], [1, 0, 0, 1]],
        "waits": [[], [0], [], [], [3]], "loop": [0, 1, 1, 0, 0],
    }  # fmt: skip


# -- links --------------------------------------------------------------------------------------------------------


def stage(name: str, count: int, function: str = "k") -> Stage:
    text = "\n".join(f"{name} {n}" for n in range(count))
    return Stage(name, name, text, tuple(Span(n + 1, n + 1, function) for n in range(count)))


def test_links_by_places() -> None:
    """The same column where both name one, else the line; a source has no columns."""

    def placed(*places: tuple[Place, ...]) -> Placed:
        return Placed(stage("x", len(places)), places)

    a, b, c = Place("k.py", 7, 3), Place("k.py", 7, 9), Place("k.py", 8, 1)
    line = Place("k.py", 7, 0)
    assert _edges(placed((a,), (b,), (c,)), placed((b,), (a, c), (), (Place("k.py", 7, 5),))) == (
        *((0, 1), (0, 3), (1, 0), (1, 3), (2, 1)),
    )
    assert _edges(placed((line,), (c._replace(column=0),)), placed((a,), (b,), (c,))) == (
        (0, 0),
        (0, 1),
        (1, 2),
    )
    assert _edges(placed((a,)), placed((a._replace(file="m.py"),))) == ()
    many = placed(*[(a,)] * 201)
    assert len(_edges(many, placed((a,)))) == 200


def test_links_by_lines() -> None:
    """Where no instruction is on a line, the next one of the function, else its last; line 0 is of nothing."""
    spans = tuple(Span(line, line, name) for line, name in ((5, "k"), (7, "k"), (7, "k"), (9, "m")))
    ptx = Stage("ptx", "ptx", "", spans)
    assert [_nearest(spans, line, "k") for line in (0, 1, 5, 6, 7, 8)] == [[], [0], [1], [1], [2], [2]]
    assert _nearest(spans, 1, "m") == [3] and _nearest(spans, 5, "x") == []
    sass = MachineStage(stage("sass", 4), (7, 6, 0, 99), ((),) * 4)
    assert _by_line(ptx, sass) == ((1, 0), (1, 1), (2, 0), (2, 3))


def test_places_by_the_machine_code() -> None:
    a, b = Place("k.py", 7, 3), Place("k.py", 8, 1)
    ptx = Placed(stage("ptx", 3), ((), (), ()))
    sass = MachineStage(stage("sass", 4), (1, 3, 1, 1), ((a,), (b,), (b,), (a,)))
    assert placed_by_machine(ptx, sass).places == ((a, b), (), (b,))


def trace_of(*links: Links, name: str = "k") -> Trace:
    return Trace(name, "sm_80", (stage("a", 3), stage("b", 3), stage("c", 3)), links, (Kernel("k", 24, 20),))


def test_what_is_related() -> None:
    found = trace_of(Links(0, 1, ((0, 1), (0, 2), (1, 0))), Links(1, 2, ((1, 0), (2, 2), (0, 1))))
    assert found.related("a", [0]) == {"a": (0,), "b": (1, 2), "c": (0, 2)}
    assert found.related("c", [1]) == {"a": (1,), "b": (0,), "c": (1,)}
    assert found.related("b", [0, 2]) == {"a": (0, 1), "b": (0, 2), "c": (1, 2)}
    with pytest.raises(KeyError, match="the stages are a, b, c"):
        found.stage("d")
    assert found.held("k", 0) == {}, "its cubin is not there"
    back = Trace.from_json(found.to_json())
    assert back == found and json.loads(found.to_json())["links"][0] == {
        "source": 0,
        "target": 1,
        "edges": [[0, 1], [0, 2], [1, 0]],
    }


def test_pages() -> None:
    """What a second trace has that the first one has not, registers and addresses aside; nothing can end the script."""
    first = Trace("<k>", "sm_80", (Stage("ptx", "ptx", "a %r1\nb\nc", (Span(1, 1), Span(2, 2), Span(3, 3))),), ())
    text = "a %r2\nx </script>\nc\nb 0x10"
    second = Trace(
        "m", "sm_90", (Stage("ptx", "ptx", text, tuple(Span(n, n) for n in range(1, 5))), stage("sass", 1)), ()
    )
    made = page([first, second], "now")
    data = json.loads(made.partition('<script type="application/json" id="data">')[2].partition("</script>")[0])
    assert data["stamp"] == "now" and [one["name"] for one in data["traces"]] == ["<k>", "m"]
    assert [one.get("changed") for one in data["traces"][1]["stages"]] == [[1, 3], None]
    assert "changed" not in data["traces"][0]["stages"][0]
    assert "<title>&lt;k&gt; - weft explore</title>" in made and made.count("</script>") == 2
    assert trace_of()._repr_html_().startswith('<iframe style="width:100%;height:640px;border:0" srcdoc="&lt;!')


# -- files --------------------------------------------------------------------------------------------------------


def test_numbers_of_modules_in_libraries(tmp_path: Path) -> None:
    there = tmp_path / "a#3"
    there.touch()
    assert _numbered("libk.so#2") == (Path("libk.so"), 2) and _numbered("libk.so") == (Path("libk.so"), None)
    assert _numbered(there) == (there, None) and _numbered("a#b") == (Path("a#b"), None)


def test_what_cute_dumps(tmp_path: Path) -> None:
    for name in ("cute_dsl_k.mlir", "k.sm_90a.ptx", "m.ptx", "n.sm_80.cubin", "cute_dsl_n.mlir"):
        (tmp_path / name).touch()
    assert _dumped_by_cute(tmp_path / "k.sm_90a.ptx") == {
        "mlir": tmp_path / "cute_dsl_k.mlir",
        "ptx": tmp_path / "k.sm_90a.ptx",
    }
    assert _dumped_by_cute(tmp_path / "n.sm_80.cubin") == {
        "mlir": tmp_path / "cute_dsl_n.mlir",
        "cubin": tmp_path / "n.sm_80.cubin",
    }
    assert _dumped_by_cute(tmp_path / "m.ptx") == _dumped_by_cute(tmp_path / "cute_dsl_k.mlir") == {}


RANGES = """\t.section\t.text.k,"ax"
.text.k:                       // |     GPR      |
                               // | # 0  1  2    |
                               // | #            |
        /*0000*/ MOV R0 ;      // | 1 ^          |
        /*0010*/ MOV R1 ;      // | 2 :^         |
        /*0020*/ FADD R2 ;     // | 3 vx^        |
        /*0030*/ EXIT ;        // | 1   v        |
"""


def test_who_holds_registers() -> None:
    assert parse_ranges(RANGES) == {
        "k": {
            0: Holding(0, {0: 0}), 16: Holding(16, {0: 0, 1: 16}), 32: Holding(32, {0: 0, 1: 32, 2: 32}),
            48: Holding(48, {2: 32}),
        }
    }  # fmt: skip


def test_a_kernel_of_triton_s_cache() -> None:
    """All stages, each statement with what came of it; the Python file beside them is read."""
    from tests.conftest import nvidia_tool

    nvidia_tool("ptxas"), nvidia_tool("nvdisasm")
    folder = Path(__file__).resolve().parents[2]
    found = weft.trace(folder / "docs/tutorials/triton", "sm_80")
    names = [one.name for one in found.stages]
    assert (
        names[-5:] == ["ttir", "ttgir", "llir", "ptx", "sass"] and found.name == "softmax" and found.target == "sm_80"
    )
    exponentials = [
        n
        for n, (line, _) in enumerate(lines_of(Placed(found.stage("ttir"), ((),) * len(found.stage("ttir").spans))))
        if "math.exp" in line
    ]
    related = found.related("ttir", exponentials)
    text = {name: found.stage(name).text.splitlines() for name in names}
    reached = {name: " ".join(text[name][found.stage(name).spans[n].line - 1] for n in related[name]) for name in names}
    assert "math.exp" in reached["ttgir"] and "ex2.approx" in reached["ptx"] and "MUFU.EX2" in reached["sass"]
