"""The types and attributes that the definitions of `llvm` speak of, and what upstream calls them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    UnregisteredAttr,
    VectorType,
    f64,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, TypeAttribute

from weft.dialects.definitions import AttributeKind
from weft.dialects.kinds import ANY, Kind, is_signless

Predicate = Callable[[Attribute], bool]


def _verify_nothing(self: llvm.LLVMFunctionType) -> None:
    """MLIR asks what a function's type is made of where one is read, and where a function is."""


llvm.LLVMFunctionType.verify = _verify_nothing

_LLVM_FLOATS = frozenset({"bf16", "f16", "f32", "f64", "f80", "f128", "llvm.ppc_fp128"})
_UNSIZED = frozenset({"llvm.void", "llvm.func", "llvm.label", "llvm.metadata", "llvm.token"})


def is_pointer(kind: Attribute) -> bool:
    """Whether a type is a pointer."""
    return kind.name == "llvm.ptr"


def is_llvm_float(kind: Attribute) -> bool:
    """Whether a type is a floating-point type that LLVM has."""
    return kind.name in _LLVM_FLOATS


def is_scalable(kind: Attribute) -> bool:
    """Whether a vector has an extent that is a multiple of `vscale`."""
    return any(bool(flag) for flag in cast("Any", kind).scalable_dims)


def is_vector(kind: Attribute) -> bool:
    """Whether a type is a vector."""
    return isinstance(kind, VectorType)


def is_integer(kind: Attribute) -> bool:
    """Whether a type is an integer of some width."""
    return isinstance(kind, IntegerType)


@lru_cache(4096)
def is_compatible(kind: Attribute) -> bool:
    """Whether LLVM IR has a type for this one."""
    if isinstance(kind, VectorType):
        vector = cast("VectorType[Attribute]", kind)
        element = vector.element_type
        return vector.get_num_dims() == 1 and (
            is_signless(element) or is_pointer(element) or element.name in _LLVM_FLOATS
        )
    inside = _inside(kind)
    if inside:
        return all(map(is_compatible, inside))
    name = kind.attr_name.data if isinstance(kind, UnregisteredAttr) else kind.name
    return name.startswith("llvm.") or is_signless(kind) or kind.name in _LLVM_FLOATS


def is_outwardly_compatible(kind: Attribute) -> bool:
    """Whether LLVM IR may have a type for this one, whatever it is made of: what most operations ask."""
    if isinstance(kind, VectorType):
        return cast("VectorType[Attribute]", kind).get_num_dims() == 1
    return bool(_inside(kind)) or is_compatible(kind)


def _inside(kind: Any) -> Sequence[Attribute]:
    """The types that a type of `llvm` is made of."""
    if kind.name == "llvm.struct":
        return kind.types.data
    if kind.name == "llvm.array":
        return (kind.type,)
    return (*kind.inputs.data, kind.output) if kind.name == "llvm.func" else ()


def is_llvm_vector(kind: Attribute) -> bool:
    """Whether a type is a vector that LLVM has."""
    return is_vector(kind) and is_compatible(kind)


def vector_element(kind: Attribute) -> Attribute:
    """The type of the elements of a vector; another type itself."""
    return cast("VectorType[Attribute]", kind).element_type if isinstance(kind, VectorType) else kind


def _vector_of(scalar: Kind) -> Kind:
    return Kind(
        f"LLVM dialect-compatible vector of {scalar.summary}",
        lambda kind: is_llvm_vector(kind) and scalar.holds(vector_element(kind)),
    )


def _any_of(*kinds: Kind) -> Kind:
    return Kind(" or ".join(kind.summary for kind in kinds), lambda found: any(kind.holds(found) for kind in kinds))


def _or_vector(scalar: Kind) -> Kind:
    return _any_of(scalar, _vector_of(scalar))


def _is_aggregate(kind: Attribute) -> bool:
    return kind.name in {"llvm.struct", "llvm.array"}


def _is_primitive(kind: Attribute) -> bool:
    return is_outwardly_compatible(kind) and kind.name not in {"llvm.void", "llvm.func"}


def _has_size(kind: Attribute) -> bool:
    opaque = isinstance(getattr(kind, "inner", None), IntAttr)
    return is_outwardly_compatible(kind) and kind.name not in _UNSIZED and not opaque


def _in_generic_space(kind: Attribute) -> bool:
    return is_pointer(kind) and not getattr(cast("Any", kind).addr_space, "data", 0)


def _is_fixed_vector(kind: Attribute) -> bool:
    return is_llvm_vector(kind) and not any(bool(flag) for flag in cast("Any", kind).scalable_dims)


def integer(width: int) -> Kind:
    """A signless integer of a width."""
    return Kind(
        f"{width}-bit signless integer", lambda kind: is_signless(kind) and cast("Any", kind).width.data == width
    )


_INTEGER = Kind("signless integer", is_signless)
_ANY_INTEGER = Kind("integer", lambda kind: isinstance(kind, IntegerType))
_POINTER = Kind("LLVM pointer type", is_pointer)
_LLVM_FLOAT = Kind("floating point LLVM type", is_llvm_float)
_FLOAT = Kind("floating-point", lambda kind: isinstance(kind, AnyFloat))
_FIXED_VECTOR = Kind("LLVM dialect-compatible fixed-length vector type", _is_fixed_vector)
COMPATIBLE = Kind("LLVM dialect-compatible type", is_outwardly_compatible)

TYPES: dict[str, Kind] = {
    "aggregate": Kind("LLVM aggregate type", _is_aggregate),
    "any": ANY,
    "anyints": _or_vector(_ANY_INTEGER),
    "atomic": _any_of(_LLVM_FLOAT, _POINTER, _INTEGER, _FIXED_VECTOR),
    "bits": _or_vector(integer(1)),
    "bitvec": _vector_of(integer(1)),
    "comparable": _any_of(_or_vector(_INTEGER), _or_vector(_POINTER)),
    "exchangeable": _any_of(_INTEGER, _POINTER),
    "float": _FLOAT,
    "floats": _or_vector(_LLVM_FLOAT),
    "floatvec": _vector_of(_FLOAT),
    "i1": integer(1),
    "i32": integer(32),
    "i8": integer(8),
    "int": _INTEGER,
    "ints": _or_vector(_INTEGER),
    "intvec": _vector_of(_INTEGER),
    "llvmfloat": _LLVM_FLOAT,
    "nonaggregate": Kind(
        "LLVM-compatible non-aggregate type",
        lambda kind: is_outwardly_compatible(kind) and not _is_aggregate(kind),
    ),
    "primitive": Kind("primitive LLVM type", _is_primitive),
    "ptr": _POINTER,
    "ptr0": Kind("LLVM pointer in address space 0", _in_generic_space),
    "ptrs": _or_vector(_POINTER),
    "ptrvec": _vector_of(_POINTER),
    "sized": Kind("LLVM type with size", _has_size),
    "struct": Kind("LLVM structure type", lambda kind: kind.name == "llvm.struct"),
    "token": Kind("LLVM token type", lambda kind: kind.name == "llvm.token"),
    "type": COMPATIBLE,
    "!llvm.ptr": Kind("LLVM pointer in address space 0", _in_generic_space),
    "!llvm.token": Kind("LLVM token type", lambda kind: kind.name == "llvm.token"),
    "vec": Kind("LLVM dialect-compatible vector type", is_llvm_vector),
}


def _is(*classes: type[Attribute]) -> Predicate:
    return lambda value: isinstance(value, classes)


def _integers(kind: Attribute, summary: str) -> AttributeKind:
    return AttributeKind(summary, _is(IntegerAttr), lambda value: cast("IntegerAttr", value).type == kind)


def _nonnegative(value: Attribute) -> bool:
    found = cast("IntegerAttr", value)
    return found.type == i32 and found.value.data >= 0


def _enum(summary: str, count: int, *without: int) -> AttributeKind:
    """An enum that is stored as a number of 64 bits, below `count` and none of those `without`."""
    return AttributeKind(
        summary,
        lambda value: (
            isinstance(value, IntegerAttr)
            and cast("IntegerAttr", value).type == i64
            and 0 <= cast("IntegerAttr", value).value.data < count
            and cast("IntegerAttr", value).value.data not in without
        ),
    )


def _word(summary: str, count: int, *without: int) -> AttributeKind:
    """An enum that is kept as the word it was read as, or as its number."""
    number = _enum(summary, count, *without)
    return AttributeKind(summary, lambda value: isinstance(value, StringAttr) or number.stored(value))


def _named(summary: str, *names: str) -> AttributeKind:
    return AttributeKind(summary, lambda value: value.name in names)


def _array(summary: str, element: Predicate) -> AttributeKind:
    return AttributeKind(
        summary, _is(ArrayAttr), lambda value: all(element(found) for found in cast("ArrayAttr[Attribute]", value).data)
    )


def _dense(summary: str, width: Attribute) -> AttributeKind:
    return AttributeKind(
        summary,
        lambda value: isinstance(value, DenseArrayBase) and cast("DenseArrayBase[Any]", value).elt_type == width,
    )


def _is_flat(value: Attribute) -> bool:
    return isinstance(value, SymbolRefAttr) and not value.nested_references.data


_STRING = AttributeKind("string attribute", _is(StringAttr))
_I32 = _integers(i32, "32-bit signless integer attribute")


def _flags(summary: str, kind: str, most: int) -> AttributeKind:
    """Flags that upstream stores as an enum: a number below a power of two, or the attribute of a kind."""
    return AttributeKind(
        summary,
        lambda value: isinstance(value, IntegerAttr) or value.name == kind,
        lambda value: not isinstance(value, IntegerAttr) or 0 <= cast("IntegerAttr", value).value.data <= most,
        "property",
    )


def _kept_name(value: Attribute) -> str:
    """The name of an attribute that is kept as text."""
    return value.attr_name.data if isinstance(value, UnregisteredAttr) else ""


ATTRIBUTES: dict[str, AttributeKind] = {
    "any": AttributeKind("any attribute", lambda _: True),
    "array": _dense("i64 dense array attribute", i64),
    "fpExceptionBehavior": _word("LLVM Exception Behavior", 3),
    "bin_op": _enum("llvm.atomicrmw binary operations", 21),
    "bit": _integers(i1, "1-bit signless integer attribute"),
    "block_addr": AttributeKind("", lambda value: "llvm.blockaddress" in (value.name, _kept_name(value))),
    "bool": AttributeKind(
        "bool attribute", lambda value: isinstance(value, IntegerAttr) and cast("IntegerAttr", value).type == i1
    ),
    "convention": _named("LLVM Calling Convention specification", "llvm.cconv"),
    "dereferenceable": _named("", "llvm.dereferenceable"),
    "dialect": _enum("ATT (0) or Intel (1) asm dialect", 2),
    "elements": AttributeKind("any attribute", lambda _: True),
    "expression": _named("", "llvm.di_expression"),
    "expressions": _array(
        "an array of variable expressions", lambda value: value.name == "llvm.di_global_variable_expression"
    ),
    "f64": AttributeKind("64-bit float attribute", _is(FloatAttr), lambda value: cast("Any", value).type == f64),
    "fast": _named("LLVM fastmath flags", "llvm.fastmath"),
    "fcmp": _enum("llvm.fcmp comparison predicate", 16),
    "flat": AttributeKind("flat symbol reference attribute", _is_flat),
    "function_type": AttributeKind(
        "type attribute of LLVM function type", _is(TypeAttribute), lambda value: value.name == "llvm.func"
    ),
    "gep": _flags("::mlir::LLVM::GEPNoWrapFlags", "", 7),
    "groups": _array("LLVM dialect access group metadata array", lambda value: value.name == "llvm.access_group"),
    "i8": _integers(i8, "8-bit signless integer attribute"),
    "i32": _I32,
    "i32s": _dense("i32 dense array attribute", i32),
    "i64": _integers(i64, "64-bit signless integer attribute"),
    "icmp": _enum("llvm.icmp comparison predicate", 10),
    "integer": AttributeKind("arbitrary integer attribute", _is(IntegerAttr)),
    "di_label": _named("", "llvm.di_label"),
    "linkage": _named("LLVM Linkage specification", "llvm.linkage"),
    "list": AttributeKind("array attribute", _is(ArrayAttr)),
    "notes": _array("Array of dictionary attributes", _is(DictionaryAttr)),
    "options": _array("string array attribute", _is(StringAttr)),
    "ordering": _enum("Atomic ordering for LLVM's memory model", 8, 3),
    "overflow": _flags("LLVM integer overflow flags", "llvm.overflow", 3),
    "priorities": _array("32-bit integer array attribute", lambda value: _I32.stored(value) and _I32.holds(value)),
    "ref": AttributeKind("symbol reference attribute", _is(SymbolRefAttr)),
    "roundingmode": _word("LLVM Rounding Mode", 8, 5, 6),
    "scope": _named("LLVM dialect alias scope", "llvm.alias_scope"),
    "scopes": _array("LLVM dialect alias scope array", lambda value: value.name == "llvm.alias_scope"),
    "selector": AttributeKind("any attribute", lambda _: True),
    "space": AttributeKind(
        "32-bit signless integer attribute whose value is non-negative", _is(IntegerAttr), _nonnegative
    ),
    "string": _STRING,
    "sym": _STRING,
    "symbol": _STRING,
    "symbols": _array("flat symbol ref array attribute", _is_flat),
    "tag": AttributeKind("", lambda value: "llvm.blocktag" in (value.name, _kept_name(value))),
    "tags": _array("LLVM dialect TBAA tag metadata array", lambda value: value.name == "llvm.tbaa_tag"),
    "tail": _named("LLVM Calling Convention specification", "llvm.tailcallkind"),
    "type": AttributeKind("any type attribute", _is(TypeAttribute)),
    "unit": AttributeKind("unit attribute", _is(UnitAttr)),
    "unnamed": _enum("LLVM GlobalValue UnnamedAddr", 3),
    "variable": _named("", "llvm.di_local_variable"),
    "visibility": _enum("LLVM GlobalValue Visibility", 3),
}
"""What properties are, by the words for it in rows, or by their names."""
