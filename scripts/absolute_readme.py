"""Make the links of README.md absolute, in place: a package index shows it where relative ones lead nowhere."""

from __future__ import annotations

import re
import sys
import tomllib
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
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    readme = ROOT / "README.md"
    readme.write_text(absolute(readme.read_text(encoding="utf-8"), project["urls"]["Repository"]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
