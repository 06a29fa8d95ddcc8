// Streams, events and callbacks with sufficient synchronisation.
#include <atomic>
#include <thread>

#include "common/cudasim/tests/features/test.h"

namespace correct_streams {

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

// Copies in, kernels and copies out of chunks overlap in two streams.
TEST(CorrectStreamsTest, PinnedBuffersInTurn) {
  const Stream streams[2];
  const Pinned in[2], out[2];
  const DeviceVector<int> device_in[2] = {DeviceVector<int>(kCount), DeviceVector<int>(kCount)};
  const DeviceVector<int> device_out[2] = {DeviceVector<int>(kCount), DeviceVector<int>(kCount)};
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
  EXPECT_TRUE(right);
  EXPECT_TRUE(AllAre(out[0].data, 8));
  EXPECT_TRUE(AllAre(out[1].data, 10));
}

void CUDART_CB Raise(void* flag) { static_cast<std::atomic<bool>*>(flag)->store(true); }

// The host waits without a call of CUDA.
TEST(CorrectStreamsTest, TheHostWaitsForAFlag) {
  const Stream stream;
  const DeviceVector<int> values(kCount);
  const Pinned result;
  std::atomic<bool> done{false};
  Add<<<2, 128, 0, stream.handle>>>(values.get(), kCount, 5);
  cudaMemcpyAsync(result.data, values.get(), kCount * sizeof(int), cudaMemcpyDeviceToHost,
                  stream.handle);
  cudaLaunchHostFunc(stream.handle, Raise, &done);
  while (!done) std::this_thread::yield();
  EXPECT_TRUE(AllAre(result.data, 5));
}

__global__ void FillAndRaise(int* values, int n, volatile int* flag) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = 7;
  __syncthreads();
  __threadfence_system();
  if (threadIdx.x == 0) *flag = 1;
}

TEST(CorrectStreamsTest, TheHostPollsMappedMemory) {
  const Pinned values, flags;
  volatile int* const flag = flags.data;
  *flag = 0;
  FillAndRaise<<<1, 128>>>(values.data, kCount, flags.data);
  while (*flag == 0) continue;
  const bool right = AllAre(values.data, 7);
  cudaDeviceSynchronize();
  EXPECT_TRUE(right);
}

TEST(CorrectStreamsTest, MemoryHandedFromStreamToStream) {
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
  EXPECT_TRUE(AllAre(result.data, 9));
}

// New memory at a reused address is not ordered with the old memory's stream.
void TakeAddressesAgain() {
  setenv("CUDASIM_STREAMS", "eager", 1);  // freed at once, so that addresses are reused
  {
    const Stream streams[3];
    for (int i = 0; i < 1500; ++i) {
      const cudaStream_t stream = streams[i % 3].handle;
      int* values = nullptr;
      cudaMallocAsync(&values, kCount * sizeof(int), stream);
      cudaMemsetAsync(values, 0, kCount * sizeof(int), stream);
      cudaFreeAsync(values, stream);
    }
  }
  std::exit(cudaDeviceSynchronize());
}

// Before other tests, which would use the streams' default setting.
TEST(CorrectStreamsDeathTest, AddressesComeAgain) {
  EXPECT_EXIT(TakeAddressesAgain(), testing::ExitedWithCode(0), "^$");
}

TEST(CorrectStreamsTest, ManagedMemoryAfterSynchronising) {
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
  EXPECT_TRUE(first);
  EXPECT_TRUE(second);
}

}  // namespace correct_streams
