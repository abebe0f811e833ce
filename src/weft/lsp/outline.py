"""What is shown of a whole document: its outline, folds, colours, hints, and the document formatted."""

from __future__ import annotations

from lsprotocol import types as lsp

from weft.errors import WeftError
from weft.lsp.documents import Document
from weft.lsp.findings import PTX
from weft.lsp.mlir_names import MlirNames
from weft.lsp.ptx_questions import TOKEN_KINDS, hints, semantic_tokens, symbols
from weft.lsp.session import Server, range_of, server
from weft.ptx.occurrences import Declared, Occurrences

_SYMBOLS = {
    "kernel": lsp.SymbolKind.Function,
    "function": lsp.SymbolKind.Function,
    "variable": lsp.SymbolKind.Variable,
    "register": lsp.SymbolKind.Variable,
    "parameter": lsp.SymbolKind.TypeParameter,
    "label": lsp.SymbolKind.Key,
    "table": lsp.SymbolKind.Array,
}


@server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def _symbols(server: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    document = server.document(params.text_document.uri)
    names = document.names
    if isinstance(names, MlirNames):
        return [
            lsp.DocumentSymbol(
                one.name,
                lsp.SymbolKind.Function if one.kind == "symbol" else lsp.SymbolKind.Constant,
                range_of(document, one.start, one.end),
                range_of(document, one.start, one.end),
            )
            for one in names.declared
            if one.kind in ("symbol", "alias")
        ]
    if not isinstance(names, Occurrences):
        return []
    return [
        _symbol(document, one.declared, [_symbol(document, child) for child in one.children]) for one in symbols(names)
    ]


def _symbol(document: Document, one: Declared, children: list[lsp.DocumentSymbol] | None = None) -> lsp.DocumentSymbol:
    start, end = min(one.whole[0], one.start), max(one.whole[1], one.end)
    return lsp.DocumentSymbol(
        one.name,
        _SYMBOLS[one.kind],
        range_of(document, start, end),
        range_of(document, one.start, one.end),
        one.words or None,
        children=children,
    )


@server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
def _folds(server: Server, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
    document = server.document(params.text_document.uri)
    opened: list[int] = []
    found: list[lsp.FoldingRange] = []
    tokens = document.names.tokens if document.names is not None else ()
    for token in tokens:
        if token.kind == "sign" and token.text == "{":
            opened.append(token.start)
        elif token.kind == "sign" and token.text == "}" and opened:
            first, last = document.place(opened.pop())[0], document.place(token.start)[0]
            if last > first + 1:
                found.append(lsp.FoldingRange(first, last - 1))
    return found


@server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
def _format(server: Server, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    document = server.document(params.text_document.uri)
    if document.language != PTX:
        return []
    from weft.ptx.formatter import format_text

    try:
        formatted = format_text(document.text, document.filename)
    except WeftError:  # A diagnostic says so.
        return []
    if formatted == document.text:
        return []
    return [lsp.TextEdit(range_of(document, 0, len(document.text)), formatted)]


@server.feature(
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, lsp.SemanticTokensLegend(token_types=list(TOKEN_KINDS), token_modifiers=[])
)
def _tokens(server: Server, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
    document = server.document(params.text_document.uri)
    names = document.names
    data: list[int] = []
    line = column = 0
    for start, length, kind in semantic_tokens(names) if isinstance(names, Occurrences) else ():
        if "\n" in document.text[start : start + length]:
            continue
        here, place = document.place(start)
        data += [here - line, place - column if here == line else place, length, TOKEN_KINDS.index(kind), 0]
        line, column = here, place
    return lsp.SemanticTokens(data)


@server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
def _hints(server: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    document = server.document(params.text_document.uri)
    if document.language != PTX:
        return []
    meaning = "The PTX version and targets that it needs, and the most 32-bit registers live at once."
    return [
        lsp.InlayHint(lsp.Position(*document.place(offset)), said, tooltip=meaning, padding_left=True)
        for offset, said in hints(document.text)
    ]
