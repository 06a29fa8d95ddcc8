// Compares pipelines with the same work without overlap, and with the copies alone.
//
//   streams_bench [numbers]...      2^26 unless said, in chunks of 2^20
//
// Times are from host memory, allocations included. GB/s counts 4 bytes a number in each direction
// in which the call moves it. Every result is compared with that of one kernel on the device. The
// bound of a call is the longest of its copies in, its copies out and its kernels, each alone.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/benchmark/device.h"
#include "common/cuda/check.h"
#include "common/cuda/device_array.h"
#include "labs/cuda_streams/streams.h"

// All that it includes is included already.
namespace two_purposes {
#include "solutions/cuda_streams/accepted/stream_for_each_purpose.cu"
}

namespace {

using lab::Candidate;
using lab::DeviceArray;
using Word = std::uint32_t;

constexpr int kChunk = 1 << 20;
constexpr int kRounds = 160;

// Pinned memory of `size` numbers.
class PinnedArray {
 public:
  explicit PinnedArray(std::size_t size) : size_(size) {
    CUDA_CHECK(cudaMallocHost(&data_, bytes()));
  }
  PinnedArray(const PinnedArray&) = delete;
  PinnedArray& operator=(const PinnedArray&) = delete;
  ~PinnedArray() { cudaFreeHost(data_); }

  Word* data() const { return data_; }
  std::size_t bytes() const { return size_ * sizeof(Word); }
  PinnedSpan<Word> span() const { return {data_, size_}; }
  PinnedSpan<const Word> input() const { return {data_, size_}; }

 private:
  Word* data_ = nullptr;
  std::size_t size_;
};

__global__ void PlainKernel(const Word* in, Word* out, std::size_t n, int rounds) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Word x = in[i];
  for (int round = 0; round < rounds; ++round) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  out[i] = x;
}

struct Problem {
  explicit Problem(std::size_t size) : n(size), in(n), out(n), want(n), from(n), to(n) {
    Word x = 2463534242u;
    for (Word& number : in.span()) {
      x ^= x << 13;
      x ^= x >> 17;
      x ^= x << 5;
      number = x;
    }
    pageable.assign(in.data(), in.data() + n);
    CopyIn();
    Plain();
    CUDA_CHECK(cudaMemcpy(want.data(), to.data(), want.bytes(), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMallocManaged(&managed, want.bytes()));
  }
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;
  ~Problem() { cudaFree(managed); }

  void CopyIn() const {
    CUDA_CHECK(cudaMemcpyAsync(from.data(), in.data(), in.bytes(), cudaMemcpyHostToDevice));
  }
  void CopyOut() const {
    CUDA_CHECK(cudaMemcpyAsync(out.data(), to.data(), out.bytes(), cudaMemcpyDeviceToHost));
  }
  void Plain() const {
    PlainKernel<<<static_cast<unsigned>((n + 255) / 256), 256>>>(from.data(), to.data(), n,
                                                                 kRounds);
    CUDA_CHECK(cudaGetLastError());
  }
  void Poison() const {
    CUDA_CHECK(cudaDeviceSynchronize());
    std::memset(out.data(), 0xa5, out.bytes());
    std::memcpy(managed, in.data(), in.bytes());
    to.Fill(0xa5);
    CUDA_CHECK(cudaDeviceSynchronize());
  }
  bool IsRightOnTheHost(const Word* result) const {
    CUDA_CHECK(cudaDeviceSynchronize());
    return std::memcmp(result, want.data(), want.bytes()) == 0;
  }
  bool IsRightOnTheDevice() const {
    const std::vector<Word> result = to.OnHost();
    return IsRightOnTheHost(result.data());
  }

  std::size_t n;
  PinnedArray in, out, want;
  DeviceArray<Word> from, to;
  std::vector<Word> pageable;
  Word* managed = nullptr;
};

// Each table: what bounds the call, the call without overlap, and those with it.
bool BenchBounds(const Problem& p) {
  const double once = 4.0 * static_cast<double>(p.n);
  const auto anything = [] { return true; };
  std::vector<Candidate> candidates{
      {"copies in", once, [&] { p.CopyIn(); }, anything},
      {"kernel", once, [&] { p.Plain(); }, [&] { return p.IsRightOnTheDevice(); }},
      {"copies out", once, [&] { p.CopyOut(); }, anything},
      {"copy in from pageable memory", once,
       [&] {
         CUDA_CHECK(
             cudaMemcpy(p.from.data(), p.pageable.data(), p.in.bytes(), cudaMemcpyHostToDevice));
       },
       anything}};
  return lab::CompareOnDevice("Bounds", candidates, [&] { p.Poison(); });
}

bool BenchDevice(const Problem& p) {
  const double once = 4.0 * static_cast<double>(p.n);
  const auto is_right = [&] { return p.IsRightOnTheDevice(); };
  std::vector<Candidate> candidates{
      {"one after the other", once,
       [&] {
         p.CopyIn();
         p.Plain();
         CUDA_CHECK(cudaDeviceSynchronize());
       },
       is_right},
      {"`MixInTwoStreams`", once,
       [&] { MixInTwoStreams(p.in.input(), p.to.span(), kRounds, kChunk, nullptr); }, is_right},
      // Chunks with keys are other work; this shows what the events cost.
      {"`MixChained`", once,
       [&] { MixChained(p.in.input(), p.to.span(), 0, kRounds, kChunk, nullptr); },
       [] { return true; }},
      {"`stream_for_each_purpose`", once,
       [&] { two_purposes::MixChained(p.in.input(), p.to.span(), 0, kRounds, kChunk, nullptr); },
       [] { return true; }}};
  return lab::CompareOnDevice("To the device", candidates, [&] { p.Poison(); });
}

bool BenchThereAndBack(const Problem& p) {
  const double twice = 8.0 * static_cast<double>(p.n);
  const auto is_right = [&] { return p.IsRightOnTheHost(p.out.data()); };
  std::vector<Candidate> candidates{{"one after the other", twice,
                                     [&] {
                                       p.CopyIn();
                                       p.Plain();
                                       p.CopyOut();
                                       CUDA_CHECK(cudaDeviceSynchronize());
                                     },
                                     is_right}};
  for (const int streams : {1, 2, 3, 4, kMaxStreams}) {
    candidates.push_back(
        {"`MixInPipeline`, " + std::to_string(streams) + " streams", twice,
         [&p, streams] { MixInPipeline(p.in.input(), p.out.span(), kRounds, kChunk, streams); },
         is_right});
  }
  candidates.push_back(
      {"`MixManaged`", twice,
       [&] { MixManaged(ManagedSpan<Word>(p.managed, p.n), kRounds, kChunk, nullptr); },
       [&] { return p.IsRightOnTheHost(p.managed); }});
  candidates.push_back(
      {"`MixHandedOver`", twice,
       [&] { MixHandedOver(std::span<const Word>(p.pageable), p.out.span(), kRounds, kChunk); },
       is_right});
  return lab::CompareOnDevice("To the device and back", candidates, [&] { p.Poison(); });
}

bool Run(std::size_t n) {
  std::printf("%zu numbers in chunks of %d, %d rounds\n", n, kChunk, kRounds);
  const Problem problem(n);
  return BenchBounds(problem) && BenchDevice(problem) && BenchThereAndBack(problem);
}

}  // namespace

int main(int argc, char** argv) {
  return lab::RunSizes(argc, argv, {"numbers", 1, std::size_t{1} << 30, {std::size_t{1} << 26}},
                       Run);
}
