"""Linking of relocatable device code: what a host compiler is given beside what it is asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from weft.gpu.driver import device_link
from weft.gpu.driver.build import compiler
from weft.gpu.driver.device_link import compiled, link, missing, wrapper

OBJECT = """
extern void __cudaRegisterLinkedBinary{name}(void (*)(void **), void *, void *, void (*)(void *));
const char __fatbinwrap{name}[8] = "fatbin";
static void callback(void **handle) {{}}
void start{name}(void) {{ __cudaRegisterLinkedBinary{name}(callback, 0, 0, 0); }}
"""
MAIN = "void start_b_x(void); void start_a_x(void); int main(void) { start_a_x(); start_b_x(); return 3; }"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="objects of Linux")


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`a.o` and `b.o`, which need to be registered, `main.o`, `libboth.a` of the first two, and `linked.o` for `_a_x`."""
    folder = tmp_path_factory.mktemp("objects")
    for name, text in (("a", OBJECT.format(name="_a_x")), ("b", OBJECT.format(name="_b_x")), ("main", MAIN)):
        command = [compiler(), "-c", "-x", "c", "-o", f"{folder}/{name}.o", "-"]
        subprocess.run(command, input=text, text=True, check=True)
    subprocess.run(["ar", "rcs", "libboth.a", "a.o", "b.o"], cwd=folder, check=True)
    assert compiled(["_a_x"], f"{folder}/linked.o") == 0
    return folder


def test_what_is_missing(objects: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(objects)
    for arguments, names in (
        *((["b.o", "a.o", "a.o", "main.o"], ["_a_x", "_b_x"]), (["libboth.a", "linked.o"], ["_b_x"]), (["x.c"], [])),
    ):
        assert missing(arguments) == names, arguments


def test_files_that_a_command_line_names(objects: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By themselves, in files of arguments, and as libraries in folders that are named before; not NVIDIA's runtime."""
    monkeypatch.chdir(objects)
    (objects / "list").write_text("a.o 'b.o' -o x")
    (objects / "libcudadevrt.a").touch()
    for name in ("x.obj", "x.so", "x.so.1", "x.c"):
        (objects / name).touch()
    for arguments, files in (
        *((["a.o", "x.obj", "-o", "x.so", "x.c", "x.so.1"], ["a.o", "x.obj", "x.so"]), (["none.o", "a.o"], ["a.o"])),
        *((["@list", "main.o"], ["a.o", "b.o", "main.o"]), (["@none"], []), (["libboth.a"], ["libboth.a"])),
        *((["-L.", "-lboth"], ["./libboth.a"]), (["-lboth", "-L."], []), (["-L.", "-lnone"], [])),
        *((["-L/none", f"-L{objects}", "-lboth"], [f"{objects}/libboth.a"]), (["-L.", "-lcudadevrt", "a.o"], ["a.o"])),
        *((["libcudadevrt.a"], []), (["./libcudadevrt.a", "b.o"], ["b.o"])),
    ):
        assert list(device_link._files(arguments)) == files, arguments


def test_links_get_what_is_missing(objects: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A program that is started in another way than by `weft gpu-run` says so, and fails."""
    program = str(objects / "program")
    whole = [compiler(), *(f"{objects}/{name}.o" for name in ("main", "a", "b")), "-o", program]
    assert link([*whole, "-ldl"]) == 0
    done = subprocess.run([program], capture_output=True, text=True, check=False, env={})
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "weft: device code that weft nvcc has linked runs by weft gpu-run only\n"
    assert link([*whole, "/no/such.o"]) == 1, "the compiler's own status"
    assert link([compiler(), "--no-such-option"]) == 1
    assert "no-such-option" in capfd.readouterr().err


def test_what_cannot_be_compiled_is_not_linked(objects: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_link, "compiled", lambda names, made: 7)
    assert link(["/no/such/compiler", f"{objects}/a.o"]) == 7


def test_a_wrapper_does_what_its_compiler_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What only compiles, or asks, goes to the compiler; other calls go to weft."""
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "executable", "/bin/echo")
    real = tmp_path / "mine" / "g++"
    real.parent.mkdir()
    real.write_text('#!/bin/sh\necho compiler "$@"\n')
    real.chmod(0o755)
    for wanted in (str(real), str(real.parent)):
        made = wrapper(wanted)
        assert made.name == "g++" and tmp_path / "cache" in made.parents
        for argument in ("-c", "-E", "-S", "-M", "-MM", "-v", "--version", "-dumpversion", "-dumpfullversion"):
            done = subprocess.run([made, "x y", argument], capture_output=True, text=True, check=True)
            assert done.stdout == f"compiler x y {argument}\n"
        done = subprocess.run([made, "a.o", "-shared"], capture_output=True, text=True, check=True)
        assert done.stdout == f"-m weft.gpu.driver.device_link {real} a.o -shared\n"
    other = tmp_path / "yours-g++"
    other.symlink_to(real)
    assert wrapper(str(other)) != made
    monkeypatch.setenv("PATH", str(real.parent))
    assert f"exec {real} " in wrapper().read_text()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "exec clang++-99 " in wrapper("clang++-99").read_text()
