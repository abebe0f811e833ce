"""What an editor is answered about PTX, in this process: each question at each kind of place, with the whole answer."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("pygls", reason="pygls is not here")

from lsprotocol import types as lsp

import weft
from tests.lsp.asking import Editor, opened
from weft.errors import WeftError
from weft.isa.directives import DIRECTIVES
from weft.isa.registers import SPECIAL_REGISTERS
from weft.isa.registry import families
from weft.isa.target import TARGETS, VERSIONS
from weft.isa.types import TYPES

HEADER = ".version 8.0\n.target sm_80\n.address_size 64\n"
MODULE = f"""\
{HEADER}.global .align 16 .b8 table[64];
.extern .func (.param .b32 r) helper(.param .b64 a);
// weft
.visible .entry k(.param .u64 p, .param .f32 unused)
{{
\t.reg .pred %q;
\t.reg .v4 .b32 %v;
\t.reg .b32 %r<4>, single;
\t.reg .b64 %rd<3>;
\tld.param.u64 %rd1, [p];
\tmov.u32 %r1, %tid.x;
again:
\tadd.u33 %r2, %r1, single;
@!%q bra again;
\tst.global.u32 [%rd1+4], %v.x;
\tmov.u64 %rd2, table;
\tfoo.bar nothing;
targets: .branchtargets again;
\tbrx.idx %r3, targets;
}}
"""
HOVERS = {
    "table": ".global .align 16 .b8 table|variable `table`, used once",
    "r": ".param .b32 r|parameter `r`, not used",
    "helper": ".extern .func (.param .b32 r) helper(.param .b64 a);|function `helper`, not used",
    "a": ".param .b64 a|parameter `a`, not used",
    "k": ".visible .entry k(.param .u64 p, .param .f32 unused)|kernel `k`, not used",
    "p": ".param .u64 p|parameter `p`, used once",
    "unused": ".param .f32 unused|parameter `unused`, not used",
    "%q": ".reg .pred %q|register `%q`, used once",
    "%v": ".reg .v4 .b32 %v|register `%v`, used once",
    "%r": ".reg .b32 %r<4>|register `%r`, used 4 times",
    "single": ".reg .b32 single|register `single`, used once",
    "%rd": ".reg .b64 %rd<3>|register `%rd`, used 3 times",
    "%rd1": ".reg .b64 %rd<3>|register `%rd1`, used 2 times",
    "%r1": ".reg .b32 %r<4>|register `%r1`, used 2 times",
    "again": "again:|label `again`, used 2 times",
    "%r2": ".reg .b32 %r<4>|register `%r2`, used once",
    "%rd2": ".reg .b64 %rd<3>|register `%rd2`, used once",
    "targets": "targets: .branchtargets again;|table `targets`, used once",
    "%r3": ".reg .b32 %r<4>|register `%r3`, used once",
}
"""What is said of each name, in the order of the text: its declaration, and what it is."""


def names_of(text: str) -> list[tuple[int, str]]:
    """The places of the names that mean something."""
    return [
        (match.start(), match[0])
        for match in re.finditer(r"(?<![\w.%])[%a-z][\w]*", re.sub(r"//.*", lambda m: " " * len(m[0]), text))
        if match[0] in HOVERS
    ]


def test_what_is_said_of_names() -> None:
    editor = Editor(MODULE)
    for start, name in names_of(MODULE):
        declaration, _, what = HOVERS[name].partition("|")
        said = (name, f"```ptx\n{declaration}\n```\n{what}")
        assert [editor.hover(offset) for offset in range(start, start + len(name))] == [said] * len(name)


def test_what_is_said_of_words() -> None:
    """Directives and types have pages while the cursor is in them, opcodes also behind them; blanks, signs and numbers none."""
    editor = Editor(MODULE)
    told: list[tuple[str, str]] = []
    for offset in range(len(MODULE) + 1):
        found = editor.hover(offset)
        if found is not None and found[0] not in HOVERS and found not in told:
            told.append(found)
    words = ".version .target .address_size .global .align .b8 .extern .func .param .b32 .b64 .visible .entry .u64 .f32 .reg .pred"
    opcodes = "ld.param.u64 mov.u32 %tid add.u33 bra st.global.u32 mov.u64 .branchtargets brx.idx"
    assert [piece for piece, _ in told] == [*words.split(), *opcodes.split()]
    pages = dict(told)
    assert pages[".align"] == (
        "**.align**\n\nalignment of a variable or parameter in bytes\n\n```ptx\n.align 16\n```\n\n"
        "allowed in: declaration\n\nexists from PTX 1.0"
    )
    assert pages[".b8"] == "**.b8** type of 8 bits"
    assert pages["%tid"] == "**%tid** `.u32`, with .x, .y, .z, .w\n\nthread index in the CTA\n\nexists from PTX 1.0"
    assert pages["bra"] == (
        "**bra**\n\nJump to a label; .uni asserts that all active threads of the warp do the same.\n\n"
        "```ptx\nbra{.uni} target\n```\n\npc = target\n\nbranch\n\n[PTX manual]"
        "(https://docs.nvidia.com/cuda/parallel-thread-execution/#control-flow-instructions-bra)"
    )
    assert pages["mov.u64"] == (
        "**mov.u64**\n\nCopy a register, constant, special register or address; or pack or unpack the parts of a word."
        "\n\n```ptx\nmov.type d, a\n```\n\n- `d`: register .u64, written\n- `a`: register .u64, read\n\n"
        "exists from PTX 1.0\n\n[PTX manual]"
        "(https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-mov)"
    )
    problem, page = pages["add.u33"].split("\n\n---\n\n")
    assert problem == "'.u33' is not a modifier of 'add' (did you mean .u32?)"
    assert page.startswith("**add**\n\nAdd two values") and "\n... 3 more\n```" in page and page.count("\nadd") == 4
    for blank in (" 8.0", "8.0", "{", "[p]", "64]", "!%q", "nothing"):
        assert editor.hover(MODULE.index(blank)) is None


REFERENCES = {
    "table": "table",
    "helper": "helper",
    "%r1": "%r %r1 %r1",
    "%r2": "%r %r2",
    "%r": "%r %r1 %r2 %r1 %r3",
    "%rd1": "%rd %rd1 %rd1",
    "%q": "%q %q",
    "%v": "%v %v",
    "single": "single single",
    "p": "p p",
    "again": "again again again",
    "targets": "targets targets",
}


@pytest.mark.parametrize("name", REFERENCES)
def test_where_names_are(name: str) -> None:
    editor = Editor(MODULE)
    places = names_of(MODULE)
    wanted = set(REFERENCES[name].split())
    every = [(start, start + len(word)) for start, word in places if word in wanted]
    if name.startswith("%r") and name != "%r" and not name.startswith("%rd"):
        every = [place for place in every if MODULE[place[0] : place[1]] in ("%r", name)]
    for start, word in places:
        if word == name:
            assert editor.references(start, declaration=True) == every
            assert editor.references(start + len(name), declaration=False) == every[1:]
            assert editor.highlights(start) == every
            assert editor.definition(start + 1) == every[0]
            assert editor.renamable(start) == editor.renamable(start + len(name)) == (start, start + len(name))


@pytest.mark.parametrize("marked", ["foo.bar ¦nothing", "8¦.0", "// w¦eft", "¦%tid"])
def test_what_is_no_name(marked: str) -> None:
    editor = Editor(MODULE)
    offset = MODULE.index(marked.replace("¦", "")) + marked.index("¦")
    assert editor.references(offset, declaration=True) == editor.highlights(offset) == []
    assert editor.definition(offset) is editor.renamable(offset) is None
    with pytest.raises(WeftError, match="there is nothing to rename here"):
        editor.renamed(offset, "x")


RENAMED = {
    "again": {"again:": "new:", "bra again;": "bra new;", ".branchtargets again;": ".branchtargets new;"},
    "%r1": {".reg .b32 %r<4>, single;": ".reg .b32 %r<4>, single; .reg .b32 new;", "%r1": "new"},
    "%r<": {"%r<": "new<", "%r1": "new1", "%r2": "new2", "%r3": "new3"},
    "table": {"table[": "new[", ", table": ", new"},
    "%v": {"%v": "new"},
    "single": {"single": "new"},
}


@pytest.mark.parametrize("name", RENAMED)
def test_renaming(name: str) -> None:
    expected = MODULE
    for old, new in RENAMED[name].items():
        assert old in expected
        expected = expected.replace(old, new)
    assert Editor(MODULE).renamed(MODULE.index(name), "new") == expected


@pytest.mark.parametrize(
    ("new", "said"),
    [
        *((name, f"'{name}' is already declared") for name in ("table", "helper", "k", "p", "%q", "again", "targets")),
        *((name, f"'{name}' is not a valid PTX name") for name in ("1x", "a-b", "_", "$", "%", "", "a.b")),
    ],
)
def test_names_that_cannot_be_taken(new: str, said: str) -> None:
    with pytest.raises(WeftError, match=f"^error: {re.escape(said)}$"):
        Editor(MODULE).renamed(MODULE.index("single"), new)


@pytest.mark.parametrize("new", ["_a", "$a", "%a", "a1_$", "hidden"])
def test_names_that_can_be_taken(new: str) -> None:
    """Names of other functions' parameters are free."""
    text = MODULE.replace("64 a)", "64 hidden)")
    assert Editor(text).renamed(text.index("single"), new) == text.replace("single", new)


BODY = f"""\
{HEADER}.global .b32 g;
.func other(.param .b32 hidden) {{ ret; }}
.visible .entry k(.param .u64 p) {{
.reg .b64 %rd<4>; .reg .b32 %r<12>; .reg .pred %q;
mov.b32 %r11, %r2; mov.b64 %rd1, 0;
end:
HERE
}}
"""
INSTRUCTIONS = [
    "", "ad", "@%q ad", "@!%q mo", "@%q ", "@!%q ", "x: st", "{ ad", "ret; ", "ret;ld", "x:",
]  # fmt: skip


@pytest.mark.parametrize("written", INSTRUCTIONS)
def test_instructions_are_offered_where_one_begins(written: str) -> None:
    editor, cursor = opened(BODY.replace("HERE", f"{written}¦"))
    items = editor.completions(cursor)
    known = families()
    words = {stem.partition(".")[0]: stem for stem in sorted(known, reverse=True)}
    assert [(one.label, one.detail) for one in items] == [(word, known[words[word]].summary) for word in sorted(words)]
    assert {one.kind for one in items} == {lsp.CompletionItemKind.Keyword}
    assert [one.sort_text for one in items] == [f"{number:05}" for number in range(len(items))]
    part = re.search(r"\w*\Z", written)
    assert part is not None
    assert {editor.offsets(one.text_edit.range) for one in items} == {(cursor - len(part[0]), cursor)}
    assert all(one.text_edit.new_text == one.label for one in items)


@pytest.mark.parametrize(
    ("written", "labels", "kind"),
    [
        ("bra ", "end", "Reference"),
        ("bra e", "end", "Reference"),
        ("@%q bra ", "end", "Reference"),
        ("bra.uni ", "end", "Reference"),
        ("mma.sync.aligned.m16n8k16.row.col.f32.", "f16 bf16 e4m3 e5m2", "TypeParameter"),
        ("@%q mma.sync.aligned.m16n8k16.row.col.f32.b", "f16 bf16 e4m3 e5m2", "TypeParameter"),
        ("wgmma.", "commit_group fence mma_async wait_group", "EnumMember"),
        ("wgmma.fence.", "sync", "EnumMember"),
        ("wgmma.fence.sync.aligned.", "", ""),
        ("addd.", "", ""),
    ],
)
def test_few_are_offered_where_few_fit(written: str, labels: str, kind: str) -> None:
    editor, cursor = opened(BODY.replace("HERE", f"{written}¦"))
    items = editor.completions(cursor)
    assert [one.label for one in items] == labels.split()
    assert all(one.kind is lsp.CompletionItemKind[kind] for one in items)
    part = re.search(r"\w*\Z", written)
    assert part is not None
    assert all(editor.offsets(one.text_edit.range) == (cursor - len(part[0]), cursor) for one in items)


@pytest.mark.parametrize(("written", "own"), [("mov.b32 ", ""), ("mov.b32 %r11, %", ""), ("mov.b32 %r2", "%r2"), ("add.s32 %r11, p", ""), ("embra ", "")])  # fmt: skip
def test_names_are_offered_for_operands(written: str, own: str) -> None:
    """Those of the module and of this function, registers of ranges that are used elsewhere, and the special registers."""
    editor, cursor = opened(BODY.replace("HERE", f"{written}¦"))
    items = editor.completions(cursor)
    kinds = lsp.CompletionItemKind
    names = [
        ("g", kinds.Variable, ".global .b32"), ("other", kinds.Function, ".func"), ("k", kinds.Function, ".entry"),
        ("p", kinds.Field, ".param .u64"), ("%rd1", kinds.Variable, ".b64"), ("%r2", kinds.Variable, ".b32"),
        ("%r11", kinds.Variable, ".b32"), ("%q", kinds.Variable, ".reg .pred"),
    ]  # fmt: skip
    special = [
        (name, kinds.Constant, one.summary or None) for name, one in SPECIAL_REGISTERS.items() if name == one.name
    ]
    expected = [one for one in (*names, *special) if one[0] != own]
    assert [(one.label, one.kind, one.detail) for one in items] == expected
    part = re.search(r"[%\w]*\Z", written)
    assert part is not None
    assert {editor.offsets(one.text_edit.range) for one in items} == {(cursor - len(part[0]), cursor)}


@pytest.mark.parametrize("written", [".", ".reg .b", "\t.gl"])
def test_directives_and_types_are_offered_behind_a_dot(written: str) -> None:
    editor, cursor = opened(BODY.replace("HERE", f"{written}¦"))
    items = editor.completions(cursor)
    directives = [(name, lsp.CompletionItemKind.Property, facts.summary) for name, facts in DIRECTIVES.items()]
    types = [(f".{name}", lsp.CompletionItemKind.TypeParameter, f"{type_.bits} bits") for name, type_ in TYPES.items()]
    assert [(one.label, one.kind, one.detail) for one in items] == [*directives, *types]
    assert {editor.offsets(one.text_edit.range)[0] for one in items} == {cursor - len(written.split()[-1])}


def test_versions_and_targets_are_offered_in_the_header() -> None:
    editor, cursor = opened(".version ¦")
    assert [one.label for one in editor.completions(cursor)] == [str(version) for version in reversed(VERSIONS)]
    for text in (".version 8.0\n.target ¦", ".version 8.0\n.target sm_¦\n"):
        editor, cursor = opened(text)
        found = [(one.label, one.detail, one.kind) for one in editor.completions(cursor)]
        kind = lsp.CompletionItemKind.Text
        assert found == [(name, f"from PTX {target.least}", kind) for name, target in TARGETS.items()]


def test_the_outline() -> None:
    editor = Editor(MODULE)

    def lines(symbols: list[lsp.DocumentSymbol], margin: str = "") -> list[str]:
        found: list[str] = []
        for one in symbols:
            (start, end), name = editor.offsets(one.range), editor.offsets(one.selection_range)
            whole = MODULE[start:end]
            assert MODULE[slice(*name)] == one.name and start <= name[0] < name[1] <= end
            found.append(f"{margin}{one.name} {one.kind.name} {one.detail}: {whole[:12]!r} to {whole[-9:]!r}")
            found += lines(list(one.children or ()), margin + " ")
        return found

    symbols = editor.ask(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, lsp.DocumentSymbolParams(editor.identifier))
    assert lines(symbols) == [
        "table Variable .global .align 16 .b8: '.global .ali' to 'able[64];'",
        "helper Function .func: '.extern .fun' to ' .b64 a);'",
        " r TypeParameter .param .b32: '.param .b32 ' to 'am .b32 r'",
        " a TypeParameter .param .b64: '.param .b64 ' to 'am .b64 a'",
        r"k Function .entry: '.visible .en' to 'argets;\n}'",
        " p TypeParameter .param .u64: '.param .u64 ' to 'am .u64 p'",
        " unused TypeParameter .param .f32: '.param .f32 ' to '32 unused'",
        " again Key None: 'again' to 'again'",
        " targets Array .branchtargets: 'targets: .br' to 'ts again;'",
    ]


def test_colours() -> None:
    from weft.lsp.ptx_questions import TOKEN_KINDS

    editor = Editor(MODULE)
    found = editor.ask(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, lsp.SemanticTokensParams(editor.identifier)).data
    lines, line, column, told = MODULE.split("\n"), 0, 0, list[tuple[str, str]]()
    for down, right, length, kind, modifiers in zip(*(found[start::5] for start in range(5)), strict=True):
        line, column = line + down, right if down else column + right
        told.append((lines[line][column : column + length], TOKEN_KINDS[kind]))
        assert modifiers == 0
    first = ".version:macro 8.0:number .target:macro .address_size:macro 64:number .global:macro .align:macro 16:number .b8:type"
    assert [f"{word}:{kind}" for word, kind in told[:9]] == first.split()
    kinds = dict(told)
    wanted = {
        "table": "variable", "helper": "function", "r": "parameter", "k": "function", "p": "parameter",
        "%q": "variable", "%v": "variable", "%r": "variable", "single": "variable", "again": "label",
        "targets": "label", "ld": "keyword", "add": "keyword", "bra": "keyword", "foo": "keyword", "brx": "keyword",
        ".param": "modifier", ".u64": "type", ".u33": "modifier", ".bar": "modifier", ".idx": "modifier",
        "// weft": "comment", "%tid": "variable", ".branchtargets": "macro", ".v4": "macro", ".pred": "type",
        "16": "number",
    }  # fmt: skip
    assert {word: kinds.get(word) for word in wanted} == wanted
    assert [kind for word, kind in told if word == ".x"] == ["property", "property"]
    assert {"nothing", "sm_80", ";", "["}.isdisjoint(kinds)


def test_folds() -> None:
    """A fold begins behind the brace and leaves the line of the closing one; what is in two lines is none."""
    text = f"{HEADER}.entry a() {{\nret;\n}}\n.entry b() {{ ret;\n}}\n.entry c()\n{{\n{{\nret; }}\n{{\n\nret;\n}}\n}}\n}}\n"
    editor = Editor(text)
    folds = editor.ask(lsp.TEXT_DOCUMENT_FOLDING_RANGE, lsp.FoldingRangeParams(editor.identifier))
    assert [(one.start_line, one.end_line) for one in folds] == [(3, 4), (12, 14), (9, 15)]


def test_hints_say_what_each_kernel_needs() -> None:
    body = (
        "{ .reg .b64 %d<3>; mov.b64 %d1, 1; mov.b64 %d2, 2; add.s64 %d1, %d1, %d2; st.global.b64 [%d1], %d2; ret; }\n"
    )
    text = f"{HEADER}.entry a()\n{body}.extern .func e();\n.func b() {{ elect.sync _|%p, -1; }}\n.entry c() {body}"
    for source, least in ((text, "PTX 8.0, sm_90 or later"), (text.replace("elect.sync _|%p, -1;", "ret;"), "PTX 1.0, any target")):  # fmt: skip
        editor = Editor(source.replace("b() {", "b() { .reg .pred %p;"))
        parameters = lsp.InlayHintParams(editor.identifier, lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0)))
        hints = editor.ask(lsp.TEXT_DOCUMENT_INLAY_HINT, parameters)
        lines = editor.text.split("\n")
        assert [(one.position.line, one.label.partition(";")[0]) for one in hints] == [
            (3, least),
            (6, least),
            (7, least),
        ]
        assert [one.position.character for one in hints] == [len(lines[line]) for line in (3, 6, 7)]
        assert [one.label.partition("; ")[2] for one in hints][::2] == ["4 live registers"] * 2
        assert all(one.padding_left for one in hints)


def test_formatting() -> None:
    text = f"{HEADER}.entry a()\n{{ ret  ;\n}}\n"
    for source, count in ((text, 1), (weft.format_text(text), 0), (f"{HEADER}.entry a( {{", 0)):
        editor = Editor(source)
        edits = editor.ask(
            lsp.TEXT_DOCUMENT_FORMATTING,
            lsp.DocumentFormattingParams(editor.identifier, lsp.FormattingOptions(8, False)),
        )
        assert len(edits) == count
        assert editor.edited(edits) == (weft.format_text(text) if count else source)
