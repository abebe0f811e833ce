"""The intrinsics of `llvm` (`weft.dialects.engine.rows` says what is in a row)."""

from __future__ import annotations

from xdsl.dialects.llvm import FastMathAttr
from xdsl.irdl import AnyAttr, VarConstraint

from weft.dialects.engine.operations import Table

ROWS = """
intr.abs a:ints -> res:type | is_int_min_poison:bit | generic | pure | | an absolute value
intr.acos, intr.asin, intr.atan, intr.cosh, intr.exp10, intr.log10, intr.nearbyint, intr.rint, intr.round,
    intr.roundeven, intr.sinh, intr.tan, intr.tanh, intr.trunc a:floats -> res:type | FAST | CALL | pure same | | a
    function of a float
intr.annotation a:int b:ptr c:ptr d:i32 -> res:int | | generic | annotated_integer annotation | | a value with a note
    for tools
intr.atan2, intr.maximum, intr.minimum a:floats b:floats -> res:type | FAST | CALL | pure same | | a function of two
    floats
intr.bitreverse, intr.bswap, intr.ctpop a:ints -> res:type | | CALL | pure same | | bits in another order, or their
    number
intr.ceil, intr.cos, intr.exp, intr.exp2, intr.floor, intr.log, intr.log2, intr.sin, intr.sqrt arg:floats -> res:type
    | fastmathFlags?:fast | xdsl | same | | a function of a float
intr.copysign, intr.maxnum, intr.minnum, intr.pow lhs:floats rhs:floats -> res:type | fastmathFlags?:fast | xdsl |
    same | | a function of two floats
intr.ctlz, intr.cttz a:ints -> res:type | is_zero_poison:bit | generic | pure same | | how many zeros an integer
    begins or ends with
intr.debugtrap, intr.trap | | attr-dict | | | the end of the program
intr.expect val:int=same expected:int=same -> res:type=same | | $val `,` $expected attr-dict `:` type($val) |
    no_effect same | | a value, and what it most likely is
intr.experimental.vp.strided.load a:ptr b:int c:bitvec d:i32 -> res:type | | generic | | | set lanes below a length of
    memory at a stride
intr.experimental.vp.strided.store a:vec b:ptr c:int d:bitvec e:i32 | | generic | | | set lanes below a length put
    into memory at a stride
intr.fabs input:floats -> result:type | fastmathFlags?:fast | xdsl | no_effect same | | an absolute value
intr.fma a:floats b:floats c:floats -> res:type | fastmathFlags?:fast | xdsl | same | | `a * b + c`, rounded once
intr.fmuladd a:floats b:floats c:floats -> res:type | FAST | CALL | pure same | | `a * b + c`, rounded once or twice
intr.frexp a:floats -> res:type | FAST | CALL | no_effect | | mantissa and exponent
intr.fshl, intr.fshr a:ints b:ints c:ints -> res:type | | CALL | pure same | | two integers shifted as one
intr.get.active.lane.mask base:int n:int -> res:type | | $base `,` $n attr-dict `:` type($base) `,` type($n) `to`
    type($res) | no_effect | | the lanes that a loop still has
intr.is.constant a:type -> res:i1 | | generic | pure | | whether a value is known at compile time
intr.is.fpclass a:floats -> res:type | bit:i32 | generic | pure | | whether a float is of some classes
intr.launder.invariant.group, intr.strip.invariant.group ptr:ptr=same -> res:ptr=same | | $ptr attr-dict `:`
    type($ptr) | same | | a pointer of which nothing is known
intr.ldexp, intr.powi a:floats b:int -> res:type | FAST | CALL | pure | | a float and a power
intr.lifetime.end, intr.lifetime.start ptr:ptr | | $ptr attr-dict `:` type($ptr) | | | where memory of the function
    begins or ends to be used
intr.llrint, intr.lrint, intr.lround a:floats -> res:type | | CALL | pure | | a float rounded to an integer
intr.llround a:llvmfloat -> res:type | | CALL | pure | | a float rounded to an integer, halves away from zero
intr.masked.compressstore a:vec b:ptr c:bitvec | arg_attrs?:notes res_attrs?:notes | generic | | | set lanes stored
    one behind the other
intr.masked.expandload a:ptr b:bitvec c:vec -> res:type | arg_attrs?:notes res_attrs?:notes | generic | | |
    consecutive elements to set lanes
intr.masked.gather a:ptrvec b:bitvec c:vec* -> res:vec | alignment:i32 | operands attr-dict `:`
    functional-type(operands, results) | gathered | | elements at addresses, of set lanes
intr.masked.load a:ptr b:bitvec c:vec? -> res:vec | alignment:i32 nontemporal? | operands attr-dict `:`
    functional-type(operands, results) | | | set lanes of memory
intr.masked.scatter value:vec ptrs:ptrvec mask:bitvec | alignment:i32 | $value `,` $ptrs `,` $mask attr-dict `:`
    type($value) `,` type($mask) `into` type($ptrs) | scattered | | set lanes stored at addresses
intr.masked.store value:vec data:ptr mask:bitvec | alignment:i32 | xdsl | | | set lanes put into memory
intr.matrix.column.major.load data:ptr stride:int -> res:vec | columns:i32 isVolatile:bit rows:i32 | $data `,` `<`
    `stride` `=` $stride `>` attr-dict `:` type($res) `from` type($data) `stride` type($stride) | | | a matrix of
    memory
intr.matrix.column.major.store matrix:vec data:ptr stride:int | columns:i32 isVolatile:bit rows:i32 | $matrix `,`
    $data `,` `<` `stride` `=` $stride `>` attr-dict `:` type($matrix) `to` type($data) `stride` type($stride) | | | a
    matrix put into memory
intr.matrix.multiply lhs:vec rhs:vec -> res:vec | lhs_columns:i32 lhs_rows:i32 rhs_columns:i32 | $lhs `,` $rhs
    attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($res) | | | the product of two matrices
intr.matrix.transpose matrix:vec -> res:vec | columns:i32 rows:i32 | $matrix attr-dict `:` type($matrix) `into`
    type($res) | | | a matrix transposed
intr.memcpy, intr.memmove a:ptr b:ptr c:int | arg_attrs?:notes isVolatile:bit res_attrs?:notes NOTES | generic | | |
    bytes copied
intr.memcpy.inline a:ptr b:ptr | arg_attrs?:notes isVolatile:bit len:integer res_attrs?:notes NOTES | generic | | |
    bytes copied without a call
intr.memset a:ptr b:i8 c:int | arg_attrs?:notes isVolatile:bit res_attrs?:notes NOTES | generic | | | bytes set
intr.memset.inline a:ptr b:i8 | arg_attrs?:notes isVolatile:bit len:integer res_attrs?:notes NOTES | generic | | |
    bytes set without a call
intr.prefetch a:ptr | cache:i32 hint:i32 rw:i32 | generic | | | a hint to load a line into the cache
intr.ptr.annotation a:ptr b:ptr c:ptr d:i32 e:ptr -> res:ptr | | generic | annotated_pointer annotations | | a pointer
    with a note for tools
intr.ptrmask ptr:ptrs mask:anyints -> res:ptrs | | $ptr `,` $mask attr-dict `:` functional-type(operands, results) |
    pure masked_pointer | | a pointer with some bits of its address
intr.sadd.sat, intr.smax, intr.smin, intr.sshl.sat, intr.ssub.sat, intr.uadd.sat, intr.umax, intr.umin, intr.ushl.sat,
    intr.usub.sat a:ints b:ints -> res:type | | CALL | pure same | | integers combined, saturated
intr.sadd.with.overflow, intr.smul.with.overflow, intr.ssub.with.overflow, intr.uadd.with.overflow,
    intr.umul.with.overflow, intr.usub.with.overflow a:ints b:ints -> res:type | | generic | pure same_elements | |
    integers combined, and whether the result overflows
intr.scmp, intr.ucmp a:ints b:ints -> res:ints | | CALL | pure same_operands | | -1, 0 or 1 by comparison
intr.sincos a:floats -> res:type | FAST | CALL | pure both_results | | sine and cosine
intr.ssa.copy operand:any=same -> res:type=same | | $operand attr-dict `:` type($operand) | pure same | | the same
    value
intr.stackrestore ptr:ptr | | xdsl | | | the stack as it was
intr.stacksave -> res:type | | xdsl | | | the stack as it is
intr.stepvector -> res:intvec | | attr-dict `:` type($res) | pure | | 0, 1, 2, ...
intr.threadlocal.address a:ptr -> res:type | | generic | pure | | the address of this thread's copy of a global
intr.vacopy dest_list:ptr src_list:ptr | | $src_list `to` $dest_list attr-dict `:` type(operands) | | | a copy of a
    list of variadic arguments
intr.vaend, intr.vastart arg_list:ptr | | $arg_list attr-dict `:` type($arg_list) | | | variadic arguments
intr.var.annotation a:ptr b:ptr c:ptr d:i32 e:ptr | | generic | annotations | | a note on a variable for tools
intr.vector.deinterleave2 a:vec -> res:type | | generic | pure | | the even and the odd elements
intr.vector.extract srcvec:vec -> res:vec | pos:i64 | $srcvec `[` $pos `]` attr-dict `:` type($res) `from`
    type($srcvec) | pure vector_bits no_scalable_part | | a part of a vector
intr.vector.interleave2 a:vec b:vec -> res:type | | generic | pure interleaved_types interleaved | | a0, b0, a1, b1,
    ...
intr.vector.reduce.add, intr.vector.reduce.and, intr.vector.reduce.mul, intr.vector.reduce.or,
    intr.vector.reduce.smax, intr.vector.reduce.smin, intr.vector.reduce.umax, intr.vector.reduce.umin,
    intr.vector.reduce.xor a:intvec -> res:type | | generic | pure reduction | | the elements of a vector reduced
intr.vector.reduce.fadd, intr.vector.reduce.fmul start_value:float vector:floatvec -> res:type | fastmathFlags?:fast |
    xdsl | reduction | | the floats of a vector reduced, from a start
intr.vector.reduce.fmax, intr.vector.reduce.fmaximum, intr.vector.reduce.fmin, intr.vector.reduce.fminimum a:floatvec
    -> res:type | FAST | CALL | pure reduction | | the floats of a vector reduced
intr.vp.add, intr.vp.and, intr.vp.ashr, intr.vp.lshr, intr.vp.mul, intr.vp.or, intr.vp.sdiv, intr.vp.shl,
    intr.vp.smax, intr.vp.smin, intr.vp.srem, intr.vp.sub, intr.vp.udiv, intr.vp.umax, intr.vp.umin, intr.vp.urem,
    intr.vp.xor a:intvec b:intvec c:bitvec d:i32 -> res:type | | generic | pure | | integers combined in set lanes
    below a length
intr.vp.fadd, intr.vp.fdiv, intr.vp.fmul, intr.vp.frem, intr.vp.fsub a:floatvec b:floatvec c:bitvec d:i32 -> res:type
    | | generic | pure | | floats combined in set lanes below a length
intr.vp.fma, intr.vp.fmuladd a:floatvec b:floatvec c:floatvec d:bitvec e:i32 -> res:type | | generic | pure | | `a * b
    + c` in set lanes below a length
intr.vp.fneg, intr.vp.fpext, intr.vp.fptosi, intr.vp.fptoui, intr.vp.fptrunc a:floatvec b:bitvec c:i32 -> res:type | |
    generic | pure | | floats of set lanes below a length negated or converted
intr.vp.inttoptr, intr.vp.sext, intr.vp.sitofp, intr.vp.trunc, intr.vp.uitofp, intr.vp.zext a:intvec b:bitvec c:i32 ->
    res:type | | generic | pure | | integers of set lanes below a length converted
intr.vp.load a:ptr b:bitvec c:i32 -> res:type | | generic | | | set lanes below a length of memory
intr.vp.merge, intr.vp.select a:bitvec b:vec c:vec d:i32 -> res:type | | generic | pure | | one of two vectors by a
    bit for each element
intr.vp.ptrtoint a:ptrvec b:bitvec c:i32 -> res:type | | generic | pure | | addresses of set lanes below a length as
    integers
intr.vp.reduce.add, intr.vp.reduce.and, intr.vp.reduce.mul, intr.vp.reduce.or, intr.vp.reduce.smax,
    intr.vp.reduce.smin, intr.vp.reduce.umax, intr.vp.reduce.umin, intr.vp.reduce.xor a:int b:intvec c:bitvec d:i32 ->
    res:type | | generic | pure | | integers of set lanes below a length reduced
intr.vp.reduce.fadd, intr.vp.reduce.fmax, intr.vp.reduce.fmin, intr.vp.reduce.fmul a:float b:floatvec c:bitvec d:i32
    -> res:type | | generic | pure | | floats of set lanes below a length reduced
intr.vp.store a:vec b:ptr c:bitvec d:i32 | | generic | | | set lanes below a length put into memory
intr.vscale -> res:type | | generic | | | how many times a scalable vector holds its minimum
"""
_PARTS = {
    "CALL": "`(` operands `)` attr-dict `:` functional-type(operands, results)",
    "FAST": "fastmathFlags?:fast=none",
    "NOTES": "access_groups?:groups alias_scopes?:scopes noalias_scopes?:scopes tbaa?:tags",
}
"""What the words in capitals stand for."""

TABLE = Table(
    "llvm",
    ROWS,
    {"ptr": AnyAttr(), "same": VarConstraint("T", AnyAttr())},
    {"fast": FastMathAttr},
    parts=_PARTS,
    vocabulary="llvm",
)
