"""Write the repository's address into what a package index shows: the links of README.md and the project's URLs.

`python scripts/addresses.py ADDRESS` changes both files in place; the release knows the address, the tree does not.
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


def with_urls(project: str, repository: str) -> str:
    """The text of pyproject.toml with a table of the project's URLs in front of its optional dependencies."""
    pages = {
        "Source": "",
        "Documentation": "/blob/main/docs/index.md",
        "Changelog": "/blob/main/CHANGELOG.md",
        "Issues": "/issues",
    }
    lines = [f'{name} = "{repository}{path}"\n' for name, path in pages.items()]
    table = "[project.optional-dependencies]\n"
    return project.replace(table, "".join(["[project.urls]\n", *lines, "\n", table]), 1)


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: addresses.py ADDRESS", file=sys.stderr)
        return 2
    for name, change in (("README.md", absolute), ("pyproject.toml", with_urls)):
        file = ROOT / name
        file.write_text(change(file.read_text(encoding="utf-8"), sys.argv[1].rstrip("/")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
