"""What a kernel is at every stage of its compilation, and what came of what: line tables, scheduling, occupancy."""

from weft.tracing.build import trace as trace
from weft.tracing.model import Kernel as Kernel
from weft.tracing.model import Links as Links
from weft.tracing.model import Span as Span
from weft.tracing.model import Stage as Stage
from weft.tracing.model import Trace as Trace
from weft.tracing.occupancy import Occupancy as Occupancy
from weft.tracing.occupancy import occupancy as occupancy
