"""Verify modules as mlir-opt does: which operations are looked at, in which order, and what is said of them."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.traits import HasParent, IsolatedFromAbove
from xdsl.utils.exceptions import VerifyException

from weft.dialects.engine.definitions import definition
from weft.dialects.symbols import tables
from weft.dialects.verification import PlainVerifyException
from weft.errors import MlirError
from weft.mlir import wording
from weft.mlir.checks import check
from weft.mlir.dictionaries import error_in_dictionary, error_in_types
from weft.mlir.positions import mlir_error, position
from weft.mlir.scopes import dominance_error, errors, symbol_error
from weft.mlir.walking import operations_in

_ODD = AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError
"""What checks raise of operations without the form that they take for granted, which others look at."""


def verify_module(module: ModuleOp) -> None:
    """Check every operation of a module.

    Raises:
        MlirError: an operation is invalid; placed at the first one that is.
    """
    try:
        check(module, check_attributes)
    except (VerifyException, *_ODD) as error:
        found = verification_errors(module)
        if not found and not isinstance(error, VerifyException):
            raise  # Nothing is wrong with the module: a check is.
    else:
        found = [error for op in tables(module) if (error := symbol_error(op)) is not None]
        found = found or _branch_errors(module)
    if found:
        raise found[0]


def _branch_errors(module: ModuleOp) -> list[MlirError]:
    """Uses in closed operations that branch, and that the values' definitions do not dominate."""
    inside = operations_in(module.regions)
    if not any(op._successors for op in inside):  # pyright: ignore[reportPrivateUsage]
        return []
    found: list[MlirError] = []
    for op in (module, *inside):
        if op.regions and op.has_trait(IsolatedFromAbove):
            branches = any(one._successors for one in operations_in(op.regions))  # pyright: ignore[reportPrivateUsage]
            if branches and (error := dominance_error(op)) is not None:
                found.append(error)
    return found


def check_attributes(op: Operation) -> None:
    """Check what attributes of dialects demand of the operation that has them.

    Raises:
        VerifyException: the operation is refused.
    """
    if (
        op.name.startswith("nvvm.")
        or "arg_attrs" in op.properties
        or (op.attributes and any(name.startswith("nvvm.") for name in op.attributes))
    ):
        from weft.dialects.nvvm.attribute_checks import verify

        verify(op)
    if op.attributes and any(name.startswith("gpu.") for name in op.attributes):
        from weft.dialects.gpu.attribute_checks import verify as verify_gpu

        verify_gpu(op)
    if op.attributes and any(name.startswith("dlti.") or name == "llvm.data_layout" for name in op.attributes):
        from weft.dialects.foreign.data_layout import verify_layout

        verify_layout(op)


def check_order(module: ModuleOp) -> None:
    """Refuse a value used where the operation that defines it has not always been run, which xDSL does not look for.

    Raises:
        MlirError: there is one.
    """
    for op in module.walk():
        error = dominance_error(op) if op.has_trait(IsolatedFromAbove) else None
        if error is not None:
            raise error


def verification_errors(module: ModuleOp) -> list[MlirError]:
    """The errors of a module: of each function, or other operation closed to values from above, the first.

    That is what mlir-opt reports, which verifies such operations side by side.
    """
    return errors(module, _own_error, _ending_error)


_ENDING = "expects regions to end with"
_REDEFINITION = 'Redefinition of symbol "'


def _own_error(op: Operation) -> MlirError | None:
    """The error of an operation that does not verify by itself."""
    error = _error(op)
    return None if error is not None and _ENDING in error.message else error


def _ending_error(op: Operation) -> MlirError | None:
    """What MLIR says of an operation behind what is in it."""
    if not op.regions:
        return None
    whole = definition(op.name)
    if whole is None or whole.more:
        error = _error(op)
        if error is not None and _ENDING in error.message:
            return error
    if whole is None:
        return None
    try:
        whole.verify_regions(op)
    except VerifyException as error:
        return _placed(op, error, str(error))
    return None


def _error(op: Operation) -> MlirError | None:
    whole = definition(op.name)
    try:
        if whole is None:
            op.verify_()
            check_attributes(op)
        else:
            check_attributes(op)
            whole.verify(op)
            if whole.more:
                return _class_error(op)
    except VerifyException as error:
        if str(error).startswith(_REDEFINITION):
            return None  # Said of the symbol, behind everything else.
        if whole is not None:
            message = str(error)
            return error_in_dictionary(op, message) or error_in_types(op, message) or _placed(op, error, message)
        return _worded(op, error)
    except _ODD as error:
        return _worded(op, error)
    return None


def _class_error(op: Operation) -> MlirError | None:
    """The error that the class of an operation finds, which fits its definition."""
    try:
        op.verify_()
    except (VerifyException, *_ODD) as error:
        return _worded(op, error)
    return None


def _placed(op: Operation, error: Exception, message: str) -> MlirError:
    message = wording.memory_spaces(message)
    return (
        MlirError(message, position(error.at or op))
        if isinstance(error, PlainVerifyException)
        else mlir_error(op, message)
    )


def _worded(op: Operation, error: Exception) -> MlirError:
    """The error as MLIR would say it.

    An error that is not a verifier's is raised where no parent or attribute is wrong either.
    """
    try:
        for parent in op.get_traits_of_type(HasParent):
            parent.verify(op)
        check_attributes(op)
    except VerifyException as ruled:
        error = ruled
    except _ODD:
        pass  # A check counts on what xDSL has refused here.
    if not isinstance(error, VerifyException):
        raise error
    return _placed(op, error, wording.message_of(error))
