"""PTX in binaries: every compression and container, what nvcc makes, and damaged files."""

from __future__ import annotations

import io
import random
import struct
import subprocess
import zipfile
from pathlib import Path

import numpy as np
import pytest

import weft
from tests.command import weft as command
from weft.fatbin import FatbinError, best, entries
from weft.fatbin.decompress import lz4
from weft.isa.target import target
from weft.toolchain.find import Tool

PTX = """.version 8.0
.target {target}
.address_size 64
.visible .entry {kernel}(.param .u64 out)
{{
  .reg .b64 %p; .reg .b32 %v;
  ld.param.u64 %p, [out]; mov.u32 %v, {value}; st.global.u32 [%p], %v; ret;
}}
"""


def text(name: str = "sm_80", kernel: str = "k", value: int = 1) -> str:
    return PTX.format(target=name, kernel=kernel, value=value)


def literals(data: bytes) -> bytes:
    """An LZ4 block without matches."""
    rest = len(data) - 15
    if rest < 0:
        return bytes([len(data) << 4]) + data
    return b"\xf0" + b"\xff" * (rest // 255) + bytes([rest % 255]) + data


def entry(source: str, kind: int = 1, flags: int = 0, payload: bytes | None = None) -> bytes:
    data = source.encode() + b"\0"
    body = data if payload is None else payload
    padded = body + bytes(-len(body) % 8)
    number = int("".join(c for c in source.partition("sm_")[2][:4] if c.isdecimal()) or "0")
    head = struct.pack(
        "<HHIQIIHHIIIQQQ", kind, 0x101, 80, len(padded), len(body), 0, 0, 8, number, 0, 0, flags, 0, len(data)
    )
    return head.ljust(80, b"\0") + padded


def fatbin(*parts: bytes) -> bytes:
    return struct.pack("<4sHHQ", b"\x50\xed\x55\xba", 1, 16, sum(map(len, parts))) + b"".join(parts)


def in_library(data: bytes) -> bytes:
    return b"\x7fELF" + bytes(100) + data + bytes(50)


def test_entries_of_a_fatbin() -> None:
    one, two = text(), text("sm_90a", "other")
    data = fatbin(entry("", kind=2), entry(one), entry(two, flags=0x2000, payload=literals(two.encode() + b"\0")))
    found = entries(data)
    assert [(e.architecture, e.target, e.compression, e.text()) for e in found] == [
        (80, "sm_80", "none", one),
        (90, "sm_90a", "lz4", two),
    ]


def test_a_fatbin_that_is_cut_off_has_no_entries() -> None:
    """Its length is that of the whole, wherever it ends."""
    whole = in_library(fatbin(entry(text())))[:-50]
    before = whole.index(b"\x50\xed\x55\xba")
    for length in range(before, len(whole)):
        try:
            found = entries(whole[:length])
        except FatbinError:
            continue
        assert not found, length
    assert len(entries(whole)) == 1


def test_zstd() -> None:
    zstandard = pytest.importorskip("zstandard")
    source = text()
    packed = zstandard.ZstdCompressor().compress(source.encode() + b"\0")
    assert [e.text() for e in entries(fatbin(entry(source, flags=0x8000, payload=packed)))] == [source]
    with pytest.raises(FatbinError, match="damaged"):
        entries(fatbin(entry(source, flags=0x8000, payload=b"\0" * 40)))[0].text()


def test_lz4_matches_that_overlap() -> None:
    assert lz4(b"\x1fa\x01\x00\x05\x50bcdef", 30) == b"a" * 25 + b"bcdef"
    assert lz4(b"\x42abcd\x04\x00" + b"\x50vwxyz", 15) == b"abcdabcdab" + b"vwxyz"
    for block in (b"\xff", b"\x1fa\x00\x00\x05", b"\x1fa\x09\x00\x05", b"\x1fa"):
        with pytest.raises(FatbinError):
            lz4(block, 30)


def test_damaged_fatbins_give_clear_errors_or_nothing() -> None:
    source = text()
    data = fatbin(entry(source), entry(source, flags=0x2000, payload=literals(source.encode() + b"\0")))
    random.seed(1)
    for _ in range(3000):
        broken = bytearray(data)
        for _ in range(random.randrange(1, 4)):
            broken[random.randrange(len(broken))] = random.randrange(256)
        try:
            for found in entries(bytes(broken[: random.randrange(len(broken) + 1)])):
                found.text()
        except FatbinError:
            pass


def test_wheels_archives_and_libraries(tmp_path: Path) -> None:
    library = in_library(fatbin(entry(text("sm_75"))) + bytes(9) + fatbin(entry(text("sm_80"))))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("pkg/lib.so", library)
        archive.writestr("pkg/readme.txt", "text")
    path = tmp_path / "x.whl"
    path.write_bytes(packed.getvalue())
    assert [(e.where.partition("!")[2], e.target) for e in entries(path)] == [
        ("pkg/lib.so", "sm_75"),
        ("pkg/lib.so", "sm_80"),
    ]
    with pytest.raises(FatbinError, match="cannot be read"):
        entries(packed.getvalue()[:200])


def test_what_a_driver_would_load() -> None:
    found = entries(fatbin(*(entry(text(name)) for name in ("sm_75", "sm_80", "sm_90a", "sm_100f"))))
    for device, chosen in (("sm_80", "sm_80"), ("sm_90", "sm_90a"), ("sm_103", "sm_100f"), ("sm_120", "sm_80")):
        assert [e.target for e in best(found, target(device), "x")] == [chosen], device
    with pytest.raises(FatbinError, match="no PTX for sm_70"):
        best(found, target("sm_70"), "x")


def test_devices_load_fatbins(tmp_path: Path) -> None:
    data = fatbin(entry(text("sm_75", value=3)), entry(text("sm_80", value=4)))
    path = tmp_path / "k.fatbin"
    path.write_bytes(data)
    with weft.Device("sm_90", memory=1 << 28) as device:
        for source in (data, path, in_library(data), path.read_bytes()):
            out = device.zeros(1, np.uint32)
            device.load(source).kernel("k").launch(1, 1, [out])
            assert out[0] == 4


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "lib.so"
    path.write_bytes(in_library(fatbin(entry(text()), entry(text("sm_90", "other")))))
    listed = command("extract", str(path))
    assert listed.returncode == 0 and [line.split()[:2] for line in listed.stdout.splitlines()] == [
        ["1", "sm_80"],
        ["2", "sm_90"],
    ]
    assert command("extract", str(path), "-n", "2").stdout == text("sm_90", "other")
    assert command("extract", str(path), "-n", "3").returncode == 1
    folder = tmp_path / "out"
    assert command("extract", str(path), "-o", str(folder), "--kernel", "other").returncode == 0
    assert [p.name for p in folder.iterdir()] == ["lib.2.sm_90.ptx"]
    empty = tmp_path / "empty.so"
    empty.write_bytes(b"\x7fELF" + bytes(100))
    assert "this file contains no PTX" in command("extract", str(empty)).stderr


def test_commands_take_binaries(tmp_path: Path) -> None:
    path = tmp_path / "lib.so"
    path.write_bytes(in_library(fatbin(entry(text()), entry(text("sm_90", "other")))))
    assert command("verify", str(path)).returncode == 0
    assert "other" in command("inspect", f"{path}#2").stdout
    several = command("inspect", str(path))
    assert several.returncode == 1 and f"{path}#1 (sm_80), {path}#2 (sm_90)" in several.stderr
    assert command("requires", f"{path}#1").returncode == 0
    assert command("grep", "family=st", str(path), "-c").stdout.count("\n") == 2
    assert command("fmt", "-i", str(path)).returncode == 2
    bad = tmp_path / "bad.so"
    bad.write_bytes(in_library(fatbin(entry(text().replace("mov.u32", "mov.u33")))))
    refused = command("verify", str(bad))
    assert refused.returncode == 1 and f"{bad}:7:" in refused.stderr
    single = tmp_path / "single.so"
    single.write_bytes(in_library(fatbin(entry(text()))))
    assert command("run", str(single), "--block", "1", "--arg", "u32[1]=zeros").returncode == 0


CUDA = """
__constant__ int c[4];
__global__ void scale(float *x, float f, int n) { int i = threadIdx.x; if (i < n) x[i] *= f * c[0]; }
"""


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["default", "none", "speed", "size", "balance"])
def test_objects_of_nvcc(nvcc: Tool, tmp_path: Path, mode: str) -> None:
    (tmp_path / "k.cu").write_text(CUDA)
    targets = [f"arch=compute_{n},code=[sm_{n},compute_{n}]" for n in ("80", "90a")]
    options = [part for one in targets for part in ("-gencode", one)]
    run = [nvcc.path, "-c", *options, f"--compress-mode={mode}", "k.cu", "-o", "k.o"]
    subprocess.run(run, cwd=tmp_path, check=True, capture_output=True)
    found = entries(tmp_path / "k.o")
    assert [e.target for e in found] == ["sm_80", "sm_90a"]
    for each in found:
        assert weft.verify(weft.parse(each.text())) == []
