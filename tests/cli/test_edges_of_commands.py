"""Commands where their input ends or a list gets too long: exact results on both sides of each bound."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import click
import numpy as np
import pytest

from tests.cli.test_exact import PTX
from tests.command import weft
from weft.cli.arrays import dtype_of
from weft.cli.diff import summary
from weft.ptx.difference import Change


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")


def said(*arguments: str) -> tuple[int, str, str]:
    done = weft(*arguments)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("places", "shown"), [(1, "f0"), (5, "f0, f1, f2, f3, f4"), (6, "f0, f1, f2, f3, f4 and 1 more places")]
)
def test_differences_in_several_places(places: int, shown: str) -> None:
    """Five places are named, each once; the lines of all are counted."""
    changes = [Change(f"f{n}, statement {at}", ("a",) * at, ("b",)) for n in range(places) for at in (1, 2)]
    lines = f"({3 * places} lines removed, {2 * places} added)"
    assert summary(changes) == f"{2 * places} differences {lines}: {shown}"


def test_finds_on_the_last_line() -> None:
    """Whether or not it ends."""
    text = PTX.rstrip().removesuffix("}") + "\n  ret;}"
    for ends in ("", "\n"):
        Path("k.ptx").write_text(text + ends)
        assert said("grep", "ret", "k.ptx")[1].splitlines()[-1] == f"k.ptx:{text.count(chr(10)) + 1}:3: ret;}}"


def test_all_instructions_as_json() -> None:
    """The same names that are printed as text."""
    status, text, _ = said("isa")
    found = json.loads(said("isa", "--json")[1])
    assert status == 0 and text.split() == " ".join(f"{name} {what}" for name, what in found.items()).split()


def test_values_of_options_that_look_like_passes() -> None:
    Path("k.mlir").write_text("func.func @f() { return }\n")
    assert said("opt", "k.mlir", "-o", "-cse") == (0, "", "")
    assert Path("-cse").read_text() == "module {\n  func.func @f() {\n    return\n  }\n}\n"
    assert said("opt", "k.mlir", "-p", "-cse")[0] != 0 and said("opt", "k.mlir", "-cse")[0] == 0


def test_several_files_are_not_one_text() -> None:
    Path("k.ptx").write_text(PTX)
    for emit in ("ptx", "mlir"):
        status, out, err = said("compile", "k.ptx", "k.ptx", "--emit", emit)
        assert (status, out) == (2, "") and err.endswith("several files are linked: use --emit cubin or --emit obj\n")


def test_statements_of_several_files_are_counted_together() -> None:
    """A folder's files are those that are files."""
    Path("in/dir.cu").mkdir(parents=True)
    for name, count in (("a.cu", 2), ("dir.cu/b.cu", 3)):
        text = 'asm volatile("membar.cta;" ::: "memory");\n' * count + 'asm("ld %0, [%1];" MORE : "=r"(a) : "l"(b));\n'
        Path("in", name).write_text(f"void f() {{\n{text}}}\n")
    status, out, err = said("lint", "in")
    assert (status, out) == (0, "") and err.splitlines()[-1] == "7 asm statements, 2 not checked (--notes says why)"


@pytest.mark.parametrize(("prefix", "bits"), [(p, n) for p in "ubsif" for n in (8, 16, 32, 64) if (p, n) != ("f", 8)])
def test_types_by_their_names_in_ptx(prefix: str, bits: int) -> None:
    """NumPy's of as many bits."""
    kind = {"u": "u", "b": "u", "s": "i", "i": "i", "f": "f"}[prefix]
    assert dtype_of(f"{prefix}{bits}") == np.dtype(f"{kind}{bits // 8}")


NUMBERS = [
    ("gpu_run", "--exit-code", 1, 0, 255),
    ("gpu_run", "--devices", None, 1, 16),
    ("lsp", "--tcp", None, 1, 65535),
    ("occupancy", "--threads", None, 1, 1024),
    ("occupancy", "--dynamic-shared", 0, 0, None),
    ("occupancy", "--registers", None, 0, 255),
    ("occupancy", "--shared", None, 0, None),
    ("explore", "--threads", None, 1, 1024),
    ("explore", "--dynamic-shared", 0, 0, None),
    ("explore", "--port", 8080, 0, 65535),
    ("run", "--shared-bytes", 0, 0, 1 << 20),
    ("run", "--seed", 0, 0, None),
    ("run", "--schedules", None, 1, None),
    ("run", "--changes", None, 0, None),
    ("run", "--max-steps", None, 1, None),
    ("run", "--timeout", None, 0, None),
    ("run", "--resident", 16384, 1, None),
    ("run", "--jobs", 1, 1, None),
]
"""Options that take numbers: of a command, what they are without, and the least and the most."""


@pytest.mark.parametrize(("command", "option", "default", "least", "most"), NUMBERS)
def test_numbers_that_options_take(
    command: str, option: str, default: int | None, least: int, most: int | None
) -> None:
    (found,) = [one for one in import_module(f"weft.cli.{command}").command.params if option in one.opts]
    context = click.Context(click.Command(command))
    assert default is None or found.get_default(context) == default
    for number in (least, least + 1, most or 1 << 30):
        assert found.type_cast_value(context, str(number)) == number
    for number in [least - 1, *([] if most is None else [most + 1])]:
        with pytest.raises(click.BadParameter, match="is not in the range"):
            found.type_cast_value(context, str(number))
