// The readers of Matrix Market files and of edge lists.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include "common/sparse/formats.h"
#include "common/sparse/read.h"

namespace {

constexpr sparse::ReadLimits kLimits{1000, 1000, 1000};

void Require(bool holds) {
  if (!holds) __builtin_trap();
}

void CheckMatrix(const sparse::CooMatrix& matrix) {
  sparse::Validate(matrix);
  Require(matrix.rows <= kLimits.rows && matrix.columns <= kLimits.columns);
  Require(matrix.size() <= kLimits.entries);
  Require(std::all_of(matrix.values.begin(), matrix.values.end(),
                      [](float value) { return std::isfinite(value); }));
  const sparse::CsrMatrix rows = sparse::ToCsr(matrix);
  Require(sparse::ToCoo(rows).size() == matrix.size());
  Require(sparse::Transposed(sparse::Transposed(rows)).size() == matrix.size());
  Require(sparse::Canonical(rows).size() <= matrix.size());
  sparse::ToEll(rows);
  sparse::ToHybrid(rows, 2);
  sparse::ToJagged(rows);
}

}  // namespace

// The first byte chooses the format; the rest is the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(data + 1, data + size);
  std::istringstream in(text);
  try {
    CheckMatrix(data[0] % 2 == 0 ? sparse::ReadMatrixMarket(in, "file", kLimits)
                                 : sparse::ReadEdgeList(in, "file", 3, kLimits));
  } catch (const sparse::ReadError& error) {
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    Require(error.line() <= lines + 1);
    Require(std::string_view(error.what()).find("\n  next: ") != std::string_view::npos);
  }
  return 0;
}
