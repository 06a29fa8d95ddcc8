// Compares an accepted solution and the naive way of each part with CUB and a copy.
//
//   layout_bench [items]...      2^26 and 2^22 unless said
//
// GB/s counts each word that must move once in each direction. Results and workspace hold other
// things before every call, and every word of every result is checked, order of equal keys
// included.

#include <cuda_runtime.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common/benchmark/device.h"
#include "common/cuda/check.h"
#include "common/cuda/device_array.h"
#include "labs/cuda_layout/layout.h"
#include "solutions/cuda_layout/bench/problems.h"

// All that these include is included already.
namespace one_sweep {
#include "solutions/cuda_layout/accepted/one_sweep.cu"
}
namespace eight_bits {
#include "solutions/cuda_layout/accepted/digits_of_eight_bits.cu"
}
namespace read_from_cells {
#include "solutions/cuda_layout/too_slow/fields_read_from_the_cells.cu"
}
namespace columns_stored {
#include "solutions/cuda_layout/too_slow/columns_stored.cu"
}
namespace no_padding {
#include "solutions/cuda_layout/too_slow/tile_without_padding.cu"
}

namespace {

using bench::CellsProblem;
using bench::ItemsProblem;
using bench::MatrixProblem;
using lab::Candidate;
using std::uint32_t;

struct IsBitClear {
  int bit;
  template <typename Item>
  __host__ __device__ bool operator()(const Item& item) const {
    return (thrust::get<0>(item) >> bit & 1) == 0;
  }
};

struct Bit {
  int bit;
  __host__ __device__ uint32_t operator()(uint32_t key) const { return key >> bit & 1; }
};

struct WholeKey {
  __host__ __device__ uint32_t operator()(uint32_t key) const { return key; }
};

template <typename Problem, typename Array>
Candidate Copy(const Problem& on, const Array& from, const Array& to) {
  return lab::DeviceCopy(to.data(), from.data(), from.bytes(), [&on] { return on.IsCopied(); });
}

template <typename Problem>
void Poison(const Problem& on) {
  on.out.Fill(0xa5);
  CUDA_CHECK(cudaDeviceSynchronize());
}

using ToArrays = void (*)(DeviceSpan<const Cell>, DeviceSpan<float>, cudaStream_t);
using ToStructs = void (*)(DeviceSpan<const float>, DeviceSpan<Cell>, cudaStream_t);
using TransposeFunction = void (*)(DeviceSpan<const float>, DeviceSpan<float>, int, int,
                                   cudaStream_t);

bool RunCells(std::size_t n) {
  const CellsProblem on(n);
  const auto to_arrays = [&on](const char* name, ToArrays function) -> Candidate {
    return {name, on.Bytes(), [&on, function] { function(on.InCells(), on.out.span(), nullptr); },
            [&on] { return on.HasArrays(); }};
  };
  const auto to_structs = [&on](const char* name, ToStructs function) -> Candidate {
    return {name, on.Bytes(), [&on, function] { function(on.in.span(), on.OutCells(), nullptr); },
            [&on] { return on.HasStructs(); }};
  };
  return lab::CompareOnDevice(
      "parts 1, 2: " + std::to_string(n) + " cells",
      {Copy(on, on.in, on.out), to_arrays("reference: StructsToArrays", StructsToArrays),
       to_arrays("one_sweep: StructsToArrays", one_sweep::StructsToArrays),
       to_arrays("fields_read_from_the_cells", read_from_cells::StructsToArrays),
       to_structs("reference: ArraysToStructs", ArraysToStructs),
       to_structs("one_sweep: ArraysToStructs", one_sweep::ArraysToStructs)},
      [&on] { Poison(on); });
}

bool RunMatrix(int rows, int columns) {
  const MatrixProblem on(rows, columns);
  const auto by = [&on](const char* name, TransposeFunction function) -> Candidate {
    return {
        name, on.Bytes(),
        [&on, function] { function(on.in.span(), on.out.span(), on.rows, on.columns, nullptr); },
        [&on] { return on.IsTransposed(); }};
  };
  return lab::CompareOnDevice(
      "parts 5, 6: " + std::to_string(rows) + " x " + std::to_string(columns),
      {Copy(on, on.in, on.out), by("reference: Transpose", Transpose),
       by("reference: TransposeSwizzled", TransposeSwizzled),
       by("one_sweep: Transpose", one_sweep::Transpose),
       by("tile_without_padding", no_padding::Transpose),
       by("columns_stored", columns_stored::Transpose)},
      [&on] { Poison(on); });
}

// Random indices, all below n; winners[t] becomes 1 + the largest i of target t.
struct SetIndex {
  const uint32_t* keys;
  uint32_t* indices;
  uint32_t* winners;
  std::size_t n;
  __device__ void operator()(std::size_t i) const {
    indices[i] = keys[i] % n;
    atomicMax(&winners[indices[i]], static_cast<uint32_t>(i) + 1);
  }
};

struct IsGatheredAt {
  const uint32_t* out;
  const uint32_t* indices;
  const uint32_t* values;
  __device__ bool operator()(std::size_t i) const { return out[i] == values[indices[i]]; }
};

struct IsScatteredAt {
  const uint32_t* out;
  const uint32_t* winners;
  const uint32_t* values;
  __device__ bool operator()(std::size_t i) const {
    return out[i] == (winners[i] > 0 ? values[winners[i] - 1] : 0xa5a5a5a5u);
  }
};

bool RunIndices(std::size_t n) {
  const ItemsProblem on(n, 50);
  const lab::DeviceArray<uint32_t> indices(n);
  const lab::DeviceArray<uint32_t> winners(n);
  winners.Fill(0);
  lab::ForEach(n, SetIndex{on.keys.data(), indices.data(), winners.data(), n});
  const double bytes = 12.0 * static_cast<double>(n);
  const Candidate gather{
      "reference: Gather", bytes,
      [&on, &indices] { Gather(on.keys.span(), indices.span(), on.out_payloads.span(), nullptr); },
      [&on, &indices] {
        return lab::AllOf(on.n,
                          IsGatheredAt{on.out_payloads.data(), indices.data(), on.keys.data()});
      }};
  const Candidate scatter{"reference: Scatter", bytes,
                          [&on, &indices] {
                            Scatter(on.keys.span(), indices.span(), on.out_payloads.span(),
                                    on.workspace.span(), nullptr);
                          },
                          [&on, &winners] {
                            return lab::AllOf(on.n, IsScatteredAt{on.out_payloads.data(),
                                                                  winners.data(), on.keys.data()});
                          }};
  return lab::CompareOnDevice("parts 3, 4: " + std::to_string(n) + " random indices",
                              {Copy(on, on.keys, on.out_keys), gather, scatter},
                              [&on] { on.Poison(); });
}

using CompactFunction = void (*)(DeviceSpan<const uint32_t>, DeviceSpan<const std::uint8_t>,
                                 DeviceSpan<uint32_t>, DeviceSpan<uint32_t>, DeviceSpan<uint32_t>,
                                 cudaStream_t);

bool RunCompact(std::size_t n, unsigned percent) {
  const ItemsProblem on(n, percent);
  const double bytes = static_cast<double>(n) * (1.0 + 8.0 * percent / 100);
  const auto by = [&on, bytes](const char* name, CompactFunction function) -> Candidate {
    return {name, bytes,
            [&on, function] {
              function(on.payloads.span(), on.flags.span(), on.out_payloads.span(), on.count.span(),
                       on.workspace.span(), nullptr);
            },
            [&on] { return on.IsCompacted(); }};
  };
  const Candidate cub{"cub::DeviceSelect::Flagged", bytes,
                      [&on] {
                        std::size_t memory = on.workspace.bytes();
                        CUDA_CHECK(cub::DeviceSelect::Flagged(
                            on.workspace.data(), memory, on.payloads.data(), on.flags.data(),
                            on.out_payloads.data(), on.count.data(), static_cast<int>(on.n)));
                      },
                      [&on] { return on.IsCompacted(); }};
  return lab::CompareOnDevice(
      "part 7: " + std::to_string(n) + ", " + std::to_string(percent) + " % kept",
      {cub, by("reference: Compact", Compact), by("one_sweep: Compact", one_sweep::Compact),
       Copy(on, on.keys, on.out_keys)},
      [&on] { on.Poison(); });
}

// CUB sorts by the bits from `begin` to before `end`.
Candidate CubSort(const ItemsProblem& on, int begin, int end, std::function<bool()> is_right) {
  return {"cub::DeviceRadixSort::SortPairs", 16.0 * static_cast<double>(on.n),
          [&on, begin, end] {
            std::size_t memory = on.workspace.bytes();
            CUDA_CHECK(cub::DeviceRadixSort::SortPairs(
                on.workspace.data(), memory, on.keys.data(), on.out_keys.data(), on.payloads.data(),
                on.out_payloads.data(), static_cast<int>(on.n), begin, end));
          },
          std::move(is_right)};
}

// Not stable for ones, which come in the opposite order: only the zeros are checked.
Candidate CubPartition(const ItemsProblem& on, int bit) {
  return {"cub::DevicePartition::If (ones reversed)", 16.0 * static_cast<double>(on.n),
          [&on, bit] {
            std::size_t memory = on.workspace.bytes();
            CUDA_CHECK(cub::DevicePartition::If(
                on.workspace.data(), memory,
                thrust::make_zip_iterator(on.keys.data(), on.payloads.data()),
                thrust::make_zip_iterator(on.out_keys.data(), on.out_payloads.data()),
                on.count.data(), static_cast<int>(on.n), IsBitClear{bit}));
          },
          [&on, bit] { return on.AreSortedBy(Bit{bit}, on.count.First()); }};
}

using SplitFunction = void (*)(DeviceSpan<const uint32_t>, DeviceSpan<const uint32_t>, int,
                               DeviceSpan<uint32_t>, DeviceSpan<uint32_t>, DeviceSpan<uint32_t>,
                               cudaStream_t);
using SortFunction = void (*)(DeviceSpan<const uint32_t>, DeviceSpan<const uint32_t>,
                              DeviceSpan<uint32_t>, DeviceSpan<uint32_t>, DeviceSpan<uint32_t>,
                              cudaStream_t);

bool RunSplit(std::size_t n, int bit) {
  const ItemsProblem on(n, 50);
  const auto is_right = [&on, bit] { return on.AreSortedBy(Bit{bit}, on.n); };
  const auto by = [&](const char* name, SplitFunction function) -> Candidate {
    return {name, 16.0 * static_cast<double>(n),
            [&on, bit, function] {
              function(on.keys.span(), on.payloads.span(), bit, on.out_keys.span(),
                       on.out_payloads.span(), on.workspace.span(), nullptr);
            },
            is_right};
  };
  return lab::CompareOnDevice(
      "part 8: split of " + std::to_string(n) + " by bit " + std::to_string(bit),
      {CubSort(on, bit, bit + 1, is_right), CubPartition(on, bit),
       by("reference: SplitByBit", SplitByBit), by("one_sweep: SplitByBit", one_sweep::SplitByBit),
       Copy(on, on.keys, on.out_keys)},
      [&on] { on.Poison(); });
}

bool RunSort(std::size_t n) {
  const ItemsProblem on(n, 50);
  const auto is_right = [&on] { return on.AreSortedBy(WholeKey{}, on.n); };
  const auto by = [&](const char* name, SortFunction function) -> Candidate {
    return {name, 16.0 * static_cast<double>(n),
            [&on, function] {
              function(on.keys.span(), on.payloads.span(), on.out_keys.span(),
                       on.out_payloads.span(), on.workspace.span(), nullptr);
            },
            is_right};
  };
  return lab::CompareOnDevice(
      "part 9: sort of " + std::to_string(n),
      {CubSort(on, 0, 32, is_right), by("reference: RadixSort", RadixSort),
       by("digits_of_eight_bits: RadixSort", eight_bits::RadixSort),
       by("one_sweep: RadixSort", one_sweep::RadixSort), Copy(on, on.keys, on.out_keys)},
      [&on] { on.Poison(); });
}

bool RunAll(std::size_t n) {
  const int columns = 8192;
  const int rows = static_cast<int>(std::max<std::size_t>(n / columns, 1));
  return RunCells(n / 4) && RunIndices(n) && RunMatrix(rows, columns) &&
         RunMatrix(rows + 5, columns + 3) && RunCompact(n, 50) && RunCompact(n, 5) &&
         RunCompact(n, 100) && RunSplit(n, 3) && RunSort(n);
}

}  // namespace

int main(int argc, char** argv) {
  return lab::RunSizes(
      argc, argv, {"items", 1024, INT32_MAX, {std::size_t{1} << 26, std::size_t{1} << 22}}, RunAll);
}
