"""Reads of special registers, `nvvm.read.ptx.sreg.*`: one table, one class made from each row when it is asked for."""

from __future__ import annotations

from functools import cache

from xdsl.dialects.builtin import IntegerType, i32, i64
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, irdl_op_definition, opt_prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from weft.dialects.llvm.compatible import COMPATIBLE
from weft.dialects.llvm.ranges import ConstantRangeAttr

PREFIX = "nvvm.read.ptx.sreg."

_AXES = (".x", ".y", ".z")
_WITH_RANGE = (
    *(f"{name}{axis}" for name in ("tid", "ntid", "ctaid", "nctaid") for axis in _AXES),
    *(f"{name}{axis}" for name in ("clusterid", "nclusterid", "cluster.ctaid", "cluster.nctaid") for axis in _AXES),
    "cluster.ctarank",
    "cluster.nctarank",
    "gridid",
    "laneid",
    "nsmid",
    "nwarpid",
    "smid",
    "warpid",
    "warpsize",
)
_PLAIN = (
    "aggr.smem.size",
    "clock",
    "clock64",
    "dynamic.smem.size",
    "globaltimer",
    "globaltimer.lo",
    *(f"lanemask.{order}" for order in ("eq", "ge", "gt", "le", "lt")),
    "total.smem.size",
    *(f"envreg{index}" for index in range(32)),
)
_PTX_NAMES = {
    "aggr.smem.size": "aggr_smem_size",
    "dynamic.smem.size": "dynamic_smem_size",
    "globaltimer.lo": "globaltimer_lo",
    "total.smem.size": "total_smem_size",
    "warpsize": "WARP_SZ",
    "cluster.ctarank": "cluster_ctarank",
    "cluster.nctarank": "cluster_nctarank",
}
_WIDE = ("clock64", "globaltimer")


def _ptx_name(register: str) -> str:
    """`tid.x` to `%tid.x`, `cluster.ctaid.x` to `%cluster_ctaid.x`, `lanemask.eq` to `%lanemask_eq`."""
    for prefix in ("cluster.ctaid", "cluster.nctaid", "lanemask"):
        if register.startswith(prefix + "."):
            register = register.replace(".", "_", 1)
            return f"%{register}"
    name = _PTX_NAMES.get(register, register)
    return name if name == "WARP_SZ" else f"%{name}"


SPECIAL_REGISTERS: dict[str, str] = {name: _ptx_name(name) for name in (*_WITH_RANGE, *_PLAIN)}
"""The suffix of the operation's name (`tid.x`) to the register's name in PTX (`%tid.x`)."""


_CHANGING = frozenset({"clock", "clock64", "globaltimer", "globaltimer.lo"})
"""Registers of which each read may be another number."""


class SpecialRegisterOperation(IRDLOperation):
    """`nvvm.read.ptx.sreg.R (range <i32, lo, hi>)? : i32`."""

    res = result_def(COMPATIBLE)
    range = opt_prop_def(ConstantRangeAttr)

    def verify_(self) -> None:
        """Equal bounds say that nothing or everything is in a range, and only as the least or the greatest number."""
        if self.range is None:
            return
        most = (1 << self.range.type.bitwidth) - 1
        lower, upper = self.range.lower.data & most, self.range.upper.data & most
        if lower == upper and lower not in (0, most):
            raise VerifyException(
                f"invalid range attribute: Lower == Upper, but they aren't min (0) or max ({most}) value! "
                "This is an invalid constant range."
            )

    @property
    def register(self) -> str:
        """The register's name in PTX, with the `%`."""
        return SPECIAL_REGISTERS[self.name.removeprefix(PREFIX)]

    @classmethod
    def parse(cls, parser: Parser) -> SpecialRegisterOperation:
        """Parse everything after the operation's name."""
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("range"):
            properties["range"] = ConstantRangeAttr.new(ConstantRangeAttr.parse_parameters(parser))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.create(result_types=[parser.parse_type()], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        if self.range is not None:
            printer.print_string(" range ")
            self.range.print_parameters(printer)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.res.type)


def result_type(register: str) -> IntegerType:
    """The type that PTX gives a register: `i64` for the wide counters, else `i32`."""
    return i64 if register in _WIDE else i32


@cache
def sreg_op(register: str) -> type[SpecialRegisterOperation]:
    """The operation class that reads a register, by its suffix (`tid.x`).

    Raises:
        KeyError: there is no such register.
    """
    if register not in SPECIAL_REGISTERS:
        raise KeyError(register)
    words = "".join(part.capitalize() for part in register.split("."))
    body: dict[str, object] = {
        "name": PREFIX + register,
        "__doc__": f"Read `{SPECIAL_REGISTERS[register]}`.",
        "__module__": __name__,
        "traits": traits_def(*(() if register in _CHANGING else (Pure(),))),
    }
    return irdl_op_definition(type(f"Read{words}Op", (SpecialRegisterOperation,), body))
