"""Write `weft/ptx/build/families.pyi`: a method of the builder for each family, with its slots and their tokens.

Editors complete and check them. `make`, and the build of a wheel, write it; git does not have it.
"""

from __future__ import annotations

from pathlib import Path

from weft.isa.registry import compiled_forms, families
from weft.ptx.build.families import attributes

TARGET = Path(__file__).parent.parent / "src" / "weft" / "ptx" / "build" / "families.pyi"

_HEAD = """# Written by scripts/builder_stub.py from the table of instructions.
# ruff: noqa
from typing import Literal

from weft.ptx.ast import Guard, Instruction
from weft.ptx.build.operands import Given
from weft.ptx.operands import Register

def attributes() -> dict[str, str]: ...
def family_of(name: str) -> str: ...
"""

_OPERANDS = "self, *operands: Given, guard: Register | Guard | None = None"


def slots(stem: str) -> dict[str, str]:
    """The slots of a family, in the order of its syntax, each with its type."""
    tokens: dict[str, dict[str, None]] = {}
    optional: dict[str, bool] = {}
    forms = compiled_forms(stem)
    for form in forms:
        for element in form.elements:
            if element.slot:
                tokens.setdefault(element.slot, {}).update(dict.fromkeys(element.tokens))
                optional[element.slot] = optional.get(element.slot, True) and element.optional
    found: dict[str, str] = {}
    for name, known in tokens.items():
        literal = f"Literal[{', '.join(repr(token) for token in (*known, ''))}]"
        found[name] = f"{literal} | bool" if len(known) == 1 else literal
    return found


def methods(result: str) -> list[str]:
    """The methods of one class."""
    lines: list[str] = []
    for name, stem in sorted(attributes().items()):
        if stem == "call":  # `BodyBuilder.call` is another one: it passes values as the ABI has it.
            continue
        named = "".join(f", {slot}: {type_} = ..." for slot, type_ in slots(stem).items())
        lines.append(f"    def {name}({_OPERANDS}{named}) -> {result}:")
        lines.append(f"        {families()[stem].summary!r}")
    return lines


def stub() -> str:
    """The whole file."""
    parts = [_HEAD]
    for name, result in (("Statements", "Instruction"), ("Results", "Register")):
        emit = f"    def emit(self, family: str, /, {_OPERANDS[6:]}, **slots: str | bool) -> {result}: ..."
        parts += [f"class {name}:", emit, *methods(result), ""]
    return "\n".join(parts)


def write() -> None:
    """Write the file, if it is to be another."""
    text = stub()
    if not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text:
        TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
