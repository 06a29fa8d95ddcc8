// Work and span of launches, and the critical path of a call over streams.
#include <cooperative_groups.h>

#include <cstdint>

#include "common/cudasim/runtime/streams/critical_path.h"
#include "common/cudasim/tests/features/test.h"

namespace {

constexpr int kLong = 1000;  // steps, each of which is one store and a basic block or two

struct Path {
  std::uint64_t work;
  std::uint64_t span;
};

// Work and span of everything that `launch` launches.
template <class Launch>
Path PathOf(const Launch& launch) {
  simulatorResetProfile();
  launch();
  EXPECT_OK(cudaDeviceSynchronize());
  return {cudasim::CallWork(), cudasim::CallSpan()};
}

__device__ void Step(int* values, int steps) {
  for (int i = 0; i < steps; ++i) values[i] = i;
}

// Each thread takes `steps` steps, in memory of its own.
__global__ void Even(int* values, int steps) {
  Step(values + (blockIdx.x * blockDim.x + threadIdx.x) * steps, steps);
}

Path PathOfEven(int blocks, int threads) {
  DeviceVector<int> values(static_cast<std::size_t>(blocks) * threads * 50);
  return PathOf([&] { Even<<<blocks, threads>>>(values.get(), 50); });
}

TEST(WorkSpanTest, OneThreadHasParallelismOne) {
  const Path path = PathOfEven(1, 1);
  EXPECT_GE(path.span, 100u);
  EXPECT_EQ(path.work, path.span);
}

TEST(WorkSpanTest, ThreadsOfABlockThatDoTheSameHaveTheirNumberAsParallelism) {
  EXPECT_EQ(PathOfEven(1, 96).span, PathOfEven(1, 1).span);
  EXPECT_EQ(PathOfEven(1, 96).work, 96 * PathOfEven(1, 1).work);
}

TEST(WorkSpanTest, BlocksAddWorkAndNoSpan) {
  EXPECT_EQ(PathOfEven(40, 33).span, PathOfEven(1, 1).span);
  EXPECT_EQ(PathOfEven(40, 33).work, 40 * 33 * PathOfEven(1, 1).work);
}

__global__ void OneOfMany(int* values) {
  if (threadIdx.x == 5 && blockIdx.x == 2) Step(values, kLong);
}

TEST(WorkSpanTest, ManyThreadsOfWhichOneWorksHaveLittleParallelism) {
  DeviceVector<int> values(kLong);
  const Path path = PathOf([&] { OneOfMany<<<4, 32>>>(values.get()); });
  EXPECT_LT(path.work, 2 * path.span);
}

// Two threads, which run one after the other if something orders them.
enum class Between { kNothing, kBarrier, kWarp, kGrid };

template <Between kBetween>
__global__ void InTurns(int* values, unsigned second) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread == 0) Step(values, kLong);
  if (kBetween == Between::kBarrier) __syncthreads();
  if (kBetween == Between::kWarp) __syncwarp();
  if (kBetween == Between::kGrid) cooperative_groups::this_grid().sync();
  if (thread == second) Step(values + kLong, kLong);
}

template <Between kBetween>
std::uint64_t SpanOfTurns(unsigned second, int blocks = 1) {
  DeviceVector<int> values(2 * kLong);
  int* data = values.get();
  void* arguments[] = {&data, &second};
  return PathOf([&] {
           EXPECT_OK(cudaLaunchCooperativeKernel(&InTurns<kBetween>, blocks, 64, arguments));
         })
      .span;
}

TEST(WorkSpanTest, ABarrierAddsTheLongestWaysBeforeAndBehindIt) {
  const std::uint64_t apart = SpanOfTurns<Between::kNothing>(40);
  EXPECT_GE(SpanOfTurns<Between::kBarrier>(40), 2 * apart - 50);
}

TEST(WorkSpanTest, LanesThatMeetGoOnTogetherAndOtherWarpsDoNotWait) {
  const std::uint64_t apart = SpanOfTurns<Between::kNothing>(7);
  EXPECT_GE(SpanOfTurns<Between::kWarp>(7), 2 * apart - 50);
  EXPECT_LE(SpanOfTurns<Between::kWarp>(40), apart + 50);
}

TEST(WorkSpanTest, GridSyncAddsTheLongestWaysOfAllBlocks) {
  const std::uint64_t apart = SpanOfTurns<Between::kNothing>(70, 2);
  EXPECT_GE(SpanOfTurns<Between::kGrid>(70, 2), 2 * apart - 50);
}

__global__ void SumByShuffles(int* values) {
  if (threadIdx.x == 3) Step(values, kLong);
  const int sum = __shfl_down_sync(0xffffffff, static_cast<int>(threadIdx.x), 1);
  if (threadIdx.x == 2) Step(values + kLong, kLong);
  values[2 * kLong + threadIdx.x] = sum;
}

TEST(WorkSpanTest, AShuffleWaitsForItsLanes) {
  DeviceVector<int> values(2 * kLong + 32);
  const Path path = PathOf([&] { SumByShuffles<<<1, 32>>>(values.get()); });
  EXPECT_GE(path.span, 2u * 2 * kLong);
}

// Two launches of one thread each, by streams, events and waits.
class CriticalPathTest : public testing::Test {
 protected:
  CriticalPathTest() {
    for (cudaStream_t& stream : streams_) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (cudaStream_t& stream : blocking_) cudaStreamCreate(&stream);
    cudaEventCreate(&event_);
    one_ = PathOf([&] { Launch(0, nullptr); }).span;
  }
  ~CriticalPathTest() override {
    cudaEventDestroy(event_);
    for (cudaStream_t stream : streams_) cudaStreamDestroy(stream);
    for (cudaStream_t stream : blocking_) cudaStreamDestroy(stream);
  }

  void Launch(int which, cudaStream_t stream) {
    Even<<<1, 1, 0, stream>>>(values_.get() + which * kLong, kLong);
  }

  // The number of launches on the critical path.
  template <class Calls>
  double Chain(const Calls& calls) {
    return static_cast<double>(PathOf(calls).span) / static_cast<double>(one_);
  }

  DeviceVector<int> values_{4 * kLong};
  cudaStream_t streams_[2];
  cudaStream_t blocking_[2];
  cudaEvent_t event_;
  std::uint64_t one_;
};

TEST_F(CriticalPathTest, LaunchesOfTwoStreamsOverlap) {
  EXPECT_EQ(Chain([&] {
              Launch(0, streams_[0]);
              Launch(1, streams_[1]);
            }),
            1);
  EXPECT_EQ(Chain([&] {
              Launch(0, blocking_[0]);
              Launch(1, blocking_[1]);
            }),
            1);
}

TEST_F(CriticalPathTest, AnEventOrdersTwoStreams) {
  EXPECT_EQ(Chain([&] {
              Launch(0, streams_[0]);
              cudaEventRecord(event_, streams_[0]);
              cudaStreamWaitEvent(streams_[1], event_);
              Launch(1, streams_[1]);
            }),
            2);
}

TEST_F(CriticalPathTest, AnEventOrdersNothingThatComesAfterItsRecord) {
  EXPECT_EQ(Chain([&] {
              cudaEventRecord(event_, streams_[0]);
              Launch(0, streams_[0]);
              cudaStreamWaitEvent(streams_[1], event_);
              Launch(1, streams_[1]);
            }),
            1);
}

TEST_F(CriticalPathTest, AWaitOfTheHostOrdersWhatItSubmitsLater) {
  EXPECT_EQ(Chain([&] {
              Launch(0, streams_[0]);
              cudaStreamSynchronize(streams_[0]);
              Launch(1, streams_[1]);
            }),
            2);
  EXPECT_EQ(Chain([&] {
              Launch(0, streams_[0]);
              cudaEventRecord(event_, streams_[0]);
              cudaEventSynchronize(event_);
              Launch(1, streams_[1]);
            }),
            2);
}

TEST_F(CriticalPathTest, AWaitOfTheHostForOneStreamOrdersNoOther) {
  EXPECT_EQ(Chain([&] {
              Launch(0, streams_[0]);
              cudaStreamSynchronize(streams_[1]);
              Launch(1, streams_[1]);
            }),
            1);
}

TEST_F(CriticalPathTest, TheDefaultStreamIsOrderedWithBlockingStreamsAlone) {
  EXPECT_EQ(Chain([&] {
              Launch(0, blocking_[0]);
              Launch(1, nullptr);
              Launch(2, blocking_[1]);
            }),
            3);
  EXPECT_EQ(Chain([&] {
              Launch(0, streams_[0]);
              Launch(1, nullptr);
              Launch(2, streams_[1]);
            }),
            1);
}

TEST_F(CriticalPathTest, ACallBeginsAfterAllEarlierOnes) {
  EXPECT_EQ(Chain([&] { Launch(0, streams_[0]); }), 1);
  EXPECT_EQ(Chain([&] { Launch(0, streams_[1]); }), 1);
  EXPECT_EQ(Chain([] {}), 0);
}

__global__ void LaunchTwo(int* values, cudaStream_t stream) {
  Even<<<1, 1, 0, stream>>>(values, kLong);
  Even<<<1, 1, 0, stream>>>(values + kLong, kLong);
}

Path PathOfTwoChildren(cudaStream_t stream) {
  const DeviceVector<int> values(2 * kLong);
  return PathOf([&] { LaunchTwo<<<1, 1>>>(values.get(), stream); });
}

TEST(WorkSpanTest, ChildrenThatNothingOrdersOverlapAndOthersAddUp) {
  const Path in_order = PathOfTwoChildren(nullptr);
  const Path tails = PathOfTwoChildren(cudaStreamTailLaunch);
  const Path unordered = PathOfTwoChildren(cudaStreamFireAndForget);
  EXPECT_EQ(in_order.work, unordered.work);
  EXPECT_EQ(tails.span, in_order.span);
  EXPECT_GE(in_order.span, 4u * kLong);
  EXPECT_LT(unordered.span, in_order.span / 2 + 100);
}

}  // namespace
