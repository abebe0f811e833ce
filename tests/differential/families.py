"""All families of operations."""

import tests.differential.affine_loops
import tests.differential.aggregates
import tests.differential.aliases
import tests.differential.collectives
import tests.differential.complexes
import tests.differential.control
import tests.differential.conventions
import tests.differential.corners
import tests.differential.deeper
import tests.differential.elementary
import tests.differential.facts
import tests.differential.flow
import tests.differential.hints
import tests.differential.intrinsics
import tests.differential.matrices
import tests.differential.memory
import tests.differential.plain
import tests.differential.predicated
import tests.differential.scalars
import tests.differential.small_floats
import tests.differential.strides
import tests.differential.transfers
import tests.differential.vectors
import tests.differential.views  # noqa: F401
