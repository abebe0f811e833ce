"""Pages of the instruction table as Markdown: what a hover shows."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from weft.errors import WeftError
from weft.isa.directives import DIRECTIVES
from weft.isa.opcode import decode
from weft.isa.registers import SPECIAL_REGISTERS
from weft.isa.registry import stem_of
from weft.isa.types import TYPES

_MOST_FORMS = 4


@lru_cache(maxsize=256)
def opcode_page(written: str) -> str:
    """What an opcode is: its syntax, operands and windows, or what is wrong with it; empty for an unknown one."""
    from weft.view import manual

    opcode = decode(written)
    if opcode.problem is None:
        page = manual.page(written)
        return _opcode(page) if "syntax" in page else _family(page)  # `ret` is the name of a family, too.
    stem = stem_of(written)
    if stem is None:
        return ""
    page = manual.page(stem)
    hint = f" ({opcode.problem.hint})" if opcode.problem.hint else ""
    return f"{opcode.problem.message}{hint}\n\n---\n\n{_family(page)}"


def _opcode(page: dict[str, Any]) -> str:
    lines = [f"**{page['name']}**", page["summary"], f"```ptx\n{page['syntax']}\n```"]
    operands = [f"- `{one['name']}`: {one['is']}, {one['access']}" for one in page["operands"]]
    lines.append("\n".join(operands))
    lines.append("exists from " + " or ".join(page["exists"]) if page["exists"] else "")
    return _joined(lines, page["manual"])


def _family(page: dict[str, Any]) -> str:
    lines = [f"**{page['name']}**", page["summary"]]
    syntaxes = [form["syntax"] for form in page["forms"]]
    more = f"\n... {len(syntaxes) - _MOST_FORMS} more" if len(syntaxes) > _MOST_FORMS else ""
    lines.append("```ptx\n" + "\n".join(syntaxes[:_MOST_FORMS]) + more + "\n```")
    if page["semantics"]:
        lines.append(page["semantics"])
    if page["effects"]:
        lines.append(page["effects"])
    return _joined(lines, page["manual"])


def _joined(lines: list[str], manual: str) -> str:
    if manual:
        lines.append(f"[PTX manual]({manual})")
    return "\n\n".join(line for line in lines if line)


def word_page(word: str) -> str:
    """What a special register, a directive or a type is; empty for other words."""
    register = SPECIAL_REGISTERS.get(word)
    if register is not None:
        parts = f", with {', '.join(f'.{part}' for part in register.components)}" if register.components else ""
        return f"**{word}** `.{register.type}`{parts}\n\n{register.summary}\n\nexists from {register.window}"
    directive = DIRECTIVES.get(word)
    if directive is not None:
        lines = (f"**{word}**", directive.summary, f"```ptx\n{directive.syntax}\n```", f"allowed in: {directive.place}",
                 f"exists from {directive.window}")  # fmt: skip
        return "\n\n".join(lines)
    type_ = TYPES.get(word.lstrip("."))
    if type_ is not None and word.startswith("."):
        return f"**{word}** type of {type_.bits} bits"
    return ""


@lru_cache(maxsize=256)
def operation_page(name: str) -> str:
    """What an MLIR operation is: the PTX that it becomes, from the table; empty when nothing is known of it."""
    from weft.view import manual

    try:
        page = manual.page(name) if name.startswith(("nvvm.", "nvgpu.")) else None
    except WeftError:
        page = None
    if page is None:
        return _documented(name)
    if "reads" in page:
        return f"**{name}** reads `{page['reads']}`\n\n{page['summary']}"
    families = "\n\n".join(_family(one) for one in page["instructions"])
    return f"**{name}** becomes\n\n{families}"


def _documented(name: str) -> str:
    from weft.dialects.startup import load_xdsl

    load_xdsl()
    from weft.dialects.context import context

    found = context().get_optional_op(name)
    if found is None or not found.__doc__:
        return ""
    return f"**{name}**\n\n{' '.join(found.__doc__.split())}"
