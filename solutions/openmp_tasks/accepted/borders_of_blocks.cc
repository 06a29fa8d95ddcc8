// Right: the blocks of the table keep only their borders, and a merge sort waits by taskwait.

#include <algorithm>
#include <numeric>
#include <vector>

#include "labs/openmp_tasks/tasks.h"

namespace {

constexpr std::size_t kTaskRows = 3;

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

// The same with a task for each queen of the first rows.
std::uint64_t CountByTasks(Rows blocked, std::size_t row, const Attacked& attacked) {
  if (row >= std::min(kTaskRows, blocked.size())) return Count(blocked, row, attacked);
  std::uint64_t ways = 0;
  for (auto free = FreeSquares(blocked, row, attacked); free != 0; free &= free - 1) {
    const Attacked next = attacked.With(LowestBit(free));
#pragma omp task shared(ways) firstprivate(next)
    {
      const std::uint64_t below = CountByTasks(blocked, row + 1, next);
#pragma omp atomic
      ways += below;
    }
  }
#pragma omp taskwait
  return ways;
}

// Below these sizes a task would cost more than it gains.
constexpr std::size_t kSortAlone = 1 << 12;
constexpr std::size_t kMergeAlone = 1 << 14;

// Merges without a branch on the values, which could not be predicted.
void MergeAlone(std::span<const int> a, std::span<const int> b, int* out) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const bool from_b = b[j] < a[i];
    *out++ = from_b ? b[j] : a[i];
    i += !from_b;
    j += from_b;
  }
  std::copy(b.begin() + j, b.end(), std::copy(a.begin() + i, a.end(), out));
}

// Splits the longer input in the middle, the other where the same value belongs: so each half gets
// at least a quarter of the numbers, whatever they are.
void Merge(std::span<const int> a, std::span<const int> b, int* out) {
  if (a.size() < b.size()) std::swap(a, b);
  if (a.size() + b.size() <= kMergeAlone) return MergeAlone(a, b, out);
  const std::size_t i = a.size() / 2;
  const std::size_t j = std::lower_bound(b.begin(), b.end(), a[i]) - b.begin();
#pragma omp task
  Merge(a.first(i), b.first(j), out);
  Merge(a.subspan(i), b.subspan(j), out + i + j);
#pragma omp taskwait
}

// Sorts `in` into `out`; `spare` is as large and holds anything.
void MergeSort(std::span<const int> in, std::span<int> out, std::span<int> spare) {
  if (in.size() <= kSortAlone) {
    std::copy(in.begin(), in.end(), out.begin());
    std::sort(out.begin(), out.end());
    return;
  }
  const std::size_t half = in.size() / 2;
#pragma omp task
  MergeSort(in.first(half), spare.first(half), out.first(half));
  MergeSort(in.subspan(half), spare.subspan(half), out.subspan(half));
#pragma omp taskwait
  Merge(spare.first(half), spare.subspan(half), out.data());
}

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

}  // namespace

std::uint64_t CountQueens(std::span<const std::uint32_t> blocked) {
  std::uint64_t ways = 0;
#pragma omp parallel
#pragma omp single
  ways = CountByTasks(blocked, 0, {});
  return ways;
}

void SortNumbers(std::span<const int> in, std::span<int> out) {
  std::vector<int> spare(in.size());
#pragma omp parallel
#pragma omp single
  MergeSort(in, out, spare);
}

int EditDistance(std::span<const char> a, std::span<const char> b, std::size_t block) {
  if (a.empty() || b.empty()) return static_cast<int>(a.size() + b.size());
  // The borders of the blocks that are filled next. A corner stands for its diagonal: the blocks
  // (0, k), (1, k + 1), ... or (k, 0), (k + 1, 1), ... hand it on, one to the next.
  std::vector<int> left(a.size());
  std::vector<int> above(b.size());
  std::iota(left.begin(), left.end(), 1);
  std::iota(above.begin(), above.end(), 1);
  const std::size_t rows = (a.size() - 1) / block + 1;
  const std::size_t columns = (b.size() - 1) / block + 1;
  std::vector<int> corners(rows + columns);
  for (std::size_t k = 0; k < rows; ++k) corners[rows - k] = static_cast<int>(k * block);
  for (std::size_t k = 0; k < columns; ++k) corners[rows + k] = static_cast<int>(k * block);
#pragma omp parallel
#pragma omp single
  for (std::size_t i = 0; i < a.size(); i += block) {
    for (std::size_t j = 0; j < b.size(); j += block) {
      const Block next{a.subspan(i, std::min(block, a.size() - i)),
                       b.subspan(j, std::min(block, b.size() - j)), &left[i], &above[j],
                       &corners[rows + j / block - i / block]};
#pragma omp task firstprivate(next) depend(inout : next.left[0], next.above[0])
      Fill(next);
    }
  }
  return above.back();
}
