"""The options of all commands: each is used by a test or shown by a document."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest

from weft.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
SPELLED_OUT = {"-h": "--help", "-o": "--output", "-q": "--quiet", "-t": "--target"}


def options() -> Iterator[tuple[str, click.Option]]:
    """Those of each command and of the commands in it."""
    for name in COMMANDS:
        module = import_module(f"weft.cli.{name.replace('-', '_')}")
        commands = [(name, module.command)]
        for path, command in commands:
            commands += [(f"{path} {inner}", each) for inner, each in getattr(command, "commands", {}).items()]
            yield from ((path, each) for each in command.params if isinstance(each, click.Option))


@pytest.mark.slow
def test_options_are_used() -> None:
    places = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "tests").rglob("*.py")]
    texts = "\n".join(path.read_text(encoding="utf-8") for path in places if path != Path(__file__))
    words = set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", texts))
    unused: defaultdict[str, set[str]] = defaultdict(set)
    for path, option in options():
        for word in (*option.opts, *option.secondary_opts):
            alike = SPELLED_OUT.get(option.opts[0]) == word
            if word.startswith("--") and word not in words and not alike:
                unused[word].add(path)
        if isinstance(option.type, click.Choice):
            for choice in map(str, option.type.choices):
                if not re.search(rf"(?<![\w-]){re.escape(choice)}(?![\w-])", texts):
                    unused[choice].add(path)
    assert not unused, dict(unused)
