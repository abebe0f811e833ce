"""A static model of machine code: for each loop what a turn of it costs the tensor cores, shared memory, the units for
special functions and the schedulers, how long one warp needs for it, and which of these bounds it.

Fixed latencies are in the instructions' own stall counts; only results that are waited for at a barrier need a table,
and its numbers are those of published measurements.  Accesses to shared memory are taken to have no bank conflicts,
loads from global memory to hit the L2 cache.  What a text of machine code does not say is listed as unknown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from math import prod

from weft.dataclass import dataclass
from weft.isa.target import target as find_target
from weft.tracing.machine import Code, Instruction

SCHEDULERS = 4
SHARED_BYTES = 128
"""Bytes of shared memory that a multiprocessor reads or writes in a cycle."""
SPECIAL = 16
"""Special functions (MUFU) of a multiprocessor in a cycle."""
_SIXTEEN_BIT = {80: 1024, 86: 512, 87: 1024, 89: 512, 90: 2048, 100: 4096, 103: 4096, 120: 1024, 121: 1024}
"""Multiply-adds of f16 of a multiprocessor in a cycle."""
_LATENCIES = {
    "LDS": 30, "LDSM": 33, "SHFL": 25, "MUFU": 22, "S2R": 25, "S2UR": 25, "LDG": 260, "LD": 260, "LDC": 40, "LDL": 200,
    "ATOM": 300, "ATOMG": 300, "ATOMS": 60, "LDTM": 60, "R2UR": 12, "SYNCS": 25, "I2F": 14, "F2I": 14, "F2F": 14,
    "POPC": 14, "FLO": 14, "HMMA": 33, "IMMA": 33, "DMMA": 40, "QMMA": 33,
}  # fmt: skip
"""Cycles until a result is there that instructions wait for at a barrier."""
_OTHER_LATENCY = 20

KINDS: tuple[tuple[str, str], ...] = (
    ("tensor", r"(H|I|D|Q|O|B)MMA|[HIQOB]GMMA|UTC(H|I|Q|O|MX)\w*MMA"),
    ("tensor memory", r"LDTM|STTM|UTCCP|UTCBAR|UTCATOM\w*|UTCSHIFT"),
    ("tensor copy", r"UTMA\w+|UBLK\w+"),
    ("shared", r"LDS|STS|LDSM|STSM|ATOMS|MOVM"),
    ("copy", r"LDGSTS|LDGDEPBAR"),
    ("global", r"LDG|STG|LD|ST|ATOM|ATOMG|RED|REDG|LDL|STL|CCTL"),
    ("synchronisation", r"SYNCS|BAR|DEPBAR|WARPGROUP|WARPSYNC|MEMBAR|FENCE|ERRBAR|BSYNC|BSSY|ELECT|UCGABAR\w*|ARRIVES"),
    ("special", r"MUFU"),
    ("shuffle", r"SHFL|VOTE\w*|REDUX|MATCH|CREDUX"),
    ("float", r"F(ADD|MUL|FMA|MNMX|SEL|SET|CHK|SWZADD)\w*|H(ADD|MUL|FMA|MNMX|SET)\w*|D(ADD|MUL|FMA|SETP|MNMX)"),
    ("conversion", r"F2\w+|I2\w+|FRND|F2FP"),
    ("control", r"BRA|BRX|JMP|CALL|RET|EXIT|BREAK|BMOV|YIELD|NOP|NANOSLEEP|ACQBULK|PREEXIT"),
    ("uniform", r"U\w+|R2UR|S2UR|VOTEU"),
    ("integer", r"I\w+|LOP3|SHF|LEA|PRMT|POPC|FLO|BREV|SGXT|BMSK|VIADD\w*|VI\w+|VABSDIFF\w*|PLOP3|P2R|R2P|SEL|IABS"),
    ("move", r"MOV\w*|CS2R|S2R|LDC\w*"),
)  # fmt: skip
"""Kinds of instructions by their opcodes, the first that fits."""
_PATTERNS = tuple((kind, re.compile(rf"(?:{pattern})$")) for kind, pattern in KINDS)
_UMMA = re.compile(r"UTC\w*MMA")
_SHAPE = re.compile(r"\.(\d+)x(\d+)x(\d+)")
_PACKED = re.compile(r"\.(16|8)(8)(\d+)(?=\.|$)")
_COSTS = {"HMMA": 1.0, "IMMA": 0.5, "QMMA": 0.5, "BMMA": 1 / 16, "OMMA": 0.25, "DMMA": 16.0}
"""What a multiply-add of a warp's product takes, of one of f16 (of S4 and U4, half of it; of TF32, twice)."""
_WIDTHS = {"64": 2, "128": 4}


def kind_of(opcode: str) -> str:
    """What an instruction is for, by its opcode: ``tensor``, ``shared``, ``integer``, ..."""
    stem = opcode.partition(".")[0]
    return next((kind for kind, pattern in _PATTERNS if pattern.match(stem)), "other")


@dataclass(frozen=True, slots=True)
class LoopModel:
    """A loop: instructions `first` to `last`, how many of each kind, and cycles of a turn.

    `cycles` are those that each unit of a multiprocessor is busy while the `warps` of a block that run the loop do a
    turn (``tensor``, ``shared``, ``special``, ``issue``), and that one warp needs by itself (``chain``).  `waits` are
    the cycles of the chain in which the warp waits at barriers for results.
    """

    first: int
    last: int
    innermost: bool
    instructions: int
    counts: dict[str, int]
    warps: int
    cycles: dict[str, float]
    waits: int
    feeds: bool = False
    """Whether it starts loads by TMA."""
    unknown: tuple[str, ...] = field(default=())

    @property
    def order(self) -> list[str]:
        """What bounds the loop, then the next."""
        return sorted(self.cycles, key=lambda name: -self.cycles[name])

    @property
    def bound(self) -> str:
        """What takes longest."""
        return self.order[0]

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        return {
            "first": self.first, "last": self.last, "innermost": self.innermost, "instructions": self.instructions,
            "counts": self.counts, "warps": self.warps, "cycles": self.cycles, "waits": self.waits,
            "bound": self.bound, "next": self.order[1], "unknown": list(self.unknown),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class TensorProduct:
    """What machine code does not tell of a `tcgen05.mma`: the multiply-adds of f16 that it takes the time of, and the
    bytes of shared memory that it reads.
    """

    products: float = 0.0
    shared: float = 0.0


def loops_of(
    code: Code, target: str, warps: int, *, tensor: TensorProduct | None = None, groups: int = 0
) -> list[LoopModel]:
    """The loops of a function of machine code, outer ones first.

    `warps` are those of a block.  A loop that starts products of tensor memory or tensor copies is taken to be run by
    one of them, one with products of warpgroups by `groups` warpgroups (all there are, by default), one that
    reads tensor memory by one warpgroup, any other by all.
    """
    found = code.loops()
    models: list[LoopModel] = []
    for first, last in found:
        inner = not any(first <= a and b <= last and (a, b) != (first, last) for a, b in found)
        models.append(_model(code.instructions, first, last, target, warps, tensor, groups, inner=inner))
    return models


def _model(
    code: Sequence[Instruction], first: int, last: int, target: str, warps: int, tensor: TensorProduct | None,
    groups: int, *, inner: bool,
) -> LoopModel:  # fmt: skip
    body = code[first : last + 1]
    counts = Counter(kind_of(each.opcode) for each in body)
    stems = Counter(each.opcode.partition(".")[0] for each in body)
    unknown: list[str] = []
    if any(_UMMA.match(stem) for stem in stems):
        running = 1
        if tensor is None:
            unknown.append("the shape of products of tensor memory")
    elif any(stem.endswith("GMMA") for stem in stems):
        running = 4 * groups if groups else warps // 4 * 4
    elif stems["UTMALDG"]:
        running = 1
        unknown.append("the bytes of tensor copies")
    else:
        running = 4 if stems["LDTM"] else warps
    started, given = sum(_UMMA.match(each.opcode) is not None for each in body), tensor or TensorProduct()
    rate = _SIXTEEN_BIT.get(find_target(target).number, 1024)
    busy = (sum(_products(each) for each in body) * running + started * given.products) / rate
    wavefronts = sum(_wavefronts(each) for each in body) * running + started * given.shared / SHARED_BYTES
    chain, waits = _chain(body)
    cycles = {
        "tensor": round(busy, 1),
        "shared": round(wavefronts, 1),
        "special": round(counts["special"] * running * 32 / SPECIAL, 1),
        "issue": round(len(body) * max(1.0, running / SCHEDULERS), 1),
        "chain": float(chain),
    }
    return LoopModel(
        first, last, inner, len(body), dict(counts), running, cycles, waits, stems["UTMALDG"] > 0, tuple(unknown)
    )


def _products(each: Instruction) -> float:
    """What an instruction of one warp costs the tensor cores, in multiply-adds of f16."""
    stem, _, modifiers = each.opcode.partition(".")
    shape = _SHAPE.search("." + modifiers)
    if stem.endswith("GMMA") and shape is not None:
        m, n, k = map(int, shape.groups())
        return m * n * k / 4 * _cost(stem, k)  # Four warps start it together.
    shape = shape or _PACKED.search("." + modifiers)
    if stem in _COSTS and shape is not None:
        words = set(modifiers.split("."))
        halves = ("SP" in words) + bool(words & {"S4", "U4"}) - ("TF32" in words)
        return prod(map(int, shape.groups())) * _COSTS[stem] / 2**halves
    return 0.0


def _cost(stem: str, k: int) -> float:
    """Multiply-adds of f16 that one of a warpgroup's product takes the time of, by the depth of a product."""
    return 16 / k if stem in ("HGMMA", "QGMMA", "IGMMA") else 1.0


def _wavefronts(each: Instruction) -> float:
    """Cycles of shared memory that an instruction of one warp takes, operands of products by descriptors among them."""
    stem, _, modifiers = each.opcode.partition(".")
    words = modifiers.split(".")
    if stem in ("LDS", "STS", "ATOMS"):
        return next((_WIDTHS[word] for word in words if word in _WIDTHS), 1)
    if stem in ("LDSM", "STSM"):
        return next((int(word) for word in words if word in ("2", "4")), 1)
    if stem == "LDGSTS":
        return next((_WIDTHS[word] for word in words if word in _WIDTHS), 1)
    shape = _SHAPE.search("." + modifiers)
    if stem.endswith("GMMA") and shape is not None:
        m, n, _ = map(int, shape.groups())
        descriptors = len(re.findall(r"gdesc", each.operands))
        left = m * 32 if descriptors and each.operands.count("gdesc") and "R" not in _left(each.operands) else 0
        return (left + n * 32) / SHARED_BYTES / 4
    return 0.0


def _left(operands: str) -> str:
    """The left operand of a product of a warpgroup: registers, or '' where a descriptor has both."""
    parts = [part.strip() for part in operands.split(",")]
    return parts[1] if len(parts) > 1 and "gdesc" not in parts[1] else ""


def _chain(body: Sequence[Instruction]) -> tuple[int, int]:
    """The cycles that one warp needs for a turn when all before it has come in, and how many of them it waits."""
    ready = [0] * 6
    now = begun = waited = 0
    for turn in range(2):
        begun, waited = now, 0
        for each in body:
            control = each.control
            start = max([now, *(ready[barrier] for barrier in control.waits)])
            waited += start - now
            now = start + max(1, control.stall)
            stem = each.opcode.partition(".")[0]
            if control.write is not None:
                ready[control.write] = start + _LATENCIES.get(stem, _OTHER_LATENCY)
            if control.read is not None:
                ready[control.read] = max(ready[control.read], start + 12)
        if turn == 0 and now == 0:
            break
    return now - begun, waited
