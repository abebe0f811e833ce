"""The control-flow graph of a function: as text, and as an SVG drawing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape

from weft.errors import counted
from weft.ptx.analysis.flow import BasicBlock, ControlFlow, Edge
from weft.view.layers import Box, layout

_CHARACTER, _LINE, _MARGIN, _TITLE = 6.7, 14.0, 8.0, 34.0
_SHOWN, _LONGEST = 12, 64
_COLOURS = {"next": "#57606a", "jump": "#57606a", "taken": "#1a7f37", "table": "#8250df"}


def flow_lines(flow: ControlFlow, line: Callable[[int], int]) -> Iterator[str]:
    """The graph as text, a line for each block and each loop; `line` gives the line of an offset."""
    kind = "kernel" if flow.function.kernel else "function"
    yield f"{kind} {flow.function.name}: {counted(len(flow.blocks), 'block')}, {counted(len(flow.loops), 'loop')}"
    widest = max(len(block.name) for block in flow.blocks)
    reached = set(flow.order)
    leaving: dict[int, list[Edge]] = {}
    for edge in flow.edges:
        leaving.setdefault(edge.source, []).append(edge)
    for block in flow.blocks:
        ways = [f"{flow.blocks[edge.target].name} ({edge.kind})" for edge in leaving.get(block.index, ())]
        note = "" if block.index in reached else ", never reached"
        yield (
            f"  {block.name:<{widest}}  {_place(flow, block, line)}{counted(block.end - block.start, 'instruction')}"
            f"{note} -> {', '.join(ways) or _end(flow, block)}"
        )
    for loop in flow.loops:
        back = ", ".join(flow.blocks[index].name for index in loop.back)
        size = counted(len(flow.loop_blocks(loop)), "block")
        yield f"  loop {flow.blocks[loop.header].name}: {size}, back from {back}"
    if flow.irreducible:
        yield "  a cycle has more than one entry (irreducible)"


def _place(flow: ControlFlow, block: BasicBlock, line: Callable[[int], int]) -> str:
    body = flow.body(block)
    first, last = (line(body[0].pos), line(body[-1].pos)) if body else (0, 0)
    if not first:
        return ""
    return f"line {first}, " if first == last else f"lines {first}-{last}, "


def _end(flow: ControlFlow, block: BasicBlock) -> str:
    body = flow.body(block)
    return body[-1].opcode.stem if body and body[-1].opcode.effects.control not in ("", "call") else "end"


def flow_svg(flows: Sequence[ControlFlow]) -> str:
    """One drawing of the graphs of some functions, one below the other.

    Boxes are basic blocks with the start of their text; edges are green where a guarded branch is taken, violet out of
    a branch table, and go around on the right where they go up.
    """
    parts: list[str] = []
    width, y = 0.0, _MARGIN
    for flow in flows:
        drawn, graph_width, graph_height = _graph(flow)
        title = escape(f"{'kernel' if flow.function.kernel else 'function'} {flow.function.name}")
        parts.append(f'<text class="title" x="{_MARGIN:g}" y="{y + 16:g}">{title}</text>')
        parts.append(f'<g transform="translate({_MARGIN:g} {y + _TITLE:g})">\n{drawn}\n</g>')
        width = max(width, graph_width, 9.0 * len(title))
        y += _TITLE + graph_height + 3 * _MARGIN
    size = f'width="{width + 2 * _MARGIN:g}" height="{y:g}" viewBox="0 0 {width + 2 * _MARGIN:g} {y:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n{_HEAD}\n' + "\n".join(parts) + "\n</svg>\n"


_HEAD = (
    "<style>text{font:11px monospace;fill:#1f2328}.title{font-size:14px;font-weight:bold}.name{font-weight:bold}"
    "rect{fill:#f6f8fa;stroke:#57606a}rect.loop{fill:#fff8c5}path{fill:none;stroke-width:1.3}</style>\n<defs>"
    + "".join(
        f'<marker id="{kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<polygon points="0,0 8,4 0,8" fill="{colour}"/></marker>'
        for kind, colour in _COLOURS.items()
    )
    + '</defs>\n<rect width="100%" height="100%" style="fill:#ffffff;stroke:none"/>'
)


def _graph(flow: ControlFlow) -> tuple[str, float, float]:
    """The drawing of one graph with its width and height."""
    texts = [_text(flow, block) for block in flow.blocks]
    sizes = [(_CHARACTER * max(map(len, lines)) + 2 * _MARGIN, _LINE * len(lines) + _MARGIN) for lines in texts]
    reached = set(flow.order)
    order = [*flow.order, *(block.index for block in flow.blocks if block.index not in reached)]
    plan = layout(sizes, [(edge.source, edge.target) for edge in flow.edges], order)
    headers = {loop.header for loop in flow.loops}
    parts = [
        _edge(edge.kind, route, number in plan.around)
        for number, (edge, route) in enumerate(zip(flow.edges, plan.routes, strict=True))
    ]
    parts += [_box(box, lines, block.index in headers)
              for block, box, lines in zip(flow.blocks, plan.boxes, texts, strict=True)]  # fmt: skip
    return "\n".join(parts), plan.width, plan.height


def _text(flow: ControlFlow, block: BasicBlock) -> list[str]:
    """The name of a block and the start of its instructions."""
    body = flow.body(block)
    shown = body if len(body) <= _SHOWN else (*body[: _SHOWN - 2], None, body[-1])
    lines = [str(item)[:-1] if item else f"... {len(body) - _SHOWN + 1} more" for item in shown]
    return [", ".join(block.labels) or block.name, *(text[:_LONGEST] for text in lines)]


def _box(box: Box, lines: list[str], header: bool) -> str:
    rows: list[str] = []
    for number, text in enumerate(lines):
        name = ' class="name"' if number == 0 else ""
        place = f'x="{box.x + _MARGIN:.1f}" y="{box.y + _LINE * (number + 1):.1f}"'
        rows.append(f"<text {place}{name}>{escape(text)}</text>")
    kind = ' class="loop"' if header else ""
    place = f'x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"'
    return f'<rect rx="3" {place}{kind}/>\n' + "\n".join(rows)


def _edge(kind: str, route: tuple[tuple[float, float], ...], around: bool) -> str:
    (x, y), *rest = route
    path = f"M{x:.1f} {y:.1f}"
    for nx, ny in rest:
        bend = (y + ny) / 2
        path += f" L{nx:.1f} {ny:.1f}" if around else f" C{x:.1f} {bend:.1f} {nx:.1f} {bend:.1f} {nx:.1f} {ny:.1f}"
        x, y = nx, ny
    return f'<path d="{path}" stroke="{_COLOURS[kind]}" marker-end="url(#{kind})"/>'
