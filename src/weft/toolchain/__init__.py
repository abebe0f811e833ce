"""What is outside weft: ptxas, nvlink, nvdisasm and the other compilers, found and run."""

from weft.toolchain.doctor import Finding as Finding
from weft.toolchain.doctor import examine as examine
from weft.toolchain.find import Tool as Tool
from weft.toolchain.find import find as find
from weft.toolchain.nvlink import link as link
from weft.toolchain.ptxas import Cubin as Cubin
from weft.toolchain.ptxas import Resources as Resources
from weft.toolchain.ptxas import assemble as assemble
from weft.toolchain.sass import Sass as Sass
from weft.toolchain.sass import SassInstruction as SassInstruction
from weft.toolchain.sass import code_difference as code_difference
from weft.toolchain.sass import disassemble as disassemble
