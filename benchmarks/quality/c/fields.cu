#include "device.h"

/* A sparse matrix in rows by a vector, a warp a row. */
KERNEL(csr)(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows) {
    int row = (BX * NX + TX) / 32, lane = TX & 31;
    if (row >= rows) return;
    float s = 0;
    for (int i = starts[row] + lane; i < starts[row + 1]; i += 32) s += values[i] * x[columns[i]];
    s = add_warp(s);
    if (!lane) y[row] = s;
}

/* A step of red-black relaxation in double precision. */
KERNEL(relax)(double *u, const double *f, int n, int colour, double h2, double omega) {
    int i = BX * NX + TX + 1, j = BY + 1;
    if (i >= n - 1 || (i + j & 1) != colour) return;
    double *p = u + j * n + i;
    double r = 0.25 * (p[1] + p[-1] + p[n] + p[-n] - h2 * f[j * n + i]);
    *p += omega * (r - *p);
}

/* Three diagonals solved forwards and back. */
KERNEL(thomas)(const float *a, const float *b, const float *c, const float *d, float *x, float *work, int n) {
    int t = BX * NX + TX;
    a += t * n, b += t * n, c += t * n, d += t * n, x += t * n, work += t * n;
    float m = 1 / b[0];
    work[0] = c[0] * m, x[0] = d[0] * m;
    for (int i = 1; i < n; i++) {
        m = 1 / (b[i] - a[i] * work[i - 1]);
        work[i] = c[i] * m;
        x[i] = (d[i] - a[i] * x[i - 1]) * m;
    }
    for (int i = n - 2; i >= 0; i--) x[i] -= work[i] * x[i + 1];
}

/* Particles weighed onto a grid of cells. */
KERNEL(deposit)(const float *xs, const float *ys, const float *q, int *cells, int n, int w, float inv) {
    int i = BX * NX + TX;
    if (i >= n) return;
    float x = xs[i] * inv, y = ys[i] * inv;
    int cx = (int)x, cy = (int)y;
    float fx = x - cx, fy = y - cy, s = q[i] * 1024;
    int *at = cells + cy * w + cx;
    ADD_RELAXED(at, (int)(s * (1 - fx) * (1 - fy)));
    ADD_RELAXED(at + 1, (int)(s * fx * (1 - fy)));
    ADD_RELAXED(at + w, (int)(s * (1 - fx) * fy));
    ADD_RELAXED(at + w + 1, (int)(s * fx * fy));
}

/* A lattice of nine velocities: collisions. */
KERNEL(lattice)(const float *in, float *out, int cells, float tau) {
    const int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    int i = BX * NX + TX;
    if (i >= cells) return;
    float f[9], rho = 0, ux = 0, uy = 0;
    for (int k = 0; k < 9; k++) {
        f[k] = in[k * cells + i];
        rho += f[k], ux += f[k] * ex[k], uy += f[k] * ey[k];
    }
    ux /= rho, uy /= rho;
    float uu = 1.5f * (ux * ux + uy * uy);
    for (int k = 0; k < 9; k++) {
        float e = 3 * (ex[k] * ux + ey[k] * uy), w = k == 0 ? 4 / 9.f : k < 5 ? 1 / 9.f : 1 / 36.f;
        out[k * cells + i] = f[k] + (w * rho * (1 + e + 0.5f * e * e - uu) - f[k]) * tau;
    }
}

/* A wave's step, eighth order in one direction, planes in registers. */
KERNEL(wave)(const float *now, const float *before, float *after, int nx, int ny, int nz, float c2) {
    const float k[5] = {-2.847222f, 1.6f, -0.2f, 0.02539683f, -0.001785714f};
    int x = BX * NX + TX + 4, y = BY + 4, plane = nx * ny;
    if (x >= nx - 4) return;
    const float *p = now + y * nx + x + 4 * plane;
    for (int z = 4; z < nz - 4; z++, p += plane) {
        float s = 3 * k[0] * p[0];
        for (int d = 1; d <= 4; d++)
            s += k[d] * (p[d] + p[-d] + p[d * nx] + p[-d * nx] + p[d * plane] + p[-d * plane]);
        int at = (int)(p - now);
        after[at] = 2 * p[0] - before[at] + c2 * s;
    }
}

/* Paths of a price by random steps, the mean of what an option pays. */
KERNEL(option)(float *out, u32 seed, int steps, float drift, float vol, float strike) {
    u32 s = seed + (BX * NX + TX) * 747796405u;
    float price = 0;
    for (int i = 0; i < steps; i++) {
        s = s * 747796405u + 2891336453u;
        u32 w = ((s >> ((s >> 28) + 4)) ^ s) * 277803737u;
        w = w >> 22 ^ w;
        price += drift + vol * ((w >> 8) * (1 / 8388608.f) - 1);
    }
    float end = __nvvm_ex2_approx_f(price) - strike;
    out[BX * NX + TX] = end > 0 ? end : 0;
}

/* Cholesky's factor of a small matrix in local memory, double. */
KERNEL(cholesky)(const double *in, double *out) {
    double a[4][4];
    int t = BX * NX + TX;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) a[i][j] = in[t * 16 + i * 4 + j];
    for (int j = 0; j < 4; j++) {
        for (int k = 0; k < j; k++) a[j][j] -= a[j][k] * a[j][k];
        a[j][j] = __builtin_sqrt(a[j][j]);
        for (int i = j + 1; i < 4; i++) {
            for (int k = 0; k < j; k++) a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j <= i; j++) out[t * 16 + i * 4 + j] = a[i][j];
}

/* The nearest centre by bytes' products, four at a time. */
KERNEL(codebook)(const u32 *in, const u32 *codes, int *out, int count, int words) {
    int t = BX * NX + TX, best = 1 << 30, at = 0;
    for (int c = 0; c < count; c++) {
        int s = 0;
        for (int w = 0; w < words; w++) {
            u32 a = in[t * words + w], b = codes[c * words + w];
            for (int k = 0; k < 32; k += 8) {
                int d = (int)(a >> k & 255) - (int)(b >> k & 255);
                s += d * d;
            }
        }
        if (s < best) best = s, at = c;
    }
    out[t] = at;
}

/* Keys in order by odd and even steps in shared memory. */
KERNEL(transposition)(int *keys, int n) {
    __shared__ int k[128];
    int i = TX;
    k[i] = keys[i], k[i + 64] = keys[i + 64];
    SYNC();
    for (int step = 0; step < n; step++) {
        int a = 2 * i + (step & 1);
        if (a + 1 < 128) {
            int x = k[a], y = k[a + 1];
            if (x > y) k[a] = y, k[a + 1] = x;
        }
        SYNC();
    }
    keys[i] = k[i], keys[i + 64] = k[i + 64];
}

/* Shortest ways between all by one vertex. */
KERNEL(floyd)(int *d, int n, int k) {
    int j = BX * NX + TX, i = BY;
    if (j >= n) return;
    int through = d[i * n + k] + d[k * n + j];
    if (through < d[i * n + j]) d[i * n + j] = through;
}
