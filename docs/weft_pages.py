"""A Sphinx extension: weft's lexers, and the pages that are read off its tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from weft.isa import families
from weft.isa.directives import DIRECTIVES
from weft.isa.registers import SPECIAL_REGISTERS
from weft.isa.registry import stems
from weft.view import manual
from weft.view.lexers import MlirLexer, PtxLexer, SassLexer

GENERATED = Path("reference/generated")


def setup(app: Any) -> dict[str, bool]:
    """Register everything with Sphinx."""
    for name, lexer in {"ptx": PtxLexer, "sass": SassLexer, "mlir": MlirLexer}.items():
        app.add_lexer(name, lexer)
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True}


def write(app: Any) -> None:
    """Write the pages of instructions, special registers and directives."""
    folder = Path(app.srcdir) / GENERATED
    folder.mkdir(parents=True, exist_ok=True)
    groups: dict[str, list[str]] = {}
    for stem in stems():
        groups.setdefault(stem.partition(".")[0], []).append(stem)
    pages = {f"{word}.md": "\n".join(_instruction(word, names)) for word, names in groups.items()}
    pages["index.md"] = "\n".join(_index(groups))
    pages["registers.md"] = "\n".join(_registers())
    pages["directives.md"] = "\n".join(_directives())
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for path in folder.glob("*.md"):
        if path.name not in pages:
            path.unlink()


def _index(groups: dict[str, list[str]]) -> Iterator[str]:
    known = families()
    yield "# Instructions\n"
    yield "Everything that the instruction table has: `weft isa NAME` prints the same in a terminal.\n"
    yield "| | |\n|---|---|"
    for word, names in sorted(groups.items()):
        shown = known[word if word in names else names[0]]
        yield f"| [`{word}`]({word}.md) | {_cell(shown.summary)} |"
    yield "\n```{toctree}\n:hidden:\n:maxdepth: 1\n"
    yield from sorted(groups)
    yield "```\n"


def _instruction(word: str, names: list[str]) -> Iterator[str]:
    yield f"# `{word}`\n"
    for name in sorted(names):
        page = manual.page(name)
        if len(names) > 1 or name != word:
            yield f"## `{name}`\n"
        yield f"{_text(page['summary'])}\n"
        for key in ("semantics", "effects"):
            if page[key]:
                yield f"{_text(page[key])}\n"
        for form in page["forms"]:
            yield f"```ptx\n{form['syntax']}\n```\n"
            for slot, tokens in form["slots"].items():
                yield f"- `.{slot}`: {', '.join(f'`{token}`' for token in tokens)}"
            if form["slots"]:
                yield ""
            yield "| | exists from |\n|---|---|"
            for row in form["exists"]:
                yield f"| {_cell(row['when'])} | {_cell(row['window'])} |"
            for row in form["needs"]:
                yield f"| {_cell(row['when'])} needs | {_cell(row['window'])} |"
            yield ""
            for rule in form["rules"]:
                yield f"- {_text(rule)}"
            if form["rules"]:
                yield ""
            if form["examples"]:
                yield "```ptx\n" + "\n".join(form["examples"]) + "\n```\n"
        if page["manual"]:
            yield f"[PTX manual]({page['manual']})\n"


def _registers() -> Iterator[str]:
    yield "# Special registers\n"
    yield "| | type | | exists from |\n|---|---|---|---|"
    for name, one in sorted(SPECIAL_REGISTERS.items()):
        parts = f", {', '.join(f'`.{part}`' for part in one.components)}" if one.components else ""
        yield f"| `{name}`{parts} | `.{one.type}` | {_cell(one.summary)} | {_cell(str(one.window))} |"


def _directives() -> Iterator[str]:
    yield "# Directives\n"
    yield "| | | stands in | exists from |\n|---|---|---|---|"
    for name, one in sorted(DIRECTIVES.items()):
        yield f"| `{name}`<br>`{one.syntax}` | {_cell(one.summary)} | {_cell(one.place)} | {_cell(str(one.window))} |"


def _text(text: str) -> str:
    """Text in which no sign of Markdown has a meaning."""
    return "".join(f"\\{sign}" if sign in "*_<>[]{}|#$" else sign for sign in text)


def _cell(text: str) -> str:
    return _text(text).replace("\n", " ")
