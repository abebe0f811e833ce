"""The machine code of a document, asked for by an editor: what `weft sass --ptx` prints of the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.command import weft
from tests.lsp.asking import Editor
from weft.errors import WeftError
from weft.lsp.server import server
from weft.lsp.session import Server
from weft.toolchain import Tool

KERNEL = ".visible .entry {}(.param .u64 p) {{ .reg .b64 %d; ld.param.u64 %d, [p]; st.global.u32 [%d], {}; ret; }}\n"
TEXT = ".version 8.0\n.target sm_80\n.address_size 64\n" + KERNEL.format("one", 1) + KERNEL.format("two", 2)


def asked(editor: Editor, monkeypatch: pytest.MonkeyPatch, *more: str) -> Any:
    monkeypatch.setattr(Server, "document", lambda *_: editor.shown)
    return server.protocol.fm.commands["weft.sass"](editor.shown.uri, *more)


def printed(text: str, folder: Path, *options: str) -> list[str]:
    path = folder / "k.ptx"
    path.write_text(text)
    done = weft("sass", str(path), "--ptx", *options)
    assert done.returncode == 0, done.stderr
    return [line for line in done.stdout.splitlines() if line]


@pytest.mark.slow
def test_it_is_what_the_command_prints(nvdisasm: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    editor = Editor(TEXT)
    lines = [line for line in asked(editor, monkeypatch, "sm_90").splitlines() if line]
    assert lines == printed(TEXT, tmp_path, "--target", "sm_90")
    assert sum("STG" in line for line in lines) == 2


@pytest.mark.parametrize(("text", "traced"), [(TEXT, TEXT), (".version 8.0", ".version 8.0\n")])
@pytest.mark.parametrize(("options", "target"), [((), None), (("",), None), (("sm_90",), "sm_90")])
def test_what_is_compiled(
    text: str, traced: str, options: tuple[str, ...], target: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text without a new line is no file's name, and the document's target is taken where none is named."""
    asked_for: list[tuple[str, str | None]] = []

    def trace(text: str, target: str | None) -> None:
        asked_for.append((text, target))
        raise WeftError("enough")

    monkeypatch.setattr("weft.trace", trace)
    with pytest.raises(WeftError, match="enough"):
        asked(Editor(text), monkeypatch, *options)
    assert asked_for == [(traced, target)]


def test_other_languages_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(WeftError, match="only PTX and MLIR can be compiled to machine code"):
        asked(Editor("int x;\n", "k.cu"), monkeypatch)
