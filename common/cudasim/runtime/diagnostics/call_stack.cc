#include "common/cudasim/runtime/diagnostics/call_stack.h"

#include <unwind.h>

#include <cstdint>
#include <utility>

namespace cudasim {
namespace {

constexpr unsigned kMaxCalls = 64;

struct CallStack {
  const void* return_addresses[kMaxCalls];
  unsigned count = 0;
};

thread_local CallStack remembered;

_Unwind_Reason_Code Collect(_Unwind_Context* context, void* data) {
  auto& calls = *static_cast<CallStack*>(data);
  int is_signal = 0;
  const std::uintptr_t at = _Unwind_GetIPInfo(context, &is_signal);
  // A signal interrupted this frame: `at` is no return address, and those before are the handler's.
  if (is_signal != 0) calls.count = 0;
  if (calls.count == kMaxCalls) return _URC_END_OF_STACK;
  calls.return_addresses[calls.count++] = reinterpret_cast<const void*>(at + (is_signal ? 1 : 0));
  return _URC_NO_REASON;
}

}  // namespace

void RememberCallStack() {
  remembered = {};
  _Unwind_Backtrace(Collect, &remembered);
}

Place PlaceInCallStack() {
  Place innermost;
  for (unsigned i = 0; i < remembered.count; ++i) {
    Place place = Locate(remembered.return_addresses[i]);
    if (place.file.empty()) continue;
    // The simulator's own calls of the standard library come before the program's line.
    if (!IsSystem(place.file)) return place;
    if (innermost.file.empty()) innermost = std::move(place);
  }
  return innermost;
}

}  // namespace cudasim
