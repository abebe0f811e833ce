"""Bodies that nobody has looked at: known to be well formed, and read into statements when somebody looks.

A body is well formed when every statement's shape is (`weft.ptx.shapes`) and its braces match.  What a compiler writes
has few shapes, so that this is several times faster than making the statements, of which most users look at a few
functions or, as the verifier, at none.  A body that the shapes do not explain is read at once, and every mistake is
found, and worded, by the reader of statements.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Container, Iterator
from itertools import accumulate, compress, count
from typing import TYPE_CHECKING

from weft.ptx.ast import Function, Statement
from weft.ptx.blurring import blurred, counted
from weft.ptx.lexical import closing
from weft.ptx.plain import Recognised
from weft.ptx.scopes import Scope
from weft.ptx.shapes import Scoped, Shape, last_shape, scope_end, scope_start, scoped_shape, shapes_of

if TYPE_CHECKING:
    from weft.ptx.body import BodyReader

_MOST_SCOPES = 1000
_PARAMETER = "[_$weft$param_"
"""What the names of a function's parameters become: the shapes of their loads are those of other functions'."""
_NUMBERED_DEPOT = re.compile(r"__local_depot(?<![\w$%.]__local_depot)\d++(?![\w$%])", re.ASCII)
_DEPOT = "_$weft$depot"
_DECLARATION = re.compile(r"(?<![\w:])\.(?:reg\b[^;]*+%|(?:shared|const|global|local)\b)", re.ASCII)
"""What counts, or takes memory, each time that it is declared in a scope."""


class Outline(Recognised):
    """What is known of a body before it is read.

    `order` says for each statement which of `kinds` is its shape; a scope that means the same everywhere is one, and
    None for its others. `shapes` are those of single instructions, and of scopes that mean the same everywhere,
    `calls` those of scopes that do with functions of the same prototypes as these; `depot` is the one local array
    that is named as compilers number it, which is not in the texts; `reduced` is the text of all other statements,
    in which numbers, counts and the names of parameters are made equal (`rest` has these two as they are). `ranges`
    are the ranges of registers with their counts, `outside` the numbered registers that are in none of them;
    `labels` are the numbered labels that occur, `defined` those that are as labels, `used` those that are
    elsewhere, and `targets` what these are in `reduced`; `locations` are the arguments of each `.loc`. `late` says
    that an instruction is before a declaration of registers, `scoped` that there are inner scopes.
    """

    __slots__ = (
        *(
            "calls",
            "defined",
            "depot",
            "kinds",
            "labels",
            "late",
            "locations",
            "order",
            "outside",
            "own",
            "ranges",
            "reduced",
            "scoped",
            "shapes",
            "targets",
            "used",
        ),
    )

    def __init__(self, bodies: BodyReader, opening: int, end: int) -> None:
        super().__init__(bodies, opening, end)
        self.order = array("I")
        self.kinds: tuple[Shape | None, ...] = ()
        self.shapes: frozenset[Shape] = frozenset()
        self.calls: frozenset[Scoped] = frozenset()
        self.reduced = self.own = self.depot = ""
        self.ranges: tuple[tuple[str, int], ...] = ()
        self.outside: frozenset[str] = frozenset()
        self.labels: frozenset[str] = frozenset()
        self.used: frozenset[str] = frozenset()
        self.targets: tuple[str, ...] = ()
        self.defined: tuple[str, ...] = ()
        self.locations: tuple[str, ...] = ()
        self.late = self.scoped = False

    def rest(self) -> str | None:
        """The text of what is no instruction alone; None where it has other ranges than the body."""
        return counted(self.reduced.replace(_PARAMETER, self.own) if self.own else self.reduced, self.ranges)

    def occurrences(self, shapes: Container[Shape]) -> Iterator[tuple[Shape, tuple[int, ...]]]:
        """Where some shapes are: the offset of each of their texts, and that after the last."""
        inside = self.bodies.text[self.opening + 1 : self.end]
        starts = list(accumulate(map(len, inside.split(";")), lambda at, size: at + size + 1, initial=self.opening + 1))
        wanted = {number: shape for number, shape in enumerate(self.kinds) if shape is not None and shape in shapes}
        for index in compress(count(), map(wanted.__contains__, self.order)):
            shape = wanted[self.order[index]]
            offsets = starts[index : index + shape.count + 1]
            text = self.bodies.text
            if shape.block:
                offsets[0], offsets[-1] = scope_start(text, offsets[0]), scope_end(text, offsets[-2])
            elif self.scoped:
                offsets[0] = scope_end(text, offsets[0])
            yield shape, tuple(offsets)

    def find_location(self, arguments: str) -> int:
        """The offset of the first `.loc` with some arguments."""
        text = self.bodies.text
        return text.rfind(".loc", self.opening, text.find(arguments, self.opening, self.end))

    def statements(self, start: int, stop: int) -> list[Statement]:
        """The statements between two offsets of the text."""
        body: list[Statement] = []
        self.bodies.alone(f"{{{self.bodies.text[start:stop]}}}").read(0, body, Scope())
        for statement in Function("", kernel=False, body=body).walk():
            statement.pos += start - 1
        return body


def outlined(bodies: BodyReader, opening: int, name: str) -> Outline | None:
    """The outline of the body whose brace is at `opening`; None when it must be read to know whether it is one.

    `name` is the function's: compilers number its parameters after it.
    """
    text = bodies.text
    end = closing(text, opening)
    if end == -1:
        return None
    outline = Outline(bodies, opening, end)
    written, own = text[opening + 1 : end], f"[{name}_param_"
    named = own in written and _PARAMETER not in written
    if named:
        written = written.replace(own, _PARAMETER)
    depots = set(_NUMBERED_DEPOT.findall(written)) if "__local_depot" in written else ()
    if len(depots) == 1 and _DEPOT not in written:
        outline.depot = depots.pop()
        written = _NUMBERED_DEPOT.sub(_DEPOT, written)
    inside = blurred(written)
    texts = inside.texts
    ending = texts.pop()
    last = last_shape(ending)
    counts = Counter(texts)
    shapes = shapes_of(counts)
    if last is None or shapes is None:
        return None
    labels, locs = last.labels, last.locs
    scoped, begun = bool(last.closes or last.opens), False
    for shape, times in zip(shapes.values(), counts.values(), strict=True):
        if shape.special:
            scoped = scoped or bool(shape.closes or shape.opens)
            begun = begun or shape.opens > 0
            outline.late = outline.late or (begun and shape.ranges)
        else:
            begun = True
        labels += shape.labels * times
        locs += shape.locs * times
    outline.scoped = scoped
    if outline.scoped and not _nested(texts, shapes, last):
        return None
    outline.outside, outline.ranges, outline.own = inside.outside, inside.ranges, own if named else ""
    outline.labels, outline.defined = inside.labels, inside.defined
    outline.used, outline.targets = inside.used, inside.targets
    # A label or `.loc` that no shape accounts for is inside something that the grammar reads otherwise, such as a
    # string.
    if labels != len(outline.defined) or locs != len(inside.locations):
        return None
    outline.locations = tuple(dict.fromkeys(inside.locations))
    numbers = {text: number for number, text in enumerate(shapes)}
    outline.order = array("I", map(numbers.__getitem__, texts))
    rest = _take_rest(outline, texts, shapes)
    if rest or outline.scoped:
        outline.reduced = ";".join([*rest, ending])
    return outline


def _nested(texts: list[str], shapes: dict[str, Shape], last: Shape) -> bool:
    """Whether braces match."""
    depth = 0
    for text in filter({text for text, shape in shapes.items() if shape.closes or shape.opens}.__contains__, texts):
        shape = shapes[text]
        if depth < shape.closes or depth > _MOST_SCOPES:
            return False
        depth += shape.opens - shape.closes
    return depth == last.closes and not last.opens


def _scopes(texts: list[str], shapes: dict[str, Shape]) -> Iterator[tuple[int, int]]:
    """Where runs of statements start and stop that begin with a scope's opening, and end with its closing."""
    braced = {text for text, shape in shapes.items() if shape.closes or shape.opens}
    depth = start = 0
    for index in compress(range(len(texts)), map(braced.__contains__, texts)):
        shape = shapes[texts[index]]
        if not depth:
            start = index
        depth += shape.opens - shape.closes
        if not depth:
            yield start, index + 1
    if depth:
        yield start, len(texts)


def _closed(texts: list[str], shapes: dict[str, Shape], start: int, stop: int) -> list[tuple[int, Scoped]] | None:
    """The scopes of a run with where they begin, and the statement behind the last; None where one is not closed."""
    found: list[tuple[int, Scoped]] = []
    depth = first = 0
    shape = None
    for index in range(start, stop):
        shape = shapes[texts[index]]
        if not (shape.closes or shape.opens):
            continue
        if shape.behind < 0:
            return None
        depth -= shape.closes
        if shape.closes and not depth:
            run = [texts[first][shapes[texts[first]].head :], *texts[first + 1 : index], texts[index][: shape.behind]]
            scope = scoped_shape(";".join(run))
            if scope is None:
                return None
            found.append((first, scope))
        if shape.opens and not depth:
            first = index
        depth += shape.opens
    if shape is None or depth or shape.opens:
        return None
    tail = texts[stop - 1][shape.behind :]
    alone = shapes_of((tail,))
    return [*found, (stop - 1, (alone[tail], ()))] if alone is not None else None


def _take_rest(outline: Outline, texts: list[str], shapes: dict[str, Shape]) -> list[str]:
    """The texts of statements that are no plain instructions, and no scopes of such; the shapes of these are noted.

    Equal instructions, and equal scopes, are taken once where two say no more than one.
    """
    special = {text for text, shape in shapes.items() if shape.special}
    once = dict.fromkeys((text for text in special if not shapes[text].declares), 0)
    kinds: list[Shape | None] = [*shapes.values(), None]
    nothing = len(shapes)
    order, rest = outline.order, list[str]()

    def take(start: int, stop: int) -> None:
        for text in filter(special.__contains__, texts[start:stop]):
            taken = once.get(text)
            if taken:
                continue
            if taken is not None:
                once[text] = 1
            rest.append(text)

    behind, runs, calls = 0, set[str](), set[Scoped]()
    for start, stop in _scopes(texts, shapes) if outline.scoped else ():
        take(behind, start)
        behind = stop
        order[start:stop] = array("I", [nothing]) * (stop - start)
        found = _closed(texts, shapes, start, stop)
        if found is None:
            run = ";".join(texts[start:stop])
            # A run that no closed scope explains is kept as text; an equal one says nothing new, unless it declares
            # what counts or takes memory each time.
            if run not in runs:
                rest.append(run)
                if _DECLARATION.search(run) is None:
                    runs.add(run)
            continue
        for index, scoped in found:
            shape = scoped[0]
            if shape.special:
                rest.append(texts[index][shapes[texts[index]].behind :])
                continue
            order[index] = len(kinds)
            kinds.append(shape)
            if shape.callees:
                calls.add(scoped)
    take(behind, len(texts))
    outline.kinds = tuple(kinds)
    every = map(kinds.__getitem__, set(order)) if outline.scoped else shapes.values()
    outline.calls = frozenset(calls)
    outline.shapes = frozenset(s for s in every if s and (s.instruction or (s.block and not s.callees)))
    return rest
