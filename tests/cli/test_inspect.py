"""`weft inspect`: its JSON against the schema, its views, and what it says about bad requests."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.command import weft
from tests.conftest import ROOT
from tests.corpus.sources import Source

SMOOTH = str(ROOT / "docs" / "ptx" / "smooth.ptx")
SCHEMA = json.loads((ROOT / "docs" / "inspect.schema.json").read_text())


def inspect(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return weft("inspect", *arguments, stdin=stdin)


def checked(*arguments: str, stdin: str = "") -> dict:
    """The JSON that a command prints, which has to fit the schema."""
    jsonschema = pytest.importorskip("jsonschema")
    done = inspect("--json", *arguments, stdin=stdin)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    return found


def test_json() -> None:
    found = checked(SMOOTH)
    blend, smooth = found["functions"]
    assert (blend["kernel"], smooth["kernel"]) == (False, True)
    assert (smooth["blocks"], smooth["loops"], smooth["shared_bytes"]) == (4, 1, 2064)
    assert smooth["calls"] == {"_Z5blendff": 1}
    assert smooth["sources"] == {"smooth.cu": [9, 17]}
    assert smooth["pressure"]["line"] == 45
    traffic = {(row["kind"], row["source"], row["space"]): row["bytes"] for row in smooth["traffic"]}
    assert traffic["copy", "global", "shared"] == 16


def test_json_of_graphs() -> None:
    (graph,) = checked("--cfg", SMOOTH, "-k", "smooth")["graphs"]
    assert [block["labels"] for block in graph["blocks"]] == [[], [], ["$L_row"], ["$L_end"]]
    assert graph["loops"] == [{"header": 2, "back": [2]}]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "source", [Source("nvcc", "calls", "-G"), Source("nvcc", "textures"), Source("nvcc", "wmma")], ids=str
)
def test_json_of_nvcc(source: Source) -> None:
    assert checked("-", stdin=source.ptx())["functions"]
    assert checked("--cfg", "-", stdin=source.ptx())["graphs"]


def test_a_module_with_nothing_in_it() -> None:
    assert checked("-", stdin=".version 8.0\n.target sm_80\n")["functions"] == []


def test_one_kernel() -> None:
    for name in ("_Z6smoothPfPKfi", "smooth", "6smooth"):
        done = inspect("-k", name, SMOOTH)
        assert "kernel _Z6smoothPfPKfi" in done.stdout
        assert "function _Z5blendff" not in done.stdout
    done = inspect("-k", "_Z6smoothPfPKf", "--tree", SMOOTH)
    assert "kernel _Z6smoothPfPKfi" in done.stdout
    assert "function _Z5blendff" not in done.stdout
    done = inspect("-k", "_Z6smoothPfPKx", SMOOTH)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        f"{SMOOTH}: error: no kernel or function named '_Z6smoothPfPKx'",
        "hint: did you mean _Z6smoothPfPKfi?",
    ]


def test_graph_as_text() -> None:
    done = inspect(SMOOTH, "--cfg")
    assert "  $L_row  lines 53-73, 14 instructions -> $L_row (taken), $L_end (next)" in done.stdout
    assert inspect("--cfg", SMOOTH).stdout == done.stdout


def test_graph_as_a_drawing(tmp_path: Path) -> None:
    output = tmp_path / "out.svg"
    done = inspect(SMOOTH, "--cfg", str(output))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    root = ElementTree.parse(output).getroot()
    space = "{http://www.w3.org/2000/svg}"
    texts = [text.text for text in root.iter(f"{space}text")]
    assert "$L_row" in texts
    assert "kernel _Z6smoothPfPKfi" in texts
    assert len(list(root.iter(f"{space}path"))) == 5  # the edges
    assert output.read_text() == Path(SMOOTH).with_suffix(".svg").read_text()  # as docs/inspect.md shows it


def test_calls() -> None:
    done = inspect("--calls", SMOOTH)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].endswith(": 1")


def test_progress_of_a_large_module_on_a_terminal(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    large = tmp_path / "large.ptx"
    large.write_text(Path(SMOOTH).read_text() + "// nothing\n" * 100_000)
    terminal, stderr = pty.openpty()
    command = [sys.executable, "-m", "weft", "inspect", "--json", str(large)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True)
    os.close(stderr)
    shown = b""
    with contextlib.suppress(OSError):  # what a terminal says when the other side is closed
        while data := os.read(terminal, 65536):
            shown += data
    os.close(terminal)
    output, _ = process.communicate()
    assert process.returncode == 0
    assert json.loads(output)["schema"] == 1  # stdout has nothing of it
    assert b"analysing 2 functions" in shown


NO_FILE = "Missing argument 'FILE.ptx'."
NO_DRAWING = "--cfg draws to a file whose name ends in .svg"
ONE_VIEW = "--tree, --calls, --cfg and --json cannot be combined, except --json with --cfg"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), NO_FILE),
        (("--cfg",), NO_FILE),
        ((SMOOTH, "--cfg", "out.png"), NO_DRAWING),
        (("--cfg", "out.png", SMOOTH), NO_DRAWING),
        ((SMOOTH, "--tree", "--calls"), ONE_VIEW),
        ((SMOOTH, "--json", "--calls"), ONE_VIEW),
        ((SMOOTH, "--json", "--tree"), ONE_VIEW),
        ((SMOOTH, "--tree", "--cfg"), ONE_VIEW),
        ((SMOOTH, "--tree", "--cfg", "out.svg"), ONE_VIEW),
        ((SMOOTH, "--json", "--calls", "--cfg"), ONE_VIEW),
        ((SMOOTH, "--json", "--cfg", "out.svg"), "--json cannot be combined with a drawing"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], said: str) -> None:
    done = inspect(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    usage = "Usage: weft inspect [OPTIONS] FILE.ptx\nTry 'weft inspect --help' for help.\n\n"
    assert done.stderr == f"{usage}error: {said}\n"


def test_the_file_may_follow_the_option_for_graphs() -> None:
    assert inspect("--cfg", SMOOTH).stdout == inspect(SMOOTH, "--cfg").stdout != ""


def test_a_kernel_that_is_not_there() -> None:
    done = inspect(SMOOTH, "-k", "nope")
    hint = "hint: expected one of _Z5blendff, _Z6smoothPfPKfi"
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"{SMOOTH}: error: no kernel or function named 'nope'\n{hint}\n"
    names = {
        name: [f["name"] for f in checked(SMOOTH, "-k", name)["functions"]]
        for name in ("blend", "_Z6smoothPfPKfi", "o")
    }
    assert names == {
        "blend": ["_Z5blendff"],
        "_Z6smoothPfPKfi": ["_Z6smoothPfPKfi"],
        "o": ["_Z5blendff", "_Z6smoothPfPKfi"],
    }
