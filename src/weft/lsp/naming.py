"""Where a name is declared and used, and another name for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lsprotocol import types as lsp

from weft.errors import WeftError
from weft.lsp.documents import Document
from weft.lsp.fixes import Edit
from weft.lsp.mlir_names import Defined, MlirNames
from weft.lsp.session import Server, offset_of, range_of, server, workspace_edit
from weft.ptx.lexical import IDENTIFIER
from weft.ptx.occurrences import Declared

_NAME = re.compile(IDENTIFIER, re.ASCII)


def _name(document: Document, offset: int) -> tuple[Declared | Defined, list[tuple[int, int]], str] | None:
    """What is declared at an offset, where it is used, and its name there."""
    names = document.names
    if isinstance(names, MlirNames):
        found = names.uses.at(offset)
        if found is None or found.declared is None:
            return None
        written = document.text[found.start : found.end]
        return found.declared, [(one.start, one.end) for one in names.of(found.declared)], written
    there = document.ptx_at(offset)
    use = there[0].uses.at(offset) if there is not None else None
    if there is None or use is None or use.declared is None:
        return None
    written = there[0].text[use.start : use.end]
    return use.declared, [(one.start, one.end) for one in there[0].of(use.declared, written)], written


@server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
def _definition(server: Server, params: lsp.DefinitionParams) -> lsp.Location | None:
    document = server.document(params.text_document.uri)
    found = _name(document, offset_of(document, params.position))
    return None if found is None else lsp.Location(document.uri, range_of(document, found[0].start, found[0].end))


@server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
def _references(server: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
    document = server.document(params.text_document.uri)
    found = _name(document, offset_of(document, params.position))
    if found is None:
        return []
    declared, places, _ = found
    return [
        lsp.Location(document.uri, range_of(document, start, end))
        for start, end in places
        if params.context.include_declaration or start != declared.start
    ]


@server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
def _highlights(server: Server, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
    document = server.document(params.text_document.uri)
    found = _name(document, offset_of(document, params.position))
    return [] if found is None else [lsp.DocumentHighlight(range_of(document, *place)) for place in found[1]]


@server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
def _prepare_rename(server: Server, params: lsp.PrepareRenameParams) -> lsp.Range | None:
    document = server.document(params.text_document.uri)
    offset = offset_of(document, params.position)
    found = _name(document, offset)
    if found is None:
        return None
    return next((range_of(document, *place) for place in found[1] if place[0] <= offset <= place[1]), None)


@server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
def _rename(server: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
    document = server.document(params.text_document.uri)
    found = _name(document, offset_of(document, params.position))
    if found is None:
        raise WeftError("there is nothing to rename here")
    edits = [Edit(start, end, new) for start, end, new in _renamed(document, *found, params.new_name)]
    return workspace_edit(document, edits)


def _renamed(
    document: Document, declared: Declared | Defined, places: Sequence[tuple[int, int]], written: str, new: str
) -> Iterator[tuple[int, int, str]]:
    """The edits of a renaming; a single register of a range gets a declaration of its own."""
    names = document.names
    if isinstance(names, MlirNames):
        new = new if new[:1] in "%^@#!" else written[0] + new
        if any(one.name == new for one in names.declared):
            raise WeftError(f"'{new}' is already declared")
        yield from ((start, end, new) for start, end in places)
        return
    if _NAME.fullmatch(new) is None:
        raise WeftError(f"'{new}' is not a valid PTX name")
    there = document.ptx_at(places[0][0])
    if there is not None and any(one.name == new for one in there[0].visible(places[0][0])):
        raise WeftError(f"'{new}' is already declared")
    assert isinstance(declared, Declared)
    single = declared.count and written != declared.name
    for start, end in places:
        if single and start == declared.start:
            behind = declared.whole[1]
            yield behind, behind, f" {declared.words} {new};"
        else:
            yield start, end, new + document.text[start + len(written) : end]
