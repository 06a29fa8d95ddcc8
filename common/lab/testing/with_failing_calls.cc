#include "common/lab/testing/with_failing_calls.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "common/lab/call/failing_call.h"

namespace lab {

void ExpectFailuresReported(const std::function<void()>& call) {
  const std::optional<std::string> unreported = FirstUnreportedFailure(call);
  if (!unreported) GTEST_SKIP() << "runtime calls can be made to fail on the simulator only";
  if (!unreported->empty()) ADD_FAILURE() << *unreported;
}

}  // namespace lab
