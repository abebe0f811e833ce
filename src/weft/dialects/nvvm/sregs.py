"""Special registers, and the operations that read them, `nvvm.read.ptx.sreg.*`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from xdsl.dialects.builtin import IntegerType, i32, i64
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.llvm.ranges import ConstantRangeAttr

PREFIX = "nvvm.read.ptx.sreg."

_AXES = (".x", ".y", ".z")
_NAMES = (
    *(f"{name}{axis}" for name in ("tid", "ntid", "ctaid", "nctaid") for axis in _AXES),
    *(f"{name}{axis}" for name in ("clusterid", "nclusterid", "cluster.ctaid", "cluster.nctaid") for axis in _AXES),
    *(f"lanemask.{order}" for order in ("eq", "ge", "gt", "le", "lt")),
    *["cluster.ctarank", "cluster.nctarank", "gridid", "laneid", "nsmid", "nwarpid", "smid", "warpid", "warpsize"],
    *["aggr.smem.size", "clock", "clock64", "dynamic.smem.size", "globaltimer", "globaltimer.lo", "total.smem.size"],
    *(f"envreg{index}" for index in range(32)),
)
_WIDE = ("clock64", "globaltimer")


def _ptx_name(register: str) -> str:
    """`tid.x` to `%tid.x`, `cluster.ctaid.x` to `%cluster_ctaid.x`, `lanemask.eq` to `%lanemask_eq`."""
    return "WARP_SZ" if register == "warpsize" else "%" + re.sub(r"\.(?![xyz]$)", "_", register)


SPECIAL_REGISTERS: dict[str, str] = {name: _ptx_name(name) for name in _NAMES}
"""The suffix of the operation's name (`tid.x`) to the register's name in PTX (`%tid.x`)."""


CHANGING = ("clock", "clock64", "globaltimer", "globaltimer.lo")
"""Registers of which each read may be another number."""


def operations(registers: Iterable[str]) -> str:
    """The names of the operations that read registers, as a row has them."""
    return ", ".join(PREFIX.removeprefix("nvvm.") + register for register in registers)


def bounds(op: Operation) -> None:
    """Equal bounds say that nothing or everything is in a range, and only as the least or the greatest number."""
    found = op.properties.get("range")
    if not isinstance(found, ConstantRangeAttr):
        return
    most = (1 << found.type.bitwidth) - 1
    lower, upper = found.lower.data & most, found.upper.data & most
    if lower == upper and lower not in (0, most):
        raise VerifyException(
            f"invalid range attribute: Lower == Upper, but they aren't min (0) or max ({most}) value! "
            "This is an invalid constant range."
        )


def result_type(register: str) -> IntegerType:
    """The type that PTX gives a register: `i64` for the wide counters, else `i32`."""
    return i64 if register in _WIDE else i32
