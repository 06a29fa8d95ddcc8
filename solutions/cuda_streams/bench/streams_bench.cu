// Times the reference's pipelines beside the same work without overlap, and beside the copies
// alone.
//
//   streams_bench [numbers [chunk [rounds]]]      2^26, 2^20 and 160 unless said
//
// All of a table run in turn, 21 times after three rounds of warming up; each time is that of CUDA
// events around one call, from host memory, allocations included, and the medians are compared.
// GB/s counts 4 bytes a number in each direction in which the call moves it. Every result is
// compared with that of one kernel on the device. The bound of a call is the longest of its copies
// in, its copies out and its kernels, each alone.

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

#include "common/cuda/check.h"
#include "common/cuda/contest.h"
#include "common/cuda/device_array.h"
#include "labs/cuda_streams/streams.h"

// All that it includes is included already.
namespace two_purposes {
#include "solutions/cuda_streams/accepted/stream_for_each_purpose.cu"
}

namespace {

using lab::Contender;
using lab::DeviceArray;
using Word = std::uint32_t;

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
  Problem(std::size_t size, int of_chunk, int of_rounds)
      : n(size), chunk(of_chunk), rounds(of_rounds), in(n), out(n), want(n), from(n), to(n) {
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
    PlainKernel<<<static_cast<unsigned>((n + 255) / 256), 256>>>(from.data(), to.data(), n, rounds);
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
  int chunk, rounds;
  PinnedArray in, out, want;
  DeviceArray<Word> from, to;
  std::vector<Word> pageable;
  Word* managed = nullptr;
};

void Print(const std::string& title, const std::vector<Contender>& contenders) {
  std::printf("\n%s\n\n| What | ms | GB/s |\n| --- | ---: | ---: |\n", title.c_str());
  for (const Contender& contender : contenders) {
    std::printf("| %s | %.3f | %.1f |\n", contender.name.c_str(), contender.Median(),
                contender.Rate());
  }
}

// Each table: what bounds the call, the call without overlap, and those with it.
bool BenchBounds(const Problem& p) {
  const double once = 4.0 * static_cast<double>(p.n);
  const auto anything = [] { return true; };
  std::vector<Contender> contenders{
      {"copies in", once, [&] { p.CopyIn(); }, anything},
      {"kernel", once, [&] { p.Plain(); }, [&] { return p.IsRightOnTheDevice(); }},
      {"copies out", once, [&] { p.CopyOut(); }, anything},
      {"copy in from pageable memory", once,
       [&] {
         CUDA_CHECK(
             cudaMemcpy(p.from.data(), p.pageable.data(), p.in.bytes(), cudaMemcpyHostToDevice));
       },
       anything}};
  if (!lab::RunContest(contenders, [&] { p.Poison(); })) return false;
  Print("Bounds", contenders);
  return true;
}

bool BenchDevice(const Problem& p) {
  const double once = 4.0 * static_cast<double>(p.n);
  const auto is_right = [&] { return p.IsRightOnTheDevice(); };
  std::vector<Contender> contenders{
      {"one after the other", once,
       [&] {
         p.CopyIn();
         p.Plain();
         CUDA_CHECK(cudaDeviceSynchronize());
       },
       is_right},
      {"`MixInTwoStreams`", once,
       [&] { MixInTwoStreams(p.in.input(), p.to.span(), p.rounds, p.chunk, nullptr); }, is_right},
      // Chunks with keys are other work; this shows what the events cost.
      {"`MixChained`", once,
       [&] { MixChained(p.in.input(), p.to.span(), 0, p.rounds, p.chunk, nullptr); },
       [] { return true; }},
      {"`stream_for_each_purpose`", once,
       [&] { two_purposes::MixChained(p.in.input(), p.to.span(), 0, p.rounds, p.chunk, nullptr); },
       [] { return true; }}};
  if (!lab::RunContest(contenders, [&] { p.Poison(); })) return false;
  Print("To the device", contenders);
  return true;
}

bool BenchThereAndBack(const Problem& p) {
  const double twice = 8.0 * static_cast<double>(p.n);
  const auto is_right = [&] { return p.IsRightOnTheHost(p.out.data()); };
  std::vector<Contender> contenders{{"one after the other", twice,
                                     [&] {
                                       p.CopyIn();
                                       p.Plain();
                                       p.CopyOut();
                                       CUDA_CHECK(cudaDeviceSynchronize());
                                     },
                                     is_right}};
  for (const int streams : {1, 2, 3, 4, kMaxStreams}) {
    contenders.push_back(
        {"`MixInPipeline`, " + std::to_string(streams) + " streams", twice,
         [&p, streams] { MixInPipeline(p.in.input(), p.out.span(), p.rounds, p.chunk, streams); },
         is_right});
  }
  contenders.push_back(
      {"`MixManaged`", twice,
       [&] { MixManaged(ManagedSpan<Word>(p.managed, p.n), p.rounds, p.chunk, nullptr); },
       [&] { return p.IsRightOnTheHost(p.managed); }});
  contenders.push_back(
      {"`MixHandedOver`", twice,
       [&] { MixHandedOver(std::span<const Word>(p.pageable), p.out.span(), p.rounds, p.chunk); },
       is_right});
  if (!lab::RunContest(contenders, [&] { p.Poison(); })) return false;
  Print("To the device and back", contenders);
  return true;
}

long long Argument(int argc, char** argv, int index, long long otherwise) {
  return argc > index ? std::atoll(argv[index]) : otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  const long long n = Argument(argc, argv, 1, 1LL << 26);
  const long long chunk = Argument(argc, argv, 2, 1LL << 20);
  const long long rounds = Argument(argc, argv, 3, 160);
  if (n < 1 || n > 1LL << 30 || chunk < 1 || chunk > 1LL << 30 || rounds < 0 || rounds > 100000) {
    std::fprintf(stderr, "error: usage: streams_bench [numbers [chunk [rounds]]]\n");
    return 2;
  }
  try {
    std::printf("%s\n%lld numbers in chunks of %lld, %lld rounds\n", lab::Machine().c_str(), n,
                chunk, rounds);
    const Problem problem(static_cast<std::size_t>(n), static_cast<int>(chunk),
                          static_cast<int>(rounds));
    return BenchBounds(problem) && BenchDevice(problem) && BenchThereAndBack(problem) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
