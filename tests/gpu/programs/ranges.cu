// Address ranges: pieces side by side, memory at two addresses, access, files; memory and events of another process.
#include "check.h"
#include <cuda.h>
#include <sys/wait.h>
#include <unistd.h>

#define DK(x) EXPECT((x) == CUDA_SUCCESS)

__global__ void fill(int *to, int count, int value) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) to[i] = value + i;
}

static void child(int from) {
  cudaIpcMemHandle_t memory;
  cudaIpcEventHandle_t event;
  EXPECT(read(from, &memory, sizeof memory) == sizeof memory && read(from, &event, sizeof event) == sizeof event);
  int *theirs, back[64];
  CK(cudaIpcOpenMemHandle((void **)&theirs, memory, cudaIpcMemLazyEnablePeerAccess));
  cudaEvent_t opened;
  CK(cudaIpcOpenEventHandle(&opened, event));
  CK(cudaStreamWaitEvent(0, opened));
  CK(cudaMemcpy(back, theirs, sizeof back, cudaMemcpyDeviceToHost));
  EXPECT(back[5] == 105);
  fill<<<1, 32>>>(theirs, 64, 200);
  CK(cudaDeviceSynchronize());
  CK(cudaIpcCloseMemHandle(theirs));
  EXPECT(cudaIpcCloseMemHandle(theirs) == cudaErrorInvalidValue);
  exit(0);
}

static void processes() {
  int ends[2];
  EXPECT(pipe(ends) == 0);
  pid_t other = fork();
  if (!other) child(ends[0]);
  int *before, *memory, *after, back[64], status;
  CK(cudaMalloc(&before, 64)); CK(cudaMalloc(&memory, 256)); CK(cudaMalloc(&after, 64));
  CK(cudaMemset(after, 1, 64));
  fill<<<1, 32>>>(memory, 64, 100);
  cudaIpcMemHandle_t handle;
  cudaIpcEventHandle_t event_handle;
  cudaEvent_t event;
  CK(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
  CK(cudaEventRecord(event));
  CK(cudaIpcGetMemHandle(&handle, memory));
  CK(cudaIpcGetEventHandle(&event_handle, event));
  EXPECT(write(ends[1], &handle, sizeof handle) && write(ends[1], &event_handle, sizeof event_handle));
  EXPECT(waitpid(other, &status, 0) == other && status == 0);
  CK(cudaMemcpy(back, memory, sizeof back, cudaMemcpyDeviceToHost));
  EXPECT(back[5] == 205);
  CK(cudaMemcpy(back, after, 64, cudaMemcpyDeviceToHost));
  EXPECT(back[15] == 0x01010101);
}

int main() {
  processes();
  int yes;
  CUdevice device;
  DK(cuDeviceGet(&device, 0));
  DK(cuDeviceGetAttribute(&yes, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device));
  EXPECT(yes == 1);
  CUmemAllocationProp kind = {};
  kind.type = CU_MEM_ALLOCATION_TYPE_PINNED, kind.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  kind.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  size_t grain;
  DK(cuMemGetAllocationGranularity(&grain, &kind, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUmemGenericAllocationHandle one, two, again;
  DK(cuMemCreate(&one, grain, &kind, 0)); DK(cuMemCreate(&two, grain, &kind, 0));
  CUdeviceptr range, other;
  DK(cuMemAddressReserve(&range, 3 * grain, 0, 0, 0)); DK(cuMemAddressReserve(&other, grain, 0, 0, 0));
  DK(cuMemMap(range, grain, 0, one, 0)); DK(cuMemMap(range + grain, grain, 0, two, 0));
  EXPECT(cuMemMap(range + grain, grain, 0, one, 0) == CUDA_ERROR_INVALID_VALUE);
  int *memory = (int *)range, count = 2 * grain / 4, back[4];
  EXPECT(cudaMemset(memory, 0, 4) != cudaSuccess);  // nothing may be accessed yet
  CUmemAccessDesc access = {kind.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  DK(cuMemSetAccess(range, 2 * grain, &access, 1));
  fill<<<1, 64>>>(memory + count / 2 - 64, 128, 0);
  CK(cudaMemcpy(back, memory + count / 2 - 2, 16, cudaMemcpyDeviceToHost));
  EXPECT(back[0] == 62 && back[3] == 65);
  int file;
  DK(cuMemExportToShareableHandle(&file, two, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  DK(cuMemImportFromShareableHandle(&again, (void *)(long)file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  DK(cuMemMap(other, grain, 0, again, 0));
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
  DK(cuMemSetAccess(other, grain, &access, 1));
  CK(cudaMemcpy(back, (void *)other, 16, cudaMemcpyDeviceToHost));
  EXPECT(back[0] == 64);
  fill<<<1, 1>>>((int *)other, 1, 0);
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  DK(cuMemUnmap(range + grain, grain));
  fill<<<1, 1>>>(memory + count / 2, 1, 0);
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  DK(cuMemMap(range + 2 * grain, grain, 0, two, 0));
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  DK(cuMemSetAccess(range + 2 * grain, grain, &access, 1));
  CK(cudaMemcpy(back, (void *)(range + 2 * grain), 16, cudaMemcpyDeviceToHost));
  EXPECT(back[1] == 65);
  EXPECT(cuMemAddressFree(range, 3 * grain) == CUDA_ERROR_INVALID_VALUE);
  DK(cuMemUnmap(range, grain)); DK(cuMemUnmap(range + 2 * grain, grain)); DK(cuMemUnmap(other, grain));
  DK(cuMemRelease(one)); DK(cuMemRelease(two)); DK(cuMemRelease(again));
  DK(cuMemAddressFree(range, 3 * grain)); DK(cuMemAddressFree(other, grain));
  EXPECT(cudaMemset(memory, 0, 4) != cudaSuccess);
  puts("ok");
}
