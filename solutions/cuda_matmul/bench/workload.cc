// The calls whose times are predicted and measured: see common/cudasim/predict/README.md.

#include "common/cudasim/predict/measure/workload.h"

#include "labs/cuda_matmul/matmul.h"

using predict::Filled;
using predict::Floats;
using predict::Mixed;
using predict::Room;
using predict::Workload;

namespace {

using Product = void (*)(DeviceSpan<const float>, DeviceSpan<const float>, DeviceSpan<float>, int,
                         int, int, cudaStream_t);

Workload ProductOf(const char* name, Product function) {
  return {name, {128, 256, 512}, [function](int n) {
            const auto elements = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
            return [=, a = Floats(elements), b = Floats(elements),
                    c = Room<float>(elements)](cudaStream_t stream) {
              function(a->span(), b->span(), c->span(), n, n, n, stream);
            };
          }};
}

void Square(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c, int n, int,
            int, cudaStream_t stream) {
  MatMulTiledSquare(a, b, c, n, stream);
}

}  // namespace

// Square matrices of `size` rows.
int main(int argc, char** argv) {
  return predict::RunWorkloads({ProductOf("MatMul", MatMul), ProductOf("MatMulTiledSquare", Square),
                                ProductOf("MatMulTiled", MatMulTiled),
                                ProductOf("MatMulRegisterTiled", MatMulRegisterTiled)},
                               argc, argv);
}
