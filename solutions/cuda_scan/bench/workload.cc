// The calls whose times are predicted and measured: see common/cudasim/predict/README.md.

#include "common/cudasim/predict/measure/workload.h"

#include "labs/cuda_scan/scan.h"

using predict::Filled;
using predict::Floats;
using predict::Mixed;
using predict::Room;
using predict::Workload;

namespace {

using Tile = void (*)(DeviceSpan<const std::uint32_t>, DeviceSpan<std::uint32_t>, cudaStream_t);
using Scan = void (*)(DeviceSpan<const std::uint32_t>, DeviceSpan<std::uint32_t>,
                      DeviceSpan<std::uint64_t>, cudaStream_t);

auto Values(std::size_t n) {
  return Filled<std::uint32_t>(n, [](std::uint32_t i) { return Mixed(i); });
}

Workload TileOf(const char* name, Tile function, std::vector<int> sizes) {
  return {name, std::move(sizes), [function](int size) {
            const std::size_t n = std::size_t{1} << size;
            return [=, values = Values(n), sums = Room<std::uint32_t>(n)](cudaStream_t stream) {
              function(values->span(), sums->span(), stream);
            };
          }};
}

Workload ScanOf(const char* name, Scan function) {
  return {name, {14, 18, 22}, [function](int size) {
            const std::size_t n = std::size_t{1} << size;
            return [=, values = Values(n), sums = Room<std::uint32_t>(n),
                    workspace = Room<std::uint64_t>(WorkspaceSize(n))](cudaStream_t stream) {
              function(values->span(), sums->span(), workspace->span(), stream);
            };
          }};
}

}  // namespace

// Arrays of 2^size elements; segments of 1000.
int main(int argc, char** argv) {
  return predict::RunWorkloads(
      {TileOf("InclusiveScanTile", InclusiveScanTile, {6, 8, 10}),
       TileOf("ExclusiveScanTile", ExclusiveScanTile, {7, 9, 11}),
       ScanOf("ExclusiveScan", ExclusiveScan),
       {"SegmentedScan",
        {14, 18, 22},
        [](int size) {
          const std::size_t n = std::size_t{1} << size;
          auto flags = Filled<std::uint8_t>(
              n, [](std::uint32_t i) { return static_cast<std::uint8_t>(i % 1000 == 0); });
          return [=, values = Values(n), sums = Room<std::uint32_t>(n),
                  workspace = Room<std::uint64_t>(WorkspaceSize(n))](cudaStream_t stream) {
            SegmentedScan(values->span(), flags->span(), sums->span(), workspace->span(), stream);
          };
        }},
       ScanOf("InclusiveScan", InclusiveScan)},
      argc, argv);
}
