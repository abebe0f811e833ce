"""Inline PTX in C++: the tokenizer, the places of findings, the rules, the command."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path

import pytest

from weft.cli import execute
from weft.errors import Severity
from weft.lint import CODES, lint
from weft.lint.codes import OWN

ROOT = Path(__file__).resolve().parents[2]


def found(text: str) -> list[tuple[str, str]]:
    """Each finding's code and the text that it points at."""
    lines = text.splitlines()
    return [(f.code, lines[f.line - 1][f.column - 1 : f.end_column - 1]) for f in lint(text).findings]


def body(statement: str, parameters: str = "int *p, unsigned a, unsigned long long b, float x") -> str:
    return f"__device__ void f({parameters}) {{\n  unsigned d;\n  {statement}\n}}\n"


@pytest.mark.parametrize("code", OWN)
def test_the_example_of_each_code_has_it(code: str) -> None:
    assert code in {one for one, _ in found(OWN[code].example)}


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ('asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "l"(b));', [("constraint", "%2")]),
        ('asm("add.u32 %[o], %[i], %[j];" : [o] "=r"(d) : [i] "r"(a), [j] "l"(b));', [("asm", "%[o]")]),
        ('asm("{\\n\\t.reg .u32 t;\\n\\t" "add.u33 %0, t, 1;}" : "=r"(d));', [("modifier", ".u33")]),
        ('asm("{.reg .u32 t; mov.u32 %%t, t;}" ::);', [("asm", "%%")]),
        ('asm("{.reg .u32 t; mov.u32 %%t, t; mov.u32 %0, t;}" : "=r"(d));', [("undeclared", "%%t")]),
        ('asm("add.u32 %0, %1, 1;" : "=r"(d) : "f"(x));', [("constraint", "%1")]),
        ('asm("add.u32 %0, %1, 1;" : "=r"(b) : "r"(a));', [("constraint", '"=r"')]),
        ('asm("add.u32 %0, %3, 1;" : "=r"(d) : "r"(a));', [("asm", "%3")]),
        ('asm("mov.u32 %0, %r1;" : "=r"(d));', [("asm", "%r1")]),
        ('asm("add.u32 %0, %1, 1" : "=r"(d) : "r"(a));', [("syntax", "1")]),
        ('asm("add.u32 %0, %1, 1;" : "=r"(d) : "r"(a),);', [("asm", ",")]),
        ('asm("add.u32 %0, %1, 1;" : "=r"(d) : "r"(a) : "cc");', [("asm", '"cc"')]),
        ('asm("add.u32 %0, %1, 1;" : "=r"(d) : "r"(p[0] * 1.0f));', [("constraint", '"r"')]),
        ('asm("add.u32 %0, %1, 1;" : "=r"(d) : "r"(__cvta_generic_to_shared(p)));', [("constraint", '"r"')]),
        ('asm("add.u32 %0, %1, 1;" : "=r"(a + d) : "r"(a));', [("constraint", '"=r"')]),
        ('int c = f(1, 2), v[4], *w; asm("add.u32 %0, %1, 1;" : "=r"(c) : "r"(v));', [("constraint", '"r"')]),
        ('asm("add.u32 %0, %0, 1;" : "=r"(d));', [("direction", '"=r"')]),
        ('asm("add.u32 %0, 1, 1;" :: "r"(d));', [("direction", '"r"')]),
        ('asm volatile("L: bra L;");', [("scope", "L")]),
        ('asm volatile(R"({ .reg .u32 t; })");', [("unused", "t")]),
        ('asm("ld.shared.u32 %0, [%1];" : "=r"(d) : "l"(p) : "memory");', [("generic-pointer", '"l"')]),
        ('asm("ld.shared.u32 %0, [%1];" : "=r"(d) : "r"((unsigned)(size_t)p) : "memory");', [("generic-pointer", '"r"')]),
        ('asm("ld.shared.u32 %0, [%1];" : "=r"(d) : "l"(__cvta_generic_to_shared(p)) : "memory");', []),
        ('asm("wgmma.fence.sync.aligned; tcgen05.fence::before_thread_sync;" ::: "memory");',
         [("window", "tcgen05.fence::before_thread_sync")]),
    ],
)  # fmt: skip
def test_findings_point_into_the_string(statement: str, expected: list[tuple[str, str]]) -> None:
    assert found(body(statement)) == expected


@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("cp.async.wait_group %0;" :: "n"(N) : "memory");',
        'asm volatile("cp.async.cg.shared.global [%0], [%1], %2;" :: "r"(a), "l"(p), "n"(sizeof(T)) : "memory");',
        'asm("ld.global.u32 %0, [%1 + %2];" : "=r"(d) : "l"(p), "n"(16) : "memory");',
        'asm volatile("" : "+r"(d) :: "memory");',
        'asm volatile("{ .reg .pred P; L%=: setp.eq.u32 P, %0, 0; @P bra L%=; }" :: "r"(a));',
        'asm("mov.u32 %0, %laneid;" : "=r"(d));',
        'asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a) "r"(a));',
        'asm("{ .reg .b32 %x1; mov.b32 %x1, 0; }" ::: "memory");',
        'asm("mov.u32 %0, (%1 * 4);" : "=r"(d) : "n"(3));',
        'asm("mov.u32 %0, 0x%1;" : "=r"(d) : "n"(3));',
        'int v[4], *w; asm("add.u32 %0, %1, %2;" : "=r"(v[1]) : "r"(*w), "r"(*(unsigned*)&x));',
        'asm("mov.u32 %0, %%laneid;" : "=r"(d));',
        'asm("{ mov.u32 %0, %%tid.x; }" : "=r"(d) ::);',
        "// asm(\"nonsense\" : : );\n  char c = '\"'; int n = 1'000'000;",
        '#error it\'s "asm(" here\n',
        'asm("movl %%eax, %0" : "=a"(d));',
        'asm volatile("pause" ::: "memory");',
        '#define SUFFIX ".u32"\n asm("add" SUFFIX " %0, %1, 1;" : "=r"(d) : "r"(a));',
        '#define ADD(type) asm("add." #type " %0, %1, 1;" : "=r"(d) : "r"(a))',
    ],
)
def test_what_nvcc_takes_is_not_reported(statement: str) -> None:
    assert not [one for one in lint(body(statement)).findings if one.severity is not Severity.NOTE]


def test_both_branches_of_a_conditional_are_judged() -> None:
    text = body("""asm volatile("{"
#if FAST
    "add.u32 %0, %1, 1;"
#else
    "add.u33 %0, %1, 1;"
#endif
    "}" : "=r"(d) : "r"(a));""")
    assert found(text) == [("modifier", ".u33")]


def test_registers_of_one_statement_are_seen_by_the_next() -> None:
    text = body('asm volatile("{ .reg .b32 t;");\n asm volatile("mov.b32 t, %0;" :: "r"(a));\n asm volatile("}");')
    assert not found(text)


POINTERS = """
#ifdef __LP64__
#define PTR "l"
#else
#define PTR "r"
#endif
"""


@pytest.mark.parametrize(
    ("given", "statement", "expected"),
    [
        (POINTERS, 'asm("ld.global.nc.s32 %0, [%1];" : "=r"(r) : PTR(p));', []),
        (POINTERS, 'asm("ld.global.nc.s33 %0, [%1];" : "=r"(r) : PTR(p));', ["modifier"]),  # either way
        ("", 'asm("ld.global.nc.s32 %0, [%1];" : "=r"(r) : OF_ANOTHER_HEADER(p));', None),
        ("", 'asm("ld.global.nc.s32 %0, [%1];" : "=r"(r) : l(p));', ["asm"]),
    ],
)
def test_macros_as_constraints(given: str, statement: str, expected: list[str] | None) -> None:
    linted = lint(given + "__device__ void f(T p) { int r; " + statement + " }")
    assert [one.code for one in linted.findings] == (expected or [])
    assert [one.message for one in linted.unjudged] == (
        ["not checked: the constraint 'OF_ANOTHER_HEADER' is a macro from another file"] if expected is None else []
    )
    for one in linted.unjudged:
        assert one.code == "asm" == (one.position.source or "")[one.position.column - 1 :][: one.width]


def test_macros_are_read_across_their_lines() -> None:
    text = '#define F(d, a) \\\n  asm volatile("add.u33 %0, %1, 1;" \\\n    : "=r"(d) : "r"(a))\n'
    assert found(text) == [("modifier", ".u33")]


@pytest.mark.parametrize("comment", ["// weft: disable=modifier", "// weft: disable=all"])
def test_comments_disable_codes_for_a_whole_statement(
    comment: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "k.cuh"
    statement = 'asm("{"\n    "add.u33 %0, %1, 1;"\n   "}" : "=r"(d) : "r"(a));'
    path.write_text(body(statement))
    assert execute(["lint", str(path)]) == 1
    path.write_text(body(f"{comment}\n  {statement}"))
    assert execute(["lint", str(path)]) == 0
    path.write_text(f"// A header.\n{comment}\n\n{body(statement)}")
    assert execute(["lint", str(path)]) == 0
    path.write_text(body(statement) + comment + "\n")
    assert execute(["lint", str(path)]) == 1
    capsys.readouterr()


def test_formats(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("k.cu").write_text(body('asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "l"(b));'))
    assert execute(["lint", "."]) == 1
    assert "k.cu:3:24: error: 'add.u32': %2 is .b64 (constraint \"l\"), but operand b needs .u32 [constraint]" in (
        capsys.readouterr().err
    )
    assert execute(["lint", "--json", "k.cu"]) == 1
    (one,) = json.loads(capsys.readouterr().out)["findings"]
    assert (one["line"], one["column"], one["end_column"]) == (3, 24, 26)
    assert execute(["lint", "--format", "sarif", "k.cu"]) == 1
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["constraint"]
    assert execute(["lint", "--format", "github", "k.cu"]) == 1
    assert capsys.readouterr().out.startswith("::error file=k.cu,line=3,col=24,endColumn=26,")
    assert execute(["lint", "-t", "sm_91", "k.cu"]) == 2
    assert execute(["lint"]) == 2
    assert execute(["lint", "nothing.cu"]) == 2
    capsys.readouterr()


def test_notes_are_shown_on_demand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "k.cu"
    path.write_text(body('asm volatile("st.global.u32 [%0], %1;" :: "l"(p), "r"(a));'))
    assert execute(["lint", str(path)]) == 0
    assert "clobber" not in capsys.readouterr().err
    assert execute(["lint", "--notes", str(path)]) == 0
    assert "note: 'st' writes memory" in capsys.readouterr().err


def test_the_page_of_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["lint", "--explain", "all"]) == 0
    page = (ROOT / "docs/lint-codes.md").read_text()
    assert capsys.readouterr().out == page, "weft lint --explain all > docs/lint-codes.md"
    assert set(OWN) <= set(CODES)


@pytest.mark.parametrize(
    "text", ["asm(", 'asm("', 'asm("" :', 'asm volatile (R"x(', "asm(" * 500, 'asm("{"' * 50, "asm(#if"]
)
def test_broken_text_is_no_defect(text: str) -> None:
    lint(body(text))
    lint(text)


# -- headers of others ----------------------------------------------------------------------------------------

MISTAKES = ("dp2a.s32.s32", "tcgen05.cp", "cvt.u64.u32 %0")
"""Statements of CUTLASS 4.2 that are wrong: two that no compiler takes, and one that writes an input."""


def _headers(root: Path) -> tuple[int, list[str]]:
    statements, alarms = 0, list[str]()
    for path in sorted(root.rglob("*")):
        if path.suffix in (".h", ".hpp", ".cuh", ".inl") and path.is_file():
            text = path.read_text(errors="replace")
            linted = lint(text, str(path))
            statements += linted.statements
            lines = text.splitlines()
            for one in linted.findings:
                if one.severity is not Severity.NOTE:
                    near = "\n".join(lines[max(0, one.line - 3) : one.line])
                    if not any(word in near for word in MISTAKES):
                        alarms.append(str(one))
    return statements, alarms


@pytest.mark.slow
def test_headers_of_cccl_raise_no_alarm() -> None:
    spec = importlib.util.find_spec("nvidia")
    roots = [Path(p) / "cu13/include/cccl" for p in (spec.submodule_search_locations or ())] if spec else []
    root = next((path for path in roots if path.is_dir()), None)
    if root is None:
        pytest.skip("nvidia-cuda-cccl is not installed")
    statements, alarms = _headers(root)
    assert statements > 3000 and not alarms, alarms[:5]


@pytest.mark.slow
def test_headers_of_cutlass_raise_no_alarm() -> None:
    named = os.environ.get("CUTLASS_PATH")
    spec = importlib.util.find_spec("cutlass_library")
    if named is None and spec is None:
        pytest.skip("CUTLASS is not here: neither CUTLASS_PATH nor the package nvidia-cutlass")
    root = Path(named) if named else Path((spec.submodule_search_locations or [""])[0]) / "source"  # type: ignore[union-attr]
    statements, alarms = _headers(root / "include")
    assert statements > 3000 and not alarms, alarms[:5]
