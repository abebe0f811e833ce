"""Every function of both APIs with arguments that are null, of other kinds, given back, too large: `misuse.py DRAWS SEED STEP`.

Each function is called in a process of its own.  It may refuse what it is given, or take it; it may not end the process
or go wrong inside.  Places that the program gives are memory, since writing elsewhere ends a program on a real GPU, too.
"""

import ctypes
import faulthandler
import os
import random
import re
import signal
import sys
import threading
from ctypes import byref, c_uint64, c_void_p

import weft.gpu.driver
from weft.gpu.driver.runtime_table import RUNTIME
from weft.gpu.driver.table import Call

DRAWS, SEED, STEP = (int(word) for word in sys.argv[1:4])
cu, runtime = ctypes.CDLL("libcuda.so.1"), ctypes.CDLL("libcudart.so.13")
assert cu.cuInit(0) == 0
PTX = b""".version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p) { .reg .b64 %p; ld.param.u64 %p, [p]; st.global.u32 [%p], 1; ret; }
"""
CALLBACK = ctypes.CFUNCTYPE(None, c_uint64)(lambda _: None)


def new(name, *rest, before=()):
    out = c_uint64()
    assert getattr(cu, name)(*before, byref(out), *rest) == 0, name
    return out.value


def made():
    """One thing of each kind."""
    module = new("cuModuleLoadData", PTX)
    graph = new("cuGraphCreate", 0)
    return {
        "stream": new("cuStreamCreate", 1),
        "event": new("cuEventCreate", 0),
        "module": module,
        "function": new("cuModuleGetFunction", c_void_p(module), b"k"),
        "graph": graph,
        "exec": new("cuGraphInstantiateWithFlags", c_void_p(graph), c_uint64(0)),
        "node": new("cuGraphAddEmptyNode", c_void_p(graph), None, c_uint64(0)),
        "array": new("cuArrayCreate_v2", (c_uint64 * 4)(16, 16, 0x20 | 1 << 32)),
        "memory": new("cuMemAlloc_v2", c_uint64(4096)),
        "managed": new("cuMemAllocManaged", c_uint64(4096), 1),
        "pinned": new("cuMemHostAlloc", c_uint64(4096), 0),
        "link": new("cuLinkCreate_v2", before=(0, None, None)),
    }


context = new("cuDevicePrimaryCtxRetain", 0)
cu.cuCtxSetCurrent(c_void_p(context))
live, gone = made(), made()
for kind, name in (
    *(("exec", "cuGraphExecDestroy"), ("node", "cuGraphDestroyNode"), ("graph", "cuGraphDestroy")),
    *(("stream", "cuStreamDestroy_v2"), ("event", "cuEventDestroy_v2"), ("module", "cuModuleUnload")),
    *(("array", "cuArrayDestroy"), ("memory", "cuMemFree_v2"), ("managed", "cuMemFree_v2")),
    *(("pinned", "cuMemFreeHost"), ("link", "cuLinkDestroy")),
):
    assert getattr(cu, name)(c_void_p(gone[kind])) == 0, name

zeros, ones, text = (ctypes.create_string_buffer(data, 1 << 16) for data in (b"", b"\1\0\0\0\0\0\0\0" * 64, b"k"))
rows = ctypes.create_string_buffer(ctypes.addressof(zeros).to_bytes(8, "little") * 64, 1 << 16)
HOST = [0, *(ctypes.addressof(buffer) for buffer in (zeros, ones, text, rows))]
MEMORY = [things[kind] for things in (live, gone) for kind in ("memory", "managed", "pinned")]
HANDLES = [context, *live.values(), *gone.values()]
SIZES = [0, 1, 3, 64, 4095, 1 << 33, 1 << 40, 1 << 63, (1 << 64) - 4096, (1 << 64) - 1]
NUMBERS = [0, 1, 2, 3, 9, 33, 4096, 1 << 20, (1 << 31) - 1, (1 << 32) - 1, 1 << 31]
SIZE = re.compile(r"size|count|bytes|width|height|depth|pitch|offset|length|number")
HANDLE = re.compile(
    r"stream|event|module|function|kernel|graph|node|array|context|executable|pool|state|resource|handle"
)


def draw(random_, call, kind, name):
    if re.search("callback|function", name) and re.search("Host|Callback|UserObject", call.name):
        return random_.choice([0, ctypes.cast(CALLBACK, c_void_p).value])
    if kind in "iu":
        return random_.choice(NUMBERS)
    if kind == "p" and SIZE.fullmatch(name) and not re.search("Get|Pitch|Query", call.name):
        return random_.choice(SIZES)
    if HANDLE.search(name) and kind != "o":
        return random_.choice([0, *HANDLES])
    return random_.choice([0, *HOST, *MEMORY])


def calls(library, call):
    """Call a function by two threads with what is drawn, first with nothing but zeros."""
    function = ctypes.CDLL(library._name)[call.name]
    # A function may take more than one version of a call gives it.
    names = list(call.function.__code__.co_varnames[1 : call.function.__code__.co_argcount])[: len(call.arguments)]
    names += [""] * (len(call.arguments) - len(names))
    function.argtypes = [c_uint64] * len(names)
    random_ = random.Random(f"{call.name} {SEED}")
    every = [[0] * len(names)]
    every += [[draw(random_, call, *pair) for pair in zip(call.arguments, names, strict=True)] for _ in range(DRAWS)]

    def part(first):
        cu.cuCtxSetCurrent(c_void_p(context))
        for words in every[first::2]:
            os.pwrite(now, f"{call.name}{[hex(word) for word in words]}".ljust(600).encode(), 0)
            status = function(*words)
            assert status != 999, (call.name, words)

    threads = [threading.Thread(target=part, args=(first,)) for first in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def tried(library, call):
    """What goes wrong with a function, or nothing."""
    errors = os.memfd_create("errors")
    child = os.fork()
    if not child:
        os.dup2(errors, 2)
        faulthandler.enable()
        signal.alarm(100)
        calls(library, call)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    said = os.pread(errors, 1 << 20, 0).decode(errors="replace")
    os.close(errors)
    if status:
        return f"status {status:#x} of {os.pread(now, 600, 0).decode().strip()}\n{said[-2000:]}"
    return said[-2000:] if "internal error" in said or "Traceback" in said else ""


now = os.memfd_create("now")
tables: list[tuple[ctypes.CDLL, list[Call]]] = [
    (cu, weft.gpu.driver.driver_calls()),
    (runtime, [call for call in RUNTIME.values() if call.name.startswith("cuda")]),
]
every = [(library, call) for library, table in tables for call in table][SEED % STEP :: STEP]
wrong = [found for library, call in every if (found := tried(library, call))]
print("\n".join(wrong))
print(len(every), "functions")
sys.exit(bool(wrong))
