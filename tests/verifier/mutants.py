"""Small changes to whole modules: 64 kinds, each of which a slip of a generator or of a hand would make."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from weft.isa.registers import SPECIAL_REGISTERS
from weft.isa.target import TARGETS, VERSIONS

TOKEN = re.compile(
    r'//[^\n]*|"[^"]*"|[%$A-Za-z_][\w$]*|\.[A-Za-z_]\w*(?:::\w+)*|0[fFdDxX][0-9A-Fa-f]+|\d+|\s+|.', re.DOTALL
)
STATEMENT = re.compile(
    r"^[ \t]*(?:@!?[%\w$]+[ \t]+)?[a-z][\w.:]*[^\n;{}]*(?:\{[^}\n]*\}[^\n;{}]*)*;[ \t]*$", re.MULTILINE
)
OPCODE = re.compile(r"(?<=[\s;])[a-z][a-z0-9_]*(?:\.[\w:]+)+(?=[\s;])")
REGISTER = re.compile(r"%[a-z]+\d+(?![\w.])")
ADDRESS = re.compile(r"\[[^\]\n{}]+\]")
INTEGER = re.compile(r"(?<![\w.%$\"])-?(?:0x[0-9A-Fa-f]+|\d+)(?![\w.\"])")
FLOAT = re.compile(r"\b0[fd][0-9A-Fa-f]+\b")
VECTOR = re.compile(r"\{[^{}\n]*\}")
DECLARATION = re.compile(r"^[ \t]*\.(?:reg|local|shared|global|const|param|visible|weak|extern)[^\n{}]*;", re.MULTILINE)
DIRECTIVE = re.compile(
    r"\.(?:maxntid|reqntid|maxnreg|minnctapersm|pragma|file|loc|visible|weak|extern|entry|func|align|address_size|ptr)\b[^\n,;{}()]*"
)
LABEL = re.compile(r"[$A-Za-z_][\w$]*(?=:(?!:))")
_TYPES = ".b8 .b16 .b32 .b64 .b128 .u8 .u16 .u32 .u64 .s8 .s16 .s32 .s64 .f16 .f16x2 .bf16 .f32 .f64 .pred .tf32"
TYPES = _TYPES.split()
_MODIFIERS = (
    ".rn .rz .rm .rp .rna .ftz .sat .satfinite .relu .approx .full .lo .hi .wide .uni .sync .aligned .volatile .relaxed .acquire "
    ".release .gpu .cta .sys .cluster .global .shared .local .const .param .ca .cg .cs .v2 .v4 .v8 .nc .row .col .add .min .max .xor "
    ".and .or .eq .ne .lt .ltu .num .L1::no_allocate .trap .clamp .wrap .NaN .to .idx .bfly .L2::128B .m16n8k16 .cc .async .noinc"
)
MODIFIERS = _MODIFIERS.split()
_LITERALS = (
    "0 1 -1 7 31 32 255 256 65536 0x7fffffff 4294967295 4294967296 9223372036854775808 18446744073709551615 99999999999999999999 "
    "0f3F800000 0d3FF0000000000000 1.0 1e400 0f3F80 0b101 010 08 WARP_SZ (1+2) -8 1U 1.0f 'a'"
)
LITERALS = _LITERALS.split()

_DIRECTIVES = """
.maxntid 128, 1, 1|.reqntid 32|.maxnreg 32|.pragma "nounroll";|.pragma "x"|.loc 1 1 1|.file 1 "x.c"|.noreturn|.visible
.align 4|.reg .b32 %zz;|.reg .b32 zz<3>;|.shared .b32 zs[4];|.global .b32 zg = 3;|.const .b32 zc;|.local .b32 zl;
.param .b32 zp;|.section .debug_str { .b8 0 }|.version 8.0|.address_size 64|.alias a, b;|.extern .func zf();
.entry ze() { ret; }|.branchtargets L;|.explicitcluster|.reqnctapercluster 2|.blocksareclusters
"""
DIRECTIVES = [directive for line in _DIRECTIVES.strip().splitlines() for directive in line.split("|")]

ALIGNMENTS = ("0", "1", "2", "3", "6", "16", "128", "256", "65536", "4294967296", "x")

Change = Callable[[str, random.Random], str]


def _one(pattern: re.Pattern[str], text: str, rng: random.Random) -> re.Match[str] | None:
    found = list(pattern.finditer(text))
    return rng.choice(found) if found else None


def _put(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


def _pieces(text: str) -> list[str]:
    return TOKEN.findall(text)


def _words(pieces: list[str]) -> list[int]:
    return [i for i, piece in enumerate(pieces) if not piece.isspace() and not piece.startswith("//")]


def token_dropped(text: str, rng: random.Random) -> str:
    pieces = _pieces(text)
    del pieces[rng.choice(_words(pieces))]
    return "".join(pieces)


def token_doubled(text: str, rng: random.Random) -> str:
    pieces = _pieces(text)
    i = rng.choice(_words(pieces))
    pieces.insert(i, pieces[i] + rng.choice(("", " ")))
    return "".join(pieces)


def tokens_swapped(text: str, rng: random.Random) -> str:
    pieces = _pieces(text)
    words = _words(pieces)
    at = rng.randrange(len(words) - 1)
    i, j = words[at], words[at + 1]
    pieces[i], pieces[j] = pieces[j], pieces[i]
    return "".join(pieces)


def token_of_elsewhere(text: str, rng: random.Random) -> str:
    pieces = _pieces(text)
    words = _words(pieces)
    pieces[rng.choice(words)] = pieces[rng.choice(words)]
    return "".join(pieces)


def statement_dropped(text: str, rng: random.Random) -> str:
    match = _one(STATEMENT, text, rng)
    return text if match is None else _put(text, match, "")


def statement_doubled(text: str, rng: random.Random) -> str:
    match = _one(STATEMENT, text, rng)
    return text if match is None else _put(text, match, f"{match.group()}\n{match.group()}")


def statement_moved(text: str, rng: random.Random) -> str:
    one, other = _one(STATEMENT, text, rng), _one(STATEMENT, text, rng)
    if one is None or other is None or one.start() == other.start():
        return text
    if other.start() < one.start():
        one, other = other, one
    end = other.end()
    return text[: one.start()] + text[one.end() : end] + "\n" + one.group() + text[end:]


def _modifiers(text: str, rng: random.Random, change: Callable[[list[str]], None]) -> str:
    match = _one(OPCODE, text, rng)
    if match is None:
        return text
    stem, *modifiers = match.group().split(".")
    change(modifiers)
    return _put(text, match, ".".join([stem, *modifiers]))


def modifier_dropped(text: str, rng: random.Random) -> str:
    return _modifiers(text, rng, lambda m: m.remove(rng.choice(m)))


def modifier_added(text: str, rng: random.Random) -> str:
    return _modifiers(text, rng, lambda m: m.insert(rng.randrange(len(m) + 1), rng.choice(MODIFIERS)[1:]))


def modifier_changed(text: str, rng: random.Random) -> str:
    def change(modifiers: list[str]) -> None:
        modifiers[rng.randrange(len(modifiers))] = rng.choice((*MODIFIERS, *TYPES))[1:]

    return _modifiers(text, rng, change)


def modifiers_reordered(text: str, rng: random.Random) -> str:
    return _modifiers(text, rng, rng.shuffle)


def modifier_misspelt(text: str, rng: random.Random) -> str:
    def change(modifiers: list[str]) -> None:
        i = rng.randrange(len(modifiers))
        word = modifiers[i]
        at = rng.randrange(len(word))
        modifiers[i] = word[:at] + rng.choice(("", word[at] * 2, "x", word[at].swapcase())) + word[at + 1 :]

    return _modifiers(text, rng, change)


def type_changed(text: str, rng: random.Random) -> str:
    def change(modifiers: list[str]) -> None:
        places = [i for i, word in enumerate(modifiers) if f".{word}" in TYPES]
        if places:
            modifiers[rng.choice(places)] = rng.choice(TYPES)[1:]

    return _modifiers(text, rng, change)


def opcode_of_elsewhere(text: str, rng: random.Random) -> str:
    one, other = _one(OPCODE, text, rng), _one(OPCODE, text, rng)
    return text if one is None or other is None else _put(text, one, other.group())


def register_of_other_class(text: str, rng: random.Random) -> str:
    one, other = _one(REGISTER, text, rng), _one(REGISTER, text, rng)
    return text if one is None or other is None else _put(text, one, other.group())


def register_undeclared(text: str, rng: random.Random) -> str:
    match = _one(REGISTER, text, rng)
    return text if match is None else _put(text, match, match.group() + rng.choice(("999", "_", ".x", "00")))


def register_to_literal(text: str, rng: random.Random) -> str:
    match = _one(REGISTER, text, rng)
    return text if match is None else _put(text, match, rng.choice(LITERALS))


def register_to_special(text: str, rng: random.Random) -> str:
    match = _one(REGISTER, text, rng)
    return text if match is None else _put(text, match, rng.choice(sorted(SPECIAL_REGISTERS)))


def literal_changed(text: str, rng: random.Random) -> str:
    match = _one(rng.choice((INTEGER, INTEGER, FLOAT)), text, rng)
    return text if match is None else _put(text, match, rng.choice(LITERALS))


def literal_to_register(text: str, rng: random.Random) -> str:
    one, other = _one(INTEGER, text, rng), _one(REGISTER, text, rng)
    return text if one is None or other is None else _put(text, one, other.group())


def operand_dropped(text: str, rng: random.Random) -> str:
    match = _one(re.compile(r",[ \t]*[^,;{}()\[\]\n]+(?=[,;])"), text, rng)
    return text if match is None else _put(text, match, "")


def operand_added(text: str, rng: random.Random) -> str:
    match, other = _one(re.compile(r"(?<=[\w\]}]);"), text, rng), _one(REGISTER, text, rng)
    return text if match is None or other is None else _put(text, match, f", {other.group()};")


def operands_swapped(text: str, rng: random.Random) -> str:
    match = _one(re.compile(r"([%\[][^,;{}()\n]+),([ \t]*)([%\[\d][^,;{}()\n]+)(?=[,;])"), text, rng)
    return text if match is None else _put(text, match, f"{match[3]},{match[2]}{match[1]}")


def vector_length(text: str, rng: random.Random) -> str:
    match = _one(VECTOR, text, rng)
    if match is None:
        return text
    elements = [element.strip() for element in match.group()[1:-1].split(",")]
    if rng.random() < 0.5:
        elements.pop()
    else:
        elements.append(rng.choice(elements))
    return _put(text, match, "{" + ", ".join(elements) + "}")


def vector_to_scalar(text: str, rng: random.Random) -> str:
    match = _one(VECTOR, text, rng)
    return text if match is None else _put(text, match, match.group()[1:-1].split(",")[0].strip() or "0")


def address_form(text: str, rng: random.Random) -> str:
    match = _one(ADDRESS, text, rng)
    if match is None:
        return text
    base = match.group()[1:-1].partition("+")[0]
    other = _one(REGISTER, text, rng)
    forms = (
        "[{}+4]",
        "[{}-4]",
        "[{}+-8]",
        "[{}+0x10]",
        "{}",
        "[{}+1.0]",
        "[{}][1]",
        "[[{}]]",
        "[{},4]",
        "[]",
        "[8]",
        "[{}+99999999999]",
    )
    named = re.findall(
        r"\.(?:global|shared|const|local|param)[^;=\n]*?([A-Za-z_$][\w$]*)(?:\[\d*\])?[ \t]*[;,)\n]", text
    )
    choices = [form.format(base) for form in forms] + [f"[{name}]" for name in named]
    if other is not None:
        choices += [f"[{other.group()}]", f"[{base}+{other.group()}]"]
    return _put(text, match, rng.choice(choices))


def guard_changed(text: str, rng: random.Random) -> str:
    match = _one(re.compile(r"@!?[%\w$]+"), text, rng)
    other = _one(REGISTER, text, rng)
    if match is None or rng.random() < 0.4:
        match = _one(re.compile(r"(?<=\n)[ \t]+(?=[a-z])"), text, rng)
        return text if match is None or other is None else _put(text, match, f"\t@{other.group()} ")
    chosen = (
        "",
        "@",
        "@!!%p1",
        f"@{other.group() if other else 'x'}",
        match.group().replace("@", "@!"),
        "@1",
        "@%tid.x",
        "@-%p1",
    )
    return _put(text, match, rng.choice(chosen))


def declaration_type(text: str, rng: random.Random) -> str:
    match = _one(DECLARATION, text, rng)
    if match is None:
        return text
    return _put(
        text, match, re.sub(r"\.(?:b|u|s|f)\d+\b|\.pred\b", lambda m: rng.choice(TYPES), match.group(), count=1)
    )


def declaration_changed(text: str, rng: random.Random) -> str:
    match = _one(DECLARATION, text, rng)
    if match is None:
        return text
    old = match.group()
    new = rng.choice((
        "", f"{old}\n{old}", re.sub(r"<\d+>", "<2>", old), re.sub(r"<\d+>", "", old), re.sub(r"\[\d*\]", "[]", old),
        re.sub(r"\[\d+\]", "[1]", old), re.sub(r"\.align \d+", ".align 3", old), re.sub(r"\.align \d+", "", old),
        re.sub(r"\.(global|shared|local|const|param|reg)\b", lambda m: rng.choice((".global", ".shared", ".local", ".const", ".param", ".reg")), old, count=1),
        old.replace(";", ""), re.sub(r"(\.(?:b|u|s|f)\d+)", r".v2 \1", old, count=1), old.replace(";", " = 1;"), old.replace(";", " = {1, 2};"),
    ))  # fmt: skip
    return _put(text, match, new)


def directive_changed(text: str, rng: random.Random) -> str:
    match = _one(DIRECTIVE, text, rng)
    if match is None:
        return text
    old = match.group()
    words = old.split()
    other = _one(DIRECTIVE, text, rng)
    new = rng.choice(
        (
            "",
            f"{old} {old}",
            words[0],
            f"{words[0]} 0",
            f"{words[0]} 4294967296",
            f"{words[0]} x",
            other.group() if other else "",
        )
    )
    return _put(text, match, new)


def parameter_changed(text: str, rng: random.Random) -> str:
    match = _one(re.compile(r"\.(?:param|reg) [^,()\n]+(?=[,)\n])"), text, rng)
    if match is None:
        return text
    old = match.group()
    new = rng.choice((
        old.replace(".param", ".reg"), old + "[4]", old + "[]", re.sub(r"\.[busf]\d+", lambda m: rng.choice(TYPES), old), "",
        f"{old}, {old}", old.replace(".param", ".param .align 16"), old.replace(".param", ".param .align 3"), f"{old}, .param .u32 added",
        re.sub(r"(\.[busf]\d+)", r"\1 .ptr .global .align 8", old),
    ))  # fmt: skip
    return _put(text, match, new)


def label_changed(text: str, rng: random.Random) -> str:
    labels = [match.group() for match in LABEL.finditer(text)]
    if not labels:
        return text
    match = _one(re.compile(rf"(?<![\w$])(?:{'|'.join(map(re.escape, labels))})(?![\w$])"), text, rng)
    assert match is not None
    return _put(text, match, rng.choice((*labels, "nowhere", match.group() + "x", "")))


def version_changed(text: str, rng: random.Random) -> str:
    return re.sub(
        r"(?<=\.version )\d+\.\d+|(?<=\.version\t)\d+\.\d+", str(rng.choice((*VERSIONS, "9.9", "5.7"))), text, count=1
    )


def target_changed(text: str, rng: random.Random) -> str:
    return re.sub(r"(?<=\.target )sm_\w+|(?<=\.target\t)sm_\w+", rng.choice(sorted(TARGETS)), text, count=1)


def call_changed(text: str, rng: random.Random) -> str:
    match = _one(re.compile(r"(?<=\n)[^\n]*\bcall[^;]*;"), text, rng)
    if match is None:
        return text
    old = match.group()
    other = _one(REGISTER, text, rng)
    new = rng.choice((
        re.sub(r"\([^()]*\)", "()", old, count=1), re.sub(r"\(([^()]+)\)", r"(\1, \1)", old, count=1), old.replace(".uni", ""),
        re.sub(r"\(([^()]+)\)(?=[^()]*$)", f"({other.group() if other else 5})", old), re.sub(r"\([^()]*\)[ \t]*,", "", old, count=1),
        re.sub(r"\(([^()]+)\)(?=[^()]*$)", "(5)", old), re.sub(r"(?<=[\s,])([A-Za-z_]\w+)(?=[\s,;])", "nowhere", old),
    ))  # fmt: skip
    return _put(text, match, new)


def initial_value_changed(text: str, rng: random.Random) -> str:
    match = _one(re.compile(r"=[ \t]*(?:\{[^{};]*\}|[^;,{}]+)(?=;)"), text, rng)
    if match is None:
        return text
    old = match.group()
    new = rng.choice((
        "", old + ", 1", "= 1", "= {1}", "= {}", "= 1.0", old.replace("{", "{1, "), old.replace("{", "{{").replace("}", "}}"),
        "= nowhere", "= 99999999999999999999", old.replace("}", ",}"), re.sub(r"\d+", "1.5", old, count=1), "= \"text\"",
    ))  # fmt: skip
    return _put(text, match, new)


def line_dropped(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    del lines[rng.randrange(len(lines))]
    return "\n".join(lines)


def lines_swapped(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    at = rng.randrange(max(1, len(lines) - 1))
    lines[at : at + 2] = lines[at : at + 2][::-1]
    return "\n".join(lines)


def line_moved(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    line = lines.pop(rng.randrange(len(lines)))
    lines.insert(rng.randrange(len(lines) + 1), line)
    return "\n".join(lines)


def line_commented(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    forms = ("//{}", "/*{}*/", "/* /* {} */", "/*{}", "{} */", "# {}", "{};")
    lines[at] = rng.choice(forms).format(lines[at])
    return "\n".join(lines)


def character_dropped(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text))
    return text[:at] + text[at + 1 :]


def character_added(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text))
    return text[:at] + rng.choice("%.,;:{}[]()<>+-*/!@#$_|~&?01239afxU \t\n\"'\\") + text[at:]


def punctuation_changed(text: str, rng: random.Random) -> str:
    match = _one(re.compile(r"[;,{}()\[\]<>:|@!+]"), text, rng)
    return text if match is None else _put(text, match, rng.choice(("", match.group() * 2, *";,{}()[]:|@!")))


def case_changed(text: str, rng: random.Random) -> str:
    match = _one(re.compile(r"\.?[A-Za-z]\w+"), text, rng)
    return text if match is None else _put(text, match, match.group().swapcase())


def blank_inside_opcode(text: str, rng: random.Random) -> str:
    match = _one(re.compile(r"(?<=\w)\.(?=[a-z])"), text, rng)
    return text if match is None else _put(text, match, rng.choice((" .", ". ", "/**/.", "\n.", "..", ":")))


def sign_added(text: str, rng: random.Random) -> str:
    match = _one(REGISTER, text, rng)
    return text if match is None else _put(text, match, rng.choice("-!~+&") + match.group())


def operand_thrown_away(text: str, rng: random.Random) -> str:
    match = _one(REGISTER, text, rng)
    return text if match is None else _put(text, match, "_")


def register_repeated(text: str, rng: random.Random) -> str:
    match = _one(VECTOR, text, rng)
    if match is None:
        return text
    elements = [element.strip() for element in match.group()[1:-1].split(",")]
    elements[rng.randrange(len(elements))] = rng.choice((elements[0], "1", "_", "1.0"))
    return _put(text, match, "{" + ", ".join(elements) + "}")


def label_with_offset(text: str, rng: random.Random) -> str:
    match = _one(re.compile(r"(?<=\bbra )[ \t]*[$\w]+|(?<=\bbra\.uni )[ \t]*[$\w]+"), text, rng)
    forms = ("{}+4", "[{}]", "{}x", "{}:", "({})")
    return text if match is None else _put(text, match, rng.choice(forms).format(match.group()))


def label_moved(text: str, rng: random.Random) -> str:
    match = _one(re.compile(r"^[ \t]*[$\w]+:(?!:)[ \t]*\n", re.MULTILINE), text, rng)
    if match is None:
        return text
    lines = _put(text, match, "").split("\n")
    lines.insert(rng.randrange(len(lines) + 1), match.group().strip())
    return "\n".join(lines)


def statement_outside(text: str, rng: random.Random) -> str:
    match = _one(STATEMENT, text, rng)
    if match is None:
        return text
    return _put(text, match, "") + f"\n{match.group()}\n"


def directive_added(text: str, rng: random.Random) -> str:
    match = _one(re.compile(r"(?<=\n)(?=[ \t]*[.{}\w$])"), text, rng)
    return text if match is None else _put(text, match, rng.choice(DIRECTIVES) + "\n")


def alignment_changed(text: str, rng: random.Random) -> str:
    match = _one(re.compile(r"(?<=\.align )[ \t]*\d+"), text, rng)
    return text if match is None else _put(text, match, rng.choice(ALIGNMENTS))


def extent_changed(text: str, rng: random.Random) -> str:
    match = _one(re.compile(r"(?<=\w)\[\d*\]"), text, rng)
    forms = ("", "[]", "[0]", "[1]", "[-1]", "[4][4]", "[x]", "[1.5]", "(4)", "[2+2]", "<4>")
    return text if match is None else _put(text, match, rng.choice(forms))


def scope_put_around(text: str, rng: random.Random) -> str:
    """Braces around some statements, the declarations among them included."""
    lines = text.split("\n")
    inside = [i for i, line in enumerate(lines) if line.rstrip().endswith(";") and line[:1] in " \t"]
    if not inside:
        return text
    first = rng.choice(inside)
    last = min(len(lines) - 1, first + rng.choice((0, 1, 3, 9)))
    return "\n".join([*lines[:first], "{", *lines[first : last + 1], "}", *lines[last + 1 :]])


def guard_elsewhere(text: str, rng: random.Random) -> str:
    """A guard before what is no instruction: a directive, a label, a brace, another guard."""
    match = _one(
        re.compile(r"^[ \t]*(?=\.(?:reg|loc|param|pragma|shared|local)\b|[$\w]+:|[{}@])", re.MULTILINE), text, rng
    )
    return text if match is None else _put(text, match, f"{match.group()}{rng.choice(('@%p1 ', '@!%p1 ', '@p '))}")


def types_swapped(text: str, rng: random.Random) -> str:
    """The two types of an opcode, `cvt.rn.f32.s32` say, change places."""
    pattern = re.compile(r"(\.[usfb]+(?:8|16|32|64))((?:\.[a-z_]\w*)*)(\.[usfb]+(?:8|16|32|64))(?=[\s;.])")
    match = _one(pattern, text, rng)
    return text if match is None else _put(text, match, match[3] + match[2] + match[1])


def bracket_changed(text: str, rng: random.Random) -> str:
    """Brackets of another kind around the same."""
    match = _one(re.compile(r"[\[{(]([^\[\]{}()\n]+)[\]})](?=[ ,;])"), text, rng)
    return (
        text
        if match is None
        else _put(text, match, rng.choice(("[{}]", "{{{}}}", "({})", "[{{{}}}]")).format(match[1]))
    )


def declared_name_changed(text: str, rng: random.Random) -> str:
    """A variable, parameter, function or register range has another name where it is declared, and not where it is used."""
    pattern = re.compile(r"(?:(?<=\.[bsuf](?:16|32|64) )|(?<=\.entry ))[%$A-Za-z_][\w$]*(?=\s*[<\[(,;)\n])")
    match = _one(pattern, text, rng)
    return text if match is None else _put(text, match, match.group() + rng.choice(("x", "0", "_", "$")))


def function_doubled(text: str, rng: random.Random) -> str:
    """A function, or its header alone, twice."""
    pattern = re.compile(r"^[^\n{}]*\.(?:entry|func)\b[^{};]*\{.*?^\}", re.MULTILINE | re.DOTALL)
    match = _one(pattern, text, rng)
    if match is None:
        return text
    head = match.group().partition("{")[0].rstrip() + ";"
    return _put(text, match, f"{rng.choice((head, match.group()))}\n{match.group()}")


def subspace_changed(text: str, rng: random.Random) -> str:
    """A state space says more, or less, than it did."""
    match = _one(re.compile(r"\.(?:shared|param|global)(?:::\w+)?(?=[. \t])"), text, rng)
    if match is None:
        return text
    return _put(
        text, match, match.group().partition("::")[0] + rng.choice(("::cta", "::cluster", "::entry", "::func", ""))
    )


def element_form(text: str, rng: random.Random) -> str:
    """An address as an element, a sum, or behind a sign."""
    match = _one(re.compile(r"\[([%$\w]+)(?:\+(-?\d+))?\]"), text, rng)
    if match is None:
        return text
    forms = (
        "{0}[{1}]",
        "{0}+{1}",
        "[{0}-{1}]",
        "[{1}+{0}]",
        "[{0}+{1}+4]",
        "[{0}[{1}]]",
        "[&{0}]",
        "[{0}+%r1]",
        "[({0})]",
    )
    return _put(text, match, rng.choice(forms).format(match[1], match[2] or "4"))


def literal_respelt(text: str, rng: random.Random) -> str:
    """The same number in another base or form, or nearly."""
    match = _one(re.compile(r"(?<=[ ,\[+])\d+(?=[\],;\s])"), text, rng)
    if match is None:
        return text
    value = int(match.group())
    forms = (
        hex(value),
        f"0{value:o}",
        bin(value),
        f"{value}U",
        f"{value}u",
        f"{value}.0",
        f"0X{value:X}U",
        f"({value})",
        f"+{value}",
    )
    return _put(
        text,
        match,
        rng.choice((*forms, f"- {value}", f"0f{value:08X}", f"{value}L", f"0{value}", f"~{value}", f"!{value}")),
    )


def header_moved(text: str, rng: random.Random) -> str:
    """A line of the header in another place of it, or twice."""
    found = list(re.finditer(r"^\.(?:version|target|address_size)[^\n]*\n", text, re.MULTILINE))
    if len(found) < 2:
        return text
    one, other = rng.sample(found, 2)
    kept = text if rng.random() < 0.3 else _put(text, one, "")
    return kept.replace(other.group(), rng.choice((one.group() + other.group(), other.group() + one.group())), 1)


KINDS: tuple[Change, ...] = (
    token_dropped, token_doubled, tokens_swapped, token_of_elsewhere, statement_dropped, statement_doubled, statement_moved,
    modifier_dropped, modifier_added, modifier_changed, modifiers_reordered, modifier_misspelt, type_changed, opcode_of_elsewhere,
    register_of_other_class, register_undeclared, register_to_literal, register_to_special, literal_changed, literal_to_register,
    operand_dropped, operand_added, operands_swapped, vector_length, vector_to_scalar, address_form, guard_changed, declaration_type,
    declaration_changed, directive_changed, parameter_changed, label_changed, version_changed, target_changed, call_changed,
    initial_value_changed, line_dropped, lines_swapped, line_moved, line_commented, character_dropped, character_added,
    punctuation_changed, case_changed, blank_inside_opcode, sign_added, operand_thrown_away, register_repeated,
    label_with_offset, label_moved, statement_outside, directive_added, alignment_changed, extent_changed,
    scope_put_around, guard_elsewhere, types_swapped, bracket_changed, declared_name_changed, function_doubled, subspace_changed,
    element_form, literal_respelt, header_moved,
)  # fmt: skip


def mutants(texts: list[str], count: int, seed: int) -> list[tuple[str, str]]:
    """`count` changed modules, each with its kind; every kind and every text comes as often as the others."""
    rng = random.Random(seed)
    found: list[tuple[str, str]] = []
    tried = 0
    while len(found) < count and tried < 20 * count:
        kind, text = KINDS[tried % len(KINDS)], texts[rng.randrange(len(texts))]
        tried += 1
        changed = kind(text, rng)
        if changed != text:
            found.append((kind.__name__, changed))
    return found
