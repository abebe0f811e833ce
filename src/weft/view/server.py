"""A page on this machine that is rebuilt when its files change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from typing import Any

import click

from weft.errors import WeftError
from weft.tracing import Trace
from weft.tracing.page import page


class Maker:
    """Makes the page, once for each state of the files."""

    def __init__(self, made: Callable[[], list[Trace]], sources: Sequence[str]) -> None:
        self._made = made
        self._paths = [Path(source.rpartition(":")[0] if ".py:" in source else source) for source in sources]
        self._lock = Lock()
        self._known: tuple[str, str] = ("", "")

    def stamp(self) -> str:
        """What changes when a file does."""
        return "-".join(str(path.stat().st_mtime_ns) if path.exists() else "0" for path in self._paths)

    def page(self) -> str:
        """The page of the files as they are; what is wrong with them, where they cannot be traced."""
        with self._lock:
            stamp = self.stamp()
            if self._known[0] != stamp:
                try:
                    text = page(self._made(), stamp)
                except (WeftError, OSError) as error:
                    said = error.render() if isinstance(error, WeftError) else str(error)
                    text = (
                        f'<!doctype html><meta http-equiv="refresh" content="2"><title>weft explore</title>'
                        f"<pre>{escape(said)}</pre>"
                    )
                self._known = (stamp, text)
            return self._known[1]


def serve(made: Callable[[], list[Trace]], sources: Sequence[str], port: int) -> None:
    """Serve the page on 127.0.0.1 until interrupted; port 0 is any that is free."""
    maker = Maker(made, sources)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer = {"/": maker.page, "/stamp": maker.stamp}.get(self.path)
            text = answer() if answer is not None else "not found"
            self.send_response(200 if answer is not None else 404)
            kind = "text/html" if self.path == "/" else "text/plain"
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    except OSError as error:
        raise WeftError(
            f"port {port} cannot be used: {error.strerror or error}", hint="use another port with --port"
        ) from None
    with server:
        click.echo(f"http://127.0.0.1:{server.server_address[1]}/ (Ctrl-C ends)")
        server.serve_forever()
