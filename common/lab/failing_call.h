#pragma once

// Failure injection: makes a call of the CUDA runtime fail inside the called function, to see
// whether it checks its calls and cleans up. The simulator can do so in every mode, a GPU cannot.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "common/lab/failing_call_report.h"

namespace lab {

// While it lives, the `number`-th runtime call (from 1) of each call through the door fails, if
// there is a simulator. What the function throws then does not come out of the door, except for
// NotWritten, and its outputs mean nothing. Not thread-safe.
class FailingCall {
 public:
  explicit FailingCall(std::uint64_t number);
  ~FailingCall();
  FailingCall(const FailingCall&) = delete;
  FailingCall& operator=(const FailingCall&) = delete;
};

// The number that a living FailingCall says; 0 if there is none.
std::uint64_t CurrentFailingCall();

// Called by the door after a call in which a runtime call was to fail.
void SetFailingCallReport(const FailingCallReport& report);

// Makes `call`, which calls one function once through the door, again and again: first as it is,
// then once for each runtime call that the function makes, which then fails. Empty if the function
// throws each time and leaves nothing behind, else what it does not do; nullopt where no call can
// be made to fail. The last error may stay, as CUDA leaves it; the next call does not see it. After
// a result that is not empty the device may be unusable.
std::optional<std::string> FirstUnreportedFailure(const std::function<void()>& call);

}  // namespace lab
