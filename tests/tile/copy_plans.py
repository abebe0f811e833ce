"""Plans of copies carried out on numbered bytes, instruction by instruction, as the PTX manual says of each.

No code is generated and nothing is simulated: hundreds of plans take a second.  The bytes and the places of elements are
those of `copy_kernels`, which does the same with whole kernels.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from tests.conformance.copy_cases import guard_of
from tests.tile.copy_kernels import Case, Memory, wrong
from weft.isa import Opcode
from weft.isa.fragments import fragment
from weft.transforms.copy_dispatch import Address, Copy, Instruction, Operand, Plan
from weft.transforms.copy_dispatch.dispatch import choose

MATRICES = ("ldmatrix", "stmatrix", "movmatrix")


def request(case: Case) -> Copy:
    """The copy of a case, its condition as the guard."""
    copy, guard = case.copy, guard_of(case.condition, case.copy.threads)
    return Copy(**{name: getattr(copy, name) for name in Copy.__slots__} | {"guard": guard})


def planned(case: Case) -> Plan:
    """What is chosen for a case, whatever was chosen before; raises CopyError."""
    return choose(request(case))


@cache
def held(opcode: Opcode, operand: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lane, register and byte in the register of each byte of an operand's matrices, row by row."""
    found = fragment(opcode, operand)
    width = found.bits // 8
    places = sorted(
        (*place, byte, lane, register, position * width + byte)
        for lane, register, position, place in found.elements()
        for byte in range(width)
    )
    lanes, registers, inside = np.array(places)[:, 4:].T
    return lanes, registers, inside


class Machine:
    """The bytes of all memories, and who takes part."""

    def __init__(self, case: Case, plan: Plan) -> None:
        self.case, self.plan, self.copy = case, plan, request(case)
        self.memory = Memory(case.copy)
        self.bytes = np.arange(self.memory.total)
        self.taken: dict[int, list[int]] = {}
        """What a thread's last load gave that named no registers."""
        self.problems: list[str] = []

    def threads(self, each: Instruction) -> list[int]:
        """Those that carry out an instruction."""
        guard = self.copy.guard
        active = -1 if guard is None or guard.active is None else guard.active
        conditions = (*self.plan.conditions, *each.conditions)
        return [t for t in range(self.copy.threads) if active >> t & 1 and all(c.holds(t) for c in conditions)]

    def at(self, side: str, address: Address, thread: int) -> int:
        """The first byte of an address, which must be aligned to what the instruction needs."""
        operand: Operand = getattr(self.copy, side)
        element = address.element(thread, operand.swizzle)
        return self.memory.base(operand.space) + self.memory.starts.get(side, 0) + element * operand.bits // 8

    def run(self, faults: bool = True) -> list[str]:
        """Carry out all instructions; what is wrong afterwards."""
        for number, each in enumerate(self.plan.instructions):
            threads = self.threads(each)
            if each.opcode.stem in MATRICES:
                for first in range(0, self.copy.threads, 32):
                    lanes = [t for t in threads if first <= t < first + 32]
                    if lanes and len(lanes) != 32:
                        self.problems.append(f"{each.opcode} in {len(lanes)} threads of a warp")
                    elif lanes:
                        self.matrices(each, first)
                continue
            before = self.bytes.copy()
            for thread in threads:
                self.access(self.turned(number, each, thread), thread, before)
        return self.problems[:3] + wrong(self.case, self.memory, self.bytes)

    def turned(self, number: int, each: Instruction, thread: int) -> Instruction:
        """The instruction that a thread does in the place of another."""
        if self.plan.turn is None or self.plan.turn[0].value(thread) != 1:
            return each
        return self.plan.instructions[number ^ self.plan.turn[1]]

    def registers(self, side: str, starts: tuple[int, ...], count: int, thread: int) -> list[int]:
        """The bytes of a thread's registers, words one after another."""
        base = self.memory.registers(side, thread)
        found = [base + start + byte for start in starts for byte in range(min(count, 4 if len(starts) > 1 else 8))]
        if len(found) != count or (count >= 4 and any(start % 4 for start in starts)):
            self.problems.append(f"registers {starts} for {count} bytes")
        return found

    def access(self, each: Instruction, thread: int, before: np.ndarray) -> None:
        """A load, a store, both or a move by a thread."""
        count = each.bytes
        addresses = {side: address for side, address in (("src", each.src), ("dst", each.dst)) if address is not None}
        bytes_of: dict[str, list[int]] = {}
        for side, address in addresses.items():
            first = self.at(side, address, thread)
            if (first - self.memory.base(getattr(self.copy, side).space) - self.memory.starts.get(side, 0)) % count:
                self.problems.append(f"{each.opcode} at {first} in thread {thread}")
            bytes_of[side] = list(range(first, first + count))
        if each.registers:
            side = "dst" if self.copy.dst.space == "local" else "src"
            bytes_of[side] = self.registers(side, each.registers, count, thread)
        if each.sources:
            bytes_of["src"] = self.registers("src", each.sources, count, thread)
        values = list(before[bytes_of["src"]]) if "src" in bytes_of else self.taken.pop(thread)
        if "dst" in bytes_of:
            self.bytes[bytes_of["dst"]] = values
        else:
            self.taken[thread] = values

    def matrices(self, each: Instruction, first: int) -> None:
        """A matrix instruction of a warp: each byte of its matrices goes from one side to the other."""
        to, origin = (self.fragments(each, side, first) for side in ("dst", "src"))
        self.bytes[to] = self.bytes[origin].copy()

    def fragments(self, each: Instruction, side: str, first: int) -> np.ndarray:
        """The bytes of a side of a matrix instruction, in the order of matrices, rows and bytes of a row."""
        size = self.memory.held.get(side, 0)
        if each.opcode.stem == "movmatrix":
            lanes, registers, inside = held(each.opcode, "d" if side == "dst" else "a")
            starts = np.array(each.registers if side == "dst" else each.sources)
            return self.memory.registers(side, first) + lanes * size + starts[registers] + inside
        lanes, registers, inside = held(each.opcode, "r")
        address = each.dst if side == "dst" else each.src
        if address is None:
            if any(start % 4 for start in each.registers):
                self.problems.append(f"registers {each.registers}")
            starts = np.array(each.registers)
            return self.memory.registers(side, first) + lanes * size + starts[registers] + inside
        starts = np.array([self.at(side, address, first + lane) for lane in range(len(lanes) // 16)])
        if any((starts - self.memory.base("shared") - self.memory.starts.get(side, 0)) % 16):
            self.problems.append(f"rows at {starts}")
        return (starts[:, None] + np.arange(16)).reshape(-1)


def carried_out(case: Case) -> list[str]:
    """What is wrong with the bytes after the plan of a case."""
    return Machine(case, planned(case)).run()
