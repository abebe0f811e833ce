"""An option of a few words, which names the one that was probably meant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from weft.errors import nearest


class Choice(click.Choice[str]):
    """`click.Choice` with the nearest word in its message."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """See `click.Choice`."""
        near = nearest(str(value), list(self.choices))
        message = super().get_invalid_choice_message(value, ctx)
        return f"{message} D{near[1:]}" if near.startswith("did") else message


def choice(flag: str, words: str, help: str, *, name: str | None = None, default: str = "") -> Callable[[Any], Any]:
    """An option of a few words, of which the first is the default if no other is; `name` is its parameter's."""
    listed = words.split()
    declared = (flag,) if name is None else (flag, name)
    return click.option(*declared, type=Choice(listed), default=default or listed[0], show_default=True, help=help)
