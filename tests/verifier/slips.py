"""Further changes to whole modules: slips about meaning, each of which leaves a text that reads well.

`mutants` changes characters and tokens; here a name, a type, a signature or a number is another one, in one place or in all.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from functools import cache

from weft.isa import families
from weft.isa.registers import SPECIAL_REGISTERS
from weft.isa.registry import compiled_forms
from weft.ptx.sample import sample_statement, sample_variants

OPCODE = re.compile(r"(?<=[\s;])[a-z][a-z0-9_]*(?:\.[\w:]+)+(?=[\s;])")
STATEMENT = re.compile(r"^[ \t]*(?:@!?[%\w$]+[ \t]+)?[a-z][\w.:]*[^\n;{}]*(?:\{[^}\n]*\}[^\n;{}]*)*;", re.MULTILINE)
REGISTER = re.compile(r"%[a-z]+\d+(?![\w.])")
RANGE = re.compile(r"\.reg[ \t]+\.\w+[ \t]+[%\w$]+<(\d+)>;")
BODY = re.compile(r"^[^\n{};]*\.(?:entry|func)\b[^{};]*(\{.*?^\})", re.MULTILINE | re.DOTALL)
PARAMETER = re.compile(r"\.param[^,()\n]*?([\w$]+)(?:\[\d*\])?[ \t]*(?=[,)\n])")
NAME = re.compile(r"(?:\.(?:b|u|s|f)(?:8|16|32|64)|\.entry|\.func)[ \t]+([A-Za-z_$][\w$]*)")

_SIBLINGS = """
rn rz rm rp rna|lo hi wide|add min max and or xor inc dec exch cas|ca cg cs lu cv nc|cta cluster gpu sys|v2 v4 v8|x1 x2 x4 x8
eq ne lt le gt ge lo ls hi hs ltu equ neu num nan|global shared local const param|m8n8k4 m16n8k8 m16n8k16 m16n8k32 m16n8k64
shared::cta shared::cluster shared|weak relaxed acquire release volatile acq_rel sc|idx up down bfly|row col|1d 2d 3d 4d 5d a1d a2d cube
sync async|tile im2col|any all uni ballot|arrive wait sync red|b8 b16 b32 b64 b128|u8 u16 u32 u64|s8 s16 s32 s64|f16 bf16 f32 f64 tf32
f16x2 bf16x2 f32x2|e4m3 e5m2 e2m1 e2m3 e3m2 ue8m0|ftz sat relu satfinite|approx full|clamp wrap trap zero|uni aligned|load store
m64n8k16 m64n16k16 m64n64k16 m64n128k16 m64n256k16 m64n256k8|cta_group::1 cta_group::2|L1::no_allocate L1::evict_last L1::evict_first
L2::64B L2::128B L2::256B|mbarrier::complete_tx::bytes bulk_group|finite infinite normal notanumber|xorsign abs|p2 p4 b4e f4e rc8
"""
SIBLINGS = {
    word: group.split() for line in _SIBLINGS.split("\n") for group in line.split("|") for word in group.split()
}

STEMS = [
    "add",
    "sub",
    "mul",
    "mad",
    "div",
    "rem",
    "min",
    "max",
    "and",
    "or",
    "xor",
    "not",
    "neg",
    "abs",
    "shl",
    "shr",
    "mov",
    "ld",
    "st",
    "cvt",
    "cvta",
    "setp",
    "set",
    "selp",
    "popc",
    "clz",
    "brev",
    "bfe",
    "bfi",
    "prmt",
    "fma",
    "rcp",
    "sqrt",
    "rsqrt",
    "sin",
    "cos",
    "ex2",
    "lg2",
    "tanh",
    "atom",
    "red",
    "bar",
    "barrier",
    "vote",
    "shfl",
    "ldu",
    "ldmatrix",
    "mma",
    "wmma",
    "tex",
    "suld",
    "isspacep",
    "prefetch",
    "sad",
    "lop3",
    "shf",
    "dp4a",
    "testp",
    "copysign",
]
ODD_NAMES = [
    "add",
    "b32",
    "tid",
    "WARP_SZ",
    "_",
    "$",
    "%",
    "x.y",
    "1x",
    ".x",
    "entry",
    "%r1",
    "%tid",
    "ptr",
    "param",
    "ret",
    "e1",
    "0x1",
    "x-1",
    "L",
    "main",
    "__x",
    "a$b",
    "é",
    "_x",
    "$x",
    "%x",
    "u32",
    "align",
    "target",
    "sm_80",
    "texref",
    "if",
]
BLANKS = (
    "\t",
    "  ",
    "\n",
    "\r\n",
    "\f",
    "\v",
    "\u00a0",
    "\u3000",
    "\ufeff",
    "/**/",
    "//\n",
    "\\\n",
    "\0",
    "\x1a",
    "\r",
)
OFFSETS = [
    "+0",
    "+1",
    "+2",
    "+3",
    "+4",
    "+7",
    "+8",
    "+16",
    "+4096",
    "-1",
    "-4",
    "+-4",
    "+2147483647",
    "+2147483648",
    "-2147483648",
    "-2147483649",
    "+4294967296",
    "+0x10",
    "+010",
    "+4U",
    "+(2+2)",
    "+4+4",
    "*4",
]
SPACES = (".global", ".shared", ".local", ".const", ".param", ".reg", "")
HEADER_TARGETS = (
    "sm_80, debug", "sm_80, sm_90", "sm_90a, texmode_unified", "sm_80, texmode_independent", "sm_75, map_f64_to_f32", "compute_80", "sm_80a", "sm_100f",
    "sm_20", "sm_35", "SM_80", "sm_80 ", "80", "sm_103f", "sm_110a", "sm_121f", "sm_88", "sm_999", "debug", "sm_80,", "texmode_unified, sm_80",
    "sm_10", "sm_53", "sm_120f, debug",
)  # fmt: skip
VERSION_TEXTS = [
    "9.5",
    "9.6",
    "8.9",
    "8.8",
    "7.8",
    "6.0",
    "5.0",
    "3.0",
    "1.4",
    "2.0",
    "10.0",
    "8",
    "8.0.0",
    "08.0",
    "8.00",
    "7.80",
    "v8.0",
    "0.0",
    "99.0",
    "8,0",
    "-8.0",
    "9",
]
LINKAGES = (".visible ", ".extern ", ".weak ", ".common ", "", ".visible .weak ", ".extern .visible ", ".static ")

Change = Callable[[str, random.Random], str]


def _one(pattern: re.Pattern[str] | str, text: str, rng: random.Random) -> re.Match[str] | None:
    found = list(re.finditer(pattern, text))
    return rng.choice(found) if found else None


def _put(text: str, match: re.Match[str], new: str, group: int = 0) -> str:
    return text[: match.start(group)] + new + text[match.end(group) :]


def _replaced(pattern: re.Pattern[str] | str, choices: Sequence[str]) -> Change:
    """A change that puts one of some texts in place of a match."""

    def change(text: str, rng: random.Random) -> str:
        match = _one(pattern, text, rng)
        return text if match is None else _put(text, match, rng.choice(choices))

    return change


def modifier_sibling(text: str, rng: random.Random) -> str:
    match = _one(r"(?<=\.)(?:" + "|".join(sorted(SIBLINGS, key=len, reverse=True)) + r")(?=[.\s;])", text, rng)
    return text if match is None else _put(text, match, rng.choice(SIBLINGS[match.group()]))


def stem_sibling(text: str, rng: random.Random) -> str:
    match = _one(OPCODE, text, rng)
    return text if match is None else _put(text, match, rng.choice(STEMS) + "." + match.group().partition(".")[2])


def range_at_its_edge(text: str, rng: random.Random) -> str:
    match = _one(RANGE, text, rng)
    if match is None:
        return text
    count = int(match[1])
    return _put(text, match, str(rng.choice((count - 1, max(0, count - 2), 0, 1, count + 1, 1 << 20))), 1)


def vector_widened(text: str, rng: random.Random) -> str:
    """`.v2` and `.v4` with a vector of its length, which may be too long for the type."""
    match = _one(r"\.v([248])(\.\w+)([^;{}]*)\{([^{}\n]*)\}", text, rng)
    if match is None:
        return text
    count = rng.choice([n for n in (1, 2, 4, 8) if n != int(match[1])])
    elements = ([element.strip() for element in match[4].split(",")] * 8)[:count]
    return _put(text, match, f".v{count}{match[2]}{match[3]}{{{', '.join(elements)}}}")


def offset_changed(text: str, rng: random.Random) -> str:
    match = _one(r"\[([%\w$]+)(?:\+-?\w+)?\]", text, rng)
    return text if match is None else _put(text, match, f"[{match[1]}{rng.choice(OFFSETS)}]")


def parameter_of_other_function(text: str, rng: random.Random) -> str:
    names = [match[1] for match in PARAMETER.finditer(text)]
    match = _one(r"(?<=\[)[\w$]+(?=[+\]])", text, rng)
    return text if match is None or not names else _put(text, match, rng.choice(names))


def parameter_dropped(text: str, rng: random.Random) -> str:
    match = _one(PARAMETER, text, rng)
    return text if match is None else re.sub(r",\s*\)", "\n)", re.sub(r",(\s*,)", r"\1", _put(text, match, "")))


def parameters_swapped(text: str, rng: random.Random) -> str:
    match = _one(r"(\.(?:param|reg) [^,()\n]+)(,\s*)(\.(?:param|reg) [^,()\n]+)(?=\s*[,)])", text, rng)
    return text if match is None else _put(text, match, match[3] + match[2] + match[1])


def statement_of_other_function(text: str, rng: random.Random) -> str:
    one, other = _one(STATEMENT, text, rng), _one(STATEMENT, text, rng)
    return text if one is None or other is None else _put(text, one, f"{one.group()}\n{other.group()}")


def statement_of_table(text: str, rng: random.Random) -> str:
    """A statement of any form, legal somewhere, with the module's own registers where it has them."""
    match = _one(STATEMENT, text, rng)
    if match is None:
        return text
    declared = dict(re.findall(r"\.reg[ \t]+\.(\w+)[ \t]+([%\w$]+)<", text))
    prefixes = {"%p": "pred", "%rs": "b16", "%r": "b32", "%rd": "b64"}

    def own(found: re.Match[str]) -> str:
        return f"{declared.get(prefixes.get(found[1], ''), found[1])}{found[2]}"

    return _put(text, match, f"{match.group()}\n{re.sub(r'(%[a-z]+)([0-9]+)', own, rng.choice(_table()))};")


@cache
def _table() -> list[str]:
    return [
        sample_statement(variant)
        for stem in sorted(families())
        for form in compiled_forms(stem)
        for variant in list(sample_variants(form))[:4]
    ]


def name_made_odd(text: str, rng: random.Random) -> str:
    """A function, variable or parameter gets another name everywhere."""
    match = _one(NAME, text, rng)
    if match is None:
        return text
    new = rng.choice((*ODD_NAMES, *(found[1] for found in NAME.finditer(text))))
    return re.sub(rf"(?<![\w$%]){re.escape(match[1])}(?![\w$])", lambda _: new, text)


def label_dropped(text: str, rng: random.Random) -> str:
    match = _one(r"(?m)^[ \t]*[$\w]+:(?!:)", text, rng)
    return (
        text
        if match is None
        else _put(text, match, rng.choice(("", match.group() * 2, f"{match.group()}\n{match.group()}")))
    )


def label_of_other_function(text: str, rng: random.Random) -> str:
    labels = re.findall(r"(?m)^[ \t]*([$\w]+):(?!:)", text)
    names = [found[1] for found in NAME.finditer(text)]
    match = _one(r"(?<=bra)[.\w]*[ \t]+([$\w]+)(?=;)", text, rng)
    return text if match is None else _put(text, match, rng.choice((*labels, *names)), 1)


def bodies_swapped(text: str, rng: random.Random) -> str:
    one, other = _one(BODY, text, rng), _one(BODY, text, rng)
    if one is None or other is None or one.start() >= other.start():
        return text
    return text[: one.start(1)] + other[1] + text[one.end(1) : other.start(1)] + one[1] + text[other.end(1) :]


def body_dropped(text: str, rng: random.Random) -> str:
    match = _one(BODY, text, rng)
    return (
        text
        if match is None
        else _put(text, match, rng.choice((";", "", "{ }", "{ ret; }", "{ { ret; } }", "{ bra L; L: }")), 1)
    )


def functions_reordered(text: str, rng: random.Random) -> str:
    match = _one(BODY, text, rng)
    if match is None:
        return text
    start = re.search(r"\.address_size \d+\n|\.target[^\n]*\n", text)
    rest = _put(text, match, "")
    if rng.random() < 0.5 or start is None:
        return f"{rest}\n{match.group()}\n"
    return f"{rest[: start.end()]}{match.group()}\n{rest[start.end() :]}"


def declaration_moved(text: str, rng: random.Random) -> str:
    """A declaration stands after what uses it, or in another scope."""
    match = _one(
        r"(?m)^[ \t]*(?:\.(?:visible|weak|extern)[ \t]+)*\.(?:reg|local|shared|global|const)\b[^\n{}]*;\n", text, rng
    )
    if match is None:
        return text
    lines = _put(text, match, "").split("\n")
    lines.insert(rng.randrange(3, max(4, len(lines))), match.group().rstrip("\n"))
    return "\n".join(lines)


def name_shadowed(text: str, rng: random.Random) -> str:
    """A body declares again what is declared around it."""
    match, named = _one(r"\n\{\n", text, rng), _one(NAME, text, rng)
    if match is None or named is None:
        return text
    forms = (".reg .b32 {};", ".shared .b32 {};", ".local .b8 {}[8];", "{}:", ".param .b32 {};", ".reg .pred {}<4>;")
    return _put(text, match, f"\n{{\n{rng.choice(forms).format(named[1])}\n")


def linkage_changed(text: str, rng: random.Random) -> str:
    match = _one(
        r"(?m)^[ \t]*((?:\.(?:visible|extern|weak|common)[ \t]+)*)(?=\.(?:entry|func|global|shared|const)\b)", text, rng
    )
    return text if match is None else _put(text, match, rng.choice(LINKAGES), 1)


def kind_of_function(text: str, rng: random.Random) -> str:
    match = _one(r"\.(?:entry|func)\b", text, rng)
    return text if match is None else _put(text, match, ".func" if match.group() == ".entry" else ".entry")


def result_added(text: str, rng: random.Random) -> str:
    match = _one(r"\.(?:func|entry)(?=[ \t]+[A-Za-z_$(])", text, rng)
    forms = (
        "(.param .b32 zr)",
        "(.reg .b32 zr)",
        "(.param .b32 zr, .param .b32 zs)",
        "()",
        "(.param .align 8 .b8 zr[16])",
        "(.reg .pred zr)",
    )
    return text if match is None else _put(text, match, f"{match.group()} {rng.choice(forms)}")


def operand_of_other_kind(text: str, rng: random.Random) -> str:
    """A variable, function, label, parameter or special register in place of a register."""
    names = [found[1] for found in NAME.finditer(text)] + re.findall(r"(?m)^[ \t]*([$\w]+):(?!:)", text)
    match = _one(REGISTER, text, rng)
    return (
        text if match is None or not names else _put(text, match, rng.choice(names) + rng.choice(("", "", "+4", "[1]")))
    )


def special_changed(text: str, rng: random.Random) -> str:
    match = _one(r"%(?:n?tid|n?ctaid|laneid|warpid|clock\w*|lanemask\w*|cluster\w*)(?:\.[xyzw])?", text, rng)
    chosen = rng.choice(
        (*sorted(SPECIAL_REGISTERS), "%tid", "%tid.w", "%tid.r", "%ctaid.q", "%laneid.x", "%TID.x", "%envreg32", "%pm8")
    )
    return text if match is None else _put(text, match, chosen)


def space_changed(text: str, rng: random.Random) -> str:
    """An access, a `cvta` or a declaration is about another space."""
    match = _one(r"\.(?:global|shared|local|const|param|reg)\b(?!::)", text, rng)
    return text if match is None else _put(text, match, rng.choice(SPACES))


def vector_of_mixed_widths(text: str, rng: random.Random) -> str:
    match, other = _one(r"(?<=\{)[^{}\n,]+(?=[,}])|(?<=, )%\w+(?=\})", text, rng), _one(REGISTER, text, rng)
    return text if match is None or other is None else _put(text, match, other.group())


def predicate_changed(text: str, rng: random.Random) -> str:
    """Another predicate: negated, none, two of them, with `_`, or a register of another class."""
    match, other = _one(r"%p\d+", text, rng), _one(REGISTER, text, rng)
    if match is None or other is None:
        return text
    name = match.group()
    forms = (
        f"!{name}",
        f"{name}|{name}",
        f"{name}|_",
        f"_|{name}",
        other.group(),
        "!!" + name,
        "1",
        "0",
        "%p",
        f"{name}|%p999",
        f"-{name}",
    )
    return _put(text, match, rng.choice(forms))


def thing_repeated(text: str, rng: random.Random) -> str:
    """A whole function, variable or header line twice, at the end."""
    match = _one(
        r"(?m)^(?:\.(?:visible|weak|extern)[ \t]+)*\.(?:version|target|address_size|global|const|shared|extern|file)\b[^\n]*\n",
        text,
        rng,
    )
    return text if match is None else f"{text}\n{match.group()}"


def text_cut(text: str, rng: random.Random) -> str:
    return (
        text[: rng.randrange(len(text))]
        if rng.random() < 0.5
        else text + rng.choice(("}", "{", ";", ".", "x", "\0", "/*", "//", '"', ".func f()"))
    )


def debug_changed(text: str, rng: random.Random) -> str:
    match = _one(r"(?m)^[ \t]*\.(?:loc|file|section|pragma)\b([^\n]*)$", text, rng)
    forms = (
        " 1 2",
        " 0 0 0",
        " 99 1 1",
        " 1 -1 0",
        ' 1 "x"',
        ' 1 "x", 5',
        ' 1 "x", 5, 6',
        ' "x";',
        " 1 1 1, inlined_at 1 1 1",
        " x",
        "",
        ' 1 "',
        " 1 1 1 1",
        ' 0 "x"',
    )
    return text if match is None else _put(text, match, rng.choice(forms), 1)


def element_counts(text: str, rng: random.Random) -> str:
    """Extents, sizes and numbers of threads at the edge of what there is."""
    match = _one(r"(?<=[\w\]]\[)\d+(?=\])|(?<=tid )[ \t]*\d+|(?<=persm )\d+|(?<=maxnreg )\d+", text, rng)
    values = [
        "0",
        "1",
        "3",
        "255",
        "256",
        "1024",
        "1025",
        "2048",
        "49152",
        "49153",
        "65535",
        "65536",
        "65537",
        "232448",
        "232449",
        "2147483647",
        "2147483648",
        "4294967295",
        "4294967296",
    ]
    return text if match is None else _put(text, match, rng.choice(values))


def arguments_of_other_types(text: str, rng: random.Random) -> str:
    """What is between a call's braces: parameters of other types and sizes."""
    match = _one(r"(?m)^([ \t]*\.param (?:\.align \d+ )?)(\.\w+)( [\w$]+)(\[\d+\])?;", text, rng)
    if match is None:
        return text
    form = rng.choice(
        (
            "{0}{1}{2}[4];",
            "{0}{1}{2}[8];",
            "{0}.b8{2}[8];",
            "{0}.b64{2};",
            "{0}.f32{2};",
            "{0}.b16{2};",
            ".reg {1}{2};",
            "{0}{1}{2}[];",
            ".param .align 16 {1}{2}{3};",
        )
    )
    return _put(text, match, form.format(match[1], match[2], match[3], match[4] or ""))


def prototype_changed(text: str, rng: random.Random) -> str:
    match = _one(r"\.(?:callprototype|calltargets|branchtargets)\b[^;]*;", text, rng)
    if match is None:
        return text
    old = match.group()
    choices = (
        old[:-1],
        ".callprototype _ ();",
        old.replace(".param", ".reg"),
        old.replace("_", "x", 1),
        re.sub(r"\.b\d+", ".b16", old),
        ".calltargets nowhere;",
        ".branchtargets L;",
        old * 2,
    )
    return _put(text, match, rng.choice(choices))


KINDS: tuple[Change, ...] = (
    modifier_sibling, modifier_sibling, stem_sibling, range_at_its_edge, vector_widened, offset_changed, parameter_of_other_function,
    parameter_dropped, parameters_swapped, statement_of_other_function, statement_of_table, statement_of_table, name_made_odd, label_dropped,
    label_of_other_function, bodies_swapped, body_dropped, functions_reordered, declaration_moved, name_shadowed, linkage_changed,
    kind_of_function, result_added, operand_of_other_kind, special_changed, space_changed, vector_of_mixed_widths, predicate_changed,
    thing_repeated, text_cut, debug_changed, element_counts, arguments_of_other_types, prototype_changed,
)  # fmt: skip
REPLACED: dict[str, Change] = {
    "blank_odd": _replaced(r"(?<=[\w,;)}\]])[ \t\n]+(?=[\w%.\[{])", BLANKS),
    "header_target": _replaced(r"(?<=\.target )[^\n]+", HEADER_TARGETS),
    "header_version": _replaced(r"(?<=\.version )[\d.]+", VERSION_TEXTS),
    "address_size": _replaced(r"(?<=\.address_size )\d+", ("32", "16", "0", "128", "64.0", "0x40", "-64", "")),
    "pointer_attribute": _replaced(
        r"(?<=\.u64|\.b64)(?: \.ptr[^,)\n]*? )?(?= *[\w$]+[,\n])",
        (" .ptr ", " .ptr .global ", " .ptr .align 3 ", " .ptr .align 16 .global ", " .ptr .shared .align 4 ", " .ptr .local ", " .ptr .reg ", " .align 8 "),
    ),
}  # fmt: skip


def all_kinds() -> dict[str, Change]:
    """Every kind by its name."""
    return {**{kind.__name__: kind for kind in KINDS}, **REPLACED}
