// The calls whose times are predicted and measured: see common/cudasim/predict/README.md.

#include "common/cudasim/predict/measure/workload.h"

#include "labs/cuda_vecadd/vecadd.h"

using predict::Filled;
using predict::Floats;
using predict::Mixed;
using predict::Room;
using predict::Workload;

// Arrays of 2^size elements; pictures of 2^(size / 2) x 2^(size / 2) pixels.
int main(int argc, char** argv) {
  const std::vector<int> sizes{14, 18, 22};
  return predict::RunWorkloads(
      {{"VecAddHost", sizes,
        [](int size) {
          const std::size_t n = std::size_t{1} << size;
          auto a = std::make_shared<std::vector<float>>(n, 1.0f);
          auto c = std::make_shared<std::vector<float>>(n);
          return [=](cudaStream_t) { VecAddHost(*a, *a, *c); };
        }},
       {"VecAdd", sizes,
        [](int size) {
          const std::size_t n = std::size_t{1} << size;
          return [a = Floats(n), b = Floats(n), c = Room<float>(n)](cudaStream_t stream) {
            VecAdd(a->span(), b->span(), c->span(), stream);
          };
        }},
       {"VecAddGridStride", sizes,
        [](int size) {
          const std::size_t n = std::size_t{1} << size;
          return [a = Floats(n), b = Floats(n), c = Room<float>(n)](cudaStream_t stream) {
            VecAddGridStride(a->span(), b->span(), c->span(), stream, 132 * 8);
          };
        }},
       {"ScaleAndBlur", sizes,
        [](int size) {
          const int edge = 1 << size / 2;
          const auto n = static_cast<std::size_t>(edge) * static_cast<std::size_t>(edge);
          auto picture = Filled<std::uint8_t>(
              n, [](std::uint32_t i) { return static_cast<std::uint8_t>(Mixed(i)); });
          return [=, scaled = Room<std::uint8_t>(n),
                  blurred = Room<std::uint8_t>(n)](cudaStream_t stream) {
            ScaleAndBlur(picture->span(), scaled->span(), blurred->span(), edge, edge, 150, 2,
                         stream);
          };
        }}},
      argc, argv);
}
