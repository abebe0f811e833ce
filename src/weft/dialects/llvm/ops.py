"""The operations of `llvm` that are rows (`weft.dialects.engine.rows`), with upstream's words and promises.

`CAST`, `TYPES` and the like stand for what many rows have in common. What is in no format is in the dictionary.
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    I32,
    I64,
    ArrayAttr,
    DenseIntElementsAttr,
    DictionaryAttr,
    IntegerAttr,
    IntegerType,
    SignlessIntegerConstraint,
    StringAttr,
    SymbolRefAttr,
    VectorType,
)
from xdsl.dialects.llvm import (
    CallingConventionAttr,
    FastMathAttr,
    LinkageAttr,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMStructType,
    TailCallKindAttr,
)
from xdsl.irdl import AnyAttr, VarConstraint, base

from weft.dialects.engine.operations import Table
from weft.dialects.llvm import directives

ROWS = """
add, mul, shl, sub lhs:ints rhs:ints -> res:ints | overflowFlags?:overflow | xdsl | same | | a sum, product, shift or
    difference of integers
addrspacecast arg:ptrs -> res:ptrs | | $arg TYPES | pure | | the same address in another address space
alloca size:int -> res:ptr | alignment?:i64 elem_type:type inalloca? | syntax(allocation.alloca) | allocates
    xdsl.AllocaOp | |
    memory of the function
and, srem, urem, xor lhs:ints rhs:ints -> res:ints | | xdsl | same | | two integers combined
ashr, lshr, sdiv, udiv lhs:ints rhs:ints -> res:ints | isExact? | xdsl | same | | a quotient or a shift to the right
atomicrmw ptr:ptr val:atomic=same -> res:atomic=same | volatile_? bin_op syncscope?:string ordering alignment?:i64
    NOTES |
    (`volatile` $volatile_^)? custom<Worded>($bin_op) $ptr `,` $val SCOPE custom<Worded>($ordering)
    attr-dict `:` type($ptr) `,` type($val) |
    atomicrmw_types atomicrmw | | a value in memory combined with another; the old value
bitcast arg:nonaggregate -> result:nonaggregate | | xdsl | bitcast | | the same bits as another type
br arguments:type* successor:block | loop_annotation?:any | xdsl | branch terminator | | a block
call args:type* op_bundle_operands:type* -> returned:type? | CConv:convention=ccc TailCallKind:tail=none
    always_inline? arg_attrs?:notes branch_weights?:i32s callee?:flat convergent? fastmathFlags:fast=none inline_hint?
    memory_effects?:any no_inline? no_unwind? op_bundle_sizes:i32s=[] op_bundle_tags?:list res_attrs?:notes
    var_callee_type?:function_type will_return? NOTES | syntax(calls.call) | xdsl.CallOp call | | a function called
call_intrinsic args:type* op_bundle_operands:type* -> ress:type? | arg_attrs?:notes fastmathFlags:fast=none
    intrin:string op_bundle_sizes:i32s=[] op_bundle_tags?:list res_attrs?:notes branch_weights?:i32s
    memory_effects?:any convergent? no_unwind? will_return? no_inline? always_inline? inline_hint? NOTES |
    syntax(calls.call_intrinsic) | xdsl.CallIntrinsicOp call_intrinsic | | an intrinsic called by its name
cmpxchg ptr:ptr cmp:exchangeable=same val:exchangeable=same -> res:struct | weak? volatile_? syncscope?:string
    success_ordering:ordering
    failure_ordering:ordering alignment?:i64 NOTES |
    (`weak` $weak^)? (`volatile` $volatile_^)? $ptr `,` $cmp `,` $val SCOPE custom<Worded>($success_ordering)
    custom<Worded>($failure_ordering) attr-dict `:` type($ptr) `,`
    custom<Exchanged>(type($cmp), type($val), type($res)) |
    cmpxchg_types cmpxchg | | a value in memory replaced where it is the expected one; the old value, and whether it
    was
comdat body:region.one | sym_name:symbol | $sym_name $body attr-dict | no_terminator symbol symbols no_arguments
    selectors! | |
    groups of which a linker keeps one
comdat_selector | sym_name:symbol comdat:selector | $sym_name custom<Worded>($comdat) attr-dict | symbol | |
    which of a group a linker keeps
cond_br cond:i1 then_arguments:type* else_arguments:type* then_block:block else_block:block |
    branch_weights?:i32s loop_annotation?:any | syntax(control.cond_br) | terminator conditional_branch | | one block
    or another, by a bit
dso_local_equivalent -> res:ptr | function_name:flat | $function_name attr-dict `:` type($res) | pure | |
    a function of the same module that does the same
extractelement vector:vec=vector_of position:int=integer -> res:type=element | |
    $vector `[` $position `:` type($position) `]` attr-dict `:` type($vector) | pure extractelement | | an element of
    a vector
extractvalue container:aggregate -> res:type | position:array |
    $container `` $position attr-dict `:` custom<Member>(type($container), type($res)) |
    xdsl.ExtractValueOp extractvalue | | a member of an aggregate
fadd, fdiv, fmul, frem, fsub lhs:floats rhs:floats -> res:floats | fastmathFlags?:fast | xdsl | same | | a sum,
    quotient, product, remainder or difference of floats
fcmp lhs:floats=same rhs:floats=same -> res:bits | predicate:fcmp fastmathFlags:fast=none |
    custom<Predicate>($predicate) $lhs `,` $rhs attr-dict `:` custom<Compared>(type($lhs), type($rhs), type($res)) |
    pure bits_of_operands same_operands | | a comparison of floats
fence | syncscope?:string ordering | SCOPE custom<Worded>($ordering) attr-dict | fence | |
    an order between accesses to memory
fneg arg:floats -> res:floats | fastmathFlags?:fast | xdsl | same | | the negation of a float
fpext, fptrunc arg:floats -> result:floats | | xdsl | | | a float of another width
fptosi arg:floats -> res:ints | | $arg TYPES | pure | | a float as a signed integer
fptoui arg:floats -> res:ints | | $arg TYPES | pure | | a float as an unsigned integer
freeze val:type=same -> res:type=same | | $val attr-dict `:` type($val) | pure same | |
    the value, or an arbitrary fixed one where it is poison
func body:region | CConv:convention=ccc alignment?:i64 always_inline? arg_attrs?:notes arm_in_za? arm_inout_za?
    arm_locally_streaming? arm_new_za? arm_out_za? arm_preserves_za? arm_streaming? arm_streaming_compatible?
    comdat?:ref convergent? denormal_fp_math?:string denormal_fp_math_f32?:string dso_local? fp_contract?:string
    frame_pointer?:any function_entry_count?:i64 function_type garbageCollector?:string inline_hint?
    instrument_function_entry?:string instrument_function_exit?:string intel_reqd_sub_group_size?:i32 linkage=external
    memory_effects?:any no_infs_fp_math?:bool no_inline? no_nans_fp_math?:bool no_signed_zeros_fp_math?:bool
    no_unwind? optimize_none? passthrough?:list personality?:flat prefer_vector_width?:string
    reciprocal_estimates?:string reqd_work_group_size?:i32s res_attrs?:notes section?:string sym_name:symbol
    sym_visibility?:string target_cpu?:string target_features?:any tune_cpu?:string unnamed_addr?:unnamed
    uwtable_kind?:any vec_type_hint?:any visibility_:visibility=0 vscale_range?:any will_return?
    work_group_size_hint?:i32s | syntax(function.function) | xdsl.FuncOp function | | a function
getelementptr ptr:ptrs ssa_indices:ints* -> result:ptrs | elem_type:type noWrapFlags:gep=0 rawConstantIndices:i32s |
    syntax(pointers.getelementptr) | xdsl.GEPOp getelementptr | | an address inside of what a pointer points to
icmp lhs:comparable rhs:comparable -> res:bits | predicate:icmp |
    custom<Predicate>($predicate) $lhs `,` $rhs attr-dict `:` custom<Compared>(type($lhs), type($rhs), type($res)) |
    pure bits_of_operands same_operands | | a comparison of integers or pointers
inline_asm operands_:type* -> res:type? | asm_dialect?:dialect asm_string:string constraints:string has_side_effects?
    is_align_stack? operand_attrs?:list tail_call_kind:tail=none | syntax(assembly.inline_asm) | assembles
    xdsl.InlineAsmOp
    inline_asm | | instructions as text
insertelement vector:vec value:primitive index:int -> res:vec | | xdsl | insertelement | | a vector with an element
    replaced
insertvalue container:aggregate=same value:primitive -> res:aggregate=same | position:array |
    $value `,` $container `` $position attr-dict `:` custom<Member>(type($container), type($value)) |
    xdsl.InsertValueOp insertvalue_types insertvalue | | an aggregate with a member replaced
intr.assume cond:i1 op_bundle_operands:any* | op_bundle_sizes:i32s op_bundle_tags?:list |
    syntax(calls.assume) | assume | | the test is true, and so is what the bundles say
intr.dbg.declare value:ptr | VARIABLE | | | a variable lives at this address
intr.dbg.label | label:di_label | $label attr-dict | | | a label for a debugger
intr.dbg.value value:type | VARIABLE | | | a variable has this value from here on
intr.experimental.noalias.scope.decl | scope | $scope attr-dict | | | where a scope of aliasing begins
inttoptr arg:ints -> res:ptrs | dereferenceable?:dereferenceable | $arg custom<Dereferenceable>($dereferenceable)
    TYPES | pure | |
    the pointer to an address
linker_options | options | $options attr-dict | module_level | | options of the linker
load addr:ptr -> res:sized | volatile_? ATOMIC invariant? invariantGroup? dereferenceable?:dereferenceable DICTIONARY |
    (`volatile` $volatile_^)? $addr custom<Atomic>($syncscope, $ordering) (`invariant` $invariant^)?
    (`invariant_group` $invariantGroup^)? custom<Dereferenceable>($dereferenceable) attr-dict `:` type($addr) `->`
    type($res) |
    loads load | | a value of memory
mlir.addressof -> result:ptr | global_name:flat | $global_name attr-dict `:` type($result) | constant pure | |
    the address of a global or a function
mlir.alias initializer:region.one | sym_name:symbol alias_type:type linkage dso_local? thread_local_?
    unnamed_addr?:unnamed visibility_?:visibility |
    syntax(globals.alias) | symbol isolated | | another name of what the region computes
mlir.constant -> result:type | value:any | `` `(` $value `)` attr-dict `:` type($result) |
    constant pure constants.literal | | a constant; the type of the attribute may differ from that of the result
mlir.global body:region=initializer | addr_space?:space alignment?:i64 comdat?:ref constant? dbg_exprs?:expressions
    externally_initialized? global_type:type section?:string target_specific_attrs?:list thread_local_? value?:any
    dso_local? linkage sym_name:symbol visibility_?:visibility unnamed_addr?:unnamed | syntax(globals.global) |
    xdsl.GlobalOp single_block symbol isolated global initializer! | | a variable of the module
mlir.global_ctors | ctors:symbols priorities data:list |
    `ctors` `=` $ctors `,` `priorities` `=` $priorities `,` `data` `=` $data attr-dict | constructors | | what is run
    at the start
mlir.global_dtors | dtors:symbols priorities data:list |
    `dtors` `=` $dtors `,` `priorities` `=` $priorities `,` `data` `=` $data attr-dict | destructors | | what is run
    at the end
mlir.none -> res:token | | attr-dict `:` type($res) | pure | | the token that stands for nothing
mlir.poison -> res:type | | attr-dict `:` type($res) | constant pure | | a value that nothing may depend on
mlir.undef, mlir.zero -> res:type | | xdsl | constant pure | | a value that is not defined, or zero
module_flags | flags:list | $flags attr-dict | module_flags | | what a module says about itself
or lhs:ints rhs:ints -> res:ints | isDisjoint? | xdsl | same | | the bits of either
ptrtoint arg:ptrs -> res:ints | | $arg TYPES | pure | | the address as a number
return arg:type? | | xdsl | terminator return | | the end of a function
select cond:bits lhs:type rhs:type -> res:type | fastmathFlags?:fast | xdsl | alternatives | | one of two values by a
    bit, or by a bit for each element
sext arg:ints -> res:ints | | xdsl | extension | | an integer widened by its sign
shufflevector v1:vec v2:vec -> res:vec | mask:i32s | xdsl | shuffled shufflevector | | elements of two vectors in any
    order
sitofp arg:ints -> result:floats | | xdsl | | | a signed integer as a float
store value:sized addr:ptr | volatile_? ATOMIC invariantGroup? DICTIONARY |
    (`volatile` $volatile_^)? $value `,` $addr custom<Atomic>($syncscope, $ordering)
    (`invariant_group` $invariantGroup^)? attr-dict `:` type($value) `,` type($addr) |
    store | | a value put into memory
switch value:int=integer default_operands:any* case_operands:any* default_destination:block case_destinations:block* |
    case_values?:elements case_operand_segments:i32s branch_weights?:i32s |
    syntax(control.switch) | terminator switch_branch switch | | the block of a number, or another
trunc arg:ints -> res:ints | overflowFlags?:overflow | $arg custom<Overflow>($overflowFlags) TYPES | pure | | the low
    bits of an integer
uitofp arg:ints -> res:floats | nonNeg? | (`nneg` $nonNeg^)? $arg TYPES | pure | | an unsigned integer as a float
unreachable | | xdsl | terminator | | what is never reached
va_arg arg:ptr -> res:type | | $arg attr-dict `:` functional-type($arg, $res) | | | the next variadic argument
zext arg:ints -> res:ints | nonNeg? | xdsl | extension | | an integer widened by zeros
"""
_PARTS = {
    "ATOMIC": "syncscope?:string ordering?:ordering=0",
    "DICTIONARY": "alignment?:i64 nontemporal? NOTES",
    "NOTES": "access_groups?:groups alias_scopes?:scopes noalias_scopes?:scopes tbaa?:tags",
    "SCOPE": "(`syncscope` `` `(` $syncscope^ `)`)?",
    "TYPES": "attr-dict `:` type($arg) `to` type($res)",
    "VARIABLE": "varInfo:variable locationExpr?:expression | "
    "$varInfo ($locationExpr^)? `=` $value `:` type($value) attr-dict",
}
"""What the words in capitals stand for."""

_COMPARABLE = SignlessIntegerConstraint | base(LLVMPointerType)

TABLE = Table(
    "llvm",
    ROWS,
    {
        **dict.fromkeys(("ptr", "ptrs"), AnyAttr()),  # Of any address space.
        "comparable": VarConstraint("T", _COMPARABLE | VectorType.constr(_COMPARABLE)),
        "element": VarConstraint("T", AnyAttr()),
        "integer": base(IntegerType),
        "same": VarConstraint("T", AnyAttr()),
        "struct": LLVMStructType,
        "vector_of": VectorType.constr(VarConstraint("T", AnyAttr())),
    },
    {
        **dict.fromkeys(("bin_op", "fcmp", "icmp", "ordering", "selector"), IntegerAttr[I64]),
        **dict.fromkeys(("groups", "priorities", "scopes", "symbols", "tags"), ArrayAttr),
        **dict.fromkeys(("unnamed", "visibility"), IntegerAttr),
        "convention": CallingConventionAttr,
        "dialect": IntegerAttr[I64],
        "elements": DenseIntElementsAttr,
        "fast": FastMathAttr,
        "flat": SymbolRefAttr,
        "function_type": LLVMFunctionType,
        "linkage": LinkageAttr,
        "notes": ArrayAttr[DictionaryAttr],
        "options": ArrayAttr[StringAttr],
        **dict.fromkeys(("gep", "overflow"), IntegerAttr[I32]),
        "tail": TailCallKindAttr,
    },
    directives.ALL,
    parts=_PARTS,
    vocabulary="llvm",
)
