"""What MLIR calls the types and attributes that a constraint of xDSL's allows."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    ArrayOfConstraint,
    BFloat16Type,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    Signedness,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    UnrankedMemRefType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, TypeAttribute
from xdsl.irdl import (
    AllOf,
    AnyOf,
    AttrConstraint,
    BaseAttr,
    EqAttrConstraint,
    MessageConstraint,
    ParamAttrConstraint,
    RangeOf,
    VarConstraint,
)
from xdsl.irdl.constraints import VerificationContext
from xdsl.utils.exceptions import VerifyException

from weft.dialects.definitions import AttributeKind
from weft.dialects.engine import attributes
from weft.dialects.kinds import ANY, Kind
from weft.dialects.verification import Described, OneOf

_SUMMARIES: dict[str, str] = {
    "arith.fastmath": "Floating point fast math flags",
    "arith.overflow": "Integer overflow arith flags",
    "llvm.ptr": "LLVM pointer type",
    "llvm.struct": "LLVM structure type",
    "llvm.constant_range": "A range of two integers, corresponding to LLVM's ConstantRange",
    "nvgpu.interleave": "Tensor map interleave layout type",
    "nvgpu.l2promo": "Tensor map L2 promotion type",
    "nvgpu.oob": "Tensor map out-of-bounds fill type",
    "nvgpu.rcp_rounding_mode": "Rounding mode of rcp",
    "nvgpu.swizzle": "Tensor map swizzling mode of shared memory banks",
    "nvvm.ld_st_matrix_shape": "Matrix shape for ldmatrix and stmatrix",
    "nvvm.memory_space": "NVVM Memory Space",
    "nvvm.shape": "Attribute for MMA operation shape.",
    "gpu.async.token": "async token type",
    "gpu.mma_matrix": "MMAMatrix type",
    "gpu.sparse.dntensor_handle": "dense tensor handle type",
    "gpu.sparse.spmat_handle": "sparse matrix handle type",
    "gpu.sparse.spgemmop_handle": "SpGEMM operation handle type",
    "nvgpu.device.async.token": "device async token type",
    "nvgpu.mbarrier.group": "mbarrier barrier type",
    "nvgpu.mbarrier.token": "",
    "nvgpu.tensormap.descriptor": "TensorMap descriptor",
    "nvgpu.warpgroup.accumulator": "",
    "nvgpu.warpgroup.descriptor": "Warpgroup matrix descriptor type",
    "tile.buffer": "tile",
}
"""The summary of each class of attributes or types, by its name; MLIR leaves out some."""

_TYPE_CLASSES: dict[type, str] = {
    IntegerType: "integer",
    IndexType: "index",
    MemRefType: "memref of any type values",
    VectorType: "vector of any type values",
    UnrankedMemRefType: "unranked.memref of any type values",
}
_ATTRIBUTE_CLASSES: dict[type, str] = {
    UnitAttr: "unit attribute",
    StringAttr: "string attribute",
    ArrayAttr: "array attribute",
    DictionaryAttr: "dictionary of named attribute values",
    SymbolRefAttr: "symbol reference attribute",
    FloatAttr: "float attribute",
    FunctionType: "type attribute of function type",
    IntegerAttr: "arbitrary integer attribute",
    DenseArrayBase: "i64 dense array attribute",
}
_ARRAYS: dict[type | None, str] = {
    DictionaryAttr: "Array of dictionary attributes",
    IntegerAttr: "64-bit integer array attribute",
    StringAttr: "string array attribute",
}
_SIGNS = {Signedness.SIGNLESS: "signless", Signedness.SIGNED: "signed", Signedness.UNSIGNED: "unsigned"}


def type_description(value: Attribute) -> str:
    """What MLIR calls one particular type: `32-bit signless integer`, `LLVM pointer in address space 3`."""
    if isinstance(value, IntegerType):
        integer = cast("Any", value)
        return f"{integer.bitwidth}-bit {_SIGNS[integer.signedness.data]} integer"
    if isinstance(value, BFloat16Type):
        return "bfloat16 type"
    if isinstance(value, AnyFloat):
        return f"{value.bitwidth}-bit float"
    if value.name == "llvm.ptr":
        space = cast("Any", value).addr_space
        return f"LLVM pointer in address space {getattr(space, 'data', 0)}"
    if isinstance(value, VectorType):
        vector = cast("VectorType[Attribute]", value)
        length = "/".join(str(extent) for extent in vector.get_shape())
        return f"vector of {type_description(vector.element_type)} values of length {length}"
    known = _TYPE_CLASSES.get(type(value), _named(value.name))
    return str(value) if known is None else known


def description(constraint: AttrConstraint, *, attribute: bool = False) -> str | None:
    """MLIR's summary of a constraint on a type, or on an attribute; None for one that it would not name."""
    if isinstance(constraint, Described | MessageConstraint):
        return constraint.message
    if isinstance(constraint, VarConstraint):
        return description(constraint.constraint, attribute=attribute)
    if isinstance(constraint, EqAttrConstraint):
        return None if attribute else type_description(cast("Any", constraint).attr)
    if isinstance(constraint, OneOf):
        return " or ".join(type_description(kind) for kind in constraint.allowed)
    if isinstance(constraint, AnyOf):
        parts = [description(part) for part in cast("Any", constraint).attr_constrs]
        return " or ".join(part for part in parts if part)
    if isinstance(constraint, ParamAttrConstraint):
        return _parametrized(cast("ParamAttrConstraint[Any]", constraint))
    if isinstance(constraint, ArrayOfConstraint):
        return _ARRAYS.get(_only_class(cast("Any", constraint)))
    if isinstance(constraint, BaseAttr):
        cls = cast("Any", constraint).attr
        return (_ATTRIBUTE_CLASSES if attribute else _TYPE_CLASSES).get(cls) or _summary(cls)
    return None


def _only_class(array: ArrayOfConstraint[Attribute]) -> type | None:
    """The class of the elements of an array."""
    each = array.elem_range_constraint
    bases = each.constr.get_bases() if isinstance(each, RangeOf) else None
    return next(iter(bases)) if bases is not None and len(bases) == 1 else None


def _summary(cls: type) -> str | None:
    if cls is TypeAttribute:
        return "any type attribute"
    return _named(getattr(cls, "name", ""))


def _named(name: str) -> str | None:
    """The summary of an attribute or a type by its name."""
    return _SUMMARIES[name] if name in _SUMMARIES else attributes.summary(name)


def _parametrized(constraint: ParamAttrConstraint[Any]) -> str | None:
    base, parameters = constraint.base_attr, constraint.param_constrs
    if base is IntegerAttr:
        kind = parameters[1]
        if isinstance(kind, AllOf):
            kind = kind.attr_constrs[-1]
        if isinstance(kind, EqAttrConstraint):
            found = kind.attr
            if found == IntegerType(1):
                return "bool attribute"
            least = getattr(getattr(parameters[0], "int_constraint", None), "bound", None)
            return f"{type_description(found)} attribute" + (
                f" whose minimum value is {least}" if least is not None else ""
            )
        if isinstance(kind, BaseAttr) and cast("Any", kind).attr is IndexType:
            return "index attribute"
    if base is VectorType:
        element = description(parameters[1])
        return f"vector of {element or 'any type'} values"
    if base in _ATTRIBUTE_CLASSES:
        return _ATTRIBUTE_CLASSES[base]
    return None


def type_kind(constraint: AttrConstraint) -> Kind:
    """The types that a constraint allows."""
    summary = description(constraint)
    return ANY if summary is None else Kind(summary, partial(_fits, constraint))


def attribute_kind(constraint: AttrConstraint) -> AttributeKind:
    """The attributes that a constraint allows."""
    summary = description(constraint, attribute=True)
    holds = _anything if summary is None else partial(_fits, constraint)
    return AttributeKind(summary or "", partial(stored, constraint), holds)


def stored(constraint: AttrConstraint, value: Attribute) -> bool:
    """Whether an attribute is of the class that a property is stored as."""
    if isinstance(constraint, BaseAttr) and cast("Any", constraint).attr is TypeAttribute:
        return isinstance(value, TypeAttribute)
    bases = constraint.get_bases()
    if bases is None or type(value) not in bases:
        return bases is None
    if not isinstance(value, IntegerAttr) or description(constraint, attribute=True) != "bool attribute":
        return True
    return cast("Any", value).type == i1


def _anything(_: Attribute) -> bool:
    return True


def _fits(constraint: AttrConstraint, value: Attribute) -> bool:
    try:
        constraint.verify(value, VerificationContext())
    except VerifyException:
        return False
    return True
