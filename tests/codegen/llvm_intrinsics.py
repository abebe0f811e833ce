"""Every intrinsic `llvm.nvvm.*` that LLVM knows, asked of its library: its type, and the numbers its operands can be.

`functions` makes functions of LLVM IR that call each with all its immediate operands' values in turn.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.codegen.oracle import tool
from tests.codegen.trace import between_commas

PREFIX = "llvm.nvvm."
SOME = "llvm.nvvm.mulhi.ll"
LEFT_OUT = ("compiler.", "internal.", "move.ptr", "texsurf.")
"""Those that are no instruction, and are resolved before code is made."""
MOST_VALUES = 20
REGISTERS = 24, 257
"""The range of the registers of a warp, of which there are multiples of eight only."""
_DECLARED = re.compile(r"declare (.*?)(@llvm\.nvvm\.[\w.]+)\((.*)\)(?: #\d+)?$")
_Pointer = ctypes.c_void_p


class _Library:
    """The functions of LLVM's library that are asked."""

    def __init__(self) -> None:
        linked = subprocess.run(["ldd", tool("llc")], capture_output=True, text=True, check=False).stdout
        found = re.search(r"(/\S*libLLVM\S*)", linked)
        if found is None or not Path(found[1]).exists():
            pytest.skip("llc-22 is not linked to a library of LLVM's that can be asked for intrinsics")
        self._library = ctypes.CDLL(found[1])
        pointer, number = _Pointer, ctypes.c_uint
        self.context = self._function("LLVMContextCreate", pointer)()
        self.find = self._function("LLVMLookupIntrinsicID", number, ctypes.c_char_p, ctypes.c_size_t)
        self._name = self._function("LLVMIntrinsicGetName", pointer, number, ctypes.POINTER(ctypes.c_size_t))
        self.overloaded = self._function("LLVMIntrinsicIsOverloaded", ctypes.c_int, number)
        many = ctypes.POINTER(pointer)
        self._declare = self._function("LLVMGetIntrinsicDeclaration", pointer, pointer, number, many, ctypes.c_size_t)
        self._print = self._function("LLVMPrintValueToString", pointer, pointer)
        self._module = self._function("LLVMModuleCreateWithNameInContext", pointer, ctypes.c_char_p, pointer)(
            b"m", self.context
        )
        make = self._function
        space = make("LLVMPointerTypeInContext", pointer, pointer, number)
        width = make("LLVMIntTypeInContext", pointer, pointer, number)
        vector = make("LLVMVectorType", pointer, pointer, number)
        self.types: dict[str, Any] = {f"p{n}": space(self.context, n) for n in (0, 1, 3, 4, 101)}
        self.types |= {f"i{n}": width(self.context, n) for n in (8, 16, 32, 64)}
        for name, kind in (("f16", "Half"), ("bf16", "BFloat"), ("f32", "Float"), ("f64", "Double")):
            self.types[name] = make(f"LLVM{kind}TypeInContext", pointer, pointer)(self.context)
        self.types |= {f"v2{name}": vector(self.types[name], 2) for name in ("f16", "bf16", "f64", "i64")}
        self.types |= {f"v4{name}": vector(self.types[name], 4) for name in ("f32", "i32")}

    def _function(self, name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
        found = getattr(self._library, name)
        found.restype, found.argtypes = result, arguments
        return found

    def name(self, number: int) -> str:
        """The name of an intrinsic."""
        length = ctypes.c_size_t()
        text = self._name(number, ctypes.byref(length))
        return ctypes.string_at(text, length.value).decode()

    def declared(self, number: int, *types: str) -> str:
        """The declaration of an intrinsic, for these types if it is for several."""
        given = (_Pointer * max(1, len(types)))(*(self.types[t] for t in types))
        text = ctypes.string_at(self._print(self._declare(self._module, number, given, len(types)))).decode()
        return text.strip().splitlines()[-1]


def _overloads(name: str) -> list[tuple[str, ...]]:
    """The types that an intrinsic is for."""
    if name.startswith("atomic"):
        return [(t, s) for t in (("f32",) if ".f." in name else ("i32", "i64")) for s in ("p0", "p1", "p3")]
    if name.startswith("ldu"):
        kinds = {
            "f": ("f32", "f64", "f16", "v4f32", "v2f64"),
            "i": ("i8", "i16", "i32", "i64", "v4i32", "v2i64"),
            "p": ("p0",),
        }[name[-1]]
        return [(t, "p1") for t in kinds]
    if name.startswith(("ex2", "fabs")):
        return [(t,) for t in ("f32", "f64", "f16", "bf16", "v2f16", "v2bf16")]
    if name.startswith(("flo", "fsh")):
        return [("i32",), ("i64",)]
    if name == "prefetch.tensormap":
        return [("p0",), ("p4",), ("p101",)]
    return [("p1",), ("p3",)] if name.startswith("tensormap") else [("p0",), ("p1",), ("p3",)]


@cache
def declarations() -> list[str]:
    """The declarations of all intrinsics."""
    llvm = _Library()
    first = last = llvm.find(SOME.encode(), len(SOME))
    while llvm.name(first - 1).startswith(PREFIX):
        first -= 1
    while llvm.name(last + 1).startswith(PREFIX):
        last += 1
    found: list[str] = []
    for number in range(first, last + 1):
        name = llvm.name(number).removeprefix(PREFIX)
        if not name.startswith(LEFT_OUT):
            found += [llvm.declared(number, *t) for t in (_overloads(name) if llvm.overloaded(number) else [()])]
    return found


def _type(parameter: str) -> str:
    found = re.match(r"ptr addrspace\(\d+\)|<[^>]*>|\{[^}]*\}|\w+", parameter)
    assert found is not None
    return found[0]


def _numbers(parameter: str) -> list[str]:
    """The values that an immediate operand is tried with; none where it is no immediate one."""
    if "immarg" not in parameter:
        return []
    if _type(parameter) == "i1":
        return ["false", "true"]
    bounds = re.search(r"range\(i\d+ (-?\d+), (-?\d+)\)", parameter)
    if bounds is None:
        return ["0", "1", "2", "128"]
    least, end = int(bounds[1]), int(bounds[2])
    step = 8 if (least, end) == REGISTERS else 1
    return [str(number) for number in range(least, end, step)][:MOST_VALUES]


def _picks(choices: Sequence[list[str]]) -> Iterator[tuple[str, ...]]:
    """All first values, each other value of each operand beside these, all last ones."""
    first = tuple(values[0] if values else "" for values in choices)
    found = [first, *((*first[:i], v, *first[i + 1 :]) for i, values in enumerate(choices) for v in values)]
    yield from dict.fromkeys([*found, tuple(values[-1] if values else "" for values in choices)])


def functions(wanted: Callable[[str], bool] = lambda _: True) -> dict[str, str]:
    """Functions of LLVM IR by their names, each with one call; `wanted` says of which intrinsics."""
    found: dict[str, str] = {}
    for declaration in declarations():
        match = _DECLARED.match(declaration)
        assert match is not None, declaration
        if not wanted(match[2].removeprefix("@" + PREFIX)):
            continue
        result = re.sub(r"\b(noundef|signext|zeroext)\b|range\([^)]*\)", "", match[1]).strip()
        parameters = between_commas(match[3])
        types = [_type(parameter) for parameter in parameters]
        for pick in _picks([_numbers(parameter) for parameter in parameters]):
            given = ", ".join(f"{t} {value or f'%a{i}'}" for i, (t, value) in enumerate(zip(types, pick, strict=True)))
            taken = ", ".join(f"{t} %a{i}" for i, (t, value) in enumerate(zip(types, pick, strict=True)) if not value)
            name = f"f{len(found)}"
            end = "ret void" if result == "void" else f"ret {result} %r"
            call = f"call {result} {match[2]}({given})"
            call = call if result == "void" else f"%r = {call}"
            found[name] = f"define {result} @{name}({taken}) {{\n  {call}\n  {end}\n}}\n"
    return found
