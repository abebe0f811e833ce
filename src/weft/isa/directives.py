"""The directives of PTX: what each says, how it is written, and where it exists.

Sources: PTX manual, chapters "Directives" and "Linking Directives"; windows are ptxas's own answers where they differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from weft.isa.target import Window, window


class DirectiveFacts(NamedTuple):
    """One directive: its name with the dot, its syntax, a sentence, where it may be, and its window."""

    name: str
    syntax: str
    summary: str
    place: str
    window: Window


_TABLE = """
.version | .version 8.6 | PTX version of the module | header | 1.0 -
.target | .target sm_90a, debug | architecture and options of the module | header | 1.0 -
.address_size | .address_size 64 | size of addresses in bits | header | 2.3 -
.entry | .entry name(parameters) { ... } | a kernel | module | 1.0 -
.func | .func (returns) name(parameters) { ... } | a function, or its declaration | module | 1.0 -
.alias | .alias name, function; | an alias of a function | module | 6.3 30+
.extern | .extern declaration | a name that another module defines | module | 1.0 -
.visible | .visible declaration | a name that other modules see | module | 1.0 -
.weak | .weak declaration | a name that other modules see and may redefine | module | 3.1 -
.common | .common .global .b32 x; | a global variable that several modules define as one | module | 5.0 -
.file | .file 1 "k.cu" | number of a source file | module | 1.0 -
.section | .section .debug_info { ... } | debug data | module | 2.0 -
.loc | .loc 1 12 5 | source line of the following instructions | module or body | 1.0 -
.pragma | .pragma "nounroll"; | a hint for ptxas | module, function or body | 2.0 -
.reg | .reg .b32 %r<8>; | registers | body or parameter | 1.0 -
.global | .global .align 16 .b8 x[64]; | a variable in global memory | module | 1.0 -
.const | .const .b32 x = 1; | a variable in constant memory | module | 1.0 -
.shared | .shared .b8 x[1024]; | a variable in shared memory | module or body | 1.0 -
.local | .local .b8 x[16]; | a variable in local memory | body | 1.0 -
.param | .param .u64 x | a parameter of a function or of a call | function or body | 1.0 -
.tex | .tex .u32 x; | a texture (obsolete; use .global .texref) | module | 1.0 -
.align | .align 16 | alignment of a variable or parameter in bytes | declaration | 1.0 -
.attribute | .attribute(.managed) | an attribute of a variable or function | declaration | 4.0 30+
.maxntid | .maxntid x, y, z | maximum number of threads of a CTA | function | 1.3 -
.reqntid | .reqntid x, y, z | number of threads of a CTA | function | 2.1 -
.minnctapersm | .minnctapersm n | minimum CTAs per multiprocessor; needs .maxntid or .reqntid | function | 2.0 -
.maxnctapersm | .maxnctapersm n | maximum number of CTAs per multiprocessor (obsolete) | function | 1.3 - 2.0
.maxnreg | .maxnreg n | maximum number of registers per thread | function | 1.3 -
.local_maxnreg | .local_maxnreg n | maximum number of registers per thread in this function | function | 8.8 -
.noreturn | .noreturn | the function does not return | function | 6.4 30+
.abi_preserve | .abi_preserve n | number of registers preserved | function | 9.0 80+
.abi_preserve_control | .abi_preserve_control n | number of control registers preserved | function | 9.0 80+
.explicitcluster | .explicitcluster | the launch must specify the cluster size | function | 7.8 90+
.reqnctapercluster | .reqnctapercluster x, y, z | number of CTAs of a cluster | function | 7.8 90+
.maxclusterrank | .maxclusterrank n | maximum number of CTAs of a cluster | function | 7.8 90+
.blocksareclusters | .blocksareclusters | the grid is given in clusters of .reqnctapercluster | function | 9.0 90+
.branchtargets | label: .branchtargets a, b; | the targets of brx.idx | body | 6.0 30+
.calltargets | label: .calltargets f, g; | the functions that an indirect call may reach | body | 2.1 20+
.callprototype | label: .callprototype (returns) _ (parameters); | the prototype of an indirect call | body | 2.1 20+
"""


def _directives() -> dict[str, DirectiveFacts]:
    table: dict[str, DirectiveFacts] = {}
    for line in _TABLE.strip().splitlines():
        name, syntax, summary, place, where = (part.strip() for part in line.split(" | "))
        ptx, sm, *until = where.split()
        found = window(ptx, "" if sm == "-" else sm, until[0] if until else "")
        table[name] = DirectiveFacts(name, syntax, summary, place, found)
    return table


DIRECTIVES: Mapping[str, DirectiveFacts] = _directives()
"""Every directive by name."""
