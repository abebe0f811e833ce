"""One instruction through every layer: records, opcode, label and flags, mnemonic, slots, operand groups, line."""

from __future__ import annotations

from typing import Any

from weft.errors import WeftError, counted
from weft.isa import decode
from weft.mc.asm_printer import AsmPrinter
from weft.mc.entries import OFFSET_MASK, TAIL_SHIFT, Item
from weft.mc.families import OPERAND_FAMILIES, SHAPES, load_store_label, operand_family, shape_family
from weft.mc.instruction import UNLISTED, MachineInstruction, Texts, encode, form_of
from weft.mc.layout import Group
from weft.mc.records import CLASS_SHIFT, PREFIXES, VIRTUAL_CLASSES, Kind, TypeTag
from weft.mc.tables import load
from weft.ptx.ast import Instruction
from weft.ptx.parser import parse
from weft.ptx.sample import sample_statement


def read_instruction(text: str) -> Instruction:
    """The instruction of a statement; operands are made up when only an opcode is given.

    Raises WeftError when the text is no statement, or the opcode is not in the table.
    """
    statement = text.strip().removesuffix(";")
    words = statement.partition(" ")[2].split() if statement.startswith("@") else statement.split()
    opcode = decode(words[0] if words else "")
    if opcode.problem is not None:
        raise WeftError(opcode.problem.message, hint=opcode.problem.hint)
    if statement == opcode.written:
        statement = sample_statement(opcode.variants[0])
    module = parse(f".version 9.0\n.target sm_100a\n.entry k()\n{{\n{statement};\n}}\n", filename="<instruction>")
    found = list(module.kernels[0].instructions())
    if len(found) != 1:
        raise WeftError(f"'{text}' is not one instruction")
    return found[0]


def explain(text: str) -> dict[str, Any]:
    """Every layer of an instruction, as data; raises WeftError when it is none (see `read_instruction`)."""
    instruction = read_instruction(text)
    texts, tables = Texts(), load()
    machine = encode(instruction, texts)
    if machine.opcode == UNLISTED:
        raise WeftError(f"no form of '{instruction.opcode.stem}' takes {counted(len(instruction.operands), 'operand')}")
    offset, companion, jump = map(int, tables.opcodes[machine.opcode].item())
    pooled, printer = offset & OFFSET_MASK, AsmPrinter(texts)
    form = form_of(machine.opcode)
    label = load_store_label(
        instruction.opcode.text,
        instruction.opcode.get("ss") or instruction.opcode.get("dst"),
        guarded=instruction.guard is not None,
    )
    return {
        "opcode": machine.opcode,
        "form": form.form.syntax,
        "label": jump >> 16,
        "flags": jump & 0xFFFF,
        "jump": jump,
        "mnemonic": {"offset": pooled, "tail": offset >> TAIL_SHIFT, "text": tables.chunk(pooled)},
        "companion": companion,
        "shape family": SHAPES[shape_family(form)],
        "operand family": f"{operand_family(form)}: {OPERAND_FAMILIES[operand_family(form)]}",
        "load/store label": label,
        "items": [_item(item, jump & 0xFFFF, machine) for item in tables.items[int(jump) >> 16]],
        "records": [_record(row.tolist(), printer) for row in machine.records()],
        "groups": [_group(records, printer) for records in machine.operands if records[0][0] == Kind.GROUP],
        "line": printer.line(machine),
    }


def _item(item: tuple[int, int, int, int], flags: int, machine: MachineInstruction) -> dict[str, Any]:
    """What an item of the body writes, and from where."""
    kind, a, b, c = item
    tables = load()
    name = Item(kind).name.lower().replace("_", " ")
    match kind:
        case Item.LITERAL:
            return {"item": name, "writes": tables.chunk(c), "from": f"pool offset {c}"}
        case Item.FLAG_MODIFIER:
            token = tables.chunk(tables.helpers[c][flags >> a & (1 << b) - 1])
            where = f"flag bits {a}..{a + b - 1}" if b else "its only token"
            return {"item": name, "writes": token, "from": f"{where}, helper {c}"}
        case Item.MODIFIER:
            choice = machine.operands[a][0][2]
            return {"item": name, "writes": tables.chunk(tables.helpers[c][choice]), "from": f"operand {a}, helper {c}"}
        case Item.OPERAND | Item.OPTIONAL:
            written = a < len(machine.operands)
            return {"item": name, "writes": f"operand {a}" if written else "", "from": "records"}
        case _:
            return {"item": name, "writes": "", "from": "offset table"}


def _record(row: tuple[int, int, bytes, int], printer: AsmPrinter) -> dict[str, Any]:
    kind, tag, _, value = row
    meaning = ""
    if kind == Kind.REGISTER and value >> CLASS_SHIFT:
        meaning = f"{PREFIXES[value >> CLASS_SHIFT]} ({VIRTUAL_CLASSES[(value >> CLASS_SHIFT) - 1].name})"
    elif kind == Kind.GROUP:
        meaning = f"{Group(value & 0xFF).name.lower()} of {value >> 16}"
    elif kind != Kind.IMMEDIATE:
        meaning = printer.operand(((kind, tag, value),))
    return {"kind": Kind(kind).name, "type": TypeTag(tag).name, "value": value, "meaning": meaning}


def _group(records: tuple[tuple[int, int, int], ...], printer: AsmPrinter) -> dict[str, Any]:
    value, registers = records[0][2], [r for r in records if r[0] == Kind.REGISTER]
    classes = dict.fromkeys(PREFIXES[r[2] >> CLASS_SHIFT] or "named" for r in registers if r[2])
    return {
        "group": Group(value & 0xFF).name.lower(),
        "members": value >> 16,
        "classes": " ".join(classes),
        "type": TypeTag(records[0][1]).name,
        "printed": printer.operand(records),
    }
