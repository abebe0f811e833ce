"""The trail of a dispatch as text: what was tried, why it declined, what was chosen, and where it goes."""

from __future__ import annotations

from weft.layout import SwizzleLayout
from weft.transforms.copy_dispatch.dispatch import dispatch
from weft.transforms.copy_dispatch.plan import Address, Digit, Instruction, Plan, Sum
from weft.transforms.copy_dispatch.request import Copy, CopyError, Operand
from weft.transforms.copy_dispatch.wavefronts import report

SHOWN = 4
"""Instructions that are written out."""


def explain(copy: Copy, note: str = "") -> str:
    """The trail and the plan of a copy, or the reasons of all variants against it; `note` is why TMA does not do it."""
    title = f"copy {side(copy.src)} -> {side(copy.dst)}, {copy.scope} of a block of {copy.threads}, {copy.target}"
    try:
        plan = dispatch(copy)
    except CopyError as error:
        return f"{title}\n{error.message}"
    declined = [f"  {'tma':<{_width(plan)}}  declined: {note}"] if note else []
    return "\n".join([title, *declined, *trail(plan), *chosen(plan, copy)])


def side(operand: Operand) -> str:
    """An operand in short."""
    shape = "x".join(map(str, operand.shape))
    whole = operand.region == tuple((0, extent) for extent in operand.shape)
    region = "" if whole else "[" + ", ".join(f"{begin}:{end}" for begin, end in operand.region) + "]"
    return f"{operand.space} {shape}x{operand.element} {operand.layout}{region}"


def trail(plan: Plan) -> list[str]:
    """A line for each variant that was tried."""
    width = _width(plan)
    return [
        f"  {each.variant:<{width}}  {each.outcome}{': ' + each.reason if each.reason else ''}" for each in plan.trail
    ]


def _width(plan: Plan) -> int:
    return max(len(each.variant) for each in plan.trail)


def chosen(plan: Plan, copy: Copy) -> list[str]:
    """What the chosen variant does."""
    facts = [f"form {plan.form}"]
    if plan.num:
        facts += [f"num {plan.num}", f"trans {str(plan.trans).lower()}"]
    if plan.vector_bytes:
        facts.append(f"{plan.vector_bytes} bytes per vector")
    facts.append(f"{len(plan.instructions)} instruction{'s' * (len(plan.instructions) != 1)} per thread")
    lines = ["  " + ", ".join(facts)]
    lines += [f"  only threads with 0 <= {spelled(each.sum)} < {each.below}" for each in plan.conditions]
    if plan.turn is not None:
        digit, distance = plan.turn
        lines.append(f"  threads with {_digit(digit)} = 1 do instruction i ^ {distance} for i: no bank conflicts so")
    for each in plan.instructions[:SHOWN]:
        lines += _instruction(each, copy)
    if len(plan.instructions) > SHOWN:
        lines.append(f"    ... {len(plan.instructions) - SHOWN} more")
    return lines + [f"  {line}" for line in report(plan, copy)]


def _instruction(each: Instruction, copy: Copy) -> list[str]:
    registers = f" register bytes {', '.join(map(str, each.registers))}" if each.registers else ""
    if each.sources:
        registers += f" from {', '.join(map(str, each.sources))}"
    lines = [f"    {each.opcode}{registers}"]
    for name, address, operand in (("dst", each.dst, copy.dst), ("src", each.src, copy.src)):
        if address is not None:
            lines.append(f"      {name} element {_address(address, operand.swizzle)}")
    return lines


def _address(address: Address, swizzle: SwizzleLayout | None) -> str:
    parts: list[str] = []
    constant = dict(address.constant)
    thread = dict(address.thread)
    for axis in dict.fromkeys(("m", *thread, *constant)):
        sum = thread.get(axis, Sum())
        text = spelled(Sum(sum.terms, sum.constant + constant.get(axis, 0)))
        if axis == "m":
            if text != "0" or len({*thread, *constant} - {"m"}) == 0:
                parts.append(text)
        else:
            parts.append(f"({text}) * {axis}")
    total = " + ".join(parts)
    return f"{swizzle}({total})" if swizzle is not None else total


def spelled(sum: Sum) -> str:
    """A sum as a formula."""
    parts = [f"{factor} * {_digit(digit)}" if factor != 1 else _digit(digit) for factor, digit in sum.terms]
    if sum.constant or not parts:
        parts.append(str(sum.constant))
    return " + ".join(parts)


def _digit(digit: Digit) -> str:
    source = digit.source if isinstance(digit.source, str) else f"({spelled(digit.source)})"
    text = source if digit.divide == 1 else f"{source} / {digit.divide}"
    text = f"{text} % {digit.modulus}" if digit.modulus else text
    return f"({text})" if text != source else text
