"""Where the members of types lie in memory: as LLVM's data layout says."""

from __future__ import annotations

import re

from tests.codegen.oracle import llvm_ptx
from weft.codegen import compile_module

SCALARS = (
    "i1", "i3", "i8", "i12", "i16", "i24", "i32", "i33", "i48", "i64", "i65", "i100", "i128", "f16", "bf16", "f32", "f64",
    "!llvm.ptr", "!llvm.ptr<1>", "!llvm.ptr<3>", "!llvm.ptr<4>", "!llvm.ptr<6>",
)  # fmt: skip
VECTORS = tuple(f"vector<{count}x{element}>" for count in (1, 3, 8) for element in ("i1", "i8", "f16", "i32", "f64"))
BARE = tuple(type_.replace("!llvm.", "") for type_ in (*SCALARS, *VECTORS))
TYPES = (
    *SCALARS, *VECTORS,
    *(f"!llvm.array<3 x {type_}>" for type_ in BARE),
    *(f"!llvm.struct<(i8, {type_}, i8)>" for type_ in BARE),
    *(f"!llvm.struct<packed (i8, {type_}, i8)>" for type_ in BARE),
    "!llvm.struct<()>", "!llvm.array<0 x i32>", "!llvm.struct<(i8, struct<(i16, i64)>, array<2 x i16>, i8)>",
    "!llvm.struct<packed (i8, struct<(i16, i64)>, array<2 x i16>, i8)>", "!llvm.struct<(i8, struct<packed (i8, i64)>, i8)>",
)  # fmt: skip


def offsets(ptx: str) -> list[int]:
    """How far behind its pointer each byte lies that is stored."""
    return [int(found or 0) for found in re.findall(r"st\.(?:volatile\.)?global\.[bu]8\s+\[%rd\d+(?:\+(\d+))?\]", ptx)]


def test_types_lie_as_with_llvm() -> None:
    """A type's size is where its neighbour begins; a structure's members follow each other."""
    lines: list[str] = []
    for number, type_ in enumerate(TYPES):
        members = type_.startswith("!llvm.struct<") and type_ != "!llvm.struct<()>"
        for at in ("1", "0, 1", "0, 2") if members else ("1",):
            name = f"%p{number}_{len(lines)}"
            lines += [f"{name} = llvm.getelementptr %p[{at}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, {type_}"]
            lines += [f"llvm.store volatile %v, {name} : i8, !llvm.ptr<1>"]  # LLVM keeps each.
    text = "llvm.func @f(%p: !llvm.ptr<1>, %v: i8) {\n" + "\n".join(lines) + "\nllvm.return }\n"
    ours = offsets(compile_module(text, "sm_100a").to_ptx())
    assert len(ours) == len(lines) // 2
    assert ours == offsets(llvm_ptx(text, "sm_100a", "86"))
