// Programs that lack synchronisation with their streams.
#include "common/cudasim/tests/bugs/bugs.h"

namespace streams {

volatile int sink;

__global__ void Set(int* to, int value) { to[threadIdx.x] = value; }

__global__ void Copy(int* to, const int* from) { to[threadIdx.x] = from[threadIdx.x]; }

int* NewPinned() {
  int* memory = nullptr;
  cudaMallocHost(&memory, 32 * sizeof(int));
  return memory;
}

void Read(const int* values) { sink = values[0]; }

PROGRAM(ReadManagedTooEarly) {
  int* managed = nullptr;
  cudaMallocManaged(&managed, 32 * sizeof(int));
  Set<<<1, 32>>>(managed, 1);
  Read(managed);
}

PROGRAM(WriteManagedTooEarly) {
  int* managed = nullptr;
  cudaMallocManaged(&managed, 32 * sizeof(int));
  int* const device = Zeros(32);
  managed[0] = 1;
  Copy<<<1, 1>>>(device, managed);
  managed[0] = 2;
}

PROGRAM(KernelsWithoutAnEvent) {
  int* const a = Zeros(32);
  int* const b = Zeros(32);
  const cudaStream_t producer = NewStream();
  const cudaStream_t consumer = NewStream();
  Set<<<1, 32, 0, producer>>>(a, 1);
  Copy<<<1, 32, 0, consumer>>>(b, a);
}

PROGRAM(TwoKernelsWriteOneBuffer) {
  int* const a = Zeros(32);
  const cudaStream_t first = NewStream();
  const cudaStream_t second = NewStream();
  Set<<<1, 32, 0, first>>>(a, 1);
  Set<<<1, 1, 0, second>>>(a + 31, 2);
}

PROGRAM(TwoCopiesWithoutAnEvent) {
  int* const a = Zeros(32);
  int* const pinned = NewPinned();
  const cudaStream_t first = NewStream();
  const cudaStream_t second = NewStream();
  cudaMemsetAsync(a, 0, 32 * sizeof(int), first);
  cudaMemcpyAsync(a, pinned, 32 * sizeof(int), cudaMemcpyHostToDevice, second);
}

PROGRAM(FreeInAnotherStream) {
  int* const a = Zeros(32);
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

__device__ int table[32];

__global__ void SetTable(int value) { table[threadIdx.x] = value; }

__global__ void CopyTable(int* to) { to[threadIdx.x] = table[threadIdx.x]; }

PROGRAM(VariableWithoutAnEvent) {
  int* const copy = Zeros(32);
  const cudaStream_t producer = NewStream();
  const cudaStream_t consumer = NewStream();
  SetTable<<<1, 32, 0, producer>>>(1);
  CopyTable<<<1, 32, 0, consumer>>>(copy);
}

void LaunchAgain(void* memory) { Set<<<1, 32>>>(static_cast<int*>(memory), 2); }

PROGRAM(CallInAHostFunction) {
  cudaLaunchHostFunc(nullptr, LaunchAgain, Zeros(32));
  cudaStreamSynchronize(nullptr);
}

PROGRAM(NeverWaited) {
  Set<<<1, 32>>>(Zeros(32), 1);
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
  const cudaHostNodeParams parameters{LaunchAgain, Zeros(32)};
  cudaGraphAddHostNode(&node, graph, nullptr, 0, &parameters);
  Launch(graph);
  cudaStreamSynchronize(nullptr);
}

// One warning for both branches.
PROGRAM(GraphNeverWaited) {
  int* const a = Zeros(32);
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
