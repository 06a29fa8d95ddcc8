#include "common/cudasim/runtime/errors/fail_call.h"

#include <atomic>
#include <string>

#include "common/cudasim/include/cudasim/fail_call.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/errors/errors.h"

namespace cudasim {
namespace {

std::atomic<std::uint64_t> calls_made{0};
std::atomic<std::uint64_t> failing_call{0};  // 0: none
std::atomic<int> wanted_error{0};
std::atomic<std::uint64_t> failed_call{0};  // its number; 0: none yet
std::atomic<const char*> failed_name{""};   // its name

void ForgetFailedCall() {
  failed_call = 0;
  SetLastDetail("");
}

}  // namespace

cudaError_t InjectedError(const char* call, cudaError_t usual) {
  const std::uint64_t number = calls_made.fetch_add(1, std::memory_order_relaxed) + 1;
  if (__builtin_expect(number != failing_call.load(std::memory_order_relaxed), 1)) {
    return cudaSuccess;
  }
  failed_name = call;
  failed_call = number;
  SetLastDetail("before, the test made runtime call number " + std::to_string(number) + ", " +
                call + ", fail: is every call's result checked?");
  const int wanted = wanted_error.load(std::memory_order_relaxed);
  return Return(wanted == 0 ? usual : static_cast<cudaError_t>(wanted));
}

std::uint64_t CallMadeToFail() { return failed_call; }

void ForgetCallsMade() {
  calls_made = 0;
  ForgetFailedCall();
}

}  // namespace cudasim

extern "C" {

void simulatorFailCall(std::uint64_t n, int error) {
  cudasim::failing_call = 0;
  cudasim::wanted_error = error;
  cudasim::calls_made = 0;
  if (n > 0) cudasim::ForgetFailedCall();
  cudasim::failing_call = n;
  cudaGetLastError();
}

std::uint64_t simulatorCallsMade() { return cudasim::calls_made; }

const char* simulatorCallMadeToFail() {
  return cudasim::failed_call == 0 ? "" : cudasim::failed_name.load();
}

int simulatorDeviceHasFailed() { return cudasim::StickyError() == cudaSuccess ? 0 : 1; }

}  // extern "C"
