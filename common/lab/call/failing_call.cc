#include "common/lab/call/failing_call.h"

namespace lab {
namespace {

std::uint64_t current = 0;
FailingCallReport last;

// More calls than any function of a lab needs.
constexpr std::uint64_t kMost = 200;

// Empty if the function reported that its runtime call `number` failed, and left nothing behind.
std::string Unreported(const FailingCallReport& report, std::uint64_t number) {
  const std::string failed = "runtime call number " + std::to_string(number) + ", " +
                             report.failed_call + ", failed, and ";
  if (report.device_failed) {
    return failed + "the function went on until a kernel failed, too: check what every call " +
           "returns before you use its result";
  }
  if (!report.threw) {
    return failed + "the function returned as if it had not: check what every call returns, " +
           "and cudaGetLastError() after a launch";
  }
  if (report.objects_left > 0) {
    return failed + std::to_string(report.objects_left) + " of the function's allocations, " +
           "streams and events were left behind: free them before the exception leaves the " +
           "function, best in a destructor";
  }
  return "";
}

}  // namespace

FailingCall::FailingCall(std::uint64_t number) { current = number; }

FailingCall::~FailingCall() { current = 0; }

std::uint64_t CurrentFailingCall() { return current; }

void SetFailingCallReport(const FailingCallReport& report) { last = report; }

std::optional<std::string> FirstUnreportedFailure(const std::function<void()>& call) {
  call();  // so that what the function allocates once for all calls is no leak below
  for (std::uint64_t number = 1; number <= kMost; ++number) {
    const FailingCall failing(number);
    last = {};
    call();
    if (!last.is_known) return std::nullopt;
    if (last.runtime_calls < number) return "";
    if (std::string unreported = Unreported(last, number); !unreported.empty()) return unreported;
  }
  return "the function makes more than " + std::to_string(kMost) + " runtime calls";
}

}  // namespace lab
