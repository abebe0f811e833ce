"""Hover and completion: what the thing at the cursor is, and what may be typed there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types as lsp

from weft.lsp.documents import Document
from weft.lsp.findings import CPP
from weft.lsp.inline import operand_at
from weft.lsp.manual import operation_page
from weft.lsp.mlir_names import MlirNames
from weft.lsp.ptx_questions import Item, completions, hover, used
from weft.lsp.session import Server, offset_of, range_of, server

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


@server.feature(lsp.TEXT_DOCUMENT_HOVER)
def _hover(server: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    document = server.document(params.text_document.uri)
    offset = offset_of(document, params.position)
    found = _operand_hover(document, offset) or _mlir_hover(document, offset)
    if found is None:
        there = document.ptx_at(offset)
        shown = hover(there[0], offset) if there is not None else None
        found = (shown.start, shown.end, shown.markdown) if shown is not None else None
    if found is None:
        return None
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, found[2]), range_of(document, found[0], found[1]))


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
        line = document.text[start:].partition("\n")[0].strip()
        times = used(len(names.of(use.declared)) - 1)
        return use.start, use.end, f"```mlir\n{line}\n```\n{use.declared.kind} `{use.declared.name}`, {times}"
    for token in names.tokens:
        if token.kind == "operation" and token.start <= offset <= token.end:
            page = operation_page(token.text)
            return (token.start, token.end, page) if page else None
    return None


@server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "%", "@"]))
def _complete(server: Server, params: lsp.CompletionParams) -> lsp.CompletionList:
    document = server.document(params.text_document.uri)
    offset = offset_of(document, params.position)
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
        text_edit=lsp.TextEdit(range_of(document, one.start, offset), one.label),
    )
