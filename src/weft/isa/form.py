"""The declarative model of the ISA table: families, forms, rows and operands.

A `Family` is what one chapter of the PTX manual's instruction set describes: a stem (`ldmatrix`, `cp.async.bulk`) and
its forms.  A `Form` is one syntax line in the manual's notation:

    Form("ldmatrix.sync.aligned.shape.num{.trans}{.ss}.type {r}, [p]", slots={"shape": "m8n8", ...}, rows=(...))

Dotted words of the opcode that are slots stand for their tokens, the rest are literal; braces make a slot optional.
A word in braces that is not declared is a flag.  The operands follow in the manual's notation: `d` a register,
`[a]` an address, `{d}` a vector, `{a, b}` a vector of unlike elements, `d|p` a pair, `!p` a predicate that may be
negated, `{, c}` an optional operand.

The syntax says what can be spelled; `rows` say which combinations are legal and the window of each (a form is legal
where at least one row admits it); `needs` narrow the window for single tokens; `rules` forbid or demand tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from weft.dataclass import dataclass
from weft.isa.target import ALWAYS, Window, window

Slots = Mapping[str, str]
"""Slot name to the token it holds, without the dot; a flag that is set holds its own name, an absent slot ''."""

Constraint = Mapping[str, Any]
"""Slot name to `"a|b"` (one of these), True (present), False (absent), or a predicate on the token."""


def _matcher(constraint: Constraint) -> Callable[[Slots], bool]:
    tests = [(name, _test(wanted)) for name, wanted in constraint.items()]

    def matches(slots: Slots) -> bool:
        for name, test in tests:  # noqa: SIM110  # A loop, as a generator takes twice as long.
            if not test(slots.get(name, "")):
                return False
        return True

    return matches


def _test(wanted: Any) -> Callable[[str], bool]:
    if callable(wanted):
        return lambda token: bool(wanted(token))
    if wanted is True:
        return bool
    return frozenset(wanted.split("|") if wanted else ("",)).__contains__


def fits(wanted: Any, token: str) -> bool:
    """Whether a slot's token is what a constraint wants of it."""
    return _test(wanted)(token)


@dataclass(frozen=True, eq=False)
class Row:
    """A legal combination of slot tokens and where it exists; `where` is a further condition on the slots."""

    when: Constraint
    window: Window
    where: Callable[[Slots], bool] | None = None
    has: frozenset[str] = frozenset()
    matches: Callable[[Slots], bool] = field(init=False)

    def __post_init__(self) -> None:
        test, where = _matcher(self.when), self.where

        def matches(slots: Slots) -> bool:
            return test(slots) and (where is None or where(slots))

        object.__setattr__(self, "matches", matches)

    def mismatches(self, slots: Slots) -> list[str]:
        """The slots whose tokens keep this row from matching."""
        return [name for name, wanted in self.when.items() if not _matcher({name: wanted})(slots)]


def row(
    *, ptx: str = "1.0", sm: str = "", until: str = "", where: Callable[[Slots], bool] | None = None, **when: Any
) -> Row:
    """A legal combination: `row(shape="m8n8", num="x1|x2", trans=True, ptx="6.5", sm="75+")`.

    Slots not named may hold anything.  `sm` is in `target_set` notation; `until` is the last PTX version that has it.
    """
    return Row(when, window(ptx, sm, until), where)


def need(
    *, ptx: str = "1.0", sm: str = "", has: str = "", where: Callable[[Slots], bool] | None = None, **when: Any
) -> Row:
    """A narrowing: an opcode that matches exists only inside this window as well.

    `has` names optional operands (blank-separated): the need then applies when one of them is written.
    """
    return Row(when, window(ptx, sm), where, frozenset(has.split()))


@dataclass(frozen=True, eq=False)
class Rule:
    """Whatever matches `when` must also match `then` (None: must not occur); `why` is the message."""

    when: Callable[[Slots], bool]
    then: Callable[[Slots], bool] | None
    why: str

    def broken_by(self, slots: Slots) -> bool:
        """Whether these slots break the rule."""
        return self.when(slots) and not (self.then is not None and self.then(slots))


def forbid(why: str, *, where: Callable[[Slots], bool] | None = None, **when: Any) -> Rule:
    """A combination that is illegal: `forbid(".relaxed cannot be combined with .ca", sem="relaxed", cop=True)`."""
    test = _matcher(when)
    return Rule(test if where is None else lambda slots: test(slots) and where(slots), None, why)


def demand(why: str, when: Constraint, then: Constraint) -> Rule:
    """A combination that demands another: `demand(".acquire needs a scope", {"sem": "acquire"}, {"scope": True})`."""
    return Rule(_matcher(when), _matcher(then), why)


WORD_SPACES = frozenset({"tmem", "fabric"})
"""What is addressed by a 32-bit number in a register: tensor memory, and the endpoints of a fabric."""

Where = bool | Callable[[Slots], bool] | tuple[Row, ...]
"""A truth, a function of the slots, or the rows where something holds."""

TypeOf = str | Callable[[Slots], str]
"""A type name, the name of a slot that holds it, or a function of the slots."""


@dataclass(frozen=True, eq=False)
class Arg:
    """What an operand must be.  Fields left at None take the default of the notation in the syntax line.

    - `type`: the operand's type (of each element, for vectors), see `TypeOf`.
    - `count`: the number of elements of a vector operand; a number, or a function of the slots.
    - `access`: `r`, `w` or `rw`.
    - `imm`: an immediate is allowed; `reg`: a register is allowed.
    - `values`: for immediates: a range, a collection of allowed values, or a function of the slots giving one.
    - `wider`: the register may be wider than the type (conversions).
    - `loose`: only the register's width counts, and it may be wider (loads and stores).
    - `special`: a special register may be here (`mov`, `cvt`).
    - `space`: for addresses: the state space, or the name of the slot that holds it, or `texture` or `surface` where
      the address is a handle.
    - `within`: for addresses: the state space that a variable named there must lie in, even in a generic address.
    - `wide`: for addresses: a generic or global one must be as wide as the module's addresses are.
    - `narrow`: for addresses: ptxas takes registers of 8 and 16 bits (a truth, or a function of the slots).
    - `uniform`: for vectors: registers of one kind and no special ones, none of them twice where they are written.
    - `exact`: for vectors: a literal that leads leaves none of the widths behind it open, and no predicate is in them.
    - `kindred`: for vectors: beside a literal, registers of its kind, as wide as the type unless the literal leads.
    - `unified`: for addresses in global memory: `[a].unified` is allowed.
    - `sink`: `_` is allowed (a truth, or a function of the slots).
    - `label` / `symbol`: the operand names a label, or a variable or function.
    - `select`: a regular expression for the component selectors that may follow the register (`b0` of `%r1.b0`).
    - `directive`: the operand names a labelled directive of one of these kinds (blank-separated).
    - `lenient`: ptxas takes more here than the manual allows (blank-separated, or a function of the slots): a `scalar`
      in place of a vector, a `longer` vector in place of a scalar or a shorter one, a `shorter` one, any `type` of
      register as an address (a `wide` one of 128 bits too), one that is `bare` of brackets, a wide `register` in place
      of one or of `_`, a `number` in its brackets, an integer `literal` in place of one, of a vector or of a register,
      an optional operand that is `absent`, one that should not be `present`, a `predicate` or `0f...` in place of a
      32-bit register, a `float` (`0f...`) alone in place of one, `predicates` beside others in a vector, `more` than
      the largest value, a value that `wraps` at 32 bits into one that is allowed, a scalar `braced` as a vector of one.
    - `whole`: a register plus a number (`%r1+4`) is not taken, as it is by most instructions (see `Where`): ptxas
      replaces such an instruction by a text of its own, into which the operand does not fit.  Neither fit predicates
      for numbers, `_` for elements of results, a special register as an address, nor a double such as `1.0` for 32 bits
      in a vector.
    - `called`: for vectors: ptxas passes the elements to a function of its own, which takes no predicates and no
      special registers that are components (`%tid.x`) or of 64 bits (see `Where`).
    - `strict`: for vectors: nothing but registers of the type is taken (see `Where`).
    - `when`: for an optional operand, the slot whose presence (or a function of the slots whose truth) demands it: it
      must then be written, and may not be otherwise.
    """

    type: TypeOf | None = None
    count: int | Callable[[Slots], int] | None = None
    access: str | None = None
    imm: bool | None = None
    reg: bool | None = None
    values: Any = None
    wider: bool = False
    loose: bool = False
    special: bool = False
    space: str | None = None
    within: str = ""
    wide: bool = False
    narrow: bool | Callable[[Slots], bool] = True
    uniform: bool = False
    exact: bool = False
    kindred: bool = False
    unified: bool = False
    sink: bool | Callable[[Slots], bool] = False
    label: bool = False
    symbol: bool = False
    select: str = ""
    directive: str = ""
    lenient: str | Callable[[Slots], str] = ""
    whole: Where = False
    called: Where = False
    strict: Where = False
    when: str | Callable[[Slots], bool] = ""


@dataclass(frozen=True)
class Effects:
    """What an instruction does beyond its destination registers.

    `memory` holds letters: `r` reads, `w` writes; `space` is a state space or a slot name; `collective` is `warp`,
    `warpgroup`, `cta` or `cluster` where threads act together; `control` marks branches, calls and returns;
    `barrier` marks ordering points; `volatile` marks reads that may not be merged (clocks, random state); `carry` says
    how the condition-code register's carry bit is used: `r`, `w` or `rw`.
    """

    memory: str = ""
    space: str = ""
    collective: str = ""
    control: str = ""
    barrier: bool = False
    volatile: bool = False
    carry: str = ""


PURE = Effects()


@dataclass(frozen=True, eq=False)
class Form:
    """One syntax line with its slots, legal rows, narrowings, rules and operand facts (see the module's docstring).

    `omissible` is a modifier, or a slot, that the manual demands and ptxas does not.
    """

    syntax: str
    slots: Mapping[str, str] = field(default_factory=dict[str, str])
    args: Mapping[str, Arg] = field(default_factory=dict[str, Arg])
    rows: tuple[Row, ...] = ()
    needs: tuple[Row, ...] = ()
    rules: tuple[Rule, ...] = ()
    ptx: str = "1.0"
    sm: str = ""
    until: str = ""
    effects: Effects | None = None
    omissible: str = ""

    @property
    def window(self) -> Window:
        """The window that holds for every row of the form."""
        return window(self.ptx, self.sm, self.until) if (self.ptx, self.sm, self.until) != ("1.0", "", "") else ALWAYS


@dataclass(frozen=True, eq=False)
class Family:
    """A family of instruction forms that share a stem and a chapter of the manual.

    `manual` is the anchor of the chapter in the PTX ISA manual; `summary` one sentence; `semantics` short pseudo-code
    where it helps; `leading` holds modifiers that belong to the instruction's name for ptxas, blank-separated: they
    stand before all others.
    """

    stem: str
    summary: str
    forms: tuple[Form, ...]
    manual: str = ""
    semantics: str = ""
    effects: Effects = PURE
    leading: str = ""
