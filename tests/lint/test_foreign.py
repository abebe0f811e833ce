"""What is taken for assembly of another machine, and for PTX that is newer than the table."""

from __future__ import annotations

import pytest

from weft.isa import decode
from weft.lint.foreign import is_ptx, newer_word


@pytest.mark.parametrize(
    ("text", "ptx"),
    [
        ("", True), ("// cpuid", True), ("/* cpuid\n*/", True), ("ret;", True), ("mov.u32 %0, %1;", True), ("{ ret; }", True),
        ("@%p bra L;", True), ("@!p bra L;", True), ("L: ret;", True), ("x; ret", True), ("cpuid\nret", True), (".reg .b32 x;", True),
        (".pragma \"nounroll\";", True), ("movv.u32 a, b;", True), ("cp.async.x [a];", True), ("cpuid", False), ("/* ret */ cpuid", False),
        (".text", False), ("movl %eax, %ebx", False), ("rdtsc; lfence", False), ("movv a, b;", False), ("dmb.ish sy", False),
        ("@p cpuid", False), ("L1: cpuid", False), ("cpuid // ret", False), ("a::b", False),
    ],
)  # fmt: skip
def test_what_looks_like_ptx(text: str, ptx: bool) -> None:
    """A template of which one statement is an instruction, a directive, or nearly one with a modifier."""
    assert is_ptx(text) is ptx


@pytest.mark.parametrize(
    ("written", "word"),
    [
        ("add.u32", ""), ("add.u33", ""), ("addd.u32", ""), ("frobnicate.b32", "frobnicate"), ("frobnicate", "frobnicate"),
        ("cp.frobnicate.b32", "cp.frobnicate.b32"), ("mma.sync.aligned.m16n8k16.frobnicate", "frobnicate"), ("add.frobn", ""),
        ("add.frobni", "frobni"), ("ld.global.L1::evict_frist.b32", ""), ("ld.global.L1::frobnicate.b32", "L1::frobnicate"),
        ("ld.global.L1::evict_first::x.b32", "L1::evict_first::x"), ("ld.relaxde.gpu.b32", ""), ("ld.frobnicate.zzzzzzzz.b32", "frobnicate"),
    ],
)  # fmt: skip
def test_words_that_are_newer_than_the_table(written: str, word: str) -> None:
    """Of six letters and more, and unlike all that the table has; short ones are taken for slips."""
    assert newer_word(decode(written)) == word
