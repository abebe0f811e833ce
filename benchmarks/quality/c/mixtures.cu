#include "device.h"
#define ROT(x, n) ((x) << (n) | (x) >> (32 - (n)))

/* One level of Haar's wavelets over rows that lie in shared memory. */
KERNEL(haar)(const float *in, float *out, int n) {
    __shared__ float row[128];
    for (int i = TX; i < 2 * NX; i += NX) row[i] = i < n ? in[BX * n + i] : 0;
    SYNC();
    for (int half = NX; half >= 4; half /= 2) {
        float a = 0, b = 0;
        if (TX < half) a = row[2 * TX], b = row[2 * TX + 1];
        SYNC();
        if (TX < half) row[TX] = (a + b) * 0.70710678f, row[half + TX] = (a - b) * 0.70710678f;
        SYNC();
    }
    for (int i = TX; i < n; i += NX) out[BX * n + i] = row[i];
}

/* Floats of 8 bits, four exponent bits, as floats. */
KERNEL(small_floats)(const u32 *in, float *out, int n) {
    for (int i = BX * NX + TX; i < n; i += 64) {
        u32 four = in[i];
        for (int k = 0; k < 4; k++) {
            u32 x = four >> 8 * k & 255, e = x >> 3 & 15, m = x & 7, s = (x & 128) << 24;
            union { u32 u; float f; } v;
            if (e) v.u = s | (e + 120) << 23 | m << 20;
            else v.f = (float)m * 0.001953125f, v.u |= s;
            out[4 * i + k] = v.f;
        }
    }
}

/* A vector of bytes with scales times rows of 4-bit numbers with scales. */
KERNEL(quantised_rows)(const u8 *rows, const float *scales, const signed char *x, float xs, float *out, int blocks) {
    int row = BX * NX + TX;
    float sum = 0;
    for (int b = 0; b < blocks; b++) {
        int acc = 0;
        for (int i = 0; i < 16; i++) {
            u8 two = rows[(row * blocks + b) * 16 + i];
            acc += ((int)(two & 15) - 8) * x[b * 32 + i] + ((int)(two >> 4) - 8) * x[b * 32 + 16 + i];
        }
        sum += scales[row * blocks + b] * (float)acc;
    }
    out[row] = sum * xs;
}

/* Sums of all before, up and down a tree. */
KERNEL(tree_scan)(const int *in, int *out, int n) {
    __shared__ int t[256];
    int i = TX, offset = 1;
    t[2 * i] = 2 * i < n ? in[2 * i] : 0, t[2 * i + 1] = 2 * i + 1 < n ? in[2 * i + 1] : 0;
    for (int d = NX; d > 0; d >>= 1) {
        SYNC();
        if (i < d) t[offset * (2 * i + 2) - 1] += t[offset * (2 * i + 1) - 1];
        offset *= 2;
    }
    if (i == 0) t[2 * NX - 1] = 0;
    for (int d = 1; d < 2 * NX; d *= 2) {
        offset >>= 1;
        SYNC();
        if (i < d) {
            int a = offset * (2 * i + 1) - 1, b = offset * (2 * i + 2) - 1, x = t[a];
            t[a] = t[b], t[b] += x;
        }
    }
    SYNC();
    if (2 * i < n) out[2 * i] = t[2 * i];
    if (2 * i + 1 < n) out[2 * i + 1] = t[2 * i + 1];
}

/* Keys with their places in order, by a network in shared memory. */
KERNEL(sorted_pairs)(const float *keys, float *out, int *places, int n) {
    __shared__ float k[128];
    __shared__ int p[128];
    for (int i = TX; i < 128; i += NX) k[i] = i < n ? keys[i] : 1e30f, p[i] = i;
    for (int size = 2; size <= 128; size <<= 1)
        for (int far = size / 2; far > 0; far >>= 1) {
            SYNC();
            int a = 2 * TX - (TX & (far - 1)), b = a + far;
            bool up = (a & size) == 0;
            float x = k[a], y = k[b];
            if ((x > y) == up) {
                int q = p[a];
                k[a] = y, k[b] = x, p[a] = p[b], p[b] = q;
            }
        }
    SYNC();
    for (int i = TX; i < n; i += NX) out[i] = k[i], places[i] = p[i];
}

/* Where a word stands in a text, by a table of shifts. */
KERNEL(horspool)(const u8 *text, const u8 *word, const u8 *shift, int *found, int n, int m) {
    int at = 0, first = -1;
    const u8 *t = text + (BX * NX + TX) * n;
    while (at + m <= n) {
        int k = m - 1;
        while (k >= 0 && t[at + k] == word[k]) k--;
        if (k < 0) {
            first = at;
            break;
        }
        at += shift[t[at + m - 1]];
    }
    found[BX * NX + TX] = first;
}

/* Random numbers of PCG, and of xorshift128+ beside. */
KERNEL(random_pair)(u32 *out, u64 seed, int n) {
    u64 s = seed + BX * NX + TX, a = s ^ 0x9E3779B97F4A7C15ull, b = ~s;
    for (int i = 0; i < n; i++) {
        u64 old = s;
        s = old * 6364136223846793005ull + 1442695040888963407ull;
        u32 x = (u32)((old >> 18 ^ old) >> 27), r = (u32)(old >> 59);
        u64 t = a;
        a = b, t ^= t << 23, b = t ^ b ^ t >> 17 ^ b >> 26;
        out[(BX * NX + TX) * n + i] = (x >> r | x << (-r & 31)) ^ (u32)((a + b) >> 32);
    }
}

/* A table of two dimensions between its points. */
KERNEL(between)(const float *table, const float *x, const float *y, float *out, int n, int w, int h) {
    int i = BX * NX + TX;
    if (i >= n) return;
    float u = x[i] * (w - 1), v = y[i] * (h - 1);
    int a = MIN((int)u, w - 2), b = MIN((int)v, h - 2);
    float p = u - a, q = v - b;
    const float *t = table + b * w + a;
    float low = t[0] + p * (t[1] - t[0]), high = t[w] + p * (t[w + 1] - t[w]);
    out[i] = low + q * (high - low);
}

/* Rows of the same number of entries, the entries of a column side by side, times a vector. */
KERNEL(ell)(const double *values, const int *columns, const double *x, double *y, int rows, int width) {
    int row = BX * NX + TX;
    if (row >= rows) return;
    double sum = 0;
    for (int k = 0; k < width; k++) {
        int c = columns[k * rows + row];
        if (c >= 0) sum += values[k * rows + row] * x[c];
    }
    y[row] = sum;
}

/* A matrix transposed through tiles with a column more. */
KERNEL(transposed)(const float *in, float *out, int w, int h) {
    __shared__ float tile[16][17];
    int x = BX * 16 + TX, y = BY * 16 + TY;
    for (int j = 0; j < 16; j += 4)
        if (x < w && y + j < h) tile[TY + j][TX] = in[(y + j) * w + x];
    SYNC();
    x = BY * 16 + TX, y = BX * 16 + TY;
    for (int j = 0; j < 16; j += 4)
        if (x < h && y + j < w) out[(y + j) * h + x] = tile[TX][TY + j];
}

/* How often each value of bytes occurs, first in shared memory. */
KERNEL(bins)(const u8 *in, int *out, int n) {
    __shared__ int mine[64];
    for (int i = TX; i < 64; i += NX) mine[i] = 0;
    SYNC();
    for (int i = BX * NX + TX; i < n; i += 2 * NX) ADD(&mine[in[i] >> 2], 1);
    SYNC();
    for (int i = TX; i < 64; i += NX) ADD(&out[i], mine[i]);
}

/* Numbers of 256 bits: a product modulo 2^256, plus another. */
KERNEL(wide_product)(const u64 *a, const u64 *b, const u64 *c, u64 *out) {
    int t = 4 * (BX * NX + TX);
    u64 r[4] = {c[t], c[t + 1], c[t + 2], c[t + 3]};
    for (int i = 0; i < 4; i++) {
        unsigned __int128 carry = 0;
        for (int j = 0; i + j < 4; j++) {
            carry += (unsigned __int128)a[t + i] * b[t + j] + r[i + j];
            r[i + j] = (u64)carry, carry >>= 64;
        }
    }
    for (int i = 0; i < 4; i++) out[t + i] = r[i];
}

/* Rounds of a cipher by tables of words. */
KERNEL(table_rounds)(const u32 *table, const u32 *key, const u32 *in, u32 *out, int rounds) {
    __shared__ u32 t[256];
    for (int i = TX; i < 256; i += NX) t[i] = table[i];
    SYNC();
    int at = 4 * (BX * NX + TX);
    u32 a = in[at] ^ key[0], b = in[at + 1] ^ key[1], c = in[at + 2] ^ key[2], d = in[at + 3] ^ key[3];
    for (int r = 1; r <= rounds; r++) {
        u32 e = t[a & 255] ^ ROT(t[b >> 8 & 255], 8) ^ ROT(t[c >> 16 & 255], 16) ^ ROT(t[d >> 24], 24) ^ key[4 * r];
        u32 f = t[b & 255] ^ ROT(t[c >> 8 & 255], 8) ^ ROT(t[d >> 16 & 255], 16) ^ ROT(t[a >> 24], 24) ^ key[4 * r + 1];
        u32 g = t[c & 255] ^ ROT(t[d >> 8 & 255], 8) ^ ROT(t[a >> 16 & 255], 16) ^ ROT(t[b >> 24], 24) ^ key[4 * r + 2];
        d = t[d & 255] ^ ROT(t[a >> 8 & 255], 8) ^ ROT(t[b >> 16 & 255], 16) ^ ROT(t[c >> 24], 24) ^ key[4 * r + 3];
        a = e, b = f, c = g;
    }
    out[at] = a, out[at + 1] = b, out[at + 2] = c, out[at + 3] = d;
}

/* Blocks of ChaCha's stream. */
#define QUARTER(a, b, c, d) a += b, d = ROT(d ^ a, 16), c += d, b = ROT(b ^ c, 12), a += b, d = ROT(d ^ a, 8), c += d, b = ROT(b ^ c, 7)
KERNEL(chacha)(const u32 *key, u32 *out, u32 nonce) {
    u32 s[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    for (int i = 0; i < 8; i++) s[4 + i] = key[i];
    s[12] = BX * NX + TX, s[13] = 0, s[14] = nonce, s[15] = ~nonce;
    u32 x[16];
    for (int i = 0; i < 16; i++) x[i] = s[i];
    for (int r = 0; r < 10; r++) {
        QUARTER(x[0], x[4], x[8], x[12]), QUARTER(x[1], x[5], x[9], x[13]);
        QUARTER(x[2], x[6], x[10], x[14]), QUARTER(x[3], x[7], x[11], x[15]);
        QUARTER(x[0], x[5], x[10], x[15]), QUARTER(x[1], x[6], x[11], x[12]);
        QUARTER(x[2], x[7], x[8], x[13]), QUARTER(x[3], x[4], x[9], x[14]);
    }
    for (int i = 0; i < 16; i++) out[s[12] * 16 + i] = x[i] + s[i];
}

/* Three bytes as four letters. */
KERNEL(letters)(const u8 *in, u8 *out, int n) {
    for (int i = BX * NX + TX; i < n; i += 64) {
        u32 x = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
        for (int k = 0; k < 4; k++) {
            u32 v = x >> (18 - 6 * k) & 63;
            out[4 * i + k] = v < 26 ? 'A' + v : v < 52 ? 'a' + v - 26 : v < 62 ? '0' + v - 52 : v == 62 ? '+' : '/';
        }
    }
}

/* How many characters are in texts of bytes, and whether each is well made. */
KERNEL(characters)(const u8 *text, int *counts, int n) {
    const u8 *t = text + (BX * NX + TX) * n;
    int left = 0, count = 0, bad = 0;
    for (int i = 0; i < n; i++) {
        u8 c = t[i];
        if (left) {
            bad |= (c & 0xC0) != 0x80;
            left--;
        } else {
            count++;
            if (c >= 0xF0) left = 3;
            else if (c >= 0xE0) left = 2;
            else if (c >= 0xC0) left = 1;
            else bad |= c >= 0x80;
        }
    }
    counts[BX * NX + TX] = bad ? -count : count;
}

/* A stage of a transform of four elements at once. */
KERNEL(radix4)(const float *re, const float *im, const float *wr, const float *wi, float *our, float *oui, int n) {
    int j = BX * NX + TX, q = n / 4;
    if (j >= q) return;
    float a = re[j], b = re[j + q], c = re[j + 2 * q], d = re[j + 3 * q];
    float e = im[j], f = im[j + q], g = im[j + 2 * q], h = im[j + 3 * q];
    float p = a + c, r = a - c, s = b + d, t = b - d, u = e + g, v = e - g, w = f + h, x = f - h;
    float yr[4] = {p + s, r + x, p - s, r - x}, yi[4] = {u + w, v - t, u - w, v + t};
    for (int k = 0; k < 4; k++) {
        float cr = wr[k * j], ci = wi[k * j];
        our[4 * j + k] = yr[k] * cr - yi[k] * ci;
        oui[4 * j + k] = yr[k] * ci + yi[k] * cr;
    }
}

/* Points turned by quaternions, of which each is made one of length one first. */
KERNEL(turned_points)(const float *q, const float *p, float *out, int n) {
    int i = BX * NX + TX;
    if (i >= n) return;
    float x = q[4 * i], y = q[4 * i + 1], z = q[4 * i + 2], w = q[4 * i + 3];
    float s = __nvvm_rsqrt_approx_f(x * x + y * y + z * z + w * w);
    x *= s, y *= s, z *= s, w *= s;
    float a = p[3 * i], b = p[3 * i + 1], c = p[3 * i + 2];
    float tx = 2 * (y * c - z * b), ty = 2 * (z * a - x * c), tz = 2 * (x * b - y * a);
    out[3 * i] = a + w * tx + y * tz - z * ty;
    out[3 * i + 1] = b + w * ty + z * tx - x * tz;
    out[3 * i + 2] = c + w * tz + x * ty - y * tx;
}

/* Neighbours weighted by how near and how alike they are. */
KERNEL(bilateral)(const float *in, float *out, int w, int h, float near, float alike) {
    int x = BX * NX + TX, y = BY * NY + TY;
    if (x >= w || y >= h) return;
    float here = in[y * w + x], sum = 0, all = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int a = MIN(MAX(x + dx, 0), w - 1), b = MIN(MAX(y + dy, 0), h - 1);
            float v = in[b * w + a], d = v - here;
            float f = __nvvm_ex2_approx_f(-(near * (dx * dx + dy * dy) + alike * d * d));
            sum += f * v, all += f;
        }
    out[y * w + x] = sum / all;
}

/* Runs of equal values written out. */
KERNEL(runs)(const int *starts, const u8 *values, u8 *out, int count, int n) {
    for (int i = BX * NX + TX; i < n; i += 64) {
        int low = 0, high = count;
        while (high - low > 1) {
            int middle = (low + high) >> 1;
            if (starts[middle] <= i) low = middle;
            else high = middle;
        }
        out[i] = values[low];
    }
}

/* Rays against boxes of a tree, with a stack. */
typedef struct { float low[3]; int left; float high[3]; int right; } Node;
KERNEL(boxes)(const Node *nodes, const float *rays, int *hits, int n) {
    int i = BX * NX + TX;
    if (i >= n) return;
    int stack[16], top = 0, found = 0;
    float o[3], inv[3];
    for (int k = 0; k < 3; k++) o[k] = rays[6 * i + k], inv[k] = 1 / rays[6 * i + 3 + k];
    stack[top++] = 0;
    while (top) {
        const Node *node = nodes + stack[--top];
        float near = 0, far = 1e30f;
        for (int k = 0; k < 3; k++) {
            float a = (node->low[k] - o[k]) * inv[k], b = (node->high[k] - o[k]) * inv[k];
            near = MAX(near, MIN(a, b)), far = MIN(far, MAX(a, b));
        }
        if (near > far) continue;
        if (node->left < 0) found += ~node->left;
        else if (top < 14) stack[top++] = node->left, stack[top++] = node->right;
    }
    hits[i] = found;
}

/* Rows in compressed form times a vector, a warp a row. */
KERNEL(csr_warps)(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows) {
    int row = (BX * NX + TX) >> 5, lane = TX & 31;
    if (row >= rows) return;
    float sum = 0;
    for (int k = starts[row] + lane; k < starts[row + 1]; k += 32) sum += values[k] * x[columns[k]];
    sum = add_warp(sum);
    if (lane == 0) y[row] = sum;
}

/* The likeliest way through states that are hidden. */
KERNEL(viterbi)(const float *moves, const float *seen, const int *events, float *score, u8 *ways, int states, int steps) {
    __shared__ float last[32];
    int s = TX;
    last[s] = s < states ? seen[s * 8 + events[0]] : -1e30f;
    for (int t = 1; t < steps; t++) {
        SYNC();
        float best = -1e30f;
        int from = 0;
        for (int r = 0; r < states; r++) {
            float v = last[r] + moves[r * states + MIN(s, states - 1)];
            if (v > best) best = v, from = r;
        }
        SYNC();
        if (s < states) last[s] = best + seen[s * 8 + events[t]], ways[t * states + s] = from;
    }
    SYNC();
    if (s < states) score[s] = last[s];
}

/* Colours as hue, saturation and value. */
KERNEL(hues)(const u8 *in, float *out, int n) {
    for (int i = BX * NX + TX; i < n; i += 64) {
        float r = in[3 * i] / 255.0f, g = in[3 * i + 1] / 255.0f, b = in[3 * i + 2] / 255.0f;
        float high = MAX(r, MAX(g, b)), low = MIN(r, MIN(g, b)), d = high - low, h = 0;
        if (d > 0) {
            if (high == r) h = (g - b) / d + (g < b ? 6.0f : 0.0f);
            else if (high == g) h = (b - r) / d + 2;
            else h = (r - g) / d + 4;
        }
        out[3 * i] = h / 6, out[3 * i + 1] = high > 0 ? d / high : 0, out[3 * i + 2] = high;
    }
}

/* A row of scores, their exponentials' sum and the sum of values kept up to date. */
KERNEL(attend)(const float *q, const float *k, const float *v, float *out, int keys, int size) {
    int row = BX * NX + TX;
    float top = -1e30f, all = 0, acc[8] = {};
    for (int j = 0; j < keys; j++) {
        float s = 0;
        for (int d = 0; d < 8; d++) s += q[row * 8 + d] * k[j * 8 + d];
        float higher = MAX(top, s), old = __nvvm_ex2_approx_f(top - higher), f = __nvvm_ex2_approx_f(s - higher);
        all = all * old + f, top = higher;
        for (int d = 0; d < 8; d++) acc[d] = acc[d] * old + f * v[j * 8 + d];
    }
    for (int d = 0; d < 8; d++) out[row * 8 + d] = acc[d] / all;
}

/* Powers of numbers modulo another of 63 bits. */
KERNEL(powers)(const u64 *base, const u64 *exponent, u64 *out, u64 modulus, int n) {
    int i = BX * NX + TX;
    if (i >= n) return;
    u64 b = base[i] % modulus, e = exponent[i], r = 1;
    for (; e; e >>= 1) {
        u64 x = b, y = 0, z = e & 1 ? r : 0, w = 0;
        for (int k = 0; k < 24; k++) {
            if (b >> k & 1) y += x, w += z;
            if (y >= modulus) y -= modulus;
            if (w >= modulus) w -= modulus;
            x += x, z += z;
            if (x >= modulus) x -= modulus;
            if (z >= modulus) z -= modulus;
        }
        b = y & 0xFFFFFF, r = e & 1 ? w & 0xFFFFFF : r;
    }
    out[i] = r;
}

/* Days since 1970 as years, months and days. */
KERNEL(dates)(const int *days, int *out, int n) {
    for (int i = BX * NX + TX; i < n; i += 64) {
        int z = days[i] + 719468, era = (z >= 0 ? z : z - 146096) / 146097;
        u32 doe = (u32)(z - era * 146097), yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
        u32 doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
        u32 d = doy - (153 * mp + 2) / 5 + 1, m = mp < 10 ? mp + 3 : mp - 9;
        out[i] = ((int)yoe + era * 400 + (m <= 2)) * 10000 + m * 100 + d;
    }
}

/* Decimal numbers read from texts. */
KERNEL(numbers)(const u8 *text, double *out, int n) {
    const u8 *t = text + (BX * NX + TX) * n;
    double v = 0, scale = 1;
    bool minus = false, behind = false;
    for (int i = 0; i < n && t[i]; i++) {
        u8 c = t[i];
        if (c == '-') minus = true;
        else if (c == '.') behind = true;
        else {
            v = v * 10 + (c - '0');
            if (behind) scale *= 10;
        }
    }
    v /= scale;
    out[BX * NX + TX] = minus ? -v : v;
}

/* Numbers 0 to 31 in a drawn order, in local memory. */
KERNEL(shuffled)(u8 *out, u32 seed) {
    u8 at[32];
    u32 s = seed + BX * NX + TX;
    for (int i = 0; i < 32; i++) at[i] = i;
    for (int i = 31; i > 0; i--) {
        s = s * 1664525 + 1013904223;
        int j = (s >> 8) % (i + 1);
        u8 x = at[i];
        at[i] = at[j], at[j] = x;
    }
    for (int i = 0; i < 32; i++) out[(BX * NX + TX) * 32 + i] = at[i];
}

/* A step of a filter of two states with its covariances. */
KERNEL(kalman)(const float *z, float *x, float *p, int n, int steps, float dt, float q, float r) {
    int i = BX * NX + TX;
    if (i >= n) return;
    float a = x[2 * i], b = x[2 * i + 1], p0 = p[3 * i], p1 = p[3 * i + 1], p2 = p[3 * i + 2];
    for (int t = 0; t < steps; t++) {
        a += dt * b;
        p0 += dt * (2 * p1 + dt * p2) + q, p1 += dt * p2, p2 += q;
        float s = p0 + r, k0 = p0 / s, k1 = p1 / s, y = z[t * n + i] - a;
        a += k0 * y, b += k1 * y;
        p2 -= k1 * p1, p1 *= 1 - k0, p0 *= 1 - k0;
    }
    x[2 * i] = a, x[2 * i + 1] = b, p[3 * i] = p0, p[3 * i + 1] = p1, p[3 * i + 2] = p2;
}

/* Halves of 16 bits, the upper ones of floats, summed by columns and rounded to even. */
KERNEL(upper_halves)(const unsigned short *in, unsigned short *out, int rows, int columns) {
    int c = BX * NX + TX;
    if (c >= columns) return;
    float sum = 0;
    for (int r = 0; r < rows; r++) {
        union { u32 u; float f; } v = {(u32)in[r * columns + c] << 16};
        sum += v.f;
    }
    union { float f; u32 u; } v = {sum};
    out[c] = (v.u + 0x7FFF + (v.u >> 16 & 1)) >> 16;
}

/* Distances of points of many dimensions, in tiles. */
KERNEL(distances)(const float *a, const float *b, float *out, int n, int dims) {
    __shared__ float ta[8][9], tb[8][9];
    int x = BX * 8 + TX, y = BY * 8 + TY;
    float sum = 0;
    for (int k = 0; k < dims; k += 8) {
        ta[TY][TX] = y < n && k + TX < dims ? a[y * dims + k + TX] : 0;
        tb[TY][TX] = BX * 8 + TY < n && k + TX < dims ? b[(BX * 8 + TY) * dims + k + TX] : 0;
        SYNC();
        for (int j = 0; j < 8; j++) {
            float d = ta[TY][j] - tb[TX][j];
            sum += d * d;
        }
        SYNC();
    }
    if (x < n && y < n) out[y * n + x] = __nvvm_sqrt_rn_f(sum);
}

/* Twelve points around and the middle, in double precision, twice in time. */
KERNEL(high_order)(const double *u, const double *old, double *out, int w, int h, double c) {
    int x = BX * NX + TX + 2;
    for (int y = 2 + BY; y < h - 2; y += 2) {
        if (x >= w - 2) return;
        const double *p = u + y * w + x;
        double near = p[-1] + p[1] + p[-w] + p[w], far = p[-2] + p[2] + p[-2 * w] + p[2 * w];
        double corner = p[-w - 1] + p[-w + 1] + p[w - 1] + p[w + 1];
        out[y * w + x] = 2 * p[0] - old[y * w + x] + c * (1.5 * near - 0.0625 * far + 0.25 * corner - 6.75 * p[0]);
    }
}
