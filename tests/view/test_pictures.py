"""The pictures of README.md and the documents, of what the tools say now; WEFT_PICTURES=1 writes them."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path
from typing import Any

import pytest
from pygments import lex
from pygments.lexers import CppLexer
from pygments.styles import get_style_by_name

import weft
from tests.conftest import nvidia_tool
from tests.view.test_explorer import focus, shown
from weft.lint import lint

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "explore"
FAULTY = ROOT / "docs" / "ptx" / "faulty.cuh"

STYLE = """
body { margin: 0; background: #ffffff; font: 15px/1.6 ui-monospace, 'DejaVu Sans Mono', monospace; color: #24292f; }
.line { display: flex; white-space: pre; } .number { flex: none; width: 3em; text-align: right; padding-right: 1.5em; color: #8c959f; }
.error { text-decoration: underline wavy #cf222e 1.5px; text-underline-offset: 4px; }
.warning { text-decoration: underline wavy #bf8700 1.5px; text-underline-offset: 4px; }
.say { padding-left: 2em; font-style: italic; } .say.error, .say.warning { text-decoration: none; }
.say.error { color: #cf222e; } .say.warning { color: #9a6700; }
"""


def editor(text: str, first: int, last: int) -> str:
    """Lines of a C++ text as an editor shows them: colours, squiggles, and each first finding behind its line."""
    findings = lint(text, "k.cuh").findings
    style = get_style_by_name("default")
    rows: list[str] = []
    characters: list[tuple[str, str]] = []
    for kind, word in lex(text, CppLexer(stripnl=False)):
        colour = style.style_for_token(kind)["color"]
        characters += [(one, f"#{colour}" if colour else "inherit") for one in word]
    offset = 0
    for number, line in enumerate(text.splitlines(), 1):
        here = [one for one in findings if one.line == number]
        cells: list[str] = []
        for column, character in enumerate(line, 1):
            under = next((one for one in here if one.column <= column < max(one.end_column, one.column + 1)), None)
            classes = f' class="{under.severity.value}"' if under is not None else ""
            colour = characters[offset + column - 1][1]
            cells.append(f'<span style="color:{colour}"{classes}>{escape(character)}</span>')
        said = f'<span class="say {here[0].severity.value}">{escape(here[0].message)}</span>' if here else ""
        if first <= number <= last:
            rows.append(f'<div class="line"><span class="number">{number}</span>{"".join(cells)}{said}</div>')
        offset += len(line) + 1
    return f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>{''.join(rows)}"


def test_a_squiggle_in_a_header(browser: Any) -> None:
    view = browser.new_page(viewport={"width": 1280, "height": 200})
    view.set_content(editor(FAULTY.read_text(), 3, 24))
    marked = view.locator(".error:not(.say)").all_inner_texts()
    assert "".join(marked).startswith("%2") and ".u33" in "".join(marked)
    says = view.locator(".say").all_inner_texts()
    assert any("is .b64" in said for said in says) and any("not volatile" in said for said in says)
    if os.environ.get("WEFT_PICTURES"):
        view.screenshot(path=PICTURES / "squiggle.png", full_page=True)
    view.close()


def test_the_page_of_a_triton_kernel(browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line with `tl.exp` marks its operations, its PTX and the hardware's functions."""
    nvidia_tool("ptxas"), nvidia_tool("nvdisasm")
    monkeypatch.chdir(ROOT)  # The stages name the Python file from here.
    trace = weft.trace("docs/tutorials/triton", "sm_80")
    assert [stage.name for stage in trace.stages] == ["source", "ttir", "ttgir", "llir", "ptx", "sass"]
    view, errors = shown(browser, tmp_path, trace)
    focus(view, "source", "tl.exp")
    view.locator(".pane.source .row.cursor").click()
    for stage in ("ttir", "ttgir"):
        assert any("math.exp" in text for text in view.locator(f".pane.{stage} .row.mark .text").all_inner_texts()), (
            stage
        )
    assert any("ex2.approx" in text for text in view.locator(".pane.ptx .row.mark .text").all_inner_texts())
    assert any("MUFU.EX2" in text for text in view.locator(".pane.sass .row.mark .text").all_inner_texts())
    if os.environ.get("WEFT_PICTURES"):
        for stage in ("ttir", "llir"):
            view.click(f"button[data-stage={stage}]")
        view.set_viewport_size({"width": 1280, "height": 560})
        view.screenshot(path=PICTURES / "triton.png")
    assert not errors
    view.close()
