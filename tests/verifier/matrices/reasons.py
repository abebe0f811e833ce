"""Why the verifier answers otherwise than ptxas on some probes: one class of differences each."""

from __future__ import annotations

import re
from typing import NamedTuple


class Reason(NamedTuple):
    """A class of differences: its name, whether ptxas accepts, the labels it covers, and why it is left."""

    name: str
    accepted: bool
    labels: re.Pattern[str]
    why: str


def _reason(name: str, pattern: str, why: str, *, accepted: bool = True) -> Reason:
    return Reason(name, accepted, re.compile(pattern, re.DOTALL), why)


_HANDLE = r"\[(?:tx|sf|kt)\b"
_PACKED = r"\.(?:f32x2|[us]16x2|s2f6x2|ue8m0x[24]|e\dm\d(?:x[24])?) "
REASONS = (
    _reason(
        "packed type",
        _PACKED,
        "ptxas does not look at the type there, but its code generator crashes on kernels that have such a declaration",
    ),
    _reason(
        "handle as memory",
        _HANDLE,
        "a texture or surface reference has no bytes in memory; ptxas looks at that for ld and st only, and in a "
        "function that no kernel calls it generates no code for the rest",
    ),
    _reason(
        "fence of anything",
        r"fence\.proxy\.tensormap::generic\.acquire\.gpu \[(?!%p1)",
        "ptxas does not look at the address of fence.proxy.tensormap; the manual wants one in generic memory",
    ),
    _reason(
        "fence of a predicate",
        r"fence\.proxy\.tensormap::generic\.acquire\.gpu \[%p1\]",
        "addresses of tensor maps may be registers of any type here, of which ptxas excludes predicates only",
        accepted=False,
    ),
    _reason(
        "matrix outside shared memory",
        r"ldmatrix\.sync\.aligned\.m8n8\.x1\.b16",
        "ldmatrix reads shared memory; ptxas does not look where a variable of a generic address lies",
    ),
    _reason(
        "no code for functions that are not called",
        r"^\.func  (?:mov\.b(?:32|64) \S+, pv\+4|ld\.param::entry|prefetch\.param\.tensormap \[fr\]|cvt\.u64\.u32)",
        "in a kernel ptxas refuses it; of a function that no kernel calls it generates no code",
    ),
    _reason(
        "function as a number",
        r"(?:mov|not)\.pred %p2, |^\.entry e cvt\.u64\.u32",
        "ptxas takes a function for a constant; the address of one does not fit a predicate",
    ),
    _reason(
        "narrow callee", r"call %[ru]1, T", "an address of a function has 64 bits; a register of 32 cannot hold it"
    ),
    _reason(
        "byte as an mbarrier",
        r"cp\.async\.bulk\S+ \[%r9\], \[%rd9\], %r8, \[%c1\]",
        "ptxas refuses a register of 16 bits there, and lets one of 8 bits pass",
    ),
    _reason(
        "nanosleep of an address",
        r"nanosleep\.u32 ",
        "ptxas takes addresses and registers with an offset for constants everywhere else",
        accepted=False,
    ),
    _reason(
        "istypep with an offset",
        r"istypep\.texref %p2, \w+\+",
        "elsewhere ptxas takes a name with an offset for the name's address",
        accepted=False,
    ),
    _reason(
        "variable of a body as a tensor map",
        r"prefetch\.param\.tensormap \[pv\]",
        "the address is in .param space; that it must be the kernel's is said by ptxas's code generator",
        accepted=False,
    ),
    _reason(
        "numbers from 2^63 on",
        r"9223372036854775808|18446744073709551615|18446744073709551616|0x10{16}|0xF{16}|01777777777777777777777"
        r"|02000000000000000000000",
        "ptxas reads them as negative numbers and lets them pass as counts, extents, lines and bytes",
    ),
    _reason(
        ".target in a body",
        r"[{;] .*\.target sm_",
        "ptxas passes over a .target between statements; the manual has it in the header only",
    ),
    _reason(
        "registers of a module",
        r"^1\.4 sm_13: \.reg \.b32 g;",
        "PTX before 3.0 had .reg at module level, without functions that keep to the ABI; no compiler has written it",
    ),
    _reason(
        "unknown target",
        r"\.target sm_90b",
        "asked to assemble for sm_90b, ptxas warns and takes its default target",
    ),
    _reason(
        "addresses of 32 bits",
        r"\.address_size 32",
        "ptxas 13 assembles no 32-bit code; where older ones did, before sm_75, the verifier accepts it",
        accepted=False,
    ),
    _reason(
        "byte order mark",
        "\ufeff",
        "editors put it in front of a text, and it means nothing; ptxas takes it for a word",
        accepted=False,
    ),
)


def reason_of(label: str, *, accepted: bool) -> Reason | None:
    """The class that a difference belongs to."""
    found = (reason for reason in REASONS if reason.accepted == accepted and reason.labels.search(label))
    return next(found, None)
