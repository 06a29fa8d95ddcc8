#include "grader/sandbox/checker/device_rates.h"

#include <cstddef>
#include <vector>

#include "common/timing/statistics.h"
#include "common/timing/stopwatch.h"
#include "grader/sandbox/gpu/driver.h"

namespace grader::checker {
namespace {

constexpr std::size_t kCopiedBytes = std::size_t{1} << 29;
constexpr int kWarmUp = 2;
constexpr int kRounds = 9;

// Bytes read and written per second by a copy on the device.
double CopyRate(Driver& driver) {
  const DeviceBlock from(kCopiedBytes);
  const DeviceBlock to(kCopiedBytes);
  driver.Fill(from.address(), 1, kCopiedBytes);
  std::vector<double> seconds;
  for (int round = -kWarmUp; round < kRounds; ++round) {
    const lab::Stopwatch stopwatch;
    driver.CopyOnDevice(to.address(), from.address(), kCopiedBytes);
    if (round >= 0) seconds.push_back(stopwatch.Seconds());
  }
  return 2.0 * static_cast<double>(kCopiedBytes) / lab::Median(seconds);
}

}  // namespace

DeviceResult MeasuredDevice(const lab::Work& work) {
  Driver& driver = Driver::Get();
  return {driver.Name(), CopyRate(driver) * 1e-9, driver.PeakOperationsPerSecond() * 1e-9,
          work.bytes, work.operations};
}

}  // namespace grader::checker
