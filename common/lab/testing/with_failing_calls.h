#pragma once

#include <functional>

namespace lab {

// Expects that the function, which `call` calls once, throws when any of its runtime calls fails,
// and leaves nothing allocated (FirstUnreportedFailure). Skips the test where no call can be made
// to fail.
void ExpectFailuresReported(const std::function<void()>& call);

// A callable that calls `function`, one of the lab, first as ExpectFailuresReported does, and then
// once without a failure: the earlier failures must not affect that call.
template <typename Function>
auto WithFailingCalls(const Function& function) {
  return [function](auto&&... arguments) {
    ExpectFailuresReported([&] { function(arguments...); });
    return function(arguments...);
  };
}

}  // namespace lab
