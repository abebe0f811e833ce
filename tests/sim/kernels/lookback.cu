// CUB's decoupled look-back, with its tile states of one word, of two, and of separate flags:
//   nvcc -ptx -arch=sm_80 -std=c++17 lookback.cu -o lookback_sm_80.ptx

#include <cub/cub.cuh>

struct Pair {
  int sum, greatest;
};
struct Join {
  __device__ Pair operator()(const Pair &a, const Pair &b) const { return {a.sum + b.sum, a.greatest > b.greatest ? a.greatest : b.greatest}; }
};

template <typename T> __device__ void prepare(void *states, int tiles) {
  cub::ScanTileState<T> state;
  state.Init(tiles, states, 1 << 20);
  state.InitializeStatus(tiles);
}

template <typename T, typename Op> __device__ void scan(const T *in, T *out, void *states, int tiles, Op op) {
  using State = cub::ScanTileState<T>;
  using Scan = cub::BlockScan<T, 128>;
  using Prefix = cub::TilePrefixCallbackOp<T, Op, State>;
  __shared__ typename Scan::TempStorage storage;
  __shared__ typename Prefix::TempStorage prefix_storage;
  State state;
  state.Init(tiles, states, 1 << 20);
  int tile = blockIdx.x, at = tile * 128 + threadIdx.x;
  T item = in[at];
  if (tile == 0) {
    T total;
    Scan(storage).InclusiveScan(item, item, op, total);
    if (threadIdx.x == 0) state.SetInclusive(0, total);
  } else {
    Prefix prefix(state, prefix_storage, op, tile);
    Scan(storage).InclusiveScan(item, item, op, prefix);
  }
  out[at] = item;
}

#define KERNELS(name, type, op)                                                                                    \
  extern "C" __global__ void prepare_##name(void *states, int tiles) { prepare<type>(states, tiles); }             \
  extern "C" __global__ void scan_##name(const type *in, type *out, void *states, int tiles) { scan(in, out, states, tiles, op); }

KERNELS(int, int, cuda::std::plus<int>())
KERNELS(double, double, cuda::std::plus<double>())
KERNELS(pair, Pair, Join())
