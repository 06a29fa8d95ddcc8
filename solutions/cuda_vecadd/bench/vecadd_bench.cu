// Times the reference's vector addition and that of accepted solutions beside thrust::transform and
// a device-to-device copy.
//
//   vecadd_bench [elements...]      2^28 and 2^24 unless said
//
// All run in turn, 21 times after three rounds of warming up; each time is that of CUDA events
// around one call, and the medians are compared. Every result is checked, bit by bit.
// vectors_in_flight is tried with other numbers of threads, vectors and pairs, too.

#include <cuda_runtime.h>
#include <thrust/device_ptr.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "common/cuda/check.h"
#include "common/cuda/contest.h"
#include "common/cuda/device_array.h"
#include "labs/cuda_vecadd/vecadd.h"
#include "solutions/cuda_vecadd/bench/table.h"

// All that these include is included already.
namespace four_at_a_time {
#include "solutions/cuda_vecadd/accepted/four_at_a_time.cu"
}
namespace vectors_in_flight {
#include "solutions/cuda_vecadd/accepted/vectors_in_flight.cu"
}

namespace {

using lab::Contender;
using lab::DeviceArray;

constexpr int kBlocksPerMultiprocessor = 8;  // of 256 threads: all that can be resident

// A value of element i: whole numbers below 2^16, not the same for different seeds.
struct Value {
  unsigned seed;
  __host__ __device__ float operator()(std::size_t i) const {
    return static_cast<float>((static_cast<unsigned>(i) * 2654435761u + seed) >> 16);
  }
};

struct Problem {
  explicit Problem(std::size_t n) : a(n), b(n), c(n), sum(n) {
    thrust::tabulate(thrust::device, a.data(), a.end(), Value{1});
    thrust::tabulate(thrust::device, b.data(), b.end(), Value{2'000'000'011u});
    thrust::transform(thrust::device, a.data(), a.end(), b.data(), sum.data(),
                      thrust::plus<float>());
  }
  bool IsSum() const { return thrust::equal(thrust::device, c.data(), c.end(), sum.data()); }
  bool IsCopy() const { return thrust::equal(thrust::device, c.data(), c.end(), a.data()); }

  DeviceArray<float> a, b, c, sum;
};

using AddFunction = std::function<void(DeviceSpan<const float> a, DeviceSpan<const float> b,
                                       DeviceSpan<float> c, cudaStream_t stream)>;

class Contest {
 public:
  explicit Contest(const Problem& on) : on_(on) {}

  void Enter(const std::string& name, const AddFunction& add) {
    contenders.push_back({name, 3.0 * static_cast<double>(on_.a.bytes()),
                          [this, add] { add(on_.a.span(), on_.b.span(), on_.c.span(), nullptr); },
                          [this] { return on_.IsSum(); }});
  }

  // vectors_in_flight with other numbers.
  template <int kThreads, int kEach>
  void EnterVectors() {
    using vectors_in_flight::Add;
    const std::string name =
        std::to_string(kThreads) + " threads, " + std::to_string(kEach) + " vectors";
    Enter(name + ", cached", Add<kThreads, kEach, vectors_in_flight::Cached>);
    Enter(name + ", streamed", Add<kThreads, kEach, vectors_in_flight::Streamed>);
  }

  template <int kThreads>
  void EnterVectorsOf() {
    EnterVectors<kThreads, 1>();
    EnterVectors<kThreads, 2>();
    EnterVectors<kThreads, 4>();
    EnterVectors<kThreads, 8>();
  }

  template <int kThreads>
  void EnterPairs() {
    Enter(std::to_string(kThreads) + " threads, pairs", vectors_in_flight::AddPairs<kThreads>);
  }

  // The same in a grid-stride loop, with all blocks resident or several times as many.
  template <int kEach>
  void EnterStrides(int multiprocessors) {
    for (const int blocks : {4, 8, 16, 32, 64}) {
      Enter("stride, " + std::to_string(kEach) + " vectors, " + std::to_string(blocks) +
                " blocks per SM",
            [=](auto a, auto b, auto c, cudaStream_t stream) {
              vectors_in_flight::AddGridStride<256, kEach, vectors_in_flight::Streamed>(
                  a, b, c, stream, blocks * multiprocessors);
            });
    }
  }

  std::vector<Contender> contenders;

 private:
  const Problem& on_;
};

void EnterAll(Contest& contest, int multiprocessors) {
  contest.Enter("thrust::transform", [](auto a, auto b, auto c, cudaStream_t stream) {
    thrust::transform(thrust::cuda::par_nosync.on(stream), a.data(), a.data() + a.size(), b.data(),
                      c.data(), thrust::plus<float>());
  });
  contest.Enter("reference: VecAdd", VecAdd);
  contest.Enter("reference: VecAddGridStride, 8 blocks per SM",
                [=](auto a, auto b, auto c, cudaStream_t stream) {
                  VecAddGridStride(a, b, c, stream, kBlocksPerMultiprocessor * multiprocessors);
                });
  contest.Enter("four_at_a_time: VecAdd", four_at_a_time::VecAdd);
  contest.Enter("vectors_in_flight: VecAdd", vectors_in_flight::VecAdd);
  contest.EnterVectorsOf<128>();
  contest.EnterVectorsOf<256>();
  contest.EnterVectorsOf<512>();
  contest.EnterPairs<256>();
  contest.EnterPairs<512>();
  contest.EnterPairs<1024>();
  contest.EnterStrides<1>(multiprocessors);
  contest.EnterStrides<2>(multiprocessors);
  contest.EnterStrides<4>(multiprocessors);
}

bool Run(std::size_t n) {
  int multiprocessors = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  const Problem problem(n);
  Contest contest(problem);
  // The copy first and Thrust second: the others are compared with them.
  contest.contenders.push_back(bench::Copy(problem.c.data(), problem.a.data(), problem.a.bytes(),
                                           [&] { return problem.IsCopy(); }));
  EnterAll(contest, multiprocessors);
  if (!lab::RunContest(contest.contenders, [&] { problem.c.Fill(0xa5); })) return false;
  std::printf("n = %zu floats\n\n", n);
  bench::Print(contest.contenders, "of thrust");
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::size_t> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::strtoull(argv[i], nullptr, 10));
  if (sizes.empty()) sizes = {std::size_t{1} << 28, std::size_t{1} << 24};
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) {
    std::fprintf(stderr, "usage: %s [elements, at least 1]...\n", argv[0]);
    return 2;
  }
  try {
    bench::PrintMachine();
    return std::all_of(sizes.begin(), sizes.end(), Run) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
