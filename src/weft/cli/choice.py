"""An option of a few words, which names the one that was probably meant."""

from __future__ import annotations

from typing import Any

import click

from weft.errors import nearest


class Choice(click.Choice[str]):
    """`click.Choice` with the nearest word in its message."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """See `click.Choice`."""
        near = nearest(str(value), list(self.choices))
        message = super().get_invalid_choice_message(value, ctx)
        return f"{message} {near.capitalize()}" if near.startswith("did") else message
