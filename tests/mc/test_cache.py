"""Compiled modules on disk: keys, damage, and many processes at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import weft
from tests.mc.support import ptx
from weft.mc.cache import ModuleCache, weft_itself
from weft.mlir import parse_mlir

WRITER = """
import sys, weft
from weft.mc.cache import ModuleCache
cache, text = ModuleCache(sys.argv[1]), open(sys.argv[2]).read()
module = weft.parse(text)
for _ in range(40):
    found = cache.load("k")
    assert found is None or found == module
    cache.store("k", module)
    assert cache.load("k") == module
"""


def test_keys() -> None:
    base = ModuleCache.key("text", "sm_80", {"a": 1, "b": None})
    assert base == ModuleCache.key("text", "sm_80", {"b": None, "a": 1})
    others = [
        ("texu", "sm_80", {"a": 1, "b": None}),
        ("text", "sm_90", {"a": 1, "b": None}),
        ("text", "sm_80", {"a": 1}),
    ]
    assert len({base, *(ModuleCache.key(*other) for other in others)}) == 4
    assert ModuleCache.key("b", "a") != ModuleCache.key("", "ab")


def test_another_weft_is_another_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def key() -> str:
        weft_itself.cache_clear()
        return ModuleCache.key("text", "sm_80")

    here = tmp_path / "src" / "weft" / "mc" / "cache.py"
    here.parent.mkdir(parents=True)
    here.write_text("1")
    monkeypatch.setattr("weft.mc.cache.__file__", str(here))
    keys = [key(), key()]
    monkeypatch.setattr("weft.mc.cache.__version__", "9.9")
    keys.append(key())
    os.utime(here, ns=(10**18, 10**18))  # The version says all where there is no checkout.
    assert key() == keys[-1]
    (tmp_path / "pyproject.toml").touch()
    keys.append(key())
    here.write_text("12")
    keys.append(key())
    os.utime(here, ns=(10**18, 10**18))
    keys.append(key())
    os.utime(here, ns=(10**18, 10**18 + 1))
    keys.append(key())
    here.rename(here.with_name("other.py"))
    keys.append(key())
    here.with_name("notes.txt").write_text("no source")
    assert key() == keys[-1]
    weft_itself.cache_clear()
    assert keys[0] == keys[1]
    assert len(set(keys)) == 7


def test_store_and_load(tmp_path: Path) -> None:
    cache = ModuleCache(tmp_path / "deep" / "folder")
    module = weft.parse(ptx(100))
    assert cache.load("k") is None
    cache.store("k", module)
    assert cache.load("k") == module
    assert [path.name for path in cache.folder.iterdir()] == ["k.weft"]


def test_damage_counts_as_missing(tmp_path: Path) -> None:
    cache, module = ModuleCache(tmp_path), weft.parse(ptx(100))
    cache.store("k", module)
    path = tmp_path / "k.weft"
    path.write_bytes(path.read_bytes()[:-9])
    assert cache.load("k") is None
    cache.store("k", module)
    assert cache.load("k") == module


def test_nothing_is_left_when_writing_fails(tmp_path: Path) -> None:
    module = weft.parse(ptx(100))
    module.targets = ("sm\0",)
    with pytest.raises(weft.BytesError):
        ModuleCache(tmp_path).store("k", module)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_many_writers(tmp_path: Path) -> None:
    (tmp_path / "k.ptx").write_text(ptx(300))
    command = [sys.executable, "-c", WRITER, str(tmp_path / "cache"), str(tmp_path / "k.ptx")]
    running = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for process in running:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["k.weft"]


def test_compile(examples: Path, tmp_path: Path) -> None:
    text = (examples / "saxpy.mlir").read_text()
    stages: list[str] = []
    first = weft.compile(text, target="sm_80", cache=tmp_path)
    again = weft.compile(text, target="sm_80", cache=tmp_path, timer=lambda stage, _: stages.append(stage))
    assert again == first
    assert again.to_ptx() == first.to_ptx() == weft.compile(text, target="sm_80").to_ptx()
    assert stages == []
    weft.compile(text, target="sm_90", cache=tmp_path)
    weft.compile(text, target="sm_80", cache=tmp_path, ptx_version="8.2")
    assert len(list(tmp_path.iterdir())) == 3


def test_a_module_is_known_by_its_text(examples: Path, tmp_path: Path) -> None:
    module = parse_mlir((examples / "saxpy.mlir").read_text(), "saxpy.mlir")
    first = weft.compile(module, target="sm_80", cache=tmp_path)
    assert weft.compile(module, target="sm_80", cache=tmp_path) == first
    assert weft.compile(str(module), target="sm_80", cache=tmp_path) == first
    assert len(list(tmp_path.iterdir())) == 1


def test_what_is_found_needs_no_compiler(examples: Path, tmp_path: Path) -> None:
    source = examples / "saxpy.mlir"
    first = weft.compile(source.read_text(), target="sm_80", cache=tmp_path)
    code = (
        "import sys, weft\n"
        "print(weft.compile(open(sys.argv[1]).read(), target='sm_80', cache=sys.argv[2]).to_ptx(), end='')\n"
        "sys.exit('xdsl' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code, source, tmp_path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, first.to_ptx()), done.stderr
