"""Which matrix products of a warp exist, and the registers of their operands: read off the ISA table.

Upstream's verifiers hold a list of shapes and types of their own; here the conditions are the rows of `weft.isa`, and
only the wording of the messages is upstream's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from xdsl.dialects.builtin import VectorType, f16, f32, f64, i32
from xdsl.dialects.llvm import LLVMStructType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from weft.dialects.verification import PlainVerifyException
from weft.isa import legal_opcode

ACCUMULATORS = ("f16", "f32", "s32", "f64")
"""Element types of accumulators."""

_PAIR = VectorType(f16, [2])
_FAMILIES: dict[str, tuple[tuple[str, Mapping[str, str]], ...]] = {
    "mma": (("mma", {}), ("mma", {"bitop": "xor"})),
    "mma.sp": (("mma.sp", {}), ("mma.sp::ordered_metadata", {"kind": "kind::f8f6f4"})),
}
"""The families in which a product may be, and what its opcode has there besides shape, layouts and types."""
_NARROW = ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1")
_UPSTREAM_SPARSE_NARROW = 2
"""What MLIR 22 takes for each multiplicand of a sparse product of narrow floats, half of what the instruction has."""

_ELEMENTS: dict[Attribute | None, str] = {_PAIR: "f16", f16: "f16", f32: "f32", f64: "f64", i32: "s32"}
"""The element type of accumulators in registers of a type."""

_UPSTREAM_HALVES = ("bf16", "tf32")
"""Multiplicands whose accumulators MLIR 22 also takes to be f16 while it looks at C, and not at D."""

_BEYOND = ("e4m3", "e5m2", "f64")
"""Multiplicands that products of 16 rows have and MLIR 22 knows none of: it refuses whatever is said of them."""

_DEPTHS = tuple(1 << power for power in range(2, 9))


def register_type(element: str) -> Attribute:
    """The type of the registers that hold elements of a PTX type: pairs of f16, f32, f64, and i32 for all others."""
    return {"f16": _PAIR, "f32": f32, "f64": f64}.get(element, i32)


def registers(stem: str, **slots: str) -> Mapping[str, int] | None:
    """Registers of each vector operand of an opcode, by the operand's name; None when there is no such instruction."""
    found = legal_opcode(stem, **slots)
    if found is None:
        return None
    variant = found.variants[0]
    return {spec.name: spec.count(variant.slots) or 1 for spec in variant.compiled.operands}


@cache
def products(stem: str, shape: tuple[int, int, int], element: str) -> Mapping[str, Mapping[str, int]]:
    """The accumulator types that a product of two matrices of one element type can have, with the registers of each.

    `stem` is `mma` or `mma.sp`.
    """
    m, n, k = shape
    found: dict[str, Mapping[str, int]] = {}
    for accumulator in ACCUMULATORS:
        types = {"dtype": accumulator, "atype": element, "btype": element, "ctype": accumulator}
        for family, more in _FAMILIES[stem]:
            counts = registers(family, shape=f"m{m}n{n}k{k}", alayout="row", blayout="col", **types, **more)
            if counts is not None:
                found.setdefault(accumulator, counts)
    return found


def verify_registers(
    stem: str, shape: tuple[int, int, int], element: str | None, groups: Sequence[Sequence[SSAValue]], result: Attribute
) -> None:
    """Check the registers of A, B and C and the struct of D against the table; `element` is that of A.

    Raises:
        VerifyException: there is no such product, or an operand has other registers.
    """
    if not isinstance(result, LLVMStructType):
        raise VerifyException(f"result #0 must be LLVM structure type, but got '{result}'")
    if stem == "mma" and shape[0] == 16 and element in _BEYOND:
        try:
            _verify_product(stem, shape, element, groups, result)
        except VerifyException as error:
            raise PlainVerifyException(f"invalid shape or multiplicand type: {element}") from error
    else:
        _verify_product(stem, shape, element, groups, result)


def _verify_product(
    stem: str,
    shape: tuple[int, int, int],
    element: str | None,
    groups: Sequence[Sequence[SSAValue]],
    result: LLVMStructType,
) -> None:
    m, n, k = shape
    if m not in (8, 16):
        raise VerifyException(f"unimplemented variant for MMA shape <{m}, {n}, {k}>")
    if element is None:
        raise VerifyException("requires attribute 'multiplicandAPtxType'")
    options = products(stem, shape, element)
    if m == 16:
        _verify_wide(stem, element, _first(groups[2]), next(iter(result.types), None))
    if not options:
        raise VerifyException(f"unimplemented variant for MMA shape <{m}, {n}, {k}>")
    accumulators = [(register_type(name), counts) for name, counts in options.items()]
    multiplicand = register_type(element)
    first = accumulators[0][1]
    halved = (_UPSTREAM_SPARSE_NARROW,) if stem == "mma.sp" and element in _NARROW else ()
    for name, group, count in (("A", groups[0], first["a"]), ("B", groups[1], first["b"])):
        if [operand.type for operand in group] != [multiplicand] * count:
            _verify_group(name, group, [(number, multiplicand) for number in halved or (count,)])
    allowed = [(counts["c"], kind) for kind, counts in accumulators]
    if element in _UPSTREAM_HALVES and [operand.type for operand in groups[2]] not in _lists(allowed):
        allowed = [(2, _PAIR), *allowed]
    _verify_group("C", groups[2], allowed)
    structs = [LLVMStructType.from_type_list([kind] * counts["d"]) for kind, counts in accumulators]
    if result not in structs:
        expected = ", ".join(map(str, structs))
        raise VerifyException(
            f"Could not match allowed types for the result; expected one of {expected} but got {result}"
        )


def _verify_wide(stem: str, element: str, c: Attribute | None, d: Attribute | None) -> None:
    """What is said of 16 rows before the shape is looked at: there is the element type, and C and D have one type."""
    if not any(products(stem, (16, 8, depth), element) for depth in _DEPTHS):
        raise PlainVerifyException(f"invalid shape or multiplicand type: {element}")
    if c in _ELEMENTS and d in _ELEMENTS and _ELEMENTS[c] != _ELEMENTS[d]:
        raise VerifyException("ctype does not match dtype")


def _first(group: Sequence[SSAValue]) -> Attribute | None:
    return group[0].type if group else None


def _lists(allowed: Sequence[tuple[int, Attribute]]) -> list[list[Attribute]]:
    return [[kind] * count for count, kind in allowed]


def _verify_group(name: str, group: Sequence[SSAValue], allowed: Sequence[tuple[int, Attribute]]) -> None:
    types = [operand.type for operand in group]
    if types in _lists(allowed):
        return
    expected = " ".join(f"{count}x{kind}" for count, kind in allowed)
    found = ", ".join(map(str, types))
    raise VerifyException(f"Could not match types for the {name} operands; expected one of {expected} but got {found}")


def verify_integer_options(element: str, bit_operation: Attribute | None, overflow: Attribute | None) -> None:
    """Single-bit products name their bit operation, integer products what they do on overflow.

    Raises:
        VerifyException: the attribute is missing.
    """
    if element == "b1" and bit_operation is None:
        raise VerifyException("op requires b1Op attribute")
    if element in ("u8", "s8", "u4", "s4") and overflow is None:
        raise VerifyException("op requires intOverflowBehavior attribute")
