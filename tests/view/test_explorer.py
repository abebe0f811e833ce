"""The explorer's page in a browser without a window, and what of it needs none."""

from __future__ import annotations

import functools
import json
import os
import re
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

import weft
from tests.conftest import nvidia_tool
from weft.cli import execute
from weft.tracing.page import page
from weft.view.traces import terminal

ROOT = Path(__file__).resolve().parents[2]
GEMM = str(ROOT / "examples/gemm_sm80.mlir")
PICTURES = ROOT / "docs/explore"


@functools.cache
def gemm(target: str) -> weft.Trace:
    nvidia_tool("ptxas"), nvidia_tool("nvdisasm")
    return weft.trace(GEMM, target)


@functools.cache
def large() -> weft.Trace:
    """A kernel of about 5,000 lines that ptxas cannot make smaller."""
    nvidia_tool("ptxas"), nvidia_tool("nvdisasm")
    lines = [".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) .reqntid 128 {"]
    lines.append(".reg .b32 %r<64>; .reg .b64 %rd<2>; ld.param.u64 %rd0, [p];")
    lines += [f"ld.global.u32 %r{n}, [%rd0+{4 * n}];" for n in range(60)]
    lines += [f"mad.lo.u32 %r{n % 60}, %r{(n * 7 + 1) % 60}, %r{(n * 11 + 2) % 60}, %r{n % 60};" for n in range(4900)]
    lines += [f"st.global.u32 [%rd0+{4 * n}], %r{n};" for n in range(60)]
    return weft.trace("\n".join([*lines, "ret;\n}\n"]))


def shown(
    browser: Any, tmp_path: Path, *traces: weft.Trace, fragment: str = "", **options: Any
) -> tuple[Any, list[str]]:
    """A page of the browser with the explorer in it, from a file, and the errors it reports."""
    path = tmp_path / "explorer.html"
    path.write_text(page(traces))
    view = browser.new_page(viewport={"width": 1600, "height": 800}, **options)
    errors: list[str] = []
    view.on("pageerror", lambda error: errors.append(str(error)))
    view.on("request", lambda request: None if request.url.startswith("file://") else errors.append(request.url))
    view.goto(f"file://{path}{fragment}")
    view.wait_for_selector("html[data-ready]")
    return view, errors


def focus(view: Any, stage: str, text: str) -> None:
    """Search for a text in a pane, so that its row is in view and has the cursor."""
    view.evaluate(f"focusPane(panes.find((pane) => pane.stage.name === '{stage}'))")
    view.fill("#find", text)
    view.press("#find", "Enter")


def test_pointing_at_an_mma_marks_its_ptx_its_hmmas_and_their_waits(browser: Any, tmp_path: Path) -> None:
    view, errors = shown(browser, tmp_path, gemm("sm_80"))
    focus(view, "mlir", "nvgpu.mma.sync")
    view.locator(".pane.mlir .row.cursor").click()
    marked = view.locator(".pane.ptx .row.mark .text").all_inner_texts()
    assert marked and all("mma.sync" in text for text in marked)
    products = view.locator(".pane.sass .row.mark .text").all_inner_texts()
    assert products and any("HMMA" in text for text in products)
    view.locator(".pane.sass .row.mark", has_text="HMMA").first.hover()
    assert re.search(r"HMMA\S* waits for LDSM\S* [0-9a-f]{4}", view.inner_text("#note"))
    assert "LDSM" in view.locator(".pane.sass .row.maker .text").first.inner_text()
    assert view.locator("svg.arcs path").count() >= 2
    assert re.search(r"\d+ live, \d+ allocated", view.inner_text("#note"))
    if os.environ.get("WEFT_PICTURES"):
        PICTURES.mkdir(exist_ok=True)
        view.set_viewport_size({"width": 1280, "height": 560})
        view.evaluate("panes.forEach((pane) => (pane.rows.scrollLeft = 0))")
        view.evaluate("panes[0].scroll(state.pin[1])")
        view.mouse.move(0, 0)
        view.locator(".pane.sass .row.mark", has_text="HMMA").first.hover()
        assert view.locator("svg.arcs path").count() >= 2
        view.screenshot(path=PICTURES / "gemm.png")
    assert not errors
    view.close()


def test_the_address_brings_one_back(browser: Any, tmp_path: Path) -> None:
    view, errors = shown(browser, tmp_path, gemm("sm_80"), gemm("sm_90a"))
    focus(view, "ptx", "ldmatrix")
    view.locator(".pane.ptx .row.cursor").click()
    first = view.inner_text("#facts")
    view.select_option("#target", "1")
    assert re.match(r"gemm: \d+ registers .* \d+ % \(", view.inner_text("#facts"))
    assert view.inner_text("#facts") != first
    view.click("button[data-stage=mlir]")
    fragment = view.evaluate("location.hash")
    assert "target=sm_90a" in fragment and "hide=mlir" in fragment
    view.close()
    again, more = shown(browser, tmp_path, gemm("sm_80"), gemm("sm_90a"), fragment=f"{fragment}&at=ptx:40")
    assert again.locator(".pane.mlir").count() == 0
    assert again.locator(".pane.ptx .row.pin").get_attribute("data-line") == "40"
    assert not errors + more
    again.close()


def test_keys(browser: Any, tmp_path: Path) -> None:
    view, errors = shown(browser, tmp_path, gemm("sm_80"), gemm("sm_90a"))
    view.keyboard.press("/")
    view.keyboard.type("mma.sync")
    view.keyboard.press("Enter")
    first = view.locator(".row.cursor").get_attribute("data-line")
    view.keyboard.press("n")
    second = view.locator(".row.cursor").get_attribute("data-line")
    assert int(second) > int(first)
    view.keyboard.press("p")
    assert view.locator(".row.cursor").get_attribute("data-line") == first
    view.keyboard.press("Enter")
    assert view.locator(".row.pin").get_attribute("data-line") == first
    view.keyboard.press("j")
    view.keyboard.press("Enter")
    view.keyboard.press("[")
    assert view.locator(".row.pin").get_attribute("data-line") == first
    view.keyboard.press("Escape")
    assert view.locator(".row.pin, .row.mark").count() == 0
    before = view.evaluate("getComputedStyle(document.body).backgroundColor")
    view.keyboard.press("t")
    assert view.evaluate("getComputedStyle(document.body).backgroundColor") != before
    view.keyboard.press("l")
    assert "ptx" in view.locator(".pane.current").get_attribute("class")
    assert not errors
    view.close()


def test_dark_where_the_system_is(browser: Any, tmp_path: Path) -> None:
    view, _ = shown(browser, tmp_path, gemm("sm_80"), color_scheme="dark")
    assert view.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(13, 17, 23)"
    view.close()


def test_changes_between_targets(browser: Any, tmp_path: Path) -> None:
    view, errors = shown(browser, tmp_path, gemm("sm_80"), gemm("sm_90a"))
    view.select_option("#target", "1")
    assert view.locator(".row.changed").count() == 0
    view.click("#diff")
    assert view.locator(".pane.sass .row.changed").count() > 3
    assert view.locator(".pane.mlir .row.changed").count() == 0
    assert not errors
    view.close()


def test_a_large_kernel_opens_at_once(browser: Any, tmp_path: Path) -> None:
    trace = large()
    assert len(trace.stage("sass").spans) > 4900
    assert len(page([trace]).encode()) < 3_000_000
    view, errors = shown(browser, tmp_path, trace)
    spent = view.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    if os.environ.get("WEFT_PICTURES"):
        print(f"opened in {spent:.0f} ms, {len(page([trace]).encode())} bytes")
    assert view.locator(".row").count() < 1000
    view.evaluate("panes[1].scroll(4000)")
    assert view.locator(".pane.sass .row[data-line='4000']").count() == 1
    assert not errors
    view.close()


# -- without a browser ----------------------------------------------------------------------------------------


def test_the_page_needs_nothing_else() -> None:
    text = page([gemm("sm_80")])
    assert not re.search(r'(?:src|href)="|url\(|@import|https?://', text.replace("http://www.w3.org", ""))
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert json.loads(data)["traces"][0]["target"] == "sm_80"
    assert len(text.encode()) < 200_000


def test_text_of_the_program_stays_text() -> None:
    trace = weft.trace(
        '.version 8.0\n.target sm_80\n.address_size 64\n// </script><script>alert("1")</script>\n.visible .entry k() { ret; }\n'
    )
    assert page([trace]).count("</script>") == 2
    assert "<iframe" in trace._repr_html_()


@pytest.mark.parametrize(
    ("lines", "status", "said"),
    [
        ("9:8", 2, "error: --lines 9:8: line 8 is before line 9"),
        ("4000", 1, "error: the PTX has no statements on lines 4000 to 4000\nhint: use lines from "),
        ("x", 2, "error: --lines x: expected A:B"),
    ],
)
def test_lines_that_are_not_there(lines: str, status: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    nvidia_tool("ptxas"), nvidia_tool("nvdisasm")
    assert execute(["explore", GEMM, "-t", "sm_80", "--lines", lines]) == status
    assert said in capsys.readouterr().err


def test_lines_in_the_terminal() -> None:
    trace = gemm("sm_80")
    lines = trace.stage("ptx").text.splitlines()
    at = next(n for n, line in enumerate(lines, 1) if "mma.sync" in line)
    shown_lines = terminal(trace, at, at)
    assert shown_lines[0].startswith(f" PTX {at}")
    assert re.match(r"  [0-9a-f]{4}  B[-\d]{6}:R[-\d]:W[-\d]:[-Y]:S\d\d +\d+ ┃ HMMA", shown_lines[1])


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nvidia_tool("ptxas"), nvidia_tool("nvdisasm")
    out = tmp_path / "out.html"
    assert execute(["explore", GEMM, "-t", "sm_80,sm_90a", "--html", str(out)]) == 0
    assert out.read_text().startswith("<!doctype html>")
    assert execute(["explore", GEMM, "-t", "sm_80", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["version"] == 1
    for wrong in (["--lines", "x"], ["--lines", "1", "--json"], ["--html", "x", "--json"]):
        assert execute(["explore", GEMM, "-t", "sm_80", *wrong]) == 2
    assert execute(["explore", GEMM, "-t", "sm_91", "--json"]) == 2
    assert execute(["explore", str(tmp_path / "none.ptx"), "--json"]) == 2
    assert execute(["explore", GEMM, "--json"]) == 1
    assert "needs a target" in capsys.readouterr().err


def test_the_server_makes_the_page_anew(tmp_path: Path) -> None:
    from weft.view.server import Maker

    nvidia_tool("ptxas"), nvidia_tool("nvdisasm")
    path = tmp_path / "k.ptx"
    text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n"
    path.write_text(text)
    maker = Maker(lambda: [weft.trace(path)], [str(path)])
    first = maker.page()
    assert maker.page() is first and maker.stamp() in first
    path.write_text(text.replace("ret;", "bar.sync 0; ret;"))
    os.utime(path, ns=(1, time.time_ns()))
    assert "BAR" in maker.page()
    path.write_text(text.replace("ret;", "nonsense;"))
    os.utime(path, ns=(1, time.time_ns() + 1))
    assert "error" in maker.page()


def test_the_server_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from weft.view import server

    nvidia_tool("ptxas"), nvidia_tool("nvdisasm")
    path = tmp_path / "k.ptx"
    path.write_text(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n")
    said: list[str] = []
    monkeypatch.setattr(server.click, "echo", said.append)
    thread = threading.Thread(target=server.serve, args=(lambda: [weft.trace(path)], [str(path)], 0), daemon=True)
    thread.start()
    while not said:
        time.sleep(0.01)
    address = said[0].split()[0]
    with urllib.request.urlopen(address) as answer:
        assert answer.status == 200 and "EXIT" in answer.read().decode()
    assert urllib.request.urlopen(f"{address}stamp").read().decode() == str(path.stat().st_mtime_ns)
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{address}stamps")
    assert (refused.value.code, refused.value.read()) == (404, b"not found")
