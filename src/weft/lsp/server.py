"""The server: messages of the Language Server Protocol, answered by the modules beside this one."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote, urlparse

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

import weft
from weft.errors import Diagnostic, Severity, WeftError
from weft.lsp.documents import Document
from weft.lsp.findings import CPP, MLIR, PTX, language_of
from weft.lsp.fixes import Edit, fixes
from weft.lsp.inline import operand_at
from weft.lsp.manual import operation_page
from weft.lsp.mlir_names import Defined, MlirNames
from weft.lsp.ptx_questions import (
    TOKEN_KINDS,
    Item,
    completions,
    hints,
    hover,
    semantic_tokens,
    symbols,
)
from weft.lsp.settings import DEFAULT, read_settings
from weft.ptx.occurrences import Declared, Occurrences

_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.NOTE: lsp.DiagnosticSeverity.Hint,
}
_COMPLETIONS = {
    "instruction": lsp.CompletionItemKind.Keyword,
    "modifier": lsp.CompletionItemKind.EnumMember,
    "type": lsp.CompletionItemKind.TypeParameter,
    "register": lsp.CompletionItemKind.Variable,
    "special": lsp.CompletionItemKind.Constant,
    "variable": lsp.CompletionItemKind.Variable,
    "parameter": lsp.CompletionItemKind.Field,
    "label": lsp.CompletionItemKind.Reference,
    "kernel": lsp.CompletionItemKind.Function,
    "function": lsp.CompletionItemKind.Function,
    "directive": lsp.CompletionItemKind.Property,
}
_SYMBOLS = {
    "kernel": lsp.SymbolKind.Function,
    "function": lsp.SymbolKind.Function,
    "variable": lsp.SymbolKind.Variable,
    "register": lsp.SymbolKind.Variable,
    "parameter": lsp.SymbolKind.TypeParameter,
    "label": lsp.SymbolKind.Key,
    "table": lsp.SymbolKind.Array,
}
_NAME = re.compile(r"[A-Za-z]\w*|[_$%][\w$]+")
_DELAY = 0.05
"""Seconds without a keystroke before a text is judged."""


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
        found = [_diagnostic(document, one) for one in document.found]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, version))

    def configure(self, given: object) -> None:
        """Take settings, say what is wrong with them, and judge the open texts anew."""
        self.settings, wrong = read_settings(given)
        for message in wrong:
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, message))
        for uri in self.workspace.text_documents:
            self.publish(uri)


server = Server()


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


def _range(document: Document, start: int, end: int) -> lsp.Range:
    return lsp.Range(lsp.Position(*document.place(start)), lsp.Position(*document.place(end)))


def _offset(document: Document, position: lsp.Position) -> int:
    return document.offset(position.line, position.character)


def _diagnostic(document: Document, one: Diagnostic) -> lsp.Diagnostic:
    return lsp.Diagnostic(
        _range(document, *document.span(one)),
        one.message + (f"\n{one.hint}" if one.hint else ""),
        _SEVERITIES[one.severity],
        one.code,
        source="weft",
        tags=[lsp.DiagnosticTag.Unnecessary] if one.code == "unused" else None,
    )


# -- documents ------------------------------------------------------------------------------------------------------


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


# -- hover and completion -------------------------------------------------------------------------------------------


@server.feature(lsp.TEXT_DOCUMENT_HOVER)
def _hover(server: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    document = server.document(params.text_document.uri)
    offset = _offset(document, params.position)
    found = _operand_hover(document, offset) or _mlir_hover(document, offset)
    if found is None:
        there = document.ptx_at(offset)
        shown = hover(there[0], offset) if there is not None else None
        found = (shown.start, shown.end, shown.markdown) if shown is not None else None
    if found is None:
        return None
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, found[2]), _range(document, found[0], found[1]))


def _operand_hover(document: Document, offset: int) -> tuple[int, int, str] | None:
    """What an operand of an asm statement is: its C++ expression, constraint and register."""
    there = document.ptx_at(offset) if document.language == CPP else None
    template = there[1] if there is not None else None
    if template is None:
        return None
    found = operand_at(document.text, template.statement, offset)
    if found is None:
        return None
    written, operand, kind = found
    start = document.text.rfind(written, 0, offset + len(written))
    expression = "".join(token.text for token in operand.expression)
    said = "a constant" if kind == "constant" else f"a .{kind} register" if kind else "unknown"
    return start, start + len(written), f'`{written}`: `"{operand.constraint}"({expression})`, {said}'


def _mlir_hover(document: Document, offset: int) -> tuple[int, int, str] | None:
    names = document.names
    if not isinstance(names, MlirNames):
        return None
    use = names.uses.at(offset)
    if use is not None and use.declared is not None:
        start = document.starts[document.place(use.declared.start)[0]]
        end = document.text.find("\n", start)
        line = document.text[start : end if end >= 0 else None].strip()
        return use.start, use.end, f"```mlir\n{line}\n```\n{use.declared.kind}, {len(names.of(use.declared)) - 1} uses"
    for token in names.tokens:
        if token.kind == "operation" and token.start <= offset <= token.end:
            page = operation_page(token.text)
            return (token.start, token.end, page) if page else None
    return None


@server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "%", "@"]))
def _complete(server: Server, params: lsp.CompletionParams) -> lsp.CompletionList:
    document = server.document(params.text_document.uri)
    offset = _offset(document, params.position)
    there = document.ptx_at(offset)
    items = completions(there[0], offset) if there is not None else list(_mlir_items(document, offset))
    return lsp.CompletionList(
        is_incomplete=False, items=[_item(document, one, offset, number) for number, one in enumerate(items)]
    )


def _mlir_items(document: Document, offset: int) -> Iterator[Item]:
    names = document.names
    if not isinstance(names, MlirNames):
        return
    match = re.search(r"[%@^#!]?[\w$.]*\Z", document.text[max(0, offset - 200) : offset])
    word = match[0] if match is not None else ""
    if word[:1] in ("%", "@", "^", "#", "!"):
        for name in dict.fromkeys(one.name for one in names.declared if one.name[0] == word[0] and one.start < offset):
            yield Item(name, "variable", "", offset - len(word))
        return
    from weft.dialects.nvgpu.floors import STEMS
    from weft.dialects.nvvm.instructions import INSTRUCTIONS

    for name, stems in INSTRUCTIONS.items():
        yield Item(name, "function", ", ".join(stems), offset - len(word))
    for name, stem in STEMS.items():
        yield Item(f"nvgpu.{name}", "function", stem, offset - len(word))


def _item(document: Document, one: Item, offset: int, number: int) -> lsp.CompletionItem:
    return lsp.CompletionItem(
        one.label,
        kind=_COMPLETIONS.get(one.kind, lsp.CompletionItemKind.Text),
        detail=one.detail or None,
        sort_text=f"{number:05}",
        text_edit=lsp.TextEdit(_range(document, one.start, offset), one.label),
    )


# -- names ----------------------------------------------------------------------------------------------------------


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
    found = _name(document, _offset(document, params.position))
    return None if found is None else lsp.Location(document.uri, _range(document, found[0].start, found[0].end))


@server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
def _references(server: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
    document = server.document(params.text_document.uri)
    found = _name(document, _offset(document, params.position))
    if found is None:
        return []
    declared, places, _ = found
    return [
        lsp.Location(document.uri, _range(document, start, end))
        for start, end in places
        if params.context.include_declaration or start != declared.start
    ]


@server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
def _highlights(server: Server, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
    document = server.document(params.text_document.uri)
    found = _name(document, _offset(document, params.position))
    return [] if found is None else [lsp.DocumentHighlight(_range(document, *place)) for place in found[1]]


@server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
def _prepare_rename(server: Server, params: lsp.PrepareRenameParams) -> lsp.Range | None:
    document = server.document(params.text_document.uri)
    offset = _offset(document, params.position)
    found = _name(document, offset)
    if found is None:
        return None
    return next((_range(document, *place) for place in found[1] if place[0] <= offset <= place[1]), None)


@server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
def _rename(server: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
    document = server.document(params.text_document.uri)
    found = _name(document, _offset(document, params.position))
    if found is None:
        raise WeftError("nothing that can be renamed stands here")
    edits = [Edit(start, end, new) for start, end, new in _renamed(document, *found, params.new_name)]
    return _workspace(document, edits)


def _renamed(
    document: Document, declared: Declared | Defined, places: Sequence[tuple[int, int]], written: str, new: str
) -> Iterator[tuple[int, int, str]]:
    """The edits of a renaming; a single register of a range gets a declaration of its own."""
    names = document.names
    if isinstance(names, MlirNames):
        new = new if new[:1] in "%^@#!" else written[0] + new
        if any(one.name == new for one in names.declared):
            raise WeftError(f"'{new}' is declared already")
        yield from ((start, end, new) for start, end in places)
        return
    if _NAME.fullmatch(new) is None:
        raise WeftError(f"'{new}' is not a name of PTX")
    there = document.ptx_at(places[0][0])
    if there is not None and any(one.name == new for one in there[0].visible(places[0][0])):
        raise WeftError(f"'{new}' is declared already")
    assert isinstance(declared, Declared)
    single = declared.count and written != declared.name
    for start, end in places:
        if single and start == declared.start:
            behind = declared.whole[1]
            yield behind, behind, f" {declared.words} {new};"
        elif document.text[start:end] == written:
            yield start, end, new


def _workspace(document: Document, edits: Sequence[Edit]) -> lsp.WorkspaceEdit:
    made = [lsp.TextEdit(_range(document, edit.start, edit.end), edit.new) for edit in edits]
    return lsp.WorkspaceEdit(changes={document.uri: made})


# -- outline, formatting, colours -----------------------------------------------------------------------------------


@server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def _symbols(server: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    document = server.document(params.text_document.uri)
    names = document.names
    if isinstance(names, MlirNames):
        return [
            lsp.DocumentSymbol(
                one.name,
                lsp.SymbolKind.Function if one.kind == "symbol" else lsp.SymbolKind.Constant,
                _range(document, one.start, one.end),
                _range(document, one.start, one.end),
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
        _range(document, start, end),
        _range(document, one.start, one.end),
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
    return [lsp.TextEdit(_range(document, 0, len(document.text)), formatted)]


@server.feature(
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
    lsp.SemanticTokensLegend(token_types=list(TOKEN_KINDS), token_modifiers=[]),
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
    return [
        lsp.InlayHint(lsp.Position(*document.place(offset)), said, padding_left=True)
        for offset, said in hints(document.text)
    ]


# -- changes --------------------------------------------------------------------------------------------------------


@server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix]))
def _actions(server: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    document = server.document(params.text_document.uri)
    first, last = _offset(document, params.range.start), _offset(document, params.range.end)
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
                    [_diagnostic(document, finding)],
                    is_preferred=fix.sure,
                    edit=_workspace(document, fix.edits),
                )
            )
    return actions


@server.command("weft.sass")
def _sass(server: Server, uri: str, target: str = "") -> str:
    """The machine code of a document, as `weft sass --ptx` prints it."""
    from weft.view.traces import machine_lines

    document = server.document(uri)
    if document.language not in (PTX, MLIR):
        raise WeftError("only PTX and MLIR become machine code")
    target = target or server.settings.target
    trace = weft.trace(document.text if "\n" in document.text else f"{document.text}\n", target or None)
    functions: dict[str, list[int]] = {}
    for number, span in enumerate(trace.stage("sass").spans):
        functions.setdefault(span.function, []).append(number)
    lines = [line for name, numbers in functions.items() for line in machine_lines(trace, numbers, name, with_ptx=True)]
    return "\n".join(lines)
