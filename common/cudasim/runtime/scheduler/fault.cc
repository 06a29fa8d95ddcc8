#include "common/cudasim/runtime/scheduler/fault.h"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string>

#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/memory/describe.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/scheduler/interrupted.h"
#include "common/cudasim/runtime/scheduler/worker.h"

namespace cudasim {
namespace {

constexpr std::size_t kSignalStackBytes = std::size_t{64} << 10;

struct Fault {
  void* address;
  const void* pc;
  bool write;
  bool call;  // of a function at the address
  bool has_address;
};

thread_local Fault last_fault;
struct sigaction previous_segv;
struct sigaction previous_bus;

std::string Verb() {
  if (last_fault.call) return "call";
  return last_fault.write ? "write" : "read";
}

Finding DescribeFault() {
  const std::string where =
      "kernel " + std::string(RunningGrid()->source.name) + ", " + DescribeCurrentThread() + ", " +
      Locate(static_cast<const char*>(last_fault.pc) + 1, PlaceOf(RunningGrid()->launched_at))
          .ToString();
  if (!last_fault.has_address) {
    return {"invalid_address",
            where + ": access through a pointer whose value is no address",
            {"it was never set, or something else was written over it"}};
  }
  void* const address = last_fault.address;
  if (DeviceHeap::Contains(address)) {
    const Allocation* const near = DeviceHeap::Get().FindNear(address);
    if (near == nullptr) return {"out_of_bounds", where + ": " + Verb() + " of no allocation", {}};
    const bool freed = near->freed && near->Contains(address);
    return {freed ? Kind("use_after_free") : Kind("out_of_bounds"),
            where + ": " + Verb() + " " + DescribeOffset(*near, address, 1),
            {}};
  }
  if (IsFiberStack(address)) {
    return {"stack_overflow", where + ": recursion too deep or local arrays too large", {}};
  }
  if (IsNull(address)) {
    return {"null_pointer",
            where + ": " + Verb() + " through a null " + (last_fault.call ? "function " : "") +
                "pointer",
            {}};
  }
  return {"invalid_address", where + ": " + Verb() + " of memory that is not mapped", {}};
}

// Runs on the worker's own stack, outside the signal handler: all of C++ may be used.
[[noreturn]] void EndFaultedLaunch() {
  in_kernel = false;
  Report(DescribeFault());
  MakeSticky(cudaErrorIllegalAddress);
  Worker::Current().Abandon();
}

bool WasSent(const siginfo_t& info) { return info.si_code <= 0; }

// Honours SA_RESETHAND as the system would: such a handler may raise the signal again to end the
// process.
void CallPrevious(int signal, siginfo_t* info, void* context) {
  const struct sigaction& previous = signal == SIGBUS ? previous_bus : previous_segv;
  if ((previous.sa_flags & SA_RESETHAND) != 0) ::signal(signal, SIG_DFL);
  if ((previous.sa_flags & SA_SIGINFO) != 0) {
    previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  } else {
    sigaction(signal, &previous, nullptr);  // the instruction faults again, for that handler
    if (WasSent(*info)) raise(signal);
  }
}

void Redirect(ucontext_t* context, siginfo_t* info) {
  const void* const pc = ProgramCounter(*context);
  // A general protection fault has no address: a pointer that no memory can have, or a misaligned
  // one in code without the compiler's checks.
  const bool has_address = info->si_code != SI_KERNEL;
  if (pc == info->si_addr) {  // the return address is the only trace of the caller
    const auto* const caller = static_cast<const char*>(ReturnAddress(*context)) - 1;
    last_fault = {info->si_addr, caller, false, true, true};
  } else {
    last_fault = {info->si_addr, pc, WasWrite(*context), false, has_address};
  }
  ContinueOnWorker(context, &EndFaultedLaunch);
}

void OnFault(int signal, siginfo_t* info, void* context) {
  const bool is_the_kernels = in_kernel && current_fiber != nullptr && !WasSent(*info);
  if (is_the_kernels) {
    Redirect(static_cast<ucontext_t*>(context), info);
  } else {
    CallPrevious(signal, info, context);
  }
}

void InstallHandler() {
  struct sigaction action {};
  action.sa_sigaction = OnFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, &previous_segv);
  sigaction(SIGBUS, &action, &previous_bus);
}

void GiveSignalStack() {
  stack_t stack{};
  if (sigaltstack(nullptr, &stack) == 0 && (stack.ss_flags & SS_DISABLE) == 0) return;
  stack = {};
  stack.ss_sp = std::malloc(kSignalStackBytes);  // in use until the thread ends
  stack.ss_size = kSignalStackBytes;
  if (stack.ss_sp != nullptr) sigaltstack(&stack, nullptr);
}

std::string DescribeException() {
  try {
    throw;
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "of a type not derived from std::exception";
  }
}

}  // namespace

void RunLoopCatchingExceptions(Grid& grid) {
  std::string escaped;
  bool threw = false;
  in_kernel = !kInstrumented;  // instrumented: set around each thread
  try {
    grid.loop(grid.body);
  } catch (...) {
    in_kernel = false;
    threw = true;
    escaped = DescribeException();
  }
  in_kernel = false;
  if (!threw) return;
  Report({"exception",
          "kernel " + std::string(grid.source.name) + " at " + grid.source.file + ":" +
              std::to_string(grid.source.line) + ", " + DescribeCurrentThread() +
              ": an exception left the kernel: " + escaped,
          {"device code cannot throw"}});
  escaped.clear();
  escaped.shrink_to_fit();
  MakeSticky(cudaErrorLaunchFailure);
  Worker::Current().Abandon();
}

void ContinueOnWorker(ucontext_t* context, void (*next)()) {
  constexpr std::uintptr_t kRedZone = 1024;
  const auto stack = reinterpret_cast<std::uintptr_t>(Worker::Current().stack_pointer());
  ContinueAt(context, next, (stack - kRedZone) & ~std::uintptr_t{15});
}

void WatchForFaults() {
  static std::once_flag installed;
  std::call_once(installed, InstallHandler);
  static thread_local bool has_stack = false;
  if (has_stack) return;
  GiveSignalStack();
  has_stack = true;
}

}  // namespace cudasim
