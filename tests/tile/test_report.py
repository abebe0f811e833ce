"""Reports: kinds of instructions, the model of loops, and what a kernel takes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from weft.tile.kernels import gemm as gemm_sm80
from weft.tile.kernels import softmax
from weft.toolchain import find
from weft.tracing.control import Control
from weft.tracing.loops import TensorProduct, kind_of, loops_of
from weft.tracing.machine import Code, Instruction

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
from gemm_sm90a import gemm as gemm_sm90a
from gemm_sm100a import gemm as gemm_sm100a

SIZES = {"M": 4096, "N": 4096, "K": 4096}
needs_tools = pytest.mark.skipif(find("ptxas") is None or find("nvdisasm") is None, reason="no ptxas or nvdisasm")


@pytest.mark.parametrize(
    ("opcode", "kind"),
    [("HMMA.16816.F32", "tensor"), ("HGMMA.64x256x16.F32", "tensor"), ("UTCHMMA", "tensor"), ("LDTM.x32", "tensor memory"),
     ("UTMALDG.2D", "tensor copy"), ("LDSM.16.M88.4", "shared"), ("LDGSTS.E.BYPASS.128", "copy"), ("LDG.E.128", "global"),
     ("SYNCS.PHASECHK.TRANS64.TRYWAIT", "synchronisation"), ("WARPGROUP.DEPBAR.LE", "synchronisation"),
     ("MUFU.EX2", "special"), ("SHFL.BFLY", "shuffle"), ("FFMA.FTZ", "float"), ("HADD2.F32", "float"),
     ("F2FP.F16.F32.PACK_AB", "conversion"), ("BRA.U", "control"), ("UIADD3", "uniform"), ("IMAD.MOV.U32", "integer"),
     ("LOP3.LUT", "integer"), ("MOV", "move"), ("FROBNICATE", "other")],
)  # fmt: skip
def test_kinds(opcode: str, kind: str) -> None:
    assert kind_of(opcode) == kind


def written(*lines: tuple[str, str, int, int | None, tuple[int, ...]], back: int | None = None) -> Code:
    """Code of (opcode, operands, stall, barrier set, barriers waited for); the last line goes back to line `back`."""
    made = [
        Instruction(16 * at, "", opcode, operands, Control(stall, False, sets, None, waits, ()), {}, back if at == len(lines) - 1 else None)
        for at, (opcode, operands, stall, sets, waits) in enumerate(lines)
    ]  # fmt: skip
    return Code("k", tuple(made), {}, 32)


def test_a_turn_of_a_loop() -> None:
    """Stalls and waits of one warp; what the units of a multiprocessor do for all of them."""
    code = written(
        ("LDS.128", "R4, [R2]", 2, 0, ()),
        ("HMMA.16816.F32", "R8, R4, R6, R8", 8, None, (0,)),
        ("MUFU.EX2", "R9, R9", 1, 1, ()),
        ("FADD", "R9, R9, R9", 4, None, (1,)),
        ("BRA", "0x0", 5, None, ()),
        back=0,
    )
    (loop,) = loops_of(code, "sm_90a", 8)
    assert loop.counts == {"shared": 1, "tensor": 1, "special": 1, "float": 1, "control": 1}
    # 30 cycles for the load and 22 for the function, but for the 9 that pass meanwhile.
    assert loop.cycles["chain"] == 30 + 8 + 22 + 4 + 5 and loop.waits == 28 + 21
    assert loop.cycles["tensor"] == 8 * 16 * 8 * 16 / 2048
    assert loop.cycles["shared"] == 8 * 4 and loop.cycles["special"] == 8 * 2 and loop.cycles["issue"] == 5 * 2
    assert loop.bound == "chain" and loop.to_json()["next"] == "shared"


def test_what_machine_code_does_not_say() -> None:
    """The shape of products of tensor memory."""
    code = written(("UTCHMMA", "gdesc[UR4], gdesc[UR6], tmem[UR8]", 1, None, ()), ("BRA", "0x0", 5, None, ()), back=0)
    (loop,) = loops_of(code, "sm_100a", 8)
    assert loop.unknown == ("the shape of products of tensor memory",) and loop.warps == 1
    (loop,) = loops_of(code, "sm_100a", 8, tensor=TensorProduct(128 * 256 * 16, 12288))
    assert not loop.unknown and loop.cycles["tensor"] == 128 and loop.cycles["shared"] == 96


@needs_tools
def test_gemm_for_hopper() -> None:
    """1,024 cycles of the tensor cores and of shared memory for a step of 128 x 256 x 64; two tiles of that fill it."""
    made = gemm_sm90a.report("sm_90a", sizes=SIZES)
    steady = made.steady
    assert steady["tensor"] == 1024 and steady["shared"] == 640 + 384 and steady["issue"] < 200
    assert made.roles == ((0, 1, 40), (4, 8, 232)) and made.blocks == 1 and not made.spill_bytes and not made.losses
    assert made.grid == (132,) and made.tiles == 32 * 16 / 132
    data = json.loads(made.to_json())
    assert data["loops"] and data["efficiency"] == made.efficiency and data["steady"] == steady
    assert "role: warps 4 to 11, 232 registers" in str(made) and "tensor cores 97%" in str(made)


@needs_tools
def test_gemm_for_blackwell() -> None:
    made = gemm_sm100a.report("sm_100a", sizes=SIZES)
    assert made.steady["tensor"] == 512 and made.steady["shared"] == 2 * 384 and made.tensor_columns == 512


@pytest.mark.slow
@needs_tools
def test_kernels_without_roles() -> None:
    made = gemm_sm80.report("sm_80", sizes=SIZES)
    busy = {name: x * (made.blocks if name != "chain" else 1) for name, x in made.steady.items()}
    assert made.waves is not None and made.efficiency == busy["tensor"] / max(busy.values()) * made.waves / -(
        -made.waves // 1
    )
    assert made.steady["tensor"] == 512 and made.waves == 1024 / (108 * made.blocks) and made.roles == ()
    made = softmax.report("sm_80", sizes={"M": 1000, "N": 1024})
    assert made.efficiency is None and made.grid == (250,)
    assert softmax.report("sm_80").grid == ()


@pytest.mark.slow
@needs_tools
def test_options_by_the_model() -> None:
    """Larger tiles first; what does not fit is left out."""
    choices = [{"n_tile": 64}, {"n_tile": 256}, {"n_tile": 128}, {"stages": 9}]
    found = gemm_sm90a.autotune("sm_90a", sizes=SIZES, choices=choices)
    assert [each.options["n_tile"] for each in found] == [256, 128, 64]
