// Wrong: right results, but no parallel region and no task.

#include <algorithm>
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

}  // namespace

std::uint64_t CountQueens(std::span<const std::uint32_t> blocked) { return Count(blocked, 0, {}); }

void SortNumbers(std::span<const int> in, std::span<int> out) {
  std::copy(in.begin(), in.end(), out.begin());
  std::sort(out.begin(), out.end());
}

int EditDistance(std::span<const char> a, std::span<const char> b, std::size_t /*block*/) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (const char letter : a) {
    int diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int replaced = diagonal + (letter != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}
