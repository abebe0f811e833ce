#include "device.h"

/* A median of nine pixels by a sorting network. */
#define SORT2(a, b) { u8 low = MIN(a, b); b = MAX(a, b); a = low; }
KERNEL(median)(const u8 *in, u8 *out, int w, int h) {
    int x = BX * NX + TX, y = BY * NY + TY;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    u8 v[9];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) v[3 * j + i] = in[(y + j - 1) * w + x + i - 1];
    SORT2(v[1], v[2]) SORT2(v[4], v[5]) SORT2(v[7], v[8]) SORT2(v[0], v[1]) SORT2(v[3], v[4]) SORT2(v[6], v[7])
    SORT2(v[1], v[2]) SORT2(v[4], v[5]) SORT2(v[7], v[8]) SORT2(v[0], v[3]) SORT2(v[5], v[8]) SORT2(v[4], v[7])
    SORT2(v[3], v[6]) SORT2(v[1], v[4]) SORT2(v[2], v[5]) SORT2(v[4], v[7]) SORT2(v[4], v[2]) SORT2(v[6], v[4]) SORT2(v[4], v[2])
    out[y * w + x] = v[4];
}

/* Sobel's gradient with its direction in eighths. */
KERNEL(gradient)(const float *in, float *size, int *way, int w, int h) {
    int x = BX * NX + TX, y = BY * NY + TY;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    const float *p = in + y * w + x;
    float gx = p[1 - w] + 2 * p[1] + p[1 + w] - p[-1 - w] - 2 * p[-1] - p[-1 + w];
    float gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[-w + 1];
    size[y * w + x] = __nvvm_sqrt_rn_f(gx * gx + gy * gy);
    float ax = gx < 0 ? -gx : gx, ay = gy < 0 ? -gy : gy;
    way[y * w + x] = (gx < 0) << 2 | (gy < 0) << 1 | (ax > ay);
}

/* A picture turned by an angle, points between pixels interpolated. */
KERNEL(turned)(const float *in, float *out, int w, int h, float c, float s) {
    int x = BX * NX + TX, y = BY * NY + TY;
    if (x >= w || y >= h) return;
    float u = c * (x - w / 2) - s * (y - h / 2) + w / 2, v = s * (x - w / 2) + c * (y - h / 2) + h / 2;
    int i = (int)u, j = (int)v;
    float r = 0;
    if (i >= 0 && j >= 0 && i + 1 < w && j + 1 < h) {
        float a = u - i, b = v - j;
        const float *p = in + j * w + i;
        r = (1 - b) * ((1 - a) * p[0] + a * p[1]) + b * ((1 - a) * p[w] + a * p[w + 1]);
    }
    out[y * w + x] = r;
}

/* An 8 x 8 discrete cosine transform by rows and columns in shared memory. */
KERNEL(cosines)(const float *in, const float *table, float *out) {
    __shared__ float a[64], b[64];
    int i = TX, r = i / 8, c = i % 8;
    a[i] = in[BX * 64 + i];
    SYNC();
    float s = 0;
    for (int k = 0; k < 8; k++) s += table[r * 8 + k] * a[k * 8 + c];
    b[i] = s;
    SYNC();
    s = 0;
    for (int k = 0; k < 8; k++) s += b[r * 8 + k] * table[c * 8 + k];
    out[BX * 64 + i] = s;
}

/* Four stages of a Fourier transform of 16 points in registers. */
KERNEL(fourier16)(const float *re, const float *im, const float *wr, const float *wi, float *ore, float *oim) {
    float a[16], b[16];
    int t = BX * NX + TX;
    for (int i = 0; i < 16; i++) {
        int j = (i & 1) << 3 | (i & 2) << 1 | (i & 4) >> 1 | i >> 3;
        a[i] = re[t * 16 + j], b[i] = im[t * 16 + j];
    }
    for (int half = 1; half < 16; half *= 2)
        for (int i = 0; i < 16; i += 2 * half)
            for (int k = 0; k < half; k++) {
                float c = wr[k * (8 / half)], s = wi[k * (8 / half)];
                float x = a[i + k + half] * c - b[i + k + half] * s, y = a[i + k + half] * s + b[i + k + half] * c;
                a[i + k + half] = a[i + k] - x, b[i + k + half] = b[i + k] - y;
                a[i + k] += x, b[i + k] += y;
            }
    for (int i = 0; i < 16; i++) ore[t * 16 + i] = a[i], oim[t * 16 + i] = b[i];
}

/* A recursive filter of second order along rows. */
KERNEL(biquad)(const float *in, float *out, int n, float b0, float b1, float b2, float a1, float a2) {
    float z1 = 0, z2 = 0;
    const float *p = in + (BX * NX + TX) * n;
    float *q = out + (BX * NX + TX) * n;
    for (int i = 0; i < n; i++) {
        float x = p[i], y = b0 * x + z1;
        z1 = b1 * x - a1 * y + z2;
        z2 = b2 * x - a2 * y;
        q[i] = y;
    }
}

/* Samples coded by differences of four bits whose steps adapt. */
KERNEL(adpcm)(const short *in, u8 *out, const short *steps, int n) {
    int t = BX * NX + TX, guess = 0, index = 0;
    for (int i = 0; i < n; i++) {
        int step = steps[index], d = in[t * n + i] - guess, code = 0;
        if (d < 0) code = 8, d = -d;
        int v = step >> 3;
        if (d >= step) code |= 4, d -= step, v += step;
        if (d >= step >> 1) code |= 2, d -= step >> 1, v += step >> 1;
        if (d >= step >> 2) code |= 1, v += step >> 2;
        guess = code & 8 ? guess - v : guess + v;
        guess = MAX(-32768, MIN(32767, guess));
        index += code & 4 ? ((code & 3) + 1) * 2 : -1;
        index = MAX(0, MIN(15, index));
        out[t * n + i] = code;
    }
}

/* Rays marched through spheres' distances. */
KERNEL(march)(const float *spheres, float *depth, int count, int w, int steps) {
    int i = BX * NX + TX;
    float dx = (i % w) / (float)w - 0.5f, dy = (i / w) / (float)w - 0.5f;
    float n = __nvvm_rsqrt_approx_f(dx * dx + dy * dy + 1), t = 0;
    for (int s = 0; s < steps; s++) {
        float d = 1e9f;
        for (int k = 0; k < count; k++) {
            float x = dx * n * t - spheres[4 * k], y = dy * n * t - spheres[4 * k + 1], z = n * t - spheres[4 * k + 2];
            float e = __nvvm_sqrt_rn_f(x * x + y * y + z * z) - spheres[4 * k + 3];
            d = MIN(d, e);
        }
        t += d;
        if (d < 0.001f || t > 20) break;
    }
    depth[i] = t;
}

/* A line between two colours in fixed point, three bytes a pixel. */
KERNEL(blend)(const u8 *a, const u8 *b, u8 *out, int n, int alpha) {
    for (int i = BX * NX + TX; i < n; i += NX * 2)
        for (int c = 0; c < 3; c++) {
            int x = a[3 * i + c] * (256 - alpha) + b[3 * i + c] * alpha + 128;
            out[3 * i + c] = x >> 8;
        }
}

/* Luma and chroma from colours, chroma of four pixels together. */
KERNEL(chroma)(const u32 *in, u8 *luma, u8 *u, u8 *v, int w) {
    int x = 2 * (BX * NX + TX), y = 2 * BY, su = 0, sv = 0;
    if (x >= w) return;
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            u32 p = in[(y + j) * w + x + i];
            int r = p & 255, g = p >> 8 & 255, b = p >> 16 & 255;
            luma[(y + j) * w + x + i] = (66 * r + 129 * g + 25 * b + 128 >> 8) + 16;
            su += -38 * r - 74 * g + 112 * b, sv += 112 * r - 94 * g - 18 * b;
        }
    u[y / 2 * (w / 2) + x / 2] = (su + 512 >> 10) + 128;
    v[y / 2 * (w / 2) + x / 2] = (sv + 512 >> 10) + 128;
}
