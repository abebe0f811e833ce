"""What upstream says of operations of `llvm` that name symbols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.llvm.symbol_checks import function_type_of
from weft.dialects.symbols import lookup
from weft.dialects.traits import inherent, segments


def _address_space(found: Operation) -> int:
    space = inherent(found, "addr_space")
    return cast("int", cast("Any", space).value.data) if space is not None else 0


def _address(op: Operation) -> None:
    found = lookup(op, inherent(op, "global_name"))
    if found is None or found.name not in {"llvm.mlir.global", "llvm.mlir.alias", "llvm.func", "llvm.mlir.ifunc"}:
        raise VerifyException(
            "must reference a global defined by 'llvm.mlir.global', 'llvm.mlir.alias' or 'llvm.func' or "
            "'llvm.mlir.ifunc'"
        )
    space = getattr(cast("Any", op.results[0].type).addr_space, "data", 0)
    if found.name == "llvm.mlir.global" and _address_space(found) != space:
        raise VerifyException("pointer address space must match address space of the referenced global or alias")


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
    if found.name == "llvm.func":
        _signature(op, function_type_of(found))


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
    "llvm.mlir.global_ctors": _structors("ctors"),
    "llvm.mlir.global_dtors": _structors("dtors"),
}
