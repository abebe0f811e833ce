"""The instructions of single operations, on targets old and new."""

from __future__ import annotations

from pathlib import Path

import pytest

import weft
from weft.ptx.ast import Function
from weft.ptx.operands import Address, Arguments, Float, Integer, Operand, Symbol, Vector


def _sections() -> dict[str, list[str]]:
    """The lines of the table by target."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in (Path(__file__).parent / "lowerings.txt").read_text().splitlines():
        if line.startswith("# "):
            lines = found.setdefault(line[2:], [])
        elif line:
            lines.append(line)
    return found


SECTIONS = _sections()


def function(line: str, name: str) -> str:
    """The function of a line: its arguments, what it returns behind an arrow, and operations, of which the last is that; a
    `kernel` returns nothing.
    """
    head, _, body = line.partition(" =>")[0].partition(" :: ")
    if head.startswith("kernel "):
        lines = "\n".join(body.split("; "))
        return f"gpu.func @{name}({head.removeprefix('kernel ')}) kernel {{\n{lines}\ngpu.return\n}}"
    arguments, _, result = f" {head} ".partition(" -> ")
    result = result.strip()
    *first, last = body.split("; ")
    lines = "\n".join([*first, f"%r = {last}\nreturn %r : {result}" if result else f"{last}\nreturn"])
    return f"func.func @{name}({arguments}){f' -> {result}' if result else ''} {{\n{lines}\n}}"


def numbers(operand: Operand) -> list[str]:
    """The constants in an operand."""
    if isinstance(operand, Vector | Arguments):
        return [number for element in operand.elements for number in numbers(element)]
    return [str(operand)] if isinstance(operand, Integer | Float) else []


def steps(made: Function) -> str:
    """The instructions of a function: opcodes, the numbers they are given, and where in memory an address is behind another;
    those that move parameters only if they pass numbers.
    """
    found: list[str] = []
    for instruction in made.instructions():
        code = str(instruction.opcode)
        given = [number for operand in instruction.operands for number in numbers(operand)]
        if ".param" not in code:
            places = [part for part in instruction.operands if isinstance(part, Address | Symbol) and part.offset]
            given += [f"{place.offset:+}" for place in places]
        elif not given:
            continue
        if code != "ret":
            found.append(f"{code}({','.join(given)})" if given else code)
    return " ".join(found)


def compiled(lines: list[str], target: str) -> dict[str, str]:
    """The instructions of each line."""
    functions = "\n".join(function(line, f"f{place}") for place, line in enumerate(lines))
    module = weft.compile(f"gpu.module @m {{\n{functions}\n}}", target)
    made = {made.name: steps(made) for made in module.functions}
    return {line: made[f"f{place}"] for place, line in enumerate(lines)}


def refused(line: str, target: str) -> str:
    """Why a line cannot be compiled for a target."""
    with pytest.raises(weft.CompileError) as caught:
        compiled([line], target)
    return f"! {caught.value.message}" + (f" ({caught.value.hint})" if caught.value.hint else "")


@pytest.mark.parametrize("target", SECTIONS)
def test_instructions_of_operations(target: str) -> None:
    """Behind `!` it says why there are none."""
    wanted = {line: line.partition(" =>")[2].strip() for line in SECTIONS[target]}
    found = compiled([line for line in wanted if wanted[line][:1] != "!"], target)
    found |= {line: refused(line, target) for line in wanted if wanted[line][:1] == "!"}
    assert found == wanted
