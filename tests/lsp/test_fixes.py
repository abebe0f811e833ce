"""A fix that an editor offers mends what it is offered for: every one of the documented examples that has a sure one."""

from __future__ import annotations

import pytest

from weft.lint.codes import OWN
from weft.lsp.documents import Document
from weft.lsp.fixes import Fix, fixes
from weft.ptx.verifier import CODES

HEADER = ".version 8.6\n.target sm_90a\n.address_size 64\n"


def document(text: str, language: str) -> Document:
    name = {"ptx": "k.ptx", "cpp": "k.cuh", "mlir": "k.mlir"}[language]
    return Document(f"file:///{name}", name, text, language)


def offered(shown: Document, code: str) -> list[Fix]:
    finding = next(one for one in shown.found if one.code == code)
    return fixes(shown.text, shown.language, finding, *shown.span(finding))


def applied(text: str, fix: Fix) -> str:
    for edit in sorted(fix.edits, reverse=True):
        text = text[: edit.start] + edit.new + text[edit.end :]
    return text


SURE = {
    "modifier": "Change '.sat2' to '.sat'",
    "combination": "Change '.m16n16' to '.m8n8'",
    "window": "Change the header to sm_90a",
    "target-version": "Change the header to PTX 7.8",
    "modifier-order": "Change 'ld.u32.global' to 'ld.global.u32'",
    "immediate": "Change '12' to '16'",
}
CPP = {
    "asm": "Escape the percent sign",
    "constraint": 'Change the constraint to "r"',
    "direction": 'Change the constraint to "+r"',
    "generic-pointer": "Convert the pointer with __cvta_generic_to_shared",
    "scope": "Put the statement's PTX into braces",
    "volatile": "Make the statement volatile",
    "clobber": 'Add the clobber "memory"',
}


@pytest.mark.parametrize(("code", "title"), SURE.items())
def test_ptx(code: str, title: str) -> None:
    text = CODES[code].example
    shown = document(text if ".version" in text else HEADER + text, "ptx")
    fix = offered(shown, code)[0]
    assert (fix.title, fix.sure) == (title, True)
    after = document(applied(shown.text, fix), "ptx").found
    assert code not in [one.code for one in after]


@pytest.mark.parametrize(("code", "title"), CPP.items())
def test_cpp(code: str, title: str) -> None:
    shown = document(OWN[code].example, "cpp")
    fix = offered(shown, code)[0]
    assert (fix.title, fix.sure) == (title, code != "constraint")  # The value may have to be converted instead.
    messages = [one.message for one in shown.found if one.code == code]
    assert messages[0] not in [one.message for one in document(applied(shown.text, fix), "cpp").found]


@pytest.mark.parametrize("code", [*SURE, "undeclared", "operand-type"])
def test_the_comment_disables_the_finding(code: str) -> None:
    text = CODES[code].example
    shown = document(text if ".version" in text else HEADER + text, "ptx")
    last = offered(shown, code)[-1]
    assert last.title == f"Disable {code} for this line"
    assert code not in [one.code for one in document(applied(shown.text, last), "ptx").found]


def test_a_longer_range_declares_a_register() -> None:
    body = ".visible .entry k() {\n\t.reg .b32 %r<2>;\n\tmov.u32 %r5, %tid.x;\n\tret;\n}\n"
    shown = document(HEADER + body, "ptx")
    fix = offered(shown, "undeclared")[0]
    assert fix.title == "Declare %r<6>"
    assert not document(applied(shown.text, fix), "ptx").found


def test_several_meant() -> None:
    shown = document(HEADER + ".entry k() { .reg .b32 %r<2>;\n addd.u32 %r0, %r1, %r1; }\n", "ptx")
    titles = [fix.title for fix in offered(shown, "opcode")]
    assert titles[0] == "Change 'addd' to 'add'" and len(titles) == 4


def test_errors_behind_an_unfinished_statement_are_found() -> None:
    text = HEADER + (
        ".visible .entry k() {\n\t.reg .b32 %r<4>;\n\tadd.s32 %r1, %r\n\tsub.s32 %r2, %r1, %r1;\n"
        "\tmov.b33 %r1, %r2;\n\tadd.u32 %r1, %r2 %r3;\n\tbra nowhere;\n\tret;\n}\n"
    )
    found = document(text, "ptx").found
    assert [(one.code, one.line) for one in found] == [
        ("syntax", 7), ("modifier", 8), ("syntax", 9), ("label", 10)
    ]  # fmt: skip


def test_an_unfinished_declaration_reports_itself_only() -> None:
    text = HEADER + ".visible .entry k() {\n\t.reg .b32 %r<\n\tmov.u32 %r1, %tid.x;\n\tret;\n}\n"
    assert {one.code for one in document(text, "ptx").found} == {"syntax"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_places(encoding: str) -> None:
    text = "// é 𝄞 x\n\tret;"
    shown = Document("file:///k.ptx", "k.ptx", text, "ptx", encoding)
    for offset in range(len(text) + 1):
        assert shown.offset(*shown.place(offset)) == offset
    assert shown.place(text.index("x"))[1] == {"utf-8": 11, "utf-16": 8, "utf-32": 7}[encoding]
