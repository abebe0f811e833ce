"""The codes of lint's findings: those of the verifier, and what only inline assembly has."""

from __future__ import annotations

from weft.ptx.verifier.codes import CODES as PTX_CODES
from weft.report import Code


def _function(statement: str, parameters: str = "int* p, unsigned a, unsigned long long b") -> str:
    return f"__device__ void f({parameters}) {{\n    unsigned d;\n    {statement}\n}}"


OWN: dict[str, Code] = {
    "asm": Code(
        "an asm statement that cannot be read",
        "The statement, or an operand in its template, is not what nvcc takes: %0, %1... stand for operands, and %% "
        "for a percent sign where there are operands; nvcc has neither names of operands nor other clobbers than "
        "memory.",
        "The message has what was found.",
        _function('asm("mov.u32 %0, %r1;" : "=r"(d));'),
    ),
    "constraint": Code(
        "a constraint that does not fit its operand",
        "The constraint is the register that the value is passed in: h 16, r 32, l 64, q 128 bits, f "
        "and d for float and "
        "double, n a constant. It must fit both the instruction and the C++ type.",
        "The hint has the constraints that fit.",
        _function('asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "l"(b));'),
    ),
    "direction": Code(
        "an operand that is written and is an input, or the other way round",
        'The compiler takes an input for unchanged, and the old value of an output with "=" for dead: what it computes '
        "from them is wrong without a message.",
        'Outputs that are read as well are "+"; inputs come after the second colon.',
        _function('asm("add.u32 %0, %0, %1;" : "=r"(d) : "r"(a));'),
    ),
    "generic-pointer": Code(
        "a generic pointer in an instruction with a state space",
        "A C++ pointer is a generic address; instructions with .shared, .local or .const take addresses within that "
        "space, and fault or reach other data with a generic one.",
        "Convert it with __cvta_generic_to_shared (or cvta.to.shared), or leave the state space out.",
        _function('asm volatile("st.shared.u32 [%0], %1;" :: "l"(p), "r"(a) : "memory");'),
    ),
    "scope": Code(
        "a register or label outside braces",
        "When the function is inlined twice, or a loop around the statement unrolled, its text appears "
        "twice in one scope "
        "and ptxas refuses the second declaration.",
        "Put the PTX of the statement into { }.",
        _function('asm volatile(".reg .u32 t; mov.u32 t, %0;" :: "r"(a));'),
    ),
    "unused": Code(
        "an operand or register that nothing uses",
        "What is passed and never used is usually a mistake in the operands' numbers.",
        "Use it, or remove it.",
        _function('asm("add.u32 %0, %1, 1;" : "=r"(d) : "r"(a), "l"(b));'),
    ),
    "volatile": Code(
        "a statement with effects that is not volatile",
        "Without volatile the compiler may remove the statement when its outputs are unused, take one "
        "for two alike, and "
        "move it out of loops: it sees nothing of memory, barriers and clocks.",
        "Write asm volatile.",
        _function('asm("ld.global.u32 %0, [%1];" : "=r"(d) : "l"(p));'),
    ),
    "clobber": Code(
        "a statement that writes or orders memory and does not clobber it",
        "The compiler keeps values of memory in registers across the statement and may move loads and "
        "stores over it. It "
        "is a note where the statement is volatile, since those keep their order among themselves.",
        'Add the clobber "memory".',
        _function('asm("st.global.u32 [%0], %1;" :: "l"(p), "r"(a));'),
    ),
}

CODES: dict[str, Code] = PTX_CODES | OWN
"""Every code that lint reports, by name; names are stable."""
