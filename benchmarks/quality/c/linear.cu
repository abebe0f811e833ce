#include "device.h"

/* A step of Gaussian elimination. */
KERNEL(eliminate)(const float *m, float *a, float *b, int size, int pivot) {
    int y = BX * NX + TX, x = BY * NY + TY;
    if (y >= size - 1 - pivot || x >= size - pivot) return;
    float factor = m[size * (y + pivot + 1) + pivot];
    a[size * (y + 1 + pivot) + x + pivot] -= factor * a[size * pivot + x + pivot];
    if (x == 0) b[y + 1 + pivot] -= factor * b[pivot];
}

/* A block of an LU decomposition, the diagonal one, in shared memory. */
KERNEL(lu_diagonal)(float *m, int size, int offset) {
    __shared__ float held[16][16];
    int at = offset * size + offset;
    for (int i = 0; i < 16; i++, at += size) held[i][TX] = m[at + TX];
    SYNC();
    for (int i = 0; i < 15; i++) {
        if (TX > i) {
            for (int j = 0; j < i; j++) held[TX][i] -= held[TX][j] * held[j][i];
            held[TX][i] /= held[i][i];
        }
        SYNC();
        if (TX > i)
            for (int j = 0; j < i + 1; j++) held[i + 1][TX] -= held[i + 1][j] * held[j][TX];
        SYNC();
    }
    at = (offset + 1) * size + offset;
    for (int i = 1; i < 16; i++, at += size) m[at + TX] = held[i][TX];
}

/* A product with registers for 4 x 4 elements of a thread, as libraries write it. */
KERNEL(product_4x4)(const float *__restrict a, const float *__restrict b, float *__restrict c, int m, int n, int k) {
    __shared__ __attribute__((aligned(16))) float as[8][32], bs[8][32];
    float sums[4][4] = {};
    int row = TX / 8, column = TX % 8;
    for (int start = 0; start < k; start += 8) {
        for (int i = 0; i < 4; i++) {
            int at = TX + 64 * i;
            as[at % 8][at / 8] = a[(BY * 32 + at / 8) * k + start + at % 8];
            bs[at / 32][at % 32] = b[(start + at / 32) * n + BX * 32 + at % 32];
        }
        SYNC();
        for (int p = 0; p < 8; p++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++) sums[i][j] += as[p][row * 4 + i] * bs[p][column * 4 + j];
        SYNC();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) c[(BY * 32 + row * 4 + i) * n + BX * 32 + column * 4 + j] = sums[i][j];
}

/* Sparse rows of equal length, by columns. */
KERNEL(rows_by_columns)(const int *at, const float *values, const float *x, float *y, int rows, int most) {
    int row = BX * NX + TX;
    if (row >= rows) return;
    float sum = 0;
    for (int i = 0; i < most; i++) {
        int column = at[i * rows + row];
        if (column >= 0) sum += values[i * rows + row] * x[column];
    }
    y[row] = sum;
}
