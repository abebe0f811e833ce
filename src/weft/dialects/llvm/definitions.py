"""The definitions of `llvm`'s operations, a line for those that are alike (see `weft.dialects.definitions`)."""

from __future__ import annotations

from typing import Any, cast

from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects import traits
from weft.dialects.definitions import Vocabulary
from weft.dialects.kinds import Trait, same_operand_types, same_type, same_types
from weft.dialects.llvm import constants, intrinsic_lines, parts, rules, symbol_rules
from weft.dialects.llvm.kinds import ATTRIBUTES, TYPES

_ALIASING = "access_groups? alias_scopes? noalias_scopes? tbaa?"
_GLOBAL_FACTS = "dso_local? linkage sym_name visibility_? unnamed_addr?"
_FUNCTION_FACTS = (
    "CConv? alignment? always_inline? arg_attrs? arm_in_za? arm_inout_za? arm_locally_streaming? arm_new_za? "
    "arm_out_za? arm_preserves_za? arm_streaming? arm_streaming_compatible? comdat? convergent? denormal_fp_math? "
    "denormal_fp_math_f32? dso_local? fp_contract? frame_pointer? function_entry_count? function_type "
    "garbageCollector? inline_hint? instrument_function_entry? instrument_function_exit? "
    "intel_reqd_sub_group_size? linkage? memory_effects? no_infs_fp_math? no_inline? no_nans_fp_math? "
    "no_signed_zeros_fp_math? no_unwind? optimize_none? passthrough? personality? prefer_vector_width? "
    "reciprocal_estimates? reqd_work_group_size? res_attrs? section? sym_name sym_visibility? target_cpu? "
    "target_features? tune_cpu? unnamed_addr? uwtable_kind? vec_type_hint? visibility_? vscale_range? "
    "will_return? work_group_size_hint?"
)
_CALL_FACTS = (
    "CConv? TailCallKind? always_inline? arg_attrs? callee? convergent? fastmathFlags? inline_hint? memory_effects? "
    f"no_inline? no_unwind? op_bundle_sizes op_bundle_tags? res_attrs? var_callee_type? will_return? {_ALIASING}"
)

_INVOKE_FACTS = "CConv? arg_attrs? callee? op_bundle_sizes op_bundle_tags? res_attrs? var_callee_type?"

_LINES: dict[str, str] = {
    # Arithmetic
    "ints ints -> ints | | | | same": "and srem urem xor",
    "ints ints -> ints | isDisjoint? | | | same": "or",
    "ints ints -> ints | isExact? | | | same": "ashr lshr sdiv udiv",
    "ints ints -> ints | overflowFlags? | | | same": "add mul shl sub",
    "floats floats -> floats | fastmathFlags? | | | same": "fadd fdiv fmul frem fsub",
    "floats -> floats | fastmathFlags? | | | same": "fneg",
    "comparable comparable -> bits | predicate:icmp | | | bits_of_operands same_operands": "icmp",
    "floats floats -> bits | fastmathFlags? predicate:fcmp | | | bits_of_operands same_operands": "fcmp",
    "bits type type -> type | fastmathFlags? | | | alternatives": "select",
    "type -> type | | | | same": "freeze",
    # Conversions
    "ptrs -> ptrs": "addrspacecast",
    "ptrs -> ints": "ptrtoint",
    "ints -> ptrs | dereferenceable?": "inttoptr",
    "nonaggregate -> nonaggregate | | | | bitcast": "bitcast",
    "floats -> floats": "fpext fptrunc",
    "floats -> ints": "fptosi fptoui",
    "ints -> floats": "sitofp",
    "ints -> floats | nonNeg?": "uitofp",
    "ints -> ints | | | | extension": "sext",
    "ints -> ints | nonNeg? | | | extension": "zext",
    "ints -> ints | overflowFlags?": "trunc",
    # Memory
    "int -> ptr | alignment? elem_type inalloca?": "alloca",
    f"ptr -> sized | alignment? dereferenceable? invariant? invariantGroup? nontemporal? ordering? syncscope? "
    f"volatile_? {_ALIASING} | | | load": "load",
    f"sized ptr -> | alignment? invariantGroup? nontemporal? ordering? syncscope? volatile_? {_ALIASING} | | | store": (
        "store"
    ),
    f"ptr atomic -> atomic | alignment? bin_op ordering syncscope? volatile_? {_ALIASING} | | | atomicrmw_types "
    "atomicrmw": "atomicrmw",
    f"ptr exchangeable exchangeable -> struct | alignment? failure_ordering success_ordering syncscope? volatile_? "
    f"weak? {_ALIASING} | | | cmpxchg_types cmpxchg": "cmpxchg",
    "-> | ordering syncscope? | | | fence": "fence",
    "ptrs ints* -> ptrs | elem_type noWrapFlags? rawConstantIndices | | | getelementptr": "getelementptr",
    # Aggregates and vectors
    "aggregate -> type | position | | | extractvalue": "extractvalue",
    "aggregate primitive -> aggregate | position | | | insertvalue_types insertvalue": "insertvalue",
    "vec int -> type | | | | extractelement": "extractelement",
    "vec primitive int -> vec | | | | insertelement": "insertelement",
    "vec vec -> vec | mask | | | shuffled shufflevector": "shufflevector",
    # Constants
    "-> type | value | | | constant": "mlir.constant",
    "-> type": "intr.stacksave intr.vscale mlir.poison mlir.undef mlir.zero",
    "-> token": "mlir.none",
    "-> ptr | global_name": "mlir.addressof",
    "-> ptr | function_name": "dso_local_equivalent",
    "-> ptr | block_addr": "blockaddress",
    # Control
    "type* -> | loop_annotation? | | 1 | branch terminator": "br",
    "i1 type* type* -> | branch_weights? loop_annotation? | | 1 1 | segments conditional_branch terminator": "cond_br",
    "int any* any* -> | branch_weights? case_operand_segments case_values? | | 1 * | segments switch_branch terminator "
    "switch": "switch",
    "type? -> | | | | terminator return": "return",
    "-> | | | | terminator": "unreachable",
    "ptr any* -> | indbr_operand_segments | | * | targets terminator": "indirectbr",
    f"type* type* -> type? | {_CALL_FACTS} | | | segments call": "call",
    "type* type* -> type? | arg_attrs? fastmathFlags? intrin op_bundle_sizes op_bundle_tags? res_attrs? | | | segments "
    "call_intrinsic": "call_intrinsic",
    "i1 any* -> | op_bundle_sizes op_bundle_tags? | | | assume": "intr.assume",
    "type* -> type? | asm_dialect? asm_string constraints has_side_effects? is_align_stack? operand_attrs? "
    "tail_call_kind? | | | inline_asm": "inline_asm",
    "ptr -> type": "intr.threadlocal.address va_arg",
    "type* -> type | cleanup? | | | landing": "landingpad",
    f"type* any* any* any* -> type? | branch_weights? {_INVOKE_FACTS} | | 1 1 | segments unwinding": "invoke",
    # Symbols and facts about the module
    f"-> | addr_space? alignment? comdat? constant? dbg_exprs? externally_initialized? global_type section? "
    f"target_specific_attrs? thread_local_? value? {_GLOBAL_FACTS} | initializer:any | | single_block symbol global "
    "initializer!": "mlir.global",
    f"-> | alias_type thread_local_? {_GLOBAL_FACTS} | initializer:one | | symbol": "mlir.alias",
    "-> | address_space? alignment? comdat? dso_local? i_func_type linkage resolver resolver_type sym_name "
    "unnamed_addr? visibility_?": "mlir.ifunc",
    f"-> | {_FUNCTION_FACTS} | body:any | | function": "func",
    "-> | sym_name | body:one | | no_arguments symbol selectors!": "comdat",
    "-> | comdat:value sym_name | | | symbol": "comdat_selector",
    "-> | ctors data priorities | | | constructors": "mlir.global_ctors",
    "-> | dtors data priorities | | | destructors": "mlir.global_dtors",
    "-> | options | | | module_level": "linker_options",
    "-> | flags | | | module_flags": "module_flags",
    # Intrinsics
    "-> intvec": "intr.stepvector",
    "->": "intr.debugtrap intr.trap",
    "any -> type | | | | same": "intr.ssa.copy",
    "floats -> type": "intr.llrint intr.lrint intr.lround",
    "floats -> type | bit": "intr.is.fpclass",
    "floats -> type | fastmathFlags?": "intr.frexp",
    "floats -> type | fastmathFlags? | | | both_results": "intr.sincos",
    "floats -> type | fastmathFlags? | | | same": (
        "intr.acos intr.asin intr.atan intr.ceil intr.cos intr.cosh intr.exp intr.exp10 intr.exp2 intr.fabs intr.floor "
        "intr.log intr.log10 intr.log2 intr.nearbyint intr.rint intr.round intr.roundeven intr.sin intr.sinh intr.sqrt "
        "intr.tan intr.tanh intr.trunc"
    ),
    "floats floats -> type | fastmathFlags? | | | same": (
        "intr.atan2 intr.copysign intr.maximum intr.maxnum intr.minimum intr.minnum intr.pow"
    ),
    "floats floats floats -> type | fastmathFlags? | | | same": "intr.fma intr.fmuladd",
    "floats int -> type | fastmathFlags?": "intr.ldexp intr.powi",
    "llvmfloat -> type": "intr.llround",
    "int int -> type": "intr.get.active.lane.mask",
    "int int -> type | | | | same": "intr.expect",
    "ints -> type | | | | same": "intr.bitreverse intr.bswap intr.ctpop",
    "ints -> type | is_int_min_poison": "intr.abs",
    "ints -> type | is_zero_poison | | | same": "intr.ctlz intr.cttz",
    "ints ints -> ints | | | | same_operands": "intr.scmp intr.ucmp",
    "ints ints -> type | | | | same": (
        "intr.sadd.sat intr.smax intr.smin intr.sshl.sat intr.ssub.sat intr.uadd.sat intr.umax intr.umin intr.ushl.sat "
        "intr.usub.sat"
    ),
    "ints ints -> type | | | | same_elements": (
        "intr.sadd.with.overflow intr.smul.with.overflow intr.ssub.with.overflow intr.uadd.with.overflow "
        "intr.umul.with.overflow intr.usub.with.overflow"
    ),
    "ints ints ints -> type | | | | same": "intr.fshl intr.fshr",
    "type -> i1": "intr.is.constant",
    "ptr ->": "intr.lifetime.end intr.lifetime.start intr.stackrestore intr.vaend intr.vastart",
    "ptr ptr ->": "intr.vacopy",
    "ptr -> ptr | | | | same": "intr.launder.invariant.group intr.strip.invariant.group",
    "ptr -> | cache hint rw": "intr.prefetch",
    "ptrs anyints -> ptrs | | | | masked_pointer": "intr.ptrmask",
    f"ptr ptr int -> | arg_attrs? isVolatile res_attrs? {_ALIASING}": "intr.memcpy intr.memmove",
    f"ptr ptr -> | arg_attrs? isVolatile len res_attrs? {_ALIASING}": "intr.memcpy.inline",
    f"ptr i8 int -> | arg_attrs? isVolatile res_attrs? {_ALIASING}": "intr.memset",
    f"ptr i8 -> | arg_attrs? isVolatile len res_attrs? {_ALIASING}": "intr.memset.inline",
    "vec ptr bitvec -> | alignment:i32": "intr.masked.store",
    "vec ptr bitvec -> | arg_attrs? res_attrs?": "intr.masked.compressstore",
    "ptr bitvec vec? -> vec | alignment:i32 nontemporal?": "intr.masked.load",
    "ptr bitvec vec -> type | arg_attrs? res_attrs?": "intr.masked.expandload",
    "ptrvec bitvec vec* -> vec | alignment:i32 | | | gathered": "intr.masked.gather",
    "vec ptrvec bitvec -> | alignment:i32 | | | scattered": "intr.masked.scatter",
    "vec -> type": "intr.vector.deinterleave2",
    "vec vec -> type | | | | interleaved_types interleaved": "intr.vector.interleave2",
    "intvec -> type | | | | reduction": (
        "intr.vector.reduce.add intr.vector.reduce.and intr.vector.reduce.mul intr.vector.reduce.or "
        "intr.vector.reduce.smax intr.vector.reduce.smin intr.vector.reduce.umax intr.vector.reduce.umin "
        "intr.vector.reduce.xor"
    ),
    "floatvec -> type | fastmathFlags? | | | reduction": (
        "intr.vector.reduce.fmax intr.vector.reduce.fmaximum intr.vector.reduce.fmin intr.vector.reduce.fminimum"
    ),
    "float floatvec -> type | fastmathFlags? | | | reduction": "intr.vector.reduce.fadd intr.vector.reduce.fmul",
}


def _targets(op: Operation) -> None:
    """As many operands for the blocks as the sizes of their groups say."""
    count, total = len(op.operands) - 1, sum(cast("Any", op.properties["indbr_operand_segments"]).get_values())
    if count != total:
        said = f"succOperands count ({count}) does not match with the total size ({total}) specified in attribute"
        raise VerifyException(f"{said} 'indbr_operand_segments'")


_TRAITS: dict[str, Trait] = {
    **cast(
        "dict[str, Trait]",
        {
            name: rule
            for part in (parts, rules, constants, symbol_rules)
            for name, rule in vars(part).items()
            if not name.startswith("_")
        },
    ),
    "global": symbol_rules.global_,
    "return": symbol_rules.return_,
    "annotated_integer": same_types("res, integer", 4, 0),
    "annotated_pointer": same_types("res, ptr", 5, 0),
    "annotation": same_types("annotation, fileName", 1, 2),
    "annotations": same_types("annotation, fileName, attr", 1, 2, 4),
    "alternatives": same_types("trueValue, falseValue, res", 1, 2, 3),
    "branch": traits.branch,
    "conditional_branch": traits.branch,
    "expected_types": same_types("val, expected, res", 0, 1, 2),
    "inserted_types": same_types("dstvec, res", 0, 2),
    "interleaved_types": same_types("vec1, vec2", 0, 1),
    "insertvalue_types": same_types("container, res", 0, 2),
    "masked_pointer": same_types("ptr, res", 0, 2),
    "landing": parts.landing,
    "no_arguments": traits.no_arguments,
    "selectors": parts.selectors,
    "unwinding": parts.unwinding,
    "reduction": traits.same_element_types,
    "single_block": traits.single_block,
    "same": same_type,
    "same_elements": traits.same_operand_elements,
    "same_operands": same_operand_types,
    "shuffled": same_types("v1, v2", 0, 1),
    "switch_branch": traits.branch,
    "symbol": traits.symbol,
    "targets": _targets,
    "terminator": traits.terminator,
}

LINES = {
    f"llvm.{name}": line
    for lines in (intrinsic_lines.LINES, _LINES)
    for line, names in lines.items()
    for name in names.split()
}
WORDS = Vocabulary(TYPES, ATTRIBUTES, _TRAITS)
