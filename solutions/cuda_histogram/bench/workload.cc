// The calls whose times are predicted and measured: see common/cudasim/predict/README.md.

#include "common/cudasim/predict/measure/workload.h"

#include "labs/cuda_histogram/histogram.h"

using predict::Filled;
using predict::Floats;
using predict::Mixed;
using predict::Room;
using predict::Workload;

namespace {

using Count = void (*)(DeviceSpan<const char>, DeviceSpan<unsigned>, cudaStream_t);

// Letters, each as often as the others.
Workload LettersOf(const char* name, Count function) {
  return {name, {16, 20, 23}, [function](int size) {
            auto text = Filled<char>(std::size_t{1} << size, [](std::uint32_t i) {
              return static_cast<char>(Mixed(i) % 26 + 97);
            });
            return [=, bins = Room<unsigned>(kLetterBins)](cudaStream_t stream) {
              function(text->span(), bins->span(), stream);
            };
          }};
}

}  // namespace

// Texts of 2^size letters; 2^size keys and 256 bins.
int main(int argc, char** argv) {
  return predict::RunWorkloads({LettersOf("CountLetters", CountLetters),
                                LettersOf("CountLettersPrivate", CountLettersPrivate),
                                LettersOf("CountLettersAggregated", CountLettersAggregated),
                                {"CountKeys",
                                 {14, 18, 22},
                                 [](int size) {
                                   auto keys = Filled<unsigned>(
                                       std::size_t{1} << size,
                                       [](std::uint32_t i) { return Mixed(i) % 256; });
                                   return [=, bins = Room<unsigned>(256)](cudaStream_t stream) {
                                     CountKeys(keys->span(), bins->span(), stream);
                                   };
                                 }}},
                               argc, argv);
}
