// The calls whose times are predicted and measured: see common/cudasim/predict/README.md.

#include "common/cudasim/predict/measure/workload.h"

#include "common/cudasim/predict/measure/power_law.h"
#include "labs/cuda_spmv/spmv.h"
#include "solutions/cuda_spmv/bench/problem.h"

using predict::Filled;
using predict::Floats;
using predict::Mixed;
using predict::Room;
using predict::Workload;

namespace {

// Uniform matrices of 2^size rows with 16 entries each, and, for the product by coordinates and
// the layouts for rows of different lengths, power-law graphs.
struct Matrix {
  explicit Matrix(sparse::CsrMatrix csr)
      : rows(csr.rows),
        width(sparse::LongestRow(csr)),
        pointers(csr.row_pointers),
        columns(csr.column_indices),
        values(csr.values),
        x(std::vector<float>(csr.columns, 1.0f)),
        y(csr.rows) {}
  std::size_t rows;
  std::size_t width;
  lab::DeviceArray<unsigned> pointers;
  lab::DeviceArray<unsigned> columns;
  lab::DeviceArray<float> values;
  lab::DeviceArray<float> x;
  lab::DeviceArray<float> y;
};

sparse::CsrMatrix Uniform(int size) { return sparse::ToCsr(predict::UniformRows(size, 16)); }

sparse::CsrMatrix PowerLaw(int size) { return sparse::ToCsr(predict::PowerLaw(size, 8)); }

using OnRows = void (*)(DeviceSpan<const unsigned>, DeviceSpan<const unsigned>,
                        DeviceSpan<const float>, DeviceSpan<const float>, DeviceSpan<float>,
                        cudaStream_t);
using Call = std::function<void(cudaStream_t)>;

Workload RowsOf(const char* name, OnRows function) {
  return {name, {10, 14, 17}, [function](int size) -> Call {
            const auto m = std::make_shared<Matrix>(Uniform(size));
            return [=](cudaStream_t stream) {
              function(m->pointers.span(), m->columns.span(), m->values.span(), m->x.span(),
                       m->y.span(), stream);
            };
          }};
}

Call BuildEllOf(int size) {
  const auto m = std::make_shared<Matrix>(Uniform(size));
  return [=, columns = Room<unsigned>(m->rows * m->width),
          values = Room<float>(m->rows * m->width)](cudaStream_t stream) {
    BuildEll(m->pointers.span(), m->columns.span(), m->values.span(), columns->span(),
             values->span(), stream);
  };
}

Call EllOf(int size) {
  const sparse::CsrMatrix csr = Uniform(size);
  const auto m = std::make_shared<Matrix>(csr);
  const auto ell = std::make_shared<EllOnDevice>(sparse::ToEll(csr));
  return [=](cudaStream_t stream) {
    MultiplyEll(ell->columns.span(), ell->values.span(), m->x.span(), m->y.span(), stream);
  };
}

Call CooOf(int size) {
  const sparse::CsrMatrix csr = PowerLaw(size);
  const auto m = std::make_shared<Matrix>(csr);
  const auto coo = std::make_shared<CooOnDevice>(sparse::ToCoo(csr));
  return [=](cudaStream_t stream) {
    MultiplyCoo(coo->rows.span(), coo->columns.span(), coo->values.span(), m->x.span(), m->y.span(),
                stream);
  };
}

Call HybridOf(int size) {
  const sparse::CsrMatrix csr = PowerLaw(size);
  const auto m = std::make_shared<Matrix>(csr);
  const auto parts = std::make_shared<HybridOnDevice>(sparse::ToHybrid(csr, HybridWidth(csr)));
  return [=](cudaStream_t stream) {
    MultiplyHybrid(parts->ell.columns.span(), parts->ell.values.span(), parts->rest.rows.span(),
                   parts->rest.columns.span(), parts->rest.values.span(), m->x.span(), m->y.span(),
                   stream);
  };
}

Call JaggedOf(int size) {
  const sparse::CsrMatrix csr = PowerLaw(size);
  const auto m = std::make_shared<Matrix>(csr);
  const auto jagged = std::make_shared<JaggedOnDevice>(sparse::ToJagged(csr));
  return [=](cudaStream_t stream) {
    MultiplyJagged(jagged->order.span(), jagged->pointers.span(), jagged->columns.span(),
                   jagged->values.span(), m->x.span(), m->y.span(), stream);
  };
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<int> sizes{10, 14, 17};
  return predict::RunWorkloads({RowsOf("MultiplyByThreads", MultiplyByThreads),
                                RowsOf("MultiplyByWarps", MultiplyByWarps),
                                {"BuildEll", sizes, BuildEllOf},
                                {"MultiplyEll", sizes, EllOf},
                                {"MultiplyCoo", sizes, CooOf},
                                {"MultiplyHybrid", sizes, HybridOf},
                                {"MultiplyJagged", sizes, JaggedOf}},
                               argc, argv);
}
