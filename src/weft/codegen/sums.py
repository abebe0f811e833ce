"""Putting linear expressions into registers and addresses.

A sum is built from the outermost loop's terms inwards, so that each partial sum is hoisted as far as it can go; terms
that fit 32 bits together are summed in 32 bits and widened by the multiplication that scales them (`mad.wide`).  In a
loop over a 64-bit counter, a sum that the counter moves is kept in a register of its own that steps with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, groupby
from math import gcd
from typing import Any

from weft.codegen import linear
from weft.codegen.builder import Builder, known
from weft.codegen.graph import B32, B64, Addr, Carried, Induction, Inst, Loop, Value
from weft.codegen.knownbits import without_carry
from weft.codegen.lifting import lifted
from weft.codegen.linear import Lin, Term
from weft.codegen.nowrap import SIGNED, UNSIGNED, Sure, kept
from weft.codegen.reading import read_in
from weft.codegen.remainders import reached
from weft.codegen.uniform import is_uniform
from weft.isa import opcode
from weft.ptx.operands import Symbol

_S32 = (-(1 << 31), (1 << 31) - 1)
_U32_MAX = (1 << 32) - 1
_MOST_PAIRED = 5
"""The terms of the longest sum of which any two are looked for."""
_NEAR = 64
"""Instructions of a block after which no sum is made of another of the same terms."""
IMMEDIATE_LIMIT = 1 << 31
"""Offsets in `[register+offset]` are signed 32-bit."""


def extension(lo: int, hi: int) -> str:
    """How a value in these bounds extends from 32 bits: `u`, `s`, or an empty string if it does not fit."""
    if lo >= 0:
        return "u" if hi <= _U32_MAX else ""
    return "s" if lo >= _S32[0] and hi <= _S32[1] else ""


def power(n: int) -> int:
    """k if n = 2^k, else -1."""
    return n.bit_length() - 1 if n > 0 and n & (n - 1) == 0 else -1


class Sums(Builder):
    """A builder that materialises `Lin`s."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[Value, int] = {}
        """Products that several addresses begin with, and in which order: they share the sum of a pointer and these."""
        self.behind: dict[Value, dict[Value, Value | None]] = {}
        """By a register that steps, the sums of it and of what the loop leaves alone, and of what."""

    _starting = False
    """Whether the sum is where a register starts that steps with a loop: made of what the loop's counter is made of, it
    would share a register with it in ptxas, which then copies both in every iteration.
    """

    def operand(self, lin: Lin) -> Value | int:
        """The expression as an operand: an immediate if it is constant, else a register of its width."""
        return lin.const if not lin.terms else self.int_value(lin)

    def int_value(self, lin: Lin) -> Value:
        """The expression in a register of its width."""
        terms = lin.terms
        if len(terms) == 1 and not lin.const and terms[0][1] == 1:
            return terms[0][0]
        if not terms:
            return self.register(lin.const, B32 if lin.bits == 32 else B64)
        key = lin.key()
        found = known(self.block, key) or lifted(self.block, key)
        if found is not None:
            return found
        around = self.block  # Not by `at`: this is where most time goes.
        home = around
        # Another branch has computed the same: computed once before both, it costs what one of them costs.
        if around.parent is not None and key in around.parent.seen:
            home = self.block = self.shared_home(around, key, (term[0] for term in terms))
        made = (self._multiple_of_held(lin) if len(terms) > 1 else None) or lin
        value = (self._beside(lin) or self._sum32(made)) if lin.bits == 32 else self._sum64(made)
        home.known[key] = value
        if self.block.loops and len(terms) > 1:
            home.known.setdefault(
                (lin.bits, terms), (value, lin.const, len(home.items))
            )  # The first: a chain would wait for each.
        self.block = around
        if value.sum is None:
            value.sum = lin
        return value

    def compared_sum(self, a: Lin, b: Lin) -> Lin:
        """A sum that is compared with an operand, so that both are needed in registers.

        One of 64 bits is made of the operands, not of what they are sums and products of, which would be computed again
        for it and for what it is added to.
        """
        if a.bits != 64 or a.is_const or b.is_const:
            return linear.add(a, b)
        return linear.of(self.pure(opcode("add", type="s64"), B64, *_ordered(self.int_value(a), self.int_value(b))))

    def _beside(self, lin: Lin) -> Value | None:
        """The sum as another of the same terms and a constant: one instruction, and no register that the loop around
        keeps for the constant and what it leaves alone.

        Only of one not far before it: others would keep their registers until here.
        """
        found = self.block.known.get((32, lin.terms)) if self.block.loops and len(lin.terms) > 1 else None
        if found is None:
            return None
        value, const, place = found
        if len(self.block.items) - place > _NEAR:
            return None
        return self._bounded(self.pure(_ADD, B32, value, linear.const32(lin.const - const).const), lin)

    def truncated(self, lin: Lin) -> Lin:
        """The low 32 bits of a 64-bit expression: truncation distributes over sums and products."""
        if lin.bits == 32:
            return lin
        terms: dict[Value, int] = {}
        for value, coefficient in lin.terms:
            low = self.narrowed(value)
            terms[low] = terms.get(low, 0) + coefficient
        return linear.rebuild(32, terms, lin.const)

    def extended(self, lin: Lin, *, signed: bool) -> Lin:
        """A 32-bit expression read as signed or unsigned and extended to 64 bits."""
        if lin.bits == 64:
            return lin
        # The sum never wraps, so the extended sum is the sum of the extended terms, and terms can be shared one by one.
        if lin.exact and (signed or lin.lo >= 0):
            terms = {self.widened(value, signed=True): c for value, c in lin.terms}
            return linear.rebuild(64, terms, lin.const)
        if not lin.terms:
            return linear.const(lin.const if signed else lin.const & _U32_MAX)
        if lin.const:
            base, offset = without_carry(lin)
            if offset:
                return linear.offset(self.extended(base, signed=signed), offset)
        way = SIGNED if signed else UNSIGNED
        if signed and isinstance(lin, Sure) and lin.product is not None and (apart := self._apart(lin, *lin.product)):
            return apart
        if len(lin.terms) > 1 and kept(lin) & way and self._moves(lin, way):
            terms = {self.widened(value, signed=signed): c for value, c in lin.terms}
            return linear.rebuild(64, terms, lin.const if signed else lin.const & _U32_MAX)
        if lin.const and kept(lin) & way:
            base = self.extended(Lin(32, lin.terms, 0), signed=signed)
            return linear.offset(base, lin.const if signed else lin.const & _U32_MAX)
        value = self.int_value(lin)
        return linear.of(self.widened(value, signed=signed))

    def _apart(self, lin: Sure, product: Value, by: Value, others: tuple[Term, ...]) -> Lin | None:
        """x * w + y + k * w, read signed, as the first two, which a register holds, and the multiple.

        The first two do not wrap: they lie between y and the sum, for x * w and k * w have one sign.
        """
        count = dict(lin.terms).get(by, 0)
        rest = tuple(term for term in lin.terms if term[0] is not by)
        if lin.const or count < 1 or {*rest} != {(product, 1), *others}:
            return None
        held = known(self.block, (32, rest, 0)) if others else product
        if held is None:
            return None
        return linear.add(linear.of(self.widened(held, signed=True)), linear.of(self.widened(by, signed=True)), count)

    def _moves(self, lin: Lin, way: int) -> bool:
        """Whether one of the terms steps with a loop that leaves the others alone."""
        found = [value for value, _ in lin.terms if self._steps(value)]
        if len(found) != 1 or not (moved := found[0].induction) or not moved.kept & way:
            return False
        return all(v is found[0] or v.block.nested < moved.loop.body.nested for v, _ in lin.terms)

    # -- 32 bits ------------------------------------------------------------------------------------------------

    def _sum32(self, lin: Lin) -> Value:
        acc: Value | None = None
        if len(lin.terms) > 2 and (found := self._but_one(lin)) is not None:
            return self.int_value(found)
        if len(lin.terms) == 2 and (product := self._product_of_held(lin)) is not None:
            return product
        if len(lin.terms) > 1 and linear.all_negative(lin.terms) and (held := known(self.block, _negated(lin).key())):
            return self.pure(opcode("neg", type="s32"), B32, held, lo=lin.lo, hi=lin.hi)
        # Partial sums of outer terms come first: `pure` puts each into the outermost block that has its operands, which
        # is hoisting.
        terms = sorted(lin.terms, key=_outermost_first) if self.block.loops else [*lin.terms]
        # Starting with a positive term saves a negation: a - b is one `sub`, -b + a would be two instructions.
        if len(terms) > 1 and terms[0][1] < 0:
            positive = next(
                (i for i, t in enumerate(terms) if t[1] > 0 and t[0].block.depth == terms[0][0].block.depth), 0
            )
            terms.insert(0, terms.pop(positive))
        if len(terms) == 1 and terms[0][1] == -1:
            value = terms[0][0]
            if lin.const == 0:
                return self.pure(opcode("neg", type="s32"), B32, value, lo=lin.lo, hi=lin.hi)
            return self.pure(opcode("sub", type="s32"), B32, lin.const, value, lo=lin.lo, hi=lin.hi)
        rest = lin.const
        for value, coefficient in terms:
            if rest and acc is not None and value.block.depth > acc.block.depth:
                # The constant joins the part that is computed outside the loop.
                acc, rest = self.pure(opcode("add", type="s32"), B32, acc, rest), 0
            acc = self._add_scaled32(acc, value, coefficient)
        assert acc
        if rest:
            acc = self.pure(opcode("add", type="s32"), B32, acc, rest)
        return self._bounded(acc, lin)

    def _product_of_held(self, lin: Lin) -> Value | None:
        """x * v + k * v as one product, if a register holds x + k: as where a row's number is compared, too."""
        for (product, one), (value, count) in (lin.terms, lin.terms[::-1]):
            inst = product.inst
            if one != 1 or lin.const or inst is None or inst.opcode is not _PRODUCT or value not in inst.args[1:]:
                continue
            other: Any = inst.args[1] if inst.args[2] is value else inst.args[2]
            if type(other) is not Value:
                continue
            held = known(self.block, (_ADD.text, (other, count)))
            if type(held) is Value:
                first, second = (held, value) if held.id < value.id else (value, held)
                return self._bounded(self.pure(_PRODUCT, B32, first, second), lin)
        return None

    def _but_one(self, lin: Lin) -> Lin | None:
        """The same as fewer terms, if a register holds the sum of all terms but one, or of two of some."""
        for term in lin.terms:
            rest = tuple(other for other in lin.terms if other is not term)
            for const in {lin.const, 0}:
                held = known(self.block, (32, rest, const))
                if held is not None:
                    return linear.add(Lin(32, (term,), lin.const - const), linear.of(held))
        if 3 < len(lin.terms) <= _MOST_PAIRED:
            for pair in combinations(lin.terms, 2):
                held = known(self.block, (32, pair, 0))
                if held is not None:
                    rest = tuple(other for other in lin.terms if other not in pair)
                    return linear.add(Lin(32, rest, lin.const), linear.of(held))
        return None

    def _add_scaled32(self, acc: Value | None, value: Value, coefficient: int) -> Value:
        if acc is None:
            return value if coefficient == 1 else self._scaled32(value, coefficient)
        if coefficient == 1:
            return self.pure(opcode("add", type="s32"), B32, *_ordered(acc, value))
        if coefficient == -1:
            return self.pure(opcode("sub", type="s32"), B32, acc, value)
        return self.pure(opcode("mad", mode="lo", type="s32"), B32, value, coefficient, acc)

    def _scaled32(self, value: Value, by: int) -> Value:
        lo, hi = sorted((value.lo * by, value.hi * by))
        bounds = {"lo": lo, "hi": hi} if lo >= _S32[0] and hi <= _S32[1] else {}
        if by == -1:
            return self.pure(opcode("neg", type="s32"), B32, value, **bounds)
        shift = power(by)
        if shift >= 0:
            return self.pure(opcode("shl", type="b32"), B32, value, shift, **bounds)
        for letter, factor in (("u", by & _U32_MAX), ("s", by)):
            wide = known(self.block, (opcode("mul", mode="wide", type=f"{letter}32").text, (value, factor)))
            if wide is not None:  # Its lower half costs nothing.
                return self.narrowed(wide)
        return self.pure(opcode("mul", mode="lo", type="s32"), B32, value, by, **bounds)

    @staticmethod
    def _bounded(value: Value, lin: Lin) -> Value:
        if lin.exact:
            value.lo, value.hi = max(value.lo, lin.lo), min(value.hi, lin.hi)
        return value

    # -- 64 bits ------------------------------------------------------------------------------------------------

    def _sum64(self, lin: Lin) -> Value:
        # The whole sum fits 32 bits: added there and widened once, which costs half of adding in 64 bits (two
        # instructions each in SASS).
        kind = extension(lin.lo, lin.hi) if lin.exact else ""
        if kind and all(value.narrow for value, _ in lin.terms):
            return self.widened(self.int_value(self.truncated(lin)), signed=kind == "s")
        acc = self._further(lin.terms) or self._terms64(lin.terms)
        if acc is None:
            return self.register(lin.const, B64)
        if lin.const:
            acc = self.pure(opcode("add", type="s64"), B64, acc, lin.const)
        return self._bounded(acc, lin)

    def _further(self, terms: tuple[Term, ...]) -> Value | None:
        """The sum as one that a register holds and a multiple of what a loop leaves alone: the row behind another."""
        if len(terms) < 3 or self._starting or not self.block.loops:
            return None
        unit = gcd(*(c for value, c in terms if not value.space))
        for term in terms:
            value, count = term
            if value.narrow is None or value.block.depth == self.block.depth or count < unit or not unit:
                continue
            less = ((value, count - unit),) if count > unit else ()
            rest = tuple(part for one in terms for part in (less if one is term else (one,)))
            held = known(self.block, (64, rest, 0))
            if held is not None and held.block.depth == self.block.depth:
                return self._add_wide(held, value.narrow, unit, signed=value.lo < 0)
        return None

    def _multiple_of_held(self, lin: Lin) -> Lin | None:
        """The same as a multiple of a sum of several terms that a register holds."""
        factor = gcd(*(c for _, c in lin.terms))
        if factor == 1:
            return None
        held = known(self.block, (lin.bits, tuple((v, c // factor) for v, c in lin.terms), 0))
        return None if held is None else Lin(lin.bits, ((held, factor),), lin.const)

    def _terms64(self, terms: tuple[Term, ...]) -> Value | None:
        acc: Value | None = None
        done: tuple[Term, ...] = ()
        ordered = sorted(terms, key=_outermost_first)
        steps = any(value.space for value, _ in terms)
        for _, group in groupby(ordered, key=lambda term: term[0].block.depth):
            level = tuple(group)
            moved = tuple(term for term in level if steps and self._steps(term[0]))
            if all(map(_is_cheap, moved)) or self._is_copied(done, moved):
                moved = ()
            rest = tuple(term for term in level if term not in moved)
            if moved and any(_strides(value.induction) for value, _ in moved):
                acc = self._behind(acc, moved)
            elif moved:
                acc = self._stepped((*done, *moved), acc)
            if rest:
                acc = self._level64(acc, rest)
            done = (*done, *level)
            if steps and acc is not None and acc.sum is None and self.behind:
                acc.sum = linear.rebuild(64, dict(done), 0)
        return acc

    def _is_copied(self, done: tuple[Term, ...], moved: tuple[Term, ...]) -> bool:
        """Whether what would step is the same in all lanes, and read in loops further in: there ptxas copies it."""
        if not moved or self.block.depth <= moved[0][0].block.depth:
            return False
        if any(_strides(value.induction) for value, _ in moved):
            return False
        return all(is_uniform(value) for value, _ in (*moved, *done))

    def _level64(self, acc: Value | None, terms: tuple[Term, ...]) -> Value:
        """acc + the terms of one loop depth."""
        narrow = [t for t in terms if t[0].narrow]
        products = [t for t in terms if not t[0].narrow and _is_product(t[0])]
        plain = [t for t in terms if not t[0].narrow and not _is_product(t[0])]
        pointers = [t for t in plain if t[1] == 1 and t[0].space]
        strides = [t for t in plain if not (t[1] == 1 and t[0].space)]
        if rows := sorted((t for t in products if t[0] in self.rows), key=lambda term: self.rows[term[0]]):
            for value, coefficient in (*pointers, *rows):
                acc = self._add_scaled64(acc, value, coefficient)
            products, pointers = [t for t in products if t not in rows], []
        if products:
            factor = gcd(*(c for _, c in (*narrow, *products)))
            if linear.all_negative((*narrow, *products)):  # The sum of what is taken away may be there.
                factor = -factor
            # What a product is added to costs nothing: the other terms come first, but not those of addresses, of which
            # others may have all but these.
            joined = [t for t in strides if t[1] % factor == 0 and not pointers and acc is None]
            strides = [t for t in strides if t not in joined]
            inner = self._narrow_sum(self._strided(joined, factor), narrow, factor)
            for value, coefficient in products:
                inner = self._add_product(inner, value, coefficient // factor)
            assert inner
            for value, _ in pointers:
                acc = value if acc is None else self.pure(opcode("add", type="s64"), B64, *_ordered(acc, value))
            acc = self._add_scaled64(acc, inner, factor)
        else:
            for value, _ in pointers:
                acc = value if acc is None else self.pure(opcode("add", type="s64"), B64, *_ordered(acc, value))
            acc = self._narrow_sum(acc, narrow, 1)
        if len(strides) > 1:  # Several arrays with the same indices share their sum.
            factor = gcd(*(c for _, c in strides))
            inner = self._strided(strides, factor)
            assert inner
            return self._add_scaled64(acc, inner, factor)
        for value, coefficient in strides:
            acc = self._add_scaled64(acc, value, coefficient)
        assert acc
        return acc

    def _strided(self, terms: list[Term], factor: int) -> Value | None:
        """The sum of 64-bit terms, coefficients divided by `factor`; None of none."""
        acc: Value | None = None
        for value, coefficient in terms:
            acc = self._add_scaled64(acc, value, coefficient // factor)
        return acc

    def _narrow_sum(self, acc: Value | None, terms: list[Term], divisor: int) -> Value | None:
        """acc + the sum of widened 32-bit values, coefficients divided by `divisor`."""
        if not terms:
            return acc
        factor = gcd(*(c for _, c in terms))
        if linear.all_negative(terms):
            factor = -factor
        total = linear.rebuild(64, {v: c // factor for v, c in terms}, 0)
        kind = extension(total.lo, total.hi) if total.exact else ""
        if not kind:
            held = known(self.block, total.key())
            if held is not None and not self._starting:
                return self._add_scaled64(acc, held, factor // divisor)
            if len(terms) == 1:
                value, coefficient = terms[0]
                return self._add_scaled64(acc, value, coefficient // divisor)
            several = _fitting(terms)
            for term in terms:
                if term not in several:
                    acc = self._narrow_sum(acc, [term], divisor)
            return self._narrow_sum(acc, several, divisor)
        small = self.int_value(self.truncated(total))
        if small.lo >= 0:
            kind = "u"
        return self._add_wide(acc, small, factor // divisor, signed=kind == "s")

    def _add_wide(self, acc: Value | None, small: Value, factor: int, *, signed: bool) -> Value:
        # `mul.wide` reads the factor as the type of the other operand: a negative one needs the signed form.
        fits = _S32[0] <= factor <= _S32[1] if signed else 0 <= factor <= _U32_MAX
        if factor != 1 and fits:
            letter = "s" if signed else "u"
            product = self.pure(opcode("mul", mode="wide", type=f"{letter}32"), B64, small, factor)
            return product if acc is None else self.pure(opcode("add", type="s64"), B64, acc, product)
        return self._add_scaled64(acc, self.widened(small, signed=signed), factor)

    def _add_product(self, acc: Value | None, product: Value, coefficient: int) -> Value:
        inst = product.inst
        # Of `mad.wide` ptxas makes more than of the product and the sum, where it keeps factors in uniform registers.
        if acc is None or coefficient != 1 or inst is None or inst.opcode is not _PRODUCTS[0]:
            return self._add_scaled64(acc, product, coefficient)
        return self.pure(opcode("mad", mode="lo", type="s64"), B64, inst.args[1], inst.args[2], acc)

    def _add_scaled64(self, acc: Value | None, value: Value, coefficient: int) -> Value:
        if coefficient == 1:
            return value if acc is None else self.pure(opcode("add", type="s64"), B64, *_ordered(acc, value))
        if coefficient == -1:
            if acc is None:
                return self.pure(opcode("neg", type="s64"), B64, value)
            return self.pure(opcode("sub", type="s64"), B64, acc, value)
        shift = power(abs(coefficient))
        if shift < 0:
            if acc is None:
                return self.pure(opcode("mul", mode="lo", type="s64"), B64, value, coefficient)
            return self.pure(opcode("mad", mode="lo", type="s64"), B64, value, coefficient, acc)
        shifted = self.pure(opcode("shl", type="b64"), B64, value, shift)
        return self._add_scaled64(acc, shifted, 1 if coefficient > 0 else -1)

    # -- values that step with a loop ---------------------------------------------------------------------------

    def _steps(self, value: Value) -> bool:
        """Whether a value steps with a loop around this place."""
        return value.induction is not None and value.induction.loop.body in self.block.loops

    def _stepped(self, terms: tuple[Term, ...], acc: Value | None) -> Value:
        """A register that holds the sum of `terms` in every iteration; `acc` holds those that the loop leaves alone."""
        inductions = [(value.induction, c) for value, c in terms if value.induction and value.block.loops]
        loop: Loop = max((i.loop for i, _ in inductions), key=lambda found: found.body.nested)
        found = loop.steps.get(terms)
        if found is not None:
            return found
        start = linear.const(0) if acc is None else linear.of(acc)
        step = linear.const(0)
        for induction, coefficient in inductions:
            # Counters of loops further out do not change in this loop: they are in `acc`, as part of where the register
            # starts.
            if induction.loop is loop:
                start = linear.add(start, induction.start, coefficient)
                step = linear.add(step, induction.step, coefficient)
        outside = loop.body.parent
        assert outside
        with self.at(outside):
            self._starting = True
            first, by = reached(loop, terms) or self.operand(start), self.operand(step)
            self._starting = False
        value = Value(B64, loop.body)
        value.space = acc.space if acc is not None else ""
        value.induction = Induction(loop, start, step)
        following = Value(B64, loop.body)
        following.inst = Inst(opcode("add", type="s64"), (following,), (following, value, by), self.source)
        loop.carried.append(Carried(value, first, following))
        loop.steps[terms] = value
        return value

    def _behind(self, acc: Value | None, moved: tuple[Term, ...]) -> Value:
        """acc and terms of a counter whose step is known as the loop runs: the sum of a register that steps and of acc.

        Such a step lies in uniform registers, and ptxas copies each pair that it is added to for every access: where
        there are several addresses, they share what steps.
        """
        offset = self._stepped(moved, None)
        found = offset
        if acc is not None:
            found = self.pure(opcode("add", type="s64"), B64, *_ordered(acc, offset))
            found.space = acc.space
        self.behind.setdefault(offset, {})[found] = acc
        return found

    def step_alone(self, loop: Loop) -> None:
        """Let the only address that is behind a register that steps be what steps; the loop's body is complete."""
        if not self.behind or not any(offset in self.behind for offset in loop.steps.values()):
            return
        read = read_in(loop)
        for terms, offset in loop.steps.items():
            ((found, acc), *others) = self._read_behind(offset, loop, read)
            if others or acc is None or found.inst is None or found.block is not loop.body or offset.induction is None:
                continue
            loop.body.items.remove(found.inst)
            outside = loop.body.parent
            assert outside
            with self.at(outside):
                self._starting = True
                first = self.int_value(_started(acc, offset.induction.start))
                self._starting = False
            entry = next(entry for entry in loop.carried if entry.value is offset)
            entry.value, entry.start, found.inst = found, first, None
            entry.next.inst.args = (entry.next, found, entry.next.inst.args[2])
            loop.steps[terms] = found

    def _read_behind(self, offset: Value, loop: Loop, read: set[Value] | None) -> Sequence[tuple[Value, Value | None]]:
        """The sums behind a register that steps; those that inner loops no longer start from are left out."""
        found = self.behind.pop(offset, {offset: None})
        if read is None or len(found) == 1:
            return [*found.items()]
        dead = [value for value in found if value not in read and value.inst and value.block is loop.body]
        for value in dead[: len(found) - 1]:
            assert value.inst
            loop.body.items.remove(value.inst)
            del found[value]
        return [*found.items()]

    # -- addresses ----------------------------------------------------------------------------------------------

    def address(self, lin: Lin) -> Addr:
        """The expression as a memory operand `[base+offset]`."""
        base: Any
        if not lin.terms:
            return Addr(self.register(lin.const, B64 if lin.bits == 64 else B32))  # PTX takes a number in .local only.
        inside = self._kept_inside(lin)
        offset = lin.const - inside
        if not -IMMEDIATE_LIMIT <= offset < IMMEDIATE_LIMIT:
            return Addr(self.int_value(lin))
        base = self.int_value(Lin(lin.bits, lin.terms, inside))
        return Addr(symbol_of(base) or base, offset)

    @staticmethod
    def _kept_inside(lin: Lin) -> int:
        """How much of the constant stays in the register, so that the register itself is no negative address.

        That matters where addresses start at 0: in the windows that are not global memory.
        """
        based = [v for v, c in lin.terms if c == 1 and (symbol_of(v) or v.space == "local")]
        if lin.const <= 0 or len(based) != 1 or (lin.bits == 64 and based[0].space == "global"):
            return 0
        rest = Lin(64, tuple(t for t in lin.terms if t[0] is not based[0]), 0)
        return min(lin.const, -rest.lo) if rest.exact and -IMMEDIATE_LIMIT < rest.lo < 0 else 0


def symbol_of(value: Value) -> Symbol | None:
    """The variable whose address a value is."""
    inst = value.inst
    if inst is None or all(inst.opcode is not move for move in _ADDRESSES):
        return None
    return inst.args[1] if isinstance(inst.args[1], Symbol) else None


_ADDRESSES = (opcode("mov", type="b32"), opcode("mov", type="b64"))
"""What gives the address of a symbol that accesses may name; that of a function's parameter, by `mov.u64`, may not."""


def _negated(lin: Lin) -> Lin:
    return Lin(lin.bits, tuple((value, -c) for value, c in lin.terms), -lin.const)


def _started(acc: Value, start: Lin) -> Lin:
    """Where what steps behind a sum starts: the start joins what stands before the outermost loop that moves it."""
    total: Lin | None = acc.sum
    apart = linear.add(linear.of(acc), start)
    if total is None or start.is_const or any(v.block.nested >= acc.block.nested for v, _ in start.terms):
        return apart
    return linear.add(total, start)


def _fitting(terms: list[Term]) -> list[Term]:
    """The smallest of widened terms that add up in 32 bits, but not all; none where only one does."""
    found: list[Term] = []
    ordered = sorted(terms, key=lambda term: abs(term[1]) * max(-term[0].lo, term[0].hi))
    for term in ordered[:-1]:
        total = linear.rebuild(64, dict((*found, term)), 0)
        if not (total.exact and extension(total.lo, total.hi)):
            break
        found.append(term)
    return found if len(found) > 1 else []


def _is_cheap(term: Term) -> bool:
    """Whether adding a term costs one instruction, `mad.wide`: more than 32 bits are added by two."""
    value, coefficient = term
    return value.induction is not None and value.induction.cheap and coefficient != 1


def _strides(induction: Induction | None) -> bool:
    """Whether the counter of a loop advances by a number that is not known before it runs."""
    counter = induction.loop.carried[0].value.induction if induction is not None and induction.loop.carried else None
    return counter is not None and not counter.step.is_const


def _outermost_first(term: Term) -> tuple[int, int]:
    return (term[0].block.depth, term[0].id)


def _ordered(a: Value, b: Value) -> tuple[Value, Value]:
    return (a, b) if a.id < b.id else (b, a)


def _is_product(value: Value) -> bool:
    inst = value.inst
    return inst is not None and any(inst.opcode is product for product in _PRODUCTS)


_ADD, _PRODUCT = opcode("add", type="s32"), opcode("mul", mode="lo", type="s32")
_PRODUCTS = (
    opcode("mul", mode="lo", type="s64"),
    opcode("mul", mode="wide", type="u32"),
    opcode("mul", mode="wide", type="s32"),
)
"""The products of 64 bits that become one instruction with a sum."""
