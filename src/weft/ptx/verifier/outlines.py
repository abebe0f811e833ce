"""Functions that nobody has read: checked by the shapes of their statements (`weft.ptx.outline`).

Whether an instruction of numbered registers is legal depends on its shape and on what the prefixes of the registers are
declared as, so each shape is checked once for all functions that declare the same.  Everything else (declarations,
calls, variables, scopes) is in the outline's `reduced` text, which is checked as any body is.  What is found there says
that the statements themselves must be read; of instructions with findings, those alone are read.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Set
from functools import partial

from weft.errors import Diagnostic
from weft.isa.opcode import decode
from weft.isa.registers import SPECIAL_REGISTERS
from weft.ptx.ast import (
    Block,
    Function,
    Instruction,
    Label,
    LabelledDirective,
    RegisterDeclaration,
    Statement,
    Variable,
)
from weft.ptx.blurring import NUMBERED, is_numbered_label, label_text, mentions_numbers, outside
from weft.ptx.directive_nodes import Loc, Pragma
from weft.ptx.features import statements_features
from weft.ptx.operands import Symbol
from weft.ptx.outline import Outline
from weft.ptx.scopes import Scope as TextScope
from weft.ptx.shapes import Shape, statement_start
from weft.ptx.verifier.body import check_instructions, check_once, scoped_runs
from weft.ptx.verifier.calls import check_results
from weft.ptx.verifier.classes import legal_at
from weft.ptx.verifier.context import Context, Name, Scope
from weft.ptx.verifier.positions import check_location
from weft.ptx.verifier.pragmas import SPILLING

_ENDS_IN_DIGIT = re.compile(r"%[A-Za-z_]++\d\w*+", re.ASCII)
_SINGLE = re.compile(r"\.reg[ \t]++\.\w++[ \t]++(%[A-Za-z_]++\d++)[ \t]*+;", re.ASCII)
_LABEL = re.compile(r"(\$[A-Za-z_]++\d++(?:_\d++)?)(?![\w.$%])(:)?", re.ASCII)
_SPECIAL = frozenset(name.partition(".")[0] for name in SPECIAL_REGISTERS)
_MOST_ENVIRONMENTS = 256


class Environment:
    """What the prefixes of registers are declared as in some functions, and the shapes that are legal there, or not."""

    __slots__ = ("findings", "keys", "legal")

    def __init__(self) -> None:
        self.keys: dict[str, object] = {}
        self.legal: set[Shape] = set()
        self.findings: dict[Shape, list[tuple[int, Diagnostic]]] = {}


_ENVIRONMENTS: dict[object, list[Environment]] = {}
"""By target, version and whatever else legality depends on (`Context.judged`)."""


def check_outline(context: Context, outer: Scope, function: Function) -> bool:
    """Checks a function that is not read; False, with nothing reported, when it must be."""
    outline = function.unread
    if not isinstance(outline, Outline) or outline.late or context.constants:
        return False
    defined = set(outline.defined)
    if not outline.labels <= defined or len(defined) < len(outline.defined):
        return False
    formals = {formal.name for formal in (*function.parameters, *function.returns)}
    scopes = [*outline.shapes, *[shape for shape, _ in outline.calls]]
    if not formals.isdisjoint((*defined, outline.depot)) or any(not formals.isdisjoint(s.passed) for s in scopes):
        return False
    description = _description(function, outline)
    if _is_like_another(context, function, outline, description):
        return True
    reduced = _reduced(outline)
    if reduced is None:
        return False
    body, repeated = reduced
    twin = _twin(function, body)
    before = _Before(context)
    scope = Scope(outer, len(body))
    for at, instructions in scoped_runs(context, outer, twin, scope):
        check_instructions(context, at, instructions)
    if context.passed:
        check_results(context, twin)
    keys = _declared(outline, scope, repeated)
    if (
        _calls_any(outline, scope.singles)
        or _calls_any(outline, formals)
        or keys is None
        or before.has_grown()
        or not _check_locations(context, outline, before, twin)
    ):
        before.restore()
        return False
    if description is not None and all(map(_has_no_effect, body)) and _is_admitted(context, twin):
        context.alike[description] = keys, scope
    environment = _environment(context, keys)
    _check_shapes(context, scope, outline, environment, _wrong_calls(context, scope, outline, environment))
    for shape in outline.shapes:
        body.extend(shape.block)
    body += _calls(outline)
    context.twins[id(function)] = twin
    return True


def _twin(function: Function, body: list[Statement]) -> Function:
    name, kernel, formals, returns = function.name, function.kernel, function.parameters, function.returns
    return Function(name, kernel, formals, returns, function.linkage, body=body, pos=function.pos)


def _calls_any(outline: Outline, names: Container[str]) -> bool:
    return any(callee in names for _, callees in outline.calls for callee in callees)


def _calls(outline: Outline) -> list[Statement]:
    """What the calls of a body are for those who ask what it calls, and what it passes."""
    callees = {callee: None for _, named in outline.calls for callee in named}
    passed = {id(one): one for shape, _ in outline.calls for one in _passed(shape)}
    call = decode("call")
    return [*passed.values(), *[Instruction(call, (Symbol(callee),)) for callee in callees]]


def _passed(shape: Shape) -> Iterator[Variable]:
    for block in shape.block:
        if isinstance(block, Block):
            yield from (inner for inner in block.body if isinstance(inner, Variable))


def _description(function: Function, outline: Outline) -> object:
    """What the rest of a function means the same for; None where its parameters have names of their own."""
    names = [formal.name for formal in function.parameters]
    if names != [f"{function.name}_param_{number}" for number in range(len(names))]:
        return None
    formals = [(p.space, p.type, p.vector, p.dims, p.align, p.pointer) for p in function.parameters]
    results = [(p.name, p.space, p.type, p.vector, p.dims, p.align) for p in function.returns]
    return outline.reduced, outline.targets, bool(outline.own), function.kernel, *results, None, *formals


def _is_like_another(context: Context, function: Function, outline: Outline, description: object) -> bool:
    """Whether another function of the module that says the same, in other instructions of legal shapes, was right."""
    known = context.alike.get(description) if description is not None else None
    ranges = dict(outline.ranges)
    if known is None or len(ranges) < len(outline.ranges) or not _are_counted(outline, ranges):
        return False
    keys, scope = known
    environment = _environment(context, keys)
    hidden = {*scope.singles, *(formal.name for formal in (*function.parameters, *function.returns))}
    if _calls_any(outline, hidden) or _wrong_calls(context, scope, outline, environment):
        return False
    if not all(_is_legal(context, scope, shape, environment) for shape in outline.shapes - environment.legal):
        return False
    before, twin = _Before(context), _twin(function, _calls(outline))
    if not _check_locations(context, outline, before, twin):
        before.restore()
        return False
    context.twins[id(function)] = twin
    return True


def _has_no_effect(statement: Statement) -> bool:
    """Whether a statement means the same in another function, and leaves nothing to be looked at later."""
    if isinstance(statement, Instruction):
        return statement.opcode.effects.control != "call"
    if isinstance(statement, Variable):
        return statement.space == "local"
    if isinstance(statement, Pragma):
        return SPILLING not in statement.texts
    return isinstance(statement, Label | RegisterDeclaration | Loc)


def _is_admitted(context: Context, twin: Function) -> bool:
    """Whether the target and the version have what is in a function beside instructions."""
    return all(use.window.admits(context.target, context.version) for use in statements_features(twin))


class _Before:
    """What a context has collected, to go back to."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._located, self._placed = len(context.located), len(context.placed)
        self.locations: list[int] = []
        self.places: list[str] = []
        self.inlined: list[str] = []

    def has_grown(self) -> bool:
        """Whether there is a finding since."""
        return len(self._context.located) > self._located

    def restore(self) -> None:
        """Forget what came since."""
        context = self._context
        del context.located[self._located :]
        del context.placed[self._placed :]
        context.locations.difference_update(self.locations)
        context.places.difference_update(self.places)
        for label in self.inlined:
            del context.inlined[label]


def _reduced(outline: Outline) -> tuple[list[Statement], list[RegisterDeclaration]] | None:
    """The statements that are no plain instructions, with the labels that they may name, and repeated registers.

    Those are registers of inner scopes that are in a range around them.  None where what is declared would make the
    numbers in names matter.
    """
    body: list[Statement] = []
    rest = outline.rest()
    if rest is None:
        return None
    if rest:
        outline.bodies.alone(f"{{{rest}}}").read(0, body, TextScope())
    kept = [statement for statement in body if not _is_taken(statement)]
    own = set(map(id, kept))
    inner: list[tuple[RegisterDeclaration, int]] = []
    nested: set[str] = set()
    for statement in Function("", kernel=False, body=kept).walk():
        if isinstance(statement, Block):
            repeated = [d for d in statement.body if isinstance(d, RegisterDeclaration) and _is_single(d)]
            inner += [(declaration, id(statement)) for declaration in repeated]
            labels = [d for d in statement.body if isinstance(d, Label) and is_numbered_label(d.name)]
            nested.update(label.name for label in labels)
            gone = {id(d) for d in statement.body if isinstance(d, Loc)} | set(map(id, (*repeated, *labels)))
            statement.body[:] = [inside for inside in statement.body if id(inside) not in gone]
        elif not _is_unnumbered(statement, nested=id(statement) not in own):
            return None
    nested.update(*[shape.inside for shape in outline.shapes], *[shape.inside for shape, _ in outline.calls])
    if (inner and not _differ(outline, inner)) or not _are_seen(outline, nested & set(outline.targets)):
        return None
    return [*map(Label, outline.targets), *kept], [declaration for declaration, _ in inner]


def _are_seen(outline: Outline, nested: Set[str]) -> bool:
    """Whether labels of these shapes, which are in inner scopes, are in scopes around all places that name them."""
    if not nested:
        return True
    text = outline.bodies.text
    names = {name for name in outline.used if label_text(name) in nested}
    homes: dict[str, int] = {}
    places: list[tuple[str, int]] = []
    for match in _LABEL.finditer(text, outline.opening, outline.end):
        name, colon = match.groups()
        if name not in names:
            continue
        if colon:
            homes[name] = match.start()
        else:
            places.append((name, match.start()))
    return all(name in homes and _is_within(text, homes[name], place) for name, place in places)


def _is_within(text: str, home: int, place: int) -> bool:
    """Whether a place is in the innermost scope around another, or in one inside that."""
    between = re.findall(r"[{}]", text[min(home, place) : max(home, place)])
    depth, ending = 0, "}"
    if place < home:
        between.reverse()
        ending = "{"
    for brace in between:
        depth += -1 if brace == ending else 1
        if depth < 0:
            return False
    return True


def _is_single(declaration: RegisterDeclaration) -> bool:
    names = declaration.names
    return len(names) == 1 and not names[0][1] and NUMBERED.fullmatch(names[0][0]) is not None


def _is_unnumbered(statement: Statement, *, nested: bool) -> bool:
    """Whether a statement declares nothing that could be meant by a numbered name or a special register."""
    if isinstance(statement, RegisterDeclaration):
        return not any(
            _ENDS_IN_DIGIT.fullmatch(name) or (name[0] == "%" and (name in _SPECIAL or (nested and count)))
            for name, count in statement.names
        )
    if isinstance(statement, Variable):
        hides = NUMBERED.fullmatch(statement.name) is not None or statement.name in _SPECIAL
        return not hides and statement.space != "const"
    if isinstance(statement, Label | LabelledDirective):
        name = statement.name if isinstance(statement, Label) else statement.label
        return NUMBERED.fullmatch(name) is None  # In an inner scope, or of several directives.
    return True


def _differ(outline: Outline, inner: list[tuple[RegisterDeclaration, int]]) -> bool:
    """Whether the single registers of each inner scope have different names, as they are written."""
    written: list[str] = _SINGLE.findall(outline.bodies.text, outline.opening, outline.end)
    inner.sort(key=lambda found: found[0].pos)
    pairs = set(zip(written, (block for _, block in inner), strict=False))
    return len(pairs) == len(written) == len(inner)


def _is_taken(statement: Statement) -> bool:
    """Whether an outline has a statement elsewhere."""
    return isinstance(statement, Loc) or (isinstance(statement, Label) and is_numbered_label(statement.name))


def _declared(outline: Outline, scope: Scope, repeated: list[RegisterDeclaration]) -> dict[str, object] | None:
    """What each prefix of registers is declared as; None when a register is not in the range of its prefix."""
    keys: dict[str, object] = {}
    for declaration in repeated:
        around = scope.ranges.get(declaration.names[0][0][:-1])
        if around is None or around[0].type != declaration.type or around[0].vector or declaration.vector:
            return None
    declared = {prefix: (name, count) for prefix, (name, count) in scope.ranges.items() if name.kind == "reg"}
    if not _are_counted(outline, {prefix: count for prefix, (_, count) in declared.items()}):
        return None
    keys.update((prefix, name.key) for prefix, (name, _) in declared.items())
    return keys


def _are_counted(outline: Outline, ranges: Mapping[str, int]) -> bool:
    """Whether all numbered registers are in ranges."""
    return not outside(outline.outside, ranges.items()) and all(
        ranges.get(prefix, 0) >= count for prefix, count in outline.ranges
    )


def _check_locations(context: Context, outline: Outline, before: _Before, twin: Function) -> bool:
    """Checks the places of a body: most of them as they are written, as `check_location` would find nothing."""
    places = context.places
    marked = False
    for text in outline.locations:
        words = text.replace(",", " ").split()
        place = " ".join(words[:3])
        new = place not in places
        if len(words) > 3:
            label = words[4].partition("+")[0]
            if not (marked and label in context.inlined and " ".join(words[6:]) in places):
                marked = True
                _check_inlined(context, outline, before, twin, text)
        if new:
            places.add(place)
            before.places.append(place)
    return not before.has_grown()


def _check_inlined(context: Context, outline: Outline, before: _Before, twin: Function, text: str) -> None:
    location = outline.bodies.locations[text]
    loc = Loc(location)
    if twin.body is not None and not any(isinstance(last, Loc) for last in twin.body[-1:]):
        twin.body.append(loc)  # One stands for all: they need the same.
    if location.inlined is not None and location.inlined.function not in context.inlined:
        before.inlined.append(location.inlined.function)
        context.inlined[location.inlined.function] = partial(outline.find_location, text)  # Asked when it is missing.
    if id(location) not in context.locations:
        before.locations.append(id(location))
    check_location(context, loc)


def _environment(context: Context, keys: dict[str, object]) -> Environment:
    """The environment in which the prefixes of a function are what it declares; others may be there too."""
    known = _ENVIRONMENTS.setdefault(context.judged, [])
    for environment in known:
        if all(environment.keys.get(prefix, key) == key for prefix, key in keys.items()):
            break
    else:
        if len(known) > _MOST_ENVIRONMENTS:
            known.clear()
        environment = Environment()
        known.append(environment)
    environment.keys.update(keys)
    return environment


def _wrong_calls(context: Context, scope: Scope, outline: Outline, environment: Environment) -> set[Shape]:
    """The scopes with calls that something is wrong with: those of one shape are checked once a prototype."""
    wrong: set[Shape] = set()
    called = context.called.setdefault(environment, set())
    for scoped in outline.calls - called:
        shape, callees = scoped
        functions = [context.functions.get(callee) for callee in callees]
        prototypes = tuple(_prototype(function) for function in functions if function is not None)
        if len(prototypes) == len(functions):
            if (shape, prototypes) not in called and not _takes(context, scope, shape, functions):
                wrong.add(shape)
                continue
            called |= {(shape, prototypes), scoped}
        else:
            wrong.add(shape)
    return wrong


def _prototype(function: Function) -> object:
    """What a call depends on."""
    lists = (function.returns, function.parameters)
    return function.kernel, *[tuple((p.space, p.type, p.vector, p.dims, p.align) for p in formal) for formal in lists]


def _takes(context: Context, scope: Scope, shape: Shape, functions: list[Function | None]) -> bool:
    """Whether a scope is right with some functions in the places of those that it calls."""
    around, located = Scope(scope), len(context.located)
    for stand_in, function in zip(shape.callees, functions, strict=True):
        assert function is not None
        context.functions[stand_in] = function
        around.declare(stand_in, Name("func"))
    whatever = _check_statements(context, around, shape.block)
    for stand_in in shape.callees:
        del context.functions[stand_in]
    right = len(context.located) == located and (whatever or not shape.blurred)
    del context.located[located:]
    return right


def _is_legal(context: Context, scope: Scope, shape: Shape, environment: Environment) -> bool:
    """Whether there is nothing wrong with a shape, where its registers are declared as in `scope`."""
    located = context.located
    before = len(located)
    whatever = _check_statements(context, scope, shape.block or [shape.instruction])
    found = located[before:]
    del located[before:]
    if not found and (whatever or not shape.blurred):
        environment.legal.add(shape)
        return True
    if not shape.blurred and not any(map(_names_numbers, found)):
        environment.findings[shape] = [(shape.index(pos), diagnostic) for pos, diagnostic in found]
    return False


def _check_shapes(
    context: Context, scope: Scope, outline: Outline, environment: Environment, wrong: set[Shape]
) -> None:
    """Checks what the shapes of an outline stand for, once an environment, and reads those that are known to be wrong.

    Findings that name nothing numbered hold for every statement of their shape; of others, the statements are read.
    """
    located = context.located
    for shape in outline.shapes - environment.legal:
        if shape in environment.findings or not _is_legal(context, scope, shape, environment):
            wrong.add(shape)
    for label in outline.labels if wrong else ():  # The scope has what is left of them, without their numbers.
        scope.declare(label, Name("label"))
    for shape, offsets in outline.occurrences(wrong) if wrong else ():
        found = environment.findings.get(shape)
        if found is None:
            _check_statements(context, scope, outline.statements(offsets[0], offsets[-1]))
        else:
            located += [(statement_start(outline.bodies.text, offsets[index]), said) for index, said in found]


def _names_numbers(found: tuple[int, Diagnostic]) -> bool:
    """Whether a finding may differ between statements of a shape."""
    said = found[1]
    return mentions_numbers(f"{said.message} {said.token} {said.hint}")


def _check_statements(context: Context, scope: Scope, statements: Iterable[Statement | None]) -> bool:
    """Checks instructions, and scopes of them; False when that depends on the values of literals."""
    legal = legal_at(*context.judged)
    whatever = True
    for statement in statements:
        if isinstance(statement, Instruction):
            whatever = check_once(context, scope, statement, legal) and whatever
        elif isinstance(statement, Block):
            twin = Function("", kernel=context.kernel, body=statement.body)
            passed = len(context.passed)
            for at, instructions in scoped_runs(context, scope, twin):
                for instruction in instructions:
                    whatever = check_once(context, at, instruction, legal) and whatever
            del context.passed[passed:]  # What is loaded of them is known to be returned.
    return whatever
