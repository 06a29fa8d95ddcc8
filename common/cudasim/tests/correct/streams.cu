// Streams, events and callbacks with the synchronisation that they need.
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
  return RunCase(argc, argv,
                 {CASE(KernelsInOneStreamFollowEachOther), CASE(AnEventJoinsTwoStreams),
                  CASE(PinnedBuffersInTurn), CASE(TheDefaultStreamWaitsForOthers),
                  CASE(HostFunctionsRunInOrder), CASE(MemoryOfAStream),
                  CASE(ManagedMemoryAfterSynchronising), CASE(EventsMeasureTime)});
}
