// CTAs that order themselves through global memory:
//   nvcc -ptx -arch=sm_80 -std=c++17 flags.cu -o flags_sm_80.ptx

#include <cuda/atomic>

using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;

// Inclusive sums of whole arrays by decoupled look-back: each CTA publishes its sum, then its prefix.
template <int Mode> __device__ void publish(volatile int *values, int *states, int i, int value, int state) {
  values[i] = value;
  if (Mode == 0) __threadfence(), ((volatile int *)states)[i] = state;
  if (Mode == 1) Flag(states[i]).store(state, cuda::memory_order_release);
  if (Mode == 2) ((volatile int *)states)[i] = state;
}

template <int Mode> __device__ int state_of(int *states, int i) {
  if (Mode == 1) return Flag(states[i]).load(cuda::memory_order_acquire);
  int state = ((volatile int *)states)[i];
  if (Mode == 0) __threadfence();
  return state;
}

template <int Mode> __device__ void lookback(const int *in, int *out, int *sums, int *prefixes, int *states) {
  __shared__ int line[128];
  __shared__ int before;
  int t = threadIdx.x, b = blockIdx.x;
  line[t] = in[b * 128 + t];
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    int v = t >= d ? line[t - d] : 0;
    __syncthreads();
    line[t] += v;
    __syncthreads();
  }
  if (t == 0) {
    int total = line[127], sum = 0;
    if (b == 0) {
      publish<Mode>(prefixes, states, b, total, 2);
    } else {
      publish<Mode>(sums, states, b, total, 1);
      for (int i = b - 1;;) {
        int state = state_of<Mode>(states, i);
        if (state == 2) { sum += ((volatile int *)prefixes)[i]; break; }
        if (state == 1) sum += ((volatile int *)sums)[i--];
      }
      publish<Mode>(prefixes, states, b, sum + total, 2);
    }
    before = sum;
  }
  __syncthreads();
  out[b * 128 + t] = before + line[t];
}

extern "C" __global__ void lookback_fence(const int *in, int *out, int *sums, int *prefixes, int *states) {
  lookback<0>(in, out, sums, prefixes, states);
}

extern "C" __global__ void lookback_acquire(const int *in, int *out, int *sums, int *prefixes, int *states) {
  lookback<1>(in, out, sums, prefixes, states);
}

// A barrier of the whole grid between two rounds; `fenced` is what a correct one does.
template <bool Fenced> __device__ void rounds(int *data, int *next, int *counter) {
  int t = blockIdx.x * 128 + threadIdx.x, n = gridDim.x * 128;
  for (int round = 1; round <= 3; ++round) {
    next[t] = data[(t + 128) % n] + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
      if (Fenced) __threadfence();
      atomicAdd(counter, 1);
      while (*(volatile int *)counter < round * gridDim.x) {}
      if (Fenced) __threadfence();
    }
    __syncthreads();
    int *other = data;
    data = next, next = other;
  }
}

extern "C" __global__ void grid_barrier(int *data, int *next, int *counter) { rounds<true>(data, next, counter); }
extern "C" __global__ void grid_barrier_unfenced(int *data, int *next, int *counter) { rounds<false>(data, next, counter); }

// A producer that writes plainly, a flag, and a consumer: correct with both fences.
template <bool First, bool Second> __device__ void hand_over(const int *in, int *box, int *flag, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    box[t] = in[t] * 3;
    __syncthreads();
    if (First) __threadfence();
    if (t == 0) *(volatile int *)flag = 1;
  } else {
    if (t == 0) while (*(volatile int *)flag == 0) {}
    if (Second) __threadfence();
    __syncthreads();
    out[t] = box[t];
  }
}

extern "C" __global__ void hand_over_fenced(const int *in, int *box, int *flag, int *out) { hand_over<true, true>(in, box, flag, out); }
extern "C" __global__ void hand_over_no_release(const int *in, int *box, int *flag, int *out) { hand_over<false, true>(in, box, flag, out); }
extern "C" __global__ void hand_over_no_acquire(const int *in, int *box, int *flag, int *out) { hand_over<true, false>(in, box, flag, out); }
