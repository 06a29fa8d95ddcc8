// The calls whose times are predicted and measured: see common/cudasim/predict/README.md.

#include "common/cudasim/predict/measure/workload.h"

#include "labs/cuda_reduction/reduction.h"

using predict::Filled;
using predict::Floats;
using predict::Mixed;
using predict::Room;
using predict::Workload;

namespace {

using Sums = void (*)(DeviceSpan<const float>, DeviceSpan<float>, cudaStream_t);

Workload SumOf(const char* name, Sums function, std::vector<int> sizes) {
  return {name, std::move(sizes), [function](int size) {
            const auto values = Floats(std::size_t{1} << size);
            return [=, sum = Room<float>(1)](cudaStream_t stream) {
              function(values->span(), sum->span(), stream);
            };
          }};
}

}  // namespace

// Arrays of 2^size elements.
int main(int argc, char** argv) {
  return predict::RunWorkloads({SumOf("SumTile", SumTile, {7, 9, 11}),
                                SumOf("Sum", Sum, {14, 18, 22}),
                                SumOf("SumCoarsened", SumCoarsened, {14, 18, 22}),
                                {"FirstMaximum",
                                 {14, 18, 22},
                                 [](int size) {
                                   const auto values = Floats(std::size_t{1} << size);
                                   return [=, maximum = Room<MaxLocation>(1)](cudaStream_t stream) {
                                     FirstMaximum(values->span(), 0, maximum->span(), stream);
                                   };
                                 }}},
                               argc, argv);
}
