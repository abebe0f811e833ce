"""Made-up statements: every one that a manual page shows is PTX."""

from __future__ import annotations

import re
from collections import defaultdict

import weft
from weft.errors import ToolError
from weft.isa import families
from weft.isa.opcode import Variant
from weft.isa.registry import compiled_forms
from weft.isa.target import NEWEST, TARGETS, Version
from weft.ptx.sample import sample_statement, sample_variants
from weft.toolchain import Tool, assemble

DECLARATIONS = (
    ".reg .pred %p<9>; .reg .b8 %c<9>; .reg .b16 %rs<140>; .reg .b32 %r<300>; .reg .b64 %rd<140>; "
    ".reg .f32 %f<300>; .reg .f64 %fd<140>;"
)
WIDE = " .reg .b128 %rq<9>;"
LABELLED = ("bra", "brx.idx", "call")
"""What names a label or a directive, so that no statement of it stands alone."""


def samples() -> list[Variant]:
    stems = [stem for stem in sorted(families()) if stem not in LABELLED]
    return [variant for stem in stems for form in compiled_forms(stem) for variant in sample_variants(form)]


def place(variant: Variant) -> tuple[str, Version] | None:
    """A target and version that have the variant, among those that ptxas still assembles for."""
    for window in variant.windows():
        version = window.until or NEWEST
        for name in TARGETS:
            if TARGETS[name].number >= 75 and TARGETS[name].number != 101 and window.admits(name, version):
                return name, version
    return None


def test_ptxas_takes_each(ptxas: Tool) -> None:
    groups: defaultdict[tuple[str, Version], list[str]] = defaultdict(list)
    for variant in samples():
        where = place(variant)
        if where is not None:
            groups[where].append(f"{sample_statement(variant)};")
    assert sum(map(len, groups.values())) > 800
    for (target, version), statements in groups.items():
        registers = DECLARATIONS + (WIDE if version >= (8, 3) else "")
        head = f".version {version}\n.target {target}\n.address_size 64\n.visible .entry k()\n{{\n{registers}\n"
        text = head + "\n".join(statements)
        found = weft.verify(weft.parse(text + "\nret;\n}\n"))
        assert all("converts 32-bit addresses" in item.message for item in found)  # A warning.
        try:  # The last statement stops ptxas before it generates code.
            assemble(text + "\nadd.u32 %poison;\n}\n", target=target.replace("sm_", "compute_"))
        except ToolError as error:
            refused = {int(line) for line in re.findall(r"line (\d+); (?:error|fatal)", error.output)}
        assert refused == {len(text.splitlines()) + 1}, [text.splitlines()[n - 1] for n in refused][:3]


def test_they_are_short() -> None:
    (first, second) = (form for form in compiled_forms("ldmatrix"))
    assert [sample_statement(variant) for form in (first, second) for variant in sample_variants(form)] == [
        "ldmatrix.sync.aligned.m8n8.x1.b16 {%r0}, [%rd0]",
        "ldmatrix.sync.aligned.m16n16.x1.trans.b8 {%r0, %r1}, [%rd0]",
        "ldmatrix.sync.aligned.m8n16.x1.b8x16.b6x16_p32 {%r0}, [%rd0]",
        "ldmatrix.sync.aligned.m16n16.x1.trans.b8x16.b6x16_p32 {%r0, %r1}, [%rd0]",
    ]
