// Compares products in all layouts with cusparseSpMV.
//
//   spmv_bench [scale]...      21 unless said
//
// Matrices of 2^scale rows with 16 entries each, or on average: in random columns, in a band, and
// by a power law (R-MAT, as its generator gives it: entries in one place are not added up). Layouts
// are made before. Every element of every result is checked against the contract's bound.

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "common/benchmark/device.h"
#include "common/cuda/device_array.h"
#include "common/sparse/generate.h"
#include "labs/cuda_spmv/spmv.h"
#include "solutions/cuda_spmv/bench/cusparse_product.h"
#include "solutions/cuda_spmv/bench/problem.h"

// Each sample defines the lab's seven functions; all that they include is included above.
namespace many_loads {
#include "solutions/cuda_spmv/accepted/many_loads_in_flight.cu"
}
namespace merge_path {
#include "solutions/cuda_spmv/accepted/merge_path.cu"
}
namespace by_length {
#include "solutions/cuda_spmv/accepted/group_width_by_length.cu"
}
namespace segmented_sums {
#include "solutions/cuda_spmv/accepted/segmented_sums.cu"
}

namespace {

using lab::Candidate;

constexpr std::uint64_t kSeed = 20261121;
constexpr std::size_t kPerRow = 16;

// What all candidates for a problem share.
class Entry {
 public:
  explicit Entry(const Problem& problem) : p_(problem) {}

  Candidate Of(const std::string& name, std::function<void()> run) const {
    return {name, p_.Bytes(), std::move(run), [&p = p_] { return p.IsRight(); }};
  }
  Candidate Csr(const char* name, decltype(MultiplyByWarps)* multiply) const {
    return Of(std::string(name) + ", CSR", [&p = p_, multiply] {
      multiply(p.pointers.span(), p.columns.span(), p.values.span(), p.x.span(), p.y.span(),
               nullptr);
    });
  }
  Candidate Ell(const char* name, decltype(MultiplyEll)* multiply) const {
    return Of(std::string(name) + ", ELL", [&p = p_, multiply] {
      multiply(p.ell.columns.span(), p.ell.values.span(), p.x.span(), p.y.span(), nullptr);
    });
  }
  Candidate Coo(const char* name, decltype(MultiplyCoo)* multiply) const {
    return Of(std::string(name) + ", COO", [&p = p_, multiply] {
      multiply(p.coo.rows.span(), p.coo.columns.span(), p.coo.values.span(), p.x.span(), p.y.span(),
               nullptr);
    });
  }
  Candidate Hybrid(const char* name, decltype(MultiplyHybrid)* multiply) const {
    return Of(std::string(name) + ", hybrid", [&p = p_, multiply] {
      const CooOnDevice& rest = p.hybrid.rest;
      multiply(p.hybrid.ell.columns.span(), p.hybrid.ell.values.span(), rest.rows.span(),
               rest.columns.span(), rest.values.span(), p.x.span(), p.y.span(), nullptr);
    });
  }
  Candidate Jagged(const char* name, decltype(MultiplyJagged)* multiply) const {
    return Of(std::string(name) + ", jagged", [&p = p_, multiply] {
      multiply(p.jagged.order.span(), p.jagged.pointers.span(), p.jagged.columns.span(),
               p.jagged.values.span(), p.x.span(), p.y.span(), nullptr);
    });
  }

 private:
  const Problem& p_;
};

std::vector<Candidate> Ours(const Problem& problem) {
  const Entry entry(problem);
  std::vector<Candidate> ours{entry.Csr("many_loads_in_flight", many_loads::MultiplyByWarps),
                              entry.Csr("merge_path", merge_path::MultiplyByWarps),
                              entry.Csr("group_width_by_length", by_length::MultiplyByWarps),
                              entry.Csr("reference, warps", MultiplyByWarps),
                              entry.Csr("reference, threads", MultiplyByThreads),
                              entry.Coo("segmented_sums", segmented_sums::MultiplyCoo),
                              entry.Coo("reference", MultiplyCoo),
                              entry.Hybrid("many_loads_in_flight", many_loads::MultiplyHybrid),
                              entry.Hybrid("segmented_sums", segmented_sums::MultiplyHybrid),
                              entry.Jagged("many_loads_in_flight", many_loads::MultiplyJagged),
                              entry.Jagged("reference", MultiplyJagged)};
  if (problem.ell.values.size() > 0) {
    ours.push_back(entry.Ell("many_loads_in_flight", many_loads::MultiplyEll));
    ours.push_back(entry.Ell("reference", MultiplyEll));
  }
  return ours;
}

bool Run(const Problem& problem) {
  const Entry entry(problem);
  const auto by = [&problem](cusparseSpMVAlg_t algorithm) {
    return CusparseProduct(problem.host.rows, problem.host.columns, problem.pointers,
                           problem.columns, problem.values, problem.x, problem.y, algorithm);
  };
  const CusparseProduct usual = by(CUSPARSE_SPMV_ALG_DEFAULT);
  const CusparseProduct first = by(CUSPARSE_SPMV_CSR_ALG1);
  const CusparseProduct second = by(CUSPARSE_SPMV_CSR_ALG2);
  std::vector<Candidate> candidates{entry.Of("cusparseSpMV, default", [&] { usual.Multiply(); }),
                                    entry.Of("cusparseSpMV, CSR_ALG1", [&] { first.Multiply(); }),
                                    entry.Of("cusparseSpMV, CSR_ALG2", [&] { second.Multiply(); })};
  for (Candidate& candidate : Ours(problem)) candidates.push_back(std::move(candidate));
  return lab::CompareOnDevice(problem.name + ": " + std::to_string(problem.host.rows) + " rows, " +
                                  std::to_string(problem.host.size()) + " entries",
                              candidates, [&problem] { problem.y.Fill(0xff); });
}

bool RunAll(std::size_t scale) {
  lab::Random random(kSeed);
  const std::size_t rows = std::size_t{1} << scale;
  return Run(Problem("uniform", sparse::Uniform(rows, rows, kPerRow, random), random)) &&
         Run(Problem("band", sparse::Banded(rows, kPerRow / 2, kPerRow / 2 - 1), random)) &&
         Run(Problem("power law", sparse::ToCsr(sparse::Rmat(scale, kPerRow * rows, random)),
                     random));
}

}  // namespace

int main(int argc, char** argv) {
  return lab::RunSizes(argc, argv, {"scale", 10, 24, {21}}, RunAll);
}
