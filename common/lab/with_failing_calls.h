#pragma once

#include <functional>

namespace lab {

// Expects of the function that `call` calls once that it throws whichever of its runtime calls
// fails, and leaves nothing allocated (FirstUnreportedFailure). Skips the test where no call can be
// made to fail.
void ExpectFailuresReported(const std::function<void()>& call);

// What calls `function`, one of the lab, first as ExpectFailuresReported does, and then once more,
// when nothing fails: what failed before is no concern of that call.
template <typename Function>
auto WithFailingCalls(const Function& function) {
  return [function](auto&&... arguments) {
    ExpectFailuresReported([&] { function(arguments...); });
    return function(arguments...);
  };
}

}  // namespace lab
