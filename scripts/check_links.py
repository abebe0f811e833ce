"""Check the links of a site within itself: `check_links.py FOLDER` (pages, pictures, and places in pages)."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """The links and the places of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name in ("href", "src"):
                self.links.append(value)
            elif name in ("id", "name"):
                self.places.add(value)


def broken(folder: Path) -> list[str]:
    """`page: link` for every link that leads nowhere within the site."""
    pages = {path: _Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}
    found: list[str] = []
    for path, page in pages.items():
        for link in dict.fromkeys(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
            if target.is_dir():
                target /= "index.html"
            place = unquote(parts.fragment)
            known = pages.get(folder.resolve() / target.relative_to(folder.resolve())) if target.exists() else None
            if not target.exists() or (known is not None and place not in known.places):
                found.append(f"{path.relative_to(folder)}: {link}")
    return found


def main() -> int:
    found = broken(Path(sys.argv[1]).resolve())
    for line in found:
        print(line)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
