"""What upstream says of operations of `llvm` that name symbols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.llvm.symbol_checks import function_type_of
from weft.dialects.symbols import lookup
from weft.dialects.traits import inherent, inherent_number, segments


def _address(op: Operation) -> None:
    found = lookup(op, inherent(op, "global_name"))
    if found is None or found.name not in {"llvm.mlir.global", "llvm.mlir.alias", "llvm.func", "llvm.mlir.ifunc"}:
        raise VerifyException(
            "must reference a global defined by 'llvm.mlir.global', 'llvm.mlir.alias' or 'llvm.func' or "
            "'llvm.mlir.ifunc'"
        )
    space = getattr(cast("Any", op.results[0].type).addr_space, "data", 0)
    if found.name in {"llvm.mlir.global", "llvm.mlir.alias"} and inherent_number(found, "addr_space") != space:
        raise VerifyException("pointer address space must match address space of the referenced global or alias")


_NOT_INDIRECT = frozenset({"appending", "available_externally", "common", "extern_weak"})


def _indirect(op: Operation) -> None:
    """The function that chooses another one is there, by its own name or an alias, and returns a pointer."""
    linkage = cast("str", cast("Any", inherent(op, "linkage")).linkage.data)
    if linkage in _NOT_INDIRECT:
        raise VerifyException(
            f"'{linkage}' linkage not supported in ifuncs, available options: private, internal, linkonce, weak, "
            "linkonce_odr, weak_odr, or external linkage"
        )
    found = lookup(op, inherent(op, "resolver"))
    while found is not None and found.name == "llvm.mlir.alias":
        end = found.regions[0].block.last_op
        source = end.operands[0].owner if end is not None and end.operands else None
        if not isinstance(source, Operation) or source.name != "llvm.mlir.addressof":
            break
        found = lookup(source, inherent(source, "global_name"))
    if found is None or found.name != "llvm.func":
        raise VerifyException("must have a function resolver")
    if not found.regions[0].blocks or cast("Any", inherent(found, "linkage")).linkage.data == "available_externally":
        raise VerifyException("resolver must be a definition")
    if function_type_of(found).output.name != "llvm.ptr":
        raise VerifyException("resolver must return a pointer")
    kind = cast("Any", inherent(op, "resolver_type"))
    if kind.name != "llvm.ptr" or getattr(kind.addr_space, "data", 0) != inherent_number(op, "address_space"):
        raise VerifyException("resolver has incorrect type")


def _equivalent(op: Operation) -> None:
    found = lookup(op, inherent(op, "function_name"))
    if found is None or found.name not in {"llvm.func", "llvm.mlir.alias"}:
        raise VerifyException("must reference a global defined by 'llvm.func' or 'llvm.mlir.alias'")


def _call(op: Operation) -> None:
    callee = inherent(op, "callee")
    if not isinstance(callee, SymbolRefAttr):
        return
    name = callee.root_reference.data
    found = lookup(op, callee)
    if found is None:
        raise VerifyException(f"'{name}' does not reference a symbol in the current scope")
    if found.name not in {"llvm.func", "llvm.mlir.ifunc"}:
        raise VerifyException(f"'{name}' does not reference a valid LLVM function or IFunc")
    _signature(op, function_type_of(found) if found.name == "llvm.func" else inherent(found, "i_func_type"))


def _signature(op: Operation, kind: Any) -> None:
    """The operands and the result of a call are the function's."""
    inputs: tuple[Attribute, ...] = kind.inputs.data
    arguments = op.operand_types[: segments(op)[0]]
    if kind.is_variadic and inherent(op, "var_callee_type") is None:
        raise VerifyException("missing var_callee_type attribute for vararg call")
    if len(arguments) < len(inputs) or (len(arguments) > len(inputs) and not kind.is_variadic):
        raise VerifyException(f"incorrect number of operands ({len(arguments)}) for callee (expecting: {len(inputs)})")
    for index, (found, wanted) in enumerate(zip(arguments, inputs, strict=False)):
        if found != wanted:
            raise VerifyException(f"operand type mismatch for operand {index}: '{found}' != '{wanted}'")
    output = cast("Attribute", kind.output)
    if not op.results:
        if output.name != "llvm.void":
            raise VerifyException("expected function call to produce a value")
    elif output.name == "llvm.void":
        raise VerifyException("calling function with void result must not produce values")
    elif op.results[0].type != output:
        raise VerifyException(f"result type mismatch: '{op.results[0].type}' != '{output}'")


def _structors(what: str) -> Callable[[Operation], None]:
    def check(op: Operation) -> None:
        for reference in cast("Any", inherent(op, what)).data:
            name = reference.root_reference.data
            found = lookup(op, reference)
            if found is None or found.name != "llvm.func":
                raise VerifyException(f"'{name}' does not reference a valid LLVM function")
            if not found.regions[0].blocks:
                raise VerifyException(f"'{name}' does not have a definition")

    return check


USERS: dict[str, Callable[[Operation], None]] = {
    "llvm.call": _call,
    "llvm.dso_local_equivalent": _equivalent,
    "llvm.mlir.addressof": _address,
    "llvm.mlir.ifunc": _indirect,
    "llvm.mlir.global_ctors": _structors("ctors"),
    "llvm.mlir.global_dtors": _structors("dtors"),
}
