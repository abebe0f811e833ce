#include "device.h"

/* Rows made to mean 0 and variance 1, a warp each. */
KERNEL(norm_rows)(float *out, float *means, float *scales, const float *in, const float *weight, const float *bias,
                  int rows, int size) {
    int lane = TX % 32, row = BX * (NX / 32) + TX / 32;
    if (row >= rows) return;
    const float *x = in + row * size;
    float sum = 0;
    for (int i = lane; i < size; i += 32) sum += x[i];
    float mean = add_warp(sum) / size;
    if (lane == 0 && means) means[row] = mean;
    sum = 0;
    for (int i = lane; i < size; i += 32) {
        float d = x[i] - mean;
        sum += d * d;
    }
    float scale = __nvvm_rsqrt_approx_f(add_warp(sum) / size + 1e-5f);
    if (lane == 0 && scales) scales[row] = scale;
    for (int i = lane; i < size; i += 32) out[row * size + i] = (x[i] - mean) * scale * weight[i] + bias[i];
}

/* A causal row's softmax with a running maximum, words of four first. */
KERNEL(softmax_causal)(float *out, float factor, const float *in, int size) {
    int lane = TX % 32, row = BX * (NX / 32) + TX / 32;
    int own = row % size, quads = own / 4;
    const float *x = in + (long)row * size;
    const f32x4 *wide = (const f32x4 *)x;
    float top = -3e38f, sum = 0;
    for (int i = lane; i < quads; i += 32) {
        f32x4 v = wide[i];
        float old = top;
        for (int k = 0; k < 4; k++) top = MAX(top, v[k]);
        sum *= __nvvm_ex2_approx_f(factor * (old - top));
        for (int k = 0; k < 4; k++) sum += __nvvm_ex2_approx_f(factor * (v[k] - top));
    }
    if (4 * quads + lane <= own) {
        float old = top;
        top = MAX(top, x[4 * quads + lane]);
        sum *= __nvvm_ex2_approx_f(factor * (old - top));
        sum += __nvvm_ex2_approx_f(factor * (x[4 * quads + lane] - top));
    }
    float all = top;
    for (int at = 16; at; at /= 2) {
        float other = __nvvm_shfl_sync_bfly_f32(-1, all, at, 31);
        all = MAX(all, other);
    }
    sum = add_warp(sum * __nvvm_ex2_approx_f(factor * (top - all)));
    float norm = 1.f / sum;
    for (int i = lane; i <= own; i += 32) out[(long)row * size + i] = __nvvm_ex2_approx_f(factor * (x[i] - all)) * norm;
}

/* The moments of a gradient and a step along them. */
KERNEL(adam)(float *params, float *m, float *v, const float *grads, long count, float rate, float b1, float b2,
             float c1, float c2, float eps, float decay) {
    long i = (long)BX * NX + TX;
    if (i >= count) return;
    float g = grads[i], mean = m[i], square = v[i];
    mean = b1 * mean + (1 - b1) * g;
    square = b2 * square + (1 - b2) * g * g;
    m[i] = mean;
    v[i] = square;
    mean /= c1;
    square /= c2;
    params[i] -= rate * (mean / (__nvvm_sqrt_rn_f(square) + eps) + decay * params[i]);
}

/* Heads moved to the front: queries, keys and values of one array. */
KERNEL(split_heads)(float *q, float *k, float *v, const float *in, int batches, int rows, int heads, int size) {
    int i = BX * NX + TX;
    if (i >= batches * heads * rows * size) return;
    int b = i / (heads * rows * size), rest = i % (heads * rows * size);
    int h = rest / (rows * size), n = rest % (rows * size) / size, d = rest % size;
    int at = b * rows * 3 * heads * size + n * 3 * heads * size + h * size + d;
    q[i] = in[at];
    k[i] = in[at + heads * size];
    v[i] = in[at + 2 * heads * size];
}
