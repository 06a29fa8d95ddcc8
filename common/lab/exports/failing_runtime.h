#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>

#include "common/lab/call/failing_call_report.h"
#include "common/lab/exports/concurrent_callers.h"
#include "common/lab/exports/exports.h"
#include "common/lab/not_written.h"

namespace lab {

// The functions' side of common/lab/call/failing_call.h: failure injection by the CUDA simulator,
// where there is one. Copyable.
class FailingRuntime {
 public:
  // The functions of cudasim/fail_call.h.
  struct Functions {
    void (*fail_call)(std::uint64_t, int);
    std::uint64_t (*calls_made)();
    const char* (*call_made_to_fail)();
    std::uint64_t (*live_objects)();
    int (*device_has_failed)();
  };

  // If any of them is null, no call can be made to fail.
  explicit FailingRuntime(const Functions& functions) {
    if (functions.fail_call == nullptr || functions.calls_made == nullptr ||
        functions.call_made_to_fail == nullptr || functions.live_objects == nullptr ||
        functions.device_has_failed == nullptr) {
      return;
    }
    functions_ = functions;
  }

  bool CanFail() const { return functions_.fail_call != nullptr; }

  // Calls the staged function while its `number`-th runtime call, from 1, fails, and waits for its
  // work. Throws nothing but NotWritten. Needs CanFail().
  FailingCallReport Run(const ExportedFunction& function, void* staged, void* result,
                        std::uint64_t number) const {
    FailingCallReport report{.is_known = true};
    const std::uint64_t before = functions_.live_objects();
    {
      const Failing failing(functions_, number);
      report.threw = Throws([&] { function.start(staged, result); });
      report.runtime_calls = functions_.calls_made();
      report.failed_call = functions_.call_made_to_fail();
    }
    // Queued work still uses the arguments. device_has_failed() tells of a kernel's failure.
    ThrownBy([&] { function.finish(staged); });
    report.device_failed = functions_.device_has_failed() != 0;
    report.objects_left = std::max(functions_.live_objects(), before) - before;
    return report;
  }

 private:
  // While it lives, the chosen call fails.
  class Failing {
   public:
    Failing(const Functions& functions, std::uint64_t number) : functions_(functions) {
      functions_.fail_call(number, 0);
    }
    Failing(const Failing&) = delete;
    Failing& operator=(const Failing&) = delete;
    ~Failing() { functions_.fail_call(0, 0); }

   private:
    const Functions& functions_;
  };

  // Lets NotWritten through: a function that is not written yet reports nothing.
  template <typename Body>
  static bool Throws(const Body& body) {
    const std::exception_ptr thrown = ThrownBy(body);
    if (thrown == nullptr) return false;
    try {
      std::rethrow_exception(thrown);
    } catch (const NotWritten&) {
      throw;
    } catch (...) {
      return true;
    }
  }

  Functions functions_{};
};

}  // namespace lab
