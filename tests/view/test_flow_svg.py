"""Drawings of control flow: whatever is drawn lies inside of the picture, and every block once."""

from __future__ import annotations

import re
from random import Random
from xml.etree import ElementTree

import weft
from weft.ptx.analysis import cfg
from weft.view.flow import flow_svg

TITLE, TEXT = 8.3, 6.5
"""Pixels that a character of a title, and of other texts, takes at least."""


def drawn(random: Random) -> str:
    """A module of some functions with labels, and branches back and forth."""
    functions = ""
    for number in range(random.randint(1, 3)):
        count = random.randint(1, 6)
        body = ""
        for block in range(count):
            guard = random.choice(("@%p ", "", "@!%p "))
            body += f"L{block}:\n" + "mov.u32 %r, 1;\n" * random.randint(0, 9)
            body += random.choice(("", f"{guard}bra L{random.randrange(count)};\n"))
        name = "k" * random.choice((1, 9, 70)) + str(number)
        functions += f".visible .entry {name}()\n{{\n.reg .pred %p; .reg .b32 %r;\n{body}ret;\n}}\n"
    return f".version 8.0\n.target sm_80\n.address_size 64\n{functions}"


def test_everything_is_inside() -> None:
    for seed in range(30):
        module = weft.parse(drawn(Random(seed)))
        flows = [cfg(function) for function in module.functions]
        picture = ElementTree.fromstring(flow_svg(flows))
        width, height = float(picture.attrib["width"]), float(picture.attrib["height"])
        assert picture.attrib["viewBox"] == f"0 0 {picture.attrib['width']} {picture.attrib['height']}"
        boxes = 0
        groups = [(0.0, 0.0, picture)]
        for x, y, group in groups:
            for part in group:
                tag = part.tag.rpartition("}")[2]
                if tag == "g":
                    found = re.findall(r"translate\(([\d.-]+) ([\d.-]+)\)", part.attrib.get("transform", ""))
                    dx, dy = map(float, found[0]) if found else (0.0, 0.0)
                    groups.append((x + dx, y + dy, part))
                elif tag == "text":
                    size = len("".join(part.itertext())) * (TITLE if part.attrib.get("class") == "title" else TEXT)
                    assert x + float(part.attrib["x"]) + size <= width, (seed, "".join(part.itertext()))
                    assert 0 < y + float(part.attrib["y"]) <= height
                elif tag == "rect" and "%" not in part.attrib["width"]:
                    boxes += 1
                    assert 0 <= x + float(part.attrib["x"]) <= width - float(part.attrib["width"])
                    assert 0 <= y + float(part.attrib["y"]) <= height - float(part.attrib["height"])
        assert boxes == sum(len(flow.blocks) for flow in flows)
