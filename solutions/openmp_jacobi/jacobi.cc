// The reference solution of the lab "Stencils with OpenMP".

#include "labs/openmp_jacobi/jacobi.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace {

using Cells = std::unique_ptr<double[]>;

// Not touched yet: a page is placed near the thread that writes to it first.
Cells UntouchedCells(std::size_t n) { return std::make_unique_for_overwrite<double[]>(n); }

// The cells of a row from column `first` on.
template <typename Cell>
struct Row {
  Cell* cells;
  std::size_t first = 0;

  Cell* At(std::size_t j) const { return cells + (j - first); }
};

// The means of the neighbours of n inner cells that follow each other in a row.
void Average(const double* above, const double* here, const double* below, double* out,
             std::size_t n) {
#pragma omp simd
  for (std::size_t k = 0; k < n; ++k) {
    out[k] = 0.25 * ((above[k] + below[k]) + ((here - 1)[k] + here[k + 1]));
  }
}

// The same; returns the largest change.
double AverageAndCompare(const double* above, const double* here, const double* below, double* out,
                         std::size_t n) {
  double change = 0;
#pragma omp simd reduction(max : change)
  for (std::size_t k = 0; k < n; ++k) {
    const double mean = 0.25 * ((above[k] + below[k]) + ((here - 1)[k] + here[k + 1]));
    out[k] = mean;
    change = std::max(change, std::abs(mean - here[k]));
  }
  return change;
}

// One sweep of the cells [left, right), of which there are some, of row i: copies those on the
// border, and calls average(above, here, below, out, n) for the others. row(k) is a Row of the
// cells before the sweep, out(k) one of those after it.
template <typename RowOf, typename OutOf, typename Inner>
void SweepRow(const RowOf& row, const OutOf& out, PlateSize size, std::size_t i, std::size_t left,
              std::size_t right, const Inner& average) {
  const Row<const double> here = row(i);
  const Row<double> to = out(i);
  if (i == 0 || i + 1 == size.rows) {
    std::copy(here.At(left), here.At(right), to.At(left));
    return;
  }
  if (left == 0) *to.At(left++) = *here.At(0);
  if (right == size.columns) {
    --right;
    *to.At(right) = *here.At(right);
  }
  average(row(i - 1).At(left), here.At(left), row(i + 1).At(left), to.At(left),
          std::max(left, right) - left);
}

// A function that gives the rows of a plate.
template <typename Cell>
auto RowsOf(Cell* cells, PlateSize size) {
  return [=](std::size_t i) { return Row<Cell>{cells + i * size.columns}; };
}

void CopyCells(const double* from, double* to, std::size_t n) {
#pragma omp parallel for simd
  for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
}

// Gives the inner cells of row i that have the colour, 0 for red, the means of their neighbours.
void UpdateColour(double* cells, PlateSize size, std::size_t i, std::size_t colour) {
  const double* above = cells + (i - 1) * size.columns;
  double* here = cells + i * size.columns;
  const double* below = cells + (i + 1) * size.columns;
  for (std::size_t j = 1 + (i + 1 + colour) % 2; j + 1 < size.columns; j += 2) {
    here[j] = 0.25 * ((above[j] + below[j]) + (here[j - 1] + here[j + 1]));
  }
}

// The cells of rows [top, bottom) and columns [left, right). There are some.
struct Rectangle {
  std::size_t top, bottom, left, right;
};

// Sweeps that are made of a tile while its rows stay in the caches, and the tile's size. A row is
// needed until the next two of its sweep are computed. So the rows of all sweeps that are under way
// take 3 * 7 * 2064 * 8 bytes, 350 KB; and with a halo of 0 to 7 rows at either side a tenth more
// rows are computed.
constexpr std::size_t kDepth = 8;
constexpr std::size_t kTileRows = 64;
constexpr std::size_t kTileColumns = 2048;

// The tile with a halo of `width` cells, as far as the plate has them.
Rectangle WithHalo(Rectangle tile, std::size_t width, PlateSize size) {
  const auto minus = [&](std::size_t edge) { return edge - std::min(edge, width); };
  return {minus(tile.top), std::min(tile.bottom + width, size.rows), minus(tile.left),
          std::min(tile.right + width, size.columns)};
}

// The last three rows of each sweep of a tile but the last sweep.
class Rings {
 public:
  // Room for tiles of a plate of that size.
  explicit Rings(PlateSize size)
      : stride_(std::min(size.columns, kTileColumns + 2 * kDepth)),
        cells_(UntouchedCells(3 * (kDepth - 1) * stride_)) {}

  // Row i after that many sweeps of the tile, 1 or more.
  double* RowOf(std::size_t sweep, std::size_t i) const {
    return &cells_[(3 * (sweep - 1) + i % 3) * stride_];
  }

 private:
  std::size_t stride_;
  Cells cells_;
};

// Makes `depth` sweeps, 1 to kDepth, of one tile. In each step every sweep computes one row, the
// next one that all its neighbours have been computed for: that is one above the row of the sweep
// before. Cells of the halo are computed as far as later sweeps need them.
void AdvanceTile(const double* from, double* to, PlateSize size, Rectangle tile, std::size_t depth,
                 const Rings& rings) {
  const Rectangle first = WithHalo(tile, depth - 1, size);
  for (std::size_t step = first.top; step < first.bottom + depth - 1; ++step) {
    for (std::size_t sweep = 1; sweep <= std::min(depth, step + 1); ++sweep) {
      const std::size_t i = step - (sweep - 1);
      const Rectangle part = WithHalo(tile, depth - sweep, size);
      if (i < part.top || i >= part.bottom) continue;
      const auto before = [&](std::size_t k) {
        return sweep == 1 ? Row<const double>{from + k * size.columns}
                          : Row<const double>{rings.RowOf(sweep - 1, k), first.left};
      };
      const auto after = [&](std::size_t k) {
        return sweep == depth ? Row<double>{to + k * size.columns}
                              : Row<double>{rings.RowOf(sweep, k), first.left};
      };
      SweepRow(before, after, size, i, part.left, part.right, Average);
    }
  }
}

// The plates between which the passes over the whole plate go: from the input to one of two, then
// to the other one and back, so that the last one ends in the output.
class Passes {
 public:
  Passes(std::span<const double> before, std::span<double> after, std::size_t sweeps)
      : sweeps_(sweeps),
        count_((sweeps + kDepth - 1) / kDepth),
        spare_(count_ > 1 ? UntouchedCells(after.size()) : nullptr),
        before_(before.data()),
        after_(after.data()) {}

  std::size_t count() const { return count_; }
  std::size_t Depth(std::size_t pass) const { return std::min(kDepth, sweeps_ - pass * kDepth); }
  const double* From(std::size_t pass) const { return pass == 0 ? before_ : To(pass - 1); }
  double* To(std::size_t pass) const { return (count_ - pass) % 2 == 1 ? after_ : spare_.get(); }

 private:
  std::size_t sweeps_;
  std::size_t count_;
  Cells spare_;
  const double* before_;
  double* after_;
};

// Makes the sweeps of a pass for the rows from `top` on that one tile has.
void AdvanceBand(const Passes& passes, std::size_t pass, PlateSize size, std::size_t top,
                 const Rings& rings) {
  for (std::size_t left = 0; left < size.columns; left += kTileColumns) {
    const Rectangle tile{top, std::min(top + kTileRows, size.rows), left,
                         std::min(left + kTileColumns, size.columns)};
    AdvanceTile(passes.From(pass), passes.To(pass), size, tile, passes.Depth(pass), rings);
  }
}

}  // namespace

void JacobiSweep(std::span<const double> before, std::span<double> after, PlateSize size) {
  if (before.empty()) return;
#pragma omp parallel for
  for (std::size_t i = 0; i < size.rows; ++i) {
    SweepRow(RowsOf(before.data(), size), RowsOf(after.data(), size), size, i, 0, size.columns,
             Average);
  }
}

std::size_t JacobiConverge(std::span<const double> before, std::span<double> after, PlateSize size,
                           double tolerance, std::span<double> changes) {
  const std::size_t rows = before.empty() ? 0 : size.rows;
  const Cells spare = UntouchedCells(before.size());
  const double* from = before.data();
  double* to = after.data();
  std::size_t sweeps = 0;
  for (bool done = changes.empty(); !done;) {
    double change = 0;
#pragma omp parallel for reduction(max : change)
    for (std::size_t i = 0; i < rows; ++i) {
      const auto average = [&](auto... rows_and_count) {
        change = std::max(change, AverageAndCompare(rows_and_count...));
      };
      SweepRow(RowsOf(from, size), RowsOf(to, size), size, i, 0, size.columns, average);
    }
    changes[sweeps++] = change;
    done = change <= tolerance || sweeps == changes.size();
    from = to;
    to = to == after.data() ? spare.get() : after.data();
  }
  if (from != after.data()) CopyCells(from, after.data(), after.size());
  return sweeps;
}

void RedBlackSweeps(std::span<double> plate, PlateSize size, std::size_t sweeps) {
  if (size.rows < 3 || size.columns < 3) return;
#pragma omp parallel
  for (std::size_t half = 0; half < 2 * sweeps; ++half) {
#pragma omp for
    for (std::size_t i = 1; i < size.rows - 1; ++i) {
      UpdateColour(plate.data(), size, i, half % 2);
    }
  }
}

void JacobiTiled(std::span<const double> before, std::span<double> after, PlateSize size,
                 std::size_t sweeps) {
  if (sweeps == 0) return CopyCells(before.data(), after.data(), before.size());
  const Passes passes(before, after, sweeps);
#pragma omp parallel
  {
    const Rings rings(size);
    for (std::size_t pass = 0; pass < passes.count(); ++pass) {
#pragma omp for
      for (std::size_t top = 0; top < size.rows; top += kTileRows) {
        AdvanceBand(passes, pass, size, top, rings);
      }
    }
  }
}

void JacobiTasks(std::span<const double> before, std::span<double> after, PlateSize size,
                 std::size_t sweeps) {
  if (sweeps == 0 || before.empty()) return CopyCells(before.data(), after.data(), before.size());
  const Passes passes(before, after, sweeps);
  const std::size_t last = (size.rows - 1) / kTileRows;
  // A band's first cell stands for the whole band.
  const auto cell_of = [&](const double* plate, std::size_t band) {
    return &plate[std::min(band, last) * kTileRows * size.columns];
  };
#pragma omp parallel
#pragma omp single
  for (std::size_t pass = 0; pass < passes.count(); ++pass) {
    for (std::size_t band = 0; band <= last; ++band) {
      [[maybe_unused]] const double* above = cell_of(passes.From(pass), band == 0 ? 0 : band - 1);
      [[maybe_unused]] const double* here = cell_of(passes.From(pass), band);
      [[maybe_unused]] const double* below = cell_of(passes.From(pass), band + 1);
      [[maybe_unused]] const double* written = cell_of(passes.To(pass), band);
#pragma omp task depend(in : *above, *here, *below) depend(out : *written) shared(passes)
      AdvanceBand(passes, pass, size, band * kTileRows, Rings(size));
    }
  }
}
