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
    ("tensor", r"[HIDQOB]G?MMA|UTC(H|I|Q|O|MX)\w*MMA"),
    ("tensor memory", r"(LD|ST)TM?|UTC\w+"),
    ("tensor copy", r"UTMA\w+|UBLK\w+"),
    ("shared", r"(LD|ST)SM?|STAS|REDAS|ATOMS|MOVM"),
    ("copy", r"LDGSTS|LDGDEPBAR"),
    ("global", r"(LD|ST|ATOM|RED)G?|LDGMC|[LS][DT]L|CCTL\w?"),
    ("synchronisation",
     r"SYNCS|BAR|DEPBAR|WARPGROUP(SET)?|WARPSYNC|MEMBAR|FENCE|(CGA)?ERRBAR|BSYNC|BSSY|ELECT|UCGABAR\w*|ARRIVES"),
    ("special", r"MUFU"),
    ("shuffle", r"SHFL|VOTE\w*|C?REDUX|MATCH"),
    ("float", r"FH?(ADD|MUL|FMA|MNMX|SEL|SET|CHK|SWZADD)\w*|H(ADD|MUL|FMA|MNMX|SET)\w*|D(ADD|MUL|FMA|SETP|MNMX)"),
    ("conversion", r"F2\w+|I2\w+|FRND"),
    ("control", r"BRXU?|JM[PX]U?|BRA|CALL|RET|EXIT|KILL|RTT|BPT|BREAK|BMOV|YIELD|NOP|NANOSLEEP|ACQBULK|PREEXIT"),
    ("uniform", r"U\w+|R2UR|S2UR"),
    ("integer", r"I\w+|LOP\w*|SH[FLR]|LEA|PRMT|POPC|FLO|BREV|SGXT|BMSK|V[IHA]\w+|P(LOP3|SETP)|P2R|R2P|SEL"),
    ("move", r"MOV\w*|CS2R|S2R|LDC\w*"),
)  # fmt: skip
"""Kinds of instructions by their opcodes, the first that fits."""
_PATTERNS = tuple((kind, re.compile(rf"(?:{pattern})$")) for kind, pattern in KINDS)
_UMMA = re.compile(r"UTC\w*MMA")
_SHAPE = re.compile(r"(\d+)x(\d+)x(\d+)|(16|8)(8)(\d+)")
_BITS = {"HMMA": 16, "IMMA": 8, "QMMA": 8, "OMMA": 4, "BMMA": 1, "DMMA": 256}
"""Bits of an element, as what products of them cost: those of f64 run at a sixteenth of the rate of f16."""
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


def _shape(words: Sequence[str]) -> tuple[int, int, int]:
    """M, N and K of a product, by the words of its opcode: `64x256x16` or `16816`; zeros where none says."""
    match = next(filter(None, map(_SHAPE.fullmatch, words)), None)
    rows, columns, depth = [int(group) for group in match.groups() if group] if match is not None else (0, 0, 0)
    return rows, columns, depth


def _products(each: Instruction) -> float:
    """What an instruction of one warp costs the tensor cores, in multiply-adds of f16."""
    stem, *words = each.opcode.split(".")
    rows, columns, depth = _shape(words)
    if stem.endswith("GMMA"):  # 32 bytes deep, whatever the type; four warps start it together.
        return rows * columns * 16 / 4
    bits = 32 if "TF32" in words else 4 if "S4" in words or "U4" in words else _BITS.get(stem, 0)
    return rows * columns * depth * bits / 16 / (2 if "SP" in words else 1)


def _wavefronts(each: Instruction) -> float:
    """Cycles of shared memory that an instruction of one warp takes, operands of products by descriptors among them."""
    stem, *words = each.opcode.split(".")
    if stem in ("LDS", "STS", "ATOMS", "LDGSTS"):
        return next((_WIDTHS[word] for word in words if word in _WIDTHS), 1)
    if stem in ("LDSM", "STSM"):
        return next((int(word) for word in words if word in ("2", "4")), 1)
    if stem.endswith("GMMA"):
        rows, columns, _ = _shape(words)
        left = rows if "gdesc" in each.operands.split(",")[1] else 0  # Of two descriptors only the first is written.
        return (left + columns * (2 if "SP" in words else 1)) * 32 / SHARED_BYTES / 4
    return 0.0


def _chain(body: Sequence[Instruction]) -> tuple[int, int]:
    """The cycles that one warp needs for a turn when all before it has come in, and how many of them it waits."""
    ready = [0] * 6
    now = begun = waited = 0
    for _ in range(2):
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
    return now - begun, waited
