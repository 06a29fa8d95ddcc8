#pragma once

// A matrix in all layouts on the device, and the product that it must give.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common/cuda/device_array.h"
#include "common/lab/testing/inputs.h"
#include "common/sparse/formats.h"
#include "common/sparse/matrix.h"

struct EllOnDevice {
  explicit EllOnDevice(const sparse::EllMatrix& ell)
      : columns(ell.column_indices), values(ell.values) {}
  lab::DeviceArray<unsigned> columns;
  lab::DeviceArray<float> values;
};

struct CooOnDevice {
  explicit CooOnDevice(const sparse::CooMatrix& coo)
      : rows(coo.row_indices), columns(coo.column_indices), values(coo.values) {}
  lab::DeviceArray<unsigned> rows;
  lab::DeviceArray<unsigned> columns;
  lab::DeviceArray<float> values;
};

struct HybridOnDevice {
  explicit HybridOnDevice(const sparse::HybridMatrix& hybrid)
      : ell(hybrid.ell), rest(hybrid.rest) {}
  EllOnDevice ell;
  CooOnDevice rest;
};

struct JaggedOnDevice {
  explicit JaggedOnDevice(const sparse::JaggedMatrix& jagged)
      : order(jagged.row_order),
        pointers(jagged.diagonal_pointers),
        columns(jagged.column_indices),
        values(jagged.values) {}
  lab::DeviceArray<unsigned> order;
  lab::DeviceArray<unsigned> pointers;
  lab::DeviceArray<unsigned> columns;
  lab::DeviceArray<float> values;
};

// The largest width that at least a third of the rows fill (Bell and Garland).
inline std::size_t HybridWidth(const sparse::CsrMatrix& matrix) {
  std::vector<std::size_t> lengths(matrix.rows);
  for (std::size_t r = 0; r < matrix.rows; ++r) lengths[r] = matrix.Length(r);
  const auto third = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 3);
  std::nth_element(lengths.begin(), third, lengths.end(), std::greater<>());
  return *third;
}

// Random values from -1 to 1. Needs about 40 bytes of host memory for an entry.
struct Problem {
  Problem(std::string title, sparse::CsrMatrix pattern, lab::Random& random)
      : name(std::move(title)),
        host(WithValues(std::move(pattern), random)),
        host_x(random.Floats(host.columns, -1, 1)),
        pointers(host.row_pointers),
        columns(host.column_indices),
        values(host.values),
        // As wide as the longest row only where that is not mostly padding.
        ell(sparse::ToHybrid(host, EllWidth()).ell),
        coo(sparse::ToCoo(host)),
        hybrid(sparse::ToHybrid(host, HybridWidth(host))),
        jagged(sparse::ToJagged(host)),
        x(host_x),
        y(host.rows) {
    for (std::size_t r = 0; r < host.rows; ++r) {
      double sum = 0;
      double absolute = 0;
      for (std::size_t k = host.row_pointers[r]; k < host.row_pointers[r + 1]; ++k) {
        const double product = double{host.values[k]} * host_x[host.column_indices[k]];
        sum += product;
        absolute += std::abs(product);
      }
      const double lu = static_cast<double>(host.Length(r)) * 0x1p-24;
      want.push_back(sum);
      tolerance.push_back(lu / (1 - lu) * absolute + 0x1p-50 * absolute);
    }
  }

  static sparse::CsrMatrix WithValues(sparse::CsrMatrix matrix, lab::Random& random) {
    matrix.values = random.Floats(matrix.size(), -1, 1);
    return matrix;
  }

  // 0 where ELL would have more than four slots for an entry.
  std::size_t EllWidth() const {
    const std::size_t longest = sparse::LongestRow(host);
    return longest * host.rows <= 4 * host.size() ? longest : 0;
  }

  // Bytes of CSR and of both vectors, each once.
  double Bytes() const {
    return 8.0 * static_cast<double>(host.size()) + 8.0 * static_cast<double>(host.rows) +
           4.0 * static_cast<double>(host.columns);
  }

  bool IsRight() const {
    const std::vector<float> got = y.OnHost();
    for (std::size_t r = 0; r < got.size(); ++r) {
      if (!(std::abs(got[r] - want[r]) <= tolerance[r])) return false;
    }
    return true;
  }

  std::string name;
  sparse::CsrMatrix host;
  std::vector<float> host_x;
  lab::DeviceArray<unsigned> pointers;
  lab::DeviceArray<unsigned> columns;
  lab::DeviceArray<float> values;
  EllOnDevice ell;
  CooOnDevice coo;
  HybridOnDevice hybrid;
  JaggedOnDevice jagged;
  lab::DeviceArray<float> x;
  lab::DeviceArray<float> y;
  std::vector<double> want;
  std::vector<double> tolerance;
};
