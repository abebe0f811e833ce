"""The intrinsics of `llvm` that need no class of their own: one table of their syntax, a class made when one is met."""

from __future__ import annotations

from functools import cache

from xdsl.dialects.builtin import I64, IntegerAttr
from xdsl.dialects.llvm import FastMathAttr
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure

PREFIX = "llvm.intr."

_CALL = "`(` operands `)` attr-dict `:` functional-type(operands, results)"

_FLOATS = (
    "acos", "asin", "atan", "atan2", "cosh", "exp10", "fmuladd", "frexp", "ldexp", "log10", "maximum", "minimum",
    "nearbyint", "powi", "rint", "round", "roundeven", "sincos", "sinh", "tan", "tanh", "trunc", "vector.reduce.fmax",
    "vector.reduce.fmaximum", "vector.reduce.fmin", "vector.reduce.fminimum",
)  # fmt: skip
"""`(operands) : types -> type`, with fast-math flags."""

_INTEGERS = (
    "bitreverse", "bswap", "ctpop", "fshl", "fshr", "llrint", "llround", "lrint", "lround", "sadd.sat", "scmp", "smax",
    "smin", "sshl.sat", "ssub.sat", "uadd.sat", "ucmp", "umax", "umin", "ushl.sat", "usub.sat",
)  # fmt: skip
"""`(operands) : types -> type`."""

_GENERIC: dict[str, str] = {
    "abs": "is_int_min_poison", "annotation": "", "ctlz": "is_zero_poison", "cttz": "is_zero_poison",
    "is.constant": "", "is.fpclass": "bit", "masked.compressstore": "arg_attrs res_attrs",
    "masked.expandload": "arg_attrs res_attrs", "memcpy": "isVolatile arg_attrs res_attrs",
    "memcpy.inline": "len isVolatile arg_attrs res_attrs", "memmove": "isVolatile arg_attrs res_attrs",
    "memset": "isVolatile arg_attrs res_attrs", "memset.inline": "len isVolatile arg_attrs res_attrs",
    "prefetch": "rw hint cache", "ptr.annotation": "", "sadd.with.overflow": "", "smul.with.overflow": "",
    "ssub.with.overflow": "", "threadlocal.address": "", "uadd.with.overflow": "", "umul.with.overflow": "",
    "usub.with.overflow": "", "var.annotation": "", "vector.deinterleave2": "", "vector.interleave2": "",
    "vector.reduce.add": "", "vector.reduce.and": "", "vector.reduce.mul": "", "vector.reduce.or": "",
    "vector.reduce.smax": "", "vector.reduce.smin": "", "vector.reduce.umax": "", "vector.reduce.umin": "",
    "vector.reduce.xor": "", "vscale": "",
}  # fmt: skip
"""Those that upstream prints in the generic form, and their properties."""

_PREDICATED = (
    "add and ashr fadd fdiv fma fmul fmuladd fneg fpext fptosi fptoui fptrunc frem fsub inttoptr load "
    "lshr merge mul or ptrtoint reduce.add reduce.and reduce.fadd reduce.fmax reduce.fmin reduce.fmul "
    "reduce.mul reduce.or reduce.smax reduce.smin reduce.umax reduce.umin reduce.xor sdiv select sext shl "
    "sitofp smax smin srem store sub trunc udiv uitofp umax umin urem xor zext"
)
_GENERIC.update({f"vp.{name}": "" for name in _PREDICATED.split()})
_GENERIC.update({"experimental.vp.strided.load": "", "experimental.vp.strided.store": ""})

_NOTES = {"access_groups", "alias_scopes", "noalias_scopes", "tbaa"}
"""Properties of what touches memory."""
_MEMORY = ("memcpy", "memmove", "memset", "masked.compressstore", "masked.expandload")

_STRIDE = "`<` `stride` `=` $stride `>`"

_OTHERS: dict[str, tuple[str, tuple[str, ...], int, str]] = {
    "debugtrap": ("attr-dict", (), 0, ""),
    "expect": ("$val `,` $expected attr-dict `:` type($val)", ("val", "expected"), 1, ""),
    "get.active.lane.mask": (
        "$base `,` $n attr-dict `:` type($base) `,` type($n) `to` type($res)", ("base", "n"), 1, "",
    ),
    "launder.invariant.group": ("$ptr attr-dict `:` type($ptr)", ("ptr",), 1, ""),
    "matrix.column.major.load": (
        f"$data `,` {_STRIDE} attr-dict `:` type($res) `from` type($data) `stride` type($stride)",
        ("data", "stride"), 1, "isVolatile rows columns",
    ),
    "matrix.column.major.store": (
        f"$matrix `,` $data `,` {_STRIDE} attr-dict `:` type($matrix) `to` type($data) `stride` type($stride)",
        ("matrix", "data", "stride"), 0, "isVolatile rows columns",
    ),
    "matrix.multiply": (
        "$lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($res)",
        ("lhs", "rhs"), 1, "lhs_rows lhs_columns rhs_columns",
    ),
    "matrix.transpose": ("$matrix attr-dict `:` type($matrix) `into` type($res)", ("matrix",), 1, "rows columns"),
    "strip.invariant.group": ("$ptr attr-dict `:` type($ptr)", ("ptr",), 1, ""),
    "lifetime.start": ("$ptr attr-dict `:` type($ptr)", ("ptr",), 0, ""),
    "lifetime.end": ("$ptr attr-dict `:` type($ptr)", ("ptr",), 0, ""),
    "masked.gather": ("operands attr-dict `:` functional-type(operands, results)", (), -1, "alignment"),
    "masked.load": ("operands attr-dict `:` functional-type(operands, results)", (), -1, "alignment nontemporal"),
    "masked.scatter": (
        "$value `,` $ptrs `,` $mask attr-dict `:` type($value) `,` type($mask) `into` type($ptrs)",
        ("value", "ptrs", "mask"), 0, "alignment",
    ),
    "ptrmask": ("$ptr `,` $mask attr-dict `:` functional-type(operands, results)", ("ptr", "mask"), 1, ""),
    "ssa.copy": ("$operand attr-dict `:` type($operand)", ("operand",), 1, ""),
    "stepvector": ("attr-dict `:` type($res)", (), 1, ""),
    "trap": ("attr-dict", (), 0, ""),
    "vector.extract": ("$srcvec `[` $pos `]` attr-dict `:` type($res) `from` type($srcvec)", ("srcvec",), 1, "pos"),
    "vacopy": ("$src_list `to` $dest_list attr-dict `:` type(operands)", ("dest_list", "src_list"), 0, ""),
    "vaend": ("$arg_list attr-dict `:` type($arg_list)", ("arg_list",), 0, ""),
    "vastart": ("$arg_list attr-dict `:` type($arg_list)", ("arg_list",), 0, ""),
}  # fmt: skip
"""Syntax, operands, number of results (-1: any operands and results) and properties of the rest."""

NAMES = (*_FLOATS, *_INTEGERS, *_GENERIC, *_OTHERS)

_SAME_TYPE = {"expect", "launder.invariant.group", "ssa.copy", "strip.invariant.group"}
"""Those whose operands and result have one type."""


_IMPURE = frozenset(
    {
        "annotation", "masked.compressstore", "masked.expandload", "memcpy", "memcpy.inline", "memmove", "memset",
        "memset.inline", "prefetch", "ptr.annotation", "var.annotation", "vscale", "vp.load", "vp.store",
        "experimental.vp.strided.load", "experimental.vp.strided.store", "debugtrap", "launder.invariant.group",
        "matrix.column.major.load", "matrix.column.major.store", "matrix.multiply", "matrix.transpose",
        "strip.invariant.group", "lifetime.start", "lifetime.end", "masked.gather", "masked.load", "masked.scatter",
        "trap", "vacopy", "vaend", "vastart",
    }
)  # fmt: skip
"""Those of which upstream does not say that they have no effects."""


@cache
def intrinsic(name: str) -> type[IRDLOperation] | None:
    """The class of the intrinsic with this name (without `llvm.intr.`), None if it is not in the table."""
    if name in _FLOATS or name in _INTEGERS:
        return _define(name, _CALL, (), -1, "fastmathFlags" if name in _FLOATS else "")
    if name in _GENERIC:
        noted = " ".join(sorted(_NOTES)) if name.startswith(_MEMORY) else ""
        return _define(name, "", (), -1, f"{_GENERIC[name]} {noted}")
    found = _OTHERS.get(name)
    return _define(name, *found) if found is not None else None


def _define(name: str, syntax: str, operands: tuple[str, ...], results: int, properties: str) -> type[IRDLOperation]:
    """A class from its facts."""
    body: dict[str, object] = {
        "name": PREFIX + name,
        "__doc__": f"`{PREFIX}{name}`, as in LLVM's language reference.",
        "__module__": __name__,
    }
    constraint = VarConstraint("T", AnyAttr()) if name in _SAME_TYPE else AnyAttr()
    for operand in operands:
        body[operand] = operand_def(constraint)
    if results < 0:
        body |= {"args": var_operand_def(), "results_": var_result_def()}
    elif results:
        body["res"] = result_def(constraint)
    for written in properties.split():
        if written == "fastmathFlags":
            body["fastmath"] = opt_prop_def(FastMathAttr, prop_name=written, default_value=FastMathAttr(None))
        elif written == "pos":
            body["pos_"] = prop_def(IntegerAttr[I64], prop_name=written)
        else:
            body[f"{written}_"] = opt_prop_def(prop_name=written)
    if name not in _IMPURE:
        body["traits"] = traits_def(Pure())
    if syntax:
        body["assembly_format"] = syntax
        if properties:
            body["irdl_options"] = (ParsePropInAttrDict(),)
    words = "".join(part.capitalize() for part in name.replace("_", ".").split("."))
    return irdl_op_definition(type(f"{words}Intrinsic", (IRDLOperation,), body))
