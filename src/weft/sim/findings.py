"""What a run finds wrong: raised at once, or kept while the run goes on.

Faults of some kinds leave the run in a state in which it can go on; each kind belongs to a check that can be left out.
The same pair of instructions is reported once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, get_args

from weft.errors import Severity, nearest
from weft.sim.faults import KernelFault, SimulationError

if TYPE_CHECKING:
    from weft.sim.site import Site

Report = Literal["first", "all"]
CheckName = Literal["races", "proxy", "uninitialised", "asynchronous", "registers", "copies", "limits"]
CHECKS: dict[str, frozenset[str]] = {
    "races": frozenset({"race"}),
    "proxy": frozenset({"proxy-fence", "wgmma-fence", "tensor-fence"}),
    "uninitialised": frozenset({"uninitialised-register", "uninitialised-memory"}),
    "asynchronous": frozenset({"asynchronous-read", "asynchronous-write"}),
    "registers": frozenset(),
    "copies": frozenset(),
    "limits": frozenset(),
}
"""The checks that can be left out, and the kinds of faults that belong to each.

Without `registers`, who uses a register that a product or `tcgen05.ld` has still to write waits for it first, as
assemblers see to: compilers move such uses in front of the wait.  Without `copies`, lanes may store different values to
one place of shared memory by one instruction: compilers of tiles let lanes that hold copies of an element, which may
differ in their last bits, all store it.
"""
MOST = 100
"""Findings after which a run ends."""
_CHECK_OF = {kind: check for check, kinds in CHECKS.items() for kind in kinds}


def chosen(checks: Iterable[str] | None) -> frozenset[str]:
    """The checks that are asked for, all of them for None.  Raises SimulationError for one that is unknown."""
    known: tuple[str, ...] = get_args(CheckName)
    if checks is None:
        return frozenset(known)
    if isinstance(checks, str):
        checks = checks.split(",")
    wanted = frozenset(map(str, checks))
    for name in sorted(wanted - set(known)):
        raise SimulationError(f"unknown check {name!r}", hint=nearest(name, known))
    return wanted


class Findings:
    """The findings of a run: those of `checks`, save those at lines, or in functions or variables, of `suppress`.

    A use of bytes that nothing has written is `held` while the run goes on: where another thread writes them later, and
    nothing orders the two, that is what is wrong, and it has two sides.
    """

    def __init__(
        self, checks: frozenset[str] | None = None, report: Report = "first", suppress: Sequence[int | str] = ()
    ) -> None:
        self.checks = chosen(None) if checks is None else checks
        self.keep = report == "all"
        self.suppress = frozenset(suppress)
        self.found: list[KernelFault] = []
        self.held: KernelFault | None = None
        self._seen: set[tuple[object, ...]] = set()

    def add(self, site: Site, fault: KernelFault) -> None:
        """An instruction does something wrong that lets the run go on.  Raises an error unless errors are kept."""
        if _CHECK_OF.get(fault.kind, "races") not in self.checks or self._suppressed(site, fault):
            return
        other = fault.other.line if fault.other is not None else 0
        error = fault.severity is Severity.ERROR
        key = None if other else fault.kind, site.instruction.pos, other, error
        if key in self._seen:
            return
        self._seen.add(key)
        if error and not self.keep:
            if self.held is None or self._names(fault):
                raise fault
            return
        self.found.append(fault)
        if not error:
            return
        if len(self.found) >= MOST:
            raise fault

    def hold(self, site: Site, fault: KernelFault) -> bool:
        """Keep a use of unwritten bytes until the run has ended; whether it was kept, and no error before it."""
        if self.held is None and not self.keep and "races" in self.checks and not self._suppressed(site, fault):
            self.held = fault if "uninitialised" in self.checks else None
        return self.held is not None

    def blamed(self, fault: KernelFault | None = None) -> KernelFault | None:
        """What a run has ended with: of what is held and what came after it, which followed from it."""
        held, self.held = self.held, None
        if held is None or fault is None:
            return fault or held
        if not concerns(held, fault):
            return held
        fault.hint += "; the bytes read have not been written yet"
        return fault

    def _names(self, fault: KernelFault) -> bool:
        return self.held is not None and concerns(self.held, fault)

    def end(self, fault: KernelFault) -> None:
        """The run has ended with a fault.  Raises it unless findings are kept."""
        if not self.keep:
            raise fault
        if fault not in self.found:
            self.found.append(fault)

    def _suppressed(self, site: Site, fault: KernelFault) -> bool:
        if not self.suppress:
            return False
        lines = {fault.position.line, fault.other.line if fault.other is not None else 0}
        if lines & self.suppress or site.activation.function.name in self.suppress:
            return True
        for name in self.suppress:
            place = site.names.place(name) if isinstance(name, str) else None
            if place is not None and fault.address is not None and 0 <= fault.address - place.address < place.size:
                return True
        return False


def concerns(held: KernelFault, fault: KernelFault) -> bool:
    """Whether a fault is a race of the instruction that has used unwritten bytes."""
    return fault.kind == "race" and held.place in (fault.place, fault.other_place)


def merged_findings(parts: Iterable[Iterable[KernelFault]]) -> tuple[KernelFault, ...]:
    """The findings of several runs, each pair of instructions once."""
    found: dict[tuple[object, ...], KernelFault] = {}
    for part in parts:
        for fault in part:
            other = fault.other.line if fault.other is not None else 0
            found.setdefault((None if other else fault.kind, fault.position.line, other, fault.severity), fault)
    return tuple(found.values())
