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
        "The file does not exist, is not readable, or is a directory; the other files are still checked.",
        "Check the path; the message contains the system's error, and the exit status is 2.",
        "weft verify missing.ptx",
    ),
    "syntax": Code(
        "text that is not PTX",
        "The text cannot be parsed from here on, so nothing else in the file is checked.",
        "The message shows what was found and what was expected.",
        _kernel("add.u32 %r1 %r2, %r3;"),
    ),
    "version": Code(
        "an unknown PTX version",
        "The number after .version is not a PTX version; nothing else in the module can be checked.",
        "Write an existing version, such as 8.0; `weft requires` shows the oldest one that the module needs.",
        _kernel("ret;", version="8.99"),
    ),
    "target": Code(
        "an unknown target or target option",
        "The words after .target must be an architecture and its options.",
        "Write an architecture such as sm_90 or sm_100a.",
        _kernel("ret;", target="sm_91"),
    ),
    "target-version": Code(
        "a target that the PTX version does not support",
        "Each architecture needs a minimum PTX version.",
        "Raise .version to the version in the hint, or choose an older target.",
        _kernel("ret;", version="7.0", target="sm_90"),
    ),
    "opcode": Code(
        "an unknown instruction",
        "The first word of the instruction is not in the instruction table.",
        "Search for the instruction with `weft isa`, which takes wildcards.",
        _kernel("addd.u32 %r1, %r2, %r3;"),
    ),
    "modifier": Code(
        "an unknown or missing modifier",
        "The modifiers after the instruction's name do not match its syntax.",
        "`weft isa NAME` shows the syntax and the values of each modifier.",
        _kernel("add.sat2.s32 %r1, %r2, %r3;"),
    ),
    "combination": Code(
        "modifiers that cannot be combined",
        "Each modifier exists, but no target supports the instruction with all of them.",
        "`weft isa NAME` lists the legal combinations.",
        _kernel("ldmatrix.sync.aligned.m16n16.x1.shared.b16 {%r1, %r2}, [%r3];", version="8.6", target="sm_100a"),
    ),
    "window": Code(
        "an instruction that needs a newer PTX version or another target",
        "The instruction exists, but not for the module's .version and .target.",
        "`weft requires` shows the version and targets that the module needs, and which instructions force them.",
        _kernel("wgmma.fence.sync.aligned;", target="sm_90"),
    ),
    "modifier-order": Code(
        "modifiers out of the manual's order (ptxas accepts it)",
        "ptxas ignores the order of most modifiers; other PTX parsers may not.",
        "Use the order in the hint, or run `weft fmt`.",
        _kernel("ld.u32.global %r1, [%rd1];"),
    ),
    "extern-memory": Code(
        "too much constant or shared memory, including variables of other modules (ptxas -c accepts it)",
        "For a whole program, ptxas adds .extern variables to the module's own and rejects more than the target has.",
        "Compile with `ptxas -c` and link, or move the data to .global.",
        _module(".extern .const .b8 table[70000];"),
    ),
    "tolerated": Code(
        "an operand that the manual does not allow (ptxas accepts it)",
        "ptxas assembles it, but its behaviour is undocumented.",
        "Write what the manual allows.",
        _kernel("ld.global.u32 %r1, [h];", before=".global .b32 g[4];\n").replace(
            "ld.global.u32 %r1, [h];", "{ .reg .b16 %h; ld.global.u32 %r1, [%h]; }"
        ),
    ),
    "operand-count": Code(
        "too few or too many operands",
        "The form of the instruction selected by the modifiers takes a different number of operands.",
        "The hint lists the operands in the manual's order.",
        _kernel("add.u32 %r1, %r2;"),
    ),
    "operand-kind": Code(
        "an operand of the wrong kind",
        "The instruction requires a different kind of operand: register, immediate, address, vector or name.",
        "`weft isa OPCODE` shows the kind of each operand.",
        _kernel("st.global.u32 %rd1, %r1;"),
    ),
    "operand-type": Code(
        "an operand whose type does not match",
        "The register's type must match the instruction's type in width and, if both are typed, in kind; "
        "a literal must be of that type.",
        "Declare the register with the type in the hint, or convert with cvt or mov.",
        _kernel("add.f32 %f1, %f2, %rd1;"),
    ),
    "vector-width": Code(
        "a vector operand with the wrong number of elements",
        "The modifiers determine the number of elements of a vector.",
        "Write that many elements, or change the modifiers.",
        _kernel("ld.global.v4.u32 {%r1, %r2}, [%rd1];"),
    ),
    "immediate": Code(
        "an immediate outside the allowed values",
        "Only some literal values are legal for this operand.",
        "Use a value in the hint.",
        _kernel("cp.async.cg.shared.global [%r1], [%rd1], 12;"),
    ),
    "undeclared": Code(
        "a name that is not declared",
        "Names must be declared before use, in the same or an enclosing scope.",
        "Declare it; the last register of `.reg .b32 %r<5>` is %r4.",
        _kernel("mov.u32 %r5, 0;"),
    ),
    "redeclared": Code(
        "a name that is declared twice in one scope",
        "A name can be declared only once in a scope; nested scopes in braces can declare it again.",
        "Give it another name, or put braces around the code.",
        _kernel(".reg .b64 %r1;"),
    ),
    "declaration": Code(
        "an illegal declaration",
        "ptxas rejects the type, extent, alignment, initial value or linkage of this declaration.",
        "The message shows what is wrong.",
        _module(".global .align 3 .b32 g;"),
    ),
    "state-space": Code(
        "a variable in a different state space than the instruction's",
        "An instruction with a state space needs the address of a variable in that space.",
        "Use the variable's space in the instruction, or convert the address with cvta.",
        _kernel("ld.shared.u32 %r1, [g];", before=".global .b32 g;\n"),
    ),
    "address": Code(
        "an address that the instruction cannot take",
        "The base of an address must be a register of 32 or 64 bits, a variable, or a number in .local.",
        "Use a register declared .b64 or .b32.",
        _kernel("ld.global.u32 %r1, [%p1];"),
    ),
    "guard": Code(
        "a guard that is not a predicate",
        "The register after @ must be declared .pred.",
        "Compute a predicate with setp.",
        _kernel("@%r1 ret;"),
    ),
    "label": Code(
        "a branch to a label that does not exist",
        "A label must be in the same function, in the same or an enclosing scope.",
        "Define the label, or correct its name.",
        _kernel("bra done;"),
    ),
    "directive": Code(
        "a directive that is illegal here",
        "Some directives of a function exclude or require each other, and most are for kernels only.",
        "The message shows what is missing or not allowed.",
        _module(".visible .entry k()\n.minnctapersm 2\n{\n    ret;\n}"),
    ),
    "call": Code(
        "a call that does not match its callee",
        "Arguments and return values must match the callee's declaration in number and type.",
        "Compare the call with the callee's declaration or prototype.",
        _kernel("call f, (%r1);", before=".extern .func f();\n"),
    ),
    "suppression": Code(
        "a comment that disables an unknown code",
        "`// weft: disable=CODE` applies to its line, on a line of its own to the next line, and "
        "above .version to the whole file.",
        "Correct the code; separate several codes by commas.",
        _kernel("ret; // weft: disable=modifer-order"),
    ),
}
"""Every code, by name; names are stable."""
