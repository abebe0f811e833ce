"""PTX of two compilers made comparable: what an instruction does with the function's parameters.

Registers are replaced by where they come from: `a1.4` is the fourth byte on of parameter 1, `D(opcode sources)` the
result of an instruction.  Moves, conversions between integers and the like vanish into the names.
"""

from __future__ import annotations

import re

_FUNCTION = re.compile(r"\.(?:func|entry)\s*(?:\([^()]*\))?\s*(\w+)\s*\(([^()]*)\)[^{;]*\{")
_NO_RESULT = re.compile(
    r"(bar|barrier|fence|membar|nanosleep|setmaxnreg|pmevent|tcgen05\.(dealloc|relinquish|wait|fence)|cp\.async\.(bulk\.)?"
    r"(wait|commit)|wgmma\.(wait|fence|commit)|exit|griddepcontrol|brkpt)(?!.*\.red\b)"
)
_GLUE = re.compile(r"(st\.param|ld\.|ret|and|or|shl|shr|prmt|selp|setp|mul|bra|cvt\.[usb]\d+\.[usb]\d+)")


def bodies(ptx: str) -> dict[str, str]:
    """The body of each function."""
    text = re.sub(r"//.*", "", ptx)
    found: dict[str, str] = {}
    for match in _FUNCTION.finditer(text):
        depth, end = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        found[match[1]] = text[match.end() : end - 1]
    return found


def between_commas(text: str) -> list[str]:
    """What is between the commas of a text that are in no brackets."""
    parts, depth, current = list[str](), 0, ""
    for letter in text:
        depth += (letter in "{[(<") - (letter in "}])>")
        if letter == "," and not depth:
            parts.append(current.strip())
            current = ""
        else:
            current += letter
    return [*parts, current.strip()] if current.strip() else parts


class _Tracer:
    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.lines: list[str] = []

    def value(self, operand: str) -> str:
        return re.sub(r"%[a-zA-Z]\w*|\bbyte\b|\bresponse\b|\bp\b", lambda m: self.names.get(m[0], m[0]), operand)

    def statement(self, text: str) -> None:
        guard = ""
        guarded = re.match(r"@(!?)(%\w+) (.*)$", text)
        if guarded:
            guard, text = f"@{guarded[1]}{self.value(guarded[2])} ", guarded[3]
        opcode, _, rest = text.partition(" ")
        operands = between_commas(rest)
        if not self._glue(opcode, operands):
            self._instruction(guard, opcode, operands)

    def _glue(self, opcode: str, operands: list[str]) -> bool:
        """Take in an instruction that only moves a value."""
        if not operands:
            return False
        to, *sources = operands
        if opcode.startswith("ld.param"):
            place = re.match(r"\[\w+_param_(\d+)(?:\+(\d+))?\]", sources[0])
            if place:
                step = int(re.findall(r"\d+$", opcode)[0]) // 8
                for index, name in enumerate(re.findall(r"%\w+", to)):
                    self.names[name] = f"a{place[1]}.{int(place[2] or 0) + index * step}"
            return True
        if opcode.startswith("mov.") and to.startswith("{"):
            for index, name in enumerate(re.findall(r"%\w+", to)):
                self.names[name] = f"part{index}({self.value(sources[0])})"
            return True
        if opcode.startswith("mov.") and sources[0].startswith("{"):
            whole = self.value(sources[0])
            halves = re.match(r"\{part0\((.*)\), part1\((.*)\)\}$", whole)
            self.names[to] = halves[1] if halves and halves[1] == halves[2] else f"pack{whole}"
            return True
        same = (
            opcode.startswith(("mov.", "cvta"))
            or re.match(r"cvt\.[usb]\d+\.[usb]\d+", opcode)
            or (opcode.startswith("and.b") and sources[1] in ("1", "65535", "255"))
            or (opcode.startswith("setp.ne") and sources[1] == "0")
        )
        if same:
            self.names[to] = self.value(sources[0])
        elif opcode.startswith("selp") and sources[:2] == ["1", "0"]:
            self.names[to] = self.value(sources[2])
        return bool(same) or opcode.startswith("selp")

    def _instruction(self, guard: str, opcode: str, operands: list[str]) -> None:
        if not operands or operands[0].startswith("[") or _NO_RESULT.match(opcode):
            self.lines.append(f"{guard}{opcode} {', '.join(map(self.value, operands))}".strip())
            return
        scale = int(operands[2]) if opcode == "mad.lo.s32" and operands[2].isdecimal() else 0
        if scale and scale & (scale - 1) == 0:
            # Bits side by side: a sum is what `or` of a shift is.
            moved, rest = self.value(operands[1]), self.value(operands[3])
            self.names[operands[0]] = f"D(or {rest}, D(shl {moved}, {scale.bit_length() - 1}))"
            return
        sources = ", ".join(map(self.value, operands[1:]))
        names = re.findall(r"%\w+|\bbyte\b|\b_\b", operands[0])
        for index, name in enumerate(names):
            self.names[name] = f"D({opcode} {sources})" + (f"#{index}" if len(names) > 1 else "")
        self.lines.append(f"{guard}{opcode} D, {sources}")


def traced(body: str) -> list[str]:
    """The instructions of a body that do something, sorted, with their operands traced to the parameters."""
    tracer = _Tracer()
    for statement in body.split(";"):
        text = " ".join(statement.split())
        text = re.sub(r"^(?:[{}] ?|[$\w]+: ?)+", "", text)
        if text and not text.startswith("."):
            tracer.statement(text)
    return sorted(_normal(line) for line in tracer.lines if not _GLUE.match(line.split("@")[-1]))


def _normal(line: str) -> str:
    """Spellings of the same thing made one."""
    line = line.replace(".shared::cta", ".shared").replace("barrier.cta", "bar").replace("barrier.sync", "bar.sync")
    line = re.sub(r"0x([0-9a-fA-F]+)", lambda m: str(int(m[1], 16)), line)
    line = re.sub(r"part0\((a\d+)\.(\d+)\)", r"\1.\2", line)
    line = re.sub(r"part1\((a\d+)\.(\d+)\)", lambda m: f"{m[1]}.{int(m[2]) + 4}", line)
    line = re.sub(r"D\((or|shl|shr)\.b\d+", r"D(\1", line)
    line = re.sub(r",\s*", ", ", line.replace("} ]", "}]"))
    line = re.sub(r"(\.collector::a::\w+)\.ashift", r".ashift\1", line)
    if line.startswith("bar"):
        line = line.replace(".aligned", "")
    if line.startswith("cp."):
        line = re.sub(r"(\.L2::cache_hint)(\.cta_group::\d)", r"\2\1", line)
        line = line.replace(".tile.", ".").removesuffix(".tile").replace(".tile ", " ")
    if line.startswith("mbarrier."):
        line = re.sub(r"\.shared(?!::)", "", line)
        if ".arrive" in line:
            line = line.removesuffix(", 1")  # What a count is that is not given.
    if line.startswith("mapa."):
        line = line.replace(".u64", ".u32")
    return line
