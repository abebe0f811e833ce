"""The recipes of CONTRIBUTING.md, carried out one after another on a copy of the sources: they work, and touch as much
as their headings say.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
HEADING = re.compile(r"^### (.*): (\d+) (files?|row|line)$", re.MULTILINE)
STEP = re.compile(r'^<!-- ([a-z ]+?)(?: "([^\n]*)")?(?:: (\S+))? -->\n```\w*\n(.*?)^```$', re.MULTILINE | re.DOTALL)


def run(tree: Path, *arguments: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # each check would compile all that it imports
    done = subprocess.run(
        [sys.executable, *arguments], cwd=tree, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]


def apply(tree: Path, how: str, anchor: str, file: str, text: str) -> int:
    """Carry out one step; the number of lines that it adds or changes."""
    path = tree / file
    if how == "new":
        assert not path.exists()
        path.write_text(text, encoding="utf-8")
        return text.count("\n")
    before = path.read_text(encoding="utf-8")
    if how == "append":
        after = before + text
    elif how == "after":
        assert f"\n{anchor}\n" in before, f"{file} has no line {anchor!r}"
        after = before.replace(f"\n{anchor}\n", f"\n{anchor}\n{text}", 1)
    else:
        assert how == "in place of"
        assert anchor in before, f"{file} has no {anchor!r}"
        after = before.replace(anchor, text.removesuffix("\n"), 1)
    path.write_text(after, encoding="utf-8")
    old = before.split("\n")
    return sum(line not in old for line in after.split("\n"))


def test_the_recipes(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src")
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    recipes = list(HEADING.finditer(TEXT))
    assert len(recipes) == 8
    for recipe, following in zip(recipes, [*recipes[1:], None], strict=True):
        touched: dict[str, int] = {}
        checked = False
        for step in STEP.finditer(TEXT, recipe.end(), following.start() if following else len(TEXT)):
            how, anchor, file, text = step.groups()
            if how == "check":
                run(tmp_path, "-c", text)
                checked = True
            else:
                touched[file] = touched.get(file, 0) + apply(tmp_path, how, anchor, file, text)
        assert checked
        counted = len(touched) if recipe[3].startswith("file") else sum(touched.values())
        assert counted == int(recipe[2]), f"{recipe[1]} touches {touched}"
