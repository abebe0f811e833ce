"""The functions that CUDA's device runtime gives kernels: `printf`, assertions, `malloc` and `free`.

Sources: CUDA C++ Programming Guide, sections "Formatted Output", "Assertion" and "Dynamic Global Memory Allocation".
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_right
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from weft.sim.image import alignment_of, size_of
from weft.sim.lanes import Array, Lanes

if TYPE_CHECKING:
    from weft.ptx.ast import Function
    from weft.sim.arena import Arena
    from weft.sim.site import Site

HEAP_BYTES = 8 << 20
"""The size of the device heap, CUDA's default."""

_LONGEST = 1 << 16
_SPECIFIER = re.compile(r"%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d*))?(hh|h|ll|l|j|z|t|L)?([diouxXcsfFeEgGaAp%])")
_WIDE = frozenset({"ll", "l", "j", "z", "t"})


class Runtime:
    """What the runtime's functions keep over a run: the text that was printed, and the heap."""

    def __init__(self) -> None:
        self.output: list[str] = []
        self.heap = 0
        self.children: list[Child] | None = None
        self._prepared: dict[int, tuple[Function, list[int]]] = {}
        self._free: list[tuple[int, int]] = []
        self._sizes: dict[int, int] = {}

    def restart(self) -> None:
        """Nothing is printed or allocated."""
        self.output.clear()
        self._sizes.clear()
        if self.heap:
            self._free = [(self.heap, HEAP_BYTES)]

    def save(self) -> Callable[[], None]:
        """Keep what was printed and allocated so far; what is given back restores it."""
        output, room, sizes = list(self.output), list(self._free), dict(self._sizes)
        children = None if self.children is None else list(self.children)

        def undo() -> None:
            self.children = children
            self.output[:], self._free, self._sizes = output, list(room), dict(sizes)

        return undo

    def reserve(self, arena: Arena) -> None:
        """Give the kernel a heap."""
        self.start(arena.allocate("device heap", HEAP_BYTES, watched=False))

    def start(self, address: int) -> None:
        """The heap lies at an address, and is empty."""
        self.heap = address
        self._free = [(address, HEAP_BYTES)]

    def allocate(self, size: int) -> int:
        """The address of `size` bytes, 0 when the heap has no room for them."""
        size = max(16, -(-size // 16) * 16)
        for number, (start, room) in enumerate(self._free):
            if room >= size:
                self._free[number : number + 1] = [(start + size, room - size)] if room > size else []
                self._sizes[start] = size
                return start
        return 0

    def prepare(self, address: int, function: Function, words: list[int]) -> None:
        """Note what is going to be launched with the parameters at an address."""
        self._prepared[address] = function, words

    def prepared(self, address: int) -> tuple[Function, list[int]] | None:
        """What that was, which is asked for once."""
        return self._prepared.pop(address, None)

    def release(self, address: int) -> bool:
        """Give memory back; False when it was not allocated."""
        size = self._sizes.pop(address, None)
        if size is None:
            return False
        at = bisect_right(self._free, (address, 0))
        self._free.insert(at, (address, size))
        for i in (at, at - 1):
            if 0 <= i < len(self._free) - 1 and sum(self._free[i]) == self._free[i + 1][0]:
                self._free[i : i + 2] = [(self._free[i][0], self._free[i][1] + self._free[i + 1][1])]
        return True


class Child(NamedTuple):
    """A grid that a kernel launches: CTAs, threads, bytes of dynamic shared memory, and the block of parameters."""

    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared: int
    parameters: bytes
    last: bool = False


def read(site: Site, lane: int, address: int, size: int) -> bytes:
    """Bytes at a generic address, as a lane sees them."""
    where = np.array([address], np.int64)
    space, index, _ = next(iter(site.machine.memory.generic(site, where, Lanes.one(lane), size, False)))
    start = int(index[0])
    return space.bytes[start : start + size].tobytes()


def text_at(site: Site, lane: int, address: int) -> str:
    """The string at a generic address."""
    where = np.array([address], np.int64)
    space, index, _ = next(iter(site.machine.memory.generic(site, where, Lanes.one(lane), 1, False)))
    start = int(index[0])
    return space.bytes[start : start + _LONGEST].tobytes().partition(b"\0")[0].decode(errors="replace")


class _Values:
    """The values that a call of `vprintf` passes: each aligned to its own size."""

    def __init__(self, site: Site, lane: int, address: int) -> None:
        self.site, self.lane, self.start = site, lane, address
        self.offset = self.count = 0

    def take(self, size: int, code: str) -> int | float:
        """The next value."""
        self.offset = -(-self.offset // size) * size
        data = read(self.site, self.lane, self.start + self.offset, size)
        self.offset += size
        self.count += 1
        return struct.unpack(f"<{code}", data)[0]


def _pieces(format_: str, values: _Values) -> Iterator[str]:
    end = 0
    for match in _SPECIFIER.finditer(format_):
        yield format_[end : match.start()]
        end = match.end()
        flags, width, precision, length, kind = match.groups()
        if kind == "%":
            yield "%"
            continue
        wide = _extent(width, values) or 0
        yield _formatted(flags, wide, _extent(precision, values), length or "", kind, values)
    yield format_[end:]


def _extent(text: str | None, values: _Values) -> int | None:
    return None if text is None else int(values.take(4, "i") if text == "*" else text or 0)


def _formatted(flags: str, width: int, precision: int | None, length: str, kind: str, values: _Values) -> str:
    """A value as C prints it."""
    if width < 0:
        flags, width = flags + "-", -width
    if precision is not None and precision < 0:
        precision = None
    sign, padded = "", "0" in flags
    if kind in ("c", "s", "p"):
        body, padded = _text(precision, kind, values), False
    elif kind in "diouxX":
        number = _integer(length, kind, values)
        body, padded = _digits(abs(number), flags, precision, kind), padded and precision is None
        sign = _sign(number < 0, flags) if kind in "di" else ""
    else:
        real = float(values.take(8, "d"))
        body, padded = _real(abs(real), flags, precision, kind), padded and isfinite(real)
        sign = _sign(bool(np.signbit(real)), flags)
    if kind not in "cs" and body[:2] in ("0x", "0X"):
        sign, body = sign + body[:2], body[2:]
    if "-" in flags:
        return (sign + body).ljust(width)
    return sign + body.rjust(width - len(sign), "0") if padded else (sign + body).rjust(width)


def _sign(negative: bool, flags: str) -> str:
    return "-" if negative else "+" if "+" in flags else " " if " " in flags else ""


def _text(precision: int | None, kind: str, values: _Values) -> str:
    if kind == "c":
        return chr(int(values.take(4, "i")) & 0xFF)
    address = int(values.take(8, "Q"))
    return (
        text_at(values.site, values.lane, address)[:precision] if kind == "s" else hex(address) if address else "(nil)"
    )


def _integer(length: str, kind: str, values: _Values) -> int:
    signed = kind in "di"
    number = int(values.take(8, "q" if signed else "Q") if length in _WIDE else values.take(4, "i" if signed else "I"))
    if length in ("h", "hh"):
        bits = 16 if length == "h" else 8
        number &= (1 << bits) - 1
        number -= (1 << bits) if signed and number >> (bits - 1) else 0
    return number


def _digits(number: int, flags: str, precision: int | None, kind: str) -> str:
    """Those of a number that is not negative."""
    digits = format(number, kind if kind in "oxX" else "d") if number or precision != 0 else ""
    digits = digits.rjust(precision or 0, "0")
    if "#" in flags and kind == "o" and digits[:1] != "0":
        return "0" + digits
    return f"0{kind}{digits}" if "#" in flags and kind in "xX" and number else digits


def _real(number: float, flags: str, precision: int | None, kind: str) -> str:
    """A number that is not negative."""
    alternative = "#" in flags
    if kind in "aA" and isfinite(number):
        text = _hexadecimal(number, precision, alternative)
        return text.upper() if kind == "A" else text
    kind = {"a": "f", "A": "F"}.get(kind, kind)
    return f"%{'#' * alternative}{'' if precision is None else f'.{precision}'}{kind}" % number


def _hexadecimal(number: float, precision: int | None, point: bool) -> str:
    mantissa, _, exponent = number.hex()[2:].partition("p")
    whole, _, digits = mantissa.partition(".")
    digits = digits.rstrip("0")
    if precision is not None and precision < len(digits):
        rounded = round(Fraction(int(whole + digits, 16), 16 ** (len(digits) - precision)))
        digits = f"{rounded:x}"
        whole, digits = digits[: len(digits) - precision] or "0", digits[len(digits) - precision :]
        digits = digits.rjust(precision, "0")
    digits = digits.ljust(precision or 0, "0")
    return f"0x{whole}{'.' if digits or point else ''}{digits}p{exponent}"


Builtin = Callable[["Site", int, "list[int]"], int]
"""A function of the runtime for one lane: its arguments as unsigned words, and its result."""


def vprintf(site: Site, lane: int, arguments: list[int]) -> int:
    """Print; the number of values that the format took."""
    format_, values = text_at(site, lane, arguments[0]), _Values(site, lane, arguments[1])
    site.machine.program.runtime.output.append("".join(_pieces(format_, values)))
    return values.count


def assertfail(site: Site, lane: int, arguments: list[int]) -> int:
    """Stop the kernel: an assertion does not hold."""
    message, file, line, function = arguments[0], arguments[1], arguments[2], arguments[3]
    what, where, who = (text_at(site, lane, address) for address in (message, file, function))
    raise site.fault("assert", f"{where}:{line}: {who}: assertion `{what}` failed", lane)


def malloc(site: Site, lane: int, arguments: list[int]) -> int:
    """Allocate on the heap."""
    return site.machine.program.runtime.allocate(arguments[0])


def free(site: Site, lane: int, arguments: list[int]) -> int:
    """Give heap memory back."""
    address = arguments[0]
    if address and not site.machine.program.runtime.release(address):
        raise site.fault("out-of-bounds", f"{address:#x} is not allocated on the heap", lane, address)
    return 0


def prepare_launch(site: Site, lane: int, arguments: list[int]) -> int:
    """The address of a buffer for a child's parameters, 0 where the heap has no room."""
    runtime, function = site.machine.program.runtime, site.machine.program.function_at(arguments[0])
    if runtime.children is None:
        site.unsupported("launching kernels from a kernel needs a device: run it on weft.Device")
    if function is None or not function.kernel:
        raise site.fault("call", f"{arguments[0]:#x} is not the address of a kernel", lane)
    address = runtime.allocate(max(1, sum(size_of(p) + alignment_of(p) for p in function.parameters)))
    if address:
        runtime.prepare(address, function, arguments[1:])
    return address


def child_buffer(site: Site, lane: int, arguments: list[int]) -> int:
    """The address of so many bytes for a child's parameters, at a multiple of an alignment that the heap has anyway."""
    return site.machine.program.runtime.allocate(arguments[1])


def launch_function(site: Site, lane: int, arguments: list[int]) -> int:
    """Launch a kernel that is named now, with parameters in a buffer that knows no kernel."""
    function, buffer, grid, block, shared, stream = arguments
    named = prepare_launch(site, lane, [function, grid, block, shared])
    runtime = site.machine.program.runtime
    found = runtime.prepared(named)
    if found is None:
        return _OUT_OF_RESOURCES
    runtime.release(named)
    runtime.prepare(buffer, *found)
    return launch_child(site, lane, [buffer, stream])


def launch_child(site: Site, lane: int, arguments: list[int]) -> int:
    """Launch a child, which runs when its parent has; streams that other streams wait for are not told apart."""
    buffer, stream = arguments
    runtime = site.machine.program.runtime
    found = runtime.prepared(buffer)
    if found is None or runtime.children is None:
        return _INVALID_VALUE
    function, words = found
    parts: list[bytes] = []
    for parameter in function.parameters:
        size, align = size_of(parameter), alignment_of(parameter)
        offset = sum(map(len, parts))
        parts.append(bytes(-offset % align) + read(site, lane, buffer + offset + -offset % align, size))
    grid, block = (tuple(word >> shift & 0xFFFF_FFFF for shift in (0, 32, 64)) for word in words[:2])
    runtime.release(buffer)
    runtime.children.append(Child(function.name, grid, block, words[2], b"".join(parts), stream == _TAIL))
    return 0


_INVALID_VALUE, _OUT_OF_RESOURCES, _TAIL = 1, 701, 3
HEAP_USERS = frozenset({"malloc", "__cudaCDP2GetParameterBufferV2", "__cudaCDP2GetParameterBuffer"})
"""What needs a heap."""
BUILTINS: dict[str, Builtin] = {
    "vprintf": vprintf,
    "__assertfail": assertfail,
    "malloc": malloc,
    "free": free,
    "__cudaCDP2GetParameterBufferV2": prepare_launch,
    "__cudaCDP2LaunchDeviceV2": launch_child,
    "__cudaCDP2LaunchDeviceV2_ptsz": launch_child,
    "__cudaCDP2GetParameterBuffer": child_buffer,
    "__cudaCDP2LaunchDevice": launch_function,
    "__cudaCDP2LaunchDevice_ptsz": launch_function,
}
"""The runtime's functions by name."""


def in_order(site: Site, lanes: Lanes) -> Array:
    """Positions of a set's lanes by CTA, then by thread."""
    batch = site.machine.batch
    index = lanes.index
    return np.lexsort((batch.thread_number[index], batch.cta[index]))
