"""What is wrong with a text, for an editor: all of it, around the statement that is being typed too."""

from __future__ import annotations

import re
from pathlib import PurePath

from weft.errors import Diagnostic, PtxSyntaxError, Severity
from weft.lsp.settings import DEFAULT, Settings

PTX, CPP, MLIR = "ptx", "cpp", "mlir"
"""The languages that the server knows."""

_SUFFIXES = {".ptx": PTX, ".mlir": MLIR}
_MOST_REPAIRS = 20
_STATEMENT_ENDS = ";{}"


def language_of(uri: str, identifier: str = "") -> str:
    """The language of a document, by the editor's name for it, else by its file's suffix; C++ when it is neither."""
    if identifier in (PTX, MLIR):
        return identifier
    return _SUFFIXES.get(PurePath(uri).suffix.lower(), CPP)


def findings(text: str, language: str, filename: str, settings: Settings = DEFAULT) -> list[Diagnostic]:
    """Every finding about a text in text order, those that its comments or the settings disable left out."""
    if not settings.diagnostics:
        return []
    return {PTX: _in_ptx, CPP: _in_cpp, MLIR: _in_mlir}[language](text, filename, settings)


def _in_ptx(text: str, filename: str, settings: Settings) -> list[Diagnostic]:
    from weft.ptx.parser import parse
    from weft.ptx.verifier import CODES, verify
    from weft.report import Policy

    if not text.strip():
        return []
    found: list[Diagnostic] = []
    repaired = text
    declares = False
    for _ in range(_MOST_REPAIRS):
        try:
            module = parse(repaired, filename)
        except PtxSyntaxError as error:
            found.append(
                Diagnostic("syntax", error.message, Severity.ERROR, error.position, error.found, hint=error.hint)
            )
            if error.expected == "'}'":  # Up to its end the text is judged as if it went on.
                repaired += "\n}"
                continue
            start, end = _statement(repaired, error)
            blanked = re.sub(r"[^\n]", " ", repaired[start:end])
            if blanked == repaired[start:end]:
                break
            declares = declares or repaired[start:end].lstrip().startswith(".")
            repaired = repaired[:start] + blanked + repaired[end:]
            continue
        if not declares:
            found += verify(module, settings.target or None)
        break
    return Policy(CODES, settings.disable).apply(found, text, filename)


def _statement(text: str, error: PtxSyntaxError) -> tuple[int, int]:
    """The part of a text to leave out so that what follows can be read: the statement in which an error is.

    It ends at its semicolon or where its line does; when the error is that the next line begins, before that.
    """
    position = error.position
    lines = text.split("\n", max(position.line, 1))
    line_start = sum(len(line) + 1 for line in lines[: position.line - 1])
    offset = min(line_start + max(position.column - 1, 0), len(text))
    begins_line = not text[line_start:offset].strip()
    before = max(text.rfind(sign, 0, offset) for sign in _STATEMENT_ENDS) + 1
    if begins_line and text[before:offset].strip():
        return before, line_start
    end = f"{text}\n".index("\n", offset)
    semicolon = text.find(";", offset, end)
    return max(before, line_start), end if semicolon < 0 else semicolon + 1


def _in_cpp(text: str, filename: str, settings: Settings) -> list[Diagnostic]:
    from weft.lint import CODES, lint
    from weft.report import Policy

    linted = lint(text, filename, target=settings.target or None)
    return Policy(CODES, settings.disable).apply(linted.findings, text, filename, linted.begins)


def _in_mlir(text: str, filename: str, settings: Settings) -> list[Diagnostic]:
    from weft.dialects.startup import load_xdsl

    load_xdsl()
    from weft.errors import MlirError
    from weft.mlir.module import parse_mlir
    from weft.mlir.verification import verification_errors, verify_module
    from weft.transforms.chunks import MARKER, split

    if not text.strip() or "mlir" in settings.disable:
        return []
    errors: list[MlirError] = []
    for chunk in split(text) if MARKER in text else (text,):
        module = None
        try:
            module = parse_mlir(chunk, filename, verify=False)
            verify_module(module)
        except MlirError as error:  # The first; looking for all takes twice the time.
            errors += [error] if module is None else verification_errors(module)
    return [Diagnostic("mlir", one.message, position=one.position, hint=one.hint) for one in errors]
