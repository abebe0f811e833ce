"""All families of operations."""

import tests.differential.collectives
import tests.differential.control
import tests.differential.memory
import tests.differential.scalars
import tests.differential.vectors  # noqa: F401
