"""What the matrix instructions share: extents of a shape, the registers of a fragment and their types.

Source: PTX manual, section "Warp-level matrix instructions" (matrix fragments of each shape); the register types are
those that ptxas takes.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from weft.isa.form import Arg, Row, Slots, row
from weft.isa.types import TYPES

WARP = 32
"""Threads that hold a fragment together."""

FP8 = "e4m3 e5m2"
FP8_FP6_FP4 = "e4m3 e5m2 e3m2 e2m3 e2m1"


def either(tokens: str) -> str:
    """A blank-separated list of tokens as the constraint of a row: any one of them."""
    return tokens.replace(" ", "|")


@cache
def extents(shape: str) -> tuple[int, int, int]:
    """The extents M, N, K of a shape such as `m16n8k16`; K is 0 where the shape names none (`m8n8`)."""
    found = re.fullmatch(r"m(\d+)n(\d+)(?:k(\d+))?", shape)
    if found is None:
        raise ValueError(f"{shape!r} is not a matrix shape")
    return int(found[1]), int(found[2]), int(found[3] or 0)


def tile(role: str, shape: str) -> tuple[int, int]:
    """Rows and columns of matrix `a` (M x K), `b` (K x N), `c` or `d` (M x N) for a shape."""
    rows, columns, depth = extents(shape)
    return {"a": (rows, depth), "b": (depth, columns)}.get(role, (rows, columns))


def register_type(element: str) -> str:
    """The type of the registers that hold elements of `.element`: packed pairs for halves, untyped below 16 bits."""
    packed = {"f16": "f16x2", "bf16": "bf16x2", "tf32": "tf32", "f64": "b64", "f32": "f32", "s32": "s32"}
    return packed.get(element, "b32")


def element_bits(element: str, kind: str) -> int:
    """Bits that one element takes in a register: small floats stand in bytes, except `.e2m1` of the mxf4 kinds."""
    return 8 if element == "e2m1" and not kind.startswith("kind::mxf4") else TYPES[element].bits


def fragment_registers(rows: int, columns: int, bits: int, threads: int = WARP) -> int:
    """Registers per thread for a tile of elements of `bits` that `threads` threads share.

    Registers are 32 bits wide, or 64 for 64-bit elements.
    """
    return max(1, rows * columns * bits // (threads * max(32, bits)))


CALLED = (
    row(atype="s4|u4", sm="90+"),
    row(atype="b1", bitop="xor", sm="90+"),
    row(atype="b1", bitop="and", sm="100+"),
)
"""Products for which ptxas calls a function, as the target has no tensor cores for them."""

WIDENED = row(atype=either(FP8), sm="90 90a 100 100f 100a 103 103f 103a 107 107f 107a 110 110f 110a")

"""Products for which ptxas multiplies wider elements."""


_SMALL = row(shape="m8n8k16", sm="100+")
"""Products that ptxas replaces by ones of twice the rows."""


def fragment(role: str, *, sparse: bool = False) -> Arg:
    """The fragment operand of matrix `role` (a, b, c or d): shape and element type give its registers and their type.

    A 2:4 `sparse` matrix A holds half of its elements.
    """
    slot = f"{role}type"

    def count(slots: Slots) -> int:
        rows, columns = tile(role, slots["shape"])
        quarters = slots["shape"] == "m8n8k4" and slots["atype"] == "f16"  # Four products, one per eight threads.
        bits = element_bits(slots[slot], slots.get("kind", ""))
        return fragment_registers(rows, columns // 2 if sparse else columns, bits, threads=8 if quarters else WARP)

    def type_of(slots: Slots) -> str:
        small = slots["shape"] == "m8n8k16" and role in "ab"
        return "s32" if small else register_type(slots[slot])

    called = {"d": (), "b": CALLED}.get(role, (*CALLED, _SMALL))
    return Arg(
        type=type_of,
        count=count,
        imm=role != "d",
        lenient=lambda slots: "" if slots["shape"] == "m8n8k16" and role in "ab" else "predicates",
        whole=(WIDENED, _SMALL) if role == "c" else (WIDENED,),
        called=called,
    )


def of(types: str, accumulators: str, results: str = "") -> dict[str, Any]:
    """A row's types: A and B any of `types`, C any of `accumulators`, D any of `results` (default: as C)."""
    multiplicands, sums = either(types), either(accumulators)
    return {"atype": multiplicands, "btype": multiplicands, "ctype": sums, "dtype": either(results) or sums}


def rows_of(types: str, accumulators: str, **facts: Any) -> tuple[Row, ...]:
    """A row for each accumulator type, which C and D share; `facts` are those of `row`."""
    return tuple(row(**of(types, accumulator), **facts) for accumulator in accumulators.split())
