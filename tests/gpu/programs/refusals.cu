// Mistakes of host code, and the codes that CUDA's reference has for them.
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <cuda_runtime.h>
#include <cooperative_groups.h>
__device__ int sym[4]; __constant__ float con[2]; __managed__ int man;
__global__ void k(int *p, int n) { if (threadIdx.x < n) p[threadIdx.x] = n; }
__global__ void noargs() {}
__global__ void coop(int *p) { cooperative_groups::this_grid().sync(); if (p) p[0] = 1; }
void host_function() {}
int hostvar[4];
static int n = 0, bad = 0;
#define E(x, ...) do { n++; cudaGetLastError(); int got = (int)(x); bool ok = false; for (int w : {__VA_ARGS__}) ok |= got == w; if (!ok) { bad++; printf("%d line %d: %s gives %d %s\n", n, __LINE__, #x, got, cudaGetErrorName((cudaError_t)got)); } fflush(stdout); cudaGetLastError(); } while (0)
#define L(...) (__VA_ARGS__, cudaGetLastError())
int main() {
  int *d, *d2; char h[256]; cudaMalloc(&d, 256); cudaMalloc(&d2, 256); cudaStream_t s, gone, junk = (cudaStream_t)0xdead0; cudaStreamCreate(&s); cudaStreamCreate(&gone); cudaStreamDestroy(gone);
  cudaEvent_t e, e2, ed, nt; cudaEventCreate(&e); cudaEventCreate(&e2); cudaEventCreate(&ed); cudaEventDestroy(ed); cudaEventCreateWithFlags(&nt, cudaEventDisableTiming);
  E(cudaMalloc((void**)nullptr, 4), 1);
  E(cudaMalloc(&d2, (size_t)1 << 50), 2);
  E(cudaMemcpy(h, nullptr, 4, cudaMemcpyDeviceToHost), 1);
  E(cudaMemcpy(nullptr, d, 4, cudaMemcpyDeviceToHost), 1);
  E(cudaMemcpy(nullptr, h, 4, cudaMemcpyHostToDevice), 1);
  E(cudaMemcpy(h, d, (size_t)-1, cudaMemcpyDeviceToHost), 1);
  E(cudaMemcpy(h, d, 4, (cudaMemcpyKind)9), 21);
  E(cudaMemcpy2D(d, 16, h, 16, 32, 2, cudaMemcpyHostToDevice), 12);
  E(cudaMemcpy2D(d, 16, h, 16, 16, (size_t)-1, cudaMemcpyHostToDevice), 1);
  E(cudaMemcpy2D(d, 16, h, 16, 16, 17, cudaMemcpyHostToDevice), 1);
  E(cudaMemcpy2D(d, 16, h, 16, 16, 2, cudaMemcpyDeviceToHost), 1, 21);
  E(cudaMemset(d, 0, (size_t)-1), 1);
  E(cudaMemset(h, 0, 16), 1);
  E(cudaMemset(nullptr, 0, 16), 1);
  E(cudaMemset2D(d, 16, 0, 32, 2), 1, 12);
  E(cudaMemset2D(d, 16, 0, 16, 17), 1);
  E(cudaFree((char*)d + 4), 1);
  E(cudaFree(h), 1);
  E(cudaFreeHost(d), 1);
  { int *pin; cudaMallocHost(&pin, 64); E(cudaFree(pin), 1); cudaFreeHost(pin); }
  E(cudaHostRegister(nullptr, 64, 0), 1);
  E(cudaHostRegister(h, 0, 0), 1);
  cudaHostRegister(h, 256, 0); E(cudaHostRegister(h, 256, 0), 712); cudaHostUnregister(h);
  E(cudaHostUnregister(h), 713, 1);
  { void *q; E(cudaHostGetDevicePointer(&q, hostvar, 0), 1); }
  E(cudaStreamDestroy(gone), 400);
  E(cudaStreamSynchronize(junk), 400);
  E(cudaStreamQuery(gone), 400);
  { float ms; E(cudaEventElapsedTime(&ms, e, e2), 400); cudaEventRecord(nt); cudaEventRecord(e); E(cudaEventElapsedTime(&ms, e, nt), 400); E(cudaEventElapsedTime(nullptr, e, e), 1); }
  E(cudaEventRecord(ed), 400);
  E(cudaEventSynchronize(ed), 400);
  E(cudaEventCreateWithFlags(&e2, 0xff0), 1);
  E(cudaStreamCreateWithFlags(&s, 77), 1); cudaStreamCreate(&s);
  E(cudaStreamCreate(nullptr), 1);
  E(cudaEventCreate(nullptr), 1);
  E(L(k<<<1, 0>>>(d, 4)), 9);
  E(L(k<<<0, 32>>>(d, 4)), 9);
  E(L(k<<<dim3(1, 1, 70000), 32>>>(d, 4)), 9);
  E(L(k<<<1, dim3(1, 1, 65)>>>(d, 4)), 9);
  E(L(k<<<1, 32, 1 << 20>>>(d, 4)), 1);
  E(L(k<<<1, 32, 0, junk>>>(d, 4)), 400);
  E(L(k<<<1, 32, 0, gone>>>(d, 4)), 400);
  E(cudaLaunchKernel((void*)host_function, 1, 1, nullptr, 0, 0), 98);
  E(cudaLaunchKernel((void*)k, 1, 1, nullptr, 0, 0), 1);
  E(cudaLaunchKernel(nullptr, 1, 1, nullptr, 0, 0), 98, 1);
  E(cudaMemcpyToSymbol(sym, h, 64), 1);
  E(cudaMemcpyToSymbol(hostvar, h, 4), 13);
  E(cudaMemcpyToSymbol(sym, h, 4, 16), 1);
  E(cudaMemcpyToSymbol(sym, h, 4, 0, cudaMemcpyDeviceToHost), 21);
  E(cudaMemcpyFromSymbol(h, con, 16), 1);
  E(cudaMemcpyFromSymbol(h, con, 4, 0, cudaMemcpyHostToDevice), 21);
  { size_t z; E(cudaGetSymbolSize(&z, hostvar), 13); void *q; E(cudaGetSymbolAddress(&q, hostvar), 13); E(cudaGetSymbolAddress(nullptr, sym), 1); }
  E(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20), 1);
  E(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, -5), 1);
  { cudaFuncAttributes a; E(cudaFuncGetAttributes(&a, (void*)host_function), 98); E(cudaFuncGetAttributes(nullptr, (void*)k), 1); }
  { int b; E(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&b, (void*)host_function, 32, 0), 98); E(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&b, k, -1, 0), 1); E(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&b, k, 0, 0), 1); }
  { int v; E(cudaDeviceGetAttribute(&v, (cudaDeviceAttr)9999, 0), 1); E(cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 3), 101); cudaDeviceProp p; E(cudaGetDeviceProperties(&p, 5), 101); E(cudaGetDeviceCount(nullptr), 1); E(cudaGetDevice(nullptr), 1); E(cudaGetDeviceProperties(nullptr, 0), 1); }
  { cudaPointerAttributes a; E(cudaPointerGetAttributes(nullptr, d), 1); E(cudaPointerGetAttributes(&a, nullptr), 1, 0); }
  { size_t pitch; E(cudaMallocPitch(&d2, &pitch, (size_t)-512, 4), 1, 2); }
  { cudaArray_t a; cudaChannelFormatDesc c = cudaCreateChannelDesc<float>(); E(cudaMallocArray(&a, &c, 0, 0), 1); E(cudaMallocArray(&a, nullptr, 4, 4), 1); cudaChannelFormatDesc w = cudaCreateChannelDesc(7, 0, 0, 0, cudaChannelFormatKindFloat); E(cudaMallocArray(&a, &w, 4, 4), 1);
    cudaMallocArray(&a, &c, 4, 4); E(cudaMemcpy2DToArray(a, 0, 0, h, 16, 16, 5, cudaMemcpyHostToDevice), 1); E(cudaMemcpy2DToArray(a, 8, 0, h, 16, 16, 1, cudaMemcpyHostToDevice), 1); E(cudaMemcpy2DFromArray(h, 8, a, 0, 0, 16, 2, cudaMemcpyDeviceToHost), 12, 1);
    cudaTextureObject_t t; cudaResourceDesc r; memset(&r, 0, sizeof r); r.resType = cudaResourceTypeArray; r.res.array.array = a; cudaTextureDesc td; memset(&td, 0, sizeof td);
    E(cudaCreateTextureObject(&t, nullptr, &td, nullptr), 1); E(cudaCreateTextureObject(&t, &r, nullptr, nullptr), 1); E(cudaDestroyTextureObject(12345), 1, 0, 400);
    cudaFreeArray(a); E(cudaFreeArray(a), 400, 1); E(cudaCreateTextureObject(&t, &r, &td, nullptr), 400, 1); }
  { cudaGraph_t g, gg; cudaGraphExec_t x; cudaGraphCreate(&g, 0); cudaGraphNode_t a, b; cudaGraphAddEmptyNode(&a, g, nullptr, 0); cudaGraphAddEmptyNode(&b, g, &a, 1);
    E(cudaGraphAddDependencies(g, &b, &a, nullptr, 1) ? cudaErrorInvalidValue : cudaGraphInstantiate(&x, g, 0), 1); 
    E(cudaGraphAddDependencies(g, &a, &a, nullptr, 1), 1); E(cudaGraphInstantiate(&x, (cudaGraph_t)0x1234, 0), 1, 400); E(cudaGraphLaunch((cudaGraphExec_t)0x1234, s), 1, 400); E(cudaGraphAddEmptyNode(nullptr, g, nullptr, 0), 1);
    cudaGraph_t w; cudaGraphCreate(&w, 0); cudaGraphInstantiate(&x, w, 0); cudaGraphExecDestroy(x); E(cudaGraphLaunch(x, s), 1, 400); E(cudaGraphExecDestroy(x), 1, 400); cudaGraphDestroy(w); E(cudaGraphDestroy(w), 1, 400);
    E(cudaStreamEndCapture(s, &gg), 1, 401); E(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal), 900, 906); cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed); E(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed), 1, 401); E(cudaStreamSynchronize(s), 900); cudaStreamEndCapture(s, &gg);
    E(cudaStreamBeginCapture(s, (cudaStreamCaptureMode)8), 1); cudaGraph_t q; cudaStreamEndCapture(s, &q); cudaStreamDestroy(s); cudaStreamCreate(&s); }
  { void *q; E(cudaMallocAsync(&q, 64, junk), 400, 1); cudaMallocAsync(&q, 64, s); cudaFreeAsync(q, s); E(cudaFreeAsync(q, s), 1); E(cudaFreeAsync(h, s), 1); }
  { cudaMemLocation l{cudaMemLocationTypeDevice, 0}, l9{cudaMemLocationTypeDevice, 9}; E(cudaMemPrefetchAsync(h, 64, l, 0, s), 1, 0); E(cudaMemPrefetchAsync(d, 64, l, 0, s), 1); int *m; cudaMallocManaged(&m, 64); E(cudaMemPrefetchAsync(m, 64, l9, 0, s), 101); E(cudaMemPrefetchAsync(m, 1 << 20, l, 0, s), 1); E(cudaMemAdvise(d, 64, cudaMemAdviseSetReadMostly, l), 1); E(cudaMemAdvise(m, 64, cudaMemAdviseSetPreferredLocation, l9), 101); }
  { int *m; E(cudaMallocManaged(&m, 0), 1); E(cudaMallocManaged(&m, 64, 9), 1); E(cudaHostAlloc(&m, 64, 0xf00), 1); E(cudaMallocManaged((void**)nullptr, 64), 1); }
  E(cudaDeviceSetLimit((cudaLimit)99, 1), 1, 215);
  { size_t z; E(cudaDeviceGetLimit(&z, (cudaLimit)99), 1, 215); E(cudaDeviceGetLimit(nullptr, cudaLimitStackSize), 1); }
  E(cudaMemcpyAsync(h, d, 257, cudaMemcpyDeviceToHost, s), 1);
  E(cudaMemcpyAsync(h, d, 16, cudaMemcpyDeviceToHost, junk), 400);
  E(cudaMemsetAsync(d, 0, 16, gone), 400);
  E(cudaStreamAddCallback(s, nullptr, nullptr, 0), 1);
  E(cudaLaunchHostFunc(s, nullptr, nullptr), 1);
  E(cudaStreamWaitEvent(s, ed, 0), 400);
  E(cudaStreamWaitEvent(junk, e, 0), 400);
  { int *p = d; void *args[] = {&p}; E(cudaLaunchCooperativeKernel((void*)coop, dim3(1 << 20), dim3(1024), args, 0, 0), 720); E(cudaLaunchCooperativeKernel((void*)host_function, dim3(1), dim3(32), args, 0, 0), 98); }
  { cudaLaunchConfig_t c{}; c.gridDim = 3; c.blockDim = 32; cudaLaunchAttribute a[1]; a[0].id = cudaLaunchAttributeClusterDimension; a[0].val.clusterDim.x = 2; a[0].val.clusterDim.y = a[0].val.clusterDim.z = 1; c.attrs = a; c.numAttrs = 1; E(cudaLaunchKernelEx(&c, noargs), 1, 9); a[0].val.clusterDim.x = 0; E(cudaLaunchKernelEx(&c, noargs), 1, 9); c.gridDim = 64; a[0].val.clusterDim.x = 64; E(cudaLaunchKernelEx(&c, noargs), 1, 9, 912); E(cudaLaunchKernelExC(nullptr, (void*)noargs, nullptr), 1); }
  { cudaIpcMemHandle_t m; E(cudaIpcGetMemHandle(&m, h), 1); memset(&m, 7, sizeof m); void *q; E(cudaIpcOpenMemHandle(&q, m, cudaIpcMemLazyEnablePeerAccess), 1, 400, 201); E(cudaIpcCloseMemHandle(d), 1); }
  { char b[16]; E(cudaDeviceGetPCIBusId(b, 0, 0), 1); E(cudaDeviceGetPCIBusId(b, 16, 4), 101); int v; E(cudaDeviceGetByPCIBusId(&v, "zz"), 1); E(cudaDeviceGetByPCIBusId(&v, nullptr), 1); }
  { cudaMemcpy3DParms p{}; E(cudaMemcpy3D(&p), 1, 0); p.srcPtr = make_cudaPitchedPtr(h, 16, 4, 4); p.dstPtr = make_cudaPitchedPtr(d, 16, 4, 4); p.extent = make_cudaExtent(16, 4, 99); p.kind = cudaMemcpyHostToDevice; E(cudaMemcpy3D(&p), 1); E(cudaMemcpy3D(nullptr), 1); p.extent = make_cudaExtent(32, 4, 1); E(cudaMemcpy3D(&p), 1, 12); }
  { cudaMemPool_t p; cudaMemPoolProps q{}; E(cudaMemPoolCreate(nullptr, &q), 1); q.allocType = cudaMemAllocationTypePinned; q.location.type = cudaMemLocationTypeDevice; q.location.id = 7; E(cudaMemPoolCreate(&p, &q), 101, 1); E(cudaDeviceGetDefaultMemPool(&p, 3), 101); E(cudaMemPoolDestroy((cudaMemPool_t)0x77), 1, 400); }
  k<<<1, 32>>>((int*)h, 32); E(cudaDeviceSynchronize(), 700);
  k<<<1, 32>>>(nullptr, 32); E(cudaDeviceSynchronize(), 700);
  k<<<1, 128>>>(d, 128); E(cudaStreamSynchronize(0), 700);
  k<<<1, 32>>>(hostvar, 32); E(cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost), 700);
  E(cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost), 0);
  printf("%d mistakes\n%s\n", n, bad ? "" : "ok");
}
