"""The table of variants, and the choice among them: in order, the first that does not decline."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from weft.dataclass import dataclass
from weft.errors import LayoutError
from weft.transforms.copy_dispatch import cp_async, explicit, fallback, gmem_smem, ldstmatrix, moves, registers
from weft.transforms.copy_dispatch.plan import Attempt, Plan
from weft.transforms.copy_dispatch.request import Copy, CopyError, Decline
from weft.transforms.copy_dispatch.turns import turned


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to copy: tried in order of descending priority, then of names; `forms` are tried in theirs.

    A form is its name, a predicate that gives the reason against it, and a planner that raises `Decline`.  A variant
    of priority 20 or above is tried only when it is asked for.
    """

    name: str
    priority: int
    forms: tuple[tuple[str, Callable[[Copy], str | None], Callable[[Copy], Plan]], ...]
    asynchronous: bool = False


EXPLICIT = 20

VARIANTS: tuple[Variant, ...] = tuple(
    sorted(
        (
            *(
                Variant(f"vec_{width}b", EXPLICIT, (("", explicit.predicate(width), explicit.planner(width)),))
                for width in explicit.WIDTHS
            ),
            Variant("ldstmatrix", 10, (("", ldstmatrix.predicate, ldstmatrix.plan),)),
            Variant(
                "vec_auto",
                10,
                (("gmem_smem", gmem_smem.predicate, gmem_smem.plan), ("reg", registers.predicate, registers.plan)),
            ),
            Variant("registers", 10, (("", moves.predicate, moves.plan),)),
            Variant("fallback", 0, (("", fallback.predicate, fallback.plan),)),
            Variant("ldgsts", 10, (("", cp_async.predicate, cp_async.plan),), asynchronous=True),
        ),
        key=lambda variant: (-variant.priority, variant.name),
    )
)
"""All variants, in the order in which they are tried."""


def dispatch(copy: Copy) -> Plan:
    """The plan of the first variant that can do a copy, with the trail of what was tried.

    Raises CopyError, with the reasons of all, when none can, and for a variant that there is not.
    """
    return _remembered(copy)


def choose(copy: Copy) -> Plan:
    """As `dispatch`, without looking whether the same copy was asked for before."""
    trail: list[Attempt] = []
    for variant in candidates(copy):
        found, attempt = tried(variant, copy)
        trail.append(attempt)
        if found is not None:
            return replace(turned(found, copy), trail=tuple(trail))
    raise CopyError(f"no variant can do this copy:\n{table(trail)}", hint=_hint(copy))


_remembered = lru_cache(maxsize=4096)(choose)


def candidates(copy: Copy) -> list[Variant]:
    """The variants to try; raises CopyError for a name that is none.

    A copy that may be asynchronous is done at once where no asynchronous variant can: whoever waits finds it done.
    """
    if copy.variant is None:
        usual = [each for each in VARIANTS if each.priority < EXPLICIT]
        waited_for = [each for each in usual if not each.asynchronous]
        return [each for each in usual if each.asynchronous] + waited_for if copy.asynchronous else waited_for
    named = [each for each in VARIANTS if each.name == copy.variant]
    if not named:
        names = ", ".join(each.name for each in VARIANTS)
        raise CopyError(f"no variant named '{copy.variant}'", hint=f"variants: {names}")
    if named[0].asynchronous != copy.asynchronous:
        raise CopyError(
            f"variant '{copy.variant}' is {'' if named[0].asynchronous else 'not '}asynchronous",
            hint="use copy for synchronous variants, copy_async for asynchronous ones",
        )
    return named


def tried(variant: Variant, copy: Copy) -> tuple[Plan | None, Attempt]:
    """A variant's plan, or the reasons of its forms."""
    reasons: list[str] = []
    declined = False
    for name, predicate, planner in variant.forms:
        try:
            reason = predicate(copy)
            if reason is None:
                return planner(copy), Attempt(variant.name, "chosen")
        except (Decline, LayoutError) as error:
            reason, declined = error.message if isinstance(error, LayoutError) else str(error), True
        reasons.append(f"{name}: {reason}" if name else reason)
    return None, Attempt(variant.name, "declined" if declined else "rejected", "; ".join(reasons))


def table(trail: list[Attempt]) -> str:
    """A line for each variant with its reason."""
    width = max(len(each.variant) for each in trail)
    return "\n".join(f"  {each.variant:<{width}}  {each.outcome}: {each.reason}" for each in trail)


def _hint(copy: Copy) -> str:
    (src, dst), scope = copy.spaces, copy.scope
    return (
        f"{scope} copy from {src} {copy.src.layout} to {dst} {copy.dst.layout} of {copy.src.element} on {copy.target}"
    )
