// The calls whose times are predicted and measured: see common/cudasim/predict/README.md.

#include "common/cudasim/predict/measure/workload.h"

#include "labs/cuda_merge/merge.h"

using predict::Filled;
using predict::Floats;
using predict::Mixed;
using predict::Room;
using predict::Workload;

namespace {

using Merge = void (*)(DeviceSpan<const std::int32_t>, DeviceSpan<const std::int32_t>,
                       DeviceSpan<std::int32_t>, cudaStream_t);

// Keys that ascend by 0 or 1.
auto Sorted(std::size_t n, std::uint32_t salt) {
  return Filled<std::int32_t>(n, [salt](std::uint32_t i) {
    return static_cast<std::int32_t>((i / 2 + Mixed(i / 2 + salt) % 2) * 256 + i % 256);
  });
}

Workload MergeOf(const char* name, Merge function) {
  return {name, {13, 17, 20}, [function](int size) {
            const std::size_t n = std::size_t{1} << size;
            return [=, a = Sorted(n, 0), b = Sorted(n, 77),
                    merged = Room<std::int32_t>(2 * n)](cudaStream_t stream) {
              function(a->span(), b->span(), merged->span(), stream);
            };
          }};
}

}  // namespace

// Two arrays of 2^size items.
int main(int argc, char** argv) {
  return predict::RunWorkloads(
      {{"CoRanks",
        {13, 17, 20},
        [](int size) {
          const std::size_t n = std::size_t{1} << size;
          auto ks = Filled<std::uint64_t>(
              n, [n](std::uint32_t i) { return std::uint64_t{Mixed(i)} % (2 * n + 1); });
          return [=, a = Sorted(n, 0), b = Sorted(n, 77),
                  ranks = Room<std::uint64_t>(n)](cudaStream_t stream) {
            CoRanks(a->span(), b->span(), ks->span(), ranks->span(), stream);
          };
        }},
       MergeOf("MergeRanges", MergeRanges),
       MergeOf("MergeTiles", MergeTiles),
       {"MergeRing",
        {13, 17, 20},
        [](int size) {
          const std::size_t n = std::size_t{1} << size;
          return [=, a = Sorted(n, 0), b = Sorted(n, 77), merged = Room<std::int32_t>(2 * n),
                  workspace = Room<std::uint64_t>(WorkspaceSize(2 * n))](cudaStream_t stream) {
            MergeRing(a->span(), b->span(), merged->span(), workspace->span(), stream);
          };
        }}},
      argc, argv);
}
