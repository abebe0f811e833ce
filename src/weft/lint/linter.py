"""All statements of a C++ text: what is found in them, at their place in that text."""

from __future__ import annotations

from collections.abc import Iterator

from weft.dataclass import dataclass
from weft.errors import Diagnostic, PtxSyntaxError, Severity, positions_at
from weft.lint.cpp import Surroundings, is_generic_pointer, operand_problem
from weft.lint.effects import Writing, check_declarations, check_labels, check_operands, check_ordering
from weft.lint.foreign import is_ptx, newer_word
from weft.lint.judge import REGISTERS, Found, Judged, declared_registers, judge, kinds_of, open_braces, parsed, wrap
from weft.lint.statements import (
    Operand,
    Statement,
    Unjudged,
    Unreadable,
    branches,
    defined_strings,
    found_tokens,
    read,
    spellings,
)
from weft.lint.template import Mapped, decoded, expanded, referred, unescaped
from weft.lint.tokens import Keyword
from weft.lint.translation import translated
from weft.places import Token
from weft.ptx.operands import Address, Register
from weft.ptx.signature import bind


@dataclass(frozen=True, slots=True)
class Linted:
    """What lint found: the findings in text order, how many statements there are, and those not judged, as notes.

    `begins` maps each line of a statement to the one it starts on.
    """

    findings: tuple[Diagnostic, ...]
    statements: int
    unjudged: tuple[Diagnostic, ...]
    begins: dict[int, int]


class _Part:
    """One statement as the preprocessor may leave it, with its template made PTX, or why that failed."""

    def __init__(self, found: list[Token], keyword: Keyword, macros: dict[str, tuple[Token, ...]]) -> None:
        self.start = keyword.start
        self.spans = {token.start for token in found}
        self.statement: Statement | None = None
        self.mapped: Mapped | None = None
        self.raw = ""
        self.problem: Found | None = None
        self.lax: list[Found] = []
        self.unjudged = ""
        try:
            self.statement = read(keyword, found, macros)
            template = decoded(self.statement.template, macros)
            self.raw = template.text
            kinds = kinds_of(self.statement)
            constants = frozenset(n for n, kind in enumerate(kinds) if kind == "constant")
            if not is_ptx(self.raw):
                raise Unjudged("the template does not contain a PTX instruction")
            self.mapped = expanded(self.statement, template, constants)
            self.lax = [*_unescaped(self.statement, template), *_apart(self.statement)]
        except Unreadable as error:
            self.problem = Found(error.start, error.start + error.length, "asm", error.message)
        except Unjudged as error:
            self.unjudged = str(error)


def lint(text: str, filename: str = "<string>", *, target: str | None = None) -> Linted:
    """Check the inline PTX of a C++ text, for `target` (`"sm_90a"`), or for any that has a statement's instructions.

    Findings point at lines and columns of the C++ text, into its strings. Raises IsaError for an unknown target.
    """
    if "asm" not in text:
        return Linted((), 0, (), {})
    macros = defined_strings(text)
    whole = [
        [_Part(way, keyword, chosen) for way in branches(found) for chosen in spellings(way, macros)]
        for keyword, found in found_tokens(text)
    ]
    outside = _outside(part for parts in whole for part in parts)
    around = Surroundings(text, (p.statement for parts in whole for p in parts if p.statement is not None))
    found: list[Found] = []
    unjudged: list[Found] = []
    for parts in whole:
        found += _agreed([(part, list(_check(around, part, outside, target))) for part in parts])
        skipped = next((part for part in parts if part.unjudged), None)
        if skipped is not None:
            what = f"not checked: {skipped.unjudged}"
            unjudged.append(Found(skipped.start, skipped.start + 3, "asm", what, Severity.NOTE))
    statements = [(p.statement.start, p.statement.end) for parts in whole for p in parts[:1] if p.statement is not None]
    return Linted(
        tuple(_placed(text, filename, found)),
        len(whole),
        tuple(_placed(text, filename, unjudged)),
        _begins(text, statements),
    )


def _outside(parts: Iterator[_Part]) -> dict[str, str]:
    """The registers that some statement declares for others: outside braces, or in braces that it leaves open."""
    declared: dict[str, str] = {}
    for part in parts:
        if part.mapped is None or ".reg" not in part.mapped.text:
            continue
        missing, left = open_braces(part.mapped.text)
        if left or missing or ".reg" in part.mapped.text.partition("{")[0]:
            declared |= {name: type_ for type_, name in declared_registers(part.mapped.text)}
    return declared


def _agreed(ways: list[tuple[_Part, list[Found]]]) -> list[Found]:
    """The findings that are in every way the preprocessor may leave the place they point at."""
    if len(ways) == 1:
        return ways[0][1]
    kept: dict[Found, None] = {}
    for part, found in ways:
        for one in found:
            nearest = max((start for start in part.spans if start <= one.start), default=-1)
            if all(one in others for other, others in ways if nearest in other.spans):
                kept[one] = None
    return list(kept)


def _check(around: Surroundings, part: _Part, outside: dict[str, str], target: str | None) -> Iterator[Found]:
    statement, mapped = part.statement, part.mapped
    if part.problem is not None:
        yield part.problem
    if statement is None or mapped is None:
        return
    bad = list(_constraints(around, statement))
    yield from bad
    yield from part.lax
    if any(one.severity is Severity.ERROR for one in (*bad, *part.lax)):
        return
    numbers = referred(part.raw) if statement.extended else set[int]()
    writing = Writing(statement, mapped)
    ptx, shift = wrap(statement, mapped, outside)
    try:
        judged = parsed(ptx, shift)
    except PtxSyntaxError as error:
        what = Diagnostic("syntax", error.message, position=error.position, token=error.found, hint=error.hint)
        yield translated(writing, what, ptx, shift)
        return
    if len(judged.module.items) != 1:
        yield Found(*writing.keyword(), "syntax", "unmatched '}' in the template")
        return
    found, _ = judge(statement, judged, target)
    newer = next(filter(None, (newer_word(instruction.opcode) for instruction in judged.instructions)), "")
    if newer:
        part.unjudged = f"'{newer}' is not in the instruction table"
        return
    errors = [translated(writing, one, ptx, shift) for one in found]
    yield from errors
    if any(one.severity is Severity.ERROR for one in errors):
        return
    if judged.instructions:
        yield from check_operands(writing, judged, numbers)
    yield from check_declarations(writing, set(outside))
    yield from check_labels(writing, part.raw)
    yield from check_ordering(writing, judged)
    yield from _pointers(around, writing, judged)


def _unescaped(statement: Statement, template: Mapped) -> Iterator[Found]:
    """`%` where `%%` is meant, and the other way round.

    Before a letter nvcc keeps it and clang does not, before a sign nvcc drops both.
    """
    for start, end, written in unescaped(statement, template):
        if not statement.extended:
            message = f"nvcc keeps '{written}' literally in a statement without operands"
            yield Found(start, end, "asm", message, hint="write '%', and omit the colons")
        elif written[1:2].isalpha():
            yield Found(
                start, end, "asm", f"nvcc accepts '{written}', but clang does not: write '%{written}'", Severity.NOTE
            )
        else:
            message = f"nvcc drops '{written}'" if len(written) > 1 else "nvcc drops a single '%'"
            yield Found(start, end, "asm", message, Severity.WARNING, "write %% for a percent sign")


def _apart(statement: Statement) -> Iterator[Found]:
    for operand in statement.operands:
        if not operand.apart:
            end = operand.start + len(operand.constraint) + 2
            message = "nvcc accepts operands without ',' between them, but clang does not"
            yield Found(operand.start, end, "asm", message, Severity.NOTE)


def _constraints(around: Surroundings, statement: Statement) -> Iterator[Found]:
    """Constraints and clobbers that nvcc does not have, outputs without = or +, values that no register takes."""
    for clobber in statement.clobbers:
        if clobber.text != "memory":
            message = f'nvcc does not support the clobber "{clobber.text}"'
            yield Found(
                clobber.start, clobber.start + clobber.length, "asm", message, hint='use "memory", the only clobber'
            )
    for number, (operand, kind) in enumerate(zip(statement.operands, kinds_of(statement), strict=True)):
        output = number < len(statement.outputs)
        message, hint = _constraint(operand, kind, output)
        if not message and kind and (problem := operand_problem(around, statement, operand, kind, output)):
            what = "is a constant" if kind == "constant" else f"is a .{kind} register"
            message = f'{problem}; constraint "{operand.constraint}" {what}'
            hint = "convert the value, or use the constraint of its type"
        if message:
            yield Found(operand.start, operand.start + len(operand.constraint) + 2, "constraint", message, hint=hint)


def _constraint(operand: Operand, kind: str, output: bool) -> tuple[str, str]:
    """What is wrong with a constraint's own text, and a hint."""
    written, letters = operand.constraint, operand.letters
    if output and written[:1] not in ("=", "+"):
        return f'output constraint "{written}" needs = or +', f'"={written}"'
    if not output and written[:1] in ("=", "+"):
        return f'input constraint "{written}" must not have {written[0]}', "put outputs before the second colon"
    if output and kind == "constant":
        return f'output constraint "{written}" is a constant', "make the constant an input"
    if letters.isdecimal():
        return (
            f'nvcc does not support matching constraints such as "{written}"',
            'use "+" for an output that is also read',
        )
    if not output and letters != written:
        return f'input constraint "{written}" must not have &', "use & on outputs only"
    if not kind and letters != "C":
        known = " ".join([*REGISTERS, "n", "C"])
        if len(letters) > 1 and set(letters) <= {*REGISTERS, *"niN,%"}:
            return f'constraint "{written}" has several letters; nvcc accepts one', f"expected one of {known}"
        return f'unknown constraint "{written}"', f"expected one of {known}"
    return "", ""


def _pointers(around: Surroundings, writing: Writing, judged: Judged) -> Iterator[Found]:
    """Generic addresses, which C++ pointers are, where an instruction takes those of shared memory and its like."""
    statement = writing.statement
    seen: set[int] = set()
    for instruction in judged.instructions:
        for spec, operand, slots in bind(instruction):
            space = slots.get(spec.arg.space or "", spec.arg.space or "").partition("::")[0]
            if spec.kind != "address" or space not in ("shared", "local", "const") or not isinstance(operand, Address):
                continue
            base = operand.base.name if isinstance(operand.base, Register) else ""
            number = int(base[1:]) if base[1:].isdecimal() else -1
            if not 0 <= number < len(statement.operands) or number in seen:
                continue
            if is_generic_pointer(around, statement, statement.operands[number]):
                seen.add(number)
                name = f"%{number}"
                message = f"{name} is a generic pointer; '{instruction.opcode.stem}' needs an address in .{space}"
                hint = f"convert it with __cvta_generic_to_{'constant' if space == 'const' else space}"
                yield Found(*writing.operand(number), "generic-pointer", message, Severity.WARNING, hint)


# -- places ---------------------------------------------------------------------------------------------------


def _placed(text: str, filename: str, found: list[Found]) -> Iterator[Diagnostic]:
    ordered = sorted(dict.fromkeys(found), key=lambda one: (one.start, one.code))
    places = positions_at(text, [one.start for one in ordered], filename)
    for one, place in zip(ordered, places, strict=True):
        width = max(1, min(one.end - one.start, len(place.source or "") - place.column + 1))
        yield Diagnostic(one.code, one.message, one.severity, place, one.token, one.allowed, one.hint, width)


def _begins(text: str, statements: list[tuple[int, int]]) -> dict[int, int]:
    begins: dict[int, int] = {}
    edges = positions_at(text, [edge for pair in statements for edge in pair])
    for _ in statements:
        first, last = next(edges).line, next(edges).line
        begins.update(dict.fromkeys(range(first, last + 1), first))
    return begins
