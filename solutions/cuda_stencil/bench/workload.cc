// The calls whose times are predicted and measured: see common/cudasim/predict/README.md.

#include "common/cudasim/predict/measure/workload.h"

#include "labs/cuda_stencil/stencil.h"

using predict::Filled;
using predict::Floats;
using predict::Mixed;
using predict::Room;
using predict::Workload;

namespace {

constexpr Weights kWeights{0.25f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f};
using Step = void (*)(DeviceSpan<const float>, DeviceSpan<float>, int, int, int, Weights,
                      cudaStream_t);

std::size_t Cells(int edge) {
  const auto n = static_cast<std::size_t>(edge);
  return n * n * n;
}

Workload StepOf(const char* name, Step function) {
  return {name, {32, 96, 160}, [function](int edge) {
            return
                [=, in = Floats(Cells(edge)), out = Room<float>(Cells(edge))](cudaStream_t stream) {
                  function(in->span(), out->span(), edge, edge, edge, kWeights, stream);
                };
          }};
}

}  // namespace

// Cubes with edges of `size` cells.
int main(int argc, char** argv) {
  return predict::RunWorkloads({StepOf("Stencil", Stencil),
                                StepOf("StencilTiled", StencilTiled),
                                StepOf("StencilSliced", StencilSliced),
                                {"StencilSteps",
                                 {32, 64, 96},
                                 [](int edge) {
                                   return
                                       [=, in = Floats(Cells(edge)), out = Room<float>(Cells(edge)),
                                        scratch = Room<float>(Cells(edge))](cudaStream_t stream) {
                                         StencilSteps(in->span(), out->span(), scratch->span(),
                                                      edge, edge, edge, kWeights, 4, stream);
                                       };
                                 }}},
                               argc, argv);
}
