"""Algorithms of a block in CUDA C with places for bugs: as `idioms`, with bugs of indices, ends and reuse too."""

from __future__ import annotations

import numpy as np

from tests.sim.hazards.idioms import source
from tests.sim.hazards.irregular import Source


def tables() -> list[Source]:
    """Tiles, wavefronts, eliminations: shared memory that is used again and again."""
    return [
        source("planes of a stencil", """
  __shared__ int s[18][18]; int x = t % 16 + 1, y = t / 16 + 1; int below = 0, here = a[t], above;
  for (int z = 0; z < 5; z++) { above = a[(z + 1) * 256 + t]; s[y][x] = here;
    if (x == 1) s[y][0] = z; if (x == 16) s[y][17] = z; if (y == 1) s[0][x] = z; {{no lower edge: if (y == 16) s[17][x] = z; || }}
    {{no barrier: __syncthreads(); || }} b[z * 256 + t] = below + above + s[y][x - 1] + s[y][x + 1] + s[y - 1][x] + s[y + 1][x];
    {{no barrier before the next: __syncthreads(); || }} below = here; here = above; }""", (1536, -1280), grid=1, block=256),
        source("all pairs by blocks", """
  __shared__ int d[16][17]; int x = t % 16, y = t / 16; d[y][x] = a[t];
  {{no barrier at first: __syncthreads(); || }}
  for (int n = 0; n < 16; n++) { int v = min(d[y][x], d[y][n] + d[n][x]) - (x == n); {{no barrier after the reads: __syncthreads(); || }} d[y][x] = v; {{no barrier after the writes: __syncthreads(); || if (n != 15) continue; __syncthreads(); }} }
  b[t] = d[x][y];""", (256, -256), grid=1, block=256),
        source("diagonals of a table", """
  __shared__ int m[33][33]; m[0][32 - t] = t - 31; m[t + 1][0] = -t; if (t == 0) m[0][0] = 0; {{no barrier at first: __syncthreads(); || }}
  for (int d = 0; d < 63; d++) { int x = t + 1, y = d - t + 1; if (y >= 1 && y <= 32) m[y][x] = max(max(m[y - 1][x], m[y][x - 1]) - 1, m[y - 1][x - 1] + (a[x] % 4 == a[y + 32] % 4)); {{no barrier in the loop: __syncwarp(); || }} }
  for (int i = 0; i < 32; i++) b[i * 32 + t] = m[i + 1][{{past the row: t + 1 || t + 2}}];""", (128, -1024), grid=1, block=32),
        source("diagonals of a table by a block", """
  __shared__ int m[65][65]; m[0][64 - t] = t - 63; m[t + 1][0] = -t; if (t == 0) m[0][0] = 0; {{no barrier at first: __syncthreads(); || }}
  for (int d = 0; d < 127; d++) { int x = t + 1, y = d - t + 1; if ({{a guard too wide: y >= 1 && y <= 64 || y >= 1 && y <= 65}}) m[y][x] = max(max(m[y - 1][x], m[y][x - 1]) - 1, m[y - 1][x - 1] + (a[x] % 4 == a[y] % 4)); {{no barrier in the loop: __syncthreads(); || __syncwarp(); }} }
  b[t] = m[{{the last row: 64 || 65}}][64 - t];""", (128, -64), grid=1, block=64),
        source("elimination", """
  __shared__ float m[16][17]; int x = t % 16, y = t / 16; m[y][x] = a[t] + (x == y) * 10000; {{no barrier at first: __syncthreads(); || }}
  for (int n = 0; n < 15; n++) { float f = 0; if (y > n) f = m[y][n] / m[n][n]; {{no barrier after the factors: __syncthreads(); || }} if (y > n && x >= n) m[y][x] -= f * m[n][x]; {{no barrier after the row: __syncthreads(); || }} }
  ((float*)b)[t] = m[x][y];""", (256, -256), grid=1, block=256),
        source("a triangle solved", """
  __shared__ float x[64]; float sum = a[t];
  for (int n = 0; n < 64; n++) { if (t == n) x[n] = sum / (1 + n); {{no barrier: __syncthreads(); || }} if (t > n) sum -= x[n] * (a[t] & 7); } ((float*)b)[t] = x[63 - t];""", (64, -64), grid=1, block=64),
        source("exchanges of a transform", """
  __shared__ float re[128]; float v = a[t];
  for (int d = 1; d < 128; d *= 2) { re[t] = v; {{no barrier after the store: __syncthreads(); || if (d < 32) __syncwarp(); }} float o = re[t ^ d]; v = t & d ? o - v : o + v; {{no barrier after the load: __syncthreads(); || if (d != 64) __syncwarp(); }} }
  ((float*)b)[t] = v;""", (128, -128), grid=1),
        source("exchanges within and between warps", """
  __shared__ float re[128]; float v = a[t];
  for (int d = 1; d < 32; d *= 2) { float o = __shfl_xor_sync(~0u, v, d); v = t & d ? o - v : o + v; }
  for (int d = 32; d < 128; d *= 2) { re[t] = v; {{no barrier after the store: __syncthreads(); || __syncwarp(); }} float o = re[t ^ d]; v = t & d ? o - v : o + v; {{no barrier after the load: if (d == 32) __syncthreads(); || }} }
  ((float*)b)[t] = v;""", (128, -128), grid=1),
        source("bodies by tiles", """
  __shared__ float4 s[64]; float4 me = ((float4*)a)[B * 64 + t]; float x = 0;
  for (int n = 0; n < 3; n++) { s[t] = ((float4*)a)[n * 64 + t]; {{no barrier after the tile: __syncthreads(); || }} for (int i = 0; i < {{past the tile: 64 || 65}}; i++) x += s[i].x * me.y - s[i].w; {{no barrier before the next tile: if (n < 2) __syncthreads(); || if (n < 1) __syncthreads(); }} }
  ((float*)b)[B * 64 + t] = x;""", (768, -192), block=64),
        source("means of clusters", """
  __shared__ int sum[8], count[8], mean[8]; if (t < 8) mean[t] = t * 100;
  for (int n = 0; n < 3; n++) { if (t < 8) sum[t] = count[t] = 0; {{no barrier after zero: __syncthreads(); || }} int v = a[t], best = 0; for (int i = 1; i < 8; i++) if (abs(v - mean[i]) < abs(v - mean[best])) best = i;
    {{plain sum: atomicAdd(&sum[best], v); || sum[best] += v; }} atomicAdd(&count[best], 1); {{no barrier after the sums: __syncthreads(); || }} if (t < 8) mean[t] = count[t] ? sum[t] / count[t] : 0; }
  {{no barrier at the end: __syncthreads(); || }} b[t] = mean[t % 8];""", (128, -128), grid=1),
        source("storage that two phases share", """
  __shared__ union { int keys[128]; struct { int count[32]; int start[33]; } digits; } u;
  u.keys[t] = a[t]; {{no barrier after the keys: __syncthreads(); || }} int v = u.keys[127 - t]; {{no barrier before it is used again: __syncthreads(); || }}
  if (t < 32) u.digits.count[t] = 0; {{no barrier after zero: __syncthreads(); || }} atomicAdd(&u.digits.count[v % 32], 1); {{no barrier after the counts: __syncthreads(); || }}
  if (t == 0) { u.digits.start[0] = 0; for (int i = 0; i < 32; i++) u.digits.start[i + 1] = u.digits.start[i] + u.digits.count[i]; } {{no barrier after the starts: __syncthreads(); || }} b[t] = u.digits.start[v % 32 + 1];""", (128, -128), grid=1),
        source("dynamic shared memory in three parts", """
  extern __shared__ char buffer[]; int* x = (int*)buffer; float* y = (float*)(x + {{parts overlap: 128 || 120}}); short* z = (short*)(y + {{the last parts overlap: 128 || 64}});
  x[t] = a[t]; y[t] = a[t] * 2; z[t] = t; {{no barrier: __syncthreads(); || }} int v = x[127 - t] + y[(t + 5) % 128] + z[t ^ 64];
  {{no barrier before the parts change: __syncthreads(); || }} float* all = (float*)buffer; all[t] = v; all[t + 128] = v + 1; {{no barrier at the end: __syncthreads(); || }} b[t] = all[255 - t];""", (128, -128), grid=1, shared_bytes=1280),
        source("a tile with a column of padding", """
  __shared__ int s[32][33]; for (int y = w; y < 32; y += 4) s[y][{{into the next row: lane || lane + 2}}] = a[B * 1024 + y * 32 + lane]; {{no barrier: __syncthreads(); || }} for (int y = w; y < 32; y += 4) b[B * 1024 + y * 32 + lane] = s[{{rows for columns: lane || 32 - lane}}][y];""", (4096, -4096)),
        source("a transpose in place", """
  __shared__ int s[2][16][17]; int x = t % 16, y = t / 16, bx = B % 3, by = B / 3; {{both halves: if (bx > by) return; || }}
  s[0][y][x] = a[(by * 16 + y) * 48 + bx * 16 + x]; s[1][y][x] = a[(bx * 16 + y) * 48 + by * 16 + x]; {{no barrier: __syncthreads(); || }}
  a[(by * 16 + y) * 48 + bx * 16 + x] = s[1][x][y]; a[(bx * 16 + y) * 48 + by * 16 + x] = s[0][x][y];""", (2304,), grid=9, block=256),
        source("a product whose depth is no multiple", """
  __shared__ int p[16][17], q[16][17]; int x = t % 16, y = t / 16, sum = 0;
  for (int n = 0; n < 3; n++) { int m = n * 16; p[y][x] = m + x < 40 ? a[y * 40 + m + x] : 0; q[y][x] = {{no guard: m + y < 40 ? || true ?}} a[(m + y) * 16 + x] : 0;
    {{no barrier: __syncthreads(); || }} for (int i = 0; i < 16; i++) sum += p[y][i] * q[i][x]; {{no barrier before the next: __syncthreads(); || }} }
  b[t] = sum;""", (640, -256), grid=1, block=256),
        source("a ring of rows", """
  __shared__ int s[4][64]; for (int n = 0; n < 3; n++) s[n][t] = a[n * 64 + t]; {{no barrier at first: __syncthreads(); || }}
  for (int n = 0; n < 6; n++) { s[{{the row that is read: (n + 3) % 4 || (n + 2) % 4}}][t] = a[(n + 3) * 64 + t]; b[n * 64 + t] = s[n % 4][63 - t] + s[(n + 1) % 4][(t + 1) % 64] + s[(n + 2) % 4][t ^ 32]; {{no barrier in the loop: __syncthreads(); || if (n & 1) __syncthreads(); }} }""", (640, -384), grid=1, block=64),
        source("a ring of rows whose barrier the last round leaves out", """
  __shared__ int s[2][64]; int n = 0; s[0][t] = a[t]; {{no barrier at first: __syncthreads(); || }}
  for (; n < 5; n++) { if (n < 4) s[(n + 1) & 1][t] = a[(n + 1) * 64 + t]; b[n * 64 + t] = s[n & 1][63 - t]; {{one round too many: if (n < 4) __syncthreads(); || if (n < 3) __syncthreads(); }} }""", (640, -384), grid=1, block=64),
        source("a loop whose last round is different", """
  __shared__ int s[64]; for (int n = 0; n < 4; n++) { s[t] = a[n * 64 + t]; __syncthreads(); int v = s[t ^ 33]; __syncthreads(); s[t] = v; {{only in the last round: __syncthreads(); || __syncwarp(); }} b[n * 64 + t] = s[63 - t]; {{no barrier at the end: __syncthreads(); || }} }""", (256, -256), grid=1, block=64),
        source("life in two buffers", """
  __shared__ unsigned char g[2][18][18]; int x = t % 16 + 1, y = t / 16 + 1; for (int i = t; i < 648; i += 256) (&g[0][0][0])[i] = 0; {{no barrier after zero: __syncthreads(); || }} g[0][y][x] = a[t] & 1; {{no barrier at first: __syncthreads(); || }}
  for (int n = 0; n < 4; n++) { int c = 0; for (int j = -1; j < 2; j++) for (int i = -1; i < 2; i++) c += g[n & 1][y + j][x + i]; {{in place: g[(n + 1) & 1] || g[n & 1]}}[y][x] = c == 3 || c == 4 && g[n & 1][y][x]; {{no barrier in the loop: __syncthreads(); || }} }
  b[t] = g[0][x][y];""", (256, -256), grid=1, block=256),
        source("a sum over a group of rows", """
  __shared__ float s[4][33]; float v = a[B * 128 + t]; s[w][lane] = v; {{no barrier: __syncthreads(); || __syncwarp(); }} if (w == 0) { float sum = 0; for (int i = 0; i < 4; i++) sum += s[i][lane]; s[0][{{the column of padding: lane || lane + 1}}] = sum; } {{no second barrier: __syncthreads(); || }} ((float*)b)[B * 128 + t] = v / s[0][lane];""", (384, -384)),
        source("softmax of rows", """
  __shared__ float m[4], l[4]; float v = a[B * 128 + t], x = v; for (int d = 16; d; d /= 2) x = fmaxf(x, __shfl_xor_sync({{mask: ~0u || 0x7fffffff}}, x, d)); if (lane == 0) m[w] = x; {{no barrier after the greatest: __syncthreads(); || }} x = fmaxf(fmaxf(m[0], m[1]), fmaxf(m[2], m[3]));
  float e = __expf(v - x), sum = e; for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d); if (lane == 0) {{the same storage: l || m}}[w] = sum; {{no barrier after the sums: __syncthreads(); || }} ((float*)b)[B * 128 + t] = e / ({{the same storage: l[0] + l[1] + l[2] + l[3] || m[0] + m[1] + m[2] + m[3]}});""", (384, -384)),
        source("strings compared", """
  __shared__ int found; __shared__ char s[160]; if (t == 0) found = 1 << 30; for (int i = t; i < 160; i += 128) s[i] = a[i] & 3; {{no barrier: __syncthreads(); || }} bool hit = true; for (int i = 0; i < 4; i++) hit &= s[t + i] == (i & 1); {{plain: if (hit) atomicMin(&found, t); || if (hit) found = min(found, t); }} {{no barrier after the search: __syncthreads(); || }} b[t] = found;""", (160, -128), grid=1),
    ]  # fmt: skip


def warps() -> list[Source]:
    """What lanes of a warp do together."""
    return [
        source("ranks of equal digits", """
  __shared__ int count[4][8]; if (lane < 8) count[w][lane] = 0; {{no barrier after zero: __syncwarp(); || }} int rank = 0;
  for (int n = 0; n < 3; n++) { int d = a[n * 128 + t] & 7; unsigned peers = __match_any_sync({{mask: ~0u || 0xffff}}, d); int leader = __ffs(peers) - 1, base; if (lane == leader) { base = count[w][d]; count[w][d] = base + __popc(peers); } base = __shfl_sync(~0u, base, leader); rank = base + __popc(peers & ((1u << lane) - 1)); b[n * 128 + t] = rank; {{no barrier before the next: __syncwarp(); || }} }""", (384, -384), grid=1),
        source("one takes for all", """
  int base; unsigned m = __ballot_sync(~0u, a[t] & 1); if (lane == 0) base = {{plain: atomicAdd(d, __popc(m)); || *d; if (lane == 0) *d += __popc(m); }} base = __shfl_sync({{mask: ~0u || m}}, base, 0); if (a[t] & 1) b[base + __popc(m & ((1u << lane) - 1))] = t;""", (128, -128, -1, -1), grid=1),
        source("a transpose of a warp", """
  __shared__ int s[4][32][33]; for (int i = 0; i < 8; i++) s[w][i][lane] = a[i * 32 + lane]; {{no barrier: __syncwarp(); || __ballot_sync(~0u, 1); }} int sum = 0; for (int i = 0; i < 8; i++) sum += s[w][{{rows that nobody has stored: i || i + 1}}][(lane + i) % 32] * i; b[t] = sum;""", (256, -128), grid=1),
        source("a queue of a warp", """
  __shared__ int q[4][64], n[4]; if (lane == 0) { q[w][0] = w; n[w] = 1; } {{no barrier at first: __syncwarp(); || }} int sum = 0;
  for (int at = 0; at < 20; at++) { int size = n[w]; if (at >= size) break; int v = q[w][at]; {{no barrier after the look: __syncwarp(); || }} if (lane < 2 && v * 2 + lane < 12) { int i = {{plain: atomicAdd(&n[w], 1) || n[w]++}}; q[w][i] = v * 2 + lane + 1; } {{no barrier after the push: __syncwarp(); || }} sum += v; } b[t] = sum;""", (128, -128), grid=1),
        source("halves of a warp in turns", """
  __shared__ int s[4][32]; int v = a[t]; for (int n = 0; n < 3; n++) { if (lane < 16) { s[w][lane] = v; {{no barrier of the half: __syncwarp(0xffff); || }} v = s[w][15 - lane] + 1; {{no barrier at the end of the half: __syncwarp(0xffff); || }} } else { s[w][lane] = v; __syncwarp(0xffff0000); v = s[w][47 - lane] - 1; __syncwarp(0xffff0000); } } b[t] = v;""", (128, -128), grid=1),
        source("the mask of the others", """
  __shared__ int s[128]; s[t] = a[t]; if (lane < 16) __syncwarp({{mask: 0xffff || 0xffff0000}}); else __syncwarp(0xffff0000); b[t] = s[t ^ 1];""", (128, -128), grid=1),
        source("lanes of other warps", """
  __shared__ int s[128]; s[t] = a[t]; __syncwarp(); b[t] = s[t ^ {{beyond the warp: 31 || 63}}];""", (128, -128), grid=1),
        source("a scan whose last lane tells", """
  __shared__ int last[2][4]; int carry = 0; for (int n = 0; n < 4; n++) { int v = a[n * 128 + t]; for (int d = 1; d < 32; d *= 2) { int o = __shfl_up_sync(~0u, v, d); if (lane >= d) v += o; } if (lane == 31) last[{{one buffer: n & 1 || 0}}][w] = v; {{no barrier: __syncthreads(); || }} int before = 0, all = 0; for (int i = 0; i < 4; i++) { if (i < w) before += last[{{one buffer: n & 1 || 0}}][i]; all += last[{{one buffer: n & 1 || 0}}][i]; } b[n * 128 + t] = carry + before + v; carry += all; }""", (512, -512), grid=1),
        source("active lanes only", """
  if (a[t] & 1) { unsigned m = {{mask: __activemask() || ~0u}}; int v = __reduce_add_sync(m, t); b[t] = v; } __syncwarp(); b[128 + t] = a[t];""", (128, -256), grid=1),
        source("a lane that leaves early", """
  if ({{leaves: false || lane == 7}}) return; int v = a[t]; for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d); if (lane == 0) b[t] = v;""", (128, -128), grid=1),
        source("volatile words of a warp", """
  __shared__ int s[128]; volatile int* v = s; v[t] = a[t]; {{no barrier: __syncwarp(); || }} b[t] = s[t ^ 3];""", (128, -128), grid=1),
        source("flags of a warp for another", """
  __shared__ int s[64], flag; if (t == 0) *(volatile int*)&flag = 0; {{no barrier at first: __syncthreads(); || }}
  if (w == 0) { s[lane] = a[lane]; {{no barrier of the warp: __syncwarp(); || }} if (lane == 0) { {{no fence: __threadfence_block(); || }} *(volatile int*)&flag = 1; } }
  else { if (lane == 0) { while (*(volatile int*)&flag == 0) {} {{no fence of the reader: __threadfence_block(); || }} } {{no barrier of the reader: __syncwarp(); || }} b[lane] = s[31 - lane]; }""", (64, -64), grid=1, block=64),
        source("an atomic flag of a warp for another", """
  __shared__ int s[64]; __shared__ cuda::atomic<int, cuda::thread_scope_block> flag; if (t == 0) flag.store(0, cuda::memory_order_relaxed); {{no barrier at first: __syncthreads(); || }}
  if (w == 0) { s[lane] = a[lane]; {{no barrier of the warp: __syncwarp(); || }} if (lane == 0) flag.store(1, cuda::memory_order_{{relaxed: release || relaxed}}); }
  else { while ({{looks once: flag.load(cuda::memory_order_acquire) == 0 || flag.load(cuda::memory_order_acquire) > 5}}) {} b[lane] = s[31 - lane]; }""", (64, -64), grid=1, block=64, includes="#include <cuda/atomic>\n"),
    ]  # fmt: skip


def bounds() -> list[Source]:
    """Places that are not there, not aligned, or not yet written."""
    return [
        source("rows of a pitch", """
  int y = t / 16, x = t % 16; b[y * {{pitch: 20 || 21}} + x] = a[y * 20 + x + {{past the last row: 4 || 5}}] ;""", (160, -156), grid=1),
        source("a halo past the end", """
  __shared__ int s[{{room: 132 || 130}}]; s[t + 2] = a[t]; if (t < 2) { s[t] = 0; s[130 + t] = 0; } {{no barrier: __syncthreads(); || }} b[t] = s[t] + s[t + 4];""", (128, -128), grid=1),
        source("a neighbour in shared memory", """
  __shared__ int s[64]; __shared__ int other[64]; s[t] = a[t]; other[t] = t; {{no barrier: __syncthreads(); || }} int q = t ^ 40; if (q < 63) s[{{past the end: q + 1 || q + 2}}] = 3; {{no barrier at the end: __syncthreads(); || }} b[t] = s[63 - t] + other[t ^ 32];""", (64, -64), grid=1, block=64),
        source("vectors at odd words", """
  __shared__ int s[136]; s[t] = a[t]; if (t < 8) s[128 + t] = 0; __syncthreads(); int2 v = *(int2*)&s[{{misaligned: t & ~1 || t}}]; b[t] = v.x + v.y;""", (128, -128), grid=1),
        source("copies of 16 bytes", """
  __shared__ alignas(16) int s[520]; cp16(&s[4 * t + {{misaligned in shared memory: 0 || 2}}], a + 4 * t + {{misaligned in global memory: 4 || 1}}); cp_commit(); cp_wait<0>(); __syncthreads(); b[t] = s[511 - 4 * t];""", (520, -128), grid=1),
        source("copies past the end", """
  __shared__ alignas(16) int s[512]; if ({{past the end: t < 120 || t < 121}}) cp16(&s[4 * t], a + 4 * t); else { s[4 * t] = s[4 * t + 1] = s[4 * t + 2] = s[4 * t + 3] = 0; } cp_commit(); {{no wait: cp_wait<0>(); || }} {{no barrier: __syncthreads(); || }} b[t] = s[511 - 4 * t];""", (480, -128), grid=1),
        source("copies that fill up with zeros", """
  __shared__ alignas(16) int s[512]; int have = max(0, min(16, (470 - 4 * t) * 4)); asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(sh(&s[4 * t])), "l"(a + {{past the end: min(4 * t, 466) / 4 * 4 || 4 * t}}), "r"({{past the end: have || 16}}) : "memory"); cp_commit(); {{no wait: cp_wait<0>(); || cp_wait<1>(); }} {{no barrier: __syncthreads(); || }} b[t] = s[511 - 4 * t];""", (470, -128), grid=1),
        source("bulk copies at their ends", """
  __shared__ alignas(128) int s[128]; __shared__ unsigned long long bar; if (t == 0) { mb_init(&bar, 1); mb_expect(&bar, {{bytes: 496 || 512}}); bulk_load(s, a + {{misaligned: 4 || 2}}, {{not a multiple of 16: 496 || 500}}, &bar); } __syncthreads(); mb_wait(&bar, 0); if (t < {{never copied: 124 || 126}}) b[t] = s[t];""", (128, -128), grid=1),
        source("a mbarrier in the wrong place", """
  __shared__ alignas(16) int s[132]; unsigned long long* bar = (unsigned long long*)&s[{{misaligned: 128 || 129}}]; if (t == 0) mb_init(bar, 128); {{no barrier: __syncthreads(); || }} s[{{overwritten: t || t + 1}}] = a[t]; mb_arrive(bar); {{no wait: mb_wait(bar, 0); || }} b[t] = s[127 - t];""", (128, -128), grid=1),
        source("an index below zero", """
  __shared__ int s[128]; s[t] = a[t]; __syncthreads(); b[t] = s[t {{below zero: > 0 ? t - 1 : 0 || - 1}}];""", (128, -128), grid=1),
        source("a stack in local memory", """
  int stack[6]; int top = 0, sum = 0; stack[top++] = a[t] % 16; while (top > 0) { int v = stack[--top]; sum += v; if (v > 1) { {{too deep: if (top < 5) || if (top < 40)}} stack[top++] = v / 2; {{too deep: if (top < 5) || if (top < 40)}} stack[top++] = v - 1; } } b[t] = sum;""", (128, -128), grid=1),
        source("a table in constant memory", """
  b[t] = table[{{past the end: a[t] % 16 || a[t] % 16 + 1}}];""", (128, -128), grid=1, includes="__constant__ int table[16] = {1, 2, 3};\n"),
        source("a table that is used before it is filled", """
  __shared__ int table[16]; {{too few: if (t < 16) || if (t < 15)}} table[t] = t * t; {{no barrier: __syncthreads(); || }} b[t] = table[a[t] % 16];""", (128, -128), grid=1),
        source("a matrix of another shape", """
  int x = t % 32 + B * 32, y = t / 32; if ({{the other extent: x < 40 && y < 4 || x < 64 && y < 4}}) b[y * 40 + x] = a[y * 40 + x];""", (160, -160), grid=2),
        source("two arguments that overlap", """
  int i = B * 128 + t; if (i < 300) b[i] = a[{{the next: i || i + 1}}] * 2;""", (384, -384), inputs=lambda: (lambda x: [x, x])(np.arange(384, dtype=np.int32))),
        source("an array that is read-only", """
  int i = B * 128 + t; b[i] = __ldg(&{{written by the kernel: a[i] || b[383 - i]}}) + 1;""", (384, -384)),
    ]  # fmt: skip


def all_sources() -> list[Source]:
    """Every source."""
    return [*tables(), *warps(), *bounds()]
