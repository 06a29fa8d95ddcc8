#include "common/sparse/matrix.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace sparse {
namespace {

[[noreturn]] void Refuse(const std::string& what, std::size_t value, const std::string& limit,
                         const std::string& next) {
  throw std::invalid_argument("error: " + what + ": " + std::to_string(value) + ", limit " + limit +
                              "\n  next: " + next);
}

void CheckAtMost(const char* what, std::size_t value) {
  if (value > kMaxIndex) {
    Refuse(what, value, std::to_string(kMaxIndex), "use a part of the matrix");
  }
}

void CheckShape(std::size_t rows, std::size_t columns, std::size_t entries) {
  CheckAtMost("rows of a sparse matrix", rows);
  CheckAtMost("columns of a sparse matrix", columns);
  CheckAtMost("entries of a sparse matrix", entries);
}

void CheckCount(const char* what, std::size_t count, std::size_t wanted, const char* per) {
  if (count == wanted) return;
  Refuse(what, count, std::to_string(wanted) + ", one for " + per, "give each " + std::string(per));
}

void CheckIndices(const char* what, const std::vector<std::uint32_t>& indices, std::size_t limit) {
  const auto bad = std::find_if(indices.begin(), indices.end(),
                                [limit](std::uint32_t index) { return index >= limit; });
  if (bad == indices.end()) return;
  Refuse(std::string(what) + " of entry " + std::to_string(bad - indices.begin()), *bad,
         "less than " + std::to_string(limit), "count from 0");
}

// Turns the sizes of groups, each stored one place to the right, into the groups' offsets.
void SumUp(std::vector<std::uint32_t>& pointers) {
  std::partial_sum(pointers.begin(), pointers.end(), pointers.begin());
}

// Adds equal neighbours of (column, value) pairs, and appends them to `matrix`.
void AppendRow(const std::vector<std::pair<std::uint32_t, float>>& entries, CsrMatrix& matrix,
               bool is_pattern) {
  const std::size_t begin = matrix.size();
  for (const auto& [column, value] : entries) {
    const bool is_new = matrix.size() == begin || matrix.column_indices.back() != column;
    if (is_new) matrix.column_indices.push_back(column);
    if (is_pattern) continue;
    if (is_new) {
      matrix.values.push_back(value);
    } else {
      matrix.values.back() += value;
    }
  }
}

}  // namespace

void Validate(const CooMatrix& matrix) {
  CheckShape(matrix.rows, matrix.columns, matrix.size());
  CheckCount("column indices of a sparse matrix", matrix.column_indices.size(), matrix.size(),
             "row index");
  if (!matrix.is_pattern()) {
    CheckCount("values of a sparse matrix", matrix.values.size(), matrix.size(), "row index");
  }
  CheckIndices("row", matrix.row_indices, matrix.rows);
  CheckIndices("column", matrix.column_indices, matrix.columns);
}

void Validate(const CsrMatrix& matrix) {
  CheckShape(matrix.rows, matrix.columns, matrix.size());
  const std::vector<std::uint32_t>& pointers = matrix.row_pointers;
  if (pointers.size() != matrix.rows + 1) {
    Refuse("row pointers of a sparse matrix", pointers.size(),
           std::to_string(matrix.rows + 1) + ", rows + 1", "end the last row, too");
  }
  if (pointers.front() != 0) Refuse("first row pointer", pointers.front(), "0", "begin with 0");
  const auto bad = std::is_sorted_until(pointers.begin(), pointers.end());
  if (bad != pointers.end()) {
    Refuse("row pointer " + std::to_string(bad - pointers.begin()), *bad,
           "at least " + std::to_string(*(bad - 1)), "begin no row before the one above it ends");
  }
  if (pointers.back() != matrix.size()) {
    Refuse("last row pointer", pointers.back(), std::to_string(matrix.size()) + ", all entries",
           "end the last row with the last entry");
  }
  if (!matrix.is_pattern()) {
    CheckCount("values of a sparse matrix", matrix.values.size(), matrix.size(), "column index");
  }
  CheckIndices("column", matrix.column_indices, matrix.columns);
}

CsrMatrix ToCsr(const CooMatrix& matrix) {
  Validate(matrix);
  CsrMatrix csr;
  csr.rows = matrix.rows;
  csr.columns = matrix.columns;
  csr.row_pointers.assign(matrix.rows + 1, 0);
  for (const std::uint32_t row : matrix.row_indices) ++csr.row_pointers[row + 1];
  SumUp(csr.row_pointers);
  csr.column_indices.resize(matrix.size());
  csr.values.resize(matrix.values.size());
  std::vector<std::uint32_t> next(csr.row_pointers);
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    const std::uint32_t place = next[matrix.row_indices[k]]++;
    csr.column_indices[place] = matrix.column_indices[k];
    if (!matrix.is_pattern()) csr.values[place] = matrix.values[k];
  }
  return csr;
}

CooMatrix ToCoo(const CsrMatrix& matrix) {
  Validate(matrix);
  CooMatrix coo{matrix.rows, matrix.columns, {}, matrix.column_indices, matrix.values};
  coo.row_indices.reserve(matrix.size());
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    coo.row_indices.insert(coo.row_indices.end(), matrix.Length(r), static_cast<std::uint32_t>(r));
  }
  return coo;
}

CsrMatrix Transposed(const CsrMatrix& matrix) {
  CooMatrix coo = ToCoo(matrix);
  std::swap(coo.rows, coo.columns);
  std::swap(coo.row_indices, coo.column_indices);
  return ToCsr(coo);
}

CsrMatrix Canonical(const CsrMatrix& matrix) {
  Validate(matrix);
  CsrMatrix result;
  result.rows = matrix.rows;
  result.columns = matrix.columns;
  result.row_pointers.reserve(matrix.rows + 1);
  std::vector<std::pair<std::uint32_t, float>> entries;
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    entries.clear();
    for (std::size_t k = matrix.row_pointers[r]; k < matrix.row_pointers[r + 1]; ++k) {
      entries.emplace_back(matrix.column_indices[k], matrix.Value(k));
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    AppendRow(entries, result, matrix.is_pattern());
    result.row_pointers.push_back(static_cast<std::uint32_t>(result.size()));
  }
  return result;
}

CooMatrix WithMirrorImages(const CooMatrix& matrix) {
  Validate(matrix);
  if (matrix.rows != matrix.columns) {
    Refuse("columns of a symmetric matrix", matrix.columns,
           std::to_string(matrix.rows) + ", as many as rows", "use a square matrix");
  }
  CooMatrix result = matrix;
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    if (matrix.row_indices[k] == matrix.column_indices[k]) continue;
    result.row_indices.push_back(matrix.column_indices[k]);
    result.column_indices.push_back(matrix.row_indices[k]);
    if (!matrix.is_pattern()) result.values.push_back(matrix.values[k]);
  }
  CheckAtMost("entries of a sparse matrix", result.size());
  return result;
}

}  // namespace sparse
