"""Bodies that nobody has looked at: known to be well formed, and read into statements when somebody looks.

A body is well formed when every statement's shape is (`weft.ptx.shapes`) and its braces match.  What a compiler writes
has few shapes, so that this is several times faster than making the statements, of which most users look at a few
functions or, as the verifier, at none.  A body that the shapes do not explain is read at once, and every mistake is
found, and worded, by the reader of statements.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from itertools import accumulate, compress
from typing import TYPE_CHECKING

from weft.ptx.ast import Function, Statement
from weft.ptx.lexical import closing
from weft.ptx.plain import Recognised
from weft.ptx.scopes import Scope
from weft.ptx.shapes import Shape, blurred, counted, last_shape, scoped_shape, shapes_of

if TYPE_CHECKING:
    from weft.ptx.body import BodyReader

_MOST_SCOPES = 1000
_PARAMETER = "[_$weft$param_"
"""What the names of a function's parameters become: the shapes of their loads are those of other functions'."""
_DECLARATION = re.compile(r"(?<![\w:])\.(?:reg\b[^;]*+%|(?:shared|const|global|local)\b)", re.ASCII)
"""What counts, or takes memory, each time that it is declared in a scope."""


class Outline(Recognised):
    """What is known of a body before it is read.

    `order` has the shape of each statement; a scope that means the same everywhere is one, and None for its others.
    `shapes` are those of such scopes, and of single instructions; `reduced` is the text of all other statements, in
    which numbers, counts and the names of parameters are made equal (`rest` has these two as they are).  `ranges` are
    the ranges of registers with their counts; `registers` has the names of numbered registers, `labels` the numbered
    labels that occur, `defined` those that are as labels, `used` those that are elsewhere, and `targets` what these
    are in `reduced`; `locations` are the arguments of each `.loc`.
    `late` says that an instruction is before a declaration of registers, `scoped` that there are inner scopes.
    """

    __slots__ = (
        *(
            "defined",
            "labels",
            "late",
            "locations",
            "order",
            "own",
            "ranges",
            "reduced",
            "registers",
            "scoped",
            "shapes",
            "targets",
            "used",
        ),
    )

    def __init__(self, bodies: BodyReader, opening: int, end: int) -> None:
        super().__init__(bodies, opening, end)
        self.order: list[Shape | None] = []
        self.shapes: frozenset[Shape] = frozenset()
        self.reduced = self.own = ""
        self.ranges: tuple[tuple[str, int], ...] = ()
        self.registers: frozenset[str] = frozenset()
        self.labels: frozenset[str] = frozenset()
        self.used: frozenset[str] = frozenset()
        self.targets: tuple[str, ...] = ()
        self.defined: tuple[str, ...] = ()
        self.locations: tuple[str, ...] = ()
        self.late = self.scoped = False

    def rest(self) -> str | None:
        """The text of what is no instruction alone; None where it has other ranges than the body."""
        return counted(self.reduced.replace(_PARAMETER, self.own) if self.own else self.reduced, self.ranges)

    def occurrences(self, shapes: Container[Shape | None]) -> Iterator[tuple[Shape, tuple[int, ...]]]:
        """Where some shapes are: the offset of each of their texts, and that after the last."""
        inside = self.bodies.text[self.opening + 1 : self.end]
        starts = list(accumulate(map(len, inside.split(";")), lambda at, size: at + size + 1, initial=self.opening + 1))
        for index, shape in enumerate(self.order):
            if shape is not None and shape in shapes:
                yield shape, tuple(starts[index : index + shape.count + 1])

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
    if end < 0:
        return None
    outline = Outline(bodies, opening, end)
    written, own = text[opening + 1 : end], f"[{name}_param_"
    named = own in written and _PARAMETER not in written
    inside = blurred(written.replace(own, _PARAMETER) if named else written)
    texts = inside.texts
    last = last_shape(texts[-1])
    shapes = shapes_of(texts[:-1])
    if last is None or shapes is None:
        return None
    every = [*shapes.values(), last]
    outline.scoped = any(shape.closes or shape.opens for shape in every)
    if outline.scoped and not _nested(texts, shapes, last):
        return None
    outline.registers, outline.ranges, outline.own = inside.registers, inside.ranges, own if named else ""
    outline.labels, outline.defined = inside.labels, inside.defined
    outline.used, outline.targets = inside.used, inside.targets
    if not _take_labels(outline, texts, shapes, last):
        return None
    if not _take_locations(outline, inside.locations, texts, shapes, last):
        return None
    _take_rest(outline, texts, shapes)
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
    for index in compress(range(len(texts) - 1), map(braced.__contains__, texts)):
        shape = shapes[texts[index]]
        if not depth:
            start = index
        depth += shape.opens - shape.closes
        if not depth:
            yield start, index + 1
    if depth:
        yield start, len(texts) - 1


def _take_labels(outline: Outline, texts: list[str], shapes: dict[str, Shape], last: Shape) -> bool:
    """Whether as many labels were found before colons as stand as labels."""
    if not outline.labels:
        return True
    counts = {text: shape.labels for text, shape in shapes.items()}
    return sum(map(counts.__getitem__, texts[:-1])) + last.labels == len(outline.defined)


def _take_locations(
    outline: Outline, locations: list[str], texts: list[str], shapes: dict[str, Shape], last: Shape
) -> bool:
    if not locations:
        return not any(shape.locs for shape in (*shapes.values(), last))
    outline.locations = tuple(dict.fromkeys(locations))
    counts = {text: shape.locs for text, shape in shapes.items()}
    return sum(map(counts.__getitem__, texts[:-1])) + last.locs == len(locations)


def _take_rest(outline: Outline, texts: list[str], shapes: dict[str, Shape]) -> None:
    """Note the statements that are no plain instructions, and no scopes of such.

    Equal instructions, and equal scopes, are noted once where two say no more than one.
    """
    order: list[Shape | None] = list(map(shapes.__getitem__, texts[:-1]))
    special = {text for text, shape in shapes.items() if shape.special}
    once = dict.fromkeys((text for text in special if not shapes[text].declares), 0)
    rest: list[str] = []

    def take(start: int, stop: int) -> None:
        for text in filter(special.__contains__, texts[start:stop]):
            taken = once.get(text)
            if taken:
                continue
            if taken is not None:
                once[text] = 1
            rest.append(text)

    behind, runs = 0, set[str]()
    for start, stop in _scopes(texts, shapes) if outline.scoped else ():
        take(behind, start)
        behind = stop
        run = ";".join(texts[start:stop])
        order[start:stop] = [scoped_shape(run), *[None] * (stop - start - 1)]
        if order[start] is None and run not in runs:
            rest.append(run)
            if _DECLARATION.search(run) is None:
                runs.add(run)
    take(behind, len(texts) - 1)
    outline.order = order
    outline.shapes = frozenset(shape for shape in set(order) if shape and (shape.instruction or shape.block))
    if rest or outline.scoped:
        outline.reduced = ";".join([*rest, texts[-1]])
    begun = False
    for shape in shapes.values():
        begun = begun or not shape.special or shape.opens > 0
        outline.late = outline.late or (begun and shape.ranges)
