"""What upstream's verifiers of `llvm` say of functions, calls, globals and what a module has else."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.llvm.kinds import is_outwardly_compatible, is_pointer
from weft.dialects.strings import text_bytes
from weft.dialects.traits import check_function, inherent, inherent_number, segments, symbol
from weft.dialects.verification import PlainVerifyException


def function_type_of(op: Operation) -> Any:
    """The type of an `llvm.func`."""
    return inherent(op, "function_type")


def return_(op: Operation) -> None:
    """What the function around it returns."""
    parent = op.parent_op()
    if parent is None or parent.name != "llvm.func":
        return
    result = cast("Attribute", function_type_of(parent).output)
    if result.name == "llvm.void":
        if op.operands:
            raise VerifyException("expected no operands")
    elif not op.operands:
        raise VerifyException("expected 1 operand")
    elif op.operands[0].type != result:
        raise VerifyException("mismatching result types")


def bundles(op: Operation) -> None:
    """As many operands in bundles as their sizes say, and a tag for each bundle."""
    _bundles(op, segments(op)[1])


def assume(op: Operation) -> None:
    """All operands but the test are in bundles."""
    _bundles(op, len(op.operands) - 1)


def _bundles(op: Operation, given: int) -> None:
    sizes = cast("DenseArrayBase[Any]", inherent(op, "op_bundle_sizes")).get_values()
    if sum(sizes) != given:
        raise VerifyException(
            f"op_bundle_operands count ({given}) does not match with the total size ({sum(sizes)}) specified in "
            "attribute 'op_bundle_sizes'"
        )
    tags = inherent(op, "op_bundle_tags")
    listed = cast("ArrayAttr[Attribute]", tags).data if isinstance(tags, ArrayAttr) else ()
    if any(not isinstance(tag, StringAttr) for tag in listed):
        raise PlainVerifyException("operand bundle tag must be a StringAttr")
    if len(listed) != len(sizes):
        raise PlainVerifyException(f"expected {len(sizes)} operand bundle tags, but actually got {len(listed)}")


def call(op: Operation) -> None:
    """A call of a symbol or of a pointer."""
    bundles(op)
    kind = cast("Any", inherent(op, "var_callee_type"))
    if kind is not None:
        if not kind.is_variadic:
            raise VerifyException("expected var_callee_type to be a variadic function type")
        direct = inherent(op, "callee") is not None
        arguments = op.operand_types[: segments(op)[0]][0 if direct else 1 :]
        if len(arguments) < len(kind.inputs.data):
            raise VerifyException(f"expected var_callee_type to have at most {len(arguments)} parameters")
        for found, wanted in zip(arguments, kind.inputs.data, strict=False):
            if found != wanted:
                raise VerifyException(f"var_callee_type parameter type mismatch: '{wanted}' != '{found}'")
        _variadic_result(op, kind.output)
    if inherent(op, "callee") is None:
        if not op.operands:
            raise VerifyException("must have either a `callee` attribute or at least an operand")
        if not is_pointer(op.operands[0].type):
            raise VerifyException(f"indirect call expects a pointer as callee: '{op.operands[0].type}'")


def _variadic_result(op: Operation, wanted: Attribute) -> None:
    if not op.results:
        if wanted.name != "llvm.void":
            raise VerifyException("expected var_callee_type to return void")
    elif op.results[0].type != wanted:
        raise VerifyException(f"var_callee_type return type mismatch: '{wanted}' != '{op.results[0].type}'")


def call_intrinsic(op: Operation) -> None:
    """The name is one of an intrinsic."""
    bundles(op)
    name = cast("StringAttr", inherent(op, "intrin")).data
    if not name.startswith("llvm."):
        raise VerifyException("intrinsic name must start with 'llvm.'")


def inline_asm(op: Operation) -> None:
    """Assembler text cannot be called with a guaranteed tail call."""
    kind = inherent(op, "tail_call_kind")
    if kind is not None and str(cast("Any", kind).data) == "musttail":
        raise VerifyException("tail call kind 'musttail' is not supported by this operation")


# Symbols


def function(op: Operation) -> None:
    """Linkage and attributes suit a function, and a declaration."""
    symbol(op)
    kind = function_type_of(op)
    check_function(op, kind.inputs.data, () if kind.output.name == "llvm.void" else (kind.output,))
    linkage = inherent(op, "linkage")
    word = cast("Any", linkage).linkage.data if linkage is not None else "external"
    if word == "common":
        raise VerifyException("functions cannot have 'common' linkage")
    check_comdat(op)
    if not op.regions[0].blocks:
        if word not in {"external", "extern_weak"}:
            raise VerifyException("external functions must have 'external' or 'extern_weak' linkage")
        return
    no_inline, optimize_none = inherent(op, "no_inline"), inherent(op, "optimize_none")
    if no_inline is not None and inherent(op, "always_inline") is not None:
        raise PlainVerifyException("no_inline and always_inline attributes are incompatible")
    if optimize_none is not None and no_inline is None:
        raise VerifyException("with optimize_none must also be no_inline")


def check_comdat(op: Operation) -> None:
    """The group that a function or global belongs to is there.

    Raises:
        VerifyException: there is no such group.
    """
    group = inherent(op, "comdat")
    if group is None:
        return
    from weft.dialects.symbols import lookup

    found = lookup(op, group)
    if found is None or found.name != "llvm.comdat_selector":
        raise PlainVerifyException("expected comdat symbol")


_NO_GLOBALS = frozenset({"llvm.void", "llvm.token", "llvm.label", "llvm.metadata"})


def _is_zero(value: Attribute) -> bool:
    if isinstance(value, IntegerAttr | FloatAttr):
        return not cast("Any", value).value.data
    if isinstance(value, DenseIntOrFPElementsAttr):
        return not any(cast("DenseIntOrFPElementsAttr[Any]", value).get_values())
    return value.name == "llvm.zero"


def global_(op: Operation) -> None:
    """The type, the linkage and the value go together."""
    kind = cast("Attribute", inherent(op, "global_type"))
    value = inherent(op, "value")
    if not is_outwardly_compatible(kind) or kind.name in _NO_GLOBALS:
        raise VerifyException("expects type to be a valid element type for an LLVM global")
    parent = op.parent_op()
    if parent is not None and parent.name not in {"builtin.module", "gpu.module"}:
        raise VerifyException("must appear at the module level")
    if (text := text_bytes(value)) is not None:
        length, array = len(text), cast("Any", kind)
        if kind.name != "llvm.array" or array.type != IntegerType(8) or array.size.data != length:
            raise VerifyException("requires an i8 array type of the length equal to that of the string attribute")
    linkage = cast("str", cast("Any", inherent(op, "linkage")).linkage.data)
    if linkage == "common" and value is not None and not _is_zero(value):
        raise VerifyException("expected zero value for 'common' linkage")
    if linkage == "appending" and kind.name != "llvm.array":
        raise VerifyException("expected array type for 'appending' linkage")
    check_comdat(op)
    alignment = inherent(op, "alignment")
    if alignment is not None and inherent_number(op, "alignment").bit_count() != 1:
        raise PlainVerifyException("alignment attribute is not a power of 2")


def initializer(op: Operation) -> None:
    """The region of a global makes a value of its type, and does nothing else; checked after what is in it."""
    body = op.regions[0]
    if not body.blocks:
        return
    if inherent(op, "value") is not None:
        raise VerifyException("cannot have both initializer value and region")
    end = body.block.last_op
    kind = cast("Attribute", inherent(op, "global_type"))
    if end is None or end.name != "llvm.return" or not end.operands:
        raise VerifyException("initializer region cannot return void")
    if end.operands[0].type != kind:
        raise VerifyException(f"initializer region type '{end.operands[0].type}' does not match global type '{kind}'")


def _structors(op: Operation, what: str) -> None:
    lists = [cast("ArrayAttr[Attribute]", inherent(op, name)).data for name in (what, "priorities", "data")]
    if len({len(found) for found in lists}) > 1:
        raise PlainVerifyException(f"{what}, priorities, and data must have the same number of elements")


def constructors(op: Operation) -> None:
    """A priority and data for each constructor."""
    _structors(op, "ctors")


def destructors(op: Operation) -> None:
    """A priority and data for each destructor."""
    _structors(op, "dtors")


def module_flags(op: Operation) -> None:
    """Flags, and nothing else."""
    flags = cast("ArrayAttr[Attribute]", inherent(op, "flags")).data
    if any(flag.name != "llvm.mlir.module_flag" for flag in flags):
        raise VerifyException("expected a module flag attribute")
