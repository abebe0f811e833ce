"""Triton kernels without a GPU: `activate` makes Triton launch on the simulator.

```python
import weft.triton
weft.triton.activate(target="sm_90a")
```

From then on JIT kernels, Triton's own and Gluon's, are compiled by Triton itself as far as PTX, and that PTX is what
runs, with the simulator's checks.  Arguments are NumPy arrays, or CPU tensors of PyTorch where it is installed.

Importing the package loads nothing: Triton itself imports it where it looks for backends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft import lazily

if TYPE_CHECKING:
    from weft.triton.activation import Activation as Activation
    from weft.triton.activation import activate as activate
    from weft.triton.activation import active as active
    from weft.triton.activation import deactivate as deactivate
    from weft.triton.arrays import Array as Array
    from weft.triton.arrays import asarray as asarray
    from weft.triton.arrays import empty as empty
    from weft.triton.arrays import full as full
    from weft.triton.arrays import ones as ones
    from weft.triton.arrays import zeros as zeros
    from weft.triton.faults import TritonFault as TritonFault

_HOME = {
    "Activation": ".activation",
    "Array": ".arrays",
    "TritonFault": ".faults",
    "activate": ".activation",
    "active": ".activation",
    "asarray": ".arrays",
    "deactivate": ".activation",
    "empty": ".arrays",
    "full": ".arrays",
    "ones": ".arrays",
    "zeros": ".arrays",
}

__getattr__, __dir__ = lazily.named(__name__, _HOME)
