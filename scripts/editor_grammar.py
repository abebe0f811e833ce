"""Write the grammars of `editors/vscode/syntaxes` from the tables and lexers."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from weft.view.grammar import inline_grammar, lexed_grammar, ptx_grammar
from weft.view.lexers import MlirLexer, SassLexer

FOLDER = Path(__file__).resolve().parents[1] / "editors" / "vscode" / "syntaxes"


def grammars() -> dict[Path, str]:
    """The text of each file."""
    made = {
        "ptx.tmLanguage.json": ptx_grammar(),
        "inline-ptx.tmLanguage.json": inline_grammar(),
        "mlir.tmLanguage.json": lexed_grammar(MlirLexer, "mlir"),
        "nvsass.tmLanguage.json": lexed_grammar(SassLexer, "nvsass"),
    }
    return {FOLDER / name: json.dumps(grammar, indent=2) + "\n" for name, grammar in made.items()}


def main() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path, text in grammars().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
