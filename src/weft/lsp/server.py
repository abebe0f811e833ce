"""The server of the Language Server Protocol: settings, documents, fixes; other features have modules of their own."""

from __future__ import annotations

import asyncio

from lsprotocol import types as lsp

import weft
from weft.errors import WeftError
from weft.lsp import help, naming, outline
from weft.lsp.findings import MLIR, PTX
from weft.lsp.fixes import fixes
from weft.lsp.session import Server, diagnostic_of, offset_of, server, workspace_edit

__all__ = ["server"]

FEATURES = (help, naming, outline)
"""Each registers its features when it is imported."""
_DELAY = 0.05
"""Seconds without a keystroke before a text is judged."""


@server.feature(lsp.INITIALIZE)
def _initialize(server: Server, params: lsp.InitializeParams) -> None:
    server.asked = params.initialization_options


@server.feature(lsp.INITIALIZED)
def _initialized(server: Server, params: lsp.InitializedParams) -> None:
    # Messages may be sent from here on only.
    server.configure(server.asked)


@server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
def _configured(server: Server, params: lsp.DidChangeConfigurationParams) -> None:
    server.configure(params.settings)


@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
def _opened(server: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    server.publish(params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
async def _changed(server: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    uri = params.text_document.uri
    waiting = server.waiting.pop(uri, None)
    if waiting is not None:
        waiting.cancel()
    server.waiting[uri] = asyncio.ensure_future(_soon(server, uri))


async def _soon(server: Server, uri: str) -> None:
    await asyncio.sleep(_DELAY)
    server.waiting.pop(uri, None)
    if uri in server.workspace.text_documents:
        server.publish(uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
def _closed(server: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    uri = params.text_document.uri
    server.documents.pop(uri, None)
    server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))


@server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix]))
def _actions(server: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    document = server.document(params.text_document.uri)
    first, last = offset_of(document, params.range.start), offset_of(document, params.range.end)
    actions: list[lsp.CodeAction] = []
    for finding in document.found:
        start, end = document.span(finding)
        if end < first or start > last:
            continue
        for fix in fixes(document.text, document.language, finding, start, end):
            actions.append(
                lsp.CodeAction(
                    fix.title,
                    lsp.CodeActionKind.QuickFix,
                    [diagnostic_of(document, finding)],
                    is_preferred=fix.sure,
                    edit=workspace_edit(document, fix.edits),
                )
            )
    return actions


@server.command("weft.sass")
def _sass(server: Server, uri: str, target: str = "") -> str:
    """The machine code of a document, as `weft sass --ptx` prints it."""
    from weft.view.traces import machine_lines

    document = server.document(uri)
    if document.language not in (PTX, MLIR):
        raise WeftError("only PTX and MLIR can be compiled to machine code")
    target = target or server.settings.target
    trace = weft.trace(document.text if "\n" in document.text else f"{document.text}\n", target or None)
    functions: dict[str, list[int]] = {}
    for number, span in enumerate(trace.stage("sass").spans):
        functions.setdefault(span.function, []).append(number)
    lines = [line for name, numbers in functions.items() for line in machine_lines(trace, numbers, name, with_ptx=True)]
    return "\n".join(lines)
