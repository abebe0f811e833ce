"""Verify modules as mlir-opt does: which operations are looked at, in which order, and what is said of them."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.traits import HasParent, IsolatedFromAbove
from xdsl.utils.exceptions import VerifyException

from weft.dialects.signature import SIGNED, signature
from weft.dialects.verification import PlainVerifyException
from weft.errors import MlirError
from weft.mlir import wording
from weft.mlir.positions import mlir_error, position


def verify_module(module: ModuleOp) -> None:
    """Check every operation of a module.

    Raises:
        MlirError: an operation is invalid; placed at the first one that is.
    """
    try:
        module.verify()
        for op in module.walk():
            apply_rule(op)
    except wording.BUGS:
        raise
    except Exception as error:
        raise _culprit(module, error) from error


def apply_rule(op: Operation) -> None:
    """Check what MLIR demands of an operation beyond its definition, where xDSL does not.

    Raises:
        VerifyException: the operation is refused.
    """
    dialect = op.name.partition(".")[0]
    if (
        dialect == "nvvm"
        or "arg_attrs" in op.properties
        or (op.attributes and any(name.startswith("nvvm.") for name in op.attributes))
    ):
        from weft.dialects.nvvm.rules import verify

        verify(op)
    if dialect in SIGNED:
        declared = signature(op.name)
        if declared is not None:
            declared.verify(op)
        return
    if dialect == "memref":
        from weft.dialects.memref.rules import RULES
    elif dialect == "vector":
        from weft.dialects.vector.rules import RULES
    else:
        return
    rule = RULES.get(op.name)
    if rule is not None:
        rule(op)


def check_order(module: ModuleOp) -> None:
    """Refuse a value used before the operation of the same block that defines it, which xDSL does not look for."""
    seen: set[Operation] = set()
    for op in module.walk():
        for index, operand in enumerate(op.operands):
            owner = operand.owner
            if isinstance(owner, Operation) and owner not in seen and _shares_block(op, owner):
                raise MlirError(f"operand #{index} does not dominate this use", position(op))
        seen.add(op)


def _shares_block(op: Operation, other: Operation) -> bool:
    """Whether `op`, or an operation around it, stands in the block of `other`."""
    place: Operation | None = op
    while place is not None:
        if place.parent is other.parent:
            return True
        place = place.parent_op()
    return False


def verification_errors(module: ModuleOp) -> list[MlirError]:
    """The errors of a module: of each function, or other operation closed to values from above, the first.

    That is what mlir-opt reports, which verifies such operations side by side.
    """
    closed: list[Operation] = [module]
    errors: list[MlirError] = []
    for scope in closed:
        error = _first_error(scope, closed)
        if error is not None:
            errors.append(error)
    if not errors:
        try:
            verify_module(module)
            check_order(module)
        except MlirError as error:
            errors.append(error)
    return errors


def _first_error(scope: Operation, closed: list[Operation]) -> MlirError | None:
    """The first error in a scope, outside the scopes closed to it, which are added to `closed`."""
    inner: list[Operation] = []
    pending = [scope]
    while pending:
        op = pending.pop()
        error = _own_error(op)
        if error is not None and _ENDING not in error.message:
            return error
        if error is not None:  # MLIR looks at the ends of regions behind what is in them.
            within = (own for child in op.walk() if child is not op and (own := _own_error(child)) is not None)
            return next(within, error)
        nested = [child for region in op.regions for block in region.blocks for child in block.ops]
        inner += [child for child in nested if child.regions and child.has_trait(IsolatedFromAbove)]
        pending += [child for child in reversed(nested) if not (child.regions and child.has_trait(IsolatedFromAbove))]
    closed += inner
    return None


_ENDING = "expects regions to end with"


def _own_error(op: Operation) -> MlirError | None:
    """The error of an operation that does not verify by itself."""
    try:
        op.verify(verify_nested_ops=False)
        apply_rule(op)
    except Exception as error:
        return _worded(op, error)
    return None


def _worded(op: Operation, error: Exception) -> MlirError:
    """The error as MLIR would say it; what the definition demands comes before what a verifier checks."""
    from weft.mlir.dictionaries import error_in_dictionary
    from weft.mlir.invariants import violation

    found = violation(op)
    if found is not None:
        return error_in_dictionary(op, found) or mlir_error(op, found)
    try:
        for parent in op.get_traits_of_type(HasParent):
            parent.verify(op)
        apply_rule(op)
    except VerifyException as ruled:
        error = ruled
    except Exception:
        pass  # A rule counts on what xDSL has refused here.
    message = wording.message_of(error)
    return MlirError(message, position(op)) if isinstance(error, PlainVerifyException) else mlir_error(op, message)


def _culprit(module: ModuleOp, error: Exception) -> MlirError:
    """The error of the first operation that does not verify by itself."""
    found = (own for op in module.walk() if (own := _own_error(op)) is not None)
    return next(found, None) or mlir_error(module, wording.message_of(error))
