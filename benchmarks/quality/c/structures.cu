#include "device.h"

struct Particle { float x, y, z, mass, vx, vy, vz; int kind; };

/* Particles as structures, moved by a field of cells. */
KERNEL(push)(Particle *all, const float *field, int count, int cells, float dt) {
    int i = BX * NX + TX;
    if (i >= count) return;
    Particle p = all[i];
    int cell = (int)(p.x * cells) % cells;
    float f = field[cell * 3] / p.mass, g = field[cell * 3 + 1] / p.mass, h = field[cell * 3 + 2] / p.mass;
    if (p.kind & 1) f = -f, g = -g, h = -h;
    p.vx += f * dt, p.vy += g * dt, p.vz += h * dt;
    p.x += p.vx * dt, p.y += p.vy * dt, p.z += p.vz * dt;
    if (p.x < 0) p.x = -p.x, p.vx = -p.vx;
    if (p.x > 1) p.x = 2 - p.x, p.vx = -p.vx;
    all[i] = p;
}

/* A tree of intervals walked with a stack of the thread's own. */
struct Node { int left, right, low, high; };
KERNEL(walk)(const Node *nodes, const int *keys, int *out) {
    int stack[16], top = 0, found = 0, key = keys[TX];
    stack[top++] = 0;
    while (top) {
        Node n = nodes[stack[--top]];
        if (key < n.low || key > n.high) continue;
        if (n.left < 0) found += n.right;
        else stack[top++] = n.left, stack[top++] = n.right;
    }
    out[TX] = found;
}

/* Nearest of some centres, and what is nearest counted. */
KERNEL(nearest)(const float *points, const float *centres, int *labels, int *counts, int count, int k, int size) {
    int i = BX * NX + TX;
    if (i >= count) return;
    int best = 0;
    float least = 3e38f;
    for (int c = 0; c < k; c++) {
        float sum = 0;
        for (int d = 0; d < size; d++) {
            float diff = points[d * count + i] - centres[c * size + d];
            sum += diff * diff;
        }
        if (sum < least) least = sum, best = c;
    }
    labels[i] = best;
    __nvvm_atom_add_gen_i(&counts[best], 1);
}

/* A frontier of a graph. */
KERNEL(frontier)(const int *starts, const int *edges, const u8 *now, u8 *next, int *cost, u8 *seen, int count) {
    int i = BX * NX + TX;
    if (i >= count || !now[i]) return;
    for (int e = starts[i]; e < starts[i + 1]; e++) {
        int to = edges[e];
        if (!seen[to]) {
            cost[to] = cost[i] + 1;
            next[to] = 1;
        }
    }
}

/* Heat in a plate, several steps in shared memory. */
KERNEL(plate)(const float *power, const float *before, float *after, int rows, int columns, int steps, float rx, float ry,
              float rz, float cap) {
    __shared__ float t[16][16], p[16][16], s[16][16];
    int x = BX * (16 - 2 * steps) - steps + TX, y = BY * (16 - 2 * steps) - steps + TY;
    bool valid = x >= 0 && x < columns && y >= 0 && y < rows;
    if (valid) t[TY][TX] = before[y * columns + x], p[TY][TX] = power[y * columns + x];
    SYNC();
    int north = MAX((int)TY - 1, y < 1 ? (int)TY : 0), south = y + 1 >= rows ? TY : TY + 1;
    int west = x < 1 ? TX : TX - 1, east = x + 1 >= columns ? TX : TX + 1;
    bool done = false;
    for (int i = 0; i < steps; i++) {
        done = false;
        if (TX >= i + 1 && TX <= 14 - i && TY >= i + 1 && TY <= 14 - i && valid) {
            done = true;
            s[TY][TX] = t[TY][TX] + cap * (p[TY][TX] + (t[south][TX] + t[north][TX] - 2.0f * t[TY][TX]) * ry +
                                           (t[TY][east] + t[TY][west] - 2.0f * t[TY][TX]) * rx + (80.0f - t[TY][TX]) * rz);
        }
        SYNC();
        if (i == steps - 1) break;
        if (done) t[TY][TX] = s[TY][TX];
        SYNC();
    }
    if (done) after[y * columns + x] = s[TY][TX];
}
