#pragma once

// What the benchmark moves, the right answers, and the memory for it.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/benchmark/device_loops.h"
#include "common/cuda/check.h"
#include "common/cuda/device_array.h"
#include "labs/cuda_layout/layout.h"

namespace bench {

using lab::AllOf;
using lab::AnyWord;
using lab::DeviceArray;
using lab::ForEach;
using lab::IsSame;
using std::uint32_t;

// What lab::ForEach and lab::AllOf call.
struct SetAnyWord {
  uint32_t* words;
  __device__ void operator()(std::size_t i) const { words[i] = AnyWord(i); }
};

struct SetAnyFloat {
  float* words;
  __device__ void operator()(std::size_t i) const {
    words[i] = static_cast<float>(AnyWord(i) >> 8);
  }
};

// Whether `to` is the transpose of `from`, which has rows of `width`.
struct IsTransposedAt {
  const float* from;
  const float* to;
  std::size_t height, width;
  __device__ bool operator()(std::size_t i) const {
    return from[i] == to[i % width * height + i / width];
  }
};

struct SetItem {
  uint32_t* payloads;
  std::uint8_t* flags;
  unsigned percent;
  __device__ void operator()(std::size_t i) const {
    payloads[i] = static_cast<uint32_t>(i);
    flags[i] = AnyWord(~i) % 100 < percent ? 1 : 0;
  }
};

// Whether items are in ascending order of part(key), equal ones in the order of their payloads,
// which say where their keys come from: then no two are the same, and none is missing.
template <typename Part>
struct IsSortedAt {
  const uint32_t* keys;
  const uint32_t* payloads;
  const uint32_t* from;
  std::size_t n;
  Part part;
  __device__ bool operator()(std::size_t i) const {
    if (payloads[i] >= n || keys[i] != from[payloads[i]]) return false;
    if (i == 0) return true;
    const uint32_t before = part(keys[i - 1]);
    const uint32_t mine = part(keys[i]);
    return before < mine || (before == mine && payloads[i - 1] < payloads[i]);
  }
};

// Whether payloads are ascending and their flags are set.
struct IsKeptAt {
  const uint32_t* payloads;
  const std::uint8_t* flags;
  std::size_t n;
  __device__ bool operator()(std::size_t i) const {
    return payloads[i] < n && flags[payloads[i]] != 0 && (i == 0 || payloads[i - 1] < payloads[i]);
  }
};

struct CountFlag {
  const std::uint8_t* flags;
  unsigned* sum;
  __device__ void operator()(std::size_t i) const {
    if (flags[i] != 0) atomicAdd(sum, 1u);
  }
};

// Cells and their fields, as words.
struct CellsProblem {
  explicit CellsProblem(std::size_t of_n) : n(of_n), in(n * kCellFields), out(n * kCellFields) {
    ForEach(in.size(), SetAnyFloat{in.data()});
  }
  DeviceSpan<const Cell> InCells() const { return {reinterpret_cast<const Cell*>(in.data()), n}; }
  DeviceSpan<Cell> OutCells() const { return {reinterpret_cast<Cell*>(out.data()), n}; }
  bool IsCopied() const { return AllOf(in.size(), IsSame<float>{in.data(), out.data()}); }
  // A struct of arrays is the transpose of the array of structs, a matrix with a row for each cell.
  bool HasArrays() const {
    return AllOf(in.size(), IsTransposedAt{in.data(), out.data(), n, kCellFields});
  }
  bool HasStructs() const {
    return AllOf(in.size(), IsTransposedAt{in.data(), out.data(), kCellFields, n});
  }
  double Bytes() const { return 2.0 * static_cast<double>(in.bytes()); }

  std::size_t n;
  DeviceArray<float> in, out;
};

// A matrix of rows x columns.
struct MatrixProblem {
  MatrixProblem(int of_rows, int of_columns)
      : rows(of_rows), columns(of_columns), in(std::size_t(rows) * columns), out(in.size()) {
    ForEach(in.size(), SetAnyFloat{in.data()});
  }
  bool IsCopied() const { return AllOf(in.size(), IsSame<float>{in.data(), out.data()}); }
  bool IsTransposed() const {
    return AllOf(in.size(),
                 IsTransposedAt{in.data(), out.data(), std::size_t(rows), std::size_t(columns)});
  }
  double Bytes() const { return 2.0 * static_cast<double>(in.bytes()); }

  int rows, columns;
  DeviceArray<float> in, out;
};

// Items whose payload is their number, so that a result shows whether it is stable; and flags, of
// which about `percent` in 100 are set.
struct ItemsProblem {
  ItemsProblem(std::size_t of_n, unsigned percent)
      : n(of_n),
        keys(n),
        payloads(n),
        flags(n),
        out_keys(n),
        out_payloads(n),
        count(1),
        workspace(WorkspaceSize(n)) {
    ForEach(n, SetAnyWord{keys.data()});
    ForEach(n, SetItem{payloads.data(), flags.data(), percent});
  }

  template <typename Part>
  bool AreSortedBy(Part part, std::size_t how_many) const {
    return AllOf(how_many,
                 IsSortedAt<Part>{out_keys.data(), out_payloads.data(), keys.data(), n, part});
  }
  // Payloads are compacted: those that are kept are ascending, and as many as there are flags.
  bool IsCompacted() const {
    const DeviceArray<unsigned> total(1);
    total.Fill(0);
    ForEach(n, CountFlag{flags.data(), total.data()});
    if (total.First() != count.First()) return false;
    return AllOf(count.First(), IsKeptAt{out_payloads.data(), flags.data(), n});
  }
  bool IsCopied() const { return AllOf(n, IsSame<uint32_t>{keys.data(), out_keys.data()}); }
  void Poison() const {
    out_keys.Fill(0xa5);
    out_payloads.Fill(0xa5);
    count.Fill(0xa5);
    workspace.Fill(0xa5);
    CUDA_CHECK(cudaDeviceSynchronize());
  }

  std::size_t n;
  DeviceArray<uint32_t> keys, payloads;
  DeviceArray<std::uint8_t> flags;
  DeviceArray<uint32_t> out_keys, out_payloads, count, workspace;
};

}  // namespace bench
