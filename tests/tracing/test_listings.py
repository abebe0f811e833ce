"""What nvdisasm prints and what ptxas encodes, read piece by piece: control fields, listings, live ranges, line tables."""

from __future__ import annotations

import random
import struct
from dataclasses import replace

import pytest

from weft.errors import ToolError
from weft.toolchain import elf
from weft.tracing.control import Control, decode, producers
from weft.tracing.lines import PTX_LINES, Row, line_table, ptx_text
from weft.tracing.machine import Code, parse_listing
from weft.tracing.pressure import Holding, parse_ranges

# -- control fields --------------------------------------------------------------------------------------------------


def encoded(control: Control, rest: int) -> int:
    """An instruction with these fields, from bit 105 on: stall, yield, write, read, waits, reuse."""
    write, read = (7 if one is None else one for one in (control.write, control.read))
    fields = control.stall | (not control.yields) << 4 | write << 5 | read << 8
    fields |= sum(1 << n for n in control.waits) << 11 | sum(1 << n for n in control.reuse) << 17
    return fields << 105 | rest & (1 << 105) - 1 | rest >> 126 << 126


def test_fields_of_instructions() -> None:
    rng = random.Random(3)
    for _ in range(300):
        barrier = (None, *range(6))
        subset = [tuple(n for n in range(size) if rng.random() < 0.5) for size in (6, 4)]
        control = Control(rng.randrange(16), rng.random() < 0.5, rng.choice(barrier), rng.choice(barrier), *subset)
        assert decode(encoded(control, rng.getrandbits(128))) == control


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        (0x000FE400078E00FF_00000A00FF017624, "B------:R-:W-:-:S02"),
        (0x000E220000002100_0000000000057919, "B------:R-:W0:-:S01"),
        (0x001FDA0003F26070_000003E80500780C, "B0-----:R-:W-:Y:S13"),
        (0x040FE20003F06070_000003E80500780C, "B------:R-:W-:-:S01"),
        (0x0001E2000C115904_0000000502001986, "B------:R0:W-:-:S01"),
    ],
)
def test_fields_as_maxas_writes_them(encoding: int, text: str) -> None:
    """Instructions of ptxas: a load of the thread's number, which the comparison waits for, and a store that reads."""
    assert str(decode(encoding)) == text


def test_all_fields_as_text() -> None:
    control = Control(3, True, 5, 2, (0, 2, 5), (1,))
    assert str(control) == "B0-2--5:R2:W5:Y:S03"
    assert str(replace(control, yields=False, write=None, read=None, waits=(), stall=15)) == "B------:R-:W-:-:S15"


def test_who_is_waited_for() -> None:
    """Who set the barrier since it was last waited for; `DEPBAR` waits without an end of that."""

    def control(write: int | None = None, read: int | None = None, waits: tuple[int, ...] = ()) -> Control:
        return Control(1, False, write, read, waits, ())

    rows = [
        (control(write=0), "LDG R0", ()),
        (control(write=0, read=1), "LDG R1", ()),
        (control(waits=(1,)), "MOV", (1,)),
        (control(waits=(0, 1)), "FADD", (0, 1)),
        (control(waits=(0,)), "FADD", ()),
        (control(write=2, read=2), "ATOMG", ()),
        (control(), "DEPBAR.LE SB2, 0x1", (5,)),
        (control(waits=(3,)), "DEPBAR SB2", (5,)),
        (control(write=2, waits=(2,)), "LDG", (5,)),
        (control(), "DEPBAR.LE.X SB2, 0x1", (8,)),
        (control(), "DEPBAR", ()),
    ]
    found = producers([row[0] for row in rows], [row[1] for row in rows])
    assert found == [row[2] for row in rows]


# -- listings --------------------------------------------------------------------------------------------------------

LISTING = """
	.target	sm_90a

	.elftype	@"ET_EXEC"

//--------------------- .text.other --------------------------
	.section	.text.other,"ax",@progbits
	.sectioninfo	@"SHI_REGISTERS=8"
other:
        /*0000*/                   EXIT ;     /* 0x000000000000794d */
                                              /* 0x000fea0003800000 */
//--------------------- .text.k                   --------------------------
	.section	.text.k,"ax",@progbits
	.sectioninfo	@"SHI_REGISTERS=16"
	.align	128
                                                           // +-------+--------+--------+
                                                           // | GPR   | PRED   | UGPR   |
                                                           // |   #   |   #    |   #    |
                                                           // +-------+--------+--------+
k:                                                         // |       |        |        |
.text.k:                                                   // |       |        |        |
        /*0000*/    MOV R1, c[0x0][0x28] ;  /* 0x00000a00ff017624 */  // |       |        |        |
                                            /* 0x000fe400078e00ff */  // |   2   |        |        |
.L_x_2:                                                               // |   5   |   1    |   2    |
        /*0010*/    @!P0 IADD3 R7, R5, 0x3, RZ ;  /* 0x000003e80500780c */  // |   5   |   1    |   2    |
                                            /* 0x001fda0003f26070 */  // |   5   |   1    |  12    |
        /*0020*/    @P1 BRA `(.L_x_2) ;     /* 0x0000000000009947 */  // |       |        |        |
                                            /* 0x000fea000383ffff */  // |   4   |        |        |
        /*0030*/    @UP0 BRX R2 -0x10 (*"BRANCH_TARGETS .L_x_2"*) ;  /* 0x0000000000009947 */
                                            /* 0x000fea000383ffff */
        /*0040*/    CALL.REL.NOINC `($k$f) ;  /* 0x0000000000009947 */
                                            /* 0x000fea000383ffff */
        /*0050*/    BRX R2, `(.L_x_3) ;     /* 0x0000000000009947 */
                                            /* 0x000fea000383ffff */
        /*0060*/    BRA `(.L_x_9) ;         /* 0x0000000000009947 */
                                            /* 0x000fea000383ffff */
        /*0070*/    EXIT;                   /* 0x000000000000794d */
                                            /* 0x000fea0003800000 */
        .type           $k$f,@function
$k$f:
.L_x_3: // here
        /*0080*/    RET.REL.NODEC R2 `(k) ;  /* 0x000000000000794d */
                                            /* 0x000fea0003800000 */
.L_x_4:
        /*0090*/    BRA `(.L_x_4);          /* 0x000000000000794d */
                                            /* 0x000fea0003800000 */
        /*00a0*/    NOP;                    /* 0x000000000000794d */
                                            /* 0x000fea0003800000 */
.L_x_9:
"""


def test_a_listing() -> None:
    machine = parse_listing(LISTING)
    assert machine.target == "sm_90a" and list(machine.functions) == ["other", "k"]
    other, code = machine.functions.values()
    assert (other.name, other.registers, [each.text for each in other.instructions]) == ("other", 8, ["EXIT"])
    assert (code.name, code.registers, code.labels, code.entries) == ("k", 16, {1: ".L_x_2", 8: ".L_x_3"}, {"$k$f": 8})
    assert [(each.address, each.guard, each.opcode, each.operands, each.target) for each in code.instructions] == [
        (0x00, "", "MOV", "R1, c[0x0][0x28]", None),
        (0x10, "@!P0", "IADD3", "R7, R5, 0x3, RZ", None),
        (0x20, "@P1", "BRA", "`(.L_x_2)", 1),
        (0x30, "@UP0", "BRX", 'R2 -0x10 (*"BRANCH_TARGETS .L_x_2"*)', None),
        (0x40, "", "CALL.REL.NOINC", "`($k$f)", None),
        (0x50, "", "BRX", "R2, `(.L_x_3)", 8),
        (0x60, "", "BRA", "`(.L_x_9)", None),
        (0x70, "", "EXIT", "", None),
        (0x80, "", "RET.REL.NODEC", "R2 `(k)", None),
    ]
    assert [each.live for each in code.instructions[:4]] == [
        {"GPR": 2},
        {"GPR": 5, "PRED": 1, "UGPR": 12},
        {"GPR": 4},
        {},
    ]
    assert [each.control for each in code.instructions[:2]] == [
        decode(0x000FE400078E00FF_00000A00FF017624),
        decode(0x001FDA0003F26070_000003E80500780C),
    ]
    assert [each.text for each in code.instructions[1:3]] == ["@!P0 IADD3 R7, R5, 0x3, RZ", "@P1 BRA `(.L_x_2)"]


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("\t.target\tsm_80", "sm_80"),
        ("  .target sm_100a", "sm_100a"),
        ('\t.headerflags\t@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM90 EF_CUDA_X"', "sm_90"),
        ("\t.headers sm_80", ""),
    ],
)
def test_targets_of_listings(line: str, target: str) -> None:
    assert parse_listing(LISTING.replace("\t.target\tsm_90a", line)).target == target


def code_of(*lines: str) -> Code:
    text = "\n".join(
        line if line.endswith(":") else f"        /*{16 * n:04x}*/  {line} ; /* 0x{n:016x} */\n  /* 0x{0:016x} */"
        for n, line in enumerate(lines)
    )
    listing = f'//-- .text.k --\n\t.section\t.text.k,"ax"\n{text}\n'
    return parse_listing(listing).functions["k"]


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        (["MOV", "EXIT", "BRA", "NOP", "NOP"], 2),
        (["MOV", "EXIT", "BRA"], 2),
        (["MOV", "EXIT", "NOP"], 2),
        (["MOV", "NOP", "EXIT"], 3),
        (["BRA", "BRA"], 1),
        (["BRA"], 1),
        (["NOP"], 0),
        ([], 0),
    ],
)
def test_padding_is_no_code(lines: list[str], kept: int) -> None:
    """The NOPs at the end, and the branch to itself before them; what else has a function of one branch?"""
    assert [each.opcode for each in code_of(*lines).instructions] == lines[:kept]


def test_loops_are_what_backward_branches_close() -> None:
    code = code_of(
        ".L_1:", "MOV", ".L_2:", "FADD", "@P0 BRA `(.L_2)", "BRA `(.L_3)", "@P1 BRA `(.L_1)", ".L_3:", "@P2 BRA `(.L_1)",
        ".L_4:", "@P2 BRA `(.L_4)", "EXIT",
    )  # fmt: skip
    assert [(each.opcode, each.target) for each in code.instructions] == [
        ("MOV", None), ("FADD", None), ("BRA", 1), ("BRA", 5), ("BRA", 0), ("BRA", 0), ("BRA", 6), ("EXIT", None),
    ]  # fmt: skip
    assert code.loops() == [(0, 5), (1, 2), (6, 6)]


def test_what_names_no_function() -> None:
    """A section is named in its first twelve lines."""
    for empty, found in ((9, ["k"]), (10, ["k"]), (11, [])):
        text = f'//-- .text.k --\n{chr(10) * empty}\t.section\t.text.k,"ax"\n'
        assert list(parse_listing(text).functions) == found


# -- live ranges -----------------------------------------------------------------------------------------------------

RANGES = """
	.section	.text.k,"ax",@progbits
                                                    // +-----------+--------+
                                                    // |    GPR    | PRED   |
                                                    // |    000000 |        |
                                                    // |  # 012345 | # 012  |
                                                    // +-----------+--------+
k:                                                  // |           |        |
        /*0000*/    MOV R1, c[0x0][0x28] ;          // |  2  ^   : |        |
        /*0010*/    S2R R0, SR_TID.X ;              // |  3 ^:   : | 1  ^   |
.L_x_0:                                             // |  3 ::   : | 1  :   |
        /*0020*/    IADD3 R5, R0, R1, RZ ;          // |  3 vv   x | 1  v   |
        /*1030*/    EXIT ;                          // |  1      v |        |
	.section	.text.other,"ax",@progbits
        /*0000*/    EXIT ;                          // |  1 ^      |        |
                                                    // |  # 012    |
        /*0010*/    EXIT ;                          // |  1  :     |        |
                                                    // Legend:
                                                    //     #       : Number
        /*0020*/    EXIT ;
"""


def test_who_holds_registers() -> None:
    """Each register with where it was last written, None for before the function."""
    found = parse_ranges(RANGES)
    assert found == {
        "k": {
            0x00: Holding(0, {1: 0, 5: None}),
            0x10: Holding(0x10, {0: 0x10, 1: 0, 5: None}),
            0x20: Holding(0x20, {0: 0x10, 1: 0, 5: 0x20}),
            0x1030: Holding(0x1030, {5: 0x20}),
        },
        "other": {0x10: Holding(0x10, {1: None}), 0x20: Holding(0x20, {})},
    }


# -- line tables -----------------------------------------------------------------------------------------------------


def leb(value: int) -> bytes:
    """Unsigned LEB128."""
    out = bytearray()
    while True:
        out.append(value & 127 | (128 if value > 127 else 0))
        value >>= 7
        if not value:
            return bytes(out)


def sleb(value: int) -> bytes:
    """Signed LEB128."""
    out = bytearray()
    while True:
        byte, value = value & 127, value >> 7
        done = value == (-1 if byte & 64 else 0)
        out.append(byte | (0 if done else 128))
        if done:
            return bytes(out)


def program(body: bytes, *, version: int = 2, least: int = 1, base: int = -5, span: int = 14, lengths: bytes = b"\0\1\1\1\1\0\0\0\1",
            folders: tuple[str, ...] = (), files: tuple[tuple[str, int], ...] = (("k.ptx", 0),)) -> bytes:  # fmt: skip
    """A line program (DWARF 2 to 4, section 6.2.4) with its header."""
    named = b"".join(name.encode() + b"\0" for name in folders) + b"\0"
    named += b"".join(name.encode() + b"\0" + leb(folder) + leb(300) + leb(1000) for name, folder in files) + b"\0"
    fields = struct.pack("<B", least) + (b"\1" if version >= 4 else b"")
    fields += struct.pack("<BbBB", 1, base, span, len(lengths) + 1) + lengths + named
    data = struct.pack("<HI", version, len(fields)) + fields + body
    return struct.pack("<I", len(data)) + data


def extended(kind: int, data: bytes = b"", size: int | None = None) -> bytes:
    return b"\0" + leb(1 + len(data) if size is None else size) + bytes([kind]) + data


def start(address: int = 0) -> bytes:
    """`DW_LNE_set_address`; a relocation at the address names the function."""
    return extended(2, struct.pack("<Q", address))


END = extended(1)
ADVANCE, LINE, FILE, COLUMN, COPY, CONST, FIXED = 2, 3, 4, 5, 1, 8, 9


def rows(monkeypatch: pytest.MonkeyPatch, data: bytes, symbol: str = ".text.k") -> dict[str, list[Row]]:
    """The table of a section; each address set in it is one of a symbol."""
    places = [n + 3 for n in range(len(data)) if data[n : n + 3] == b"\0\x09\x02"]
    found = [elf.Relocation(place, f"{symbol}{number or ''}", 0) for number, place in enumerate(places)]
    monkeypatch.setattr(elf, "sections", lambda cubin: {PTX_LINES: data} if cubin == b"cubin" else {})
    monkeypatch.setattr(elf, "relocations", lambda cubin, section: found if section == PTX_LINES else [])
    return line_table(b"cubin", PTX_LINES)


def test_a_program_of_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every opcode, each of which moves a register; `special` ones the address and the line at once."""
    special = 10 + (7 - -5) + 14 * 3  # Three on, seven lines down.
    body = b"".join(
        (
            start(0x100),
            bytes([COPY]),
            bytes([ADVANCE]) + leb(0x2345) + bytes([LINE]) + sleb(1000) + bytes([COPY]),
            bytes([LINE]) + sleb(-64) + bytes([COLUMN]) + leb(300) + bytes([FILE]) + leb(2) + bytes([COPY]),
            bytes([special]),
            bytes([CONST, COPY]),
            bytes([FIXED]) + struct.pack("<H", 0x1234) + bytes([COPY]),
            bytes([6, 7, COPY]),
            bytes([10]),
            bytes([255]),
        )
    )
    files = (("k.cu", 1), ("/abs.cuh", 1), ("none.cuh", 9))
    found = rows(monkeypatch, program(body, folders=("dir",), files=files))
    at = [0x100, 0x2445, 0x2445, 0x2448, 0x2448 + 17, 0x2448 + 17 + 0x1234, 0x2448 + 17 + 0x1234 + 17]
    lines = [1, 1001, 937, 944, 944, 944, 939, 939 + 2]
    assert found == {
        "k": [
            Row(at[0], "dir/k.cu", 1, 0),
            Row(at[2], "/abs.cuh", lines[2], 300),
            Row(at[1], "dir/k.cu", lines[1], 0),
            Row(at[3], "/abs.cuh", lines[3], 300),
            Row(at[4], "/abs.cuh", lines[4], 300),
            Row(at[5], "/abs.cuh", lines[6], 300),
            Row(at[5], "/abs.cuh", lines[5], 300),
            Row(at[6], "/abs.cuh", lines[7], 300),
        ]
    }


def test_headers_of_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Version 4 has a field more; opcodes that are not known have as many operands as the header says."""
    body = start() + bytes([ADVANCE, 3, 10, 7, 7, 7, LINE, 2, COPY])
    for version in (2, 3, 4):
        data = program(body, version=version, least=16, lengths=b"\0\1\1\1\1\0\0\0\1\3")
        assert rows(monkeypatch, data) == {"k": [Row(48, "k.ptx", 3, 0)]}
    special = program(start() + bytes([13 + 4 * 2 + 1]), base=-1, span=4, least=8, lengths=b"\0" * 12)
    assert rows(monkeypatch, special) == {"k": [Row(16, "k.ptx", 1 + -1 + 1, 0)]}
    without = program(start() + bytes([COPY]), files=())
    assert rows(monkeypatch, without) == {"k": [Row(0, "", 1, 0)]}


def test_sequences_and_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of a sequence resets all registers; each function has the rows that stand behind its address, each once."""
    moved = bytes([LINE, 5, COLUMN, 7, FILE, 2, ADVANCE, 4, COPY, COPY])
    files = (("a", 0), ("b", 0))
    body = start() + moved + END + start(8) + bytes([COPY]) + END
    data = program(body, files=files) + program(
        start() + moved + extended(0x80, b"xyz") + bytes([LINE, 1, COPY]), files=files
    )
    found = rows(monkeypatch, data + struct.pack("<I", 0) + program(body))
    assert found == {
        "k": [Row(4, "b", 6, 7)],
        "k1": [Row(8, "a", 1, 0)],
        "k2": [Row(4, "b", 6, 7), Row(4, "b", 7, 7)],
    }
    assert rows(monkeypatch, data, "k") == found
    assert rows(monkeypatch, b"") == rows(monkeypatch, b"\1\0\0") == {}
    assert line_table(b"other", PTX_LINES) == {}


def test_programs_that_are_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    for body in (bytes([ADVANCE, 0x80]), b"\0", start()[:-2], bytes([FIXED, 1])):
        with pytest.raises(ToolError, match=f"the line table {PTX_LINES} is damaged"):
            rows(monkeypatch, program(body))


def test_the_ptx_that_ptxas_keeps(monkeypatch: pytest.MonkeyPatch) -> None:
    held = {".nv_debug_ptx_txt": b".version 8.0\0.target sm_80\0\xff\0"}
    monkeypatch.setattr(elf, "sections", lambda cubin: held if cubin == b"cubin" else {})
    assert ptx_text(b"cubin") == ".version 8.0\n.target sm_80\n\ufffd\n" and ptx_text(b"") == ""
