// The timeline of a call: what overlaps, and what does not.
#include <cstring>
#include <functional>
#include <string>

#include "common/cudasim/include/cudasim/call_account.h"
#include "common/cudasim/profile/timeline_text.h"
#include "common/cudasim/runtime/streams/machine.h"
#include "common/cudasim/runtime/streams/timeline.h"
#include "common/cudasim/tests/features/test.h"

namespace {

using cudasim::Nanoseconds;

constexpr int kChunks = 8;
constexpr int kChunk = 1 << 14;  // elements: 65,536 bytes, a page
constexpr std::size_t kChunkBytes = kChunk * sizeof(int);
constexpr std::size_t kAllBytes = kChunks * kChunkBytes;
constexpr Nanoseconds kCopy =
    cudasim::machine::kStart +
    cudasim::machine::Times(kChunkBytes, cudasim::machine::kBusPicoseconds);

__global__ void AddOne(int* values) { ++values[blockIdx.x * blockDim.x + threadIdx.x]; }

void Launch(int* values, cudaStream_t stream) { AddOne<<<kChunk / 256, 256, 0, stream>>>(values); }

struct Measured {
  Nanoseconds makespan;
  double overlap;
  std::size_t host_waits;
  std::uint64_t page_faults;
};

std::string Drawn() {
  return cudasim::DrawTimeline(cudasim::RecordedTrace(), cudasim::TimelineOfCall(),
                               cudasim::PageFaults());
}

class TimelineTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(cudaMallocHost(&pinned_, kAllBytes));
    ASSERT_OK(cudaMalloc(&device_, kAllBytes));
    for (cudaStream_t& stream : streams_) {
      ASSERT_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
  }
  void TearDown() override {
    EXPECT_OK(cudaGetLastError());
    for (const cudaStream_t stream : streams_) EXPECT_OK(cudaStreamDestroy(stream));
    EXPECT_OK(cudaFree(device_));
    EXPECT_OK(cudaFreeHost(pinned_));
  }

  Measured Measure(const std::function<void()>& work) {
    simulatorResetProfile();
    work();
    EXPECT_OK(cudaDeviceSynchronize());
    const cudasim::Layout& layout = cudasim::TimelineOfCall();
    return {layout.makespan,
            static_cast<double>(layout.busy) / static_cast<double>(layout.makespan),
            layout.host_waits.size(), cudasim::PageFaults()};
  }

  // Each chunk goes to the device, through the kernel and back, in a stream of its own.
  void Pipeline(int streams, int* host) {
    for (int i = 0; i < kChunks; ++i) {
      const cudaStream_t stream = streams == 0 ? nullptr : streams_[i % streams];
      int* const from = host + i * kChunk;
      int* const to = device_ + i * kChunk;
      cudaMemcpyAsync(to, from, kChunkBytes, cudaMemcpyHostToDevice, stream);
      Launch(to, stream);
      cudaMemcpyAsync(from, to, kChunkBytes, cudaMemcpyDeviceToHost, stream);
    }
  }

  cudaStream_t streams_[3];
  int* pinned_ = nullptr;
  int* device_ = nullptr;
};

TEST_F(TimelineTest, OneStreamOverlapsNothing) {
  const Measured one = Measure([&] { Pipeline(1, pinned_); });
  EXPECT_LT(one.overlap, 1);
  EXPECT_GT(one.overlap, 0.9);
  EXPECT_EQ(one.host_waits, 1u);
}

TEST_F(TimelineTest, StreamsOverlapCopiesAndKernels) {
  const Measured one = Measure([&] { Pipeline(1, pinned_); });
  const Measured two = Measure([&] { Pipeline(2, pinned_); });
  const Measured three = Measure([&] { Pipeline(3, pinned_); });
  EXPECT_GT(two.overlap, 1.5);
  EXPECT_GT(three.overlap, two.overlap);
  EXPECT_LT(three.makespan, one.makespan / 2);
  EXPECT_GT(three.makespan, (kChunks + 1) * kCopy);
}

// A kernel in the default stream stands between the blocking streams, and not between others.
TEST_F(TimelineTest, BlockingStreamsWaitForTheDefaultStream) {
  cudaStream_t blocking[2];
  for (cudaStream_t& stream : blocking) ASSERT_OK(cudaStreamCreate(&stream));
  const auto both = [&](const cudaStream_t* streams) {
    return Measure([&] {
             cudaMemcpyAsync(device_, pinned_, kAllBytes / 2, cudaMemcpyHostToDevice, streams[0]);
             Launch(device_ + kAllBytes / 8, nullptr);
             cudaMemcpyAsync(pinned_ + kAllBytes / 8, device_ + kAllBytes / 8, kAllBytes / 2,
                             cudaMemcpyDeviceToHost, streams[1]);
           })
        .overlap;
  };
  EXPECT_LT(both(blocking), 1);
  EXPECT_GT(both(streams_), 1.5);
  for (const cudaStream_t stream : blocking) EXPECT_OK(cudaStreamDestroy(stream));
}

TEST_F(TimelineTest, CopiesOfPageableMemoryBlockTheHostAndOverlapNothing) {
  std::vector<int> pageable(kAllBytes / sizeof(int));
  const Measured one = Measure([&] { Pipeline(3, pageable.data()); });
  EXPECT_LT(one.overlap, 1);
  EXPECT_EQ(one.host_waits, 2u * kChunks);
}

TEST_F(TimelineTest, RegisteredMemoryIsPinned) {
  std::vector<int> memory(kAllBytes / sizeof(int));
  ASSERT_OK(cudaHostRegister(memory.data(), kAllBytes, 0));
  const Measured registered = Measure([&] { Pipeline(3, memory.data()); });
  EXPECT_EQ(registered.makespan, Measure([&] { Pipeline(3, pinned_); }).makespan);
  EXPECT_EQ(memory[5], 1);
  EXPECT_OK(cudaHostUnregister(memory.data()));
}

TEST_F(TimelineTest, AnEventMakesAStreamWait) {
  cudaEvent_t copied;
  ASSERT_OK(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
  const auto makespan = [&](bool record_after) {
    return Measure([&] {
             if (!record_after) cudaEventRecord(copied, streams_[0]);
             cudaMemcpyAsync(device_, pinned_, kAllBytes / 2, cudaMemcpyHostToDevice, streams_[0]);
             if (record_after) cudaEventRecord(copied, streams_[0]);
             cudaStreamWaitEvent(streams_[1], copied);
             cudaMemcpyAsync(pinned_ + kAllBytes / 8, device_ + kAllBytes / 8, kAllBytes / 2,
                             cudaMemcpyDeviceToHost, streams_[1]);
           })
        .makespan;
  };
  EXPECT_GT(makespan(true), 2 * kChunks / 2 * (kCopy - cudasim::machine::kStart));
  EXPECT_LT(makespan(false), 3 * kChunks / 4 * kCopy);
  EXPECT_OK(cudaEventDestroy(copied));
}

TEST_F(TimelineTest, EachWaitThatWaitsIsCounted) {
  EXPECT_EQ(Measure([&] {
              for (int i = 0; i < 3; ++i) {
                Launch(device_, streams_[0]);
                cudaStreamSynchronize(streams_[0]);
                cudaStreamSynchronize(streams_[0]);
                cudaDeviceSynchronize();
              }
            }).host_waits,
            3u);
}

TEST_F(TimelineTest, PollingCountsAsAWait) {
  EXPECT_EQ(Measure([&] {
              Launch(device_, streams_[0]);
              while (cudaStreamQuery(streams_[0]) == cudaErrorNotReady) {
              }
            }).host_waits,
            1u);
}

struct Filling {
  int* to;
  int value;

  static void Run(void* data) {
    const Filling& fill = *static_cast<const Filling*>(data);
    for (int i = 0; i < kChunk; ++i) fill.to[i] = fill.value;
  }
};

constexpr Nanoseconds kFill =
    cudasim::machine::Times(kChunkBytes, cudasim::machine::kHostPicoseconds);

TEST_F(TimelineTest, TheHostsAccessesToPinnedMemoryTakeTime) {
  Filling fill{pinned_, 3};
  EXPECT_EQ(Measure([&] { Filling::Run(&fill); }).makespan, kFill);
}

TEST_F(TimelineTest, HostFunctionsTakeTimeBesideTheHost) {
  std::vector<Filling> fills;
  for (int i = 0; i < kChunks; ++i) fills.push_back({pinned_ + i * kChunk, i});
  const Measured both = Measure([&] {
    for (int i = 0; i < kChunks; ++i) {
      const cudaStream_t stream = streams_[i % 2];
      cudaLaunchHostFunc(stream, Filling::Run, &fills[i]);
      cudaMemcpyAsync(device_ + i * kChunk, pinned_ + i * kChunk, kChunkBytes,
                      cudaMemcpyHostToDevice, stream);
    }
  });
  constexpr Nanoseconds kFunction = cudasim::machine::kHostFunction + kFill;
  EXPECT_EQ(both.makespan,
            cudasim::machine::kCall + kChunks * kFunction + kCopy + cudasim::machine::kWakeUp);
  EXPECT_EQ(both.host_waits, 1u);
}

TEST_F(TimelineTest, PrefetchedPagesDoNotFault) {
  int* managed = nullptr;
  ASSERT_OK(cudaMallocManaged(&managed, kAllBytes));
  std::memset(managed, 0, kAllBytes);
  const auto run = [&](bool prefetch) {
    return Measure([&] {
      for (int i = 0; i < kChunks; ++i) {
        int* const chunk = managed + i * kChunk;
        if (prefetch) cudaMemPrefetchAsync(chunk, kChunkBytes, 0, streams_[i % 3]);
        Launch(chunk, streams_[i % 3]);
        if (prefetch) cudaMemPrefetchAsync(chunk, kChunkBytes, cudaCpuDeviceId, streams_[i % 3]);
      }
      cudaDeviceSynchronize();
      EXPECT_GT(managed[0] + managed[kAllBytes / 4 - 1], 0);
    });
  };
  const Measured without = run(false);
  EXPECT_EQ(without.page_faults, kChunks + 2u);  // and two when the host reads
  EXPECT_NE(Drawn().find(", host_waits 1, page_faults 10\n"), std::string::npos) << Drawn();
  std::memset(managed, 0, kAllBytes);
  const Measured with = run(true);
  EXPECT_EQ(with.page_faults, 0u);
  EXPECT_LT(with.makespan, without.makespan / 2);
  EXPECT_OK(cudaFree(managed));
}

__global__ void CopyDirectly(int* to, const int* from) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}

TEST_F(TimelineTest, AKernelThatReadsPinnedMemoryTakesAsLongAsTheBus) {
  EXPECT_GT(Measure([&] { CopyDirectly<<<kChunk / 256, 256>>>(device_, pinned_); }).makespan,
            kCopy);
}

TEST_F(TimelineTest, IsNotDrawnWhereNothingCanOverlap) {
  Measure([&] { Launch(device_, streams_[0]); });
  EXPECT_EQ(Drawn(), "");
}

TEST_F(TimelineTest, WhatComesAfterTheCallDoesNotCount) {
  simulatorBeginCall();
  Launch(device_, streams_[0]);
  EXPECT_OK(cudaDeviceSynchronize());
  CudasimCallAccount account;
  simulatorEndCall(&account);
  const Nanoseconds makespan = cudasim::TimelineOfCall().makespan;
  EXPECT_OK(cudaMemcpy(device_, pinned_, kAllBytes, cudaMemcpyHostToDevice));
  EXPECT_EQ(cudasim::TimelineOfCall().makespan, makespan);
  simulatorResetProfile();
}

}  // namespace
