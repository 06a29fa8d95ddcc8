// Threads that call one function at the same time, the second one late.
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <thread>

#include "common/cudasim/include/cudasim/expect_callers.h"
#include "common/cudasim/tests/features/test.h"

namespace {

constexpr int kFindingExit = 67;
constexpr std::chrono::milliseconds kLate{30};

__device__ unsigned shared_count;

__global__ void CountUp(unsigned* count) { atomicAdd(count, 1); }

void CountFrom0(unsigned* count, cudaStream_t stream) {
  cudaMemsetAsync(count, 0, sizeof(unsigned), stream);
  CountUp<<<1, 64, 0, stream>>>(count);
  unsigned result = 0;
  cudaMemcpyAsync(&result, count, sizeof result, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  EXPECT_EQ(result, 64u);
}

void CountInSharedMemory(cudaStream_t stream) {
  void* count = nullptr;
  cudaGetSymbolAddress(&count, shared_count);
  CountFrom0(static_cast<unsigned*>(count), stream);
}

void CountInOwnMemory(cudaStream_t stream) {
  unsigned* count = nullptr;
  cudaMallocAsync(&count, sizeof *count, stream);
  CountFrom0(count, stream);
  cudaFreeAsync(count, stream);
}

void CountBehindALock(cudaStream_t stream) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  CountInSharedMemory(stream);
}

void CountUnlessLate(cudaStream_t stream) {
  static std::atomic<bool> done{false};
  if (!done.exchange(true)) CountInSharedMemory(stream);
}

void CallTwice(const std::function<void(cudaStream_t)>& function) {
  simulatorExpectCallers(2);
  const auto call = [&](std::chrono::milliseconds delay) {
    std::this_thread::sleep_for(delay);
    cudaStream_t stream = nullptr;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    function(stream);
    simulatorCallerIsDone();
    cudaStreamDestroy(stream);
  };
  std::thread late(call, kLate);
  call({});
  late.join();
}

TEST(CallersDeathTest, WorkOfTheOneThatIsLateIsUnorderedWithThatOfTheOther) {
  for (int round = 0; round < 5; ++round) {
    EXPECT_EXIT(CallTwice(CountInSharedMemory), testing::ExitedWithCode(kFindingExit),
                "missing_synchronisation");
  }
}

TEST(CallersTest, MayWaitForWorkOfTheirOwn) { CallTwice(CountInOwnMemory); }

TEST(CallersTest, NeedNotWaitAtAll) { CallTwice(CountUnlessLate); }

// More often than the simulator lets them wait for each other in vain.
TEST(CallersTest, MayExcludeEachOther) {
  for (int round = 0; round < 6; ++round) CallTwice(CountBehindALock);
}

}  // namespace
