"""Bits of integers: `and`, `or`, `xor` and shifts, in as few instructions as moves of bytes and of bit fields allow."""

from __future__ import annotations

from weft.codegen import bitfields, bytewise, linear
from weft.codegen.graph import B32, B64, Value
from weft.codegen.knownbits import remainder_of
from weft.codegen.linear import Lin
from weft.codegen.sums import Sums, extension, power
from weft.isa import opcode

_SHIFTS = {bits: opcode("shr", type=f"u{bits}") for bits in (32, 64)}
_UP, _MASK = opcode("shl", type="b32"), opcode("and", type="b32")


def _amounts(by: Value, *, masked: bool) -> list[Lin]:
    """A shift's amount as a sum; with `masked`, also that of which it is the low five bits."""
    found = [linear.of(by)] if by.sum is None else [linear.of(by), by.sum]
    if masked and by.inst is not None and by.inst.opcode is _MASK and by.inst.args[2] == 31:
        found += _amounts(by.inst.args[1], masked=False)
    return found


def unsigned(n: int, bits: int) -> int:
    """The low bits of a number."""
    return n & ((1 << bits) - 1)


class Bits(Sums):
    """A builder with operations on the bits of integers."""

    def _cls(self, lin: Lin) -> str:
        return B32 if lin.bits == 32 else B64

    def _short(self, *lins: Lin) -> str:
        """`u` or `s` if all of these 64-bit expressions fit 32 bits that way, else an empty string."""
        lo, hi = min(a.lo for a in lins), max(a.hi for a in lins)
        if lins[0].bits == 32 or not all(a.exact for a in lins):
            return ""
        return extension(lo, hi)

    def _with_bounds(self, a: Lin, bounds: tuple[int, int]) -> Lin:
        lo, hi = bounds
        value = a.single()
        # Bounds are those of the signed reading; what does not fit it says nothing about the register.
        if value is not None and lo <= hi < 1 << (a.bits - 1):
            value.lo, value.hi = max(value.lo, lo), min(value.hi, hi)
            return linear.of(value)
        return a

    def bitwise(self, op: str, a: Lin, b: Lin) -> Lin:
        """a `and`, `or` or `xor` b."""
        if a.is_const:
            a, b = b, a
        bits = a.bits
        if b.is_const:
            if op == "and" and b.const > 0 and b.const & b.const + 1 == 0:
                a = remainder_of(a, b.const + 1)
                if a.is_const:
                    return linear.const(a.const & b.const, bits)
            known = _bitwise_const(op, a, b.const, bits)
            if known is not None:
                return known
        elif a == b:
            return a if op != "xor" else linear.const(0, bits)
        if op != "and" and (turned := self._rotation(a, b) or self._funnel(a, b, cancels=op == "xor")) is not None:
            return turned
        moved = self._moved_bytes(op, a, b) if bits == 32 and op != "xor" else None
        if moved is None and bits == 32:
            moved = self._of_fields(op, a, b)
        if moved is not None:
            return moved
        if bits == 64 and op == "and" and b.is_const and (low := self._bits_of_low_half(a, b.const)) is not None:
            return self.extended(low, signed=False)
        if bits == 64 and self._low_half_suffices(op, a, b):
            small = self.bitwise(op, self.truncated(a), self.truncated(b))
            return self.extended(small, signed=False)
        lo, hi = _bitwise_bounds(op, a, b)
        if op == "xor" and b.is_const and b.const == -1:
            return linear.of(self.pure(opcode("not", type=f"b{bits}"), self._cls(a), self.int_value(a)))
        first, second = self.operand(a), self.operand(b)
        # One order of operands, so that a & b and b & a are found to be the same instruction; what is computed last
        # comes first: ptxas makes one of more instructions then.
        if isinstance(first, Value) and isinstance(second, Value) and first.id < second.id:
            first, second = second, first
        return linear.of(self.pure(opcode(op, type=f"b{bits}"), self._cls(a), first, second, lo=lo, hi=hi))

    def _bits_of_low_half(self, a: Lin, mask: int) -> Lin | None:
        """The bits of a mask in a shifted number, if all of them come from its low half: in 32 bits."""
        value = a.single()
        inst = value.inst if value is not None else None
        if inst is None or inst.opcode.stem != "shr" or inst.guard is not None or mask <= 0:
            return None
        source, by = inst.args[1:]
        if not isinstance(source, Value) or not isinstance(by, int) or mask << by >> 32:
            return None
        low = self.shift_right(self.truncated(linear.of(source)), by, signed=False)
        return self.bitwise("and", low, linear.const32(linear.wrap(mask, 32)))

    def _moved_bytes(self, op: str, a: Lin, b: Lin) -> Lin | None:
        """The result where it is made of whole bytes of what the operands were made of, but for the operands' own."""
        if op == "and" and not b.is_const:
            return None
        first = bytewise.of_lin(a)
        if first is None:
            return None
        if op == "and":
            if _is_own(a, first):
                return None
            found = bytewise.masked(first, b.const)
        else:
            second = bytewise.of_lin(b)
            found = bytewise.beside(first, second) if second is not None else None
            if found is not None and b.is_const and _is_own(a, first):
                return None
        return bytewise.word(self, found) if found is not None and bytewise.is_one_move(found) else None

    def _of_fields(self, op: str, a: Lin, b: Lin) -> Lin | None:
        """The result by the normal form of bit fields, where that is no longer than the instruction."""
        if op == "and":
            return self._masked(a, b.const) if b.is_const else None
        first, second = (
            bitfields.of_lin(x, deep=False) or bitfields.of_lin(linear.of(self.int_value(x)), deep=False)
            for x in (a, b)
        )
        assert first
        assert second
        if op == "or" and first.bits & second.bits:
            return None
        flat = first.xor(second)
        if all(bitfields.is_own(value) for x in (a, b) for value, _ in x.terms):
            return bitfields.whole(self, flat)  # Nothing lies deeper.
        deep = [bitfields.of_lin(x, deep=True) for x in (a, b)]
        if deep[0] is not None and deep[1] is not None:
            found = deep[0].xor(deep[1])
            if len(found.fields) < max(len(flat.fields), 2):
                flat = found
        return bitfields.whole(self, flat)

    def _masked(self, a: Lin, mask: int) -> Lin | None:
        """a & mask of one field at most, or of whole ones."""
        mask = unsigned(mask, 32)
        deep = bitfields.of_lin(a, deep=True)
        if deep is not None and len((found := deep.masked(mask)).fields) <= 1:
            return bitfields.whole(self, found)
        flat = bitfields.of_lin(a, deep=False)
        if flat is None or (flat.const & ~mask == 0 and len(flat.fields) == 1):
            return None
        found = flat.masked(mask)
        return bitfields.whole(self, found) if found.fields.items() <= flat.fields.items() else None

    def _rotation(self, a: Lin, b: Lin) -> Lin | None:
        """The result where it is a register whose bits are turned round: one funnel shift, two for 64 bits."""
        for left, right in ((a, b), (b, a)):
            shifted = right.single()
            inst = shifted.inst if shifted is not None else None
            if inst is None or inst.opcode is not _SHIFTS[a.bits]:
                continue
            value, down = inst.args[1:]
            up = a.bits - down if isinstance(down, int) and isinstance(value, Value) else 0
            if not up:
                continue
            whole = linear.of(value) if value.sum is None else value.sum
            if a.bits == 32 and up % 8 == 0:  # These are moves of bytes.
                continue
            if left in (linear.scaled(linear.of(value), 1 << up), linear.scaled(whole, 1 << up)):
                return linear.of(self._turned(value, up))
        return None

    def _funnel(self, a: Lin, b: Lin, *, cancels: bool) -> Lin | None:
        """high << n | low >> 32 - n as one shift; of one x, n and 32 - n may be held to five bits.

        At n = 0 these give x twice, which `cancels` if it is xor; of two values they give both.
        """
        for left, right in ((a, b), (b, a)):
            up, down = left.single(), right.single()
            if up is None or down is None or up.inst is None or down.inst is None:
                continue
            if up.inst.opcode is not _UP or down.inst.opcode is not _SHIFTS[32]:
                continue
            (high, n), (low, rest) = up.inst.args[1:], down.inst.args[1:]
            if not isinstance(n, Value) or not isinstance(rest, Value):
                continue
            again = high is low and not cancels
            sums = {linear.add(x, y) for x in _amounts(n, masked=again) for y in _amounts(rest, masked=again)}
            if linear.const32(32) in sums or (again and linear.const32(0) in sums):
                shift = opcode("shf", dir="l", mode="wrap", type="b32")
                return linear.of(self.pure(shift, B32, low, high, n))
        return None

    def _turned(self, value: Value, up: int) -> Value:
        shift = opcode("shf", dir="l", mode="wrap", type="b32")
        if value.cls == B32:
            return self.pure(shift, B32, value, value, up)
        lower, upper = self.pure_many(opcode("mov", type="b64"), (B32, B32), value)
        x, y = (upper, lower) if up >= 32 else (lower, upper)
        if up % 32:
            x, y = self.pure(shift, B32, y, x, up % 32), self.pure(shift, B32, x, y, up % 32)
        return self.pure(opcode("mov", type="b64"), B64, (x, y))

    @staticmethod
    def _low_half_suffices(op: str, a: Lin, b: Lin) -> bool:
        if op == "and" and b.is_const and 0 <= b.const < 1 << 31:
            return True
        fits = 0 <= a.lo and a.hi < 1 << 31 and 0 <= b.lo and b.hi < 1 << 31
        return fits and a.exact and b.exact

    def shift_left(self, a: Lin, amount: Lin) -> Lin:
        """a << amount (0 for amounts of the width or more)."""
        if amount.is_const:
            n = unsigned(amount.const, a.bits)
            return linear.scaled(a, 1 << n) if n < a.bits else linear.const(0, a.bits)
        by = self.operand(self.truncated(amount))
        return linear.of(self.pure(opcode("shl", type=f"b{a.bits}"), self._cls(a), self.operand(a), by))

    def shift_right(self, a: Lin, amount: Lin | int, *, signed: bool) -> Lin:
        """a >> amount, filling with the sign or with zeros."""
        if isinstance(amount, Lin):
            if not amount.is_const:
                letter = "s" if signed else "u"
                by = self.operand(self.truncated(amount))
                return linear.of(self.pure(opcode("shr", type=f"{letter}{a.bits}"), self._cls(a), self.operand(a), by))
            amount = unsigned(amount.const, a.bits)
        if amount >= a.bits:
            # PTX clamps the amounts of shifts, so this is what the instruction would give.
            amount = a.bits - 1
            if not signed:
                return linear.const(0, a.bits)
        if a.is_const:
            number = a.const if signed else unsigned(a.const, a.bits)
            return linear.const(number >> amount, a.bits)
        if amount == 0:
            return a
        if a.exact and a.lo >= 0:
            signed = False
            # (i * 16 + j) >> 4 is i where 0 <= j < 16: indices of tiles come apart without an instruction.
            whole, rest = split(a, 1 << amount)
            if 0 <= rest.lo and rest.hi < 1 << amount:
                return whole
        if amount % 8 == 0 and a.bits == 32 and not signed:
            found = bytewise.of_lin(a)
            moved = bytewise.shifted(found, -(amount // 8)) if found is not None and not _is_own(a, found) else None
            if moved is not None and bytewise.is_one_move(moved):
                return bytewise.word(self, moved)
        if a.bits == 32 and not signed:
            deep = bitfields.of_lin(a, deep=True)
            if deep is not None and len((found := deep.shifted(-amount)).fields) <= 1:
                return bitfields.whole(self, found)
        short = self._short(a)
        if short and (short == "s") == signed:
            small = self.shift_right(self.truncated(a), amount, signed=signed)
            return self.extended(self._with_bounds(small, (a.lo >> amount, a.hi >> amount)), signed=signed)
        letter = "s" if signed else "u"
        if signed or a.lo >= 0:
            lo, hi = a.lo >> amount, a.hi >> amount
        else:
            lo, hi = 0, (1 << (a.bits - amount)) - 1
        return linear.of(
            self.pure(opcode("shr", type=f"{letter}{a.bits}"), self._cls(a), self.int_value(a), amount, lo=lo, hi=hi)
        )


def _is_own(a: Lin, found: bytewise.Bytes) -> bool:
    """Whether an expression is one register, of which nothing is known but its own bytes."""
    value = a.single()
    return value is not None and all(byte == 0 or byte == (value, i) for i, byte in enumerate(found))


def split(a: Lin, by: int) -> tuple[Lin, Lin]:
    """(whole, rest) with a = whole * by + rest, from the divisibility of the coefficients."""
    whole = tuple((v, c // by) for v, c in a.terms if c % by == 0)
    rest = tuple((v, c) for v, c in a.terms if c % by)
    return Lin(a.bits, whole, a.const // by), Lin(a.bits, rest, a.const % by)


def _bitwise_const(op: str, a: Lin, mask: int, bits: int) -> Lin | None:
    """The result where the constant makes it simple, else None."""
    if a.is_const:
        x = a.const
        return linear.const({"and": x & mask, "or": x | mask, "xor": x ^ mask}[op], bits)
    if op == "and":
        if mask == 0:
            return linear.const(0, bits)
        if mask == -1 or (a.exact and a.lo >= 0 and a.hi <= mask and power(mask + 1) >= 0):
            return a
        return None
    if mask == 0:
        return a
    return linear.const(-1, bits) if op == "or" and mask == -1 else None


def _bitwise_bounds(op: str, a: Lin, b: Lin) -> tuple[int, int]:
    if op == "and":
        highest = [x.hi for x in (a, b) if x.lo >= 0]
        return (0, min(highest)) if highest else (0, -1)
    if a.lo >= 0 and b.lo >= 0:
        return (0, (1 << max(a.hi, b.hi).bit_length()) - 1)
    return (0, -1)
