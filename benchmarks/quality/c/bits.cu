#include "device.h"
#define ROT(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define ROT64(x, n) ((x) << (n) | (x) >> (64 - (n)))

/* SHA-256 of one block a thread. */
KERNEL(sha256)(const u32 *text, const u32 *k, u32 *out) {
    u32 w[16], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    u32 i = BX * NX + TX;
    for (int n = 0; n < 16; n++) w[n] = __builtin_bswap32(text[i * 16 + n]);
    u32 a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
    for (int n = 0; n < 64; n++) {
        if (n >= 16) {
            u32 x = w[(n + 1) & 15], y = w[(n + 14) & 15];
            w[n & 15] += (ROT(x, 25) ^ ROT(x, 14) ^ x >> 3) + w[(n + 9) & 15] + (ROT(y, 15) ^ ROT(y, 13) ^ y >> 10);
        }
        u32 t1 = h + (ROT(e, 26) ^ ROT(e, 21) ^ ROT(e, 7)) + ((e & f) ^ (~e & g)) + k[n] + w[n & 15];
        u32 t2 = (ROT(a, 30) ^ ROT(a, 19) ^ ROT(a, 10)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    out[i * 8] = a + s[0], out[i * 8 + 1] = b + s[1], out[i * 8 + 2] = c + s[2], out[i * 8 + 3] = d + s[3];
    out[i * 8 + 4] = e + s[4], out[i * 8 + 5] = f + s[5], out[i * 8 + 6] = g + s[6], out[i * 8 + 7] = h + s[7];
}

/* Numbers of Philox, ten rounds. */
KERNEL(philox)(u32 *out, u32 k0, u32 k1, int per) {
    u32 t = BX * NX + TX;
    for (int i = 0; i < per; i++) {
        u32 c0 = t, c1 = i, c2 = 0, c3 = 7, a = k0, b = k1;
        for (int r = 0; r < 10; r++) {
            u64 x = (u64)0xD2511F53u * c0, y = (u64)0xCD9E8D57u * c2;
            u32 n0 = (u32)(y >> 32) ^ c1 ^ a, n2 = (u32)(x >> 32) ^ c3 ^ b;
            c1 = (u32)y, c3 = (u32)x, c0 = n0, c2 = n2;
            a += 0x9E3779B9u, b += 0xBB67AE85u;
        }
        out[(t * per + i) * 2] = c0 ^ c1, out[(t * per + i) * 2 + 1] = c2 ^ c3;
    }
}

/* A 64-bit hash of words by multiplications and rotations. */
KERNEL(hash64)(const u64 *in, u64 *out, int n) {
    u64 h = 0x9E3779B97F4A7C15ull ^ n, t = BX * NX + TX;
    for (int i = 0; i < n; i++) {
        u64 k = in[t * n + i] * 0xC2B2AE3D27D4EB4Full;
        h ^= ROT64(k, 31) * 0x9E3779B185EBCA87ull;
        h = ROT64(h, 27) * 0x9E3779B185EBCA87ull + 0x85EBCA77C2B2AE63ull;
    }
    h ^= h >> 33, h *= 0xC2B2AE3D27D4EB4Full, h ^= h >> 29, h *= 0x165667B19E3779F9ull, h ^= h >> 32;
    out[t] = h;
}

/* Where a pattern begins in a text, by shifts of a word of states. */
KERNEL(shift_or)(const u8 *text, const u32 *masks, int *found, int n, int m) {
    __shared__ u32 table[256];
    for (int i = TX; i < 256; i += NX) table[i] = masks[i];
    SYNC();
    u32 state = ~0u;
    int first = -1;
    const u8 *row = text + (BX * NX + TX) * n;
    for (int i = 0; i < n; i++) {
        state = state << 1 | table[row[i]];
        if (!(state >> (m - 1) & 1)) {
            first = i - m + 1;
            break;
        }
    }
    found[BX * NX + TX] = first;
}

/* Texts' distance in changes, one row kept. */
KERNEL(distance)(const u8 *a, const u8 *b, int *out, int n, int m) {
    int row[17], t = BX * NX + TX;
    for (int j = 0; j <= 16; j++) row[j] = j;
    for (int i = 0; i < n; i++) {
        int before = row[0]++;
        for (int j = 0; j < 16; j++) {
            int cost = before + (a[t * n + i] != b[t * 16 + j]);
            before = row[j + 1];
            row[j + 1] = MIN(cost, MIN(row[j], before) + 1);
        }
    }
    out[t] = row[m];
}

/* Points on Morton's curve, and back. */
static __device__ u32 spread(u32 x) {
    x = (x | x << 8) & 0x00FF00FF, x = (x | x << 4) & 0x0F0F0F0F, x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
}
KERNEL(morton)(const u32 *xy, u32 *code, u32 *back, int n) {
    int i = BX * NX + TX;
    if (i >= n) return;
    u32 c = spread(xy[2 * i] & 0xFFFF) | spread(xy[2 * i + 1] & 0xFFFF) << 1, x = c & 0x55555555;
    code[i] = c;
    x = (x | x >> 1) & 0x33333333, x = (x | x >> 2) & 0x0F0F0F0F, x = (x | x >> 4) & 0x00FF00FF;
    back[i] = (x | x >> 8) & 0xFFFF;
}

/* Game of life, 32 cells a word. */
KERNEL(life)(const u32 *in, u32 *out, int w, int h) {
    int x = BX * NX + TX, y = BY;
    if (x >= w) return;
    u32 ones = 0, twos = 0, fours = 0, self = in[y * w + x];
    for (int d = -1; d <= 1; d++) {
        const u32 *row = in + (y + d + h) % h * w;
        u32 c = row[x], l = c << 1 | row[(x + w - 1) % w] >> 31, r = c >> 1 | row[(x + 1) % w] << 31;
        u32 v[3] = {l, d ? c : 0, r};
        for (int k = 0; k < 3; k++) {
            u32 carry = ones & v[k];
            ones ^= v[k];
            u32 more = twos & carry;
            twos ^= carry;
            fours |= more;
        }
    }
    out[y * w + x] = (ones | self) & twos & ~fours;
}

/* A set of bits ranked: words counted and scanned in a warp. */
KERNEL(rank)(const u32 *bits, int *out, int n) {
    int i = BX * NX + TX, c = i < n ? __builtin_popcount(bits[i]) : 0, s = c;
    for (int d = 1; d < 32; d *= 2) {
        int o = __nvvm_shfl_sync_idx_i32(-1, s, (TX - d) & 31, 31);
        if ((TX & 31) >= d) s += o;
    }
    if (i < n) out[i] = s - c;
}

/* Variable-length numbers of seven bits a byte read. */
KERNEL(varints)(const u8 *in, const int *at, u64 *out, int n) {
    int t = BX * NX + TX;
    if (t >= n) return;
    const u8 *p = in + at[t];
    u64 v = 0;
    int shift = 0;
    u8 b;
    do {
        b = *p++;
        v |= (u64)(b & 127) << shift;
        shift += 7;
    } while (b & 128 && shift < 64);
    out[t] = v >> 1 ^ -(v & 1);
}

/* Products modulo a prime by Montgomery's steps. */
KERNEL(montgomery)(const u32 *a, const u32 *b, u32 *out, u32 p, u32 inverse, int times) {
    int i = BX * NX + TX;
    u32 x = a[i], y = b[i];
    for (int k = 0; k < times; k++) {
        u64 t = (u64)x * y;
        u32 m = (u32)t * inverse;
        u32 r = (u32)((t + (u64)m * p) >> 32);
        x = r >= p ? r - p : r;
    }
    out[i] = x;
}

/* Quotients in fixed point of 16 bits behind the point, and a root by bits. */
KERNEL(fixed)(const int *a, const int *b, int *q, u32 *root, int n) {
    int i = BX * NX + TX;
    if (i >= n) return;
    q[i] = (int)(((long long)a[i] << 16) / b[i]);
    u32 x = a[i] < 0 ? -a[i] : a[i], r = 0, bit = 1u << 30;
    while (bit > x) bit >>= 2;
    while (bit) {
        if (x >= r + bit) x -= r + bit, r = (r >> 1) + bit;
        else r >>= 1;
        bit >>= 2;
    }
    root[i] = r;
}

/* Digits of numbers. */
KERNEL(digits)(const u32 *in, u8 *out, int n) {
    int i = BX * NX + TX;
    if (i >= n) return;
    u32 x = in[i];
    for (int d = 9; d >= 0; d--) out[i * 10 + d] = '0' + x % 10, x /= 10;
}
