"""The extension in VS Code itself, seen through a browser: findings, facts about kernels, machine code.

It runs where CODE_SERVER names `out/node/entry.js` of an installed code-server (npm's package, with its native modules
built), `make vscode` has made the extension, and Playwright, Chromium and ripgrep are there.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import nvidia_tool

EXTENSION = Path(__file__).resolve().parents[2] / "editors/vscode/weft.vsix"
PTX = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd0, [p];
  mov.u32 %r0, %tid.x;
  FIRST
  st.global.u32 [%rd0], %r0;
  ret;
}
"""
CUDA = '__device__ void f(unsigned x) {\n  asm volatile("prefetch.globl.L2 [%0];" :: "l"(&x));\n}\n'

pytestmark = [pytest.mark.slow, pytest.mark.skipif("CODE_SERVER" not in os.environ, reason="CODE_SERVER names none")]


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory, browser: Any) -> Iterator[Any]:
    """VS Code with the extension, opened on a folder of three files."""
    if not EXTENSION.exists():
        pytest.skip("make vscode has not made the extension")
    root = tmp_path_factory.mktemp("code")
    (root / "files").mkdir()
    (root / "files/wrong.ptx").write_text(PTX.replace("FIRST", "add.s33 %r1, %r0, 1;"))
    (root / "files/right.ptx").write_text(PTX.replace("FIRST", "add.s32 %r1, %r0, 1;"))
    (root / "files/wrong.cuh").write_text(CUDA)
    settings = root / "data/User/settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        json.dumps({"weft.command": [sys.executable, "-m", "weft"], "security.workspace.trust.enabled": False})
    )
    command = ["node", os.environ["CODE_SERVER"], "--user-data-dir", root / "data", "--extensions-dir", root / "ext"]
    subprocess.run([*command, "--install-extension", EXTENSION], check=True, capture_output=True)
    url = f"127.0.0.1:{free_port()}"
    server = subprocess.Popen(
        [*command, "--auth", "none", "--bind-addr", url, "--config", root / "none.yaml", root / "files"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        next(line for line in server.stdout if "listening on http" in line)
        urllib.request.urlopen(f"http://{url}/healthz").close()
        view = browser.new_page(viewport={"width": 1400, "height": 850})
        view.goto(f"http://{url}/?folder={root / 'files'}")
        view.wait_for_selector(".monaco-workbench .explorer-folders-view", timeout=120_000)
        yield view
    finally:
        server.terminate()
        server.wait()


def opened(view: Any, name: str) -> None:
    view.get_by_role("treeitem", name=name).dblclick()
    view.wait_for_selector(f".tab.active[data-resource-name='{name}'] >> visible=true", timeout=60_000)


def test_findings_in_ptx(workbench: Any) -> None:
    opened(workbench, "wrong.ptx")
    workbench.wait_for_selector(".squiggly-error", timeout=60_000)
    assert workbench.locator(".squiggly-error").count() == 1


def test_findings_in_asm(workbench: Any) -> None:
    opened(workbench, "wrong.cuh")
    workbench.wait_for_selector(".squiggly-error", timeout=60_000)


def test_facts_and_machine_code(workbench: Any) -> None:
    for tool in ("ptxas", "nvdisasm"):
        nvidia_tool(tool)
    opened(workbench, "right.ptx")
    workbench.get_by_text(re.compile(r"live\sregisters")).wait_for(timeout=60_000)
    assert workbench.locator(".squiggly-error").count() == 0
    workbench.keyboard.press("F1")
    workbench.keyboard.type("Show machine code")
    workbench.keyboard.press("Enter")
    workbench.get_by_text("EXIT").wait_for(timeout=60_000)
