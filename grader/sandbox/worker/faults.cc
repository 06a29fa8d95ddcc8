#include "grader/sandbox/worker/faults.h"

#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "grader/sandbox/wire/wire.h"
#include "grader/sandbox/worker/spans.h"
#include "grader/sandbox/worker/stacks.h"

namespace grader::worker {
namespace {

constexpr std::uintptr_t kNearNull = 4096;
constexpr std::uintptr_t kNearStackPointer = std::uintptr_t{64} << 10;

// Endless recursion faults because the stack is full, so the handler needs one of its own.
alignas(16) std::array<std::byte, std::size_t{64} << 10> handler_stack;

constexpr std::array kSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
// By kSignals: those of AddressSanitizer, which name the line; else the default.
std::array<struct sigaction, kSignals.size()> next_actions;

wire::Access AccessOf([[maybe_unused]] const ucontext_t& context) {
#if defined(__x86_64__)
  constexpr greg_t kWriteBit = 2;  // of the page fault's error code
  return context.uc_mcontext.gregs[REG_ERR] & kWriteBit ? wire::Access::kWrite
                                                        : wire::Access::kRead;
#else
  return wire::Access::kUnknown;
#endif
}

bool IsNearStackPointer([[maybe_unused]] std::uintptr_t address,
                        [[maybe_unused]] const ucontext_t& context) {
#if defined(__x86_64__)
  const auto top = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
  return address - top + kNearStackPointer < 2 * kNearStackPointer;
#else
  return false;
#endif
}

// Fills in where `address` lies. A read-only input's own pages count, too: then it was written.
void Locate(std::uintptr_t address, const ucontext_t& context, wire::Reply& reply) {
  reply.fault.access = AccessOf(context);
  const KnownSpans known = SpansOfThisCall();
  for (std::size_t i = 0; i < known.count; ++i) {
    const MappedSpan& span = known.spans[i];
    if (address < span.begin || address >= span.end) continue;
    reply.fault.argument = static_cast<std::int32_t>(i);
    reply.fault.byte_offset = static_cast<std::int64_t>(address - span.data);
    return;
  }
  if (address < kNearNull) {
    wire::SetText(reply, wire::kNullPointer);
  } else if (IsNearStackPointer(address, context)) {
    wire::SetText(reply, wire::kStackOverflow);
  }
}

void Handle(int signal, siginfo_t* info, void* context) {
  static wire::Reply reply;  // large; a second fault at the same time may garble it: both are fatal
  memset(&reply, 0, sizeof reply);
  reply.magic = wire::kMagic;
  reply.status = wire::Status::kFault;
  reply.fault.signal = signal;
  reply.fault.argument = -1;
  if (signal == SIGSEGV && info->si_code == SI_KERNEL) {
    wire::SetText(reply, wire::kNoAddress);  // a general protection fault, whose address is 0
  } else if ((signal == SIGSEGV || signal == SIGBUS) && info->si_code > 0) {
    Locate(reinterpret_cast<std::uintptr_t>(info->si_addr),
           *static_cast<const ucontext_t*>(context), reply);
  }
  wire::WriteFrame(wire::kReplyFd, &reply, sizeof reply);
  SendStack();  // comes second: on a damaged stack it may fault itself
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    const struct sigaction& next = next_actions[i];
    if (kSignals[i] == signal && (next.sa_flags & SA_SIGINFO) != 0) {
      next.sa_sigaction(signal, info, context);
    }
  }
  raise(signal);  // the default action is back in place, so this ends the process
}

}  // namespace

void ReportFaults() {
  stack_t stack{};
  sigaltstack(nullptr, &stack);
  if ((stack.ss_flags & SS_DISABLE) != 0) {
    stack.ss_flags = 0;
    stack.ss_sp = handler_stack.data();
    stack.ss_size = handler_stack.size();
    sigaltstack(&stack, nullptr);
  }
  struct sigaction action {};
  action.sa_sigaction = Handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], &action, &next_actions[i]);
  }
}

}  // namespace grader::worker
