"""What `dlti` attributes and `llvm.data_layout` may say, for operations of any dialect that carry them.

Sources: MLIR's `DLTI.cpp`, `DataLayoutInterfaces.cpp` and LLVM's language reference, "Data Layout", as mlir-opt 22.1.8
answers them.
"""

from __future__ import annotations

import re
from typing import Any

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FixedBitwidthType,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    VectorType,
)
from xdsl.dialects.dlti import DataLayoutSpecAttr, MapAttr, TargetSystemSpecAttr
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.verification import PlainVerifyException

LAYOUT = "llvm.data_layout"
SPEC, MAP, SYSTEM = "dlti.dl_spec", "dlti.map", "dlti.target_system_spec"
_CLASSES = {SPEC: DataLayoutSpecAttr, MAP: MapAttr, SYSTEM: TargetSystemSpecAttr}
ENDIANNESS = "dlti.endianness"
_ENTRIES = {
    ENDIANNESS, "dlti.alloca_memory_space", "dlti.program_memory_space", "dlti.global_memory_space",
    "dlti.default_memory_space", "dlti.stack_alignment", "dlti.function_pointer_alignment", "dlti.mangling_mode",
    "dlti.legal_int_widths",
}  # fmt: skip
WITH_LAYOUT = ("builtin.module", "gpu.module")
"""Operations whose `dl_spec` is read, entry by entry."""


def verify_layout(op: Operation) -> None:
    """Check the attributes of an operation that are of `dlti`, and its `llvm.data_layout`.

    Raises:
        VerifyException: one says what it cannot.
    """
    for name, value in op.attributes.items():
        if name == LAYOUT:
            _verify_string(value)
        if not name.startswith("dlti."):
            continue
        wanted = _CLASSES.get(name)
        if wanted is None:
            raise PlainVerifyException(f"attribute '{name}' not supported by dialect")
        if not isinstance(value, wanted):
            raise PlainVerifyException(f"'{name}' is expected to be a #{name} attribute")
        if isinstance(value, DataLayoutSpecAttr) and op.name in WITH_LAYOUT:
            for entry in value.entries:
                _verify_entry(entry.key, entry.value)


def _verify_string(value: Attribute) -> None:
    if not isinstance(value, StringAttr):
        raise VerifyException(f"expected '{LAYOUT}' to be a string attributes")
    error = layout_error(value.data)
    if error:
        raise VerifyException(f"invalid data layout descriptor: {error}")


def _verify_entry(key: Any, value: Any) -> None:
    if isinstance(key, StringAttr):
        name = key.data
        if not name.startswith("dlti."):
            return
        if name not in _ENTRIES:
            raise PlainVerifyException(f"unknown data layout entry name: {name}")
        if name == ENDIANNESS and value not in (StringAttr("big"), StringAttr("little")):
            raise PlainVerifyException(f"'{ENDIANNESS}' data layout entry is expected to be either 'big' or 'little'")
    elif isinstance(key, IndexType):
        if not isinstance(value, IntegerAttr):
            raise PlainVerifyException("expected integer attribute in the data layout entry for 'index'")
    elif key.name == "llvm.ptr":
        _verify_pointer(value)
    elif key.name == "llvm.struct":
        numbers = _numbers(value, 64)
        if numbers is None or len(numbers) not in (1, 2) or key.types.data:
            raise PlainVerifyException(f"unexpected layout attribute for struct '{key}'")
    elif isinstance(key, IntegerType) or _is_float(key):
        _verify_scalar(key, value)
    elif not key.name.startswith("llvm."):
        raise PlainVerifyException("unexpected data layout for a built-in type")


def _is_float(key: Any) -> bool:
    return isinstance(key, FixedBitwidthType) and not isinstance(key, IntegerType)


def _numbers(value: Any, width: int) -> list[int] | None:
    """The numbers of a dense attribute of a vector of integers of a width."""
    type_: Any = getattr(value, "type", None)
    if value.name != DenseIntOrFPElementsAttr.name or type_.name != VectorType.name:
        return None
    if type_.element_type != IntegerType(width):
        return None
    return [int(number) for number in value.get_values()]


def _verify_scalar(key: Any, value: Any) -> None:
    entry = f"#dlti.dl_entry<{key}, {value}>"
    numbers = _numbers(value, 64)
    if numbers is None:
        raise PlainVerifyException(f"expected a dense i64 elements attribute in the data layout entry {entry}")
    if len(numbers) not in (1, 2):
        raise PlainVerifyException(f"expected 1 or 2 elements in the data layout entry {entry}")
    if numbers[-1] < numbers[0]:
        raise PlainVerifyException(
            "preferred alignment is expected to be greater than or equal to the abi alignment in data layout entry "
            + entry
        )


def _verify_pointer(value: Any) -> None:
    type_: Any = value.type if value.name == DenseIntOrFPElementsAttr.name else None
    if type_ is None or type_.get_shape()[0] not in (3, 4):
        raise PlainVerifyException(
            "expected layout attribute for '!llvm.ptr' to be a dense integer elements attribute with 3 or 4 elements"
        )
    numbers = _numbers(value, 64)
    if numbers is None:
        raise PlainVerifyException("expected i64 parameters for '!llvm.ptr'")
    if numbers[1] > numbers[2]:
        raise PlainVerifyException("preferred alignment is expected to be at least as large as ABI alignment")


# -- LLVM's data layout strings -------------------------------------------------------------------------------------

_SIZE = "size must be a non-zero 24-bit integer"
_SPACE = "address space must be a 24-bit integer"
_NO_SIZE = "size component cannot be empty"
_MOST_SIZE, _MOST_ALIGNMENT = 1 << 24, 1 << 16


def layout_error(text: str) -> str:
    """What is wrong with a data layout string; empty if nothing is."""
    for specifier in text.split("-") if text else ():
        error = _specifier_error(specifier)
        if error:
            return error
    return ""


def _specifier_error(text: str) -> str:
    if not text:
        return "empty specification is not allowed"
    if text.startswith("ni"):
        return _non_integral_error(text)
    kind, rest = text[0], text[1:]
    malformed = "malformed specification, must be "
    match kind:
        case "i" | "f" | "v" | "a":
            return _primitive_error(kind, rest)
        case "p":
            return _pointer_error(rest)
        case "s":  # Of old files, without a meaning.
            return ""
        case "e" | "E":
            return f"{malformed}just 'e' or 'E'" if rest else ""
        case "n":
            wrong = next((part for part in rest.split(":") if not _is_size(part)), None)
            return "" if wrong is None else _SIZE if wrong else _NO_SIZE
        case "S":
            return _alignment_error(rest, "stack natural") if rest else f'{malformed}of the form "S<size>"'
        case "F":
            if rest[:1] in ("i", "n"):
                return _alignment_error(rest[1:], "ABI")
            wrong = f"unknown function pointer alignment type '{rest[:1]}'"
            return wrong if rest else f'{malformed}of the form "F<type><abi>"'
        case "P" | "A" | "G":
            if not rest:
                return f'{malformed}of the form "{kind}<address space>"'
            return "" if _is_space(rest) else _SPACE
        case "m":
            if not re.fullmatch(r":.+", rest):
                return f'{malformed}of the form "m:<mangling>"'
            return "" if rest[1:] in ("e", "l", "o", "m", "w", "x", "a") else "unknown mangling mode"
        case _:
            return f"unknown specifier '{kind}'"


def _non_integral_error(text: str) -> str:
    spaces = text.split(":")
    if spaces[0] != "ni" or len(spaces) < 2:
        return 'malformed specification, must be of the form "ni:<address space>[:<address space>]..."'
    wrong = next((space for space in spaces[1:] if not _is_space(space)), None)
    if wrong is not None:
        return _SPACE if wrong else "address space component cannot be empty"
    return "address space 0 cannot be non-integral" if any(int(space) == 0 for space in spaces[1:]) else ""


def _is_size(text: str) -> bool:
    return text.isdecimal() and 0 < int(text) < _MOST_SIZE


def _is_space(text: str) -> bool:
    return text.isdecimal() and int(text) < _MOST_SIZE


def _alignment_error(text: str, name: str, *, zero: bool = False) -> str:
    """A number of bits that is a power of two of bytes, or 0 where that is allowed."""
    if not text:
        return f"{name} alignment component cannot be empty"
    if not text.isdecimal() or int(text) >= _MOST_ALIGNMENT:
        return f"{name} alignment must be a 16-bit integer"
    bits = int(text)
    if not bits:
        return "" if zero else f"{name} alignment must be non-zero"
    if bits % 8 or bits & bits - 1:
        return f"{name} alignment must be a power of two times the byte width"
    return ""


def _alignments_error(parts: list[str], *, zero: bool = False) -> str:
    """The ABI's alignment, and perhaps a preferred one, which is no smaller."""
    error = _alignment_error(parts[0], "ABI", zero=zero) if parts else ""
    if not error and len(parts) > 1:
        error = _alignment_error(parts[1], "preferred", zero=zero)
        if not error and int(parts[1]) < int(parts[0]):
            error = "preferred alignment cannot be less than the ABI alignment"
    return error


def _primitive_error(kind: str, rest: str) -> str:
    parts = rest.split(":")
    if len(parts) not in (2, 3):
        size = "" if kind == "a" else "<size>"
        return f'malformed specification, must be of the form "{kind}{size}:<abi>[:<pref>]"'
    if kind == "a":
        if parts[0] and (not parts[0].isdecimal() or int(parts[0])):
            return "size must be zero"
    elif not _is_size(parts[0]):
        return _SIZE if parts[0] else _NO_SIZE
    error = _alignments_error(parts[1:], zero=kind == "a")
    if not error and kind == "i" and int(parts[0]) == 8 and int(parts[1]) != 8:
        error = "i8 must be 8-bit aligned"
    return error


def _pointer_error(rest: str) -> str:
    parts = rest.split(":")
    if not 3 <= len(parts) <= 5:
        return 'malformed specification, must be of the form "p[<n>]:<size>:<abi>[:<pref>[:<idx>]]"'
    flags = re.match(r"[a-zA-Z]*", parts[0])
    assert flags is not None
    wrong = flags[0].strip("ue")
    if wrong:
        return f"'{wrong[0]}' is not a valid pointer specification flag"
    space = parts[0][flags.end() :]
    if space and not _is_space(space):
        return _SPACE
    if flags[0] and not int(space or 0):
        return "address space 0 cannot be unstable or have external state"
    if not _is_size(parts[1]):
        return f"pointer {_SIZE}" if parts[1] else "pointer size component cannot be empty"
    error = _alignments_error(parts[2:4])
    if not error and len(parts) > 4:
        if not _is_size(parts[4]):
            return f"index {_SIZE}"
        if int(parts[4]) > int(parts[1]):
            return "index size cannot be larger than the pointer size"
    return error
