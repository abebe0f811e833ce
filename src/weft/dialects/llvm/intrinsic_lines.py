"""The definitions of `llvm`'s intrinsics that kernels seldom have, and of the operations of other platforms."""

from __future__ import annotations

LINES: dict[str, str] = {
    # Vectors of a length that is a value
    "intvec intvec bitvec i32 -> type": (
        "intr.vp.add intr.vp.and intr.vp.ashr intr.vp.lshr intr.vp.mul intr.vp.or intr.vp.sdiv intr.vp.shl "
        "intr.vp.smax intr.vp.smin intr.vp.srem intr.vp.sub intr.vp.udiv intr.vp.umax intr.vp.umin intr.vp.urem "
        "intr.vp.xor"
    ),
    "int intvec bitvec i32 -> type": (
        "intr.vp.reduce.add intr.vp.reduce.and intr.vp.reduce.mul intr.vp.reduce.or intr.vp.reduce.smax "
        "intr.vp.reduce.smin intr.vp.reduce.umax intr.vp.reduce.umin intr.vp.reduce.xor"
    ),
    "intvec bitvec i32 -> type": (
        "intr.vp.inttoptr intr.vp.sext intr.vp.sitofp intr.vp.trunc intr.vp.uitofp intr.vp.zext"
    ),
    "floatvec floatvec bitvec i32 -> type": "intr.vp.fadd intr.vp.fdiv intr.vp.fmul intr.vp.frem intr.vp.fsub",
    "floatvec bitvec i32 -> type": "intr.vp.fneg intr.vp.fpext intr.vp.fptosi intr.vp.fptoui intr.vp.fptrunc",
    "float floatvec bitvec i32 -> type": (
        "intr.vp.reduce.fadd intr.vp.reduce.fmax intr.vp.reduce.fmin intr.vp.reduce.fmul"
    ),
    "floatvec floatvec floatvec bitvec i32 -> type": "intr.vp.fma intr.vp.fmuladd",
    "bitvec vec vec i32 -> type": "intr.vp.merge intr.vp.select",
    "ptr bitvec i32 -> type": "intr.vp.load",
    "ptrvec bitvec i32 -> type": "intr.vp.ptrtoint",
    "vec ptr bitvec i32 ->": "intr.vp.store",
    "ptr int bitvec i32 -> type": "intr.experimental.vp.strided.load",
    "vec ptr int bitvec i32 ->": "intr.experimental.vp.strided.store",
    # Matrices and parts of vectors
    "ptr int -> vec | columns isVolatile rows": "intr.matrix.column.major.load",
    "vec ptr int -> | columns isVolatile rows": "intr.matrix.column.major.store",
    "vec vec -> vec | lhs_columns lhs_rows rhs_columns": "intr.matrix.multiply",
    "vec -> vec | columns rows": "intr.matrix.transpose",
    "vec -> vec | pos:i64 | | | vector_bits no_scalable_part": "intr.vector.extract",
    "vec vec -> vec | pos:i64 | | | inserted_types vector_bits no_scalable_piece": "intr.vector.insert",
    # Floating point with exceptions
    "type -> type | fpExceptionBehavior roundingmode": (
        "intr.experimental.constrained.fptrunc intr.experimental.constrained.sitofp "
        "intr.experimental.constrained.uitofp"
    ),
    "type -> type | fpExceptionBehavior": "intr.experimental.constrained.fpext",
    # Coroutines and exceptions
    "-> type": "intr.coro.align intr.coro.size",
    "token ptr -> type": "intr.coro.begin intr.coro.free",
    "ptr -> type": "intr.coro.save intr.eh.typeid.for",
    "ptr i1 token -> type": "intr.coro.end",
    "i32 ptr ptr ptr -> type": "intr.coro.id",
    "ptr i32 i1 -> ptr": "intr.coro.promise",
    "ptr ->": "intr.coro.resume",
    "token i1 -> type": "intr.coro.suspend",
    "type -> | | | | terminator": "resume",
    # Facts
    "int ptr ptr i32 -> int | | | | annotated_integer annotation": "intr.annotation",
    "ptr ptr ptr i32 ptr -> ptr | | | | annotated_pointer annotations": "intr.ptr.annotation",
    "ptr ptr ptr i32 ptr -> | | | | annotations": "intr.var.annotation",
    "ptr -> | locationExpr? varInfo": "intr.dbg.declare",
    "-> | label": "intr.dbg.label",
    "type -> | locationExpr? varInfo": "intr.dbg.value",
    "int int -> type | prob | | | expected_types": "intr.expect.with.probability",
    "ptr0 ptr -> | size:i64": "intr.invariant.end",
    "ptr -> ptr0 | size:i64": "intr.invariant.start",
    "-> | scope": "intr.experimental.noalias.scope.decl",
    "-> | failureKind": "intr.ubsantrap",
    "-> | tag": "blocktag",
}
"""The names, without `llvm.`, of the operations with each definition."""
