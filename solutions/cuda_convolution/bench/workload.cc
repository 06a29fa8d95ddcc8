// The calls whose times are predicted and measured: see common/cudasim/predict/README.md.

#include "common/cudasim/predict/measure/workload.h"

#include "labs/cuda_convolution/convolution.h"

using predict::Filled;
using predict::Floats;
using predict::Mixed;
using predict::Room;
using predict::Workload;

namespace {

constexpr int kRadius = 3;
using Convolution = void (*)(DeviceSpan<const float>, DeviceSpan<const float>, DeviceSpan<float>,
                             int, int, int, cudaStream_t);

std::size_t Square(int edge) {
  return static_cast<std::size_t>(edge) * static_cast<std::size_t>(edge);
}

Workload ConvolutionOf(const char* name, Convolution function) {
  return {name, {64, 256, 768}, [function](int edge) {
            return [=, in = Floats(Square(edge)), mask = Floats(Square(2 * kRadius + 1)),
                    out = Room<float>(Square(edge))](cudaStream_t stream) {
              function(in->span(), mask->span(), out->span(), edge, edge, kRadius, stream);
            };
          }};
}

}  // namespace

// Images of `size` x `size` pixels.
int main(int argc, char** argv) {
  return predict::RunWorkloads(
      {ConvolutionOf("Convolve", Convolve),
       ConvolutionOf("ConvolveTiled", ConvolveTiled),
       ConvolutionOf("ConvolveCached", ConvolveCached),
       {"ConvolveSeparable",
        {64, 256, 768},
        [](int edge) {
          constexpr int radius = 8;
          return [=, in = Floats(Square(edge)), row = Floats(2 * radius + 1),
                  column = Floats(2 * radius + 1), out = Room<float>(Square(edge)),
                  scratch = Room<float>(Square(edge))](cudaStream_t stream) {
            ConvolveSeparable(in->span(), row->span(), column->span(), out->span(), scratch->span(),
                              edge, edge, radius, stream);
          };
        }},
       {"ConvolveLarge",
        {64, 256, 512},
        [](int edge) {
          constexpr int radius = 8;
          return [=, in = Floats(Square(edge)), mask = Floats(Square(2 * radius + 1)),
                  out = Room<float>(Square(edge))](cudaStream_t stream) {
            ConvolveLarge(in->span(), mask->span(), out->span(), edge, edge, radius, radius,
                          stream);
          };
        }}},
      argc, argv);
}
