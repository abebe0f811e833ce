"""The operations of `llvm` that are rows (`weft.dialects.engine.operations`), with upstream's words and promises.

`CAST`, `TYPES` and the like stand for what many rows have in common. What is in no format is in the dictionary.
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntElementsAttr,
    IntegerAttr,
    IntegerType,
    SignlessIntegerConstraint,
    StringAttr,
    SymbolRefAttr,
    VectorType,
)
from xdsl.dialects.llvm import FastMathAttr, LinkageAttr, LLVMPointerType, LLVMStructType
from xdsl.irdl import AnyAttr, VarConstraint, base

from weft.dialects.engine.operations import Table
from weft.dialects.llvm import directives

ROWS = """
addrspacecast CAST | | $arg TYPES | pure | | the same address in another address space
atomicrmw ptr:any val:same -> res:same | volatile_? bin_op:i64 syncscope?:string ordering:i64 alignment?:i64 |
    (`volatile` $volatile_^)? custom<Worded>($bin_op) $ptr `,` $val SCOPE custom<Worded>($ordering)
    attr-dict `:` type($ptr) `,` type($val) |
     | | a value in memory combined with another; the old value
cmpxchg ptr:any cmp:same val:same -> res:struct | weak? volatile_? syncscope?:string success_ordering:i64
    failure_ordering:i64 alignment?:i64 |
    (`weak` $weak^)? (`volatile` $volatile_^)? $ptr `,` $cmp `,` $val SCOPE custom<Worded>($success_ordering)
    custom<Worded>($failure_ordering) attr-dict `:` type($ptr) `,`
    custom<Exchanged>(type($cmp), type($val), type($res)) |
     | | a value in memory replaced where it is the expected one; the old value, and whether it was
comdat body:region | sym_name:symbol | $sym_name $body attr-dict | no_terminator symbol symbols | |
    groups of which a linker keeps one
comdat_selector | sym_name:symbol comdat:i64 | $sym_name custom<Worded>($comdat) attr-dict | symbol | |
    which of a group a linker keeps
cond_br cond:i1 then_arguments:any* else_arguments:any* then_block:block else_block:block |
    branch_weights?:i32s loop_annotation?:any | syntax(control.cond_br) | terminator | | one block or another, by a bit
dso_local_equivalent -> res:any | function_name:reference | $function_name attr-dict `:` type($res) | pure | |
    a function of the same module that does the same
extractelement vector:vector_of position:integer -> res:element | |
    $vector `[` $position `:` type($position) `]` attr-dict `:` type($vector) | pure | | an element of a vector
extractvalue container:any -> res:any | position:array |
    $container `` $position attr-dict `:` custom<Member>(type($container), type($res)) |
    xdsl.ExtractValueOp | | a member of an aggregate
fcmp lhs:same rhs:same -> res:any | predicate:i64 fastmathFlags:fast=none |
    custom<Predicate>($predicate) $lhs `,` $rhs attr-dict `:` custom<Compared>(type($lhs), type($rhs), type($res)) |
    pure | | a comparison of floats
fence | syncscope?:string ordering:i64 | SCOPE custom<Worded>($ordering) attr-dict | | |
    an order between accesses to memory
fptosi CAST | | $arg TYPES | pure | | a float as a signed integer
fptoui CAST | | $arg TYPES | pure | | a float as an unsigned integer
freeze val:same -> res:same | | $val attr-dict `:` type($val) | pure | |
    the value, or an arbitrary fixed one where it is poison
icmp lhs:comparable rhs:comparable -> res:any | predicate:i64 |
    custom<Predicate>($predicate) $lhs `,` $rhs attr-dict `:` custom<Compared>(type($lhs), type($rhs), type($res)) |
    pure | | a comparison of integers or pointers
insertvalue container:same value:any -> res:same | position:array |
    $value `,` $container `` $position attr-dict `:` custom<Member>(type($container), type($value)) |
    xdsl.InsertValueOp | | an aggregate with a member replaced
intr.assume cond:i1 op_bundle_operands:any* | op_bundle_sizes:i32s op_bundle_tags?:list |
    syntax(calls.assume) | | | the test is true, and so is what the bundles say
intr.dbg.declare value:any | VARIABLE | | | a variable lives at this address
intr.dbg.label | label:any | $label attr-dict | | | a label for a debugger
intr.dbg.value value:any | VARIABLE | | | a variable has this value from here on
intr.experimental.noalias.scope.decl | scope:any | $scope attr-dict | | | where a scope of aliasing begins
inttoptr CAST | dereferenceable?:any | $arg custom<Dereferenceable>($dereferenceable) TYPES | pure | |
    the pointer to an address
linker_options | options:strings | $options attr-dict | | | options of the linker
load addr:any -> res:any | volatile_? ATOMIC invariant? invariantGroup? dereferenceable?:any DICTIONARY |
    (`volatile` $volatile_^)? $addr custom<Atomic>($syncscope, $ordering) (`invariant` $invariant^)?
    (`invariant_group` $invariantGroup^)? custom<Dereferenceable>($dereferenceable) attr-dict `:` type($addr) `->`
    type($res) |
     | | a value of memory
mlir.addressof -> result:any | global_name:reference | $global_name attr-dict `:` type($result) | pure | |
    the address of a global or a function
mlir.alias initializer:region | sym_name:symbol alias_type:any linkage:linkage dso_local? thread_local_?
    unnamed_addr?:integer visibility_?:integer |
    syntax(globals.alias) | symbol isolated | | another name of what the region computes
mlir.constant -> result:any | value:any | `` `(` $value `)` attr-dict `:` type($result) | pure | |
    a constant; the type of the attribute may differ from that of the result
mlir.global_ctors | ctors:arrays priorities:arrays data:arrays |
    `ctors` `=` $ctors `,` `priorities` `=` $priorities `,` `data` `=` $data attr-dict | | | what is run at the start
mlir.global_dtors | dtors:arrays priorities:arrays data:arrays |
    `dtors` `=` $dtors `,` `priorities` `=` $priorities `,` `data` `=` $data attr-dict | | | what is run at the end
mlir.none -> res:any | | attr-dict `:` type($res) | pure | | the token that stands for nothing
mlir.poison -> res:any | | attr-dict `:` type($res) | pure | | a value that nothing may depend on
module_flags | flags:arrays | $flags attr-dict | | | what a module says about itself
ptrtoint CAST | | $arg TYPES | pure | | the address as a number
store value:any addr:any | volatile_? ATOMIC invariantGroup? DICTIONARY |
    (`volatile` $volatile_^)? $value `,` $addr custom<Atomic>($syncscope, $ordering)
    (`invariant_group` $invariantGroup^)? attr-dict `:` type($value) `,` type($addr) |
     | | a value put into memory
switch value:integer default_operands:any* case_operands:any* default_destination:block case_destinations:block* |
    case_values?:elements case_operand_segments:i32s branch_weights?:i32s |
    syntax(control.switch) | terminator | | the block of a number, or another
trunc CAST | overflowFlags?:i32 | $arg custom<Overflow>($overflowFlags) TYPES | pure | | the low bits of an integer
uitofp CAST | nonNeg? | (`nneg` $nonNeg^)? $arg TYPES | pure | | an unsigned integer as a float
va_arg CAST | | $arg attr-dict `:` functional-type($arg, $res) | | | the next variadic argument
"""
_PARTS = {
    "ATOMIC": "syncscope?:string ordering?:i64=0",
    "CAST": "arg:any -> res:any",
    "DICTIONARY": "alignment?:i64 nontemporal? access_groups?:arrays alias_scopes?:arrays noalias_scopes?:arrays "
    "tbaa?:arrays",
    "SCOPE": "(`syncscope` `` `(` $syncscope^ `)`)?",
    "TYPES": "attr-dict `:` type($arg) `to` type($res)",
    "VARIABLE": "varInfo:any locationExpr?:any | $varInfo ($locationExpr^)? `=` $value `:` type($value) attr-dict",
}
"""What the words in capitals stand for."""

_COMPARABLE = SignlessIntegerConstraint | base(LLVMPointerType)

TABLE = Table(
    "llvm",
    ROWS,
    {
        "comparable": VarConstraint("T", _COMPARABLE | VectorType.constr(_COMPARABLE)),
        "element": VarConstraint("T", AnyAttr()),
        "integer": base(IntegerType),
        "same": VarConstraint("T", AnyAttr()),
        "struct": LLVMStructType,
        "vector_of": VectorType.constr(VarConstraint("T", AnyAttr())),
    },
    {
        "arrays": ArrayAttr,
        "elements": DenseIntElementsAttr,
        "fast": FastMathAttr,
        "integer": IntegerAttr,
        "linkage": LinkageAttr,
        "reference": SymbolRefAttr,
        "strings": ArrayAttr[StringAttr],
    },
    directives.ALL,
    parts=_PARTS,
)
