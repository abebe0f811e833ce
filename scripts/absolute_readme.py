"""Make the links of README.md absolute, in place: a package index shows it where relative ones lead nowhere.

`python scripts/absolute_readme.py ADDRESS`, where ADDRESS is that of the repository, which the release knows.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_LINK = re.compile(r"(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)\s]+)\)")


def absolute(text: str, repository: str) -> str:
    """The text with links to files of the repository in place of relative ones; pictures are the files themselves."""

    def link(match: re.Match[str]) -> str:
        folder = "raw" if match[1] else "blob"
        return f"{match[1]}{match[2]}({repository}/{folder}/main/{match[3]})"

    return _LINK.sub(link, text)


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: absolute_readme.py ADDRESS", file=sys.stderr)
        return 2
    readme = ROOT / "README.md"
    readme.write_text(absolute(readme.read_text(encoding="utf-8"), sys.argv[1].rstrip("/")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
