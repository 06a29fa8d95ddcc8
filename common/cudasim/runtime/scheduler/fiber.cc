#include "common/cudasim/runtime/scheduler/fiber.h"

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "common/cudasim/runtime/memory/page.h"

namespace cudasim {
namespace {

constexpr std::size_t kMaxStacks = std::size_t{1} << 19;
// Each guard page is a memory mapping of its own and makes one of what lies behind it, and Linux
// gives a process 65,530 mappings.  So the first stacks have a guard page each, and of the others
// only every 64th: endless recursion runs into one of those, too.
constexpr std::size_t kGuardedStacks = std::size_t{1} << 14;
constexpr std::size_t kStacksPerGuard = 64;
// Stack tops at different offsets, so that fibers do not compete for the same cache sets.
constexpr std::size_t kColourStep = 320;
constexpr std::size_t kColourSpan = 8192;

// An odd number of pages: the tops of stacks that lie a power of two apart would compete for a few
// sets of the TLB.
std::size_t StackBytes() { return (std::size_t{256} << 10) + PageBytes(); }

[[noreturn]] void DieWithoutStacks() {
  std::fputs(
      "error: out of memory for kernel threads' stacks\n"
      "  next: raise the memory limit or launch smaller blocks\n",
      stderr);
  std::abort();
}

// One reservation of address space for all stacks; pages come as they are touched.
char* StackRegion() {
  static char* const region = [] {
    void* const memory = mmap(nullptr, StackBytes() * kMaxStacks, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) DieWithoutStacks();
    return static_cast<char*>(memory);
  }();
  return region;
}

std::atomic<std::size_t> stacks_in_use{0};

// Fibers that no worker has.  Never destroyed: workers may outlive main().
struct FreeFibers {
  std::mutex mutex;
  Fiber* first = nullptr;

  static FreeFibers& Get() {
    static auto* const fibers = new FreeFibers;
    return *fibers;
  }
};

Fiber* TakeFreeFiber() {
  FreeFibers& free = FreeFibers::Get();
  const std::lock_guard lock(free.mutex);
  Fiber* const fiber = free.first;
  if (fiber != nullptr) free.first = fiber->next;
  return fiber;
}

bool HasGuard(std::size_t stack) { return stack < kGuardedStacks || stack % kStacksPerGuard == 0; }

char* StackTop(const Fiber* fiber) {
  const std::size_t index = (fiber->stack_low - StackRegion()) / StackBytes();
  const auto top =
      reinterpret_cast<std::uintptr_t>(fiber->stack_high) - index * kColourStep % kColourSpan;
  return reinterpret_cast<char*>(top & ~std::uintptr_t{63});
}

}  // namespace

void FreeFiber(Fiber* fiber) {
  FreeFibers& free = FreeFibers::Get();
  const std::lock_guard lock(free.mutex);
  fiber->next = free.first;
  free.first = fiber;
}

Fiber* NewFiber(FiberEntry entry) {
  if (Fiber* const fiber = TakeFreeFiber()) {
    ResetFiber(fiber, entry);
    return fiber;
  }
  const std::size_t index = stacks_in_use.fetch_add(1);
  if (index >= kMaxStacks) DieWithoutStacks();
  auto* const fiber = new Fiber;
  fiber->stack_low = StackRegion() + index * StackBytes();
  fiber->stack_high = fiber->stack_low + StackBytes();
  const std::size_t guard = HasGuard(index) ? PageBytes() : 0;
  if (mprotect(fiber->stack_low + guard, StackBytes() - guard, PROT_READ | PROT_WRITE) != 0) {
    DieWithoutStacks();
  }
  ResetFiber(fiber, entry);
  return fiber;
}

bool IsFiberStack(const void* address) {
  const auto offset =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(StackRegion());
  return offset < StackBytes() * kMaxStacks;
}

#if defined(__x86_64__)

// Callee-saved registers are kept on the suspended stack.  Ends in `ret`, which the processor
// predicts from the caller's call.
asm(R"(
  .p2align 6
.text
.globl cudasim_switch
.hidden cudasim_switch
.type cudasim_switch,@function
cudasim_switch:
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  leaq 1f(%rip), %rax
  movq %rsp, (%rdi)
  movq %rbp, 8(%rdi)
  movq %rax, 16(%rdi)
  movq (%rsi), %rsp
  movq 8(%rsi), %rbp
  jmp *16(%rsi)
1:
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  ret
.size cudasim_switch, .-cudasim_switch
)");

void ResetFiber(Fiber* fiber, FiberEntry entry) {
  auto* top = reinterpret_cast<std::uint64_t*>(StackTop(fiber));
  *--top = 0;  // the entry's own return address: there is none
  fiber->context = {top, nullptr, reinterpret_cast<const void*>(entry)};
}

#elif defined(__aarch64__)

// As above: x19 to x30 and the low halves of v8 to v15 are the callee-saved registers. `br x16` may
// enter a function also where branch targets are checked.
asm(R"(
  .p2align 6
.text
.globl cudasim_switch
.hidden cudasim_switch
.type cudasim_switch,%function
cudasim_switch:
  stp x29, x30, [sp, #-160]!
  stp x19, x20, [sp, #16]
  stp x21, x22, [sp, #32]
  stp x23, x24, [sp, #48]
  stp x25, x26, [sp, #64]
  stp x27, x28, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  adr x10, 1f
  stp x9, x29, [x0]
  str x10, [x0, #16]
  ldp x9, x29, [x1]
  ldr x16, [x1, #16]
  mov sp, x9
  br x16
1:
  hint #36  // bti j
  ldp x19, x20, [sp, #16]
  ldp x21, x22, [sp, #32]
  ldp x23, x24, [sp, #48]
  ldp x25, x26, [sp, #64]
  ldp x27, x28, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  ldp x29, x30, [sp], #160
  ret
.size cudasim_switch, .-cudasim_switch

// Enters the function whose address is on the stack. Return address 0 ends a backtrace there.
.globl cudasim_start
.hidden cudasim_start
.type cudasim_start,%function
cudasim_start:
  hint #36  // bti j
  ldr x16, [sp], #16
  mov x30, xzr
  br x16
.size cudasim_start, .-cudasim_start
)");

extern "C" void cudasim_start();

void ResetFiber(Fiber* fiber, FiberEntry entry) {
  auto* top = reinterpret_cast<std::uint64_t*>(StackTop(fiber));
  top -= 2;  // the stack pointer stays a multiple of 16
  *top = reinterpret_cast<std::uint64_t>(entry);
  fiber->context = {top, nullptr, reinterpret_cast<const void*>(&cudasim_start)};
}

#else
#error "the simulator switches between fibers on x86-64 and aarch64: add this processor here"
#endif

}  // namespace cudasim
