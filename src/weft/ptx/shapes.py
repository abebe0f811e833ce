"""The shapes of statements: what is left when numbers that do not matter are made equal.

Compilers repeat few kinds of statements: `add.s32 %r17, %r4, %r9;` and `add.s32 %r3, %r2, %r2;` differ in the numbers
of registers only, and are one shape, whose text is `add.s32 %r0, %r0, %r0;`.  A text with equal numbers is a statement
again, so that the grammar judges a shape by reading its text, once; a statement is then known to be well formed by the
look-up of its shape.  What is made equal is of one lexical kind, and nothing in the grammar asks for its value: numbers
after the names of registers and labels (`%r17`, `$L__BB3_2`), hexadecimal floats, offsets of addresses, the places of
`.loc`, and the contents of comments.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Set
from itertools import accumulate, compress
from operator import not_
from typing import NamedTuple

from weft.errors import PtxSyntaxError
from weft.isa.registers import SPECIAL_REGISTERS
from weft.ptx.ast import Block, Function, Instruction, Label, RegisterDeclaration, Statement, Variable
from weft.ptx.body import BodyReader
from weft.ptx.directive_nodes import Loc, SourceLocation
from weft.ptx.lexical import BLANKS, IDENTIFIER, skip
from weft.ptx.operands import (
    Address,
    Arguments,
    Expression,
    Float,
    Integer,
    Negated,
    Operand,
    Pair,
    Register,
    Sink,
    Symbol,
    Vector,
)
from weft.ptx.scopes import Scope

_COMMENT = re.compile(r"//[^\n\";*/#\0]++")
"""The contents of a comment, up to what could end a statement, a string or a comment of the other kind."""

_NUMBER = r"(?:0|[1-9]\d{0,8})"
_LOC = re.compile(
    rf"\.loc[ \t]++({_NUMBER}[ \t]++{_NUMBER}[ \t]++{_NUMBER}"
    rf"(?:,[ \t]*+function_name[ \t]++{IDENTIFIER}(?:\+{_NUMBER})?,"
    rf"[ \t]*+inlined_at[ \t]++{_NUMBER}[ \t]++{_NUMBER}[ \t]++{_NUMBER})?)[ \t\r]*+(?://)?\n",
    re.ASCII,
)
_PLACE = SourceLocation(1, 1, 1)
_ONE_LOC = ".loc 1 1 1\n"
_FLOAT = re.compile(r"0f[0-9A-Fa-f]{8}(?!\w)", re.ASCII)
_DOUBLE = re.compile(r"0d[0-9A-Fa-f]{16}(?!\w)", re.ASCII)
_OFFSET = re.compile(r"\+-?(?:0|[1-9]\d{0,15}+)\]", re.ASCII)
_ONE_FLOAT, _ONE_DOUBLE, _ONE_OFFSET = "0f00000000", "0d0000000000000000", "+4]"
_REGISTER = re.compile(r"(%(?<![\w$%.].)[A-Za-z_]++(?:0|[1-9]\d{0,8}+))(?![\w.$%])", re.ASCII)
"""A numbered register: `%r007` and `%r99999999999` are not, but names of their own."""

_RANGE = re.compile(r"(\.reg[ \t]++\.\w++[ \t]++%[A-Za-z_]++<)([1-9]\d{0,8})(?=>[ \t]*+;)", re.ASCII)
"""A range of registers: `.reg .b32 %r<` and its count."""

_LABEL = re.compile(r"(\$(?<![\w$%.].)[A-Za-z_]++)(\d++(?:_\d++)?)(?![\w.$%])", re.ASCII)
"""A label that ends in a number, or in two: what is before the number of it, and the number."""
_LAST_NUMBER = re.compile(r"\d+(?:_\d+)?\Z", re.ASCII)

_NONE: Set[str] = frozenset()
_ALONE = re.compile(r'["#]|/\*')
_BEFORE = re.compile(rf"(?:{BLANKS}|//[^\n]*+\n|[{{}}]|{IDENTIFIER}[ \t]*+:(?!:)|\.loc[ \t][^\n;]*+\n)*+", re.ASCII)
"""What is before a statement: blanks, braces, labels, places."""

_BRACE = re.compile(r"//[^\n]*+\n|([{}])")
NUMBERED = re.compile(r"[%$][A-Za-z_]++0", re.ASCII)
"""A numbered name in the text of a shape."""

_EQUAL = re.compile(rf"{NUMBERED.pattern}(?!\w)|{_ONE_FLOAT}|{_ONE_DOUBLE}|{re.escape(_ONE_OFFSET)}", re.ASCII)

_MOST = 1 << 16  # Shapes that are remembered.
_LONGEST = 1 << 16  # Characters of a statement that is worth it.
_DEEPEST = 50
_PIECE = 1 << 15  # Characters of a body that are made equal at a time.
_MOST_NUMBERED = 10_000  # Registers of a range that are looked up by name, whatever a body names.


class Shape:
    """What statements of one shape have in common.

    `instruction` is the one instruction that is all there is beside labels and `.loc`, when all names in it are
    numbered or special registers, or numbered labels; anything else is `special`: a declaration, a directive, a
    brace, a call, a name. `declares` says that it is none of instructions alone, two of which say no more than one.
    `block` has the scope of several texts (`scoped_shape`), `passed` its variables in .param space, `callees` what
    stands in it for the functions that it calls, `inside` its numbered labels, which are taken out, `names` what it
    declares. `labels` and `locs` count; `closes` and `opens` are the scopes that end and begin, `behind` the offset
    behind the last that ends, `head` that of the first that begins (-1 where they alternate); `ranges` says that
    registers are declared in ranges, `blurred` that literals were made equal; `count` is the number of texts.
    """

    __slots__ = (
        "behind",
        "block",
        "blurred",
        "callees",
        "closes",
        "count",
        "declares",
        "head",
        "inside",
        "instruction",
        "labels",
        "locs",
        "names",
        "opens",
        "passed",
        "ranges",
        "special",
        "starts",
    )

    def __init__(
        self, statements: Iterable[Statement], text: str, closes: int = 0, opens: int = 0, *, special: bool = False
    ) -> None:
        self.labels = self.locs = 0
        self.instruction: Instruction | None = None
        self.count = 1
        self.head = self.behind = -1
        self.passed: Set[str] = _NONE
        self.callees: tuple[str, ...] = ()
        self.inside: Set[str] = _NONE
        self.names: Set[str] = _NONE
        self.starts: list[int] = []
        self.block: tuple[Statement, ...] = ()
        self.closes, self.opens = closes, opens
        self.ranges = self.declares = False
        self.special = special or bool(closes or opens)
        self.blurred = _ONE_FLOAT in text or _ONE_DOUBLE in text or _ONE_OFFSET in text
        for statement in statements:
            if type(statement) is Instruction:
                if self.instruction is None and _is_plain(statement):
                    self.instruction = statement
                else:
                    self.special = True
            elif type(statement) is Label and is_numbered_label(statement.name):
                self.labels += 1
            elif type(statement) is Loc:
                self.locs += 1
            else:
                self.special = self.declares = True
                self.ranges = self.ranges or (
                    isinstance(statement, RegisterDeclaration) and any(count for _, count in statement.names)
                )
        if self.special:
            self.instruction = None

    def index(self, pos: int) -> int:
        """Which of the texts an offset of `block` is in."""
        return bisect_right(self.starts, pos) - 1 if self.starts else 0


def is_numbered_label(name: str) -> bool:
    """Whether a label in the text of a shape is a numbered one."""
    return name[0] == "$" and NUMBERED.fullmatch(name) is not None


def mentions_numbers(text: str) -> bool:
    """Whether a text has something that was made equal."""
    return _EQUAL.search(text) is not None


def scope_start(text: str, pos: int) -> int:
    """Where the first scope begins that the statement at an offset opens."""
    return next(place for place in _braces(text, pos) if text[place] == "{")


def scope_end(text: str, pos: int) -> int:
    """Where the last scope ends that the statement at an offset closes."""
    closed = pos
    for place in _braces(text, pos):
        if text[place] == "{":
            break
        closed = place + 1
    return closed


def _braces(text: str, pos: int) -> list[int]:
    before = _BEFORE.match(text, pos)
    end = before.end() if before is not None else pos
    return [match.start() for match in _BRACE.finditer(text, pos, end) if match[1]]


def statement_start(text: str, pos: int) -> int:
    """Where the statement behind blanks, braces, labels and places at an offset starts."""
    before = _BEFORE.match(text, pos)
    return skip(text, pos if before is None else before.end())


def _is_plain(instruction: Instruction, names: Set[str] = _NONE) -> bool:
    """Whether all names in an instruction are numbered, or some known ones, and it is no call."""
    guard = instruction.guard
    if instruction.opcode.written.startswith("call") or (guard and not _is_numbered(guard.register, names)):
        return False
    return all(_is_numbered(operand, names) for operand in instruction.operands)


def _is_numbered(operand: Operand, names: Set[str]) -> bool:
    """Whether all names of an operand are numbered: what they are follows from the ranges that are declared."""
    if isinstance(operand, Register):
        name = operand.name
        return NUMBERED.fullmatch(name) is not None or name in SPECIAL_REGISTERS or operand.base in names
    if isinstance(operand, Integer | Float | Sink | Expression):
        return True
    if isinstance(operand, Address):
        parts = (operand.base, *operand.rest)
        own = isinstance(operand.base, Register) or (isinstance(operand.base, Symbol) and operand.base.name in names)
        return own and all(_is_numbered(part, names) for part in parts)
    if isinstance(operand, Vector | Arguments):
        return all(_is_numbered(element, names) for element in operand.elements)
    if isinstance(operand, Pair):
        return _is_numbered(operand.first, names) and _is_numbered(operand.second, names)
    if isinstance(operand, Negated):
        return _is_numbered(operand.operand, names)
    if not isinstance(operand, Symbol) or operand.offset or operand.zero:
        return False
    return operand.name in names or NUMBERED.fullmatch(operand.name) is not None


_CALLED = re.compile(rf"(\bcall(?:\.uni)?\s+(?:\([^()]*+\)\s*,\s*)?)({IDENTIFIER})(?=\s*[,;])", re.ASCII)
_CALLEE = "_$weft$callee"
"""What the functions become that a scope calls: scopes that pass the same are checked once for callees that take it."""

Scoped = tuple[Shape, tuple[str, ...]]
"""The shape of a scope, and the functions that it calls in the order of `callees`."""

_RUNS: dict[str, Scoped | None] = {}
_SCOPED: dict[str, Shape | None] = {}
_SHAPES: dict[str, Shape | None] = {}
"""Every shape that was met, by its text without the semicolon; None for what is not well formed, or not understood."""


def counted(text: str, ranges: Iterable[tuple[str, int]]) -> str | None:
    """A text of shapes with the counts of its ranges; None where it has others."""
    counts = [str(count) for _, count in ranges]
    parts = _RANGE.split(text)
    if len(parts) // 3 != len(counts):
        return None
    parts[2::3] = counts
    return "".join(parts)


class Blurred(NamedTuple):
    """A body with equal numbers: its statements' texts, and what was taken out of them.

    `outside` are numbered registers that are in none of `ranges`, `labels` the names of numbered labels, `defined`
    those before a colon, `used` the others, `targets` what is left of these; `locations` are the arguments of each
    `.loc`, `ranges` each range of registers and its count. The last text is what is after the last semicolon.
    """

    texts: list[str]
    outside: frozenset[str]
    labels: frozenset[str]
    defined: tuple[str, ...]
    used: frozenset[str]
    targets: tuple[str, ...]
    locations: list[str]
    ranges: tuple[tuple[str, int], ...]


def prefix_of(name: str) -> str:
    """What is before the number of a register's name."""
    return name.rstrip("0123456789")


class _Zeros(dict[str, str]):
    """Names of a body's numbered registers to what is left of them; `strays` are in no range met before them."""

    def __init__(self) -> None:
        self.strays: set[str] = set()

    def __missing__(self, name: str) -> str:
        self.strays.add(name)
        left = self[name] = f"{prefix_of(name)}0"
        return left


_NUMBERED: dict[str, list[str]] = {}
"""The names of registers by their prefix."""


def outside(
    names: set[str] | frozenset[str], ranges: Iterable[tuple[str, int]], most: int = _MOST_NUMBERED
) -> frozenset[str]:
    """The numbered names that are in none of some ranges, whose first so many are looked up."""
    known = [_numbered(prefix, min(count, most)) for prefix, count in ranges] if names else ()
    return frozenset(names.difference(*known))


def _numbered(prefix: str, count: int) -> list[str]:
    """The first so many names of a range; made once, as making and hashing them is what looking names up costs."""
    if sum(map(len, _NUMBERED.values())) > _MOST:
        _NUMBERED.clear()
    known = _NUMBERED.setdefault(prefix, [])
    if len(known) < count:
        known += map(prefix.__add__, map(str, range(len(known), count)))
    return known[:count]


def label_text(name: str) -> str:
    """What is left of a numbered label: `$Lt_0` of `$Lt_0_12`."""
    return _LAST_NUMBER.sub("0", name)


class _Blurring:
    """Takes texts of statements, one after another."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.texts: list[str] = []
        self.zeros = _Zeros()
        self.defined: list[str] = []
        self.used: set[str] = set()
        self.locations: list[str] = []
        self.ranges: list[tuple[str, int]] = []

    def take(self, text: str) -> None:
        """Make numbers equal in the text of some statements."""
        if "//" in text:
            text = _COMMENT.sub("//", text)
        if ".loc" in text:
            parts = _LOC.split(text)
            self.locations += parts[1::2]
            text = _ONE_LOC.join(parts[::2])
        if "0f" in text or "0d" in text:
            text = _DOUBLE.sub(_ONE_DOUBLE, _FLOAT.sub(_ONE_FLOAT, text))
        if ".reg" in text:
            parts = _RANGE.split(text)
            prefixes = [part[part.rindex("%") : -1] for part in parts[1::3]]
            ranges = list(zip(prefixes, map(int, parts[2::3]), strict=True))
            self.ranges += ranges
            parts[2::3] = "1" * len(prefixes)
            text = "".join(parts)
            for prefix, count in ranges:
                self.zeros.update(dict.fromkeys(_numbered(prefix, min(count, self.most)), f"{prefix}0"))
        parts = _REGISTER.split(_OFFSET.sub(_ONE_OFFSET, text))
        parts[1::2] = map(self.zeros.__getitem__, parts[1::2])
        text = "".join(parts)
        if "$" in text:
            text = self._labels(text)
        self.texts += text.split(";")

    def _labels(self, text: str) -> str:
        parts = _LABEL.split(text)
        labels = list(map(str.__add__, parts[1::3], parts[2::3]))
        ends = [behind[:1] == ":" for behind in parts[3::3]]
        self.defined += compress(labels, ends)
        self.used.update(compress(labels, map(not_, ends)))
        parts[2::3] = ["0"] * (len(parts) // 3)
        return "".join(parts)


def blurred(text: str) -> Blurred:
    """The texts of the shapes of all statements of a body.

    Nothing that is made equal has a semicolon in it, so that a large body is taken in pieces, as memory is.
    """
    found = _Blurring(_MOST_NUMBERED + len(text) // 8)
    start = 0
    while (end := text.find(";", start + _PIECE)) >= 0:
        found.take(text[start : end + 1])
        found.texts.pop()
        start = end + 1
    found.take(text[start:] if start else text)
    beyond = outside(found.zeros.strays, found.ranges, found.most)
    targets = tuple(sorted(set(map(label_text, found.used))))
    labels = frozenset(found.defined) | found.used
    return Blurred(
        found.texts, beyond, labels, tuple(found.defined), frozenset(found.used), targets, found.locations,
        tuple(found.ranges),
    )  # fmt: skip


def shapes_of(texts: Iterable[str]) -> dict[str, Shape] | None:
    """The shape of each of some texts of statements without semicolons; None when one of them has none."""
    if len(_SHAPES) > _MOST:
        _SHAPES.clear()
    wanted = list(dict.fromkeys(texts))
    shapes = list(map(_SHAPES.get, wanted))
    if None in shapes:
        _learn([text for text in wanted if text not in _SHAPES])
        shapes = list(map(_SHAPES.get, wanted))
    found = {text: shape for text, shape in zip(wanted, shapes, strict=True) if shape is not None}
    return found if len(found) == len(wanted) else None


def last_shape(text: str) -> Shape | None:
    """The shape of what is after the last semicolon of a body."""
    key = f"{text};}}"  # No statement's text has a semicolon.
    if key not in _SHAPES:
        _SHAPES[key] = _read_alone(text)
    return _SHAPES[key]


def scoped_shape(text: str) -> Scoped | None:
    """The shape of a run of statements from the one that opens a scope to the one that closes it, and its callees.

    None where it cannot be judged alone: a name in it is declared outside, or not numbered and declared elsewhere.
    """
    if text not in _RUNS:
        if len(_RUNS) > _MOST:
            _RUNS.clear()
            _SCOPED.clear()
        _RUNS[text] = _scoped(text) if len(text) < _LONGEST else None
    return _RUNS[text]


def _stand_ins(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """A text with others in the places of the functions that it calls, these, and the functions."""
    parts = _CALLED.split(text)
    callees = tuple(parts[2::3])
    stand_ins = tuple(f"{_CALLEE}{number}" for number in range(len(callees)))
    parts[2::3] = stand_ins
    return "".join(parts), stand_ins, callees


def _scoped(text: str) -> Scoped | None:
    key, stand_ins, callees = _stand_ins(text) if "call" in text else (text, (), ())
    if key not in _SCOPED:
        _SCOPED[key] = _closed_scope(key, stand_ins)
    shape = _SCOPED[key]
    return None if shape is None or not shape.names.isdisjoint(callees) else (shape, callees)


def _closed_scope(text: str, callees: tuple[str, ...]) -> Shape | None:
    body = _statements(f"{{{text}}}")
    if body is None or len(body) != 1 or not isinstance(body[0], Block):
        return None
    block, passed = body[0], _Passed()
    inside = {inner.name for inner in block.body if isinstance(inner, Label) and is_numbered_label(inner.name)}
    if inside:
        block.body[:] = [i for i in block.body if not (isinstance(i, Label) and i.name in inside)]
    names = {inner.name for inner in block.body if isinstance(inner, Label)}
    if not _is_closed(block, passed, names, set(callees)):
        return None
    shape = Shape((), text)
    shape.count = text.count(";") + 1
    shape.starts = list(accumulate(map(len, text.split(";")), lambda at, size: at + size + 1, initial=1))
    shape.block = (block,)
    shape.inside, shape.names, shape.callees = inside, frozenset(names), callees
    shape.passed = frozenset(passed.names)
    return shape


class _Passed:
    """The variables of a scope in .param space, and those among them that a call has returned."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.returned: set[str] = set()


def _is_closed(block: Block, passed: _Passed, names: set[str], callees: Set[str]) -> bool:
    """Whether a scope means the same wherever it stands, where its callees are the same and no formal parameter is
    named as a variable of it; `names` are its labels, and then all that it declares.
    """
    for inner in block.body:
        if isinstance(inner, RegisterDeclaration):
            if any(count or name[0] in "%$" for name, count in inner.names):
                return False
            names.update(name for name, _ in inner.names)
        elif isinstance(inner, Variable):
            if inner.space != "param" or inner.count or inner.name[0] in "%$":
                return False
            names.add(inner.name)
            passed.names.add(inner.name)
        elif isinstance(inner, Instruction):
            if inner.opcode.written.startswith("call"):
                if not _is_direct(inner, names, passed, callees):
                    return False
            elif not _is_plain(inner, names) or not _is_returned(inner, passed):
                return False
        elif not isinstance(inner, Label | Loc):
            return False
    return not any(name[0] == "$" and NUMBERED.fullmatch(name) for name in names)


def _is_direct(call: Instruction, names: Set[str], passed: _Passed, callees: Set[str]) -> bool:
    """Whether a call is of a function that is named, with operands of its scope."""
    guard = call.guard
    lists = [operand for operand in call.operands if isinstance(operand, Arguments)]
    others = [operand for operand in call.operands if not isinstance(operand, Arguments)]
    callee = others[0] if len(others) == 1 else None
    if not isinstance(callee, Symbol) or callee.offset or callee.zero or callee.name not in callees:
        return False
    if (guard and not _is_numbered(guard.register, names)) or not all(_is_numbered(one, names) for one in lists):
        return False
    if lists and call.operands[0] is lists[0]:
        passed.returned.update(one.name for one in lists[0].elements if isinstance(one, Symbol))
    return callee.name not in names


def _is_returned(instruction: Instruction, passed: _Passed) -> bool:
    """Whether a load of a variable in .param space is of what a call before it has returned."""
    if not instruction.opcode.written.startswith("ld.param"):
        return True
    bases = (operand.base for operand in instruction.operands if isinstance(operand, Address))
    return all(base.name in passed.returned for base in bases if isinstance(base, Symbol))


def _learn(texts: list[str]) -> None:
    """Read new shapes: most of them together, as one body; up to the first that has none."""
    calls = {text: _stand_ins(text)[0] for text in texts if "call" in text}
    new = [text for text in dict.fromkeys(calls.get(text, text) for text in texts) if text not in _SHAPES]
    together = [text for text in new if _is_whole(text)]
    if len(together) > 1:
        _read_together(together)
    for text in new:
        if text not in _SHAPES:
            found = _SHAPES[text] = _read_alone(f"{text};") if len(text) < _LONGEST else None
            if found is None:
                break
    _SHAPES.update((text, _SHAPES[key]) for text, key in calls.items() if key in _SHAPES)


def _is_whole(text: str) -> bool:
    """Whether all scopes that a text opens, it closes, and it hides none of the text around it."""
    opening = text.find("{")
    whole = opening < 0 > text.find("}") or (text.find("}") > opening >= 0 and text.count("{") == text.count("}"))
    return whole and _ALONE.search(text) is None


def _read_together(texts: list[str]) -> None:
    """Read texts as one body, and share its statements out; nothing when a text has no statement of its own."""
    statements = _statements("{" + ";".join(texts) + ";}")
    if statements is None:
        return
    starts = list(accumulate(map(len, texts), lambda at, size: at + size + 1, initial=1))
    shares: list[list[Statement]] = [[] for _ in texts]
    for statement in statements:
        if isinstance(statement, Block):
            return
        shares[bisect_right(starts, statement.pos) - 1].append(statement)
    if all(share and not isinstance(share[-1], Label | Loc) for share in shares):
        _SHAPES.update((text, Shape(share, text)) for text, share in zip(texts, shares, strict=True))


def _read_alone(text: str) -> Shape | None:
    """The shape of one text, which may close and open scopes before its statement."""
    before = _BEFORE.match(text)
    depth = lowest = 0
    places = [match.start() for match in _BRACE.finditer(before.group() if before is not None else "") if match[1]]
    braces = "".join(map(text.__getitem__, places))
    for brace in braces:
        depth += 1 if brace == "{" else -1
        lowest = min(lowest, depth)
    closes, opens = -lowest, depth - lowest
    if max(closes, opens) > _DEEPEST:
        return None
    body = _statements("{" * (closes + 1) + text + "}" * (opens + 1))
    if body is None:
        return None
    inside = list(Function("", kernel=False, body=body).walk())
    scoped = any(isinstance(statement, Block) for statement in inside)
    shown = (statement for statement in inside if not isinstance(statement, Block))
    shape = Shape(shown, text, closes, opens, special=scoped)
    if "{}" not in braces:
        shape.behind = places[closes - 1] + 1 if closes else 0
        shape.head = places[closes] if opens else len(text)
    return shape


def _statements(text: str) -> list[Statement] | None:
    """The statements of a body that is all of a text; None when it is malformed, or declares something outside."""
    reader, body = BodyReader(text, ""), list[Statement]()
    try:
        end = reader.read(0, body, Scope())
    except PtxSyntaxError:
        return None
    if end != len(text) - 1 or reader.outer:
        return None
    for statement in Function("", kernel=False, body=body).walk():
        if type(statement) is Loc and statement.location != _PLACE:
            return None  # Written in a way that `_LOC` does not know.
    return body
