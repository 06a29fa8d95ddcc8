#pragma once

// Failure injection: makes a call of the CUDA runtime fail inside the called function, to see
// whether it checks its calls and cleans up. The simulator can do so in every mode, a GPU cannot.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "common/lab/call/failing_call_report.h"

namespace lab {

// While it lives, the `number`-th runtime call (from 1) of each call of a lab::Function fails, if
// there is a simulator. lab::Invoke then catches what the function throws, except for NotWritten,
// and the outputs are meaningless. Not thread-safe.
class FailingCall {
 public:
  explicit FailingCall(std::uint64_t number);
  ~FailingCall();
  FailingCall(const FailingCall&) = delete;
  FailingCall& operator=(const FailingCall&) = delete;
};

// The number of the living FailingCall; 0 if there is none.
std::uint64_t CurrentFailingCall();

// Called by lab::Invoke after a call in which a runtime call was to fail.
void SetFailingCallReport(const FailingCallReport& report);

// Runs `call`, which calls one lab::Function once, first without a failure and then
// once for each runtime call that the function makes, with that one failing. Empty if the function
// throws each time and frees what it made, else a description of the failure that it does not
// report or of its leak; nullopt where no call can be made to fail. CUDA's last error may stay set;
// the next call does not see it. After a result that is not empty the device may be unusable.
std::optional<std::string> FirstUnreportedFailure(const std::function<void()>& call);

}  // namespace lab
