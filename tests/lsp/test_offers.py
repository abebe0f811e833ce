"""Every fix that is offered, with what it writes; findings around what is being typed; settings; and places of findings."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from lsprotocol import types as lsp

from tests.lsp.asking import Editor
from weft.errors import Diagnostic, Position, Severity
from weft.lint.statements import Statement
from weft.lsp import server as features
from weft.lsp.documents import Document
from weft.lsp.findings import findings, language_of
from weft.lsp.fixes import fixes
from weft.lsp.inline import operand_at, ptx_of, statement_at, template_at
from weft.lsp.session import Server, diagnostic_of
from weft.lsp.settings import DEFAULT, Settings, read_settings

HEADER = ".version 7.0\n.target sm_80\n.address_size 64\n"


def offered(
    text: str, code: str, *, message: str = "m", hint: str = "", language: str = "ptx"
) -> list[tuple[str, bool, str]]:
    """The fixes of a finding about what is between `<<` and `>>`: the title, whether it is sure, and the text after it."""
    start = text.index("<<")
    plain = text.replace("<<", "").replace(">>", "")
    end = text.index(">>") - 2
    found: list[tuple[str, bool, str]] = []
    for fix in fixes(plain, language, Diagnostic(code, message, hint=hint), start, end):
        changed = plain
        for edit in sorted(fix.edits, reverse=True):
            changed = changed[: edit.start] + edit.new + changed[edit.end :]
        found.append((fix.title, fix.sure, changed))
    return found


def disabled(code: str, text: str) -> tuple[str, bool, str]:
    return f"Disable {code} for this line", False, text


def test_what_was_meant_is_offered() -> None:
    """Three at most, sure where it is one; a modifier keeps its dot."""
    rest = disabled("x", " // weft: disable=x\n add.s32x a;")
    for hint, found in (
        ("did you mean add?", [("Change 'addx' to 'add'", True, " add a;")]),
        ("did you mean 'add'?", [("Change 'addx' to 'add'", True, " add a;")]),
        ("did you mean a, b or c?", [("Change 'addx' to 'a'", False, " a a;"), ("Change 'addx' to 'b'", False, " b a;"),
                                     ("Change 'addx' to 'c'", False, " c a;")]),
        ("did you mean a, b, c or d?", [("Change 'addx' to 'a'", False, " a a;"), ("Change 'addx' to 'b'", False, " b a;"),
                                        ("Change 'addx' to 'c'", False, " c a;")]),
        ("did you mean addx?", []),
        ("use add", []),
    ):  # fmt: skip
        assert offered(" <<addx>> a;", "x", hint=hint) == [*found, disabled("x", " // weft: disable=x\n addx a;")]
    assert offered(" add<<.s32x>> a;", "x", hint="did you mean s32?") == [
        ("Change '.s32x' to '.s32'", True, " add.s32 a;"),
        rest,
    ]
    assert offered(" add<<.s32x>> a;", "x", hint="did you mean '.s32'?") == [
        ("Change '.s32x' to '.s32'", True, " add.s32 a;"),
        rest,
    ]
    assert offered("<<>>a", "x", hint="did you mean b?") == [disabled("x", "// weft: disable=x\na")]


def test_orders_combinations_and_immediates() -> None:
    assert offered("<<ld.u32.global>> a;", "modifier-order", hint="written ld.global.u32")[0] == (
        "Change 'ld.u32.global' to 'ld.global.u32'", True, "ld.global.u32 a;",
    )  # fmt: skip
    assert len(offered("<<ld.u32.global>> a;", "x", hint="written ld.global.u32")) == 1
    assert len(offered("<<ld.u32.global>> a;", "modifier-order", hint="as written ld")) == 1
    needs = "'.a' is not a legal combination: with .b it needs '.c' or '.d'"
    assert offered("x<<.a>>", "combination", message=needs)[:-1] == [
        ("Change '.a' to '.c'", False, "x.c"),
        ("Change '.a' to '.d'", False, "x.d"),
    ]
    for message, written in ((f"{needs} and 'e'", ".a"), (needs, "a"), ("it needs 'c'", ".a")):
        assert len(offered(f"x<<{written}>>", "combination", message=message)) == 1
    assert len(offered("x<<.a>>", "x", message=needs)) == 1
    assert offered("<<12>>", "immediate", hint="4, 8 or 16")[:-1] == [
        (f"Change '12' to '{n}'", False, str(n)) for n in (4, 8, 16)
    ]
    assert offered("<<12>>", "immediate", hint="-16")[:-1] == [("Change '12' to '-16'", True, "-16")]
    assert len(offered("<<12>>", "immediate", hint="4 to 16")) == len(offered("<<12>>", "x", hint="4 or 8")) == 1


def test_comments_that_disable_a_finding() -> None:
    """On a line above, as far in; not of what cannot be read, nor in MLIR."""
    assert offered("a;\n \tld <<b>>;\n", "c") == [disabled("c", "a;\n \t// weft: disable=c\n \tld b;\n")]
    assert offered("<<b>>", "c", language="cpp") == [disabled("c", "// weft: disable=c\nb")]
    for code in ("syntax", "mlir"):
        assert offered("<<b>>", code) == []
    assert offered("<<b>>", "c", language="mlir") == []
    assert offered("<<b>>", "mlir", language="mlir", hint="did you mean d?") == [("Change 'b' to 'd'", True, "d")]


@pytest.mark.parametrize(
    ("header", "body", "title", "changed"),
    [
        (("7.0", "sm_80"), "bar.cta.sync 0;", "PTX 7.8", ("7.8", "sm_80")),
        (("7.0", "sm_80"), "elect.sync %r|%p, -1;", "PTX 8.0 and sm_90", ("8.0", "sm_90")),
        (("8.0", "sm_80"), "elect.sync %r|%p, -1;", "sm_90", ("8.0", "sm_90")),
        (("8.0", "sm_100"), "wgmma.fence.sync.aligned;", "sm_90a", ("8.0", "sm_90a")),
        (("8.0", "sm_90"), "wgmma.fence.sync.aligned;", "sm_90a", ("8.0", "sm_90a")),
        (("8.6", "sm_120"), "tcgen05.wait::ld.sync.aligned;", "sm_100a", ("8.6", "sm_100a")),
        (("8.0", "sm_90"), "ret;", "", ()),
        (("8.0", "sm_90"), "frob;", "", ()),
        (("8.0", "sm_90"), "ret", "", ()),
    ],
)
def test_headers(header: tuple[str, str], body: str, title: str, changed: tuple[str, ...]) -> None:
    """The least that the module needs: of its own target where that can have it, else of the same number, else the next."""
    text = ".version {}\n.target {}\n.entry k() {{ .reg .b32 %r; .reg .pred %p; <<" + body + ">> }}\n"
    found = [one for one in offered(text.format(*header), "window") if one[0].startswith("Change the header")]
    assert found == offered(text.format(*header), "target-version")[:-1]
    after = text.format(*changed).replace("<<", "").replace(">>", "") if changed else ""
    assert found == ([(f"Change the header to {title}", True, after)] if title else [])


@pytest.mark.parametrize(
    ("declared", "used", "now"),
    [
        ("%r<2>", "%r2", "%r<3>"),
        ("%r<2>", "%r999999", "%r<1000000>"),
        ("%r<2>", "%r1000000", ""),
        ("%r<2>", "%rd2", ""),
        ("%r<3>", "%r2", ""),
        ("%r", "%r2", ""),
        ("%r<1>", "%r1", "%r<2>"),
        ("%r<2>", "%rx", ""),
    ],
)
def test_ranges_of_registers(declared: str, used: str, now: str) -> None:
    text = HEADER + ".entry k() { .reg .b32 " + declared + "; mov.b32 <<" + used + ">>, 1; }\n"
    found = offered(text, "undeclared")[:-1]
    plain = text.replace("<<", "").replace(">>", "")
    assert found == ([(f"Declare {now}", True, plain.replace(declared, now))] if now else [])


@pytest.mark.parametrize(
    ("code", "text", "message", "hint", "title", "sure", "after"),
    [
        ("constraint", 'asm("x" : <<"=f">>(a));', "", 'use "r"', 'Change the constraint to "=r"', False, 'asm("x" : "=r"(a));'),
        ("direction", 'asm("x" : <<"=f">>(a));', "", 'use "+r"', 'Change the constraint to "+r"', True, 'asm("x" : "+r"(a));'),
        ("constraint", 'asm("x" :: <<"f">>(a));', "", 'use "r"', 'Change the constraint to "r"', False, 'asm("x" :: "r"(a));'),
        ("constraint", 'asm("x" : <<"=&f">>(a));', "", 'use "r"', 'Change the constraint to "=&r"', False, 'asm("x" : "=&r"(a));'),
        ("constraint", 'asm("mov %0, <<%1>>;" : "=f"(a) : "f"(b));', "", 'use "r"', 'Change the constraint to "r"', False,
         'asm("mov %0, %1;" : "=f"(a) : "r"(b));'),
        ("constraint", 'asm("mov <<%0>>, %1;" : "=f"(a) : "f"(b));', "", 'use "l"', 'Change the constraint to "=l"', False,
         'asm("mov %0, %1;" : "=l"(a) : "f"(b));'),
        ("constraint", 'asm("mov <<%2>>;" : "=f"(a) : "f"(b));', "", 'use "r"', "", False, ""),
        ("constraint", 'asm("mov <<%x>>;" : "=f"(a) : "f"(b));', "", 'use "r"', "", False, ""),
        ("constraint", 'asm("mov <<%0>>;" : "=f"(a));', "", "use r", "", False, ""),
        ("constraint", 'x <<%0>> y', "", 'use "r"', "", False, ""),
        ("volatile", '<<asm>>("x");', "", "", "Make the statement volatile", True, 'asm volatile("x");'),
        ("volatile", '<<__asm__>> ("x");', "", "", "Make the statement volatile", True, '__asm__ volatile ("x");'),
        ("clobber", '<<asm>>("x" :: "r"(a));', "", "", 'Add the clobber "memory"', True, 'asm("x" :: "r"(a) : "memory");'),
        ("clobber", '<<asm>>("x" : "=r"(a));', "", "", 'Add the clobber "memory"', True, 'asm("x" : "=r"(a) : : "memory");'),
        ("clobber", '<<asm>>("x");', "", "", 'Add the clobber "memory"', True, 'asm("x" : : : "memory");'),
        ("clobber", '<<asm>>("x" ::: "cc");', "", "", 'Add the clobber "memory"', True, 'asm("x" ::: "cc", "memory");'),
        ("clobber", '<<asm>>("x" : : "r"(f(a ? b : c)) :);', "", "", 'Add the clobber "memory"', True,
         'asm("x" : : "r"(f(a ? b : c)) : "memory");'),
        ("clobber", '<<asm>>("x" : "=r"(a[b ? c : d]));', "", "", 'Add the clobber "memory"', True,
         'asm("x" : "=r"(a[b ? c : d]) : : "memory");'),
        ("clobber", '<<asm>>("mov %r1, 1;");', "", "", "", False, ""),
        ("clobber", "<<asm>> x", "", "", "", False, ""),
        ("asm", 'asm("<<%r>>" ::);', "'%r' is not an operand: write '%%r' for a literal percent sign", "", "Escape the percent sign", True,
         'asm("%%r" ::);'),
        ("asm", 'asm("<<%r>>" ::);', "write %%", "", "", False, ""),
        ("scope", '<<asm>>("a;" "b;" :: "r"(c));', "", "", "Put the statement's PTX into braces", True,
         'asm("{ a;" "b; }" :: "r"(c));'),
        ("scope", '<<asm>>(u8"a;" u8"b;");', "", "", "Put the statement's PTX into braces", True, 'asm(u8"{ a;" u8"b; }");'),
        ("scope", '<<asm>>(R"(a;)");', "", "", "", False, ""),
        ("scope", '<<asm>>("a;");', "", "", "Put the statement's PTX into braces", True, 'asm("{ a; }");'),
        ("scope", '<<asm>>("a;" X);', "", "", "", False, ""),
        ("generic-pointer", 'asm("x" :: <<"l">>(p));', "", "use __cvta_generic_to_shared", "Convert the pointer with __cvta_generic_to_shared",
         True, 'asm("x" :: "l"(__cvta_generic_to_shared(p)));'),
        ("generic-pointer", 'asm("x" :: <<"l">> (f(p)), "r"(q));', "", "__cvta_generic_to_global", "Convert the pointer with __cvta_generic_to_global",
         True, 'asm("x" :: "l" (__cvta_generic_to_global(f(p))), "r"(q));'),
        ("generic-pointer", 'asm("x" :: <<"l">>(p));', "", "cvta", "", False, ""),
        ("generic-pointer", 'asm("x" :: <<"l">> x (p));', "", "__cvta_generic_to_shared", "", False, ""),
        ("generic-pointer", 'asm("x" :: <<"l">>', "", "__cvta_generic_to_shared", "", False, ""),
        ("generic-pointer", 'asm("x" :: <<"l">>(p', "", "__cvta_generic_to_shared", "", False, ""),
    ],
)  # fmt: skip
def test_statements_of_cpp(code: str, text: str, message: str, hint: str, title: str, sure: bool, after: str) -> None:
    found = offered(text, code, message=message, hint=hint, language="cpp")[:-1]
    assert found == ([(title, sure, after)] if title else [])


# -- findings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("uri", "identifier", "language"),
    [
        ("file:///a/k.ptx", "", "ptx"), ("file:///a/K.PTX", "", "ptx"), ("file:///a/k.mlir", "", "mlir"), ("file:///a/k.cu", "", "cpp"),
        ("file:///a/k", "", "cpp"), ("untitled:1", "ptx", "ptx"), ("file:///k.ptx", "mlir", "mlir"), ("file:///k.ptx", "cpp", "ptx"),
        ("file:///k.cu", "cuda", "cpp"),
    ],
)  # fmt: skip
def test_languages(uri: str, identifier: str, language: str) -> None:
    assert language_of(uri, identifier) == language


KERNEL = HEADER + ".entry k() {\n.reg .b32 %r<4>;\n"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("mov.b33 %r1, %r2;\nret;\n}\n", ["6:4 modifier"]),
        ("add.s32 %r1, %r\nmov.b33 %r1, %r2;\nret;\n}\n", ["7:1 syntax", "7:4 modifier"]),
        ("add.s32 %r1 %r2; mov.b33 %r1, %r2;\nret;\n}\n", ["6:13 syntax", "6:21 modifier"]),
        ("mov.b32 %r1, %r2; sub.s32 %r1 %r2; mov.b33 %r1, %r2;\n}\n", ["6:31 syntax", "6:39 modifier"]),
        ("add.s32 %r1 %r2\n;mov.b33 %r1, %r2;\n}\n", ["6:13 syntax", "7:1 syntax", "7:5 modifier"]),
        (".reg .b32 %q<\nmov.b33 %r1, %r2;\n}\n", ["7:1 syntax"]),
        ("mov.b33 %r1, %r2; // weft: disable=modifier\n}\n", []),
        ("mov.b33 %r1, %r2;\nret;", ["4:12 syntax", "6:4 modifier"]),
        ("mov.b33 %r1, %r2;\nadd.s32 %r1 %r2", ["4:12 syntax", "6:4 modifier", "7:13 syntax"]),
        ("mov.b33 %r1, %r2;\nadd.s32 %r1 %r2;", ["4:12 syntax", "6:4 modifier", "7:13 syntax"]),
        ("{\nmov.b33 %r1, %r2; // x", ["4:12 syntax", "6:1 syntax", "7:4 modifier"]),
    ],
)
def test_findings_around_what_is_typed(body: str, found: list[str]) -> None:
    """A statement that cannot be read is left out, and what follows is judged, but for what it may have declared."""
    assert [f"{one.line}:{one.column} {one.code}" for one in findings(KERNEL + body, "ptx", "k.ptx")] == found


def test_many_unfinished_statements() -> None:
    text = KERNEL + "add.s32 %r1 %r2;\n" * 25 + "}\n"
    found = findings(text, "ptx", "k.ptx")
    assert [(one.line, one.column, one.code, one.severity) for one in found] == [
        (n, 13, "syntax", Severity.ERROR) for n in range(6, 26)
    ]
    assert {one.position.file for one in found} == {"k.ptx"} and found[0].token == "%r2"


def test_findings_and_settings() -> None:
    text = (
        KERNEL.replace("7.0", "8.0")
        + ".reg .pred %p;\nelect.sync %r1|%p, -1;\nmov.b33 %r1, %r2;\nmov.b32 %q1, %r2;\n}\n"
    )
    codes = [one.code for one in findings(text, "ptx", "k.ptx")]
    assert codes == ["window", "modifier", "undeclared"]
    newer = Settings(target="sm_90", disable=frozenset(["undeclared"]))
    assert [one.code for one in findings(text, "ptx", "k.ptx", newer)] == ["modifier"]
    assert findings(text, "ptx", "k.ptx", Settings(diagnostics=False)) == []
    assert findings(" \n", "ptx", "k.ptx") == findings(" \n", "mlir", "k.mlir") == []
    cpp = '__device__ void f() {\n  asm("griddepcontrol.wait;"); // weft: disable=clobber\n  asm("bra nowhere;");\n}\n'
    assert [f"{one.line}:{one.column} {one.code}" for one in findings(cpp, "cpp", "k.cu")] == ["3:12 label"]
    assert [one.code for one in findings(cpp, "cpp", "k.cu", Settings("sm_80"))] == ["window", "label"]
    assert findings(cpp, "cpp", "k.cu", Settings(disable=frozenset(["label"]))) == []


def test_findings_in_mlir() -> None:
    """The first of what cannot be parsed, all of what cannot be; of each part of a file."""
    bad = "func.func @f(%a: i32) {\n  %x = arith.addi %a, %b : i32\n  return\n}\n"
    wrong = 'func.func @f(%a: i32) {\n  gpu.return\n  "gpu.barrier"(%a) : (i32) -> ()\n  return\n}\n'
    good = "func.func @f(%a: i32) {\n  return\n}\n"
    assert findings(good, "mlir", "k.mlir") == []
    (one,) = findings(bad, "mlir", "k.mlir")
    assert (one.code, one.line, one.severity, one.position.file) == ("mlir", 2, Severity.ERROR, "k.mlir")
    assert len(findings(wrong, "mlir", "k.mlir")) >= 1
    parts = f"{good}// -----\n{bad}"
    assert [found.line for found in findings(parts, "mlir", "k.mlir")] == [6]
    assert findings(bad, "mlir", "k.mlir", Settings(disable=frozenset(["mlir"]))) == []


# -- places ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "width", "token", "span"),
    [
        (Position(), 0, "", (0, 1)),
        (Position(1, 1), 0, "", (0, 2)),
        (Position(1, 4), 0, "", (3, 7)),
        (Position(1, 4), 2, "", (3, 5)),
        (Position(1, 4), 99, "", (3, 9)),
        (Position(1, 7), 0, "", (6, 7)),
        (Position(1, 8), 0, "", (7, 8)),
        (Position(1, 10), 0, "", (9, 9)),
        (Position(1, 99), 0, "", (9, 9)),
        (Position(1, 0), 0, "", (0, 2)),
        (Position(2, 1), 0, "", (10, 10)),
        (Position(3, 1), 0, "", (11, 19)),
        (Position(9, 1), 0, "", (11, 19)),
        (Position(3, 1, source="_a$%.b:c-d"), 0, "_a", (11, 13)),
    ],
)
def test_what_a_finding_points_at(position: Position, width: int, token: str, span: tuple[int, int]) -> None:
    """Its own width, or the word there; a character at least, and nothing of the next line."""
    text = "ab cd%e-f\n\n_a$%.b:c-d"
    shown = Document("file:///k.ptx", "k.ptx", text, "ptx")
    assert shown.span(Diagnostic("c", "m", position=position, width=width, token=token)) == span
    assert Document("file:///k.ptx", "k.ptx", "", "ptx").span(Diagnostic("c", "m")) == (0, 0)


@pytest.mark.parametrize(
    ("encoding", "sizes"), [("utf-8", (1, 2, 3, 4)), ("utf-16", (1, 1, 1, 2)), ("utf-32", (1, 1, 1, 1))]
)
def test_columns_as_clients_count(encoding: str, sizes: tuple[int, ...]) -> None:
    text = "a\u00e9\uffff\U00010000\n\nx"
    shown = Document("file:///k.ptx", "k.ptx", text, "ptx", encoding)
    columns = [sum(sizes[:n]) for n in range(5)]
    assert [shown.place(offset) for offset in range(8)] == [*((0, c) for c in columns), (1, 0), (2, 0), (2, 1)]
    assert [shown.offset(0, column) for column in columns] == list(range(5))
    assert (shown.offset(0, 99), shown.offset(1, 5), shown.offset(2, 9), shown.offset(3, 0)) == (4, 5, 7, 7)
    if sizes[3] > 1:
        assert shown.offset(0, columns[4] - 1) == 3  # Within a character: before it.
    plain = Document("file:///k.ptx", "k.ptx", "ab\ncd", "ptx", encoding)
    assert [plain.offset(0, 1), plain.offset(0, 9), plain.offset(1, 1), plain.offset(1, 9)] == [1, 2, 4, 5]
    assert plain.starts == [0, 3] and plain.place(4) == (1, 1)
    assert Document("file:///k.ptx", "k.ptx", "\n\nab", "ptx", encoding).starts == [0, 1, 2]


def test_names_by_the_language() -> None:
    from weft.lsp.mlir_names import MlirNames
    from weft.ptx.occurrences import Occurrences

    def shown(language: str, text: str) -> Document:
        return Document("file:///k", "k", text, language)

    ptx, mlir, cpp = shown("ptx", "ret;"), shown("mlir", "%a"), shown("cpp", 'void f() { asm("ret;"); }')
    assert isinstance(ptx.names, Occurrences) and isinstance(mlir.names, MlirNames) and cpp.names is None
    assert ptx.ptx_at(0) == (ptx.names, None) and mlir.ptx_at(0) is None and cpp.ptx_at(0) is None
    found = cpp.ptx_at(17)
    assert found is not None and found[1] is not None and found[1].strings == ((16, 20),)
    prefixed = shown("cpp", 'void f() { asm(u8"ret;"); }').ptx_at(19)
    assert prefixed is not None and prefixed[1] is not None and prefixed[1].strings == ((18, 22),)


# -- inline PTX ------------------------------------------------------------------------------------------------------

CPP = 'void f(int a) {\n  asm("mov %0, %1; // %%x \\n\\t" /* c */\n      "add %[n]; %{q%}" : "=r"(a), [n] "=l"(b) : "f"(c));\n  g();\n  asm("ret;");\n}\n'


def test_the_statement_around_a_place() -> None:
    first, end = CPP.index("asm"), CPP.index(";\n  g")
    found = [statement_at(CPP, offset) for offset in range(len(CPP))]
    assert [n for n, one in enumerate(found) if one is not None and one.start == first] == list(range(first, end + 1))
    second = CPP.rindex("asm")
    assert [n for n, one in enumerate(found) if one is not None and one.start == second] == list(
        range(second, second + 12)
    )
    assert statement_at("int x;", 2) is None and statement_at('asm("x" : "r" "x");', 4) is None
    inside = 'asm(\n#ifdef A\n"a;" ::::\n#else\n"b;"\n#endif\n);'
    other = statement_at(inside, 5)
    assert isinstance(other, Statement) and [token.text for token in other.template] == ['"b;"']


def test_the_strings_of_a_template() -> None:
    """As PTX of the same length: escapes are blank, but for what is behind a percent sign."""
    found = template_at(CPP, CPP.index("mov"))
    assert found is not None
    starts = [CPP.index("mov"), CPP.index("add")]
    ends = [CPP.index('" /*'), CPP.index('" : "=r"')]
    assert found.strings == tuple(zip(starts, ends, strict=True))
    ptx = ptx_of(CPP, found)
    assert len(ptx) == ends[1] and ptx.count("\n") == CPP[: ends[1]].count("\n")
    assert ptx[starts[0] : ends[0]] == "mov %0, %1; //  %x     " and ptx[starts[1] :] == "add %[n];  {q }"
    assert not ptx[: starts[0]].strip() and not ptx[ends[0] : starts[1]].strip()
    inside = [offset for offset in range(len(CPP)) if template_at(CPP, offset) is not None]
    last = CPP.rindex("ret")
    assert inside == [*range(starts[0], ends[0] + 1), *range(starts[1], ends[1] + 1), *range(last, last + 5)]


def test_the_operand_at_a_place() -> None:
    """By its number or its name, with its constraint's type."""
    statement = statement_at(CPP, CPP.index("mov"))
    assert statement is not None
    found = {}
    for offset in range(statement.start, statement.end):
        one = operand_at(CPP, statement, offset)
        if one is not None:
            found.setdefault((one[0], one[1].constraint, one[2]), []).append(offset)
    first, second, name = CPP.index("%0"), CPP.index("%1"), CPP.index("%[n]")
    assert found == {
        ("%0", "=r", "b32"): [first, first + 1, first + 2],
        ("%1", "=l", "b64"): [second, second + 1, second + 2],
        ("%[n]", "=l", "b64"): [name + n for n in range(5)],
    }
    small = 'asm("x %2 %[m]" : "=r"(a) : "f"(b));'
    other = statement_at(small, 4)
    assert other is not None and all(operand_at(small, other, n) is None for n in range(len(small)))


# -- settings and actions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "settings", "wrong"),
    [
        (None, DEFAULT, []),
        ("x", DEFAULT, []),
        ({}, DEFAULT, []),
        ({"other": 1}, DEFAULT, []),
        ({"target": "", "diagnostics": None, "disable": None}, DEFAULT, []),
        ({"target": "sm_90"}, Settings("sm_90"), []),
        ({"weft": {"target": "sm_90"}, "target": "sm_80"}, Settings("sm_90"), []),
        ({"weft": 3, "target": "sm_80"}, DEFAULT, []),
        ({"target": "sm_91"}, DEFAULT, ["weft.target: unknown target 'sm_91'"]),
        ({"target": 90}, DEFAULT, ["weft.target: unknown target 90"]),
        ({"diagnostics": False}, Settings(diagnostics=False), []),
        ({"diagnostics": "no"}, DEFAULT, ["weft.diagnostics: expected true or false"]),
        ({"disable": ["opcode", "clobber", "mlir"]}, Settings(disable=frozenset(["opcode", "clobber", "mlir"])), []),
        ({"disable": "opcode"}, DEFAULT, ["weft.disable: expected a list of codes"]),
        (
            {"disable": ["opcodes", 3], "target": "x", "diagnostics": 1},
            Settings(disable=frozenset(["opcodes"])),
            ["weft.target: unknown target 'x'", "weft.diagnostics: expected true or false", "weft.disable: unknown code 'opcodes'",
             "weft.disable: unknown code 3"],
        ),
    ],
)  # fmt: skip
def test_settings(given: object, settings: Settings, wrong: list[str]) -> None:
    """What is right counts, what is wrong is said."""
    assert read_settings(given) == (settings, wrong)


def test_findings_as_editors_have_them() -> None:
    shown = Document("file:///k.ptx", "k.ptx", "a\nbcd", "ptx")
    for severity, number in ((Severity.ERROR, 1), (Severity.WARNING, 2), (Severity.NOTE, 4)):
        found = diagnostic_of(shown, Diagnostic("c", "m", severity, Position(2, 2), hint="h"))
        assert found == lsp.Diagnostic(
            lsp.Range(lsp.Position(1, 1), lsp.Position(1, 3)),
            "m\nh",
            lsp.DiagnosticSeverity(number),
            "c",
            source="weft",
        )
    unused = diagnostic_of(shown, Diagnostic("unused", "m"))
    assert (unused.message, unused.tags) == ("m", [lsp.DiagnosticTag.Unnecessary])


def actions(text: str, start: int, end: int) -> list[lsp.CodeAction]:
    editor = Editor(text)
    chosen = lsp.Range(editor.position(start), editor.position(end))
    parameters = lsp.CodeActionParams(editor.identifier, chosen, lsp.CodeActionContext([]))
    return editor.ask(lsp.TEXT_DOCUMENT_CODE_ACTION, parameters)


def test_actions() -> None:
    """The fixes of the findings that touch the selection, each with its finding."""
    text = KERNEL + "mov.b33 %r1, %r2;\nsub.b34 %r1, %r2;\n}\n"
    start = text.index(".b33")
    found = actions(text, start, start)
    assert [one.title for one in found[-1:]] == ["Disable modifier for this line"]
    assert {(one.kind, one.diagnostics[0].code) for one in found if one.diagnostics} == {
        (lsp.CodeActionKind.QuickFix, "modifier")
    }
    assert [one.is_preferred for one in found][-1] is False
    edit = found[-1].edit
    assert edit is not None and edit.changes == {
        "file:///k.ptx": [
            lsp.TextEdit(lsp.Range(lsp.Position(5, 0), lsp.Position(5, 0)), "// weft: disable=modifier\n")
        ]
    }
    assert len(actions(text, start + 4, start + 4)) == len(found) and actions(text, start + 5, start + 6) == []
    assert actions(text, 0, start - 1) == [] and len(actions(text, 0, start)) == len(found)
    assert len({str(one.diagnostics) for one in actions(text, 0, len(text))}) == 2


def test_findings_are_published_a_moment_after_the_last_change(monkeypatch: pytest.MonkeyPatch) -> None:
    published: list[str] = []
    held: Any = Server()
    held.publish = published.append
    held.documents["a"] = None
    monkeypatch.setattr(features, "_DELAY", 0.01)
    monkeypatch.setattr(Server, "workspace", type("W", (), {"text_documents": {"a": None}})(), raising=False)
    change = lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(1, "a"), [])
    gone = lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(1, "b"), [])

    async def typed() -> None:
        for parameters in (change, change, gone):
            await features._changed(held, parameters)
        assert published == [] and set(held.waiting) == {"a", "b"}
        await asyncio.sleep(0.05)

    asyncio.run(typed())
    assert published == ["a"] and held.waiting == {}
