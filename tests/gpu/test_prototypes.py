"""The tables of the driver's and the runtime's functions against the prototypes in CUDA's headers.

A call puts its arguments into words as the System V ABI does: the first six in registers, then those on the stack, where
structures of more than 16 bytes lie in any case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import weft.gpu.driver
from weft.gpu import statuses
from weft.gpu.driver import absent, status, work
from weft.gpu.driver.runtime_table import RUNTIME
from weft.gpu.driver.table import CALLS, Call, named
from weft.toolchain.find import Tool

for _module in iter_modules(weft.gpu.driver.__path__):
    import_module(f"weft.gpu.driver.{_module.name}")

REGISTERS = 6
STRUCTURES = {"cudaPitchedPtr": 4, "cudaExtent": 3, "cudaIpcMemHandle_t": 8, "cudaIpcEventHandle_t": 8, "dim3": 2}
STRUCTURES |= {"CUipcMemHandle_v1": 8, "CUipcEventHandle_v1": 8, "CUmemLocation": 1, "cudaMemLocation": 1}
"""The words of structures that are given by value."""
INTEGERS = {
    "int": "i",
    "unsigned": "u",
    "unsigned int": "u",
    "unsigned char": "u",
    "unsigned short": "u",
    "cuuint32_t": "u",
}
INTEGERS |= {"CUdevice": "i", "CUdevice_v1": "i"}


class Headers:
    """The prototypes of a header: each function's arguments, and the types that are enumerations."""

    def __init__(self, text: str) -> None:
        text = re.sub(r"/\*.*?\*/|//[^\n]*|\\\n", " ", text, flags=re.DOTALL)
        self.newest = dict(re.findall(r"#\s*define\s+(cu\w+)\s+(?:__CUDA_API_\w+\()?(cu\w+_v\d+)\b", text))
        self.same = dict(re.findall(r"#\s*define\s+(cu\w+(?:ID|Id))\s+(cu\w+)\b", text))
        self.same |= {new: old for old, new in re.findall(r"typedef\s+([cC][uU]\w+)\s+([cC][uU]\w+)\s*;", text)}
        self.enumerators = {name: int(value, 0) for name, value in re.findall(r"\b(CU_?[A-Z]\w+)\s*=\s*(\w+)\b", text)
                            if re.fullmatch(r"\d+|0x[0-9a-fA-F]+", value)}  # fmt: skip
        self.arguments: dict[str, list[str]] = {}
        self.enumerations = set(
            re.findall(r"typedef\s+(?:__device_builtin__\s+)?enum\s+\w+\s*\{[^}]*\}\s*(\w+)\s*;", text)
        )
        self.enumerations |= set(re.findall(r"typedef\s+(?:__device_builtin__\s+)?enum\s+\w+\s+(\w+)\s*;", text))
        pattern = r"(?:CUresult\s+CUDAAPI|cudaError_t\s+CUDARTAPI|char\s*\*\s*CUDARTAPI)\s+(\w+)\s*\(((?:[^()]|\([^()]*\))*)\)\s*(?:__\w+\([^)]*\)\s*)?;"
        for name, listed in re.findall(pattern, text):
            given = re.sub(r"__dv\([^)]*\)|=[^,]*", "", listed)
            parts = [re.sub(r"\s+", " ", part).strip() for part in given.split(",")]
            newest = self.newest.get(name, name)
            known = newest if newest not in self.arguments else name  # Old forms stand below the new ones.
            self.arguments.setdefault(known, [] if parts in (["void"], [""]) else parts)

    def words(self, name: str) -> list[str] | None:
        """What each word of a call is: `i`, `u`, `p`, or a blank where nobody puts anything."""
        found = self.arguments.get(name.removesuffix("_ptsz").removesuffix("_ptds"))
        if found is None:
            return None
        registers: list[str] = []
        stack: list[str] = []
        for argument in found:
            kinds = list(self._kinds(argument))
            there = registers if len(kinds) <= 2 and len(registers) + len(kinds) <= REGISTERS else stack
            there += kinds
        return registers + ([" "] * (REGISTERS - len(registers)) + stack if stack else [])

    def _kinds(self, argument: str) -> Iterator[str]:
        type_ = re.sub(r"\b(?:const|struct)\b ?", "", argument)
        type_ = type_ if re.search(r"[*\[]", type_) else re.sub(r" ?\b\w+$", "", type_).strip() or type_
        type_ = self.same.get(type_, type_)
        if re.search(r"[*\[]", type_):
            yield "p"
        elif type_ in STRUCTURES:
            yield from "p" * STRUCTURES[type_]
        elif type_.startswith("enum ") or type_ in self.enumerations:
            yield "e"
        else:
            yield INTEGERS.get(type_, "p")


@pytest.fixture(scope="module")
def headers(nvcc: Tool) -> Headers:
    """Those of the toolkit that nvcc is of."""
    folder = Path(nvcc.path).resolve().parents[1] / "include"
    names = [folder / name for name in ("cuda.h", "cuda_runtime_api.h", "driver_types.h")]
    if not all(path.exists() for path in names):
        pytest.skip("CUDA's headers are not here")
    return Headers("\n".join(path.read_text(encoding="utf-8", errors="replace") for path in names))


FITS = {"e": "iu", "i": "iu", "u": "u", "p": "po"}
"""The table's kinds for those of a prototype; words that a function does not look at may be left out at the end."""


def problems(call: Call, wanted: list[str]) -> str:
    """What differs from a prototype."""
    if not call.arguments:  # Refused whatever it is given.
        return ""
    if len(call.arguments) > len(wanted):
        return f"{call.name}: {len(call.arguments)} words, {len(wanted)} in the prototype"
    wrong = [
        f"word {number} is {kind}, {want} in the prototype"
        for number, (kind, want) in enumerate(zip(call.arguments, wanted, strict=False))
        if want != " " and kind not in FITS[want]
    ]
    return f"{call.name}: {', '.join(wrong)}" if wrong else ""


def test_arguments_are_those_of_the_prototypes(headers: Headers) -> None:
    found = [
        problem
        for table in (CALLS, RUNTIME)
        for call in table.values()
        if (wanted := headers.words(call.name)) is not None and (problem := problems(call, wanted))
    ]
    assert not found, "\n".join(found)


NODES = {"CHILD": "GRAPH", "RECORD_EVENT": "EVENT_RECORD", "ALLOC": "MEM_ALLOC", "FREE": "MEM_FREE"}
NODES |= {"MEMORY_OPERATION": "BATCH_MEM_OP"}
"""Kinds of nodes that the header calls otherwise."""


def test_numbers_are_those_of_the_header(headers: Headers) -> None:
    """Kinds of nodes, and what functions return."""
    kinds = {name.removeprefix("CU_GRAPH_NODE_TYPE_"): number for name, number in headers.enumerators.items()}
    found = {name: number for name, number in vars(work).items() if name.isupper() and type(number) is int}
    assert {name: kinds.get(NODES.get(name, name)) for name in found} == found
    errors = {
        name.removeprefix("CUDA_ERROR_"): number
        for name, number in headers.enumerators.items()
        if name.startswith("CUDA_ERROR_")
    }
    ours = {name: number for name, number in vars(status).items() if name.isupper() and type(number) is int}
    known = {name: {errors.get(name), errors.get(f"LAUNCH_{name}")} - {None} for name in ours}
    assert sum(map(bool, known.values())) > 5
    assert not [name for name, number in ours.items() if known[name] and number not in known[name]]
    assert {number: f"CUDA_ERROR_{name}" for name, number in errors.items() if number in statuses.NAMES} == {
        number: names[0] for number, names in statuses.NAMES.items() if number
    }


def test_every_hint_is_of_functions_that_are_absent() -> None:
    """Each of its words."""
    names = [name for text, _ in absent.TABLES for name in text.split()]
    for pattern, hint in absent._HINTS:
        for word in pattern.split("|") if "(" not in pattern else [pattern]:
            assert [name for name in names if re.search(word, name) and absent.hint_of(name)], (word, hint)


EXPLICIT = {("cuMemPrefetchAsync", "12020"), ("cuMemAdvise", "12020"), ("cuCtxCreate", "11040")}
"""Forms that were called by their own names, `_v2` and `_v3`, before CUDA 13 gave them the plain one."""


def test_forms_of_versions_are_those_that_they_declare(headers: Headers, nvcc: Tool) -> None:
    """`cudaTypedefs.h` has the prototype of each function from each version on that changed it; 32-bit ones are gone."""
    text = (Path(nvcc.path).resolve().parents[1] / "include" / "cudaTypedefs.h").read_text(encoding="utf-8")
    wrong: list[str] = []
    checked = 0
    for plain, version, listed in re.findall(r"\(CUDAAPI \*PFN_(cu\w+)_v(\d+)\)\((.*)\);", text):
        name = named(plain, int(version))
        if name is None or CALLS[name].function.__module__ == absent.__name__ or int(version) < 3020:
            continue
        headers.arguments["typedef"] = [] if listed == "void" else re.split(r",\s*", listed)
        problem = problems(CALLS[name], headers.words("typedef") or []) if (plain, version) not in EXPLICIT else ""
        wrong += [f"{plain} {version}: {problem}"] if problem else []
        checked += 1
    assert checked > 300 and not wrong, "\n".join(wrong)
    assert named("cuMemPrefetchAsync", 13000) == "cuMemPrefetchAsync_v2" and named("cuNothing", 13000) is None
    assert [named(f"cuMemAlloc{form}", 13000) for form in ("", "_v2", "_ptsz", "_v2_ptds")] == ["cuMemAlloc_v2"] * 4
