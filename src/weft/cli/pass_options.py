"""Passes as options of a command, spelled as mlir-opt's users spell them.

`--cse`, `-cse`, `--convert-scf-to-cf` and `--pass=option=value` add a pass each, in their order, to what `--passes` and
`--pass-pipeline` give; long options may be after a single dash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from weft.errors import near_names

_LONG = re.compile(r"--?([A-Za-z][\w\-]+)(?:=(.*))?", re.DOTALL)


class PassCommand(click.Command):
    """A command with the option `--passes`, which takes passes as options too."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Spell passes as `--passes`, and long options with two dashes, then parse as always."""
        try:
            return super().parse_args(ctx, list(self._rewritten(args)))
        except click.NoSuchOption as error:
            known = [*(error.possibilities or ()), *(f"--{name}" for name in _passes())]
            near = near_names(error.option_name, known)
            raise click.NoSuchOption(error.option_name, possibilities=near, ctx=error.ctx) from None

    def _rewritten(self, args: list[str]) -> Iterator[str]:
        options = [name for param in self.params for name in param.opts]
        known = {name[2:] for name in options if name.startswith("--")} | {"help"}
        for index, arg in enumerate(args):
            match = _LONG.fullmatch(arg)
            if arg == "--":
                yield from args[index:]
                return
            if match is None or (index and args[index - 1] in ("-p", "-o")):
                yield arg
            elif match[1] in known:
                yield "--" + arg.lstrip("-")
            elif match[1] in _passes():
                yield f"--passes={match[1]}" + (f"{{{match[2]}}}" if match[2] else "")
            else:
                yield arg


def _passes() -> dict[str, object]:
    from weft.transforms import available_passes

    return {**available_passes()}
