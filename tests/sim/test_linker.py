"""Code in memory without LLVM: the same results as by LLVM's own linker, and what only that can link."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from weft.sim.native import jit, linker, pages

pytestmark = pytest.mark.skipif(not linker.known(), reason="a system that only LLVM's linker knows")
RUN = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32)

SWITCH = "\n".join(
    [
        "declare i32 @other(i32)",
        "@table = internal constant [8 x i32] [i32 3, i32 1, i32 4, i32 1, i32 5, i32 9, i32 2, i32 6]",
        "@places = internal constant [2 x ptr] [ptr @table, ptr @more]",
        "@more = internal constant [8 x i32] [i32 2, i32 7, i32 1, i32 8, i32 2, i32 8, i32 1, i32 8]",
        "define i32 @run(i32 %x) {",
        "  switch i32 %x, label %far [" + " ".join(f"i32 {n}, label %l{n}" for n in range(12)) + "]",
        *(f"l{n}:\n  %r{n} = call i32 @other(i32 {n * n + 1})\n  br label %end" for n in range(12)),
        "far:\n  %one = and i32 %x, 1\n  %in = getelementptr [2 x ptr], ptr @places, i32 0, i32 %one",
        "  %at = load ptr, ptr %in\n  %k = and i32 %x, 7\n  %p = getelementptr i32, ptr %at, i32 %k",
        "  %rf = load i32, ptr %p\n  br label %end",
        "end:",
        "  %r = phi i32 " + ", ".join([*(f"[ %r{n}, %l{n} ]" for n in range(12)), "[ %rf, %far ]"]),
        "  ret i32 %r\n}",
    ]
)
"""Calls another object, jumps by a table, and reads constants by pointers that must be filled in."""
OTHER = """define i32 @other(i32 %x) {
  %f = sitofp i32 %x to double
  %g = fmul double %f, 2.5
  %h = fadd double %g, 0.125
  %s = fmul double %h, 8.0
  %r = fptosi double %s to i32
  ret i32 %r
}"""


def test_like_llvm() -> None:
    parts = [jit.compiled(SWITCH), jit.compiled(OTHER)]
    image = linker.link(parts)
    assert image is not None
    builder = jit._target()[0].JITLibraryBuilder()  # pyright: ignore[reportPrivateUsage]
    for part in parts:
        builder.add_object_img(part)
    theirs = builder.export_symbol("run").link(jit._jit(), "like_llvm")  # pyright: ignore[reportPrivateUsage]
    ours, wanted = RUN(image["run"]), RUN(theirs["run"])
    assert [ours(x) for x in range(64)] == [wanted(x) for x in range(64)]
    assert len({ours(x) for x in range(64)}) > 12


@pytest.mark.parametrize(
    "parts",
    [
        [SWITCH],
        ["@x = global i32 0\ndefine i32 @run(i32 %x) { store i32 %x, ptr @x\n ret i32 0 }"],
        ["declare i32 @abs(i32)\ndefine i32 @run(i32 %x) { %r = call i32 @abs(i32 %x)\n ret i32 %r }"],
    ],
    ids=["what is missing", "what is stored to", "what the system has"],
)
def test_what_is_left_to_llvm(parts: list[str]) -> None:
    assert linker.link([jit.compiled(part) for part in parts]) is None


def test_what_is_no_object_is_left_to_llvm() -> None:
    assert linker.link([b"no object"]) is None


def test_functions_behind_each_other() -> None:
    """Of an object with several, others call each."""
    heads = "declare i32 @one(i32)\ndeclare i32 @two(i32)\n"
    run = "define i32 @run(i32 %x) { %a = call i32 @one(i32 %x)\n %b = call i32 @two(i32 %a)\n %c = sub i32 %b, %a\n ret i32 %c }"
    both = "define i32 @one(i32 %x) { %r = mul i32 %x, 3\n ret i32 %r }\ndefine i32 @two(i32 %x) { %r = mul i32 %x, 11\n ret i32 %r }"
    image = linker.link([jit.compiled(heads + run), jit.compiled(both)])
    assert image is not None
    assert [RUN(image["run"])(x) for x in (0, 1, 7)] == [0, 30, 210]


@pytest.mark.parametrize(("system", "machine"), [("linux", "aarch64"), ("darwin", "x86_64")])
def test_other_systems_are_left_to_llvm(system: str, machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(machine=machine))
    protect: Any = linker._protect  # pyright: ignore[reportPrivateUsage]
    assert protect.__wrapped__() is None
    monkeypatch.setattr(linker, "_protect", protect.__wrapped__)
    assert linker.link([jit.compiled(OTHER)]) is None


def test_what_llvm_links_runs() -> None:
    """An object that this linker does not know, since it calls the system's."""
    text = """declare i32 @abs(i32)
    define i32 @run(ptr %c, i32 %x, i64 %lo, i64 %hi, ptr %m) { %n = sub i32 3, %x\n %r = call i32 @abs(i32 %n)\n ret i32 %r }"""
    function = jit.Function([jit.compiled(text)])
    assert [function.call(None, x, 0, 0, None) for x in (0, 3, 10)] == [3, 0, 7]


PROGRAM = """
import sys
import numpy as np
import weft
from weft.sim.native import engine
ran = []
call = engine.Compiled._call
engine.Compiled._call = lambda *words: (ran.append(True), call(*words))[1]
text = '''.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .b64 %a; .reg .b32 %t, %v; .reg .f32 %f;
  ld.param.u64 %a, [p]; mov.u32 %t, %tid.x; mad.wide.u32 %a, %t, 4, %a;
  cvt.rn.f32.u32 %f, %t; fma.rn.f32 %f, %f, 0f40200000, 0f3F000000; st.global.f32 [%a], %f; ret;
}'''
for check in ("strict", "fast"):
    x = np.zeros(64, np.float32)
    weft.run(weft.parse(text), "k", 1, 64, [x], engine="native", check=check)
    assert (x == 2.5 * np.arange(64) + 0.5).all() and ran, x
    ran.clear()
print("llvmlite.binding" in sys.modules)
"""


def test_compiled_code_runs_without_llvm(tmp_path: Path) -> None:
    """LLVM is loaded where something has to be compiled, and only there."""
    environment = {**os.environ, "WEFT_CACHE": str(tmp_path)}
    loaded = [
        subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert [one.stdout.strip() for one in loaded] == ["True", "False"]


def test_what_is_kept_stays_small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What was not used for longest goes first, until a quarter is free; what is read stays."""
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path))
    monkeypatch.setattr(jit, "MOST", 100_000)
    data, now = bytes(8_000), time.time()
    for number in range(20):
        jit.keep(f"{number}.o", data)
        os.utime(tmp_path / f"{number}.o", (now, now - 90_000 * (30 - number)))
    assert jit.kept("0.o") == data
    os.utime(tmp_path / "tidied", (now, now - 4000))
    jit._tidy.cache_clear()  # pyright: ignore[reportPrivateUsage]
    jit.keep("new.o", data)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"0.o", *(f"{number}.o" for number in range(14, 20)), "new.o", "tidied"}
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 100_000
    assert np.all([jit.kept(name) == data for name in left - {"tidied"}])


@pytest.mark.parametrize(("hours", "renewed"), [(23, False), (25, True)])
def test_what_is_read_each_day_is_new(
    hours: int, renewed: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A file is marked as used once a day, so that reading writes nothing most of the time."""
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path))
    jit.keep("some.o", b"code")
    then = time.time() - 3600 * hours
    os.utime(tmp_path / "some.o", (then, then))
    assert jit.kept("some.o") == b"code"
    assert ((tmp_path / "some.o").stat().st_mtime > then + 1) == renewed


@pytest.mark.parametrize(("minutes", "looked"), [(55, False), (65, True)])
def test_processes_look_once_an_hour_at_what_is_kept(
    minutes: int, looked: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path))
    monkeypatch.setattr(jit, "MOST", 1000)
    (tmp_path / "old.o").write_bytes(bytes(2000))
    (tmp_path / "tidied").touch()
    then = time.time() - 60 * minutes
    os.utime(tmp_path / "tidied", (then, then))
    jit._tidy.cache_clear()  # pyright: ignore[reportPrivateUsage]
    jit.keep("new.o", b"code")
    assert (tmp_path / "old.o").exists() != looked


@pytest.mark.skipif(sys.platform != "linux", reason="pages of other systems")
def test_a_library_that_is_let_go_works_on() -> None:
    """Its pages are read anew where they are needed; those that this process has changed are kept."""
    jit.compiled(OTHER)
    before = jit.compiled(SWITCH)
    spans = pages._untouched("libllvmlite.so", Path("/proc/self/smaps").read_text("utf-8"))  # pyright: ignore[reportPrivateUsage]
    assert spans and sum(end - start for start, end in spans) > 10 << 20
    pages.let_go("libllvmlite.so")
    assert jit.compiled(SWITCH) == before
    pages.let_go("libnothing.so")
