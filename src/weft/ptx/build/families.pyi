# Written by scripts/builder_stub.py from the table of instructions.
# ruff: noqa
from typing import Literal

from weft.ptx.ast import Guard, Instruction
from weft.ptx.build.operands import Given
from weft.ptx.operands import Register

def attributes() -> dict[str, str]: ...
def family_of(name: str) -> str: ...

class Statements:
    def emit(self, family: str, /, *operands: Given, guard: Register | Guard | None = None, **slots: str | bool) -> Instruction: ...
    def abs(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['s16', 's32', 's64', 'f16', 'f16x2', 'bf16', 'bf16x2', 'f32', 'f64', ''] = ..., ftz: Literal['ftz', ''] | bool = ...) -> Instruction:
        'The absolute value.'
    def activemask(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b32', ''] | bool = ...) -> Instruction:
        'The lanes of the warp that execute now, one bit a lane.'
    def add(self, *operands: Given, guard: Register | Guard | None = None, sat: Literal['sat', ''] | bool = ..., type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', 'u16x2', 's16x2', 'u8x4', 's8x4', 'f16', 'f16x2', 'bf16', 'bf16x2', 'f32', 'f32x2', 'f64', 'e4m3x4', 'e5m2x4', ''] = ..., rnd: Literal['rn', 'rz', 'rm', 'rp', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., atype: Literal['f16', 'bf16', 'f16x2', 'bf16x2', 'f32x2', 'e4m3x4', 'e5m2x4', 'e2m1x4', 'e2m1p4x4', 'e3m2x4', 'e2m3x4', 'ue8m0x4', ''] = ..., btype: Literal['f32x2', ''] | bool = ..., satfinite: Literal['satfinite', ''] | bool = ...) -> Instruction:
        'Add two values: integers, floats, or packed vectors of them.'
    def addc(self, *operands: Given, guard: Register | Guard | None = None, sat: Literal['sat', ''] | bool = ..., type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', ''] = ...) -> Instruction:
        'Add two integers and the carry bit.'
    def alloca(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 'u64', ''] = ...) -> Instruction:
        'Reserve bytes of local memory until the function returns.'
    def and_(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b16', 'b32', 'b64', 'pred', ''] = ...) -> Instruction:
        'Bitwise and of two words or predicates.'
    def applypriority(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['global', ''] | bool = ..., level: Literal['L2::evict_normal', ''] | bool = ..., completion_mechanism: Literal['bulk_group', ''] | bool = ...) -> Instruction:
        'Give 128 bytes in L2, or with .async.bulk a range of bytes, the normal eviction priority again.'
    def atom(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['relaxed', 'acquire', 'release', 'acq_rel', ''] = ..., scope: Literal['cta', 'cluster', 'gpu', 'sys', ''] = ..., ss: Literal['global', 'shared', 'shared::cta', 'shared::cluster', ''] = ..., op: Literal['add', 'min', 'max', 'inc', 'dec', 'and', 'or', 'xor', 'exch', 'cas', ''] = ..., noftz: Literal['noftz', ''] | bool = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., vec: Literal['v2', 'v4', 'v8', ''] = ..., type: Literal['b16', 'b32', 'b64', 'b128', 'u32', 's32', 'u64', 's64', 'f16', 'bf16', 'f16x2', 'bf16x2', 'f32', 'f64', ''] = ...) -> Instruction:
        'Replace a value in memory by the result of an operation on it, atomically, and return the old value.'
    def bar(self, *operands: Given, guard: Register | Guard | None = None, cta: Literal['cta', ''] | bool = ..., action: Literal['sync', 'arrive', 'red', ''] = ..., op: Literal['popc', 'and', 'or', ''] = ..., type: Literal['u32', 'pred', ''] = ...) -> Instruction:
        'Wait at, arrive at, or reduce a predicate across one of the sixteen barriers of the CTA, whole warps at a time.'
    def bar_warp_sync(self, *operands: Given, guard: Register | Guard | None = None) -> Instruction:
        'Wait until every thread named in the mask has executed the same barrier.'
    def barrier(self, *operands: Given, guard: Register | Guard | None = None, cta: Literal['cta', ''] | bool = ..., action: Literal['sync', 'arrive', 'red', ''] = ..., aligned: Literal['aligned', ''] | bool = ..., op: Literal['popc', 'and', 'or', ''] = ..., type: Literal['u32', 'pred', ''] = ...) -> Instruction:
        'Wait at, arrive at, or reduce a predicate across one of the sixteen barriers of the CTA.'
    def barrier_cluster(self, *operands: Given, guard: Register | Guard | None = None, action: Literal['arrive', 'wait', ''] = ..., sem: Literal['release', 'relaxed', 'acquire', ''] = ..., aligned: Literal['aligned', ''] | bool = ...) -> Instruction:
        'Arrive at, or wait at, the hardware barrier of the cluster.'
    def bfe(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 'u64', 's32', 's64', ''] = ...) -> Instruction:
        'Extract a bit field and extend it.'
    def bfi(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b32', 'b64', ''] = ...) -> Instruction:
        'Insert a bit field into a word.'
    def bfind(self, *operands: Given, guard: Register | Guard | None = None, shiftamt: Literal['shiftamt', ''] | bool = ..., type: Literal['u32', 'u64', 's32', 's64', ''] = ...) -> Instruction:
        'Find the most significant bit that is not a sign bit; -1 when there is none.'
    def bmsk(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['clamp', 'wrap', ''] = ..., type: Literal['b32', ''] | bool = ...) -> Instruction:
        'A mask of ones of a given width from a given bit.'
    def bra(self, *operands: Given, guard: Register | Guard | None = None, uni: Literal['uni', ''] | bool = ...) -> Instruction:
        'Continue at a label; .uni asserts that all active threads of the warp do the same.'
    def brev(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b32', 'b64', ''] = ...) -> Instruction:
        'Reverse the bits.'
    def brkpt(self, *operands: Given, guard: Register | Guard | None = None) -> Instruction:
        'Suspend the thread for a debugger.'
    def brx_idx(self, *operands: Given, guard: Register | Guard | None = None, uni: Literal['uni', ''] | bool = ...) -> Instruction:
        'Continue at the label that the index selects from a .branchtargets list.'
    def clmad(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['lo', 'hi', ''] = ..., type: Literal['u64', 's64', ''] = ...) -> Instruction:
        'Multiply two integers without carries and add (exclusive or) a third to half of the product.'
    def clusterlaunchcontrol_query_cancel(self, *operands: Given, guard: Register | Guard | None = None, query: Literal['is_canceled', 'get_first_ctaid::x', 'get_first_ctaid::y', 'get_first_ctaid::z', 'get_first_ctaid', ''] = ..., type: Literal['pred', 'b32', ''] = ..., response: Literal['b128', ''] | bool = ..., vec: Literal['v4', ''] | bool = ...) -> Instruction:
        'Read the answer of try_cancel: whether a cluster was taken over, and the index of its first CTA.'
    def clusterlaunchcontrol_try_cancel(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['shared::cta', ''] | bool = ..., completion_mechanism: Literal['mbarrier::complete_tx::bytes', ''] | bool = ..., multicast: Literal['multicast::cluster::all', ''] | bool = ..., type: Literal['b128', ''] | bool = ...) -> Instruction:
        'Ask asynchronously that a cluster not be launched; the 16-byte answer goes to shared memory.'
    def clz(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b32', 'b64', ''] = ...) -> Instruction:
        'Count the leading zero bits.'
    def cnot(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b16', 'b32', 'b64', ''] = ...) -> Instruction:
        'Logical negation: 1 for zero, 0 for all else.'
    def copysign(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['f32', 'f64', ''] = ...) -> Instruction:
        'The magnitude of the second float with the sign of the first.'
    def cos(self, *operands: Given, guard: Register | Guard | None = None, ftz: Literal['ftz', ''] | bool = ..., type: Literal['f32', ''] | bool = ...) -> Instruction:
        'An approximation of the cosine of an angle in radians.'
    def cp_async(self, *operands: Given, guard: Register | Guard | None = None, cop: Literal['ca', 'cg', ''] = ..., dst: Literal['shared', 'shared::cta', ''] = ..., src: Literal['global', ''] | bool = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., prefetch_size: Literal['L2::64B', 'L2::128B', 'L2::256B', ''] = ...) -> Instruction:
        'Start a copy of 4, 8 or 16 bytes from global to shared memory; the rest past src_size becomes zero.'
    def cp_async_bulk(self, *operands: Given, guard: Register | Guard | None = None, dst: Literal['shared::cluster', 'shared::cta', 'global', ''] = ..., src: Literal['global', 'shared::cta', ''] = ..., completion_mechanism: Literal['mbarrier::complete_tx::bytes', 'bulk_group', ''] = ..., multicast: Literal['multicast::cluster', 'multicast::cluster::32b', ''] = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., report: Literal['mbarrier::report::disabled', 'mbarrier::report::validity::per_16bytes::80000000', 'mbarrier::report::validity::per_16bytes::8000', 'mbarrier::report::validity::per_16bytes::80', 'mbarrier::report::validity::per_16bytes::8', 'mbarrier::report::validity::per_element::ff', ''] = ..., ignore_oob: Literal['ignore_oob', ''] | bool = ..., cp_mask: Literal['cp_mask', ''] | bool = ...) -> Instruction:
        'Start a copy of a byte range between global memory, shared memory and the shared memory of a cluster.'
    def cp_async_bulk_commit_group(self, *operands: Given, guard: Register | Guard | None = None) -> Instruction:
        "Put the thread's bulk copies started since the last bulk group into a new bulk group."
    def cp_async_bulk_prefetch(self, *operands: Given, guard: Register | Guard | None = None, level: Literal['L2', ''] | bool = ..., src: Literal['global', ''] | bool = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., priority: Literal['L2::evict_last', ''] | bool = ...) -> Instruction:
        'Start bringing a byte range of global memory into L2.'
    def cp_async_bulk_prefetch_tensor(self, *operands: Given, guard: Register | Guard | None = None, dim: Literal['1d', '2d', '3d', '4d', '5d', ''] = ..., src: Literal['global', ''] | bool = ..., load_mode: Literal['tile', 'tile::gather4', 'im2col', 'im2col::w', 'im2col::w::128', ''] = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., override: Literal['override::global_address', ''] | bool = ..., sizes: Literal['override::global_dim', 'override::global_dim_stride', ''] = ..., priority: Literal['L2::evict_last', ''] | bool = ...) -> Instruction:
        'Start loading a box of a tensor into the L2 cache.'
    def cp_async_bulk_tensor(self, *operands: Given, guard: Register | Guard | None = None, dim: Literal['1d', '2d', '3d', '4d', '5d', ''] = ..., dst: Literal['shared::cluster', 'shared::cta', 'global', ''] = ..., src: Literal['global', 'shared::cta', ''] = ..., load_mode: Literal['tile', 'tile::gather4', 'im2col', 'im2col::w', 'im2col::w::128', 'tile::scatter4', 'im2col_no_offs', ''] = ..., completion: Literal['mbarrier::complete_tx::bytes', 'bulk_group', ''] = ..., multicast: Literal['multicast::cluster', 'multicast::cluster::32b', ''] = ..., cta_group: Literal['cta_group::1', 'cta_group::2', ''] = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., report: Literal['mbarrier::report::disabled', 'mbarrier::report::validity::per_16bytes::80000000', 'mbarrier::report::validity::per_16bytes::8000', 'mbarrier::report::validity::per_16bytes::80', 'mbarrier::report::validity::per_16bytes::8', 'mbarrier::report::validity::per_element::ff', ''] = ..., override: Literal['override::global_address', ''] | bool = ..., sizes: Literal['override::global_dim', 'override::global_dim_stride', ''] = ...) -> Instruction:
        'Start copying a box of a tensor between global and shared memory.'
    def cp_async_bulk_wait_group(self, *operands: Given, guard: Register | Guard | None = None, read: Literal['read', ''] | bool = ..., sync_restrict: Literal['sync_restrict::proxy::async', ''] | bool = ...) -> Instruction:
        "Wait until at most n of the thread's newest bulk groups are pending; with .read, until their sources are read."
    def cp_async_commit_group(self, *operands: Given, guard: Register | Guard | None = None) -> Instruction:
        "Put the thread's copies started since the last group into a new group."
    def cp_async_mbarrier_arrive(self, *operands: Given, guard: Register | Guard | None = None, noinc: Literal['noinc', ''] | bool = ..., ss: Literal['shared', 'shared::cta', ''] = ..., type: Literal['b64', ''] | bool = ...) -> Instruction:
        "Arrive at an mbarrier once the thread's copies so far are complete."
    def cp_async_wait_all(self, *operands: Given, guard: Register | Guard | None = None) -> Instruction:
        "Wait until all of the thread's copies are complete."
    def cp_async_wait_group(self, *operands: Given, guard: Register | Guard | None = None) -> Instruction:
        "Wait until at most n of the thread's newest groups of copies are pending."
    def cp_reduce_async_bulk(self, *operands: Given, guard: Register | Guard | None = None, dst: Literal['shared::cluster', 'global', ''] = ..., src: Literal['shared::cta', ''] | bool = ..., completion_mechanism: Literal['mbarrier::complete_tx::bytes', 'bulk_group', ''] = ..., op: Literal['and', 'or', 'xor', 'add', 'inc', 'dec', 'min', 'max', ''] = ..., type: Literal['b32', 'u32', 's32', 'u64', 'f16', 'bf16', 'b64', 's64', 'f32', 'f64', ''] = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., noftz: Literal['noftz', ''] | bool = ...) -> Instruction:
        "Start an element-wise reduction of a byte range of shared memory into global memory or a cluster's shared memory."
    def cp_reduce_async_bulk_tensor(self, *operands: Given, guard: Register | Guard | None = None, dim: Literal['1d', '2d', '3d', '4d', '5d', ''] = ..., dst: Literal['global', ''] | bool = ..., src: Literal['shared::cta', ''] | bool = ..., redop: Literal['add', 'min', 'max', 'inc', 'dec', 'and', 'or', 'xor', ''] = ..., load_mode: Literal['tile', 'im2col_no_offs', ''] = ..., completion: Literal['bulk_group', ''] | bool = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., override: Literal['override::global_address', ''] | bool = ..., sizes: Literal['override::global_dim', 'override::global_dim_stride', ''] = ...) -> Instruction:
        'Start combining a box in shared memory into a tensor in global memory.'
    def createpolicy(self, *operands: Given, guard: Register | Guard | None = None, kind: Literal['range', 'fractional', 'cvt', ''] = ..., ss: Literal['global', ''] | bool = ..., primary: Literal['L2::evict_last', 'L2::evict_normal', 'L2::evict_first', 'L2::evict_unchanged', ''] = ..., secondary: Literal['L2::evict_first', 'L2::evict_unchanged', ''] = ..., type: Literal['b64', ''] | bool = ..., level: Literal['L2', ''] | bool = ...) -> Instruction:
        'Make the 64-bit cache policy that the .L2::cache_hint forms take.'
    def cvt(self, *operands: Given, guard: Register | Guard | None = None, sat: Literal['sat', ''] | bool = ..., type: Literal['u8', 's8', 'u16', 'u32', 'u64', 's16', 's32', 's64', 'f16', 'f32', 'f64', 'bf16', 'f16x2', 'bf16x2', 'tf32', 'e4m3x2', 'e5m2x2', 'e3m2x2', 'e2m3x2', 'e2m1x2', 's2f6x2', 'ue8m0x2', 'ue5m3x2', 'e4m3x4', 'e5m2x4', 'e3m2x4', 'e2m3x4', 'e2m1x4', ''] = ..., atype: Literal['u8', 's8', 'u16', 'u32', 'u64', 's16', 's32', 's64', 'f16', 'f32', 'f64', 'bf16', 'f16x2', 'bf16x2', 'e4m3x2', 'e5m2x2', 'e3m2x2', 'e2m3x2', 'e2m1x2', 's2f6x2', 'ue8m0x2', 'ue5m3x2', ''] = ..., rnd: Literal['rni', 'rzi', 'rmi', 'rpi', 'rn', 'rz', 'rm', 'rp', 'rs', 'rna', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., relu: Literal['relu', ''] | bool = ..., satfinite: Literal['satfinite', ''] | bool = ..., pzo: Literal['pzo', ''] | bool = ..., scaled: Literal['scaled::n1::ue8m0', 'scaled::n2::ue8m0', ''] = ...) -> Instruction:
        'Convert a value from one type to another; narrow formats are packed two or four to a register.'
    def cvt_pack(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u16', 's16', 'u8', 's8', 'u4', 's4', 'u2', 's2', ''] = ..., atype: Literal['s32', ''] | bool = ..., ctype: Literal['b32', ''] | bool = ...) -> Instruction:
        'Convert two integers with saturation and pack them, after older elements for the types of 8 bits and less.'
    def cvta(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['global', 'local', 'const', 'param', 'param::entry', 'shared', 'shared::cta', 'shared::cluster', ''] = ..., size: Literal['u32', 'u64', ''] = ..., to: Literal['to', ''] | bool = ...) -> Instruction:
        'Convert an address of a state space to a generic address, or back with .to.'
    def discard(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['global', ''] | bool = ..., level: Literal['L2', ''] | bool = ...) -> Instruction:
        'Drop 128 bytes from L2 without writing them back; their value is undefined after.'
    def div(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', 'f32', 'f64', ''] = ..., rnd: Literal['approx', 'full', 'rn', 'rz', 'rm', 'rp', ''] = ..., ftz: Literal['ftz', ''] | bool = ...) -> Instruction:
        'Divide one value by another.'
    def dp2a(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['lo', 'hi', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ...) -> Instruction:
        'Add the dot product of two half-words and two bytes (the low or the high pair) to an integer.'
    def dp4a(self, *operands: Given, guard: Register | Guard | None = None, atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ...) -> Instruction:
        'Add the dot product of two vectors of four bytes to an integer.'
    def elect_sync(self, *operands: Given, guard: Register | Guard | None = None) -> Instruction:
        'Choose one lane of the mask; the predicate is true in that lane only.'
    def ex2(self, *operands: Given, guard: Register | Guard | None = None, ftz: Literal['ftz', ''] | bool = ..., type: Literal['f16', 'f16x2', 'bf16', 'bf16x2', 'f32', ''] = ...) -> Instruction:
        'An approximation of a power of 2.'
    def exit(self, *operands: Given, guard: Register | Guard | None = None) -> Instruction:
        'End the thread.'
    def fabric_submit(self, *operands: Given, guard: Register | Guard | None = None, op_restrict: Literal['op_restrict::fetching', ''] | bool = ...) -> Instruction:
        "Hand the thread's transfers through the fabric over, or with .op_restrict::fetching those that fetch."
    def fabric_submit_commit_group(self, *operands: Given, guard: Register | Guard | None = None) -> Instruction:
        "Hand the thread's transfers through the fabric over as a new group."
    def fabric_try_atom_async(self, *operands: Given, guard: Register | Guard | None = None, cache_hint: Literal['L2::cache_hint', ''] | bool = ..., sem: Literal['relaxed', ''] | bool = ..., scope: Literal['sys', ''] | bool = ..., op: Literal['add', 'min', 'max', 'and', 'or', 'xor', 'exch', 'cas', ''] = ..., type: Literal['b32', 'u32', 's32', 'b64', 'u64', 's64', 'f16', 'bf16', 'f32', 'f64', 'f16x2', 'bf16x2', 'b128', ''] = ...) -> Instruction:
        'Start an atomic operation at an endpoint of the fabric with operands in shared memory.'
    def fabric_try_get_async(self, *operands: Given, guard: Register | Guard | None = None, cache_hint: Literal['L2::cache_hint', ''] | bool = ..., sem: Literal['relaxed', ''] | bool = ..., scope: Literal['sys', ''] | bool = ...) -> Instruction:
        'Start loading bytes of an endpoint of the fabric to shared memory.'
    def fabric_try_get_async_tensor(self, *operands: Given, guard: Register | Guard | None = None, dim: Literal['1d', '2d', '3d', '4d', '5d', ''] = ..., tile: Literal['tile', ''] | bool = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., override: Literal['override::global_address', ''] | bool = ..., sem: Literal['relaxed', ''] | bool = ..., scope: Literal['sys', ''] | bool = ..., sizes: Literal['override::global_dim', 'override::global_dim_stride', ''] = ...) -> Instruction:
        'Start loading a box of a tensor of an endpoint of the fabric to shared memory.'
    def fabric_try_pullred_async(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['relaxed', ''] | bool = ..., scope: Literal['sys', ''] | bool = ..., op: Literal['add', 'min', 'max', 'and', 'or', 'xor', ''] = ..., acc: Literal['acc::f32', 'acc::f16', ''] = ..., type: Literal['b32', 'u32', 's32', 'b64', 'u64', 's64', 'f16', 'bf16', 'f32', 'f64', 'e4m3', 'e5m2', ''] = ...) -> Instruction:
        'Start loading elements of all endpoints of a multicast address of the fabric, reduced, to shared memory.'
    def fabric_try_put_async(self, *operands: Given, guard: Register | Guard | None = None, multimem: Literal['multimem', ''] | bool = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., sem: Literal['relaxed', ''] | bool = ..., scope: Literal['sys', ''] | bool = ..., cp_mask: Literal['cp_mask', ''] | bool = ...) -> Instruction:
        'Start storing bytes of shared memory to an endpoint of the fabric, and tell the mbarrier whether it went well.'
    def fabric_try_put_async_tensor(self, *operands: Given, guard: Register | Guard | None = None, multimem: Literal['multimem', ''] | bool = ..., dim: Literal['1d', '2d', '3d', '4d', '5d', ''] = ..., tile: Literal['tile', ''] | bool = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., override: Literal['override::global_address', ''] | bool = ..., sem: Literal['relaxed', ''] | bool = ..., scope: Literal['sys', ''] | bool = ..., sizes: Literal['override::global_dim', 'override::global_dim_stride', ''] = ...) -> Instruction:
        'Start storing a box of shared memory to a tensor of an endpoint of the fabric.'
    def fabric_try_red_async(self, *operands: Given, guard: Register | Guard | None = None, multimem: Literal['multimem', ''] | bool = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., sem: Literal['relaxed', ''] | bool = ..., scope: Literal['sys', ''] | bool = ..., op: Literal['add', 'min', 'max', 'and', 'or', 'xor', ''] = ..., type: Literal['b32', 'u32', 's32', 'b64', 'u64', 's64', 'f16', 'bf16', 'f32', 'f64', ''] = ...) -> Instruction:
        'Start reducing elements of shared memory into those of an endpoint of the fabric.'
    def fabric_wait(self, *operands: Given, guard: Register | Guard | None = None, sync_restrict: Literal['sync_restrict::reads', 'sync_restrict::read', ''] = ...) -> Instruction:
        "Wait until the sources of the thread's transfers are read, or those of all but the n newest groups."
    def fence(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['sc', 'acq_rel', 'acquire', 'release', ''] = ..., scope: Literal['cta', 'cluster', 'gpu', 'sys', ''] = ..., sync_restrict: Literal['sync_restrict::shared::cluster', 'sync_restrict::shared::cta', 'sync_restrict::read', ''] = ..., op_restrict: Literal['mbarrier_init', ''] | bool = ...) -> Instruction:
        'Order the memory accesses before it against those after it at a scope.'
    def fence_proxy(self, *operands: Given, guard: Register | Guard | None = None, proxykind: Literal['alias', 'async', 'fabric::fabric', 'fabric::generic', 'generic::fabric', 'tensormap::generic', 'async::generic', ''] = ..., sem: Literal['acquire', 'release', 'acq_rel', ''] = ..., scope: Literal['sys', 'cta', 'cluster', 'gpu', ''] = ..., ss: Literal['global', 'shared::cta', 'shared::cluster', ''] = ..., sync_restrict: Literal['sync_restrict::shared::cluster', 'sync_restrict::shared::cta', 'sync_restrict::shared::cluster::read', ''] = ...) -> Instruction:
        'Order accesses made through one memory proxy against accesses made through another.'
    def fma(self, *operands: Given, guard: Register | Guard | None = None, rnd: Literal['rn', 'rz', 'rm', 'rp', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., sat: Literal['sat', ''] | bool = ..., oob: Literal['oob', ''] | bool = ..., relu: Literal['relu', ''] | bool = ..., type: Literal['f16', 'f16x2', 'bf16', 'bf16x2', 'f32', 'f32x2', 'f64', 'e4m3x4', 'e5m2x4', ''] = ..., atype: Literal['f16', 'bf16', 'f16x2', 'bf16x2', 'e4m3x4', 'e5m2x4', 'e2m1x4', 'e2m1p4x4', 'e3m2x4', 'e2m3x4', 'ue8m0x4', ''] = ..., btype: Literal['f32x2', 'e4m3x4', 'e5m2x4', 'e2m1x4', 'e2m1p4x4', 'e3m2x4', 'e2m3x4', 'ue8m0x4', ''] = ..., ctype: Literal['f32x2', ''] | bool = ..., satfinite: Literal['satfinite', ''] | bool = ...) -> Instruction:
        'Multiply two floats and add a third with a single rounding.'
    def fns(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b32', ''] | bool = ...) -> Instruction:
        'Find the n-th set bit of a mask from a base position.'
    def getctarank(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['shared::cluster', ''] | bool = ..., type: Literal['u32', 'u64', ''] = ...) -> Instruction:
        'The rank in the cluster of the CTA whose shared memory holds an address.'
    def griddepcontrol(self, *operands: Given, guard: Register | Guard | None = None, action: Literal['launch_dependents', 'wait', ''] = ...) -> Instruction:
        'Let dependent grids start, or wait for the grids this one depends on.'
    def isspacep(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['global', 'local', 'const', 'param', 'param::entry', 'shared', 'shared::cta', 'shared::cluster', ''] = ...) -> Instruction:
        'Whether a generic address lies in the window of a state space.'
    def istypep(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['texref', 'samplerref', 'surfref', ''] = ...) -> Instruction:
        'Whether a register holds an opaque reference of a type.'
    def ld(self, *operands: Given, guard: Register | Guard | None = None, mmio: Literal['mmio', ''] | bool = ..., sem: Literal['weak', 'volatile', 'relaxed', 'acquire', ''] = ..., scope: Literal['cta', 'cluster', 'gpu', 'sys', ''] = ..., ss: Literal['const', 'global', 'local', 'param', 'param::entry', 'param::func', 'shared', 'shared::cta', 'shared::cluster', ''] = ..., cop: Literal['ca', 'cg', 'cs', 'lu', 'cv', ''] = ..., l1_evict: Literal['L1::evict_normal', 'L1::evict_unchanged', 'L1::evict_first', 'L1::evict_last', 'L1::no_allocate', ''] = ..., l2_evict: Literal['L2::evict_normal', 'L2::evict_first', 'L2::evict_last', ''] = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., prefetch_size: Literal['L2::64B', 'L2::128B', 'L2::256B', ''] = ..., vec: Literal['v2', 'v4', 'v8', ''] = ..., type: Literal['b8', 'u8', 's8', 'b16', 'u16', 's16', 'b32', 'u32', 's32', 'f32', 'b64', 'u64', 's64', 'f64', 'b128', ''] = ..., nc: Literal['nc', ''] | bool = ...) -> Instruction:
        'Load a value or a vector from memory.'
    def ldmatrix(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['m8n8', 'm16n16', 'm8n16', ''] = ..., num: Literal['x1', 'x2', 'x4', ''] = ..., trans: Literal['trans', ''] | bool = ..., ss: Literal['shared', 'shared::cta', ''] = ..., type: Literal['b16', 'b8', ''] = ..., dst_fmt: Literal['b8x16', ''] | bool = ..., src_fmt: Literal['b6x16_p32', 'b4x16_p64', ''] = ...) -> Instruction:
        'Collectively load one or more matrices from shared memory for mma.'
    def ldu(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['global', ''] | bool = ..., vec: Literal['v2', 'v4', ''] = ..., type: Literal['b8', 'u8', 's8', 'b16', 'u16', 's16', 'b32', 'u32', 's32', 'f32', 'b64', 'u64', 's64', 'f64', 'b128', ''] = ...) -> Instruction:
        'Load a value that is the same for every thread of the warp from read-only global memory.'
    def lg2(self, *operands: Given, guard: Register | Guard | None = None, ftz: Literal['ftz', ''] | bool = ..., type: Literal['f32', ''] | bool = ...) -> Instruction:
        'An approximation of the logarithm to base 2.'
    def lop3(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b32', ''] | bool = ..., boolop: Literal['or', 'and', ''] = ...) -> Instruction:
        'Any logical function of three words, given as an 8-bit truth table; optionally its zero test into a predicate.'
    def mad(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['hi', 'lo', 'wide', ''] = ..., sat: Literal['sat', ''] | bool = ..., type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', 'f32', 'f64', ''] = ..., rnd: Literal['rn', 'rz', 'rm', 'rp', ''] = ..., ftz: Literal['ftz', ''] | bool = ...) -> Instruction:
        'Multiply two values and add a third.'
    def mad24(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['hi', 'lo', ''] = ..., sat: Literal['sat', ''] | bool = ..., type: Literal['u32', 's32', ''] = ...) -> Instruction:
        'Multiply the low 24 bits of two integers and add a third.'
    def madc(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['hi', 'lo', ''] = ..., sat: Literal['sat', ''] | bool = ..., type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', ''] = ...) -> Instruction:
        'Multiply two integers, add a third and the carry bit.'
    def mapa(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['shared::cluster', ''] | bool = ..., type: Literal['u32', 'u64', ''] = ...) -> Instruction:
        'The address in another CTA of the cluster that corresponds to a shared address of this one.'
    def match(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['any', 'all', ''] = ..., type: Literal['b32', 'b64', ''] = ...) -> Instruction:
        'Find the lanes of the warp that hold the same value.'
    def max(self, *operands: Given, guard: Register | Guard | None = None, relu: Literal['relu', ''] | bool = ..., type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', 'u16x2', 's16x2', 'u8x4', 's8x4', 'f16', 'f16x2', 'bf16', 'bf16x2', 'f32', 'f64', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., NaN: Literal['NaN', ''] | bool = ..., xorsign: Literal['xorsign', ''] | bool = ..., abs: Literal['abs', ''] | bool = ...) -> Instruction:
        'The larger of two values, or of three floats.'
    def mbarrier_arrive(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['release', 'relaxed', ''] = ..., scope: Literal['cta', 'cluster', ''] = ..., ss: Literal['shared', 'shared::cta', 'shared::cluster', ''] = ..., type: Literal['b64', ''] | bool = ..., noComplete: Literal['noComplete', ''] | bool = ..., expect_tx: Literal['expect_tx', ''] | bool = ..., multicast: Literal['multicast::cluster::32b', ''] | bool = ...) -> Instruction:
        'Count an arrival at an mbarrier and return the state of its phase.'
    def mbarrier_arrive_drop(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['release', 'relaxed', ''] = ..., scope: Literal['cta', 'cluster', ''] = ..., ss: Literal['shared', 'shared::cta', 'shared::cluster', ''] = ..., type: Literal['b64', ''] | bool = ..., noComplete: Literal['noComplete', ''] | bool = ..., expect_tx: Literal['expect_tx', ''] | bool = ..., multicast: Literal['multicast::cluster::32b', ''] | bool = ...) -> Instruction:
        'Count an arrival at an mbarrier and expect as many fewer in the phases that follow.'
    def mbarrier_check_layout(self, *operands: Given, guard: Register | Guard | None = None, layout: Literal['layout::v0', 'layout::v1', ''] = ..., ss: Literal['shared', 'shared::cta', ''] = ..., type: Literal['b64', ''] | bool = ...) -> Instruction:
        'Whether an mbarrier has a layout.'
    def mbarrier_complete_tx(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['relaxed', ''] | bool = ..., scope: Literal['cta', 'cluster', ''] = ..., ss: Literal['shared', 'shared::cta', 'shared::cluster', ''] = ..., type: Literal['b64', ''] | bool = ..., multicast: Literal['multicast::cluster::32b', ''] | bool = ...) -> Instruction:
        'Count bytes as copied, as an asynchronous copy would at its end.'
    def mbarrier_expect_tx(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['relaxed', ''] | bool = ..., scope: Literal['cta', 'cluster', ''] = ..., ss: Literal['shared', 'shared::cta', 'shared::cluster', ''] = ..., type: Literal['b64', ''] | bool = ..., multicast: Literal['multicast::cluster::32b', ''] | bool = ...) -> Instruction:
        'Expect more bytes of asynchronous copies in this phase.'
    def mbarrier_init(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['shared', 'shared::cta', ''] = ..., type: Literal['b64', ''] | bool = ..., layout: Literal['layout::v0', 'layout::v1', ''] = ...) -> Instruction:
        'Make an mbarrier that completes a phase after `count` arrivals.'
    def mbarrier_inval(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['shared', 'shared::cta', ''] = ..., type: Literal['b64', ''] | bool = ...) -> Instruction:
        'End the life of an mbarrier so that its memory can serve something else.'
    def mbarrier_pending_count(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b64', ''] | bool = ...) -> Instruction:
        'The number of arrivals still pending in a state that an arrival returned.'
    def mbarrier_test_wait(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['acquire', 'relaxed', ''] = ..., scope: Literal['cta', 'cluster', ''] = ..., ss: Literal['shared', 'shared::cta', ''] = ..., type: Literal['b64', ''] | bool = ..., parity: Literal['parity', ''] | bool = ..., phase_type: Literal['phase_type::primary', 'phase_type::conditional', ''] = ...) -> Instruction:
        'Whether the phase of an mbarrier has completed, without waiting.'
    def mbarrier_try_wait(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['acquire', 'relaxed', ''] = ..., scope: Literal['cta', 'cluster', ''] = ..., ss: Literal['shared', 'shared::cta', ''] = ..., type: Literal['b64', ''] | bool = ..., parity: Literal['parity', ''] | bool = ..., phase_type: Literal['phase_type::primary', 'phase_type::conditional', ''] = ...) -> Instruction:
        'Whether the phase of an mbarrier has completed, waiting for it up to a limit (the hint, in nanoseconds).'
    def membar(self, *operands: Given, guard: Register | Guard | None = None, level: Literal['cta', 'gl', 'sys', ''] = ..., proxykind: Literal['alias', 'async', ''] = ...) -> Instruction:
        'Order the memory accesses before it against those after it (older spelling of fence).'
    def min(self, *operands: Given, guard: Register | Guard | None = None, relu: Literal['relu', ''] | bool = ..., type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', 'u16x2', 's16x2', 'u8x4', 's8x4', 'f16', 'f16x2', 'bf16', 'bf16x2', 'f32', 'f64', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., NaN: Literal['NaN', ''] | bool = ..., xorsign: Literal['xorsign', ''] | bool = ..., abs: Literal['abs', ''] | bool = ...) -> Instruction:
        'The smaller of two values, or of three floats.'
    def mma(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['m8n8k4', 'm16n8k4', 'm16n8k8', 'm16n8k16', 'm16n8k32', 'm8n8k16', 'm8n8k32', 'm16n8k64', 'm8n8k128', 'm16n8k128', 'm16n8k256', ''] = ..., alayout: Literal['row', 'col', ''] = ..., blayout: Literal['row', 'col', ''] = ..., kind: Literal['kind::f8f6f4', 'kind::mxf8f6f4', 'kind::mxf4', 'kind::mxf4nvf4', ''] = ..., rnd: Literal['rn', 'rz', 'rm', 'rp', ''] = ..., dtype: Literal['f16', 'f32', 'f64', 's32', ''] = ..., atype: Literal['f16', 'bf16', 'tf32', 'f64', 'e4m3', 'e5m2', 'e3m2', 'e2m3', 'e2m1', 'u8', 's8', 'u4', 's4', 'b1', ''] = ..., btype: Literal['f16', 'bf16', 'tf32', 'f64', 'e4m3', 'e5m2', 'e3m2', 'e2m3', 'e2m1', 'u8', 's8', 'u4', 's4', 'b1', ''] = ..., ctype: Literal['f16', 'f32', 'f64', 's32', ''] = ..., satfinite: Literal['satfinite', ''] | bool = ..., bitop: Literal['xor', 'and', ''] = ..., scale_vec: Literal['scale_vec::1X', 'scale_vec::2X', 'scale_vec::4X', ''] = ..., stype: Literal['ue8m0', 'ue4m3', ''] = ...) -> Instruction:
        'Multiply two matrices that the threads of a warp hold as fragments and add a third.'
    def mma_sp(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['m16n8k8', 'm16n8k16', 'm16n8k32', 'm16n8k64', 'm16n8k128', ''] = ..., alayout: Literal['row', ''] | bool = ..., blayout: Literal['col', ''] | bool = ..., dtype: Literal['f16', 'f32', 's32', ''] = ..., atype: Literal['f16', 'bf16', 'tf32', 'e4m3', 'e5m2', 'u8', 's8', 'u4', 's4', ''] = ..., btype: Literal['f16', 'bf16', 'tf32', 'e4m3', 'e5m2', 'u8', 's8', 'u4', 's4', ''] = ..., ctype: Literal['f16', 'f32', 's32', ''] = ..., satfinite: Literal['satfinite', ''] | bool = ...) -> Instruction:
        'Multiply a sparse matrix by a dense one, both held by a warp as fragments, and add a third.'
    def mma_sp_ordered_metadata(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['m16n8k8', 'm16n8k16', 'm16n8k32', 'm16n8k64', 'm16n8k128', ''] = ..., alayout: Literal['row', ''] | bool = ..., blayout: Literal['col', ''] | bool = ..., kind: Literal['kind::f8f6f4', 'kind::mxf8f6f4', 'kind::mxf4', 'kind::mxf4nvf4', ''] = ..., dtype: Literal['f16', 'f32', 's32', ''] = ..., atype: Literal['f16', 'bf16', 'tf32', 'e4m3', 'e5m2', 'e3m2', 'e2m3', 'e2m1', 'u8', 's8', 'u4', 's4', ''] = ..., btype: Literal['f16', 'bf16', 'tf32', 'e4m3', 'e5m2', 'e3m2', 'e2m3', 'e2m1', 'u8', 's8', 'u4', 's4', ''] = ..., ctype: Literal['f16', 'f32', 's32', ''] = ..., satfinite: Literal['satfinite', ''] | bool = ..., scale_vec: Literal['scale_vec::1X', 'scale_vec::2X', 'scale_vec::4X', ''] = ..., stype: Literal['ue8m0', 'ue4m3', ''] = ...) -> Instruction:
        'The product of `mma.sp` where the metadata names the stored elements in increasing order.'
    def mov(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b16', 'b32', 'b64', 'b128', 'u16', 'u32', 'u64', 's16', 's32', 's64', 'f32', 'f64', 'pred', ''] = ..., vec: Literal['v2', 'v4', ''] = ...) -> Instruction:
        'Copy a register, constant, special register or address; or pack or unpack the parts of a word.'
    def movmatrix(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['m8n8', ''] | bool = ..., type: Literal['b16', ''] | bool = ...) -> Instruction:
        'Transpose an 8x8 matrix in registers across a warp.'
    def mul(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['hi', 'lo', 'wide', ''] = ..., type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', 'f16', 'f16x2', 'bf16', 'bf16x2', 'f32', 'f32x2', 'f64', 'e4m3x4', 'e5m2x4', ''] = ..., rnd: Literal['rn', 'rz', 'rm', 'rp', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., sat: Literal['sat', ''] | bool = ..., atype: Literal['f16x2', 'bf16x2', 'f32x2', 'e4m3x4', 'e5m2x4', 'e2m1x4', 'e2m1p4x4', 'e3m2x4', 'e2m3x4', 'ue8m0x4', ''] = ..., btype: Literal['f16x2', 'bf16x2', 'f32x2', 'e4m3x4', 'e5m2x4', 'e2m1x4', 'e2m1p4x4', 'e3m2x4', 'e2m3x4', 'ue8m0x4', ''] = ..., satfinite: Literal['satfinite', ''] | bool = ...) -> Instruction:
        'Multiply two values; of an integer product keep the low half, the high half, or all of it.'
    def mul24(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['hi', 'lo', ''] = ..., type: Literal['u32', 's32', ''] = ...) -> Instruction:
        'Multiply the low 24 bits of two integers; keep the low or high 32 bits of the 48-bit product.'
    def multimem_cp_async_bulk(self, *operands: Given, guard: Register | Guard | None = None, dst: Literal['global', ''] | bool = ..., src: Literal['shared::cta', ''] | bool = ..., completion_mechanism: Literal['bulk_group', ''] | bool = ..., cp_mask: Literal['cp_mask', ''] | bool = ...) -> Instruction:
        'Start a copy of a byte range of shared memory to every copy behind a multicast address.'
    def multimem_cp_reduce_async_bulk(self, *operands: Given, guard: Register | Guard | None = None, dst: Literal['global', ''] | bool = ..., src: Literal['shared::cta', ''] | bool = ..., completion_mechanism: Literal['bulk_group', ''] | bool = ..., op: Literal['and', 'or', 'xor', 'add', 'inc', 'dec', 'min', 'max', ''] = ..., noftz: Literal['noftz', ''] | bool = ..., type: Literal['f16', 'bf16', 'b32', 'u32', 's32', 'b64', 'u64', 's64', 'f32', 'f64', ''] = ...) -> Instruction:
        'Start an element-wise reduction of a byte range of shared memory into every copy behind a multicast address.'
    def multimem_ld_reduce(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['weak', 'relaxed', 'acquire', ''] = ..., scope: Literal['cta', 'cluster', 'gpu', 'sys', ''] = ..., ss: Literal['global', ''] | bool = ..., op: Literal['add', 'min', 'max', 'and', 'or', 'xor', ''] = ..., acc: Literal['acc::f32', 'acc::f16', ''] = ..., vec: Literal['v2', 'v4', 'v8', ''] = ..., type: Literal['u32', 's32', 'b32', 'u64', 's64', 'b64', 'f64', 'f32', 'f16', 'bf16', 'f16x2', 'bf16x2', 'e4m3', 'e5m2', 'e4m3x2', 'e5m2x2', 'e4m3x4', 'e5m2x4', ''] = ...) -> Instruction:
        'Load from every copy behind a multicast address and reduce the values.'
    def multimem_red(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['relaxed', 'release', ''] = ..., scope: Literal['cta', 'cluster', 'gpu', 'sys', ''] = ..., ss: Literal['global', ''] | bool = ..., op: Literal['add', 'min', 'max', 'and', 'or', 'xor', ''] = ..., vec: Literal['v2', 'v4', 'v8', ''] = ..., type: Literal['u32', 's32', 'b32', 'u64', 's64', 'b64', 'f64', 'f32', 'f16', 'bf16', 'f16x2', 'bf16x2', ''] = ...) -> Instruction:
        'Combine a value into every copy behind a multicast address.'
    def multimem_st(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['weak', 'relaxed', 'release', ''] = ..., scope: Literal['cta', 'cluster', 'gpu', 'sys', ''] = ..., ss: Literal['global', ''] | bool = ..., vec: Literal['v2', 'v4', 'v8', ''] = ..., type: Literal['u32', 's32', 'b32', 'u64', 's64', 'b64', 'f64', 'f32', 'f16', 'bf16', 'f16x2', 'bf16x2', 'e4m3', 'e5m2', 'e4m3x2', 'e5m2x2', 'e4m3x4', 'e5m2x4', ''] = ...) -> Instruction:
        'Store to every copy behind a multicast address.'
    def nanosleep(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', ''] | bool = ...) -> Instruction:
        'Suspend the thread for about the given number of nanoseconds (at most twice as long).'
    def neg(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['s16', 's32', 's64', 's8x4', 'f16', 'f16x2', 'bf16', 'bf16x2', 'f32', 'f64', ''] = ..., ftz: Literal['ftz', ''] | bool = ...) -> Instruction:
        'The arithmetic negation.'
    def not_(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b16', 'b32', 'b64', 'pred', ''] = ...) -> Instruction:
        'Bitwise complement of a word or predicate.'
    def or_(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b16', 'b32', 'b64', 'pred', ''] = ...) -> Instruction:
        'Bitwise or of two words or predicates.'
    def pmevent(self, *operands: Given, guard: Register | Guard | None = None, mask: Literal['mask', ''] | bool = ...) -> Instruction:
        'Trigger performance monitor events: one by number, or several by mask.'
    def popc(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b32', 'b64', ''] = ...) -> Instruction:
        'Count the one bits.'
    def prefetch(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['global', 'local', 'const', 'param', ''] = ..., level: Literal['L1', 'L2', 'L2::evict_last', 'L2::evict_normal', 'L1::32B', ''] = ..., tensormap: Literal['tensormap', ''] | bool = ...) -> Instruction:
        'Bring the cache line that holds an address, or a tensor map, into a cache.'
    def prefetchu(self, *operands: Given, guard: Register | Guard | None = None, level: Literal['L1', ''] | bool = ...) -> Instruction:
        'Bring the cache line that holds a generic address into the uniform cache.'
    def prmt(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b32', ''] | bool = ..., mode: Literal['f4e', 'b4e', 'rc8', 'ecl', 'ecr', 'rc16', ''] = ...) -> Instruction:
        'Pick four bytes of a pair of words, each by a selector of four bits or by a fixed pattern.'
    def rcp(self, *operands: Given, guard: Register | Guard | None = None, rnd: Literal['approx', 'rn', 'rz', 'rm', 'rp', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., type: Literal['f32', 'f64', ''] = ...) -> Instruction:
        'The reciprocal of a float.'
    def red(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['relaxed', 'release', ''] = ..., scope: Literal['cta', 'cluster', 'gpu', 'sys', ''] = ..., ss: Literal['global', 'shared', 'shared::cta', 'shared::cluster', ''] = ..., op: Literal['add', 'min', 'max', 'inc', 'dec', 'and', 'or', 'xor', ''] = ..., noftz: Literal['noftz', ''] | bool = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., vec: Literal['v2', 'v4', 'v8', ''] = ..., type: Literal['b16', 'b32', 'b64', 'b128', 'u32', 's32', 'u64', 's64', 'f16', 'bf16', 'f16x2', 'bf16x2', 'f32', 'f64', ''] = ...) -> Instruction:
        'Combine a value into memory atomically without returning the old value.'
    def red_async(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['relaxed', 'release', ''] = ..., scope: Literal['cluster', 'gpu', 'sys', ''] = ..., ss: Literal['shared::cluster', 'global', ''] = ..., completion_mechanism: Literal['mbarrier::complete_tx::bytes', ''] | bool = ..., op: Literal['inc', 'dec', 'min', 'max', 'add', 'and', 'or', 'xor', ''] = ..., type: Literal['b32', 'u32', 's32', 'u64', 's64', ''] = ..., mmio: Literal['mmio', ''] | bool = ...) -> Instruction:
        'Start a reduction into the shared memory of a cluster or into global memory.'
    def redux(self, *operands: Given, guard: Register | Guard | None = None, op: Literal['add', 'min', 'max', 'and', 'or', 'xor', ''] = ..., type: Literal['u32', 's32', 'b32', 'f32', ''] = ..., abs: Literal['abs', ''] | bool = ..., NaN: Literal['NaN', ''] | bool = ...) -> Instruction:
        'Reduce a value over the lanes named in the mask; every one of them gets the result.'
    def rem(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', ''] = ...) -> Instruction:
        'The remainder of an integer division.'
    def ret(self, *operands: Given, guard: Register | Guard | None = None, uni: Literal['uni', ''] | bool = ...) -> Instruction:
        'Return from a function, or end the thread in a kernel.'
    def rsqrt(self, *operands: Given, guard: Register | Guard | None = None, rnd: Literal['approx', ''] | bool = ..., ftz: Literal['ftz', ''] | bool = ..., type: Literal['f32', 'f64', ''] = ...) -> Instruction:
        'An approximation of the reciprocal of the square root of a float.'
    def sad(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', ''] = ...) -> Instruction:
        'Add the absolute difference of two integers to a third.'
    def selp(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b16', 'b32', 'b64', 'u16', 'u32', 'u64', 's16', 's32', 's64', 'f32', 'f64', ''] = ...) -> Instruction:
        'Choose one of two values by a predicate.'
    def set(self, *operands: Given, guard: Register | Guard | None = None, cmp: Literal['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'lo', 'ls', 'hi', 'hs', 'equ', 'neu', 'ltu', 'leu', 'gtu', 'geu', 'num', 'nan', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., type: Literal['u16', 'u32', 's16', 's32', 'f16', 'f16x2', 'bf16', 'bf16x2', 'f32', 'u16x2', 's16x2', 'u8x4', 's8x4', ''] = ..., stype: Literal['b16', 'b32', 'b64', 'u16', 'u32', 'u64', 's16', 's32', 's64', 'f32', 'f64', 'f16', 'f16x2', 'bf16', 'bf16x2', ''] = ..., boolop: Literal['and', 'or', 'xor', ''] = ...) -> Instruction:
        'Compare two values and write all ones (1.0 for float results) or zero.'
    def setmaxnreg(self, *operands: Given, guard: Register | Guard | None = None, action: Literal['inc', 'dec', ''] = ..., type: Literal['u32', ''] | bool = ...) -> Instruction:
        'Raise or lower the number of registers of each thread of the warp; the warpgroup does it together.'
    def setp(self, *operands: Given, guard: Register | Guard | None = None, cmp: Literal['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'lo', 'ls', 'hi', 'hs', 'equ', 'neu', 'ltu', 'leu', 'gtu', 'geu', 'num', 'nan', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., type: Literal['b16', 'b32', 'b64', 'u16', 'u32', 'u64', 's16', 's32', 's64', 'f32', 'f64', 'f16x2', 'bf16x2', 'f16', 'bf16', ''] = ..., boolop: Literal['and', 'or', 'xor', ''] = ...) -> Instruction:
        'Compare two values, optionally join the result with a predicate, and write it and its complement to predicates.'
    def shf(self, *operands: Given, guard: Register | Guard | None = None, dir: Literal['l', 'r', ''] = ..., mode: Literal['clamp', 'wrap', ''] = ..., type: Literal['b32', ''] | bool = ...) -> Instruction:
        'Shift the 64-bit pair of two words and keep the high (.l) or the low (.r) word.'
    def shfl(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['up', 'down', 'bfly', 'idx', ''] = ..., type: Literal['b32', ''] | bool = ...) -> Instruction:
        'Copy a register of another lane of the warp.'
    def shl(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b16', 'b32', 'b64', ''] = ...) -> Instruction:
        'Shift left, filling with zeros; amounts past the width count as the width.'
    def shr(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b16', 'b32', 'b64', 'u16', 'u32', 'u64', 's16', 's32', 's64', ''] = ...) -> Instruction:
        'Shift right, filling with the sign for signed types and with zeros for the others.'
    def sin(self, *operands: Given, guard: Register | Guard | None = None, ftz: Literal['ftz', ''] | bool = ..., type: Literal['f32', ''] | bool = ...) -> Instruction:
        'An approximation of the sine of an angle in radians.'
    def slct(self, *operands: Given, guard: Register | Guard | None = None, ftz: Literal['ftz', ''] | bool = ..., type: Literal['b16', 'b32', 'b64', 'u16', 'u32', 'u64', 's16', 's32', 's64', 'f32', 'f64', ''] = ..., ctype: Literal['s32', 'f32', ''] = ...) -> Instruction:
        'Choose one of two values by the sign of a third.'
    def sqrt(self, *operands: Given, guard: Register | Guard | None = None, rnd: Literal['approx', 'rn', 'rz', 'rm', 'rp', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., type: Literal['f32', 'f64', ''] = ...) -> Instruction:
        'The square root of a float.'
    def st(self, *operands: Given, guard: Register | Guard | None = None, mmio: Literal['mmio', ''] | bool = ..., sem: Literal['weak', 'volatile', 'relaxed', 'release', ''] = ..., scope: Literal['cta', 'cluster', 'gpu', 'sys', ''] = ..., ss: Literal['global', 'local', 'param', 'param::func', 'shared', 'shared::cta', 'shared::cluster', ''] = ..., cop: Literal['wb', 'cg', 'cs', 'wt', ''] = ..., l1_evict: Literal['L1::evict_normal', 'L1::evict_unchanged', 'L1::evict_first', 'L1::evict_last', 'L1::no_allocate', ''] = ..., l2_evict: Literal['L2::evict_normal', 'L2::evict_first', 'L2::evict_last', ''] = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., vec: Literal['v2', 'v4', 'v8', ''] = ..., type: Literal['b8', 'u8', 's8', 'b16', 'u16', 's16', 'b32', 'u32', 's32', 'f32', 'b64', 'u64', 's64', 'f64', 'b128', ''] = ...) -> Instruction:
        'Store a value or a vector to memory.'
    def st_async(self, *operands: Given, guard: Register | Guard | None = None, weak: Literal['weak', ''] | bool = ..., ss: Literal['shared::cluster', 'global', ''] = ..., completion_mechanism: Literal['mbarrier::complete_tx::bytes', ''] | bool = ..., vec: Literal['v2', 'v4', ''] = ..., type: Literal['b32', 'b64', 'u32', 's32', 'f32', 'u64', 's64', 'f64', 'b128', 'b8', 'u8', 's8', 'b16', 'u16', 's16', ''] = ..., mmio: Literal['mmio', ''] | bool = ..., sem: Literal['weak', 'release', ''] = ..., scope: Literal['gpu', 'sys', ''] = ...) -> Instruction:
        'Start a store to the shared memory of a cluster or to global memory.'
    def st_bulk(self, *operands: Given, guard: Register | Guard | None = None, weak: Literal['weak', ''] | bool = ..., ss: Literal['shared::cta', ''] | bool = ...) -> Instruction:
        'Fill a range of shared memory with zeros.'
    def stackrestore(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 'u64', ''] = ...) -> Instruction:
        'Set the stack pointer to one that stacksave read.'
    def stacksave(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 'u64', ''] = ...) -> Instruction:
        'Read the stack pointer.'
    def stmatrix(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['m8n8', 'm16n8', ''] = ..., num: Literal['x1', 'x2', 'x4', ''] = ..., trans: Literal['trans', ''] | bool = ..., ss: Literal['shared', 'shared::cta', ''] = ..., type: Literal['b16', 'b8', ''] = ...) -> Instruction:
        'Collectively store one or more matrices to shared memory.'
    def sub(self, *operands: Given, guard: Register | Guard | None = None, sat: Literal['sat', ''] | bool = ..., type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', 'u8x4', 's8x4', 'f16', 'f16x2', 'bf16', 'bf16x2', 'f32', 'f32x2', 'f64', 'e4m3x4', 'e5m2x4', ''] = ..., rnd: Literal['rn', 'rz', 'rm', 'rp', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., atype: Literal['f16', 'bf16', 'f16x2', 'bf16x2', 'f32x2', 'e4m3x4', 'e5m2x4', 'e2m1x4', 'e2m1p4x4', 'e3m2x4', 'e2m3x4', 'ue8m0x4', ''] = ..., btype: Literal['f32x2', ''] | bool = ..., satfinite: Literal['satfinite', ''] | bool = ...) -> Instruction:
        'Subtract one value from another: integers, floats, or packed vectors of them.'
    def subc(self, *operands: Given, guard: Register | Guard | None = None, sat: Literal['sat', ''] | bool = ..., type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', ''] = ...) -> Instruction:
        'Subtract an integer and the borrow bit from another.'
    def suld(self, *operands: Given, guard: Register | Guard | None = None, format: Literal['b', ''] | bool = ..., geom: Literal['1d', '2d', '3d', 'a1d', 'a2d', ''] = ..., cop: Literal['ca', 'cg', 'cs', 'cv', ''] = ..., vec: Literal['v2', 'v4', ''] = ..., type: Literal['b8', 'b16', 'b32', 'b64', ''] = ..., clamp: Literal['trap', 'clamp', 'zero', ''] = ...) -> Instruction:
        'Read unformatted bytes of a surface.'
    def suq(self, *operands: Given, guard: Register | Guard | None = None, query: Literal['width', 'height', 'depth', 'channel_data_type', 'channel_order', 'array_size', 'memory_layout', ''] = ..., type: Literal['b32', ''] | bool = ...) -> Instruction:
        'Read a property of a surface.'
    def sured(self, *operands: Given, guard: Register | Guard | None = None, format: Literal['b', 'p', ''] = ..., op: Literal['add', 'min', 'max', 'and', 'or', ''] = ..., geom: Literal['1d', '2d', '3d', ''] = ..., type: Literal['u32', 's32', 'u64', 's64', 'b32', 'b64', ''] = ..., clamp: Literal['trap', 'clamp', 'zero', ''] = ...) -> Instruction:
        'Combine a value into a surface.'
    def sust(self, *operands: Given, guard: Register | Guard | None = None, format: Literal['b', 'p', ''] = ..., geom: Literal['1d', '2d', '3d', 'a1d', 'a2d', ''] = ..., cop: Literal['wb', 'cg', 'cs', 'wt', ''] = ..., vec: Literal['v2', 'v4', ''] = ..., type: Literal['b8', 'b16', 'b32', 'b64', ''] = ..., clamp: Literal['trap', 'clamp', 'zero', ''] = ...) -> Instruction:
        'Write a surface, as unformatted bytes or converted to its format.'
    def szext(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['clamp', 'wrap', ''] = ..., type: Literal['u32', 's32', ''] = ...) -> Instruction:
        'Extend the low bits of a word with zeros or with their sign.'
    def tanh(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['f16', 'f16x2', 'bf16', 'bf16x2', 'f32', ''] = ...) -> Instruction:
        'An approximation of the hyperbolic tangent.'
    def tcgen05_alloc(self, *operands: Given, guard: Register | Guard | None = None, cta_group: Literal['cta_group::1', 'cta_group::2', ''] = ..., ss: Literal['shared::cta', ''] | bool = ..., type: Literal['b32', ''] | bool = ..., exclusive: Literal['exclusive', ''] | bool = ...) -> Instruction:
        'Reserve columns of tensor memory and write their address to shared memory; waits until they are free.'
    def tcgen05_commit(self, *operands: Given, guard: Register | Guard | None = None, cta_group: Literal['cta_group::1', 'cta_group::2', ''] = ..., completion: Literal['mbarrier::arrive::one', ''] | bool = ..., sync_restrict: Literal['sync_restrict::shared::read::mma::a', ''] | bool = ..., ss: Literal['shared::cluster', ''] | bool = ..., multicast: Literal['multicast::cluster', 'multicast::cluster::32b', ''] = ..., type: Literal['b64', ''] | bool = ...) -> Instruction:
        "Make an mbarrier track the completion of the thread's earlier asynchronous tensor operations."
    def tcgen05_cp(self, *operands: Given, guard: Register | Guard | None = None, cta_group: Literal['cta_group::1', 'cta_group::2', ''] = ..., shape: Literal['128x256b', '4x256b', '128x128b', '64x128b', '32x128b', ''] = ..., multicast: Literal['warpx2::02_13', 'warpx2::01_23', 'warpx4', ''] = ..., dst_fmt: Literal['b8x16', ''] | bool = ..., src_fmt: Literal['b6x16_p32', 'b4x16_p64', ''] = ...) -> Instruction:
        'Start copying a matrix from shared to tensor memory, widening 4- and 6-bit elements on request.'
    def tcgen05_dealloc(self, *operands: Given, guard: Register | Guard | None = None, cta_group: Literal['cta_group::1', 'cta_group::2', ''] = ..., type: Literal['b32', ''] | bool = ..., exclusive: Literal['exclusive', ''] | bool = ...) -> Instruction:
        'Give reserved columns of tensor memory back.'
    def tcgen05_fence_after_thread_sync(self, *operands: Given, guard: Register | Guard | None = None) -> Instruction:
        'Order later tensor operations after an earlier synchronization.'
    def tcgen05_fence_before_thread_sync(self, *operands: Given, guard: Register | Guard | None = None) -> Instruction:
        'Order earlier tensor operations before a later synchronization.'
    def tcgen05_ld(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['16x64b', '16x128b', '16x256b', '32x32b', '16x32bx2', ''] = ..., num: Literal['x1', 'x2', 'x4', 'x8', 'x16', 'x32', 'x64', 'x128', ''] = ..., pack: Literal['pack::16b', ''] | bool = ..., type: Literal['b32', ''] | bool = ...) -> Instruction:
        'Start loading a tile of tensor memory into the registers of a warp.'
    def tcgen05_ld_red(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['32x32b', '16x32bx2', ''] = ..., num: Literal['x1', 'x2', 'x4', 'x8', 'x16', 'x32', 'x64', 'x128', ''] = ..., redop: Literal['min', 'max', ''] = ..., abs: Literal['abs', ''] | bool = ..., NaN: Literal['NaN', ''] | bool = ..., type: Literal['f32', 'u32', 's32', ''] = ...) -> Instruction:
        "Start loading a tile of tensor memory and the least or greatest of each thread's values."
    def tcgen05_ld_red_spcompress(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['32x32b', ''] | bool = ..., num: Literal['x4', 'x8', 'x16', 'x32', 'x64', 'x128', ''] = ..., redop: Literal['min', 'max', ''] = ..., abs: Literal['abs', ''] | bool = ..., NaN: Literal['NaN', ''] | bool = ..., type: Literal['f32', ''] | bool = ...) -> Instruction:
        'Start loading the two least or greatest of each four values of tensor memory, and where they stood.'
    def tcgen05_ld_spcompress(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['32x32b', ''] | bool = ..., num: Literal['x4', 'x8', 'x16', 'x32', 'x64', 'x128', ''] = ..., redop: Literal['min', 'max', ''] = ..., abs: Literal['abs', ''] | bool = ..., type: Literal['f32', ''] | bool = ...) -> Instruction:
        'Start loading the two least or greatest of each four values of tensor memory, and where they stood.'
    def tcgen05_mma(self, *operands: Given, guard: Register | Guard | None = None, cta_group: Literal['cta_group::1', 'cta_group::2', ''] = ..., kind: Literal['kind::f16', 'kind::tf32', 'kind::f8f6f4', 'kind::i8', 'kind::mxf8f6f4', 'kind::mxf4', 'kind::mxf4nvf4', ''] = ..., collector: Literal['collector::a::fill', 'collector::a::use', 'collector::a::lastuse', 'collector::a::discard', ''] = ..., ashift: Literal['ashift', ''] | bool = ..., block: Literal['scale_vec::1X', 'scale_vec::2X', 'scale_vec::4X', 'block16', 'block32', ''] = ...) -> Instruction:
        'Start the product of two matrices with its accumulator in tensor memory.'
    def tcgen05_mma_sp(self, *operands: Given, guard: Register | Guard | None = None, cta_group: Literal['cta_group::1', 'cta_group::2', ''] = ..., kind: Literal['kind::f16', 'kind::tf32', 'kind::f8f6f4', 'kind::i8', 'kind::mxf8f6f4', 'kind::mxf4', 'kind::mxf4nvf4', ''] = ..., collector: Literal['collector::a::fill', 'collector::a::use', 'collector::a::lastuse', 'collector::a::discard', ''] = ..., ashift: Literal['ashift', ''] | bool = ..., block: Literal['scale_vec::1X', 'scale_vec::2X', 'scale_vec::4X', 'block16', 'block32', ''] = ...) -> Instruction:
        'Start the product of a sparse and a dense matrix with its accumulator in tensor memory.'
    def tcgen05_mma_ws(self, *operands: Given, guard: Register | Guard | None = None, cta_group: Literal['cta_group::1', ''] | bool = ..., kind: Literal['kind::f16', 'kind::tf32', 'kind::f8f6f4', 'kind::i8', ''] = ..., collector: Literal['collector::b0::fill', 'collector::b0::use', 'collector::b0::lastuse', 'collector::b0::discard', 'collector::b1::fill', 'collector::b1::use', 'collector::b1::lastuse', 'collector::b1::discard', 'collector::b2::fill', 'collector::b2::use', 'collector::b2::lastuse', 'collector::b2::discard', 'collector::b3::fill', 'collector::b3::use', 'collector::b3::lastuse', 'collector::b3::discard', ''] = ...) -> Instruction:
        'Start a product that keeps matrix B in a buffer between instructions.'
    def tcgen05_mma_ws_sp(self, *operands: Given, guard: Register | Guard | None = None, cta_group: Literal['cta_group::1', ''] | bool = ..., kind: Literal['kind::f16', 'kind::tf32', 'kind::f8f6f4', 'kind::i8', ''] = ..., collector: Literal['collector::b0::fill', 'collector::b0::use', 'collector::b0::lastuse', 'collector::b0::discard', 'collector::b1::fill', 'collector::b1::use', 'collector::b1::lastuse', 'collector::b1::discard', 'collector::b2::fill', 'collector::b2::use', 'collector::b2::lastuse', 'collector::b2::discard', 'collector::b3::fill', 'collector::b3::use', 'collector::b3::lastuse', 'collector::b3::discard', ''] = ...) -> Instruction:
        'Start a product of a sparse A that keeps matrix B in a buffer between instructions.'
    def tcgen05_relinquish_alloc_permit(self, *operands: Given, guard: Register | Guard | None = None, cta_group: Literal['cta_group::1', 'cta_group::2', ''] = ...) -> Instruction:
        'Give up the right of the CTA to reserve tensor memory.'
    def tcgen05_shift(self, *operands: Given, guard: Register | Guard | None = None, cta_group: Literal['cta_group::1', 'cta_group::2', ''] = ...) -> Instruction:
        'Start moving rows of tensor memory one row down.'
    def tcgen05_st(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['16x64b', '16x128b', '16x256b', '32x32b', '16x32bx2', ''] = ..., num: Literal['x1', 'x2', 'x4', 'x8', 'x16', 'x32', 'x64', 'x128', ''] = ..., unpack: Literal['unpack::16b', ''] | bool = ..., type: Literal['b32', ''] | bool = ...) -> Instruction:
        'Start storing the registers of a warp to a tile of tensor memory.'
    def tcgen05_wait_ld(self, *operands: Given, guard: Register | Guard | None = None) -> Instruction:
        "Wait for the thread's loads from tensor memory."
    def tcgen05_wait_st(self, *operands: Given, guard: Register | Guard | None = None) -> Instruction:
        "Wait for the thread's stores to tensor memory."
    def tensormap_cp_fenceproxy(self, *operands: Given, guard: Register | Guard | None = None, dst: Literal['global', ''] | bool = ..., src: Literal['shared::cta', ''] | bool = ..., scope: Literal['cta', 'cluster', 'gpu', 'sys', ''] = ...) -> Instruction:
        'Copy a tensor map to global memory and order the copy before later tensor copies that use it.'
    def tensormap_replace(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['tile', ''] | bool = ..., field: Literal['global_address', 'rank', 'box_dim', 'global_dim', 'global_stride', 'element_stride', 'elemtype', 'interleave_layout', 'swizzle_mode', 'fill_mode', 'swizzle_atomicity', ''] = ..., ss: Literal['global', 'shared::cta', ''] = ..., type: Literal['b32', 'b64', ''] = ...) -> Instruction:
        'Change one field of a tensor map in memory.'
    def testp(self, *operands: Given, guard: Register | Guard | None = None, op: Literal['finite', 'infinite', 'number', 'notanumber', 'normal', 'subnormal', ''] = ..., type: Literal['f32', 'f64', ''] = ...) -> Instruction:
        'Test the class of a float.'
    def tex(self, *operands: Given, guard: Register | Guard | None = None, mip: Literal['base', 'level', 'grad', ''] = ..., geom: Literal['1d', '2d', '3d', 'cube', '2dms', 'a2dms', 'a1d', 'a2d', 'acube', ''] = ..., vec: Literal['v2', 'v4', ''] = ..., dtype: Literal['u32', 's32', 'f32', 'f16', 'f16x2', ''] = ..., ctype: Literal['s32', 'f32', ''] = ...) -> Instruction:
        'Read and filter a texture at a point.'
    def tld4(self, *operands: Given, guard: Register | Guard | None = None, comp: Literal['r', 'g', 'b', 'a', ''] = ..., geom: Literal['2d', 'cube', 'a2d', 'acube', ''] = ..., vec: Literal['v4', ''] | bool = ..., dtype: Literal['u32', 's32', 'f32', ''] = ..., ctype: Literal['f32', ''] | bool = ...) -> Instruction:
        'Read one component of the four texels that a bilinear filter would use.'
    def trap(self, *operands: Given, guard: Register | Guard | None = None) -> Instruction:
        'Abort the kernel and raise an interrupt on the host.'
    def txq(self, *operands: Given, guard: Register | Guard | None = None, query: Literal['width', 'height', 'depth', 'channel_data_type', 'channel_order', 'normalized_coords', 'force_unnormalized_coords', 'array_size', 'num_mipmap_levels', 'num_samples', 'filter_mode', 'addr_mode_0', 'addr_mode_1', 'addr_mode_2', ''] = ..., type: Literal['b32', ''] | bool = ..., level: Literal['level', ''] | bool = ...) -> Instruction:
        'Read a property of a texture or a sampler.'
    def vabsdiff(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., op2: Literal['add', 'min', 'max', ''] = ...) -> Instruction:
        'Absolute difference of two words, half-words or bytes, with an optional merge or second operation.'
    def vabsdiff2(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Instruction:
        'Absolute difference of two half-words at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vabsdiff4(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Instruction:
        'Absolute difference of four bytes at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vadd(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., op2: Literal['add', 'min', 'max', ''] = ...) -> Instruction:
        'Sum of two words, half-words or bytes, with an optional merge or second operation.'
    def vadd2(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Instruction:
        'Sum of two half-words at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vadd4(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Instruction:
        'Sum of four bytes at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vavrg2(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Instruction:
        'Average of two half-words at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vavrg4(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Instruction:
        'Average of four bytes at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vmad(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., scale: Literal['shr7', 'shr15', ''] = ...) -> Instruction:
        'Multiply two words, half-words or bytes and add a word; scale the sum by a shift.'
    def vmax(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., op2: Literal['add', 'min', 'max', ''] = ...) -> Instruction:
        'Larger of two words, half-words or bytes, with an optional merge or second operation.'
    def vmax2(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Instruction:
        'Larger of two half-words at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vmax4(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Instruction:
        'Larger of four bytes at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vmin(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., op2: Literal['add', 'min', 'max', ''] = ...) -> Instruction:
        'Smaller of two words, half-words or bytes, with an optional merge or second operation.'
    def vmin2(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Instruction:
        'Smaller of two half-words at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vmin4(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Instruction:
        'Smaller of four bytes at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vote(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['all', 'any', 'uni', 'ballot', ''] = ..., type: Literal['pred', 'b32', ''] = ...) -> Instruction:
        'Reduce a predicate over the warp, or collect it as one bit a lane.'
    def vset(self, *operands: Given, guard: Register | Guard | None = None, atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., cmp: Literal['eq', 'ne', 'lt', 'le', 'gt', 'ge', ''] = ..., op2: Literal['add', 'min', 'max', ''] = ...) -> Instruction:
        'Compare two words, half-words or bytes, giving 1 or 0, with an optional merge or second operation.'
    def vset2(self, *operands: Given, guard: Register | Guard | None = None, atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., cmp: Literal['eq', 'ne', 'lt', 'le', 'gt', 'ge', ''] = ..., add: Literal['add', ''] | bool = ...) -> Instruction:
        'Compare two half-words at once, giving 1 or 0 in each lane; with .add sum them onto c.'
    def vset4(self, *operands: Given, guard: Register | Guard | None = None, atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., cmp: Literal['eq', 'ne', 'lt', 'le', 'gt', 'ge', ''] = ..., add: Literal['add', ''] | bool = ...) -> Instruction:
        'Compare four bytes at once, giving 1 or 0 in each lane; with .add sum them onto c.'
    def vshl(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', ''] | bool = ..., sat: Literal['sat', ''] | bool = ..., mode: Literal['clamp', 'wrap', ''] = ..., op2: Literal['add', 'min', 'max', ''] = ...) -> Instruction:
        'Shift left a word, half-word or byte, with an optional merge or second operation.'
    def vshr(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', ''] | bool = ..., sat: Literal['sat', ''] | bool = ..., mode: Literal['clamp', 'wrap', ''] = ..., op2: Literal['add', 'min', 'max', ''] = ...) -> Instruction:
        'Shift right a word, half-word or byte, with an optional merge or second operation.'
    def vsub(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., op2: Literal['add', 'min', 'max', ''] = ...) -> Instruction:
        'Difference of two words, half-words or bytes, with an optional merge or second operation.'
    def vsub2(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Instruction:
        'Difference of two half-words at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vsub4(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Instruction:
        'Difference of four bytes at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def wgmma_commit_group(self, *operands: Given, guard: Register | Guard | None = None) -> Instruction:
        'Close the current group of asynchronous products.'
    def wgmma_fence(self, *operands: Given, guard: Register | Guard | None = None) -> Instruction:
        'Order register accesses of the warpgroup before the products that follow.'
    def wgmma_mma_async(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['m64n8k16', 'm64n16k16', 'm64n24k16', 'm64n32k16', 'm64n40k16', 'm64n48k16', 'm64n56k16', 'm64n64k16', 'm64n72k16', 'm64n80k16', 'm64n88k16', 'm64n96k16', 'm64n104k16', 'm64n112k16', 'm64n120k16', 'm64n128k16', 'm64n136k16', 'm64n144k16', 'm64n152k16', 'm64n160k16', 'm64n168k16', 'm64n176k16', 'm64n184k16', 'm64n192k16', 'm64n200k16', 'm64n208k16', 'm64n216k16', 'm64n224k16', 'm64n232k16', 'm64n240k16', 'm64n248k16', 'm64n256k16', 'm64n8k8', 'm64n16k8', 'm64n24k8', 'm64n32k8', 'm64n40k8', 'm64n48k8', 'm64n56k8', 'm64n64k8', 'm64n72k8', 'm64n80k8', 'm64n88k8', 'm64n96k8', 'm64n104k8', 'm64n112k8', 'm64n120k8', 'm64n128k8', 'm64n136k8', 'm64n144k8', 'm64n152k8', 'm64n160k8', 'm64n168k8', 'm64n176k8', 'm64n184k8', 'm64n192k8', 'm64n200k8', 'm64n208k8', 'm64n216k8', 'm64n224k8', 'm64n232k8', 'm64n240k8', 'm64n248k8', 'm64n256k8', 'm64n8k32', 'm64n16k32', 'm64n24k32', 'm64n32k32', 'm64n40k32', 'm64n48k32', 'm64n56k32', 'm64n64k32', 'm64n72k32', 'm64n80k32', 'm64n88k32', 'm64n96k32', 'm64n104k32', 'm64n112k32', 'm64n120k32', 'm64n128k32', 'm64n136k32', 'm64n144k32', 'm64n152k32', 'm64n160k32', 'm64n168k32', 'm64n176k32', 'm64n184k32', 'm64n192k32', 'm64n200k32', 'm64n208k32', 'm64n216k32', 'm64n224k32', 'm64n232k32', 'm64n240k32', 'm64n248k32', 'm64n256k32', 'm64n8k256', 'm64n16k256', 'm64n24k256', 'm64n32k256', 'm64n48k256', 'm64n64k256', 'm64n80k256', 'm64n96k256', 'm64n112k256', 'm64n128k256', 'm64n144k256', 'm64n160k256', 'm64n176k256', 'm64n192k256', 'm64n208k256', 'm64n224k256', 'm64n240k256', 'm64n256k256', ''] = ..., dtype: Literal['f16', 'f32', 's32', ''] = ..., atype: Literal['f16', 'bf16', 'tf32', 'e4m3', 'e5m2', 's8', 'u8', 'b1', ''] = ..., btype: Literal['f16', 'bf16', 'tf32', 'e4m3', 'e5m2', 's8', 'u8', 'b1', ''] = ..., satfinite: Literal['satfinite', ''] | bool = ..., bitop: Literal['and', ''] | bool = ...) -> Instruction:
        'Start the product of two matrices and its addition to the accumulators of a warpgroup.'
    def wgmma_mma_async_sp(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['m64n8k32', 'm64n16k32', 'm64n24k32', 'm64n32k32', 'm64n40k32', 'm64n48k32', 'm64n56k32', 'm64n64k32', 'm64n72k32', 'm64n80k32', 'm64n88k32', 'm64n96k32', 'm64n104k32', 'm64n112k32', 'm64n120k32', 'm64n128k32', 'm64n136k32', 'm64n144k32', 'm64n152k32', 'm64n160k32', 'm64n168k32', 'm64n176k32', 'm64n184k32', 'm64n192k32', 'm64n200k32', 'm64n208k32', 'm64n216k32', 'm64n224k32', 'm64n232k32', 'm64n240k32', 'm64n248k32', 'm64n256k32', 'm64n8k16', 'm64n16k16', 'm64n24k16', 'm64n32k16', 'm64n40k16', 'm64n48k16', 'm64n56k16', 'm64n64k16', 'm64n72k16', 'm64n80k16', 'm64n88k16', 'm64n96k16', 'm64n104k16', 'm64n112k16', 'm64n120k16', 'm64n128k16', 'm64n136k16', 'm64n144k16', 'm64n152k16', 'm64n160k16', 'm64n168k16', 'm64n176k16', 'm64n184k16', 'm64n192k16', 'm64n200k16', 'm64n208k16', 'm64n216k16', 'm64n224k16', 'm64n232k16', 'm64n240k16', 'm64n248k16', 'm64n256k16', 'm64n8k64', 'm64n16k64', 'm64n24k64', 'm64n32k64', 'm64n40k64', 'm64n48k64', 'm64n56k64', 'm64n64k64', 'm64n72k64', 'm64n80k64', 'm64n88k64', 'm64n96k64', 'm64n104k64', 'm64n112k64', 'm64n120k64', 'm64n128k64', 'm64n136k64', 'm64n144k64', 'm64n152k64', 'm64n160k64', 'm64n168k64', 'm64n176k64', 'm64n184k64', 'm64n192k64', 'm64n200k64', 'm64n208k64', 'm64n216k64', 'm64n224k64', 'm64n232k64', 'm64n240k64', 'm64n248k64', 'm64n256k64', ''] = ..., dtype: Literal['f16', 'f32', 's32', ''] = ..., atype: Literal['f16', 'bf16', 'tf32', 'e4m3', 'e5m2', 's8', 'u8', ''] = ..., btype: Literal['f16', 'bf16', 'tf32', 'e4m3', 'e5m2', 's8', 'u8', ''] = ..., satfinite: Literal['satfinite', ''] | bool = ...) -> Instruction:
        'Start the product of a sparse and a dense matrix and its addition to the accumulators of a warpgroup.'
    def wgmma_wait_group(self, *operands: Given, guard: Register | Guard | None = None) -> Instruction:
        'Wait until at most the given number of the newest groups of products are pending.'
    def wmma_load(self, *operands: Given, guard: Register | Guard | None = None, matrix: Literal['a', 'b', 'c', ''] = ..., layout: Literal['row', 'col', ''] = ..., shape: Literal['m16n16k16', 'm8n32k16', 'm32n8k16', 'm16n16k8', 'm8n8k4', 'm8n8k32', 'm8n8k128', ''] = ..., ss: Literal['global', 'shared', 'shared::cta', ''] = ..., type: Literal['f16', 'bf16', 'tf32', 'f32', 'f64', 's8', 'u8', 's4', 'u4', 'b1', 's32', ''] = ...) -> Instruction:
        'Load a matrix from memory into the fragments of a warp.'
    def wmma_mma(self, *operands: Given, guard: Register | Guard | None = None, alayout: Literal['row', 'col', ''] = ..., blayout: Literal['row', 'col', ''] = ..., shape: Literal['m16n16k16', 'm8n32k16', 'm32n8k16', 'm16n16k8', 'm8n8k4', 'm8n8k32', 'm8n8k128', ''] = ..., dtype: Literal['f16', 'f32', 'f64', 's32', ''] = ..., ctype: Literal['f16', 'f32', 'f64', 's32', ''] = ..., satfinite: Literal['satfinite', ''] | bool = ..., rnd: Literal['rn', 'rz', 'rm', 'rp', ''] = ..., atype: Literal['bf16', 'tf32', 'f64', 's8', 'u8', 's4', 'u4', 'b1', ''] = ..., btype: Literal['bf16', 'tf32', 'f64', 's8', 'u8', 's4', 'u4', 'b1', ''] = ..., bitop: Literal['xor', 'and', ''] = ...) -> Instruction:
        'Multiply two matrices that a warp holds as wmma fragments and add a third.'
    def wmma_store(self, *operands: Given, guard: Register | Guard | None = None, matrix: Literal['d', ''] | bool = ..., layout: Literal['row', 'col', ''] = ..., shape: Literal['m16n16k16', 'm8n32k16', 'm32n8k16', 'm16n16k8', 'm8n8k4', 'm8n8k32', 'm8n8k128', ''] = ..., ss: Literal['global', 'shared', 'shared::cta', ''] = ..., type: Literal['f16', 'f32', 'f64', 's32', ''] = ...) -> Instruction:
        'Store the result fragments of a warp to memory.'
    def xor(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b16', 'b32', 'b64', 'pred', ''] = ...) -> Instruction:
        'Bitwise xor of two words or predicates.'

class Results:
    def emit(self, family: str, /, *operands: Given, guard: Register | Guard | None = None, **slots: str | bool) -> Register: ...
    def abs(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['s16', 's32', 's64', 'f16', 'f16x2', 'bf16', 'bf16x2', 'f32', 'f64', ''] = ..., ftz: Literal['ftz', ''] | bool = ...) -> Register:
        'The absolute value.'
    def activemask(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b32', ''] | bool = ...) -> Register:
        'The lanes of the warp that execute now, one bit a lane.'
    def add(self, *operands: Given, guard: Register | Guard | None = None, sat: Literal['sat', ''] | bool = ..., type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', 'u16x2', 's16x2', 'u8x4', 's8x4', 'f16', 'f16x2', 'bf16', 'bf16x2', 'f32', 'f32x2', 'f64', 'e4m3x4', 'e5m2x4', ''] = ..., rnd: Literal['rn', 'rz', 'rm', 'rp', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., atype: Literal['f16', 'bf16', 'f16x2', 'bf16x2', 'f32x2', 'e4m3x4', 'e5m2x4', 'e2m1x4', 'e2m1p4x4', 'e3m2x4', 'e2m3x4', 'ue8m0x4', ''] = ..., btype: Literal['f32x2', ''] | bool = ..., satfinite: Literal['satfinite', ''] | bool = ...) -> Register:
        'Add two values: integers, floats, or packed vectors of them.'
    def addc(self, *operands: Given, guard: Register | Guard | None = None, sat: Literal['sat', ''] | bool = ..., type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', ''] = ...) -> Register:
        'Add two integers and the carry bit.'
    def alloca(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 'u64', ''] = ...) -> Register:
        'Reserve bytes of local memory until the function returns.'
    def and_(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b16', 'b32', 'b64', 'pred', ''] = ...) -> Register:
        'Bitwise and of two words or predicates.'
    def applypriority(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['global', ''] | bool = ..., level: Literal['L2::evict_normal', ''] | bool = ..., completion_mechanism: Literal['bulk_group', ''] | bool = ...) -> Register:
        'Give 128 bytes in L2, or with .async.bulk a range of bytes, the normal eviction priority again.'
    def atom(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['relaxed', 'acquire', 'release', 'acq_rel', ''] = ..., scope: Literal['cta', 'cluster', 'gpu', 'sys', ''] = ..., ss: Literal['global', 'shared', 'shared::cta', 'shared::cluster', ''] = ..., op: Literal['add', 'min', 'max', 'inc', 'dec', 'and', 'or', 'xor', 'exch', 'cas', ''] = ..., noftz: Literal['noftz', ''] | bool = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., vec: Literal['v2', 'v4', 'v8', ''] = ..., type: Literal['b16', 'b32', 'b64', 'b128', 'u32', 's32', 'u64', 's64', 'f16', 'bf16', 'f16x2', 'bf16x2', 'f32', 'f64', ''] = ...) -> Register:
        'Replace a value in memory by the result of an operation on it, atomically, and return the old value.'
    def bar(self, *operands: Given, guard: Register | Guard | None = None, cta: Literal['cta', ''] | bool = ..., action: Literal['sync', 'arrive', 'red', ''] = ..., op: Literal['popc', 'and', 'or', ''] = ..., type: Literal['u32', 'pred', ''] = ...) -> Register:
        'Wait at, arrive at, or reduce a predicate across one of the sixteen barriers of the CTA, whole warps at a time.'
    def bar_warp_sync(self, *operands: Given, guard: Register | Guard | None = None) -> Register:
        'Wait until every thread named in the mask has executed the same barrier.'
    def barrier(self, *operands: Given, guard: Register | Guard | None = None, cta: Literal['cta', ''] | bool = ..., action: Literal['sync', 'arrive', 'red', ''] = ..., aligned: Literal['aligned', ''] | bool = ..., op: Literal['popc', 'and', 'or', ''] = ..., type: Literal['u32', 'pred', ''] = ...) -> Register:
        'Wait at, arrive at, or reduce a predicate across one of the sixteen barriers of the CTA.'
    def barrier_cluster(self, *operands: Given, guard: Register | Guard | None = None, action: Literal['arrive', 'wait', ''] = ..., sem: Literal['release', 'relaxed', 'acquire', ''] = ..., aligned: Literal['aligned', ''] | bool = ...) -> Register:
        'Arrive at, or wait at, the hardware barrier of the cluster.'
    def bfe(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 'u64', 's32', 's64', ''] = ...) -> Register:
        'Extract a bit field and extend it.'
    def bfi(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b32', 'b64', ''] = ...) -> Register:
        'Insert a bit field into a word.'
    def bfind(self, *operands: Given, guard: Register | Guard | None = None, shiftamt: Literal['shiftamt', ''] | bool = ..., type: Literal['u32', 'u64', 's32', 's64', ''] = ...) -> Register:
        'Find the most significant bit that is not a sign bit; -1 when there is none.'
    def bmsk(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['clamp', 'wrap', ''] = ..., type: Literal['b32', ''] | bool = ...) -> Register:
        'A mask of ones of a given width from a given bit.'
    def bra(self, *operands: Given, guard: Register | Guard | None = None, uni: Literal['uni', ''] | bool = ...) -> Register:
        'Continue at a label; .uni asserts that all active threads of the warp do the same.'
    def brev(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b32', 'b64', ''] = ...) -> Register:
        'Reverse the bits.'
    def brkpt(self, *operands: Given, guard: Register | Guard | None = None) -> Register:
        'Suspend the thread for a debugger.'
    def brx_idx(self, *operands: Given, guard: Register | Guard | None = None, uni: Literal['uni', ''] | bool = ...) -> Register:
        'Continue at the label that the index selects from a .branchtargets list.'
    def clmad(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['lo', 'hi', ''] = ..., type: Literal['u64', 's64', ''] = ...) -> Register:
        'Multiply two integers without carries and add (exclusive or) a third to half of the product.'
    def clusterlaunchcontrol_query_cancel(self, *operands: Given, guard: Register | Guard | None = None, query: Literal['is_canceled', 'get_first_ctaid::x', 'get_first_ctaid::y', 'get_first_ctaid::z', 'get_first_ctaid', ''] = ..., type: Literal['pred', 'b32', ''] = ..., response: Literal['b128', ''] | bool = ..., vec: Literal['v4', ''] | bool = ...) -> Register:
        'Read the answer of try_cancel: whether a cluster was taken over, and the index of its first CTA.'
    def clusterlaunchcontrol_try_cancel(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['shared::cta', ''] | bool = ..., completion_mechanism: Literal['mbarrier::complete_tx::bytes', ''] | bool = ..., multicast: Literal['multicast::cluster::all', ''] | bool = ..., type: Literal['b128', ''] | bool = ...) -> Register:
        'Ask asynchronously that a cluster not be launched; the 16-byte answer goes to shared memory.'
    def clz(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b32', 'b64', ''] = ...) -> Register:
        'Count the leading zero bits.'
    def cnot(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b16', 'b32', 'b64', ''] = ...) -> Register:
        'Logical negation: 1 for zero, 0 for all else.'
    def copysign(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['f32', 'f64', ''] = ...) -> Register:
        'The magnitude of the second float with the sign of the first.'
    def cos(self, *operands: Given, guard: Register | Guard | None = None, ftz: Literal['ftz', ''] | bool = ..., type: Literal['f32', ''] | bool = ...) -> Register:
        'An approximation of the cosine of an angle in radians.'
    def cp_async(self, *operands: Given, guard: Register | Guard | None = None, cop: Literal['ca', 'cg', ''] = ..., dst: Literal['shared', 'shared::cta', ''] = ..., src: Literal['global', ''] | bool = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., prefetch_size: Literal['L2::64B', 'L2::128B', 'L2::256B', ''] = ...) -> Register:
        'Start a copy of 4, 8 or 16 bytes from global to shared memory; the rest past src_size becomes zero.'
    def cp_async_bulk(self, *operands: Given, guard: Register | Guard | None = None, dst: Literal['shared::cluster', 'shared::cta', 'global', ''] = ..., src: Literal['global', 'shared::cta', ''] = ..., completion_mechanism: Literal['mbarrier::complete_tx::bytes', 'bulk_group', ''] = ..., multicast: Literal['multicast::cluster', 'multicast::cluster::32b', ''] = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., report: Literal['mbarrier::report::disabled', 'mbarrier::report::validity::per_16bytes::80000000', 'mbarrier::report::validity::per_16bytes::8000', 'mbarrier::report::validity::per_16bytes::80', 'mbarrier::report::validity::per_16bytes::8', 'mbarrier::report::validity::per_element::ff', ''] = ..., ignore_oob: Literal['ignore_oob', ''] | bool = ..., cp_mask: Literal['cp_mask', ''] | bool = ...) -> Register:
        'Start a copy of a byte range between global memory, shared memory and the shared memory of a cluster.'
    def cp_async_bulk_commit_group(self, *operands: Given, guard: Register | Guard | None = None) -> Register:
        "Put the thread's bulk copies started since the last bulk group into a new bulk group."
    def cp_async_bulk_prefetch(self, *operands: Given, guard: Register | Guard | None = None, level: Literal['L2', ''] | bool = ..., src: Literal['global', ''] | bool = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., priority: Literal['L2::evict_last', ''] | bool = ...) -> Register:
        'Start bringing a byte range of global memory into L2.'
    def cp_async_bulk_prefetch_tensor(self, *operands: Given, guard: Register | Guard | None = None, dim: Literal['1d', '2d', '3d', '4d', '5d', ''] = ..., src: Literal['global', ''] | bool = ..., load_mode: Literal['tile', 'tile::gather4', 'im2col', 'im2col::w', 'im2col::w::128', ''] = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., override: Literal['override::global_address', ''] | bool = ..., sizes: Literal['override::global_dim', 'override::global_dim_stride', ''] = ..., priority: Literal['L2::evict_last', ''] | bool = ...) -> Register:
        'Start loading a box of a tensor into the L2 cache.'
    def cp_async_bulk_tensor(self, *operands: Given, guard: Register | Guard | None = None, dim: Literal['1d', '2d', '3d', '4d', '5d', ''] = ..., dst: Literal['shared::cluster', 'shared::cta', 'global', ''] = ..., src: Literal['global', 'shared::cta', ''] = ..., load_mode: Literal['tile', 'tile::gather4', 'im2col', 'im2col::w', 'im2col::w::128', 'tile::scatter4', 'im2col_no_offs', ''] = ..., completion: Literal['mbarrier::complete_tx::bytes', 'bulk_group', ''] = ..., multicast: Literal['multicast::cluster', 'multicast::cluster::32b', ''] = ..., cta_group: Literal['cta_group::1', 'cta_group::2', ''] = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., report: Literal['mbarrier::report::disabled', 'mbarrier::report::validity::per_16bytes::80000000', 'mbarrier::report::validity::per_16bytes::8000', 'mbarrier::report::validity::per_16bytes::80', 'mbarrier::report::validity::per_16bytes::8', 'mbarrier::report::validity::per_element::ff', ''] = ..., override: Literal['override::global_address', ''] | bool = ..., sizes: Literal['override::global_dim', 'override::global_dim_stride', ''] = ...) -> Register:
        'Start copying a box of a tensor between global and shared memory.'
    def cp_async_bulk_wait_group(self, *operands: Given, guard: Register | Guard | None = None, read: Literal['read', ''] | bool = ..., sync_restrict: Literal['sync_restrict::proxy::async', ''] | bool = ...) -> Register:
        "Wait until at most n of the thread's newest bulk groups are pending; with .read, until their sources are read."
    def cp_async_commit_group(self, *operands: Given, guard: Register | Guard | None = None) -> Register:
        "Put the thread's copies started since the last group into a new group."
    def cp_async_mbarrier_arrive(self, *operands: Given, guard: Register | Guard | None = None, noinc: Literal['noinc', ''] | bool = ..., ss: Literal['shared', 'shared::cta', ''] = ..., type: Literal['b64', ''] | bool = ...) -> Register:
        "Arrive at an mbarrier once the thread's copies so far are complete."
    def cp_async_wait_all(self, *operands: Given, guard: Register | Guard | None = None) -> Register:
        "Wait until all of the thread's copies are complete."
    def cp_async_wait_group(self, *operands: Given, guard: Register | Guard | None = None) -> Register:
        "Wait until at most n of the thread's newest groups of copies are pending."
    def cp_reduce_async_bulk(self, *operands: Given, guard: Register | Guard | None = None, dst: Literal['shared::cluster', 'global', ''] = ..., src: Literal['shared::cta', ''] | bool = ..., completion_mechanism: Literal['mbarrier::complete_tx::bytes', 'bulk_group', ''] = ..., op: Literal['and', 'or', 'xor', 'add', 'inc', 'dec', 'min', 'max', ''] = ..., type: Literal['b32', 'u32', 's32', 'u64', 'f16', 'bf16', 'b64', 's64', 'f32', 'f64', ''] = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., noftz: Literal['noftz', ''] | bool = ...) -> Register:
        "Start an element-wise reduction of a byte range of shared memory into global memory or a cluster's shared memory."
    def cp_reduce_async_bulk_tensor(self, *operands: Given, guard: Register | Guard | None = None, dim: Literal['1d', '2d', '3d', '4d', '5d', ''] = ..., dst: Literal['global', ''] | bool = ..., src: Literal['shared::cta', ''] | bool = ..., redop: Literal['add', 'min', 'max', 'inc', 'dec', 'and', 'or', 'xor', ''] = ..., load_mode: Literal['tile', 'im2col_no_offs', ''] = ..., completion: Literal['bulk_group', ''] | bool = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., override: Literal['override::global_address', ''] | bool = ..., sizes: Literal['override::global_dim', 'override::global_dim_stride', ''] = ...) -> Register:
        'Start combining a box in shared memory into a tensor in global memory.'
    def createpolicy(self, *operands: Given, guard: Register | Guard | None = None, kind: Literal['range', 'fractional', 'cvt', ''] = ..., ss: Literal['global', ''] | bool = ..., primary: Literal['L2::evict_last', 'L2::evict_normal', 'L2::evict_first', 'L2::evict_unchanged', ''] = ..., secondary: Literal['L2::evict_first', 'L2::evict_unchanged', ''] = ..., type: Literal['b64', ''] | bool = ..., level: Literal['L2', ''] | bool = ...) -> Register:
        'Make the 64-bit cache policy that the .L2::cache_hint forms take.'
    def cvt(self, *operands: Given, guard: Register | Guard | None = None, sat: Literal['sat', ''] | bool = ..., type: Literal['u8', 's8', 'u16', 'u32', 'u64', 's16', 's32', 's64', 'f16', 'f32', 'f64', 'bf16', 'f16x2', 'bf16x2', 'tf32', 'e4m3x2', 'e5m2x2', 'e3m2x2', 'e2m3x2', 'e2m1x2', 's2f6x2', 'ue8m0x2', 'ue5m3x2', 'e4m3x4', 'e5m2x4', 'e3m2x4', 'e2m3x4', 'e2m1x4', ''] = ..., atype: Literal['u8', 's8', 'u16', 'u32', 'u64', 's16', 's32', 's64', 'f16', 'f32', 'f64', 'bf16', 'f16x2', 'bf16x2', 'e4m3x2', 'e5m2x2', 'e3m2x2', 'e2m3x2', 'e2m1x2', 's2f6x2', 'ue8m0x2', 'ue5m3x2', ''] = ..., rnd: Literal['rni', 'rzi', 'rmi', 'rpi', 'rn', 'rz', 'rm', 'rp', 'rs', 'rna', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., relu: Literal['relu', ''] | bool = ..., satfinite: Literal['satfinite', ''] | bool = ..., pzo: Literal['pzo', ''] | bool = ..., scaled: Literal['scaled::n1::ue8m0', 'scaled::n2::ue8m0', ''] = ...) -> Register:
        'Convert a value from one type to another; narrow formats are packed two or four to a register.'
    def cvt_pack(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u16', 's16', 'u8', 's8', 'u4', 's4', 'u2', 's2', ''] = ..., atype: Literal['s32', ''] | bool = ..., ctype: Literal['b32', ''] | bool = ...) -> Register:
        'Convert two integers with saturation and pack them, after older elements for the types of 8 bits and less.'
    def cvta(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['global', 'local', 'const', 'param', 'param::entry', 'shared', 'shared::cta', 'shared::cluster', ''] = ..., size: Literal['u32', 'u64', ''] = ..., to: Literal['to', ''] | bool = ...) -> Register:
        'Convert an address of a state space to a generic address, or back with .to.'
    def discard(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['global', ''] | bool = ..., level: Literal['L2', ''] | bool = ...) -> Register:
        'Drop 128 bytes from L2 without writing them back; their value is undefined after.'
    def div(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', 'f32', 'f64', ''] = ..., rnd: Literal['approx', 'full', 'rn', 'rz', 'rm', 'rp', ''] = ..., ftz: Literal['ftz', ''] | bool = ...) -> Register:
        'Divide one value by another.'
    def dp2a(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['lo', 'hi', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ...) -> Register:
        'Add the dot product of two half-words and two bytes (the low or the high pair) to an integer.'
    def dp4a(self, *operands: Given, guard: Register | Guard | None = None, atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ...) -> Register:
        'Add the dot product of two vectors of four bytes to an integer.'
    def elect_sync(self, *operands: Given, guard: Register | Guard | None = None) -> Register:
        'Choose one lane of the mask; the predicate is true in that lane only.'
    def ex2(self, *operands: Given, guard: Register | Guard | None = None, ftz: Literal['ftz', ''] | bool = ..., type: Literal['f16', 'f16x2', 'bf16', 'bf16x2', 'f32', ''] = ...) -> Register:
        'An approximation of a power of 2.'
    def exit(self, *operands: Given, guard: Register | Guard | None = None) -> Register:
        'End the thread.'
    def fabric_submit(self, *operands: Given, guard: Register | Guard | None = None, op_restrict: Literal['op_restrict::fetching', ''] | bool = ...) -> Register:
        "Hand the thread's transfers through the fabric over, or with .op_restrict::fetching those that fetch."
    def fabric_submit_commit_group(self, *operands: Given, guard: Register | Guard | None = None) -> Register:
        "Hand the thread's transfers through the fabric over as a new group."
    def fabric_try_atom_async(self, *operands: Given, guard: Register | Guard | None = None, cache_hint: Literal['L2::cache_hint', ''] | bool = ..., sem: Literal['relaxed', ''] | bool = ..., scope: Literal['sys', ''] | bool = ..., op: Literal['add', 'min', 'max', 'and', 'or', 'xor', 'exch', 'cas', ''] = ..., type: Literal['b32', 'u32', 's32', 'b64', 'u64', 's64', 'f16', 'bf16', 'f32', 'f64', 'f16x2', 'bf16x2', 'b128', ''] = ...) -> Register:
        'Start an atomic operation at an endpoint of the fabric with operands in shared memory.'
    def fabric_try_get_async(self, *operands: Given, guard: Register | Guard | None = None, cache_hint: Literal['L2::cache_hint', ''] | bool = ..., sem: Literal['relaxed', ''] | bool = ..., scope: Literal['sys', ''] | bool = ...) -> Register:
        'Start loading bytes of an endpoint of the fabric to shared memory.'
    def fabric_try_get_async_tensor(self, *operands: Given, guard: Register | Guard | None = None, dim: Literal['1d', '2d', '3d', '4d', '5d', ''] = ..., tile: Literal['tile', ''] | bool = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., override: Literal['override::global_address', ''] | bool = ..., sem: Literal['relaxed', ''] | bool = ..., scope: Literal['sys', ''] | bool = ..., sizes: Literal['override::global_dim', 'override::global_dim_stride', ''] = ...) -> Register:
        'Start loading a box of a tensor of an endpoint of the fabric to shared memory.'
    def fabric_try_pullred_async(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['relaxed', ''] | bool = ..., scope: Literal['sys', ''] | bool = ..., op: Literal['add', 'min', 'max', 'and', 'or', 'xor', ''] = ..., acc: Literal['acc::f32', 'acc::f16', ''] = ..., type: Literal['b32', 'u32', 's32', 'b64', 'u64', 's64', 'f16', 'bf16', 'f32', 'f64', 'e4m3', 'e5m2', ''] = ...) -> Register:
        'Start loading elements of all endpoints of a multicast address of the fabric, reduced, to shared memory.'
    def fabric_try_put_async(self, *operands: Given, guard: Register | Guard | None = None, multimem: Literal['multimem', ''] | bool = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., sem: Literal['relaxed', ''] | bool = ..., scope: Literal['sys', ''] | bool = ..., cp_mask: Literal['cp_mask', ''] | bool = ...) -> Register:
        'Start storing bytes of shared memory to an endpoint of the fabric, and tell the mbarrier whether it went well.'
    def fabric_try_put_async_tensor(self, *operands: Given, guard: Register | Guard | None = None, multimem: Literal['multimem', ''] | bool = ..., dim: Literal['1d', '2d', '3d', '4d', '5d', ''] = ..., tile: Literal['tile', ''] | bool = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., override: Literal['override::global_address', ''] | bool = ..., sem: Literal['relaxed', ''] | bool = ..., scope: Literal['sys', ''] | bool = ..., sizes: Literal['override::global_dim', 'override::global_dim_stride', ''] = ...) -> Register:
        'Start storing a box of shared memory to a tensor of an endpoint of the fabric.'
    def fabric_try_red_async(self, *operands: Given, guard: Register | Guard | None = None, multimem: Literal['multimem', ''] | bool = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., sem: Literal['relaxed', ''] | bool = ..., scope: Literal['sys', ''] | bool = ..., op: Literal['add', 'min', 'max', 'and', 'or', 'xor', ''] = ..., type: Literal['b32', 'u32', 's32', 'b64', 'u64', 's64', 'f16', 'bf16', 'f32', 'f64', ''] = ...) -> Register:
        'Start reducing elements of shared memory into those of an endpoint of the fabric.'
    def fabric_wait(self, *operands: Given, guard: Register | Guard | None = None, sync_restrict: Literal['sync_restrict::reads', 'sync_restrict::read', ''] = ...) -> Register:
        "Wait until the sources of the thread's transfers are read, or those of all but the n newest groups."
    def fence(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['sc', 'acq_rel', 'acquire', 'release', ''] = ..., scope: Literal['cta', 'cluster', 'gpu', 'sys', ''] = ..., sync_restrict: Literal['sync_restrict::shared::cluster', 'sync_restrict::shared::cta', 'sync_restrict::read', ''] = ..., op_restrict: Literal['mbarrier_init', ''] | bool = ...) -> Register:
        'Order the memory accesses before it against those after it at a scope.'
    def fence_proxy(self, *operands: Given, guard: Register | Guard | None = None, proxykind: Literal['alias', 'async', 'fabric::fabric', 'fabric::generic', 'generic::fabric', 'tensormap::generic', 'async::generic', ''] = ..., sem: Literal['acquire', 'release', 'acq_rel', ''] = ..., scope: Literal['sys', 'cta', 'cluster', 'gpu', ''] = ..., ss: Literal['global', 'shared::cta', 'shared::cluster', ''] = ..., sync_restrict: Literal['sync_restrict::shared::cluster', 'sync_restrict::shared::cta', 'sync_restrict::shared::cluster::read', ''] = ...) -> Register:
        'Order accesses made through one memory proxy against accesses made through another.'
    def fma(self, *operands: Given, guard: Register | Guard | None = None, rnd: Literal['rn', 'rz', 'rm', 'rp', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., sat: Literal['sat', ''] | bool = ..., oob: Literal['oob', ''] | bool = ..., relu: Literal['relu', ''] | bool = ..., type: Literal['f16', 'f16x2', 'bf16', 'bf16x2', 'f32', 'f32x2', 'f64', 'e4m3x4', 'e5m2x4', ''] = ..., atype: Literal['f16', 'bf16', 'f16x2', 'bf16x2', 'e4m3x4', 'e5m2x4', 'e2m1x4', 'e2m1p4x4', 'e3m2x4', 'e2m3x4', 'ue8m0x4', ''] = ..., btype: Literal['f32x2', 'e4m3x4', 'e5m2x4', 'e2m1x4', 'e2m1p4x4', 'e3m2x4', 'e2m3x4', 'ue8m0x4', ''] = ..., ctype: Literal['f32x2', ''] | bool = ..., satfinite: Literal['satfinite', ''] | bool = ...) -> Register:
        'Multiply two floats and add a third with a single rounding.'
    def fns(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b32', ''] | bool = ...) -> Register:
        'Find the n-th set bit of a mask from a base position.'
    def getctarank(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['shared::cluster', ''] | bool = ..., type: Literal['u32', 'u64', ''] = ...) -> Register:
        'The rank in the cluster of the CTA whose shared memory holds an address.'
    def griddepcontrol(self, *operands: Given, guard: Register | Guard | None = None, action: Literal['launch_dependents', 'wait', ''] = ...) -> Register:
        'Let dependent grids start, or wait for the grids this one depends on.'
    def isspacep(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['global', 'local', 'const', 'param', 'param::entry', 'shared', 'shared::cta', 'shared::cluster', ''] = ...) -> Register:
        'Whether a generic address lies in the window of a state space.'
    def istypep(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['texref', 'samplerref', 'surfref', ''] = ...) -> Register:
        'Whether a register holds an opaque reference of a type.'
    def ld(self, *operands: Given, guard: Register | Guard | None = None, mmio: Literal['mmio', ''] | bool = ..., sem: Literal['weak', 'volatile', 'relaxed', 'acquire', ''] = ..., scope: Literal['cta', 'cluster', 'gpu', 'sys', ''] = ..., ss: Literal['const', 'global', 'local', 'param', 'param::entry', 'param::func', 'shared', 'shared::cta', 'shared::cluster', ''] = ..., cop: Literal['ca', 'cg', 'cs', 'lu', 'cv', ''] = ..., l1_evict: Literal['L1::evict_normal', 'L1::evict_unchanged', 'L1::evict_first', 'L1::evict_last', 'L1::no_allocate', ''] = ..., l2_evict: Literal['L2::evict_normal', 'L2::evict_first', 'L2::evict_last', ''] = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., prefetch_size: Literal['L2::64B', 'L2::128B', 'L2::256B', ''] = ..., vec: Literal['v2', 'v4', 'v8', ''] = ..., type: Literal['b8', 'u8', 's8', 'b16', 'u16', 's16', 'b32', 'u32', 's32', 'f32', 'b64', 'u64', 's64', 'f64', 'b128', ''] = ..., nc: Literal['nc', ''] | bool = ...) -> Register:
        'Load a value or a vector from memory.'
    def ldmatrix(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['m8n8', 'm16n16', 'm8n16', ''] = ..., num: Literal['x1', 'x2', 'x4', ''] = ..., trans: Literal['trans', ''] | bool = ..., ss: Literal['shared', 'shared::cta', ''] = ..., type: Literal['b16', 'b8', ''] = ..., dst_fmt: Literal['b8x16', ''] | bool = ..., src_fmt: Literal['b6x16_p32', 'b4x16_p64', ''] = ...) -> Register:
        'Collectively load one or more matrices from shared memory for mma.'
    def ldu(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['global', ''] | bool = ..., vec: Literal['v2', 'v4', ''] = ..., type: Literal['b8', 'u8', 's8', 'b16', 'u16', 's16', 'b32', 'u32', 's32', 'f32', 'b64', 'u64', 's64', 'f64', 'b128', ''] = ...) -> Register:
        'Load a value that is the same for every thread of the warp from read-only global memory.'
    def lg2(self, *operands: Given, guard: Register | Guard | None = None, ftz: Literal['ftz', ''] | bool = ..., type: Literal['f32', ''] | bool = ...) -> Register:
        'An approximation of the logarithm to base 2.'
    def lop3(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b32', ''] | bool = ..., boolop: Literal['or', 'and', ''] = ...) -> Register:
        'Any logical function of three words, given as an 8-bit truth table; optionally its zero test into a predicate.'
    def mad(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['hi', 'lo', 'wide', ''] = ..., sat: Literal['sat', ''] | bool = ..., type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', 'f32', 'f64', ''] = ..., rnd: Literal['rn', 'rz', 'rm', 'rp', ''] = ..., ftz: Literal['ftz', ''] | bool = ...) -> Register:
        'Multiply two values and add a third.'
    def mad24(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['hi', 'lo', ''] = ..., sat: Literal['sat', ''] | bool = ..., type: Literal['u32', 's32', ''] = ...) -> Register:
        'Multiply the low 24 bits of two integers and add a third.'
    def madc(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['hi', 'lo', ''] = ..., sat: Literal['sat', ''] | bool = ..., type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', ''] = ...) -> Register:
        'Multiply two integers, add a third and the carry bit.'
    def mapa(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['shared::cluster', ''] | bool = ..., type: Literal['u32', 'u64', ''] = ...) -> Register:
        'The address in another CTA of the cluster that corresponds to a shared address of this one.'
    def match(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['any', 'all', ''] = ..., type: Literal['b32', 'b64', ''] = ...) -> Register:
        'Find the lanes of the warp that hold the same value.'
    def max(self, *operands: Given, guard: Register | Guard | None = None, relu: Literal['relu', ''] | bool = ..., type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', 'u16x2', 's16x2', 'u8x4', 's8x4', 'f16', 'f16x2', 'bf16', 'bf16x2', 'f32', 'f64', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., NaN: Literal['NaN', ''] | bool = ..., xorsign: Literal['xorsign', ''] | bool = ..., abs: Literal['abs', ''] | bool = ...) -> Register:
        'The larger of two values, or of three floats.'
    def mbarrier_arrive(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['release', 'relaxed', ''] = ..., scope: Literal['cta', 'cluster', ''] = ..., ss: Literal['shared', 'shared::cta', 'shared::cluster', ''] = ..., type: Literal['b64', ''] | bool = ..., noComplete: Literal['noComplete', ''] | bool = ..., expect_tx: Literal['expect_tx', ''] | bool = ..., multicast: Literal['multicast::cluster::32b', ''] | bool = ...) -> Register:
        'Count an arrival at an mbarrier and return the state of its phase.'
    def mbarrier_arrive_drop(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['release', 'relaxed', ''] = ..., scope: Literal['cta', 'cluster', ''] = ..., ss: Literal['shared', 'shared::cta', 'shared::cluster', ''] = ..., type: Literal['b64', ''] | bool = ..., noComplete: Literal['noComplete', ''] | bool = ..., expect_tx: Literal['expect_tx', ''] | bool = ..., multicast: Literal['multicast::cluster::32b', ''] | bool = ...) -> Register:
        'Count an arrival at an mbarrier and expect as many fewer in the phases that follow.'
    def mbarrier_check_layout(self, *operands: Given, guard: Register | Guard | None = None, layout: Literal['layout::v0', 'layout::v1', ''] = ..., ss: Literal['shared', 'shared::cta', ''] = ..., type: Literal['b64', ''] | bool = ...) -> Register:
        'Whether an mbarrier has a layout.'
    def mbarrier_complete_tx(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['relaxed', ''] | bool = ..., scope: Literal['cta', 'cluster', ''] = ..., ss: Literal['shared', 'shared::cta', 'shared::cluster', ''] = ..., type: Literal['b64', ''] | bool = ..., multicast: Literal['multicast::cluster::32b', ''] | bool = ...) -> Register:
        'Count bytes as copied, as an asynchronous copy would at its end.'
    def mbarrier_expect_tx(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['relaxed', ''] | bool = ..., scope: Literal['cta', 'cluster', ''] = ..., ss: Literal['shared', 'shared::cta', 'shared::cluster', ''] = ..., type: Literal['b64', ''] | bool = ..., multicast: Literal['multicast::cluster::32b', ''] | bool = ...) -> Register:
        'Expect more bytes of asynchronous copies in this phase.'
    def mbarrier_init(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['shared', 'shared::cta', ''] = ..., type: Literal['b64', ''] | bool = ..., layout: Literal['layout::v0', 'layout::v1', ''] = ...) -> Register:
        'Make an mbarrier that completes a phase after `count` arrivals.'
    def mbarrier_inval(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['shared', 'shared::cta', ''] = ..., type: Literal['b64', ''] | bool = ...) -> Register:
        'End the life of an mbarrier so that its memory can serve something else.'
    def mbarrier_pending_count(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b64', ''] | bool = ...) -> Register:
        'The number of arrivals still pending in a state that an arrival returned.'
    def mbarrier_test_wait(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['acquire', 'relaxed', ''] = ..., scope: Literal['cta', 'cluster', ''] = ..., ss: Literal['shared', 'shared::cta', ''] = ..., type: Literal['b64', ''] | bool = ..., parity: Literal['parity', ''] | bool = ..., phase_type: Literal['phase_type::primary', 'phase_type::conditional', ''] = ...) -> Register:
        'Whether the phase of an mbarrier has completed, without waiting.'
    def mbarrier_try_wait(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['acquire', 'relaxed', ''] = ..., scope: Literal['cta', 'cluster', ''] = ..., ss: Literal['shared', 'shared::cta', ''] = ..., type: Literal['b64', ''] | bool = ..., parity: Literal['parity', ''] | bool = ..., phase_type: Literal['phase_type::primary', 'phase_type::conditional', ''] = ...) -> Register:
        'Whether the phase of an mbarrier has completed, waiting for it up to a limit (the hint, in nanoseconds).'
    def membar(self, *operands: Given, guard: Register | Guard | None = None, level: Literal['cta', 'gl', 'sys', ''] = ..., proxykind: Literal['alias', 'async', ''] = ...) -> Register:
        'Order the memory accesses before it against those after it (older spelling of fence).'
    def min(self, *operands: Given, guard: Register | Guard | None = None, relu: Literal['relu', ''] | bool = ..., type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', 'u16x2', 's16x2', 'u8x4', 's8x4', 'f16', 'f16x2', 'bf16', 'bf16x2', 'f32', 'f64', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., NaN: Literal['NaN', ''] | bool = ..., xorsign: Literal['xorsign', ''] | bool = ..., abs: Literal['abs', ''] | bool = ...) -> Register:
        'The smaller of two values, or of three floats.'
    def mma(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['m8n8k4', 'm16n8k4', 'm16n8k8', 'm16n8k16', 'm16n8k32', 'm8n8k16', 'm8n8k32', 'm16n8k64', 'm8n8k128', 'm16n8k128', 'm16n8k256', ''] = ..., alayout: Literal['row', 'col', ''] = ..., blayout: Literal['row', 'col', ''] = ..., kind: Literal['kind::f8f6f4', 'kind::mxf8f6f4', 'kind::mxf4', 'kind::mxf4nvf4', ''] = ..., rnd: Literal['rn', 'rz', 'rm', 'rp', ''] = ..., dtype: Literal['f16', 'f32', 'f64', 's32', ''] = ..., atype: Literal['f16', 'bf16', 'tf32', 'f64', 'e4m3', 'e5m2', 'e3m2', 'e2m3', 'e2m1', 'u8', 's8', 'u4', 's4', 'b1', ''] = ..., btype: Literal['f16', 'bf16', 'tf32', 'f64', 'e4m3', 'e5m2', 'e3m2', 'e2m3', 'e2m1', 'u8', 's8', 'u4', 's4', 'b1', ''] = ..., ctype: Literal['f16', 'f32', 'f64', 's32', ''] = ..., satfinite: Literal['satfinite', ''] | bool = ..., bitop: Literal['xor', 'and', ''] = ..., scale_vec: Literal['scale_vec::1X', 'scale_vec::2X', 'scale_vec::4X', ''] = ..., stype: Literal['ue8m0', 'ue4m3', ''] = ...) -> Register:
        'Multiply two matrices that the threads of a warp hold as fragments and add a third.'
    def mma_sp(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['m16n8k8', 'm16n8k16', 'm16n8k32', 'm16n8k64', 'm16n8k128', ''] = ..., alayout: Literal['row', ''] | bool = ..., blayout: Literal['col', ''] | bool = ..., dtype: Literal['f16', 'f32', 's32', ''] = ..., atype: Literal['f16', 'bf16', 'tf32', 'e4m3', 'e5m2', 'u8', 's8', 'u4', 's4', ''] = ..., btype: Literal['f16', 'bf16', 'tf32', 'e4m3', 'e5m2', 'u8', 's8', 'u4', 's4', ''] = ..., ctype: Literal['f16', 'f32', 's32', ''] = ..., satfinite: Literal['satfinite', ''] | bool = ...) -> Register:
        'Multiply a sparse matrix by a dense one, both held by a warp as fragments, and add a third.'
    def mma_sp_ordered_metadata(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['m16n8k8', 'm16n8k16', 'm16n8k32', 'm16n8k64', 'm16n8k128', ''] = ..., alayout: Literal['row', ''] | bool = ..., blayout: Literal['col', ''] | bool = ..., kind: Literal['kind::f8f6f4', 'kind::mxf8f6f4', 'kind::mxf4', 'kind::mxf4nvf4', ''] = ..., dtype: Literal['f16', 'f32', 's32', ''] = ..., atype: Literal['f16', 'bf16', 'tf32', 'e4m3', 'e5m2', 'e3m2', 'e2m3', 'e2m1', 'u8', 's8', 'u4', 's4', ''] = ..., btype: Literal['f16', 'bf16', 'tf32', 'e4m3', 'e5m2', 'e3m2', 'e2m3', 'e2m1', 'u8', 's8', 'u4', 's4', ''] = ..., ctype: Literal['f16', 'f32', 's32', ''] = ..., satfinite: Literal['satfinite', ''] | bool = ..., scale_vec: Literal['scale_vec::1X', 'scale_vec::2X', 'scale_vec::4X', ''] = ..., stype: Literal['ue8m0', 'ue4m3', ''] = ...) -> Register:
        'The product of `mma.sp` where the metadata names the stored elements in increasing order.'
    def mov(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b16', 'b32', 'b64', 'b128', 'u16', 'u32', 'u64', 's16', 's32', 's64', 'f32', 'f64', 'pred', ''] = ..., vec: Literal['v2', 'v4', ''] = ...) -> Register:
        'Copy a register, constant, special register or address; or pack or unpack the parts of a word.'
    def movmatrix(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['m8n8', ''] | bool = ..., type: Literal['b16', ''] | bool = ...) -> Register:
        'Transpose an 8x8 matrix in registers across a warp.'
    def mul(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['hi', 'lo', 'wide', ''] = ..., type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', 'f16', 'f16x2', 'bf16', 'bf16x2', 'f32', 'f32x2', 'f64', 'e4m3x4', 'e5m2x4', ''] = ..., rnd: Literal['rn', 'rz', 'rm', 'rp', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., sat: Literal['sat', ''] | bool = ..., atype: Literal['f16x2', 'bf16x2', 'f32x2', 'e4m3x4', 'e5m2x4', 'e2m1x4', 'e2m1p4x4', 'e3m2x4', 'e2m3x4', 'ue8m0x4', ''] = ..., btype: Literal['f16x2', 'bf16x2', 'f32x2', 'e4m3x4', 'e5m2x4', 'e2m1x4', 'e2m1p4x4', 'e3m2x4', 'e2m3x4', 'ue8m0x4', ''] = ..., satfinite: Literal['satfinite', ''] | bool = ...) -> Register:
        'Multiply two values; of an integer product keep the low half, the high half, or all of it.'
    def mul24(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['hi', 'lo', ''] = ..., type: Literal['u32', 's32', ''] = ...) -> Register:
        'Multiply the low 24 bits of two integers; keep the low or high 32 bits of the 48-bit product.'
    def multimem_cp_async_bulk(self, *operands: Given, guard: Register | Guard | None = None, dst: Literal['global', ''] | bool = ..., src: Literal['shared::cta', ''] | bool = ..., completion_mechanism: Literal['bulk_group', ''] | bool = ..., cp_mask: Literal['cp_mask', ''] | bool = ...) -> Register:
        'Start a copy of a byte range of shared memory to every copy behind a multicast address.'
    def multimem_cp_reduce_async_bulk(self, *operands: Given, guard: Register | Guard | None = None, dst: Literal['global', ''] | bool = ..., src: Literal['shared::cta', ''] | bool = ..., completion_mechanism: Literal['bulk_group', ''] | bool = ..., op: Literal['and', 'or', 'xor', 'add', 'inc', 'dec', 'min', 'max', ''] = ..., noftz: Literal['noftz', ''] | bool = ..., type: Literal['f16', 'bf16', 'b32', 'u32', 's32', 'b64', 'u64', 's64', 'f32', 'f64', ''] = ...) -> Register:
        'Start an element-wise reduction of a byte range of shared memory into every copy behind a multicast address.'
    def multimem_ld_reduce(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['weak', 'relaxed', 'acquire', ''] = ..., scope: Literal['cta', 'cluster', 'gpu', 'sys', ''] = ..., ss: Literal['global', ''] | bool = ..., op: Literal['add', 'min', 'max', 'and', 'or', 'xor', ''] = ..., acc: Literal['acc::f32', 'acc::f16', ''] = ..., vec: Literal['v2', 'v4', 'v8', ''] = ..., type: Literal['u32', 's32', 'b32', 'u64', 's64', 'b64', 'f64', 'f32', 'f16', 'bf16', 'f16x2', 'bf16x2', 'e4m3', 'e5m2', 'e4m3x2', 'e5m2x2', 'e4m3x4', 'e5m2x4', ''] = ...) -> Register:
        'Load from every copy behind a multicast address and reduce the values.'
    def multimem_red(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['relaxed', 'release', ''] = ..., scope: Literal['cta', 'cluster', 'gpu', 'sys', ''] = ..., ss: Literal['global', ''] | bool = ..., op: Literal['add', 'min', 'max', 'and', 'or', 'xor', ''] = ..., vec: Literal['v2', 'v4', 'v8', ''] = ..., type: Literal['u32', 's32', 'b32', 'u64', 's64', 'b64', 'f64', 'f32', 'f16', 'bf16', 'f16x2', 'bf16x2', ''] = ...) -> Register:
        'Combine a value into every copy behind a multicast address.'
    def multimem_st(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['weak', 'relaxed', 'release', ''] = ..., scope: Literal['cta', 'cluster', 'gpu', 'sys', ''] = ..., ss: Literal['global', ''] | bool = ..., vec: Literal['v2', 'v4', 'v8', ''] = ..., type: Literal['u32', 's32', 'b32', 'u64', 's64', 'b64', 'f64', 'f32', 'f16', 'bf16', 'f16x2', 'bf16x2', 'e4m3', 'e5m2', 'e4m3x2', 'e5m2x2', 'e4m3x4', 'e5m2x4', ''] = ...) -> Register:
        'Store to every copy behind a multicast address.'
    def nanosleep(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', ''] | bool = ...) -> Register:
        'Suspend the thread for about the given number of nanoseconds (at most twice as long).'
    def neg(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['s16', 's32', 's64', 's8x4', 'f16', 'f16x2', 'bf16', 'bf16x2', 'f32', 'f64', ''] = ..., ftz: Literal['ftz', ''] | bool = ...) -> Register:
        'The arithmetic negation.'
    def not_(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b16', 'b32', 'b64', 'pred', ''] = ...) -> Register:
        'Bitwise complement of a word or predicate.'
    def or_(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b16', 'b32', 'b64', 'pred', ''] = ...) -> Register:
        'Bitwise or of two words or predicates.'
    def pmevent(self, *operands: Given, guard: Register | Guard | None = None, mask: Literal['mask', ''] | bool = ...) -> Register:
        'Trigger performance monitor events: one by number, or several by mask.'
    def popc(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b32', 'b64', ''] = ...) -> Register:
        'Count the one bits.'
    def prefetch(self, *operands: Given, guard: Register | Guard | None = None, ss: Literal['global', 'local', 'const', 'param', ''] = ..., level: Literal['L1', 'L2', 'L2::evict_last', 'L2::evict_normal', 'L1::32B', ''] = ..., tensormap: Literal['tensormap', ''] | bool = ...) -> Register:
        'Bring the cache line that holds an address, or a tensor map, into a cache.'
    def prefetchu(self, *operands: Given, guard: Register | Guard | None = None, level: Literal['L1', ''] | bool = ...) -> Register:
        'Bring the cache line that holds a generic address into the uniform cache.'
    def prmt(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b32', ''] | bool = ..., mode: Literal['f4e', 'b4e', 'rc8', 'ecl', 'ecr', 'rc16', ''] = ...) -> Register:
        'Pick four bytes of a pair of words, each by a selector of four bits or by a fixed pattern.'
    def rcp(self, *operands: Given, guard: Register | Guard | None = None, rnd: Literal['approx', 'rn', 'rz', 'rm', 'rp', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., type: Literal['f32', 'f64', ''] = ...) -> Register:
        'The reciprocal of a float.'
    def red(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['relaxed', 'release', ''] = ..., scope: Literal['cta', 'cluster', 'gpu', 'sys', ''] = ..., ss: Literal['global', 'shared', 'shared::cta', 'shared::cluster', ''] = ..., op: Literal['add', 'min', 'max', 'inc', 'dec', 'and', 'or', 'xor', ''] = ..., noftz: Literal['noftz', ''] | bool = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., vec: Literal['v2', 'v4', 'v8', ''] = ..., type: Literal['b16', 'b32', 'b64', 'b128', 'u32', 's32', 'u64', 's64', 'f16', 'bf16', 'f16x2', 'bf16x2', 'f32', 'f64', ''] = ...) -> Register:
        'Combine a value into memory atomically without returning the old value.'
    def red_async(self, *operands: Given, guard: Register | Guard | None = None, sem: Literal['relaxed', 'release', ''] = ..., scope: Literal['cluster', 'gpu', 'sys', ''] = ..., ss: Literal['shared::cluster', 'global', ''] = ..., completion_mechanism: Literal['mbarrier::complete_tx::bytes', ''] | bool = ..., op: Literal['inc', 'dec', 'min', 'max', 'add', 'and', 'or', 'xor', ''] = ..., type: Literal['b32', 'u32', 's32', 'u64', 's64', ''] = ..., mmio: Literal['mmio', ''] | bool = ...) -> Register:
        'Start a reduction into the shared memory of a cluster or into global memory.'
    def redux(self, *operands: Given, guard: Register | Guard | None = None, op: Literal['add', 'min', 'max', 'and', 'or', 'xor', ''] = ..., type: Literal['u32', 's32', 'b32', 'f32', ''] = ..., abs: Literal['abs', ''] | bool = ..., NaN: Literal['NaN', ''] | bool = ...) -> Register:
        'Reduce a value over the lanes named in the mask; every one of them gets the result.'
    def rem(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', ''] = ...) -> Register:
        'The remainder of an integer division.'
    def ret(self, *operands: Given, guard: Register | Guard | None = None, uni: Literal['uni', ''] | bool = ...) -> Register:
        'Return from a function, or end the thread in a kernel.'
    def rsqrt(self, *operands: Given, guard: Register | Guard | None = None, rnd: Literal['approx', ''] | bool = ..., ftz: Literal['ftz', ''] | bool = ..., type: Literal['f32', 'f64', ''] = ...) -> Register:
        'An approximation of the reciprocal of the square root of a float.'
    def sad(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', ''] = ...) -> Register:
        'Add the absolute difference of two integers to a third.'
    def selp(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b16', 'b32', 'b64', 'u16', 'u32', 'u64', 's16', 's32', 's64', 'f32', 'f64', ''] = ...) -> Register:
        'Choose one of two values by a predicate.'
    def set(self, *operands: Given, guard: Register | Guard | None = None, cmp: Literal['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'lo', 'ls', 'hi', 'hs', 'equ', 'neu', 'ltu', 'leu', 'gtu', 'geu', 'num', 'nan', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., type: Literal['u16', 'u32', 's16', 's32', 'f16', 'f16x2', 'bf16', 'bf16x2', 'f32', 'u16x2', 's16x2', 'u8x4', 's8x4', ''] = ..., stype: Literal['b16', 'b32', 'b64', 'u16', 'u32', 'u64', 's16', 's32', 's64', 'f32', 'f64', 'f16', 'f16x2', 'bf16', 'bf16x2', ''] = ..., boolop: Literal['and', 'or', 'xor', ''] = ...) -> Register:
        'Compare two values and write all ones (1.0 for float results) or zero.'
    def setmaxnreg(self, *operands: Given, guard: Register | Guard | None = None, action: Literal['inc', 'dec', ''] = ..., type: Literal['u32', ''] | bool = ...) -> Register:
        'Raise or lower the number of registers of each thread of the warp; the warpgroup does it together.'
    def setp(self, *operands: Given, guard: Register | Guard | None = None, cmp: Literal['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'lo', 'ls', 'hi', 'hs', 'equ', 'neu', 'ltu', 'leu', 'gtu', 'geu', 'num', 'nan', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., type: Literal['b16', 'b32', 'b64', 'u16', 'u32', 'u64', 's16', 's32', 's64', 'f32', 'f64', 'f16x2', 'bf16x2', 'f16', 'bf16', ''] = ..., boolop: Literal['and', 'or', 'xor', ''] = ...) -> Register:
        'Compare two values, optionally join the result with a predicate, and write it and its complement to predicates.'
    def shf(self, *operands: Given, guard: Register | Guard | None = None, dir: Literal['l', 'r', ''] = ..., mode: Literal['clamp', 'wrap', ''] = ..., type: Literal['b32', ''] | bool = ...) -> Register:
        'Shift the 64-bit pair of two words and keep the high (.l) or the low (.r) word.'
    def shfl(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['up', 'down', 'bfly', 'idx', ''] = ..., type: Literal['b32', ''] | bool = ...) -> Register:
        'Copy a register of another lane of the warp.'
    def shl(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b16', 'b32', 'b64', ''] = ...) -> Register:
        'Shift left, filling with zeros; amounts past the width count as the width.'
    def shr(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b16', 'b32', 'b64', 'u16', 'u32', 'u64', 's16', 's32', 's64', ''] = ...) -> Register:
        'Shift right, filling with the sign for signed types and with zeros for the others.'
    def sin(self, *operands: Given, guard: Register | Guard | None = None, ftz: Literal['ftz', ''] | bool = ..., type: Literal['f32', ''] | bool = ...) -> Register:
        'An approximation of the sine of an angle in radians.'
    def slct(self, *operands: Given, guard: Register | Guard | None = None, ftz: Literal['ftz', ''] | bool = ..., type: Literal['b16', 'b32', 'b64', 'u16', 'u32', 'u64', 's16', 's32', 's64', 'f32', 'f64', ''] = ..., ctype: Literal['s32', 'f32', ''] = ...) -> Register:
        'Choose one of two values by the sign of a third.'
    def sqrt(self, *operands: Given, guard: Register | Guard | None = None, rnd: Literal['approx', 'rn', 'rz', 'rm', 'rp', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., type: Literal['f32', 'f64', ''] = ...) -> Register:
        'The square root of a float.'
    def st(self, *operands: Given, guard: Register | Guard | None = None, mmio: Literal['mmio', ''] | bool = ..., sem: Literal['weak', 'volatile', 'relaxed', 'release', ''] = ..., scope: Literal['cta', 'cluster', 'gpu', 'sys', ''] = ..., ss: Literal['global', 'local', 'param', 'param::func', 'shared', 'shared::cta', 'shared::cluster', ''] = ..., cop: Literal['wb', 'cg', 'cs', 'wt', ''] = ..., l1_evict: Literal['L1::evict_normal', 'L1::evict_unchanged', 'L1::evict_first', 'L1::evict_last', 'L1::no_allocate', ''] = ..., l2_evict: Literal['L2::evict_normal', 'L2::evict_first', 'L2::evict_last', ''] = ..., cache_hint: Literal['L2::cache_hint', ''] | bool = ..., vec: Literal['v2', 'v4', 'v8', ''] = ..., type: Literal['b8', 'u8', 's8', 'b16', 'u16', 's16', 'b32', 'u32', 's32', 'f32', 'b64', 'u64', 's64', 'f64', 'b128', ''] = ...) -> Register:
        'Store a value or a vector to memory.'
    def st_async(self, *operands: Given, guard: Register | Guard | None = None, weak: Literal['weak', ''] | bool = ..., ss: Literal['shared::cluster', 'global', ''] = ..., completion_mechanism: Literal['mbarrier::complete_tx::bytes', ''] | bool = ..., vec: Literal['v2', 'v4', ''] = ..., type: Literal['b32', 'b64', 'u32', 's32', 'f32', 'u64', 's64', 'f64', 'b128', 'b8', 'u8', 's8', 'b16', 'u16', 's16', ''] = ..., mmio: Literal['mmio', ''] | bool = ..., sem: Literal['weak', 'release', ''] = ..., scope: Literal['gpu', 'sys', ''] = ...) -> Register:
        'Start a store to the shared memory of a cluster or to global memory.'
    def st_bulk(self, *operands: Given, guard: Register | Guard | None = None, weak: Literal['weak', ''] | bool = ..., ss: Literal['shared::cta', ''] | bool = ...) -> Register:
        'Fill a range of shared memory with zeros.'
    def stackrestore(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 'u64', ''] = ...) -> Register:
        'Set the stack pointer to one that stacksave read.'
    def stacksave(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 'u64', ''] = ...) -> Register:
        'Read the stack pointer.'
    def stmatrix(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['m8n8', 'm16n8', ''] = ..., num: Literal['x1', 'x2', 'x4', ''] = ..., trans: Literal['trans', ''] | bool = ..., ss: Literal['shared', 'shared::cta', ''] = ..., type: Literal['b16', 'b8', ''] = ...) -> Register:
        'Collectively store one or more matrices to shared memory.'
    def sub(self, *operands: Given, guard: Register | Guard | None = None, sat: Literal['sat', ''] | bool = ..., type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', 'u8x4', 's8x4', 'f16', 'f16x2', 'bf16', 'bf16x2', 'f32', 'f32x2', 'f64', 'e4m3x4', 'e5m2x4', ''] = ..., rnd: Literal['rn', 'rz', 'rm', 'rp', ''] = ..., ftz: Literal['ftz', ''] | bool = ..., atype: Literal['f16', 'bf16', 'f16x2', 'bf16x2', 'f32x2', 'e4m3x4', 'e5m2x4', 'e2m1x4', 'e2m1p4x4', 'e3m2x4', 'e2m3x4', 'ue8m0x4', ''] = ..., btype: Literal['f32x2', ''] | bool = ..., satfinite: Literal['satfinite', ''] | bool = ...) -> Register:
        'Subtract one value from another: integers, floats, or packed vectors of them.'
    def subc(self, *operands: Given, guard: Register | Guard | None = None, sat: Literal['sat', ''] | bool = ..., type: Literal['u16', 'u32', 'u64', 's16', 's32', 's64', ''] = ...) -> Register:
        'Subtract an integer and the borrow bit from another.'
    def suld(self, *operands: Given, guard: Register | Guard | None = None, format: Literal['b', ''] | bool = ..., geom: Literal['1d', '2d', '3d', 'a1d', 'a2d', ''] = ..., cop: Literal['ca', 'cg', 'cs', 'cv', ''] = ..., vec: Literal['v2', 'v4', ''] = ..., type: Literal['b8', 'b16', 'b32', 'b64', ''] = ..., clamp: Literal['trap', 'clamp', 'zero', ''] = ...) -> Register:
        'Read unformatted bytes of a surface.'
    def suq(self, *operands: Given, guard: Register | Guard | None = None, query: Literal['width', 'height', 'depth', 'channel_data_type', 'channel_order', 'array_size', 'memory_layout', ''] = ..., type: Literal['b32', ''] | bool = ...) -> Register:
        'Read a property of a surface.'
    def sured(self, *operands: Given, guard: Register | Guard | None = None, format: Literal['b', 'p', ''] = ..., op: Literal['add', 'min', 'max', 'and', 'or', ''] = ..., geom: Literal['1d', '2d', '3d', ''] = ..., type: Literal['u32', 's32', 'u64', 's64', 'b32', 'b64', ''] = ..., clamp: Literal['trap', 'clamp', 'zero', ''] = ...) -> Register:
        'Combine a value into a surface.'
    def sust(self, *operands: Given, guard: Register | Guard | None = None, format: Literal['b', 'p', ''] = ..., geom: Literal['1d', '2d', '3d', 'a1d', 'a2d', ''] = ..., cop: Literal['wb', 'cg', 'cs', 'wt', ''] = ..., vec: Literal['v2', 'v4', ''] = ..., type: Literal['b8', 'b16', 'b32', 'b64', ''] = ..., clamp: Literal['trap', 'clamp', 'zero', ''] = ...) -> Register:
        'Write a surface, as unformatted bytes or converted to its format.'
    def szext(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['clamp', 'wrap', ''] = ..., type: Literal['u32', 's32', ''] = ...) -> Register:
        'Extend the low bits of a word with zeros or with their sign.'
    def tanh(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['f16', 'f16x2', 'bf16', 'bf16x2', 'f32', ''] = ...) -> Register:
        'An approximation of the hyperbolic tangent.'
    def tcgen05_alloc(self, *operands: Given, guard: Register | Guard | None = None, cta_group: Literal['cta_group::1', 'cta_group::2', ''] = ..., ss: Literal['shared::cta', ''] | bool = ..., type: Literal['b32', ''] | bool = ..., exclusive: Literal['exclusive', ''] | bool = ...) -> Register:
        'Reserve columns of tensor memory and write their address to shared memory; waits until they are free.'
    def tcgen05_commit(self, *operands: Given, guard: Register | Guard | None = None, cta_group: Literal['cta_group::1', 'cta_group::2', ''] = ..., completion: Literal['mbarrier::arrive::one', ''] | bool = ..., sync_restrict: Literal['sync_restrict::shared::read::mma::a', ''] | bool = ..., ss: Literal['shared::cluster', ''] | bool = ..., multicast: Literal['multicast::cluster', 'multicast::cluster::32b', ''] = ..., type: Literal['b64', ''] | bool = ...) -> Register:
        "Make an mbarrier track the completion of the thread's earlier asynchronous tensor operations."
    def tcgen05_cp(self, *operands: Given, guard: Register | Guard | None = None, cta_group: Literal['cta_group::1', 'cta_group::2', ''] = ..., shape: Literal['128x256b', '4x256b', '128x128b', '64x128b', '32x128b', ''] = ..., multicast: Literal['warpx2::02_13', 'warpx2::01_23', 'warpx4', ''] = ..., dst_fmt: Literal['b8x16', ''] | bool = ..., src_fmt: Literal['b6x16_p32', 'b4x16_p64', ''] = ...) -> Register:
        'Start copying a matrix from shared to tensor memory, widening 4- and 6-bit elements on request.'
    def tcgen05_dealloc(self, *operands: Given, guard: Register | Guard | None = None, cta_group: Literal['cta_group::1', 'cta_group::2', ''] = ..., type: Literal['b32', ''] | bool = ..., exclusive: Literal['exclusive', ''] | bool = ...) -> Register:
        'Give reserved columns of tensor memory back.'
    def tcgen05_fence_after_thread_sync(self, *operands: Given, guard: Register | Guard | None = None) -> Register:
        'Order later tensor operations after an earlier synchronization.'
    def tcgen05_fence_before_thread_sync(self, *operands: Given, guard: Register | Guard | None = None) -> Register:
        'Order earlier tensor operations before a later synchronization.'
    def tcgen05_ld(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['16x64b', '16x128b', '16x256b', '32x32b', '16x32bx2', ''] = ..., num: Literal['x1', 'x2', 'x4', 'x8', 'x16', 'x32', 'x64', 'x128', ''] = ..., pack: Literal['pack::16b', ''] | bool = ..., type: Literal['b32', ''] | bool = ...) -> Register:
        'Start loading a tile of tensor memory into the registers of a warp.'
    def tcgen05_ld_red(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['32x32b', '16x32bx2', ''] = ..., num: Literal['x1', 'x2', 'x4', 'x8', 'x16', 'x32', 'x64', 'x128', ''] = ..., redop: Literal['min', 'max', ''] = ..., abs: Literal['abs', ''] | bool = ..., NaN: Literal['NaN', ''] | bool = ..., type: Literal['f32', 'u32', 's32', ''] = ...) -> Register:
        "Start loading a tile of tensor memory and the least or greatest of each thread's values."
    def tcgen05_ld_red_spcompress(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['32x32b', ''] | bool = ..., num: Literal['x4', 'x8', 'x16', 'x32', 'x64', 'x128', ''] = ..., redop: Literal['min', 'max', ''] = ..., abs: Literal['abs', ''] | bool = ..., NaN: Literal['NaN', ''] | bool = ..., type: Literal['f32', ''] | bool = ...) -> Register:
        'Start loading the two least or greatest of each four values of tensor memory, and where they stood.'
    def tcgen05_ld_spcompress(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['32x32b', ''] | bool = ..., num: Literal['x4', 'x8', 'x16', 'x32', 'x64', 'x128', ''] = ..., redop: Literal['min', 'max', ''] = ..., abs: Literal['abs', ''] | bool = ..., type: Literal['f32', ''] | bool = ...) -> Register:
        'Start loading the two least or greatest of each four values of tensor memory, and where they stood.'
    def tcgen05_mma(self, *operands: Given, guard: Register | Guard | None = None, cta_group: Literal['cta_group::1', 'cta_group::2', ''] = ..., kind: Literal['kind::f16', 'kind::tf32', 'kind::f8f6f4', 'kind::i8', 'kind::mxf8f6f4', 'kind::mxf4', 'kind::mxf4nvf4', ''] = ..., collector: Literal['collector::a::fill', 'collector::a::use', 'collector::a::lastuse', 'collector::a::discard', ''] = ..., ashift: Literal['ashift', ''] | bool = ..., block: Literal['scale_vec::1X', 'scale_vec::2X', 'scale_vec::4X', 'block16', 'block32', ''] = ...) -> Register:
        'Start the product of two matrices with its accumulator in tensor memory.'
    def tcgen05_mma_sp(self, *operands: Given, guard: Register | Guard | None = None, cta_group: Literal['cta_group::1', 'cta_group::2', ''] = ..., kind: Literal['kind::f16', 'kind::tf32', 'kind::f8f6f4', 'kind::i8', 'kind::mxf8f6f4', 'kind::mxf4', 'kind::mxf4nvf4', ''] = ..., collector: Literal['collector::a::fill', 'collector::a::use', 'collector::a::lastuse', 'collector::a::discard', ''] = ..., ashift: Literal['ashift', ''] | bool = ..., block: Literal['scale_vec::1X', 'scale_vec::2X', 'scale_vec::4X', 'block16', 'block32', ''] = ...) -> Register:
        'Start the product of a sparse and a dense matrix with its accumulator in tensor memory.'
    def tcgen05_mma_ws(self, *operands: Given, guard: Register | Guard | None = None, cta_group: Literal['cta_group::1', ''] | bool = ..., kind: Literal['kind::f16', 'kind::tf32', 'kind::f8f6f4', 'kind::i8', ''] = ..., collector: Literal['collector::b0::fill', 'collector::b0::use', 'collector::b0::lastuse', 'collector::b0::discard', 'collector::b1::fill', 'collector::b1::use', 'collector::b1::lastuse', 'collector::b1::discard', 'collector::b2::fill', 'collector::b2::use', 'collector::b2::lastuse', 'collector::b2::discard', 'collector::b3::fill', 'collector::b3::use', 'collector::b3::lastuse', 'collector::b3::discard', ''] = ...) -> Register:
        'Start a product that keeps matrix B in a buffer between instructions.'
    def tcgen05_mma_ws_sp(self, *operands: Given, guard: Register | Guard | None = None, cta_group: Literal['cta_group::1', ''] | bool = ..., kind: Literal['kind::f16', 'kind::tf32', 'kind::f8f6f4', 'kind::i8', ''] = ..., collector: Literal['collector::b0::fill', 'collector::b0::use', 'collector::b0::lastuse', 'collector::b0::discard', 'collector::b1::fill', 'collector::b1::use', 'collector::b1::lastuse', 'collector::b1::discard', 'collector::b2::fill', 'collector::b2::use', 'collector::b2::lastuse', 'collector::b2::discard', 'collector::b3::fill', 'collector::b3::use', 'collector::b3::lastuse', 'collector::b3::discard', ''] = ...) -> Register:
        'Start a product of a sparse A that keeps matrix B in a buffer between instructions.'
    def tcgen05_relinquish_alloc_permit(self, *operands: Given, guard: Register | Guard | None = None, cta_group: Literal['cta_group::1', 'cta_group::2', ''] = ...) -> Register:
        'Give up the right of the CTA to reserve tensor memory.'
    def tcgen05_shift(self, *operands: Given, guard: Register | Guard | None = None, cta_group: Literal['cta_group::1', 'cta_group::2', ''] = ...) -> Register:
        'Start moving rows of tensor memory one row down.'
    def tcgen05_st(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['16x64b', '16x128b', '16x256b', '32x32b', '16x32bx2', ''] = ..., num: Literal['x1', 'x2', 'x4', 'x8', 'x16', 'x32', 'x64', 'x128', ''] = ..., unpack: Literal['unpack::16b', ''] | bool = ..., type: Literal['b32', ''] | bool = ...) -> Register:
        'Start storing the registers of a warp to a tile of tensor memory.'
    def tcgen05_wait_ld(self, *operands: Given, guard: Register | Guard | None = None) -> Register:
        "Wait for the thread's loads from tensor memory."
    def tcgen05_wait_st(self, *operands: Given, guard: Register | Guard | None = None) -> Register:
        "Wait for the thread's stores to tensor memory."
    def tensormap_cp_fenceproxy(self, *operands: Given, guard: Register | Guard | None = None, dst: Literal['global', ''] | bool = ..., src: Literal['shared::cta', ''] | bool = ..., scope: Literal['cta', 'cluster', 'gpu', 'sys', ''] = ...) -> Register:
        'Copy a tensor map to global memory and order the copy before later tensor copies that use it.'
    def tensormap_replace(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['tile', ''] | bool = ..., field: Literal['global_address', 'rank', 'box_dim', 'global_dim', 'global_stride', 'element_stride', 'elemtype', 'interleave_layout', 'swizzle_mode', 'fill_mode', 'swizzle_atomicity', ''] = ..., ss: Literal['global', 'shared::cta', ''] = ..., type: Literal['b32', 'b64', ''] = ...) -> Register:
        'Change one field of a tensor map in memory.'
    def testp(self, *operands: Given, guard: Register | Guard | None = None, op: Literal['finite', 'infinite', 'number', 'notanumber', 'normal', 'subnormal', ''] = ..., type: Literal['f32', 'f64', ''] = ...) -> Register:
        'Test the class of a float.'
    def tex(self, *operands: Given, guard: Register | Guard | None = None, mip: Literal['base', 'level', 'grad', ''] = ..., geom: Literal['1d', '2d', '3d', 'cube', '2dms', 'a2dms', 'a1d', 'a2d', 'acube', ''] = ..., vec: Literal['v2', 'v4', ''] = ..., dtype: Literal['u32', 's32', 'f32', 'f16', 'f16x2', ''] = ..., ctype: Literal['s32', 'f32', ''] = ...) -> Register:
        'Read and filter a texture at a point.'
    def tld4(self, *operands: Given, guard: Register | Guard | None = None, comp: Literal['r', 'g', 'b', 'a', ''] = ..., geom: Literal['2d', 'cube', 'a2d', 'acube', ''] = ..., vec: Literal['v4', ''] | bool = ..., dtype: Literal['u32', 's32', 'f32', ''] = ..., ctype: Literal['f32', ''] | bool = ...) -> Register:
        'Read one component of the four texels that a bilinear filter would use.'
    def trap(self, *operands: Given, guard: Register | Guard | None = None) -> Register:
        'Abort the kernel and raise an interrupt on the host.'
    def txq(self, *operands: Given, guard: Register | Guard | None = None, query: Literal['width', 'height', 'depth', 'channel_data_type', 'channel_order', 'normalized_coords', 'force_unnormalized_coords', 'array_size', 'num_mipmap_levels', 'num_samples', 'filter_mode', 'addr_mode_0', 'addr_mode_1', 'addr_mode_2', ''] = ..., type: Literal['b32', ''] | bool = ..., level: Literal['level', ''] | bool = ...) -> Register:
        'Read a property of a texture or a sampler.'
    def vabsdiff(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., op2: Literal['add', 'min', 'max', ''] = ...) -> Register:
        'Absolute difference of two words, half-words or bytes, with an optional merge or second operation.'
    def vabsdiff2(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Register:
        'Absolute difference of two half-words at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vabsdiff4(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Register:
        'Absolute difference of four bytes at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vadd(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., op2: Literal['add', 'min', 'max', ''] = ...) -> Register:
        'Sum of two words, half-words or bytes, with an optional merge or second operation.'
    def vadd2(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Register:
        'Sum of two half-words at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vadd4(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Register:
        'Sum of four bytes at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vavrg2(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Register:
        'Average of two half-words at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vavrg4(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Register:
        'Average of four bytes at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vmad(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., scale: Literal['shr7', 'shr15', ''] = ...) -> Register:
        'Multiply two words, half-words or bytes and add a word; scale the sum by a shift.'
    def vmax(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., op2: Literal['add', 'min', 'max', ''] = ...) -> Register:
        'Larger of two words, half-words or bytes, with an optional merge or second operation.'
    def vmax2(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Register:
        'Larger of two half-words at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vmax4(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Register:
        'Larger of four bytes at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vmin(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., op2: Literal['add', 'min', 'max', ''] = ...) -> Register:
        'Smaller of two words, half-words or bytes, with an optional merge or second operation.'
    def vmin2(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Register:
        'Smaller of two half-words at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vmin4(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Register:
        'Smaller of four bytes at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vote(self, *operands: Given, guard: Register | Guard | None = None, mode: Literal['all', 'any', 'uni', 'ballot', ''] = ..., type: Literal['pred', 'b32', ''] = ...) -> Register:
        'Reduce a predicate over the warp, or collect it as one bit a lane.'
    def vset(self, *operands: Given, guard: Register | Guard | None = None, atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., cmp: Literal['eq', 'ne', 'lt', 'le', 'gt', 'ge', ''] = ..., op2: Literal['add', 'min', 'max', ''] = ...) -> Register:
        'Compare two words, half-words or bytes, giving 1 or 0, with an optional merge or second operation.'
    def vset2(self, *operands: Given, guard: Register | Guard | None = None, atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., cmp: Literal['eq', 'ne', 'lt', 'le', 'gt', 'ge', ''] = ..., add: Literal['add', ''] | bool = ...) -> Register:
        'Compare two half-words at once, giving 1 or 0 in each lane; with .add sum them onto c.'
    def vset4(self, *operands: Given, guard: Register | Guard | None = None, atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., cmp: Literal['eq', 'ne', 'lt', 'le', 'gt', 'ge', ''] = ..., add: Literal['add', ''] | bool = ...) -> Register:
        'Compare four bytes at once, giving 1 or 0 in each lane; with .add sum them onto c.'
    def vshl(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', ''] | bool = ..., sat: Literal['sat', ''] | bool = ..., mode: Literal['clamp', 'wrap', ''] = ..., op2: Literal['add', 'min', 'max', ''] = ...) -> Register:
        'Shift left a word, half-word or byte, with an optional merge or second operation.'
    def vshr(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', ''] | bool = ..., sat: Literal['sat', ''] | bool = ..., mode: Literal['clamp', 'wrap', ''] = ..., op2: Literal['add', 'min', 'max', ''] = ...) -> Register:
        'Shift right a word, half-word or byte, with an optional merge or second operation.'
    def vsub(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., op2: Literal['add', 'min', 'max', ''] = ...) -> Register:
        'Difference of two words, half-words or bytes, with an optional merge or second operation.'
    def vsub2(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Register:
        'Difference of two half-words at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def vsub4(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['u32', 's32', ''] = ..., atype: Literal['u32', 's32', ''] = ..., btype: Literal['u32', 's32', ''] = ..., sat: Literal['sat', ''] | bool = ..., add: Literal['add', ''] | bool = ...) -> Register:
        'Difference of four bytes at once; lanes that are not written come from c, or .add sums the lanes onto c.'
    def wgmma_commit_group(self, *operands: Given, guard: Register | Guard | None = None) -> Register:
        'Close the current group of asynchronous products.'
    def wgmma_fence(self, *operands: Given, guard: Register | Guard | None = None) -> Register:
        'Order register accesses of the warpgroup before the products that follow.'
    def wgmma_mma_async(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['m64n8k16', 'm64n16k16', 'm64n24k16', 'm64n32k16', 'm64n40k16', 'm64n48k16', 'm64n56k16', 'm64n64k16', 'm64n72k16', 'm64n80k16', 'm64n88k16', 'm64n96k16', 'm64n104k16', 'm64n112k16', 'm64n120k16', 'm64n128k16', 'm64n136k16', 'm64n144k16', 'm64n152k16', 'm64n160k16', 'm64n168k16', 'm64n176k16', 'm64n184k16', 'm64n192k16', 'm64n200k16', 'm64n208k16', 'm64n216k16', 'm64n224k16', 'm64n232k16', 'm64n240k16', 'm64n248k16', 'm64n256k16', 'm64n8k8', 'm64n16k8', 'm64n24k8', 'm64n32k8', 'm64n40k8', 'm64n48k8', 'm64n56k8', 'm64n64k8', 'm64n72k8', 'm64n80k8', 'm64n88k8', 'm64n96k8', 'm64n104k8', 'm64n112k8', 'm64n120k8', 'm64n128k8', 'm64n136k8', 'm64n144k8', 'm64n152k8', 'm64n160k8', 'm64n168k8', 'm64n176k8', 'm64n184k8', 'm64n192k8', 'm64n200k8', 'm64n208k8', 'm64n216k8', 'm64n224k8', 'm64n232k8', 'm64n240k8', 'm64n248k8', 'm64n256k8', 'm64n8k32', 'm64n16k32', 'm64n24k32', 'm64n32k32', 'm64n40k32', 'm64n48k32', 'm64n56k32', 'm64n64k32', 'm64n72k32', 'm64n80k32', 'm64n88k32', 'm64n96k32', 'm64n104k32', 'm64n112k32', 'm64n120k32', 'm64n128k32', 'm64n136k32', 'm64n144k32', 'm64n152k32', 'm64n160k32', 'm64n168k32', 'm64n176k32', 'm64n184k32', 'm64n192k32', 'm64n200k32', 'm64n208k32', 'm64n216k32', 'm64n224k32', 'm64n232k32', 'm64n240k32', 'm64n248k32', 'm64n256k32', 'm64n8k256', 'm64n16k256', 'm64n24k256', 'm64n32k256', 'm64n48k256', 'm64n64k256', 'm64n80k256', 'm64n96k256', 'm64n112k256', 'm64n128k256', 'm64n144k256', 'm64n160k256', 'm64n176k256', 'm64n192k256', 'm64n208k256', 'm64n224k256', 'm64n240k256', 'm64n256k256', ''] = ..., dtype: Literal['f16', 'f32', 's32', ''] = ..., atype: Literal['f16', 'bf16', 'tf32', 'e4m3', 'e5m2', 's8', 'u8', 'b1', ''] = ..., btype: Literal['f16', 'bf16', 'tf32', 'e4m3', 'e5m2', 's8', 'u8', 'b1', ''] = ..., satfinite: Literal['satfinite', ''] | bool = ..., bitop: Literal['and', ''] | bool = ...) -> Register:
        'Start the product of two matrices and its addition to the accumulators of a warpgroup.'
    def wgmma_mma_async_sp(self, *operands: Given, guard: Register | Guard | None = None, shape: Literal['m64n8k32', 'm64n16k32', 'm64n24k32', 'm64n32k32', 'm64n40k32', 'm64n48k32', 'm64n56k32', 'm64n64k32', 'm64n72k32', 'm64n80k32', 'm64n88k32', 'm64n96k32', 'm64n104k32', 'm64n112k32', 'm64n120k32', 'm64n128k32', 'm64n136k32', 'm64n144k32', 'm64n152k32', 'm64n160k32', 'm64n168k32', 'm64n176k32', 'm64n184k32', 'm64n192k32', 'm64n200k32', 'm64n208k32', 'm64n216k32', 'm64n224k32', 'm64n232k32', 'm64n240k32', 'm64n248k32', 'm64n256k32', 'm64n8k16', 'm64n16k16', 'm64n24k16', 'm64n32k16', 'm64n40k16', 'm64n48k16', 'm64n56k16', 'm64n64k16', 'm64n72k16', 'm64n80k16', 'm64n88k16', 'm64n96k16', 'm64n104k16', 'm64n112k16', 'm64n120k16', 'm64n128k16', 'm64n136k16', 'm64n144k16', 'm64n152k16', 'm64n160k16', 'm64n168k16', 'm64n176k16', 'm64n184k16', 'm64n192k16', 'm64n200k16', 'm64n208k16', 'm64n216k16', 'm64n224k16', 'm64n232k16', 'm64n240k16', 'm64n248k16', 'm64n256k16', 'm64n8k64', 'm64n16k64', 'm64n24k64', 'm64n32k64', 'm64n40k64', 'm64n48k64', 'm64n56k64', 'm64n64k64', 'm64n72k64', 'm64n80k64', 'm64n88k64', 'm64n96k64', 'm64n104k64', 'm64n112k64', 'm64n120k64', 'm64n128k64', 'm64n136k64', 'm64n144k64', 'm64n152k64', 'm64n160k64', 'm64n168k64', 'm64n176k64', 'm64n184k64', 'm64n192k64', 'm64n200k64', 'm64n208k64', 'm64n216k64', 'm64n224k64', 'm64n232k64', 'm64n240k64', 'm64n248k64', 'm64n256k64', ''] = ..., dtype: Literal['f16', 'f32', 's32', ''] = ..., atype: Literal['f16', 'bf16', 'tf32', 'e4m3', 'e5m2', 's8', 'u8', ''] = ..., btype: Literal['f16', 'bf16', 'tf32', 'e4m3', 'e5m2', 's8', 'u8', ''] = ..., satfinite: Literal['satfinite', ''] | bool = ...) -> Register:
        'Start the product of a sparse and a dense matrix and its addition to the accumulators of a warpgroup.'
    def wgmma_wait_group(self, *operands: Given, guard: Register | Guard | None = None) -> Register:
        'Wait until at most the given number of the newest groups of products are pending.'
    def wmma_load(self, *operands: Given, guard: Register | Guard | None = None, matrix: Literal['a', 'b', 'c', ''] = ..., layout: Literal['row', 'col', ''] = ..., shape: Literal['m16n16k16', 'm8n32k16', 'm32n8k16', 'm16n16k8', 'm8n8k4', 'm8n8k32', 'm8n8k128', ''] = ..., ss: Literal['global', 'shared', 'shared::cta', ''] = ..., type: Literal['f16', 'bf16', 'tf32', 'f32', 'f64', 's8', 'u8', 's4', 'u4', 'b1', 's32', ''] = ...) -> Register:
        'Load a matrix from memory into the fragments of a warp.'
    def wmma_mma(self, *operands: Given, guard: Register | Guard | None = None, alayout: Literal['row', 'col', ''] = ..., blayout: Literal['row', 'col', ''] = ..., shape: Literal['m16n16k16', 'm8n32k16', 'm32n8k16', 'm16n16k8', 'm8n8k4', 'm8n8k32', 'm8n8k128', ''] = ..., dtype: Literal['f16', 'f32', 'f64', 's32', ''] = ..., ctype: Literal['f16', 'f32', 'f64', 's32', ''] = ..., satfinite: Literal['satfinite', ''] | bool = ..., rnd: Literal['rn', 'rz', 'rm', 'rp', ''] = ..., atype: Literal['bf16', 'tf32', 'f64', 's8', 'u8', 's4', 'u4', 'b1', ''] = ..., btype: Literal['bf16', 'tf32', 'f64', 's8', 'u8', 's4', 'u4', 'b1', ''] = ..., bitop: Literal['xor', 'and', ''] = ...) -> Register:
        'Multiply two matrices that a warp holds as wmma fragments and add a third.'
    def wmma_store(self, *operands: Given, guard: Register | Guard | None = None, matrix: Literal['d', ''] | bool = ..., layout: Literal['row', 'col', ''] = ..., shape: Literal['m16n16k16', 'm8n32k16', 'm32n8k16', 'm16n16k8', 'm8n8k4', 'm8n8k32', 'm8n8k128', ''] = ..., ss: Literal['global', 'shared', 'shared::cta', ''] = ..., type: Literal['f16', 'f32', 'f64', 's32', ''] = ...) -> Register:
        'Store the result fragments of a warp to memory.'
    def xor(self, *operands: Given, guard: Register | Guard | None = None, type: Literal['b16', 'b32', 'b64', 'pred', ''] = ...) -> Register:
        'Bitwise xor of two words or predicates.'
