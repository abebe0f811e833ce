"""What tools say and leave behind, as text and files that are made here: no tool has to be installed."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from weft.errors import Severity, ToolError
from weft.toolchain import Cubin, disassemble, doctor, elf, find, link
from weft.toolchain.elf import Relocation, code, relocations, sections
from weft.toolchain.find import need, paths, run, version_of
from weft.toolchain.ptxas import Resources, assemble, parse_messages, parse_statistics, target_of
from weft.toolchain.sass import Sass, SassInstruction, code_difference

finding: Any = import_module("weft.toolchain.find")


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    find.cache_clear()
    yield
    find.cache_clear()


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


# -- files --------------------------------------------------------------------------------------------------------


def made(*given: tuple[str, int, bytes]) -> bytes:
    """An ELF file of sections: names, kinds and contents; the names' own section is the last."""
    whole, strings, table = b"", b"\0", b""
    listed = [("", 0, b""), *given, (".shstrtab", 3, b"")]
    for name, _, _ in listed[1:]:
        strings += name.encode() + b"\0"
    listed[-1] = (".shstrtab", 3, strings)
    start, at = 64, 1
    for name, kind, contents in listed:
        number = 0 if not name else at
        at += len(name) + 1 if name else 0
        table += struct.pack("<IIQQQQIIQQ", number, kind, 0, 0, start, len(contents), 0, 0, 1, 0)
        if kind != 8:
            whole += contents
            start += len(contents)
    header = struct.pack(
        "<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01", 2, 190, 1, 0, 0, start, 0, 64, 0, 0, 64, len(listed), len(listed) - 1
    )
    return header + whole + table


SYMBOLS = [struct.pack("<IBBHQQ", name, 0, 0, 0, 0, 0) for name in (0, 1, 5)]
FILE = made(
    (".text.k", 1, b"code"),
    (".nv.shared.k", 8, b"1234"),
    (".symtab", 2, b"".join(SYMBOLS)),
    (".strtab", 3, b"\0one\0two\0"),
    (".rel.text.k", 9, struct.pack("<QQ", 8, 1 << 32 | 57) + struct.pack("<QQ", 16, 9 << 32)),
    (".rela.text.k", 4, struct.pack("<QQq", 24, 2 << 32 | 3, -5) + b"rest"),
    (".nv.constant0.k", 1, b"bank"),
    (".debug_line", 1, b"lines"),
    (".nv.info.k", 1, b"info"),
    (".nv.info", 1, b"note"),
    (".nv.global.init", 1, b"init"),
)


def test_sections() -> None:
    found = sections(FILE)
    assert list(found)[:3] == ["", ".text.k", ".nv.shared.k"] and found[".text.k"] == b"code"
    assert found[".nv.shared.k"] == b"", "it has no contents"
    assert code(FILE) == {
        ".text.k": b"code", ".nv.shared.k": b"", ".nv.constant0.k": b"bank", ".nv.info.k": b"info", ".nv.global.init": b"init"
    }  # fmt: skip
    for wrong, said in (
        *((FILE[:63], "no 64-bit ELF header"), (b"\x7fELF\x01\x01" + FILE[6:], "no 64-bit ELF header")),
        *((FILE[:-1], "cut short"), (FILE[:62] + b"\xff\0" + FILE[64:], "cut short")),
    ):
        with pytest.raises(ToolError, match=said):
            sections(wrong)
    assert elf._text(b"ab\0cd", 1) == "b" and elf._text(b"ab\0cd", 3) == "cd"


def test_relocations() -> None:
    """Of symbols that there are, with what is added, where that is said."""
    assert relocations(FILE, ".text.k") == [Relocation(8, "one", 0), Relocation(24, "two", -5)]
    assert relocations(FILE, ".text.other") == [] == relocations(made((".text.k", 1, b"code")), ".text.k")


def test_differences_of_code() -> None:
    one = made((".text.k", 1, b"code"), (".debug_line", 1, b"1"), (".nv.info.k", 1, b"x"))
    other = made((".text.k", 1, b"code"), (".debug_line", 1, b"2"), (".text.m", 1, b""))
    assert code_difference(one, Cubin(other, "sm_80")) == [".nv.info.k", ".text.m"] and code_difference(one, one) == []


# -- machine code -------------------------------------------------------------------------------------------------


def test_machine_code_without_its_padding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def listed(*opcodes: str) -> list[dict[str, str]]:
        return [dict(zip(("opcode", "operands", "predicate"), opcode.split("|"), strict=False)) for opcode in opcodes]

    functions = {
        "k": ["LDG.E.128|R2, [R4]", "LDG.E|R1", "EXIT||@P0", "EXIT", "BRA|0x90", "NOP", "NOP"],
        "loop": ["BRA|0x0"],
        "guarded": ["NOP", "BRA|0x0|@!P1", "NOP"],
        "empty": ["NOP"],
    }
    said = [{}, [{"function-name": name, "sass-instructions": listed(*opcodes)} for name, opcodes in functions.items()]]
    (tmp_path / "said").write_text(json.dumps(said))
    tool = script(tmp_path / "nvdisasm", f'[ "$1" = -json ] && grep -q "the cubin" "$2" && cat "{tmp_path}/said"')
    monkeypatch.setenv("WEFT_NVDISASM", str(tool))
    found = disassemble(Cubin(b"the cubin", "sm_80"))
    assert {name: [str(one) for one in sass.instructions] for name, sass in found.items()} == {
        "k": ["LDG.E.128 R2, [R4]", "LDG.E R1", "@P0 EXIT", "EXIT"],
        "loop": ["BRA 0x0"],
        "guarded": ["NOP", "@!P1 BRA 0x0"],
        "empty": [],
    }
    assert found["k"].opcodes() == {"LDG": 2, "EXIT": 2} and found["k"].count == 4
    assert Sass("x", (SassInstruction("NOP"),)).count == 1
    with pytest.raises(ToolError, match="nvdisasm failed: "):
        disassemble(b"another")


# -- what tools say -----------------------------------------------------------------------------------------------

NVLINK = """nvlink info    : 12 bytes gmem, 16 bytes cmem[4]
nvlink info    : Function properties for 'one':
nvlink info    : used 24 registers, used 2 barriers, 40 stack, 512 bytes smem, 360 bytes cmem[0], 8 bytes cmem[2], 0 bytes lmem
nvlink info    : Function properties for 'two':
nvlink info    : used 7 registers, 0 stack, 328 bytes cmem[0], 0 bytes lmem
nvlink warning : careful in FILE
"""


@pytest.mark.parametrize("status", [0, 1])
def test_what_nvlink_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    """Resources of kernels, and messages in which files have the names of their objects."""
    errors = "nvlink error   : first in FILE\nnvlink fatal   : second\n" if status else ""
    text = (NVLINK + errors).replace("FILE", "'$file'")
    body = f"""while [ "$#" -gt 1 ]; do case "$1" in *0.cubin) file="$1";; esac; last="$1"; echo "$1" >> "{tmp_path}/given"; shift; done
{"" if status else 'echo -n linked > "$1"'}
cat >&2 <<END
{text.replace("'$file'", "'$file'")}END
exit {status}"""
    monkeypatch.setenv("WEFT_NVLINK", str(script(tmp_path / "nvlink", body)))
    objects = {"a.o": Cubin(made((".text.k", 1, b"")), "sm_80"), "b.o": made((".text.m", 1, b""))}
    if status:
        with pytest.raises(ToolError, match=r"nvlink: first in 'a.o' \(and 1 more\)") as caught:
            link(objects)
        assert [(one.message, one.severity) for one in caught.value.diagnostics] == [
            *(("careful in 'a.o'", Severity.WARNING), ("first in 'a.o'", Severity.ERROR), ("second", Severity.ERROR))
        ]
        assert {one.code for one in caught.value.diagnostics} == {"nvlink"} and "first in" in caught.value.output
        return
    done = link(objects, relocatable=True, options=("--more",))
    assert (done.data, done.target) == (b"linked", "sm_80")
    assert done.kernels == (
        Resources("one", registers=24, shared_bytes=512, stack_bytes=40, barriers=2, constant_bytes=368),
        Resources("two", registers=7, constant_bytes=328),
    )
    assert [remark.message for remark in done.remarks] == ["careful in 'a.o'"]
    given = (tmp_path / "given").read_text().split()
    assert given[:2] == ["-v", "-arch=sm_80"] and given[2:4] == ["-r", "--more"]
    assert [Path(path).name for path in given[4:6]] == ["0.cubin", "1.cubin"] and given[6:] == ["-o"]
    assert "-r" not in (link(list(objects.values()), "sm_90a"), (tmp_path / "given").read_text().split()[7:])[1]
    assert "-arch=sm_90a" in (tmp_path / "given").read_text()
    monkeypatch.setenv("WEFT_NVLINK", str(script(tmp_path / "silent", "exit 0")))
    find.cache_clear()
    with pytest.raises(ToolError, match="nvlink failed: "):
        link(objects)


PTXAS = """ptxas k.ptx, line 3; error   : Unknown thing
ptxas k.ptx, line 3; warning : Odd thing
ptxas k.ptx, line 99; error   : Beyond
ptxas fatal   : Ptx assembly aborted due to errors
ptxas fatal   : Unresolved extern function 'f'
ptxas info    : (C7510) Remark of a kind
ptxas info    : 0 bytes gmem
not a message
"""


def test_what_ptxas_says() -> None:
    found = parse_messages(PTXAS, "one\ntwo\nthree", "mine.ptx")
    assert [(one.code, one.message, one.severity, one.position.line, one.position.source) for one in found] == [
        ("ptxas", "Unknown thing", Severity.ERROR, 3, "three"),
        ("ptxas", "Odd thing", Severity.WARNING, 3, "three"),
        ("ptxas", "Beyond", Severity.ERROR, 99, None),
        ("ptxas", "Unresolved extern function 'f'", Severity.ERROR, 0, None),
        ("C7510", "Remark of a kind", Severity.NOTE, 0, None),
    ]
    assert {one.position.file for one in found} == {"mine.ptx"}


def test_how_ptxas_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = ".version 8.0\n.target sm_80\n.address_size 64\n"
    for body, said, crashed, hint in (
        *(
            ("kill -9 $$", "ptxas was killed by signal 9", True, False),
            ("echo odd; exit 3", "ptxas failed: odd", False, False),
        ),
        ("exit 0", "ptxas failed: $", False, False),
        (f"cat <<'END'\n{PTXAS}END\nexit 1", r"ptxas: Unknown thing \(and 2 more\)", False, False),
        (
            "echo \"ptxas fatal   : Unresolved extern function 'f'\"; exit 1",
            "ptxas: Unresolved extern function 'f'\n",
            False,
            True,
        ),
    ):
        monkeypatch.setenv("WEFT_PTXAS", str(script(tmp_path / "ptxas", body)))
        find.cache_clear()
        with pytest.raises(ToolError, match=said) as caught:
            assemble(text, file="mine.ptx")
        assert caught.value.crashed is crashed and ("--emit obj" in caught.value.hint) is hint
    body = f'echo "$@" > "{tmp_path}/given"; for out in "$@"; do :; done; echo -n cubin > "$out"'
    monkeypatch.setenv("WEFT_PTXAS", str(script(tmp_path / "ptxas", body)))
    find.cache_clear()
    for given, words in (
        (assemble(text, options=("-O1",), relocatable=True), ["-v", "-arch=sm_80", "-c", "-O1"]),
        (assemble(text, "sm_90a"), ["-v", "-arch=sm_90a"]),
    ):
        assert given.data == b"cubin" and given.target == words[1].removeprefix("-arch=")
    assert (tmp_path / "given").read_text().split()[:2] == words


def test_kernels_of_a_cubin() -> None:
    one, two = Resources("one", spill_store_bytes=3, spill_load_bytes=4), Resources("two")
    assert (
        one.spills == 7
        and Cubin(b"", "sm_80", (one,)).kernel() is one
        and Cubin(b"", "", (one, two)).kernel("two") is two
    )
    for cubin, name, said in ((Cubin(b"", "", (one, two)), None, "one, two"), (Cubin(b"", ""), "x", "none")):
        with pytest.raises(KeyError, match=f"the module's kernels are {said}"):
            cubin.kernel(name)
    assert parse_statistics("ptxas info    : Used 5 registers") == ()


@pytest.mark.parametrize(
    ("text", "target"),
    [
        (".version 8.0\n.target sm_90a, texmode_independent\n.address_size 64\n", "sm_90a"),
        ("// x\n.version 8.0 .target compute_80 .address_size 64", "sm_80"),
        ("nothing\n  .target\tsm_75\n", "sm_75"),
        (".target sm_70\n.target sm_90\n", "sm_90"),
    ],
)
def test_targets_of_texts(text: str, target: str) -> None:
    assert target_of(text) == target


# -- where tools are ----------------------------------------------------------------------------------------------


def test_places_where_tools_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wheels of NVIDIA and of Triton, PATH, a CUDA installation; the newest is taken, and each file counts once."""
    sites = {"nvidia": tmp_path / "nvidia", "triton": tmp_path / "triton"}
    monkeypatch.setattr(
        finding.importlib.util, "find_spec",
        lambda name: SimpleNamespace(submodule_search_locations=[str(sites[name])]) if name in sites else None,
    )  # fmt: skip
    folders = {
        "Python package nvidia": sites["nvidia"] / "cu13" / "bin",
        "Python package triton": sites["triton"] / "backends" / "nvidia" / "bin",
        "PATH": tmp_path / "path",
        "CUDA_HOME": tmp_path / "home" / "bin",
        "CUDA_PATH": tmp_path / "installed" / "bin",
    }
    monkeypatch.setenv("PATH", f"{folders['PATH']}{os.pathsep}/bin{os.pathsep}/usr/bin")
    monkeypatch.setenv("CUDA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("CUDA_PATH", str(tmp_path / "installed"))
    monkeypatch.delenv("WEFT_MYTOOL", raising=False)
    assert find("mytool") is None and list(paths("mytool")) == []
    with pytest.raises(ToolError, match="mytool was not found") as caught:
        need("mytool")
    assert caught.value.hint == "put mytool on PATH, or set WEFT_MYTOOL to its path"
    for number, (source, folder) in enumerate(folders.items()):
        path = script(folder / "mytool", f"echo 'version 1.{number}.5'")
        find.cache_clear()
        tool = find("mytool")
        assert tool is not None and (tool.path, tool.source, tool.version) == (str(path), source, (1, number, 5))
        assert str(tool) == f"mytool 1.{number}.5" and need("mytool") is tool
    assert list(paths("mytool")) == [folder / "mytool" for folder in folders.values()]
    (folders["PATH"] / "mytool").unlink()
    (folders["PATH"] / "mytool").symlink_to(folders["CUDA_PATH"] / "mytool")
    (folders["CUDA_HOME"] / "mytool").chmod(0o644)
    assert list(paths("mytool")) == [folders[name] / "mytool" for name in [*folders][:3]]
    monkeypatch.setenv("WEFT_MYTOOL", str(folders["Python package triton"] / "mytool"))
    find.cache_clear()
    tool = find("mytool")
    assert tool is not None and (tool.source, tool.version) == ("WEFT_MYTOOL", (1, 1, 5))
    assert list(paths("mytool")) == [Path(os.environ["WEFT_MYTOOL"])]
    monkeypatch.setenv("WEFT_MYTOOL", str(tmp_path))
    find.cache_clear()
    with pytest.raises(ToolError, match=f"WEFT_MYTOOL='{tmp_path}' is not an executable"):
        find("mytool")


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ("Cuda compilation tools, release 13.5, V13.5.37", (13, 5, 37)),
        ("LLVM version 22.1.0", (22, 1, 0)),
        ("version 3", ()),
        ("nothing", ()),
        ("tool V12.1 version 9.9", (12, 1)),
    ],
)
def test_versions_that_tools_tell(tmp_path: Path, said: str, version: tuple[int, ...]) -> None:
    assert version_of(str(script(tmp_path / "tool", f"echo '{said}'"))) == version


def test_a_tool_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def expired(command: list[str], **_: Any) -> Any:
        raise subprocess.TimeoutExpired(command, 1)

    assert run([str(script(tmp_path / "tool", "cat; echo said; echo wrong >&2; exit 4"))]).returncode == 4
    monkeypatch.setattr(subprocess, "run", expired)
    with pytest.raises(ToolError, match=": tool did not finish within 900 seconds"):
        run([str(tmp_path / "tool")])
    assert version_of("anything") == ()


# -- what is here -------------------------------------------------------------------------------------------------


class Driver(ModuleType):
    """The bindings of the driver."""

    def __init__(self, status: int, name: bytes = b"") -> None:
        super().__init__("cuda.bindings.driver")
        self.cuInit = lambda _: (status,)
        self.cuDeviceGet = lambda number: (0, number)
        self.cuDeviceGetName = lambda size, device: (0, name if device == 0 else b"wrong")


def test_what_the_doctor_says_of_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: int) -> Any:
        raise RuntimeError("no libcuda")

    broken = Driver(0)
    broken.cuInit = missing
    for driver, present, detail in (
        *((None, False, "cuda-bindings is not installed"), (Driver(100), False, "the driver answers 100")),
        *((broken, False, "no driver"), (Driver(0, b"GPU of mine\0\0"), True, "GPU of mine")),
    ):
        monkeypatch.setitem(sys.modules, "cuda.bindings.driver", driver)
        found = doctor._gpu()
        assert (found.name, found.present, found.detail, found.purpose) == (
            "GPU",
            present,
            detail,
            "running kernels on a GPU",
        )


def test_what_the_doctor_says_of_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = 'if [ "$1" = --list-version ]; then printf "9.3\\n10.0\\n9.12\\nx 11.0\\n"; else echo "V13.1.5"; fi'
    monkeypatch.setenv("WEFT_PTXAS", str(script(tmp_path / "ptxas", body)))
    monkeypatch.setenv("WEFT_NVLINK", str(script(tmp_path / "nvlink", "echo V13.2.1")))
    monkeypatch.setenv("WEFT_NVCC", "/no/such/nvcc")
    monkeypatch.setattr(finding, "_candidates", lambda _: iter(()))
    monkeypatch.setattr(doctor, "LLVM_FOLDER", str(tmp_path / "llvm"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    script(tmp_path / "llvm" / "mlir-opt", "echo LLVM version 22.1.3")
    script(tmp_path / "path" / "mlir-opt-22", "echo LLVM version 22.9.9")
    script(tmp_path / "llvm" / "opt", "echo LLVM version 22.1.4")
    script(tmp_path / "path" / "opt", "echo LLVM version 19.0.0")
    script(tmp_path / "path" / "llc", "echo LLVM version 18.0.0")
    found = {one.name: one for one in doctor.examine()}
    said = {name: (found[name].present, found[name].detail) for name in found}
    assert said["ptxas"] == (True, "13.1.5 (WEFT_PTXAS), PTX up to 10.0")
    assert said["nvlink"] == (True, "13.2.1 (WEFT_NVLINK)") and said["nvdisasm"] == said["cuobjdump"] == (False, "")
    assert said["nvcc"] == (False, "WEFT_NVCC='/no/such/nvcc' is not an executable")
    assert said["mlir-opt"] == (True, "22.9.9") and said["opt"] == (True, "22.1.4") and said["llc"] == (True, "18.0.0")
    assert said["mlir-translate"] == (False, "")
    purposes = {
        purpose: [one.name for one in found.values() if one.purpose == purpose]
        for purpose in {one.purpose for one in found.values()}
    }
    assert purposes == {
        "weft": ["python", "weft", "xdsl", "numpy", "ml_dtypes"], "assembling PTX": ["ptxas"],
        "linking objects": ["nvlink"], "disassembling cubins": ["nvdisasm"], "listing cubins": ["cuobjdump"],
        "running kernels on a GPU": ["GPU"], "tests": ["nvcc", "triton", "llvmlite"],
        "tests, benchmarks": ["mlir-opt", "mlir-translate", "opt", "llc"],
    }  # fmt: skip
    assert doctor._package("numpy", "x").detail == import_module("numpy").__version__
    assert doctor._package("no-such-package-of-anybody", "x") == doctor.Finding(
        "no-such-package-of-anybody", False, "", "x"
    )
