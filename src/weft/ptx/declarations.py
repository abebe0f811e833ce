"""Declarations: registers, variables with initialisers, parameters, and attributes.

Sources: PTX manual, sections "Variables", "Parameterized Variable Names", "Initializers", "Variable and Function
Attribute Directive: .attribute", and ptxas where the manual is silent.
"""

from __future__ import annotations

import re
from dataclasses import replace

from weft.isa.types import DECLARABLE, TYPES
from weft.ptx.body_nodes import Parameter, PointerAttribute, RegisterDeclaration, Variable
from weft.ptx.constants import WARP_SIZE, integer_value, is_float, overflows
from weft.ptx.directive_nodes import Attribute
from weft.ptx.initializers import read_initializer
from weft.ptx.lexical import BLANK, BLANKS, DOT, IDENTIFIER, NAME, NUM, Cursor

SPACES = frozenset({".global", ".const", ".shared", ".local", ".param", ".tex"})
"""State spaces a variable may be declared in (`.reg` has its own statement)."""

LINKAGES = frozenset({".visible", ".extern", ".weak", ".common"})
"""Linkage directives."""

_VECTORS = frozenset({".v2", ".v4", ".v8"})
_ATTRIBUTES = frozenset({".managed", ".unified"})
_POINTER_SPACES = frozenset({".global", ".const", ".shared", ".local"})

_PLAIN_PARAMETER = re.compile(
    rf"{BLANK}\.param[ \t]+(?:\.align[ \t]+([1-9]\d{{0,8}})[ \t]+)?\.([a-z]\w*+)[ \t]+"
    rf"(?:\.ptr[ \t]+(?:\.(global|const|shared|local)[ \t]+)?(?:\.align[ \t]+([1-9]\d{{0,8}})[ \t]+)?)?"
    rf"({IDENTIFIER})(?:\[(0|[1-9]\d{{0,8}})\])?{BLANK}([,)])",
    re.ASCII,
)
_PLAIN_VARIABLE = re.compile(
    rf"\.(param|local|shared|global|const){BLANKS}(?:\.align{BLANKS}([1-9]\d{{0,8}}){BLANKS})?\.([a-z]\w*+){BLANKS}"
    rf"({IDENTIFIER})(?:\[(0|[1-9]\d{{0,8}})\])?{BLANK};",
    re.ASCII,
)
_PLAIN_REGISTER = re.compile(
    rf"\.reg{BLANKS}\.([a-z]\w*+){BLANKS}({IDENTIFIER})(?:<(0|[1-9]\d{{0,8}})>)?{BLANK};", re.ASCII
)


def small_integer(cursor: Cursor, what: str) -> int:
    """Step over an integer literal below 2**63 and return its value."""
    return natural(cursor, what, 63)


def number(cursor: Cursor, what: str = "a number") -> int:
    """Step over an integer and return its value, of which ptxas reads 64 bits."""
    if cursor.kind == NUM and not is_float(cursor.token) and not overflows(cursor.token):
        return integer_value(cursor.advance()) & 0xFFFF_FFFF_FFFF_FFFF
    return natural(cursor, what)


def natural(cursor: Cursor, what: str, bits: int = 64) -> int:
    """Step over an integer literal of at most so many bits, or `WARP_SZ`, and return its value."""
    if cursor.accept("WARP_SZ"):
        return WARP_SIZE
    if cursor.kind != NUM or is_float(cursor.token):
        cursor.fail(what)
    value = integer_value(cursor.token)
    if value >> bits:
        raise cursor.error("the number is too large", cursor.start, "", cursor.token, what)
    cursor.advance()
    return value


def alignment(cursor: Cursor, before: int = 0) -> int:
    """Step over an alignment, which is not 0, and return it; `before` is the one that it takes the place of."""
    if before & (before - 1):
        raise cursor.error(f"alignment {before} is not a power of two", cursor.start, "", str(before), "an alignment")
    start, token = cursor.start, cursor.token
    value = number(cursor, "an alignment")
    if value >> 63:  # Negative for ptxas, which then looks at 32 bits.
        value &= 0xFFFF_FFFF
    if value >> 32:
        raise cursor.error("the number is too large", start, "", token, "an alignment")
    if not value:
        raise cursor.error("an alignment of 0", start, "use a power of two", token, "an alignment")
    return value


def type_name(cursor: Cursor) -> str:
    """Step over a type such as `.b32` and return it without the dot."""
    if cursor.kind != DOT or cursor.token[1:] not in TYPES:
        cursor.fail("a type", "write a type such as .b32, .f64 or .pred" if cursor.kind == NAME else "")
    return cursor.advance()[1:]


def dimensions(cursor: Cursor) -> tuple[int, ...]:
    """Array extents `[4][5]`; an empty first extent is -1."""
    dims: list[int] = []
    while cursor.accept("["):
        if cursor.at("]") and not dims:
            dims.append(-1)
        else:
            dims.append(number(cursor, "an array extent"))
        cursor.expect("]")
    return tuple(dims)


def attribute_entries(cursor: Cursor) -> tuple[Attribute, ...]:
    """The entries of `.attribute(.managed, .unified(1, 2))`; the cursor is past `.attribute`."""
    entries: list[Attribute] = []
    cursor.expect("(")
    while True:
        if cursor.token not in _ATTRIBUTES:
            cursor.fail("an attribute such as .managed")
        name = cursor.advance()[1:]
        values: list[int] = []
        if cursor.accept("("):
            values.append(natural(cursor, "an integer"))
            while cursor.accept(","):
                values.append(natural(cursor, "an integer"))
            cursor.expect(")")
        entries.append(Attribute(name, tuple(values)))
        if not cursor.accept(","):
            cursor.expect(")")
            return tuple(entries)


def register_declaration(cursor: Cursor, pos: int) -> RegisterDeclaration:
    """A `.reg` statement up to its semicolon, which is left under the cursor; the cursor is past `.reg`."""
    vector = kind = ""
    while cursor.kind == DOT:
        if cursor.token == ".align" and not vector and not kind:
            cursor.advance()
            natural(cursor, "an alignment", 32)  # registers have no addresses: ptxas takes it and forgets it
        elif cursor.token in _VECTORS and not vector and not kind:
            vector = cursor.advance()[1:]
        elif not kind:
            kind = type_name(cursor)
        else:
            cursor.fail("a register name")
    if not kind:
        cursor.fail("a type")
    names: list[tuple[str, int]] = []
    more = not cursor.at(";")
    while more:
        name = cursor.identifier("a register name")
        count = _count(cursor)
        if count >= 0:
            names.append((name, count))
        more = cursor.accept(",")
    return RegisterDeclaration(kind, tuple(names), vector, pos)


def _count(cursor: Cursor) -> int:
    """The count of a parameterised name: 0 when there is none, -1 for `<0>`, which declares nothing."""
    if not cursor.accept("<"):
        return 0
    count = small_integer(cursor, "a count")
    cursor.expect(">")
    return count or -1


def plain_declaration(text: str, pos: int) -> tuple[RegisterDeclaration | Variable, int] | None:
    """A declaration in its most common form (one name, no initialiser) at an offset, and the offset after it."""
    match = _PLAIN_REGISTER.match(text, pos)
    if match is not None:
        if match[1] not in TYPES or (match[3] is not None and not int(match[3])):
            return None
        return RegisterDeclaration(match[1], ((match[2], int(match[3] or 0)),), "", pos), match.end()
    match = _PLAIN_VARIABLE.match(text, pos)
    if match is None or match[3] not in TYPES:
        return None
    space, align, kind, name, extent = match.groups()
    dims = (int(extent),) if extent else ()
    return Variable(space, kind, name, int(align or 0), "", dims, pos=pos), match.end()


def variables(cursor: Cursor, pos: int, linkage: str = "") -> list[Variable]:
    """A variable statement up to its semicolon, which is left under the cursor; one Variable for each name."""
    common = _qualifiers(cursor, linkage, pos)
    found: list[Variable] = []
    more = not cursor.at(";")
    while more:
        start = cursor.start if found else pos
        name = cursor.identifier("a variable name")
        count = _count(cursor)
        if count and cursor.at("["):
            cursor.fail("',' or ';'", f"'{name}<...>' can declare scalars and vectors, but not arrays")
        dims = dimensions(cursor)
        init = read_initializer(cursor) if cursor.accept("=") else None
        if count >= 0 or not _is_plain(common):
            found.append(replace(common, name=name, count=max(count, 0), dims=dims, initializer=init, pos=start))
        more = cursor.accept(",")
    return found


def _is_plain(variable: Variable) -> bool:
    """Whether variables may be declared so anywhere, which is looked at where `name<0>` declares none, too."""
    vector = variable.vector == "v8" or (variable.vector and variable.space == "param")
    return not vector and variable.type in DECLARABLE and variable.type != "pred"


def _qualifiers(cursor: Cursor, linkage: str, pos: int) -> Variable:
    """Space, alignment and attributes of a variable statement, in any order, then vector and type."""
    space = vector = kind = ""
    align = 0
    attributes: tuple[Attribute, ...] = ()
    while cursor.kind == DOT:
        token = cursor.token
        if (vector or kind) and (token in SPACES or token in (".align", ".attribute")):
            cursor.fail(
                "a variable name" if kind else "a type", f"{token} comes before {'the type' if kind else f'.{vector}'}"
            )
        if token in SPACES and not space:
            space = cursor.advance()[1:]
            if space == "const" and cursor.accept("["):  # an explicit bank, PTX 2.1 and before
                space = f"const[{small_integer(cursor, 'a constant bank')}]"
                cursor.expect("]")
        elif token == ".align":
            cursor.advance()
            align = alignment(cursor, align)
        elif token == ".attribute":
            cursor.advance()
            attributes += attribute_entries(cursor)
        elif token in _VECTORS and not vector and not kind:
            vector = cursor.advance()[1:]
        elif kind:
            cursor.fail("a variable name")
        else:
            kind = type_name(cursor)
    if not space:
        raise cursor.error(
            "the variable has no state space", pos, "such as .global, .shared or .local", kind, "a space"
        )
    if not kind:
        cursor.fail("a type")
    return Variable(space, kind, "", align, vector, (), None, linkage, attributes, 0, pos)


def parameters(cursor: Cursor, *, kernel: bool = False) -> list[Parameter]:
    """A parenthesised parameter list, when one is at the cursor; a `kernel`'s may have `.align` after the type."""
    found: list[Parameter] = []
    if not cursor.at("("):
        return found
    text, pos = cursor.text, cursor.end
    while True:
        match = _PLAIN_PARAMETER.match(text, pos)
        if match is not None and match[2] in TYPES:
            pos = match.end()
            found.append(_plain_parameter(match))
            if match[7] == ",":
                continue
            cursor.move(pos)
            return found
        cursor.move(pos)
        if not found and cursor.accept(")"):
            return found
        found.append(_parameter(cursor, kernel=kernel))
        if not cursor.at(","):
            cursor.expect(")", "unclosed parameter list" if cursor.at("{", ";", "") else "")
            return found
        pos = cursor.end


def _plain_parameter(match: re.Match[str]) -> Parameter:
    align, kind, space, pointer_align, name, extent, _ = match.groups()
    pointer = None
    if ".ptr" in match.group():
        pointer = PointerAttribute(space or "", int(pointer_align or 0))
    pos = match.string.index(".", match.start())
    return Parameter(kind, name, int(align or 0), (int(extent),) if extent else (), "", "param", pointer, pos)


def _parameter(cursor: Cursor, *, kernel: bool) -> Parameter:
    pos = cursor.start
    vector = kind = ""
    align = 0
    pointer = None
    while cursor.accept(".align"):
        align = alignment(cursor, align)
    space = cursor.token[1:]
    if not cursor.at(".param", ".reg"):
        cursor.fail("'.param' or '.reg'")
    cursor.advance()
    while cursor.kind == DOT:
        if cursor.token == ".align" and not vector and (kernel or not kind):
            cursor.advance()
            align = alignment(cursor, align)
        elif cursor.token in _VECTORS and not vector and not kind:
            vector = cursor.advance()[1:]
        elif cursor.token == ".ptr" and kind and pointer is None:
            pointer = _pointer(cursor)
        elif not kind:
            kind = type_name(cursor)
        else:
            cursor.fail("a parameter name", "write it before the type in a function" if cursor.at(".align") else "")
    if not kind:
        cursor.fail("a type")
    if cursor.kind != NAME or cursor.at("WARP_SZ"):
        cursor.fail("a parameter name")
    name = cursor.advance()
    return Parameter(kind, name, align, dimensions(cursor), vector, space, pointer, pos)


def _pointer(cursor: Cursor) -> PointerAttribute:
    cursor.advance()
    space = cursor.advance()[1:] if cursor.token in _POINTER_SPACES else ""
    align = 0
    if cursor.accept(".align"):
        align = alignment(cursor)
    return PointerAttribute(space, align)
