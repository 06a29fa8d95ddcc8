// Right: a result for each task; a sort with dependences; a block starts the neighbours it held up.

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <numeric>
#include <vector>

#include "labs/openmp_tasks/tasks.h"

namespace {

// The columns in which a queen of the next row would be attacked, one bit each: by a queen of its
// column, and along the two diagonals.
struct Attacked {
  std::uint32_t columns = 0;
  std::uint32_t down_left = 0;
  std::uint32_t down_right = 0;

  std::uint32_t Any() const { return columns | down_left | down_right; }
  Attacked With(std::uint32_t queen) const {
    return {columns | queen, (down_left | queen) >> 1, (down_right | queen) << 1};
  }
};

using Rows = std::span<const std::uint32_t>;

// The squares of `row` where a queen may stand.
std::uint32_t FreeSquares(Rows blocked, std::size_t row, const Attacked& attacked) {
  const std::uint32_t all = (std::uint32_t{1} << blocked.size()) - 1;
  return all & ~(attacked.Any() | blocked[row]);
}

std::uint32_t LowestBit(std::uint32_t bits) { return bits & -bits; }

// In how many ways `row` and those below it can be filled.
std::uint64_t Count(Rows blocked, std::size_t row, const Attacked& attacked) {
  if (row == blocked.size()) return 1;
  std::uint64_t ways = 0;
  for (auto free = FreeSquares(blocked, row, attacked); free != 0; free &= free - 1) {
    ways += Count(blocked, row + 1, attacked.With(LowestBit(free)));
  }
  return ways;
}

// Each task writes its own result; the parent adds them up.
std::uint64_t CountByTasks(Rows blocked, std::size_t row, const Attacked& attacked) {
  if (row == std::min<std::size_t>(blocked.size(), 3)) return Count(blocked, row, attacked);
  std::array<std::uint64_t, kMaxQueens> ways{};
  for (auto free = FreeSquares(blocked, row, attacked); free != 0; free &= free - 1) {
    const std::uint32_t queen = LowestBit(free);
#pragma omp task shared(ways) firstprivate(queen)
    ways[std::countr_zero(queen)] = CountByTasks(blocked, row + 1, attacked.With(queen));
  }
#pragma omp taskwait
  return std::accumulate(ways.begin(), ways.end(), std::uint64_t{0});
}

constexpr std::size_t kParts = 16;  // a power of two

// The cells of one block: characters of a and b, and what borders them.
struct Block {
  std::span<const char> a;
  std::span<const char> b;
  int* left;    // a.size() cells: of the column before, and then of the last column
  int* above;   // b.size() cells: of the row before, and then of the last row
  int* corner;  // the cell before both, and then the last one of all
};

void Fill(const Block& block) {
  int diagonal = *block.corner;
  for (std::size_t i = 0; i < block.a.size(); ++i) {
    const int first = block.left[i];
    int left = first;
    for (std::size_t j = 0; j < block.b.size(); ++j) {
      const int above = block.above[j];
      const int replaced = diagonal + (block.a[i] != block.b[j]);
      left = std::min(std::min(above + 1, replaced), left + 1);
      diagonal = above;
      block.above[j] = left;
    }
    block.left[i] = left;
    diagonal = first;
  }
  *block.corner = block.above[block.b.size() - 1];
}

// The table's blocks. A block is started by the last of the two that it waits for.
class Wave {
 public:
  Wave(std::span<const char> a, std::span<const char> b, std::size_t block)
      : a_(a),
        b_(b),
        block_(block),
        rows_((a.size() - 1) / block + 1),
        columns_((b.size() - 1) / block + 1),
        left_(a.size()),
        above_(b.size()),
        corners_(rows_ + columns_),
        arrived_(rows_ * columns_) {
    std::iota(left_.begin(), left_.end(), 1);
    std::iota(above_.begin(), above_.end(), 1);
    for (std::size_t k = 0; k < rows_; ++k) corners_[rows_ - k] = static_cast<int>(k * block);
    for (std::size_t k = 0; k < columns_; ++k) corners_[rows_ + k] = static_cast<int>(k * block);
  }

  // Fills a block, and then those that waited for it alone.
  void Run(std::size_t row, std::size_t column) {
    const std::size_t i = row * block_;
    const std::size_t j = column * block_;
    Fill({a_.subspan(i, std::min(block_, a_.size() - i)),
          b_.subspan(j, std::min(block_, b_.size() - j)), &left_[i], &above_[j],
          &corners_[rows_ + column - row]});
    if (row + 1 < rows_) Arrive(row + 1, column);
    if (column + 1 < columns_) Arrive(row, column + 1);
  }

  int Last() const { return above_.back(); }

 private:
  void Arrive(std::size_t row, std::size_t column) {
    const int awaited = row > 0 && column > 0 ? 2 : 1;
    if (++arrived_[row * columns_ + column] < awaited) return;
#pragma omp task
    Run(row, column);
  }

  std::span<const char> a_;
  std::span<const char> b_;
  std::size_t block_;
  std::size_t rows_;
  std::size_t columns_;
  std::vector<int> left_;
  std::vector<int> above_;
  std::vector<int> corners_;
  std::vector<std::atomic<int>> arrived_;
};

}  // namespace

std::uint64_t CountQueens(std::span<const std::uint32_t> blocked) {
  std::uint64_t ways = 0;
#pragma omp parallel
#pragma omp single
  ways = CountByTasks(blocked, 0, {});
  return ways;
}

void SortNumbers(std::span<const int> in, std::span<int> out) {
  const std::size_t size = in.size() / kParts + 1;
  std::vector<int> spare(in.begin(), in.end());
  int* const numbers = spare.data();
  const auto end = [&](std::size_t part) { return numbers + std::min(part * size, in.size()); };
  [[maybe_unused]] char sorted[kParts];  // what the tasks depend on
#pragma omp parallel
#pragma omp single
  {
    for (std::size_t part = 0; part < kParts; ++part) {
#pragma omp task depend(out : sorted[part])
      std::sort(end(part), end(part + 1));
    }
    for (std::size_t width = 1; width < kParts; width *= 2) {
      for (std::size_t part = 0; part < kParts; part += 2 * width) {
#pragma omp task depend(inout : sorted[part]) depend(in : sorted[part + width])
        std::inplace_merge(end(part), end(part + width), end(part + 2 * width));
      }
    }
#pragma omp taskwait
    std::copy(spare.begin(), spare.end(), out.begin());
  }
}

int EditDistance(std::span<const char> a, std::span<const char> b, std::size_t block) {
  if (a.empty() || b.empty()) return static_cast<int>(a.size() + b.size());
  Wave wave(a, b, block);
#pragma omp parallel
#pragma omp single
  wave.Run(0, 0);
  return wave.Last();
}
