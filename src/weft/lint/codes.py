"""The codes of lint's findings: those of the verifier, and what only inline assembly has."""

from __future__ import annotations

from weft.ptx.verifier.codes import CODES as PTX_CODES
from weft.report import Code


def _function(statement: str, parameters: str = "int* p, unsigned a, unsigned long long b") -> str:
    return f"__device__ void f({parameters}) {{\n    unsigned d;\n    {statement}\n}}"


OWN: dict[str, Code] = {
    "asm": Code(
        "an asm statement that cannot be read",
        "nvcc does not accept the statement or an operand in its template: %0, %1... are operands, and %% is "
        "a percent sign if there are operands; nvcc supports neither named operands nor clobbers other than "
        "memory.",
        "The message shows what was found.",
        _function('asm("mov.u32 %0, %r1;" : "=r"(d));'),
    ),
    "constraint": Code(
        "a constraint that does not match its operand",
        "The constraint selects the register for the value: h 16, r 32, l 64, q 128 bits, f "
        "and d for float and "
        "double, n a constant. It must match both the instruction and the C++ type.",
        "Use a constraint in the hint.",
        _function('asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "l"(b));'),
    ),
    "direction": Code(
        "an input that is written, or an output that is only read",
        'The compiler assumes that inputs do not change and that the old value of an output with "=" is dead, so it '
        "silently generates wrong code.",
        'Use "+" for outputs that are also read; inputs come after the second colon.',
        _function('asm("add.u32 %0, %0, %1;" : "=r"(d) : "r"(a));'),
    ),
    "generic-pointer": Code(
        "a generic pointer in an instruction with a state space",
        "C++ pointers are generic addresses; instructions with .shared, .local or .const need an address in that "
        "space, and fault or access other data with a generic one.",
        "Convert it with __cvta_generic_to_shared (or cvta.to.shared), or drop the state space.",
        _function('asm volatile("st.shared.u32 [%0], %1;" :: "l"(p), "r"(a) : "memory");'),
    ),
    "scope": Code(
        "a register or label outside braces",
        "If the function is inlined twice or a loop around the statement is unrolled, its text appears "
        "twice in one scope "
        "and ptxas rejects the second declaration.",
        "Put the PTX of the statement into { }.",
        _function('asm volatile(".reg .u32 t; mov.u32 t, %0;" :: "r"(a));'),
    ),
    "unused": Code(
        "an unused operand or register",
        "An unused operand usually means that the operand numbers are wrong.",
        "Use it, or remove it.",
        _function('asm("add.u32 %0, %1, 1;" : "=r"(d) : "r"(a), "l"(b));'),
    ),
    "volatile": Code(
        "a statement with side effects that is not volatile",
        "Without volatile, the compiler may remove the statement if its outputs are unused, merge it "
        "with an identical one, "
        "or move it out of loops: it does not see effects on memory, barriers and clocks.",
        "Write asm volatile.",
        _function('asm("ld.global.u32 %0, [%1];" : "=r"(d) : "l"(p));'),
    ),
    "clobber": Code(
        "a statement that writes or orders memory without clobbering it",
        "The compiler may keep values from memory in registers across the statement, and move loads and "
        "stores over it. It "
        "is a note if the statement is volatile, since volatile statements keep their order.",
        'Add the clobber "memory".',
        _function('asm("st.global.u32 [%0], %1;" :: "l"(p), "r"(a));'),
    ),
}

CODES: dict[str, Code] = PTX_CODES | OWN
"""Every code that lint reports, by name; names are stable."""
