"""Products of sparse, bit-wise and small matrices, and stores of matrices, by LLVM's intrinsics."""

from __future__ import annotations

import re
from typing import Any

from weft.codegen.nvvm.fragments import outputs, read_product, registers
from weft.codegen.nvvm.intrinsics import family, narrow, number, operand, place_of
from weft.codegen.selector import Selector
from weft.isa import decode

_SHAPE = r"(m\d+n\d+k\d+)"
_FLOATS = r"((?:f16|f32)\.\w+\.\w+\.(?:f16|f32))"


def _product(pattern: str, spelling: str) -> None:
    """Register products whose opcode `spelling` gives, with the groups of the pattern."""

    @family(pattern)
    def select(s: Selector, op: Any, name: re.Match[str]) -> None:
        read_product(s, op, decode(spelling.format(name[0], *name.groups())))


_product(rf"mma\.(and|xor)\.popc\.{_SHAPE}\.row\.col\.b1", "mma.sync.aligned.{2}.row.col.s32.b1.b1.s32.{1}.popc")
_product(rf"mma\.{_SHAPE}\.row\.col\.{_FLOATS}", "mma.sync.aligned.{1}.row.col.{2}")
_product(rf"mma\.{_SHAPE}\.row\.col\.kind\.(\w+)\.{_FLOATS}", "mma.sync.aligned.{1}.row.col.kind::{2}.{3}")
_product(
    rf"wmma\.{_SHAPE}\.mma\.(and|xor)\.popc\.row\.col\.b1",
    "wmma.mma.{2}.popc.sync.aligned.row.col.{1}.s32.b1.b1.s32",
)
_product(
    rf"wmma\.{_SHAPE}\.mma\.(row|col)\.(row|col)\.(r[nzmp])\.f64",
    "wmma.mma.sync.aligned.{2}.{3}.{1}.{4}.f64.f64.f64.f64",
)
_product(
    rf"wmma\.{_SHAPE}\.mma\.(row|col)\.(row|col)\.(f16|f32)\.(f16|f32)\.satfinite",
    "wmma.mma.sync.aligned.{2}.{3}.{1}.{4}.{5}.satfinite",
)


def _types(text: str) -> str:
    """D, A, B and C of a product whose name leaves out what follows from the rest."""
    types = text.split(".")
    if len(types) == 4:
        return text
    if types[0] in ("f16", "f32"):
        return f"{types[0]}.f16.f16.{types[1]}"
    total = "s32" if types[0][0] in "su" else "f32"
    return f"{total}.{types[0]}.{types[-1]}.{total}"


@family(rf"mma\.sp(\.ordered\.metadata)?\.{_SHAPE}\.row\.col(\.kind\.\w+)?(\.satfinite)?\.([\w.]+)")
def _sparse(s: Selector, op: Any, name: re.Match[str]) -> None:
    ordered = "::ordered_metadata" if name[1] else ""
    kind = (name[3] or "").replace("kind.", "kind::")
    text = f"mma.sp{ordered}.sync.aligned.{name[2]}.row.col{name[4] or ''}{kind}.{_types(name[5])}"
    *values, metadata, selector = op.operands
    read_product(s, op, decode(text), values, [operand(s, metadata), number(op, selector)])


@family(
    rf"mma\.(sp\.ordered\.metadata\.)?block\.scale\.{_SHAPE}\.row\.col\.(\w+?)(?:\.scale\.(\d)x)?\."
    r"(f32\.\w+\.\w+\.f32\.ue\w+)"
)
def _scaled(s: Selector, op: Any, name: re.Match[str]) -> None:
    stem = "mma.sp::ordered_metadata" if name[1] else "mma"
    size = f".scale_vec::{name[4]}X" if name[4] else ""
    code = decode(f"{stem}.sync.aligned.{name[2]}.row.col.kind::{name[3]}.block_scale{size}.{name[5]}")
    *values, scale_a, byte_a, thread_a, scale_b, byte_b, thread_b = op.operands
    more: list[Any] = []
    if name[1]:
        *values, metadata, selector = values
        more = [operand(s, metadata), number(op, selector)]
    more += [operand(s, scale_a), (narrow(s, byte_a), narrow(s, thread_a))]
    more += [operand(s, scale_b), (narrow(s, byte_b), narrow(s, thread_b))]
    read_product(s, op, code, values, more)


@family(r"ldmatrix\.sync\.aligned\.(\w+)\.(x\d)(\.trans)?\.(b8x16\.\w+)\.p\d")
def _load_matrix(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    place, space = place_of(s, op.operands[0])
    space = f".{space}" if space else ""
    code = decode(f"ldmatrix.sync.aligned.{name[1]}.{name[2]}{name[3] or ''}{space}.{name[4]}")
    s.read(code, outs, place, outs=outs)


@family(r"stmatrix\.sync\.aligned\.(\w+)\.(x\d)(\.trans)?\.(b\d+)\.p\d")
def _store_matrix(s: Selector, op: Any, name: re.Match[str]) -> None:
    place, space = place_of(s, op.operands[0])
    space = f".{space}" if space else ""
    code = decode(f"stmatrix.sync.aligned.{name[1]}.{name[2]}{name[3] or ''}{space}.{name[4]}")
    s.emit(code, place, registers(s, op.operands[1:]))
