#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("%s:%d: %s -> %s (%s)\n", __FILE__, __LINE__, #x, cudaGetErrorName(e_), cudaGetErrorString(e_)); exit(1); } } while (0)
#define EXPECT(c) do { if (!(c)) { printf("%s:%d: FAILED %s\n", __FILE__, __LINE__, #c); exit(2); } } while (0)
