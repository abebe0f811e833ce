"""What the project says of itself, in one way everywhere: addresses, versions, the action, workflows, pictures, the site."""

from __future__ import annotations

import importlib.util
import inspect
import json
import os
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

import weft

ROOT = Path(__file__).resolve().parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
RESERVED = re.compile(r"https?://[\w.-]*(?:\.example\b|\bexample\.(?:com|org|net)\b|\bweft\b)")


def tracked(*patterns: str) -> list[Path]:
    listed = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is not a checkout")
    return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def test_no_address_leads_nowhere() -> None:
    """Nothing says where weft is kept: a reader has it from there."""
    for path in tracked("*.md", "*.json", "*.yml", "*.yaml", "*.py", "*.toml", "*.ts"):
        if path.name != "package-lock.json" and path != Path(__file__):
            assert RESERVED.search(path.read_text(encoding="utf-8")) is None, path


def test_nobody_is_told_to_install_another_project() -> None:
    """`weft` on PyPI is one: it comes from a checkout, or from GitHub."""
    for path in tracked("README.md", "docs/*.md", "editors/*.md", "*.yml"):
        for line in path.read_text(encoding="utf-8").splitlines():
            for named in re.findall(r"(?:pip install|dependencies:)\W*weft\b.*", line):
                assert re.search(r"weft(\[[\w,]+\])? @ git\+https://github\.com/OWNER/weft@v", named), (path, line)


def test_versions() -> None:
    assert PROJECT["version"] == weft.__version__
    assert json.loads((ROOT / "editors/vscode/package.json").read_text())["version"] == weft.__version__
    minor = {int(c.rpartition(".")[2]) for c in PROJECT["classifiers"] if "Python :: 3." in c}
    assert minor == set(range(11, 15))


def script(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_links_of_the_readme() -> None:
    """Pictures and documents exist, and all are absolute in what a package index shows."""
    text = (ROOT / "README.md").read_text()
    repository = "https://host.test/owner/name"
    made = script("addresses").absolute(text, repository)
    links = re.findall(r"(!?)\[[^\]]*\]\(([^)]+)\)", made)
    assert sum(bool(picture) for picture, _ in links) >= 3
    for picture, address in links:
        prefix = f"{repository}/{'raw' if picture else 'blob'}/main/"
        assert address.startswith(("https://", "#")), address
        if address.startswith(prefix):
            assert (ROOT / address.removeprefix(prefix).partition("#")[0]).exists(), address


def test_the_project_has_urls_where_its_address_is_known() -> None:
    text = script("addresses").with_urls((ROOT / "pyproject.toml").read_text(), "https://host.test/owner/name")
    project = tomllib.loads(text)["project"]
    assert project["urls"]["Source"] == "https://host.test/owner/name"
    assert {"Documentation", "Changelog", "Issues"} <= project["urls"].keys()
    assert (
        project["optional-dependencies"]
        == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    )
    for page in ("Documentation", "Changelog"):
        assert (ROOT / project["urls"][page].partition("/blob/main/")[2]).exists()


# -- the action -----------------------------------------------------------------------------------------------------


def action() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not here")
    return yaml.safe_load((ROOT / "action.yml").read_text())


def run_action(tmp_path: Path, **given: str) -> subprocess.CompletedProcess[str]:
    """The action's last step as GitHub runs it."""
    made = action()
    step = made["runs"]["steps"][-1]
    inputs = {name: str(facts["default"]) for name, facts in made["inputs"].items()} | given
    environment = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: inputs[match[1]], value)
        for name, value in step["env"].items()
    }
    command = tmp_path / "bin" / "weft"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m weft "$@"\n')
    command.chmod(0o755)
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=ROOT, env={**os.environ, **environment, "PATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_action_reports(tmp_path: Path) -> None:
    sarif = tmp_path / "weft.sarif"
    done = run_action(tmp_path, files="docs/ptx/faulty.cuh", sarif=str(sarif), disable="volatile generic-pointer")
    assert done.returncode == 1, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 2 and all(line.startswith("::error file=docs/ptx/faulty.cuh,line=") for line in lines)
    results = json.loads(sarif.read_text())["runs"][0]["results"]
    assert {one["ruleId"] for one in results} == {"constraint", "modifier"}


def test_the_action_passes(tmp_path: Path) -> None:
    done = run_action(tmp_path, command="verify", files="docs/ptx/smooth.ptx docs/ptx/smooth_sm90.ptx", target="sm_90")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


@pytest.mark.parametrize("command", ["fmt", "lint; echo x", ""])
def test_the_action_runs_nothing_else(tmp_path: Path, command: str) -> None:
    assert run_action(tmp_path, command=command).returncode == 2


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.name)
def test_workflows(path: Path) -> None:
    """They are YAML, their permissions are stated, and what `make` is asked for exists."""
    yaml = pytest.importorskip("yaml", reason="PyYAML is not here")
    text = path.read_text()
    flow = yaml.safe_load(text)
    assert flow["permissions"] == {"contents": "read"} and flow["jobs"]
    targets = set(re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"run: make (\w+)", text)) <= targets


# -- the site -------------------------------------------------------------------------------------------------------


def test_links_of_documents_stay_in_the_site() -> None:
    for path in tracked("docs/*.md"):
        for link in re.findall(r"\]\(([\w./-]+\.(?:md|png|svg|json))[)#]", path.read_text(encoding="utf-8")):
            target = (path.parent / link).resolve()
            assert target.is_file() and ROOT / "docs" in target.parents, (path, link)


@pytest.mark.slow
def test_the_site(tmp_path: Path) -> None:
    """It builds without a warning, and every link within it leads somewhere."""
    for needed in ("sphinx", "furo", "myst_parser", "sphinx_click"):
        pytest.importorskip(needed, reason=f"{needed} is not here")
    made = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", str(ROOT / "docs"), str(tmp_path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    assert script("check_links").broken(tmp_path) == []


@pytest.mark.slow
def test_every_document_is_in_the_site() -> None:
    listed = set(re.findall(r"^([\w/-]+)$", (ROOT / "docs" / "index.md").read_text(), re.MULTILINE))
    documents = {
        str(path.relative_to(ROOT / "docs").with_suffix("")) for path in tracked("docs/*.md") if path.name != "index.md"
    }
    globs = re.findall(r"^(\S+\*)$", (ROOT / "docs" / "index.md").read_text(), re.MULTILINE)
    missing = {name for name in documents - listed if not any(fnmatch(name, glob) for glob in globs)}
    assert not missing


def test_every_public_name_is_in_the_reference() -> None:
    text = (ROOT / "docs" / "reference" / "api.md").read_text()
    described = set(re.findall(r"^\.\. auto\w+:: (\w+)$", text, re.MULTILINE))
    assert described == {name for name in dir(weft) if name in weft._HOME}  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize("name", sorted(weft._HOME))  # pyright: ignore[reportPrivateUsage]
def test_the_reference_says_what_each_parameter_is(name: str) -> None:
    """`Args` names parameters that exist, and all of a function with more than three."""
    public = getattr(weft, name)
    text = inspect.getdoc(public) or ""
    assert text and text[0].isupper() and text.splitlines()[0].endswith((".", ":"))
    described = re.findall(r"^    (\w+):", text.partition("\nArgs:\n")[2].partition("\n\n")[0], re.MULTILINE)
    taken = list(inspect.signature(public).parameters) if described or inspect.isfunction(public) else []
    assert set(described) <= set(taken)
    if inspect.isfunction(public) and len(taken) > 3:
        assert [each for each in taken if each not in described] == []
