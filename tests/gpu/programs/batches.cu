// Copies in batches, between arrays and peers; nodes by one structure; conditional nodes; memory operations of streams.
#include "check.h"
#include <cuda.h>
#include <vector>

__global__ void count_down(int *value, cudaGraphConditionalHandle handle) {
  if (threadIdx.x == 0) cudaGraphSetConditional(handle, --*value > 0);
}
__global__ void add(int *value, int amount) { *value += amount; }

static void batches(cudaStream_t stream) {
  int host[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {}, *device;
  CK(cudaMalloc(&device, sizeof host));
  void *to[] = {device + 4, device};
  const void *from[] = {host, host + 4};
  size_t sizes[] = {16, 16}, first[] = {0};
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  CK(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, first, 1, stream));
  CK(cudaMemcpyWithAttributesAsync(back, device, sizeof back, &attributes, stream));
  CK(cudaStreamSynchronize(stream));
  EXPECT(back[0] == 5 && back[4] == 1);
  void *range[1];
  int advice = 7;
  size_t size = sizeof advice;
  cudaMemRangeAttribute which = cudaMemRangeAttributeReadMostly;
  range[0] = &advice;
  CK(cudaMemRangeGetAttributes(range, &size, &which, 1, device, 16));
  EXPECT(advice == 0);
  CK(cudaFree(device));
}

static void arrays() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t one, two;
  CK(cudaMallocArray(&one, &format, 8, 4));
  CK(cudaMallocArray(&two, &format, 8, 4));
  std::vector<float> image(32), back(32);
  for (int i = 0; i < 32; i++) image[i] = i;
  CK(cudaMemcpy2DToArray(one, 0, 0, image.data(), 32, 32, 4, cudaMemcpyHostToDevice));
  CK(cudaMemcpyArrayToArray(two, 0, 1, one, 0, 0, 64, cudaMemcpyDeviceToDevice));
  cudaMemcpy3DPeerParms peer = {};
  peer.srcArray = two;
  peer.dstPtr = make_cudaPitchedPtr(back.data(), 32, 8, 4);
  peer.extent = make_cudaExtent(8, 4, 1);
  CK(cudaMemcpy3DPeer(&peer));
  EXPECT(back[7] == 0 && back[8] == 0 && back[9] == 1 && back[23] == 15 && back[24] == 0);
  cudaMemcpy3DBatchOp copy = {};
  copy.src.type = cudaMemcpyOperandTypeArray;
  copy.src.op.array.array = one;
  copy.src.op.array.offset = {2, 1, 0};
  copy.dst.type = cudaMemcpyOperandTypePointer;
  copy.dst.op.ptr.ptr = back.data();
  copy.dst.op.ptr.rowLength = 4;
  copy.extent = make_cudaExtent(4, 2, 1);
  cudaStream_t stream;
  CK(cudaStreamCreate(&stream));
  CK(cudaMemcpy3DBatchAsync(1, &copy, 0, stream));
  CK(cudaStreamSynchronize(stream));
  EXPECT(back[0] == 10 && back[3] == 13 && back[4] == 18);
  CK(cudaFreeArray(one));
  CK(cudaFreeArray(two));
}

static void nodes(cudaStream_t stream) {
  int *value, *turns, back = 0, start = 3;
  CK(cudaMalloc(&value, 4));
  CK(cudaMalloc(&turns, 4));
  cudaGraph_t graph;
  CK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle handle;
  CK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNode_t set, copy, loop, add_node, down;
  cudaGraphNodeParams p = {cudaGraphNodeTypeMemset};
  p.memset.dst = value, p.memset.elementSize = 4, p.memset.width = p.memset.height = 1;
  CK(cudaGraphAddNode(&set, graph, nullptr, nullptr, 0, &p));
  cudaGraphNodeParams c = {cudaGraphNodeTypeMemcpy};
  c.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(&start, 4, 1, 1);
  c.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(turns, 4, 1, 1);
  c.memcpy.copyParams.extent = make_cudaExtent(4, 1, 1);
  c.memcpy.copyParams.kind = cudaMemcpyHostToDevice;
  CK(cudaGraphAddNode(&copy, graph, &set, nullptr, 1, &c));
  cudaGraphNodeParams w = {cudaGraphNodeTypeConditional};
  w.conditional.handle = handle, w.conditional.type = cudaGraphCondTypeWhile, w.conditional.size = 1;
  CK(cudaGraphAddNode(&loop, graph, &copy, nullptr, 1, &w));
  cudaGraph_t body = w.conditional.phGraph_out[0];
  int amount = 10;
  void *first[] = {&value, &amount}, *second[] = {&turns, &handle};
  cudaGraphNodeParams k = {cudaGraphNodeTypeKernel};
  k.kernel.func = (void *)add, k.kernel.gridDim = k.kernel.blockDim = dim3(1), k.kernel.kernelParams = first;
  CK(cudaGraphAddNode(&add_node, body, nullptr, nullptr, 0, &k));
  k.kernel.func = (void *)count_down, k.kernel.kernelParams = second;
  CK(cudaGraphAddNode(&down, body, &add_node, nullptr, 1, &k));
  cudaGraphExec_t made;
  CK(cudaGraphInstantiate(&made, graph, 0));
  for (int turn = 0; turn < 2; turn++) {
    CK(cudaGraphLaunch(made, stream));
    CK(cudaStreamSynchronize(stream));
    CK(cudaMemcpy(&back, value, 4, cudaMemcpyDeviceToHost));
    EXPECT(back == 30);
  }
  p.memset.value = 5;
  CK(cudaGraphExecNodeSetParams(made, set, &p));
  CK(cudaGraphLaunch(made, stream));
  CK(cudaMemcpy(&back, value, 4, cudaMemcpyDeviceToHost));
  EXPECT(back == 35);
}

static void captured(cudaStream_t stream) {
  int *value, back = 0;
  CK(cudaMalloc(&value, 4));
  CK(cudaMemset(value, 0, 4));
  cudaStreamCaptureStatus status;
  cudaGraph_t graph, same;
  const cudaGraphNode_t *last;
  size_t count = 77;
  unsigned long long number;
  CK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(value, 1);
  CK(cudaStreamGetCaptureInfo(stream, &status, &number, &graph, &last, nullptr, &count));
  EXPECT(status == cudaStreamCaptureStatusActive && count == 1);
  int amount = 10;
  void *arguments[] = {&value, &amount};
  cudaGraphNodeParams k = {cudaGraphNodeTypeKernel};
  k.kernel.func = (void *)add, k.kernel.gridDim = k.kernel.blockDim = dim3(1), k.kernel.kernelParams = arguments;
  cudaGraphNode_t by_hand, before[2];
  CK(cudaGraphAddNode(&by_hand, graph, last, nullptr, count, &k));
  CK(cudaStreamUpdateCaptureDependencies(stream, &by_hand, nullptr, 1, cudaStreamSetCaptureDependencies));
  add<<<1, 1, 0, stream>>>(value, 100);
  CK(cudaStreamEndCapture(stream, &same));
  cudaGraphNode_t from[4], to[4];
  count = 4;
  CK(cudaGraphGetEdges(same, from, to, nullptr, &count));
  EXPECT(same == graph && count == 2 && to[0] == by_hand && from[1] == by_hand);
  size_t given = 2;
  CK(cudaGraphNodeGetDependencies(to[1], before, nullptr, &given));
  EXPECT(given == 1 && before[0] == by_hand);
  cudaGraphExec_t made;
  CK(cudaGraphInstantiate(&made, same, 0));
  CK(cudaGraphLaunch(made, stream));
  CK(cudaMemcpy(&back, value, 4, cudaMemcpyDeviceToHost));
  EXPECT(back == 111);
}

static void memory_of_graphs(cudaStream_t stream) {
  int *value, back = 0;
  cudaGraph_t graph;
  cudaGraphExec_t made;
  CK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CK(cudaMallocAsync(&value, 4, stream));
  CK(cudaMemsetAsync(value, 0, 4, stream));
  add<<<1, 1, 0, stream>>>(value, 7);
  CK(cudaStreamEndCapture(stream, &graph));
  CK(cudaGraphInstantiate(&made, graph, 0));
  for (int turn = 0; turn < 2; turn++) {  // the program frees it, and the next launch has it again
    CK(cudaGraphLaunch(made, stream));
    CK(cudaMemcpyAsync(&back, value, 4, cudaMemcpyDeviceToHost, stream));
    CK(cudaFreeAsync(value, stream));
    CK(cudaStreamSynchronize(stream));
    EXPECT(back == 7);
  }
}

static void operations(cudaStream_t stream) {
  unsigned *flags, back[2];
  CK(cudaMalloc(&flags, 8));
  CK(cudaMemset(flags, 0, 8));
  CUstreamBatchMemOpParams row[3] = {};
  row[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  row[0].writeValue.address = (CUdeviceptr)flags, row[0].writeValue.value = 6;
  row[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  row[1].waitValue.address = (CUdeviceptr)flags, row[1].waitValue.value = 6, row[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  row[2] = row[0];
  row[2].writeValue.address = (CUdeviceptr)(flags + 1);
  EXPECT(cuStreamBatchMemOp(stream, 3, row, 0) == CUDA_SUCCESS);
  EXPECT(cuStreamWaitValue32(stream, (CUdeviceptr)flags, 7, CU_STREAM_WAIT_VALUE_GEQ) == CUDA_ERROR_LAUNCH_TIMEOUT);
  CK(cudaMemcpy(back, flags, 8, cudaMemcpyDeviceToHost));
  EXPECT(back[0] == 6 && back[1] == 6);
}

int main() {
  cudaStream_t stream;
  CK(cudaStreamCreate(&stream));
  batches(stream);
  arrays();
  nodes(stream);
  captured(stream);
  memory_of_graphs(stream);
  operations(stream);
  EXPECT(cuMulticastCreate(nullptr, nullptr) == CUDA_ERROR_NOT_SUPPORTED);
  puts("ok");
}
