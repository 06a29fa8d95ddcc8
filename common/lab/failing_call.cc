#include "common/lab/failing_call.h"

namespace lab {
namespace {

std::uint64_t current = 0;
FailingCallReport last;

// More calls than any function of a lab needs.
constexpr std::uint64_t kMost = 200;

std::string Ordinal(std::uint64_t number) {
  return "runtime call number " + std::to_string(number);
}

}  // namespace

FailingCall::FailingCall(std::uint64_t number) { current = number; }

FailingCall::~FailingCall() { current = 0; }

std::uint64_t CurrentFailingCall() { return current; }

void SetFailingCallReport(const FailingCallReport& report) { last = report; }

std::optional<std::string> FirstUnreportedFailure(const std::function<void()>& call) {
  for (std::uint64_t number = 1; number <= kMost; ++number) {
    const FailingCall failing(number);
    last = {};
    call();
    if (!last.is_known) return std::nullopt;
    if (last.runtime_calls < number) return "";
    if (!last.threw) {
      return Ordinal(number) +
             " failed, and the function returned as if it had not: check what every call returns, "
             "and cudaGetLastError() after a launch";
    }
    if (last.objects_left > 0) {
      return Ordinal(number) + " failed, and " + std::to_string(last.objects_left) +
             " allocations, streams or events were left behind: free them before the exception "
             "leaves the function, best in a destructor";
    }
  }
  return "the function makes more than " + std::to_string(kMost) + " runtime calls";
}

}  // namespace lab
