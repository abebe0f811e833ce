"""`requires`: the least PTX version of a module and the targets that can run it, with what forces each."""

from __future__ import annotations

from collections.abc import Iterator

from weft.dataclass import dataclass
from weft.errors import Position, position_at
from weft.isa.opcode import Opcode
from weft.isa.registers import SPECIAL_REGISTERS
from weft.isa.target import NEWEST, TARGETS, Version, Window
from weft.ptx.ast import Function, Instruction, Module
from weft.ptx.features import features
from weft.ptx.operands import Element, Register, Symbol
from weft.ptx.verifier.body import fitting_windows, scoped_instructions
from weft.ptx.verifier.context import Context
from weft.ptx.verifier.scopes import module_scope
from weft.ptx.visit import walk


@dataclass(frozen=True, slots=True)
class Requirement:
    """One thing a module uses that does not exist everywhere: its text, where it exists, and where it first is."""

    text: str
    windows: tuple[Window, ...]
    position: Position
    count: int = 1

    def least(self, target: str) -> Version | None:
        """The least PTX version that has it on `target`; None where it never exists."""
        found = [least for window in self.windows if (least := window.least(target)) is not None]
        return min(found, default=None)

    def admits(self, target: str, version: Version) -> bool:
        """Whether `target` has it at PTX `version`."""
        return any(window.admits(target, version) for window in self.windows)

    def __str__(self) -> str:
        return f"{self.text} needs {' or '.join(map(str, self.windows))}"


@dataclass(frozen=True, slots=True)
class Requirements:
    """What a module needs.

    Attributes:
        version: the oldest PTX version that suffices on some target, or the newest known one if no target can run it.
        targets: the targets that can run the module, each with the oldest PTX version that it needs there.
        forced_by: the requirements that exclude a target or raise the version, strongest first.
        unknown: opcodes that the ISA table does not know, which are not taken into account.
        undeclared: names that the module uses without declaring them, which are not taken into account.
    """

    version: Version
    targets: dict[str, Version]
    forced_by: tuple[Requirement, ...]
    unknown: tuple[str, ...] = ()
    undeclared: tuple[str, ...] = ()

    def obstacles(self, target: str, version: Version | None = None) -> list[Requirement]:
        """What keeps the module from `target` (at PTX `version`, the newest when not given)."""
        limit = version or NEWEST
        return [r for r in self.forced_by if (least := r.least(target)) is None or least > limit]


def requires(module: Module) -> Requirements:
    """The oldest PTX version that a module needs and the targets that can run it."""
    found: dict[tuple[str, tuple[Window, ...]], tuple[int, int]] = {}
    unknown: dict[str, None] = {}
    undeclared: dict[str, None] = {}
    for text, windows, pos in _uses(module, undeclared):
        if not windows:
            unknown[text] = None
            continue
        first, count = found.get((text, windows), (pos, 0))
        found[text, windows] = (first, count + 1)
    needs = [Requirement(text, windows, _position(module, pos), n) for (text, windows), (pos, n) in found.items()]
    targets: dict[str, Version] = {}
    for name, target in TARGETS.items():
        version = target.least
        for need in needs:
            least = need.least(name)
            if least is None:
                break
            version = max(version, least)
        else:
            if all(need.admits(name, version) for need in needs):
                targets[name] = version
    forced = [need for need in needs if any(w.ptx > (1, 0) or len(w.targets) < len(TARGETS) for w in need.windows)]
    forced.sort(key=_strength)
    return Requirements(
        min(targets.values(), default=NEWEST), targets, tuple(forced), tuple(unknown), tuple(undeclared)
    )


def _strength(need: Requirement) -> tuple[int, int, int]:
    least = min(window.ptx for window in need.windows)
    return len({name for w in need.windows for name in w.targets}), -least.major, -least.minor


def _position(module: Module, pos: int) -> Position:
    return Position(file=module.filename) if module.source is None else position_at(module.source, pos, module.filename)


def _uses(module: Module, undeclared: dict[str, None]) -> Iterator[tuple[str, tuple[Window, ...], int]]:
    """Everything with a window: what `features` finds, special registers and instructions, with its position.

    Notes names that nothing declares.
    """
    for feature in features(module):
        yield feature.text, (feature.window,), feature.pos
    context = Context(module, module.target, Version.parse(module.version))
    outer = module_scope(context)
    known: dict[Opcode, tuple[Window, ...]] = {}
    for item in module.items:
        if not isinstance(item, Function):
            continue
        for scope, instruction in scoped_instructions(context, outer, item):
            opcode = instruction.opcode
            windows = known.get(opcode)
            if windows is None:
                windows = fitting_windows(context, scope, opcode, instruction.operands).windows or opcode.windows
                if _whatever_operands(opcode):
                    known[opcode] = windows
            yield opcode.text, windows, instruction.pos
            for name in _names(instruction):
                if scope.find(name) is None and scope.find(name.partition(".")[0]) is None:
                    special = SPECIAL_REGISTERS.get(name)
                    if special is not None:
                        yield special.name, (special.window,), instruction.pos
                    elif name != "WARP_SZ":
                        undeclared[name] = None


def _whatever_operands(opcode: Opcode) -> bool:
    """Whether an opcode exists in the same places whatever its operands are."""
    if len({variant.windows() for variant in opcode.variants}) > 1:
        return False
    return not any(need.has for variant in opcode.variants for need in variant.compiled.form.needs)


def _names(instruction: Instruction) -> Iterator[str]:
    """The names of registers, variables, labels and functions in an instruction."""
    if instruction.guard is not None:
        yield instruction.guard.register.name
    for operand in instruction.operands:
        if isinstance(operand, Register):
            yield operand.name
        else:
            for part in walk(operand, Register, Symbol, Element):
                yield part.array if isinstance(part, Element) else part.name
