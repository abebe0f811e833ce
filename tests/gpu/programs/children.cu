#include "check.h"
__global__ void child(int *p, int base) { p[base + threadIdx.x] = base + threadIdx.x; if (threadIdx.x == 0) printf("child %d\n", base); }
__global__ void parent(int *p) { p[1000 + threadIdx.x] = 7; __syncthreads(); if (threadIdx.x < 2) child<<<1, 32>>>(p, threadIdx.x * 32); }
__global__ void quick(int *d, int l, int r, int depth) {
  if (depth > 8 || r - l < 8) { for (int i = l; i <= r; i++) for (int j = i + 1; j <= r; j++) if (d[j] < d[i]) { int t = d[i]; d[i] = d[j]; d[j] = t; } return; }
  int a = l, b = r, pv = d[(l + r) / 2];
  while (a <= b) { while (d[a] < pv) a++; while (d[b] > pv) b--; if (a <= b) { int t = d[a]; d[a++] = d[b]; d[b--] = t; } }
  if (l < b) { cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); quick<<<1, 1, 0, s>>>(d, l, b, depth + 1); cudaStreamDestroy(s); }
  if (a < r) { cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); quick<<<1, 1, 0, s>>>(d, a, r, depth + 1); cudaStreamDestroy(s); }
}
int main() {
  int *p; CK(cudaMalloc(&p, 8192)); CK(cudaMemset(p, 255, 8192)); parent<<<1, 64>>>(p); CK(cudaGetLastError()); CK(cudaDeviceSynchronize());
  int h[2048]; CK(cudaMemcpy(h, p, 8192, cudaMemcpyDeviceToHost)); for (int i = 0; i < 64; i++) EXPECT(h[i] == i);
  for (int i = 0; i < 128; i++) h[i] = (i * 7919) % 257; CK(cudaMemcpy(p, h, 512, cudaMemcpyHostToDevice)); quick<<<1, 1>>>(p, 0, 127, 0); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h, p, 512, cudaMemcpyDeviceToHost));
  for (int i = 1; i < 128; i++) EXPECT(h[i - 1] <= h[i]);
  printf("ok\n");
}
