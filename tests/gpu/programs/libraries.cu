#include "check.h"
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform.h>
#include <thrust/sequence.h>
#include <thrust/functional.h>
#include <cub/cub.cuh>
struct sq { __host__ __device__ float operator()(float x) const { return x * x; } };
int main() {
  thrust::host_vector<int> h(3000); for (int i = 0; i < 3000; i++) h[i] = (i * 7919) % 3001;
  thrust::device_vector<int> d = h; thrust::sort(d.begin(), d.end()); thrust::host_vector<int> r = d; for (int i = 1; i < 3000; i++) EXPECT(r[i - 1] <= r[i]);
  long s = thrust::reduce(d.begin(), d.end(), 0L); long w = 0; for (int v : h) w += v; EXPECT(s == w);
  thrust::device_vector<float> f(1000); thrust::sequence(f.begin(), f.end()); thrust::transform(f.begin(), f.end(), f.begin(), sq()); EXPECT(f[10] == 100.f);
  thrust::device_vector<int> sc(3000); thrust::exclusive_scan(d.begin(), d.end(), sc.begin()); EXPECT(sc[0] == 0 && sc[2] == r[0] + r[1]);
  int *in, *out; CK(cudaMalloc(&in, 4000)); CK(cudaMalloc(&out, 4)); CK(cudaMemcpy(in, h.data(), 4000, cudaMemcpyHostToDevice)); void *tmp = nullptr; size_t bytes = 0; cub::DeviceReduce::Sum(tmp, bytes, in, out, 1000); CK(cudaMalloc(&tmp, bytes)); CK(cub::DeviceReduce::Sum(tmp, bytes, in, out, 1000)); int got, want = 0; for (int i = 0; i < 1000; i++) want += h[i]; CK(cudaMemcpy(&got, out, 4, cudaMemcpyDeviceToHost)); EXPECT(got == want);
  printf("ok\n");
}
