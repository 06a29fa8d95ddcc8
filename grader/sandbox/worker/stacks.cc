#include "grader/sandbox/worker/stacks.h"

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <string.h>
#include <unwind.h>

#include <algorithm>
#include <cstdint>

#include "grader/sandbox/wire/wire.h"

namespace grader::worker {
namespace {

constexpr int kMaxDepth = 256;  // of all frames, so that endless recursion ends here

// The library's addresses. Set before the handler is installed.
struct Range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool Has(std::uintptr_t address) const { return address >= begin && address < end; }
};
Range library;

int FindRange(dl_phdr_info* info, std::size_t /*size*/, void* inside) {
  Range range{info->dlpi_addr, info->dlpi_addr};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    range.end =
        std::max<std::uintptr_t>(range.end, info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
  }
  if (!range.Has(reinterpret_cast<std::uintptr_t>(inside))) return 0;
  library = range;
  return 1;
}

struct Walk {
  wire::Stack stack{};
  std::uintptr_t called = 0;  // in the function outside the library that its innermost frame called
  int depth = 0;
  bool interrupted = false;  // past the frames of the handler itself
};

_Unwind_Reason_Code Visit(_Unwind_Context* context, void* data) {
  Walk& walk = *static_cast<Walk*>(data);
  int exact = 0;  // else it is a return address, and the call lies before it
  const std::uintptr_t address = _Unwind_GetIPInfo(context, &exact) - (exact == 0 ? 1 : 0);
  if (exact != 0) walk.interrupted = true;
  if (++walk.depth > kMaxDepth) return _URC_END_OF_STACK;
  if (!walk.interrupted) return _URC_NO_REASON;
  if (library.Has(address)) {
    walk.stack.offsets[walk.stack.count++] = address - library.begin;
  } else if (walk.stack.count == 0) {
    walk.called = address;
  }
  return walk.stack.count < wire::kMaxFrames ? _URC_NO_REASON : _URC_END_OF_STACK;
}

void Handle(int /*signal*/) { SendStack(); }

}  // namespace

// dladdr and the unwinder, which take the loader's lock, are not async-signal-safe. If they block,
// the checker times out, as for a thread that blocks the signal.
void SendStack() {
  Walk walk;
  _Unwind_Backtrace(Visit, &walk);
  wire::Reply reply;
  memset(&reply, 0, sizeof reply);
  reply.magic = wire::kMagic;
  reply.status = wire::Status::kStack;
  memcpy(reply.result, &walk.stack, sizeof walk.stack);
  Dl_info function;
  if (walk.called != 0) {
    const bool found = dladdr(reinterpret_cast<void*>(walk.called), &function) != 0;
    wire::SetText(reply, found && function.dli_sname != nullptr ? function.dli_sname : "?");
  }
  wire::WriteFrame(wire::kReplyFd, &reply, sizeof reply);
}

void ReportStacks(const void* inside) {
  dl_iterate_phdr(FindRange, const_cast<void*>(inside));
  Walk first;  // the first walk of a process may allocate
  _Unwind_Backtrace(Visit, &first);
  struct sigaction action {};
  action.sa_handler = Handle;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(wire::kStackSignal, &action, nullptr);
}

}  // namespace grader::worker
