"""The server as an editor talks to it: a process, and messages of the protocol."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="pygls is not here")
pytest_lsp = pytest.importorskip("pytest_lsp", reason="pytest-lsp is not here")

from lsprotocol import types as lsp  # noqa: E402
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities  # noqa: E402

import weft  # noqa: E402
from weft.lsp.documents import Document  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
HEADER = ".version 8.0\n.target sm_80\n.address_size 64\n"
KERNEL = HEADER + (
    ".visible .entry k(.param .u64 p) {\n"  # 3
    "\t.reg .b32 %r<4>;\n"
    "\t.reg .b64 %rd<2>;\n"
    "\tld.param.u64 %rd1, [p];\n"  # 6
    "\tmov.u32 %r1, %tid.x;\n"
    "again:\n"  # 8
    "\tadd.u33 %r2, %r1, %r1;\n"
    "\tst.global.u32 [%rd1], %r2;\n"  # 10
    "\tbra again;\n"
    "\tret;\n"
    "}\n"
)
CUDA = (
    "__device__ void f(int* p, unsigned a) {\n"
    "  unsigned d;\n"
    '  asm volatile("{ .reg .u32 t;\\n"\n'
    '               "mov.u32 t, %1; add.u33 %0, t, 1; }" : "=r"(d) : "r"(a));\n'
    "}\n"
)
MLIR = (
    "#map = affine_map<(d0) -> (d0)>\n"
    "func.func @f(%x: i32, %y: i32) -> i32 {\n"
    "  %z = arith.addi %x, %y : i32\n"
    "  cf.br ^bb1(%z : i32)\n"
    "^bb1(%w: i32):\n"
    "  return %w : i32\n"
    "}\n"
    "func.func @g(%x: i32) -> i32 {\n"
    "  %z = func.call @f(%x, %x) : (i32, i32) -> i32\n"
    "  return %z : i32\n"
    "}\n"
)


@pytest_lsp.fixture(
    scope="module", config=ClientServerConfig(server_command=[sys.executable, "-m", "weft", "lsp", "--stdio"])
)
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    await lsp_client.initialize_session(
        lsp.InitializeParams(capabilities=client_capabilities("visual-studio-code"), root_uri=ROOT.as_uri())
    )
    yield
    await lsp_client.shutdown_session()


async def opened(client: LanguageClient, text: str, name: str = "k.ptx") -> str:
    """Open a text and wait for its diagnostics; its address."""
    uri = f"file:///nowhere/{name}"
    language = {"ptx": "ptx", "mlir": "mlir"}.get(name.rpartition(".")[2], "cuda-cpp")
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, language, 1, text)))
    await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return uri


def document(uri: str) -> lsp.TextDocumentIdentifier:
    return lsp.TextDocumentIdentifier(uri)


def at(text: str, needle: str, number: int = 0, behind: int = 0) -> lsp.Position:
    offset = -1
    for _ in range(number + 1):
        offset = text.index(needle, offset + 1)
    offset += behind
    return lsp.Position(text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1)


def edited(text: str, edits: list[lsp.TextEdit]) -> str:
    kept = Document("file:///k.ptx", "k.ptx", text, "ptx")
    places = [(kept.offset(*_place(e.range.start)), kept.offset(*_place(e.range.end)), e.new_text) for e in edits]
    for start, end, new in sorted(places, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _place(position: lsp.Position) -> tuple[int, int]:
    return position.line, position.character


@pytest.mark.asyncio(loop_scope="module")
async def test_diagnostics_follow_what_is_typed(client: LanguageClient) -> None:
    uri = await opened(client, KERNEL)
    (found,) = client.diagnostics[uri]
    assert (found.code, found.source, found.severity) == ("modifier", "weft", lsp.DiagnosticSeverity.Error)
    assert (found.range.start, found.range.end) == (lsp.Position(9, 4), lsp.Position(9, 8))
    assert "did you mean" in found.message
    change = lsp.TextDocumentContentChangePartial(found.range, ".u32")
    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(2, uri), [change])
    )
    await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert not client.diagnostics[uri]


@pytest.mark.asyncio(loop_scope="module")
async def test_quick_fixes(client: LanguageClient) -> None:
    uri = await opened(client, KERNEL)
    (found,) = client.diagnostics[uri]
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(document(uri), found.range, lsp.CodeActionContext([found]))
    )
    assert actions is not None
    first = actions[0]
    assert isinstance(first, lsp.CodeAction) and first.edit is not None and first.edit.changes is not None
    mended = edited(KERNEL, list(first.edit.changes[uri]))
    assert weft.verify(weft.parse(mended)) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_hover(client: LanguageClient) -> None:
    uri = await opened(client, KERNEL)

    async def said(needle: str, number: int = 0) -> str:
        hover = await client.text_document_hover_async(
            lsp.HoverParams(document(uri), at(KERNEL, needle, number, behind=1))
        )
        assert hover is None or isinstance(hover.contents, lsp.MarkupContent)
        return "" if hover is None else hover.contents.value  # pyright: ignore[reportAttributeAccessIssue]

    stored = await said("st.global")
    assert "st{.mmio}" in stored and "exists from PTX" in stored
    assert "'.u33' is not a modifier of 'add'" in await said("add.u33")
    assert "register `%r1`, used 3 times" in await said("%r1", 1)
    assert ".visible .entry k(.param .u64 p)" in await said("k(")
    assert "label `again`, used once" in await said("again", 1)
    assert "Thread identifier" in await said("%tid") or "thread" in await said("%tid")
    assert "allowed in: body" in await said(".reg")
    assert await said("}") == ""


@pytest.mark.asyncio(loop_scope="module")
async def test_completion(client: LanguageClient) -> None:
    text = KERNEL.replace("add.u33", "mma.sync.aligned.m16n8k16.row.col.f32.")
    uri = await opened(client, text)

    async def offered(position: lsp.Position) -> list[str]:
        found = await client.text_document_completion_async(lsp.CompletionParams(document(uri), position))
        assert isinstance(found, lsp.CompletionList)
        return [item.label for item in found.items]

    types = await offered(at(text, "col.f32.", behind=8))
    assert types == ["f16", "bf16", "e4m3", "e5m2"]
    assert "again" in await offered(at(text, "bra ag", behind=6))
    names = await offered(at(text, "], %r2", behind=6))
    assert {"%r1", "%tid.x", "%laneid", "p"} <= set(names)
    assert {"ld", "mma", "wgmma"} <= set(await offered(at(text, "\tst.", behind=2)))


@pytest.mark.asyncio(loop_scope="module")
async def test_names(client: LanguageClient) -> None:
    uri = await opened(client, KERNEL)
    where = at(KERNEL, "again", 1)
    definition = await client.text_document_definition_async(lsp.DefinitionParams(document(uri), where))
    assert isinstance(definition, lsp.Location) and definition.range.start == lsp.Position(8, 0)
    places = await client.text_document_references_async(
        lsp.ReferenceParams(lsp.ReferenceContext(True), document(uri), where)
    )
    assert places is not None and [place.range.start.line for place in places] == [8, 11]
    register = at(KERNEL, "%r1", 0)
    edit = await client.text_document_rename_async(lsp.RenameParams(document(uri), register, "%thread"))
    assert edit is not None and edit.changes is not None
    renamed = edited(KERNEL, list(edit.changes[uri])).replace("u33", "u32")
    assert ".reg .b32 %r<4>; .reg .b32 %thread;" in renamed and "%r1" not in renamed
    assert weft.verify(weft.parse(renamed)) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_outline_and_format(client: LanguageClient) -> None:
    text = KERNEL.replace("u33", "u32").replace("mov.u32 %r1,", "mov.u32   %r1 ,")
    uri = await opened(client, text)
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document(uri)))
    assert symbols is not None
    (kernel,) = symbols
    assert isinstance(kernel, lsp.DocumentSymbol) and kernel.name == "k" and kernel.range.end.line == 13
    assert [child.name for child in kernel.children or ()] == ["p", "again"]
    edits = await client.text_document_formatting_async(
        lsp.DocumentFormattingParams(document(uri), lsp.FormattingOptions(8, False))
    )
    assert edits is not None and edited(text, list(edits)) == weft.format_text(text)
    folds = await client.text_document_folding_range_async(lsp.FoldingRangeParams(document(uri)))
    assert folds is not None and [(fold.start_line, fold.end_line) for fold in folds] == [(3, 12)]
    tokens = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(document(uri)))
    assert tokens is not None and len(tokens.data) % 5 == 0 and len(tokens.data) > 100
    hints = await client.text_document_inlay_hint_async(
        lsp.InlayHintParams(document(uri), lsp.Range(lsp.Position(0, 0), lsp.Position(14, 0)))
    )
    assert hints is not None and "live registers" in str(hints[0].label)


@pytest.mark.asyncio(loop_scope="module")
async def test_inline_ptx(client: LanguageClient) -> None:
    uri = await opened(client, CUDA, "k.cuh")
    (found,) = client.diagnostics[uri]
    line = CUDA.splitlines()[3]
    assert found.code == "modifier" and found.range.start == lsp.Position(3, line.index(".u33"))
    hover = await client.text_document_hover_async(lsp.HoverParams(document(uri), at(CUDA, "%1")))
    assert hover is not None and '`"r"(a)`, a .b32 register' in str(hover.contents)
    hover = await client.text_document_hover_async(lsp.HoverParams(document(uri), at(CUDA, "mov.u32")))
    assert hover is not None and "exists from" in str(hover.contents)
    where = at(CUDA, "t, 1")
    definition = await client.text_document_definition_async(lsp.DefinitionParams(document(uri), where))
    assert isinstance(definition, lsp.Location) and definition.range.start.line == 2
    items = await client.text_document_completion_async(lsp.CompletionParams(document(uri), at(CUDA, "add.", behind=4)))
    assert isinstance(items, lsp.CompletionList) and "u32" in [item.label for item in items.items]
    outside = await client.text_document_hover_async(lsp.HoverParams(document(uri), at(CUDA, "unsigned d")))
    assert outside is None


@pytest.mark.asyncio(loop_scope="module")
async def test_mlir(client: LanguageClient) -> None:
    uri = await opened(client, MLIR, "k.mlir")
    assert not client.diagnostics[uri]
    definition = await client.text_document_definition_async(lsp.DefinitionParams(document(uri), at(MLIR, "%z", 2)))
    assert isinstance(definition, lsp.Location) and definition.range.start.line == 8
    places = await client.text_document_references_async(
        lsp.ReferenceParams(lsp.ReferenceContext(False), document(uri), at(MLIR, "@f"))
    )
    assert places is not None and [place.range.start.line for place in places] == [8]
    broken = MLIR.replace("%x, %y : i32\n", "%x, %q : i32\n")
    uri = await opened(client, broken, "broken.mlir")
    (found,) = client.diagnostics[uri]
    assert found.range.start.line == 2 and "undeclared" in found.message


@pytest.mark.slow
@pytest.mark.parametrize("language", ["ptx", "mlir"])
def test_a_keystroke_in_three_thousand_lines(language: str) -> None:
    """To parse and judge 3,000 lines costs 4 (PTX) or 8 (MLIR) times what finding their words does."""
    text = (ROOT / "examples/gemm_sm80.mlir").read_text()
    begins, name = "module {", "kernels"
    if language == "ptx":
        text, begins, name = weft.compile(text, "sm_80").to_ptx(), ".address_size 64", "gemm"
    head, body = text.split(begins, 1)
    body, end = (body, "") if language == "ptx" else (body[: body.rindex("}")], "}\n")
    large = head + begins + "".join(body.replace(name, f"{name}{number}") for number in range(18)) + end
    assert large.count("\n") > 3000
    times: list[float] = []
    scans: list[float] = []
    for number in range(6):  # The first reads tables, once a process.
        document = Document("file:///k", "k", f"{large}// {number}\n", language)
        start = time.process_time()
        assert document.found == []
        times.append(time.process_time() - start)
        start = time.process_time()
        assert sum(1 for _ in re.finditer(r"\w+|\S", large)) > 60_000
        scans.append(time.process_time() - start)
    assert min(times) < 20 * min(scans)


def test_without_pygls(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from weft.cli import execute

    for name in [name for name in sys.modules if name.startswith(("pygls", "weft.lsp."))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pygls", None)
    assert execute(["lsp"]) == 1
    assert "pip install 'weft[lsp]'" in capsys.readouterr().err


async def _shown(client: LanguageClient, uri: str, **settings: object) -> list[str | int | None]:
    """The codes of what is found after settings change."""
    client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams({"weft": settings}))
    await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return [one.code for one in client.diagnostics[uri]]


@pytest.mark.asyncio(loop_scope="module")
async def test_settings(client: LanguageClient) -> None:
    for uri in list(client.diagnostics):
        client.text_document_did_close(lsp.DidCloseTextDocumentParams(document(uri)))
        await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    text = KERNEL.replace("add.u33 %r2, %r1, %r1", "elect.sync _|%p, -1").replace(
        ".reg .b64", ".reg .pred %p; .reg .b64"
    )
    uri = await opened(client, text.replace("8.0", "8.6").replace("sm_80", "sm_90"), "settings.ptx")
    assert [one.code for one in client.diagnostics[uri]] == []
    assert await _shown(client, uri, target="sm_80") == ["window"]
    assert await _shown(client, uri, target="sm_80", disable=["window"]) == []
    assert await _shown(client, uri, target="sm_80", diagnostics=False) == []
    assert await _shown(client, uri, target="sm_81", disable=["nothing"], diagnostics=3) == []
    said = [message.message for message in client.messages]
    assert said[-3:] == [
        "weft.target: unknown target 'sm_81'",
        "weft.diagnostics: expected true or false",
        "weft.disable: unknown code 'nothing'",
    ]
    assert await _shown(client, uri) == []
