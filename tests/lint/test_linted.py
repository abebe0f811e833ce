"""What is told of a whole text: how many statements there are, where each begins, and where findings end."""

from __future__ import annotations

from weft.lint import lint

TEXT = """__device__ void f(int a) {
  asm("ret;"); asm(
    "bra nowhere;"
    "ret;"
  );
  asm volatile ("cpuid");

  asm
  ("x" : : : : );
  asm("bra
}
asm("ret;"
"""


def test_statements_of_a_text() -> None:
    """Those that cannot be read are counted; a line belongs to the last statement on it that can."""
    found = lint(TEXT, "k.cu")
    assert found.statements == 6
    assert found.begins == {2: 2, 3: 2, 4: 2, 5: 2, 6: 6}
    assert [(one.line, one.column, one.end_column, one.code) for one in found.findings] == [
        (3, 10, 17, "label"),
        (9, 16, 17, "asm"),
        (10, 6, 7, "asm"),
        (12, 4, 5, "asm"),
    ]
    assert [(one.line, one.column, one.end_column, one.severity.value) for one in found.unjudged] == [(6, 3, 6, "note")]
    assert (lint("int x;").statements, lint("int x;").begins, lint("").findings) == (0, {}, ())


def test_findings_end_with_their_line() -> None:
    (one,) = lint('asm("bra \\\nnowhere;");').findings
    assert (one.line, one.column, one.end_column) == (2, 1, 8)
    assert lint('asm("bra nowhere;");\n', "k.cu").findings[0].position.file == "k.cu"


def test_what_all_ways_have_is_told() -> None:
    """Of what the preprocessor leaves of a statement: a finding in one way counts where its place is in no other."""
    body = 'asm(\n#if A\n"add.u32 %0, 1, 1;"\n#else\n"add.u33 %0, 1, 1;"\n#endif\n"bra there;" : "=r"(d));'
    text = f"void f(int d) {{ {body} }}"
    assert [(one.line, one.code) for one in lint(text).findings] == [(5, "modifier"), (7, "label")]
    some = text.replace('"bra there;"', "X").replace(
        "void", '#if B\n#define X "ret;"\n#else\n#define X "bra there;"\n#endif\nvoid'
    )
    assert [(one.line, one.code) for one in lint(some).findings] == [(10, "modifier")]
