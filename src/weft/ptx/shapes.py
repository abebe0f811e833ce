"""The shapes of statements: what is left when numbers that do not matter are made equal (`weft.ptx.blurring`).

Compilers repeat few kinds of statements: `add.s32 %r17, %r4, %r9;` and `add.s32 %r3, %r2, %r2;` differ in the numbers
of registers only, and are one shape, whose text is `add.s32 %r0, %r0, %r0;`.  A text with equal numbers is a statement
again, so that the grammar judges a shape by reading its text, once; a statement is then known to be well formed by the
look-up of its shape.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Set
from itertools import accumulate

from weft.errors import PtxSyntaxError
from weft.isa.registers import SPECIAL_REGISTERS
from weft.patterns import pattern
from weft.ptx.ast import Block, Function, Instruction, Label, RegisterDeclaration, Statement, Variable
from weft.ptx.blurring import NUMBERED, ONE_DOUBLE, ONE_FLOAT, ONE_OFFSET, ONE_PLACE, is_numbered_label
from weft.ptx.body import BodyReader
from weft.ptx.directive_nodes import Loc
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

_NONE: Set[str] = frozenset()
_ALONE = re.compile(r'["#]|/\*')
_BEFORE = pattern(rf"(?:{BLANKS}|//[^\n]*+\n|[{{}}]|{IDENTIFIER}[ \t]*+:(?!:)|\.loc[ \t][^\n;]*+\n)*+", re.ASCII)
"""What is before a statement: blanks, braces, labels, places."""

_BRACE = re.compile(r"//[^\n]*+\n|([{}])")
_MOST = 1 << 16  # Shapes that are remembered.
_LONGEST = 1 << 16  # Characters of a statement that is worth it.
_DEEPEST = 50


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
        self.special = special
        self.blurred = ONE_FLOAT in text or ONE_DOUBLE in text or ONE_OFFSET in text
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
    whole = text.count("{") == text.count("}") and text.find("{") <= text.find("}")
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
        if type(statement) is Loc and statement.location != ONE_PLACE:
            return None  # Written in a way that `_LOC` does not know.
    return body
