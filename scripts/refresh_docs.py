"""Run every command that the documents show and put its real output there (`make refresh`)."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.test_docs import EXAMPLES, matches, output_of  # noqa: E402


def main() -> int:
    for example in EXAMPLES:
        found = output_of(example)
        if matches(example.output, found):
            continue
        lines = "".join(f"{line.rstrip()}\n" for line in found.rstrip().splitlines())
        text = example.document.read_text(encoding="utf-8")
        shown = f"$ {example.command}\n{example.output}"
        assert text.count(shown) == 1, f"{example}: shown more than once"
        example.document.write_text(text.replace(shown, f"$ {example.command}\n{lines}"), encoding="utf-8")
        print(f"{example}: {example.command}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
