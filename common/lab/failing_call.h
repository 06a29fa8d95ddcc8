#pragma once

// Failure injection: makes a call of the CUDA runtime fail inside the called function, to see
// whether it checks its calls and cleans up. The simulator can do so in every mode, a GPU cannot.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace lab {

// What the function did in the last call with a FailingCall.
struct FailingCallReport {
  bool is_known = false;            // false: there is no simulator
  bool threw = false;               // the function reported a failure by an exception
  std::uint64_t runtime_calls = 0;  // that could fail and were made
  std::uint64_t objects_left = 0;   // allocations, streams and events more than before
};

// While it lives, the `number`-th runtime call (from 1) of each call through the door fails. What
// the function throws does not come out of the door, and its outputs mean nothing. Not thread-safe.
class FailingCall {
 public:
  explicit FailingCall(std::uint64_t number);
  ~FailingCall();
  FailingCall(const FailingCall&) = delete;
  FailingCall& operator=(const FailingCall&) = delete;
};

// The number that a living FailingCall says; 0 if there is none.
std::uint64_t CurrentFailingCall();

// Called by the door after a call with a FailingCall.
void SetFailingCallReport(const FailingCallReport& report);

// Makes `call`, which calls one function once through the door, again and again: once for each
// runtime call that the function makes, which then fails. Empty if the function throws each time
// and leaves nothing behind, else what it does not do; nullopt where no call can be made to fail.
std::optional<std::string> FirstUnreportedFailure(const std::function<void()>& call);

}  // namespace lab
