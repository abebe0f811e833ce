"""What all features share: the server with its documents, and places and findings as editors have them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from urllib.parse import unquote, urlparse

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

import weft
from weft.errors import Diagnostic, Severity
from weft.lsp.documents import Document
from weft.lsp.findings import language_of
from weft.lsp.fixes import Edit
from weft.lsp.settings import DEFAULT, read_settings

_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.NOTE: lsp.DiagnosticSeverity.Hint,
}


class Server(LanguageServer):
    """The server with its documents."""

    def __init__(self) -> None:
        super().__init__("weft", weft.__version__)  # pyright: ignore[reportUnknownMemberType]
        self.documents: dict[str, Document] = {}
        self.waiting: dict[str, asyncio.Task[None]] = {}
        self.settings = DEFAULT
        self.asked: object = None

    def document(self, uri: str) -> Document:
        """The document as it is now."""
        kept = self.documents.get(uri)
        current = self.workspace.get_text_document(uri)
        text = current.source
        if kept is None or kept.text != text or kept.settings != self.settings:
            language = language_of(uri, current.language_id or "")
            encoding = self.workspace.position_encoding
            name = unquote(urlparse(uri).path) or uri
            units = str(getattr(encoding, "value", encoding))
            kept = self.documents[uri] = Document(uri, name, text, language, units, self.settings)
        return kept

    def publish(self, uri: str) -> None:
        """Send the findings about a document."""
        document = self.document(uri)
        version = self.workspace.get_text_document(uri).version
        found = [diagnostic_of(document, one) for one in document.found]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, version))

    def configure(self, given: object) -> None:
        """Take settings, say what is wrong with them, and judge the open texts anew."""
        self.settings, wrong = read_settings(given)
        for message in wrong:
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, message))
        for uri in self.workspace.text_documents:
            self.publish(uri)


server = Server()


def range_of(document: Document, start: int, end: int) -> lsp.Range:
    """A part of a text as editors count."""
    return lsp.Range(lsp.Position(*document.place(start)), lsp.Position(*document.place(end)))


def offset_of(document: Document, position: lsp.Position) -> int:
    """Where a position of an editor is in a text."""
    return document.offset(position.line, position.character)


def diagnostic_of(document: Document, one: Diagnostic) -> lsp.Diagnostic:
    """A finding as editors show it."""
    return lsp.Diagnostic(
        range_of(document, *document.span(one)),
        one.message + (f"\n{one.hint}" if one.hint else ""),
        _SEVERITIES[one.severity],
        one.code,
        source="weft",
        tags=[lsp.DiagnosticTag.Unnecessary] if one.code == "unused" else None,
    )


def workspace_edit(document: Document, edits: Sequence[Edit]) -> lsp.WorkspaceEdit:
    """Edits of one document."""
    made = [lsp.TextEdit(range_of(document, edit.start, edit.end), edit.new) for edit in edits]
    return lsp.WorkspaceEdit(changes={document.uri: made})
