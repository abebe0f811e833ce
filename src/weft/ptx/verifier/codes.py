"""The codes of the verifier's findings: what each means, why it is one, and a module that gives rise to it."""

from __future__ import annotations

from weft.report import Code


def _module(items: str, version: str = "8.0", target: str = "sm_90") -> str:
    return f".version {version}\n.target {target}\n.address_size 64\n{items}\n"


def _kernel(statement: str, version: str = "8.0", target: str = "sm_90", before: str = "") -> str:
    declared = ".reg .pred %p<2>; .reg .b32 %r<5>; .reg .b64 %rd<3>; .reg .f32 %f<3>;"
    return _module(
        f"{before}.visible .entry k(.param .u64 a)\n{{\n    {declared}\n    {statement}\n}}", version, target
    )


CODES: dict[str, Code] = {
    "file": Code(
        "a file that cannot be read",
        "There is none of this name, it may not be read, or it is a folder; the other files are judged.",
        "The message has what the system says; the exit status is 2.",
        "weft verify missing.ptx",
    ),
    "syntax": Code(
        "the text is not PTX",
        "The text cannot be read from here on, so nothing else in the file is judged.",
        "The message has what was found and what could be there.",
        _kernel("add.u32 %r1 %r2, %r3;"),
    ),
    "version": Code(
        "the PTX version is not known",
        "ptxas does not know the number after .version; nothing else in the module can be judged.",
        "Write a version that exists, such as 8.0; `weft requires` says which one the module needs at least.",
        _kernel("ret;", version="8.99"),
    ),
    "target": Code(
        "the target or one of its options is not known",
        "The words after .target are an architecture and options of it.",
        "Write an architecture such as sm_90 or sm_100a.",
        _kernel("ret;", target="sm_91"),
    ),
    "target-version": Code(
        "the PTX version does not have the target",
        "Each architecture exists from some PTX version on.",
        "Raise .version to what the hint says, or choose an older target.",
        _kernel("ret;", version="7.0", target="sm_90"),
    ),
    "opcode": Code(
        "no such instruction",
        "The first word of the instruction is not in the table of the ISA.",
        "Look for the instruction with `weft isa`; it takes wildcards.",
        _kernel("addd.u32 %r1, %r2, %r3;"),
    ),
    "modifier": Code(
        "a modifier that the instruction does not have, or one that is missing",
        "The words after the instruction's name do not fit its syntax.",
        "`weft isa NAME` shows the syntax and what each modifier may be.",
        _kernel("add.sat2.s32 %r1, %r2, %r3;"),
    ),
    "combination": Code(
        "modifiers that cannot be combined",
        "Each modifier exists, but no target has the instruction with all of them.",
        "`weft isa NAME` lists the legal combinations.",
        _kernel("ldmatrix.sync.aligned.m16n16.x1.shared.b16 {%r1, %r2}, [%r3];", version="8.6", target="sm_100a"),
    ),
    "window": Code(
        "the instruction needs a newer PTX version or another target",
        "What is written exists, but not at the module's .version and .target.",
        "`weft requires` says which version and targets the module needs, and which instructions force them.",
        _kernel("wgmma.fence.sync.aligned;", target="sm_90"),
    ),
    "modifier-order": Code(
        "modifiers in an order that is not the manual's (ptxas accepts it)",
        "ptxas ignores the order of most modifiers; other readers of PTX may not.",
        "`weft fmt` writes the manual's order, which the hint has.",
        _kernel("ld.u32.global %r1, [%rd1];"),
    ),
    "extern-memory": Code(
        "more constant or shared memory than there is, with the variables of other modules (ptxas -c accepts it)",
        "In a whole program, ptxas counts .extern variables with the module's own and refuses more than there is.",
        "Compile with `ptxas -c` and link, or move the data to .global.",
        _module(".extern .const .b8 table[70000];"),
    ),
    "tolerated": Code(
        "an operand that the manual does not allow (ptxas accepts it)",
        "ptxas assembles it; what it then does is documented nowhere.",
        "Write what the manual has.",
        _kernel("ld.global.u32 %r1, [h];", before=".global .b32 g[4];\n").replace(
            "ld.global.u32 %r1, [h];", "{ .reg .b16 %h; ld.global.u32 %r1, [%h]; }"
        ),
    ),
    "operand-count": Code(
        "too few or too many operands",
        "The form of the instruction that the modifiers select takes another number of operands.",
        "The hint names the operands in the manual's order.",
        _kernel("add.u32 %r1, %r2;"),
    ),
    "operand-kind": Code(
        "an operand of the wrong kind",
        "A register, an immediate, an address, a vector or a name is where another of these is required.",
        "`weft isa OPCODE` says what each operand is.",
        _kernel("st.global.u32 %rd1, %r1;"),
    ),
    "operand-type": Code(
        "an operand whose type does not fit",
        "A register's declared type and the instruction's type must agree in width, and in kind where both are typed; "
        "a literal must be one of the type.",
        "Declare the register with the type of the hint, or convert with cvt or mov.",
        _kernel("add.f32 %f1, %f2, %rd1;"),
    ),
    "vector-width": Code(
        "a vector operand with the wrong number of elements",
        "The modifiers say how many elements a vector has.",
        "Write that many elements, or other modifiers.",
        _kernel("ld.global.v4.u32 {%r1, %r2}, [%rd1];"),
    ),
    "immediate": Code(
        "an immediate outside the allowed values",
        "The operand is a literal of which only some values are legal.",
        "The hint has the values.",
        _kernel("cp.async.cg.shared.global [%r1], [%rd1], 12;"),
    ),
    "undeclared": Code(
        "a name that is not declared",
        "Names must be declared before their use, in the scope or one around it.",
        "Declare it; of `.reg .b32 %r<5>` the last register is %r4.",
        _kernel("mov.u32 %r5, 0;"),
    ),
    "redeclared": Code(
        "a name that is declared twice in one scope",
        "A name stands for one thing in a scope; scopes in braces may use it again.",
        "Give it another name, or put braces around the code.",
        _kernel(".reg .b64 %r1;"),
    ),
    "declaration": Code(
        "a declaration that is not legal",
        "The type, extent, alignment, initial value or linkage of a declaration is not one that ptxas takes there.",
        "The message says what does not fit.",
        _module(".global .align 3 .b32 g;"),
    ),
    "state-space": Code(
        "a variable in another state space than the instruction's",
        "An address in a named state space must be that of a variable there.",
        "Name the variable's space in the instruction, or convert the address with cvta.",
        _kernel("ld.shared.u32 %r1, [g];", before=".global .b32 g;\n"),
    ),
    "address": Code(
        "an address that the instruction cannot take",
        "The base of an address is a register of 32 or 64 bits, a variable, or a number in .local.",
        "Use a register declared .b64 or .b32.",
        _kernel("ld.global.u32 %r1, [%p1];"),
    ),
    "guard": Code(
        "a guard that is not a predicate",
        "The register after @ must be declared .pred.",
        "Make a predicate with setp.",
        _kernel("@%r1 ret;"),
    ),
    "label": Code(
        "a branch to a label that does not exist",
        "A label must be in the same function, in the branch's scope or one around it.",
        "Define the label, or correct its name.",
        _kernel("bra done;"),
    ),
    "directive": Code(
        "a directive that is not legal here",
        "The directives of a function exclude or demand one another, and only kernels have most of them.",
        "The message says what is missing or too much.",
        _module(".visible .entry k()\n.minnctapersm 2\n{\n    ret;\n}"),
    ),
    "call": Code(
        "a call that does not fit its callee",
        "Arguments and return values must be as many, and of the types, as the callee declares.",
        "Compare the call with the callee's declaration or prototype.",
        _kernel("call f, (%r1);", before=".extern .func f();\n"),
    ),
    "suppression": Code(
        "a comment that disables a code that does not exist",
        "`// weft: disable=CODE` at the end of a line holds for that line, on a line of its own for the next one, and "
        "above .version for the whole file.",
        "Correct the code; separate several by commas.",
        _kernel("ret; // weft: disable=modifer-order"),
    ),
}
"""Every code, by name; names are stable."""
