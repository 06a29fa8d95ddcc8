// Right: a counter a thread, a sort of the standard library for each part, and the whole table.

#include <omp.h>

#include <algorithm>
#include <memory>
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

struct alignas(64) Counter {
  std::uint64_t ways = 0;
};

// Each task adds to the counter of the thread that runs it.
void CountByTasks(Rows blocked, std::size_t row, const Attacked& attacked, Counter* counters) {
  if (row == std::min<std::size_t>(blocked.size(), 3)) {
    counters[omp_get_thread_num()].ways += Count(blocked, row, attacked);
    return;
  }
  for (auto free = FreeSquares(blocked, row, attacked); free != 0; free &= free - 1) {
#pragma omp task firstprivate(free)
    CountByTasks(blocked, row + 1, attacked.With(LowestBit(free)), counters);
  }
#pragma omp taskwait
}

// A table of (n + 1) x (m + 1) cells, row by row, not initialized.
struct Table {
  Table(std::size_t rows, std::size_t columns)
      : width(columns), cells(std::make_unique_for_overwrite<int[]>(rows * columns)) {}
  int* Row(std::size_t i) { return &cells[i * width]; }

  std::size_t width;
  std::unique_ptr<int[]> cells;
};

}  // namespace

std::uint64_t CountQueens(std::span<const std::uint32_t> blocked) {
  std::vector<Counter> counters(omp_get_max_threads());
#pragma omp parallel
#pragma omp single nowait
  CountByTasks(blocked, 0, {}, counters.data());
  std::uint64_t ways = 0;
  for (const Counter& counter : counters) ways += counter.ways;
  return ways;
}

void SortNumbers(std::span<const int> in, std::span<int> out) {
  constexpr std::size_t kParts = 64;
  const std::size_t size = in.size() / kParts + 1;
  std::vector<int> spare(in.size());
  std::span<int> from = out;
  std::span<int> to = spare;
#pragma omp parallel
#pragma omp single
  {
    for (std::size_t begin = 0; begin < in.size(); begin += size) {
#pragma omp task
      {
        const std::size_t end = std::min(begin + size, in.size());
        std::copy(in.begin() + begin, in.begin() + end, out.begin() + begin);
        std::sort(out.begin() + begin, out.begin() + end);
      }
    }
#pragma omp taskwait
    for (std::size_t width = size; width < in.size(); width *= 2) {
      for (std::size_t begin = 0; begin < in.size(); begin += 2 * width) {
        const std::size_t middle = std::min(begin + width, in.size());
        const std::size_t end = std::min(begin + 2 * width, in.size());
#pragma omp task firstprivate(from, to)
        std::merge(from.begin() + begin, from.begin() + middle, from.begin() + middle,
                   from.begin() + end, to.begin() + begin);
      }
#pragma omp taskwait
      std::swap(from, to);
    }
    if (from.data() != out.data()) std::copy(from.begin(), from.end(), out.begin());
  }
}

int EditDistance(std::span<const char> a, std::span<const char> b, std::size_t block) {
  Table table(a.size() + 1, b.size() + 1);
  for (std::size_t i = 0; i <= a.size(); ++i) table.Row(i)[0] = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) table.Row(0)[j] = static_cast<int>(j);
  // Whether the block that ends before row i and column j is filled: one place for each, with a
  // border of places that no task writes.
  const std::ptrdiff_t columns = b.size() / block + 2;
  std::vector<char> filled((a.size() / block + 2) * columns);
#pragma omp parallel
#pragma omp single
  for (std::size_t i = 0; i < a.size(); i += block) {
    for (std::size_t j = 0; j < b.size(); j += block) {
      [[maybe_unused]] char* const mine = &filled[(i / block + 1) * columns + j / block + 1];
#pragma omp task shared(table) depend(in : mine[-1], mine[-columns]) depend(out : mine[0])
      for (std::size_t y = i; y < std::min(i + block, a.size()); ++y) {
        const int* const above = table.Row(y);
        int* const row = table.Row(y + 1);
        for (std::size_t x = j; x < std::min(j + block, b.size()); ++x) {
          const int replaced = above[x] + (a[y] != b[x]);
          row[x + 1] = std::min(std::min(above[x + 1] + 1, replaced), row[x] + 1);
        }
      }
    }
  }
  return table.Row(a.size())[b.size()];
}
