"""The pages that an editor shows, whole, and what it offers with them."""

from __future__ import annotations

import pytest
from lsprotocol import types as lsp

from tests.lsp.asking import opened
from weft.dialects.nvgpu.floors import STEMS
from weft.dialects.nvvm.instructions import INSTRUCTIONS
from weft.isa.registry import compiled_forms
from weft.lsp.documents import Document
from weft.lsp.manual import opcode_page, operation_page, word_page

MANUAL = "[PTX manual](https://docs.nvidia.com/cuda/parallel-thread-execution/#"
RET = f"""**ret**

Return from a function, or end the thread in a kernel.

```ptx
ret{{.uni}}
```

return

{MANUAL}control-flow-instructions-ret)"""
VOTE = f"""**vote.sync.ballot.b32**

Reduce a predicate over the warp, or collect one bit per lane.

```ptx
vote.sync.mode.type d, !a, membermask
```

- `d`: register .b32, written
- `a`: predicate .pred, read
- `membermask`: register .u32, read

exists from PTX 6.0 and sm_30 or later

{MANUAL}parallel-synchronization-and-communication-instructions-vote-sync)"""
ELECT = f"""**elect.sync**

Choose one lane of the mask; the predicate is true in that lane only.

```ptx
elect.sync d|p, membermask
```

d = the chosen lane;  p = lane == d

executed by all threads of a warp together

{MANUAL}parallel-synchronization-and-communication-instructions-elect-sync)"""
CLZ = f"""'clz' lacks one of .b32, .b64 (syntax: clz.type d, a)

---

**clz**

Count the leading zero bits.

```ptx
clz.type d, a
```

{MANUAL}integer-arithmetic-instructions-clz)"""


@pytest.mark.parametrize(
    ("written", "page"),
    [("ret", RET), ("vote.sync.ballot.b32", VOTE), ("elect.sync", ELECT), ("clz", CLZ), ("zzz", ""), ("", "")],
)
def test_opcodes(written: str, page: str) -> None:
    """A family where the opcode is no more; what is wrong with it, above its family."""
    assert opcode_page(written) == page


@pytest.mark.parametrize("stem", ["shl", "fma", "mul", "add", "tex"])
def test_at_most_four_forms_are_shown(stem: str) -> None:
    lines = opcode_page(f"{stem}.zzz").partition("```ptx\n")[2].partition("\n```")[0].splitlines()
    count = len(
        [
            form
            for form in compiled_forms(stem)
            if not any(spec.name == "ignored" and not spec.optional for spec in form.operands)
        ]
    )
    assert len(lines) == min(count, 5)
    assert [line for line in lines if line.startswith("...")] == ([f"... {count - 4} more"] if count > 4 else [])


@pytest.mark.parametrize(
    ("word", "page"),
    [
        ("%laneid", "**%laneid** `.u32`\n\nlane in the warp\n\nexists from PTX 1.3"),
        ("%tid", "**%tid** `.u32`, with .x, .y, .z, .w\n\nthread index in the CTA\n\nexists from PTX 1.0"),
        (
            ".maxntid",
            "**.maxntid**\n\nmaximum number of threads of a CTA\n\n```ptx\n.maxntid x, y, z\n```\n\nallowed in: function\n\nexists from PTX 1.3",
        ),
        (".f16x2", "**.f16x2** type of 32 bits"),
        (".b8", "**.b8** type of 8 bits"),
        ("f16x2", ""),
        ("..b8", "**..b8** type of 8 bits"),
        ("x", ""),
    ][:6],
)
def test_words(word: str, page: str) -> None:
    assert word_page(word) == page


def test_operations() -> None:
    assert (
        operation_page("nvvm.read.ptx.sreg.laneid")
        == "**nvvm.read.ptx.sreg.laneid** reads `%laneid`\n\nlane in the warp"
    )
    assert operation_page("nvvm.elect.sync") == f"**nvvm.elect.sync** becomes\n\n{ELECT}"
    wait = "`gpu.barrier`: all threads of the block wait for each other, and see each other's memory operations."
    assert operation_page("gpu.barrier") == f"**gpu.barrier**\n\n{wait}"
    assert operation_page("nope.x") == operation_page("nvvm.zzz") == ""


def test_operations_and_names_are_offered() -> None:
    """With what they become; each in place of what is written of it, in the order of the list."""
    editor, at = opened("func.func @f(%some: i32) {\n  nv¦\n}\n", "k.mlir")
    found = editor.completions(at)
    first = next(iter(INSTRUCTIONS))
    assert len(found) == len(INSTRUCTIONS) + len(STEMS)
    place = lsp.Range(lsp.Position(1, 2), lsp.Position(1, 4))
    assert found[0] == lsp.CompletionItem(
        first,
        kind=lsp.CompletionItemKind.Function,
        detail=", ".join(INSTRUCTIONS[first]) or None,
        sort_text="00000",
        text_edit=lsp.TextEdit(place, first),
    )
    name, stem = [*STEMS.items()][-1]
    assert (found[-1].label, found[-1].detail, found[-1].kind) == (
        f"nvgpu.{name}",
        stem,
        lsp.CompletionItemKind.Function,
    )
    assert [one.sort_text for one in found] == [f"{n:05}" for n in range(len(found))]
    editor, at = opened("func.func @f(%some: i32) {\n  x %so¦\n}\n", "k.mlir")
    (one,) = editor.completions(at)
    assert (one.label, one.kind, one.detail) == ("%some", lsp.CompletionItemKind.Variable, None)
    far = "x" * 300
    editor, at = opened(f"%{far} = x\n%{far}¦", "k.mlir")
    assert len(editor.completions(at)) == len(found)  # A name that begins 200 characters before is none.


def test_half_a_character() -> None:
    """A surrogate alone, as an editor may send it, is as long as it is written in UTF-8."""
    shown = Document("file:///k.ptx", "k.ptx", "\ud800x", "ptx", "utf-8")
    assert shown.place(1) == (0, 3) and shown.offset(0, 3) == 1
