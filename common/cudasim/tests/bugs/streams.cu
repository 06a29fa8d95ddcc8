// Programs that lack synchronisation with their streams.
#include <cuda_runtime.h>

#include "common/cudasim/tests/programs.h"

namespace streams {

volatile int sink;

__global__ void Set(int* to, int value) { to[threadIdx.x] = value; }

__global__ void Copy(int* to, const int* from) { to[threadIdx.x] = from[threadIdx.x]; }

int* NewDevice() {
  int* memory = nullptr;
  cudaMalloc(&memory, 32 * sizeof(int));
  cudaMemset(memory, 0, 32 * sizeof(int));
  return memory;
}

int* NewPinned() {
  int* memory = nullptr;
  cudaMallocHost(&memory, 32 * sizeof(int));
  return memory;
}

cudaStream_t NewStream() {
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  return stream;
}

void Read(const int* values) { sink = values[0]; }

PROGRAM(ReadPinnedTooEarly) {
  int* const device = NewDevice();
  int* const pinned = NewPinned();
  Set<<<1, 32>>>(device, 1);
  cudaMemcpyAsync(pinned, device, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  Read(pinned);
}

PROGRAM(ReusePinnedTooEarly) {
  int* const device = NewDevice();
  int* const pinned = NewPinned();
  cudaMemcpyAsync(device, pinned, 32 * sizeof(int), cudaMemcpyHostToDevice);
  pinned[3] = 4;
}

PROGRAM(ReadManagedTooEarly) {
  int* managed = nullptr;
  cudaMallocManaged(&managed, 32 * sizeof(int));
  Set<<<1, 32>>>(managed, 1);
  Read(managed);
}

PROGRAM(ReadMappedTooEarly) {
  int* const pinned = NewPinned();
  Set<<<1, 32>>>(pinned, 1);
  Read(pinned);
}

PROGRAM(WriteManagedTooEarly) {
  int* managed = nullptr;
  cudaMallocManaged(&managed, 32 * sizeof(int));
  int* const device = NewDevice();
  managed[0] = 1;
  Copy<<<1, 1>>>(device, managed);
  managed[0] = 2;
}

PROGRAM(KernelsWithoutAnEvent) {
  int* const a = NewDevice();
  int* const b = NewDevice();
  const cudaStream_t producer = NewStream();
  const cudaStream_t consumer = NewStream();
  Set<<<1, 32, 0, producer>>>(a, 1);
  Copy<<<1, 32, 0, consumer>>>(b, a);
}

PROGRAM(TwoKernelsWriteOneBuffer) {
  int* const a = NewDevice();
  const cudaStream_t first = NewStream();
  const cudaStream_t second = NewStream();
  Set<<<1, 32, 0, first>>>(a, 1);
  Set<<<1, 1, 0, second>>>(a + 31, 2);
}

PROGRAM(CopyWithoutAnEvent) {
  int* const a = NewDevice();
  int* const pinned = NewPinned();
  const cudaStream_t producer = NewStream();
  const cudaStream_t consumer = NewStream();
  Set<<<1, 32, 0, producer>>>(a, 1);
  cudaMemcpyAsync(pinned, a, 32 * sizeof(int), cudaMemcpyDeviceToHost, consumer);
}

PROGRAM(TwoCopiesWithoutAnEvent) {
  int* const a = NewDevice();
  int* const pinned = NewPinned();
  const cudaStream_t first = NewStream();
  const cudaStream_t second = NewStream();
  cudaMemsetAsync(a, 0, 32 * sizeof(int), first);
  cudaMemcpyAsync(a, pinned, 32 * sizeof(int), cudaMemcpyHostToDevice, second);
}

PROGRAM(FreeInAnotherStream) {
  int* const a = NewDevice();
  const cudaStream_t first = NewStream();
  const cudaStream_t second = NewStream();
  cudaDeviceSynchronize();
  Set<<<1, 32, 0, first>>>(a, 1);
  cudaFreeAsync(a, second);
}

int* NewOf(cudaStream_t stream) {
  int* memory = nullptr;
  cudaMallocAsync(&memory, 32 * sizeof(int), stream);
  return memory;
}

// The simulator's order of the streams runs the kernel first.
PROGRAM(FreeInAStreamThatIsNotWaitedFor) {
  const cudaStream_t first = NewStream();
  int* const a = NewOf(first);
  const cudaStream_t second = NewStream();
  cudaDeviceSynchronize();
  Set<<<1, 32, 0, second>>>(a, 1);
  cudaFreeAsync(a, first);
}

PROGRAM(NewMemoryWithoutAnEvent) {
  const cudaStream_t first = NewStream();
  const cudaStream_t second = NewStream();
  int* const a = NewOf(first);
  Set<<<1, 32, 0, second>>>(a, 1);
}

PROGRAM(CopyToNewMemoryWithoutAnEvent) {
  const cudaStream_t first = NewStream();
  const cudaStream_t second = NewStream();
  int* const a = NewOf(first);
  cudaMemsetAsync(a, 0, 32 * sizeof(int), second);
}

PROGRAM(FreeNewMemoryWithoutAnEvent) {
  const cudaStream_t first = NewStream();
  const cudaStream_t second = NewStream();
  cudaFreeAsync(NewOf(first), second);
}

__device__ int table[32];

__global__ void SetTable(int value) { table[threadIdx.x] = value; }

__global__ void CopyTable(int* to) { to[threadIdx.x] = table[threadIdx.x]; }

PROGRAM(VariableWithoutAnEvent) {
  int* const copy = NewDevice();
  const cudaStream_t producer = NewStream();
  const cudaStream_t consumer = NewStream();
  SetTable<<<1, 32, 0, producer>>>(1);
  CopyTable<<<1, 32, 0, consumer>>>(copy);
}

PROGRAM(CopyToAVariableWithoutAnEvent) {
  const cudaStream_t first = NewStream();
  const cudaStream_t second = NewStream();
  const int values[32] = {};
  SetTable<<<1, 32, 0, first>>>(1);
  cudaMemcpyToSymbolAsync(table, values, sizeof(values), 0, cudaMemcpyHostToDevice, second);
}

void LaunchAgain(void* memory) { Set<<<1, 32>>>(static_cast<int*>(memory), 2); }

PROGRAM(CallInAHostFunction) {
  int* const a = NewDevice();
  cudaLaunchHostFunc(nullptr, LaunchAgain, a);
  cudaStreamSynchronize(nullptr);
}

PROGRAM(NeverWaited) {
  int* const a = NewDevice();
  Set<<<1, 32>>>(a, 1);
  std::exit(0);
}

void Launch(cudaGraph_t graph) {
  cudaGraphExec_t exec = nullptr;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, nullptr);
}

PROGRAM(CallInTheFunctionOfANode) {
  cudaGraph_t graph = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t node = nullptr;
  const cudaHostNodeParams parameters{LaunchAgain, NewDevice()};
  cudaGraphAddHostNode(&node, graph, nullptr, 0, &parameters);
  Launch(graph);
  cudaStreamSynchronize(nullptr);
}

// One warning for both branches.
PROGRAM(GraphNeverWaited) {
  int* const a = NewDevice();
  cudaGraph_t graph = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t node = nullptr;
  const cudaMemsetParams first{a, 0, 1, 4, 8, 1};
  const cudaMemsetParams second{a + 8, 0, 2, 4, 8, 1};
  cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &first);
  cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &second);
  Launch(graph);
  std::exit(0);
}

}  // namespace streams
