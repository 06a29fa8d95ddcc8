// Programs that lack synchronisation with their streams.  `streams BUG` runs the bug of that name;
// streams.txt holds the simulator's report.
#include <cuda_runtime.h>

#include "common/cudasim/tests/bugs/bugs.h"

namespace {

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

void ReadPinnedTooEarly() {
  int* const device = NewDevice();
  int* const pinned = NewPinned();
  Set<<<1, 32>>>(device, 1);
  cudaMemcpyAsync(pinned, device, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  Read(pinned);
}

void ReusePinnedTooEarly() {
  int* const device = NewDevice();
  int* const pinned = NewPinned();
  cudaMemcpyAsync(device, pinned, 32 * sizeof(int), cudaMemcpyHostToDevice);
  pinned[3] = 4;
}

void ReadManagedTooEarly() {
  int* managed = nullptr;
  cudaMallocManaged(&managed, 32 * sizeof(int));
  Set<<<1, 32>>>(managed, 1);
  Read(managed);
}

void ReadMappedTooEarly() {
  int* const pinned = NewPinned();
  Set<<<1, 32>>>(pinned, 1);
  Read(pinned);
}

void WriteManagedTooEarly() {
  int* managed = nullptr;
  cudaMallocManaged(&managed, 32 * sizeof(int));
  int* const device = NewDevice();
  managed[0] = 1;
  Copy<<<1, 1>>>(device, managed);
  managed[0] = 2;
}

void KernelsWithoutAnEvent() {
  int* const a = NewDevice();
  int* const b = NewDevice();
  const cudaStream_t producer = NewStream();
  const cudaStream_t consumer = NewStream();
  Set<<<1, 32, 0, producer>>>(a, 1);
  Copy<<<1, 32, 0, consumer>>>(b, a);
}

void TwoKernelsWriteOneBuffer() {
  int* const a = NewDevice();
  const cudaStream_t first = NewStream();
  const cudaStream_t second = NewStream();
  Set<<<1, 32, 0, first>>>(a, 1);
  Set<<<1, 1, 0, second>>>(a + 31, 2);
}

void CopyWithoutAnEvent() {
  int* const a = NewDevice();
  int* const pinned = NewPinned();
  const cudaStream_t producer = NewStream();
  const cudaStream_t consumer = NewStream();
  Set<<<1, 32, 0, producer>>>(a, 1);
  cudaMemcpyAsync(pinned, a, 32 * sizeof(int), cudaMemcpyDeviceToHost, consumer);
}

void TwoCopiesWithoutAnEvent() {
  int* const a = NewDevice();
  int* const pinned = NewPinned();
  const cudaStream_t first = NewStream();
  const cudaStream_t second = NewStream();
  cudaMemsetAsync(a, 0, 32 * sizeof(int), first);
  cudaMemcpyAsync(a, pinned, 32 * sizeof(int), cudaMemcpyHostToDevice, second);
}

void FreeInAnotherStream() {
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
void FreeInAStreamThatIsNotWaitedFor() {
  const cudaStream_t first = NewStream();
  int* const a = NewOf(first);
  const cudaStream_t second = NewStream();
  cudaDeviceSynchronize();
  Set<<<1, 32, 0, second>>>(a, 1);
  cudaFreeAsync(a, first);
}

void NewMemoryWithoutAnEvent() {
  const cudaStream_t first = NewStream();
  const cudaStream_t second = NewStream();
  int* const a = NewOf(first);
  Set<<<1, 32, 0, second>>>(a, 1);
}

void CopyToNewMemoryWithoutAnEvent() {
  const cudaStream_t first = NewStream();
  const cudaStream_t second = NewStream();
  int* const a = NewOf(first);
  cudaMemsetAsync(a, 0, 32 * sizeof(int), second);
}

void FreeNewMemoryWithoutAnEvent() {
  const cudaStream_t first = NewStream();
  const cudaStream_t second = NewStream();
  cudaFreeAsync(NewOf(first), second);
}

__device__ int table[32];

__global__ void SetTable(int value) { table[threadIdx.x] = value; }

__global__ void CopyTable(int* to) { to[threadIdx.x] = table[threadIdx.x]; }

void VariableWithoutAnEvent() {
  int* const copy = NewDevice();
  const cudaStream_t producer = NewStream();
  const cudaStream_t consumer = NewStream();
  SetTable<<<1, 32, 0, producer>>>(1);
  CopyTable<<<1, 32, 0, consumer>>>(copy);
}

void CopyToAVariableWithoutAnEvent() {
  const cudaStream_t first = NewStream();
  const cudaStream_t second = NewStream();
  const int values[32] = {};
  SetTable<<<1, 32, 0, first>>>(1);
  cudaMemcpyToSymbolAsync(table, values, sizeof(values), 0, cudaMemcpyHostToDevice, second);
}

void LaunchAgain(void* memory) { Set<<<1, 32>>>(static_cast<int*>(memory), 2); }

void CallInAHostFunction() {
  int* const a = NewDevice();
  cudaLaunchHostFunc(nullptr, LaunchAgain, a);
  cudaStreamSynchronize(nullptr);
}

void NeverWaited() {
  int* const a = NewDevice();
  Set<<<1, 32>>>(a, 1);
  std::exit(0);
}

void Launch(cudaGraph_t graph) {
  cudaGraphExec_t exec = nullptr;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, nullptr);
}

void CallInTheFunctionOfANode() {
  cudaGraph_t graph = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t node = nullptr;
  const cudaHostNodeParams parameters{LaunchAgain, NewDevice()};
  cudaGraphAddHostNode(&node, graph, nullptr, 0, &parameters);
  Launch(graph);
  cudaStreamSynchronize(nullptr);
}

// One warning for both branches.
void GraphNeverWaited() {
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

}  // namespace

int main(int argc, char** argv) {
  return RunBug(argc, argv,
                {BUG(ReadPinnedTooEarly),
                 BUG(ReusePinnedTooEarly),
                 BUG(ReadManagedTooEarly),
                 BUG(ReadMappedTooEarly),
                 BUG(WriteManagedTooEarly),
                 BUG(KernelsWithoutAnEvent),
                 BUG(TwoKernelsWriteOneBuffer),
                 BUG(CopyWithoutAnEvent),
                 BUG(TwoCopiesWithoutAnEvent),
                 BUG(FreeInAnotherStream),
                 BUG(FreeInAStreamThatIsNotWaitedFor),
                 BUG(NewMemoryWithoutAnEvent),
                 BUG(CopyToNewMemoryWithoutAnEvent),
                 BUG(FreeNewMemoryWithoutAnEvent),
                 BUG(VariableWithoutAnEvent),
                 BUG(CopyToAVariableWithoutAnEvent),
                 BUG(CallInAHostFunction),
                 BUG(NeverWaited),
                 BUG(CallInTheFunctionOfANode),
                 BUG(GraphNeverWaited)});
}
