"""Textures and surfaces by LLVM's intrinsics: `tex`, `tld4`, `txq`, `suld`, `sust`, `suq`."""

from __future__ import annotations

import re
from typing import Any

from xdsl.ir import Operation

from weft.codegen.graph import Addr, Value
from weft.codegen.nvvm.fragments import outputs, registers
from weft.codegen.nvvm.intrinsics import family
from weft.codegen.selector import Selector
from weft.isa import opcode

_COORDINATES = {"1d": 1, "2d": 2, "3d": 3, "cube": 3}


def _geometry(name: str, array: str) -> tuple[str, int]:
    """The geometry as PTX names it, and its coordinates, the layer of an array in front."""
    return f"a{name}" if array else name, _COORDINATES[name] + bool(array)


def _padded(values: tuple[Value, ...]) -> tuple[Value, ...]:
    """Coordinates or gradients: three of them and a layer are four registers, of which the last need not mean much."""
    return (*values, values[-1]) if len(values) == 3 else values


@family(r"tex\.(unified\.)?(1d|2d|3d|cube)(\.array)?(?:\.(level|grad))?\.v4(s32|u32|f32)\.(s32|f32)")
def _texture(s: Selector, op: Operation, name: re.Match[str]) -> None:
    geometry, count = _geometry(name[2], name[3])
    outs = outputs(s, op)
    values = registers(s, op.operands)
    handles, values = (values[:1], values[1:]) if name[1] else (values[:2], values[2:])
    coordinates, rest = values[:count], values[count:]
    tail: list[Any] = []
    if name[4] == "level":
        tail = [rest[0]]
    elif name[4] == "grad":
        half = len(rest) // 2
        tail = [_padded(rest[:half]), _padded(rest[half:])]
    code = opcode("tex", mip=name[4] or "", geom=geometry, vec="v4", dtype=name[5], ctype=name[6])
    place = Addr(handles[0], rest=(*handles[1:], _padded(coordinates)))
    s.read(code, outs, place, *tail, outs=outs)


@family(r"tld4\.(unified\.)?([rgba])\.2d\.v4(s32|u32|f32)\.f32")
def _gathered(s: Selector, op: Operation, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    values = registers(s, op.operands)
    handles, coordinates = values[:-2], values[-2:]
    place = Addr(handles[0], rest=(*handles[1:], coordinates))
    s.read(opcode("tld4", comp=name[2], geom="2d", vec="v4", dtype=name[3], ctype="f32"), outs, place, outs=outs)


@family(r"(txq|suq)\.([\w.]+)")
def _query(s: Selector, op: Operation, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    (handle,) = registers(s, op.operands)
    s.read(opcode(name[1], query=name[2].replace(".", "_"), type="b32"), *outs, Addr(handle), outs=outs)


@family(r"(suld|sust\.b|sust\.p)\.(1d|2d|3d)(\.array)?\.(?:(v2|v4)?i(\d+))\.(clamp|trap|zero)")
def _surface(s: Selector, op: Operation, name: re.Match[str]) -> None:
    geometry, count = _geometry(name[2], name[3])
    vector = name[4] or ""
    stem, _, format_ = name[1].partition(".")
    code = opcode(stem, format=format_ or "b", geom=geometry, vec=vector, type=f"b{name[5]}", clamp=name[6])
    handle, *values = registers(s, op.operands)
    place = Addr(handle, rest=(_padded(tuple(values[:count])),))
    if name[1] == "suld":
        outs = outputs(s, op)
        s.read(code, outs if vector else outs[0], place, outs=outs)
    else:
        s.emit(code, place, tuple(values[count:]))
