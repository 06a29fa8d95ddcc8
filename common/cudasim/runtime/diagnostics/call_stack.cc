#include "common/cudasim/runtime/diagnostics/call_stack.h"

#include <unwind.h>

#include <cstdint>

namespace cudasim {
namespace {

constexpr unsigned kMaxCalls = 64;

struct CallStack {
  const void* return_addresses[kMaxCalls];
  unsigned count = 0;
  bool was_interrupted = false;
};

thread_local CallStack remembered;

_Unwind_Reason_Code Collect(_Unwind_Context* context, void* data) {
  auto& calls = *static_cast<CallStack*>(data);
  int is_signal = 0;
  const std::uintptr_t at = _Unwind_GetIPInfo(context, &is_signal);
  if (is_signal != 0) {  // the next frame is the interrupted one
    calls = {};
    calls.was_interrupted = true;
    return _URC_NO_REASON;
  }
  if (calls.count == kMaxCalls) return _URC_END_OF_STACK;
  const bool is_first = calls.was_interrupted && calls.count == 0;  // `at` is no return address
  calls.return_addresses[calls.count++] = reinterpret_cast<const void*>(at + (is_first ? 1 : 0));
  return _URC_NO_REASON;
}

}  // namespace

void RememberCallStack() {
  remembered = {};
  _Unwind_Backtrace(Collect, &remembered);
}

Place PlaceInCallStack() {
  for (unsigned i = 0; i < remembered.count; ++i) {
    const Place place = Locate(remembered.return_addresses[i]);
    if (!place.file.empty()) return place;
  }
  return {};
}

}  // namespace cudasim
