"""Questions of an editor, asked of the server in this process: a text with `|` where the cursor is."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from weft.lsp.documents import Document
from weft.lsp.server import server
from weft.lsp.session import Server

CURSOR = "¦"
"""Stands in texts where the cursor is."""


class Editor:
    """An editor with one document; places are offsets, and ranges the text that they are of."""

    def __init__(self, text: str, name: str = "k.ptx", encoding: str = "utf-16") -> None:
        language = {"ptx": "ptx", "mlir": "mlir"}.get(name.rpartition(".")[2], "cpp")
        self.text = text
        self.shown = Document(f"file:///{name}", name, text, language, encoding)
        self.identifier = lsp.TextDocumentIdentifier(self.shown.uri)

    def ask(self, feature: str, parameters: Any) -> Any:
        """What the server answers."""
        before, Server.document = Server.document, lambda *_: self.shown
        try:
            return server.protocol.fm.features[feature](parameters)
        finally:
            Server.document = before

    def position(self, offset: int) -> lsp.Position:
        return lsp.Position(*self.shown.place(offset))

    def offsets(self, found: lsp.Range) -> tuple[int, int]:
        ends = (found.start, found.end)
        start, end = (self.shown.offset(each.line, each.character) for each in ends)
        return start, end

    def at(self, feature: str, kind: Any, offset: int, **more: Any) -> Any:
        """What the server answers about a place."""
        return self.ask(feature, kind(text_document=self.identifier, position=self.position(offset), **more))

    def hover(self, offset: int) -> tuple[str, str] | None:
        """The text that a hover is of, and what it says."""
        found = self.at(lsp.TEXT_DOCUMENT_HOVER, lsp.HoverParams, offset)
        if found is None:
            return None
        start, end = self.offsets(found.range)
        assert start <= offset <= end
        return self.text[start:end], found.contents.value

    def references(self, offset: int, *, declaration: bool) -> list[tuple[int, int]]:
        """Where the name at a place is."""
        context = lsp.ReferenceContext(declaration)
        found = self.at(lsp.TEXT_DOCUMENT_REFERENCES, lsp.ReferenceParams, offset, context=context)
        return [self.offsets(one.range) for one in found]

    def highlights(self, offset: int) -> list[tuple[int, int]]:
        found = self.at(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, lsp.DocumentHighlightParams, offset)
        return [self.offsets(one.range) for one in found]

    def definition(self, offset: int) -> tuple[int, int] | None:
        found = self.at(lsp.TEXT_DOCUMENT_DEFINITION, lsp.DefinitionParams, offset)
        return None if found is None else self.offsets(found.range)

    def renamable(self, offset: int) -> tuple[int, int] | None:
        found = self.at(lsp.TEXT_DOCUMENT_PREPARE_RENAME, lsp.PrepareRenameParams, offset)
        return None if found is None else self.offsets(found)

    def completions(self, offset: int) -> list[lsp.CompletionItem]:
        return self.at(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionParams, offset).items

    def renamed(self, offset: int, new: str) -> str:
        """The text with a name renamed."""
        edit = self.at(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameParams, offset, new_name=new)
        return self.edited(edit.changes[self.shown.uri])

    def edited(self, edits: list[lsp.TextEdit]) -> str:
        """The text after edits, which may not overlap."""
        text = self.text
        for (start, end), new in sorted(((self.offsets(one.range), one.new_text) for one in edits), reverse=True):
            text = text[:start] + new + text[end:]
        return text


def opened(text: str, name: str = "k.ptx") -> tuple[Editor, int]:
    """An editor with a text, and where its cursor is."""
    assert text.count(CURSOR) == 1
    return Editor(text.replace(CURSOR, ""), name), text.index(CURSOR)
