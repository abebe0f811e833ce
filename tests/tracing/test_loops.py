"""The model of loops in machine code: kinds of instructions, what each costs the units, and what a turn takes."""

from __future__ import annotations

import pytest

from weft.tracing.control import Control
from weft.tracing.loops import LoopModel, TensorProduct, kind_of, loops_of
from weft.tracing.machine import Code, Instruction

KINDS = """
tensor: HMMA IMMA DMMA QMMA OMMA BMMA HGMMA IGMMA QGMMA BGMMA UTCHMMA UTCIMMA UTCQMMA UTCOMMA UTCMXQMMA
tensor memory: LDT LDTM STT STTM UTCCP UTCBAR UTCATOMSWS UTCSTSWS UTCSHIFT
tensor copy: UTMALDG UTMASTG UTMAREDG UTMAPF UTMACCTL UTMACMDFLUSH UBLKCP UBLKRED UBLKPF
shared: LDS LDSM STS STSM STAS REDAS ATOMS MOVM
copy: LDGSTS LDGDEPBAR
global: LD LDG LDGMC LDL ST STG STL ATOM ATOMG RED REDG CCTL CCTLL CCTLT
synchronisation: SYNCS BAR DEPBAR WARPGROUP WARPGROUPSET WARPSYNC MEMBAR FENCE ERRBAR CGAERRBAR BSYNC BSSY ELECT
  UCGABAR_ARV UCGABAR_WAIT ARRIVES
special: MUFU
shuffle: SHFL VOTE VOTEU REDUX CREDUX MATCH
float: FADD FADD2 FADD32I FMUL FMUL2 FFMA FFMA2 FFMA32I FMNMX FMNMX3 FSEL FSET FSETP FCHK FSWZADD FHADD FHFMA HADD2
  HADD2_32I HMUL2 HFMA2 HMNMX2 HSET2 HSETP2 DADD DMUL DFMA DSETP DMNMX
conversion: F2F F2I F2FP F2IP I2F I2I I2IP I2FP FRND
control: BRA BRX BRXU JMP JMX JMXU CALL RET EXIT KILL RTT BPT BREAK BMOV YIELD NOP NANOSLEEP ACQBULK PREEXIT
uniform: R2UR S2UR UBMSK UBREV UF2FP UFLO UIADD3 UIMAD UISETP ULDC ULEA ULOP3 UMOV UPLOP3 UPRMT USEL USETMAXREG USHF
  UP2UR UFADD UVIADD
integer: IADD3 IADD IMAD IMUL ISETP IMNMX IDP ISCADD IABS LOP LOP3 LOP32I SHF SHL SHR LEA PRMT POPC FLO BREV SGXT BMSK
  VIADD VIADDMNMX VIMNMX VIMNMX3 VHMNMX VABSDIFF VABSDIFF4 PLOP3 PSETP P2R R2P SEL
move: MOV MOV32I CS2R S2R LDC LDCU
other: TEX TLD4 SULD SUST B2R PMTRIG LEPC FROBNICATE XMOV
"""
"""The instructions in the reference of NVIDIA's binary utilities."""


@pytest.mark.parametrize(
    ("kind", "opcodes"), [line.split(": ") for line in KINDS.strip().replace("\n  ", " ").split("\n")]
)
def test_kinds_of_instructions(kind: str, opcodes: str) -> None:
    """By the whole first word, whatever stands behind it."""
    for opcode in opcodes.split():
        assert (kind_of(opcode), kind_of(f"{opcode}.A.B")) == (kind, kind), opcode


def line(
    opcode: str,
    operands: str = "",
    stall: int = 1,
    write: int | None = None,
    read: int | None = None,
    waits: tuple[int, ...] = (),
    target: int | None = None,
) -> Instruction:
    return Instruction(0, "", opcode, operands, Control(stall, False, write, read, waits, ()), {}, target)


def models(
    *lines: Instruction, target: str = "sm_80", warps: int = 4, groups: int = 0, back: int = 0, **more: TensorProduct
) -> list[LoopModel]:
    code = (*lines, line("BRA", "0x0", target=back))
    return loops_of(Code("k", code, {}, 32), target, warps, groups=groups, **more)


def cycles(unit: str, opcode: str, operands: str = "", *, warps: int = 1, target: str = "sm_80") -> float:
    """Those that an instruction of some warps takes of a unit."""
    (model,) = models(line(opcode, operands), target=target, warps=warps)
    return model.cycles[unit]


@pytest.mark.parametrize(
    ("opcode", "found"),
    [
        ("HMMA.16816.F32", 2048),
        ("HMMA.1688.F16", 1024),
        ("HMMA.SP.16832.F32", 2048),
        ("HMMA.1688.F32.TF32", 2048),
        ("HMMA.1684.F32.TF32", 1024),
        ("HMMA.SP.16816.F32.TF32", 2048),
        ("IMMA.16832.S8.S8", 2048),
        ("IMMA.8816.U8.S8", 512),
        ("IMMA.16864.S4.S4", 2048),
        ("IMMA.16864.U4.U4", 2048),
        ("IMMA.16832.S4.U4", 1024),
        ("BMMA.168256.XOR.POPC", 2048),
        ("BMMA.88128.AND.POPC", 512),
        ("DMMA.884", 4096),
        ("DMMA.16x8x16", 32768),
        ("QMMA.16832.F32.E4M3.E4M3", 2048),
        ("QMMA.SF.16832.F32.E4M3.E4M3.E8", 2048),
        ("OMMA.SF.16864.F32.E2M1.E2M1.E8", 2048),
        ("FFMA", 0),
        ("LDSM.16.M88.4", 0),
    ],
)
def test_what_a_product_of_a_warp_costs(opcode: str, found: int) -> None:
    """As ptxas writes them: of all types but f64 the tensor cores take as many bytes of K in a cycle; a sparse product takes
    half the time. In multiply-adds of f16, of which sm_80 makes 1,024 in a cycle.
    """
    assert cycles("tensor", opcode, "R0, R4, R8, R0", warps=64) == found / 16


@pytest.mark.parametrize(
    ("opcode", "operands", "tensor", "shared"),
    [
        ("HGMMA.64x256x16.F32", "R24, gdesc[UR4], R24, gsb0", 128, 64 * 32 + 256 * 32),
        ("HGMMA.64x256x16.F32", "R24, R28, gdesc[UR4], R24, gsb0", 128, 256 * 32),
        ("HGMMA.64x128x8.F32.TF32", "R24, gdesc[UR4], R24, gsb0", 64, 64 * 32 + 128 * 32),
        ("QGMMA.64x128x32.F32.E4M3.E4M3", "R24, gdesc[UR4], R24, gsb0", 64, 64 * 32 + 128 * 32),
        ("IGMMA.64x128x32.S8.S8", "R24, gdesc[UR4], R24, gsb0", 64, 64 * 32 + 128 * 32),
        ("BGMMA.64x128x256.AND.POPC", "R24, gdesc[UR4], R24, gsb0", 64, 64 * 32 + 128 * 32),
        ("HGMMA.SP.64x128x32.F32", "R24, gdesc[UR4], R24, R2, gsb0", 64, 64 * 32 + 128 * 64),
    ],
)
def test_what_a_product_of_a_warpgroup_costs(opcode: str, operands: str, tensor: int, shared: int) -> None:
    """32 bytes of K; of shared memory what descriptors name, 128 bytes in a cycle. sm_90 makes 2,048 multiply-adds of f16."""
    (one,) = models(line(opcode, operands), target="sm_90a", warps=4)
    (two,) = models(line(opcode, operands), target="sm_90a", warps=11)
    (given,) = models(line(opcode, operands), target="sm_90a", warps=16, groups=3)
    for model, groups in ((one, 1), (two, 2), (given, 3)):
        assert (model.warps, model.unknown) == (4 * groups, ())
        assert (model.cycles["tensor"], model.cycles["shared"]) == (tensor * groups, shared / 128 * groups)


@pytest.mark.parametrize(
    ("target", "rate"),
    [("sm_75", 1024), ("sm_80", 1024), ("sm_86", 512), ("sm_87", 1024), ("sm_89", 512), ("sm_90a", 2048), ("sm_100a", 4096),
     ("sm_103a", 4096), ("sm_120a", 1024), ("sm_121a", 1024)],
)  # fmt: skip
def test_rates_of_the_tensor_cores(target: str, rate: int) -> None:
    """Dense multiply-adds of f16 of a multiprocessor in a cycle; 1,024 where it is not known."""
    assert cycles("tensor", "HMMA.16816.F32", "R0, R4, R8, R0", warps=8, target=target) == 8 * 2048 / rate


@pytest.mark.parametrize(
    ("opcode", "found"),
    [
        ("LDS", 1), ("LDS.64", 2), ("LDS.U.128", 4), ("STS.128", 4), ("STS.U8", 1), ("ATOMS.ADD.64", 2), ("ATOMS.ADD", 1),
        ("LDSM.16.M88", 1), ("LDSM.16.M88.2", 2), ("LDSM.16.MT88.4", 4), ("STSM.16.M88.4", 4), ("STSM.16.M88.2", 2),
        ("LDGSTS.E.BYPASS.128", 4), ("LDGSTS.E.64", 2), ("LDGSTS.E", 1), ("LDG.E.128", 0), ("STG.E.64", 0), ("FADD", 0),
    ],
)  # fmt: skip
def test_what_an_access_to_shared_memory_costs(opcode: str, found: int) -> None:
    """Of 128 bytes in a cycle: one for each four bytes of a lane, or for each matrix."""
    assert cycles("shared", opcode) == found
    assert cycles("shared", opcode, warps=6) == 6 * found


def test_the_units_for_special_functions_and_the_schedulers() -> None:
    """16 functions in a cycle; four schedulers, of which a warp has one."""
    for warps, issue in ((1, 3), (4, 3), (5, 3.8), (8, 6)):
        (model,) = models(line("MUFU.EX2"), line("MUFU.RCP"), warps=warps)
        assert model.cycles["special"] == 2 * 2 * warps
        assert model.cycles["issue"] == issue
        assert model.counts == {"special": 2, "control": 1} and model.instructions == 3


LATENCIES = {
    "LDS": 30, "LDSM": 33, "SHFL": 25, "MUFU": 22, "S2R": 25, "S2UR": 25, "LDG": 260, "LD": 260, "LDC": 40, "LDL": 200,
    "ATOM": 300, "ATOMG": 300, "ATOMS": 60, "LDTM": 60, "R2UR": 12, "SYNCS": 25, "I2F": 14, "F2I": 14, "F2F": 14,
    "POPC": 14, "FLO": 14, "HMMA": 33, "IMMA": 33, "DMMA": 40, "QMMA": 33, "TEX": 20,
}  # fmt: skip
"""As measured; 20 for all others."""


@pytest.mark.parametrize(("opcode", "latency"), LATENCIES.items())
def test_how_long_a_warp_waits_for_a_result(opcode: str, latency: int) -> None:
    (model,) = models(line(f"{opcode}.X", stall=2, write=3), line("FADD", stall=4, waits=(3,)), warps=1)
    assert model.cycles["chain"] == latency + 4 + 1
    assert model.waits == latency - 2


def test_a_turn_of_one_warp() -> None:
    """Stalls are cycles, one at least; operands are read after 12; a wait is until the last of its barriers."""
    for lines, chain, waits in (
        ([line("FADD", stall=0), line("FADD", stall=15)], 1 + 15 + 1, 0),
        ([line("STS", stall=1, read=2), line("FADD", stall=1, waits=(2,))], 12 + 1 + 1, 11),
        ([line("LDS", write=0), line("LDG", write=5), line("FADD", waits=(0, 5))], 1 + 260 + 1 + 1, 259),
        ([line("LDG", write=1), line("STS", read=1), line("FADD", waits=(1,))], 260 + 1 + 1, 258),
        ([line("STS", read=1), line("STG", stall=1, read=1), line("FADD", waits=(1,))], 1 + 12 + 1 + 1, 11),
        ([line("LDS", write=1), line("FADD", stall=40), line("FADD", waits=(1,))], 1 + 40 + 1 + 1, 0),
        # What the turn before has loaded is waited for in the next.
        ([line("FADD", waits=(0,)), line("LDG", stall=9, write=0)], 260 + 1, 260 - 9 - 1),
    ):  # fmt: skip
        (model,) = models(*lines, warps=1)
        assert (model.cycles["chain"], model.waits) == (chain, waits)


def test_who_runs_a_loop() -> None:
    """One warp starts products of tensor memory and tensor copies, a warpgroup reads tensor memory, all do anything else."""
    product = line("UTCHMMA", "gdesc[UR4], gdesc[UR6], tmem[UR8]")
    for lines, warps, feeds, unknown in (
        ([product], 1, False, ("the shape of products of tensor memory",)),
        ([line("UTMALDG.2D")], 1, True, ("the bytes of tensor copies",)),
        ([product, line("UTMALDG.2D")], 1, True, ("the shape of products of tensor memory",)),
        ([line("UTMASTG.2D")], 12, False, ()),
        ([line("LDTM.x32")], 4, False, ()),
        ([line("FADD")], 12, False, ()),
    ):
        (model,) = models(*lines, target="sm_100a", warps=12)
        assert (model.warps, model.feeds, model.unknown) == (warps, feeds, unknown)
        assert model.to_json()["unknown"] == list(unknown)
    (model,) = models(product, product, target="sm_100a", warps=12, tensor=TensorProduct(8192, 256))
    assert model.unknown == () and (model.cycles["tensor"], model.cycles["shared"]) == (4, 4)
    (model,) = models(product, target="sm_100a", warps=12)
    assert (model.cycles["tensor"], model.cycles["shared"]) == (0, 0)


def test_loops_within_loops() -> None:
    """Outer ones first; innermost are those that hold no other."""
    code = (
        line("FADD"),
        line("FMUL"),
        line("BRA", target=1),
        line("MUFU"),
        line("BRA", target=3),
        line("BRA", target=0),
        line("EXIT"),
    )
    found = loops_of(Code("k", code, {}, 32), "sm_80", 4)
    assert [(one.first, one.last, one.innermost, one.instructions) for one in found] == [
        (0, 5, False, 6),
        (1, 2, True, 2),
        (3, 4, True, 2),
    ]
    assert loops_of(Code("k", (line("EXIT"),), {}, 32), "sm_80", 4) == []


def test_a_model_as_data() -> None:
    (model,) = models(line("LDS.128", write=0), line("MUFU", waits=(0,)), warps=12)
    assert model.order == ["shared", "chain", "special", "issue", "tensor"]
    assert model.to_json() == {
        "first": 0, "last": 2, "innermost": True, "instructions": 3, "counts": {"shared": 1, "special": 1, "control": 1},
        "warps": 12, "cycles": {"tensor": 0.0, "shared": 48, "special": 24.0, "issue": 9.0, "chain": 32.0}, "waits": 29,
        "bound": "shared", "next": "chain", "unknown": [],
    }  # fmt: skip
