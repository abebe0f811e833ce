#include "device.h"

/* The cheapest way down a grid, some rows at once. */
KERNEL(cheapest_way)(const int *wall, const int *before, int *after, int columns, int steps, int first) {
    __shared__ int old[64], now[64];
    int x = BX * (64 - 2 * steps) - steps + TX, valid = x >= 0 && x < columns;
    int left = MAX((int)TX - 1, 0), right = MIN(TX + 1, 63);
    if (valid) old[TX] = before[x];
    SYNC();
    bool written = false;
    for (int i = 0; i < steps; i++) {
        written = false;
        if (TX >= i + 1 && TX <= 62 - i && valid) {
            written = true;
            int best = MIN(MIN(old[left], old[TX]), old[right]);
            now[TX] = best + wall[columns * (first + i) + x];
        }
        SYNC();
        if (i == steps - 1) break;
        if (written) old[TX] = now[TX];
        SYNC();
    }
    if (written) after[x] = now[TX];
}

/* Alignment of two sequences: a block of 16 x 16 by diagonals in shared memory. */
KERNEL(alignment)(const int *reference, int *scores, int columns, int penalty) {
    __shared__ int held[17][17], known[16][16];
    int t = TX;
    int corner = columns * 16 * BY + 16 * BX;
    if (t == 0) held[0][0] = scores[corner];
    for (int i = 0; i < 16; i++) known[i][t] = reference[corner + columns * (i + 1) + t + 1];
    SYNC();
    held[t + 1][0] = scores[corner + columns * (t + 1)];
    SYNC();
    held[0][t + 1] = scores[corner + t + 1];
    SYNC();
    for (int m = 0; m < 16; m++) {
        if (t <= m) {
            int x = t + 1, y = m - t + 1;
            int a = held[y - 1][x - 1] + known[y - 1][x - 1];
            int b = held[y][x - 1] - penalty, c = held[y - 1][x] - penalty;
            held[y][x] = MAX(MAX(a, b), c);
        }
        SYNC();
    }
    for (int m = 14; m >= 0; m--) {
        if (t <= m) {
            int x = t + 16 - m, y = 16 - t;
            int a = held[y - 1][x - 1] + known[y - 1][x - 1];
            int b = held[y][x - 1] - penalty, c = held[y - 1][x] - penalty;
            held[y][x] = MAX(MAX(a, b), c);
        }
        SYNC();
    }
    for (int i = 0; i < 16; i++) scores[corner + columns * (i + 1) + t + 1] = held[i + 1][t + 1];
}
