#include "check.h"
__global__ void add(float *p, float v, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] += v; }
__global__ void mul(float *p, float v, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] *= v; }
void host(void *d) { ++*(int *)d; }
int main() {
  const int n = 256; float *p; CK(cudaMalloc(&p, n * 4)); float h[n]; for (int i = 0; i < n; i++) h[i] = i;
  cudaStream_t s, s2; CK(cudaStreamCreate(&s)); CK(cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking));
  cudaEvent_t e, e2; CK(cudaEventCreate(&e)); CK(cudaEventCreate(&e2));
  int calls = 0; float out[n];
  // capture
  CK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  CK(cudaMemcpyAsync(p, h, n * 4, cudaMemcpyHostToDevice, s));
  add<<<1, n, 0, s>>>(p, 1.0f, n);
  CK(cudaEventRecord(e, s)); CK(cudaStreamWaitEvent(s2, e, 0));
  mul<<<1, n, 0, s2>>>(p, 2.0f, n);
  cudaStreamCaptureStatus st; CK(cudaStreamIsCapturing(s2, &st)); EXPECT(st == cudaStreamCaptureStatusActive);
  CK(cudaEventRecord(e2, s2)); CK(cudaStreamWaitEvent(s, e2, 0));
  CK(cudaLaunchHostFunc(s, host, &calls));
  CK(cudaMemcpyAsync(out, p, n * 4, cudaMemcpyDeviceToHost, s));
  cudaGraph_t g; CK(cudaStreamEndCapture(s, &g)); EXPECT(calls == 0);
  size_t count; CK(cudaGraphGetNodes(g, nullptr, &count)); EXPECT(count == 5);
  cudaGraphExec_t x; CK(cudaGraphInstantiate(&x, g, 0));
  for (int r = 0; r < 3; r++) { CK(cudaGraphLaunch(x, s)); CK(cudaStreamSynchronize(s)); for (int i = 0; i < n; i++) EXPECT(out[i] == (i + 1) * 2); }
  EXPECT(calls == 3);
  CK(cudaGraphExecDestroy(x)); CK(cudaGraphDestroy(g));
  // explicit nodes
  CK(cudaGraphCreate(&g, 0)); cudaGraphNode_t a, b, c, d, f;
  cudaMemsetParams mp{}; mp.dst = p; mp.value = 0; mp.elementSize = 4; mp.width = n; mp.height = 1; CK(cudaGraphAddMemsetNode(&a, g, nullptr, 0, &mp));
  float v = 3; int nn = n; void *args[] = {&p, &v, &nn}; cudaKernelNodeParams kp{}; kp.func = (void *)add; kp.gridDim = 1; kp.blockDim = n; kp.kernelParams = args;
  CK(cudaGraphAddKernelNode(&b, g, &a, 1, &kp));
  kp.func = (void *)mul; v = 5; CK(cudaGraphAddKernelNode(&c, g, &b, 1, &kp));
  cudaHostNodeParams hp{host, &calls}; CK(cudaGraphAddHostNode(&d, g, &c, 1, &hp));
  CK(cudaGraphAddMemcpyNode1D(&f, g, &d, 1, out, p, n * 4, cudaMemcpyDeviceToHost));
  CK(cudaGraphInstantiate(&x, g, 0)); CK(cudaGraphLaunch(x, s)); CK(cudaStreamSynchronize(s)); for (int i = 0; i < n; i++) EXPECT(out[i] == 15);
  v = 7; CK(cudaGraphExecKernelNodeSetParams(x, c, &kp)); CK(cudaGraphLaunch(x, s)); CK(cudaDeviceSynchronize()); EXPECT(out[7] == 21);
  cudaGraph_t g2; CK(cudaGraphClone(&g2, g)); cudaGraphExec_t x2; CK(cudaGraphInstantiate(&x2, g2, 0)); CK(cudaGraphLaunch(x2, s)); CK(cudaDeviceSynchronize()); EXPECT(out[3] == 15);
  cudaGraphNodeType ty; CK(cudaGraphNodeGetType(c, &ty)); EXPECT(ty == cudaGraphNodeTypeKernel);
  size_t edges; CK(cudaGraphGetEdges(g, nullptr, nullptr, nullptr, &edges)); EXPECT(edges == 4);
  cudaGraphExecUpdateResultInfo info; CK(cudaGraphExecUpdate(x, g2, &info)); EXPECT(info.result == cudaGraphExecUpdateSuccess);
  EXPECT(calls == 6);
  printf("ok\n");
}
