"""The operations of `tile` (`weft.dialects.engine.rows` says what is in a row).

A tile in registers is a buffer of space `local`; the first operand of an operation that writes a buffer is that buffer.
A buffer of space `tensor` lies in 128 lanes of columns of 32 bits: axes `TLane` and `TCol` of its layout.

Copies: element i of one region goes to element i of the other. `scope` says whose threads copy together, all of which
come to the copy. Regions are begin and end of each dimension, all of the buffer where they are left out; without
extents of 1, both have the same. `bounds` has, for each dimension of the operand in global memory, how many elements of
the region exist: others are read as zero, and not written; `bound_divisors` is what divides them (1 where it is left
out). `variant` is the only one tried where it is given, `note` is why it is no tensor copy.

Products: `d` is M x N, `a` M x K, `b` K x N; what one thread or warpgroup starts is d += a * b where `add` holds
(always without it), and d = a * b where it does not, or with `fresh`. With `metadata`, words in registers, `a` is the
half of M x K that is stored. `unsigned_a` and `unsigned_b` say that integers are, `types` ("e2m3,e4m3") what bytes are
that have no type of their own. With `pair`, one thread comes for two blocks, each of which has `d`, `a` and half of the
columns of `b`, those of the even block in front.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.irdl import base

from weft.dialects.engine.operations import Table
from weft.dialects.nvvm.pointers import TENSOR
from weft.dialects.tile.types import BufferType

ROWS = """
address buffer:tile indices:i32* -> pointer:pointer | |
    $buffer (`[` $indices^ `]`)? attr-dict `:` type($buffer) `->` type($pointer) |
    checks.address | | where an element of a buffer in shared memory is, or (without coordinates) where the buffer
    begins
alloc -> buffer:tile | alignment?:i64 | attr-dict `:` type($buffer) |
    checks.alloc | | a buffer in the block's shared memory, in tensor memory or in each thread's registers; `alignment`,
    in bytes, is of the storage of a shared buffer, 128 where it is left out (1024 for a swizzled layout)
async_commit | | | | | the asynchronous copies that a thread issued so far form a group
async_wait | groups:i32=0 | | checks.async_wait | | wait until at most `groups` groups of the thread are in flight
copy COPY | checks.copy | | when it is done, the threads that copied have copied
copy_async COPY | checks.copy_async | | global to shared memory by `cp.async`, done when waited for
elementwise dst:tile sources:any* | function:string unsigned?:any |
    $dst `,` $sources attr-dict `:` type($dst) `,` type($sources) |
    checks.elementwise | | a function of the elements at the same coordinates; operands are tiles in registers, whose
    extents are the destination's or 1, or single values, and each thread must hold the elements it needs; `unsigned`
    integers are compared, divided, shifted and converted as such, signed ones divide towards minus infinity
extract buffer:tile -> element:any | index:i64 | $buffer attr-dict `:` type($buffer) `->` type($element) |
    checks.place | | the element in a place of the thread's own registers of a buffer
fill dst:tile element:any | | $dst `,` $element attr-dict `:` type($dst) `,` type($element) |
    checks.fill | | the same value in every element of a tile in registers
gemm d:tile a:tile b:tile metadata:tile? | unsigned_a? unsigned_b? types?:string |
    $d `,` $a `,` $b META attr-dict `:` type($d) `,` type($a) `,` type($b) |
    checks.gemm | | d += a * b by `mma.sync`, on tiles in a warp's registers, whose layouts are those of `mma.sync`'s
    fragments, tile by tile
gemm_async STARTED | fresh? unsigned_a? unsigned_b? | PRODUCT |
    checks.gemm_async | | start a product by `wgmma`: `a` is in shared memory or in registers, `b` in shared memory, `d`
    in the registers of a warpgroup; nothing may touch `d` until a wait for the product's group
gemm_scaled d:tile a:tile b:tile scale_a:tile scale_b:tile place:tensor? skip:i32? add:i1? |
    pair? pairs? fresh? types?:string |
    $d `,` $a `,` $b `scaled` $scale_a `,` $scale_b (`at` $place^)? (`skip` $skip^)? (`add` $add^)? attr-dict
    `:` type($d) `,` type($a) `,` type($b) `,` type($scale_a) `,` type($scale_b) |
    checks.gemm_scaled | | d += a * sa * b * sb: each of equal runs of elements along K has a scale, a row of `scale_a`
    for each row of `a`, of `scale_b` for each column of `b`; all are in the registers of a warp (`mma.sync`), or `d` is
    in tensor memory and the others in shared memory, and then one thread comes, and the scales are copied to tensor
    memory at `place`, where `skip` rows of `scale_b`, a multiple of 64, are before those of `b`; with `pair` each block
    has the scales of all columns; with `pairs`, a byte of `a` and `b` holds two floats of 4 bits
gemm_tensor STARTED | fresh? unsigned_a? unsigned_b? pair? | PRODUCT |
    checks.gemm_tensor | | start a product by `tcgen05.mma`: one thread comes, `d` is in tensor memory, `b` in shared
    memory, `a` in either
insert buffer:tile element:any | index:i64 | $buffer `,` $element attr-dict `:` type($buffer) `,` type($element) |
    checks.place | | write a place of the thread's own registers of a buffer
iota dst:tile | dimension:i64 | $dst attr-dict `:` type($dst) |
    checks.iota | | every element, of type i32, is its coordinate in a dimension
load buffer:tile indices:i32* -> element:any | |
    $buffer `[` $indices `]` attr-dict `:` type($buffer) `->` type($element) |
    checks.element | | one element of a buffer in memory
reduce dst:tile src:tile | function:string dimension:i64 unsigned?:any | ALIKE |
    checks.reduce | | combine the elements along a dimension, in which the destination has extent 1: each thread that
    holds one of its elements gets the result; `unsigned` integers are compared as such; where the dimension is spread
    over warps, they meet in shared memory, and all threads of the block must come
reshape source:tile -> buffer:tile | | $source attr-dict `:` type($source) `to` type($buffer) |
    checks.reshape | | a tile in registers or shared memory with other extents, its elements in order; the storage is
    the same, so that what is written through one is read through the other
store element:any buffer:tile indices:i32* | |
    $element `,` $buffer `[` $indices `]` attr-dict `:` type($element) `,` type($buffer) |
    checks.element | | write one element of a buffer in memory
subview source:tile offsets:any* -> buffer:tile | static_offsets:array sizes:array divisors?:array |
    $source `[` ($offsets^ `:` type($offsets))? `]` attr-dict `:` type($source) `->` type($buffer) |
    pure memory.check_subview | | a region of a buffer, as a buffer: offsets are constants (`static_offsets`) or values
    (the least i64 there, as in MLIR), each of which is known to be a multiple of its entry in `divisors` and in range;
    a value must move the region by a fixed number of elements a step, so that the offset of a dimension of several
    iters must be a multiple of what all of them but the first hold
sync | scope:string | | checks.sync | | the threads of the scope wait for each other and see each other's writes
tensor_load dst:tile map:pointer barrier:pointer coordinates:i32* offsets:i16* mask:i16? predicate:i1? |
    dimensions:array pair? |
    $dst `,` $map `,` $barrier `[` $coordinates `]` (`offsets` `[` $offsets^ `]`)? (`mask` $mask^)? (`if` $predicate^)?
    attr-dict `:` type($dst) `,` type($map) `,` type($barrier) |
    checks.tensor_load | | start to copy a box of a tensor into a tile: `map` points to the tensor map, whose box is
    that of the tile's layout (`weft.layout.boxes`); coordinates are the tensor's, its first dimension first, and
    `dimensions` has the tensor's dimension for each of the tile's, -1 for those of extent 1; the bytes count at the
    barrier; with `mask`, the same place of each of its blocks is written; with `pair`, the barrier may be in the other
    block of the pair; with `offsets`, the tile is a column of pixels (im2col)
tensor_read dst:tile src:tile | | ALIKE |
    checks.tensor_read | | tensor memory to the registers of a warpgroup (`tcgen05.ld`), and wait for it
tensor_store map:pointer src:tile coordinates:i32* | dimensions:array reduction?:string |
    $map `,` $src `[` $coordinates `]` attr-dict `:` type($map) `,` type($src) |
    checks.tensor_store | | start to copy a tile into a box of a tensor, as `tile.tensor_load` does; the copy belongs to
    the thread's next group of bulk copies, and `reduction` combines with what is there
tensor_write dst:tile src:tile | | ALIKE |
    checks.tensor_write | | the registers of a warpgroup to tensor memory (`tcgen05.st`), and wait for it
view pointer:pointer strides:integer* -> buffer:tile | axes:strings=, divisors?:array alignment?:i64 |
    $pointer (`strides` `[` $strides^ `:` type($strides) `]`)? attr-dict `:` type($pointer) `->` type($buffer) |
    pure memory.check_view | | what a pointer points to; a layout may have axes that are bound here
    (`S[(128,32):(1@ld,1)]`): axis `axes[i]` is worth `strides[i]` elements, known to be a multiple of `divisors[i]` (1
    where it is left out); `alignment` is of the pointer, in bytes, and that of the element where it is left out
"""

TABLE = Table(
    "tile",
    ROWS,
    {"integer": base(IntegerType), "pointer": LLVMPointerType, "tensor": TENSOR, "tile": BufferType},
    {},
    parts={
        "ALIKE": "$dst `,` $src attr-dict `:` type($dst) `,` type($src)",
        "COPY": (
            "dst:tile src:tile bounds:i32* | scope:string variant?:string cache?:string dst_region?:array "
            "src_region?:array bound_divisors?:array note?:string | "
            "$dst `,` $src (`bounds` `[` $bounds^ `]`)? attr-dict `:` type($dst) `,` type($src)"
        ),
        "STARTED": "d:tile a:tile b:tile add:i1? metadata:tile?",
        "PRODUCT": "$d `,` $a `,` $b (`add` $add^)? META attr-dict `:` type($d) `,` type($a) `,` type($b)",
        "META": "(`metadata` $metadata^ `:` type($metadata))?",
    },
)
