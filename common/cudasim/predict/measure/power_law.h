#pragma once

// Matrices for workloads. sparse::Rmat's random numbers come with a test framework, which is not at
// hand where workloads are measured.

#include "common/cudasim/predict/measure/workload.h"
#include "common/sparse/matrix.h"

namespace predict {

// An R-MAT graph of 2^scale vertices with the Graph500 benchmark's quarters, `degree` edges for
// each vertex. Source: Chakrabarti, Zhan, Faloutsos, SIAM International Conference on Data Mining,
// 2004.
inline sparse::CooMatrix PowerLaw(int scale, std::uint32_t degree) {
  sparse::CooMatrix graph;
  graph.rows = graph.columns = std::size_t{1} << scale;
  for (std::uint32_t e = 0; e < degree << scale; ++e) {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    for (int level = 0; level < scale; ++level) {
      const std::uint32_t percent = Mixed(e * 32 + static_cast<std::uint32_t>(level)) % 100;
      row = row * 2 + (percent >= 76 ? 1 : 0);
      column = column * 2 + (percent >= 95 || (percent >= 57 && percent < 76) ? 1 : 0);
    }
    graph.row_indices.push_back(row);
    graph.column_indices.push_back(column);
    graph.values.push_back(1);
  }
  return graph;
}

// 2^scale rows with `per_row` entries each in columns at random, some of them twice.
inline sparse::CooMatrix UniformRows(int scale, std::uint32_t per_row) {
  sparse::CooMatrix matrix;
  matrix.rows = matrix.columns = std::size_t{1} << scale;
  for (std::uint32_t e = 0; e < per_row << scale; ++e) {
    matrix.row_indices.push_back(e / per_row);
    matrix.column_indices.push_back(Mixed(e) & ((1u << scale) - 1));
    matrix.values.push_back(1);
  }
  return matrix;
}

}  // namespace predict
