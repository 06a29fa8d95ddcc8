// Streams, events and callbacks with sufficient synchronisation.
#include <atomic>
#include <cstdlib>
#include <thread>

#include "common/cudasim/tests/correct/correct.h"

namespace {

constexpr int kCount = 256;

__global__ void Add(int* values, int n, int what) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += what;
}

__global__ void Double(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

struct Stream {
  explicit Stream(unsigned flags = cudaStreamDefault) { cudaStreamCreateWithFlags(&handle, flags); }
  ~Stream() { cudaStreamDestroy(handle); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t handle = nullptr;
};

struct Pinned {
  Pinned() { cudaMallocHost(&data, kCount * sizeof(int)); }
  ~Pinned() { cudaFreeHost(data); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  int* data = nullptr;
};

bool AllAre(const int* values, int expected) {
  for (int i = 0; i < kCount; ++i) {
    if (values[i] != expected) return false;
  }
  return true;
}

bool KernelsInOneStreamFollowEachOther() {
  const Stream stream;
  const DeviceArray<int> values(kCount);
  for (int i = 1; i <= 4; ++i) Add<<<2, 128, 0, stream.handle>>>(values.get(), kCount, i);
  cudaStreamSynchronize(stream.handle);
  return AllAre(values.ToHost().data(), 10);
}

bool TwoStreamsWithBuffersOfTheirOwn() {
  const Stream first, second(cudaStreamNonBlocking);
  const DeviceArray<int> a(kCount), b(kCount);
  cudaDeviceSynchronize();
  for (int i = 1; i <= 4; ++i) {
    Add<<<2, 128, 0, first.handle>>>(a.get(), kCount, i);
    Add<<<2, 128, 0, second.handle>>>(b.get(), kCount, 2 * i);
  }
  cudaDeviceSynchronize();
  return AllAre(a.ToHost().data(), 10) && AllAre(b.ToHost().data(), 20);
}

bool TwoStreamsReadOneBufferAndWriteHalvesOfAnother() {
  const Stream first, second;
  const DeviceArray<int> in(std::vector<int>(kCount, 4)), out(kCount);
  const int half = kCount / 2;
  Double<<<1, half, 0, first.handle>>>(in.get(), out.get(), half);
  Double<<<1, half, 0, second.handle>>>(in.get(), out.get() + half, half);
  cudaDeviceSynchronize();
  return AllAre(out.ToHost().data(), 8);
}

bool AnEventJoinsTwoStreams() {
  const Stream first(cudaStreamNonBlocking), second(cudaStreamNonBlocking);
  const DeviceArray<int> in(kCount), out(kCount);
  cudaDeviceSynchronize();  // these streams do not wait for the memory's initialisation
  cudaEvent_t ready;
  cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
  Add<<<2, 128, 0, first.handle>>>(in.get(), kCount, 21);
  cudaEventRecord(ready, first.handle);
  cudaStreamWaitEvent(second.handle, ready, 0);
  Double<<<2, 128, 0, second.handle>>>(in.get(), out.get(), kCount);
  cudaStreamSynchronize(second.handle);
  cudaEventDestroy(ready);
  return AllAre(out.ToHost().data(), 42);
}

// Copies in, kernels and copies out of chunks overlap in two streams.
bool PinnedBuffersInTurn() {
  const Stream streams[2];
  const Pinned in[2], out[2];
  const DeviceArray<int> device_in[2] = {DeviceArray<int>(kCount), DeviceArray<int>(kCount)};
  const DeviceArray<int> device_out[2] = {DeviceArray<int>(kCount), DeviceArray<int>(kCount)};
  bool right = true;
  for (int chunk = 0; chunk < 6; ++chunk) {
    const int turn = chunk % 2;
    cudaStreamSynchronize(streams[turn].handle);  // the buffers are free again
    if (chunk >= 2) right = right && AllAre(out[turn].data, 2 * (chunk - 2));
    for (int i = 0; i < kCount; ++i) in[turn].data[i] = chunk;
    const std::size_t bytes = kCount * sizeof(int);
    cudaMemcpyAsync(device_in[turn].get(), in[turn].data, bytes, cudaMemcpyHostToDevice,
                    streams[turn].handle);
    Double<<<2, 128, 0, streams[turn].handle>>>(device_in[turn].get(), device_out[turn].get(),
                                                kCount);
    cudaMemcpyAsync(out[turn].data, device_out[turn].get(), bytes, cudaMemcpyDeviceToHost,
                    streams[turn].handle);
  }
  cudaDeviceSynchronize();
  return right && AllAre(out[0].data, 8) && AllAre(out[1].data, 10);
}

bool TheDefaultStreamWaitsForOthers() {
  const Stream stream;
  const DeviceArray<int> values(kCount), out(kCount);
  Add<<<2, 128, 0, stream.handle>>>(values.get(), kCount, 3);
  Double<<<2, 128>>>(values.get(), out.get(), kCount);
  Add<<<2, 128, 0, stream.handle>>>(values.get(), kCount, 100);
  return AllAre(out.ToHost().data(), 6) && AllAre(values.ToHost().data(), 103);
}

void CUDART_CB CountCall(void* data) { ++*static_cast<int*>(data); }

bool HostFunctionsRunInOrder() {
  const Stream stream;
  const DeviceArray<int> values(kCount);
  int calls = 0;
  Add<<<2, 128, 0, stream.handle>>>(values.get(), kCount, 1);
  cudaLaunchHostFunc(stream.handle, CountCall, &calls);
  Add<<<2, 128, 0, stream.handle>>>(values.get(), kCount, 1);
  cudaLaunchHostFunc(stream.handle, CountCall, &calls);
  cudaStreamSynchronize(stream.handle);
  return calls == 2 && AllAre(values.ToHost().data(), 2);
}

void CUDART_CB Raise(void* flag) { static_cast<std::atomic<bool>*>(flag)->store(true); }

// The host waits without a call of CUDA.
bool TheHostWaitsForAFlag() {
  const Stream stream;
  const DeviceArray<int> values(kCount);
  const Pinned result;
  std::atomic<bool> done{false};
  Add<<<2, 128, 0, stream.handle>>>(values.get(), kCount, 5);
  cudaMemcpyAsync(result.data, values.get(), kCount * sizeof(int), cudaMemcpyDeviceToHost,
                  stream.handle);
  cudaLaunchHostFunc(stream.handle, Raise, &done);
  while (!done) std::this_thread::yield();
  return AllAre(result.data, 5);
}

__global__ void FillAndRaise(int* values, int n, volatile int* flag) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = 7;
  __syncthreads();
  __threadfence_system();
  if (threadIdx.x == 0) *flag = 1;
}

bool TheHostPollsMappedMemory() {
  const Pinned values, flags;
  volatile int* const flag = flags.data;
  *flag = 0;
  FillAndRaise<<<1, 128>>>(values.data, kCount, flags.data);
  while (*flag == 0) continue;
  const bool right = AllAre(values.data, 7);
  cudaDeviceSynchronize();
  return right;
}

bool MemoryHandedFromStreamToStream() {
  const Stream first(cudaStreamNonBlocking), second(cudaStreamNonBlocking);
  const Pinned result;
  const std::size_t bytes = kCount * sizeof(int);
  cudaEvent_t ready, used;
  cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&used, cudaEventDisableTiming);
  for (int round = 0; round < 3; ++round) {
    int* values = nullptr;
    cudaMallocAsync(&values, bytes, first.handle);
    cudaMemsetAsync(values, 0, bytes, first.handle);
    cudaEventRecord(ready, first.handle);
    cudaStreamWaitEvent(second.handle, ready, 0);
    Add<<<2, 128, 0, second.handle>>>(values, kCount, 9);
    cudaMemcpyAsync(result.data, values, bytes, cudaMemcpyDeviceToHost, second.handle);
    cudaEventRecord(used, second.handle);
    cudaStreamWaitEvent(first.handle, used, 0);
    cudaFreeAsync(values, first.handle);
  }
  cudaStreamSynchronize(second.handle);
  cudaEventDestroy(ready);
  cudaEventDestroy(used);
  return AllAre(result.data, 9);
}

// New memory at a reused address is not ordered with the old memory's stream.
bool AddressesComeAgain() {
  setenv("CUDASIM_STREAMS", "eager", 1);  // freed at once, so that addresses are reused
  const Stream streams[3];
  for (int i = 0; i < 1500; ++i) {
    const cudaStream_t stream = streams[i % 3].handle;
    int* values = nullptr;
    cudaMallocAsync(&values, kCount * sizeof(int), stream);
    cudaMemsetAsync(values, 0, kCount * sizeof(int), stream);
    cudaFreeAsync(values, stream);
  }
  return true;
}

bool MemoryOfAStream() {
  const Stream stream;
  const Pinned result;
  int* values = nullptr;
  const std::size_t bytes = kCount * sizeof(int);
  cudaMallocAsync(&values, bytes, stream.handle);
  cudaMemsetAsync(values, 0, bytes, stream.handle);
  Add<<<2, 128, 0, stream.handle>>>(values, kCount, 9);
  cudaMemcpyAsync(result.data, values, bytes, cudaMemcpyDeviceToHost, stream.handle);
  cudaFreeAsync(values, stream.handle);
  cudaStreamSynchronize(stream.handle);
  return AllAre(result.data, 9);
}

bool ManagedMemoryAfterSynchronising() {
  int* values = nullptr;
  cudaMallocManaged(&values, kCount * sizeof(int));
  for (int i = 0; i < kCount; ++i) values[i] = 1;
  Add<<<2, 128>>>(values, kCount, 6);
  cudaDeviceSynchronize();
  const bool first = AllAre(values, 7);
  for (int i = 0; i < kCount; ++i) values[i] = 0;
  Add<<<2, 128>>>(values, kCount, 2);
  cudaDeviceSynchronize();
  const bool second = AllAre(values, 2);
  cudaFree(values);
  return first && second;
}

bool EventsMeasureTime() {
  const DeviceArray<int> values(kCount);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  Add<<<2, 128>>>(values.get(), kCount, 1);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float milliseconds = -1;
  const cudaError_t error = cudaEventElapsedTime(&milliseconds, start, stop);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  return error == cudaSuccess && milliseconds >= 0;
}

}  // namespace

int main(int argc, char** argv) {
  return RunCase(
      argc, argv,
      {CASE(KernelsInOneStreamFollowEachOther), CASE(TwoStreamsWithBuffersOfTheirOwn),
       CASE(TwoStreamsReadOneBufferAndWriteHalvesOfAnother), CASE(AnEventJoinsTwoStreams),
       CASE(PinnedBuffersInTurn), CASE(TheDefaultStreamWaitsForOthers),
       CASE(HostFunctionsRunInOrder), CASE(TheHostWaitsForAFlag), CASE(TheHostPollsMappedMemory),
       CASE(MemoryHandedFromStreamToStream), CASE(AddressesComeAgain), CASE(MemoryOfAStream),
       CASE(ManagedMemoryAfterSynchronising), CASE(EventsMeasureTime)});
}
